//===- CanonicalizeTest.cpp - canonicalizers and facts, proven over all 8-bit values ----------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/target/Targets.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileaa;

namespace {

class CanonicalizeTest : public ::testing::Test {
protected:
  CanonicalizeTest() : builder(&context) {
    context.loadDialect<TileAADialect, arith::ArithDialect, func::FuncDialect>();
    loc = builder.getUnknownLoc();
  }

  /// A module with one function whose arguments have these types; the builder stands in its body.
  Block &start(TypeRange arguments) {
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    auto func = func::FuncOp::create(builder, loc, "f", builder.getFunctionType(arguments, {}));
    Block *block = func.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    return *block;
  }

  void canonicalize() {
    func::ReturnOp::create(builder, loc);
    ASSERT_TRUE(succeeded(verify(*module)));
    PassManager passes(&context);
    passes.addPass(createCanonicalizePass());
    ASSERT_TRUE(succeeded(passes.run(*module)));
  }

  Value constant(int64_t value, unsigned width) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(builder.getIntegerType(width), value));
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OpBuilder builder;
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module;
};

TEST(TileAARosterTest, AllDocumentedOpsAreRegistered) {
  MLIRContext context;
  context.loadDialect<TileAADialect>();
  const char *roster[] = {"addf",
                          "subf",
                          "mulf",
                          "divf",
                          "fma",
                          "sqrt",
                          "rsqrt",
                          "exp2",
                          "clampf",
                          "mulhiui",
                          "dot",
                          "conv_dot",
                          "reduce",
                          "scan",
                          "histogram",
                          "splat",
                          "broadcast",
                          "expand_dims",
                          "extract",
                          "extract_slice",
                          "view",
                          "cat",
                          "permute",
                          "make_range",
                          "generate",
                          "block_tile",
                          "conv_tile",
                          "get_dim_size",
                          "addptr",
                          "int_to_ptr",
                          "ptr_to_int",
                          "make_memref",
                          "bitcast",
                          "fp_to_fp",
                          "extern_elementwise",
                          "elementwise_inline_asm",
                          "call_elementwise_intrinsic",
                          "get_global",
                          "load",
                          "store",
                          "tiled_load",
                          "tiled_store",
                          "gather_load",
                          "scatter_store",
                          "atomic_cas",
                          "atomic_rmw",
                          "tiled_atomic_rmw",
                          "create_mem_token",
                          "join_mem_token",
                          "mark_for_reuse",
                          "assert",
                          "assume",
                          "optimization_barrier",
                          "pragma",
                          "message",
                          "print",
                          "func",
                          "call",
                          "return",
                          "yield",
                          "global",
                          "launch_func",
                          "execute",
                          "plugin",
                          "inject_ir",
                          "get_program_id",
                          "get_num_programs",
                          "is_valid_program_id",
                          "cancel_next_program_id",
                          "create_queue",
                          "queue.get",
                          "queue.put",
                          "queue.yield"};
  EXPECT_EQ(std::size(roster), 73u);
  std::set<std::string> registered;
  for (RegisteredOperationName name : context.getRegisteredOperationsByDialect("nv_tileaa"))
    registered.insert(name.getStringRef().drop_front(StringRef("nv_tileaa.").size()).str());
  for (const char *name : roster)
    EXPECT_TRUE(registered.erase(name)) << name;
  // Beyond the documents: the targets of cuda_tile.alloca and cuda_tile.gdc_*.
  EXPECT_EQ(registered, (std::set<std::string>{"alloca", "grid_dependency"}));
}

