//===- CtaRewrite.cpp - the code of one block of a cluster ------------------------------------===//
//
// The body is written anew in program order, every op once per form in which it is needed. Only a
// few ops know about the rank r of the block, n blocks, and an extent T of a divided dimension:
//   make_range         starts at r * T/n
//   tile of a view     tile extent T/n; the index I with step s becomes I * (s/t) + r * (T/n)/t for
//                      the new step t = gcd(s, T/n), in 64 bits, where it wraps as the origin did
//   whole tile         r-th slice, where an op cannot compute pieces
//   effect of the leader: masked, or moved behind the tensor, where r is not 0
//
// Where one block computes all pieces, r is the number of the piece, and every op that is divided is
// written n times. In the body of a loop all of a piece comes before the next one, as far as operands
// and effects allow, so that no two pieces are alive together but in what the loop carries.
//
// One file, though long: one class, all of whose functions read and write the map of what was emitted.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/CtaPlan.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>
#include <queue>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

class Divider {
public:
  Divider(tileaa::FuncOp function, const CtaPlan &plan)
      : function(function), plan(plan), builder(function.getContext()), blocks(plan.blocks) {}

  void run();

private:
  /// A form and, where the block computes all pieces, the number of one.
  using Part = std::pair<CtaForm, int64_t>;
  using Key = std::pair<Value, Part>;

  /// The value in the form; a piece of it is the one that is being written.
  Value at(Value value, CtaForm form = kWhole) const { return at(value, Part(form, piece)); }
  Value at(Value value, Part part) const {
    if (!isa<RankedTensorType>(value.getType()))
      part.first = kWhole;
    if (part.first == kWhole)
      part.second = 0;
    Value found = values.lookup(Key(value, part));
    assert(found && "a value was not planned");
    return found;
  }
  void bind(Value value, CtaForm form, Value emitted) {
    values[Key(value, Part(form, form == kWhole ? 0 : piece))] = emitted;
  }
  /// Pieces of a tile of this form that are written here.
  int64_t piecesOf(CtaForm form) const { return plan.inTurn && form != kWhole ? blocks : 1; }
  /// All parts of a value; tokens and such are whole.
  SmallVector<Part> partsOf(Value value) const {
    if (tileaa::isToken(value.getType()))
      return {Part(kWhole, 0)};
    SmallVector<CtaForm> forms(plan.forms(value));
    llvm::sort(forms); // linked values were asked in different orders
    SmallVector<Part> parts;
    for (CtaForm form : forms)
      for (int64_t number = 0; number < piecesOf(form); ++number)
        parts.emplace_back(form, number);
    return parts;
  }
  /// Calls `emit` for each piece of the form.
  void eachPiece(CtaForm form, llvm::function_ref<void()> emit);
  SmallVector<Value> expand(ValueRange sources, ValueRange shapers);
  void bindExpanded(ValueRange sources, ValueRange shapers, ValueRange emitted);
  void bindSlices(ValueRange results, ValueRange carried);
  SmallVector<Type> expandTypes(ValueRange sources);
  Type typeOf(Value value, CtaForm form);

  void findRank();
  void emitBlock(Block &block);
  void emitOp(Operation *op);
  void emitFor(scf::ForOp loop);
  void emitWhile(scf::WhileOp loop);
  void emitIf(scf::IfOp branch);
  void emitEffect(Operation *op);
  void emitRepeatable(Operation *op);
  Operation *emitIn(Operation *op, CtaForm form);
  void divideView(Operation *emitted, Operation *op, CtaForm form);
  void adjustAssume(tileaa::AssumeOp emitted, tileaa::AssumeOp op, CtaForm form);
  void leaderOnly(Operation *emitted);
  Value slice(Value whole, CtaForm form);
  Value join(Type type, ArrayRef<Value> tokens);
  void bringPiecesTogether(Block &block);

  Value constant(int64_t value, Type type) {
    return arith::ConstantIntOp::create(builder, loc, type, value);
  }
  Value wide(Value index) {
    Type i64 = builder.getI64Type();
    if (index.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, i64, index);
    return index.getType().isInteger(64) ? index
                                         : Value(arith::ExtUIOp::create(builder, loc, i64, index));
  }
  /// rank * by, in `type`.
  Value rankTimes(int64_t by, Type type);

