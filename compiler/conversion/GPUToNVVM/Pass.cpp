//===- Pass.cpp - convert-gpu-to-nvvm ---------------------------------------------------------===//
//
// Runs on a gpu.module, or on an op that holds some. Steps on each:
//  1. checks and rewrites of Prepare.cpp, then structured control flow becomes branches; arithmetic
//     on scalars becomes llvm ops (Scalars.cpp);
//  2. one dialect conversion with our patterns (Assert.cpp, DeviceExt.cpp, Float.cpp, Matrix.cpp,
//     Subgroup.cpp) and the upstream ones for arith, math, cf, vector, memref, ub, gpu and nvgpu;
//     math that needs a library becomes calls of `__nv_*`, which compiler/target/MathLibrary
//     resolves;
//  3. kernels get `nvvm.reqntid` from `nvgpu_ext.threads`;
//  4. a walk that fails on any op outside llvm/nvvm.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tilesmith {
#define GEN_PASS_DEF_CONVERTGPUTONVVMPASS
#include "compiler/conversion/Passes.h.inc"

namespace {

/// nvgpu types as LLVM types; the upstream library offers these only inside its own pass.
void addNVGPUTypeConversions(LLVMTypeConverter &converter) {
  nvgpu::populateCommonGPUTypeAndAttributeConversions(converter);
  MLIRContext *ctx = &converter.getContext();
  converter.addConversion(
      [=](nvgpu::DeviceAsyncTokenType) -> Type { return IntegerType::get(ctx, 32); });
  converter.addConversion(
      [=](nvgpu::MBarrierTokenType) -> Type { return IntegerType::get(ctx, 64); });
  converter.addConversion(
      [=](nvgpu::WarpgroupMatrixDescriptorType) -> Type { return IntegerType::get(ctx, 64); });
  converter.addConversion(
      [=](nvgpu::TensorMapDescriptorType) -> Type { return LLVM::LLVMPointerType::get(ctx); });
  converter.addConversion([&converter, ctx](nvgpu::MBarrierGroupType type) -> Type {
    return converter.convertType(nvgpu::getMBarrierMemrefType(ctx, type));
  });
  converter.addConversion([=](nvgpu::WarpgroupAccumulatorType type) -> std::optional<Type> {
    // One struct of register values per 64 rows; a thread holds half a column (f32, i32) or a
    // quarter (f16).
    Type element = type.getFragmented().getElementType();
    int64_t rows = type.getFragmented().getDimSize(0), columns = type.getFragmented().getDimSize(1);
    if (!element.isF32() && !element.isInteger(32) && !element.isF16())
      return std::nullopt;
    SmallVector<Type> registers(element.isF16() ? columns / 4 : columns / 2, element);
    SmallVector<Type> parts(llvm::divideCeil(rows, 64),
                            LLVM::LLVMStructType::getLiteral(ctx, registers));
    return LLVM::LLVMStructType::getLiteral(ctx, parts);
  });
}

struct ConvertGPUToNVVM : impl::ConvertGPUToNVVMPassBase<ConvertGPUToNVVM> {
  using ConvertGPUToNVVMPassBase::ConvertGPUToNVVMPassBase;

  /// Parents before children and the last of a block first: splitting a block at an op moves what
  /// follows it, so every op moves once per level of nesting.
  LogicalResult lowerStructuredControlFlow(gpu::GPUModuleOp module) {
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    while (true) { // a rewrite may leave other structured ops: forall, parallel, for
      SmallVector<Operation *> structured;
      module.walk([&](Operation *op) {
        if (isa_and_present<scf::SCFDialect>(op->getDialect()) &&
            !op->hasTrait<OpTrait::IsTerminator>())
          structured.push_back(op);
      });
      if (structured.empty())
        return success();
      for (Operation *op : llvm::reverse(structured)) {
        rewriter.setInsertionPoint(op);
        if (failed(applicator.matchAndRewrite(op, rewriter)))
          return op->emitError() << "'" << op->getName() << "' has no lowering to branches";
      }
    }
  }

