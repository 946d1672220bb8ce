//===- CompletenessTest.cpp - every op of the stage has an evaluator or a reason --------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "oracles/engines/tileas/Distributed.h"
#include "oracles/engines/tileas/Ops.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;
using namespace tilesmith::oracles::tileas_engine;

namespace {

TEST(TileASCompleteness, EveryRegisteredOpHasAnEvaluatorOrAReason) {
  mlir::MLIRContext context;
  context.loadDialect<tileaa::TileAADialect, tileas::TileASDialect>();
  unsigned evaluated = 0, reasoned = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "nv_tileas" && name.getDialectNamespace() != "nv_tileaa")
      continue;
    const tileaa_engine::OpEntry *entry = opTable().lookup(name.getStringRef());
    ASSERT_TRUE(entry) << name.getStringRef().str();
    if (entry->evaluate) {
      ++evaluated;
      continue;
    }
    ++reasoned;
    EXPECT_FALSE(entry->reason.empty()) << name.getStringRef().str();
    EXPECT_NE(name.getDialectNamespace(), "nv_tileas") << name.getStringRef().str();
  }
  std::fprintf(stderr, "%u ops with an evaluator, %u without\n", evaluated, reasoned);
}

// What a layout says, place by place, is what the library of the compiler says.
TEST(TileASPlaces, AgreeWithTheLinearLayout) {
  mlir::MLIRContext context;
  context.loadDialect<tileas::TileASDialect>();
  const std::vector<int64_t> shapes[] = {{1}, {4}, {128}, {8, 16}, {2, 64, 4}, {1024}};
  for (const std::vector<int64_t> &shape : shapes) {
    tileas::LayoutAttr layout = tileas::getCanonicalLayout(&context, shape, 4);
    LinearLayout linear = layout.toLinear();
    const Places &places = placesOf(layout);
    int64_t registers = layout.getNumRegisters();
    for (size_t place = 0; place < places.count(); ++place) {
      int64_t thread = static_cast<int64_t>(place) / registers;
      ASSERT_EQ(
          static_cast<int64_t>(places.elementAt(place)),
          linear.applyFlat(static_cast<int64_t>(place) % registers, thread % 32, thread / 32));
    }
  }
}

TEST(TileASPlaces, GatheringNoticesThreadsThatDisagree) {
  mlir::MLIRContext context;
  context.loadDialect<tileas::TileASDialect>();
  tileas::LayoutAttr layout = tileas::getCanonicalLayout(&context, {32}, 2);
  reference::Tile tile(reference::ElementType::I32, {32});
  for (size_t i = 0; i < 32; ++i)
    tile.set(i, {i});
  reference::Tile registers = distribute(tile, layout), back(reference::ElementType::I32, {});
  ASSERT_FALSE(gather(registers, layout, back).failed());
  for (size_t i = 0; i < 32; ++i)
    EXPECT_EQ(back.bits()[i], i);
  registers.set(40, {99}); // thread 40 holds element 8, too
  EXPECT_TRUE(gather(registers, layout, back).failed());
  registers.set(40, reference::unknownElement());
  ASSERT_FALSE(gather(registers, layout, back).failed());
  EXPECT_EQ(back.state(8), reference::State::Unknown);
}

} // namespace
