//===- TokenHopTest.cpp - tokens, types and legality of the conversion ------------------------===//
//
// make_token becomes create_mem_token and join_tokens join_mem_token, one for one; a join of one
// token is that token, a join of none (which only unverified IR has) a fresh one. All tokens of a
// context have one type object. What is left afterwards is of the six legal dialects; no tile has a
// layout yet, no cast is pending, modules at any depth are converted.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace tilesmith;

namespace {

/// Ops after converting a kernel whose join takes the first `count` of three tokens.
struct Converted {
  explicit Converted(unsigned count) {
    DialectRegistry registry;
    tileaa::registerDialect(registry);
    registry.insert<cuda_tile::CudaTileDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(R"(
      cuda_tile.module @m {
        entry @k(%p: tile<ptr<i32>>) {
          %a = make_token : token
          %b = make_token : token
          %c = make_token : token
          %j = join_tokens %a, %b, %c : token
          %x, %t = load_ptr_tko weak %p token=%j : tile<ptr<i32>> -> tile<i32>, token
          return
        }
      })",
                                         &context);
    EXPECT_TRUE(module);
    cuda_tile::JoinTokensOp join;
    module->walk([&](cuda_tile::JoinTokensOp op) { join = op; });
    join->setOperands(join->getOperands().take_front(count));
    PassManager passes(&context);
    passes.addPass(createConvertCudaTileToTileAAPass({"sm_90"}));
    EXPECT_TRUE(succeeded(passes.run(*module)));
    module->walk([&](Operation *op) {
      creates += isa<tileaa::CreateMemTokenOp>(op);
      joins += isa<tileaa::JoinMemTokenOp>(op);
      if (auto load = dyn_cast<tileaa::LoadOp>(op))
        behind = load.getToken().getDefiningOp();
      for (Value result : op->getResults())
        if (isa<tileaa::MemTokenType>(result.getType()))
          tokenTypes.insert(result.getType().getAsOpaquePointer());
    });
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  unsigned creates = 0, joins = 0;
  Operation *behind = nullptr; ///< what the load waits for
  llvm::SmallPtrSet<const void *, 2> tokenTypes;
};

TEST(TokenHopTest, JoinsKeepTheirOperands) {
  Converted three(3);
  EXPECT_EQ(three.creates, 3u);
  ASSERT_EQ(three.joins, 1u);
  EXPECT_EQ(cast<tileaa::JoinMemTokenOp>(three.behind).getTokens().size(), 3u);
}

TEST(TokenHopTest, ASingletonJoinIsItsToken) {
  Converted one(1);
  EXPECT_EQ(one.creates, 3u);
  EXPECT_EQ(one.joins, 0u);
  EXPECT_TRUE(isa<tileaa::CreateMemTokenOp>(one.behind));
}

TEST(TokenHopTest, AnEmptyJoinIsAFreshToken) {
  Converted none(0);
  EXPECT_EQ(none.creates, 4u);
  EXPECT_EQ(none.joins, 0u);
  auto create = dyn_cast<tileaa::CreateMemTokenOp>(none.behind);
  ASSERT_TRUE(create);
  EXPECT_TRUE(create.getObjects().empty());
}

TEST(TokenHopTest, TokenTypesArePointerEqual) {
  Converted three(3);
  EXPECT_EQ(three.tokenTypes.size(), 1u);
  EXPECT_EQ(*three.tokenTypes.begin(),
            tileaa::MemTokenType::get(&three.context).getAsOpaquePointer());
}

/// Converts a module; empty on failure.
OwningOpRef<ModuleOp> convertText(MLIRContext &context, StringRef text) {
  DialectRegistry registry;
  tileaa::registerDialect(registry);
  registry.insert<cuda_tile::CudaTileDialect, ub::UBDialect>();
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  PassManager passes(&context);
  passes.addPass(createConvertCudaTileToTileAAPass({"sm_90"}));
  return module && succeeded(passes.run(*module)) ? std::move(module) : OwningOpRef<ModuleOp>();
}

constexpr char kLoop[] = R"(
  cuda_tile.module @m {
    entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
      %one = constant <i32: 1> : tile<i32>
      %t0 = make_token : token
      %r:2 = loop iter_values(%i = %one, %t = %t0) : tile<i32>, token -> tile<8xi32>, token {
        %stop = cmpi greater_than %i, %n, signed : tile<i32> -> tile<i1>
        if %stop {
          %x = iota : tile<8xi32>
          break %x, %t : tile<8xi32>, token
        }
        %next = addi %i, %one : tile<i32>
        %a, %t1 = load_ptr_tko weak %p token=%t : tile<ptr<i32>> -> tile<i32>, token
        continue %next, %t1 : tile<i32>, token
      }
      return
    }
  })";

