//===- EngineSettings.cpp - what stands behind the '@' of an engine ---------------------------===//
#include "oracles/engines/EngineSettings.h"

#include "compiler/target/Targets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

using Words = std::vector<std::string>;

/// One kind of setting: all its words, those of some settings, and taking one of its words.
struct SettingRow {
  Words (*all)();
  Words (*print)(const EngineSettings &);
  bool (*take)(EngineSettings &, llvm::StringRef word); ///< false: was set before
};

Words numbered(const char *prefix, std::initializer_list<unsigned> numbers) {
  Words words;
  for (unsigned number : numbers)
    words.push_back(prefix + std::to_string(number));
  return words;
}

Words toWords(llvm::ArrayRef<llvm::StringRef> names) {
  return Words(names.begin(), names.end());
}

/// Sets what was not set.
template <typename Value> bool setOnce(std::optional<Value> &setting, Value value) {
  if (setting)
    return false;
  setting = std::move(value);
  return true;
}
bool setOnce(std::optional<unsigned> &setting, llvm::StringRef digits) {
  unsigned number = 0;
  return !digits.getAsInteger(10, number) && setOnce(setting, number);
}

constexpr SettingRow kSettings[] = {
    {[] { return numbered("O", {0, 1, 2, 3}); },
     [](const EngineSettings &s) { return s.optLevel ? numbered("O", {*s.optLevel}) : Words(); },
     [](EngineSettings &s, llvm::StringRef word) {
       return setOnce(s.optLevel, word.drop_front());
     }},
    {[] {
       Words words;
       for (const target::GpuTarget &gpu : target::gpuTargets())
         words.push_back(gpu.name.str());
       return words;
     },
     [](const EngineSettings &s) { return s.gpuName ? Words{*s.gpuName} : Words(); },
     [](EngineSettings &s, llvm::StringRef word) { return setOnce(s.gpuName, word.str()); }},
    {[] { return numbered("w", {1, 2, 4, 8, 16, 32}); },
     [](const EngineSettings &s) { return s.numWarps ? numbered("w", {*s.numWarps}) : Words(); },
     [](EngineSettings &s, llvm::StringRef word) {
       return setOnce(s.numWarps, word.drop_front());
     }},
    {[] { return toWords(Strategies::all().names()); },
     [](const EngineSettings &s) { return toWords(s.strategies.names()); },
     [](EngineSettings &s, llvm::StringRef word) {
       return !llvm::is_contained(s.strategies.names(), word) && s.strategies.enable(word);
     }},
    {[] { return Words{"fuse-fma"}; },
     [](const EngineSettings &s) { return s.fuseFma ? Words{"fuse-fma"} : Words(); },
     [](EngineSettings &s, llvm::StringRef) { return !std::exchange(s.fuseFma, true); }},
    {[] { return Words{"host-maps"}; },
     [](const EngineSettings &s) { return s.hostMaps ? Words{"host-maps"} : Words(); },
     [](EngineSettings &s, llvm::StringRef) { return !std::exchange(s.hostMaps, true); }},
    {[] { return Words{"optimized"}; },
     [](const EngineSettings &s) { return s.optimizeIR ? Words{"optimized"} : Words(); },
     [](EngineSettings &s, llvm::StringRef) { return !std::exchange(s.optimizeIR, true); }},
    {[] { return numbered("ptxas", {0, 1, 2, 3}); },
     [](const EngineSettings &s) {
       return s.ptxasLevel ? numbered("ptxas", {*s.ptxasLevel}) : Words();
     },
     [](EngineSettings &s, llvm::StringRef word) {
       return setOnce(s.ptxasLevel, word.drop_front(5));
     }},
    {[] { return Words{"draw", "draw0"}; },
     [](const EngineSettings &s) {
       return s.draw == DrawnLevels::None     ? Words()
              : s.draw == DrawnLevels::FromO1 ? Words{"draw"}
                                              : Words{"draw0"};
     },
     [](EngineSettings &s, llvm::StringRef word) {
       auto levels = word == "draw" ? DrawnLevels::FromO1 : DrawnLevels::FromO0;
       return std::exchange(s.draw, levels) == DrawnLevels::None;
     }},
};

} // namespace

