//===- PipelineBuffers.cpp - shared memory of pipeline buffers, by liveness -------------------===//
//
// A buffer lives from its alloc_tensor to the last operation of the same block that uses its pipeline, or what was staged
// in it, and on to where threads wait for products that read it. Buffers whose lives do not overlap share memory: every
// pipeline starts with a barrier, and so does a buffer of its own.
// First fit in program order. The scratch area lies behind the buffers that are alive where it is
// used: every exchange begins with a barrier, too, and no copy is under way when a pipeline ends. What is free
// behind them decides over how many bytes exchanges take turns (nextPlace).
// Barriers and drafts of tensor maps lie in front of all that.
//
// Agents use buffers at the same time, so a ring lives as long as they do. But the agent that reads it has read
// all that was ever brought when it is behind its last read and has waited for products that read it, and a tile
// that it stores from shared memory, or a large one that its threads exchange, may take the ring's place. Not so
// where another agent waits for the stages: nobody tells these warps that the copies have landed.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/Tcgen05.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAS/IR/IssueSlice.h"
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

static int64_t stageBytes(Emitter &e, tileas::AllocTensorOp alloc) {
  auto type = cast<RankedTensorType>(alloc.getResult().getType());
  const int64_t places = int64_t(1) << tileas::getSharedLayout(type).getOffsets().size();
  return llvm::alignTo(places * e.elementBytes(type.getElementType()), kBufferAlignment);
}

static Region *agentOf(Operation *op) {
  auto agents = op->getParentOfType<tileas::AgentSwitchOp>();
  return agents
             ? llvm::find_if(agents.getAgents(),
                             [&](Region &agent) { return agent.isAncestor(op->getParentRegion()); })
             : nullptr;
}

/// Products of tensor cores read a ring until threads wait for their sums: the operation of `block` that does, `last`
/// where each turn does, or null where none does.
static Operation *waitsForProducts(ArrayRef<Operation *> uses, Operation *last, Block *block) {
  Operation *latest = last;
  for (Operation *use : uses) {
    auto read = dyn_cast<tileas::ConsumerReadOp>(use);
    Operation *own = read ? block->findAncestorOpInBlock(*read) : nullptr;
    if (!own)
      continue;
    for (auto dot : read.getBody().getOps<tileas::TensorMemoryDotOp>()) {
      Operation *first = nullptr;
      bool inTurn = false;
      for (Operation *user : dot.getAcc().getUsers()) {
        if (!isa<tileas::TensorMemoryLoadOp, tileas::TensorMemoryWaitOp>(user))
          continue;
        Operation *here = block->findAncestorOpInBlock(*user);
        inTurn |= here == own;
        if (here && own->isBeforeInBlock(here) && (!first || here->isBeforeInBlock(first)))
          first = here;
      }
      if (!first && !inTurn)
        return nullptr;
      if (first && latest->isBeforeInBlock(first))
        latest = first;
    }
  }
  return latest;
}

/// The only agent that waits for the stages of a buffer, and its last operation that uses the pipeline: both
/// null where there is none.
static std::pair<Region *, Operation *> readerOf(tileas::AllocTensorOp alloc) {
  Region *reader = nullptr;
  Operation *last = nullptr;
  SmallVector<Operation *> uses;
  for (Operation *user : alloc->getUsers()) {
    auto create = dyn_cast<tileas::CreatePipelineOp>(user);
    if (!create)
      return {};
    llvm::append_range(uses, create.getPipeline().getUsers());
  }
  for (Operation *use : uses)
    if (isa<tileas::ConsumerWaitOp>(use)) {
      Region *region = agentOf(use);
      if (!region || (reader && region != reader) || tileas::isDoneByOtherAgent(use))
        return {};
      reader = region;
    }
  if (!reader)
    return {};
  for (Operation *use : uses)
    if (Operation *here = reader->findAncestorOpInRegion(*use);
        here && (!last || last->isBeforeInBlock(here)))
      last = here;
  last = waitsForProducts(uses, last, last->getBlock());
  return last ? std::pair(reader, last) : std::pair<Region *, Operation *>();
}

/// Where the block waits for a product that `use`, an operation of it, has left under way: behind a loop its sums are
/// loaded or waited for; null where nothing does so behind it.
static Operation *waitBehind(tileas::TensorMemoryDotOp dot, Operation *use) {
  Operation *first = nullptr;
  for (Operation *user : dot.getAcc().getUsers()) {
    Operation *here = isa<tileas::TensorMemoryLoadOp, tileas::TensorMemoryWaitOp>(user)
                          ? use->getBlock()->findAncestorOpInBlock(*user)
                          : nullptr;
    if (here && use->isBeforeInBlock(here) && (!first || here->isBeforeInBlock(first)))
      first = here;
  }
  return first;
}

