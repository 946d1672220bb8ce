//===- Changes.cpp - kernels near a stored one ------------------------------------------------===//
#include "generators/mutate/Changes.h"

#include "compiler/dialect/CudaTile/IR/CudaTileTargets.h"
#include "generators/mutate/EditTools.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Diagnostics.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;

namespace {

/// The number beside it, of the other sign, twice it, or one of the extremes.
llvm::APInt otherInteger(const llvm::APInt &value, unsigned how) {
  const unsigned width = value.getBitWidth();
  switch (how) {
  case 0:
    return value + 1;
  case 1:
    return value - 1;
  case 2:
    return -value;
  case 3:
    return value << 1;
  case 4:
    return value.lshr(1);
  case 5:
    return llvm::APInt::getSignedMinValue(width);
  case 6:
    return llvm::APInt::getAllOnes(width);
  default:
    return llvm::APInt::getZero(width);
  }
}

llvm::APFloat otherFloat(llvm::APFloat value, unsigned how) {
  const llvm::fltSemantics &semantics = value.getSemantics();
  switch (how) {
  case 0:
    value.next(/*nextDown=*/false);
    return value;
  case 1:
    return llvm::scalbn(value, 1, llvm::APFloat::rmNearestTiesToEven);
  case 2:
    value.changeSign();
    return value;
  case 3:
    return llvm::APFloat::getZero(semantics, /*Negative=*/!value.isNegative());
  case 4:
    return llvm::APFloat::getSmallest(semantics, value.isNegative());
  default:
    return llvm::APFloat::getOne(semantics);
  }
}

/// Another number in a constant: all elements of a splat, one of others.
bool changeConstant(ModuleOp module, ChoiceStream &stream) {
  auto op = drawOp<ConstantOp>(module, stream, [](ConstantOp candidate) {
    mlir::Type element = candidate.getValue().getElementType();
    return element.isInteger() || element.isF16() || element.isBF16() || element.isF32() ||
           element.isF64();
  });
  if (!op)
    return false;
  auto value =
      llvm::cast<mlir::DenseIntOrFPElementsAttr>(static_cast<mlir::Attribute>(op.getValue()));
  llvm::SmallVector<mlir::Attribute> elements;
  if (value.isSplat())
    elements.push_back(value.getSplatValue<mlir::Attribute>());
  else
    llvm::append_range(elements, value.getValues<mlir::Attribute>());
  mlir::Attribute &one = elements[stream.below(elements.size())];
  const mlir::Attribute old = one;
  const auto how = static_cast<unsigned>(stream.below(8));
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(one))
    one = mlir::IntegerAttr::get(integer.getType(), otherInteger(integer.getValue(), how));
  else if (auto number = llvm::dyn_cast<mlir::FloatAttr>(one))
    one = mlir::FloatAttr::get(number.getType(), otherFloat(number.getValue(), how));
  if (one == old) // of zero, for instance
    return false;
  op.setValueAttr(llvm::cast<mlir::DenseIntOrFPElementsAttr>(static_cast<mlir::Attribute>(
      mlir::DenseElementsAttr::get(llvm::cast<mlir::ShapedType>(value.getType()), elements))));
  return true;
}

/// Operations that take the same operands and attributes.
llvm::ArrayRef<std::vector<llvm::StringRef>> alike() {
  static const std::vector<std::vector<llvm::StringRef>> groups = {
      {AddIOp::getOperationName(), SubIOp::getOperationName(), MulIOp::getOperationName()},
      {AndIOp::getOperationName(), OrIOp::getOperationName(), XOrIOp::getOperationName()},
      {MaxIOp::getOperationName(), MinIOp::getOperationName(), RemIOp::getOperationName(),
       ShRIOp::getOperationName()},
      {AddFOp::getOperationName(), SubFOp::getOperationName(), MulFOp::getOperationName()},
      {MaxFOp::getOperationName(), MinFOp::getOperationName()},
      {NegFOp::getOperationName(), AbsFOp::getOperationName(), CeilOp::getOperationName(),
       FloorOp::getOperationName()}};
  return groups;
}

