//===- MatrixRules.cpp - matrix products ------------------------------------------------------===//
//
// Promises: every product and every partial sum is a small integer that the accumulator holds
// exactly, so the order of the summation does not show; integer accumulators stay far from
// overflow.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/IdiomRules.h"
#include "generators/program/Rules.h"

#include <cmath>
#include <iterator>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;

namespace {

constexpr int64_t kMaxExtent = 64; // of the result, which is square

/// Some matrix of integers with at most kMaxExtent rows.
std::optional<TileValue> findMatrix(KernelBuilder &k, ChoiceStream &s, unsigned width) {
  return k.find(s, [&](const TileValue &v) {
    return v.shape().size() == 2 && isInt(v.element()) && v.shape()[0] <= kMaxExtent &&
           (width == 0 ? widthOf(v.element()) >= 8 : widthOf(v.element()) == width);
  });
}

mlir::Value transpose(KernelBuilder &k, mlir::Value matrix) {
  auto type = llvm::cast<cuda_tile::TileType>(matrix.getType());
  cuda_tile::TileType result =
      k.tileType({type.getShape()[1], type.getShape()[0]}, type.getElementType());
  return cuda_tile::PermuteOp::create(k.builder(), k.loc(), result, matrix,
                                      mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0}));
}

/// `value & 3` minus one: small numbers of both signs, in [-1, 2].
TileValue smallIntegers(KernelBuilder &k, TileValue value) {
  cuda_tile::TileType type = value.type();
  mlir::Value bits =
      cuda_tile::AndIOp::create(k.builder(), k.loc(), type, value.ssa, k.intConstant(type, 3).ssa);
  mlir::Value shifted =
      cuda_tile::SubIOp::create(k.builder(), k.loc(), type, bits, k.intConstant(type, 1).ssa,
                                cuda_tile::IntegerOverflow::NSW);
  return {shifted, {Range{-1, 2}}};
}

mlir::Value toFloat(KernelBuilder &k, mlir::Value integers, mlir::Type element) {
  auto type = llvm::cast<cuda_tile::TileType>(integers.getType());
  return cuda_tile::IToFOp::create(k.builder(), k.loc(), k.tileType(type.getShape(), element),
                                   integers, Signedness::Signed,
                                   cuda_tile::RoundingMode::NEAREST_EVEN);
}

/// a times transposed b plus an accumulator of small integers. At most 4 * 4096 in magnitude: exact
/// in f32 and f64; f16 holds integers up to 2048, so it is an accumulator for short sums only.
bool applyMmaFloat(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findMatrix(k, s, 0);
  if (!a)
    return false;
  TileValue b = k.use(s, a->type());
  int64_t rows = a->shape()[0], depth = a->shape()[1];
  mlir::OpBuilder &ops = k.builder();
  mlir::Type input, sum = ops.getF32Type();
  switch (s.below(4)) {
  case 0:
    input = ops.getF16Type();
    if (depth <= 256 && s.chance(40))
      sum = input;
    break;
  case 1:
    input = ops.getBF16Type();
    break;
  case 2:
    input = ops.getF32Type();
    break;
  default:
    input = sum = ops.getF64Type();
  }
  mlir::Value lhs = toFloat(k, smallIntegers(k, *a).ssa, input);
  mlir::Value rhs = transpose(k, toFloat(k, smallIntegers(k, b).ssa, input));
  cuda_tile::TileType type = k.tileType({rows, rows}, sum);
  mlir::Value acc = k.floatConstant(type, static_cast<double>(s.between(-4, 4))).ssa;
  k.define(cuda_tile::MmaFOp::create(ops, k.loc(), type, lhs, rhs, acc, mlir::UnitAttr()), {});
  return true;
}

bool applyMmaInt(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findMatrix(k, s, 8);
  if (!a)
    return false;
  TileValue b = k.use(s, a->type());
  int64_t rows = a->shape()[0], depth = a->shape()[1];
  Signedness left = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
  Signedness right = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
  cuda_tile::TileType type = k.tileType({rows, rows}, k.intType(32));
  Int start = s.between(-1000, 1000), bound = Int(255) * 255 * depth;
  mlir::Value acc = k.intConstant(type, start).ssa;
  k.define(cuda_tile::MmaIOp::create(k.builder(), k.loc(), type, a->ssa, transpose(k, b.ssa), acc,
                                     left, right),
           {Range{start - bound, start + bound}});
  return true;
}

