//===- TileRuntimeTest.cpp - kernels on memory of the caller, through the C interface ---------===//
#include "oracles/engines/runtime/TileRuntime.h"

#include "compiler/support/EmulatedModule.h"
#include "compiler/support/Plants.h"
#include "reference/testcase/Compare.h"
#include "reference/testcase/Launch.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using ::testing::HasSubstr;

namespace {

testcase::TestCase load(const std::string &name) {
  return llvm::cantFail(
      testcase::loadTestCase(std::string(getenv("TILESMITH_SOURCE_DIR")) + "/corpus/" + name));
}

/// A case whose memory this process owns, and a runtime that has loaded its module.
struct Client {
  explicit Client(const std::string &name, const char *engine = "emulator", size_t shorter = 0)
      : testCase(load(name)) {
    EXPECT_EQ(tileRuntimeCreate(&runtime), TILE_RUNTIME_SUCCESS);
    set("engine", engine);
    image = std::string(testCase.launches[0].modules.back().bytes.begin(),
                        testCase.launches[0].modules.back().bytes.end());
    EXPECT_EQ(tileRuntimeLoad(runtime, image.data(), image.size(), &module), TILE_RUNTIME_SUCCESS)
        << tileRuntimeError(runtime);
    for (const testcase::Buffer &buffer : testCase.buffers) {
      memory.emplace_back(
          static_cast<uint8_t *>(aligned_alloc(256, buffer.data.size() / 256 * 256 + 256)));
      std::memcpy(memory.back(), buffer.data.data(), buffer.data.size());
      addresses.push_back(reinterpret_cast<uint64_t>(memory.back()));
      EXPECT_EQ(tileRuntimeDeclare(runtime, memory.back(), buffer.data.size() - shorter, nullptr),
                TILE_RUNTIME_SUCCESS);
    }
    auto placeTable = [](llvm::ArrayRef<uint64_t>) -> llvm::Expected<uint64_t> { return 0; };
    arguments = llvm::cantFail(
                    testcase::flattenLaunch(testCase, testCase.launches[0], addresses, placeTable))
                    .arguments;
    for (const testcase::KernelArgument &argument : arguments)
      pointers.push_back(&argument.bits);
  }
  ~Client() {
    tileRuntimeDestroy(runtime);
    for (uint8_t *block : memory)
      free(block);
  }
  void set(const char *name, const char *value) {
    EXPECT_EQ(tileRuntimeSet(runtime, name, value), TILE_RUNTIME_SUCCESS)
        << tileRuntimeError(runtime);
  }
  TileRuntimeResult launch() {
    return tileRuntimeLaunch(runtime, module, testCase.launches[0].kernel.c_str(),
                             testCase.launches[0].grid.data(), pointers.data(), pointers.size());
  }
  TileRuntimeFinding finding(size_t i = 0) {
    TileRuntimeFinding result = {};
    EXPECT_EQ(tileRuntimeGetFinding(runtime, i, &result), TILE_RUNTIME_SUCCESS);
    return result;
  }
  void expectResults() {
    for (size_t i = 0; i < memory.size(); ++i) {
      const testcase::Buffer &buffer = testCase.buffers[i];
      auto result = testcase::compareBuffer(buffer, {memory[i], buffer.data.size()},
                                            buffer.expected(), buffer.compare);
      EXPECT_TRUE(result.ok()) << testcase::describe(buffer, result);
    }
  }
  testcase::TestCase testCase;
  std::string image;
  TileRuntime *runtime = nullptr;
  TileRuntimeModule *module = nullptr;
  std::vector<uint8_t *> memory;
  std::vector<uint64_t> addresses;
  std::vector<testcase::KernelArgument> arguments;
  std::vector<const void *> pointers;
};

constexpr char kCase[] = "frontends/ew_intarith_i32";

TEST(TileRuntimeTest, EveryEngineLeavesItsResultsInPlace) {
  for (const char *engine :
       {"emulator", "reference", "emulator@O0:sm_100", "reference,emulator@O3", "tileas"}) {
    Client client(kCase, engine);
    EXPECT_EQ(client.launch(), TILE_RUNTIME_SUCCESS) << engine << client.finding().message;
    client.expectResults();
    EXPECT_STREQ(tileRuntimeCaptured(client.runtime), "");
  }
}

/// The stored cubin is ours of the same case, so no ptxas is needed.
TEST(TileRuntimeTest, TheMachineCodeDeviceRunsTheCubinThatAModuleBrings) {
  auto cubin = llvm::MemoryBuffer::getFile(std::string(getenv("TILESMITH_SOURCE_DIR")) +
                                           "/corpus/sass/lines.sm_90.O3.cubin");
  ASSERT_TRUE(bool(cubin));
  for (size_t shorter : {0u, 4u}) {
    Client client(kCase, "sass", shorter);
    const std::string options = "-O3\n--gpu-name=sm_90";
    std::string with = EmulatedModule{client.image, options, (*cubin)->getBuffer().str()}.print();
    EXPECT_EQ(tileRuntimeLoad(client.runtime, with.data(), with.size(), &client.module),
              TILE_RUNTIME_SUCCESS);
    ASSERT_EQ(tileRuntimeParameterCount(client.module, 0), client.arguments.size());
    // Its bounds are those of the memory, not of a copy as a case, and its line that of the cubin.
    EXPECT_EQ(client.launch(), shorter ? TILE_RUNTIME_FINDING : TILE_RUNTIME_SUCCESS);
    if (shorter) {
      EXPECT_STREQ(client.finding().kind, "out-of-bounds");
      EXPECT_EQ(client.finding().line, 7);
      EXPECT_THAT(client.finding().message, HasSubstr("'memory 1'"));
    } else {
      client.expectResults();
    }
    client.set("engine", "reference,sass,emulator");
    EXPECT_EQ(client.launch(), shorter ? TILE_RUNTIME_FINDING : TILE_RUNTIME_SUCCESS);
    std::string damaged = EmulatedModule{client.image, options, "no cubin"}.print();
    EXPECT_EQ(tileRuntimeLoad(client.runtime, damaged.data(), damaged.size(), &client.module),
              TILE_RUNTIME_INVALID_MODULE);
    EXPECT_THAT(tileRuntimeError(client.runtime), HasSubstr("cubin: expected"));
  }
}

TEST(TileRuntimeTest, FloatsAreComparedWithTheBoundsOfTheReference) {
  Client client("frontends/softmax_f32", "reference,emulator");
  EXPECT_EQ(client.launch(), TILE_RUNTIME_SUCCESS) << client.finding().message;
  client.expectResults();
}

TEST(TileRuntimeTest, EntriesHaveSignatures) {
  Client client(kCase);
  ASSERT_EQ(tileRuntimeEntryCount(client.module), 1u);
  EXPECT_EQ(tileRuntimeEntryName(client.module, 0), client.testCase.launches[0].kernel);
  ASSERT_EQ(tileRuntimeParameterCount(client.module, 0), client.arguments.size());
  for (size_t i = 0; i < client.arguments.size(); ++i) {
    TileRuntimeParameter parameter;
    ASSERT_EQ(tileRuntimeGetParameter(client.module, 0, i, &parameter), TILE_RUNTIME_SUCCESS);
    EXPECT_EQ(bool(parameter.isPointer), client.arguments[i].isPointer);
    EXPECT_EQ(parameter.size, client.arguments[i].size);
    EXPECT_STREQ(parameter.type, "i32");
  }
  EXPECT_EQ(tileRuntimeEntryName(client.module, 1), nullptr);
}

TEST(TileRuntimeTest, AnAccessOutsideOfTheMemoryHasItsPlace) {
  for (const char *engine : {"emulator", "reference"}) {
    Client client(kCase, engine, /*shorter=*/4);
    ASSERT_EQ(client.launch(), TILE_RUNTIME_FINDING) << engine;
    TileRuntimeFinding finding = client.finding();
    EXPECT_STREQ(finding.engine, engine);
    EXPECT_STREQ(finding.kind, "out-of-bounds");
    EXPECT_GE(finding.block[0], 0);
    EXPECT_EQ(finding.thread[0] >= 0, engine[0] == 'e') << finding.message;
    EXPECT_THAT(finding.file, HasSubstr("kernel.py")) << finding.message;
    EXPECT_GT(finding.line, 0);
    EXPECT_THAT(finding.message, HasSubstr(client.testCase.launches[0].kernel));
  }
}

TEST(TileRuntimeTest, AReadOfWhatNobodyWroteHasItsPlace) {
  for (const char *engine : {"emulator", "reference", "reference,emulator@O0"}) {
    Client client(kCase, engine);
    uint8_t *input = client.memory[0], *output = client.memory[2];
    const size_t size = client.testCase.buffers[2].data.size();
    EXPECT_EQ(tileRuntimeMarkUnwritten(client.runtime, output, size), TILE_RUNTIME_SUCCESS);
    EXPECT_EQ(client.launch(), TILE_RUNTIME_SUCCESS) << engine << client.finding().message;
    EXPECT_EQ(tileRuntimeMarkUnwritten(client.runtime, input + 40, 4), TILE_RUNTIME_SUCCESS);
    ASSERT_EQ(client.launch(), TILE_RUNTIME_FINDING) << engine;
    TileRuntimeFinding finding = client.finding();
    EXPECT_STREQ(finding.kind, "uninitialised-read");
    EXPECT_THAT(finding.file, HasSubstr("kernel.py"));
    EXPECT_EQ(finding.line, 6);
    EXPECT_EQ(finding.block[0], 0);
    client.set("uninitialised", "0");
    EXPECT_EQ(client.launch(), TILE_RUNTIME_SUCCESS) << engine;
    EXPECT_EQ(tileRuntimeMarkUnwritten(client.runtime, input, 4096), TILE_RUNTIME_INVALID_HANDLE);
    EXPECT_EQ(tileRuntimeMarkUnwritten(client.runtime, nullptr, 4), TILE_RUNTIME_INVALID_HANDLE);
  }
}

/// What a launch finds when half of a buffer, or every eighth word of it, was never written; empty:
/// nothing.
std::string findingWithout(const std::string &name, const char *engine, size_t buffer, bool half) {
  Client client(name, engine);
  const size_t size = client.testCase.buffers[buffer].data.size();
  for (size_t at = 0; at < (half ? 1 : size / 64); ++at)
    tileRuntimeMarkUnwritten(client.runtime, client.memory[buffer] + 64 * at, half ? size / 2 : 8);
  return client.launch() == TILE_RUNTIME_FINDING ? client.finding().message : "";
}

TEST(TileRuntimeTest, CompiledCodeReadsWhatTheReferenceReads) {
  size_t found = 0, clean = 0;
  for (const char *folder : {"frontends", "strategies"}) {
    std::error_code error;
    const std::string root = std::string(getenv("TILESMITH_SOURCE_DIR")) + "/corpus/" + folder;
    for (llvm::sys::fs::directory_iterator it(root, error), end; it != end && !error;
         it.increment(error)) {
      if (!llvm::sys::fs::exists(it->path() + "/case.json"))
        continue;
      const std::string name = folder + ("/" + llvm::sys::path::filename(it->path())).str();
      testcase::TestCase testCase = load(name);
      if (testCase.launches.size() > 1)
        continue;
      for (size_t buffer = 0; buffer < testCase.buffers.size(); ++buffer)
        for (bool half : {true, false}) {
          std::string reference = findingWithout(name, "reference", buffer, half),
                      compiled = findingWithout(name, "emulator@O3:sm_90", buffer, half);
          ++(reference.empty() ? clean : found);
          EXPECT_EQ(reference.empty(), compiled.empty())
              << name << " buffer " << buffer << ": " << reference << compiled;
        }
    }
  }
  EXPECT_GT(found, 50u);
  EXPECT_GT(clean, 50u);
}

TEST(TileRuntimeTest, AMiscompileIsAMismatchAndACase) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tile-runtime", folder));
  Client client("planted/fma-addend-swapped", "reference,emulator");
  client.set("capture", folder.c_str());
  client.set("capture-findings", "1");
  EXPECT_EQ(client.launch(), TILE_RUNTIME_SUCCESS) << client.finding().message;
  EXPECT_STREQ(tileRuntimeCaptured(client.runtime), "");
  llvm::cantFail(activatePlant("fma-addend-swapped"));
  Client faulty("planted/fma-addend-swapped", "reference,emulator");
  faulty.set("capture", folder.c_str());
  EXPECT_EQ(faulty.launch(), TILE_RUNTIME_FINDING);
  deactivatePlants();
  EXPECT_STREQ(faulty.finding().kind, "mismatch");
  EXPECT_STREQ(faulty.finding().engine, "emulator against reference");
  EXPECT_THAT(faulty.finding().message, HasSubstr("stored by 'cuda_tile.store_"));
  auto captured = testcase::loadTestCase(tileRuntimeCaptured(faulty.runtime));
  ASSERT_TRUE(bool(captured)) << llvm::toString(captured.takeError());
  EXPECT_EQ(captured->launches[0].kernel, faulty.testCase.launches[0].kernel);
  EXPECT_EQ(captured->buffers[0].data, faulty.testCase.buffers[0].data);
  EXPECT_THAT(captured->notes, HasSubstr("mismatch"));
  llvm::sys::fs::remove_directories(folder);
}

