//===- EarlyExits.cpp - break, continue and return below ifs become structured ----------------===//
//
// scf has no early exits. Code is re-emitted towards a `Target`, which says what a piece of code
// hands on when it ends by yield, continue, break or return ("payload"):
//   entry     nothing
//   for body  the next iteration values
//   loop body {go on, next iteration values, results (, returned)}: the loop becomes scf.while, and
//             what follows it runs where it has not returned (a `for` never returns)
//   plain if  its results
// An `if` that can be left early becomes an scf.if whose results are the payload of the code around
// it. When only one branch falls through, the rest of the block moves into that branch. When both
// do (an exit further inside), the branches also hand on a flag, and the rest runs under it.
// Payload of a way not taken is filled with zeros.
//
// Ops move and are never cloned, so code size stays linear. Values keep their cuda_tile types;
// conditions become i1 through casts that the conversion folds away.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {
namespace {

using Values = SmallVector<Value>;

void append(Values &to, const Values &from) {
  to.append(from.begin(), from.end());
}

Value createFlag(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

/// Some value of the type; nobody reads it.
Value createDefault(OpBuilder &builder, Location loc, Type type) {
  if (type.isInteger(1))
    return createFlag(builder, loc, false);
  if (llvm::isa<cuda_tile::TokenType>(type))
    return cuda_tile::MakeTokenOp::create(builder, loc, type);
  auto zeros = [&](cuda_tile::TileType tile) -> Value {
    Attribute zero = builder.getZeroAttr(tile.getElementType());
    return cuda_tile::ConstantOp::create(
        builder, loc, tile,
        llvm::cast<DenseIntOrFPElementsAttr>(
            static_cast<Attribute>(DenseElementsAttr::get(tile, zero))));
  };
  auto tile = llvm::dyn_cast<cuda_tile::TileType>(type);
  if (tile && llvm::isa<cuda_tile::PointerType>(tile.getElementType()))
    return cuda_tile::IntToPtrOp::create(
        builder, loc, type, zeros(cuda_tile::TileType::get(tile.getShape(), builder.getI64Type())));
  if (tile &&
      (tile.getElementType().getIntOrFloatBitWidth() >= 8 || tile.getElementType().isInteger(1)))
    return zeros(tile);
  // Half bytes: i4 has no constants.
  if (tile && tile.getElementType().isInteger(4))
    return cuda_tile::TruncIOp::create(
        builder, loc, tile, zeros(cuda_tile::TileType::get(tile.getShape(), builder.getI8Type())),
        cuda_tile::IntegerOverflow::NONE);
  if (tile && llvm::isa<FloatType>(tile.getElementType()))
    return cuda_tile::FToFOp::create(
        builder, loc, tile, zeros(cuda_tile::TileType::get(tile.getShape(), builder.getF32Type())),
        cuda_tile::RoundingMode::NEAREST_EVEN);
  return ub::PoisonOp::create(builder, loc, type);
}

Values createDefaults(OpBuilder &builder, Location loc, TypeRange types) {
  Values values;
  for (Type type : types)
    values.push_back(createDefault(builder, loc, type));
  return values;
}

//===------------------------------------------------------------------------------------------===//
// What can leave
//===------------------------------------------------------------------------------------------===//

/// A return anywhere inside.
bool mayReturn(Operation *op) {
  return op->walk([](cuda_tile::ReturnOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// A return anywhere inside, or a break or continue that is bound to a loop around `op`.
bool mayLeave(Operation *op) {
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps()) {
      if (llvm::isa<cuda_tile::ReturnOp, cuda_tile::BreakOp, cuda_tile::ContinueOp>(inner))
        return true;
      if (llvm::isa<cuda_tile::LoopOp, cuda_tile::ForOp>(inner) ? mayReturn(&inner)
                                                                : mayLeave(&inner))
        return true;
    }
  return false;
}

bool fallsThrough(Region &region) {
  return region.empty() || llvm::isa<cuda_tile::YieldOp>(region.front().back());
}

bool needsStructuring(cuda_tile::EntryOp entry) {
  return entry
      .walk([](Operation *op) {
        return llvm::isa<cuda_tile::LoopOp>(op) || (llvm::isa<cuda_tile::IfOp>(op) && mayLeave(op))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

//===------------------------------------------------------------------------------------------===//
// Targets
//===------------------------------------------------------------------------------------------===//

/// Turns the end of a piece of code into its payload. A way that cannot occur yields no values.
struct Target {
  explicit Target(SmallVector<Type> types) : types(std::move(types)) {}
  virtual ~Target() = default;
  virtual Values onYield(OpBuilder &, Location, Values) { return {}; }
  virtual Values onContinue(OpBuilder &, Location, Values) { return {}; }
  virtual Values onBreak(OpBuilder &, Location, Values) { return {}; }
  virtual Values onReturn(OpBuilder &, Location) { return {}; }

  SmallVector<Type> types;
};

/// Entry, for body, branches of an if that is never left early: values pass through.
struct PassTarget : public Target {
  using Target::Target;
  Values onYield(OpBuilder &, Location, Values values) override { return values; }
  Values onContinue(OpBuilder &, Location, Values values) override { return values; }
};

struct LoopTarget : public Target {
  LoopTarget(TypeRange iter, TypeRange results, bool returns, MLIRContext *context)
      : Target({}), iter(iter), results(results), returns(returns) {
    Type flag = IntegerType::get(context, 1);
    types.push_back(flag);
    types.append(iter.begin(), iter.end());
    types.append(results.begin(), results.end());
    if (returns)
      types.push_back(flag);
  }

  Values payload(OpBuilder &builder, Location loc, bool go, Values iterValues, Values resultValues,
                 bool returned) {
    Values values{createFlag(builder, loc, go)};
    append(values, iterValues);
    append(values, resultValues);
    if (returns)
      values.push_back(createFlag(builder, loc, returned));
    return values;
  }
  Values onContinue(OpBuilder &builder, Location loc, Values values) override {
    return payload(builder, loc, true, values, createDefaults(builder, loc, results), false);
  }
  Values onBreak(OpBuilder &builder, Location loc, Values values) override {
    return payload(builder, loc, false, createDefaults(builder, loc, iter), values,
                   returns && TILESMITH_PLANT("loop-break-as-return"));
  }
  Values onReturn(OpBuilder &builder, Location loc) override {
    return payload(builder, loc, false, createDefaults(builder, loc, iter),
                   createDefaults(builder, loc, results), true);
  }

  TypeRange iter, results;
  bool returns;
};

/// Branches that both may fall through: {falls through, payload of the code around, results of the
/// if}.
struct FlagTarget : public Target {
  FlagTarget(Target &outer, TypeRange results, MLIRContext *context)
      : Target({}), outer(outer), results(results) {
    types.push_back(IntegerType::get(context, 1));
    types.append(outer.types.begin(), outer.types.end());
    types.append(results.begin(), results.end());
  }
  Values leave(OpBuilder &builder, Location loc, Values outerPayload) {
    Values values{createFlag(builder, loc, TILESMITH_PLANT("if-exit-runs-rest"))};
    append(values, outerPayload);
    append(values, createDefaults(builder, loc, results));
    return values;
  }
  Values onYield(OpBuilder &builder, Location loc, Values yielded) override {
    Values values{createFlag(builder, loc, true)};
    append(values, createDefaults(builder, loc, outer.types));
    append(values, yielded);
    return values;
  }
  Values onContinue(OpBuilder &builder, Location loc, Values values) override {
    return leave(builder, loc, outer.onContinue(builder, loc, values));
  }
  Values onBreak(OpBuilder &builder, Location loc, Values values) override {
    return leave(builder, loc, outer.onBreak(builder, loc, values));
  }
  Values onReturn(OpBuilder &builder, Location loc) override {
    return leave(builder, loc, outer.onReturn(builder, loc));
  }

  Target &outer;
  TypeRange results;
};

//===------------------------------------------------------------------------------------------===//
// Emission
//===------------------------------------------------------------------------------------------===//

class Structurer {
public:
  void run(cuda_tile::EntryOp entry) {
    PassTarget target(SmallVector<Type>{});
    Block &body = entry.getBody().front();
    Location loc = body.back().getLoc();
    emitInto(body, target);
    OpBuilder builder = OpBuilder::atBlockEnd(&body);
    cuda_tile::ReturnOp::create(builder, loc, ValueRange());
  }

private:
  /// Continues with the rest of a block when the code before it falls through.
  struct TailTarget : public Target {
    TailTarget(Structurer &structurer, Target &outer, Operation *op)
        : Target(outer.types), structurer(structurer), outer(outer), op(op) {}
    Values onYield(OpBuilder &builder, Location, Values values) override {
      op->replaceAllUsesWith(values);
      return structurer.emit(*op->getBlock(), std::next(op->getIterator()), builder, outer);
    }
    Values onContinue(OpBuilder &builder, Location loc, Values values) override {
      return outer.onContinue(builder, loc, values);
    }
    Values onBreak(OpBuilder &builder, Location loc, Values values) override {
      return outer.onBreak(builder, loc, values);
    }
    Values onReturn(OpBuilder &builder, Location loc) override {
      return outer.onReturn(builder, loc);
    }

    Structurer &structurer;
    Target &outer;
    Operation *op;
  };

  /// Re-emits the ops of `body` in place; the caller adds the terminator.
  Values emitInto(Block &body, Target &target) {
    Block source;
    source.getOperations().splice(source.end(), body.getOperations());
    OpBuilder builder = OpBuilder::atBlockEnd(&body);
    return emit(source, source.begin(), builder, target);
  }

  /// Moves the ops of `source` from `from` on to the builder's place; returns the payload at their
  /// end.
  Values emit(Block &source, Block::iterator from, OpBuilder &builder, Target &target) {
    while (from != source.end()) {
      Operation *op = &*from++;
      Location loc = op->getLoc();
      if (op->hasTrait<OpTrait::IsTerminator>())
        return emitTerminator(op, builder, target);
      auto ifOp = llvm::dyn_cast<cuda_tile::IfOp>(op);
      if (ifOp && mayLeave(ifOp))
        return emitExitingIf(ifOp, builder, target);
      if (auto loop = llvm::dyn_cast<cuda_tile::LoopOp>(op)) {
        bool returns = mayReturn(loop);
        Value returned = emitLoop(loop, builder, returns);
        if (!returns)
          continue;
        auto guard = scf::IfOp::create(builder, loc, target.types, returned, /*addThenBlock=*/true,
                                       /*addElseBlock=*/true);
        fillBranch(guard.getThenRegion(), loc,
                   [&](OpBuilder &inner) { return target.onReturn(inner, loc); });
        fillBranch(guard.getElseRegion(), loc,
                   [&](OpBuilder &inner) { return emit(source, from, inner, target); });
        return Values(guard.getResults());
      }
      if (auto forOp = llvm::dyn_cast<cuda_tile::ForOp>(op)) {
        rebuildBody<cuda_tile::ContinueOp>(forOp.getRegion().front(), op->getResultTypes());
      } else if (ifOp) {
        rebuildBody<cuda_tile::YieldOp>(ifOp.getThenRegion().front(), op->getResultTypes());
        if (!ifOp.getElseRegion().empty())
          rebuildBody<cuda_tile::YieldOp>(ifOp.getElseRegion().front(), op->getResultTypes());
      }
      op->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
    }
    return {};
  }

  Values emitTerminator(Operation *op, OpBuilder &builder, Target &target) {
    Location loc = op->getLoc();
    Values operands(op->getOperands());
    bool isContinue = llvm::isa<cuda_tile::ContinueOp>(op),
         isBreak = llvm::isa<cuda_tile::BreakOp>(op);
    bool isReturn = llvm::isa<cuda_tile::ReturnOp>(op);
    op->erase();
    if (isContinue)
      return target.onContinue(builder, loc, operands);
    if (isBreak)
      return target.onBreak(builder, loc, operands);
    if (isReturn)
      return target.onReturn(builder, loc);
    return target.onYield(builder, loc, operands);
  }

  template <typename Terminator> void rebuildBody(Block &body, TypeRange payload) {
    PassTarget target{SmallVector<Type>(payload)};
    Location loc = body.back().getLoc();
    Values values = emitInto(body, target);
    OpBuilder builder = OpBuilder::atBlockEnd(&body);
    Terminator::create(builder, loc, values);
  }

  template <typename Fn> void fillBranch(Region &region, Location loc, Fn emitValues) {
    Block &block = region.front();
    block.clear();
    OpBuilder builder = OpBuilder::atBlockEnd(&block);
    Values values = emitValues(builder);
    scf::YieldOp::create(builder, loc, values);
  }

  Values emitExitingIf(cuda_tile::IfOp op, OpBuilder &builder, Target &target) {
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    Block &source = *op->getBlock();
    bool thenFalls = fallsThrough(op.getThenRegion()), elseFalls = fallsThrough(op.getElseRegion());
    Value condition = UnrealizedConversionCastOp::create(builder, loc, IntegerType::get(context, 1),
                                                         ValueRange(op.getCondition()))
                          .getResult(0);
    std::unique_ptr<Target> branchTarget;
    if (thenFalls && elseFalls)
      branchTarget = std::make_unique<FlagTarget>(target, op->getResultTypes(), context);
    else
      branchTarget = std::make_unique<TailTarget>(*this, target, op);
    auto result =
        scf::IfOp::create(builder, loc, branchTarget->types, condition, /*addThenBlock=*/true,
                          /*addElseBlock=*/true);
    auto branch = [&](Region &from, Region &to) {
      fillBranch(to, loc, [&](OpBuilder &inner) {
        if (from.empty())
          return branchTarget->onYield(inner, loc, {});
        return emit(from.front(), from.front().begin(), inner, *branchTarget);
      });
    };
    branch(op.getThenRegion(), result.getThenRegion());
    branch(op.getElseRegion(), result.getElseRegion());
    Values payload(result.getResults());
    if (thenFalls && elseFalls) {
      size_t numOuter = target.types.size();
      op->replaceAllUsesWith(result.getResults().drop_front(1 + numOuter));
      auto guard =
          scf::IfOp::create(builder, loc, target.types, result.getResult(0), /*addThenBlock=*/true,
                            /*addElseBlock=*/true);
      fillBranch(guard.getThenRegion(), loc, [&](OpBuilder &inner) {
        return emit(source, std::next(op->getIterator()), inner, target);
      });
      fillBranch(guard.getElseRegion(), loc,
                 [&](OpBuilder &) { return Values(result.getResults().slice(1, numOuter)); });
      payload = Values(guard.getResults());
    }
    // Whatever follows was emitted by now or is never reached.
    while (&source.back() != op.getOperation())
      source.back().erase();
    op.erase();
    return payload;
  }

  /// Replaces the loop by scf.while; returns the "returned" flag when it may return.
  Value emitLoop(cuda_tile::LoopOp loop, OpBuilder &builder, bool returns) {
    Location loc = loop.getLoc();
    SmallVector<Type> iter(loop.getInitValues().getTypes()), results(loop->getResultTypes());
    LoopTarget target(iter, results, returns, loop.getContext());
    ArrayRef<Type> carried = ArrayRef(target.types).drop_front();
    auto whileOp = scf::WhileOp::create(builder, loc, carried, loop.getInitValues());
    Block &before = whileOp.getBefore().emplaceBlock();
    Block &after = whileOp.getAfter().emplaceBlock();
    Block &body = loop.getRegion().front();
    for (BlockArgument argument : body.getArguments())
      argument.replaceAllUsesWith(before.addArgument(argument.getType(), argument.getLoc()));
    before.getOperations().splice(before.end(), body.getOperations());
    Values payload = emitInto(before, target);
    OpBuilder inner = OpBuilder::atBlockEnd(&before);
    scf::ConditionOp::create(inner, loc, payload.front(), ArrayRef<Value>(payload).drop_front());
    for (Type type : carried)
      after.addArgument(type, loc);
    inner.setInsertionPointToEnd(&after);
    scf::YieldOp::create(inner, loc, after.getArguments().take_front(iter.size()));
    bool ofTurn = iter == results && TILESMITH_PLANT("loop-results-of-last-turn");
    loop->replaceAllUsesWith(whileOp.getResults().slice(ofTurn ? 0 : iter.size(), results.size()));
    loop.erase();
    if (returns && TILESMITH_PLANT("loop-return-goes-on"))
      return createFlag(builder, loc, false);
    return returns ? whileOp.getResults().back() : Value();
  }
};

} // namespace

void structureEarlyExits(cuda_tile::EntryOp entry) {
  if (needsStructuring(entry))
    Structurer().run(entry);
}

//===------------------------------------------------------------------------------------------===//
// Tokens
//===------------------------------------------------------------------------------------------===//

void makeTokensExplicit(cuda_tile::EntryOp entry) {
  Value token;
  auto provide = [&](auto op) {
    if (op.getToken())
      return;
    if (!token) {
      OpBuilder builder = OpBuilder::atBlockBegin(&entry.getBody().front());
      token = cuda_tile::MakeTokenOp::create(builder, entry.getLoc(),
                                             cuda_tile::TokenType::get(entry.getContext()));
    }
    op.getTokenMutable().assign(token);
  };
  entry.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<cuda_tile::LoadPtrTkoOp, cuda_tile::StorePtrTkoOp, cuda_tile::LoadViewTkoOp,
              cuda_tile::StoreViewTkoOp, cuda_tile::AtomicCASTkoOp, cuda_tile::AtomicRMWTkoOp,
              cuda_tile::AtomicRedViewTkoOp, cuda_tile::PrintTkoOp>(provide);
  });
}

} // namespace tilesmith::cudatile_to_tileaa
