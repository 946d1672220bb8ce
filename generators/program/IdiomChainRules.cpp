//===- IdiomChainRules.cpp - accesses of one line of memory, each behind the ones before -------------===//
//
// Three to six accesses of the same elements, of which each takes the token of the one before it: loads
// and stores through pointers in different orders and through a view, atomic updates of either kind, and
// among them some whose mask lets nothing, everything or a part through. Which thread has which element
// changes from access to access, so that a lost token shows; an access that does nothing, or whose result
// nothing needs, hands on the order all the same. Often there are two pieces of memory, an array, a global
// or an alloca each, and some accesses are to one of the two that is chosen at run time: by a select, by a
// branch, by a loop that exchanges both, or to one whose address went through an integer. In clusters lines
// are so long that blocks divide them. Or views of a square, one of them turned, one a gather of its rows; and some accesses are in
// branches, or in loops that may have no turn.
//
// Needs: depth 0. Promises: each block has its own elements; old values of masked updates are not used.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/ReadOrder.h"
#include "generators/program/TurnLoop.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::TileType;

namespace {

class TokenChain {
public:
  TokenChain(KernelBuilder &k, ChoiceStream &s)
      : k(k), s(s), b(k.builder()), i32(k.scalarType(k.intType(32))) {}

  void build() {
    count = k.clusterBlocks > 1 ? int64_t(1024) << s.below(2)
            : s.chance(50)      ? int64_t(64) << 2 * s.below(3) // squares
                                : int64_t(32) << s.below(6);
    isInteger = s.chance(65);
    mlir::Type element =
        isInteger ? k.intType(s.chance(60) ? 32 : 64) : k.pickElement(s, Kind::Any);
    type = k.tileType({count}, element);
    held = freshTile(k, s, type, Fill::Any);
    token = cuda_tile::MakeTokenOp::create(b, k.loc(), cuda_tile::TokenType::get(&k.context()));
    first = makeMemory();
    if (s.chance(60))
      second = makeMemory();
    view = makeView();
    makeSquares();
    // Mostly something is there first.
    if (s.chance(70))
      token = written = storePointers(k, s, pointers(), held, {}, token);
    for (uint64_t accesses = s.between(2, 5); accesses > 0; --accesses)
      switch (s.below(8)) {
      case 0:
      case 1:
        accessInBranch();
        break;
      case 2:
        accessInLoop();
        break;
      default:
        access();
      }
    for (mlir::Value memory : {first, second}) // globals show what is in them nowhere else
      if (memory && s.chance(70)) {
        k.note("token-chain-read");
        mlir::Value all = ownElements(k, s, memory, count, /*isPrivate=*/true);
        keepTile(k, s, loadPointers(k, s, type, all, {}, {}, token).tile);
      }
    if (written && s.chance(40))
      readInsideAndBehind();
    keepTile(k, s, held);
  }

private:
  /// Memory of this block alone, which is filled at once.
  mlir::Value makeAlloca() {
    k.note("token-chain-alloca");
    const auto bytes =
        static_cast<int64_t>(testcase::sizeInBytes(dataTypeOf(type.getElementType())));
    llvm::SmallVector<mlir::NamedAttribute> attributes = {
        k.attr("num_elem", b.getI64IntegerAttr(count)),
        k.attr("alignment", b.getI64IntegerAttr(bytes << s.below(5)))};
    mlir::Value base =
        k.emit<cuda_tile::AllocaOp>(
             k.scalarType(cuda_tile::PointerType::get(type.getElementType())), {}, attributes)
            .getResult();
    token =
        storePointers(k, s, ownElements(k, s, base, count, /*isPrivate=*/true), held, {}, token);
    return base;
  }

  /// The block's own elements of a new array, of a global, or of an alloca.
  mlir::Value makeMemory() {
    const int64_t all = count * k.blockCount();
    mlir::Value base;
    if (k.version() >= 3 && k.clusterBlocks == 1 && s.chance(30))
      return makeAlloca();
    if (llvm::isPowerOf2_64(static_cast<uint64_t>(all)) && all <= KernelBuilder::kMostElements &&
        s.chance(60))
      base = makeGlobal(k, s, type.getElementType(), all, /*constant=*/false);
    else
      base = maybeAssumeAligned(k, s, k.addFlatArray(type.getElementType(), all, true).base);
    if (k.blockCount() == 1)
      return base;
    mlir::Value start = cuda_tile::MulIOp::create(
        b, k.loc(), i32, k.blockNumber().ssa, k.intConstant(i32, count).ssa, IntegerOverflow::NSW);
    return pointersAt(k, base, start);
  }

