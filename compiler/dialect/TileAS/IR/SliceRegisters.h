//===- SliceRegisters.h - slices and concatenations that rename registers ---------------------===//
//
// Where the bits of a position that a slice fixes, or a concatenation adds, lie in registers, every thread holds
// what it needs. So it does where the bits that tell apart the parts of a wider element do.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_SLICEREGISTERS_H
#define COMPILER_DIALECT_TILEAS_IR_SLICEREGISTERS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include <optional>
#include <utility>

namespace tilesmith::tileas {

/// Which register of one tile is register r of another: the sum of `bits` for the bits of r, and `first`.
struct RegisterMap {
  llvm::SmallVector<int64_t> bits;
  int64_t first = 0;
};
/// The registers of a slice in its source, where no thread needs one of another thread. `origin` is the
/// first element of the slice.
std::optional<RegisterMap> sliceRegisters(LayoutAttr source, LayoutAttr slice,
                                          llvm::ArrayRef<int64_t> origin);
/// The registers of a concatenation in its halves, and the bit of a register that says which half.
std::optional<std::pair<RegisterMap, unsigned>> catRegisters(LayoutAttr half, LayoutAttr result,
                                                             unsigned dim);

/// Registers of two tiles of rank 1 over the same bytes, an element of `wide` being made of neighbours of `narrow`,
/// the first of them the lowest. By the bits of a register or of the number of a part:
struct PartMap {
  llvm::SmallVector<int64_t> wholeOf, partOf; ///< of a register of `narrow`: in `wide`; which part
  llvm::SmallVector<int64_t> ofWhole, ofPart; ///< the register of `narrow`
};
/// Nothing where a thread would need registers of another one.
std::optional<PartMap> partRegisters(LayoutAttr wide, LayoutAttr narrow);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_SLICEREGISTERS_H
