//===- HostBuffer.h - an array of a kernel in host memory -------------------------------------===//
//
// One allocation per buffer, aligned to 256 bytes and surrounded by guard zones that no declared
// range covers, so that a stray access is a fault of the kernel and not a silent write.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_HOSTBUFFER_H
#define ORACLES_ENGINES_HOSTBUFFER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
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

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_HOSTBUFFER_H
