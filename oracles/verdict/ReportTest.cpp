//===- ReportTest.cpp -------------------------------------------------------------------------===//
#include "oracles/verdict/Report.h"

#include "llvm/Support/JSON.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilesmith::oracles;
using testing::HasSubstr;

namespace {

ModuleReport everything() {
  ModuleReport report;
  report.caseName = "c";
  report.version = "13.3";
  report.engines.push_back(
      {"emulator@O0", Verdict::unavailable("emulator@O0", "no library"), 0.5, 12});
  Verdict race = Verdict::disagree("hazards", "emulated GPU", "race").of("emulator");
  race.oracle = "hazards";
  race.label = "data-race";
  report.oracles.push_back({"hazards", race, 0.25});
  report.cross = Verdict::inconclusive("open order");
  report.verdict = race;
  report.floats.points = 7;
  report.floats.skipped = {{"f32: log f32", 3}};
  report.floats.widths[3] = 2;
  return report;
}

TEST(Report, SurvivesTheWayThroughText) {
  auto again = reportFromJson(toJson(everything()));
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(*again, everything());
}

/// Calls `visit` with every object below a value.
void forObjects(llvm::json::Value &value, const std::function<void(llvm::json::Object &)> &visit) {
  if (llvm::json::Object *object = value.getAsObject()) {
    visit(*object);
    for (auto &entry : *object)
      forObjects(entry.second, visit);
  } else if (llvm::json::Array *array = value.getAsArray()) {
    for (llvm::json::Value &entry : *array)
      forObjects(entry, visit);
  }
}

std::string errorOf(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  auto report = reportFromJson(text);
  return report ? "" : llvm::toString(report.takeError());
}

// No verdict agrees because something was lost on the way.
TEST(Report, EveryMissingUnknownOrMistypedKeyIsAnError) {
  llvm::json::Value whole = llvm::cantFail(llvm::json::parse(toJson(everything())));
  unsigned objects = 0, edits = 0;
  forObjects(whole, [&](llvm::json::Object &) { ++objects; });
  auto edit = [&](unsigned wanted, const std::function<void(llvm::json::Object &)> &change) {
    llvm::json::Value copy = whole;
    unsigned seen = 0;
    forObjects(copy, [&](llvm::json::Object &object) {
      if (seen++ == wanted)
        change(object);
    });
    ++edits;
    return errorOf(copy);
  };
  for (unsigned i = 0; i < objects; ++i) {
    std::vector<std::string> keys;
    edit(i, [&](llvm::json::Object &object) {
      for (auto &entry : object)
        keys.push_back(entry.first.str());
    });
    for (const std::string &key : keys) {
      EXPECT_NE(edit(i, [&](llvm::json::Object &object) { object.erase(key); }), "") << key;
      EXPECT_THAT(edit(i, [&](llvm::json::Object &object) { object[key] = nullptr; }),
                  HasSubstr("found null"))
          << key;
    }
    EXPECT_THAT(edit(i, [](llvm::json::Object &object) { object["more"] = 1; }), HasSubstr("keys"));
  }
  EXPECT_GT(edits, 60u);
}

TEST(Report, WhatWasSkippedIsNamedAndCounted) {
  llvm::json::Value whole = llvm::cantFail(llvm::json::parse(toJson(everything())));
  for (llvm::json::Value wrong : {llvm::json::Value(1), llvm::json::Value(llvm::json::Array{"a"}),
                                  llvm::json::Value(llvm::json::Array{"a", "b"})}) {
    (*whole.getAsObject())["skipped"] = llvm::json::Array{wrong};
    EXPECT_THAT(errorOf(whole), HasSubstr("pairs of a name and a count"));
  }
}

TEST(Report, AnUnknownKindIsAnError) {
  llvm::json::Value whole = llvm::cantFail(llvm::json::parse(toJson(everything())));
  (*whole.getAsObject()->getObject("verdict"))["kind"] = "fine";
  EXPECT_EQ(errorOf(whole), "report.verdict.kind: expected the kind of a verdict, found 'fine'");
}

TEST(Report, CountsEachOracle) {
  OracleCounts counts;
  addCounts(counts, everything());
  addCounts(counts, everything());
  EXPECT_EQ(counts["hazards"].failed, 2u);
  OracleCounts both;
  addCounts(both, counts);
  addCounts(both, counts);
  EXPECT_EQ(both["hazards"].failed, 4u);
}

} // namespace
