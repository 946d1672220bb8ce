//===- PipelineRules.cpp - products over a loop whose operands can be loaded ahead ------------===//
//
// What a compiler turns into asynchronous copies, fragments read from shared memory and warpgroup
// products: a counted loop that multiplies two tiles an iteration, loaded weakly from arrays with
// rows on multiples of 16 bytes. Mostly everything is as a fast path wants it; each choice may also
// spoil it: odd strides, unknown alignment, a chained token, a write in the loop.
//
// Needs: depth 0. Promises: sums are of small integers, or known within bounds; where the last tile
// overhangs, views have a padding and pointers a mask; every block stores to rows of its own, each
// store behind the one before.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

constexpr unsigned kMostPerKernel = 2; // they are costly to run

struct Types {
  mlir::Type input, sum;
  bool exactOnly = false; ///< sums in a short format
  int64_t deepest = 1024; ///< total depth at which sums of small integers are exact
};

struct Shape {
  int64_t rows, columns, depth, trips, totalDepth;
  bool exactEdges;
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
};

class ProductLoop {
public:
  ProductLoop(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {}

  void build() {
    chooseTypes();
    chooseShape();
    bool swapsOrder = s.chance(15);
    Operand left = makeOperand(/*isLeft=*/true);
    Operand right = makeOperand(/*isLeft=*/false);
    std::optional<Operand> second; // another right operand for the same left one
    if (shape.rows * shape.columns <= 1024 && s.chance(15))
      second = makeOperand(false);
    emitLoop(left, right, second, swapsOrder);
  }

private:
  mlir::Value number(Int value) { return k.intConstant(k.scalarType(k.intType(32)), value).ssa; }

  void chooseTypes() {
    mlir::Type f32 = b.getF32Type(), f16 = b.getF16Type(), f64 = b.getF64Type();
    mlir::Type e4m3 = b.getType<mlir::Float8E4M3FNType>(), e5m2 = b.getType<mlir::Float8E5M2Type>();
    switch (s.below(12)) {
    case 0:
    case 1:
    case 2:
      types = {f16, f32};
      break;
    case 3:
      types = {f16, f16, true, 128};
      break;
    case 4:
    case 5:
      types = {b.getBF16Type(), f32};
      break;
    case 6:
      types = {b.getTF32Type(), f32};
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
    isInteger = types.input.isInteger();
    exact = types.exactOnly || !s.chance(20);
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
    if (shape.rows == 128)
      shape.columns = std::min<int64_t>(shape.columns, 16);
    // One to four steps of an instruction, which takes 32 bytes of depth.
    int64_t step = std::max<int64_t>(4, 32 / bytes());
    shape.depth = step << s.below(shape.rows * step <= 1024 ? 3 : 2);
    while (shape.depth > step && shape.depth * std::max(shape.rows, shape.columns) > 4096)
      shape.depth /= 2;
    shape.trips = s.between(1, 5);
    while (shape.trips > 1 && shape.trips * shape.depth > types.deepest)
      --shape.trips;
    shape.exactEdges = s.chance(60);
    shape.totalDepth =
        shape.depth * shape.trips - (shape.exactEdges ? 0 : s.between(0, shape.depth - 1));
  }

  /// A fact about a scalar that holds.
  mlir::Value divisible(mlir::Value value, uint64_t by) {
    k.note("assume");
    auto fact = cuda_tile::DivByAttr::get(&k.context(), by, std::nullopt, std::nullopt);
    return cuda_tile::AssumeOp::create(b, k.loc(), value.getType(), value, fact);
  }

  Operand makeOperand(bool isLeft) {
    Operand o;
    o.depthDim = isLeft ? 1 : 0;
    unsigned outerDim = 1 - o.depthDim;
    int64_t outerTile = isLeft ? shape.rows : shape.columns, blocks = isLeft ? k.blockCount() : 1;
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
    o.tile = k.tileType(tile, types.input);
    // Rows of memory run along the depth or along the other dimension.
    unsigned contiguous = s.chance(60) ? o.depthDim : outerDim;
    int64_t unit = 16 / bytes();
    bool aligned = s.chance(85);
    strides[contiguous] = 1;
    strides[1 - contiguous] =
        aligned ? static_cast<int64_t>(llvm::alignTo(extents[contiguous], unit)) + unit * s.below(2)
                : extents[contiguous] + s.between(0, 3);
    llvm::SmallVector<bool> staticShape(2), staticStride(2);
    for (unsigned i : {0u, 1u}) {
      staticShape[i] = s.chance(40);
      staticStride[i] = i == contiguous ? s.chance(90) : s.chance(50);
    }
    ArrayInfo &array = k.addPlacedArray(types.input, extents, strides, staticShape, staticStride,
                                        isInteger ? Fill::Any
                                        : exact   ? Fill::SmallIntegers
                                                  : Fill::Reals);
    o.array = &array;
    if (s.chance(85))
      array.base = divisible(array.base, 16);
    for (unsigned i : {0u, 1u}) {
      if (array.strideArgs[i] && i != contiguous && strides[i] % unit == 0 && s.chance(80))
        array.strideArgs[i] = divisible(array.strideArgs[i], static_cast<uint64_t>(unit));
      if (array.extentArgs[i] && extents[i] % unit == 0 && s.chance(50))
        array.extentArgs[i] = divisible(array.extentArgs[i], static_cast<uint64_t>(unit));
    }
    o.outer = isLeft ? k.blockNumber().ssa : number(0);
    if (s.chance(25))
      makePointers(o);
    else
      makeView(o);
    return o;
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
    auto type = cuda_tile::TensorViewType::get(&k.context(), array.element, extents, strides, {});
    mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(b, k.loc(), type, array.base,
                                                             extentValues, strideValues);
    llvm::SmallVector<int32_t> map = {swapped ? 1 : 0, swapped ? 0 : 1};
    llvm::SmallVector<int32_t> tile(o.tile.getShape().begin(), o.tile.getShape().end());
    cuda_tile::PaddingValueAttr padding;
    if (o.overhangsOuter || o.overhangsDepth || s.chance(50)) {
      // Along the depth, zeros: a product is then the same as without the padding.
      auto value =
          o.overhangsDepth || !exact || !isFloat(types.input)
              ? cuda_tile::PaddingValueAttr::get(&k.context(), cuda_tile::PaddingValue::zero)
              : choosePadding(k, s, types.input);
      padding = value;
    }
    auto viewType = cuda_tile::PartitionViewType::get(
        &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile), type, map, padding);
    o.view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
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
      static constexpr llvm::StringRef kKeys[] = {"sm_80", "sm_90", "sm_100", "sm_120"};
      llvm::StringRef key = k.version() >= 3 ? "default" : kKeys[s.below(4)];
      attributes.push_back(
          k.attr("optimization_hints",
                 cuda_tile::OptimizationHintsAttr::get(
                     &k.context(),
                     b.getDictionaryAttr({b.getNamedAttr(key, b.getDictionaryAttr(hints))}))));
    }
    return attributes;
  }

