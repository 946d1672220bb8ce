//===- TargetsTest.cpp - the record of the GPUs against LLVM, ptxas and its page --------------===//
//
// `TILESMITH_UPDATE=1 TILESMITH_SOURCE_DIR=$PWD build/release/tests/TargetsTest` writes targets.md
// anew. The instructions below stand for the features of the record; ptxas, where it is found, has
// to take each of them for exactly the chips that the record says.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/target/Targets.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/TargetMachine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilesmith::target;
using llvm::StringRef;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

bool isInstruction(Feature feature) {
  return feature < Feature::AcceptsF8;
}

TEST(Targets, PageIsTheRecord) {
  std::string path =
      std::string(std::getenv("TILESMITH_SOURCE_DIR")) + "/compiler/target/targets.md";
  if (std::getenv("TILESMITH_UPDATE")) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << printTargets();
    ASSERT_FALSE(error) << error.message();
  }
  auto page = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(page) << path;
  EXPECT_EQ((*page)->getBuffer().str(), printTargets());
}

TEST(Targets, FeaturesStandInTheirOrder) {
  ASSERT_EQ(features().size(), kNumFeatures);
  for (unsigned i = 0; i < kNumFeatures; ++i)
    EXPECT_EQ(features()[i].feature, static_cast<Feature>(i)) << features()[i].name.str();
}

TEST(Targets, EveryFeatureIsSomewhere) {
  for (const FeatureInfo &info : features())
    EXPECT_TRUE(llvm::any_of(gpuTargets(), [&](const GpuTarget &g) { return g.has(info.feature); }))
        << info.name.str();
}

TEST(Targets, NamesByRisingNumber) {
  ASSERT_FALSE(gpuTargets().empty());
  EXPECT_TRUE(llvm::is_sorted(gpuTargets(),
                              [](const GpuTarget &a, const GpuTarget &b) { return a.sm < b.sm; }));
  for (const GpuTarget &gpu : gpuTargets()) {
    EXPECT_EQ(gpu.name.str(), "sm_" + std::to_string(gpu.sm));
    EXPECT_EQ(lookupGpuTarget(gpu.name), &gpu);
    EXPECT_EQ(&targetOfCapability(gpu.sm), &gpu);
    EXPECT_EQ(gpu.note.empty(), gpu.chip == gpu.arch) << gpu.name.str();
  }
}

TEST(Targets, UnknownNamesListTheKnown) {
  EXPECT_THAT(llvm::toString(getGpuTarget("sm_75").takeError()),
              testing::AllOf(HasSubstr("got 'sm_75'"), HasSubstr("sm_103, sm_107, sm_110")));
  EXPECT_EQ(lookupGpuTarget("sm_90a"), nullptr);
}

TEST(Targets, CapabilitiesBetweenEntriesCountAsTheOlder) {
  EXPECT_EQ(targetOfCapability(85).name, "sm_80");
  EXPECT_EQ(&targetOfCapability(999), &gpuTargets().back());
  EXPECT_EQ(targetOfCapability(0).name, "");
  EXPECT_FALSE(targetOfCapability(75).has(Feature::CpAsync));
  EXPECT_EQ(targetOfCapability(75).maxSharedBytes, kStaticSharedBytes);
  EXPECT_EQ(oldestWith(Feature::MmaSyncF8).name, "sm_89");
}

TEST(Targets, ChosenLists) {
  EXPECT_THAT(drawnGpus(), ElementsAre("sm_80", "sm_90", "sm_100", "sm_120"));
  EXPECT_THAT(measuredGpus(), ElementsAre("sm_80", "sm_90", "sm_100"));
  EXPECT_TRUE(lookupGpuTarget(kDefaultGpu));
  EXPECT_EQ(gpuTargets().front().name, kOldestGpu);
  EXPECT_TRUE(llvm::is_contained(drawnGpus(), kWidestGpu));
  for (StringRef name : drawnGpus())
    for (const FeatureInfo &info : features())
      EXPECT_TRUE(isInstruction(info.feature) || !lookupGpuTarget(name)->has(info.feature) ||
                  lookupGpuTarget(kWidestGpu)->has(info.feature))
          << name.str() << ": " << info.name.str();
}

