//===- RefineAtomByResource.cpp - tileas-refine-atom-by-resource ------------------------------===//
//
// Chooses faster instructions where data lies in shared memory already:
//
//   * on sm_90, a product both of whose operands are read from slots of one pipeline becomes a
//     warpgroup product that reads the slots itself, if types, extents and warps fit and its
//     accumulator is carried by the loop and nothing else touches it there. The accumulator is
//     converted once before and once after the loop; the buffers take the layout that the
//     instruction prescribes;
//   * other products on sm_90 (of two computed operands, outside of loops, with an accumulator that
//     the loop changes) become one that is waited for at once: the left operand in registers unless
//     both are slots of one pipeline, the right one a slot or written to shared memory for it, in front of the
//     loop where no turn changes it (SharedOperands.cpp);
//   * on sm_100 and its relatives, products accumulate in tensor memory (TensorMemoryProducts.cpp), and
//     the first of several in a loop is issued a turn ahead (OverlapProducts.cpp);
//   * elsewhere a left operand that the loop does not change, and that registers have no room for, is read
//     from shared memory in each turn (SharedOperands.cpp);
//   * an operand that is computed from several slots is computed in the layout that its product takes it
//     in (ComputedOperands.cpp);
//   * stages of rings that have one are waited for and given back next to their reads (StageLives.cpp);
//   * a copy whose fragment layout fits takes the atom `ldmatrix`.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"
#include "compiler/dialect/TileAS/Transforms/ComputedOperands.h"
#include "compiler/dialect/TileAS/Transforms/OverlapProducts.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"
#include "compiler/dialect/TileAS/Transforms/ScaledProducts.h"
#include "compiler/dialect/TileAS/Transforms/SharedOperands.h"
#include "compiler/dialect/TileAS/Transforms/StageLives.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"
#include "compiler/dialect/TileAS/Transforms/TensorMemoryProducts.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_REFINEATOMBYRESOURCEPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// Of the accumulator and of a left operand in registers, words of a thread; more would spill.
constexpr int64_t kMaxWords = 160;
/// Bytes of a right operand that is written to shared memory for one product: in any kernel, and where rings leave
/// so much room.
constexpr int64_t kMaxStagedBytes = 16 * 1024, kMaxStagedBesideRings = 32 * 1024;
/// Barriers, and what aligns the operand.
constexpr int64_t kBesideStaged = 2 * 1024;

} // namespace

/// Products that use the value take it all as their left operand or all as the right one. What else uses it reads the
/// slot by itself.
static bool isOneOperand(Value value) {
  std::optional<unsigned> number;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    if (!isa<DotOp>(use.getOwner()))
      return true;
    if (!number)
      number = use.getOperandNumber();
    return use.getOperandNumber() == *number;
  });
}

/// Operands of products that are what the slot holds, or what threads read of it as it is.
static SmallVector<OpOperand *> productsOfSlot(Value slot) {
  SmallVector<OpOperand *> products;
  SmallVector<OpOperand *> work = usesOfSlot(slot);
  while (!work.empty()) {
    OpOperand *use = work.pop_back_val();
    Operation *user = use->getOwner();
    SmallVector<Value> results;
    if (isa<DotOp, TensorMemoryDotOp>(user))
      products.push_back(use);
    else if (isa<CopyOp, ConvertLayoutOp>(user))
      results.append(user->result_begin(), user->result_end());
    else if (auto read = dyn_cast<ConsumerReadOp>(user->getParentOp());
             read && isa<PipelineYieldOp>(user))
      results.push_back(read.getResult(use->getOperandNumber()));
    for (Value result : results)
      for (OpOperand &next : result.getUses())
        work.push_back(&next);
  }
  return products;
}