  /// The tile at `step` tiles of depth, after `before`.
  Loaded load(Operand &o, mlir::Value step, mlir::Value before) {
    llvm::SmallVector<mlir::Type> results = {o.tile, cuda_tile::TokenType::get(&k.context())};
    if (o.view) {
      llvm::SmallVector<mlir::Value> operands = {o.view};
      for (unsigned dim : {0u, 1u})
        operands.push_back(dim == o.depthDim ? step : o.outer);
      if (before)
        operands.push_back(before);
      k.note("load_view_tko");
      auto op = k.emit<cuda_tile::LoadViewTkoOp>(results, operands, loadAttributes(),
                                                 {1, 2, before ? 1 : 0});
      return {op.getTile(), op.getResultToken()};
    }
    llvm::ArrayRef<int64_t> to = o.tile.getShape();
    mlir::Value first = multiply(step, number(shape.depth));
    mlir::Value moved = o.array->strides[o.depthDim] == 1 && o.array->staticStride[o.depthDim]
                            ? first
                            : multiply(first, k.strideOf(*o.array, o.depthDim));
    mlir::Value pointers =
        cuda_tile::OffsetOp::create(b, k.loc(), o.pointers.getType(), o.pointers, splat(moved, to));
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
      padding = isInteger ? k.intConstant(o.tile, 0).ssa : zeros(o.tile);
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

  mlir::Value product(cuda_tile::TileType type, mlir::Value x, mlir::Value y, mlir::Value sum) {
    if (isInteger)
      return cuda_tile::MmaIOp::create(b, k.loc(), type, x, y, sum, leftSign, rightSign);
    return cuda_tile::MmaFOp::create(b, k.loc(), type, x, y, sum, mlir::UnitAttr());
  }

  void emitLoop(Operand &left, Operand &right, std::optional<Operand> &second, bool swapsOrder) {
    mlir::Type i32 = k.intType(32);
    cuda_tile::TokenType token = cuda_tile::TokenType::get(&k.context());
    cuda_tile::TileType type = k.tileType({shape.rows, shape.columns}, types.sum);
    Int start = s.chance(70) ? 0 : s.between(-4, 4);
    mlir::Value init = isInteger ? k.intConstant(type, start).ssa
                                 : k.floatConstant(type, static_cast<double>(start)).ssa;
    mlir::Value trips;
    if (Operand &o = s.chance(50) ? left : right; o.view && s.chance(60)) {
      llvm::SmallVector<mlir::Type> shapes(2, k.scalarType(i32));
      trips = k.emit<cuda_tile::GetIndexSpaceShapeOp>(shapes, o.view)->getResult(o.depthDim);
    } else {
      trips = number(shape.trips);
    }
    // Tokens: none, one from before the loop, or one that every load of an iteration joins.
    enum { NoToken, OuterToken, CarriedToken } ordering = NoToken;
    if (s.chance(35))
      ordering = s.chance(50) ? OuterToken : CarriedToken;
    bool carriesIndex = s.chance(15),
         scalesSum = !isInteger && types.sum != b.getF16Type() && s.chance(8);
    ArrayInfo *trace = nullptr; // partial sums, stored in every iteration
    mlir::Value traceView;
    if (isNumber(types.sum) && type.getNumElements() <= 1024 && s.chance(12)) {
      k.note("k-loop-store");
      trace = &k.addFreeArray(s, types.sum, {shape.rows * k.blockCount(), shape.columns}, true);
      trace->exact = exact;
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
    auto loop = cuda_tile::ForOp::create(b, k.loc(), number(0), trips, number(1), carried);
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      mlir::Block *body = loop.getBody();
      if (!body->empty() && body->back().hasTrait<mlir::OpTrait::IsTerminator>())
        body->back().erase();
      b.setInsertionPointToEnd(body);
      llvm::SmallVector<mlir::Value> next(carried.size());
      mlir::Value step = indexAt ? loop.getRegionIterVar(*indexAt) : loop.getInductionVar();
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
      if (scalesSum) // powers of two: exact, and the sum is no plain chain of products any more
        sum = cuda_tile::MulFOp::create(
            b, k.loc(), type, sum, k.floatConstant(type, 0.5).ssa,
            cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_EVEN),
            mlir::UnitAttr());
      next[0] = product(type, x.tile, y.tile, sum);
      if (sumAt2) {
        Loaded z = load(*second, step, before);
        tokens.push_back(z.token);
        next[*sumAt2] = product(type, x.tile, z.tile, loop.getRegionIterVar(*sumAt2));
      }
      if (tokenAt)
        next[*tokenAt] = cuda_tile::JoinTokensOp::create(b, k.loc(), token, tokens);
      if (indexAt)
        next[*indexAt] = add(step, number(1));
      if (writtenAt)
        next[*writtenAt] = storeView(k, s, next[0], traceView, {k.blockNumber().ssa, number(0)},
                                     loop.getRegionIterVar(*writtenAt));
      cuda_tile::ContinueOp::create(b, k.loc(), next);
    }
    Facts facts;
    facts.exact = exact;
    if (isInteger) {
      Int bound = Int(255) * 255 * shape.totalDepth;
      facts.range = {start - bound, start + bound};
    }
    if (!exact)
      k.note("mma-real");
    k.define(loop->getResult(0), facts);
    if (sumAt2)
      k.define(loop->getResult(*sumAt2), facts);
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  Types types;
  Shape shape;
  bool isInteger = false, exact = true;
  cuda_tile::Signedness leftSign = cuda_tile::Signedness::Signed, rightSign = leftSign;
};

bool applyProductLoop(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || llvm::count(k.trail, "k-loop") > kMostPerKernel)
    return false;
  ProductLoop(k, s).build();
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::pipelineRules() {
  static constexpr Rule kRules[] = {
      {"k-loop", 1, applyProductLoop, 1, "padded or masked tiles; sums exact or within bounds"},
  };
  return kRules;
}
