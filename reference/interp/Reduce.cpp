//===- Reduce.cpp - reductions and scans ------------------------------------------------------===//
//
// Reduce evaluates the canonical tree, f(R(left half), R(right half)); the identity
// is not used. A body that is not one known commutative op is evaluated a second time on pairs (j +
// n/2, j); elements where the two orders differ are unspecified. Scan is the
// sequential inclusive prefix, f(what came before, element), optionally from the high end.
//
// Bodies are written over scalars. A body of elementwise ops is run once per tree level (or scan
// step) over all pairs at the same time; any other body is run pair by pair.
//
// In the enclosure domain the result holds those of every order: sums and products
// by their documented bounds (a point where every order is exact), extrema and integers as they
// are, other bodies that round by running error analysis (CombinerBounds.h), or vacuous, with a
// note, where that has no answer. A body that does not round maps every choice of numbers inside
// the operands to one result in any order, so the canonical evaluation holds them all.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/CombinerBounds.h"
#include "reference/interp/Elementwise.h"
#include "reference/interp/Registry.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

/// Whether all ops of the body work element by element.
bool isElementwise(mlir::Block &body) {
  return llvm::all_of(body, [](mlir::Operation &op) {
    const RegistryEntry *entry = Registry::get().lookup(op.getName().getTypeID());
    return entry &&
           (mlir::isa<YieldOp>(op) || llvm::is_contained({"integer", "floating point", "math",
                                                          "conversion", "constant", "select"},
                                                         entry->family));
  });
}

/// The op that alone combines the k-th pair of arguments to the k-th result, commutative and (up to
/// rounding) associative; null if there is none.
/// [spec: bound-exact-body]
mlir::Operation *componentOp(mlir::Block &body, unsigned k) {
  mlir::Operation *op = body.getTerminator()->getOperand(k).getDefiningOp();
  if (!op || op->getBlock() != &body ||
      !mlir::isa<AddIOp, MulIOp, AndIOp, OrIOp, XOrIOp, MaxIOp, MinIOp, AddFOp, MulFOp, MaxFOp,
                 MinFOp>(op))
    return nullptr;
  mlir::Value a = body.getArgument(2 * k), b = body.getArgument(2 * k + 1);
  bool bothArguments = (op->getOperand(0) == a && op->getOperand(1) == b) ||
                       (op->getOperand(0) == b && op->getOperand(1) == a);
  return bothArguments ? op : nullptr;
}

bool isKnownCommutative(mlir::Block &body) {
  for (unsigned k = 0; k < body.getTerminator()->getNumOperands(); ++k)
    if (!componentOp(body, k))
      return false;
  return true;
}

/// Whether the body computes floats that depend on the order of evaluation in their last bits.
bool roundsFloats(mlir::Block &body) {
  bool found = false;
  body.walk([&](mlir::Operation *op) {
    const RegistryEntry *entry = Registry::get().lookup(op->getName().getTypeID());
    bool exact = mlir::isa<AbsFOp, NegFOp, MaxFOp, MinFOp, CmpFOp, CeilOp, FloorOp>(op);
    found |= mlir::isa<FToFOp>(op) || !entry || entry->family == "math" ||
             (entry->family == "floating point" && !exact);
  });
  return found;
}

/// What any order of `count` elements under a float sum may add to the exact result; `straddling` of
/// them may be flushed or not.
/// [spec: bound-addf]
SumEnclosure::Allowance sumAllowance(AddFOp op, ElementType type, double count, double straddling) {
  bool directed = op.getRoundingMode() != RoundingMode::NEAREST_EVEN;
  double u = unitRoundoff(type), steps = (count + 1) * (directed ? 2 * u : u);
  double flushed = op.getFlushToZero() ? 0x1p-126 : 0;
  return {.relative = steps < 1 ? steps / (1 - steps) : 1,
          .absolute = (count - 1 + straddling) * flushed,
          .granularity = u,
          .smallest = flushed,
          .limit = maxFinite(type) / 2,
          .freeZeroSign = op.getRoundingMode() == RoundingMode::NEGATIVE_INF};
}

