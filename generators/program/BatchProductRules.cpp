//===- BatchProductRules.cpp - products of several batches ----------------------------------------===//
//
// `batched-products`, of the pipeline family: products of two to sixteen small matrices of each kind that is multiplied,
// their operands straight from memory. In the array the batches come first, in the middle, as heads of attention do, or
// last; a tile may be turned for the product, or be one matrix for all batches. Once or over the tiles of a loop; what
// became of the sums may be multiplied once more, be a residual's, be reduced, or be added up over the batches.
//
// Needs: depth 0. Promises: tiles lie inside of their arrays, or views pad with zeros; sums are of small integers, exact.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/OperandRules.h"
#include "generators/program/ProductTiles.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::Signedness;
using cuda_tile::TileType;

namespace {

constexpr int64_t kMostProducts = 1 << 18; // of scalars, in all blocks

class BatchedProducts : public ProductTiles {
public:
  using ProductTiles::ProductTiles;

  void build() {
    chooseTypes();
    chooseShape();
    const TileType type = k.tileType({batches, rows, columns}, sum);
    mlir::Value start = startOf(type);
    const int64_t turns = s.chance(35) ? s.between(2, 3) : 1;
    Operand left = makeOperand(rows, depth, turns, /*isLeft=*/true),
            right = makeOperand(depth, columns, turns, /*isLeft=*/false);
    mlir::Value sums;
    if (turns == 1) {
      sums = multiply(type, fetch(left, number(0)), fetch(right, number(0)), start);
    } else {
      k.note("batched-products-loop");
      const TurnLoop counted = openLoop(turns, {start});
      auto loop = counted.op();
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value turn = counted.turn(k, s);
      mlir::Value next =
          multiply(type, fetch(left, turn), fetch(right, turn), loop.getRegionIterVar(0));
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{next});
      sums = loop->getResult(0);
    }
    use(type, sums);
  }

private:
  /// Tiles of an array of three dimensions.
  struct Operand {
    mlir::Value view;
    llvm::SmallVector<int64_t>
        order;       ///< which dimension of the array each one of the product's tile is
    TileType loaded; ///< in the order of the array
    TileType wanted;
    bool isRepeated = false; ///< one matrix for all batches
    unsigned along = 0;      ///< dimension of the array that turns walk
  };

  void chooseTypes() {
    mlir::Type f32 = b.getF32Type(), f16 = b.getF16Type(), bf16 = b.getBF16Type(),
               e4m3 = b.getType<mlir::Float8E4M3FNType>(), e5m2 = b.getType<mlir::Float8E5M2Type>();
    switch (s.below(10)) {
    case 0:
    case 1:
      input = k.intType(8), sum = k.intType(32);
      break;
    case 2:
      input = sum = f16;
      break;
    case 3:
      input = s.chance(50) ? e4m3 : e5m2, sum = f32;
      break;
    case 4:
      input = b.getTF32Type(), sum = f32;
      break;
    case 5:
      input = sum = s.chance(60) ? f32 : mlir::Type(b.getF64Type());
      break;
    case 6:
    case 7:
      input = bf16, sum = f32;
      break;
    default:
      input = f16, sum = f32;
    }
    stored = input.isTF32() ? f32 : input;
    element = stored;
    leftSign = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
    rightSign = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
    k.note("batched-products-" + spellElement(input) + "-" + spellElement(sum));
  }

  void chooseShape() {
    batches = int64_t(2) << s.below(4);
    rows = int64_t(8) << s.below(4);
    columns = int64_t(8) << s.below(4);
    depth = int64_t(16) << s.below(3);
    while (batches * rows * columns * depth * k.blockCount() > kMostProducts) {
      int64_t &largest = batches > 2 && s.chance(40)   ? batches
                         : rows >= columns && rows > 8 ? rows
                         : columns > 8                 ? columns
                                                       : depth;
      largest /= 2;
    }
    if (s.chance(30) && k.version() >= 3)
      hintWarps(k, int64_t(1) << s.below(4));
  }

  mlir::Value startOf(TileType type) {
    const Int first = s.chance(60) ? 0 : s.between(-4, 4);
    return sum.isInteger() ? k.intConstant(type, first).ssa
                           : k.floatConstant(type, double(first)).ssa;
  }

