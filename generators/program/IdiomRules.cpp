//===- IdiomRules.cpp - a few operations in a row, from memory to memory --------------------------===//
//
// What simplifiers look for spans two or three operations: a constant after a constant, a cast and
// its inverse, a comparison and a choice between what it compared, a permutation of a reshape, a
// load of what was just stored. Operands come straight from memory and hold what such a rewrite can
// be wrong about (zeros of either sign, NaN, all bits of the fraction, extremes), and results go
// straight to memory, so that nothing in between hides a fault. Offsets of gathers are expressions
// over positions and constants: what a compiler infers from them decides what it vectorises.
//
// Needs: depth 0. Promises: no zero divisor, no long shift, no flags; offsets are computed here as
// well, so that every access lies inside its array.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;
using cuda_tile::TileType;

static Facts anyOf(mlir::Type element) {
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  return facts;
}

mlir::Value tilesmith::generators::freshTile(KernelBuilder &k, ChoiceStream &s, TileType type,
                                             Fill fill) {
  int64_t count = type.getNumElements();
  mlir::Type element = type.getElementType();
  ArrayInfo &array = k.addFlatArray(element, count, /*output=*/false, fill);
  mlir::Value offsets =
      cuda_tile::IotaOp::create(k.builder(), k.loc(), k.tileType({count}, k.intType(32)));
  mlir::Value flat = loadPointers(k, s, k.tileType({count}, element),
                                  pointersAt(k, array.base, offsets), {}, {}, {})
                         .tile;
  return type.getRank() == 1 ? flat
                             : cuda_tile::ReshapeOp::create(k.builder(), k.loc(), type, flat);
}

void tilesmith::generators::keepTile(KernelBuilder &k, ChoiceStream &s, mlir::Value value) {
  mlir::Type element = llvm::cast<TileType>(value.getType()).getElementType();
  emitFreeStore(k, s, {value, anyOf(element)});
}

mlir::Type tilesmith::generators::chooseWideFloat(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  switch (s.below(5)) {
  case 0:
    return b.getF16Type();
  case 1:
    return b.getBF16Type();
  case 2:
    return b.getF64Type();
  default:
    return b.getF32Type();
  }
}

namespace {

Signedness chooseSignedness(ChoiceStream &s) {
  return s.chance(60) ? Signedness::Signed : Signedness::Unsigned;
}

cuda_tile::RoundingModeAttr nearest(KernelBuilder &k) {
  return cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_EVEN);
}

mlir::Type chooseInt(KernelBuilder &k, ChoiceStream &s) {
  static constexpr unsigned kWidths[] = {8, 16, 32, 64};
  return k.intType(kWidths[s.below(4)]);
}
//===- a constant after a constant ------------------------------------------------------------===//

constexpr unsigned kIntegerSteps = 10, kFloatSteps = 8;

/// The second operation of a chain: often that of the first.
unsigned nextStep(ChoiceStream &s, unsigned first, unsigned count) {
  return s.chance(45) ? first : static_cast<unsigned>(s.below(count));
}

