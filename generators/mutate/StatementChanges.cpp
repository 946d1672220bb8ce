//===- StatementChanges.cpp - statements more, and operands that are made of other values ------===//
#include "generators/mutate/ChangeTools.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;

namespace {

/// A use of a tile of numbers by an operation of an entry.
mlir::OpOperand *drawUse(ChangedKernel &k, llvm::function_ref<bool(TileType)> fits) {
  std::vector<mlir::OpOperand *> uses;
  k.module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op->getParentOfType<EntryOp>())
      for (mlir::OpOperand &operand : op->getOpOperands())
        if (isNumbers(operand.get().getType()) &&
            fits(llvm::cast<TileType>(operand.get().getType())))
          uses.push_back(&operand);
    return llvm::isa<ReduceOp, ScanOp>(op) ? mlir::WalkResult::skip() : mlir::WalkResult::advance();
  });
  if (uses.empty())
    return nullptr;
  mlir::OpOperand *use = uses[k.stream.below(uses.size())];
  if (k.stream.chance(50))
    return use;
  // Of a kind of operation, so that those of which there are few come up as well.
  std::vector<std::vector<mlir::OpOperand *>> kinds;
  std::map<llvm::StringRef, size_t> places;
  for (mlir::OpOperand *candidate : uses) {
    auto [place, isNew] =
        places.try_emplace(candidate->getOwner()->getName().getStringRef(), kinds.size());
    if (isNew)
      kinds.emplace_back();
    kinds[place->second].push_back(candidate);
  }
  const auto &kind = kinds[k.stream.below(kinds.size())];
  return kind[k.stream.below(kind.size())];
}

/// An operand made of any value: converted, reshaped, repeated, or a part.
bool graft(ChangedKernel &k) {
  mlir::OpOperand *use = drawUse(k, [](TileType) { return true; });
  if (!use)
    return false;
  mlir::Value other =
      drawLike(use->getOwner(), llvm::cast<TileType>(use->get().getType()), k.stream);
  if (!other || other == use->get())
    return false;
  use->set(other);
  return true;
}

/// There and back through the order of dimensions, reversed, or rows as another shape.
mlir::Value moveElements(mlir::OpBuilder &b, mlir::Value value, ChoiceStream &stream) {
  auto type = llvm::cast<TileType>(value.getType());
  llvm::SmallVector<int64_t> shape(type.getShape());
  if (shape.empty())
    return {};
  mlir::Location loc = value.getLoc();
  if (shape.size() == 1 || stream.chance(40)) {
    // Two dimensions of any split.
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    int64_t rows = int64_t(1) << stream.below(llvm::Log2_64(static_cast<uint64_t>(count)) + 1);
    shape = {rows, count / rows};
    value = ReshapeOp::create(b, loc, TileType::get(shape, type.getElementType()), value);
  }
  llvm::SmallVector<int32_t> order;
  for (size_t i = 0; i < shape.size(); ++i)
    order.push_back(static_cast<int32_t>(i));
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[stream.below(i)]);
  llvm::SmallVector<int64_t> moved;
  for (int32_t dim : order)
    moved.push_back(shape[static_cast<size_t>(dim)]);
  value = PermuteOp::create(b, loc, TileType::get(moved, type.getElementType()), value,
                            b.getDenseI32ArrayAttr(order));
  if (stream.chance(40)) {
    llvm::SmallVector<int32_t> back(order.size());
    for (auto [i, dim] : llvm::enumerate(order))
      back[static_cast<size_t>(dim)] = static_cast<int32_t>(i);
    value = PermuteOp::create(b, loc, TileType::get(shape, type.getElementType()), value,
                              b.getDenseI32ArrayAttr(back));
  }
  return value.getType() == type ? value : ReshapeOp::create(b, loc, type, value).getResult();
}

