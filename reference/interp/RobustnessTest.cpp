//===- RobustnessTest.cpp - damaged kernels end with an outcome -------------------------------===//
//
// Changes random bytes in the bytecode of stored kernels, or exchanges operands and constants in
// the modules. Whatever the reader and the verifier still accept must run to some outcome within
// its limits; the process surviving is the test.
//
//===------------------------------------------------------------------------------------------===//
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/RunCase.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::testcase;

namespace {

RunOptions smallLimits() {
  RunOptions options;
  options.limits.steps = 20000;
  options.limits.elements = 1 << 24;
  options.limits.memoryBytes = 1 << 26;
  options.limits.tileBytes = 1 << 28;
  options.limits.seconds = 2;
  return options;
}

unsigned rounds(unsigned normally) {
  const char *text = std::getenv("TILESMITH_ROBUSTNESS_ROUNDS");
  return text ? std::atoi(text) : normally;
}

/// The stored cases; TILESMITH_ROBUSTNESS_CASES names another folder.
std::vector<TestCase> storedCases() {
  std::vector<TestCase> cases;
  const char *source = std::getenv("TILESMITH_SOURCE_DIR"),
             *folder = std::getenv("TILESMITH_ROBUSTNESS_CASES");
  std::string root = folder ? folder : source ? std::string(source) + "/corpus/frontends" : "";
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(root, code), end; !code && it != end;
       it.increment(code)) {
    if (!llvm::sys::fs::exists(it->path() + "/case.json"))
      continue;
    auto loaded = loadTestCase(it->path());
    if (loaded)
      cases.push_back(std::move(*loaded));
    else
      ADD_FAILURE() << llvm::toString(loaded.takeError());
  }
  return cases;
}

/// Counts how runs ended and prints the counts.
class Tally {
public:
  void add(llvm::Expected<CaseResult> result) {
    if (!result) {
      ++outcomes["refused"];
      llvm::consumeError(result.takeError());
      return;
    }
    const Outcome &outcome = result->outcome;
    ++outcomes[spelling(outcome.kind).str() +
               (outcome.detail.empty() ? "" : " (" + outcome.detail + ")")];
  }
  void addRefused() { ++outcomes["refused"]; }
  ~Tally() {
    for (const auto &[kind, count] : outcomes)
      llvm::outs() << kind << ": " << count << '\n';
    llvm::outs().flush();
  }

private:
  std::map<std::string, unsigned> outcomes;
};

TEST(RobustnessTest, DamagedBytecodeEndsWithAnOutcome) {
  std::mt19937_64 random(1);
  Tally tally;
  for (const TestCase &stored : storedCases()) {
    std::string version = stored.versions().back();
    for (unsigned round = 0, count = rounds(30); round < count; ++round) {
      TestCase damaged = stored;
      Launch &launch = damaged.launches[random() % damaged.launches.size()];
      for (ModuleFile &file : launch.modules)
        if (file.version == version)
          for (unsigned change = 0, changes = 1 + random() % 3; change < changes; ++change)
            file.bytes[random() % file.bytes.size()] =
                static_cast<uint8_t>(random() % 3 ? random() % 128 : random());
      mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
      context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
      RunOptions options = smallLimits();
      options.detectRaces = round % 2;
      tally.add(runCase(damaged, version, context, options));
    }
  }
}

/// Replaces one operand by another value of the same type that is defined before in the same block,
/// or one constant by a random one.
void exchange(cuda_tile::ModuleOp module, std::mt19937_64 &random) {
  std::vector<mlir::Operation *> ops;
  module.walk([&](mlir::Operation *op) {
    if (op->getNumOperands() || mlir::isa<cuda_tile::ConstantOp>(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  mlir::Operation *op = ops[random() % ops.size()];
  if (auto constant = mlir::dyn_cast<cuda_tile::ConstantOp>(op)) {
    auto type = mlir::cast<mlir::ShapedType>(constant.getValue().getType());
    if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type.getElementType())) {
      uint64_t values[] = {
          0, 1, ~uint64_t(0), random(), random() % 64, uint64_t(1) << (integer.getWidth() - 1)};
      llvm::APInt value(integer.getWidth(), values[random() % 6], false, /*implicitTrunc=*/true);
      constant.setValueAttr(
          mlir::cast<mlir::DenseIntOrFPElementsAttr>(mlir::DenseElementsAttr::get(type, value)));
    }
    return;
  }
  unsigned index = random() % op->getNumOperands();
  std::vector<mlir::Value> candidates;
  for (mlir::Operation &other : *op->getBlock()) {
    if (&other == op)
      break;
    for (mlir::Value v : other.getResults())
      if (v.getType() == op->getOperand(index).getType())
        candidates.push_back(v);
  }
  if (!candidates.empty())
    op->setOperand(index, candidates[random() % candidates.size()]);
}

TEST(RobustnessTest, ExchangedOperandsAndConstantsEndWithAnOutcome) {
  std::mt19937_64 random(2);
  Tally tally;
  for (const TestCase &stored : storedCases()) {
    std::string version = stored.versions().front();
    for (unsigned round = 0, count = rounds(30); round < count; ++round) {
      mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
      loadReferenceDialects(context);
      context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
      std::vector<mlir::OwningOpRef<cuda_tile::ModuleOp>> owned;
      std::vector<cuda_tile::ModuleOp> modules;
      bool valid = true;
      for (const Launch &launch : stored.launches) {
        const Bytes &bytes = launch.module(version)->bytes;
        auto module = bytecode::readBytecode(llvm::toStringRef(bytes), &context);
        if (!module) {
          llvm::consumeError(module.takeError());
          valid = false;
          break;
        }
        for (unsigned change = 0, changes = 1 + random() % 4; change < changes; ++change)
          exchange(**module, random);
        valid &= mlir::succeeded(mlir::verify(**module));
        modules.push_back(**module);
        owned.push_back(std::move(*module));
      }
      if (!valid) {
        tally.addRefused();
        continue;
      }
      RunOptions options = smallLimits();
      options.detectRaces = round % 2;
      tally.add(runCase(stored, modules, options));
    }
  }
}

} // namespace
