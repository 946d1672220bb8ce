//===- AssignMemoryLayouts.cpp - tileas-assign-memory-layouts ---------------------------------===//
//
// Loads and stores through views whose threads hold neighbouring elements of the wrong dimension:
//
//   load_C(view)              -> convert_C(load_L(view))   memory is contiguous along another
//                                                          dimension; L runs along that one
//   convert_W(permute(load_C)) -> permute(load_L)          threads hold runs of memory in L as well
//   store(convert_C(x_L))     -> store(convert_M(x_L))     16-bit elements; M is read by matrices
//   store(convert_C(x_L))     -> store(convert_W(x_L))     no element leaves its warp (StoreLayouts.h)
//
// Invariants
//  * L is chosen only if a thread moves several elements at once with it and one with C.
//  * No exchange is added where the result of the load is converted anyway; else there is one in
//    place of accesses of single elements.
//  * A wide load is in registers at once; beside large sums it stays as it is.
//  * A load follows a conversion only where a thread moves as much at once as with C, and neighbouring
//    threads have a sector of memory between them; any layout of a load is right, and permute refuses one that does not fit.
//  * A tile of few elements follows a conversion wherever it is one of rows or columns, also behind views and
//    changes of the element type, and where a pipeline brings it: no exchange is left.
//  * M holds pieces along the last dimension, as C does, so the store stays as wide as it was.
//  * W is chosen only where a warp writes whole sectors of memory with each access, and not beside loops whose sums
//    leave no register for the number of the warp.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/AccessAlignment.h"
#include "compiler/dialect/TileAS/Transforms/LayoutPatterns.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/dialect/TileAS/Transforms/StoreLayouts.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_ASSIGNMEMORYLAYOUTSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// Registers of a thread that a turned load and the sums of its loop's products may take together.
constexpr int64_t kMostWords = 128;

/// 32-bit words of a thread that the tile takes.
int64_t wordsOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !getLayout(tile))
    return 0;
  return llvm::divideCeil(getLayout(tile).getNumRegisters() * tile.getElementTypeBitWidth(), 32);
}

/// Words of a thread for the sums of all products under `root`.
int64_t wordsOfSums(Operation *root) {
  int64_t words = 0;
  root->walk([&](DotOp dot) { words += wordsOf(dot.getResult().getType()); });
  return words;
}

/// The most that the products of one loop beside the store have.
int64_t wordsOfLoops(TiledStoreOp store) {
  int64_t most = 0;
  store->getParentOfType<tileaa::FuncOp>()->walk(
      [&](scf::ForOp loop) { most = std::max(most, wordsOfSums(loop)); });
  return most;
}

/// Row-major with dimension `dim` innermost, `elements` of it in a thread.
LayoutAttr runsAlong(RankedTensorType type, unsigned dim, int64_t elements, unsigned warps) {
  SmallVector<int64_t> shape(type.getShape());
  int64_t extent = shape[dim];
  shape.erase(shape.begin() + dim);
  shape.push_back(extent);
  LinearLayout inner = LinearLayout::rowMajor(shape, warps, llvm::Log2_64(elements));
  // Dimension i of the tile is dimension order[i] of `inner`.
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < type.getRank(); ++i)
    order.push_back(i == int64_t(dim) ? type.getRank() - 1 : i - (i > int64_t(dim)));
  return LayoutAttr::get(type.getContext(), inner.permuteDims(order));
}

/// Gives a load the layout in which its threads hold neighbours of memory.
void turnLoad(TiledLoadOp load) {
  RankedTensorType type = load.getResult().getType();
  LayoutAttr layout = getLayout(type);
  if (load.getMemSemantic() != tileaa::MemSemantic::weak || load.getResult().use_empty())
    return;
  std::optional<AccessAlignment> alignment = viewAlignment(load.getView(), load.getIndices(), type);
  if (!alignment || alignment->dim + 1 == unsigned(type.getRank()))
    return;
  int64_t words = wordsOf(type);
  if (auto loop = load->getParentOfType<scf::ForOp>())
    words += wordsOfSums(loop);
  if (words > kMostWords)
    return;
  int64_t threads = int64_t(1) << (layout.getLanes().size() + layout.getWarps().size());
  int64_t elements = std::min(
      {alignment->elements, type.getDimSize(alignment->dim), type.getNumElements() / threads});
  // The contiguous dimension may also be the last one of more than one element.
  bool isLast = llvm::all_of(type.getShape().drop_front(alignment->dim + 1),
                             [](int64_t extent) { return extent == 1; });
  if (elements < 2 || isLast)
    return;
  LayoutAttr turned = runsAlong(type, alignment->dim, elements, 1u << layout.getWarps().size());
  OpBuilder builder(load->getContext());
  builder.setInsertionPointAfter(load);
  load.getResult().setType(withLayout(type, turned));
  auto back = ConvertLayoutOp::create(builder, load.getLoc(), type, load.getResult());
  for (OpOperand &use : llvm::make_early_inc_range(load.getResult().getUses()))
    if (use.getOwner() != back && !isa<ConvertLayoutOp>(use.getOwner()) &&
        !isStagedAsHeld(use, load.getResult().getType()))
      use.set(back);
  if (back->use_empty())
    back.erase();
}

/// All elements lie along one dimension.
bool isLine(RankedTensorType type) {
  return llvm::is_contained(type.getShape(), type.getNumElements());
}

