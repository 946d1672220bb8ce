//===- EngineOptions.h - what decides how an engine compiles and runs -------------------------===//
//
// One struct and one table of command-line options: whoever reads a command line, starts a child or
// writes a report goes through the table (OptionTable.h). What an engine of a list is given behind
// its '@' is EngineSettings.h.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_ENGINEOPTIONS_H
#define ORACLES_ENGINES_ENGINEOPTIONS_H

#include "compiler/pipeline/CompileOptions.h"
#include "compiler/support/OptionTable.h"

namespace tilesmith::oracles {

/// What concerns the emulated GPU alone.
struct EmulatorOptions {
  std::string schedule = "fifo"; ///< --schedule: fifo, lifo or random
  bool detectRaces = false;      ///< --detect-races: ten times slower
  /// --counters: the counters of every launch are appended to this file, as lines of JSON; empty:
  /// nothing is counted.
  std::string counterFile;
  bool dumpLowered = false; ///< --dump-lowered: print what is run to standard error
};

/// Engines ignore what does not concern them.
struct EngineOptions {
  CompileOptions compile;                ///< -O, --gpu-name, --warps, --strategies, ...
  std::string profile = "tileiras-13.5"; ///< --profile: verifier rules
  uint64_t seed = 0;                     ///< --seed: order of tile blocks, random schedules
  EmulatorOptions emulator;
  /// --optimize-ir: engine `emulator` runs the LLVM IR that the PTX back end gets, behind LLVM's
  /// optimiser at the level of the compiler, and not the one before.
  bool optimizeIR = false;
  /// --ptxas-level: engine `sass` has ptxas optimise so much; nothing: as much as the compiler.
  std::optional<unsigned> ptxasLevel;
  std::string program; ///< of engine `external`; only behind its '@'
};

/// Every option that a command line can set, in the order in which they are printed.
llvm::ArrayRef<OptionRow<EngineOptions>> engineOptionTable();

/// `-O1`, `--gpu-name=sm_80`, ...: what is not as by default.
std::vector<std::string> printEngineOptions(const EngineOptions &options);

/// Takes such words. Error: what was expected and found.
llvm::Error parseEngineOptions(llvm::ArrayRef<std::string> words, EngineOptions &options);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_ENGINEOPTIONS_H
