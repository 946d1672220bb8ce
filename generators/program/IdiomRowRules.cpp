//===- IdiomRowRules.cpp - rows of one view, one access behind the other -----------------------------===//
//
// A block's own memory as a matrix whose row stride is often known to the launch only: as long as a
// row, longer, or shorter, so that rows share elements. Tiles of some rows and columns are stored and
// loaded in the order of their tokens, at constant indices or in a loop: what tells whether two of
// them meet is the stride. Tiles may come in another layout than the one of memory. Loads wait for the
// access before, or for the last store alone; some are of all elements through pointers.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/ReadOrder.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::TileType;

namespace {

struct Rows {
  TileType tile;
  mlir::Value view;
  mlir::Value base;
  int64_t size;                  ///< elements of the block
  int64_t tileRows, tileColumns; ///< of the matrix, in tiles
  bool isTurned;                 ///< rows of memory are columns of the view
};

/// The matrix of this block behind the base of an array.
Rows makeRows(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  Rows rows;
  const int64_t height = s.chance(60) ? 1 : int64_t(2) << s.below(5);
  mlir::Type element = s.chance(40) ? chooseWideFloat(k, s) : k.pickElement(s, Kind::Any);
  const int64_t width = int64_t(32) << s.below(height > 1 ? 2 : 5);
  rows.tileRows = s.between(2, 4);
  rows.tileColumns = height > 1 || s.chance(40) ? 2 : 1;
  rows.tile = k.tileType({height, width}, element);
  const int64_t extents[] = {height * rows.tileRows, width * rows.tileColumns};
  int64_t stride = extents[1];
  switch (s.below(6)) {
  case 0: // the next row begins inside of this one, though not where a tile has it, too
  case 1:
  case 2:
    stride = height > 1 ? width : s.chance(70) ? width / 2 : s.between(1, extents[1] - 1);
    break;
  case 3:
    stride += s.chance(50) ? 1 : 16;
    break;
  default:
    break;
  }
  // Columns in place of rows: wide loads take another layout than stores.
  rows.isTurned = height > 1 && s.chance(50);
  const int64_t size = rows.size =
      llvm::alignTo((extents[0] - 1) * std::max(stride, extents[1]) + extents[1], 16);
  ArrayInfo &array = k.addFlatArray(element, size * k.blockCount(), /*output=*/true);
  TileType i32 = k.scalarType(k.intType(32));
  mlir::Value start = cuda_tile::MulIOp::create(
      b, k.loc(), i32, k.blockNumber().ssa, k.intConstant(i32, size).ssa, IntegerOverflow::NONE);
  mlir::Value base = rows.base = pointersAt(k, maybeAssumeAligned(k, s, array.base), start);
  llvm::SmallVector<int64_t> shape(std::begin(extents), std::end(extents)), strides = {stride, 1};
  llvm::SmallVector<int32_t> tile = {static_cast<int32_t>(height), static_cast<int32_t>(width)};
  const bool isStatic = s.chance(rows.isTurned ? 60 : 25);
  if (rows.isTurned) {
    std::swap(shape[0], shape[1]);
    std::swap(strides[0], strides[1]);
    std::swap(tile[0], tile[1]);
    rows.tile = k.tileType({width, height}, element);
  }
  llvm::SmallVector<mlir::Value> sizes, steps;
  for (int64_t &extent : shape)
    if (s.chance(60)) {
      sizes.push_back(k.addExtentArgument(extent));
      extent = mlir::ShapedType::kDynamic;
    }
  if (!isStatic) {
    steps.push_back(k.addExtentArgument(stride));
    strides[rows.isTurned] = mlir::ShapedType::kDynamic;
  }
  auto tensorType = cuda_tile::TensorViewType::get(&k.context(), element, shape, strides, {});
  mlir::Value tensor =
      cuda_tile::MakeTensorViewOp::create(b, k.loc(), tensorType, base, sizes, steps);
  auto viewType = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile), tensorType, {0, 1}, {});
  rows.view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
  return rows;
}