TEST(TileRuntimeTest, AMismatchHasThePlaceOfTheStoreThatLeftIt) {
  llvm::cantFail(activatePlant("maxi-signed-as-unsigned"));
  Client faulty(kCase, "reference,emulator");
  EXPECT_EQ(faulty.launch(), TILE_RUNTIME_FINDING);
  deactivatePlants();
  EXPECT_STREQ(faulty.finding().kind, "mismatch");
  EXPECT_TRUE(llvm::StringRef(faulty.finding().file).ends_with("kernel.py"));
  EXPECT_GT(faulty.finding().line, 0);
  EXPECT_GE(faulty.finding().block[0], 0);
}

TEST(TileRuntimeTest, WrongLaunchesRunNothing) {
  Client client(kCase);
  const char *entry = client.testCase.launches[0].kernel.c_str();
  const int64_t good[3] = {1, 1, 1}, none[3] = {1, 0, 1}, many[3] = {1 << 24, 1, 1},
                product[3] = {1 << 23, 1 << 23, 1};
  auto launch = [&](const char *name, const int64_t *grid, size_t count) {
    return tileRuntimeLaunch(client.runtime, client.module, name, grid, client.pointers.data(),
                             count);
  };
  EXPECT_EQ(launch("nothing", good, client.pointers.size()), TILE_RUNTIME_INVALID_LAUNCH);
  EXPECT_THAT(tileRuntimeError(client.runtime), HasSubstr("found 'nothing'"));
  for (const int64_t *grid : {none, many, product})
    EXPECT_EQ(launch(entry, grid, client.pointers.size()), TILE_RUNTIME_INVALID_LAUNCH);
  EXPECT_EQ(launch(entry, good, client.pointers.size() - 1), TILE_RUNTIME_INVALID_LAUNCH);
  EXPECT_THAT(tileRuntimeError(client.runtime), HasSubstr("arguments"));
  EXPECT_EQ(tileRuntimeLaunch(client.runtime, nullptr, entry, good, nullptr, 0),
            TILE_RUNTIME_INVALID_HANDLE);
  for (size_t i = 0; i < client.memory.size(); ++i)
    EXPECT_EQ(0, std::memcmp(client.memory[i], client.testCase.buffers[i].data.data(),
                             client.testCase.buffers[i].data.size()));
}

