// Memory of the emulated GPU: shared-memory windows and the address ranges kernels may touch.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
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
  /// The range that holds the byte, or null.
  const Range *find(uint64_t address) const;

private:
  bool containsSlow(uint64_t address, uint64_t size);

  std::vector<Range> ranges; // sorted by base
  uint64_t lastBase = 0, lastSize = 0;
};

/// Bytes of the declared ranges that nobody has written yet. Spans are disjoint.
class UnwrittenTable {
public:
  struct Span {
    uint64_t base = 0, size = 0;
  };

  void add(uint64_t base, uint64_t size);
  void clear() { areas.clear(); }
  bool empty() const { return areas.empty(); }

  /// The first byte of an access that nobody has written.
  std::optional<uint64_t> find(uint64_t address, uint64_t size) const;
  void write(uint64_t address, uint64_t size);
  /// What is left of the spans; of very many pieces the first.
  std::vector<Span> rest() const;

private:
  static constexpr size_t kMaxPieces = 1 << 16;
  static constexpr uint64_t kPageBytes = 1 << 16;
  using Page = std::bitset<kPageBytes>; // a bit per byte that was written
  struct Area {
    uint64_t base, size;
    std::vector<std::unique_ptr<Page>> pages; // null until something is written
  };
  /// The parts of an access that lie in a page: f(area, number of the page, first and last index in
  /// it) returns whether to go on.
  template <typename Areas, typename F>
  static void forEachPage(Areas &areas, uint64_t address, uint64_t size, F &&f);

  std::vector<Area> areas; // sorted by base
};

} // namespace tilesmith::emulator
