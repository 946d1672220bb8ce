//===- Tileiras.cpp - the drop-in for tileiras ------------------------------------------------===//
//
// main: parse the command line, read the input, compile through the C interface, write the output
// beside its place and rename it, so that a killed run or a full disk leaves no partial file.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/Format.h"
#include "compiler/capi/TileCompiler.h"
#include "compiler/tools/TileirasCompiler.h"
#include "compiler/tools/TileirasOptions.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace llvm;
using namespace tilesmith::tools;

namespace {

int fail(int code, const Twine &message) {
  errs() << "error: " << message << "\n";
  return code;
}

/// Flushes `stream` and reports its first error.
std::error_code finish(raw_fd_ostream &stream) {
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

/// Writes the file whole or not at all. A path that exists and is no regular file (a device, a
/// pipe) is written in place.
int writeOutput(StringRef path, StringRef bytes) {
  auto cannot = [&](int code, std::error_code error) {
    return fail(code, "cannot write output file '" + path + "': " + error.message());
  };
  if (path == "-") {
    outs() << bytes;
    std::error_code error = finish(outs());
    return error ? cannot(kExitUsage, error) : kExitSuccess;
  }
  sys::fs::file_status status;
  if (!sys::fs::status(path, status) && status.type() != sys::fs::file_type::regular_file) {
    if (status.type() == sys::fs::file_type::directory_file)
      return cannot(kExitConfiguration, std::make_error_code(std::errc::is_a_directory));
    std::error_code error;
    raw_fd_ostream stream(path, error);
    if (error)
      return cannot(kExitConfiguration, error);
    stream << bytes;
    error = finish(stream);
    return error ? cannot(kExitUsage, error) : kExitSuccess;
  }
  if (sys::fs::exists(status) && !sys::fs::can_write(path))
    return cannot(kExitConfiguration, std::make_error_code(std::errc::permission_denied));
  Expected<sys::fs::TempFile> temporary = sys::fs::TempFile::create(path + ".tmp-%%%%%%%%");
  if (!temporary)
    return cannot(kExitConfiguration, errorToErrorCode(temporary.takeError()));
  raw_fd_ostream stream(temporary->FD, /*shouldClose=*/false);
  // Every write may fail, and an unseen error would end the process in the stream's destructor.
  stream << bytes;
  if (std::error_code error = finish(stream)) {
    consumeError(temporary->discard());
    return cannot(kExitUsage, error);
  }
  if (Error error = temporary->keep(path))
    return cannot(kExitConfiguration, errorToErrorCode(std::move(error)));
  return kExitSuccess;
}

StringRef outputOf(const TileCompilerProgram *program, TileCompilerOutput which) {
  const void *data = nullptr;
  size_t size = 0;
  tileCompilerGetOutput(program, which, &data, &size);
  return StringRef(static_cast<const char *>(data), size);
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  std::signal(SIGXFSZ, SIG_IGN); // a file-size limit is a write error, not a crash
  ParsedCommandLine line =
      parseTileirasCommandLine(argv[0], std::vector<std::string>(argv + 1, argv + argc));
  outs() << line.out;
  errs() << line.err;
  if (line.done)
    return line.exitCode;
  const TileirasOptions &options = line.options;
  if (options.listVersions) {
    for (unsigned minor = tilesmith::bytecode::kOldestMinor;
         minor <= tilesmith::bytecode::kNewestMinor; ++minor)
      outs() << unsigned(tilesmith::bytecode::kMajor) << "." << minor << "\n";
    return kExitSuccess;
  }
  if (options.applyControls)
    return fail(kExitConfiguration, "--apply-controls is not supported on this platform");

  ErrorOr<std::unique_ptr<MemoryBuffer>> input =
      MemoryBuffer::getFile(*options.input, /*IsText=*/false, false);
  if (!input)
    return fail(kExitUsage, "unable to read input file '" + *options.input +
                                "': " + input.getError().message());
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
    if (int code =
            writeOutput(options.remarksOutputFile, outputOf(program, TILE_COMPILER_OUTPUT_REMARKS)))
      return code;
  } else {
    outs() << outputOf(program, TILE_COMPILER_OUTPUT_REMARKS);
  }
  if (!options.launchMetadata.empty())
    if (int code = writeOutput(options.launchMetadata,
                               outputOf(program, TILE_COMPILER_OUTPUT_LAUNCH_METADATA)))
      return code;
  return writeOutput(options.output, outputOf(program, TILE_COMPILER_OUTPUT_CODE));
}
