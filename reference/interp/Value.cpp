//===- Value.cpp - element types of MLIR types ------------------------------------------------===//
#include "reference/interp/Value.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

using namespace tilesmith;
using namespace tilesmith::reference;

std::optional<ElementType> tilesmith::reference::elementTypeOf(mlir::Type type) {
  if (auto tile = mlir::dyn_cast<cuda_tile::TileType>(type))
    type = tile.getElementType();
  if (mlir::isa<cuda_tile::PointerType>(type))
    return ElementType::Pointer;
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return ElementType::I1;
    case 4:
      return ElementType::I4;
    case 8:
      return ElementType::I8;
    case 16:
      return ElementType::I16;
    case 32:
      return ElementType::I32;
    case 64:
      return ElementType::I64;
    default:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<mlir::Type, std::optional<ElementType>>(type)
      .Case([](mlir::Float16Type) { return ElementType::F16; })
      .Case([](mlir::BFloat16Type) { return ElementType::BF16; })
      .Case([](mlir::Float32Type) { return ElementType::F32; })
      .Case([](mlir::FloatTF32Type) { return ElementType::TF32; })
      .Case([](mlir::Float64Type) { return ElementType::F64; })
      .Case([](mlir::Float8E4M3FNType) { return ElementType::F8E4M3FN; })
      .Case([](mlir::Float8E5M2Type) { return ElementType::F8E5M2; })
      .Case([](mlir::Float8E8M0FNUType) { return ElementType::F8E8M0FNU; })
      .Case([](mlir::Float4E2M1FNType) { return ElementType::F4E2M1FN; })
      .Case([](cuda_tile::FloatNV8E5M3FNUType) { return ElementType::F8E5M3FNU; })
      .Default([](mlir::Type) { return std::nullopt; });
}

std::optional<ElementType> tilesmith::reference::pointeeTypeOf(mlir::Type type) {
  if (auto tile = mlir::dyn_cast<cuda_tile::TileType>(type))
    type = tile.getElementType();
  auto pointer = mlir::dyn_cast<cuda_tile::PointerType>(type);
  return pointer ? elementTypeOf(pointer.getPointeeType()) : std::nullopt;
}
