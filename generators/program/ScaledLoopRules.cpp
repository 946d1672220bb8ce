//===- ScaledLoopRules.cpp - products by blocks whose scales come with their tiles ----------------===//
//
// Rule `scaled-loop` of the pipeline family: a counted loop loads two tiles and the scales of both and
// multiplies, as frontends write it. Elements have eight bits or four; scales are powers or numbers, each
// another one, in rows of their own. Mostly tensor cores take all of it as it is: rows of one to four words
// of scales, all of which runs along the depth, is loaded weakly and begins at multiples of four bytes; each
// choice may spoil that. What divides a pitch is promised, all of it or less: rows of four bits, which are
// loaded as bytes, then begin where half as much does.
//
// Needs: depth 0, 13.3. Promises: scales from 1/8 to 2, factors from -6 to 6, so that sums stay within
// narrow bounds; nothing hangs over but elements along the depth, which are padded with zeros.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/OperandRules.h"
#include "generators/program/Rules.h"
#include "generators/program/TurnLoop.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::TileType;

namespace {

constexpr int64_t kMostBlocks = 2;
constexpr int64_t kMostProducts = 1 << 20; // of scalars, in all blocks

class ScaledLoop {
public:
  ScaledLoop(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {}

  void build() {
    isIdeal = s.chance(75);
    chooseTypes();
    chooseShape();
    k.note("scaled-loop-" + spellElement(element));
    if (words() > 1)
      k.note("scaled-loop-words");
    const int64_t blocks = k.blockCount();
    Tiles left = tiles(element, rows, blocks, depth, true),
          leftScales = tiles(scale, rows, blocks, groups(), true),
          right = tiles(element, columns, 1, depth, false),
          rightScales = tiles(scale, columns, 1, groups(), false);
    TileType sums = k.tileType({rows, columns}, b.getF32Type());
    const bool isBatched = s.chance(10);
    mlir::Value start = k.floatConstant(sums, double(s.chance(60) ? 0 : s.between(-4, 4))).ssa;
    const TurnLoop counted(k, s, trips, {batched(start, isBatched)});
    auto loop = counted.op();
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value step = counted.turn(k, s);
      mlir::Value x = load(left, step), y = load(right, step), xScales = load(leftScales, step),
                  yScales = load(rightScales, step);
      mlir::Value next =
          k.emit<cuda_tile::MmaFScaledOp>(loop.getRegionIterVar(0).getType(),
                                          {batched(x, isBatched), batched(y, isBatched),
                                           loop.getRegionIterVar(0), batched(xScales, isBatched),
                                           batched(yScales, isBatched)})
              .getResult();
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{next});
    }
    Facts facts;
    facts.exact = false;
    k.noteApproximate();
    mlir::Value sum = loop->getResult(0);
    if (isBatched)
      sum = cuda_tile::ReshapeOp::create(b, k.loc(), sums, sum);
    emitFreeStore(k, s, {sum, facts});
  }

private:
  /// Tiles of a row of tiles: along the depth, of the block's rows or of all columns.
  struct Tiles {
    mlir::Value view;
    TileType loaded, wanted; ///< as the view has it, and as the product does
    bool isLeft, hasDepthFirst, ofBlock;
  };

  int64_t groups() const { return depth / block; }
  int64_t words() const { return groups() / 4; }
  bool isHalfByte() const { return element == b.getType<mlir::Float4E2M1FNType>(); }

  void chooseTypes() {
    scale = b.getType<mlir::Float8E8M0FNUType>();
    switch (s.below(6)) {
    case 0:
    case 1:
      element = b.getType<mlir::Float8E4M3FNType>();
      break;
    case 2:
      element = b.getType<mlir::Float8E5M2Type>();
      break;
    default:
      element = b.getType<mlir::Float4E2M1FNType>();
      if (s.chance(50))
        scale = b.getType<mlir::Float8E4M3FNType>();
      block = scale == b.getType<mlir::Float8E4M3FNType>() || s.chance(40) ? 16 : 32;
    }
  }