std::optional<SlotValue> tileas::slotValue(Value value) {
  auto read = value.getDefiningOp<ConsumerReadOp>();
  if (!read || value.use_empty() || !isOneOperand(value))
    return std::nullopt;
  // Elements of 16 bits have one form in all products.
  const bool isOfHalves =
      bufferElementBytes(cast<RankedTensorType>(value.getType()).getElementType()) == 2;
  auto own =
      llvm::find_if(value.getUses(), [](OpOperand &use) { return isa<DotOp>(use.getOwner()); });
  auto wantsAlike = [&](OpOperand &use) {
    return isOfHalves ||
           (own != value.use_end() && use.getOperandNumber() == own->getOperandNumber()) ||
           TILESMITH_PLANT("slot-form-of-last-loop");
  };
  Operation *yield = read.getBody().front().getTerminator();
  auto copy = yield->getOperand(cast<OpResult>(value).getResultNumber()).getDefiningOp<CopyOp>();
  auto slot = copy ? dyn_cast<BlockArgument>(copy.getSource()) : BlockArgument();
  if (!slot)
    return std::nullopt;
  auto pipeline = read.getPipeline().getDefiningOp<CreatePipelineOp>();
  // Threads read in their own way, from whatever layout; products, those of loops that share the ring, too, in one.
  for (Value other : slotsOf(pipeline, slot.getArgNumber()))
    if (!llvm::all_of(productsOfSlot(other), [&](OpOperand *use) { return wantsAlike(*use); }))
      return std::nullopt;
  return SlotValue{read, slot.getArgNumber()};
}

Value tileas::operandIn(OpBuilder &builder, Block *body, const SlotOperand &operand) {
  Value slot = body->getArgument(operand.buffer);
  auto type = cast<RankedTensorType>(slot.getType());
  if (!operand.transposed ||
      (type.getDimSize(0) == type.getDimSize(1) && TILESMITH_PLANT("transposed-slot-as-it-lies")))
    return slot;
  SharedLayoutAttr layout = getSharedLayout(type);
  const int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  SmallVector<int64_t> offsets;
  for (int64_t basis : layout.getOffsets())
    offsets.push_back(basis % columns * rows + basis / columns);
  auto turned =
      RankedTensorType::get({columns, rows}, type.getElementType(),
                            SharedLayoutAttr::get(builder.getContext(), {columns, rows}, offsets));
  return PermuteOp::create(builder, slot.getLoc(), turned, slot,
                           builder.getDenseI32ArrayAttr({1, 0}));
}

/// The matrix whose transpose the value is; null where it is none.
static Value beforeTranspose(Value value) {
  value = throughConversions(value);
  auto permute = value.getDefiningOp<PermuteOp>();
  if (!permute || permute.getPermutation() != ArrayRef<int32_t>{1, 0})
    return {};
  return throughConversions(permute.getSource());
}

std::optional<SlotOperand> tileas::slotOperand(Value value, int64_t elementBytes, unsigned outerDim,
                                               bool anyAcross) {
  Value held = elementBytes == 2 ? beforeTranspose(value) : Value();
  std::optional<SlotValue> slot = slotValue(held ? held : value);
  if (!slot)
    return std::nullopt;
  auto pipeline = slot->read.getPipeline().getDefiningOp<CreatePipelineOp>();
  SharedLayoutAttr plain = getSharedLayout(pipeline.getBuffers()[slot->buffer].getType());
  ArrayRef<int64_t> shape = plain.getShape();
  unsigned contiguous = plain.getOffsets()[0] == 1 ? 1 : 0;
  if (held)
    outerDim = 1 - outerDim;
  bool isKMajor = contiguous != outerDim;
  if (!isKMajor && elementBytes != 2 && !anyAcross)
    return std::nullopt;
  std::optional<WarpgroupOperand> form =
      warpgroupOperand(shape, contiguous, elementBytes, !isKMajor && elementBytes == 4 ? 32 : 16);
  if (!form)
    return std::nullopt;
  return SlotOperand{slot->read, slot->buffer, *form, bool(held)};
}

