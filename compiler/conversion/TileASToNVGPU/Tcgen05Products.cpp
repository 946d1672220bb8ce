//===- Tcgen05Products.cpp - products that accumulate in tensor memory, issued by one thread --===//
//
// All threads meet where they wrote operands or sums, or read the sums that a product overwrites; the
// first thread issues the instructions, in front of them those that copy scales.
//
// LLVM takes an instruction for one that only writes the sums, and would drop one that is repeated;
// an empty assembly statement behind each keeps them apart.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/Tcgen05.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::TensorCoreAtom;
using tileas::WarpgroupOperand;

SmallVector<tileas::TensorMemoryDotOp> tileas_to_nvgpu::productsOf(Operation *op) {
  if (auto dot = dyn_cast<tileas::TensorMemoryDotOp>(op))
    return {dot};
  if (auto read = dyn_cast<tileas::ConsumerReadOp>(op))
    return llvm::to_vector(read.getBody().getOps<tileas::TensorMemoryDotOp>());
  SmallVector<tileas::TensorMemoryDotOp> products;
  if (auto issue = dyn_cast<tileas::TensorMemoryIssueOp>(op))
    issue.getBody().walk([&](tileas::TensorMemoryDotOp dot) { products.push_back(dot); });
  return products;
}

namespace {

void keepApart(Emitter &e) {
  LLVM::InlineAsmOp::create(e.builder, e.loc, Type(), ValueRange(), "", "~{memory}",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
                            /*operand_attrs=*/{});
}

/// What threads of the block write for the product: operands, sums.
SmallVector<Operation *> writesFor(tileas::TensorMemoryDotOp dot) {
  Block *block = anchorOf(dot)->getBlock();
  SmallVector<Operation *> writes;
  const Value last = TILESMITH_PLANT("tcgen05-right-stage-unmet") ? dot.getLhs() : dot.getRhs();
  for (Value operand : {Value(dot.getLhs()), last})
    if (auto stage = operand.getDefiningOp<tileas::TensorMemoryStageOp>();
        stage && stage->getBlock() == block)
      writes.push_back(stage);
  for (Value columns : {Value(dot.getAcc()), Value(dot.getLhs())})
    for (Operation *user : columns.getUsers())
      if (isa<tileas::TensorMemoryUpdateOp, tileas::TensorMemoryScaleOp>(user) &&
          user->getBlock() == block)
        writes.push_back(user);
  return writes;
}

bool meetsForOperands(tileas::TensorMemoryDotOp dot);

/// Threads wait for what the product adds to turn by turn, and no product of the turn behind this one adds to it.
bool announces(tileas::TensorMemoryDotOp dot) {
  Operation *anchor = anchorOf(dot);
  auto store = dot.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
  auto users = dot.getAcc().getUsers();
  if (!store.getTracked() || llvm::any_of(users, llvm::IsaPred<tileas::TensorMemoryAnnounceOp>) ||
      llvm::none_of(users, llvm::IsaPred<tileas::TensorMemoryWaitOp>))
    return false;
  return llvm::none_of(users, [&](Operation *user) {
    auto other = dyn_cast<tileas::TensorMemoryDotOp>(user);
    return other && other.getAcc() == dot.getAcc() &&
           anchorOf(other)->getBlock() == anchor->getBlock() &&
           anchor->isBeforeInBlock(anchorOf(other)) &&
           !TILESMITH_PLANT("tcgen05-in-turn-each-announces");
  });
}

/// All threads meet, for operands of some product, between the two operations; `to` may be that of the next
/// turn.
bool meetBetween(Operation *from, Operation *to) {
  auto meets = [](Operation &op) { return llvm::any_of(productsOf(&op), meetsForOperands); };
  bool isNextTurn = !from->isBeforeInBlock(to);
  for (Operation *op = from->getNextNode(); op && op != to; op = op->getNextNode())
    if (meets(*op))
      return true;
  if (isNextTurn)
    for (Operation *op = &to->getBlock()->front(); op != to; op = op->getNextNode())
      if (meets(*op))
        return true;
  return false;
}

/// All threads meet in front of a product for which they wrote something, unless they have met since.
bool meetsForOperands(tileas::TensorMemoryDotOp dot) {
  Operation *anchor = anchorOf(dot), *last = nullptr;
  for (Operation *write : writesFor(dot)) {
    if (!write->isBeforeInBlock(anchor))
      return true;
    if (!last || last->isBeforeInBlock(write))
      last = write;
  }
  return last && !meetBetween(last, anchor);
}

} // namespace

