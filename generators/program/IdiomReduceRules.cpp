//===- IdiomReduceRules.cpp - reductions and scans from memory to memory -----------------------------===//
//
// One reduction or scan of lines of all lengths, by each operation whose results do not depend on the
// order of its operands, with its neutral operand; or a scan that takes the last number that is not zero,
// which does depend on it. What the lines were reduced to often goes on and meets them again. Sums may
// round toward zero or an infinity: then a first zero that nothing was added to has another sign than it would
// have with a zero in front. Operations of f32 may flush: then what comes first in a scan stays subnormal, and
// nothing else does.
//
// Needs: depth 0. Promises: integers of any range, extremes, sums of zeros of either sign or of small
// integers, flushing ones of subnormals and of multiples of the smallest normal number: all exact in any
// order; flushing products of powers of two up to 1.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

#include <functional>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

cuda_tile::RoundingModeAttr nearest(KernelBuilder &k) {
  return cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN);
}

/// An operation that may reduce or scan in any order, and its neutral operand.
struct Combiner {
  mlir::Attribute identity;
  std::function<mlir::Value(mlir::Value, mlir::Value)> combine;
};

/// How floats are combined. Sums are of zeros and small integers, where the direction of rounding
/// decides no more than the sign of a zero; what flushes is of numbers about the smallest normal one.
struct RealForm {
  enum Kind { Extremum, Sum, Product } kind = Extremum;
  RoundingMode mode = RoundingMode::NEAREST_EVEN;
  mlir::UnitAttr flush;
};

RealForm chooseForm(KernelBuilder &k, ChoiceStream &s, mlir::Type element, bool isScan) {
  RealForm form;
  if (s.chance(isScan ? 75 : 30))
    form.kind = RealForm::Sum;
  if (element.isF32() && s.chance(50)) {
    form.flush = k.builder().getUnitAttr();
    if (s.chance(35))
      form.kind = RealForm::Product;
  } else if (form.kind == RealForm::Sum && s.chance(35)) {
    k.note("sum-directed");
    static constexpr RoundingMode kModes[] = {RoundingMode::NEGATIVE_INF, RoundingMode::ZERO,
                                              RoundingMode::POSITIVE_INF};
    form.mode = kModes[s.chance(50) ? 0 : s.below(3)];
  }
  return form;
}

Combiner realCombiner(KernelBuilder &k, ChoiceStream &s, mlir::Type element, const RealForm &form) {
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  const llvm::fltSemantics &semantics = llvm::cast<mlir::FloatType>(element).getFloatSemantics();
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), form.mode);
  mlir::UnitAttr flush = form.flush;
  if (form.kind == RealForm::Product)
    return {mlir::FloatAttr::get(element, 1.0),
            [&b, loc, mode, flush](mlir::Value x, mlir::Value y) -> mlir::Value {
              return cuda_tile::MulFOp::create(b, loc, x.getType(), x, y, mode, flush);
            }};
  if (form.kind == RealForm::Sum) {
    // Of -0 alone -0; toward minus infinity those are +0 that nothing is below.
    const bool isDown = form.mode == RoundingMode::NEGATIVE_INF;
    return {mlir::FloatAttr::get(element, llvm::APFloat::getZero(semantics, /*Negative=*/!isDown)),
            [&b, loc, mode, flush](mlir::Value x, mlir::Value y) -> mlir::Value {
              return cuda_tile::AddFOp::create(b, loc, x.getType(), x, y, mode, flush);
            }};
  }
  const bool isMax = s.chance(70);
  return {mlir::FloatAttr::get(element, llvm::APFloat::getInf(semantics, /*Negative=*/isMax)),
          [&b, loc, isMax, flush](mlir::Value x, mlir::Value y) -> mlir::Value {
            mlir::Type type = x.getType();
            mlir::UnitAttr no;
            if (isMax)
              return cuda_tile::MaxFOp::create(b, loc, type, x, y, no, flush);
            return cuda_tile::MinFOp::create(b, loc, type, x, y, no, flush);
          }};
}

