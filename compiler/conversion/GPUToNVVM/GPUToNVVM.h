//===- GPUToNVVM.h - per-thread gpu/nvgpu code to LLVM and NVVM ops ---------------------------===//
//
// The last MLIR stage. Input: a `gpu.module` of `gpu.func` kernels whose bodies use arith, math,
// scf, cf, vector, memref, ub, gpu, nvgpu and llvm-dialect pointer ops. Output: the same
// `gpu.module` with `llvm.func` and only `llvm`/`nvvm` ops.
//
// Invariants after the pass
//  - nothing of gpu.* or nvgpu.* survives but the `gpu.module` container; a leftover is an error at
//    its location;
//  - `nvgpu_ext.threads` and `nvgpu_ext.shared_bytes` stay on the kernel, `nvvm.reqntid` repeats
//    the former for PTX;
//  - every floating-point op is one rounding: f16/bf16 helpers of the math library are computed in
//    f32 and rounded once, fma is one `llvm.intr.fma` in its own type;
//  - maxnumf/minnumf follow maximumNumber/minimumNumber (a single NaN loses, +0 is greater than
//    -0).
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_GPUTONVVM_GPUTONVVM_H
#define COMPILER_CONVERSION_GPUTONVVM_GPUTONVVM_H

#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir {
class LLVMTypeConverter;
class Operation;
class RewritePatternSet;
} // namespace mlir

namespace tilesmith {

/// Launch facts: threads per block, and bytes of shared memory behind the external global
/// `kSharedMemoryName`.
using nvgpu_ext::kSharedBytesAttr;
using nvgpu_ext::kThreadsAttr;
inline constexpr char kSharedMemoryName[] = "global_smem";

#define GEN_PASS_DECL_CONVERTGPUTONVVMPASS
#include "compiler/conversion/Passes.h.inc"

/// Replaces arith ops on scalars by llvm ops as the dialect conversion would, but for those that it
/// would fold.
void convertScalars(mlir::Operation *module);

/// Floating-point ops whose upstream lowering is missing, rounds twice or leaves the sign of zero
/// open.
void populateFloatToNVVMPatterns(const mlir::LLVMTypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);

/// gpu ops without an upstream lowering: subgroup_size, subgroup_id, num_subgroups,
/// subgroup_reduce.
void populateSubgroupToNVVMPatterns(const mlir::LLVMTypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);

/// nvgpu.mma.sync on bf16, which the upstream pattern does not lower.
void populateMatrixToNVVMPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

/// cf.assert with the names of file, line and function.
void populateAssertToNVVMPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

/// The ops of nvgpu_ext.
void populateDeviceExtToNVVMPatterns(const mlir::LLVMTypeConverter &converter,
                                     mlir::RewritePatternSet &patterns);

/// Checks and rewrites a gpu.module before its ops are converted (Prepare.cpp).
llvm::LogicalResult prepareForNVVM(mlir::Operation *gpuModule);

} // namespace tilesmith

#endif // COMPILER_CONVERSION_GPUTONVVM_GPUTONVVM_H
