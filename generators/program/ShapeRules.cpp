//===- ShapeRules.cpp - constants, iota, reshape, broadcast, permute, cat, extract, reduce, scan -===//
//
// Promises: shapes stay powers of two with at most 2^12 elements; the indices of extract name
// slices that exist. Reductions and scans are of integers (any order gives the same bits) or minima
// and maxima of floats that let NaN through (so that the identity is neutral for NaN, too).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

llvm::SmallVector<mlir::Value> generators::emitAggregate(
    KernelBuilder &k, mlir::ValueRange values, unsigned dim, bool isScan, bool reverse,
    llvm::ArrayRef<mlir::Attribute> identities,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange, mlir::ValueRange)>
        combine) {
  mlir::OpBuilder &b = k.builder();
  mlir::OperationState state(k.loc(), isScan ? cuda_tile::ScanOp::getOperationName()
                                             : cuda_tile::ReduceOp::getOperationName());
  state.addOperands(values);
  state.addAttribute("dim", b.getI32IntegerAttr(static_cast<int32_t>(dim)));
  state.addAttribute("identities", b.getArrayAttr(identities));
  if (isScan)
    state.addAttribute("reverse", b.getBoolAttr(reverse));
  mlir::Block *body = new mlir::Block();
  state.addRegion()->push_back(body);
  for (mlir::Value value : values) {
    auto type = llvm::cast<cuda_tile::TileType>(value.getType());
    llvm::SmallVector<int64_t> shape(type.getShape());
    if (!isScan)
      shape.erase(shape.begin() + dim);
    state.addTypes(k.tileType(shape, type.getElementType()));
    cuda_tile::TileType scalar = k.scalarType(type.getElementType());
    body->addArguments({scalar, scalar}, {k.loc(), k.loc()});
  }
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    llvm::SmallVector<mlir::Value> before, one;
    for (unsigned i = 0; i < values.size(); ++i) {
      before.push_back(body->getArgument(2 * i));
      one.push_back(body->getArgument(2 * i + 1));
    }
    cuda_tile::YieldOp::create(b, k.loc(), combine(before, one));
  }
  return llvm::to_vector_of<mlir::Value>(b.create(state)->getResults());
}

mlir::Value
generators::emitReduction(KernelBuilder &k, ChoiceStream &s, mlir::Value value, unsigned dim,
                          bool isScan, mlir::Attribute identity,
                          llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine) {
  const bool reverse = isScan && s.chance(50);
  return emitAggregate(
             k, value, dim, isScan, reverse, identity,
             [&](mlir::ValueRange before, mlir::ValueRange one) -> llvm::SmallVector<mlir::Value> {
               return {combine(before.front(), one.front())};
             })
      .front();
}

namespace {

/// A value to move about: sometimes one of a storage format, where there is one.
std::optional<TileValue> findMovable(KernelBuilder &k, ChoiceStream &s,
                                     llvm::function_ref<bool(const TileValue &)> condition) {
  if (s.chance(15))
    if (auto stored =
            k.find(s, [&](const TileValue &v) { return !isNumber(v.element()) && condition(v); }))
      return stored;
  return k.find(s, condition);
}

bool applyConstant(KernelBuilder &k, ChoiceStream &s) {
  TileValue value = k.constant(s, k.pickMovable(s));
  k.define(value.ssa, value.facts);
  return true;
}

/// Counts along one dimension of the iteration space and repeats that along the others.
bool applyIota(KernelBuilder &k, ChoiceStream &s) {
  llvm::ArrayRef<int64_t> shape = k.tileShape();
  unsigned dim = static_cast<unsigned>(s.below(shape.size()));
  mlir::Type element = k.pickElement(s, Kind::Int);
  unsigned width = widthOf(element);
  int64_t extent = shape[dim];
  if (width < 63 && (int64_t(1) << width) < extent)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Value iota = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({extent}, element));
  llvm::SmallVector<int64_t> row(shape.size(), 1);
  row[dim] = extent;
  if (shape.size() > 1) {
    iota = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(row, element), iota);
    iota = cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(shape, element), iota);
  }
  // The elements count as unsigned; the upper half of a full circle reads as negative.
  Facts facts;
  facts.range = Range{0, extent - 1}.wrapped(width);
  facts.distinct = shape.size() == 1 || llvm::all_of(llvm::enumerate(shape), [&](auto e) {
                     return e.index() == dim || e.value() == 1;
                   });
  k.define(iota, facts);
  return true;
}

