// Inline assembly that the emulator knows: what the device math libraries and MLIR's NVVM dialect
// emit because LLVM has no intrinsic for it. Texts are compared after dropping insignificant white
// space; any other text is unsupported.
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Numeric.h"

namespace tilesmith::emulator {

std::string normaliseAssembly(llvm::StringRef text) {
  std::string result;
  bool blank = false;
  for (char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) {
      blank = true;
      continue;
    }
    auto isWord = [](char x) {
      return std::isalnum(static_cast<unsigned char>(x)) || std::strchr("_$.%@", x);
    };
    if (blank && !result.empty() && isWord(result.back()) && isWord(c))
      result += ' ';
    blank = false;
    result += c;
  }
  while (!result.empty() && result.back() == ';')
    result.pop_back();
  return result;
}

namespace {

using u128 = unsigned __int128;

u128 wide(const Frame *frame, unsigned slot) {
  return frame->get<uint64_t>(slot) | static_cast<u128>(frame->get<uint64_t>(slot + 1)) << 64;
}
void putWide(Frame *frame, u128 value) {
  frame->put(0, static_cast<uint64_t>(value));
  frame->put(1, static_cast<uint64_t>(value >> 64));
}

void rtAdd128(Frame *frame, uint32_t) {
  putWide(frame, wide(frame, 0) + wide(frame, 2));
}
void rtSub128(Frame *frame, uint32_t) {
  putWide(frame, wide(frame, 0) - wide(frame, 2));
}
void rtMul64(Frame *frame, uint32_t) {
  putWide(frame, static_cast<u128>(frame->get<uint64_t>(0)) * frame->get<uint64_t>(1));
}
void rtMad64(Frame *frame, uint32_t) {
  putWide(frame, static_cast<u128>(frame->get<uint64_t>(0)) * frame->get<uint64_t>(1) +
                     frame->get<uint64_t>(2));
}
void rtMad32(Frame *frame, uint32_t) {
  const uint64_t value = static_cast<uint64_t>(frame->get<uint32_t>(0)) * frame->get<uint32_t>(1) +
                         frame->get<uint32_t>(2);
  frame->put(0, static_cast<uint32_t>(value));
  frame->put(1, static_cast<uint32_t>(value >> 32));
}
void rtSelectEqual(Frame *frame, uint32_t) {
  const auto a = frame->get<double>(0), b = frame->get<double>(1);
  const bool equal = a == b || std::isnan(a) || std::isnan(b);
  frame->put(0, frame->get<double>(equal ? 2 : 3));
}
void rtSubFloat(Frame *frame, uint32_t) {
  frame->put(0, frame->get<float>(0) - frame->get<float>(1));
}
float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}
void rtSubFloatFtz(Frame *frame, uint32_t) {
  frame->put(0, flushed(flushed(frame->get<float>(0)) - flushed(frame->get<float>(1))));
}
void rtRcpApprox(Frame *frame, uint32_t) {
  frame->put(0, flushed(1.0f / flushed(frame->get<float>(0))));
}
void rtRsqrtApprox(Frame *frame, uint32_t) {
  frame->put(0, 1.0 / std::sqrt(frame->get<double>(0)));
}
void rtTanhApprox(Frame *frame, uint32_t) {
  frame->put(0, approximateTanh(frame->get<float>(0)));
}

constexpr const char *kWideRegisters =
    "{.reg .u32 r0, r1, r2, r3, a0, a1, a2, a3, b0, b1, b2, b3;"
    "mov.b64 {a0,a1}, $2; mov.b64 {a2,a3}, $3; mov.b64 {b0,b1}, $4;"
    "mov.b64 {b2,b3}, $5;";
constexpr const char *kWideResult = "mov.b64 $0, {r0,r1}; mov.b64 $1, {r2,r3};}";

} // namespace

