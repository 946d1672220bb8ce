//===- ShapeOps.cpp - verifiers of shape ops --------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/ShapeOps.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileAA/IR/ShapeOps.cpp.inc"
      >();
}

static RankedTensorType tensorOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

LogicalResult SplatOp::verify() {
  if (tensorOf(getResult()).getElementType() != getSource().getType())
    return emitOpError("expects elements of type ")
           << getSource().getType() << ", but got " << getResult().getType();
  return success();
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = tensorOf(getSource()).getShape(), to = tensorOf(getResult()).getShape();
  if (from.size() != to.size())
    return emitOpError("expects equal ranks, but got ") << from.size() << " vs " << to.size();
  for (auto [a, b] : llvm::zip(from, to))
    if (a != b && a != 1)
      return emitOpError("only extents of 1 grow, but got ") << a << " to " << b;
  return success();
}

LogicalResult ViewOp::verify() {
  int64_t from = tensorOf(getSource()).getNumElements(),
          to = tensorOf(getResult()).getNumElements();
  if (from != to)
    return emitOpError("expects equal element counts, but got ") << from << " vs " << to;
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  ArrayRef<int64_t> from = tensorOf(getSource()).getShape(), to = tensorOf(getResult()).getShape();
  ArrayRef<int32_t> axes = getAxes();
  if (from.size() + axes.size() != to.size())
    return emitOpError("expects rank ") << from.size() + axes.size() << ", but got " << to.size();
  SmallVector<int64_t> rest;
  for (auto [i, extent] : llvm::enumerate(to)) {
    if (!llvm::is_contained(axes, static_cast<int32_t>(i)))
      rest.push_back(extent);
    else if (extent != 1)
      return emitOpError("inserted extent must be 1, but got ") << extent;
  }
  if (ArrayRef<int64_t>(rest) != from || !llvm::is_sorted(axes))
    return emitOpError("result is not the source with extents of 1 inserted at the given axes");
  return success();
}

LogicalResult ExtractOp::verify() {
  RankedTensorType type = tensorOf(getSource());
  if (type.getElementType() != getResult().getType())
    return emitOpError("expects result type ")
           << type.getElementType() << ", but got " << getResult().getType();
  if (getIndices().empty() ? type.getNumElements() != 1
                           : static_cast<int64_t>(getIndices().size()) != type.getRank())
    return emitOpError("expects ") << type.getRank() << " indices, but got " << getIndices().size();
  return success();
}

LogicalResult ExtractSliceOp::verify() {
  RankedTensorType from = tensorOf(getSource()), to = tensorOf(getResult());
  if (from.getElementType() != to.getElementType() || from.getRank() != to.getRank())
    return emitOpError("expects equal rank and element type, but got ") << from << " vs " << to;
  if (static_cast<int64_t>(getIndices().size()) != from.getRank())
    return emitOpError("expects ") << from.getRank() << " indices, but got " << getIndices().size();
  for (auto [a, b] : llvm::zip(from.getShape(), to.getShape()))
    if (b == 0 || a % b != 0)
      return emitOpError("slice extent ") << b << " does not divide " << a;
  return success();
}

LogicalResult CatOp::verify() {
  RankedTensorType lhs = tensorOf(getLhs()), rhs = tensorOf(getRhs()),
                   result = tensorOf(getResult());
  if (lhs.getElementType() != rhs.getElementType() ||
      lhs.getElementType() != result.getElementType())
    return emitOpError("expects equal element types");
  if (lhs.getRank() != rhs.getRank() || lhs.getRank() != result.getRank())
    return emitOpError("expects equal ranks");
  int64_t dim = getDim();
  if (dim < 0 || dim >= lhs.getRank())
    return emitOpError("dimension ") << dim << " is out of range for rank " << lhs.getRank();
  for (int64_t i = 0; i < lhs.getRank(); ++i) {
    int64_t a = lhs.getDimSize(i), b = rhs.getDimSize(i), r = result.getDimSize(i);
    if (i == dim ? a + b != r : (a != b || a != r))
      return emitOpError("extents do not add up along dimension ")
             << i << ": " << a << ", " << b << " to " << r;
  }
  return success();
}

LogicalResult PermuteOp::verify() {
  ArrayRef<int64_t> from = tensorOf(getSource()).getShape(), to = tensorOf(getResult()).getShape();
  ArrayRef<int32_t> perm = getPermutation();
  if (perm.size() != from.size() || to.size() != from.size())
    return emitOpError("expects ")
           << from.size() << " permutation entries, but got " << perm.size();
  SmallVector<bool> seen(perm.size(), false);
  for (auto [i, p] : llvm::enumerate(perm)) {
    if (p < 0 || p >= static_cast<int32_t>(perm.size()) || seen[p])
      return emitOpError("expects a permutation of all dimensions");
    seen[p] = true;
    if (to[i] != from[p])
      return emitOpError("result extent ") << i << " must be " << from[p] << ", but got " << to[i];
  }
  return success();
}

LogicalResult MakeRangeOp::verify() {
  RankedTensorType type = tensorOf(getResult());
  if (type.getRank() != 1 || !type.getElementType().isSignlessInteger())
    return emitOpError("expects a rank-1 integer result, but got ") << type;
  if (getStart().getType() != getEnd().getType())
    return emitOpError("expects start and end of one type");
  return success();
}

LogicalResult GenerateOp::verify() {
  Block &block = getBody().front();
  if (block.empty() || !llvm::isa<YieldOp>(block.back()))
    return emitOpError("expects regions to end with 'nv_tileaa.yield'");
  auto type = llvm::cast<RankedTensorType>(getResult().getType());
  size_t rank = type.getRank();
  if (block.getNumArguments() != rank + getCaptured().size())
    return emitOpError("expects ")
           << rank << " coordinates and " << getCaptured().size()
           << " captured values as block arguments, but got " << block.getNumArguments();
  for (auto [i, argument] : llvm::enumerate(block.getArguments()))
    if (Type wanted =
            i < rank ? Type(Builder(getContext()).getI32Type()) : getCaptured()[i - rank].getType();
        argument.getType() != wanted && !(i < rank && argument.getType().isIndex()))
      return emitOpError("expects block argument ")
             << i << " of type " << wanted << ", but got " << argument.getType();
  if (block.back().getNumOperands() != 1 ||
      block.back().getOperand(0).getType() != type.getElementType())
    return emitOpError("expects one yielded value of type ") << type.getElementType();
  return success();
}

} // namespace tilesmith::tileaa
