//===- DifferentialOracle.h - engines against expectations, themselves and each other ---------===//
//
// Runs the engines of --engines and judges as Differential.h says. Where a stored outcome is one of
// several legal ones, the reference knows the others. A finding is blamed by running engines of
// every stage of our compiler (blame/EngineBisect.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DIFFERENTIAL_DIFFERENTIALORACLE_H
#define ORACLES_DIFFERENTIAL_DIFFERENTIALORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &differentialOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_DIFFERENTIAL_DIFFERENTIALORACLE_H
