//===- Integer.cpp - integer arithmetic, logic, shifts, moves, comparison ---------------------===//
//
// The uniform forms run the same functions: their operands are uniform registers, and results are
// taken from lane 0.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"

#include "llvm/ADT/bit.h"

using namespace tilesmith::sass;

namespace {

/// A product source: 64 bits, extended as the operation says, negated as a whole.
int64_t extend(uint32_t value, bool isSigned) {
  return isSigned ? int64_t{static_cast<int32_t>(value)} : int64_t{value};
}

uint32_t bitAt(uint32_t mask, unsigned lane) {
  return mask >> lane & 1;
}

/// Of 32 or 64 bits.
template <typename Unsigned>
bool compareInt(unsigned comparison, Unsigned a, Unsigned b, bool isSigned) {
  using Signed = std::make_signed_t<Unsigned>;
  const bool less = isSigned ? static_cast<Signed>(a) < static_cast<Signed>(b) : a < b;
  switch (comparison) {
  case 0:
    return false;
  case 1:
    return less;
  case 2:
    return a == b;
  case 3:
    return less || a == b;
  case 4:
    return !less && a != b;
  case 5:
    return a != b;
  case 6:
    return !less;
  default:
    return true;
  }
}

uint32_t combine(unsigned operation, uint32_t a, uint32_t b) {
  return operation == 0 ? a & b : operation == 1 ? a | b : a ^ b;
}

uint32_t lookup3(uint32_t a, uint32_t b, uint32_t c, unsigned table) {
  uint32_t out = 0;
  for (unsigned k = 0; k < 8; ++k)
    if (table >> k & 1)
      out |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return out;
}

} // namespace

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)

// A negated source counts as (~x) + 1 in 64 bits; with X it is complemented, and two carries come in.
OPERATION(executeIadd3) {
  const bool extended = i.mods[0];
  const Lanes s[3] = {w.get(i.ops[3]), w.get(i.ops[4]), w.get(i.ops[5])};
  const uint32_t carry[2] = {extended ? w.getMask(i.ops[6]) : 0,
                             extended ? w.getMask(i.ops[7]) : 0};
  Lanes out;
  uint32_t first = 0, second = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint64_t sum = 0;
    for (unsigned k = 0; k < 3; ++k) {
      const bool negative = i.ops[3 + k].negative;
      sum += negative ? uint64_t{~s[k].v[l]} + !extended : s[k].v[l];
    }
    sum += bitAt(carry[0], l) + bitAt(carry[1], l);
    out.v[l] = static_cast<uint32_t>(sum);
    first |= uint32_t{sum >= uint64_t{1} << 32} << l;
    second |= uint32_t{sum >= uint64_t{1} << 33} << l;
  }
  w.put(i.ops[0], out);
  w.putMask(i.ops[1], first);
  w.putMask(i.ops[2], second);
}

// Pairs of uniform registers; immediates are sign-extended.
OPERATION(executeUiadd364) {
  uint64_t sum = 0;
  for (unsigned k = 1; k <= 3; ++k) {
    const Operand &op = i.ops[k];
    const uint64_t value = op.kind == Operand::Immediate
                               ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(op.value)})
                               : w.uniform64(op.index);
    sum += op.negative ? 0 - value : value;
  }
  w.putUniform(i.ops[0].index, static_cast<uint32_t>(sum));
  if (i.ops[0].index != kURZ)
    w.putUniform((i.ops[0].index + 1) & 255, static_cast<uint32_t>(sum >> 32));
}

// As IADD3 of two sources, with one carry.
OPERATION(executeIadd) {
  const bool extended = i.mods[0];
  const Lanes s[2] = {w.get(i.ops[2]), w.get(i.ops[3])};
  const uint32_t carry = extended ? w.getMask(i.ops[4]) : 0;
  Lanes out;
  uint32_t carries = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint64_t sum = carry >> l & 1;
    for (unsigned k = 0; k < 2; ++k)
      sum += i.ops[2 + k].negative ? uint64_t{~s[k].v[l]} + !extended : s[k].v[l];
    out.v[l] = static_cast<uint32_t>(sum);
    carries |= static_cast<uint32_t>(sum >> 32 & 1) << l;
  }
  w.put(i.ops[0], out);
  w.putMask(i.ops[1], carries);
}