  /// `height` rows of `width` for each batch; turns walk the depth.
  Operand makeOperand(int64_t height, int64_t width, int64_t turns, bool isLeft) {
    Operand o;
    o.isRepeated = s.chance(20);
    const int64_t batch = o.isRepeated ? 1 : batches;
    const int64_t extents[] = {batch, height, width};
    static constexpr int64_t kOrders[][3] = {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {1, 0, 2},
                                             {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
    auto order =
        kOrders[s.below(std::size(kOrders))]; // dimension i of the product's tile in the array
    o.order.assign(order, order + 3);
    llvm::SmallVector<int64_t> loaded(3), shape(3);
    for (unsigned i = 0; i < 3; ++i)
      loaded[static_cast<size_t>(order[i])] = extents[i];
    shape = loaded;
    const unsigned deep = static_cast<unsigned>(order[isLeft ? 2 : 1]);
    o.along = deep;
    shape[deep] *= turns;
    if (s.chance(20)) // ragged
      shape[deep] -= s.between(0, std::min<int64_t>(loaded[deep] - 1, 9));
    ArrayInfo &array = k.addFreeArray(s, stored, shape, /*output=*/false, Fill::SmallIntegers);
    if (s.chance(70))
      array.base = divisible(array.base, 16);
    llvm::SmallVector<int32_t> tile(loaded.begin(), loaded.end());
    o.view = zeroPaddedTiles(k, s, array, tile);
    o.loaded = k.tileType(loaded, stored);
    o.wanted = k.tileType({batch, height, width}, stored);
    if (o.isRepeated)
      k.note("batched-products-shared");
    if (order[0] != 0 || order[1] != 1)
      k.note("batched-products-turned");
    return o;
  }

  mlir::Value fetch(const Operand &o, mlir::Value turn) {
    llvm::SmallVector<mlir::Value> at(3, number(0));
    at[o.along] = turn;
    mlir::Value x = loadView(k, s, o.loaded, o.view, at, {}).tile;
    llvm::SmallVector<int32_t> order(o.order.begin(), o.order.end());
    if (o.loaded.getShape() != o.wanted.getShape() || order[0] != 0 || order[1] != 1)
      x = cuda_tile::PermuteOp::create(b, k.loc(), o.wanted, x, b.getDenseI32ArrayAttr(order));
    if (o.isRepeated) {
      llvm::SmallVector<int64_t> all(o.wanted.getShape());
      all[0] = batches;
      x = cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(all, stored), x);
    }
    return input == stored ? x : converted(x, input);
  }

  mlir::Value multiply(TileType type, mlir::Value x, mlir::Value y, mlir::Value before) {
    if (sum.isInteger())
      return cuda_tile::MmaIOp::create(b, k.loc(), type, x, y, before, leftSign, rightSign);
    return product(type, x, y, before);
  }

  void use(TileType type, mlir::Value sums) {
    switch (s.below(5)) {
    case 0: // each batch's lines summed up, or the batches
      if (sum.isF32() && rows * columns <= 4096) {
        k.note("batched-products-reduced");
        auto dim = static_cast<unsigned>(s.below(3));
        mlir::Value largest = emitReduction(
            k, s, sums, dim, /*isScan=*/false,
            mlir::FloatAttr::get(sum, llvm::APFloat::getInf(llvm::APFloat::IEEEsingle(), true)),
            [&](mlir::Value one, mlir::Value other) { return larger(one, other); });
        keepTile(k, s, largest);
      }
      break;
    case 1: // as in attention: what became of them, times another tile of each batch
      if ((input.isF16() || input.isBF16()) && sum.isF32() && columns >= 16) {
        k.note("batched-products-again");
        mlir::Value weights = converted(clamped(sums), input);
        Operand values = makeOperand(columns, columns, 1, /*isLeft=*/false);
        sums = multiply(k.tileType({batches, rows, columns}, sum), weights,
                        fetch(values, number(0)), startOf(type));
      }
      break;
    default:
      break;
    }
    keepTile(k, s, sums);
  }

  mlir::Type input, stored, sum;
  Signedness leftSign = Signedness::Signed, rightSign = Signedness::Signed;
  int64_t batches = 0, rows = 0, columns = 0, depth = 0;
};

} // namespace

bool tilesmith::generators::applyBatchedProducts(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiply(k, "batched-products"))
    return false;
  BatchedProducts(k, s).build();
  return true;
}
