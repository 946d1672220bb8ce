//===- Warpgroup.cpp - products of matrices in shared memory (HGMMA, QGMMA, IGMMA) ------------===//
//
// D (64 x N) += A (64 x K) * B (K x N): each warp of four owns 16 rows of A and D. B, and A unless
// it is in registers, are in shared memory, where a descriptor says (MatrixOperand.h); N follows the
// table of the row, K is 32 bytes of elements.
//
// A product is asynchronous: by the late schedule it reads shared memory and writes its registers
// when its group is waited for. Sums: TensorSum.h.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/MatrixOperand.h"
#include "oracles/devices/sass/TensorSum.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

double decodeSlow(Element element, uint32_t bits) {
  switch (element) {
  case Element::F16:
    return emulator::decode(bits, emulator::kF16);
  case Element::BF16:
    return emulator::decode(bits, emulator::kBF16);
  case Element::TF32:
    return emulator::decode(bits & 0xffffe000, emulator::kF32);
  case Element::E4M3:
    return emulator::decode(bits, emulator::kE4M3);
  case Element::E5M2:
    return emulator::decode(bits, emulator::kE5M2);
  case Element::S8:
    return static_cast<int8_t>(bits);
  case Element::U8:
    return bits;
  }
  return 0;
}

/// All values of a type of at most 16 bits.
template <Element element> const double *valuesOf() {
  static const std::vector<double> values = [] {
    std::vector<double> all(bytesOf(element) == 2 ? 65536 : 256);
    for (uint32_t bits = 0; bits < all.size(); ++bits)
      all[bits] = decodeSlow(element, bits);
    return all;
  }();
  return values.data();
}

/// What the modifiers of an instruction say.
struct Shape {
  Element a = Element::F16, b = Element::F16;
  unsigned n = 8, k = 16;
  bool toHalf = false, toInt = false, saturate = false;
  bool negateA = false, negateB = false, transposeA = false, transposeB = false;
};

unsigned columnsOf(const Instruction &i) {
  llvm::StringRef name = i.row->tokens.front().names[i.mods[0]]; // `64x128x16`
  unsigned n = 8;
  name.drop_front(3).consumeInteger(10, n);
  return n;
}

/// The operands of one warp: its rows of A, all columns of B.
struct Operands {
  double a[16][kMaxProducts], b[kMaxProducts][kMaxSums];
};

bool loadB(Warp &w, const Shape &s, uint64_t descriptor, Operands &out) {
  for (uint32_t k = 0; k < s.k; ++k)
    for (uint32_t n = 0; n < s.n; ++n)
      if (!loadElement(w, descriptor, s.transposeB, s.b, n, k, out.b[k][n]))
        return false;
  return true;
}

bool loadA(Warp &w, const Shape &s, uint64_t descriptor, Operands &out) {
  const uint32_t first = 16 * (w.index % 4);
  for (uint32_t row = 0; row < 16; ++row)
    for (uint32_t k = 0; k < s.k; ++k)
      if (!loadElement(w, descriptor, s.transposeA, s.a, first + row, k, out.a[row][k]))
        return false;
  return true;
}

// Four registers a lane, as in the products of one warp.
void unpackA(const Shape &s, const std::vector<uint32_t> &fragments, Operands &out) {
  const unsigned bytes = bytesOf(s.a), perRegister = 4 / bytes;
  const uint32_t mask = bytes == 4 ? ~0u : (1u << (8 * bytes)) - 1;
  for (unsigned l = 0; l < kLanes; ++l)
    for (unsigned n = 0; n < 4; ++n)
      for (unsigned e = 0; e < perRegister; ++e)
        out.a[l / 4 + 8 * (n & 1)][l % 4 * perRegister + e + 4 * perRegister * (n >> 1)] =
            decode(s.a, fragments[4 * l + n] >> (8 * bytes * e) & mask);
}