std::vector<std::string> tilesmith::oracles::engineSettingWords() {
  Words words;
  for (const SettingRow &row : kSettings)
    llvm::append_range(words, row.all());
  return words;
}

llvm::Expected<EngineSettings> tilesmith::oracles::parseEngineSettings(llvm::StringRef text) {
  EngineSettings settings;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ':');
  for (llvm::StringRef word : words) {
    if (word.contains('/') && setOnce(settings.program, word.str()))
      continue;
    const SettingRow *row = llvm::find_if(
        kSettings, [&](const SettingRow &row) { return llvm::is_contained(row.all(), word); });
    if (row == std::end(kSettings))
      return llvm::createStringError(
          "expected O0 to O3, a GPU name, w1 to w32, a strategy, "
          "fuse-fma, host-maps, optimized, ptxas0 to ptxas3, draw, draw0 or the path of a "
          "program behind the '@', found '" +
          word + "'");
    if (!row->take(settings, word))
      return llvm::createStringError("expected every setting once behind the '@', found '" + word +
                                     "' as well");
  }
  return settings;
}

std::string tilesmith::oracles::printEngineSettings(const EngineSettings &settings) {
  Words words;
  if (settings.program)
    words.push_back(*settings.program);
  for (const SettingRow &row : kSettings)
    llvm::append_range(words, row.print(settings));
  return llvm::join(words, ":");
}

EngineSettings tilesmith::oracles::settingsOf(const EngineOptions &options) {
  const CompileOptions &compile = options.compile;
  return {compile.optLevel,   compile.gpuName,    compile.numWarps, compile.strategies,
          options.optimizeIR, options.ptxasLevel, compile.fuseFma,  compile.hostMaps};
}

llvm::Expected<EngineSpec> tilesmith::oracles::parseEngineSpec(llvm::StringRef text) {
  auto [name, words] = text.split('@');
  EngineSpec spec{name.str(), {}};
  if (!text.contains('@'))
    return spec;
  auto settings = parseEngineSettings(words);
  if (!settings)
    return llvm::createStringError(llvm::toString(settings.takeError()) + " in '" + text + "'");
  spec.settings = std::move(*settings);
  return spec;
}

EngineOptions EngineSettings::applyTo(EngineOptions options, llvm::StringRef caseName) const {
  if (draw != DrawnLevels::None)
    options = drawEngineOptions(std::move(options), caseName, draw);
  options.compile.optLevel = optLevel.value_or(options.compile.optLevel);
  options.compile.gpuName = gpuName.value_or(options.compile.gpuName);
  options.compile.numWarps = numWarps.value_or(options.compile.numWarps);
  if (strategies.any())
    options.compile.strategies = strategies;
  options.optimizeIR |= optimizeIR;
  options.compile.fuseFma |= fuseFma;
  options.compile.hostMaps |= hostMaps;
  if (ptxasLevel)
    options.ptxasLevel = ptxasLevel;
  options.program = program.value_or(options.program);
  return options;
}