// The target of a module: a number under the name of today or the older one, as an integer or as an
// attribute of its own, or the name of a GPU; the number comes first.
TEST(TileAARosterTest, BothSpellingsOfTheTargetMeanTheSame) {
  MLIRContext context;
  context.loadDialect<TileAADialect>();
  Builder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  EXPECT_EQ(getTarget(*module).sm, 0u);
  const std::tuple<const char *, unsigned> targets[] = {
      {"sm_80", 80}, {"sm_90a", 90}, {"sm_100f", 100}, {"sm_121a", 121}};
  for (auto [name, number] : targets) {
    Attribute spellings[] = {builder.getI32IntegerAttr(number),
                             ComputeCapabilityAttr::get(&context, number)};
    for (StringRef key :
         {TileAADialect::kComputeCapability, TileAADialect::kComputeCapabilityLegacy})
      for (Attribute spelling : spellings) {
        (*module)->setDiscardableAttrs(
            {{builder.getStringAttr(key), spelling},
             {builder.getStringAttr("nv_tileaa.target"), TargetSpecAttr::get(&context, "sm_75")}});
        EXPECT_EQ(getTarget(*module).sm, number) << key.str();
      }
    (*module)->setDiscardableAttrs(
        {{builder.getStringAttr("nv_tileaa.target"), TargetSpecAttr::get(&context, name)}});
    EXPECT_EQ(getTarget(*module).sm, number) << name;
  }
  for (const char *name : {"sm_", "90", "sm_x", "gfx90"}) {
    (*module)->setDiscardableAttrs(
        {{builder.getStringAttr("nv_tileaa.target"), TargetSpecAttr::get(&context, name)}});
    EXPECT_EQ(getTarget(*module).sm, 0u) << name;
  }
}

// Nothing serialises the dialect, nothing abbreviates its types; ops print in the generic form.
TEST(TileAARosterTest, TheDialectHasNoBytecodeAndNoAliases) {
  MLIRContext context;
  Dialect *dialect = context.getOrLoadDialect<TileAADialect>();
  EXPECT_EQ(dialect->getRegisteredInterface<BytecodeDialectInterface>(), nullptr);
  EXPECT_EQ(dialect->getRegisteredInterface<OpAsmDialectInterface>(), nullptr);
  OpBuilder builder(&context);
  OwningOpRef<CreateMemTokenOp> token = CreateMemTokenOp::create(
      builder, builder.getUnknownLoc(), MemTokenType::get(&context), ValueRange());
  std::string text;
  llvm::raw_string_ostream(text) << *token->getOperation();
  EXPECT_NE(text.find("\"nv_tileaa.create_mem_token\"()"), std::string::npos) << text;
}

template <typename Interface> std::set<std::string> opsWith() {
  MLIRContext context;
  context.loadDialect<TileAADialect>();
  std::set<std::string> names;
  for (RegisteredOperationName name : context.getRegisteredOperationsByDialect("nv_tileaa"))
    if (name.hasInterface<Interface>())
      names.insert(name.stripDialect().str());
  return names;
}

TEST(TileAARosterTest, OpsWithAnAsmInterface) {
  EXPECT_EQ(opsWith<OpAsmOpInterface>(),
            (std::set<std::string>{"func", "load", "atomic_cas", "atomic_rmw", "tiled_load",
                                   "tiled_atomic_rmw", "gather_load"}));
}

TEST(TileAARosterTest, InterfacesSitOnTheOpsThatNeedThem) {
  std::set<std::string> memory = {"load",        "store",       "tiled_load",
                                  "tiled_store", "gather_load", "scatter_store",
                                  "atomic_cas",  "atomic_rmw",  "tiled_atomic_rmw"};
  EXPECT_EQ(opsWith<MemoryOpInterface>(), memory);
  std::set<std::string> tokens = memory;
  tokens.insert(
      {"create_mem_token", "grid_dependency", "join_mem_token", "mark_for_reuse", "print"});
  EXPECT_EQ(opsWith<AliasTokenOpInterface>(), tokens);
  std::set<std::string> alias = opsWith<AliasOpInterface>();
  for (const char *name :
       {"addptr", "bitcast", "int_to_ptr", "make_memref", "block_tile", "get_global", "alloca"})
    EXPECT_TRUE(alias.count(name)) << name;
}

