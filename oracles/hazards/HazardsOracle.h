//===- HazardsOracle.h - is compiled code free of races ---------------------------------------===//
//
// Runs the compiled case on the emulated GPU with its race detector: a barrier or a wait that is
// missing shows although the results are right by luck.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_HAZARDS_HAZARDSORACLE_H
#define ORACLES_HAZARDS_HAZARDSORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &hazardsOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_HAZARDS_HAZARDSORACLE_H
