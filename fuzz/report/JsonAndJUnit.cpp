//===- JsonAndJUnit.cpp - a store as JSON and JUnit -------------------------------------------===//
#include "fuzz/report/Page.h"
#include "fuzz/report/Report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::fuzz;

static int64_t number(uint64_t value) {
  return static_cast<int64_t>(value);
}

void tilesmith::fuzz::writeJson(llvm::raw_ostream &out, const Store &store, const PerfTable &perf) {
  oracles::VerdictCounts counts = store.counts();
  llvm::json::OStream json(out, 1);
  json.object([&] {
    json.attribute("schema", Store::schemaVersion);
    json.attributeObject("counts", [&] {
      json.attribute("passed", number(counts.passed));
      json.attribute("failed", number(counts.failed));
      json.attribute("inconclusive", number(counts.inconclusive));
      json.attribute("unavailable", number(counts.unavailable));
    });
    json.attributeArray("campaigns", [&] {
      for (const CampaignKey &key : store.campaigns())
        json.object([&] {
          json.attribute("seed", number(key.seed));
          json.attribute("options", key.options);
          json.attribute("shard", key.shard);
          json.attribute("shards", key.shards);
        });
    });
    json.attributeArray("runs", [&] {
      for (const StoredRun &run : store.runs())
        json.object([&] {
          json.attribute("started", run.started);
          json.attribute("ended", run.ended);
          json.attribute("build", llvm::json::fixUTF8(run.build));
          json.attribute("host", llvm::json::fixUTF8(run.host));
          json.attribute("first", number(run.first));
          json.attribute("cases", number(run.cases));
          json.attribute("failed", number(run.failed));
        });
    });
    std::map<std::string, BugState> states = store.states();
    std::map<std::string, std::vector<StoredEvent>> lives = store.lives();
    const std::vector<StoredRun> runs = store.runs();
    std::map<std::string, std::map<int64_t, uint64_t>> hits = store.hits();
    json.attributeArray("bugs", [&] {
      for (const StoredBug &bug : store.bugs())
        json.object([&] {
          json.attribute("id", bug.id);
          json.attribute("state", toString(states[bug.id]));
          json.attributeArray("life", [&] {
            for (const StoredEvent &event : lives[bug.id])
              json.object([&] {
                json.attribute("event", toString(event.event));
                json.attribute("at", event.at);
                json.attribute("build", llvm::json::fixUTF8(event.build));
              });
          });
          json.attribute("pass", bug.pass);
          json.attribute("blame", llvm::json::fixUTF8(bug.blame));
          json.attribute("signature", llvm::json::fixUTF8(bug.signature));
          json.attribute("known", bug.known);
          json.attribute("hits", number(bug.hits));
          json.attributeArray("hits_by_run", [&] {
            for (const StoredRun &run : runs)
              if (hits[bug.id].count(run.id))
                json.object([&] {
                  json.attribute("started", run.started);
                  json.attribute("build", llvm::json::fixUTF8(run.build));
                  json.attribute("hits", number(hits[bug.id][run.id]));
                });
          });
          json.attribute("operations_before", bug.operationsBefore);
          json.attribute("operations_after", bug.operationsAfter);
          json.attribute("reduce_seconds", bug.reduceSeconds);
          json.attribute("command", bug.command);
          json.attribute("kernel", llvm::json::fixUTF8(bug.text));
          json.attributeArray("features", [&] {
            for (const std::string &feature : bug.features)
              json.value(feature);
          });
        });
    });
    json.attributeArray("findings", [&] {
      for (const StoredFinding &finding : store.findings())
        json.object([&] {
          json.attribute("id", finding.id);
          json.attribute("case", finding.name);
          json.attribute("bug", finding.bug);
          json.attribute("verdict", llvm::json::fixUTF8(finding.verdict));
        });
    });
    json.attributeArray("performance", [&] {
      for (const PerfAlert &alert : perf.alerts)
        json.object([&] {
          json.attribute("build", llvm::json::fixUTF8(perf.builds[alert.build].build));
          json.attribute("cause", alert.cause);
          json.attribute("kernels", alert.kernels);
          json.attribute("worst", llvm::json::fixUTF8(alert.worst));
          json.attribute("accepted", alert.isAccepted);
        });
    });
    Coverage coverage = store.coverage();
    const std::map<std::string, uint64_t> rewrites = splitRewrites(coverage);
    json.attributeObject("coverage", [&] {
      for (const auto &[key, cases] : coverage)
        json.attribute(key.first + " " + key.second, number(cases));
    });
    json.attributeObject("rewrites", [&] {
      for (const auto &[name, cases] : rewrites)
        json.attribute(name, number(cases));
    });
  });
  out << '\n';
}

