//===- PoisonProbe.cpp - results that a conversion leaves open --------------------------------===//
#include "oracles/blame/PoisonProbe.h"

#include "reference/testcase/Compare.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

llvm::Expected<EngineResult> runOne(const testcase::TestCase &testCase, llvm::StringRef version,
                                    const EngineOptions &options, llvm::StringRef name) {
  auto engines = createEngines(name);
  if (!engines)
    return engines.takeError();
  EngineResult result = engines->front()->run({testCase, version.str(), options});
  if (!result.completed())
    return llvm::createStringError("expected " + name + " to run to the end, found: " +
                                   toString(result.status) + " (" + result.message + ")");
  return result;
}

/// One flag a byte: open in any of them.
testcase::Bytes openIn(llvm::ArrayRef<const BufferResult *> results, size_t size) {
  testcase::Bytes flags(size);
  for (const BufferResult *result : results)
    for (auto [flag, more] : llvm::zip(flags, result->ignored))
      flag |= more;
  return flags;
}

uint64_t mismatches(const testcase::Buffer &buffer, const BufferResult &got,
                    const BufferResult &want, llvm::ArrayRef<uint8_t> open) {
  if (!want.enclosure || buffer.compare.mode != testcase::Comparison::Mode::Enclosure)
    return testcase::compareBuffer(buffer, got.bytes, want.bytes, buffer.compare, open).mismatches;
  testcase::Bytes skipped(open.begin(), open.end());
  for (auto [flag, more] : llvm::zip(skipped, want.enclosure->vacuous))
    flag |= more;
  return testcase::compareEnclosed(buffer, got.bytes, want.enclosure->low, want.enclosure->high,
                                   skipped)
      .mismatches;
}

} // namespace

PoisonProbe tilesmith::oracles::probePoison(const testcase::TestCase &testCase,
                                            llvm::StringRef version, EngineOptions options,
                                            llvm::StringRef between, int64_t passesBetween,
                                            llvm::StringRef last) {
  std::vector<EngineResult> results;
  for (llvm::StringRef name : {llvm::StringRef("reference"), last, between}) {
    if (results.size() == 2)
      options.compile.optBisectLimit = passesBetween;
    auto result = runOne(testCase, version, options, name);
    if (!result) {
      llvm::consumeError(result.takeError());
      return {};
    }
    results.push_back(std::move(*result));
  }
  PoisonProbe probe;
  for (auto [i, buffer] : llvm::enumerate(testCase.buffers)) {
    const BufferResult &want = results[0].buffers[i], &got = results[1].buffers[i],
                       &middle = results[2].buffers[i];
    uint64_t wrong = mismatches(buffer, got, want, openIn({&want, &got}, want.bytes.size()));
    probe.wrong += wrong;
    probe.open +=
        wrong - mismatches(buffer, got, want, openIn({&want, &got, &middle}, want.bytes.size()));
  }
  return probe;
}

std::string PoisonProbe::str() const {
  return std::to_string(wrong) + "\n" + std::to_string(open);
}

std::optional<PoisonProbe> PoisonProbe::parse(const std::optional<std::string> &text) {
  PoisonProbe probe;
  auto [wrong, open] = (text ? llvm::StringRef(*text) : "").split('\n');
  if (wrong.getAsInteger(10, probe.wrong) || open.getAsInteger(10, probe.open))
    return std::nullopt;
  return probe;
}
