//===- Tcgen05.cpp - products that accumulate in tensor memory, per thread --------------------===//
//
// tcgen05.md says what the instructions demand; whose columns they are: Tcgen05Columns.cpp.
//
//   tensor_memory.store   every warp stores its rows, which another loop may have left there, all meet; nothing
//                         where a product, or an update, overwrites them before anybody reads
//   tensor_memory.update  every warp stores its rows
//   tensor_memory.scale   every warp one of whose factors is not one loads its rows, multiplies them
//                         and stores them, some columns at a time
//   tensor_memory.stage   every thread writes its elements to shared memory
//   tensor_memory.dot     Tcgen05Products.cpp; without mbarriers everybody waits until it is complete
//   tensor_memory.load    with mbarriers everybody waits for all products, unless nobody issued one
//                         since the last wait; then every warp loads its rows, or some columns of them
//   tensor_memory.issue   the first thread runs the region; all meet in front where a product in it
//                         wants that. Or the first thread of another agent does (IssuingWarps.cpp)
//   tensor_memory.wait    everybody waits for the phase of one turn
//   tensor_memory.arrived, tensor_memory.announce
//                         of blocks of rows that are products of their own: waits for their warps, and
//                         tells them that products are complete
//
// What waits for a turn: Tcgen05Turns.cpp.
//
// Where a pipeline has mbarriers, its release commits the products to "empty" (Mbarriers.cpp).
//
// Loaded values pass through an empty assembly statement behind the wait, so that nothing that uses
// them can be scheduled before it.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Tcgen05.h"
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::TensorMemoryShape;

namespace {

/// Registers of one load or store.
constexpr int64_t kMostRegisters = 64;
/// Words of a tile that a thread loads at once.
constexpr int64_t kMostHeld = 128;
/// The fewest of a piece of sums that are multiplied: one is loaded while another is worked on.
constexpr int64_t kFewestScaled = 16;

} // namespace

Value tileas_to_nvgpu::callTcgen05(Emitter &e, const Twine &name, Type result,
                                   ValueRange arguments) {
  StringAttr full = e.builder.getStringAttr("llvm.nvvm.tcgen05." + name);
  if (result)
    return LLVM::CallIntrinsicOp::create(e.builder, e.loc, result, full, arguments).getResult(0);
  LLVM::CallIntrinsicOp::create(e.builder, e.loc, full, arguments);
  return {};
}

Value tileas_to_nvgpu::tensorPointer(Emitter &e, Value address) {
  return LLVM::IntToPtrOp::create(e.builder, e.loc,
                                  LLVM::LLVMPointerType::get(e.builder.getContext(), 6), address);
}

static void fenceBefore(Emitter &e) {
  callTcgen05(e, "fence.before.thread.sync", {}, {});
}
void tileas_to_nvgpu::fenceAfterThreadSync(Emitter &e) {
  callTcgen05(e, "fence.after.thread.sync", {}, {});
}

void tileas_to_nvgpu::waitForProducts(Emitter &e) {
  Type i32 = e.builder.getI32Type();
  if (!TILESMITH_PLANT("tcgen05-commit-dropped"))
    e.when(firstThread(e), [&] { commitProducts(e, doneBarrier(e)); });
  Value round = e.load(e.tensorMemory.rounds, i32);
  e.store(e.add(round, e.i32(1)), e.tensorMemory.rounds);
  if (TILESMITH_PLANT("tcgen05-wait-dropped"))
    return;
  waitParity(e, doneBarrier(e),
             arith::TruncIOp::create(e.builder, e.loc, e.builder.getI1Type(), round));
}

/// Sums whose products are waited for by tensor_memory.wait alone.
static bool areTracked(Value acc) {
  return acc.getDefiningOp<tileas::TensorMemoryStoreOp>().getTracked();
}

Value tileas_to_nvgpu::columnsOf(Emitter &e, Value acc, Value turn) {
  auto store = acc.getDefiningOp<tileas::TensorMemoryStoreOp>();
  if (!store.getSecond() || !turn)
    return e.scalar(acc);
  Value second = e.add(e.tensorMemory.base, e.i32(*store.getSecond()));
  return arith::SelectOp::create(e.builder, e.loc, isOddTurn(e, turn), second, e.scalar(acc));
}

