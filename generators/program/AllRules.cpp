//===- AllRules.cpp - the tables of all families ----------------------------------------------===//
#include "generators/program/Rules.h"

using namespace tilesmith::generators;

llvm::ArrayRef<Rule> tilesmith::generators::allRules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all;
    for (llvm::ArrayRef<Rule> family :
         {integerRules(), floatRules(), mathRules(), compareSelectRules(), conversionRules(),
          shapeRules(), matrixRules(), memoryRules(), controlFlowRules()})
      all.insert(all.end(), family.begin(), family.end());
    return all;
  }();
  return rules;
}

void tilesmith::generators::addStatement(KernelBuilder &kernel, ChoiceStream &stream) {
  static const std::vector<unsigned> weights = [] {
    std::vector<unsigned> result;
    for (const Rule &rule : allRules())
      result.push_back(rule.weight);
    return result;
  }();
  constexpr int kTries = 4;
  for (int i = 0; i < kTries; ++i) {
    const Rule &rule = allRules()[stream.weighted(weights)];
    if (rule.apply(kernel, stream)) {
      kernel.note(rule.name);
      return;
    }
  }
}
