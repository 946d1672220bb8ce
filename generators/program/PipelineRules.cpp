//===- PipelineRules.cpp - products over a loop whose operands can be loaded ahead ------------===//
//
// What a compiler turns into asynchronous copies, fragments read from shared memory and warpgroup
// products: a counted loop that multiplies two tiles an iteration, loaded weakly from arrays with
// rows on multiples of 16 bytes. Mostly everything is as a fast path wants it; each choice may also
// spoil it: odd strides, unknown alignment, a base some elements behind an aligned one, a chained token, a write in the
// loop or in front of it. Tiles may come in the order of the array or as one of a batch, and be permuted and reshaped
// for the product; those of f32 are rounded to tf32 in each of its modes.
//
// Needs: depth 0. Promises: sums are of small integers, or known within bounds; where the last tile
// overhangs, views have a padding and pointers a mask; every block stores to rows of its own, each
// store behind the one before.
//
// `attention-loop` has two products per iteration; the second one multiplies what became of the
// first, and the loop scales its sum. Promises: the weights are integers from -4 to 4 and scales
// powers of two, or both are known within bounds. Both loops share operands and products, so they
// stay in one file.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileTargets.h"
#include "generators/program/Access.h"
#include "generators/program/OperandRules.h"
#include "generators/program/Rules.h"

#include "llvm/Support/MathExtras.h"

#include <deque>
#include <functional>

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

constexpr unsigned kMostPerKernel = 2;      // they are costly to run
constexpr int64_t kMostProducts = 1 << 18;  // of scalars, in all blocks
constexpr int64_t kMostOfCluster = 1 << 20; // where blocks of a cluster divide a tile

struct Types {
  mlir::Type input, sum;
  bool exactOnly = false; ///< sums in a short format
  int64_t deepest = 1024; ///< total depth at which sums of small integers are exact
  mlir::Type stored = {}; ///< of arrays, converted for the product; null: the input
};

struct Shape {
  int64_t rows, columns, depth, trips, totalDepth;
  bool exactEdges;
  int64_t cluster = 1; ///< blocks among which the rows or the columns are divided
  int64_t skips = 1;   ///< tiles of depth from one turn to the next
};

/// One operand of the product, loaded as `tile` (outer extent first or last, as the product wants
/// it).
struct Operand {
  ArrayInfo *array;
  cuda_tile::TileType tile;
  unsigned depthDim;    ///< of the tile and of the array
  mlir::Value view;     ///< null: by pointers
  mlir::Value pointers; ///< of the first tile
  mlir::Value outer;    ///< index along the other dimension
  bool overhangsOuter, overhangsDepth;
  bool isPermuted = false; ///< the view has its dimensions in the other order, a permute follows
  mlir::Value batch;       ///< index along a first dimension of extent one, which a reshape drops
  mlir::Value advance;     ///< of pointers that the loop carries: to those of the next turn
  /// Of numbers that are stored in another format.
  cuda_tile::RoundingMode rounding = cuda_tile::RoundingMode::NEAREST_EVEN;
};

class ProductLoop {
public:
  ProductLoop(KernelBuilder &k, ChoiceStream &s, bool inCluster = false)
      : k(k), s(s), b(k.builder()), inCluster(inCluster) {}

  void build() {
    isIdeal = inCluster || s.chance(50);
    // Both operands by pointers that the loop takes along: nothing is known of those but their types, of
    // which short ones are not copied ahead.
    byPointers = !inCluster && s.chance(18);
    isPlain = isIdeal && !inCluster && !byPointers && k.blockCount() <= 4 && s.chance(50);
    if (isPlain)
      k.note("k-loop-plain");
    chooseTypes();
    chooseShape();
    mayCarry = true;
    isShifted = !inCluster && !isPlain && s.chance(35);
    maySpoilDepth = exact && isFloat(types.stored) && (isPlain || s.chance(80));
    bool swapsOrder = s.chance(15);
    Operand left = makeOperand(1, shape.rows, k.blockCount());
    Operand right = makeOperand(0, shape.columns, 1);
    std::optional<Operand> second; // another right operand for the same left one
    if (isIdeal ? !inCluster && !isPlain && shape.rows * shape.columns <= 2048 && s.chance(12)
                : shape.rows * shape.columns <= 1024 && s.chance(15))
      second = makeOperand(0, shape.columns, 1);
    emitLoop(left, right, second, swapsOrder);
  }

  void buildAttention() {
    isIdeal = s.chance(70);
    types = {s.chance(70) ? mlir::Type(b.getF16Type()) : b.getBF16Type(), b.getF32Type()};
    types.stored = types.input;
    k.note("attention-loop-" + spellElement(types.input));
    int64_t depth = 16 << s.below(2), keys = 16 << s.below(2);
    shape.rows = s.chance(80) ? 64 : 16;
    if (s.chance(40)) // enough for tensor memory, whose sums have a row in each thread
      shape.rows = s.chance(50) ? 256 : 128, depth = keys = 32;
    else if (shape.rows == 64 && ((depth == 32 && keys == 32) || s.chance(25)))
      depth = 32, keys = 64; // so are these, staged in shared memory
    if (shape.rows == 256 && k.version() >= 3 && s.chance(80)) {
      if (s.chance(35))
        divideRows(depth, keys);
      else
        shareRows();
    }
    shape.trips = s.between(2, 5); // rings go round
    if (s.chance(10))
      fillSharedMemory(depth, keys);
    shape.columns = depth;
    shape.exactEdges = s.chance(70);
    shape.depth = shape.totalDepth = depth;
    Operand queries = makeOperand(1, shape.rows, k.blockCount());
    shape.depth = keys;
    shape.totalDepth = keys * shape.trips - (shape.exactEdges ? 0 : s.between(0, keys - 1));
    Operand keyTiles = makeOperand(1, depth, 1), values = makeOperand(0, depth, 1);
    emitAttention(queries, keyTiles, values, keys);
  }

private:
  /// Shared memory holds one tile of keys and one of values, but not two of each. Costly, so seldom.
  void fillSharedMemory(int64_t &depth, int64_t &keys) {
    k.note("attention-one-stage");
    isIdeal = true;
    shape.rows = 64;
    depth = 256, keys = 128;
    shape.trips = s.between(2, 3);
  }

  /// Two groups of warps, each with a block of 128 rows.
  void shareRows() {
    k.note("attention-two-blocks");
    isIdeal |= s.chance(80);
    hintWarps(k, 8);
  }

  /// One group of warps, whose registers hold sums of pieces of the rows only; of queries that are deep
  /// not even those.
  void divideRows(int64_t &depth, int64_t &keys) {
    k.note("attention-divided-rows");
    isIdeal |= s.chance(80);
    hintWarps(k, 4);
    (s.chance(50) ? depth : keys) = 64;
  }

  mlir::Value number(Int value) { return k.intConstant(k.scalarType(k.intType(32)), value).ssa; }

