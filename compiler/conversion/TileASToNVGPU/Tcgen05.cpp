//===- Tcgen05.cpp - products that accumulate in tensor memory, per thread --------------------===//
//
// tcgen05.md says what the instructions demand. The first warp allocates the columns of all products
// when the kernel starts, and gives them back at its end. Two words of shared memory belong to the
// kernel: a barrier on which somebody waits for all products so far, and the address of the columns.
//
//   tensor_memory.store   every warp stores its rows, all meet
//   tensor_memory.update  every warp stores its rows
//   tensor_memory.stage   every thread writes its elements to shared memory
//   tensor_memory.dot     all meet where threads wrote operands or sums, or read the sums that it
//                         overwrites; the first thread issues the instructions, in front of them
//                         those that copy scales; without mbarriers everybody waits until they are
//                         complete
//   tensor_memory.load    with mbarriers everybody waits for all products, unless nobody issued one
//                         since the last wait; then every warp loads its rows
//
// Where a pipeline has mbarriers, its release commits the products to "empty" (Mbarriers.cpp).
//
// Loaded values pass through an empty assembly statement behind the wait, so that nothing that uses
// them can be scheduled before it. LLVM takes an instruction for one that only writes the sums, and
// would drop one that is repeated; an empty statement behind each keeps them apart.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
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
using tileas::TensorCoreAtom;
using tileas::TensorMemoryShape;
using tileas::WarpgroupOperand;

namespace {

/// Registers of one load or store.
constexpr int64_t kMostRegisters = 32;
enum : int64_t { kDoneWord, kAddressWord, kWords };

Value call(Emitter &e, const Twine &name, Type result, ValueRange arguments) {
  StringAttr full = e.builder.getStringAttr("llvm.nvvm.tcgen05." + name);
  if (result)
    return LLVM::CallIntrinsicOp::create(e.builder, e.loc, result, full, arguments).getResult(0);
  LLVM::CallIntrinsicOp::create(e.builder, e.loc, full, arguments);
  return {};
}

Value tensorPointer(Emitter &e, Value address) {
  return LLVM::IntToPtrOp::create(e.builder, e.loc,
                                  LLVM::LLVMPointerType::get(e.builder.getContext(), 6), address);
}

Value word(Emitter &e, int64_t index) {
  return e.barrierWord(e.tensorMemory.owner, e.i32(index));
}

void fenceBefore(Emitter &e) {
  call(e, "fence.before.thread.sync", {}, {});
}
void fenceAfter(Emitter &e) {
  call(e, "fence.after.thread.sync", {}, {});
}

Value firstWarp(Emitter &e) {
  return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, e.warpIndex(), e.i32(0));
}

