//===- Targets.cpp - the record of every accepted GPU -----------------------------------------===//
#include "compiler/target/MachineRates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilesmith::target {

ArrayRef<FeatureInfo> features() {
  using F = Feature;
  static constexpr FeatureInfo table[] = {
      {F::CpAsync, "cp.async", "copies of 4 to 16 bytes to shared memory, in groups"},
      {F::BulkCopy, "cp.async.bulk", "bulk copies of rows, counted by an mbarrier"},
      {F::TensorCopy, "cp.async.bulk.tensor", "boxes of a tensor map (TMA)"},
      {F::MbarrierTryWait, "mbarrier.try_wait", "waits for the phase of an mbarrier"},
      {F::Clusters, "clusters", "barrier.cluster, mapa, distributed shared memory"},
      {F::ClusterLaunchControl, "clusterlaunchcontrol", "takes the work of a block not launched"},
      {F::GridDependencyControl, "griddepcontrol", "overlaps a kernel with the one before it"},
      {F::SetMaxNReg, "setmaxnreg", "moves registers between warpgroups"},
      {F::ElectSync, "elect.sync", "chooses one lane of a warp"},
      {F::MmaSync, "mma.sync", "warp products of f16, bf16, tf32, f64, i8"},
      {F::MmaSyncF8, "mma.sync f8", "warp products of e4m3, e5m2"},
      {F::MmaSyncBlockScale, "mma.sync block_scale", "warp products of f8, f6, f4 with scales"},
      {F::Wgmma, "wgmma", "warpgroup products on operands in shared memory"},
      {F::Tcgen05, "tcgen05", "tensor memory, and the products that accumulate there"},
      {F::Tcgen05I8, "tcgen05 i8", "such products of bytes"},
      {F::LdMatrix, "ldmatrix", "fragments of 16 bits from shared memory"},
      {F::LdMatrixB8, "ldmatrix b8", "fragments of 8 bits, transposed"},
      {F::StMatrix, "stmatrix", "fragments of 16 bits to shared memory"},
      {F::StMatrixB8, "stmatrix b8", "fragments of 8 bits, transposed"},
      {F::BF16Arithmetic, "add.bf16", "add, sub, mul of bf16 (fma is everywhere)"},
      {F::PackedF32, "f32x2", "add, mul, fma of pairs of f32"},
      {F::ThreeInputMinMax, "max of three", "min and max of three f32"},
      {F::Redux, "redux.sync", "integer reductions of a warp"},
      {F::ReduxF32, "redux.sync f32", "min and max of f32 over a warp"},
      {F::ConvertF8, "cvt f8", "conversions to and from e4m3, e5m2"},
      {F::ConvertF4, "cvt f4", "conversions to and from e2m1, e2m3, e3m2, ue8m0"},
      {F::AtomicAddBF16, "atom.add.bf16", "atomic addition of bf16"},
      {F::VectorReduction, "red.v4", "atomic reductions of vectors"},
      {F::Multimem, "multimem", "loads and reductions behind a multicast address"},
      {F::Access256, "ld.v8", "global accesses of 32 bytes"},
      {F::AcceptsF8, "types f8E4M3FN, f8E5M2", "accepted in tiles"},
      {F::AcceptsF4AndE8M0, "types f4E2M1FN, f8E8M0FNU", "accepted in tiles"},
      {F::AcceptsE5M3, "type fnv8E5M3FNU", "accepted in tiles"},
      {F::AcceptsAtomicAddBF16, "addf of bf16", "accepted in atomic operations"},
      {F::AcceptsMultimem, "multimem operations", "accepted"},
  };
  static_assert(std::size(table) == kNumFeatures);
  return table;
}