/// The loop in which threads load these sums issues nothing else, so that they meet for no other product: for this one
/// they have loaded what it overwrites.
static bool isAlone(tileas::TensorMemoryDotOp dot) {
  return llvm::any_of(dot.getAcc().getUsers(), [](Operation *user) {
    auto loop = isa<tileas::TensorMemoryLoadOp>(user) ? dyn_cast<scf::ForOp>(user->getParentOp())
                                                      : scf::ForOp();
    return loop && llvm::hasSingleElement(loop.getBody()->getOps<tileas::TensorMemoryIssueOp>());
  });
}

/// Others meet behind the loads of the sums that they change: a product that all meet in front of may stand
/// between. Those that alternate between two sets of columns have it between.
bool tileas_to_nvgpu::meetsBefore(tileas::TensorMemoryDotOp dot) {
  if (meetsForOperands(dot))
    return true;
  auto store = dot.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
  if (store.getSecond())
    return !releaseBarriers(store) && isAlone(dot) && !TILESMITH_PLANT("tcgen05-ahead-alone-unmet");
  Operation *anchor = anchorOf(dot);
  for (Operation *user : dot.getAcc().getUsers()) {
    if (!isa<tileas::TensorMemoryLoadOp>(user))
      continue;
    bool isHere = user->getBlock() == anchor->getBlock();
    if (isHere ? !meetBetween(user, anchor) : dot.getOverwrites())
      return true;
  }
  return false;
}

/// What is the last of these behind `op`: that all threads met (true), or waited for products (false)? Nothing where
/// the operation has neither.
static std::optional<bool> metLast(Operation *op) {
  if (auto store = dyn_cast<tileas::TensorMemoryStoreOp>(op))
    return putsNothing(store) ? std::nullopt : std::optional(true);
  if (auto wait = dyn_cast<tileas::ConsumerWaitOp>(op))
    return wait.getPipeline().getDefiningOp<tileas::CreatePipelineOp>().getMbarriers()
               ? std::nullopt
               : std::optional(true);
  if (wantsProducts(op))
    return false;
  SmallVector<tileas::TensorMemoryDotOp> products = productsOf(op);
  if (!llvm::all_of(products, [](auto dot) { return areAsynchronous(dot.getAcc()); }))
    return false;
  if (llvm::any_of(products, [](auto dot) { return meetsBefore(dot); }))
    return true;
  if (isa<tileas::ConsumerReadOp, tileas::TensorMemoryIssueOp>(op))
    return std::nullopt;
  // Its regions may run or not: where they met, it still matters what came before.
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : llvm::reverse(block))
        if (std::optional<bool> met = metLast(&inner)) {
          if (!*met)
            return false;
          break;
        }
  return std::nullopt;
}

bool tileas_to_nvgpu::hasMetSinceWait(Operation *anchor) {
  for (Operation *op = anchor->getPrevNode(); op; op = op->getPrevNode())
    if (std::optional<bool> met = metLast(op))
      return *met;
  if (isa<scf::ForOp>(anchor->getParentOp()))
    for (Operation *op = anchor->getBlock()->getTerminator(); op != anchor; op = op->getPrevNode())
      if (std::optional<bool> met = metLast(op))
        return *met;
  return false;
}

bool tileas_to_nvgpu::meetsBefore(tileas::TensorMemoryIssueOp issue) {
  bool meets = issue.getAgent() && issue.getFirst();
  issue.getBody().walk([&](tileas::TensorMemoryDotOp dot) { meets |= meetsBefore(dot); });
  return meets;
}

