//===- JsonAndJUnit.cpp - a store as JSON and JUnit -------------------------------------------===//
#include "fuzz/report/Page.h"
#include "fuzz/report/Report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

static int64_t number(uint64_t value) {
  return static_cast<int64_t>(value);
}

void tilesmith::fuzz::writeJson(llvm::raw_ostream &out, const Store &store) {
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
    json.attributeObject("coverage", [&] {
      for (const auto &[key, cases] : store.coverage())
        json.attribute(key.first + " " + key.second, number(cases));
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
