//===- HalfByteRules.cpp - elements of four bits in memory -------------------------------------===//
//
// Buffers of cases hold whole bytes, so an array of f4 is one of i8 whose pointer is converted; so
// is part of a kernel's global. Views of every kind load from it and store to it, also from its
// middle, and its tiles are operands of scaled products in loops.
//
// Steps: an array is laid out in elements (maybe permuted, with gaps); the bytes that hold them
// become the buffer; a pointer to its start, or behind some bytes of it, becomes a tensor view.
//
// Invariants
//  - a dimension of stride one has an even extent and all other strides are even, as the language
//    demands, but in arrays that the feature `half-byte-odd` tells of;
//  - a store covers elements of its own block only, each once, and no block stores to a byte that
//    another one stores to.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"
#include "generators/program/TurnLoop.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

using Extents = llvm::SmallVector<int64_t>;

mlir::Type halfByte(KernelBuilder &k) {
  return k.builder().getType<mlir::Float4E2M1FNType>();
}

mlir::Value number(KernelBuilder &k, int64_t value) {
  return k.intConstant(k.scalarType(k.intType(32)), value).ssa;
}

mlir::Value convert(KernelBuilder &k, mlir::Value value, mlir::Type element,
                    cuda_tile::RoundingMode mode = cuda_tile::RoundingMode::NEAREST_EVEN) {
  auto type = llvm::cast<cuda_tile::TileType>(value.getType());
  return cuda_tile::FToFOp::create(k.builder(), k.loc(), k.tileType(type.getShape(), element),
                                   value, mode);
}

/// A pointer read as one to another type.
mlir::Value recast(KernelBuilder &k, mlir::Value pointer, mlir::Type element) {
  return k.emit<cuda_tile::PtrToPtrOp>(k.scalarType(cuda_tile::PointerType::get(element)), pointer)
      .getResult();
}

/// The pointer moved by that many elements; one to f4 moves by half of the number, toward zero.
mlir::Value moved(KernelBuilder &k, ChoiceStream &s, mlir::Value pointer, int64_t elements) {
  mlir::Value by = s.chance(50) ? k.addExtentArgument(elements) : number(k, elements);
  if (s.chance(30))
    by = widenTo(k, by, k.intType(64));
  return cuda_tile::OffsetOp::create(k.builder(), k.loc(), pointer.getType(), pointer, by);
}

/// A pointer to f4 that many bytes behind one to bytes.
mlir::Value pointerBehind(KernelBuilder &k, ChoiceStream &s, mlir::Value bytes, int64_t lead) {
  if (lead == 0 && s.chance(70))
    return recast(k, bytes, halfByte(k));
  k.note("half-byte-offset");
  if (s.chance(20)) // moved as bytes
    return recast(k, moved(k, s, bytes, lead), halfByte(k));
  mlir::Value pointer = recast(k, bytes, halfByte(k));
  if (s.chance(35)) { // too far, and back
    int64_t more = s.between(1, 3);
    pointer = moved(k, s, pointer, 2 * (lead + more));
    return moved(k, s, pointer, -2 * more - static_cast<int64_t>(s.below(2)));
  }
  return moved(k, s, pointer, 2 * lead + static_cast<int64_t>(s.below(2)));
}

/// Where the elements of an array lie, in elements.
struct Layout {
  Extents extents, strides;
  int64_t count = 1; ///< elements from the first to the last
};

/// Strides for these extents, some of which may grow. `ofBlocks`: the dimension along which blocks
/// store, no two of them to one byte: to others that is a race.
Layout layOut(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<int64_t> extents,
              std::optional<size_t> ofBlocks = {}) {
  Layout layout;
  layout.extents.assign(extents.begin(), extents.end());
  size_t rank = extents.size();
  llvm::SmallVector<size_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (rank > 1 && s.chance(35))
    std::swap(order[rank - 1], order[s.below(rank - 1)]);
  bool odd = s.chance(20);
  if (ofBlocks && (odd || order.back() == *ofBlocks)) {
    order.erase(llvm::find(order, *ofBlocks));
    order.insert(order.begin(), *ofBlocks);
  }
  if (odd)
    k.note("half-byte-odd");
  else // the dimension of stride one
    layout.extents[order.back()] += layout.extents[order.back()] % 2;
  layout.strides.resize(rank);
  int64_t step = 1;
  for (size_t dim : llvm::reverse(order)) {
    if (ofBlocks == dim)
      step += step % 2;
    layout.strides[dim] = step;
    layout.count += (layout.extents[dim] - 1) * step;
    step *= layout.extents[dim];
    if (s.chance(20))
      step += odd ? s.between(1, 3) : 2;
    else if (s.chance(35)) // aligned, as bulk copies want it
      step = (step + 31) / 32 * 32;
  }
  return layout;
}

