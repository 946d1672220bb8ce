//===- TensorStores.cpp - tiles that tensor copies bring from shared to global memory ---------===//
//
// tileas-lower-tensor-stores has said how the tile lies in shared memory (`staging`):
//
//   meet      nobody uses any more what lay there
//   write     each thread what it holds, fragments of 16-bit elements by stmatrix; a fence, behind which the
//             async proxy sees it, and what the threads did to memory before
//   meet
//   copy      the first thread, box by box (TensorMaps.h), and waits until the copies have read: the exchange
//             that comes next begins with a meeting
//
// Where no map describes the tensor, all threads copy from there, in a loop that is not unrolled: it is there
// for correctness.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/TensorMaps.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::SharedLayoutAttr;

static void writeStaged(Emitter &e, tileas::TiledStoreOp store, const Tile &tile, Value staged,
                        SharedLayoutAttr staging) {
  const int64_t bytes = e.elementBytes(tile.element);
  const target::GpuTarget &gpu = tileaa::getTarget(store->getParentOfType<ModuleOp>());
  if (gpu.has(target::Feature::StMatrix))
    if (std::optional<tileas::LdMatrixPlan> plan =
            tileas::planStagingMatrices(tile.layout, staging, bytes))
      return writeMatrices(e, tile, staged, {staging, staging.offsetsOf(tile.layout), *plan});
  writeShared(e, tile, {staged, tile.element, bytes, staging.toLinear(), /*inBytes=*/true});
}

/// Threads bring the elements that lie inside of the tensor.
static void copyByThreads(Emitter &e, tileas::TiledStoreOp store, Value staged,
                          SharedLayoutAttr staging, Type element, ArrayRef<Value> origin) {
  OpBuilder &b = e.builder;
  auto view = cast<tileaa::TiledViewType>(store.getView().getType());
  const MemoryRegion &region = e.regions[store.getView()];
  ArrayRef<int64_t> shape = staging.getShape();
  const int64_t elements = llvm::product_of(shape), threads = 32 * int64_t(e.numWarps);
  SmallVector<int64_t> offsets = staging.getElementOffsets();
  e.rolledLoop(llvm::divideCeil(elements, threads), [&](Value turn) {
    Value position = e.add(e.mul(turn, e.i32(threads)), e.threadIndex());
    Value exists;
    if (elements % threads)
      exists =
          arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ult, position, e.i32(elements));
    e.when(exists, [&] {
      ViewElement target = viewElement(e, region, view, origin, e.coordinates(position, shape));
      e.when(target.inside, [&] {
        Value from = e.elementPointer(staged, element, e.linear(position, offsets));
        typedStore(e, e.load(from, element), target.pointer, accessOf(store));
      });
    });
  });
}

LogicalResult tileas_to_nvgpu::emitStagedStore(Emitter &e, tileas::TiledStoreOp store) {
  SharedLayoutAttr staging = tileas::getStaging(store);
  const Tile tile = e.tile(store.getValue());
  SmallVector<Value> origin =
      tileOrigin(e, cast<tileaa::TiledViewType>(store.getView().getType()), store.getIndices());
  Value staged = e.staging(tile.layout.getNumElements() * e.elementBytes(tile.element));
  if (!TILESMITH_PLANT("tensor-store-overwrites-readers"))
    e.barrier();
  writeStaged(e, store, tile, staged, staging);
  if (!TILESMITH_PLANT("tensor-store-without-proxy-fence"))
    fenceAsyncProxyAt(e, store);
  if (!TILESMITH_PLANT("tensor-store-before-others-wrote"))
    e.barrier();
  emitTensorStore(e, store, staged, origin,
                  [&] { copyByThreads(e, store, staged, staging, tile.element, origin); });
  return success();
}
