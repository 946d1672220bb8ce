//===- Matrix.cpp - products of matrices in the registers of a warp ---------------------------===//
//
// Fragments as PTX deals them: g = lane / 4, t = lane % 4. Sums: TensorSum.h.
//
// Block scales (sm_120): of row r of A in a register of lane 4 (r % 8) + 2 a + r / 8, of column n of B in one of
// lane 4 n + b, in one byte for each block along K from byte i on. A uniform register says which: bits
// 0-1 i of A, 2 a, 3-4 i of B, 5-6 b. Source: PTX ISA (scale_vec, byte-id, thread-id), and what ptxas
// makes of its immediates, bit by bit.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/MatrixOperand.h"
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

constexpr unsigned kDepth = 64; ///< of the deepest shape

template <typename T, typename Decode>
void readFragments(Warp &w, const Instruction &i, const Shape &s, T (&a)[16][kDepth],
                   T (&b)[kDepth][8], Decode &&decodeA, Decode &&decodeB) {
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

using LeftOperand = double[16][kDepth];
using RightOperand = double[kDepth][8];

/// D = A B + C, C and D as f32 or f16; `scale` may change A and B first.
template <typename DecodeA, typename DecodeB>
void multiplyFloats(
    Warp &w, const Instruction &i, const Shape &shape, bool toF32, DecodeA &&decodeA,
    DecodeB &&decodeB,
    llvm::function_ref<void(LeftOperand &, RightOperand &)> scale = [](auto &, auto &) {}) {
  static thread_local LeftOperand a;
  static thread_local RightOperand b;
  readFragments(w, i, shape, a, b, decodeA, decodeB);
  scale(a, b);
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
  // A sign is that of the register: of two halves, the upper one's alone (SassSignsTest).
  auto decode = [&](const Operand &op) {
    return [&format, type, sign = op.negative ? 1u << 31 : 0u](uint32_t bits, unsigned e) {
      if (type == 2)
        return emulator::decode((bits ^ sign) & 0xffffe000, emulator::kF32);
      return emulator::decode((bits ^ sign) >> (16 * e) & 0xffff, format);
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

// Of 8-bit floats, or two of 4 bits in a byte (OMMA), and scales of blocks of them.
OPERATION(executeBlockScaledMma) {
  if (!wholeWarp(w))
    return;
  const bool packed = i.row->name.starts_with("OMMA"), isPower = !packed || i.mods[0] == 0;
  const unsigned blocks = !packed ? 1 : i.mods[1] == 0 ? 4 : 2;
  const Shape shape = packed ? Shape{8, 4, 2, 64} : Shape{4, 4, 2, 32};
  const uint32_t selector = w.u[i.ops[6].index];
  const unsigned byteA = selector & 3, lanesA = selector >> 2 & 1, byteB = selector >> 3 & 3,
                 lanesB = selector >> 5 & 3;
  if (selector >> 7 || byteA % blocks || byteB % blocks)
    return w.fault(Report::Unsupported, "unsupported: selector of block scales");
  auto factor = [&](const Operand &op, unsigned lane, unsigned byte, unsigned k) {
    const uint32_t word = w.lane(op.index, 0, lane);
    return scaleFactor(static_cast<uint8_t>(word >> (8 * (byte + k * blocks / shape.k))), isPower);
  };
  auto scale = [&](LeftOperand &a, RightOperand &b) {
    for (unsigned k = 0; k < shape.k; ++k) {
      for (unsigned row = 0; row < 16; ++row)
        a[row][k] *= factor(i.ops[4], 4 * (row % 8) + 2 * lanesA + row / 8, byteA, k);
      for (unsigned n = 0; n < 8; ++n)
        b[k][n] *= factor(i.ops[5], 4 * n + lanesB, byteB, k);
    }
  };
  auto decode = [&](unsigned operand) {
    const emulator::Format &format = packed            ? emulator::kE2M1
                                     : i.mods[operand] ? emulator::kE5M2
                                                       : emulator::kE4M3;
    return [&format, width = packed ? 4u : 8u](uint32_t bits, unsigned e) {
      return emulator::decode(bits >> (width * e) & ((1u << width) - 1), format);
    };
  };
  multiplyFloats(w, i, shape, /*toF32=*/true, decode(0), decode(1), scale);
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
  static thread_local int64_t a[16][kDepth], b[kDepth][8];
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
