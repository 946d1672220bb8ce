//===- Html.cpp - a store as one page ---------------------------------------------------------===//
#include "fuzz/report/Page.h"
#include "fuzz/report/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

/// A line through points, scaled to a box of 1000 by 190. Nothing when there is nothing to see.
void writeChart(llvm::raw_ostream &out, llvm::StringRef title,
                llvm::ArrayRef<std::pair<double, double>> points, llvm::StringRef unit) {
  double width = 0, height = 0;
  for (auto [x, y] : points) {
    width = std::max(width, x);
    height = std::max(height, y);
  }
  if (points.size() < 2 || width == 0 || height == 0)
    return;
  out << "<figure><figcaption>" << title
      << llvm::format(" <span>from 0 to %.1f%s, over %.0f s</span></figcaption>\n", height,
                      unit.str().c_str(), width)
      << "<svg viewBox=\"0 0 1000 190\" role=\"img\" aria-label=\"" << title
      << "\" preserveAspectRatio=\"none\"><polyline points=\"";
  // At most 500 points: a long campaign has one sample a second.
  size_t step = points.size() / 500 + 1;
  for (size_t i = 0; i < points.size(); i += step)
    out << llvm::format("%.1f,%.1f ", points[i].first / width * 1000,
                        185 - points[i].second / height * 175);
  out << "\"/></svg></figure>\n";
}

/// `born 2026-11-01T01:00:00Z on build A; fixed ...`.
std::string describeLife(llvm::ArrayRef<StoredEvent> life) {
  std::string text;
  for (const StoredEvent &event : life)
    text += (text.empty() ? "" : "; ") + toString(event.event).str() +
            (event.at.empty() ? "" : " " + event.at) +
            (event.build.empty() ? "" : " on build " + event.build);
  return text;
}

/// `3 on 2026-11-01T01:00:00Z, 1 on ...`: the latest ten runs that met a bug.
std::string describeHits(const std::vector<StoredRun> &runs,
                         const std::map<int64_t, uint64_t> &hits) {
  std::string text;
  unsigned shown = 0;
  for (const StoredRun &run : llvm::reverse(runs))
    if (auto it = hits.find(run.id); it != hits.end() && shown++ < 10)
      text += llvm::formatv("{0}{1} on {2}", text.empty() ? "" : ", ", it->second,
                            run.started.empty() ? run.build : run.started)
                  .str();
  return text;
}

/// What somebody must look at stands first.
void writeBugs(llvm::raw_ostream &out, const Store &store) {
  std::vector<StoredBug> bugs = store.bugs();
  std::map<std::string, BugState> states = store.states();
  std::map<std::string, std::vector<StoredEvent>> lives = store.lives();
  std::map<std::string, std::map<int64_t, uint64_t>> hits = store.hits();
  const std::vector<StoredRun> runs = store.runs();
  llvm::sort(bugs, [&](const StoredBug &a, const StoredBug &b) {
    return std::tuple(states[a.id], b.hits, a.id) < std::tuple(states[b.id], a.hits, b.id);
  });
  out << "<h2>Bugs</h2>\n";
  if (bugs.empty())
    out << "<p>None found.</p>\n";
  for (size_t i = 0; i < bugs.size() && i < kMaxShownBugs; ++i) {
    const StoredBug &bug = bugs[i];
    out << "<details" << (i < 3 ? " open" : "") << "><summary><b>" << escapeMarkup(bug.pass)
        << "</b> " << escapeMarkup(bug.signature) << llvm::formatv(" &middot; {0} hits", bug.hits)
        << " &middot; " << toString(states[bug.id]) << "</summary>\n<table>\n";
    auto row = [&](llvm::StringRef key, llvm::StringRef value) {
      if (!value.empty())
        out << "<tr><th>" << key << "</th><td>" << escapeMarkup(value) << "</td></tr>\n";
    };
    row("bug", bug.id);
    row("life", describeLife(lives[bug.id]));
    row("hits", describeHits(runs, hits[bug.id]));
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
      out << "<pre>" << escapeMarkup(llvm::StringRef(bug.text).take_front(kMaxShownText))
          << (bug.text.size() > kMaxShownText ? "\n&hellip;" : "") << "</pre>\n";
    out << "</details>\n";
  }
  if (bugs.size() > kMaxShownBugs)
    out << llvm::formatv("<p>{0} more bugs are in the store.</p>\n", bugs.size() - kMaxShownBugs);
}

