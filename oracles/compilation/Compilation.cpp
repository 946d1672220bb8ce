//===- Compilation.cpp - is compiling deterministic, and within its means ---------------------===//
#include "oracles/compilation/Compilation.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "oracles/engines/ModuleLoader.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

#include <ctime>
#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

static constexpr const char *kWhat = "compilation";

static double threadSeconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

CompilationFacts tilesmith::oracles::compileOnce(const testcase::TestCase &testCase,
                                                 llvm::StringRef version,
                                                 const EngineOptions &options) {
  CompilationFacts facts;
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  ModuleLoader loader(registry, options.profile, /*fresh=*/true);
  std::set<std::string> seen;
  for (const testcase::Launch &launch : testCase.launches) {
    const testcase::ModuleFile *file = launch.module(version);
    if (file && !seen.insert(file->file).second)
      continue;
    auto module = loader.load(launch, version);
    if (!module) {
      facts.error = llvm::toString(module.takeError());
      return facts;
    }
    (*module)->walk([&](mlir::Operation *) { ++facts.operations; });
    double before = threadSeconds();
    auto compiled = compileToDeviceModule(*module, options.compile);
    facts.cpuSeconds += threadSeconds() - before;
    if (!compiled) {
      facts.error = llvm::toString(compiled.takeError());
      return facts;
    }
    facts.instructions += compiled->module->getInstructionCount();
    llvm::raw_string_ostream(facts.text) << *compiled->module;
  }
  return facts;
}

Verdict tilesmith::oracles::judgeDeterminism(const CompilationFacts &first,
                                             const CompilationFacts &second) {
  if (!first.error.empty() && !second.error.empty())
    return first.error == second.error
               ? Verdict::inconclusive("compilation: " + first.error)
               : Verdict::disagree(kWhat, "determinism",
                                   llvm::formatv("refused with \"{0}\", again with \"{1}\"",
                                                 first.error, second.error));
  if (!first.error.empty() || !second.error.empty())
    return Verdict::disagree(kWhat, "determinism",
                             "refused once of twice: " + first.error + second.error);
  if (first.text == second.text)
    return Verdict::agree();
  llvm::StringRef a = first.text, b = second.text;
  unsigned line = 1;
  while (a.split('\n').first == b.split('\n').first) {
    a = a.split('\n').second;
    b = b.split('\n').second;
    ++line;
  }
  return Verdict::disagree(kWhat, "determinism",
                           llvm::formatv("line {0} of the LLVM IR is \"{1}\", again \"{2}\"", line,
                                         a.split('\n').first.trim().take_front(100),
                                         b.split('\n').first.trim().take_front(100)));
}

Verdict tilesmith::oracles::judgeResources(const CompilationFacts &facts,
                                           const ResourceLimits &limits) {
  if (!facts.error.empty())
    return Verdict::inconclusive("compilation: " + facts.error);
  uint64_t most = limits.baseInstructions + limits.instructionsPerOperation * facts.operations;
  if (facts.instructions > most)
    return Verdict::disagree(kWhat, "resources",
                             llvm::formatv("{0} instructions for {1} operations, want at most {2}",
                                           facts.instructions, facts.operations, most));
  double longest =
      limits.baseSeconds + limits.secondsPerOperation * static_cast<double>(facts.operations);
  if (facts.cpuSeconds > longest)
    return Verdict::disagree(
        kWhat, "resources",
        llvm::formatv("{0:f1} s of CPU time for {1} operations, want at most {2:f1}",
                      facts.cpuSeconds, facts.operations, longest));
  return Verdict::agree();
}

OtherAddresses::OtherAddresses() {
  for (unsigned i = 0; i < kBlocks; ++i)
    blocks.push_back(std::make_unique<char[]>(16 + i * 16 % 1024));
}

Verdict tilesmith::oracles::judgeCompilation(const testcase::TestCase &testCase,
                                             llvm::StringRef version,
                                             const EngineOptions &options) {
  CompilationFacts first = compileOnce(testCase, version, options);
  OtherAddresses addresses;
  CompilationFacts second = compileOnce(testCase, version, options);
  return combine(judgeDeterminism(first, second), judgeResources(first, kResourceLimits));
}