mlir::Value divisible(KernelBuilder &k, mlir::Value value, int64_t by) {
  auto fact = cuda_tile::DivByAttr::get(&k.context(), static_cast<uint64_t>(by), std::nullopt,
                                        std::nullopt);
  return cuda_tile::AssumeOp::create(k.builder(), k.loc(), value.getType(), value, fact);
}

/// The number, and maybe what divides it: all of that or less.
mlir::Value maybeDivisible(KernelBuilder &k, ChoiceStream &s, mlir::Value value, int64_t number) {
  const int64_t whole = number & -number;
  if (whole < 2 || !s.chance(60))
    return value;
  k.note("half-byte-promised");
  return divisible(k, value, s.chance(70) ? whole : std::min<int64_t>(whole, 2));
}

/// A tensor view of the elements behind a pointer; extents and strides are constants or arguments.
mlir::Value tensorOf(KernelBuilder &k, ChoiceStream &s, mlir::Value base, const Layout &layout) {
  Extents shape(layout.extents), strides(layout.strides);
  llvm::SmallVector<mlir::Value> operands[2];
  mlir::Type index = k.intType(s.chance(25) ? 64 : 32);
  unsigned dynamic = s.chance(40) ? 50 : 0;
  for (auto [part, values] : {std::pair(0, &shape), std::pair(1, &strides)})
    for (int64_t &value : *values)
      if (s.chance(dynamic)) {
        operands[part].push_back(
            maybeDivisible(k, s, widenTo(k, k.addExtentArgument(value), index), value));
        value = mlir::ShapedType::kDynamic;
      }
  auto type = cuda_tile::TensorViewType::get(&k.context(), halfByte(k), shape, strides, {});
  return cuda_tile::MakeTensorViewOp::create(k.builder(), k.loc(), type, base, operands[0],
                                             operands[1]);
}

/// A new buffer with such an array in it, maybe behind some bytes of something else.
mlir::Value tensorInBuffer(KernelBuilder &k, ChoiceStream &s, const Layout &layout, bool output) {
  static constexpr int64_t kLeads[] = {1, 2, 4, 16, 32};
  int64_t lead = s.chance(35) ? s.pick(llvm::ArrayRef(kLeads)) : 0;
  ArrayInfo &array = k.addFlatArray(k.intType(8), lead + (layout.count + 1) / 2, output);
  mlir::Value base = pointerBehind(k, s, array.base, lead);
  if (s.chance(50))
    base = divisible(k, base, lead ? std::min<int64_t>(lead & -lead, 16) : 16);
  return tensorOf(k, s, base, layout);
}

/// The same in a constant global.
mlir::Value tensorInGlobal(KernelBuilder &k, ChoiceStream &s, const Layout &layout) {
  k.note("half-byte-global");
  int64_t count = 2;
  while (count < layout.count)
    count *= 2;
  return tensorOf(k, s, makeGlobal(k, s, halfByte(k), count, /*constant=*/true), layout);
}

enum class ViewKind { Partition, Strided, Gather };

/// Tiles of a tensor: how they are cut, and what is asked of one of them.
struct Tiles {
  ViewKind kind = ViewKind::Partition;
  Extents tile, travel;
  llvm::SmallVector<int32_t> map; ///< of gather views the identity
  size_t sparse = 0;              ///< of gather views the dimension that has indices of its own
};

