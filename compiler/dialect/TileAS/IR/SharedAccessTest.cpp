//===- SharedAccessTest.cpp - conflicts, ldmatrix and warpgroup layouts, place by place -------===//
#include "compiler/dialect/TileAS/IR/SharedAccess.h"

#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

struct SharedAccess : testing::Test {
  MLIRContext context;
  SharedAccess() { context.loadDialect<TileASDialect>(); }

  SharedLayoutAttr plain(int64_t rows, int64_t columns, unsigned contiguous) {
    SmallVector<int64_t> bases, outer;
    for (int64_t at = 1; at < columns; at *= 2)
      (contiguous == 1 ? bases : outer).push_back(at);
    for (int64_t at = 1; at < rows; at *= 2)
      (contiguous == 1 ? outer : bases).push_back(at * columns);
    bases.append(outer);
    return SharedLayoutAttr::get(&context, {rows, columns}, bases);
  }

  /// A transposed tile whose threads hold eight neighbours of a row of the original.
  LayoutAttr rowsOf(int64_t rows, int64_t columns, unsigned warps) {
    return LayoutAttr::get(&context,
                           LinearLayout::rowMajor({rows, columns}, warps, 3).permuteDims({1, 0}));
  }
};

int64_t combine(ArrayRef<int64_t> bases, int64_t index) {
  int64_t result = 0;
  for (auto [bit, basis] : llvm::enumerate(bases))
    if (index >> bit & 1)
      result ^= basis;
  return result;
}

TEST_F(SharedAccess, WavefrontsOfKnownAccesses) {
  EXPECT_EQ(countWavefronts({{4, 8, 16, 32, 64}, 4}), 1);              // one word each, in a row
  EXPECT_EQ(countWavefronts({{128, 256, 512, 1024, 2048}, 4}), 32);    // all in one bank
  EXPECT_EQ(countWavefronts({{0, 0, 0, 0, 0}, 4}), 1);                 // a broadcast
  EXPECT_EQ(countWavefronts({{8, 16, 32, 64, 128}, 4}), 2);            // every other word
  EXPECT_EQ(countWavefronts({{16, 32, 64, 128, 256}, 16}), 4);         // 512 bytes
  EXPECT_EQ(countWavefronts({{128, 256, 512}, 16}), 8);                // a column of matrix rows
  EXPECT_EQ(countWavefronts({{128 + 16, 256 + 32, 512 + 64}, 16}), 1); // the same, swizzled
}

TEST_F(SharedAccess, SwizzlesAreBijectiveAndNeverWorse) {
  for (int64_t rows : {8, 16, 64, 128})
    for (int64_t columns : {16, 32, 64, 128}) {
      SharedLayoutAttr layout = plain(rows, columns, 1);
      auto accesses = [&](SharedLayoutAttr candidate) {
        SmallVector<int64_t> offsets = candidate.getElementOffsets();
        auto at = [&](int64_t element) { return 2 * combine(offsets, element); };
        // Matrix rows below each other, and copies of whole rows.
        SmallVector<WarpAccess> result{{{at(columns), at(2 * columns), at(4 * columns)}, 16}};
        WarpAccess write{{}, 16};
        for (int64_t piece = 8; piece < std::min<int64_t>(rows * columns, 256); piece *= 2)
          write.laneBases.push_back(at(piece));
        result.push_back(write);
        return result;
      };
      Swizzle best = findSwizzle(layout, 2, accesses);
      SharedLayoutAttr swizzled = applySwizzle(layout, best);
      EXPECT_TRUE(swizzled.toLinear().isInjective() && swizzled.toLinear().isSurjective());
      int64_t before = countWavefronts(accesses(layout)[0]),
              after = countWavefronts(accesses(swizzled)[0]);
      EXPECT_LE(after, before);
      EXPECT_EQ(after, 1) << rows << "x" << columns;
      EXPECT_EQ(countWavefronts(accesses(swizzled)[1]), countWavefronts(accesses(layout)[1]));
    }
}

