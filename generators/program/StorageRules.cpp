//===- StorageRules.cpp - formats that are stored but not computed with -----------------------===//
//
// tf32, f8, the scale format, f4 and i4: conversions from and to the types of arithmetic, bits and
// bytes. Other families move such values about (shapes, stores), and matrix products take them.
//
// Needs: numbers. Promises: a float is converted to 8 or 4 bits only when it is no NaN and, mostly,
// in the range of the format (beyond it the largest number results); a scale comes from an integer
// exponent.
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
    k.define(
        convert(k, limited(k, s, s.chance(30) ? 2000 : 448), b.getType<mlir::Float8E4M3FNType>()),
        {});
    return true;
  case 1:
    k.define(
        convert(k, limited(k, s, s.chance(30) ? 65504 : 57344), b.getType<mlir::Float8E5M2Type>()),
        {});
    return true;
  case 2: {
    mlir::Value value = limited(k, s, 1e30);
    k.define(convert(k, value, b.getTF32Type()), {});
    return true;
  }
  default: {
    mlir::Value value = limited(k, s, s.chance(30) ? 20 : 6);
    auto type = llvm::cast<cuda_tile::TileType>(value.getType());
    if (type.getRank() == 0 || type.getNumElements() < 2 || type.getShape().back() < 2)
      return false;
    k.define(convert(k, value, b.getType<mlir::Float4E2M1FNType>()), {});
    return true;
  }
  }
}

/// Numbers half way between two of the format, some a little off: a rounding by way of a third
/// format, or one that treats ties as it should not, gives the wrong one of the two.
bool applyTieToStorage(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType integers = k.pickType(s, Kind::Int);
  if (widthOf(integers.getElementType()) < 8)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  // From `first` to twice that number the format holds the integers only.
  mlir::Type element = b.getType<mlir::Float8E4M3FNType>();
  int first = 8;
  if (unsigned format = static_cast<unsigned>(s.below(k.version() >= 3 ? 3 : 2)); format == 1) {
    element = b.getType<mlir::Float8E5M2Type>();
    first = 4;
  } else if (format == 2) {
    if (integers.getRank() == 0 || integers.getShape().back() < 2)
      return false;
    element = b.getType<mlir::Float4E2M1FNType>();
    first = 2;
  }
  mlir::Value bits = cuda_tile::AndIOp::create(b, loc, integers, k.use(s, integers).ssa,
                                               k.intConstant(integers, first - 1).ssa);
  bool wide = s.chance(60);
  cuda_tile::TileType floats =
      k.tileType(integers.getShape(), wide ? mlir::Type(b.getF64Type()) : b.getF32Type());
  mlir::Value value = cuda_tile::IToFOp::create(
      b, loc, floats, bits, cuda_tile::Signedness::Unsigned, cuda_tile::RoundingMode::NEAREST_EVEN);
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_EVEN);
  double half = first + 0.5, nudge = wide ? 0x1p-40 : 0x1p-18;
  static constexpr int kSigns[] = {-1, 0, 1};
  double offset = half + kSigns[s.below(3)] * nudge;
  value = cuda_tile::AddFOp::create(b, loc, floats, value, k.floatConstant(floats, offset).ssa,
                                    mode, mlir::UnitAttr());
  if (s.chance(50))
    value = cuda_tile::NegFOp::create(b, loc, floats, value);
  k.define(convert(k, value, element), {});
  return true;
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
  mlir::Type element = k.pickStorage(s, false);
  if (element.isTF32())
    element = b.getType<mlir::Float8E4M3FNType>();
  k.define(cuda_tile::BitcastOp::create(b, k.loc(), k.tileType(a->shape(), element), a->ssa), {});
  return true;
}

