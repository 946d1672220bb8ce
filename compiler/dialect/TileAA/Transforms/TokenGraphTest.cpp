//===- TokenGraphTest.cpp ---------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/TokenGraph.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tilesmith::tileaa;

namespace {

class TokenGraphTest : public ::testing::Test {
protected:
  TokenGraphTest() { context.loadDialect<TileAADialect, arith::ArithDialect, scf::SCFDialect>(); }

  /// Parses a function body over (%p, %q: pointers to i32, %v: i32, %n: i32); ops are found by
  /// their `tag`.
  void parse(const std::string &body) {
    std::string text = R"(
      !p = !nv_tileaa.ptr<i32, 1>
      !t = !nv_tileaa.mem_token
      "nv_tileaa.func"() <{function_type = (!p, !p, i32, i32) -> (), sym_name = "f"}> ({
      ^bb0(%p: !p, %q: !p, %v: i32, %n: i32):
      )" + body + R"(
        "nv_tileaa.return"() : () -> ()
      }) : () -> ()
    )";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    func = *module->getOps<FuncOp>().begin();
    graph = std::make_unique<TokenGraph>(func);
    func.walk([&](Operation *op) {
      if (auto tag = op->getAttrOfType<StringAttr>("tag"))
        ops[tag.getValue()] = op;
    });
  }

  static std::string store(const std::string &result, const std::string &pointer,
                           const std::string &token, const std::string &tag) {
    return result + " = \"nv_tileaa.store\"(" + pointer + ", %v, " + token +
           ") <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> {tag = \"" + tag +
           "\"} : (!p, i32, !t) -> !t\n";
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  FuncOp func;
  std::unique_ptr<TokenGraph> graph;
  llvm::StringMap<Operation *> ops;
};

const std::string kCreate = "%t = \"nv_tileaa.create_mem_token\"() : () -> !t\n";

TEST_F(TokenGraphTest, OnlyTokensOrder) {
  parse(kCreate + store("%a", "%p", "%t", "a") + store("%b", "%p", "%a", "b") +
        store("%c", "%p", "%t", "c") +
        "%j = \"nv_tileaa.join_mem_token\"(%b, %c) : (!t, !t) -> !t\n" +
        store("%d", "%p", "%j", "d"));
  EXPECT_TRUE(graph->isOrdered(ops["a"], ops["b"]));
  EXPECT_FALSE(graph->isOrdered(ops["b"], ops["a"]));
  EXPECT_FALSE(graph->isOrdered(ops["a"], ops["c"]));
  for (const char *tag : {"a", "b", "c"})
    EXPECT_TRUE(graph->isOrdered(ops[tag], ops["d"])) << tag;
  EXPECT_TRUE(graph->hasHazard(ops["a"], ops["d"]));
}

TEST_F(TokenGraphTest, TokensFlowThroughLoopsAndIfs) {
  parse(kCreate + "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n" +
        "%r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %t) -> (!t) : i32 {\n" +
        store("%a", "%p", "%k", "a") +
        "%c = arith.cmpi eq, %i, %c0 : i32\n%x = scf.if %c -> (!t) {\n" +
        store("%b", "%q", "%a", "b") +
        "scf.yield %b : !t\n} else {\nscf.yield %a : !t\n}\nscf.yield %x : !t\n}\n" +
        store("%z", "%p", "%r", "z"));
  // The next iteration comes after this one.
  EXPECT_TRUE(graph->isOrdered(ops["a"], ops["a"]));
  EXPECT_TRUE(graph->isOrdered(ops["b"], ops["a"]));
  EXPECT_TRUE(graph->isOrdered(ops["b"], ops["z"]));
  EXPECT_FALSE(graph->isOrdered(ops["z"], ops["a"]));
}

TEST_F(TokenGraphTest, ProvenanceFollowsAddressesToTheirObjects) {
  parse(kCreate +
        "%m = \"nv_tileaa.alloca\"() <{num_elem = 4 : i64, alignment = 4 : i64}> : () -> !p\n" +
        "%m1 = \"nv_tileaa.addptr\"(%m, %n) : (!p, i32) -> !p\n" +
        "%i = \"nv_tileaa.ptr_to_int\"(%p) : (!p) -> i64\n%u = \"nv_tileaa.int_to_ptr\"(%i) : "
        "(i64) -> !p\n" +
        store("%a", "%p", "%t", "p") + store("%b", "%q", "%t", "q") +
        store("%c", "%m1", "%t", "m") + store("%d", "%u", "%t", "u"));
  EXPECT_TRUE(graph->mayAlias(ops["p"], ops["q"])); // callers may pass one buffer twice
  EXPECT_FALSE(graph->mayAlias(ops["p"], ops["m"]));
  EXPECT_TRUE(graph->mayAlias(ops["m"], ops["m"]));
  EXPECT_TRUE(graph->mayAlias(ops["u"], ops["m"])); // from an integer: anything
  EXPECT_TRUE(graph->getProvenance(ops["u"]->getOperand(0)).unknown);
}

} // namespace
