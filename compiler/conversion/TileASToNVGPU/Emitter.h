//===- Emitter.h - turns one function of tiles with layouts into code of one thread -----------===//
//
// The input is a function whose tensors all carry a `#nv_tileas.layout`; the output is a `gpu.func`
// that every thread of the block runs. A tile becomes a small array of registers in local memory
// (`Tile`), one element per register of its layout; LLVM promotes it to real registers after
// unrolling. A scalar stays a scalar, equal in all threads.
//
// Invariants
//  * Every tile operation is emitted as a loop over registers, never unrolled here.
//  * Consecutive elementwise operations with the same register count share one loop (`pending`
//    group, see `flush`).
//  * All storage is allocated in the entry block; thread-dependent parts of layouts are computed
//    there once.
//  * Control flow is uniform: conditions and bounds are scalars, so barriers are never divergent.
//    Agents are the exception: each meets at a hardware barrier of its own, and counts its threads
//    from zero.
//  * Exchanges between threads use one scratch area of dynamic shared memory. Each exchange begins
//    with a barrier (so that everybody has finished reading what the one before left there), hence
//    all exchanges may share the area. Two in a row take different bytes of it where these fit, in
//    loops three (nextPlace): RemoveBarriers.cpp then removes the barrier.
//
// One file per operation family registers its handlers, by operation type: Elementwise.cpp,
// Shape.cpp, Memory.cpp, VectorAccess.cpp, Atomic.cpp, ReduceScan.cpp, Dot.cpp, ConvertLayout.cpp,
// ControlFlow.cpp, Diagnostics.cpp, Pipeline.cpp (with PipelineBuffers.cpp, Mbarriers.cpp,
// TensorMaps.cpp), Tcgen05.cpp, Agents.cpp, Internal.cpp (what no cuda_tile op becomes).
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_EMITTER_H
#define COMPILER_CONVERSION_TILEASTONVGPU_EMITTER_H

#include "compiler/conversion/TileASToNVGPU/HostTensorMaps.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/OpDispatch.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tilesmith::tileas_to_nvgpu {

/// Shared memory that one exchange between threads may use. Below the 48 KiB every target grants
/// without opting in.
inline constexpr int64_t kMaxSharedBytes = 48 * 1024;

/// Descriptors of operands in shared memory count addresses in units of this many bytes.
inline constexpr int64_t kDescriptorUnit = 16;

/// Buffers begin at multiples of this: a swizzle of 128 bytes repeats after eight rows.
inline constexpr int64_t kBufferAlignment = 1024;

/// The registers of one thread that hold its share of a tile. `storage` is a generic `!llvm.ptr` to
/// `layout.getNumRegisters()` values of type `element`.
struct Tile {
  mlir::Value storage;
  mlir::Type element;
  tileas::LayoutAttr layout;
};

/// A strided region of global memory: address of element 0, extents and strides in elements (all
/// i64).
struct MemoryRegion {
  mlir::Value base; ///< !llvm.ptr<1>
  mlir::Type element;
  llvm::SmallVector<mlir::Value> sizes;
  llvm::SmallVector<mlir::Value> strides;
};

/// A tensor map of this block, when `usable`; see TensorMaps.h.
struct TensorMap {
  mlir::Value storage; ///< generic pointer
  mlir::Value usable;  ///< i1, the same in all threads
  /// i64: coordinates in dimensions that the tile does not have.
  llvm::SmallVector<mlir::Value> outer;
};

/// Type that holds a number in a thread, as a register or a kernel parameter: 8-bit floats are i8,
/// tf32 is f32, i4 is i8. Other types are themselves.
mlir::Type heldType(mlir::Type type);

/// A tensor map that host code makes (HostTensorMaps.h).
struct HostMadeMap {
  HostTensor tensor;
  mlir::nvgpu::TensorMapDescriptorType type;
  HostMapLayout layout;
  mlir::BlockArgument parameter; ///< of the kernel; tensors of which one map serves all share it
};

