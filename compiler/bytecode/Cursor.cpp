//===- Cursor.cpp - bounded reading of bytes --------------------------------------------------===//
#include "compiler/bytecode/Cursor.h"

#include "compiler/bytecode/Format.h"

#include <limits>

using namespace llvm;
using namespace tilesmith::bytecode;

// [spec: bytecode-error-place]
LogicalResult ErrorTrail::fail(StringRef section, uint64_t offset, const Twine &text) {
  if (message.empty())
    message = (section + (section == "header" ? "" : " section") + ", offset " + Twine(offset) +
               ": " + text)
                  .str();
  return failure();
}

LogicalResult ErrorTrail::failVerbatim(const Twine &text) {
  if (message.empty())
    message = text.str();
  return failure();
}

LogicalResult ErrorTrail::note(const Twine &text) {
  // Deeply nested input must not turn into a page of notes.
  if (hasError() && notes++ < 4)
    message += ("; " + text).str();
  return failure();
}

// [spec: file_truncated, file_header_cut]
LogicalResult Cursor::truncated(StringRef what) const {
  return fail("unexpected end of data, failed to read " + what);
}

// [spec: bytecode-varint, file_varint_long]
LogicalResult Cursor::readLongVarInt(uint64_t &value, bool dropBitsAbove64, StringRef what) {
  value = 0;
  for (unsigned i = 0; i < kMaxVarIntBytes; ++i) {
    if (position == end)
      return truncated(what);
    uint8_t byte = file[position];
    if (i == kMaxVarIntBytes - 1 && byte > (dropBitsAbove64 ? 3 : 1))
      return fail("varint of " + what + " does not fit 64 bits");
    ++position;
    value |= static_cast<uint64_t>(byte & 0x7F) << (7 * i);
    if (!(byte & 0x80))
      return success();
  }
  return fail("varint of " + what + " is longer than 10 bytes");
}

LogicalResult Cursor::readSignedVarInt(uint64_t &value, StringRef what) {
  if (failed(readLongVarInt(value, /*dropBitsAbove64=*/true, what)))
    return failure();
  value = (value >> 1) ^ (0 - (value & 1));
  return success();
}

// [spec: file_function_name, file_function_type, file_no_types]
LogicalResult Cursor::readIndex(uint64_t &value, uint64_t bound, StringRef what) {
  if (failed(readVarInt(value, what)))
    return failure();
  if (value >= bound)
    return fail(what + " index " + Twine(value) + " out of bounds (size=" + Twine(bound) + ")");
  return success();
}

LogicalResult Cursor::readVarInt32(uint32_t &value, StringRef what) {
  uint64_t wide;
  if (failed(readVarInt(wide, what)))
    return failure();
  if (wide > std::numeric_limits<uint32_t>::max())
    return fail(what + " " + Twine(wide) + " does not fit 32 bits");
  value = static_cast<uint32_t>(wide);
  return success();
}

// [spec: bytecode-counts, file_function_count, file_string_count, file_type_count]
LogicalResult Cursor::readCount(uint64_t &count, uint64_t minItemBytes, StringRef what) {
  if (failed(readVarInt(count, what)))
    return failure();
  if (count > remaining() / minItemBytes)
    return fail("number of " + what + " (" + Twine(count) + ") exceeds the maximum of " +
                Twine(remaining() / minItemBytes) + " that can fit in the remaining payload of " +
                Twine(remaining()) + " bytes");
  return success();
}

LogicalResult Cursor::readBool(bool &value, StringRef what) {
  uint8_t byte;
  if (failed(readByte(byte, what)))
    return failure();
  if (byte > 1)
    return fail("invalid value " + Twine(static_cast<unsigned>(byte)) + " for " + what +
                ", expected 0 or 1");
  value = byte == 1;
  return success();
}

LogicalResult Cursor::readBytes(ArrayRef<uint8_t> &bytes, uint64_t size, StringRef what) {
  if (size > remaining())
    return fail("size of " + what + " (" + Twine(size) + " bytes) exceeds the " +
                Twine(remaining()) + " bytes that are left");
  bytes = ArrayRef<uint8_t>(file + position, size);
  position += size;
  return success();
}

LogicalResult Cursor::align(uint64_t alignment, StringRef what) {
  uint64_t padding = (alignment - (position - origin) % alignment) % alignment;
  if (padding > remaining())
    return truncated(what);
  position += padding;
  return success();
}

LogicalResult Cursor::readWindow(Cursor &window, uint64_t size, StringRef what) {
  ArrayRef<uint8_t> bytes;
  uint64_t begin = position;
  if (failed(readBytes(bytes, size, what)))
    return failure();
  window = *this;
  window.origin = window.position = begin;
  window.end = begin + size;
  return success();
}

Cursor Cursor::window(uint64_t begin, uint64_t size) const {
  Cursor result = *this;
  result.origin = result.position = position + begin;
  result.end = position + begin + size;
  return result;
}
