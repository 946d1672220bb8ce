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

class LoopDot {
public:
  LoopDot(Emitter &e, tileas::DotOp op)
      : e(e), op(op), lhsType(cast<RankedTensorType>(op.getLhs().getType())),
        rhsType(cast<RankedTensorType>(op.getRhs().getType())), lhs(e.tile(op.getLhs())),
        rhs(e.tile(op.getRhs())) {
    auto accType = cast<RankedTensorType>(op.getAcc().getType());
    int64_t rank = accType.getRank();
    batch = rank == 3 ? accType.getDimSize(0) : 1;
    m = accType.getDimSize(rank - 2);
    n = accType.getDimSize(rank - 1);
    k = lhsType.getDimSize(rank - 1);
    computeType = accType.getElementType();
    isFloat = isa<FloatType>(computeType);
    if (isFloat && !computeType.isF64())
      computeType = e.builder.getF32Type();
  }

  LogicalResult run() {
    if (failed(chooseSlab()))
      return failure();
    Tile acc = e.tile(op.getAcc());
    result = e.makeTile(op.getResult());
    sums = computeType == result.element ? result : e.makeTile(computeType, result.layout);
    e.setTile(op.getResult(), result);
    e.forLoop(result.layout.getNumRegisters(), [&](Value index) {
      Value start = e.loadRegister(acc, index);
      if (start.getType() != computeType)
        start = arith::ExtFOp::create(e.builder, e.loc, computeType, start);
      e.storeRegister(sums, index, start);
    });
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

private:
  /// The largest K slab whose two operands fit into the scratch area.
  LogicalResult chooseSlab() {
    int64_t lhsBytes = e.elementBytes(lhs.element), rhsBytes = e.elementBytes(rhs.element);
    slabK = k;
    while (slabK > 1 && batch * slabK * (m * lhsBytes + n * rhsBytes) > kMaxSharedBytes)
      slabK /= 2;
    rhsOffset = llvm::alignTo(batch * m * slabK * lhsBytes, 16);
    total = rhsOffset + batch * n * slabK * rhsBytes;
    if (total > kMaxSharedBytes)
      return op.emitOpError("needs ")
             << total << " bytes of shared memory, the limit is " << kMaxSharedBytes;
    return success();
  }

  Value widen(Value value, Type logical, bool isSigned) {
    if (logical.isF32() && TILESMITH_PLANT("dot-single-as-tf32")) {
      Value bits = arith::BitcastOp::create(e.builder, e.loc, e.builder.getI32Type(), value);
      bits = arith::AndIOp::create(e.builder, e.loc, bits, e.i32(~0x1fff));
      return arith::BitcastOp::create(e.builder, e.loc, computeType, bits);
    }
    if (isFloat)
      return e.convertFloat(value, logical, computeType);
    if ((isSigned && !TILESMITH_PLANT("dot-signed-bytes-as-unsigned")) ||
        TILESMITH_PLANT("dot-unsigned-bytes"))
      return arith::ExtSIOp::create(e.builder, e.loc, computeType, value);
    return arith::ExtUIOp::create(e.builder, e.loc, computeType, value);
  }

  /// Owners write the slab of an operand. The whole tile is [batch, rows, columns]; the slab keeps
  /// slabK of its K axis.
  void fill(const Tile &tile, int64_t offset, bool kLast, int64_t rows, int64_t columns,
            Value slab) {
    int64_t keptRows = kLast || TILESMITH_PLANT("dot-slab-batch-of-whole-depth") ? rows : slabK,
            keptColumns = kLast ? slabK : columns;
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
  }

  void multiplySlab(Value slab) {
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
      if (TILESMITH_PLANT("dot-right-of-first-batch"))
        rhsColumn = at[2];
      int64_t last = TILESMITH_PLANT("dot-k-short") && slabK > 2 ? slabK - 1 : slabK;
      SmallVector<Value> sum =
          e.forLoop(e.i32(0), e.i32(last), e.i32(1), {e.loadRegister(sums, index)},
                    [&](Value step, ValueRange carried) -> SmallVector<Value> {
                      return {multiplyAdd(lhsRow, rhsColumn, step, carried[0])};
                    });
      e.storeRegister(sums, index, sum[0]);
    });
  }

  /// One step along K.
  Value multiplyAdd(Value lhsRow, Value rhsColumn, Value step, Value sum) {
    Value a = e.load(e.elementPointer(e.scratch(0, total), lhs.element, e.add(lhsRow, step)),
                     lhs.element);
    Value rhsSlot = e.add(rhsColumn, e.mul(step, e.i32(n)));
    Value b =
        e.load(e.elementPointer(e.scratch(rhsOffset, total), rhs.element, rhsSlot), rhs.element);
    a = widen(a, lhsType.getElementType(), op.getSignedLhs());
    b = widen(b, rhsType.getElementType(), op.getSignedRhs());
    if (isFloat)
      return math::FmaOp::create(e.builder, e.loc, a, b, sum);
    return e.add(e.mul(a, b), sum);
  }

  Emitter &e;
  tileas::DotOp op;
  RankedTensorType lhsType, rhsType;
  Tile lhs, rhs, result, sums; ///< sums: of the compute type
  Type computeType;
  bool isFloat = false;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  int64_t slabK = 0, rhsOffset = 0, total = 0; ///< scratch: of lhs from 0, of rhs, its end
};

LogicalResult emitDot(Emitter &e, Operation *op) {
  auto dot = cast<tileas::DotOp>(op);
  if (dot.getAtom())
    return emitTensorCoreDot(e, op);
  return LoopDot(e, dot).run();
}

} // namespace

void tileas_to_nvgpu::registerDot(HandlerTable &table) {
  table.operations.add<tileas::DotOp>(emitDot);
}
