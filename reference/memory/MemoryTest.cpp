//===- MemoryTest.cpp -------------------------------------------------------------------------===//
#include "reference/memory/Memory.h"

#include <gtest/gtest.h>

using namespace tilesmith::reference;

namespace {

// [spec: mem-uninitialised, mem-bounds, mem-null, mem-alignment]
TEST(MemoryTest, AnAllocationStandsWhereItsOwnerHasIt) {
  Memory memory(100);
  const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  ASSERT_FALSE(bool(memory.allocateAt(0x7000, "x", bytes)));
  Element element;
  EXPECT_FALSE(memory.load(ElementType::I32, 0x7004, element));
  EXPECT_EQ(element.bits, 0x08070605u);
  EXPECT_TRUE(bool(memory.check(0x7006, 4, false)));
  // Null, an overlap at either end, and more than there is.
  for (uint64_t base : {0x0, 0x6ffc, 0x7004})
    EXPECT_NE(llvm::toString(memory.allocateAt(base, "y", bytes)), "") << base;
  EXPECT_FALSE(bool(memory.allocateAt(0x7008, "y", bytes)));
  EXPECT_NE(llvm::toString(memory.allocateAt(0x9000, "z", std::vector<uint8_t>(85))), "");
  memory.release(0x7000);
  EXPECT_FALSE(bool(memory.allocateAt(0x7000, "z", bytes)));
}

TEST(MemoryTest, FaultsAreNamedByKind) {
  Memory memory;
  std::vector<uint8_t> contents(8, 1);
  uint64_t base = cantFail(memory.allocate(12, 16, "buffer 0", contents));
  uint64_t constant = cantFail(memory.allocate(4, 4, "@table", {contents.data(), 4}, true));
  EXPECT_EQ(base % 256, 0u);
  Element e;
  auto kind = [](std::optional<Fault> f) { return f ? spelling(f->kind).str() : "none"; };
  EXPECT_EQ(kind(memory.load(ElementType::I32, base + 4, e)), "none");
  EXPECT_EQ(e.bits, 0x01010101u);
  EXPECT_EQ(kind(memory.load(ElementType::I32, base + 8, e)), "uninitialised-read");
  EXPECT_EQ(kind(memory.load(ElementType::I32, base + 2, e)), "misaligned");
  EXPECT_EQ(kind(memory.load(ElementType::I64, base + 8, e)), "out-of-bounds");
  EXPECT_EQ(kind(memory.load(ElementType::I32, base - 4, e)), "out-of-bounds");
  EXPECT_EQ(kind(memory.load(ElementType::I32, 0, e)), "null-access");
  EXPECT_EQ(kind(memory.store(ElementType::I32, constant, {})), "write-to-constant");
  EXPECT_EQ(memory.store(ElementType::I32, base + 12, {})->message,
            "store to bytes 12 to 15 of buffer 0, which has 12 bytes");
  memory.release(base);
  EXPECT_EQ(kind(memory.load(ElementType::I32, base, e)), "out-of-bounds");
}

// [spec: state-memory]
TEST(MemoryTest, StatesTravelThroughMemory) {
  Memory memory;
  uint64_t base = cantFail(memory.allocate(16, 16, "b"));
  Element e;
  EXPECT_FALSE(memory.store(ElementType::F32, base, {0x7fc00000, State::NaN}));
  EXPECT_FALSE(memory.load(ElementType::F32, base, e));
  EXPECT_EQ(e.state, State::NaN);
  EXPECT_FALSE(memory.load(ElementType::I32, base, e));
  EXPECT_EQ(e.state, State::Unknown) << "the payload of a NaN is unspecified";
  EXPECT_FALSE(memory.load(ElementType::F16, base + 2, e));
  EXPECT_EQ(e.state, State::NaN) << "the upper half of an f32 NaN happens to be an f16 NaN pattern";
  EXPECT_FALSE(memory.store(ElementType::I8, base + 3, {1, State::Unknown}));
  EXPECT_FALSE(memory.load(ElementType::F32, base, e));
  EXPECT_EQ(e.state, State::Unknown);
  EXPECT_FALSE(memory.store(ElementType::I8, base + 4, {7, State::Known}));
  EXPECT_FALSE(memory.load(ElementType::I1, base + 4, e));
  EXPECT_EQ(e.bits, 1u) << "any nonzero byte is true";
}

// [spec: type-i4, state-memory]
TEST(MemoryTest, NibblesShareAByte) {
  Memory memory;
  uint8_t zero = 0;
  uint64_t base = cantFail(memory.allocate(1, 1, "b", {&zero, 1}));
  Element e;
  EXPECT_FALSE(memory.store(ElementType::F4E2M1FN, base, {5, State::Known}, true));
  EXPECT_FALSE(memory.store(ElementType::F4E2M1FN, base, {9, State::Known}, false));
  EXPECT_FALSE(memory.load(ElementType::I8, base, e));
  EXPECT_EQ(e.bits, 0x59u);
  EXPECT_FALSE(memory.load(ElementType::F4E2M1FN, base, e, true));
  EXPECT_EQ(e.bits, 5u);
}

// [spec: mem-duplicate-store]
TEST(MemoryTest, OneStoreHittingAByteTwiceIsNoticed) {
  Memory memory;
  uint64_t base = cantFail(memory.allocate(16, 16, "b"));
  uint32_t first = memory.newStamp();
  EXPECT_FALSE(memory.markStored(base, 4, first));
  EXPECT_FALSE(memory.markStored(base + 4, 4, first));
  EXPECT_TRUE(memory.markStored(base + 2, 4, first));
  EXPECT_FALSE(memory.markStored(base, 4, memory.newStamp()));
}

// [spec: memory-limit]
TEST(MemoryTest, TheLimitIsAnError) {
  Memory memory(100);
  cantFail(memory.allocate(60, 1, "a"));
  auto second = memory.allocate(60, 1, "b");
  EXPECT_FALSE(static_cast<bool>(second));
  EXPECT_EQ(llvm::toString(second.takeError()),
            "expected at most 100 bytes of memory, 60 in use and 60 requested");
}

} // namespace
