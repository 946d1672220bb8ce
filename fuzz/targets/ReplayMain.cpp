//===- ReplayMain.cpp - runs a fuzz target over stored inputs ---------------------------------===//
//
// Linked with a fuzz target in place of libFuzzer: runs it once over every file in and below the
// given folders (or the given files), prints how many there were, and fails when there were none. A
// finding ends the process, as under libFuzzer.
//
//===------------------------------------------------------------------------------------------===//
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    if (!llvm::sys::fs::is_directory(argv[i])) {
      files.push_back(argv[i]);
      continue;
    }
    std::error_code code;
    for (llvm::sys::fs::recursive_directory_iterator it(argv[i], code), end; it != end && !code;
         it.increment(code))
      if (llvm::sys::fs::is_regular_file(it->path()))
        files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  for (const std::string &file : files) {
    auto buffer =
        llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer) {
      llvm::errs() << "error: " << file << ": " << buffer.getError().message() << '\n';
      return 2;
    }
    llvm::errs() << file << '\n'; // the last line before a crash names the input
    LLVMFuzzerTestOneInput((*buffer)->getBuffer().bytes_begin(), (*buffer)->getBufferSize());
  }
  llvm::outs() << files.size() << " inputs replayed\n";
  return files.empty() ? 1 : 0;
}
