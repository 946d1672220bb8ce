//===- ViewRules.cpp - views of every kind over arrays of any shape ---------------------------===//
//
// Needs: nothing. Promises: indices of partition and strided views lie inside the index space, of
// gather views inside the tensor; where a tile overhangs, the view has a padding value; a store
// covers elements of its own block only, each once. An array that is only loaded may have strides
// that make elements share an address.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::Signedness;

namespace {

enum class ViewKind { Partition, Strided, Gather };

ViewKind chooseKind(KernelBuilder &k, ChoiceStream &s, size_t rank) {
  if (k.version() < 3)
    return ViewKind::Partition;
  static constexpr unsigned kWeights[] = {3, 2, 3};
  (void)rank;
  return static_cast<ViewKind>(s.weighted(kWeights));
}

void noteView(KernelBuilder &k, ViewKind kind, size_t rank) {
  static constexpr const char *kNames[] = {"partition", "strided", "gather"};
  k.note(llvm::formatv("view-{0}-rank{1}", kNames[static_cast<int>(kind)], rank).str());
}

llvm::SmallVector<int32_t> permutation(ChoiceStream &s, size_t rank, unsigned percent) {
  llvm::SmallVector<int32_t> result(rank);
  std::iota(result.begin(), result.end(), 0);
  if (rank > 1 && s.chance(percent))
    for (size_t i = rank - 1; i > 0; --i)
      std::swap(result[i], result[s.below(i + 1)]);
  return result;
}

mlir::DenseI32ArrayAttr narrow(KernelBuilder &k, llvm::ArrayRef<int64_t> values) {
  llvm::SmallVector<int32_t> result(values.begin(), values.end());
  return mlir::DenseI32ArrayAttr::get(&k.context(), result);
}

/// A number in [0, count) of the index type, from the kernel's data.
TileValue indexBelow(KernelBuilder &k, ChoiceStream &s, mlir::Type element, int64_t count) {
  cuda_tile::TileType type = k.scalarType(element);
  if (count == 1 || s.chance(35))
    return k.intConstant(type, static_cast<Int>(s.below(static_cast<uint64_t>(count))));
  auto fitting = k.find(s, [&](const TileValue &v) {
    return v.ssa.getType() == type && v.facts.range.within(0, count - 1);
  });
  if (fitting && s.chance(60))
    return *fitting;
  // Guarded before the use: a remainder, a mask or a minimum, all unsigned.
  TileValue any = k.use(s, type);
  mlir::OpBuilder &b = k.builder();
  if (llvm::isPowerOf2_64(static_cast<uint64_t>(count)))
    return {
        cuda_tile::AndIOp::create(b, k.loc(), type, any.ssa, k.intConstant(type, count - 1).ssa),
        {Range{0, count - 1}}};
  mlir::Value bound = k.intConstant(type, count).ssa;
  return {cuda_tile::RemIOp::create(b, k.loc(), type, any.ssa, bound, Signedness::Unsigned),
          {Range{0, count - 1}.wrapped(widthOf(element))}};
}

/// A type that holds 0 to `largest`, read as unsigned if indices are meant, else as signed.
mlir::Type indexElement(KernelBuilder &k, ChoiceStream &s, int64_t largest, Signedness reading) {
  static constexpr unsigned kWidths[] = {32, 64, 16, 8};
  static constexpr unsigned kWeights[] = {5, 3, 2, 2};
  unsigned width = kWidths[s.weighted(kWeights)];
  Int limit = reading == Signedness::Unsigned ? unsignedMax(width) : signedMax(width);
  return k.intType(largest > limit ? 32 : width);
}

/// A tile shape of at most 2^bits elements.
llvm::SmallVector<int64_t> tileShape(ChoiceStream &s, size_t rank, unsigned bits) {
  llvm::SmallVector<int64_t> shape(rank, 1);
  for (; bits > 0; --bits)
    shape[s.below(rank)] *= 2;
  return shape;
}

bool applyViewLoad(KernelBuilder &k, ChoiceStream &s, mlir::Type element) {
  static constexpr unsigned kRankWeights[] = {4, 6, 4, 3, 2};
  size_t rank = 1 + s.weighted(kRankWeights);
  // More tiles along one dimension than a signed byte counts; or so large tiles that a thread has
  // neighbours.
  const size_t longDim = rank <= 2 && s.chance(20) ? s.below(rank) : rank;
  const bool isWide = rank <= 2 && longDim == rank && s.chance(30);
  llvm::SmallVector<int64_t> tile =
      tileShape(s, rank,
                static_cast<unsigned>(isWide           ? s.between(9, 11)
                                      : longDim < rank ? s.between(0, 4)
                                                       : s.between(0, 8)));
  // A scale has no zero to pad with.
  bool mustFit = llvm::isa<mlir::Float8E8M0FNUType>(element);
  ViewKind kind = mustFit ? ViewKind::Partition : chooseKind(k, s, rank);
  llvm::SmallVector<int32_t> map =
      kind == ViewKind::Gather ? permutation(s, rank, 0) : permutation(s, rank, 40);
  size_t sparse = s.below(rank);
  llvm::SmallVector<int64_t> extents(rank), travel(rank), counts(rank);
  llvm::SmallVector<bool> inside(rank, true);
  for (size_t i = 0; i < rank; ++i) {
    // From part of one tile to three tiles and a bit.
    int64_t extent = tile[i] * s.between(0, 2) + s.between(1, tile[i]);
    if (mustFit || s.chance(isWide ? 70 : 30))
      extent = tile[i] * s.between(1, 3);
    if (i == longDim) {
      k.note("view-many-tiles");
      extent = tile[i] * s.between(130, 290) - (mustFit ? 0 : s.between(0, tile[i] - 1));
    }
    extents[static_cast<size_t>(map[i])] = extent;
    travel[i] = kind == ViewKind::Strided ? s.between(1, tile[i] + 2) : tile[i];
    counts[i] = kind == ViewKind::Gather ? extent : (extent + travel[i] - 1) / travel[i];
    inside[i] = (counts[i] - 1) * travel[i] + tile[i] <= extent;
  }
  ArrayInfo &array = k.addFreeArray(s, element, extents, /*output=*/false);
  if (s.chance(8) && rank > 1) { // elements that share an address
    size_t dim = s.below(rank);
    if (array.staticStride[dim]) {
      array.strides[dim] = 1;
      k.note("aliasing-strides");
    }
  }
  mlir::Value tensor = makeTensorView(k, s, array);
  auto tensorType = llvm::cast<cuda_tile::TensorViewType>(tensor.getType());
  cuda_tile::PaddingValueAttr padding;
  if (!mustFit)
    padding = choosePadding(k, s, element);
  if (llvm::all_of(inside, [](bool b) { return b; }) && kind != ViewKind::Gather && s.chance(50))
    padding = {};
  noteView(k, kind, rank);

  int64_t largest = *std::max_element(extents.begin(), extents.end());
  mlir::Type index = indexElement(k, s, largest, Signedness::Unsigned);
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value view;
  llvm::SmallVector<bool> inbounds;
  if (kind == ViewKind::Gather) {
    auto type = cuda_tile::GatherScatterViewType::get(&k.context(), narrow(k, tile), tensorType,
                                                      static_cast<uint32_t>(sparse), padding);
    view = k.emit<cuda_tile::MakeGatherScatterViewOp>(type, tensor).getResult();
    for (size_t i = 0; i < rank; ++i) {
      if (i != sparse) {
        indices.push_back(indexBelow(k, s, index, extents[i]).ssa);
        continue;
      }
      cuda_tile::TileType rows = k.tileType({tile[i]}, index);
      mlir::Value any = k.use(s, rows).ssa;
      indices.push_back(cuda_tile::RemIOp::create(k.builder(), k.loc(), rows, any,
                                                  k.intConstant(rows, extents[i]).ssa,
                                                  Signedness::Unsigned));
    }
  } else {
    if (kind == ViewKind::Partition) {
      auto type = cuda_tile::PartitionViewType::get(&k.context(), narrow(k, tile), tensorType, map,
                                                    padding);
      view = k.emit<cuda_tile::MakePartitionViewOp>(type, tensor).getResult();
    } else {
      auto type = cuda_tile::StridedViewType::get(&k.context(), narrow(k, tile), narrow(k, travel),
                                                  tensorType, map, padding);
      view = k.emit<cuda_tile::MakeStridedViewOp>(type, tensor).getResult();
    }
    for (size_t i = 0; i < rank; ++i)
      indices.push_back(indexBelow(k, s, index, counts[i]).ssa);
    if (s.chance(40))
      inbounds = inside;
  }
  if (s.chance(10)) { // how large it is, as data
    k.note("get_index_space_shape");
    int64_t most = *std::max_element(counts.begin(), counts.end());
    llvm::SmallVector<mlir::Type> types(rank,
                                        k.scalarType(indexElement(k, s, most, Signedness::Signed)));
    auto op = k.emit<cuda_tile::GetIndexSpaceShapeOp>(types, view);
    size_t dim = s.below(rank);
    k.define(op->getResult(static_cast<unsigned>(dim)), {Range::point(counts[dim])});
  }
  if (s.chance(10)) {
    k.note("get_tensor_shape");
    llvm::SmallVector<mlir::Type> types(
        rank, k.scalarType(indexElement(k, s, largest, Signedness::Signed)));
    auto op = k.emit<cuda_tile::GetTensorShapeOp>(types, tensor);
    size_t dim = s.below(rank);
    k.define(op->getResult(static_cast<unsigned>(dim)), {Range::point(extents[dim])});
  }
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  k.define(loadView(k, s, k.tileType(tile, element), view, indices, {}, inbounds).tile, facts);
  return true;
}

bool applyAnyViewLoad(KernelBuilder &k, ChoiceStream &s) {
  return applyViewLoad(k, s, k.pickElement(s, Kind::Any));
}

/// Storage formats come from memory, too.
bool applyStorageLoad(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  llvm::SmallVector<mlir::Type> types = {b.getTF32Type(), b.getType<mlir::Float8E4M3FNType>(),
                                         b.getType<mlir::Float8E5M2Type>()};
  if (k.version() >= 2)
    types.push_back(b.getType<mlir::Float8E8M0FNUType>());
  return applyViewLoad(k, s, s.pick(llvm::ArrayRef<mlir::Type>(types)));
}

} // namespace