namespace {

using F = Feature;
constexpr FeatureSet kAmpere = {F::CpAsync, F::MmaSync, F::LdMatrix, F::Redux};
constexpr FeatureSet kAda =
    kAmpere | FeatureSet{F::MmaSyncF8, F::ConvertF8, F::AcceptsF8, F::AcceptsAtomicAddBF16};
/// What all chips with a suffix have.
constexpr FeatureSet kAccelerated = kAda | FeatureSet{F::BulkCopy,
                                                      F::TensorCopy,
                                                      F::MbarrierTryWait,
                                                      F::Clusters,
                                                      F::GridDependencyControl,
                                                      F::SetMaxNReg,
                                                      F::ElectSync,
                                                      F::StMatrix,
                                                      F::BF16Arithmetic,
                                                      F::AtomicAddBF16,
                                                      F::VectorReduction,
                                                      F::Multimem};
constexpr FeatureSet kHopper = kAccelerated | FeatureSet{F::Wgmma};
constexpr FeatureSet kBlackwell =
    kAccelerated |
    FeatureSet{F::ClusterLaunchControl, F::LdMatrixB8, F::StMatrixB8, F::PackedF32,
               F::ThreeInputMinMax,     F::ConvertF4,  F::Access256,  F::AcceptsF4AndE8M0};
constexpr FeatureSet kSM110 = kBlackwell | FeatureSet{F::Tcgen05};
constexpr FeatureSet kSM103 = kSM110 | FeatureSet{F::ReduxF32, F::AcceptsMultimem};
constexpr FeatureSet kSM100 = kSM103 | FeatureSet{F::Tcgen05I8};
constexpr FeatureSet kSM107 = kSM103 | FeatureSet{F::AcceptsE5M3};
constexpr FeatureSet kSM120 = kBlackwell | FeatureSet{F::MmaSyncBlockScale};

constexpr StringLiteral kNote107 =
    "LLVM 22 has no sm_107. It is of the family of sm_100, so code for the family target sm_100f "
    "runs on it; sm_100f may use all that the table says. ptxas is asked for sm_107a, which one of "
    "release 13.0 does not know; one of 13.5 gives it 327 KiB of shared memory, of which code for "
    "the family has 227.";

constexpr int64_t operator""_KiB(unsigned long long count) {
  return count * 1024;
}

constexpr GpuTarget kTargets[] = {
    {"sm_80", 80, "sm_80", "sm_80", 86, 163_KiB, 0x160, kAmpere, true, true},
    {"sm_86", 86, "sm_86", "sm_86", 86, 99_KiB, 0x160, kAmpere, false, false},
    {"sm_87", 87, "sm_87", "sm_87", 86, 163_KiB, 0x160, kAmpere, false, false},
    {"sm_88", 88, "sm_88", "sm_88", 90, 99_KiB, 0x160, kAmpere, false, false},
    {"sm_89", 89, "sm_89", "sm_89", 86, 99_KiB, 0x160, kAda, false, false},
    {"sm_90", 90, "sm_90a", "sm_90a", 86, 227_KiB, 0x210, kHopper, true, true},
    {"sm_100", 100, "sm_100a", "sm_100a", 86, 227_KiB, 0x380, kSM100, true, true},
    {"sm_103", 103, "sm_103a", "sm_103a", 88, 227_KiB, 0x380, kSM103, false, false},
    {"sm_107", 107, "sm_100f", "sm_107a", 88, 227_KiB, 0x380, kSM107, false, false, kNote107},
    {"sm_110", 110, "sm_110a", "sm_110a", 90, 227_KiB, 0x380, kSM110 | FeatureSet{F::Tcgen05I8},
     false, false},
    {"sm_120", 120, "sm_120a", "sm_120a", 87, 99_KiB, 0x380, kSM120, true, false},
    {"sm_121", 121, "sm_121a", "sm_121a", 88, 99_KiB, 0x380, kSM120, false, false},
};

template <typename Predicate> std::vector<StringRef> namesOf(Predicate chosen) {
  std::vector<StringRef> names;
  for (const GpuTarget &gpu : kTargets)
    if (chosen(gpu))
      names.push_back(gpu.name);
  return names;
}

} // namespace

ArrayRef<GpuTarget> gpuTargets() {
  return kTargets;
}

ArrayRef<StringRef> drawnGpus() {
  static const std::vector<StringRef> names = namesOf([](const GpuTarget &g) { return g.drawn; });
  return names;
}

ArrayRef<StringRef> measuredGpus() {
  static const std::vector<StringRef> names =
      namesOf([](const GpuTarget &g) { return g.measured; });
  return names;
}

const GpuTarget *lookupGpuTarget(StringRef name) {
  const GpuTarget *it = llvm::find_if(kTargets, [&](const GpuTarget &t) { return t.name == name; });
  return it == std::end(kTargets) ? nullptr : it;
}

Expected<const GpuTarget *> getGpuTarget(StringRef name) {
  if (const GpuTarget *gpu = lookupGpuTarget(name))
    return gpu;
  std::vector<StringRef> known = namesOf([](const GpuTarget &) { return true; });
  return createStringError(
      formatv("expected a GPU name out of {0}, got '{1}'", llvm::join(known, ", "), name));
}

const GpuTarget &targetOfCapability(unsigned capability) {
  static constexpr GpuTarget kNone = {"", 0, "", "", 0, kStaticSharedBytes, 0, {}, false, false};
  const GpuTarget *found = &kNone;
  for (const GpuTarget &gpu : kTargets)
    if (gpu.sm <= capability)
      found = &gpu;
  return *found;
}

