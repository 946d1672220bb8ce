//===- AllRules.cpp - the tables of all families, and how a kernel draws from them ------------===//
#include "generators/program/Rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

llvm::ArrayRef<RuleFamily> tilesmith::generators::ruleFamilies() {
  static const RuleFamily families[] = {
      {"integer", "integers", "no zero divisor, no long shift; flags only where nothing wraps",
       integerRules()},
      {"float", "floats", "one correctly rounded result", floatRules()},
      {"math", "floats, clamped to where the function is tame",
       "approximate: only family enclosure goes on with it", mathRules()},
      {"compare", "values of one type", "determined conditions", compareSelectRules()},
      {"conversion", "numbers", "float to integer only in range", conversionRules()},
      {"storage", "numbers in the range of the format", "tf32, f8, f4, scales, i4", storageRules()},
      {"shape", "values of any type", "extents stay powers of two; order-free combiners",
       shapeRules()},
      {"matrix", "integers", "sums exact in any order", matrixRules()},
      {"memory", "arrays over the iteration space", "defined elements, one writer per element",
       memoryRules()},
      {"view", "indices of any value", "inside the index space, padded where ragged", viewRules()},
      {"pointer", "offsets of any value", "inside the array or masked off", pointerRules()},
      {"token-order", "depth 0", "conflicting accesses ordered by tokens", tokenOrderRules()},
      {"atomic", "offsets of any value", "commutative exact updates, old values unused",
       atomicRules()},
      {"module", "ranges", "true facts, holding assertions, prints in order", moduleRules()},
      {"control", "conditions and counters", "at most eight iterations per loop, few levels",
       controlFlowRules()},
      {"template", "depth 0", "known-hard shapes", templateRules()},
      {"pipeline", "depth 0", "sums exact or within bounds; edges padded or masked",
       pipelineRules()},
      {"strip", "depth 0", "at most four iterations, masked at the end; ordered by tokens",
       stripRules()},
      {"fold", "values of one type", "triggers of rewrites, and what is beside them", foldRules()},
      {"branch", "conditions", "selects and conditionals that rewrites look for", branchRules()},
      {"idiom", "depth 0", "two or three operations from memory to memory", idiomRules()},
      {"frontend", "scalars and conditions", "habits of real frontends", frontendRules()},
      {"enclosure", "floats known within bounds",
       "narrow bounds: clamped, mostly positive operands", enclosureRules()},
      {"half-byte", "indices of any value", "inside the index space, padded where ragged",
       halfByteRules()},
  };
  return families;
}

llvm::ArrayRef<Rule> tilesmith::generators::allRules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all;
    for (const RuleFamily &family : ruleFamilies())
      all.insert(all.end(), family.rules.begin(), family.rules.end());
    return all;
  }();
  return rules;
}

void tilesmith::generators::chooseWeights(KernelBuilder &kernel, ChoiceStream &stream,
                                          llvm::ArrayRef<std::string> only) {
  // 0: every rule as it is; 1: half of the families are left out; 2: one family prevails.
  static constexpr unsigned kModes[] = {4, 4, 2};
  size_t mode = stream.weighted(kModes);
  size_t favourite = stream.below(ruleFamilies().size());
  bool any = false;
  for (auto [i, family] : llvm::enumerate(ruleFamilies())) {
    bool skip = stream.chance(50);
    unsigned factor = mode == 0 ? 4 : mode == 1 ? (skip ? 0 : 4) : i == favourite ? 16 : 2;
    bool familyWanted = llvm::is_contained(only, family.name);
    for (const Rule &rule : family.rules) {
      unsigned weight = rule.since > kernel.version() ? 0 : rule.weight * factor;
      if (!only.empty()) {
        bool wanted = familyWanted || llvm::is_contained(only, rule.name);
        weight = wanted && rule.since <= kernel.version() ? rule.weight * 4 : 0;
      }
      any |= weight > 0;
      kernel.weights.push_back(weight);
    }
  }
  if (!any)
    kernel.weights.front() = 1;
}

void tilesmith::generators::addStatement(KernelBuilder &kernel, ChoiceStream &stream) {
  constexpr int kTries = 4;
  if (kernel.budget == 0)
    return;
  --kernel.budget;
  for (int i = 0; i < kTries; ++i) {
    const Rule &rule = allRules()[stream.weighted(kernel.weights)];
    size_t place = kernel.trail.size();
    kernel.trail.push_back(std::string(kernel.depth * 2, ' ') + rule.name.str());
    if (rule.apply(kernel, stream)) {
      kernel.note(rule.name);
      return;
    }
    kernel.trail.resize(place);
  }
}
