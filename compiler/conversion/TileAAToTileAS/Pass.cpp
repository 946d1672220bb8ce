//===- Pass.cpp - convert-tileaa-to-tileas ----------------------------------------------------===//
//
// Calls, plugins and pragmas are replaced by their code, agents and queues by agent_switch and
// pipelines (Agents.h), and what has no place in a kernel is refused by name (`refusal`). See
// Rewriter.h for the two steps that follow. Operations of nv_tileaa that neither move elements nor touch memory stay (bridge operations: float arithmetic, pointer arithmetic, splat, make_range, views of
// memory, tokens, program ids).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Agents.h"
#include "compiler/conversion/TileAAToTileAS/Rewriter.h"
#include "compiler/conversion/TileAAToTileAS/TileAAToTileAS.h"
#include "compiler/dialect/TileAA/IR/HalfSum.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileaa_to_tileas;

tileas::LayoutAttr Rewriter::canonical(ArrayRef<int64_t> shape) {
  if (sharesShort && llvm::product_of(shape) <= kShort)
    return tileas::LayoutAttr::get(rewriter.getContext(), shortLayout(shape, numWarps));
  return tileas::LayoutAttr::get(rewriter.getContext(),
                                 canonicalLayout(shape, numWarps, maxVectorBits, warpsLast));
}

Value Rewriter::convert(Value value, tileas::LayoutAttr layout) {
  if (tileas::getLayout(value.getType()) == layout)
    return value;
  auto type = tileas::withLayout(cast<RankedTensorType>(value.getType()), layout);
  return tileas::ConvertLayoutOp::create(rewriter, value.getLoc(), type, value);
}

Value Rewriter::view(Location loc, Value source, ArrayRef<int64_t> shape) {
  auto from = cast<RankedTensorType>(source.getType());
  auto layout = tileas::reshapeLayout(tileas::getLayout(from), shape);
  auto type = RankedTensorType::get(shape, from.getElementType(), layout);
  return convert(tileas::ViewOp::create(rewriter, loc, type, source), canonical(shape));
}

Value Rewriter::broadcast(Location loc, Value source, ArrayRef<int64_t> shape) {
  auto from = cast<RankedTensorType>(source.getType());
  tileas::LayoutAttr layout = canonical(shape);
  source = convert(source, tileas::projectLayout(layout, from.getShape()));
  return tileas::BroadcastOp::create(
      rewriter, loc, RankedTensorType::get(shape, from.getElementType(), layout), source);
}

void Rewriter::replace(Operation *op, ValueRange results) {
  SmallVector<Value> values;
  for (auto [wanted, value] : llvm::zip_equal(op->getResults(), results)) {
    tileas::LayoutAttr layout = tileas::getLayout(wanted.getType());
    values.push_back(layout && isa<RankedTensorType>(value.getType()) ? convert(value, layout)
                                                                      : value);
  }
  // What is known about the value stays known.
  if (Attribute facts = op->getAttr(tileaa::kFactsAttr); facts && results.size() == 1)
    if (Operation *def = results[0].getDefiningOp(); def && def->getNumResults() == 1)
      if (!def->hasAttr(tileaa::kFactsAttr))
        def->setAttr(tileaa::kFactsAttr, facts);
  rewriter.replaceOp(op, values);
}

const RewriteTable &tileaa_to_tileas::rewriteTable() {
  static const RewriteTable table = [] {
    RewriteTable result;
    populateMemoryRewrites(result);
    populateShapeRewrites(result);
    populateComputeRewrites(result);
    return result;
  }();
  return table;
}

namespace tilesmith {
#define GEN_PASS_DEF_CONVERTTILEAATOTILEASPASS
#include "compiler/conversion/Passes.h.inc"
} // namespace tilesmith

namespace {

/// The tensor type with the canonical layout; other types, and layouts, unchanged.
Type distribute(Rewriter &r, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getEncoding())
    return type;
  return tileas::withLayout(tensor, r.canonical(tensor.getShape()));
}

void assignCanonicalLayouts(Rewriter &r, Operation *root) {
  const unsigned numWarps = r.numWarps;
  root->walk([&](Operation *op) {
    r.numWarps = warpsAt(op, numWarps);
    for (Value result : op->getResults())
      result.setType(distribute(r, result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(distribute(r, argument.getType()));
    auto constant = dyn_cast<arith::ConstantOp>(op);
    if (!constant)
      return;
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue())) {
      auto type = cast<ShapedType>(op->getResult(0).getType());
      constant.setValueAttr(DenseElementsAttr::getFromRawBuffer(type, dense.getRawData()));
    }
  });
  r.numWarps = numWarps;
}