  /// A flag that only the launch knows.
  mlir::Value flag() {
    return cuda_tile::CmpIOp::create(b, k.loc(), k.scalarType(k.intType(1)),
                                     cuda_tile::ComparisonPredicate::EQUAL,
                                     k.addExtentArgument(s.between(0, 1)),
                                     k.intConstant(i32, 0).ssa, cuda_tile::Signedness::Signed);
  }

  /// The same address, which nobody knows any more to be that.
  mlir::Value throughInteger(mlir::Value pointer) {
    k.note("token-chain-integer");
    mlir::Value address =
        k.emit<cuda_tile::PtrToIntOp>(k.scalarType(k.intType(64)), pointer).getResult();
    return k.emit<cuda_tile::IntToPtrOp>(pointer.getType(), address).getResult();
  }

  /// One of the two pieces, or which of them is open.
  mlir::Value base() {
    mlir::Value one = first, other = second;
    if (!other || s.chance(40))
      return one;
    if (s.chance(50))
      std::swap(one, other);
    if (s.chance(50))
      other = throughInteger(other);
    switch (s.below(5)) {
    case 0:
      k.note("token-chain-either");
      return cuda_tile::SelectOp::create(b, k.loc(), one.getType(), flag(), one, other);
    case 1: {
      k.note("token-chain-either");
      auto give = [&](mlir::Value pointer) {
        return [&, pointer] { cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{pointer}); };
      };
      return k.addIf(flag(), give(one), give(other), one.getType())->getResult(0);
    }
    case 2: {
      k.note("token-chain-either");
      auto loop = TurnLoop(k, s, s.between(0, 3), {one, other}).op();
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      cuda_tile::ContinueOp::create(
          b, k.loc(), mlir::ValueRange{loop.getRegionIterVar(1), loop.getRegionIterVar(0)});
      return loop->getResult(0);
    }
    default:
      return one;
    }
  }

