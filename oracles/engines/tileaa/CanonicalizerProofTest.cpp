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

TEST(CanonicalizerProof, FunctionsKeepTheirMeaning) {
  mlir::DialectRegistry registry;
  tileaa::registerDialect(registry);
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect,
                  mlir::ub::UBDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  ASSERT_TRUE(root);
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<FuncOp> functions;
  for (const char *file : {"canonicalize.mlir", "conditions.mlir"}) {
    modules.push_back(mlir::parseSourceFile<mlir::ModuleOp>(
        std::string(root) + "/compiler/dialect/TileAA/test/" + file, &context));
    ASSERT_TRUE(modules.back());
    llvm::append_range(functions, modules.back()->getOps<FuncOp>());
  }

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
  EXPECT_LE(skipped, 2u);
}

} // namespace
