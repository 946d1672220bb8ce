//===- Cursor.h - bounded reading of bytes ----------------------------------------------------===//
//
// All bytes of a file are read through a Cursor. It never reads outside its window, keeps the
// position in the whole file for messages, and records the first error in an ErrorTrail shared by
// all cursors of one read.
//
// Invariants: origin <= position <= end <= file size. After a failed read the result is unspecified
// but initialised. Counts are checked against the bytes that are left before anyone allocates
// (readCount).
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_CURSOR_H
#define COMPILER_BYTECODE_CURSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <string>

namespace tilesmith::bytecode {

/// The first error of a read, with its place, and the chain of what was being read.
class ErrorTrail {
public:
  bool hasError() const { return !message.empty(); }

  /// Records an error unless there is one already; always returns failure.
  llvm::LogicalResult fail(llvm::StringRef section, uint64_t offset, const llvm::Twine &text);
  /// Records an error that already names its place; always returns failure.
  llvm::LogicalResult failVerbatim(const llvm::Twine &text);
  /// Adds one "while …" step to a recorded error; always returns failure.
  llvm::LogicalResult note(const llvm::Twine &text);

  /// "<section> section, offset N: <text>; <note>; <note>"
  const std::string &text() const { return message; }

private:
  std::string message;
  unsigned notes = 0;
};

class Cursor {
public:
  Cursor() = default;
  /// A window [begin, end) of `file`.
  Cursor(llvm::ArrayRef<uint8_t> file, uint64_t begin, uint64_t end, llvm::StringRef section,
         ErrorTrail &errors)
      : file(file.data()), origin(begin), position(begin), end(end), section(section),
        errors(&errors) {}

  uint64_t offset() const { return position; }
  uint64_t remaining() const { return end - position; }
  bool atEnd() const { return position == end; }

  /// Fails at the current position.
  llvm::LogicalResult fail(const llvm::Twine &text) const {
    return errors->fail(section, position, text);
  }
  ErrorTrail &trail() const { return *errors; }

  llvm::LogicalResult readByte(uint8_t &value, llvm::StringRef what) {
    if (position == end)
      return truncated(what);
    value = file[position++];
    return llvm::success();
  }

  /// Unsigned LEB128, at most 64 bits. Overlong forms are accepted.
  llvm::LogicalResult readVarInt(uint64_t &value, llvm::StringRef what) {
    if (position < end && file[position] < 0x80) {
      value = file[position++];
      return llvm::success();
    }
    return readLongVarInt(value, /*dropBitsAbove64=*/false, what);
  }

  /// Zigzag over LEB128. The tenth byte may hold one bit too many, which is dropped: a real
  /// frontend writes negative 64-bit float patterns that way and the real reader drops it too.
  llvm::LogicalResult readSignedVarInt(uint64_t &value, llvm::StringRef what);

  /// A varint that must be below `bound` (an index into a table of that size).
  llvm::LogicalResult readIndex(uint64_t &value, uint64_t bound, llvm::StringRef what);

  /// A varint that must fit 32 bits (opcodes, enum values).
  llvm::LogicalResult readVarInt32(uint32_t &value, llvm::StringRef what);

  /// The number of items that follow, each of which takes at least `minItemBytes`.
  llvm::LogicalResult readCount(uint64_t &count, uint64_t minItemBytes, llvm::StringRef what);

  /// A byte that must be 0 or 1.
  llvm::LogicalResult readBool(bool &value, llvm::StringRef what);

  /// A fixed-width little-endian integer.
  template <typename T> llvm::LogicalResult readLE(T &value, llvm::StringRef what) {
    if (remaining() < sizeof(T))
      return truncated(what);
    value = loadLE<T>(position);
    position += sizeof(T);
    return llvm::success();
  }

  /// A varint count followed by that many little-endian integers.
  template <typename T>
  llvm::LogicalResult readList(llvm::SmallVectorImpl<T> &values, llvm::StringRef what) {
    uint64_t count;
    if (failed(readCount(count, sizeof(T), what)))
      return llvm::failure();
    return readArray(values, count, what);
  }

  /// `count` little-endian integers.
  template <typename T>
  llvm::LogicalResult readArray(llvm::SmallVectorImpl<T> &values, uint64_t count,
                                llvm::StringRef what) {
    if (count > remaining() / sizeof(T))
      return fail("number of " + what + " (" + llvm::Twine(count) + ") exceeds the maximum of " +
                  llvm::Twine(remaining() / sizeof(T)) +
                  " that can fit in the remaining payload of " + llvm::Twine(remaining()) +
                  " bytes");
    values.resize(count);
    for (uint64_t i = 0; i < count; ++i)
      values[i] = loadLE<T>(position + i * sizeof(T));
    position += count * sizeof(T);
    return llvm::success();
  }

  /// Reads `n varint, padding, start[n]` and checks that the starts ascend inside the data that
  /// follows.
  template <typename T>
  llvm::LogicalResult readStarts(llvm::SmallVectorImpl<T> &starts, llvm::StringRef what) {
    uint64_t count;
    if (failed(readCount(count, sizeof(T), what)))
      return llvm::failure();
    if (count == 0)
      return llvm::success();
    if (failed(align(sizeof(T), what)) || failed(readArray(starts, count, what)))
      return llvm::failure();
    T last = 0;
    for (uint64_t i = 0; i < count; last = starts[i++])
      if (starts[i] < last || starts[i] > remaining())
        return fail("start of " + what + " entry " + llvm::Twine(i) + " (" +
                    llvm::Twine(starts[i]) + ") is not between " + llvm::Twine(last) +
                    " and the data size " + llvm::Twine(remaining()));
    return llvm::success();
  }

  /// The next `size` bytes as a view into the file.
  llvm::LogicalResult readBytes(llvm::ArrayRef<uint8_t> &bytes, uint64_t size,
                                llvm::StringRef what);

  /// Skips to a multiple of `alignment`, counted from the start of this window. Padding bytes are
  /// not looked at.
  llvm::LogicalResult align(uint64_t alignment, llvm::StringRef what);

  /// A window of `size` bytes from here on; this cursor moves behind it.
  llvm::LogicalResult readWindow(Cursor &window, uint64_t size, llvm::StringRef what);

  /// The window [begin, begin+size) relative to this cursor's position. The caller has checked the
  /// bounds.
  Cursor window(uint64_t begin, uint64_t size) const;

private:
  template <typename T> T loadLE(uint64_t at) const {
    std::make_unsigned_t<T> value = 0;
    for (unsigned i = 0; i < sizeof(T); ++i)
      value |= static_cast<std::make_unsigned_t<T>>(
          static_cast<std::make_unsigned_t<T>>(file[at + i]) << (8 * i));
    return static_cast<T>(value);
  }
  llvm::LogicalResult truncated(llvm::StringRef what) const;
  llvm::LogicalResult readLongVarInt(uint64_t &value, bool dropBitsAbove64, llvm::StringRef what);

  const uint8_t *file = nullptr;
  uint64_t origin = 0;
  uint64_t position = 0;
  uint64_t end = 0;
  llvm::StringRef section;
  ErrorTrail *errors = nullptr;
};

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_CURSOR_H
