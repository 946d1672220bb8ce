//===- Prepare.cpp - what must hold before the dialect conversion -----------------------------===//
//
//  - mbarriers live in shared memory: a cast would change the memory space that later users rely
//    on, so anything else is rejected;
//  - nvgpu.tma.create.descriptor becomes a call into the host's driver upstream, which device code
//    cannot make;
//  - a warpgroup.mma waits for all groups: its accumulator is read as an ordinary value afterwards;
//  - gpu.all_reduce, gpu.global_id and shuffles other than of 32 bits are broken down by the
//    upstream rewrites. These run without folding: folding is the business of passes that can be
//    switched off.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilesmith {
namespace {

LogicalResult checkBarrierSpaces(gpu::GPUModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    auto check = [&](Type type, StringRef what, unsigned index) {
      auto group = dyn_cast<nvgpu::MBarrierGroupType>(type);
      if (!group)
        return true;
      Attribute space = group.getMemorySpace();
      auto number = dyn_cast_if_present<IntegerAttr>(space);
      auto gpuSpace = dyn_cast_if_present<gpu::AddressSpaceAttr>(space);
      if ((number && number.getInt() == 3) ||
          (gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Workgroup))
        return true;
      op->emitOpError() << what << " #" << index << " must be mbarrier barrier type, but got "
                        << type;
      return false;
    };
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
      if (!check(type, "operand", index))
        return WalkResult::interrupt();
    for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
      if (!check(type, "result", index))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace

LogicalResult prepareForNVVM(Operation *op) {
  auto module = cast<gpu::GPUModuleOp>(op);
  if (failed(checkBarrierSpaces(module)))
    return failure();
  WalkResult host = module.walk([](nvgpu::TmaCreateDescriptorOp create) {
    create.emitOpError() << "calls the driver of the host; on the device use "
                            "'nvgpu_ext.tensormap.create' with 128 bytes of global memory";
    return WalkResult::interrupt();
  });
  if (host.wasInterrupted())
    return failure();
  module.walk([](nvgpu::WarpgroupMmaOp mma) { mma.setWaitGroup(0); });
  // The greedy driver also drops dead code, so it only runs where it is needed.
  WalkResult found = module.walk([](Operation *op) {
    auto shuffle = dyn_cast<gpu::ShuffleOp>(op);
    bool wide = shuffle && !shuffle.getValue().getType().isInteger(32) &&
                !shuffle.getValue().getType().isF32();
    return wide || isa<gpu::AllReduceOp, gpu::GlobalIdOp>(op) ? WalkResult::interrupt()
                                                              : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();
  RewritePatternSet patterns(module.getContext());
  populateGpuRewritePatterns(patterns);
  GreedyRewriteConfig config;
  config.enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(module, std::move(patterns), config);
}

} // namespace tilesmith