/// Same elements, another shape: two dimensions merged, one split, or a dimension of extent 1 added
/// or dropped.
bool applyReshape(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findMovable(k, s, [](const TileValue &) { return true; });
  if (!a)
    return false;
  llvm::SmallVector<int64_t> shape(a->shape());
  switch (s.below(4)) {
  case 0: { // merge
    if (shape.size() < 2)
      return false;
    size_t at = s.below(shape.size() - 1);
    shape[at] *= shape[at + 1];
    shape.erase(shape.begin() + at + 1);
    break;
  }
  case 1: { // split
    if (shape.empty() || shape.size() >= 4)
      return false;
    size_t at = s.below(shape.size());
    if (shape[at] < 2)
      return false;
    unsigned bits = 0;
    while ((int64_t(1) << bits) < shape[at])
      ++bits;
    int64_t inner = int64_t(1) << s.between(1, bits);
    shape[at] /= inner;
    shape.insert(shape.begin() + at + 1, inner);
    break;
  }
  case 2: // add
    if (shape.size() >= 4)
      return false;
    shape.insert(shape.begin() + s.below(shape.size() + 1), 1);
    break;
  case 3: { // back to the iteration space
    int64_t elements = 1, wanted = 1;
    for (int64_t extent : shape)
      elements *= extent;
    for (int64_t extent : k.tileShape())
      wanted *= extent;
    if (elements != wanted || llvm::ArrayRef<int64_t>(shape) == k.tileShape())
      return false;
    shape.assign(k.tileShape().begin(), k.tileShape().end());
    break;
  }
  }
  k.define(
      cuda_tile::ReshapeOp::create(k.builder(), k.loc(), k.tileType(shape, a->element()), a->ssa),
      a->facts);
  return true;
}

/// The value with four dimensions of at least two elements, where it has 16 elements.
TileValue inFourDimensions(KernelBuilder &k, ChoiceStream &s, TileValue value) {
  int64_t count = value.type().getNumElements();
  if (count < 16)
    return value;
  llvm::SmallVector<int64_t> shape(4, 2);
  for (count /= 16; count > 1; count /= 2)
    shape[s.below(4)] *= 2;
  return {cuda_tile::ReshapeOp::create(k.builder(), k.loc(), k.tileType(shape, value.element()),
                                       value.ssa),
          value.facts};
}

bool applyPermute(KernelBuilder &k, ChoiceStream &s) {
  bool inFour = s.chance(30);
  std::optional<TileValue> a = findMovable(k, s, [&](const TileValue &v) {
    return inFour ? v.type().getNumElements() >= 16 : v.shape().size() >= 2;
  });
  if (!a)
    return false;
  if (inFour)
    a = inFourDimensions(k, s, *a);
  size_t rank = a->shape().size();
  llvm::SmallVector<int32_t> permutation(rank);
  for (size_t i = 0; i < rank; ++i)
    permutation[i] = static_cast<int32_t>(i);
  for (size_t i = rank - 1; i > 0; --i)
    std::swap(permutation[i], permutation[s.below(i + 1)]);
  llvm::SmallVector<int64_t> shape;
  for (int32_t p : permutation)
    shape.push_back(a->shape()[p]);
  k.define(cuda_tile::PermuteOp::create(k.builder(), k.loc(), k.tileType(shape, a->element()),
                                        a->ssa,
                                        mlir::DenseI32ArrayAttr::get(&k.context(), permutation)),
           a->facts);
  return true;
}

