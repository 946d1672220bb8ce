//===- IdiomViewRules.cpp - several views of one tensor, and lines that share elements ------------------===//
//
// Two rules. `views-of-one`: a block's own part of an array is seen through two or three views, whose tiles
// have steps of their own (half a tile, two tiles, any number), and the same tile shape or another one of as
// many elements, also turned. Accesses, each behind the one before, store and load tiles at places that
// mostly meet, in a row or in turns of a loop; what is stored comes from memory, from a product, or turned, so
// that threads hold its elements in different orders. Who takes tiles of different views for the same ones, or
// for others, leaves out that one thread waits for another.
// `shared-lines`: a load through a view some of whose strides are the same, or shorter than the lines below
// them, as sliding windows have it: also two strides of one, of which either dimension could be the one to
// load at once. Nothing is stored there.
//
// Needs: depth 0. Promises: tiles lie inside of their tensor; each access stands behind the one before, in
// memory of its block alone.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/TurnLoop.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::TileType;

namespace {

using Numbers = llvm::SmallVector<int64_t>;

mlir::DenseI32ArrayAttr words(KernelBuilder &k, llvm::ArrayRef<int64_t> numbers) {
  llvm::SmallVector<int32_t> narrow(numbers.begin(), numbers.end());
  return mlir::DenseI32ArrayAttr::get(&k.context(), narrow);
}

/// Tiles of a tensor, from each to the next so many elements; as a partition where these are whole tiles.
mlir::Value viewOf(KernelBuilder &k, ChoiceStream &s, mlir::Value tensor, const Numbers &tile,
                   const Numbers &steps, llvm::ArrayRef<int32_t> map,
                   cuda_tile::PaddingValueAttr padding = {}) {
  auto type = llvm::cast<cuda_tile::TensorViewType>(tensor.getType());
  if (tile == steps && (k.version() < 3 || s.chance(70)))
    return k
        .emit<cuda_tile::MakePartitionViewOp>(
            cuda_tile::PartitionViewType::get(&k.context(), words(k, tile), type, map, padding),
            tensor)
        .getResult();
  return k
      .emit<cuda_tile::MakeStridedViewOp>(
          cuda_tile::StridedViewType::get(&k.context(), words(k, tile), words(k, steps), type, map,
                                          padding),
          tensor)
      .getResult();
}

class ViewsOfOne {
public:
  ViewsOfOne(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {}

  void build() {
    chooseShape();
    mlir::Value tensor = makeTensor();
    for (uint64_t count = s.between(2, 3); views.size() < count;)
      addView(tensor);
    mlir::Value token =
        cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context()));
    mlir::Value held = source();
    place = s.below(uint64_t(tiles - 1)) * shape[walked];
    if (s.chance(65)) {
      access(held, token, {}, s.between(2, 5));
    } else {
      const TurnLoop counted(k, s, s.between(2, 3), {held, token});
      auto loop = counted.op();
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      held = loop.getRegionIterVar(0), token = loop.getRegionIterVar(1);
      access(held, token, counted.turn(k, s), s.between(2, 4));
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{held, token});
      b.setInsertionPointAfter(loop);
      held = loop->getResult(0), token = loop->getResult(1);
    }
    keepTile(k, s, held);
  }

