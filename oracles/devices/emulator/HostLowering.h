// Host lowering: turns a device module into one that x86-64 can run against the emulator's runtime.
//
// Before: what the NVPTX backend would get. After: target triple and data layout of the host;
// device operations are runtime calls, expanded IR or host functions; every kernel K is or has an
// entry `void __ts_entry_K(ptr args)`; shared variables are addressed from the running thread's
// `sharedBase`. Address spaces 1, 3, 4, 5 stay on the types: x86 code generation treats every space
// below 256 as flat, and the space is what the memory checks need to know.
//
// Steps: 1 find kernels, drop what they do not reach; 2 lay out shared variables; 3 replace device
// calls; 4 make undefined-on-x86 integer operations total (division by zero, over-wide shifts,
// conversions of large floats) as the GPU does; 5 check memory accesses; 6 count steps and let
// loops yield; 7 wrap kernels, strip what only NVPTX understands.
#pragma once

#include "oracles/devices/emulator/Intrinsics.h"

#include "llvm/ADT/MapVector.h"

#include <deque>

namespace tilesmith::emulator {

struct KernelInfo {
  std::string name;
  std::vector<uint32_t> parameterBytes;
  bool needsFibers = false; // may wait for another thread
  bool mayRepeat = false;   // atomics or volatile accesses: several blocks should be resident
  std::vector<std::string> unsupported;           // device operations without an implementation
  std::array<uint32_t, 3> maxBlock{0, 0, 0};      // nvvm.maxntid, 0 when absent
  std::array<uint32_t, 3> requiredBlock{0, 0, 0}; // nvvm.reqntid, 0 when absent
  std::array<uint32_t, 3> cluster{0, 0, 0};       // nvvm.cluster_dim, 0 when absent
  bool blocksAreClusters = false;                 // a launch's grid counts clusters
};

struct ModuleGlobal {
  std::string name;
  uint64_t size;
  bool isPlaced = false; // code reads its address from a word, named with kPlaceSuffix
};

/// What the host lowering found out about a module.
struct HostLoweringResult {
  std::vector<KernelInfo> kernels;
  std::vector<Site> sites;           // the index is the site number that compiled code passes
  std::set<std::string> strings;     // owns the text that sites point to
  uint32_t staticSharedBytes = 0;    // dynamic shared memory starts here
  std::vector<ModuleGlobal> globals; // device variables that live in compiled memory
  std::vector<std::array<uint32_t, 8>> blockClasses; // profile: instructions by class
  std::deque<Intrinsic> ownOperations;               // parsed from inline assembly
  bool usesAsync = false; // asynchronous copies, wgmma, tcgen05 or proxy fences
};

struct HostLoweringOptions {
  bool checkMemory = true;
  bool profile = false;
  bool verify = true;
};

inline constexpr llvm::StringLiteral kCurrentSymbol = "__ts_current"; // ThreadRegs *
inline constexpr llvm::StringLiteral kBudgetSymbol =
    "__ts_budget"; // int64_t, steps until the next rt.tick
inline constexpr llvm::StringLiteral kProfileSymbol = "__ts_profile"; // uint64_t per block
inline constexpr llvm::StringLiteral kPlaceSuffix = "__ts_place";
inline constexpr llvm::StringLiteral kEntryPrefix = "__ts_entry_";

class HostLowering {
public:
  HostLowering(llvm::Module &module, const HostLoweringOptions &options)
      : module(module), options(options) {}
  llvm::Expected<HostLoweringResult> run();

private:
  struct FunctionFacts {
    bool suspends = false, repeats = false;
    std::set<std::string> unsupported;
    llvm::SmallVector<llvm::Function *> callees;
  };

  void findKernels();
  void dropUnreachable();
  void layOutShared();
  void rewriteFunction(llvm::Function &function);
  void rewriteCall(llvm::CallInst &call);
  void rewriteRuntimeCall(llvm::CallInst &call, const Intrinsic &op);
  void replaceByTrap(llvm::Instruction &before, llvm::StringRef runtime, llvm::StringRef opName);
  void makeDivisionTotal(llvm::BinaryOperator &division);
  void clampShift(llvm::BinaryOperator &shift);
  void convertIntegerOnce(llvm::CastInst &cast);
  void clampConversion(llvm::CastInst &cast);
  void flushSubnormals(llvm::BinaryOperator &operation);
  llvm::Value *callRuntime(llvm::IRBuilder<> &builder, llvm::Instruction &at, const Intrinsic &op,
                           llvm::ArrayRef<llvm::Value *> operands, llvm::Type *type);
  void addMemoryCheck(llvm::Instruction &access);
  void countSteps(llvm::Function &function);
  void numberBlocks();
  void addFence(llvm::FenceInst &fence);
  void guardWgmmaResults(llvm::Function &function);
  void guardTensorLoads(llvm::Function &function);
  bool rewriteMatrixAssembly(llvm::CallInst &call);
  static bool isWgmma(const llvm::CallInst &call);
  static bool isTensorLoad(const llvm::CallInst &call);
  void note(const Intrinsic &op);
  uint8_t scopeOf(llvm::SyncScope::ID id);
  void wrapKernels();
  void summariseKernels();
  void placeVariables();
  void stripDevice();
  uint32_t addSite(const Intrinsic *op, llvm::Instruction &at);
  llvm::Value *frameSlot(llvm::IRBuilder<> &builder, unsigned slot);
  llvm::LoadInst *loadOwn(llvm::IRBuilder<> &builder, llvm::Type *type, llvm::Value *pointer);
  llvm::Value *loadRegister(llvm::IRBuilder<> &builder, SReg reg);
  llvm::Value *loadSharedBase(llvm::IRBuilder<> &builder);
  llvm::FunctionCallee runtime(llvm::StringRef name);

  llvm::Module &module;
  HostLoweringOptions options;
  HostLoweringResult result;
  llvm::SmallVector<llvm::Function *> kernels;
  llvm::DenseMap<llvm::Function *, FunctionFacts> facts;
  llvm::GlobalVariable *current = nullptr, *budget = nullptr;
  llvm::MapVector<llvm::CallInst *, Intrinsic *> wgmmaOperations;
  llvm::DenseMap<llvm::CallInst *, Intrinsic *> tensorLoads;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> blockNumbers; // profile
  llvm::DenseMap<const llvm::BasicBlock *, int64_t> blockSteps; // instructions before any rewriting
  // per function
  llvm::Function *function = nullptr;
  llvm::AllocaInst *frame = nullptr;
  unsigned frameSlots = 0;
};

} // namespace tilesmith::emulator
