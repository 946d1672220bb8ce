//===- ChangeTools.cpp - what the families of changes share -----------------------------------===//
#include "generators/mutate/ChangeTools.h"

#include "generators/program/KernelBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;
using testcase::DataType;

bool tilesmith::generators::isPlainFloat(mlir::Type element) {
  return element.isF16() || element.isBF16() || element.isF32() || element.isF64();
}

bool tilesmith::generators::isNumbers(mlir::Type type) {
  auto tile = llvm::dyn_cast<TileType>(type);
  return tile && arrayTypeOf(tile.getElementType()).has_value();
}

std::optional<DataType> tilesmith::generators::arrayTypeOf(mlir::Type element) {
  const bool isInteger = element.isInteger(1) || element.isInteger(8) || element.isInteger(16) ||
                         element.isInteger(32) || element.isInteger(64);
  if (!isInteger && !isPlainFloat(element) &&
      !llvm::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(element))
    return std::nullopt;
  return dataTypeOf(element);
}

llvm::SmallVector<mlir::Type> tilesmith::generators::otherElements(mlir::Type element) {
  mlir::Builder b(element.getContext());
  llvm::SmallVector<mlir::Type> types;
  if (element.isInteger())
    types = {b.getI8Type(), b.getIntegerType(16), b.getI32Type(), b.getI64Type()};
  else
    types = {b.getF16Type(),
             b.getBF16Type(),
             b.getF32Type(),
             b.getF64Type(),
             mlir::Float8E4M3FNType::get(b.getContext()),
             mlir::Float8E5M2Type::get(b.getContext())};
  llvm::erase(types, element);
  return types;
}

std::vector<mlir::Value>
tilesmith::generators::visibleValues(mlir::Operation *op,
                                     llvm::function_ref<bool(mlir::Type)> fits) {
  std::vector<mlir::Value> values;
  for (; op && !llvm::isa<EntryOp, ModuleOp>(op); op = op->getParentOp())
    llvm::append_range(values, valuesBefore(op, fits));
  return values;
}

/// One number of the type; null for types that hold none.
static mlir::TypedAttr splatOf(mlir::Type element, double number) {
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element))
    return mlir::IntegerAttr::get(
        integer, llvm::APInt(64, static_cast<uint64_t>(static_cast<int64_t>(number)))
                     .trunc(integer.getWidth()));
  if (!arrayTypeOf(element))
    return {};
  llvm::APFloat value(number);
  bool lost;
  value.convert(llvm::cast<mlir::FloatType>(element).getFloatSemantics(),
                llvm::APFloat::rmNearestTiesToEven, &lost);
  return mlir::FloatAttr::get(element, value);
}

mlir::Value tilesmith::generators::splat(mlir::OpBuilder &builder, mlir::Location loc,
                                         TileType type, double number) {
  mlir::TypedAttr one = splatOf(type.getElementType(), number);
  if (!one)
    return {};
  return ConstantOp::create(builder, loc, type,
                            llvm::cast<mlir::DenseIntOrFPElementsAttr>(static_cast<mlir::Attribute>(
                                mlir::DenseElementsAttr::get(type, mlir::Attribute(one)))));
}

