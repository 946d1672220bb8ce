//===- case_json.cpp - any text as case.json --------------------------------------------------===//
//
// The text stands in a case folder beside the files that the seeds name: `m` (a module), `b0.bin`
// to `b16.bin` (that many bytes). Three verdicts: a case that is refused or comes back equal after
// saving and loading returns, one that does not ends the process.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/testcase/TestCase.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith::testcase;

static void write(const std::string &path, llvm::StringRef contents) {
  std::error_code code;
  llvm::raw_fd_ostream(path, code) << contents;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::string folder;
  if (folder.empty()) {
    llvm::SmallString<64> unique;
    if (llvm::sys::fs::createUniqueDirectory("case_json", unique))
      abort();
    folder = unique.str().str();
    for (int bytes = 0; bytes <= 16; ++bytes)
      write(folder + "/b" + std::to_string(bytes) + ".bin", std::string(bytes, '\x7f'));
    write(folder + "/m", "module");
    std::atexit([] { llvm::sys::fs::remove_directories(folder); });
  }
  write(folder + "/case.json", llvm::StringRef(reinterpret_cast<const char *>(data), size));
  auto first = loadTestCase(folder);
  if (!first)
    return llvm::consumeError(first.takeError()), 0;
  if (printTestCase(*first).empty() || saveTestCase(*first, folder + "/again"))
    __builtin_trap();
  return llvm::cantFail(loadTestCase(folder + "/again")) == *first ? 0 : (__builtin_trap(), 1);
}
