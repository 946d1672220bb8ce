//===- Memory.cpp - loads, stores and atomics: nv_tileaa to nv_tileas -------------------------===//
//
// Absent tokens are made explicit, so that every access of nv_tileas has one result token. An access
// to an element of a memref becomes one through a pointer.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Rewriter.h"
#include "compiler/dialect/TileAA/Transforms/AliasScopes.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileaa_to_tileas;

namespace {

Type tokenType(Rewriter &r) {
  return tileaa::MemTokenType::get(r.rewriter.getContext());
}

/// Replaces a source op by `created`; its trailing result token may be absent in the source.
void finish(Rewriter &r, Operation *op, Operation *created) {
  tileaa::copyObjects(op, created);
  r.replace(op, created->getResults().take_front(op->getNumResults()));
}

/// `created`, with the hints of the access it replaces; nv_tileaa does not limit a latency.
template <typename Access> Operation *withHints(Operation *created, Access access) {
  IntegerAttr latency = access.getLatencyAttr();
  BoolAttr allowed;
  if constexpr (requires { access.getAllowTmaAttr(); })
    allowed = access.getAllowTmaAttr();
  if (!latency && !allowed)
    return created;
  int64_t known = latency ? std::clamp<int64_t>(latency.getInt(), 1, 10) : 0;
  tileas::annotations(created).getHintsAttrHelper().setAttr(
      created,
      tileas::HintsAttr::get(created->getContext(), known, !allowed || allowed.getValue()));
  return created;
}

/// Pointer to the element of a memref with these indices: base + sum of index * stride. The pointer
/// itself where there are none.
FailureOr<Value> elementAddress(Rewriter &r, Operation *op, Value base, ValueRange indices) {
  auto type = dyn_cast<tileaa::MemRefType>(base.getType());
  if (!type)
    return base;
  auto make = base.getDefiningOp<tileaa::MakeMemRefOp>();
  if (!make)
    return op->emitOpError(
        "expected a memref of 'nv_tileaa.make_memref', got a value that a region "
        "or a call hands on");
  Location loc = op->getLoc();
  auto i64 = [&](Value value) -> Value {
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(r.rewriter, loc, r.rewriter.getI64Type(), value);
    if (value.getType().getIntOrFloatBitWidth() < 64)
      return arith::ExtSIOp::create(r.rewriter, loc, r.rewriter.getI64Type(), value);
    return value;
  };
  auto dynamic = make.getStrides().begin();
  Value offset = make.getOffset() ? i64(make.getOffset()) : Value();
  for (auto [index, stride] : llvm::zip_equal(indices, type.getStrides())) {
    Value step = TILESMITH_PLANT("memref-stride-ignored")
                     ? arith::ConstantIntOp::create(r.rewriter, loc, 1, 64)
                 : ShapedType::isDynamic(stride)
                     ? i64(*dynamic++)
                     : arith::ConstantIntOp::create(r.rewriter, loc, stride, 64);
    Value part = arith::MulIOp::create(r.rewriter, loc, i64(index), step);
    offset = offset ? arith::AddIOp::create(r.rewriter, loc, offset, part) : part;
  }
  if (!offset)
    return make.getBase();
  return Value(
      tileaa::AddPtrOp::create(r.rewriter, loc, make.getBase().getType(), make.getBase(), offset));
}

/// What was assumed of a memref is known by now; scalars and tiles keep the op.
LogicalResult rewriteAssume(Rewriter &r, Operation *op) {
  if (isa<tileaa::MemRefType>(op->getResult(0).getType()))
    r.rewriter.replaceOp(op, op->getOperands());
  return success();
}

LogicalResult rewriteLoad(Rewriter &r, Operation *op) {
  auto load = cast<tileaa::LoadOp>(op);
  FailureOr<Value> base = elementAddress(r, op, load.getBase(), load.getIndices());
  if (failed(base))
    return failure();
  finish(r, op,
         withHints(tileas::LoadOp::create(
                       r.rewriter, op->getLoc(), load.getResult().getType(), tokenType(r), *base,
                       load.getMask(), load.getOther(), load.getToken(), load.getMemSemanticAttr(),
                       load.getMemScopeAttr(), load.getIsVolatileAttr(),
                       load.getCacheModifierAttr(), load.getEvictionPolicyAttr()),
                   load));
  return success();
}

LogicalResult rewriteStore(Rewriter &r, Operation *op) {
  auto store = cast<tileaa::StoreOp>(op);
  FailureOr<Value> base = elementAddress(r, op, store.getBase(), store.getIndices());
  if (failed(base))
    return failure();
  finish(r, op,
         withHints(tileas::StoreOp::create(r.rewriter, op->getLoc(), tokenType(r), *base,
                                           store.getValue(), store.getMask(), store.getToken(),
                                           store.getMemSemanticAttr(), store.getMemScopeAttr(),
                                           store.getIsVolatileAttr(), store.getCacheModifierAttr(),
                                           store.getEvictionPolicyAttr()),
                   store));
  return success();
}

LogicalResult rewriteTiledLoad(Rewriter &r, Operation *op) {
  auto load = cast<tileaa::TiledLoadOp>(op);
  finish(r, op,
         withHints(tileas::TiledLoadOp::create(r.rewriter, op->getLoc(), load.getResult().getType(),
                                               tokenType(r), load.getView(), load.getIndices(),
                                               load.getToken(), load.getMemSemanticAttr(),
                                               load.getMemScopeAttr(), load.getInBoundsAttr()),
                   load));
  return success();
}

LogicalResult rewriteTiledStore(Rewriter &r, Operation *op) {
  auto store = cast<tileaa::TiledStoreOp>(op);
  finish(r, op,
         withHints(tileas::TiledStoreOp::create(
                       r.rewriter, op->getLoc(), tokenType(r), store.getView(), store.getValue(),
                       store.getIndices(), store.getToken(), store.getMemSemanticAttr(),
                       store.getMemScopeAttr(), store.getInBoundsAttr()),
                   store));
  return success();
}

/// What a gather view of rank R over a memref would say is not in the memref's type.
LogicalResult expectTiledView(Operation *op, Value view) {
  if (isa<tileaa::TiledViewType>(view.getType()))
    return success();
  return op->emitOpError("expected a tiled view, got ")
         << view.getType() << "; 'nv_tileaa.block_tile' makes one";
}

LogicalResult rewriteGatherLoad(Rewriter &r, Operation *op) {
  auto load = cast<tileaa::GatherLoadOp>(op);
  if (failed(expectTiledView(op, load.getView())))
    return failure();
  finish(r, op,
         withHints(tileas::GatherLoadOp::create(
                       r.rewriter, op->getLoc(), load.getResult().getType(), tokenType(r),
                       load.getView(), load.getIndices(), load.getMask(), load.getOther(),
                       load.getToken(), load.getMemSemanticAttr(), load.getMemScopeAttr(),
                       load.getInBoundsAttr()),
                   load));
  return success();
}

LogicalResult rewriteScatterStore(Rewriter &r, Operation *op) {
  auto store = cast<tileaa::ScatterStoreOp>(op);
  if (failed(expectTiledView(op, store.getView())))
    return failure();
  finish(r, op,
         withHints(tileas::ScatterStoreOp::create(r.rewriter, op->getLoc(), tokenType(r),
                                                  store.getView(), store.getValue(),
                                                  store.getIndices(), store.getMask(),
                                                  store.getToken(), store.getMemSemanticAttr(),
                                                  store.getMemScopeAttr(), store.getInBoundsAttr()),
                   store));
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
      TILESMITH_PLANT("view-atomic-token-dropped") ? Value() : rmw.getToken(), rmw.getRmwModeAttr(),
      rmw.getMemSemanticAttr(), rmw.getMemScopeAttr());
  if (rmw.getResultToken())
    r.rewriter.replaceAllUsesWith(rmw.getResultToken(), created.getResultToken());
  r.rewriter.eraseOp(op);
  return success();
}

} // namespace

void tileaa_to_tileas::populateMemoryRewrites(RewriteTable &rewrites) {
  rewrites.add<tileaa::AssumeOp>(rewriteAssume);
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