/// One integer operation with a constant that leaves it defined.
mlir::Value integerStep(KernelBuilder &k, ChoiceStream &s, unsigned kind, mlir::Value x,
                        Int constant) {
  auto type = llvm::cast<TileType>(x.getType());
  unsigned width = widthOf(type.getElementType());
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  auto none = IntegerOverflow::NONE;
  mlir::Value c = k.intConstant(type, constant).ssa;
  Signedness signedness = chooseSignedness(s);
  switch (kind) {
  case 0:
    return cuda_tile::AddIOp::create(b, loc, type, x, c, none);
  case 1:
    return cuda_tile::SubIOp::create(b, loc, type, x, c, none);
  case 2:
    return cuda_tile::MulIOp::create(b, loc, type, x, c, none);
  case 3:
  case 4:
    return cuda_tile::RemIOp::create(b, loc, type, x, c, signedness);
  case 5:
  case 6: {
    auto mode = s.chance(40)                                       ? RoundingMode::ZERO
                : signedness == Signedness::Signed && s.chance(50) ? RoundingMode::NEGATIVE_INF
                                                                   : RoundingMode::POSITIVE_INF;
    return cuda_tile::DivIOp::create(b, loc, type, x, c, signedness, mode);
  }
  case 7:
    return s.chance(50) ? cuda_tile::MinIOp::create(b, loc, type, x, c, signedness).getResult()
                        : cuda_tile::MaxIOp::create(b, loc, type, x, c, signedness).getResult();
  default: {
    Int amount = s.chance(50) && width > 32 ? s.between(32, 63) : static_cast<Int>(s.below(width));
    mlir::Value by = k.intConstant(type, amount).ssa;
    mlir::Value left = x;
    if (s.chance(60))
      left = cuda_tile::ShLIOp::create(b, loc, type, x, by, none);
    return left != x && s.chance(30)
               ? left
               : cuda_tile::ShRIOp::create(b, loc, type, left, by, signedness).getResult();
  }
  }
}

mlir::Value floatStep(KernelBuilder &k, ChoiceStream &s, unsigned kind, mlir::Value x,
                      mlir::Value c) {
  mlir::Type type = x.getType();
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  mlir::UnitAttr no, propagate = s.chance(50) ? b.getUnitAttr() : mlir::UnitAttr();
  if (s.chance(20))
    std::swap(x, c);
  switch (kind) {
  case 0:
  case 1:
    return cuda_tile::AddFOp::create(b, loc, type, x, c, nearest(k), no);
  case 2:
    return cuda_tile::SubFOp::create(b, loc, type, x, c, nearest(k), no);
  case 3:
    return cuda_tile::MulFOp::create(b, loc, type, x, c, nearest(k), no);
  case 4:
    return cuda_tile::DivFOp::create(b, loc, type, x, c, nearest(k), no);
  case 5:
  case 6:
    return cuda_tile::MaxFOp::create(b, loc, type, x, c, propagate, no);
  default:
    return cuda_tile::MinFOp::create(b, loc, type, x, c, propagate, no);
  }
}

/// (x op c) op d, where d is related to c; with floats sometimes c op d alone.
bool applyConstantChain(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  int64_t count = int64_t(16) << s.below(2);
  if (s.chance(55)) {
    TileType type = k.tileType({count}, chooseInt(k, s));
    static constexpr Int kSmall[] = {2, 3, 4, 5, 7, 8, 10, 16, 100};
    Int small = kSmall[s.below(std::size(kSmall))];
    Int first = small * (s.chance(50) ? 1 : s.between(1, 6)) + (s.chance(30) ? 1 : 0);
    if (s.chance(25))
      first = -first;
    Int second = s.chance(25) ? -small : small;
    auto kind = static_cast<unsigned>(s.below(kIntegerSteps));
    mlir::Value once = integerStep(k, s, kind, freshTile(k, s, type, Fill::Any), first);
    if (s.chance(30))
      keepTile(k, s, once);
    keepTile(k, s, integerStep(k, s, nextStep(s, kind, kIntegerSteps), once, second));
    return true;
  }
  mlir::Type element = chooseWideFloat(k, s);
  TileType type = k.tileType({count}, element);
  const llvm::fltSemantics &semantics = llvm::cast<mlir::FloatType>(element).getFloatSemantics();
  auto constant = [&]() -> mlir::Value {
    static constexpr double kNumbers[] = {0.1, 1.0 / 3, -0.7, 1e-3, 100.3, 3, -1};
    switch (s.below(9)) {
    case 0:
      return k.floatConstant(type, llvm::APFloat::getInf(semantics, s.chance(50))).ssa;
    case 1:
      return k.floatConstant(type, llvm::APFloat::getNaN(semantics)).ssa;
    case 2:
      return k.floatConstant(type, s.chance(50) ? 0.0 : -0.0).ssa;
    default:
      return k.floatConstant(type, kNumbers[s.below(std::size(kNumbers))]).ssa;
    }
  };
  mlir::Value x =
      s.chance(15) ? constant() : freshTile(k, s, type, s.chance(60) ? Fill::Fractions : Fill::Any);
  auto kind = static_cast<unsigned>(s.below(kFloatSteps));
  mlir::Value once = floatStep(k, s, kind, x, constant());
  if (s.chance(30))
    keepTile(k, s, once);
  if (s.chance(75))
    once = floatStep(k, s, nextStep(s, kind, kFloatSteps), once, constant());
  keepTile(k, s, once);
  return true;
}

