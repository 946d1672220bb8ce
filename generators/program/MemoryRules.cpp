//===- MemoryRules.cpp - loads and stores of the block's tile ---------------------------------===//
//
// An array is accessed through a partition view (elements outside are padding on loads and dropped
// on stores) or through a tile of pointers with a mask. Promises: every index lies inside the index
// space, because the grid has exactly as many blocks as the arrays have tiles; every loaded element
// is defined; the elements that one store writes are distinct, and different blocks write different
// elements; a store follows the load of the same elements by token.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

llvm::SmallVector<int64_t> tileShapeOf(KernelBuilder &k, const ArrayInfo &array) {
  llvm::SmallVector<int64_t> shape;
  for (unsigned dim : array.tileDims)
    shape.push_back(k.tileShape()[dim]);
  return shape;
}

/// Does a tile overhang the array along dimension i?
bool isRagged(KernelBuilder &k, const ArrayInfo &array, size_t i) {
  return array.shape[i] % k.tileShape()[array.tileDims[i]] != 0;
}

/// A view of the array cut into tiles, one per block. `padded`: loads need a padding value where
/// tiles overhang.
mlir::Value makeView(KernelBuilder &k, ChoiceStream &s, ArrayInfo &array, bool padded) {
  mlir::Value tensor = makeTensorView(k, s, array);
  auto tensorType = llvm::cast<cuda_tile::TensorViewType>(tensor.getType());
  cuda_tile::PaddingValueAttr padding;
  if (padded)
    padding = choosePadding(k, s, array.element);
  llvm::SmallVector<int32_t> tile, dimMap;
  for (size_t i = 0; i < array.shape.size(); ++i) {
    tile.push_back(static_cast<int32_t>(k.tileShape()[array.tileDims[i]]));
    dimMap.push_back(static_cast<int32_t>(i));
  }
  auto viewType = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile), tensorType, dimMap, padding);
  return cuda_tile::MakePartitionViewOp::create(k.builder(), k.loc(), viewType, tensor);
}

llvm::SmallVector<mlir::Value> blockIndices(KernelBuilder &k, const ArrayInfo &array) {
  llvm::SmallVector<mlir::Value> indices;
  for (unsigned dim : array.tileDims)
    indices.push_back(k.blockIndex(dim).ssa);
  return indices;
}

/// Where the elements of a tile of this type are along its dimension `i`, in an array that
/// dimension `gridDim` of the grid walks. Mostly computed once, as by frontends.
mlir::Value placesAlong(KernelBuilder &k, ChoiceStream &s, unsigned i, unsigned gridDim,
                        cuda_tile::TileType type, cuda_tile::IntegerOverflowAttr flags) {
  mlir::Value &known = k.places[{type, i, gridDim}];
  if (known && s.chance(75))
    return known;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  llvm::ArrayRef<int64_t> shape = type.getShape();
  mlir::Type element = type.getElementType();
  mlir::Value position = cuda_tile::IotaOp::create(b, loc, k.tileType({shape[i]}, element));
  if (shape.size() > 1) {
    llvm::SmallVector<int64_t> row(shape.size(), 1);
    row[i] = shape[i];
    position = cuda_tile::ReshapeOp::create(b, loc, k.tileType(row, element), position);
    position = cuda_tile::BroadcastOp::create(b, loc, type, position);
  }
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  mlir::Value start = cuda_tile::MulIOp::create(b, loc, i32, k.blockIndex(gridDim).ssa,
                                                k.intConstant(i32, shape[i]).ssa, flags);
  position = cuda_tile::AddIOp::create(b, loc, type, position,
                                       k.splat({widenTo(k, start, element), {}}, shape).ssa, flags);
  if (k.depth == 0)
    known = position;
  return position;
}

/// Pointers to the block's tile and the mask of those inside the array (null when all are).
struct PointerTile {
  mlir::Value pointers, mask;
};

PointerTile makePointers(KernelBuilder &k, ChoiceStream &s, ArrayInfo &array) {
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  // 64-bit offsets as careful frontends use them, or 32-bit ones: arrays here are small.
  mlir::Type indexType = k.intType(s.chance(30) ? 64 : 32);
  llvm::SmallVector<int64_t> shape = tileShapeOf(k, array);
  cuda_tile::TileType full = k.tileType(shape, indexType);
  cuda_tile::TileType maskType = k.tileType(shape, k.intType(1));
  auto flags = cuda_tile::IntegerOverflowAttr::get(&k.context(),
                                                   s.chance(50) ? cuda_tile::IntegerOverflow::NSW
                                                                : cuda_tile::IntegerOverflow::NONE);
  auto spread = [&](mlir::Value scalar) {
    return k.splat({widenTo(k, scalar, indexType), {}}, shape).ssa;
  };

  PointerTile result;
  mlir::Value offsets;
  for (size_t i = 0; i < shape.size(); ++i) {
    mlir::Value position =
        placesAlong(k, s, static_cast<unsigned>(i), array.tileDims[i], full, flags);
    if (isRagged(k, array, i) || s.chance(20)) {
      mlir::Value inside = cuda_tile::CmpIOp::create(
          b, loc, maskType,
          cuda_tile::ComparisonPredicateAttr::get(&k.context(),
                                                  cuda_tile::ComparisonPredicate::LESS_THAN),
          position, spread(array.extentArgs[i]),
          cuda_tile::SignednessAttr::get(&k.context(), cuda_tile::Signedness::Signed));
      result.mask =
          result.mask ? cuda_tile::AndIOp::create(b, loc, maskType, result.mask, inside).getResult()
                      : inside;
    }
    mlir::Value step = position; // as frontends do where they know that rows are contiguous
    if (array.strides[i] != 1 || s.chance(40))
      step = cuda_tile::MulIOp::create(b, loc, full, position, spread(array.strideArgs[i]), flags);
    offsets =
        offsets ? cuda_tile::AddIOp::create(b, loc, full, offsets, step, flags).getResult() : step;
  }
  TileValue base{maybeAssumeAligned(k, s, array.base), {}};
  TileValue bases = k.splat(base, shape);
  result.pointers = cuda_tile::OffsetOp::create(b, loc, bases.type(), bases.ssa, offsets);
  return result;
}

