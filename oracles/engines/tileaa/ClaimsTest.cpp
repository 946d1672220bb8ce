//===- ClaimsTest.cpp - facts that hold and facts that do not ---------------------------------===//
//
// One op of known results carries a fact: the interpreter goes on where it holds, and stops where one
// element breaks it. An element that is open breaks nothing.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Claims.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;

namespace {

struct Sample {
  const char *name;
  const char *op;   ///< of the arguments %x, integers, and %p, equal pointers
  const char *fact; ///< entries of the dictionary
  bool holds;
  std::optional<size_t> open = {}; ///< the element of %x that is open
};

/// %x in each of the samples.
constexpr int32_t kElements[] = {8, 9, 10, 11, -4, -3, -2, -1};
constexpr const char *kSelf = "arith.addi %x, %zero";
constexpr const char *kTruth = "arith.cmpi slt, %x, %zero";
constexpr const char *kPointers = "\"nv_tileaa.addptr\"(%p, %x)";

const Sample kSamples[] = {
    {"runs", kSelf, "contiguity = 4 : i64, divisor = 4 : i64", true},
    {"run_too_long", kSelf, "contiguity = 8 : i64", false},
    {"run_too_long_but_open", kSelf, "contiguity = 8 : i64", false, 4},
    {"run_begins_beside_multiple", kSelf, "contiguity = 4 : i64, divisor = 8 : i64", false},
    {"divisor_of_every_element", kSelf, "divisor = 2 : i64", false},
    {"lower", kSelf, "lower = -4 : i64, upper = 11 : i64", true},
    {"lower_too_high", kSelf, "lower = -3 : i64, upper = 11 : i64", false},
    {"lower_broken_by_open_element", kSelf, "lower = -3 : i64, upper = 11 : i64", true, 4},
    {"upper_too_low", kSelf, "lower = -4 : i64, upper = 10 : i64", false},
    {"not_equal", kSelf, "constancy = 2 : i64", false},
    {"equal", kTruth, "constancy = 4 : i64", true},
    {"equal_for_too_long", kTruth, "constancy = 8 : i64", false},
    {"pointers_rise_by_pointees", kPointers, "contiguity = 4 : i64, divisor = 16 : i64", true},
    {"pointers_on_too_large_multiples", kPointers, "contiguity = 4 : i64, divisor = 64 : i64",
     false},
};

class ClaimsTest : public ::testing::TestWithParam<Sample> {};

std::string moduleOf(const Sample &sample) {
  llvm::StringRef op(sample.op);
  const std::string pointers = "tensor<8x!nv_tileaa.ptr<i32, 1>>";
  std::string type =
      op.contains("addptr") ? "(" + pointers + ", tensor<8xi32>) -> " + pointers : "tensor<8xi32>";
  return "func.func @f(%x: tensor<8xi32>, %zero: tensor<8xi32>, %p: " + pointers +
         ") {\n  %r = " + op.str() + " {nv_tileaa.facts = [{" + sample.fact + "}]} : " + type +
         "\n  return\n}\n";
}

TEST_P(ClaimsTest, holdsOrStops) {
  const Sample &sample = GetParam();
  mlir::DialectRegistry registry;
  tileaa::registerDialect(registry);
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(moduleOf(sample), &context);
  ASSERT_TRUE(module) << moduleOf(sample);
  auto function = *module->getOps<mlir::func::FuncOp>().begin();

  Tile elements(ElementType::I32, {8});
  for (auto [i, value] : llvm::enumerate(kElements))
    elements.set(i, {static_cast<uint32_t>(value)});
  if (sample.open)
    elements.set(*sample.open, unknownElement());
  reference::Memory memory;
  LaunchState launch{memory, {1, 1, 1}, {}, {}};
  Machine machine(launch, {0, 0, 0});
  Tile pointers(ElementType::Pointer, {8});
  for (uint64_t &pointer : pointers.bits())
    pointer = uint64_t(1) << 20;
  machine.push(function, function.getBody().front(),
               {elements, Tile(ElementType::I32, {8}), pointers});
  bool finished = false;
  Status status = machine.run(finished);
  EXPECT_EQ(status.failed(), !sample.holds);
  if (status.failed())
    EXPECT_EQ(status.get().kind, kBrokenClaimLabel.str()) << status.get().message;
}

INSTANTIATE_TEST_SUITE_P(All, ClaimsTest, ::testing::ValuesIn(kSamples),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
