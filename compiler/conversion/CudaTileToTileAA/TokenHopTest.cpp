//===- TokenHopTest.cpp - tokens, types and legality of the conversion ------------------------===//
//
// make_token becomes create_mem_token and join_tokens join_mem_token, one for one; a join of one
// token is that token, a join of none (which only unverified IR has) a fresh one. All tokens of a
// context have one type object. What is left of every module of the lit tests is of the six legal
// dialects; no tile has a layout yet, no op a schedule, no cast is pending, modules at any depth
// are converted.
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
#include "llvm/Support/FileSystem.h"

#include "gtest/gtest.h"

#include <cstdlib>
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
    });
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  unsigned creates = 0, joins = 0;
  Operation *behind = nullptr; ///< what the load waits for
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

/// Tokens of every origin: results, arguments of loops, results of branches.
constexpr char kTokens[] = R"(
  cuda_tile.module @m {
    entry @k(%p: tile<ptr<i32>>, %c: tile<i1>, %n: tile<i32>) {
      %zero = constant <i32: 0> : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %t0 = make_token : token
      %x, %t1 = load_ptr_tko weak %p token=%t0 : tile<ptr<i32>> -> tile<i32>, token
      %t2 = if %c -> (token) {
        %a = store_ptr_tko weak %p, %x token=%t1 : tile<ptr<i32>>, tile<i32> -> token
        yield %a : token
      } else {
        yield %t1 : token
      }
      %t3 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%t = %t2) -> (token) {
        %y, %u = atomic_rmw_tko relaxed device %p, add, %i token=%t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
        continue %u : token
      }
      %t4 = join_tokens %t0, %t3 : token
      %t5 = print_tko "x = %d\n", %x token=%t4 : tile<i32> -> token
      return
    }
  })";

/// The types of all tokens among results and arguments of blocks.
std::vector<const void *> tokenTypes(ModuleOp module) {
  std::vector<const void *> types;
  auto visit = [&](Value value) {
    if (isa<tileaa::MemTokenType>(value.getType()))
      types.push_back(value.getType().getAsOpaquePointer());
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), visit);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), visit);
  });
  return types;
}

TEST(TokenHopTest, TokenTypesArePointerEqual) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  for (const char *text : {kTokens, kLoop}) {
    OwningOpRef<ModuleOp> module = convertText(context, text);
    ASSERT_TRUE(module);
    std::vector<const void *> types = tokenTypes(*module);
    EXPECT_GE(types.size(), text == kTokens ? 8u : 4u);
    for (const void *type : types)
      EXPECT_EQ(type, tileaa::MemTokenType::get(&context).getAsOpaquePointer());
  }
}

// The type has no parameter to be inferred from, and no other type is accepted.
TEST(TokenHopTest, CreatedTokensHaveTheOneType) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = convertText(context, kTokens);
  ASSERT_TRUE(module);
  unsigned created = 0;
  module->walk([&](tileaa::CreateMemTokenOp create) {
    ++created;
    EXPECT_TRUE(create.getObjects().empty());
    EXPECT_EQ(create.getResult().getType(), tileaa::MemTokenType::get(&context));
  });
  EXPECT_GE(created, 1u);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  EXPECT_FALSE(parseSourceString<ModuleOp>(
      "%t = \"nv_tileaa.create_mem_token\"() : () -> !nv_tileaa.program_id", &context));
  EXPECT_NE(message.find("result #0 must be"), std::string::npos) << message;
}

/// Every module of the lit tests of this folder that converts, and the loop above.
template <typename Visit> void forEachConverted(Visit visit) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  ASSERT_TRUE(root);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = convertText(context, kLoop);
  ASSERT_TRUE(module);
  visit(*module);
  std::error_code error;
  unsigned files = 0;
  std::string folder = std::string(root) + "/compiler/conversion/CudaTileToTileAA/test";
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    if (!StringRef(it->path()).ends_with(".mlir") || StringRef(it->path()).contains("invalid") ||
        StringRef(it->path()).contains("13-1"))
      continue;
    module = parseSourceFile<ModuleOp>(it->path(), &context);
    ASSERT_TRUE(module) << it->path();
    PassManager passes(&context);
    passes.addPass(createConvertCudaTileToTileAAPass({"sm_100"}));
    ASSERT_TRUE(succeeded(passes.run(*module))) << it->path();
    ++files;
    visit(*module);
  }
  EXPECT_GE(files, 10u);
}