/// A tile that threads hold by rows, or by columns.
mlir::Value valueFor(KernelBuilder &k, ChoiceStream &s, TileType type) {
  if (type.getShape()[0] == 1 || s.chance(50))
    return freshTile(k, s, type, Fill::Any);
  TileType turned = k.tileType({type.getShape()[1], type.getShape()[0]}, type.getElementType());
  return cuda_tile::PermuteOp::create(k.builder(), k.loc(), type,
                                      freshTile(k, s, turned, Fill::Any),
                                      mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0}));
}

/// Accesses of tiles of one matrix, and of all of it through pointers.
class TokenRows {
public:
  TokenRows(KernelBuilder &k, ChoiceStream &s)
      : k(k), s(s), b(k.builder()), i32(k.scalarType(k.intType(32))), rows(makeRows(k, s)) {}

  void build() {
    token = cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context()));
    held = valueFor(k, s, rows.tile);
    for (uint64_t turns = s.between(1, 4); turns > 0; --turns) {
      access(someRow(), someColumn(), /*loads=*/s.chance(40));
      if (s.chance(25))
        readAll();
    }
    if (s.chance(40))
      walk();
    if (s.chance(40))
      readAll();
    if (s.chance(70))
      access(someRow(), someColumn(), /*loads=*/true);
    keepTile(k, s, held);
  }

private:
  mlir::Value constant(int64_t value) { return k.intConstant(i32, value).ssa; }
  mlir::Value someRow() { return constant(static_cast<int64_t>(s.below(rows.tileRows))); }
  mlir::Value someColumn() { return constant(static_cast<int64_t>(s.below(rows.tileColumns))); }

  void access(mlir::Value row, mlir::Value column, bool loads) {
    if (rows.isTurned)
      std::swap(row, column);
    if (!loads) {
      token = written = storeView(k, s, held, rows.view, mlir::ValueRange{row, column}, token);
      return;
    }
    mlir::Value waited = beforeRead(s, token, written);
    Loaded old = loadView(k, s, rows.tile, rows.view, mlir::ValueRange{row, column}, waited);
    held = combineExactly(k, held, old.tile);
    token = behindRead(k, token, waited, old.token);
  }

  void readAll() {
    k.note("token-rows-pointers");
    const auto most = std::min<int64_t>(2048, int64_t(llvm::bit_floor(uint64_t(rows.size))));
    TileType line = k.tileType({most}, rows.tile.getElementType());
    mlir::Value waited = beforeRead(s, token, written);
    Loaded all = loadPointers(k, s, line, ownElements(k, s, rows.base, most, /*isPrivate=*/true),
                              {}, {}, waited);
    keepTile(k, s, all.tile);
    token = behindRead(k, token, waited, all.token);
  }

  /// From row to row in a loop: a load and a store in each turn.
  void walk() {
    auto loop = cuda_tile::ForOp::create(b, k.loc(), constant(0), constant(rows.tileRows - 1),
                                         constant(1), {token, held});
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      size_t scope = k.openScope();
      token = loop.getRegionIterVar(0);
      written = {};
      held = loop.getRegionIterVar(1);
      mlir::Value row = loop.getInductionVar(), column = someColumn();
      mlir::Value next =
          cuda_tile::AddIOp::create(b, k.loc(), i32, row, constant(1), IntegerOverflow::NONE);
      const bool forward = s.chance(50);
      access(forward ? row : next, column, /*loads=*/true);
      access(forward ? next : row, s.chance(70) ? column : someColumn(), /*loads=*/false);
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{token, held});
      k.closeScope(scope);
    }
    token = written = loop->getResult(0);
    held = loop->getResult(1);
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  TileType i32;
  Rows rows;
  mlir::Value held, token; ///< what was computed from the accesses so far, and their order
  mlir::Value written;     ///< the token of the last access that wrote
};

} // namespace

bool tilesmith::generators::applyTokenRows(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  TokenRows(k, s).build();
  return true;
}
