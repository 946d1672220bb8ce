// Kernels in LLVM IR and helpers that the emulator's tests share.
#pragma once

#include "oracles/devices/emulator/Emulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilesmith::emulator {

inline constexpr Schedule kSchedules[] = {Schedule::FIFO, Schedule::LIFO, Schedule::Random};

// Declarations every kernel text may use.
inline const std::string kPrelude = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare {i32, i1} @llvm.nvvm.elect.sync(i32)
declare i32 @llvm.nvvm.activemask()
declare i32 @vprintf(ptr, ptr)
declare void @llvm.trap()
)";

inline std::unique_ptr<Program> compile(const std::string &text, ProgramOptions options = {}) {
  auto program = Program::parse(kPrelude + text, options);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return nullptr;
  }
  return std::move(*program);
}

inline LaunchConfig config(uint32_t grid, uint32_t block, Schedule schedule = Schedule::FIFO,
                           uint64_t seed = 1) {
  LaunchConfig result;
  result.grid = {grid, 1, 1};
  result.block = {block, 1, 1};
  result.schedule = schedule;
  result.seed = seed;
  return result;
}

template <typename T> void declare(Program &program, std::vector<T> &data, const char *name) {
  program.addRange(data.data(), data.size() * sizeof(T), name);
}

inline const char *kVectorAdd = R"(
define ptx_kernel void @add(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b0, %d
  %i = add i32 %o, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %body, label %done
body:
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %i
  %pb = getelementptr float, ptr addrspace(1) %b, i32 %i
  %pc = getelementptr float, ptr addrspace(1) %c, i32 %i
  %x = load float, ptr addrspace(1) %pa
  %y = load float, ptr addrspace(1) %pb
  %z = fadd float %x, %y
  store float %z, ptr addrspace(1) %pc
  br label %done
done:
  ret void
}
)";

// Tree reduction in shared memory; the barrier inside the loop can be left out.
inline std::string sharedReduction(bool barrier) {
  return R"(
@buffer = internal addrspace(3) global [256 x float] poison, align 16
define ptx_kernel void @reduce(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %o = shl i32 %b, 8
  %i = add i32 %o, %t
  %p = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %p
  %s = getelementptr [256 x float], ptr addrspace(3) @buffer, i32 0, i32 %t
  store float %x, ptr addrspace(3) %s
  br label %loop
loop:
  %half = phi i32 [128, %entry], [%next, %tail]
  )" + std::string(barrier ? "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)" : "") +
         R"(
  %active = icmp ult i32 %t, %half
  br i1 %active, label %add, label %tail
add:
  %u = add i32 %t, %half
  %q = getelementptr [256 x float], ptr addrspace(3) @buffer, i32 0, i32 %u
  %y = load float, ptr addrspace(3) %q
  %z = load float, ptr addrspace(3) %s
  %w = fadd float %y, %z
  store float %w, ptr addrspace(3) %s
  br label %tail
tail:
  %next = lshr i32 %half, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %end
write:
  %r = load float, ptr addrspace(3) @buffer
  %po = getelementptr float, ptr addrspace(1) %out, i32 %b
  store float %r, ptr addrspace(1) %po
  br label %end
end:
  ret void
}
)";
}

inline const char *kNeighbour = R"(
@global_smem = external addrspace(3) global [0 x i8], align 128
define ptx_kernel void @neighbour(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %s = getelementptr i32, ptr addrspace(3) @global_smem, i32 %t
  store i32 %t, ptr addrspace(3) %s
  BARRIER
  %t1 = add i32 %t, 1
  %u = urem i32 %t1, %n
  %q = getelementptr i32, ptr addrspace(3) @global_smem, i32 %u
  %v = load i32, ptr addrspace(3) %q
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %p
  ret void
}
)";

inline std::string neighbour(bool barrier) {
  std::string text = kNeighbour;
  text.replace(text.find("BARRIER"), 7,
               barrier ? "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)" : "");
  return text;
}

} // namespace tilesmith::emulator
