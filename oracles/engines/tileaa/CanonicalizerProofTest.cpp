//===- CanonicalizerProofTest.cpp - functions run before and after each canonicalizer ---------===//
//
// Every function of the canonicalizers' lit tests is executed on random arguments as it stands and
// after each canonicalizer alone, and after all of them. The results may only become more defined:
// a Known element keeps its bits, a NaN stays one, memory likewise. Counts the firings, so a rule
// that nothing exercises is a failure.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "oracles/engines/tileaa/Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using mlir::func::FuncOp;

namespace {

/// What one execution left behind.
struct Execution {
  bool unsupported = false;
  std::string stop;
  std::vector<Tile> results;
  std::vector<uint8_t> bytes;
  std::vector<reference::ByteState> states;
};

constexpr unsigned kBytes = 4096;

/// A random argument; pointers lead into the middle of the buffer, numbers are small.
std::optional<Machine::Value> makeArgument(mlir::Type type, uint64_t buffer, std::mt19937 &random) {
  if (mlir::isa<tileaa::MemTokenType>(type))
    return Machine::Value();
  auto element = elementTypeOf(type);
  if (!element)
    return std::nullopt;
  Tile tile(*element, shapeOf(type));
  for (size_t i = 0; i < tile.size(); ++i) {
    int64_t number = static_cast<int64_t>(random() % 16) - 8;
    uint64_t bits = static_cast<uint64_t>(number);
    if (*element == ElementType::Pointer)
      bits = buffer + kBytes / 2 + 16 * i;
    else if (reference::isFloat(*element))
      bits = reference::encode(*element, number * 0.75);
    tile.set(i, {bits & reference::maskOf(*element)});
  }
  return Machine::Value(std::move(tile));
}

Execution execute(FuncOp func, unsigned seed) {
  Execution run;
  reference::Memory memory;
  std::mt19937 random(seed);
  std::vector<uint8_t> contents(kBytes);
  for (uint8_t &byte : contents)
    byte = static_cast<uint8_t>(random() % 4); // small integers; as floats: zeros and subnormals
  uint64_t buffer = llvm::cantFail(memory.allocate(kBytes, 256, "buffer", contents));
  LaunchState state{memory, {4, 5, 6}, {}, {}};
  Machine machine(state, {1, 2, 3});
  llvm::SmallVector<Machine::Value> arguments;
  for (mlir::Type type : func.getArgumentTypes()) {
    auto argument = makeArgument(type, buffer, random);
    if (!argument) {
      run.unsupported = true;
      return run;
    }
    arguments.push_back(*argument);
  }
  mlir::Block &body = func.getBody().front();
  machine.push(func, body, arguments);
  bool finished = false;
  while (!finished) {
    Status status = machine.run(finished);
    if (status.failed()) {
      run.unsupported = status.get().reason == reference::Stop::Reason::Unsupported;
      run.stop = status.get().kind;
      return run;
    }
  }
  for (mlir::Value v : body.getTerminator()->getOperands())
    if (machine.get(v).isTile())
      run.results.push_back(machine.tile(v));
  const reference::Allocation *allocation = memory.find(buffer);
  run.bytes = allocation->bytes;
  run.states = allocation->states;
  return run;
}

/// `after` may only be more defined than `before`.
void expectRefinement(const Execution &before, const Execution &after, const std::string &what) {
  ASSERT_EQ(before.stop, after.stop) << what;
  ASSERT_EQ(before.results.size(), after.results.size()) << what;
  for (auto [a, b] : llvm::zip(before.results, after.results)) {
    ASSERT_EQ(a.shape(), b.shape()) << what;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a.state(i) == State::Unknown)
        continue;
      if (a.state(i) == State::NaN) {
        EXPECT_TRUE(b.state(i) != State::Unknown && reference::isNaN(b.type(), b.bits()[i]))
            << what;
        continue;
      }
      EXPECT_TRUE(b.state(i) == State::Known && a.bits()[i] == b.bits()[i])
          << what << ": element " << i << " was " << a.toString() << ", is " << b.toString();
    }
  }
  for (size_t i = 0; i < before.bytes.size(); ++i)
    if (before.states[i] == reference::ByteState::Known)
      ASSERT_TRUE(after.states[i] == reference::ByteState::Known &&
                  before.bytes[i] == after.bytes[i])
          << what << ": byte " << i;
}

