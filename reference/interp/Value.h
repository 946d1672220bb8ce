//===- Value.h - what an SSA value stands for -------------------------------------------------===//
//
// A tile, a view of a tensor in memory, or a token (which has no value, only a place in the order
// of accesses, kept when races are looked for). Tile views carry the tensor view only; their tile
// shape, traversal and padding are part of the static type and read from there.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_VALUE_H
#define REFERENCE_INTERP_VALUE_H

#include <memory>
#include <variant>

#include "reference/memory/Races.h"
#include "reference/value/Tile.h"

namespace mlir {
class Type;
} // namespace mlir

namespace tilesmith::reference {

/// Element (i0, ...) lives at base + sum(i * stride) elements. Sizes and strides are unsigned
/// values of the program.
struct TensorView {
  uint64_t base = 0;
  ElementType element = ElementType::I8;
  llvm::SmallVector<uint64_t, 4> sizes, strides;
};
using TensorViewPtr = std::shared_ptr<const TensorView>;

class Value {
public:
  Value() = default; ///< a token with nothing before it
  Value(TokenPtr token) : storage(std::move(token)) {}
  Value(TilePtr tile) : storage(std::move(tile)) {}
  Value(Tile tile) : storage(std::make_shared<const Tile>(std::move(tile))) {}
  Value(TensorViewPtr view) : storage(std::move(view)) {}

  bool isTile() const { return std::holds_alternative<TilePtr>(storage); }
  const Tile &tile() const { return *std::get<TilePtr>(storage); }
  const TilePtr &tilePtr() const { return std::get<TilePtr>(storage); }
  const TensorView &view() const { return *std::get<TensorViewPtr>(storage); }
  TokenPtr token() const {
    auto *held = std::get_if<TokenPtr>(&storage);
    return held ? *held : nullptr;
  }

private:
  std::variant<std::monostate, TilePtr, TensorViewPtr, TokenPtr> storage;
};

/// Element type of a number, pointer or tile type; nullopt for anything else.
std::optional<ElementType> elementTypeOf(mlir::Type type);

/// Element type of the pointee of a pointer type or tile of pointers.
std::optional<ElementType> pointeeTypeOf(mlir::Type type);

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_VALUE_H
