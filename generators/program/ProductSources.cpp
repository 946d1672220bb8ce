//===- ProductSources.cpp - where operands of products come from ------------------------------------===//
#include "generators/program/ProductSources.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::TileType;

void ProductSources::chooseForm() {
  element = s.chance(60) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
  rows = s.chance(75) ? 128 : 64;
  columns = s.chance(65) ? 32 : 64;
  depth = s.chance(60) ? 32 : 64;
  turns = s.between(2, 3);
  if (s.chance(6)) {
    k.note("product-graph-deep");
    isDeep = true;
    rows = 64, columns = int64_t(16) << s.below(2), depth = s.chance(60) ? 512 : 1024, turns = 2;
  } else if (s.chance(4)) { // sums that no registers hold
    k.note("product-graph-wide");
    rows = 256, columns = s.chance(50) ? 256 : 128, depth = 16, turns = 2;
  }
  sums = k.tileType({rows, columns}, b.getF32Type());
  if (s.chance(25) && k.version() >= 3)
    hintWarps(k, s.chance(70) ? 4 : 8);
}

ProductSources::Tiles ProductSources::paddedTiles(Shape shape, int64_t blocks, int64_t trips,
                                                  unsigned along) {
  k.note("product-graph-padded");
  llvm::SmallVector<int64_t> extents(shape.begin(), shape.end());
  extents[along] *= trips;
  extents[1 - along] = extents[1 - along] * blocks - s.between(1, 9);
  const int64_t unit = 128 / int64_t(widthOf(element));
  const bool isStatic = s.chance(50);
  const unsigned contiguous = s.chance(75) ? 1 : 0;
  llvm::SmallVector<int64_t> strides(2, 1);
  strides[1 - contiguous] = int64_t(llvm::alignTo(extents[contiguous], unit));
  llvm::SmallVector<bool> staticStride(2, isStatic);
  staticStride[contiguous] = true;
  ArrayInfo &array = k.addPlacedArray(element, extents, strides, {isStatic, s.chance(50)},
                                      staticStride, Fill::SmallIntegers);
  array.base = divisible(array.base, 16);
  if (mlir::Value &stride = array.strideArgs[1 - contiguous])
    stride = divisible(stride, uint64_t(unit));
  mlir::Value tensor = makeTensorView(k, s, array);
  llvm::SmallVector<int32_t> tile(shape.begin(), shape.end());
  auto type = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile),
      llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), {0, 1},
      choosePadding(k, s, element));
  return {k.tileType(shape, element),
          k.emit<cuda_tile::MakePartitionViewOp>(type, tensor).getResult(), along, blocks > 1};
}

ProductSources::Tiles ProductSources::plainTiles(Operand &o, int64_t trips) {
  Shape shape = shapeOf(o.isLeft);
  unsigned along = o.isLeft ? 1 : 0;
  if (o.isTurned) {
    std::swap(shape[0], shape[1]);
    along = 1 - along;
  }
  const int64_t blocks = o.isLeft ? k.blockCount() : 1;
  return s.chance(20) ? paddedTiles(shape, blocks, trips, along)
                      : tiles(element, shape, blocks, trips, along);
}

ProductSources::Operand ProductSources::makeOperand(bool isLeft) {
  Operand o;
  o.isLeft = isLeft;
  static constexpr unsigned kWeights[] = {7, 6, 2, 2, 2, 2};
  o.form = Operand::Form(s.weighted(kWeights));
  if (isDeep && o.form != Operand::Plain && s.chance(80))
    o.form = s.chance(60) ? Operand::Plain : Operand::Computed;
  if (o.form == Operand::Gathered && k.version() < 3)
    o.form = Operand::Pointers;
  static constexpr const char *kNotes[] = {"product-graph-plain",    "product-graph-computed",
                                           "product-graph-gathered", "product-graph-pointers",
                                           "product-graph-fixed",    "product-graph-ahead"};
  k.note(kNotes[o.form]);
  switch (o.form) {
  case Operand::Computed:
    makeComputed(o);
    break;
  case Operand::Gathered:
  case Operand::Pointers:
    makeRows(o);
    break;
  default:
    o.isTurned = s.chance(20);
    o.main = plainTiles(o, o.form == Operand::Plain   ? turns
                           : o.form == Operand::Fixed ? 1
                                                      : turns + 1);
    if (o.form != Operand::Plain)
      o.source = loadMain(o, number(0));
    else if (!o.isTurned)
      plainOf[isLeft] = o.main;
  }
  return o;
}

