//===- MemoryEdits.cpp - tokens, and views spelled out as pointers ----------------------------===//
//
// Tokens only order accesses. More order is always legal. Less is, where what is left out does not
// show: two weak loads in either order read the same, as long as everything after the second one
// still waits for the first.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/mutate/EditTools.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

/// The token operand of an access; null if the op is none.
std::optional<mlir::MutableOperandRange> tokenOf(mlir::Operation *op) {
  if (auto load = llvm::dyn_cast<cuda_tile::LoadPtrTkoOp>(op))
    return load.getTokenMutable();
  if (auto store = llvm::dyn_cast<cuda_tile::StorePtrTkoOp>(op))
    return store.getTokenMutable();
  if (auto load = llvm::dyn_cast<cuda_tile::LoadViewTkoOp>(op))
    return load.getTokenMutable();
  if (auto store = llvm::dyn_cast<cuda_tile::StoreViewTkoOp>(op))
    return store.getTokenMutable();
  return std::nullopt;
}

mlir::Value givenToken(mlir::Operation *op) {
  auto range = tokenOf(op);
  return range && range->size() == 1 ? (*range)[0].get() : mlir::Value();
}

bool isToken(mlir::Type type) {
  return llvm::isa<cuda_tile::TokenType>(type);
}

mlir::Value join(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a, mlir::Value b) {
  return cuda_tile::JoinTokensOp::create(
      builder, loc, cuda_tile::TokenType::get(builder.getContext()), mlir::ValueRange{a, b});
}

/// The tokens that `op` can stand behind. Bytecode 13.1 does not write the token of a print, so one
/// that nothing takes may not exist in the module's version.
std::vector<mlir::Value> tokensBefore(mlir::Operation *op) {
  std::vector<mlir::Value> tokens = valuesBefore(op, isToken);
  llvm::erase_if(tokens, [](mlir::Value token) {
    return token.use_empty() && token.getDefiningOp<cuda_tile::PrintTkoOp>();
  });
  return tokens;
}

bool strengthen(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(module, stream, [](mlir::Operation *candidate) {
    return tokenOf(candidate) && !tokensBefore(candidate).empty();
  });
  if (!op)
    return false;
  std::vector<mlir::Value> tokens = tokensBefore(op);
  mlir::Value token = tokens[stream.below(tokens.size())], given = givenToken(op);
  mlir::OpBuilder builder(op);
  tokenOf(op)->assign(given ? join(builder, op->getLoc(), given, token) : token);
  return true;
}

bool isWeakLoad(mlir::Operation *op) {
  auto order =
      op->getAttrOfType<cuda_tile::MemoryOrderingSemanticsAttr>("memory_ordering_semantics");
  return llvm::isa<cuda_tile::LoadPtrTkoOp, cuda_tile::LoadViewTkoOp>(op) && order &&
         order.getValue() == cuda_tile::MemoryOrderingSemantics::WEAK;
}

/// Whether what `later` stands behind includes everything that `token` stands behind.
bool isBehind(mlir::Value later, mlir::Value token, unsigned depth = 0) {
  if (later == token)
    return true;
  mlir::Operation *op = later.getDefiningOp();
  if (!op || depth > 16)
    return false;
  if (auto joined = llvm::dyn_cast<cuda_tile::JoinTokensOp>(op))
    return llvm::any_of(joined.getTokens(),
                        [&](mlir::Value part) { return isBehind(part, token, depth + 1); });
  mlir::Value given = givenToken(op);
  return given && isBehind(given, token, depth + 1);
}

/// The operand of a join that adds nothing: a token without predecessors, or one that another
/// operand stands behind.
std::optional<unsigned> superfluousOperand(cuda_tile::JoinTokensOp op) {
  if (op.getTokens().size() < 3)
    return std::nullopt;
  for (auto [i, token] : llvm::enumerate(op.getTokens())) {
    if (token.getDefiningOp<cuda_tile::MakeTokenOp>())
      return static_cast<unsigned>(i);
    for (auto [j, other] : llvm::enumerate(op.getTokens()))
      if (i != j && (other != token || i > j) && isBehind(other, token))
        return static_cast<unsigned>(i);
  }
  return std::nullopt;
}

