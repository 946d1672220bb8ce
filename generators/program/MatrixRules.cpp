//===- MatrixRules.cpp - matrix products ------------------------------------------------------===//
//
// Promises: every product and every partial sum is a small integer that the accumulator holds
// exactly, so the order of the summation does not show; integer accumulators stay far from
// overflow.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::Signedness;

namespace {

constexpr int64_t kMaxExtent = 64; // of the result, which is square

/// Some matrix of integers with at most kMaxExtent rows.
std::optional<TileValue> findMatrix(KernelBuilder &k, ChoiceStream &s, unsigned width) {
  return k.find(s, [&](const TileValue &v) {
    return v.shape().size() == 2 && v.element().isInteger() && v.shape()[0] <= kMaxExtent &&
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

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::matrixRules() {
  static constexpr Rule kRules[] = {
      {"mmaf", 2, applyMmaFloat},
      {"mmai", 3, applyMmaInt},
  };
  return kRules;
}