const std::vector<llvm::StringRef> *groupOf(mlir::Operation *op) {
  for (const auto &group : alike())
    if (llvm::is_contained(group, op->getName().getStringRef()))
      return &group;
  return nullptr;
}

/// Another operation on the same operands.
bool changeOperation(ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(module, stream, [](mlir::Operation *o) { return groupOf(o); });
  if (!op)
    return false;
  const std::vector<llvm::StringRef> &group = *groupOf(op);
  llvm::StringRef name = group[stream.below(group.size())];
  if (name == op->getName().getStringRef())
    return false;
  mlir::OpBuilder builder(op);
  mlir::OperationState state(op->getLoc(), name, op->getOperands(), op->getResultTypes(),
                             op->getAttrs());
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
  return true;
}

/// Another value of the same type, or two operands in exchange.
bool changeOperand(ModuleOp module, ChoiceStream &stream) {
  auto isTile = [](mlir::Value v) { return llvm::isa<TileType>(v.getType()); };
  mlir::Operation *op = drawAnyOp(module, stream, [&](mlir::Operation *candidate) {
    return candidate->getParentOfType<EntryOp>() && llvm::any_of(candidate->getOperands(), isTile);
  });
  if (!op)
    return false;
  llvm::SmallVector<mlir::OpOperand *> operands;
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (isTile(operand.get()))
      operands.push_back(&operand);
  mlir::OpOperand &operand = *operands[stream.below(operands.size())];
  mlir::Value old = operand.get();
  for (mlir::OpOperand *other : operands)
    if (other->get() != old && other->get().getType() == old.getType() && stream.chance(50)) {
      operand.set(other->get());
      other->set(old);
      return true;
    }
  std::vector<mlir::Value> values =
      valuesBefore(op, [&](mlir::Type type) { return type == old.getType(); });
  if (values.empty())
    return false;
  operand.set(values[stream.below(values.size())]);
  return operand.get() != old;
}

template <typename Attr>
mlir::Attribute otherOf(Attr attribute, ChoiceStream &stream, unsigned count) {
  using Enum = decltype(attribute.getValue());
  return Attr::get(attribute.getContext(), static_cast<Enum>(stream.below(count)));
}

/// Signedness, predicate, direction of rounding or of a scan, or a flag of floats.
bool changeMode(ModuleOp module, ChoiceStream &stream) {
  struct Place {
    mlir::Operation *op;
    mlir::StringAttr name;
  };
  std::vector<Place> places;
  module->walk([&](mlir::Operation *op) {
    for (mlir::NamedAttribute attribute : op->getAttrs())
      if (llvm::isa<SignednessAttr, ComparisonPredicateAttr, ComparisonOrderingAttr,
                    RoundingModeAttr>(attribute.getValue()) ||
          attribute.getName() == "reverse")
        places.push_back({op, attribute.getName()});
    for (llvm::StringRef flag : {"flush_to_zero", "propagate_nan"})
      if (llvm::is_contained(op->getName().getAttributeNames(), flag))
        places.push_back({op, mlir::StringAttr::get(op->getContext(), flag)});
  });
  if (places.empty())
    return false;
  const Place place = places[stream.below(places.size())];
  mlir::Attribute old = place.op->getAttr(place.name), other = old;
  if (auto sign = llvm::dyn_cast_or_null<SignednessAttr>(old))
    other = otherOf(sign, stream, 2);
  else if (auto predicate = llvm::dyn_cast_or_null<ComparisonPredicateAttr>(old))
    other = otherOf(predicate, stream, 6);
  else if (auto ordering = llvm::dyn_cast_or_null<ComparisonOrderingAttr>(old))
    other = otherOf(ordering, stream, 2);
  else if (auto mode = llvm::dyn_cast_or_null<RoundingModeAttr>(old))
    other = otherOf(mode, stream, 4);
  else if (auto truth = llvm::dyn_cast_or_null<mlir::BoolAttr>(old))
    other = mlir::BoolAttr::get(old.getContext(), !truth.getValue());
  else
    other = old ? mlir::Attribute() : mlir::UnitAttr::get(place.op->getContext());
  if (other)
    place.op->setAttr(place.name, other);
  else
    place.op->removeAttr(place.name);
  return other != old;
}

