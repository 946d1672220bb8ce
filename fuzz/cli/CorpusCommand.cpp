//===- CorpusCommand.cpp - tilesmith corpus DIR... -o OUT -------------------------------------===//
//
// Picks as few cases as cover every pair of operation and element type that the given cases cover,
// and writes them under names that say what each is there for. Cases with the same modules and
// inputs are duplicates; with --check they are an error, and nothing is written. --check also
// judges each case whose notes say `reverted by PLANT`, and each of corpus/planted: it must pass,
// and with that switch, which takes its fix back, it must fail.
//
// Algorithm: pickCovering (fuzz/campaign/KernelCoverage.h).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "fuzz/campaign/Judge.h"
#include "fuzz/campaign/KernelCoverage.h"
#include "fuzz/cli/Commands.h"
#include "oracles/verdict/Signature.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::corpusCommand() {
  static cl::SubCommand command("corpus", "pick cases by what they cover; find duplicates");
  return command;
}

static cl::list<std::string> inputs(cl::Positional, cl::desc("CASE|DIR..."),
                                    cl::sub(corpusCommand()));
static cl::opt<std::string> output("o", cl::desc("folder of the cases that were picked"),
                                   cl::value_desc("DIR"), cl::sub(corpusCommand()));
static cl::opt<bool>
    check("check",
          cl::desc("only look for duplicates, and for cases that a switch which takes "
                   "their fix back does not break: exit 1 if there are any"),
          cl::sub(corpusCommand()));

namespace {

struct Entry {
  std::string directory;
  testcase::TestCase testCase;
  Covering covering;
};

/// What makes two cases the same: everything that engines see.
std::string identityOf(testcase::TestCase testCase) {
  testCase.name.clear();
  testCase.notes.clear();
  testCase.features.clear();
  testCase.edits.clear();
  testCase.choices.reset();
  testCase.generator.reset();
  std::string text = testcase::printTestCase(testCase);
  for (const testcase::Launch &launch : testCase.launches)
    for (const testcase::ModuleFile &file : launch.modules)
      text.append(file.bytes.begin(), file.bytes.end());
  for (const testcase::Buffer &buffer : testCase.buffers) {
    text.append(buffer.data.begin(), buffer.data.end());
    if (buffer.expect)
      text.append(buffer.expect->begin(), buffer.expect->end());
  }
  return oracles::stableHash(text);
}

/// PLANT of `reverted by PLANT` in the notes, or the name of a folder below `planted`; else empty.
std::string plantThatReverts(llvm::StringRef directory, const testcase::TestCase &testCase) {
  llvm::StringRef folder = llvm::sys::path::parent_path(directory);
  if (llvm::sys::path::filename(folder) == "planted")
    return llvm::sys::path::filename(directory).str();
  llvm::StringRef notes = testCase.notes;
  auto [before, after] = notes.split("reverted by ");
  return after.take_until([](char c) { return llvm::isSpace(c) || c == '.' || c == ','; }).str();
}

/// Does the case pass, and fail with the switch? Says so if not.
bool failsOnlyWith(const Entry &entry, const std::string &plant) {
  if (llvm::none_of(plantRegistry(), [&](const PlantInfo &info) { return info.id == plant; })) {
    llvm::outs() << entry.directory << ": expected a planted bug, found '" << plant << "'\n";
    return false;
  }
  llvm::StringRef folder = llvm::sys::path::parent_path(entry.directory);
  std::string version = entry.testCase.versions().back();
  ForkedJudge right({60, 4096});
  ForkedJudge faulty({60, 4096}, [&] { llvm::cantFail(activatePlant(plant)); });
  JudgeOptions options = plantOptions(folder, plant, /*thorough=*/true);
  oracles::Verdict with = faulty.judge(entry.testCase, version, options).verdict;
  oracles::Verdict without = right.judge(entry.testCase, version, options).verdict;
  if (with.isDisagree() && without.isAgree())
    return true;
  llvm::outs() << entry.directory << ": with " << plant << " " << with.str() << ", without it "
               << without.str() << '\n';
  return false;
}

/// `addi-i32-and-12-more`: the rarest pairs that the case adds.
std::string nameFor(const std::vector<std::string> &added) {
  std::string name;
  for (char c : added.front())
    name += llvm::isAlnum(c) ? c : '-';
  if (added.size() > 1)
    name += "-and-" + std::to_string(added.size() - 1) + "-more";
  return name;
}

} // namespace

int tilesmith::fuzz::runCorpus() {
  if (inputs.empty() || (output.empty() && !check))
    return usageError("expected cases, and -o DIR or --check");
  auto directories = findCases(inputs);
  if (!directories)
    return usageError(directories.takeError());
  std::map<std::string, std::string> seen;
  std::vector<Entry> entries;
  unsigned duplicates = 0;
  for (const std::string &directory : *directories) {
    auto testCase = testcase::loadTestCase(directory);
    if (!testCase)
      return usageError(testCase.takeError());
    // One case may stand for several planted bugs.
    std::string identity = identityOf(*testCase) + plantThatReverts(directory, *testCase);
    auto [it, isNew] = seen.try_emplace(identity, directory);
    if (!isNew) {
      ++duplicates;
      llvm::outs() << directory << " is a duplicate of " << it->second << '\n';
      continue;
    }
    Entry &entry = entries.emplace_back();
    entry.directory = directory;
    entry.covering.pairs = coverageOf(*testCase);
    for (const testcase::Launch &launch : testCase->launches)
      entry.covering.size += launch.modules.empty() ? 0 : launch.modules.front().bytes.size();
    entry.testCase = std::move(*testCase);
  }
  if (check) {
    unsigned reverted = 0, wrong = 0;
    for (const Entry &entry : entries)
      if (std::string plant = plantThatReverts(entry.directory, entry.testCase); !plant.empty()) {
        ++reverted;
        wrong += !failsOnlyWith(entry, plant);
      }
    llvm::outs() << entries.size() << " cases, " << duplicates << " duplicates; " << reverted
                 << " with a switch that takes the fix back, " << wrong
                 << " of them do not tell the difference\n";
    return duplicates || wrong ? 1 : 0;
  }
  if (llvm::sys::fs::exists(output))
    return usageError("expected a new folder, found '" + output + "'");

  std::map<std::string, unsigned> rarity;
  std::vector<Covering> coverings;
  for (const Entry &entry : entries) {
    coverings.push_back(entry.covering);
    for (const std::string &pair : entry.covering.pairs)
      ++rarity[pair];
  }
  std::vector<Picked> picked = pickCovering(coverings);
  for (auto &[index, added] : picked) {
    const Entry &best = entries[index];
    llvm::sort(added, [&](auto &a, auto &b) {
      return std::make_pair(rarity[a], a) < std::make_pair(rarity[b], b);
    });
    testcase::TestCase testCase = best.testCase;
    testCase.name = nameFor(added);
    if (std::error_code code = llvm::sys::fs::create_directories(output))
      return usageError("cannot create '" + output + "': " + code.message());
    if (llvm::Error error = testcase::saveTestCase(testCase, output + "/" + testCase.name))
      return usageError(std::move(error));
    llvm::outs() << testCase.name << " from " << best.directory << '\n';
  }
  llvm::outs() << picked.size() << " of " << entries.size() << " cases cover " << rarity.size()
               << " pairs of operation and type; " << duplicates << " duplicates\n";
  return 0;
}
