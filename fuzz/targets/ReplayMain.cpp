//===- ReplayMain.cpp - runs a fuzz target over stored inputs ---------------------------------===//
//
// Linked with a fuzz target in place of libFuzzer: runs it once over every file in and below the
// given folders (or the given files), prints how many there were, and fails when there were none. A
// finding ends the process, as under libFuzzer. Custom mutators of the target are called with each
// input and the one before it; they must keep to the size they are given, and give the same bytes
// for the same seed. What they make is not run.
//
//===------------------------------------------------------------------------------------------===//
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                                                size_t maxSize, unsigned seed);
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                                                  size_t firstSize,
                                                                  const uint8_t *second,
                                                                  size_t secondSize, uint8_t *out,
                                                                  size_t maxSize, unsigned seed);

using Bytes = std::vector<uint8_t>;

/// What the mutators make of an input; stops when they write behind the given memory.
static std::vector<Bytes> mutants(const Bytes &input, const Bytes &other) {
  std::vector<Bytes> results;
  for (unsigned seed = 0; seed < 16; ++seed) {
    size_t maxSize = seed % 4 == 3 ? input.size() : input.size() + 100;
    Bytes data(input);
    data.resize(maxSize + 16, 0x5a);
    size_t size = 0;
    if (seed % 2 == 0 && LLVMFuzzerCustomMutator)
      size = LLVMFuzzerCustomMutator(data.data(), input.size(), maxSize, seed);
    else if (seed % 2 == 1 && LLVMFuzzerCustomCrossOver)
      size = LLVMFuzzerCustomCrossOver(input.data(), input.size(), other.data(), other.size(),
                                       data.data(), maxSize, seed);
    if (size > maxSize ||
        !std::all_of(data.end() - 16, data.end(), [](uint8_t byte) { return byte == 0x5a; })) {
      llvm::errs() << "error: the mutator went beyond " << maxSize << " bytes\n";
      std::exit(1);
    }
    data.resize(size);
    results.push_back(std::move(data));
  }
  return results;
}

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
  Bytes before;
  for (const std::string &file : files) {
    auto buffer =
        llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer) {
      llvm::errs() << "error: " << file << ": " << buffer.getError().message() << '\n';
      return 2;
    }
    llvm::errs() << file << '\n'; // the last line before a crash names the input
    Bytes input((*buffer)->getBuffer().bytes_begin(), (*buffer)->getBuffer().bytes_end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
    if (mutants(input, before) != mutants(input, before)) {
      llvm::errs() << "error: the mutator does not depend on its arguments alone\n";
      return 1;
    }
    before = std::move(input);
  }
  llvm::outs() << files.size() << " inputs replayed\n";
  return files.empty() ? 1 : 0;
}
