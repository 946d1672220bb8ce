//===- TensorMaps.h - tensor maps that a kernel makes for itself ------------------------------===//
//
// A tensor copy reads its tensor map (128 bytes) from parameter, constant or global memory. Where a
// function of the host runs before the kernel, it makes the maps that follow from the arguments
// (HostTensorMaps.h). All others each block makes on the device, in global memory that the module
// declares:
//
//   tensor_maps_<kernel>       kSlots slots of M maps each, M being what the kernel needs
//   tensor_map_slots_<kernel>  one word per slot: 0 free, 1 taken
//
// Protocol of a block
//   claim     its first thread takes a free slot by compare-and-swap (acquire, gpu scope), starting
//             at the block's number, so that blocks that run together try different words; other
//             launches of the same module collide and probe on, by an odd step. After kProbes
//             taken slots it goes without.
//   make      where the kernel makes a view: the first warp writes the fields in shared memory and
//             publishes them (tensormap.cp_fenceproxy, release; fence.proxy.tensormap, acquire) at
//             gpu scope. The thread that has made a map issues the copies through it.
//   release   at the kernel's end, behind a barrier of the whole block: every copy has been waited
//             for by then, for each stage that is filled is read. The first thread stores 0
//             (release, gpu scope), so the next owner's writes come after all uses.
//
// Blocks of a cluster that copy for each other (multicast) do so where each of them has a slot: they tell
// each other, and the release comes behind a meeting of all.
//
// Nobody ever waits for a slot. A block without one, or whose tensor no map can describe, copies by
// the threads as if there were no tensor copies; hence any number of blocks, launches and streams
// may share the memory, and blocks that wait for each other cannot starve. A slot of a kernel that
// dies by a trap stays taken, but the whole context is lost with it.
//
// What must hold of a tensor is tested when the map is made: base and strides are multiples of 16
// bytes, the contiguous dimension has stride 1, extents lie between 1 and 2^31 - 1. The test is the
// same for all threads, and constant where the source says enough.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_TENSORMAPS_H
#define COMPILER_CONVERSION_TILEASTONVGPU_TENSORMAPS_H

#include "compiler/conversion/TileASToNVGPU/Emitter.h"

namespace tilesmith::tileas_to_nvgpu {

/// At the kernel's start: takes a slot when the kernel needs one.
void claimTensorMaps(Emitter &e);
/// At its end.
void releaseTensorMaps(Emitter &e);
/// Behind the operation that makes a view: its maps, one per arrangement of the buffers it fills and of the tiles
/// that are stored through it.
void makeTensorMaps(Emitter &e, mlir::Value view);
/// Fills a slot by tensor copies; `otherwise` emits what happens without a map.
void emitTensorLoad(Emitter &e, tileas::AsyncTiledLoadOp load, llvm::ArrayRef<mlir::Value> origin,
                    mlir::Value condition, llvm::function_ref<void()> otherwise);

/// Bytes that the barrier of the slot then expects.
int64_t bytesOfTensorLoad(Emitter &e, tileas::AsyncTiledLoadOp load);
/// In front of a loop: whether all its tensor copies may use their maps, in each turn (i1). Null: that is
/// not known there, or others than the first thread have a part in filling the stages.
mlir::Value mapsHoldIn(Emitter &e, mlir::scf::ForOp loop);

/// Brings a tile from shared memory, where `staged` begins, to global memory by tensor copies; `otherwise` emits
/// what happens without a map. The copies have read when the first thread goes on, and are complete where
/// accesses stand behind them.
void emitTensorStore(Emitter &e, tileas::TiledStoreOp store, mlir::Value staged,
                     llvm::ArrayRef<mlir::Value> origin, llvm::function_ref<void()> otherwise);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_TENSORMAPS_H
