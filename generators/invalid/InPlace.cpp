//===- InPlace.cpp - values and types around an operation that is being broken ----------------===//
#include "generators/invalid/InPlace.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;
using llvm::StringRef;

std::string tilesmith::generators::plain(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string tilesmith::generators::quoted(mlir::Type type) {
  return "'" + plain(type) + "'";
}

std::string tilesmith::generators::list(llvm::ArrayRef<int64_t> shape) {
  return llvm::join(llvm::map_range(shape, [](int64_t extent) { return std::to_string(extent); }),
                    ", ");
}

mlir::Type tilesmith::generators::typeOf(mlir::MLIRContext *context, StringRef name) {
  mlir::Builder make(context);
  if (name == "f32")
    return make.getF32Type();
  if (name == "i32")
    return make.getI32Type();
  return mlir::parseType(name, context);
}

mlir::Type tilesmith::generators::elementBut(BrokenOp &site, mlir::Type other,
                                             llvm::ArrayRef<StringRef> names) {
  size_t first = site.stream.below(names.size());
  for (size_t i = 0; i < names.size(); ++i)
    if (mlir::Type type = typeOf(site.context(), names[(first + i) % names.size()]); type != other)
      return type;
  return other;
}

TileType tilesmith::generators::tile(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
  return TileType::get(shape, element);
}

Shape tilesmith::generators::doubled(Shape shape, unsigned dim) {
  shape[dim] *= 2;
  return shape;
}

BrokenOp::BrokenOp(mlir::Operation *op, ChoiceStream &stream)
    : op(op), stream(stream), builder(op) {}

TileType BrokenOp::in(unsigned i) const {
  return i < op->getNumOperands() ? llvm::dyn_cast<TileType>(op->getOperand(i).getType())
                                  : TileType();
}

TileType BrokenOp::out(unsigned i) const {
  return i < op->getNumResults() ? llvm::dyn_cast<TileType>(op->getResult(i).getType())
                                 : TileType();
}

mlir::Value BrokenOp::value(mlir::Type type) {
  llvm::SmallVector<mlir::Value> known;
  auto note = [&](mlir::Value value) {
    if (value.getType() == type)
      known.push_back(value);
  };
  mlir::Block *block = builder.getInsertionBlock();
  auto stop = builder.getInsertionPoint();
  while (block && !llvm::isa<cuda_tile::ModuleOp>(block->getParentOp())) {
    llvm::for_each(block->getArguments(), note);
    for (auto it = block->begin(); it != stop; ++it)
      llvm::for_each(it->getResults(), note);
    stop = block->getParentOp()->getIterator();
    block = block->getParentOp()->getBlock();
  }
  if (!known.empty() && stream.chance(60))
    return known[stream.below(known.size())];
  return made(type);
}

mlir::Operation *BrokenOp::make(StringRef name, mlir::ValueRange operands, mlir::Type type,
                                llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  mlir::OperationState state(op->getLoc(), ("cuda_tile." + name).str());
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttributes(attributes);
  return builder.create(state);
}

mlir::Value BrokenOp::made(mlir::Type type) {
  if (llvm::isa<TokenType>(type))
    return make("make_token", {}, type)->getResult(0);
  if (auto tileType = llvm::dyn_cast<TileType>(type)) {
    mlir::Type element = tileType.getElementType();
    if (llvm::isa<PointerType>(element)) {
      mlir::Value address = made(tile(tileType.getShape(), builder.getI64Type()));
      return make("int_to_ptr", address, type)->getResult(0);
    }
    if (element.isInteger(4)) // no constants of this type
      return make("trunci", made(tile(tileType.getShape(), builder.getI8Type())), type)
          ->getResult(0);
    mlir::DenseElementsAttr splat;
    if (auto format = llvm::dyn_cast<mlir::FloatType>(element))
      splat = mlir::DenseElementsAttr::get(tileType, llvm::APFloat(format.getFloatSemantics(), 1));
    else
      splat =
          mlir::DenseElementsAttr::get(tileType, llvm::APInt(element.getIntOrFloatBitWidth(), 1));
    return make("constant", {}, type, builder.getNamedAttr("value", splat))->getResult(0);
  }
  if (auto view = llvm::dyn_cast<TensorViewType>(type)) {
    auto pointer = PointerType::get(context(), view.getElementType(), view.getPtrAttr());
    llvm::SmallVector<mlir::Value> operands{made(tile({}, pointer))};
    auto shape = static_cast<int32_t>(view.dynamicShapeAmount());
    auto strides = static_cast<int32_t>(view.dynamicStrideAmount());
    for (int32_t i = 0; i < shape + strides; ++i)
      operands.push_back(made(tile({}, builder.getI64Type())));
    return make("make_tensor_view", operands, type,
                builder.getNamedAttr("operandSegmentSizes",
                                     builder.getDenseI32ArrayAttr({1, shape, strides})))
        ->getResult(0);
  }
  StringRef name = llvm::isa<PartitionViewType>(type) ? "make_partition_view"
                   : llvm::isa<StridedViewType>(type) ? "make_strided_view"
                                                      : "make_gather_scatter_view";
  return make(name, made(getUnderlyingTensorView(type)), type)->getResult(0);
}

void BrokenOp::result(unsigned i, mlir::Type type) {
  mlir::OpResult old = op->getResult(i);
  if (!old.use_empty()) {
    mlir::Value other = value(old.getType());
    old.replaceAllUsesWith(other);
  }
  old.setType(type);
}

void BrokenOp::argument(mlir::BlockArgument argument, mlir::Type type) {
  if (!argument.use_empty()) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(argument.getOwner());
    argument.replaceAllUsesWith(made(argument.getType()));
  }
  argument.setType(type);
}

void BrokenOp::results(llvm::ArrayRef<mlir::Type> types) {
  size_t kept = std::min<size_t>(types.size(), op->getNumResults());
  for (size_t i = kept; i < op->getNumResults(); ++i)
    if (!op->getResult(i).use_empty())
      op->getResult(i).replaceAllUsesWith(value(op->getResult(i).getType()));
  mlir::OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(types);
  state.propertiesAttr = op->getPropertiesAsAttribute();
  state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  for (mlir::Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  mlir::Operation *other = builder.create(state);
  for (size_t i = 0; i < kept; ++i)
    op->getResult(i).replaceAllUsesWith(other->getResult(i));
  op->erase();
  op = other;
  builder.setInsertionPoint(op);
}
