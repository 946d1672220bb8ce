//===- TensorCoreAtom.cpp - table and layout of products in tensor memory ---------------------===//
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"

#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/support/Plants.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

static const TensorCoreAtom atoms[] = {
    {"tcgen05.f16", 0, 0, 0, 1, 2},
    {"tcgen05.bf16", 0, 1, 1, 1, 2},
    {"tcgen05.tf32", 1, 2, 2, 1, 4},
    {"tcgen05.e4m3", 2, 0, 0, 1, 1},
    {"tcgen05.e5m2", 2, 1, 1, 1, 1},
    {"tcgen05.u8", 3, 0, 0, 2, 1},
    {"tcgen05.s8", 3, 1, 1, 2, 1},
    {"tcgen05.s8u8", 3, 1, 0, 2, 1},
    {"tcgen05.u8s8", 3, 0, 1, 2, 1},
    {"tcgen05.mx.e4m3", 4, 0, 0, 1, 1, 32, true, "mxf8f6f4.block_scale"},
    {"tcgen05.mx.e5m2", 4, 1, 1, 1, 1, 32, true, "mxf8f6f4.block_scale"},
    {"tcgen05.mx.e2m1", 5, 1, 1, 1, 1, 16, true, "mxf4.block_scale.block32"},
    {"tcgen05.nv.e2m1", 6, 1, 1, 1, 1, 8, false, "mxf4nvf4.block_scale.block16"},
    {"tcgen05.nv.e2m1.e8m0", 6, 1, 1, 1, 1, 8, true, "mxf4nvf4.block_scale.block16"}};

const TensorCoreAtom *tileas::findTensorCoreAtom(StringRef name) {
  for (const TensorCoreAtom &atom : atoms)
    if (atom.name == name)
      return &atom;
  return nullptr;
}

const TensorCoreAtom *tileas::findTensorCoreAtom(Type lhs, Type acc, bool signedLhs,
                                                 bool signedRhs) {
  if (acc.isInteger(32) && lhs.isInteger(8))
    return findTensorCoreAtom(signedLhs == signedRhs || TILESMITH_PLANT("tcgen05-bytes-as-left")
                                  ? signedLhs ? "tcgen05.s8" : "tcgen05.u8"
                              : signedLhs ? "tcgen05.s8u8"
                                          : "tcgen05.u8s8");
  if (!acc.isF32())
    return nullptr;
  return findTensorCoreAtom(lhs.isF16()                  ? "tcgen05.f16"
                            : lhs.isBF16()               ? "tcgen05.bf16"
                            : isa<FloatTF32Type>(lhs)    ? "tcgen05.tf32"
                            : isa<Float8E4M3FNType>(lhs) ? "tcgen05.e4m3"
                            : isa<Float8E5M2Type>(lhs)   ? "tcgen05.e5m2"
                                                         : "");
}

const TensorCoreAtom *tileas::findScaledAtom(Type held, Type scale, int64_t block) {
  const bool arePowers = isa<Float8E8M0FNUType>(scale);
  if (!arePowers && !isa<Float8E4M3FNType>(scale))
    return nullptr;
  for (const TensorCoreAtom &atom : atoms) {
    const bool ofBits = atom.isPacked() ? held.isInteger(8)
                        : atom.lhs == 0 ? isa<Float8E4M3FNType>(held)
                                        : isa<Float8E5M2Type>(held);
    if (atom.isScaled() && ofBits && atom.scaleBlock == block && atom.scalesArePowers == arePowers)
      return &atom;
  }
  return nullptr;
}

SharedLayoutAttr tileas::scaleLayout(MLIRContext *context, ArrayRef<int64_t> shape,
                                     unsigned blockDim) {
  int64_t blocks = shape[blockDim], rows = shape[1 - blockDim];
  int64_t blockStride = blockDim == 1 ? 1 : rows, rowStride = blockDim == 1 ? blocks : 1;
  SmallVector<int64_t> bases;
  auto add = [&](int64_t from, int64_t end, int64_t stride) {
    for (int64_t at = from; at < end; at *= 2)
      bases.push_back(at * stride);
  };
  add(1, kScalesOfWord, blockStride);
  // Four words of a lane are copied together: of rows 32 apart, then the next ones of the same row.
  const int64_t ofLine = std::min(rows, kTensorMemoryLanes),
                blocksOfLine = std::min(blocks, kScalesOfWord * kTensorMemoryLanes / ofLine);
  if (TILESMITH_PLANT("scales-of-few-rows-blocks-first")) {
    add(kScalesOfWord, blocksOfLine, blockStride);
    add(32, ofLine, rowStride);
  } else {
    add(32, ofLine, rowStride);
    add(kScalesOfWord, blocksOfLine, blockStride);
  }
  constexpr size_t kLineBits = 4;
  if (!TILESMITH_PLANT("scales-of-few-rows-dense"))
    bases.resize(std::max(bases.size(), kLineBits), 0); // nothing stands there
  add(1, 32, rowStride);
  add(kTensorMemoryLanes, rows, rowStride);
  add(blocksOfLine, blocks, blockStride);
  return SharedLayoutAttr::get(context, shape, bases);
}

std::optional<TensorMemoryShape> tileas::tensorMemoryShape(int64_t m, int64_t n,
                                                           unsigned numWarps) {
  TensorMemoryShape shape{m, n, 1, 1};
  if (numWarps < 4 || m < 64 || m % shape.rows() || n < (shape.isHalf() ? 8 : 16))
    return std::nullopt;
  if (shape.columns() > kTensorMemoryColumns)
    return std::nullopt;
  for (unsigned groups = numWarps / 4; groups > 1; groups /= 2) {
    if (shape.groupsM < shape.blocks())
      shape.groupsM *= 2;
    else if (shape.ownColumns() > 8)
      shape.groupsN *= 2;
    else
      return std::nullopt;
  }
  return shape;
}

LayoutAttr tileas::tensorMemoryLayout(MLIRContext *context, const TensorMemoryShape &shape) {
  int64_t n = shape.n;
  if (shape.isHalf())
    return warpgroupLayout(context, {64, n, 1, shape.groupsN, shape.ownColumns()});
  SmallVector<int64_t> registers, lanes, warps{32 * n, 64 * n};
  for (int64_t column = 1; column < shape.ownColumns(); column *= 2)
    registers.push_back(column);
  for (int64_t row = 1; row < 32; row *= 2)
    lanes.push_back(row * n);
  for (int64_t group = 1; group < shape.groupsM; group *= 2)
    warps.push_back(kTensorMemoryLanes * group * n);
  for (int64_t group = 1; group < shape.groupsN; group *= 2)
    warps.push_back(shape.ownColumns() * group);
  for (int64_t block = shape.groupsM; block < shape.blocks(); block *= 2)
    registers.push_back(kTensorMemoryLanes * block * n);
  return LayoutAttr::get(context, {shape.m, n}, registers, lanes, warps);
}

LayoutAttr tileas::rowFactorLayout(LayoutAttr sums) {
  int64_t n = sums.getShape()[1];
  auto rowsOf = [&](ArrayRef<int64_t> bases) {
    return llvm::map_to_vector(bases, [&](int64_t basis) { return basis / n; });
  };
  SmallVector<int64_t> registers = rowsOf(sums.getRegisters());
  llvm::erase(registers, 0);
  return LayoutAttr::get(sums.getContext(), {sums.getShape()[0], 1}, registers,
                         rowsOf(sums.getLanes()), rowsOf(sums.getWarps()));
}