Combiner intCombiner(KernelBuilder &k, ChoiceStream &s, mlir::Type element) {
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  const unsigned width = widthOf(element);
  const auto signedness = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
  const bool isSigned = signedness == Signedness::Signed;
  auto with = [&](llvm::APInt identity, auto op) -> Combiner {
    return {mlir::IntegerAttr::get(element, identity),
            [&b, loc, op](mlir::Value x, mlir::Value y) -> mlir::Value {
              return op(b, loc, x.getType(), x, y);
            }};
  };
  using Builder = mlir::OpBuilder;
  using llvm::APInt;
  switch (s.below(10)) {
  case 0:
    return with(isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width),
                [signedness](Builder &b, mlir::Location l, mlir::Type t, mlir::Value x,
                             mlir::Value y) -> mlir::Value {
                  return cuda_tile::MaxIOp::create(b, l, t, x, y, signedness);
                });
  case 1:
    return with(isSigned ? APInt::getSignedMaxValue(width) : APInt::getAllOnes(width),
                [signedness](Builder &b, mlir::Location l, mlir::Type t, mlir::Value x,
                             mlir::Value y) -> mlir::Value {
                  return cuda_tile::MinIOp::create(b, l, t, x, y, signedness);
                });
  case 2:
    return with(APInt::getAllOnes(width),
                [](Builder &b, mlir::Location l, mlir::Type t, mlir::Value x, mlir::Value y)
                    -> mlir::Value { return cuda_tile::AndIOp::create(b, l, t, x, y); });
  case 3:
    return with(APInt::getZero(width),
                [](Builder &b, mlir::Location l, mlir::Type t, mlir::Value x, mlir::Value y)
                    -> mlir::Value { return cuda_tile::OrIOp::create(b, l, t, x, y); });
  case 4:
    return with(APInt(width, 1),
                [](Builder &b, mlir::Location l, mlir::Type t, mlir::Value x,
                   mlir::Value y) -> mlir::Value {
                  return cuda_tile::MulIOp::create(b, l, t, x, y, IntegerOverflow::NONE);
                });
  case 5:
  case 6:
    return with(APInt::getZero(width),
                [](Builder &b, mlir::Location l, mlir::Type t, mlir::Value x, mlir::Value y)
                    -> mlir::Value { return cuda_tile::XOrIOp::create(b, l, t, x, y); });
  default:
    return with(APInt::getZero(width),
                [](Builder &b, mlir::Location l, mlir::Type t, mlir::Value x,
                   mlir::Value y) -> mlir::Value {
                  return cuda_tile::AddIOp::create(b, l, t, x, y, IntegerOverflow::NONE);
                });
  }
}

/// Zeros, mostly negative ones, or small integers where all their sums have a value of the format.
mlir::Value summands(KernelBuilder &k, ChoiceStream &s, TileType type) {
  k.note("sum-of-zeros");
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = type.getElementType();
  mlir::Value x = freshTile(k, s, type, Fill::SmallIntegers);
  if ((element.isF32() || element.isF64()) && s.chance(40))
    return x;
  x = cuda_tile::SubFOp::create(b, k.loc(), type, x, k.floatConstant(type, 3.5).ssa, nearest(k),
                                mlir::UnitAttr());
  return cuda_tile::MulFOp::create(b, k.loc(), type, x, k.floatConstant(type, 0).ssa, nearest(k),
                                   mlir::UnitAttr());
}