// ldmatrix as PTX describes it: lane 8i + r names row r of matrix i; afterwards lane l holds
// elements 2(l % 4) and the next of row l / 4, or with .trans of column l / 4.
TEST_F(SharedAccess, LdMatrixPlansDeliverTheFragments) {
  unsigned plans = 0, transposed = 0;
  for (StringRef name : {"m16n8k16.f16", "m16n8k8.tf32", "m16n8k32.s8"})
    for (DotOperand which : {DotOperand::Lhs, DotOperand::Rhs})
      for (unsigned contiguous : {0u, 1u})
        for (unsigned warps : {1u, 4u}) {
          const MmaAtom &atom = *findMmaAtom(name);
          int64_t bytes = name.ends_with("s8") ? 1 : name.ends_with("tf32") ? 4 : 2;
          LayoutAttr fragment = fragmentLayout(&context, atom, which, 32, 32, 64, warps);
          SharedLayoutAttr shared =
              plain(fragment.getShape()[0], fragment.getShape()[1], contiguous);
          shared = applySwizzle(shared, {2, unsigned(llvm::Log2_64(16 / bytes)), 3});
          LayoutAttr offsets = shared.offsetsOf(fragment);
          std::optional<LdMatrixPlan> plan = planLdMatrix(offsets, bytes);
          bool along = contiguous == (which == DotOperand::Lhs ? 1u : 0u);
          EXPECT_EQ(plan.has_value(), along || bytes == 2) << name.str() << contiguous;
          if (!plan)
            continue;
          ++plans;
          transposed += plan->transposed;
          int64_t registers = fragment.getNumRegisters(), packed = 4 / bytes;
          for (unsigned warp = 0; warp < warps; ++warp)
            for (int64_t first = 0; first < registers; first += plan->registersPerInstruction)
              for (unsigned lane = 0; lane < 32; ++lane)
                for (unsigned matrix = 0; matrix < plan->matrices; ++matrix)
                  for (int64_t part = 0; part < packed; ++part) {
                    int64_t row = plan->transposed ? 2 * (lane % 4) + part : lane / 4;
                    int64_t column = plan->transposed ? lane / 4 : packed * (lane % 4) + part;
                    int64_t source = combine(plan->addressBases, 8 * matrix + row) ^
                                     combine(offsets.getRegisters(), first) ^
                                     combine(offsets.getWarps(), warp);
                    int64_t place = first + matrix * packed + part;
                    int64_t wanted = combine(offsets.getRegisters(), place) ^
                                     combine(offsets.getLanes(), lane) ^
                                     combine(offsets.getWarps(), warp);
                    ASSERT_EQ(source + column, wanted) << name.str();
                  }
        }
  EXPECT_GE(plans, 12u);
  EXPECT_GE(transposed, 4u);
}

