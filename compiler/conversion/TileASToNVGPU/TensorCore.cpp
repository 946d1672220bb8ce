//===- TensorCore.cpp - dot on mma.sync per thread --------------------------------------------===//
//
// A dot with an `atom` has the fragment layouts of MmaAtom.h: registers are ordered fragment bits,
// steps along K, then steps along N or M. The product is three nested register loops over (M step,
// N step, K step), each iteration one nvgpu.mma.sync whose operands are consecutive registers.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::thread;

namespace {

/// `rows` x `columns` consecutive registers from `first` as the 2-D vector that nvgpu.mma.sync
/// takes.
Value loadFragment(Emitter &e, const Tile &tile, Value first, int64_t rows, int64_t columns) {
  auto type = VectorType::get({rows, columns}, tile.element);
  auto row = VectorType::get({columns}, tile.element);
  Value fragment = arith::ConstantOp::create(e.builder, e.loc, e.builder.getZeroAttr(type));
  for (int64_t i = 0; i < rows; ++i) {
    Value pointer = e.elementPointer(tile.storage, tile.element, e.add(first, e.i32(i * columns)));
    Value part = e.load(pointer, row);
    fragment = vector::InsertOp::create(e.builder, e.loc, part, fragment, ArrayRef<int64_t>{i});
  }
  return fragment;
}

void storeFragment(Emitter &e, Value fragment, const Tile &tile, Value first) {
  auto type = cast<VectorType>(fragment.getType());
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  for (int64_t i = 0; i < rows; ++i) {
    int64_t from = TILESMITH_PLANT("mma-fragment-rows-swapped") ? rows - 1 - i : i;
    Value part = vector::ExtractOp::create(e.builder, e.loc, fragment, ArrayRef<int64_t>{from});
    e.store(part, e.elementPointer(tile.storage, tile.element, e.add(first, e.i32(i * columns))));
  }
}

} // namespace

LogicalResult thread::emitTensorCoreDot(Emitter &e, Operation *op) {
  auto dot = cast<tileas::DotOp>(op);
  const tileas::MmaAtom *atom = tileas::findMmaAtom(*dot.getAtom());
  if (!atom)
    return op->emitOpError("expected a known tensor-core atom, got '") << *dot.getAtom() << "'";
  Tile lhs = e.tile(dot.getLhs()), rhs = e.tile(dot.getRhs()), acc = e.tile(dot.getAcc());
  Tile result = e.makeTile(dot.getResult());
  e.setTile(dot.getResult(), result);

  // Registers of one fragment, and how many steps of each kind follow.
  int64_t lhsSize = int64_t(1) << atom->lhs.registers.size(),
          rhsSize = int64_t(1) << atom->rhs.registers.size();
  int64_t accSize = int64_t(1) << atom->acc.registers.size();
  int64_t kSteps = lhs.layout.getShape()[1] / atom->k;
  int64_t mSteps = lhs.layout.getNumRegisters() / lhsSize / kSteps;
  int64_t nSteps = rhs.layout.getNumRegisters() / rhsSize / kSteps;
  // 32-bit words of a fragment row: two f16, four i8, one f32 or f64.
  int64_t bits = e.elementBytes(lhs.element) * 8, packed = bits >= 32 ? 1 : 32 / bits;
  bool isTF32 = isa<FloatTF32Type>(cast<RankedTensorType>(dot.getLhs().getType()).getElementType());
  int64_t accRows = accSize / 2;

  e.forLoop(mSteps, [&](Value mStep) {
    e.forLoop(nSteps, [&](Value nStep) {
      Value accFirst = e.mul(e.add(e.mul(mStep, e.i32(nSteps)), nStep), e.i32(accSize));
      Value sum = loadFragment(e, acc, accFirst, accRows, 2);
      auto multiply = [&](Value kStep, Value carried) -> Value {
        Value lhsFirst = e.mul(e.add(e.mul(mStep, e.i32(kSteps)), kStep), e.i32(lhsSize));
        Value rhsFirst = e.mul(e.add(e.mul(nStep, e.i32(kSteps)), kStep), e.i32(rhsSize));
        Value a = loadFragment(e, lhs, lhsFirst, lhsSize / packed, packed);
        Value b = loadFragment(e, rhs, rhsFirst, rhsSize / packed, packed);
        return nvgpu::MmaSyncOp::create(e.builder, e.loc, a, b, carried,
                                        ArrayRef<int64_t>{atom->m, atom->n, atom->k}, isTF32);
      };
      SmallVector<Value> sums = e.forLoop(
          e.i32(0), e.i32(TILESMITH_PLANT("mma-drops-k-step") && kSteps > 1 ? kSteps - 1 : kSteps),
          e.i32(1), {sum}, [&](Value kStep, ValueRange carried) {
            return SmallVector<Value>{multiply(kStep, carried[0])};
          });
      storeFragment(e, sums[0], result, accFirst);
    });
  });
  return success();
}
