//===- MmaAtom.cpp - fragment tables of mma.sync ----------------------------------------------===//
#include "compiler/dialect/TileAS/IR/MmaAtom.h"

#include "compiler/support/Plants.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

// In all shapes a lane is (group, thread in group) = (lane >> 2, lane & 3): the low two lane bits
// walk the contiguous direction of the fragment, the high three the rows (lhs, acc) or columns
// (rhs).

// 16-bit operands, K = 16: pairs along K.
constexpr FragmentBit lhs16Registers[] = {{0, 1}, {8, 0}, {0, 8}};
constexpr FragmentBit lhs16Lanes[] = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
constexpr FragmentBit rhs16Registers[] = {{1, 0}, {8, 0}};
constexpr FragmentBit rhs16Lanes[] = {{2, 0}, {4, 0}, {0, 1}, {0, 2}, {0, 4}};
// tf32, K = 8.
constexpr FragmentBit lhs32Registers[] = {{8, 0}, {0, 4}};
constexpr FragmentBit lhs32Lanes[] = {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}};
constexpr FragmentBit rhs32Registers[] = {{4, 0}};
constexpr FragmentBit rhs32Lanes[] = {{1, 0}, {2, 0}, {0, 1}, {0, 2}, {0, 4}};
// 8-bit operands, K = 32: four along K.
constexpr FragmentBit lhs8Registers[] = {{0, 1}, {0, 2}, {8, 0}, {0, 16}};
constexpr FragmentBit lhs8Lanes[] = {{0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 0}};
constexpr FragmentBit rhs8Registers[] = {{1, 0}, {2, 0}, {16, 0}};
constexpr FragmentBit rhs8Lanes[] = {{4, 0}, {8, 0}, {0, 1}, {0, 2}, {0, 4}};
// Accumulators of all m16n8 shapes, of 32 or 16 bits.
constexpr FragmentBit accRegisters[] = {{0, 1}, {8, 0}};
constexpr FragmentBit accLanes[] = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
// f64, m8n8k4.
constexpr FragmentBit lhs64Lanes[] = {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}};
constexpr FragmentBit rhs64Lanes[] = {{1, 0}, {2, 0}, {0, 1}, {0, 2}, {0, 4}};
constexpr FragmentBit acc64Registers[] = {{0, 1}};

constexpr Fragment lhs8 = {lhs8Registers, lhs8Lanes}, rhs8 = {rhs8Registers, rhs8Lanes},
                   acc32 = {accRegisters, accLanes};

constexpr int64_t kAnyDepth = MmaAtom::kAnyDepth;

const MmaAtom atoms[] = {
    {"m16n8k16.f16",
     16,
     8,
     16,
     {lhs16Registers, lhs16Lanes},
     {rhs16Registers, rhs16Lanes},
     {accRegisters, accLanes}},
    {"m16n8k16.f16.f16",
     16,
     8,
     16,
     {lhs16Registers, lhs16Lanes},
     {rhs16Registers, rhs16Lanes},
     {accRegisters, accLanes}},
    {"m16n8k16.bf16",
     16,
     8,
     16,
     {lhs16Registers, lhs16Lanes},
     {rhs16Registers, rhs16Lanes},
     {accRegisters, accLanes}},
    {"m16n8k8.tf32",
     16,
     8,
     8,
     {lhs32Registers, lhs32Lanes},
     {rhs32Registers, rhs32Lanes},
     {accRegisters, accLanes}},
    {"m16n8k32.s8", 16, 8, 32, lhs8, rhs8, acc32},
    {"m16n8k32.u8", 16, 8, 32, lhs8, rhs8, acc32, "u8"},
    {"m16n8k32.s8u8", 16, 8, 32, lhs8, rhs8, acc32, "s8.u8"},
    {"m16n8k32.u8s8", 16, 8, 32, lhs8, rhs8, acc32, "u8.s8"},
    // Tensor cores of some chips keep few bits of a sum of 8-bit floats.
    {"m16n8k32.e4m3", 16, 8, 32, lhs8, rhs8, acc32, "f32.e4m3.e4m3.f32", target::Feature::MmaSyncF8,
     128},
    {"m16n8k32.e5m2", 16, 8, 32, lhs8, rhs8, acc32, "f32.e5m2.e5m2.f32", target::Feature::MmaSyncF8,
     128},
    {"m16n8k32.mx.e4m3", 16, 8, 32, lhs8, rhs8, acc32,
     "m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0",
     target::Feature::MmaSyncBlockScale, kAnyDepth, 32},
    {"m16n8k32.mx.e5m2", 16, 8, 32, lhs8, rhs8, acc32,
     "m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e5m2.e5m2.f32.ue8m0",
     target::Feature::MmaSyncBlockScale, kAnyDepth, 32},
    // 64 elements of 4 bits: their bytes lie as 32 elements of 8.
    {"m16n8k64.mx.e2m1", 16, 8, 32, lhs8, rhs8, acc32,
     "m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0", target::Feature::MmaSyncBlockScale,
     kAnyDepth, 16},
    {"m16n8k64.nv.e2m1", 16, 8, 32, lhs8, rhs8, acc32,
     "m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3",
     target::Feature::MmaSyncBlockScale, kAnyDepth, 8, false},
    {"m8n8k4.f64", 8, 8, 4, {{}, lhs64Lanes}, {{}, rhs64Lanes}, {acc64Registers, accLanes}},
};

} // namespace

