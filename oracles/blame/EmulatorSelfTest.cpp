//===- EmulatorSelfTest.cpp - the emulated GPU by itself --------------------------------------===//
#include "oracles/blame/EmulatorSelfTest.h"

#include "oracles/devices/emulator/Emulator.h"

#include "llvm/Support/FormatVariadic.h"

#include <optional>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// out[thread] = shuffle of (1000 + thread) by `amount`.
std::string shuffleKernel(llvm::StringRef mode, unsigned clamp) {
  return llvm::formatv(R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.shfl.sync.{0}.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @probe(ptr addrspace(1) %out, i32 %amount) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = add i32 %tid, 1000
  %got = call i32 @llvm.nvvm.shfl.sync.{0}.i32(i32 -1, i32 %mine, i32 %amount, i32 {1})
  %index = zext i32 %tid to i64
  %slot = getelementptr i32, ptr addrspace(1) %out, i64 %index
  store i32 %got, ptr addrspace(1) %slot
  ret void
})",
                       mode, clamp)
      .str();
}

/// The lane that `lane` reads; itself where the source is out of range.
unsigned sourceLane(llvm::StringRef mode, unsigned lane, unsigned amount) {
  if (mode == "bfly")
    return lane ^ amount;
  if (mode == "up")
    return lane >= amount ? lane - amount : lane;
  if (mode == "down")
    return lane + amount < 32 ? lane + amount : lane;
  return amount; // idx
}

std::optional<std::string> probeShuffle(llvm::StringRef mode, unsigned clamp) {
  auto program = emulator::Program::parse(shuffleKernel(mode, clamp));
  if (!program)
    return "shuffle " + mode.str() + ": " + llvm::toString(program.takeError());
  for (unsigned amount : {1u, 2u, 4u, 8u, 16u}) {
    std::vector<uint32_t> out(64, 0);
    (*program)->clearRanges();
    (*program)->addRange(out.data(), out.size() * 4, "out");
    emulator::LaunchConfig config;
    config.block = {64, 1, 1};
    emulator::Report report = (*program)->launch(
        "probe", config,
        {emulator::argument<void *>(out.data()), emulator::argument<uint32_t>(amount)});
    if (!report.ok())
      return "shuffle " + mode.str() + ": " + report.message;
    for (unsigned thread = 0; thread < 64; ++thread) {
      uint32_t want = 1000 + thread / 32 * 32 + sourceLane(mode, thread % 32, amount);
      if (out[thread] != want)
        return llvm::formatv("shuffle {0} by {1}: thread {2} got the value of thread {3}, want "
                             "that of thread {4}",
                             mode, amount, thread, out[thread] - 1000, want - 1000)
            .str();
    }
  }
  return std::nullopt;
}

} // namespace

std::string tilesmith::oracles::testEmulator() {
  for (auto [mode, clamp] : std::initializer_list<std::pair<llvm::StringRef, unsigned>>{
           {"bfly", 31}, {"up", 0}, {"down", 31}, {"idx", 31}})
    if (std::optional<std::string> broken = probeShuffle(mode, clamp))
      return *broken;
  return "";
}