OPERATION(executeViadd) {
  const Lanes a = w.getInt(i.ops[1]), b = w.getInt(i.ops[2]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = a.v[l] + b.v[l];
  w.put(i.ops[0], out);
}

OPERATION(executeViadd16x2) {
  const Lanes a = w.get(i.ops[1]), b = w.get(i.ops[2]);
  constexpr uint32_t kHigh = 0xffff0000;
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = ((a.v[l] & kHigh) + (b.v[l] & kHigh)) | ((a.v[l] + b.v[l]) & ~kHigh);
  w.put(i.ops[0], out);
}

OPERATION(executeImad) {
  const Lanes a = w.getInt(i.ops[2]), b = w.getInt(i.ops[3]);
  const bool extended = i.mods[1];
  const Lanes c = extended ? w.getBits(i.ops[4]) : w.getInt(i.ops[4]);
  const uint32_t carry = extended ? w.getMask(i.ops[5]) : 0;
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = a.v[l] * b.v[l] + c.v[l] + bitAt(carry, l);
  w.put(i.ops[0], out);
}

namespace {

/// a * b + c in 64 bits, with the carry of the addition.
Lanes64 wideProduct(Warp &w, const Instruction &i, uint32_t &carryOut) {
  const Lanes a = w.get(i.ops[2]), b = w.get(i.ops[3]);
  const bool isSigned = i.mods[0], extended = i.mods[1];
  const bool negative = i.ops[2].negative != i.ops[3].negative;
  const Lanes64 c = w.getWide(i.ops[4]);
  const uint32_t carry = extended ? w.getMask(i.ops[5]) : 0;
  Lanes64 out;
  carryOut = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    auto product = static_cast<uint64_t>(extend(a.v[l], isSigned)) *
                   static_cast<uint64_t>(extend(b.v[l], isSigned));
    if (negative)
      product = 0 - product;
    uint64_t addend = c.v[l];
    if (i.ops[4].negative)
      addend = extended ? ~addend : 0 - addend;
    const unsigned __int128 sum =
        static_cast<unsigned __int128>(product) + addend + bitAt(carry, l);
    out.v[l] = static_cast<uint64_t>(sum);
    carryOut |= uint32_t{static_cast<uint64_t>(sum >> 64) != 0} << l;
  }
  return out;
}

} // namespace

OPERATION(executeImadWide) {
  uint32_t carry;
  const Lanes64 out = wideProduct(w, i, carry);
  w.put64(i.ops[0], out);
  w.putMask(i.ops[1], carry);
}

OPERATION(executeImadHi) {
  uint32_t carry;
  const Lanes64 product = wideProduct(w, i, carry);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = static_cast<uint32_t>(product.v[l] >> 32);
  w.put(i.ops[0], out);
  w.putMask(i.ops[1], carry);
}

OPERATION(executeIdp4) {
  const Lanes a = w.get(i.ops[1]), b = w.get(i.ops[2]), c = w.getInt(i.ops[3]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t sum = c.v[l];
    for (unsigned k = 0; k < 32; k += 8) {
      const auto x = static_cast<uint8_t>(a.v[l] >> k), y = static_cast<uint8_t>(b.v[l] >> k);
      const int left = i.mods[0] ? static_cast<int8_t>(x) : x;
      const int right = i.mods[1] ? static_cast<int8_t>(y) : y;
      sum += static_cast<uint32_t>(left * right);
    }
    out.v[l] = sum;
  }
  w.put(i.ops[0], out);
}

// Two halves of the first times the lower or the upper two bytes of the second.
OPERATION(executeIdp2) {
  const Lanes a = w.get(i.ops[1]), b = w.get(i.ops[2]), c = w.getInt(i.ops[3]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t sum = c.v[l];
    for (unsigned k = 0; k < 2; ++k) {
      const auto x = static_cast<uint16_t>(a.v[l] >> (16 * k));
      const auto y = static_cast<uint8_t>(b.v[l] >> (16 * i.mods[0] + 8 * k));
      const int left = i.mods[1] ? static_cast<int16_t>(x) : x;
      const int right = i.mods[2] ? static_cast<int8_t>(y) : y;
      sum += static_cast<uint32_t>(left * right);
    }
    out.v[l] = sum;
  }
  w.put(i.ops[0], out);
}