/// Integers straight from memory, so that every element has a value of its own: the pool seldom has
/// tiles of the shapes of operands.
TileValue freshIntegers(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<int64_t> shape) {
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = k.intType(s.chance(50) ? 8 : 32);
  cuda_tile::TileType type = k.tileType(shape, element);
  int64_t count = type.getNumElements();
  ArrayInfo &array = k.addFlatArray(element, count, /*output=*/false);
  mlir::Value offsets = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({count}, k.intType(32)));
  mlir::Value flat = loadPointers(k, s, k.tileType({count}, element),
                                  pointersAt(k, array.base, offsets), {}, {}, {})
                         .tile;
  return {cuda_tile::ReshapeOp::create(b, k.loc(), type, flat), {Range::full(widthOf(element))}};
}

/// Small integers of any shape in a format that holds them: from a byte tile by `and`.
mlir::Value smallMatrix(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<int64_t> shape,
                        mlir::Type element) {
  cuda_tile::TileType integers = k.tileType(shape, k.intType(s.chance(50) ? 8 : 32));
  mlir::Value small =
      smallIntegers(k, s.chance(40) ? freshIntegers(k, s, shape) : k.use(s, integers)).ssa;
  if (isFloat(element))
    return toFloat(k, small, element);
  mlir::Value number = toFloat(k, small, k.builder().getF32Type());
  return cuda_tile::FToFOp::create(k.builder(), k.loc(), k.tileType(shape, element), number,
                                   RoundingMode::NEAREST_EVEN);
}

/// Integers from 5 to 8, whose sums of 64 products need 12 bits: one more than f16 has.
mlir::Value largeDigits(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<int64_t> shape,
                        mlir::Type element) {
  mlir::OpBuilder &b = k.builder();
  TileValue any = freshIntegers(k, s, shape);
  cuda_tile::TileType integers = any.type();
  mlir::Value digits =
      cuda_tile::AndIOp::create(b, k.loc(), integers, any.ssa, k.intConstant(integers, 3).ssa);
  digits = cuda_tile::AddIOp::create(b, k.loc(), integers, digits, k.intConstant(integers, 5).ssa,
                                     cuda_tile::IntegerOverflow::NSW);
  return cuda_tile::FToFOp::create(b, k.loc(), k.tileType(shape, element),
                                   toFloat(k, digits, b.getF32Type()), RoundingMode::NEAREST_EVEN);
}

/// A product of fresh operands of every type, maybe with a batch dimension.
bool applyMmaAny(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  mlir::Type e4m3 = b.getType<mlir::Float8E4M3FNType>(), e5m2 = b.getType<mlir::Float8E5M2Type>();
  mlir::Type f32 = b.getF32Type(), f16 = b.getF16Type(), f64 = b.getF64Type();
  const std::pair<mlir::Type, mlir::Type> kPairs[] = {{f16, f16},
                                                      {f16, f32},
                                                      {b.getBF16Type(), f32},
                                                      {b.getTF32Type(), f32},
                                                      {f32, f32},
                                                      {f64, f64},
                                                      {e4m3, f32},
                                                      {e4m3, f32},
                                                      {e4m3, f16},
                                                      {e5m2, f32},
                                                      {e5m2, f32},
                                                      {e5m2, f16}};
  auto [input, sum] = kPairs[s.below(std::size(kPairs))];
  auto extent = [&](unsigned bits) { return int64_t(1) << s.below(bits); };
  int64_t m = extent(6), n = extent(6), depth = extent(7);
  bool isLarge = (input == e4m3 || input == e5m2) && sum.isF32() && s.chance(80);
  if (isLarge)
    depth = 64;
  llvm::SmallVector<int64_t> left = {m, depth}, right = {depth, n}, result = {m, n};
  if (s.chance(25)) {
    int64_t batch = extent(3);
    for (auto *shape : {&left, &right, &result})
      shape->insert(shape->begin(), batch);
    k.note("mma-batch");
  }
  k.note("mma-" + spellElement(input) + "-" + spellElement(sum));
  mlir::Value lhs, rhs;
  if (s.chance(8)) { // what compilers compute themselves
    k.note("mma-constants");
    lhs = k.floatConstant(k.tileType(left, input), static_cast<double>(s.between(-2, 3))).ssa;
    rhs = k.floatConstant(k.tileType(right, input), static_cast<double>(s.between(-2, 3))).ssa;
  } else if (isLarge) {
    k.note("mma-large-sums");
    lhs = largeDigits(k, s, left, input);
    rhs = largeDigits(k, s, right, input);
  } else {
    lhs = smallMatrix(k, s, left, input);
    rhs = smallMatrix(k, s, right, input);
  }
  cuda_tile::TileType type = k.tileType(result, sum);
  bool isByte = input == e4m3 || input == e5m2;
  mlir::Value acc = s.chance(50) ? smallMatrix(k, s, result, sum)
                                 : k.floatConstant(type, static_cast<double>(s.between(-4, 4))).ssa;
  bool chained = !isLarge && s.chance(30);
  // May lose accuracy for 8-bit floats, not for small integers.
  bool fast = k.version() >= 3 && s.chance(isLarge ? 10 : 25);
  for (int i = 0; i < (chained ? 2 : 1); ++i)
    acc = cuda_tile::MmaFOp::create(b, k.loc(), type, lhs, rhs, acc,
                                    fast ? b.getUnitAttr() : mlir::UnitAttr());
  k.define(acc, {});
  if (isByte && k.depth == 0 && s.chance(60)) // later ops would hide its last bits
    keepTile(k, s, acc);
  return true;
}