/// The element as an operation that flushes sees it; nothing: its numbers may be flushed or not.
/// [spec: float-flush]
std::optional<Element> flushedOperand(ElementType type, const Element &e) {
  constexpr double smallest = 0x1p-126;
  std::optional<Range> range = rangeOf(type, e);
  if (!range || (range->low == 0 && range->high == 0))
    return e;
  if (range->low > -smallest && range->high < smallest) {
    Element zero{zeroPattern(type, std::signbit(range->low))};
    if (std::signbit(range->low) != std::signbit(range->high)) {
      zero.state = State::Enclosed;
      zero.spread.anyZeroSign = true;
    }
    return zero;
  }
  if (range->low >= smallest || range->high <= -smallest)
    return e;
  return std::nullopt;
}

/// Widens the results of combining elements in the canonical order to those of any order
/// [spec: reduce-order]. `lines` and `results` are shaped [lines, n]; a reduction has one result
/// per line, a scan one per element.
class OrderFreedom {
public:
  /// `bounds` and the shadows of the results, where the body needed them.
  OrderFreedom(BlockContext &context, mlir::Operation *op, mlir::Block &body,
               const CombinerBounds *bounds, const Tiles &shadows)
      : context(context), op(op), body(body), bounds(bounds), shadows(shadows) {}

  /// `order(step)` is the position in a line of the element that a scan meets at `step`.
  template <typename Order>
  void widen(unsigned k, const Tile &elements, int64_t n, Tile &results, bool isScan, Order order) {
    mlir::Operation *combining = componentOp(body, k);
    if (!combining && !roundsFloats(body))
      return; // exact; order was checked by evaluating twice
    ElementType type = results.type();
    if (!combining && n > 1) {
      bool known = bounds && bounds->failure().empty();
      if (!known)
        noteUnbounded();
      for (size_t i = 0; i < results.size(); ++i) {
        // `order` is its own inverse
        double count = static_cast<double>(isScan ? order(i % n) + 1 : n);
        if (count == 1)
          continue; // the first prefix is the first element
        if (known)
          results.set(i, isFloat(type) ? bounds->finish(k, results.element(i), shadows, i, count)
                                       : results.element(i));
        else if (results.state(i) != State::Unknown)
          results.set(i, isFloat(type) ? vacuousElement(results.bits()[i]) : unknownElement());
      }
      return;
    }
    auto sum = mlir::dyn_cast_or_null<AddFOp>(combining);
    auto product = mlir::dyn_cast_or_null<MulFOp>(combining);
    if (!sum && !product)
      return;
    const bool flushes = combining->hasAttr("flush_to_zero");
    for (size_t line = 0; line < elements.size() / n; ++line) {
      SumEnclosure terms;
      ProductEnclosure factors;
      double straddling = 0;
      for (int64_t step = 0; step < n; ++step) {
        Element e = elements.element(line * n + order(step));
        size_t at = isScan ? line * n + order(step) : line;
        if (flushes) { // [spec: bound-flushed]
          std::optional<Element> seen = flushedOperand(type, e);
          straddling += !seen;
          if (n == 1 && !isScan && (!seen || seen->bits != e.bits)) {
            results.set(at, encloseEither(type, e, seen.value_or(Element{})));
            continue;
          }
          e = seen ? *seen : product ? vacuousElement(e.bits) : e;
        }
        if (sum)
          terms.add(type, e);
        if (product)
          factors.multiply(type, e);
        if (isScan ? step == 0 : step + 1 < n)
          continue; // the first prefix is the first element [spec: scan-first]
        if (results.state(at) == State::Unknown)
          continue;
        uint64_t centre = results.bits()[at];
        double count = static_cast<double>(step + 1);
        if (sum)
          results.set(at, terms.finish(type, centre, sumAllowance(sum, type, count, straddling)));
        else
          results.set(at, factors.finish(type, centre, count + 1,
                                         product.getRoundingMode() != RoundingMode::NEAREST_EVEN,
                                         flushes));
      }
    }
  }

private:
  void noteUnbounded() {
    context.note("vacuous: no bound of the orders of '" + op->getName().getStringRef() + "' at " +
                 describeLocation(op->getLoc()) + " is known: " +
                 (bounds ? bounds->failure() : "its body is not made of elementwise ops"));
  }