/// Bytes with an exponent of ones, as an 8-bit float widens them: infinities and NaN.
bool applyStorageSpecial(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType bytes = k.tileType(k.tileShape(), k.intType(8));
  if (s.chance(50))
    if (auto a = k.find(s, [](const TileValue &v) { return v.element().isInteger(8); }))
      bytes = a->type();
  bool hasInfinity = s.chance(70);
  mlir::Type element = hasInfinity ? mlir::Type(b.getType<mlir::Float8E5M2Type>())
                                   : b.getType<mlir::Float8E4M3FNType>();
  mlir::Value bits = cuda_tile::OrIOp::create(b, k.loc(), bytes, k.use(s, bytes).ssa,
                                              k.intConstant(bytes, hasInfinity ? 0x7c : 0x78).ssa);
  // Of half of the kernels, infinities only.
  if (hasInfinity && s.chance(50))
    bits = cuda_tile::AndIOp::create(b, k.loc(), bytes, bits, k.intConstant(bytes, -4).ssa);
  mlir::Value small =
      cuda_tile::BitcastOp::create(b, k.loc(), k.tileType(bytes.getShape(), element), bits);
  mlir::Type wide = s.chance(50) ? mlir::Type(b.getF32Type()) : k.pickElement(s, Kind::Float);
  k.define(convert(k, small, wide), {});
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
  k.define(nibbles, {Range::full(4)});
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

/// Small integers as they are stored.
bool applyIntToStorage(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType integers = k.pickType(s, Kind::Int);
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = k.pickStorage(s, integers.getRank() > 0 && integers.getShape().back() >= 2);
  if (element.isInteger() || llvm::isa<mlir::Float8E8M0FNUType>(element))
    element = b.getType<mlir::Float8E4M3FNType>();
  mlir::Value bits = k.use(s, integers).ssa;
  if (widthOf(integers.getElementType()) > 1)
    bits = cuda_tile::AndIOp::create(b, k.loc(), integers, bits, k.intConstant(integers, 3).ssa);
  k.define(cuda_tile::IToFOp::create(b, k.loc(), k.tileType(integers.getShape(), element), bits,
                                     cuda_tile::Signedness::Unsigned,
                                     cuda_tile::RoundingMode::NEAREST_EVEN),
           {});
  return true;
}

/// The other way: saturating where that exists, else of small integers.
bool applyStorageToInt(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  mlir::Type wanted = k.pickElement(s, Kind::Int);
  if (widthOf(wanted) == 1)
    wanted = k.intType(8);
  mlir::Value stored;
  bool saturating = k.version() >= 4;
  std::optional<TileValue> found = findStored(k, s);
  if (saturating && found) {
    stored = found->ssa;
  } else {
    saturating = saturating && s.chance(50);
    cuda_tile::TileType type = k.tileType(k.tileShape(), b.getF32Type());
    bool pairs = k.tileShape().back() >= 2;
    mlir::Type element = k.pickStorage(s, pairs);
    if (element.isInteger())
      element = b.getTF32Type();
    // Scales have no sign and no zero: powers of two above it.
    bool isScale = llvm::isa<mlir::Float8E8M0FNUType>(element);
    mlir::Value small = smallFloats(k, s, type);
    if (isScale)
      small = cuda_tile::MaxFOp::create(b, k.loc(), type, small, k.floatConstant(type, 1.0).ssa,
                                        mlir::UnitAttr(), mlir::UnitAttr());
    stored =
        convert(k, small, element,
                isScale ? cuda_tile::RoundingMode::ZERO : cuda_tile::RoundingMode::NEAREST_EVEN);
  }
  auto type = llvm::cast<cuda_tile::TileType>(stored.getType());
  auto rounding =
      cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_INT_TO_ZERO);
  auto signedness = cuda_tile::SignednessAttr::get(&k.context(), cuda_tile::Signedness::Signed);
  k.define(cuda_tile::FToIOp::create(b, k.loc(), k.tileType(type.getShape(), wanted), stored,
                                     signedness, rounding,
                                     saturating ? b.getUnitAttr() : mlir::UnitAttr()),
           {saturating ? Range::full(widthOf(wanted)) : Range{-1, 2}});
  return true;
}

