//===- ReferenceCorpusTest.cpp - stored cases on the interpreter ------------------------------===//
//
// Runs every case of corpus/frontends (all versions it carries) and compares with its independently
// computed expectation. With `--all` the collections beside the checkout (../shared/frontends,
// ../shared/frontends-cpp) are run as well;
// `--only=WORD` keeps cases whose name contains the word; `--verbose` prints a line per module;
// `--no-races` does not look for data races; `--seed=N` starts the tile blocks in another order.
//
//===------------------------------------------------------------------------------------------===//
#include <chrono>
#include <cstdlib>

#include <gtest/gtest.h>

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/RunCase.h"
#include "reference/testcase/Compare.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::testcase;

namespace {

bool runAll = false, verbose = false;
RunOptions runOptions;
std::string only;

std::vector<std::string> caseFolders(const std::string &root) {
  std::vector<std::string> folders;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(root, code), end; !code && it != end;
       it.increment(code))
    if (llvm::sys::fs::exists(it->path() + "/case.json") &&
        llvm::sys::path::filename(it->path()).contains(only))
      folders.push_back(it->path());
  llvm::sort(folders);
  return folders;
}

/// Empty when the run is what the case asks for.
std::string judge(const TestCase &testCase, const CaseResult &result) {
  if (testCase.traps) {
    if (result.outcome.kind != Outcome::Kind::Trapped)
      return "expected a trap, found: " + result.outcome.describe();
    if (result.outcome.message != testCase.message)
      return "expected the message '" + testCase.message + "', found '" + result.outcome.message +
             "'";
    return "";
  }
  if (!result.outcome.completed())
    return result.outcome.describe();
  if (result.printed != testCase.standardOutput.value_or(""))
    return "expected output '" + testCase.standardOutput.value_or("") + "', found '" +
           result.printed + "'";
  for (auto [index, buffer] : llvm::enumerate(testCase.buffers)) {
    const BufferResult &got = result.buffers[index];
    CompareResult compared =
        compareBuffer(buffer, got.bytes, buffer.expected(), buffer.compare, got.ignored);
    if (!compared.ok())
      return "buffer " + std::to_string(index) + ": " + describe(buffer, compared);
    if (compared.skipped && buffer.expect)
      return "buffer " + std::to_string(index) + ": " + std::to_string(compared.skipped) +
             " unspecified elements of " + std::to_string(buffer.elementCount());
  }
  return "";
}

struct Totals {
  unsigned passed = 0, refused = 0, failed = 0;
};

void runFolder(const std::string &folder, Totals &totals) {
  auto testCase = loadTestCase(folder);
  if (!testCase) {
    ADD_FAILURE() << llvm::toString(testCase.takeError());
    ++totals.failed;
    return;
  }
  for (const std::string &version : testCase->versions()) {
    mlir::MLIRContext context;
    loadReferenceDialects(context);
    context.getLoadedDialect<cuda_tile::CudaTileDialect>()->setProfile(
        cuda_tile::Profile::Tileiras13_5);
    context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
    auto start = std::chrono::steady_clock::now();
    auto result = runCase(*testCase, version, context, runOptions);
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::string problem;
    if (!result) {
      problem = llvm::toString(result.takeError());
      if (testCase->mayReject) {
        ++totals.refused;
        continue;
      }
    } else {
      problem = judge(*testCase, *result);
    }
    if (verbose)
      llvm::outs() << llvm::formatv("{0,-40} {1} {2:F3}s {3}\n", testCase->name, version, seconds,
                                    problem.empty() ? "ok" : problem);
    if (problem.empty()) {
      ++totals.passed;
      continue;
    }
    ++totals.failed;
    ADD_FAILURE() << testCase->name << ' ' << version << ": " << problem;
  }
}

TEST(ReferenceCorpusTest, EveryStoredCaseAgreesWithItsExpectation) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  if (!source)
    GTEST_SKIP() << "TILESMITH_SOURCE_DIR is not set";
  std::vector<std::string> roots = {std::string(source) + "/corpus/frontends"};
  if (runAll) {
    roots.push_back(std::string(source) + "/../shared/frontends");
    roots.push_back(std::string(source) + "/../shared/frontends-cpp");
  }
  for (const std::string &root : roots) {
    Totals totals;
    for (const std::string &folder : caseFolders(root))
      runFolder(folder, totals);
    llvm::outs() << root << ": " << totals.passed << " modules passed, " << totals.refused
                 << " refused as allowed, " << totals.failed << " failed\n";
    llvm::outs().flush();
  }
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  runOptions.detectRaces = true;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--all") {
      runAll = true;
    } else if (argument == "--verbose") {
      verbose = true;
    } else if (argument == "--no-races") {
      runOptions.detectRaces = false;
    } else if (argument.consume_front("--seed=") && !argument.getAsInteger(10, runOptions.seed)) {
    } else if (argument.consume_front("--only=")) {
      only = argument.str();
    } else {
      llvm::errs() << "unknown argument '" << argument << "'\n";
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
