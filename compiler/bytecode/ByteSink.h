//===- ByteSink.h - a growing buffer of encoded bytes -----------------------------------------===//
//
// The writer's counterpart of Cursor: one primitive per encoding rule. Alignment counts from the
// start of the buffer.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_BYTESINK_H
#define COMPILER_BYTECODE_BYTESINK_H

#include "compiler/bytecode/Format.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <type_traits>

namespace tilesmith::bytecode {

class ByteSink {
public:
  size_t size() const { return bytes.size(); }
  const std::string &str() const { return bytes; }

  void byte(uint8_t value) { bytes.push_back(static_cast<char>(value)); }

  void varInt(uint64_t value) {
    while (value >= 0x80) {
      byte(static_cast<uint8_t>(value) | 0x80);
      value >>= 7;
    }
    byte(static_cast<uint8_t>(value));
  }
  template <typename E>
    requires std::is_enum_v<E>
  void varInt(E value) {
    varInt(static_cast<uint64_t>(value));
  }

  void signedVarInt(uint64_t value) { varInt((value << 1) ^ (0 - (value >> 63))); }

  template <typename T> void little(T value) {
    auto bits = static_cast<std::make_unsigned_t<T>>(value);
    for (unsigned i = 0; i < sizeof(T); ++i)
      byte(static_cast<uint8_t>(bits >> (8 * i)));
  }

  /// A varint count and that many little-endian integers.
  template <typename T> void list(llvm::ArrayRef<T> values) {
    varInt(values.size());
    for (T value : values)
      little<T>(value);
  }

  void raw(llvm::StringRef data) { bytes.append(data.data(), data.size()); }

  void align(uint64_t alignment) {
    while (bytes.size() % alignment)
      byte(kPadding);
  }

private:
  std::string bytes;
};

/// Writes `n varint, padding, start[n], data` for items that were encoded one by one.
template <typename Start> void writeTable(ByteSink &sink, llvm::ArrayRef<std::string> items) {
  sink.varInt(items.size());
  sink.align(sizeof(Start));
  Start start = 0;
  for (const std::string &item : items) {
    sink.little<Start>(start);
    start += static_cast<Start>(item.size());
  }
  for (const std::string &item : items)
    sink.raw(item);
}

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_BYTESINK_H
