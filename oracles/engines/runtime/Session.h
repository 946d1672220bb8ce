//===- Session.h - launches on memory that somebody else owns ---------------------------------===//
//
// What the C interface (TileRuntime.h), `tilesmith serve` and with it the driver on the CPU are made
// of. A session holds modules and settings; a launch names the memory that it may touch, and leaves
// its results there, at the addresses that the caller has. So pointers inside of buffers mean the
// same on every engine.
//
// Invariants
//  - the kernel touches no byte outside of the ranges of its launch;
//  - with several engines each begins with the memory as it was; what the last one left stays. All
//    are compared: with the bounds of the reference where it is among them, else with the first;
//  - what is compiled is kept with its module, so a second launch compiles nothing; variables of a
//    module keep their contents between launches, for each engine its own, until the caller has a
//    variable in memory of its own: that memory all engines share as they do any other;
//  - a session belongs to one thread at a time.
//
// `reference` and `emulator@…` work in place, and so does `sass` where the module brought its cubin.
// The other engines of the registry are given the launch as a test case, and what they leave is
// copied back. A module of machine code alone runs on the machine-code device, in place, whatever
// engines were asked for: no other one knows what it says.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_RUNTIME_SESSION_H
#define ORACLES_ENGINES_RUNTIME_SESSION_H

#include "oracles/engines/Engine.h"
#include "oracles/engines/EngineSettings.h"

#include <array>
#include <map>

namespace tilesmith::runtime {

/// Memory that kernels may touch.
struct Range {
  uint8_t *base = nullptr;
  uint64_t size = 0;
  std::string name; ///< for messages: "x", "allocation 3"
};

struct Parameter {
  bool isPointer = false;
  unsigned size = 8;                                  ///< bytes
  testcase::DataType dtype = testcase::DataType::I32; ///< of the scalar, or what is pointed to
  unsigned offset = 0;                                ///< in a buffer of all parameters
};

/// Bytes of the ranges of a launch.
struct Span {
  uint64_t base = 0, size = 0;
};

struct Entry {
  std::string name;
  std::vector<Parameter> parameters;
};

/// What a launch found wrong, or could not decide.
struct Finding {
  std::string engine; ///< as it was asked for; of a comparison, both
  std::string kind;   ///< `fault`, `out-of-bounds`, `data-race`, `assertion`, `mismatch` ...
  std::string message;
  std::string kernel;
  std::optional<std::array<int64_t, 3>> block, thread;
  std::string file; ///< source of the kernel; empty when it is not known
  int64_t line = 0, column = 0;
  bool undecided = false; ///< a limit, or what an engine lacks: nothing is wrong

  /// One line with all of it.
  std::string str() const;
};

struct Settings {
  std::string engines = "emulator"; ///< as for --engines
  oracles::EngineOptions options;
  bool reportUninitialised = true; ///< reads of memory that nobody wrote
  double seconds = 60;             ///< of one launch on one engine
  std::string capture;             ///< folder that gets a case per launch; empty: none
  bool captureFindings = false;    ///< only launches with a finding
  /// The reference calls a false assumption undefined behaviour. Not the default, as frontends state
  /// some that nothing relies on.
  bool strictAssumptions = false;
};

class Module;

struct Launch {
  Module *module = nullptr;
  std::string entry;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};   ///< for machine code that brings no number itself
  uint32_t sharedBytes = 0;                    ///< likewise
  std::vector<std::vector<uint8_t>> arguments; ///< the bytes of each
  std::vector<Range> ranges;                   ///< not overlapping
  /// What nobody has written of them: `reference` and `emulator` find who reads it first.
  std::vector<Span> unwritten;
  /// Variables of the module that lie in memory of the caller's, by name; a range of the launch has them.
  std::vector<std::pair<std::string, uint8_t *>> variables;
};

struct LaunchResult {
  std::vector<Finding> findings;
  std::string printed;
  std::string captured; ///< folder of the case; empty: none
  /// What nobody has written now. Engines that do not know leave nothing.
  std::vector<Span> unwritten;
  bool ok() const { return findings.empty(); }
};

class Session {
public:
  Session();
  ~Session();

  /// Error: an unknown engine, an option that none of them has.
  llvm::Error configure(const Settings &settings);
  /// One setting by name, as `TILESMITH_*` variables and configuration files have it: `engine`,
  /// `schedule`, `detect-races`, `uninitialised`, `time-limit`, `capture`, `capture-findings`,
  /// `strict-assumptions`, or any option of engines (`O`, `gpu-name`).
  static llvm::Error set(Settings &settings, llvm::StringRef name, llvm::StringRef value);

  /// Bytecode, a module of `tileiras --emit=emulated`, a cubin, or a fat binary with one. Error: what
  /// is wrong with it. Of `sm`, when it is not 0, machine code must be (`90`).
  llvm::Expected<Module *> load(llvm::StringRef image, unsigned sm = 0);
  void unload(Module *module);
  static llvm::ArrayRef<Entry> entries(const Module &module);
  /// What a variable of a module holds now; nothing where there is none of that name that a host may ask
  /// for. Of bytecode each engine has variables of its own: what the last engine left of them. Error: a
  /// constant of bytecode, which engines read from a copy of their own.
  llvm::Expected<std::optional<std::vector<uint8_t>>> variable(Module &module,
                                                               llvm::StringRef name);

  /// Error: the launch itself is wrong (entry, grid, arguments), so nothing ran.
  llvm::Expected<LaunchResult> launch(const Launch &launch);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The launch as a case: a buffer for each range that a parameter points into, and a table for a
/// parameter whose memory holds addresses of ranges. Error: a pointer that no range holds.
llvm::Expected<testcase::TestCase> toTestCase(const Launch &launch, const Entry &entry,
                                              llvm::StringRef bytecode, std::string name);

} // namespace tilesmith::runtime

#endif // ORACLES_ENGINES_RUNTIME_SESSION_H
