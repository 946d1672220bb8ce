//===- Memory.cpp - loads, stores and atomics: nv_tileaa to nv_tileas -------------------------===//
//
// Absent tokens are made explicit, so that every access of nv_tileas has one result token.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Rewriter.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileaa_to_tileas;

namespace {

Type tokenType(Rewriter &r) {
  return tileaa::MemTokenType::get(r.rewriter.getContext());
}

/// Replaces a source op by `created`; its trailing result token may be absent in the source.
void finish(Rewriter &r, Operation *op, Operation *created) {
  r.replace(op, created->getResults().take_front(op->getNumResults()));
}

/// `created`, with the hints of the load it replaces; nv_tileaa does not limit a latency.
template <typename Load> Operation *withHints(Operation *created, Load load) {
  IntegerAttr latency = load.getLatencyAttr();
  BoolAttr allowed;
  if constexpr (std::is_same_v<Load, tileaa::TiledLoadOp>)
    allowed = load.getAllowTmaAttr();
  if (!latency && !allowed)
    return created;
  int64_t known = latency ? std::clamp<int64_t>(latency.getInt(), 1, 10) : 0;
  tileas::annotations(created).getHintsAttrHelper().setAttr(
      created,
      tileas::HintsAttr::get(created->getContext(), known, !allowed || allowed.getValue()));
  return created;
}

/// Stores and reductions: their single result is the token.
LogicalResult noIndices(Operation *op, ValueRange indices) {
  if (!indices.empty())
    return op->emitOpError(
        "with memref indices is not supported: expected a pointer or a tile of pointers");
  return success();
}

LogicalResult rewriteLoad(Rewriter &r, Operation *op) {
  auto load = cast<tileaa::LoadOp>(op);
  if (failed(noIndices(op, load.getIndices())))
    return failure();
  finish(r, op,
         withHints(tileas::LoadOp::create(r.rewriter, op->getLoc(), load.getResult().getType(),
                                          tokenType(r), load.getBase(), load.getMask(),
                                          load.getOther(), load.getToken(),
                                          load.getMemSemanticAttr(), load.getMemScopeAttr()),
                   load));
  return success();
}

LogicalResult rewriteStore(Rewriter &r, Operation *op) {
  auto store = cast<tileaa::StoreOp>(op);
  if (failed(noIndices(op, store.getIndices())))
    return failure();
  finish(r, op,
         tileas::StoreOp::create(r.rewriter, op->getLoc(), tokenType(r), store.getBase(),
                                 store.getValue(), store.getMask(), store.getToken(),
                                 store.getMemSemanticAttr(), store.getMemScopeAttr()));
  return success();
}

LogicalResult rewriteTiledLoad(Rewriter &r, Operation *op) {
  auto load = cast<tileaa::TiledLoadOp>(op);
  finish(r, op,
         withHints(tileas::TiledLoadOp::create(r.rewriter, op->getLoc(), load.getResult().getType(),
                                               tokenType(r), load.getView(), load.getIndices(),
                                               load.getToken(), load.getMemSemanticAttr(),
                                               load.getMemScopeAttr()),
                   load));
  return success();
}

LogicalResult rewriteTiledStore(Rewriter &r, Operation *op) {
  auto store = cast<tileaa::TiledStoreOp>(op);
  finish(r, op,
         tileas::TiledStoreOp::create(r.rewriter, op->getLoc(), tokenType(r), store.getView(),
                                      store.getValue(), store.getIndices(), store.getToken(),
                                      store.getMemSemanticAttr(), store.getMemScopeAttr()));
  return success();
}

LogicalResult rewriteGatherLoad(Rewriter &r, Operation *op) {
  auto load = cast<tileaa::GatherLoadOp>(op);
  finish(r, op,
         tileas::GatherLoadOp::create(r.rewriter, op->getLoc(), load.getResult().getType(),
                                      tokenType(r), load.getView(), load.getIndices(),
                                      load.getToken(), load.getMemSemanticAttr(),
                                      load.getMemScopeAttr()));
  return success();
}

LogicalResult rewriteScatterStore(Rewriter &r, Operation *op) {
  auto store = cast<tileaa::ScatterStoreOp>(op);
  finish(r, op,
         tileas::ScatterStoreOp::create(r.rewriter, op->getLoc(), tokenType(r), store.getView(),
                                        store.getValue(), store.getIndices(), store.getToken(),
                                        store.getMemSemanticAttr(), store.getMemScopeAttr()));
  return success();
}

LogicalResult rewriteAtomicRMW(Rewriter &r, Operation *op) {
  auto rmw = cast<tileaa::AtomicRMWOp>(op);
  finish(r, op,
         tileas::AtomicRMWOp::create(r.rewriter, op->getLoc(), rmw.getResult().getType(),
                                     tokenType(r), rmw.getBase(), rmw.getValue(), rmw.getMask(),
                                     rmw.getToken(), rmw.getRmwModeAttr(), rmw.getMemSemanticAttr(),
                                     rmw.getMemScopeAttr()));
  return success();
}

LogicalResult rewriteAtomicCAS(Rewriter &r, Operation *op) {
  auto cas = cast<tileaa::AtomicCASOp>(op);
  finish(r, op,
         tileas::AtomicCASOp::create(r.rewriter, op->getLoc(), cas.getResult().getType(),
                                     tokenType(r), cas.getBase(), cas.getCompare(),
                                     cas.getReplacement(), cas.getMask(), cas.getToken(),
                                     cas.getMemSemanticAttr(), cas.getMemScopeAttr()));
  return success();
}

LogicalResult rewriteTiledAtomicRMW(Rewriter &r, Operation *op) {
  auto rmw = cast<tileaa::TiledAtomicRMWOp>(op);
  if (!rmw.getResult().use_empty())
    return op->emitOpError("expected the old values of a view reduction to be unused");
  auto created = tileas::TiledAtomicRMWOp::create(
      r.rewriter, op->getLoc(), tokenType(r), rmw.getView(), rmw.getValue(), rmw.getIndices(),
      rmw.getToken(), rmw.getRmwModeAttr(), rmw.getMemSemanticAttr(), rmw.getMemScopeAttr());
  if (rmw.getResultToken())
    r.rewriter.replaceAllUsesWith(rmw.getResultToken(), created.getResultToken());
  r.rewriter.eraseOp(op);
  return success();
}

} // namespace

void tileaa_to_tileas::populateMemoryRewrites(RewriteTable &rewrites) {
  rewrites.add<tileaa::LoadOp>(rewriteLoad);
  rewrites.add<tileaa::StoreOp>(rewriteStore);
  rewrites.add<tileaa::TiledLoadOp>(rewriteTiledLoad);
  rewrites.add<tileaa::TiledStoreOp>(rewriteTiledStore);
  rewrites.add<tileaa::GatherLoadOp>(rewriteGatherLoad);
  rewrites.add<tileaa::ScatterStoreOp>(rewriteScatterStore);
  rewrites.add<tileaa::AtomicRMWOp>(rewriteAtomicRMW);
  rewrites.add<tileaa::AtomicCASOp>(rewriteAtomicCAS);
  rewrites.add<tileaa::TiledAtomicRMWOp>(rewriteTiledAtomicRMW);
}
