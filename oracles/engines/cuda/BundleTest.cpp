//===- BundleTest.cpp - bundles, and tile-gpu-replay against a stand-in driver ----------------===//
#include "oracles/engines/cuda/Bundle.h"

#include "oracles/differential/Differential.h"
#include "oracles/engines/ReferenceEngine.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

using namespace tilesmith;
using namespace tilesmith::oracles;
using testing::HasSubstr;

namespace {

class Replay : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-bundle", path));
    folder = path.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// A bundle whose kernel doubles buffer 1 into buffer 0, by hand.
  std::string makeBundle(const std::string &kernel, bool traps = false, int wanted = 2) {
    const std::string bundle = folder + "/" + kernel;
    llvm::sys::fs::create_directories(bundle);
    std::vector<int32_t> zeros(16), numbers(16), results(16);
    for (int i = 0; i < 16; ++i)
      numbers[i] = i - 3, results[i] = wanted * numbers[i];
    auto write = [&](const char *name, const std::vector<int32_t> &words) {
      std::ofstream(bundle + "/" + name, std::ios::binary)
          .write(reinterpret_cast<const char *>(words.data()), 64);
    };
    write("b0.bin", zeros), write("b1.bin", numbers), write("b0.out.bin", results);
    std::ofstream(bundle + "/l0.ptx") << (kernel == "bad" ? "bad code" : "// nothing");
    std::ofstream(bundle + "/bundle.json")
        << R"({"format": 1, "case": "c", "version": "13.1", "traps": )"
        << (traps ? "true" : "false") << R"(, "launches": [{"entry": ")" << kernel
        << R"(", "ptx": "l0.ptx", "grid": [1,1,1], "block": [32,1,1], "shared": 0, "arguments": [
             {"kind": "buffer", "buffer": 0, "offset": 0}, {"kind": "buffer", "buffer": 1, "offset": 0},
             {"kind": "scalar", "bits": "0x7", "size": 4}]}],
            "buffers": [{"dtype": "i32", "data": "b0.bin", "expect": "b0.out.bin", "mode": "exact"},
                        {"dtype": "i32", "data": "b1.bin", "expect": "b1.bin", "mode": "exact"}]})";
    return bundle;
  }

  int run(std::vector<std::string> arguments, bool device = true) {
    const std::string program = TILE_GPU_REPLAY, log = folder + "/log";
    arguments.insert(arguments.begin(), program);
    std::vector<llvm::StringRef> refs(arguments.begin(), arguments.end());
    const std::string contexts = "FAKE_CUDA_CONTEXTS=" + folder + "/contexts";
    std::vector<llvm::StringRef> environment = {"TILE_GPU_DRIVER=" FAKE_CUDA_DRIVER, contexts};
    if (!device)
      environment.push_back("FAKE_CUDA_NO_DEVICE=1");
    std::optional<llvm::StringRef> redirects[] = {"", llvm::StringRef(log), llvm::StringRef(log)};
    const int code =
        llvm::sys::ExecuteAndWait(program, refs, llvm::ArrayRef(environment), redirects, 60);
    output = llvm::MemoryBuffer::getFile(log).get()->getBuffer().str();
    return code;
  }
  ReplayResult result(const std::string &bundle) {
    auto read = readReplayResult(bundle);
    if (!read) {
      ADD_FAILURE() << llvm::toString(read.takeError());
      return {};
    }
    return *read;
  }

  std::string folder, output;
};

TEST_F(Replay, AgreesAndTimes) {
  const std::string bundle = makeBundle("double");
  EXPECT_EQ(run({"--repeat=3", bundle}), 0) << output;
  const ReplayResult r = result(bundle);
  EXPECT_TRUE(r.toVerdict().isAgree()) << r.detail;
  EXPECT_EQ(r.medianMs, 0.5);
  EXPECT_THAT(r.device, HasSubstr("fake GPU, sm_90"));
  EXPECT_TRUE(llvm::sys::fs::exists(bundle + "/b0.got.bin"));
}

TEST_F(Replay, AnUnknownOutcomeIsAnError) {
  const std::string bundle = makeBundle("double");
  std::error_code code;
  llvm::raw_fd_ostream(bundle + "/result.json", code)
      << R"({"case": "a", "version": "13.3", "device": "", "verdict": "agreed", "detail": ""})";
  auto read = readReplayResult(bundle);
  ASSERT_FALSE(static_cast<bool>(read));
  EXPECT_THAT(llvm::toString(read.takeError()),
              HasSubstr("expected verdict agree, disagree, failed or unavailable, found 'agreed'"));
}

TEST_F(Replay, ReportsWrongNumbers) {
  const std::string bundle = makeBundle("double", false, 3);
  EXPECT_EQ(run({bundle}), 1);
  EXPECT_TRUE(result(bundle).toVerdict().isDisagree());
  EXPECT_THAT(result(bundle).detail, HasSubstr("buffer 0: element 0: got -6"));
}

TEST_F(Replay, ReportsWritesOutsideOfBuffers) {
  const std::string bundle = makeBundle("outside");
  EXPECT_EQ(run({bundle}), 1);
  EXPECT_THAT(result(bundle).detail, HasSubstr("wrote outside of the buffer"));
}

