//===- Wgmma.cpp - dot on warpgroup products per thread ---------------------------------------===//
//
// The operands are slots of a pipeline in the layout that WarpgroupAtom.h describes, or tiles: the
// left one in `warpgroupLhsLayout` (with `pairedRows` where the result has them) stays in registers, the right one of any layout is written to
// the scratch area first. The result has `warpgroupLayout`. All instructions of one product go out
// between one fence and one commit, then everybody waits for all of them: when the operation ends,
// the slots may be overwritten.
//
// The accumulators pass through an empty assembly statement behind the wait, so that nothing that
// uses them can be scheduled before it; what is computed for the product passes through one in
// front of the fence.
//
// A product that is marked `in_flight` waits for the one of the iteration before only: its loop
// carries the sums in registers that nothing touches, and waits for the last one behind it. The
// pipeline gives its stages back one iteration later.
//
// A descriptor is a constant plus the address in units of 16 bytes; steps add to the address.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::WarpgroupAtom;
using tileas::WarpgroupOperand;
using tileas::WarpgroupShape;

namespace {

/// One operand: where element (row or column `outer`, depth `k`) begins, before the swizzle.
struct Operand {
  const WarpgroupAtom &atom;
  WarpgroupOperand form;
  unsigned outerDim; ///< 0 for the left operand, 1 for the right one
  Value base;        ///< descriptor of element (0, 0), with this group's rows or columns

  bool isKMajor() const { return form.contiguous != outerDim; }
  int64_t byteOffset(int64_t outer, int64_t k) const {
    int64_t along = (isKMajor() ? k : outer) * atom.elementBytes, across = isKMajor() ? outer : k;
    return along / form.width * form.panelBytes() + across * form.width + along % form.width;
  }
  uint64_t fixedBits() const {
    uint64_t mode = form.width == 128 ? 1 : form.width == 64 ? 2 : 3;
    uint64_t leading = isKMajor() || TILESMITH_PLANT("wgmma-panels-left-out")
                           ? 1
                           : form.panelBytes() >> 4,
             stride = 8 * (TILESMITH_PLANT("wgmma-stride-of-widest") ? 128 : form.width) >> 4;
    return mode << 62 | stride << 32 | leading << 16;
  }
};

/// The warp's number as its first lane has it. Descriptors live in uniform registers: of bits that LLVM takes out of the
/// thread's number ptxas does not see that a warp shares them, and moves a descriptor there for every product.
Value sharedWarpIndex(Emitter &e) {
  Value warp = e.warpIndex();
  for (Operation *user : warp.getUsers())
    if (auto shuffle = dyn_cast<gpu::ShuffleOp>(user); shuffle && shuffle.getValue() == warp)
      return shuffle.getShuffleResult();
  OpBuilder::InsertionGuard guard(e.builder);
  e.builder.setInsertionPointAfterValue(warp);
  return gpu::ShuffleOp::create(e.builder, e.loc, warp, e.i32(0), e.i32(32), gpu::ShuffleMode::IDX)
      .getShuffleResult();
}

/// The operand at `units` (see Emitter::slotUnits) in the layout of a buffer.
Operand makeOperand(Emitter &e, const WarpgroupAtom &atom, Value units,
                    tileas::SharedLayoutAttr layout, unsigned outerDim,
                    ArrayRef<int64_t> groupStarts) {
  Operand operand{
      atom, *tileas::recogniseWarpgroupOperand(layout, atom.elementBytes), outerDim, {}};
  SmallVector<int64_t> groupUnits{0, 0}; // bits of the warp inside its group
  for (int64_t start : groupStarts)
    groupUnits.push_back(start ? operand.byteOffset(start, 0) / kDescriptorUnit : 0);
  if (groupStarts.size())
    units = e.add(units, e.linear(sharedWarpIndex(e), groupUnits));
  operand.base = e.descriptor(units, operand.fixedBits());
  return operand;
}

/// Of the left and the right operand, as the instruction spells them.
std::pair<StringRef, StringRef> operandTypes(const WarpgroupAtom &atom) {
  StringRef name = atom.name;
  name.consume_front("wgmma.");
  name = name.split('.').first;
  if (name == "s8u8" || name == "u8s8")
    return {name.take_front(2), name.drop_front(2)};
  return {name, name};
}

/// The registers of one instruction's accumulator; two f16 share a register.
struct Accumulator {
  Emitter &e;
  Type element;
  int64_t elements;

