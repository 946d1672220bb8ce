//===- LinearLayoutTest.cpp - properties against brute force over small layouts ---------------===//
#include "compiler/support/LinearLayout.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace tilesmith;
using Basis = LinearLayout::Basis;

namespace {

/// A random layout over a small tile; bases are arbitrary vectors, so duplicates and holes occur.
LinearLayout randomLayout(std::mt19937 &rng, llvm::ArrayRef<int64_t> shape) {
  int64_t n = 1;
  for (int64_t extent : shape)
    n *= extent;
  auto list = [&](unsigned count) {
    llvm::SmallVector<int64_t> bases;
    for (unsigned i = 0; i < count; ++i)
      bases.push_back(rng() % n);
    return bases;
  };
  return LinearLayout::fromFlat(list(rng() % 4), list(rng() % 4), list(rng() % 3), shape);
}

const std::vector<std::vector<int64_t>> kShapes = {{}, {1}, {8}, {4, 4}, {2, 1, 8}, {2, 2, 2, 2}};

template <typename Fn> void forEachInput(const LinearLayout &layout, Fn fn) {
  for (int64_t w = 0; w < layout.getNumWarps(); ++w)
    for (int64_t l = 0; l < layout.getNumLanes(); ++l)
      for (int64_t r = 0; r < layout.getNumRegisters(); ++r)
        fn(r, l, w);
}

/// Every layout with the given numbers of register, lane and warp bits.
template <typename Fn>
void forAllLayouts(llvm::ArrayRef<int64_t> shape, unsigned regs, unsigned lanes, unsigned warps,
                   Fn fn) {
  int64_t n = 1;
  for (int64_t extent : shape)
    n *= extent;
  llvm::SmallVector<int64_t> bases(regs + lanes + warps, 0);
  while (true) {
    llvm::ArrayRef<int64_t> list(bases);
    fn(LinearLayout::fromFlat(list.take_front(regs), list.slice(regs, lanes), list.take_back(warps),
                              shape));
    size_t at = 0;
    while (at < bases.size() && ++bases[at] == n)
      bases[at++] = 0;
    if (at == bases.size())
      return;
  }
}

/// All layouts of tiles of 4 elements with up to 2, 2 and 1 input bits, all of 8 elements with up
/// to 3 input bits, then random ones of larger tiles.
template <typename Fn> void forSmallLayouts(Fn fn) {
  std::mt19937 rng(1);
  for (unsigned regs = 0; regs <= 2; ++regs)
    for (unsigned lanes = 0; lanes <= 2; ++lanes)
      for (unsigned warps = 0; warps <= 1; ++warps)
        for (const std::vector<int64_t> &shape :
             std::vector<std::vector<int64_t>>{{4}, {2, 2}, {8}, {4, 2}})
          if (shape.front() * (shape.size() == 2 ? shape.back() : 1) == 4 ||
              regs + lanes + warps <= 3)
            forAllLayouts(shape, regs, lanes, warps,
                          [&](const LinearLayout &layout) { fn(layout, rng); });
  for (const auto &shape : kShapes)
    for (int i = 0; i < 200; ++i)
      fn(randomLayout(rng, shape), rng);
}

TEST(LinearLayoutTest, CoordinatesAndFlatIndexAgree) {
  LinearLayout layout({{0, 1}}, {{0, 2}, {1, 0}}, {{2, 0}, {0, 0}}, {4, 4});
  EXPECT_EQ(layout.apply(1, 3, 1), (Basis{3, 3}));
  EXPECT_EQ(layout.applyFlat(1, 3, 1), 15);
  EXPECT_EQ(layout.getNumRegisters(), 2);
  EXPECT_EQ(layout.getNumLanes(), 4);
  EXPECT_EQ(layout.getNumWarps(), 4);
  EXPECT_EQ(layout.toString(),
            "register=[[0,1]], lane=[[0,2],[1,0]], warp=[[2,0],[0,0]], shape=[4,4]");
}

TEST(LinearLayoutTest, RowMajorOrdersRegistersLanesWarps) {
  LinearLayout layout = LinearLayout::rowMajor({16, 64}, 4, 2);
  for (int64_t i = 0; i < 1024; ++i) {
    int64_t reg = (i & 3) | (i >> 9 << 2), lane = i >> 2 & 31, warp = i >> 7 & 3;
    EXPECT_EQ(layout.applyFlat(reg, lane, warp), i);
  }
  EXPECT_EQ(layout.getVectorBits(), 2u);
  EXPECT_EQ(layout.freeMask(InDim::Lane), 0);
}

TEST(LinearLayoutTest, RowMajorPadsSmallTilesWithDuplicates) {
  LinearLayout layout = LinearLayout::rowMajor({8}, 4, 0);
  EXPECT_EQ(layout.getNumRegisters(), 1);
  EXPECT_EQ(layout.getNumLanes(), 32);
  EXPECT_EQ(layout.getNumWarps(), 4);
  EXPECT_EQ(layout.freeMask(InDim::Lane), 0b11000);
  EXPECT_EQ(layout.freeMask(InDim::Warp), 0b11);
  EXPECT_TRUE(layout.isSurjective());
  LinearLayout scalar = LinearLayout::rowMajor({}, 2, 3);
  EXPECT_EQ(scalar.freeMask(InDim::Lane), 31);
  EXPECT_EQ(scalar.freeMask(InDim::Warp), 1);
}

TEST(LinearLayoutTest, FreeMaskLeavesExactlyOneOwnerPerElement) {
  forSmallLayouts([](const LinearLayout &layout, std::mt19937 &) {
    std::set<int64_t> reached;
    std::map<int64_t, int> owners;
    forEachInput(layout, [&](int64_t r, int64_t l, int64_t w) {
      int64_t e = layout.applyFlat(r, l, w);
      EXPECT_EQ(layout.flatten(layout.apply(r, l, w)), e);
      reached.insert(e);
      if (!(r & layout.freeMask(InDim::Register)) && !(l & layout.freeMask(InDim::Lane)) &&
          !(w & layout.freeMask(InDim::Warp)))
        ++owners[e];
    });
    EXPECT_EQ(layout.isSurjective(), int64_t(reached.size()) == layout.getNumElements());
    EXPECT_EQ(layout.isInjective(),
              int64_t(reached.size()) ==
                  layout.getNumRegisters() * layout.getNumLanes() * layout.getNumWarps());
    EXPECT_EQ(owners.size(), reached.size());
    for (auto [e, count] : owners)
      EXPECT_EQ(count, 1) << layout.toString();
    for (int64_t e = 0; e < layout.getNumElements(); ++e) {
      auto at = layout.locate(e);
      ASSERT_EQ(at.has_value(), reached.count(e) == 1);
      if (at)
        EXPECT_EQ(layout.applyFlat((*at)[0], (*at)[1], (*at)[2]), e);
    }
    auto inverse = layout.getInverseBases(InDim::Lane);
    EXPECT_EQ(inverse.has_value(), layout.isSurjective());
  });
}

TEST(LinearLayoutTest, ShapeOperationsMoveElementsAsTheTileOperationsDo) {
  forSmallLayouts([](const LinearLayout &layout, std::mt19937 &rng) {
    unsigned rank = layout.getRank();
    if (rank == 0)
      return;
    llvm::SmallVector<int64_t> perm(rank);
    for (unsigned i = 0; i < rank; ++i)
      perm[i] = i;
    std::shuffle(perm.begin(), perm.end(), rng);
    unsigned dim = rng() % rank;
    LinearLayout permuted = layout.permuteDims(perm), removed = layout.removeDim(dim);
    LinearLayout projected = layout.projectDims({dim}), inserted = layout.insertDim(dim);
    LinearLayout flat = layout.reshape({layout.getNumElements()});
    forEachInput(layout, [&](int64_t r, int64_t l, int64_t w) {
      Basis c = layout.apply(r, l, w), p, without = c, zeroed = c, with = c;
      for (int64_t i : perm)
        p.push_back(c[i]);
      without.erase(without.begin() + dim);
      zeroed[dim] = 0;
      with.insert(with.begin() + dim, 0);
      EXPECT_EQ(permuted.apply(r, l, w), p);
      EXPECT_EQ(removed.apply(r, l, w), without);
      EXPECT_EQ(projected.apply(r, l, w), zeroed);
      EXPECT_EQ(inserted.apply(r, l, w), with);
      EXPECT_EQ(flat.applyFlat(r, l, w), layout.applyFlat(r, l, w));
    });
  });
}

TEST(LinearLayoutTest, BroadcastRepeatsTheSourceAlongGrownDims) {
  LinearLayout row = LinearLayout::rowMajor({1, 16}, 1, 1);
  LinearLayout grown = row.broadcastTo({4, 16});
  EXPECT_TRUE(grown.isSurjective());
  EXPECT_EQ(grown.getNumRegisters(), row.getNumRegisters() * 4);
  EXPECT_EQ(grown.projectDims({0}).removeRedundantRegisters(), row.removeRedundantRegisters());
}

TEST(LinearLayoutTest, VectorBitsMatchBruteForce) {
  forSmallLayouts([](const LinearLayout &layout, std::mt19937 &) {
    for (unsigned dim = 0; dim < layout.getRank(); ++dim) {
      auto holds = [&](unsigned k) {
        if (layout.getNumRegisters() < (1 << k) || layout.getShape()[dim] < (1 << k))
          return false;
        bool ok = true;
        forEachInput(layout, [&](int64_t r, int64_t l, int64_t w) {
          Basis first = layout.apply(r >> k << k, l, w), here = layout.apply(r, l, w);
          ok &= first[dim] % (1 << k) == 0;
          first[dim] += r & ((1 << k) - 1);
          ok &= first == here;
        });
        return ok;
      };
      unsigned k = 0;
      while (holds(k + 1))
        ++k;
      EXPECT_EQ(layout.getVectorBits(dim), k) << layout.toString() << " dim " << dim;
    }
  });
}

TEST(LinearLayoutTest, ConversionClassMatchesBruteForce) {
  std::mt19937 rng(7);
  for (int i = 0; i < 3000; ++i) {
    int64_t shape[] = {4, 4};
    auto list = [&](unsigned count) {
      llvm::SmallVector<int64_t> bases;
      for (unsigned i = 0; i < count; ++i)
        bases.push_back(rng() % 4 ? int64_t(1) << rng() % 4 : rng() % 16);
      return bases;
    };
    LinearLayout src = LinearLayout::fromFlat(list(2), list(2), list(1), shape);
    LinearLayout dst = LinearLayout::fromFlat(list(2), list(2), list(1), shape);
    if (rng() % 2)
      dst = LinearLayout::fromFlat(list(2), src.getFlatBases(InDim::Lane),
                                   src.getFlatBases(InDim::Warp), shape);
    // Brute force: same thread everywhere with one register map; same warp everywhere.
    bool sameWarp = true, sameMap = true;
    std::map<int64_t, std::set<int64_t>> candidates;
    forEachInput(dst, [&](int64_t r, int64_t l, int64_t w) {
      std::set<int64_t> regs;
      bool inWarp = false;
      forEachInput(src, [&](int64_t sr, int64_t sl, int64_t sw) {
        if (sw != w || src.applyFlat(sr, sl, sw) != dst.applyFlat(r, l, w))
          return;
        inWarp = true;
        if (sl == l)
          regs.insert(sr);
      });
      sameWarp &= inWarp;
      auto [it, fresh] = candidates.try_emplace(r, regs);
      if (!fresh) {
        std::set<int64_t> both;
        std::set_intersection(it->second.begin(), it->second.end(), regs.begin(), regs.end(),
                              std::inserter(both, both.begin()));
        it->second = both;
      }
      sameMap &= !it->second.empty();
    });
    switch (classifyConversion(src, dst)) {
    case ConversionKind::Identical:
      EXPECT_TRUE(src == dst);
      break;
    case ConversionKind::RegisterPermutation: {
      EXPECT_TRUE(sameMap);
      auto map = getRegisterMap(src, dst);
      ASSERT_TRUE(map);
      forEachInput(dst, [&](int64_t r, int64_t l, int64_t w) {
        EXPECT_EQ(src.applyFlat((*map)[r], l, w), dst.applyFlat(r, l, w));
      });
      break;
    }
    case ConversionKind::WithinWarp:
      EXPECT_TRUE(sameWarp);
      break;
    case ConversionKind::SharedMemory:
      EXPECT_FALSE(sameWarp) << src.toString() << " / " << dst.toString();
      break;
    }
  }
}

TEST(LinearLayoutTest, InvertAndComposeFindsTheSourceOfEveryElement) {
  LinearLayout src = LinearLayout::rowMajor({16, 32}, 4, 0);
  LinearLayout dst = LinearLayout::rowMajor({32, 16}, 4, 2).permuteDims({1, 0});
  auto map = dst.invertAndCompose(src);
  ASSERT_TRUE(map);
  F2Matrix from = dst.getMatrix(), to = src.getMatrix();
  for (uint64_t x = 0; x < 512; ++x)
    EXPECT_EQ(to.apply(map->apply(x)), from.apply(x));
  EXPECT_EQ(F2Matrix::identity(3).compose(F2Matrix::identity(3)), F2Matrix::identity(3));
}

TEST(LinearLayoutTest, EqualLayoutsHashEqual) {
  LinearLayout a = LinearLayout::rowMajor({8, 8}, 2, 1), b = LinearLayout::rowMajor({8, 8}, 2, 1);
  EXPECT_EQ(a, b);
  EXPECT_EQ(hash_value(a), hash_value(b));
  EXPECT_FALSE(a == LinearLayout::rowMajor({8, 8}, 2, 0));
  LinearLayout swizzled = LinearLayout::shared({1, 2, 4, 8 ^ 1, 16 ^ 2}, {4, 8});
  EXPECT_EQ(swizzled.applyOffset(8), 9);
  EXPECT_TRUE(swizzled.isSurjective());
}

} // namespace
