//===- CompareTest.cpp ------------------------------------------------------------------------===//
#include "reference/testcase/Compare.h"

#include <cmath>

#include <gtest/gtest.h>

using namespace tilesmith::testcase;

namespace {

Buffer makeBuffer(DataType type, std::vector<int64_t> shape, std::vector<int64_t> strides) {
  Buffer buffer;
  buffer.dtype = type;
  buffer.shape = std::move(shape);
  buffer.strides = std::move(strides);
  buffer.data.assign(buffer.byteSize(), 0);
  return buffer;
}

Bytes pack(DataType type, std::vector<uint64_t> patterns) {
  Bytes bytes(patterns.size() * sizeInBytes(type));
  for (auto [i, p] : llvm::enumerate(patterns))
    writeElement(bytes, type, i, p);
  return bytes;
}

// [spec: class-exact, nan-any]
TEST(CompareTest, ExactTreatsAllNaNsAlikeButNotTheZeros) {
  Buffer b = makeBuffer(DataType::F32, {3}, {1});
  Bytes got = pack(b.dtype, {0x7fc00000, 0x3f800000, 0x80000000});
  Bytes want = pack(b.dtype, {0xffc00001, 0x3f800000, 0x00000000});
  CompareResult r = compareBuffer(b, got, want, {});
  EXPECT_EQ(r.compared, 3u);
  ASSERT_EQ(r.mismatches, 1u);
  EXPECT_EQ(r.first->index, std::vector<int64_t>{2});
  EXPECT_EQ(r.first->ulps, 0);
}

TEST(CompareTest, CloseUsesAbsoluteAndRelativeTolerance) {
  Buffer b = makeBuffer(DataType::F64, {4}, {1});
  auto bits = [](double d) { return fromDouble(DataType::F64, d); };
  Bytes want = pack(b.dtype, {bits(100), bits(0), bits(INFINITY), bits(1)});
  Bytes got = pack(b.dtype, {bits(101), bits(1e-3), bits(-INFINITY), bits(NAN)});
  Comparison close{Comparison::Mode::Close, 1e-3, 1e-2};
  CompareResult r = compareBuffer(b, got, want, close);
  EXPECT_EQ(r.mismatches, 2u); // the infinity of the other sign and the NaN
  EXPECT_EQ(r.first->element, 2u);
}

TEST(CompareTest, GapsBetweenRowsMustBeUnchangedEvenInCloseMode) {
  Buffer b = makeBuffer(DataType::F32, {2, 2}, {3, 1}); // element 2 is a gap
  ASSERT_EQ(b.elementCount(), 5u);
  Bytes want = pack(b.dtype, {0, 0, 0, 0, 0});
  Bytes got = pack(b.dtype, {0, 0, 1, 0, 1}); // both differ by one subnormal
  CompareResult r = compareBuffer(b, got, want, {Comparison::Mode::Close, 1, 0});
  ASSERT_EQ(r.mismatches, 1u);
  EXPECT_TRUE(r.first->inGap);
  EXPECT_EQ(r.first->element, 2u);
}

// Pointers reach gaps: what they may leave there is within bounds, and where there is one result it alone is.
TEST(CompareTest, GapsMayHoldWhatIsLegalThere) {
  Buffer b = makeBuffer(DataType::F32, {2, 1}, {2, 1}); // element 1 is a gap
  ASSERT_EQ(b.elementCount(), 3u);
  const uint64_t zero = 0, minus = 0x80000000, one = 0x3f800000;
  Bytes low = pack(b.dtype, {zero, minus, zero}), high = pack(b.dtype, {zero, zero, zero});
  EXPECT_TRUE(compareEnclosed(b, pack(b.dtype, {zero, minus, zero}), low, high).ok());
  EXPECT_TRUE(compareEnclosed(b, pack(b.dtype, {zero, zero, zero}), low, high).ok());
  EXPECT_EQ(compareEnclosed(b, pack(b.dtype, {zero, one, zero}), low, high).mismatches, 1u);
  // What the gap began with is gone where one number is legal.
  b.data = pack(b.dtype, {zero, one, zero});
  Bytes point = pack(b.dtype, {zero, zero, zero});
  EXPECT_EQ(compareEnclosed(b, b.data, point, point).mismatches, 1u);
  EXPECT_EQ(compareEnclosed(b, pack(b.dtype, {zero, minus, zero}), point, point).mismatches, 1u);
}

TEST(CompareTest, ColumnMajorCoordinatesAreReported) {
  Buffer b = makeBuffer(DataType::I16, {2, 3}, {1, 2});
  Bytes want = pack(b.dtype, {0, 1, 2, 3, 4, 5}), got = want;
  writeElement(got, b.dtype, 5, 0xffff);
  CompareResult r = compareBuffer(b, got, want, {});
  ASSERT_EQ(r.mismatches, 1u);
  EXPECT_EQ(r.first->index, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(r.first->difference, 6);
  EXPECT_EQ(describe(b, r),
            "1 of 6 elements differ; first at [1, 2]: got -1 (0xffff), want 5 (0x0005), off by 6");
}

// [spec: state-compare]
TEST(CompareTest, IgnoredBytesAreSkipped) {
  Buffer b = makeBuffer(DataType::I32, {2}, {1});
  Bytes want = pack(b.dtype, {1, 2}), got = pack(b.dtype, {9, 2}), ignored(8, 0);
  ignored[3] = 1;
  CompareResult r = compareBuffer(b, got, want, {}, ignored);
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.skipped, 1u);
  EXPECT_EQ(r.compared, 1u);
}

// [spec: class-point]
TEST(CompareTest, EnclosuresHoldNumbersBetweenTheirBounds) {
  Buffer b = makeBuffer(DataType::BF16, {3}, {1});
  Bytes low = pack(b.dtype, {0x3f80, 0x7fc0, 0x3f80}),
        high = pack(b.dtype, {0x3f82, 0x7fc0, 0x3f80});
  EXPECT_TRUE(compareEnclosed(b, pack(b.dtype, {0x3f81, 0xffc0, 0x3f80}), low, high).ok());
  EXPECT_EQ(compareEnclosed(b, pack(b.dtype, {0x3f83, 0x3f80, 0x7fc0}), low, high).mismatches, 3u);
}

TEST(CompareTest, UlpDistanceCrossesZero) {
  EXPECT_EQ(ulpDistance(DataType::F32, 0x00000001, 0x80000001), 2);
  EXPECT_EQ(ulpDistance(DataType::F8E4M3FN, 0x38, 0x3a), 2);
  EXPECT_EQ(ulpDistance(DataType::F32, 0x7f800000, 0x7f7fffff), 1);
}

TEST(DataTypeTest, EveryEightBitPatternSurvivesTheRoundTrip) {
  for (DataType type :
       {DataType::F8E4M3FN, DataType::F8E5M2, DataType::F8E8M0FNU, DataType::F8E5M3FNU})
    for (uint64_t bits = 0; bits < 256; ++bits)
      if (!isNaNPattern(type, bits))
        EXPECT_EQ(fromDouble(type, toDouble(type, bits)), bits)
            << spelling(type).str() << ' ' << bits;
}

TEST(DataTypeTest, KnownValues) {
  EXPECT_EQ(toDouble(DataType::F8E4M3FN, 0x7e), 448);
  EXPECT_EQ(toDouble(DataType::F8E5M2, 0x7b), 57344);
  EXPECT_EQ(toDouble(DataType::F8E8M0FNU, 0x00), std::ldexp(1.0, -127));
  EXPECT_EQ(toDouble(DataType::F8E5M3FNU, 0x78), 1);
  EXPECT_EQ(toDouble(DataType::I8, 0x80), -128);
  EXPECT_EQ(toDouble(DataType::TF32, 0x3f801fff), 1);
  EXPECT_EQ(fromDouble(DataType::F16, 65520), 0x7c00u);
  EXPECT_EQ(fromDouble(DataType::BF16, 3.140625), 0x4049u);
}

} // namespace