void Emitter::reservePipelineBuffers(Operation *root) {
  // Barriers first: their words are never shared.
  root->walk([&](Operation *op) {
    int64_t words = 0;
    if (auto create = dyn_cast<tileas::CreatePipelineOp>(op); create && create.getMbarriers())
      words = tileas_to_nvgpu::barrierWordsOf(create);
    else if (isa<tileas::CancelNextProgramIdOp>(op))
      words = 3; // a response of 16 bytes, a barrier
    else if (auto tokens = dyn_cast<tileas::InitMemTokensOp>(op))
      words = tokens.getHandles().size();
    if (!words)
      return;
    barrierWords[op] = scratchStart;
    scratchStart += llvm::alignTo(8 * words, 16);
  });
  reserveTensorMemory(root);
  reserveTensorMaps(root);
  scratchStart = llvm::alignTo(scratchStart, 128);
  sharedBytes = std::max(sharedBytes, scratchStart);
  llvm::DenseMap<Operation *, int64_t> number; // of the last operation inside, in program order
  llvm::DenseMap<Operation *, int64_t> &start = programOrder;
  SmallVector<tileas::AllocTensorOp> allocs;
  int64_t next = 0;
  auto visit = [&](auto &&self, Operation *op) -> void {
    start[op] = next++;
    if (auto alloc = dyn_cast<tileas::AllocTensorOp>(op))
      allocs.push_back(alloc);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          self(self, &inner);
    number[op] = next++;
  };
  visit(visit, root);
  if (allocs.empty())
    return programOrder.clear();

  int64_t base = llvm::alignTo(scratchStart, kBufferAlignment), end = base;
  for (tileas::AllocTensorOp alloc : allocs) {
    int64_t from = start[alloc], to = from;
    SmallVector<Value> work{alloc.getResult()};
    while (!work.empty()) {
      Value value = work.pop_back_val();
      for (Operation *user : value.getUsers()) {
        if (auto create = dyn_cast<tileas::CreatePipelineOp>(user);
            create && !TILESMITH_PLANT("ring-dies-with-its-pipeline"))
          work.push_back(create.getPipeline());
        else if (auto stage = dyn_cast<tileas::TensorMemoryStageOp>(user))
          work.push_back(stage.getResult());
        Operation *here = alloc->getBlock()->findAncestorOpInBlock(*user);
        if (!here)
          continue;
        to = std::max(to, number[here]);
        if (TILESMITH_PLANT("buffer-dies-under-products") ||
            TILESMITH_PLANT("tcgen05-sums-of-loop-unawaited")) // else the ring would outlive them
          continue;
        for (tileas::TensorMemoryDotOp dot : productsOf(user))
          if (Operation *wait = waitBehind(dot, here))
            to = std::max(to, number[wait]);
      }
    }
    int64_t bytes = stageBytes(*this, alloc) * alloc.getStages(), offset = base;
    for (bool moved = true; moved;) {
      moved = false;
      for (const BufferLife &other : bufferLives)
        if (other.from <= to && from <= other.to && offset < other.offset + other.bytes &&
            other.offset < offset + bytes) {
          offset = other.offset + other.bytes;
          moved = true;
        }
    }
    bufferLives.push_back({from, to, offset, bytes});
    auto [reader, last] = readerOf(alloc);
    if (reader)
      bufferLives.back().reader = reader, bufferLives.back().lastRead = number.lookup(last);
    pipelineBuffers[alloc] = offset;
    end = std::max(end, offset + bytes);
  }
  sharedBytes = end;
}

int64_t Emitter::scratchBase() const {
  int64_t base = std::max<int64_t>(scratchStart, llvm::alignTo(scratchFloor, 128)),
          now = programOrder.lookup(current);
  for (const BufferLife &life : bufferLives)
    if (life.from <= now && now <= life.to)
      base = std::max(base, life.offset + life.bytes);
  return base;
}

int64_t Emitter::stagingBase() const {
  int64_t base = std::max<int64_t>(scratchStart, llvm::alignTo(scratchFloor, 128)),
          now = programOrder.lookup(current);
  for (const BufferLife &life : bufferLives) {
    const bool isRead = life.reader && life.reader == current->getParentRegion() &&
                        (life.lastRead < now || TILESMITH_PLANT("staging-before-last-read"));
    if (life.from <= now && now <= life.to && !isRead)
      base = std::max(base, life.offset + life.bytes);
  }
  return base;
}

