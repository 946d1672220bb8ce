//===- Shape.cpp - constants and movement of elements -----------------------------------------===//
//
// Elements move with their states, so a select does not leak the side that was not chosen.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Elementwise.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;
using reference::maskOf;

namespace {

using Index = llvm::ArrayRef<int64_t>;

/// Result element `i` is source element `map(coordinate of i)`.
template <typename Map>
Status gather(Machine &machine, mlir::Value result, const Tile &source, Map map) {
  Tile out(source.type(), shapeOf(result.getType()));
  machine.count(out.size());
  reference::forEachIndex(out.shape(),
                          [&](size_t i, Index index) { out.set(i, source.element(map(index))); });
  machine.set(result, std::move(out));
  return Status::success();
}

size_t linear(Index index, Index strides) {
  size_t position = 0;
  for (auto [i, s] : llvm::zip(index, strides))
    position += i * s;
  return position;
}

uint64_t patternOf(const APFloat &value) {
  uint64_t bits = value.bitcastToAPInt().getZExtValue();
  return &value.getSemantics() == &APFloat::FloatTF32() ? bits << 13 : bits;
}

Status evalConstant(Machine &machine, arith::ConstantOp op) {
  auto type = elementTypeOf(op.getType());
  if (!type)
    return reference::unsupported("constant of an unknown type");
  Tile result(*type, shapeOf(op.getType()));
  Attribute value = op.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    result.bits()[0] = integer.getValue().getZExtValue();
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    result.bits()[0] = patternOf(number.getValue());
  } else if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    size_t i = 0;
    if (isa<FloatType>(dense.getElementType()))
      for (const APFloat &v : dense.getValues<APFloat>())
        result.bits()[i++] = patternOf(v);
    else
      for (const APInt &v : dense.getValues<APInt>())
        result.bits()[i++] = v.getZExtValue();
  } else {
    return reference::unsupported("constant that is neither a number nor dense");
  }
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