Shape shapeOf(const Instruction &i) {
  Shape s;
  s.n = columnsOf(i);
  const auto *mods = &i.mods[2]; // behind N and the group
  const char family = i.row->name[0];
  if (family == 'H') {
    static constexpr Element kTypes[] = {Element::F16, Element::BF16, Element::TF32};
    s.a = s.b = kTypes[mods[1]];
    s.toHalf = mods[0] == 0;
    s.negateA = mods[2], s.negateB = mods[3];
    s.transposeB = mods[4], s.transposeA = mods[5];
  } else if (family == 'Q') {
    s.toHalf = mods[0] == 0;
    s.a = mods[1] ? Element::E5M2 : Element::E4M3;
    s.b = mods[2] ? Element::E5M2 : Element::E4M3;
    s.negateA = mods[3], s.negateB = mods[4];
  } else {
    s.a = mods[0] ? Element::S8 : Element::U8;
    s.b = mods[1] ? Element::S8 : Element::U8;
    s.toInt = true, s.saturate = mods[2];
  }
  s.k = 32 / bytesOf(s.a);
  return s;
}

SumRule ruleOf(const Warp &w, const Shape &s) {
  SumRule rule{.truncates = !s.toInt && w.machine->generation == Generation::Hopper};
  if (bytesOf(s.a) == 1)
    rule.fraction = rule.kept = 13;
  return rule;
}

/// Registers from `to` on become those from `from` on (0 without `add`) plus the product.
void accumulate(Warp &w, const Shape &s, Operands &m, bool add, unsigned from, unsigned to) {
  static thread_local double sums[16][kMaxSums];
  const SumRule rule = ruleOf(w, s);
  auto each = [&](auto &&visit) { // the places of D: lane, its number there, its sum
    for (unsigned l = 0; l < kLanes; ++l)
      for (unsigned n = 0; n < s.n / 2; ++n)
        visit(l, n, sums[l / 4 + 8 * (n >> 1 & 1)][8 * (n / 4) + 2 * (l % 4) + (n & 1)]);
  };
  each([&](unsigned l, unsigned n, double &sum) {
    if (!add)
      sum = 0;
    else if (s.toHalf)
      sum = emulator::decode(w.lane(from, n / 2, l) >> (16 * (n & 1)) & 0xffff, emulator::kF16);
    else
      sum = s.toInt ? static_cast<double>(static_cast<int32_t>(w.lane(from, n, l)))
                    : emulator::bitsTo<float>(w.lane(from, n, l));
  });
  for (unsigned row = 0; row < 16; ++row) {
    if (s.negateA != s.negateB)
      std::transform(m.a[row], m.a[row] + s.k, m.a[row], std::negate<>());
    addProducts(rule, m.a[row], m.b[0], kMaxSums, s.k, s.n, sums[row]);
  }
  each([&](unsigned l, unsigned n, double &sum) {
    if (s.toHalf) {
      const unsigned shift = 16 * (n & 1);
      uint32_t &both = w.lane(to, n / 2, l);
      both = (both & ~(0xffffu << shift)) | encodeSumAsF16(sum) << shift;
    } else if (s.toInt) {
      int64_t whole = static_cast<int64_t>(sum);
      if (s.saturate)
        whole = std::clamp<int64_t>(whole, INT32_MIN, INT32_MAX);
      w.lane(to, n, l) = static_cast<uint32_t>(whole);
    } else {
      w.lane(to, n, l) = encodeSumAsF32(rule, sum);
    }
  });
}

void perform(Warp &w, const PendingProduct &product) {
  const Instruction &i = *product.instruction;
  if (i.ops[0].index == kRZ) // only ends a group
    return;
  const Shape s = shapeOf(i);
  const bool inRegisters = !product.fragments.empty();
  static thread_local Operands operands;
  if (inRegisters)
    unpackA(s, product.fragments, operands);
  else if (!loadA(w, s, product.a, operands))
    return;
  if (loadB(w, s, product.b, operands))
    accumulate(w, s, operands, product.accumulate, i.ops[inRegisters ? 3 : 2].index,
               i.ops[0].index);
}

} // namespace

