//===- StripRules.cpp - loops that walk an array tile by tile ----------------------------------===//
//
// `for k = start to end step tile`, as frontends write it: the induction variable is an offset, not
// the number of a tile. Starts are aligned or not, the last tile may hang over, and bounds of
// unsigned loops lie on both sides of the largest signed number, so that what a compiler infers from
// lower bound, step and trip count decides which accesses it groups. Some loops store what a later
// iteration loads, which must keep it from loading ahead.
//
// Needs: depth 0. Promises: two to four iterations; what hangs over is masked; every block works in
// its own region of what is written, and an access that needs an earlier one has its token.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::TileType;

namespace {

/// A `for` whose body `fill` makes: from the induction variable and what is carried to what is
/// carried on.
template <typename Fill>
cuda_tile::ForOp addLoop(KernelBuilder &k, mlir::Value lower, mlir::Value upper, mlir::Value step,
                         mlir::ValueRange carried, bool isUnsigned, Fill fill) {
  mlir::OpBuilder &b = k.builder();
  auto loop =
      cuda_tile::ForOp::create(b, k.loc(), lower, upper, step, carried, nullptr, isUnsigned);
  mlir::OpBuilder::InsertionGuard guard(b);
  k.openBody(loop);
  size_t scope = k.openScope();
  llvm::SmallVector<mlir::Value> next =
      fill(loop.getInductionVar(), llvm::to_vector_of<mlir::Value>(loop.getRegionIterValues()));
  cuda_tile::ContinueOp::create(b, k.loc(), next);
  k.closeScope(scope);
  return loop;
}

mlir::Value freshToken(KernelBuilder &k) {
  return cuda_tile::MakeTokenOp::create(k.builder(), k.loc(),
                                        cuda_tile::TokenType::get(&k.context()));
}

/// Where a strip loop goes, in elements of each block's region.
struct Strip {
  mlir::Type index; ///< of the induction variable
  int64_t tile, trips, start, end;
  bool isUnsigned;
  Int bias; ///< added to the bounds and taken off again
};

Strip chooseStrip(KernelBuilder &k, ChoiceStream &s) {
  Strip r;
  r.index = k.intType(s.chance(70) ? 32 : 64);
  r.tile = int64_t(16) << s.below(4);
  r.trips = s.between(2, 4);
  r.start = s.chance(50) ? r.tile * s.between(0, 1) : s.between(1, r.tile - 1);
  r.end = r.start + r.tile * r.trips - (s.chance(50) ? s.between(1, r.tile - 1) : 0);
  r.isUnsigned = k.version() >= 2 && s.chance(45);
  r.bias = 0;
  if (r.isUnsigned && s.chance(75)) { // across the largest signed number, or all beyond it
    Int middle = Int(1) << (widthOf(r.index) - 1);
    r.bias = s.chance(60) ? middle - r.start - r.tile : middle + s.between(0, 100);
    k.note("strip-above-signed");
  }
  k.note(r.start % 16 == 0 ? "strip-aligned" : "strip-unaligned");
  return r;
}

bool applyStrip(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  Strip r = chooseStrip(k, s);
  cuda_tile::TileType index = k.scalarType(r.index), places = k.tileType({r.tile}, r.index);
  mlir::Type element = k.pickElement(s, Kind::Any);
  cuda_tile::TileType type = k.tileType({r.tile}, element);
  // The next tile of the array that is read, an array of its own, or none.
  enum { None, Own, Feedback };
  size_t writes = s.below(3);
  int64_t extent = r.start + r.tile * (r.trips + (writes == Feedback ? 1 : 0));
  ArrayInfo &source = k.addFlatArray(element, extent * k.blockCount(), writes == Feedback);
  mlir::Value from = maybeAssumeAligned(k, s, source.base), to = from;
  if (writes == Own)
    to = maybeAssumeAligned(k, s, k.addFlatArray(element, extent * k.blockCount(), true).base);
  auto add = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
    return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y, IntegerOverflow::NONE);
  };
  mlir::Value region; // of this block
  if (k.blockCount() > 1)
    region = cuda_tile::MulIOp::create(b, k.loc(), index, widenTo(k, k.blockNumber().ssa, r.index),
                                       k.intConstant(index, extent).ssa, IntegerOverflow::NSW);
  mlir::Value line = cuda_tile::IotaOp::create(b, k.loc(), places);
  mlir::Value upper = k.intConstant(index, r.bias + r.end).ssa;
  bool masks = r.end % r.tile != r.start % r.tile || s.chance(25);
  llvm::SmallVector<mlir::Value> carried = {k.use(s, type).ssa};
  if (writes == Feedback)
    carried.push_back(freshToken(k));
  auto loop = addLoop(
      k, k.intConstant(index, r.bias + r.start).ssa, upper, k.intConstant(index, r.tile).ssa,
      carried, r.isUnsigned,
      [&](mlir::Value at, llvm::ArrayRef<mlir::Value> values) -> llvm::SmallVector<mlir::Value> {
        mlir::Value mask;
        if (r.bias != 0)
          at = add(at, k.intConstant(index, -r.bias).ssa);
        mlir::Value inside = add(line, k.splat({at, {}}, {r.tile}).ssa);
        if (masks)
          mask = cuda_tile::CmpIOp::create(b, k.loc(), k.tileType({r.tile}, k.intType(1)),
                                           cuda_tile::ComparisonPredicate::LESS_THAN, inside,
                                           k.intConstant(places, r.end).ssa,
                                           cuda_tile::Signedness::Signed);
        mlir::Value offsets = region ? add(inside, k.splat({region, {}}, {r.tile}).ssa) : inside;
        mlir::Value padding = mask ? k.constant(s, type).ssa : mlir::Value();
        Loaded x = loadPointers(k, s, type, pointersAt(k, from, offsets), mask, padding,
                                writes == Feedback ? values[1] : mlir::Value());
        mlir::Value next = combineExactly(k, values[0], x.tile);
        if (writes == None)
          return {next};
        if (writes == Own) {
          storePointers(k, s, pointersAt(k, to, offsets), next, mask, {});
          return {next};
        }
        mlir::Value later = add(offsets, k.intConstant(places, r.tile).ssa);
        return {next, storePointers(k, s, pointersAt(k, to, later), next, mask, x.token)};
      });
  static constexpr const char *kNotes[] = {"strip-reads", "strip-writes", "strip-feedback"};
  k.note(kNotes[writes]);
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  k.define(loop->getResult(0), facts);
  return true;
}

