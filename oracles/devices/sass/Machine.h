//===- Machine.h - the state of a launch ------------------------------------------------------===//
//
// Registers are arrays over the 32 lanes of a warp, predicates are lane masks. The lanes of a warp
// are partitioned into splits; the lanes of a split have one pc. The runnable split with the lowest
// pc goes first, and splits that meet at a pc become one; a split that spins is set back after a
// while, so that the lanes it waits for come on.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_MACHINE_H
#define ORACLES_DEVICES_SASS_MACHINE_H

#include "oracles/devices/emulator/Memory.h"
#include "oracles/devices/sass/Cubin.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/Scoreboard.h"

#include "llvm/ADT/bit.h"

#include <chrono>
#include <cstdlib>
#include <deque>

namespace tilesmith::sass {

inline constexpr unsigned kLanes = 32;
inline constexpr uint32_t kAllLanes = ~uint32_t{0};

/// One 32-bit or 64-bit value per lane.
struct Lanes {
  alignas(64) uint32_t v[kLanes];
};
struct Lanes64 {
  alignas(64) uint64_t v[kLanes];
};

/// Lanes of a warp that have one pc.
struct Split {
  enum Wait : uint8_t { Ready, ConvergenceBarrier, WarpSync, BlockBarrier, ClusterBarrier };
  uint32_t pc = 0; ///< index of the next instruction
  uint32_t mask = 0;
  Wait wait = Ready;
  uint32_t object = 0; ///< barrier register, lane mask, or barrier number
};

/// A copy to shared memory that has been issued and not landed.
struct PendingCopy {
  uint32_t shared = 0;
  uint64_t global = 0;
  uint32_t bytes = 0;
  uint32_t valid = 0; ///< bytes that are read; the others become zero
};

/// A product of a warpgroup that has been issued, and whose registers are not written yet.
struct PendingProduct {
  const Instruction *instruction = nullptr;
  uint64_t a = 0, b = 0;           ///< descriptors
  std::vector<uint32_t> fragments; ///< A where it is in registers
  bool accumulate = false;
};

/// Tensor memory of a block: 128 lanes of 512 columns of 32 bits, on sm_107 576. An address is
/// lane << 16 | column.
struct TensorMemory {
  static constexpr uint32_t kRows = 128, kColumns = 576, kUnit = 32;
  uint32_t cells[kRows][kColumns];
  uint32_t units = 0; ///< allocated columns, a bit for each 32
  uint64_t kept =
      0; ///< descriptor of the right operand that a product has kept for others; zero: none

  TensorMemory() { std::fill_n(&cells[0][0], kRows * kColumns, ~uint32_t{0}); }
  bool isAllocated(uint32_t first, uint32_t count) const;
};

class Machine;
class Warp;
struct Block;

/// What the tensor core has been asked for and has not done: a product, a copy, or an arrival.
struct TensorOp {
  enum Kind : uint8_t { Product, Copy, Arrive } kind = Product;
  const Row *row = nullptr;
  bool pair = false;               ///< for two blocks of the cluster
  uint8_t form = 0;                ///< its second modifier
  Warp *warp = nullptr;            ///< that asked
  uint64_t a = 0, b = 0;           ///< descriptors; A may be in tensor memory
  uint32_t target = 0;             ///< in tensor memory; of an arrival: the barrier
  uint32_t descriptor = 0;         ///< of the product
  uint32_t scaleA = 0, scaleB = 0; ///< in tensor memory
  std::array<uint32_t, 8> keep{};  ///< lanes that a product does not write; four words a block
  bool accumulate = false;
  std::optional<uint32_t> blocks; ///< of an arrival: a mask of the cluster's blocks; none: its own
};

class Warp {
public:
  alignas(64) uint32_t r[256][kLanes]; ///< the last one stays zero
  uint32_t u[256];
  uint32_t p[8], up[8];      ///< lane masks; the last one stays full
  uint32_t b[16][kLanes];    ///< every lane's view of a convergence barrier
  uint32_t returnPc[kLanes]; ///< a scratch register from sm_100 on
  uint32_t active = 0;       ///< lanes that execute the instruction: its guard is true
  uint32_t issue = 0;        ///< lanes at the instruction
  uint32_t live = 0;
  uint32_t redirect = 0, target = 0; ///< lanes that branch, and where
  bool yielded = false;
  unsigned index = 0; ///< in the block
  Block *block = nullptr;
  Machine *machine = nullptr;
  std::vector<Split> splits;
  size_t current = 0;
  unsigned spins = 0;
  uint64_t issueCycles = 0; ///< as in Counters

