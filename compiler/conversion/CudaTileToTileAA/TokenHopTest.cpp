//===- TokenHopTest.cpp - the first hop of memory tokens --------------------------------------===//
//
// make_token becomes create_mem_token and join_tokens join_mem_token, one for one; a join of one
// token is that token, a join of none (which only unverified IR has) a fresh one. All tokens of a
// context have one type object.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

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

} // namespace