/// A product in a loop whose left operand is what the iteration before stored, as in a recurrence:
/// numbers from -4 to 4, so that all sums are exact.
bool applyRecurrence(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || k.blockCount() > 4)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type f32 = b.getF32Type(), half = s.chance(60) ? b.getF16Type() : b.getBF16Type();
  int64_t rows = int64_t(16) << s.below(3), depth = 16, trips = s.between(2, 4);
  // Which of the tiles from that of the turn on is loaded, and which stored: mostly what the next loads.
  const int64_t loads = s.chance(70) ? 0 : s.between(0, 2),
                stores = s.chance(60) ? loads + 1 : s.between(0, 3);
  cuda_tile::TileType left = k.tileType({rows, depth}, half),
                      right = k.tileType({depth, depth}, half),
                      sum = k.tileType({rows, depth}, f32), i32 = k.scalarType(k.intType(32));
  auto number = [&](Int value) { return k.intConstant(i32, value).ssa; };
  auto viewOf = [&](llvm::ArrayRef<int64_t> extents, cuda_tile::TileType tile, bool output) {
    ArrayInfo &array = k.addFreeArray(s, half, extents, output, Fill::SmallIntegers);
    mlir::Value tensor = makeTensorView(k, s, array);
    auto type = cuda_tile::PartitionViewType::get(
        &k.context(),
        mlir::DenseI32ArrayAttr::get(&k.context(), {static_cast<int32_t>(tile.getShape()[0]),
                                                    static_cast<int32_t>(tile.getShape()[1])}),
        llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), {0, 1}, {});
    return k.emit<cuda_tile::MakePartitionViewOp>(type, tensor).getResult();
  };
  mlir::Value memory = viewOf({rows * k.blockCount(), depth * (trips + 3)}, left, true);
  mlir::Value factors = viewOf({depth, depth * trips}, right, false);
  mlir::Value block = k.blockNumber().ssa;
  auto loop = addLoop(
      k, number(0), number(trips), number(1),
      mlir::ValueRange{k.floatConstant(sum, static_cast<double>(s.between(-2, 2))).ssa,
                       freshToken(k)},
      false,
      [&](mlir::Value step, llvm::ArrayRef<mlir::Value> values) -> llvm::SmallVector<mlir::Value> {
        auto after = [&](int64_t tiles) -> mlir::Value {
          return tiles == 0 ? step
                            : cuda_tile::AddIOp::create(b, k.loc(), i32, step, number(tiles),
                                                        IntegerOverflow::NSW)
                                  .getResult();
        };
        Loaded x = loadView(k, s, left, memory, {block, after(loads)}, values[1]);
        Loaded y = loadView(k, s, right, factors, {number(0), step}, {});
        mlir::Value next =
            cuda_tile::MmaFOp::create(b, k.loc(), sum, x.tile, y.tile, values[0], mlir::UnitAttr());
        next = cuda_tile::MaxFOp::create(b, k.loc(), sum, next, k.floatConstant(sum, -4).ssa,
                                         mlir::UnitAttr(), mlir::UnitAttr());
        next = cuda_tile::MinFOp::create(b, k.loc(), sum, next, k.floatConstant(sum, 4).ssa,
                                         mlir::UnitAttr(), mlir::UnitAttr());
        mlir::Value narrow = cuda_tile::FToFOp::create(b, k.loc(), left, next,
                                                       cuda_tile::RoundingMode::NEAREST_EVEN);
        return {next, storeView(k, s, narrow, memory, {block, after(stores)}, x.token)};
      });
  k.define(loop->getResult(0), {});
  return true;
}