  /// Asynchronous copies: the open group, then committed ones, oldest first.
  std::vector<PendingCopy> openGroup;
  std::deque<std::vector<PendingCopy>> groups;
  /// Products of the warpgroup, likewise.
  std::vector<PendingProduct> openProducts;
  std::deque<std::vector<PendingProduct>> products;
  /// What the last barrier with a reduction gave, by lane.
  uint32_t reduced[kLanes];
  Scoreboards scoreboards;
  uint32_t arrivedAtCluster = 0; ///< lanes that the cluster's barrier has and not let go

  // Sources and results.
  Lanes get(const Operand &op) const;     ///< bits, negation not applied
  Lanes getInt(const Operand &op) const;  ///< arithmetic negation applied
  Lanes getBits(const Operand &op) const; ///< bitwise negation applied
  Lanes getFloat(const Operand &op) const;
  Lanes64 get64(const Operand &op) const;   ///< a pair; immediates are high words of a double
  Lanes64 getWide(const Operand &op) const; ///< a pair; immediates are sign-extended
  Lanes64 getDouble(const Operand &op) const;
  uint32_t getMask(const Operand &op) const; ///< a predicate
  void put(const Operand &op, const Lanes &value);
  void put64(const Operand &op, const Lanes64 &value);
  void putMask(const Operand &op, uint32_t mask);
  uint32_t uniform(const Operand &op) const { return u[op.index]; }
  uint64_t uniform64(unsigned index) const {
    return index == kURZ ? 0 : u[index] | uint64_t{u[(index + 1) & 255]} << 32;
  }
  void putUniform(unsigned index, uint32_t value) {
    if (index != kURZ)
      u[index] = value;
  }
  /// A register of a lane as the n-th of a group; RZ stays RZ.
  uint32_t &lane(unsigned index, unsigned n, unsigned l) {
    static thread_local uint32_t sink;
    return index == kRZ ? (sink = 0, sink) : r[(index + n) & 255][l];
  }
  uint64_t address64(const Operand &op, unsigned l) const;
  uint32_t address32(const Operand &op, unsigned l) const;

  /// The lanes of the current split that wait; the rest goes on.
  void wait(uint32_t lanes, Split::Wait kind, uint32_t object);
  void exitLanes(uint32_t lanes);
  void fault(Report::Status status, std::string message);
  void releaseSplits();
  /// Executes until nothing is runnable, the slice ends, or the launch stops.
  uint64_t run(uint64_t slice);
  bool runnable() const;
  void landGroups(size_t remaining);
  void landAll();
  void land(const std::vector<PendingCopy> &group);

private:
  bool pick();
  void finishStep();
  bool allArrivedFor(const Split &split) const;
};

struct NamedBarrier {
  uint32_t arrived = 0, expected = 0;
  uint32_t holding = 0;  ///< of those that arrived, lanes whose predicate was true
  uint8_t operation = 0; ///< of a reduction: count, all, any
  bool any = false;
};

struct Cluster;

struct Block {
  std::array<uint32_t, 3> id{};
  uint32_t rank = 0;           ///< in its cluster
  uint32_t multiprocessor = 0; ///< that it has to itself
  Cluster *cluster = nullptr;
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<uint8_t> shared;
  std::array<NamedBarrier, 16> barriers{};
  unsigned liveLanes = 0, threads = 0;
  std::vector<uint8_t> local;           ///< of all threads
  std::unique_ptr<TensorMemory> tensor; ///< from the first allocation on
  std::deque<TensorOp> tensorWork;
  bool finished() const { return liveLanes == 0; }
};

/// Opens the barriers for which those that have exited were the last ones missing.
void releaseBlockBarriers(Block &block);
void releaseClusterBarrier(Cluster &cluster);
/// Arrivals and transaction bytes at a barrier in shared memory.
void arriveTransaction(Warp &w, uint32_t address, uint32_t arrivals, int64_t transactions);
/// What operation `op` of `UTMAREDG` leaves of `old`, an element of a tensor map's type; null, or what
/// the device does not do.
const char *reduceElement(unsigned op, unsigned element, uint64_t &old, uint64_t operand);
/// What shared memory holds for the allocation of tensor memory by pairs of blocks.
void startPairBook(Block &block, uint32_t book);
/// Somebody looks at a barrier: the tensor cores of the cluster do what arrives there.
void finishTensorWork(Warp &w, uint32_t barrier);

struct Cluster {
  uint32_t place = 0; ///< among the resident ones
  std::vector<std::unique_ptr<Block>> blocks;
  bool finished() const;
};

/// A kernel after decoding.
struct DecodedKernel {
  const CubinKernel *kernel = nullptr;
  std::vector<Instruction> code;
  std::vector<Footprint> footprints;           ///< of the code
  std::map<uint32_t, std::string> unsupported; ///< by index: why the word was not decoded
  std::vector<uint8_t> writable;               ///< code after relocation
  bool spins = false; ///< has operations by which blocks may wait for each other
};

class Machine {
public:
  static constexpr uint64_t kSharedWindow = uint64_t{1} << 48;
  static constexpr uint64_t kLocalWindow = kSharedWindow + (uint64_t{1} << 32);
  static constexpr uint64_t kParameterWindow = kSharedWindow + (uint64_t{2} << 32);
  static constexpr uint64_t kSyscall = uint64_t{0x5ca1} << 32; ///< addresses of runtime functions
  static constexpr uint32_t kTensorBookBytes = 0x20;
  static constexpr uint64_t kWindowBytes = uint64_t{1} << 32;