namespace {

void minimumOrMaximum(Warp &w, const Operand &to, const Lanes &a, const Lanes &b, uint32_t minimum,
                      bool isSigned) {
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const bool less = compareInt(1, a.v[l], b.v[l], isSigned);
    out.v[l] = less == static_cast<bool>(bitAt(minimum, l)) ? a.v[l] : b.v[l];
  }
  w.put(to, out);
}

} // namespace

OPERATION(executeImnmx) {
  minimumOrMaximum(w, i.ops[0], w.get(i.ops[1]), w.get(i.ops[2]), w.getMask(i.ops[3]), i.mods[0]);
}

/// |a - b| + c
OPERATION(executeVabsdiff) {
  const Lanes a = w.get(i.ops[1]), b = w.get(i.ops[2]), c = w.get(i.ops[3]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const bool isLess =
        i.mods[0] ? static_cast<int32_t>(a.v[l]) < static_cast<int32_t>(b.v[l]) : a.v[l] < b.v[l];
    out.v[l] = (isLess ? b.v[l] - a.v[l] : a.v[l] - b.v[l]) + c.v[l];
  }
  w.put(i.ops[0], out);
}

OPERATION(executeVimnmx) {
  const Lanes a = w.get(i.ops[1]), b = w.get(i.ops[2]);
  const uint32_t minimum = w.getMask(i.ops[3]);
  if (i.mods[1] && !(i.mods[0] & 1))
    return w.fault(Report::Unsupported, "unsupported: VIMNMX.RELU of numbers without a sign");
  if (i.mods[0] < 2)
    minimumOrMaximum(w, i.ops[0], a, b, minimum, i.mods[0]);
  if (i.mods[1] && i.mods[0] == 1) {
    Lanes out = w.get(i.ops[0]);
    for (uint32_t &v : out.v)
      v = v >> 31 ? 0 : v;
    w.put(i.ops[0], out);
  }
  if (i.mods[0] < 2)
    return;
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = 0;
    for (unsigned k = 0; k < 32; k += 16) {
      const uint32_t x = a.v[l] >> k & 0xffff, y = b.v[l] >> k & 0xffff;
      const bool less = i.mods[0] == 3 ? static_cast<int16_t>(x) < static_cast<int16_t>(y) : x < y;
      const uint32_t chosen = less == static_cast<bool>(bitAt(minimum, l)) ? x : y;
      out.v[l] |= (i.mods[1] && chosen >> 15 ? 0 : chosen) << k;
    }
  }
  w.put(i.ops[0], out);
}

OPERATION(executeVimnmx100) {
  if (i.ops[1].index != kPT || i.ops[2].index != kPT)
    return w.fault(Report::Unsupported, "unsupported: predicate results of VIMNMX");
  Instruction plain = i;
  for (unsigned k = 1; k < 4; ++k)
    plain.ops[k] = i.ops[k + 2];
  executeVimnmx(w, plain);
}

OPERATION(executeViaddmnmx) {
  const Lanes a = w.get(i.ops[1]), b = w.getInt(i.ops[2]);
  Lanes sum;
  for (unsigned l = 0; l < kLanes; ++l)
    sum.v[l] = a.v[l] + b.v[l];
  minimumOrMaximum(w, i.ops[0], sum, w.get(i.ops[3]), w.getMask(i.ops[4]), i.mods[0] == 1);
}