class Emitter;

/// A number as a register of the type that holds it.
mlir::Value registerConstant(Emitter &e, mlir::Attribute number, mlir::Type held);

/// Emits one operation; reports its own errors.
using Handler = mlir::LogicalResult (*)(Emitter &, mlir::Operation *);

/// Emits one element of an elementwise operation (or the scalar form of it): `operands` are scalars
/// in operand order, `position` is the row-major element offset inside the result tile (i32; null
/// for scalar operations).
using ElementHandler = mlir::LogicalResult (*)(Emitter &, mlir::Operation *,
                                               mlir::ValueRange operands, mlir::Value position,
                                               llvm::SmallVectorImpl<mlir::Value> &results);

/// The f32 or f64 operation `llvm.nvvm.<name>.<rounding>[.ftz]`; `rounding` is a spelling of nv_tileaa.
mlir::Value roundedIntrinsic(Emitter &e, llvm::StringRef name, llvm::StringRef rounding, bool ftz,
                             mlir::ValueRange operands);

/// Two elements of arithmetic that tileas-pack-elements noted: operands and result are vector<2xf32>.
mlir::Value emitPacked(Emitter &e, mlir::Operation *arithmetic, mlir::ValueRange operands);

/// Handlers by operation type; an operation has one of one kind.
struct HandlerTable {
  OpDispatch<Handler> operations;
  OpDispatch<ElementHandler> elements;
};

void registerElementwise(HandlerTable &table);
void registerShape(HandlerTable &table);
void registerMemory(HandlerTable &table);
void registerAtomic(HandlerTable &table);
void registerReduceScan(HandlerTable &table);
void registerDot(HandlerTable &table);
void registerConvertLayout(HandlerTable &table);
void registerControlFlow(HandlerTable &table);
void registerDiagnostics(HandlerTable &table);
void registerPipeline(HandlerTable &table);
void registerAgents(HandlerTable &table);
void registerTensorMemory(HandlerTable &table);
void registerInternal(HandlerTable &table);

/// What `one`, the operation of a reduction that tileas-reduce-lanes-at-once noted, makes of the
/// numbers of all lanes of the warp (LaneReduction.cpp).
mlir::Value combineLanes(Emitter &e, mlir::Operation *one, mlir::Value value);
/// A division that tileas-share-divisors noted (SharedDivision.cpp).
mlir::LogicalResult emitSharedDivision(Emitter &e, mlir::Operation *op);
/// Fills a region of a branch that has been made from the one that it had: `emit` adds the block's
/// operations and its terminator (ControlFlow.cpp). Nothing where there was none.
mlir::LogicalResult emitInto(Emitter &e, mlir::Region &from, mlir::Region &to,
                             llvm::function_ref<mlir::LogicalResult(mlir::Block &)> emit);
/// A dot with an `atom` (TensorCore.cpp).
mlir::LogicalResult emitTensorCoreDot(Emitter &e, mlir::Operation *op);
/// A dot whose operands lie in shared memory (Wgmma.cpp).
mlir::LogicalResult emitWarpgroupDot(Emitter &e, mlir::Operation *op);
/// Sums that a loop carries while a product of the iteration before may still change them: in
/// registers from the first iteration to the wait behind the loop, never in storage.
struct SumsInFlight {
  unsigned index; ///< of the carried value
  tileas::DotOp dot;
};
std::optional<SumsInFlight> sumsInFlight(mlir::scf::ForOp loop);
llvm::SmallVector<mlir::Value> loadSums(Emitter &e, tileas::DotOp dot, const Tile &tile);
void storeSums(Emitter &e, tileas::DotOp dot, mlir::ValueRange sums, const Tile &tile);