/// Multiples of 2^-16 below 2^-13, of either sign: the smallest numbers of e5m2.
mlir::Value tinyMatrix(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<int64_t> shape,
                       mlir::Type input) {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType bytes = k.tileType(shape, k.intType(8));
  mlir::Value any = freshTile(k, s, bytes, Fill::Any);
  any = cuda_tile::AndIOp::create(b, k.loc(), bytes, any, k.intConstant(bytes, 0x87).ssa);
  return cuda_tile::BitcastOp::create(b, k.loc(), k.tileType(shape, input), any);
}

/// Blocks of 16 or 32 numbers that share a scale; all products are small integers.
bool applyMmaScaled(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  mlir::Type e8m0 = b.getType<mlir::Float8E8M0FNUType>(),
             e4m3 = b.getType<mlir::Float8E4M3FNType>();
  mlir::Type f4 = b.getType<mlir::Float4E2M1FNType>();
  mlir::Type input = f4, scale = e8m0;
  int64_t block = 32;
  switch (s.below(4)) {
  case 0:
    input = e4m3;
    break;
  case 1:
    input = b.getType<mlir::Float8E5M2Type>();
    break;
  case 2:
    block = s.chance(50) ? 16 : 32;
    break;
  default:
    scale = e4m3;
    block = 16;
  }
  int64_t m = int64_t(1) << s.between(1, 5), n = int64_t(1) << s.between(1, 5);
  static constexpr unsigned kGroupWeights[] = {1, 3, 2};
  int64_t depth = block << s.weighted(kGroupWeights), groups = depth / block;
  llvm::SmallVector<int64_t> left = {m, depth}, right = {depth, n}, result = {m, n},
                             leftScales = {m, groups}, rightScales = {groups, n};
  if (s.chance(45)) {
    int64_t batch = int64_t(1) << s.below(3);
    for (auto *shape : {&left, &right, &result, &leftScales, &rightScales})
      shape->insert(shape->begin(), batch);
    k.note("mma-scaled-batch");
  }
  // Scales near both ends of their format, which even each other out; no scaled number leaves f32.
  const bool isFar = scale == e8m0 && s.chance(25);
  static constexpr int kFar[] = {-127, -126, -125, -110, 100, 120};
  const int far = isFar ? kFar[s.below(std::size(kFar))] : 0;
  if (isFar)
    k.note("mma-scaled-far");
  const bool isTiny = far < 0 && input == b.getType<mlir::Float8E5M2Type>();
  mlir::Value lhs = isTiny ? tinyMatrix(k, s, left, input) : smallMatrix(k, s, left, input);
  mlir::Value rhs = smallMatrix(k, s, right, input);
  // 1, 2 or 4 everywhere, or 1 and 2 as data decides: a scale of its own for each block.
  auto scales = [&](llvm::ArrayRef<int64_t> shape, int exponent) -> mlir::Value {
    cuda_tile::TileType type = k.tileType(shape, scale);
    if (!isFar && s.chance(25))
      return k.floatConstant(type, static_cast<double>(1 << s.below(3))).ssa;
    TileValue any = freshIntegers(k, s, shape);
    cuda_tile::TileType integers = any.type();
    mlir::Value digits =
        cuda_tile::AndIOp::create(b, k.loc(), integers, any.ssa, k.intConstant(integers, 1).ssa);
    digits = cuda_tile::AddIOp::create(b, k.loc(), integers, digits, k.intConstant(integers, 1).ssa,
                                       cuda_tile::IntegerOverflow::NSW);
    mlir::Value factors = toFloat(k, digits, b.getF32Type());
    if (exponent != 0)
      factors = cuda_tile::MulFOp::create(
          b, k.loc(), factors.getType(), factors,
          k.floatConstant(llvm::cast<cuda_tile::TileType>(factors.getType()),
                          std::ldexp(1.0, exponent))
              .ssa,
          cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN),
          mlir::UnitAttr());
    return cuda_tile::FToFOp::create(b, k.loc(), type, factors,
                                     scale == e8m0 ? RoundingMode::POSITIVE_INF
                                                   : RoundingMode::NEAREST_EVEN);
  };
  cuda_tile::TileType type = k.tileType(result, b.getF32Type());
  // Small enough that the sums stay exact.
  mlir::Value acc = k.floatConstant(type, isTiny ? 0 : static_cast<double>(s.between(-4, 4))).ssa;
  llvm::SmallVector<mlir::Value> operands = {lhs, rhs, acc, scales(leftScales, far),
                                             scales(rightScales, std::min(-far, 120))};
  k.define(k.emit<cuda_tile::MmaFScaledOp>(type, operands).getResult(), {});
  return true;
}