void tilesmith::fuzz::writeJunit(llvm::raw_ostream &out, const Store &store) {
  std::vector<StoredBug> bugs = store.bugs();
  oracles::VerdictCounts counts = store.counts();
  std::map<std::string, BugState> states = store.states();
  size_t failures = 0, skipped = 0;
  for (const StoredBug &bug : bugs) {
    skipped += states[bug.id] == BugState::Known;
    failures += states[bug.id] != BugState::Known && states[bug.id] != BugState::Fixed;
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << llvm::formatv("<testsuite name=\"tilesmith fuzz\" tests=\"{0}\" failures=\"{1}\" "
                       "skipped=\"{2}\">\n",
                       bugs.size() + 1, failures, skipped)
      << llvm::formatv("  <testcase classname=\"fuzz\" name=\"{0} cases passed\"/>\n",
                       counts.passed);
  for (const StoredBug &bug : bugs) {
    out << llvm::formatv("  <testcase classname=\"bugs\" name=\"{0} {1}\">\n", bug.id,
                         escapeMarkup(bug.pass));
    if (states[bug.id] == BugState::Known)
      out << llvm::formatv("    <skipped message=\"{0}\"/>\n", escapeMarkup(bug.known));
    else if (states[bug.id] != BugState::Fixed)
      out << llvm::formatv("    <failure message=\"{0}\">{1}\n{2}</failure>\n",
                           escapeMarkup(bug.signature), escapeMarkup(bug.command),
                           escapeMarkup(llvm::StringRef(bug.text).take_front(kMaxShownText)));
    out << "  </testcase>\n";
  }
  out << "</testsuite>\n";
}

/// Series that the last build still has, without those that only say how good others are.
static std::vector<const PerfSeries *> measuredLast(const PerfTable &table) {
  std::vector<const PerfSeries *> result;
  for (const PerfSeries &one : table.series)
    if (!std::isnan(one.values.back()) && !oracles::isAuxiliary(one.figure))
      result.push_back(&one);
  return result;
}

void tilesmith::fuzz::writeBenchmarkAction(llvm::raw_ostream &out, const PerfTable &table) {
  llvm::json::Array rows;
  for (const PerfSeries *one : measuredLast(table))
    rows.push_back(
        llvm::json::Object{{"name", llvm::json::fixUTF8(one->kernel + " " + one->figure)},
                           {"unit", llvm::StringRef(one->figure).ends_with("-us") ? "us" : "count"},
                           {"value", one->values.back()},
                           {"extra", llvm::json::fixUTF8("build " + table.builds.back().build)}});
  out << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(rows)));
}

void tilesmith::fuzz::writeOtava(llvm::raw_ostream &out, const PerfTable &table) {
  auto field = [](llvm::StringRef text) { // names hold commas and quotes if users want them
    std::string quoted = "\"";
    for (char c : text)
      quoted += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' || c == '\r' ? ' ' : c);
    return quoted + "\"";
  };
  const std::vector<const PerfSeries *> series = measuredLast(table);
  out << "time,build";
  for (const PerfSeries *one : series)
    out << ',' << field(one->kernel + " " + one->figure);
  out << '\n';
  for (auto [i, build] : llvm::enumerate(table.builds)) {
    // Otava's parser of dates knows offsets, and no milliseconds with a Z.
    out << llvm::StringRef(build.at).take_front(19) << "+00:00," << field(build.build);
    for (const PerfSeries *one : series) {
      out << ',';
      if (!std::isnan(one->values[i]))
        out << llvm::formatv("{0:f0}", one->values[i]);
    }
    out << '\n';
  }
}