Tiles chooseTiles(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<int64_t> tile, size_t fixed) {
  Tiles tiles;
  size_t rank = tile.size();
  static constexpr unsigned kWeights[] = {3, 2, 2};
  tiles.kind = static_cast<ViewKind>(s.weighted(kWeights));
  if (tiles.kind == ViewKind::Gather && rank <= fixed)
    tiles.kind = ViewKind::Partition;
  tiles.tile.assign(tile.begin(), tile.end());
  for (int64_t extent : tile)
    tiles.travel.push_back(tiles.kind == ViewKind::Strided ? s.between(1, extent + 2) : extent);
  tiles.map.resize(rank);
  std::iota(tiles.map.begin(), tiles.map.end(), 0);
  if (tiles.kind != ViewKind::Gather && rank > 1 && s.chance(40))
    for (size_t i = rank - 1; i > 0; --i)
      std::swap(tiles.map[i], tiles.map[s.below(i + 1)]);
  if (rank > fixed)
    tiles.sparse = fixed + s.below(rank - fixed);
  static constexpr const char *kNames[] = {"partition", "strided", "gather"};
  k.note(std::string("half-byte-") + kNames[static_cast<int>(tiles.kind)]);
  return tiles;
}

mlir::DenseI32ArrayAttr narrow(KernelBuilder &k, llvm::ArrayRef<int64_t> values) {
  llvm::SmallVector<int32_t> result(values.begin(), values.end());
  return mlir::DenseI32ArrayAttr::get(&k.context(), result);
}

/// The view with these tiles; `padded`: zeros lie outside.
mlir::Value viewOf(KernelBuilder &k, mlir::Value tensor, const Tiles &tiles, bool padded) {
  mlir::MLIRContext *context = &k.context();
  auto type = llvm::cast<cuda_tile::TensorViewType>(tensor.getType());
  cuda_tile::PaddingValueAttr padding;
  if (padded)
    padding = cuda_tile::PaddingValueAttr::get(context, cuda_tile::PaddingValue::zero);
  mlir::DenseI32ArrayAttr tile = narrow(k, tiles.tile);
  switch (tiles.kind) {
  case ViewKind::Partition:
    return k
        .emit<cuda_tile::MakePartitionViewOp>(
            cuda_tile::PartitionViewType::get(context, tile, type, tiles.map, padding), tensor)
        .getResult();
  case ViewKind::Strided:
    return k
        .emit<cuda_tile::MakeStridedViewOp>(
            cuda_tile::StridedViewType::get(context, tile, narrow(k, tiles.travel), type, tiles.map,
                                            padding),
            tensor)
        .getResult();
  case ViewKind::Gather:
    return k
        .emit<cuda_tile::MakeGatherScatterViewOp>(
            cuda_tile::GatherScatterViewType::get(context, tile, type,
                                                  static_cast<uint32_t>(tiles.sparse), padding),
            tensor)
        .getResult();
  }
  llvm_unreachable("no such kind of view");
}

/// A number below `count`, constant or from the kernel's data.
mlir::Value indexBelow(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<int64_t> shape,
                       int64_t count) {
  cuda_tile::TileType type = k.tileType(shape, k.intType(32));
  if (shape.empty() && (count == 1 || s.chance(35)))
    return number(k, static_cast<int64_t>(s.below(static_cast<uint64_t>(count))));
  return cuda_tile::RemIOp::create(k.builder(), k.loc(), type, k.use(s, type).ssa,
                                   k.intConstant(type, count).ssa, cuda_tile::Signedness::Unsigned);
}

/// Adds the tile to the pool, and mostly what its elements are as numbers; maybe without its extents
/// of one, which a view could drop as well.
void defineHalfBytes(KernelBuilder &k, ChoiceStream &s, mlir::Value tile) {
  auto type = llvm::cast<cuda_tile::TileType>(tile.getType());
  if (llvm::is_contained(type.getShape(), 1) && s.chance(60)) {
    k.note("half-byte-narrowed");
    Extents shape(llvm::make_filter_range(type.getShape(), [](int64_t e) { return e != 1; }));
    tile = cuda_tile::ReshapeOp::create(k.builder(), k.loc(), k.tileType(shape, halfByte(k)), tile);
  }
  k.define(tile, {});
  if (s.chance(70))
    k.define(convert(k, tile, k.pickElement(s, Kind::Float)), {});
}