void registerInlineAsm(IntrinsicTable &table) {
  auto add = [&](const std::string &name, const std::string &text, FrameFn fn) -> Intrinsic & {
    Intrinsic &entry = table.frame("asm." + name, fn);
    table.addAssembly(text, "asm." + name);
    return entry;
  };
  add("rcp.approx.ftz.f32", "rcp.approx.ftz.f32 $0,$1;", rtRcpApprox);
  add("rsqrt.approx.ftz.f64", "rsqrt.approx.ftz.f64 $0, $1;", rtRsqrtApprox);
  add("tanh.approx.f32", "tanh.approx.f32 $0, $1;", rtTanhApprox);
  add("sub.rn.f32", "sub.rn.f32 $0, $1, $2;", rtSubFloat);
  add("sub.rn.ftz.f32", "sub.rn.ftz.f32 $0, $1, $2;", rtSubFloatFtz);
  add("mad.wide.u32", "{mad.lo.cc.u32 $0, $2, $3, $4; madc.hi.u32 $1, $2, $3, 0;}", rtMad32);
  add("select.equ.f64",
      "{ .reg .pred __$$temp3; setp.equ.f64 __$$temp3, $1, $2; selp.f64 $0, $3, $4, __$$temp3;}",
      rtSelectEqual);
  add("add.u128",
      std::string(kWideRegisters) +
          "add.cc.u32 r0, a0, b0; addc.cc.u32 r1, a1, b1; addc.cc.u32 r2, a2, b2;"
          "addc.u32 r3, a3, b3;" +
          kWideResult,
      rtAdd128);
  add("sub.u128",
      std::string(kWideRegisters) +
          "sub.cc.u32 r0, a0, b0; subc.cc.u32 r1, a1, b1; subc.cc.u32 r2, a2, b2;"
          "subc.u32 r3, a3, b3;" +
          kWideResult,
      rtSub128);
  add("mad.wide.u64",
      std::string(
          "{.reg .u32 r0, r1, r2, r3, alo, ahi, blo, bhi, clo, chi;"
          "mov.b64 {alo,ahi}, $2; mov.b64 {blo,bhi}, $3; mov.b64 {clo,chi}, $4;"
          "mad.lo.cc.u32 r0, alo, blo, clo; madc.hi.cc.u32 r1, alo, blo, chi; madc.hi.u32 r2, alo, "
          "bhi, 0;"
          "mad.lo.cc.u32 r1, alo, bhi, r1; madc.hi.cc.u32 r2, ahi, blo, r2; madc.hi.u32 r3, ahi, "
          "bhi, 0;"
          "mad.lo.cc.u32 r1, ahi, blo, r1; madc.lo.cc.u32 r2, ahi, bhi, r2; addc.u32 r3, r3, 0;") +
          kWideResult,
      rtMad64);
  add("mul.wide.u64",
      std::string(
          "{.reg .u32 r0, r1, r2, r3, alo, ahi, blo, bhi;"
          "mov.b64 {alo,ahi}, $2; mov.b64 {blo,bhi}, $3;"
          "mul.lo.u32 r0, alo, blo; mul.hi.u32 r1, alo, blo; mad.lo.cc.u32 r1, alo, bhi, r1;"
          "madc.hi.u32 r2, alo, bhi, 0; mad.lo.cc.u32 r1, ahi, blo, r1; madc.hi.cc.u32 r2, ahi, "
          "blo, r2;"
          "madc.hi.u32 r3, ahi, bhi, 0; mad.lo.cc.u32 r2, ahi, bhi, r2; addc.u32 r3, r3, 0;") +
          kWideResult,
      rtMul64);
  // MLIR's blocking wait: a loop around mbarrier.try_wait.parity.
  for (const char *shared : {"", ".shared"}) {
    Intrinsic &wait =
        add(std::string("mbarrier.wait.parity") + shared,
            std::string("{.reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity") + shared +
                ".b64 P1, [$0], $1, $2; @P1 bra.uni DONE; bra.uni LAB_WAIT; DONE: }",
            rtMbarrierWaitLoop);
    wait.suspends = true;
  }
}

} // namespace tilesmith::emulator
