//===- Differential.cpp - engines against expectations, themselves and each other -------------===//
#include "oracles/differential/Differential.h"

#include "reference/testcase/Compare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace tilesmith;
using namespace tilesmith::oracles;
using Status = EngineResult::Status;

/// The union of two sets of open bytes; an empty one is no open byte.
static testcase::Bytes unite(llvm::ArrayRef<uint8_t> a, llvm::ArrayRef<uint8_t> b) {
  if (a.empty() || b.empty())
    return a.empty() ? testcase::Bytes(b) : testcase::Bytes(a);
  testcase::Bytes result(a);
  for (auto [flag, other] : llvm::zip(result, b))
    flag |= other;
  return result;
}

static Verdict vacuousVerdict(const testcase::CompareResult &result, llvm::StringRef what,
                              llvm::StringRef where) {
  if (result.skipped > 0 && result.compared <= result.skipped)
    return Verdict::inconclusive(
        llvm::formatv("vacuous: {0}: most of {1} is left open", what, where));
  return Verdict::agree();
}

static Verdict compare(const testcase::Buffer &buffer, size_t index, const BufferResult &got,
                       llvm::ArrayRef<uint8_t> want, llvm::ArrayRef<uint8_t> open,
                       llvm::StringRef what) {
  testcase::CompareResult result =
      testcase::compareBuffer(buffer, got.bytes, want, buffer.compare, open);
  std::string where = llvm::formatv("buffer {0}", index);
  if (!result.ok())
    return Verdict::disagree(what.str(), where, testcase::describe(buffer, result));
  return vacuousVerdict(result, what, where);
}

/// Every element inside what the reference computed as legal: outside its bounds and their bands is
/// wrong, inside a band undecided [spec: band-observed].
static Verdict compareWithBounds(const testcase::Buffer &buffer, size_t index,
                                 llvm::ArrayRef<uint8_t> got, const testcase::Enclosure &bounds,
                                 llvm::ArrayRef<uint8_t> open, llvm::StringRef what) {
  testcase::Bytes skipped = unite(open, bounds.vacuous);
  std::string where = llvm::formatv("buffer {0}", index);
  testcase::CompareResult result =
      testcase::compareEnclosed(buffer, got, bounds.bandLow, bounds.bandHigh, skipped);
  if (!result.ok())
    return Verdict::disagree(what.str(), where,
                             "outside the bounds of legal results: " +
                                 testcase::describe(buffer, result));
  Verdict vacuous = vacuousVerdict(result, what, where);
  result = testcase::compareEnclosed(buffer, got, bounds.low, bounds.high, skipped);
  if (!result.ok())
    return Verdict::inconclusive(
        llvm::formatv("{0}: {1} is within the band of an observed bound: {2}", what, where,
                      testcase::describe(buffer, result)));
  return vacuous;
}

/// What changes between legal orders of strong accesses that nothing fixes.
struct OpenResults {
  std::string reason; ///< empty: nothing is known to change
  std::vector<bool> buffers;
  bool printed = false, outcome = false;

  /// A difference in what changes anyway proves nothing.
  Verdict excuse(bool changes, Verdict verdict) const {
    if (reason.empty() || !changes || !verdict.isDisagree())
      return verdict;
    return Verdict::inconclusive(
        llvm::formatv("one of several legal results, as {0}: {1}", reason, verdict.str()));
  }
  bool changes(size_t buffer) const { return buffer < buffers.size() && buffers[buffer]; }
};

