//===- SliceRegistersTest.cpp - renamed registers against what threads hold ------------------===//
#include "compiler/dialect/TileAS/IR/SliceRegisters.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

int64_t apply(const RegisterMap &map, int64_t reg) {
  int64_t result = map.first;
  for (auto [bit, basis] : llvm::enumerate(map.bits))
    result ^= reg >> bit & 1 ? basis : 0;
  return result;
}

class SliceRegisters : public ::testing::Test {
protected:
  SliceRegisters() { context.loadDialect<TileASDialect>(); }

  /// The bits of a tile of 8x4x8 elements, dealt out at random; some lanes and warps hold the same.
  LayoutAttr draw(ArrayRef<int64_t> shape, unsigned bits) {
    llvm::SmallVector<int64_t> bases(12 - bits, 0);
    for (unsigned bit = 0; bit < bits; ++bit)
      bases.push_back(int64_t(1) << bit);
    std::shuffle(bases.begin(), bases.end(), rng);
    ArrayRef<int64_t> all(bases);
    return LayoutAttr::get(&context, shape, all.take_front(5), all.slice(5, 5), all.drop_front(10));
  }
  /// The same bits of coordinates in another shape; what lies outside is left out.
  LayoutAttr cut(LayoutAttr layout, ArrayRef<int64_t> shape) {
    auto keep = [&](ArrayRef<int64_t> bases, bool isRegister) {
      llvm::SmallVector<int64_t> kept;
      for (int64_t basis : bases) {
        llvm::SmallVector<int64_t, 4> at = coordinates(basis, layout.getShape());
        bool inside = true;
        for (auto [coordinate, extent] : llvm::zip_equal(at, shape))
          inside &= coordinate < extent;
        if (inside)
          kept.push_back(position(at, shape));
        else if (!isRegister)
          kept.push_back(0);
      }
      return kept;
    };
    return LayoutAttr::get(&context, shape, keep(layout.getRegisters(), true),
                           keep(layout.getLanes(), false), keep(layout.getWarps(), false));
  }
  static llvm::SmallVector<int64_t, 4> coordinates(int64_t flat, ArrayRef<int64_t> shape) {
    llvm::SmallVector<int64_t, 4> at(shape.size());
    for (unsigned dim = shape.size(); dim-- > 0; flat /= shape[dim])
      at[dim] = flat % shape[dim];
    return at;
  }
  static int64_t position(ArrayRef<int64_t> at, ArrayRef<int64_t> shape) {
    int64_t flat = 0;
    for (auto [coordinate, extent] : llvm::zip_equal(at, shape))
      flat = flat * extent + coordinate;
    return flat;
  }

  MLIRContext context;
  std::mt19937 rng{11};
};

TEST_F(SliceRegisters, EveryThreadHoldsItsPartOfASlice) {
  const int64_t whole[] = {8, 4, 8};
  unsigned found = 0, refused = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    int64_t part[3], origin[3];
    for (unsigned dim = 0; dim < 3; ++dim) {
      part[dim] = whole[dim] >> rng() % 2;
      origin[dim] = whole[dim] == part[dim] ? 0 : part[dim] * (rng() % 2);
    }
    LayoutAttr source = draw(whole, 8), slice = cut(source, part);
    std::optional<RegisterMap> map = sliceRegisters(source, slice, origin);
    refused += !map;
    if (!map)
      continue;
    ++found;
    for (int64_t warp = 0; warp < 4; ++warp)
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t reg = 0; reg < slice.getNumRegisters(); ++reg) {
          auto at = coordinates(slice.toLinear().applyFlat(reg, lane, warp), part);
          for (unsigned dim = 0; dim < 3; ++dim)
            at[dim] += origin[dim];
          ASSERT_EQ(source.toLinear().applyFlat(apply(*map, reg), lane, warp), position(at, whole));
        }
  }
  EXPECT_GT(found, 50u);
  EXPECT_GT(refused, 50u); // a fixed bit lies on a lane or a warp
}

TEST_F(SliceRegisters, HalvesAreJoinedWhereTheyLie) {
  const int64_t whole[] = {8, 4, 8};
  unsigned found = 0, refused = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    const unsigned dim = rng() % 3;
    int64_t part[] = {8, 4, 8};
    part[dim] /= 2;
    LayoutAttr result = draw(whole, 8), half = cut(result, part);
    auto map = catRegisters(half, result, dim);
    refused += !map;
    if (!map)
      continue;
    ++found;
    for (int64_t warp = 0; warp < 4; ++warp)
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t reg = 0; reg < result.getNumRegisters(); ++reg) {
          auto at = coordinates(result.toLinear().applyFlat(reg, lane, warp), whole);
          ASSERT_EQ(reg >> map->second & 1, at[dim] >= part[dim]);
          at[dim] %= part[dim];
          ASSERT_EQ(half.toLinear().applyFlat(apply(map->first, reg), lane, warp),
                    position(at, part));
        }
  }
  EXPECT_GT(found, 50u);
  EXPECT_GT(refused, 50u);
}

TEST_F(SliceRegisters, PartsOfWiderElementsLieInTheirThread) {
  const int64_t parts = 4, whole[] = {64}, all[] = {64 * parts};
  unsigned found = 0, refused = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    LayoutAttr narrow = draw(all, 8);
    auto joined = [&](ArrayRef<int64_t> bases, bool isRegister) {
      llvm::SmallVector<int64_t> kept;
      for (int64_t basis : bases)
        if (basis >= parts || !isRegister)
          kept.push_back(basis / parts);
      return kept;
    };
    LayoutAttr wide =
        LayoutAttr::get(&context, whole, joined(narrow.getRegisters(), true),
                        joined(narrow.getLanes(), false), joined(narrow.getWarps(), false));
    std::optional<PartMap> map = partRegisters(wide, narrow);
    refused += !map;
    if (!map)
      continue;
    ++found;
    for (int64_t warp = 0; warp < 4; ++warp)
      for (int64_t lane = 0; lane < 32; ++lane) {
        for (int64_t reg = 0; reg < narrow.getNumRegisters(); ++reg) {
          const int64_t place = narrow.toLinear().applyFlat(reg, lane, warp);
          ASSERT_EQ(apply({map->partOf}, reg), place % parts);
          ASSERT_EQ(wide.toLinear().applyFlat(apply({map->wholeOf}, reg), lane, warp),
                    place / parts);
        }
        for (int64_t reg = 0; reg < wide.getNumRegisters(); ++reg)
          for (int64_t part = 0; part < parts; ++part)
            ASSERT_EQ(narrow.toLinear().applyFlat(
                          apply({map->ofWhole}, reg) ^ apply({map->ofPart}, part), lane, warp),
                      wide.toLinear().applyFlat(reg, lane, warp) * parts + part);
      }
  }
  EXPECT_GT(found, 10u);
  EXPECT_GT(refused, 50u); // parts lie on lanes or warps
}

} // namespace
