//===- PerformanceOracle.h - does compiled code cost more than it did -------------------------===//
//
// Holds the figures of compiled code to the rows of a baseline (Performance.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_PERFORMANCE_PERFORMANCEORACLE_H
#define ORACLES_PERFORMANCE_PERFORMANCEORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &performanceOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_PERFORMANCE_PERFORMANCEORACLE_H