  tileaa::FuncOp function;
  const CtaPlan &plan;
  OpBuilder builder;
  const int64_t blocks;
  Location loc = UnknownLoc::get(function.getContext());
  Value rank, leader; ///< i32, i1; of a cluster
  int64_t piece = 0;  ///< that is being written, where there are several
  llvm::DenseMap<Key, Value> values;
  llvm::DenseMap<Operation *, int64_t>
      pieceOf; ///< what was written for a piece other than the first
};

Type Divider::typeOf(Value value, CtaForm form) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? Type(pieceType(tensor, form, blocks)) : value.getType();
}

/// `sources` in the forms of `shapers`, to which they are handed on.
SmallVector<Value> Divider::expand(ValueRange sources, ValueRange shapers) {
  SmallVector<Value> result;
  for (auto [source, shaper] : llvm::zip_equal(sources, shapers))
    for (Part part : partsOf(shaper)) {
      if (TILESMITH_PLANT("rows-first-piece-carried"))
        part.second = 0;
      result.push_back(at(source, part));
    }
  return result;
}

SmallVector<Type> Divider::expandTypes(ValueRange sources) {
  SmallVector<Type> result;
  for (Value source : sources)
    for (Part part : partsOf(source))
      result.push_back(typeOf(source, part.first));
  return result;
}

void Divider::bindExpanded(ValueRange sources, ValueRange shapers, ValueRange emitted) {
  auto next = emitted.begin();
  for (auto [source, shaper] : llvm::zip_equal(sources, shapers))
    for (Part part : partsOf(shaper))
      values[Key(source, part)] = *next++;
}

/// Forms that a loop does not carry are slices of what it results in.
void Divider::bindSlices(ValueRange results, ValueRange carried) {
  for (auto [result, argument] : llvm::zip_equal(results, carried))
    for (CtaForm form : plan.forms(result))
      if (!llvm::is_contained(plan.forms(argument), form))
        eachPiece(form, [&] { bind(result, form, slice(at(result), form)); });
}

void Divider::eachPiece(CtaForm form, llvm::function_ref<void()> emit) {
  for (piece = 0; piece < piecesOf(form); ++piece) {
    Block *block = builder.getInsertionBlock();
    Operation *last = block->empty() ? nullptr : &block->back();
    emit();
    if (piece > 0)
      for (Operation *op = last ? last->getNextNode() : &block->front(); op; op = op->getNextNode())
        pieceOf[op] = piece;
  }
  piece = 0;
}

Value Divider::rankTimes(int64_t by, Type type) {
  if (plan.inTurn)
    return constant(TILESMITH_PLANT("rows-piece-not-added") ? 0 : by * piece, type);
  Value own = rank;
  unsigned width = type.getIntOrFloatBitWidth();
  if (width > 32)
    own = arith::ExtUIOp::create(builder, loc, type, own);
  else if (width < 32)
    own = arith::TruncIOp::create(builder, loc, type, own);
  if (TILESMITH_PLANT("cta-rank-not-added"))
    by = 0;
  return arith::MulIOp::create(builder, loc, own, constant(by, type));
}

Value Divider::slice(Value whole, CtaForm form) {
  auto type = cast<RankedTensorType>(whole.getType());
  SmallVector<Value> indices;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    indices.push_back(dim == form ? rankTimes(1, builder.getI32Type())
                                  : constant(0, builder.getI32Type()));
  return tileaa::ExtractSliceOp::create(builder, loc, pieceType(type, form, blocks), whole,
                                        indices);
}

void Divider::run() {
  auto old = cast<tileaa::FuncOp>(function->cloneWithoutRegions());
  old.getBody().takeBody(function.getBody());
  Block &from = old.getBody().front();
  Block *entry = &function.getBody().emplaceBlock();
  for (BlockArgument argument : from.getArguments())
    bind(argument, kWhole, entry->addArgument(argument.getType(), argument.getLoc()));
  builder.setInsertionPointToEnd(entry);
  loc = function.getLoc();
  if (!plan.inTurn)
    findRank();
  emitBlock(from);
  if (plan.areLoopsKept())
    bringPiecesTogether(*entry);
  old->erase();
}