void tilesmith::generators::emitFreeStore(KernelBuilder &k, ChoiceStream &s,
                                          const TileValue &value) {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType type = value.type();
  int64_t count = type.getNumElements(), blocks = k.blockCount();
  auto finish = [&](ArrayInfo &array) { array.exact = value.facts.exact; };
  if (s.chance(35)) { // pointers in some order, maybe only some of them
    k.note("scatter");
    ArrayInfo &array = k.addFlatArray(value.element(), count * blocks, /*output=*/true);
    finish(array);
    mlir::Value flat = flatten(k, value.ssa), mask;
    mlir::Value pointers = ownElements(k, s, maybeAssumeAligned(k, s, array.base), count);
    if (s.chance(40))
      mask = flatten(k, k.use(s, k.tileType(type.getShape(), k.intType(1))).ssa);
    storePointers(k, s, pointers, flat, mask, {});
    return;
  }
  // One more dimension in front, for the blocks.
  llvm::SmallVector<int64_t> tile = {1};
  llvm::append_range(tile, type.getShape());
  size_t rank = tile.size();
  ViewKind kind = chooseKind(k, s, rank);
  if (kind == ViewKind::Gather && rank < 2)
    kind = ViewKind::Partition;
  llvm::SmallVector<int32_t> map =
      kind == ViewKind::Gather ? permutation(s, rank, 0) : permutation(s, rank, 40);
  size_t sparse = 1 + (rank > 1 ? s.below(rank - 1) : 0);
  llvm::SmallVector<int64_t> extents(rank), travel(rank);
  llvm::SmallVector<bool> inside(rank, true);
  for (size_t i = 0; i < rank; ++i) {
    travel[i] = kind == ViewKind::Strided ? s.between(1, tile[i] + 2) : tile[i];
    int64_t extent = i == 0 ? (blocks - 1) * travel[0] + 1 : tile[i];
    if (i > 0 && s.chance(25))
      extent = std::max<int64_t>(1, extent - s.between(0, 3)); // the rest is dropped
    else if (i > 0 && s.chance(20))
      extent += s.between(1, 3);
    if (kind == ViewKind::Gather && i == sparse)
      extent = tile[i] + s.between(0, 3);
    extents[static_cast<size_t>(map[i])] = extent;
    inside[i] = i == 0 || tile[i] <= extent;
  }
  ArrayInfo &array = k.addFreeArray(s, value.element(), extents, /*output=*/true);
  finish(array);
  mlir::Value tensor = makeTensorView(k, s, array);
  auto tensorType = llvm::cast<cuda_tile::TensorViewType>(tensor.getType());
  noteView(k, kind, rank);
  mlir::Value stored =
      cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(tile, value.element()), value.ssa);
  mlir::Type index = k.intType(s.chance(30) ? 64 : 32);
  llvm::SmallVector<mlir::Value> indices = {widenTo(k, k.blockNumber().ssa, index)};
  for (size_t i = 1; i < rank; ++i)
    indices.push_back(k.intConstant(k.scalarType(index), 0).ssa);
  mlir::Value view;
  if (kind == ViewKind::Gather) {
    auto viewType = cuda_tile::GatherScatterViewType::get(&k.context(), narrow(k, tile), tensorType,
                                                          static_cast<uint32_t>(sparse), {});
    view = k.emit<cuda_tile::MakeGatherScatterViewOp>(viewType, tensor).getResult();
    cuda_tile::TileType rows = k.tileType({tile[sparse]}, index);
    mlir::Value order = cuda_tile::IotaOp::create(b, k.loc(), rows);
    Int flip = static_cast<Int>(s.below(static_cast<uint64_t>(tile[sparse])));
    order = cuda_tile::XOrIOp::create(b, k.loc(), rows, order, k.intConstant(rows, flip).ssa);
    indices[sparse] = order;
    inside.clear();
  } else if (kind == ViewKind::Partition) {
    auto viewType =
        cuda_tile::PartitionViewType::get(&k.context(), narrow(k, tile), tensorType, map, {});
    view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
  } else {
    auto viewType = cuda_tile::StridedViewType::get(&k.context(), narrow(k, tile),
                                                    narrow(k, travel), tensorType, map, {});
    view = k.emit<cuda_tile::MakeStridedViewOp>(viewType, tensor).getResult();
  }
  if (!s.chance(40))
    inside.clear();
  storeView(k, s, stored, view, indices, {}, inside);
}

llvm::ArrayRef<Rule> tilesmith::generators::viewRules() {
  static constexpr Rule kRules[] = {
      {"view-load", 9, applyAnyViewLoad, 1,
       "index below the index space, padding where it overhangs"},
      {"storage-load", 2, applyStorageLoad, 1, "tf32, f8 and scales from memory"},
  };
  return kRules;
}