/// A tile shape of 2 to 2^9 elements.
Extents drawTile(ChoiceStream &s, size_t rank) {
  Extents tile(rank, 1);
  for (int64_t bits = s.between(1, 9); bits > 0; --bits)
    tile[s.below(rank)] *= 2;
  return tile;
}

bool applyLoad(KernelBuilder &k, ChoiceStream &s) {
  static constexpr unsigned kRankWeights[] = {3, 6, 3, 2};
  size_t rank = 1 + s.weighted(kRankWeights);
  Tiles tiles = chooseTiles(k, s, drawTile(s, rank), 0);
  Extents extents(rank);
  for (size_t i = 0; i < rank; ++i) {
    int64_t tile = tiles.tile[i];
    extents[static_cast<size_t>(tiles.map[i])] =
        s.chance(40) ? tile * s.between(1, 3) : tile * s.between(0, 2) + s.between(1, tile);
  }
  Layout layout = layOut(k, s, extents);
  mlir::Value tensor = layout.count <= 1024 && s.chance(25)
                           ? tensorInGlobal(k, s, layout)
                           : tensorInBuffer(k, s, layout, /*output=*/false);
  bool fits = true;
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<bool> inside;
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent = layout.extents[static_cast<size_t>(tiles.map[i])], tile = tiles.tile[i];
    bool isSparse = tiles.kind == ViewKind::Gather && i == tiles.sparse;
    int64_t count =
        tiles.kind == ViewKind::Gather ? extent : (extent + tiles.travel[i] - 1) / tiles.travel[i];
    inside.push_back((count - 1) * tiles.travel[i] + tile <= extent);
    fits &= inside.back() && tiles.kind != ViewKind::Gather;
    indices.push_back(
        indexBelow(k, s, isSparse ? llvm::ArrayRef(tile) : llvm::ArrayRef<int64_t>(), count));
  }
  if (tiles.kind == ViewKind::Gather || !s.chance(40))
    inside.clear();
  mlir::Value view = viewOf(k, tensor, tiles, !fits || s.chance(50));
  cuda_tile::TileType type = k.tileType(tiles.tile, halfByte(k));
  defineHalfBytes(k, s, loadView(k, s, type, view, indices, {}, inside).tile);
  return true;
}

/// A tile of f4 of any numbers: from the pool, or bytes cut in two, or small numbers rounded.
TileValue someHalfBytes(KernelBuilder &k, ChoiceStream &s) {
  if (s.chance(50))
    if (auto found = k.find(s, [&](const TileValue &v) { return v.element() == halfByte(k); }))
      return *found;
  if (s.chance(50)) {
    int64_t bytes = int64_t(1) << s.between(0, 8);
    return {k.emit<cuda_tile::UnpackOp>(k.tileType({2 * bytes}, halfByte(k)),
                                        k.use(s, k.tileType({bytes}, k.intType(8))).ssa)
                .getResult(),
            {}};
  }
  cuda_tile::TileType floats = k.tileType(drawTile(s, 1 + s.below(3)), k.builder().getF32Type());
  return {convert(k, smallFloats(k, s, floats), halfByte(k)), {}};
}

