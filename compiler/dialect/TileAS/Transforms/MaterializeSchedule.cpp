//===- MaterializeSchedule.cpp - tileas-materialize-schedule ----------------------------------===//
//
// Turns a loop annotated by tileas-generate-schedule into an asynchronous pipeline of N stages, in
// which every warp both produces and consumes:
//
//   create buffers and the pipeline
//   for s in 0 .. N-2:                     acquire, write (copies of iteration s), commit
//   for i:                                 wait for the stage of iteration i
//                                          acquire, write (copies of i + N-1), commit
//                                          read, the rest of the body, release
//
// Copies of iterations that the loop does not have are left out (uniform conditions); their stages
// are committed empty, so every wait counts alike. With late release all of that is one iteration
// less ahead. Addresses of later iterations come from clones
// of the loads' slices; carried values that they depend on are carried a second time, N-1
// iterations ahead.
//
// Where tiles come by tensor copies, f32 that is only read as tf32 is rounded by the copy: the ring
// holds tf32.
//
// Memory order: the copies stand behind the tokens that the loads had outside of the loop
// (`outerTokens`); those of the loop itself are later than the first, hence behind the same
// writes. The token of a wait replaces the tokens of the loads.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/Transforms/CostModel.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/PipelineLoop.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_MATERIALIZESCHEDULEPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

class LoopRewriter : public PipelineLoop {
public:
  using PipelineLoop::PipelineLoop;

  LogicalResult run() {
    if (failed(analyse()))
      return failure();
    for (ArrayRef<Value> tokens : outer)
      joined.push_back(join(tokens));
    createPipelines();
    fillFirstStages();
    SmallVector<Value> carriedOn{consuming, producing};
    carriedOn.append(ahead);
    replaceLoop(carriedOn, [&](Value at, ArrayRef<Value> values) {
      Value aheadAt = later(at, distance());
      produce(values[0], exists(at, distance()), aheadAt, values.drop_front(), {});
      SmallVector<Value> next = advance(
          TILESMITH_PLANT("pipeline-pointers-advance-at-now") ? at : aheadAt, values.drop_front());
      next.insert(next.begin(), IncIterOp::create(builder, loc, iteratorType, values[0]));
      return next;
    });
    return success();
  }

private:
  /// Iterations between a copy and its use: the stage of the iteration before is free again, or that
  /// of the one before it.
  int64_t distance() const {
    return stages - 1 - (lateRelease && !TILESMITH_PLANT("pipeline-late-release-ignored"));
  }

  Value join(ArrayRef<Value> tokens) {
    if (tokens.empty())
      return {};
    if (tokens.size() == 1)
      return tokens[0];
    return tileaa::JoinMemTokenOp::create(builder, loc, tokens[0].getType(), tokens);
  }

  /// Whether the loop has an iteration `distance` steps after the one at `at`, which it has.
  Value exists(Value at, int64_t distance) {
    Value left = arith::SubIOp::create(builder, loc, loop.getUpperBound(), at);
    auto predicate = TILESMITH_PLANT("pipeline-copies-beyond-the-last") ? arith::CmpIPredicate::uge
                                                                        : arith::CmpIPredicate::ugt;
    return arith::CmpIOp::create(builder, loc, predicate, left,
                                 constantLike(left, distance * step()));
  }

  void fillFirstStages() {
    bool isUnsigned = loop.getUnsignedCmp() && !TILESMITH_PLANT("pipeline-unsigned-as-signed");
    auto predicate = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value some =
        arith::CmpIOp::create(builder, loc, predicate, loop.getLowerBound(), loop.getUpperBound());
    producing = consuming = CreateIteratorOp::create(builder, loc, iteratorType, pipelines.front());
    for (unsigned index : carried)
      ahead.push_back(loop.getInitArgs()[index]);
    for (int64_t stage = 0; stage < distance(); ++stage) {
      Value at = TILESMITH_PLANT("pipeline-first-from-zero")
                     ? constantLike(loop.getLowerBound(), stage * step())
                     : later(loop.getLowerBound(), stage);
      Value condition = some;
      if (stage)
        condition = arith::AndIOp::create(builder, loc, some, exists(loop.getLowerBound(), stage));
      produce(producing, condition, at, ahead, joined);
      if (!TILESMITH_PLANT("pipeline-first-pointers-stay"))
        ahead = advance(at, ahead);
      producing = IncIterOp::create(builder, loc, iteratorType, producing);
    }
  }

  SmallVector<Value> joined; ///< per load: the token it stands behind outside of the loop
  Value consuming, producing;
  SmallVector<Value> ahead;
};