  void chooseTypes() {
    mlir::Type f32 = b.getF32Type(), f16 = b.getF16Type(), f64 = b.getF64Type();
    mlir::Type e4m3 = b.getType<mlir::Float8E4M3FNType>(), e5m2 = b.getType<mlir::Float8E5M2Type>();
    switch (byPointers && s.chance(50) ? 6
            : isPlain                  ? 4 * s.below(2)
                                       : s.below(isIdeal ? 13 : 14)) {
    case 0:
    case 1:
      types = {f16, f32};
      break;
    case 2:
    case 3:
      types = {f16, f16, true, 128};
      break;
    case 4:
    case 5:
      types = {b.getBF16Type(), f32};
      break;
    case 6:
    case 11:
    case 12:
      types = {b.getTF32Type(), f32};
      if (s.chance(75)) { // as frontends multiply arrays of f32
        types.stored = f32;
        k.note("k-loop-converted");
        isDirected = s.chance(80);
      }
      break;
    case 7:
    case 8:
      types = {k.intType(8), k.intType(32), true};
      leftSign = s.chance(75) ? cuda_tile::Signedness::Signed : cuda_tile::Signedness::Unsigned;
      rightSign = s.chance(80) ? leftSign : cuda_tile::Signedness::Unsigned;
      break;
    case 9:
      types = {e4m3, f32};
      break;
    case 10:
      types = s.chance(50) ? Types{e5m2, f32} : Types{s.chance(50) ? e4m3 : e5m2, f16, true, 128};
      break;
    default:
      types = s.chance(50) ? Types{f64, f64} : Types{f32, f32};
    }
    if (!types.stored)
      types.stored = types.input;
    isInteger = types.input.isInteger();
    isFast = bytes() == 1 && !isInteger && k.version() >= 3 && s.chance(40);
    // Small integers are the same in every mode.
    exact = types.exactOnly || isPlain || !s.chance(isDirected ? 90 : 20);
    roundsSum = types.input == b.getF16Type() && types.sum == types.input && s.chance(35);
    k.note("k-loop-" + spellElement(types.input) + "-" + spellElement(types.sum));
  }

  int64_t bytes() {
    return llvm::isa<mlir::FloatTF32Type>(types.input) ? 4 : widthOf(types.input) / 8;
  }

  void chooseShape() {
    static constexpr int64_t kRows[] = {64, 16, 32, 64, 128};
    static constexpr int64_t kColumns[] = {8, 16, 32, 64};
    shape.rows = s.pick(llvm::ArrayRef<int64_t>(kRows));
    shape.columns = s.pick(llvm::ArrayRef<int64_t>(kColumns));
    if (isIdeal) { // no larger than it has to be
      shape.rows = s.chance(75) ? 64 : 128;
      shape.columns = 16 << s.below(bytes() == 4 ? 3 : 2); // transposed products have 64 rows
    }
    if (shape.rows == 128)
      shape.columns = std::min<int64_t>(shape.columns, 16);
    // One to four steps of an instruction, which takes 32 bytes of depth.
    int64_t step = std::max<int64_t>(4, 32 / bytes());
    shape.depth = step << s.below(isIdeal || shape.rows * step > 1024 ? 2 : 3);
    while (shape.depth > step && shape.depth * std::max(shape.rows, shape.columns) > 4096)
      shape.depth /= 2;
    shape.trips = isIdeal ? s.between(2, 4) : s.between(1, 5);
    while (shape.trips > 1 && shape.trips * shape.depth > types.deepest)
      --shape.trips;
    auto products = [&] {
      return shape.rows * shape.columns * shape.depth * shape.trips * k.blockCount();
    };
    while (products() > kMostProducts && shape.trips > 2)
      --shape.trips;
    while (products() > kMostProducts && shape.depth > step)
      shape.depth /= 2;
    while (products() > kMostProducts && shape.columns > (isIdeal ? 16 : 8))
      shape.columns /= 2;
    if (isPlain) { // turns whose tiles are not all copied in front of the loop
      shape.rows = 64;
      shape.columns = k.blockCount() > 2 ? 16 : 16 << s.below(2);
      shape.depth = step;
      shape.trips = std::min(s.between(8, 12), types.deepest / step);
    }
    // Rows of memory of two panels and more, where they run along the columns.
    if (isIdeal && !inCluster && !isPlain && k.blockCount() <= 2 && s.chance(40)) {
      k.note("k-loop-wide-rows");
      shape.rows = 64;
      shape.columns = 128;
      shape.depth = step;
      shape.trips = 2;
    }
    // Stages of 36 KiB: how many there may be depends on the chip. Costly, so seldom.
    int64_t wide = 256 / bytes();
    if (isIdeal && !isPlain && k.blockCount() <= 2 && 3 * wide <= types.deepest && s.chance(4)) {
      k.note("k-loop-wide-stages");
      shape.rows = 128;
      shape.columns = 16;
      shape.depth = wide;
      shape.trips = 3;
    }
    if (!inCluster && !isPlain && k.version() >= 3 && k.blockCount() <= 4 && s.chance(20))
      setRowsApart(step);
    if (inCluster)
      chooseCluster(step);
    shape.exactEdges = s.chance(isPlain ? 10 : 45);
    if (!inCluster && !isPlain && shape.trips > 1 && s.chance(20)) {
      k.note("k-loop-skips");
      shape.skips = s.between(2, 3);
    }
    shape.totalDepth = shape.depth * ((shape.trips - 1) * shape.skips + 1) -
                       (shape.exactEdges ? 0 : s.between(0, shape.depth - 1));
  }

  /// Two groups of four warps, each of which has more rows than one instruction takes: those of the other lie between.
  void setRowsApart(int64_t step) {
    k.note("k-loop-rows-apart");
    isIdeal = true;
    shape.rows = 256;
    shape.columns = k.blockCount() > 1 ? 16 : 16 << s.below(2);
    shape.depth = step;
    shape.trips = 2;
    if (s.chance(85))
      hintWarps(k, 8);
  }

  /// A tile that the blocks of a cluster divide, so that all of them read one of the operands: large
  /// enough for warpgroup products of each, and turns that nobody knows, so that copies of their own
  /// seem worth it.
  void chooseCluster(int64_t step) {
    k.note("k-loop-cluster");
    if (k.clusterBlocks == 1)
      k.clusterBlocks = drawCluster(s);
    shape.cluster = k.clusterBlocks;
    shape.rows = shape.cluster == 2 && s.chance(80) ? 128 : s.chance(50) ? 64 : 256;
    shape.columns = shape.rows == 64 && s.chance(50) ? 128 : 32 << s.below(2);
    shape.depth = shape.rows < 256 && s.chance(75) ? 2 * step : step;
    shape.trips = s.between(2, 6); // rings go round
    const int64_t ofTurn = shape.rows * shape.columns * shape.depth * k.blockCount();
    while (shape.trips > 1 &&
           (shape.trips * shape.depth > types.deepest || shape.trips * ofTurn > kMostOfCluster))
      --shape.trips;
  }

  /// A fact about a scalar that holds.
  mlir::Value divisible(mlir::Value value, uint64_t by) {
    k.note("assume");
    auto fact = cuda_tile::DivByAttr::get(&k.context(), by, std::nullopt, std::nullopt);
    return cuda_tile::AssumeOp::create(b, k.loc(), value.getType(), value, fact);
  }