/// The value where a comparison of two values of the kernel holds, else another one.
mlir::Value selectSome(mlir::OpBuilder &b, mlir::Operation *at, mlir::Value value,
                       ChoiceStream &stream) {
  auto type = llvm::cast<TileType>(value.getType());
  mlir::MLIRContext *context = b.getContext();
  mlir::Location loc = value.getLoc();
  TileType flags = TileType::get(type.getShape(), b.getI1Type());
  const bool ofFloats = isPlainFloat(type.getElementType()) && stream.chance(50);
  TileType compared = ofFloats ? type : TileType::get(type.getShape(), b.getI32Type());
  mlir::Value sides[] = {ofFloats ? value : drawLike(at, compared, stream),
                         drawLike(at, compared, stream)};
  mlir::Value other = drawLike(at, type, stream);
  if (!sides[0] || !sides[1] || !other)
    return {};
  mlir::OperationState state(
      loc, ofFloats ? CmpFOp::getOperationName() : CmpIOp::getOperationName(), sides, flags);
  state.addAttribute(
      "comparison_predicate",
      ComparisonPredicateAttr::get(context, static_cast<ComparisonPredicate>(stream.below(6))));
  if (ofFloats)
    state.addAttribute(
        "comparison_ordering",
        ComparisonOrderingAttr::get(context, static_cast<ComparisonOrdering>(stream.below(2))));
  else
    state.addAttribute("signedness",
                       SignednessAttr::get(context, static_cast<Signedness>(stream.below(2))));
  mlir::Value arms[] = {value, other};
  if (stream.chance(30))
    std::swap(arms[0], arms[1]);
  return SelectOp::create(b, loc, type, b.create(state)->getResult(0), arms[0], arms[1]);
}

/// Through a type with fewer bits, or with more.
mlir::Value thereAndBack(mlir::OpBuilder &b, mlir::Value value, ChoiceStream &stream) {
  auto type = llvm::cast<TileType>(value.getType());
  const mlir::Type element = type.getElementType();
  llvm::SmallVector<mlir::Type> types = otherElements(element);
  if (element.isInteger() && !element.isInteger(1))
    types.push_back(b.getI1Type());
  mlir::Value other =
      makeLike(b, value, TileType::get(type.getShape(), types[stream.below(types.size())]), stream);
  return other ? makeLike(b, other, type, stream) : mlir::Value();
}

/// Combined with any other value.
mlir::Value combineWith(mlir::OpBuilder &b, mlir::Operation *at, mlir::Value value,
                        ChoiceStream &stream) {
  auto type = llvm::cast<TileType>(value.getType());
  mlir::Value other = drawLike(at, type, stream);
  if (!other)
    return {};
  mlir::MLIRContext *context = b.getContext();
  const bool isInteger = type.getElementType().isInteger();
  llvm::SmallVector<llvm::StringRef> names;
  if (type.getElementType().isInteger(1))
    names = {AndIOp::getOperationName(), OrIOp::getOperationName(), XOrIOp::getOperationName()};
  else if (isInteger)
    names = {AddIOp::getOperationName(), SubIOp::getOperationName(), MulIOp::getOperationName(),
             MaxIOp::getOperationName(), MinIOp::getOperationName(), XOrIOp::getOperationName(),
             AndIOp::getOperationName()};
  else if (isPlainFloat(type.getElementType()))
    names = {AddFOp::getOperationName(), SubFOp::getOperationName(), MulFOp::getOperationName(),
             MaxFOp::getOperationName(), MinFOp::getOperationName()};
  else
    return {};
  llvm::StringRef name = names[stream.below(names.size())];
  mlir::Value sides[] = {value, other};
  if (stream.chance(50))
    std::swap(sides[0], sides[1]);
  mlir::OperationState state(value.getLoc(), name, sides, type);
  auto known = mlir::OperationName(name, context).getAttributeNames();
  if (llvm::is_contained(known, "overflow"))
    state.addAttribute("overflow", IntegerOverflowAttr::get(context, IntegerOverflow::NONE));
  if (llvm::is_contained(known, "rounding_mode"))
    state.addAttribute("rounding_mode", RoundingModeAttr::get(context, RoundingMode::NEAREST_EVEN));
  if (llvm::is_contained(known, "signedness"))
    state.addAttribute("signedness",
                       SignednessAttr::get(context, static_cast<Signedness>(stream.below(2))));
  return b.create(state)->getResult(0);
}