/// An operand of a tile and another one, or of a row or a column.
void ProductSources::makeComputed(Operand &o) {
  if (!o.isLeft)
    k.note("product-graph-computed-right");
  const Shape whole = shapeOf(o.isLeft);
  const unsigned along = o.isLeft ? 1 : 0;
  const int64_t blocks = o.isLeft ? k.blockCount() : 1;
  o.way = s.below(5);
  o.within = s.chance(60) ? mlir::Type(b.getF32Type()) : element;
  if (plainOf[o.isLeft] && s.chance(50)) {
    k.note("product-graph-read-twice");
    o.main = plainOf[o.isLeft];
  } else {
    o.main = tiles(s.chance(30) ? mlir::Type(k.intType(8)) : element, whole, blocks, turns, along);
  }
  if (o.way == 4) // of itself
    return;
  Shape other = whole;
  if (s.chance(60))
    other[s.below(2)] = 1;
  o.other = tiles(s.chance(50) ? element : mlir::Type(b.getF32Type()), other,
                  other[1 - along] == 1 ? 1 : blocks, turns, along);
}

/// Rows of an array, which are those of a left operand or, with all columns, those of a right one.
void ProductSources::makeRows(Operand &o) {
  o.lines = o.isLeft ? rows : depth;
  o.across = o.isLeft ? turns : 1;
  const int64_t all = o.lines * (s.chance(50) ? 1 : 2), width = o.isLeft ? depth : columns;
  const int64_t stride = width * o.across;
  o.numbers = tiles(k.intType(32), {1, o.lines}, 1, turns, 0);
  o.way = uint64_t(all);
  if (o.form == Operand::Pointers) {
    ArrayInfo &array = k.addFlatArray(element, all * stride, /*output=*/false, Fill::SmallIntegers);
    o.source = s.chance(70) ? divisible(array.base, 16) : array.base;
    return;
  }
  ArrayInfo &array =
      k.addPlacedArray(element, {all, stride}, {stride, 1}, {s.chance(50), s.chance(50)},
                       {s.chance(50), true}, Fill::SmallIntegers);
  array.base = divisible(array.base, 16);
  mlir::Value tensor = makeTensorView(k, s, array);
  auto type = cuda_tile::GatherScatterViewType::get(
      &k.context(),
      mlir::DenseI32ArrayAttr::get(&k.context(),
                                   {static_cast<int32_t>(o.lines), static_cast<int32_t>(width)}),
      llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), /*sparseDim=*/0,
      s.chance(50) ? choosePadding(k, s, element) : cuda_tile::PaddingValueAttr());
  o.source = k.emit<cuda_tile::MakeGatherScatterViewOp>(type, tensor).getResult();
}

mlir::Value ProductSources::loadShared(const Tiles &from, mlir::Value turn) {
  for (auto [view, tile] : turnLoads)
    if (view == from.view && s.chance(80))
      return tile;
  mlir::Value tile = load(from, turn);
  turnLoads.push_back({from.view, tile});
  return tile;
}

mlir::Value ProductSources::loadMain(Operand &o, mlir::Value turn) {
  mlir::Value tile = o.form == Operand::Plain ? loadShared(*o.main, turn) : load(*o.main, turn);
  if (!o.isTurned)
    return tile;
  return cuda_tile::PermuteOp::create(b, k.loc(), k.tileType(shapeOf(o.isLeft), element), tile,
                                      b.getDenseI32ArrayAttr({1, 0}));
}

mlir::Value ProductSources::fetch(Operand &o, mlir::Value turn, mlir::ValueRange carried) {
  switch (o.form) {
  case Operand::Plain:
    return loadMain(o, turn);
  case Operand::Computed:
    return computed(o, turn);
  case Operand::Fixed:
    return o.source;
  case Operand::Ahead:
    return carried[o.carriedAt];
  case Operand::Pointers:
    return byPointers(o, turn);
  case Operand::Gathered:
    break;
  }
  mlir::Value at = o.isLeft ? timesNumber(turn, number(depth)) : number(0);
  return loadView(k, s, k.tileType(shapeOf(o.isLeft), element), o.source,
                  {lineNumbers(o, turn), at}, {})
      .tile;
}

/// Which rows of the array, some of them twice.
mlir::Value ProductSources::lineNumbers(Operand &o, mlir::Value turn) {
  TileType line = k.tileType({o.lines}, k.intType(32));
  mlir::Value loaded = cuda_tile::ReshapeOp::create(
      b, k.loc(), line, load(*o.numbers, s.chance(80) ? turn : number(0)));
  mlir::Value order = cuda_tile::IotaOp::create(b, k.loc(), line);
  if (s.chance(40))
    order = timesNumber(order, k.intConstant(line, s.between(2, 7)).ssa);
  order = sumOf(order, loaded);
  return cuda_tile::AndIOp::create(b, k.loc(), line, order,
                                   k.intConstant(line, Int(o.way) - 1).ssa);
}

