//===- InvalidLabelsTest.cpp ------------------------------------------------------------------===//
//
// Every rule that the verifier labels is broken by the invalid generator, and the diagnostics
// oracle agrees that it was refused for the right reason. generators/invalid/labels.txt is the
// table; after a change:
//   TILESMITH_UPDATE=1 TILESMITH_SOURCE_DIR=$PWD build/release/bin/InvalidLabelsTest
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InvalidGenerator.h"
#include "oracles/diagnostics/Rejection.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <map>
#include <set>

using namespace tilesmith;

namespace {

constexpr uint64_t kCasesPerLabel = 8;
constexpr uint64_t kMoreCases = 24;  // until the rule was broken in place in both forms
constexpr uint64_t kMostCases = 200; // until it was broken in place at all

std::string sourceRoot() {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return source ? source : ".";
}

/// The labels of the rules, from the heads of the sections of the verifier's tests, as
/// ci/lint/rules.py reads them.
std::set<std::string> verifierLabels() {
  std::set<std::string> labels;
  std::error_code code;
  std::string folder = sourceRoot() + "/compiler/dialect/CudaTile/test";
  for (llvm::sys::fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code)) {
    if (!llvm::StringRef(it->path()).contains("invalid"))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    if (!buffer)
      continue;
    for (llvm::StringRef line : llvm::split((*buffer)->getBuffer(), '\n')) {
      if (!line.consume_front("// "))
        continue;
      line.consume_back(" (ods)");
      line.consume_back(" (parser)");
      if (!line.empty() && llvm::all_of(line, [](char c) {
            return llvm::isLower(c) || llvm::isDigit(c) || c == '_';
          }))
        labels.insert(line.str());
    }
  }
  return labels;
}

/// Text and bytecode modules of one rule.
struct Forms {
  unsigned text = 0, bytes = 0, wrong = 0;

  std::string str() const {
    return text && bytes ? "text, bytecode" : text ? "text" : bytes ? "bytecode" : "-";
  }
};

/// One case of this rule, judged and counted.
void judgeCase(generators::InvalidGenerator &generator, llvm::StringRef label, uint64_t index,
               Forms &inPlace, Forms &added) {
  generators::ChoiceStream stream = generators::streamOfCase(llvm::xxHash64(label), index);
  auto testCase = generator.generate(stream, "case", label);
  ASSERT_TRUE(static_cast<bool>(testCase))
      << label.str() << ": " << llvm::toString(testCase.takeError());
  const testcase::ModuleFile &file = testCase->launches.front().modules.front();
  oracles::Verdict verdict = oracles::judgeRejection(*testCase, file.version);
  bool isText = llvm::StringRef(file.file).ends_with(".mlir");
  bool isInPlace = llvm::is_contained(testCase->features, "in-place");
  Forms &forms = isInPlace ? inPlace : added;
  ++(isText ? forms.text : forms.bytes);
  if (verdict.isAgree())
    return;
  ++forms.wrong;
  ADD_FAILURE() << label.str() << " case " << index << (isInPlace ? " in place" : "") << " as "
                << (isText ? "text" : "bytecode") << ": " << verdict.str();
  if (std::getenv("TILESMITH_SHOW") && isText)
    std::fprintf(stderr, "%.*s\n", static_cast<int>(file.bytes.size()),
                 reinterpret_cast<const char *>(file.bytes.data()));
}

