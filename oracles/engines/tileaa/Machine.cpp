//===- Machine.cpp - one tile block of an nv_tileaa function in execution ---------------------===//
#include "oracles/engines/tileaa/Machine.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "oracles/engines/tileaa/Claims.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using reference::inconclusive;

std::optional<ElementType> tilesmith::oracles::tileaa_engine::elementTypeOf(mlir::Type type) {
  type = mlir::getElementTypeOrSelf(type);
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type)) {
    for (ElementType e : reference::allElementTypes())
      if (reference::isInteger(e) && reference::widthOf(e) == integer.getWidth())
        return e;
    return std::nullopt;
  }
  return llvm::TypeSwitch<mlir::Type, std::optional<ElementType>>(type)
      .Case([](mlir::IndexType) { return ElementType::I64; })
      .Case([](tileaa::PtrType) { return ElementType::Pointer; })
      .Case([](mlir::Float16Type) { return ElementType::F16; })
      .Case([](mlir::BFloat16Type) { return ElementType::BF16; })
      .Case([](mlir::Float32Type) { return ElementType::F32; })
      .Case([](mlir::FloatTF32Type) { return ElementType::TF32; })
      .Case([](mlir::Float64Type) { return ElementType::F64; })
      .Case([](mlir::Float8E4M3FNType) { return ElementType::F8E4M3FN; })
      .Case([](mlir::Float8E5M2Type) { return ElementType::F8E5M2; })
      .Case([](mlir::Float8E8M0FNUType) { return ElementType::F8E8M0FNU; })
      .Case([](mlir::Float4E2M1FNType) { return ElementType::F4E2M1FN; })
      .Default([](mlir::Type) { return std::nullopt; });
}

std::optional<ElementType> tilesmith::oracles::tileaa_engine::pointeeTypeOf(mlir::Type type) {
  if (auto view = mlir::dyn_cast<tileaa::TiledViewType>(type))
    return elementTypeOf(view.getElementType());
  if (auto memref = mlir::dyn_cast<tileaa::MemRefType>(type))
    return elementTypeOf(memref.getElementType());
  auto pointer = mlir::dyn_cast<tileaa::PtrType>(mlir::getElementTypeOrSelf(type));
  return pointer ? elementTypeOf(pointer.getPointee()) : std::nullopt;
}

llvm::ArrayRef<int64_t> tilesmith::oracles::tileaa_engine::shapeOf(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? tensor.getShape() : llvm::ArrayRef<int64_t>();
}

Machine::Machine(LaunchState &launch, std::array<int64_t, 3> blockId)
    : launch(launch), blockId(blockId),
      observer(launch.makeObserver ? launch.makeObserver() : nullptr) {}

Machine::~Machine() {
  for (uint64_t base : owned)
    launch.memory.release(base);
}

Status Machine::scalar(mlir::Value v, llvm::StringRef what, uint64_t &bits) const {
  const Tile &t = tile(v);
  if (t.state(0) != State::Known)
    return inconclusive("unspecified-" + what.str(), what + " depends on an unspecified value");
  bits = t.bits()[0];
  return Status::success();
}

llvm::SmallVector<Machine::Value> Machine::values(mlir::ValueRange range) const {
  llvm::SmallVector<Value> result;
  for (mlir::Value v : range)
    result.push_back(get(v));
  return result;
}

void Machine::setAll(mlir::ValueRange results, llvm::ArrayRef<Value> values) {
  assert(results.size() == values.size());
  for (auto [result, value] : llvm::zip(results, values))
    set(result, value);
}

void Machine::push(mlir::Operation *owner, mlir::Block &block, llvm::ArrayRef<Value> arguments) {
  setAll(block.getArguments(), arguments);
  frames.push_back({owner, &block, block.begin()});
}

Status Machine::execute(mlir::Operation *op) {
  if (++launch.steps > launch.stepLimit)
    return inconclusive("step-limit", "too many ops executed");
  if (launch.elements > launch.elementLimit)
    return inconclusive("element-limit", "too many elements computed");
  const OpTable &ops = launch.ops ? *launch.ops : OpTable::get();
  const OpEntry *entry = ops.lookup(op);
  if (!entry || !entry->evaluate)
    return reference::unsupported("no evaluator for '" + op->getName().getStringRef() + "'" +
                                  (entry ? ": " + entry->reason : llvm::Twine("")));
  TILESMITH_TRY(entry->evaluate(*this, op));
  // Later stages have their own values: registers of threads. Facts are of whole tiles.
  return launch.ops ? Status::success() : checkFacts(*this, op);
}

Status Machine::runUntil(size_t depth, bool mayYield) {
  while (frames.size() > depth) {
    Frame &frame = frames.back();
    mlir::Operation *op = &*frame.next++;
    Status status = execute(op);
    if (status.failed()) {
      if (status.get().op.empty())
        status.get().op = op->getName().getStringRef().str();
      return status;
    }
    if (mayYield && giveWay)
      break;
  }
  return Status::success();
}

Status Machine::run(bool &finished) {
  giveWay = false;
  TILESMITH_TRY(runUntil(0, true));
  finished = frames.empty();
  return Status::success();
}

void Machine::startAgents(mlir::Operation *owner, mlir::MutableArrayRef<mlir::Region> agents,
                          llvm::ArrayRef<Value> arguments) {
  // The stack below goes on when all agents have ended.
  for (mlir::Region &region : llvm::drop_begin(agents)) {
    setAll(region.getArguments(), arguments.take_front(region.getNumArguments()));
    waitingAgents.push_back({{owner, &region.front(), region.front().begin()}});
  }
  push(owner, agents.front().front(), arguments.take_front(agents.front().getNumArguments()));
}

void Machine::endAgent() {
  // The first agent's frames stand on those of the block: they come last.
  if (!waitingAgents.empty()) {
    if (!frames.empty())
      blockFrames = std::move(frames);
    frames = std::move(waitingAgents.front());
    waitingAgents.pop_front();
  } else if (frames.empty()) {
    frames = std::move(blockFrames);
  }
  idleTurns = 0;
}

Status Machine::giveTurn() {
  if (waitingAgents.empty() || idleTurns++ > 2 * waitingAgents.size())
    return reference::undefined("deadlock", "every agent waits for another one");
  --frames.back().next;
  waitingAgents.push_back(std::move(frames));
  frames = std::move(waitingAgents.front());
  waitingAgents.pop_front();
  return Status::success();
}

Status Machine::runBody(mlir::Block &block, llvm::ArrayRef<Value> arguments,
                        llvm::SmallVectorImpl<Value> &results) {
  size_t depth = frames.size();
  push(block.getParentOp(), block, arguments);
  TILESMITH_TRY(runUntil(depth, false));
  results.clear();
  for (mlir::Value v : block.getTerminator()->getOperands())
    results.push_back(get(v));
  return Status::success();
}

void OpTable::addWithout(llvm::StringRef dialect, llvm::StringRef names, llvm::StringRef reason) {
  llvm::SmallVector<llvm::StringRef> list;
  names.split(list, ' ', -1, false);
  for (llvm::StringRef name : list)
    entries[(dialect + "." + name).str()] = {nullptr, false, reason};
}

const OpTable &OpTable::get() {
  static const OpTable table = [] {
    OpTable t;
    registerInteger(t);
    registerFloat(t);
    registerConversion(t);
    registerShape(t);
    registerMemory(t);
    registerMatrix(t);
    registerReduction(t);
    registerControl(t);
    registerMisc(t);
    registerAgents(t);
    return t;
  }();
  return table;
}
