//===- TemplateRules.cpp - shapes of kernels that are known to be hard ------------------------===//
//
// Matrix product over ragged views, split-K with a shared accumulator, attention, stencil, and a
// handshake in which the last block to arrive reads what all blocks wrote.
//
// Needs: depth 0. Promises: as the families of their ops; sums are of small integers or known
// within bounds; the handshake orders the writes of all blocks before the reads of the last one
// (release and acquire on one counter) and its result does not depend on which block is last.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

mlir::Value number(KernelBuilder &k, Int value) {
  return k.intConstant(k.scalarType(k.intType(32)), value).ssa;
}

struct Product {
  mlir::Type input, sum;
  int32_t rows, columns, depth; ///< of one tile
  int64_t totalDepth;
  bool exact = true; ///< small integers
  ArrayInfo *a, *b;
};

/// Operands of a product: all blocks' rows of A, one column tile of B.
Product chooseProduct(KernelBuilder &k, ChoiceStream &s, bool blocksAlongDepth) {
  mlir::OpBuilder &b = k.builder();
  Product p;
  switch (s.below(4)) {
  case 0:
    p.input = b.getF16Type();
    break;
  case 1:
    p.input = b.getBF16Type();
    break;
  case 2:
    p.input = b.getType<mlir::Float8E4M3FNType>();
    break;
  default:
    p.input = b.getF32Type();
  }
  p.sum = b.getF32Type();
  auto extent = [&](int64_t low, int64_t high) {
    return static_cast<int32_t>(int64_t(1) << s.between(low, high));
  };
  p.rows = extent(2, 5);
  p.columns = extent(2, 5);
  p.depth = extent(3, 5);
  int64_t blocks = k.blockCount();
  int64_t depthTiles = blocksAlongDepth ? blocks : s.between(1, 4);
  p.totalDepth = p.depth * (depthTiles - 1) + s.between(1, p.depth);
  int64_t rowBlocks = blocksAlongDepth ? 1 : blocks;
  int64_t m = p.rows * (rowBlocks - 1) + s.between(1, p.rows);
  p.exact = blocksAlongDepth || !s.chance(40);
  Fill fill = p.exact ? Fill::SmallIntegers : Fill::Reals;
  p.a = &k.addFreeArray(s, p.input, {m, p.totalDepth}, false, fill);
  p.b = &k.addFreeArray(s, p.input, {p.totalDepth, s.between(1, p.columns)}, false, fill);
  return p;
}

/// C += A * B over all tiles of the depth in a loop.
bool applyGemm(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  Product p = chooseProduct(k, s, /*blocksAlongDepth=*/false);
  mlir::OpBuilder &b = k.builder();
  mlir::Value left = zeroPaddedTiles(k, s, *p.a, {p.rows, p.depth});
  mlir::Value right = zeroPaddedTiles(k, s, *p.b, {p.depth, p.columns});
  mlir::Value trips;
  if (s.chance(50)) { // as the frontends do: from the view
    llvm::SmallVector<mlir::Type> types(2, k.scalarType(k.intType(32)));
    trips = k.emit<cuda_tile::GetIndexSpaceShapeOp>(types, left)->getResult(1);
  } else {
    trips = number(k, (p.totalDepth + p.depth - 1) / p.depth);
  }
  cuda_tile::TileType type = k.tileType({p.rows, p.columns}, p.sum);
  mlir::Value zero = k.floatConstant(type, 0.0).ssa;
  mlir::Value row = k.blockNumber().ssa;
  auto loop = cuda_tile::ForOp::create(b, k.loc(), number(k, 0), trips, number(k, 1), zero);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    mlir::Value step = loop.getInductionVar();
    mlir::Value x =
        loadView(k, s, k.tileType({p.rows, p.depth}, p.input), left, {row, step}, {}).tile;
    mlir::Value y =
        loadView(k, s, k.tileType({p.depth, p.columns}, p.input), right, {step, number(k, 0)}, {})
            .tile;
    mlir::Value sum = cuda_tile::MmaFOp::create(b, k.loc(), type, x, y, loop.getRegionIterVar(0),
                                                mlir::UnitAttr());
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{sum});
  }
  Facts facts;
  facts.exact = p.exact;
  if (!p.exact)
    k.note("mma-real");
  k.define(loop->getResult(0), facts);
  return true;
}

