//===- Interpreter.h - runs cuda_tile kernels on the host -------------------------------------===//
//
// The judge: gives every program the meaning that reference/semantics describes, one op at a time,
// straight from the operands. It shares no folding, type inference or lowering with the compiler.
//
// Use: make an Interpreter, place buffers in memory(), launch() as often as wanted, read the
// buffers back.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_INTERPRETER_H
#define REFERENCE_INTERP_INTERPRETER_H

#include <array>
#include <map>
#include <string>
#include <vector>

#include "reference/interp/Status.h"
#include "reference/memory/Memory.h"

namespace tilesmith::cuda_tile {
class ModuleOp;
} // namespace tilesmith::cuda_tile

namespace tilesmith::reference {

/// [spec: step-limit, element-limit, tile-limit, memory-limit, time-limit]
struct Limits {
  uint64_t steps = uint64_t(1) << 26;       ///< ops executed in one launch
  uint64_t elements = uint64_t(1) << 34;    ///< tile elements computed in one launch
  uint64_t memoryBytes = uint64_t(1) << 32; ///< live allocations together
  uint64_t tileBytes = uint64_t(1) << 32;   ///< tiles held by all started tile blocks together
  double seconds = 600;                     ///< wall time of one launch
};

/// What a value is.
enum class Domain {
  Concrete,  ///< the canonical result
  Enclosure, ///< floats stand for every result a legal compiler may produce (value/Enclosure.h)
};

struct LaunchRequest {
  std::string entry;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::vector<uint64_t> arguments; ///< bit patterns, one per entry parameter
  /// Order of the tile blocks: 0 runs them in ascending, 1 in descending order, anything else in a
  /// seeded random order. With an odd seed the elements of strong accesses go from last to first.
  uint64_t seed = 0;
  /// A violated assumption is undefined behaviour instead of a note.
  bool strictAssume = false;
  /// Data races (accesses that no token or release/acquire pair orders) are undefined behaviour
  /// instead of unnoticed.
  bool detectRaces = false;
  Domain domain = Domain::Concrete;
  /// Enclosure domain: a compiler may fuse a product into the sum that alone uses it, as foreign
  /// compilers do [spec: float-no-contraction]. Ours never does.
  bool contraction = false;
  /// The outcome names the last store to the byte at this address; 0: none is looked for.
  uint64_t watched = 0;
  /// Globals that lie in memory of the caller's, which holds their contents: name and address.
  std::vector<std::pair<std::string, uint64_t>> placed;
};

/// A store to the byte that a launch was asked to watch.
struct WatchedStore {
  std::string op, location;
  std::array<int64_t, 3> block = {0, 0, 0};
};

/// How a launch ended.
struct Outcome {
  enum class Kind { Completed, Trapped, Undefined, Inconclusive, Unsupported, BadLaunch };
  Kind kind = Kind::Completed;
  std::string detail;   ///< label of the rule that stops it: "out-of-bounds", "step-limit"
  std::string message;  ///< assertion text, or one line of explanation
  std::string op;       ///< the op that stopped the launch
  std::string location; ///< its source location
  std::array<int64_t, 3> block = {0, 0, 0};
  std::vector<std::string>
      prints; ///< one entry per executed print of one block, in order of execution
  std::vector<std::string> notes; ///< violated assumptions and other remarks, each at most once
  /// With detectRaces: not empty if nothing fixes the order of two strong accesses and it shows, so
  /// that this outcome is one of several legal ones. Names both ops.
  std::string openOrder;
  /// Not empty if the kernel assumes what is not so: the first such note. A compiler may have
  /// relied on it, so results that differ from this outcome prove nothing [spec: assume-false].
  std::string falseAssumption;
  /// Not empty if this outcome rests on what the reference defines and public text does not: the
  /// first such step. Our compiler keeps to it, another one need not [spec: choice-index-beyond].
  std::string extension;
  std::optional<WatchedStore> watched; ///< nothing where no store wrote the byte
  uint64_t steps = 0, elements = 0;

  bool completed() const { return kind == Kind::Completed; }
  /// All prints joined.
  std::string printed() const;
  /// `undefined [out-of-bounds]: ... at 'cuda_tile.load_ptr_tko', block [0, 0, 0], loc(...)`
  std::string describe() const;
};

llvm::StringRef spelling(Outcome::Kind kind);

class Interpreter {
public:
  explicit Interpreter(Limits limits = {}) : limits(limits), deviceMemory(limits.memoryBytes) {}

  Memory &memory() { return deviceMemory; }

  /// Runs every tile block of one launch. Globals of a module are initialised at its first launch
  /// and keep their contents afterwards. The module must have passed the verifier.
  Outcome launch(cuda_tile::ModuleOp module, const LaunchRequest &request);

  /// What a global holds now. Nothing: the module has none of that name.
  std::optional<std::vector<uint8_t>> global(cuda_tile::ModuleOp module, llvm::StringRef name);

private:
  Limits limits;
  Memory deviceMemory;
  std::map<std::pair<const void *, std::string>, uint64_t> globals;
};

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_INTERPRETER_H
