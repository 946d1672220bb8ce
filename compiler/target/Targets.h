//===- Targets.h - the record of every accepted GPU -------------------------------------------===//
//
// One record per GPU name says all that the house knows about it: how LLVM and ptxas spell it, the
// PTX version that is written, what a kernel may use of it, and which parts of the language are
// accepted for it. Everything else asks the record (`target.has(Feature::Wgmma)`); no other file
// compares capabilities or GPU names (ci/lint/targets.py). `targets.md` is the record as a page.
//
// Invariants
//  * sm_90 and newer compile for their architecture-accelerated chip (`sm_90a`). A GPU that LLVM
//    lacks compiles for the family chip whose code runs on it, and `note` says why.
//  * PTX is of the oldest version that knows the chip, but at least 8.6, so that one ptxas
//    generation assembles everything up to sm_100.
//  * Instruction features are those that ptxas takes for the chip (TargetsTest assembles each).
//
// LLVM's support library only, so that dialects, devices and generators can read it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_TARGETS_H
#define COMPILER_TARGET_TARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <initializer_list>
#include <string>

namespace tilesmith::target {

/// What some accepted GPUs have and others lack.
enum class Feature : uint8_t {
  // Copies and barriers.
  CpAsync,
  BulkCopy,
  TensorCopy,
  MbarrierTryWait,
  Clusters,
  ClusterLaunchControl,
  GridDependencyControl,
  SetMaxNReg,
  ElectSync,
  // Matrices.
  MmaSync,
  MmaSyncF8,
  MmaSyncBlockScale,
  Wgmma,
  Tcgen05,
  Tcgen05I8,
  LdMatrix,
  LdMatrixB8,
  StMatrix,
  StMatrixB8,
  // Arithmetic.
  BF16Arithmetic,
  PackedF32,
  ThreeInputMinMax,
  Redux,
  ReduxF32,
  ConvertF8,
  ConvertF4,
  // Memory.
  AtomicAddBF16,
  VectorReduction,
  Multimem,
  Access256,
  // What of the language is accepted; the code may be an exact fallback.
  AcceptsF8,
  AcceptsF4AndE8M0,
  AcceptsE5M3,
  AcceptsAtomicAddBF16,
  AcceptsMultimem,
};
inline constexpr unsigned kNumFeatures = static_cast<unsigned>(Feature::AcceptsMultimem) + 1;

struct FeatureInfo {
  Feature feature;
  llvm::StringLiteral name; ///< as in targets.md: "wgmma"
  llvm::StringLiteral what; ///< one line of explanation
};

/// All features, in the order of the enumeration.
llvm::ArrayRef<FeatureInfo> features();

class FeatureSet {
public:
  constexpr FeatureSet() = default;
  constexpr FeatureSet(std::initializer_list<Feature> list) {
    for (Feature feature : list)
      bits |= bit(feature);
  }
  constexpr bool contains(Feature feature) const { return bits & bit(feature); }
  constexpr FeatureSet operator|(FeatureSet other) const { return FeatureSet(bits | other.bits); }

private:
  static_assert(kNumFeatures <= 64);
  static constexpr uint64_t bit(Feature feature) {
    return uint64_t(1) << static_cast<unsigned>(feature);
  }
  constexpr explicit FeatureSet(uint64_t bits) : bits(bits) {}
  uint64_t bits = 0;
};

/// Limits that all accepted GPUs share.
inline constexpr int64_t kStaticSharedBytes = 48 * 1024; ///< of a block that asks for nothing
inline constexpr int64_t kMaxRegistersPerThread = 255;
inline constexpr int64_t kRegistersPerSM = 64 * 1024;

struct GpuTarget {
  llvm::StringLiteral name; ///< as the user writes it: "sm_90"
  unsigned sm;              ///< compute capability, major * 10 + minor: 90
  llvm::StringLiteral chip; ///< for LLVM, and behind `.target`: "sm_90a"
  llvm::StringLiteral arch; ///< for ptxas: "sm_90a"
  unsigned ptxVersion;      ///< ten times the version: 86
  int64_t maxSharedBytes;   ///< of a block that asks for the most
  unsigned parameterBank;   ///< bytes in front of the parameters in their constant bank
  FeatureSet features;
  bool drawn;                    ///< campaigns and generators choose among these by seed
  bool measured;                 ///< compiled code is measured for these
  llvm::StringLiteral note = ""; ///< why it is compiled for another chip than its own

  bool has(Feature feature) const { return features.contains(feature); }

  /// Value of __CUDA_ARCH__: 900.
  unsigned cudaArch() const { return sm * 10; }

  /// What pipelines plan with. Static arrays beyond 48 KiB are taken for granted only where the
  /// chip is named with a suffix.
  int64_t usableSharedBytes() const {
    return chip.ends_with("a") || chip.ends_with("f") ? maxSharedBytes : kStaticSharedBytes;
  }
};

/// The GPU that is compiled for where nobody chose, the oldest one, and the one of the drawn that
/// accepts most of the language.
inline constexpr llvm::StringLiteral kDefaultGpu = "sm_90";
inline constexpr llvm::StringLiteral kOldestGpu = "sm_80";
inline constexpr llvm::StringLiteral kWidestGpu = "sm_100";

/// All accepted GPUs by rising number.
llvm::ArrayRef<GpuTarget> gpuTargets();

/// Names of the GPUs that campaigns and generators choose among, and of those that compiled code is
/// measured for.
llvm::ArrayRef<llvm::StringRef> drawnGpus();
llvm::ArrayRef<llvm::StringRef> measuredGpus();

/// The entry called `name`, or nullptr.
const GpuTarget *lookupGpuTarget(llvm::StringRef name);

/// The entry called `name`; the error for an unknown name lists the known ones.
llvm::Expected<const GpuTarget *> getGpuTarget(llvm::StringRef name);

/// The newest entry whose compute capability is at most `capability`; an entry without features
/// where there is none.
const GpuTarget &targetOfCapability(unsigned capability);

/// The oldest entry with `feature`.
const GpuTarget &oldestWith(Feature feature);

/// The record as the page targets.md.
std::string printTargets();

} // namespace tilesmith::target

#endif // COMPILER_TARGET_TARGETS_H
