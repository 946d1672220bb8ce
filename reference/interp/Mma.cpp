//===- Mma.cpp - matrix multiply-accumulate ---------------------------------------------------===//
//
// Canonical order: k ascending, acc = fma(lhs, rhs, acc) with one rounding.
// Accumulators in f32 are rounded to f32 at every step, f64 to f64; f16 accumulators run in f32 and
// are rounded once at the end. Operands narrower than f32 are exact in float64, and so are their
// products (with scales too). mmai is exact; a sum that leaves i32 is unspecified (saturated or
// wrapped).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Elementwise.h"
#include "reference/interp/Registry.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

/// Extents of one product; batch is 1 for rank 2.
struct Extents {
  size_t batch, m, n, k;
};

Extents extentsOf(const Tile &lhs, const Tile &rhs) {
  unsigned rank = lhs.rank();
  return {rank == 3 ? static_cast<size_t>(lhs.shape()[0]) : 1,
          static_cast<size_t>(lhs.shape()[rank - 2]), static_cast<size_t>(rhs.shape()[rank - 1]),
          static_cast<size_t>(lhs.shape()[rank - 1])};
}

/// Whether any element is unspecified; then its row or column is.
std::vector<bool> unknownFlags(const Tile &t) {
  std::vector<bool> flags;
  if (t.allKnown())
    return flags;
  for (size_t i = 0; i < t.size(); ++i)
    flags.push_back(t.state(i) == State::Unknown);
  return flags;
}

std::vector<double> decodeAll(const Tile &t) {
  std::vector<double> values(t.size());
  for (size_t i = 0; i < t.size(); ++i)
    values[i] = decode(t.type(), t.bits()[i]);
  return values;
}

/// Calls cell(output position, first lhs position, first rhs position) for every result element;
/// lhs advances by 1 and rhs by n along k. Elements that touch an unspecified operand become
/// unspecified without a call.
/// [spec: mma-unspecified]
template <typename Cell>
void forEachCell(const Extents &e, const Tile &lhs, const Tile &rhs, const Tile &acc, Tile &result,
                 Cell cell) {
  std::vector<bool> lhsUnknown = unknownFlags(lhs), rhsUnknown = unknownFlags(rhs);
  for (size_t b = 0; b < e.batch; ++b)
    for (size_t i = 0; i < e.m; ++i)
      for (size_t j = 0; j < e.n; ++j) {
        size_t out = (b * e.m + i) * e.n + j, left = (b * e.m + i) * e.k, right = b * e.k * e.n + j;
        bool unknown = acc.state(out) == State::Unknown;
        for (size_t k = 0; k < e.k && !unknown; ++k)
          unknown = (!lhsUnknown.empty() && lhsUnknown[left + k]) ||
                    (!rhsUnknown.empty() && rhsUnknown[right + k * e.n]);
        result.set(out, unknown ? unknownElement() : cell(out, left, right));
      }
}

/// The bound for products of one kind.
struct ProductBound {
  double relative;    ///< of |acc| + sum |lhs * rhs|
  double granularity; ///< terms that are multiples of this part of that sum are added exactly
  double absolute;    ///< what flushing may lose
  double smallest;    ///< smallest exact term
  double limit;       ///< larger sums may overflow on the way
};

/// [spec: mma-bound, mma-bound-fp8, mma-bound-flush, mma-bound-limit]
ProductBound productBound(ElementType input, ElementType acc, double k, bool fastAcc) {
  double steps = k + 1, limit = maxFinite(acc) / 4;
  switch (acc) {
  case ElementType::F64:
    return {steps * 0x1p-52, 0x1p-53, steps * 0x1p-1074, 0x1p-1022, limit};
  case ElementType::F16:
    return {steps * 0x1p-10, 0x1p-11, steps * 0x1p-24, 0x1p-24, 32752};
  default:
    break;
  }
  constexpr double flush = 0x1p-126;
  if (input == ElementType::F32)
    return {steps * 0x1p-23, 0x1p-24, steps * flush, flush, limit};
  if (widthOf(input) == 8) { // tensor cores that keep few bits, promoted every 128 steps at best
    double kept = fastAcc ? steps : std::min(k, 128.0) + std::ceil(k / 128) + 1;
    return {kept * 0x1p-12, 0x1p-12, steps * flush, flush, limit};
  }
  return {steps * 0x1p-22, 0x1p-22, steps * flush, flush, limit};
}

