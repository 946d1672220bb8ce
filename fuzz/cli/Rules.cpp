//===- Rules.cpp - the rules of the specification ---------------------------------------------===//
#include "fuzz/cli/Rules.h"

#include <iterator>

const tilesmith::fuzz::SpecRule tilesmith::fuzz::kSpecRules[] = {
#include "fuzz/cli/Rules.inc"
};
const unsigned tilesmith::fuzz::kSpecRuleCount = std::size(kSpecRules);