const GpuTarget &oldestWith(Feature feature) {
  return *llvm::find_if(kTargets, [&](const GpuTarget &t) { return t.has(feature); });
}

const MachineRates &machineRates(const GpuTarget &gpu) {
  static constexpr MachineRates kA100 = {"A100", 2048, 4, 128, 47, 13, 16};
  static constexpr MachineRates kH100 = {"H100", 4096, 4, 128, 45, 14, 16};
  static constexpr MachineRates kB200 = {"B200", 8192, 4, 128, 40, 29, 16};
  static constexpr MachineRates kB300 = {"B300", 8192, 4, 128, 40, 29, 32};
  if (gpu.has(Feature::Tcgen05))
    return gpu.sm == 103 ? kB300 : kB200;
  return gpu.has(Feature::Wgmma) ? kH100 : kA100;
}

/// The third table of the page.
static void printRates(raw_ostream &os) {
  os << "\nPer multiprocessor and clock, as published for one GPU of the kind, L2 bytes of the "
        "H100 as timed; "
        "predictions of the cost model rest on them and\nclaim orderings only.\n\n| name | figures "
        "of | tensor flops "
        "(f16) | instructions of warps | shared bytes | L2 bytes | DRAM bytes | exp2 |\n"
        "|---|---|---|---|---|---|---|---|\n";
  for (const GpuTarget &gpu : kTargets) {
    const MachineRates &r = machineRates(gpu);
    os << formatv("| {0} | {1} | {2:F0} | {3:F0} | {4:F0} | {5:F0} | {6:F0} | {7:F0} |\n", gpu.name,
                  r.measuredOn, r.tensorFlops, r.issue, r.sharedBytes, r.l2Bytes, r.dramBytes,
                  r.mufu);
  }
}

std::string printTargets() {
  std::string page;
  raw_string_ostream os(page);
  os << "# The accepted GPUs\n\nPrinted from `Targets.cpp`; TargetsTest compares, and writes the "
        "page anew with `TILESMITH_UPDATE=1`.\nWith a ptxas it assembles every instruction of the "
        "second table for every chip.\n\n"
        "| name | capability | chip | ptxas | PTX | shared KiB | extended | parameters at | drawn "
        "| "
        "measured |\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const GpuTarget &gpu : kTargets)
    os << formatv("| {0} | {1}.{2} | {3} | {4} | {5}.{6} | {7} | {8} | {9} | {10} | {11} |\n",
                  gpu.name, gpu.sm / 10, gpu.sm % 10, gpu.chip, gpu.arch, gpu.ptxVersion / 10,
                  gpu.ptxVersion % 10, gpu.maxSharedBytes / 1024,
                  gpu.usableSharedBytes() < gpu.maxSharedBytes ? "x" : "", gpu.parameterBank,
                  gpu.drawn ? "x" : "", gpu.measured ? "x" : "");
  os << formatv(
      "\n`parameters at`: bytes in front of them in their constant bank, in which tensor maps of "
      "host "
      "code are aligned.\n"
      "\nAll: {0} KiB of shared memory for the asking, {1} registers a thread, {2} a "
      "multiprocessor. Without a choice the GPU is {3}.\n\n"
      "Shared memory is one static array. Beyond {0} KiB, ptxas takes it for the chips "
      "marked `extended` with\n--enable-extended-smem=true only: `tileiras` passes the "
      "option, and who assembles its PTX must do the same. The\ndriver's compiler of PTX has "
      "no such option: it is given the array as dynamic shared memory, as bundles of the "
      "engine\n`cuda` do, whose launches ask for the bytes and raise the function's "
      "limit.\n",
      kStaticSharedBytes / 1024, kMaxRegistersPerThread, kRegistersPerSM, kDefaultGpu);
  for (const GpuTarget &gpu : kTargets)
    if (!gpu.note.empty())
      os << "\n`" << gpu.name << "`: " << gpu.note << "\n";
  os << "\n| feature |";
  for (const GpuTarget &gpu : kTargets)
    os << ' ' << gpu.sm << " |";
  os << " what |\n|---|";
  for (size_t i = 0; i <= std::size(kTargets); ++i)
    os << "---|";
  os << '\n';
  for (const FeatureInfo &info : features()) {
    os << "| " << info.name << " |";
    for (const GpuTarget &gpu : kTargets)
      os << (gpu.has(info.feature) ? " x |" : " |");
    os << ' ' << info.what << " |\n";
  }
  printRates(os);
  return page;
}

} // namespace tilesmith::target
