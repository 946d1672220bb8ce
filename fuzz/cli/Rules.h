//===- Rules.h - the rules of the specification -----------------------------------------------===//
//
// The table that ci/lint/labels.py makes of the pages and of all that cites them when tilesmith is
// built, so that an installed tilesmith explains without its sources.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CLI_RULES_H
#define FUZZ_CLI_RULES_H

namespace tilesmith::fuzz {

struct SpecRule {
  const char *label, *page; ///< sorted by label; the page with its line
  const char *text;
  const char *code, *tests; ///< `FILE:LINE,LINE` per line
};

extern const SpecRule kSpecRules[];
extern const unsigned kSpecRuleCount;

} // namespace tilesmith::fuzz

#endif // FUZZ_CLI_RULES_H