void tileas::prepareBuffer(const SlotOperand &operand, int64_t elementBytes) {
  ConsumerReadOp read = operand.read;
  auto pipeline = read.getPipeline().getDefiningOp<CreatePipelineOp>();
  ArrayRef<int64_t> extents =
      getSharedLayout(pipeline.getBuffers()[operand.buffer].getType()).getShape();
  setBufferLayout(pipeline, operand.buffer,
                  warpgroupSharedLayout(read.getContext(), extents, operand.form, elementBytes));
}

void tileas::eraseUnused(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ConvertLayoutOp, PermuteOp>(op) || !op->use_empty())
      return;
    value = op->getOperand(0);
    op->erase();
  }
}

void tileas::dropUnusedResults(ConsumerReadOp read) {
  OpBuilder builder(read);
  SmallVector<Type> types;
  for (Value value : read.getResults())
    if (!value.use_empty())
      types.push_back(value.getType());
  if (!types.empty()) {
    auto smaller =
        ConsumerReadOp::create(builder, read.getLoc(), types, read.getPipeline(), read.getStage());
    smaller.getBody().takeBody(read.getBody());
    Operation *yield = smaller.getBody().front().getTerminator();
    SmallVector<Value> kept, values;
    for (Value value : read.getResults())
      if (!value.use_empty()) {
        kept.push_back(value);
        values.push_back(yield->getOperand(cast<OpResult>(value).getResultNumber()));
      }
    yield->setOperands(values);
    for (auto [before, after] : llvm::zip_equal(kept, smaller.getResults()))
      before.replaceAllUsesWith(after);
    for (Operation &op : llvm::make_early_inc_range(smaller.getBody().front()))
      if (isa<CopyOp>(op) && op.use_empty())
        op.erase();
  }
  read.erase();
}

namespace {

/// How warpgroups share a product of this type of sums, `depth` deep; nothing if they cannot, or if
/// it takes too many instructions.
std::optional<WarpgroupShape> shapeWithinLimits(RankedTensorType accType, int64_t depth,
                                                const WarpgroupAtom &atom) {
  unsigned numWarps = 1u << getLayout(accType).getWarps().size();
  std::optional<WarpgroupShape> shape =
      warpgroupShape(accType.getDimSize(0), accType.getDimSize(1), numWarps);
  if (!shape || depth < atom.k ||
      shape->stepsM() * shape->stepsN() * (depth / atom.k) > kMaxProductInstructions)
    return std::nullopt;
  return shape;
}

/// A product of a loop that does nothing to the sum but carry it, with both operands in slots.
struct LoopProduct {
  DotOp dot;
  scf::ForOp loop;
  BlockArgument carried;
  unsigned index = 0; ///< of the sum among what the loop carries
  SlotOperand lhs, rhs;

  ConsumerReadOp read() { return lhs.read; }
  RankedTensorType accType() { return cast<RankedTensorType>(dot.getAcc().getType()); }
  int64_t depth() { return cast<RankedTensorType>(dot.getLhs().getType()).getDimSize(1); }

  static std::optional<LoopProduct> match(DotOp dot, int64_t elementBytes) {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    auto carried = dyn_cast<BlockArgument>(dot.getAcc());
    if (!loop || !carried || carried.getOwner() != loop.getBody() ||
        carried == loop.getInductionVar() || !carried.hasOneUse() || !dot.getResult().hasOneUse())
      return std::nullopt;
    unsigned index = carried.getArgNumber() - loop.getNumInductionVars();
    if (loop.getYieldedValues()[index] != dot.getResult() &&
        !TILESMITH_PLANT("wgmma-sums-carried-anywhere"))
      return std::nullopt;
    std::optional<SlotOperand> lhs = slotOperand(dot.getLhs(), elementBytes, 0),
                               rhs = slotOperand(dot.getRhs(), elementBytes, 1);
    if (!lhs || !rhs || lhs->read != rhs->read)
      return std::nullopt;
    return LoopProduct{dot, loop, carried, index, *lhs, *rhs};
  }

