//===- InvalidLabelsTest.cpp ------------------------------------------------------------------===//
//
// Every rule that the verifier labels is broken by the invalid generator, and the diagnostics
// oracle agrees that it was refused for the right reason. generators/invalid/labels.txt is the
// table; after a change:
//   TILESMITH_UPDATE=1 TILESMITH_SOURCE_DIR=$PWD build/release/bin/InvalidLabelsTest
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InvalidGenerator.h"
#include "oracles/diagnostics/DiagnosticsOracle.h"

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

TEST(InvalidLabels, EveryRuleIsBrokenAndRefusedForTheRightReason) {
  std::set<std::string> rules = verifierLabels();
  ASSERT_GT(rules.size(), 250u);
  generators::InvalidGenerator generator;
  std::string table;
  llvm::raw_string_ostream out(table);
  size_t all = rules.size(), hit = 0, files = 0;
  for (llvm::StringRef label : generators::invalidLabels()) {
    unsigned text = 0, bytes = 0, wrong = 0;
    for (uint64_t i = 0; i < kCasesPerLabel; ++i) {
      generators::ChoiceStream stream = generators::streamOfCase(llvm::xxHash64(label), i);
      auto testCase = generator.generate(stream, "case", label);
      ASSERT_TRUE(static_cast<bool>(testCase))
          << label.str() << ": " << llvm::toString(testCase.takeError());
      const testcase::ModuleFile &file = testCase->launches.front().modules.front();
      oracles::Verdict verdict = oracles::judgeRejection(*testCase, file.version);
      bool isText = llvm::StringRef(file.file).ends_with(".mlir");
      if (!verdict.isAgree()) {
        ADD_FAILURE() << label.str() << " case " << i << " as " << (isText ? "text" : "bytecode")
                      << ": " << verdict.str();
        ++wrong;
      }
      ++(isText ? text : bytes);
    }
    bool isFile = label.starts_with("file_");
    EXPECT_TRUE(isFile || rules.count(label.str())) << label.str() << " is no rule";
    out << llvm::left_justify(label, 36) << (wrong ? "missed" : "hit") << "  "
        << (text && bytes ? "text, bytecode"
            : text        ? "text"
                          : "bytecode")
        << '\n';
    files += isFile;
    hit += !isFile && !wrong;
    rules.erase(label.str());
  }
  for (const std::string &label : rules)
    out << llvm::left_justify(label, 36) << "missed  no breaker\n";
  out << hit << " of " << all << " rules of the verifier ("
      << llvm::format("%.1f", 100.0 * static_cast<double>(hit) / static_cast<double>(all))
      << " %), and " << files << " rules of the bytecode file\n";
  EXPECT_GE(hit * 100, all * 95);
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

// Operations that the kernel has are broken where they stand.
TEST(InvalidLabels, OperationsOfTheKernelAreBrokenInPlace) {
  generators::InvalidGenerator generator;
  std::map<std::string, unsigned> inPlace;
  for (llvm::StringRef label : generators::inPlaceLabels())
    for (uint64_t i = 0; i < 20; ++i) {
      generators::ChoiceStream stream = generators::streamOfCase(llvm::xxHash64(label) + 1, i);
      auto testCase = generator.generate(stream, "case", label);
      ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
      inPlace[label.str()] += llvm::is_contained(testCase->features, "in-place");
      oracles::Verdict verdict = oracles::judgeRejection(*testCase, testCase->versions().front());
      EXPECT_TRUE(verdict.isAgree()) << label.str() << " case " << i << ": " << verdict.str();
    }
  unsigned reached = 0;
  for (const auto &[label, count] : inPlace) {
    std::fprintf(stderr, "%-24s in place %u of 20\n", label.c_str(), count);
    reached += count > 0;
  }
  EXPECT_GE(reached * 2, inPlace.size());
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
