//===- SliceRegisters.cpp - slices and concatenations that rename registers -------------------===//
#include "compiler/dialect/TileAS/IR/SliceRegisters.h"

#include "compiler/support/Plants.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// An element of a tile at the same coordinates of a larger one.
static int64_t embed(int64_t flat, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  int64_t result = 0, stride = 1;
  for (unsigned dim = from.size(); dim-- > 0;) {
    result += flat % from[dim] * stride;
    flat /= from[dim];
    stride *= to[dim];
  }
  return result;
}

/// Whether the bases of a tile are those of a larger one.
static bool areEmbedded(ArrayRef<int64_t> bases, ArrayRef<int64_t> shape, ArrayRef<int64_t> in,
                        ArrayRef<int64_t> whole) {
  return llvm::equal(
      llvm::map_range(bases, [&](int64_t basis) { return embed(basis, shape, whole); }), in);
}

std::optional<RegisterMap> tileas::sliceRegisters(LayoutAttr source, LayoutAttr slice,
                                                  ArrayRef<int64_t> origin) {
  ArrayRef<int64_t> whole = source.getShape(), part = slice.getShape();
  if (!areEmbedded(slice.getLanes(), part, source.getLanes(), whole) ||
      (!areEmbedded(slice.getWarps(), part, source.getWarps(), whole) &&
       !TILESMITH_PLANT("slice-whatever-the-warps")))
    return std::nullopt;
  int64_t start = 0;
  for (auto [at, extent] : llvm::zip_equal(origin, whole))
    start = start * extent + at;
  const F2Matrix held(llvm::to_vector_of<uint64_t>(source.getRegisters()));
  std::optional<uint64_t> first = held.solve(start);
  RegisterMap map;
  for (int64_t basis : slice.getRegisters())
    if (std::optional<uint64_t> own = held.solve(embed(basis, part, whole)))
      map.bits.push_back(int64_t(*own));
  if (!first || map.bits.size() != slice.getRegisters().size())
    return std::nullopt;
  map.first = int64_t(*first);
  return map;
}

std::optional<std::pair<RegisterMap, unsigned>>
tileas::catRegisters(LayoutAttr half, LayoutAttr result, unsigned dim) {
  ArrayRef<int64_t> whole = result.getShape(), part = half.getShape();
  if (!areEmbedded(half.getLanes(), part, result.getLanes(), whole) ||
      !areEmbedded(half.getWarps(), part, result.getWarps(), whole))
    return std::nullopt;
  int64_t step = part[dim]; // from an element to that of the second half
  for (int64_t extent : whole.drop_front(dim + 1))
    step *= extent;
  SmallVector<uint64_t> columns;
  for (int64_t basis : half.getRegisters())
    columns.push_back(embed(basis, part, whole));
  const F2Matrix held(columns);
  RegisterMap map;
  std::optional<unsigned> added;
  for (auto [bit, basis] : llvm::enumerate(result.getRegisters())) {
    std::optional<uint64_t> own = held.solve(basis & ~step);
    if (!own || (basis & step && added))
      return std::nullopt;
    map.bits.push_back(int64_t(*own));
    if (basis & step)
      added = bit;
  }
  if (!added)
    return std::nullopt;
  return std::make_pair(map, *added);
}

std::optional<PartMap> tileas::partRegisters(LayoutAttr wide, LayoutAttr narrow) {
  const int64_t parts = narrow.getNumElements() / wide.getNumElements();
  auto areWhole = [&](ArrayRef<int64_t> bases, ArrayRef<int64_t> wholes) {
    return llvm::equal(bases,
                       llvm::map_range(wholes, [&](int64_t basis) { return basis * parts; }));
  };
  if (!areWhole(narrow.getLanes(), wide.getLanes()) ||
      !areWhole(narrow.getWarps(), wide.getWarps()))
    return std::nullopt;
  const F2Matrix wholes(llvm::to_vector_of<uint64_t>(wide.getRegisters())),
      held(llvm::to_vector_of<uint64_t>(narrow.getRegisters()));
  PartMap map;
  for (int64_t basis : narrow.getRegisters()) {
    std::optional<uint64_t> whole = wholes.solve(basis / parts);
    if (!whole)
      return std::nullopt;
    map.wholeOf.push_back(int64_t(*whole));
    map.partOf.push_back(basis % parts);
  }
  for (int64_t basis : wide.getRegisters()) {
    std::optional<uint64_t> own = held.solve(basis * parts);
    if (!own)
      return std::nullopt;
    map.ofWhole.push_back(int64_t(*own));
  }
  for (int64_t basis = 1; basis < parts; basis *= 2) {
    std::optional<uint64_t> own = held.solve(basis);
    if (!own)
      return std::nullopt;
    map.ofPart.push_back(int64_t(*own));
  }
  return map;
}
