// Passes.td - conversions between the stages of the compiler.
//
// No pass here or in the dialects declares statistics: mlir::Pass::Statistic has another layout where NDEBUG is not defined, and
// Debian's libMLIR is built with it. It would count nothing there, and read what nobody wrote in our builds with assertions.
#ifndef TILESMITH_CONVERSION_PASSES_TD
#define TILESMITH_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertCudaTileToTileAAPass : Pass<"convert-cudatile-to-tileaa", "::mlir::ModuleOp"> {
  let summary = "lower cuda_tile to nv_tileaa, arith, math and scf";
  let description = [{
    Every `cuda_tile.module` becomes a `gpu.module` of `nv_tileaa.func`; tiles become tensors, those of rank 0 scalars,
    and tokens explicit. Fails on a malformed capability and on any op it cannot convert.
  }];
  let options = [
    Option<"computeCapability", "compute-capability", "std::string", "\"sm_80\"", "target, sm_NN or NN">,
    Option<"pdlPatterns", "pdl-patterns", "std::string", "\"\"", "file of PDL patterns that take part">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilesmith::tileaa::TileAADialect",
                           "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
                           "::mlir::math::MathDialect", "::mlir::pdl::PDLDialect",
                           "::mlir::pdl_interp::PDLInterpDialect", "::mlir::ub::UBDialect"];
}

def ConvertTileAAToTileASPass : Pass<"convert-tileaa-to-tileas"> {
  let summary = "give tiles layouts and convert nv_tileaa to nv_tileas";
  let description = [{
    Requires `nv_tileaa.func` with scalar parameters. Memory, shape, region and dot operations become nv_tileas;
    afterwards every tensor type carries a `#nv_tileas.layout`, over the warps of the function's hint or `num-warps`.
  }];
  let options = [
    Option<"numWarps", "num-warps", "unsigned", "4", "warps of a block without a hint">,
    Option<"chooseWarps", "choose-warps", "bool", "false", "without a hint, eight where sums of products need their registers">,
    Option<"chooseLayouts", "choose-layouts", "bool", "false", "warps hold whole rows where that takes fewer instructions">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def PlanExchangesPass : Pass<"tileas-plan-exchanges"> {
  let summary = "note how layout conversions move their elements between threads";
  let description = [{
    By shuffles inside a warp, through swizzled shared memory, or not at all where a dot takes its fragments from
    shared memory itself (Exchange.h). Conversions without a note take the generic way.
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def ConvertTileASToNVGPUPass : Pass<"convert-tileas-to-nvgpu"> {
  let summary = "turn tiles with layouts into code of one thread";
  let description = [{
    Requires that every tensor carries a layout. Every `nv_tileaa.func` of a `gpu.module` becomes a `gpu.func` kernel
    that carries its block size and its bytes of shared memory; no tensors, nv_tileaa or nv_tileas ops are left.

    With `parameter-bank` a function `host_maps_<kernel>` makes the tensor maps that follow from the arguments, which are
    the last parameters of the kernel then (HostTensorMaps.h).
  }];
  let options = [Option<"parameterBank", "parameter-bank", "int64_t", /*default=*/"0",
    "where parameters begin in their constant bank, if host code makes tensor maps; 0: kernels make all">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::nvgpu::NVGPUDialect",
                           "::tilesmith::nvgpu_ext::NVGPUExtDialect", "::tilesmith::tileas::TileASDialect",
                           "::mlir::vector::VectorDialect"];
}

def RemoveBarriersPass : Pass<"gpu-remove-barriers"> {
  let summary = "remove barriers of the block, and of an agent's warps, that order nothing";
  let description = [{
    A `gpu.barrier`, or a `nvvm.barrier` of a constant number, goes when no access before it, back to the barriers
    before it, meets one behind it, up to the next ones, in a byte that one of the two writes. Accesses to shared
    memory are told apart by `nvgpu_ext.reach`.
  }];
}

// Upstream's pass of this argument must not be registered beside it.
def ConvertGPUToNVVMPass : Pass<"convert-gpu-to-nvvm"> {
  let summary = "lower per-thread gpu, nvgpu, arith, math, vector and control flow to llvm and nvvm ops";
  let description = [{
    Works on every `gpu.module`, given one or an op around some. Nothing but llvm and nvvm ops is left in it: a
    leftover is an error at its location.
  }];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", "64", "width of index in bits: 32 or 64">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // TILESMITH_CONVERSION_PASSES_TD
