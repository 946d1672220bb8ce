//===- Agents.cpp - execute and plugin: agents of a block, and code that a kernel names -------===//
//
//   execute        agent_switch: agent i runs region i on its warps, between two barriers of the
//                  block. Tokens from outside are as good as new inside, those of agents behind it.
//   plugin         a call of the function that it names
//
// Values reach an agent from outside only as scalars, views and pointers: a tile there lies over
// other threads. Tiles that are computed from such values alone are computed once more inside.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Agents.h"

#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileaa_to_tileas;

namespace {

bool isToken(Value value) {
  return isa<tileaa::MemTokenType>(value.getType());
}

class AgentLowering {
public:
  AgentLowering(tileaa::FuncOp function, unsigned warpsByDefault)
      : function(function), warpsByDefault(warpsByDefault), rewriter(function.getContext()) {}

  FailureOr<unsigned> run() {
    SmallVector<tileaa::ExecuteOp> executes;
    function->walk([&](tileaa::ExecuteOp op) { executes.push_back(op); });
    unsigned total = 0;
    for (tileaa::ExecuteOp execute : executes) {
      if (execute->getParentOp() != function)
        return execute.emitOpError("expected agents in the outermost block of a function"),
               failure();
      FailureOr<SmallVector<int32_t>> warps = warpsOf(execute);
      if (failed(warps))
        return failure();
      unsigned sum = llvm::sum_of(*warps);
      if (total && total != sum)
        return execute.emitOpError("agent regions disagree on warp count: expected ")
                   << total << " warps as before, got " << sum,
               failure();
      total = sum;
    }
    if (failed(checkOutside(total)))
      return failure();
    for (tileaa::ExecuteOp execute : executes)
      if (failed(lower(execute)))
        return failure();
    return total;
  }

private:
  FailureOr<SmallVector<int32_t>> warpsOf(tileaa::ExecuteOp execute) {
    if (execute.getAgents().size() < 2)
      return execute.emitOpError("expected two or more agents, got ") << execute.getAgents().size(),
             failure();
    SmallVector<int32_t> warps(execute.getAgents().size(), warpsByDefault);
    if (auto given = execute.getNumWarps())
      warps.assign(given->begin(), given->end());
    for (int32_t count : warps)
      if (count < 1 || !llvm::isPowerOf2_32(count))
        return execute.emitOpError("expected a power of two of warps for each agent, got ")
                   << count,
               failure();
    if (int64_t sum = llvm::sum_of(warps); sum > 32)
      return execute.emitOpError("agent warp count exceeds module budget: ")
                 << sum << " of 32 warps",
             failure();
    return warps;
  }

  /// The code around the agents runs on all their warps, over which tiles and accesses must lie.
  LogicalResult checkOutside(unsigned total) {
    if (total == 0 || llvm::isPowerOf2_32(total))
      return success();
    WalkResult result = function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<tileaa::ExecuteOp>(op))
        return WalkResult::skip();
      bool hasTiles = llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) ||
                      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
      if (!hasTiles && !isa<tileaa::MemoryOpInterface>(op))
        return WalkResult::advance();
      op->emitOpError("stands outside of agents, whose warps must then add up to a power of two, "
                      "got ")
          << total;
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult lower(tileaa::ExecuteOp execute) {
    Location loc = execute.getLoc();
    for (Value result : execute.getResults())
      if (!isToken(result))
        return execute.emitOpError("hands on ")
               << result.getType() << ": agents hand values on by queues, and tokens only";
    for (Region &agent : execute.getAgents())
      if (failed(enclose(execute, agent)))
        return failure();
    if (failed(lowerQueues(function, execute, *warpsOf(execute), sharedBytes)))
      return failure();

    rewriter.setInsertionPoint(execute);
    SmallVector<int32_t> warps = *warpsOf(execute);
    SmallVector<int32_t> registers(warps.size(), 0);
    if (auto given = execute.getMaxRegisters())
      registers.assign(given->begin(), given->end());
    divideRegisters(warps, registers);
    if (!TILESMITH_PLANT("agents-start-unordered"))
      gpu::BarrierOp::create(rewriter, loc);
    auto agents = tileas::AgentSwitchOp::create(rewriter, loc, warps, registers, warps.size());
    gpu::BarrierOp::create(rewriter, loc);
    for (Value result : execute.getResults())
      result.replaceAllUsesWith(newToken(loc));
    for (auto [from, to] : llvm::zip_equal(execute.getAgents(), agents.getAgents())) {
      to.takeBody(from);
      Operation *yield = to.front().getTerminator();
      rewriter.setInsertionPoint(yield);
      tileas::PipelineYieldOp::create(rewriter, loc, ValueRange());
      yield->erase();
    }
    execute.erase();
    return success();
  }

  Value newToken(Location loc) {
    return tileaa::CreateMemTokenOp::create(
        rewriter, loc, tileaa::MemTokenType::get(rewriter.getContext()), ValueRange());
  }

