//===- Matrix.cpp - dot -----------------------------------------------------------------------===//
//
// k ascending, acc = fma(a, b, acc): one rounding per step in the type of the accumulator (f32 or
// f64), exact in i32, where a sum that may leave the range in some order is Unknown. Block scales
// multiply their group of elements first, which is exact in float64.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Elementwise.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;

namespace {

std::vector<double> decodeAll(const Tile &t) {
  std::vector<double> values(t.size());
  for (size_t i = 0; i < t.size(); ++i)
    values[i] = reference::decode(t.type(), t.bits()[i]);
  return values;
}

std::vector<bool> unknownOf(const Tile &t) {
  std::vector<bool> flags(t.size());
  for (size_t i = 0; i < t.size(); ++i)
    flags[i] = t.state(i) == State::Unknown;
  return flags;
}

/// Multiplies values by their scales. Position p of a [b x] R x C tile belongs to the scale whose
/// row and column are its own, divided by the extents of a group. A NaN or negative scale is not
/// specified.
void applyScales(const Tile &t, const Tile &scales, std::vector<double> &values,
                 std::vector<bool> &unknown) {
  unsigned rank = t.rank();
  size_t rows = t.shape()[rank - 2], columns = t.shape()[rank - 1];
  size_t scaleRows = scales.shape()[rank - 2], scaleColumns = scales.shape()[rank - 1];
  for (size_t p = 0; p < values.size(); ++p) {
    size_t batch = p / (rows * columns), row = p / columns % rows, column = p % columns;
    size_t s = (batch * scaleRows + row / (rows / scaleRows)) * scaleColumns +
               column / (columns / scaleColumns);
    double scale = reference::decode(scales.type(), scales.bits()[s]);
    if (scales.state(s) == State::Unknown || std::isnan(scale) || scale < 0)
      unknown[p] = true;
    values[p] *= scale;
  }
}

int64_t integerAt(const Tile &t, size_t i, std::optional<tileaa::Signedness> signedness) {
  return signedness == tileaa::Signedness::unsigned_
             ? static_cast<int64_t>(reference::unsignedValue(t.type(), t.bits()[i]))
             : reference::signedValue(t.type(), t.bits()[i]);
}

/// The operands of a product, and how its integers are read.
struct Product {
  const Tile &a, &b, &c;
  const Tile *sfa, *sfb;
  std::optional<tileaa::Signedness> signednessA, signednessB;
};

Status evaluate(Machine &machine, const Product &op, mlir::Value out) {
  const Tile &a = op.a, &b = op.b, &c = op.c;
  unsigned rank = a.rank();
  size_t batches = rank == 3 ? a.shape()[0] : 1, m = a.shape()[rank - 2], k = a.shape()[rank - 1],
         n = b.shape()[rank - 1];
  bool isInteger = reference::isInteger(c.type());
  std::vector<bool> unknownA = unknownOf(a), unknownB = unknownOf(b);
  std::vector<double> left, right;
  if (!isInteger) {
    left = decodeAll(a);
    right = decodeAll(b);
    if (op.sfa)
      applyScales(a, *op.sfa, left, unknownA);
    if (op.sfb)
      applyScales(b, *op.sfb, right, unknownB);
  }
  bool scaled = op.sfa || op.sfb;

  Tile result(c.type(), c.shape());
  machine.count(batches * m * n * k);
  auto cell = [&](size_t out, size_t row, size_t column) -> Element {
    for (size_t i = 0; i < k; ++i)
      if (unknownA[row + i] || unknownB[column + i * n])
        return unknownElement();
    if (c.state(out) == State::Unknown)
      return unknownElement();
    if (isInteger) {
      int64_t sum = reference::signedValue(c.type(), c.bits()[out]), reach = std::abs(sum);
      for (size_t i = 0; i < k; ++i) {
        int64_t product =
            integerAt(a, row + i, op.signednessA) * integerAt(b, column + i * n, op.signednessB);
        sum += product;
        reach += std::abs(product);
      }
      bool inRange = reach <= INT32_MAX || (sum == static_cast<int32_t>(sum) && reach == sum);
      return inRange ? Element{static_cast<uint32_t>(sum)} : unknownElement();
    }
    double start = reference::decode(c.type(), c.bits()[out]);
    if (c.type() == ElementType::F64) {
      for (size_t i = 0; i < k; ++i)
        start = std::fma(left[row + i], right[column + i * n], start);
      return floatElement(c.type(), reference::encode(c.type(), start));
    }
    float sum = static_cast<float>(start);
    for (size_t i = 0; i < k; ++i)
      sum = scaled ? reference::fmaToFloat(left[row + i], right[column + i * n], sum)
                   : std::fma(static_cast<float>(left[row + i]),
                              static_cast<float>(right[column + i * n]), sum);
    return floatElement(c.type(), reference::encode(c.type(), sum));
  };
  for (size_t batch = 0; batch < batches; ++batch)
    for (size_t i = 0; i < m; ++i)
      for (size_t j = 0; j < n; ++j) {
        size_t out = (batch * m + i) * n + j;
        result.set(out, cell(out, (batch * m + i) * k, batch * k * n + j));
      }
  machine.set(out, std::move(result));
  return Status::success();
}

Status evalDot(Machine &machine, tileaa::DotOp op) {
  auto optional = [&](mlir::Value v) { return v ? &machine.tile(v) : nullptr; };
  return evaluate(machine,
                  {machine.tile(op.getA()), machine.tile(op.getB()), machine.tile(op.getC()),
                   optional(op.getSfa()), optional(op.getSfb()), op.getSignednessA(),
                   op.getSignednessB()},
                  op.getResult());
}

/// Sums in tensor memory are a tile that the products replace.
Status evalTensorStore(Machine &machine, tileas::TensorMemoryStoreOp op) {
  machine.set(op.getAcc(), machine.get(op.getInit()));
  if (op.getSecond())
    machine.secondColumns[op.getAcc().getAsOpaquePointer()] = machine.get(op.getInit());
  return Status::success();
}

/// While it lives, accumulators with two sets of columns stand for those of the turn.
class ColumnsOfTurn {
public:
  ColumnsOfTurn(Machine &machine, mlir::ValueRange accumulators, mlir::Value turn)
      : machine(machine) {
    if (!turn || !(machine.tile(turn).bits()[0] & 1))
      return;
    for (mlir::Value acc : accumulators) {
      auto store = acc.getDefiningOp<tileas::TensorMemoryStoreOp>();
      if (store && store.getSecond())
        exchanged.push_back(acc);
    }
    exchange();
  }
  ~ColumnsOfTurn() { exchange(); }
  ColumnsOfTurn(const ColumnsOfTurn &) = delete;
  ColumnsOfTurn &operator=(const ColumnsOfTurn &) = delete;

private:
  void exchange() {
    for (mlir::Value acc : exchanged) {
      Machine::Value &second = machine.secondColumns[acc.getAsOpaquePointer()];
      Machine::Value first = machine.get(acc);
      machine.set(acc, second);
      second = std::move(first);
    }
  }