mlir::Value ProductSources::byPointers(Operand &o, mlir::Value turn) {
  mlir::Type i32 = k.intType(32);
  const Shape shape = shapeOf(o.isLeft);
  TileType whole = k.tileType(shape, i32), line = k.tileType({shape[1]}, i32),
           row = k.tileType({1, shape[1]}, i32), column = k.tileType({shape[0], 1}, i32);
  mlir::Value number_ = cuda_tile::ReshapeOp::create(b, k.loc(), column, lineNumbers(o, turn));
  number_ = timesNumber(number_, k.intConstant(column, shape[1] * o.across).ssa);
  mlir::Value place = cuda_tile::IotaOp::create(b, k.loc(), line);
  if (o.isLeft)
    place = sumOf(place, k.splat({timesNumber(turn, number(depth)), {}}, {shape[1]}).ssa);
  place = cuda_tile::ReshapeOp::create(b, k.loc(), row, place);
  mlir::Value offsets = sumOf(cuda_tile::BroadcastOp::create(b, k.loc(), whole, number_),
                              cuda_tile::BroadcastOp::create(b, k.loc(), whole, place));
  mlir::Value pointers = pointersAt(k, o.source, offsets);
  k.note("load_ptr_tko");
  auto weak = k.attr("memory_ordering_semantics",
                     cuda_tile::MemoryOrderingSemanticsAttr::get(
                         &k.context(), cuda_tile::MemoryOrderingSemantics::WEAK));
  return k
      .emit<cuda_tile::LoadPtrTkoOp>(
          {k.tileType(shape, element), cuda_tile::TokenType::get(&k.context())}, {pointers}, {weak},
          {1, 0, 0, 0})
      .getResult();
}

mlir::Value ProductSources::computed(Operand &o, mlir::Value turn) {
  const Shape shape = shapeOf(o.isLeft);
  TileType type = k.tileType(shape, o.within);
  mlir::Value x = converted(loadShared(*o.main, turn), o.within);
  if (!o.other)
    return converted(larger(x, zeros(type)), element);
  mlir::Value loaded = load(*o.other, turn);
  if (auto small = llvm::cast<TileType>(loaded.getType()).getShape();
      o.isLeft && small[1] == 1 && small[0] == rows)
    smallTile = loaded;
  mlir::Value y = converted(loaded, o.within);
  if (y.getType() != type)
    y = cuda_tile::BroadcastOp::create(b, k.loc(), type, y);
  switch (o.way) {
  case 0:
  case 1:
    x = multiplied(x, y);
    break;
  case 2:
    x = cuda_tile::SubFOp::create(b, k.loc(), type, x, y, nearest(), mlir::UnitAttr());
    break;
  default: {
    mlir::Value flag = cuda_tile::CmpFOp::create(b, k.loc(), k.tileType(shape, k.intType(1)),
                                                 cuda_tile::ComparisonPredicate::GREATER_THAN,
                                                 cuda_tile::ComparisonOrdering::ORDERED, x, y);
    x = cuda_tile::SelectOp::create(b, k.loc(), type, flag, x, s.chance(50) ? y : zeros(type));
  }
  }
  return converted(x, element);
}

mlir::Value ProductSources::spread(mlir::Value column, TileType type) {
  return cuda_tile::BroadcastOp::create(b, k.loc(), type, column);
}

mlir::Value ProductSources::multiplied(mlir::Value x, mlir::Value y, cuda_tile::RoundingMode mode) {
  return cuda_tile::MulFOp::create(b, k.loc(), x.getType(), x, y,
                                   cuda_tile::RoundingModeAttr::get(&k.context(), mode),
                                   mlir::UnitAttr());
}

mlir::Value ProductSources::condition(mlir::Value turn) {
  mlir::Value x = turn;
  if (!turn || s.chance(25))
    x = k.addExtentArgument(s.between(0, 1));
  static constexpr cuda_tile::ComparisonPredicate kPredicates[] = {
      cuda_tile::ComparisonPredicate::EQUAL, cuda_tile::ComparisonPredicate::NOT_EQUAL,
      cuda_tile::ComparisonPredicate::LESS_THAN, cuda_tile::ComparisonPredicate::GREATER_THAN};
  return cuda_tile::CmpIOp::create(b, k.loc(), k.scalarType(k.intType(1)),
                                   kPredicates[s.below(std::size(kPredicates))], x,
                                   number(s.between(0, 1)), cuda_tile::Signedness::Signed);
}
