//===- Access.h - building blocks of memory accesses ------------------------------------------===//
//
// What the rules that read or write memory share: views of an array, loads and stores with every
// ordering, scope and hint that leaves the result alone. The caller answers for what is accessed:
// indices inside the index space, padding where elements may lie outside, distinct elements of a
// store, and tokens between accesses of one block that conflict.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_ACCESS_H
#define GENERATORS_PROGRAM_ACCESS_H

#include "generators/program/KernelBuilder.h"

namespace tilesmith::generators {

/// A tile that was loaded and the token behind that.
struct Loaded {
  mlir::Value tile, token;
};

/// The scalar or tile as a signed integer of this type; it has at most its width.
mlir::Value widenTo(KernelBuilder &k, mlir::Value value, mlir::Type element);

/// Maybe the facts that a frontend states about a pointer: buffers are aligned to 16 bytes or more.
mlir::Value maybeAssumeAligned(KernelBuilder &k, ChoiceStream &s, mlir::Value base);

/// A tensor view of the whole array with its constant and dynamic extents and strides.
mlir::Value makeTensorView(KernelBuilder &k, ChoiceStream &s, ArrayInfo &array);

/// A partition view of a free array with tiles of that shape, padded with zeros.
mlir::Value zeroPaddedTiles(KernelBuilder &k, ChoiceStream &s, ArrayInfo &array,
                            llvm::ArrayRef<int32_t> shape);

/// A padding value that the element type has.
cuda_tile::PaddingValueAttr choosePadding(KernelBuilder &k, ChoiceStream &s, mlir::Type element);

/// Maybe hints for a load or a store, which never change a result.
cuda_tile::OptimizationHintsAttr maybeHints(KernelBuilder &k, ChoiceStream &s);

/// Blocks of a cluster that divide a tile.
inline int64_t drawCluster(ChoiceStream &s) {
  return s.chance(75) ? 2 : 4;
}

/// Asks for so many warps in each block (13.3); what is hinted for the entry last counts.
void hintWarps(KernelBuilder &k, int64_t count);

/// Maybe hints for the entry.
cuda_tile::OptimizationHintsAttr maybeEntryHints(KernelBuilder &k, ChoiceStream &s);

/// Loads after `before` (null: no order): weak, relaxed or acquire in some scope. `inbounds`
/// (13.4): empty, or one flag per dimension that is true only where every element lies inside.
Loaded loadView(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type, mlir::Value view,
                mlir::ValueRange indices, mlir::Value before, llvm::ArrayRef<bool> inbounds = {});
Loaded loadPointers(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type,
                    mlir::Value pointers, mlir::Value mask, mlir::Value padding,
                    mlir::Value before);

/// Stores after `before`: weak, relaxed or release. Returns the token behind.
mlir::Value storeView(KernelBuilder &k, ChoiceStream &s, mlir::Value value, mlir::Value view,
                      mlir::ValueRange indices, mlir::Value before,
                      llvm::ArrayRef<bool> inbounds = {});
mlir::Value storePointers(KernelBuilder &k, ChoiceStream &s, mlir::Value pointers,
                          mlir::Value value, mlir::Value mask, mlir::Value before);

/// The token joined with a new one that orders nothing, in either order.
mlir::Value joinedWithFreshToken(KernelBuilder &k, ChoiceStream &s, mlir::Value token);

/// `base + offsets` for a scalar pointer and a tile of offsets.
mlir::Value pointersAt(KernelBuilder &k, mlir::Value base, mlir::Value offsets);

/// What was in memory, combined with a value by an operation that has one result.
mlir::Value combineExactly(KernelBuilder &k, mlir::Value old, mlir::Value value);

/// Pointers to `count` elements from `base` on, this block's part of the regions of all blocks
/// unless `isPrivate`, in an order that some bijection chooses: a rank-1 tile.
mlir::Value ownElements(KernelBuilder &k, ChoiceStream &s, mlir::Value base, int64_t count,
                        bool isPrivate = false);

/// Integers with which the update changes nothing, or with which its sibling does not: the one of
/// the other signedness, or of the other bits. Sometimes the number beside that.
mlir::Value idleUpdate(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type,
                       cuda_tile::AtomicRMWMode mode);

/// The value as a rank-1 tile.
mlir::Value flatten(KernelBuilder &k, mlir::Value value);

/// An atomic with any ordering and a scope that is the block only if `mayBeBlockScope`: the old
/// elements and the token.
Loaded atomicRmw(KernelBuilder &k, ChoiceStream &s, cuda_tile::AtomicRMWMode mode,
                 mlir::Value pointers, mlir::Value value, mlir::Value mask, mlir::Value before,
                 bool mayBeBlockScope);
/// `atomic_red_view_tko` (13.3): the token behind it.
mlir::Value reduceView(KernelBuilder &k, ChoiceStream &s, cuda_tile::AtomicRMWMode mode,
                       mlir::Value view, mlir::ValueRange indices, mlir::Value value,
                       mlir::Value before, bool mayBeBlockScope, llvm::ArrayRef<bool> inbounds);
Loaded atomicCas(KernelBuilder &k, ChoiceStream &s, mlir::Value pointers, mlir::Value compare,
                 mlir::Value value, mlir::Value mask, mlir::Value before);

/// A global of `count` elements with an initial value; the pointer to its first element.
mlir::Value makeGlobal(KernelBuilder &k, ChoiceStream &s, mlir::Type element, int64_t count,
                       bool constant);

/// Data-dependent integers in [-1, 2] as floats of that type.
mlir::Value smallFloats(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type);

/// Reads all memory of KernelBuilder::owned once more, so that its last contents are seen.
void loadOwned(KernelBuilder &k, ChoiceStream &s);

/// The value in a type that memory has: f4 and i4 are converted.
TileValue storable(KernelBuilder &k, const TileValue &value);

/// Stores a value of any shape where nothing else is: through a view of some kind or a tile of
/// pointers, into a new output array.
void emitFreeStore(KernelBuilder &k, ChoiceStream &s, const TileValue &value);

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_ACCESS_H