namespace {

/// What of a case decides how to draw, as the end of its name says.
enum class Products { None, Loops, Maps, Large, Scaled };

Products productsOf(llvm::StringRef caseName) {
  return caseName.ends_with(kProductsSuffix) ? Products::Loops
         : caseName.ends_with(kMapsSuffix)   ? Products::Maps
         : caseName.ends_with(kLargeSuffix)  ? Products::Large
         : caseName.ends_with(kScaledSuffix) ? Products::Scaled
                                             : Products::None;
}

/// All targets that are drawn, or mostly those that have code of their own for such products.
llvm::SmallVector<llvm::StringRef> gpusFor(Products products, uint64_t hash) {
  llvm::SmallVector<llvm::StringRef> gpus(target::drawnGpus());
  if (products == Products::None || (hash >> 56) % 4 == 0)
    return gpus;
  const bool hasTensorMemory = products == Products::Large && (hash >> 58) % 4 != 0;
  llvm::erase_if(gpus, [&](llvm::StringRef name) {
    const target::GpuTarget &gpu = *target::lookupGpuTarget(name);
    return !gpu.has(target::Feature::Tcgen05) &&
           (hasTensorMemory ||
            !gpu.has(products == Products::Scaled ? target::Feature::MmaSyncBlockScale
                                                  : target::Feature::Wgmma));
  });
  return gpus;
}

/// Second ways exist from -O2 on, where tensor copies do; the last one needs more.
void drawStrategies(CompileOptions &compile, Products products, const target::GpuTarget &gpu,
                    uint64_t hash) {
  static constexpr llvm::StringLiteral kStrategies[] = {
      "warp-specialize", "tma",          "tensor-map",        "warp-specialize,tensor-map", "auto",
      "plain",           "tensor-store", "tensor-store,auto", "dynamic-persistent"};
  static constexpr llvm::StringLiteral kWithMaps[] = {"tensor-map", "warp-specialize,tensor-map"},
                                       kOfLarge[] = {"warp-specialize,tensor-map", "auto",
                                                     "warp-specialize", "tensor-store,auto"};
  const unsigned ofEight = products == Products::Maps || products == Products::Large ? 6
                           : products == Products::Loops                             ? 2
                                                                                     : 1;
  if (compile.optLevel != 3 || !gpu.has(target::Feature::TensorCopy) || (hash >> 24) % 8 >= ofEight)
    return;
  llvm::ArrayRef<llvm::StringLiteral> strategies(kStrategies);
  if (products == Products::Maps)
    strategies = kWithMaps;
  else if (products == Products::Large && (hash >> 28) % 8 != 0)
    strategies = kOfLarge;
  else if (!gpu.has(target::Feature::ClusterLaunchControl))
    strategies = strategies.drop_back();
  llvm::StringRef names = strategies[(hash >> 32) % strategies.size()];
  for (llvm::StringRef name : llvm::cantFail(Strategies::parse(names)).names())
    compile.strategies.enable(name);
}

} // namespace

EngineOptions tilesmith::oracles::drawEngineOptions(EngineOptions options, llvm::StringRef caseName,
                                                    DrawnLevels levels) {
  static constexpr unsigned kWarps[] = {4, 4, 1, 2, 8, 16}; // four is what kernels really get
  // Warpgroups and what only they do: mostly where they exist, and where a compiler uses them.
  static constexpr unsigned kWarpsOfGroups[] = {4, 4, 4, 8, 16, 1};
  static constexpr unsigned kLevels[] = {1, 2, 3}, kLevelsOfGroups[] = {1, 2, 2, 3, 3, 3},
                            kLevelsOfMaps[] = {2, 3, 3, 3};
  const Products products = productsOf(caseName);
  const bool inGroups = products != Products::None;
  CompileOptions &compile = options.compile;
  uint64_t hash = llvm::xxh3_64bits(caseName);
  const bool atZero = levels == DrawnLevels::FromO0 && (hash >> 48) % (inGroups ? 10 : 4) == 0;
  const bool wantsWays = products == Products::Maps || products == Products::Large;
  llvm::ArrayRef<unsigned> drawn = wantsWays  ? llvm::ArrayRef(kLevelsOfMaps)
                                   : inGroups ? llvm::ArrayRef(kLevelsOfGroups)
                                              : llvm::ArrayRef(kLevels);
  compile.optLevel = atZero ? 0 : drawn[hash % drawn.size()];
  const llvm::SmallVector<llvm::StringRef> gpus = gpusFor(products, hash);
  compile.gpuName = gpus[(hash >> 8) % gpus.size()].str();
  const target::GpuTarget &gpu = *target::lookupGpuTarget(compile.gpuName);
  llvm::ArrayRef<unsigned> warps(inGroups ? kWarpsOfGroups : kWarps);
  compile.numWarps = warps[(hash >> 16) % warps.size()];
  drawStrategies(compile, products, gpu, hash);
  options.optimizeIR = (hash >> 40) % 8 == 0;
  compile.hostMaps = gpu.has(target::Feature::TensorCopy) && (hash >> 44) % 2 == 0;
  return options;
}