private:
  struct Seen {
    mlir::Value view;
    Numbers shape, steps;
    bool isTurned = false; ///< its dimensions are in the other order
  };

  void chooseShape() {
    // From fewer elements than threads to many of each.
    static constexpr int64_t kShapes[][2] = {{64, 64}, {32, 32}, {16, 16}, {16, 64}, {64, 16},
                                             {8, 32},  {32, 64}, {4, 8},   {128, 8}};
    isLine = s.chance(20);
    if (isLine) {
      shape = {int64_t(32) << s.below(5)};
    } else {
      llvm::ArrayRef<int64_t> picked = kShapes[s.below(std::size(kShapes))];
      shape.assign(picked.begin(), picked.end());
    }
    walked = isLine ? 0 : s.below(2);
    const bool mayMultiply = !isLine && shape[0] == shape[1] && shape[0] >= 16;
    multiplies = mayMultiply && s.chance(45);
    element = multiplies ? mlir::Type(s.chance(60) ? b.getF16Type() : b.getF32Type())
                         : k.pickElement(s, Kind::Any);
  }

  mlir::Value number(Int value) { return k.intConstant(k.scalarType(k.intType(32)), value).ssa; }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y, IntegerOverflow::NONE);
  }

  /// Tiles one behind the other, of the block's own part.
  mlir::Value makeTensor() {
    extents = shape;
    extents[walked] *= tiles;
    Numbers strides(extents.size(), 1);
    if (!isLine) {
      const bool isTurned = s.chance(15);
      const int64_t pitch = extents[isTurned ? 0 : 1] + (s.chance(30) ? s.between(1, 16) : 0);
      strides[isTurned ? 1 : 0] = pitch;
    }
    int64_t size = 1;
    for (auto [extent, stride] : llvm::zip_equal(extents, strides))
      size += (extent - 1) * stride;
    size = int64_t(llvm::alignTo(uint64_t(size), 16));
    ArrayInfo &array = k.addFlatArray(element, size * k.blockCount(), /*output=*/true,
                                      s.chance(60) ? Fill::SmallIntegers : Fill::Any);
    mlir::Value base = maybeAssumeAligned(k, s, array.base);
    if (k.blockCount() > 1)
      base = pointersAt(k, base,
                        cuda_tile::MulIOp::create(b, k.loc(), k.scalarType(k.intType(32)),
                                                  k.blockNumber().ssa, number(size),
                                                  IntegerOverflow::NSW));
    llvm::SmallVector<mlir::Value> sizes, steps;
    Numbers known = extents;
    if (s.chance(30))
      for (int64_t &extent : known)
        if (s.chance(50)) {
          sizes.push_back(k.addExtentArgument(extent));
          extent = mlir::ShapedType::kDynamic;
        }
    if (s.chance(25))
      for (int64_t &stride : strides)
        if (stride != 1) {
          steps.push_back(k.addExtentArgument(stride));
          stride = mlir::ShapedType::kDynamic;
        }
    auto type = cuda_tile::TensorViewType::get(&k.context(), element, known, strides, {});
    return cuda_tile::MakeTensorViewOp::create(b, k.loc(), type, base, sizes, steps);
  }

  /// Whole tiles first, then other steps, other shapes, dimensions in the other order.
  void addView(mlir::Value tensor) {
    Seen seen{{}, shape, shape, false};
    llvm::SmallVector<int32_t> map(shape.size());
    std::iota(map.begin(), map.end(), 0);
    if (!views.empty()) {
      if (k.version() >= 3 && s.chance(80)) {
        int64_t &step = seen.steps[walked];
        const int64_t whole = step;
        switch (s.below(4)) {
        case 0:
        case 1:
          step *= 2;
          break;
        case 2:
          step /= 2;
          break;
        default:
          step = s.between(1, 2 * whole);
        }
        k.note("views-of-one-steps");
      } else if (!isLine && shape[0] == shape[1]) {
        std::swap(map[0], map[1]);
        seen.isTurned = true;
        k.note("views-of-one-turned");
      } else if (!isLine && s.chance(60)) { // other tiles of as many elements
        const size_t other = 1 - walked;
        if (seen.shape[other] > 1) {
          seen.shape[walked] *= 2, seen.shape[other] /= 2;
          seen.steps = seen.shape;
          k.note("views-of-one-reshaped");
        }
      }
    }
    seen.view = viewOf(k, s, tensor, seen.shape, seen.steps, map);
    views.push_back(seen);
  }

  /// What is stored first.
  mlir::Value source() {
    TileType type = k.tileType(shape, element);
    if (!multiplies)
      return freshTile(k, s, type, Fill::Any);
    k.note("views-of-one-product");
    mlir::Value x = freshTile(k, s, type, Fill::SmallIntegers),
                y = s.chance(50) ? x : freshTile(k, s, type, Fill::SmallIntegers);
    return cuda_tile::MmaFOp::create(b, k.loc(), type, x, y, k.floatConstant(type, 0).ssa,
                                     mlir::UnitAttr());
  }

  mlir::Value turn(mlir::Value tile) {
    if (isLine || shape[0] != shape[1])
      return tile;
    return cuda_tile::PermuteOp::create(b, k.loc(), tile.getType(), tile,
                                        b.getDenseI32ArrayAttr({1, 0}));
  }
  mlir::Value reshaped(mlir::Value tile, const Numbers &to) {
    TileType type = k.tileType(to, element);
    return tile.getType() == type
               ? tile
               : cuda_tile::ReshapeOp::create(b, k.loc(), type, tile).getResult();
  }

  /// The number of a tile that begins at the place, or as near as it can; one that the launch alone knows, or a
  /// constant, or both, or counted from the turn.
  mlir::Value indexAt(int64_t step, int64_t extent, int64_t ofTile, mlir::Value turnOfLoop) {
    const int64_t most = (extent - ofTile) / step;
    int64_t at = std::min((place + (s.chance(25) ? s.between(0, ofTile - 1) : 0)) / step, most);
    if (turnOfLoop && most >= 3 && s.chance(30))
      return add(turnOfLoop, number(std::min(at, most - 3)));
    switch (s.below(5)) {
    case 0:
      return k.addExtentArgument(at);
    case 1: {
      const int64_t first = s.between(0, 2);
      return add(k.addExtentArgument(at - first), number(first));
    }
    default:
      return number(at);
    }
  }

  /// Stores and loads in turns, at one place or at the next.
  void access(mlir::Value &held, mlir::Value &token, mlir::Value turnOfLoop, int64_t count) {
    bool stores = s.chance(75);
    size_t last = s.below(views.size());
    for (; count > 0; --count, stores = s.chance(80) ? !stores : stores) {
      if (s.chance(20))
        place = s.below(uint64_t(tiles - 1)) * shape[walked];
      if (s.chance(75)) // another view
        last = (last + 1 + s.below(views.size() - 1)) % views.size();
      const Seen &through = views[last];
      llvm::SmallVector<mlir::Value> indices(through.shape.size(), number(0));
      indices[through.isTurned ? 1 - walked : walked] =
          indexAt(through.steps[walked], extents[walked], through.shape[walked], turnOfLoop);
      TileType type = k.tileType(through.shape, element);
      if (stores) {
        if (s.chance(50))
          held = turn(held);
        token = storeView(k, s, reshaped(held, through.shape), through.view, indices, token);
      } else {
        Loaded loaded = loadView(k, s, type, through.view, indices, token);
        token = loaded.token;
        mlir::Value tile = reshaped(loaded.tile, shape);
        held = s.chance(50) ? tile : combineExactly(k, held, tile);
      }
    }
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  Numbers shape, extents;
  bool isLine = false, multiplies = false;
  size_t walked = 0; ///< the dimension along which tiles lie
  mlir::Type element;
  std::vector<Seen> views;
  int64_t place = 0;                  ///< in elements, along `walked`
  static constexpr int64_t tiles = 5; ///< of the first view
};

} // namespace