  int64_t perRegister() const { return element.isF16() ? 2 : 1; }
  LLVM::LLVMStructType type() const {
    Type held = element.isF16() ? e.builder.getI32Type() : element;
    return LLVM::LLVMStructType::getLiteral(e.builder.getContext(),
                                            SmallVector<Type>(elements / perRegister(), held));
  }
  Value zero() const {
    Value sum = LLVM::PoisonOp::create(e.builder, e.loc, type());
    Type held = type().getBody().front();
    Value null = LLVM::ConstantOp::create(e.builder, e.loc, held, e.builder.getZeroAttr(held));
    for (int64_t i = 0; i < elements / perRegister(); ++i)
      sum = LLVM::InsertValueOp::create(e.builder, e.loc, sum, null, i);
    return sum;
  }
  Value load(const Tile &tile, int64_t first) const {
    OpBuilder &b = e.builder;
    Value sum = LLVM::PoisonOp::create(b, e.loc, type());
    for (int64_t i = 0; i < elements; i += perRegister()) {
      Value held = e.loadRegister(tile, e.i32(first + i));
      if (element.isF16()) {
        Value pair = LLVM::PoisonOp::create(b, e.loc, VectorType::get({2}, element));
        pair = LLVM::InsertElementOp::create(b, e.loc, pair, held, e.i32(0));
        pair = LLVM::InsertElementOp::create(b, e.loc, pair,
                                             e.loadRegister(tile, e.i32(first + i + 1)), e.i32(1));
        held = LLVM::BitcastOp::create(b, e.loc, b.getI32Type(), pair);
      }
      sum = LLVM::InsertValueOp::create(b, e.loc, sum, held, i / perRegister());
    }
    return sum;
  }
  SmallVector<Value> unpack(Value sum) const {
    OpBuilder &b = e.builder;
    SmallVector<Value> values;
    for (int64_t i = 0; i < elements / perRegister(); ++i) {
      Value held = LLVM::ExtractValueOp::create(b, e.loc, sum, i);
      if (!element.isF16()) {
        values.push_back(held);
        continue;
      }
      Value pair = LLVM::BitcastOp::create(b, e.loc, VectorType::get({2}, element), held);
      for (int64_t half : {0, 1})
        values.push_back(LLVM::ExtractElementOp::create(
            b, e.loc, pair, e.i32(TILESMITH_PLANT("wgmma-half-sums-swapped") ? 1 - half : half)));
    }
    return values;
  }
};

/// A tile that was written to shared memory for the product.
struct Staged {
  Value units; ///< its address (see Emitter::slotUnits)
  DenseI64ArrayAttr reach;
};

Staged stage(Emitter &e, const Tile &tile, tileas::SharedLayoutAttr layout, int64_t elementBytes) {
  const int64_t bytes = layout.toLinear().getNumElements() * elementBytes;
  const int64_t place = e.nextPlace(bytes, kBufferAlignment);
  SharedTile shared{e.scratch(place, place + bytes), tile.element, elementBytes, layout.toLinear()};
  e.barrier(); // everybody has read what lay there
  writeShared(e, tile, shared);
  if (!TILESMITH_PLANT("wgmma-staging-fence-dropped"))
    fenceAsyncProxy(e);
  e.barrier();
  Value address = LLVM::PtrToIntOp::create(e.builder, e.loc, e.builder.getI32Type(), shared.base);
  return {e.addressUnits(address), nvgpu_ext::getReachFrom(shared.base)};
}

/// Values of the struct, which nothing moves before earlier side effects.
Value pin(Emitter &e, Value registers) {
  auto type = cast<LLVM::LLVMStructType>(registers.getType());
  std::string outputs, inputs;
  SmallVector<Value> values;
  for (auto [index, element] : llvm::enumerate(type.getBody())) {
    outputs += element.isF32() ? "=f," : "=r,";
    inputs += std::to_string(index) + ",";
    values.push_back(LLVM::ExtractValueOp::create(e.builder, e.loc, registers, index));
  }
  inputs.pop_back();
  return LLVM::InlineAsmOp::create(e.builder, e.loc, type, values, "", outputs + inputs,
                                   /*has_side_effects=*/true, /*is_align_stack=*/false,
                                   LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
                                   /*operand_attrs=*/{})
      .getRes();
}

/// The left operand's fragments in registers: four words per instruction.
struct Fragments {
  Emitter &e;
  SmallVector<Value> words;

