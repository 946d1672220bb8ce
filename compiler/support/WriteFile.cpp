//===- WriteFile.cpp - files written whole or not at all --------------------------------------===//
#include "compiler/support/WriteFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace tilesmith {

char WriteFileError::ID = 0;

void WriteFileError::log(raw_ostream &os) const {
  os << "cannot write '" << path << "': " << code.message();
}

namespace {

std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

/// Flushes `stream` and takes its first error, which would otherwise end the process when the
/// stream is destroyed.
std::error_code finish(raw_fd_ostream &stream) {
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  return code;
}

std::error_code writeAll(int file, StringRef contents) {
  raw_fd_ostream stream(file, /*shouldClose=*/false);
  stream << contents;
  return finish(stream);
}

class Writer {
public:
  Writer(StringRef path, StringRef contents) : path(path), target(path), contents(contents) {}

  Error write() {
    if (path == "-") {
      outs() << contents;
      return result(WriteFileError::Stage::Write, finish(outs()));
    }
    sys::fs::file_status status;
    // The links below /dev and /proc name open files of this process: what is behind them is not
    // ours to replace.
    const bool inPlace =
        StringRef(path).starts_with("/dev/") || StringRef(path).starts_with("/proc/");
    if (!sys::fs::status(path, status)) {
      if (status.type() == sys::fs::file_type::directory_file)
        return cannotOpen(std::make_error_code(std::errc::is_a_directory));
      if (inPlace || status.type() != sys::fs::file_type::regular_file)
        return writeInPlace();
      if (!sys::fs::can_write(path))
        return cannotOpen(std::make_error_code(std::errc::permission_denied));
      mode = status.permissions();
      if (sys::fs::is_symlink_file(path)) {
        SmallString<128> real;
        if (std::error_code code = sys::fs::real_path(path, real))
          return cannotOpen(code);
        target = real.str().str();
      }
    } else if (std::error_code code = followDangling()) {
      return cannotOpen(code);
    }
    std::optional<Error> unnamed = writeUnnamed();
    return inPlaceIfNeeded(unnamed ? std::move(*unnamed) : writeNamed());
  }

private:
  Error result(WriteFileError::Stage stage, std::error_code code) const {
    return code ? make_error<WriteFileError>(path, stage, code) : Error::success();
  }
  Error cannotOpen(std::error_code code) const { return result(WriteFileError::Stage::Open, code); }

  /// The file that a link is to make.
  std::error_code followDangling() {
    for (unsigned links = 0; links < 40 && sys::fs::is_symlink_file(target); ++links) {
      std::error_code code;
      const std::filesystem::path next = std::filesystem::read_symlink(target, code);
      if (code)
        return code;
      target = (std::filesystem::path(target).parent_path() / next).string();
    }
    return sys::fs::is_symlink_file(target)
               ? std::make_error_code(std::errc::too_many_symbolic_link_levels)
               : std::error_code();
  }

  /// In a folder that takes no new names, and where the old file is a mount of its own, that file is
  /// written.
  Error inPlaceIfNeeded(Error error) const {
    return handleErrors(std::move(error), [&](std::unique_ptr<WriteFileError> failure) -> Error {
      const std::error_code code = failure->convertToErrorCode();
      const bool isRefusal =
          code == std::errc::permission_denied || code == std::errc::operation_not_permitted ||
          code == std::errc::read_only_file_system || code == std::errc::device_or_resource_busy;
      return mode && isRefusal ? writeInPlace() : Error(std::move(failure));
    });
  }

  Error writeInPlace() const {
    std::error_code code;
    raw_fd_ostream stream(target, code);
    if (code)
      return cannotOpen(code);
    stream << contents;
    return result(WriteFileError::Stage::Write, finish(stream));
  }

  std::error_code writeTo(int file) const {
    if (std::error_code code = writeAll(file, contents))
      return code;
    if (mode && ::fchmod(file, static_cast<mode_t>(*mode)))
      return lastError();
    return {};
  }

  /// Nothing when files without a name are not to be had here: then nothing has happened.
  std::optional<Error> writeUnnamed() const {
    SmallString<128> folder(sys::path::parent_path(target));
    if (folder.empty())
      folder = ".";
    const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0)
      return std::nullopt;
    scope_exit close([&] { ::close(file); });
    const std::string self = "/proc/self/fd/" + std::to_string(file);
    if (::access(self.c_str(), F_OK))
      return std::nullopt;
    if (std::error_code code = writeTo(file))
      return result(WriteFileError::Stage::Write, code);
    auto link = [&](const char *name) {
      return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    };
    if (link(target.c_str()))
      return Error::success();
    if (errno != EEXIST)
      return std::nullopt;
    // The old file gives way by a rename, which needs a name: it exists for one system call.
    for (unsigned attempt = 0; attempt < 100; ++attempt) {
      const std::string name = (target + ".tmp-" + Twine(::getpid()) + "-" + Twine(attempt)).str();
      if (link(name.c_str())) {
        if (::rename(name.c_str(), target.c_str()) == 0)
          return Error::success();
        std::error_code code = lastError();
        ::unlink(name.c_str());
        return cannotOpen(code);
      }
      if (errno != EEXIST)
        break;
    }
    return std::nullopt;
  }

  Error writeNamed() const {
    Expected<sys::fs::TempFile> temporary =
        sys::fs::TempFile::create(target + ".tmp-%%%%%%%%", sys::fs::all_read | sys::fs::all_write);
    if (!temporary)
      return cannotOpen(errorToErrorCode(temporary.takeError()));
    if (std::error_code code = writeTo(temporary->FD)) {
      consumeError(temporary->discard());
      return result(WriteFileError::Stage::Write, code);
    }
    if (Error error = temporary->keep(target))
      return cannotOpen(errorToErrorCode(std::move(error)));
    return Error::success();
  }

  const std::string path; ///< as the caller names it
  std::string target;     ///< what is behind it
  StringRef contents;
  std::optional<sys::fs::perms> mode; ///< of the file that is replaced
};

} // namespace

Error writeFileAtomically(StringRef path, StringRef contents) {
  return Writer(path, contents).write();
}

Error checkOutputIsNotInput(StringRef output, StringRef input) {
  if (output == "-" || input == "-" || !sys::fs::is_regular_file(output))
    return Error::success();
  bool same = sys::fs::equivalent(output, input);
  if (sys::fs::is_directory(input)) {
    SmallString<128> inside(input);
    sys::path::append(inside, sys::path::filename(output));
    same = sys::fs::equivalent(output, inside);
  }
  return same ? createStringError("expected an output other than the input '" + input + "'")
              : Error::success();
}

Error checkOutputFile(StringRef output, ArrayRef<std::string> inputs) {
  if (output.empty() || output == "-")
    return Error::success();
  auto cannot = [&](std::errc code) {
    return make_error<WriteFileError>(output, WriteFileError::Stage::Open,
                                      std::make_error_code(code));
  };
  if (sys::fs::is_directory(output))
    return cannot(std::errc::is_a_directory);
  const StringRef folder = sys::path::parent_path(output);
  if (!folder.empty() && !sys::fs::is_directory(folder))
    return cannot(std::errc::no_such_file_or_directory);
  for (const std::string &input : inputs)
    if (Error error = checkOutputIsNotInput(output, input))
      return error;
  return Error::success();
}

} // namespace tilesmith
