//===- PlanCta.cpp - tileas-plan-cta ----------------------------------------------------------===//
//
// The hint num_cta_in_cga = n (2, 4, 8 or 16; sm_90 and newer) gives each tile block a cluster of n
// blocks, or of the half, quarter, ... among which its work can be divided (CtaPlan.h). The function
// is rewritten to the code of one block (CtaRewrite.cpp) and marked: cluster extents in its
// kernel_spec. Elsewhere the hint has no effect; with `remarks`, the reason is told.
//
// Runs before layouts are assigned, so that everything behind it sees ordinary, smaller tiles.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/CtaPlan.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_PLANCTAPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

constexpr int64_t kLanes = 32; // threads of a warp

struct PlanCta : tileas::impl::PlanCtaPassBase<PlanCta> {
  using PlanCtaPassBase::PlanCtaPassBase;

  void runOnOperation() override {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    SmallVector<tileaa::FuncOp> functions;
    getOperation()->walk([&](tileaa::FuncOp function) { functions.push_back(function); });
    for (tileaa::FuncOp function : functions)
      if (failed(plan(function, gpu)))
        return signalPassFailure();
  }

  LogicalResult plan(tileaa::FuncOp function, const target::GpuTarget &gpu) {
    auto spec = function->getAttrOfType<tileaa::KernelSpecAttr>(tileaa::TileAADialect::kKernelSpec);
    int64_t blocks = spec ? spec.getNumCTAs() : 0;
    if (blocks <= 1 || spec.getClusterDimX() > 1 || function.isExternal())
      return success();
    auto decline = [&](const Twine &reason) {
      if (remarks)
        function.emitRemark() << "no clusters of " << blocks << " blocks: " << reason;
      return success();
    };
    if (blocks > 16 || !llvm::isPowerOf2_64(blocks))
      return decline("expected 2, 4, 8 or 16 blocks");
    if (!gpu.has(target::Feature::Clusters))
      return decline("the target has none");
    bool hasAgents = false;
    function->walk([&](tileaa::ExecuteOp) { hasAgents = true; });
    if (hasAgents)
      return decline("agents divide the work of the block");
    const int64_t threads = kLanes * (spec.getNumWarps() > 0 ? spec.getNumWarps() : numWarps);
    std::optional<std::string> reason;
    for (int64_t fewer = blocks; fewer > 1; fewer /= 2) {
      CtaPlan plan(function, fewer, threads, gpu);
      std::optional<std::string> problem = plan.run();
      if (!problem)
        return divide(function, spec, plan);
      if (!reason)
        reason = problem;
    }
    return decline(*reason);
  }

  LogicalResult divide(tileaa::FuncOp function, tileaa::KernelSpecAttr spec, const CtaPlan &plan) {
    function->setAttr(tileaa::TileAADialect::kKernelSpec,
                      tileaa::KernelSpecAttr::get(&getContext(), spec.getNumWarps(), plan.blocks,
                                                  plan.blocks, 1, 1, spec.getOccupancy()));
    if (remarks)
      function.emitRemark() << "clusters of " << plan.blocks << " blocks: each has "
                            << static_cast<int64_t>(plan.share() * 100 + 0.5)
                            << " percent of the work";
    return divideFunction(function, plan, [&](OpPassManager &pipeline, Operation *op) {
      return runPipeline(pipeline, op);
    });
  }
};

} // namespace
