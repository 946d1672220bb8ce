// Special registers: loads from the running thread's ThreadRegs; clocks count executed steps, so
// they are deterministic.
#include "oracles/devices/emulator/Intrinsics.h"

namespace tilesmith::emulator {

static void rtClock32(Frame *frame, uint32_t) {
  frame->put<uint32_t>(0, static_cast<uint32_t>(deviceClock()));
}
static void rtClock64(Frame *frame, uint32_t) {
  frame->put<uint64_t>(0, deviceClock());
}

void registerSpecialRegisters(IntrinsicTable &table) {
  const std::string prefix = "llvm.nvvm.read.ptx.sreg.";
  auto reg = [&](const std::string &name, SReg source) {
    table.expand(prefix + name, [source](ExpandContext &c) { return c.readRegister(source); });
  };
  auto vector = [&](const std::string &name, SReg x, SReg y, SReg z, SReg w) {
    reg(name + ".x", x), reg(name + ".y", y), reg(name + ".z", z), reg(name + ".w", w);
  };
  vector("tid", SReg::TidX, SReg::TidY, SReg::TidZ, SReg::Zero);
  vector("ntid", SReg::NtidX, SReg::NtidY, SReg::NtidZ, SReg::Zero);
  vector("ctaid", SReg::CtaIdX, SReg::CtaIdY, SReg::CtaIdZ, SReg::Zero);
  vector("nctaid", SReg::NCtaIdX, SReg::NCtaIdY, SReg::NCtaIdZ, SReg::Zero);
  vector("clusterid", SReg::ClusterIdX, SReg::ClusterIdY, SReg::ClusterIdZ, SReg::Zero);
  vector("nclusterid", SReg::NClusterIdX, SReg::NClusterIdY, SReg::NClusterIdZ, SReg::Zero);
  vector("cluster.ctaid", SReg::ClusterCtaIdX, SReg::ClusterCtaIdY, SReg::ClusterCtaIdZ,
         SReg::Zero);
  vector("cluster.nctaid", SReg::ClusterNCtaIdX, SReg::ClusterNCtaIdY, SReg::ClusterNCtaIdZ,
         SReg::Zero);
  reg("cluster.ctarank", SReg::ClusterCtaRank);
  reg("cluster.nctarank", SReg::ClusterNCtaRank);
  reg("laneid", SReg::LaneId);
  reg("warpid", SReg::WarpId);
  reg("nwarpid", SReg::NWarpId);
  reg("warpsize", SReg::WarpSize);
  reg("smid", SReg::SmId);
  reg("nsmid", SReg::NSmId);
  reg("gridid", SReg::GridId);
  reg("lanemask.eq", SReg::LaneMaskEq);
  reg("lanemask.le", SReg::LaneMaskLe);
  reg("lanemask.lt", SReg::LaneMaskLt);
  reg("lanemask.ge", SReg::LaneMaskGe);
  reg("lanemask.gt", SReg::LaneMaskGt);
  reg("dynamic_smem_size", SReg::DynamicSmemSize);
  reg("total_smem_size", SReg::TotalSmemSize);
  reg("aggr_smem_size", SReg::TotalSmemSize);
  for (int i = 0; i < 32; ++i)
    reg("envreg" + std::to_string(i), SReg::Zero);
  for (int i = 0; i < 4; ++i)
    reg("pm" + std::to_string(i), SReg::Zero);
  table.expand("llvm.nvvm.is_explicit_cluster",
               [](ExpandContext &c) -> llvm::Value * { return c.builder.getFalse(); });
  table.frame(prefix + "clock", rtClock32);
  table.frame(prefix + "clock64", rtClock64);
  table.frame(prefix + "globaltimer", rtClock64);
  table.frame(prefix + "globaltimer.lo", rtClock32);
}

} // namespace tilesmith::emulator