int64_t tileas_to_nvgpu::warpsOfSums(Emitter &e, Operation *op) {
  auto agents = op->getParentOfType<tileas::AgentSwitchOp>();
  if (!agents)
    return e.numWarps;
  for (auto [region, warps] : llvm::zip_equal(agents.getAgents(), agents.getNumWarps()))
    if (region.isAncestor(op->getParentRegion()))
      return warps;
  llvm_unreachable("an operation of an agent stands in one of its regions");
}

namespace {

/// One operand: where element (row or column `outer`, depth `k`) begins, before the swizzle.
struct Operand {
  const TensorCoreAtom &atom;
  WarpgroupOperand form;
  unsigned outerDim; ///< 0 for the left operand, 1 for the right one
  Value base;        ///< descriptor of element (0, 0)

  bool isKMajor() const { return form.contiguous != outerDim; }
  int64_t byteOffset(int64_t outer, int64_t k) const {
    int64_t along = (isKMajor() ? k : outer) * atom.elementBytes, across = isKMajor() ? outer : k;
    return along / form.width * form.panelBytes() + across * form.width + along % form.width;
  }
  uint64_t fixedBits() const {
    uint64_t mode = form.grain == 32 ? 1 : form.width == 128 ? 2 : form.width == 64 ? 4 : 6;
    // Lines that the swizzle permutes among each other.
    int64_t lines = form.grain == 32 && !TILESMITH_PLANT("tcgen05-words-across-stride") ? 4 : 8;
    if (!isKMajor() && atom.elementBytes == 1 && TILESMITH_PLANT("tcgen05-bytes-across-stride"))
      lines = 4;
    uint64_t leading = isKMajor() ? 1 : form.panelBytes() >> 4, stride = lines * form.width >> 4;
    return mode << 61 | uint64_t(1) << 46 | stride << 32 | leading << 16;
  }
  Value descriptor(Emitter &e, int64_t outer, int64_t k) const {
    int64_t step = byteOffset(outer, k) >> 4;
    if (TILESMITH_PLANT("tcgen05-step-halved"))
      step /= 2;
    // Opaque: LLVM would print a sum in place of the register that the instruction takes.
    return step ? e.opaque(e.add(base, e.i64(step))) : base;
  }
};

FailureOr<Operand> makeOperand(Emitter &e, Operation *op, const TensorCoreAtom &atom, Value slot,
                               unsigned outerDim) {
  auto form =
      tileas::recogniseWarpgroupOperand(tileas::getSharedLayout(slot.getType()), atom.elementBytes);
  if (!form)
    return op->emitOpError("expected operands that the tensor core can read, got ")
           << slot.getType();
  Operand operand{atom, *form, outerDim, {}};
  operand.base = e.descriptor(e.slotUnits(slot), operand.fixedBits());
  return operand;
}

/// The intrinsic of a scaled product, behind the place of A.
std::string scaledForm(const TensorCoreAtom &atom) {
  std::string form = atom.intrinsic.str();
  if (TILESMITH_PLANT("tcgen05-fours-runs-of-32") && StringRef(form).ends_with("block16"))
    form.replace(form.size() - 2, 2, "32");
  return form;
}

/// Scales of one operand in tensor memory: four of a row or column in a word, 32 rows in a column,
/// further rows in the next ones, then further words.
struct Scales {
  int64_t ofWord;      ///< elements along K whose scales share a word
  int64_t rows, words; ///< words of a row
  Value first;         ///< column