/// Subnormal numbers, and multiples of the smallest normal one, or for products a number up to 1.
mlir::Value numbersToFlush(KernelBuilder &k, ChoiceStream &s, TileType type, bool isProduct) {
  k.note("flushed-line");
  mlir::OpBuilder &b = k.builder();
  auto times = [&](mlir::Value x, double factor) -> mlir::Value {
    return cuda_tile::MulFOp::create(b, k.loc(), type, x, k.floatConstant(type, factor).ssa,
                                     nearest(k), mlir::UnitAttr());
  };
  mlir::Value x = freshTile(k, s, type, Fill::SmallIntegers);
  mlir::Value isSmall = cuda_tile::CmpFOp::create(
      b, k.loc(), k.tileType(type.getShape(), k.intType(1)),
      cuda_tile::ComparisonPredicate::LESS_THAN, cuda_tile::ComparisonOrdering::ORDERED, x,
      k.floatConstant(type, s.chance(50) ? 0.5 : 2).ssa);
  mlir::Value large =
      isProduct ? k.floatConstant(type, s.chance(50) ? 1 : -0.5).ssa : times(x, 0x1p-126);
  return cuda_tile::SelectOp::create(b, k.loc(), type, isSmall, times(x, 0x1.8p-134), large);
}

/// What a reduction or scan of floats takes.
mlir::Value realNumbers(KernelBuilder &k, ChoiceStream &s, TileType type, const RealForm &form) {
  if (form.flush)
    return numbersToFlush(k, s, type, form.kind == RealForm::Product);
  return form.kind == RealForm::Sum ? summands(k, s, type) : freshTile(k, s, type, Fill::Fractions);
}

/// Up to 4,096 elements in lines along either dimension, half of the time most of them in one.
llvm::SmallVector<int64_t, 2> someLines(ChoiceStream &s) {
  const int64_t length = s.chance(50) ? int64_t(1024) << s.below(2) : int64_t(32) << s.below(6),
                others = int64_t(1) << s.below(5);
  llvm::SmallVector<int64_t, 2> shape = {std::min(others, 4096 / length), length};
  if (s.chance(25))
    std::swap(shape[0], shape[1]);
  return shape;
}

/// A reduction or scan of what a product leaves in the threads: along a line some registers come behind the lanes.
void reduceProduct(KernelBuilder &k, ChoiceStream &s, bool isScan) {
  k.note("reduced-product");
  static constexpr int64_t kShapes[][2] = {{64, 16}, {64, 32}, {128, 16}, {32, 64}};
  llvm::ArrayRef<int64_t> shape = kShapes[s.below(std::size(kShapes))];
  mlir::OpBuilder &b = k.builder();
  const bool isInteger = s.chance(30);
  mlir::Type input = isInteger ? k.intType(8) : mlir::Type(b.getF16Type());
  mlir::Type element = isInteger ? k.intType(32) : mlir::Type(b.getF32Type());
  const int64_t depth = isInteger ? 32 : 16;
  TileType type = k.tileType(shape, element);
  mlir::Value x = freshTile(k, s, k.tileType({shape[0], depth}, input), Fill::SmallIntegers),
              y = freshTile(k, s, k.tileType({depth, shape[1]}, input), Fill::SmallIntegers),
              product;
  if (isInteger)
    product = cuda_tile::MmaIOp::create(b, k.loc(), type, x, y, k.intConstant(type, 0).ssa,
                                        Signedness::Signed, Signedness::Signed);
  else
    product = cuda_tile::MmaFOp::create(b, k.loc(), type, x, y, k.floatConstant(type, 0).ssa,
                                        mlir::UnitAttr());
  RealForm form;
  form.kind = s.chance(60) ? RealForm::Sum : RealForm::Extremum;
  const Combiner combiner =
      isInteger ? intCombiner(k, s, element) : realCombiner(k, s, element, form);
  keepTile(k, s,
           emitReduction(k, s, product, static_cast<unsigned>(s.below(2)), isScan,
                         combiner.identity, combiner.combine));
}

} // namespace

