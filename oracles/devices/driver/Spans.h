//===- Spans.h - sets of bytes, by address -----------------------------------------------------===//
//
// Which memory nobody has written yet. Spans are disjoint; of more pieces than kMaxPieces some are
// forgotten, so those count as written. No LLVM: the driver reads this too.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_DRIVER_SPANS_H
#define ORACLES_DEVICES_DRIVER_SPANS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tilesmith::driver {

class Spans {
public:
  void add(uint64_t base, uint64_t size) {
    remove(base, size);
    put(base, base + size);
  }
  void remove(uint64_t base, uint64_t size) {
    const uint64_t end = base + size;
    auto it = ends.upper_bound(base);
    if (it != ends.begin() && std::prev(it)->second > base)
      --it;
    while (it != ends.end() && it->first < end) {
      const auto [first, last] = *it;
      it = ends.erase(it);
      put(first, std::min(last, base));
      put(std::max(first, end), last);
    }
  }
  /// After a copy the target is as the source was.
  void copy(uint64_t to, uint64_t from, uint64_t size) {
    std::vector<std::pair<uint64_t, uint64_t>> pieces;
    auto it = ends.upper_bound(from);
    if (it != ends.begin() && std::prev(it)->second > from)
      --it;
    for (; it != ends.end() && it->first < from + size; ++it)
      pieces.emplace_back(std::max(it->first, from), std::min(it->second, from + size));
    remove(to, size);
    for (auto [first, last] : pieces)
      put(to + (first - from), to + (last - from));
  }
  void clear() { ends.clear(); }
  bool empty() const { return ends.empty(); }
  /// Begin and end of each span, in order.
  const std::map<uint64_t, uint64_t> &all() const { return ends; }

private:
  static constexpr size_t kMaxPieces = 1 << 16;
  void put(uint64_t first, uint64_t last) {
    if (first < last && ends.size() < kMaxPieces)
      ends[first] = last;
  }
  std::map<uint64_t, uint64_t> ends; ///< by begin
};

} // namespace tilesmith::driver

#endif // ORACLES_DEVICES_DRIVER_SPANS_H