/// A join of two tokens, one of which stands behind the other: that one alone.
mlir::Value onlyToken(cuda_tile::JoinTokensOp op) {
  if (op.getTokens().size() != 2)
    return {};
  mlir::Value a = op.getTokens()[0], b = op.getTokens()[1];
  if (b.getDefiningOp<cuda_tile::MakeTokenOp>() || isBehind(a, b))
    return a;
  return a.getDefiningOp<cuda_tile::MakeTokenOp>() || isBehind(b, a) ? b : mlir::Value();
}

/// A weak load behind another one of its block.
bool followsLoad(mlir::Operation *op) {
  if (!isWeakLoad(op))
    return false;
  mlir::Value token = givenToken(op);
  mlir::Operation *earlier = token ? token.getDefiningOp() : nullptr;
  return earlier && earlier->getBlock() == op->getBlock() && isWeakLoad(earlier);
}

bool weaken(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(module, stream, [](mlir::Operation *candidate) {
    if (auto joined = llvm::dyn_cast<cuda_tile::JoinTokensOp>(candidate))
      return onlyToken(joined) || superfluousOperand(joined);
    mlir::Value token = givenToken(candidate);
    return followsLoad(candidate) || (token && token.getDefiningOp<cuda_tile::MakeTokenOp>());
  });
  if (!op)
    return false;
  if (auto joined = llvm::dyn_cast<cuda_tile::JoinTokensOp>(op)) {
    if (mlir::Value token = onlyToken(joined)) {
      joined.replaceAllUsesWith(token);
      joined.erase();
    } else {
      joined->eraseOperand(*superfluousOperand(joined));
    }
    return true;
  }
  if (!followsLoad(op)) {
    tokenOf(op)->clear(); // it waited for nothing
    return true;
  }
  mlir::Value first = givenToken(op), before = givenToken(first.getDefiningOp());
  if (before)
    tokenOf(op)->assign(before);
  else
    tokenOf(op)->clear();
  // What waited for both still does.
  mlir::OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  mlir::Value both = join(builder, op->getLoc(), op->getResult(1), first);
  op->getResult(1).replaceAllUsesExcept(both, both.getDefiningOp());
  return true;
}

/// The pieces of a view whose tiles can be addressed by pointers.
struct PlainView {
  cuda_tile::MakeTensorViewOp tensor;
  cuda_tile::PartitionViewType type;
};

std::optional<PlainView> plainView(mlir::Value view) {
  auto partition = view.getDefiningOp<cuda_tile::MakePartitionViewOp>();
  if (!partition)
    return std::nullopt;
  auto tensor = partition.getTensorView().getDefiningOp<cuda_tile::MakeTensorViewOp>();
  auto type = llvm::cast<cuda_tile::PartitionViewType>(view.getType());
  if (!tensor || type.getTensorView().getPtrAttr() ||
      type.getTensorView().getElementType().getIntOrFloatBitWidth() < 8)
    return std::nullopt;
  for (auto [i, target] : llvm::enumerate(type.getDimMap()))
    if (target != static_cast<int32_t>(i))
      return std::nullopt;
  auto padding = type.getPaddingValue();
  if (padding && padding.getValue() != cuda_tile::PaddingValue::zero)
    return std::nullopt;
  return PlainView{tensor, type};
}

/// The view of an access that can be spelled out.
std::optional<PlainView> viewOf(mlir::Operation *op) {
  auto order =
      op->getAttrOfType<cuda_tile::MemoryOrderingSemanticsAttr>("memory_ordering_semantics");
  if (!order || order.getValue() != cuda_tile::MemoryOrderingSemantics::WEAK)
    return std::nullopt;
  if (auto load = llvm::dyn_cast<cuda_tile::LoadViewTkoOp>(op))
    return plainView(load.getView());
  if (auto store = llvm::dyn_cast<cuda_tile::StoreViewTkoOp>(op))
    return plainView(store.getView());
  return std::nullopt;
}

/// Builds the addresses and the mask of one tile of a view.
class Addresses {
public:
  Addresses(mlir::OpBuilder &builder, mlir::Location loc, const PlainView &view)
      : builder(builder), loc(loc), view(view), shape(view.type.getTileShape().asArrayRef().begin(),
                                                      view.type.getTileShape().asArrayRef().end()) {
  }

