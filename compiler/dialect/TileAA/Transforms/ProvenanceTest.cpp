//===- ProvenanceTest.cpp ---------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Provenance.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tilesmith::tileaa;

namespace {

class ProvenanceTest : public ::testing::Test {
protected:
  ProvenanceTest() { context.loadDialect<TileAADialect, arith::ArithDialect, scf::SCFDialect>(); }

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
    analysis = std::make_unique<ProvenanceAnalysis>(func);
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

  /// How many objects the access of that tag may reach.
  size_t rootsOf(const char *tag) {
    return analysis->getProvenance(ops[tag]->getOperand(0)).roots.size();
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  FuncOp func;
  std::unique_ptr<ProvenanceAnalysis> analysis;
  llvm::StringMap<Operation *> ops;
};

const std::string kCreate = "%t = \"nv_tileaa.create_mem_token\"() : () -> !t\n";

TEST_F(ProvenanceTest, AddressesFlowThroughLoopsAndIfs) {
  parse(kCreate + "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n" +
        "%r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %p) -> (!p) : i32 {\n" +
        store("%a", "%k", "%t", "carried") +
        "%c = arith.cmpi eq, %i, %c0 : i32\n%x = scf.if %c -> (!p) {\n" +
        "scf.yield %q : !p\n} else {\nscf.yield %k : !p\n}\nscf.yield %x : !p\n}\n" +
        store("%z", "%r", "%t", "behind"));
  EXPECT_EQ(rootsOf("carried"), 2u);
  EXPECT_EQ(rootsOf("behind"), 2u);
}

TEST_F(ProvenanceTest, ProvenanceFollowsAddressesToTheirObjects) {
  parse(kCreate +
        "%m = \"nv_tileaa.alloca\"() <{num_elem = 4 : i64, alignment = 4 : i64}> {tag = "
        "\"alloca\"} : () -> !p\n" +
        "%m1 = \"nv_tileaa.addptr\"(%m, %n) : (!p, i32) -> !p\n" +
        "%i = \"nv_tileaa.ptr_to_int\"(%p) : (!p) -> i64\n%u = \"nv_tileaa.int_to_ptr\"(%i) : "
        "(i64) -> !p\n" +
        store("%a", "%p", "%t", "p") + store("%b", "%q", "%t", "q") +
        store("%c", "%m1", "%t", "m") + store("%d", "%u", "%t", "u"));
  EXPECT_EQ(rootsOf("p"), 1u);
  EXPECT_EQ(analysis->getProvenance(ops["m"]->getOperand(0)).roots.front(),
            ops["alloca"]->getResult(0));
  EXPECT_FALSE(analysis->getProvenance(ops["m"]->getOperand(0)).unknown);
  EXPECT_TRUE(analysis->getProvenance(ops["u"]->getOperand(0)).unknown); // from an integer
}

} // namespace
