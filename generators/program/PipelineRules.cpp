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
//===------------------------------------------------------------------------------------------===//
#include "generators/program/OperandRules.h"
#include "generators/program/PipelineOperands.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

constexpr unsigned kMostPerKernel = 2;      // they are costly to run
constexpr int64_t kMostProducts = 1 << 18;  // of scalars, in all blocks
constexpr int64_t kMostOfCluster = 1 << 20; // where blocks of a cluster divide a tile

class ProductLoop : public PipelineOperands {
public:
  using PipelineOperands::PipelineOperands;

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

private:
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
      // When it runs, the loop may have one turn alone, or none.
      const bool stops = shape.cluster == 1 && s.chance(30);
      if (stops)
        k.note("k-loop-stops");
      trips = k.addExtentArgument(stops ? s.between(0, 1) : (shape.trips - 1) * shape.skips + 1);
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
      {"products-in-turn", 3, applyProductsInTurn, 1, "sums of small integers"},
      {"byte-products", 2, applyByteProducts, 1, "sums of bytes"},
      {"turns-that-write", 3, applyTurnsThatWrite, 1, "sums of small integers; stores in order"},
      {"tiles-in-turn", 4, applyTilesInTurn, 1, "sums of small integers; stores in order"},
      {"product-graph", 5, applyProductGraph, 1, "sums of small integers"},
      {"batched-products", 4, applyBatchedProducts, 1, "sums of small integers"},
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