//===- there and back -------------------------------------------------------------------------===//

bool applyRoundTrip(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  int64_t count = int64_t(16) << s.below(2);
  auto tile = [&](mlir::Type element) { return k.tileType({count}, element); };
  TileType flags = tile(k.intType(1));
  switch (s.below(7)) {
  case 0: { // an integer as a float and an integer again: a quarter of its range
    TileType type = tile(k.intType(s.chance(50) ? 32 : s.chance(50) ? 64 : 16));
    unsigned width = widthOf(type.getElementType());
    Signedness signedness = chooseSignedness(s);
    mlir::Value x = freshTile(k, s, type, s.chance(50) ? Fill::Any : Fill::Ties);
    x = cuda_tile::ShRIOp::create(b, loc, type, x, k.intConstant(type, 2).ssa, signedness);
    TileType real = tile(width == 64 || s.chance(25) ? mlir::Type(b.getF64Type()) : b.getF32Type());
    if (width == 64 && s.chance(50))
      real = tile(b.getF32Type());
    mlir::Value float_ =
        cuda_tile::IToFOp::create(b, loc, real, x, signedness, RoundingMode::NEAREST_EVEN);
    if (s.chance(40))
      keepTile(k, s, float_);
    keepTile(k, s,
             cuda_tile::FToIOp::create(
                 b, loc, type, float_, cuda_tile::SignednessAttr::get(&k.context(), signedness),
                 cuda_tile::RoundingModeAttr::get(&k.context(), RoundingMode::NEAREST_INT_TO_ZERO),
                 mlir::UnitAttr()));
    return true;
  }
  case 1: { // is it what it is when it is cut and grown again?
    TileType type = tile(chooseInt(k, s));
    unsigned width = widthOf(type.getElementType());
    if (width == 8)
      return false;
    TileType narrow = tile(k.intType(width / 2));
    mlir::Value x = freshTile(k, s, type, s.chance(50) ? Fill::Any : Fill::SmallIntegers);
    mlir::Value cut = cuda_tile::TruncIOp::create(b, loc, narrow, x, IntegerOverflow::NONE);
    mlir::Value grown = cuda_tile::ExtIOp::create(b, loc, type, cut, chooseSignedness(s));
    auto predicate = s.chance(60) ? cuda_tile::ComparisonPredicate::EQUAL
                                  : static_cast<cuda_tile::ComparisonPredicate>(s.below(6));
    mlir::Value left = grown, right = x;
    if (s.chance(30))
      std::swap(left, right);
    keepTile(k, s,
             cuda_tile::CmpIOp::create(b, loc, flags, predicate, left, right, chooseSignedness(s)));
    return true;
  }
  case 2: { // bits that are read as one type and as another; none of them is NaN
    unsigned width = s.chance(60) ? 16 : s.chance(50) ? 32 : 64;
    TileType type = tile(k.intType(width));
    Int mask = (Int(1) << (width - 2)) - 1; // the exponent is never all ones
    mlir::Value x = cuda_tile::AndIOp::create(b, loc, type, freshTile(k, s, type, Fill::Any),
                                              k.intConstant(type, mask).ssa);
    mlir::Type half = s.chance(50) ? mlir::Type(b.getF16Type()) : b.getBF16Type();
    mlir::Type other = half.isF16() ? mlir::Type(b.getBF16Type()) : b.getF16Type();
    mlir::Type first = width == 16   ? half
                       : width == 32 ? mlir::Type(b.getF32Type())
                                     : b.getF64Type();
    mlir::Value once = cuda_tile::BitcastOp::create(b, loc, tile(first), x);
    keepTile(k, s,
             cuda_tile::BitcastOp::create(b, loc, width == 16 && s.chance(60) ? tile(other) : type,
                                          once));
    return true;
  }
  case 3:
  case 4: { // bytes as floats, and floats as bytes
    mlir::Type small = k.pickStorage(s, /*halfBytes=*/false);
    if (!llvm::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(small))
      return false;
    if (s.chance(70)) { // into all formats that hold it
      k.note("byte-widened");
      mlir::Value x = freshTile(k, s, tile(small), Fill::Any);
      for (mlir::Type to : {mlir::Type(b.getF16Type()), mlir::Type(b.getBF16Type()),
                            mlir::Type(b.getF32Type()), mlir::Type(b.getF64Type())})
        keepTile(k, s, cuda_tile::FToFOp::create(b, loc, tile(to), x, RoundingMode::NEAREST_EVEN));
      return true;
    }
    bool grows = s.chance(60);
    mlir::Type wide = chooseWideFloat(k, s), from = grows ? small : wide, to = grows ? wide : small;
    mlir::Value x =
        freshTile(k, s, tile(from), grows || s.chance(60) ? Fill::Any : Fill::SignedZeros);
    keepTile(k, s, cuda_tile::FToFOp::create(b, loc, tile(to), x, RoundingMode::NEAREST_EVEN));
    return true;
  }
  default: { // a shorter float and back, or on
    mlir::Type from = chooseWideFloat(k, s), via = chooseWideFloat(k, s);
    if (from == via)
      return false;
    mlir::Value x = freshTile(k, s, tile(from), s.chance(50) ? Fill::Ties : Fill::Any);
    // Every change to as many bits or fewer has a second mode.
    auto mode = [&](mlir::Type to) {
      return k.version() >= 4 && widthOf(to) < 64 && s.chance(35) ? RoundingMode::ZERO
                                                                  : RoundingMode::NEAREST_EVEN;
    };
    mlir::Value once = cuda_tile::FToFOp::create(b, loc, tile(via), x, mode(via));
    keepTile(k, s, cuda_tile::FToFOp::create(b, loc, tile(from), once, mode(from)));
    return true;
  }
  }
}