  Machine &machine;
  llvm::SmallVector<mlir::Value, 2> exchanged;
};

Tile transposed(const Tile &t) {
  const int64_t rows = t.shape()[0], columns = t.shape()[1];
  Tile result(t.type(), {columns, rows});
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      result.set(j * rows + i, t.element(i * columns + j));
  return result;
}

/// Elements of 4 bits that lie two to a byte along dimension `k`.
Tile unpacked(const Tile &bytes, unsigned k) {
  if (k == 0)
    return transposed(unpacked(transposed(bytes), 1));
  return repack(bytes, ElementType::F4E2M1FN, {bytes.shape()[0], 2 * bytes.shape()[1]});
}

tileaa::Signedness signedness(bool isSigned) {
  return isSigned ? tileaa::Signedness::signed_ : tileaa::Signedness::unsigned_;
}

Status evalTileASDot(Machine &machine, tileas::DotOp op) {
  const Tile *lhs = &machine.tile(op.getLhs()), *rhs = &machine.tile(op.getRhs());
  const Tile *left = nullptr, *right = nullptr;
  std::optional<Tile> elements[2];
  if (!op.getScales().empty()) {
    left = &machine.tile(op.getScales()[0]);
    right = &machine.tile(op.getScales()[1]);
    if (reference::isInteger(lhs->type())) { // two elements of 4 bits to a byte
      lhs = &elements[0].emplace(unpacked(*lhs, 1));
      rhs = &elements[1].emplace(unpacked(*rhs, 0));
    }
  }
  return evaluate(machine,
                  {*lhs, *rhs, machine.tile(op.getAcc()), left, right,
                   signedness(op.getSignedLhs()), signedness(op.getSignedRhs())},
                  op.getResult());
}

/// `count` rows of a tile from `first` on.
Tile takeRows(const Tile &t, int64_t first, int64_t count) {
  const int64_t columns = t.shape()[1];
  Tile result(t.type(), {count, columns});
  for (int64_t i = 0; i < count * columns; ++i)
    result.set(i, t.element(first * columns + i));
  return result;
}

/// A product of 128 rows, whose other rows stay as they are.
Status evalRows(Machine &machine, tileas::TensorMemoryDotOp op, int64_t first) {
  constexpr int64_t kRows = 128;
  Tile all = machine.tile(op.getAcc()), sums = takeRows(all, first, kRows),
       left = takeRows(machine.tile(op.getLhs()), first, kRows);
  if (op.getOverwrites())
    for (size_t i = 0; i < sums.size(); ++i)
      sums.set(i, Element{0});
  TILESMITH_TRY(evaluate(machine,
                         {left, machine.tile(op.getRhs()), sums, nullptr, nullptr,
                          signedness(op.getSignedLhs()), signedness(op.getSignedRhs())},
                         op.getAcc()));
  const Tile &rows = machine.tile(op.getAcc());
  for (size_t i = 0; i < rows.size(); ++i)
    all.set(first * rows.shape()[1] + i, rows.element(i));
  machine.set(op.getAcc(), std::move(all));
  return Status::success();
}

/// Along which dimension the blocks of a line follow each other: the scales of a word, which lie together, are those of
/// neighbouring blocks. Shapes do not say it where there are as many blocks as lines.
unsigned blockDim(Value scales) {
  return tileas::getSharedLayout(scales.getType()).getOffsets()[0] == 1 ? 1 : 0;
}

Status evalTensorDot(Machine &machine, tileas::TensorMemoryDotOp op) {
  auto issue = op->getParentOfType<tileas::TensorMemoryIssueOp>();
  ColumnsOfTurn columns(machine, {op.getAcc(), op.getLhs()},
                        issue ? issue.getTurn() : mlir::Value());
  if (op.getRowBlock())
    return evalRows(machine, op, 128 * *op.getRowBlock());
  if (op.getOverwrites() ||
      (op.getAccumulates() && !(machine.tile(op.getAccumulates()).bits()[0] & 1))) {
    Tile zero = machine.tile(op.getAcc());
    for (size_t i = 0; i < zero.size(); ++i)
      zero.set(i, Element{0});
    machine.set(op.getAcc(), std::move(zero));
  }
  const Tile *left = nullptr, *right = nullptr;
  const Tile *lhs = &machine.tile(op.getLhs()), *rhs = &machine.tile(op.getRhs());
  std::optional<Tile> turned[2];
  if (!op.getScales().empty()) { // either way round
    left = &machine.tile(op.getScales()[0]);
    right = &machine.tile(op.getScales()[1]);
    if (blockDim(op.getScales()[0]) != 1)
      left = &turned[0].emplace(transposed(*left));
    if (blockDim(op.getScales()[1]) != 0)
      right = &turned[1].emplace(transposed(*right));
  }
  std::optional<Tile> elements[2];
  if (tileas::findTensorCoreAtom(op.getAtom())->isPacked()) {
    lhs = &elements[0].emplace(unpacked(*lhs, 1));
    rhs = &elements[1].emplace(unpacked(*rhs, 0));
  }
  return evaluate(machine,
                  {*lhs, *rhs, machine.tile(op.getAcc()), left, right,
                   signedness(op.getSignedLhs()), signedness(op.getSignedRhs())},
                  op.getAcc());
}

Status evalTensorStage(Machine &machine, tileas::TensorMemoryStageOp op) {
  machine.set(op.getResult(), machine.get(op.getSource()));
  return Status::success();
}

Status evalTensorUpdate(Machine &machine, tileas::TensorMemoryUpdateOp op) {
  ColumnsOfTurn columns(machine, op.getAcc(), op.getTurn());
  machine.set(op.getAcc(), machine.get(op.getSource()));
  return Status::success();
}

/// Products are complete when they have been issued, and threads are in step.
Status evalTensorWait(Machine &, tileas::TensorMemoryWaitOp) {
  return Status::success();
}
Status evalTensorArrived(Machine &, tileas::TensorMemoryArrivedOp) {
  return Status::success();
}
Status evalTensorAnnounce(Machine &, tileas::TensorMemoryAnnounceOp) {
  return Status::success();
}

Status evalTensorAcquire(Machine &, tileas::TensorMemoryAcquireOp) {
  return Status::success();
}
Status evalTensorRelease(Machine &, tileas::TensorMemoryReleaseOp) {
  return Status::success();
}

Status evalTensorIssue(Machine &machine, tileas::TensorMemoryIssueOp op) {
  machine.push(op, op.getBody().front(), {});
  return Status::success();
}

Status evalTensorScale(Machine &machine, tileas::TensorMemoryScaleOp op) {
  const Tile &factors = machine.tile(op.getFactors()), &sums = machine.tile(op.getAcc());
  Tile result(sums.type(), sums.shape());
  machine.count(sums.size());
  const size_t sumsOfFactor = sums.size() / factors.size();
  for (size_t i = 0; i < sums.size(); ++i) {
    const size_t factor = i / sumsOfFactor;
    if (sums.state(i) == State::Unknown || factors.state(factor) == State::Unknown) {
      result.set(i, unknownElement());
      continue;
    }
    bool undecided = false;
    uint64_t bits = reference::mul(sums.type(), sums.bits()[i], factors.bits()[factor],
                                   reference::Rounding::NearestEven, /*flush=*/false, &undecided);
    result.set(i, floatElement(sums.type(), bits, undecided));
  }
  machine.set(op.getAcc(), std::move(result));
  return Status::success();
}

Status evalTensorLoad(Machine &machine, tileas::TensorMemoryLoadOp op) {
  ColumnsOfTurn columns(machine, op.getAcc(), op.getTurn());
  const Tile &all = machine.tile(op.getAcc());
  Tile result(all.type(), shapeOf(op.getResult().getType()));
  const size_t count = result.shape().back(), every = all.shape().back();
  for (size_t i = 0; i < result.size(); ++i)
    result.set(i, all.element(i / count * every + op.getFirst() + i % count));
  machine.set(op.getResult(), std::move(result));
  return Status::success();
}

} // namespace