/// The same buffer of two results that should be equal.
static Verdict compareBuffers(const testcase::Buffer &buffer, size_t i, const BufferResult &got,
                              const BufferResult &want, llvm::StringRef what,
                              const BufferResult *bounds = nullptr) {
  testcase::Bytes open = unite(got.ignored, want.ignored);
  bool bounded = buffer.compare.mode == testcase::Comparison::Mode::Enclosure;
  if (bounded && want.enclosure)
    return compareWithBounds(buffer, i, got.bytes, *want.enclosure, open, what);
  if (bounded && got.enclosure)
    return compareWithBounds(buffer, i, want.bytes, *got.enclosure, open, what);
  if (bounded && bounds && bounds->enclosure)
    return combine(compareWithBounds(buffer, i, got.bytes, *bounds->enclosure,
                                     unite(open, bounds->ignored), what),
                   compareWithBounds(buffer, i, want.bytes, *bounds->enclosure,
                                     unite(open, bounds->ignored), what));
  return compare(buffer, i, got, want.bytes, open, what);
}

/// Two results of engines that should be equal; `what` names both. `bounds`: what lies within its
/// bounds is equal.
static Verdict compareResults(const testcase::TestCase &testCase, const EngineResult &got,
                              const EngineResult &want, llvm::StringRef what,
                              const OpenResults &open = {}, const EngineResult *bounds = nullptr) {
  if (got.status != want.status)
    return open.excuse(
        open.outcome,
        Verdict::disagree(what.str(), "outcome",
                          llvm::formatv("got {0} ({1}), want {2} ({3})", toString(got.status),
                                        got.message, toString(want.status), want.message)));
  if (!got.completed())
    return Verdict::agree();
  Verdict verdict;
  for (auto [i, buffer] : llvm::enumerate(testCase.buffers))
    verdict =
        combine(verdict, open.excuse(open.changes(i),
                                     compareBuffers(buffer, i, got.buffers[i], want.buffers[i],
                                                    what, bounds ? &bounds->buffers[i] : nullptr)));
  if (got.printed != want.printed)
    verdict =
        combine(verdict, open.excuse(open.printed,
                                     Verdict::disagree(what.str(), "printed text",
                                                       llvm::formatv("got \"{0}\", want \"{1}\"",
                                                                     got.printed, want.printed))));
  return verdict;
}

/// Runs the engine that found open orders in several of them, to see what changes.
static OpenResults sampleOrders(const EngineRequest &request, Engine &engine,
                                const EngineResult &known) {
  OpenResults open;
  open.reason = known.openOrder;
  open.buffers.resize(request.testCase.buffers.size());
  using Clock = std::chrono::steady_clock;
  auto deadline = Clock::now() + std::chrono::seconds(2);
  // As many as two seconds allow. Of four blocks, 700 seeds miss one of the 24 orders and two
  // directions within a tile in 2 of 100,000 cases.
  constexpr uint64_t kFewest = 6, kMost = 700;
  bool all = false; // nothing is left to change
  for (uint64_t seed = 0; seed < kMost && !all; ++seed) {
    if (seed >= kFewest && Clock::now() > deadline)
      break;
    EngineRequest other{request.testCase, request.version, request.options};
    other.options.seed = seed;
    EngineResult result = engine.run(other);
    open.outcome |= result.status != known.status;
    open.printed |= result.printed != known.printed;
    if (!result.completed() || !known.completed())
      continue;
    for (auto [i, buffer] : llvm::enumerate(request.testCase.buffers))
      if (compareBuffers(buffer, i, result.buffers[i], known.buffers[i], "").isDisagree())
        open.buffers[i] = true;
    all = llvm::all_of(open.buffers, [](bool changed) { return changed; }) && open.printed;
  }
  return open;
}

/// Bounds of all results that differ in the order of sums of floats in memory alone; nothing where
/// a kernel forms none whose order is open. Known by running the reference without bounds: sums do
/// not commute there, with bounds they do [spec: order-open].
using SumBounds = std::optional<EngineResult>;
static SumBounds boundsOfSums(const EngineRequest &request, Engine *reference) {
  bool bounded = false;
  testcase::TestCase points = request.testCase;
  for (testcase::Buffer &buffer : points.buffers)
    if (buffer.compare.mode == testcase::Comparison::Mode::Enclosure) {
      buffer.compare.mode = testcase::Comparison::Mode::Exact;
      bounded = true;
    }
  if (!reference || !bounded)
    return std::nullopt;
  EngineResult point = reference->run({points, request.version, request.options});
  if (!point.completed() || point.openOrder.empty())
    return std::nullopt;
  EngineResult bounds = reference->run(request);
  if (!bounds.completed() || !bounds.openOrder.empty())
    return std::nullopt;
  return bounds;
}

