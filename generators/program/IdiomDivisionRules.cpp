//===- IdiomDivisionRules.cpp - idioms of divisions -------------------------------------------------===//
//
// A tile divided by one number, or each of its lines by its own, large enough that a thread has
// several elements for each: what compilers compute once per divisor. Or a divisor of which that is a
// part, one that was turned, or the sums of the lines themselves, along either dimension; of a square also
// the sums of columns in the places of rows. Numerators are ordinary, zero, subnormal or anything, and so
// are divisors of floats; one element may be far larger or smaller than all others. Divisors of integers are neither 0 nor -1.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

/// Numbers that are mostly of ordinary size: one that is not decides for its whole thread.
mlir::Value numerators(KernelBuilder &k, ChoiceStream &s, TileType type) {
  switch (s.below(8)) {
  case 0:
    return freshTile(k, s, type, Fill::Any);
  case 1:
    return freshTile(k, s, type, Fill::Fractions);
  case 2:
    return freshTile(k, s, type, Fill::SignedZeros);
  case 3:
  case 4:
    return freshTile(k, s, type, Fill::Reals);
  default: { // zeros of either sign among them
    mlir::Value x = freshTile(k, s, type, Fill::Reals);
    mlir::Value factors = freshTile(k, s, type, Fill::SmallIntegers);
    auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN);
    x = cuda_tile::SubFOp::create(k.builder(), k.loc(), type, x,
                                  k.floatConstant(type, s.chance(50) ? 0.0 : 1.0).ssa, mode,
                                  mlir::UnitAttr());
    return cuda_tile::MulFOp::create(k.builder(), k.loc(), type, x, factors, mode,
                                     mlir::UnitAttr());
  }
  }
}

/// Divisors for which no quotient is undefined.
mlir::Value guarded(KernelBuilder &k, ChoiceStream &s, mlir::Value d, Signedness signedness) {
  auto type = llvm::cast<TileType>(d.getType());
  mlir::OpBuilder &b = k.builder();
  const unsigned width = widthOf(type.getElementType());
  auto constant = [&](Int value) { return k.intConstant(type, value).ssa; };
  if (s.chance(30)) // small ones
    d = cuda_tile::AndIOp::create(b, k.loc(), type, d, constant(s.chance(50) ? 15 : 127));
  if (signedness == Signedness::Unsigned)
    return cuda_tile::OrIOp::create(b, k.loc(), type, d, constant(1));
  if (s.chance(50)) { // of either sign, even
    d = cuda_tile::OrIOp::create(b, k.loc(), type, d, constant(2));
    return cuda_tile::AndIOp::create(b, k.loc(), type, d, constant(-2));
  }
  d = cuda_tile::OrIOp::create(b, k.loc(), type, d, constant(1));
  const Int largest = static_cast<Int>((uint64_t(1) << (width - 1)) - 1);
  return cuda_tile::AndIOp::create(b, k.loc(), type, d, constant(largest));
}

/// The numbers times a power of two, one of them times another one: its line alone is of another size.
mlir::Value withOutlier(KernelBuilder &k, ChoiceStream &s, mlir::Value x) {
  k.note("divided-outlier");
  mlir::OpBuilder &b = k.builder();
  auto type = llvm::cast<TileType>(x.getType());
  auto times = [&](int exponent) -> mlir::Value {
    return cuda_tile::MulFOp::create(
        b, k.loc(), type, x, k.floatConstant(type, std::ldexp(1.0, exponent)).ssa,
        cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN),
        mlir::UnitAttr());
  };
  static constexpr int kUsual[] = {0, -26, -40}, kOther[] = {120, 110, -110, -125, -140};
  const int64_t count = type.getNumElements();
  mlir::Type i32 = k.intType(32);
  mlir::Value places = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({count}, i32));
  places = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(type.getShape(), i32), places);
  mlir::Value isOther = cuda_tile::CmpIOp::create(
      b, k.loc(), k.tileType(type.getShape(), k.intType(1)), cuda_tile::ComparisonPredicate::EQUAL,
      places,
      k.splat({k.addExtentArgument(static_cast<int64_t>(s.below(count))), {}}, type.getShape()).ssa,
      Signedness::Signed);
  mlir::Value usual = times(kUsual[s.below(std::size(kUsual))]);
  return cuda_tile::SelectOp::create(b, k.loc(), type, isOther,
                                     times(kOther[s.below(std::size(kOther))]), usual);
}

/// Products of small integers of either sign and powers of two, whose sums are exact in any order: of ordinary size,
/// tiny, or beyond what quick sequences divide by.
mlir::Value signedProducts(KernelBuilder &k, ChoiceStream &s, TileType type) {
  k.note("divided-products");
  mlir::OpBuilder &b = k.builder();
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN);
  auto times = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
    return cuda_tile::MulFOp::create(b, k.loc(), type, x, y, mode, mlir::UnitAttr());
  };
  static constexpr int kExponents[] = {0, 0, -55, -62, 50, 52};
  const double scale = std::ldexp(1.0, kExponents[s.below(std::size(kExponents))]);
  auto factor = [&] {
    mlir::Value x = freshTile(k, s, type, Fill::SmallIntegers);
    return scale == 1 ? x : times(x, k.floatConstant(type, scale).ssa);
  };
  mlir::Value x = factor();
  return times(x, s.chance(20) ? x : factor());
}