// The table in the documentation is the table of the code.
TEST(TileAARosterTest, ReadmeShowsTheCanonicalizerTable) {
  EXPECT_EQ(canonicalizerTable().size(), 19u);
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  if (!root)
    GTEST_SKIP() << "needs the source folder in TILESMITH_SOURCE_DIR, as ctest sets it";
  auto readme =
      llvm::MemoryBuffer::getFile(std::string(root) + "/compiler/dialect/TileAA/README.md");
  ASSERT_TRUE(bool(readme));
  for (const CanonicalizerInfo &info : canonicalizerTable()) {
    std::string row = "| `" + info.name.str() + "` | " + info.ops.str() + " | " +
                      info.condition.str() + " | " + info.proof.str() + " |\n";
    EXPECT_NE((*readme)->getBuffer().find(row), llvm::StringRef::npos) << row;
  }
}

// Fusing a chain of narrow offsets moves the pointer exactly as the chain does, for all pairs of
// 8-bit offsets.
TEST_F(CanonicalizeTest, AddPtrChainsKeepTheAddress) {
  for (int x = -128; x < 128; ++x) {
    Block &block = start({PtrType::get(&context, builder.getI32Type(), 1)});
    std::vector<int64_t> expected;
    for (int y = -128; y < 128; ++y) {
      Value inner = AddPtrOp::create(builder, loc, block.getArgument(0).getType(),
                                     block.getArgument(0), constant(x, 8));
      Value outer = AddPtrOp::create(builder, loc, inner.getType(), inner, constant(y, 8));
      MarkForReuseOp::create(builder, loc, outer);
      expected.push_back(int64_t(x) + y);
    }
    canonicalize();
    size_t next = 0;
    block.walk([&](MarkForReuseOp op) {
      auto add = op.getValues()[0].getDefiningOp<AddPtrOp>();
      ASSERT_TRUE(add);
      EXPECT_EQ(add.getBase(), block.getArgument(0));
      auto offset = add.getOffset().getDefiningOp<arith::ConstantOp>();
      ASSERT_TRUE(offset);
      EXPECT_EQ(llvm::cast<IntegerAttr>(offset.getValue()).getInt(), expected[next++]);
    });
    EXPECT_EQ(next, expected.size());
  }
}

int64_t applyRMW(RMWMode mode, uint8_t old, uint8_t value) {
  int8_t a = old, b = value;
  switch (mode) {
  case RMWMode::add:
    return uint8_t(old + value);
  case RMWMode::and_:
    return old & value;
  case RMWMode::or_:
    return old | value;
  case RMWMode::xor_:
    return old ^ value;
  case RMWMode::min:
    return uint8_t(std::min(a, b));
  case RMWMode::max:
    return uint8_t(std::max(a, b));
  case RMWMode::umin:
    return std::min(old, value);
  case RMWMode::umax:
    return std::max(old, value);
  default:
    return value;
  }
}

// An atomic becomes a load exactly when no 8-bit memory content is changed by it.
TEST_F(CanonicalizeTest, OnlyTrueIdentitiesBecomeLoads) {
  for (RMWMode mode : {RMWMode::add, RMWMode::and_, RMWMode::or_, RMWMode::xor_, RMWMode::min,
                       RMWMode::max, RMWMode::umin, RMWMode::umax, RMWMode::xchg}) {
    Block &block = start({PtrType::get(&context, builder.getI8Type(), 1)});
    for (int value = 0; value < 256; ++value)
      AtomicRMWOp::create(builder, loc, builder.getI8Type(), MemTokenType::get(&context),
                          block.getArgument(0), constant(int8_t(value), 8), Value(), Value(), mode,
                          MemSemantic::relaxed, MemScopeAttr::get(&context, MemScope::gpu));
    canonicalize();
    std::set<int> kept;
    block.walk([&](AtomicRMWOp op) {
      auto value = op.getValue().getDefiningOp<arith::ConstantOp>();
      kept.insert(uint8_t(llvm::cast<IntegerAttr>(value.getValue()).getInt()));
    });
    for (int value = 0; value < 256; ++value) {
      bool neutral = true;
      for (int old = 0; old < 256; ++old)
        neutral &= applyRMW(mode, old, value) == old;
      EXPECT_EQ(kept.count(value) == 0, neutral) << stringifyRMWMode(mode).str() << " " << value;
    }
  }
}

