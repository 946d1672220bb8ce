//===- CoverageTest.cpp - every operation has a lowering, or a reason why not -----------------===//
//
// Walks the registered operations of nv_tileaa and nv_tileas: one of nv_tileas is emitted, one of
// nv_tileaa is emitted or rewritten into nv_tileas; what is neither stands here with its reason.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Rewriter.h"
#include "compiler/conversion/TileASToNVGPU/Emitter.h"

#include "mlir/IR/MLIRContext.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace mlir;
using namespace tilesmith;

namespace {

constexpr char kRefused[] = "refused by name, see refusal() of convert-tileaa-to-tileas";

const std::map<std::string, std::string> &withoutLowering() {
  static const std::map<std::string, std::string> reasons = {
      {"nv_tileas.yield", "reduce and scan read the operands of their body's end"},
      {"nv_tileaa.yield", "reduce and scan read the operands of their body's end"},
      {"nv_tileaa.func", "convert-tileas-to-nvgpu makes the kernel itself"},
      {"nv_tileaa.global", "emitGlobal, before any function"},
      {"nv_tileaa.call", "convert-tileaa-to-tileas inlines it"},
      {"nv_tileaa.cancel_next_program_id", "tileas-dynamic-persistent makes that of nv_tileas"},
      {"nv_tileaa.conv_dot", kRefused},
      {"nv_tileaa.conv_tile", kRefused},
      {"nv_tileaa.create_queue", kRefused},
      {"nv_tileaa.execute", kRefused},
      {"nv_tileaa.inject_ir", kRefused},
      {"nv_tileaa.launch_func", kRefused},
      {"nv_tileaa.plugin", kRefused},
      {"nv_tileaa.pragma", "convert-tileaa-to-tileas puts its code in its place"},
      {"nv_tileaa.queue.get", kRefused},
      {"nv_tileaa.queue.put", kRefused},
      {"nv_tileaa.queue.yield", kRefused},
  };
  return reasons;
}

class CoverageTest : public testing::Test {
protected:
  CoverageTest() { context.loadDialect<tileaa::TileAADialect, tileas::TileASDialect>(); }

  /// Names of the operations of a dialect for which `holds` is true.
  template <typename Predicate>
  std::set<std::string> namesOf(StringRef dialect, Predicate holds) const {
    std::set<std::string> names;
    for (RegisteredOperationName name :
         const_cast<MLIRContext &>(context).getRegisteredOperations())
      if (name.getDialectNamespace() == dialect && holds(name))
        names.insert(name.getStringRef().str());
    return names;
  }

  static bool isEmitted(OperationName name) {
    const tileas_to_nvgpu::HandlerTable &table = tileas_to_nvgpu::handlerTable();
    return table.operations.lookup(name) || table.elements.lookup(name);
  }
  static bool isRewritten(OperationName name) {
    return tileaa_to_tileas::rewriteTable().lookup(name);
  }

  MLIRContext context;
};

std::set<std::string> reasonsFor(StringRef dialect) {
  std::set<std::string> names;
  for (const auto &[name, reason] : withoutLowering())
    if (StringRef(name).starts_with((dialect + ".").str()))
      names.insert(name);
  return names;
}

TEST_F(CoverageTest, EveryOperationOfTileASIsEmittedOrHasAReason) {
  EXPECT_GE(namesOf("nv_tileas", isEmitted).size(), 30u);
  EXPECT_EQ(namesOf("nv_tileas", [](OperationName name) { return !isEmitted(name); }),
            reasonsFor("nv_tileas"));
}

TEST_F(CoverageTest, EveryOperationOfTileAAIsRewrittenOrEmittedOrHasAReason) {
  EXPECT_GE(namesOf("nv_tileaa", isRewritten).size(), 15u);
  auto hasNeither = [](OperationName name) { return !isEmitted(name) && !isRewritten(name); };
  EXPECT_EQ(namesOf("nv_tileaa", hasNeither), reasonsFor("nv_tileaa"));
}

TEST_F(CoverageTest, AnOperationIsEmittedAsAWholeOrByElements) {
  const tileas_to_nvgpu::HandlerTable &table = tileas_to_nvgpu::handlerTable();
  for (RegisteredOperationName name : context.getRegisteredOperations())
    EXPECT_FALSE(table.operations.lookup(name) && table.elements.lookup(name))
        << name.getStringRef().str();
}

TEST_F(CoverageTest, AnUnregisteredOperationHasNoHandler) {
  EXPECT_FALSE(isEmitted(OperationName("nv_tileas.nonsense", &context)));
}

} // namespace
