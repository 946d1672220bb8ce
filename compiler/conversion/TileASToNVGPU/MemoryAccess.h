//===- MemoryAccess.h - address, bounds and ordering helpers of loads, stores and atomics -----===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_MEMORYACCESS_H
#define COMPILER_CONVERSION_TILEASTONVGPU_MEMORYACCESS_H

#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tilesmith::tileas_to_nvgpu {

void registerPointerAccess(HandlerTable &table);
/// A store by tensor copies (TensorStores.cpp).
mlir::LogicalResult emitStagedStore(Emitter &e, tileas::TiledStoreOp store);

/// Ordering of an access, in the spellings of nv_tileaa.
struct Access {
  llvm::StringRef semantic;             ///< weak, relaxed, acquire, release, acq_rel
  std::optional<llvm::StringRef> scope; ///< tl_blk, cluster, gpu, sys; absent for weak
  bool isVolatile = false;

  /// Every holder of an element may read it for itself.
  bool isPlain() const { return semantic == "weak" && !isVolatile; }
};

/// The scope of an access as its code says it. Where the blocks of a cluster share the work of a tile
/// block, that is the cluster.
std::optional<llvm::StringRef> scopeOf(mlir::Operation *access,
                                       std::optional<tileaa::MemScope> scope);

template <typename Op> Access accessOf(Op op) {
  bool isVolatile = false;
  if constexpr (requires { op.getIsVolatile(); })
    isVolatile = op.getIsVolatile();
  return {tileaa::stringifyMemSemantic(op.getMemSemantic()), scopeOf(op, op.getMemScope()),
          isVolatile};
}

mlir::LLVM::AtomicOrdering atomicOrdering(llvm::StringRef semantic);
/// LLVM sync scope of the NVPTX backend.
llvm::StringRef syncScope(std::optional<llvm::StringRef> scope);

/// An index operand or an extent, which are unsigned.
mlir::Value toI64(Emitter &e, mlir::Value value);
/// Condition that holds in thread 0 only; null (true) where nobody else runs the code.
mlir::Value firstThread(Emitter &e);
/// Value of thread 0 in all threads, through scratch.
mlir::Value broadcastScalar(Emitter &e, mlir::Value value);
/// Hands the registers of the owners to all other holders, through scratch.
mlir::LogicalResult broadcastTile(Emitter &e, mlir::Operation *op, const Tile &tile);

/// A register as an element of type `logical` that was read from memory: the low 13 bits of a tf32
/// are ignored [spec: type-tf32]. Other types stay as they are.
mlir::Value fromMemory(Emitter &e, mlir::Value value, mlir::Type logical);
/// `logical` is the element type of the tile, not that of its registers.
mlir::Value typedLoad(Emitter &e, mlir::Value pointer, mlir::Type logical, const Access &access);
void typedStore(Emitter &e, mlir::Value value, mlir::Value pointer, const Access &access);

/// Padding value `zero`, `neg_zero`, `nan`, `pos_inf`, `neg_inf` as a register value of a tile
/// element type.
mlir::Value paddingConstant(Emitter &e, mlir::Type logical, llvm::StringRef padding);

/// First coordinate (i64) of the tile with these indices, per tile dimension.
llvm::SmallVector<mlir::Value> tileOrigin(Emitter &e, tileaa::TiledViewType view,
                                          mlir::ValueRange indices);

/// Coordinates of the sparse dimension of a gather view, row-major in scratch; null table for other
/// views.
struct GatherIndex {
  mlir::Value table;
  mlir::Type element;
  unsigned dim = 0;
};

