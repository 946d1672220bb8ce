// Integer device operations, bit for bit: byte permutations, high products, sums of differences,
// dot products, funnel shifts, leading ones, bit fields.
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Numeric.h"

namespace tilesmith::emulator {

namespace {

uint32_t permute(uint64_t bytes, uint32_t selector) {
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t select = (selector >> (4 * i)) & 15;
    uint32_t byte = (bytes >> (8 * (select & 7))) & 0xff;
    if (select & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
uint64_t pair(uint32_t low, uint32_t high) {
  return low | static_cast<uint64_t>(high) << 32;
}

uint32_t prmt(uint32_t a, uint32_t b, uint32_t selector) {
  return permute(pair(a, b), selector);
}
uint32_t selectBytes(uint32_t a, uint32_t b, std::array<uint32_t, 4> bytes) {
  return permute(pair(a, b), bytes[0] | bytes[1] << 4 | bytes[2] << 8 | bytes[3] << 12);
}
uint32_t prmtF4e(uint32_t a, uint32_t b, uint32_t c) {
  c &= 3;
  return selectBytes(a, b, {c, c + 1, c + 2, c + 3});
}
uint32_t prmtB4e(uint32_t a, uint32_t b, uint32_t c) {
  c &= 3;
  return selectBytes(a, b, {c, (c + 7) & 7, (c + 6) & 7, (c + 5) & 7});
}
uint32_t prmtRc8(uint32_t a, uint32_t c) {
  return ((a >> (8 * (c & 3))) & 0xff) * 0x01010101u;
}
uint32_t prmtRc16(uint32_t a, uint32_t c) {
  return ((a >> (c & 1 ? 16 : 0)) & 0xffff) * 0x00010001u;
}
uint32_t prmtEcl(uint32_t a, uint32_t c) {
  c &= 3;
  return selectBytes(a, 0, {std::max(0u, c), std::max(1u, c), std::max(2u, c), 3});
}
uint32_t prmtEcr(uint32_t a, uint32_t c) {
  c &= 3;
  return selectBytes(a, 0, {0, std::min(1u, c), std::min(2u, c), std::min(3u, c)});
}

template <typename T, typename Wide> T mulHigh(T a, T b) {
  return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (8 * sizeof(T)));
}
int32_t mul24(int32_t a, int32_t b) {
  const auto cut = [](int32_t x) {
    return static_cast<int32_t>(static_cast<uint32_t>(x) << 8) >> 8;
  };
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(cut(a)) * cut(b)));
}
uint32_t umul24(uint32_t a, uint32_t b) {
  return (a & 0xffffff) * (b & 0xffffff);
}

template <typename T, typename U> T sumOfDifference(T a, T b, U c) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto difference = a > b ? static_cast<Unsigned>(a) - static_cast<Unsigned>(b)
                                : static_cast<Unsigned>(b) - static_cast<Unsigned>(a);
  return static_cast<T>(static_cast<Unsigned>(c) + static_cast<Unsigned>(difference));
}
// 16-bit values travel in frames: their extension in registers is not part of the C convention we
// rely on.
template <typename T> void rtSad16(Frame *frame, uint32_t) {
  frame->put<T>(0, sumOfDifference<T, T>(frame->get<T>(0), frame->get<T>(1), frame->get<T>(2)));
}
template <typename T> void rtMulHigh16(Frame *frame, uint32_t) {
  const int32_t product = static_cast<int32_t>(frame->get<T>(0)) * frame->get<T>(1);
  frame->put<uint16_t>(0, static_cast<uint32_t>(product) >> 16);
}

template <typename A, typename B> uint32_t dot4(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 4; ++i)
    c += static_cast<int32_t>(static_cast<A>(a >> (8 * i))) *
         static_cast<int32_t>(static_cast<B>(b >> (8 * i)));
  return c;
}
template <typename A16, typename B8> void rtDot2(Frame *frame, uint32_t) {
  const auto a = frame->get<uint32_t>(0), b = frame->get<uint32_t>(1);
  const bool high = frame->flag(2);
  auto c = frame->get<uint32_t>(3);
  for (int i = 0; i < 2; ++i)
    c += static_cast<uint32_t>(
        static_cast<int32_t>(static_cast<A16>(a >> (16 * i))) *
        static_cast<int32_t>(static_cast<B8>(b >> (8 * i + (high ? 16 : 0)))));
  frame->put(0, c);
}

uint32_t funnelLeft(uint32_t high, uint32_t low, uint32_t n) {
  n = std::min(n, 32u);
  return static_cast<uint32_t>((pair(low, high) << n) >> 32);
}
uint32_t funnelRight(uint32_t high, uint32_t low, uint32_t n) {
  return static_cast<uint32_t>(pair(low, high) >> std::min(n, 32u));
}