void Divider::findRank() {
  Type i32 = builder.getI32Type();
  Value index =
      gpu::ClusterBlockIdOp::create(builder, loc, builder.getIndexType(), gpu::Dimension::x);
  rank = arith::IndexCastOp::create(builder, loc, i32, index);
  auto bounds = tileaa::BoundedAttr::get(builder.getContext(), 0, blocks - 1);
  rank = tileaa::AssumeOp::create(builder, loc, i32, rank, builder.getArrayAttr({bounds}));
  leader = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rank, constant(0, i32));
}

void Divider::emitBlock(Block &block) {
  for (Operation &op : block) {
    loc = op.getLoc();
    emitOp(&op);
  }
}

void Divider::emitOp(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (auto yield = dyn_cast<scf::YieldOp>(op)) {
    ValueRange shapers = op->getParentOp()->getResults();
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
      shapers = loop.getRegionIterArgs();
    if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
      shapers = loop.getBeforeArguments();
    scf::YieldOp::create(builder, loc, expand(op->getOperands(), shapers));
    return;
  }
  if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    scf::ConditionOp::create(builder, loc, at(condition.getCondition()),
                             expand(condition.getArgs(), op->getParentOp()->getResults()));
    return;
  }
  if (isa<tileaa::ReturnOp>(op)) {
    tileaa::ReturnOp::create(builder, loc, ValueRange());
    return;
  }
  if (isCtaEffect(op))
    return emitEffect(op);
  emitRepeatable(op);
}

void Divider::emitFor(scf::ForOp loop) {
  auto emitted =
      scf::ForOp::create(builder, loc, at(loop.getLowerBound()), at(loop.getUpperBound()),
                         at(loop.getStep()), expand(loop.getInitArgs(), loop.getRegionIterArgs()),
                         /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  emitted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (!emitted.getBody()->empty())
    emitted.getBody()->getTerminator()->erase(); // written when there are no results
  bind(loop.getInductionVar(), kWhole, emitted.getInductionVar());
  ValueRange carried = loop.getRegionIterArgs();
  bindExpanded(carried, carried, emitted.getRegionIterArgs());
  bindExpanded(loop.getResults(), carried, emitted.getResults());
  bindSlices(loop.getResults(), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(emitted.getBody());
  emitBlock(*loop.getBody());
  if (plan.inTurn)
    bringPiecesTogether(*emitted.getBody());
}

/// Orders the operations by piece, then as they are, behind what they use; effects stay in order.
void Divider::bringPiecesTogether(Block &block) {
  SmallVector<Operation *> operations;
  llvm::DenseMap<Operation *, int64_t> number;
  for (Operation &op : block.without_terminator()) {
    number[&op] = int64_t(operations.size());
    operations.push_back(&op);
  }
  SmallVector<SmallVector<int64_t>> behind(operations.size());
  SmallVector<int64_t> open(operations.size(), 0);
  auto order = [&](int64_t first, int64_t second) {
    behind[first].push_back(second);
    ++open[second];
  };
  std::optional<int64_t> lastEffect;
  for (auto [index, op] : llvm::enumerate(operations)) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    for (Region &region : op->getRegions())
      getUsedValuesDefinedAbove(region, used);
    for (Value value : used)
      if (Operation *def = value.getDefiningOp(); def && def->getBlock() == &block)
        order(number[def], int64_t(index));
    if (isMemoryEffectFree(op) || (isa<tileaa::MemoryOpInterface>(op) && !isCtaEffect(op)))
      continue;
    if (lastEffect)
      order(*lastEffect, int64_t(index));
    lastEffect = int64_t(index);
  }
  using Place = std::pair<int64_t, int64_t>;
  std::priority_queue<Place, std::vector<Place>, std::greater<Place>> ready;
  auto free = [&](int64_t index) { ready.emplace(pieceOf.lookup(operations[index]), index); };
  for (size_t index = 0; index < operations.size(); ++index)
    if (!open[index])
      free(int64_t(index));
  while (!ready.empty()) {
    int64_t index = ready.top().second;
    ready.pop();
    operations[index]->moveBefore(block.getTerminator());
    for (int64_t next : behind[index])
      if (!--open[next])
        free(next);
  }
}

void Divider::emitWhile(scf::WhileOp loop) {
  SmallVector<Type> resultTypes = expandTypes(loop.getResults());
  auto emitted = scf::WhileOp::create(builder, loc, resultTypes,
                                      expand(loop.getInits(), loop.getBeforeArguments()));
  bindExpanded(loop.getResults(), loop.getResults(), emitted.getResults());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [source, region] : {std::pair(loop.getBeforeBody(), &emitted.getBefore()),
                                std::pair(loop.getAfterBody(), &emitted.getAfter())}) {
    SmallVector<Type> types = expandTypes(source->getArguments());
    Block *block =
        builder.createBlock(region, {}, types, SmallVector<Location>(types.size(), loop.getLoc()));
    bindExpanded(source->getArguments(), source->getArguments(), block->getArguments());
    emitBlock(*source);
  }
}

