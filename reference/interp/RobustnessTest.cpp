//===- RobustnessTest.cpp - damaged kernels end with an outcome -----------------------------------===//
//
// Changes random bytes in the bytecode of stored kernels. Whatever the reader and the verifier still accept must run to some
// outcome within its limits; the process surviving is the test.
//
//===----------------------------------------------------------------------------------------------===//
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/FileSystem.h"

#include "reference/interp/RunCase.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::testcase;

namespace {

TEST(RobustnessTest, DamagedKernelsEndWithAnOutcome) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  if (!source)
    GTEST_SKIP() << "TILESMITH_SOURCE_DIR is not set";
  const char *rounds = std::getenv("TILESMITH_ROBUSTNESS_ROUNDS");
  const char *folder = std::getenv("TILESMITH_ROBUSTNESS_CASES");
  unsigned perCase = rounds ? std::atoi(rounds) : 60;
  std::mt19937_64 random(1);
  std::map<std::string, unsigned> outcomes;
  std::error_code code;
  std::string root = folder ? folder : std::string(source) + "/corpus/frontends";
  for (llvm::sys::fs::directory_iterator it(root, code), end; !code && it != end; it.increment(code)) {
    if (!llvm::sys::fs::exists(it->path() + "/case.json"))
      continue;
    auto loaded = loadTestCase(it->path());
    ASSERT_TRUE(static_cast<bool>(loaded)) << llvm::toString(loaded.takeError());
    std::string version = loaded->versions().back();
    for (unsigned round = 0; round < perCase; ++round) {
      TestCase damaged = *loaded;
      Launch &launch = damaged.launches[random() % damaged.launches.size()];
      for (ModuleFile &file : launch.modules)
        if (file.version == version)
          for (unsigned change = 0, count = 1 + random() % 3; change < count; ++change)
            file.bytes[random() % file.bytes.size()] =
                static_cast<uint8_t>(random() % 3 ? random() % 128 : random());
      mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
      context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
      RunOptions options;
      options.limits.steps = 20000;
      options.limits.elements = 1 << 24;
      options.limits.memoryBytes = 1 << 26;
      options.limits.tileBytes = 1 << 28;
      options.limits.seconds = 2;
      options.detectRaces = round % 2;
      auto result = runCase(damaged, version, context, options);
      if (result) {
        ++outcomes[spelling(result->outcome.kind).str()];
      } else {
        ++outcomes["refused"];
        llvm::consumeError(result.takeError());
      }
    }
  }
  for (const auto &[kind, count] : outcomes)
    llvm::outs() << kind << ": " << count << '\n';
  llvm::outs().flush();
}

} // namespace