/// Repeats a value to the shape of the iteration space, through a reshape that aligns its
/// dimensions.
bool applyBroadcast(KernelBuilder &k, ChoiceStream &s) {
  llvm::ArrayRef<int64_t> shape = k.tileShape();
  auto fits = [&](const TileValue &v) {
    if (v.shape() == shape || v.shape().size() > shape.size())
      return false;
    if (v.shape().size() == shape.size())
      return llvm::all_of(llvm::zip(v.shape(), shape), [](auto pair) {
        return std::get<0>(pair) == 1 || std::get<0>(pair) == std::get<1>(pair);
      });
    return v.shape().size() <= 1;
  };
  std::optional<TileValue> a = findMovable(k, s, fits);
  if (!a)
    return false;
  mlir::Value value = a->ssa;
  if (a->shape().size() != shape.size()) {
    llvm::SmallVector<int64_t> aligned(shape.size(), 1);
    if (a->shape().size() == 1) {
      llvm::SmallVector<unsigned> dims;
      for (auto [i, extent] : llvm::enumerate(shape))
        if (extent == a->shape()[0] || a->shape()[0] == 1)
          dims.push_back(i);
      if (dims.empty())
        return false;
      aligned[s.pick(llvm::ArrayRef<unsigned>(dims))] = a->shape()[0];
    }
    value = cuda_tile::ReshapeOp::create(k.builder(), k.loc(), k.tileType(aligned, a->element()),
                                         value);
  }
  if (llvm::cast<cuda_tile::TileType>(value.getType()).getShape() != shape)
    value = cuda_tile::BroadcastOp::create(k.builder(), k.loc(), k.tileType(shape, a->element()),
                                           value);
  Facts facts = a->facts;
  facts.distinct = false;
  k.define(value, facts);
  return true;
}

/// The combining op of a reduction, its identity, and the range of its result.
struct Combiner {
  mlir::Attribute identity;
  Range range;
  std::function<mlir::Value(mlir::Value, mlir::Value)> combine;
};

Combiner intCombiner(KernelBuilder &k, ChoiceStream &s, mlir::Type element, Range input,
                     int64_t count) {
  using cuda_tile::Signedness;
  unsigned width = widthOf(element);
  cuda_tile::TileType scalar = k.scalarType(element);
  auto identity = [&](Int value) -> mlir::Attribute {
    return mlir::IntegerAttr::get(element,
                                  llvm::APInt(width, static_cast<uint64_t>(value), false, true));
  };
  auto signedAttr = [&k](bool isSigned) {
    return cuda_tile::SignednessAttr::get(&k.context(),
                                          isSigned ? Signedness::Signed : Signedness::Unsigned);
  };
  Range full = Range::full(width);
  bool isSigned = s.chance(50);
  switch (s.below(6)) {
  case 0:
    return {
        identity(0),
        Range{std::min<Int>(0, input.low * count), std::max<Int>(0, input.high * count)}.wrapped(
            width),
        [&k, scalar](mlir::Value a, mlir::Value b) -> mlir::Value {
          return cuda_tile::AddIOp::create(k.builder(), k.loc(), scalar, a, b,
                                           cuda_tile::IntegerOverflow::NONE);
        }};
  case 1:
    return {identity(isSigned ? full.low : 0), isSigned || input.nonNegative() ? input : full,
            [&k, scalar, signedAttr, isSigned](mlir::Value a, mlir::Value b) -> mlir::Value {
              return cuda_tile::MaxIOp::create(k.builder(), k.loc(), scalar, a, b,
                                               signedAttr(isSigned));
            }};
  case 2:
    return {identity(isSigned ? full.high : -1), isSigned || input.nonNegative() ? input : full,
            [&k, scalar, signedAttr, isSigned](mlir::Value a, mlir::Value b) -> mlir::Value {
              return cuda_tile::MinIOp::create(k.builder(), k.loc(), scalar, a, b,
                                               signedAttr(isSigned));
            }};
  case 3:
    return {identity(-1), input.nonNegative() ? Range{0, input.high} : full,
            [&k, scalar](mlir::Value a, mlir::Value b) -> mlir::Value {
              return cuda_tile::AndIOp::create(k.builder(), k.loc(), scalar, a, b);
            }};
  case 4:
    return {identity(0), full, [&k, scalar](mlir::Value a, mlir::Value b) -> mlir::Value {
              return cuda_tile::OrIOp::create(k.builder(), k.loc(), scalar, a, b);
            }};
  default:
    return {identity(0), full, [&k, scalar](mlir::Value a, mlir::Value b) -> mlir::Value {
              return cuda_tile::XOrIOp::create(k.builder(), k.loc(), scalar, a, b);
            }};
  }
}