/// The value as accumulator of a product of two others; of bytes for sums of integers.
mlir::Value addProduct(mlir::OpBuilder &b, mlir::Operation *at, mlir::Value value,
                       ChoiceStream &stream) {
  auto type = llvm::cast<TileType>(value.getType());
  mlir::Type sum = type.getElementType();
  llvm::ArrayRef<int64_t> shape = type.getShape();
  const size_t rank = shape.size();
  if ((rank != 2 && rank != 3) || !(sum.isF32() || sum.isF16() || sum.isInteger(32)) ||
      shape[rank - 1] * shape[rank - 2] > 16384)
    return {};
  mlir::MLIRContext *context = b.getContext();
  llvm::SmallVector<mlir::Type> types = {b.getF16Type()};
  if (sum.isF32())
    types = {b.getF16Type(), b.getBF16Type(), mlir::Float8E4M3FNType::get(context)};
  if (sum.isInteger())
    types = {b.getI8Type()};
  mlir::Type element = types[stream.below(types.size())];
  const int64_t depth = int64_t(16) << stream.below(3);
  llvm::SmallVector<int64_t> left(shape), right(shape);
  left[rank - 1] = right[rank - 2] = depth;
  mlir::Value lhs = drawLike(at, TileType::get(left, element), stream);
  mlir::Value rhs = drawLike(at, TileType::get(right, element), stream);
  if (!lhs || !rhs)
    return {};
  mlir::OperationState state(
      value.getLoc(), sum.isInteger() ? MmaIOp::getOperationName() : MmaFOp::getOperationName(),
      {lhs, rhs, value}, type);
  if (sum.isInteger())
    for (llvm::StringRef side : {"signedness_lhs", "signedness_rhs"})
      state.addAttribute(side,
                         SignednessAttr::get(context, static_cast<Signedness>(stream.below(2))));
  return b.create(state)->getResult(0);
}

/// A statement between a value and one of its users.
bool insertStatement(ChangedKernel &k) {
  const bool wantsTile = k.stream.chance(75);
  mlir::OpOperand *use =
      drawUse(k, [&](TileType type) { return !wantsTile || type.getRank() > 0; });
  if (!use)
    return false;
  mlir::Operation *at = use->getOwner();
  mlir::OpBuilder b(at);
  mlir::Value value = use->get(), other;
  switch (k.stream.below(7)) {
  case 0:
  case 1:
    other = moveElements(b, value, k.stream);
    break;
  case 2:
    other = selectSome(b, at, value, k.stream);
    break;
  case 3:
    other = thereAndBack(b, value, k.stream);
    break;
  case 4:
    other = combineAlong(b, value, k.stream);
    break;
  case 5:
    other = addProduct(b, at, value, k.stream);
    break;
  default:
    other = combineWith(b, at, value, k.stream);
  }
  if (!other || other == value)
    return false;
  use->set(other);
  return true;
}

/// What a load gives is something else that the kernel has.
bool computeLoad(ChangedKernel &k) {
  mlir::Operation *load = drawAnyOp(k.module, k.stream, [](mlir::Operation *op) {
    return llvm::isa<LoadPtrTkoOp, LoadViewTkoOp>(op) && isNumbers(op->getResult(0).getType()) &&
           !op->getResult(0).use_empty();
  });
  if (!load)
    return false;
  mlir::OpBuilder b(load);
  auto type = llvm::cast<TileType>(load->getResult(0).getType());
  mlir::Value other;
  if (k.stream.chance(50)) {
    int64_t count = 1;
    for (int64_t extent : type.getShape())
      count *= extent;
    mlir::Value row = IotaOp::create(b, load->getLoc(), TileType::get({count}, b.getI32Type()));
    // Small numbers, so that floats of few bits hold them.
    TileType whole = TileType::get({count}, b.getI32Type());
    row = AndIOp::create(b, load->getLoc(), whole, row, splat(b, load->getLoc(), whole, 7));
    other = makeLike(b, row, type, k.stream);
  } else {
    other = drawLike(load, type, k.stream);
  }
  if (!other)
    return false;
  load->getResult(0).replaceAllUsesWith(other);
  return true;
}

constexpr Change kChanges[] = {
    {"computed-load", "a load of numbers", computeLoad},
    {"graft", "a use of a tile of numbers", graft},
    {"insert", "a use of a tile of numbers", insertStatement},
};

} // namespace

llvm::ArrayRef<Change> tilesmith::generators::statementChanges() {
  return kChanges;
}