/// At the kernel's start: allocates columns of tensor memory when the kernel needs some (Tcgen05.cpp).
void claimTensorMemory(Emitter &e);
/// At its end.
void releaseTensorMemory(Emitter &e);
/// The tensor core arrives at the barrier when the products that the thread has issued are complete;
/// at that of each of the first `blocks` blocks of the cluster, where there are several.
void commitProducts(Emitter &e, mlir::Value barrier, int64_t blocks = 1);

/// Turns a module-level nv_tileaa.global into an LLVM global of the same name.
mlir::LogicalResult emitGlobal(mlir::OpBuilder &builder, mlir::Operation *global);

/// All handlers of all families.
const HandlerTable &handlerTable();

class Emitter {
public:
  Emitter(mlir::gpu::GPUFuncOp function, unsigned numWarps);

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::gpu::GPUFuncOp function;
  unsigned numWarps;

  /// Emits all operations of a block (terminator included) at the builder's insertion point.
  mlir::LogicalResult emitBlock(mlir::Block &block);
  /// Emits one operation; elementwise ones wait for others (see `flush`).
  mlir::LogicalResult emitOperation(mlir::Operation *op);
  /// Emits the group of pending elementwise operations as one register loop.
  mlir::LogicalResult flush();
  /// Emits an elementwise operation on scalars and returns its results.
  mlir::LogicalResult emitElement(mlir::Operation *op, mlir::ValueRange operands,
                                  mlir::Value position,
                                  llvm::SmallVectorImpl<mlir::Value> &results);

  /// Whether the function of the operation has products: their sums take its registers.
  bool hasProducts(mlir::Operation *op);

  //===- values -------------------------------------------------------------------------------------//
  mlir::Value scalar(mlir::Value value); ///< emitted scalar of a scalar value
  void setScalar(mlir::Value value, mlir::Value emitted) { scalars[value] = emitted; }
  const Tile &tile(mlir::Value value);
  void setTile(mlir::Value value, Tile tile) { tiles[value] = tile; }
  bool hasTile(mlir::Value value) const { return tiles.count(value); }
  /// Fresh storage for a value of tensor type.
  Tile makeTile(mlir::Value value);
  Tile makeTile(mlir::Type element, tileas::LayoutAttr layout);
  llvm::DenseMap<mlir::Value, MemoryRegion> regions; ///< memref and tiled view values

  mlir::Value loadRegister(const Tile &tile, mlir::Value index);
  void storeRegister(const Tile &tile, mlir::Value index, mlir::Value element);
  void copyTile(const Tile &from, const Tile &to);

  //===- building blocks ----------------------------------------------------------------------------//
  mlir::Value i32(int64_t value);
  mlir::Value i64(int64_t value);
  mlir::Value truth(bool value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b); ///< conjunction; either may be null (true)
  /// Loop from 0 to `count` in steps of `step`; asks for full unrolling when small. One turn emits no
  /// loop.
  void forLoop(int64_t count, llvm::function_ref<void(mlir::Value index)> body, int64_t step = 1);
  /// Neither LLVM nor ptxas unrolls the loop.
  static void keepRolled(mlir::scf::ForOp loop);
  /// The same as a loop that stays one: few registers where time does not matter.
  void rolledLoop(int64_t count, llvm::function_ref<void(mlir::Value index)> body);
  /// Loop that carries scalars.
  llvm::SmallVector<mlir::Value>
  forLoop(mlir::Value begin, mlir::Value end, mlir::Value step, mlir::ValueRange inits,
          llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);
  /// The same from `begin` to `end`, unrolled when there are few turns.
  llvm::SmallVector<mlir::Value> unrolledLoop(
      int64_t begin, int64_t end, int64_t step, mlir::ValueRange inits,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);
  /// `if (condition) body`; a null condition emits the body alone.
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// `if (condition) yes else no`; a null condition emits `yes` alone.
  void when(mlir::Value condition, llvm::function_ref<void()> yes, llvm::function_ref<void()> no);
  /// `condition ? yes() : no()` with control flow; a null condition means yes.
  mlir::Value choose(mlir::Value condition, mlir::Type type, llvm::function_ref<mlir::Value()> yes,
                     llvm::function_ref<mlir::Value()> no);
  /// Meeting of all threads that run the code being emitted: those of the block, or of an agent.
  void barrier();
  /// Emits `body` for `warps` warps of the block, of which `first` is the first one.
  mlir::LogicalResult emitAgent(unsigned agent, unsigned first, unsigned warps,
                                llvm::function_ref<mlir::LogicalResult()> body);
  /// Value of the lane whose index differs in the bits of `mask`; any element type.
  mlir::Value shuffleXor(mlir::Value value, unsigned mask);
  /// Value of the lane with the index `lane` (i32); any element type.
  mlir::Value shuffleFrom(mlir::Value value, mlir::Value lane);
  /// Converts between floating-point formats with one rounding. `from` is the tile element type of
  /// `value` (8-bit formats and tf32 are held in other types, see elementType), `rounding` a
  /// spelling of nv_tileaa.
  mlir::Value convertFloat(mlir::Value value, mlir::Type from, mlir::Type to,
                           llvm::StringRef rounding = "nearest_even");

