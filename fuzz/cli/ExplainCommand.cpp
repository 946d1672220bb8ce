//===- ExplainCommand.cpp - tilesmith explain -------------------------------------------------===//
//
// Prints a rule of the specification: what it says, the page it stands on, the places that keep it
// and the tests that cite it. Labels may be given as messages print them, in brackets.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/Commands.h"
#include "fuzz/cli/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using llvm::StringRef;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::explainCommand() {
  static cl::SubCommand command("explain", "print a rule of the specification and its places");
  return command;
}

static cl::list<std::string> labels(cl::Positional, cl::desc("LABEL..."),
                                    cl::sub(explainCommand()));
static cl::opt<bool> list("list", cl::desc("list the labels, those that begin with LABEL if given"),
                          cl::sub(explainCommand()));

namespace {

constexpr size_t kWidth = 100; ///< of a printed line
constexpr size_t kNear = 5;    ///< labels that an unknown one is compared with

llvm::ArrayRef<SpecRule> allRules() {
  return {kSpecRules, kSpecRuleCount};
}

/// Words behind an indent, in lines of kWidth.
void printText(StringRef text) {
  size_t column = 0;
  for (StringRef word : llvm::split(text, ' ')) {
    if (column == 0 || column + 1 + word.size() > kWidth) {
      llvm::outs() << (column ? "\n  " : "  ") << word;
      column = 2 + word.size();
    } else {
      llvm::outs() << ' ' << word;
      column += 1 + word.size();
    }
  }
  llvm::outs() << '\n';
}

void printPlaces(StringRef what, StringRef places) {
  if (places.empty()) {
    llvm::outs() << "  " << what << ": nowhere\n";
    return;
  }
  llvm::outs() << "  " << what << ":\n";
  for (StringRef place : llvm::split(places, '\n'))
    llvm::outs() << "    " << place << '\n';
}

void explain(const SpecRule &rule) {
  llvm::outs() << '[' << rule.label << "]  " << rule.page << '\n';
  printText(rule.text);
  printPlaces("implemented", rule.code);
  printPlaces("tested", rule.tests);
}

/// The labels that look most like an unknown one: those that begin with it, contain it, then by
/// distance.
std::string nearLabels(StringRef label) {
  std::vector<std::pair<unsigned, StringRef>> near;
  for (const SpecRule &rule : allRules()) {
    StringRef known = rule.label;
    unsigned distance = known.starts_with(label) ? 0
                        : known.contains(label)  ? 1
                                                 : known.edit_distance(label);
    if (distance <= std::max<size_t>(2, label.size() / 3))
      near.emplace_back(distance, known);
  }
  llvm::sort(near);
  near.resize(std::min(near.size(), kNear));
  return llvm::join(llvm::make_second_range(near), ", ");
}

int listRules(StringRef prefix) {
  unsigned found = 0;
  for (const SpecRule &rule : allRules())
    if (StringRef(rule.label).starts_with(prefix)) {
      llvm::outs() << rule.label << "  " << rule.page << '\n';
      ++found;
    }
  return found ? 0 : usageError("no label begins with '" + prefix + "'");
}

} // namespace

int tilesmith::fuzz::runExplain() {
  if (list)
    return listRules(labels.empty() ? StringRef() : StringRef(labels.front()));
  if (labels.empty())
    return usageError("expected the label of a rule (--list prints all)");
  for (StringRef label : labels) {
    label = label.trim("[]");
    const SpecRule *rule =
        llvm::find_if(allRules(), [&](const SpecRule &r) { return r.label == label; });
    if (rule == allRules().end()) {
      std::string near = nearLabels(label);
      return usageError("no rule is called '" + label + "'" +
                        (near.empty() ? "" : ", near to it: " + near));
    }
    explain(*rule);
  }
  return 0;
}