// bfind / bfind.shiftamt
template <typename T> void rtFindLeadingOne(Frame *frame, uint32_t) {
  using Unsigned = std::make_unsigned_t<T>;
  const T value = frame->get<T>(0);
  const bool shiftAmount = frame->flag(1);
  const auto bits = static_cast<Unsigned>(std::is_signed_v<T> && value < 0 ? ~value : value);
  uint32_t result = ~0u;
  if (bits) {
    const uint32_t position = 63 - __builtin_clzll(static_cast<uint64_t>(bits));
    result = shiftAmount ? 8 * sizeof(T) - 1 - position : position;
  }
  frame->put(0, result);
}

template <bool Signed, bool Wrap> uint32_t extendBits(uint32_t a, uint32_t n) {
  n = Wrap ? n & 31 : std::min(n, 32u);
  if (n == 0)
    return 0;
  if (n == 32)
    return a;
  const uint32_t low = a & ((1u << n) - 1);
  return Signed && (low >> (n - 1)) ? low | ~((1u << n) - 1) : low;
}
template <bool Wrap> uint32_t bitMask(uint32_t position, uint32_t width) {
  position = Wrap ? position & 31 : position;
  width = Wrap ? width & 31 : std::min(width, 32u);
  const uint64_t mask = ((uint64_t{1} << width) - 1);
  return position >= 32 ? 0 : static_cast<uint32_t>(mask << position);
}
uint32_t findNthSet(uint32_t mask, uint32_t base, uint32_t offset) {
  auto n = static_cast<int32_t>(offset);
  base &= 31;
  if (n == 0)
    return (mask >> base) & 1 ? base : ~0u;
  const int step = n > 0 ? 1 : -1;
  for (int i = base; i >= 0 && i < 32; i += step)
    if ((mask >> i) & 1 && (n -= step) == 0)
      return i;
  return ~0u;
}

} // namespace

void registerIntegers(IntrinsicTable &t) {
  const std::string p = "llvm.nvvm.";
  t.direct(p + "prmt", prmt), t.direct(p + "prmt.f4e", prmtF4e), t.direct(p + "prmt.b4e", prmtB4e);
  t.direct(p + "prmt.rc8", prmtRc8), t.direct(p + "prmt.rc16", prmtRc16);
  t.direct(p + "prmt.ecl", prmtEcl), t.direct(p + "prmt.ecr", prmtEcr);
  t.direct(p + "mulhi.i", mulHigh<int32_t, int64_t>),
      t.direct(p + "mulhi.ui", mulHigh<uint32_t, uint64_t>);
  t.direct(p + "mulhi.ll", mulHigh<int64_t, __int128>);
  t.direct(p + "mulhi.ull", mulHigh<uint64_t, unsigned __int128>);
  t.frame(p + "mulhi.s", rtMulHigh16<int16_t>), t.frame(p + "mulhi.us", rtMulHigh16<uint16_t>);
  t.direct(p + "mul24.i", mul24), t.direct(p + "mul24.ui", umul24);
  t.direct(p + "sad.i", sumOfDifference<int32_t, uint32_t>),
      t.direct(p + "sad.ui", sumOfDifference<uint32_t, uint32_t>);
  t.direct(p + "sad.ll", sumOfDifference<int64_t, uint64_t>);
  t.direct(p + "sad.ull", sumOfDifference<uint64_t, uint64_t>);
  t.frame(p + "sad.s", rtSad16<int16_t>), t.frame(p + "sad.us", rtSad16<uint16_t>);
  t.direct(p + "idp4a.s.s", dot4<int8_t, int8_t>), t.direct(p + "idp4a.s.u", dot4<int8_t, uint8_t>);
  t.direct(p + "idp4a.u.s", dot4<uint8_t, int8_t>),
      t.direct(p + "idp4a.u.u", dot4<uint8_t, uint8_t>);
  t.frame(p + "idp2a.s.s", rtDot2<int16_t, int8_t>),
      t.frame(p + "idp2a.s.u", rtDot2<int16_t, uint8_t>);
  t.frame(p + "idp2a.u.s", rtDot2<uint16_t, int8_t>),
      t.frame(p + "idp2a.u.u", rtDot2<uint16_t, uint8_t>);
  t.direct(p + "fshl.clamp.i32", funnelLeft), t.direct(p + "fshr.clamp.i32", funnelRight);
  t.frame(p + "flo.s.i32", rtFindLeadingOne<int32_t>),
      t.frame(p + "flo.u.i32", rtFindLeadingOne<uint32_t>);
  t.frame(p + "flo.s.i64", rtFindLeadingOne<int64_t>),
      t.frame(p + "flo.u.i64", rtFindLeadingOne<uint64_t>);
  t.direct(p + "sext.wrap", extendBits<true, true>),
      t.direct(p + "sext.clamp", extendBits<true, false>);
  t.direct(p + "zext.wrap", extendBits<false, true>),
      t.direct(p + "zext.clamp", extendBits<false, false>);
  t.direct(p + "bmsk.wrap", bitMask<true>), t.direct(p + "bmsk.clamp", bitMask<false>);
  t.direct(p + "fns", findNthSet);
}

} // namespace tilesmith::emulator
