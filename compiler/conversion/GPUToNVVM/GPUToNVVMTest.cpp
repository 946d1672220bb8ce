//===- GPUToNVVMTest.cpp - every row of the gpu and nvgpu lowering table ----------------------===//
//
// One entry per row: the op in a kernel, and what must stand in the output. `docs` numbers are the
// rows of the table of operations (ROWS.md). After the pass nothing outside llvm/nvvm may
// remain, which the pass itself checks.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using testing::HasSubstr;

namespace {

/// The module after the pass, or "error: ..." with the diagnostics.
std::string lower(StringRef text) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  NVVM::NVVMDialect, math::MathDialect, memref::MemRefDialect, nvgpu::NVGPUDialect,
                  tilesmith::nvgpu_ext::NVGPUExtDialect, scf::SCFDialect, vector::VectorDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string diagnostics = "error: ";
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    diagnostics += diagnostic.str() + "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return diagnostics;
  PassManager passes(&context);
  passes.enableVerifier(true);
  passes.addPass(tilesmith::createConvertGPUToNVVMPass());
  if (failed(passes.run(*module)))
    return diagnostics;
  std::string result;
  llvm::raw_string_ostream(result) << *module;
  return result;
}

struct Row {
  const char *spec;       ///< row of ROWS.md
  const char *parameters; ///< of the kernel
  const char *body;
  std::vector<const char *> expected;
};

std::string kernel(const Row &row) {
  return "gpu.module @m {\n gpu.func @k(" + std::string(row.parameters) +
         ") kernel attributes {nvgpu_ext.threads = 64 : i32} {\n" + row.body +
         "\n gpu.return\n }\n}";
}

/// Keeps a value alive.
#define USE(VALUE, TYPE) "\n llvm.store volatile " VALUE ", %p : " TYPE ", !llvm.ptr<1>"
#define USE_INDEX(VALUE) "\n %use = arith.index_cast " VALUE " : index to i64" USE("%use", "i64")

