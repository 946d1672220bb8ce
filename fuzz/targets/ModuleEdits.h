//===- ModuleEdits.h - kernels broken on purpose, from bytes ----------------------------------===//
//
// The input of the targets that look at modules no front end would write: a number of edits, four
// bytes each, then the choice stream of the kernel that they change. An edit knows no rule of the
// dialect: it exchanges operands, types, attributes and names of ops, moves, copies and drops them,
// so that the result is what a faulty pass or a hostile file could leave behind.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TARGETS_MODULEEDITS_H
#define FUZZ_TARGETS_MODULEEDITS_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "fuzz/targets/FuzzMutators.h"

#include "mlir/IR/OwningOpRef.h"

namespace tilesmith::fuzz {

/// What the bytes stand for.
struct EditedKernel {
  static constexpr size_t kEditBytes = 4;
  static constexpr size_t kMaxEdits = 16;

  llvm::ArrayRef<uint8_t> edits;   ///< whole edits
  llvm::ArrayRef<uint8_t> choices; ///< of the generator

  static EditedKernel split(llvm::ArrayRef<uint8_t> bytes);
};

/// The kernel of the choices in `context`, before any edit; verified. A generator that makes an
/// invalid module ends the process.
mlir::OwningOpRef<cuda_tile::ModuleOp> generateKernel(llvm::ArrayRef<uint8_t> choices,
                                                      mlir::MLIRContext &context);

/// Applies the edits in order. The result may be anything that can be held in memory.
void applyEdits(cuda_tile::ModuleOp module, llvm::ArrayRef<uint8_t> edits);

size_t mutateEditedKernel(uint8_t *data, size_t size, size_t maxSize, MutatorRandom &random);
size_t crossEditedKernels(llvm::ArrayRef<uint8_t> first, llvm::ArrayRef<uint8_t> second,
                          uint8_t *out, size_t maxSize, MutatorRandom &random);

} // namespace tilesmith::fuzz

#endif // FUZZ_TARGETS_MODULEEDITS_H