Combiner floatCombiner(KernelBuilder &k, ChoiceStream &s, mlir::Type element) {
  cuda_tile::TileType scalar = k.scalarType(element);
  bool isMax = s.chance(50);
  const llvm::fltSemantics &semantics = llvm::cast<mlir::FloatType>(element).getFloatSemantics();
  return {mlir::FloatAttr::get(element, llvm::APFloat::getInf(semantics, /*Negative=*/isMax)),
          Range::point(0), [&k, scalar, isMax](mlir::Value a, mlir::Value b) -> mlir::Value {
            mlir::UnitAttr propagate = k.builder().getUnitAttr();
            if (isMax)
              return cuda_tile::MaxFOp::create(k.builder(), k.loc(), scalar, a, b, propagate,
                                               mlir::UnitAttr());
            return cuda_tile::MinFOp::create(k.builder(), k.loc(), scalar, a, b, propagate,
                                             mlir::UnitAttr());
          }};
}

/// A reduction or scan of one value along one dimension.
bool aggregate(KernelBuilder &k, ChoiceStream &s, bool isScan) {
  std::optional<TileValue> a =
      k.find(s, [](const TileValue &v) { return !v.shape().empty() && isNumber(v.element()); });
  if (!a)
    return false;
  mlir::Type element = a->element();
  unsigned dim = static_cast<unsigned>(s.below(a->shape().size()));
  int64_t count = a->shape()[dim];
  Combiner combiner = isFloat(element) ? floatCombiner(k, s, element)
                                       : intCombiner(k, s, element, a->facts.range, count);
  k.define(emitReduction(k, s, a->ssa, dim, isScan, combiner.identity, combiner.combine),
           {combiner.range});
  return true;
}
bool applyReduce(KernelBuilder &k, ChoiceStream &s) {
  return aggregate(k, s, /*isScan=*/false);
}
bool applyScan(KernelBuilder &k, ChoiceStream &s) {
  return aggregate(k, s, /*isScan=*/true);
}

/// Sum or product-free combination of floats that is exact in any order: small integers.
bool applyReduceSum(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType picked = k.pickType(s, Kind::Any);
  mlir::Type element = k.pickElement(s, Kind::Float);
  // At most 2 * 256 in f16, 2 * 64 in bf16.
  if (picked.getRank() == 0)
    return false;
  unsigned dim = static_cast<unsigned>(s.below(picked.getShape().size()));
  if (picked.getShape()[dim] > (element.isBF16() ? 64 : 512))
    return false;
  mlir::Value value = smallFloats(k, s, k.tileType(picked.getShape(), element));
  bool isScan = s.chance(40);
  cuda_tile::TileType scalar = k.scalarType(element);
  mlir::OpBuilder &b = k.builder();
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_EVEN);
  // The sign of a zero sum depends on the identity, so it is made positive.
  mlir::Value result = emitReduction(k, s, value, dim, isScan, b.getFloatAttr(element, 0.0),
                                     [&](mlir::Value left, mlir::Value right) -> mlir::Value {
                                       return cuda_tile::AddFOp::create(
                                           b, k.loc(), scalar, left, right, mode, mlir::UnitAttr());
                                     });
  k.define(result, {});
  k.note(isScan ? "scan-addf" : "reduce-addf");
  return true;
}

/// The largest element and where it stands; of equal ones the first. Two operands, one combiner
/// that breaks ties by index, so that it is commutative and associative.
std::optional<TileValue> findForArgMax(KernelBuilder &k, ChoiceStream &s) {
  mlir::OpBuilder &b = k.builder();
  bool isReal = s.chance(60);
  if (isReal && s.chance(60)) { // a long line, which several warps share
    int64_t count = int64_t(64) << s.below(5);
    ArrayInfo &array = k.addFlatArray(k.pickElement(s, Kind::Float), count, /*output=*/false);
    mlir::Value offsets = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({count}, k.intType(32)));
    k.define(loadPointers(k, s, k.tileType({count}, array.element),
                          pointersAt(k, array.base, offsets), {}, {}, {})
                 .tile,
             {});
    return k.values().back();
  }
  return k.find(s, [&](const TileValue &v) {
    return !v.shape().empty() &&
           (isReal ? isFloat(v.element()) : isInt(v.element()) && widthOf(v.element()) >= 8);
  });
}

