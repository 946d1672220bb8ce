//===- LayoutEquivalence.h - the same program but for layouts ---------------------------------===//
//
// A pass over nv_tileas that only chooses layouts, moves values between them or annotates accesses
// cannot change what a kernel computes. This file proves it for one kernel: without layouts,
// conversions between them, annotations and barriers, the IR is the same before and after the pass.
//
// The form of a module is a list of hashes, one per operation with effects, in order. The hash of
// an operation covers its operands' hashes, so that duplicated or merged pure operations do not
// count.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_BLAME_LAYOUTEQUIVALENCE_H
#define ORACLES_BLAME_LAYOUTEQUIVALENCE_H

#include "oracles/engines/Engine.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilesmith::oracles {

/// The form of a module without layouts.
std::string formWithoutLayouts(mlir::ModuleOp module);

/// True when the IR of every launch after stage tileas is the same, without layouts, with `limit`
/// and with `limit - 1` optional passes. False also when a module does not compile that far.
bool keepsMeaning(const testcase::TestCase &testCase, llvm::StringRef version,
                  const EngineOptions &options, int64_t limit);

} // namespace tilesmith::oracles

#endif // ORACLES_BLAME_LAYOUTEQUIVALENCE_H
