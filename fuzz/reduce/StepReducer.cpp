//===- StepReducer.cpp - a program of nv_tileaa made small ------------------------------------===//
#include "fuzz/reduce/StepReducer.h"

#include "fuzz/campaign/Interrupt.h"
#include "generators/program/TileAAGenerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>

using namespace tilesmith;
using namespace tilesmith::fuzz;

static std::string textOf(const testcase::TestCase &testCase) {
  return llvm::toStringRef(llvm::ArrayRef(testCase.launches.front().modules.front().bytes)).str();
}

/// Lines with an operation: results or the name of one in front.
static unsigned operationsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  return static_cast<unsigned>(llvm::count_if(lines, [](llvm::StringRef line) {
    line = line.ltrim();
    return line.starts_with("%") || line.starts_with("\"") || line.starts_with("scf.");
  }));
}

llvm::Expected<ReduceResult> tilesmith::fuzz::reduceSteps(const testcase::TestCase &testCase,
                                                          const std::string &version,
                                                          const Signature &wanted,
                                                          const ReduceOptions &options) {
  const auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  auto without = [&](const std::set<unsigned> &steps) {
    auto stream = generators::ChoiceStream::fromBytes(*testCase.choices);
    return generators::generateTileAA(stream, testCase.name, steps);
  };
  if (!testCase.choices || textOf(without({}).testCase) != textOf(testCase))
    return llvm::createStringError("expected a program of nv_tileaa beside the choices that make "
                                   "it: nothing else of such a case is made smaller");

  ForkedJudge forked(options.limits, options.prepare);
  ReduceResult result;
  result.testCase = testCase;
  result.signature = wanted;
  result.operationsBefore = operationsOf(textOf(testCase));
  std::set<unsigned> dropped;
  const auto steps = static_cast<unsigned>(without({}).trail.size());
  for (bool changed = true; changed && result.complete;) {
    changed = false;
    for (unsigned step = steps; step-- > 0 && result.complete;) {
      if (dropped.count(step))
        continue;
      std::set<unsigned> more = dropped;
      more.insert(step);
      testcase::TestCase candidate = without(more).testCase;
      ++result.candidates;
      if (signatureOf(forked.judge(candidate, version, options.judge).verdict) == wanted) {
        dropped = std::move(more);
        changed = true;
        result.testCase = std::move(candidate);
        if (options.onProgress)
          options.onProgress(operationsOf(textOf(result.testCase)), result.candidates);
      }
      result.complete = !interrupted() && (options.seconds <= 0 || elapsed() < options.seconds);
    }
  }
  // What is left out is no choice.
  result.testCase.choices.reset();
  result.verdict = forked.judge(result.testCase, version, options.judge).verdict;
  if (signatureOf(result.verdict) != wanted)
    return llvm::createStringError("the reduced case does not fail again, found: " +
                                   result.verdict.str());
  result.testCase.notes = result.verdict.str();
  result.text = textOf(result.testCase);
  result.operationsAfter = operationsOf(result.text);
  result.seconds = elapsed();
  result.judge = options.judge;
  return result;
}