/// Address of one element of a tile, and whether it lies inside the tensor.
struct ViewElement {
  mlir::Value pointer;
  mlir::Value inside;
  mlir::Value shift = {}; ///< of a 4-bit element: its place in the byte, an i8 of 0 or 4
};
/// A run of elements along one tile dimension.
struct ElementRun {
  unsigned dim = 0;
  int64_t elements = 1;
};
/// With a run, `inside` says whether all of its elements are; the address is that of the first.
/// Dimensions that are promised to be `inBounds` are not asked about; null when none is.
ViewElement viewElement(Emitter &e, const MemoryRegion &region, tileaa::TiledViewType view,
                        llvm::ArrayRef<mlir::Value> origin, llvm::ArrayRef<mlir::Value> at,
                        const GatherIndex &gather = {}, ElementRun run = {},
                        llvm::ArrayRef<bool> inBounds = {});

/// Moves what the thread contributes to the coordinates of its registers into the origin, when the
/// registers' own part never carries into it. Returns whether it did. Of a dimension in which the tile begins
/// at zero, the thread's part (i32) is all: sums with it do not wrap, and comparisons take half as much.
/// `anew`: computed here, so that nothing of it is kept from in front of a loop.
bool splitThreadPart(Emitter &e, tileas::LayoutAttr layout, tileaa::TiledViewType view,
                     llvm::SmallVectorImpl<mlir::Value> &origin, bool anew = false);
/// Elements of the tensor behind the origin (i32), per tile dimension and no more than the tile has.
llvm::SmallVector<mlir::Value> extentsLeft(Emitter &e, const MemoryRegion &region,
                                           tileaa::TiledViewType view,
                                           llvm::ArrayRef<mlir::Value> origin);
/// Whether groups of `vector` elements along a tile dimension of a view lie wholly inside or wholly
/// outside of the tensor: groups start at multiples of their length, so the extent must be a
/// multiple as well.
bool groupsAreWhole(mlir::Value view, unsigned dim, int64_t vector);
/// Whether the elements of a mask are equal in every group of `vector`.
bool isMaskWhole(mlir::Value mask, int64_t vector);

//===- elements of four bits (HalfBytes.cpp) --------------------------------------------------===//

/// Whether elements share bytes in memory.
bool isHalfByte(mlir::Type element);
/// The byte and the half of it where element `place` (i64) behind `base` lies.
ViewElement halfByteElement(Emitter &e, mlir::Value base, mlir::Value place, mlir::Value inside);
mlir::Value loadHalfByte(Emitter &e, const ViewElement &element, mlir::Type logical,
                         const Access &access);
/// Leaves the other half alone, whoever changes it meanwhile.
void storeHalfByte(Emitter &e, mlir::Value value, const ViewElement &element, const Access &access);

//===- accesses of several elements (VectorAccess.cpp) ----------------------------------------===//

/// The descriptor of a buffer at a pointer, of which only the address is read.
mlir::Value descriptorAt(Emitter &e, mlir::Value pointer);
/// Memory at a pointer as nvgpu takes it: a buffer of one element, which is indexed by 0.
mlir::Value bufferAt(Emitter &e, mlir::Value pointer, mlir::Type element,
                     mlir::gpu::AddressSpace space);
/// Tile dimension along which the first registers of a thread run.
unsigned contiguousDim(tileas::LayoutAttr layout);
/// Loads registers [first, first + elements) of `tile` by one access.
void loadVector(Emitter &e, const Tile &tile, mlir::Value first, int64_t elements,
                mlir::Value pointer, mlir::Type logical);
/// Stores them by one access.
void storeVector(Emitter &e, const Tile &tile, mlir::Value first, int64_t elements,
                 mlir::Value pointer);
/// Loop over all registers of a tile, `elements` at a time: `body(first register)`.
void forGroups(Emitter &e, const Tile &tile, int64_t elements,
               llvm::function_ref<void(mlir::Value first)> body);
/// Loop over the registers of one group.
void forGroup(Emitter &e, mlir::Value first, int64_t elements,
              llvm::function_ref<void(mlir::Value index)> body);
/// Conjunction of `condition(index)` over a group; null conditions are true.
mlir::Value allOfGroup(Emitter &e, mlir::Value first, int64_t elements,
                       llvm::function_ref<mlir::Value(mlir::Value index)> condition);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_MEMORYACCESS_H
