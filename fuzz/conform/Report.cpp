//===- Report.cpp - a package for people and for build servers --------------------------------===//
#include "fuzz/conform/Package.h"
#include "fuzz/report/Page.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace tilesmith::fuzz;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr size_t kMaxShownFailures = 300; ///< with their details; keeps a page small

static int64_t countOf(const Package &package, StringRef key) {
  const json::Object *counts = package.statement.getObject("counts");
  return counts ? counts->getInteger(key).value_or(0) : 0;
}

std::string tilesmith::fuzz::conform::badge(const Package &package) {
  int64_t all = countOf(package, "requirements") - countOf(package, toString(State::Unsupported));
  std::string text =
      llvm::formatv("tilesmith conform: {0}: {1} of {2} pass", package.text("profile"),
                    countOf(package, toString(State::Pass)), all);
  for (State state : {State::Fail, State::Waived, State::NotRun})
    if (int64_t count = countOf(package, toString(state)))
      text += llvm::formatv(", {0} {1}", count, toString(state));
  return text;
}

namespace {

/// Rows of a matrix: `reject` has its rules, the others operation and type; columns are versions.
using Matrix = std::map<std::string, std::map<std::string, std::pair<unsigned, unsigned>>>;

Matrix matrixOf(const Package &package, StringRef wanted) {
  Matrix matrix;
  for (const Result &result : package.results) {
    llvm::SmallVector<StringRef> parts;
    StringRef(result.id).split(parts, '/');
    if (parts[0] != wanted || result.verdict.state == State::Unsupported)
      continue;
    auto version = llvm::find_if(parts, [](StringRef part) { return part.starts_with("13."); });
    std::string column = version == parts.end() ? "all" : version->str();
    std::string row = wanted == "accept" && parts[1] == "form" && parts.size() > 3
                          ? (parts[2] + " " + parts[3]).str()
                          : parts[1].str();
    auto &[passed, all] = matrix[row][column];
    ++all;
    passed += result.verdict.state == State::Pass;
  }
  return matrix;
}

void writeMatrix(llvm::raw_ostream &out, const Package &package, StringRef kind) {
  Matrix matrix = matrixOf(package, kind);
  if (matrix.empty())
    return;
  std::set<std::string> columns;
  for (const auto &[row, cells] : matrix)
    for (const auto &[column, cell] : cells)
      columns.insert(column);
  out << "<h3>" << escapeMarkup(kind) << "</h3>\n<div class=\"wide map\"><table>\n<tr><th></th>";
  for (const std::string &column : columns)
    out << "<th>" << escapeMarkup(column) << "</th>";
  out << "</tr>\n";
  for (const auto &[row, cells] : matrix) {
    out << "<tr><th>" << escapeMarkup(row) << "</th>";
    for (const std::string &column : columns) {
      auto it = cells.find(column);
      if (it == cells.end()) {
        out << "<td class=\"none\"></td>";
        continue;
      }
      auto [passed, all] = it->second;
      out << "<td class=\"" << (passed == all ? "good" : "bad") << "\">";
      if (passed == all)
        out << all;
      else
        out << passed << " of " << all;
      out << "</td>";
    }
    out << "</tr>\n";
  }
  out << "</table></div>\n";
}

std::map<std::string, State> statesOf(const Package &package) {
  std::map<std::string, State> states;
  for (const Result &result : package.results)
    states[result.id] = result.verdict.state;
  return states;
}

void writeFailures(llvm::raw_ostream &out, const Package &package, const RequirementList &list,
                   llvm::function_ref<std::string(StringRef)> textOfRule) {
  std::map<StringRef, const Requirement *> rows;
  for (const Requirement &row : list.rows)
    rows[row.id] = &row;
  size_t shown = 0;
  for (const Result &result : package.results) {
    if (result.verdict.state != State::Fail && result.verdict.state != State::Waived)
      continue;
    if (++shown > kMaxShownFailures)
      continue;
    auto row = rows.find(result.id);
    out << "<details><summary><b>" << escapeMarkup(result.id) << "</b> "
        << escapeMarkup(result.verdict.reason) << "</summary>\n<table>\n";
    auto cell = [&](StringRef key, StringRef value) {
      if (!value.empty())
        out << "<tr><th>" << key << "</th><td>" << escapeMarkup(value) << "</td></tr>\n";
    };
    cell("state", toString(result.verdict.state));
    if (row != rows.end()) {
      cell("rule", "[" + row->second->rule + "] " + textOfRule(row->second->rule));
      cell("case", row->second->source);
      cell("SHA-256", row->second->sha256);
      if (list.side == "compiler")
        cell("reproduce", "tilesmith conform show " + list.version + " " + result.id + " -o DIR");
    }
    if (auto raw = package.outputs.find(result.id); raw != package.outputs.end())
      cell("written down", llvm::formatv("{0}", json::Value(json::Object(raw->second))).str());
    out << "</table></details>\n";
  }
  if (shown == 0)
    out << "<p>None.</p>\n";
  if (shown > kMaxShownFailures)
    out << llvm::formatv("<p>{0} more stand in results.jsonl.</p>\n", shown - kMaxShownFailures);
}

} // namespace