  /// Budgets change hands between whole warpgroups of targets that have `setmaxnreg`; otherwise all
  /// threads share the largest one.
  void divideRegisters(ArrayRef<int32_t> warps, SmallVector<int32_t> &registers) {
    int32_t largest = *llvm::max_element(registers);
    if (largest == 0)
      return;
    bool divisible = target().has(target::Feature::SetMaxNReg) &&
                     llvm::all_of(warps, [](int32_t count) { return count % 4 == 0; }) &&
                     !llvm::is_contained(registers, 0);
    int64_t start = std::clamp(largest, 24, 248);
    if (divisible) {
      int64_t sum = 0, threads = 0;
      for (auto [count, wanted] : llvm::zip_equal(warps, registers)) {
        wanted = std::clamp(int32_t(llvm::alignTo(wanted, 8)), 24, 240);
        sum += int64_t(count) * wanted;
        threads += count;
      }
      start = std::clamp<int64_t>(llvm::alignTo(llvm::divideCeil(sum, threads), 8), 24, 248);
    } else {
      registers.assign(registers.size(), 0);
    }
    tileas::annotations(function).getMaxRegsAttrHelper().setAttr(function,
                                                                 rewriter.getI32IntegerAttr(start));
  }

  const target::GpuTarget &target() {
    return tileaa::getTarget(function->getParentOfType<ModuleOp>());
  }

  //===- what an agent sees of the block ----------------------------------------------------------//

  /// Operands become what the region's arguments stand for; tokens and tiles from outside are made
  /// anew.
  LogicalResult enclose(tileaa::ExecuteOp execute, Region &agent) {
    Block &body = agent.front();
    if (body.getNumArguments() > execute.getOperands().size())
      return execute.emitOpError("expected an operand for each argument of a region, got ")
             << execute.getOperands().size() << " for " << body.getNumArguments();
    for (auto [argument, operand] : llvm::zip(body.getArguments(), execute.getOperands())) {
      if (argument.getType() != operand.getType())
        return execute.emitOpError("expected regions that take ")
               << operand.getType() << ", got " << argument.getType();
      argument.replaceAllUsesWith(operand);
    }
    body.eraseArguments(0, body.getNumArguments());
    rewriter.setInsertionPointToStart(&body);
    IRMapping inside;
    Value token;
    WalkResult result = agent.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands()) {
        Value value = operand.get();
        if (agent.isAncestor(value.getParentRegion()))
          continue;
        if (isToken(value)) {
          if (!token)
            token = newToken(execute.getLoc());
          operand.set(token);
        } else if (isa<RankedTensorType>(value.getType())) {
          Value copy = recompute(value, inside);
          if (!copy) {
            op->emitOpError("takes a tile from outside of its agent, which lies over other "
                            "threads");
            return WalkResult::interrupt();
          }
          operand.set(copy);
        }
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// The tile computed from scalars once more; null when that is not possible.
  Value recompute(Value tile, IRMapping &inside) {
    if (Value known = inside.lookupOrNull(tile))
      return known;
    Operation *op = tile.getDefiningOp();
    if (!op || op->getNumRegions() || !isMemoryEffectFree(op))
      return {};
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()) && !recompute(operand, inside))
        return {};
    rewriter.clone(*op, inside);
    return inside.lookup(tile);
  }

  tileaa::FuncOp function;
  unsigned warpsByDefault;
  IRRewriter rewriter;
  int64_t sharedBytes = 0; ///< of the queues so far
};

} // namespace

FailureOr<unsigned> tileaa_to_tileas::lowerAgents(tileaa::FuncOp function, unsigned numWarps) {
  return AgentLowering(function, numWarps).run();
}

unsigned tileaa_to_tileas::warpsAt(Operation *op, unsigned byDefault) {
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentOp() ? region->getParentOp()->getParentRegion() : nullptr)
    if (auto agents = dyn_cast_or_null<tileas::AgentSwitchOp>(region->getParentOp()))
      return agents.getNumWarps()[region->getRegionNumber()];
  return byDefault;
}

LogicalResult tileaa_to_tileas::callPlugins(Operation *root) {
  SmallVector<tileaa::PluginOp> plugins;
  root->walk([&](tileaa::PluginOp plugin) { plugins.push_back(plugin); });
  for (tileaa::PluginOp plugin : plugins) {
    auto callee =
        SymbolTable::lookupNearestSymbolFrom<tileaa::FuncOp>(plugin, plugin.getSymbolAttr());
    if (!callee || callee.isExternal())
      return plugin.emitOpError("plugin has unsupported feature: no function '")
             << plugin.getSymbol() << "' with a body stands in the module";
    if (TypeRange(callee.getArgumentTypes()) != TypeRange(plugin.getOperands()) ||
        TypeRange(callee.getResultTypes()) != TypeRange(plugin.getResults()))
      return plugin.emitOpError("plugin has unsupported feature: '")
             << plugin.getSymbol() << "' takes and returns other types";
    OpBuilder builder(plugin);
    auto call = tileaa::CallOp::create(builder, plugin.getLoc(), plugin.getResultTypes(),
                                       plugin.getOperands(), plugin.getSymbolAttr(), ArrayAttr(),
                                       ArrayAttr());
    plugin.replaceAllUsesWith(call.getResults());
    plugin.erase();
  }
  return success();
}