/// Blocks of a cluster, warps, occupancy of the entry; latency of an access; or none of them.
bool changeHint(ModuleOp module, ChoiceStream &stream) {
  constexpr llvm::StringLiteral kHints = "optimization_hints";
  mlir::Operation *op = drawAnyOp(module, stream, [&](mlir::Operation *candidate) {
    return llvm::isa<EntryOp>(candidate) || candidate->hasAttr(kHints);
  });
  if (!op)
    return false;
  mlir::OpBuilder b(op->getContext());
  const bool isEntry = llvm::isa<EntryOp>(op);
  if (op->hasAttr(kHints) && stream.chance(30)) {
    op->removeAttr(kHints);
    return true;
  }
  const llvm::StringRef name = !isEntry            ? OptimizationHintsAttr::kLatency
                               : stream.chance(60) ? OptimizationHintsAttr::kNumCTAInCGA
                                                   : OptimizationHintsAttr::kOccupancy;
  const int64_t value = int64_t(1) << stream.below(4);
  auto hints = b.getDictionaryAttr({b.getNamedAttr(name, b.getI64IntegerAttr(value))});
  llvm::ArrayRef<llvm::StringRef> gpus = drawnTargets();
  llvm::StringRef gpu = gpus[stream.below(gpus.size())];
  const mlir::Attribute old = op->getAttr(kHints);
  op->setAttr(kHints, OptimizationHintsAttr::get(
                          op->getContext(), b.getDictionaryAttr({b.getNamedAttr(gpu, hints)})));
  return op->getAttr(kHints) != old;
}

/// The type of these parameters; where they make none, `old`, and an error that is caught.
template <typename Type, typename... Parameters>
mlir::Type typeOr(Type old, Parameters &&...parameters) {
  mlir::MLIRContext *context = old.getContext();
  Type type = Type::getChecked([=] { return mlir::emitError(mlir::UnknownLoc::get(context)); },
                               context, std::forward<Parameters>(parameters)...);
  return type ? type : old;
}

