// The boxes of a buffer, copied as the hardware does, put every element where its layout says.
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"

#include "gtest/gtest.h"

namespace tilesmith::tileas {
namespace {

int64_t elementsOf(llvm::ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

/// Where a tensor copy of 16-byte-swizzled rows of `width` bytes puts the byte.
int64_t swizzled(int64_t address, int64_t width) {
  int64_t mask = width == 128 ? 7 : width == 64 ? 3 : width == 32 ? 1 : 0;
  return address ^ (address >> 7 & mask) << 4;
}

/// Row-major number of the element that lies at each offset (in elements), from simulated copies.
std::vector<int64_t> simulate(const TensorBox &box, llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> held(elementsOf(shape), -1);
  for (const TensorBox::Piece &piece : box.pieces(shape)) {
    llvm::SmallVector<int64_t> at(box.dims.size(), 0);
    for (int64_t linear = 0; linear < box.bytes() / box.elementBytes; ++linear) {
      llvm::SmallVector<int64_t> position(piece.start);
      for (auto [index, dim] : llvm::enumerate(box.dims))
        position[dim] += at[index];
      int64_t number = 0;
      for (auto [extent, coordinate] : llvm::zip_equal(shape, position)) {
        EXPECT_LT(coordinate, extent);
        number = number * extent + coordinate;
      }
      int64_t address = swizzled(piece.offset + linear * box.elementBytes, box.width);
      EXPECT_EQ(held[address / box.elementBytes], -1);
      held[address / box.elementBytes] = number;
      for (unsigned index = 0; index < at.size() && ++at[index] == box.extents[index]; ++index)
        at[index] = 0;
    }
  }
  return held;
}

TEST(TensorBox, CopiesMatchTheLayout) {
  mlir::MLIRContext context;
  context.loadDialect<TileASDialect>();
  unsigned checked = 0, divided = 0;
  for (const std::vector<int64_t> &shape : std::vector<std::vector<int64_t>>{{64},
                                                                             {1024},
                                                                             {16, 16},
                                                                             {64, 64},
                                                                             {128, 32},
                                                                             {8, 512},
                                                                             {512, 8},
                                                                             {1, 64},
                                                                             {64, 1},
                                                                             {4, 8, 32},
                                                                             {2, 1, 64},
                                                                             {2, 2, 2, 2, 64},
                                                                             {32, 4, 16},
                                                                             {1024, 64},
                                                                             {2, 2, 2, 2, 2, 16},
                                                                             {16, 512, 2}})
    for (unsigned contiguous = 0; contiguous < shape.size(); ++contiguous)
      for (int64_t width : {0, 32, 64, 128})
        for (int64_t bytes : {1, 2, 4, 8}) {
          SharedLayoutAttr layout = tensorBoxLayout(&context, shape, contiguous, width, bytes);
          if (!layout)
            continue;
          std::optional<TensorBox> box = recogniseTensorBox(layout, bytes);
          ASSERT_TRUE(box);
          for (int64_t extent : box->extents)
            EXPECT_LE(extent, 256);
          std::vector<int64_t> held = simulate(*box, shape);
          llvm::SmallVector<int64_t> offsets = layout.getElementOffsets();
          for (int64_t offset = 0; offset < int64_t(held.size()); ++offset) {
            int64_t expected = 0;
            for (unsigned bit = 0; bit < offsets.size(); ++bit)
              expected ^= held[offset] >> bit & 1 ? offsets[bit] : 0;
            ASSERT_EQ(offset, expected);
          }
          for (int64_t parts : {1, 2, 4, 16})
            if (std::optional<TensorBox> part = boxOfPart(*box, shape, parts)) {
              EXPECT_EQ(part->countPieces(shape), int64_t(part->pieces(shape).size()));
              EXPECT_EQ(part->countPieces(shape) % parts, 0);
              EXPECT_EQ(simulate(*part, shape), held);
              divided += parts > 1;
            }
          ++checked;
        }
  EXPECT_GT(checked, 60u);
  EXPECT_GT(divided, 60u);
}

TEST(TensorBox, WarpgroupOperandsAreBoxes) {
  mlir::MLIRContext context;
  context.loadDialect<TileASDialect>();
  for (int64_t rows : {8, 64, 256})
    for (int64_t columns : {16, 32, 64, 256})
      for (unsigned contiguous : {0u, 1u}) {
        int64_t shape[] = {rows, columns};
        auto operand = warpgroupOperand(shape, contiguous, 2);
        if (!operand)
          continue;
        auto box = recogniseTensorBox(warpgroupSharedLayout(&context, shape, *operand, 2), 2);
        ASSERT_TRUE(box) << rows << "x" << columns;
        EXPECT_EQ(box->width, operand->width);
      }
}

TEST(TensorBox, PartsAreWhole) {
  mlir::MLIRContext context;
  context.loadDialect<TileASDialect>();
  auto box = [&](llvm::ArrayRef<int64_t> shape, int64_t width) {
    return *recogniseTensorBox(tensorBoxLayout(&context, shape, 1, width, 2), 2);
  };
  // Panels as they are, and half of their rows.
  EXPECT_EQ(boxOfPart(box({64, 128}, 128), {64, 128}, 2)->extents,
            (llvm::ArrayRef<int64_t>{64, 64}));
  EXPECT_EQ(boxOfPart(box({64, 64}, 128), {64, 64}, 2)->extents, (llvm::ArrayRef<int64_t>{64, 32}));
  // Eight rows of 128 bytes, and 128 bytes without a swizzle, stay together.
  EXPECT_FALSE(boxOfPart(box({16, 64}, 128), {16, 64}, 4));
  EXPECT_TRUE(boxOfPart(box({16, 64}, 128), {16, 64}, 2));
  EXPECT_FALSE(boxOfPart(box({8, 16}, 0), {8, 16}, 4));
}

TEST(TensorBox, RefusesWhatNoBoxGives) {
  mlir::MLIRContext context;
  context.loadDialect<TileASDialect>();
  EXPECT_FALSE(tensorBoxLayout(&context, {2, 2, 2, 2, 2, 16}, 5, 0, 2)); // rank 6
  EXPECT_FALSE(tensorBoxLayout(&context, {64, 4}, 1, 0, 2));             // rows of 8 bytes
  EXPECT_FALSE(tensorBoxLayout(&context, {64, 16}, 1, 64, 2));           // rows below the swizzle
  EXPECT_FALSE(tensorBoxLayout(&context, {4, 512}, 1, 0, 2));            // a cut in the middle
  EXPECT_FALSE(tensorBoxLayout(&context, {4, 64}, 1, 128, 2));           // half of a pattern
}

} // namespace
} // namespace tilesmith::tileas