TEST(GPUToNVVM, RowsOfTheGpuTable) {
  const Row rows[] = {
      {"1",
       "%p: !llvm.ptr<1>",
       "%v = gpu.thread_id y" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.tid.y"}},
      {"2",
       "%p: !llvm.ptr<1>",
       "%v = gpu.block_id x" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.ctaid.x"}},
      {"3",
       "%p: !llvm.ptr<1>",
       "%v = gpu.block_dim z" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.ntid.z"}},
      {"4",
       "%p: !llvm.ptr<1>",
       "%v = gpu.grid_dim x" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.nctaid.x"}},
      {"5",
       "%p: !llvm.ptr<1>",
       "%v = gpu.cluster_id x" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.clusterid.x"}},
      {"6",
       "%p: !llvm.ptr<1>",
       "%v = gpu.cluster_dim x" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.nclusterid.x"}},
      {"6",
       "%p: !llvm.ptr<1>",
       "%v = gpu.cluster_dim_blocks y" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.cluster.nctaid.y"}},
      {"7",
       "%p: !llvm.ptr<1>",
       "%v = gpu.cluster_block_id x" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.cluster.ctaid.x"}},
      {"8",
       "%p: !llvm.ptr<1>",
       "%v = gpu.subgroup_size : index" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.warpsize"}},
      {"9", "%p: !llvm.ptr<1>", "%v = gpu.lane_id" USE_INDEX("%v"), {"nvvm.read.ptx.sreg.laneid"}},
      {"10", "", "gpu.barrier", {"nvvm.barrier"}},
      {"11",
       "%c: i1",
       "cf.assert %c, \"message\"",
       {"llvm.cond_br", "llvm.call @__assertfail(",
        "(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) -> ()"}},
      {"12",
       "%x: f32",
       "gpu.printf \"value %f\\n\", %x : f32",
       {"llvm.fpext %arg0 : f32 to f64", "llvm.call @vprintf(", "(!llvm.ptr, !llvm.ptr) -> i32"}},
      {"13",
       "%p: !llvm.ptr<1>, %x: f32",
       "%v = math.exp %x : f32" USE("%v", "f32"),
       {"llvm.call @__nv_expf("}},
      {"13",
       "%p: !llvm.ptr<1>, %x: f64",
       "%v = math.sin %x : f64" USE("%v", "f64"),
       {"llvm.call @__nv_sin("}},
      {"13",
       "%p: !llvm.ptr<1>, %x: f32",
       "%v = math.exp %x fastmath<afn> : f32" USE("%v", "f32"),
       {"llvm.call @__nv_fast_expf("}},
      {"14",
       "%p: !llvm.ptr<1>, %x: bf16",
       "%v = math.tanh %x : bf16" USE("%v", "bf16"),
       {"llvm.fpext %arg1 : bf16 to f32", "llvm.call @__nv_tanhf(", "llvm.fptrunc"}},
      {"15",
       "%p: !llvm.ptr<1>, %x: vector<2xf32>",
       "%v = math.sqrt %x : vector<2xf32>" USE("%v", "vector<2xf32>"),
       {"llvm.extractelement", "llvm.call @__nv_sqrtf(", "llvm.insertelement"}},
      {"16",
       "",
       "",
       {"nvvm.kernel", "nvvm.reqntid = array<i32: 64, 1, 1>", "nvgpu_ext.threads = 64 : i32"}},
      {"17",
       "%p: !llvm.ptr<1>",
       "%m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>\n %c = "
       "arith.constant 0 : index\n"
       "%v = memref.load %m[%c] : memref<?xi8, #gpu.address_space<workgroup>>" USE("%v", "i8"),
       {"llvm.mlir.global internal @__dynamic_shmem__0", "addr_space = 3"}},
      {"18",
       "%p: !llvm.ptr<1>, %x: i32",
       "%o = arith.constant 1 : i32\n %w = arith.constant 32 : i32\n %v, %ok = gpu.shuffle xor %x, "
       "%o, %w : i32" USE("%v", "i32"),
       {"nvvm.shfl.sync  bfly"}},
      {"18",
       "%p: !llvm.ptr<1>, %x: f64",
       "%o = arith.constant 1 : i32\n %w = arith.constant 32 : i32\n %v, %ok = gpu.shuffle idx %x, "
       "%o, %w : f64" USE("%v", "f64"),
       {"nvvm.shfl.sync  idx"}},
      {"19",
       "%p: !llvm.ptr<1>, %x: f32",
       "%v = gpu.subgroup_reduce add %x : (f32) -> f32" USE("%v", "f32"),
       {"nvvm.shfl.sync  bfly", "llvm.fadd"}},
      {"20",
       "%p: !llvm.ptr<1>, %x: f32",
       "%v = gpu.all_reduce add %x uniform {} : (f32) -> f32" USE("%v", "f32"),
       {"nvvm.shfl.sync", "nvvm.barrier"}},
      {"21",
       "%p: !llvm.ptr<1>",
       "%v = gpu.subgroup_id : index" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.tid.x", "llvm.udiv"}},
      {"21",
       "%p: !llvm.ptr<1>",
       "%v = gpu.num_subgroups : index" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.ntid.x", "llvm.udiv"}},
      {"22",
       "%p: !llvm.ptr<1>",
       "%v = gpu.global_id x" USE_INDEX("%v"),
       {"nvvm.read.ptx.sreg.ctaid.x", "llvm.mul", "llvm.add"}},
      {"24",
       "%p: !llvm.ptr<1>, %x: f16",
       "%v = math.sqrt %x : f16" USE("%v", "f16"),
       {"llvm.call @__nv_sqrtf("}},
  };
  for (const Row &row : rows) {
    std::string output = lower(kernel(row));
    for (const char *expected : row.expected)
      EXPECT_THAT(output, HasSubstr(expected)) << "row " << row.spec << ": " << row.body;
  }
}

constexpr char kBarrier[] = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>";

std::string barrierBody(std::string ops) {
  std::string text =
      "%b = nvgpu.mbarrier.create -> BARRIER\n %c = arith.constant 0 : index\n" + ops;
  for (size_t at; (at = text.find("BARRIER")) != std::string::npos;)
    text.replace(at, 7, kBarrier);
  return text;
}

TEST(GPUToNVVM, RowsOfTheNvgpuTable) {
  std::string init = barrierBody("nvgpu.mbarrier.init %b[%c], %c : BARRIER");
  std::string arrive =
      barrierBody("%t = nvgpu.mbarrier.arrive %b[%c] : BARRIER -> !nvgpu.mbarrier.token");
  std::string noComplete = barrierBody(
      "%t = nvgpu.mbarrier.arrive.nocomplete %b[%c], %c : BARRIER -> !nvgpu.mbarrier.token");
  std::string expectTx = barrierBody("nvgpu.mbarrier.arrive.expect_tx %b[%c], %c : BARRIER");
  std::string testWait =
      barrierBody("%t = nvgpu.mbarrier.arrive %b[%c] : BARRIER -> !nvgpu.mbarrier.token\n"
                  "%w = nvgpu.mbarrier.test.wait %b[%c], %t : BARRIER, !nvgpu.mbarrier.token");
  std::string tryWait = barrierBody("%phase = arith.constant 1 : i1\n "
                                    "nvgpu.mbarrier.try_wait.parity %b[%c], %phase, %c : BARRIER");
#define TENSORMAP                                                                                  \
  "!nvgpu.tensormap.descriptor<tensor = memref<8x16xf32, 3>, swizzle = none, l2promo = none, oob " \
  "= zero, "                                                                                       \
  "interleave = none>"
  std::string tmaLoad = barrierBody("nvgpu.tma.async.load %d[%c, %c], %b[%c] to %s : " TENSORMAP
                                    ", BARRIER -> memref<8x16xf32, 3>");
  const Row rows[] = {
      {"25, 26",
       "",
       init.c_str(),
       {"llvm.mlir.global private @__mbarrier", "addr_space = 3", "nvvm.mbarrier.init"}},
      {"27", "", arrive.c_str(), {"nvvm.mbarrier.arrive", "!llvm.ptr<3>"}},
      {"28", "", noComplete.c_str(), {"nvvm.mbarrier.arrive.nocomplete"}},
      {"29", "", expectTx.c_str(), {"nvvm.mbarrier.arrive.expect_tx"}},
      {"30", "", testWait.c_str(), {"nvvm.mbarrier.test.wait"}},
      {"31", "", tryWait.c_str(), {"nvvm.mbarrier.try_wait.parity"}},
      {"34, 35",
       "%d: " TENSORMAP ", %s: memref<8x16xf32, 3>",
       tmaLoad.c_str(),
       {"nvvm.cp.async.bulk.tensor.shared.cluster.global"}},
      {"36",
       "%d: " TENSORMAP ", %s: memref<8x16xf32, 3>",
       "%c = arith.constant 0 : index\n nvgpu.tma.async.store %s to %d[%c, %c] : memref<8x16xf32, "
       "3> -> " TENSORMAP,
       {"nvvm.cp.async.bulk.tensor.global.shared.cta"}},
      {"39",
       "%d: " TENSORMAP,
       "nvgpu.tma.prefetch.descriptor %d : " TENSORMAP,
       {"nvvm.prefetch tensormap"}},
      {"40",
       "%d: " TENSORMAP,
       "nvgpu.tma.fence.descriptor %d : " TENSORMAP,
       {"nvvm.fence.proxy.acquire"}},
      {"45",
       "%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>",
       "%d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, "
       "vector<2x2xf16>, "
       "vector<2x2xf32>) -> vector<2x2xf32>",
       {"nvvm.mma.sync", "#nvvm.shape<m = 16, n = 8, k = 16>"}},
      {"45",
       "%a: vector<4x1xf32>, %b: vector<2x1xf32>, %c: vector<2x2xf32>",
       "%d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, "
       "vector<2x1xf32>, "
       "vector<2x2xf32>) -> vector<2x2xf32>",
       {"nvvm.mma.sync", "#nvvm.mma_type<tf32>"}},
      {"45",
       "%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>",
       "%d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, "
       "vector<2x2xbf16>, "
       "vector<2x2xf32>) -> vector<2x2xf32>",
       {"nvvm.mma.sync", "multiplicandAPtxType = #nvvm.mma_type<bf16>"}},
      {"46",
       "%s: memref<128x128xf16, 3>",
       "%c = arith.constant 0 : index\n %v = nvgpu.ldmatrix %s[%c, %c] {numTiles = 4 : i32, "
       "transpose = false} : "
       "memref<128x128xf16, 3> -> vector<4x2xf16>",
       {"nvvm.ldmatrix", "num = 4"}},
      {"47-49",
       "%g: memref<128xf32, 1>, %s: memref<128xf32, 3>",
       "%c = arith.constant 0 : index\n %t = nvgpu.device_async_copy %g[%c], %s[%c], 4 {bypassL1} "
       ": memref<128xf32, 1> "
       "to memref<128xf32, 3>\n %u = nvgpu.device_async_create_group %t\n nvgpu.device_async_wait "
       "%u {numGroups = 1 : "
       "i32}",
       {"nvvm.cp.async.shared.global", "cache =  cg", "nvvm.cp.async.commit.group",
        "nvvm.cp.async.wait.group 1"}},
      {"50",
       "%a: vector<4x2xf16>, %b: vector<4x2xf16>, %c: vector<2x2xf16>, %m: vector<2xi16>",
       "%d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 32]} : "
       "(vector<4x2xf16>, "
       "vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>",
       {"llvm.inline_asm", "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16"}},
      {"51",
       "%p: !llvm.ptr<1>, %x: vector<2xf32>",
       "%v = nvgpu.rcp %x {rounding = approx, ftz} : vector<2xf32>" USE("%v", "vector<2xf32>"),
       {"nvvm.rcp.approx.ftz.f"}},
  };
  for (const Row &row : rows) {
    std::string output = lower(kernel(row));
    for (const char *expected : row.expected)
      EXPECT_THAT(output, HasSubstr(expected)) << "row " << row.spec << ": " << row.body;
  }
}

TEST(GPUToNVVM, ScalarsBecomeWhatTheDialectConversionMakesOfThem) {
  const char *text = R"(llvm.func @f(%a: i32, %b: i32, %l: i64, %i: i1, %x: f32, %y: f32, %h: f16) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c7 = arith.constant 7 : i32
    %t = arith.constant true
    %f = arith.constant 1.5 : f32
    %0 = arith.addi %a, %b overflow<nsw> : i32
    %1 = arith.subi %0, %c7 overflow<nsw, nuw> : i32
    %2 = arith.muli %1, %0 overflow<nuw> : i32
    %3 = arith.andi %2, %c7 : i32
    %4 = arith.ori %3, %a : i32
    %5 = arith.xori %4, %b : i32
    %6 = arith.shli %5, %c1 overflow<nuw> : i32
    %7 = arith.shrui %6, %c7 exact : i32
    %8 = arith.shrsi %7, %a : i32
    %9 = arith.extui %8 : i32 to i64
    %10 = arith.extsi %8 : i32 to i64
    %11 = arith.trunci %l overflow<nsw> : i64 to i32
    %12 = arith.cmpi ult, %11, %8 : i32
    %13 = arith.cmpi sge, %9, %10 : i64
    %14 = arith.select %12, %9, %10 : i64
    %15 = arith.addf %x, %y fastmath<nnan, contract> : f32
    %16 = arith.subf %15, %f : f32
    %17 = arith.mulf %16, %y fastmath<fast> : f32
    %18 = arith.cmpf olt, %17, %x : f32
    %19 = arith.mulf %h, %h : f16
    // These fold, in place or to something else, on their own or through what they use.
    %20 = arith.addi %c7, %a : i32
    %21 = arith.addi %20, %c0 : i32
    %22 = arith.subi %0, %b : i32
    %23 = arith.trunci %9 : i64 to i32
    %24 = arith.muli %c7, %c7 : i32
    %25 = arith.select %t, %21, %22 : i32
    %26 = arith.xori %12, %t : i1
    %27 = arith.cmpi eq, %a, %a : i32
    %28 = arith.addi %24, %23 : i32
    %29 = arith.andi %i, %t : i1
    // No scalars of LLVM.
    %30 = arith.index_cast %28 : i32 to index
    %31 = arith.addi %30, %30 : index
    %32 = arith.constant dense<3> : vector<4xi32>
    %33 = arith.addi %32, %32 : vector<4xi32>
    %34 = arith.truncf %f to_nearest_even : f32 to f16
    %35 = arith.index_cast %31 : index to i32
    "test.use"(%13, %14, %18, %19, %25, %26, %27, %29, %33, %34, %35) : (i1, i64, i1, f16, i32, i1, i1, i1, vector<4xi32>, f16, i32) -> ()
    llvm.return
  })";
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, LLVM::LLVMDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  auto converted = [&](bool scalarsFirst) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    unsigned left = 0;
    if (scalarsFirst) {
      tilesmith::convertScalars(*module);
      module->walk(
          [&](Operation *op) { left += isa_and_present<arith::ArithDialect>(op->getDialect()); });
      EXPECT_THAT(left, testing::AllOf(testing::Gt(8u), testing::Lt(24u)));
    }
    PassManager passes(&context);
    passes.addPass(createArithToLLVMConversionPass());
    EXPECT_TRUE(succeeded(passes.run(*module)));
    std::string result;
    llvm::raw_string_ostream(result) << *module;
    return result;
  };
  const std::string wanted = converted(false);
  EXPECT_THAT(wanted, testing::Not(HasSubstr("arith.")));
  EXPECT_EQ(converted(true), wanted);
}

TEST(GPUToNVVM, BarriersOutsideSharedMemoryAreRejected) {
  std::string output = lower("gpu.module @m { gpu.func @k(%b: !nvgpu.mbarrier.group<memorySpace = "
                             "#gpu.address_space<global>>) kernel { %c = arith.constant 0 : index\n"
                             "nvgpu.mbarrier.init %b[%c], %c : !nvgpu.mbarrier.group<memorySpace = "
                             "#gpu.address_space<global>>\n gpu.return } }");
  EXPECT_THAT(
      output,
      HasSubstr("'nvgpu.mbarrier.init' op operand #0 must be mbarrier barrier type, but got "
                "'!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<global>>'"));
}

TEST(GPUToNVVM, WarpgroupMmaWaitsForAllGroups) {
  std::string output = lower(R"(
!a = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x128xf32>>
gpu.module @m {
  gpu.func @k(%a: !a, %b: !b) kernel attributes {nvgpu_ext.threads = 128 : i32} {
    %c = nvgpu.warpgroup.mma.init.accumulator -> !acc
    %d = nvgpu.warpgroup.mma %a, %b, %c {transposeB} : !a, !b, !acc -> !acc
    gpu.return
  }
})");
  size_t fence = output.find("nvvm.wgmma.fence.aligned"), mma = output.find("nvvm.wgmma.mma_async"),
         commit = output.find("nvvm.wgmma.commit.group.sync.aligned"),
         wait = output.find("nvvm.wgmma.wait.group.sync.aligned 0");
  EXPECT_TRUE(fence < mma && mma < commit && commit < wait && wait != std::string::npos) << output;
}

TEST(GPUToNVVM, VectorMathIsScalarisedWhateverItsRank) {
  std::string output =
      lower("gpu.module @m { gpu.func @k(%x: vector<2x2xf32>) kernel { %v = math.exp %x : "
            "vector<2x2xf32>\n gpu.return } }");
  size_t calls = 0;
  for (size_t at = 0; (at = output.find("llvm.call @__nv_expf", at)) != std::string::npos; ++at)
    ++calls;
  EXPECT_EQ(calls, 4u) << output;
}

TEST(GPUToNVVM, LeftoversAreErrorsThatNameTheOp) {
  std::string output =
      lower("gpu.module @m { gpu.func @k(%x: vector<2xf32>) kernel { %v = gpu.subgroup_reduce add "
            "%x : (vector<2xf32>) -> vector<2xf32>\n gpu.return } }");
  EXPECT_THAT(output, HasSubstr("error: "));
  EXPECT_THAT(output, HasSubstr("gpu.subgroup_reduce"));
}

TEST(GPUToNVVM, ThreadCountsOutOfRangeAreRejected) {
  EXPECT_THAT(lower("gpu.module @m { gpu.func @k() kernel attributes {nvgpu_ext.threads = 2048 : "
                    "i32} { gpu.return } }"),
              HasSubstr("expected 'nvgpu_ext.threads' between 1 and 1024 on a function, got 2048"));
}

TEST(GPUToNVVM, FloatSemanticsDoNotDependOnUpstreamChoices) {
  const Row rows[] = {
      {"maxf",
       "%p: !llvm.ptr<1>, %x: f64, %y: f64",
       "%v = arith.maxnumf %x, %y : f64" USE("%v", "f64"),
       {"llvm.call_intrinsic \"llvm.maximumnum\""}},
      {"minf",
       "%p: !llvm.ptr<1>, %x: bf16, %y: bf16",
       "%v = arith.minnumf %x, %y : bf16" USE("%v", "bf16"),
       {"llvm.call_intrinsic \"llvm.minimumnum\""}},
      {"maxf nan",
       "%p: !llvm.ptr<1>, %x: f32, %y: f32",
       "%v = arith.maximumf %x, %y : f32" USE("%v", "f32"),
       {"llvm.intr.maximum("}},
      {"remf",
       "%p: !llvm.ptr<1>, %x: f32, %y: f32",
       "%v = arith.remf %x, %y : f32" USE("%v", "f32"),
       {"llvm.call @__nv_fmodf("}},
      {"fma",
       "%p: !llvm.ptr<1>, %x: bf16",
       "%v = math.fma %x, %x, %x : bf16" USE("%v", "bf16"),
       {"llvm.intr.fma(%arg1, %arg1, %arg1) : (bf16, bf16, bf16) -> bf16"}},
  };
  for (const Row &row : rows) {
    std::string output = lower(kernel(row));
    for (const char *expected : row.expected)
      EXPECT_THAT(output, HasSubstr(expected)) << row.spec;
  }
}

} // namespace
