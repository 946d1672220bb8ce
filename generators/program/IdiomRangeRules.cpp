//===- IdiomRangeRules.cpp - numbers on both sides of where their type changes its sign --------------===//
//
// Rules of the idiom family:
//
//   wide-range      a loop that walks most of the range of its type in a few steps, and carries what each of them adds
//                   to: how many turns are over is no signed number of that type halfway
//   promised-sign   sums, differences and products that keep their promise not to wrap as numbers of one signedness, and
//                   wrap as those of the other; they are compared with what they were computed from
//   bound-of-each   loads and stores of neighbours under a mask that compares each with a bound of its own
//   long-lines      scans of tiles of which shared memory does not hold all lines at once
//
// Needs: depth 0. Promises: loops end in front of the largest number of their type; promises are true whatever is in memory;
// offsets lie inside of the array, each block stores into its own region; integers add up modulo a power of two.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

mlir::Value sum(KernelBuilder &k, mlir::Value x, mlir::Value y) {
  return cuda_tile::AddIOp::create(k.builder(), k.loc(), x.getType(), x, y, IntegerOverflow::NONE);
}

mlir::Value product(KernelBuilder &k, mlir::Value x, mlir::Value y) {
  return cuda_tile::MulIOp::create(k.builder(), k.loc(), x.getType(), x, y, IntegerOverflow::NONE);
}

//===- promised-sign ------------------------------------------------------------------------------//

/// x and a constant whose sum wraps as a number of one signedness only, for some of what may be in memory.
struct Promised {
  mlir::Value x, result;
};

Promised promisedSum(KernelBuilder &k, ChoiceStream &s, TileType type, bool isUnsigned) {
  mlir::OpBuilder &b = k.builder();
  const unsigned width = widthOf(type.getElementType());
  const Int half = Int(1) << (width - 1);
  mlir::Value x = freshTile(k, s, type, Fill::Any);
  const Int step = s.chance(60) ? (half >> s.between(1, 3)) : s.between(1, 9);
  const auto promise = isUnsigned ? IntegerOverflow::NUW : IntegerOverflow::NSW;
  mlir::Value by = k.intConstant(type, step).ssa;
  if (s.chance(40)) { // differences stay on the other side
    mlir::Value high = k.intConstant(type, isUnsigned ? -half : half - 1).ssa;
    x = isUnsigned ? cuda_tile::OrIOp::create(b, k.loc(), type, x, high).getResult()
                   : cuda_tile::AndIOp::create(b, k.loc(), type, x, high).getResult();
    return {x, cuda_tile::SubIOp::create(b, k.loc(), type, x, by, promise)};
  }
  // Below half of the range, or below zero.
  mlir::Value bits = k.intConstant(type, isUnsigned ? half - 1 : -half).ssa;
  x = isUnsigned ? cuda_tile::AndIOp::create(b, k.loc(), type, x, bits).getResult()
                 : cuda_tile::OrIOp::create(b, k.loc(), type, x, bits).getResult();
  if (isUnsigned && s.chance(25))
    return {x, cuda_tile::MulIOp::create(b, k.loc(), type, x, k.intConstant(type, 2).ssa, promise)};
  return {x, cuda_tile::AddIOp::create(b, k.loc(), type, x, by, promise)};
}

//===- bound-of-each ------------------------------------------------------------------------------//

mlir::Value aligned(KernelBuilder &k, mlir::Value base) {
  return cuda_tile::AssumeOp::create(
      k.builder(), k.loc(), base.getType(), base,
      cuda_tile::DivByAttr::get(&k.context(), 16, std::nullopt, std::nullopt));
}

/// Numbers around the places of a line, straight from memory.
mlir::Value boundsOf(KernelBuilder &k, ChoiceStream &s, mlir::Value line, int64_t count) {
  auto type = llvm::cast<TileType>(line.getType());
  mlir::Value noise = freshTile(k, s, type, Fill::Any);
  const Int mask = s.chance(50) ? 3 : count - 1;
  noise =
      cuda_tile::AndIOp::create(k.builder(), k.loc(), type, noise, k.intConstant(type, mask).ssa);
  if (mask > 3)
    return noise;
  return sum(k, line, sum(k, noise, k.intConstant(type, -1).ssa));
}

} // namespace

bool tilesmith::generators::applyWideRange(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  static constexpr unsigned kWidths[] = {32, 32, 64, 16};
  const unsigned width = kWidths[s.below(4)];
  TileType type = k.scalarType(k.intType(width));
  const bool isUnsigned = k.version() >= 2 && s.chance(30);
  const unsigned bits = unsigned(s.between(2, 4)); // so many bits count the turns
  const Int step = Int(1) << (width - bits), turns = (Int(1) << bits) - s.between(1, 2);
  const Int least = isUnsigned ? 0 : -(Int(1) << (width - 1));
  const Int first = least + (s.chance(50) ? 0 : s.between(0, 9));
  auto number = [&](Int value) { return k.intConstant(type, value).ssa; };
  // What is carried: a number of this type or another one, or a tile.
  mlir::Type element = k.intType(s.chance(60) ? 32 : s.chance(50) ? 64 : 16);
  TileType carried = s.chance(60) ? k.scalarType(element) : k.tileType({64}, element);
  auto some = [&](Int value) { return k.intConstant(carried, value).ssa; };
  mlir::Value by =
      s.chance(50) && element.isInteger(32)
          ? k.splat({k.addExtentArgument(s.between(1, 99)), {}}, carried.getShape()).ssa
          : some(s.between(-9, 99));
  auto loop =
      cuda_tile::ForOp::create(b, k.loc(), number(first), number(first + turns * step),
                               number(step), {some(s.between(0, 9)), some(0)}, nullptr, isUnsigned);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    mlir::Value held = loop.getRegionIterVar(0);
    mlir::Value total = sum(k, product(k, loop.getRegionIterVar(1), some(3)), held);
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{sum(k, held, by), total});
  }
  keepTile(k, s, loop->getResult(1));
  if (s.chance(30)) // else only the turns read it
    keepTile(k, s, loop->getResult(0));
  return true;
}

