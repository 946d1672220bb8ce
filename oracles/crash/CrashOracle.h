//===- CrashOracle.h - does a worker survive the case -----------------------------------------===//
//
// Compiling and running happen in a process of their own. Its end is the finding, so the parent
// gives this oracle's verdict (fuzz/campaign/Judge.h); nothing is left to do in the process itself.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_CRASH_CRASHORACLE_H
#define ORACLES_CRASH_CRASHORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &crashOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_CRASH_CRASHORACLE_H
