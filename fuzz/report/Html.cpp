//===- Html.cpp - a store as one page ---------------------------------------------------------===//
#include "fuzz/report/Page.h"
#include "fuzz/report/Sections.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

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

/// What the last run changed: bugs that came, came again or went, with the build that ran.
void writeNews(llvm::raw_ostream &out, const Store &store) {
  const std::vector<StoredRun> runs = store.runs();
  if (runs.empty())
    return;
  std::set<int64_t> last; // of all campaigns on the latest build
  for (const StoredRun &run : llvm::reverse(runs))
    if (run.build == runs.back().build)
      last.insert(run.id);
    else
      break;
  std::map<std::string, StoredBug> bugs;
  for (StoredBug &bug : store.bugs())
    bugs.emplace(bug.id, std::move(bug));
  out << "<h2 id=\"news\">Since the build before</h2>\n<p>Build " << escapeMarkup(runs.back().build)
      << (runs.back().started.empty() ? "" : ", " + escapeMarkup(runs.back().started)) << ".</p>\n";
  std::string items;
  llvm::raw_string_ostream list(items);
  for (const auto &[id, life] : store.lives())
    for (const StoredEvent &event : life)
      if (last.contains(event.run) && bugs.contains(id)) {
        const StoredBug &bug = bugs[id];
        const bool isBad = event.event != BugEvent::Fixed && bug.known.empty();
        list << "<li" << (isBad ? " class=\"bad\"" : "") << ">"
             << (event.event == BugEvent::Born ? "new" : toString(event.event))
             << (bug.known.empty() ? "" : ", known") << ": <a href=\"#bug-" << escapeMarkup(id)
             << "\">" << escapeMarkup(bug.pass + ": " + bug.signature) << "</a></li>\n";
      }
  out << (items.empty() ? "<p>Nothing new, nothing fixed.</p>\n" : "<ul>\n" + items + "</ul>\n");
}

/// The command with a button that copies it, which the script shows.
void writeCommand(llvm::raw_ostream &out, llvm::StringRef command) {
  if (!command.empty())
    out << "<tr><th>reproduce</th><td><span class=\"command\"><code>" << escapeMarkup(command)
        << "</code><button type=\"button\" class=\"copy\" hidden>copy</button></span></td></tr>\n";
}