bool tilesmith::generators::applyPromisedSign(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  static constexpr unsigned kWidths[] = {8, 16, 32, 64};
  TileType type = k.tileType({int64_t(64) << s.below(3)}, k.intType(kWidths[s.below(4)]));
  const bool isUnsigned = s.chance(50);
  auto [x, result] = promisedSum(k, s, type, isUnsigned);
  using enum cuda_tile::ComparisonPredicate;
  static constexpr cuda_tile::ComparisonPredicate kOrders[] = {LESS_THAN, LESS_THAN_OR_EQUAL,
                                                               GREATER_THAN, GREATER_THAN_OR_EQUAL};
  const bool asPromised = s.chance(20);
  mlir::Value flags = cuda_tile::CmpIOp::create(
      b, k.loc(), k.tileType(type.getShape(), k.intType(1)), kOrders[s.below(4)], result,
      s.chance(75) ? x : k.intConstant(type, s.between(-1, 1)).ssa,
      isUnsigned == asPromised ? Signedness::Unsigned : Signedness::Signed);
  keepTile(k, s, flags);
  if (s.chance(40))
    keepTile(k, s, result);
  return true;
}

bool tilesmith::generators::applyBoundOfEach(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  const int64_t count = int64_t(128) << s.below(3);
  TileType i32 = k.scalarType(k.intType(32)), places = k.tileType({count}, k.intType(32));
  mlir::Value line = cuda_tile::IotaOp::create(b, k.loc(), places);
  mlir::Value x = line, y = boundsOf(k, s, line, count);
  if (s.chance(30))
    std::swap(x, y);
  using enum cuda_tile::ComparisonPredicate;
  static constexpr cuda_tile::ComparisonPredicate kOrders[] = {LESS_THAN, LESS_THAN_OR_EQUAL,
                                                               GREATER_THAN, GREATER_THAN_OR_EQUAL};
  mlir::Value mask =
      cuda_tile::CmpIOp::create(b, k.loc(), k.tileType({count}, k.intType(1)), kOrders[s.below(4)],
                                x, y, s.chance(70) ? Signedness::Signed : Signedness::Unsigned);
  static constexpr unsigned kWidths[] = {8, 16, 32};
  mlir::Type element = s.chance(60) ? k.intType(kWidths[s.below(3)]) : chooseWideFloat(k, s);
  TileType type = k.tileType({count}, element);
  if (s.chance(60)) {
    ArrayInfo &array = k.addFlatArray(element, count, /*output=*/false);
    mlir::Value padding = s.chance(50) ? k.constant(s, type).ssa : freshTile(k, s, type, Fill::Any);
    keepTile(
        k, s,
        loadPointers(k, s, type, pointersAt(k, aligned(k, array.base), line), mask, padding, {})
            .tile);
    return true;
  }
  ArrayInfo &array = k.addFlatArray(element, count * k.blockCount(), /*output=*/true);
  mlir::Value base = aligned(k, array.base);
  mlir::Value start = product(k, k.blockNumber().ssa, k.intConstant(i32, count).ssa);
  base = cuda_tile::OffsetOp::create(b, k.loc(), base.getType(), base, start);
  storePointers(k, s, pointersAt(k, base, line), freshTile(k, s, type, Fill::Any), mask, {});
  return true;
}

bool tilesmith::generators::applyLongLines(KernelBuilder &k, ChoiceStream &s) {
  // Large tiles are costly.
  if (k.depth > 0 || k.blockCount() > 2)
    return false;
  const bool isWide = s.chance(60);
  mlir::Type element = k.intType(isWide ? 64 : 32);
  const int64_t elements = isWide ? 8192 : 16384, length = int64_t(64) << s.below(3);
  const unsigned dim = s.chance(70) ? 0 : 1;
  llvm::SmallVector<int64_t> shape(2, elements / length);
  shape[dim] = length;
  TileType type = k.tileType(shape, element);
  mlir::Value x = freshTile(k, s, type, Fill::Any);
  const bool isSum = s.chance(60);
  mlir::Attribute neutral = mlir::IntegerAttr::get(element, 0);
  keepTile(k, s,
           emitReduction(k, s, x, dim, /*isScan=*/true, neutral,
                         [&](mlir::Value one, mlir::Value other) -> mlir::Value {
                           if (isSum)
                             return sum(k, one, other);
                           return cuda_tile::XOrIOp::create(k.builder(), k.loc(), one.getType(),
                                                            one, other);
                         }));
  return true;
}
