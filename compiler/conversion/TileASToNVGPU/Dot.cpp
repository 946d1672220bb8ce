//===- Dot.cpp - matrix multiply-accumulate per thread, generic path --------------------------===//
//
// lhs and rhs go row-major into scratch, in slabs along K that fit; every thread then accumulates
// its own result registers with one multiply-add per k in ascending order. Floats accumulate in f32
// (f64 for f64 operands) and are rounded to the accumulator type once at the end, integers wrap in
// i32. Works for every type and shape; tensor-core paths are separate and optional.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

namespace {

LogicalResult emitDot(Emitter &e, Operation *op) {
  auto dot = cast<tileas::DotOp>(op);
  if (dot.getAtom())
    return emitTensorCoreDot(e, op);
  auto lhsType = cast<RankedTensorType>(dot.getLhs().getType());
  auto rhsType = cast<RankedTensorType>(dot.getRhs().getType());
  auto accType = cast<RankedTensorType>(dot.getAcc().getType());
  int64_t rank = accType.getRank(), batch = rank == 3 ? accType.getDimSize(0) : 1;
  int64_t m = accType.getDimSize(rank - 2), n = accType.getDimSize(rank - 1);
  int64_t k = lhsType.getDimSize(rank - 1);
  Tile lhs = e.tile(dot.getLhs()), rhs = e.tile(dot.getRhs()), acc = e.tile(dot.getAcc());

  Type accElement = accType.getElementType(), computeType = accElement;
  bool isFloat = isa<FloatType>(accElement);
  if (isFloat && !accElement.isF64())
    computeType = e.builder.getF32Type();

  // The largest K slab whose two operands fit into the scratch area.
  int64_t lhsBytes = e.elementBytes(lhs.element), rhsBytes = e.elementBytes(rhs.element), slabK = k;
  while (slabK > 1 && batch * slabK * (m * lhsBytes + n * rhsBytes) > kMaxSharedBytes)
    slabK /= 2;
  int64_t rhsOffset = llvm::alignTo(batch * m * slabK * lhsBytes, 16);
  int64_t total = rhsOffset + batch * n * slabK * rhsBytes;
  if (total > kMaxSharedBytes)
    return op->emitOpError("needs ")
           << total << " bytes of shared memory, the limit is " << kMaxSharedBytes;

  Tile result = e.makeTile(dot.getResult());
  Tile sums = computeType == result.element ? result : e.makeTile(computeType, result.layout);
  e.setTile(dot.getResult(), result);
  e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
    Value start = e.loadRegister(acc, index);
    if (start.getType() != computeType)
      start = arith::ExtFOp::create(e.builder, e.loc, computeType, start);
    e.storeRegister(sums, index, start);
  });

  auto widen = [&](Value value, Type logical, bool isSigned) -> Value {
    if (isFloat)
      return e.convertFloat(value, logical, computeType);
    if ((isSigned && !TILESMITH_PLANT("dot-signed-bytes-as-unsigned")) ||
        TILESMITH_PLANT("dot-unsigned-bytes"))
      return arith::ExtSIOp::create(e.builder, e.loc, computeType, value);
    return arith::ExtUIOp::create(e.builder, e.loc, computeType, value);
  };
  auto fill = [&](const Tile &tile, int64_t offset, bool kLast, int64_t rows, int64_t columns,
                  Value slab) {
    // Full tile is [batch, rows, columns]; the slab keeps slabK of its K axis.
    int64_t keptRows = kLast ? rows : slabK, keptColumns = kLast ? slabK : columns;
    e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
      Value position = e.position(tile.layout, index);
      SmallVector<Value> at = e.coordinates(position, {batch, rows, columns});
      Value kIndex = kLast ? at[2] : at[1];
      Value wanted;
      if (slabK != k) {
        Value first = arith::AndIOp::create(e.builder, e.loc, kIndex, e.i32(~(slabK - 1)));
        wanted = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, first, slab);
        kIndex = arith::AndIOp::create(e.builder, e.loc, kIndex, e.i32(slabK - 1));
      }
      Value owner = e.both(e.ownerThread(tile.layout), e.ownerRegister(tile.layout, index));
      e.when(e.both(owner, wanted), [&] {
        Value row = kLast ? at[1] : kIndex, column = kLast ? kIndex : at[2];
        Value slot =
            e.add(e.mul(e.add(e.mul(at[0], e.i32(keptRows)), row), e.i32(keptColumns)), column);
        e.store(e.loadRegister(tile, index),
                e.elementPointer(e.scratch(offset, total), tile.element, slot));
      });
    });
  };
  auto multiplySlab = [&](Value slab) {
    if (!TILESMITH_PLANT("dot-refill-barrier-dropped"))
      e.barrier();
    fill(lhs, 0, /*kLast=*/true, m, k, slab);
    fill(rhs, rhsOffset, /*kLast=*/false, k, n, slab);
    if (!TILESMITH_PLANT("dot-slab-barrier-dropped"))
      e.barrier();
    e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
      SmallVector<Value> at = e.coordinates(e.position(result.layout, index), {batch, m, n});
      Value lhsRow = e.mul(e.add(e.mul(at[0], e.i32(m)), at[1]), e.i32(slabK));
      Value rhsColumn = e.add(e.mul(at[0], e.i32(slabK * n)), at[2]);
      SmallVector<Value> sum = e.forLoop(
          e.i32(0), e.i32(TILESMITH_PLANT("dot-k-short") && slabK > 2 ? slabK - 1 : slabK),
          e.i32(1), {e.loadRegister(sums, index)}, [&](Value step, ValueRange carried) {
            Value a =
                e.load(e.elementPointer(e.scratch(0, total), lhs.element, e.add(lhsRow, step)),
                       lhs.element);
            Value rhsSlot = e.add(rhsColumn, e.mul(step, e.i32(n)));
            Value b = e.load(e.elementPointer(e.scratch(rhsOffset, total), rhs.element, rhsSlot),
                             rhs.element);
            a = widen(a, lhsType.getElementType(), dot.getSignedLhs());
            b = widen(b, rhsType.getElementType(), dot.getSignedRhs());
            if (isFloat)
              return SmallVector<Value>{math::FmaOp::create(e.builder, e.loc, a, b, carried[0])};
            return SmallVector<Value>{e.add(e.mul(a, b), carried[0])};
          });
      e.storeRegister(sums, index, sum[0]);
    });
  };
  if (slabK == k) {
    multiplySlab(e.i32(0));
  } else {
    e.forLoop(e.i32(0), e.i32(k), e.i32(slabK), {}, [&](Value slab, ValueRange) {
      multiplySlab(slab);
      return SmallVector<Value>();
    });
  }
  if (sums.storage != result.storage)
    e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
      Value rounded =
          arith::TruncFOp::create(e.builder, e.loc, result.element, e.loadRegister(sums, index));
      e.storeRegister(result, index, rounded);
    });
  return success();
}

} // namespace

void tileas_to_nvgpu::registerDot(HandlerTable &table) {
  table.operations.add<tileas::DotOp>(emitDot);
}