/// The elements converted; null where no conversion is.
static mlir::Value convert(mlir::OpBuilder &b, mlir::Value value, mlir::Type element,
                           ChoiceStream &stream) {
  auto from = llvm::cast<TileType>(value.getType());
  if (from.getElementType() == element)
    return value;
  if (!arrayTypeOf(from.getElementType()) || !arrayTypeOf(element))
    return {};
  mlir::MLIRContext *context = b.getContext();
  mlir::Location loc = value.getLoc();
  TileType to = TileType::get(from.getShape(), element);
  auto name = [&](llvm::StringRef key, mlir::Attribute attribute) {
    return b.getNamedAttr(key, attribute);
  };
  const auto isSigned =
      name("signedness", SignednessAttr::get(context, stream.chance(30) ? Signedness::Unsigned
                                                                        : Signedness::Signed));
  auto nearest =
      RoundingModeAttr::get(context, stream.chance(30) ? static_cast<RoundingMode>(stream.below(4))
                                                       : RoundingMode::NEAREST_EVEN);
  auto towardsZero = RoundingModeAttr::get(context, RoundingMode::NEAREST_INT_TO_ZERO);
  llvm::StringRef op;
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  const bool intFrom = from.getElementType().isInteger(), intTo = element.isInteger();
  if (intFrom && intTo) {
    const bool wider =
        element.getIntOrFloatBitWidth() > from.getElementType().getIntOrFloatBitWidth();
    op = wider ? ExtIOp::getOperationName() : TruncIOp::getOperationName();
    attributes.push_back(
        wider ? isSigned
              : name("overflow", IntegerOverflowAttr::get(context, IntegerOverflow::NONE)));
  } else if (intFrom) {
    op = IToFOp::getOperationName();
    attributes = {isSigned, name("rounding_mode", nearest)};
  } else if (intTo) {
    op = FToIOp::getOperationName();
    attributes = {isSigned, name("rounding_mode", towardsZero)};
  } else {
    op = FToFOp::getOperationName();
    attributes = {name("rounding_mode", nearest)};
  }
  mlir::OperationState state(loc, op, value, to, attributes);
  return b.create(state)->getResult(0);
}

static mlir::Value reshape(mlir::OpBuilder &b, mlir::Value value, llvm::ArrayRef<int64_t> shape) {
  auto from = llvm::cast<TileType>(value.getType());
  if (from.getShape() == shape)
    return value;
  return ReshapeOp::create(b, value.getLoc(), TileType::get(shape, from.getElementType()), value);
}

static int64_t countOf(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

mlir::Value tilesmith::generators::makeLike(mlir::OpBuilder &b, mlir::Value value, TileType type,
                                            ChoiceStream &stream) {
  value = convert(b, value, type.getElementType(), stream);
  if (!value)
    return {};
  llvm::ArrayRef<int64_t> wanted = type.getShape();
  const int64_t count = countOf(wanted);
  int64_t there = countOf(llvm::cast<TileType>(value.getType()).getShape());
  if (there > count) {
    value = reshape(b, value, {there});
    TileType index = scalarOf(b.getI32Type());
    mlir::Value part = integerConstant(b, value.getLoc(), index,
                                       static_cast<int64_t>(stream.below(there / count)));
    value = ExtractOp::create(b, value.getLoc(), TileType::get({count}, type.getElementType()),
                              value, part);
    there = count;
  }
  if (there == count && wanted.size() >= 2 && stream.chance(30) && value.getType() != type) {
    // Through the reversed order of dimensions.
    llvm::SmallVector<int64_t> turned(llvm::reverse(wanted));
    llvm::SmallVector<int32_t> order;
    for (size_t i = wanted.size(); i > 0; --i)
      order.push_back(static_cast<int32_t>(i - 1));
    return PermuteOp::create(b, value.getLoc(), type, reshape(b, value, turned),
                             b.getDenseI32ArrayAttr(order));
  }
  llvm::SmallVector<int64_t> filled(wanted.size(), 1);
  for (size_t i = wanted.size(); i > 0; --i) {
    filled[i - 1] = std::min(wanted[i - 1], there);
    there /= filled[i - 1];
  }
  value = reshape(b, value, filled);
  if (value.getType() == type)
    return value;
  return BroadcastOp::create(b, value.getLoc(), type, value);
}

mlir::Value tilesmith::generators::drawLike(mlir::Operation *op, TileType type,
                                            ChoiceStream &stream) {
  mlir::OpBuilder builder(op);
  const bool wantsInteger = type.getElementType().isInteger();
  std::vector<mlir::Value> values = visibleValues(op, [&](mlir::Type other) {
    return isNumbers(other) &&
           llvm::cast<TileType>(other).getElementType().isInteger() == wantsInteger;
  });
  if (!values.empty() && stream.chance(85))
    return makeLike(builder, values[stream.below(values.size())], type, stream);
  return splat(builder, op->getLoc(), type, static_cast<double>(stream.below(3)));
}

/// A combination of two elements, and its neutral one.
struct Combiner {
  llvm::StringRef name;
  double neutral;
};

static std::optional<Combiner> drawCombiner(mlir::Type element, ChoiceStream &stream) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr Combiner kFloats[] = {{AddFOp::getOperationName(), 0},
                                         {AddFOp::getOperationName(), 0},
                                         {MaxFOp::getOperationName(), -kInfinity},
                                         {MinFOp::getOperationName(), kInfinity},
                                         {MulFOp::getOperationName(), 1}};
  static constexpr Combiner kIntegers[] = {{AddIOp::getOperationName(), 0},
                                           {XOrIOp::getOperationName(), 0},
                                           {OrIOp::getOperationName(), 0},
                                           {AndIOp::getOperationName(), -1},
                                           {MulIOp::getOperationName(), 1}};
  if (isPlainFloat(element))
    return kFloats[stream.below(std::size(kFloats))];
  if (element.isInteger(1))
    return kIntegers[1 + stream.below(3)];
  if (element.isInteger())
    return kIntegers[stream.below(std::size(kIntegers))];
  return std::nullopt;
}

