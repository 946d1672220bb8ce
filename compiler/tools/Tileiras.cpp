//===- Tileiras.cpp - the drop-in for tileiras ------------------------------------------------===//
//
// main: parse the command line, read the input, compile through the C interface, write the output
// whole or not at all (WriteFile.h), and never over the input.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/Format.h"
#include "compiler/capi/TileCompiler.h"
#include "compiler/support/InputFile.h"
#include "compiler/support/ToolSetup.h"
#include "compiler/support/WriteFile.h"
#include "compiler/tools/TileirasCompiler.h"
#include "compiler/tools/TileirasOptions.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilesmith::tools;

namespace {

int fail(int code, const Twine &message) {
  errs() << "error: " << message << "\n";
  return code;
}

StringRef outputOf(const TileCompilerProgram *program, TileCompilerOutput which) {
  const void *data = nullptr;
  size_t size = 0;
  tileCompilerGetOutput(program, which, &data, &size);
  return StringRef(static_cast<const char *>(data), size);
}

/// Returns the exit code: what the file system refuses is the configuration's fault.
/// [spec: driver-output-errors, driver-whole-output]
int writeOutputFile(const std::string &path, StringRef bytes) {
  int code = kExitSuccess;
  handleAllErrors(
      tilesmith::writeFileAtomically(path, bytes), [&](const tilesmith::WriteFileError &error) {
        code = fail(error.getStage() == tilesmith::WriteFileError::Stage::Open ? kExitConfiguration
                                                                               : kExitUsage,
                    "cannot write output file '" + error.getPath() +
                        "': " + error.convertToErrorCode().message());
      });
  return code;
}

/// The backend ends the process on what it cannot select.
// [spec: driver-exit-codes]
void onFatalError(void *, const char *reason, bool) {
  errs() << "error: " << reason << "\nerror: failed to compile Tile IR program\n";
  sys::RunInterruptHandlers(); // removes temporary files
  std::_Exit(kExitCompile);
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  tilesmith::setUpTool(kExitUsage);
  install_fatal_error_handler(onFatalError);
  ParsedCommandLine line =
      parseTileirasCommandLine(argv[0], std::vector<std::string>(argv + 1, argv + argc));
  outs() << line.out;
  errs() << line.err;
  if (line.done)
    return line.exitCode;
  const TileirasOptions &options = line.options;
  // [spec: driver-list-versions]
  if (options.listVersions) {
    for (unsigned minor = tilesmith::bytecode::kOldestMinor; minor <= newestMinorOf(options);
         ++minor)
      outs() << unsigned(tilesmith::bytecode::kMajor) << "." << minor << "\n";
    return kExitSuccess;
  }
  // [spec: driver-controls]
  if (!options.applyControls.empty())
    return fail(kExitConfiguration, "--apply-controls is not supported on this platform");

  Expected<std::unique_ptr<MemoryBuffer>> input =
      tilesmith::readInputFile(*options.input, "unable to read input file");
  if (!input)
    return fail(kExitUsage, toString(input.takeError()));
  for (const std::string *output :
       {&options.output, &options.remarksOutputFile, &options.launchMetadata})
    if (Error error = tilesmith::checkOutputIsNotInput(*output, *options.input))
      return fail(kExitConfiguration, toString(std::move(error)));
  TileCompilerConfiguration configuration = tileCompilerDefaultConfiguration();
  configuration.options = argv + 1;
  configuration.optionCount = static_cast<size_t>(argc - 1);
  TileCompilerProgram *program = nullptr;
  TileCompilerResult code = tileCompilerCreate(&program, &configuration, (*input)->getBufferStart(),
                                               (*input)->getBufferSize());
  scope_exit destroy([&] { tileCompilerDestroy(program); });
  if (code == TILE_COMPILER_SUCCESS)
    code = tileCompilerCompile(program);
  errs() << (program ? tileCompilerGetDiagnostics(program)
                     : "error: failed to allocate memory for program\n");
  if (code != TILE_COMPILER_SUCCESS) // 2, 3 and 5 are also the exit codes of the process
    return program ? static_cast<int>(code) : kExitUsage;
  bool anyRemarks = false;
  for (const std::string *choice :
       {&options.remarks, &options.remarksPassed, &options.remarksMissed, &options.remarksFailed,
        &options.remarksAnalysis})
    anyRemarks |= !choice->empty() && *choice != "none";
  if (anyRemarks && options.remarkFormat == "yaml") {
    if (int code = writeOutputFile(options.remarksOutputFile,
                                   outputOf(program, TILE_COMPILER_OUTPUT_REMARKS)))
      return code;
  } else {
    outs() << outputOf(program, TILE_COMPILER_OUTPUT_REMARKS);
  }
  if (!options.launchMetadata.empty())
    if (int code = writeOutputFile(options.launchMetadata,
                                   outputOf(program, TILE_COMPILER_OUTPUT_LAUNCH_METADATA)))
      return code;
  return writeOutputFile(options.output, outputOf(program, TILE_COMPILER_OUTPUT_CODE));
}