  Fragments(Emitter &e, const Tile &tile, int64_t elementBytes) : e(e) {
    OpBuilder &b = e.builder;
    int64_t packed = 4 / elementBytes, count = tile.layout.getNumRegisters() / packed;
    // Pairs stay pairs up to the assembly: of words LLVM would make shifts of single halves.
    Type type = packed == 1 ? tile.element : VectorType::get({packed}, tile.element);
    Type word = packed == 2 ? type : b.getI32Type();
    Value held = LLVM::PoisonOp::create(
        b, e.loc, LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(count, word)));
    for (int64_t i = 0; i < count; ++i) {
      // Of each instruction: rows 0 and 8 of the first half of K, then of the second.
      int64_t from = TILESMITH_PLANT("wgmma-fragment-halves-swapped") && i % 4 % 3 ? i ^ 3 : i;
      Value loaded =
          e.load(e.elementPointer(tile.storage, tile.element, e.i32(from * packed)), type);
      if (type != word)
        loaded = LLVM::BitcastOp::create(b, e.loc, word, loaded);
      held = LLVM::InsertValueOp::create(b, e.loc, held, loaded, i);
    }
    held = pin(e, held);
    for (int64_t i = 0; i < count; ++i)
      words.push_back(LLVM::BitcastOp::create(b, e.loc, b.getI32Type(),
                                              LLVM::ExtractValueOp::create(b, e.loc, held, i)));
  }
};

/// What one product needs to know of its types.
struct ProductForm {
  const WarpgroupAtom *atom = nullptr;
  WarpgroupShape shape;
  int64_t depth = 0;                  ///< along K
  tileas::SharedLayoutAttr lhsLayout; ///< null: in registers
  tileas::SharedLayoutAttr rhsLayout; ///< of its slot, or of the scratch area
  bool stagesRhs = false;
};

FailureOr<ProductForm> formOf(tileas::DotOp dot, unsigned numWarps) {
  ProductForm form;
  form.atom = tileas::findWarpgroupAtom(*dot.getAtom());
  auto accType = cast<RankedTensorType>(dot.getAcc().getType());
  auto lhsType = cast<RankedTensorType>(dot.getLhs().getType()),
       rhsType = cast<RankedTensorType>(dot.getRhs().getType());
  form.depth = lhsType.getDimSize(1);
  MLIRContext *context = dot.getContext();
  std::optional<WarpgroupShape> shape =
      tileas::warpgroupShape(accType.getDimSize(0), accType.getDimSize(1), numWarps);
  tileas::LayoutAttr sums, held = tileas::getLayout(accType);
  if (shape)
    sums = tileas::warpgroupLayout(context, *shape);
  const bool pairs = shape && held != sums && !tileas::getSharedLayout(lhsType) &&
                     held == tileas::pairedRows(sums);
  if (!shape || (held != sums && !pairs))
    return dot.emitOpError("expected the layout of a warpgroup product, got ") << accType;
  form.shape = *shape;
  int64_t bytes = form.atom->elementBytes;
  form.lhsLayout = tileas::getSharedLayout(lhsType);
  form.rhsLayout = tileas::getSharedLayout(rhsType);
  form.stagesRhs = !form.rhsLayout;
  if (form.stagesRhs)
    form.rhsLayout = tileas::warpgroupStaging(rhsType, bytes).value_or(nullptr);
  if (!form.rhsLayout || !tileas::recogniseWarpgroupOperand(form.rhsLayout, bytes))
    return dot.emitOpError("expected operands that a warpgroup product can read, got ") << rhsType;
  tileas::LayoutAttr fragments =
      tileas::warpgroupLhsLayout(context, tileas::fragmentsOf(*form.atom), *shape, form.depth);
  if (pairs && !TILESMITH_PLANT("wgmma-rows-paired-in-sums-alone"))
    fragments = tileas::pairedRows(fragments);
  if (form.lhsLayout ? !tileas::recogniseWarpgroupOperand(form.lhsLayout, bytes)
                     : tileas::getLayout(lhsType) != fragments)
    return dot.emitOpError("expected operands that a warpgroup product can read, got ") << lhsType;
  return form;
}

/// f16 sums go around a loop as single halves. Where ptxas (13.0 to 13.5, -O2 and -O3) unrolls such a
/// loop, it drops the products of one of the turns: the loop asks for staying rolled.
void keepLoopRolled(Emitter &e) {
  auto loop = dyn_cast<scf::ForOp>(e.builder.getInsertionBlock()->getParentOp());
  if (!loop || TILESMITH_PLANT("wgmma-half-sums-unrolled"))
    return;
  e.keepRolled(loop);
}

} // namespace

