//===- HostTensorMaps.h - tensor maps that host code makes from the arguments -----------------===//
//
// A launch of a Tile IR cubin calls a function on the host with the image of the kernel's parameters
// (compiler/target/HostCode.h). Tensor maps that follow from the arguments alone are made there, once
// per launch and not by every block: the function writes them into the image behind the declared
// parameters, where the kernel has them as hidden parameters.
//
// Which tensors follow from the arguments: compiler/dialect/TileAS/IR/HostTensor.h.
//
// The test of what a map can describe stays in the kernel (TensorMaps.cpp), so the function fills in
// numbers without looking at them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_HOSTTENSORMAPS_H
#define COMPILER_CONVERSION_TILEASTONVGPU_HOSTTENSORMAPS_H

#include "compiler/dialect/TileAS/IR/HostTensor.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace tilesmith::tileas_to_nvgpu {

using tileas::HostTensor;

/// Of one kernel, at most: all parameters together have 4 KiB.
inline constexpr unsigned kMaxHostMaps = 16;

/// What is fixed of a map, beside its type.
struct HostMapLayout {
  llvm::SmallVector<unsigned> dims; ///< of the tensor, innermost first
  int64_t elementBytes, grain;

  bool operator==(const HostMapLayout &) const = default;
};

/// The function that makes the maps of a kernel.
class HostFunction {
public:
  /// `bank`: where parameters begin in their constant bank, in which maps are aligned.
  HostFunction(mlir::gpu::GPUFuncOp kernel, int64_t bank);
  /// Writes one more map; returns the parameter of the kernel that it is.
  mlir::BlockArgument addMap(const HostTensor &tensor, mlir::nvgpu::TensorMapDescriptorType type,
                             const HostMapLayout &layout);
  /// Behind the last map.
  void finish();

private:
  struct Fields;
  mlir::Value valueOf(mlir::Value source);
  mlir::Value numberOf(mlir::OpFoldResult number); ///< as i64
  mlir::Value i64(int64_t value);
  Fields fieldsOf(const HostTensor &tensor, const HostMapLayout &layout);
  void writeWords(int64_t offset, const Fields &fields, mlir::nvgpu::TensorMapDescriptorType type,
                  const HostMapLayout &layout);

  mlir::gpu::GPUFuncOp kernel;
  mlir::OpBuilder b;
  mlir::Location loc;
  mlir::Value image;                  ///< address of the parameters
  llvm::SmallVector<int64_t> offsets; ///< of the declared parameters
  int64_t firstMap;
  unsigned maps = 0;
  mlir::Value firstBase;                          ///< of the first map
  llvm::DenseMap<mlir::Value, mlir::Value> known; ///< by value of the source
};

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_HOSTTENSORMAPS_H
