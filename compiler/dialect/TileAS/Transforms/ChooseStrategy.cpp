//===- ChooseStrategy.cpp - tileas-choose-strategy --------------------------------------------===//
//
// The strategy `auto`, which is the default: says for each kernel, by an attribute, whether its
// pipelines are filled by all warps with cp.async (`unspecialize`), by tensor copies (`tensor-map`),
// or by tensor copies that warps of their own start (`warp-specialize tensor-map`). It reads the
// annotations of tileas-generate-schedule and changes nothing else.
//
// The cost model (CostModel.h) predicts the clocks of each way: agents where the kernel allows them,
// tensor copies where the target has them and some load may use them. Of those within kClose of the
// fastest, the one whose warps issue the fewest instructions is taken: the model counts peaks, and
// what is issued competes with all that it leaves out. The remark says the figures of the chosen
// way and of the plain one, or of the best other one.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/CostModel.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/PipelineLoop.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_CHOOSESTRATEGYPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// Predictions that differ by less than this share claim no order.
constexpr double kClose = 0.05;

StringRef nameOf(Fill fill) {
  return fill == Fill::Specialised ? "warp-specialize tensor-map"
         : fill == Fill::Bulk      ? "tensor-map"
                                   : "unspecialize";
}

struct Choice {
  Fill fill = Fill::Plain;
  std::string reason;
};

Choice choose(tileaa::FuncOp function, const target::GpuTarget &gpu) {
  if (!gpu.has(target::Feature::TensorCopy))
    return {Fill::Plain, "the target has no tensor copies"};
  CostModel model(function, gpu);
  if (!model.hasPipelines())
    return {Fill::Plain, "no loop is pipelined"};
  if (!model.hasTensorCopies())
    return {Fill::Plain, "no load of a pipeline may use tensor copies"};
  if (model.hasSingleStages()) {
    if (auto problem = specializationProblem(function, WarpSpecialization()))
      return {Fill::Plain, *problem};
    return {Fill::Specialised, "a single stage of each tile fits, which warps of their own fill"};
  }
  SmallVector<Fill> fills{Fill::Plain};
  if (!model.hasNestedLoops())
    fills.push_back(Fill::Bulk);
  if (!specializationProblem(function, WarpSpecialization()))
    fills.push_back(Fill::Specialised);
  if (fills.size() == 1)
    return {Fill::Plain, "no warps can copy ahead of the loop around"};
  SmallVector<std::pair<Prediction, Fill>> ways;
  double fastest = std::numeric_limits<double>::max();
  for (Fill fill : fills) {
    ways.emplace_back(model.predict(fill), fill);
    fastest = std::min(fastest, ways.back().first.clocks);
  }
  auto rank = [&](const std::pair<Prediction, Fill> &way) {
    bool isClose = way.first.clocks <= (1 + kClose) * fastest;
    return std::tuple(!isClose, isClose ? way.first.instructions : way.first.clocks, way.second);
  };
  llvm::sort(ways, [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
  auto text = [](const std::pair<Prediction, Fill> &way) {
    return llvm::formatv("{0:F0} clocks of a block ({1}) and {2:F0} instructions of a warp",
                         way.first.clocks, way.first.pipe, way.first.instructions)
        .str();
  };
  auto rival = ways[0].second == Fill::Plain
                   ? ways[1]
                   : *llvm::find_if(ways, [](auto &way) { return way.second == Fill::Plain; });
  return {ways[0].second,
          "predicted " + text(ways[0]) + ", " + nameOf(rival.second).str() + " " + text(rival)};
}

struct ChooseStrategy : tileas::impl::ChooseStrategyPassBase<ChooseStrategy> {
  using ChooseStrategyPassBase::ChooseStrategyPassBase;

  void runOnOperation() override {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    getOperation()->walk([&](tileaa::FuncOp function) {
      Choice choice = choose(function, gpu);
      annotations(function).getStrategyAttrHelper().setAttr(
          function, StrategyAttr::get(&getContext(), choice.fill == Fill::Specialised,
                                      choice.fill != Fill::Plain));
      if (remarks)
        function.emitRemark() << "strategy " << nameOf(choice.fill) << ": " << choice.reason;
    });
  }
};

} // namespace
