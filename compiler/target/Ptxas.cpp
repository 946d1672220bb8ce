//===- Ptxas.cpp - assembling PTX with an installed ptxas -------------------------------------===//
#include "compiler/target/Ptxas.h"

#include "compiler/target/CudaToolkit.h"
#include "compiler/target/Targets.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilesmith::target {
namespace {

/// A temporary file that is removed when this goes, and on signals.
class TemporaryFile {
public:
  static Expected<TemporaryFile> create(StringRef suffix) {
    SmallString<128> path;
    if (std::error_code error = sys::fs::createTemporaryFile("tilesmith", suffix, path))
      return createStringError(formatv("Failed to create temporary file: {0}", error.message()));
    sys::RemoveFileOnSignal(path);
    return TemporaryFile(std::string(path));
  }
  TemporaryFile(TemporaryFile &&other) : path(std::exchange(other.path, {})) {}
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile() {
    if (path.empty())
      return;
    (void)sys::fs::remove(path);
    sys::DontRemoveFileOnSignal(path);
  }

  std::string read() const {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
        MemoryBuffer::getFile(path, /*IsText=*/false, false);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

  Error write(StringRef bytes) const {
    std::error_code error;
    raw_fd_ostream stream(path, error);
    stream << bytes;
    stream.close();
    if (!error && !stream.has_error())
      return Error::success();
    error = error ? error : stream.error();
    stream.clear_error();
    return createStringError(formatv("cannot write '{0}': {1}", path, error.message()));
  }

  std::string path;

private:
  explicit TemporaryFile(std::string path) : path(std::move(path)) {}
};

struct ProgramResult {
  int code;
  std::string output; ///< stdout and stderr together
};

Expected<ProgramResult> runProgram(StringRef program, ArrayRef<StringRef> arguments) {
  Expected<TemporaryFile> log = TemporaryFile::create("log");
  if (!log)
    return log.takeError();
  std::string message;
  bool failed = false;
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log->path),
                                          StringRef(log->path)};
  int code =
      sys::ExecuteAndWait(program, arguments, std::nullopt, redirects, 0, 0, &message, &failed);
  if (failed || code < 0)
    return createStringError(
        formatv("cannot run '{0}': {1}", program, message.empty() ? "it crashed" : message));
  return ProgramResult{code, log->read()};
}

} // namespace

Expected<std::string> assemblePTX(StringRef ptx, const PtxasOptions &options) {
  Expected<const GpuTarget *> gpu = getGpuTarget(options.gpuName);
  if (!gpu)
    return gpu.takeError();
  Expected<std::string> ptxas = findPtxas(options.cudaPath);
  if (!ptxas)
    return ptxas.takeError();
  Expected<TemporaryFile> input = TemporaryFile::create("ptx");
  if (!input)
    return input.takeError();
  Expected<TemporaryFile> output = TemporaryFile::create("cubin");
  if (!output)
    return output.takeError();
  if (Error error = input->write(ptx))
    return std::move(error);
  std::string level = utostr(options.optLevel);
  SmallVector<StringRef> arguments = {*ptxas, "-arch",      (*gpu)->arch,  input->path,
                                      "-o",   output->path, "--opt-level", level};
  if (options.lineInfo || options.deviceDebug)
    arguments.push_back("--generate-line-info");
  if (options.deviceDebug)
    arguments.push_back("--device-debug");
  if (options.sanitizeMemcheck)
    arguments.append({"-sanitize=memcheck", "-g-tmem-access-check"});
  if (ptx.contains("\n.shared ") || ptx.contains("\t.shared "))
    arguments.push_back("--enable-extended-smem=true"); // static arrays beyond 48 KiB
  std::optional<TemporaryFile> host;
  std::string hostArgument;
  if (!options.hostObject.empty()) {
    Expected<TemporaryFile> file = TemporaryFile::create("o");
    if (!file)
      return file.takeError();
    host.emplace(std::move(*file));
    if (Error error = host->write(options.hostObject))
      return std::move(error);
    hostArgument = "--nv-host=" + host->path;
    arguments.push_back(hostArgument);
  }
  Expected<ProgramResult> result = runProgram(*ptxas, arguments);
  if (!result)
    return result.takeError();
  if (result->code != 0)
    return createStringError(formatv("ptxas failed with exit code {0}: {1}", result->code,
                                     StringRef(result->output).trim()));
  std::string cubin = output->read();
  if (cubin.empty())
    return createStringError("ptxas wrote no cubin");
  return cubin;
}

Expected<std::pair<unsigned, unsigned>> ptxasVersion(StringRef path) {
  Expected<ProgramResult> result = runProgram(path, {path, "--version"});
  if (!result)
    return result.takeError();
  StringRef text = result->output;
  size_t at = text.find("release ");
  unsigned major, minor;
  if (at != StringRef::npos) {
    StringRef rest = text.substr(at + strlen("release "));
    if (!rest.consumeInteger(10, major) && rest.consume_front(".") &&
        !rest.consumeInteger(10, minor))
      return std::make_pair(major, minor);
  }
  return createStringError(formatv("cannot read a version from '{0} --version'", path));
}

} // namespace tilesmith::target