  Machine(ProgramImpl &program, DecodedKernel &kernel, const LaunchConfig &config, Report &report);

  Report run(llvm::ArrayRef<std::vector<uint8_t>> arguments);

  /// Host memory behind a generic or global address; null (and a fault) where there is none.
  uint8_t *memory(Warp &warp, unsigned lane, uint64_t address, unsigned bytes, const char *what);
  /// The source of a copy, all of its valid bytes checked.
  const uint8_t *copySource(Warp &warp, unsigned lane, const PendingCopy &copy);
  uint8_t *shared(Warp &warp, uint32_t address, unsigned bytes, const char *what);
  uint8_t *local(Warp &warp, unsigned lane, uint32_t address, unsigned bytes, const char *what);
  /// A constant; zero behind the end of a bank.
  uint64_t constant(unsigned bank, uint32_t offset, unsigned bytes) const;
  uint32_t specialRegister(const Warp &warp, unsigned number, unsigned lane) const;
  /// Where shared memory says which columns of tensor memory are taken; sm_110 has it further on.
  uint32_t tensorBook() const;
  bool hopper() const { return generation >= Generation::Hopper; }
  void callRuntime(Warp &warp, uint64_t function);

  ProgramImpl &program;
  DecodedKernel &kernel;
  const LaunchConfig &config;
  Report &report;
  Generation generation;
  Chip chip;
  bool stopped = false;
  uint64_t clock = 0;
  std::array<std::vector<uint8_t>, 5> banks;
  std::array<uint32_t, 3> blockShape{}, grid{};
  uint32_t localBytes = 0, sharedBytes = 0, sharedStart = 0;
  std::vector<std::unique_ptr<Cluster>> clusters; ///< resident

private:
  bool prepare(llvm::ArrayRef<std::vector<uint8_t>> arguments);
  void fillLaunchWords();
  uint64_t makeMapWorkspace();
  std::unique_ptr<Cluster> makeCluster(uint64_t number);
  void runAll();
  void reportDeadlock();
  std::chrono::steady_clock::time_point start;
  uint64_t random = 0;
};

/// Calls for every active lane until the launch stops.
template <typename F> void forActive(Warp &w, F &&f) {
  for (uint32_t rest = w.active; rest && !w.machine->stopped; rest &= rest - 1)
    f(static_cast<unsigned>(llvm::countr_zero(rest)));
}

/// Global variables may ask for so many bytes of alignment.
struct alignas(128) GlobalLine {
  uint8_t bytes[128];
};

struct ProgramImpl {
  Cubin cubin;
  emulator::RangeTable ranges, moduleRanges;
  std::vector<GlobalLine> globals; ///< contents now
  uint8_t *globalBytes() { return reinterpret_cast<uint8_t *>(globals.data()); }
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  std::vector<std::unique_ptr<void, Free>> heap; ///< what launches have allocated
  /// Zeros that go with the launch, aligned to 256 bytes; 0 where there is no memory.
  uint64_t allocate(uint64_t bytes, std::string name);
  std::map<std::string, std::unique_ptr<DecodedKernel>> decoded;
  DecodedKernel *decode(llvm::StringRef name);
  uint64_t addressOf(llvm::StringRef symbol);
  std::map<std::string, uint64_t> placed; ///< variables that lie in memory of the caller's
  const GlobalVariable *find(llvm::StringRef variable) const;
  uint64_t addressOf(const GlobalVariable &variable);
};

/// Fills the tensor maps of a launch by interpreting code for the host. Empty, or why not.
/// `makeWorkspace`: the address of memory for maps that the kernel makes (HostCode.cpp); null: there is none.
std::string fillTensorMaps(llvm::ArrayRef<uint8_t> hostObject, llvm::StringRef kernel,
                           llvm::MutableArrayRef<uint8_t> parameters,
                           llvm::function_ref<uint64_t()> makeWorkspace = nullptr);

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_MACHINE_H
