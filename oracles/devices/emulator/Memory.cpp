// Implements Memory.h.
#include "oracles/devices/emulator/Memory.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <sys/mman.h>
#include <sys/resource.h>

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {

namespace {

struct WindowPool {
  std::mutex mutex;
  std::vector<uint64_t> free;
  uint64_t next = 0x2000'0000;

  /// 0 when there is none.
  uint64_t take() {
    std::lock_guard lock(mutex);
    if (!free.empty()) {
      const uint64_t window = free.back();
      free.pop_back();
      return window;
    }
    constexpr uint64_t kLimit = 0x7fff'0000;
    for (; next + SharedWindow::kBytes < kLimit; next += SharedWindow::kBytes) {
      void *want = reinterpret_cast<void *>(next);
      void *got = mmap(want, SharedWindow::kBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (got == want) {
        next += SharedWindow::kBytes;
        return reinterpret_cast<uint64_t>(got);
      }
      if (got != MAP_FAILED)
        munmap(got, SharedWindow::kBytes);
      else if (errno == ENOMEM)
        break; // no other address would do
    }
    return 0;
  }
};

WindowPool &pool() {
  static WindowPool *instance = new WindowPool;
  return *instance;
}

} // namespace

SharedWindow::SharedWindow() : address(pool().take()) {}

SharedWindow::~SharedWindow() {
  if (!address)
    return;
  std::lock_guard lock(pool().mutex);
  pool().free.push_back(address);
}

std::string outOfMemoryMessage(std::string_view doing) {
  rlimit limit{};
  std::string text = "out of memory";
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    text = "memory limit of " + std::to_string(limit.rlim_cur >> 20) + " MiB reached";
  return text.append(" while ").append(doing);
}

void RangeTable::add(uint64_t base, uint64_t size, std::string name) {
  auto at = std::upper_bound(ranges.begin(), ranges.end(), base,
                             [](uint64_t value, const Range &range) { return value < range.base; });
  ranges.insert(at, {base, size, std::move(name)});
}

void RangeTable::clear() {
  ranges.clear();
  lastBase = lastSize = 0;
}

bool RangeTable::containsSlow(uint64_t address, uint64_t size) {
  auto at = std::upper_bound(ranges.begin(), ranges.end(), address,
                             [](uint64_t value, const Range &range) { return value < range.base; });
  while (at != ranges.begin()) {
    --at;
    if (address - at->base < at->size && at->size - (address - at->base) >= size) {
      lastBase = at->base, lastSize = at->size;
      return true;
    }
    if (address - at->base > (uint64_t{1} << 40))
      break;
  }
  return false;
}

const RangeTable::Range *RangeTable::find(uint64_t address) const {
  for (const Range &range : ranges)
    if (address - range.base < range.size)
      return &range;
  return nullptr;
}

std::string RangeTable::describeNearest(uint64_t address, uint64_t size) const {
  const Range *nearest = nullptr;
  uint64_t best = ~uint64_t{0};
  for (const Range &range : ranges) {
    const uint64_t end = range.base + range.size;
    const uint64_t distance = address < range.base ? range.base - address
                              : address >= end     ? address - end
                                                   : 0;
    if (distance < best)
      best = distance, nearest = &range;
  }
  if (!nearest || best > uint64_t{1} << 36) // that far says nothing
    return "";
  const uint64_t end = nearest->base + nearest->size;
  std::string place;
  if (address < nearest->base)
    place = llvm::formatv("{0} bytes before", nearest->base - address);
  else if (address >= end)
    place = llvm::formatv("{0} bytes after the end of", address - end);
  else
    place = llvm::formatv("{0} bytes across the end of", address + size - end);
  return llvm::formatv("{0} '{1}' ({2} bytes at {3:x})", place, nearest->name, nearest->size,
                       nearest->base);
}

// ---- memory that nobody has written ----

void UnwrittenTable::add(uint64_t base, uint64_t size) {
  if (!size)
    return;
  auto at = std::upper_bound(areas.begin(), areas.end(), base,
                             [](uint64_t value, const Area &area) { return value < area.base; });
  at = areas.insert(at, Area{base, size, {}});
  at->pages.resize((size + kPageBytes - 1) / kPageBytes);
}

template <typename Areas, typename F>
void UnwrittenTable::forEachPage(Areas &areas, uint64_t address, uint64_t size, F &&f) {
  auto at = std::upper_bound(areas.begin(), areas.end(), address,
                             [](uint64_t value, const Area &area) { return value < area.base; });
  if (at != areas.begin() && address - std::prev(at)->base < std::prev(at)->size)
    --at;
  for (; at != areas.end() && at->base < address + size; ++at) {
    uint64_t first = std::max(address, at->base) - at->base;
    const uint64_t last = std::min(address + size - at->base, at->size);
    while (first < last) {
      const uint64_t page = first / kPageBytes, begin = page * kPageBytes,
                     end = std::min(last, begin + kPageBytes);
      if (!f(*at, page, first - begin, end - begin))
        return;
      first = end;
    }
  }
}

std::optional<uint64_t> UnwrittenTable::find(uint64_t address, uint64_t size) const {
  std::optional<uint64_t> found;
  forEachPage(areas, address, size,
              [&](const Area &area, uint64_t number, uint64_t first, uint64_t last) {
                const Page *page = area.pages[number].get();
                while (page && first < last && page->test(first))
                  ++first;
                if (first < last)
                  found = area.base + number * kPageBytes + first;
                return !found;
              });
  return found;
}

void UnwrittenTable::write(uint64_t address, uint64_t size) {
  forEachPage(areas, address, size, [](Area &area, uint64_t number, uint64_t first, uint64_t last) {
    std::unique_ptr<Page> &page = area.pages[number];
    if (!page)
      page = std::make_unique<Page>();
    for (; first < last; ++first)
      page->set(first);
    return true;
  });
}

std::vector<UnwrittenTable::Span> UnwrittenTable::rest() const {
  std::vector<Span> spans;
  for (const Area &area : areas) {
    uint64_t first = 0; // of what nobody has written so far
    auto close = [&](uint64_t end) {
      if (first < end && spans.size() < kMaxPieces)
        spans.push_back({area.base + first, end - first});
    };
    for (size_t number = 0; number < area.pages.size(); ++number) {
      const Page *page = area.pages[number].get();
      if (!page)
        continue;
      const uint64_t begin = number * kPageBytes, end = std::min(begin + kPageBytes, area.size);
      for (uint64_t i = begin; i < end; ++i)
        if (page->test(i - begin)) {
          close(i);
          first = i + 1;
        }
    }
    close(area.size);
  }
  return spans;
}

} // namespace tilesmith::emulator