/// Replaces types throughout; constants that are splats go along.
void replaceTypes(ModuleOp module, mlir::AttrTypeReplacer &replacer) {
  using Replacement = std::optional<std::pair<mlir::Attribute, mlir::WalkResult>>;
  replacer.addReplacement([](mlir::DenseElementsAttr value) -> Replacement {
    return std::pair(mlir::Attribute(value), mlir::WalkResult::skip());
  });
  module->walk([&](ConstantOp op) {
    auto value = llvm::cast<mlir::DenseElementsAttr>(static_cast<mlir::Attribute>(op.getValue()));
    auto type = llvm::cast<mlir::ShapedType>(replacer.replace(value.getType()));
    if (value.isSplat() && type != value.getType())
      op.setValueAttr(llvm::cast<mlir::DenseIntOrFPElementsAttr>(static_cast<mlir::Attribute>(
          mlir::DenseElementsAttr::get(type, value.getSplatValue<mlir::Attribute>()))));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Twice or half of one extent of all tiles and tiles of views.
bool changeExtent(ModuleOp module, ChoiceStream &stream) {
  std::set<int64_t> extents;
  module->walk([&](mlir::Operation *op) {
    for (mlir::Type type : op->getResultTypes())
      if (auto tile = llvm::dyn_cast<TileType>(type))
        extents.insert(tile.getShape().begin(), tile.getShape().end());
  });
  extents.erase(1);
  if (extents.empty())
    return false;
  const int64_t old = *std::next(extents.begin(), stream.below(extents.size()));
  const int64_t other = stream.chance(50) ? 2 * old : old / 2;
  mlir::AttrTypeReplacer replacer;
  auto changed = [=](auto extent) { return extent == old ? decltype(extent)(other) : extent; };
  replacer.addReplacement([=](TileType type) -> mlir::Type {
    llvm::SmallVector<int64_t> shape(llvm::map_range(type.getShape(), changed));
    return typeOr(type, llvm::ArrayRef<int64_t>(shape), type.getElementType());
  });
  replacer.addReplacement([=](PartitionViewType type) -> mlir::Type {
    llvm::SmallVector<int32_t> shape(llvm::map_range(type.getTileShape().asArrayRef(), changed));
    return typeOr(type, mlir::DenseI32ArrayAttr::get(type.getContext(), shape),
                  type.getTensorView(), type.getDimMap(), type.getPaddingValue());
  });
  replaceTypes(module, replacer);
  return true;
}

/// One less of a constant extent of a tensor, so that its last tile is a part.
bool changeTensor(ModuleOp module, ChoiceStream &stream) {
  auto op = drawOp<MakeTensorViewOp>(module, stream, [](MakeTensorViewOp candidate) {
    return llvm::any_of(candidate.getResult().getType().getShape(),
                        [](int64_t extent) { return extent > 1; });
  });
  if (!op)
    return false;
  const TensorViewType old = op.getResult().getType();
  llvm::SmallVector<int64_t> shape(old.getShape());
  int64_t &extent = shape[stream.below(shape.size())];
  if (extent <= 1)
    return false;
  extent -= stream.chance(50) ? 1 : extent / 2;
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](TensorViewType type) -> mlir::Type {
    if (type != old)
      return type;
    return typeOr(type, type.getElementType(), llvm::ArrayRef<int64_t>(shape), type.getStrides(),
                  type.getPtrAttr());
  });
  replaceTypes(module, replacer);
  return true;
}

/// Scalars of the launch that may be extents: one less, or half.
bool changeArgument(testcase::TestCase &testCase, ChoiceStream &stream) {
  std::vector<uint64_t *> extents;
  for (testcase::Launch &launch : testCase.launches)
    for (testcase::Parameter &parameter : launch.params)
      if (parameter.kind == testcase::Parameter::Kind::Scalar &&
          !testcase::isFloat(parameter.dtype) && parameter.bits > 1 && parameter.bits < 4096)
        extents.push_back(&parameter.bits);
  if (extents.empty())
    return false;
  uint64_t &extent = *extents[stream.below(extents.size())];
  extent = stream.chance(60) ? extent - 1 : extent / 2;
  return true;
}

} // namespace

llvm::ArrayRef<Edit> tilesmith::generators::allChanges() {
  static const Edit kChanges[] = {
      {"constant", "a constant of numbers", changeConstant},
      {"extent", "tiles of more than one element", changeExtent},
      {"hint", "an entry", changeHint},
      {"mode", "an operation with a mode", changeMode},
      {"operand", "two values of one type", changeOperand},
      {"operation", "an operation that others are like", changeOperation},
      {"tensor", "a view with a constant extent", changeTensor},
  };
  return kChanges;
}

llvm::Expected<testcase::TestCase>
tilesmith::generators::changeCase(const testcase::TestCase &testCase, ChoiceStream &stream,
                                  unsigned count, mlir::MLIRContext &context,
                                  llvm::StringRef only) {
  testcase::TestCase plain = testCase;
  for (testcase::Buffer &buffer : plain.buffers) {
    buffer.expect.reset();
    buffer.open.clear();
    buffer.compare = {testcase::Comparison::Mode::Enclosure};
  }
  plain.standardOutput.reset();
  plain.traps = plain.exactData = false;
  plain.message.clear();
  plain.notes.clear();
  plain.choices.reset();
  plain.edits.clear();
  auto changed = applyDrawn(allChanges(), plain, stream, count, context, only);
  if (changed && only.empty() && stream.chance(30) && changeArgument(*changed, stream))
    changed->edits.push_back("argument");
  return changed;
}