/// An operand as numbers with their errors.
struct Numbers {
  std::vector<double> values, errors; ///< no errors: all points
  float band = 1;
};

Numbers numbersOf(const Tile &t, std::vector<double> values) {
  Numbers numbers{std::move(values), {}, 1};
  if (t.allKnown())
    return numbers;
  for (size_t i = 0; i < t.size(); ++i) {
    Element e = t.element(i);
    if (e.state != State::Enclosed)
      continue;
    numbers.errors.resize(t.size());
    numbers.errors[i] = e.spread.error;
    numbers.band = std::max(numbers.band, e.spread.band);
  }
  return numbers;
}

/// Puts the enclosure around the canonical results, row by row.
/// [spec: mma-point]
class ProductEncloser {
public:
  ProductEncloser(const Extents &e, const Numbers &lhs, const Numbers &rhs, const Numbers &acc,
                  const ProductBound &bound)
      : e(e), lhs(lhs), rhs(rhs), acc(acc), bound(bound),
        hasErrors(!lhs.errors.empty() || !rhs.errors.empty() || !acc.errors.empty()),
        band(std::max({lhs.band, rhs.band, acc.band})), sum(e.n), size(e.n), own(e.n) {}

  void run(Tile &result) {
    for (size_t b = 0; b < e.batch; ++b) {
      std::vector<double> columnUnits(e.n, kInfinity);
      for (size_t k = 0; k < e.k; ++k)
        for (size_t j = 0; j < e.n; ++j)
          columnUnits[j] = std::min(columnUnits[j], lowestBit(rhs.values[(b * e.k + k) * e.n + j]));
      for (size_t i = 0; i < e.m; ++i) {
        double rowUnit = kInfinity;
        for (size_t k = 0; k < e.k; ++k)
          rowUnit = std::min(rowUnit, lowestBit(lhs.values[(b * e.m + i) * e.k + k]));
        addRow(b, i);
        for (size_t j = 0; j < e.n; ++j)
          finish(result, (b * e.m + i) * e.n + j, j, rowUnit * columnUnits[j]);
      }
    }
  }

private:
  /// Exact sums, sums of absolute values and errors of row i.
  void addRow(size_t b, size_t i) {
    size_t row = (b * e.m + i) * e.n;
    for (size_t j = 0; j < e.n; ++j) {
      double c = acc.values[row + j], error = acc.errors.empty() ? 0 : acc.errors[row + j];
      sum[j] = c;
      size[j] = std::fabs(c) + error;
      own[j] = error;
    }
    for (size_t k = 0; k < e.k; ++k) {
      size_t left = (b * e.m + i) * e.k + k;
      double a = lhs.values[left];
      const double *right = &rhs.values[(b * e.k + k) * e.n];
      for (size_t j = 0; j < e.n; ++j) {
        double product = a * right[j];
        sum[j] += product;
        size[j] += std::fabs(product);
      }
      if (!hasErrors)
        continue;
      double ea = lhs.errors.empty() ? 0 : lhs.errors[left];
      for (size_t j = 0; j < e.n; ++j) {
        double eb = rhs.errors.empty() ? 0 : rhs.errors[(b * e.k + k) * e.n + j];
        double error = std::fabs(a) * eb + ea * std::fabs(right[j]) + ea * eb;
        own[j] += error;
        size[j] += error;
      }
    }
  }

  void finish(Tile &result, size_t out, size_t j, double unit) const {
    if (result.state(out) == State::Unknown || result.state(out) == State::NaN)
      return;
    uint64_t centre = result.bits()[out];
    ElementType type = result.type();
    double c = decode(type, centre);
    if (!(own[j] < kInfinity)) {
      result.set(out, vacuousElement(centre));
      return;
    }
    if (!std::isfinite(size[j])) { // infinite operands; in f64 perhaps an overflow
      if (type == ElementType::F64)
        result.set(out, vacuousElement(centre));
      return;
    }
    double total = size[j] * (1 + 0x1p-30);
    unit = std::min(unit, lowestBit(acc.values[out]));
    if (own[j] == 0 && total * bound.granularity <= unit * (1 + 0x1p-29) &&
        unit >= bound.smallest && total < maxFinite(type)) {
      if (c == 0) { // the sign of a zero is free
        Element zero{centre, State::Enclosed};
        zero.spread.anyZeroSign = true;
        result.set(out, zero);
      }
      return;
    }
    if (total > bound.limit || !std::isfinite(c) || !(bound.relative < 1)) {
      result.set(out, vacuousElement(centre));
      return;
    }
    // The sum itself was rounded e.k times.
    double drift = static_cast<double>(e.k + 2) * 0x1p-52 * total;
    Element widened{centre, State::Enclosed};
    widened.spread.error = outwardUp(std::fabs(c - sum[j]) + own[j] * (1 + 0x1p-30) + drift +
                                     total * bound.relative + bound.absolute);
    widened.spread.band = band;
    widened.spread.anyZeroSign = widened.spread.error >= std::fabs(c);
    result.set(out, widened);
  }