void tilesmith::oracles::tileaa_engine::registerMatrix(OpTable &t) {
  t.add<tileaa::DotOp, evalDot>();
}

void tilesmith::oracles::tileaa_engine::registerTileASMatrix(OpTable &t) {
  t.add<tileas::DotOp, evalTileASDot>();
  t.add<tileas::TensorMemoryStoreOp, evalTensorStore>();
  t.add<tileas::TensorMemoryDotOp, evalTensorDot>();
  t.add<tileas::TensorMemoryLoadOp, evalTensorLoad>();
  t.add<tileas::TensorMemoryStageOp, evalTensorStage>();
  t.add<tileas::TensorMemoryUpdateOp, evalTensorUpdate>();
  t.add<tileas::TensorMemoryScaleOp, evalTensorScale>();
  t.add<tileas::TensorMemoryWaitOp, evalTensorWait>();
  t.add<tileas::TensorMemoryIssueOp, evalTensorIssue>();
  t.add<tileas::TensorMemoryArrivedOp, evalTensorArrived>();
  t.add<tileas::TensorMemoryAnnounceOp, evalTensorAnnounce>();
  t.add<tileas::TensorMemoryAcquireOp, evalTensorAcquire>();
  t.add<tileas::TensorMemoryReleaseOp, evalTensorRelease>();
}