/// Positive numbers as parts of the sums of their lines, along either dimension, or of other lines.
/// Bounds of long sums in short formats say nothing.
void divideBySums(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  mlir::Type element = s.chance(90) ? b.getF32Type() : b.getF64Type();
  static constexpr int64_t kShapes[][2] = {{64, 64}, {64, 64},  {32, 32}, {1, 1024},
                                           {4, 512}, {1024, 2}, {8, 128}};
  TileType type = k.tileType(kShapes[s.below(std::size(kShapes))], element);
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN);
  mlir::Value x = freshTile(k, s, type, Fill::Reals);
  const auto dim = static_cast<unsigned>(s.below(2));
  llvm::SmallVector<int64_t> line(type.getShape());
  // Other lines than their own: where one of these is far larger, a part of its sum is no part of 1.
  const bool ofOthers = line[0] == line[1] && s.chance(60);
  if (!ofOthers && s.chance(20)) {
    x = signedProducts(k, s, type);
  } else {
    if (element.isF32() && s.chance(ofOthers ? 85 : 50))
      x = withOutlier(k, s, x);
    if (s.chance(75))
      x = cuda_tile::AbsFOp::create(b, loc, type, x);
  }
  mlir::Value sums =
      emitReduction(k, s, x, dim, /*isScan=*/false, mlir::FloatAttr::get(element, 0),
                    [&](mlir::Value left, mlir::Value right) -> mlir::Value {
                      return cuda_tile::AddFOp::create(b, loc, left.getType(), left, right, mode,
                                                       mlir::UnitAttr());
                    });
  line[ofOthers ? 1 - dim : dim] = 1;
  sums = cuda_tile::ReshapeOp::create(b, loc, k.tileType(line, element), sums);
  Facts facts;
  facts.exact = false;
  k.noteApproximate();
  mlir::Value parts = cuda_tile::DivFOp::create(
      b, loc, type, x, cuda_tile::BroadcastOp::create(b, loc, type, sums), mode, mlir::UnitAttr());
  emitFreeStore(k, s, {parts, facts});
  if (s.chance(50)) { // as products take them: how wide they are stored decides who holds what
    mlir::Type half = s.chance(60) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
    emitFreeStore(k, s,
                  {cuda_tile::FToFOp::create(b, loc, k.tileType(type.getShape(), half), parts,
                                             RoundingMode::NEAREST_EVEN),
                   facts});
  }
}

} // namespace

bool tilesmith::generators::applyDividedBySums(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  divideBySums(k, s);
  return true;
}

bool tilesmith::generators::applySharedDivisor(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  static constexpr int64_t kShapes[][2] = {{1, 1024}, {2, 1024}, {1, 2048}, {4, 512},
                                           {1024, 2}, {32, 32},  {64, 64}};
  llvm::ArrayRef<int64_t> shape = kShapes[s.below(std::size(kShapes))];
  const bool isReal = s.chance(55);
  mlir::Type element = !isReal        ? k.intType(8u << s.below(4))
                       : s.chance(85) ? mlir::Type(b.getF32Type())
                                      : chooseWideFloat(k, s);
  TileType type = k.tileType(shape, element);
  // One number, or one for each line or column.
  llvm::SmallVector<int64_t> lines(shape.size(), 1);
  if (s.chance(60))
    lines[0] = shape[0];
  else if (s.chance(20))
    lines[1] = shape[1];
  // Sometimes repeated the other way round and turned.
  const bool isTurned = s.chance(25);
  auto oriented = [&](llvm::ArrayRef<int64_t> of) {
    llvm::SmallVector<int64_t> extents(of);
    if (isTurned)
      std::reverse(extents.begin(), extents.end());
    return k.tileType(extents, element);
  };
  TileType few = oriented(lines);
  auto grown = [&](mlir::Value d) -> mlir::Value {
    d = cuda_tile::BroadcastOp::create(b, loc, oriented(shape), d);
    if (!isTurned)
      return d;
    k.note("turned-divisor");
    return cuda_tile::PermuteOp::create(b, loc, type, d,
                                        mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0}));
  };
  // Sometimes what is the same along a line is but one operand of what each element is divided by.
  const bool differs = s.chance(20);
  if (differs)
    k.note("computed-divisor");
  if (isReal) {
    mlir::Value x = element.isF32() && s.chance(35)
                        ? withOutlier(k, s, freshTile(k, s, type, Fill::Reals))
                        : numerators(k, s, type);
    mlir::Value d = grown(s.chance(70) ? freshTile(k, s, few, Fill::Reals) : numerators(k, s, few));
    if (differs)
      d = cuda_tile::MaxFOp::create(b, loc, type, d, freshTile(k, s, type, Fill::Reals),
                                    mlir::UnitAttr(), mlir::UnitAttr());
    auto mode = cuda_tile::RoundingModeAttr::get(
        &k.context(), s.chance(10) ? RoundingMode::ZERO : RoundingMode::NEAREST_EVEN);
    const bool flushes = element.isF32() && s.chance(20);
    keepTile(k, s,
             cuda_tile::DivFOp::create(b, loc, type, x, d, mode,
                                       flushes ? b.getUnitAttr() : mlir::UnitAttr()));
    return true;
  }
  Signedness signedness = s.chance(60) ? Signedness::Signed : Signedness::Unsigned;
  mlir::Value x = freshTile(k, s, type, Fill::Any);
  mlir::Value d = grown(freshTile(k, s, few, Fill::Any));
  if (differs)
    d = combineExactly(k, d, freshTile(k, s, type, Fill::Any));
  d = guarded(k, s, d, signedness);
  keepTile(k, s,
           s.chance(50)
               ? cuda_tile::RemIOp::create(b, loc, type, x, d, signedness).getResult()
               : cuda_tile::DivIOp::create(b, loc, type, x, d, signedness, RoundingMode::ZERO)
                     .getResult());
  return true;
}
