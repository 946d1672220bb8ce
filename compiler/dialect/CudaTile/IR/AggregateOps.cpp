//===- AggregateOps.cpp - rules of reduce and scan --------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

// Operands, identities and dimension.
static LogicalResult verifyOperands(Operation *op, ValueRange operands, int32_t dim,
                                    ArrayAttr identities) {
  if (operands.empty())
    // rule: - (the trait of reduce and scan refuses it first)
    return op->emitOpError("expect at least 1 operand");
  if (operands.size() != op->getNumResults())
    // rule: reduce_result_count
    return op->emitOpError("expect same number of operands and results");
  if (operands.size() != identities.size())
    // rule: aggregate_identities
    return op->emitOpError("expect identities to match the number of operands but got: ")
           << operands.size() << " operands and " << identities.size() << " identities";
  for (auto [i, operand, identity] : llvm::enumerate(operands, identities)) {
    Type element = cast<TileType>(operand.getType()).getElementType();
    auto typed = dyn_cast<TypedAttr>(identity);
    if (!typed)
      // rule: aggregate_identity_untyped
      return op->emitOpError("expect a typed attribute for identity at index: ")
             << i << " but got: " << identity;
    // The two 16-bit float formats may stand for each other.
    bool sameWidthFloats = (element.isF16() && typed.getType().isBF16()) ||
                           (element.isBF16() && typed.getType().isF16());
    if (element != typed.getType() && !sameWidthFloats)
      // rule: aggregate_identity_type
      return op->emitOpError("expect same type for operand at index: ")
             << i << " and identity at index: " << i << " but got: " << element << " and "
             << typed.getType();
  }
  int64_t rank = cast<TileType>(operands.front().getType()).getRank();
  if (dim < 0 || dim >= rank)
    // rule: aggregate_dim
    return op->emitOpError("dimension (") << dim << ") is out of bound [0, " << rank << ")";
  return success();
}

// The region: pairs of scalars in, scalars out, nothing but pure ops inside.
static LogicalResult verifyBody(Operation *op, Block &block, ValueRange operands) {
  if (block.empty())
    // rule: - (a block without terminator is refused first)
    return op->emitOpError("expect non-empty block");
  size_t expected = operands.size() * 2;
  if (block.getNumArguments() != expected)
    // rule: aggregate_arguments
    return op->emitOpError("expect ")
           << expected << " block arguments but got: " << block.getNumArguments();
  auto elementAt = [&](size_t i) {
    return cast<TileType>(block.getArgument(i).getType()).getElementType();
  };
  for (BlockArgument argument : block.getArguments()) {
    auto tile = dyn_cast<TileType>(argument.getType());
    if (!tile || tile.getRank() != 0)
      // rule: aggregate_argument_rank
      return op->emitOpError("expect 0-rank tile type at index: ")
             << argument.getArgNumber() << " but got: " << argument.getType();
  }
  for (size_t i = 0; i < expected; i += 2)
    if (elementAt(i) != elementAt(i + 1))
      // rule: aggregate_argument_pair
      return op->emitOpError("expect same element type for block argument at index: ")
             << i << " and " << i + 1 << " but got: " << elementAt(i) << " and "
             << elementAt(i + 1);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Type element = cast<TileType>(operand.getType()).getElementType();
    if (element != elementAt(i * 2))
      // rule: aggregate_argument_type
      return op->emitOpError("expect same type for operand at index: ")
             << i << " and block argument at index: " << i * 2 << " but got: " << element << " and "
             << elementAt(i * 2);
  }

  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    // rule: - (other terminators refuse their parent first)
    return op->emitOpError("expect region to end in cuda_tile.yield");
  if (yield.getNumOperands() != operands.size())
    // rule: aggregate_yield_count
    return op->emitOpError("expect number of terminators operands (")
           << yield.getNumOperands() << ") to match number of operands (" << operands.size() << ")";
  for (auto [i, operand, yielded] : llvm::enumerate(operands, yield.getOperands())) {
    Type element = cast<TileType>(operand.getType()).getElementType();
    auto tile = dyn_cast<TileType>(yielded.getType());
    if (!tile)
      // rule: reduce_yield_tile
      return op->emitOpError("expected TileType for operand and terminator types but got: ")
             << operand.getType() << " and " << yielded.getType();
    if (tile.getElementType() != element)
      // rule: aggregate_yield_type
      return op->emitOpError("expect same type for operand at index: ")
             << i << " and terminator argument at index: " << i << " but got: " << element
             << " and " << tile.getElementType();
  }

  // The closed tools allow what has no memory effect (division), the public dialect what may also
  // be speculated.
  bool toolRules = usesToolRules(op);
  for (Operation &inner : block.without_terminator()) {
    if (toolRules ? isMemoryEffectFree(&inner) : isPure(&inner))
      continue;
    // rule: aggregate_pure, tool_aggregate
    return inner.emitOpError(toolRules ? "only memory-effect-free operations are allowed inside '"
                                       : "only pure operations are allowed inside '")
           << op->getName() << "'";
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  return verifyOperands(*this, getOperands(), getDim(), getIdentities());
}
LogicalResult ReduceOp::verifyRegions() {
  return verifyBody(*this, getBody().front(), getOperands());
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  for (Value operand : adaptor.getOperands()) {
    auto tile = dyn_cast<TileType>(operand.getType());
    if (!tile)
      return failure();
    SmallVector<int64_t> shape(tile.getShape());
    if (adaptor.getDim() < shape.size())
      shape.erase(shape.begin() + adaptor.getDim());
    types.push_back(TileType::get(shape, tile.getElementType()));
  }
  return success(!types.empty());
}

void ReduceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults())
    setName(getResult(0), "reduce");
}

void ReduceOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments()) {
    unsigned i = argument.getArgNumber();
    std::string name = i % 2 == 0 ? "reduce_lhs" : "reduce_rhs";
    if (region.getNumArguments() > 2)
      name += std::to_string(i / 2);
    setName(argument, name);
  }
}

LogicalResult ScanOp::verify() {
  if (failed(verifyOperands(*this, getOperands(), getDim(), getIdentities())))
    return failure();
  for (auto [i, operand, result] : llvm::enumerate(getOperands(), getResults()))
    if (operand.getType() != result.getType())
      // rule: scan_operand_type
      return emitOpError("expect same type for operand at index: ")
             << i << " and result at index: " << i;
  return success();
}
LogicalResult ScanOp::verifyRegions() {
  return verifyBody(*this, getBody().front(), getOperands());
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getOperands().getTypes());
  return success(!types.empty());
}