/// An operand that a view loads in another format, then transposed or reshaped: the conversion may
/// stand behind that.
bool applyMmaConverted(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type f16 = b.getF16Type(), f32 = b.getF32Type(), bf16 = b.getBF16Type();
  const std::pair<mlir::Type, mlir::Type> kFormats[] = {
      {f16, f32}, {bf16, f32}, {f32, f16}, {f32, bf16}, {f16, bf16}};
  auto [stored, wanted] = kFormats[s.below(std::size(kFormats))];
  int64_t extent = int64_t(8) << s.below(3);
  const bool isPermuted = s.chance(50);
  llvm::SmallVector<int64_t> shape(2, extent);
  if (!isPermuted) { // reshaped
    shape = {extent * 2, extent / 2};
    if (s.chance(30))
      shape = {1, extent, extent};
  }
  ArrayInfo &array = k.addFreeArray(s, stored, shape, /*output=*/false, Fill::SmallIntegers);
  llvm::SmallVector<int32_t> tile(shape.begin(), shape.end());
  mlir::Value view = zeroPaddedTiles(k, s, array, tile);
  llvm::SmallVector<mlir::Value> first(shape.size(),
                                       k.intConstant(k.scalarType(k.intType(32)), 0).ssa);
  mlir::Value loaded = loadView(k, s, k.tileType(shape, stored), view, first, {}).tile;
  mlir::Value converted = cuda_tile::FToFOp::create(b, k.loc(), k.tileType(shape, wanted), loaded,
                                                    RoundingMode::NEAREST_EVEN);
  cuda_tile::TileType operand = k.tileType({extent, extent}, wanted);
  mlir::Value rhs = isPermuted
                        ? transpose(k, converted)
                        : cuda_tile::ReshapeOp::create(b, k.loc(), operand, converted).getResult();
  if (s.chance(20)) // a second user
    k.define(converted, {});
  mlir::Value lhs = smallFloats(k, s, operand);
  if (s.chance(50))
    std::swap(lhs, rhs);
  cuda_tile::TileType sums = k.tileType({extent, extent}, f32);
  mlir::Value acc = k.floatConstant(sums, static_cast<double>(s.between(-4, 4))).ssa;
  k.define(cuda_tile::MmaFOp::create(b, k.loc(), sums, lhs, rhs, acc, mlir::UnitAttr()), {});
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::matrixRules() {
  static constexpr Rule kRules[] = {
      {"mmaf", 3, applyMmaFloat},
      {"mmai", 8, applyMmaInt},
      {"mma-types", 4, applyMmaAny, 1, "small integers: sums are exact in any order"},
      {"mma-converted", 2, applyMmaConverted, 1, "small integers: sums are exact in any order"},
      {"mmaf_scaled", 3, applyMmaScaled, 3, "small integers and scales that are powers of two"},
  };
  return kRules;
}
