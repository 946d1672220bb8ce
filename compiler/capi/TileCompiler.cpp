//===- TileCompiler.cpp - the C interface of the compiler -------------------------------------===//
//
// A thin layer over compileTileIR: fields of the configuration become options of the command line
// and go through its parser, so that both accept the same values with the same messages.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/capi/TileCompiler.h"

#include "compiler/tools/TileirasCompiler.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace tilesmith::tools;

struct TileCompilerProgram {
  enum class State { Refused, Created, Failed, Compiled };
  State state = State::Refused;
  std::string bytecode;
  TileirasOptions options;
  TileirasResult result;
};

namespace {

using State = TileCompilerProgram::State;

/// The configuration as command-line arguments.
std::vector<std::string> toArguments(const TileCompilerConfiguration &configuration) {
  std::vector<std::string> arguments;
  auto addText = [&](const char *name, const char *value) {
    if (value)
      arguments.push_back(std::string("--") + name + "=" + value);
  };
  addText("gpu-name", configuration.gpuName);
  arguments.push_back("--opt-level=" + std::to_string(configuration.optLevel));
  addText("lineinfo", configuration.lineInfo ? "true" : "false");
  addText("device-debug", configuration.deviceDebug ? "true" : "false");
  addText("host-arch", configuration.hostArch);
  addText("host-os", configuration.hostOs);
  addText("sanitize", configuration.sanitize);
  for (size_t i = 0; i < configuration.optionCount; ++i)
    arguments.emplace_back(configuration.options[i]);
  return arguments;
}

TileCompilerResult refuse(TileCompilerProgram &program, TileCompilerResult code,
                          const std::string &lines) {
  program.result.diagnostics += lines;
  return code;
}

/// Codes 2, 3 and 5 are those of the process.
TileCompilerResult resultOf(int exitCode) {
  switch (exitCode) {
  case kExitSuccess:
    return TILE_COMPILER_SUCCESS;
  case kExitConfiguration:
    return TILE_COMPILER_INVALID_CONFIGURATION;
  case kExitBytecode:
    return TILE_COMPILER_INVALID_BYTECODE;
  default:
    return TILE_COMPILER_COMPILE_FAILED;
  }
}

TileCompilerResult create(TileCompilerProgram &program, const TileCompilerConfiguration *given,
                          const void *bytecode, size_t size) {
  if (!given)
    return refuse(program, TILE_COMPILER_INVALID_CONFIGURATION, "error: configuration is null\n");
  if (given->structSize < sizeof(size_t) || given->structSize > sizeof(*given))
    return refuse(program, TILE_COMPILER_INVALID_CONFIGURATION,
                  "error: configuration has " + std::to_string(given->structSize) +
                      " bytes, expected at most " + std::to_string(sizeof(*given)) + "\n");
  if (!bytecode)
    return refuse(program, TILE_COMPILER_INVALID_CONFIGURATION, "error: input buffer is null\n");
  // An older caller knows fewer fields.
  TileCompilerConfiguration configuration = tileCompilerDefaultConfiguration();
  std::memcpy(&configuration, given, given->structSize);
  if (configuration.optionCount && !configuration.options)
    return refuse(program, TILE_COMPILER_INVALID_CONFIGURATION, "error: options are null\n");

  program.bytecode.assign(static_cast<const char *>(bytecode), size);
  program.result = checkTileIRHeader(program.bytecode);
  if (program.result.exitCode != kExitSuccess)
    return resultOf(program.result.exitCode);
  std::vector<std::string> arguments = toArguments(configuration);
  ParsedCommandLine line = parseTileirasCommandLine("tileiras", arguments, /*needsInput=*/false);
  if (line.done || line.options.listVersions)
    return refuse(program, TILE_COMPILER_INVALID_CONFIGURATION,
                  line.exitCode == 0 ? "error: an option that prints and ends is none here\n"
                                     : line.err);
  program.options = std::move(line.options);
  program.result = checkTileIRConfiguration(program.bytecode, program.options);
  if (program.result.exitCode != kExitSuccess)
    return resultOf(program.result.exitCode);
  program.state = State::Created;
  return TILE_COMPILER_SUCCESS;
}

} // namespace

const char *tileCompilerVersion(void) {
  return TILESMITH_VERSION;
}

TileCompilerConfiguration tileCompilerDefaultConfiguration(void) {
  TileCompilerConfiguration configuration = {};
  configuration.structSize = sizeof(configuration);
  configuration.optLevel = 3;
  return configuration;
}

TileCompilerResult tileCompilerCreate(TileCompilerProgram **program,
                                      const TileCompilerConfiguration *configuration,
                                      const void *bytecode, size_t bytecodeSize) {
  if (!program)
    return TILE_COMPILER_INVALID_HANDLE;
  *program = new (std::nothrow) TileCompilerProgram;
  if (!*program)
    return TILE_COMPILER_ALLOCATION_FAILED;
  return create(**program, configuration, bytecode, bytecodeSize);
}

TileCompilerResult tileCompilerCompile(TileCompilerProgram *program) {
  if (!program)
    return TILE_COMPILER_INVALID_HANDLE;
  if (program->state != State::Created)
    return refuse(*program, TILE_COMPILER_INVALID_HANDLE,
                  program->state == State::Refused ? "error: program was not created\n"
                                                   : "error: program was compiled before\n");
  program->result = compileTileIR(program->bytecode, program->options);
  program->state = program->result.exitCode == kExitSuccess ? State::Compiled : State::Failed;
  return resultOf(program->result.exitCode);
}

TileCompilerResult tileCompilerGetOutput(const TileCompilerProgram *program,
                                         TileCompilerOutput which, const void **data,
                                         size_t *size) {
  if (!program || !data || !size || program->state != State::Compiled)
    return TILE_COMPILER_INVALID_HANDLE;
  const std::string *text = nullptr;
  switch (which) {
  case TILE_COMPILER_OUTPUT_CODE:
    text = &program->result.output;
    break;
  case TILE_COMPILER_OUTPUT_LAUNCH_METADATA:
    text = &program->result.launchMetadata;
    break;
  case TILE_COMPILER_OUTPUT_REMARKS:
    text = &program->result.remarks;
    break;
  }
  if (!text)
    return TILE_COMPILER_INVALID_HANDLE;
  *data = text->data();
  *size = text->size();
  return TILE_COMPILER_SUCCESS;
}

const char *tileCompilerGetDiagnostics(const TileCompilerProgram *program) {
  return program ? program->result.diagnostics.c_str() : "error: program is null\n";
}

void tileCompilerDestroy(TileCompilerProgram *program) {
  delete program;
}