bool tilesmith::generators::applyViewsOfOne(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || k.blockCount() > 8)
    return false;
  ViewsOfOne(k, s).build();
  return true;
}

bool tilesmith::generators::applySharedLines(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  const size_t rank = s.chance(75) ? 2 : 3;
  Numbers tile(rank), extents(rank), strides(rank), steps;
  for (int64_t &extent : tile)
    extent = int64_t(4) << s.below(rank == 2 ? 5 : 3);
  if (rank == 2 && s.chance(50))
    tile[1] = 64;
  for (size_t i = 0; i < rank; ++i)
    extents[i] = tile[i] * s.between(1, 2) + (s.chance(40) ? s.between(0, 5) : 0);
  // One dimension has neighbours; the lines of the others begin less than a line apart, or as far as each other.
  static constexpr int64_t kShort[] = {1, 1, 1, 2, 4, 8, 3};
  const size_t own = s.chance(70) ? rank - 1 : s.below(rank);
  bool hasTwo = false;
  for (size_t i = 0; i < rank; ++i) {
    strides[i] = i == own ? 1 : std::min(s.pick(llvm::ArrayRef<int64_t>(kShort)), extents[own]);
    hasTwo |= i != own && strides[i] == 1;
  }
  k.note(hasTwo ? "shared-lines-two-units" : "shared-lines-windows");
  int64_t size = 1;
  for (size_t i = 0; i < rank; ++i)
    size += (extents[i] - 1) * strides[i];
  mlir::Type element = s.chance(60) ? k.pickElement(s, Kind::Any) : chooseWideFloat(k, s);
  ArrayInfo &array = k.addFlatArray(element, size, /*output=*/false);
  mlir::Value base = array.base;
  if (s.chance(80)) {
    k.note("assume");
    base = cuda_tile::AssumeOp::create(
        b, k.loc(), base.getType(), base,
        cuda_tile::DivByAttr::get(&k.context(), 16, std::nullopt, std::nullopt));
  }
  llvm::SmallVector<mlir::Value> sizes, dynamicStrides;
  Numbers known = extents;
  const unsigned dynamic = s.chance(30) ? 50 : 0;
  for (int64_t &extent : known)
    if (s.chance(dynamic)) {
      sizes.push_back(k.addExtentArgument(extent));
      extent = mlir::ShapedType::kDynamic;
    }
  Numbers knownStrides = strides;
  for (int64_t &stride : knownStrides)
    if (s.chance(dynamic / 2)) {
      dynamicStrides.push_back(k.addExtentArgument(stride));
      stride = mlir::ShapedType::kDynamic;
    }
  auto tensorType = cuda_tile::TensorViewType::get(&k.context(), element, known, knownStrides, {});
  mlir::Value tensor =
      cuda_tile::MakeTensorViewOp::create(b, k.loc(), tensorType, base, sizes, dynamicStrides);
  // The tile may have its dimensions in another order than the tensor.
  llvm::SmallVector<int32_t> map(rank);
  std::iota(map.begin(), map.end(), 0);
  if (s.chance(30))
    std::swap(map[rank - 1], map[rank - 2]);
  Numbers seen(rank);
  for (size_t i = 0; i < rank; ++i)
    seen[i] = tile[map[i]];
  steps = seen;
  if (k.version() >= 3 && s.chance(30))
    for (int64_t &step : steps)
      step = s.between(1, step);
  const bool pads = s.chance(30);
  mlir::Value view =
      viewOf(k, s, tensor, seen, steps, map,
             pads ? cuda_tile::PaddingValueAttr::get(&k.context(), cuda_tile::PaddingValue::zero)
                  : cuda_tile::PaddingValueAttr());
  llvm::SmallVector<mlir::Value> indices;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t extent = extents[map[i]], most = (extent - seen[i]) / steps[i],
                  last = (extent + steps[i] - 1) / steps[i] - 1;
    const int64_t at = s.between(0, pads ? last : most);
    indices.push_back(s.chance(50) ? k.addExtentArgument(at)
                                   : k.intConstant(k.scalarType(k.intType(32)), at).ssa);
  }
  keepTile(k, s, loadView(k, s, k.tileType(seen, element), view, indices, {}).tile);
  return true;
}