TEST_F(Replay, SurvivesFaultsCrashesHangsAndBadCode) {
  const std::string fault = makeBundle("fault"), crash = makeBundle("crash"),
                    hang = makeBundle("hang"), bad = makeBundle("bad"), good = makeBundle("double");
  EXPECT_EQ(run({"--timeout=4", fault, crash, hang, bad, good}), 1);
  EXPECT_THAT(result(fault).detail, HasSubstr("illegal memory access"));
  EXPECT_THAT(result(crash).detail, HasSubstr("died of signal"));
  EXPECT_THAT(result(hang).detail, HasSubstr("no result within 4 s"));
  EXPECT_THAT(result(bad).detail, HasSubstr("cuModuleLoadDataEx"));
  EXPECT_TRUE(result(good).toVerdict().isAgree());
  EXPECT_THAT(output, HasSubstr("1 agree, 4 disagree or fail, 0 unavailable"));
}

TEST_F(Replay, OneContextServesManyUntilOneLeavesItInDoubt) {
  std::vector<std::string> arguments = {"--repeat=1"};
  const std::string good = makeBundle("double"), fault = makeBundle("fault");
  for (int i = 0; i < 12; ++i)
    arguments.push_back(good);
  arguments.push_back(fault);
  arguments.push_back(good);
  EXPECT_EQ(run(arguments), 1);
  EXPECT_THAT(output, HasSubstr("13 agree, 1 disagree or fail, 0 unavailable"));
  auto contexts = llvm::MemoryBuffer::getFile(folder + "/contexts");
  ASSERT_TRUE(static_cast<bool>(contexts));
  EXPECT_EQ((*contexts)->getBuffer().count('\n'), 2u);
}

TEST_F(Replay, KeepsWhatKernelsPrint) {
  const std::string prints = makeBundle("print"), silent = makeBundle("double");
  run({"--repeat=2", prints, silent});
  auto text = [](const std::string &bundle) {
    auto file = llvm::MemoryBuffer::getFile(bundle + "/printed.txt");
    return file ? (*file)->getBuffer().str() : "no file";
  };
  EXPECT_EQ(text(prints), "7 of 9\n"); // of the run that is judged alone
  EXPECT_EQ(text(silent), "");
  EXPECT_EQ(output.find("7 of 9"), std::string::npos);
}

TEST_F(Replay, SeveralProcessesAtOnce) {
  std::vector<std::string> arguments = {"--timeout=4", "--jobs=3"};
  const std::string good = makeBundle("double"), hang = makeBundle("hang"),
                    crash = makeBundle("crash");
  arguments.push_back(hang);
  for (int i = 0; i < 20; ++i)
    arguments.push_back(good);
  arguments.push_back(crash);
  EXPECT_EQ(run(arguments), 1);
  EXPECT_THAT(output, HasSubstr("20 agree, 2 disagree or fail, 0 unavailable"));
  EXPECT_THAT(result(hang).detail, HasSubstr("no result within 4 s"));
  EXPECT_EQ(run({"--jobs=0", good}), 2);
  EXPECT_THAT(output, HasSubstr("expected --jobs=N with N from 1 to 64, found '0'"));
}

TEST_F(Replay, ChecksThatTrapsTrap) {
  const std::string trapping = makeBundle("fault", true), normal = makeBundle("double", true);
  EXPECT_EQ(run({trapping}), 0);
  EXPECT_EQ(run({normal}), 1);
}

TEST_F(Replay, SaysOnceThatThereIsNoDevice) {
  const std::string one = makeBundle("double"), two = makeBundle("nothing");
  EXPECT_EQ(run({one, two}, false), 3);
  EXPECT_TRUE(result(two).toVerdict().isUnavailable());
  EXPECT_EQ(output.find("unavailable: "), output.rfind("unavailable: "));
}

TEST_F(Replay, WritesOverNothingButItsOwnResults) {
  const std::string bundle = makeBundle("double");
  std::ofstream(bundle + "/result.json.part") << "mine";
  EXPECT_EQ(run({bundle}), 0) << output;
  EXPECT_EQ((*llvm::MemoryBuffer::getFile(bundle + "/result.json.part"))->getBuffer(), "mine");
  // A bundle made by hand, whose input has the name of a result.
  llvm::sys::fs::rename(bundle + "/b1.bin", bundle + "/b1.got.bin");
  std::string text = (*llvm::MemoryBuffer::getFile(bundle + "/bundle.json"))->getBuffer().str();
  for (size_t at; (at = text.find("b1.bin")) != std::string::npos;)
    text.replace(at, 6, "b1.got.bin");
  std::ofstream(bundle + "/bundle.json") << text;
  const std::string before =
      (*llvm::MemoryBuffer::getFile(bundle + "/b1.got.bin"))->getBuffer().str();
  EXPECT_EQ(run({bundle}), 2);
  EXPECT_THAT(output, HasSubstr("other names than results, found 'b1.got.bin'"));
  EXPECT_EQ((*llvm::MemoryBuffer::getFile(bundle + "/b1.got.bin"))->getBuffer(), before);
}

