//===- BlocksTogether.h - what a block may take that shares a multiprocessor ------------------===//
//
// The hint `occupancy` asks that n blocks run on a multiprocessor at once, so that one works while others
// start, end or wait. Each may then take an nth of the registers and of the shared memory.
//
//   tileas-generate-schedule     divides both where pipelines of two stages and the tiles of a thread fit,
//                                else asks for fewer blocks
//   tileas-materialize-schedule  keeps to the part, too, where warps of their own copy
//   convert-tileas-to-nvgpu      hands the number on (`.minnctapersm`)
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_BLOCKSTOGETHER_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_BLOCKSTOGETHER_H

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/target/Targets.h"

namespace tilesmith::tileas {

/// Blocks on a multiprocessor that the kernel is made for; at least one.
int64_t blocksTogether(tileaa::FuncOp function);
void setBlocksTogether(tileaa::FuncOp function, int64_t blocks);

/// Of shared memory, what each of so many blocks may ask for.
int64_t sharedBytesOfBlock(const target::GpuTarget &gpu, int64_t blocks);

/// Barriers, tokens and drafts of tensor maps of a block, which lie in front of its rings.
inline constexpr int64_t kBarrierBytes = 1024;

/// Bytes that an operation takes to pass tiles between threads, as far as its tiles tell.
int64_t exchangedBytes(mlir::Operation *op);
/// Whether it converts a layout, and more than goes through shared memory at once.
bool exchangesInRounds(mlir::Operation *op);

/// Registers with which a thread must begin: ptxas refuses a warpgroup product whose sums do not fit into
/// those, whatever `setmaxnreg` adds later. 0 without such products.
int64_t leastRegisters(tileaa::FuncOp function);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_BLOCKSTOGETHER_H
