//===- ReaderConstants.cpp - the constant section ---------------------------------------------===//
//
//   n varint, padding to 8, u64 start[n], items
//   an item is size varint + raw little-endian elements
//
// A payload holds every element, or one for a splat; i1 is packed eight to a byte, other widths
// take whole bytes.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/ReaderTables.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/support/Plants.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::ArrayRef;
using llvm::Twine;

LogicalResult ConstantTable::open(Cursor section) {
  SmallVector<uint64_t, 0> starts;
  if (failed(section.readStarts(starts, "constants")))
    return failure();
  items.reserve(starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    uint64_t end = i + 1 < starts.size() ? starts[i + 1] : section.remaining();
    items.push_back(section.window(starts[i], end - starts[i]));
  }
  return success();
}

/// Whether bits above the element width are clear in every stored byte group.
static bool unusedBitsClear(ArrayRef<uint8_t> raw, unsigned width) {
  unsigned bytes = llvm::divideCeil(width, 8u);
  if (width == 1 || width % 8 == 0)
    return true;
  for (size_t i = bytes - 1; i < raw.size(); i += bytes)
    if (raw[i] >> (width % 8))
      return false;
  return true;
}

// [spec: bytecode-constants]
LogicalResult ConstantTable::read(DenseElementsAttr &value, Type type, Cursor &cursor) {
  uint64_t index;
  if (failed(cursor.readIndex(index, items.size(), "constant")))
    return failure();
  auto tile = dyn_cast_or_null<cuda_tile::TileType>(type);
  if (!tile || !tile.getElementType().isIntOrFloat())
    return cursor.fail("expected the type of a constant to be a tile of integers or floats");
  DenseElementsAttr &cached = cache[{type, index}];
  if ((value = cached))
    return success();

  Cursor item = items[index];
  uint64_t size;
  ArrayRef<uint8_t> bytes;
  if (failed(item.readVarInt(size, "constant size")) ||
      failed(item.readBytes(bytes, size, "constant data")))
    return failure();
  ArrayRef<char> raw(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  unsigned width = tile.getElementType().getIntOrFloatBitWidth();
  bool splat = false;
  if (!DenseElementsAttr::isValidRawBuffer(tile, raw, splat)) {
    if (width == 1)
      return item.fail("i1 dense attribute payload size " + Twine(size) +
                       " is not a recognized encoding for " + Twine(tile.getNumElements()) +
                       " elements");
    return item.fail("failed to validate buffer size and format: " + Twine(size) + " bytes for " +
                     Twine(tile.getNumElements()) + " elements of " + Twine(width) + " bits");
  }
  if (!unusedBitsClear(bytes, width))
    return item.fail("constant has bits set above the " + Twine(width) + " bits of its elements");
  if (TILESMITH_PLANT("reader-splats-constants") && !splat && width >= 8)
    raw = raw.take_front(width / 8);
  value = cached = DenseElementsAttr::getFromRawBuffer(tile, raw);
  return success();
}
