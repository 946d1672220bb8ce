//===- KernelBuilder.cpp - the kernel under construction --------------------------------------===//
#include "generators/program/KernelBuilder.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <iterator>

using namespace tilesmith;
using namespace tilesmith::generators;

testcase::DataType tilesmith::generators::dataTypeOf(mlir::Type element) {
  using testcase::DataType;
  if (element.isF16())
    return DataType::F16;
  if (element.isBF16())
    return DataType::BF16;
  if (element.isF32())
    return DataType::F32;
  if (element.isF64())
    return DataType::F64;
  if (element.isTF32())
    return DataType::TF32;
  if (llvm::isa<mlir::Float8E4M3FNType>(element))
    return DataType::F8E4M3FN;
  if (llvm::isa<mlir::Float8E5M2Type>(element))
    return DataType::F8E5M2;
  if (llvm::isa<mlir::Float8E8M0FNUType>(element))
    return DataType::F8E8M0FNU;
  switch (widthOf(element)) {
  case 1:
    return DataType::Bool;
  case 8:
    return DataType::I8;
  case 16:
    return DataType::I16;
  case 32:
    return DataType::I32;
  default:
    return DataType::I64;
  }
}

std::string tilesmith::generators::spellElement(mlir::Type element) {
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return text;
}

mlir::Value Chain::beforeWrite(KernelBuilder &k) {
  llvm::SmallVector<mlir::Value> all(reads);
  if (lastWrite)
    all.push_back(lastWrite);
  if (all.empty())
    return {};
  if (all.size() == 1)
    return all.front();
  k.note("join_tokens");
  return cuda_tile::JoinTokensOp::create(k.builder(), k.loc(), all.front().getType(), all);
}

KernelBuilder::KernelBuilder(mlir::MLIRContext &context, ChoiceStream &stream,
                             unsigned minorVersion, llvm::StringRef entryName)
    : ops(&context), minorVersion(minorVersion) {
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  allElements = {ops.getF32Type(), intType(32),       ops.getF16Type(), intType(8), intType(64),
                 ops.getF64Type(), ops.getBF16Type(), intType(16),      intType(1)};
  moduleOp = cuda_tile::ModuleOp::create(ops, loc(), "generated");
  if (minorVersion >= 3 && stream.chance(20))
    moduleOp->setProducer("tilesmith");
  mlir::Region &body = moduleOp->getBody();
  if (body.empty())
    body.emplaceBlock();
  ops.setInsertionPointToStart(&body.front());
  entry = cuda_tile::EntryOp::create(ops, loc(), entryName, ops.getFunctionType({}, {}));
  if (entry.getBody().empty())
    entry.getBody().emplaceBlock();
  ops.setInsertionPointToStart(&entry.getBody().front());

  chooseIterationSpace(stream.frame(16));
  chooseElementTypes(stream.frame(8));
  addScalarArguments(stream.frame(32));

  cuda_tile::TileType i32 = scalarType(intType(32));
  auto ids = cuda_tile::GetTileBlockIdOp::create(ops, loc(), i32, i32, i32);
  for (size_t i = 0; i < grid.size(); ++i)
    blockIds.push_back(define(ids->getResult(static_cast<unsigned>(i)), {Range{0, grid[i] - 1}}));
}

void KernelBuilder::chooseIterationSpace(ChoiceStream stream) {
  static constexpr unsigned kRankWeights[] = {5, 6, 2};
  size_t rank = 1 + stream.weighted(kRankWeights);
  unsigned bits = stream.chance(5) ? 12 : static_cast<unsigned>(stream.between(0, 9));
  mainShape.assign(rank, 1);
  for (; bits > 0; --bits)
    mainShape[stream.below(rank)] *= 2;
  int64_t blocks = 1;
  for (size_t i = 0; i < rank; ++i) {
    static constexpr unsigned kExtentWeights[] = {8, 7, 3, 2};
    int64_t extent =
        1 + stream.weighted(llvm::ArrayRef(kExtentWeights).take_front(blocks < 4 ? 4 : 2));
    grid.push_back(extent);
    blocks *= extent;
  }
}