/// LLVM takes any chip name and warns; its table of processors does not.
TEST(Targets, LLVMKnowsEveryChip) {
  for (const GpuTarget &gpu : gpuTargets()) {
    auto machine = createTargetMachine(gpu, 0);
    ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
    const llvm::MCSubtargetInfo &info = *(*machine)->getMCSubtargetInfo();
    EXPECT_TRUE(info.isCPUStringValid(gpu.chip)) << gpu.chip.str();
    EXPECT_FALSE(info.isCPUStringValid("sm_107")) << "sm_107 can be compiled for itself now";
  }
}

struct Sample {
  Feature feature;
  const char *ptx;
};

constexpr Sample kSamples[] = {
    {Feature::CpAsync, "cp.async.cg.shared.global [%r1], [%d1], 16;"},
    {Feature::BulkCopy, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], "
                        "[%d1], %r2, [%r3];"},
    {Feature::TensorCopy, "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::"
                          "complete_tx::bytes [%r1], [%d1, {%r2}], [%r3];"},
    {Feature::MbarrierTryWait, "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;"},
    {Feature::Clusters, "barrier.cluster.arrive.aligned; mapa.u64 %d1, %d2, %r1;"},
    {Feature::ClusterLaunchControl, "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::"
                                    "complete_tx::bytes.b128 [%r1], [%r2];"},
    {Feature::GridDependencyControl, "griddepcontrol.wait;"},
    {Feature::SetMaxNReg, "setmaxnreg.inc.sync.aligned.u32 64;"},
    {Feature::ElectSync, "elect.sync %r1|%p1, 0xffffffff;"},
    {Feature::MmaSync, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, "
                       "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};"},
    {Feature::MmaSyncF8, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1, %f2, %f3, "
                         "%f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};"},
    {Feature::MmaSyncBlockScale,
     "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
     "ue8m0 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}, {%r1}, "
     "{0, 0}, {%r2}, {0, 0};"},
    {Feature::Wgmma, "wgmma.fence.sync.aligned;"},
    {Feature::Tcgen05, "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"},
    {Feature::Tcgen05I8, "tcgen05.mma.cta_group::1.kind::i8 [%r1], %d1, %d2, %r2, %p1;"},
    {Feature::LdMatrix, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];"},
    {Feature::LdMatrixB8, "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r3}, [%r2];"},
    {Feature::StMatrix, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r1};"},
    {Feature::StMatrixB8, "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r2], {%r1};"},
    {Feature::BF16Arithmetic, "add.rn.bf16 %h1, %h2, %h3;"},
    {Feature::PackedF32, "add.rn.f32x2 %d1, %d2, %d3;"},
    {Feature::ThreeInputMinMax, "max.f32 %f1, %f2, %f3, %f4;"},
    {Feature::Redux, "redux.sync.add.s32 %r1, %r2, 0xffffffff;"},
    {Feature::ReduxF32, "redux.sync.min.f32 %f1, %f2, 0xffffffff;"},
    {Feature::ConvertF8, "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;"},
    {Feature::ConvertF4, "{ .reg .b8 %b; cvt.rn.satfinite.e2m1x2.f32 %b, %f1, %f2; } "
                         "cvt.rz.satfinite.ue8m0x2.f32 %h1, %f1, %f2;"},
    {Feature::AtomicAddBF16, "atom.global.add.noftz.bf16 %h1, [%d1], %h2;"},
    {Feature::VectorReduction, "red.global.add.v4.f32 [%d1], {%f1, %f2, %f3, %f4};"},
    {Feature::Multimem, "multimem.ld_reduce.relaxed.sys.global.add.u32 %r1, [%d1];"},
    {Feature::Access256, "ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%d1];"},
};

