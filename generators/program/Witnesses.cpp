//===- Witnesses.cpp - operations of the kernel once more, where their faults show -------------===//
//
// What a kernel computes is mostly clamped, or known within bounds only, so that a wrong last bit,
// a zero of the wrong sign or a subnormal that was not flushed leaves no trace. Some operations of
// the finished kernel, drawn by kind, are therefore repeated: the same operation with the same
// attributes and element types, on operands straight from memory, its results straight into memory.
// The buffers hold what the operation can be wrong about: all bits of the fraction, zeros of either
// sign, subnormals, ties.
//
// Invariants: the operands are fully determined, so that the result of what IEEE rounds once is one
// bit pattern; functions get arguments of 1/8 to 2, where all of them are tame.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::RoundingMode;
using cuda_tile::TileType;

namespace {

constexpr unsigned kMostPerKernel = 3;
constexpr unsigned kPercent = 80; // of the kinds that are drawn

mlir::Type elementOf(mlir::Value value) {
  auto tile = llvm::dyn_cast<TileType>(value.getType());
  return tile ? tile.getElementType() : mlir::Type();
}

bool isFunction(mlir::Operation *op) {
  return llvm::isa<cuda_tile::ExpOp, cuda_tile::Exp2Op, cuda_tile::LogOp, cuda_tile::Log2Op,
                   cuda_tile::SinOp, cuda_tile::CosOp, cuda_tile::TanOp, cuda_tile::SinHOp,
                   cuda_tile::CosHOp, cuda_tile::TanHOp, cuda_tile::RsqrtOp, cuda_tile::PowOp,
                   cuda_tile::Atan2Op>(op);
}

bool isLoose(mlir::Operation *op) {
  auto mode = op->getAttrOfType<cuda_tile::RoundingModeAttr>("rounding_mode");
  return mode && (mode.getValue() == RoundingMode::APPROX || mode.getValue() == RoundingMode::FULL);
}

/// Rounded once, to nearest.
bool isArithmetic(mlir::Operation *op) {
  auto mode = op->getAttrOfType<cuda_tile::RoundingModeAttr>("rounding_mode");
  return mode && mode.getValue() == RoundingMode::NEAREST_EVEN &&
         llvm::isa<cuda_tile::AddFOp, cuda_tile::MulFOp, cuda_tile::DivFOp, cuda_tile::FmaOp>(op);
}

/// The padding of a load that has any but zero.
cuda_tile::PaddingValueAttr paddingOf(mlir::Operation *op) {
  auto load = llvm::dyn_cast<cuda_tile::LoadViewTkoOp>(op);
  auto view = load ? llvm::dyn_cast<cuda_tile::PartitionViewType>(load.getView().getType())
                   : cuda_tile::PartitionViewType();
  if (!view || !view.getPaddingValue() ||
      view.getPaddingValue().getValue() == cuda_tile::PaddingValue::zero)
    return {};
  return view.getPaddingValue();
}

/// Can the operation be repeated alone?
bool isRepeatable(mlir::Operation *op) {
  if (paddingOf(op))
    return true;
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  mlir::Type result = elementOf(op->getResult(0));
  if (!result || !isFloat(result))
    return false;
  if (llvm::isa<cuda_tile::FToFOp>(op))
    return isFloat(elementOf(op->getOperand(0))) &&
           widthOf(elementOf(op->getOperand(0))) > widthOf(result);
  if (llvm::isa<cuda_tile::IToFOp>(op))
    return widthOf(elementOf(op->getOperand(0))) >= 16;
  return isFunction(op) ||
         llvm::isa<cuda_tile::AddFOp, cuda_tile::SubFOp, cuda_tile::MulFOp, cuda_tile::DivFOp,
                   cuda_tile::FmaOp, cuda_tile::SqrtOp, cuda_tile::MaxFOp, cuda_tile::MinFOp>(op);
}

/// What tells operations of one kind apart: flushing ones and directed roundings have faults of
/// their own.
std::string kindOf(mlir::Operation *op) {
  std::string kind = op->getName().stripDialect().str();
  if (op->hasAttr("flush_to_zero"))
    kind += " ftz";
  if (auto mode = op->getAttrOfType<cuda_tile::RoundingModeAttr>("rounding_mode"))
    kind += (" " + cuda_tile::stringifyRoundingMode(mode.getValue())).str();
  if (llvm::isa<cuda_tile::FmaOp, cuda_tile::IToFOp, cuda_tile::FToFOp>(op))
    kind += " " + spellElement(elementOf(op->getResult(0)));
  if (llvm::isa<cuda_tile::IToFOp>(op))
    kind += widthOf(elementOf(op->getOperand(0))) > 24 ? " rounded" : "";
  if (auto padding = paddingOf(op))
    kind += (" " + cuda_tile::stringifyPaddingValue(padding.getValue())).str();
  return kind;
}

/// Kinds whose faults show nowhere else come first.
unsigned weightOf(mlir::Operation *op) {
  if (isFunction(op) || isLoose(op))
    return 1;
  auto mode = op->getAttrOfType<cuda_tile::RoundingModeAttr>("rounding_mode");
  bool isDirected = mode && mode.getValue() != RoundingMode::NEAREST_EVEN;
  if (isDirected || op->hasAttr("flush_to_zero") || paddingOf(op))
    return 8;
  mlir::Type element = elementOf(op->getResult(0));
  if (llvm::isa<cuda_tile::FmaOp, cuda_tile::IToFOp, cuda_tile::FToFOp>(op))
    return widthOf(element) == 16 ? 8 : 4;
  return llvm::isa<cuda_tile::SubFOp>(op) ? 2 : 4;
}

Fill chooseFill(mlir::Operation *op) {
  if (isFunction(op) || isLoose(op)) // where the functions are published to be close
    return Fill::Reals;
  if (op->hasAttr("flush_to_zero"))
    return Fill::Subnormals;
  if (llvm::isa<cuda_tile::MaxFOp, cuda_tile::MinFOp>(op))
    return Fill::SignedZeros;
  if (llvm::isa<cuda_tile::FToFOp, cuda_tile::IToFOp>(op))
    return Fill::Ties;
  return Fill::Fractions;
}

/// The fills of an fma whose product is a tie that the sum decides: rounded twice, it goes wrong.
constexpr Fill kTieFills[] = {Fill::TieFactors, Fill::Any, Fill::Tiny};

class Witness {
public:
  Witness(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {
    count = int64_t(16) << s.below(3);
    byView = s.chance(40);
  }

  void repeat(mlir::Operation *op) {
    if (auto view = llvm::dyn_cast<cuda_tile::LoadViewTkoOp>(op))
      return repeatPadding(view);
    Fill fill = chooseFill(op);
    bool tie = llvm::isa<cuda_tile::FmaOp>(op) && fill == Fill::Fractions &&
               s.chance(widthOf(elementOf(op->getResult(0))) == 16 ? 75 : 50);
    llvm::SmallVector<mlir::Value> operands;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      mlir::Type element = elementOf(operand);
      if (tie && i == 1)
        operands.push_back(k.floatConstant(k.tileType({count}, element), 24).ssa);
      else
        operands.push_back(load(element, tie ? kTieFills[i] : fill));
    }
    // A product in front of a sum, which no compiler may fuse with it.
    if (llvm::isa<cuda_tile::AddFOp, cuda_tile::SubFOp>(op) && fill == Fill::Fractions &&
        s.chance(30)) {
      mlir::Type element = elementOf(operands[0]);
      size_t at = s.below(2);
      operands[at] = cuda_tile::MulFOp::create(
          b, k.loc(), operands[at].getType(), operands[at], load(element, fill),
          cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN),
          mlir::UnitAttr());
      k.note("witness-product-sum");
    }
    mlir::OperationState state(k.loc(), op->getName(), operands,
                               {k.tileType({count}, elementOf(op->getResult(0)))}, op->getAttrs());
    k.note("witness-" + op->getName().stripDialect().str());
    k.trail.push_back("witness of " + kindOf(op));
    Facts facts;
    facts.exact = !isFunction(op) && !isLoose(op);
    if (!facts.exact)
      k.noteApproximate();
    emitFreeStore(k, s, {b.create(state)->getResult(0), facts});
  }

private:
  /// A tile of which a part lies outside, as it was loaded.
  void repeatPadding(cuda_tile::LoadViewTkoOp op) {
    mlir::Type element = elementOf(op.getTile());
    k.note("witness-padding");
    k.trail.push_back("witness of " + kindOf(op));
    int64_t inside = s.between(1, count - 1);
    ArrayInfo &array = k.addFreeArray(s, element, {inside}, /*output=*/false);
    emitFreeStore(k, s, {loadAll(array, paddingOf(op)), {}});
  }