//===- a comparison and a choice --------------------------------------------------------------===//

bool applyChoice(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  // Sometimes several elements for each thread.
  int64_t count = s.chance(20) ? int64_t(512) << s.below(2) : int64_t(16) << s.below(2);
  bool isReal = s.chance(65);
  TileType type = k.tileType({count}, isReal ? chooseWideFloat(k, s) : chooseInt(k, s));
  TileType flags = k.tileType({count}, k.intType(1));
  Fill fill = isReal         ? s.chance(70) ? Fill::SignedZeros : Fill::Any
              : s.chance(50) ? Fill::SmallIntegers
                             : Fill::Any;
  mlir::Value x = freshTile(k, s, type, fill);
  mlir::Value y = s.chance(30) ? k.constant(s, type).ssa : freshTile(k, s, type, fill);
  auto predicate = static_cast<cuda_tile::ComparisonPredicate>(s.below(6));
  auto ordering = s.chance(60) ? cuda_tile::ComparisonOrdering::ORDERED
                               : cuda_tile::ComparisonOrdering::UNORDERED;
  mlir::Value condition =
      s.chance(20) ? freshTile(k, s, flags, Fill::Any)
      : isReal     ? cuda_tile::CmpFOp::create(b, loc, flags, predicate, ordering, x, y).getResult()
                   : cuda_tile::CmpIOp::create(b, loc, flags, predicate, x, y, chooseSignedness(s))
                         .getResult();
  auto choose = [&](mlir::Value c, mlir::Value yes, mlir::Value no) -> mlir::Value {
    return cuda_tile::SelectOp::create(b, loc, type, c, yes, no);
  };
  mlir::Value z = freshTile(k, s, type, fill), result;
  switch (s.below(6)) {
  case 0:
    result = choose(condition, x, y);
    break;
  case 1:
    result = choose(condition, y, x);
    break;
  case 2:
    result = choose(condition, z, s.chance(50) ? x : y);
    break;
  case 3:
    result = choose(condition, s.chance(50) ? x : y, z);
    break;
  default: { // a choice on the same condition inside of one, or on its opposite
    mlir::Value c = condition;
    if (s.chance(30))
      c = cuda_tile::XOrIOp::create(b, loc, flags, c, k.intConstant(flags, 1).ssa);
    mlir::Value inner = choose(c, y, x);
    result = s.chance(50) ? choose(condition, inner, z) : choose(condition, z, inner);
  }
  }
  keepTile(k, s, result);
  return true;
}

