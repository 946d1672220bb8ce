//===- InterruptTest.cpp - Ctrl-C keeps what there is and leaves nothing behind ---------------===//
#include "fuzz/cli/CommandTest.h"

#include <chrono>
#include <csignal>
#include <filesystem>
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

TEST_F(Interrupts, AnyOtherCommandLeavesNothingBehind) {
  Outcome outcome = interrupt(
      {"bisect", corpusFolder("planted/atomic-by-every-holder"), "--plant=atomic-by-every-holder"},
      [&] { return scratchHas("tilesmith-judge"); });
  EXPECT_EQ(outcome.code, 130) << outcome.output;
  EXPECT_TRUE(fs::is_empty(scratch()));
}

} // namespace