/// Every block multiplies one tile of the depth and adds it to what all share.
bool applySplitK(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  Product p = chooseProduct(k, s, /*blocksAlongDepth=*/true);
  mlir::OpBuilder &b = k.builder();
  mlir::Value left = zeroPaddedTiles(k, s, *p.a, {p.rows, p.depth});
  mlir::Value right = zeroPaddedTiles(k, s, *p.b, {p.depth, p.columns});
  mlir::Value step = k.blockNumber().ssa, zero = number(k, 0);
  mlir::Value x =
      loadView(k, s, k.tileType({p.rows, p.depth}, p.input), left, {zero, step}, {}).tile;
  mlir::Value y =
      loadView(k, s, k.tileType({p.depth, p.columns}, p.input), right, {step, zero}, {}).tile;
  cuda_tile::TileType type = k.tileType({p.rows, p.columns}, p.sum);
  mlir::Value part = cuda_tile::MmaFOp::create(b, k.loc(), type, x, y,
                                               k.floatConstant(type, 0.0).ssa, mlir::UnitAttr());
  int64_t count = type.getNumElements();
  ArrayInfo &sum = k.addFlatArray(p.sum, count, /*output=*/true, Fill::SmallIntegers);
  mlir::Value pointers = ownElements(k, s, sum.base, count, /*isPrivate=*/true);
  atomicRmw(k, s, cuda_tile::AtomicRMWMode::ADDF, pointers, flatten(k, part), {}, {},
            k.blockCount() == 1);
  return true;
}

/// softmax(Q K^T) V for one tile of queries. Approximate: V is not negative, so nothing cancels.
bool applyAttention(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  auto extent = [&] { return int64_t(1) << s.between(2, 4); };
  int64_t queries = extent(), keys = extent(), depth = int64_t(1) << s.between(3, 4);
  mlir::Type f16 = b.getF16Type(), f32 = b.getF32Type();
  auto loadMatrix = [&](int64_t rows, int64_t columns) {
    int64_t all = rows * k.blockCount();
    ArrayInfo &array = k.addFreeArray(s, f16, {all, columns}, false, Fill::SmallIntegers);
    mlir::Value view =
        zeroPaddedTiles(k, s, array, {static_cast<int32_t>(rows), static_cast<int32_t>(columns)});
    return loadView(k, s, k.tileType({rows, columns}, f16), view,
                    {k.blockNumber().ssa, number(k, 0)}, {})
        .tile;
  };
  mlir::Value q = loadMatrix(queries, depth), keyTile = loadMatrix(keys, depth);
  mlir::Value v = cuda_tile::AbsFOp::create(b, k.loc(), k.tileType({keys, depth}, f16),
                                            loadMatrix(keys, depth));
  mlir::Value transposed =
      cuda_tile::PermuteOp::create(b, k.loc(), k.tileType({depth, keys}, f16), keyTile,
                                   mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0}));
  cuda_tile::TileType scores = k.tileType({queries, keys}, f32);
  mlir::Value zeros = k.floatConstant(scores, 0.0).ssa;
  mlir::Value score =
      cuda_tile::MmaFOp::create(b, k.loc(), scores, q, transposed, zeros, mlir::UnitAttr());
  auto ne = cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_EVEN);
  score = cuda_tile::MulFOp::create(b, k.loc(), scores, score, k.floatConstant(scores, 0.0625).ssa,
                                    ne, mlir::UnitAttr());
  auto reduceRows = [&](mlir::Value x, bool isMax) -> mlir::Value {
    cuda_tile::TileType scalar = k.scalarType(f32);
    mlir::OperationState state(k.loc(), cuda_tile::ReduceOp::getOperationName());
    state.addOperands(x);
    state.addTypes(k.tileType({queries}, f32));
    state.addAttribute("dim", b.getI32IntegerAttr(1));
    llvm::APFloat identity = isMax ? llvm::APFloat::getInf(llvm::APFloat::IEEEsingle(), true)
                                   : llvm::APFloat::getZero(llvm::APFloat::IEEEsingle());
    state.addAttribute("identities", b.getArrayAttr({mlir::FloatAttr::get(f32, identity)}));
    mlir::Block *body = new mlir::Block();
    state.addRegion()->push_back(body);
    body->addArguments({scalar, scalar}, {k.loc(), k.loc()});
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(body);
      mlir::Value l = body->getArgument(0), r = body->getArgument(1), c;
      if (isMax)
        c = cuda_tile::MaxFOp::create(b, k.loc(), scalar, l, r, mlir::UnitAttr(), mlir::UnitAttr());
      else
        c = cuda_tile::AddFOp::create(b, k.loc(), scalar, l, r, ne, mlir::UnitAttr());
      cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{c});
    }
    mlir::Value column = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType({queries, 1}, f32),
                                                      b.create(state)->getResult(0));
    return column;
  };
  auto spread = [&](mlir::Value column, cuda_tile::TileType type) -> mlir::Value {
    return column.getType() == type
               ? column
               : cuda_tile::BroadcastOp::create(b, k.loc(), type, column).getResult();
  };
  mlir::Value shifted = cuda_tile::SubFOp::create(
      b, k.loc(), scores, score, spread(reduceRows(score, true), scores), ne, mlir::UnitAttr());
  mlir::Value p = cuda_tile::Exp2Op::create(b, k.loc(), scores, shifted, mlir::UnitAttr());
  cuda_tile::TileType result = k.tileType({queries, depth}, f32);
  mlir::Value wide = cuda_tile::FToFOp::create(b, k.loc(), k.tileType({keys, depth}, f32), v,
                                               cuda_tile::RoundingMode::NEAREST_EVEN);
  mlir::Value weighted = cuda_tile::MmaFOp::create(
      b, k.loc(), result, p, wide, k.floatConstant(result, 0.0).ssa, mlir::UnitAttr());
  mlir::Value total = spread(reduceRows(p, false), result);
  Facts facts;
  facts.exact = false;
  k.define(cuda_tile::DivFOp::create(b, k.loc(), result, weighted, total, ne, mlir::UnitAttr()),
           facts);
  return true;
}

