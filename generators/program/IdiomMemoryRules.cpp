//===- IdiomMemoryRules.cpp - idioms of addresses -----------------------------------------------------===//
//
// Loads of what was just stored, gathers whose offsets are expressions over positions and constants,
// views that begin behind an aligned pointer, tiles of which begin a few short steps behind it: see
// IdiomRules.cpp.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/PlaceBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;
using cuda_tile::TileType;

/// What was just stored, or updated, is loaded through the same pointers. Few elements: threads hold
/// them twice, and one of them stores.
bool tilesmith::generators::applyReadBack(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  int64_t count = int64_t(1) << s.below(8);
  bool updates = s.chance(45);
  mlir::Type element = updates ? k.intType(s.chance(60) ? 64 : 32) : k.pickElement(s, Kind::Any);
  TileType type = k.tileType({count}, element);
  ArrayInfo &array = k.addFlatArray(element, count * k.blockCount(), /*output=*/true);
  mlir::Value pointers = ownElements(k, s, array.base, count);
  mlir::Value value = freshTile(k, s, type, Fill::Any), token;
  if (updates)
    token =
        atomicRmw(k, s, cuda_tile::AtomicRMWMode::ADD, pointers, value, {},
                  joinedWithFreshToken(k, s,
                                       cuda_tile::MakeTokenOp::create(
                                           b, k.loc(), cuda_tile::TokenType::get(&k.context()))),
                  false)
            .token;
  else
    token = storePointers(k, s, pointers, value, {}, {});
  Loaded back = loadPointers(k, s, type, pointers, {}, {}, token);
  mlir::Value next = combineExactly(k, back.tile, freshTile(k, s, type, Fill::Any));
  storePointers(k, s, pointers, next, {}, back.token);
  if (s.chance(50))
    keepTile(k, s, back.tile);
  return true;
}

/// A gather whose offsets are an expression of positions and constants.
bool tilesmith::generators::applyPlaces(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  PlaceBuilder builder(k, s);
  // In a line or in rows; threads should hold several elements, or nothing is vectorised.
  int64_t count = s.chance(50) ? int64_t(512) << s.below(3) : int64_t(32) << s.below(3);
  Places p = s.chance(50) ? builder.expression(count) : builder.line(count);
  for (uint64_t steps = s.chance(50) ? 0 : s.below(5); steps > 0; --steps)
    switch (s.below(10)) {
    case 0:
    case 1:
      builder.repeat(p);
      break;
    case 2:
    case 3:
    case 4:
      builder.reshape(p);
      break;
    default:
      builder.step(p);
    }
  if (p.shape.size() == 1 && p.values.size() <= 128 && s.chance(80)) {
    int64_t lines = std::max<int64_t>(4, int64_t(512 << s.below(2)) / count);
    Places rows = s.chance(35) ? builder.beginnings(lines, count) : builder.expression(lines);
    p = s.chance(80) ? builder.sum(rows, p) : builder.sum(p, rows);
    if (s.chance(40)) // lines that are runs, turned or cut into other lines
      builder.reshape(p);
  }
  if (s.chance(25))
    builder.step(p);
  auto [low, high] = std::minmax_element(p.values.begin(), p.values.end());
  int64_t first = *low, extent = *high - first + 1;
  if (extent > 8192)
    return false;
  // A base that is aligned, or a few elements behind that.
  int64_t ahead = s.chance(70) ? 0 : s.between(1, 8);
  // What is ahead belongs to the offsets, or to the base.
  bool movesBase = ahead > 0 && s.chance(50);
  if (Int by = (movesBase ? 0 : ahead) - first)
    builder.move(p, by);
  static constexpr unsigned kWidths[] = {8, 16, 32};
  mlir::Type element = s.chance(60) ? k.intType(kWidths[s.below(3)]) : chooseWideFloat(k, s);
  ArrayInfo &array = k.addFlatArray(element, extent + ahead, /*output=*/false);
  mlir::Value base = cuda_tile::AssumeOp::create(
      b, k.loc(), array.base.getType(), array.base,
      cuda_tile::DivByAttr::get(&k.context(), 16, std::nullopt, std::nullopt));
  if (movesBase)
    base = cuda_tile::OffsetOp::create(b, k.loc(), base.getType(), base,
                                       k.intConstant(k.scalarType(k.intType(32)), ahead).ssa);
  TileType tile = k.tileType(p.shape, element);
  mlir::Value mask, padding;
  if (s.chance(20)) {
    mask = s.chance(40) ? k.use(s, k.tileType(p.shape, k.intType(1))).ssa : builder.mask(p);
    padding = k.constant(s, tile).ssa;
  }
  keepTile(k, s, loadPointers(k, s, tile, pointersAt(k, base, p.ssa), mask, padding, {}).tile);
  return true;
}

