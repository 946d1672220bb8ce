// Costs of the emulated GPU: fiber switches, barriers, shuffles, memory checks, matrix operations,
// compilation.
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/devices/emulator/Fibers.h"

#include <benchmark/benchmark.h>

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace {

using namespace tilesmith::emulator;

std::unique_ptr<Program> compile(const std::string &text, bool checked = true) {
  ProgramOptions options;
  options.checkMemory = checked;
  auto program = Program::parse("target triple = \"nvptx64-nvidia-cuda\"\n" + text, options);
  if (!program)
    llvm::report_fatal_error(program.takeError());
  return std::move(*program);
}

// Runs `body` in a loop of %n iterations per thread.
std::string loopKernel(const std::string &declarations, const std::string &before,
                       const std::string &body) {
  return declarations + R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %data, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + before +
         R"(
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%next, %loop]
)" + body +
         R"(
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
)";
}

Report run(Program &program, uint32_t threads, void *data, int32_t n, bool races = false) {
  LaunchConfig config;
  config.block = {threads, 1, 1};
  config.maxSteps = 0;
  config.detectRaces = races;
  Report report = program.launch("k", config, {argument(data), argument(n)});
  if (!report.ok())
    llvm::report_fatal_error(llvm::StringRef(report.message));
  return report;
}

Flow hostFlow, otherFlow;

void BM_FiberSwitch(benchmark::State &state) {
  startFlow(otherFlow, *StackPool::ofThisThread().get(0),
            [](boost::context::detail::transfer_t transfer) {
              enterFlow(transfer);
              for (;;)
                switchFlow(&otherFlow, hostFlow);
            });
  for (auto _ : state)
    switchFlow(&hostFlow, otherFlow);
  state.SetItemsProcessed(2 * state.iterations()); // one there, one back
}
BENCHMARK(BM_FiberSwitch);

void BM_Barrier(benchmark::State &state) {
  auto program = compile(loopKernel("declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)", "",
                                    "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"));
  const auto threads = static_cast<uint32_t>(state.range(0));
  for (auto _ : state)
    run(*program, threads, nullptr, 1000);
  state.SetItemsProcessed(state.iterations() * 1000 * threads); // barriers times threads
}
BENCHMARK(BM_Barrier)->Arg(32)->Arg(128)->Arg(1024);

void BM_Shuffle(benchmark::State &state) {
  auto program = compile(
      loopKernel("declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)", "",
                 "%s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 1, i32 31)"));
  for (auto _ : state)
    run(*program, 128, nullptr, 1000);
  state.SetItemsProcessed(state.iterations() * 1000 * 128);
}
BENCHMARK(BM_Shuffle);

void BM_LoadStore(benchmark::State &state) {
  auto program =
      compile(loopKernel("", "%p = getelementptr float, ptr addrspace(1) %data, i32 %t", R"(
  %x = load float, ptr addrspace(1) %p
  %y = fadd float %x, 1.0
  store float %y, ptr addrspace(1) %p)"),
              state.range(0));
  std::vector<float> data(128);
  program->addRange(data.data(), 512, "data");
  for (auto _ : state)
    run(*program, 128, data.data(), 1000);
  state.SetItemsProcessed(state.iterations() * 2000 * 128); // accesses
}
BENCHMARK(BM_LoadStore)->ArgName("checked")->Arg(0)->Arg(1);