/// Loads the few elements of a line, of which views and conversions of its elements are made, as what comes last is
/// wanted: that costs less than an exchange, though several threads load the same ones. `setType` changes what is
/// loaded.
bool followAsLine(Value loaded, llvm::function_ref<void(RankedTensorType)> setType) {
  SmallVector<Operation *> chain;
  Value last = loaded;
  ConvertLayoutOp convert;
  while (!convert) {
    if (!last.hasOneUse())
      return false;
    Operation *user = *last.getUsers().begin();
    convert = dyn_cast<ConvertLayoutOp>(user);
    if (convert)
      break;
    if (!isa<ViewOp, tileaa::FpToFpOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::SIToFPOp, arith::UIToFPOp>(user))
      return false;
    chain.push_back(user);
    last = user->getResult(0);
  }
  LayoutAttr few = withoutCopies(getLayout(convert.getResult().getType()));
  auto isLineOf = [](Value tile) { return isLine(cast<RankedTensorType>(tile.getType())); };
  if (few.getNumRegisters() > kMostLoadedAnyhow || !isLineOf(last) || !isLineOf(loaded))
    return false;
  for (Operation *op : llvm::reverse(chain)) {
    op->getResult(0).setType(withLayout(cast<RankedTensorType>(op->getResult(0).getType()), few));
    if (LayoutAttr source = sourceLayoutOf(op, few))
      few = source;
  }
  setType(withLayout(cast<RankedTensorType>(loaded.getType()), few));
  return true;
}

/// Lines that a pipeline brings are read from their slots like that.
void readLines(ConsumerReadOp read) {
  Operation *yield = read.getBody().front().getTerminator();
  for (OpResult result : read->getResults()) {
    auto copy = yield->getOperand(result.getResultNumber()).getDefiningOp<CopyOp>();
    if (!copy || !copy->hasOneUse() || !tileType(result))
      continue;
    followAsLine(result, [&](RankedTensorType type) {
      LayoutAttr offsets = getSharedLayout(copy.getSource().getType()).offsetsOf(getLayout(type));
      copy.setAtomAttr(planLdMatrix(offsets, bufferElementBytes(type.getElementType()))
                           ? StringAttr::get(type.getContext(), "ldmatrix")
                           : StringAttr());
      copy.getResult().setType(type);
      result.setType(type);
    });
  }
}

/// Loads a tile as its only user wants it.
void followConversion(TiledLoadOp load) {
  if (load.getMemSemantic() != tileaa::MemSemantic::weak || !load.getResult().hasOneUse() ||
      followAsLine(load.getResult(),
                   [&](RankedTensorType type) { load.getResult().setType(type); }))
    return;
  Operation *user = *load.getResult().getUsers().begin();
  auto permute = dyn_cast<PermuteOp>(user);
  if (permute && permute->hasOneUse())
    user = *permute->getUsers().begin();
  auto convert = dyn_cast<ConvertLayoutOp>(user);
  if (!convert)
    return;
  RankedTensorType type = load.getResult().getType();
  auto wanted = cast<RankedTensorType>(convert.getResult().getType());
  LayoutAttr turned = getLayout(wanted);
  if (permute) {
    SmallVector<int32_t> inverse(type.getRank());
    for (auto [to, from] : llvm::enumerate(permute.getPermutation()))
      inverse[from] = to;
    turned = permuteLayout(turned, inverse);
  }
  std::optional<AccessAlignment> alignment = viewAlignment(load.getView(), load.getIndices(), type);
  if (!alignment || turned.getNumRegisters() != getLayout(type).getNumRegisters())
    return;
  const int64_t bytes = bufferElementBytes(type.getElementType());
  const Runs runs = runsOf(turned, alignment->dim);
  if (runs.own < std::min(alignment->elements, runsOf(getLayout(type), alignment->dim).own) ||
      runs.together * bytes < kSectorBytes)
    return;
  load.getResult().setType(withLayout(type, turned));
  Value result = load.getResult();
  if (permute) {
    permute.getResult().setType(wanted);
    result = permute.getResult();
  }
  convert.getResult().replaceAllUsesWith(result);
  convert.erase();
}

/// Lets a transposed tile come to its store by a matrix exchange, others without one between warps.
void turnStore(TiledStoreOp store) {
  auto convert = store.getValue().getDefiningOp<ConvertLayoutOp>();
  auto type = cast<RankedTensorType>(store.getValue().getType());
  Type element = type.getElementType();
  if (!convert || !convert->hasOneUse())
    return;
  LayoutAttr from = getLayout(convert.getSource().getType());
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 16)
    if (LayoutAttr reader = matrixReader(from);
        reader && planMatrixExchange(from, reader, /*elementBytes=*/2))
      return convert.getResult().setType(withLayout(type, reader));
  std::optional<AccessAlignment> memory = viewAlignment(store.getView(), store.getIndices(), type);
  if (!memory || store.getMemSemantic() != tileaa::MemSemantic::weak ||
      wordsOfLoops(store) > kMostWords)
    return;
  if (LayoutAttr own = layoutForStore(from, memory->dim, bufferElementBytes(element)))
    convert.getResult().setType(withLayout(type, own));
}

struct AssignMemoryLayouts : tileas::impl::AssignMemoryLayoutsPassBase<AssignMemoryLayouts> {
  void runOnOperation() override {
    SmallVector<TiledLoadOp> loads;
    getOperation()->walk([&](TiledLoadOp load) { loads.push_back(load); });
    llvm::for_each(loads, turnLoad);
    llvm::for_each(loads, followConversion);
    getOperation()->walk(readLines);
    getOperation()->walk(turnStore);
  }
};

} // namespace
