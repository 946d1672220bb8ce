//===- Array.h - the storage of tiles ---------------------------------------------------------===//
//
// An array of plain elements whose length is fixed when it is made. One element needs no memory of
// its own; a freed large block is kept for the next array of its size (per thread), because a fresh
// block costs one page fault per 512 words, which is more than most ops cost.
//
// A lent array reads what another array owns and must not outlive it (Tile.h holds the owner).
//
// Invariant: writable() is only called on arrays that are not lent.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_VALUE_ARRAY_H
#define REFERENCE_VALUE_ARRAY_H

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace tilesmith::reference {

/// Memory for `bytes` bytes, contents unspecified.
void *takeBlock(size_t bytes);
void giveBlock(void *block, size_t bytes);

template <typename T> class Array {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  Array() = default;
  /// Contents unspecified.
  explicit Array(size_t count) : count(count) {
    if (count > 1)
      first = static_cast<T *>(takeBlock(count * sizeof(T)));
  }
  Array(size_t count, T value) : Array(count) { std::fill_n(writable(), count, value); }
  Array(const Array &other) : Array(other.count) { std::copy_n(other.first, count, first); }
  Array(Array &&other) noexcept { swap(other); }
  Array &operator=(Array other) noexcept {
    swap(other);
    return *this;
  }
  ~Array() {
    if (count > 1 && !lent)
      giveBlock(first, count * sizeof(T));
  }

  /// The same elements without owning them.
  Array lend() const {
    Array result;
    if (count > 1)
      result.first = first;
    result.count = count;
    result.single = single;
    result.lent = true;
    return result;
  }

  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const T *data() const { return first; }
  const T &operator[](size_t i) const {
    assert(i < count);
    return first[i];
  }
  T *writable() {
    assert(!lent && "a lent array is read only");
    return first;
  }
  T &at(size_t i) {
    assert(i < count);
    return writable()[i];
  }

private:
  void swap(Array &other) noexcept {
    std::swap(first, other.first);
    std::swap(count, other.count);
    std::swap(single, other.single);
    std::swap(lent, other.lent);
    for (Array *a : {this, &other})
      if (a->count <= 1)
        a->first = &a->single;
  }

  size_t count = 0;
  T single = {};
  T *first = &single; ///< a block of its own for more than one element
  bool lent = false;
};

} // namespace tilesmith::reference

#endif // REFERENCE_VALUE_ARRAY_H
