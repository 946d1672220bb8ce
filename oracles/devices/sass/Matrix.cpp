//===- Matrix.cpp - products of matrices in the registers of a warp ---------------------------===//
//
// Fragments as PTX deals them: g = lane / 4, t = lane % 4. Sums: TensorSum.h.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/TensorSum.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::sass;
using emulator::bitsTo;

namespace {

bool wholeWarp(Warp &w) {
  ++w.machine->report.counters.tensor;
  if (w.active == kAllLanes)
    return true;
  w.fault(Report::Fault, "matrix operation without all lanes of the warp");
  return false;
}

struct Shape {
  unsigned perRegister; ///< elements of A and B in a register
  unsigned aRegisters, bRegisters, k;
};

/// Row and column of element e of register n of A; B is the same with its column for the row.
void placeA(const Shape &s, unsigned l, unsigned n, unsigned e, unsigned &row, unsigned &column) {
  const unsigned g = l / 4, t = l % 4;
  row = g + 8 * (n & 1);
  column = t * s.perRegister + e + 4 * s.perRegister * (n >> 1);
}

template <typename T, typename Decode>
void readFragments(Warp &w, const Instruction &i, const Shape &s, T (&a)[16][32], T (&b)[32][8],
                   Decode &&decodeA, Decode &&decodeB) {
  for (unsigned l = 0; l < kLanes; ++l) {
    for (unsigned n = 0; n < s.aRegisters; ++n)
      for (unsigned e = 0; e < s.perRegister; ++e) {
        unsigned row, column;
        placeA(s, l, n, e, row, column);
        a[row][column] = decodeA(w.lane(i.ops[1].index, n, l), e);
      }
    for (unsigned n = 0; n < s.bRegisters; ++n)
      for (unsigned e = 0; e < s.perRegister; ++e)
        b[(l % 4) * s.perRegister + e + 4 * s.perRegister * n][l / 4] =
            decodeB(w.lane(i.ops[2].index, n, l), e);
  }
}

/// D = A B + C, C and D as f32 or f16.
template <typename DecodeA, typename DecodeB>
void multiplyFloats(Warp &w, const Instruction &i, const Shape &shape, bool toF32,
                    DecodeA &&decodeA, DecodeB &&decodeB) {
  static thread_local double a[16][32], b[32][8];
  readFragments(w, i, shape, a, b, decodeA, decodeB);
  const SumRule rule{.truncates = w.machine->generation == Generation::Hopper};
  double sums[16][8];
  auto each = [&](auto &&visit) { // the places of D: lane, its number there, its sum
    for (unsigned l = 0; l < kLanes; ++l)
      for (unsigned n = 0; n < 4; ++n)
        visit(l, n, sums[l / 4 + 8 * (n >> 1)][2 * (l % 4) + (n & 1)]);
  };
  each([&](unsigned l, unsigned n, double &sum) {
    sum = toF32 ? emulator::decode(w.lane(i.ops[3].index, n, l), emulator::kF32)
                : emulator::decode(w.lane(i.ops[3].index, n >> 1, l) >> (16 * (n & 1)) & 0xffff,
                                   emulator::kF16);
  });
  for (unsigned row = 0; row < 16; ++row)
    addProducts(rule, a[row], b[0], 8, shape.k, 8, sums[row]);
  Lanes out[4];
  each([&](unsigned l, unsigned n, double &sum) {
    if (toF32) {
      out[n].v[l] = encodeSumAsF32(rule, sum);
    } else {
      const uint32_t half = encodeSumAsF16(sum);
      out[n >> 1].v[l] = n & 1 ? out[n >> 1].v[l] | half << 16 : half;
    }
  });
  for (unsigned n = 0; n < (toF32 ? 4u : 2u); ++n)
    for (unsigned l = 0; l < kLanes; ++l)
      w.lane(i.ops[0].index, n, l) = out[n].v[l];
}

} // namespace

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)