// The integer dot fold is the sum of products modulo 2^32, for both signednesses.
TEST_F(CanonicalizeTest, IntegerDotsFoldToTheSumOfProducts) {
  std::mt19937 rng(3);
  for (bool signedA : {false, true})
    for (bool signedB : {false, true}) {
      start({});
      const int64_t m = 4, n = 8, k = 16;
      std::vector<int8_t> a(m * k), b(k * n);
      std::vector<int32_t> c(m * n), expected;
      for (auto &v : a)
        v = rng();
      for (auto &v : b)
        v = rng();
      for (auto &v : c)
        v = rng();
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          uint32_t sum = c[i * n + j];
          for (int64_t l = 0; l < k; ++l) {
            int32_t x = signedA ? int32_t(a[i * k + l]) : int32_t(uint8_t(a[i * k + l]));
            int32_t y = signedB ? int32_t(b[l * n + j]) : int32_t(uint8_t(b[l * n + j]));
            sum += uint32_t(x * y);
          }
          expected.push_back(int32_t(sum));
        }
      auto tile = [&](auto &values, std::initializer_list<int64_t> shape, unsigned width) -> Value {
        auto type = RankedTensorType::get(shape, builder.getIntegerType(width));
        return arith::ConstantOp::create(builder, loc,
                                         DenseElementsAttr::get(type, ArrayRef(values)));
      };
      auto sign = [&](bool s) {
        return SignednessAttr::get(&context, s ? Signedness::signed_ : Signedness::unsigned_);
      };
      Value acc = tile(c, {m, n}, 32);
      Value dot = DotOp::create(builder, loc, acc.getType(), tile(a, {m, k}, 8), tile(b, {k, n}, 8),
                                acc, Value(), Value(), sign(signedA), sign(signedB), BoolAttr(),
                                StringAttr(), UnitAttr());
      auto keep = MarkForReuseOp::create(builder, loc, dot);
      canonicalize();
      auto folded = keep.getValues()[0].getDefiningOp<arith::ConstantOp>();
      ASSERT_TRUE(folded);
      auto values = llvm::cast<DenseElementsAttr>(folded.getValue()).getValues<int32_t>();
      EXPECT_EQ(std::vector<int32_t>(values.begin(), values.end()), expected);
    }
}

//===------------------------------------------------------------------------------------------===//
// Facts
//===------------------------------------------------------------------------------------------===//

/// A random row of 16 8-bit values that satisfies the returned facts.
std::pair<Facts, std::vector<int64_t>> randomRow(std::mt19937 &rng) {
  Facts facts;
  std::vector<int64_t> row(16);
  int64_t group = int64_t(1) << rng() % 4;
  bool rising = rng() % 2;
  uint64_t divisor = uint64_t(1) << rng() % 5;
  for (int64_t i = 0; i < 16; i += group) {
    int64_t first = int64_t(int8_t(rng()) / int64_t(divisor)) * int64_t(divisor);
    for (int64_t j = 0; j < group; ++j)
      row[i + j] = first + (rising ? j : 0);
  }
  facts.divisor = divisor;
  (rising ? facts.contiguity : facts.constancy) = group;
  facts.lower = *std::min_element(row.begin(), row.end());
  facts.upper = *std::max_element(row.begin(), row.end());
  return {facts, row};
}

void expectHolds(const Facts &facts, const std::vector<int64_t> &row, const char *what) {
  for (int64_t i = 0; i < int64_t(row.size()); ++i) {
    if (i % facts.contiguity == 0)
      EXPECT_EQ(row[i] % int64_t(facts.divisor), 0) << what;
    else
      EXPECT_EQ(row[i], row[i - 1] + 1) << what;
    if (i % facts.constancy != 0)
      EXPECT_EQ(row[i], row[i - 1]) << what;
    if (facts.lower)
      EXPECT_GE(row[i], *facts.lower) << what;
    if (facts.upper)
      EXPECT_LE(row[i], *facts.upper) << what;
  }
}