int64_t Emitter::bytesLeftByReaders() const {
  return sharedBytes - llvm::alignTo(stagingBase(), kBufferAlignment);
}

int64_t Emitter::bytesOfPlaces(int64_t bytes) const {
  auto kernel = current ? current->getParentOfType<tileaa::FuncOp>() : tileaa::FuncOp();
  if (!kernel)
    return kPlaces;
  const int64_t now = programOrder.lookup(current), base = scratchBase();
  int64_t wanted = kPlaces;
  if (bufferLives.empty())
    wanted = std::max(kPlacesAlone, std::min(3 * bytes, kMostPlaces));
  else if (llvm::none_of(bufferLives, [&](const BufferLife &life) {
             return life.from <= now && now <= life.to;
           })) // rings lie there at other times
    wanted = std::max(kPlaces, sharedBytes - base);
  const target::GpuTarget &gpu = tileaa::getTarget(kernel->getParentOfType<ModuleOp>());
  return std::min(wanted, tileas::sharedBytesOfBlock(gpu, tileas::blocksTogether(kernel)) - base);
}

int64_t Emitter::nextPlace(int64_t bytes, int64_t alignment) {
  const int64_t base = scratchBase(),
                limit = base + bytesOfPlaces(alignment == kBufferAlignment ? bytes : 0);
  ArrayRef<std::pair<int64_t, int64_t>> others(lastPlaces);
  if (!current || !current->getParentOfType<LoopLikeOpInterface>())
    others = others.take_front(1);
  int64_t place = llvm::alignTo(base, alignment);
  for (; !others.empty(); others = others.drop_back()) {
    int64_t beside = place;
    for (bool moved = true; moved;) {
      moved = false;
      for (auto [first, last] : others)
        if (first < beside + bytes && beside < last) {
          beside = llvm::alignTo(last, alignment);
          moved = true;
        }
    }
    if (beside + bytes <= limit) {
      place = beside;
      break;
    }
  }
  lastPlaces = {std::pair(place, place + bytes), lastPlaces[0]};
  return place - base;
}

Value Emitter::barrierWord(Operation *op, Value index) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base = LLVM::AddressOfOp::create(builder, loc, pointer, "global_smem");
  Value offset = add(mul(index, i32(8)), i32(barrierWords.lookup(op)));
  return elementPointer(base, builder.getI8Type(), offset);
}

Value Emitter::slotAddress(Operation *allocOp, Value stage) {
  auto alloc = cast<tileas::AllocTensorOp>(allocOp);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base = LLVM::AddressOfOp::create(builder, loc, pointer, "global_smem");
  const int64_t first = pipelineBuffers.lookup(allocOp), bytes = stageBytes(*this, alloc);
  nvgpu_ext::setReach(base.getDefiningOp(),
                      builder.getDenseI64ArrayAttr({first, first + bytes * alloc.getStages()}));
  Value offset = add(mul(stage, i32(bytes)), i32(first));
  return elementPointer(base, builder.getI8Type(), offset);
}

Value Emitter::slotUnits(Value slot) {
  auto [allocOp, stage] = slotPlaces.lookup(slot);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base = LLVM::AddressOfOp::create(builder, loc, pointer, "global_smem");
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), base);
  address = add(address, i32(pipelineBuffers.lookup(allocOp)));
  int64_t bytes = stageBytes(*this, cast<tileas::AllocTensorOp>(allocOp));
  int64_t units = bytes / kDescriptorUnit;
  if (TILESMITH_PLANT("descriptor-stage-halved"))
    units /= 2;
  return add(addressUnits(address), mul(stage, i32(units)));
}

Value Emitter::addressUnits(Value address) {
  Value inWindow = arith::AndIOp::create(builder, loc, address, i32(0x3ffff));
  return arith::ShRUIOp::create(builder, loc, inWindow, i32(llvm::Log2_64(kDescriptorUnit)));
}

Value Emitter::descriptor(Value units, uint64_t fixedBits) {
  Type i64Type = builder.getI64Type();
  Value low = add(units, i32(int32_t(fixedBits)));
  Value whole =
      arith::OrIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, i64Type, low),
                           i64(int64_t(fixedBits >> 32 << 32)));
  return opaque(whole);
}

Value Emitter::opaque(Value number, bool anew) {
  const char *form = number.getType().isInteger(64) ? "=l,0" : "=r,0";
  return LLVM::InlineAsmOp::create(builder, loc, number.getType(), number, "", form,
                                   /*has_side_effects=*/anew, /*is_align_stack=*/false,
                                   LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
                                   /*operand_attrs=*/{})
      .getRes();
}
