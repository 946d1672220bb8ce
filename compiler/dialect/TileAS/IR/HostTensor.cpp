//===- HostTensor.cpp - tensors behind views that follow from the arguments of a kernel -------===//
#include "compiler/dialect/TileAS/IR/HostTensor.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// A divisor with which division is defined whatever it divides, an amount that a shift may have.
static bool isHarmlessOperand(Operation *op) {
  bool divides = isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                     arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
  bool shifts = isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
  if (!divides && !shifts)
    return true;
  APInt right;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&right)))
    return false;
  return divides ? !right.isZero() && !right.isAllOnes() : right.ult(right.getBitWidth());
}

bool tileas::isHostNumber(Type type) {
  return type.isInteger(1) || type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64);
}

/// Whether host code can compute a scalar.
static bool isOfHost(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    bool isParameter = isa<tileaa::FuncOp>(argument.getOwner()->getParentOp());
    return isParameter && !value.getType().isInteger(1) &&
           (isHostNumber(value.getType()) || isa<tileaa::PtrType>(value.getType()));
  }
  Operation *op = value.getDefiningOp();
  if (isa<tileaa::AssumeOp>(op))
    return isOfHost(op->getOperand(0));
  if (!isHostNumber(value.getType()))
    return false;
  if (!isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
           arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
           arith::FloorDivSIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
           arith::ShRSIOp, arith::ShRUIOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
           arith::MinUIOp, arith::CmpIOp, arith::SelectOp, arith::ExtSIOp, arith::ExtUIOp,
           arith::TruncIOp>(op))
    return false;
  return isHarmlessOperand(op) && llvm::all_of(op->getOperands(), isOfHost);
}

/// The index's bound, where it is `i < extent ? i : 0`.
static Value extentOf(Value index) {
  auto select = index.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      compare.getLhs() != select.getTrueValue() || !matchPattern(select.getFalseValue(), m_Zero()))
    return {};
  return isOfHost(compare.getRhs()) ? compare.getRhs() : Value();
}

/// Splits a distance from the base into what the host knows and steps. False: neither.
static bool addDistance(Value distance, HostTensor &tensor) {
  if (isOfHost(distance)) {
    tensor.offsets.push_back(distance);
    return true;
  }
  if (!distance.getType().isInteger(64)) // products of 32 bits may have wrapped
    return false;
  if (auto sum = distance.getDefiningOp<arith::AddIOp>())
    return addDistance(sum.getLhs(), tensor) && addDistance(sum.getRhs(), tensor);
  auto product = distance.getDefiningOp<arith::MulIOp>();
  if (!product)
    return false;
  Value index = product.getLhs(), stride = product.getRhs();
  if (!isOfHost(stride))
    std::swap(index, stride);
  if (!isOfHost(stride))
    return false;
  tensor.steps.push_back({index, stride, extentOf(index)});
  return true;
}

/// The extent that a map has for `size`, which the kernel accepts as long as it is not 0.
static Value wholeSize(Value size) {
  if (isOfHost(size))
    return size;
  auto select = size.getDefiningOp<arith::SelectOp>();
  if (select && matchPattern(select.getFalseValue(), m_Zero()) && isOfHost(select.getTrueValue()))
    return select.getTrueValue();
  return {};
}

std::optional<HostTensor> tileas::findHostTensor(Value view, int64_t elementBytes) {
  auto tile = view.getDefiningOp<tileaa::BlockTileOp>();
  auto make = tile ? tile.getSource().getDefiningOp<tileaa::MakeMemRefOp>() : nullptr;
  if (!make || make.getOffset())
    return std::nullopt;
  HostTensor tensor;
  Value base = make.getBase();
  while (!isOfHost(base)) {
    Operation *op = base.getDefiningOp();
    if (!op || !isa<tileaa::AddPtrOp, tileaa::AssumeOp>(op) ||
        !isa<tileaa::PtrType>(op->getOperand(0).getType()))
      return std::nullopt;
    if (auto move = dyn_cast<tileaa::AddPtrOp>(op)) {
      Type element = cast<tileaa::PtrType>(base.getType()).getPointee();
      if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 8 * elementBytes ||
          !addDistance(op->getOperand(1), tensor))
        return std::nullopt;
    }
    base = op->getOperand(0);
  }
  tensor.base = base;
  auto type = cast<tileaa::MemRefType>(make.getResult().getType());
  auto numbers = [&](ArrayRef<int64_t> statics, ValueRange dynamics, auto &&whole,
                     SmallVectorImpl<OpFoldResult> &into) {
    Builder b(view.getContext());
    auto next = dynamics.begin();
    for (int64_t number : statics) {
      if (!ShapedType::isDynamic(number)) {
        into.push_back(b.getI64IntegerAttr(number));
        continue;
      }
      Value value = whole(*next++);
      if (!value)
        return false;
      into.push_back(value);
    }
    return true;
  };
  auto stride = [](Value value) { return isOfHost(value) ? value : Value(); };
  if (!numbers(type.getShape(), make.getSizes(), wholeSize, tensor.sizes) ||
      !numbers(type.getStrides(), make.getStrides(), stride, tensor.strides))
    return std::nullopt;
  return tensor;
}

bool HostTensor::hasMapOf(const HostTensor &other) const {
  return base == other.base &&
         (offsets == other.offsets || TILESMITH_PLANT("host-map-of-any-offset")) &&
         sizes == other.sizes && strides == other.strides &&
         llvm::equal(steps, other.steps, [](const Step &one, const Step &two) {
           return one.stride == two.stride && one.extent == two.extent;
         });
}

bool tileas::mayHaveTensorMap(Value view, bool hostMaps) {
  Operation *op = view.getDefiningOp();
  if (!op || isa<tileaa::FuncOp, AgentSwitchOp>(op->getParentOp()))
    return op;
  if (!hostMaps)
    return false;
  auto type = cast<tileaa::TiledViewType>(view.getType());
  auto tensor = findHostTensor(view, bufferElementBytes(type.getMemref().getElementType()));
  return tensor && type.getTileShape().size() + tensor->steps.size() <= kMostMapDimensions;
}