Value tileas_to_nvgpu::turnOf(Emitter &e, tileas::TensorMemoryDotOp dot) {
  auto issue = dot->getParentOfType<tileas::TensorMemoryIssueOp>();
  return issue ? e.scalar(issue.getTurn()) : Value();
}

bool tileas_to_nvgpu::areAsynchronous(Value acc) {
  return llvm::any_of(acc.getUsers(), [](Operation *user) {
    auto read = user->getParentOfType<tileas::ConsumerReadOp>();
    return (read && read.getPipeline().getDefiningOp<tileas::CreatePipelineOp>().getMbarriers()) ||
           user->getParentOfType<tileas::TensorMemoryIssueOp>();
  });
}

/// A product that reads the tile may still be under way when the loop comes here again.
static bool readsInFlight(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    auto dot = dyn_cast<tileas::TensorMemoryDotOp>(user);
    return dot && areAsynchronous(dot.getAcc()) && !areTracked(dot.getAcc());
  });
}

bool tileas_to_nvgpu::wantsProducts(Operation *op) {
  if (isa<tileas::TensorMemoryLoadOp, tileas::TensorMemoryScaleOp>(op)) {
    Value acc = isa<tileas::TensorMemoryLoadOp>(op) ? op->getOperand(0) : op->getOperand(1);
    return areAsynchronous(acc) && !areTracked(acc);
  }
  if (!isa<scf::ForOp>(op->getParentOp()))
    return false;
  if (auto update = dyn_cast<tileas::TensorMemoryUpdateOp>(op))
    return readsInFlight(update.getAcc());
  auto stage = dyn_cast<tileas::TensorMemoryStageOp>(op);
  return stage && readsInFlight(stage.getResult()) &&
         stage.getBuffer().getDefiningOp()->getBlock() != op->getBlock();
}

Operation *tileas_to_nvgpu::anchorOf(tileas::TensorMemoryDotOp dot) {
  if (auto issue = dot->getParentOfType<tileas::TensorMemoryIssueOp>())
    return issue;
  if (auto read = dyn_cast<tileas::ConsumerReadOp>(dot->getParentOp()))
    return read;
  return dot;
}

namespace {

/// What several stores and loads of one accumulator share.
struct Columns {
  Emitter &e;
  TensorMemoryShape shape;
  int64_t packed; ///< elements of a word
  Value address;  ///< of this warp's first lane and column

  Columns(Emitter &e, RankedTensorType type, Value first)
      : e(e), shape(*tileas::tensorMemoryShape(type.getDimSize(0), type.getDimSize(1), e.numWarps)),
        packed(tileas::elementsOfWord(type)) {
    // Bits of the warp: lanes, then blocks of rows, then columns.
    SmallVector<int64_t> bases{int64_t(32) << 16, int64_t(64) << 16};
    if (TILESMITH_PLANT("tcgen05-lanes-swapped"))
      std::swap(bases[0], bases[1]);
    for (int64_t group = 1; group < shape.groupsM; group *= 2)
      bases.push_back(group * shape.n / packed);
    for (int64_t group = 1; group < shape.groupsN; group *= 2)
      bases.push_back(group * shape.ownColumns() / packed);
    address = e.add(first, e.linear(e.warpIndex(), bases));
  }