bool applyStore(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth != 0)
    return false;
  TileValue value = someHalfBytes(k, s);
  // One more dimension in front, for the blocks.
  Extents tile = {1};
  llvm::append_range(tile, value.shape());
  size_t rank = tile.size();
  if (rank > 6)
    return false;
  Tiles tiles = chooseTiles(k, s, tile, 1);
  Extents extents(rank);
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent = i == 0 ? (k.blockCount() - 1) * tiles.travel[0] + 1 : tile[i];
    bool isSparse = tiles.kind == ViewKind::Gather && i == tiles.sparse;
    if (i > 0 && !isSparse && s.chance(25))
      extent = std::max<int64_t>(1, extent - s.between(0, 3)); // the rest is dropped
    else if (i > 0 && s.chance(20))
      extent += s.between(1, 3);
    extents[static_cast<size_t>(tiles.map[i])] = extent;
  }
  Layout layout = layOut(k, s, extents, static_cast<size_t>(tiles.map[0]));
  mlir::Value tensor = tensorInBuffer(k, s, layout, /*output=*/true);
  mlir::Value view = viewOf(k, tensor, tiles, /*padded=*/true);
  mlir::Value shaped =
      cuda_tile::ReshapeOp::create(k.builder(), k.loc(), k.tileType(tile, halfByte(k)), value.ssa);
  llvm::SmallVector<mlir::Value> indices = {k.blockNumber().ssa};
  for (size_t i = 1; i < rank; ++i)
    indices.push_back(number(k, 0));
  if (tiles.kind == ViewKind::Gather) {
    cuda_tile::TileType rows = k.tileType({tile[tiles.sparse]}, k.intType(32));
    auto flip = static_cast<Int>(s.below(static_cast<uint64_t>(tile[tiles.sparse])));
    indices[tiles.sparse] = cuda_tile::XOrIOp::create(
        k.builder(), k.loc(), rows, cuda_tile::IotaOp::create(k.builder(), k.loc(), rows),
        k.intConstant(rows, flip).ssa);
  }
  mlir::Value token = storeView(k, s, shaped, view, indices, {});
  if (s.chance(40)) { // and back: what was outside comes as padding
    k.note("half-byte-read-back");
    auto type = llvm::cast<cuda_tile::TileType>(shaped.getType());
    defineHalfBytes(k, s, loadView(k, s, type, view, indices, token).tile);
  }
  return true;
}

/// Scales of one half to four for blocks of a row or column, from bytes.
mlir::Value scales(KernelBuilder &k, ChoiceStream &s, llvm::ArrayRef<int64_t> shape,
                   mlir::Type element) {
  cuda_tile::TileType type = k.tileType(shape, element);
  if (s.chance(30))
    return k.floatConstant(type, static_cast<double>(1 << s.below(3))).ssa;
  cuda_tile::TileType integers = k.tileType(shape, k.intType(32));
  mlir::Value bits = cuda_tile::AndIOp::create(
      k.builder(), k.loc(), integers, k.use(s, integers).ssa, k.intConstant(integers, 1).ssa);
  bits = cuda_tile::AddIOp::create(k.builder(), k.loc(), integers, bits,
                                   k.intConstant(integers, 1).ssa, cuda_tile::IntegerOverflow::NSW);
  mlir::Value numbers = cuda_tile::IToFOp::create(
      k.builder(), k.loc(), k.tileType(shape, k.builder().getF32Type()), bits,
      cuda_tile::Signedness::Signed, cuda_tile::RoundingMode::NEAREST_EVEN);
  bool isPower = llvm::isa<mlir::Float8E8M0FNUType>(element);
  return convert(k, numbers, element,
                 isPower ? cuda_tile::RoundingMode::POSITIVE_INF
                         : cuda_tile::RoundingMode::NEAREST_EVEN);
}

/// A matrix of f4 in memory as partition tiles of that shape, `along` of them in dimension `dim`;
/// where `batches` is not zero, one of so many.
mlir::Value matrixTiles(KernelBuilder &k, ChoiceStream &s, Extents tile, size_t dim, int64_t along,
                        int64_t batches) {
  Extents extents(tile);
  extents[dim] *= along;
  Layout layout;
  layout.extents = extents;
  bool turned = s.chance(40);
  int64_t inner = extents[turned ? 0 : 1], pitch = inner;
  if (s.chance(40))
    pitch += 2 * s.between(1, 16);
  layout.strides = turned ? Extents{1, pitch} : Extents{pitch, 1};
  layout.count = (extents[turned ? 1 : 0] - 1) * pitch + inner;
  if (s.chance(20)) // less than the tiles cover, by an even number
    layout.extents[dim] -= 2 * s.between(0, tile[dim] / 2 - 1);
  Tiles tiles;
  tiles.tile = tile;
  tiles.map = {0, 1};
  if (s.chance(30)) {
    std::swap(tiles.map[0], tiles.map[1]);
    std::swap(layout.extents[0], layout.extents[1]);
    std::swap(layout.strides[0], layout.strides[1]);
  }
  if (batches > 0) {
    layout.extents.insert(layout.extents.begin(), batches);
    layout.strides.insert(layout.strides.begin(), layout.count + layout.count % 2);
    layout.count += (batches - 1) * layout.strides.front();
    tiles.tile.insert(tiles.tile.begin(), 1);
    tiles.map = {0, tiles.map[0] + 1, tiles.map[1] + 1};
  }
  if (s.chance(30)) { // tiles that overlap, mostly from odd elements on
    k.note("half-byte-product-strided");
    tiles.kind = ViewKind::Strided;
    tiles.travel = tiles.tile;
    int64_t &step = tiles.travel[dim + (batches > 0 ? 1 : 0)];
    step -= s.chance(70) ? 1 : s.between(0, step / 2);
  }
  return viewOf(k, tensorInBuffer(k, s, layout, /*output=*/false), tiles, /*padded=*/true);
}

