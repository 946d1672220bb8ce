//===- TileCompilerTest.cpp - codes, order of checks and outputs of the C interface -----------===//
#include "compiler/capi/TileCompiler.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gmock/gmock.h"

#include <string>

using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

std::string softmax() {
  std::string path = std::string(getenv("TILESMITH_SOURCE_DIR")) +
                     "/corpus/frontends/softmax_f32/softmax_f32.v13.3.tileirbc";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// A program and its configuration, freed at the end of the test.
struct Client {
  Client() { configuration.gpuName = "sm_90"; }
  ~Client() { tileCompilerDestroy(program); }
  TileCompilerResult create(const std::string &bytecode, std::vector<const char *> options = {}) {
    configuration.options = options.data();
    configuration.optionCount = options.size();
    return tileCompilerCreate(&program, &configuration, bytecode.data(), bytecode.size());
  }
  std::string diagnostics() const { return tileCompilerGetDiagnostics(program); }
  llvm::StringRef output(TileCompilerOutput which = TILE_COMPILER_OUTPUT_CODE) const {
    const void *data = nullptr;
    size_t size = 0;
    EXPECT_EQ(tileCompilerGetOutput(program, which, &data, &size), TILE_COMPILER_SUCCESS);
    return {static_cast<const char *>(data), size};
  }
  TileCompilerConfiguration configuration = tileCompilerDefaultConfiguration();
  TileCompilerProgram *program = nullptr;
};

TEST(TileCompilerTest, CompilesToEveryOutput) {
  Client client;
  ASSERT_EQ(client.create(softmax(), {"--emit=ptx", "--remarks=all", "--remark-format=yaml"}),
            TILE_COMPILER_SUCCESS)
      << client.diagnostics();
  ASSERT_EQ(tileCompilerCompile(client.program), TILE_COMPILER_SUCCESS) << client.diagnostics();
  EXPECT_THAT(client.output().str(), HasSubstr(".visible .entry"));
  EXPECT_THAT(client.output(TILE_COMPILER_OUTPUT_LAUNCH_METADATA).str(), StartsWith("{"));
  EXPECT_THAT(client.output(TILE_COMPILER_OUTPUT_REMARKS).str(), StartsWith("--- !"));
  EXPECT_EQ(tileCompilerCompile(client.program), TILE_COMPILER_INVALID_HANDLE);
  EXPECT_THAT(client.diagnostics(), HasSubstr("error: program was compiled before\n"));
  EXPECT_THAT(client.output().str(), HasSubstr(".visible .entry"));
}

TEST(TileCompilerTest, TwoProgramsGiveTheSameBytes) {
  Client a, b;
  for (Client *client : {&a, &b}) {
    ASSERT_EQ(client->create(softmax(), {"--emit=ptx"}), TILE_COMPILER_SUCCESS);
    ASSERT_EQ(tileCompilerCompile(client->program), TILE_COMPILER_SUCCESS);
  }
  EXPECT_EQ(a.output(), b.output());
}

TEST(TileCompilerTest, NullPointers) {
  TileCompilerConfiguration configuration = tileCompilerDefaultConfiguration();
  EXPECT_EQ(tileCompilerCreate(nullptr, nullptr, nullptr, 0), TILE_COMPILER_INVALID_HANDLE);
  Client client;
  EXPECT_EQ(tileCompilerCreate(&client.program, nullptr, nullptr, 0),
            TILE_COMPILER_INVALID_CONFIGURATION);
  EXPECT_EQ(client.diagnostics(), "error: configuration is null\n");
  Client second;
  EXPECT_EQ(tileCompilerCreate(&second.program, &configuration, nullptr, 0),
            TILE_COMPILER_INVALID_CONFIGURATION);
  EXPECT_EQ(second.diagnostics(), "error: input buffer is null\n");
  EXPECT_EQ(tileCompilerCompile(nullptr), TILE_COMPILER_INVALID_HANDLE);
  EXPECT_STREQ(tileCompilerGetDiagnostics(nullptr), "error: program is null\n");
  const void *data;
  size_t size;
  EXPECT_EQ(tileCompilerGetOutput(nullptr, TILE_COMPILER_OUTPUT_CODE, &data, &size),
            TILE_COMPILER_INVALID_HANDLE);
  tileCompilerDestroy(nullptr);
}

TEST(TileCompilerTest, AHeaderIsCheckedBeforeTheGpu) {
  Client client;
  client.configuration.gpuName = "sm_75";
  EXPECT_EQ(client.create("not Tile IR"), TILE_COMPILER_INVALID_BYTECODE);
  EXPECT_EQ(client.diagnostics(), "error: input does not correspond to Tile IR bytecode\n");
  EXPECT_EQ(tileCompilerCompile(client.program), TILE_COMPILER_INVALID_HANDLE);
  EXPECT_THAT(client.diagnostics(), HasSubstr("error: program was not created\n"));
}

TEST(TileCompilerTest, RefusedConfigurations) {
  struct {
    const char *gpu;
    int level, debug;
    const char *hostArch, *message;
  } rows[] = {
      {nullptr, 3, 0, nullptr, "GPU architecture sm_0 is not supported"},
      {"sm_75", 3, 0, nullptr, "Cannot find option named 'sm_75'"},
      {"sm_90", 4, 0, nullptr, "invalid optimization level: 4"},
      {"sm_90", 3, 1, nullptr, "optimized debugging is currently not supported"},
      {"sm_90", 3, 0, "riscv64", "Cannot find option named 'riscv64'"},
  };
  for (const auto &row : rows) {
    Client client;
    client.configuration.gpuName = row.gpu;
    client.configuration.optLevel = row.level;
    client.configuration.deviceDebug = row.debug;
    client.configuration.hostArch = row.hostArch;
    EXPECT_EQ(client.create(softmax()), TILE_COMPILER_INVALID_CONFIGURATION) << row.message;
    EXPECT_THAT(client.diagnostics(), HasSubstr(row.message));
  }
  Client client;
  EXPECT_EQ(client.create(softmax(), {"--frobnicate"}), TILE_COMPILER_INVALID_CONFIGURATION);
  EXPECT_THAT(client.diagnostics(), HasSubstr("Unknown command line argument '--frobnicate'"));
  Client newer;
  newer.configuration.structSize += 8;
  EXPECT_EQ(newer.create(softmax()), TILE_COMPILER_INVALID_CONFIGURATION);
  EXPECT_THAT(newer.diagnostics(), HasSubstr("expected at most"));
}

TEST(TileCompilerTest, BrokenBytecodeFailsWhenCompiling) {
  Client client;
  std::string bytes = softmax();
  bytes.resize(bytes.size() / 2);
  ASSERT_EQ(client.create(bytes), TILE_COMPILER_SUCCESS);
  EXPECT_EQ(tileCompilerCompile(client.program), TILE_COMPILER_INVALID_BYTECODE);
  EXPECT_THAT(client.diagnostics(), HasSubstr("input does not correspond to Tile IR bytecode"));
  const void *data;
  size_t size;
  EXPECT_EQ(tileCompilerGetOutput(client.program, TILE_COMPILER_OUTPUT_CODE, &data, &size),
            TILE_COMPILER_INVALID_HANDLE);
}

TEST(TileCompilerTest, AMissingToolkitIsACompileFailure) {
  Client client;
  ASSERT_EQ(client.create(softmax(), {"--cuda-path=/nonexistent"}), TILE_COMPILER_SUCCESS);
  EXPECT_EQ(tileCompilerCompile(client.program), TILE_COMPILER_COMPILE_FAILED);
  EXPECT_THAT(client.diagnostics(), HasSubstr("error: failed to compile Tile IR program\n"));
}

} // namespace
