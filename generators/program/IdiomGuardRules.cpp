//===- IdiomGuardRules.cpp - runs of which a mask leaves out a part ----------------------------------===//
//
// Loads and stores of neighbouring elements, as wide as a compiler may make them, under masks of every
// predicate: a bound is where a group of elements begins or one beside that, in the middle or at an
// end, a constant or an argument, on either side of the comparison; what is compared is the position,
// or what became of it, in short types, too. Whether a mask is the same for all elements of one wide
// access is what a compiler has to find out.
//
// Needs: depth 0. Promises: offsets lie inside of the array, whatever the mask is; each block stores
// into its own region.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/PlaceBuilder.h"

#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::TileType;

namespace {

struct Guarded {
  Places at;
  mlir::Value mask;
};

/// A line, mostly guarded by what its elements are loaded from.
Guarded guardedLine(PlaceBuilder &builder, ChoiceStream &s) {
  const int64_t count = int64_t(256) << s.below(3);
  Places line = builder.line(count);
  if (s.chance(40))
    builder.move(line, s.chance(70) ? Int(16) << s.below(4) : s.between(1, 9));
  switch (s.below(6)) {
  case 5:
    return {line, builder.guard(builder.quotient(count))};
  case 0:
    return {line, builder.guard(builder.expression(count))};
  case 1:
  case 2:
    return {line, builder.guard(builder.chain(count))};
  default:
    return {line, builder.guard(line)};
  }
}

/// Rows, guarded along one dimension or along both.
Guarded guardedRows(KernelBuilder &k, PlaceBuilder &builder, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  const int64_t rows = int64_t(4) << s.below(4), columns = 512 / rows << s.below(2);
  Places row = builder.line(rows), column = builder.line(columns), start = row;
  const int64_t stride = s.chance(70) ? columns : columns + (s.chance(50) ? 16 : s.between(1, 3));
  start.ssa = cuda_tile::MulIOp::create(
      b, k.loc(), row.ssa.getType(), row.ssa,
      k.intConstant(llvm::cast<TileType>(row.ssa.getType()), stride).ssa, IntegerOverflow::NONE);
  for (int64_t &v : start.values)
    v *= stride;
  TileType flags = k.tileType({rows, columns}, k.intType(1));
  auto along = [&](const Places &p, unsigned dim) -> mlir::Value {
    llvm::SmallVector<int64_t> shape(2, 1);
    shape[dim] = static_cast<int64_t>(p.values.size());
    mlir::Value line =
        cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(shape, k.intType(1)), builder.guard(p));
    return cuda_tile::BroadcastOp::create(b, k.loc(), flags, line);
  };
  auto someOf = [&](unsigned dim) {
    return along(dim == 0 ? row : s.chance(75) ? column : builder.chain(columns), dim);
  };
  // One condition, or two of either kind in either order: each of them may cut a wide access in the middle.
  const unsigned first = s.chance(50) ? 1 : 0;
  mlir::Value mask = someOf(first);
  if (s.chance(65)) {
    k.note("guarded-twice");
    mlir::Value other = someOf(s.chance(80) ? 1 - first : first);
    mask = s.chance(80) ? cuda_tile::AndIOp::create(b, k.loc(), flags, mask, other).getResult()
                        : cuda_tile::OrIOp::create(b, k.loc(), flags, mask, other).getResult();
  }
  return {builder.sum(start, column), mask};
}