/// A scaled product over a loop: sums of multiples of one quarter. The tensor core aligns what it adds to 12 bits
/// [spec: mma-bound-fp8], so that many of them are no points.
bool applyProduct(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth != 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = halfByte(k), scale = b.getType<mlir::Float8E8M0FNUType>();
  int64_t block = s.chance(50) ? 16 : 32;
  if (s.chance(40)) {
    scale = b.getType<mlir::Float8E4M3FNType>();
    block = 16;
  }
  static constexpr unsigned kRowWeights[] = {2, 3, 2, 2};
  int64_t m = int64_t(16) << s.weighted(kRowWeights), n = int64_t(8)
                                                          << s.between(0, m == 128 ? 2 : 3);
  int64_t depth = int64_t(32) << s.below(m == 128 ? 3 : 2), trips = s.between(1, 4);
  bool batched = s.chance(20);
  int64_t batches = s.chance(40) ? s.between(1, 3) : 0;
  mlir::Value left = matrixTiles(k, s, {m, depth}, 1, trips, batches);
  mlir::Value right = matrixTiles(k, s, {depth, n}, 0, trips, 0);
  mlir::Value leftScales = scales(k, s, {m, depth / block}, scale);
  mlir::Value rightScales = scales(k, s, {depth / block, n}, scale);
  cuda_tile::TileType sums = k.tileType({m, n}, b.getF32Type());
  auto withBatch = [&](mlir::Value value) -> mlir::Value {
    if (!batched)
      return value;
    auto type = llvm::cast<cuda_tile::TileType>(value.getType());
    Extents shape = {1};
    llvm::append_range(shape, type.getShape());
    return cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(shape, type.getElementType()),
                                        value);
  };
  mlir::Value start = withBatch(k.floatConstant(sums, static_cast<double>(s.between(-4, 4))).ssa);
  const TurnLoop counted(k, s, trips, {start});
  auto loop = counted.op();
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    mlir::Value step = counted.turn(k, s), zero = number(k, 0);
    llvm::SmallVector<mlir::Value> at = {zero, step};
    Extents shape = {m, depth};
    if (batches > 0) {
      k.note("half-byte-batch");
      at.insert(at.begin(), number(k, s.between(0, batches - 1)));
      shape.insert(shape.begin(), 1);
    }
    mlir::Value x = loadView(k, s, k.tileType(shape, element), left, at, {}).tile;
    if (batches > 0)
      x = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType({m, depth}, element), x);
    mlir::Value y = loadView(k, s, k.tileType({depth, n}, element), right, {step, zero}, {}).tile;
    mlir::Value next = k.emit<cuda_tile::MmaFScaledOp>(
                            start.getType(), {withBatch(x), withBatch(y), loop.getRegionIterVar(0),
                                              withBatch(leftScales), withBatch(rightScales)})
                           .getResult();
    cuda_tile::ContinueOp::create(b, k.loc(), next);
  }
  Facts facts;
  facts.exact = false;
  k.define(cuda_tile::ReshapeOp::create(b, k.loc(), sums, loop.getResult(0)), facts);
  if (s.chance(40)) // rounded to four bits again, where it is in range or not
    k.define(convert(k, loop.getResult(0), element), facts);
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::halfByteRules() {
  static constexpr Rule kRules[] = {
      {"half-byte-load", 3, applyLoad, 3, "index below the index space, padded where it overhangs"},
      {"half-byte-store", 2, applyStore, 3, "the block's own elements, each once"},
      {"half-byte-product", 2, applyProduct, 3, "sums within bounds"},
  };
  return kRules;
}
