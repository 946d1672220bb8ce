// The emulated GPU: runs the LLVM IR that the NVPTX backend would get on the CPU.
//
// A Program is one module after host lowering (HostLowering.h), compiled by ORC at -O0. A launch
// runs its kernels with one stackful fiber per GPU thread (Scheduler.cpp) or, when a kernel can
// never wait, as a plain loop over threads.
//
// Invariants: a launch is a function of (module, configuration, memory): same seed, same report. A
// fault, trap, deadlock or limit of the kernel ends in a Report, never in a crash or a hang of the
// host process; so does a memory limit of the process where the launch itself maps memory. One
// Program must not be launched from two host threads at once; different Programs may.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tilesmith::emulator {

/// The order in which runnable threads are picked. FIFO starts with thread 0, LIFO with the last
/// thread.
enum class Schedule { FIFO, LIFO, Random };

/// "fifo", "lifo" or "random"; nothing for other spellings.
std::optional<Schedule> parseSchedule(llvm::StringRef text);
llvm::StringRef toString(Schedule schedule);

/// When asynchronous copies land: at once, or as late as the program's waits allow.
enum class AsyncCompletion { Eager, Lazy };

struct LaunchConfig {
  std::array<uint32_t, 3> grid{1, 1, 1};    // blocks
  std::array<uint32_t, 3> block{1, 1, 1};   // threads, at most 1024 in all
  std::array<uint32_t, 3> cluster{1, 1, 1}; // blocks; divides the grid, at most 16 in all
  uint32_t dynamicSharedBytes = 0;
  uint64_t maxSharedBytes =
      0; // of a block, those of the module included; 0: those of the largest chip
  Schedule schedule = Schedule::FIFO;
  AsyncCompletion async = AsyncCompletion::Eager;
  uint64_t seed = 0; // used by Schedule::Random
  /// Reading shared memory that nobody wrote is a fault, and device memory that addUnwritten named
  /// (checked programs).
  bool reportUninitialised = false;
  bool detectRaces = false;    // unordered conflicting accesses are a fault (checked programs)
  bool countAccesses = false;  // sectors and wavefronts (checked programs)
  uint32_t residentBlocks = 0; // 0: one, or several when the kernel may spin on other blocks
  uint64_t maxSteps = 20'000'000'000; // IR instructions over all threads; 0: no limit
  uint64_t maxMillis = 60'000;        // wall clock; 0: no limit
  size_t maxPrintedBytes = 1 << 20;
};

/// Deterministic costs, summed over all threads.
struct Counters {
  uint64_t instructions = 0;    // IR instructions of entered basic blocks, divisions as 16 or more
  uint64_t barriers = 0;        // completed block-wide barriers
  uint64_t collectives = 0;     // completed warp operations (shuffle, vote, mma ...)
  uint64_t mmas = 0;            // of these: matrix operations
  uint64_t asyncBytes = 0;      // bytes moved by asynchronous copies
  uint64_t switches = 0;        // fiber switches
  uint64_t checkedAccesses = 0; // memory accesses that were range checked
  uint64_t threads = 0;         // threads started
  // with LaunchConfig::countAccesses, per warp access:
  uint64_t globalAccesses = 0;   // loads, stores, atomics of global memory
  uint64_t globalSectors = 0;    // 32-byte sectors they touch
  uint64_t idealSectors = 0;     // fewest sectors that could hold the bytes: perfect coalescing
  uint64_t sharedAccesses = 0;   // loads, stores, atomics of shared memory
  uint64_t sharedWavefronts = 0; // passes through the 32 banks
  uint64_t bankConflicts = 0;    // passes more than the bytes need
  // with ProgramOptions::profile:
  std::array<uint64_t, 8> classes{}; // instructions, see instructionClassNames()
};

/// All counters by name, in the order of the fields; the classes as "class.integer" ...
std::vector<std::pair<std::string, uint64_t>> counterFields(const Counters &counters);

/// Everything that may vary between two runs of a correct kernel, chosen by one number: schedule,
/// its seed, when copies land, how many blocks are resident. Seeds 0 and 1 are fifo and lifo.
void chooseSchedule(LaunchConfig &config, uint64_t seed);
/// "fifo, eager copies, 4 resident blocks"
std::string describeSchedule(const LaunchConfig &config);

/// integer, float, memory, atomic, control, conversion, device, other
llvm::ArrayRef<llvm::StringLiteral> instructionClassNames();

struct Report {
  enum Status { Completed, Trapped, Fault, Deadlock, Timeout, Unsupported, OutOfMemory };
  Status status = Completed;
  std::string message; // empty when completed; else what happened, with thread, block and place
  std::string printed; // what printf wrote
  Counters counters;

  bool ok() const { return status == Completed; }
};
llvm::StringRef toString(Report::Status status);

struct ProgramOptions {
  bool checkMemory = true; // range, alignment and shared-memory bounds checks on every access
  bool profile = false;    // count instructions by class
  bool verify = true;      // the module may be broken; it is an error then
  bool dump = false;       // print the rewritten module to standard error
  std::string name = "kernel.ll"; // what errors of the parser call the text
};

struct ProgramImpl;

class Program {
public:
  /// Rewrites and compiles the module. Errors: broken IR, code generation failed, or (with the code
  /// errc::not_enough_memory) the code finds no place in memory. Device
  /// operations that the emulator does not know are no error here: launching a kernel that can
  /// reach one reports Unsupported.
  static llvm::Expected<std::unique_ptr<Program>> create(std::unique_ptr<llvm::Module> module,
                                                         std::unique_ptr<llvm::LLVMContext> context,
                                                         const ProgramOptions &options = {});
  /// Same from textual or binary LLVM IR.
  static llvm::Expected<std::unique_ptr<Program>> parse(llvm::StringRef ir,
                                                        const ProgramOptions &options = {});
  ~Program();

  std::vector<std::string> kernels() const;

  /// Declares host memory that kernels may access. With no range declared, global accesses are not
  /// range checked (an access to unmapped memory is still a Fault). The name appears in fault
  /// messages.
  void addRange(const void *base, size_t size, std::string name);
  void clearRanges();
  /// Of a declared range, disjoint bytes that nobody has written: with
  /// LaunchConfig::reportUninitialised reading them is a fault until something stores there.
  /// clearRanges forgets them.
  void addUnwritten(const void *base, size_t size);
  /// What the launches so far have left of them: address and size, in order.
  std::vector<std::pair<uint64_t, uint64_t>> unwritten() const;

  /// What a variable of the module holds now. Nothing: there is none of that name that hosts may ask for.
  std::optional<std::vector<uint8_t>> variable(llvm::StringRef name) const;
  /// From now on the variable lies there, in memory of the caller's that holds its contents. Its range is
  /// the caller's to declare.
  void placeVariable(llvm::StringRef name, void *address);
  /// Gives the variables of the module their initial contents again, where the program has them, as a
  /// fresh load would.
  void resetGlobals();

  /// Runs one kernel to its end. `args` holds one blob per parameter, in the byte layout of its
  /// type (pointers are host addresses, by-value aggregates their bytes).
  Report launch(llvm::StringRef kernel, const LaunchConfig &config,
                llvm::ArrayRef<std::vector<uint8_t>> args);

private:
  explicit Program(std::unique_ptr<ProgramImpl> impl);
  std::unique_ptr<ProgramImpl> impl;
};

/// The bytes of one kernel argument.
template <typename T> std::vector<uint8_t> argument(T value) {
  std::vector<uint8_t> bytes(sizeof(T));
  __builtin_memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

} // namespace tilesmith::emulator