OPERATION(executeVimnmx3) {
  const Lanes s[3] = {w.get(i.ops[1]), w.get(i.ops[2]), w.get(i.ops[3])};
  const bool halves = i.mods[0] >= 2, isSigned = i.mods[0] & 1;
  // Signed numbers are ordered as unsigned ones from the middle on.
  const uint32_t minimum = w.getMask(i.ops[4]), sign = !isSigned ? 0
                                                       : halves  ? 0x80008000
                                                                 : 0x80000000;
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint32_t a = s[0].v[l] ^ sign, b = s[1].v[l] ^ sign, c = s[2].v[l] ^ sign;
    auto choose = [&](uint32_t field) {
      return bitAt(minimum, l) ? std::min({a & field, b & field, c & field})
                               : std::max({a & field, b & field, c & field});
    };
    out.v[l] = (halves ? choose(0xffff) | choose(0xffff0000) : choose(~0u)) ^ sign;
  }
  w.put(i.ops[0], out);
}

OPERATION(executeIabs) {
  Lanes out = w.get(i.ops[1]);
  for (uint32_t &v : out.v)
    v = v >> 31 ? 0 - v : v;
  w.put(i.ops[0], out);
}

OPERATION(executePopc) {
  Lanes out = w.getBits(i.ops[1]);
  for (uint32_t &v : out.v)
    v = static_cast<uint32_t>(llvm::popcount(v));
  w.put(i.ops[0], out);
}

OPERATION(executeFlo) {
  Lanes out = w.getBits(i.ops[2]);
  uint32_t found = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t v = out.v[l];
    if (i.mods[0] && v >> 31)
      v = ~v;
    found |= uint32_t{v != 0} << l;
    const uint32_t position = v ? 31 - static_cast<uint32_t>(llvm::countl_zero(v)) : ~0u;
    out.v[l] = v && i.mods[1] ? 31 - position : position;
  }
  w.put(i.ops[0], out);
  w.putMask(i.ops[1], found);
}

OPERATION(executeBrev) {
  Lanes out = w.get(i.ops[1]);
  for (uint32_t &v : out.v) {
    uint32_t reversed = 0;
    for (unsigned k = 0; k < 32; ++k)
      reversed |= (v >> k & 1) << (31 - k);
    v = reversed;
  }
  w.put(i.ops[0], out);
}

OPERATION(executeSgxt) {
  const Lanes a = w.get(i.ops[1]), n = w.get(i.ops[2]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint32_t bits = i.mods[1] ? n.v[l] & 31 : std::min<uint32_t>(n.v[l], 32);
    if (bits == 0)
      out.v[l] = 0;
    else if (i.mods[0])
      out.v[l] = static_cast<uint32_t>(static_cast<int32_t>(a.v[l] << (32 - bits)) >> (32 - bits));
    else
      out.v[l] = a.v[l] << (32 - bits) >> (32 - bits);
  }
  w.put(i.ops[0], out);
}

/// The nearest number of 8 or 16 bits.
OPERATION(executeI2i) {
  const Lanes a = w.get(i.ops[1]);
  const bool isSigned = i.mods[0] & 1;
  const int bits = i.mods[0] & 2 ? 16 : 8;
  const int32_t least = isSigned ? -(1 << (bits - 1)) : 0, most = (1 << (bits - isSigned)) - 1;
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = static_cast<uint32_t>(std::clamp(static_cast<int32_t>(a.v[l]), least, most));
  w.put(i.ops[0], out);
}

OPERATION(executeBmsk) {
  const Lanes position = w.get(i.ops[1]), width = w.get(i.ops[2]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint32_t at = i.mods[0] ? position.v[l] & 31 : std::min<uint32_t>(position.v[l], 32);
    const uint32_t bits = i.mods[0] ? width.v[l] & 31 : std::min<uint32_t>(width.v[l], 32);
    out.v[l] = static_cast<uint32_t>(((uint64_t{1} << bits) - 1) << at);
  }
  w.put(i.ops[0], out);
}

namespace {

/// The sum of a shifted source and b, with the carry. `high`: the bits that were shifted out.
void shiftAndAdd(Warp &w, const Instruction &i, const Lanes &a, const Lanes *high, unsigned shift,
                 const Operand &carryIn) {
  const bool extended = i.mods[0];
  const Lanes b = w.get(i.ops[3]);
  const uint32_t carry = extended ? w.getMask(carryIn) : 0;
  Lanes out;
  uint32_t over = 0;
  auto negate = [&](uint32_t v, bool negative) {
    return negative ? uint64_t{~v} + !extended : uint64_t{v};
  };
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint32_t shifted =
        high ? static_cast<uint32_t>(((uint64_t{high->v[l]} << 32 | a.v[l]) << shift) >> 32)
             : a.v[l] << shift;
    const uint64_t sum =
        negate(shifted, i.ops[2].negative) + negate(b.v[l], i.ops[3].negative) + bitAt(carry, l);
    out.v[l] = static_cast<uint32_t>(sum);
    over |= uint32_t{sum >= uint64_t{1} << 32} << l;
  }
  w.put(i.ops[0], out);
  w.putMask(i.ops[1], over);
}

} // namespace

