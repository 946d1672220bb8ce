//===- OddCallsTest.cpp - what no user means, users type ---------------------------------------===//
//
// Each row is a call that cannot work: it must end with exit code 2 (MLIR's own drivers: 1) and a
// first line that says what was expected and found. Below it: output that nobody takes.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/CommandTest.h"

#include "llvm/ADT/StringExtras.h"

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace tilesmith::fuzz;
using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

namespace {

/// IN is the case, D the folder of the test.
struct OddCall {
  const char *tool;
  std::vector<std::string> arguments;
  const char *message; ///< with which the output begins
  int code = 2;
};

const OddCall kOddCalls[] = {
    // What has no end, is too large, or is not there.
    {"tilesmith",
     {"import", "/dev/zero", "-o", "D/out"},
     "error: cannot read '/dev/zero': expected a file, found a device\n"},
    {"tilesmith",
     {"emulate", "/dev/full"},
     "error: cannot read '/dev/full': expected a file, found a device\n"},
    {"tilesmith",
     {"emulate", "D/kernel.ll", "--arg=in:/dev/zero"},
     "error: cannot read '/dev/zero': expected a file, found a device\n"},
    {"tilesmith",
     {"emulate", "D/kernel.ll", "--arg=out:D/x:99999999999"},
     "error: expected a size of at most 4 GiB, found --arg out:D/x:99999999999\n"},
    {"tilesmith", {"emulate", "D/empty"}, "error: expected a kernel in 'D/empty', found none\n"},
    {"tilesmith", {"emulate", "D/text"}, "error: D/text:1:1: error: expected top-level entity\n"},
    {"tilesmith",
     {"import", "D/module.mlir", "-o", "D/out"},
     "error: expected a kernel in 'D/module.mlir', found none\n"},
    {"tilesmith", {"check", "D/no"}, "error: cannot read 'D/no': No such file or directory\n"},
    {"tilesmith",
     {"bundle", "D/no", "-o", "D/out"},
     "error: cannot read 'D/no': No such file or directory\n"},
    {"tilesmith", {"bundle", "D/text", "-o", "D/out"}, "error: expected a case, found the file"},
    {"tileiras",
     {"/dev/zero", "--gpu-name=sm_90", "-o", "D/out"},
     "error: unable to read input file '/dev/zero': expected a file, found a device\n",
     1},
    {"tileirdisasm",
     {"/dev/zero"},
     "error: unable to read input file '/dev/zero': expected a file, found a device\n"},
    {"tile-opt",
     {"/dev/zero"},
     "cannot open input file '/dev/zero': expected a file, found a device\n",
     1},
    {"tile-translate",
     {"--cudatilebc-to-mlir", "/dev/zero", "-o", "D/out"},
     "cannot open input file '/dev/zero': expected a file, found a device\n",
     1},
    {"tile-ptx-check",
     {"/dev/zero"},
     "error: unable to read '/dev/zero': expected a file, found a device\n"},
    {"tile-sass",
     {"disassemble", "/dev/zero"},
     "tile-sass: cannot read '/dev/zero': expected a file, found a device\n"},
    // Values that an option does not take. A share of NaN would allow anything.
    {"tilesmith",
     {"check", "IN", "--max-inconclusive=nan"},
     "error: expected a percentage from 0 to 100 for --max-inconclusive, found nan\n"},
    {"tilesmith",
     {"check", "IN", "--max-inconclusive=101"},
     "error: expected a percentage from 0 to 100 for --max-inconclusive, found 101.00\n"},
    {"tilesmith",
     {"check", "IN", "--max-inconclusive=-1"},
     "error: expected a percentage from 0 to 100 for --max-inconclusive, found -1.00\n"},
    {"tilesmith",
     {"check", "IN", "--timeout=nan"},
     "error: expected a positive number of seconds for --timeout, found nan\n"},
    {"tilesmith",
     {"check", "IN", "--memory=9223372036854775808"},
     "error: expected at most 1099511627776 MiB for --memory, found 9223372036854775808\n"},
    {"tilesmith",
     {"fuzz", "--count=1", "--time=-1"},
     "error: expected a positive number of seconds for --time, found -1.00\n"},
    {"tilesmith",
     {"fuzz", "--count=1", "--reduce-time=nan"},
     "error: expected a number of seconds for --reduce-time, found nan\n"},
    {"tilesmith",
     {"fuzz", "--count=1", "--log=D/no/log"},
     "error: cannot write 'D/no/log': No such file or directory\n"},
    {"tilesmith",
     {"reduce", "IN", "-o", "D/out", "--time=0"},
     "error: expected a positive number of seconds for --time, found 0.00\n"},
    {"tile-gpu-replay",
     {"--repeat=", "IN"},
     "error: expected --repeat=N with N from 0 to 1000000, found ''\n"},
    {"tile-gpu-replay",
     {"--timeout=-1", "IN"},
     "error: expected --timeout=N with N from 1 to 1000000, found '-1'\n"},
    {"tile-gpu-replay",
     {"--jobs=99999999999999999999", "IN"},
     "error: expected --jobs=N with N from 1 to 64, found '99999999999999999999'\n"},
    {"tile-gpu-replay", {"--nosuch"}, "error: unknown option '--nosuch'\nusage: "},
    {"tile-gpu-replay",
     {"D/no"},
     "error: cannot read 'D/no/bundle.json': No such file or directory\n"},
    {"tile-ptx-check", {"--nosuch"}, "tile-ptx-check: Unknown command line argument '--nosuch'."},
    // tile-sass parses its arguments itself.
    {"tile-sass",
     {},
     "tile-sass: expected disassemble, run or words (--help explains them), found ''\n"},
    {"tile-sass",
     {"nosuch", "x"},
     "tile-sass: expected disassemble, run or words (--help explains them), found 'nosuch'\n"},
    {"tile-sass", {"run"}, "tile-sass: expected a file or target behind run\n"},
    {"tile-sass",
     {"words", "sm_90", "x"},
     "tile-sass: expected nothing more behind 'sm_90', found 'x'\n"},
    {"tile-sass",
     {"disassemble", "D/no"},
     "tile-sass: cannot read 'D/no': No such file or directory\n"},
    {"tile-sass",
     {"run", "CUBIN", "--nosuch", "x"},
     "tile-sass: expected an option of run (--help lists them), found '--nosuch'\n"},
    {"tile-sass",
     {"run", "CUBIN", "--grid", "0"},
     "tile-sass: expected a value that --grid takes (--help lists them), found '0'\n"},
    {"tile-sass",
     {"run", "CUBIN", "--kernel", "nobody"},
     "tile-sass: expected --kernel to be one of "},
    {"tile-sass",
     {"run", "CUBIN", "--arg", "i8:300"},
     "tile-sass: --arg: expected KIND:VALUE with a value that the kind holds (--help lists them), "
     "found 'i8:300'\n"},
    {"tile-sass",
     {"run", "CUBIN", "--arg", "buf:D/no"},
     "tile-sass: --arg: cannot read 'D/no': No such file or directory\n"},
    {"tile-sass",
     {"run", "CUBIN", "--arg", "buf:D/text:D/text"},
     "tile-sass: expected an output other than the input 'D/text'\n"},
};

class OddCalls : public CommandTest {
protected:
  void SetUp() override {
    CommandTest::SetUp();
    put("kernel.ll", "define ptx_kernel void @k(ptr addrspace(1) %p) {\n  ret void\n}\n");
    put("module.mlir", "cuda_tile.module @m {\n}\n");
    put("text", "no kernel\n");
    put("empty", "");
  }
  void put(const std::string &name, const std::string &contents) const {
    std::ofstream(directory + "/" + name) << contents;
  }
  /// The words of the table stand for what they name.
  std::string spelled(std::string text) const {
    if (text == "IN")
      return corpusFolder("frontends/ew_arith_f32");
    if (text == "CUBIN")
      return corpusFolder("sass/atomics.sm_90.O3.cubin");
    for (size_t at = 0; (at = text.find("D/", at)) != std::string::npos; at += directory.size())
      if (at == 0 || !llvm::isAlnum(text[at - 1]))
        text.replace(at, 1, directory);
    return text;
  }
  Outcome shell(const std::string &line) { return runProgram("/bin/bash", {"-c", line}); }
};

TEST_F(OddCalls, SayWhatWasExpectedAndFound) {
  for (const OddCall &call : kOddCalls) {
    std::vector<std::string> arguments;
    std::string line = call.tool;
    for (const std::string &argument : call.arguments) {
      arguments.push_back(spelled(argument));
      line += " " + argument;
    }
    Outcome outcome = runProgram(toolPath(call.tool), arguments);
    EXPECT_EQ(outcome.code, call.code) << line;
    EXPECT_THAT(outcome.output, StartsWith(spelled(call.message))) << line;
    EXPECT_FALSE(fs::exists(directory + "/out")) << line;
  }
}

/// 1 would mean a finding.
TEST_F(OddCalls, OutputThatIsLostIsAnError) {
  const std::string calls[] = {
      toolPath("tilesmith") + " check " + corpusFolder("frontends/ew_arith_f32"),
      toolPath("tilesmith") + " --help",
      toolPath("tile-opt") + " " + directory + "/module.mlir",
      toolPath("tile-sass") + " --help",
      toolPath("tile-ptx-check") + " --help",
  };
  for (const std::string &call : calls) {
    Outcome outcome = shell(call + " > /dev/full");
    EXPECT_EQ(outcome.code, 2) << call;
    EXPECT_EQ(outcome.output, "error: cannot write standard output: No space left on device\n");
    outcome = shell(call + " >&-");
    EXPECT_EQ(outcome.code, 2) << call;
    EXPECT_EQ(outcome.output, "error: cannot write standard output: Bad file descriptor\n");
  }
}

/// The number of a closed stream would go to the next file that is opened.
TEST_F(OddCalls, WhatIsPrintedNeverGoesIntoAFile) {
  const std::string rows = directory + "/rows.jsonl";
  Outcome outcome =
      shell(toolPath("tilesmith") + " perf " + corpusFolder("frontends/ew_arith_f32") +
            " --gpus=sm_90 -o " + rows + " <&- >&- 2>&-");
  EXPECT_EQ(outcome.code, 2) << "the table is lost";
  auto text = llvm::MemoryBuffer::getFile(rows);
  ASSERT_TRUE(bool(text));
  EXPECT_TRUE((*text)->getBuffer().starts_with("{")) << (*text)->getBuffer().str();
  EXPECT_EQ((*text)->getBuffer().count('\n'), 1u);
}

TEST_F(OddCalls, AReaderThatLeavesIsNoReasonToLeaveFiles) {
  const std::string scratch = directory + "/scratch";
  fs::create_directory(scratch);
  for (const char *call : {"plants", "explain --list", "generate --list-features"}) {
    Outcome outcome = shell("TMPDIR=" + scratch + " " + toolPath("tilesmith") + " " + call +
                            " | (exec <&-); exit ${PIPESTATUS[0]}");
    EXPECT_EQ(outcome.code, 128 + SIGPIPE) << call << ": " << outcome.output;
    EXPECT_EQ(outcome.output, "") << call;
    EXPECT_TRUE(fs::is_empty(scratch)) << call;
  }
}

TEST_F(OddCalls, ATranslationThatIsInterruptedLeavesNothing) {
  // The reader of the pipe waits for its writer.
  Outcome outcome = shell("sleep 5 | timeout -s INT 1 " + toolPath("tile-translate") +
                          " --cudatilebc-to-mlir -o " + directory + "/out.mlir; exit 0");
  for (const auto &entry : fs::directory_iterator(directory))
    EXPECT_THAT(entry.path().filename().string(), Not(StartsWith("out.mlir")));
}

TEST_F(OddCalls, ALackOfMemoryIsNamed) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "its shadow memory is beyond any limit";
#endif
  Outcome outcome = shell("ulimit -v 3000000; exec " + toolPath("tilesmith") + " emulate " +
                          directory + "/kernel.ll --arg=zero:4294967296");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.output, "error: out of memory\n");
}

} // namespace
