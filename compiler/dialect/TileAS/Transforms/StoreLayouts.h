//===- StoreLayouts.h - how a tile that warps hold goes to memory -----------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_STORELAYOUTS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_STORELAYOUTS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

namespace tilesmith::tileas {

/// The layout in which a tile held in `held` is stored to memory that is contiguous along `dim`: the same with its
/// registers in another order, where threads beside each other write whole sectors with what they hold, else
/// pieces of 16 bytes of what the same warp holds. Null where a warp's own elements do not make up whole sectors.
LayoutAttr layoutForStore(LayoutAttr held, unsigned dim, int64_t elementBytes);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_STORELAYOUTS_H
