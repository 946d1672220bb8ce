//===- Sass.h - machine code of NVIDIA GPUs, executed on the CPU ------------------------------===//
//
// A Program is one cubin. A launch executes its kernel instruction by instruction: 32 lanes of a
// warp at once, warps of the resident blocks in turns.
//
// Invariants: a launch is a function of (cubin, configuration, memory): same seed, same report. A
// fault, trap, deadlock or limit ends in a Report, never in a crash or a hang of the host process.
// What the device does not execute is Unsupported, by name and place. No code of the file runs
// natively. One Program must not be launched from two host threads at once.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_SASS_H
#define ORACLES_DEVICES_SASS_SASS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::sass {

/// The order in which warps take turns.
enum class Schedule { FIFO, LIFO, Random };

struct LaunchConfig {
  std::array<uint32_t, 3> grid{1, 1, 1};
  /// Threads of a block; a Tile IR kernel is launched with one and brings its own number.
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  /// Code for the host that fills tensor maps, for a cubin that carries none.
  llvm::ArrayRef<uint8_t> hostObject = {};
  Schedule schedule = Schedule::FIFO;
  uint64_t seed = 0;
  /// Asynchronous copies to shared memory land when they are waited for, not when they are issued.
  bool lateCopies = false;
  uint32_t residentBlocks = 0;            ///< 0: as many as may wait for each other
  uint64_t maxInstructions = 400'000'000; ///< of warps; 0: no limit
  uint64_t maxMillis = 60'000;            ///< wall clock; 0: no limit
  size_t maxPrintedBytes = 1 << 20;

  /// `lifo`, `random`, or else first come. That order sees copies land at once, the others as late
  /// as a wait allows.
  void setSchedule(llvm::StringRef name) {
    schedule = name == "lifo"     ? Schedule::LIFO
               : name == "random" ? Schedule::Random
                                  : Schedule::FIFO;
    lateCopies = schedule != Schedule::FIFO;
  }
};

/// What executes an instruction.
enum class Pipe : uint8_t { Alu, Fma, Double, Special, Uniform, Shared, Global, Tensor, Control };
inline constexpr llvm::StringLiteral kPipeNames[] = {
    "alu", "fma", "double", "special", "uniform", "shared", "global", "tensor", "control"};

struct Counters {
  uint64_t instructions = 0;                            ///< of warps
  uint64_t laneInstructions = 0;                        ///< of lanes whose guard was true
  uint64_t tensor = 0;                                  ///< matrix instructions
  std::array<uint64_t, std::size(kPipeNames)> byPipe{}; ///< of the instructions
  uint64_t stallCycles = 0; ///< what the control words say, of all warps
  uint64_t issueCycles = 0; ///< likewise, where a count of 0 is one cycle
  uint64_t longestWarp = 0; ///< issue cycles of the warp that has the most
  uint64_t yields = 0;      ///< instructions behind which another warp is preferred
  uint64_t sectors = 0;     ///< 32 bytes of global memory, by instruction
  uint64_t wavefronts = 0;  ///< of shared memory
  uint64_t conflicts = 0;   ///< of them, those that more banks would have saved
  uint64_t asyncBytes = 0;  ///< that copies moved to or from shared memory
  uint64_t barriers = 0;    ///< of a block, by warp
  uint64_t decodeMicros = 0, executeMicros = 0;
};

/// Names and values, for reports: `instructions`, `pipe_alu`, `sectors`, ...
std::vector<std::pair<std::string, uint64_t>> namedCounters(const Counters &counters);

struct Report {
  enum Status { Completed, Trapped, Fault, Deadlock, Timeout, Unsupported };
  Status status = Completed;
  std::string message; ///< empty when completed; else what happened, with block, warp and place
  std::string printed;
  Counters counters;
  bool ok() const { return status == Completed; }
};
llvm::StringRef toString(Report::Status status);

struct ProgramImpl;

class Program {
public:
  /// Error: no cubin, or a damaged one.
  static llvm::Expected<std::unique_ptr<Program>> create(llvm::ArrayRef<uint8_t> cubin);
  ~Program();

  std::vector<std::string> kernels() const;
  unsigned sm() const;
  /// True when the kernel brings its own number of threads.
  bool isTileIR(llvm::StringRef kernel) const;
  /// What a block of a launch must be: what the kernel requires, (1, 1, 1) where it brings its own
  /// or requires nothing.
  std::array<uint32_t, 3> blockOf(llvm::StringRef kernel) const;
  /// Where the parameters of a kernel lie in its parameter buffer, in their order.
  struct Parameter {
    unsigned offset, size;
  };
  std::vector<Parameter> parameters(llvm::StringRef kernel) const;

  /// Declares host memory that kernels may access, up to the next multiple of 4 bytes: an atomic
  /// operation on a half reads and writes the word around it.
  void addRange(void *base, uint64_t size, std::string name);
  void clearRanges();
  /// Module variables back to their first contents, and to where the program has them.
  void resetGlobals();
  /// What a variable of the module holds now, constants included. Nothing: there is none of that name.
  std::optional<std::vector<uint8_t>> variable(llvm::StringRef name) const;
  /// From now on the variable lies there, in memory of the caller's that holds its contents. Launches
  /// begin with what a constant holds there.
  void placeVariable(llvm::StringRef name, void *address);

  /// Arguments in the order of the parameters, each as its bytes.
  Report launch(llvm::StringRef kernel, const LaunchConfig &config,
                llvm::ArrayRef<std::vector<uint8_t>> arguments);

  /// One line per instruction: `0010: IADD3 ...`, or why it is not known.
  std::vector<std::string> disassemble(llvm::StringRef kernel) const;

private:
  explicit Program(std::unique_ptr<ProgramImpl> impl);
  std::unique_ptr<ProgramImpl> impl;
};

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_SASS_H
