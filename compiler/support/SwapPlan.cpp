//===- SwapPlan.cpp - layout conversions that exchange bits of registers and lanes ------------===//
#include "compiler/support/SwapPlan.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tilesmith;

std::optional<SwapPlan> tilesmith::planSwaps(const LinearLayout &src, const LinearLayout &dst) {
  LinearLayout::FlatBases registers(src.getFlatBases(InDim::Register)),
      lanes(src.getFlatBases(InDim::Lane));
  ArrayRef<int64_t> wanted = dst.getFlatBases(InDim::Lane);
  if (src.getShape() != dst.getShape() || lanes.size() != wanted.size() ||
      src.getSize(InDim::Block) != 1)
    return std::nullopt;
  SwapPlan plan;
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane] == wanted[lane])
      continue;
    auto held = llvm::find(registers, wanted[lane]);
    if (held == registers.end())
      return std::nullopt;
    std::swap(*held, lanes[lane]);
    plan.swaps.emplace_back(held - registers.begin(), lane);
    plan.shuffles += src.getNumRegisters() / 2;
  }
  auto map = getRegisterMap(
      LinearLayout::fromFlat(registers, lanes, src.getFlatBases(InDim::Warp), src.getShape()), dst);
  if (!map)
    return std::nullopt;
  plan.registers = std::move(*map);
  return plan;
}