TEST(InvalidLabels, EveryRuleIsBrokenAndRefusedForTheRightReason) {
  std::set<std::string> rules = verifierLabels();
  ASSERT_GT(rules.size(), 250u);
  generators::InvalidGenerator generator;
  std::string table;
  llvm::raw_string_ostream out(table);
  size_t all = rules.size(), hit = 0, files = 0, inPlaceLabels = 0, reached = 0, inBothForms = 0;
  for (llvm::StringRef label : generators::invalidLabels()) {
    if (const char *only = std::getenv("TILESMITH_LABEL"); only && label != only)
      continue;
    Forms inPlace, added;
    for (uint64_t i = 0; i < kCasesPerLabel; ++i)
      judgeCase(generator, label, i, inPlace, added);
    Forms both{inPlace.text + added.text, inPlace.bytes + added.bytes, 0};
    bool isFile = label.starts_with("file_");
    std::string how = "only added: " + generators::addedOnlyReason(label).str();
    if (isFile) {
      how = "the file itself";
    } else if (generators::addedOnlyReason(label).empty()) {
      how = "in place: " + generators::inPlaceKind(label).str();
      for (uint64_t i = kCasesPerLabel;
           i < (inPlace.text + inPlace.bytes ? kMoreCases : kMostCases) &&
           (!inPlace.text || !inPlace.bytes);
           ++i)
        judgeCase(generator, label, i, inPlace, added);
      bool found = inPlace.text + inPlace.bytes > 0;
      inPlaceLabels += generators::inPlaceKind(label) != "";
      reached += found;
      inBothForms += inPlace.text && inPlace.bytes;
      if (!found)
        std::printf("%s: no kernel of %llu has an operation that can break it\n",
                    label.str().c_str(), static_cast<unsigned long long>(kMostCases));
    }
    unsigned wrong = inPlace.wrong + added.wrong;
    EXPECT_TRUE(isFile || rules.count(label.str())) << label.str() << " is no rule";
    out << llvm::left_justify(label, 34) << (wrong ? "missed" : "hit") << "  "
        << llvm::left_justify(both.str(), 16) << how << '\n';
    files += isFile;
    hit += !isFile && !wrong;
    rules.erase(label.str());
  }
  for (const std::string &label : rules)
    out << llvm::left_justify(label, 34) << "missed  no breaker\n";
  out << hit << " of " << all << " rules of the verifier ("
      << llvm::format("%.1f", 100.0 * static_cast<double>(hit) / static_cast<double>(all))
      << " %), and " << files << " rules of the bytecode file; " << inPlaceLabels
      << " rules have operations of the kernel itself that break them\n";
  EXPECT_GE(hit * 100, all * 95);
  std::printf("broken in place by a generated kernel: %zu of %zu, %zu as text and as bytecode\n",
              reached, inPlaceLabels, inBothForms);
  // What kernels hold is drawn; a rare operation may be missing from these.
  EXPECT_GE(reached * 100, inPlaceLabels * 97);
  EXPECT_GE(inBothForms * 100, inPlaceLabels * 65);
  std::string path = sourceRoot() + "/generators/invalid/labels.txt";
  if (std::getenv("TILESMITH_UPDATE")) {
    std::error_code code;
    llvm::raw_fd_ostream file(path, code);
    file << table;
    return;
  }
  auto stored = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(static_cast<bool>(stored)) << path;
  EXPECT_EQ((*stored)->getBuffer().str(), table);
}

// By hand with many: TILESMITH_INVALID_CASES=5000.
TEST(InvalidLabels, DrawnRulesAreRefusedForTheRightReason) {
  const char *given = std::getenv("TILESMITH_INVALID_CASES");
  uint64_t count = given ? std::strtoull(given, nullptr, 10) : 200;
  generators::InvalidGenerator generator;
  std::map<std::string, uint64_t> kinds;
  for (uint64_t i = 0; i < count; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(7711, i);
    auto testCase = generator.generate(stream, "case");
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    const testcase::ModuleFile &file = testCase->launches.front().modules.front();
    oracles::Verdict verdict = oracles::judgeRejection(*testCase, file.version);
    EXPECT_TRUE(verdict.isAgree())
        << testCase->expectReject->rule << " case " << i << ": " << verdict.str();
    bool isInPlace = llvm::is_contained(testCase->features, "in-place");
    ++kinds[std::string(isInPlace ? "in place, " : "added, ") +
            (llvm::StringRef(file.file).ends_with(".mlir") ? "text" : "bytecode")];
  }
  for (const auto &[kind, cases] : kinds)
    std::printf("%-20s %llu of %llu\n", kind.c_str(), static_cast<unsigned long long>(cases),
                static_cast<unsigned long long>(count));
  EXPECT_EQ(kinds.size(), 4u);
}

TEST(InvalidLabels, TheCompilerCommandRefusesThemAndLeavesNothingBehind) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-invalid", folder));
  static const int here = 0;
  std::string self =
      llvm::sys::fs::getMainExecutable("tests", const_cast<int *>(&here)); // build/PRESET/tests/...
  llvm::StringRef root = llvm::sys::path::parent_path(llvm::sys::path::parent_path(self));
  generators::InvalidGenerator generator;
  unsigned refused = 0;
  for (uint64_t i = 0; i < 16; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(6, i);
    auto testCase = generator.generate(stream, "case");
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    oracles::Verdict verdict = oracles::judgeToolRejection(*testCase, testCase->versions().front(),
                                                           (root + "/bin/tileiras").str(), folder);
    EXPECT_FALSE(verdict.isDisagree()) << verdict.str();
    refused += verdict.isAgree();
  }
  EXPECT_GE(refused, 2u);
  llvm::sys::fs::remove_directories(folder);
}

TEST(InvalidLabels, BrokenModulesAreTheSameInEveryRun) {
  for (uint64_t i = 0; i < 40; ++i) {
    std::string first, second;
    for (std::string *text : {&first, &second}) {
      generators::InvalidGenerator generator;
      generators::ChoiceStream stream = generators::streamOfCase(5, i);
      auto testCase = generator.generate(stream, "case");
      ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
      *text = testcase::printTestCase(*testCase) +
              llvm::toHex(testCase->launches.front().modules.front().bytes);
    }
    EXPECT_EQ(first, second);
  }
}

} // namespace
