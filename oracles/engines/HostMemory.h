//===- HostMemory.h - the arrays of a case in host memory -------------------------------------===//
//
// What engines share that run compiled code on a device in this process. One allocation per buffer,
// aligned to 256 bytes and surrounded by guard zones that no declared range covers, so that a stray
// access is a fault of the kernel and not a silent write.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_HOSTMEMORY_H
#define ORACLES_ENGINES_HOSTMEMORY_H

#include "oracles/engines/Engine.h"
#include "reference/testcase/Launch.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>

namespace tilesmith::oracles {

/// Host memory of one array of the kernel, with guard zones before and behind.
class HostBuffer {
public:
  static constexpr size_t kGuard = 256;

  explicit HostBuffer(llvm::ArrayRef<uint8_t> contents)
      : count(contents.size()),
        storage(
            static_cast<uint8_t *>(std::aligned_alloc(256, (count + 2 * kGuard + 255) / 256 * 256)),
            std::free) {
    if (!storage)
      llvm::report_bad_alloc_error("no memory for a buffer of the kernel");
    std::memset(storage.get(), kPattern, kGuard);
    std::memcpy(data(), contents.data(), count);
    std::memset(data() + count, kPattern, kGuard);
  }

  uint8_t *data() { return storage.get() + kGuard; }
  size_t size() const { return count; }
  uint64_t address() { return reinterpret_cast<uint64_t>(data()); }
  bool guardsIntact() {
    auto intact = [](const uint8_t *p) {
      return std::all_of(p, p + kGuard, [](uint8_t b) { return b == kPattern; });
    };
    return intact(storage.get()) && intact(data() + count);
  }

private:
  static constexpr uint8_t kPattern = 0xA5;
  size_t count;
  std::unique_ptr<uint8_t, void (*)(void *)> storage;
};

/// The buffers of a case during one run, and the tables of pointers that its launches need.
class HostMemory {
public:
  explicit HostMemory(const testcase::TestCase &testCase);

  /// The launch as plain arguments. Places its tables.
  llvm::Expected<testcase::LaunchImage> flatten(const testcase::Launch &launch);
  /// Declares all buffers and tables to a device (`addRange(address, bytes, name)`), in place of
  /// what an earlier launch declared.
  template <typename Program> void declareTo(Program &program) {
    program.clearRanges();
    for (size_t i = 0; i < buffers.size(); ++i)
      program.addRange(buffers[i].data(), buffers[i].size(), "buffer " + std::to_string(i));
    for (size_t i = 0; i < tables.size(); ++i)
      program.addRange(tables[i].data(), tables[i].size(), "table " + std::to_string(i));
  }
  /// Puts the contents of all buffers into `result`, or what was written outside of one.
  void readBack(EngineResult &result);

private:
  const testcase::TestCase &testCase;
  std::deque<HostBuffer> buffers, tables;
  std::vector<uint64_t> addresses;
};

/// The arguments as a device takes them: the bytes of each.
std::vector<std::vector<uint8_t>> argumentBytes(const testcase::LaunchImage &image);

/// Everything that the compiled code of a case depends on: all options but those of a run, the
/// active planted bugs, the bytes of the modules.
std::string compiledCodeKey(const EngineRequest &request);
/// Of one of its modules, on its way through the compiler (ModuleLoader::keepLowered).
std::string loweredKey(const EngineRequest &request, const testcase::ModuleFile &file);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_HOSTMEMORY_H