OPERATION(executeLea) {
  shiftAndAdd(w, i, w.get(i.ops[2]), nullptr, static_cast<unsigned>(i.ops[4].value), i.ops[5]);
}
OPERATION(executeLeaHi) {
  const Lanes high = w.get(i.ops[4]);
  shiftAndAdd(w, i, w.get(i.ops[2]), &high, static_cast<unsigned>(i.ops[5].value), i.ops[6]);
}
OPERATION(executeLeaHiSx) {
  const Lanes a = w.get(i.ops[2]);
  Lanes high;
  for (unsigned l = 0; l < kLanes; ++l)
    high.v[l] = a.v[l] >> 31 ? ~0u : 0;
  shiftAndAdd(w, i, a, &high, static_cast<unsigned>(i.ops[4].value), i.ops[5]);
}

OPERATION(executeLop3) {
  const Lanes a = w.get(i.ops[2]), b = w.get(i.ops[3]), c = w.get(i.ops[4]);
  const auto table = static_cast<unsigned>(i.ops[5].value);
  Lanes out;
  uint32_t nonzero = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = lookup3(a.v[l], b.v[l], c.v[l], table);
    nonzero |= uint32_t{out.v[l] != 0} << l;
  }
  const uint32_t other = w.getMask(i.ops[6]);
  w.put(i.ops[1], out);
  w.putMask(i.ops[0], i.mods[0] ? nonzero & other : nonzero | other);
}

OPERATION(executePlop3) {
  const uint32_t a = w.getMask(i.ops[2]), b = w.getMask(i.ops[3]), c = w.getMask(i.ops[4]);
  const uint32_t first = lookup3(a, b, c, static_cast<unsigned>(i.ops[5].value));
  const uint32_t second = lookup3(a, b, c, static_cast<unsigned>(i.ops[6].value));
  w.putMask(i.ops[0], first);
  w.putMask(i.ops[1], second);
}

// Types 0 S64, 1 U64, 2 S32, 3 U32. A 64-bit value (high:low) is shifted and one half of it kept.
OPERATION(executeShf) {
  const Lanes low = w.get(i.ops[1]), amount = w.get(i.ops[2]), high = w.get(i.ops[3]);
  const bool right = i.mods[0], wrap = i.mods[1], keepHigh = i.mods[3];
  const unsigned type = i.mods[2];
  const unsigned bits = type >= 2 ? 32 : 64;
  const bool isSigned = type == 0 || type == 2;
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint32_t s = wrap ? amount.v[l] & (bits - 1) : std::min<uint32_t>(amount.v[l], bits);
    uint64_t value = uint64_t{high.v[l]} << 32 | low.v[l];
    if (!right)
      value = s >= 64 ? 0 : value << s;
    else if (isSigned)
      value = static_cast<uint64_t>(static_cast<int64_t>(value) >> std::min<uint32_t>(s, 63));
    else
      value = s >= 64 ? 0 : value >> s;
    // A plain left shift of 32 bits keeps the low half, in which nothing came from the right.
    out.v[l] = static_cast<uint32_t>(keepHigh ? value >> 32 : value);
  }
  w.put(i.ops[0], out);
}