/// Neighbours of every element of an array, zero beyond its ends.
bool applyStencil(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = k.intType(s.chance(70) ? 32 : 64), i32 = k.intType(32);
  int64_t count = int64_t(1) << s.between(2, 8);
  int64_t length = count * (k.blockCount() - 1) + s.between(1, count);
  ArrayInfo &array = k.addFlatArray(element, length, /*output=*/false);
  cuda_tile::TileType index = k.tileType({count}, i32), type = k.tileType({count}, element);
  cuda_tile::TileType flags = k.tileType({count}, k.intType(1));
  mlir::Value start = cuda_tile::MulIOp::create(b, k.loc(), k.scalarType(i32), k.blockNumber().ssa,
                                                number(k, count), cuda_tile::IntegerOverflow::NSW);
  mlir::Value at = cuda_tile::AddIOp::create(
      b, k.loc(), index, cuda_tile::IotaOp::create(b, k.loc(), index).getResult(),
      k.splat({start, {}}, {count}).ssa, cuda_tile::IntegerOverflow::NSW);
  mlir::Value sum;
  for (Int shift : {Int(-1), Int(0), static_cast<Int>(s.between(1, 3))}) {
    mlir::Value place = cuda_tile::AddIOp::create(
        b, k.loc(), index, at, k.intConstant(index, shift).ssa, cuda_tile::IntegerOverflow::NSW);
    // One unsigned comparison covers both ends, as compilers write it.
    mlir::Value mask = cuda_tile::CmpIOp::create(
        b, k.loc(), flags, cuda_tile::ComparisonPredicate::LESS_THAN, place,
        k.intConstant(index, length).ssa, cuda_tile::Signedness::Unsigned);
    mlir::Value value = loadPointers(k, s, type, pointersAt(k, array.base, place), mask,
                                     k.intConstant(type, 0).ssa, {})
                            .tile;
    sum = sum ? cuda_tile::AddIOp::create(b, k.loc(), type, sum, value,
                                          cuda_tile::IntegerOverflow::NONE)
                    .getResult()
              : value;
  }
  k.define(sum, {Range::full(widthOf(element))});
  return true;
}

