//===- InputDataTest.cpp ----------------------------------------------------------------------===//
#include "generators/inputs/InputData.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

TEST(InputData, EveryTypeGetsItsSpecialValues) {
  ChoiceStream stream = ChoiceStream::fromSeed(1);
  std::set<uint64_t> halves, bytes, bools;
  for (int i = 0; i < 4000; ++i) {
    halves.insert(chooseElement(testcase::DataType::F16, stream));
    bytes.insert(chooseElement(testcase::DataType::I8, stream));
    bools.insert(chooseElement(testcase::DataType::Bool, stream));
  }
  for (uint64_t pattern :
       {0x0000, 0x8000, 0x0001, 0x03FF, 0x0400, 0x3C00, 0x7BFF, 0x7C00, 0xFC00, 0x7E00})
    EXPECT_TRUE(halves.count(pattern)) << pattern;
  EXPECT_TRUE(bytes.count(0x80) && bytes.count(0x7F) && bytes.count(0) && bytes.count(0xFF));
  EXPECT_EQ(bools, (std::set<uint64_t>{0, 1}));
}

TEST(InputData, TheWholeStorageIsFilledReproducibly) {
  testcase::Buffer a;
  a.dtype = testcase::DataType::I32;
  a.shape = {3, 4};
  a.strides = {7, 1};
  testcase::Buffer b = a;
  fillBuffer(a, ChoiceStream::fromSeed(5));
  fillBuffer(b, ChoiceStream::fromSeed(5));
  EXPECT_EQ(a.data.size(), (2u * 7 + 3 + 1) * 4);
  EXPECT_EQ(a.data, b.data);
}

} // namespace