OPERATION(executeHmma) {
  if (!wholeWarp(w))
    return;
  const unsigned type = i.mods[2];
  const Shape shape = type == 2        ? (i.mods[0] ? Shape{1, 2, 1, 4} : Shape{1, 4, 2, 8})
                      : i.mods[0] == 0 ? Shape{2, 2, 1, 8}
                                       : Shape{2, 4, 2, 16};
  const emulator::Format &format = type == 1 ? emulator::kBF16 : emulator::kF16;
  auto decode = [&](const Operand &op) {
    return [&format, type, sign = op.negative ? -1.0 : 1.0](uint32_t bits, unsigned e) {
      if (type == 2)
        return sign * emulator::decode(bits & 0xffffe000, emulator::kF32);
      return sign * emulator::decode(bits >> (16 * e) & 0xffff, format);
    };
  };
  multiplyFloats(w, i, shape, i.mods[1], decode(i.ops[1]), decode(i.ops[2]));
}

// Of 8-bit floats.
OPERATION(executeQmma) {
  if (!wholeWarp(w))
    return;
  auto decode = [](bool e5m2) {
    return [&format = e5m2 ? emulator::kE5M2 : emulator::kE4M3](uint32_t bits, unsigned e) {
      return emulator::decode(bits >> (8 * e) & 0xff, format);
    };
  };
  multiplyFloats(w, i, i.mods[0] ? Shape{4, 4, 2, 32} : Shape{4, 2, 1, 16}, i.mods[1],
                 decode(i.mods[2]), decode(i.mods[3]));
}

OPERATION(executeImma) {
  if (!wholeWarp(w))
    return;
  const Shape shape = i.mods[0] ? Shape{4, 4, 2, 32} : Shape{4, 2, 1, 16};
  auto byte = [](bool isSigned) {
    return [isSigned](uint32_t bits, unsigned e) -> int64_t {
      const auto value = static_cast<uint8_t>(bits >> (8 * e));
      return isSigned ? static_cast<int8_t>(value) : value;
    };
  };
  static thread_local int64_t a[16][32], b[32][8];
  readFragments(w, i, shape, a, b, byte(i.mods[1]), byte(i.mods[2]));
  Lanes out[4];
  for (unsigned l = 0; l < kLanes; ++l)
    for (unsigned n = 0; n < 4; ++n) {
      const unsigned row = l / 4 + 8 * (n >> 1), column = 2 * (l % 4) + (n & 1);
      int64_t sum = static_cast<int32_t>(w.lane(i.ops[3].index, n, l));
      for (unsigned k = 0; k < shape.k; ++k)
        sum += a[row][k] * b[k][column];
      if (i.mods[3])
        sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      out[n].v[l] = static_cast<uint32_t>(sum);
    }
  for (unsigned n = 0; n < 4; ++n)
    for (unsigned l = 0; l < kLanes; ++l)
      w.lane(i.ops[0].index, n, l) = out[n].v[l];
}

// 8 x 8 x 4: one element of A and of B per lane, a row of two of C and D.
OPERATION(executeDmma) {
  if (!wholeWarp(w))
    return;
  auto element = [&](const Operand &op, unsigned n, unsigned l) {
    const auto value =
        bitsTo<double>(w.lane(op.index, 2 * n, l) | uint64_t{w.lane(op.index, 2 * n + 1, l)} << 32);
    return op.negative ? -value : value;
  };
  double a[8][4], b[4][8];
  for (unsigned l = 0; l < kLanes; ++l) {
    a[l / 4][l % 4] = element(i.ops[1], 0, l);
    b[l % 4][l / 4] = element(i.ops[2], 0, l);
  }
  double out[kLanes][2];
  for (unsigned l = 0; l < kLanes; ++l)
    for (unsigned n = 0; n < 2; ++n) {
      double sum = element(i.ops[3], n, l);
      for (unsigned k = 0; k < 4; ++k)
        sum = std::fma(a[l / 4][k], b[k][2 * (l % 4) + n], sum);
      out[l][n] = sum;
    }
  for (unsigned l = 0; l < kLanes; ++l)
    for (unsigned n = 0; n < 2; ++n) {
      const auto bits = bitsTo<uint64_t>(out[l][n]);
      w.lane(i.ops[0].index, 2 * n, l) = static_cast<uint32_t>(bits);
      w.lane(i.ops[0].index, 2 * n + 1, l) = static_cast<uint32_t>(bits >> 32);
    }
}

#undef OPERATION

} // namespace tilesmith::sass
