//===- CudaTileDialect.cpp - registration of the dialect and its interfaces -------------------------------===//
//
// Registers attributes, types and every op family. The op families register themselves, so that no file includes the
// definitions of all ops.
//
//===---------------------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

namespace tilesmith::cuda_tile {

namespace {
/// Every op may be inlined into any region; entries are never called, so only region terminators would matter.
struct CudaTileInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void CudaTileDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerAtomicOps();
  registerControlFlowOps();
  registerConversionOps();
  registerCoreOps();
  registerFloatingPointOps();
  registerIntegerOps();
  registerMathOps();
  registerMemoryOps();
  registerMiscOps();
  registerMultimemOps();
  registerViewOps();
  addInterfaces<CudaTileInlinerInterface>();
}

} // namespace tilesmith::cuda_tile

#include "compiler/dialect/CudaTile/IR/CudaTileDialect.cpp.inc"
#include "compiler/dialect/CudaTile/IR/CudaTileEnums.cpp.inc"
