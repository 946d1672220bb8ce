//===- OracleList.h - everything that can call a module wrong ---------------------------------===//
//
// One row per oracle. OracleTriplesTest runs each on a case that agrees, on a planted bug, and on a
// case that it cannot decide; a row without such a triple, an engine or a folder of oracles/ that
// no row names, fails there.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_ORACLELIST_H
#define FUZZ_CAMPAIGN_ORACLELIST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilesmith::fuzz {

struct OracleInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral question; ///< what it asks
  llvm::StringLiteral place;    ///< folder below oracles/, or file in this folder
  llvm::StringLiteral runs;     ///< in `fuzz`: `always`, `one case in N`, or the option that asks
};

inline constexpr OracleInfo kOracles[] = {
    {"must-compile", "is every valid module compiled", "differential", "always"},
    {"must-reject", "does the compiler command refuse a broken module", "diagnostics",
     "InvalidLabelsTest"},
    {"diagnostics", "is a broken module refused for its fault, at its place", "diagnostics",
     "one case in 8 (--invalid-share)"},
    {"expectation", "does an engine leave what the case stores", "differential", "always"},
    {"tileaa", "reference against the interpreter of nv_tileaa", "engines/tileaa", "--engines"},
    {"tileaa-opt", "the same after the optional passes over nv_tileaa", "engines/tileaa",
     "--engines"},
    {"tileas", "reference against the interpreter of nv_tileas", "engines/tileas", "--engines"},
    {"emulator", "reference against compiled code on the emulated GPU", "devices/emulator",
     "always"},
    {"cuda", "reference against compiled code on a GPU", "engines/cuda", "--engines"},
    {"schedules", "the emulated GPU against itself in another order of threads", "differential",
     "always"},
    {"levels", "code of one level against that of another", "differential",
     "always: -O0 and a drawn one"},
    {"targets", "code for one target against that for another", "differential",
     "always: a drawn one"},
    {"fast-path", "tensor cores and pipelines against generic loops", "differential",
     "always: -O0 has none"},
    {"ptx", "is the PTX what our own parser accepts", "devices/ptx", "check, replay"},
    {"bytecode-round-trip", "is the module the same after writing it, and are its bytes",
     "differential", "always"},
    {"text-round-trip", "is the module the same after a way through text", "differential",
     "always"},
    {"determinism", "does compiling twice give the same code", "compilation",
     "one case in 8 (--compilation-share)"},
    {"resources", "does compiling stay within limits of time and size", "compilation",
     "one case in 8 (--compilation-share)"},
    {"metamorphic", "does an edited kernel compute what its original did", "metamorphic",
     "one kernel in 8 (--edit-share)"},
    {"hazards", "is shared memory ordered between the threads of compiled code", "Judge.h",
     "one case in 16 (--hazard-share)"},
    {"races", "does the kernel itself order its accesses", "engines", "always"},
    {"crash", "does a worker survive the case", "Judge.h", "always"},
    {"performance", "does code cost more than the baseline says", "performance", "tilesmith perf"},
    {"external", "do other compilers and verifiers take what ours takes", "external",
     "--external-compiler, --external-verifier"},
};

inline llvm::ArrayRef<OracleInfo> oracleList() {
  return kOracles;
}

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_ORACLELIST_H