mlir::Value tilesmith::generators::combineAlong(mlir::OpBuilder &b, mlir::Value value,
                                                ChoiceStream &stream) {
  auto type = llvm::cast<TileType>(value.getType());
  mlir::Type element = type.getElementType();
  std::optional<Combiner> combiner = drawCombiner(element, stream);
  if (!combiner || type.getRank() == 0 || !arrayTypeOf(element))
    return {};
  mlir::MLIRContext *context = b.getContext();
  const auto dim = static_cast<int64_t>(stream.below(type.getRank()));
  const bool isScan = stream.chance(50);
  mlir::OperationState state(value.getLoc(),
                             isScan ? ScanOp::getOperationName() : ReduceOp::getOperationName());
  state.addOperands(value);
  llvm::SmallVector<int64_t> left(type.getShape()), ones(type.getShape());
  left.erase(left.begin() + dim);
  ones[dim] = 1;
  state.addTypes(isScan ? type : TileType::get(left, element));
  state.addAttribute("dim", b.getI32IntegerAttr(static_cast<int32_t>(dim)));
  if (isScan)
    state.addAttribute("reverse", b.getBoolAttr(stream.chance(40)));
  auto neutral = splatOf(element, combiner->neutral);
  state.addAttribute("identities", b.getArrayAttr({neutral}));
  mlir::OpBuilder inner(context);
  mlir::Block &body = state.addRegion()->emplaceBlock();
  inner.setInsertionPointToEnd(&body);
  TileType scalar = scalarOf(element);
  mlir::Value sides[] = {body.addArgument(scalar, value.getLoc()),
                         body.addArgument(scalar, value.getLoc())};
  mlir::OperationState sum(value.getLoc(), combiner->name, sides, scalar);
  auto known = mlir::OperationName(combiner->name, context).getAttributeNames();
  if (llvm::is_contained(known, "rounding_mode"))
    sum.addAttribute("rounding_mode", RoundingModeAttr::get(context, RoundingMode::NEAREST_EVEN));
  if (llvm::is_contained(known, "overflow"))
    sum.addAttribute("overflow", IntegerOverflowAttr::get(context, IntegerOverflow::NONE));
  YieldOp::create(inner, value.getLoc(), inner.create(sum)->getResults());
  mlir::Value result = b.create(state)->getResult(0);
  if (isScan)
    return result;
  return BroadcastOp::create(b, value.getLoc(), type, reshape(b, result, ones));
}

using Replacement = std::optional<std::pair<mlir::Attribute, mlir::WalkResult>>;

void tilesmith::generators::keepArrays(mlir::AttrTypeReplacer &replacer) {
  replacer.addReplacement([](mlir::DenseArrayAttr value) -> Replacement {
    return std::pair(mlir::Attribute(value), mlir::WalkResult::skip());
  });
}