/// Whether a product of the function is under way while others begin.
static bool anyInFlight(tileas::DotOp dot) {
  auto marked = tileas::annotations(dot).getInFlightAttrHelper();
  return dot->getParentOfType<tileaa::FuncOp>()
      ->walk([&](tileas::DotOp other) {
        return marked.isAttrPresent(other) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The registers of each instruction's sums of this product.
static std::pair<Accumulator, int64_t> accumulatorOf(Emitter &e, tileas::DotOp dot) {
  auto type = cast<RankedTensorType>(dot.getAcc().getType());
  WarpgroupShape shape =
      *tileas::warpgroupShape(type.getDimSize(0), type.getDimSize(1), e.numWarps);
  return {Accumulator{e, e.elementType(type.getElementType()), shape.instructionN / 2},
          shape.stepsM() * shape.stepsN()};
}

std::optional<SumsInFlight> tileas_to_nvgpu::sumsInFlight(scf::ForOp loop) {
  std::optional<SumsInFlight> found;
  for (Operation &op : *loop.getBody())
    if (auto read = dyn_cast<tileas::ConsumerReadOp>(op))
      for (auto dot : read.getBody().getOps<tileas::DotOp>())
        if (tileas::annotations(dot).getInFlightAttrHelper().isAttrPresent(dot))
          if (auto carried = dyn_cast<BlockArgument>(dot.getAcc()))
            found = {carried.getArgNumber() - loop.getNumInductionVars(), dot};
  return found;
}

SmallVector<Value> tileas_to_nvgpu::loadSums(Emitter &e, tileas::DotOp dot, const Tile &tile) {
  auto [accumulator, tiles] = accumulatorOf(e, dot);
  SmallVector<Value> sums;
  for (int64_t i = 0; i < tiles; ++i)
    sums.push_back(accumulator.load(tile, i * accumulator.elements));
  return sums;
}

void tileas_to_nvgpu::storeSums(Emitter &e, tileas::DotOp dot, ValueRange sums, const Tile &tile) {
  if (!TILESMITH_PLANT("wgmma-last-wait-dropped"))
    NVVM::WgmmaWaitGroupSyncOp::create(e.builder, e.loc, 0);
  auto [accumulator, tiles] = accumulatorOf(e, dot);
  for (int64_t i = 0; i < tiles; ++i)
    for (auto [at, value] : llvm::enumerate(accumulator.unpack(pin(e, sums[i]))))
      e.storeRegister(tile, e.i32(i * accumulator.elements + int64_t(at)), value);
}

LogicalResult tileas_to_nvgpu::emitWarpgroupDot(Emitter &e, Operation *op) {
  auto dot = cast<tileas::DotOp>(op);
  FailureOr<ProductForm> form = formOf(dot, e.numWarps);
  if (failed(form))
    return failure();
  auto [atom, shape, depth, lhsLayout, rhsLayout, stagesRhs] = *form;

  OpBuilder &b = e.builder;
  bool fromZero = dot.getFromZero(), promotes = !fromZero && tileas::promotesSums(*atom, dot);
  bool goesOn = tileas::annotations(dot).getInFlightAttrHelper().isAttrPresent(dot);
  Tile acc, result;
  if (!goesOn) {
    acc = e.tile(dot.getAcc());
    result = e.makeTile(dot.getResult());
    e.setTile(dot.getResult(), result);
  }
  SmallVector<int64_t> rowStarts, columnStarts; // per bit of the group
  for (int64_t group = 1; group < shape.groupsM; group *= 2) {
    rowStarts.push_back(64 * group);
    columnStarts.push_back(0);
  }
  for (int64_t group = 1; group < shape.groupsN; group *= 2) {
    rowStarts.push_back(0);
    columnStarts.push_back(
        TILESMITH_PLANT("wgmma-columns-of-first-group") ? 0 : shape.columns() * group);
  }
  const Staged right = stagesRhs ? stage(e, e.tile(dot.getRhs()), rhsLayout, atom->elementBytes)
                                 : Staged{e.slotUnits(dot.getRhs()), {}};
  Operand rhs = makeOperand(e, *atom, right.units, rhsLayout, 1, columnStarts);
  std::optional<Operand> lhs;
  std::optional<Fragments> fragments;
  if (lhsLayout)
    lhs.emplace(makeOperand(e, *atom, e.slotUnits(dot.getLhs()), lhsLayout, 0, rowStarts));
  else
    fragments.emplace(e, e.tile(dot.getLhs()), atom->elementBytes);
  auto descriptor = [&](const Operand &operand, int64_t outer, int64_t k) -> Value {
    int64_t bytes = operand.byteOffset(outer, k);
    return bytes ? e.add(operand.base, e.i64(bytes >> 4)) : operand.base;
  };

  auto [accumulator, tiles] = accumulatorOf(e, dot);
  int64_t registers = accumulator.elements;
  Type type = accumulator.type();
  if (!goesOn && accumulator.element.isF16())
    keepLoopRolled(e);
  SmallVector<Value> sums;
  if (goesOn)
    sums = e.inFlight.lookup(dot.getAcc());
  for (int64_t tile = 0; tile < tiles && !goesOn; ++tile)
    sums.push_back(promotes || fromZero || TILESMITH_PLANT("wgmma-sums-begin-at-zero")
                       ? accumulator.zero()
                       : accumulator.load(acc, tile * registers));
  if (!isa<BlockArgument>(dot.getAcc()) && !promotes && !fromZero)
    for (Value &sum : sums)
      sum = pin(e, sum);
  if (!TILESMITH_PLANT("wgmma-fence-dropped"))
    NVVM::WgmmaFenceAlignedOp::create(b, e.loc);
  // When others may write what this product reads, gpu-remove-barriers asks. Another one in flight may end at this wait.
  const DenseI64ArrayAttr reach = lhsLayout || anyInFlight(dot) ? DenseI64ArrayAttr() : right.reach;
  auto [lhsName, rhsName] = operandTypes(*atom);
  StringRef sumName = accumulator.element.isF32()   ? "f32"
                      : accumulator.element.isF16() ? "f16"
                                                    : "s32";
  for (int64_t k = 0; k < depth; k += atom->k)
    for (int64_t row = 0; row < shape.stepsM(); ++row)
      for (int64_t column = 0; column < shape.stepsN(); ++column) {
        Value &sum = sums[row * shape.stepsN() + column];
        SmallVector<Value> left;
        if (fragments)
          llvm::append_range(
              left, ArrayRef(fragments->words)
                        .slice(4 * (row * (depth / (TILESMITH_PLANT("wgmma-fragment-rows-of-halves")
                                                        ? std::max<int64_t>(atom->k, 16)
                                                        : atom->k)) +
                                    k / atom->k),
                               4));
        else
          left.push_back(descriptor(
              *lhs, row * 64 * (TILESMITH_PLANT("wgmma-row-steps-together") ? 1 : shape.groupsM),
              k));
        bool overwrites =
            (promotes || fromZero) && (k == 0 || TILESMITH_PLANT("wgmma-steps-overwrite"));
        auto product = nvgpu_ext::WarpgroupMmaAsyncOp::create(
            b, e.loc, type, sum, left, descriptor(rhs, column * shape.instructionN, k),
            shape.instructionN, atom->k, lhsName, rhsName, sumName, lhs && !lhs->isKMajor(),
            lhs && TILESMITH_PLANT("wgmma-right-major-of-left") ? !lhs->isKMajor()
                                                                : !rhs.isKMajor(),
            overwrites);
        nvgpu_ext::setReach(product, reach);
        sum = product.getResult();
      }
  NVVM::WgmmaGroupSyncAlignedOp::create(b, e.loc);
  auto wait = NVVM::WgmmaWaitGroupSyncOp::create(
      b, e.loc, int(goesOn) + (TILESMITH_PLANT("wgmma-wait-one-less") ? 1 : 0));
  nvgpu_ext::setReach(wait, reach);
  if (goesOn) {
    e.inFlight[dot.getResult()] = sums;
    return success();
  }
  for (auto [tile, sum] : llvm::enumerate(sums)) {
    SmallVector<Value> values = accumulator.unpack(pin(e, sum));
    for (int64_t i = 0; i < registers; ++i) {
      Value at = e.i32(int64_t(tile) * registers + i), value = values[i];
      if (promotes)
        value = arith::AddFOp::create(b, e.loc, e.loadRegister(acc, at), value);
      e.storeRegister(result, at, value);
    }
  }
  return success();
}