  /// Gives the buffers the forms that the instruction reads.
  void prepareBuffers(int64_t elementBytes) {
    for (const SlotOperand &operand : {lhs, rhs})
      prepareBuffer(operand, elementBytes);
  }

  /// A read of its own for the product, which `emit` creates from the slots; it returns the results
  /// of the read.
  ConsumerReadOp
  makeRead(TypeRange results,
           llvm::function_ref<SmallVector<Value>(OpBuilder &, Value lhs, Value rhs)> emit) {
    OpBuilder builder(dot);
    auto pipeline = read().getPipeline().getDefiningOp<CreatePipelineOp>();
    auto product = ConsumerReadOp::create(builder, dot.getLoc(), results, read().getPipeline(),
                                          read().getStage());
    SmallVector<Type> slots(pipeline.getBuffers().getTypes());
    Block *body = builder.createBlock(&product.getBody(), {}, slots,
                                      SmallVector<Location>(slots.size(), dot.getLoc()));
    Value left = operandIn(builder, body, lhs), right = operandIn(builder, body, rhs);
    SmallVector<Value> values = emit(builder, left, right);
    PipelineYieldOp::create(builder, dot.getLoc(), values);
    return product;
  }

  /// Removes the product, and the results of the old read that nobody uses any more.
  void erase() {
    ConsumerReadOp old = read();
    Value right = dot.getRhs();
    dot.erase();
    eraseUnused(right);
    dropUnusedResults(old);
  }
};

bool refineDot(DotOp dot) {
  auto accType = cast<RankedTensorType>(dot.getAcc().getType());
  auto lhsType = cast<RankedTensorType>(dot.getLhs().getType());
  const WarpgroupAtom *atom = findWarpgroupAtom(lhsType.getElementType(), accType.getElementType(),
                                                dot.getSignedLhs(), dot.getSignedRhs());
  if (!atom)
    return false;
  std::optional<WarpgroupShape> shape = shapeWithinLimits(accType, lhsType.getDimSize(1), *atom);
  if (!shape)
    return false;
  std::optional<LoopProduct> product = LoopProduct::match(dot, atom->elementBytes);
  if (!product)
    return false;
  product->prepareBuffers(atom->elementBytes);

  // The accumulator, in its new layout around the loop.
  scf::ForOp loop = product->loop;
  auto newType = withLayout(accType, warpgroupLayout(dot.getContext(), *shape));
  OpBuilder builder(loop);
  Value init =
      ConvertLayoutOp::create(builder, loop.getLoc(), newType, loop.getInitArgs()[product->index]);
  loop.getInitArgsMutable()[product->index].assign(init);
  product->carried.setType(newType);
  Value result = loop.getResult(product->index);
  result.setType(newType);
  builder.setInsertionPointAfter(loop);
  auto back = ConvertLayoutOp::create(builder, loop.getLoc(), accType, result);
  result.replaceAllUsesExcept(back.getResult(), back);

  auto read = product->makeRead(
      TypeRange{newType}, [&](OpBuilder &inside, Value lhs, Value rhs) -> SmallVector<Value> {
        auto created = DotOp::create(inside, dot.getLoc(), newType, lhs, rhs, product->carried,
                                     dot.getSignedLhs(), dot.getSignedRhs(),
                                     inside.getStringAttr(atom->name), dot.getFastAcc());
        auto pipeline = product->read().getPipeline().getDefiningOp<CreatePipelineOp>();
        if (pipeline.getLateRelease() &&
            (!promotesSums(*atom, dot) || TILESMITH_PLANT("wgmma-promoted-sums-in-flight")))
          annotations(created).getInFlightAttrHelper().setAttr(created, inside.getUnitAttr());
        return {created};
      });
  dot.getResult().replaceAllUsesWith(read.getResult(0));
  product->erase();
  return true;
}

/// A value that only one operation reads from a slot takes the layout: it can be read as any.
bool readAs(Value value, LayoutAttr layout) {
  auto read = value.getDefiningOp<ConsumerReadOp>();
  if (!read || !value.hasOneUse())
    return false;
  Operation *yield = read.getBody().front().getTerminator();
  Value inner = yield->getOperand(cast<OpResult>(value).getResultNumber());
  if (!inner.getDefiningOp<CopyOp>() || !inner.hasOneUse())
    return false;
  for (Value one : {inner, value})
    one.setType(withLayout(cast<RankedTensorType>(one.getType()), layout));
  return true;
}

/// An operand in the layout, computed from what slots hold, if it can be.
Value computeAs(OpBuilder &builder, DotOp dot, Value source, LayoutAttr layout) {
  if (source.getParentBlock() != dot->getBlock())
    return {};
  std::optional<ComputedTile> tile = ComputedTile::matchReads(source, layout);
  return tile ? tile->compute(builder) : Value();
}

/// Each turn reads the fragments of a left operand that waits in shared memory.
void readSharedLeft(DotOp dot) {
  auto type = cast<RankedTensorType>(dot.getLhs().getType());
  Value shared = annotations(dot).getSharedLeftAttrHelper().isAttrPresent(dot)
                     ? shareLeft(dot, bufferElementBytes(type.getElementType()))
                     : Value();
  if (!shared)
    return;
  OpBuilder builder(dot);
  Value before = dot.getLhs();
  dot.getLhsMutable().assign(CopyOp::create(builder, dot.getLoc(), type, shared, StringAttr()));
  eraseUnused(before);
}

/// Operands of a product of warps are computed in its fragments.
void refineOperands(DotOp dot) {
  for (OpOperand *operand : {&dot.getLhsMutable(), &dot.getRhsMutable()}) {
    auto convert = operand->get().getDefiningOp<ConvertLayoutOp>();
    if (!convert || convert.getSource().getDefiningOp<ConsumerReadOp>())
      continue;
    OpBuilder builder(dot);
    if (Value computed = computeAs(builder, dot, convert.getSource(),
                                   getLayout(convert.getResult().getType()))) {
      convert.getResult().replaceAllUsesWith(computed);
      convert.erase();
    }
  }
}

/// A left operand in registers as fragments of the warpgroup product.
Value toFragments(OpBuilder &builder, DotOp dot, RankedTensorType type) {
  Value value = dot.getLhs();
  auto convert = value.getDefiningOp<ConvertLayoutOp>();
  if (readAs(value, getLayout(type)))
    return value;
  if (Value computed =
          computeAs(builder, dot, convert ? convert.getSource() : value, getLayout(type)))
    return computed;
  OpBuilder::InsertionGuard guard(builder);
  if (convert) {
    value = convert.getSource();
    if (value.getParentBlock() != dot->getBlock()) // the same in every iteration
      builder.setInsertionPointAfterValue(value);
  }
  return ConvertLayoutOp::create(builder, dot.getLoc(), type, value);
}

/// A left operand is read from a slot in which its rows are neighbours.
bool liesAcross(Value left) {
  while (isa_and_present<ConvertLayoutOp, tileaa::FpToFpOp>(left.getDefiningOp()))
    left = left.getDefiningOp()->getOperand(0);
  std::optional<SlotValue> slot = slotValue(left);
  if (!slot)
    return false;
  auto pipeline = slot->read.getPipeline().getDefiningOp<CreatePipelineOp>();
  return getSharedLayout(pipeline.getBuffers()[slot->buffer].getType()).getOffsets()[0] != 1;
}

/// Bytes whose slot has columns as neighbours are read by transposed matrices: a thread has four along K of
/// two columns, and writes words to where the product reads them.
void readBytesAcross(Value right, unsigned numWarps) {
  auto type = cast<RankedTensorType>(right.getType());
  std::optional<SlotValue> slot = slotValue(right);
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  if (!slot || rows < 16 || columns < 16)
    return;
  auto pipeline = slot->read.getPipeline().getDefiningOp<CreatePipelineOp>();
  if (getSharedLayout(pipeline.getBuffers()[slot->buffer].getType()).getOffsets()[0] != 1)
    return;
  SmallVector<int64_t> registers{1, columns, 2 * columns}, warps,
      lanes{4 * columns, 8 * columns, 2, 4, 8};
  for (int64_t basis = 16; basis < rows * columns; basis *= 2)
    if (basis < columns || basis >= 16 * columns)
      (int64_t(1) << warps.size() < numWarps ? warps : registers).push_back(basis);
  while (int64_t(1) << warps.size() < numWarps)
    warps.push_back(0);
  readAs(right, LayoutAttr::get(type.getContext(), type.getShape(), registers, lanes, warps));
}

/// Threads can write the right operand of the product to shared memory for it.
bool canStageRight(DotOp dot, RankedTensorType type, int64_t elementBytes,
                   const target::GpuTarget &gpu) {
  int64_t bytes = type.getNumElements() * elementBytes;
  if (!warpgroupStaging(type, elementBytes) || bytes > kMaxStagedBesideRings)
    return false;
  auto function = dot->getParentOfType<tileaa::FuncOp>();
  return bytes <= kMaxStagedBytes ||
         (blocksTogether(function) == 1 &&
          bytesAlive(function, dot->getParentOp()) + bytes + kBesideStaged <= gpu.maxSharedBytes);
}

/// The right operand comes from outside of the loop, and rings leave room for it.
bool canShareRight(DotOp dot, const target::GpuTarget &gpu) {
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  Value right = throughConversions(dot.getRhs());
  auto function = dot->getParentOfType<tileaa::FuncOp>();
  Operation *around = loop;
  while (around && around->getParentOfType<LoopLikeOpInterface>())
    around = around->getParentOfType<LoopLikeOpInterface>();
  return loop && llvm::is_contained(rightsToShare(loop, gpu), right) &&
         blocksTogether(function) == 1 &&
         bytesAlive(function, around) + bytesOfOperands(right) + scratchReserve(function) <=
             gpu.maxSharedBytes;
}

/// A product whose result is an ordinary value again behind it.
bool refineLocally(DotOp dot, const target::GpuTarget &gpu) {
  auto accType = cast<RankedTensorType>(dot.getAcc().getType());
  auto lhsType = cast<RankedTensorType>(dot.getLhs().getType());
  const WarpgroupAtom *atom = findWarpgroupAtom(lhsType.getElementType(), accType.getElementType(),
                                                dot.getSignedLhs(), dot.getSignedRhs());
  if (!atom || !findMmaAtom(*dot.getAtom()))
    return false;
  int64_t depth = lhsType.getDimSize(1);
  std::optional<WarpgroupShape> shape = shapeWithinLimits(accType, depth, *atom);
  if (!shape)
    return false;
  std::optional<SlotOperand> lhs = slotOperand(dot.getLhs(), atom->elementBytes, 0),
                             rhs = slotOperand(dot.getRhs(), atom->elementBytes, 1);
  if (lhs && rhs && lhs->read != rhs->read)
    lhs.reset();
  MLIRContext *context = dot.getContext();
  LayoutAttr sums = warpgroupLayout(context, *shape),
             fragments = warpgroupLhsLayout(context, fragmentsOf(*atom), *shape, depth);
  if (!lhs && atom->elementBytes == 4 && liesAcross(dot.getLhs())) {
    if (!TILESMITH_PLANT("wgmma-rows-paired-in-sums-alone"))
      fragments = pairedRows(fragments);
    sums = pairedRows(sums);
  }
  auto newType = withLayout(accType, sums);
  auto fragmentType = withLayout(lhsType, fragments);
  int64_t words = getLayout(newType).getNumRegisters();
  bool sharesLeft = !lhs && annotations(dot).getSharedLeftAttrHelper().isAttrPresent(dot);
  if (!lhs && !sharesLeft)
    words += getLayout(fragmentType).getNumRegisters() * atom->elementBytes / 4;
  auto heldRight = [&] {
    auto convert = dot.getRhs().getDefiningOp<ConvertLayoutOp>();
    return convert ? convert.getSource() : dot.getRhs();
  };
  Value staged;
  bool sharesRight = false;
  if (!rhs) {
    staged = heldRight();
    auto type = cast<RankedTensorType>(staged.getType());
    sharesRight = staged.getParentBlock() != dot->getBlock();
    if (sharesRight ? !canShareRight(dot, gpu) : !canStageRight(dot, type, atom->elementBytes, gpu))
      return false;
  }
  if (words > kMaxWords)
    return false;
  if (sharesRight)
    staged = shareRight(dot, atom->elementBytes);
  else if (staged && atom->elementBytes == 1)
    readBytesAcross(staged, 1u << getLayout(accType).getWarps().size());

  OpBuilder builder(dot);
  Value left = sharesLeft ? shareLeft(dot, atom->elementBytes) : Value();
  if (!lhs && !left)
    left = toFragments(builder, dot, fragmentType);
  // What the left operand was computed from anew may have been the right one, too, and is gone.
  if (staged && !sharesRight)
    staged = heldRight();
  Value acc = ConvertLayoutOp::create(builder, dot.getLoc(), newType, dot.getAcc());
  bool fromZero = isZeroTile(dot.getAcc());
  Value result;
  StringAttr name = builder.getStringAttr(atom->name);
  ConsumerReadOp read = rhs ? rhs->read : lhs ? lhs->read : ConsumerReadOp();
  if (read) {
    auto pipeline = read.getPipeline().getDefiningOp<CreatePipelineOp>();
    for (const std::optional<SlotOperand> *operand : {&lhs, &rhs})
      if (*operand)
        prepareBuffer(**operand, atom->elementBytes);
    auto product = ConsumerReadOp::create(builder, dot.getLoc(), TypeRange{newType},
                                          read.getPipeline(), read.getStage());
    SmallVector<Type> slots(pipeline.getBuffers().getTypes());
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&product.getBody(), {}, slots,
                                      SmallVector<Location>(slots.size(), dot.getLoc()));
    auto created =
        DotOp::create(builder, dot.getLoc(), newType, lhs ? operandIn(builder, body, *lhs) : left,
                      rhs ? operandIn(builder, body, *rhs) : staged, acc, dot.getSignedLhs(),
                      dot.getSignedRhs(), name, dot.getFastAcc(), fromZero);
    PipelineYieldOp::create(builder, dot.getLoc(), created.getResult());
    result = product.getResult(0);
  } else {
    result = DotOp::create(builder, dot.getLoc(), newType, left, staged, acc, dot.getSignedLhs(),
                           dot.getSignedRhs(), name, dot.getFastAcc(), fromZero);
  }
  dot.getResult().replaceAllUsesWith(
      ConvertLayoutOp::create(builder, dot.getLoc(), accType, result));
  const Value operands[] = {dot.getLhs(), dot.getRhs()};
  dot.erase();
  llvm::for_each(operands, eraseUnused);
  if (read)
    dropUnusedResults(read);
  return true;
}