  void build(mlir::ValueRange indices);
  mlir::Value pointers, mask;

private:
  cuda_tile::TileType wide() { return cuda_tile::TileType::get(shape, builder.getI64Type()); }
  mlir::Value widen(mlir::Value scalar);
  mlir::Value extentOrStride(llvm::ArrayRef<int64_t> fixed, mlir::ValueRange dynamic, size_t dim);
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return cuda_tile::AddIOp::create(builder, loc, wide(), a, b, cuda_tile::IntegerOverflow::NONE);
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b) {
    return cuda_tile::MulIOp::create(builder, loc, a.getType(), a, b,
                                     cuda_tile::IntegerOverflow::NONE);
  }
  mlir::Value inside(mlir::Value position, cuda_tile::ComparisonPredicate predicate,
                     mlir::Value bound) {
    return cuda_tile::CmpIOp::create(builder, loc,
                                     cuda_tile::TileType::get(shape, builder.getI1Type()),
                                     predicate, position, bound, cuda_tile::Signedness::Signed);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  PlainView view;
  llvm::SmallVector<int64_t> shape;
};

// Extents, strides and indices of views are unsigned.
mlir::Value Addresses::widen(mlir::Value scalar) {
  auto type = llvm::cast<cuda_tile::TileType>(scalar.getType());
  if (type.getElementType().isInteger(64))
    return scalar;
  return cuda_tile::ExtIOp::create(builder, loc, scalarOf(builder.getI64Type()), scalar,
                                   cuda_tile::Signedness::Unsigned);
}

mlir::Value Addresses::extentOrStride(llvm::ArrayRef<int64_t> fixed, mlir::ValueRange dynamic,
                                      size_t dim) {
  size_t position =
      static_cast<size_t>(llvm::count(fixed.take_front(dim), cuda_tile::TensorViewType::kDynamic));
  mlir::Value scalar =
      fixed[dim] == cuda_tile::TensorViewType::kDynamic
          ? widen(dynamic[position])
          : integerConstant(builder, loc, scalarOf(builder.getI64Type()), fixed[dim]);
  return spread(builder, scalar, shape);
}

void Addresses::build(mlir::ValueRange indices) {
  cuda_tile::TensorViewType tensor = view.type.getTensorView();
  cuda_tile::TileType i64 = scalarOf(builder.getI64Type());
  mlir::Value offsets = integerConstant(builder, loc, wide(), 0);
  mlir::Value zero = offsets;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    llvm::SmallVector<int64_t> row(shape.size(), 1);
    row[dim] = shape[dim];
    mlir::Value place = cuda_tile::IotaOp::create(
        builder, loc, cuda_tile::TileType::get({shape[dim]}, builder.getI64Type()));
    place = cuda_tile::ReshapeOp::create(
        builder, loc, cuda_tile::TileType::get(row, builder.getI64Type()), place);
    place = cuda_tile::BroadcastOp::create(builder, loc, wide(), place);
    mlir::Value start =
        multiply(widen(indices[dim]), integerConstant(builder, loc, i64, shape[dim]));
    place = add(place, spread(builder, start, shape));
    mlir::Value above = inside(place, cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL, zero);
    mlir::Value below =
        inside(place, cuda_tile::ComparisonPredicate::LESS_THAN,
               extentOrStride(tensor.getShape(), view.tensor.getDynamicShape(), dim));
    mlir::Value both = cuda_tile::AndIOp::create(builder, loc, above.getType(), above, below);
    mask = mask ? cuda_tile::AndIOp::create(builder, loc, mask.getType(), mask, both).getResult()
                : both;
    offsets = add(offsets, multiply(place, extentOrStride(tensor.getStrides(),
                                                          view.tensor.getDynamicStrides(), dim)));
  }
  mlir::Value base = spread(builder, view.tensor.getBase(), shape);
  pointers = cuda_tile::OffsetOp::create(builder, loc, base.getType(), base, offsets);
}

