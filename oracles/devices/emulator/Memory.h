// Memory of the emulated GPU: shared-memory windows and the address ranges kernels may touch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilesmith::emulator {

/// One block's shared memory: a 256 KiB window at a 256-KiB-aligned address below 2 GiB, so that
/// addresses survive casts to i32 and the descriptors and swizzles that are computed from address
/// bits. Windows are pooled per process. base() is 0 when the memory cannot be had.
class SharedWindow {
public:
  static constexpr uint64_t kBytes = 256 * 1024;
  /// What a block may use on every supported GPU (227 KiB).
  static constexpr uint64_t kMaxShared = 227 * 1024;

  SharedWindow();
  ~SharedWindow();
  SharedWindow(const SharedWindow &) = delete;
  SharedWindow &operator=(const SharedWindow &) = delete;
  SharedWindow(SharedWindow &&other) noexcept : address(other.address) { other.address = 0; }

  uint64_t base() const { return address; }
  char *data() const { return reinterpret_cast<char *>(address); }

private:
  uint64_t address;
};

/// `memory limit of 512 MiB reached while mapping stacks of the emulated GPU`; without a limit of
/// this process, `out of memory while ...`. `doing` follows `while`.
std::string outOfMemoryMessage(std::string_view doing);

/// Named, disjoint or overlapping address ranges; answers whether an access lies inside one.
class RangeTable {
public:
  struct Range {
    uint64_t base = 0, size = 0;
    std::string name;
  };

  void add(uint64_t base, uint64_t size, std::string name);
  void clear();
  bool empty() const { return ranges.empty(); }

  /// True when [address, address+size) lies in one range. The last hit is tried first.
  bool contains(uint64_t address, uint64_t size) {
    if (address - lastBase < lastSize && lastSize - (address - lastBase) >= size)
      return true;
    return containsSlow(address, size);
  }
  /// "12 bytes after the end of 'x' (4096 bytes at 0x...)", or an empty text without ranges.
  std::string describeNearest(uint64_t address, uint64_t size) const;

private:
  bool containsSlow(uint64_t address, uint64_t size);

  std::vector<Range> ranges; // sorted by base
  uint64_t lastBase = 0, lastSize = 0;
};

} // namespace tilesmith::emulator