  /// Of row `row` and element `k`.
  Value column(Emitter &e, int64_t row, int64_t k) const {
    int64_t word = k / ofWord;
    return tensorPointer(e, e.add(first, e.i32((word * rows + row) / 32)));
  }
};

/// Copies what a slot in `scaleLayout` holds, four words of 32 lanes at a time.
Scales copyScales(Emitter &e, const TensorCoreAtom &atom, Value slot, int64_t blocks, Value first) {
  constexpr int64_t kPieceBytes = 512, kLineBytes = 16;
  int64_t count = cast<RankedTensorType>(slot.getType()).getNumElements();
  const int64_t bytes = int64_t(1) << tileas::getSharedLayout(slot.getType()).getOffsets().size();
  // Eight lines follow each other, then the next eight.
  uint64_t fixedBits = uint64_t(1) << 46 | uint64_t(8 * kLineBytes >> 4) << 32;
  Value base = e.descriptor(e.slotUnits(slot), fixedBits);
  for (int64_t piece = 0; piece < bytes / kPieceBytes; ++piece) {
    Value from = piece ? e.opaque(e.add(base, e.i64(piece * kPieceBytes >> 4))) : base;
    if (TILESMITH_PLANT("tcgen05-scales-of-first-piece"))
      from = base;
    callTcgen05(e, "cp.32x128b_warpx4.cg1", {},
                {tensorPointer(e, e.add(first, e.i32(piece * kLineBytes / 4))), from});
    keepApart(e);
  }
  const int64_t ofWord = TILESMITH_PLANT("tcgen05-fours-word-kept") ? 128 : atom.scaleWord();
  return {ofWord, count / blocks, blocks / tileas::kScalesOfWord, first};
}

} // namespace