  /// Tiles of `outerTile` rows or columns, for each block its own or the same ones for all.
  Operand makeOperand(unsigned depthDim, int64_t outerTile, int64_t blocks) {
    Operand o;
    o.depthDim = depthDim;
    unsigned outerDim = 1 - o.depthDim;
    int64_t outerExtent = outerTile * blocks;
    if (!shape.exactEdges && s.chance(50))
      outerExtent -= s.between(0, outerTile - 1);
    o.overhangsOuter = outerExtent % outerTile != 0;
    o.overhangsDepth = shape.totalDepth % shape.depth != 0;

    llvm::SmallVector<int64_t> tile(2), extents(2), strides(2);
    tile[o.depthDim] = shape.depth;
    tile[outerDim] = outerTile;
    extents[o.depthDim] = shape.totalDepth;
    extents[outerDim] = outerExtent;
    o.tile = k.tileType(tile, types.stored);
    // Rows of memory run along the depth or along the other dimension.
    // Warpgroup products read elements of two bytes only across, those in tensor memory of one and four,
    // too.
    unsigned contiguous =
        s.chance(60) || (isIdeal && bytes() == 1 && s.chance(65)) ? o.depthDim : outerDim;
    int64_t unit = 16 / bytes();
    bool aligned = isIdeal || s.chance(85);
    strides[contiguous] = 1;
    strides[1 - contiguous] =
        aligned ? static_cast<int64_t>(llvm::alignTo(extents[contiguous], unit)) + unit * s.below(2)
                : extents[contiguous] + s.between(0, 3);
    llvm::SmallVector<bool> staticShape(2), staticStride(2);
    for (unsigned i : {0u, 1u}) {
      staticShape[i] = s.chance(40);
      staticStride[i] = i == contiguous ? s.chance(90) : s.chance(50);
    }
    const Fill fill = isInteger ? Fill::Any : exact ? Fill::SmallIntegers : Fill::Reals;
    // The array begins in front of where the last offset starts, at an address that tensor maps may have.
    const int64_t back = isShifted && s.chance(35) ? unit * s.between(1, 4) : 0;
    const int64_t lead = back                        ? unit * s.between(0, 2)
                         : isShifted && s.chance(70) ? s.between(1, 2 * unit)
                                                     : 0;
    const bool isBehind = back || lead;
    ArrayInfo &array = isBehind ? addShifted(lead, back, extents, strides, fill)
                                : k.addPlacedArray(types.stored, extents, strides, staticShape,
                                                   staticStride, fill);
    o.array = &array;
    if (isBehind) {
      array.staticShape = staticShape;
      array.staticStride = staticStride;
      for (unsigned i : {0u, 1u}) {
        array.extentArgs.push_back(staticShape[i] ? mlir::Value()
                                                  : k.addExtentArgument(extents[i]));
        array.strideArgs.push_back(staticStride[i] ? mlir::Value()
                                                   : k.addExtentArgument(strides[i]));
      }
    } else if (isIdeal || s.chance(85)) {
      array.base = divisible(array.base, 16);
    }
    for (unsigned i : {0u, 1u}) {
      if (array.strideArgs[i] && i != contiguous && strides[i] % unit == 0 &&
          (isIdeal || s.chance(80)))
        array.strideArgs[i] = divisible(array.strideArgs[i], static_cast<uint64_t>(unit));
      if (array.extentArgs[i] && extents[i] % unit == 0 && s.chance(isIdeal ? 80 : 50))
        array.extentArgs[i] = divisible(array.extentArgs[i], static_cast<uint64_t>(unit));
    }
    if (isDirected && s.chance(80)) {
      k.note("k-loop-directed");
      o.rounding = k.version() >= 4 && s.chance(40) ? cuda_tile::RoundingMode::NEAREST_AWAY
                                                    : cuda_tile::RoundingMode::ZERO;
    }
    o.outer = blocks > 1 ? k.blockNumber().ssa : number(0);
    if (shape.cluster == 1 && !isPlain && (byPointers ? s.chance(90) : s.chance(isIdeal ? 8 : 25)))
      makePointers(o);
    else
      makeView(o);
    return o;
  }

  /// What is seen of an array that begins so many elements behind an aligned address: mostly where no wide access, and
  /// no tensor map, may begin. A compiler knows how many, or the launch. `back`: the argument points behind that, and
  /// the kernel goes so many elements back.
  ArrayInfo &addShifted(int64_t lead, int64_t back, llvm::ArrayRef<int64_t> extents,
                        llvm::ArrayRef<int64_t> strides, Fill fill) {
    k.note("k-loop-shifted-base");
    int64_t count = lead + back + 1;
    for (auto [extent, stride] : llvm::zip_equal(extents, strides))
      count += (extent - 1) * stride;
    ArrayInfo &seen =
        shifted.emplace_back(k.addFlatArray(types.stored, count, /*output=*/false, fill));
    auto moved = [&](mlir::Value base, int64_t by) -> mlir::Value {
      mlir::Value elements = s.chance(back ? 80 : 40) ? k.addExtentArgument(by) : number(by);
      return cuda_tile::OffsetOp::create(b, k.loc(), base.getType(), base, elements);
    };
    if (back) {
      k.note("k-loop-base-goes-back");
      k.pointBehind(seen, lead + back);
    }
    seen.base = moved(divisible(seen.base, 16), back ? -back : lead);
    seen.shape.assign(extents.begin(), extents.end());
    seen.strides.assign(strides.begin(), strides.end());
    seen.extentArgs.clear();
    seen.strideArgs.clear();
    return seen;
  }