  /// What one instruction, whose shape is `form`, moves.
  struct Piece {
    int64_t first; ///< register, of `packed` that share a word
    int64_t column, words;
  };
  SmallVector<Piece> pieces(int64_t most = kMostRegisters) const {
    int64_t perColumn = shape.isHalf() ? 2 : 1; // columns of a register
    int64_t registers = shape.ownColumns() / perColumn / packed;
    int64_t step = std::min(registers, most);
    SmallVector<Piece> all;
    for (int64_t block = 0; block < shape.ownBlocks(); ++block)
      for (int64_t at = 0; at < registers; at += step)
        all.push_back({(block * registers + at) * packed,
                       block * shape.groupsM * shape.n / packed +
                           at * (TILESMITH_PLANT("tcgen05-half-rows-piece-early") ? 1 : perColumn),
                       step});
    return all;
  }
  Value pointer(const Piece &piece) const {
    return tensorPointer(e, e.add(address, e.i32(piece.column)));
  }
  std::string form(int64_t registers) const {
    return shape.isHalf() ? "16x256b.x" + std::to_string(registers / 4)
                          : "32x32b.x" + std::to_string(registers);
  }
};

/// The values, which nothing moves before earlier side effects.
SmallVector<Value> pin(Emitter &e, ValueRange words) {
  std::string outputs, inputs;
  for (size_t i = 0; i < words.size(); ++i) {
    outputs += "=r,";
    inputs += std::to_string(i) + ",";
  }
  inputs.pop_back();
  Type word = e.builder.getI32Type(), type = word;
  if (words.size() > 1)
    type = LLVM::LLVMStructType::getLiteral(e.builder.getContext(),
                                            SmallVector<Type>(words.size(), word));
  Value held = LLVM::InlineAsmOp::create(e.builder, e.loc, type, words, "", outputs + inputs,
                                         /*has_side_effects=*/true, /*is_align_stack=*/false,
                                         LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
                                         /*operand_attrs=*/{})
                   .getRes();
  SmallVector<Value> values;
  for (size_t i = 0; i < words.size(); ++i)
    values.push_back(words.size() > 1 ? LLVM::ExtractValueOp::create(e.builder, e.loc, held, i)
                                      : held);
  return values;
}

//===- store and load -----------------------------------------------------------------------------//

/// Registers that share a word.
Value wordOf(Emitter &e, const Tile &tile, int64_t first, int64_t count) {
  OpBuilder &b = e.builder;
  Value held = e.loadRegister(tile, e.i32(first));
  if (count > 1) {
    Value pack = LLVM::PoisonOp::create(b, e.loc, VectorType::get({count}, tile.element));
    for (int64_t i = 0; i < count; ++i)
      pack = LLVM::InsertElementOp::create(b, e.loc, pack, e.loadRegister(tile, e.i32(first + i)),
                                           e.i32(i));
    held = pack;
  }
  return LLVM::BitcastOp::create(b, e.loc, b.getI32Type(), held);
}

void storeWords(Emitter &e, const Columns &columns, const Columns::Piece &piece,
                llvm::function_ref<Value(int64_t)> word) {
  OpBuilder &b = e.builder;
  Value words = LLVM::PoisonOp::create(b, e.loc, VectorType::get({piece.words}, b.getI32Type()));
  for (int64_t i = 0; i < piece.words; ++i)
    words = LLVM::InsertElementOp::create(b, e.loc, words, word(i), e.i32(i));
  callTcgen05(e, "st." + columns.form(piece.words), {},
              {columns.pointer(piece), words, e.truth(false)});
}

/// `all`: a word that is all of them.
void storeSums(Emitter &e, const Columns &columns, const Tile &tile, Value all = {}) {
  for (const Columns::Piece &piece : columns.pieces())
    storeWords(e, columns, piece, [&](int64_t i) {
      return all ? all : wordOf(e, tile, piece.first + i * columns.packed, columns.packed);
    });
  callTcgen05(e, "wait.st", {}, {});
}

/// Begins to load; `wait.ld` comes before `loadedWords`.
Value startLoad(Emitter &e, const Columns &columns, const Columns::Piece &piece) {
  auto vector = VectorType::get({piece.words}, e.builder.getI32Type());
  return callTcgen05(e, "ld." + columns.form(piece.words), vector,
                     {columns.pointer(piece), e.truth(false)});
}

SmallVector<Value> loadedWords(Emitter &e, Value loaded) {
  SmallVector<Value> words;
  for (int64_t i = 0; i < cast<VectorType>(loaded.getType()).getNumElements(); ++i)
    words.push_back(LLVM::ExtractElementOp::create(e.builder, e.loc, loaded, e.i32(i)));
  return pin(e, words);
}

/// What runs once takes the columns behind the store.
bool comesOnceBehind(Operation *other, Operation *store) {
  return other->getBlock() == store->getBlock() && store->isBeforeInBlock(other) &&
         !store->getParentOfType<LoopLikeOpInterface>();
}

/// Some other sums take columns of these, at another time; `before`: none that come once, behind these.
bool sharesColumns(tileas::TensorMemoryStoreOp store, bool before = false) {
  auto countOf = [](tileas::TensorMemoryStoreOp op) {
    return tileas::tensorMemoryColumns(cast<RankedTensorType>(op.getInit().getType()));
  };
  bool shares = false;
  store->getParentOfType<tileaa::FuncOp>()->walk([&](tileas::TensorMemoryStoreOp other) {
    for (int64_t first : store.getFirstColumns())
      for (int64_t from : other.getFirstColumns())
        shares |= other != store && from < first + countOf(store) &&
                  first < from + countOf(other) && !(before && comesOnceBehind(other, store));
  });
  return shares;
}

/// The sums are those of another loop, whose columns the store gives them again: they stay where they lie.
bool staysInPlace(tileas::TensorMemoryStoreOp store) {
  auto load = store.getInit().getDefiningOp<tileas::TensorMemoryLoadOp>();
  if (!load || load.getTurn() || load.getFirst() || !load.getResult().hasOneUse() ||
      load->getBlock() != store->getBlock())
    return false;
  auto from = load.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
  int64_t first = store.getColumn();
  auto columns = [](tileas::TensorMemoryStoreOp one) {
    return tileas::tensorMemoryColumns(cast<RankedTensorType>(one.getInit().getType()));
  };
  for (Operation *op = load->getNextNode(); op != store; op = op->getNextNode())
    if (auto other = dyn_cast<tileas::TensorMemoryStoreOp>(op))
      if (other.getColumn() < first + columns(store) && first < other.getColumn() + columns(other))
        return false;
  return (from.getColumn() == store.getColumn() ||
          TILESMITH_PLANT("tcgen05-sums-stay-elsewhere")) &&
         !from.getSecond() && !store.getSecond();
}

} // namespace

