//===- ClusterRules.cpp - tiles that the blocks of a cluster divide, without a product --------------===//
//
// A large tile from memory, one to three operations that reduce, scan, move or join its elements along
// one of its dimensions, take it through a loop or a branch, or assert something beside it, and the result
// back into memory. Along which dimension each operation lets the
// blocks divide its tile, and where they have to exchange what they hold, is what a compiler decides.
// Or accesses of one long line in the order of their tokens, or updates in which elements of a tile meet:
// what is one block to the language is several to the machine.
//
// Needs: an entry whose hint asks for a cluster. Promises: maxima, wrapping sums and exclusive or, which
// are exact in any order.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/TurnLoop.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::TileType;

namespace {

constexpr int64_t kFewest = 1024, kMost = 8192; // elements: some for each thread of each block

class ClusterShapes {
public:
  ClusterShapes(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {}

  void build() {
    do {
      shape = {int64_t(8) << s.below(6), int64_t(8) << s.below(6)};
    } while (count() < kFewest || count() > kMost);
    element = k.pickElement(s, Kind::Any);
    value = tile();
    for (uint64_t steps = 1 + s.below(3); steps > 0; --steps) {
      step();
      if (steps > 1 && s.chance(25))
        keepTile(k, s, value);
    }
    keepTile(k, s, value);
  }

private:
  int64_t count() const { return shape[0] * shape[1]; }
  TileType type() { return k.tileType(shape, element); }
  mlir::Value tile() { return freshTile(k, s, type(), Fill::Any); }

  void step() {
    const auto dim = static_cast<unsigned>(s.below(2));
    switch (s.below(13)) {
    case 0:
    case 1:
      k.note("cluster-scan");
      value = aggregate(dim, /*isScan=*/true);
      return;
    case 2:
    case 3:
      return reduce(dim);
    case 4:
      return transpose();
    case 5:
      return extract(dim);
    case 6:
    case 10:
      return join(dim);
    case 7:
      return takeTurns();
    case 8:
      return chooseInBranch();
    case 9:
    case 11:
      return claim();
    default:
      value = combineExactly(k, value, tile());
    }
  }

  mlir::Value aggregate(unsigned dim, bool isScan) {
    mlir::Attribute identity;
    if (auto real = llvm::dyn_cast<mlir::FloatType>(element))
      identity = mlir::FloatAttr::get(
          real, llvm::APFloat::getInf(real.getFloatSemantics(), /*Negative=*/true));
    else
      identity = mlir::IntegerAttr::get(element, 0);
    const bool adds = s.chance(60);
    return emitReduction(k, s, value, dim, isScan, identity,
                         [&](mlir::Value x, mlir::Value y) -> mlir::Value {
                           if (isFloat(element)) // zeros of either sign are told apart, NaN is NaN
                             return cuda_tile::MaxFOp::create(b, k.loc(), x.getType(), x, y,
                                                              b.getUnitAttr(), mlir::UnitAttr());
                           if (adds)
                             return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y,
                                                              cuda_tile::IntegerOverflow::NONE);
                           return cuda_tile::XOrIOp::create(b, k.loc(), x.getType(), x, y);
                         });
  }

  /// One number for each line, kept, and mostly repeated along the line again.
  void reduce(unsigned dim) {
    k.note("cluster-reduce");
    mlir::Value lines = aggregate(dim, /*isScan=*/false);
    llvm::SmallVector<int64_t> ones = shape;
    ones[dim] = 1;
    keepTile(k, s, lines);
    lines = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(ones, element), lines);
    value = combineExactly(k, value, cuda_tile::BroadcastOp::create(b, k.loc(), type(), lines));
  }

