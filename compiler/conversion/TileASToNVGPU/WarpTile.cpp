//===- WarpTile.cpp - small tiles whose elements lanes hand to each other ---------------------===//
//
// The lane and the register of an element are linear functions of its position. One shuffle moves a
// register of all lanes; of several registers each is moved, and the reader takes the one it wants.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/WarpTile.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

std::optional<WarpHolders> WarpHolders::of(tileas::LayoutAttr layout) {
  if (llvm::any_of(layout.getWarps(), [](int64_t basis) { return basis != 0; }) &&
      !TILESMITH_PLANT("warp-tile-of-several-warps"))
    return std::nullopt;
  LinearLayout linear = layout.toLinear();
  auto lanes = linear.getInverseBases(InDim::Lane),
       registers = linear.getInverseBases(InDim::Register);
  if (!lanes || !registers)
    return std::nullopt;
  SmallVector<int64_t> held = {0};
  for (int64_t basis : *registers)
    if (!llvm::is_contained(held, basis))
      for (int64_t before : SmallVector<int64_t>(held))
        held.push_back(before ^ basis);
  return WarpHolders{*lanes, *registers, held};
}

int64_t WarpHolders::shuffles(Type element, int64_t reads) const {
  bool isWord = element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= 32;
  return int64_t(held.size()) * reads * (isWord ? 1 : 2); // pointers have two words, too
}

std::optional<WarpTile> WarpTile::of(const Tile &tile, int64_t reads, int64_t maxShuffles) {
  std::optional<WarpHolders> holders = WarpHolders::of(tile.layout);
  if (!holders || holders->shuffles(tile.element, reads) > maxShuffles)
    return std::nullopt;
  return WarpTile{tile, *holders};
}

Value WarpTile::read(Emitter &e, Value position) const {
  Value lane = e.linear(position, holders.lanes), wanted = e.linear(position, holders.registers);
  Value value;
  for (int64_t index : holders.held) {
    Value moved = e.shuffleFrom(e.loadRegister(tile, e.i32(index)), lane);
    if (!value || TILESMITH_PLANT("shuffled-slice-last-register")) {
      value = moved;
      continue;
    }
    Value isIt =
        arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, wanted, e.i32(index));
    value = arith::SelectOp::create(e.builder, e.loc, isIt, moved, value);
  }
  return value;
}

int64_t tileas_to_nvgpu::distinctRegisters(tileas::LayoutAttr layout) {
  return layout.getNumRegisters() >> llvm::count(layout.getRegisters(), 0);
}

void tileas_to_nvgpu::readAll(Emitter &e, const WarpTile &from, const Tile &to) {
  SmallVector<int64_t> bases, numbers; // of registers of their own; of each bit its bit among these
  for (int64_t basis : to.layout.getRegisters()) {
    numbers.push_back(basis ? int64_t(1) << bases.size() : 0);
    if (basis)
      bases.push_back(basis);
  }
  Tile distinct = e.makeTile(
      to.element, tileas::LayoutAttr::get(to.layout.getContext(), to.layout.getShape(), bases,
                                          to.layout.getLanes(), to.layout.getWarps()));
  e.forLoop(int64_t(1) << bases.size(), [&](Value number) {
    e.storeRegister(distinct, number, from.read(e, e.position(distinct.layout, number)));
  });
  e.forLoop(to.layout.getNumRegisters(), [&](Value index) {
    Value number =
        TILESMITH_PLANT("duplicates-of-first-register") ? e.i32(0) : e.linear(index, numbers);
    e.storeRegister(to, index, e.loadRegister(distinct, number));
  });
}
