//===- PlanExchanges.cpp - tileas-plan-exchanges ----------------------------------------------===//
//
// Notes on each convert_layout how its elements travel (Exchange.h). Nothing is rewritten; a
// conversion without a note takes the generic way. So does a scan: noted are those whose lines threads
// combine together (ParallelScan.h).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/conversion/TileASToNVGPU/ParallelScan.h"
#include "compiler/conversion/TileASToNVGPU/TileASToNVGPU.h"
#include "compiler/conversion/TileASToNVGPU/WarpTile.h"
#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/support/SwapPlan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace tilesmith {
#define GEN_PASS_DEF_PLANEXCHANGESPASS
#include "compiler/conversion/Passes.h.inc"
} // namespace tilesmith

namespace {

/// Plans are found by elimination over the registers: not for enormous tiles.
constexpr int64_t kMaxRegisters = 1024;

int64_t bytesOf(Type element) {
  if (isa<tileaa::PtrType>(element))
    return 8;
  unsigned bits = isa<FloatTF32Type>(element) ? 32 : element.getIntOrFloatBitWidth();
  return std::max<int64_t>(1, llvm::divideCeil(bits, 8));
}

/// The result is an operand of exactly one dot on tensor cores in the same block, and both operands
/// fit into shared memory together.
bool feedsOneDot(tileas::ConvertLayoutOp op) {
  if (!op->hasOneUse())
    return false;
  auto dot = dyn_cast<tileas::DotOp>(*op->getUsers().begin());
  if (!dot || !dot.getAtom() || !tileas::findMmaAtom(*dot.getAtom()) ||
      dot->getBlock() != op->getBlock() ||
      (dot.getLhs() != op.getResult() && dot.getRhs() != op.getResult()))
    return false;
  int64_t bytes = 0;
  for (Value operand : {dot.getLhs(), dot.getRhs()}) {
    auto type = cast<RankedTensorType>(operand.getType());
    bytes += type.getNumElements() * bytesOf(type.getElementType());
  }
  return bytes <= kMaxSharedBytes;
}

std::optional<tileas::Exchange> planOf(tileas::ConvertLayoutOp op) {
  auto from = tileas::getLayout(op.getSource().getType()),
       to = tileas::getLayout(op.getResult().getType());
  if (from.getNumRegisters() > kMaxRegisters || to.getNumRegisters() > kMaxRegisters)
    return std::nullopt;
  LinearLayout source = from.toLinear(), result = to.toLinear();
  ConversionKind kind = classifyConversion(source, result);
  if (kind == ConversionKind::Identical || kind == ConversionKind::RegisterPermutation)
    return std::nullopt;
  if (feedsOneDot(op))
    return tileas::Exchange::operand;
  Type element = cast<RankedTensorType>(op.getResult().getType()).getElementType();
  int64_t bytes = bytesOf(element);
  if (kind == ConversionKind::WithinWarp)
    if (std::optional<SwapPlan> swaps = planSwaps(source, result);
        swaps && swaps->shuffles <= from.getNumRegisters() &&
        swaps->shuffles * int64_t(llvm::divideCeil(bytes, 4)) <= kMaxSwapShuffles)
      return tileas::Exchange::shuffle;
  if (kind == ConversionKind::WithinWarp &&
      to.getNumRegisters() * llvm::divideCeil(bytes, 4) <= kMaxShufflesOfConversion &&
      planShuffles(source, result))
    return tileas::Exchange::shuffle;
  // Duplicates: each warp may have all that its lanes want.
  if (std::optional<WarpHolders> holders = WarpHolders::of(from))
    if (holders->shuffles(element, distinctRegisters(to)) <= kMaxShufflesOfConversion)
      return tileas::Exchange::shuffle;
  if (isa<FloatType>(element) && tileas::planMatrixExchange(from, to, bytes))
    return tileas::Exchange::matrix;
  return tileas::Exchange::swizzle;
}

struct PlanExchanges : tilesmith::impl::PlanExchangesPassBase<PlanExchanges> {
  void runOnOperation() override {
    getOperation()->walk([&](tileas::ConvertLayoutOp op) {
      if (std::optional<tileas::Exchange> plan = planOf(op))
        tileas::annotations(op).getExchangeAttrHelper().setAttr(
            op, tileas::ExchangeAttr::get(&getContext(), *plan));
    });
    getOperation()->walk([&](tileas::ScanOp op) {
      if (planScan(op))
        tileas::annotations(op).getParallelAttrHelper().setAttr(op, UnitAttr::get(&getContext()));
    });
  }
};

} // namespace