const MmaAtom *tileas::findMmaAtom(StringRef name) {
  for (const MmaAtom &atom : atoms)
    if (atom.name == name)
      return &atom;
  return nullptr;
}

const MmaAtom *tileas::findMmaAtom(Type lhs, Type acc, bool signedLhs, bool signedRhs) {
  if (acc.isF16() && lhs.isF16())
    return findMmaAtom("m16n8k16.f16.f16");
  if (acc.isF32() && lhs.isF16())
    return findMmaAtom("m16n8k16.f16");
  if (acc.isF32() && lhs.isBF16())
    return findMmaAtom("m16n8k16.bf16");
  if (acc.isF32() && isa<FloatTF32Type>(lhs))
    return findMmaAtom("m16n8k8.tf32");
  if (acc.isInteger(32) && lhs.isInteger(8))
    return findMmaAtom(signedLhs == signedRhs ? signedLhs ? "m16n8k32.s8" : "m16n8k32.u8"
                       : signedLhs != TILESMITH_PLANT("mma-byte-signs-swapped") ? "m16n8k32.s8u8"
                                                                                : "m16n8k32.u8s8");
  if (acc.isF32() && isa<Float8E4M3FNType>(lhs))
    return findMmaAtom("m16n8k32.e4m3");
  if (acc.isF32() && isa<Float8E5M2Type>(lhs))
    return findMmaAtom("m16n8k32.e5m2");
  if (acc.isF64() && lhs.isF64())
    return findMmaAtom("m8n8k4.f64");
  return nullptr;
}

const MmaAtom *tileas::findScaledMmaAtom(Type held, Type scale, int64_t block) {
  const bool arePowers = isa<Float8E8M0FNUType>(scale);
  if (!arePowers && !isa<Float8E4M3FNType>(scale))
    return nullptr;
  const MmaAtom *atom = isa<Float8E4M3FNType>(held) ? findMmaAtom("m16n8k32.mx.e4m3")
                        : isa<Float8E5M2Type>(held) ? findMmaAtom("m16n8k32.mx.e5m2")
                        : !held.isInteger(8)        ? nullptr
                        : arePowers                 ? findMmaAtom("m16n8k64.mx.e2m1")
                                                    : findMmaAtom("m16n8k64.nv.e2m1");
  if (atom && !arePowers && TILESMITH_PLANT("block-scale-numbers-as-powers"))
    return findMmaAtom("m16n8k64.mx.e2m1"); // of 32 elements, too
  return atom && atom->scaleBlock == block && atom->scalesArePowers == arePowers ? atom : nullptr;
}

int64_t tileas::scaleStepsOfLanes(DotOperand side, int64_t steps) {
  return std::min<int64_t>(steps, side == DotOperand::Lhs ? 2 : 4);
}

LayoutAttr tileas::scaleFragmentLayout(const MmaAtom &atom, DotOperand side, LayoutAttr operand) {
  const bool isLhs = side == DotOperand::Lhs;
  const int64_t rows = operand.getShape()[0], columns = operand.getShape()[1],
                blocks = (isLhs ? columns : rows) / atom.scaleBlock;
  // Bases of rows of the left operand, columns of the right one.
  auto flat = [&](int64_t line) { return isLhs ? line * blocks : line; };
  auto lineOf = [&](int64_t basis) { return isLhs ? basis / columns : basis % columns; };
  SmallVector<int64_t> registers, lanes, warps, steps;
  for (int64_t basis :
       operand.getRegisters().drop_front((isLhs ? atom.lhs : atom.rhs).registers.size()))
    if (lineOf(basis))
      steps.push_back(flat(lineOf(basis)));
  // Of four lanes the first two hold rows r and r + 8.
  if (isLhs)
    lanes.push_back(flat(8));
  ArrayRef<int64_t> left = steps;
  while (lanes.size() < 2) {
    lanes.push_back(left.empty() ? 0 : left.front());
    left = left.drop_front(!left.empty());
  }
  for (int64_t line : {1, 2, 4})
    lanes.push_back(flat(TILESMITH_PLANT("block-scale-rows-reversed") ? 4 / line : line));
  for (int64_t block = 1; block < blocks; block *= 2)
    registers.push_back(isLhs ? block : block * columns);
  registers.append(left.begin(), left.end());
  for (int64_t basis : operand.getWarps())
    warps.push_back(flat(lineOf(basis)));
  return LayoutAttr::get(operand.getContext(),
                         isLhs ? ArrayRef<int64_t>{rows, blocks}
                               : ArrayRef<int64_t>{blocks, columns},
                         registers, lanes, warps);
}

