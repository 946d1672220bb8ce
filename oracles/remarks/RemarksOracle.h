//===- RemarksOracle.h - do remarks say what the code holds ---------------------------------===//
//
// Compiles as `tileiras --remarks=all --emit=ptx` does and compares, entry by entry, the
// instructions that remarks name with those in the text: products of tensor cores, copies that run
// ahead, tensor copies. A remark of what is not there, and an instruction that no remark speaks of
// although a remark of its kind is there, is a disagreement.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_REMARKS_REMARKSORACLE_H
#define ORACLES_REMARKS_REMARKSORACLE_H

#include "oracles/Oracle.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilesmith::oracles {

/// `remarks` as the command line prints them, `ptx` of the same compilation. Empty, or the first
/// contradiction: `entry k: remarks of products name FMA, the code has mma.sync`. `nvvm` gives the
/// module as it was in front of LLVM's optimiser, and is asked seldom.
std::string contradiction(llvm::StringRef remarks, llvm::StringRef ptx,
                          llvm::function_ref<std::string()> nvvm = nullptr);

const Oracle &remarksOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_REMARKS_REMARKSORACLE_H