LogicalResult tileas_to_nvgpu::emitTensorMemoryDot(Emitter &e, Operation *op) {
  auto dot = cast<tileas::TensorMemoryDotOp>(op);
  const TensorCoreAtom *atom = tileas::findTensorCoreAtom(dot.getAtom());
  auto store = dot.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
  auto type = cast<RankedTensorType>(store.getInit().getType());
  auto shape =
      tileas::tensorMemoryShape(type.getDimSize(0), type.getDimSize(1), warpsOfSums(e, op));
  if (!atom || !shape)
    return op->emitOpError("expected a product in tensor memory, got ") << dot.getAtom();
  int64_t depth = dot.getLhsTile().getDimSize(1);
  bool lhsInTensorMemory = isa<tileas::AccumulatorType>(dot.getLhs().getType());
  LogicalResult status = success();
  Value turn = turnOf(e, dot);
  bool waits = !areAsynchronous(dot.getAcc());
  if (!turn && (meetsBefore(dot) || (waits && !hasMetSinceWait(anchorOf(dot)))) &&
      !TILESMITH_PLANT("tcgen05-meeting-dropped"))
    e.barrier();
  e.when(firstThread(e), [&] {
    std::optional<Operand> lhs;
    FailureOr<Operand> rhs = makeOperand(e, op, *atom, dot.getRhs(), 1);
    status = rhs;
    if (!lhsInTensorMemory && succeeded(status)) {
      FailureOr<Operand> made = makeOperand(e, op, *atom, dot.getLhs(), 0);
      status = made;
      if (succeeded(made))
        lhs.emplace(*made);
    }
    if (failed(status))
      return;
    fenceAfterThreadSync(e);
    Value firstSums = columnsOf(e, dot.getAcc(), turn),
          firstLeft = lhsInTensorMemory ? columnsOf(e, dot.getLhs(), turn) : Value();
    if (turn && store.getSecond() && TILESMITH_PLANT("tcgen05-ahead-same-columns"))
      firstSums = e.scalar(dot.getAcc());
    if (dot.getRowBlock()) { // products of other blocks share their addresses, and the agent has few registers
      for (Operand *operand : {lhs ? &*lhs : nullptr, &*rhs})
        if (operand)
          operand->base = e.opaque(operand->base, /*anew=*/true);
      for (Value *first : {&firstSums, &firstLeft})
        if (*first)
          *first = e.opaque(*first, /*anew=*/true);
    }
    int64_t n = shape->instructionN();
    std::optional<Scales> leftScales, rightScales;
    if (atom->isScaled()) {
      int64_t blocks = depth / atom->scaleBlock;
      Value first = e.add(e.tensorMemory.base, e.i32(dot.getScaleColumn()));
      leftScales = copyScales(e, *atom, dot.getScales()[0], blocks, first);
      const int64_t words = TILESMITH_PLANT("tcgen05-scales-overlap") ? 1 : leftScales->words;
      first = e.add(first, e.i32(tileas::scaleColumns(leftScales->rows, words)));
      rightScales = copyScales(e, *atom, dot.getScales()[1], blocks, first);
    }
    int64_t instruction =
        int64_t(atom->isScaled() ? 0 : atom->sum) << 4 | atom->lhs << 7 | atom->rhs << 10 |
        int64_t(atom->isScaled() &&
                (atom->scalesArePowers || TILESMITH_PLANT("tcgen05-fours-scales-as-powers")))
            << 23 |
        int64_t(lhs && !lhs->isKMajor() && !TILESMITH_PLANT("tcgen05-left-as-row-major")) << 15 |
        int64_t(!rhs->isKMajor()) << 16 | (n >> 3) << 17 | (shape->rows() >> 4) << 24;
    std::optional<uint32_t> only = dot.getRowBlock();
    int64_t firstBlock = only.value_or(0), endBlock = only ? firstBlock + 1 : shape->blocks();
    for (int64_t k = 0; k < depth; k += atom->k())
      for (int64_t block = firstBlock; block < endBlock; ++block)
        for (int64_t column = 0; column < shape->n; column += n) {
          int64_t at = block * shape->n + column;
          if (TILESMITH_PLANT("tcgen05-columns-shifted"))
            at ^= 8;
          bool fresh = dot.getOverwrites() && !TILESMITH_PLANT("tcgen05-overwrite-accumulates");
          auto accumulates = [&] {
            if (!k && dot.getAccumulates())
              return e.scalar(dot.getAccumulates());
            return e.truth(k || (!fresh && !TILESMITH_PLANT("tcgen05-accumulate-dropped")));
          };
          Value left;
          int64_t from = only && TILESMITH_PLANT("tcgen05-apart-left-rows-kept") ? 0 : block;
          if (lhs) {
            left = lhs->descriptor(e, from * shape->rows(), k);
          } else {
            int64_t packed = tileas::elementsOfWord(dot.getLhsTile());
            int64_t word = (from * depth + k) / packed;
            if (TILESMITH_PLANT("tcgen05-fragment-step-halved"))
              word /= 2;
            left = tensorPointer(e, e.add(firstLeft, e.i32(word)));
          }
          Value sums = tensorPointer(e, e.add(firstSums, e.i32(at))),
                right = rhs->descriptor(e, column, k);
          if (atom->isScaled()) {
            // Which byte of a word, the first of those that the instruction takes.
            int64_t byte = k / atom->scaleBlock % tileas::kScalesOfWord;
            if (TILESMITH_PLANT("tcgen05-scale-byte-kept"))
              byte = 0;
            if (atom->isPacked() && TILESMITH_PLANT("tcgen05-fours-byte-of-eights"))
              byte = k / atom->k() % tileas::kScalesOfWord;
            int64_t row = TILESMITH_PLANT("tcgen05-scale-rows-kept") ? 0 : block * shape->rows();
            callTcgen05(e, "mma.shared." + scaledForm(*atom), {},
                        {sums, left, right, e.i32(int32_t(instruction | byte << 4 | byte << 29)),
                         accumulates(), leftScales->column(e, row, k),
                         rightScales->column(e, column, k), e.i32(1), e.i32(0)});
          } else {
            callTcgen05(e, lhs ? "mma.shared" : "mma.tensor", {},
                        {sums, left, right, e.i32(instruction), accumulates(), e.i32(atom->kind),
                         e.i32(1), e.i32(0)});
          }
          keepApart(e);
        }
    if (announces(dot))
      announceProducts(e, store, turn);
  });
  if (waits)
    waitForProducts(e);
  return status;
}
