//===- Reducer.cpp - a failing case made small ------------------------------------------------===//
#include "fuzz/reduce/Reducer.h"

#include "fuzz/campaign/Interrupt.h"
#include "fuzz/reduce/Kernel.h"
#include "fuzz/reduce/StepReducer.h"
#include "fuzz/reduce/Values.h"
#include "oracles/engines/ModuleLoader.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <chrono>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::ModuleReport;
using oracles::Verdict;

namespace {

class Reducer {
public:
  Reducer(const ReduceOptions &options, Signature wanted, std::string version, Kernel kernel)
      : options(options), judgeOptions(options.judge), forked(options.limits, options.prepare),
        wanted(std::move(wanted)), version(std::move(version)), best(std::move(kernel)) {}

  void run();

  Kernel &kernel() { return best; }
  unsigned judged() const { return candidates; }
  bool complete() const { return !outOfTime(); }
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  const Signature &signature() const { return wanted; }

  /// Judges the kernel as it is; used before and after the search.
  ModuleReport judgeBest(bool full);

private:
  bool outOfTime() const {
    return interrupted() || (options.seconds > 0 && elapsed() >= options.seconds);
  }
  bool accepts(const testcase::TestCase &testCase);
  bool attempt(llvm::function_ref<bool(Kernel &)> edit);

  bool dropLaunches();
  bool dropInHalves(llvm::function_ref<bool(mlir::Operation *)> wantedOp, Substitute substitute);
  bool dropOneByOne();
  bool dropThroughUsers();
  bool simplifyControlFlow();
  bool simplifyOperands();
  bool shrinkTiles();
  bool shrinkLaunch();
  bool simplifyConstants();
  bool simplifyInputs();
  bool tidy();

