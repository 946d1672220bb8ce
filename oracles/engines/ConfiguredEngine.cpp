//===- ConfiguredEngine.cpp - an engine with settings of its own ------------------------------===//
#include "oracles/engines/ConfiguredEngine.h"

#include "compiler/target/Targets.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <optional>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// One setting each; what is not set is left to the shared options.
struct Settings {
  std::optional<unsigned> optLevel, numWarps;
  std::optional<std::string> gpuName;
  Strategies strategies;
  bool draw = false;
};

class ConfiguredEngine : public Engine {
public:
  ConfiguredEngine(std::unique_ptr<Engine> engine, std::string spec, Settings settings)
      : engine(std::move(engine)), spec(std::move(spec)), settings(std::move(settings)) {}

  llvm::StringRef name() const override { return spec; }
  EngineOptions variation(EngineOptions options) const override {
    return engine->variation(std::move(options)); // the schedule, which no setting touches
  }
  EngineResult run(const EngineRequest &request) override {
    EngineRequest own = request;
    if (settings.draw)
      own.options = drawEngineOptions(own.options, request.testCase.name);
    if (settings.optLevel)
      own.options.optLevel = *settings.optLevel;
    if (settings.numWarps)
      own.options.numWarps = *settings.numWarps;
    if (!settings.strategies.str().empty())
      own.options.strategies = settings.strategies;
    if (settings.gpuName)
      own.options.gpuName = *settings.gpuName;
    EngineResult result = engine->run(own);
    if (settings.draw && !result.message.empty()) // a reader cannot know what was drawn
      result.message +=
          llvm::formatv(" (-O{0} {1}, {2} warps{3}{4})", own.options.optLevel, own.options.gpuName,
                        own.options.numWarps, own.options.strategies.str().empty() ? "" : ", ",
                        llvm::StringRef(own.options.strategies.str()).rtrim());
    return result;
  }

private:
  std::unique_ptr<Engine> engine;
  std::string spec;
  Settings settings;
};

/// Takes one setting; false: unknown.
bool parseSetting(llvm::StringRef text, Settings &settings) {
  unsigned number;
  llvm::StringRef rest = text;
  if (text == "draw")
    settings.draw = true;
  else if (rest.consume_front("O") && !rest.getAsInteger(10, number) && number <= 3)
    settings.optLevel = number;
  else if (rest = text; rest.consume_front("w") && !rest.getAsInteger(10, number) && number <= 32 &&
                        llvm::isPowerOf2_32(number))
    settings.numWarps = number;
  else if (const target::GpuTarget *gpu = target::lookupGpuTarget(text))
    settings.gpuName = gpu->name.str();
  else
    return settings.strategies.enable(text);
  return true;
}

} // namespace

llvm::Expected<std::unique_ptr<Engine>> oracles::configureEngine(std::unique_ptr<Engine> engine,
                                                                 llvm::StringRef spec,
                                                                 llvm::StringRef settings) {
  Settings parsed;
  llvm::SmallVector<llvm::StringRef> parts;
  settings.split(parts, ':');
  for (llvm::StringRef part : parts)
    if (!parseSetting(part, parsed))
      return llvm::createStringError(llvm::formatv("expected O0 to O3, a GPU name, w1 to w32, a "
                                                   "strategy or draw behind the '@' of '{0}', "
                                                   "found '{1}'",
                                                   spec, part)
                                         .str());
  return std::make_unique<ConfiguredEngine>(std::move(engine), spec.str(), std::move(parsed));
}

EngineOptions oracles::drawEngineOptions(EngineOptions options, llvm::StringRef caseName) {
  static constexpr llvm::StringLiteral kGpus[] = {"sm_80", "sm_90", "sm_100", "sm_120"};
  static constexpr unsigned kWarps[] = {4, 4, 1, 2, 8, 16}; // four is what kernels really get
  uint64_t hash = llvm::xxh3_64bits(caseName);
  options.optLevel = 1 + hash % 3;
  options.gpuName = kGpus[(hash >> 8) % std::size(kGpus)].str();
  options.numWarps = kWarps[(hash >> 16) % std::size(kWarps)];
  // Second ways exist from -O2 and sm_90 on; the last one is for sm_100 and newer.
  static constexpr llvm::StringLiteral kStrategies[] = {
      "warp-specialize",   "tma", "tensor-map", "warp-specialize tensor-map", "auto",
      "dynamic-persistent"};
  if (options.optLevel == 3 && options.gpuName != "sm_80" && (hash >> 24) % 8 == 0) {
    size_t count = std::size(kStrategies) - (options.gpuName == "sm_90");
    llvm::SmallVector<llvm::StringRef> names;
    kStrategies[(hash >> 32) % count].split(names, ' ');
    for (llvm::StringRef name : names)
      options.strategies.enable(name);
  }
  return options;
}
