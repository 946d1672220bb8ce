//===- SassTestSupport.h - cubins for tests: assembled, stored, launched ----------------------===//
#ifndef ORACLES_DEVICES_SASS_SASSTESTSUPPORT_H
#define ORACLES_DEVICES_SASS_SASSTESTSUPPORT_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstring>
#include <optional>

namespace tilesmith::sass {

inline std::optional<std::string> findPtxas() {
  if (const char *folder = getenv("CUDA_HOME"))
    if (std::string path = std::string(folder) + "/bin/ptxas"; llvm::sys::fs::can_execute(path))
      return path;
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  if (llvm::sys::fs::can_execute("/usr/local/cuda/bin/ptxas"))
    return "/usr/local/cuda/bin/ptxas";
  return std::nullopt;
}

inline std::vector<uint8_t> readBytes(const llvm::Twine &path) {
  auto file = llvm::MemoryBuffer::getFile(path, false, false);
  EXPECT_TRUE(bool(file)) << path.str();
  if (!file)
    return {};
  return {(*file)->getBuffer().bytes_begin(), (*file)->getBuffer().bytes_end()};
}

inline std::vector<uint8_t> assemble(const std::string &ptxas, llvm::StringRef text,
                                     llvm::StringRef gpu, llvm::StringRef level) {
  llvm::SmallString<128> folder;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("sass-test", folder));
  const std::string in = (folder + "/in.ptx").str(), out = (folder + "/out.cubin").str();
  {
    std::error_code error;
    llvm::raw_fd_ostream file(in, error);
    file << text;
  }
  const int code = llvm::sys::ExecuteAndWait(ptxas, {ptxas, "-arch", gpu, level, in, "-o", out});
  EXPECT_EQ(code, 0);
  std::vector<uint8_t> bytes = code == 0 ? readBytes(out) : std::vector<uint8_t>();
  llvm::sys::fs::remove_directories(folder);
  return bytes;
}

inline std::string corpusFile(llvm::StringRef name) {
  const char *root = getenv("TILESMITH_SOURCE_DIR");
  return ((root ? root : ".") + llvm::Twine("/corpus/sass/") + name).str();
}

inline void storeCubin(llvm::StringRef name, llvm::ArrayRef<uint8_t> bytes) {
  std::error_code error;
  llvm::raw_fd_ostream out(corpusFile(name), error);
  EXPECT_FALSE(error) << error.message();
  out << llvm::toStringRef(bytes);
}

/// The bytes of an argument of a launch.
template <typename T> std::vector<uint8_t> argument(T value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_SASSTESTSUPPORT_H