/// The first of these operations to run in the block gives the columns something else; where they stand in a loop,
/// all of them do.
static bool beginsAnew(Block *block, Value acc, ArrayRef<Operation *> users) {
  Operation *first = nullptr;
  for (Operation *user : users) {
    Operation *here = block->findAncestorOpInBlock(*user);
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  if (auto dot = dyn_cast<tileas::TensorMemoryDotOp>(first))
    return dot.getAcc() == acc && dot.getOverwrites() && dot.getLhs() != acc;
  if (isa<tileas::TensorMemoryUpdateOp>(first))
    return true;
  SmallVector<Operation *> inside;
  llvm::copy_if(users, std::back_inserter(inside),
                [&](Operation *user) { return first->isAncestor(user); });
  if (isa<tileas::ConsumerReadOp>(first) ||
      (isa<scf::ForOp>(first) && inside.size() == users.size()))
    return beginsAnew(&first->getRegion(0).front(), acc, inside);
  return false;
}

bool tileas_to_nvgpu::putsNothing(tileas::TensorMemoryStoreOp store) {
  SmallVector<Operation *> users(store.getAcc().getUsers());
  if (llvm::any_of(users, [](Operation *user) {
        auto dot = dyn_cast<tileas::TensorMemoryDotOp>(user);
        // The first product of a loop; behind one without turns threads put zeros there (LoopsAhead.cpp).
        return dot && dot.getAccumulates();
      }))
    return true;
  if (users.empty() || store.getTracked() || store.getSecond() ||
      !store.getInit().getDefiningOp<tileaa::SplatOp>() ||
      !beginsAnew(store->getBlock(), store.getAcc(), users))
    return false;
  // Behind a loop others may still load what lies there; a left operand outside of loops lies over sums that the same
  // warps have loaded (the fragment was only placed where they hold them).
  const bool isLeft = llvm::all_of(users, [&](Operation *user) {
    auto dot = dyn_cast<tileas::TensorMemoryDotOp>(user);
    return user->getBlock() == store->getBlock() &&
           (dot ? dot.getAcc() != store.getAcc() : isa<tileas::TensorMemoryUpdateOp>(user));
  });
  return isLeft || !sharesColumns(store, /*before=*/true) ||
         TILESMITH_PLANT("tcgen05-shared-columns-unmet");
}

namespace {

/// Of a tile of words that are one: that word.
Value splatWord(Emitter &e, Value tile) {
  auto splat = tile.getDefiningOp<tileaa::SplatOp>();
  auto type = cast<RankedTensorType>(tile.getType());
  if (!splat || tileas::elementsOfWord(type) != 1)
    return {};
  return LLVM::BitcastOp::create(e.builder, e.loc, e.builder.getI32Type(),
                                 e.scalar(splat->getOperand(0)));
}

LogicalResult emitStore(Emitter &e, Operation *op) {
  auto store = cast<tileas::TensorMemoryStoreOp>(op);
  auto type = cast<RankedTensorType>(store.getInit().getType());
  const Tile tile = e.tile(store.getInit());
  Value first = e.add(e.tensorMemory.base, e.i32(store.getColumn()));
  e.setScalar(store.getAcc(), first);
  if (!tileas::tensorMemoryShape(type.getDimSize(0), type.getDimSize(1), e.numWarps))
    return op->emitOpError("expected sums that tensor memory can hold, got ") << type;
  Columns columns(e, type, first);
  if (tile.layout != tileas::tensorMemoryLayout(op->getContext(), columns.shape))
    return op->emitOpError("expected the layout of tensor memory, got ") << type;
  if (putsNothing(store))
    return success();
  if (sharesColumns(store)) { // all have read what lay there
    e.barrier();
    fenceAfterThreadSync(e);
  }
  if (!staysInPlace(store))
    storeSums(e, columns, tile, splatWord(e, store.getInit()));
  if (!TILESMITH_PLANT("tcgen05-store-fence-dropped"))
    fenceBefore(e);
  e.barrier();
  fenceAfterThreadSync(e);
  return success();
}

/// The operation of the block that contains `op`, its products included.
bool issuesProducts(Operation &op) {
  return op.walk([](tileas::TensorMemoryDotOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Something in front of `op` in its block waits for all products, and none is issued in between. Nobody
/// waits twice then: threads do not meet in between, and the second wait would pass by who is still in
/// the first.
bool waitedBefore(Operation *op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (TILESMITH_PLANT("tcgen05-waits-without-meeting")) {
      if (isa<tileas::TensorMemoryLoadOp, tileas::TensorMemoryScaleOp>(before))
        return wantsProducts(before);
      continue;
    }
    if (auto dot = dyn_cast<tileas::TensorMemoryDotOp>(before))
      return !areAsynchronous(dot.getAcc());
    if (wantsProducts(before))
      return true;
    if (issuesProducts(*before))
      return false;
  }
  return false;
}

/// Waits for all products where the operation wants that and nobody has; whether it does.
bool waitAsWanted(Emitter &e, Operation *op) {
  if (!wantsProducts(op) || waitedBefore(op))
    return false;
  if (!hasMetSinceWait(op) && !TILESMITH_PLANT("tcgen05-turn-waits-without-meeting"))
    e.barrier();
  waitForProducts(e);
  return true;
}

LogicalResult emitStage(Emitter &e, Operation *op) {
  auto stage = cast<tileas::TensorMemoryStageOp>(op);
  auto type = cast<RankedTensorType>(stage.getBuffer().getType());
  Operation *alloc = stage.getBuffer().getDefiningOp();
  const Tile tile = e.tile(stage.getSource());
  e.slotPlaces[stage.getResult()] = {alloc, e.i32(0)};
  bool meets = false, readByCores = false;
  for (Operation *user : stage.getResult().getUsers()) {
    auto dot = dyn_cast<tileas::TensorMemoryDotOp>(user);
    readByCores |= !isa<tileas::CopyOp>(user);
    meets |= !dot || anchorOf(dot)->getBlock() != op->getBlock();
  }
  // Products of the turn before read the buffer.
  if (!TILESMITH_PLANT("tcgen05-stage-wait-dropped"))
    waitAsWanted(e, op);
  SharedTile shared{e.slotAddress(alloc, e.i32(0)), tile.element,
                    e.elementBytes(type.getElementType()),
                    tileas::getSharedLayout(type).toLinear()};
  e.setScalar(stage.getResult(), shared.base);
  writeShared(e, tile, shared);
  if (readByCores && !TILESMITH_PLANT("tcgen05-stage-fence-dropped"))
    fenceAsyncProxy(e);
  if (meets && !TILESMITH_PLANT("shared-left-unawaited"))
    e.barrier();
  return success();
}

/// The next access of threads to tensor memory in front of `op`, or behind it, while nobody waits for products
/// or issues some: one fence serves both. Null where there is none.
Operation *neighbour(Operation *op, bool behind) {
  auto step = [&](Operation *at) { return behind ? at->getNextNode() : at->getPrevNode(); };
  for (Operation *at = step(op); at; at = step(at)) {
    if (isa<tileas::TensorMemoryLoadOp, tileas::TensorMemoryUpdateOp, tileas::TensorMemoryScaleOp>(
            at))
      return at;
    if (!isMemoryEffectFree(at) || (at->getNumRegions() && !isa<tileas::ReduceOp>(at)))
      return nullptr;
  }
  return nullptr;
}

/// In front of an access: products that were waited for were another thread's.
void fenceBehindWait(Emitter &e, Operation *op, bool waited) {
  if (waited || !neighbour(op, /*behind=*/false))
    fenceAfterThreadSync(e);
}

/// Behind an access: the products that follow come when all are done with it.
void fenceInFrontOfProducts(Emitter &e, Operation *op) {
  auto next = neighbour(op, /*behind=*/true);
  if (!isa_and_present<tileas::TensorMemoryUpdateOp, tileas::TensorMemoryScaleOp>(next))
    fenceBefore(e);
}

LogicalResult emitUpdate(Emitter &e, Operation *op) {
  auto update = cast<tileas::TensorMemoryUpdateOp>(op);
  // Products of the turn before read the columns.
  fenceBehindWait(e, op, waitAsWanted(e, op));
  Columns columns(
      e, cast<RankedTensorType>(update.getSource().getType()),
      columnsOf(e, update.getAcc(), update.getTurn() ? e.scalar(update.getTurn()) : Value()));
  storeSums(e, columns, e.tile(update.getSource()));
  if (!TILESMITH_PLANT("tcgen05-update-fence-dropped"))
    fenceInFrontOfProducts(e, op);
  return success();
}

LogicalResult emitLoad(Emitter &e, Operation *op) {
  auto load = cast<tileas::TensorMemoryLoadOp>(op);
  OpBuilder &b = e.builder;
  Tile tile = e.makeTile(load.getResult());
  e.setTile(load.getResult(), tile);
  fenceBehindWait(e, op, waitAsWanted(e, op));
  if (load->hasOneUse())
    if (auto store = dyn_cast<tileas::TensorMemoryStoreOp>(*load->getUsers().begin());
        store && staysInPlace(store)) {
      fenceInFrontOfProducts(e, op);
      return success();
    }
  Value first = columnsOf(e, load.getAcc(), load.getTurn() ? e.scalar(load.getTurn()) : Value());
  Columns columns(e, cast<RankedTensorType>(load.getResult().getType()),
                  load.getFirst() ? e.add(first, e.i32(load.getFirst())) : first);
  SmallVector<Columns::Piece> pieces = columns.pieces();
  SmallVector<Value> loads;
  auto receive = [&](ArrayRef<Columns::Piece> waited) {
    callTcgen05(e, "wait.ld", {}, {});
    for (auto [piece, loaded] : llvm::zip_equal(waited, loads))
      for (auto [i, held] : llvm::enumerate(loadedWords(e, loaded)))
        e.storeRegister(tile, e.i32(piece.first + i),
                        LLVM::BitcastOp::create(b, e.loc, tile.element, held));
    loads.clear();
  };
  // More than a thread holds: what is computed from a piece may come before the next one is there.
  const bool inTurn = tile.layout.getNumRegisters() > kMostHeld;
  for (const Columns::Piece &piece : pieces) {
    loads.push_back(startLoad(e, columns, piece));
    if (inTurn)
      receive(piece);
  }
  if (!inTurn)
    receive(pieces);
  fenceInFrontOfProducts(e, op);
  return success();
}

/// Some factor of the warp is not one.
Value changesSums(Emitter &e, const Tile &factors) {
  OpBuilder &b = e.builder;
  Value one = arith::ConstantOp::create(b, e.loc, b.getF32FloatAttr(1));
  auto differs = [&](Value index) {
    Value factor = e.loadRegister(factors, index);
    auto unequal = TILESMITH_PLANT("tcgen05-nan-factor-as-one") ? arith::CmpFPredicate::ONE
                                                                : arith::CmpFPredicate::UNE;
    return arith::CmpFOp::create(b, e.loc, unequal, factor, one);
  };
  Value mine = differs(e.i32(0));
  if (int64_t count = factors.layout.getNumRegisters();
      count > 1 && !TILESMITH_PLANT("tcgen05-scale-as-first-factor"))
    mine = e.unrolledLoop(1, count, 1, mine, [&](Value index, ValueRange carried) {
              return SmallVector<Value>{
                  arith::OrIOp::create(b, e.loc, carried.front(), differs(index))};
            }).front();
  if (TILESMITH_PLANT("tcgen05-scale-as-first-lane"))
    mine = arith::CmpIOp::create(
        b, e.loc, arith::CmpIPredicate::ne,
        e.shuffleFrom(arith::ExtUIOp::create(b, e.loc, b.getI32Type(), mine), e.i32(0)), e.i32(0));
  return NVVM::VoteSyncOp::create(b, e.loc, b.getI1Type(), e.i32(-1), mine,
                                  NVVM::VoteSyncKind::any);
}

LogicalResult emitScale(Emitter &e, Operation *op) {
  auto scale = cast<tileas::TensorMemoryScaleOp>(op);
  OpBuilder &b = e.builder;
  const Tile factors = e.tile(scale.getFactors());
  fenceBehindWait(e, op, waitAsWanted(e, op));
  e.when(changesSums(e, factors), [&] {
    auto store = scale.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
    Columns columns(e, cast<RankedTensorType>(store.getInit().getType()), e.scalar(scale.getAcc()));
    const int64_t sumsOfFactor = tileas::getLayout(store.getInit().getType()).getNumRegisters() /
                                 factors.layout.getNumRegisters();
    int64_t half = std::max(kFewestScaled, columns.shape.ownColumns() / 2);
    SmallVector<Columns::Piece> pieces = columns.pieces(std::min(half, kMostRegisters));
    Value next = startLoad(e, columns, pieces.front());
    for (auto [at, piece] : llvm::enumerate(pieces)) {
      callTcgen05(e, "wait.ld", {}, {});
      SmallVector<Value> words = loadedWords(e, next);
      if (at + 1 < pieces.size()) // under way while these are multiplied
        next = startLoad(e, columns, pieces[at + 1]);
      for (int64_t i = 0; i < piece.words; i += 2) {
        auto sum = [&](int64_t word) {
          return LLVM::BitcastOp::create(b, e.loc, b.getF32Type(), words[word]);
        };
        auto factor = [&](int64_t word) {
          return e.loadRegister(factors, e.i32((piece.first + word) / sumsOfFactor));
        };
        Value sums = e.pair(sum(i), sum(i + 1)), by = e.pair(factor(i), factor(i + 1));
        Value scaled = nvgpu_ext::MulPackedOp::create(b, e.loc, sums.getType(), sums, by,
                                                      nvgpu_ext::Rounding::rn, /*ftz=*/false);
        for (int64_t half : {0, 1})
          words[i + half] = LLVM::BitcastOp::create(b, e.loc, b.getI32Type(), e.half(scaled, half));
      }
      storeWords(e, columns, piece, [&](int64_t i) { return words[i]; });
    }
    callTcgen05(e, "wait.st", {}, {});
  });
  if (!TILESMITH_PLANT("tcgen05-scale-fence-dropped"))
    fenceInFrontOfProducts(e, op);
  return success();
}

} // namespace

void tileas_to_nvgpu::commitProducts(Emitter &e, Value barrier, int64_t blocks) {
  if (blocks == 1)
    return void(callTcgen05(e, "commit.shared.cg1", {}, barrier));
  callTcgen05(e, "commit.mc.shared.cg1", {}, {barrier, blockMask(e, blocks)});
}

void tileas_to_nvgpu::registerTensorMemory(HandlerTable &table) {
  table.operations.add<tileas::TensorMemoryStoreOp>(emitStore);
  table.operations.add<tileas::TensorMemoryDotOp>(emitTensorMemoryDot);
  table.operations.add<tileas::TensorMemoryLoadOp>(emitLoad);
  table.operations.add<tileas::TensorMemoryStageOp>(emitStage);
  table.operations.add<tileas::TensorMemoryUpdateOp>(emitUpdate);
  table.operations.add<tileas::TensorMemoryScaleOp>(emitScale);
  table.operations.add<tileas::TensorMemoryWaitOp>(emitTurnWait);
  table.operations.add<tileas::TensorMemoryIssueOp>(emitIssue);
  table.operations.add<tileas::TensorMemoryArrivedOp>(emitArrived);
  table.operations.add<tileas::TensorMemoryAnnounceOp>(emitAnnounce);
  table.operations.add<tileas::TensorMemoryAcquireOp>(emitAcquire);
  table.operations.add<tileas::TensorMemoryReleaseOp>(emitRelease);
}