/// Nothing reads the tile but conversions to tf32 that round to nearest even; changes of layout may
/// stand in front of them.
bool isReadAsTF32(Value tile) {
  return !tile.use_empty() && llvm::all_of(tile.getUsers(), [](Operation *user) {
    if (auto convert = dyn_cast<ConvertLayoutOp>(user))
      return isReadAsTF32(convert.getResult());
    auto narrow = dyn_cast<tileaa::FpToFpOp>(user);
    return narrow &&
           (narrow.getRoundingMode() == tileaa::RoundingMode::nearest_even ||
            TILESMITH_PLANT("copy-rounds-in-any-mode")) &&
           isa<FloatTF32Type>(
               cast<RankedTensorType>(narrow.getResult().getType()).getElementType());
  });
}

/// Makes the tile one of tf32, and drops the conversions.
void readAsTF32(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  tile.setType(RankedTensorType::get(type.getShape(), FloatTF32Type::get(type.getContext()),
                                     type.getEncoding()));
  for (Operation *user : llvm::make_early_inc_range(tile.getUsers())) {
    if (isa<ConvertLayoutOp>(user)) {
      readAsTF32(user->getResult(0));
      continue;
    }
    user->getResult(0).replaceAllUsesWith(tile);
    user->erase();
  }
}

struct MaterializeSchedule : tileas::impl::MaterializeSchedulePassBase<MaterializeSchedule> {
  using MaterializeSchedulePassBase::MaterializeSchedulePassBase;

  bool usesTensorMaps(tileaa::FuncOp function) {
    return tensorMaps && (!chosenMaps || chosenStrategy(function).getTensorMap());
  }

  /// Rounds by copies what they can.
  void roundByCopies() {
    getOperation()->walk([&](tileaa::FuncOp function) {
      if (!usesTensorMaps(function))
        return;
      SmallVector<TiledLoadOp> loads;
      function->walk([&](TiledLoadOp load) { loads.push_back(load); });
      for (TiledLoadOp load : loads) {
        auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
        if (!loop || !isScheduledCopy(load) || !isReadAsTF32(load.getResult()) ||
            !cast<RankedTensorType>(load.getResult().getType()).getElementType().isF32() ||
            !mayUseTensorCopy(load, loop, hostMaps))
          continue;
        readAsTF32(load.getResult());
        if (remarks)
          load.emitRemark() << "rounded to tf32 by the copy";
      }
    });
  }

  LogicalResult specializeFunctions() {
    if (producerWarps < 1 || producerWarps > 16) {
      return getOperation()->emitError("expected 1 to 16 for producer-warps, got ")
             << producerWarps;
    }
    getOperation()->walk([&](tileaa::FuncOp function) {
      if (chosen && !chosenStrategy(function).getWarpSpecialize())
        return;
      auto problem = warpSpecialize(function, {producerWarps, producerRegs, consumerRegs,
                                               usesTensorMaps(function), hostMaps});
      if (problem && remarks)
        function.emitRemark() << "not warp-specialised: " << *problem;
    });
    return success();
  }

  /// Threads that compute, too, cannot fill a single stage ahead: the loop stays as it was.
  void leave(scf::ForOp loop) {
    annotations(loop).getNumStagesAttrHelper().removeAttr(loop);
    for (Operation &op : *loop.getBody()) {
      if (isScheduledCopy(&op))
        annotations(&op).getNotPipelinedAttrHelper().setAttr(
            &op, StringAttr::get(&getContext(), "two stages do not fit into shared memory"));
      annotations(&op).getScheduleAttrHelper().removeAttr(&op);
      annotations(&op).getSharedLeftAttrHelper().removeAttr(&op);
    }
    if (remarks)
      loop.emitRemark() << "not pipelined: no warps of their own fill its single stage";
  }

  void runOnOperation() override {
    StringRef name = strategy;
    if (name != kSpecialize && name != kUnspecialize) {
      getOperation()->emitError("expected 'unspecialize' or 'warp-specialize' for "
                                "pipeline-strategy, got '")
          << name << "'";
      return signalPassFailure();
    }
    if (tileaa::getTarget(getOperation()).has(target::Feature::TensorCopy))
      roundByCopies();
    if (name == kSpecialize && failed(specializeFunctions()))
      return signalPassFailure();
    SmallVector<std::pair<scf::ForOp, int64_t>> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (IntegerAttr stages = annotations(loop).getNumStagesAttrHelper().getAttr(loop))
        loops.push_back({loop, stages.getInt()});
    });
    for (auto [loop, stages] : loops)
      if (stages == 1)
        leave(loop);
      else if (failed(LoopRewriter(loop, stages).run()))
        return signalPassFailure();
  }

private:
  static constexpr StringLiteral kSpecialize{"warp-specialize"}, kUnspecialize{"unspecialize"};
};

} // namespace
