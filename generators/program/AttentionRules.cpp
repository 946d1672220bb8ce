//===- AttentionRules.cpp - loops as in attention ---------------------------------------------------===//
//
// `attention-loop`, of the pipeline family, has two products per iteration; the second one multiplies what became of the
// first, and the loop scales its sum.
//
// Needs: depth 0. Promises: the weights are integers from -4 to 4 and scales powers of two, or both are known within
// bounds.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/OperandRules.h"
#include "generators/program/PipelineOperands.h"
#include "generators/program/TurnLoop.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

class AttentionLoop : public PipelineOperands {
public:
  using PipelineOperands::PipelineOperands;

  void build() {
    isIdeal = s.chance(70);
    types = {s.chance(70) ? mlir::Type(b.getF16Type()) : b.getBF16Type(), b.getF32Type()};
    types.stored = types.input;
    k.note("attention-loop-" + spellElement(types.input));
    int64_t depth = 16 << s.below(2), keys = 16 << s.below(2);
    shape.rows = s.chance(80) ? 64 : 16;
    if (s.chance(40)) // enough for tensor memory, whose sums have a row in each thread
      shape.rows = s.chance(50) ? 256 : 128, depth = keys = 32;
    else if (shape.rows == 64 && ((depth == 32 && keys == 32) || s.chance(25)))
      depth = 32, keys = 64; // so are these, staged in shared memory
    if (shape.rows == 256 && k.version() >= 3 && s.chance(80)) {
      if (s.chance(35))
        divideRows(depth, keys);
      else
        shareRows();
    }
    shape.trips = s.between(2, 5); // rings go round
    if (s.chance(10))
      fillSharedMemory(depth, keys);
    shape.columns = depth;
    shape.exactEdges = s.chance(70);
    shape.depth = shape.totalDepth = depth;
    Operand queries = makeOperand(1, shape.rows, k.blockCount());
    shape.depth = keys;
    shape.totalDepth = keys * shape.trips - (shape.exactEdges ? 0 : s.between(0, keys - 1));
    Operand keyTiles = makeOperand(1, depth, 1), values = makeOperand(0, depth, 1);
    emitAttention(queries, keyTiles, values, keys);
  }

private:
  /// Shared memory holds one tile of keys and one of values, but not two of each. Costly, so seldom.
  void fillSharedMemory(int64_t &depth, int64_t &keys) {
    k.note("attention-one-stage");
    isIdeal = true;
    shape.rows = 64;
    depth = 256, keys = 128;
    shape.trips = s.between(2, 3);
  }

  /// Two groups of warps, each with a block of 128 rows.
  void shareRows() {
    k.note("attention-two-blocks");
    isIdeal |= s.chance(80);
    hintWarps(k, 8);
  }

  /// One group of warps, whose registers hold sums of pieces of the rows only; of queries that are deep
  /// not even those.
  void divideRows(int64_t &depth, int64_t &keys) {
    k.note("attention-divided-rows");
    isIdeal |= s.chance(80);
    hintWarps(k, 4);
    (s.chance(50) ? depth : keys) = 64;
  }