/// Other tiles of the same shape: square ones that are turned, or those that begin half a tile apart along
/// a dimension.
mlir::Value otherTiles(KernelBuilder &k, mlir::Value tensor, llvm::ArrayRef<int32_t> tile,
                       llvm::ArrayRef<int32_t> map, std::optional<size_t> halved) {
  auto tensorType = llvm::cast<cuda_tile::TensorViewType>(tensor.getType());
  auto extents = mlir::DenseI32ArrayAttr::get(&k.context(), tile);
  if (!halved) {
    llvm::SmallVector<int32_t> turned(llvm::reverse(map));
    auto type = cuda_tile::PartitionViewType::get(&k.context(), extents, tensorType, turned, {});
    return k.emit<cuda_tile::MakePartitionViewOp>(type, tensor).getResult();
  }
  llvm::SmallVector<int32_t> steps(tile);
  steps[*halved] /= 2;
  auto type = cuda_tile::StridedViewType::get(&k.context(), extents,
                                              mlir::DenseI32ArrayAttr::get(&k.context(), steps),
                                              tensorType, map, {});
  return k.emit<cuda_tile::MakeStridedViewOp>(type, tensor).getResult();
}

/// Tiles of a view that turns of a loop share: each turn loads and stores some of those around its own, in
/// the order of their tokens, all of one view or some of another one that has them turned or in overlapping
/// pieces. Few elements, which several threads hold, or held in another order than that
/// of memory: who leaves out that one thread waits for another is seen.
bool applySharedTiles(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = k.pickElement(s, Kind::Any);
  const bool isMatrix = s.chance(50);
  const int64_t height = isMatrix ? int64_t(2) << s.below(4) : 1;
  const int64_t width = isMatrix && s.chance(30) ? height : int64_t(isMatrix ? 2 : 8) << s.below(5);
  // Rows that share an element, the last of one and the first of the next, or more of them: what turns
  // access there are the first and the last tile.
  const bool doMeet = isMatrix && s.chance(25);
  const int64_t trips = doMeet ? s.between(1, 2) : s.between(2, 4), start = doMeet ? 0 : 2,
                tiles = doMeet ? trips + 1 : trips + 4;
  llvm::SmallVector<int64_t> shape = {height, width};
  if (!isMatrix)
    shape = {width};
  TileType type = k.tileType(shape, element), i32 = k.scalarType(k.intType(32));
  auto number = [&](Int value) { return k.intConstant(i32, value).ssa; };
  const size_t walked = doMeet ? 1 : s.below(shape.size());
  llvm::SmallVector<int64_t> extents = shape, strides = {1};
  extents[walked] *= tiles;
  if (doMeet) {
    k.note("rows-that-meet");
    strides.insert(strides.begin(), extents[1] - (s.chance(70) ? 1 : s.between(0, width)));
  } else if (isMatrix) {
    strides.insert(strides.begin(), extents[1] + (s.chance(30) ? 16 : 0));
  }
  const int64_t size = extents[0] * strides[0] + (doMeet ? width : 0);
  ArrayInfo &array = k.addFlatArray(element, size * k.blockCount(), /*output=*/true);
  mlir::Value base = maybeAssumeAligned(k, s, array.base);
  if (k.blockCount() > 1) // the block's own part
    base = pointersAt(k, base,
                      cuda_tile::MulIOp::create(b, k.loc(), i32, k.blockNumber().ssa, number(size),
                                                IntegerOverflow::NSW));
  llvm::SmallVector<mlir::Value> sizes, steps;
  for (int64_t &extent : extents)
    if (s.chance(30)) {
      sizes.push_back(k.addExtentArgument(extent));
      extent = mlir::ShapedType::kDynamic;
    }
  if (isMatrix && s.chance(doMeet ? 70 : 30)) {
    steps.push_back(k.addExtentArgument(strides[0]));
    strides[0] = mlir::ShapedType::kDynamic;
  }
  auto tensorType = cuda_tile::TensorViewType::get(&k.context(), element, extents, strides, {});
  mlir::Value tensor =
      cuda_tile::MakeTensorViewOp::create(b, k.loc(), tensorType, base, sizes, steps);
  llvm::SmallVector<int32_t> tile(shape.begin(), shape.end()), map;
  for (size_t i = 0; i < tile.size(); ++i)
    map.push_back(static_cast<int32_t>(i));
  auto viewType = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile), tensorType, map, {});
  mlir::Value view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult(), other;
  const bool turnsOther = isMatrix && !doMeet && height == width && s.chance(60);
  if (turnsOther || (!doMeet && shape[walked] > 1 && k.version() >= 3 && s.chance(30))) {
    k.note(turnsOther ? "shared-tiles-turned" : "shared-tiles-overlap");
    other = otherTiles(k, tensor, tile, map, turnsOther ? std::nullopt : std::optional(walked));
  }
  auto add = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
    return cuda_tile::AddIOp::create(b, k.loc(), i32, x, y, IntegerOverflow::NONE);
  };
  // What accesses count from, beside the turn: a tile that only the launch knows.
  const int64_t least = doMeet ? 0 : -1;
  mlir::Value known = k.addExtentArgument(doMeet ? s.below(trips) : s.between(1, 3));
  mlir::Value value = k.use(s, type).ssa;
  auto loop = addLoop(
      k, number(start), number(start + trips), number(1), {value, freshToken(k)}, false,
      [&](mlir::Value turn, llvm::ArrayRef<mlir::Value> values) -> llvm::SmallVector<mlir::Value> {
        mlir::Value held = values[0], token = values[1];
        // Mostly one load and one store, of neighbours.
        for (uint64_t accesses = s.chance(70) ? 2 : 3, stored = s.below(2); accesses > 0;
             --accesses) {
          mlir::Value at = s.chance(85) ? turn : known;
          if (Int by = at == known && !doMeet ? s.between(-1, 2) : s.between(least, 1); by != 0)
            at = add(at, number(by));
          llvm::SmallVector<mlir::Value> indices(shape.size(), number(0));
          const bool isOther = other && s.chance(50);
          indices[isOther && turnsOther ? 1 - walked : walked] = at;
          mlir::Value through = isOther ? other : view;
          if ((accesses + stored) % 2 == 0) {
            Loaded old = loadView(k, s, type, through, indices, token);
            held = combineExactly(k, held, old.tile);
            token = old.token;
          } else {
            token = storeView(k, s, held, through, indices, token);
          }
        }
        return {held, token};
      });
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  k.define(loop->getResult(0), facts);
  return true;
}

