//===- ArchitectureGate.cpp - element types that a GPU lacks ----------------------------------===//
//
// The table is the observed one [spec: driver-target-gate]: 8-bit floats from sm_89 on,
// scale and 4-bit types from sm_100 on, bf16 atomic addition from sm_89 on, multicast accesses on
// sm_100, sm_103 and sm_107.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/tools/ArchitectureGate.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/target/Targets.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace tilesmith::tools {
namespace {

/// The first SM number with instructions for `type`; 0 for every type that all accepted GPUs have.
unsigned firstGpuWith(Type type) {
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return 89;
  if (isa<Float8E8M0FNUType, Float4E2M1FNType>(type))
    return 100;
  return 0;
}

bool hasType(const target::GpuTarget &gpu, Type type) {
  if (isa<cuda_tile::FloatNV8E5M3FNUType>(type))
    return gpu.sm == 107;
  return firstGpuWith(type) <= gpu.sm;
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

/// bf16 atomic addition came with sm_89 as far as the original is concerned.
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

} // namespace

LogicalResult checkArchitecture(Operation *module, const target::GpuTarget &gpu) {
  WalkResult result = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (gpu.sm < 89 && isBF16AtomicAdd(op)) {
      op->emitError() << "atomicRMW ADDF with bf16 is not supported";
      return WalkResult::interrupt();
    }
    if (isa<cuda_tile::MultimemLoadReduceViewTkoOp, cuda_tile::MultimemReduceViewTkoOp,
            cuda_tile::MultimemStoreViewTkoOp>(op) &&
        gpu.sm != 100 && gpu.sm != 103 && gpu.sm != 107) {
      op->emitError() << "multicast pointers require sm_100 or sm_103 or sm_107";
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