// Every register of every lane gets the element of its layout from where the writer has put it, and
// neither side waits for a bank.
TEST_F(SharedAccess, MatrixExchangesDeliverTheColumns) {
  unsigned plans = 0;
  for (int64_t rows : {32, 64, 128})
    for (int64_t columns : {16, 64, 128})
      for (unsigned warps : {1u, 2u, 8u}) {
        int64_t shape[] = {columns, rows};
        LayoutAttr from = rowsOf(rows, columns, warps);
        LayoutAttr to = matrixReader(from);
        bool fits = rows * columns >= int64_t(256 * warps);
        ASSERT_EQ(bool(to), fits) << rows << "x" << columns << " " << warps;
        if (!to)
          continue;
        EXPECT_EQ(to.getShape(), ArrayRef(shape));
        EXPECT_EQ(to.getRegisters().take_front(3), ArrayRef<int64_t>({1, 2, 4}));
        std::optional<MatrixExchange> plan = planMatrixExchange(from, to, 2);
        ASSERT_TRUE(plan);
        ++plans;
        SmallVector<int64_t> offsets = plan->shared.getElementOffsets();
        for (unsigned warp = 0; warp < warps; ++warp)
          for (int64_t place = 0; place < to.getNumRegisters(); ++place)
            for (unsigned lane = 0; lane < 32; ++lane) {
              int64_t first = place & -plan->read.registersPerInstruction,
                      matrix = place % plan->read.registersPerInstruction / 2;
              // Lane l gets elements 2(l % 4) and the next of column l / 4.
              int64_t row =
                  combine(plan->read.addressBases, 8 * matrix + 2 * (lane % 4) + place % 2) ^
                  combine(plan->offsets.getRegisters(), first) ^
                  combine(plan->offsets.getWarps(), warp);
              ASSERT_EQ(row + lane / 4,
                        combine(offsets, to.toLinear().applyFlat(place, lane, warp)));
            }
        WarpAccess write{{}, 16}, read{{}, 16};
        for (int64_t basis : plan->shared.offsetsOf(from).getLanes())
          write.laneBases.push_back(2 * basis);
        for (int64_t basis : ArrayRef(plan->read.addressBases).take_front(3))
          read.laneBases.push_back(2 * basis);
        EXPECT_EQ(countWavefronts(write), 4);
        EXPECT_EQ(countWavefronts(read), 1);
      }
  EXPECT_GE(plans, 15u);
  // Rows of 16 elements, elements of 32 bits, a tile beyond the exchange's share of memory.
  LayoutAttr square = rowsOf(64, 64, 4), large = rowsOf(256, 128, 4);
  EXPECT_FALSE(matrixReader(rowsOf(16, 256, 4)));
  EXPECT_FALSE(planMatrixExchange(square, matrixReader(square), 4));
  EXPECT_FALSE(planMatrixExchange(large, matrixReader(large), 2));
}

// Fragments of a left operand of 16 bits, of one batch or several, come from rows that lie as threads hold them in memory.
TEST_F(SharedAccess, MatrixExchangesDeliverRows) {
  unsigned plans = 0;
  for (int64_t columns : {16, 32, 64})
    for (unsigned warps : {1u, 4u}) {
      const int64_t rows = 64;
      LayoutAttr from =
          LayoutAttr::get(&context, LinearLayout::rowMajor({rows, columns}, warps, 3));
      LayoutAttr to = fragmentLayout(&context, *findMmaAtom("m16n8k16.f16"), DotOperand::Lhs, rows,
                                     8, columns, warps);
      std::optional<MatrixExchange> plan = planMatrixExchange(from, to, 2);
      ASSERT_TRUE(plan) << columns << " " << warps;
      EXPECT_FALSE(plan->read.transposed);
      ++plans;
      SmallVector<int64_t> offsets = plan->shared.getElementOffsets();
      for (unsigned warp = 0; warp < warps; ++warp)
        for (int64_t place = 0; place < to.getNumRegisters(); ++place)
          for (unsigned lane = 0; lane < 32; ++lane) {
            int64_t first = place & -plan->read.registersPerInstruction,
                    matrix = place % plan->read.registersPerInstruction / 2;
            // Lane l gets elements 2(l % 4) and the next of row l / 4.
            int64_t row = combine(plan->read.addressBases, 8 * matrix + lane / 4) ^
                          combine(plan->offsets.getRegisters(), first) ^
                          combine(plan->offsets.getWarps(), warp);
            ASSERT_EQ(row + 2 * (lane % 4) + place % 2,
                      combine(offsets, to.toLinear().applyFlat(place, lane, warp)));
          }
      WarpAccess read{{}, 16};
      for (int64_t basis : ArrayRef(plan->read.addressBases).take_front(3))
        read.laneBases.push_back(2 * basis);
      EXPECT_EQ(countWavefronts(read), 1);
    }
  EXPECT_EQ(plans, 6u);
}

