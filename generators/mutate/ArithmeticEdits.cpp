//===- ArithmeticEdits.cpp - commuting, reassociation, dead code, split tiles -----------------===//
//
// Integer arithmetic is modulo 2^n, so any order gives the same; floating point is only commuted.
// Ops with overflow flags keep their shape: another order may overflow where this one did not.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/mutate/EditTools.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

bool mayOverflowFreely(mlir::Operation *op) {
  auto flag = op->getAttrOfType<cuda_tile::IntegerOverflowAttr>("overflow");
  return !flag || flag.getValue() == cuda_tile::IntegerOverflow::NONE;
}

/// a op b = b op a; in floating point but for the payload of NaN.
bool commutes(mlir::Operation *op) {
  return llvm::isa<cuda_tile::AddIOp, cuda_tile::MulIOp, cuda_tile::AndIOp, cuda_tile::OrIOp,
                   cuda_tile::XOrIOp, cuda_tile::MaxIOp, cuda_tile::MinIOp, cuda_tile::AddFOp,
                   cuda_tile::MulFOp, cuda_tile::MulhiIOp>(op) &&
         op->getOperand(0) != op->getOperand(1);
}

bool commute(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(module, stream, commutes);
  if (!op)
    return false;
  mlir::Value first = op->getOperand(0);
  op->setOperand(0, op->getOperand(1));
  op->setOperand(1, first);
  return true;
}

bool associates(mlir::Operation *op) {
  return llvm::isa<cuda_tile::AddIOp, cuda_tile::MulIOp, cuda_tile::AndIOp, cuda_tile::OrIOp,
                   cuda_tile::XOrIOp>(op) &&
         mayOverflowFreely(op);
}

/// (a op b) op c becomes a op (b op c).
bool reassociate(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(module, stream, [](mlir::Operation *outer) {
    if (!associates(outer))
      return false;
    mlir::Operation *inner = outer->getOperand(0).getDefiningOp();
    return inner && inner->getName() == outer->getName() && associates(inner);
  });
  if (!op)
    return false;
  mlir::Operation *inner = op->getOperand(0).getDefiningOp();
  mlir::OpBuilder builder(op);
  mlir::Operation *tail = builder.clone(*op);
  tail->setOperands({inner->getOperand(1), op->getOperand(1)});
  op->setOperands({inner->getOperand(0), tail->getResult(0)});
  return true;
}

/// A computation that nothing uses.
bool addDeadCode(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(module, stream, isElementwise);
  if (!op)
    return false;
  mlir::OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  mlir::Value value = op->getResult(0);
  for (uint64_t steps = 1 + stream.below(3); steps > 0; --steps) {
    mlir::Operation *dead = builder.clone(*op);
    for (mlir::OpOperand &operand : dead->getOpOperands())
      if (operand.get().getType() == value.getType() && stream.chance(60))
        operand.set(value);
    // A flag promises something of the operands that these do not keep.
    if (dead->hasAttr("overflow"))
      dead->setAttr("overflow", cuda_tile::IntegerOverflowAttr::get(
                                    op->getContext(), cuda_tile::IntegerOverflow::NONE));
    if (!mayRunAnywhere(dead)) {
      dead->erase();
      return false;
    }
    value = dead->getResult(0);
  }
  return true;
}

/// Both halves along one dimension, computed apart and joined.
bool splitTile(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(module, stream, [](mlir::Operation *candidate) {
    if (!isElementwise(candidate))
      return false;
    auto type = llvm::cast<cuda_tile::TileType>(candidate->getResult(0).getType());
    return llvm::any_of(type.getShape(), [](int64_t extent) { return extent > 1; });
  });
  if (!op)
    return false;
  auto type = llvm::cast<cuda_tile::TileType>(op->getResult(0).getType());
  std::vector<size_t> dims;
  for (auto [i, extent] : llvm::enumerate(type.getShape()))
    if (extent > 1)
      dims.push_back(i);
  size_t dim = dims[stream.below(dims.size())];
  mlir::OpBuilder builder(op);
  mlir::Location loc = op->getLoc();
  auto half = [&](mlir::Type whole) {
    auto tile = llvm::cast<cuda_tile::TileType>(whole);
    llvm::SmallVector<int64_t> shape(tile.getShape());
    shape[dim] /= 2;
    return cuda_tile::TileType::get(shape, tile.getElementType());
  };
  cuda_tile::TileType index = scalarOf(builder.getI32Type());
  llvm::SmallVector<mlir::Value> parts;
  for (int64_t side : {0, 1}) {
    llvm::SmallVector<mlir::Value> indices(type.getRank(), integerConstant(builder, loc, index, 0));
    indices[dim] = integerConstant(builder, loc, index, side);
    mlir::IRMapping mapping;
    for (mlir::Value operand : llvm::SmallVector<mlir::Value>(op->getOperands()))
      if (!mapping.contains(operand))
        mapping.map(operand, cuda_tile::ExtractOp::create(builder, loc, half(operand.getType()),
                                                          operand, indices)
                                 .getResult());
    mlir::Operation *part = builder.clone(*op, mapping);
    part->getResult(0).setType(half(type));
    parts.push_back(part->getResult(0));
  }
  mlir::Value whole = cuda_tile::CatOp::create(
      builder, loc, type, parts[0], parts[1], builder.getI64IntegerAttr(static_cast<int64_t>(dim)));
  op->getResult(0).replaceAllUsesWith(whole);
  op->erase();
  return true;
}

constexpr Edit kEdits[] = {
    {"commute", "an op whose operands may change places", commute},
    {"dead-code", "a pure op on tiles", addDeadCode},
    {"reassociate", "(a op b) op c of one integer op without overflow flags", reassociate},
    {"split-tile", "an elementwise op on tiles with an extent above 1", splitTile},
};

} // namespace

llvm::ArrayRef<Edit> tilesmith::generators::arithmeticEdits() {
  return kEdits;
}