/// What ptxas says to `ptx`; nothing when it takes it.
std::string assemble(const std::string &ptxas, StringRef arch, StringRef ptx,
                     bool extendedShared = true) {
  llvm::SmallString<128> input, log;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("targets", "ptx", input));
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("targets", "log", log));
  llvm::FileRemover removeInput(input), removeLog(log);
  std::error_code error;
  llvm::raw_fd_ostream(input, error) << ptx;
  EXPECT_FALSE(error) << error.message();
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log), StringRef(log)};
  int code = llvm::sys::ExecuteAndWait(
      ptxas,
      {ptxas, "-arch", arch,
       extendedShared ? "--enable-extended-smem=true" : "--enable-extended-smem=false", input, "-o",
       "/dev/null"},
      std::nullopt, redirects);
  auto text = llvm::MemoryBuffer::getFile(log);
  std::string said = text ? (*text)->getBuffer().str() : std::string();
  EXPECT_EQ(code == 0, StringRef(said).trim().empty()) << said;
  return said;
}

/// What ptxas is asked for: `arch`, or the chip where this ptxas does not know the former.
StringRef knownArch(const std::string &ptxas, const GpuTarget &gpu) {
  constexpr StringRef empty = ".version 9.0\n.target sm_80\n.address_size 64\n";
  return gpu.arch != gpu.chip && StringRef(assemble(ptxas, gpu.arch, empty)).contains("not defined")
             ? gpu.chip
             : gpu.arch;
}

/// One kernel per instruction; an error names its line.
TEST(Targets, PtxasTakesWhatTheRecordSays) {
  llvm::Expected<std::string> ptxas = findPtxas("");
  if (!ptxas)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  for (const FeatureInfo &info : features())
    EXPECT_EQ(isInstruction(info.feature),
              llvm::any_of(kSamples, [&](const Sample &s) { return s.feature == info.feature; }))
        << info.name.str();
  for (const GpuTarget &gpu : gpuTargets()) {
    std::string ptx = llvm::formatv(".version 9.0\n.target {0}\n.address_size 64\n", gpu.chip);
    unsigned firstLine = 4;
    for (const Sample &sample : kSamples)
      ptx += llvm::formatv(".entry k{0}() {{ .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .b16 %h<9>; "
                           ".reg .f32 %f<9>; .reg .pred %p<2>; {1} ret; }\n",
                           &sample - kSamples, sample.ptx)
                 .str();
    std::string said = assemble(*ptxas, knownArch(*ptxas, gpu), ptx);
    for (const Sample &sample : kSamples) {
      std::string line = llvm::formatv("line {0}; error", firstLine + (&sample - kSamples)).str();
      EXPECT_EQ(gpu.has(sample.feature), !StringRef(said).contains(line))
          << gpu.name.str() << ": " << sample.ptx << "\n"
          << said;
    }
  }
}

/// A kernel may declare as much shared memory as the record says, and no more.
TEST(Targets, PtxasHasTheSameLimitOfSharedMemory) {
  llvm::Expected<std::string> ptxas = findPtxas("");
  if (!ptxas)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  for (const GpuTarget &gpu : gpuTargets()) {
    auto declare = [&](int64_t bytes, bool extended = true, llvm::StringRef arch = {}) {
      return assemble(*ptxas, arch.empty() ? knownArch(*ptxas, gpu) : arch.str(),
                      llvm::formatv(".version {0}.{1}\n.target {2}\n.address_size 64\n.shared "
                                    ".b8 a[{3}];\n.entry k() {{ .reg .b32 %r<2>; mov.u32 %r1, a; "
                                    "st.shared.b32 [%r1], %r1; ret; }\n",
                                    gpu.ptxVersion / 10, gpu.ptxVersion % 10, gpu.chip, bytes)
                          .str(),
                      extended);
    };
    if (knownArch(*ptxas, gpu) == gpu.arch) {
      EXPECT_EQ(declare(gpu.usableSharedBytes(), false), "") << gpu.name.str();
      EXPECT_NE(declare(gpu.usableSharedBytes() + 1, false), "") << gpu.name.str();
    }
    EXPECT_EQ(declare(gpu.maxSharedBytes), "") << gpu.name.str();
    // Code for a family has the limit of the family: sm_107 itself has 327 KiB (ptxas 13.5).
    EXPECT_THAT(declare(gpu.maxSharedBytes + 1, true, gpu.chip.ends_with("f") ? gpu.chip : ""),
                HasSubstr("too much shared data"))
        << gpu.name.str();
  }
}

} // namespace
