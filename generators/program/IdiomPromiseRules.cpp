//===- IdiomPromiseRules.cpp - offsets about which the kernel promises something ------------------------===//
//
// Offsets of two dimensions whose elements are known here, and one or two true promises about them: what
// divides the first ones of groups that count up along either dimension, the groups in which all elements
// are equal, or bounds. A compiler may use a promise in place of what it cannot find out, in the sense in
// which it is meant alone: along that dimension, for groups of that size.
//
// Needs: depth 0. Promises: each promise is true of the values; all offsets lie inside of the array.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/PlaceBuilder.h"

#include <algorithm>
#include <numeric>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::TileType;

namespace {

constexpr int64_t kMostGroup = 32;

/// The largest power of two that divides them.
uint64_t divisorOf(uint64_t numbers) {
  return numbers == 0 ? 64 : std::min<uint64_t>(64, numbers & (~numbers + 1));
}

class Promiser {
public:
  Promiser(KernelBuilder &k, ChoiceStream &s, Places &p) : k(k), s(s), p(p) {}

  void promise() {
    switch (s.below(8)) {
    case 0:
    case 6:
    case 7:
      return sameElements();
    case 1:
      return bounded();
    default:
      return divisible(static_cast<unsigned>(s.below(2)));
    }
  }

private:
  int64_t at(int64_t row, int64_t column) const {
    return p.values[static_cast<size_t>(row * p.shape[1] + column)];
  }
  template <typename Function> void each(Function function) const {
    for (int64_t row = 0; row < p.shape[0]; ++row)
      for (int64_t column = 0; column < p.shape[1]; ++column)
        function(row, column);
  }
  void assume(cuda_tile::AssumePredicateAttrInterface fact) {
    p.ssa = cuda_tile::AssumeOp::create(k.builder(), k.loc(), p.ssa.getType(), p.ssa, fact);
  }
  int64_t someUpTo(int64_t largest) {
    return s.chance(60) ? largest
                        : int64_t(1) << s.below(llvm::Log2_64(static_cast<uint64_t>(largest)) + 1);
  }

  /// Along this dimension: groups that count up, or single elements.
  void divisible(unsigned along) {
    int64_t every = std::min(kMostGroup, p.shape[along]);
    uint64_t bits = 0;
    for (bool counts = false; !counts; every /= counts ? 1 : 2) {
      counts = true, bits = 0;
      each([&](int64_t row, int64_t column) {
        const int64_t position = (along == 0 ? row : column) % every;
        if (position == 0)
          bits |= static_cast<uint64_t>(at(row, column));
        else
          counts &=
              at(row, column) ==
              (along == 0 ? at(row - position, column) : at(row, column - position)) + position;
      });
    }
    const int64_t divisor = someUpTo(static_cast<int64_t>(divisorOf(bits)));
    k.note(every > 1 ? "promised-runs" : "promised-divisor");
    if (every == 1 && s.chance(60))
      return assume(cuda_tile::DivByAttr::get(&k.context(), static_cast<uint64_t>(divisor),
                                              std::nullopt, std::nullopt));
    // Shorter groups begin inside of longer ones: their first ones are divided by their length at most.
    const int64_t group = someUpTo(every);
    assume(cuda_tile::DivByAttr::get(
        &k.context(), static_cast<uint64_t>(std::min(divisor, group == every ? divisor : group)),
        group, static_cast<int64_t>(along)));
  }

  void sameElements() {
    k.note("promised-groups");
    llvm::SmallVector<int64_t> groups = {1, 1};
    for (unsigned along : {0u, 1u}) {
      auto holds = [&](int64_t extent) {
        groups[along] = extent;
        bool same = true;
        each([&](int64_t row, int64_t column) {
          same &=
              at(row, column) == at(row / groups[0] * groups[0], column / groups[1] * groups[1]);
        });
        return same;
      };
      int64_t extent = p.shape[along];
      while (!holds(extent))
        extent /= 2;
      groups[along] = someUpTo(extent);
    }
    assume(
        cuda_tile::SameElementsAttr::get(&k.context(), k.builder().getDenseI64ArrayAttr(groups)));
  }

  void bounded() {
    k.note("promised-bounds");
    auto [low, high] = std::minmax_element(p.values.begin(), p.values.end());
    std::optional<int64_t> lower, upper;
    if (s.chance(70))
      lower = *low - (s.chance(50) ? 0 : s.between(1, 9));
    if (s.chance(70))
      upper = *high + (s.chance(50) ? 0 : s.between(1, 9));
    assume(cuda_tile::BoundedAttr::get(&k.context(), lower, upper));
  }

