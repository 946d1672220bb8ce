//===- Oracle.cpp - what all oracles share ----------------------------------------------------===//
#include "oracles/Oracle.h"

#include "oracles/engines/EngineSettings.h"
#include "oracles/engines/ModuleLoader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

llvm::ArrayRef<std::unique_ptr<Engine>> OracleContext::engines(const std::string &list) const {
  static std::map<std::string, std::vector<std::unique_ptr<Engine>>> all;
  auto [it, isNew] = all.try_emplace(list);
  if (isNew)
    it->second = llvm::cantFail(createEngines(list));
  return it->second;
}

EngineOptions OracleContext::drawnOptions() const {
  const EngineOptions &shared = options.differential.engine;
  return options.only.empty() ? drawEngineOptions(shared, testCase.name) : shared;
}

/// How many times as large as an ordinary kernel this one is, at least one. A twentieth of all kernels takes a third of
/// the time, and finds no more than its number.
static uint64_t timesOrdinary(const ModuleReport &report) {
  constexpr uint64_t kElements = 1 << 17, kInstructions = 1500;
  uint64_t times = 1;
  for (const EngineReport &engine : report.engines)
    times =
        std::max(times, engine.work / (engine.engine == "reference" ? kElements : kInstructions));
  return times;
}

bool Oracle::draws(const OracleContext &context, const ModuleReport &soFar) const {
  const JudgeOptions &options = context.options;
  // What begins behind the first conversion only engines of later stages can run.
  if (startsAtTileAA(context.testCase, context.version) && name() != "differential")
    return false;
  if (!options.only.empty())
    return llvm::is_contained(options.only, name()) && applies(context, soFar);
  auto own = options.shares.find(name().str());
  uint64_t among = own == options.shares.end() ? share() : own->second;
  if (among == 0)
    return false;
  if (own == options.shares.end() && growsWithKernel())
    among *= timesOrdinary(soFar);
  uint64_t drawn = llvm::xxh3_64bits((name() + ":" + context.testCase.name).str());
  return drawn % among == 0 && applies(context, soFar);
}

Attribution Attribution::of(std::string component, std::string pass) {
  return {std::move(component), std::move(pass), "", ""};
}

Attribution Attribution::undecided(std::string component, std::string pass, std::string interval) {
  Attribution result = of(std::move(component), std::move(pass));
  result.interval = std::move(interval);
  result.decided = false;
  return result;
}

std::string Attribution::str() const {
  std::string text = (pass.empty() ? "unknown" : pass) + " (" + component + ")";
  if (!exposedBy.empty())
    text += ", shown by " + exposedBy;
  if (!decided)
    text += "; not told apart: " + interval;
  return text;
}
