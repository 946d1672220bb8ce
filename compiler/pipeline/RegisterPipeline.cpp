//===- RegisterPipeline.cpp - tilesmith-pipeline, the list of passes under one name -----------===//
//
// The options are those of CompileOptions that decide which passes run, the stages, and where to
// stop; the list itself stands in Pipeline.cpp.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace tilesmith;

namespace {

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  PipelineOptions() {
    for (const Strategies::Known &one : Strategies::known())
      strategies.push_back(std::make_unique<Option<bool>>(
          *this, one.name, llvm::cl::desc(one.description), llvm::cl::init(false)));
  }

  Option<unsigned> optLevel{*this, "opt-level", llvm::cl::desc("0 to 3"), llvm::cl::init(3)};
  Option<std::string> gpuName{*this, "gpu-name", llvm::cl::desc("target, sm_NN"),
                              llvm::cl::init(CompileOptions().gpuName)};
  Option<unsigned> numWarps{*this, "num-warps", llvm::cl::desc("warps of a block without a hint"),
                            llvm::cl::init(CompileOptions().numWarps)};
  Option<int64_t> optBisectLimit{*this, "opt-bisect-limit",
                                 llvm::cl::desc("run so many optional passes; negative: all"),
                                 llvm::cl::init(-1)};
  Option<std::string> from{*this, "from", llvm::cl::desc("stage of the input"),
                           llvm::cl::init(stageName(Stage::CudaTile).str())};
  Option<std::string> to{*this, "to", llvm::cl::desc("stage of the output"),
                         llvm::cl::init(stageName(Stage::NVVM).str())};
  Option<std::string> stopAfter{*this, "stop-after",
                                llvm::cl::desc("pass behind whose first run nothing runs")};
  Option<bool> fuseFma{*this, "fuse-fma", llvm::cl::desc("fuse products and sums; results change"),
                       llvm::cl::init(false)};
  Option<bool> hostMaps{*this, "host-maps",
                        llvm::cl::desc("host code makes tensor maps from the arguments"),
                        llvm::cl::init(false)};
  Option<bool> remarks{*this, "remarks",
                       llvm::cl::desc("passes say what they did, what not and why"),
                       llvm::cl::init(false)};
  std::vector<std::unique_ptr<Option<bool>>> strategies; ///< in the order of Strategies::known
};

using ErrorHandler = llvm::function_ref<LogicalResult(const Twine &)>;

LogicalResult addPasses(OpPassManager &manager, StringRef text, ErrorHandler error) {
  PipelineOptions given;
  if (failed(given.parseFromString(text)))
    return failure();
  auto stage = [&](StringRef name) { return parseStage(name); };
  std::optional<Stage> from = stage(given.from.getValue()), to = stage(given.to.getValue());
  for (const auto &[parsed, option] : {std::pair(from, &given.from), std::pair(to, &given.to)})
    if (!parsed)
      return error("expected cudatile, tileaa, tileas, gpu or nvvm for '" + option->getArgStr() +
                   "', got '" + option->getValue() + "'");
  if (given.optLevel > 3)
    return error("expected 0 to 3 for 'opt-level', got " + Twine(given.optLevel.getValue()));

  CompileOptions options;
  options.gpuName = given.gpuName;
  options.optLevel = given.optLevel;
  options.numWarps = given.numWarps;
  options.optBisectLimit = given.optBisectLimit;
  options.fuseFma = given.fuseFma;
  options.hostMaps = given.hostMaps;
  for (auto [known, wanted] : llvm::zip_equal(Strategies::known(), given.strategies))
    options.strategies.*known.flag = *wanted;
  int64_t optionalPasses = 0;
  if (!buildPipeline(manager, options, *from, *to, optionalPasses,
                     {given.stopAfter.getValue(), given.remarks}))
    return error("expected a pass that these options run for 'stop-after', got '" +
                 given.stopAfter.getValue() + "'");
  return success();
}

} // namespace

void tilesmith::registerCompilerPipeline() {
  registerPassPipeline(
      "tilesmith-pipeline", "the passes of -O0 to -O3 from one stage of the compiler to another",
      addPasses, [](llvm::function_ref<void(const mlir::detail::PassOptions &)> describe) {
        describe(PipelineOptions());
      });
}