/// The functions of both lit files.
class CanonicalizerProof : public ::testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    tileaa::registerDialect(registry);
    registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect,
                    mlir::ub::UBDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    const char *root = std::getenv("TILESMITH_SOURCE_DIR");
    ASSERT_TRUE(root);
    for (const char *file : {"canonicalize.mlir", "conditions.mlir"}) {
      modules.push_back(mlir::parseSourceFile<mlir::ModuleOp>(
          std::string(root) + "/compiler/dialect/TileAA/test/" + file, &context));
      ASSERT_TRUE(modules.back());
      llvm::append_range(functions, modules.back()->getOps<FuncOp>());
    }
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<FuncOp> functions;
};

TEST_F(CanonicalizerProof, FunctionsKeepTheirMeaning) {
  std::vector<std::string> rules = {""}; // all together
  for (const tileaa::CanonicalizerInfo &info : tileaa::canonicalizerTable())
    rules.push_back(info.name.str());
  std::map<std::string, unsigned> executedFirings;
  llvm::StringMap<unsigned> allFirings;
  unsigned executions = 0, skipped = 0;
  for (FuncOp func : functions) {
    if (execute(func, 0).unsupported) {
      ++skipped;
      std::fprintf(stderr, "not executable: %s\n", func.getSymName().str().c_str());
    }
    for (const std::string &rule : rules) {
      mlir::OwningOpRef<mlir::ModuleOp> copy = mlir::ModuleOp::create(func.getLoc());
      mlir::OpBuilder builder(copy->getBodyRegion());
      auto rewritten = mlir::cast<FuncOp>(builder.clone(*func));
      llvm::StringMap<unsigned> firings;
      ASSERT_TRUE(llvm::succeeded(tileaa::canonicalize(*copy, rule, &firings)));
      rewritten = *copy->getOps<FuncOp>().begin();
      unsigned count = firings.lookup(rule);
      allFirings[rule] += count;
      if (!rule.empty() && count == 0)
        continue;
      for (unsigned seed = 0; seed < 64; ++seed) {
        Execution before = execute(func, seed);
        if (before.unsupported)
          break;
        executedFirings[rule] += count;
        ++executions;
        expectRefinement(before, execute(rewritten, seed),
                         func.getSymName().str() + " under '" + rule + "'");
      }
    }
  }
  std::fprintf(stderr, "%-28s %8s %10s\n", "canonicalizer", "firings", "executed");
  for (const std::string &rule : rules) {
    if (rule.empty())
      continue;
    std::fprintf(stderr, "%-28s %8u %10u\n", rule.c_str(), allFirings[rule], executedFirings[rule]);
    EXPECT_GT(allFirings[rule], 0u) << rule;
    // Queues have no execution at this stage; everything else must have been executed.
    if (rule != "prune-queue-get-results")
      EXPECT_GT(executedFirings[rule], 0u) << rule;
  }
  std::fprintf(stderr, "%u executions, %u functions not executable\n", executions, skipped);
  EXPECT_LE(skipped, 4u); // the queues
}

