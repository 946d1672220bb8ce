//===- TensorCore.cpp - dot on mma.sync per thread --------------------------------------------===//
//
// A dot with an `atom` has the fragment layouts of MmaAtom.h: registers are ordered fragment bits,
// steps along K, then steps along N or M. The product is three nested register loops over (K step,
// M step, N step), each iteration one nvgpu.mma.sync whose operands are consecutive registers. K is
// outermost so that operands in shared memory (Exchange.h) occupy registers for one step only; those whose
// fragments are few are read at once, by ldmatrix. Of several batches a thread goes through the rows of one
// after the other, and right operands follow each other in the same order.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

/// `rows` x `columns` consecutive registers from `first` as the 2-D vector that nvgpu.mma.sync
/// takes.
Value loadFragment(Emitter &e, const Tile &tile, Value first, int64_t rows, int64_t columns) {
  auto type = VectorType::get({rows, columns}, tile.element);
  auto row = VectorType::get({columns}, tile.element);
  Value fragment = arith::ConstantOp::create(e.builder, e.loc, e.builder.getZeroAttr(type));
  for (int64_t i = 0; i < rows; ++i) {
    Value pointer = e.elementPointer(
        tile.storage, tile.element,
        e.add(first, e.i32((TILESMITH_PLANT("mma-fragment-rows-of-operand") ? rows - 1 - i : i) *
                           columns)));
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

/// Scales of one operand, which the lanes of a group of four hold for several steps along M (N). An
/// instruction reads a word of some lanes, and two numbers say of which and where in the word it begins.
class Scales {
public:
  Scales(Emitter &e, Value value, tileas::DotOperand side, const tileas::MmaAtom &atom,
         int64_t steps)
      : e(e), tile(e.tile(value)), perStep(atom.scales()),
        laneSteps(tileas::scaleStepsOfLanes(side, steps)) {
    ArrayRef<int64_t> shape = tileas::getLayout(value.getType()).getShape();
    blocks = shape[side == tileas::DotOperand::Lhs ? 1 : 0];
  }

  /// The word for a step along K and one along M (N), the number of its first byte and that of its lanes.
  void append(SmallVectorImpl<Value> &arguments, Value kStep, Value step) {
    if (TILESMITH_PLANT("block-scale-steps-reversed"))
      kStep = arith::SubIOp::create(e.builder, e.loc, e.i32(blocks / perStep - 1), kStep);
    Value block = e.mul(kStep, e.i32(perStep)),
          first = e.mul(divided(step, laneSteps), e.i32(blocks));
    if (blocks > kWord && !TILESMITH_PLANT("block-scale-word-kept"))
      first = e.add(first, e.mul(divided(block, kWord), e.i32(kWord)));
    const int64_t bytes = std::min(blocks, kWord);
    Value word = e.load(e.elementPointer(tile.storage, tile.element, first),
                        VectorType::get({bytes}, tile.element));
    Type narrow = e.builder.getIntegerType(8 * bytes), whole = e.builder.getI32Type();
    word = LLVM::BitcastOp::create(e.builder, e.loc, narrow, word);
    if (narrow != whole)
      word = arith::ExtUIOp::create(e.builder, e.loc, whole, word);
    Value byte = TILESMITH_PLANT("block-scale-byte-kept") ? e.i32(0) : remainder(block, kWord);
    Value lanes = TILESMITH_PLANT("block-scale-lanes-kept") ? e.i32(0) : remainder(step, laneSteps);
    arguments.append({word, selector(byte), selector(lanes)});
  }

private:
  static constexpr int64_t kWord = 4;

  // Powers of two.
  Value divided(Value number, int64_t by) {
    return arith::ShRUIOp::create(e.builder, e.loc, number, e.i32(llvm::Log2_64(by)));
  }
  Value remainder(Value number, int64_t by) {
    return arith::AndIOp::create(e.builder, e.loc, number, e.i32(by - 1));
  }
  Value selector(Value number) {
    return arith::TruncIOp::create(e.builder, e.loc, e.builder.getI16Type(), number);
  }

  Emitter &e;
  Tile tile;
  int64_t blocks; ///< of a row (column)
  int64_t perStep, laneSteps;
};

/// An instruction whose types nvgpu.mma.sync cannot tell: 32-bit words of bytes, four sums, and what says the
/// scales.
Value multiplyBytes(Emitter &e, const tileas::MmaAtom &atom, Value a, Value b, Value sum,
                    ArrayRef<Value> scales) {
  OpBuilder &builder = e.builder;
  auto type = cast<VectorType>(sum.getType());
  Type element = type.getElementType();
  SmallVector<Value> arguments;
  for (Value operand : {a, b})
    for (int64_t i = 0; i < cast<VectorType>(operand.getType()).getDimSize(0); ++i) {
      Value row = vector::ExtractOp::create(builder, e.loc, operand, ArrayRef<int64_t>{i});
      arguments.push_back(LLVM::BitcastOp::create(builder, e.loc, builder.getI32Type(), row));
    }
  for (int64_t i = 0; i < 4; ++i)
    arguments.push_back(
        vector::ExtractOp::create(builder, e.loc, sum, ArrayRef<int64_t>{i / 2, i % 2}));
  arguments.append(scales.begin(), scales.end());
  auto results =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(4, element));
  const StringRef family =
      atom.isScaled() ? "llvm.nvvm.mma.block.scale." : "llvm.nvvm.mma.m16n8k32.row.col.";
  std::string name = (family + atom.types).str();
  Value products =
      LLVM::CallIntrinsicOp::create(builder, e.loc, results, builder.getStringAttr(name), arguments)
          .getResult(0);
  Value result = arith::ConstantOp::create(builder, e.loc, builder.getZeroAttr(type));
  for (int64_t i = 0; i < 4; ++i)
    result = vector::InsertOp::create(
        builder, e.loc, LLVM::ExtractValueOp::create(builder, e.loc, products, i).getResult(),
        result, ArrayRef<int64_t>{i / 2, i % 2});
  return result;
}

/// Words of fragments of an operand that a thread may hold beside the sums.
constexpr int64_t kMostWords = 32;

/// One operand of the product: a tile in registers, or one in shared memory whose conversion to
/// fragments was left to the dot.
struct Operand {
  Operand(Emitter &e, Value value) {
    auto convert = value.getDefiningOp<tileas::ConvertLayoutOp>();
    layout = tileas::getLayout(value.getType());
    if (!convert || getExchange(convert) != tileas::Exchange::operand) {
      registers = e.tile(value);
      return;
    }
    registers = e.tile(convert.getSource());
    shared.element = registers.element;
    shared.bytes = e.elementBytes(registers.element);
    if (layout.getNumRegisters() * shared.bytes <= 4 * kMostWords &&
        isa<FloatType>(cast<RankedTensorType>(value.getType()).getElementType()))
      matrices = tileas::planMatrixExchange(registers.layout, layout, shared.bytes);
    shared.layout =
        matrices ? matrices->shared.toLinear()
                 : searchSharedLayout(registers.layout.toLinear(), layout.toLinear(), shared.bytes);
    inShared = true;
  }

  /// Reads all fragments at once, by matrices, where they fit into registers.
  void readMatrices(Emitter &e, Value value) {
    if (!matrices)
      return;
    registers = e.makeTile(value);
    emitLdMatrix(e, registers, shared.base, matrices->offsets, registers.element, matrices->read);
    inShared = false;
  }

  int64_t sharedBytes() const {
    return inShared ? shared.bytes * registers.layout.getNumElements() : 0;
  }

  Value fragment(Emitter &e, Value first, int64_t rows, int64_t columns) {
    if (!inShared)
      return loadFragment(e, registers, first, rows, columns);
    SharedSide side(e, layout, shared);
    auto type = VectorType::get({rows, columns}, shared.element);
    auto row = VectorType::get({columns}, shared.element);
    bool consecutive = columns > 1 && int64_t(side.members().size()) >= columns;
    for (int64_t i = 0; consecutive && i < columns; ++i)
      consecutive = side.members()[i] == i;
    Value fragment = arith::ConstantOp::create(e.builder, e.loc, e.builder.getZeroAttr(type));
    for (int64_t i = 0; i < rows; ++i) {
      Value start = e.add(first, e.i32(i * columns)), part;
      auto at = [&](Value reg) { return side.pointer(reg); };
      if (consecutive) {
        part = LLVM::LoadOp::create(e.builder, e.loc, row, at(start), columns * shared.bytes);
      } else {
        part = LLVM::PoisonOp::create(e.builder, e.loc, row);
        for (int64_t j = 0; j < columns; ++j)
          part = LLVM::InsertElementOp::create(
              e.builder, e.loc, part, e.load(at(e.add(start, e.i32(j))), shared.element), e.i32(j));
      }
      fragment = vector::InsertOp::create(e.builder, e.loc, part, fragment, ArrayRef<int64_t>{i});
    }
    return fragment;
  }

  Tile registers; ///< the operand itself, or what is written to shared memory
  tileas::LayoutAttr layout;
  SharedTile shared;
  std::optional<tileas::MatrixExchange> matrices;
  bool inShared = false;
};

/// Brings the operands that wait for it to shared memory.
void shareOperands(Emitter &e, MutableArrayRef<Operand> operands) {
  int64_t total = 0;
  for (const Operand &operand : operands)
    total += operand.sharedBytes();
  if (!total)
    return;
  int64_t offset = e.nextPlace(total), end = offset + total;
  e.barrier();
  for (Operand &operand : operands) {
    if (!operand.inShared)
      continue;
    operand.shared.base = e.scratch(offset, end);
    offset += operand.sharedBytes();
    writeShared(e, operand.registers, operand.shared);
  }
  if (!TILESMITH_PLANT("barrier-dropped-in-convert-layout"))
    e.barrier();
}

} // namespace