bool applyArgMax(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findForArgMax(k, s);
  if (!a)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  bool isReal = isFloat(a->element());
  if (isReal) { // NaN, which has no order, becomes the smallest number
    k.note("reduce-arg-float");
    mlir::Value lowest =
        k.floatConstant(a->type(),
                        llvm::APFloat::getLargest(
                            llvm::cast<mlir::FloatType>(a->element()).getFloatSemantics(), true))
            .ssa;
    a = TileValue{cuda_tile::MaxFOp::create(b, loc, a->type(), a->ssa, lowest, mlir::UnitAttr(),
                                            mlir::UnitAttr()),
                  {}};
  }
  unsigned dim = static_cast<unsigned>(s.below(a->shape().size()));
  mlir::Type i32 = k.intType(32);
  llvm::SmallVector<int64_t> row(a->shape().size(), 1), shape(a->shape());
  row[dim] = a->shape()[dim];
  mlir::Value places = cuda_tile::IotaOp::create(b, loc, k.tileType({row[dim]}, i32));
  if (row.size() > 1)
    places = cuda_tile::ReshapeOp::create(b, loc, k.tileType(row, i32), places);
  if (llvm::ArrayRef<int64_t>(row) != a->shape())
    places = cuda_tile::BroadcastOp::create(b, loc, k.tileType(a->shape(), i32), places);
  shape.erase(shape.begin() + dim);
  cuda_tile::TileType value = k.scalarType(a->element()), place = k.scalarType(i32);
  cuda_tile::TileType flag = k.scalarType(k.intType(1));
  mlir::OperationState state(loc, cuda_tile::ReduceOp::getOperationName());
  state.addOperands({a->ssa, places});
  state.addTypes({k.tileType(shape, a->element()), k.tileType(shape, i32)});
  state.addAttribute("dim", b.getI32IntegerAttr(static_cast<int32_t>(dim)));
  mlir::Attribute lowest;
  if (isReal)
    lowest = mlir::FloatAttr::get(
        a->element(),
        llvm::APFloat::getInf(llvm::cast<mlir::FloatType>(a->element()).getFloatSemantics(), true));
  else
    lowest =
        mlir::IntegerAttr::get(a->element(), llvm::APInt::getSignedMinValue(widthOf(a->element())));
  state.addAttribute(
      "identities",
      b.getArrayAttr({lowest, mlir::IntegerAttr::get(i32, llvm::APInt::getSignedMaxValue(32))}));
  mlir::Block *body = new mlir::Block();
  state.addRegion()->push_back(body);
  body->addArguments({value, value, place, place}, {loc, loc, loc, loc});
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    auto compare = [&](cuda_tile::ComparisonPredicate predicate, unsigned x,
                       unsigned y) -> mlir::Value {
      if (isReal && x == 0)
        return cuda_tile::CmpFOp::create(b, loc, flag, predicate,
                                         cuda_tile::ComparisonOrdering::ORDERED,
                                         body->getArgument(x), body->getArgument(y));
      return cuda_tile::CmpIOp::create(b, loc, flag, predicate, body->getArgument(x),
                                       body->getArgument(y), cuda_tile::Signedness::Signed)
          .getResult();
    };
    mlir::Value larger = compare(cuda_tile::ComparisonPredicate::GREATER_THAN, 0, 1);
    mlir::Value equal = compare(cuda_tile::ComparisonPredicate::EQUAL, 0, 1);
    mlir::Value before = compare(cuda_tile::ComparisonPredicate::LESS_THAN, 2, 3);
    mlir::Value tie = cuda_tile::AndIOp::create(b, loc, flag, equal, before);
    mlir::Value first = cuda_tile::OrIOp::create(b, loc, flag, larger, tie);
    mlir::Value v = cuda_tile::SelectOp::create(b, loc, value, first, body->getArgument(0),
                                                body->getArgument(1));
    mlir::Value p = cuda_tile::SelectOp::create(b, loc, place, first, body->getArgument(2),
                                                body->getArgument(3));
    cuda_tile::YieldOp::create(b, loc, mlir::ValueRange{v, p});
  }
  mlir::Operation *op = b.create(state);
  k.define(op->getResult(0), {a->facts.range});
  k.define(op->getResult(1), {Range{0, row[dim] - 1}});
  k.note("reduce-arg");
  return true;
}