  //===- layouts ------------------------------------------------------------------------------------//
  mlir::Value threadIndex(); ///< thread in the block, i32
  bool oneThread = false;    ///< only the first thread runs what is being emitted
  mlir::Value laneIndex();
  mlir::Value warpIndex();
  /// Xor of the bases of the set bits of `index` (i32). Runs of doubling bases become one shift.
  mlir::Value linear(mlir::Value index, llvm::ArrayRef<int64_t> bases);
  /// Row-major offset contributed by this thread (lane and warp); computed once in the entry block.
  mlir::Value threadOffset(tileas::LayoutAttr layout);
  /// Row-major offset of register `index` of this thread.
  mlir::Value position(tileas::LayoutAttr layout, mlir::Value index);
  /// Coordinates (i32) of a row-major offset in a power-of-two shape.
  llvm::SmallVector<mlir::Value> coordinates(mlir::Value position, llvm::ArrayRef<int64_t> shape);
  /// True in exactly one holder of each element: free lane and warp bits are zero. Null when always
  /// true.
  mlir::Value ownerThread(tileas::LayoutAttr layout);
  /// Same for register bits; null when always true.
  mlir::Value ownerRegister(tileas::LayoutAttr layout, mlir::Value index);

  /// Two registers as vector<2xf32>, and back.
  mlir::Value pair(mlir::Value low, mlir::Value high);
  mlir::Value half(mlir::Value pair, int64_t which);