/// Everybody waits until the products that the first thread has issued are complete.
void waitForProducts(Emitter &e) {
  Type i32 = e.builder.getI32Type();
  if (!TILESMITH_PLANT("tcgen05-commit-dropped"))
    e.when(firstThread(e), [&] { commitProducts(e, word(e, kDoneWord)); });
  Value round = e.load(e.tensorMemory.rounds, i32);
  e.store(e.add(round, e.i32(1)), e.tensorMemory.rounds);
  if (TILESMITH_PLANT("tcgen05-wait-dropped"))
    return;
  waitParity(e, word(e, kDoneWord),
             arith::TruncIOp::create(e.builder, e.loc, e.builder.getI1Type(), round));
}

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

  /// f(register, pointer, words) for every instruction, whose shape is `form`; `register` is the
  /// first of `packed` that share a word.
  void forEach(llvm::function_ref<void(int64_t, Value, int64_t)> f) const {
    int64_t perColumn = shape.isHalf() ? 2 : 1; // columns of a register
    int64_t registers = shape.ownColumns() / perColumn / packed;
    int64_t step = std::min(registers, kMostRegisters);
    for (int64_t block = 0; block < shape.ownBlocks(); ++block)
      for (int64_t at = 0; at < registers; at += step) {
        int64_t column = block * shape.groupsM * shape.n / packed + at * perColumn;
        f((block * registers + at) * packed, tensorPointer(e, e.add(address, e.i32(column))), step);
      }
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

void keepApart(Emitter &e) {
  LLVM::InlineAsmOp::create(e.builder, e.loc, Type(), ValueRange(), "", "~{memory}",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
                            /*operand_attrs=*/{});
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

void storeSums(Emitter &e, const Columns &columns, const Tile &tile) {
  OpBuilder &b = e.builder;
  columns.forEach([&](int64_t first, Value pointer, int64_t count) {
    auto vector = VectorType::get({count}, b.getI32Type());
    Value words = LLVM::PoisonOp::create(b, e.loc, vector);
    for (int64_t i = 0; i < count; ++i)
      words = LLVM::InsertElementOp::create(
          b, e.loc, words, wordOf(e, tile, first + i * columns.packed, columns.packed), e.i32(i));
    call(e, "st." + columns.form(count), {}, {pointer, words, e.truth(false)});
  });
  call(e, "wait.st", {}, {});
}

/// Some other sums take columns of these, at another time.
bool sharesColumns(tileas::TensorMemoryStoreOp store) {
  auto range = [](tileas::TensorMemoryStoreOp op) {
    int64_t first = op.getColumn();
    return std::pair(
        first, first + tileas::tensorMemoryColumns(cast<RankedTensorType>(op.getInit().getType())));
  };
  auto [first, end] = range(store);
  bool shares = false;
  store->getParentOfType<tileaa::FuncOp>()->walk([&](tileas::TensorMemoryStoreOp other) {
    auto [from, to] = range(other);
    shares |= other != store && from < end && first < to;
  });
  return shares;
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
  if (sharesColumns(store)) { // all have read what lay there
    e.barrier();
    fenceAfter(e);
  }
  storeSums(e, columns, tile);
  if (!TILESMITH_PLANT("tcgen05-store-fence-dropped"))
    fenceBefore(e);
  e.barrier();
  fenceAfter(e);
  return success();
}

/// Whether products into `acc` may be under way where they are loaded.
bool areAsynchronous(Value acc) {
  return llvm::any_of(acc.getUsers(), [](Operation *user) {
    auto read = user->getParentOfType<tileas::ConsumerReadOp>();
    return read && read.getPipeline().getDefiningOp<tileas::CreatePipelineOp>().getMbarriers();
  });
}

/// The operation of the block that contains `op`, its products included.
bool issuesProducts(Operation &op) {
  return op.walk([](tileas::TensorMemoryDotOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// A load in front of `op` in its block waits for all products, and none is issued in between.
bool waitedBefore(Operation *op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (auto load = dyn_cast<tileas::TensorMemoryLoadOp>(before))
      return areAsynchronous(load.getAcc());
    if (issuesProducts(*before))
      return false;
  }
  return false;
}

/// The operation of a product in the block of its loop.
Operation *anchorOf(tileas::TensorMemoryDotOp dot) {
  if (auto read = dyn_cast<tileas::ConsumerReadOp>(dot->getParentOp()))
    return read;
  return dot;
}

/// Products of the block that all threads meet in front of: they wrote operands or sums for them.
bool readsWhatThreadsWrote(tileas::TensorMemoryDotOp dot) {
  Block *block = anchorOf(dot)->getBlock();
  for (Value operand : {Value(dot.getLhs()), Value(dot.getRhs())})
    if (auto stage = operand.getDefiningOp<tileas::TensorMemoryStageOp>();
        stage && stage->getBlock() == block)
      return true;
  for (Value columns : {Value(dot.getAcc()), Value(dot.getLhs())})
    for (Operation *user : columns.getUsers())
      if (isa<tileas::TensorMemoryUpdateOp>(user) && user->getBlock() == block)
        return true;
  return false;
}

/// All threads meet before the product is issued. One that overwrites sums comes behind their loads:
/// a product that all meet in front of may stand between.
bool meetsBefore(tileas::TensorMemoryDotOp dot) {
  if (readsWhatThreadsWrote(dot))
    return true;
  if (!dot.getOverwrites())
    return false;
  Operation *anchor = anchorOf(dot);
  Operation *last = anchor;
  for (Operation *user : dot.getAcc().getUsers())
    if (isa<tileas::TensorMemoryLoadOp>(user)) {
      if (user->getBlock() != anchor->getBlock() || user->isBeforeInBlock(anchor))
        return true;
      if (last->isBeforeInBlock(user))
        last = user;
    }
  for (Operation *next = last->getNextNode(); next; next = next->getNextNode())
    if (auto read = dyn_cast<tileas::ConsumerReadOp>(next))
      for (auto other : read.getBody().getOps<tileas::TensorMemoryDotOp>())
        if (readsWhatThreadsWrote(other))
          return false;
  return true;
}

LogicalResult emitStage(Emitter &e, Operation *op) {
  auto stage = cast<tileas::TensorMemoryStageOp>(op);
  auto type = cast<RankedTensorType>(stage.getBuffer().getType());
  Operation *alloc = stage.getBuffer().getDefiningOp();
  const Tile tile = e.tile(stage.getSource());
  e.slotPlaces[stage.getResult()] = {alloc, e.i32(0)};
  bool meets = false, asynchronous = false;
  for (Operation *user : stage.getResult().getUsers()) {
    auto dot = cast<tileas::TensorMemoryDotOp>(user);
    meets |= anchorOf(dot)->getBlock() != op->getBlock();
    asynchronous |= areAsynchronous(dot.getAcc());
  }
  // Products of the turn before read the buffer.
  if (asynchronous && isa<scf::ForOp>(op->getParentOp()) && alloc->getBlock() != op->getBlock() &&
      !waitedBefore(op) && !TILESMITH_PLANT("tcgen05-stage-wait-dropped"))
    waitForProducts(e);
  SharedTile shared{e.slotAddress(alloc, e.i32(0)), tile.element,
                    e.elementBytes(type.getElementType()),
                    tileas::getSharedLayout(type).toLinear()};
  writeShared(e, tile, shared);
  if (!TILESMITH_PLANT("tcgen05-stage-fence-dropped"))
    fenceAsyncProxy(e);
  if (meets)
    e.barrier();
  return success();
}

LogicalResult emitUpdate(Emitter &e, Operation *op) {
  auto update = cast<tileas::TensorMemoryUpdateOp>(op);
  // Products of the turn before read the columns.
  bool asynchronous = llvm::any_of(update.getAcc().getUsers(), [&](Operation *user) {
    auto dot = dyn_cast<tileas::TensorMemoryDotOp>(user);
    return dot && areAsynchronous(dot.getAcc());
  });
  if (asynchronous && isa<scf::ForOp>(op->getParentOp()) && !waitedBefore(op))
    waitForProducts(e);
  fenceAfter(e); // a product that is waited for was another thread's
  Columns columns(e, cast<RankedTensorType>(update.getSource().getType()),
                  e.scalar(update.getAcc()));
  storeSums(e, columns, e.tile(update.getSource()));
  if (!TILESMITH_PLANT("tcgen05-update-fence-dropped"))
    fenceBefore(e);
  return success();
}

LogicalResult emitLoad(Emitter &e, Operation *op) {
  auto load = cast<tileas::TensorMemoryLoadOp>(op);
  OpBuilder &b = e.builder;
  Tile tile = e.makeTile(load.getResult());
  e.setTile(load.getResult(), tile);
  if (areAsynchronous(load.getAcc()) && !waitedBefore(op))
    waitForProducts(e);
  fenceAfter(e);
  Columns columns(e, cast<RankedTensorType>(load.getResult().getType()), e.scalar(load.getAcc()));
  columns.forEach([&](int64_t first, Value pointer, int64_t count) {
    auto vector = VectorType::get({count}, b.getI32Type());
    Value loaded = call(e, "ld." + columns.form(count), vector, {pointer, e.truth(false)});
    call(e, "wait.ld", {}, {});
    SmallVector<Value> words;
    for (int64_t i = 0; i < count; ++i)
      words.push_back(LLVM::ExtractElementOp::create(b, e.loc, loaded, e.i32(i)));
    for (auto [i, held] : llvm::enumerate(pin(e, words)))
      e.storeRegister(tile, e.i32(first + i),
                      LLVM::BitcastOp::create(b, e.loc, tile.element, held));
  });
  fenceBefore(e);
  return success();
}

//===- product ------------------------------------------------------------------------------------//

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
    uint64_t mode = form.width == 128 ? 2 : form.width == 64 ? 4 : 6;
    uint64_t leading = isKMajor() ? 1 : form.panelBytes() >> 4, stride = 8 * form.width >> 4;
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

/// Scales of one operand in tensor memory: four of a row or column in a word, 128 rows in four columns,
/// further rows in the next ones, then further words.
struct Scales {
  int64_t rows, words; ///< words of a row
  Value first;         ///< column

  /// Of row `row` and element `k`.
  Value column(Emitter &e, int64_t row, int64_t k) const {
    int64_t word = k / (tileas::kScaledBlock * tileas::kScalesOfWord);
    return tensorPointer(e, e.add(first, e.i32((word * rows + row) / 32)));
  }
};

/// Copies what a slot in `scaleLayout` holds, 128 rows and four scales of each at a time.
Scales copyScales(Emitter &e, Value slot, int64_t blocks, Value first) {
  constexpr int64_t kPieceBytes = 512, kLineBytes = 16;
  int64_t count = cast<RankedTensorType>(slot.getType()).getNumElements();
  // Eight lines follow each other, then the next eight.
  uint64_t fixedBits = uint64_t(1) << 46 | uint64_t(8 * kLineBytes >> 4) << 32;
  Value base = e.descriptor(e.slotUnits(slot), fixedBits);
  for (int64_t piece = 0; piece < count / kPieceBytes; ++piece) {
    Value from = piece ? e.opaque(e.add(base, e.i64(piece * kPieceBytes >> 4))) : base;
    if (TILESMITH_PLANT("tcgen05-scales-of-first-piece"))
      from = base;
    call(e, "cp.32x128b_warpx4.cg1", {},
         {tensorPointer(e, e.add(first, e.i32(piece * kLineBytes / 4))), from});
    keepApart(e);
  }
  return {count / blocks, blocks / tileas::kScalesOfWord, first};
}

LogicalResult emitProduct(Emitter &e, Operation *op) {
  auto dot = cast<tileas::TensorMemoryDotOp>(op);
  const TensorCoreAtom *atom = tileas::findTensorCoreAtom(dot.getAtom());
  auto store = dot.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
  auto type = cast<RankedTensorType>(store.getInit().getType());
  auto shape = tileas::tensorMemoryShape(type.getDimSize(0), type.getDimSize(1), e.numWarps);
  if (!atom || !shape)
    return op->emitOpError("expected a product in tensor memory, got ") << dot.getAtom();
  int64_t depth = dot.getLhsTile().getDimSize(1);
  bool lhsInTensorMemory = isa<tileas::AccumulatorType>(dot.getLhs().getType());
  LogicalResult status = success();
  if (meetsBefore(dot) && !TILESMITH_PLANT("tcgen05-meeting-dropped"))
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
    fenceAfter(e);
    int64_t n = shape->instructionN();
    std::optional<Scales> leftScales, rightScales;
    if (atom->isScaled()) {
      int64_t blocks = depth / tileas::kScaledBlock;
      Value first = e.add(e.tensorMemory.base, e.i32(dot.getScaleColumn()));
      leftScales = copyScales(e, dot.getScales()[0], blocks, first);
      first = e.add(first, e.i32(leftScales->rows * leftScales->words / 32));
      rightScales = copyScales(e, dot.getScales()[1], blocks, first);
    }
    int64_t instruction = int64_t(atom->isScaled() ? 0 : atom->sum) << 4 | atom->lhs << 7 |
                          atom->rhs << 10 | int64_t(atom->isScaled()) << 23 |
                          int64_t(lhs && !lhs->isKMajor()) << 15 | int64_t(!rhs->isKMajor()) << 16 |
                          (n >> 3) << 17 | (shape->rows() >> 4) << 24;
    for (int64_t k = 0; k < depth; k += atom->k())
      for (int64_t block = 0; block < shape->blocks(); ++block)
        for (int64_t column = 0; column < shape->n; column += n) {
          int64_t at = block * shape->n + column;
          if (TILESMITH_PLANT("tcgen05-columns-shifted"))
            at ^= 8;
          bool fresh = dot.getOverwrites() && !TILESMITH_PLANT("tcgen05-overwrite-accumulates");
          bool accumulates = k || (!fresh && !TILESMITH_PLANT("tcgen05-accumulate-dropped"));
          Value left;
          if (lhs) {
            left = lhs->descriptor(e, block * shape->rows(), k);
          } else {
            int64_t packed = tileas::elementsOfWord(dot.getLhsTile());
            int64_t word = (block * depth + k) / packed;
            if (TILESMITH_PLANT("tcgen05-fragment-step-halved"))
              word /= 2;
            left = tensorPointer(e, e.add(e.scalar(dot.getLhs()), e.i32(word)));
          }
          Value sums = tensorPointer(e, e.add(e.scalar(dot.getAcc()), e.i32(at))),
                right = rhs->descriptor(e, column, k);
          if (atom->isScaled()) {
            // Which byte of a word.
            int64_t byte = k / tileas::kScaledBlock % tileas::kScalesOfWord;
            if (TILESMITH_PLANT("tcgen05-scale-byte-kept"))
              byte = 0;
            int64_t row = TILESMITH_PLANT("tcgen05-scale-rows-kept") ? 0 : block * shape->rows();
            call(e, "mma.shared.mxf8f6f4.block_scale", {},
                 {sums, left, right, e.i32(int32_t(instruction | byte << 4 | byte << 29)),
                  e.truth(accumulates), leftScales->column(e, row, k),
                  rightScales->column(e, column, k), e.i32(1), e.i32(0)});
          } else {
            call(e, lhs ? "mma.shared" : "mma.tensor", {},
                 {sums, left, right, e.i32(instruction), e.truth(accumulates), e.i32(atom->kind),
                  e.i32(1), e.i32(0)});
          }
          keepApart(e);
        }
  });
  if (!areAsynchronous(dot.getAcc()))
    waitForProducts(e);
  return status;
}

} // namespace

void Emitter::reserveTensorMemory(Operation *root) {
  int64_t columns = 0;
  root->walk([&](tileas::TensorMemoryStoreOp store) {
    auto type = cast<RankedTensorType>(store.getInit().getType());
    columns = std::max<int64_t>(columns, store.getColumn() + tileas::tensorMemoryColumns(type));
  });
  root->walk([&](tileas::TensorMemoryDotOp dot) {
    columns = std::max<int64_t>(columns, dot.getScaleColumn() + dot.getScaleColumns());
  });
  if (!columns)
    return;
  tensorMemory.owner = root;
  tensorMemory.columns = std::max<int64_t>(32, llvm::PowerOf2Ceil(columns));
  barrierWords[root] = scratchStart;
  scratchStart += 8 * kWords;
}

void tileas_to_nvgpu::claimTensorMemory(Emitter &e) {
  if (!e.tensorMemory.owner)
    return;
  e.tensorMemory.rounds = e.makeCounter();
  e.when(firstWarp(e), [&] {
    call(e, "alloc.shared.cg1", {}, {word(e, kAddressWord), e.i32(e.tensorMemory.columns)});
    call(e, "relinq.alloc.permit.cg1", {}, {});
  });
  e.when(firstThread(e), [&] {
    initMbarrier(e, word(e, kDoneWord), 1);
    NVVM::FenceMbarrierInitOp::create(e.builder, e.loc);
  });
  e.barrier();
  fenceAfter(e);
  e.tensorMemory.base = e.load(word(e, kAddressWord), e.builder.getI32Type());
}

void tileas_to_nvgpu::releaseTensorMemory(Emitter &e) {
  if (!e.tensorMemory.owner || TILESMITH_PLANT("tcgen05-columns-kept"))
    return;
  e.barrier();
  e.when(firstWarp(e), [&] {
    fenceAfter(e);
    call(e, "dealloc.cg1", {},
         {tensorPointer(e, e.tensorMemory.base), e.i32(e.tensorMemory.columns)});
  });
}

void tileas_to_nvgpu::commitProducts(Emitter &e, Value barrier) {
  call(e, "commit.shared.cg1", {}, barrier);
}

void tileas_to_nvgpu::registerTensorMemory(HandlerTable &table) {
  table.operations.add<tileas::TensorMemoryStoreOp>(emitStore);
  table.operations.add<tileas::TensorMemoryDotOp>(emitProduct);
  table.operations.add<tileas::TensorMemoryLoadOp>(emitLoad);
  table.operations.add<tileas::TensorMemoryStageOp>(emitStage);
  table.operations.add<tileas::TensorMemoryUpdateOp>(emitUpdate);
}