/// The last runs, the newest first, and what became of bugs in each.
void writeRuns(llvm::raw_ostream &out, const Store &store) {
  std::vector<StoredRun> runs = store.runs();
  std::map<int64_t, std::map<BugEvent, unsigned>> events;
  for (const auto &[bug, life] : store.lives())
    for (const StoredEvent &event : life)
      ++events[event.run][event.event];
  out << "<h2>Runs</h2>\n<div class=\"wide\"><table><tr><th>begun</th><th>ended</th><th>build</th>"
         "<th>machine</th><th>cases</th><th>failed</th><th>new</th><th>regressed</th><th>fixed</th>"
         "</tr>\n";
  for (const StoredRun &run : llvm::reverse(llvm::ArrayRef(runs).take_back(kMaxShownRuns))) {
    std::map<BugEvent, unsigned> &what = events[run.id];
    out << "<tr><td>" << escapeMarkup(run.started) << "</td><td>"
        << (run.ended.empty() ? "not ended" : escapeMarkup(run.ended)) << "</td><td>"
        << escapeMarkup(run.build) << "</td><td>" << escapeMarkup(run.host) << "</td>"
        << llvm::formatv("<td class=\"number\">{0}</td><td class=\"number\">{1}</td>"
                         "<td class=\"number\">{2}</td><td class=\"number\">{3}</td>"
                         "<td class=\"number\">{4}</td></tr>\n",
                         run.cases, run.failed, what[BugEvent::Born], what[BugEvent::Regressed],
                         what[BugEvent::Fixed]);
  }
  out << "</table></div>\n";
  if (runs.size() > kMaxShownRuns)
    out << llvm::formatv("<p>{0} older runs are in the store.</p>\n", runs.size() - kMaxShownRuns);
}

/// Machines of a fleet; those that were not seen for three beats of a lease are taken for dead.
void writeWorkers(llvm::raw_ostream &out, const Store &store) {
  constexpr double kDeadAfter = 60;
  const std::vector<StoredWorker> workers = store.workers();
  if (workers.empty())
    return;
  auto state = [](const StoredWorker &one) {
    return one.hasEnded ? "ended" : one.sinceSeen > kDeadAfter ? "lost" : "at work";
  };
  out << "<h2>Workers</h2>\n<div class=\"wide\"><table><tr><th>worker</th><th>machine</th>"
         "<th>build</th><th>state</th><th>tasks</th><th>seen, s ago</th></tr>\n";
  for (const StoredWorker &one : llvm::ArrayRef(workers).take_front(kMaxShownRuns))
    out << llvm::formatv("<tr><td>{0}</td><td>{1}</td><td>{2}</td><td>{3}</td>"
                         "<td class=\"number\">{4}</td><td class=\"number\">{5:f0}</td></tr>\n",
                         escapeMarkup(one.name), escapeMarkup(one.host), escapeMarkup(one.build),
                         state(one), one.tasks, std::max(0.0, one.sinceSeen));
  out << "</table></div>\n";
}

/// `most of buffer 10 is left open` and `buffer 11` are one reason.
std::string withoutNumbers(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    if (!llvm::isDigit(c))
      result += c;
    else if (result.empty() || result.back() != '#')
      result += '#';
  return result;
}

/// Nanoseconds, or a plain count, in at most four digits.
std::string quantity(const std::string &name, double value) {
  const char *units[] = {" ns", " us", " ms", " s"};
  if (llvm::StringRef(name).starts_with("count/"))
    return llvm::formatv("{0:n0}", static_cast<int64_t>(value));
  unsigned unit = 0;
  for (; value >= 1000 && unit < 3; ++unit)
    value /= 1000;
  return llvm::formatv("{0:f2}{1}", value, units[unit]);
}