/// What somebody must look at stands first.
void writeBugs(llvm::raw_ostream &out, const Store &store, const ReportExtras &extras) {
  std::vector<StoredBug> bugs = store.bugs();
  std::map<std::string, BugState> states = store.states();
  std::map<std::string, std::vector<StoredEvent>> lives = store.lives();
  std::map<std::string, std::map<int64_t, uint64_t>> hits = store.hits();
  const std::vector<StoredRun> runs = store.runs();
  llvm::sort(bugs, [&](const StoredBug &a, const StoredBug &b) {
    return std::tuple(states[a.id], b.hits, a.id) < std::tuple(states[b.id], a.hits, b.id);
  });
  out << "<h2 id=\"bugs\">Bugs</h2>\n";
  if (bugs.empty())
    out << "<p>None found.</p>\n";
  else
    out << "<div class=\"filters\" data-filters=\"details.bug\" hidden><label>show <input "
           "type=\"search\" placeholder=\"words of pass, operation, kernel\"></label><label>state "
           "<select><option value=\"\">all</option><option>new</option><option>regressed</option>"
           "<option>open</option><option>known</option><option>fixed</option></select></label>"
           "<output></output></div>\n";
  for (size_t i = 0; i < bugs.size() && i < kMaxShownBugs; ++i) {
    const StoredBug &bug = bugs[i];
    out << "<details class=\"bug\" id=\"bug-" << escapeMarkup(bug.id) << "\" data-state=\""
        << toString(states[bug.id]) << "\"" << (i < 3 ? " open" : "") << "><summary><b>"
        << escapeMarkup(bug.pass) << "</b> " << escapeMarkup(bug.signature)
        << llvm::formatv(" &middot; {0} hits", bug.hits) << " &middot; " << toString(states[bug.id])
        << "</summary>\n<table>\n";
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
    writeCommand(out, bug.command);
    if (auto it = extras.folders.find(bug.id); it != extras.folders.end())
      out << "<tr><th>report</th><td><a href=\"" << escapeMarkup(it->second) << "\">"
          << escapeMarkup(it->second) << "</a></td></tr>\n";
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
  out << "<h2 id=\"runs\">Runs</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
         "aria-label=\"runs\"><table><tr><th>begun</th><th>ended</th><th>build</th>"
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

/// Those that were not seen for three beats of a lease are taken for dead.
bool isAlive(const StoredWorker &one) {
  constexpr double kDeadAfter = 60;
  return !one.hasEnded && one.sinceSeen <= kDeadAfter;
}

/// Machines of a fleet.
void writeWorkers(llvm::raw_ostream &out, const Store &store) {
  const std::vector<StoredWorker> workers = store.workers();
  if (workers.empty())
    return;
  auto state = [](const StoredWorker &one) {
    return one.hasEnded ? "ended" : isAlive(one) ? "at work" : "lost";
  };
  out << "<h2 id=\"machines\">Machines</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
         "aria-label=\"machines\"><table><tr><th>worker</th><th>machine</th>"
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
      "<h2 id=\"coverage\">Coverage</h2>\n<p>{0} pairs of operation and element type in {1} "
      "operations; numbers are cases.</p>\n<div class=\"filters\" data-filters=\".map tr.op\" "
      "hidden><label>show <input type=\"search\" placeholder=\"operation or type\"></label>"
      "<output></output></div>\n<div class=\"wide map\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"coverage\"><table>\n<tr><th></th>",
      coverage.size(), ops.size());
  for (const std::string &type : types)
    out << "<th>" << (type == "-" ? "no element" : escapeMarkup(type)) << "</th>";
  out << "</tr>\n";
  for (const std::string &op : ops) {
    std::string words = op;
    for (const std::string &type : types)
      if (coverage.contains({op, type}))
        words += " " + type;
    out << "<tr class=\"op\" data-text=\"" << escapeMarkup(words) << "\"><th>" << escapeMarkup(op)
        << "</th>";
    for (const std::string &type : types) {
      auto it = coverage.find({op, type});
      if (it == coverage.end()) {
        out << "<td class=\"none\"></td>";
        continue;
      }
      double heat =
          std::log1p(static_cast<double>(it->second)) / std::log1p(static_cast<double>(most));
      // Light enough for black text.
      int light = 94 - static_cast<int>(heat * 38);
      out << llvm::formatv(
          "<td data-type=\"{0}\" style=\"background:hsl(212,60%,{1}%);color:#000\">{2}"
          "</td>",
          escapeMarkup(type == "-" ? "no element" : type), light, it->second);
    }
    out << "</tr>\n";
  }
  out << "</table></div>\n";
}

/// The rewrites of each pass, with the cases in which they fired; what never did stands first.
void writeRewrites(llvm::raw_ostream &out, const std::map<std::string, uint64_t> &rewrites) {
  if (rewrites.empty())
    return;
  std::map<std::string, std::vector<std::pair<uint64_t, std::string>>> passes;
  size_t fired = 0;
  for (const auto &[name, cases] : rewrites) {
    auto [pass, rewrite] = llvm::StringRef(name).split('/');
    passes[pass.str()].emplace_back(cases, rewrite.str());
    fired += cases > 0;
  }
  out << llvm::formatv(
      "<h2 id=\"rewrites\">Rewrites</h2>\n<p>{0} of {1} rewrites of the passes that "
      "ran have fired; numbers are cases.</p>\n",
      fired, rewrites.size());
  for (auto &[pass, names] : passes) {
    llvm::sort(names);
    out << "<h3>" << escapeMarkup(pass) << "</h3>\n<ul class=\"rewrites\">\n";
    for (const auto &[cases, name] : names)
      out << (cases ? "<li>" : "<li class=\"bad\">") << escapeMarkup(name) << ": "
          << (cases ? std::to_string(cases) : "never fired") << "</li>\n";
    out << "</ul>\n";
  }
}

/// Findings by run: of the bugs with the most, and of all.
void writeHits(llvm::raw_ostream &out, PageData &data, const Store &store) {
  constexpr size_t kLines = 8;
  const std::vector<StoredRun> runs = store.runs();
  const std::map<std::string, std::map<int64_t, uint64_t>> hits = store.hits();
  std::vector<StoredBug> bugs = store.bugs();
  llvm::sort(bugs, [](const StoredBug &a, const StoredBug &b) {
    return std::tuple(b.hits, a.id) < std::tuple(a.hits, b.id);
  });
  bugs.resize(std::min(bugs.size(), kLines));
  Chart chart{"Findings over time", "run", "findings", {"all"}, {}, {}, {}};
  for (const StoredBug &bug : bugs)
    chart.lines.push_back(bug.id.substr(0, 6) + " " + bug.pass);
  std::map<int64_t, std::string> events;
  for (const auto &[id, life] : store.lives())
    for (const StoredEvent &event : life)
      events[event.run] += (events[event.run].empty() ? "" : ", ") + id.substr(0, 6) + " " +
                           toString(event.event).str();
  for (size_t i = 0; i < runs.size(); ++i) {
    chart.at.push_back(static_cast<double>(i));
    chart.names.push_back(runs[i].started.empty()
                              ? runs[i].build
                              : runs[i].started.substr(0, 10) + " " + runs[i].build);
    uint64_t all = 0;
    for (const auto &[bug, byRun] : hits)
      if (auto it = byRun.find(runs[i].id); it != byRun.end())
        all += it->second;
    std::vector<double> &row = chart.rows.emplace_back();
    row.push_back(static_cast<double>(all));
    for (const StoredBug &bug : bugs) {
      auto byRun = hits.find(bug.id);
      auto it = byRun == hits.end() ? std::map<int64_t, uint64_t>::const_iterator()
                                    : byRun->second.find(runs[i].id);
      row.push_back(
          byRun == hits.end() || it == byRun->second.end() ? 0 : static_cast<double>(it->second));
    }
    if (auto it = events.find(runs[i].id); it != events.end())
      chart.marks.emplace_back(i, chart.names.back() + ": " + it->second);
  }
  data.addChart(out, std::move(chart));
}

/// Rate, memory and verdicts within the campaign.
void writeSamples(llvm::raw_ostream &out, PageData &data, llvm::ArrayRef<Sample> samples) {
  Chart rate{"Cases per second", "seconds", "cases", {"rate"}, {}, {}, {}},
      memory{"Memory of the campaign process", "seconds", "MiB", {"memory"}, {}, {}, {}},
      verdicts{
          "Cases without agreement", "seconds", "cases", {"failed", "inconclusive"}, {}, {}, {}};
  for (size_t i = 0; i < samples.size(); ++i) {
    const Sample &sample = samples[i];
    if (!memory.at.empty() && sample.seconds <= memory.at.back())
      continue; // of another campaign
    memory.at.push_back(sample.seconds);
    memory.rows.push_back({static_cast<double>(sample.rssKiB) / 1024});
    verdicts.at.push_back(sample.seconds);
    verdicts.rows.push_back(
        {static_cast<double>(sample.failed), static_cast<double>(sample.inconclusive)});
    // Over ten samples, so that one slow case is no valley.
    if (i >= 10 && sample.seconds > samples[i - 10].seconds &&
        sample.cases >= samples[i - 10].cases) {
      rate.at.push_back(sample.seconds);
      rate.rows.push_back({static_cast<double>(sample.cases - samples[i - 10].cases) /
                           (sample.seconds - samples[i - 10].seconds)});
    }
  }
  for (Chart *chart : {&rate, &memory, &verdicts})
    data.addChart(out, std::move(*chart));
}

} // namespace

