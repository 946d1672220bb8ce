//===- Schedule.cpp - what both halves of scheduling ask about a loop -------------------------===//
#include "compiler/dialect/TileAS/Transforms/Schedule.h"

#include "compiler/dialect/TileAA/Transforms/AliasScopes.h"
#include "compiler/support/Plants.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

Value tileas::tokenOperand(Operation *load) {
  if (auto tiled = dyn_cast<TiledLoadOp>(load))
    return tiled.getToken();
  if (auto gather = dyn_cast<GatherLoadOp>(load))
    return gather.getToken();
  return cast<LoadOp>(load).getToken();
}

SmallVector<Value> tileas::addressOperands(Operation *load) {
  Value token = tokenOperand(load);
  SmallVector<Value> operands;
  for (Value operand : load->getOperands())
    if (operand != token)
      operands.push_back(operand);
  return operands;
}

std::optional<std::string> tileas::addAddressSlice(scf::ForOp loop, Operation *load,
                                                   AddressSlice &slice) {
  Block *body = loop.getBody();
  std::string problem;
  llvm::SetVector<Operation *> found, advancing;
  // `ahead`: the value is needed beyond the last iteration, too.
  auto visit = [&](auto &&self, Value value, bool ahead) -> bool {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != body || argument == loop.getInductionVar())
        return true;
      unsigned index = argument.getArgNumber() - loop.getNumInductionVars();
      if (!slice.carried.insert(index))
        return true;
      return self(self, loop.getYieldedValues()[index], true);
    }
    Operation *op = value.getDefiningOp();
    if (!loop->isProperAncestor(op))
      return true;
    // A number that the iteration itself reads, as of a page: where it exists, it is read once more.
    const bool isReadHere = !ahead && isa<LoadOp, TiledLoadOp>(op) && op->getBlock() == body &&
                            (readsAlone(op) || TILESMITH_PLANT("pipeline-number-read-past-writes"));
    if (op->getBlock() != body || op->getNumRegions() != 0 ||
        !(isReadHere || isMemoryEffectFree(op))) {
      problem = ("its address depends on '" + op->getName().getStringRef() + "'").str();
      return false;
    }
    if (ahead && !isa<tileaa::AssumeOp>(op) && !isSpeculatable(op)) {
      problem = ("its address depends on '" + op->getName().getStringRef() +
                 "', which may not run past the end of the loop")
                    .str();
      return false;
    }
    bool isNew = found.insert(op);
    bool isNewAhead = ahead && advancing.insert(op);
    if (!isNew && !isNewAhead)
      return true;
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isa<tileaa::MemTokenType>(operand.getType()) || self(self, operand, ahead);
    });
  };
  for (Value operand : addressOperands(load))
    if (!visit(visit, operand, false))
      return problem;
  slice.operations.insert(found.begin(), found.end());
  slice.advancing.insert(advancing.begin(), advancing.end());
  return std::nullopt;
}

std::optional<SmallVector<Value>> tileas::outerTokens(scf::ForOp loop, Value token) {
  SmallVector<Value> outer, work;
  llvm::SmallPtrSet<Value, 8> seen;
  if (token)
    work.push_back(token);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == loop.getBody()) {
      unsigned index = argument.getArgNumber() - loop.getNumInductionVars();
      work.push_back(loop.getInitArgs()[index]);
      if (!TILESMITH_PLANT("pipeline-token-of-first-turn"))
        work.push_back(loop.getYieldedValues()[index]);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !loop->isProperAncestor(op)) {
      outer.push_back(value);
      continue;
    }
    bool reads = false;
    if (auto load = dyn_cast<LoadOp>(op))
      reads = load.isPlain();
    else if (auto load = dyn_cast<TiledLoadOp>(op))
      reads = load.getMemSemantic() == tileaa::MemSemantic::weak;
    else if (auto load = dyn_cast<GatherLoadOp>(op))
      reads = load.getMemSemantic() == tileaa::MemSemantic::weak;
    if (!reads && !isa<tileaa::JoinMemTokenOp, tileaa::CreateMemTokenOp>(op))
      return std::nullopt;
    for (Value operand : op->getOperands())
      if (isa<tileaa::MemTokenType>(operand.getType()))
        work.push_back(operand);
  }
  return outer;
}

/// `dim` first, then the others from the last to the first.
static SmallVector<unsigned> dimsFrom(unsigned dim, unsigned rank) {
  SmallVector<unsigned> order{dim};
  for (unsigned other = rank; other-- > 0;)
    if (other != dim)
      order.push_back(other);
  return order;
}