  void transpose() {
    k.note("cluster-permute");
    std::swap(shape[0], shape[1]);
    value = cuda_tile::PermuteOp::create(b, k.loc(), type(), value,
                                         mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0}));
  }

  void extract(unsigned dim) {
    if (count() < 2 * kFewest)
      return;
    k.note("cluster-extract");
    TileType i32 = k.scalarType(k.intType(32));
    llvm::SmallVector<mlir::Value> indices(2, k.intConstant(i32, 0).ssa);
    indices[dim] = k.intConstant(i32, s.between(0, 1)).ssa;
    shape[dim] /= 2;
    value = cuda_tile::ExtractOp::create(b, k.loc(), type(), value, indices);
  }

  void join(unsigned dim) {
    if (count() > kMost / 2)
      return;
    k.note("cluster-cat");
    mlir::Value other = tile();
    shape[dim] *= 2;
    if (s.chance(50))
      std::swap(value, other);
    value = cuda_tile::CatOp::create(b, k.loc(), type(), value, other,
                                     b.getI64IntegerAttr(static_cast<int64_t>(dim)));
  }

  mlir::Value number(int64_t value) {
    TileType i32 = k.scalarType(k.intType(32));
    return s.chance(50) ? k.addExtentArgument(value) : k.intConstant(i32, value).ssa;
  }

  /// A few turns that carry the tile: counted, or until their number says so.
  void takeTurns() {
    k.note("cluster-turns");
    mlir::Value other = tile(), turns = number(s.between(0, 3));
    TileType i32 = k.scalarType(k.intType(32));
    mlir::Value zero = k.intConstant(i32, 0).ssa, one = k.intConstant(i32, 1).ssa;
    mlir::OpBuilder::InsertionGuard guard(b);
    if (s.chance(50)) {
      auto loop = TurnLoop(k, s, s.between(0, 3), {value}).op();
      k.openBody(loop);
      mlir::Value next = combineExactly(k, loop.getRegionIterVar(0), other);
      cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{next});
      value = loop.getResult(0);
      return;
    }
    mlir::OperationState state(k.loc(), cuda_tile::LoopOp::getOperationName());
    state.addOperands({zero, value});
    state.addTypes({i32, type()});
    auto *body = new mlir::Block();
    state.addRegion()->push_back(body);
    body->addArguments({i32, type()}, {k.loc(), k.loc()});
    mlir::Operation *loop = b.create(state);
    b.setInsertionPointToStart(body);
    mlir::Value turn = body->getArgument(0), held = body->getArgument(1);
    k.addIf(compare(cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL, turn, turns),
            [&] { cuda_tile::BreakOp::create(b, k.loc(), mlir::ValueRange{turn, held}); });
    mlir::Value count =
        cuda_tile::AddIOp::create(b, k.loc(), i32, turn, one, cuda_tile::IntegerOverflow::NONE);
    cuda_tile::ContinueOp::create(b, k.loc(),
                                  mlir::ValueRange{count, combineExactly(k, held, other)});
    value = loop->getResult(1);
  }

  /// The tile, or what becomes of it in one branch alone.
  void chooseInBranch() {
    k.note("cluster-branch");
    mlir::Value other = tile(), before = value;
    mlir::Value flag = compare(cuda_tile::ComparisonPredicate::EQUAL, number(s.between(0, 1)),
                               k.intConstant(k.scalarType(k.intType(32)), 0).ssa);
    auto give = [&](mlir::Value result) {
      cuda_tile::YieldOp::create(b, k.loc(), mlir::ValueRange{result});
    };
    value =
        k.addIf(
             flag, [&] { give(combineExactly(k, before, other)); }, [&] { give(before); }, type())
            ->getResult(0);
  }

  /// An assertion of each element of a tile, which holds.
  void claim() {
    k.note("cluster-assert");
    TileType numbers = k.tileType(shape, k.intType(32));
    mlir::Value holds =
        compare(cuda_tile::ComparisonPredicate::LESS_THAN,
                freshTile(k, s, numbers, Fill::SmallIntegers), k.intConstant(numbers, 5).ssa);
    k.emit<cuda_tile::AssertOp>({}, holds, k.attr("message", b.getStringAttr("a number is large")));
  }

  mlir::Value compare(cuda_tile::ComparisonPredicate predicate, mlir::Value x, mlir::Value y) {
    TileType flags = k.tileType(llvm::cast<TileType>(x.getType()).getShape(), k.intType(1));
    return cuda_tile::CmpIOp::create(b, k.loc(), flags, predicate, x, y,
                                     cuda_tile::Signedness::Signed);
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  llvm::SmallVector<int64_t> shape;
  mlir::Type element;
  mlir::Value value;
};

/// Elements of a long tile that update a few numbers, in any scope: those of one tile meet in the scope of
/// the block. What is there then is read in the order of the token.
void meetInUpdates(KernelBuilder &k, ChoiceStream &s) {
  k.note("cluster-atomics");
  using enum cuda_tile::AtomicRMWMode;
  static constexpr cuda_tile::AtomicRMWMode kModes[] = {ADD, XOR, MAX, UMIN, OR, AND};
  mlir::OpBuilder &b = k.builder();
  const int64_t count = int64_t(1024) << s.below(2), cells = int64_t(1) << s.below(6);
  TileType type = k.tileType({count}, k.intType(s.chance(60) ? 32 : 64)),
           line = k.tileType({count}, k.intType(32)), i32 = k.scalarType(k.intType(32));
  ArrayInfo &array = k.addFlatArray(type.getElementType(), cells * k.blockCount(), /*output=*/true);
  mlir::Value base = pointersAt(k, array.base,
                                cuda_tile::MulIOp::create(b, k.loc(), i32, k.blockNumber().ssa,
                                                          k.intConstant(i32, cells).ssa,
                                                          cuda_tile::IntegerOverflow::NSW));
  mlir::Value at = cuda_tile::IotaOp::create(b, k.loc(), line);
  // Neighbours meet, or elements far from each other.
  at = s.chance(50)
           ? cuda_tile::ShRIOp::create(
                 b, k.loc(), line, at,
                 k.intConstant(line, llvm::Log2_64(static_cast<uint64_t>(count / cells))).ssa,
                 cuda_tile::Signedness::Unsigned)
                 .getResult()
           : cuda_tile::AndIOp::create(b, k.loc(), line, at, k.intConstant(line, cells - 1).ssa)
                 .getResult();
  mlir::Value pointers = pointersAt(k, base, at), token;
  const cuda_tile::AtomicRMWMode mode = kModes[s.below(std::size(kModes))];
  for (uint64_t updates = s.between(1, 2); updates > 0; --updates)
    token = atomicRmw(k, s, mode, pointers, freshTile(k, s, type, Fill::Any), {}, token,
                      /*mayBeBlockScope=*/true)
                .token;
  TileType few = k.tileType({cells}, type.getElementType());
  mlir::Value all = ownElements(k, s, base, cells, /*isPrivate=*/true);
  keepTile(k, s, loadPointers(k, s, few, all, {}, {}, token).tile);
}

} // namespace

void tilesmith::generators::addClusterShapes(KernelBuilder &kernel, ChoiceStream &stream) {
  kernel.trail.push_back("cluster-shapes");
  kernel.note("cluster-shapes");
  if (stream.chance(25)) {
    kernel.note("cluster-chain");
    applyTokenChain(kernel, stream);
    return;
  }
  if (stream.chance(20))
    return meetInUpdates(kernel, stream);
  ClusterShapes(kernel, stream).build();
}