// The places of the operands of wgmma as PTX describes them for swizzled layouts.
TEST_F(SharedAccess, WarpgroupBuffersLieAsDescriptorsSay) {
  for (int64_t rows : {16, 64, 128})
    for (int64_t columns : {16, 32, 64, 256})
      for (unsigned contiguous : {0u, 1u}) {
        std::optional<WarpgroupOperand> operand = warpgroupOperand({rows, columns}, contiguous, 2);
        int64_t along = contiguous ? columns : rows, across = contiguous ? rows : columns;
        ASSERT_TRUE(operand);
        SharedLayoutAttr layout = warpgroupSharedLayout(&context, {rows, columns}, *operand, 2);
        EXPECT_EQ(recogniseWarpgroupOperand(layout, 2)->contiguous, contiguous);
        SmallVector<int64_t> offsets = layout.getElementOffsets();
        int64_t width = std::min<int64_t>(128, 2 * along);
        std::set<int64_t> seen;
        for (int64_t i = 0; i < along; ++i)
          for (int64_t j = 0; j < across; ++j) {
            int64_t address = 2 * i / width * width * across + j * width + 2 * i % width;
            address ^= (address >> 7 & (width / 16 - 1)) << 4;
            int64_t element = contiguous ? j * columns + i : i * columns + j;
            ASSERT_EQ(2 * combine(offsets, element), address);
            seen.insert(address);
          }
        EXPECT_EQ(int64_t(seen.size()), rows * columns);
      }
  EXPECT_FALSE(warpgroupOperand({64, 8}, 1, 2)); // 16 bytes are no swizzled row
}

TEST_F(SharedAccess, WarpgroupResultsHoldEveryElementOnce) {
  for (int64_t m : {64, 128, 256})
    for (int64_t n : {8, 64, 512})
      for (unsigned warps : {4u, 8u, 16u}) {
        std::optional<WarpgroupShape> shape = warpgroupShape(m, n, warps);
        if (!shape)
          continue;
        LayoutAttr layout = warpgroupLayout(&context, *shape);
        EXPECT_TRUE(layout.toLinear().isInjective() && layout.toLinear().isSurjective());
        // Warp w of a group holds rows 16w.., lane l row l / 4 of them, register r column
        // 8 (r / 4) + 2 (l % 4) + r % 2, eight rows further down for every other pair.
        for (unsigned warp = 0; warp < 4; ++warp)
          for (unsigned lane = 0; lane < 32; ++lane)
            for (int64_t r = 0; r < shape->instructionN / 2; ++r) {
              int64_t row = 16 * warp + lane / 4 + 8 * (r / 2 % 2);
              int64_t column = 8 * (r / 4) + 2 * (lane % 4) + r % 2;
              ASSERT_EQ(layout.toLinear().applyFlat(r, lane, warp), row * n + column);
            }
      }
  EXPECT_FALSE(warpgroupShape(32, 64, 4));
  EXPECT_FALSE(warpgroupShape(64, 64, 2));
}

// Words 0 to 3 of a lane: rows l / 4 and eight further down, of the first 16 bytes of depth, then
// of the second.
TEST_F(SharedAccess, WarpgroupLeftOperandsInRegistersLieAsTheInstructionReads) {
  for (llvm::StringRef name : {"wgmma.f16", "wgmma.f16.f16", "wgmma.bf16", "wgmma.tf32", "wgmma.s8",
                               "wgmma.u8s8", "wgmma.e5m2"})
    for (int64_t m : {64, 128})
      for (unsigned warps : {4u, 8u}) {
        const WarpgroupAtom &atom = *findWarpgroupAtom(name);
        int64_t depth = 2 * atom.k, packed = 4 / atom.elementBytes;
        WarpgroupShape shape = *warpgroupShape(m, 64, warps);
        LayoutAttr layout = warpgroupLhsLayout(&context, fragmentsOf(atom), shape, depth);
        EXPECT_TRUE(layout.toLinear().isSurjective());
        for (unsigned warp = 0; warp < 4; ++warp)
          for (unsigned lane = 0; lane < 32; ++lane)
            for (int64_t r = 0; r < 8 * packed; ++r) { // two instructions
              int64_t word = r / packed % 4, row = 16 * warp + lane / 4 + 8 * (word % 2);
              int64_t column = r / packed / 4 * atom.k + word / 2 * (atom.k / 2) +
                               lane % 4 * packed + r % packed;
              ASSERT_EQ(layout.toLinear().applyFlat(r, lane, warp), row * depth + column)
                  << name.str();
            }
      }
}