  const Extents &e;
  const Numbers &lhs, &rhs, &acc;
  const ProductBound &bound;
  bool hasErrors;
  float band;
  std::vector<double> sum, size, own; ///< per column of the present row
};

/// [spec: mma-float, mma-canonical, mma-f32-products, mma-fast-acc]
Status evalMmaF(BlockContext &context, MmaFOp op) {
  const Tile &lhs = context.tile(op.getLhs()), &rhs = context.tile(op.getRhs()),
             &acc = context.tile(op.getAcc());
  Extents e = extentsOf(lhs, rhs);
  ElementType type = acc.type();
  std::vector<double> a = decodeAll(lhs), b = decodeAll(rhs), c = decodeAll(acc);
  Tile result(type, acc.shape());
  context.countElements(e.batch * e.m * e.n * e.k);
  TILESMITH_TRY(context.launch.checkLimits());
  if (type == ElementType::F64) {
    forEachCell(e, lhs, rhs, acc, result, [&](size_t out, size_t left, size_t right) {
      double sum = c[out];
      for (size_t k = 0; k < e.k; ++k)
        sum = std::fma(a[left + k], b[right + k * e.n], sum);
      return floatElement(type, encode(type, sum));
    });
  } else { // f32 steps, also for an f16 accumulator, which is rounded once at the end
    forEachCell(e, lhs, rhs, acc, result, [&](size_t out, size_t left, size_t right) {
      float sum = static_cast<float>(c[out]);
      for (size_t k = 0; k < e.k; ++k)
        sum =
            std::fma(static_cast<float>(a[left + k]), static_cast<float>(b[right + k * e.n]), sum);
      return floatElement(type, encode(type, sum));
    });
  }
  if (context.encloses()) {
    ProductBound bound = productBound(lhs.type(), type, static_cast<double>(e.k), op.getFastAcc());
    Numbers left = numbersOf(lhs, std::move(a)), right = numbersOf(rhs, std::move(b)),
            start = numbersOf(acc, std::move(c));
    ProductEncloser(e, left, right, start, bound).run(result);
  }
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: mma-integer, mma-integer-overflow]
Status evalMmaI(BlockContext &context, MmaIOp op) {
  const Tile &lhs = context.tile(op.getLhs()), &rhs = context.tile(op.getRhs()),
             &acc = context.tile(op.getAcc());
  Extents e = extentsOf(lhs, rhs);
  auto decodeInts = [](const Tile &t, Signedness signedness) {
    std::vector<int32_t> values(t.size());
    for (size_t i = 0; i < t.size(); ++i)
      values[i] = signedness == Signedness::Signed
                      ? static_cast<int32_t>(signedValue(t.type(), t.bits()[i]))
                      : static_cast<int32_t>(unsignedValue(t.type(), t.bits()[i]));
    return values;
  };
  std::vector<int32_t> a = decodeInts(lhs, op.getSignednessLhs()),
                       b = decodeInts(rhs, op.getSignednessRhs());
  Tile result(ElementType::I32, acc.shape());
  context.countElements(e.batch * e.m * e.n * e.k);
  TILESMITH_TRY(context.launch.checkLimits());
  forEachCell(e, lhs, rhs, acc, result, [&](size_t out, size_t left, size_t right) -> Element {
    int64_t sum = signedValue(ElementType::I32, acc.bits()[out]);
    int64_t reach = std::abs(sum); // no order of the sum leaves [-reach, reach]
    for (size_t k = 0; k < e.k; ++k) {
      int64_t product = int64_t(a[left + k]) * b[right + k * e.n];
      sum += product;
      reach += std::abs(product);
    }
    bool inRange = reach <= INT32_MAX || (sum == static_cast<int32_t>(sum) && reach == sum);
    return {static_cast<uint32_t>(sum), inRange ? State::Known : State::Unknown};
  });
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// Largest distance of a legal number from the bits; 0 for points.
double errorOf(const Element &e) {
  return e.state == State::Enclosed ? e.spread.error : 0;
}

/// The tile's values times their block scales, with their errors. `alongRows`: scales advance along
/// the last dimension (lhs), else along the one before it (rhs). NaN scales and negative ones leave
/// the element unspecified, and so do those that may be negative.
/// [spec: mma-scale-open]
Numbers scaled(const Tile &t, const Tile &scale, bool alongRows, Tile &unknown) {
  unsigned rank = t.rank();
  size_t rows = t.shape()[rank - 2], columns = t.shape()[rank - 1];
  size_t scaleRows = scale.shape()[rank - 2], scaleColumns = scale.shape()[rank - 1];
  std::vector<double> scales = decodeAll(scale);
  Numbers numbers{decodeAll(t), {}, 1};
  bool points = t.allKnown() && scale.allKnown();
  if (!points)
    numbers.errors.resize(t.size());
  for (size_t i = 0; i < t.size(); ++i) {
    size_t batch = i / (rows * columns), row = i / columns % rows, column = i % columns;
    size_t s = alongRows
                   ? (batch * scaleRows + row) * scaleColumns + column / (columns / scaleColumns)
                   : (batch * scaleRows + row / (rows / scaleRows)) * scaleColumns + column;
    unknown.set(i, t.element(i));
    double value = numbers.values[i], error = errorOf(scale.element(s));
    if (scale.state(s) == State::Unknown || std::isnan(scales[s]) ||
        scales[s] < std::min(error, maxFinite(scale.type())))
      unknown.setState(i, State::Unknown);
    numbers.values[i] = value * scales[s]; // exact: few significant bits
    if (points)
      continue;
    double own = errorOf(t.element(i));
    numbers.errors[i] =
        outwardUp(outwardUp(std::fabs(value) * error) + outwardUp(scales[s] * own + own * error));
    if (own == 0 && error == 0)
      numbers.errors[i] = 0;
    numbers.band = std::max({numbers.band, bandOf(t.element(i)), bandOf(scale.element(s))});
  }
  return numbers;
}

/// [spec: mma-scaled, mma-bound-fp8]
Status evalMmaFScaled(BlockContext &context, MmaFScaledOp op) {
  const Tile &acc = context.tile(op.getAcc());
  Tile lhs = context.tile(op.getLhs()), rhs = context.tile(op.getRhs());
  Extents e = extentsOf(lhs, rhs);
  Numbers a = scaled(context.tile(op.getLhs()), context.tile(op.getLhsScale()), true, lhs),
          b = scaled(context.tile(op.getRhs()), context.tile(op.getRhsScale()), false, rhs);
  Tile result(acc.type(), acc.shape());
  context.countElements(e.batch * e.m * e.n * e.k);
  TILESMITH_TRY(context.launch.checkLimits());
  forEachCell(e, lhs, rhs, acc, result, [&](size_t out, size_t left, size_t right) {
    float sum = static_cast<float>(decode(acc.type(), acc.bits()[out]));
    for (size_t k = 0; k < e.k; ++k)
      sum = fmaToFloat(a.values[left + k], b.values[right + k * e.n], sum);
    return floatElement(acc.type(), encode(acc.type(), sum));
  });
  if (context.encloses()) {
    double steps = static_cast<double>(e.k) + 1;
    ProductBound bound{steps * 0x1p-12, 0x1p-12, steps * 0x1p-126, 0x1p-126,
                       maxFinite(acc.type()) / 4};
    Numbers start = numbersOf(acc, decodeAll(acc));
    ProductEncloser(e, a, b, start, bound).run(result);
  }
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

} // namespace

void tilesmith::reference::registerMmaEvaluators(Registry &r) {
  r.family("matrix product");
  r.add<MmaFOp, evalMmaF>();
  r.add<MmaIOp, evalMmaI>();
  r.add<MmaFScaledOp, evalMmaFScaled>();
}
