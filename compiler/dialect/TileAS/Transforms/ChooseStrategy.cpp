//===- ChooseStrategy.cpp - tileas-choose-strategy --------------------------------------------===//
//
// The strategy `auto`, which is the default: says for each kernel, by an attribute, whether its
// pipelines are filled by all warps with cp.async (`unspecialize`), by tensor copies (`tensor-map`), by warps
// of their own (`warp-specialize`), or by tensor copies that those start. It reads the annotations of
// tileas-generate-schedule; those of loops without products it drops where all warps would copy, whose loads
// then stay where they are.
//
// The cost model (CostModel.h) predicts the clocks of each way: agents where the kernel allows them, tensor
// copies where the target has them and some load may use them. Of those within kClose of the fastest, the one
// is taken whose warps issue the fewest instructions, which compete with all that the model leaves out. The
// remark says the figures of the chosen way, of the plain one, or of the best other one where that was
// chosen, and of the others.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/ChooseStrategy.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
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

StringRef nameOf(Way way) {
  return way.agents         ? (way.tensorCopies ? "warp-specialize tensor-map" : "warp-specialize")
         : way.tensorCopies ? "tensor-map"
                            : "unspecialize";
}

/// What can be done, before anything is predicted; a choice where only one way is left.
std::optional<Choice> collectWays(tileaa::FuncOp function, const target::GpuTarget &gpu,
                                  const CostModel &model, SmallVectorImpl<Way> &ways) {
  const Way plain, specialised{.agents = true, .tensorCopies = true};
  if (!model.hasPipelines())
    return Choice{plain, "no loop is pipelined"};
  if (!model.hasTensorCopies() && !model.isFedByThreads())
    return Choice{plain, "no load of a pipeline may use tensor copies"};
  auto problem = specializationProblem(function, WarpSpecialization());
  if (model.hasSingleStages())
    return problem ? Choice{plain, *problem}
                   : Choice{specialised,
                            "a single stage of each tile fits, which warps of their own fill"};
  ways.push_back(plain);
  if (!model.hasNestedLoops() && model.hasTensorCopies())
    ways.push_back({.agents = false, .tensorCopies = true});
  // Warps that copy by their threads were timed with warpgroup products only.
  if (!problem && !model.hasOnlyLoads() && gpu.has(target::Feature::Wgmma))
    ways.push_back({.agents = true, .tensorCopies = false});
  if (!problem)
    ways.push_back(specialised);
  if (ways.size() == 1)
    return Choice{plain, "no warps can copy ahead of the loop around"};
  return std::nullopt;
}

} // namespace

Choice tileas::chooseStrategy(tileaa::FuncOp function, const target::GpuTarget &gpu,
                              bool hostMaps) {
  if (!gpu.has(target::Feature::TensorCopy))
    return {Way(), "the target has no tensor copies"};
  CostModel model(function, gpu, hostMaps);
  SmallVector<Way> ways;
  if (auto only = collectWays(function, gpu, model, ways))
    return *only;
  SmallVector<std::pair<Prediction, Way>> predicted;
  for (Way way : ways)
    predicted.emplace_back(
        model.predict(way, way.agents ? specializedStages(function, WarpSpecialization()) : 0),
        way);
  double fastest = std::numeric_limits<double>::max();
  for (auto &each : predicted)
    fastest = std::min(fastest, each.first.clocks);
  auto rank = [&](const std::pair<Prediction, Way> &each) {
    const auto &[figures, way] = each;
    const bool isClose = figures.clocks <= (1 + kClose) * fastest;
    return std::tuple(!isClose, isClose ? figures.instructions : figures.clocks, figures.producers,
                      way.agents, way.tensorCopies);
  };
  llvm::sort(predicted, [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
  // The plain way stands second, unless it is chosen.
  if (auto *rival = llvm::find_if(predicted, [](auto &each) { return each.second == Way(); });
      rival > predicted.begin() + 1)
    std::rotate(predicted.begin() + 1, rival, rival + 1);
  std::string text;
  for (auto &[figures, way] : predicted)
    text += llvm::formatv("{0}{1:F0} clocks of a block ({2}) and {3:F0} instructions of a warp",
                          text.empty() ? "predicted " : ", " + nameOf(way).str() + " ",
                          figures.clocks, figures.pipe, figures.instructions)
                .str();
  return {predicted[0].second, text};
}

namespace {

/// Without tensor copies the loads of loops without products stay where they are.
void dropPipelinesOfLoads(tileaa::FuncOp function) {
  function->walk([](scf::ForOp loop) {
    if (isPipelineOfLoads(loop))
      dropSchedule(loop);
  });
}

struct ChooseStrategy : tileas::impl::ChooseStrategyPassBase<ChooseStrategy> {
  using ChooseStrategyPassBase::ChooseStrategyPassBase;

  void runOnOperation() override {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    getOperation()->walk([&](tileaa::FuncOp function) {
      Choice choice = chooseStrategy(function, gpu, hostMaps);
      annotations(function).getStrategyAttrHelper().setAttr(
          function, StrategyAttr::get(&getContext(), choice.way.agents, choice.way.tensorCopies));
      if (!choice.way.tensorCopies)
        dropPipelinesOfLoads(function);
      if (remarks)
        function.emitRemark() << "strategy " << nameOf(choice.way) << ": " << choice.reason;
    });
  }
};

} // namespace
