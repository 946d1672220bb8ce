//===- Values.cpp - values that stand in for dropped ones, and smaller types ------------------===//
#include "fuzz/reduce/Values.h"

#include "mlir/IR/AttrTypeSubElements.h"

#include <set>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::fuzz;
using cuda_tile::TileType;

bool tilesmith::fuzz::hasEffect(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return !isa<cuda_tile::YieldOp>(op);
  if (isa<cuda_tile::ForOp, cuda_tile::LoopOp>(op)) {
    // Jumps inside of a loop that stay there are no effects of the loop.
    bool effect = false;
    op->walk([&](Operation *inner) {
      bool jump = isa<cuda_tile::BreakOp, cuda_tile::ContinueOp>(inner);
      if (inner != op && inner->getNumRegions() == 0 && !jump)
        effect |= hasEffect(inner);
    });
    return effect;
  }
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (hasEffect(&inner))
        return true;
  StringRef name = op->getName().stripDialect();
  for (StringRef prefix : {"store", "atomic", "print", "assert", "multimem", "gdc", "memory_fence"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

static unsigned bitWidth(Type type) {
  return type.getIntOrFloatBitWidth();
}

/// A dense constant of these bit patterns (one of them: a splat).
static Value denseConstant(OpBuilder &builder, Location loc, TileType type,
                           ArrayRef<APInt> patterns) {
  Type element = type.getElementType();
  DenseElementsAttr dense;
  if (auto floating = dyn_cast<FloatType>(element)) {
    if (isa<cuda_tile::FloatNV8E5M3FNUType>(element)) {
      std::vector<char> raw;
      for (const APInt &pattern : patterns)
        raw.push_back(static_cast<char>(pattern.getZExtValue()));
      bool splat = false;
      if (!DenseElementsAttr::isValidRawBuffer(type, raw, splat))
        return {};
      dense = DenseElementsAttr::getFromRawBuffer(type, raw);
    } else {
      llvm::SmallVector<APFloat> values;
      for (const APInt &pattern : patterns)
        values.emplace_back(floating.getFloatSemantics(), pattern);
      dense = DenseElementsAttr::get(type, values);
    }
  } else {
    dense = DenseElementsAttr::get(type, patterns);
  }
  auto value = dyn_cast<DenseIntOrFPElementsAttr>(dense);
  if (!value)
    return {};
  return cuda_tile::ConstantOp::create(builder, loc, type, value);
}

Value tilesmith::fuzz::bitConstant(OpBuilder &builder, Location loc, TileType type, uint64_t bits) {
  Type element = type.getElementType();
  if (!element.isIntOrFloat())
    return {};
  return denseConstant(builder, loc, type, APInt(64, bits).zextOrTrunc(bitWidth(element)));
}

/// The bit pattern of a number in an element type.
static APInt patternOf(Type element, double number) {
  unsigned width = bitWidth(element);
  auto floating = dyn_cast<FloatType>(element);
  if (!floating)
    return APInt(64, static_cast<uint64_t>(static_cast<int64_t>(number)), true).sextOrTrunc(width);
  if (isa<cuda_tile::FloatNV8E5M3FNUType>(element))
    return APInt(8, number == 0 ? 0 : 0x78);
  APFloat value(number);
  bool lost;
  value.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
  return value.bitcastToAPInt();
}

static Value constantFor(OpBuilder &builder, Location loc, TileType type, Substitute substitute) {
  Type element = type.getElementType();
  if (!element.isIntOrFloat())
    return {};
  bool floating = isa<FloatType>(element);
  switch (substitute) {
  case Substitute::Zero:
    return denseConstant(builder, loc, type, patternOf(element, 0));
  case Substitute::One:
    return denseConstant(builder, loc, type, patternOf(element, 1));
  case Substitute::AllOnes:
    // The NaN without payload: what an operation makes of another one is left open.
    if (floating && !isa<cuda_tile::FloatNV8E5M3FNUType>(element))
      return denseConstant(
          builder, loc, type,
          APFloat::getNaN(cast<FloatType>(element).getFloatSemantics()).bitcastToAPInt());
    return denseConstant(builder, loc, type, APInt::getAllOnes(bitWidth(element)));
  case Substitute::Lowest:
    return denseConstant(builder, loc, type,
                         floating ? patternOf(element, -1.75)
                                  : APInt::getSignedMinValue(bitWidth(element)));
  case Substitute::Iota: {
    if (floating || type.getNumElements() < 2 || type.getNumElements() > 65536)
      return {};
    llvm::SmallVector<APInt> patterns;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      patterns.push_back(APInt(64, static_cast<uint64_t>(i)).zextOrTrunc(bitWidth(element)));
    return denseConstant(builder, loc, type, patterns);
  }
  case Substitute::Ramp: {
    if (type.getNumElements() < 2 || type.getNumElements() > 65536)
      return {};
    llvm::SmallVector<APInt> patterns;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      // Integers use the whole range, floats small quarters: exact in most formats.
      int64_t mixed = (i * 37 + 11) % 127 - 63;
      patterns.push_back(floating
                             ? patternOf(element, static_cast<double>(mixed) / 4)
                             : APInt(64, static_cast<uint64_t>(mixed * 0x0102040810204081), true)
                                   .lshr(64 - bitWidth(element))
                                   .zextOrTrunc(bitWidth(element)));
    }
    return denseConstant(builder, loc, type, patterns);
  }
  case Substitute::Operand:
  case Substitute::Dominating:
    return {};
  }
  return {};
}

/// An earlier value of the same type: of the entry's parameters the first, else the nearest result.
static Value dominatingValue(Operation *op, Type type) {
  for (Operation *at = op; at; at = at->getParentOp()) {
    Block *block = at->getBlock();
    if (!block)
      break;
    for (BlockArgument argument : block->getArguments())
      if (argument.getType() == type)
        return argument;
    for (Operation *before = at->getPrevNode(); before; before = before->getPrevNode())
      for (Value value : before->getResults())
        if (value.getType() == type)
          return value;
    if (isa_and_nonnull<cuda_tile::EntryOp>(block->getParentOp()))
      break;
  }
  return {};
}

Value tilesmith::fuzz::substituteFor(OpResult result, Substitute substitute) {
  Operation *op = result.getOwner();
  Type type = result.getType();
  OpBuilder builder(op);
  for (Value operand : op->getOperands())
    if (operand.getType() == type &&
        (substitute == Substitute::Operand || isa<cuda_tile::TokenType>(type)))
      return operand;
  if (isa<cuda_tile::TokenType>(type))
    return cuda_tile::MakeTokenOp::create(builder, op->getLoc(), type);
  if (substitute == Substitute::Operand)
    return {};
  if (auto tile = dyn_cast<TileType>(type);
      tile && tile.getElementType().isIntOrFloat() && substitute != Substitute::Dominating)
    return constantFor(builder, op->getLoc(), tile, substitute);
  return dominatingValue(op, type);
}

std::vector<int64_t> Kernel::extents() const {
  std::set<int64_t, std::greater<>> result;
  auto look = [&](Type type) {
    if (auto tile = dyn_cast<TileType>(type))
      for (int64_t extent : tile.getShape())
        if (extent > 1)
          result.insert(extent);
  };
  for (Operation *op : operations())
    for (Type type : op->getResultTypes())
      look(type);
  return {result.begin(), result.end()};
}

/// A constant cut to a smaller type: its first elements.
static DenseElementsAttr cut(DenseElementsAttr value, TileType type) {
  if (value.isSplat())
    return value.resizeSplat(type);
  llvm::SmallVector<Attribute> elements;
  for (Attribute element : value.getValues<Attribute>()) {
    if (static_cast<int64_t>(elements.size()) == type.getNumElements())
      break;
    elements.push_back(element);
  }
  return DenseElementsAttr::get(type, elements);
}

bool Kernel::mapExtents(llvm::function_ref<int64_t(int64_t)> map) {
  auto mapAll = [&](auto extents) {
    for (auto &extent : extents)
      extent = static_cast<std::remove_reference_t<decltype(extent)>>(map(extent));
    return extents;
  };
  auto mapTile = [&](TileType type) {
    return TileType::get(mapAll(llvm::SmallVector<int64_t>(type.getShape())),
                         type.getElementType());
  };
  auto mapArray = [&](DenseI32ArrayAttr attr) {
    return DenseI32ArrayAttr::get(attr.getContext(),
                                  mapAll(llvm::SmallVector<int32_t>(attr.asArrayRef())));
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](TileType type) -> std::pair<Type, WalkResult> {
    return {mapTile(type), WalkResult::skip()};
  });
  replacer.addReplacement([&](cuda_tile::PartitionViewType type) -> std::pair<Type, WalkResult> {
    return {cuda_tile::PartitionViewType::get(type.getContext(), mapArray(type.getTileShape()),
                                              type.getTensorView(), type.getDimMap(),
                                              type.getPaddingValue()),
            WalkResult::skip()};
  });
  replacer.addReplacement([&](cuda_tile::StridedViewType type) -> std::pair<Type, WalkResult> {
    return {cuda_tile::StridedViewType::get(type.getContext(), mapArray(type.getTileShape()),
                                            type.getTraversalStrides(), type.getTensorView(),
                                            type.getDimMap(), type.getPaddingValue()),
            WalkResult::skip()};
  });
  replacer.addReplacement(
      [&](cuda_tile::GatherScatterViewType type) -> std::pair<Type, WalkResult> {
        return {cuda_tile::GatherScatterViewType::get(
                    type.getContext(), mapArray(type.getTileShape()), type.getTensorView(),
                    type.getSparseDim(), type.getPaddingValue()),
                WalkResult::skip()};
      });
  replacer.addReplacement([&](DenseElementsAttr value) -> std::pair<Attribute, WalkResult> {
    auto type = dyn_cast<TileType>(value.getType());
    return {type && mapTile(type) != type ? cut(value, mapTile(type)) : value, WalkResult::skip()};
  });
  for (auto &[file, module] : modules)
    for (auto entry : module.get().getOps<cuda_tile::EntryOp>())
      replacer.recursivelyReplaceElementsIn(entry, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                            /*replaceTypes=*/true);
  return true;
}