  mlir::Value load(mlir::Type element, Fill fill) {
    TileType type = k.tileType({count}, element);
    if (!byView) {
      ArrayInfo &array = k.addFlatArray(element, count, /*output=*/false, fill);
      if (!offsets)
        offsets = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({count}, k.intType(32)));
      return loadPointers(k, s, type, pointersAt(k, array.base, offsets), {}, {}, {}).tile;
    }
    return loadAll(k.addFreeArray(s, element, {count}, /*output=*/false, fill), {});
  }

  mlir::Value loadAll(ArrayInfo &array, cuda_tile::PaddingValueAttr padding) {
    mlir::Value tensor = makeTensorView(k, s, array);
    auto viewType = cuda_tile::PartitionViewType::get(
        &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), {static_cast<int32_t>(count)}),
        llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), {0}, padding);
    mlir::Value view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
    mlir::Value first = k.intConstant(k.scalarType(k.intType(32)), 0).ssa;
    return loadView(k, s, k.tileType({count}, array.element), view, first, {}).tile;
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  int64_t count;
  bool byView;
  mlir::Value offsets;
};

} // namespace

void tilesmith::generators::addWitnesses(KernelBuilder &k, ChoiceStream &s) {
  llvm::MapVector<std::string, llvm::SmallVector<mlir::Operation *>,
                  std::map<std::string, unsigned>>
      kinds;
  k.entryOp()->walk([&](mlir::Operation *op) {
    if (isRepeatable(op))
      kinds[kindOf(op)].push_back(op);
  });
  bool isLooseKernel = !k.allExact();
  llvm::SmallVector<mlir::Operation *> drawn;
  for (auto &[kind, ops] : kinds)
    drawn.push_back(s.pick(llvm::ArrayRef<mlir::Operation *>(ops)));
  for (unsigned made = 0; made < kMostPerKernel && !drawn.empty(); ++made) {
    llvm::SmallVector<unsigned> weights;
    for (mlir::Operation *op : drawn)
      weights.push_back(weightOf(op));
    size_t at = s.weighted(weights);
    if (s.chance(kPercent))
      Witness(k, s).repeat(drawn[at]);
    drawn.erase(drawn.begin() + static_cast<std::ptrdiff_t>(at));
  }
  // Between values that are known within bounds only, a last bit shows nowhere else.
  for (mlir::Operation *op : drawn)
    if (isLooseKernel && isArithmetic(op))
      Witness(k, s).repeat(op);
}