LogicalResult tileas_to_nvgpu::emitTensorCoreDot(Emitter &e, Operation *op) {
  auto dot = cast<tileas::DotOp>(op);
  if (tileas::findWarpgroupAtom(*dot.getAtom()))
    return emitWarpgroupDot(e, op);
  const tileas::MmaAtom *atom = tileas::findMmaAtom(*dot.getAtom());
  if (!atom)
    return op->emitOpError("expected a known tensor-core atom, got '") << *dot.getAtom() << "'";
  Operand operands[] = {Operand(e, dot.getLhs()), Operand(e, dot.getRhs())};
  Operand &lhs = operands[0], &rhs = operands[1];
  Tile acc = e.tile(dot.getAcc()), result = e.makeTile(dot.getResult());
  e.setTile(dot.getResult(), result);
  shareOperands(e, operands);
  lhs.readMatrices(e, dot.getLhs());
  rhs.readMatrices(e, dot.getRhs());
  e.copyTile(acc, result);

  // Registers of one fragment, and how many steps of each kind follow.
  int64_t lhsSize = int64_t(1) << atom->lhs.registers.size(),
          rhsSize = int64_t(1) << atom->rhs.registers.size();
  int64_t accSize = int64_t(1) << atom->acc.registers.size();
  int64_t kSteps = lhs.layout.getShape().back() / atom->k;
  int64_t mSteps = lhs.layout.getNumRegisters() / lhsSize / kSteps;
  int64_t nSteps = tileas::getLayout(dot.getAcc().getType()).getNumRegisters() / accSize / mSteps;
  // A thread holds the right operands of one batch after the other.
  int64_t batches = rhs.layout.getNumRegisters() / rhsSize / kSteps / nSteps;
  // 32-bit words of a fragment row: two f16, four i8, one f32 or f64.
  int64_t bits = e.elementBytes(lhs.registers.element) * 8, packed = bits >= 32 ? 1 : 32 / bits;
  bool isTF32 = isa<FloatTF32Type>(cast<RankedTensorType>(dot.getLhs().getType()).getElementType());
  int64_t accRows = accSize / 2;

  std::optional<Scales> lhsScales, rhsScales;
  if (atom->isScaled()) {
    lhsScales.emplace(e, dot.getScales()[0], tileas::DotOperand::Lhs, *atom, mSteps);
    rhsScales.emplace(e, dot.getScales()[1], tileas::DotOperand::Rhs, *atom, nSteps);
  }

  int64_t lastStep = TILESMITH_PLANT("mma-drops-k-step") && kSteps > 1 ? kSteps - 1 : kSteps;
  e.forLoop(lastStep, [&](Value kStep) {
    e.forLoop(mSteps, [&](Value mStep) {
      int64_t rowSteps = TILESMITH_PLANT("mma-left-rows-one-step-apart") ? 1 : kSteps;
      Value lhsFirst = e.mul(e.add(e.mul(mStep, e.i32(rowSteps)), kStep), e.i32(lhsSize));
      Value a = lhs.fragment(e, lhsFirst, lhsSize / packed, packed);
      e.forLoop(nSteps, [&](Value nStep) {
        Value column = nStep;
        if (nSteps > 1 && kSteps == 1 && TILESMITH_PLANT("mma-n-step-reused"))
          column = arith::AndIOp::create(e.builder, e.loc, nStep, e.i32(~1));
        if (batches > 1 && TILESMITH_PLANT("mma-batches-in-turns"))
          column =
              e.add(column, e.mul(arith::RemUIOp::create(e.builder, e.loc, mStep, e.i32(batches)),
                                  e.i32(nSteps)));
        else if (batches > 1 && !TILESMITH_PLANT("mma-first-batch-again"))
          column =
              e.add(column,
                    e.mul(arith::DivUIOp::create(e.builder, e.loc, mStep, e.i32(mSteps / batches)),
                          e.i32(nSteps)));
        Value rhsFirst = e.mul(e.add(e.mul(column, e.i32(kSteps)), kStep), e.i32(rhsSize));
        Value b = rhs.fragment(e, rhsFirst, rhsSize / packed, packed);
        Value accFirst = e.mul(e.add(e.mul(mStep, e.i32(nSteps)), nStep), e.i32(accSize));
        Value sum = loadFragment(e, result, accFirst, accRows, 2);
        if (atom->types.empty())
          sum = nvgpu::MmaSyncOp::create(e.builder, e.loc, a, b, sum,
                                         ArrayRef<int64_t>{atom->m, atom->n, atom->k}, isTF32);
        else {
          SmallVector<Value> scales;
          if (lhsScales) {
            lhsScales->append(scales, kStep, mStep);
            if (TILESMITH_PLANT("block-scale-left-for-right"))
              lhsScales->append(scales, kStep, mStep);
            else
              rhsScales->append(scales, kStep, nStep);
          }
          sum = multiplyBytes(e, *atom, a, b, sum, scales);
        }
        storeFragment(e, sum, result, accFirst);
      });
    });
  });
  return success();
}
