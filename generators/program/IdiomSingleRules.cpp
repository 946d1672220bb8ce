//===- IdiomSingleRules.cpp - accesses of one element, or of very few ----------------------------------===//
//
// Two to five accesses of one element of memory, each behind the one before: loads, stores, atomic updates and
// swaps through a pointer that is a scalar or a tile of one element, or of two or four beside that. Most have a
// mask: a flag that only the launch knows, a constant, or one that only one block meets. One thread does such an
// access for all, whatever its mask says, and the others have to learn what it read.
//
// Needs: depth 0. Promises: each block has its own elements; old values of masked updates are chosen away.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::AtomicRMWMode;
using cuda_tile::IntegerOverflow;
using cuda_tile::TileType;

namespace {

class SingleAccesses {
public:
  SingleAccesses(KernelBuilder &k, ChoiceStream &s)
      : k(k), s(s), b(k.builder()), i32(k.scalarType(k.intType(32))) {}

  void build() {
    chooseType();
    const int64_t count = type.getNumElements(), each = count * s.between(1, 4);
    ArrayInfo &array =
        k.addFlatArray(type.getElementType(), each * k.blockCount(), /*output=*/true,
                       isFloat(type.getElementType()) ? Fill::SmallIntegers : Fill::Any);
    pointers = placesIn(array, each, count);
    held = s.chance(50) ? k.use(s, type).ssa : freshTile(k, s, type, Fill::SmallIntegers);
    for (uint64_t accesses = s.between(2, 5); accesses > 0; --accesses)
      access();
    keepTile(k, s, held);
  }

private:
  void chooseType() {
    llvm::SmallVector<int64_t> shape;
    switch (s.below(8)) {
    case 0:
      shape = {1};
      break;
    case 1:
      shape = {1, 1};
      break;
    case 2:
      shape = {s.chance(50) ? 2 : 4};
      break;
    default:
      break;
    }
    isUpdated = s.chance(75);
    mlir::Type element = !isUpdated     ? k.pickElement(s, Kind::Any)
                         : s.chance(85) ? k.intType(s.chance(60) ? 32 : 64)
                         : s.chance(50) ? mlir::Type(b.getF32Type())
                                        : b.getF64Type();
    type = k.tileType(shape, element);
  }

  /// Some of the block's own elements.
  mlir::Value placesIn(ArrayInfo &array, int64_t each, int64_t count) {
    mlir::Value start = cuda_tile::MulIOp::create(
        b, k.loc(), i32, k.blockNumber().ssa, k.intConstant(i32, each).ssa, IntegerOverflow::NSW);
    const auto own = static_cast<int64_t>(s.below(static_cast<uint64_t>(each - count + 1)));
    start = cuda_tile::AddIOp::create(b, k.loc(), i32, start,
                                      s.chance(50) ? k.addExtentArgument(own)
                                                   : k.intConstant(i32, own).ssa,
                                      IntegerOverflow::NSW);
    if (type.getRank() == 0)
      return pointersAt(k, array.base, start);
    TileType numbers = k.tileType(type.getShape(), k.intType(32));
    mlir::Value line = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({count}, k.intType(32)));
    if (type.getRank() != 1)
      line = cuda_tile::ReshapeOp::create(b, k.loc(), numbers, line);
    return pointersAt(k, array.base,
                      cuda_tile::AddIOp::create(b, k.loc(), numbers, line,
                                                k.splat({start, {}}, type.getShape()).ssa,
                                                IntegerOverflow::NSW));
  }

  /// Whether anything is accessed (null: always).
  mlir::Value mask() {
    TileType flags = k.tileType(type.getShape(), k.intType(1)), flag = k.scalarType(k.intType(1));
    switch (s.below(8)) {
    case 0:
    case 1:
      return {};
    case 2:
      return k.intConstant(flags, s.chance(50) ? 0 : -1).ssa;
    case 3:
      return k.use(s, flags).ssa;
    default: {
      mlir::Value number =
          s.chance(70) ? k.addExtentArgument(s.between(0, 1)) : k.blockNumber().ssa;
      mlir::Value one = cuda_tile::CmpIOp::create(
          b, k.loc(), flag,
          s.chance(50) ? cuda_tile::ComparisonPredicate::EQUAL
                       : cuda_tile::ComparisonPredicate::NOT_EQUAL,
          number, k.intConstant(i32, 0).ssa, cuda_tile::Signedness::Signed);
      return type.getRank() == 0 ? one : k.splat({one, {}}, type.getShape()).ssa;
    }
    }
  }

  mlir::Value operand() {
    return s.chance(40)   ? held
           : s.chance(50) ? k.constant(s, type).ssa
                          : freshTile(k, s, type, Fill::SmallIntegers);
  }

  void access() {
    mlir::Value m = mask();
    if (m)
      k.note("single-masked");
    switch (s.below(isUpdated ? 6 : 2)) {
    case 0: {
      Loaded loaded = loadPointers(k, s, type, pointers, m, m ? operand() : mlir::Value(), token);
      held = combineExactly(k, held, loaded.tile), token = loaded.token;
      return;
    }
    case 1:
      token = storePointers(k, s, pointers, operand(), m, token);
      return;
    case 2:
      if (isFloat(type.getElementType()))
        return update(m);
      k.note("single-swap");
      return take(atomicCas(k, s, pointers, s.chance(60) ? held : operand(), operand(), m, token),
                  m);
    default:
      return update(m);
    }
  }

  void update(mlir::Value m) {
    using enum AtomicRMWMode;
    static constexpr AtomicRMWMode kModes[] = {ADD, XCHG, AND, OR, XOR, MAX, MIN, UMAX, UMIN};
    const AtomicRMWMode mode =
        isFloat(type.getElementType()) ? XCHG : kModes[s.below(std::size(kModes))];
    k.note("single-update");
    take(atomicRmw(k, s, mode, pointers, operand(), m, token, /*mayBeBlockScope=*/true), m);
  }

  void take(Loaded old, mlir::Value m) {
    token = old.token;
    if (s.chance(25))
      return;
    if (m) // the old value of an element that took no part is open
      old.tile =
          cuda_tile::SelectOp::create(b, k.loc(), type, m, old.tile, k.constant(s, type).ssa);
    held = combineExactly(k, held, old.tile);
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  TileType i32, type;
  bool isUpdated = false; ///< by atomics, too
  mlir::Value pointers;
  mlir::Value held, token; ///< what was computed from the accesses so far, and their order
};

} // namespace

bool tilesmith::generators::applySingleAccesses(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  SingleAccesses(k, s).build();
  return true;
}
