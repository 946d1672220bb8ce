//===- WarpRows.cpp - whether warps hold whole rows of tiles --------------------------------------===//
//
// The canonical layout deals neighbours out to the lanes of a warp, then to the warps, then to further
// registers: a long row is spread over all warps. With the warps last, a warp has rows of its own
// wherever there are as many rows as warps. Reductions of rows then end inside of a warp, fewer of them
// in each; but what all rows share, every warp holds whole. The instructions of both kinds are added up
// for either order, those of loops more often.
//
// Short tiles may lie in each warp whole (`shortLayout`), where Pass.cpp finds that warps would wait for each other.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Rewriter.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/LinearLayout.h"
#include "compiler/support/Plants.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileaa_to_tileas;

namespace {

/// Turns that a loop is assumed to make; an exchange among warps, and an element that a warp holds
/// besides, in instructions; what the change must save.
constexpr int64_t kTurns = 4, kExchange = 40, kElement = 2, kLeastGain = 16;

/// Elements from one place along a dimension to the next, and behind its last.
std::pair<int64_t, int64_t> strideOf(ArrayRef<int64_t> shape, int64_t dim) {
  int64_t stride = 1;
  for (int64_t extent : shape.drop_front(dim + 1))
    stride *= extent;
  return {stride, stride * shape[dim]};
}

struct Counter {
  bool warpsLast;
  unsigned numWarps, vectorBits;
  int64_t cost = 0;

  LinearLayout layoutOf(ArrayRef<int64_t> shape) const {
    return canonicalLayout(shape, numWarps, vectorBits, warpsLast);
  }

  void count(tileaa::ReduceOp reduce, int64_t turns) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(reduce.getOperands()[0].getType()).getShape();
    LinearLayout layout = layoutOf(shape);
    auto [stride, end] = strideOf(shape, reduce.getAxis());
    auto bitsAlong = [&, from = stride, to = end](InDim dim) {
      return llvm::count_if(layout.getFlatBases(dim),
                            [&](int64_t basis) { return basis >= from && basis < to; });
    };
    const int64_t operands = reduce.getOperands().size(),
                  body = reduce.getBody().front().getOperations().size() - 1;
    const int64_t results = layout.getNumRegisters() >> bitsAlong(InDim::Register);
    int64_t own = results * bitsAlong(InDim::Lane) * (2 * operands + body);
    if (bitsAlong(InDim::Warp))
      own += kExchange + results * (2 * operands + body * (int64_t(numWarps) - 1));
    cost += turns * own;
  }

  void count(tileaa::BroadcastOp broadcast, int64_t turns) {
    auto source = dyn_cast<RankedTensorType>(broadcast->getOperand(0).getType());
    if (!source)
      return;
    ArrayRef<int64_t> shape = cast<RankedTensorType>(broadcast->getResult(0).getType()).getShape();
    const LinearLayout layout = layoutOf(shape);
    int64_t held = 1;
    for (int64_t basis : layout.getFlatBases(InDim::Register))
      for (int64_t dim = 0; dim < source.getRank(); ++dim) {
        auto [stride, end] = strideOf(shape, dim);
        if (basis >= stride && basis < end && source.getDimSize(dim) > 1)
          held *= 2;
      }
    cost += turns * kElement * held;
  }
};

} // namespace

LinearLayout tileaa_to_tileas::canonicalLayout(ArrayRef<int64_t> shape, unsigned numWarps,
                                               unsigned maxVectorBits, bool warpsLast) {
  unsigned elementBits = 0, threadBits = 5 + llvm::Log2_32(numWarps);
  for (int64_t extent : shape)
    elementBits += llvm::Log2_64(extent);
  // Neighbours for a thread only once every thread has an element.
  unsigned vectorBits =
      elementBits > threadBits ? std::min(elementBits - threadBits, maxVectorBits) : 0;
  LinearLayout usual = LinearLayout::rowMajor(shape, numWarps, vectorBits);
  if (!warpsLast || elementBits <= threadBits + vectorBits)
    return usual;
  // Of the bits behind the lanes, registers take the lower ones.
  SmallVector<int64_t> registers, warps;
  for (unsigned bit = 0; bit < elementBits; ++bit)
    if (bit < vectorBits || (bit >= vectorBits + 5 && bit < elementBits - llvm::Log2_32(numWarps)))
      registers.push_back(int64_t(1) << bit);
    else if (bit >= vectorBits + 5)
      warps.push_back(int64_t(1) << bit);
  if (warps.size() > 1 && TILESMITH_PLANT("rows-of-warps-overlap"))
    warps.back() = warps.front();
  return LinearLayout::fromFlat(registers, usual.getFlatBases(InDim::Lane), warps, shape);
}

LinearLayout tileaa_to_tileas::shortLayout(ArrayRef<int64_t> shape, unsigned numWarps) {
  unsigned elementBits = 0;
  for (int64_t extent : shape)
    elementBits += llvm::Log2_64(extent);
  LinearLayout one = LinearLayout::rowMajor(shape, 1, elementBits > 5 ? elementBits - 5 : 0);
  return LinearLayout::fromFlat(one.getFlatBases(InDim::Register), one.getFlatBases(InDim::Lane),
                                SmallVector<int64_t>(llvm::Log2_32(numWarps), 0), shape);
}

bool tileaa_to_tileas::shouldHoldRows(tileaa::FuncOp function, unsigned numWarps,
                                      unsigned maxVectorBits) {
  Counter usual{false, numWarps, maxVectorBits}, rows{true, numWarps, maxVectorBits};
  bool multiplies = false;
  function->walk([&](Operation *op) {
    multiplies |= isa<tileaa::DotOp>(op);
    int64_t turns = 1;
    for (Operation *around = op->getParentOp(); around && around != function;
         around = around->getParentOp())
      if (isa<LoopLikeOpInterface>(around) && turns < 256)
        turns *= kTurns;
    for (Counter *counter : {&usual, &rows}) {
      if (auto reduce = dyn_cast<tileaa::ReduceOp>(op))
        counter->count(reduce, turns);
      else if (auto broadcast = dyn_cast<tileaa::BroadcastOp>(op))
        counter->count(broadcast, turns);
    }
  });
  return !multiplies && rows.cost + kLeastGain < usual.cost;
}