mlir::Value zeroOf(mlir::OpBuilder &builder, mlir::Location loc, cuda_tile::TileType type) {
  mlir::Attribute zero = builder.getZeroAttr(type.getElementType());
  return cuda_tile::ConstantOp::create(
      builder, loc, type,
      llvm::cast<mlir::DenseIntOrFPElementsAttr>(
          static_cast<mlir::Attribute>(mlir::DenseElementsAttr::get(type, zero))));
}

/// A weak access to a view becomes one through pointers with a mask.
bool spellOutView(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(
      module, stream, [](mlir::Operation *candidate) { return viewOf(candidate).has_value(); });
  if (!op)
    return false;
  PlainView view = *viewOf(op);
  mlir::OpBuilder builder(op);
  mlir::Location loc = op->getLoc();
  Addresses addresses(builder, loc, view);
  mlir::OperandRange indices = llvm::isa<cuda_tile::LoadViewTkoOp>(op)
                                   ? llvm::cast<cuda_tile::LoadViewTkoOp>(op).getIndex()
                                   : llvm::cast<cuda_tile::StoreViewTkoOp>(op).getIndex();
  addresses.build(indices);
  llvm::SmallVector<mlir::Value> operands = {addresses.pointers};
  llvm::SmallVector<int32_t> segments;
  mlir::Value token = givenToken(op);
  bool isLoad = llvm::isa<cuda_tile::LoadViewTkoOp>(op);
  if (isLoad) {
    operands.push_back(addresses.mask);
    bool padded = static_cast<bool>(view.type.getPaddingValue());
    if (padded)
      operands.push_back(
          zeroOf(builder, loc, llvm::cast<cuda_tile::TileType>(op->getResult(0).getType())));
    segments = {1, 1, padded, token ? 1 : 0};
  } else {
    operands.push_back(llvm::cast<cuda_tile::StoreViewTkoOp>(op).getTile());
    operands.push_back(addresses.mask);
    segments = {1, 1, 1, token ? 1 : 0};
  }
  if (token)
    operands.push_back(token);
  mlir::OperationState state(loc, isLoad ? cuda_tile::LoadPtrTkoOp::getOperationName()
                                         : cuda_tile::StorePtrTkoOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(op->getResultTypes());
  state.addAttribute("memory_ordering_semantics", op->getAttr("memory_ordering_semantics"));
  state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments));
  mlir::Operation *access = builder.create(state);
  op->replaceAllUsesWith(access->getResults());
  op->erase();
  return true;
}

/// The scalar behind broadcast(reshape(scalar)); null if it is none.
mlir::Value scalarBehind(mlir::Value tile) {
  auto broadcast = tile.getDefiningOp<cuda_tile::BroadcastOp>();
  auto reshape = broadcast ? broadcast.getSource().getDefiningOp<cuda_tile::ReshapeOp>() : nullptr;
  if (!reshape || llvm::cast<cuda_tile::TileType>(reshape.getSource().getType()).getRank() != 0)
    return {};
  return reshape.getSource();
}

/// Neighbouring elements from a scalar pointer on.
struct Neighbours {
  mlir::Value base;
  cuda_tile::TileType pointers;
  int64_t count;
};

/// What a weak access through pointers without a mask touches: one element, or neighbours by
/// `offset base, iota`.
std::optional<Neighbours> neighboursOf(mlir::Operation *op) {
  auto order =
      op->getAttrOfType<cuda_tile::MemoryOrderingSemanticsAttr>("memory_ordering_semantics");
  if (!order || order.getValue() != cuda_tile::MemoryOrderingSemantics::WEAK)
    return std::nullopt;
  mlir::Value pointers;
  if (auto load = llvm::dyn_cast<cuda_tile::LoadPtrTkoOp>(op); load && !load.getMask())
    pointers = load.getSource();
  else if (auto store = llvm::dyn_cast<cuda_tile::StorePtrTkoOp>(op); store && !store.getMask())
    pointers = store.getDestination();
  if (!pointers)
    return std::nullopt;
  auto type = llvm::cast<cuda_tile::TileType>(pointers.getType());
  auto pointer = llvm::cast<cuda_tile::PointerType>(type.getElementType());
  mlir::Type element = pointer.getPointeeType();
  if (pointer.getPtrAttr() || !(element.isInteger(8) || element.isInteger(16) ||
                                element.isInteger(32) || element.isInteger(64) || element.isF16() ||
                                element.isBF16() || element.isF32() || element.isF64()))
    return std::nullopt;
  if (type.getRank() == 0)
    return Neighbours{pointers, type, 1};
  auto offset = pointers.getDefiningOp<cuda_tile::OffsetOp>();
  if (type.getRank() != 1 || !offset || !offset.getOffset().getDefiningOp<cuda_tile::IotaOp>())
    return std::nullopt;
  mlir::Value base = scalarBehind(offset.getPtr());
  return base ? std::optional(Neighbours{base, type, type.getShape()[0]}) : std::nullopt;
}