Status evalPoison(Machine &machine, ub::PoisonOp op) {
  auto type = elementTypeOf(op.getType());
  if (!type) {
    machine.set(op.getResult(), Machine::Value());
    return Status::success();
  }
  Tile result(*type, shapeOf(op.getType()));
  for (size_t i = 0; i < result.size(); ++i)
    result.set(i, unknownElement());
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

Status evalSplat(Machine &machine, tileaa::SplatOp op) {
  return gather(machine, op.getResult(), machine.tile(op.getSource()), [](Index) { return 0; });
}

Status evalBroadcast(Machine &machine, tileaa::BroadcastOp op) {
  const Tile &source = machine.tile(op.getSource());
  auto strides = source.strides();
  for (auto [stride, extent] : llvm::zip(strides, source.shape()))
    if (extent == 1)
      stride = 0;
  return gather(machine, op.getResult(), source,
                [&](Index index) { return linear(index, strides); });
}

/// view, expand_dims: the same elements in row-major order.
template <typename Op> Status evalReshape(Machine &machine, Op op) {
  const Tile &source = machine.tile(op.getSource());
  Tile result(source.type(), shapeOf(op.getResult().getType()));
  for (size_t i = 0; i < source.size(); ++i)
    result.set(i, source.element(i));
  machine.count(source.size());
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

Status evalPermute(Machine &machine, tileaa::PermuteOp op) {
  const Tile &source = machine.tile(op.getSource());
  auto sourceStrides = source.strides();
  llvm::SmallVector<int64_t, 4> strides;
  for (int32_t dim : op.getPermutation())
    strides.push_back(sourceStrides[dim]);
  return gather(machine, op.getResult(), source,
                [&](Index index) { return linear(index, strides); });
}

template <typename Op> Status evalCat(Machine &machine, Op op) {
  const Tile &a = machine.tile(op.getLhs()), &b = machine.tile(op.getRhs());
  int64_t dim = op.getDim(), split = a.shape()[dim];
  auto left = a.strides(), right = b.strides();
  Tile result(a.type(), shapeOf(op.getResult().getType()));
  machine.count(result.size());
  reference::forEachIndex(result.shape(), [&](size_t i, Index index) {
    result.set(i, index[dim] < split ? a.element(linear(index, left))
                                     : b.element(linear(index, right) - split * right[dim]));
  });
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

/// Linear position of the first element of the slice that unsigned indices choose.
Status sliceStart(Machine &machine, ValueRange indices, const Tile &whole, Index slice,
                  size_t &start) {
  auto strides = whole.strides();
  start = 0;
  for (auto [dim, v] : llvm::enumerate(indices)) {
    uint64_t index;
    TILESMITH_TRY(machine.scalar(v, "index", index));
    int64_t extent = slice.empty() ? 1 : slice[dim];
    if (index >= static_cast<uint64_t>(whole.shape()[dim] / extent))
      return reference::undefined("slice-index", "index " + llvm::Twine(index) + " in dimension " +
                                                     llvm::Twine(dim));
    start += index * extent * strides[dim];
  }
  return Status::success();
}

Status evalExtract(Machine &machine, tileaa::ExtractOp op) {
  const Tile &source = machine.tile(op.getSource());
  size_t start;
  TILESMITH_TRY(sliceStart(machine, op.getIndices(), source, {}, start));
  return gather(machine, op.getResult(), source, [&](Index) { return start; });
}

template <typename Op> Status evalExtractSlice(Machine &machine, Op op) {
  const Tile &source = machine.tile(op.getSource());
  auto strides = source.strides();
  size_t start;
  TILESMITH_TRY(
      sliceStart(machine, op.getIndices(), source, shapeOf(op.getResult().getType()), start));
  return gather(machine, op.getResult(), source,
                [&](Index index) { return start + linear(index, strides); });
}

Status evalRange(Machine &machine, tileaa::MakeRangeOp op) {
  uint64_t start;
  TILESMITH_TRY(machine.scalar(op.getStart(), "range", start));
  Tile result(*elementTypeOf(op.getType()), shapeOf(op.getType()));
  for (size_t i = 0; i < result.size(); ++i)
    result.bits()[i] = (start + i) & maskOf(result.type());
  machine.count(result.size());
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

/// The body computes one element from its coordinates and what is captured.
Status evalGenerate(Machine &machine, tileaa::GenerateOp op) {
  Block &body = op.getBody().front();
  Tile result(*elementTypeOf(op.getType()), shapeOf(op.getType()));
  Status failure;
  reference::forEachIndex(result.shape(), [&](size_t i, Index index) {
    llvm::SmallVector<Machine::Value> arguments, yielded;
    for (auto [argument, x] : llvm::zip(body.getArguments(), index)) {
      ElementType type = *elementTypeOf(argument.getType());
      arguments.push_back(Tile::scalar(type, static_cast<uint64_t>(x) & maskOf(type)));
    }
    llvm::append_range(arguments, machine.values(op.getCaptured()));
    if (!failure.failed())
      failure = machine.runBody(body, arguments, yielded);
    if (!failure.failed())
      result.set(i, yielded[0].tile().element(0));
  });
  if (failure.failed())
    return failure;
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

Status evalSelect(Machine &machine, arith::SelectOp op) {
  // Values that are not tiles (tokens, views) are chosen as a whole.
  if (!machine.get(op.getTrueValue()).isTile()) {
    uint64_t condition;
    TILESMITH_TRY(machine.scalar(op.getCondition(), "branch", condition));
    machine.set(op.getResult(), machine.get(condition ? op.getTrueValue() : op.getFalseValue()));
    return Status::success();
  }
  const Tile *tiles[] = {&machine.tile(op.getCondition()), &machine.tile(op.getTrueValue()),
                         &machine.tile(op.getFalseValue())};
  const Tile *shaped = tiles[1];
  for (const Tile *t : tiles)
    if (t->size() > shaped->size())
      shaped = t;
  Tile result(tiles[1]->type(), shaped->shape());
  machine.count(result.size());
  for (size_t i = 0; i < result.size(); ++i) {
    auto at = [&](const Tile &t) { return t.element(t.size() == 1 ? 0 : i); };
    Element chosen = at(*tiles[0]);
    result.set(i, chosen.state != State::Known ? unknownElement()
                  : chosen.bits                ? at(*tiles[1])
                                               : at(*tiles[2]));
  }
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

/// Bins are the values 0, 1, ...; a value beyond the last one is not counted.
Status evalHistogram(Machine &machine, tileaa::HistogramOp op) {
  const Tile &source = machine.tile(op.getSource());
  const Tile *mask = op.getMask() ? &machine.tile(op.getMask()) : nullptr;
  Tile result(*elementTypeOf(op.getType()), shapeOf(op.getType()));
  for (size_t i = 0; i < source.size(); ++i) {
    if (source.state(i) != State::Known || (mask && mask->state(i) != State::Known))
      return reference::inconclusive("unspecified-histogram", "histogram of an unspecified value");
    uint64_t bin = source.bits()[i];
    if ((!mask || mask->bits()[i]) && bin < result.size())
      result.bits()[bin] = (result.bits()[bin] + 1) & maskOf(result.type());
  }
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

/// One slice of `dest` is replaced by `source`, which may be a scalar.
Status evalInsertSlice(Machine &machine, tileas::InsertSliceOp op) {
  const Tile &source = machine.tile(op.getSource());
  Tile result = machine.tile(op.getDest());
  SmallVector<int64_t, 4> ones(result.rank(), 1);
  Index slice = source.rank() == 0 ? Index(ones) : source.shape();
  size_t start;
  TILESMITH_TRY(sliceStart(machine, op.getIndices(), result, slice, start));
  auto strides = result.strides();
  reference::forEachIndex(slice, [&](size_t i, Index index) {
    result.set(start + linear(index, strides), source.element(i));
  });
  machine.count(source.size());
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

} // namespace

void tilesmith::oracles::tileaa_engine::registerShape(OpTable &t) {
  t.add<arith::ConstantOp, evalConstant>(/*elementwise=*/true);
  t.add<ub::PoisonOp, evalPoison>(/*elementwise=*/true);
  t.add<arith::SelectOp, evalSelect>(/*elementwise=*/true);
  t.add<tileaa::SplatOp, evalSplat>();
  t.add<tileaa::BroadcastOp, evalBroadcast>();
  t.add<tileaa::ViewOp, evalReshape<tileaa::ViewOp>>();
  t.add<tileaa::ExpandDimsOp, evalReshape<tileaa::ExpandDimsOp>>();
  t.add<tileaa::PermuteOp, evalPermute>();
  t.add<tileaa::CatOp, evalCat<tileaa::CatOp>>();
  t.add<tileaa::ExtractOp, evalExtract>();
  t.add<tileaa::ExtractSliceOp, evalExtractSlice<tileaa::ExtractSliceOp>>();
  t.add<tileaa::MakeRangeOp, evalRange>();
  t.add<tileaa::GenerateOp, evalGenerate>();
  t.add<tileaa::HistogramOp, evalHistogram>();
  t.addWithout("ub", "unreachable", "no cuda_tile op is converted to it");
}

void tilesmith::oracles::tileaa_engine::registerTileASShape(OpTable &t) {
  t.add<tileas::CatOp, evalCat<tileas::CatOp>>();
  t.add<tileas::ExtractSliceOp, evalExtractSlice<tileas::ExtractSliceOp>>();
  t.add<tileas::InsertSliceOp, evalInsertSlice>();
  registerTileASConversion(t);
}