struct RefineAtomByResource : tileas::impl::RefineAtomByResourcePassBase<RefineAtomByResource> {
  using RefineAtomByResourcePassBase::RefineAtomByResourcePassBase;

  /// Which of three ways a loop's products are issued, and why not in the others: an empty text where that is plain.
  static void tellWhoIssues(Location loc, const std::optional<std::string> &whole,
                            const std::optional<std::string> &ahead,
                            const std::optional<std::string> &inTurn) {
    if (!whole)
      emitRemark(loc) << "products are issued beside what is done with the sums of the run before";
    else if (!ahead)
      emitRemark(loc) << "the first product of a turn is issued a turn ahead";
    else if (!inTurn)
      emitRemark(loc) << "products are issued in their turn, by warps of their own";
    else if (!ahead->empty())
      emitRemark(loc) << "no product is issued a turn ahead: " << *ahead
                      << (inTurn->empty() ? "" : "; nor in its turn by warps of their own: ")
                      << *inTurn;
    else if (!inTurn->empty())
      emitRemark(loc) << "no product is issued in its turn by warps of their own: " << *inTurn
                      << (whole->empty() ? "" : "; nor beside the sums of the run before: ")
                      << *whole;
    else if (!whole->empty())
      emitRemark(loc)
          << "products are not issued beside what is done with the sums of the run before: "
          << *whole;
  }

