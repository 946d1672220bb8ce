//===- OpenProbe.cpp - results that a conversion leaves open ----------------------------------===//
#include "fuzz/triage/OpenProbe.h"

#include "fuzz/campaign/WorkerProcess.h"
#include "reference/testcase/Compare.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::BufferResult;
using oracles::EngineResult;

namespace {

llvm::Expected<EngineResult> runOne(const testcase::TestCase &testCase, llvm::StringRef version,
                                    const oracles::EngineOptions &options, llvm::StringRef name) {
  auto engines = oracles::createEngines(name);
  if (!engines)
    return engines.takeError();
  EngineResult result = engines->front()->run({testCase, version.str(), options});
  if (!result.completed())
    return llvm::createStringError("expected " + name + " to run to the end, found: " +
                                   oracles::toString(result.status) + " (" + result.message + ")");
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

llvm::Expected<OpenProbe> tilesmith::fuzz::probeOpen(const testcase::TestCase &testCase,
                                                     llvm::StringRef version,
                                                     oracles::EngineOptions options,
                                                     llvm::StringRef between, int64_t passesBetween,
                                                     llvm::StringRef last) {
  auto want = runOne(testCase, version, options, "reference");
  if (!want)
    return want.takeError();
  auto got = runOne(testCase, version, options, last);
  if (!got)
    return got.takeError();
  options.compile.optBisectLimit = passesBetween;
  auto middle = runOne(testCase, version, options, between);
  if (!middle)
    return middle.takeError();
  OpenProbe probe;
  for (auto [i, buffer] : llvm::enumerate(testCase.buffers)) {
    const BufferResult &w = want->buffers[i], &g = got->buffers[i], &m = middle->buffers[i];
    uint64_t wrong = mismatches(buffer, g, w, openIn({&w, &g}, w.bytes.size()));
    probe.wrong += wrong;
    probe.open += wrong - mismatches(buffer, g, w, openIn({&w, &g, &m}, w.bytes.size()));
  }
  return probe;
}

std::optional<OpenProbe>
tilesmith::fuzz::probeOpenInChild(const testcase::TestCase &testCase, llvm::StringRef version,
                                  const oracles::EngineOptions &options, llvm::StringRef between,
                                  int64_t passesBetween, llvm::StringRef last,
                                  const std::function<void()> &prepare) {
  WorkerProcess process;
  auto work = [&](llvm::StringRef) -> std::string {
    if (prepare)
      prepare();
    auto probe = probeOpen(testCase, version, options, between, passesBetween, last);
    if (!probe)
      return llvm::toString(probe.takeError());
    return std::to_string(probe->wrong) + "\n" + std::to_string(probe->open);
  };
  WorkerAnswer answer = process.ask(work, {60, 0}, "probe");
  OpenProbe probe;
  auto [wrong, open] = llvm::StringRef(answer.text).split('\n');
  if (answer.status != WorkerAnswer::Status::Done || wrong.getAsInteger(10, probe.wrong) ||
      open.getAsInteger(10, probe.open))
    return std::nullopt;
  return probe;
}