/// What the bounds of the reference say about the results that other engines are held to.
static FloatComparisons countFloats(const testcase::TestCase &testCase,
                                    const EngineResult &result) {
  FloatComparisons floats;
  for (auto [buffer, left] : llvm::zip(testCase.buffers, result.buffers)) {
    if (buffer.compare.mode != testcase::Comparison::Mode::Enclosure ||
        !testcase::isFloat(buffer.dtype))
      continue;
    unsigned size = testcase::sizeInBytes(buffer.dtype);
    const testcase::Enclosure *bounds = left.enclosure.get();
    auto flagged = [&](llvm::ArrayRef<uint8_t> flags, size_t at) {
      return !flags.empty() && llvm::any_of(flags.slice(at, size), [](uint8_t f) { return f; });
    };
    for (size_t at = 0, i = 0; at + size <= left.bytes.size(); at += size, ++i) {
      auto element = [&](llvm::ArrayRef<uint8_t> bytes) {
        return testcase::readElement(bytes, buffer.dtype, i);
      };
      if (flagged(left.ignored, at)) {
        ++floats.open;
        ++floats.skipped[testcase::spelling(buffer.dtype).str() + ": open"];
      } else if (bounds && flagged(bounds->vacuous, at))
        ++floats.vacuous;
      else if (double ulps = bounds ? testcase::ulpDistance(buffer.dtype, element(bounds->low),
                                                            element(bounds->high))
                                    : 0)
        floats.addRange(ulps);
      else // also a zero of either sign
        floats.points += at + size > buffer.data.size() ||
                         element(left.bytes) != element(buffer.data); // written by the kernel
    }
    if (bounds)
      for (const auto &[cause, count] : bounds->vacuousFrom)
        floats.skipped[testcase::spelling(buffer.dtype).str() + ": " + cause] += count;
  }
  return floats;
}

/// A run that completed, against what the case stores. What `bounds` knows of a buffer in mode
/// `enclosure` stands for the one admissible outcome that is stored.
static Verdict compareWithExpectation(const testcase::TestCase &testCase,
                                      const EngineResult &result, llvm::StringRef engine,
                                      const EngineResult *bounds = nullptr) {
  std::string what = llvm::formatv("{0} against the stored expectation", engine);
  if (testCase.traps)
    return Verdict::disagree(what, "outcome",
                             "got completed, want a failed assertion: " + testCase.message);
  if (testCase.expectReject)
    return Verdict::disagree(
        what, "outcome", "got completed, want a rejection by rule " + testCase.expectReject->rule);
  Verdict verdict;
  for (auto [i, buffer] : llvm::enumerate(testCase.buffers)) {
    testcase::Bytes open = unite(result.buffers[i].ignored, buffer.open);
    if (hasExpectation(buffer) && result.buffers[i].enclosure &&
        buffer.compare.mode == testcase::Comparison::Mode::Enclosure)
      verdict = combine(verdict, compareWithBounds(buffer, i, buffer.expected(),
                                                   *result.buffers[i].enclosure, open, what));
    else if (bounds && hasExpectation(buffer) && bounds->buffers[i].enclosure &&
             buffer.compare.mode == testcase::Comparison::Mode::Enclosure)
      verdict =
          combine(verdict, compareWithBounds(buffer, i, result.buffers[i].bytes,
                                             *bounds->buffers[i].enclosure,
                                             unite(bounds->buffers[i].ignored, buffer.open), what));
    else if (hasExpectation(buffer))
      verdict =
          combine(verdict, compare(buffer, i, result.buffers[i], buffer.expected(), open, what));
  }
  // A case that leaves what its kernel writes to the engines leaves what it prints to them, too.
  bool openResults = llvm::any_of(
      testCase.buffers, [](const testcase::Buffer &buffer) { return !hasExpectation(buffer); });
  std::string wanted = testCase.standardOutput.value_or(openResults ? result.printed : "");
  if (result.printed != wanted)
    verdict = combine(verdict, Verdict::disagree(what, "printed text",
                                                 llvm::formatv("got \"{0}\", want \"{1}\"",
                                                               result.printed, wanted)));
  return verdict;
}

