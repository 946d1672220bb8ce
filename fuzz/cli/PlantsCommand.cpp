//===- PlantsCommand.cpp - tilesmith plants ---------------------------------------------------===//
//
// The table of planted bugs, printed from their registry. With --check each of them is compared
// with its stored case: the case must pass without the bug and fail with it. All in a few worker
// processes, so that the check stays cheap however many bugs there are.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/PlantRules.h"
#include "compiler/support/Plants.h"
#include "fuzz/campaign/Judge.h"
#include "fuzz/campaign/WorkerPool.h"
#include "fuzz/cli/Commands.h"
#include "oracles/diagnostics/DiagnosticsOracle.h"

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

/// `ok`, or what is wrong. Task 2 * i judges the case of plant i without it, 2 * i + 1 with it.
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
  JudgeOptions options;
  options.engines = plantEngines(checked, plant.id);
  options.compilationShare = options.hazardShare = 0;
  oracles::Verdict verdict = judge(*testCase, version, options).verdict;
  if (planted && !verdict.isDisagree()) { // what only the slower oracles see
    options.compilationShare = options.hazardShare = 1;
    verdict = judge(*testCase, version, options).verdict;
  }
  if (planted)
    return verdict.isDisagree() ? "ok" : "not caught: " + verdict.str();
  return verdict.isAgree() ? "ok" : "without the bug: " + verdict.str();
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
  size_t caught = 0;
  for (size_t i = 0; i < plantRegistry().size(); ++i) {
    bool good = true;
    for (const std::string &answer : {answers[2 * i], answers[2 * i + 1]})
      if (answer != "ok") {
        good = false;
        llvm::outs() << plantRegistry()[i].id << ": " << answer << '\n';
      }
    caught += good;
  }
  size_t stored = wanted.size() / 2;
  caught -= plantRegistry().size() - stored;
  for (const std::string &id : missing)
    llvm::outs() << id << ": no stored case, see without-case.txt\n";
  llvm::outs() << caught << " of " << stored << " planted bugs are caught by their stored cases\n";
  return listed && caught == stored ? 0 : 1;
}

} // namespace

std::string tilesmith::fuzz::plantEngines(llvm::StringRef folder, llvm::StringRef id) {
  auto special = readList(folder, "engines.txt");
  auto own = special.find(id.str());
  return own == special.end() ? JudgeOptions().engines : own->second;
}

int tilesmith::fuzz::runPlants() {
  if (plantRegistry().empty()) {
    llvm::outs() << "built without planted bugs (CMake option TILESMITH_PLANTS)\n";
    return 0;
  }
  if (!checked.empty())
    return checkPlants();
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