void Divider::emitIf(scf::IfOp branch) {
  auto emitted =
      scf::IfOp::create(builder, loc, expandTypes(branch.getResults()), at(branch.getCondition()),
                        /*addThenBlock=*/false, /*addElseBlock=*/false);
  bindExpanded(branch.getResults(), branch.getResults(), emitted.getResults());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [source, region] : {std::pair(&branch.getThenRegion(), &emitted.getThenRegion()),
                                std::pair(&branch.getElseRegion(), &emitted.getElseRegion())}) {
    if (source->empty())
      continue;
    builder.createBlock(region);
    emitBlock(source->front());
  }
}

/// `op` with operands in the forms that results divided along `form` need; results still whole.
Operation *Divider::emitIn(Operation *op, CtaForm form) {
  SmallVector<CtaForm> forms = *operandForms(op, form, blocks);
  IRMapping mapping;
  llvm::SetVector<Value> captured;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, captured);
  for (Value value : captured)
    mapping.map(value, at(value));
  Operation *emitted = builder.clone(*op, mapping);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    emitted->setOperand(i, at(operand, forms[i]));
  emitted->removeAttr(tileaa::kFactsAttr);
  if (form == kWhole)
    return emitted;
  for (Value result : emitted->getResults())
    result.setType(typeOf(result, form));
  divideView(emitted, op, form);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(emitted);
  if (auto range = dyn_cast<tileaa::MakeRangeOp>(emitted)) {
    int64_t extent = cast<RankedTensorType>(range.getResult().getType()).getDimSize(0);
    Type type = range.getStart().getType();
    Value start = arith::AddIOp::create(builder, loc, range.getStart(), rankTimes(extent, type));
    range.getStartMutable().assign(start);
    range.getEndMutable().assign(
        arith::AddIOp::create(builder, loc, start, constant(extent, type)));
  }
  if (auto constantOp = dyn_cast<arith::ConstantOp>(emitted))
    constantOp.setValueAttr(cast<SplatElementsAttr>(cast<arith::ConstantOp>(op).getValue())
                                .resizeSplat(cast<ShapedType>(emitted->getResult(0).getType())));
  if (auto assume = dyn_cast<tileaa::AssumeOp>(emitted))
    adjustAssume(assume, cast<tileaa::AssumeOp>(op), form);
  return emitted;
}

/// Of the promises about a tile, those that hold for a piece.
void Divider::adjustAssume(tileaa::AssumeOp emitted, tileaa::AssumeOp op, CtaForm form) {
  auto piece = cast<RankedTensorType>(emitted.getResult().getType());
  SmallVector<Attribute> kept;
  for (Attribute predicate : op.getPredicates()) {
    if (auto divBy = dyn_cast<tileaa::DivByAttr>(predicate); divBy && divBy.getEvery()) {
      int64_t along = divBy.getAlong().value_or(piece.getRank() - 1);
      if (along == form && piece.getDimSize(form) % *divBy.getEvery() != 0)
        continue;
    }
    if (auto same = dyn_cast<tileaa::SameElementsAttr>(predicate))
      if (piece.getDimSize(form) % std::max<int64_t>(same.getValues()[form], 1) != 0)
        continue;
    kept.push_back(predicate);
  }
  emitted.setPredicatesAttr(builder.getArrayAttr(kept));
}

MutableOperandRange indicesOf(Operation *op) {
  return TypeSwitch<Operation *, MutableOperandRange>(op)
      .Case<tileaa::TiledLoadOp, tileaa::TiledStoreOp, tileaa::TiledAtomicRMWOp,
            tileaa::GatherLoadOp, tileaa::ScatterStoreOp>(
          [](auto access) { return access.getIndicesMutable(); })
      .Default(
          [](Operation *other) -> MutableOperandRange { llvm_unreachable("no access of a view"); });
}

