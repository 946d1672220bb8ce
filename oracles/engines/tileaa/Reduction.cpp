//===- Reduction.cpp - reduce and scan --------------------------------------------------------===//
//
// reduce: the tree f(R(left half), R(right half)) over neighbouring pairs. A body that is not one
// op known to commute is evaluated again on pairs (j + n/2, j); where the two orders differ the
// element is Unknown. scan: the sequential prefix f(before, element); an exclusive one begins with
// the identity and leaves what came before. Bodies of elementwise ops run once over all pairs, others pair by pair.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Machine.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;

namespace {

using Tiles = SmallVector<Tile, 2>;

std::optional<uint64_t> bitsOf(Attribute number) {
  if (auto integer = dyn_cast<IntegerAttr>(number))
    return integer.getValue().getZExtValue();
  if (auto real = dyn_cast<FloatAttr>(number))
    return real.getValue().bitcastToAPInt().getZExtValue()
           << (isa<FloatTF32Type>(real.getType()) ? 13 : 0);
  return std::nullopt;
}

bool isElementwise(Block &body) {
  return llvm::all_of(body, [](Operation &op) {
    const OpEntry *entry = OpTable::get().lookup(&op);
    return isa<tileaa::YieldOp, tileas::YieldOp>(op) || (entry && entry->elementwise);
  });
}

bool isKnownCommutative(Block &body) {
  if (body.getNumArguments() != 2 || body.getOperations().size() != 2)
    return false;
  Operation &op = body.front();
  if (!isa<arith::AddIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MaxSIOp,
           arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, tileaa::AddFOp, tileaa::MulFOp,
           arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
    return false;
  mlir::Value a = body.getArgument(0), b = body.getArgument(1);
  return ((op.getOperand(0) == a && op.getOperand(1) == b) ||
          (op.getOperand(0) == b && op.getOperand(1) == a)) &&
         body.back().getOperands() == op.getResults();
}

/// Applies the body to the pairs (first[k][i], second[k][i]).
Status combine(Machine &machine, Block &body, const Tiles &first, const Tiles &second,
               Tiles &results) {
  size_t count = first[0].size();
  bool together = isElementwise(body);
  results.clear();
  for (const Tile &t : first)
    results.emplace_back(t.type(), t.shape());
  for (size_t i = 0; i < (together ? 1 : count); ++i) {
    SmallVector<Machine::Value> arguments, yielded;
    for (auto [f, s] : llvm::zip(first, second))
      for (const Tile *t : {&f, &s})
        arguments.push_back(together ? *t : Tile::scalar(t->type(), t->bits()[i], t->state(i)));
    TILESMITH_TRY(machine.runBody(body, arguments, yielded));
    for (auto [result, value] : llvm::zip(results, yielded)) {
      const Tile &t = value.tile();
      if (!together)
        result.set(i, t.element(0));
      else
        for (size_t e = 0; e < count; ++e)
          result.set(e, t.element(t.size() == 1 ? 0 : e));
    }
  }
  return Status::success();
}

/// Where element j of a line along the axis lives: lines are all positions with coordinate 0 there.
struct Lines {
  Lines(ArrayRef<int64_t> shape, int64_t axis) {
    n = shape[axis];
    for (int64_t d = axis + 1; d < static_cast<int64_t>(shape.size()); ++d)
      inner *= shape[d];
    count = reference::elementCount(shape) / n;
  }
  size_t at(size_t line, size_t j) const { return (line / inner * n + j) * inner + line % inner; }
  size_t n, inner = 1, count;
};

/// [lines, n] form of a tile.
Tile toLines(const Tile &t, const Lines &lines) {
  Tile result(t.type(), {static_cast<int64_t>(lines.count), static_cast<int64_t>(lines.n)});
  for (size_t line = 0; line < lines.count; ++line)
    for (size_t j = 0; j < lines.n; ++j)
      result.set(line * lines.n + j, t.element(lines.at(line, j)));
  return result;
}

/// Columns `start`, `start + step`, ... of the [lines, n] tile.
Tile columns(const Tile &t, size_t start, size_t step, size_t count) {
  size_t n = t.shape()[1], lines = t.shape()[0];
  Tile result(t.type(), {t.shape()[0], static_cast<int64_t>(count)});
  for (size_t line = 0; line < lines; ++line)
    for (size_t k = 0; k < count; ++k)
      result.set(line * count + k, t.element(line * n + start + k * step));
  return result;
}

Status reduceLines(Machine &machine, Block &body, Tiles lines, bool neighbours, Tiles &result) {
  for (size_t n = lines[0].shape()[1]; n > 1; n /= 2) {
    Tiles first, second, combined;
    for (const Tile &t : lines) {
      first.push_back(neighbours ? columns(t, 0, 2, n / 2) : columns(t, n / 2, 1, n / 2));
      second.push_back(neighbours ? columns(t, 1, 2, n / 2) : columns(t, 0, 1, n / 2));
    }
    TILESMITH_TRY(combine(machine, body, first, second, combined));
    lines = std::move(combined);
  }
  result = std::move(lines);
  return Status::success();
}

template <typename Op> Status evalReduce(Machine &machine, Op op) {
  Block &body = op.getBody().front();
  Lines layout(machine.tile(op->getOperand(0)).shape(), op.getAxis());
  Tiles lines, results;
  for (mlir::Value v : op.getOperands()) {
    lines.push_back(toLines(machine.tile(v), layout));
    machine.count(lines.back().size());
  }
  TILESMITH_TRY(reduceLines(machine, body, lines, true, results));
  if (!isKnownCommutative(body) && layout.n > 1) {
    Tiles other;
    TILESMITH_TRY(reduceLines(machine, body, lines, false, other));
    for (auto [a, b] : llvm::zip(results, other))
      for (size_t i = 0; i < a.size(); ++i)
        if (a.bits()[i] != b.bits()[i] && !(a.state(i) == State::NaN && b.state(i) == State::NaN))
          a.setState(i, State::Unknown);
  }
  for (auto [result, value] : llvm::zip(op.getResults(), results)) {
    Tile shaped(value.type(), shapeOf(result.getType()));
    for (size_t i = 0; i < value.size(); ++i)
      shaped.set(i, value.element(i));
    machine.set(result, std::move(shaped));
  }
  return Status::success();
}

/// What comes before each line of an exclusive scan, as [lines, 1] tiles; none for an inclusive one.
template <typename Op> Status identitiesOf(Op op, const Lines &layout, Tiles &identities) {
  if constexpr (requires { op.getInclusive(); })
    if (op.getInclusive())
      return Status::success();
  ArrayAttr given = op.getIdentitiesAttr();
  if (!given)
    return Status::success();
  for (auto [value, identity] : llvm::zip_equal(op.getOperands(), given)) {
    std::optional<uint64_t> bits = bitsOf(identity);
    if (!bits)
      return reference::unsupported("an identity that is no number");
    int64_t lines = layout.count;
    Tile &line =
        identities.emplace_back(*elementTypeOf(value.getType()), ArrayRef<int64_t>{lines, 1});
    for (size_t i = 0; i < layout.count; ++i)
      line.set(i, {*bits});
  }
  return Status::success();
}

template <typename Op> Status evalScan(Machine &machine, Op op) {
  Lines layout(machine.tile(op->getOperand(0)).shape(), op.getAxis());
  Tiles lines, results, before;
  for (mlir::Value v : op.getOperands()) {
    lines.push_back(toLines(machine.tile(v), layout));
    results.push_back(machine.tile(v));
    machine.count(results.back().size());
  }
  TILESMITH_TRY(identitiesOf(op, layout, before));
  bool exclusive = !before.empty();
  for (size_t step = 0; step < layout.n; ++step) {
    size_t j = op.getReverse() ? layout.n - 1 - step : step;
    Tiles element, prefix;
    for (const Tile &t : lines)
      element.push_back(columns(t, j, 1, 1));
    if (exclusive)
      for (auto [result, value] : llvm::zip(results, before))
        for (size_t line = 0; line < layout.count; ++line)
          result.set(layout.at(line, j), value.element(line));
    if (step == 0 && !exclusive)
      prefix = element;
    else
      TILESMITH_TRY(combine(machine, op.getBody().front(), before, element, prefix));
    if (!exclusive)
      for (auto [result, value] : llvm::zip(results, prefix))
        for (size_t line = 0; line < layout.count; ++line)
          result.set(layout.at(line, j), value.element(line));
    before = std::move(prefix);
  }
  for (auto [result, value] : llvm::zip(op.getResults(), results))
    machine.set(result, std::move(value));
  return Status::success();
}

/// Ends a body; runBody reads the operands.
Status evalTileASYield(Machine &machine, tileas::YieldOp) {
  machine.stack().pop_back();
  return Status::success();
}

} // namespace

void tilesmith::oracles::tileaa_engine::registerReduction(OpTable &t) {
  t.add<tileaa::ReduceOp, evalReduce<tileaa::ReduceOp>>();
  t.add<tileaa::ScanOp, evalScan<tileaa::ScanOp>>();
}

void tilesmith::oracles::tileaa_engine::registerTileASReduction(OpTable &t) {
  t.add<tileas::ReduceOp, evalReduce<tileas::ReduceOp>>();
  t.add<tileas::ScanOp, evalScan<tileas::ScanOp>>();
  t.add<tileas::YieldOp, evalTileASYield>();
}
