//===- WarpgroupAtom.cpp - table and layouts of warpgroup products ----------------------------===//
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"

#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/support/Plants.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

static const WarpgroupAtom atoms[] = {{"wgmma.f16", 16, 2},        {"wgmma.f16.f16", 16, 2},
                                      {"wgmma.bf16", 16, 2},       {"wgmma.tf32", 8, 4},
                                      {"wgmma.s8", 32, 1},         {"wgmma.u8", 32, 1},
                                      {"wgmma.s8u8", 32, 1},       {"wgmma.u8s8", 32, 1},
                                      {"wgmma.e4m3", 32, 1, true}, {"wgmma.e5m2", 32, 1, true}};

const WarpgroupAtom *tileas::findWarpgroupAtom(StringRef name) {
  for (const WarpgroupAtom &atom : atoms)
    if (atom.name == name)
      return &atom;
  return nullptr;
}

const WarpgroupAtom *tileas::findWarpgroupAtom(Type lhs, Type acc, bool signedLhs, bool signedRhs) {
  if (acc.isF32() && lhs.isF16())
    return findWarpgroupAtom("wgmma.f16");
  if (acc.isF32() && lhs.isBF16())
    return findWarpgroupAtom("wgmma.bf16");
  if (acc.isF32() && isa<FloatTF32Type>(lhs))
    return findWarpgroupAtom("wgmma.tf32");
  if (acc.isF16() && lhs.isF16())
    return findWarpgroupAtom("wgmma.f16.f16");
  if (acc.isInteger(32) && lhs.isInteger(8))
    return findWarpgroupAtom(signedLhs == signedRhs ? signedLhs ? "wgmma.s8" : "wgmma.u8"
                             : signedLhs != TILESMITH_PLANT("wgmma-byte-signs-swapped")
                                 ? "wgmma.s8u8"
                                 : "wgmma.u8s8");
  if (acc.isF32() && isa<Float8E4M3FNType>(lhs))
    return findWarpgroupAtom("wgmma.e4m3");
  if (acc.isF32() && isa<Float8E5M2Type>(lhs))
    return findWarpgroupAtom("wgmma.e5m2");
  return nullptr;
}

std::optional<WarpgroupShape> tileas::warpgroupShape(int64_t m, int64_t n, unsigned numWarps) {
  if (numWarps < 4 || m < 64 || n < 8)
    return std::nullopt;
  WarpgroupShape shape{m, n, 1, 1, 0};
  for (unsigned groups = numWarps / 4; groups > 1; groups /= 2) {
    if (shape.groupsM * 64 < m)
      shape.groupsM *= 2;
    else if (shape.groupsN * 8 < n)
      shape.groupsN *= 2;
    else
      return std::nullopt;
  }
  shape.instructionN = std::min<int64_t>(shape.columns(), 256);
  return shape;
}

LayoutAttr tileas::warpgroupLayout(MLIRContext *context, const WarpgroupShape &shape) {
  int64_t n = shape.n;
  SmallVector<int64_t> registers{1, 8 * n}, lanes{2, 4, n, 2 * n, 4 * n}, warps{16 * n, 32 * n};
  for (int64_t column = 8; column < shape.columns(); column *= 2)
    registers.push_back(column);
  for (int64_t group = 1; group < shape.groupsM; group *= 2)
    warps.push_back(64 * group * n);
  for (int64_t group = 1; group < shape.groupsN; group *= 2)
    warps.push_back(shape.columns() * group);
  for (int64_t row = 64 * shape.groupsM; row < shape.m; row *= 2)
    registers.push_back(row * n);
  return LayoutAttr::get(context, {shape.m, n}, registers, lanes, warps);
}

const MmaAtom &tileas::fragmentsOf(const WarpgroupAtom &atom) {
  StringRef types = StringRef(atom.name).drop_front(StringRef("wgmma.").size());
  types = types.split('.').first; // sums of f16 have the same operands
  std::string name = (Twine(atom.elementBytes == 4   ? "m16n8k8."
                            : atom.elementBytes == 2 ? "m16n8k16."
                                                     : "m16n8k32.") +
                      types)
                         .str();
  return *findMmaAtom(name);
}

