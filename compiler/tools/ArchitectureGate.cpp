//===- ArchitectureGate.cpp - element types that a GPU lacks ----------------------------------===//
//
// Which GPU accepts what stands in the record of the targets (Feature::Accepts…), as observed of
// the original [spec: driver-target-gate]; the order of the checks and the words are its own too.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/tools/ArchitectureGate.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/target/Targets.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilesmith::tools {
namespace {

bool hasType(const target::GpuTarget &gpu, Type type) {
  if (isa<cuda_tile::FloatNV8E5M3FNUType>(type))
    return gpu.has(target::Feature::AcceptsE5M3);
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return gpu.has(target::Feature::AcceptsF8);
  if (isa<Float8E8M0FNUType, Float4E2M1FNType>(type))
    return gpu.has(target::Feature::AcceptsF4AndE8M0);
  return true;
}

std::string nameOf(Type type) {
  if (isa<cuda_tile::FloatNV8E5M3FNUType>(type))
    return cuda_tile::FloatNV8E5M3FNUType::getMnemonic().str();
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

Type elementType(Type type) {
  if (auto tile = dyn_cast<cuda_tile::TileType>(type))
    return tile.getElementType();
  return {};
}

bool isBF16AtomicAdd(Operation *op) {
  auto adds = [](cuda_tile::AtomicRMWMode mode, Value value) {
    Type element = elementType(value.getType());
    return mode == cuda_tile::AtomicRMWMode::ADDF && element && element.isBF16();
  };
  if (auto rmw = dyn_cast<cuda_tile::AtomicRMWTkoOp>(op))
    return adds(rmw.getMode(), rmw.getArg());
  if (auto red = dyn_cast<cuda_tile::AtomicRedViewTkoOp>(op))
    return adds(red.getMode(), red.getValue());
  return false;
}

std::string multimemGpus() {
  SmallVector<StringRef> names;
  for (const target::GpuTarget &gpu : target::gpuTargets())
    if (gpu.has(target::Feature::AcceptsMultimem))
      names.push_back(gpu.name);
  return llvm::join(names, " or ");
}

} // namespace

LogicalResult checkArchitecture(Operation *module, const target::GpuTarget &gpu) {
  WalkResult result = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!gpu.has(target::Feature::AcceptsAtomicAddBF16) && isBF16AtomicAdd(op)) {
      op->emitError() << "atomicRMW ADDF with bf16 is not supported";
      return WalkResult::interrupt();
    }
    if (isa<cuda_tile::MultimemLoadReduceViewTkoOp, cuda_tile::MultimemReduceViewTkoOp,
            cuda_tile::MultimemStoreViewTkoOp>(op) &&
        !gpu.has(target::Feature::AcceptsMultimem)) {
      op->emitError() << "multicast pointers require " << multimemGpus();
      return WalkResult::interrupt();
    }
    auto check = [&](Type type) {
      Type element = elementType(type);
      if (!element || hasType(gpu, element))
        return true;
      op->emitError() << "Incompatibility with architecture '" << gpu.name
                      << "': unsupported type '" << nameOf(element) << "'";
      return false;
    };
    for (Type type : op->getOperandTypes())
      if (!check(type))
        return WalkResult::interrupt();
    for (Type type : op->getResultTypes())
      if (!check(type))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace tilesmith::tools