  void issueAhead() {
    // Innermost ones: a loop around is made anew.
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (!loop.getBody()
               ->walk([](scf::ForOp) { return WalkResult::interrupt(); })
               .wasInterrupted())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      Location loc = loop.getLoc();
      std::optional<std::string> whole = issueLoopAhead(loop), ahead, inTurn;
      if (whole)
        ahead = overlapProducts(loop);
      if (ahead)
        inTurn = issueInTurn(loop);
      if (remarks)
        tellWhoIssues(loc, whole, ahead, inTurn);
    }
    getOperation()->walk([&](AgentSwitchOp agents) {
      std::optional<std::string> problem = issueApart(agents);
      if (!remarks || (problem && problem->empty()))
        return;
      if (problem)
        emitRemark(agents.getLoc()) << "no warps of their own issue products: " << *problem;
      else
        emitRemark(agents.getLoc()) << "warps of their own issue products";
    });
  }

  /// Operands that are computed in another layout were read once more.
  void dropUnusedReads() {
    SmallVector<ConsumerReadOp> reads;
    getOperation()->walk([&](ConsumerReadOp read) {
      if (llvm::any_of(read.getResults(), [](Value value) { return value.use_empty(); }))
        reads.push_back(read);
    });
    llvm::for_each(reads, dropUnusedResults);
  }

  void runOnOperation() override {
    const target::GpuTarget &gpu = tileaa::getTarget(getOperation());
    SmallVector<DotOp> dots;
    getOperation()->walk([&](DotOp dot) {
      if (dot.getAtom() || scaledOperands(dot))
        dots.push_back(dot);
    });
    if (warpgroup && gpu.has(target::Feature::Wgmma)) {
      for (DotOp dot : dots)
        if (!refineDot(dot) && local)
          refineLocally(dot, gpu);
    } else if (tensorMemory && gpu.has(target::Feature::Tcgen05)) {
      for (DotOp dot : dots)
        refineToTensorMemory(dot, gpu, local);
      getOperation()->walk(stageTogether);
      issueAhead();
    }
    getOperation()->walk([&](DotOp dot) {
      if (!dot.getAtom() || !findMmaAtom(*dot.getAtom()))
        return;
      readSharedLeft(dot);
      refineOperands(dot);
    });
    dropUnusedReads();
    getOperation()->walk(narrowStageLives);
    getOperation()->walk([&](CopyOp copy) {
      SharedLayoutAttr shared = getSharedLayout(copy.getSource().getType());
      auto tile = cast<RankedTensorType>(copy.getResult().getType());
      if (planLdMatrix(shared.offsetsOf(getLayout(tile)),
                       bufferElementBytes(tile.getElementType()))) {
        copy.setAtomAttr(StringAttr::get(copy.getContext(), "ldmatrix"));
      }
    });
  }
};

} // namespace