/// Every block writes its part and counts itself in; the last one adds up all parts.
bool applyLastBlock(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || k.mayHaveReturned)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type i32 = k.intType(32);
  cuda_tile::TokenType token = cuda_tile::TokenType::get(&k.context());
  int64_t count = int64_t(1) << s.between(0, 6), blocks = k.blockCount(), all = 1;
  while (all < blocks)
    all *= 2;
  ArrayInfo &parts = k.addFlatArray(i32, count * blocks, /*output=*/true);
  ArrayInfo &counter = k.addFlatArray(i32, 1, /*output=*/true, Fill::Zeros);
  ArrayInfo &result = k.addFlatArray(i32, count, /*output=*/true);
  cuda_tile::TileType part = k.tileType({count}, i32), scalar = k.scalarType(i32);
  mlir::Value written =
      storePointers(k, s, ownElements(k, s, parts.base, count), k.use(s, part).ssa, {}, {});
  auto scope = s.chance(70) ? cuda_tile::MemoryScope::DEVICE : cuda_tile::MemoryScope::SYS;
  auto arrive = k.emit<cuda_tile::AtomicRMWTkoOp>(
      {scalar, token}, {counter.base, number(k, 1), written},
      {k.attr("memory_ordering_semantics",
              cuda_tile::MemoryOrderingSemanticsAttr::get(
                  &k.context(), cuda_tile::MemoryOrderingSemantics::ACQ_REL)),
       k.attr("memory_scope", cuda_tile::MemoryScopeAttr::get(&k.context(), scope)),
       k.attr("mode",
              cuda_tile::AtomicRMWModeAttr::get(&k.context(), cuda_tile::AtomicRMWMode::ADD))},
      {1, 1, 0, 1});
  mlir::Value last = cuda_tile::CmpIOp::create(
      b, k.loc(), k.scalarType(k.intType(1)), cuda_tile::ComparisonPredicate::EQUAL,
      arrive.getResult(), number(k, blocks - 1), cuda_tile::Signedness::Signed);
  mlir::OperationState state(k.loc(), cuda_tile::IfOp::getOperationName());
  state.addOperands(last);
  mlir::Block *then = new mlir::Block();
  state.addRegion()->push_back(then);
  state.addRegion();
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(then);
    // Rows of all blocks at once, padded to a power of two.
    cuda_tile::TileType rows = k.tileType({all, count}, i32);
    mlir::Value flat =
        cuda_tile::IotaOp::create(b, k.loc(), k.tileType({all * count}, i32)).getResult();
    mlir::Value places = cuda_tile::ReshapeOp::create(b, k.loc(), rows, flat);
    mlir::Value mask;
    if (all != blocks)
      mask = cuda_tile::CmpIOp::create(b, k.loc(), k.tileType({all, count}, k.intType(1)),
                                       cuda_tile::ComparisonPredicate::LESS_THAN, places,
                                       k.intConstant(rows, blocks * count).ssa,
                                       cuda_tile::Signedness::Signed);
    mlir::Value padding = mask ? k.intConstant(rows, 0).ssa : mlir::Value();
    mlir::Value values = loadPointers(k, s, rows, pointersAt(k, parts.base, places), mask, padding,
                                      arrive.getResultToken())
                             .tile;
    mlir::OperationState sum(k.loc(), cuda_tile::ReduceOp::getOperationName());
    sum.addOperands(values);
    sum.addTypes(part);
    sum.addAttribute("dim", b.getI32IntegerAttr(0));
    sum.addAttribute("identities", b.getArrayAttr({b.getI32IntegerAttr(0)}));
    mlir::Block *body = new mlir::Block();
    sum.addRegion()->push_back(body);
    body->addArguments({scalar, scalar}, {k.loc(), k.loc()});
    {
      mlir::OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(body);
      mlir::Value c =
          cuda_tile::AddIOp::create(b, k.loc(), scalar, body->getArgument(0), body->getArgument(1),
                                    cuda_tile::IntegerOverflow::NONE);
      cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{c});
    }
    mlir::Value total = b.create(sum)->getResult(0);
    storePointers(k, s, ownElements(k, s, result.base, count, /*isPrivate=*/true), total, {}, {});
    cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange());
  }
  b.create(state);
  return true;
}