/// One row per benchmark, one column per night (the last eight), and the change since the first.
void writePerformance(llvm::raw_ostream &out, llvm::ArrayRef<BenchmarkNight> all) {
  if (all.empty())
    return;
  out << "<h2>Performance history</h2>\n";
  std::map<std::string, double> first;
  std::set<std::string> names;
  double logarithms = 0;
  size_t compared = 0;
  for (const BenchmarkNight &night : all)
    for (const auto &[name, value] : night.values) {
      first.try_emplace(name, value);
      names.insert(name);
    }
  auto changeOf = [&](const std::string &name) -> std::optional<double> {
    auto last = all.back().values.find(name);
    if (all.size() < 2 || last == all.back().values.end() || last->second <= 0 || first[name] <= 0)
      return std::nullopt;
    return last->second / first[name];
  };
  for (const std::string &name : names)
    if (std::optional<double> change = changeOf(name)) {
      logarithms += std::log(*change);
      ++compared;
    }
  out << llvm::formatv("<p>{0} measurements, {1} run{2}", names.size(), all.size(),
                       all.size() == 1 ? "" : "s");
  if (compared)
    out << llvm::format("; on average %+.1f %% since the first",
                        (std::exp(logarithms / static_cast<double>(compared)) - 1) * 100);
  out << ". CPU time; counts of the emulated GPU are marked <i>count/</i>.</p>\n"
      << "<div class=\"wide\"><table>\n";
  llvm::ArrayRef<BenchmarkNight> shown = all.take_back(8);
  auto header = [&] {
    out << "<tr><th></th>";
    for (const BenchmarkNight &night : shown)
      out << "<th>" << escapeMarkup(night.name) << "</th>";
    out << "<th>change</th></tr>\n";
  };
  auto row = [&](const std::string &name, std::optional<double> change, llvm::StringRef mark) {
    out << "<tr><td>" << escapeMarkup(name) << "</td>";
    for (const BenchmarkNight &night : shown) {
      auto it = night.values.find(name);
      out << "<td class=\"number\">" << (it == night.values.end() ? "" : quantity(name, it->second))
          << "</td>";
    }
    out << "<td class=\"number" << mark << "\">";
    if (change)
      out << llvm::format("%+.1f %%", (*change - 1) * 100);
    out << "</td></tr>\n";
  };
  // What changed stands first; counts do not vary from run to run, times do.
  std::vector<std::string> steady;
  bool changed = false;
  auto changedRow = [&](const std::string &name, std::optional<double> change,
                        llvm::StringRef mark) {
    if (!std::exchange(changed, true))
      header();
    row(name, change, mark);
  };
  for (const std::string &name : names) {
    auto last = all.back().values.find(name);
    if (last == all.back().values.end())
      continue; // no longer measured
    std::optional<double> change = changeOf(name);
    double band = llvm::StringRef(name).starts_with("count/") ? 0.02 : 0.3;
    if (change ? *change > 1 + band : first[name] <= 0 && last->second > 0)
      changedRow(name, change, " bad");
    else if (change ? *change < 1 - band : first[name] > 0 && last->second <= 0)
      changedRow(name, change, " good");
    else
      steady.push_back(name);
  }
  out << "</table></div>\n<details><summary>" << steady.size()
      << " measurements without a notable change</summary><div class=\"wide\"><table>\n";
  header();
  for (const std::string &name : steady)
    row(name, changeOf(name), "");
  out << "</table></div></details>\n";
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
  out << llvm::formatv(
      "<h2>Coverage</h2>\n<p>{0} pairs of operation and element type in {1} "
      "operations; numbers are cases.</p>\n<div class=\"wide map\"><table>\n<tr><th>"
      "</th>",
      coverage.size(), ops.size());
  for (const std::string &type : types)
    out << "<th>" << (type == "-" ? "no element" : escapeMarkup(type)) << "</th>";
  out << "</tr>\n";
  for (const std::string &op : ops) {
    out << "<tr><th>" << escapeMarkup(op) << "</th>";
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

void tilesmith::fuzz::writeHtml(llvm::raw_ostream &out, const Store &store, llvm::StringRef title,
                                const ReportExtras &extras) {
  oracles::VerdictCounts counts = store.counts();
  std::vector<Sample> samples = store.samples();
  std::map<BugState, uint64_t> bugs;
  for (const auto &[bug, state] : store.states())
    ++bugs[state];
  beginPage(out, title);
  out << "<div class=\"tiles\">\n";
  auto bugTile = [&](BugState state, bool isBad, bool always) {
    if (always || bugs[state])
      writePageTile(out, llvm::Twine(bugs[state]),
                    toString(state).str() + (bugs[state] == 1 ? " bug" : " bugs"),
                    isBad && bugs[state]);
  };
  bugTile(BugState::New, true, true);
  bugTile(BugState::Regressed, true, false);
  bugTile(BugState::Open, true, false);
  bugTile(BugState::Known, false, false);
  bugTile(BugState::Fixed, false, false);
  writePageTile(out, llvm::Twine(counts.passed), "passed");
  writePageTile(out, llvm::Twine(counts.failed), "failed cases", counts.failed > 0);
  writePageTile(out, llvm::Twine(counts.inconclusive), "inconclusive");
  if (counts.unavailable)
    writePageTile(out, llvm::Twine(counts.unavailable), "unavailable");
  out << "</div>\n<h2>Campaigns</h2>\n<table><tr><th>seed</th><th>shard</th><th>options</th></"
         "tr>\n";
  for (const CampaignKey &key : store.campaigns())
    out << llvm::formatv("<tr><td>{0}</td><td>{1}/{2}</td><td>{3}</td></tr>\n", key.seed, key.shard,
                         key.shards, escapeMarkup(key.options));
  out << "</table>\n";
  writeRuns(out, store);
  writeWorkers(out, store);
  writeBugs(out, store);
  std::map<std::string, uint64_t> reasons;
  for (const auto &[reason, times] : store.inconclusiveReasons())
    reasons[withoutNumbers(reason)] += times;
  if (!reasons.empty()) {
    out << "<h2>Inconclusive</h2>\n<table>\n";
    size_t shown = 0;
    for (const auto &[reason, times] : reasons)
      if (shown++ < 100)
        out << llvm::formatv("<tr><td class=\"number\">{0}</td><td>{1}</td></tr>\n", times,
                             escapeMarkup(reason));
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
  out << "<div class=\"charts\">\n";
  writeChart(out, "Cases per second", rate, "");
  writeChart(out, "Memory of the campaign process", memory, " MiB");
  writeChart(out, "Failed cases", failed, "");
  writeChart(out, "Inconclusive cases", inconclusive, "");
  out << "</div>\n";
  writePerformance(out, extras.nights);
  for (const auto &[heading, text] : extras.texts)
    out << "<h2>" << escapeMarkup(heading) << "</h2>\n<pre>"
        << escapeMarkup(llvm::StringRef(text).take_front(kMaxAttachedText)) << "</pre>\n";
  writeHeatMap(out, store.coverage());
  out << "</body></html>\n";
}