/// Makes an access of a view one of the block's part of the tile.
void Divider::divideView(Operation *emitted, Operation *op, CtaForm form) {
  if (!isa<tileaa::MemoryOpInterface>(op))
    return;
  auto view = dyn_cast<tileaa::TiledViewType>(op->getOperand(0).getType());
  if (!view)
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(emitted);
  auto tiling = op->getOperand(0).getDefiningOp<tileaa::BlockTileOp>();
  int64_t extent = view.getTileShape()[form] / blocks;
  int64_t step = view.getStep(form), newStep = view.isGather() ? 1 : std::gcd(step, extent);
  // Where the tensor is made, not in the loop: tensor copies want one map for all its turns.
  Value tensor = at(tiling.getSource());
  builder.setInsertionPointAfterValue(tensor);
  emitted->setOperand(0, viewOfPieces(builder, tiling, tensor, form, blocks));
  builder.setInsertionPoint(emitted);
  MutableOperandRange indices = indicesOf(emitted);
  OpOperand &index = indices[form];
  if (isa<RankedTensorType>(index.get().getType()))
    return; // sparse: the index tile is divided
  Type i64 = builder.getI64Type();
  Value own = wide(index.get());
  if (step != newStep && !TILESMITH_PLANT("cta-index-not-scaled"))
    own = arith::MulIOp::create(builder, loc, own, constant(step / newStep, i64));
  index.set(arith::AddIOp::create(builder, loc, own, rankTimes(extent / newStep, i64)));
}

/// Nothing happens in the blocks of other ranks.
void Divider::leaderOnly(Operation *emitted) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(emitted);
  if (isa<tileaa::AtomicRMWOp, tileaa::AtomicCASOp, tileaa::TiledAtomicRMWOp>(emitted) &&
      TILESMITH_PLANT("cta-atomic-by-every-block"))
    return;
  auto shaped = [&](Value condition, Type like) -> Value {
    auto tensor = dyn_cast<RankedTensorType>(like);
    if (!tensor)
      return condition;
    auto type = RankedTensorType::get(tensor.getShape(), builder.getI1Type());
    return tileaa::SplatOp::create(builder, loc, type, condition);
  };
  if (auto assertion = dyn_cast<tileaa::AssertOp>(emitted)) {
    Value others = arith::XOrIOp::create(builder, loc, leader, constant(1, builder.getI1Type()));
    Value condition = assertion.getCondition();
    assertion.getConditionMutable().assign(
        arith::OrIOp::create(builder, loc, condition, shaped(others, condition.getType())));
    return;
  }
  if (isa<tileaa::TiledViewType>(emitted->getOperand(0).getType())) {
    auto view = cast<tileaa::TiledViewType>(emitted->getOperand(0).getType());
    MutableOperandRange indices = indicesOf(emitted);
    for (int64_t dim = 0; dim < view.getRank(); ++dim) {
      OpOperand &index = indices[dim];
      if (isa<RankedTensorType>(index.get().getType()))
        continue;
      // 2^60 elements lie behind every tensor.
      Value outside = constant((int64_t(1) << 60) / view.getStep(dim), builder.getI64Type());
      index.set(arith::SelectOp::create(builder, loc, leader, wide(index.get()), outside));
      break;
    }
    if (!TILESMITH_PLANT("cta-leader-keeps-promise"))
      emitted->removeAttr("in_bounds");
    return;
  }
  auto mask = [&](auto access) {
    Value own = shaped(leader, access.getBase().getType());
    if (Value given = access.getMask())
      own = arith::AndIOp::create(builder, loc, given, own);
    access.getMaskMutable().assign(own);
  };
  TypeSwitch<Operation *>(emitted)
      .Case<tileaa::StoreOp, tileaa::AtomicRMWOp, tileaa::AtomicCASOp>(mask)
      .Default([](Operation *) { llvm_unreachable("no effect of a leader"); });
}