  const ReduceOptions &options;
  JudgeOptions judgeOptions;
  ForkedJudge forked;
  Signature wanted;
  std::string version;
  Kernel best;
  unsigned candidates = 0;
  llvm::StringSet<> seen; ///< hashes of rejected candidates
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// True when no engine found the program undefined or undecided.
bool wellDefined(const ModuleReport &report) {
  return llvm::none_of(report.engines, [](const oracles::EngineReport &engine) {
    return engine.engine == "reference" && !engine.verdict.isAgree() &&
           !engine.verdict.isDisagree();
  });
}

ModuleReport Reducer::judgeBest(bool full) {
  auto testCase = best.toTestCase();
  if (!testCase) {
    ModuleReport report;
    report.verdict = Verdict::inconclusive(llvm::toString(testCase.takeError()));
    return report;
  }
  return forked.judge(*testCase, version, full ? options.judge : judgeOptions);
}

bool Reducer::accepts(const testcase::TestCase &testCase) {
  ++candidates;
  ModuleReport report = forked.judge(testCase, version, judgeOptions);
  if (signatureOf(report.verdict) != wanted || !wellDefined(report))
    return false;
  if (!report.engines.empty())
    return true;
  // The reference was not asked: a crash, or an oracle without engines.
  report = forked.judge(testCase, version, oracles::referenceAlone(judgeOptions));
  return !report.engines.empty() && wellDefined(report);
}

bool Reducer::attempt(llvm::function_ref<bool(Kernel &)> edit) {
  if (outOfTime())
    return false;
  Kernel candidate = best.clone();
  if (!edit(candidate))
    return false;
  auto testCase = candidate.toTestCase();
  if (!testCase) {
    llvm::consumeError(testCase.takeError());
    return false;
  }
  std::string key = testcase::printTestCase(*testCase);
  for (const testcase::Launch &launch : testCase->launches)
    key.append(launch.modules.front().bytes.begin(), launch.modules.front().bytes.end());
  for (const testcase::Buffer &buffer : testCase->buffers)
    key.append(buffer.data.begin(), buffer.data.end());
  key = oracles::stableHash(key);
  if (seen.contains(key))
    return false;
  if (!accepts(*testCase)) {
    seen.insert(key);
    return false;
  }
  best = std::move(candidate);
  if (options.onProgress)
    options.onProgress(best.operationCount(), candidates);
  return true;
}

bool Reducer::dropLaunches() {
  bool changed = false;
  for (size_t i = best.testCase.launches.size(); i-- > 0 && best.testCase.launches.size() > 1;)
    changed |= attempt([&](Kernel &kernel) {
      auto &launches = kernel.testCase.launches;
      launches.erase(launches.begin() + static_cast<std::ptrdiff_t>(i));
      kernel.dropUnused();
      return true;
    });
  return changed;
}

bool Reducer::dropInHalves(llvm::function_ref<bool(mlir::Operation *)> wantedOp,
                           Substitute substitute) {
  bool changed = false;
  auto positions = [&] {
    std::vector<size_t> result;
    for (auto [i, op] : llvm::enumerate(best.operations()))
      if (wantedOp(op))
        result.push_back(i);
    return result;
  };
  size_t size = positions().size() / 2;
  while (size >= 1) {
    // From the end: what uses values goes before what makes them.
    for (size_t end = positions().size(); end > 0;) {
      std::vector<size_t> all = positions();
      end = std::min(end, all.size());
      size_t begin = end > size ? end - size : 0;
      if (begin == end)
        break;
      llvm::ArrayRef<size_t> chunk(all.data() + begin, end - begin);
      changed |= attempt([&](Kernel &kernel) { return kernel.dropOperations(chunk, substitute); });
      end = begin;
    }
    size /= 2;
  }
  return changed;
}

bool Reducer::dropOneByOne() {
  bool changed = false;
  for (Substitute substitute :
       {Substitute::Operand, Substitute::Zero, Substitute::One, Substitute::Dominating,
        Substitute::Iota, Substitute::Ramp, Substitute::AllOnes, Substitute::Lowest})
    for (size_t i = best.operationCount(); i-- > 0;) {
      std::vector<mlir::Operation *> all = best.operations();
      if (i >= all.size())
        continue;
      if (llvm::isa<cuda_tile::ConstantOp>(all[i]) && substitute != Substitute::Operand &&
          substitute != Substitute::Dominating)
        continue; // simplifyConstants
      changed |= attempt([&](Kernel &kernel) { return kernel.dropOperations({i}, substitute); });
    }
  return changed;
}

/// What no value of its own type stands in for, such as a cast, goes with its users.
bool Reducer::dropThroughUsers() {
  bool changed = false;
  for (size_t i = best.operationCount(); i-- > 0;)
    for (unsigned choice = 0; choice < 3; ++choice) {
      unsigned before = best.operationCount();
      changed |= attempt([&](Kernel &kernel) {
        return kernel.dropThroughUsers(i, choice) && kernel.operationCount() < before;
      });
    }
  return changed;
}

bool Reducer::simplifyControlFlow() {
  bool changed = false;
  for (size_t i = best.operationCount(); i-- > 0;) {
    std::vector<mlir::Operation *> all = best.operations();
    if (i >= all.size() || !llvm::isa<cuda_tile::IfOp, cuda_tile::ForOp, cuda_tile::LoopOp>(all[i]))
      continue;
    bool inlined = attempt([&](Kernel &kernel) { return kernel.inlineRegion(i, 0); }) ||
                   attempt([&](Kernel &kernel) { return kernel.inlineRegion(i, 1); });
    changed |= inlined;
    if (inlined)
      continue;
    for (unsigned r = all[i]->getNumResults(); r-- > 0;)
      changed |= attempt([&](Kernel &kernel) { return kernel.dropResult(i, r, Substitute::Zero); });
  }
  return changed;
}

bool Reducer::simplifyOperands() {
  bool changed = false;
  for (size_t i = best.operationCount(); i-- > 0;) {
    std::vector<mlir::Operation *> all = best.operations();
    if (i >= all.size())
      continue;
    for (unsigned k = all[i]->getNumOperands(); k-- > 0;)
      changed |= attempt([&](Kernel &kernel) { return kernel.dropOperand(i, k); });
  }
  // Attributes of operations, then of the entries behind them.
  for (size_t i = 0; i < best.operationCount() + best.testCase.launches.size(); ++i)
    for (unsigned k = 8; k-- > 0;)
      changed |= attempt([&](Kernel &kernel) { return kernel.dropAttribute(i, k); });
  return changed;
}

bool Reducer::shrinkTiles() {
  bool changed = false;
  bool again = true;
  while (again) {
    again = false;
    std::vector<int64_t> extents = best.extents();
    if (extents.empty())
      break;
    auto tryMap = [&](llvm::function_ref<int64_t(int64_t)> map) {
      return attempt([&](Kernel &kernel) { return kernel.mapExtents(map); });
    };
    again =
        tryMap([](int64_t) { return 1; }) || tryMap([](int64_t e) { return e > 1 ? e / 2 : e; });
    for (size_t i = 0; i < extents.size() && !again; ++i) {
      int64_t extent = extents[i];
      again = tryMap([&](int64_t e) { return e == extent ? 1 : e; }) ||
              tryMap([&](int64_t e) { return e == extent ? e / 2 : e; });
      // Two at a time, where one operation ties them together.
      for (size_t j = i + 1; j < extents.size() && !again; ++j)
        again = tryMap([&](int64_t e) { return e == extent || e == extents[j] ? e / 2 : e; });
    }
    changed |= again;
  }
  return changed;
}

bool Reducer::shrinkLaunch() {
  bool changed = false;
  for (size_t l = 0; l < best.testCase.launches.size(); ++l) {
    for (int d = 0; d < 3; ++d)
      while (best.testCase.launches[l].grid[d] > 1 && (attempt([&](Kernel &kernel) {
                                                         kernel.testCase.launches[l].grid[d] = 1;
                                                         return true;
                                                       }) ||
                                                       attempt([&](Kernel &kernel) {
                                                         kernel.testCase.launches[l].grid[d] /= 2;
                                                         return true;
                                                       })))
        changed = true;
    // Scalars: 0 and 1 before anything else.
    for (size_t p = best.testCase.launches[l].params.size(); p-- > 0;) {
      const testcase::Parameter &parameter = best.testCase.launches[l].params[p];
      if (parameter.kind == testcase::Parameter::Kind::Pointer && parameter.offset != 0)
        changed |= attempt([&](Kernel &kernel) {
          kernel.testCase.launches[l].params[p].offset = 0;
          return true;
        });
      if (parameter.kind != testcase::Parameter::Kind::Scalar)
        continue;
      for (uint64_t bits :
           {testcase::fromDouble(parameter.dtype, 0), testcase::fromDouble(parameter.dtype, 1)}) {
        if (best.testCase.launches[l].params[p].bits == bits)
          break;
        if (attempt([&](Kernel &kernel) {
              kernel.testCase.launches[l].params[p].bits = bits;
              return true;
            })) {
          changed = true;
          break;
        }
      }
    }
  }
  return changed;
}

/// How simple a constant is: 0 for zeros, 1 for ones, 2 for another splat, 3 for the rest.
unsigned rankOf(mlir::Operation *op) {
  auto constant = llvm::dyn_cast<cuda_tile::ConstantOp>(op);
  if (!constant)
    return 0;
  auto value = llvm::cast<mlir::DenseElementsAttr>(mlir::Attribute(constant.getValue()));
  if (!value.isSplat())
    return 3;
  if (llvm::isa<cuda_tile::FloatNV8E5M3FNUType>(value.getElementType()))
    return 0;
  llvm::APInt bits = llvm::isa<mlir::FloatType>(value.getElementType())
                         ? value.getSplatValue<llvm::APFloat>().bitcastToAPInt()
                         : value.getSplatValue<llvm::APInt>();
  if (bits.isZero())
    return 0;
  bool one = llvm::isa<mlir::FloatType>(value.getElementType())
                 ? value.getSplatValue<llvm::APFloat>().isExactlyValue(1.0)
                 : bits.isOne();
  return one ? 1 : 2;
}

bool Reducer::simplifyConstants() {
  bool changed = false;
  for (size_t i = best.operationCount(); i-- > 0;) {
    std::vector<mlir::Operation *> all = best.operations();
    if (i >= all.size())
      continue;
    unsigned rank = rankOf(all[i]);
    static constexpr Substitute kinds[] = {Substitute::Zero, Substitute::One, Substitute::Lowest};
    for (unsigned r = 0; r < rank; ++r)
      if (attempt([&](Kernel &kernel) { return kernel.dropOperations({i}, kinds[r]); })) {
        changed |= true;
        break;
      }
  }
  return changed;
}

bool Reducer::simplifyInputs() {
  bool changed = false;
  for (size_t b = 0; b < best.testCase.buffers.size(); ++b) {
    if (llvm::all_of(best.testCase.buffers[b].data, [](uint8_t byte) { return byte == 0; }))
      continue;
    changed |= attempt([&](Kernel &kernel) {
      std::fill(kernel.testCase.buffers[b].data.begin(), kernel.testCase.buffers[b].data.end(), 0);
      return true;
    });
  }
  return changed;
}

bool Reducer::tidy() {
  unsigned before = best.operationCount();
  bool changed = attempt([](Kernel &kernel) { return kernel.dropUnused(); });
  changed |= attempt(
      [&](Kernel &kernel) { return kernel.mergeEqual() && kernel.operationCount() < before; });
  return changed;
}

void Reducer::run() {
  auto isEffect = [](mlir::Operation *op) { return hasEffect(op); };
  auto isAny = [](mlir::Operation *op) { return !llvm::isa<cuda_tile::ConstantOp>(op); };
  tidy();
  for (unsigned round = 0; round < 8 && !outOfTime(); ++round) {
    bool changed = dropLaunches();
    changed |= dropInHalves(isEffect, Substitute::Zero);
    changed |= tidy();
    if (round == 0) {
      changed |= dropInHalves(isAny, Substitute::Zero);
      changed |= tidy();
    }
    changed |= shrinkLaunch();
    changed |= simplifyControlFlow();
    changed |= dropOneByOne();
    changed |= dropThroughUsers();
    changed |= tidy();
    changed |= shrinkTiles();
    changed |= simplifyOperands();
    changed |= simplifyConstants();
    changed |= simplifyInputs();
    changed |= tidy();
    if (!changed)
      break;
  }
}

} // namespace

llvm::Expected<ReduceResult> tilesmith::fuzz::reduceCase(const testcase::TestCase &original,
                                                         const ReduceOptions &options) {
  if (original.expectReject)
    return llvm::createStringError("expected a case that runs, found one whose module must be "
                                   "refused: it has one fault, and nothing to reduce");
  // The version that fails.
  ModuleReport report;
  std::string version;
  double spent = 0; // on the original
  ForkedJudge forked(options.limits, options.prepare);
  for (const std::string &candidate : original.versions()) {
    if (!options.version.empty() && candidate != options.version)
      continue;
    report = forked.judge(original, candidate, options.judge);
    if (report.verdict.isDisagree()) {
      version = candidate;
      for (const oracles::EngineReport &engine : report.engines)
        spent += engine.seconds;
      break;
    }
  }
  if (version.empty())
    return llvm::createStringError("expected a case that fails, found: " + report.verdict.str());

  // Stored expectations go out of date with the first edit: the engines must disagree with each
  // other.
  testcase::TestCase bare = original;
  for (testcase::Buffer &buffer : bare.buffers)
    if (buffer.expect) {
      buffer.expect.reset();
      buffer.open.clear();
      buffer.compare = {testcase::Comparison::Mode::Enclosure, 0, 0};
    }
  bare.standardOutput.reset();
  ModuleReport bareReport = forked.judge(bare, version, options.judge);
  // One engine beside the reference is enough, where it shows the same.
  JudgeOptions focused = oracles::focusOn(bareReport, bare.name, options.judge);
  ModuleReport focusedReport = forked.judge(bare, version, focused);
  bool narrow = signatureOf(focusedReport.verdict) == signatureOf(bareReport.verdict);
  if (narrow)
    bareReport = std::move(focusedReport);
  if (!bareReport.verdict.isDisagree())
    return llvm::createStringError(
        "the engines agree with each other and only the stored expectation says otherwise (" +
        report.verdict.str() + "): what they share is wrong, and editing the kernel would lose it");

  // A candidate that takes much longer than the original hangs.
  ReduceOptions own = options;
  if (narrow)
    own.judge = focused;
  own.limits.seconds = std::min(options.limits.seconds, 1.5 + 10 * spent);
  if (oracles::startsAtTileAA(bare, version))
    return reduceSteps(bare, version, signatureOf(bareReport.verdict), own);

  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto *dialect = context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  dialect->setProfile(cuda_tile::Profile::Tileiras13_5);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  auto kernel = Kernel::create(bare, version, context);
  if (!kernel)
    return llvm::createStringError(
        "the module does not read, so that nothing of it can be edited (" +
        llvm::toString(kernel.takeError()) +
        "): what wrote or reads it is at fault, and the case stays");
  // Editing means reading and writing: a fault of the reader goes with the bytes that show it.
  auto rewritten = kernel->toTestCase();
  if (!rewritten)
    return rewritten.takeError();
  ModuleReport rewrittenReport =
      forked.judge(*rewritten, version, narrow ? focused : options.judge);
  if (signatureOf(rewrittenReport.verdict) != signatureOf(bareReport.verdict))
    return llvm::createStringError(
        "expected a module that fails alike once it is read and written again, found " +
        rewrittenReport.verdict.str() + ": its bytes show the fault (" + bareReport.verdict.str() +
        "), and the case stays as it is");

  ReduceResult result;
  result.operationsBefore = kernel->operationCount();
  Reducer reducer(own, signatureOf(bareReport.verdict), version, std::move(*kernel));
  reducer.run();
  ModuleReport last = reducer.judgeBest(/*full=*/true);
  if (signatureOf(last.verdict) != reducer.signature())
    last = reducer.judgeBest(/*full=*/false);
  if (!last.verdict.isDisagree())
    return llvm::createStringError("the reduced case does not fail again, found: " +
                                   last.verdict.str());
  auto testCase = reducer.kernel().toTestCase();
  if (!testCase)
    return testCase.takeError();
  result.testCase = std::move(*testCase);
  result.testCase.notes = last.verdict.str();
  result.text = reducer.kernel().text();
  result.signature = reducer.signature();
  result.verdict = last.verdict;
  result.operationsAfter = reducer.kernel().operationCount();
  result.candidates = reducer.judged();
  result.seconds = reducer.elapsed();
  result.complete = reducer.complete();
  result.judge = own.judge;
  return result;
}