  KernelBuilder &k;
  ChoiceStream &s;
  Places &p;
};

/// Positions of one dimension, times what the other one counts, or an expression: in rows, maybe turned.
Places someRows(KernelBuilder &k, ChoiceStream &s) {
  PlaceBuilder builder(k, s);
  const int64_t rows = int64_t(4) << s.below(5), columns = 512 / rows << s.below(2);
  auto stretched = [&](int64_t count, int64_t by) {
    Places p = builder.line(count);
    auto type = llvm::cast<TileType>(p.ssa.getType());
    p.ssa = cuda_tile::MulIOp::create(k.builder(), k.loc(), type, p.ssa,
                                      k.intConstant(type, by).ssa, IntegerOverflow::NONE);
    for (int64_t &v : p.values)
      v *= by;
    return p;
  };
  // The number of the group that a position belongs to, times something.
  auto inGroups = [&](int64_t count, int64_t group, int64_t by) {
    Places p = stretched(count, 1);
    auto type = llvm::cast<TileType>(p.ssa.getType());
    auto constant = [&](int64_t value) { return k.intConstant(type, value).ssa; };
    p.ssa = cuda_tile::DivIOp::create(k.builder(), k.loc(), type, p.ssa, constant(group),
                                      cuda_tile::Signedness::Signed, cuda_tile::RoundingMode::ZERO);
    p.ssa = cuda_tile::MulIOp::create(k.builder(), k.loc(), type, p.ssa, constant(by),
                                      IntegerOverflow::NONE);
    for (int64_t &v : p.values)
      v = v / group * by;
    return p;
  };
  const int64_t gap = s.chance(60) ? 0 : s.chance(50) ? 4 : s.between(1, 3);
  Places p;
  switch (s.below(5)) {
  case 4: // rows alike in groups, along which fewer or no columns are
    k.note("promised-rows-alike");
    p = builder.sum(inGroups(rows, int64_t(2) << s.below(2), columns + gap),
                    inGroups(columns, int64_t(1) << s.below(2), 1));
    break;
  case 0: // runs along rows
    p = builder.sum(stretched(rows, columns + gap), builder.line(columns));
    break;
  case 1: // runs along columns
    p = builder.sum(builder.line(rows), stretched(columns, rows + gap));
    break;
  case 2:
    p = builder.sum(builder.expression(rows), builder.line(columns));
    break;
  default:
    p = builder.sum(builder.line(rows), builder.expression(columns));
  }
  if (s.chance(25))
    builder.reshape(p);
  return p;
}

} // namespace

bool tilesmith::generators::applyPromisedPlaces(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  Places p = someRows(k, s);
  PlaceBuilder builder(k, s);
  auto [low, high] = std::minmax_element(p.values.begin(), p.values.end());
  const int64_t extent = *high - *low + 1;
  if (p.shape.size() != 2 || extent > 16384)
    return false;
  if (const int64_t by = -(*low / 64 * 64) + (*low < 0 ? 64 : 0))
    builder.move(p, by);
  // What is promised is often more than what an expression says: it comes from memory, or from the launch.
  if (s.chance(35)) {
    mlir::Value zero = k.splat({k.addExtentArgument(0), {}}, p.shape).ssa;
    p.ssa = cuda_tile::AddIOp::create(k.builder(), k.loc(), p.ssa.getType(), p.ssa, zero,
                                      IntegerOverflow::NONE);
  }
  for (uint64_t promises = s.between(1, 2); promises > 0; --promises)
    Promiser(k, s, p).promise();
  static constexpr unsigned kWidths[] = {8, 16, 32};
  mlir::Type element = s.chance(70) ? k.intType(kWidths[s.below(3)]) : chooseWideFloat(k, s);
  const int64_t count = *std::max_element(p.values.begin(), p.values.end()) + 1;
  ArrayInfo &array = k.addFlatArray(element, count, /*output=*/false);
  mlir::Value base = cuda_tile::AssumeOp::create(
      k.builder(), k.loc(), array.base.getType(), array.base,
      cuda_tile::DivByAttr::get(&k.context(), 16, std::nullopt, std::nullopt));
  mlir::Value mask, padding;
  TileType type = k.tileType(p.shape, element);
  if (s.chance(20)) {
    mask = builder.mask(p);
    padding = k.constant(s, type).ssa;
  }
  keepTile(k, s, loadPointers(k, s, type, pointersAt(k, base, p.ssa), mask, padding, {}).tile);
  return true;
}