  BlockContext &context;
  mlir::Operation *op;
  mlir::Block &body;
  const CombinerBounds *bounds;
  const Tiles &shadows;
};

/// Applies the body to pairs (first[k][i], second[k][i]) for every i; k runs over the operands,
/// which their shadows follow where the body needs bounds.
class Combiner {
public:
  Combiner(BlockContext &context, mlir::Block &body)
      : context(context), body(body), vectorised(isElementwise(body)) {}

  /// Starts following the orders of a body that rounds and is more than sums and products.
  void follow(Tiles &lines) {
    arity = lines.size();
    bool plain = true;
    for (unsigned k = 0; k < arity; ++k)
      plain &= componentOp(body, k) != nullptr;
    if (!context.encloses() || !vectorised || plain || !roundsFloats(body))
      return;
    bounds.emplace(context, body, lines);
    llvm::append_range(lines, bounds->shadows(lines));
  }
  const CombinerBounds *orderBounds() const { return bounds ? &*bounds : nullptr; }
  /// Takes the shadows off.
  Tiles split(Tiles &lines) const {
    Tiles shadows;
    for (size_t i = arity; i < lines.size(); ++i)
      shadows.push_back(std::move(lines[i]));
    lines.truncate(arity);
    return shadows;
  }

  Status operator()(const Tiles &first, const Tiles &second, Tiles &results) {
    size_t count = first[0].size();
    results.clear();
    if (bounds) {
      auto shadowsOf = [&](const Tiles &tiles) {
        return Tiles(tiles.begin() + arity, tiles.end());
      };
      auto own = [&](const Tiles &tiles) { return Tiles(tiles.begin(), tiles.begin() + arity); };
      TILESMITH_TRY(apply(own(first), own(second), count, results));
      llvm::append_range(results, bounds->combine(shadowsOf(first), shadowsOf(second)));
      return Status::success();
    }
    if (vectorised)
      return apply(first, second, count, results);
    for (const Tile &t : first)
      results.emplace_back(t.type(), t.shape());
    for (size_t i = 0; i < count; ++i) {
      Tiles one, two, out;
      for (auto [f, s] : llvm::zip(first, second)) {
        one.push_back(Tile::scalar(f.type(), f.bits()[i], f.state(i)));
        two.push_back(Tile::scalar(s.type(), s.bits()[i], s.state(i)));
      }
      TILESMITH_TRY(apply(one, two, 1, out));
      for (auto [result, value] : llvm::zip(results, out))
        result.set(i, value.element(0));
    }
    return Status::success();
  }

private:
  Status apply(const Tiles &first, const Tiles &second, size_t count, Tiles &results) {
    llvm::SmallVector<Value> arguments, yielded;
    for (auto [f, s] : llvm::zip(first, second)) {
      arguments.push_back(f);
      arguments.push_back(s);
    }
    TILESMITH_TRY(context.runBody(body, arguments, yielded));
    for (auto [value, like] : llvm::zip(yielded, first)) {
      const Tile &t = value.tile();
      if (t.shape() == like.shape()) {
        results.push_back(t);
        continue;
      }
      Tile &result = results.emplace_back(t.type(), like.shape());
      for (size_t i = 0; i < count; ++i)
        result.set(i, t.element(t.size() == 1 ? 0 : i));
    }
    return Status::success();
  }

  BlockContext &context;
  mlir::Block &body;
  bool vectorised;
  size_t arity = 0;
  std::optional<CombinerBounds> bounds;
};

/// The tile as lines along `dim`: element (line, j) of the result is element j of that line. Shape
/// [lines, n].
Tile toLines(const Tile &t, int64_t dim) {
  auto strides = t.strides();
  int64_t n = t.shape()[dim], inner = strides[dim], lines = static_cast<int64_t>(t.size()) / n;
  Tile result(t.type(), {lines, n});
  for (int64_t line = 0; line < lines; ++line) {
    size_t base = line / inner * inner * n + line % inner;
    for (int64_t j = 0; j < n; ++j)
      result.set(line * n + j, t.element(base + j * inner));
  }
  return result;
}