  void chooseShape() {
    rows = isIdeal ? 128 : int64_t(16) << s.below(4);
    columns = isIdeal ? int64_t(32) << s.below(2) : int64_t(8) << s.below(4);
    depth =
        isIdeal || s.chance(40) ? 4 * block << s.below(block == 16 ? 3 : 2) : block << s.below(3);
    auto products = [&] { return rows * columns * depth * trips * k.blockCount(); };
    trips = s.between(1, 3);
    while (products() > kMostProducts && trips > 1)
      --trips;
    while (products() > kMostProducts && columns > 32)
      columns /= 2;
    while (products() > kMostProducts && depth > 4 * block)
      depth /= 2;
  }

  mlir::Value number(Int value) { return k.intConstant(k.scalarType(k.intType(32)), value).ssa; }
  mlir::Value batched(mlir::Value tile, bool isBatched) {
    if (!isBatched)
      return tile;
    auto type = llvm::cast<TileType>(tile.getType());
    llvm::SmallVector<int64_t> to = {1};
    llvm::append_range(to, type.getShape());
    return cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(to, type.getElementType()), tile);
  }
  mlir::Value divisible(mlir::Value value, uint64_t by) {
    k.note("assume");
    auto fact = cuda_tile::DivByAttr::get(&k.context(), by, std::nullopt, std::nullopt);
    return cuda_tile::AssumeOp::create(b, k.loc(), value.getType(), value, fact);
  }

  /// The number as a constant of the view's type, or as an operand, of which is promised what divides it.
  int64_t knownOr(int64_t value, unsigned percent, llvm::SmallVectorImpl<mlir::Value> &operands) {
    if (!s.chance(percent))
      return value;
    mlir::Value argument = k.addExtentArgument(value);
    if (const uint64_t whole = uint64_t(value & -value); isIdeal || s.chance(60))
      argument = divisible(argument, s.chance(80) ? whole : std::min<uint64_t>(whole, 4));
    operands.push_back(argument);
    return mlir::ShapedType::kDynamic;
  }

  /// An array of `outer` lines for each of the blocks, as many tiles of `ofTile` elements along each as the
  /// loop takes.
  Tiles tiles(mlir::Type type, int64_t outer, int64_t blocks, int64_t ofTile, bool isLeft) {
    const bool isHalf = type == b.getType<mlir::Float4E2M1FNType>(), isData = type == element;
    const int64_t lines = outer * blocks, ofByte = isHalf ? 2 : 1;
    int64_t length = ofTile * trips;
    if (isData && s.chance(12)) // ragged, by whole bytes
      length -= 2 * s.between(0, ofTile / 2 - 1);
    const bool alongOuter = !s.chance(isIdeal ? 96 : 75);
    // Lines of memory begin at odd multiples of a power of two bytes, more or less than one access takes.
    static constexpr int64_t kUnits[] = {16, 16, 16, 8, 8, 4, 4, 32, 2};
    int64_t unit = s.pick(llvm::ArrayRef<int64_t>(kUnits)) * ofByte;
    if (isIdeal)
      unit = std::max<int64_t>(unit, 4 * ofByte);
    int64_t pitch = int64_t(llvm::alignTo(alongOuter ? lines : length, uint64_t(unit)));
    if (pitch / unit % 2 == 0 && s.chance(75))
      pitch += unit;
    const int64_t size = pitch * (alongOuter ? length : lines);
    ArrayInfo &array = k.addFlatArray(isHalf ? k.intType(8) : type, size / ofByte, /*output=*/false,
                                      isHalf   ? Fill::Any
                                      : isData ? Fill::SmallIntegers
                                               : Fill::Reals);
    mlir::Value base = array.base;
    if (isHalf)
      base = k.emit<cuda_tile::PtrToPtrOp>(k.scalarType(cuda_tile::PointerType::get(type)), base)
                 .getResult();
    if (isIdeal || s.chance(80))
      base = divisible(base, 16);
    // The dimensions of the tensor: lines and the depth, or the other way round.
    const bool hasDepthFirst = s.chance(isLeft ? 15 : 40);
    llvm::SmallVector<int64_t> extents = {lines, length},
                               strides = {alongOuter ? 1 : pitch, alongOuter ? pitch : 1};
    llvm::SmallVector<int32_t> tile = {int32_t(outer), int32_t(ofTile)};
    if (hasDepthFirst) {
      std::swap(extents[0], extents[1]);
      std::swap(strides[0], strides[1]);
      std::swap(tile[0], tile[1]);
    }
    llvm::SmallVector<mlir::Value> sizes, steps;
    const unsigned dynamic = s.chance(65) ? 60 : 0;
    for (int64_t &extent : extents)
      extent = knownOr(extent, dynamic / 2, sizes);
    for (int64_t &stride : strides)
      if (stride != 1)
        stride = knownOr(stride, dynamic + 30, steps);
    auto tensorType = cuda_tile::TensorViewType::get(&k.context(), type, extents, strides, {});
    mlir::Value tensor =
        cuda_tile::MakeTensorViewOp::create(b, k.loc(), tensorType, base, sizes, steps);
    cuda_tile::PaddingValueAttr padding;
    if (isData && (length % ofTile != 0 || s.chance(30)))
      padding = cuda_tile::PaddingValueAttr::get(&k.context(), cuda_tile::PaddingValue::zero);
    auto viewType = cuda_tile::PartitionViewType::get(
        &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile), tensorType, {0, 1},
        padding);
    Tiles made;
    made.view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
    made.loaded = k.tileType({tile[0], tile[1]}, type);
    made.wanted = isLeft ? k.tileType({outer, ofTile}, type) : k.tileType({ofTile, outer}, type);
    made.isLeft = isLeft;
    made.hasDepthFirst = hasDepthFirst;
    made.ofBlock = blocks > 1;
    return made;
  }

  mlir::Value load(const Tiles &from, mlir::Value step) {
    mlir::Value line = from.ofBlock ? k.blockNumber().ssa : number(0);
    mlir::Value indices[] = {line, step};
    if (from.hasDepthFirst)
      std::swap(indices[0], indices[1]);
    mlir::Value tile;
    if (!isIdeal && s.chance(30)) {
      tile = loadView(k, s, from.loaded, from.view, indices, {}).tile;
    } else {
      k.note("load_view_tko");
      llvm::SmallVector<mlir::NamedAttribute> attributes = {
          k.attr("memory_ordering_semantics",
                 cuda_tile::MemoryOrderingSemanticsAttr::get(
                     &k.context(), cuda_tile::MemoryOrderingSemantics::WEAK))};
      tile = k.emit<cuda_tile::LoadViewTkoOp>(
                  {from.loaded, cuda_tile::TokenType::get(&k.context())},
                  {from.view, indices[0], indices[1]}, attributes, {1, 2, 0})
                 .getTile();
    }
    if (from.hasDepthFirst == from.isLeft)
      tile = cuda_tile::PermuteOp::create(b, k.loc(), from.wanted, tile,
                                          b.getDenseI32ArrayAttr({1, 0}));
    return tile;
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  mlir::Type element, scale;
  int64_t block = 32; ///< elements that share a scale
  int64_t rows = 0, columns = 0, depth = 0, trips = 1;
  bool isIdeal = false; ///< mostly as tensor cores take it
};

} // namespace

bool tilesmith::generators::applyScaledLoop(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || k.blockCount() > kMostBlocks || llvm::count(k.trail, "scaled-loop") > 1)
    return false;
  ScaledLoop(k, s).build();
  return true;
}