//===- shapes ---------------------------------------------------------------------------------===//

/// Reshapes and permutations of a square or a cube, and reductions of what is small or narrow.
bool applyShapeIdiom(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  static constexpr int64_t kShapes[][3] = {{4, 4, 4},   {2, 2, 2},  {8, 8, 8}, {8, 8, 1},
                                           {16, 16, 1}, {4, 4, 1},  {2, 2, 1}, {4, 1, 1},
                                           {1, 4, 16},  {32, 32, 1}};
  llvm::ArrayRef<int64_t> picked = kShapes[s.below(std::size(kShapes))];
  llvm::SmallVector<int64_t> shape(picked.begin(), picked.end());
  if (shape[2] == 1 && s.chance(80))
    shape.pop_back();
  mlir::Type element = s.chance(50) ? chooseInt(k, s) : chooseWideFloat(k, s);
  TileType type = k.tileType(shape, element);
  int64_t count = type.getNumElements();
  mlir::Value x = freshTile(k, s, s.chance(50) ? k.tileType({count}, element) : type, Fill::Any);
  if (x.getType() != type)
    x = cuda_tile::ReshapeOp::create(b, loc, type, x);
  for (uint64_t steps = 1 + s.below(3); steps > 0; --steps) {
    llvm::SmallVector<int32_t> order(shape.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = static_cast<int32_t>(i);
    for (size_t i = order.size() - 1; i > 0; --i)
      std::swap(order[i], order[s.below(i + 1)]);
    llvm::SmallVector<int64_t> permuted;
    for (int32_t i : order)
      permuted.push_back(shape[static_cast<size_t>(i)]);
    x = cuda_tile::PermuteOp::create(b, loc, k.tileType(permuted, element), x,
                                     mlir::DenseI32ArrayAttr::get(&k.context(), order));
    shape = permuted;
    if (s.chance(40)) {
      x = cuda_tile::ReshapeOp::create(b, loc, k.tileType({count}, element), x);
      x = cuda_tile::ReshapeOp::create(b, loc, k.tileType(shape, element), x);
    }
  }
  keepTile(k, s, x);
  return true;
}

/// One element of a tile that got more dimensions, repeated or not, and was computed with.
bool applyElement(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  mlir::Type element = s.chance(50) ? chooseInt(k, s) : chooseWideFloat(k, s);
  llvm::SmallVector<int64_t> shape(1 + s.below(2));
  for (int64_t &extent : shape)
    extent = int64_t(2) << s.below(3);
  mlir::Value x = freshTile(k, s, k.tileType(shape, element), Fill::Any);
  unsigned added = 1 + static_cast<unsigned>(s.below(2));
  for (; added > 0; --added)
    shape.insert(shape.begin() + static_cast<int64_t>(s.below(shape.size() + 1)), 1);
  x = cuda_tile::ReshapeOp::create(b, loc, k.tileType(shape, element), x);
  if (s.chance(40)) {
    for (int64_t &extent : shape)
      extent = extent == 1 && s.chance(60) ? 4 : extent;
    x = cuda_tile::BroadcastOp::create(b, loc, k.tileType(shape, element), x);
  }
  TileType type = k.tileType(shape, element);
  if (s.chance(30))
    x = combineExactly(k, x, freshTile(k, s, type, Fill::Any));
  TileType i32 = k.scalarType(k.intType(32)),
           one = k.tileType(llvm::SmallVector<int64_t>(shape.size(), 1), element);
  llvm::SmallVector<mlir::Value> indices;
  for (int64_t extent : shape)
    indices.push_back(k.intConstant(i32, static_cast<Int>(s.below(extent))).ssa);
  mlir::Value picked = cuda_tile::ExtractOp::create(b, loc, one, x, indices);
  if (s.chance(50))
    picked = cuda_tile::BroadcastOp::create(b, loc, type, picked);
  keepTile(k, s, picked);
  return true;
}

//===- loops ----------------------------------------------------------------------------------===//

/// Loops that never run, or run or not as the block says, and hand on tiles; loops that leave with
/// one tile twice.
bool applyShortLoop(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  TileType type = k.tileType({int64_t(16) << s.below(3)}, chooseInt(k, s)),
           i32 = k.scalarType(k.intType(32));
  mlir::Value x = freshTile(k, s, type, Fill::Any), y = freshTile(k, s, type, Fill::Any);
  if (s.chance(50)) {
    Int lower = s.between(-3, 3), trips = s.below(3);
    mlir::Value upper = k.intConstant(i32, lower + trips - (s.chance(30) ? 1 : 0)).ssa;
    if (s.chance(40))
      upper = cuda_tile::AddIOp::create(b, loc, i32, k.intConstant(i32, lower).ssa,
                                        k.blockIndex(0).ssa, IntegerOverflow::NONE);
    auto loop = cuda_tile::ForOp::create(b, loc, k.intConstant(i32, lower).ssa, upper,
                                         k.intConstant(i32, s.between(1, 2)).ssa,
                                         mlir::ValueRange{x, y}, nullptr, false);
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    mlir::Value one = loop.getRegionIterValues()[0], two = loop.getRegionIterValues()[1];
    mlir::Value next = cuda_tile::SubIOp::create(b, loc, type, two, one, IntegerOverflow::NONE);
    cuda_tile::ContinueOp::create(b, loc, mlir::ValueRange{two, next});
    b.setInsertionPointAfter(loop);
    keepTile(k, s, loop.getResult(0));
    keepTile(k, s, loop.getResult(1));
    return true;
  }
  mlir::OperationState state(loc, cuda_tile::LoopOp::getOperationName());
  state.addOperands({k.intConstant(i32, 0).ssa, x});
  state.addTypes({type, type});
  mlir::Block *body = new mlir::Block();
  state.addRegion()->push_back(body);
  body->addArguments({i32, type}, {loc, loc});
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    mlir::Value counter = body->getArgument(0), carried = body->getArgument(1);
    mlir::Value next = cuda_tile::SubIOp::create(b, loc, type, y, carried, IntegerOverflow::NONE);
    auto breakHere = [&] {
      mlir::Value left = s.chance(50) ? next : carried;
      cuda_tile::BreakOp::create(b, loc, mlir::ValueRange{left, s.chance(60) ? left : carried});
    };
    if (s.chance(20)) {
      breakHere(); // one iteration
    } else {
      mlir::Value done = cuda_tile::CmpIOp::create(
          b, loc, k.scalarType(k.intType(1)), cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL,
          counter, k.intConstant(i32, static_cast<Int>(s.below(3))).ssa, Signedness::Signed);
      k.addIf(done, breakHere);
      mlir::Value count = cuda_tile::AddIOp::create(b, loc, i32, counter, k.intConstant(i32, 1).ssa,
                                                    IntegerOverflow::NONE);
      cuda_tile::ContinueOp::create(b, loc, mlir::ValueRange{count, next});
    }
  }
  mlir::Operation *loop = b.create(state);
  keepTile(k, s, loop->getResult(0));
  keepTile(k, s, loop->getResult(1));
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::idiomRules() {
  static constexpr Rule kRules[] = {
      {"constant-chain", 4, applyConstantChain, 1, "divisors are constants, neither 0 nor -1"},
      {"round-trip", 3, applyRoundTrip, 1, "integers in the range of the float, no NaN as bits"},
      {"choice", 2, applyChoice},
      {"shape-idiom", 1, applyShapeIdiom},
      {"element", 2, applyElement, 1, "indices are constants inside the tile"},
      {"reduce-idiom", 4, applyReduceIdiom, 1,
       "integers of any range, extremes, sums of zeros and of small integers"},
      {"read-back", 1, applyReadBack, 1, "each access behind the one before, in its own region"},
      {"places", 8, applyPlaces, 1, "offsets are evaluated here, too"},
      {"shifted-view", 4, applyShiftedView},
      {"short-loop", 2, applyShortLoop, 1, "at most two iterations"},
      {"token-rows", 2, applyTokenRows, 1, "each access behind the one before, in its own region"},
      {"guarded-run", 7, applyGuardedRun, 1, "offsets inside of the array whatever the mask is"},
      {"tuple", 6, applyTuple, 1, "associative bodies, commuting ones of reductions; exact values"},
      {"carried-pointers", 3, applyCarriedPointers, 1, "at most five turns inside of the arrays"},
      {"left-loop", 4, applyLeftLoop, 1, "at most six turns"},
      {"index-compared", 7, applyIndexCompared, 1,
       "at most five turns; counts by ones near the ends"},
      {"special-operand", 9, applySpecialOperand, 1, "no conversion that has no result"},
      {"constant-quotient", 3, applyConstantQuotients, 1, "exact, or within bounds"},
      {"idle-atomic", 7, applyIdleAtomic, 1, "each element updated by one block"},
      {"token-chain", 8, applyTokenChain, 1,
       "each access behind the one before, in its own region"},
      {"row-bounds", 8, applyRowBounds, 1, "comparisons and sums of integers that may wrap"},
      {"outside-index", 3, applyOutsideIndex, 1, "tiles behind the end of a view are padding"},
      {"shared-divisor", 4, applySharedDivisor, 1, "divisors of integers are neither 0 nor -1"},
      {"divided-by-sums", 2, applyDividedBySums, 1, "sums within bounds"},
      {"line-statistics", 4, applyLineStatistics, 1,
       "wrapping sums, extremes and their first places"},
      {"promised-places", 4, applyPromisedPlaces, 1, "promises are true, offsets evaluated here"},
      {"single-accesses", 5, applySingleAccesses, 1,
       "each access behind the one before, elements of one block"},
      {"asked-extents", 4, applyAskedExtents, 1, "promises are true, offsets inside of the array"},
      {"views-of-one", 5, applyViewsOfOne, 1,
       "each access behind the one before, in its own region"},
      {"shared-lines", 4, applySharedLines, 1, "tiles inside of the tensor, or padded"},
      {"wide-range", 3, applyWideRange, 1, "at most fifteen turns, the last in front of the end"},
      {"promised-sign", 3, applyPromisedSign, 1, "promises are true whatever is in memory"},
      {"bound-of-each", 3, applyBoundOfEach, 1, "offsets inside of the array whatever the mask is"},
      {"long-lines", 1, applyLongLines, 1, "wrapping sums"},
  };
  return kRules;
}