  /// The largest element or the sum of each row, as a column.
  mlir::Value reduceRows(mlir::Value tile, bool isMax) {
    mlir::Type f32 = b.getF32Type();
    llvm::APFloat identity = isMax ? llvm::APFloat::getInf(llvm::APFloat::IEEEsingle(), true)
                                   : llvm::APFloat::getZero(llvm::APFloat::IEEEsingle());
    mlir::OperationState state(k.loc(), cuda_tile::ReduceOp::getOperationName());
    state.addOperands(tile);
    state.addTypes(k.tileType({shape.rows}, f32));
    state.addAttribute("dim", b.getI32IntegerAttr(1));
    state.addAttribute("identities", b.getArrayAttr({mlir::FloatAttr::get(f32, identity)}));
    mlir::Block *body = new mlir::Block();
    state.addRegion()->push_back(body);
    body->addArguments({k.scalarType(f32), k.scalarType(f32)}, {k.loc(), k.loc()});
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(body);
      mlir::Value x = body->getArgument(0), y = body->getArgument(1);
      cuda_tile::YieldOp::create(b, k.loc(), isMax ? larger(x, y) : sumOf(x, y));
    }
    return cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType({shape.rows, 1}, f32),
                                        b.create(state)->getResult(0));
  }

  /// The score where a key comes before the end and, maybe, not behind its row; a number elsewhere.
  mlir::Value maskScore(mlir::Value score, mlir::Value step, int64_t keys) {
    mlir::Type i32 = k.intType(32), flag = k.intType(1);
    auto scoreType = llvm::cast<cuda_tile::TileType>(score.getType());
    llvm::ArrayRef<int64_t> shape = scoreType.getShape();
    auto rangeOf = [&](int64_t count, llvm::ArrayRef<int64_t> as) -> mlir::Value {
      mlir::Value range = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({count}, i32));
      return cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(as, i32), range);
    };
    auto spread = [&](mlir::Value scalar, llvm::ArrayRef<int64_t> as) -> mlir::Value {
      mlir::Value one = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType({1, 1}, i32), scalar);
      return cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(as, i32), one);
    };
    auto compare = [&](cuda_tile::ComparisonPredicate predicate, mlir::Value x, mlir::Value y) {
      auto full = k.tileType({shape[0], shape[1]}, i32);
      x = cuda_tile::BroadcastOp::create(b, k.loc(), full, x);
      y = cuda_tile::BroadcastOp::create(b, k.loc(), full, y);
      return cuda_tile::CmpIOp::create(b, k.loc(), k.tileType({shape[0], shape[1]}, flag),
                                       predicate, x, y, cuda_tile::Signedness::Signed)
          .getResult();
    };
    auto overflow = cuda_tile::IntegerOverflow::NONE;
    auto scalar = k.scalarType(i32);
    int64_t width = s.chance(80) ? keys : keys / 2 + 1; // of a turn
    mlir::Value start =
        cuda_tile::MulIOp::create(b, k.loc(), scalar, step, number(width), overflow);
    auto line = k.tileType({1, keys}, i32), column = k.tileType({shape[0], 1}, i32);
    mlir::Value keyIndex = cuda_tile::AddIOp::create(b, k.loc(), line, spread(start, {1, keys}),
                                                     rangeOf(keys, {1, keys}), overflow);
    mlir::Value row =
        cuda_tile::AddIOp::create(b, k.loc(), column, spread(number(s.below(keys)), {shape[0], 1}),
                                  rangeOf(shape[0], {shape[0], 1}), overflow);
    int64_t end = 1 + int64_t(s.below(uint64_t(2 * keys)));
    mlir::Value mask = s.chance(50)
                           ? compare(cuda_tile::ComparisonPredicate::LESS_THAN, keyIndex,
                                     spread(k.addExtentArgument(end), {1, keys}))
                           : compare(cuda_tile::ComparisonPredicate::GREATER_THAN, keyIndex, row);
    if (s.chance(75)) {
      mlir::Value other =
          compare(cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL, row, keyIndex);
      mask = cuda_tile::AndIOp::create(b, k.loc(), k.tileType({shape[0], shape[1]}, flag), mask,
                                       other);
    }
    return cuda_tile::SelectOp::create(b, k.loc(), scoreType, mask, score,
                                       k.floatConstant(scoreType, -8).ssa);
  }

  /// Tiles of keys and values one after the other; carried are the weighted sum of values, and by
  /// row the largest score and the sum of the weights.
  void emitAttention(Operand &queries, Operand &keyTiles, Operand &values, int64_t keys) {
    mlir::Type f32 = b.getF32Type();
    auto tile = [&](int64_t columns) { return k.tileType({shape.rows, columns}, f32); };
    cuda_tile::TileType sumType = tile(shape.columns), column = tile(1), scoreType = tile(keys);
    auto spread = [&](mlir::Value x, cuda_tile::TileType type) -> mlir::Value {
      return cuda_tile::BroadcastOp::create(b, k.loc(), type, x);
    };
    exact = !s.chance(20);
    mlir::Value q = load(queries, number(0), {}).tile;
    mlir::Value largest = k.floatConstant(column, s.chance(50) ? -1e30 : 0.0).ssa;
    // Compilers take loops for long ones where they do not know how long they are.
    mlir::Value trips = s.chance(shape.rows == 256 ? 80 : 50) ? k.addExtentArgument(shape.trips)
                                                              : number(shape.trips);
    // Again in each turn of a loop around, with one turn less: what goes round does not begin anew.
    mlir::OpBuilder::InsertionGuard outermost(b);
    cuda_tile::ForOp around;
    if (s.chance(15)) {
      around = cuda_tile::ForOp::create(b, k.loc(), number(0), number(s.between(2, 3)), number(1),
                                        {zeros(sumType), zeros(column)});
      k.openBody(around);
      trips = cuda_tile::SubIOp::create(b, k.loc(), trips, around.getInductionVar(),
                                        cuda_tile::IntegerOverflow::NONE);
      k.note("attention-again");
    }
    const llvm::SmallVector<mlir::Value> carried{zeros(sumType), largest, zeros(column)};
    std::optional<TurnLoop> counted;
    if (!around && s.chance(50))
      counted.emplace(k, s, shape.trips, carried);
    auto loop = counted
                    ? counted->op()
                    : cuda_tile::ForOp::create(b, k.loc(), number(0), trips, number(1), carried);
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      mlir::Value step = counted ? counted->turn(k, s) : mlir::Value(loop.getInductionVar()),
                  before = loop.getRegionIterVar(1);
      mlir::Value keyTile = load(keyTiles, step, {}).tile, v = load(values, step, {}).tile;
      mlir::Value score = product(scoreType, q, keyTile, zeros(scoreType)), weight, scale;
      if (!exact)
        score = multiplyFloats(score, k.floatConstant(scoreType, 0.0625).ssa);
      if (s.chance(35)) {
        score = maskScore(score, step, keys);
        k.note("attention-mask");
      }
      mlir::Value after = larger(before, reduceRows(score, true));
      if (exact) { // each new record halves what was there
        weight = larger(score, k.floatConstant(scoreType, -4).ssa);
        weight = cuda_tile::MinFOp::create(b, k.loc(), scoreType, weight,
                                           k.floatConstant(scoreType, 4).ssa, mlir::UnitAttr(),
                                           mlir::UnitAttr());
        mlir::Value isRecord =
            cuda_tile::CmpFOp::create(b, k.loc(), k.tileType({shape.rows, 1}, k.intType(1)),
                                      cuda_tile::ComparisonPredicate::GREATER_THAN,
                                      cuda_tile::ComparisonOrdering::ORDERED, after, before);
        scale = cuda_tile::SelectOp::create(b, k.loc(), column, isRecord,
                                            k.floatConstant(column, 0.5).ssa,
                                            k.floatConstant(column, 1.0).ssa);
      } else {
        auto difference = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
          return cuda_tile::SubFOp::create(b, k.loc(), x.getType(), x, y, nearest(),
                                           mlir::UnitAttr());
        };
        weight = cuda_tile::Exp2Op::create(
            b, k.loc(), scoreType, difference(score, spread(after, scoreType)), mlir::UnitAttr());
        scale = cuda_tile::Exp2Op::create(b, k.loc(), column, difference(before, after),
                                          mlir::UnitAttr());
        v = cuda_tile::AbsFOp::create(b, k.loc(), v.getType(), v); // nothing cancels
      }
      mlir::Value total =
          sumOf(multiplyFloats(loop.getRegionIterVar(2), scale), reduceRows(weight, false));
      mlir::Value narrow =
          cuda_tile::FToFOp::create(b, k.loc(), k.tileType({shape.rows, keys}, types.input), weight,
                                    cuda_tile::RoundingMode::NEAREST_EVEN);
      mlir::Value sum = multiplyFloats(loop.getRegionIterVar(0), spread(scale, sumType));
      cuda_tile::ContinueOp::create(
          b, k.loc(), mlir::ValueRange{product(sumType, narrow, v, sum), after, total});
    }
    Facts facts;
    facts.exact = exact;
    if (!exact)
      k.note("mma-real");
    mlir::Value sum = loop->getResult(0), total = loop->getResult(2);
    if (around) {
      cuda_tile::ContinueOp::create(b, k.loc(),
                                    mlir::ValueRange{sumOf(around.getRegionIterVar(0), sum),
                                                     sumOf(around.getRegionIterVar(1), total)});
      b.setInsertionPointAfter(around);
      sum = around->getResult(0), total = around->getResult(1);
    }
    if (llvm::cast<cuda_tile::TileType>(sum.getType()).getNumElements() >
        KernelBuilder::kMostElements)
      emitFreeStore(k, s, {sum, facts});
    else
      k.define(sum, facts);
    k.define(total, facts);
  }
};

} // namespace

bool tilesmith::generators::applyAttentionLoop(KernelBuilder &k, ChoiceStream &s) {
  // Three times the cost of another kernel: less often than its weight says.
  if (k.depth > 0 || k.blockCount() > 4 || llvm::count(k.trail, "attention-loop") > 1 ||
      s.chance(40))
    return false;
  AttentionLoop(k, s).build();
  return true;
}
