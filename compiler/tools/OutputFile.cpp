//===- OutputFile.cpp - files written whole or not at all -------------------------------------===//
#include "compiler/tools/OutputFile.h"

#include "compiler/tools/TileirasCompiler.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace tilesmith::tools {
namespace {

std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

/// Flushes `stream` and reports its first error.
std::error_code finish(raw_fd_ostream &stream) {
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

// Every write may fail, and an unseen error would end the process in the stream's destructor.
std::error_code writeAll(int file, StringRef bytes) {
  raw_fd_ostream stream(file, /*shouldClose=*/false);
  stream << bytes;
  return finish(stream);
}

class Writer {
public:
  Writer(StringRef path, StringRef bytes) : path(path), bytes(bytes) {}

  int cannot(int code, std::error_code error) const {
    errs() << "error: cannot write output file '" << path << "': " << error.message() << "\n";
    return code;
  }

  int writeStandardOutput() const {
    outs() << bytes;
    std::error_code error = finish(outs());
    return error ? cannot(kExitUsage, error) : kExitSuccess;
  }

  int writeInPlace() const {
    std::error_code error;
    raw_fd_ostream stream(path, error);
    if (error)
      return cannot(kExitConfiguration, error);
    stream << bytes;
    error = finish(stream);
    return error ? cannot(kExitUsage, error) : kExitSuccess;
  }

  /// False when files without a name are not to be had here: then nothing has happened.
  bool writeUnnamed(int &code) const {
    SmallString<128> folder(sys::path::parent_path(path));
    if (folder.empty())
      folder = ".";
    const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0)
      return false;
    scope_exit close([&] { ::close(file); });
    const std::string self = "/proc/self/fd/" + std::to_string(file);
    if (::access(self.c_str(), F_OK))
      return false;
    if (std::error_code error = writeAll(file, bytes)) {
      code = cannot(kExitUsage, error);
      return true;
    }
    auto link = [&](const char *name) {
      return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    };
    code = kExitSuccess;
    if (link(path.str().c_str()))
      return true;
    if (errno != EEXIST)
      return false;
    // The old file gives way by a rename, which needs a name: it exists for one system call.
    for (unsigned attempt = 0; attempt < 100; ++attempt) {
      const std::string name = (path + ".tmp-" + Twine(::getpid()) + "-" + Twine(attempt)).str();
      if (link(name.c_str())) {
        if (::rename(name.c_str(), path.str().c_str()) == 0)
          return true;
        code = cannot(kExitConfiguration, lastError());
        ::unlink(name.c_str());
        return true;
      }
      if (errno != EEXIST)
        break;
    }
    return false;
  }

  int writeNamed() const {
    Expected<sys::fs::TempFile> temporary = sys::fs::TempFile::create(path + ".tmp-%%%%%%%%");
    if (!temporary)
      return cannot(kExitConfiguration, errorToErrorCode(temporary.takeError()));
    if (std::error_code error = writeAll(temporary->FD, bytes)) {
      consumeError(temporary->discard());
      return cannot(kExitUsage, error);
    }
    if (Error error = temporary->keep(path))
      return cannot(kExitConfiguration, errorToErrorCode(std::move(error)));
    return kExitSuccess;
  }

private:
  StringRef path;
  StringRef bytes;
};

} // namespace

int writeOutputFile(StringRef path, StringRef bytes) {
  const Writer writer(path, bytes);
  if (path == "-")
    return writer.writeStandardOutput();
  sys::fs::file_status status;
  if (!sys::fs::status(path, status) && status.type() != sys::fs::file_type::regular_file) {
    if (status.type() == sys::fs::file_type::directory_file)
      return writer.cannot(kExitConfiguration, std::make_error_code(std::errc::is_a_directory));
    return writer.writeInPlace();
  }
  if (sys::fs::exists(status) && !sys::fs::can_write(path))
    return writer.cannot(kExitConfiguration, std::make_error_code(std::errc::permission_denied));
  int code = kExitSuccess;
  return writer.writeUnnamed(code) ? code : writer.writeNamed();
}

} // namespace tilesmith::tools
