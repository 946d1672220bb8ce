//===- ComputeOps.cpp - verifiers of arithmetic, dot, reduce and scan -------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/ComputeOps.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerComputeOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileAA/IR/ComputeOps.cpp.inc"
      >();
}

static ArrayRef<int64_t> shapeOf(Value value) {
  auto shaped = llvm::dyn_cast<ShapedType>(value.getType());
  return shaped ? shaped.getShape() : ArrayRef<int64_t>();
}

//===------------------------------------------------------------------------------------------===//
// fp_to_fp, bitcast
//===------------------------------------------------------------------------------------------===//

static bool isConvertibleFloat(Type type) {
  return llvm::isa<Float16Type, BFloat16Type, Float32Type, Float64Type, FloatTF32Type,
                   Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType, Float4E2M1FNType>(type);
}

LogicalResult FpToFpOp::verify() {
  if (!isConvertibleFloat(getElementTypeOrSelf(getSource().getType())))
    return emitOpError("fp_to_fp source element type is not supported");
  if (!isConvertibleFloat(getElementTypeOrSelf(getResult().getType())))
    return emitOpError("fp_to_fp result element type is not supported");
  return success();
}

/// Bits of the whole value; pointers count 64.
static int64_t totalBits(Type type) {
  Type element = getElementTypeOrSelf(type);
  int64_t bits = llvm::isa<PtrType>(element) ? 64 : element.getIntOrFloatBitWidth();
  // tf32 occupies a whole f32 word.
  if (llvm::isa<FloatTF32Type>(element))
    bits = 32;
  auto shaped = llvm::dyn_cast<ShapedType>(type);
  return shaped ? bits * shaped.getNumElements() : bits;
}

LogicalResult BitcastOp::verify() {
  Type from = getSource().getType(), to = getResult().getType();
  if (totalBits(from) != totalBits(to))
    return emitOpError("expects equal total width, but got ")
           << totalBits(from) << " vs " << totalBits(to);
  return success();
}

SmallVector<Value> BitcastOp::getProvenance() {
  if (llvm::isa<PtrType>(getElementTypeOrSelf(getSource().getType())))
    return {getSource()};
  return {};
}

//===------------------------------------------------------------------------------------------===//
// dot
//===------------------------------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  Type a = getElementTypeOrSelf(getA().getType()), b = getElementTypeOrSelf(getB().getType());
  Type c = getElementTypeOrSelf(getC().getType()), d = getElementTypeOrSelf(getResult().getType());
  auto all = [&](auto pred) { return llvm::all_of(ArrayRef<Type>{a, b, c, d}, pred); };
  bool ints = all([](Type t) { return llvm::isa<IntegerType>(t); });
  if (!ints && !all([](Type t) { return llvm::isa<FloatType>(t); }))
    return emitOpError(
        "expected the element types of A, B, C, and D to be either all integers or all floats.");
  if (ints) {
    if (a.getIntOrFloatBitWidth() != b.getIntOrFloatBitWidth())
      return emitOpError("expects #A and #B have same bit width but got ")
             << a.getIntOrFloatBitWidth() << " vs " << b.getIntOrFloatBitWidth();
    if (!getSignednessA())
      return emitOpError("expect signedness attribute for operand A");
    if (!getSignednessB())
      return emitOpError("requires attribute 'signedness_b'");
  } else if (llvm::isa<Float4E2M1FNType>(a)) {
    if (!c.isF32() && !c.isF16())
      return emitOpError("expects #C element type to be either f32 or f16, but got ") << c;
  } else if (!c.isF32() && !(a.isF64() && b.isF64() && c.isF64())) {
    return emitOpError("expects #C element type to be f32, but got ") << c;
  }
  ArrayRef<int64_t> sa = shapeOf(getA()), sb = shapeOf(getB()), sc = shapeOf(getC()),
                    sd = shapeOf(getResult());
  size_t rank = sd.size();
  if (rank != 2 && rank != 3)
    return emitOpError("expects rank-2 or rank-3 tensor for result, but got (")
           << getResult().getType() << ")";
  size_t batch = rank - 2;
  if (sa.size() != rank || sb.size() != rank || sa[batch + 1] != sb[batch] ||
      (batch && sa.front() != sb.front()))
    return emitOpError("expects the shape of operand #A and #B to be compatible");
  if (sc != sd || sc[batch] != sa[batch] || sc[batch + 1] != sb[batch + 1] ||
      (batch && sc.front() != sa.front()))
    return emitOpError("expects the shape of operand #C is compatible with operands #A and #B");
  if (bool(getSfa()) != bool(getSfb()))
    return emitOpError("expects both SFA and SFB to be present");
  return success();
}

//===------------------------------------------------------------------------------------------===//
// addf of constants
//===------------------------------------------------------------------------------------------===//