LayoutAttr tileas::fragmentLayout(MLIRContext *context, const MmaAtom &atom, DotOperand operand,
                                  int64_t m, int64_t n, int64_t k, unsigned numWarps,
                                  bool wholeRows) {
  // Extents of the operand and of its fragment; flat bases are row * columns + column.
  bool isLhs = operand == DotOperand::Lhs, isRhs = operand == DotOperand::Rhs;
  int64_t rows = isRhs ? k : m, columns = isLhs ? k : n;
  const Fragment &fragment = isLhs ? atom.lhs : isRhs ? atom.rhs : atom.acc;
  auto flat = [&](FragmentBit bit) { return bit.first * columns + bit.second; };
  SmallVector<int64_t> registers, lanes, warps;
  for (FragmentBit bit : fragment.registers)
    registers.push_back(flat(bit));
  for (FragmentBit bit : fragment.lanes)
    lanes.push_back(flat(bit));

  int64_t nextM = atom.m, nextN = atom.n;
  bool preferM = true;
  for (unsigned bit = 0; bit < llvm::Log2_32(numWarps); ++bit) {
    bool useM = nextM < m && (preferM || nextN >= n);
    if (useM) {
      warps.push_back(isRhs ? 0 : flat({nextM, 0}));
      nextM *= 2;
    } else if (nextN < n) {
      warps.push_back(isLhs ? 0 : flat({0, nextN}));
      nextN *= 2;
    } else {
      warps.push_back(0); // more warps than fragments: duplicates
    }
    preferM = wholeRows || !preferM;
  }
  if (isLhs || isRhs)
    for (int64_t step = atom.k; step < k; step *= 2)
      registers.push_back(isLhs ? flat({0, step}) : flat({step, 0}));
  if (!isLhs)
    for (int64_t step = nextN; step < n; step *= 2)
      registers.push_back(flat({0, step}));
  if (!isRhs)
    for (int64_t step = nextM; step < m; step *= 2)
      registers.push_back(flat({step, 0}));
  if (isRhs && TILESMITH_PLANT("mma-right-steps-reversed"))
    std::reverse(registers.begin() + fragment.registers.size(), registers.end());
  return LayoutAttr::get(context, {rows, columns}, registers, lanes, warps);
}

LayoutAttr tileas::batchedFragmentLayout(MLIRContext *context, const MmaAtom &atom,
                                         DotOperand operand, int64_t batches, int64_t m, int64_t n,
                                         int64_t k, unsigned numWarps) {
  const bool isRhs = operand == DotOperand::Rhs;
  if (m % atom.m || batches * m < atom.m * int64_t(numWarps))
    return {};
  // Rows of all matrices behind each other: warps take batches, then rows of each; threads hold what is left.
  SmallVector<int64_t> ofWarps, ofThreads, rest;
  for (int64_t row = m; row < batches * m; row *= 2)
    (int64_t(1) << ofWarps.size() < int64_t(numWarps) ? ofWarps : rest).push_back(row);
  for (int64_t row = atom.m; row < m; row *= 2)
    (int64_t(1) << ofWarps.size() < int64_t(numWarps) ? ofWarps : ofThreads).push_back(row);
  ofThreads.append(rest);
  LayoutAttr one = fragmentLayout(context, atom, operand, atom.m, n, k, 1, /*wholeRows=*/true);
  const int64_t columns = one.getShape()[1];
  // All of a right operand's matrix is where rows of its batch are.
  auto at = [&](int64_t row) { return isRhs ? row / m * k * n : row * columns; };
  SmallVector<int64_t> registers(one.getRegisters()), warps;
  for (int64_t row : ofWarps)
    warps.push_back(TILESMITH_PLANT("mma-batch-of-first-warp") && isRhs ? 0 : at(row));
  for (int64_t row : ofThreads)
    if (at(row))
      registers.push_back(at(row));
  return LayoutAttr::get(context, {batches, isRhs ? k : m, columns}, registers, one.getLanes(),
                         warps);
}