void KernelBuilder::chooseElementTypes(ChoiceStream stream) {
  for (uint64_t count = 1 + stream.below(4); count > 0; --count)
    favoured.push_back(stream.pick(llvm::ArrayRef<mlir::Type>(allElements)));
}

void KernelBuilder::addScalarArguments(ChoiceStream stream) {
  for (uint64_t count = stream.below(4); count > 0; --count) {
    mlir::Type element = pickElement(stream, Kind::Any);
    testcase::DataType dtype = dataTypeOf(element);
    Facts facts;
    uint64_t value;
    if (isFloat(element)) {
      value = testcase::fromDouble(dtype, static_cast<double>(stream.between(-64, 64)) / 4);
    } else {
      facts.range = Range::full(widthOf(element));
      value = stream.chance(50) ? stream.bits(widthOf(element)) : stream.below(8);
      value &= static_cast<uint64_t>(unsignedMax(widthOf(element)));
    }
    addScalar(element, testcase::Parameter::scalar(dtype, value), facts);
    note("scalar-argument");
  }
}

TileValue KernelBuilder::addScalar(mlir::Type element, testcase::Parameter parameter, Facts facts) {
  return define(addArgument(scalarType(element), std::move(parameter)), facts);
}

std::string KernelBuilder::freshName(llvm::StringRef stem) {
  return (entry.getSymName() + "_" + stem + llvm::Twine(names++)).str();
}

int64_t KernelBuilder::blockCount() const {
  int64_t count = 1;
  for (int64_t extent : grid)
    count *= extent;
  return count;
}

TileValue KernelBuilder::blockNumber() {
  cuda_tile::TileType i32 = scalarType(intType(32));
  mlir::Value number = blockIds.back().ssa;
  for (size_t i = grid.size() - 1; i > 0; --i) {
    number = cuda_tile::MulIOp::create(ops, loc(), i32, number, intConstant(i32, grid[i - 1]).ssa,
                                       cuda_tile::IntegerOverflow::NSW);
    number = cuda_tile::AddIOp::create(ops, loc(), i32, number, blockIds[i - 1].ssa,
                                       cuda_tile::IntegerOverflow::NSW);
  }
  return {number, {Range{0, blockCount() - 1}}};
}

mlir::Value KernelBuilder::addArgument(cuda_tile::TileType type, testcase::Parameter parameter) {
  params.push_back(std::move(parameter));
  return entry.getBody().front().addArgument(type, loc());
}

mlir::Value KernelBuilder::addExtentArgument(int64_t value) {
  return addArgument(
      scalarType(intType(32)),
      testcase::Parameter::scalar(testcase::DataType::I32, static_cast<uint32_t>(value)));
}

ArrayInfo &KernelBuilder::addArray(ChoiceStream &stream, mlir::Type element, bool output) {
  ArrayInfo &array = arrayList.emplace_back();
  array.buffer = static_cast<unsigned>(arrayList.size() - 1);
  array.element = element;
  array.output = output;
  for (unsigned i = 0; i < mainShape.size(); ++i)
    array.tileDims.push_back(i);
  size_t rank = mainShape.size();
  if (!output && rank > 1 && stream.chance(20)) { // an array along one dimension
    array.tileDims = {static_cast<unsigned>(stream.below(rank))};
    rank = 1;
  } else if (!output && rank > 1 && stream.chance(20)) { // a transposed one
    std::swap(array.tileDims.front(), array.tileDims.back());
  }
  for (unsigned dim : array.tileDims) {
    int64_t last = stream.chance(60) ? stream.between(1, mainShape[dim]) : mainShape[dim];
    array.shape.push_back((grid[dim] - 1) * mainShape[dim] + last);
    if (last != mainShape[dim])
      note("ragged");
  }
  layOut(stream, array);
  // The new arguments stand at the end of the list, whatever is built already.
  array.base = addArgument(scalarType(cuda_tile::PointerType::get(element)),
                           testcase::Parameter::pointer(array.buffer, dataTypeOf(element)));
  for (int64_t extent : array.shape)
    array.extentArgs.push_back(addExtentArgument(extent));
  for (int64_t step : array.strides)
    array.strideArgs.push_back(addExtentArgument(step));
  return array;
}

