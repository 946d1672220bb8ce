//===- Tile.cpp - immutable n-dimensional values ----------------------------------------------===//
#include "reference/value/Tile.h"

#include <cstdio>

#include "reference/value/Float.h"

using namespace tilesmith::reference;

size_t tilesmith::reference::elementCount(llvm::ArrayRef<int64_t> shape) {
  size_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

llvm::SmallVector<int64_t, 4> tilesmith::reference::rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (int d = static_cast<int>(shape.size()) - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * shape[d + 1];
  return strides;
}

Tile::Tile(ElementType type, llvm::ArrayRef<int64_t> shape)
    : Tile(type, shape, Array<uint64_t>(elementCount(shape), 0)) {}

Tile Tile::unset(ElementType type, llvm::ArrayRef<int64_t> shape) {
  return Tile(type, shape, Array<uint64_t>(elementCount(shape)));
}

TilePtr Tile::reshaped(TilePtr source, llvm::ArrayRef<int64_t> shape) {
  Tile result(source->elementType, shape, source->words.lend());
  result.flags = source->flags.lend();
  result.spreads = source->spreads.lend();
  result.lender = source->lender ? source->lender : std::move(source);
  return std::make_shared<const Tile>(std::move(result));
}

Tile Tile::scalar(ElementType type, uint64_t bits, State state) {
  Tile tile(type, {});
  tile.set(0, {bits, state});
  return tile;
}

llvm::SmallVector<int64_t, 4> Tile::strides() const {
  return rowMajorStrides(dims);
}

std::string Tile::toString(unsigned limit) const {
  std::string text = "[";
  for (size_t i = 0; i < size(); ++i) {
    if (i)
      text += ", ";
    if (i == limit) {
      text += "...";
      break;
    }
    char buffer[40];
    if (state(i) == State::Unknown)
      std::snprintf(buffer, sizeof buffer, "U");
    else if (isFloat(elementType))
      std::snprintf(buffer, sizeof buffer, "%.9g", decode(elementType, words[i]));
    else if (elementType == ElementType::Pointer)
      std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(words[i]));
    else
      std::snprintf(buffer, sizeof buffer, "%lld",
                    static_cast<long long>(signedValue(elementType, words[i])));
    text += buffer;
    if (state(i) == State::Enclosed) {
      std::snprintf(buffer, sizeof buffer, "~%.3g", spreads[i].error());
      text += buffer;
    }
  }
  return text + "]";
}
