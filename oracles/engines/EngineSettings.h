//===- EngineSettings.h - what stands behind the '@' of an engine -----------------------------===//
//
// `emulator@O0:sm_80:w8:tma` is the emulator at -O0, for sm_80, with eight warps and a strategy,
// whatever the shared options say. One table lists the settings; parsing and printing are inverse
// of each other, whoever writes the text: a user, a list of engines, a verdict or a report.
//
// `optimized` runs the LLVM IR behind LLVM's optimiser, where a wrong `nsw` or alias fact shows.
//
// `fuse-fma` compiles with products and sums fused: other engines agree where all of them are exact.
// `host-maps` has host code make the tensor maps that follow from the arguments (engines emulator, sass).
//
// `ptxas0` to `ptxas3` is the level of ptxas in engine `sass`: the same PTX, another machine code.
//
// A word with a slash is the path of a program: `external@/opt/cuda/bin/tileiras:sm_90:O2` is the
// code that this compiler makes of the module.
//
// `draw` chooses level, target and number of warps by the name of the case, for one in eight of the
// cases at -O3 on sm_90 or newer a strategy of the compiler, and for one in eight the optimised IR,
// so that a campaign visits all of them and a case still replays alone. The level of `draw` is 1 to
// 3: it is meant to stand beside `@O0`. `draw0` is the same but for one case in four, which it runs
// at -O0: one engine in place of two. Settings beside it win over what is drawn. A name that ends in
// `-products` is of a kernel with products in a loop: it draws targets with products of warpgroups three times
// in four, four warps and high levels mostly, and level 0 once in ten.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_ENGINESETTINGS_H
#define ORACLES_ENGINES_ENGINESETTINGS_H

#include "oracles/engines/EngineOptions.h"

#include <optional>

namespace tilesmith::oracles {

/// The ends of names of cases that say what should be drawn for them: those with loops of products, those of them
/// that tensor maps are tested by, those with products of the size of tensor memory, and those with products that
/// are scaled by blocks.
constexpr llvm::StringLiteral kProductsSuffix = "-products", kMapsSuffix = "-maps",
                              kLargeSuffix = "-large", kScaledSuffix = "-scaled";

/// Which levels are drawn beside everything else.
enum class DrawnLevels { None, FromO1, FromO0 };

/// What is not set is left to the shared options.
struct EngineSettings {
  std::optional<unsigned> optLevel;
  std::optional<std::string> gpuName;
  std::optional<unsigned> numWarps;
  Strategies strategies;   ///< none: left to the shared options
  bool optimizeIR = false; ///< false: left to the shared options
  std::optional<unsigned> ptxasLevel;
  bool fuseFma = false; ///< false: left to the shared options
  bool hostMaps = false;
  DrawnLevels draw = DrawnLevels::None;
  std::optional<std::string> program = {}; ///< of engine `external`

  bool operator==(const EngineSettings &) const = default;
  /// The options of a run of the case: shared ones, what is drawn, then what is set.
  EngineOptions applyTo(EngineOptions options, llvm::StringRef caseName) const;
};

/// Every word that may stand between the colons, in the order in which they are printed.
std::vector<std::string> engineSettingWords();

/// Words separated by colons, in any order. Error: a word that is none, or two for one setting.
llvm::Expected<EngineSettings> parseEngineSettings(llvm::StringRef text);

/// `O0:sm_80:w8:tma`; empty when nothing is set.
std::string printEngineSettings(const EngineSettings &settings);

/// The settings that make these options of any others, as far as settings can.
EngineSettings settingsOf(const EngineOptions &options);

/// `NAME` or `NAME@SETTINGS`: one engine of a list.
struct EngineSpec {
  std::string name;
  EngineSettings settings;
};
llvm::Expected<EngineSpec> parseEngineSpec(llvm::StringRef text);

/// What `draw` or `draw0` chooses for a case, in place of the same fields of `options`.
EngineOptions drawEngineOptions(EngineOptions options, llvm::StringRef caseName,
                                DrawnLevels levels = DrawnLevels::FromO1);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_ENGINESETTINGS_H