TEST_F(Replay, RefusesWhatIsNoBundle) {
  EXPECT_EQ(run({}), 2);
  EXPECT_EQ(run({folder}), 2);
  EXPECT_EQ(run({"--nonsense"}), 2);
}

// The folder alone is enough on a GPU machine.
TEST_F(Replay, BuildsWithoutLLVM) {
  const std::string root = std::getenv("TILESMITH_SOURCE_DIR"), include = "-I" + root,
                    source = root + "/oracles/engines/cuda/replay/";
  const std::string out = folder + "/tile-gpu-replay", main = source + "Main.cpp",
                    compare = source + "Compare.cpp", driver = source + "Driver.cpp",
                    parser = source + "Json.cpp", session = source + "Session.cpp",
                    workers = source + "Workers.cpp";
  const llvm::StringRef command[] = {CXX_COMPILER, "-std=c++20", include, "-o",    out,     main,
                                     compare,      driver,       parser,  session, workers, "-ldl"};
  EXPECT_EQ(llvm::sys::ExecuteAndWait(CXX_COMPILER, command), 0);
}

// What was run elsewhere is judged as any engine is.
TEST_F(Replay, JudgesARecordByTheCase) {
  const std::string source = std::string(std::getenv("TILESMITH_SOURCE_DIR")) +
                             "/corpus/regressions/external-prints-out-of-order";
  auto testCase = testcase::loadTestCase(source);
  ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
  const std::string bundle = folder + "/record", version = testCase->versions().back();
  BundleOptions bundling;
  bundling.source = source;
  llvm::Error failure = writeBundle(*testCase, version, bundling, bundle);
  ASSERT_FALSE(!!failure) << llvm::toString(std::move(failure));
  const auto reference = createReferenceEngine();
  const EngineResult wanted = reference->run({*testCase, version, {}});
  ASSERT_TRUE(wanted.completed()) << wanted.message;

  auto write = [&](const std::string &name, llvm::StringRef text) {
    std::ofstream(bundle + "/" + name, std::ios::binary).write(text.data(), text.size());
  };
  auto judge = [&](const std::string &printed, const testcase::Bytes &first, bool outside) {
    write("result.json", R"({"case": ")" + testCase->name + R"(", "version": ")" + version +
                             R"(", "device": "d", "verdict": "disagree", "detail": "",)" +
                             R"( "wrote_outside": )" + (outside ? "true" : "false") + "}");
    write("printed.txt", printed);
    for (auto [i, buffer] : llvm::enumerate(wanted.buffers)) {
      const testcase::Bytes &bytes = i == 0 ? first : buffer.bytes;
      write("b" + std::to_string(i) + ".got.bin",
            {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
    }
    const ReplayResult replay = result(bundle);
    EXPECT_EQ(replay.source, source);
    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(createReferenceEngine());
    engines.push_back(createRecordedEngine(replay, bundle));
    DifferentialOptions options;
    options.compareWithSelf = false;
    options.bounds = reference.get();
    return judgeModule(*testCase, version, engines, options).verdict;
  };
  ASSERT_FALSE(wanted.buffers.empty());
  const testcase::Bytes good = wanted.buffers[0].bytes;
  testcase::Bytes bad = good, shorter = good;
  bad.front() ^= 1;
  shorter.pop_back();
  EXPECT_TRUE(judge(wanted.printed, good, false).isAgree());
  EXPECT_TRUE(judge(wanted.printed, bad, false).isDisagree());
  EXPECT_TRUE(judge(wanted.printed + "more", good, false).isDisagree());
  EXPECT_FALSE(judge(wanted.printed, shorter, false).isAgree());
  EXPECT_FALSE(judge(wanted.printed, good, true).isAgree());
}

TEST_F(Replay, BundlesAStoredCase) {
  const std::string corpus = std::string(std::getenv("TILESMITH_SOURCE_DIR")) + "/corpus/frontends";
  std::error_code error;
  unsigned bundled = 0;
  for (llvm::sys::fs::directory_iterator it(corpus, error), end; it != end && !error && bundled < 2;
       it.increment(error)) {
    auto testCase = testcase::loadTestCase(it->path());
    if (!testCase) {
      llvm::consumeError(testCase.takeError());
      continue;
    }
    if (testCase->mayReject || testCase->traps || testCase->versions().empty())
      continue;
    const std::string bundle = folder + "/case" + std::to_string(bundled++);
    llvm::Error failure = writeBundle(*testCase, testCase->versions().back(), {}, bundle);
    ASSERT_FALSE(!!failure) << llvm::toString(std::move(failure));
    EXPECT_TRUE(llvm::sys::fs::exists(bundle + "/bundle.json"));
    EXPECT_TRUE(llvm::sys::fs::exists(bundle + "/l0.ptx"));
    run({"--repeat=0", bundle}); // the stand-in does nothing for it: any verdict, but a result
    EXPECT_EQ(result(bundle).caseName, testCase->name);
  }
  EXPECT_EQ(bundled, 2u);
}

} // namespace