TEST(FactsTest, ArithmeticOnFactsHoldsForAllRowsTried) {
  std::mt19937 rng(5);
  unsigned compared = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    auto [fa, a] = randomRow(rng);
    auto [fb, b] = randomRow(rng);
    std::vector<int64_t> sum, difference, product, either;
    for (size_t i = 0; i < a.size(); ++i) {
      sum.push_back(a[i] + b[i]);
      difference.push_back(a[i] - b[i]);
      product.push_back(a[i] * b[i]);
    }
    expectHolds(addFacts(fa, fb, 64), sum, "add");
    expectHolds(subFacts(fa, fb, 64), difference, "sub");
    expectHolds(mulFacts(fa, fb, 64), product, "mul");
    std::vector<int64_t> less, greater;
    for (size_t i = 0; i < a.size(); ++i) {
      less.push_back(a[i] < b[i]);
      greater.push_back(a[i] >= b[i]);
    }
    expectHolds(comparisonFacts(fa, fb), less, "less");
    expectHolds(comparisonFacts(fa, fb), greater, "not less");
    compared += comparisonFacts(fa, fb).constancy > 1;
    int64_t value = 1 + rng() % 40;
    std::vector<int64_t> quotient, remainder, upwards;
    for (int64_t x : a) {
      upwards.push_back(x / value + (x > 0 && x % value != 0));
      quotient.push_back(x / value);
      remainder.push_back(x % value);
    }
    expectHolds(divFacts(fa, constantFacts(value)), quotient, "div");
    expectHolds(ceilDivFacts(fa, constantFacts(value), 64), upwards, "div upwards");
    expectHolds(remFacts(fa, constantFacts(value)), remainder, "rem");
    expectHolds(mulFacts(fa, constantFacts(1), 64), a, "mul by one");
    expectHolds(joinFacts(fa, fb), a, "join");
    expectHolds(joinFacts(fa, fb), b, "join");
  }
  EXPECT_GT(compared, 1000u);
}

TEST(FactsTest, QuotientsRoundedUpAreBounded) {
  Facts length;
  EXPECT_EQ(ceilDivFacts(length, constantFacts(128), 32), Facts());
  length.lower = 1;
  EXPECT_EQ(ceilDivFacts(length, constantFacts(128), 32).lower, 1);
  EXPECT_EQ(ceilDivFacts(length, constantFacts(128), 32).upper, 1 << 24);
  length.upper = 257;
  EXPECT_EQ(ceilDivFacts(length, constantFacts(128), 32).upper, 3);
}

TEST(FactsTest, RunsSurviveWhereTheyCan) {
  Facts range; // 0 to 127
  range.contiguity = 128;
  range.divisor = Facts::kMaxDivisor;
  range.lower = 0;
  range.upper = 127;
  EXPECT_EQ(mulFacts(range, constantFacts(1), 32), range);
  EXPECT_EQ(mulFacts(range, constantFacts(2), 32).contiguity, 1);
  EXPECT_EQ(divFacts(range, constantFacts(24)).constancy, 8);
  EXPECT_EQ(remFacts(range, constantFacts(24)).contiguity, 8);
  EXPECT_EQ(remFacts(range, constantFacts(24)).divisor, 8u);
  range.lower = std::nullopt; // may be negative: the remainder of -8 to -1 by 8 is 0, -7 to -1
  EXPECT_TRUE(remFacts(range, constantFacts(8)).isTrivial());
}

TEST(FactsTest, BoundsThatMayWrapAreDropped) {
  Facts big = constantFacts(100), other = constantFacts(100);
  EXPECT_FALSE(addFacts(big, other, 8).upper.has_value());
  EXPECT_EQ(addFacts(big, other, 16).upper, 200);
  EXPECT_EQ(constantFacts(0).divisor, Facts::kMaxDivisor);
  EXPECT_EQ(constantFacts(-24).divisor, 8u);
}

} // namespace
