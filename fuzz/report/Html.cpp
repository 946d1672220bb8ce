//===- Html.cpp - a store as one page ---------------------------------------------------------===//
#include "fuzz/report/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

constexpr const char *kHead = R"(<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 1100px; padding: 0 1em;
       color: #1c1c1c; background: #fff }
h1 { font-size: 1.5em } h2 { font-size: 1.2em; margin-top: 2em }
table { border-collapse: collapse } td, th { padding: .25em .6em; text-align: left }
.tiles { display: flex; gap: 1em; flex-wrap: wrap }
.tile { border: 1px solid #ccc; border-radius: 6px; padding: .6em 1em; min-width: 7em }
.tile b { display: block; font-size: 1.4em }
.bad { color: #a40000 }
details { border: 1px solid #ccc; border-radius: 6px; padding: .5em 1em; margin: .6em 0 }
summary { cursor: pointer } pre { background: #f5f5f5; padding: .8em; overflow: auto; font-size: 13px }
.map { overflow: auto } .map td { text-align: right; font-size: 12px; border: 1px solid #fff }
.map th { font-size: 12px; font-weight: normal } .map td.none { color: #999; background: #f3f3f3 }
svg { width: 100%; height: 190px; border: 1px solid #ccc }
.note { color: #555 }
</style>
)";

std::string escape(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream sink(result);
  llvm::printHTMLEscaped(text, sink);
  return result;
}

void writeTile(llvm::raw_ostream &out, const llvm::Twine &value, llvm::StringRef label,
               bool bad = false) {
  out << "<div class=\"tile" << (bad ? " bad" : "") << "\"><b>" << value << "</b>" << label
      << "</div>\n";
}

/// A line through points, scaled to a box of 1000 by 160.
void writeChart(llvm::raw_ostream &out, llvm::StringRef title,
                llvm::ArrayRef<std::pair<double, double>> points, llvm::StringRef unit) {
  if (points.size() < 2)
    return;
  double width = 1e-9, height = 1e-9;
  for (auto [x, y] : points) {
    width = std::max(width, x);
    height = std::max(height, y);
  }
  out << "<h3>" << title << "</h3>\n<svg viewBox=\"0 0 1000 190\" role=\"img\" aria-label=\""
      << title << "\" preserveAspectRatio=\"none\"><polyline fill=\"none\" stroke=\"#2a5db0\" "
      << "stroke-width=\"2\" vector-effect=\"non-scaling-stroke\" points=\"";
  // At most 500 points: a long campaign has one sample a second.
  size_t step = points.size() / 500 + 1;
  for (size_t i = 0; i < points.size(); i += step)
    out << llvm::format("%.1f,%.1f ", points[i].first / width * 1000,
                        180 - points[i].second / height * 170);
  out << "\"/></svg>\n<p class=\"note\">"
      << llvm::format("0 to %.0f s; highest %.1f ", width, height) << unit << "</p>\n";
}

void writeBugs(llvm::raw_ostream &out, const std::vector<StoredBug> &bugs) {
  out << "<h2>Bugs</h2>\n";
  if (bugs.empty())
    out << "<p>None found.</p>\n";
  for (size_t i = 0; i < bugs.size() && i < kMaxShownBugs; ++i) {
    const StoredBug &bug = bugs[i];
    out << "<details" << (i < 3 ? " open" : "") << "><summary><b>" << escape(bug.pass) << "</b> "
        << escape(bug.signature) << llvm::formatv(" &middot; {0} hits", bug.hits)
        << (bug.known.empty() ? "" : " &middot; known") << "</summary>\n<table>\n";
    auto row = [&](llvm::StringRef key, llvm::StringRef value) {
      if (!value.empty())
        out << "<tr><th>" << key << "</th><td>" << escape(value) << "</td></tr>\n";
    };
    row("bug", bug.id);
    row("blamed", bug.blame);
    row("known because", bug.known);
    row("operations", llvm::join(bug.features, ", "));
    row("first case", bug.firstFinding);
    if (bug.operationsBefore)
      row("reduced", llvm::formatv("{0} operations to {1} in {2:f1} s", bug.operationsBefore,
                                   bug.operationsAfter, bug.reduceSeconds)
                         .str());
    row("reproduce", bug.command);
    out << "</table>\n";
    if (!bug.text.empty())
      out << "<pre>" << escape(llvm::StringRef(bug.text).take_front(kMaxShownText))
          << (bug.text.size() > kMaxShownText ? "\n&hellip;" : "") << "</pre>\n";
    out << "</details>\n";
  }
  if (bugs.size() > kMaxShownBugs)
    out << llvm::formatv("<p>{0} more bugs are in the store.</p>\n", bugs.size() - kMaxShownBugs);
}

/// Rows are ops, columns element types; the darker, the more cases.
void writeHeatMap(llvm::raw_ostream &out, const Coverage &coverage) {
  std::set<std::string> ops, types;
  uint64_t most = 1;
  for (const auto &[key, cases] : coverage) {
    ops.insert(key.first);
    types.insert(key.second);
    most = std::max(most, cases);
  }
  out << llvm::formatv("<h2>Coverage</h2>\n<p>{0} pairs of operation and element type in {1} "
                       "operations; numbers are cases.</p>\n<div class=\"map\"><table>\n<tr><th>"
                       "</th>",
                       coverage.size(), ops.size());
  for (const std::string &type : types)
    out << "<th>" << escape(type) << "</th>";
  out << "</tr>\n";
  for (const std::string &op : ops) {
    out << "<tr><th>" << escape(op) << "</th>";
    for (const std::string &type : types) {
      auto it = coverage.find({op, type});
      if (it == coverage.end()) {
        out << "<td class=\"none\"></td>";
        continue;
      }
      double heat =
          std::log1p(static_cast<double>(it->second)) / std::log1p(static_cast<double>(most));
      int light = 94 - static_cast<int>(heat * 54);
      out << llvm::formatv("<td style=\"background:hsl(212,60%,{0}%);color:{1}\">{2}</td>", light,
                           light < 62 ? "#fff" : "#000", it->second);
    }
    out << "</tr>\n";
  }
  out << "</table></div>\n";
}

} // namespace

void tilesmith::fuzz::writeHtml(llvm::raw_ostream &out, const Store &store, llvm::StringRef title) {
  oracles::VerdictCounts counts = store.counts();
  std::vector<StoredBug> bugs = store.bugs();
  std::vector<Sample> samples = store.samples();
  uint64_t known = 0, open = 0;
  for (const StoredBug &bug : bugs)
    ++(bug.known.empty() ? open : known);
  out << "<!doctype html>\n<html lang=\"en\"><head><title>" << escape(title) << "</title>\n"
      << kHead << "</head><body>\n<h1>" << escape(title) << "</h1>\n<div class=\"tiles\">\n";
  writeTile(out, llvm::Twine(open), "bugs", open > 0);
  if (known)
    writeTile(out, llvm::Twine(known), "known bugs");
  writeTile(out, llvm::Twine(counts.passed), "passed");
  writeTile(out, llvm::Twine(counts.failed), "failed cases", counts.failed > 0);
  writeTile(out, llvm::Twine(counts.inconclusive), "inconclusive");
  if (counts.unavailable)
    writeTile(out, llvm::Twine(counts.unavailable), "unavailable");
  out << "</div>\n<h2>Campaigns</h2>\n<table><tr><th>seed</th><th>shard</th><th>options</th></"
         "tr>\n";
  for (const CampaignKey &key : store.campaigns())
    out << llvm::formatv("<tr><td>{0}</td><td>{1}/{2}</td><td>{3}</td></tr>\n", key.seed, key.shard,
                         key.shards, escape(key.options));
  out << "</table>\n";
  writeBugs(out, bugs);
  std::map<std::string, uint64_t> reasons = store.inconclusiveReasons();
  if (!reasons.empty()) {
    out << "<h2>Inconclusive</h2>\n<table>\n";
    size_t shown = 0;
    for (const auto &[reason, times] : reasons)
      if (shown++ < 100)
        out << llvm::formatv("<tr><td>{0}</td><td>{1}</td></tr>\n", times, escape(reason));
    out << "</table>\n";
  }
  std::vector<std::pair<double, double>> rate, failed, inconclusive, memory;
  for (size_t i = 0; i < samples.size(); ++i) {
    const Sample &sample = samples[i];
    failed.emplace_back(sample.seconds, static_cast<double>(sample.failed));
    inconclusive.emplace_back(sample.seconds, static_cast<double>(sample.inconclusive));
    memory.emplace_back(sample.seconds, static_cast<double>(sample.rssKiB) / 1024);
    // Over ten samples, so that one slow case is no valley.
    if (i >= 10 && sample.seconds > samples[i - 10].seconds &&
        sample.cases >= samples[i - 10].cases)
      rate.emplace_back(sample.seconds, static_cast<double>(sample.cases - samples[i - 10].cases) /
                                            (sample.seconds - samples[i - 10].seconds));
  }
  out << "<h2>Over time</h2>\n";
  if (rate.size() < 2)
    out << "<p class=\"note\">The campaign was too short for a chart.</p>\n";
  writeChart(out, "Cases per second", rate, "cases per second");
  writeChart(out, "Failed cases", failed, "cases");
  writeChart(out, "Inconclusive cases", inconclusive, "cases");
  writeChart(out, "Memory of the campaign process", memory, "MiB");
  writeHeatMap(out, store.coverage());
  out << "</body></html>\n";
}
