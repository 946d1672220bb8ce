//===- EnclosureRules.cpp - arithmetic on values that are known within bounds only ------------===//
//
// Approximate functions, sums and products of general data have many legal results. These rules
// compute with them, so that enclosures wider than a point reach the results. They are the only
// ones that take such values as operands (KernelBuilder::findApproximate); what they define is such
// a value again unless all operands were exact.
//
// Promises: operands are clamped to where no result overflows, and mostly to positive numbers, so
// that nothing cancels and the bounds stay narrow; sums are short enough for their type.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"
#include "generators/program/TurnLoop.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::RoundingMode;
using cuda_tile::TileType;

namespace {

Facts approximate() {
  Facts facts;
  facts.exact = false;
  return facts;
}

/// The value, its elements limited to [low, high]; NaN becomes `low`.
TileValue clamped(KernelBuilder &k, TileValue value, double low, double high) {
  TileType type = value.type();
  mlir::Value result =
      cuda_tile::MaxFOp::create(k.builder(), k.loc(), type, value.ssa,
                                k.floatConstant(type, low).ssa, mlir::UnitAttr(), mlir::UnitAttr());
  result =
      cuda_tile::MinFOp::create(k.builder(), k.loc(), type, result, k.floatConstant(type, high).ssa,
                                mlir::UnitAttr(), mlir::UnitAttr());
  return {result, value.facts};
}

/// A function of the value that is only known within bounds.
TileValue roughened(KernelBuilder &k, ChoiceStream &s, TileValue value) {
  mlir::OpBuilder &b = k.builder();
  TileType type = value.type();
  mlir::Value x = clamped(k, value, 0x1p-4, 8).ssa, result;
  switch (s.below(5)) {
  case 0:
    result = cuda_tile::Exp2Op::create(b, k.loc(), type, x, mlir::UnitAttr());
    break;
  case 1:
    result = cuda_tile::LogOp::create(b, k.loc(), type, x);
    break;
  case 2:
    result = cuda_tile::SinOp::create(b, k.loc(), type, x);
    break;
  case 3:
    result = cuda_tile::RsqrtOp::create(b, k.loc(), type, x, mlir::UnitAttr());
    break;
  default:
    result = cuda_tile::CosHOp::create(b, k.loc(), type, x);
  }
  return {result, approximate()};
}

/// A float value, mostly one that is only known within bounds.
std::optional<TileValue> findReal(KernelBuilder &k, ChoiceStream &s,
                                  llvm::function_ref<bool(const TileValue &)> condition) {
  auto wanted = [&](const TileValue &v) { return isFloat(v.element()) && condition(v); };
  if (s.chance(75))
    if (auto value = k.findApproximate(s, wanted))
      return value;
  if (auto value = k.find(s, wanted))
    return s.chance(75) ? roughened(k, s, *value) : *value;
  return k.findApproximate(s, wanted);
}

std::optional<TileValue> findReal(KernelBuilder &k, ChoiceStream &s) {
  return findReal(k, s, [](const TileValue &) { return true; });
}

/// Another operand of that type in [low, high], approximate or not.
TileValue operand(KernelBuilder &k, ChoiceStream &s, TileType type, double low, double high) {
  auto value = findReal(k, s, [&](const TileValue &v) { return v.ssa.getType() == type; });
  return clamped(k, value ? *value : k.use(s, type), low, high);
}

cuda_tile::RoundingModeAttr chooseRounding(KernelBuilder &k, ChoiceStream &s) {
  RoundingMode mode = RoundingMode::NEAREST_EVEN;
  if (s.chance(15)) {
    static constexpr RoundingMode kDirected[] = {RoundingMode::ZERO, RoundingMode::NEGATIVE_INF,
                                                 RoundingMode::POSITIVE_INF};
    mode = s.pick(llvm::ArrayRef<RoundingMode>(kDirected));
  }
  return cuda_tile::RoundingModeAttr::get(&k.context(), mode);
}

mlir::UnitAttr chooseFlush(KernelBuilder &k, ChoiceStream &s, mlir::Type element) {
  return element.isF32() && s.chance(12) ? k.builder().getUnitAttr() : mlir::UnitAttr();
}

bool defineFrom(KernelBuilder &k, mlir::Value result, llvm::ArrayRef<TileValue> operands) {
  Facts facts;
  facts.exact = llvm::all_of(operands, [](const TileValue &v) { return v.facts.exact; });
  k.define(result, facts);
  return true;
}

constexpr double kLow = 0x1p-4, kHigh = 16;

/// One operation on positive operands.
bool applyArithmetic(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> first = findReal(k, s);
  if (!first)
    return false;
  TileType type = first->type();
  mlir::Type element = type.getElementType();
  mlir::OpBuilder &b = k.builder();
  auto mode = chooseRounding(k, s);
  mlir::UnitAttr flush = chooseFlush(k, s, element);
  TileValue x = clamped(k, *first, kLow, kHigh);
  switch (s.below(8)) {
  case 0: {
    TileValue y = operand(k, s, type, kLow, kHigh);
    return defineFrom(k, cuda_tile::AddFOp::create(b, k.loc(), type, x.ssa, y.ssa, mode, flush),
                      {x, y});
  }
  case 1: { // far enough apart
    x = clamped(k, *first, 4, kHigh);
    TileValue y = operand(k, s, type, kLow, 2);
    return defineFrom(k, cuda_tile::SubFOp::create(b, k.loc(), type, x.ssa, y.ssa, mode, flush),
                      {x, y});
  }
  case 2: {
    TileValue y = operand(k, s, type, kLow, kHigh);
    return defineFrom(k, cuda_tile::MulFOp::create(b, k.loc(), type, x.ssa, y.ssa, mode, flush),
                      {x, y});
  }
  case 3: {
    TileValue y = operand(k, s, type, kLow, kHigh);
    return defineFrom(k, cuda_tile::DivFOp::create(b, k.loc(), type, x.ssa, y.ssa, mode, flush),
                      {x, y});
  }
  case 4: {
    TileValue y = operand(k, s, type, kLow, kHigh), z = operand(k, s, type, kLow, kHigh);
    return defineFrom(
        k, cuda_tile::FmaOp::create(b, k.loc(), type, x.ssa, y.ssa, z.ssa, mode, flush), {x, y, z});
  }
  case 5: { // a product and a sum that a compiler might fuse
    TileValue y = operand(k, s, type, kLow, kHigh), z = operand(k, s, type, kLow, kHigh);
    mlir::Value product =
        cuda_tile::MulFOp::create(b, k.loc(), type, x.ssa, y.ssa, mode, mlir::UnitAttr());
    return defineFrom(
        k, cuda_tile::AddFOp::create(b, k.loc(), type, product, z.ssa, mode, mlir::UnitAttr()),
        {x, y, z});
  }
  case 6:
    return defineFrom(k, cuda_tile::SqrtOp::create(b, k.loc(), type, x.ssa, mode, flush), {x});
  default: // signs, which keep the width
    return defineFrom(k,
                      s.chance(70)
                          ? cuda_tile::NegFOp::create(b, k.loc(), type, first->ssa).getResult()
                          : cuda_tile::AbsFOp::create(b, k.loc(), type, first->ssa).getResult(),
                      {*first});
  }
}

/// The smaller or larger of two, or either by a condition.
bool applyChoice(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> x = findReal(k, s);
  if (!x)
    return false;
  TileType type = x->type();
  mlir::OpBuilder &b = k.builder();
  TileValue y = operand(k, s, type, -kHigh, kHigh);
  switch (s.below(3)) {
  case 0:
    return defineFrom(k,
                      cuda_tile::MaxFOp::create(b, k.loc(), type, x->ssa, y.ssa, mlir::UnitAttr(),
                                                mlir::UnitAttr()),
                      {*x, y});
  case 1:
    return defineFrom(k,
                      cuda_tile::MinFOp::create(b, k.loc(), type, x->ssa, y.ssa, mlir::UnitAttr(),
                                                mlir::UnitAttr()),
                      {*x, y});
  default: {
    TileValue condition = k.use(s, k.tileType(type.getShape(), k.intType(1)));
    return defineFrom(
        k, cuda_tile::SelectOp::create(b, k.loc(), type, condition.ssa, x->ssa, y.ssa), {*x, y});
  }
  }
}

/// Another float format, wide or narrow.
bool applyConvert(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> value = findReal(k, s);
  if (!value)
    return false;
  mlir::Type target = k.pickElement(s, Kind::Float);
  if (target == value->element())
    return false;
  TileValue x = clamped(k, *value, s.chance(50) ? -kHigh : kLow, kHigh);
  return defineFrom(k,
                    cuda_tile::FToFOp::create(k.builder(), k.loc(),
                                              k.tileType(value->shape(), target), x.ssa,
                                              RoundingMode::NEAREST_EVEN),
                    {x});
}

/// The elements in other places.
bool applyMove(KernelBuilder &k, ChoiceStream &s) {
  auto value = findReal(k, s, [](const TileValue &v) { return !v.shape().empty(); });
  if (!value)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = value->element();
  size_t rank = value->shape().size();
  switch (s.below(4)) {
  case 0: {
    llvm::SmallVector<int32_t> order(rank);
    llvm::SmallVector<int64_t> shape;
    for (size_t i = 0; i < rank; ++i)
      order[i] = static_cast<int32_t>(rank - 1 - i);
    for (int32_t i : order)
      shape.push_back(value->shape()[i]);
    if (rank < 2)
      return false;
    return defineFrom(
        k,
        cuda_tile::PermuteOp::create(b, k.loc(), k.tileType(shape, element), value->ssa,
                                     mlir::DenseI32ArrayAttr::get(&k.context(), order)),
        {*value});
  }
  case 1:
    if (rank < 2)
      return false;
    return defineFrom(k, flatten(k, value->ssa), {*value});
  case 2: { // one half
    size_t dim = s.below(rank);
    llvm::SmallVector<int64_t> shape(value->shape());
    if (shape[dim] < 2)
      return false;
    shape[dim] /= 2;
    TileType i32 = k.scalarType(k.intType(32));
    llvm::SmallVector<mlir::Value> indices;
    for (size_t i = 0; i < rank; ++i)
      indices.push_back(k.intConstant(i32, i == dim ? static_cast<Int>(s.below(2)) : 0).ssa);
    return defineFrom(
        k,
        cuda_tile::ExtractOp::create(b, k.loc(), k.tileType(shape, element), value->ssa, indices),
        {*value});
  }
  default: {
    if (value->type().getNumElements() > 2048)
      return false;
    auto other = // at least the value itself
        findReal(k, s, [&](const TileValue &v) { return v.ssa.getType() == value->ssa.getType(); });
    size_t dim = s.below(rank);
    llvm::SmallVector<int64_t> shape(value->shape());
    shape[dim] *= 2;
    return defineFrom(k,
                      cuda_tile::CatOp::create(b, k.loc(), k.tileType(shape, element), value->ssa,
                                               other->ssa,
                                               b.getI64IntegerAttr(static_cast<int64_t>(dim))),
                      {*value, *other});
  }
  }
}

/// A sum or a product along one dimension, in whatever order.
bool applySum(KernelBuilder &k, ChoiceStream &s) {
  auto value = findReal(k, s, [](const TileValue &v) { return !v.shape().empty(); });
  if (!value)
    return false;
  mlir::Type element = value->element();
  unsigned dim = static_cast<unsigned>(s.below(value->shape().size()));
  int64_t length = value->shape()[dim];
  bool isProduct = s.chance(20), isWide = element.isF32() || element.isF64();
  // The bound of a sum is its length times the rounding error.
  if (length > (isProduct ? 64 : isWide ? 1024 : element.isF16() ? 128 : 16) || length < 2)
    return false;
  double low = isProduct ? 0.875 : isWide && s.chance(30) ? -kHigh : kLow;
  mlir::Value x = clamped(k, *value, low, isProduct ? 1.125 : kHigh).ssa;
  bool isScan = s.chance(35);
  TileType scalar = k.scalarType(element);
  mlir::OpBuilder &b = k.builder();
  mlir::Value result = emitReduction(
      k, s, x, dim, isScan, b.getFloatAttr(element, isProduct ? 1.0 : 0.0),
      [&](mlir::Value left, mlir::Value right) {
        auto mode = chooseRounding(k, s);
        mlir::UnitAttr flush = chooseFlush(k, s, element);
        return isProduct ? cuda_tile::MulFOp::create(b, k.loc(), scalar, left, right, mode, flush)
                               .getResult()
                         : cuda_tile::AddFOp::create(b, k.loc(), scalar, left, right, mode, flush)
                               .getResult();
      });
  k.define(result, approximate());
  k.note(isScan ? "scan-real" : "reduce-real");
  return true;
}

/// The value as a matrix of at most 64 rows and columns.
std::optional<TileValue> findMatrix(KernelBuilder &k, ChoiceStream &s) {
  auto value = findReal(k, s, [](const TileValue &v) {
    return v.type().getNumElements() >= 4 && v.type().getNumElements() <= 64 * 64;
  });
  if (!value)
    return std::nullopt;
  unsigned bits = llvm::Log2_64(static_cast<uint64_t>(value->type().getNumElements()));
  unsigned least = bits > 6 ? bits - 6 : 0, most = std::min(bits, 6u);
  unsigned rows = static_cast<unsigned>(s.between(least, most));
  TileType type = k.tileType({int64_t(1) << rows, int64_t(1) << (bits - rows)}, value->element());
  if (value->ssa.getType() == type)
    return value;
  return TileValue{cuda_tile::ReshapeOp::create(k.builder(), k.loc(), type, value->ssa),
                   value->facts};
}

/// a times transposed b plus c.
bool applyMma(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findMatrix(k, s);
  if (!a)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type f16 = b.getF16Type(), f32 = b.getF32Type(), f64 = b.getF64Type();
  const std::pair<mlir::Type, mlir::Type> kPairs[] = {{f16, f16},
                                                      {f16, f32},
                                                      {b.getBF16Type(), f32},
                                                      {b.getTF32Type(), f32},
                                                      {f32, f32},
                                                      {f64, f64},
                                                      {b.getType<mlir::Float8E4M3FNType>(), f32},
                                                      {b.getType<mlir::Float8E5M2Type>(), f32}};
  auto [input, sum] = kPairs[s.below(std::size(kPairs))];
  bool mixed = sum != f16 && s.chance(35);
  double low = mixed ? -4 : 0.25, high = 4;
  int64_t rows = a->shape()[0], depth = a->shape()[1];
  auto narrowed = [&](const TileValue &value) -> mlir::Value {
    mlir::Value x = clamped(k, value, low, high).ssa;
    if (value.element() == input)
      return x;
    return cuda_tile::FToFOp::create(b, k.loc(), k.tileType(value.shape(), input), x,
                                     RoundingMode::NEAREST_EVEN);
  };
  mlir::Value lhs = narrowed(*a);
  auto other = findReal(k, s, [&](const TileValue &v) { return v.ssa.getType() == a->type(); });
  mlir::Value rhs = cuda_tile::PermuteOp::create(
      b, k.loc(), k.tileType({depth, rows}, input), narrowed(other ? *other : *a),
      mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0}));
  TileType type = k.tileType({rows, rows}, sum);
  mlir::Value acc = k.floatConstant(type, static_cast<double>(s.between(0, 8))).ssa;
  if (s.chance(30))
    acc = operand(k, s, type, kLow, kHigh).ssa;
  bool fast = k.version() >= 3 && s.chance(20);
  k.define(cuda_tile::MmaFOp::create(b, k.loc(), type, lhs, rhs, acc,
                                     fast ? b.getUnitAttr() : mlir::UnitAttr()),
           approximate());
  k.note("mma-real");
  return true;
}

