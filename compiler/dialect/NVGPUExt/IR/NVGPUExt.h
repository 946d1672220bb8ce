//===- NVGPUExt.h - device operations that upstream's nvgpu lacks -----------------------------===//
//
// Single include of the dialect. See NVGPUExtOps.td; lowered by
// compiler/conversion/GPUToNVVM/DeviceExt.cpp.
//
//===-------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_NVGPUEXT_IR_NVGPUEXT_H
#define COMPILER_DIALECT_NVGPUEXT_IR_NVGPUEXT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/dialect/NVGPUExt/IR/NVGPUExtDialect.h.inc"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExtEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/NVGPUExt/IR/NVGPUExtAttrs.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/NVGPUExt/IR/NVGPUExtOps.h.inc"

namespace tilesmith::nvgpu_ext {

/// Names of the launch facts, for those who have no dialect at hand.
inline constexpr llvm::StringLiteral kThreadsAttr =
    NVGPUExtDialect::ThreadsAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral kSharedBytesAttr =
    NVGPUExtDialect::SharedBytesAttrHelper::getNameStr();

inline constexpr llvm::StringLiteral kHostMapsAttr =
    NVGPUExtDialect::HostMapsAttrHelper::getNameStr();

/// In front of the name of a kernel: the function of the host that makes its tensor maps, of the
/// address of its parameters.
inline constexpr llvm::StringLiteral kHostFunctionPrefix = "host_maps_";

/// Adds the dialect to a registry.
void registerDialect(mlir::DialectRegistry &registry);

/// Where an address begins, without the steps from there.
mlir::Value startOf(mlir::Value address);
/// What is reached of shared memory: noted on the operation, or where the address begins; null: not known.
mlir::DenseI64ArrayAttr getReach(mlir::Operation *op);
mlir::DenseI64ArrayAttr getReachFrom(mlir::Value address);
void setReach(mlir::Operation *op, mlir::DenseI64ArrayAttr reach);

/// The number that `tensormap.replace` takes for an element type, or nothing when no tensor map can
/// hold it.
std::optional<unsigned> tensorMapElementCode(mlir::Type type);

} // namespace tilesmith::nvgpu_ext

#endif // COMPILER_DIALECT_NVGPUEXT_IR_NVGPUEXT_H
