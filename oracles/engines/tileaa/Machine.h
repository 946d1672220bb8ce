//===- Machine.h - one tile block of an nv_tileaa function in execution -----------------------===//
//
// Executes modules of nv_tileaa, arith, math and scf tile by tile: what convert-cudatile-to-tileaa
// leaves behind, before or after canonicalization. A value is a tile (rank 0: a scalar), a view of
// a tensor in memory, or a token, which carries nothing: effects happen in program order.
//
// Invariants
//  - no evaluator asks an op to fold, to infer types or to canonicalise: it computes from operands;
//  - poison is an Unknown element, not undefined behaviour; only what MLIR calls immediate UB
//    stops;
//  - control state is a stack of frames, so a block that polls memory can give way to the others.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_TILEAA_MACHINE_H
#define ORACLES_ENGINES_TILEAA_MACHINE_H

#include "mlir/IR/Operation.h"

#include "reference/interp/Status.h"
#include "reference/interp/Value.h"
#include "reference/memory/Memory.h"

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace tilesmith::oracles::tileaa_engine {

using reference::Element;
using reference::ElementType;
using reference::State;
using reference::Status;
using reference::Tile;
using reference::unknownElement;

/// Element type of a scalar, or of the elements of a tensor; index counts as i64. Nullopt for
/// anything else.
std::optional<ElementType> elementTypeOf(mlir::Type type);
/// Element type behind a pointer, a tensor of pointers, a memref or a view.
std::optional<ElementType> pointeeTypeOf(mlir::Type type);
/// Extents of a tensor; none for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);

class Machine;
class OpTable;

/// Told about every element access of one tile block; stages with threads watch for hazards.
class AccessObserver {
public:
  virtual ~AccessObserver() = default;
  /// Element `index` of the accessed tile; strong accesses are those with an ordering, and atomics.
  virtual Status access(mlir::Operation *op, size_t index, uint64_t address, unsigned size,
                        bool isWrite, bool isStrong) = 0;
  /// The threads of the block meet.
  virtual void barrier() = 0;
  /// The block is the one of rank `rank` in the cluster whose first block `first` watches.
  virtual void joinCluster(AccessObserver & /*first*/, int64_t /*rank*/) {}
  /// The threads of all blocks of the cluster meet; the last one `completes` it.
  virtual void clusterBarrier(bool /*completes*/) { barrier(); }
};

/// The blocks that execute one tile block together.
struct Cluster {
  int64_t blocks = 1;
  int64_t arrived = 0;   ///< at the barrier that is not complete
  uint64_t barriers = 0; ///< complete ones
};

/// What all tile blocks of a launch share.
struct LaunchState {
  reference::Memory &memory;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::map<std::string, uint64_t> globals; ///< symbol to address
  std::string printed;
  uint64_t steps = 0, elements = 0;
  uint64_t stepLimit = uint64_t(1) << 27, elementLimit = uint64_t(1) << 34;
  const OpTable *ops = nullptr; ///< null: those of nv_tileaa
  /// Makes the observer of one block; may be empty.
  std::function<std::unique_ptr<AccessObserver>()> makeObserver = {};
};

struct Frame {
  mlir::Operation *owner;
  mlir::Block *block;
  mlir::Block::iterator next;
  __int128 value = 0, upper = 0, step = 0; ///< of an scf.for
};

class Machine {
public:
  using Value = reference::Value;

  Machine(LaunchState &launch, std::array<int64_t, 3> blockId);
  ~Machine();
  Machine(const Machine &) = delete;

  /// Runs until the block finishes or gives way; `finished` says which.
  Status run(bool &finished);

  const Value &get(mlir::Value v) const { return environment.find(v)->second; }
  const Tile &tile(mlir::Value v) const { return get(v).tile(); }
  void set(mlir::Value v, Value value) { environment[v] = std::move(value); }
  /// The only element of an integer scalar.
  Status scalar(mlir::Value v, llvm::StringRef what, uint64_t &bits) const;
  llvm::SmallVector<Value> values(mlir::ValueRange range) const;
  void setAll(mlir::ValueRange results, llvm::ArrayRef<Value> values);

  void push(mlir::Operation *owner, mlir::Block &block, llvm::ArrayRef<Value> arguments);
  /// Runs an effect-free region to its terminator and returns what that hands on.
  Status runBody(mlir::Block &block, llvm::ArrayRef<Value> arguments,
                 llvm::SmallVectorImpl<Value> &results);
  std::vector<Frame> &stack() { return frames; }

  /// Called at every strong access: now and then the other blocks get a turn.
  void poll() { giveWay |= ++polls % 64 == 0; }
  /// Runs the current operation again when the other blocks have had a turn.
  void repeat() {
    --frames.back().next;
    giveWay = true;
  }
  /// The regions run at the same time: in turn, as they wait for each other.
  void startAgents(mlir::Operation *owner, mlir::MutableArrayRef<mlir::Region> agents,
                   llvm::ArrayRef<Value> arguments);
  /// The agent that runs has come to its end; its frame is gone.
  void endAgent();
  /// The next agent goes on; the one that runs repeats its operation when it is its turn again.
  Status giveTurn();
  void own(uint64_t allocation) { owned.push_back(allocation); }
  void count(size_t elements) { launch.elements += elements; }

  /// Copies that are under way: into which buffer, and what. The key names pipeline and stage.
  struct Copy {
    mlir::Value buffer;
    uint64_t first;
    Tile data;
  };
  std::map<std::pair<void *, uint64_t>, std::vector<Copy>> copies;

  /// What the agents of a block have done with a stage: how often it was filled and given back.
  struct StageUse {
    uint64_t waited = 0, released = 0, committed = 0; ///< committed by any of those that fill it
    std::map<unsigned, uint64_t> acquired;            ///< by agent
  };
  std::map<std::pair<void *, uint64_t>, StageUse> stageUses;
  /// What the second of two sets of columns of tensor memory holds, by their accumulator.
  std::map<void *, Value> secondColumns;
  /// Items in a queue that a consuming agent has not taken.
  std::map<std::pair<void *, mlir::Region *>, std::deque<llvm::SmallVector<Value>>> queues;
  /// Handles of memory tokens at which an agent has arrived.
  std::set<void *> arrivedTokens;
  /// Frames of the agents that do not run at the moment; taken in turn.
  std::deque<std::vector<Frame>> waitingAgents;
  std::vector<Frame> blockFrames; ///< below agent_switch, once its first agent has ended
  uint64_t idleTurns = 0;         ///< turns since an agent got what it waited for

  LaunchState &launch;
  const std::array<int64_t, 3> blockId;
  std::unique_ptr<AccessObserver> observer; ///< may be null
  std::shared_ptr<Cluster> cluster = std::make_shared<Cluster>();
  int64_t rank = 0;                       ///< in the cluster
  std::optional<uint64_t> awaitedBarrier; ///< number of the cluster barrier at which it waits

private:
  Status runUntil(size_t depth, bool mayYield);
  Status execute(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, Value> environment;
  std::vector<Frame> frames;
  std::vector<uint64_t> owned;
  uint64_t polls = 0;
  bool giveWay = false;
};

using Evaluator = Status (*)(Machine &, mlir::Operation *);

/// How an op takes part: by an evaluator, or with the reason why it has none.
struct OpEntry {
  Evaluator evaluate = nullptr;
  bool elementwise = false; ///< works element by element, so bodies may run on many at once
  llvm::StringRef reason;
};

/// The table of all ops by name.
class OpTable {
public:
  static const OpTable &get();
  const OpEntry *lookup(llvm::StringRef name) const {
    auto it = entries.find(name);
    return it == entries.end() ? nullptr : &it->second;
  }
  const OpEntry *lookup(mlir::Operation *op) const { return lookup(op->getName().getStringRef()); }

  template <typename Op, Status (*function)(Machine &, Op)> void add(bool elementwise = false) {
    entries[Op::getOperationName()] = {
        [](Machine &machine, mlir::Operation *op) { return function(machine, mlir::cast<Op>(op)); },
        elementwise,
        {}};
  }
  template <typename Op, Status (*function)(Machine &, Op)> void addElementwise() {
    add<Op, function>(true);
  }
  /// `names` are separated by spaces.
  void addWithout(llvm::StringRef dialect, llvm::StringRef names, llvm::StringRef reason);
  const llvm::StringMap<OpEntry> &all() const { return entries; }
  OpEntry &entry(llvm::StringRef name) { return entries[name]; }

private:
  llvm::StringMap<OpEntry> entries;
};

void registerInteger(OpTable &table);
void registerFloat(OpTable &table);
void registerConversion(OpTable &table);
void registerShape(OpTable &table);
void registerMemory(OpTable &table);
void registerMatrix(OpTable &table);
void registerReduction(OpTable &table);
void registerControl(OpTable &table);
void registerMisc(OpTable &table);
void registerAgents(OpTable &table);

/// Evaluators of nv_tileas ops on whole tiles, as if there were no layouts.
void registerTileASMemory(OpTable &table);
/// What an asynchronous copy of nv_tileas reads from memory; its tile operands are whole tiles.
Status loadForCopy(Machine &machine, mlir::Operation *copy, Tile &tile);
void registerTileASMatrix(OpTable &table);
void registerTileASReduction(OpTable &table);
void registerTileASShape(OpTable &table);
void registerTileASConversion(OpTable &table);

} // namespace tilesmith::oracles::tileaa_engine

#endif // ORACLES_ENGINES_TILEAA_MACHINE_H