static std::optional<APFloat::roundingMode> foldableRounding(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::nearest_even:
    return APFloat::rmNearestTiesToEven;
  case RoundingMode::zero:
    return APFloat::rmTowardZero;
  case RoundingMode::negative_inf:
    return APFloat::rmTowardNegative;
  case RoundingMode::positive_inf:
    return APFloat::rmTowardPositive;
  default:
    return std::nullopt; // bounded only, or not a rounding of sums
  }
}

/// The sum as the kernel would compute it: finite numbers, rounded once, subnormals flushed to a
/// zero of their sign where the op says so.
OpFoldResult AddFOp::fold(FoldAdaptor) {
  auto rounding = foldableRounding(getRoundingMode());
  // The 8-bit formats have no sums; those of tf32 are sums of f32.
  auto element = llvm::cast<FloatType>(getElementTypeOrSelf(getType()));
  if (!rounding || !llvm::isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return {};
  auto flushed = [&](APFloat value) {
    return getFlushToZero() && value.isDenormal() && !TILESMITH_PLANT("fold-addf-never-flushes")
               ? APFloat::getZero(value.getSemantics(), value.isNegative())
               : value;
  };
  return constFoldBinaryOpConditional<FloatAttr, APFloat, void>(
      {getConstant(getLhs()), getConstant(getRhs())},
      [&](const APFloat &a, const APFloat &b) -> std::optional<APFloat> {
        if (!a.isFinite() || !b.isFinite())
          return std::nullopt;
        APFloat sum = flushed(a);
        sum.add(flushed(b),
                TILESMITH_PLANT("fold-addf-to-nearest") ? APFloat::rmNearestTiesToEven : *rounding);
        return flushed(sum);
      });
}

//===------------------------------------------------------------------------------------------===//
// reduce, scan
//===------------------------------------------------------------------------------------------===//

/// Same shapes, axis in range, one identity per operand, a body over scalars that ends in yield.
static LogicalResult verifyCombiner(Operation *op, OperandRange operands, int64_t axis,
                                    ArrayAttr identities, Region &body) {
  if (operands.empty())
    return op->emitOpError("expects at least one operand");
  ArrayRef<int64_t> shape = shapeOf(operands.front());
  for (Value operand : operands)
    if (shapeOf(operand) != shape)
      return op->emitOpError("expects operands of one shape");
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size()))
    return op->emitOpError("axis ") << axis << " is out of range for rank " << shape.size();
  if (identities.size() != operands.size())
    return op->emitOpError("expects ")
           << operands.size() << " identities, but got " << identities.size();
  for (auto [identity, operand] : llvm::zip_equal(identities, operands)) {
    auto typed = llvm::dyn_cast<TypedAttr>(identity);
    if (!typed || typed.getType() != getElementTypeOrSelf(operand.getType()))
      return op->emitOpError("expects an identity of type ")
             << getElementTypeOrSelf(operand.getType()) << ", but got " << identity;
  }
  Block &block = body.front();
  if (block.empty() || !llvm::isa<YieldOp>(block.back()))
    return op->emitOpError("expects regions to end with 'nv_tileaa.yield'");
  if (block.getNumArguments() != 2 * operands.size())
    return op->emitOpError("expects ")
           << 2 * operands.size() << " block arguments, but got " << block.getNumArguments();
  if (block.back().getNumOperands() != operands.size())
    return op->emitOpError("expects ")
           << operands.size() << " yielded values, but got " << block.back().getNumOperands();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Type element = getElementTypeOrSelf(operand.getType());
    for (Type type : {block.getArgument(2 * i).getType(), block.getArgument(2 * i + 1).getType(),
                      block.back().getOperand(i).getType()})
      if (type != element)
        return op->emitOpError("expects ")
               << element << " in the body of operand " << i << ", but got " << type;
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyCombiner(*this, getOperands(), getAxis(), getIdentities(), getBody())))
    return failure();
  SmallVector<int64_t> shape(shapeOf(getOperands().front()));
  shape.erase(shape.begin() + getAxis());
  if (getResults().size() != getOperands().size())
    return emitOpError("expects one result per operand");
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (getElementTypeOrSelf(result.getType()) != element ||
        shapeOf(result) != ArrayRef<int64_t>(shape))
      return emitOpError("result does not have the operand's shape without the reduced axis: ")
             << result.getType();
  }
  return success();
}

LogicalResult ScanOp::verify() {
  if (failed(verifyCombiner(*this, getOperands(), getAxis(), getIdentities(), getBody())))
    return failure();
  if (getResults().size() != getOperands().size())
    return emitOpError("expects one result per operand");
  for (auto [operand, result] : llvm::zip(getOperands(), getResults()))
    if (operand.getType() != result.getType())
      return emitOpError("expects result type ")
             << operand.getType() << ", but got " << result.getType();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Effects of opaque elementwise ops
//===------------------------------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addOpaqueEffects(bool pure, Effects &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void ExternElementwiseOp::getEffects(Effects &effects) {
  addOpaqueEffects(getPure(), effects);
}
void ElementwiseInlineAsmOp::getEffects(Effects &effects) {
  addOpaqueEffects(getPure(), effects);
}

} // namespace tilesmith::tileaa