  //===- memory -------------------------------------------------------------------------------------//
  /// Pointer `base + index` in units of `element`; the address space of `base` is kept. `index` is
  /// i32 or i64.
  mlir::Value elementPointer(mlir::Value base, mlir::Type element, mlir::Value index);
  mlir::Value load(mlir::Value pointer, mlir::Type element);
  void store(mlir::Value value, mlir::Value pointer);
  /// Address of a constant table that holds a dense value row-major.
  mlir::FailureOr<mlir::Value> constantTable(mlir::Operation *op, mlir::DenseElementsAttr value,
                                             mlir::Type element);
  /// Scratch area in shared memory at a byte offset; grows the function's shared-memory demand to
  /// `end` bytes. What is reached from the address lies between the two (gpu-remove-barriers).
  mlir::Value scratch(int64_t byteOffset, int64_t end);
  /// Shared memory for a tile that tensor copies store, where no swizzle has begun. It may be that of buffers
  /// which the warps have read for the last time.
  mlir::Value staging(int64_t bytes);
  /// So much of it is there for other code anyway.
  int64_t bytesLeftByReaders() const;
  /// A byte offset in the scratch area for an exchange over so many bytes, if possible beside the
  /// exchange before: then nobody has to wait until that one has been read (gpu-remove-barriers). In a loop
  /// beside the last two, for the first exchange of a turn follows the last one. `alignment`: of the address.
  int64_t nextPlace(int64_t bytes, int64_t alignment = 128);
  int64_t sharedBytes = 0;
  /// Local allocations (nv_tileaa.alloca) sit in shared memory below the scratch area, at these
  /// byte offsets.
  llvm::DenseMap<mlir::Operation *, int64_t> allocations;
  /// Address space of the pointers of this function: global, or generic when it has local
  /// allocations.
  unsigned pointerSpace = 1;
  /// Reserves shared memory for all local allocations under `root`; call before anything is
  /// emitted.
  mlir::LogicalResult reserveAllocations(mlir::Operation *root);
  /// The same for the buffers of pipelines, see PipelineBuffers.cpp.
  void reservePipelineBuffers(mlir::Operation *root);
  llvm::DenseMap<mlir::Operation *, int64_t> pipelineBuffers;
  /// Where the mbarriers of a pipeline lie: "full" of each stage, then "empty" of each stage. The
  /// same for the response of cancel_next_program_id and its mbarrier.
  llvm::DenseMap<mlir::Operation *, int64_t> barrierWords;
  /// Address of the word `index` (i32, of 8 bytes) of `op`.
  mlir::Value barrierWord(mlir::Operation *op, mlir::Value index);
  /// Where a slot (an argument of a region) lies: the stage (i32) of the buffer of an alloc_tensor.
  llvm::DenseMap<mlir::Value, std::pair<mlir::Operation *, mlir::Value>> slotPlaces;
  /// The address of a slot in units of kDescriptorUnit, as descriptors of operands hold it. Loops
  /// share all of it but a product with the stage.
  mlir::Value slotUnits(mlir::Value slot);
  mlir::Value addressUnits(mlir::Value address); ///< of an address in shared memory, i32
  /// The descriptor of an operand that begins there. Steps are added to it; it is opaque, so that
  /// LLVM does not add them to the fixed bits, which would make sums of two words.
  mlir::Value descriptor(mlir::Value units, uint64_t fixedBits);
  /// The number (i64, i32), of which LLVM knows nothing; `anew` in each turn of a loop and for each use,
  /// so that what is computed from it takes no registers meanwhile.
  mlir::Value opaque(mlir::Value number, bool anew = false);
  /// The mbarrier on which copies into a slot (an argument of a region) complete.
  llvm::DenseMap<mlir::Value, mlir::Value> slotBarriers;
  /// Sums of products that go on (see sumsInFlight), by the value that stands for the tile.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> inFlight;
  /// The maps of the kernel by view and buffer layout, see TensorMaps.h.
  struct {
    using Key = std::pair<mlir::Value, mlir::Attribute>;
    llvm::DenseMap<Key, unsigned> numbers; ///< of those that the block makes
    llvm::DenseMap<Key, HostMadeMap> hostMade;
    unsigned parameters = 0;   ///< that are such maps
    int64_t parameterBank = 0; ///< where it begins, if host code makes maps
    llvm::DenseMap<Key, TensorMap> made;
    int64_t sharedOffset = 0;
    mlir::Value slot;         ///< i32; negative: none was free
    int64_t blocks = 1;       ///< of a cluster that copy for each other
    mlir::Value allHaveSlots; ///< of them, i1
  } tensorMaps;
  /// Of the loop that is being emitted, all tensor copies may use their maps.
  bool mapsHold = false;
  /// Numbers the maps and reserves shared memory for them; writes the function of the host.
  void reserveTensorMaps(mlir::Operation *root);
  /// Tensor memory of the block, see Tcgen05.cpp.
  struct {
    mlir::Operation *owner = nullptr; ///< whose barrier words are the kernel's; null: not used
    int64_t columns = 0;              ///< a power of two
    mlir::Value base;                 ///< address of the first column, i32
    mlir::Value rounds;               ///< counter of the waits for all products
  } tensorMemory;
  /// Counts the columns and reserves shared memory for the barrier.
  void reserveTensorMemory(mlir::Operation *root);
  /// A counter of this thread, zero when the kernel starts.
  mlir::Value makeCounter();
  /// First byte that is free for the scratch area of the agent that is being emitted.
  int64_t scratchFloor = 0;
  /// First byte that no buffer alive at the current operation uses.
  int64_t scratchBase() const;
  /// The same where rings count no longer whose last stage the current agent has read.
  int64_t stagingBase() const;
  /// Address of stage `stage` (i32) of the buffer of an alloc_tensor.
  mlir::Value slotAddress(mlir::Operation *alloc, mlir::Value stage);
  /// A global or shared pointer in the function's pointer address space.
  mlir::Value adaptPointer(mlir::Value pointer);