/// What the outcome of one run says by itself.
static Verdict judgeOutcome(const testcase::TestCase &testCase, const EngineResult &result,
                            llvm::StringRef engine) {
  std::string what = llvm::formatv("{0} against the stored expectation", engine);
  switch (result.status) {
  case Status::Completed:
    return compareWithExpectation(testCase, result, engine);
  case Status::Trapped:
    if (!testCase.traps)
      return Verdict::disagree(what, "outcome",
                               "got a failed assertion, want completed: " + result.message);
    if (!testCase.message.empty() && !result.message.empty() &&
        result.message.find(testCase.message) == std::string::npos)
      return Verdict::disagree(
          what, "message of the assertion",
          llvm::formatv("got \"{0}\", want \"{1}\"", result.message, testCase.message));
    return Verdict::agree();
  case Status::Rejected:
    if (testCase.expectReject) {
      const std::string &diagnostic = testCase.expectReject->diagnostic;
      if (result.message.find(diagnostic) == std::string::npos)
        return Verdict::disagree(
            what, "diagnostic",
            llvm::formatv("got \"{0}\", want \"{1}\"", result.message, diagnostic));
      return Verdict::agree();
    }
    if (testCase.mayReject)
      return Verdict::agree();
    return Verdict::disagree(what, "outcome", "the module was refused: " + result.message);
  case Status::Undefined:
  case Status::Inconclusive:
  case Status::Unsupported:
    return Verdict::inconclusive(
        llvm::formatv("{0}: {1}: {2}", engine, toString(result.status), result.message));
  case Status::Failed:
    return Verdict::disagree(llvm::formatv("{0} failed", engine).str(), "outcome", result.message);
  case Status::Unavailable:
    return Verdict::unavailable(engine, result.message);
  }
  llvm_unreachable("all statuses are listed");
}

