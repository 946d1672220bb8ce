//===- CompilationOracle.h - is compiling deterministic, and within its means -----------------===//
//
// Judges as Compilation.h says, at the level, target and strategies that the case draws.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_COMPILATION_COMPILATIONORACLE_H
#define ORACLES_COMPILATION_COMPILATIONORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &compilationOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_COMPILATION_COMPILATIONORACLE_H