/// Inverse of toLines for a tile of the given shape.
Tile fromLines(const Tile &lines, llvm::ArrayRef<int64_t> shape, int64_t dim) {
  Tile result(lines.type(), shape);
  auto strides = result.strides();
  int64_t n = shape[dim], inner = strides[dim];
  for (size_t i = 0; i < lines.size(); ++i) {
    size_t line = i / n, j = i % n;
    result.set(line / inner * inner * n + line % inner + j * inner, lines.element(i));
  }
  return result;
}

/// Elements offset, offset + step, ... (count of them) of every line of length n.
Tile slice(const Tile &lines, int64_t n, int64_t offset, int64_t step, int64_t count) {
  int64_t lineCount = static_cast<int64_t>(lines.size()) / n;
  Tile result = Tile::unset(lines.type(), {lineCount, count});
  if (lines.allKnown()) {
    const uint64_t *from = lines.bits().data() + offset;
    uint64_t *to = result.bits().data();
    for (int64_t line = 0; line < lineCount; ++line, from += n)
      for (int64_t k = 0; k < count; ++k)
        *to++ = from[k * step];
    return result;
  }
  for (int64_t line = 0; line < lineCount; ++line)
    for (int64_t k = 0; k < count; ++k)
      result.set(line * count + k, lines.element(line * n + offset + k * step));
  return result;
}

/// Combines every line to one element. `adjacent`: pairs (2j, 2j+1), the canonical tree; else
/// (j + n/2, j), which also exchanges the arguments.
Status reduceLines(Combiner &combine, Tiles lines, int64_t n, bool adjacent, Tiles &result) {
  while (n > 1) {
    Tiles first, second, combined;
    for (const Tile &t : lines) {
      first.push_back(adjacent ? slice(t, n, 0, 2, n / 2) : slice(t, n, n / 2, 1, n / 2));
      second.push_back(adjacent ? slice(t, n, 1, 2, n / 2) : slice(t, n, 0, 1, n / 2));
    }
    TILESMITH_TRY(combine(first, second, combined));
    lines = std::move(combined);
    n /= 2;
  }
  result = std::move(lines);
  return Status::success();
}

/// Whether two enclosures have a number in common; a vacuous one says nothing.
bool overlap(ElementType type, const Element &a, const Element &b) {
  auto x = rangeOf(type, a), y = rangeOf(type, b);
  return !x || !y || (x->low <= y->high && y->low <= x->high);
}

/// Leaves open what two orders of an exact body decide differently.
void openDifferences(Tile &canonical, const Tile &other) {
  for (size_t i = 0; i < canonical.size(); ++i) {
    Element a = canonical.element(i), b = other.element(i);
    bool same = a.state == State::Enclosed || b.state == State::Enclosed
                    ? overlap(canonical.type(), a, b)
                    : a.bits == b.bits || (a.state == State::NaN && b.state == State::NaN);
    if (!same)
      canonical.setState(i, State::Unknown);
  }
}

Status evalReduce(BlockContext &context, ReduceOp op) {
  int64_t dim = op.getDim();
  mlir::Block &body = op.getBody().front();
  Tiles lines;
  for (mlir::Value v : op.getOperands()) {
    lines.push_back(toLines(context.tile(v), dim));
    context.countElements(lines.back().size());
  }
  int64_t n = lines[0].shape()[1];
  Combiner combine(context, body);
  combine.follow(lines);
  Tiles canonical;
  TILESMITH_TRY(reduceLines(combine, lines, n, true, canonical));
  Tiles shadows = combine.split(canonical);
  if (!isKnownCommutative(body) && n > 1) {
    Tiles other;
    TILESMITH_TRY(reduceLines(combine, lines, n, false, other));
    Tiles otherShadows = combine.split(other);
    const CombinerBounds *bounds = combine.orderBounds();
    bool rounds = context.encloses() && roundsFloats(body);
    for (unsigned k = 0; k < canonical.size(); ++k)
      if (!rounds || !isFloat(canonical[k].type()) || (bounds && bounds->isExact(k)))
        openDifferences(canonical[k], other[k]);
      else if (bounds && bounds->failure().empty())
        for (size_t i = 0; i < canonical[k].size(); ++i)
          if (!bounds->confirms(k, shadows, otherShadows, i, i, static_cast<double>(n)))
            canonical[k].setState(i, State::Unknown);
  }
  if (context.encloses()) {
    OrderFreedom freedom(context, op, body, combine.orderBounds(), shadows);
    for (auto [k, value] : llvm::enumerate(canonical))
      freedom.widen(k, lines[k], n, value, false, [](int64_t step) { return step; });
  }
  for (auto [result, value] : llvm::zip(op.getResults(), canonical)) {
    Tile shaped(value.type(), mlir::cast<TileType>(result.getType()).getShape());
    for (size_t i = 0; i < value.size(); ++i)
      shaped.set(i, value.element(i));
    context.set(result, std::move(shaped));
  }
  return Status::success();
}