  void makeView(Operand &o) {
    ArrayInfo &array = *o.array;
    llvm::SmallVector<int64_t> extents, strides;
    llvm::SmallVector<mlir::Value> extentValues, strideValues;
    // The array as it is, or with its dimensions in the other order, which dim_map undoes.
    bool swapped = s.chance(30);
    for (unsigned at : {0u, 1u}) {
      unsigned i = swapped ? 1 - at : at;
      extents.push_back(array.staticShape[i] ? array.shape[i] : mlir::ShapedType::kDynamic);
      strides.push_back(array.staticStride[i] ? array.strides[i] : mlir::ShapedType::kDynamic);
      if (!array.staticShape[i])
        extentValues.push_back(k.extentOf(array, i));
      if (!array.staticStride[i])
        strideValues.push_back(k.strideOf(array, i));
    }
    // As frontends give tiles to products: in the order of the array, or one of a batch.
    o.isPermuted = s.chance(25);
    llvm::SmallVector<int32_t> map = {swapped != o.isPermuted, swapped == o.isPermuted};
    llvm::SmallVector<int32_t> tile(o.tile.getShape().begin(), o.tile.getShape().end());
    if (o.isPermuted)
      std::swap(tile[0], tile[1]);
    bool isOfBatch = s.chance(25), isOutside = false;
    if (isOfBatch) {
      k.note("k-loop-unit-dimension");
      bool isDynamic = s.chance(60);
      extents.insert(extents.begin(), isDynamic ? mlir::ShapedType::kDynamic : 1);
      if (isDynamic)
        extentValues.insert(extentValues.begin(), number(1));
      strides.insert(strides.begin(), llvm::alignTo(array.shape[0] * array.shape[1] * 2, 16));
      for (int32_t &dim : map)
        ++dim;
      map.insert(map.begin(), 0);
      tile.insert(tile.begin(), 1);
      isOutside = s.chance(15); // padding only
      o.batch = number(isOutside ? s.between(1, 2) : 0);
    }
    auto type = cuda_tile::TensorViewType::get(&k.context(), array.element, extents, strides, {});
    mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(b, k.loc(), type, array.base,
                                                             extentValues, strideValues);
    cuda_tile::PaddingValueAttr padding;
    if (o.overhangsOuter || o.overhangsDepth || isOutside || s.chance(50)) {
      // Along the depth mostly zeros: a product is then the same as without the padding. Infinities and NaN
      // decide all of a row or column.
      auto value =
          ((o.overhangsDepth || isOutside) && !maySpoilDepth) || !exact || !isFloat(types.stored)
              ? cuda_tile::PaddingValueAttr::get(&k.context(), cuda_tile::PaddingValue::zero)
          : isPlain && s.chance(80)
              ? cuda_tile::PaddingValueAttr::get(&k.context(), cuda_tile::PaddingValue::nan)
              : choosePadding(k, s, types.stored);
      if (o.overhangsDepth && value.getValue() != cuda_tile::PaddingValue::zero)
        k.note("k-loop-spoiled-depth");
      padding = value;
    }
    auto viewType = cuda_tile::PartitionViewType::get(
        &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile), type, map, padding);
    o.view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
  }

  mlir::Value wrapping(mlir::Value x, Int y) {
    return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, number(y),
                                     cuda_tile::IntegerOverflow::NONE);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y,
                                     cuda_tile::IntegerOverflow::NSW);
  }
  mlir::Value multiply(mlir::Value x, mlir::Value y) {
    return cuda_tile::MulIOp::create(b, k.loc(), x.getType(), x, y,
                                     cuda_tile::IntegerOverflow::NSW);
  }
  mlir::Value splat(mlir::Value scalar, llvm::ArrayRef<int64_t> to) {
    return k.splat({scalar, {}}, to).ssa;
  }

  /// 0, 1, 2, … along one dimension of a tile, as a tile of that shape.
  mlir::Value coordinates(llvm::ArrayRef<int64_t> to, unsigned dim) {
    mlir::Type i32 = k.intType(32);
    llvm::SmallVector<int64_t> flat = {to[dim]}, column(to.size(), 1);
    column[dim] = to[dim];
    mlir::Value line = cuda_tile::IotaOp::create(b, k.loc(), k.tileType(flat, i32));
    mlir::Value reshaped = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(column, i32), line);
    if (llvm::ArrayRef<int64_t>(column) == to)
      return reshaped;
    return cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(to, i32), reshaped);
  }

  /// base + row * stride + column * stride for the tile at depth 0.
  void makePointers(Operand &o) {
    k.note("k-loop-pointers");
    llvm::ArrayRef<int64_t> to = o.tile.getShape();
    mlir::Value offsets;
    for (unsigned dim : {0u, 1u}) {
      mlir::Value at = coordinates(to, dim);
      if (dim != o.depthDim)
        at = add(at, splat(multiply(o.outer, number(to[dim])), to));
      if (o.array->strides[dim] != 1 || !o.array->staticStride[dim])
        at = multiply(at, splat(k.strideOf(*o.array, dim), to));
      offsets = offsets ? add(offsets, at) : at;
    }
    o.pointers = pointersAt(k, o.array->base, offsets);
    if (mayCarry && s.chance(byPointers ? 80 : 40)) {
      k.note("k-loop-carried-pointers");
      mlir::Value distance = number(shape.depth * shape.skips);
      if (o.array->strides[o.depthDim] != 1 || !o.array->staticStride[o.depthDim])
        distance = multiply(distance, k.strideOf(*o.array, o.depthDim));
      o.advance = splat(distance, to);
    }
  }

  llvm::SmallVector<mlir::NamedAttribute> loadAttributes() {
    llvm::SmallVector<mlir::NamedAttribute> attributes = {k.attr(
        "memory_ordering_semantics", cuda_tile::MemoryOrderingSemanticsAttr::get(
                                         &k.context(), cuda_tile::MemoryOrderingSemantics::WEAK))};
    if (s.chance(40)) {
      k.note("hints");
      llvm::SmallVector<mlir::NamedAttribute> hints;
      if (s.chance(30))
        hints.push_back(b.getNamedAttr("allow_tma", b.getBoolAttr(s.chance(50))));
      hints.push_back(b.getNamedAttr("latency", b.getI64IntegerAttr(s.between(1, 8))));
      llvm::ArrayRef<llvm::StringRef> gpus = cuda_tile::drawnTargets();
      llvm::StringRef key = k.version() >= 3 ? "default" : gpus[s.below(gpus.size())];
      attributes.push_back(
          k.attr("optimization_hints",
                 cuda_tile::OptimizationHintsAttr::get(
                     &k.context(),
                     b.getDictionaryAttr({b.getNamedAttr(key, b.getDictionaryAttr(hints))}))));
    }
    return attributes;
  }

  /// The tile at `step` tiles of depth, after `before`, in the type of the product.
  Loaded load(Operand &o, mlir::Value step, mlir::Value before) {
    Loaded loaded = loadStored(o, step, before);
    if (types.stored != types.input)
      loaded.tile = cuda_tile::FToFOp::create(
          b, k.loc(), k.tileType(o.tile.getShape(), types.input), loaded.tile, o.rounding);
    return loaded;
  }

  /// Zeros, or what spoils rows and columns.
  mlir::Value paddingOf(cuda_tile::TileType type) {
    if (!maySpoilDepth || s.chance(40))
      return zeros(type);
    const llvm::fltSemantics &semantics =
        llvm::cast<mlir::FloatType>(type.getElementType()).getFloatSemantics();
    const llvm::APFloat values[] = {
        llvm::APFloat::getInf(semantics), llvm::APFloat::getInf(semantics, true),
        llvm::APFloat::getNaN(semantics), llvm::APFloat::getZero(semantics, true)};
    return k.floatConstant(type, values[s.below(std::size(values))]).ssa;
  }

  /// The pointers of the tile that begins at this depth.
  mlir::Value moved(Operand &o, mlir::Value depth) {
    mlir::Value distance = o.array->strides[o.depthDim] == 1 && o.array->staticStride[o.depthDim]
                               ? depth
                               : multiply(depth, k.strideOf(*o.array, o.depthDim));
    return cuda_tile::OffsetOp::create(b, k.loc(), o.pointers.getType(), o.pointers,
                                       splat(distance, o.tile.getShape()));
  }

  Loaded loadStored(Operand &o, mlir::Value step, mlir::Value before) {
    llvm::SmallVector<mlir::Type> results = {o.tile, cuda_tile::TokenType::get(&k.context())};
    if (o.view) {
      llvm::SmallVector<mlir::Value> operands = {o.view};
      if (o.batch)
        operands.push_back(o.batch);
      for (unsigned dim : {0u, 1u})
        operands.push_back((dim == o.depthDim) != o.isPermuted ? step : o.outer);
      if (before)
        operands.push_back(before);
      llvm::SmallVector<int64_t> loaded(o.tile.getShape());
      if (o.isPermuted)
        std::swap(loaded[0], loaded[1]);
      cuda_tile::TileType matrix = k.tileType(loaded, o.tile.getElementType());
      if (o.batch)
        loaded.insert(loaded.begin(), 1);
      results[0] = k.tileType(loaded, o.tile.getElementType());
      k.note("load_view_tko");
      auto op = k.emit<cuda_tile::LoadViewTkoOp>(results, operands, loadAttributes(),
                                                 {1, o.batch ? 3 : 2, before ? 1 : 0});
      mlir::Value tile = op.getTile();
      if (o.batch)
        tile = cuda_tile::ReshapeOp::create(b, k.loc(), matrix, tile);
      if (o.isPermuted)
        tile =
            cuda_tile::PermuteOp::create(b, k.loc(), o.tile, tile, b.getDenseI32ArrayAttr({1, 0}));
      return {tile, op.getResultToken()};
    }
    llvm::ArrayRef<int64_t> to = o.tile.getShape();
    mlir::Value first = depthOfTurn ? depthOfTurn : multiply(step, number(shape.depth));
    mlir::Value pointers = o.pointers;
    if (!o.advance)
      pointers = moved(o, first);
    mlir::Value mask, padding;
    auto bound = [&](unsigned dim, mlir::Value start) {
      mlir::Value inside = cuda_tile::CmpIOp::create(
          b, k.loc(), k.tileType(to, k.intType(1)), cuda_tile::ComparisonPredicate::LESS_THAN,
          add(coordinates(to, dim), splat(start, to)), splat(k.extentOf(*o.array, dim), to),
          cuda_tile::Signedness::Signed);
      mask = mask
                 ? cuda_tile::AndIOp::create(b, k.loc(), inside.getType(), mask, inside).getResult()
                 : inside;
    };
    if (o.overhangsDepth || s.chance(20))
      bound(o.depthDim, first);
    if (o.overhangsOuter || s.chance(20))
      bound(1 - o.depthDim, multiply(o.outer, number(to[1 - o.depthDim])));
    llvm::SmallVector<mlir::Value> operands = {pointers};
    if (mask) {
      padding = isInteger ? k.intConstant(o.tile, 0).ssa : paddingOf(o.tile);
      operands.append({mask, padding});
    }
    if (before)
      operands.push_back(before);
    k.note("load_ptr_tko");
    auto op = k.emit<cuda_tile::LoadPtrTkoOp>(results, operands, loadAttributes(),
                                              {1, mask ? 1 : 0, mask ? 1 : 0, before ? 1 : 0});
    return {op.getResult(), op.getResultToken()};
  }

  mlir::Value zeros(cuda_tile::TileType type) { return k.floatConstant(type, 0.0).ssa; }

  /// The matrix as a batch of one.
  mlir::Value batchOfOne(mlir::Value tile) {
    auto type = llvm::cast<cuda_tile::TileType>(tile.getType());
    llvm::SmallVector<int64_t> to = {1};
    llvm::append_range(to, type.getShape());
    return cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(to, type.getElementType()), tile);
  }

  mlir::Value product(cuda_tile::TileType type, mlir::Value x, mlir::Value y, mlir::Value sum) {
    if (type.getRank() == 3) {
      x = batchOfOne(x);
      y = batchOfOne(y);
    }
    if (isInteger)
      return cuda_tile::MmaIOp::create(b, k.loc(), type, x, y, sum, leftSign, rightSign);
    auto multiply = [&](cuda_tile::TileType sums, mlir::Value before) -> mlir::Value {
      return cuda_tile::MmaFOp::create(b, k.loc(), sums, x, y, before,
                                       isFast ? b.getUnitAttr() : mlir::UnitAttr());
    };
    if (!roundsSum)
      return multiply(type, sum);
    k.note("k-loop-rounded-sum");
    auto convert = [&](mlir::Value value, cuda_tile::TileType to) -> mlir::Value {
      return cuda_tile::FToFOp::create(b, k.loc(), to, value,
                                       cuda_tile::RoundingMode::NEAREST_EVEN);
    };
    cuda_tile::TileType wide = k.tileType(type.getShape(), b.getF32Type());
    return convert(multiply(wide, convert(sum, wide)), type);
  }

  void emitLoop(Operand &left, Operand &right, std::optional<Operand> &second, bool swapsOrder) {
    mlir::Type i32 = k.intType(32);
    cuda_tile::TokenType token = cuda_tile::TokenType::get(&k.context());
    // The sum as a matrix, or as a batch of one.
    cuda_tile::TileType matrix = k.tileType({shape.rows, shape.columns}, types.sum), type = matrix;
    if (s.chance(35)) {
      k.note("k-loop-batch-of-one");
      type = k.tileType({1, shape.rows, shape.columns}, types.sum);
    }
    auto asMatrix = [&](mlir::Value sum) -> mlir::Value {
      return type == matrix ? sum
                            : cuda_tile::ReshapeOp::create(b, k.loc(), matrix, sum).getResult();
    };
    Int start = s.chance(70) ? 0 : s.between(-4, 4);
    if (roundsSum && s.chance(80)) // from here on f16 holds every second integer
      start = 2048;
    // More than f16 has; what is added to it loses bits [spec: mma-bound-fp8].
    const bool startsLarge = bytes() == 1 && !isInteger && types.sum.isF32() && s.chance(30);
    if (startsLarge) {
      k.note("k-loop-large-start");
      start = 70001;
    }
    mlir::Value init = isInteger ? k.intConstant(type, start).ssa
                                 : k.floatConstant(type, static_cast<double>(start)).ssa;
    mlir::Value trips;
    if (shape.cluster > 1 ? s.chance(70) : s.chance(15)) {
      trips = k.addExtentArgument((shape.trips - 1) * shape.skips + 1);
    } else if (Operand &o = s.chance(50) ? left : right; o.view && s.chance(60)) {
      llvm::SmallVector<mlir::Type> shapes(o.batch ? 3 : 2, k.scalarType(i32));
      unsigned dim = (o.isPermuted ? 1 - o.depthDim : o.depthDim) + (o.batch ? 1 : 0);
      trips = k.emit<cuda_tile::GetIndexSpaceShapeOp>(shapes, o.view)->getResult(dim);
    } else {
      trips = number((shape.trips - 1) * shape.skips + 1);
    }
    // Tokens: none, one from before the loop, or one that every load of an iteration joins.
    enum { NoToken, OuterToken, CarriedToken } ordering = NoToken;
    if (!isPlain && (isIdeal ? !inCluster && s.chance(20) : s.chance(45)))
      ordering = s.chance(30) ? OuterToken : CarriedToken;
    bool carriesIndex = !isPlain && s.chance(isIdeal ? 5 : 15),
         scalesSum = !isPlain && !isInteger && types.sum != b.getF16Type() && s.chance(12),
         startsAnew = !isPlain && !scalesSum && s.chance(8), // each product has a start of its own
        stalls = s.chance(50); // carried pointers stay where they are in every other turn
    const std::optional<mlir::Value> factors =
        scalesSum && types.sum == b.getF32Type() && s.chance(60) ? std::optional(rowFactors())
                                                                 : std::nullopt;
    ArrayInfo *trace = nullptr; // partial sums, stored in every iteration
    mlir::Value traceView;
    if (!isPlain && isNumber(types.sum) && type.getNumElements() <= 1024 &&
        s.chance(isIdeal ? 6 : 12)) {
      k.note("k-loop-store");
      trace = &k.addFreeArray(s, types.sum, {shape.rows * k.blockCount(), shape.columns}, true);
      trace->exact = exact && !startsLarge;
      mlir::Value tensor = makeTensorView(k, s, *trace);
      llvm::SmallVector<int32_t> tile = {static_cast<int32_t>(shape.rows),
                                         static_cast<int32_t>(shape.columns)};
      auto viewType = cuda_tile::PartitionViewType::get(
          &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile),
          llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), {0, 1}, {});
      traceView = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
    }
    mlir::Value outer;
    if (ordering != NoToken || trace)
      outer = cuda_tile::MakeTokenOp::create(b, k.loc(), token);
    if (ordering != NoToken && !inCluster && s.chance(75))
      outer = accessBefore(k.blockCount() == 1 && s.chance(50) ? right : left, outer);

    llvm::SmallVector<mlir::Value> carried = {init};
    auto carry = [&](bool wanted, mlir::Value value) -> std::optional<unsigned> {
      if (!wanted)
        return std::nullopt;
      carried.push_back(value);
      return carried.size() - 1;
    };
    auto sumAt2 = carry(second.has_value(), init);
    auto tokenAt = carry(ordering == CarriedToken, outer);
    auto indexAt = carry(carriesIndex, carriesIndex ? number(0) : mlir::Value());
    auto writtenAt = carry(trace != nullptr, outer);
    // Pointers that advance from turn to turn.
    llvm::SmallVector<std::pair<Operand *, unsigned>> walking;
    for (Operand *o : {&left, &right, second ? &*second : nullptr})
      if (o && o->advance)
        walking.push_back({o, *carry(true, o->pointers)});
    // Turns counted by the elements or the tiles that they take, and from another number than zero.
    Int unit = shape.skips, first = 0;
    const bool divides = !isPlain && !carriesIndex && unit == 1 && s.chance(25);
    if (divides) {
      unit = s.chance(60) ? Int(shape.depth) : s.between(2, 4);
      k.note("k-loop-by-elements");
      trips = multiply(trips, number(unit));
    }
    if (!isPlain && !carriesIndex && s.chance(15)) {
      first = unit * s.between(1, 2);
      trips = add(trips, number(first));
    }
    // Unsigned bounds on both sides of the largest signed number, or all beyond it.
    Int bias = 0;
    if (!isPlain && !carriesIndex && k.version() >= 2 && s.chance(20)) {
      bias = (Int(1) << 31) - s.between(0, 2);
      trips = wrapping(trips, bias);
      k.note("k-loop-above-signed");
    }
    // As where each block takes every n-th tile.
    mlir::Value by = number(unit);
    if (!isPlain && s.chance(20)) {
      by = k.addExtentArgument(unit);
      k.note("k-loop-step-of-value");
    }
    auto loop = cuda_tile::ForOp::create(b, k.loc(), number(bias + first), trips, by, carried,
                                         nullptr, bias != 0);
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      llvm::SmallVector<mlir::Value> next(carried.size());
      mlir::Value step = indexAt ? loop.getRegionIterVar(*indexAt) : loop.getInductionVar();
      if (bias + first != 0)
        step = wrapping(step, -bias - first);
      depthOfTurn = divides && unit == shape.depth && s.chance(70) ? step : mlir::Value();
      if (divides)
        step = cuda_tile::DivIOp::create(b, k.loc(), step.getType(), step, number(unit),
                                         s.chance(70) ? cuda_tile::Signedness::Signed
                                                      : cuda_tile::Signedness::Unsigned,
                                         cuda_tile::RoundingMode::ZERO);
      for (auto [operand, at] : walking)
        operand->pointers = loop.getRegionIterVar(at);
      mlir::Value before = ordering == NoToken ? mlir::Value()
                           : tokenAt           ? loop.getRegionIterVar(*tokenAt)
                                               : outer;
      Loaded x, y;
      if (swapsOrder)
        y = load(right, step, before);
      x = load(left, step, before);
      if (!swapsOrder)
        y = load(right, step, before);
      llvm::SmallVector<mlir::Value> tokens = {x.token, y.token};
      mlir::Value sum = loop.getRegionIterVar(0);
      if (factors)
        sum = multiplyFloats(sum, factorsOf(*factors, step, type));
      else if (
          scalesSum) // powers of two: exact, and the sum is no plain chain of products any more
        sum = multiplyFloats(sum, k.floatConstant(type, 0.5).ssa);
      next[0] = startsAnew ? total(sum, product(type, x.tile, y.tile, startOf(step, type)))
                           : product(type, x.tile, y.tile, sum);
      if (sumAt2) {
        Loaded z = load(*second, step, before);
        tokens.push_back(z.token);
        next[*sumAt2] = product(type, x.tile, z.tile, loop.getRegionIterVar(*sumAt2));
        if (s.chance(70)) {
          k.note("k-loop-sums-swap");
          std::swap(next[0], next[*sumAt2]);
        }
      }
      if (tokenAt)
        next[*tokenAt] = cuda_tile::JoinTokensOp::create(b, k.loc(), token, tokens);
      for (auto [operand, at] : walking)
        next[at] = cuda_tile::OffsetOp::create(
            b, k.loc(), operand->pointers.getType(), operand->pointers,
            stalls ? stalled(operand->advance, step) : operand->advance);
      depthOfTurn = {};
      if (indexAt)
        next[*indexAt] = add(step, number(shape.skips));
      if (writtenAt)
        next[*writtenAt] =
            storeView(k, s, asMatrix(next[0]), traceView, {k.blockNumber().ssa, number(0)},
                      loop.getRegionIterVar(*writtenAt));
      cuda_tile::ContinueOp::create(b, k.loc(), next);
    }
    if (readBehind && tokenAt) {
      k.note("k-loop-behind-read");
      emitFreeStore(k, s, {readBehind(loop->getResult(*tokenAt)), {}});
    }
    Facts facts;
    facts.exact = exact && !startsLarge;
    if (isInteger) {
      Int bound = Int(255) * 255 * shape.totalDepth + (startsAnew ? 1024 : 0);
      facts.range = {start - bound, start + bound};
    }
    if (!exact)
      k.note("mma-real");
    if (!facts.exact)
      k.noteApproximate();
    if (shape.rows * shape.columns > KernelBuilder::kMostElements)
      return emitFreeStore(k, s, {asMatrix(loop->getResult(0)), facts});
    k.define(asMatrix(loop->getResult(0)), facts);
    if (sumAt2)
      k.define(asMatrix(loop->getResult(*sumAt2)), facts);
  }

  /// Accesses in front of the loop, each behind the one before: what is stored here into the first tile of an operand
  /// the loop must not load ahead of, through loads and what only orders as well.
  mlir::Value accessBefore(Operand &o, mlir::Value token) {
    k.note("k-loop-behind");
    if (o.view && !o.batch && s.chance(80)) {
      k.note("k-loop-behind-store");
      k.arrays()[o.array->buffer].output = true;
      llvm::SmallVector<int64_t> to(o.tile.getShape());
      if (o.isPermuted)
        std::swap(to[0], to[1]);
      cuda_tile::TileType type = k.tileType(to, types.stored);
      mlir::Value value = isInteger
                              ? k.intConstant(type, s.between(1, 3)).ssa
                              : k.floatConstant(type, static_cast<double>(s.between(1, 3))).ssa;
      llvm::SmallVector<mlir::Value> indices;
      for (unsigned dim : {0u, 1u})
        indices.push_back((dim == o.depthDim) != o.isPermuted ? number(0) : o.outer);
      token = storeView(k, s, value, o.view, indices, token);
      if (isNumber(types.stored) && !o.overhangsOuter && !o.overhangsDepth)
        readBehind = [this, type, view = o.view, indices](mlir::Value after) {
          return loadView(k, s, type, view, indices, after).tile;
        };
    }
    for (uint64_t more = s.below(3); more > 0; --more) {
      if (s.chance(30)) {
        token = joinedWithFreshToken(k, s, token);
        continue;
      }
      cuda_tile::TileType type = k.tileType({64}, types.stored);
      ArrayInfo &array = k.addFlatArray(types.stored, 64, /*output=*/false, Fill::SmallIntegers);
      mlir::Value line = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({64}, k.intType(32)));
      token = loadPointers(k, s, type, pointersAt(k, array.base, line), {}, {}, token).token;
    }
    return token;
  }

  /// Numbers for each row and turn, of which few are neither 1 nor NaN: what multiplies the sums so far.
  mlir::Value rowFactors() {
    k.note("k-loop-row-factors");
    const int64_t turns = (shape.trips - 1) * shape.skips + 1;
    ArrayInfo &array =
        k.addFlatArray(b.getF32Type(), shape.rows * turns, /*output=*/false, Fill::SmallIntegers);
    mlir::Value tensor = makeTensorView(k, s, array);
    auto viewType = cuda_tile::PartitionViewType::get(
        &k.context(),
        mlir::DenseI32ArrayAttr::get(&k.context(), {static_cast<int32_t>(shape.rows)}),
        llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), {0}, {});
    return k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
  }
  mlir::Value factorsOf(mlir::Value view, mlir::Value step, cuda_tile::TileType type) {
    cuda_tile::TileType line = k.tileType({shape.rows}, b.getF32Type()),
                        flags = k.tileType({shape.rows}, k.intType(1));
    mlir::Value numbers = loadView(k, s, line, view, step, {}).tile,
                factor = k.floatConstant(line, 1).ssa;
    auto where = [&](double number, mlir::Value then) {
      mlir::Value flag = cuda_tile::CmpFOp::create(
          b, k.loc(), flags, cuda_tile::ComparisonPredicate::EQUAL,
          cuda_tile::ComparisonOrdering::ORDERED, numbers, k.floatConstant(line, number).ssa);
      factor = cuda_tile::SelectOp::create(b, k.loc(), line, flag, then, factor);
    };
    where(4, k.floatConstant(line, llvm::APFloat::getNaN(llvm::APFloat::IEEEsingle())).ssa);
    if (s.chance(40))
      where(-4, k.floatConstant(line, 2).ssa);
    llvm::SmallVector<int64_t> column(type.getRank(), 1);
    column[type.getRank() - 2] = shape.rows;
    factor = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(column, b.getF32Type()), factor);
    return cuda_tile::BroadcastOp::create(b, k.loc(), type, factor);
  }

  /// The way to the next turn's pointers, or none.
  mlir::Value stalled(mlir::Value advance, mlir::Value step) {
    k.note("k-loop-stalls");
    auto type = llvm::cast<cuda_tile::TileType>(advance.getType());
    mlir::Value odd = add(step, number(s.between(0, 1)));
    odd = cuda_tile::AndIOp::create(b, k.loc(), odd.getType(), odd, number(1));
    odd = widenTo(k, odd, type.getElementType());
    return cuda_tile::MulIOp::create(b, k.loc(), type, advance,
                                     k.splat({odd, {}}, type.getShape()).ssa,
                                     cuda_tile::IntegerOverflow::NONE);
  }

  /// The number of the turn, everywhere.
  mlir::Value startOf(mlir::Value step, cuda_tile::TileType type) {
    k.note("k-loop-starts-anew");
    mlir::Value start = step;
    if (!isInteger)
      start = cuda_tile::IToFOp::create(b, k.loc(), k.scalarType(types.sum), step,
                                        cuda_tile::Signedness::Signed,
                                        cuda_tile::RoundingMode::NEAREST_EVEN);
    return k.splat({start, {}}, type.getShape()).ssa;
  }
  mlir::Value total(mlir::Value x, mlir::Value y) {
    if (!isInteger)
      return sumOf(x, y);
    return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y,
                                     cuda_tile::IntegerOverflow::NONE);
  }

  cuda_tile::RoundingModeAttr nearest() {
    return cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_EVEN);
  }
  mlir::Value multiplyFloats(mlir::Value x, mlir::Value y) {
    return cuda_tile::MulFOp::create(b, k.loc(), x.getType(), x, y, nearest(), mlir::UnitAttr());
  }

  /// The largest element or the sum of each row, as a column.
  mlir::Value reduceRows(mlir::Value tile, bool isMax) {
    mlir::Type f32 = b.getF32Type();
    llvm::APFloat identity = isMax ? llvm::APFloat::getInf(llvm::APFloat::IEEEsingle(), true)
                                   : llvm::APFloat::getZero(llvm::APFloat::IEEEsingle());
    mlir::OperationState state(k.loc(), cuda_tile::ReduceOp::getOperationName());
    state.addOperands(tile);
    state.addTypes(k.tileType({shape.rows}, f32));
    state.addAttribute("dim", b.getI32IntegerAttr(1));
    state.addAttribute("identities", b.getArrayAttr({mlir::FloatAttr::get(f32, identity)}));
    mlir::Block *body = new mlir::Block();
    state.addRegion()->push_back(body);
    body->addArguments({k.scalarType(f32), k.scalarType(f32)}, {k.loc(), k.loc()});
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(body);
      mlir::Value x = body->getArgument(0), y = body->getArgument(1);
      cuda_tile::YieldOp::create(b, k.loc(), isMax ? larger(x, y) : sumOf(x, y));
    }
    return cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType({shape.rows, 1}, f32),
                                        b.create(state)->getResult(0));
  }
  mlir::Value larger(mlir::Value x, mlir::Value y) {
    return cuda_tile::MaxFOp::create(b, k.loc(), x.getType(), x, y, mlir::UnitAttr(),
                                     mlir::UnitAttr());
  }
  mlir::Value sumOf(mlir::Value x, mlir::Value y) {
    return cuda_tile::AddFOp::create(b, k.loc(), x.getType(), x, y, nearest(), mlir::UnitAttr());
  }

  /// The score where a key comes before the end and, maybe, not behind its row; a number elsewhere.
  mlir::Value maskScore(mlir::Value score, mlir::Value step, int64_t keys) {
    mlir::Type i32 = k.intType(32), flag = k.intType(1);
    auto scoreType = llvm::cast<cuda_tile::TileType>(score.getType());
    llvm::ArrayRef<int64_t> shape = scoreType.getShape();
    auto rangeOf = [&](int64_t count, llvm::ArrayRef<int64_t> as) -> mlir::Value {
      mlir::Value range = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({count}, i32));
      return cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(as, i32), range);
    };
    auto spread = [&](mlir::Value scalar, llvm::ArrayRef<int64_t> as) -> mlir::Value {
      mlir::Value one = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType({1, 1}, i32), scalar);
      return cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(as, i32), one);
    };
    auto compare = [&](cuda_tile::ComparisonPredicate predicate, mlir::Value x, mlir::Value y) {
      auto full = k.tileType({shape[0], shape[1]}, i32);
      x = cuda_tile::BroadcastOp::create(b, k.loc(), full, x);
      y = cuda_tile::BroadcastOp::create(b, k.loc(), full, y);
      return cuda_tile::CmpIOp::create(b, k.loc(), k.tileType({shape[0], shape[1]}, flag),
                                       predicate, x, y, cuda_tile::Signedness::Signed)
          .getResult();
    };
    auto overflow = cuda_tile::IntegerOverflow::NONE;
    auto scalar = k.scalarType(i32);
    int64_t width = s.chance(80) ? keys : keys / 2 + 1; // of a turn
    mlir::Value start =
        cuda_tile::MulIOp::create(b, k.loc(), scalar, step, number(width), overflow);
    auto line = k.tileType({1, keys}, i32), column = k.tileType({shape[0], 1}, i32);
    mlir::Value keyIndex = cuda_tile::AddIOp::create(b, k.loc(), line, spread(start, {1, keys}),
                                                     rangeOf(keys, {1, keys}), overflow);
    mlir::Value row =
        cuda_tile::AddIOp::create(b, k.loc(), column, spread(number(s.below(keys)), {shape[0], 1}),
                                  rangeOf(shape[0], {shape[0], 1}), overflow);
    int64_t end = 1 + int64_t(s.below(uint64_t(2 * keys)));
    mlir::Value mask = s.chance(50)
                           ? compare(cuda_tile::ComparisonPredicate::LESS_THAN, keyIndex,
                                     spread(k.addExtentArgument(end), {1, keys}))
                           : compare(cuda_tile::ComparisonPredicate::GREATER_THAN, keyIndex, row);
    if (s.chance(75)) {
      mlir::Value other =
          compare(cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL, row, keyIndex);
      mask = cuda_tile::AndIOp::create(b, k.loc(), k.tileType({shape[0], shape[1]}, flag), mask,
                                       other);
    }
    return cuda_tile::SelectOp::create(b, k.loc(), scoreType, mask, score,
                                       k.floatConstant(scoreType, -8).ssa);
  }

  /// Tiles of keys and values one after the other; carried are the weighted sum of values, and by
  /// row the largest score and the sum of the weights.
  void emitAttention(Operand &queries, Operand &keyTiles, Operand &values, int64_t keys) {
    mlir::Type f32 = b.getF32Type();
    auto tile = [&](int64_t columns) { return k.tileType({shape.rows, columns}, f32); };
    cuda_tile::TileType sumType = tile(shape.columns), column = tile(1), scoreType = tile(keys);
    auto spread = [&](mlir::Value x, cuda_tile::TileType type) -> mlir::Value {
      return cuda_tile::BroadcastOp::create(b, k.loc(), type, x);
    };
    exact = !s.chance(20);
    mlir::Value q = load(queries, number(0), {}).tile;
    mlir::Value largest = k.floatConstant(column, s.chance(50) ? -1e30 : 0.0).ssa;
    // Compilers take loops for long ones where they do not know how long they are.
    mlir::Value trips = s.chance(shape.rows == 256 ? 80 : 50) ? k.addExtentArgument(shape.trips)
                                                              : number(shape.trips);
    // Again in each turn of a loop around, with one turn less: what goes round does not begin anew.
    mlir::OpBuilder::InsertionGuard outermost(b);
    cuda_tile::ForOp around;
    if (s.chance(15)) {
      around = cuda_tile::ForOp::create(b, k.loc(), number(0), number(s.between(2, 3)), number(1),
                                        {zeros(sumType), zeros(column)});
      k.openBody(around);
      trips = cuda_tile::SubIOp::create(b, k.loc(), trips, around.getInductionVar(),
                                        cuda_tile::IntegerOverflow::NONE);
      k.note("attention-again");
    }
    auto loop = cuda_tile::ForOp::create(b, k.loc(), number(0), trips, number(1),
                                         {zeros(sumType), largest, zeros(column)});
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value step = loop.getInductionVar(), before = loop.getRegionIterVar(1);
      mlir::Value keyTile = load(keyTiles, step, {}).tile, v = load(values, step, {}).tile;
      mlir::Value score = product(scoreType, q, keyTile, zeros(scoreType)), weight, scale;
      if (!exact)
        score = multiplyFloats(score, k.floatConstant(scoreType, 0.0625).ssa);
      if (s.chance(35)) {
        score = maskScore(score, step, keys);
        k.note("attention-mask");
      }
      mlir::Value after = larger(before, reduceRows(score, true));
      if (exact) { // each new record halves what was there
        weight = larger(score, k.floatConstant(scoreType, -4).ssa);
        weight = cuda_tile::MinFOp::create(b, k.loc(), scoreType, weight,
                                           k.floatConstant(scoreType, 4).ssa, mlir::UnitAttr(),
                                           mlir::UnitAttr());
        mlir::Value isRecord =
            cuda_tile::CmpFOp::create(b, k.loc(), k.tileType({shape.rows, 1}, k.intType(1)),
                                      cuda_tile::ComparisonPredicate::GREATER_THAN,
                                      cuda_tile::ComparisonOrdering::ORDERED, after, before);
        scale = cuda_tile::SelectOp::create(b, k.loc(), column, isRecord,
                                            k.floatConstant(column, 0.5).ssa,
                                            k.floatConstant(column, 1.0).ssa);
      } else {
        auto difference = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
          return cuda_tile::SubFOp::create(b, k.loc(), x.getType(), x, y, nearest(),
                                           mlir::UnitAttr());
        };
        weight = cuda_tile::Exp2Op::create(
            b, k.loc(), scoreType, difference(score, spread(after, scoreType)), mlir::UnitAttr());
        scale = cuda_tile::Exp2Op::create(b, k.loc(), column, difference(before, after),
                                          mlir::UnitAttr());
        v = cuda_tile::AbsFOp::create(b, k.loc(), v.getType(), v); // nothing cancels
      }
      mlir::Value total =
          sumOf(multiplyFloats(loop.getRegionIterVar(2), scale), reduceRows(weight, false));
      mlir::Value narrow =
          cuda_tile::FToFOp::create(b, k.loc(), k.tileType({shape.rows, keys}, types.input), weight,
                                    cuda_tile::RoundingMode::NEAREST_EVEN);
      mlir::Value sum = multiplyFloats(loop.getRegionIterVar(0), spread(scale, sumType));
      cuda_tile::ContinueOp::create(
          b, k.loc(), mlir::ValueRange{product(sumType, narrow, v, sum), after, total});
    }
    Facts facts;
    facts.exact = exact;
    if (!exact)
      k.note("mma-real");
    mlir::Value sum = loop->getResult(0), total = loop->getResult(2);
    if (around) {
      cuda_tile::ContinueOp::create(b, k.loc(),
                                    mlir::ValueRange{sumOf(around.getRegionIterVar(0), sum),
                                                     sumOf(around.getRegionIterVar(1), total)});
      b.setInsertionPointAfter(around);
      sum = around->getResult(0), total = around->getResult(1);
    }
    if (llvm::cast<cuda_tile::TileType>(sum.getType()).getNumElements() >
        KernelBuilder::kMostElements)
      emitFreeStore(k, s, {sum, facts});
    else
      k.define(sum, facts);
    k.define(total, facts);
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  Types types;
  Shape shape;
  const bool inCluster; ///< blocks of a cluster divide the tile
  bool isIdeal = false; ///< nothing keeps a compiler from its fastest instructions
  bool isInteger = false, exact = true;
  bool isFast = false;        ///< sums may keep few bits
  bool roundsSum = false;     ///< the program widens an f16 sum and rounds it in every turn
  bool byPointers = false;    ///< both operands are loaded through tiles of pointers
  bool mayCarry = false;      ///< the loop takes pointers along
  bool isPlain = false;       ///< nothing but loads and products, as fast paths want them
  bool maySpoilDepth = false; ///< what pads the depth of an operand may be other than zero
  bool isDirected = false;    ///< conversions of operands round in other modes, too
  bool isShifted = false;     ///< arrays may begin behind the start of their memory
  std::deque<ArrayInfo> shifted;
  std::function<mlir::Value(mlir::Value)>
      readBehind;          ///< what was stored in front of the loop, behind a token
  mlir::Value depthOfTurn; ///< in elements, where the loop counts them
  cuda_tile::Signedness leftSign = cuda_tile::Signedness::Signed, rightSign = leftSign;
};