/// A safety condition, and the function of conditions.mlir that breaks only it.
struct Condition {
  const char *rule, *text, *function;
};
constexpr Condition kConditions[] = {
    {"fold-constant-dot", "something is constant or zero", "dot_int_unknown"},
    {"fold-constant-dot", "a zero float meets a constant accumulator", "dot_unknown_accumulator"},
    {"fold-constant-dot", "a zero float meets a constant other operand", "dot_zero_float_unknown"},
    {"fold-constant-dot", "no block scales", "dot_scaled"},
    {"fold-constant-dot", "few products", "dot_large"},
    {"fuse-addptr-chain", "one element type and space", "addptr_other_element"},
    {"uniform-offset-to-base", "one offset for all elements, one base", "offsets_of_tiles"},
    {"uniform-offset-to-base", "one element type", "offsets_of_other_elements"},
    {"push-assume-through-splat", "no fact about neighbours", "assume_lanes"},
    {"push-assume-through-splat", "no fact about equal elements", "assume_same_elements"},
    {"push-select-through-splat", "a scalar select below a splat", "select_of_tiles"},
    {"fold-identity-operand", "an identity, on its side", "no_identities"},
    {"masked-load", "constant mask", "unknown_mask"},
    {"masked-load", "all elements alike", "mixed_mask"},
    {"masked-load", "all elements alike", "mixed_gather"},
    {"masked-load", "no padding", "padded_gather"},
    {"masked-load", "weak or relaxed", "load_acquire_masked_off"},
    {"masked-load", "not volatile", "load_volatile_masked_off"},
    {"masked-store", "constant mask", "unknown_mask"},
    {"masked-store", "all elements alike", "mixed_mask"},
    {"masked-store", "all elements alike", "mixed_gather"},
    {"masked-store", "weak or relaxed", "store_release_masked_off"},
    {"masked-store", "not volatile", "volatile_store"},
    {"fold-expand-dims-of-splat", "the source is a splat", "wrappers_of_tiles"},
    {"fold-view-chain", "the source is a view or a splat", "wrappers_of_tiles"},
    {"fold-broadcast-of-splat", "the source is a splat", "wrappers_of_tiles"},
    {"hoist-extract", "speculatable", "extract_of_division"},
    {"hoist-extract", "no other user", "extract_of_shared"},
    {"hoist-extract", "lanes one to one", "extract_of_permute"},
    {"prune-queue-get-results", "a dead result", "queue_all_live"},
    {"prune-queue-get-results", "a region", "queue_no_region"},
    {"prune-pragma-results", "a dead result", "pragma_all_live"},
    {"prune-reduced-tiles", "a result that nobody reads", "reduced_tiles_read"},
    {"prune-reduced-tiles", "no result that is read depends on it", "reduced_tile_needed"},
    {"prune-reduced-tiles", "an operation with a region counts as needing all",
     "reduced_tile_in_region"},
    {"prune-scanned-tiles", "a result that nobody reads", "scanned_tiles_read"},
    {"prune-scanned-tiles", "no result that is read depends on it", "scanned_tile_needed"},
    {"count-carried-sum", "a result that is not read", "carried_result_read"},
    {"count-carried-sum", "one step for all elements", "carried_by_tile"},
    {"count-carried-sum", "one step for all turns", "carried_by_turn"},
    {"count-carried-sum", "turns that a shift counts", "carried_through_odd_steps"},
    {"fold-atomic-cas", "constants", "cas_unknown"},
    {"fold-atomic-cas", "equal", "cas_different"},
    {"fold-atomic-cas", "bitwise equal", "cas_signed_zeros"},
    {"fold-atomic-cas", "not release", "cas_release"},
    {"fold-atomic-cas", "not acq_rel", "cas_acq_rel"},
    {"fold-atomic-rmw", "constant", "rmw_unknown"},
    {"fold-atomic-rmw", "identity of add", "rmw_add_1"},
    {"fold-atomic-rmw", "identity of and", "rmw_and_0"},
    {"fold-atomic-rmw", "identity of min", "rmw_min_0"},
    {"fold-atomic-rmw", "identity of max", "rmw_max_0"},
    {"fold-atomic-rmw", "identity of umin", "rmw_umin_0"},
    {"fold-atomic-rmw", "identity of umax", "rmw_umax_minus_1"},
    {"fold-atomic-rmw", "identity of addf", "rmw_addf_positive_zero"},
    {"fold-atomic-rmw", "xchg has none", "rmw_xchg_0"},
    {"fold-atomic-rmw", "every element", "rmw_mixed_tile"},
    {"fold-atomic-rmw", "not release", "rmw_release"},
    {"fold-atomic-rmw", "not acq_rel", "rmw_acq_rel"},
};

/// How often `rule` alone fires on a copy of the function.
unsigned firingsOf(FuncOp func, const std::string &rule) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = mlir::ModuleOp::create(func.getLoc());
  mlir::OpBuilder builder(copy->getBodyRegion());
  builder.clone(*func);
  llvm::StringMap<unsigned> firings;
  EXPECT_TRUE(llvm::succeeded(tileaa::canonicalize(*copy, rule, &firings)));
  return firings.lookup(rule);
}

// Prints rule, condition and the function that breaks it, and the functions on which it fires.
TEST_F(CanonicalizerProof, ConditionsDecide) {
  std::map<std::string, FuncOp> byName;
  for (FuncOp func : functions)
    byName[func.getSymName().str()] = func;
  for (const tileaa::CanonicalizerInfo &info : tileaa::canonicalizerTable()) {
    std::string rule = info.name.str(), positive;
    for (FuncOp func : functions)
      if (firingsOf(func, rule) > 0)
        positive += " " + func.getSymName().str();
    EXPECT_FALSE(positive.empty()) << rule;
    unsigned conditions = 0;
    for (const Condition &condition : kConditions) {
      if (rule != condition.rule)
        continue;
      ++conditions;
      ASSERT_TRUE(byName.count(condition.function)) << condition.function;
      EXPECT_EQ(firingsOf(byName[condition.function], rule), 0u)
          << rule << " fires although " << condition.function << " breaks: " << condition.text;
      std::fprintf(stderr, "%-28s %-46s %s\n", rule.c_str(), condition.text, condition.function);
    }
    EXPECT_GT(conditions, 0u) << rule << " has no negative test";
    std::fprintf(stderr, "%-28s fires on:%s\n%-28s proof: %s\n", rule.c_str(), positive.c_str(),
                 rule.c_str(), info.proof.data());
  }
}

} // namespace
