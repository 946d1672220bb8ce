//===- ModuleEqualityTest.cpp -----------------------------------------------------------------===//
#include "oracles/roundtrip/ModuleEquality.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

constexpr const char *kModule = R"(cuda_tile.module @m {
  entry @k(%a: tile<f32>, %b: tile<f32>, %c: tile<i1>) {
    %x = addf %a, %b : tile<f32>
    %r = if %c -> (tile<f32>) {
      yield %x : tile<f32>
    } else {
      %y = mulf %a, %x rounding<zero> : tile<f32>
      yield %y : tile<f32>
    }
    %n = constant <i32: 4> : tile<i32>
  }
})";

class ModuleEquality : public testing::Test {
protected:
  ModuleEquality() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  }

  /// The difference between the module and one in which `from` reads `to`.
  std::string after(llvm::StringRef from, llvm::StringRef to) {
    std::string changed = kModule;
    size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos);
    changed.replace(at, from.size(), to);
    auto before = mlir::parseSourceString<mlir::ModuleOp>(kModule, &context);
    auto other = mlir::parseSourceString<mlir::ModuleOp>(changed, &context);
    EXPECT_TRUE(before && other);
    return firstDifference(*before, *other).value_or("");
  }

  mlir::MLIRContext context;
};

TEST_F(ModuleEquality, NamesOfValuesAndPlacesDoNotCount) {
  EXPECT_EQ(after("    %x = addf %a, %b", "\n\n  %x = addf %a, %b"), "");
  EXPECT_EQ(after("%n = ", "%other = "), "");
}

TEST_F(ModuleEquality, FindsTheFirstDifference) {
  EXPECT_NE(after(" rounding<zero>", "").find("@k op 4 (mulf): rounding_mode "), std::string::npos);
  EXPECT_EQ(after("addf %a, %b", "addf %b, %a"), "@k op 1 (addf): operand 0 is another value");
  EXPECT_EQ(after("addf %a", "subf %a"), "@k op 1 (addf): became cuda_tile.subf");
  EXPECT_NE(after("<i32: 4>", "<i32: 5>").find("@k op 6 (constant): value "), std::string::npos);
  EXPECT_EQ(after("    %n = constant <i32: 4> : tile<i32>\n", ""),
            "@k op 6 (constant): became cuda_tile.return");
  EXPECT_NE(after("%c: tile<i1>)", "%c: tile<i1>, %d: tile<i8>)").find("@k op 0 (entry): "),
            std::string::npos);
}

} // namespace