  LogicalResult convertToLLVM(gpu::GPUModuleOp module) {
    convertScalars(module);
    LowerToLLVMOptions options(&getContext(), DataLayout(module));
    options.overrideIndexBitwidth(indexBitwidth);
    LLVMTypeConverter converter(&getContext(), options);
    configureGpuToNVVMTypeConverter(converter);
    addNVGPUTypeConversions(converter);

    RewritePatternSet patterns(&getContext());
    populateAssertToNVVMPatterns(converter, patterns);
    populateDeviceExtToNVVMPatterns(converter, patterns);
    populateFloatToNVVMPatterns(converter, patterns);
    populateMatrixToNVVMPatterns(converter, patterns);
    populateSubgroupToNVVMPatterns(converter, patterns);
    populateGpuToNVVMConversionPatterns(converter, patterns, /*benefit=*/2);
    populateNVGPUToNVVMConversionPatterns(converter, patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);

    ConversionTarget target(getContext());
    configureGpuToNVVMConversionLegality(target);
    target.addIllegalDialect<arith::ArithDialect, math::MathDialect, cf::ControlFlowDialect,
                             vector::VectorDialect, memref::MemRefDialect, nvgpu::NVGPUDialect,
                             nvgpu_ext::NVGPUExtDialect, ub::UBDialect>();
    return applyPartialConversion(module, target, std::move(patterns));
  }

  void finishKernels(gpu::GPUModuleOp module) {
    module.walk([&](LLVM::LLVMFuncOp func) {
      if (!func->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
        return;
      func->removeAttr("gpu.kernel");
      if (auto threads = func->getAttrOfType<IntegerAttr>(kThreadsAttr))
        func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                      DenseI32ArrayAttr::get(&getContext(), {int32_t(threads.getInt()), 1, 1}));
      if (auto maps = func->getAttrOfType<DenseI64ArrayAttr>(nvgpu_ext::kHostMapsAttr))
        passInPlace(func, maps[1]);
    });
  }

  /// The last parameters are tensor maps themselves, not their addresses; nobody writes them.
  void passInPlace(LLVM::LLVMFuncOp kernel, int64_t maps) {
    Type map = LLVM::LLVMArrayType::get(IntegerType::get(&getContext(), 8), 128);
    for (unsigned at = kernel.getNumArguments() - maps; at < kernel.getNumArguments(); ++at) {
      kernel.setArgAttr(at, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(map));
      kernel.setArgAttr(at, LLVM::LLVMDialect::getAlignAttrName(),
                        IntegerAttr::get(IntegerType::get(&getContext(), 64), 64));
      kernel.setArgAttr(at, NVVM::NVVMDialect::getGridConstantAttrName(),
                        UnitAttr::get(&getContext()));
    }
  }

  /// The structured loops' requests to LLVM (unroll fully) arrive on the back edges as attributes
  /// that the translation would ignore.
  void attachLoopAnnotations(gpu::GPUModuleOp module) {
    module.walk([&](LLVM::BrOp branch) {
      auto annotation = branch->getAttrOfType<LLVM::LoopAnnotationAttr>("llvm.loop_annotation");
      if (!annotation)
        return;
      branch->removeAttr("llvm.loop_annotation");
      branch.setLoopAnnotationAttr(annotation);
    });
  }

  /// Casts that bound an address to the type of an nvgpu op, which is gone.
  void dropDeadCasts(gpu::GPUModuleOp module) {
    module.walk([](UnrealizedConversionCastOp cast) {
      if (cast->use_empty())
        cast->erase();
    });
  }

  LogicalResult rejectLeftovers(gpu::GPUModuleOp module) {
    WalkResult result = module.walk([&](Operation *op) {
      if (op == module || isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitError() << "'" << op->getName() << "' has no lowering to NVVM";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  void runOnOperation() override {
    if (indexBitwidth != 32 && indexBitwidth != 64) {
      getOperation()->emitError() << "expected index-bitwidth 32 or 64, got " << indexBitwidth;
      return signalPassFailure();
    }
    SmallVector<gpu::GPUModuleOp> modules;
    getOperation()->walk([&](gpu::GPUModuleOp module) { modules.push_back(module); });
    for (gpu::GPUModuleOp module : modules) {
      if (failed(prepareForNVVM(module)) || failed(lowerStructuredControlFlow(module)) ||
          failed(convertToLLVM(module)))
        return signalPassFailure();
      dropDeadCasts(module);
      if (failed(rejectLeftovers(module)))
        return signalPassFailure();
    }
    for (gpu::GPUModuleOp module : modules) {
      finishKernels(module);
      attachLoopAnnotations(module);
    }
  }
};

} // namespace

} // namespace tilesmith