constexpr size_t kMaxArrays = 6;

/// An array that may be loaded at any place: an input, maybe a new one.
ArrayInfo &chooseInput(KernelBuilder &k, ChoiceStream &s) {
  llvm::SmallVector<ArrayInfo *> inputs;
  for (ArrayInfo &array : k.arrays())
    if (!array.output && !array.isFree)
      inputs.push_back(&array);
  if (inputs.empty() || (inputs.size() < kMaxArrays && s.chance(50)))
    return k.addArray(s, k.pickElement(s, Kind::Any), /*output=*/false);
  return *s.pick(llvm::ArrayRef<ArrayInfo *>(inputs));
}

bool applyLoad(KernelBuilder &k, ChoiceStream &s) {
  emitLoad(k, s, chooseInput(k, s));
  return true;
}

/// The number of tiles that a view has along some dimension, which is the extent of the grid there.
bool applyIndexSpace(KernelBuilder &k, ChoiceStream &s) {
  ArrayInfo &array = chooseInput(k, s);
  mlir::Value view = makeView(k, s, array, /*padded=*/true);
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  llvm::SmallVector<mlir::Type> types(array.shape.size(), i32);
  auto op = cuda_tile::GetIndexSpaceShapeOp::create(k.builder(), k.loc(), types, view);
  size_t i = s.below(types.size());
  k.define(op->getResult(static_cast<unsigned>(i)),
           {Range::point(k.gridShape()[array.tileDims[i]])});
  return true;
}

bool applyBlockIndex(KernelBuilder &k, ChoiceStream &s) {
  TileValue index = k.blockIndex(static_cast<unsigned>(s.below(k.gridShape().size())));
  TileValue spread = k.splat(index, k.tileShape());
  k.define(spread.ssa, index.facts);
  return true;
}

bool applyGridExtents(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  auto op = cuda_tile::GetNumTileBlocksOp::create(k.builder(), k.loc(), i32, i32, i32);
  size_t dim = s.below(3);
  int64_t extent = dim < k.gridShape().size() ? k.gridShape()[dim] : 1;
  k.define(op->getResult(static_cast<unsigned>(dim)), {Range::point(extent)});
  return true;
}

/// A load of the block's tile after `before` (null: no order).
Loaded load(KernelBuilder &k, ChoiceStream &s, ArrayInfo &array, mlir::Value before) {
  cuda_tile::TileType type = k.tileType(tileShapeOf(k, array), array.element);
  if (s.chance(65)) {
    mlir::Value view = makeView(k, s, array, /*padded=*/true);
    return loadView(k, s, type, view, blockIndices(k, array), before);
  }
  PointerTile tile = makePointers(k, s, array);
  mlir::Value padding = tile.mask ? k.constant(s, type).ssa : mlir::Value();
  return loadPointers(k, s, type, tile.pointers, tile.mask, padding, before);
}

/// A store of the block's tile after `before`; returns the token behind it.
mlir::Value store(KernelBuilder &k, ChoiceStream &s, ArrayInfo &array, mlir::Value value,
                  mlir::Value before) {
  if (s.chance(65)) {
    mlir::Value view = makeView(k, s, array, /*padded=*/false);
    return storeView(k, s, value, view, blockIndices(k, array), before);
  }
  PointerTile tile = makePointers(k, s, array);
  return storePointers(k, s, tile.pointers, value, tile.mask, before);
}

mlir::Value maybeToken(KernelBuilder &k, ChoiceStream &s) {
  if (!s.chance(25))
    return {};
  return cuda_tile::MakeTokenOp::create(k.builder(), k.loc(),
                                        cuda_tile::TokenType::get(&k.context()));
}

} // namespace

void tilesmith::generators::emitLoad(KernelBuilder &k, ChoiceStream &s, ArrayInfo &array) {
  Facts facts;
  if (!isFloat(array.element))
    facts.range = Range::full(widthOf(array.element));
  mlir::Value before = maybeToken(k, s);
  k.define(load(k, s, array, before).tile, facts);
}

void tilesmith::generators::emitStore(KernelBuilder &k, ChoiceStream &s, ArrayInfo &array,
                                      TileValue value) {
  mlir::Value before = maybeToken(k, s), stored = value.ssa;
  // Elements that a masked load pads differ between its two forms, but the store drops exactly
  // those.
  if (value.facts.exact && s.chance(20)) {
    k.note("in-place");
    Loaded old = load(k, s, array, before);
    stored = combineExactly(k, old.tile, stored);
    before = old.token;
  }
  if (s.chance(10)) {
    k.note("store-twice");
    before = store(k, s, array, k.constant(s, value.type()).ssa, before);
    if (s.chance(50))
      before = joinedWithFreshToken(k, s, before);
  }
  store(k, s, array, stored, before);
}

llvm::ArrayRef<Rule> tilesmith::generators::memoryRules() {
  static constexpr Rule kRules[] = {
      {"load", 8, applyLoad},
      {"get_index_space_shape", 1, applyIndexSpace},
      {"get_tile_block_id", 2, applyBlockIndex},
      {"get_num_tile_blocks", 1, applyGridExtents},
  };
  return kRules;
}