namespace {

/// Rows whose tiles begin where an index says: the dense index of a gather counts elements, that of a
/// view with steps the steps, which need not be whole vectors.
void loadShiftedRows(KernelBuilder &k, ChoiceStream &s, mlir::Type element) {
  mlir::OpBuilder &b = k.builder();
  const int64_t height = int64_t(4) << s.below(3), width = int64_t(64) << s.below(2);
  const bool gathers = s.chance(50);
  const int64_t step = gathers ? 1 : s.chance(50) ? s.between(1, 9) : int64_t(4) << s.below(4);
  const int64_t number = s.between(0, gathers ? 40 : 5), rows = height * s.between(1, 2);
  const int64_t extent = number * step + width,
                stride = (extent + 31) / 32 * 32 + (s.chance(20) ? s.between(1, 3) : 0);
  k.note(gathers ? "shifted-gather" : "shifted-steps");
  ArrayInfo &array = k.addFlatArray(element, rows * stride, /*output=*/false);
  mlir::Value base = maybeAssumeAligned(k, s, array.base);
  auto pointer =
      llvm::cast<cuda_tile::PointerType>(llvm::cast<TileType>(base.getType()).getElementType());
  auto tensorType = cuda_tile::TensorViewType::get(&k.context(), element, {rows, extent},
                                                   {stride, 1}, pointer.getPtrAttr());
  mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(b, k.loc(), tensorType, base,
                                                           mlir::ValueRange(), mlir::ValueRange());
  auto lengths = [&](int64_t first, int64_t second) {
    return mlir::DenseI32ArrayAttr::get(
        &k.context(), {static_cast<int32_t>(first), static_cast<int32_t>(second)});
  };
  TileType i32 = k.scalarType(k.intType(32));
  // A constant, a number that only the launch knows, or what is known to divide it.
  mlir::Value at;
  if (s.chance(50)) {
    at = k.intConstant(i32, number).ssa;
  } else {
    const int64_t unit = number % 4 == 0 ? 4 : number % 2 == 0 ? 2 : 1;
    at = cuda_tile::MulIOp::create(b, k.loc(), i32, k.addExtentArgument(number / unit),
                                   k.intConstant(i32, unit).ssa, IntegerOverflow::NONE);
  }
  mlir::Value view, row = k.intConstant(i32, 0).ssa;
  if (gathers) {
    TileType line = k.tileType({height}, k.intType(32));
    row = cuda_tile::XOrIOp::create(b, k.loc(), line, cuda_tile::IotaOp::create(b, k.loc(), line),
                                    k.intConstant(line, static_cast<Int>(s.below(height))).ssa);
    auto type = cuda_tile::GatherScatterViewType::get(&k.context(), lengths(height, width),
                                                      tensorType, /*sparseDim=*/0, {});
    view = k.emit<cuda_tile::MakeGatherScatterViewOp>(type, tensor).getResult();
  } else {
    auto type = cuda_tile::StridedViewType::get(&k.context(), lengths(height, width),
                                                lengths(s.between(1, height), step), tensorType,
                                                {0, 1}, {});
    view = k.emit<cuda_tile::MakeStridedViewOp>(type, tensor).getResult();
  }
  keepTile(k, s, loadView(k, s, k.tileType({height, width}, element), view, {row, at}, {}).tile);
}

/// A tile of a line that begins a few steps behind an aligned pointer, each shorter than the tile.
void loadShiftedLine(KernelBuilder &k, ChoiceStream &s, mlir::Type element) {
  k.note("shifted-line");
  mlir::OpBuilder &b = k.builder();
  const int64_t count = int64_t(128) << s.below(4), step = s.between(1, 9),
                number = s.between(0, 5), extent = number * step + count + s.between(0, 9);
  ArrayInfo &array = k.addFlatArray(element, extent, /*output=*/false);
  mlir::Value base = cuda_tile::AssumeOp::create(
      b, k.loc(), array.base.getType(), array.base,
      cuda_tile::DivByAttr::get(&k.context(), 16, std::nullopt, std::nullopt));
  auto tensorType = cuda_tile::TensorViewType::get(&k.context(), element, {extent}, {1}, {});
  mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(b, k.loc(), tensorType, base,
                                                           mlir::ValueRange(), mlir::ValueRange());
  auto length = [&](int64_t value) {
    return mlir::DenseI32ArrayAttr::get(&k.context(), {static_cast<int32_t>(value)});
  };
  auto type = cuda_tile::StridedViewType::get(&k.context(), length(count), length(step), tensorType,
                                              {0}, {});
  mlir::Value view = k.emit<cuda_tile::MakeStridedViewOp>(type, tensor).getResult();
  mlir::Value at = s.chance(50) ? k.addExtentArgument(number)
                                : k.intConstant(k.scalarType(k.intType(32)), number).ssa;
  keepTile(k, s, loadView(k, s, k.tileType({count}, element), view, {at}, {}).tile);
}

} // namespace

/// A tile of a view whose base lies some elements behind an aligned pointer.
bool tilesmith::generators::applyShiftedView(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = s.chance(50) ? k.pickElement(s, Kind::Any) : chooseWideFloat(k, s);
  if (k.version() >= 3 && s.chance(60)) {
    s.chance(30) ? loadShiftedLine(k, s, element) : loadShiftedRows(k, s, element);
    return true;
  }
  int64_t count = int64_t(256) << s.below(3), ahead = s.between(1, 8);
  ArrayInfo &array = k.addFlatArray(element, count + ahead, /*output=*/false);
  mlir::Value start = k.intConstant(k.scalarType(k.intType(32)), ahead).ssa;
  mlir::Value base = cuda_tile::OffsetOp::create(b, k.loc(), array.base.getType(),
                                                 maybeAssumeAligned(k, s, array.base), start);
  auto pointer =
      llvm::cast<cuda_tile::PointerType>(llvm::cast<TileType>(base.getType()).getElementType());
  auto tensorType =
      cuda_tile::TensorViewType::get(&k.context(), element, {count}, {1}, pointer.getPtrAttr());
  mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(b, k.loc(), tensorType, base,
                                                           mlir::ValueRange(), mlir::ValueRange());
  auto viewType = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), {static_cast<int32_t>(count)}),
      tensorType, {0}, {});
  mlir::Value view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
  mlir::Value first = k.intConstant(k.scalarType(k.intType(32)), 0).ssa;
  keepTile(k, s, loadView(k, s, k.tileType({count}, element), view, first, {}).tile);
  return true;
}