LayoutAttr tileas::warpgroupLhsLayout(MLIRContext *context, const MmaAtom &fragments,
                                      const WarpgroupShape &shape, int64_t depth) {
  auto flat = [&](FragmentBit bit) { return bit.first * depth + bit.second; };
  SmallVector<int64_t> registers, lanes, warps{16 * depth, 32 * depth};
  for (FragmentBit bit : fragments.lhs.registers)
    registers.push_back(flat(bit));
  for (FragmentBit bit : fragments.lhs.lanes)
    lanes.push_back(flat(bit));
  for (int64_t step = fragments.k; step < depth; step *= 2)
    registers.push_back(step);
  for (int64_t row = 64 * shape.groupsM; row < shape.m; row *= 2)
    registers.push_back(row * depth);
  for (int64_t group = 1; group < shape.groupsM; group *= 2)
    warps.push_back(64 * group * depth);
  for (int64_t group = 1; group < shape.groupsN; group *= 2)
    warps.push_back(0);
  return LayoutAttr::get(context, {shape.m, depth}, registers, lanes, warps);
}

LayoutAttr tileas::pairedRows(LayoutAttr layout) {
  int64_t columns = layout.getShape()[1];
  auto moved = [&](ArrayRef<int64_t> bases) {
    return llvm::map_to_vector(bases, [&](int64_t basis) {
      switch (basis / columns) {
      case 1:
        return 2 * columns;
      case 2:
        return 16 * columns;
      case 8:
        return columns;
      case 16:
        return 8 * columns;
      }
      return basis;
    });
  };
  return LayoutAttr::get(layout.getContext(), layout.getShape(), moved(layout.getRegisters()),
                         moved(layout.getLanes()), moved(layout.getWarps()));
}

std::optional<SharedLayoutAttr> tileas::warpgroupStaging(RankedTensorType tile,
                                                         int64_t elementBytes, unsigned outerDim) {
  LayoutAttr layout = getLayout(tile);
  if (!layout || tile.getRank() != 2)
    return std::nullopt;
  bool alongRows = llvm::is_contained(layout.getRegisters(), 1);
  for (unsigned contiguous : {alongRows ? 1u : 0u, alongRows ? 0u : 1u}) {
    if (contiguous == outerDim && elementBytes != 2)
      continue;
    if (auto form = warpgroupOperand(tile.getShape(), contiguous, elementBytes))
      return warpgroupSharedLayout(tile.getContext(), tile.getShape(), *form, elementBytes);
  }
  return std::nullopt;
}

std::optional<WarpgroupOperand> tileas::warpgroupOperand(ArrayRef<int64_t> shape,
                                                         unsigned contiguous, int64_t elementBytes,
                                                         int64_t grain) {
  WarpgroupOperand operand{contiguous, std::min<int64_t>(128, shape[contiguous] * elementBytes),
                           shape[1 - contiguous], grain};
  if (operand.width < 32 || operand.rows < 8 || (grain != 16 && operand.width < 128))
    return std::nullopt;
  return operand;
}

SharedLayoutAttr tileas::warpgroupSharedLayout(MLIRContext *context, ArrayRef<int64_t> shape,
                                               const WarpgroupOperand &operand,
                                               int64_t elementBytes) {
  int64_t columns = shape[1], alongStride = operand.contiguous == 1 ? 1 : columns;
  int64_t acrossStride = operand.contiguous == 1 ? columns : 1;
  int64_t inPanel = operand.width / elementBytes;
  SmallVector<int64_t> bases;
  for (int64_t at = 1; at < inPanel; at *= 2)
    bases.push_back(at * alongStride);
  for (int64_t row = 1; row < operand.rows; row *= 2)
    bases.push_back(row * acrossStride);
  for (int64_t at = inPanel; at < shape[operand.contiguous]; at *= 2)
    bases.push_back(at * alongStride);
  return applySwizzle(SharedLayoutAttr::get(context, shape, bases),
                      swizzleOf(operand.width, elementBytes, operand.grain));
}

std::optional<WarpgroupOperand> tileas::recogniseWarpgroupOperand(SharedLayoutAttr layout,
                                                                  int64_t elementBytes) {
  ArrayRef<int64_t> shape = layout.getShape();
  if (shape.size() != 2)
    return std::nullopt;
  for (unsigned contiguous : {1u, 0u})
    for (int64_t grain : {16, 32})
      if (auto operand = warpgroupOperand(shape, contiguous, elementBytes, grain))
        if (warpgroupSharedLayout(layout.getContext(), shape, *operand, elementBytes) == layout)
          return operand;
  return std::nullopt;
}