bool applyProductLoop(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || llvm::count(k.trail, "k-loop") > kMostPerKernel)
    return false;
  ProductLoop(k, s).build();
  return true;
}

bool applyClusterLoop(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || k.blockCount() > 4 || llvm::count(k.trail, "cluster-loop") > 1)
    return false;
  ProductLoop(k, s, /*inCluster=*/true).build();
  return true;
}

bool applyAttentionLoop(KernelBuilder &k, ChoiceStream &s) {
  // Three times the cost of another kernel: less often than its weight says.
  if (k.depth > 0 || k.blockCount() > 4 || llvm::count(k.trail, "attention-loop") > 1 ||
      s.chance(40))
    return false;
  ProductLoop(k, s).buildAttention();
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::pipelineRules() {
  static constexpr Rule kRules[] = {
      {"k-loop", 6, applyProductLoop, 1, "padded or masked tiles; sums exact or within bounds"},
      {"attention-loop", 2, applyAttentionLoop, 1, "sums exact or within bounds"},
      {"cluster-loop", 1, applyClusterLoop, 1,
       "padded or masked tiles; sums exact or within bounds"},
      {"scaled-loop", 7, applyScaledLoop, 3, "sums within bounds"},
      {"computed-operand", 1, applyComputedOperand, 1, "sums of small integers"},
      {"tile-both-ways", 1, applyTileBothWays, 1, "sums of small integers"},
      {"product-chain", 1, applyProductChain, 1, "sums of small integers"},
      {"gathered-operand", 3, applyGatheredOperand, 3, "sums of small integers, rows of the array"},
      {"loaded-bounds", 1, applyLoadedBounds, 1,
       "sums of small integers; each block has a number of its own"},
      {"products-once", 2, applyProductsOnce, 1, "sums of small integers"},
      {"sums-go-on", 2, applySumsGoOn, 1, "sums of small integers"},
      {"fixed-operand", 2, applyFixedOperand, 1, "sums of small integers; stores in order"},
      {"two-pieces", 3, applyTwoPieces, 3, "sums of small integers"},
  };
  return kRules;
}

void tilesmith::generators::addClusterLoop(KernelBuilder &kernel, ChoiceStream &stream) {
  kernel.trail.push_back("cluster-loop");
  if (applyClusterLoop(kernel, stream))
    kernel.note("cluster-loop");
  else
    kernel.trail.pop_back();
}