bool tilesmith::fuzz::conform::printDiff(llvm::raw_ostream &out, const Package &before,
                                         const Package &after) {
  std::map<std::string, State> old = statesOf(before), now = statesOf(after);
  bool differs = false;
  auto line = [&](const std::string &id, StringRef from, StringRef to) {
    differs = true;
    out << id << ": " << from << " -> " << to << '\n';
  };
  for (const auto &[id, state] : old)
    if (auto it = now.find(id); it == now.end())
      line(id, toString(state), "not in the list");
    else if (it->second != state)
      line(id, toString(state), toString(it->second));
  for (const auto &[id, state] : now)
    if (!old.count(id))
      line(id, "not in the list", toString(state));
  return differs;
}

void tilesmith::fuzz::conform::writeHtml(llvm::raw_ostream &out, const Package &package,
                                         const RequirementList &list, const Package *previous,
                                         llvm::function_ref<std::string(StringRef)> textOfRule) {
  beginPage(out, package.text("what") + ": " + package.text("profile"));
  out << "<div class=\"tiles\">\n";
  for (State state : {State::Pass, State::Fail, State::Waived, State::Unsupported, State::NotRun})
    if (int64_t count = countOf(package, toString(state)); count || state == State::Pass)
      writePageTile(out, llvm::Twine(count), toString(state), state == State::Fail && count > 0);
  writePageTile(out, llvm::Twine(countOf(package, "requirements")), "requirements");
  out << "</div>\n<h2>Statement</h2>\n<pre>"
      << escapeMarkup(llvm::formatv("{0:2}", json::Value(json::Object(package.statement))).str())
      << "</pre>\n<h2>Failures</h2>\n";
  writeFailures(out, package, list, textOfRule);
  out << "<h2>Waivers</h2>\n";
  if (package.waivers.empty())
    out << "<p>None.</p>\n";
  for (const Waiver &waiver : package.waivers)
    out << "<p><b>" << escapeMarkup(waiver.requirement) << "</b> " << escapeMarkup(waiver.reason)
        << ", <a href=\"" << escapeMarkup(waiver.url) << "\">" << escapeMarkup(waiver.url)
        << "</a>, expires with " << escapeMarkup(waiver.expires) << "</p>\n";
  if (previous) {
    std::string changes;
    llvm::raw_string_ostream sink(changes);
    printDiff(sink, *previous, package);
    out << "<h2>Since the previous package</h2>\n<pre>"
        << escapeMarkup(changes.empty() ? "no state changed" : changes) << "</pre>\n";
  }
  out << "<h2>Matrix</h2>\n<p>Requirements that pass, by operation and type, or rule, and "
         "version.</p>\n";
  for (StringRef kind :
       {"accept", "reject", "cli", "object", "execute", "robust", "check", "legal", "emit"})
    writeMatrix(out, package, kind);
  out << "</body></html>\n";
}

void tilesmith::fuzz::conform::writeJson(llvm::raw_ostream &out, const Package &package,
                                         const RequirementList &list) {
  json::OStream stream(out, 1);
  stream.object([&] {
    stream.attribute("statement", json::Object(package.statement));
    stream.attributeArray("results", [&] {
      for (auto [row, result] : llvm::zip(list.rows, package.results))
        stream.object([&] {
          stream.attribute("id", result.id);
          stream.attribute("rule", row.rule);
          stream.attribute("state", toString(result.verdict.state));
          if (!result.verdict.reason.empty())
            stream.attribute("reason", json::fixUTF8(result.verdict.reason));
        });
    });
  });
  out << '\n';
}

void tilesmith::fuzz::conform::writeJunit(llvm::raw_ostream &out, const Package &package,
                                          const RequirementList &list) {
  int64_t skipped = 0;
  for (State state : {State::Waived, State::Unsupported, State::NotRun})
    skipped += countOf(package, toString(state));
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << llvm::formatv("<testsuite name=\"tilesmith conform {0}\" tests=\"{1}\" failures=\"{2}\" "
                       "skipped=\"{3}\">\n",
                       escapeMarkup(package.text("profile")), package.results.size(),
                       countOf(package, toString(State::Fail)), skipped);
  for (auto [row, result] : llvm::zip(list.rows, package.results)) {
    auto [kind, name] = StringRef(result.id).split('/');
    out << llvm::formatv("  <testcase classname=\"{0}\" name=\"{1}\"", escapeMarkup(kind),
                         escapeMarkup(name));
    const Verdict &verdict = result.verdict;
    if (verdict.state == State::Pass)
      out << "/>\n";
    else if (verdict.state == State::Fail)
      out << llvm::formatv("><failure message=\"{0}\">rule [{1}], case {2}</failure></testcase>\n",
                           escapeMarkup(verdict.reason), escapeMarkup(row.rule),
                           escapeMarkup(row.source));
    else
      out << llvm::formatv("><skipped message=\"{0}: {1}\"/></testcase>\n", toString(verdict.state),
                           escapeMarkup(verdict.reason));
  }
  out << "</testsuite>\n";
}