ModuleReport tilesmith::oracles::judgeModule(const testcase::TestCase &testCase,
                                             llvm::StringRef version,
                                             llvm::ArrayRef<std::unique_ptr<Engine>> engines,
                                             const DifferentialOptions &options) {
  ModuleReport report;
  report.caseName = testCase.name;
  report.version = version.str();
  EngineRequest request{testCase, version.str(), options.engine};

  std::vector<EngineResult> results;
  bool meaningless = false; // undefined behaviour: no result means anything
  std::string falseAssumption, extension;
  // Where they differ and an engine found the order of racing atomics open, that one is run in more
  // orders.
  std::optional<OpenResults> open;
  std::optional<SumBounds> sums; // asked for when results differ
  auto compared = [&](const EngineResult &got, const EngineResult &want, llvm::StringRef what) {
    Verdict verdict = compareResults(testCase, got, want, what);
    if (!verdict.isDisagree())
      return verdict;
    for (auto [engine, result] : llvm::zip(engines, results)) // not all have run yet
      if (!open && !result.openOrder.empty())
        open = sampleOrders(request, *engine, result);
    if (open)
      return compareResults(testCase, got, want, what, *open);
    if (!sums)
      sums = boundsOfSums(request, options.bounds);
    return *sums ? compareResults(testCase, got, want, what, {}, &**sums) : verdict;
  };
  for (const std::unique_ptr<Engine> &engine : engines) {
    auto start = std::chrono::steady_clock::now();
    EngineResult &result = results.emplace_back(engine->run(request));
    Verdict verdict = judgeOutcome(testCase, result, engine->name());
    if (!verdict.isAgree())
      verdict.label = result.label;
    if (verdict.isDisagree() && options.bounds && !testCase.traps && !testCase.expectReject) {
      EngineResult bounds = options.bounds->run(request);
      if (bounds.completed() && result.completed())
        verdict = compareWithExpectation(testCase, result, engine->name(), &bounds);
      falseAssumption = bounds.falseAssumption;
      extension = bounds.extension;
      if (bounds.status == Status::Undefined) { // the kernel is at fault, not its engine
        verdict = Verdict::inconclusive("the kernel: undefined: " + bounds.message);
        verdict.label = bounds.label;
        meaningless = true;
      }
    }
    bool ran = result.completed() || result.status == Status::Trapped;
    if (result.completed() && report.floats.total() == 0)
      report.floats = countFloats(testCase, result);
    if (options.compareWithSelf && ran) {
      EngineRequest again{testCase, version.str(), engine->variation(options.engine)};
      // Its own contradiction is the first thing to know about an engine.
      EngineResult second = engine->run(again);
      std::string what = llvm::formatv("{0} against itself under another schedule", engine->name());
      verdict = combine(compared(second, result, what), verdict);
    }
    // Behaviour that is defined for an earlier engine became undefined on the way to this one.
    bool definedBefore = llvm::any_of(llvm::ArrayRef(results).drop_back(),
                                      [](const EngineResult &r) { return r.completed(); });
    meaningless |= result.status == Status::Undefined && !definedBefore;
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    verdict.engine = engine->name().str();
    verdict.mathLibrary = result.mathLibrary;
    report.engines.push_back({engine->name().str(), verdict, elapsed.count(), result.work});
  }

  for (const EngineResult &result : results)
    if (extension.empty())
      extension = result.extension;
  // What rests on the reference's own additions binds only those who keep to them.
  auto excused = [&](const Engine &engine, Verdict verdict) {
    if (extension.empty() || !engine.keepsToPublicText() || !verdict.isDisagree())
      return verdict;
    Verdict open =
        Verdict::inconclusive("the kernel: " + extension + "; " + verdict.str()).of(verdict.engine);
    open.label = "view-index";
    open.mathLibrary = verdict.mathLibrary;
    return open;
  };
  for (auto [engine, judged] : llvm::zip(engines, report.engines))
    judged.verdict = excused(*engine, judged.verdict);

  const Engine *firstEngine = nullptr;
  const EngineResult *first = nullptr;
  for (auto [engine, result] : llvm::zip(engines, results)) {
    bool undefinedNow = first && first->completed() && result.status == Status::Undefined;
    if (!result.completed() && result.status != Status::Trapped && !undefinedNow)
      continue;
    if (!first) {
      first = &result;
      firstEngine = engine.get();
      continue;
    }
    std::string what = llvm::formatv("{0} against {1}", engine->name(), firstEngine->name());
    Verdict verdict = compared(result, *first, what).of(engine->name());
    if (!verdict.isAgree())
      verdict.label = result.label;
    verdict.mathLibrary = result.mathLibrary;
    verdict = excused(*engine, excused(*firstEngine, std::move(verdict)));
    report.cross = combine(report.cross, verdict);
  }

  for (const EngineReport &engine : report.engines)
    if (!meaningless || engine.verdict.isInconclusive())
      report.verdict = combine(report.verdict, engine.verdict);
  if (!meaningless)
    report.verdict = combine(report.verdict, report.cross);
  for (auto [result, engine] : llvm::zip(results, report.engines))
    if (falseAssumption.empty() && !engine.verdict.isDisagree()) // who looks does not rely on it
      falseAssumption = result.falseAssumption;
  if (report.verdict.isDisagree() && !falseAssumption.empty()) {
    report.verdict =
        Verdict::inconclusive("the kernel: " + falseAssumption + "; " + report.verdict.str());
    report.verdict.label = "violated-assume";
  }
  return report;
}