/// A part of a tile that is larger than what threads exchange at once, the tile with such a part in it, or its
/// elements in another shape: each moves through shared memory in several pieces.
void moveLargeTile(KernelBuilder &k, ChoiceStream &s, mlir::Value tile) {
  mlir::OpBuilder &b = k.builder();
  auto type = llvm::cast<TileType>(tile.getType());
  llvm::SmallVector<int64_t> shape(type.getShape()), part = shape;
  const size_t along = s.below(2);
  part[along] = std::max<int64_t>(1, part[along] >> s.between(1, 4));
  if (s.chance(40)) // of both dimensions
    part[1 - along] = std::max<int64_t>(1, part[1 - along] >> s.between(1, 3));
  TileType small = k.tileType(part, type.getElementType());
  llvm::SmallVector<mlir::Value> indices;
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto at = static_cast<int64_t>(s.below(static_cast<uint64_t>(shape[i] / part[i])));
    indices.push_back(s.chance(75) ? k.addExtentArgument(at)
                                   : k.intConstant(k.scalarType(k.intType(32)), at).ssa);
  }
  switch (s.below(4)) {
  case 0:
  case 1:
    k.note("large-tile-extract");
    return emitFreeStore(k, s,
                         {cuda_tile::ExtractOp::create(b, k.loc(), small, tile, indices), {}});
  case 2:
    if (k.version() >= 4 && small.getNumElements() <= KernelBuilder::kMostElements) {
      k.note("large-tile-insert");
      llvm::SmallVector<mlir::Value> operands = {k.constant(s, small).ssa, tile};
      llvm::append_range(operands, indices);
      mlir::Value into = k.emit<cuda_tile::InsertOp>(type, operands).getResult();
      return emitFreeStore(k, s, {into, {}});
    }
    [[fallthrough]];
  default:
    k.note("large-tile-reshape");
    const int64_t factor = int64_t(2) << s.below(3);
    shape = {shape[0] / factor, shape[1] * factor};
    if (s.chance(50))
      shape = {type.getShape()[0] / 4, type.getShape()[1] / 4, 16};
    return emitFreeStore(
        k, s,
        {cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(shape, type.getElementType()), tile),
         {}});
  }
}