namespace tilesmith::sass {

double decode(Element element, uint32_t bits) {
  if (element == Element::F16)
    return valuesOf<Element::F16>()[bits];
  if (element == Element::BF16)
    return valuesOf<Element::BF16>()[bits];
  return decodeSlow(element, bits);
}

double scaleFactor(uint8_t bits, bool isPower) {
  return !isPower       ? emulator::decode(bits & 0x7f, emulator::kE4M3)
         : bits == 0xff ? std::nan("")
                        : std::ldexp(1.0, int{bits} - 127);
}

/// 128 bytes in pieces of 32; tcgen05 alone knows it.
static bool hasCoarseSwizzle(uint64_t descriptor) {
  return descriptor >> 61 == 1;
}

/// Offset of an element from the start of a matrix, before the swizzle.
static uint32_t offsetOf(uint64_t descriptor, bool transposed, unsigned bytes, uint32_t mn,
                         uint32_t k) {
  const uint32_t leading = static_cast<uint32_t>(descriptor >> 16 & 0x3fff) << 4,
                 stride = static_cast<uint32_t>(descriptor >> 32 & 0x3fff) << 4;
  const unsigned mode = descriptor >> 62;
  const bool coarse = hasCoarseSwizzle(descriptor);
  const uint32_t width = coarse ? 128 : mode ? 256u >> mode : 16, lines = coarse ? 4 : 8;
  const uint32_t along = (transposed ? mn : k) * bytes, across = transposed ? k : mn;
  const uint32_t inside = across % lines * width + along % width;
  const bool swapped = transposed && !mode && !coarse;
  return inside + along / width * (swapped ? stride : leading) +
         across / lines * (swapped ? leading : stride);
}

const uint8_t *elementAt(Warp &w, uint64_t descriptor, bool transposed, unsigned bytes, uint32_t mn,
                         uint32_t k) {
  const unsigned mode = descriptor >> 62;
  const uint32_t places = w.machine->chip.matrixPlaces;
  uint32_t address = (static_cast<uint32_t>(descriptor & (places - 1)) << 4) +
                     offsetOf(descriptor, transposed, bytes, mn, k);
  if (hasCoarseSwizzle(descriptor))
    address ^= (address >> 7 & 3) << 5;
  else if (mode)
    address ^= (address >> 7 & ((1u << (4 - mode)) - 1)) << 4;
  // A descriptor counts inside the block, an address names the block.
  return w.machine->shared(w, (address & (16 * places - 1)) | w.block->rank << 24, bytes,
                           "matrix element at");
}

bool loadElement(Warp &w, uint64_t descriptor, bool transposed, Element element, uint32_t mn,
                 uint32_t k, double &out) {
  const unsigned bytes = bytesOf(element);
  const uint8_t *at = elementAt(w, descriptor, transposed, bytes, mn, k);
  if (!at)
    return false;
  uint32_t bits = 0;
  std::memcpy(&bits, at, bytes);
  out = decode(element, bits);
  return true;
}

#define OPERATION(name) void name(Warp &w, const Instruction &i)

OPERATION(executeWarpgroupProduct) {
  ++w.machine->report.counters.tensor;
  if (w.active != kAllLanes || w.index / 4 * 4 + 4 > w.block->warps.size())
    return w.fault(Report::Fault, "matrix operation without all lanes of four warps");
  const bool inRegisters = i.ops[1].kind == Operand::Register;
  PendingProduct product{&i, 0, 0, {}, (w.getMask(i.ops[inRegisters ? 4 : 3]) & 1) != 0};
  const unsigned quad = i.ops[inRegisters ? 2 : 1].index; // A, which may be unused, then B
  product.b = quad == kURZ ? 0 : w.uniform64(quad + 2);
  if (!inRegisters) {
    product.a = w.uniform64(quad);
  } else {
    for (unsigned l = 0; l < kLanes; ++l)
      for (unsigned n = 0; n < 4; ++n)
        product.fragments.push_back(w.lane(i.ops[1].index, n, l));
  }
  if (((product.a | product.b) >> 49 & 7) || ((product.a | product.b) >> 61 & 1))
    return w.fault(Report::Unsupported,
                   "unsupported: matrix whose swizzle has a base offset or a third bit");
  if (!w.machine->config.lateCopies)
    return perform(w, product);
  w.openProducts.push_back(std::move(product));
  if (i.mods[1] == 0) // ends a group
    w.products.push_back(std::exchange(w.openProducts, {}));
}

OPERATION(executeWarpgroupWait) {
  for (; w.products.size() > static_cast<size_t>(i.ops[0].value); w.products.pop_front())
    for (const PendingProduct &product : w.products.front())
      perform(w, product);
}

#undef OPERATION

} // namespace tilesmith::sass
