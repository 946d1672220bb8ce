//===- PTXOracle.h - is the PTX what an independent parser accepts ----------------------------===//
//
// Compiles for every compiling engine of the list with its settings, and checks the text with
// devices/ptx. The text between the marks of inline assembly is ours, the rest is LLVM's.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_PTX_PTXORACLE_H
#define ORACLES_PTX_PTXORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &ptxOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_PTX_PTXORACLE_H