void tilesmith::fuzz::writeHtml(llvm::raw_ostream &out, const Store &store, llvm::StringRef title,
                                const ReportExtras &extras) {
  oracles::VerdictCounts counts = store.counts();
  std::vector<Sample> samples = store.samples();
  Coverage coverage = store.coverage();
  const std::map<std::string, uint64_t> rewrites = splitRewrites(coverage);
  std::map<BugState, uint64_t> bugs;
  for (const auto &[bug, state] : store.states())
    ++bugs[state];
  PageData data;
  beginPage(out, title, pageStyle());
  out << "<nav aria-label=\"parts of the page\">";
  std::vector<StoredWorker> workers = store.workers();
  for (auto [id, name, isThere] : {std::tuple("news", "since the build before", true),
                                   {"runs", "runs", true},
                                   {"machines", "machines", !workers.empty()},
                                   {"bugs", "bugs", true},
                                   {"time", "over time", true},
                                   {"performance", "performance", !extras.perf.empty()},
                                   {"benchmarks", "benchmarks", !extras.nights.empty()},
                                   {"curves", "curves", !extras.curves.empty()},
                                   {"coverage", "coverage", true},
                                   {"rewrites", "rewrites", !rewrites.empty()}})
    if (isThere)
      out << "<a href=\"#" << id << "\">" << name << "</a> ";
  out << "</nav>\n<div class=\"tiles\">\n";
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
  if (!workers.empty())
    writePageTile(out, llvm::Twine(llvm::count_if(workers, isAlive)), "machines alive");
  if (size_t worse = llvm::count_if(extras.perf.alerts, [&](const PerfAlert &alert) {
        return !alert.isAccepted && alert.build + 1 == extras.perf.builds.size();
      }))
    writePageTile(out, llvm::Twine(worse), "performance alerts", true);
  out << "</div>\n<h2 "
         "id=\"campaigns\">Campaigns</h2>\n<table><tr><th>seed</th><th>shard</th><th>options</th></"
         "tr>\n";
  for (const CampaignKey &key : store.campaigns())
    out << llvm::formatv("<tr><td>{0}</td><td>{1}/{2}</td><td>{3}</td></tr>\n", key.seed, key.shard,
                         key.shards, escapeMarkup(key.options));
  out << "</table>\n";
  writeNews(out, store);
  writeRuns(out, store);
  writeWorkers(out, store);
  writeBugs(out, store, extras);
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
  out << "<h2 id=\"time\">Over time</h2>\n<div class=\"charts\">\n";
  writeHits(out, data, store);
  writeSamples(out, data, samples);
  out << "</div>\n";
  writePerformance(out, data, extras);
  writeCurves(out, data, extras.curves);
  for (const auto &[heading, text] : extras.texts)
    out << "<h2>" << escapeMarkup(heading) << "</h2>\n<pre>"
        << escapeMarkup(llvm::StringRef(text).take_front(kMaxAttachedText)) << "</pre>\n";
  writeHeatMap(out, coverage);
  writeRewrites(out, rewrites);
  data.write(out);
  out << "</body></html>\n";
}