// What the instruction takes for rows l / 4 and eight further down are two rows of the tile that lie
// side by side, in the sums as in the left operand; a phase of 16 lanes reads 4 x 64 bytes from 4 rows of K, two
// pieces of 16 bytes apart, without a bank conflict.
TEST_F(SharedAccess, WarpgroupRowsThatAreNeighboursMayBePaired) {
  WarpgroupShape shape = *warpgroupShape(128, 64, 4);
  const WarpgroupAtom &atom = *findWarpgroupAtom("wgmma.tf32");
  LayoutAttr left = pairedRows(warpgroupLhsLayout(&context, fragmentsOf(atom), shape, 16)),
             sums = pairedRows(warpgroupLayout(&context, shape));
  for (const LayoutAttr &layout : {left, sums})
    EXPECT_TRUE(layout.toLinear().isInjective() && layout.toLinear().isSurjective());
  for (unsigned warp = 0; warp < 4; ++warp)
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned group = lane / 4; // 0, 1, 2, ... are rows 0, 2, 16, 18, 4, 6, 20, 22
      int64_t row = 8 * (warp % 2) + 32 * (warp / 2) + 2 * (group % 2) + 16 * (group / 2 % 2) +
                    4 * (group / 4);
      for (int64_t r = 0; r < 16; ++r) { // two steps along K of 64 rows, then the next 64
        int64_t column = 4 * (r / 2 % 2) + 8 * (r / 4 % 2) + lane % 4;
        ASSERT_EQ(left.toLinear().applyFlat(r, lane, warp),
                  (row + r % 2 + 64 * (r / 8)) * 16 + column);
      }
      for (int64_t r = 0; r < 32; ++r)
        ASSERT_EQ(sums.toLinear().applyFlat(r, lane, warp),
                  (row + r / 2 % 2) * 64 + 8 * (r / 4) + 2 * (lane % 4) + r % 2);
    }
  LayoutAttr held =
      pairedRows(warpgroupLhsLayout(&context, fragmentsOf(atom), *warpgroupShape(128, 128, 8), 32));
  SharedLayoutAttr slot = warpgroupSharedLayout(
      &context, {128, 32}, *warpgroupOperand({128, 32}, /*contiguous=*/0, 4), 4);
  WarpAccess access = readAccess(slot.offsetsOf(held), 4, /*ldmatrix=*/false);
  EXPECT_EQ(access.bytes, 8);
  EXPECT_EQ(countWavefronts(access), 2);
}

// Fragments of sums are written as matrices, four at once, to where threads read pieces of 16 bytes.
TEST_F(SharedAccess, FragmentsAreStoredAsMatrices) {
  LayoutAttr sums = warpgroupLayout(&context, *warpgroupShape(128, 64, 4));
  auto pieces = LayoutAttr::get(&context, {128, 64}, {1, 2, 4, 256, 512, 4096},
                                {8, 16, 32, 64, 128}, {1024, 2048});
  std::optional<MatrixExchange> plan = planMatrixStores(sums, pieces, 2);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->read.transposed);
  EXPECT_EQ(plan->read.matrices, 4u);
  EXPECT_EQ(countWavefronts(readAccess(plan->offsets, 2, /*ldmatrix=*/true)), 1);
  EXPECT_EQ(countWavefronts(readAccess(plan->shared.offsetsOf(pieces), 2, false)), 4);
  EXPECT_FALSE(planMatrixStores(sums, pieces, 4));
  LayoutAttr across = LayoutAttr::get(&context, {64, 128}, {1, 2, 4, 1024, 2048, 4096},
                                      {8, 64, 128, 256, 512}, {16, 32});
  plan = planMatrixStores(permuteLayout(sums, {1, 0}), across, 2);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->read.transposed);
  EXPECT_EQ(countWavefronts(readAccess(plan->offsets, 2, /*ldmatrix=*/true)), 1);
}

} // namespace
