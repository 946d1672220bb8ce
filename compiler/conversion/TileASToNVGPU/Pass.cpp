//===- Pass.cpp - convert-tileas-to-nvgpu -----------------------------------------------------===//
//
// Per function: creates the gpu.func, binds the parameters, lets the Emitter (Emitter.h) write the
// body, records block size and shared-memory demand, removes the source. The symbol of dynamic
// shared memory is declared once per module.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/TensorMaps.h"
#include "compiler/conversion/TileASToNVGPU/TileASToNVGPU.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace tilesmith {
#define GEN_PASS_DEF_CONVERTTILEASTONVGPUPASS
#include "compiler/conversion/Passes.h.inc"
} // namespace tilesmith

namespace {

void declareSharedMemory(gpu::GPUModuleOp module) {
  if (module.lookupSymbol("global_smem"))
    return;
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToStart(&module.getBodyRegion().front());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  // Buffers of pipelines and operands of warpgroup products stand at multiples of 1024 bytes, which
  // swizzles rely on.
  unsigned alignment = 128;
  module.walk([&](Operation *op) {
    auto dot = dyn_cast<tileas::DotOp>(op);
    if (isa<tileas::AllocTensorOp>(op) ||
        (dot && dot.getAtom() && tileas::findWarpgroupAtom(*dot.getAtom())))
      alignment = 1024;
  });
  LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                         LLVM::Linkage::External, "global_smem", Attribute(), alignment,
                         /*addrSpace=*/3);
}

LogicalResult convertFunction(tileaa::FuncOp source, int64_t parameterBank) {
  MLIRContext *context = source.getContext();
  IntegerAttr threads = tileas::annotations(source).getThreadsAttrHelper().getAttr(source);
  if (!threads)
    return source.emitOpError(
        "expected the attribute 'nv_tileas.threads' of convert-tileaa-to-tileas");
  if (!source.getResultTypes().empty())
    return source.emitOpError("kernels return nothing, got ")
           << source.getResultTypes().size() << " results";
  SmallVector<Type> types;
  for (Type type : source.getArgumentTypes())
    types.push_back(isa<tileaa::PtrType>(type) ? Type(LLVM::LLVMPointerType::get(context, 1))
                                               : heldType(type));

  OpBuilder builder(source);
  auto function = gpu::GPUFuncOp::create(builder, source.getLoc(), source.getSymName(),
                                         FunctionType::get(context, types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  Emitter emitter(function, threads.getInt() / 32);
  if (failed(emitter.reserveAllocations(source)))
    return failure();
  emitter.tensorMaps.parameterBank = parameterBank;
  emitter.reservePipelineBuffers(source); // may add hidden parameters
  for (auto [argument, emitted] : llvm::zip(source.getArguments(), function.getArguments()))
    emitter.setScalar(argument, isa<LLVM::LLVMPointerType>(emitted.getType())
                                    ? emitter.adaptPointer(emitted)
                                    : fromMemory(emitter, emitted, argument.getType()));
  claimTensorMaps(emitter);
  claimTensorMemory(emitter);
  if (failed(emitter.emitBlock(source.getBody().front())))
    return failure();
  function->setAttr(nvgpu_ext::kThreadsAttr, threads);
  auto spec = source->getAttrOfType<tileaa::KernelSpecAttr>(tileaa::TileAADialect::kKernelSpec);
  if (spec && spec.getOccupancy() > 0 && spec.getOccupancy() <= 32)
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(spec.getOccupancy()));
  if (int64_t blocks = tileas::clusterBlocks(source); blocks > 1) {
    // A launch counts clusters: the driver multiplies the grid.
    function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                      builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads.getInt()), 1, 1}));
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                      builder.getDenseI32ArrayAttr({static_cast<int32_t>(blocks), 1, 1}));
    function->setAttr(NVVM::NVVMDialect::getBlocksAreClustersAttrName(), builder.getUnitAttr());
  }
  if (IntegerAttr registers = tileas::annotations(source).getMaxRegsAttrHelper().getAttr(source))
    function->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(), registers);
  function->setAttr(nvgpu_ext::kSharedBytesAttr, builder.getI32IntegerAttr(emitter.sharedBytes));
  source.erase();
  return success();
}

struct ConvertTileASToNVGPU : tilesmith::impl::ConvertTileASToNVGPUPassBase<ConvertTileASToNVGPU> {
  using ConvertTileASToNVGPUPassBase::ConvertTileASToNVGPUPassBase;
  void runOnOperation() override {
    SmallVector<tileaa::GlobalOp> globals;
    getOperation()->walk([&](tileaa::GlobalOp global) { globals.push_back(global); });
    for (tileaa::GlobalOp global : globals) {
      OpBuilder builder(global);
      if (failed(emitGlobal(builder, global)))
        return signalPassFailure();
      global.erase();
    }
    SmallVector<tileaa::FuncOp> functions;
    getOperation()->walk([&](tileaa::FuncOp function) { functions.push_back(function); });
    for (tileaa::FuncOp function : functions) {
      auto module = function->getParentOfType<gpu::GPUModuleOp>();
      if (!module) {
        function.emitOpError("expected to be inside a gpu.module");
        return signalPassFailure();
      }
      declareSharedMemory(module);
      if (failed(convertFunction(function, parameterBank)))
        return signalPassFailure();
    }
  }
};

} // namespace
