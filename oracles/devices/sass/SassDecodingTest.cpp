//===- SassDecodingTest.cpp - words and how they are spelled ----------------------------------===//
#include "oracles/devices/sass/Instruction.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

// Forms that no stored cubin has, as the vendor's disassembler spells them.
TEST(SassDecodingTest, FormsOfFewProgramsAreDecoded) {
  static constexpr std::tuple<uint64_t, uint64_t, unsigned, const char *> kWords[] = {
      {0x0001e20000100105, 0x0000000002007385, 90, "ST.E.U8 [R2],R5"},
      {0x0201e80000100910, 0x0000010c0e007385, 90, "ST.E [R14+0x10c],R16"},
      {0x0001620000100500, 0x01000000020f7980, 100, "LD.E.U16 R15,[R2+0x1000000]"},
      {0x000fca000380280f, 0x4c004c000e0e7847, 90,
       "VHMNMX R14,R14.H0_H0,h:0x4c00,h:0x4c00,R15.H0_H0,PT"},
      {0x0009e20008209800, 0x0000ff101a0075b4, 100, ""},
      {0x0009e20008209000, 0x0000ff101a0075b4, 100, "UTMALDG.2D.2CTA UR16,UR26"},
      {0x0075d80009300000, 0x00000006040079e7, 100, "UTCCP.T.S.2CTA.4x32dp128bit [UR4],UR6"},
      {0x0075d80009310000, 0x00000006040079e7, 100, ""},
      {0x000e22000020a000, 0x3f80000000307904, 100, "F2F.BF16.F32.RP R48,f:0x3f800000"},
      {0x000e62000030d000, 0x3fc0000000087910, 100, "F2F.F32.F64.RZ R8,f:0x3fc00000"},
      {0x000ea2000020e900, 0xbfab000000030905, 90, "@P0 F2I.S.16.F32.TRUNC.NTZ R3,f:0xbfab0000"},
      {0x001e0c000000082e, 0x40005800382c762b, 80, "DFMA R44,R56,-R46,|c[0x0][0x160]|"},
      {0x000e22000000090c, 0x80000018180c723f, 100, "DMMA.8x8x4 R12,-R24,-R24,-R12"},
      {0x000fc8000c807048, 0x0000000c47497e3e, 90,
       "F2FP.SATFINITE.F32.PACK_AB_MERGE_C.E4M3 R73,R71,R72,UR12"},
      {0x000fe200042032ff, 0x00000034ff27723e, 100,
       "F2FP.SATFINITE.E2M1.F16.UNPACK_B_MERGE_C R39,R52,RZ"},
      {0x0003e400011ee100, 0x0000000308ff738a, 90, "ATOM.E.MAX.STRONG.GPU PT,RZ,[R8],R3"},
      {0x001ea40008100400, 0xffffff04ffa17983, 80, "LDL.U16 R161,[UR4+-0x1]"},
      {0x000fe20008100004, 0xffffff0400007987, 80, "STL.U8 [R0+UR4+-0x1],R4"},
      {0x003e2200081d0000, 0x00000004000479ee, 100, "LDTM.x8.PACK16BIT R4,[UR4]"},
      {0x003e220003ffe000, 0x0000ffff0c0d7817, 110, "IMNMX.U32 R13,R12,0xffff,PT"},
      {0x003e2200048060ff, 0x0000000a0b0a723e, 89,
       "F2FP.SATFINITE.F32.PACK_AB_MERGE_C.E5M2 R10,R11,R10,RZ"},
      {0x003e220000002c08, 0x0000000e0408727a, 89, "QMMA.16832.F32.E4M3.E4M3 R8,R4,R14,R8"},
      {0x003e2200082c0002, 0x00000029590475ee, 110, "LDTM.STAT.x32.MAX.F32 R89,R4,[UR41]"},
      {0x0001e40008108000, 0x00000008040015b4, 100, "@UP1 UTMALDG.2D.GATHER4 UR8,UR4"},
      {0x0001e40008188000, 0x00000008040075b4, 100, ""},
      {0x0045e20008088000, 0x00000008040073b5, 100, "UTMASTG.2D.SCATTER4 UR8,UR4"},
      {0x0045e20008088000, 0x00000008040073b5, 90, ""},
      {0x000fe80000000000, 0xffffffff01007956, 87, "BMOV.32 B1,0xffffffff"},
      {0x000fe80000100000, 0x0000000005027f55, 87, "BMOV.32.CLEAR B2,B5"},
      {0x0c2e76000000090c, 0x800000100a0c723f, 80, "DMMA.884 R12,-R10,-R16,-R12"},
      {0x000fe2000c2468ff, 0x00000005050572ba, 120,
       "UF2FP.SATFINITE.F32.PACK_AB_MERGE_C.E4M3 UR5,UR5,UR5,URZ"},
      {0x000fe20008010100, 0xc37ff000ff047454, 120, "UFADD.FTZ UR4,-URZ,f:0xc37ff000"},
      {0x000fe20008208800, 0x7f800000000c785b, 120, "UF2F.F16.F32.RP UR12,f:0x7f800000"},
      {0x0003e20008000015, 0x0060000c0f007844, 100, "STSM.16.M88 [R15+UR21+0x6000],R12"},
      {0x000fc80000015200, 0x00000000000478cb, 120, "CS2UR UR4,SR_GLOBALTIMERLO"},
  };
  for (auto [high, low, sm, spelled] : kWords) {
    auto instruction = decode({low, high}, 0, sm);
    EXPECT_EQ(instruction ? print(*instruction) : "", spelled);
    if (!instruction)
      llvm::consumeError(instruction.takeError());
  }
}

} // namespace
