// The one table of device operations: LLVM intrinsic or device library name -> how the emulator
// executes it.
//
// Four kinds of entries. Expand: replaced by plain IR. Direct: a host function with the same
// signature. Frame: a runtime function that gets the operand struct (Runtime.h). Warp: executed
// once per group of lanes, by the last lane to arrive. A name that is not in the table is reported
// as unsupported, never guessed.
#pragma once

#include "oracles/devices/emulator/Runtime.h"

#include "llvm/IR/IRBuilder.h"

namespace tilesmith::emulator {

/// What IR expansion may use.
struct ExpandContext {
  llvm::IRBuilder<> &builder;
  llvm::CallInst &call;
  std::function<llvm::Value *(SReg)> readRegister;
  std::function<llvm::Value *()> sharedBase; // i64
};
using ExpandFn = std::function<llvm::Value *(ExpandContext &)>;

struct Intrinsic {
  enum Kind { Expand, Direct, FrameCall, Warp };
  /// Which lanes a Warp operation waits for.
  enum Lanes { MaskOperand, WholeWarp, ActiveLanes };
  /// How arrivals of a Warp operation find each other.
  enum Match { SameSite, AnySite };

  std::string name;
  Kind kind = Expand;
  void *function = nullptr; // Direct, FrameCall
  WarpFn compute = nullptr; // Warp
  ExpandFn expand;          // Expand
  bool suspends = false;    // may wait for other threads: the kernel needs fibers
  Lanes lanes = MaskOperand;
  Match match = SameSite;
  unsigned maskSlot = 0;           // MaskOperand: slot that holds the mask
  std::array<int, 8> variant = {}; // meaning is local to the operation's family

  std::string shared;   // the entry whose code this one runs; empty: its own
  uint32_t ordinal = 0; // number of a wgmma

  std::string symbol() const { return "rt." + (shared.empty() ? name : shared); }
};

class IntrinsicTable {
public:
  static const IntrinsicTable &get();

  /// `name` is the full callee name; overload suffixes (".f32", ".p0" ...) are stripped when
  /// needed.
  const Intrinsic *find(llvm::StringRef name) const;
  /// The entry for the text of an inline assembly call, null when unknown.
  const Intrinsic *findAssembly(llvm::StringRef text) const;
  const llvm::StringMap<Intrinsic> &entries() const { return table; }

  Intrinsic &add(const llvm::Twine &name, Intrinsic::Kind kind);
  void expand(const llvm::Twine &name, ExpandFn fn);
  template <typename R, typename... A> void direct(const llvm::Twine &name, R (*fn)(A...)) {
    add(name, Intrinsic::Direct).function = reinterpret_cast<void *>(fn);
  }
  Intrinsic &frame(const llvm::Twine &name, FrameFn fn);
  Intrinsic &warp(const llvm::Twine &name, WarpFn fn, Intrinsic::Lanes lanes,
                  unsigned maskSlot = 0);

  /// Makes inline assembly with this text run the entry `name`.
  void addAssembly(llvm::StringRef text, const std::string &name);

private:
  llvm::StringMap<Intrinsic> table;
  llvm::StringMap<std::string> assembly; // normalised text -> entry
};

// Families, one file each.
void registerSpecialRegisters(IntrinsicTable &table); // SpecialRegisters.cpp
void registerCollectives(
    IntrinsicTable &table); // Collectives.cpp: shuffle, vote, match, redux, barriers
void registerArithmetic(IntrinsicTable &table);   // Arithmetic.cpp: rounding modes, approximations
void registerIntegers(IntrinsicTable &table);     // IntegerArithmetic.cpp
void registerConversions(IntrinsicTable &table);  // Conversions.cpp
void registerMatrix(IntrinsicTable &table);       // Matrix.cpp: mma, and the three below
void registerSparseMatrix(IntrinsicTable &table); // MatrixSparse.cpp: sparse, block-scaled
void registerWmma(IntrinsicTable &table);         // MatrixWmma.cpp: wmma, m8n8k4 of f16
void registerMatrixMemory(IntrinsicTable &table); // MatrixMemory.cpp: ldmatrix, stmatrix
void registerAsync(IntrinsicTable &table);        // Async.cpp: cp.async, mbarrier
void registerTma(IntrinsicTable &table);          // Tma.cpp: tensor copies and maps, proxy fences
void registerWgmma(IntrinsicTable &table);        // Wgmma.cpp
void registerTcgen05(IntrinsicTable &table);      // Tcgen05.cpp
void registerSystem(IntrinsicTable &table);       // System.cpp: printf, assert, trap, fences
void registerInlineAsm(IntrinsicTable &table);    // InlineAsm.cpp

/// Assembly text without insignificant white space.
std::string normaliseAssembly(llvm::StringRef text);

/// Host functions that compiled code may call by name (libm, compiler runtime, __nv_*): name ->
/// address.
const std::vector<std::pair<std::string, void *>> &hostFunctions(); // HostMath.cpp

/// The host function of a scalar fma of this type; null for other types. The host's fast
/// instruction selection knows calls but no fma, and the slow one costs far more than a call.
const char *fusedHostFunction(const llvm::Type *type); // HostMath.cpp
/// Likewise of the smaller or larger number of two, a number wins over a NaN, -0 is less than +0.
const char *extremumHostFunction(const llvm::Type *type, bool isMin); // HostMath.cpp

} // namespace tilesmith::emulator