/// A slice of a storage format, moved and put back together.
bool applyStorageShape(KernelBuilder &k, ChoiceStream &s) {
  if (k.tileShape().back() < 4)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = k.pickStorage(s, true);
  TileValue a = k.use(s, k.tileType(k.tileShape(), element));
  llvm::SmallVector<int64_t> half(k.tileShape()), row(k.tileShape());
  half.back() /= 2;
  std::fill(row.begin(), row.end() - 1, 1);
  cuda_tile::TileType halfType = k.tileType(half, element), i32 = k.scalarType(k.intType(32));
  int32_t last = static_cast<int32_t>(half.size()) - 1;
  llvm::SmallVector<mlir::Value> at(half.size(), k.intConstant(i32, 0).ssa);
  at.back() =
      cuda_tile::AndIOp::create(b, k.loc(), i32, k.use(s, i32).ssa, k.intConstant(i32, 1).ssa);
  mlir::Value slice = cuda_tile::ExtractOp::create(b, k.loc(), halfType, a.ssa, at);
  switch (s.below(k.version() >= 4 ? 4 : 3)) {
  case 0:
    k.define(cuda_tile::CatOp::create(b, k.loc(), a.type(), slice, k.use(s, halfType).ssa,
                                      b.getI64IntegerAttr(last)),
             a.facts);
    return true;
  case 1: { // a row of it, repeated
    llvm::SmallVector<mlir::Value> first(row.size(), k.intConstant(i32, 0).ssa);
    mlir::Value one =
        cuda_tile::ExtractOp::create(b, k.loc(), k.tileType(row, element), a.ssa, first);
    if (row != llvm::ArrayRef<int64_t>(k.tileShape()))
      one = cuda_tile::BroadcastOp::create(b, k.loc(), a.type(), one);
    k.define(one, a.facts);
    return true;
  }
  case 2: { // another dimension in front, exchanged with the one behind it
    llvm::SmallVector<int64_t> deep(half), turned;
    deep.insert(deep.begin(), 1);
    turned = deep;
    llvm::SmallVector<int32_t> order;
    for (size_t i = 0; i < deep.size(); ++i)
      order.push_back(static_cast<int32_t>(i));
    if (deep.size() > 2) {
      std::swap(order[0], order[1]);
      std::swap(turned[0], turned[1]);
    } else if (widthOf(element) >= 8) {
      std::swap(order[0], order[1]);
      std::swap(turned[0], turned[1]);
    }
    mlir::Value added = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(deep, element), slice);
    k.define(cuda_tile::PermuteOp::create(b, k.loc(), k.tileType(turned, element), added,
                                          mlir::DenseI32ArrayAttr::get(&k.context(), order)),
             a.facts);
    return true;
  }
  default: {
    llvm::SmallVector<mlir::Value> operands = {slice, k.use(s, a.type()).ssa};
    operands.append(at);
    k.define(k.emit<cuda_tile::InsertOp>(a.type(), operands).getResult(), a.facts);
    return true;
  }
  }
}

/// Bits of numbers without NaN, bools and half bytes as bytes, and back.
bool applyStoragePack(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  int64_t count = int64_t(8) << s.below(6);
  mlir::Value flat;
  switch (s.below(4)) {
  case 0:
    flat = k.use(s, k.tileType({count}, k.intType(1))).ssa;
    break;
  case 1:
    flat = convert(k, smallFloats(k, s, k.tileType({count}, b.getF32Type())),
                   b.getType<mlir::Float4E2M1FNType>());
    break;
  case 2:
    flat = convert(k, smallFloats(k, s, k.tileType({count}, b.getF32Type())), b.getTF32Type());
    break;
  default:
    flat = smallFloats(k, s, k.tileType({count}, k.pickElement(s, Kind::Float)));
  }
  mlir::Type element = llvm::cast<cuda_tile::TileType>(flat.getType()).getElementType();
  unsigned width = element.isTF32() ? 32 : widthOf(element);
  cuda_tile::TileType bytes = k.tileType({count * width / 8}, k.intType(8));
  TileValue packed = k.define(k.emit<cuda_tile::PackOp>(bytes, flat).getResult(), {Range::full(8)});
  if (s.chance(50)) // any nibble is a number
    k.define(k.emit<cuda_tile::UnpackOp>(
                  k.tileType({count * width / 4}, b.getType<mlir::Float4E2M1FNType>()), packed.ssa)
                 .getResult(),
             {});
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::storageRules() {
  static constexpr Rule kRules[] = {
      {"to-storage", 5, applyToStorage, 1, "no NaN, mostly in the range of the format"},
      {"storage-tie", 2, applyTieToStorage, 1, "in the range of the format"},
      {"to-scale", 2, applyToScale, 2, "1 to 7, rounded to a power of two"},
      {"from-storage", 4, applyFromStorage, 1, "exact or rounded once"},
      {"storage-special", 2, applyStorageSpecial, 1, "any byte is a value"},
      {"bitcast-f8", 2, applyByteCast, 1, "any byte is a value"},
      {"i4", 3, applyNibbles, 3, "low bits"},
      {"itof-storage", 2, applyIntToStorage, 1, "0 to 3"},
      {"ftoi-storage", 2, applyStorageToInt, 1, "saturating, or small integers"},
      {"storage-shape", 5, applyStorageShape, 1, "half bytes stay in pairs"},
      {"storage-pack", 3, applyStoragePack, 3, "no payload of a NaN is read"},
  };
  return kRules;
}
