//===- StoreLayouts.cpp - how a tile that warps hold goes to memory ---------------------------===//
//
// Sums of products lie in fragments: a thread has two neighbours of a row, four threads eight, a warp some rows. To
// bring them into rows of the block takes an exchange of all warps. It is not needed:
//
//   * two neighbours of 4 bytes are an access of 8 bytes, those of four threads a whole sector of memory;
//   * neighbours of 2 bytes are half a sector: threads of the same warp exchange them, so that each has 16 bytes.
//
// Both are one search for the bits of a tile's elements: bit i along the contiguous dimension has to be one of a
// register, lower ones first, then one of a lane.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/StoreLayouts.h"

#include "compiler/dialect/TileAS/Transforms/AccessAlignment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// Bytes of the widest access, and of the narrowest that is worth no exchange.
static constexpr int64_t kWidestAccess = 16, kWideEnough = 8;

namespace {

/// Bits of elements that a warp holds.
struct WarpBits {
  SmallVector<int64_t> registers, lanes;

  /// Takes `bit` out of the registers, or of the lanes.
  static bool take(SmallVectorImpl<int64_t> &bits, int64_t bit) {
    auto *found = llvm::find(bits, bit);
    if (found == bits.end())
      return false;
    bits.erase(found);
    return true;
  }
};

/// Each element has one holder, and bits of registers, lanes and warps are bits of elements.
bool isPermutationOfBits(LayoutAttr layout) {
  LinearLayout map = layout.toLinear();
  auto areBits = [](ArrayRef<int64_t> bases) {
    return llvm::all_of(bases, [](int64_t basis) { return llvm::isPowerOf2_64(basis); });
  };
  return map.isInjective() && map.isSurjective() && areBits(layout.getRegisters()) &&
         areBits(layout.getLanes()) && areBits(layout.getWarps());
}

/// As held, where accesses of neighbouring threads make up sectors.
LayoutAttr asHeld(LayoutAttr held, ArrayRef<int64_t> along, int64_t elementBytes) {
  WarpBits bits{SmallVector<int64_t>(held.getRegisters()), SmallVector<int64_t>(held.getLanes())};
  SmallVector<int64_t> registers;
  int64_t bytes = elementBytes;
  auto takeAll = [&](SmallVectorImpl<int64_t> &from, SmallVectorImpl<int64_t> &to, int64_t most) {
    for (int64_t bit : along.drop_front(llvm::Log2_64(bytes / elementBytes))) {
      if (bytes >= most || !WarpBits::take(from, bit))
        return;
      to.push_back(bit);
      bytes *= 2;
    }
  };
  takeAll(bits.registers, registers, kWidestAccess);
  if (bytes < kWideEnough)
    return {};
  SmallVector<int64_t> together;
  takeAll(bits.lanes, together, kSectorBytes);
  if (bytes < kSectorBytes)
    return {};
  llvm::append_range(registers, bits.registers);
  return LayoutAttr::get(held.getContext(), held.getShape(), registers, held.getLanes(),
                         held.getWarps());
}

/// Pieces of 16 bytes of what the warp holds, side by side as far as it holds them.
LayoutAttr inPieces(LayoutAttr held, ArrayRef<int64_t> along, int64_t elementBytes) {
  SmallVector<int64_t> all(held.getRegisters()), registers, lanes;
  llvm::append_range(all, held.getLanes());
  llvm::sort(all);
  int64_t bytes = elementBytes;
  for (int64_t bit : along) {
    SmallVectorImpl<int64_t> &to = bytes < kWidestAccess ? registers : lanes;
    if (lanes.size() == held.getLanes().size() || !WarpBits::take(all, bit))
      break;
    to.push_back(bit);
    bytes *= 2;
  }
  if (bytes < kSectorBytes || registers.size() > held.getRegisters().size())
    return {};
  for (int64_t bit : all)
    (lanes.size() < held.getLanes().size() ? lanes : registers).push_back(bit);
  return LayoutAttr::get(held.getContext(), held.getShape(), registers, lanes, held.getWarps());
}

} // namespace

LayoutAttr tileas::layoutForStore(LayoutAttr held, unsigned dim, int64_t elementBytes) {
  if (!isPermutationOfBits(held) || elementBytes > kWidestAccess)
    return {};
  SmallVector<int64_t> along;
  int64_t step = llvm::product_of(held.getShape().drop_front(dim + 1));
  for (int64_t at = 1; at < held.getShape()[dim]; at *= 2)
    along.push_back(at * step);
  LayoutAttr layout = asHeld(held, along, elementBytes);
  return layout ? layout : inPieces(held, along, elementBytes);
}