constexpr int64_t kMaxElements = 4096;

/// The inverse of extract: one slice replaced.
bool applyInsert(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a =
      findMovable(k, s, [](const TileValue &v) { return v.type().getNumElements() > 1; });
  if (!a)
    return false;
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<mlir::Value> operands = {{}, a->ssa};
  for (int64_t extent : a->shape()) {
    int64_t slices = 1;
    while (slices < extent && s.chance(50))
      slices *= 2;
    shape.push_back(extent / slices);
    mlir::Value mask = k.intConstant(i32, slices - 1).ssa;
    operands.push_back(
        cuda_tile::AndIOp::create(k.builder(), k.loc(), i32, k.use(s, i32).ssa, mask));
  }
  if (widthOf(a->element()) < 8 && !a->element().isInteger(1) && shape.back() < 2)
    return false; // half a byte
  TileValue source = k.use(s, k.tileType(shape, a->element()));
  operands[0] = source.ssa;
  k.define(k.emit<cuda_tile::InsertOp>(a->type(), operands).getResult(),
           {a->facts.range.unite(source.facts.range)});
  return true;
}

/// Two values of one type, joined along one dimension.
bool applyCat(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = findMovable(k, s, [](const TileValue &v) {
    return !v.shape().empty() && v.type().getNumElements() <= kMaxElements / 2;
  });
  if (!a)
    return false;
  TileValue b = k.use(s, a->type());
  llvm::SmallVector<int64_t> shape(a->shape());
  size_t dim = s.below(shape.size());
  shape[dim] *= 2;
  k.define(cuda_tile::CatOp::create(k.builder(), k.loc(), k.tileType(shape, a->element()), a->ssa,
                                    b.ssa,
                                    k.builder().getI64IntegerAttr(static_cast<int64_t>(dim))),
           {a->facts.range.unite(b.facts.range)});
  return true;
}

/// A slice, at constant places or at places that depend on a scalar.
bool applyExtract(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a =
      findMovable(k, s, [](const TileValue &v) { return v.type().getNumElements() > 1; });
  if (!a)
    return false;
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<mlir::Value> indices;
  for (int64_t extent : a->shape()) {
    int64_t slices = 1;
    while (slices < extent && s.chance(50))
      slices *= 2;
    shape.push_back(extent / slices);
    if (slices == 1 || s.chance(50)) {
      indices.push_back(k.intConstant(i32, static_cast<Int>(s.below(slices))).ssa);
      continue;
    }
    mlir::Value mask = k.intConstant(i32, slices - 1).ssa;
    indices.push_back(
        cuda_tile::AndIOp::create(k.builder(), k.loc(), i32, k.use(s, i32).ssa, mask));
  }
  if (widthOf(a->element()) < 8 && !a->element().isInteger(1) && shape.back() < 2)
    return false; // half a byte
  k.define(cuda_tile::ExtractOp::create(k.builder(), k.loc(), k.tileType(shape, a->element()),
                                        a->ssa, indices),
           a->facts);
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::shapeRules() {
  static constexpr Rule kRules[] = {
      {"constant", 2, applyConstant},
      {"iota", 3, applyIota},
      {"reshape", 4, applyReshape},
      {"broadcast", 5, applyBroadcast},
      {"permute", 5, applyPermute},
      {"reduce", 3, applyReduce},
      {"scan", 2, applyScan},
      {"cat", 2, applyCat},
      {"extract", 3, applyExtract},
      {"insert", 10, applyInsert, 4, "index below the number of slices"},
      {"float-sum", 3, applyReduceSum, 1, "small integers: exact in any order"},
      {"arg-max", 2, applyArgMax, 1, "ties broken by index"},
  };
  return kRules;
}
