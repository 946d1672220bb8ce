//===- FloatRules.cpp - floating-point arithmetic ---------------------------------------------===//
//
// Only operations whose result IEEE determines bit for bit (up to NaN payloads), so that values may
// flow anywhere.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::RoundingMode;

namespace {

cuda_tile::TileType chooseType(KernelBuilder &k, ChoiceStream &s) {
  return k.pickType(s, Kind::Float);
}

/// Mostly to nearest; in 16 bits, where hardware has no directed modes, they are compiled code.
RoundingMode chooseRounding(ChoiceStream &s) {
  if (!s.chance(30))
    return RoundingMode::NEAREST_EVEN;
  static constexpr RoundingMode kDirected[] = {RoundingMode::ZERO, RoundingMode::NEGATIVE_INF,
                                               RoundingMode::POSITIVE_INF};
  return s.pick(llvm::ArrayRef<RoundingMode>(kDirected));
}

mlir::UnitAttr unitIf(KernelBuilder &k, bool set) {
  return set ? k.builder().getUnitAttr() : mlir::UnitAttr();
}

/// Flushing of sums, minima and maxima is fully determined (results below the normal range are
/// exact); flushing of products is not at the boundary, so there one factor is a power of two of at
/// least one.
mlir::UnitAttr chooseFlush(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type) {
  return unitIf(k, type.getElementType().isF32() && s.chance(25));
}

template <typename Op> bool roundedBinary(KernelBuilder &k, ChoiceStream &s, bool mayFlush) {
  cuda_tile::TileType type = chooseType(k, s);
  TileValue a = k.use(s, type), b = k.use(s, type);
  RoundingMode rounding = chooseRounding(s);
  mlir::UnitAttr flush = mayFlush ? chooseFlush(k, s, type) : mlir::UnitAttr();
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), rounding);
  k.define(Op::create(k.builder(), k.loc(), type, a.ssa, b.ssa, mode, flush), {});
  return true;
}
bool applyAdd(KernelBuilder &k, ChoiceStream &s) {
  return roundedBinary<cuda_tile::AddFOp>(k, s, true);
}
bool applySub(KernelBuilder &k, ChoiceStream &s) {
  return roundedBinary<cuda_tile::SubFOp>(k, s, true);
}
bool applyMul(KernelBuilder &k, ChoiceStream &s) {
  return roundedBinary<cuda_tile::MulFOp>(k, s, false);
}
bool applyDiv(KernelBuilder &k, ChoiceStream &s) {
  return roundedBinary<cuda_tile::DivFOp>(k, s, false);
}

/// A product or a product and sum that flushes: exact wherever the result is small.
bool applyFlushedProduct(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type =
      k.tileType(k.pickType(s, Kind::Float).getShape(), k.builder().getF32Type());
  TileValue a = k.use(s, type);
  double factor = static_cast<double>(uint64_t(1) << s.below(4));
  mlir::Value power = k.floatConstant(type, s.chance(40) ? -factor : factor).ssa;
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), chooseRounding(s));
  mlir::UnitAttr flush = k.builder().getUnitAttr();
  if (s.chance(50))
    k.define(cuda_tile::MulFOp::create(k.builder(), k.loc(), type, a.ssa, power, mode, flush), {});
  else
    k.define(cuda_tile::FmaOp::create(k.builder(), k.loc(), type, a.ssa, power, k.use(s, type).ssa,
                                      mode, flush),
             {});
  return true;
}

/// A minimum or maximum that flushes, mostly of numbers from memory and one beyond them.
bool applyFlushedExtremum(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type =
      k.tileType(k.pickType(s, Kind::Float).getShape(), k.builder().getF32Type());
  bool isMax = s.chance(50);
  mlir::Value a = k.use(s, type).ssa;
  mlir::Value b =
      s.chance(30) ? k.use(s, type).ssa : k.floatConstant(type, isMax ? -1e30 : 1e30).ssa;
  if (s.chance(50))
    std::swap(a, b);
  mlir::UnitAttr propagate = unitIf(k, s.chance(40)), flush = k.builder().getUnitAttr();
  if (isMax)
    k.define(cuda_tile::MaxFOp::create(k.builder(), k.loc(), type, a, b, propagate, flush), {});
  else
    k.define(cuda_tile::MinFOp::create(k.builder(), k.loc(), type, a, b, propagate, flush), {});
  return true;
}

bool applyFma(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  TileValue a = k.use(s, type), b = k.use(s, type), c = k.use(s, type);
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), chooseRounding(s));
  k.define(cuda_tile::FmaOp::create(k.builder(), k.loc(), type, a.ssa, b.ssa, c.ssa, mode,
                                    mlir::UnitAttr()),
           {});
  return true;
}

bool applySqrt(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  TileValue a = k.use(s, type);
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), chooseRounding(s));
  k.define(cuda_tile::SqrtOp::create(k.builder(), k.loc(), type, a.ssa, mode, mlir::UnitAttr()),
           {});
  return true;
}

template <typename Op> bool unary(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  TileValue a = k.use(s, type);
  k.define(Op::create(k.builder(), k.loc(), type, a.ssa), {});
  return true;
}
bool applyAbs(KernelBuilder &k, ChoiceStream &s) {
  return unary<cuda_tile::AbsFOp>(k, s);
}
bool applyNeg(KernelBuilder &k, ChoiceStream &s) {
  return unary<cuda_tile::NegFOp>(k, s);
}
bool applyFloor(KernelBuilder &k, ChoiceStream &s) {
  return unary<cuda_tile::FloorOp>(k, s);
}
bool applyCeil(KernelBuilder &k, ChoiceStream &s) {
  return unary<cuda_tile::CeilOp>(k, s);
}

bool applyRem(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  TileValue a = k.use(s, type), b = k.use(s, type);
  k.define(cuda_tile::RemFOp::create(k.builder(), k.loc(), type, a.ssa, b.ssa), {});
  return true;
}

template <typename Op> bool minMax(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = chooseType(k, s);
  TileValue a = k.use(s, type), b = k.use(s, type);
  mlir::UnitAttr propagate = unitIf(k, s.chance(40)), flush = chooseFlush(k, s, type);
  k.define(Op::create(k.builder(), k.loc(), type, a.ssa, b.ssa, propagate, flush), {});
  return true;
}
bool applyMax(KernelBuilder &k, ChoiceStream &s) {
  return minMax<cuda_tile::MaxFOp>(k, s);
}
bool applyMin(KernelBuilder &k, ChoiceStream &s) {
  return minMax<cuda_tile::MinFOp>(k, s);
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::floatRules() {
  static constexpr Rule kRules[] = {
      {"addf", 6, applyAdd},
      {"subf", 5, applySub},
      {"mulf", 6, applyMul},
      {"divf", 4, applyDiv},
      {"fma", 7, applyFma},
      {"sqrt", 2, applySqrt},
      {"absf", 2, applyAbs},
      {"negf", 2, applyNeg},
      {"floor", 2, applyFloor},
      {"ceil", 2, applyCeil},
      {"remf", 2, applyRem},
      {"maxf", 3, applyMax},
      {"minf", 3, applyMin},
      {"flushed-extremum", 2, applyFlushedExtremum},
      {"flushed-product", 2, applyFlushedProduct, 1, "one factor is a power of two"},
  };
  return kRules;
}
