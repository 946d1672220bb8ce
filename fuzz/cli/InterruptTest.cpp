//===- InterruptTest.cpp - Ctrl-C keeps what there is and leaves nothing behind ---------------===//
#include "fuzz/cli/CommandTest.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/types.h>
#include <thread>

using namespace tilesmith::fuzz;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class Interrupts : public CommandTest {
protected:
  /// Starts a command with a temporary folder of its own, interrupts it once `begun` holds there,
  /// and waits for its end.
  Outcome interrupt(const std::vector<std::string> &arguments, const std::function<bool()> &begun) {
    fs::create_directory(scratch());
    std::string tool = toolPath("tilesmith"), log = directory + "/log",
                temporary = "TMPDIR=" + scratch();
    std::vector<llvm::StringRef> words(arguments.begin(), arguments.end());
    words.insert(words.begin(), tool);
    std::optional<llvm::StringRef> redirects[] = {"", log, log};
    llvm::sys::ProcessInfo process =
        llvm::sys::ExecuteNoWait(tool, words, std::vector<llvm::StringRef>{temporary}, redirects);
    for (int i = 0; i < 3000 && !begun(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ::kill(process.Pid, SIGINT);
    process = llvm::sys::Wait(process, /*SecondsToWait=*/60);
    auto buffer = llvm::MemoryBuffer::getFile(log);
    return {process.ReturnCode, buffer ? (*buffer)->getBuffer().str() : ""};
  }
  std::string scratch() const { return directory + "/scratch"; }
  /// Whether something with this in its name lies in the temporary folder.
  bool scratchHas(const std::string &text) const {
    std::error_code code;
    for (fs::recursive_directory_iterator it(scratch(), code), end; !code && it != end;
         it.increment(code))
      if (it->path().filename().string().find(text) != std::string::npos)
        return true;
    return false;
  }
};

TEST_F(Interrupts, ACampaignSumsUpAndSaysHowToGoOn) {
  std::vector<std::string> fuzz = {"fuzz",
                                   "--seed=1",
                                   "--time=60",
                                   "--jobs=2",
                                   "--log=" + directory + "/begun",
                                   "-o",
                                   directory + "/findings"};
  auto begun = [&] { return fs::exists(directory + "/begun"); };
  Outcome outcome = interrupt(fuzz, begun);
  EXPECT_EQ(outcome.code, 130) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("cases per second"));
  EXPECT_THAT(outcome.output, HasSubstr("interrupted: the same command begins anew"));
  EXPECT_THAT(outcome.output, HasSubstr(" 0 failed")) << "what was under way is no finding";
  EXPECT_TRUE(fs::is_empty(scratch()));

  fs::remove(directory + "/begun");
  fuzz.push_back("--db=" + directory + "/store.db");
  outcome = interrupt(fuzz, begun);
  EXPECT_EQ(outcome.code, 130) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("interrupted: the same command goes on"));
}

TEST_F(Interrupts, AReductionKeepsItsBestCandidate) {
  Outcome outcome = interrupt({"reduce", corpusFolder("planted/atomic-by-every-holder"),
                               "--plant=atomic-by-every-holder", "-o", directory + "/small"},
                              [&] { return scratchHas("tilesmith-judge"); });
  EXPECT_EQ(outcome.code, 130) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("(interrupted: may become smaller)"));
  EXPECT_THAT(outcome.output, HasSubstr("saved to " + directory + "/small"));
  EXPECT_TRUE(fs::is_empty(scratch()));
  outcome = run({"replay", directory + "/small", "--plant=atomic-by-every-holder"});
  EXPECT_EQ(outcome.code, 1) << "it still fails: " << outcome.output;
}

/// Refuses every module; the last one that is asked for after 40 others never ends.
constexpr const char *kCompiler = R"sh(#!/bin/sh
echo x >> "${0%/*}/asked"
if [ -e "${0%/*}/hangs" ] && [ "$(wc -l < "${0%/*}/asked")" -gt 40 ]; then
  echo $$ > "${0%/*}/hanging.new" && mv "${0%/*}/hanging.new" "${0%/*}/hanging"
  exec sleep 1000
fi
echo "error: not this one" >&2
exit 3
)sh";

TEST_F(Interrupts, AConformanceRunGoesOnWhereItWas) {
  std::string compiler = directory + "/tileiras", work = directory + "/work";
  std::ofstream(compiler) << kCompiler;
  fs::permissions(compiler, fs::perms::all);
  std::ofstream(directory + "/hangs") << "";
  auto command = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"conform",        "compiler", compiler,
                                      "--profile=13.1", "--quick",  "--jobs=2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  auto hanging = [&] { return fs::exists(directory + "/hanging"); };
  Outcome outcome = interrupt(command({"--work=" + work, "-o", directory + "/none"}), hanging);
  EXPECT_EQ(outcome.code, 130) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("cases are done"));
  EXPECT_THAT(outcome.output, HasSubstr("interrupted: the same command goes on after these"));
  EXPECT_FALSE(fs::exists(directory + "/none")) << "no package of a part";
  EXPECT_TRUE(fs::is_empty(scratch()));
  pid_t child = 0;
  std::ifstream(directory + "/hanging") >> child;
  EXPECT_NE(::kill(child, 0), 0) << "what a worker started ends, too";

  auto lines = [&] {
    std::multiset<std::string> found;
    std::ifstream file(work + "/raw-0-1.jsonl");
    for (std::string line; std::getline(file, line);)
      if (!line.empty())
        found.insert(line);
    return found;
  };
  std::multiset<std::string> before = lines();
  EXPECT_GE(before.size(), 35u);
  fs::remove(directory + "/hangs");
  EXPECT_EQ(run(command({"--work=" + work, "-o", directory + "/resumed"})).code, 1);
  std::multiset<std::string> after = lines();
  EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end()));
  EXPECT_EQ(after.size(), std::set<std::string>(after.begin(), after.end()).size());
  EXPECT_EQ(run(command({"-o", directory + "/whole"})).code, 1);
  auto results = [&](const char *name) {
    auto text = llvm::MemoryBuffer::getFile(directory + "/" + name + "/results.jsonl");
    return text ? (*text)->getBuffer().str() : name;
  };
  EXPECT_EQ(results("resumed"), results("whole"));
  EXPECT_EQ(static_cast<long>(after.size()),
            llvm::StringRef(results("whole")).count("\n") -
                llvm::StringRef(results("whole")).count("unsupported by profile"));

  fs::remove(directory + "/asked");
  fs::remove(directory + "/hanging");
  std::ofstream(directory + "/hangs") << "";
  fs::remove_all(scratch());
  outcome = interrupt(command({}), hanging);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.output, HasSubstr("begins anew; with --work=DIR it would go on"));
}

TEST_F(Interrupts, AnyOtherCommandLeavesNothingBehind) {
  Outcome outcome = interrupt(
      {"bisect", corpusFolder("planted/atomic-by-every-holder"), "--plant=atomic-by-every-holder"},
      [&] { return scratchHas("tilesmith-judge"); });
  EXPECT_EQ(outcome.code, 130) << outcome.output;
  EXPECT_TRUE(fs::is_empty(scratch()));
}

} // namespace