TEST(TokenHopTest, OnlyTheLegalDialectsAreLeft) {
  const std::set<std::string> legal = {"arith", "nv_tileaa", "func", "gpu", "scf", "math"};
  std::set<std::string> seen;
  forEachConverted([&](ModuleOp module) {
    module.walk([&](Operation *op) {
      if (isa<ModuleOp, ub::PoisonOp>(op))
        return;
      seen.insert(op->getName().getDialectNamespace().str());
      EXPECT_TRUE(legal.count(op->getName().getDialectNamespace().str()))
          << op->getName().getStringRef().str();
    });
  });
  // `func` is legal, but nothing becomes it.
  EXPECT_EQ(seen, (std::set<std::string>{"arith", "nv_tileaa", "gpu", "scf", "math"}));
}

// A cast may stay behind while patterns run; the pass folds them, so that none is for a later one.
TEST(TokenHopTest, NoCastIsPending) {
  unsigned ops = 0;
  forEachConverted([&](ModuleOp module) {
    module.walk([&](Operation *op) {
      ++ops;
      EXPECT_FALSE(isa<UnrealizedConversionCastOp>(op));
    });
  });
  EXPECT_GE(ops, 200u);
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

// Neither a layout of a tile nor anything that a schedule would say: agents, pipelines, stages.
TEST(TokenHopTest, NoLayoutIsAssigned) {
  unsigned tensors = 0;
  auto isPlain = [&](Value value) {
    if (auto tensor = dyn_cast<RankedTensorType>(value.getType())) {
      ++tensors;
      EXPECT_FALSE(tensor.getEncoding());
    }
  };
  forEachConverted([&](ModuleOp module) {
    module.walk([&](Operation *op) {
      llvm::for_each(op->getResults(), isPlain);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), isPlain);
      for (NamedAttribute attribute : op->getDiscardableAttrs())
        EXPECT_TRUE(attribute.getName() == "nv_tileaa.kernel_spec" ||
                    attribute.getName() == "nv_tileaa.compute_capability" ||
                    attribute.getName() == "nv_tileaa.flush_to_zero" ||
                    attribute.getName() == "nv_tileaa.half_sum" ||
                    attribute.getName() == "fastmath")
            << attribute.getName().str() << " on " << op->getName().getStringRef().str();
      EXPECT_FALSE((isa<tileaa::ExecuteOp, tileaa::CreateQueueOp>(op)));
    });
  });
  EXPECT_GE(tensors, 50u);
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
  auto expectCast = [](Value bridge, Type type, Value from) {
    ASSERT_TRUE(bridge);
    EXPECT_EQ(bridge.getType(), type);
    auto cast = bridge.getDefiningOp<UnrealizedConversionCastOp>();
    ASSERT_TRUE(cast);
    EXPECT_EQ(cast->getOperands(), ValueRange(from));
  };
  Location loc = builder.getUnknownLoc();
  for (StringRef text : {"!cuda_tile.token", "!cuda_tile.tile<f32>", "!cuda_tile.tile<2xi32>"}) {
    Type type = parseType(text, &context), target = types.convertType(type);
    expectCast(types.materializeSourceConversion(builder, loc, type, token), type, token);
    Value old = types.materializeSourceConversion(builder, loc, type, token);
    expectCast(types.materializeTargetConversion(builder, loc, target, old), target, old);
  }
  // There are two kinds of sources: nothing makes a view out of what is left.
  Type view = parseType("!cuda_tile.tensor_view<8xf32, strides=[1]>", &context);
  ASSERT_TRUE(view);
  EXPECT_FALSE(types.materializeSourceConversion(builder, loc, view, token));
  // Types of other dialects stay; those of cuda_tile that have no counterpart have none.
  EXPECT_EQ(types.convertType(builder.getIndexType()), builder.getIndexType());
  Type string = parseType("!cuda_tile.string", &context);
  ASSERT_TRUE(string);
  EXPECT_FALSE(types.convertType(string));
}

} // namespace