/// A weak access to neighbours becomes one to a view of them.
bool wrapInView(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(module, stream, [](mlir::Operation *candidate) {
    return neighboursOf(candidate).has_value();
  });
  if (!op)
    return false;
  Neighbours place = *neighboursOf(op);
  mlir::OpBuilder builder(op);
  mlir::Location loc = op->getLoc();
  mlir::MLIRContext *context = op->getContext();
  mlir::Type element =
      llvm::cast<cuda_tile::PointerType>(place.pointers.getElementType()).getPointeeType();
  int64_t shape[] = {place.count}, strides[] = {1};
  auto tensorType = cuda_tile::TensorViewType::get(context, element, shape, strides, {});
  auto viewType = cuda_tile::PartitionViewType::get(
      context, mlir::DenseI32ArrayAttr::get(context, {static_cast<int32_t>(place.count)}),
      tensorType, {0}, {});
  auto row = cuda_tile::TileType::get(shape, element);
  mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(builder, loc, tensorType, place.base,
                                                           mlir::ValueRange(), mlir::ValueRange());
  mlir::Value view = cuda_tile::MakePartitionViewOp::create(builder, loc, viewType, tensor);
  mlir::Value zero = integerConstant(builder, loc, scalarOf(builder.getI32Type()), 0);
  mlir::Value token = givenToken(op);
  auto load = llvm::dyn_cast<cuda_tile::LoadPtrTkoOp>(op);
  bool scalar = place.pointers.getRank() == 0;
  llvm::SmallVector<mlir::Value> operands;
  if (!load) {
    mlir::Value value = llvm::cast<cuda_tile::StorePtrTkoOp>(op).getValue();
    operands.push_back(scalar ? cuda_tile::ReshapeOp::create(builder, loc, row, value).getResult()
                              : value);
  }
  operands.append({view, zero});
  if (token)
    operands.push_back(token);
  llvm::SmallVector<int32_t> segments;
  if (!load)
    segments.push_back(1);
  segments.append({1, 1, token ? 1 : 0});
  mlir::OperationState state(loc, load ? cuda_tile::LoadViewTkoOp::getOperationName()
                                       : cuda_tile::StoreViewTkoOp::getOperationName());
  state.addOperands(operands);
  auto tokenType = cuda_tile::TokenType::get(context);
  if (load)
    state.addTypes({row, tokenType});
  else
    state.addTypes(tokenType);
  state.addAttribute("memory_ordering_semantics", op->getAttr("memory_ordering_semantics"));
  state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments));
  mlir::Operation *access = builder.create(state);
  if (load) {
    mlir::Value value = access->getResult(0);
    if (scalar)
      value = cuda_tile::ReshapeOp::create(builder, loc, load.getResult().getType(), value);
    load.getResult().replaceAllUsesWith(value);
  }
  op->getResults().back().replaceAllUsesWith(access->getResults().back());
  op->erase();
  return true;
}

constexpr Edit kEdits[] = {
    {"pointers-to-view", "a weak access to one element, or to neighbours, without a mask",
     wrapInView},
    {"strengthen-token", "a load or store behind a token", strengthen},
    {"view-to-pointers", "a weak access to a partition of a tensor, padded with zero or not",
     spellOutView},
    {"weaken-token", "a weak load behind another one, or a token that adds no order", weaken},
};

} // namespace

llvm::ArrayRef<Edit> tilesmith::generators::memoryEdits() {
  return kEdits;
}
