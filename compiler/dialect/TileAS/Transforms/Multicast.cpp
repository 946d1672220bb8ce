//===- Multicast.cpp - tiles that all blocks of a cluster copy --------------------------------===//
//
// tileas-plan-cta leaves one trace of the block's rank: gpu.cluster_block_id. Values are followed back
// through loops and branches, bounds and conditions included, to parameters, ids and constants.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/Multicast.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

/// Values still to look at; each comes up once.
class Origins {
public:
  explicit Origins(ValueRange values) { add(values); }

  bool allSame() {
    for (size_t next = 0; next < values.size(); ++next)
      if (!follow(values[next]))
        return false;
    return true;
  }

private:
  void add(ValueRange more) { values.insert(more.begin(), more.end()); }

  /// Adds what `value` is computed from; false: it may differ between blocks.
  bool follow(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return followArgument(argument);
    Operation *op = value.getDefiningOp();
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      add(loop.getRegionIterArg(number));
      return true;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      add(loop.getConditionOp().getOperands());
      return true;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      add({branch.getCondition(), branch.thenYield().getOperand(number),
           branch.elseYield().getOperand(number)});
      return true;
    }
    auto isWeak = [](auto load) { return load.getMemSemantic() == tileaa::MemSemantic::weak; };
    bool isWeakLoad = false;
    if (auto load = dyn_cast<LoadOp>(op))
      isWeakLoad = isWeak(load);
    else if (auto load = dyn_cast<TiledLoadOp>(op))
      isWeakLoad = isWeak(load);
    const bool tellsBlock =
        isa<gpu::ClusterBlockIdOp>(op) && !TILESMITH_PLANT("multicast-of-own-tiles");
    if (tellsBlock || (!isWeakLoad && !isMemoryEffectFree(op)))
      return false;
    add(op->getOperands());
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    add(captured.getArrayRef());
    return true;
  }

  bool followArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (isa<tileaa::FuncOp>(parent))
      return true;
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      add({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
      if (argument == loop.getInductionVar())
        return true;
      unsigned index = argument.getArgNumber() - 1;
      add({loop.getInitArgs()[index], loop.getYieldedValues()[index]});
      return true;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      add(loop.getConditionOp().getOperands());
      if (argument.getOwner() == loop.getBeforeBody())
        add({loop.getInits()[argument.getArgNumber()],
             loop.getYieldOp().getOperand(argument.getArgNumber())});
      return true;
    }
    return false;
  }

  llvm::SetVector<Value> values;
};

} // namespace

bool tileas::sameInCluster(ValueRange values) {
  return Origins(values).allSame();
}