  /// Square tiles, straight or turned, one as large as the memory: the same bytes, for other threads.
  void makeSquares() {
    const int64_t side = int64_t(1) << llvm::Log2_64(static_cast<uint64_t>(count)) / 2;
    if (side * side != count || !s.chance(60))
      return;
    k.note("token-chain-turned");
    auto tensorType = cuda_tile::TensorViewType::get(&k.context(), type.getElementType(),
                                                     {side, side}, {side, 1}, {});
    mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(
        b, k.loc(), tensorType, base(), mlir::ValueRange(), mlir::ValueRange());
    const auto length = static_cast<int32_t>(side);
    for (const bool isTurned : {false, true}) {
      auto viewType = cuda_tile::PartitionViewType::get(
          &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), {length, length}), tensorType,
          {isTurned, !isTurned}, {});
      squares.push_back(k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult());
    }
    if (k.version() >= 3) {
      auto viewType = cuda_tile::GatherScatterViewType::get(
          &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), {length, length}), tensorType,
          /*sparseDim=*/0, {});
      squares.push_back(k.emit<cuda_tile::MakeGatherScatterViewOp>(viewType, tensor).getResult());
    }
    square = k.tileType({side, side}, type.getElementType());
  }

  /// A view of the square and where in it all elements are: a gather has the rows in any order.
  std::pair<mlir::Value, llvm::SmallVector<mlir::Value>> someSquare() {
    const size_t which = s.chance(30) ? squares.size() - 1 : s.below(squares.size());
    if (which < 2)
      return {squares[which], {firstTile(), firstTile()}};
    TileType line = k.tileType({square.getShape()[0]}, k.intType(32));
    mlir::Value rows = cuda_tile::XOrIOp::create(
        b, k.loc(), line, cuda_tile::IotaOp::create(b, k.loc(), line),
        k.intConstant(line, static_cast<Int>(s.below(square.getShape()[0]))).ssa);
    return {squares[which], {rows, firstTile()}};
  }

  mlir::Value makeView() {
    auto tensorType =
        cuda_tile::TensorViewType::get(&k.context(), type.getElementType(), {count}, {1}, {});
    mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(
        b, k.loc(), tensorType, base(), mlir::ValueRange(), mlir::ValueRange());
    auto viewType = cuda_tile::PartitionViewType::get(
        &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), {static_cast<int32_t>(count)}),
        tensorType, {0}, {});
    return k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
  }

  /// All elements, in some order.
  mlir::Value pointers() { return ownElements(k, s, base(), count, /*isPrivate=*/true); }
  mlir::Value firstTile() { return k.intConstant(i32, 0).ssa; }

  /// Of nothing, of everything, of a part; often none at all.
  mlir::Value mask() {
    TileType flags = k.tileType({count}, k.intType(1)), line = k.tileType({count}, k.intType(32));
    switch (s.below(8)) {
    case 0:
    case 1:
      k.note("token-chain-idle");
      return k.intConstant(flags, 0).ssa;
    case 2:
      return k.intConstant(flags, 1).ssa;
    case 3: {
      mlir::Value bound = s.chance(50)
                              ? k.addExtentArgument(s.between(0, count))
                              : k.intConstant(k.scalarType(k.intType(32)), s.between(0, count)).ssa;
      return cuda_tile::CmpIOp::create(b, k.loc(), flags,
                                       s.chance(50) ? cuda_tile::ComparisonPredicate::LESS_THAN
                                                    : cuda_tile::ComparisonPredicate::GREATER_THAN,
                                       cuda_tile::IotaOp::create(b, k.loc(), line),
                                       k.splat({bound, {}}, {count}).ssa,
                                       cuda_tile::Signedness::Signed);
    }
    default:
      return {};
    }
  }

  void take(Loaded loaded) {
    if (s.chance(k.clusterBlocks > 1 ? 35 : 15))
      k.note("token-chain-unused"); // a load that only orders
    else
      held = combineExactly(k, held, loaded.tile);
    token = loaded.token;
  }

  void takeRead(Loaded loaded, mlir::Value waited) {
    loaded.token = behindRead(k, token, waited, loaded.token);
    take(loaded);
  }

  void access() {
    mlir::Value before = token, waited = token;
    bool writes = true;
    // With two pieces of memory more loads, of which one may pass what the other has to wait for.
    switch (second && s.chance(30)             ? s.below(3)
            : !squares.empty() && s.chance(30) ? 2 + 3 * s.below(2)
                                               : s.below(isInteger ? 10 : 6)) {
    case 0:
    case 1: {
      mlir::Value m = mask(), padding;
      if (m)
        padding = s.chance(60) ? k.constant(s, type).ssa : freshTile(k, s, type, Fill::Any);
      waited = beforeRead(s, token, written), writes = false;
      takeRead(loadPointers(k, s, type, pointers(), m, padding, waited), waited);
      break;
    }
    case 2:
      waited = beforeRead(s, token, written), writes = false;
      if (squares.empty() || s.chance(30)) {
        takeRead(loadView(k, s, type, view, firstTile(), waited), waited);
      } else {
        auto [at, indices] = someSquare();
        Loaded old = loadView(k, s, square, at, indices, waited);
        takeRead({cuda_tile::ReshapeOp::create(b, k.loc(), type, old.tile), old.token}, waited);
      }
      break;
    case 3:
    case 4:
      token = storePointers(k, s, pointers(), held, mask(), before);
      break;
    case 5:
      if (squares.empty() || s.chance(30)) {
        token = storeView(k, s, held, view, firstTile(), before);
      } else {
        auto [at, indices] = someSquare();
        token = storeView(k, s, cuda_tile::ReshapeOp::create(b, k.loc(), square, held), at, indices,
                          before);
      }
      break;
    case 6:
    case 7:
      update();
      break;
    default:
      updateView();
    }
    if (s.chance(20)) // the order of before, once more
      token = cuda_tile::JoinTokensOp::create(b, k.loc(), token.getType(),
                                              s.chance(50) ? mlir::ValueRange{before, token}
                                                           : mlir::ValueRange{token, before});
    // Whoever waits for a fence waits for what it waits for.
    if (k.version() >= 4 && s.chance(10)) {
      k.note("token-chain-fence");
      mlir::Type type = token.getType();
      token = k.emit<cuda_tile::MemoryFenceAliasTkoOp>(type, token).getResultToken();
    }
    if (writes)
      written = token;
  }

  /// In one branch or in both, which hand on what there is then.
  void accessInBranch() {
    k.note("token-chain-branch");
    mlir::Value heldBefore = held, tokenBefore = token, writtenBefore = written;
    bool writes = false;
    auto branch = [&](bool accesses) {
      held = heldBefore, token = tokenBefore, written = writtenBefore;
      if (accesses)
        access();
      writes |= written != writtenBefore;
      cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{held, token});
    };
    const bool both = s.chance(30), first = both || s.chance(50);
    mlir::Operation *chosen = k.addIf(
        flag(), [&] { branch(first); }, [&] { branch(both || !first); },
        mlir::TypeRange{type, tokenBefore.getType()});
    held = chosen->getResult(0), token = chosen->getResult(1);
    written = writes ? token : writtenBefore;
  }

  /// In a loop of which only the launch knows whether it has a turn; what a turn waits for, nobody behind a loop
  /// without one has waited for.
  void accessInLoop() {
    k.note("token-chain-loop");
    const bool hasWritten = bool(written);
    mlir::Value outside = written;
    auto loop = cuda_tile::ForOp::create(b, k.loc(), k.intConstant(i32, 0).ssa,
                                         k.addExtentArgument(s.chance(40) ? 0 : s.between(1, 3)),
                                         k.intConstant(i32, 1).ssa, mlir::ValueRange{held, token},
                                         nullptr, false);
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      held = loop.getRegionIterVar(0), token = loop.getRegionIterVar(1);
      written = outside = hasWritten ? token : mlir::Value();
      for (uint64_t accesses = s.between(1, 2); accesses > 0; --accesses)
        access();
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{held, token});
    }
    const bool writes = written != outside;
    held = loop->getResult(0), token = loop->getResult(1);
    written = hasWritten || writes ? token : mlir::Value();
  }

  /// Reads in a branch that may not be taken and has no other side, or in a loop that has a turn or none, and again
  /// behind it. Both wait for what was written before, and what waits there for other threads is no help here.
  void readInsideAndBehind() {
    auto read = [&] { keepTile(k, s, loadPointers(k, s, type, pointers(), {}, {}, token).tile); };
    if (s.chance(50)) {
      k.note("token-chain-read-in-branch");
      k.addIf(flag(), [&] {
        read();
        cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange());
      });
    } else {
      k.note("token-chain-read-in-loop");
      auto loop = cuda_tile::ForOp::create(b, k.loc(), k.intConstant(i32, 0).ssa,
                                           k.addExtentArgument(s.chance(70) ? 0 : 1),
                                           k.intConstant(i32, 1).ssa, mlir::ValueRange());
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      read();
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange());
    }
    read();
  }

  cuda_tile::AtomicRMWMode mode() {
    using enum cuda_tile::AtomicRMWMode;
    static constexpr cuda_tile::AtomicRMWMode kModes[] = {ADD, ADD, XOR, AND, OR, MAX, UMIN};
    return kModes[s.below(std::size(kModes))];
  }

  void update() {
    mlir::Value m = mask();
    mlir::Value value = s.chance(60) ? held : freshTile(k, s, type, Fill::Any);
    Loaded old = atomicRmw(k, s, mode(), pointers(), value, m, token, /*mayBeBlockScope=*/true);
    token = old.token;
    if (!m)
      take(old);
  }

  void updateView() {
    if (k.version() < 3)
      return update();
    k.note("token-chain-red-view");
    token =
        reduceView(k, s, mode(), view, firstTile(), held, token, /*mayBeBlockScope=*/true, true);
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  int64_t count = 0;
  bool isInteger = false; ///< wide enough for atomic updates
  TileType i32, type, square;
  llvm::SmallVector<mlir::Value> squares; ///< views
  mlir::Value first, second, view;        ///< the block's own elements
  mlir::Value held, token; ///< what was computed from the accesses so far, and their order
  mlir::Value written;     ///< the token of the last access that wrote
};

} // namespace

bool tilesmith::generators::applyTokenChain(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  TokenChain(k, s).build();
  return true;
}
