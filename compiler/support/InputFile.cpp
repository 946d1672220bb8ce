//===- InputFile.cpp - files that users name as input -----------------------------------------===//
#include "compiler/support/InputFile.h"

#include "llvm/ADT/Twine.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace llvm;

/// Of the devices, terminals and /dev/null have an end.
static bool isEndless(const struct stat &status, const std::string &path) {
  if (S_ISBLK(status.st_mode))
    return true;
  if (!S_ISCHR(status.st_mode) || status.st_rdev == ::makedev(1, 3))
    return false;
  const int file = ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return false; // whoever reads it says why not
  const bool terminal = ::isatty(file);
  ::close(file);
  return !terminal;
}

// [spec: driver-input-end]
Error tilesmith::checkInputFile(StringRef path) {
  struct stat status;
  const std::string name = path.str();
  if (path == "-" || ::stat(name.c_str(), &status))
    return Error::success();
  if (isEndless(status, name))
    return createStringError("expected a file, found a device");
  if (S_ISREG(status.st_mode) && static_cast<uint64_t>(status.st_size) > kMaxInputBytes)
    return createStringError("expected at most " + Twine(kMaxInputBytes) + " bytes, found " +
                             Twine(status.st_size));
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>> tilesmith::readInputFile(StringRef path,
                                                                 StringRef cannotRead) {
  auto cannot = [&](const Twine &why) {
    return createStringError(cannotRead + " '" + path + "': " + why);
  };
  if (Error error = checkInputFile(path))
    return cannot(toString(std::move(error)));
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return cannot(buffer.getError().message());
  return std::move(*buffer);
}