TEST(TileRuntimeTest, WrongModulesAndSettingsAreRefused) {
  Client client(kCase);
  TileRuntimeModule *module;
  auto refuse = [&](const std::string &image, const char *why) {
    EXPECT_EQ(tileRuntimeLoad(client.runtime, image.data(), image.size(), &module),
              TILE_RUNTIME_INVALID_MODULE);
    EXPECT_EQ(module, nullptr);
    EXPECT_THAT(tileRuntimeError(client.runtime), HasSubstr(why));
  };
  refuse("\x7f"
         "ELF, a damaged cubin",
         "cubin: expected a 64-bit little-endian ELF file");
  refuse("other data", "expected Tile IR bytecode");
  refuse(client.image.substr(0, client.image.size() / 2), "section");
  std::string whole = EmulatedModule{client.image, "-O1\n--gpu-name=sm_80"}.print();
  for (size_t size : {8u, 23u, 60u, unsigned(whole.size() - 1)})
    refuse(whole.substr(0, size), "expected");
  refuse(EmulatedModule{client.image, "--frobnicate"}.print(), "--frobnicate");
  EXPECT_EQ(tileRuntimeLoad(client.runtime, whole.data(), whole.size(), &module),
            TILE_RUNTIME_SUCCESS);
  EXPECT_EQ(tileRuntimeUnload(client.runtime, module), TILE_RUNTIME_SUCCESS);
  EXPECT_EQ(tileRuntimeUnload(client.runtime, module), TILE_RUNTIME_INVALID_HANDLE);
  for (auto [name, value] : {std::pair("engine", "nosuch"),
                             {"schedule", "best"},
                             {"time-limit", "-1"},
                             {"uninitialised", "maybe"},
                             {"colour", "red"}})
    EXPECT_EQ(tileRuntimeSet(client.runtime, name, value), TILE_RUNTIME_INVALID_SETTING) << name;
  EXPECT_EQ(tileRuntimeDeclare(client.runtime, client.memory[0] + 4, 4, "inside"),
            TILE_RUNTIME_INVALID_HANDLE);
  EXPECT_EQ(tileRuntimeForget(client.runtime, client.memory[0] + 4), TILE_RUNTIME_INVALID_HANDLE);
  EXPECT_EQ(tileRuntimeForget(client.runtime, client.memory[0]), TILE_RUNTIME_SUCCESS);
}

TEST(TileRuntimeTest, NullPointers) {
  EXPECT_EQ(tileRuntimeCreate(nullptr), TILE_RUNTIME_INVALID_HANDLE);
  EXPECT_EQ(tileRuntimeSet(nullptr, "engine", "emulator"), TILE_RUNTIME_INVALID_HANDLE);
  EXPECT_EQ(tileRuntimeEntryCount(nullptr), 0u);
  EXPECT_EQ(tileRuntimeFindingCount(nullptr), 0u);
  EXPECT_STREQ(tileRuntimeError(nullptr), "runtime is null");
  tileRuntimeDestroy(nullptr);
}

} // namespace