TEST(TokenHopTest, OnlyTheLegalDialectsAreLeft) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = convertText(context, kLoop);
  ASSERT_TRUE(module);
  const std::set<std::string> legal = {"arith", "nv_tileaa", "func", "gpu", "scf", "math"};
  module->walk([&](Operation *op) {
    if (!isa<ModuleOp, ub::PoisonOp>(op))
      EXPECT_TRUE(legal.count(op->getName().getDialectNamespace().str()))
          << op->getName().getStringRef().str();
  });
}

// Poison may have any cuda_tile type until the conversion.
TEST(TokenHopTest, PoisonIsRetyped) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = convertText(context, R"(
    cuda_tile.module @m {
      entry @k() {
        %x = "ub.poison"() <{value = #ub.poison}> : () -> !cuda_tile.tile<8xf4E2M1FN>
        %n = "ub.poison"() <{value = #ub.poison}> : () -> !cuda_tile.tile<i32>
        return
      }
    })");
  ASSERT_TRUE(module);
  unsigned poisons = 0;
  module->walk([&](ub::PoisonOp op) {
    ++poisons;
    ASSERT_FALSE(isa<cuda_tile::CudaTileDialect>(op.getType().getDialect()));
    auto tensor = dyn_cast<RankedTensorType>(op.getType());
    EXPECT_TRUE((tensor ? tensor.getElementType() : op.getType()).isIntOrFloat());
  });
  EXPECT_GT(poisons, 0u);
}

TEST(TokenHopTest, NoLayoutIsAssigned) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = convertText(context, kLoop);
  ASSERT_TRUE(module);
  module->walk([](Operation *op) {
    for (Value result : op->getResults())
      if (auto tensor = dyn_cast<RankedTensorType>(result.getType()))
        EXPECT_FALSE(tensor.getEncoding());
  });
}

TEST(TokenHopTest, NestedModulesConvert) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = convertText(context, R"(
    module {
      module {
        cuda_tile.module @inner { entry @a() { return } }
      }
      cuda_tile.module @outer { entry @b() { return } }
    })");
  ASSERT_TRUE(module);
  std::set<std::string> entries;
  module->walk([&](tileaa::FuncOp func) { entries.insert(func.getSymName().str()); });
  EXPECT_EQ(entries, (std::set<std::string>{"a", "b"}));
}

TEST(TokenHopTest, TypesAndMaterialisers) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect, tileaa::TileAADialect>();
  cudatile_to_tileaa::CudaTileTypeConverter types;
  auto converted = [&](StringRef text) {
    Type type = parseType(text, &context);
    EXPECT_TRUE(type) << text.str();
    std::string result;
    if (type)
      llvm::raw_string_ostream(result) << types.convertType(type);
    return result;
  };
  EXPECT_EQ(converted("!cuda_tile.tile<4x8xf32>"), "tensor<4x8xf32>");
  EXPECT_EQ(converted("!cuda_tile.tile<f32>"), "f32");
  EXPECT_EQ(converted("!cuda_tile.tile<ptr<i8>>"), "!nv_tileaa.ptr<i8, 1>");
  EXPECT_EQ(converted("!cuda_tile.tile<2xptr<i8>>"), "tensor<2x!nv_tileaa.ptr<i8, 1>>");
  EXPECT_EQ(converted("!cuda_tile.token"), "!nv_tileaa.mem_token");

  // Tiles and tokens can be bridged back, and every type of this stage forward.
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToStart(module->getBody());
  Value token = tileaa::CreateMemTokenOp::create(builder, builder.getUnknownLoc(),
                                                 tileaa::MemTokenType::get(&context), ValueRange());
  for (StringRef text : {"!cuda_tile.token", "!cuda_tile.tile<f32>", "!cuda_tile.tile<2xi32>"}) {
    Type type = parseType(text, &context);
    EXPECT_TRUE(types.materializeSourceConversion(builder, builder.getUnknownLoc(), type, token));
    EXPECT_TRUE(types.materializeTargetConversion(builder, builder.getUnknownLoc(),
                                                  types.convertType(type), token));
  }
}

} // namespace