/// Leaves open the results of a scan whose shadows another order does not confirm: the whole line
/// evaluated as a tree.
Status confirmScan(Combiner &combine, const Tiles &inOrder, const Tiles &shadows, int64_t n,
                   int64_t last, Tiles &results) {
  const CombinerBounds *bounds = combine.orderBounds();
  if (!bounds || !bounds->failure().empty() || n == 1)
    return Status::success();
  Tiles tree;
  TILESMITH_TRY(reduceLines(combine, inOrder, n, true, tree));
  Tiles treeShadows = combine.split(tree);
  for (unsigned k = 0; k < results.size(); ++k)
    for (size_t line = 0; line < tree[0].size() && isFloat(results[k].type()); ++line)
      if (!bounds->isExact(k) &&
          !bounds->confirms(k, shadows, treeShadows, line * n + last, line, static_cast<double>(n)))
        for (int64_t j = 0; j < n; ++j)
          results[k].setState(line * n + j, State::Unknown);
  return Status::success();
}

Status evalScan(BlockContext &context, ScanOp op) {
  int64_t dim = op.getDim();
  bool reverse = op.getReverse();
  Tiles lines, results;
  for (mlir::Value v : op.getOperands()) {
    lines.push_back(toLines(context.tile(v), dim));
    context.countElements(lines.back().size());
  }
  int64_t n = lines[0].shape()[1];
  auto order = [&](int64_t step) { return reverse ? n - 1 - step : step; };
  Combiner combine(context, op.getBody().front());
  combine.follow(lines);
  results = lines;
  Tiles before;
  for (int64_t step = 0; step < n; ++step) {
    int64_t j = order(step);
    Tiles element, prefix;
    for (const Tile &t : lines)
      element.push_back(slice(t, n, j, 1, 1));
    if (step == 0)
      prefix = element;
    else
      TILESMITH_TRY(combine(before, element, prefix));
    for (auto [result, value] : llvm::zip(results, prefix))
      for (size_t line = 0; line < value.size(); ++line)
        result.set(line * n + j, value.element(line));
    before = std::move(prefix);
  }
  Tiles shadows = combine.split(results);
  if (combine.orderBounds()) {
    Tiles inOrder;
    for (const Tile &t : lines) {
      Tile &turned = inOrder.emplace_back(t.type(), t.shape());
      for (size_t i = 0; i < t.size(); ++i)
        turned.set(i, t.element(i / n * n + order(i % n)));
    }
    TILESMITH_TRY(confirmScan(combine, inOrder, shadows, n, order(n - 1), results));
  }
  if (context.encloses()) {
    OrderFreedom freedom(context, op, op.getBody().front(), combine.orderBounds(), shadows);
    for (auto [k, value] : llvm::enumerate(results))
      freedom.widen(k, lines[k], n, value, true, order);
  }
  for (auto [result, value, operand] : llvm::zip(op.getResults(), results, op.getOperands()))
    context.set(result, fromLines(value, context.tile(operand).shape(), dim));
  return Status::success();
}

} // namespace

void tilesmith::reference::registerReduceEvaluators(Registry &r) {
  r.family("reduction");
  r.add<ReduceOp, evalReduce>();
  r.add<ScanOp, evalScan>();
}
