//===- LoopChanges.cpp - bounds of loops; statements put into loops and branches ---------------===//
#include "generators/mutate/ChangeTools.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;

namespace {

ForOp drawLoop(ChangedKernel &k) {
  return drawOp<ForOp>(k.module, k.stream, [](ForOp) { return true; });
}

/// A number that bounds and steps of loops are tried with.
int64_t drawNumber(ChoiceStream &stream, unsigned width) {
  static constexpr int64_t kNumbers[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 32, 64, 100, 128, -1, -3};
  switch (stream.below(8)) {
  case 0:
    return static_cast<int64_t>((uint64_t(1) << (width - 1)) - 1 - stream.below(8)); // the largest
  case 1:
    return static_cast<int64_t>((~uint64_t(0) << (width - 1)) + stream.below(8)); // the smallest
  default:
    return kNumbers[stream.below(std::size(kNumbers))];
  }
}

mlir::Value constantOf(mlir::OpBuilder &b, mlir::Value like, int64_t number) {
  auto type = llvm::cast<TileType>(like.getType());
  const unsigned width = type.getElementType().getIntOrFloatBitWidth();
  return integerConstant(
      b, like.getLoc(), type,
      llvm::APInt(64, static_cast<uint64_t>(number)).trunc(width).getSExtValue());
}

mlir::Value combine(mlir::OpBuilder &b, llvm::StringRef name, mlir::Value lhs, mlir::Value rhs) {
  mlir::OperationState state(lhs.getLoc(), name, {lhs, rhs}, lhs.getType());
  state.addAttribute("overflow", IntegerOverflowAttr::get(b.getContext(), IntegerOverflow::NONE));
  return b.create(state)->getResult(0);
}

/// Another start, end or step: a number, a value of the kernel, or one beside the old one.
bool changeBounds(ChangedKernel &k) {
  ForOp loop = drawLoop(k);
  if (!loop)
    return false;
  mlir::OpBuilder b(loop);
  const auto which = static_cast<unsigned>(k.stream.below(4));
  if (which == 3) {
    loop.setUnsignedCmp(!loop.getUnsignedCmp());
    return true;
  }
  mlir::OpOperand &operand = loop->getOpOperand(which);
  mlir::Value old = operand.get();
  const unsigned width =
      llvm::cast<TileType>(old.getType()).getElementType().getIntOrFloatBitWidth();
  auto values = visibleValues(loop, [&](mlir::Type type) { return type == old.getType(); });
  switch (k.stream.below(3)) {
  case 0:
    operand.set(constantOf(b, old, drawNumber(k.stream, width)));
    break;
  case 1:
    if (!values.empty()) {
      operand.set(values[k.stream.below(values.size())]);
      break;
    }
    [[fallthrough]];
  default:
    operand.set(
        combine(b, AddIOp::getOperationName(), old, constantOf(b, old, k.stream.between(-3, 3))));
  }
  return operand.get() != old;
}

/// Start and end moved by a number that the body takes away again.
bool shiftLoop(ChangedKernel &k) {
  ForOp loop = drawLoop(k);
  if (!loop)
    return false;
  mlir::OpBuilder b(loop);
  mlir::Value low = loop.getLowerBound();
  const unsigned width =
      llvm::cast<TileType>(low.getType()).getElementType().getIntOrFloatBitWidth();
  mlir::Value by = constantOf(b, low, drawNumber(k.stream, width));
  loop->getOpOperand(0).set(combine(b, AddIOp::getOperationName(), low, by));
  loop->getOpOperand(1).set(combine(b, AddIOp::getOperationName(), loop.getUpperBound(), by));
  if (k.stream.chance(40))
    loop.setUnsignedCmp(!loop.getUnsignedCmp());
  mlir::OpBuilder inner(loop->getContext());
  inner.setInsertionPointToStart(loop.getBody());
  mlir::Value index = loop.getInductionVar();
  mlir::Value plain = combine(inner, SubIOp::getOperationName(), index, by);
  index.replaceAllUsesExcept(plain, plain.getDefiningOp());
  return true;
}

/// Start, end and step times a number by which the body divides.
bool scaleLoop(ChangedKernel &k) {
  ForOp loop = drawLoop(k);
  if (!loop)
    return false;
  mlir::OpBuilder b(loop);
  static constexpr int64_t kFactors[] = {2, 3, 4, 8, 16, 32, 64, 100};
  mlir::Value by =
      constantOf(b, loop.getLowerBound(), kFactors[k.stream.below(std::size(kFactors))]);
  for (unsigned i = 0; i < 3; ++i) {
    mlir::OpOperand &operand = loop->getOpOperand(i);
    operand.set(combine(b, MulIOp::getOperationName(), operand.get(), by));
  }
  mlir::OpBuilder inner(loop->getContext());
  inner.setInsertionPointToStart(loop.getBody());
  mlir::Value index = loop.getInductionVar();
  mlir::MLIRContext *context = loop->getContext();
  mlir::OperationState state(loop->getLoc(), DivIOp::getOperationName(), {index, by},
                             index.getType());
  state.addAttribute("signedness",
                     SignednessAttr::get(context, loop.getUnsignedCmp() ? Signedness::Unsigned
                                                                        : Signedness::Signed));
  state.addAttribute("rounding", RoundingModeAttr::get(context, RoundingMode::ZERO));
  mlir::Operation *plain = inner.create(state);
  index.replaceAllUsesExcept(plain->getResult(0), plain);
  return true;
}

/// A loop once more behind itself: it goes on with what the first one left, or begins as it did.
bool copyLoop(ChangedKernel &k) {
  auto loop = drawOp<ForOp>(k.module, k.stream,
                            [](ForOp candidate) { return candidate->getNumResults() > 0; });
  if (!loop)
    return false;
  mlir::OpBuilder b(loop->getContext());
  b.setInsertionPointAfter(loop);
  auto second = llvm::cast<ForOp>(b.clone(*loop));
  for (unsigned i = 0; i < loop->getNumResults(); ++i) {
    mlir::Value first = loop->getResult(i), other = second->getResult(i);
    mlir::Type type = first.getType();
    const bool plain = isNumbers(type) && !llvm::cast<TileType>(type).getElementType().isInteger(1);
    if (!plain || k.stream.chance(60)) {
      first.replaceAllUsesExcept(other, second);
      second.getInitValuesMutable()[i].set(first);
      continue;
    }
    // Both begin alike; where they differ, the first one counts, and else none of both.
    mlir::OpBuilder after(loop->getContext());
    after.setInsertionPointAfter(second);
    auto tile = llvm::cast<TileType>(type);
    mlir::Value both;
    if (tile.getElementType().isInteger()) {
      both = combine(after, AddIOp::getOperationName(), first, other);
    } else if (isPlainFloat(tile.getElementType())) {
      mlir::OperationState sum(loop->getLoc(), AddFOp::getOperationName(), {first, other}, type);
      sum.addAttribute("rounding_mode",
                       RoundingModeAttr::get(loop->getContext(), RoundingMode::NEAREST_EVEN));
      both = after.create(sum)->getResult(0);
    } else {
      both = other;
    }
    llvm::SmallPtrSet<mlir::Operation *, 2> except = {both.getDefiningOp(), second.getOperation()};
    first.replaceUsesWithIf(both,
                            [&](mlir::OpOperand &use) { return !except.contains(use.getOwner()); });
    if (both != other)
      continue;
    second.getInitValuesMutable()[i].set(first);
  }
  return true;
}

/// Neighbours of one block, and what others use of them.
struct Piece {
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Value> escaping;
};

std::optional<Piece> drawPiece(ChangedKernel &k) {
  // Loops around loops are what compilers look at most.
  const bool wantsLoop = k.stream.chance(35);
  mlir::Operation *first = drawAnyOp(k.module, k.stream, [&](mlir::Operation *op) {
    return op->getNumResults() > 0 && (!wantsLoop || llvm::isa<ForOp, LoopOp>(op)) &&
           llvm::isa_and_nonnull<EntryOp, ForOp, IfOp>(op->getParentOp()) &&
           !op->hasTrait<mlir::OpTrait::IsTerminator>();
  });
  if (!first)
    return std::nullopt;
  Piece piece;
  for (uint64_t left = 1 + k.stream.below(12); left > 0; --left) {
    if (first->hasTrait<mlir::OpTrait::IsTerminator>())
      break;
    piece.ops.push_back(first);
    first = first->getNextNode();
  }
  llvm::SmallPtrSet<mlir::Operation *, 16> inside(piece.ops.begin(), piece.ops.end());
  for (mlir::Operation *op : piece.ops)
    for (mlir::Value result : op->getResults()) {
      const bool isUsed = llvm::any_of(result.getUsers(), [&](mlir::Operation *user) {
        while (user->getBlock() != op->getBlock())
          user = user->getParentOp();
        return !inside.contains(user);
      });
      if (!isUsed)
        continue;
      if (!isNumbers(result.getType()) && !llvm::isa<TokenType>(result.getType()))
        return std::nullopt;
      piece.escaping.push_back(result);
    }
  return piece;
}

/// What stands for the values where the piece is not executed.
llvm::SmallVector<mlir::Value> placeholders(const Piece &piece, ChoiceStream &stream) {
  llvm::SmallVector<mlir::Value> values;
  mlir::Operation *at = piece.ops.front();
  mlir::OpBuilder b(at);
  for (mlir::Value value : piece.escaping) {
    if (llvm::isa<TokenType>(value.getType())) {
      values.push_back(MakeTokenOp::create(b, at->getLoc(), value.getType()));
      continue;
    }
    auto type = llvm::cast<TileType>(value.getType());
    mlir::Value other = stream.chance(50) ? drawLike(at, type, stream) : mlir::Value();
    values.push_back(other ? other : splat(b, at->getLoc(), type, 0));
  }
  return values;
}

void movePiece(const Piece &piece, mlir::Block &block) {
  for (mlir::Operation *op : piece.ops)
    op->moveBefore(&block, block.end());
}

/// Neighbours in a loop of their own of a few turns, one of whose values the next turn may use.
bool repeatPiece(ChangedKernel &k) {
  std::optional<Piece> piece = drawPiece(k);
  if (!piece)
    return false;
  llvm::SmallVector<mlir::Value> before = placeholders(*piece, k.stream);
  mlir::Operation *at = piece->ops.front();
  mlir::OpBuilder b(at);
  mlir::Location loc = at->getLoc();
  TileType index = scalarOf(b.getI32Type());
  mlir::Value low = integerConstant(b, loc, index, static_cast<int64_t>(k.stream.below(2)));
  mlir::Value high = integerConstant(b, loc, index, 1 + static_cast<int64_t>(k.stream.below(4)));
  if (k.stream.chance(40)) // known at run time alone
    high = GetNumTileBlocksOp::create(b, loc, index, index, index)->getResult(k.stream.below(3));
  mlir::Value step = integerConstant(b, loc, index, 1 + static_cast<int64_t>(k.stream.below(2)));
  auto loop = ForOp::create(b, loc, low, high, step, before, nullptr, false);
  mlir::Block &body = *loop.getBody();
  if (!body.empty())
    body.clear();
  movePiece(*piece, body);
  for (auto [value, result] : llvm::zip(piece->escaping, loop->getResults()))
    value.replaceUsesWithIf(
        result, [&](mlir::OpOperand &use) { return !loop->isProperAncestor(use.getOwner()); });
  b.setInsertionPointToEnd(&body);
  ContinueOp::create(b, loc, piece->escaping);
  for (auto [carried, value] : llvm::zip(loop.getRegionIterValues(), piece->escaping)) {
    if (!k.stream.chance(60))
      continue;
    // A use of a value of that type now takes what the turn before left.
    std::vector<mlir::OpOperand *> uses;
    for (mlir::Operation *op : piece->ops)
      for (mlir::OpOperand &operand : op->getOpOperands())
        if (operand.get().getType() == value.getType() && operand.get() != value)
          uses.push_back(&operand);
    if (!uses.empty())
      uses[k.stream.below(uses.size())]->set(carried);
  }
  return true;
}

/// Neighbours under a condition, which may be one of the kernel's.
bool guardPiece(ChangedKernel &k) {
  std::optional<Piece> piece = drawPiece(k);
  if (!piece)
    return false;
  llvm::SmallVector<mlir::Value> otherwise = placeholders(*piece, k.stream);
  mlir::Operation *at = piece->ops.front();
  mlir::OpBuilder b(at);
  mlir::Location loc = at->getLoc();
  TileType flag = scalarOf(b.getI1Type());
  auto scalars = visibleValues(at, [&](mlir::Type type) {
    auto tile = llvm::dyn_cast<TileType>(type);
    return tile && tile.getRank() == 0 && tile.getElementType().isInteger();
  });
  mlir::Value condition;
  if (!scalars.empty())
    condition = makeLike(b, scalars[k.stream.below(scalars.size())], flag, k.stream);
  if (!condition)
    return false;
  mlir::OperationState state(loc, IfOp::getOperationName());
  state.addOperands(condition);
  for (mlir::Value value : piece->escaping)
    state.addTypes(value.getType());
  mlir::OpBuilder inner(loc.getContext());
  // Without results there need be no second region, but there may be one.
  const unsigned with = !otherwise.empty() && k.stream.chance(30);
  for (unsigned i = 0; i < 2; ++i) {
    mlir::Block &block = state.addRegion()->emplaceBlock();
    if (i == with)
      continue;
    inner.setInsertionPointToEnd(&block);
    YieldOp::create(inner, loc, otherwise);
  }
  mlir::Operation *conditional = b.create(state);
  mlir::Region &region = conditional->getRegion(with);
  for (auto [value, result] : llvm::zip(piece->escaping, conditional->getResults()))
    value.replaceAllUsesWith(result);
  movePiece(*piece, region.front());
  // Uses inside of the piece see the values themselves.
  for (auto [value, result] : llvm::zip(piece->escaping, conditional->getResults()))
    result.replaceUsesWithIf(
        value, [&](mlir::OpOperand &use) { return conditional->isProperAncestor(use.getOwner()); });
  inner.setInsertionPointToEnd(&region.front());
  YieldOp::create(inner, loc, piece->escaping);
  return true;
}

constexpr Change kChanges[] = {
    {"bounds", "a counted loop", changeBounds},
    {"copy-loop", "a counted loop with a result", copyLoop},
    {"guard", "statements whose results are numbers or tokens", guardPiece},
    {"repeat", "statements whose results are numbers or tokens", repeatPiece},
    {"scale-loop", "a counted loop", scaleLoop},
    {"shift-loop", "a counted loop", shiftLoop},
};

} // namespace

llvm::ArrayRef<Change> tilesmith::generators::loopChanges() {
  return kChanges;
}