OPERATION(executePrmt) {
  const Lanes a = w.get(i.ops[1]), s = w.get(i.ops[2]), b = w.get(i.ops[3]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint64_t both = uint64_t{b.v[l]} << 32 | a.v[l];
    const unsigned n = s.v[l] & 3, half = (s.v[l] & 1) * 2;
    uint32_t result = 0;
    for (unsigned k = 0; k < 4; ++k) {
      unsigned from = 0;
      bool sign = false;
      switch (i.mods[0]) {
      case 0:
        from = s.v[l] >> (4 * k) & 7;
        sign = s.v[l] >> (4 * k) & 8;
        break;
      case 1:
        from = (n + k) & 7;
        break;
      case 2:
        from = (n - k) & 7;
        break;
      case 3:
        from = n;
        break;
      case 4:
        from = std::max(k, n);
        break;
      case 5:
        from = std::min(k, n);
        break;
      default:
        from = half + (k & 1);
      }
      uint32_t byte = both >> (8 * from) & 0xff;
      if (sign)
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * k);
    }
    out.v[l] = result;
  }
  w.put(i.ops[0], out);
}

OPERATION(executeSel) {
  const Lanes a = w.get(i.ops[1]), b = w.get(i.ops[2]);
  const uint32_t select = w.getMask(i.ops[3]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = bitAt(select, l) ? a.v[l] : b.v[l];
  w.put(i.ops[0], out);
}

OPERATION(executeMov) {
  w.put(i.ops[0], w.get(i.ops[1]));
}
// An immediate has 33 bits, the last one for the sign.

OPERATION(executeP2R) {
  const Lanes a = w.get(i.ops[1]);
  const auto mask = static_cast<uint32_t>(i.ops[2].value);
  const bool uniform = i.ops[0].kind == Operand::Uniform;
  const unsigned shift = 8 * i.mods[0];
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t bits = 0;
    for (unsigned k = 0; k < 7; ++k)
      bits |= bitAt(uniform ? w.up[k] : w.p[k], l) << k;
    out.v[l] = (a.v[l] & ~(mask << shift)) | (bits & mask) << shift;
  }
  w.put(i.ops[0], out);
}

OPERATION(executeR2P) {
  const Lanes a = w.get(i.ops[0]);
  const bool uniform = i.ops[0].kind == Operand::Uniform;
  for (unsigned k = 0; k < 7; ++k) {
    if (!(i.ops[1].value >> k & 1))
      continue;
    uint32_t mask = 0;
    for (unsigned l = 0; l < kLanes; ++l)
      mask |= (a.v[l] >> (8 * i.mods[0] + k) & 1) << l;
    if (uniform)
      w.up[k] = mask;
    else
      w.p[k] = (w.p[k] & ~w.active) | (mask & w.active);
  }
}

OPERATION(executeIsetp) {
  const Lanes a = w.get(i.ops[2]), b = w.get(i.ops[3]);
  const uint32_t accumulator = w.getMask(i.ops[4]);
  const bool extended = i.mods[3];
  const uint32_t low = extended ? w.getMask(i.ops[5]) : 0;
  uint32_t result = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    bool r = compareInt(i.mods[0], a.v[l], b.v[l], i.mods[1]);
    if (extended && a.v[l] == b.v[l] && i.mods[0] != 0 && i.mods[0] != 7)
      r = bitAt(low, l);
    result |= uint32_t{r} << l;
  }
  w.putMask(i.ops[0], combine(i.mods[2], result, accumulator));
  w.putMask(i.ops[1], combine(i.mods[2], ~result, accumulator));
}

// sm_107: all bits where the comparison holds, else none.
OPERATION(executeViset) {
  const Lanes a = w.get(i.ops[1]), b = w.get(i.ops[2]);
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = compareInt(i.mods[0], a.v[l], b.v[l], i.mods[1]) ? ~0u : 0;
  w.put(i.ops[0], out);
}

OPERATION(executeIsetp64) {
  const Lanes64 a = w.getWide(i.ops[2]), b = w.getWide(i.ops[3]);
  const uint32_t accumulator = w.getMask(i.ops[4]);
  uint32_t result = 0;
  for (unsigned l = 0; l < kLanes; ++l)
    result |= uint32_t{compareInt(i.mods[0], a.v[l], b.v[l], i.mods[1])} << l;
  w.putMask(i.ops[0], combine(i.mods[2], result, accumulator));
  w.putMask(i.ops[1], combine(i.mods[2], ~result, accumulator));
}

#undef OPERATION

} // namespace tilesmith::sass