/// Ordering, scope and kind of an atomic that takes part in a handshake.
llvm::SmallVector<mlir::NamedAttribute> handshake(KernelBuilder &k, ChoiceStream &s,
                                                  cuda_tile::MemoryOrderingSemantics least) {
  auto ordering = s.chance(30) ? cuda_tile::MemoryOrderingSemantics::ACQ_REL : least;
  auto scope = s.chance(70) ? cuda_tile::MemoryScope::DEVICE : cuda_tile::MemoryScope::SYS;
  return {k.attr("memory_ordering_semantics",
                 cuda_tile::MemoryOrderingSemanticsAttr::get(&k.context(), ordering)),
          k.attr("memory_scope", cuda_tile::MemoryScopeAttr::get(&k.context(), scope))};
}

/// Every block but the first waits for the flag of another one before it reads what that one wrote:
/// of the block before it (a chain) or of the first one.
bool applySpin(KernelBuilder &k, ChoiceStream &s) {
  int64_t blocks = k.blockCount();
  if (k.depth > 0 || k.mayHaveReturned || blocks < 2 || blocks > 8)
    return false;
  mlir::OpBuilder &b = k.builder();
  using cuda_tile::MemoryOrderingSemantics;
  mlir::Type i32 = k.intType(32);
  cuda_tile::TokenType token = cuda_tile::TokenType::get(&k.context());
  int64_t count = int64_t(1) << s.between(0, 7);
  cuda_tile::TileType part = k.tileType({count}, i32), scalar = k.scalarType(i32);
  cuda_tile::TileType flag = k.scalarType(k.intType(1));
  ArrayInfo &data = k.addFlatArray(i32, count * blocks, /*output=*/true);
  ArrayInfo &flags = k.addFlatArray(i32, blocks, /*output=*/true, Fill::Zeros);
  mlir::Value own = k.use(s, part).ssa, me = k.blockNumber().ssa;
  mlir::Value isFirst =
      cuda_tile::CmpIOp::create(b, k.loc(), flag, cuda_tile::ComparisonPredicate::EQUAL, me,
                                number(k, 0), cuda_tile::Signedness::Signed);
  bool chain = s.chance(60);
  mlir::OperationState state(k.loc(), cuda_tile::IfOp::getOperationName());
  state.addOperands(isFirst);
  state.addTypes(part);
  mlir::Block *first = new mlir::Block(), *later = new mlir::Block();
  state.addRegion()->push_back(first);
  state.addRegion()->push_back(later);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(first);
    cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{own});
    b.setInsertionPointToStart(later);
    mlir::Value other = number(k, 0);
    if (chain)
      other = cuda_tile::SubIOp::create(b, k.loc(), scalar, me, number(k, 1),
                                        cuda_tile::IntegerOverflow::NSW);
    mlir::Value place = pointersAt(k, flags.base, other);
    mlir::OperationState spin(k.loc(), cuda_tile::LoopOp::getOperationName());
    spin.addOperands(cuda_tile::MakeTokenOp::create(b, k.loc(), token).getResult());
    spin.addTypes(token);
    mlir::Block *body = new mlir::Block();
    spin.addRegion()->push_back(body);
    body->addArgument(token, k.loc());
    {
      mlir::OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(body);
      mlir::Value before = body->getArgument(0), value, after;
      uint64_t kind = s.below(3);
      auto attributes = handshake(k, s, MemoryOrderingSemantics::ACQUIRE);
      if (kind == 0) { // an atomic that changes nothing
        attributes.push_back(
            k.attr("mode", cuda_tile::AtomicRMWModeAttr::get(
                               &k.context(), s.chance(50) ? cuda_tile::AtomicRMWMode::OR
                                                          : cuda_tile::AtomicRMWMode::ADD)));
        auto poll = k.emit<cuda_tile::AtomicRMWTkoOp>(
            {scalar, token}, {place, number(k, 0), before}, attributes, {1, 1, 0, 1});
        value = poll.getResult();
        after = poll.getResultToken();
      } else if (kind == 1) {
        mlir::Value one = number(k, 1);
        auto poll = k.emit<cuda_tile::AtomicCASTkoOp>({scalar, token}, {place, one, one, before},
                                                      attributes, {1, 1, 1, 0, 1});
        value = poll.getResult();
        after = poll.getResultToken();
      } else {
        attributes[0] = k.attr("memory_ordering_semantics",
                               cuda_tile::MemoryOrderingSemanticsAttr::get(
                                   &k.context(), MemoryOrderingSemantics::ACQUIRE));
        auto poll = k.emit<cuda_tile::LoadPtrTkoOp>({scalar, token}, {place, before}, attributes,
                                                    {1, 0, 0, 1});
        value = poll.getResult();
        after = poll.getResultToken();
      }
      mlir::Value ready =
          cuda_tile::CmpIOp::create(b, k.loc(), flag, cuda_tile::ComparisonPredicate::NOT_EQUAL,
                                    value, number(k, 0), cuda_tile::Signedness::Signed);
      k.addIf(ready, [&] { cuda_tile::BreakOp::create(b, k.loc(), mlir::ValueRange{after}); });
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{after});
    }
    mlir::Value seen = b.create(spin)->getResult(0);
    mlir::Value start = cuda_tile::MulIOp::create(b, k.loc(), scalar, other, number(k, count),
                                                  cuda_tile::IntegerOverflow::NSW);
    mlir::Value places = cuda_tile::AddIOp::create(
        b, k.loc(), part, cuda_tile::IotaOp::create(b, k.loc(), part).getResult(),
        k.splat({start, {}}, {count}).ssa, cuda_tile::IntegerOverflow::NSW);
    mlir::Value theirs =
        loadPointers(k, s, part, pointersAt(k, data.base, places), {}, {}, seen).tile;
    cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{combineExactly(k, theirs, own)});
  }
  mlir::Value value = b.create(state)->getResult(0);
  mlir::Value elements = ownElements(k, s, data.base, count);
  mlir::Value written = storePointers(k, s, elements, value, {}, {});
  mlir::Value mine = pointersAt(k, flags.base, me);
  auto attributes = handshake(k, s, MemoryOrderingSemantics::RELEASE);
  if (s.chance(50)) {
    attributes.push_back(
        k.attr("mode", cuda_tile::AtomicRMWModeAttr::get(
                           &k.context(), s.chance(50) ? cuda_tile::AtomicRMWMode::XCHG
                                                      : cuda_tile::AtomicRMWMode::ADD)));
    k.emit<cuda_tile::AtomicRMWTkoOp>({scalar, token}, {mine, number(k, 1), written}, attributes,
                                      {1, 1, 0, 1});
  } else {
    attributes[0] =
        k.attr("memory_ordering_semantics", cuda_tile::MemoryOrderingSemanticsAttr::get(
                                                &k.context(), MemoryOrderingSemantics::RELEASE));
    k.emit<cuda_tile::StorePtrTkoOp>(token, {mine, number(k, 1), written}, attributes,
                                     {1, 1, 0, 1});
  }
  k.note(chain ? "spin-chain" : "spin-on-the-first");
  k.define(value, {Range::full(32)});
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::templateRules() {
  static constexpr Rule kRules[] = {
      {"gemm", 1, applyGemm, 1, "ragged tiles padded with zero"},
      {"split-k", 1, applySplitK, 1, "exact sums added to one tile by all blocks"},
      {"attention", 1, applyAttention, 1, "compared within a bound"},
      {"stencil", 1, applyStencil, 1, "masked at both ends"},
      {"last-block", 1, applyLastBlock, 1, "counter with release and acquire"},
      {"spin", 2, applySpin, 1,
       "flags with release and acquire; a block waits for lower ones only"},
  };
  return kRules;
}
