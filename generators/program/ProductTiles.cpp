//===- ProductTiles.cpp - tiles that products multiply, and what is done to sums ------------------===//
#include "generators/program/ProductTiles.h"
#include "generators/program/IdiomRules.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

static constexpr unsigned kMostPerKernel = 2;
static constexpr int64_t kMostCostly = 3;
static constexpr int64_t kMostBlocks = 4;
static constexpr int64_t kMostElements = 4096; // of what other rules go on with

bool tilesmith::generators::mayMultiply(KernelBuilder &k, llvm::StringRef rule) {
  // Several of them in one kernel cost more than they show.
  static constexpr llvm::StringLiteral kCostly[] = {
      "products-once",    "sums-go-on",    "fixed-operand", "two-pieces",   "products-in-turn",
      "turns-that-write", "product-graph", "byte-products", "tiles-in-turn"};
  auto isCostly = [](llvm::StringRef name) { return llvm::is_contained(kCostly, name); };
  return k.depth == 0 && k.blockCount() <= kMostBlocks &&
         llvm::count(k.trail, rule) <= kMostPerKernel &&
         !(isCostly(rule) && llvm::count_if(k.trail, isCostly) > kMostCostly);
}

mlir::Value ProductTiles::number(Int value) {
  return k.intConstant(k.scalarType(k.intType(32)), value).ssa;
}

mlir::Value ProductTiles::zeros(cuda_tile::TileType type) {
  return k.floatConstant(type, 0.0).ssa;
}

cuda_tile::RoundingModeAttr ProductTiles::nearest() {
  return cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_EVEN);
}

mlir::Value ProductTiles::divisible(mlir::Value value, uint64_t by) {
  k.note("assume");
  auto fact = cuda_tile::DivByAttr::get(&k.context(), by, std::nullopt, std::nullopt);
  return cuda_tile::AssumeOp::create(b, k.loc(), value.getType(), value, fact);
}

ProductTiles::Tiles ProductTiles::tiles(mlir::Type stored, Shape shape, int64_t blocks,
                                        int64_t trips, unsigned along) {
  llvm::SmallVector<int64_t> extents(shape.begin(), shape.end()), strides(2, 1);
  extents[along] *= trips;
  extents[1 - along] *= blocks;
  if (s.chance(25)) // ragged
    extents[along] -= s.between(0, std::min<int64_t>(shape[along] - 1, 9));
  const int64_t unit = 128 / stored.getIntOrFloatBitWidth();
  unsigned contiguous = s.chance(75) ? 1 : 0;
  strides[1 - contiguous] = int64_t(llvm::alignTo(extents[contiguous], unit)) + unit * s.below(2);
  llvm::SmallVector<bool> staticShape{s.chance(40), s.chance(40)}, staticStride(2, s.chance(50));
  staticStride[contiguous] = true;
  ArrayInfo &array =
      k.addPlacedArray(stored, extents, strides, staticShape, staticStride, Fill::SmallIntegers);
  array.base = divisible(array.base, 16);
  if (mlir::Value &stride = array.strideArgs[1 - contiguous])
    stride = divisible(stride, uint64_t(unit));
  Tiles made{k.tileType(shape, stored), {}, along, blocks > 1};
  llvm::SmallVector<int32_t> tile(shape.begin(), shape.end());
  made.view = zeroPaddedTiles(k, s, array, tile);
  return made;
}

mlir::Value ProductTiles::load(const Tiles &from, mlir::Value step) {
  mlir::Value indices[2] = {step, step};
  indices[1 - from.along] = from.ofBlock ? k.blockNumber().ssa : number(0);
  return loadAt(from.tile, from.view, indices[0], indices[1]);
}

mlir::Value ProductTiles::loadAt(cuda_tile::TileType tile, mlir::Value view, mlir::Value row,
                                 mlir::Value column) {
  k.note("load_view_tko");
  llvm::SmallVector<mlir::Type> results = {tile, cuda_tile::TokenType::get(&k.context())};
  llvm::SmallVector<mlir::NamedAttribute> attributes = {k.attr(
      "memory_ordering_semantics", cuda_tile::MemoryOrderingSemanticsAttr::get(
                                       &k.context(), cuda_tile::MemoryOrderingSemantics::WEAK))};
  auto op = k.emit<cuda_tile::LoadViewTkoOp>(results, {view, row, column}, attributes, {1, 2, 0});
  return op.getTile();
}

mlir::Value ProductTiles::sumOf(mlir::Value x, mlir::Value y) {
  return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y, cuda_tile::IntegerOverflow::NONE);
}

mlir::Value ProductTiles::timesOf(mlir::Value x, int64_t by) {
  return cuda_tile::MulIOp::create(b, k.loc(), x.getType(), x, number(by),
                                   cuda_tile::IntegerOverflow::NONE);
}

