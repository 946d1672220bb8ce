//===- Compute.cpp - dot, reduce and scan: nv_tileaa to nv_tileas ---------------------------------===//
//
// The result layout of a reduction is the operand layout without the axis; a conversion to the canonical layout of the
// result shape follows where the two differ. Bodies move unchanged; their terminator becomes nv_tileas.yield.
//
//===----------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Rewriter.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::aatoas;

namespace {

void moveBody(Rewriter &r, Region &from, Region &to) {
  to.takeBody(from);
  Operation *yield = to.front().getTerminator();
  OpBuilder::InsertionGuard guard(r.rewriter);
  r.rewriter.setInsertionPoint(yield);
  r.rewriter.replaceOpWithNewOp<tileas::YieldOp>(yield, yield->getOperands());
}

LogicalResult rewriteDot(Rewriter &r, Operation *op) {
  auto dot = cast<tileaa::DotOp>(op);
  if (dot.getSfa())
    return op->emitOpError("with block scales is not supported yet");
  auto isSigned = [](std::optional<tileaa::Signedness> signedness) {
    return !signedness || *signedness == tileaa::Signedness::signed_;
  };
  r.replace(op, tileas::DotOp::create(r.rewriter, op->getLoc(), dot.getResult().getType(), dot.getA(), dot.getB(),
                                      dot.getC(), isSigned(dot.getSignednessA()), isSigned(dot.getSignednessB()))
                    ->getResults());
  return success();
}

LogicalResult rewriteReduce(Rewriter &r, Operation *op) {
  auto reduce = cast<tileaa::ReduceOp>(op);
  SmallVector<Type> types;
  for (auto [operand, result] : llvm::zip_equal(reduce.getOperands(), reduce.getResults())) {
    auto tensor = dyn_cast<RankedTensorType>(result.getType());
    if (!tensor) {
      types.push_back(result.getType());
      continue;
    }
    auto layout = tileas::reduceLayout(tileas::getLayout(operand.getType()), reduce.getAxis());
    types.push_back(tileas::withLayout(tensor, layout));
  }
  auto created = tileas::ReduceOp::create(r.rewriter, op->getLoc(), types, reduce.getOperands(), reduce.getAxisAttr());
  moveBody(r, reduce.getBody(), created.getBody());
  r.replace(op, created->getResults());
  return success();
}

LogicalResult rewriteScan(Rewriter &r, Operation *op) {
  auto scan = cast<tileaa::ScanOp>(op);
  auto created = tileas::ScanOp::create(r.rewriter, op->getLoc(), op->getResultTypes(), scan.getOperands(),
                                        scan.getAxisAttr(), scan.getReverseAttr());
  moveBody(r, scan.getBody(), created.getBody());
  r.replace(op, created->getResults());
  return success();
}

} // namespace

void aatoas::populateComputeRewrites(llvm::StringMap<Rewrite> &rewrites) {
  rewrites["nv_tileaa.dot"] = rewriteDot;
  rewrites["nv_tileaa.reduce"] = rewriteReduce;
  rewrites["nv_tileaa.scan"] = rewriteScan;
}
