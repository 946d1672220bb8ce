//===- BlockContext.h - one tile block in execution -------------------------------------------===//
//
// A tile block is a sequential thread of control over tile values. Its control state is an explicit
// stack of frames, so that a block can stop in the middle and go on later (blocks that wait for
// each other), and so that nesting depth costs no host stack. Region bodies of reduce and scan run
// to their end inside the op (they have no effects).
//
// Invariants: the top frame is the region being executed; `next` of each frame is the op to execute
// when it becomes top.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_BLOCKCONTEXT_H
#define REFERENCE_INTERP_BLOCKCONTEXT_H

#include <chrono>
#include <set>

#include "llvm/ADT/DenseSet.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include "reference/interp/Interpreter.h"
#include "reference/interp/Value.h"

namespace tilesmith::reference {

struct RegistryEntry;

/// What all tile blocks of a launch share.
struct LaunchState {
  const Limits &limits;
  const LaunchRequest &request;
  Memory &memory;
  std::map<std::string, uint64_t> globals = {}; ///< symbol to address
  std::vector<std::string> prints = {};
  std::set<std::string> notes = {};
  std::string falseAssumption = {}; ///< the first one that was met, as the note has it
  std::string extension = {};       ///< likewise, of Outcome::extension
  llvm::DenseSet<mlir::Operation *> undecided = {}; ///< ops that notes call undecided
  uint64_t steps = 0, elements = 0, tileBytes = 0;
  std::unique_ptr<RaceDetector> races = nullptr; ///< null when races are not looked for
  std::chrono::steady_clock::time_point deadline = {};
  uint64_t timedSteps = 0, timedElements = 0; ///< when the clock was last looked at
  mlir::Operation *watchedStore = nullptr;    ///< the last one to the byte that is watched
  std::array<int64_t, 3> watchedBlock = {};

  /// Stops the launch when it has used up its steps, elements, tile bytes or time.
  Status checkLimits();
};

/// Induction of a `for`, in a width that cannot overflow.
struct ForState {
  __int128 value = 0, upper = 0, step = 0;
};

struct Frame {
  mlir::Operation *owner; ///< entry, if, for, loop, reduce, scan
  mlir::Block *block;
  mlir::Block::iterator next;
  ForState induction; ///< for `for`
};

class BlockContext {
public:
  BlockContext(LaunchState &launch, std::array<int64_t, 3> blockId, uint32_t number)
      : launch(launch), blockId(blockId), number(number) {}
  ~BlockContext();

  /// Enters the entry with its arguments.
  void enter(mlir::Block &body, mlir::Operation *owner, llvm::ArrayRef<Value> arguments);

  enum class Progress { Finished, Yielded };
  /// Runs until the block finishes, until it waits (Yielded), or until something stops it.
  Status run(Progress &progress);

  // --- for evaluators ---
  const Value &get(mlir::Value v) const;
  const Tile &tile(mlir::Value v) const { return get(v).tile(); }
  const TilePtr &tilePtr(mlir::Value v) const { return get(v).tilePtr(); }
  void set(mlir::Value v, Value value);

  /// The single element of a rank-0 integer operand; stops (inconclusive, `what`) when it is
  /// unspecified.
  Status scalar(mlir::Value v, llvm::StringRef what, uint64_t &bits) const;

  /// Pushes a region's only block with its arguments.
  void push(mlir::Operation *owner, mlir::Block &block, llvm::ArrayRef<Value> arguments);
  std::vector<Frame> &stack() { return frames; }
  /// Runs an effect-free region to its yield and returns the yielded values.
  Status runBody(mlir::Block &block, llvm::ArrayRef<Value> arguments,
                 llvm::SmallVectorImpl<Value> &results);

  /// Called at every strong access: after many of them the other blocks get a turn, because this
  /// one may be waiting.
  void poll();
  /// Storage that lives as long as this tile block.
  void ownAllocation(uint64_t base) { ownedAllocations.push_back(base); }
  void note(const llvm::Twine &text) { launch.notes.insert(text.str()); }
  bool encloses() const { return launch.request.domain == Domain::Enclosure; }
  bool reversesElements() const { return launch.request.seed % 2 != 0; }
  bool contracts() const { return encloses() && launch.request.contraction; }
  /// Notes that a value which enclosures do not decide makes the results of `op` unspecified.
  void noteUndecided(mlir::Operation *op);
  void countElements(size_t n) { launch.elements += n; }

  LaunchState &launch;
  const std::array<int64_t, 3> blockId;
  const uint32_t number; ///< position in the order in which blocks were started

private:
  Status runUntil(size_t depth, bool mayYield);
  Status execute(mlir::Operation *op);
  void noteOrigins(mlir::Operation *op, const RegistryEntry &entry);

  llvm::DenseMap<mlir::Value, Value> environment;
  std::vector<Frame> frames;
  std::vector<uint64_t> ownedAllocations;
  bool yieldRequested = false;
  uint64_t polls = 0;
};

/// A location as text, without the enclosing `loc(...)`.
std::string describeLocation(mlir::Location location);

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_BLOCKCONTEXT_H