void BM_Mma(benchmark::State &state) {
  auto program = compile(
      loopKernel("declare {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 "
                 "x half>, <2 x half>, "
                 "<2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float)",
                 "%h = load <2 x half>, ptr addrspace(1) %data",
                 "%m = call {float, float, float, float} "
                 "@llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %h, <2 x half> %h, "
                 "<2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, float 0.0, float "
                 "0.0, float 0.0, float 0.0)"));
  std::vector<uint16_t> data(2, 0x3c00);
  for (auto _ : state)
    run(*program, 32, data.data(), 1000);
  state.counters["FLOP/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * 1000 * 2 * 16 * 8 * 16,
                         benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Mma);

void BM_Wgmma(benchmark::State &state) {
  std::string outputs, ties, list, results, zeros;
  for (int i = 0; i < 64; ++i) {
    outputs += i ? ",=f" : "=f";
    ties += "," + std::to_string(i);
    list += (i ? ",$" : "$") + std::to_string(i);
    results += i ? ", float" : "float";
    zeros += ", float 0.0";
  }
  auto program = compile(
      loopKernel("@tile = internal addrspace(3) global [8192 x i32] zeroinitializer, align 1024\n"
                 "declare void @llvm.nvvm.wgmma.fence.sync.aligned()\n"
                 "declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()\n"
                 "declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)",
                 "%base = ptrtoint ptr addrspace(3) @tile to i64\n%low = and i64 %base, 262143\n"
                 "%start = lshr i64 %low, 4\n%desc = or i64 %start, 68728258560",
                 "call void @llvm.nvvm.wgmma.fence.sync.aligned()\n%d = call { " + results +
                     " } asm sideeffect \"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" +
                     list + "}, $64, $65, 1, 1, 1, 0, 0;\", \"" + outputs + ",l,l" + ties +
                     "\"(i64 %desc, i64 %desc" + zeros +
                     ")\ncall void @llvm.nvvm.wgmma.commit_group.sync.aligned()\n"
                     "call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)"));
  for (auto _ : state)
    run(*program, 128, nullptr, 100);
  state.counters["FLOP/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * 100 * 2 * 64 * 128 * 16,
                         benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Wgmma);

// The same accesses as BM_LoadStore with the race detector.
void BM_Races(benchmark::State &state) {
  auto program =
      compile(loopKernel("", "%p = getelementptr float, ptr addrspace(1) %data, i32 %t", R"(
  %x = load float, ptr addrspace(1) %p
  %y = fadd float %x, 1.0
  store float %y, ptr addrspace(1) %p)"));
  std::vector<float> data(128);
  program->addRange(data.data(), 512, "data");
  for (auto _ : state)
    run(*program, 128, data.data(), 1000, state.range(0));
  state.SetItemsProcessed(state.iterations() * 2000 * 128);
}
BENCHMARK(BM_Races)->ArgName("races")->Arg(0)->Arg(1);

// Straight-line code with the given number of instructions, 100 per loop.
void BM_Compile(benchmark::State &state) {
  std::string body;
  for (int i = 0; i < state.range(0) / 4; ++i)
    body += llvm::formatv(
        "  %p{0} = getelementptr float, ptr addrspace(1) %data, i32 {0}\n"
        "  %x{0} = load float, ptr addrspace(1) %p{0}\n  %y{0} = fmul float %x{0}, 2.0\n"
        "  store float %y{0}, ptr addrspace(1) %p{0}\n",
        i);
  const std::string text = loopKernel("", "", body);
  for (auto _ : state)
    compile(text);
}
BENCHMARK(BM_Compile)->Arg(100)->Arg(1000)->Arg(5000)->Unit(benchmark::kMillisecond);

// A kernel that our compiler wrote: TILESMITH_IR names a file that `tileiras --emit=llvm` made.
void BM_CompileFile(benchmark::State &state) {
  auto file = llvm::MemoryBuffer::getFile(std::getenv("TILESMITH_IR"));
  if (!file)
    return state.SkipWithError("cannot read TILESMITH_IR");
  for (auto _ : state) {
    state.PauseTiming(); // reading the text is no part of it
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic error;
    auto module = llvm::parseIR((*file)->getMemBufferRef(), error, *context);
    if (!module)
      llvm::report_fatal_error(error.getMessage());
    state.ResumeTiming();
    auto program = Program::create(std::move(module), std::move(context));
    if (!program)
      llvm::report_fatal_error(program.takeError());
    state.PauseTiming();
    (*program).reset();
    state.ResumeTiming();
  }
}
[[maybe_unused]] const auto *compileFile =
    std::getenv("TILESMITH_IR") ? benchmark::RegisterBenchmark("BM_CompileFile", BM_CompileFile)
                                      ->Unit(benchmark::kMillisecond)
                                : nullptr;

} // namespace