  /// Type that holds an element of a tile in a thread: pointers become !llvm.ptr<1>, see heldType.
  mlir::Type elementType(mlir::Type type);
  /// Bytes of one element in memory.
  int64_t elementBytes(mlir::Type type);

private:
  /// What a turn of a register loop has computed for one register.
  struct ElementsOfTurn {
    mlir::Value index; ///< of the register
    llvm::DenseMap<mlir::Value, mlir::Value> local;
  };
  mlir::Value elementOf(mlir::Value operand, ElementsOfTurn &turn);
  mlir::LogicalResult emitTurn(mlir::Operation *op, ElementsOfTurn &turn);
  /// A packed operation for two registers; `pairs` holds what has been packed.
  void emitPair(mlir::Operation *op, llvm::MutableArrayRef<ElementsOfTurn> turns,
                llvm::DenseMap<mlir::Value, mlir::Value> &pairs);
  bool isElementwise(mlir::Operation *op) const;
  /// Moves a value of any type by shuffles of 32 bits.
  mlir::Value shuffleWords(mlir::Value value, llvm::function_ref<mlir::Value(mlir::Value)> shuffle);

  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<mlir::Value, Tile> tiles;
  llvm::DenseMap<tileas::LayoutAttr, mlir::Value> threadOffsets;
  llvm::DenseMap<tileas::LayoutAttr, mlir::Value> owners;
  mlir::Value threadId, laneId, warpId;
  unsigned agentBarrier = 0;              ///< hardware barrier of the agent; 0: that of the block
  mlir::Operation *entryMarker = nullptr; ///< allocations and thread offsets go before it
  mlir::Operation *current = nullptr;     ///< being emitted
  struct BufferLife {
    int64_t from, to, offset, bytes; ///< first and last operation in program order; where
    mlir::Region *reader = nullptr;  ///< of the agent that reads it, alone
    int64_t lastRead = 0;            ///< the operation of this agent behind which it has read all
  };
  mlir::Value sharedRange(int64_t first, int64_t end);
  llvm::SmallVector<BufferLife> bufferLives;
  llvm::DenseMap<mlir::Operation *, int64_t> programOrder; ///< empty without buffers
  int64_t scratchStart = 0; ///< bytes of shared memory before the scratch area
  /// Bytes over which exchanges take turns: beside rings, and in kernels without one; there also three operands
  /// that warpgroups read, of so many `bytes`.
  static constexpr int64_t kPlaces = 16384, kPlacesAlone = 32768, kMostPlaces = 98304;
  int64_t bytesOfPlaces(int64_t bytes) const;
  std::array<std::pair<int64_t, int64_t>, 2>
      lastPlaces; ///< of the exchanges before: first byte, end
  llvm::SmallVector<mlir::Operation *> pending;
  int64_t pendingRegisters = 0;
  unsigned numTables = 0;
  std::optional<bool> products; ///< looked for once

  template <typename F> auto inEntry(F &&build) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(entryMarker);
    return build();
  }
};

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_EMITTER_H