void tilesmith::generators::replaceTypes(ModuleOp module, mlir::AttrTypeReplacer &replacer) {
  keepArrays(replacer);
  replacer.addReplacement([](mlir::DenseElementsAttr value) -> Replacement {
    return std::pair(mlir::Attribute(value), mlir::WalkResult::skip());
  });
  module->walk([&](ConstantOp op) {
    auto value = llvm::cast<mlir::DenseElementsAttr>(static_cast<mlir::Attribute>(op.getValue()));
    auto type = llvm::cast<mlir::ShapedType>(replacer.replace(value.getType()));
    if (!value.isSplat() || type == value.getType())
      return;
    mlir::Attribute one = value.getSplatValue<mlir::Attribute>();
    if (auto number = llvm::dyn_cast<mlir::FloatAttr>(one);
        number && number.getType() != type.getElementType()) {
      llvm::APFloat other = number.getValue();
      bool lost;
      other.convert(llvm::cast<mlir::FloatType>(type.getElementType()).getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &lost);
      one = mlir::FloatAttr::get(type.getElementType(), other);
    } else if (auto whole = llvm::dyn_cast<mlir::IntegerAttr>(one);
               whole && whole.getType() != type.getElementType()) {
      one = mlir::IntegerAttr::get(
          type.getElementType(),
          whole.getValue().sextOrTrunc(type.getElementType().getIntOrFloatBitWidth()));
    }
    op.setValueAttr(llvm::cast<mlir::DenseIntOrFPElementsAttr>(
        static_cast<mlir::Attribute>(mlir::DenseElementsAttr::get(type, one))));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

mlir::Value tilesmith::generators::addArray(ChangedKernel &kernel, EntryOp entry,
                                            mlir::Type element, uint64_t count,
                                            llvm::function_ref<double(uint64_t)> fill) {
  const DataType type = *arrayTypeOf(element);
  testcase::Buffer buffer;
  buffer.dtype = type;
  buffer.shape = {static_cast<int64_t>(count)};
  buffer.strides = {1};
  buffer.data.resize(buffer.byteSize());
  buffer.compare = {testcase::Comparison::Mode::Enclosure};
  for (uint64_t i = 0; i < count; ++i)
    testcase::writeElement(buffer.data, type, i, testcase::fromDouble(type, fill(i)));
  const auto number = static_cast<unsigned>(kernel.testCase.buffers.size());
  kernel.testCase.buffers.push_back(std::move(buffer));
  for (testcase::Launch &launch : kernel.testCase.launches)
    if (launch.kernel == entry.getSymName())
      launch.params.push_back(testcase::Parameter::pointer(number, type));
  mlir::FunctionOpInterface function = entry;
  const unsigned position = function.getNumArguments();
  (void)function.insertArgument(position, scalarOf(PointerType::get(element)), {}, entry.getLoc());
  return function.getArgument(position);
}

void tilesmith::generators::growArrays(testcase::TestCase &testCase) {
  uint64_t bytes = 0;
  for (const testcase::Buffer &buffer : testCase.buffers)
    bytes += buffer.data.size();
  if (bytes > (1u << 20))
    return;
  for (testcase::Buffer &buffer : testCase.buffers) {
    const testcase::Bytes once = buffer.data;
    if (once.empty())
      continue;
    buffer.shape = {static_cast<int64_t>(2 * buffer.elementCount())};
    buffer.strides = {1};
    buffer.data.insert(buffer.data.end(), once.begin(), once.end());
  }
}

uint64_t tilesmith::generators::blocksOf(const testcase::TestCase &testCase) {
  int64_t most = 1;
  for (const testcase::Launch &launch : testCase.launches)
    most = std::max(most, launch.grid[0] * launch.grid[1] * launch.grid[2]);
  return static_cast<uint64_t>(most);
}

mlir::Value tilesmith::generators::blockNumber(mlir::OpBuilder &b, mlir::Location loc) {
  TileType index = scalarOf(b.getI32Type());
  auto id = GetTileBlockIdOp::create(b, loc, index, index, index);
  auto grid = GetNumTileBlocksOp::create(b, loc, index, index, index);
  mlir::Value number = id->getResult(2);
  for (unsigned dim : {1, 0}) {
    number = MulIOp::create(b, loc, index, number, grid->getResult(dim), IntegerOverflow::NONE);
    number = AddIOp::create(b, loc, index, number, id->getResult(dim), IntegerOverflow::NONE);
  }
  return number;
}

EntryOp tilesmith::generators::entryOf(mlir::Operation *op) {
  return op->getParentOfType<EntryOp>();
}