/// A value that a loop updates: x * y + carried, limited in every iteration.
bool applyLoop(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> first = findReal(k, s);
  if (!first || k.depth > 0)
    return false;
  TileType type = first->type();
  mlir::Type element = type.getElementType();
  mlir::OpBuilder &b = k.builder();
  TileValue x = operand(k, s, type, kLow, 1), y = operand(k, s, type, kLow, 2);
  mlir::Value start = clamped(k, *first, kLow, kHigh).ssa;
  auto loop = TurnLoop(k, s, s.between(1, 4), {start}).op();
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    k.openBody(loop);
    auto mode = chooseRounding(k, s);
    mlir::UnitAttr flush = chooseFlush(k, s, element);
    TileValue carried = clamped(k, {loop.getRegionIterVar(0), approximate()}, kLow, kHigh);
    mlir::Value next;
    switch (s.below(3)) {
    case 0:
      next = cuda_tile::FmaOp::create(b, k.loc(), type, x.ssa, y.ssa, carried.ssa, mode, flush);
      break;
    case 1: // x * carried + y
      next = cuda_tile::MulFOp::create(b, k.loc(), type, x.ssa, carried.ssa, mode, flush);
      next = cuda_tile::AddFOp::create(b, k.loc(), type, next, y.ssa, mode, flush);
      break;
    default:
      next = cuda_tile::SqrtOp::create(b, k.loc(), type, carried.ssa, mode, flush);
      next = cuda_tile::DivFOp::create(b, k.loc(), type, next, y.ssa, mode, flush);
    }
    cuda_tile::ContinueOp::create(b, k.loc(), mlir::ValueRange{next});
  }
  return defineFrom(k, loop->getResult(0), {*first, x, y});
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::enclosureRules() {
  static constexpr Rule kRules[] = {
      {"real-arithmetic", 40, applyArithmetic, 1, "operands of 1/16 to 16"},
      {"real-choice", 5, applyChoice},
      {"real-convert", 8, applyConvert, 1, "operands of at most 16"},
      {"real-move", 14, applyMove},
      {"real-sum", 4, applySum, 1, "at most 1024 f32, 128 f16 or 16 bf16 elements"},
      {"real-mma", 3, applyMma, 1, "operands of at most 4"},
      {"real-loop", 5, applyLoop, 1, "at most four iterations, limited in each"},
  };
  return kRules;
}