/// The same with numbers of 64 bits from the start, as host code has them.
Guarded guardedWide(KernelBuilder &k, PlaceBuilder &builder, ChoiceStream &s) {
  k.note("guarded-wide");
  mlir::OpBuilder &b = k.builder();
  const int64_t count = int64_t(256) << s.below(3), start = s.chance(50) ? 0 : s.between(0, 64);
  Places line = builder.line(count);
  for (int64_t &v : line.values)
    v += start;
  mlir::Type i64 = k.intType(64);
  TileType type = k.tileType({count}, i64), scalar = k.scalarType(i64);
  mlir::Value at = s.chance(50) ? cuda_tile::IotaOp::create(b, k.loc(), type).getResult()
                                : widenTo(k, line.ssa, i64);
  auto launched = [&](int64_t value) { return widenTo(k, k.addExtentArgument(value), i64); };
  auto spread = [&](mlir::Value number) { return k.splat({number, {}}, {count}).ssa; };
  if (start > 0)
    at = cuda_tile::AddIOp::create(b, k.loc(), type, at, spread(launched(start)),
                                   s.chance(50) ? IntegerOverflow::NONE : IntegerOverflow::NSW);
  // Far from all places, too: what is known of the lower half alone is wrong there.
  mlir::Value bound = launched(start + s.between(-3, count + 3));
  if (s.chance(30))
    bound = cuda_tile::AddIOp::create(b, k.loc(), scalar, bound,
                                      k.intConstant(scalar, (Int(1) << 32) * s.between(-2, 2)).ssa,
                                      IntegerOverflow::NONE);
  mlir::Value x = at, y = spread(bound);
  if (s.chance(30))
    std::swap(x, y);
  using enum cuda_tile::ComparisonPredicate;
  static constexpr cuda_tile::ComparisonPredicate kOrders[] = {LESS_THAN, LESS_THAN_OR_EQUAL,
                                                               GREATER_THAN, GREATER_THAN_OR_EQUAL};
  mlir::Value mask = cuda_tile::CmpIOp::create(
      b, k.loc(), k.tileType({count}, k.intType(1)), kOrders[s.below(4)], x, y,
      s.chance(75) ? cuda_tile::Signedness::Signed : cuda_tile::Signedness::Unsigned);
  line.ssa = at;
  return {line, mask};
}

mlir::Value aligned(KernelBuilder &k, mlir::Value base) {
  return cuda_tile::AssumeOp::create(
      k.builder(), k.loc(), base.getType(), base,
      cuda_tile::DivByAttr::get(&k.context(), 16, std::nullopt, std::nullopt));
}

} // namespace

bool tilesmith::generators::applyGuardedRun(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  PlaceBuilder builder(k, s);
  Guarded run = s.chance(15)   ? guardedWide(k, builder, s)
                : s.chance(65) ? guardedLine(builder, s)
                               : guardedRows(k, builder, s);
  static constexpr unsigned kWidths[] = {8, 16, 32};
  mlir::Type element = s.chance(70) ? k.intType(kWidths[s.below(3)]) : chooseWideFloat(k, s);
  TileType type = k.tileType(run.at.shape, element), i32 = k.scalarType(k.intType(32));
  const int64_t extent = (*llvm::max_element(run.at.values) + 16) / 16 * 16;
  const bool stores = s.chance(35);
  k.note(stores ? "guarded-store" : "guarded-load");
  if (!stores) {
    ArrayInfo &array = k.addFlatArray(element, extent, /*output=*/false);
    mlir::Value padding = s.chance(50) ? k.constant(s, type).ssa : freshTile(k, s, type, Fill::Any);
    keepTile(k, s,
             loadPointers(k, s, type, pointersAt(k, aligned(k, array.base), run.at.ssa), run.mask,
                          padding, {})
                 .tile);
    return true;
  }
  ArrayInfo &array = k.addFlatArray(element, extent * k.blockCount(), /*output=*/true);
  mlir::Value base = aligned(k, array.base);
  if (k.blockCount() > 1) {
    mlir::Value start = cuda_tile::MulIOp::create(
        b, k.loc(), i32, k.blockNumber().ssa, k.intConstant(i32, extent).ssa, IntegerOverflow::NSW);
    base = cuda_tile::OffsetOp::create(b, k.loc(), base.getType(), base, start);
  }
  storePointers(k, s, pointersAt(k, base, run.at.ssa), freshTile(k, s, type, Fill::Any), run.mask,
                {});
  return true;
}