void Divider::emitEffect(Operation *op) {
  CtaForm form = plan.formOf(op);
  if (isa<tileaa::PrintOp, tileaa::MessageOp>(op) && !plan.inTurn) {
    auto branch = scf::IfOp::create(builder, loc, leader, /*withElseRegion=*/false);
    for (Value result : op->getResults()) {
      Value token =
          op->getNumOperands() && tileaa::isToken(op->getOperands().back().getType())
              ? at(op->getOperands().back())
              : tileaa::CreateMemTokenOp::create(builder, loc, result.getType(), ValueRange());
      bind(result, kWhole, token);
    }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&branch.getThenRegion().front());
    emitIn(op, kWhole);
    return;
  }
  SmallVector<Value> tokens;
  eachPiece(form, [&] {
    Operation *emitted = emitIn(op, form);
    if (form == kWhole && !plan.inTurn)
      leaderOnly(emitted);
    for (auto [result, own] : llvm::zip_equal(op->getResults(), emitted->getResults())) {
      if (tileaa::isToken(result.getType()))
        tokens.push_back(own);
      else
        bind(result, isa<RankedTensorType>(result.getType()) ? form : kWhole, own);
    }
  });
  for (Value result : op->getResults())
    if (tileaa::isToken(result.getType()))
      bind(result, kWhole, join(result.getType(), tokens));
}

Value Divider::join(Type type, ArrayRef<Value> tokens) {
  if (tokens.empty())
    return tileaa::CreateMemTokenOp::create(builder, loc, type, ValueRange());
  return tokens.size() == 1 ? tokens.front()
                            : tileaa::JoinMemTokenOp::create(builder, loc, type, tokens);
}

void Divider::emitRepeatable(Operation *op) {
  SmallVector<CtaForm> needed;
  bool onlyTokens = op->getNumResults() != 0;
  for (Value result : op->getResults()) {
    onlyTokens &= tileaa::isToken(result.getType());
    for (CtaForm form : plan.forms(result))
      if (!llvm::is_contained(needed, form))
        needed.push_back(form);
  }
  if (onlyTokens && needed.empty())
    needed.push_back(kWhole);
  // What is whole comes first, because pieces may be slices of it.
  llvm::sort(needed);
  SmallVector<Value> tokens;
  for (CtaForm form : needed) {
    eachPiece(form, [&] {
      if (form != kWhole && !operandForms(op, form, blocks)) {
        for (Value result : op->getResults())
          if (llvm::is_contained(plan.forms(result), form))
            bind(result, form, slice(at(result), form));
        return;
      }
      Operation *emitted = emitIn(op, form);
      for (auto [result, own] : llvm::zip_equal(op->getResults(), emitted->getResults())) {
        if (tileaa::isToken(result.getType()))
          tokens.push_back(own);
        else
          bind(result, isa<RankedTensorType>(result.getType()) ? form : kWhole, own);
      }
    });
  }
  for (Value result : op->getResults()) {
    if (!tileaa::isToken(result.getType()))
      continue;
    // A load that nobody needs is gone, its order remains.
    if (tokens.empty() && !TILESMITH_PLANT("cta-unused-load-forgets-order"))
      for (Value operand : op->getOperands())
        if (tileaa::isToken(operand.getType()))
          tokens.push_back(at(operand));
    bind(result, kWhole, join(result.getType(), tokens));
  }
}

} // namespace

/// Indices of pieces that no turn changes are computed in front of their loop, where views of one piece may stand.
static void hoistIndices(tileaa::FuncOp function) {
  function->walk([](LoopLikeOpInterface loop) {
    moveLoopInvariantCode(
        loop.getLoopRegions(),
        [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
        [](Operation *op, Region *) {
          return isPure(op) &&
                 llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
        },
        [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
  });
}

LogicalResult tileas::divideFunction(tileaa::FuncOp function, const CtaPlan &plan,
                                     PipelineRunner run, bool foldShapes) {
  bool hasFacts = false;
  function->walk([&](Operation *op) { hasFacts |= op->hasAttr(tileaa::kFactsAttr); });
  Divider(function, plan).run();
  if (foldShapes)
    hoistIndices(function);
  OpPassManager inference(function->getName().getStringRef());
  if (foldShapes)
    inference.addPass(tileaa::createFoldViewShapesPass());
  if (hasFacts)
    inference.addPass(tileaa::createInferFactsPass());
  return inference.empty() ? success() : run(inference, function);
}
