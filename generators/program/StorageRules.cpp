//===- StorageRules.cpp - formats that are stored but not computed with -----------------------===//
//
// tf32, f8, the scale format, f4 and i4: conversions from and to the types of arithmetic, bits and
// bytes. Other families move such values about (shapes, stores), and matrix products take them.
//
// Needs: numbers. Promises: a float is converted to 8 or 4 bits only when it is in the range of the
// format and no NaN; a scale comes from an integer exponent.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

mlir::Value convert(KernelBuilder &k, mlir::Value value, mlir::Type element,
                    cuda_tile::RoundingMode mode = cuda_tile::RoundingMode::NEAREST_EVEN) {
  auto type = llvm::cast<cuda_tile::TileType>(value.getType());
  return cuda_tile::FToFOp::create(k.builder(), k.loc(), k.tileType(type.getShape(), element),
                                   value, mode);
}

/// A float value without NaN in [-limit, limit].
mlir::Value limited(KernelBuilder &k, ChoiceStream &s, double limit) {
  cuda_tile::TileType type = k.pickType(s, Kind::Float);
  mlir::Value a = k.use(s, type).ssa;
  a = cuda_tile::MaxFOp::create(k.builder(), k.loc(), type, a, k.floatConstant(type, -limit).ssa,
                                mlir::UnitAttr(), mlir::UnitAttr());
  return cuda_tile::MinFOp::create(k.builder(), k.loc(), type, a, k.floatConstant(type, limit).ssa,
                                   mlir::UnitAttr(), mlir::UnitAttr());
}

bool applyToStorage(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  switch (s.below(k.version() >= 3 ? 4 : 3)) {
  case 0:
    k.define(convert(k, limited(k, s, 448), b.getType<mlir::Float8E4M3FNType>()), {});
    return true;
  case 1:
    k.define(convert(k, limited(k, s, 57344), b.getType<mlir::Float8E5M2Type>()), {});
    return true;
  case 2: {
    mlir::Value value = limited(k, s, 1e30);
    k.define(convert(k, value, b.getTF32Type()), {});
    return true;
  }
  default: {
    mlir::Value value = limited(k, s, 6);
    auto type = llvm::cast<cuda_tile::TileType>(value.getType());
    if (type.getRank() == 0 || type.getNumElements() < 2 || type.getShape().back() < 2)
      return false;
    k.define(convert(k, value, b.getType<mlir::Float4E2M1FNType>()), {});
    return true;
  }
  }
}

/// Scales: one half to eight.
bool applyToScale(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType integers = k.pickType(s, Kind::Int);
  if (widthOf(integers.getElementType()) < 8)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Value bits = cuda_tile::AndIOp::create(b, k.loc(), integers, k.use(s, integers).ssa,
                                               k.intConstant(integers, 7).ssa);
  bits = cuda_tile::OrIOp::create(b, k.loc(), integers, bits, k.intConstant(integers, 1).ssa);
  cuda_tile::TileType floats = k.tileType(integers.getShape(), b.getF32Type());
  mlir::Value value =
      cuda_tile::IToFOp::create(b, k.loc(), floats, bits, cuda_tile::Signedness::Unsigned,
                                cuda_tile::RoundingMode::NEAREST_EVEN);
  k.define(
      convert(k, value, b.getType<mlir::Float8E8M0FNUType>(),
              s.chance(50) ? cuda_tile::RoundingMode::ZERO : cuda_tile::RoundingMode::POSITIVE_INF),
      {});
  return true;
}

std::optional<TileValue> findStored(KernelBuilder &k, ChoiceStream &s) {
  return k.find(s, [](const TileValue &v) {
    return llvm::isa<mlir::FloatType>(v.element()) && !isFloat(v.element());
  });
}

bool applyFromStorage(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findStored(k, s);
  if (!a)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = s.chance(50) || llvm::isa<mlir::Float8E8M0FNUType>(a->element())
                           ? mlir::Type(b.getF32Type())
                           : k.pickElement(s, Kind::Float);
  if (a->element().isTF32() && !element.isF32() && !element.isF64())
    element = b.getF32Type();
  k.define(convert(k, a->ssa, element), {});
  return true;
}

/// Bytes as an 8-bit float and, where no NaN can be in it, back.
bool applyByteCast(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a =
      k.find(s, [](const TileValue &v) { return v.element().isInteger(8); });
  if (!a)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = s.chance(50) ? mlir::Type(b.getType<mlir::Float8E4M3FNType>())
                                    : mlir::Type(b.getType<mlir::Float8E5M2Type>());
  k.define(cuda_tile::BitcastOp::create(b, k.loc(), k.tileType(a->shape(), element), a->ssa), {});
  return true;
}

/// Four bits and back, by conversion or by bytes.
bool applyNibbles(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = k.pickType(s, Kind::Int);
  unsigned width = widthOf(type.getElementType());
  if (width < 8 || type.getRank() == 0 || type.getShape().back() < 2)
    return false;
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType small = k.tileType(type.getShape(), k.intType(4));
  mlir::Value nibbles = cuda_tile::TruncIOp::create(b, k.loc(), small, k.use(s, type).ssa,
                                                    cuda_tile::IntegerOverflow::NONE);
  k.note("i4");
  if (s.chance(40)) {
    mlir::Value bytes =
        k.emit<cuda_tile::PackOp>(k.tileType({type.getNumElements() / 2}, k.intType(8)),
                                  flatten(k, nibbles))
            .getResult();
    k.define(bytes, {Range::full(8)});
    nibbles = k.emit<cuda_tile::UnpackOp>(k.tileType({type.getNumElements()}, k.intType(4)), bytes)
                  .getResult();
  }
  auto from = llvm::cast<cuda_tile::TileType>(nibbles.getType());
  bool isSigned = s.chance(50);
  mlir::Type wide = k.intType(s.chance(50) ? 8 : 32);
  k.define(cuda_tile::ExtIOp::create(b, k.loc(), k.tileType(from.getShape(), wide), nibbles,
                                     isSigned ? cuda_tile::Signedness::Signed
                                              : cuda_tile::Signedness::Unsigned),
           {isSigned ? Range{-8, 7} : Range{0, 15}});
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::storageRules() {
  static constexpr Rule kRules[] = {
      {"to-storage", 3, applyToStorage, 1, "in the range of the format and no NaN"},
      {"to-scale", 1, applyToScale, 2, "1 to 7, rounded to a power of two"},
      {"from-storage", 4, applyFromStorage, 1, "exact or rounded once"},
      {"bitcast-f8", 1, applyByteCast, 1, "any byte is a value"},
      {"i4", 1, applyNibbles, 3, "low bits"},
  };
  return kRules;
}
