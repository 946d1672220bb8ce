//===- PlantsCommand.cpp - tilesmith plants ---------------------------------------------------===//
//
// The table of planted bugs, printed from their registry. With --check each of them is compared
// with its stored case: the case must pass without the bug and fail with it. With --blame each of
// them is bisected, and the blame compared with the pass that the faulty file belongs to. All in a
// few worker processes, so that this stays cheap however many bugs there are.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/PlantRules.h"
#include "compiler/support/Plants.h"
#include "fuzz/campaign/Judge.h"
#include "fuzz/campaign/WorkerPool.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/triage/Bisect.h"
#include "oracles/diagnostics/Rejection.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::plantsCommand() {
  static cl::SubCommand command("plants", "list the planted bugs");
  return command;
}

static cl::opt<std::string> checked("check",
                                    cl::desc("folder with a case for each planted bug, by its id: "
                                             "each must pass without the bug and fail with it"),
                                    cl::value_desc("DIR"), cl::sub(plantsCommand()));

static cl::opt<std::string> blamed(
    "blame",
    cl::desc("folder with a case for each planted bug: whom `bisect` blames, a row for each"),
    cl::value_desc("DIR"), cl::sub(plantsCommand()));

namespace {

constexpr double kSecondsPerCase = 120;

/// Lines of `file` in the folder of cases: an id of a planted bug, a blank, and more. Lines that
/// begin with # do not count.
std::map<std::string, std::string> readList(llvm::StringRef folder, llvm::StringRef file) {
  std::map<std::string, std::string> result;
  auto buffer = llvm::MemoryBuffer::getFile(folder + "/" + file);
  llvm::SmallVector<llvm::StringRef> lines;
  if (buffer)
    (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    if (!line.starts_with("#")) {
      auto [id, rest] = line.split(' ');
      result[id.str()] = rest.trim().str();
    }
  return result;
}

/// `ok`, `skipped: why`, or what is wrong. Task 2 * i judges the case of plant i without it, 2 * i + 1 with it.
std::string judgeTask(uint64_t task) {
  const PlantInfo &plant = plantRegistry()[task / 2];
  bool planted = task % 2 == 1;
  deactivatePlants();
  auto testCase = testcase::loadTestCase(checked + "/" + plant.id.str());
  if (!testCase)
    return llvm::toString(testCase.takeError());
  if (planted)
    llvm::cantFail(activatePlant(plant.id));
  std::string version = testCase->versions().front();
  oracles::Verdict verdict =
      oracles::judge(*testCase, version, plantOptions(checked, plant.id, /*thorough=*/planted))
          .verdict;
  if (verdict.isUnavailable()) // ptxas, for what only machine code shows
    return "skipped: " + verdict.str();
  if (planted)
    return verdict.isDisagree() ? "ok" : "not caught: " + verdict.str();
  return verdict.isAgree() ? "ok" : "without the bug: " + verdict.str();
}

/// What the finding of a planted bug should be blamed on: the pass that its file belongs to, or
/// what else judges it.
std::string culpritOf(const PlantInfo &plant) {
  llvm::StringRef file = plant.file, stem = llvm::sys::path::stem(file);
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kFolders[] = {
      {"compiler/conversion/TileASToNVGPU/PlanExchanges", "tileas-plan-exchanges"},
      {"compiler/conversion/CudaTileToTileAA/", "convert-cudatile-to-tileaa"},
      {"compiler/conversion/TileAAToTileAS/", "convert-tileaa-to-tileas"},
      {"compiler/conversion/TileASToNVGPU/", "convert-tileas-to-nvgpu"},
      {"compiler/conversion/GPUToNVVM/", "convert-gpu-to-nvvm"},
      {"compiler/dialect/TileAA/Transforms/Canonicalize", "tileaa-canonicalize"},
      {"compiler/dialect/TileAS/Transforms/Cta", "tileas-plan-cta"},
      {"compiler/target/", "PTX backend"},
      {"oracles/devices/emulator/", "emulator"},
  };
  for (const auto &[prefix, pass] : kFolders)
    if (file.starts_with(prefix))
      return pass.str();
  if (file.starts_with("compiler/dialect/TileAS/Transforms/")) {
    std::string name = "tileas"; // InsertBarriers -> tileas-insert-barriers
    for (char c : stem)
      name += llvm::isUpper(c) ? std::string("-") + llvm::toLower(c) : std::string(1, c);
    return name;
  }
  // Reader, printer and verifier are what all engines share.
  return "frontend";
}

/// `right`, `interval` or `wrong`, a tab, what should be blamed, a tab, what is.
std::string blameTask(uint64_t task) {
  const PlantInfo &plant = plantRegistry()[task];
  auto testCase = testcase::loadTestCase(blamed + "/" + plant.id.str());
  std::string want = culpritOf(plant);
  if (!testCase)
    return "wrong\t" + want + "\t" + llvm::toString(testCase.takeError());
  BisectOptions options;
  options.judge = plantOptions(blamed, plant.id, /*thorough=*/true);
  options.prepare = [id = plant.id.str()] { llvm::cantFail(activatePlant(id)); };
  auto blame = bisect(*testCase, testCase->versions().front(), options);
  if (!blame)
    return "wrong\t" + want + "\t" + llvm::toString(blame.takeError());
  llvm::StringRef kind = blame->pass == want || blame->component == want   ? "right"
                         : llvm::StringRef(blame->interval).contains(want) ? "interval"
                                                                           : "wrong";
  return (kind + "\t" + want + "\t" + blame->str()).str();
}

int blamePlants() {
  size_t next = 0;
  std::vector<std::string> answers(plantRegistry().size());
  WorkerPool pool(defaultJobs(), {5 * kSecondsPerCase, 0}, blameTask);
  pool.run([&]() { return next < answers.size() ? std::optional<uint64_t>(next++) : std::nullopt; },
           [&](const TaskResult &result) {
             answers[result.task] = result.status == TaskResult::Status::Done
                                        ? result.text
                                        : "wrong\t?\tno end: " + result.text;
             return true;
           });
  std::map<llvm::StringRef, unsigned> counts;
  for (auto [plant, answer] : llvm::zip(plantRegistry(), answers)) {
    auto [kind, rest] = llvm::StringRef(answer).split('\t');
    auto [want, got] = rest.split('\t');
    ++counts[kind];
    llvm::outs() << llvm::left_justify(plant.id, 40) << llvm::left_justify(kind, 10)
                 << llvm::left_justify(want, 28) << got.split('\n').first << '\n';
  }
  llvm::outs() << llvm::format("%u of %u planted bugs are blamed rightly, %u more are in the "
                               "interval that is named, %u are not\n",
                               counts["right"], static_cast<unsigned>(answers.size()),
                               counts["interval"], counts["wrong"]);
  return 0;
}

/// The planted bugs without a stored case: without-case.txt, one a line with the reason behind it.
/// A line that names no planted bug, gives no reason or has a case after all is an error.
bool readPlantsWithoutCase(std::set<std::string> &result) {
  bool good = true;
  auto complain = [&](llvm::StringRef id, const char *what) {
    llvm::outs() << id << ": listed in without-case.txt, " << what << '\n';
    good = false;
  };
  for (const auto &[name, reason] : readList(checked, "without-case.txt")) {
    llvm::StringRef id = name;
    if (llvm::none_of(plantRegistry(), [&](const PlantInfo &plant) { return plant.id == id; }))
      complain(id, "expected the id of a planted bug");
    if (reason.empty())
      complain(id, "expected a reason behind the id");
    if (llvm::sys::fs::exists(checked + "/" + id))
      complain(id, "but has a stored case");
    result.insert(name);
  }
  return good;
}

int checkPlants() {
  std::set<std::string> missing;
  bool listed = readPlantsWithoutCase(missing);
  std::vector<uint64_t> wanted;
  for (size_t i = 0; i < 2 * plantRegistry().size(); ++i)
    if (!missing.count(plantRegistry()[i / 2].id.str()))
      wanted.push_back(i);
  size_t next = 0;
  std::vector<std::string> answers(2 * plantRegistry().size(), "ok");
  WorkerPool pool(defaultJobs(), {kSecondsPerCase, 0}, judgeTask);
  pool.run(
      [&]() {
        return next < wanted.size() ? std::optional<uint64_t>(wanted[next++]) : std::nullopt;
      },
      [&](const TaskResult &result) {
        std::string &answer = answers[result.task];
        if (result.status == TaskResult::Status::Done)
          answer = result.text;
        else // a crash shows the bug as well as a wrong result does
          answer = result.status == TaskResult::Status::Crashed && result.task % 2 == 1
                       ? "ok"
                       : "no end: " + result.text;
        return true;
      });
  size_t caught = 0, skipped = 0;
  for (size_t i = 0; i < plantRegistry().size(); ++i) {
    bool good = true;
    for (const std::string &answer : {answers[2 * i], answers[2 * i + 1]})
      if (answer != "ok") {
        good = false;
        llvm::outs() << plantRegistry()[i].id << ": " << answer << '\n';
      }
    caught += good;
    skipped += llvm::StringRef(answers[2 * i + 1]).starts_with("skipped: ");
  }
  size_t stored = wanted.size() / 2;
  caught -= plantRegistry().size() - stored;
  for (const std::string &id : missing)
    llvm::outs() << id << ": no stored case, see without-case.txt\n";
  llvm::outs() << caught << " of " << stored << " planted bugs are caught by their stored cases\n";
  return listed && caught + skipped == stored ? 0 : 1;
}

} // namespace

JudgeOptions tilesmith::fuzz::plantOptions(llvm::StringRef folder, llvm::StringRef id,
                                           bool thorough) {
  JudgeOptions options;
  auto special = readList(folder, "engines.txt");
  if (auto own = special.find(id.str()); own != special.end())
    options.engines = own->second;
  // An oracle that is asked so seldom is too slow for the bugs of others.
  constexpr unsigned kSeldom = 100;
  auto plant = llvm::find_if(plantRegistry(), [&](const PlantInfo &one) { return one.id == id; });
  for (const oracles::Oracle *oracle : oracles::oracleRegistry())
    if (oracle->share() != 1)
      options.shares[oracle->name().str()] =
          thorough && (oracle->share() < kSeldom ||
                       (plant != plantRegistry().end() && plant->family == oracle->name()));
  return options;
}

int tilesmith::fuzz::runPlants() {
  if (plantRegistry().empty()) {
    llvm::outs() << "built without planted bugs (CMake option TILESMITH_PLANTS)\n";
    return 0;
  }
  for (const std::string *folder : {&checked.getValue(), &blamed.getValue()})
    if (!folder->empty() && !llvm::sys::fs::exists(*folder + "/without-case.txt"))
      return usageError("expected a folder of planted bugs' cases with the list without-case.txt, "
                        "such as corpus/planted, found '" +
                        *folder + "'");
  if (!checked.empty())
    return checkPlants();
  if (!blamed.empty())
    return blamePlants();
  llvm::outs() << llvm::left_justify("id", 36) << llvm::left_justify("family", 12)
               << "what is wrong\n";
  for (const PlantInfo &plant : plantRegistry())
    llvm::outs() << llvm::left_justify(plant.id, 36) << llvm::left_justify(plant.family, 12)
                 << plant.description << " (" << plant.file << ")\n";
  // How many follow each rule of the mechanical list.
  std::map<llvm::StringRef, unsigned> rules;
  for (const PlantInfo &plant : plantRegistry())
    if (!mechanicalRule(plant.id).empty())
      ++rules[mechanicalRule(plant.id)];
  unsigned mechanical = 0;
  for (const auto &[rule, count] : rules) {
    llvm::outs() << llvm::format("%4u  ", count) << rule << '\n';
    mechanical += count;
  }
  llvm::outs() << mechanical << " of " << plantRegistry().size()
               << " planted bugs follow a rule of the mechanical list\n";
  return 0;
}