void KernelBuilder::openBody(cuda_tile::ForOp loop) {
  mlir::Block *body = loop.getBody();
  if (!body->empty() && body->back().hasTrait<mlir::OpTrait::IsTerminator>())
    body->back().erase();
  ops.setInsertionPointToEnd(body);
}

mlir::Operation *KernelBuilder::addIf(mlir::Value condition, llvm::function_ref<void()> fill,
                                      llvm::function_ref<void()> otherwise, mlir::TypeRange types) {
  mlir::OperationState state(loc(), cuda_tile::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(types);
  for (auto each : {fill, otherwise}) {
    mlir::Region *region = state.addRegion();
    if (!each)
      continue;
    region->push_back(new mlir::Block());
    mlir::OpBuilder::InsertionGuard guard(ops);
    ops.setInsertionPointToStart(&region->front());
    each();
  }
  return ops.create(state);
}

mlir::Value KernelBuilder::addSecondPointer(const ArrayInfo &array) {
  return addArgument(scalarType(cuda_tile::PointerType::get(array.element)),
                     testcase::Parameter::pointer(array.buffer, dataTypeOf(array.element)));
}

void KernelBuilder::layOut(ChoiceStream &stream, ArrayInfo &array) {
  // Strides from the fastest dimension outwards; usually that is the last one.
  size_t rank = array.shape.size();
  llvm::SmallVector<size_t> order;
  for (size_t i = rank; i > 0; --i)
    order.push_back(i - 1);
  if (rank > 1 && stream.chance(15)) {
    std::swap(order.front(), order.back());
    note("column-major");
  }
  array.strides.assign(rank, 1);
  int64_t stride = stream.chance(15) ? 2 : 1;
  for (size_t dim : order) {
    array.strides[dim] = stride;
    stride = stride * array.shape[dim] + (stream.chance(25) ? stream.between(1, 5) : 0);
    if (dim != order.back() && stream.chance(20)) { // of whole vectors, whatever the row's length
      int64_t unit = int64_t(4) << stream.below(3);
      stride = (stride + unit - 1) / unit * unit;
      note("padded-rows");
    }
  }
  for (size_t i = 0; i < rank; ++i) {
    array.staticShape.push_back(stream.chance(30));
    array.staticStride.push_back(stream.chance(i + 1 == rank ? 60 : 20));
  }
}

void KernelBuilder::addFreeArguments(ArrayInfo &array, cuda_tile::PtrAttrKindAttr attribute) {
  cuda_tile::PointerType pointer =
      cuda_tile::PointerType::get(&context(), array.element, attribute);
  array.base = addArgument(scalarType(pointer),
                           testcase::Parameter::pointer(array.buffer, dataTypeOf(array.element)));
  for (size_t i = 0; i < array.shape.size(); ++i)
    array.extentArgs.push_back(array.staticShape[i] ? mlir::Value()
                                                    : addExtentArgument(array.shape[i]));
  for (size_t i = 0; i < array.shape.size(); ++i)
    array.strideArgs.push_back(array.staticStride[i] ? mlir::Value()
                                                     : addExtentArgument(array.strides[i]));
}

ArrayInfo &KernelBuilder::addPlacedArray(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                                         llvm::ArrayRef<int64_t> strides,
                                         llvm::ArrayRef<bool> staticShape,
                                         llvm::ArrayRef<bool> staticStride, Fill fill) {
  ArrayInfo &array = arrayList.emplace_back();
  array.buffer = static_cast<unsigned>(arrayList.size() - 1);
  array.element = element;
  array.fill = fill;
  array.isFree = true;
  array.shape.assign(shape.begin(), shape.end());
  array.strides.assign(strides.begin(), strides.end());
  array.staticShape.assign(staticShape.begin(), staticShape.end());
  array.staticStride.assign(staticStride.begin(), staticStride.end());
  addFreeArguments(array, {});
  return array;
}

ArrayInfo &KernelBuilder::addFreeArray(ChoiceStream &stream, mlir::Type element,
                                       llvm::ArrayRef<int64_t> shape, bool output, Fill fill) {
  ArrayInfo &array = arrayList.emplace_back();
  array.buffer = static_cast<unsigned>(arrayList.size() - 1);
  array.element = element;
  array.output = output;
  array.fill = fill;
  array.isFree = true;
  array.shape.assign(shape.begin(), shape.end());
  layOut(stream, array);
  cuda_tile::PtrAttrKindAttr attribute;
  if (minorVersion >= 4 && stream.chance(10)) { // says nothing about what an access does
    bool unicast = minorVersion >= 5 && stream.chance(50);
    attribute = cuda_tile::PtrAttrKindAttr::get(
        &context(), unicast ? cuda_tile::PtrAttrKind::Unicast : cuda_tile::PtrAttrKind::None);
  }
  addFreeArguments(array, attribute);
  return array;
}

ArrayInfo &KernelBuilder::addFlatArray(mlir::Type element, int64_t count, bool output, Fill fill) {
  ArrayInfo &array = arrayList.emplace_back();
  array.buffer = static_cast<unsigned>(arrayList.size() - 1);
  array.element = element;
  array.output = output;
  array.fill = fill;
  array.isFree = true;
  array.shape = {count};
  array.strides = {1};
  array.staticShape = array.staticStride = {true};
  array.extentArgs = array.strideArgs = {mlir::Value()};
  array.base = addArgument(scalarType(cuda_tile::PointerType::get(element)),
                           testcase::Parameter::pointer(array.buffer, dataTypeOf(element)));
  return array;
}

void KernelBuilder::pointBehind(const ArrayInfo &array, int64_t elements) {
  params[llvm::cast<mlir::BlockArgument>(array.base).getArgNumber()].offset = elements;
}

mlir::Value KernelBuilder::extentOf(ArrayInfo &array, size_t dim) {
  if (array.extentArgs[dim])
    return array.extentArgs[dim];
  return intConstant(scalarType(intType(32)), array.shape[dim]).ssa;
}

mlir::Value KernelBuilder::strideOf(ArrayInfo &array, size_t dim) {
  if (array.strideArgs[dim])
    return array.strideArgs[dim];
  return intConstant(scalarType(intType(32)), array.strides[dim]).ssa;
}

cuda_tile::TileType KernelBuilder::tileType(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
  return cuda_tile::TileType::get(shape, element);
}

static bool matches(mlir::Type element, Kind kind) {
  return (kind != Kind::Int && isFloat(element)) || (kind != Kind::Float && isInt(element));
}

mlir::Type KernelBuilder::pickElement(ChoiceStream &stream, Kind kind) {
  const std::vector<mlir::Type> &from = stream.chance(25) ? allElements : favoured;
  llvm::SmallVector<mlir::Type> candidates;
  for (mlir::Type element : from)
    if (matches(element, kind))
      candidates.push_back(element);
  if (candidates.empty())
    for (mlir::Type element : allElements)
      if (matches(element, kind))
        candidates.push_back(element);
  return stream.pick(llvm::ArrayRef<mlir::Type>(candidates));
}

cuda_tile::TileType KernelBuilder::pickType(ChoiceStream &stream, Kind kind) {
  if (!stream.chance(15))
    if (auto value = find(stream, [&](const TileValue &v) { return matches(v.element(), kind); }))
      return value->type();
  return tileType(mainShape, pickElement(stream, kind));
}

mlir::Type KernelBuilder::pickStorage(ChoiceStream &stream, bool halfBytes) {
  // Those that only some kernels may have at all, or that many places cannot take, more often.
  llvm::SmallVector<mlir::Type> types = {ops.getTF32Type(), ops.getType<mlir::Float8E5M2Type>()};
  types.append(2, ops.getType<mlir::Float8E4M3FNType>());
  if (minorVersion >= 2)
    types.append(2, ops.getType<mlir::Float8E8M0FNUType>());
  if (halfBytes && minorVersion >= 3) {
    types.append(2, ops.getType<mlir::Float4E2M1FNType>());
    types.append(2, ops.getIntegerType(4));
  }
  return stream.pick(llvm::ArrayRef<mlir::Type>(types));
}

cuda_tile::TileType KernelBuilder::pickMovable(ChoiceStream &stream) {
  if (!stream.chance(22))
    return pickType(stream, Kind::Any);
  // Half bytes come in pairs along the fastest dimension.
  return tileType(mainShape, pickStorage(stream, mainShape.back() >= 2));
}

TileValue KernelBuilder::define(mlir::Value ssa, Facts facts) {
  assert(llvm::cast<cuda_tile::TileType>(ssa.getType()).getNumElements() <= kMostElements &&
         "too large for other rules");
  pool.push_back({ssa, facts});
  approximates |= !facts.exact;
  return pool.back();
}

std::optional<TileValue>
KernelBuilder::find(ChoiceStream &stream, llvm::function_ref<bool(const TileValue &)> condition) {
  return findWhere(stream, /*exact=*/true, condition);
}

std::optional<TileValue>
KernelBuilder::findApproximate(ChoiceStream &stream,
                               llvm::function_ref<bool(const TileValue &)> condition) {
  return findWhere(stream, /*exact=*/false, condition);
}

std::optional<TileValue>
KernelBuilder::findWhere(ChoiceStream &stream, bool exact,
                         llvm::function_ref<bool(const TileValue &)> condition) {
  llvm::SmallVector<size_t> candidates;
  for (auto [i, value] : llvm::enumerate(pool))
    if (value.facts.exact == exact && condition(value))
      candidates.push_back(i);
  if (candidates.empty())
    return std::nullopt;
  // The later of two draws: long chains of dependent values instead of wide shallow ones.
  size_t a = stream.below(candidates.size()), b = stream.below(candidates.size());
  return pool[candidates[std::max(a, b)]];
}

TileValue KernelBuilder::use(ChoiceStream &stream, cuda_tile::TileType type) {
  if (!stream.chance(12))
    if (auto value = find(stream, [&](const TileValue &v) { return v.ssa.getType() == type; }))
      return *value;
  if (type.getRank() > 0 && stream.chance(50))
    if (auto scalar = find(stream, [&](const TileValue &v) {
          return v.type().getRank() == 0 && v.element() == type.getElementType();
        }))
      return splat(*scalar, type.getShape());
  return constant(stream, type);
}

TileValue KernelBuilder::splat(TileValue scalar, llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return scalar;
  mlir::Type element = scalar.element();
  llvm::SmallVector<int64_t> ones(shape.size(), 1);
  mlir::Value value = cuda_tile::ReshapeOp::create(ops, loc(), tileType(ones, element), scalar.ssa);
  if (shape != llvm::ArrayRef<int64_t>(ones))
    value = cuda_tile::BroadcastOp::create(ops, loc(), tileType(shape, element), value);
  Facts facts = scalar.facts;
  facts.distinct = false;
  return {value, facts};
}

static llvm::APInt wrap(unsigned width, Int value) {
  return llvm::APInt(width, static_cast<uint64_t>(value), /*isSigned=*/false,
                     /*implicitTrunc=*/true);
}

static mlir::Value makeConstant(mlir::OpBuilder &ops, cuda_tile::TileType type,
                                mlir::DenseElementsAttr value) {
  return cuda_tile::ConstantOp::create(ops, ops.getUnknownLoc(), type,
                                       llvm::cast<mlir::DenseIntOrFPElementsAttr>(value));
}

TileValue KernelBuilder::intConstant(cuda_tile::TileType type, Int value) {
  unsigned width = widthOf(type.getElementType());
  llvm::APInt bits = wrap(width, value);
  Facts facts;
  facts.range = Range::point(bits.getSExtValue());
  return {makeConstant(ops, type, mlir::DenseElementsAttr::get(type, bits)), facts};
}

TileValue KernelBuilder::floatConstant(cuda_tile::TileType type, const llvm::APFloat &value) {
  return {makeConstant(ops, type, mlir::DenseElementsAttr::get(type, value)), {}};
}

TileValue KernelBuilder::floatConstant(cuda_tile::TileType type, double value) {
  llvm::APFloat converted(value);
  bool inexact;
  converted.convert(llvm::cast<mlir::FloatType>(type.getElementType()).getFloatSemantics(),
                    llvm::RoundingMode::NearestTiesToEven, &inexact);
  return floatConstant(type, converted);
}

static Int chooseInt(ChoiceStream &stream, unsigned width) {
  switch (stream.below(6)) {
  case 0:
    return stream.between(-2, 2);
  case 1:
    return stream.between(-128, 127);
  case 2:
    return signedMin(width) + stream.between(0, 1);
  case 3:
    return signedMax(width) - stream.between(0, 1);
  case 4:
    return Int(1) << stream.below(width);
  default:
    return static_cast<Int>(stream.bits(width));
  }
}

/// Storage formats lack some of the special values; numbers that all of them hold.
static llvm::APFloat chooseSmall(ChoiceStream &stream, mlir::FloatType type) {
  double value = std::ldexp(1.0, static_cast<int>(stream.between(0, 2)));
  if (!llvm::isa<mlir::Float8E8M0FNUType>(type)) {
    static constexpr double kValues[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    value = kValues[stream.below(std::size(kValues))];
    value = stream.chance(40) ? -value : value;
  }
  llvm::APFloat result(value);
  bool inexact;
  result.convert(type.getFloatSemantics(), llvm::RoundingMode::NearestTiesToEven, &inexact);
  return result;
}

static llvm::APFloat chooseFloat(ChoiceStream &stream, const llvm::fltSemantics &semantics) {
  bool negative = stream.chance(40);
  switch (stream.below(10)) {
  case 0:
    return llvm::APFloat::getZero(semantics, negative);
  case 1:
    return llvm::APFloat::getInf(semantics, negative);
  case 2:
    return llvm::APFloat::getLargest(semantics, negative);
  case 3:
    return llvm::APFloat::getSmallest(semantics, negative);
  case 4:
    return llvm::APFloat::getSmallestNormalized(semantics, negative);
  case 5:
    return llvm::APFloat::getNaN(semantics);
  default: {
    llvm::APFloat value(static_cast<double>(stream.between(-96, 96)) /
                        static_cast<double>(1 << stream.below(5)));
    bool inexact;
    value.convert(semantics, llvm::RoundingMode::NearestTiesToEven, &inexact);
    return value;
  }
  }
}

TileValue KernelBuilder::constant(ChoiceStream &stream, cuda_tile::TileType type) {
  int64_t count = type.getNumElements();
  if (type.getElementType().isInteger(4)) {
    TileValue bytes = constant(stream, tileType(type.getShape(), intType(8)));
    return {
        cuda_tile::TruncIOp::create(ops, loc(), type, bytes.ssa, cuda_tile::IntegerOverflow::NONE),
        {Range::full(4)}};
  }
  // Full listings only for small tiles: they must fit into the module.
  int64_t listed = count <= 64 && stream.chance(25) ? count : 1;
  if (auto format = llvm::dyn_cast<mlir::FloatType>(type.getElementType())) {
    llvm::SmallVector<llvm::APFloat> values;
    for (int64_t i = 0; i < listed; ++i)
      values.push_back(isFloat(format) ? chooseFloat(stream, format.getFloatSemantics())
                                       : chooseSmall(stream, format));
    return {makeConstant(ops, type, mlir::DenseElementsAttr::get(type, values)), {}};
  }
  unsigned width = widthOf(type.getElementType());
  llvm::SmallVector<llvm::APInt> values;
  Facts facts;
  for (int64_t i = 0; i < listed; ++i) {
    values.push_back(wrap(width, chooseInt(stream, width)));
    Range point = Range::point(values.back().getSExtValue());
    facts.range = i == 0 ? point : facts.range.unite(point);
  }
  return {makeConstant(ops, type, mlir::DenseElementsAttr::get(type, values)), facts};
}

void KernelBuilder::finish() {
  mlir::Block &body = entry.getBody().front();
  if (body.empty() || !body.back().hasTrait<mlir::OpTrait::IsTerminator>())
    cuda_tile::ReturnOp::create(ops, loc());
  entry.setFunctionType(ops.getFunctionType(body.getArgumentTypes(), {}));
}
