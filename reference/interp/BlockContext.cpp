//===- BlockContext.cpp - one tile block in execution -----------------------------------------===//
#include "reference/interp/BlockContext.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Registry.h"

using namespace tilesmith;
using namespace tilesmith::reference;

std::string tilesmith::reference::describeLocation(mlir::Location location) {
  if (mlir::isa<mlir::UnknownLoc>(location))
    return "unknown location";
  // The source position inside debug scopes and call chains says enough.
  mlir::Location inner = location;
  while (true) {
    if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(inner))
      inner = call.getCallee();
    else if (auto named = mlir::dyn_cast<mlir::NameLoc>(inner))
      inner = named.getChildLoc();
    else if (auto scoped = mlir::dyn_cast<cuda_tile::DILocAttr>(inner))
      inner = scoped.getSourceLoc();
    else
      break;
  }
  if (auto position = mlir::dyn_cast<mlir::FileLineColLoc>(inner))
    return llvm::formatv("{0}:{1}:{2}", position.getFilename().getValue(), position.getLine(),
                         position.getColumn())
        .str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  location.print(stream);
  llvm::StringRef s = text;
  if (s.consume_front("loc("))
    s.consume_back(")");
  return s.str();
}

/// Bytes of a value's tile; shared tiles count once per holder.
static uint64_t bytesHeld(const Value &value) {
  return value.isTile() ? value.tile().byteSize() : 0;
}

BlockContext::~BlockContext() {
  for (uint64_t base : ownedAllocations)
    launch.memory.release(base);
  for (const auto &[v, value] : environment)
    launch.tileBytes -= bytesHeld(value);
}

void BlockContext::set(mlir::Value v, Value value) {
  Value &slot = environment[v];
  launch.tileBytes += bytesHeld(value) - bytesHeld(slot);
  slot = std::move(value);
}

const Value &BlockContext::get(mlir::Value v) const {
  auto it = environment.find(v);
  assert(it != environment.end() && "value used before it is computed");
  return it->second;
}

/// [spec: flow-decided]
Status BlockContext::scalar(mlir::Value v, llvm::StringRef what, uint64_t &bits) const {
  const Tile &t = tile(v);
  if (t.state(0) != State::Known) // never enclosed: what decides is no float
    return inconclusive("unspecified-" + what.str(), what + " depends on an unspecified value");
  bits = t.bits()[0];
  return Status::success();
}

void BlockContext::push(mlir::Operation *owner, mlir::Block &block,
                        llvm::ArrayRef<Value> arguments) {
  assert(arguments.size() == block.getNumArguments());
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    set(argument, value);
  frames.push_back({owner, &block, block.begin(), {}});
}

void BlockContext::enter(mlir::Block &body, mlir::Operation *owner,
                         llvm::ArrayRef<Value> arguments) {
  push(owner, body, arguments);
}

Status LaunchState::checkLimits() {
  if (steps > limits.steps)
    return inconclusive("step-limit", "more than " + llvm::Twine(limits.steps) + " ops executed");
  if (elements > limits.elements)
    return inconclusive("element-limit",
                        "more than " + llvm::Twine(limits.elements) + " elements computed");
  if (tileBytes > limits.tileBytes)
    return inconclusive("tile-limit",
                        "tiles hold more than " + llvm::Twine(limits.tileBytes) + " bytes");
  if (steps - timedSteps > 256 || elements - timedElements > (1 << 22)) {
    timedSteps = steps;
    timedElements = elements;
    if (std::chrono::steady_clock::now() > deadline)
      return inconclusive("time-limit", "launch ran longer than its time limit");
  }
  return Status::success();
}

Status BlockContext::execute(mlir::Operation *op) {
  ++launch.steps;
  TILESMITH_TRY(launch.checkLimits());
  const RegistryEntry *entry = Registry::get().lookup(op->getName().getTypeID());
  if (!entry || !entry->evaluate)
    return unsupported("no evaluator for '" + op->getName().getStringRef() + "'" +
                       (entry ? ": " + entry->reason : llvm::Twine("")));
  TILESMITH_TRY(entry->evaluate(*this, op));
  if (encloses())
    noteOrigins(op, *entry);
  return Status::success();
}

/// Marks the vacuous elements of the results with what the operands say of theirs, else with this
/// op.
void BlockContext::noteOrigins(mlir::Operation *op, const RegistryEntry &entry) {
  for (mlir::Value v : op->getResults()) {
    auto it = environment.find(v);
    const Tile *result =
        it != environment.end() && it->second.isTile() ? &it->second.tile() : nullptr;
    const PackedSpread *spreads = result ? result->spreadData() : nullptr;
    auto isUnmarked = [](const PackedSpread &s) {
      return s.isVacuous() && s.origin() == PackedSpread::kNoOrigin;
    };
    if (!spreads || llvm::none_of(llvm::ArrayRef(spreads, result->size()), isUnmarked))
      continue;
    unsigned own = Registry::originOf(entry, result->type());
    auto inherited = [&](size_t i) {
      for (mlir::Value operand : op->getOperands()) {
        const Value &value = get(operand);
        const PackedSpread *given = value.isTile() ? value.tile().spreadData() : nullptr;
        if (!given)
          continue;
        llvm::ArrayRef<PackedSpread> all(given, value.tile().size());
        if (all.size() == result->size() && all[i].isVacuous())
          return all[i].origin();
        const auto *first = llvm::find_if(all, [](const PackedSpread &s) { return s.isVacuous(); });
        if (all.size() != result->size() && first != all.end())
          return first->origin();
      }
      return own;
    };
    Tile marked = *result;
    PackedSpread *words = marked.spreadData();
    for (size_t i = 0; i < marked.size(); ++i)
      if (isUnmarked(words[i]))
        words[i].setOrigin(inherited(i));
    set(v, std::move(marked));
  }
}

Status BlockContext::runUntil(size_t depth, bool mayYield) {
  while (frames.size() > depth) {
    Frame &frame = frames.back();
    assert(frame.next != frame.block->end() && "region without terminator");
    mlir::Operation *op = &*frame.next++;
    Status status = execute(op);
    if (status.failed()) {
      Stop &stop = status.get();
      if (stop.op.empty()) {
        stop.op = op->getName().getStringRef().str();
        stop.location = describeLocation(op->getLoc());
      }
      return status;
    }
    if (mayYield && yieldRequested)
      break;
  }
  return Status::success();
}

void BlockContext::noteUndecided(mlir::Operation *op) {
  if (!launch.undecided.insert(op).second)
    return; // noted before
  note("undecided: '" + op->getName().getStringRef() +
       "' depends on a value known only within bounds, at " + describeLocation(op->getLoc()));
}

void BlockContext::poll() {
  constexpr uint64_t patience = 64;
  if (++polls % patience == 0)
    yieldRequested = true;
}

Status BlockContext::run(Progress &progress) {
  yieldRequested = false;
  TILESMITH_TRY(runUntil(0, true));
  progress = frames.empty() ? Progress::Finished : Progress::Yielded;
  return Status::success();
}

Status BlockContext::runBody(mlir::Block &block, llvm::ArrayRef<Value> arguments,
                             llvm::SmallVectorImpl<Value> &results) {
  size_t depth = frames.size();
  push(block.getParentOp(), block, arguments);
  TILESMITH_TRY(runUntil(depth, false));
  results.clear();
  for (mlir::Value v : block.getTerminator()->getOperands())
    results.push_back(get(v));
  return Status::success();
}