/// Row-major bases of the bits of the tile, dimension by dimension in the given order.
static SmallVector<int64_t> basesInOrder(ArrayRef<int64_t> shape, ArrayRef<unsigned> order) {
  SmallVector<int64_t> bases;
  for (unsigned dim : order) {
    int64_t stride = 1;
    for (unsigned inner = dim + 1; inner < shape.size(); ++inner)
      stride *= shape[inner];
    for (int64_t at = 1; at < shape[dim]; at *= 2)
      bases.push_back(at * stride);
  }
  return bases;
}

LayoutAttr tileas::copyLayout(MLIRContext *context, ArrayRef<int64_t> shape, unsigned dim,
                              int64_t vector, unsigned numWarps) {
  SmallVector<int64_t> bases = basesInOrder(shape, dimsFrom(dim, shape.size()));
  SmallVector<int64_t> registers, lanes, warps;
  auto next = bases.begin();
  auto take = [&](SmallVectorImpl<int64_t> &into, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      into.push_back(next == bases.end() ? 0 : *next++);
  };
  take(registers, llvm::Log2_64(vector));
  take(lanes, 5);
  take(warps, llvm::Log2_32(numWarps));
  take(registers, bases.end() - next);
  return LayoutAttr::get(context, shape, registers, lanes, warps);
}

SharedLayoutAttr tileas::plainSharedLayout(MLIRContext *context, ArrayRef<int64_t> shape,
                                           unsigned dim) {
  return SharedLayoutAttr::get(context, shape, basesInOrder(shape, dimsFrom(dim, shape.size())));
}

bool tileas::isPipelineOfLoads(scf::ForOp loop) {
  if (!annotations(loop).getNumStagesAttrHelper().isAttrPresent(loop))
    return false;
  return !loop->walk([](DotOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

void tileas::dropSchedule(Operation *root) {
  root->walk([](Operation *op) {
    for (StringRef name : {TileASDialect::NumStagesAttrHelper::getNameStr(),
                           TileASDialect::LateReleaseAttrHelper::getNameStr(),
                           TileASDialect::ScheduleAttrHelper::getNameStr(),
                           TileASDialect::SharedLeftAttrHelper::getNameStr(),
                           TileASDialect::NotPipelinedAttrHelper::getNameStr()})
      op->removeDiscardableAttr(name);
  });
}

bool tileas::standsBehindWrite(Operation *load, ArrayRef<Value> tokens) {
  SmallVector<Value> work(tokens);
  llvm::SmallPtrSet<Value, 8> seen;
  while (!work.empty()) {
    Value token = work.pop_back_val();
    if (!seen.insert(token).second)
      continue;
    Operation *op = token.getDefiningOp();
    bool harmless = isa_and_nonnull<tileaa::CreateMemTokenOp, tileaa::JoinMemTokenOp>(op);
    if (auto other = dyn_cast_or_null<LoadOp>(op))
      harmless = other.isPlain();
    else if (auto other = dyn_cast_or_null<TiledLoadOp>(op))
      harmless = other.getMemSemantic() == tileaa::MemSemantic::weak;
    else if (auto store = dyn_cast_or_null<TiledStoreOp>(op))
      harmless = store.getMemSemantic() == tileaa::MemSemantic::weak &&
                 (tileaa::touchDistinctObjects(load, store) ||
                  TILESMITH_PLANT("pipeline-stores-lie-elsewhere"));
    if (!harmless)
      return true;
    for (Value operand : op->getOperands())
      if (isa<tileaa::MemTokenType>(operand.getType()) &&
          !TILESMITH_PLANT("pipeline-looks-behind-one-token"))
        work.push_back(operand);
  }
  return false;
}

bool tileas::readsAlone(Operation *op) {
  if (!isa<LoadOp, TiledLoadOp>(op))
    return false;
  bool isWeak = false;
  if (auto load = dyn_cast<TiledLoadOp>(op))
    isWeak = load.getMemSemantic() == tileaa::MemSemantic::weak;
  else if (auto load = dyn_cast<LoadOp>(op))
    isWeak = load.isPlain();
  const bool isAwaited =
      !op->getResult(1).use_empty() && !TILESMITH_PLANT("specialize-reads-bound-twice");
  if (!isWeak || isDivided(op->getResult(0).getType()) || isAwaited)
    return false;
  Value token = tokenOperand(op);
  return !token || !standsBehindWrite(op, token);
}