mlir::Value ProductTiles::added(mlir::Value x, mlir::Value y) {
  return cuda_tile::AddFOp::create(b, k.loc(), x.getType(), x, y, nearest(), mlir::UnitAttr());
}

mlir::Value ProductTiles::openEnd(int64_t trips) {
  return s.chance(60) ? k.addExtentArgument(trips) : number(trips);
}

TurnLoop ProductTiles::openLoop(int64_t trips, llvm::ArrayRef<mlir::Value> carried) {
  return TurnLoop(k, s, trips, carried);
}

mlir::Value ProductTiles::largestOfRows(mlir::Value x) {
  auto type = llvm::cast<cuda_tile::TileType>(x.getType());
  mlir::Type f32 = b.getF32Type();
  mlir::Value rows = emitReduction(
      k, s, x, 1, /*isScan=*/false,
      mlir::FloatAttr::get(f32, llvm::APFloat::getInf(llvm::APFloat::IEEEsingle(), true)),
      [&](mlir::Value one, mlir::Value other) { return larger(one, other); });
  rows = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType({type.getShape()[0], 1}, f32), rows);
  return cuda_tile::BroadcastOp::create(b, k.loc(), type, rows);
}

mlir::Value ProductTiles::withBias(mlir::Value sums) {
  k.note("operand-bias");
  auto type = llvm::cast<cuda_tile::TileType>(sums.getType());
  const int64_t columns = type.getShape()[1];
  mlir::Value row = freshTile(k, s, k.tileType({columns}, element), Fill::SmallIntegers);
  const uint64_t convertAt = s.below(3);
  auto maybeConvert = [&](uint64_t here) {
    if (here == convertAt)
      row = converted(row, type.getElementType());
  };
  auto kind = [&] { return llvm::cast<cuda_tile::TileType>(row.getType()).getElementType(); };
  maybeConvert(0);
  row = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType({1, columns}, kind()), row);
  maybeConvert(1);
  row = cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(type.getShape(), kind()), row);
  maybeConvert(2);
  return cuda_tile::AddFOp::create(b, k.loc(), type, sums, row, nearest(), mlir::UnitAttr());
}

mlir::Value ProductTiles::product(cuda_tile::TileType type, mlir::Value x, mlir::Value y,
                                  mlir::Value sum) {
  return cuda_tile::MmaFOp::create(b, k.loc(), type, x, y, sum, mlir::UnitAttr());
}

mlir::Value ProductTiles::converted(mlir::Value x, mlir::Type to) {
  auto from = llvm::cast<cuda_tile::TileType>(x.getType());
  cuda_tile::TileType type = k.tileType(from.getShape(), to);
  if (from == type)
    return x;
  if (from.getElementType().isInteger())
    return cuda_tile::IToFOp::create(b, k.loc(), type, x, cuda_tile::Signedness::Signed,
                                     cuda_tile::RoundingMode::NEAREST_EVEN);
  return cuda_tile::FToFOp::create(b, k.loc(), type, x, cuda_tile::RoundingMode::NEAREST_EVEN);
}

mlir::Value ProductTiles::larger(mlir::Value x, mlir::Value y) {
  return cuda_tile::MaxFOp::create(b, k.loc(), x.getType(), x, y, mlir::UnitAttr(),
                                   mlir::UnitAttr());
}

mlir::Value ProductTiles::clamped(mlir::Value x) {
  auto type = llvm::cast<cuda_tile::TileType>(x.getType());
  x = larger(x, k.floatConstant(type, -4).ssa);
  return cuda_tile::MinFOp::create(b, k.loc(), type, x, k.floatConstant(type, 4).ssa,
                                   mlir::UnitAttr(), mlir::UnitAttr());
}

void ProductTiles::define(mlir::Value result) {
  Facts facts;
  facts.exact = true;
  if (s.chance(30))
    result = withBias(result);
  if (llvm::cast<cuda_tile::TileType>(result.getType()).getNumElements() > kMostElements)
    return emitFreeStore(k, s, {result, facts});
  k.define(result, facts);
}

void ProductTiles::storePieces(mlir::Value sums) {
  k.note("pieces-of-sums");
  auto type = llvm::cast<cuda_tile::TileType>(sums.getType());
  const int64_t columns = type.getShape()[1], parts = columns >= 64 && s.chance(50) ? 4 : 2;
  cuda_tile::TileType piece =
      k.tileType({type.getShape()[0], columns / parts}, type.getElementType());
  const bool all = s.chance(60);
  const int64_t only = s.between(0, parts - 1);
  Facts facts;
  facts.exact = true;
  for (int64_t part = 0; part < parts; ++part) {
    if (!all && part != only)
      continue;
    mlir::Value some = cuda_tile::ExtractOp::create(b, k.loc(), piece, sums,
                                                    mlir::ValueRange{number(0), number(part)});
    if (type.getElementType().isF32() && s.chance(40))
      some = larger(some, zeros(piece));
    emitFreeStore(k, s, {some, facts});
  }
}