/// What has no place in the code of one kernel, and why.
StringRef refusal(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<tileaa::InjectIROp>(
          [](Operation *) { return "the payload is code of another compiler's last stage"; })
      .Case<tileaa::LaunchFuncOp>(
          [](Operation *) { return "a launch belongs to the host, and kernels start no kernels"; })
      .Case<tileaa::ConvTileOp, tileaa::ConvDotOp>([](Operation *) {
        return "no document says which elements of filter and activation it multiplies";
      })
      .Case<tileaa::CancelNextProgramIdOp>([](Operation *) {
        return "the loop of a persistent kernel is made by tileas-dynamic-persistent";
      })
      .Default([](Operation *) { return StringRef(); });
}

LogicalResult refuseStructure(tileaa::FuncOp function) {
  WalkResult result = function->walk([](Operation *op) {
    StringRef reason = refusal(op);
    if (reason.empty())
      return WalkResult::advance();
    op->emitOpError("cannot be converted to nv_tileas: ") << reason;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Calls become the bodies of their functions, innermost last; nobody runs a function that returns
/// something, or a private one, as a kernel.
LogicalResult inlineCalls(Operation *root) {
  InlinerInterface interface(root->getContext());
  SymbolTableCollection symbols;
  llvm::SmallPtrSet<Operation *, 4> called;
  constexpr unsigned kMaxCalls = 4096;
  for (unsigned count = 0;; ++count) {
    tileaa::CallOp call;
    root->walk([&](tileaa::CallOp op) {
      call = op;
      return WalkResult::interrupt();
    });
    if (!call)
      break;
    auto callee = symbols.lookupNearestSymbolFrom<tileaa::FuncOp>(call, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return call.emitOpError("expected a function with a body, got '") << call.getCallee() << "'";
    if (count == kMaxCalls || callee->isAncestor(call))
      return call.emitOpError("expected calls that end: '")
             << call.getCallee() << "' is called by itself, or more than " << kMaxCalls << " times";
    if (!callee.getBody().hasOneBlock())
      return call.emitOpError("expected a function of one block, got '") << call.getCallee() << "'";
    called.insert(callee);
    if (failed(inlineCall(interface, InlinerConfig().getCloneCallback(), call, callee,
                          &callee.getBody())))
      return call.emitOpError("cannot be inlined");
    call.erase();
  }
  for (Operation *callee : called)
    if (auto function = cast<tileaa::FuncOp>(callee);
        function.isPrivate() || !function.getResultTypes().empty())
      function.erase();
  return success();
}

/// Directives for an assembler that is not ours; the region's code takes the place of the op.
void inlinePragmas(IRRewriter &rewriter, tileaa::FuncOp function) {
  function->walk<WalkOrder::PostOrder>([&](tileaa::PragmaOp pragma) {
    Block &body = pragma.getBody().front();
    Operation *yield = body.getTerminator();
    rewriter.inlineBlockBefore(&body, pragma,
                               pragma.getOperands().take_front(body.getNumArguments()));
    SmallVector<Value> results(yield->getOperands()); // after block arguments were replaced
    rewriter.eraseOp(yield);
    rewriter.replaceOp(pragma, results);
  });
}

/// Sums of products that four warps keep in registers: one, and all of one block of code (more
/// would be spilled). Of fewer rows than kManyRows two warpgroups divide the columns, or nothing.
constexpr int64_t kManyWords = 128, kManyWordsTogether = 160, kManyRows = 128;
/// Rows of one warpgroup. Two that divide columns exchange more, and each takes the whole left operand.
constexpr int64_t kRowsOfGroup = 64, kFewColumns = 64, kManyWordsByColumns = 224;
/// Behind a loop, with the tiles that are loaded there.
constexpr int64_t kManyWordsBehind = 208;

int64_t wordsOfFourWarps(RankedTensorType tile) {
  return std::max<int64_t>(1, tile.getElementTypeBitWidth() / 32) * tile.getNumElements() / 128;
}

/// The value is a sum of products, perhaps all of a loop's, or one of f16 that products are added to as it is.
bool isSum(Value value) {
  while (auto loop = value.getDefiningOp<scf::ForOp>())
    value = loop.getYieldedValues()[cast<OpResult>(value).getResultNumber()];
  auto rounded = value.getDefiningOp<tileaa::FpToFpOp>();
  auto dot = (rounded ? rounded.getSource() : value).getDefiningOp<tileaa::DotOp>();
  return dot && (!rounded || tileaa::hasHalfSum(dot));
}

/// Tiles that the loops around this block carry besides the sums of its products: what they add products to.
void addCarriedTiles(Block *block, SmallVectorImpl<int64_t> &words) {
  while (auto loop = dyn_cast<scf::ForOp>(block->getParentOp())) {
    for (Value next : loop.getYieldedValues())
      if (auto tile = dyn_cast<RankedTensorType>(next.getType());
          tile && tile.getElementType().isIntOrFloat() && !isSum(next))
        words.push_back(wordsOfFourWarps(tile));
    block = loop->getBlock();
  }
}

/// What a warpgroup product holds beside its sums: those of one tile of K, which are added to f8 sums of
/// all, and a left operand of tf32, which may have to come through registers.
void addBeside(tileaa::DotOp dot, SmallVectorImpl<int64_t> &words) {
  auto left = cast<RankedTensorType>(dot.getA().getType()),
       sum = cast<RankedTensorType>(dot.getResult().getType());
  if (isa<Float8E4M3FNType, Float8E5M2Type>(left.getElementType()) && !dot.getFastAcc())
    words.push_back(wordsOfFourWarps(sum));
  if (isa<FloatTF32Type>(left.getElementType()))
    words.push_back(wordsOfFourWarps(left));
}

/// A left operand of tf32 that is not contiguous along K: warpgroups multiply it from registers alone.
bool comesThroughRegisters(tileaa::DotOp dot) {
  Value left = dot.getA();
  while (auto widened = left.getDefiningOp<tileaa::FpToFpOp>())
    left = widened->getOperand(0);
  auto load = left.getDefiningOp<tileaa::TiledLoadOp>();
  if (!load || !isa<FloatTF32Type>(cast<RankedTensorType>(dot.getA().getType()).getElementType()))
    return false;
  auto view = cast<tileaa::TiledViewType>(load.getView().getType());
  return view.getMemref().getStrides()[view.getDimMap().back()] != 1;
}

/// What threads hold of a sum that a loop results in: all of it, or the slices that are stored (PlanRows.cpp).
int64_t wordsHeld(Value sum) {
  auto loop = dyn_cast<scf::ForOp>(sum.getParentBlock()->getParentOp());
  for (Value result = sum; loop && result.hasOneUse();) {
    OpOperand &use = *result.getUses().begin();
    auto next = dyn_cast<scf::ForOp>(use.getOwner());
    if (next && use.getOperandNumber() >= next.getNumControlOperands())
      result = next.getTiedLoopResult(&use);
    else if (isa<scf::YieldOp>(use.getOwner()) && use.getOwner()->getBlock() == loop.getBody())
      result = loop.getResult(use.getOperandNumber());
    else
      break;
    if (!result.use_empty() &&
        llvm::all_of(result.getUsers(), llvm::IsaPred<tileaa::ExtractSliceOp>))
      return wordsOfFourWarps(
          cast<RankedTensorType>((*result.getUsers().begin())->getResult(0).getType()));
  }
  return wordsOfFourWarps(cast<RankedTensorType>(sum.getType()));
}

/// Words that a thread of four warps holds of a tile behind loops: of what is read in slices one of them, of what is handed
/// on to the next loop nothing.
int64_t wordsHeldBehind(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  if (!tile || !tile.getElementType().isIntOrFloat() || value.use_empty() ||
      llvm::all_of(value.getUsers(), llvm::IsaPred<scf::ForOp>))
    return 0;
  if (llvm::all_of(value.getUsers(), llvm::IsaPred<tileaa::ExtractSliceOp>))
    tile = cast<RankedTensorType>((*value.getUsers().begin())->getResult(0).getType());
  return tile.getNumElements() * tile.getElementTypeBitWidth() / 32 / 128;
}

/// Words that a thread of four warps holds behind loops of products: their sums, and the tiles that are loaded to be
/// combined with them, which are all under way before the first one is.
int64_t wordsBehindLoops(tileaa::FuncOp function) {
  int64_t words = 0;
  bool isBehind = false;
  for (Operation &op : function.getBody().front()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    const bool multiplies = loop && !loop.getOps<tileaa::DotOp>().empty();
    isBehind |= multiplies;
    if (isBehind &&
        (multiplies || isa<tileaa::TiledLoadOp, tileaa::LoadOp, tileaa::GatherLoadOp>(op)))
      words += llvm::sum_of(llvm::map_range(op.getResults(), wordsHeldBehind), int64_t(0));
  }
  return words;
}

/// More is reduced than a short tile, as rows of sums are.
bool reducesTiles(tileaa::FuncOp function) {
  return function
      ->walk([](tileaa::ReduceOp reduce) {
        auto tile = dyn_cast<RankedTensorType>(reduce->getOperand(0).getType());
        return tile && tile.getNumElements() > kShort ? WalkResult::interrupt()
                                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the products of the function need the registers of eight warps, or two warpgroups, of which one reads
/// its left operand while the tensor cores work for the other. Where a warp that reads tensor memory holds whole
/// rows, sums of several products are not held together; those of one are, beside what a loop adds them to.
bool needsEightWarps(tileaa::FuncOp function) {
  const target::GpuTarget &gpu = tileaa::getTarget(function->getParentOfType<ModuleOp>());
  const bool together = !gpu.has(target::Feature::Tcgen05);
  // Sums of fewer rows are divided by columns, where no row is reduced.
  const bool byColumns = gpu.has(target::Feature::Wgmma) && !reducesTiles(function);
  llvm::MapVector<Block *, SmallVector<int64_t>> wordsOf;
  bool divisible = true, alternates = false;
  bool hasFewRows = false;
  function->walk([&](tileaa::DotOp dot) {
    auto sum = cast<RankedTensorType>(dot.getResult().getType());
    if (sum.getRank() != 2)
      return;
    if (sum.getDimSize(0) < kManyRows) {
      divisible &=
          byColumns && sum.getDimSize(0) >= kRowsOfGroup && sum.getDimSize(1) >= kFewColumns;
      hasFewRows = true;
    }
    const int64_t words = together ? wordsOfFourWarps(sum) : wordsHeld(dot.getResult());
    wordsOf[dot->getBlock()].push_back(tileaa::hasHalfSum(dot) ? words / 2 : words);
    if (!gpu.has(target::Feature::Wgmma))
      return;
    addBeside(dot, wordsOf[dot->getBlock()]);
    alternates |= comesThroughRegisters(dot);
  });
  llvm::SmallPtrSet<Block *, 4> lone;
  for (auto &[block, words] : wordsOf) {
    if (words.size() == 1)
      lone.insert(block);
    addCarriedTiles(block, words);
  }
  if (wordsOf.empty())
    return false;
  const int64_t manyTogether = hasFewRows ? kManyWordsByColumns : kManyWordsTogether;
  return divisible &&
         ((alternates && !hasFewRows) || wordsBehindLoops(function) > kManyWordsBehind ||
          llvm::any_of(wordsOf, [&](auto &pair) {
            auto &[block, words] = pair;
            return *llvm::max_element(words) > kManyWords ||
                   ((together || lone.contains(block)) && words.size() > 1 &&
                    llvm::sum_of(words) > manyTogether);
          }));
}

/// Warps among which the largest tile takes fewer than kManyWords of a thread, at most kMostWarps: more words than that,
/// and what is computed from them, do not fit into registers.
unsigned warpsForTiles(tileaa::FuncOp function, unsigned warps) {
  constexpr unsigned kMostWarps = 16;
  int64_t bits = 0;
  function->walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto tile = dyn_cast<RankedTensorType>(result.getType());
          tile && tile.getElementType().isIntOrFloat())
        bits = std::max(bits, tile.getNumElements() * tile.getElementTypeBitWidth());
  });
  while (warps < kMostWarps && bits / (32 * 32 * warps) >= kManyWords)
    warps *= 2;
  return warps;
}

/// A loop combines running sums of a short tile, as of decays along a chunk, with sums of products: where each warp has
/// all of them, none waits for another.
bool scansBesideProducts(tileaa::FuncOp function) {
  return function
      ->walk([](tileaa::ScanOp scan) {
        auto loop = dyn_cast<scf::ForOp>(scan->getParentOp());
        auto tile = dyn_cast<RankedTensorType>(scan->getOperand(0).getType());
        return loop && tile && tile.getNumElements() <= kShort &&
                       !loop.getOps<tileaa::DotOp>().empty()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Warps of a kernel: what its hint says, as far as layouts can follow (a power of two up to 32),
/// else the option. The real compiler falls back in the same way.
unsigned warpsOf(tileaa::FuncOp function, unsigned byDefault, bool choose) {
  auto spec = function->getAttrOfType<tileaa::KernelSpecAttr>(tileaa::TileAADialect::kKernelSpec);
  int64_t hint = spec ? spec.getNumWarps() : 0;
  if (spec && spec.getOccupancy() > 0 && TILESMITH_PLANT("cost-occupancy-more-warps"))
    return 32;
  if (hint > 0 && hint <= 32 && llvm::isPowerOf2_64(hint))
    return hint;
  if (choose && TILESMITH_PLANT("cost-warps-beyond-work"))
    return 32;
  if (choose && TILESMITH_PLANT("cost-eight-warps-always"))
    return 8;
  bool multiplies = false;
  function->walk([&](tileaa::DotOp) { multiplies = true; });
  if (choose && !multiplies)
    return warpsForTiles(function, byDefault);
  return choose && byDefault < 8 && needsEightWarps(function) ? 8 : byDefault;
}

/// How many neighbouring elements a thread should hold: 16 bytes of the narrowest elements that the
/// function moves between tiles and memory, at least four. All tiles of a function share the
/// number, so that neither reshapes nor element conversions move data between threads.
unsigned vectorBitsOf(tileaa::FuncOp function) {
  unsigned bits = 2;
  function->walk([&](Operation *op) {
    if (!isa<tileaa::LoadOp, tileaa::StoreOp, tileaa::TiledLoadOp, tileaa::TiledStoreOp>(op))
      return;
    for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          if (Type element = tensor.getElementType();
              element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8)
            bits = std::max(bits, llvm::Log2_32(128 / element.getIntOrFloatBitWidth()));
  });
  return bits;
}

struct ConvertTileAAToTileAS
    : tilesmith::impl::ConvertTileAAToTileASPassBase<ConvertTileAAToTileAS> {
  using ConvertTileAAToTileASPassBase::ConvertTileAAToTileASPassBase;

  void runOnOperation() override {
    if (numWarps == 0 || numWarps > 32 || !llvm::isPowerOf2_32(numWarps)) {
      getOperation()->emitError("expected a power of two up to 32 for num-warps, got ") << numWarps;
      return signalPassFailure();
    }
    if (failed(callPlugins(getOperation())) || failed(inlineCalls(getOperation())))
      return signalPassFailure();
    SmallVector<tileaa::FuncOp> functions;
    getOperation()->walk([&](tileaa::FuncOp function) { functions.push_back(function); });
    for (tileaa::FuncOp function : functions) {
      if (failed(refuseStructure(function)))
        return signalPassFailure();
      Rewriter r(&getContext(), warpsOf(function, numWarps, chooseWarps));
      inlinePragmas(r.rewriter, function);
      FailureOr<unsigned> agentWarps = lowerAgents(function, r.numWarps);
      if (failed(agentWarps))
        return signalPassFailure();
      const unsigned blockWarps = *agentWarps ? *agentWarps : r.numWarps;
      r.numWarps = blockWarps;
      r.maxVectorBits = vectorBitsOf(function);
      r.warpsLast =
          chooseLayouts && !*agentWarps && shouldHoldRows(function, blockWarps, r.maxVectorBits);
      r.sharesShort =
          chooseLayouts && !*agentWarps && blockWarps > 1 && scansBesideProducts(function);
      assignCanonicalLayouts(r, function);
      SmallVector<Operation *> work;
      function->walk([&](Operation *op) {
        if (rewriteTable().lookup(op->getName()))
          work.push_back(op);
      });
      for (Operation *op : work) {
        r.rewriter.setInsertionPoint(op);
        r.numWarps = warpsAt(op, blockWarps);
        if (failed(rewriteTable().lookup(op->getName())(r, op))) {
          function->emitError("failed to convert nv_tileaa to nv_tileas");
          return signalPassFailure();
        }
      }
      tileas::annotations(function).getThreadsAttrHelper().setAttr(
          function, r.rewriter.getI32IntegerAttr(32 * blockWarps));
    }
  }
};

} // namespace
