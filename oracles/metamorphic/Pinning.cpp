//===- Pinning.cpp - an edited kernel against the kernel that it came from ----------===//
#include "oracles/metamorphic/Pinning.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

std::optional<std::string> tilesmith::oracles::pinToOriginal(testcase::TestCase &edited,
                                                             const testcase::TestCase &original,
                                                             llvm::StringRef version,
                                                             Engine &reference,
                                                             const EngineOptions &options) {
  EngineResult result = reference.run({original, version.str(), options});
  if (!result.completed())
    return "the original " + toString(result.status).str() + ": " + result.message;
  if (!result.openOrder.empty())
    return "the original has one of several legal results, as " + result.openOrder;
  bool pinned = false;
  for (auto [buffer, left] : llvm::zip(edited.buffers, result.buffers)) {
    if (hasExpectation(buffer) || left.enclosure || !left.ignored.empty())
      continue;
    buffer.expect = left.bytes;
    // Without bounds there is one legal value, and the expectation is it.
    if (buffer.compare.mode == testcase::Comparison::Mode::Enclosure)
      buffer.compare.mode = testcase::Comparison::Mode::Exact;
    pinned = true;
  }
  if (!pinned)
    return "no result of the original has one legal value";
  if (!edited.standardOutput)
    edited.standardOutput = result.printed;
  return std::nullopt;
}

ModuleReport tilesmith::oracles::judgeEdited(const testcase::TestCase &original,
                                             testcase::TestCase edited, llvm::StringRef version,
                                             llvm::ArrayRef<std::unique_ptr<Engine>> engines,
                                             const DifferentialOptions &options) {
  std::optional<std::string> open =
      pinToOriginal(edited, original, version, *engines.front(), options.engine);
  ModuleReport report = judgeModule(edited, version, engines, options);
  if (open)
    report.verdict = combine(report.verdict, Verdict::inconclusive("metamorphic: " + *open));
  return report;
}