/// One tile of more elements than any other rule makes, so that a thread holds many of them.
bool applyLargeTile(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || k.blockCount() > 4)
    return false;
  mlir::OpBuilder &b = k.builder();
  // Code and its time grow with the elements of a thread.
  int64_t rows = int64_t(64) << s.below(3),
          columns = (k.blockCount() == 1 && s.chance(25) ? 32768 : 16384) / rows;
  mlir::Type element = s.chance(40) ? (s.chance(50) ? k.intType(32) : mlir::Type(b.getF32Type()))
                                    : k.pickElement(s, Kind::Any);
  cuda_tile::TileType type = k.tileType({rows, columns}, element);
  ArrayInfo &array = k.addFreeArray(s, element, {rows, columns}, /*output=*/false);
  mlir::Value tensor = makeTensorView(k, s, array);
  auto viewType = cuda_tile::PartitionViewType::get(
      &k.context(),
      mlir::DenseI32ArrayAttr::get(&k.context(),
                                   {static_cast<int32_t>(rows), static_cast<int32_t>(columns)}),
      llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), {0, 1}, {});
  mlir::Value view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
  mlir::Value zero = k.intConstant(k.scalarType(k.intType(32)), 0).ssa;
  mlir::Value value = loadView(k, s, type, view, {zero, zero}, {}).tile;
  value = combineExactly(k, value, k.constant(s, type).ssa);
  if (s.chance(30)) {
    std::swap(rows, columns);
    type = k.tileType({rows, columns}, element);
    value = cuda_tile::PermuteOp::create(b, k.loc(), type, value,
                                         mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0}));
  }
  if (s.chance(85)) {
    moveLargeTile(k, s, value);
    if (s.chance(50)) // and nothing else
      return true;
  }
  unsigned dim = static_cast<unsigned>(s.below(2));
  mlir::Attribute identity =
      isFloat(element)
          ? mlir::Attribute(mlir::FloatAttr::get(
                element, llvm::APFloat::getInf(
                             llvm::cast<mlir::FloatType>(element).getFloatSemantics(), true)))
          : mlir::Attribute(mlir::IntegerAttr::get(element, 0));
  mlir::Value result = emitReduction(
      k, s, value, dim, /*isScan=*/false, identity,
      [&](mlir::Value x, mlir::Value y) -> mlir::Value {
        if (isFloat(element))
          return cuda_tile::MaxFOp::create(b, k.loc(), x.getType(), x, y, k.builder().getUnitAttr(),
                                           mlir::UnitAttr());
        return cuda_tile::XOrIOp::create(b, k.loc(), x.getType(), x, y);
      });
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  k.define(result, facts);
  if (s.chance(40))
    emitFreeStore(k, s, {value, facts});
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::stripRules() {
  static constexpr Rule kRules[] = {
      {"strip-loop", 8, applyStrip, 1, "two to four iterations, masked where the last hangs over"},
      {"recurrence", 2, applyRecurrence, 1, "sums exact, each store behind the load before it"},
      {"shared-tiles", 6, applySharedTiles, 1,
       "each access behind the one before, in its own region"},
      {"large-tile", 2, applyLargeTile, 1, "2^14 elements or more, in four blocks at most"},
  };
  return kRules;
}