/// A reduction whose result all elements meet again, of tiles that some threads or warps hold twice
/// and of axes that lie in some of the warps.
bool tilesmith::generators::applyReduceIdiom(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  static constexpr int64_t kShapes[][2] = {{2, 512}, {2, 256}, {4, 128}, {64, 1},
                                           {16, 1},  {2, 64},  {4, 4},   {2, 8},
                                           {1, 32},  {128, 2}, {512, 4}, {4, 32}};
  // Lines so long that each thread of a scan walks a run of its own.
  static constexpr int64_t kLong[][2] = {{1, 1024}, {1, 2048}, {4, 512}, {1024, 2}};
  const bool isScan = s.chance(45);
  llvm::SmallVector<int64_t, 2> shape(
      isScan && s.chance(35) ? llvm::ArrayRef<int64_t>(kLong[s.below(std::size(kLong))])
                             : kShapes[s.below(std::size(kShapes))]);
  // Lines of any length, which some of the registers, lanes and warps share in any order.
  if (isScan && s.chance(50))
    shape = someLines(s);
  // In one warp, or two, threads have more than one part of a line.
  if (isScan && k.version() >= 3 && k.clusterBlocks == 1 && s.chance(30)) {
    k.note("scan-few-warps");
    hintWarps(k, s.between(1, 2));
  }
  if (s.chance(15))
    return reduceProduct(k, s, isScan), true;
  bool isReal = s.chance(60);
  mlir::Type element = k.intType(8u << s.below(4));
  if (isReal)
    element = isScan && s.chance(70) ? mlir::Type(b.getF32Type())
              : s.chance(60)         ? mlir::Type(b.getF16Type())
                                     : chooseWideFloat(k, s);
  TileType type = k.tileType(shape, element);
  const RealForm form = isReal ? chooseForm(k, s, element, isScan) : RealForm();
  mlir::Value x = isReal ? realNumbers(k, s, type, form) : freshTile(k, s, type, Fill::Any);
  const unsigned dim = isScan && shape[0] * shape[1] >= 1024 ? shape[1] > shape[0]
                                                             : static_cast<unsigned>(s.below(2));
  // The last number that is not zero: the order of the operands decides.
  const bool isOrdered = isScan && !isReal && s.chance(40);
  const Combiner combiner = isReal ? realCombiner(k, s, element, form) : intCombiner(k, s, element);
  mlir::Value result = emitReduction(
      k, s, x, dim, isScan, isOrdered ? mlir::IntegerAttr::get(element, 0) : combiner.identity,
      [&](mlir::Value left, mlir::Value right) -> mlir::Value {
        if (!isOrdered)
          return combiner.combine(left, right);
        mlir::Value some = cuda_tile::CmpIOp::create(
            b, loc, k.scalarType(k.intType(1)), cuda_tile::ComparisonPredicate::NOT_EQUAL, right,
            k.intConstant(k.scalarType(element), 0).ssa, Signedness::Signed);
        return cuda_tile::SelectOp::create(b, loc, left.getType(), some, right, left);
      });
  auto subtract = [&](mlir::Value left, mlir::Value right) -> mlir::Value {
    mlir::Type of = left.getType();
    if (isReal)
      return cuda_tile::SubFOp::create(b, loc, of, left, right, nearest(k), mlir::UnitAttr());
    return cuda_tile::SubIOp::create(b, loc, of, left, right, IntegerOverflow::NONE);
  };
  if (auto reduced = llvm::cast<TileType>(result.getType()); reduced.getRank() == 1) {
    if (s.chance(50)) { // what the lines were reduced to goes on before they meet it
      mlir::Value number = k.constant(s, reduced).ssa;
      result = s.chance(50) ? subtract(result, number) : subtract(number, result);
    }
    llvm::SmallVector<int64_t> line(shape.begin(), shape.end());
    line[dim] = 1;
    result = cuda_tile::ReshapeOp::create(b, loc, k.tileType(line, element), result);
    result = subtract(x, cuda_tile::BroadcastOp::create(b, loc, type, result));
  }
  keepTile(k, s, result);
  return true;
}
