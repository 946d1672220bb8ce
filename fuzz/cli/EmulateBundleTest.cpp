//===- EmulateBundleTest.cpp - tilesmith emulate and bundle -----------------------------------===//
//
// Runs the built command: exit codes, files, last lines.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/CommandTest.h"

#include "llvm/Support/JSON.h"

#include <fstream>

using namespace tilesmith::fuzz;
using testing::HasSubstr;

namespace {

/// With an input file `in` of 256 words, -7 to 248.
class Command : public CommandTest {
protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::vector<int32_t> words(256);
    for (int i = 0; i < 256; ++i)
      words[i] = i - 7;
    std::ofstream(directory + "/in", std::ios::binary)
        .write(reinterpret_cast<const char *>(words.data()), 1024);
  }
  Outcome emulate(const std::string &kernel, std::vector<std::string> more) {
    std::vector<std::string> arguments = {
        "emulate", sourceFolder("oracles/devices/emulator/suite/basic.ll"), "--kernel", kernel};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(Command, EmulateRunsAKernelUnderAllSchedules) {
  const std::string out = directory + "/out";
  Outcome outcome =
      emulate("ll_staged", {"--grid", "4", "--block", "64", "--arg", "in:" + directory + "/in",
                            "--arg", "out:" + out + ":1024", "--schedule=all", "--counters"});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("lifo, lazy copies: completed"));
  EXPECT_THAT(outcome.output, HasSubstr("barriers 4"));
  auto result = llvm::MemoryBuffer::getFile(out, false, false);
  ASSERT_TRUE(!!result);
  ASSERT_EQ((*result)->getBufferSize(), 1024u);
  for (int i = 0; i < 256; ++i) {
    int32_t word;
    std::memcpy(&word, (*result)->getBufferStart() + 4 * i, 4);
    ASSERT_EQ(word, 2 * (i - 7)) << i;
  }
}

TEST_F(Command, EmulateReportsARaceWithExitCodeOne) {
  const std::string out = directory + "/out";
  Outcome outcome =
      emulate("ll_staged_warp_sync", {"--block", "64", "--arg", "in:" + directory + "/in", "--arg",
                                      "out:" + out + ":1024"});
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("fault: data race"));
  EXPECT_FALSE(llvm::sys::fs::exists(out)) << "a faulty run must not leave results";
}

TEST_F(Command, EmulateReportsAccessesOutOfBounds) {
  Outcome outcome =
      emulate("ll_double", {"--grid=5", "--block=64", "--arg=zero:1024", "--arg=zero:1024"});
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("out of bounds"));
}

TEST_F(Command, EmulateRefusesBadUsage) {
  EXPECT_EQ(run({"emulate"}).code, 2);
  EXPECT_EQ(run({"emulate", directory + "/missing.ll"}).code, 2);
  EXPECT_EQ(emulate("nothing", {}).code, 2);
  for (const char *bad :
       {"--grid=0", "--block=x", "--schedule=slow", "--async=never", "--arg=i32:x", "--arg=i8:300",
        "--arg=f32:one", "--arg=in:/does/not/exist", "--arg=word:1"})
    EXPECT_EQ(emulate("ll_double", {bad}).code, 2) << bad;
}

TEST_F(Command, BundleWritesAFolderAndReadsResults) {
  const std::string bundle = directory + "/bundle";
  std::error_code error;
  std::string stored;
  for (llvm::sys::fs::directory_iterator it(sourceFolder("corpus/frontends"), error), end;
       it != end && !error && stored.empty(); it.increment(error))
    if (llvm::sys::fs::exists(it->path() + "/case.json"))
      stored = it->path();
  Outcome outcome = run({"bundle", stored, "-o", bundle});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_TRUE(llvm::sys::fs::exists(bundle + "/bundle.json"));
  EXPECT_EQ(run({"bundle", "--results", bundle}).code, 2) << "no result yet";
  std::ofstream(bundle + "/result.json")
      << R"({"engine": "cuda", "case": "c", "version": "13.1", "verdict": "agree", "detail": "", "device": "d"})";
  outcome = run({"bundle", "--results", bundle});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("1 passed, 0 failed, 0 inconclusive, 0 unavailable"));
  EXPECT_EQ(run({"bundle", stored}).code, 2);
  EXPECT_EQ(run({"bundle", directory + "/missing", "-o", bundle}).code, 2);
  EXPECT_NE(run({"bundle", stored, "-o", bundle, "--cubin=" + directory + "/missing"}).code, 0);
  outcome = run({"bundle", stored, "-o", bundle,
                 "--cubin=" + sourceFolder("corpus/sass") + "/snippets.sm_80.O3.cubin"});
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("expected code of '"));
}

TEST_F(Command, CheckWritesTheSameCountersTwice) {
  std::string lines[2];
  for (std::string &text : lines) {
    const std::string file = directory + "/counters";
    Outcome outcome =
        run({"check", sourceFolder("corpus/frontends/matmul_f16_bT_exact"), "--engines=emulator",
             "--version=13.3", "--jobs=1", "--counters=" + file});
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_EQ(outcome.output.find("counters of"), std::string::npos) << "they go to the file";
    auto stored = llvm::MemoryBuffer::getFile(file);
    ASSERT_TRUE(!!stored);
    text = (*stored)->getBuffer().str();
  }
  EXPECT_EQ(lines[0], lines[1]);
  llvm::SmallVector<llvm::StringRef> launches;
  llvm::StringRef(lines[0]).split(launches, '\n', -1, false);
  ASSERT_EQ(launches.size(), 2u) << "fifo, and lifo for the comparison with itself";
  for (llvm::StringRef line : launches) {
    auto launch = llvm::json::parse(line);
    ASSERT_TRUE(!!launch) << llvm::toString(launch.takeError());
    EXPECT_EQ(launch->getAsObject()->getString("status"), "completed");
    const llvm::json::Object *counters = launch->getAsObject()->getObject("counters");
    ASSERT_TRUE(counters);
    for (const char *name :
         {"instructions", "barriers", "mma_operations", "global_sectors", "ideal_sectors",
          "shared_wavefronts", "class.integer", "class.memory", "class.device"})
      EXPECT_GT(counters->getInteger(name).value_or(0), 0) << name;
    EXPECT_GE(counters->getInteger("global_sectors"), counters->getInteger("ideal_sectors"));
  }
  Outcome printed = run({"check", sourceFolder("corpus/frontends/matmul_f16_bT_exact"),
                         "--engines=emulator", "--version=13.3", "--jobs=1", "--counters"});
  EXPECT_THAT(printed.output,
              HasSubstr("counters of matmul_f16_bT_exact 13.3, kernel matmul, fifo"));
}

TEST_F(Command, AFaultNamesTheLineOfTheSourceKernel) {
  if (run({"plants"}).output.find("store-ignores-mask-tail") == std::string::npos)
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  Outcome outcome =
      run({"check", sourceFolder("corpus/frontends/array_slice_ragged_i32"), "--engines=emulator",
           "--version=13.3", "--plant=store-ignores-mask-tail"});
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("out of bounds access"));
  EXPECT_THAT(outcome.output, HasSubstr("store in 'slices' at kernel.py:12:"));
  EXPECT_THAT(outcome.output, HasSubstr("thread ("));
}

} // namespace
