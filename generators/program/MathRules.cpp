//===- MathRules.cpp - elementary functions ---------------------------------------------------===//
//
// Their results are only known up to a few units in the last place, so they may only be stored
// (Facts.h: not exact). Promises: the argument is clamped to where the function is finite and no
// pole is near, and NaN becomes the lower end.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

/// A value of some float type inside [low, high].
mlir::Value argument(KernelBuilder &k, ChoiceStream &s, double low, double high) {
  cuda_tile::TileType type = k.pickType(s, Kind::Float);
  TileValue a = k.use(s, type);
  mlir::Value atLeast =
      cuda_tile::MaxFOp::create(k.builder(), k.loc(), type, a.ssa, k.floatConstant(type, low).ssa,
                                mlir::UnitAttr(), mlir::UnitAttr());
  return cuda_tile::MinFOp::create(k.builder(), k.loc(), type, atLeast,
                                   k.floatConstant(type, high).ssa, mlir::UnitAttr(),
                                   mlir::UnitAttr());
}

bool defineApproximate(KernelBuilder &k, mlir::Value value) {
  Facts facts;
  facts.exact = false;
  k.define(value, facts);
  return true;
}

template <typename Op> bool plain(KernelBuilder &k, ChoiceStream &s, double low, double high) {
  mlir::Value a = argument(k, s, low, high);
  return defineApproximate(k, Op::create(k.builder(), k.loc(), a.getType(), a));
}
bool applyLog(KernelBuilder &k, ChoiceStream &s) {
  return plain<cuda_tile::LogOp>(k, s, 0x1p-12, 4096);
}
bool applyLog2(KernelBuilder &k, ChoiceStream &s) {
  return plain<cuda_tile::Log2Op>(k, s, 0x1p-12, 4096);
}
bool applySin(KernelBuilder &k, ChoiceStream &s) {
  return plain<cuda_tile::SinOp>(k, s, -1000, 1000);
}
bool applyCos(KernelBuilder &k, ChoiceStream &s) {
  return plain<cuda_tile::CosOp>(k, s, -1000, 1000);
}
bool applyTan(KernelBuilder &k, ChoiceStream &s) {
  return plain<cuda_tile::TanOp>(k, s, -1.5, 1.5);
}
bool applySinh(KernelBuilder &k, ChoiceStream &s) {
  return plain<cuda_tile::SinHOp>(k, s, -9, 9);
}
bool applyCosh(KernelBuilder &k, ChoiceStream &s) {
  return plain<cuda_tile::CosHOp>(k, s, -9, 9);
}

template <typename Op> bool flushable(KernelBuilder &k, ChoiceStream &s, double low, double high) {
  mlir::Value a = argument(k, s, low, high);
  return defineApproximate(k, Op::create(k.builder(), k.loc(), a.getType(), a, mlir::UnitAttr()));
}
bool applyExp2(KernelBuilder &k, ChoiceStream &s) {
  return flushable<cuda_tile::Exp2Op>(k, s, -12, 12);
}
bool applyRsqrt(KernelBuilder &k, ChoiceStream &s) {
  return flushable<cuda_tile::RsqrtOp>(k, s, 0x1p-12, 4096);
}

template <typename Op> bool rounded(KernelBuilder &k, ChoiceStream &s, double low, double high) {
  mlir::Value a = argument(k, s, low, high);
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::FULL);
  return defineApproximate(k, Op::create(k.builder(), k.loc(), a.getType(), a, mode));
}
bool applyExp(KernelBuilder &k, ChoiceStream &s) {
  return rounded<cuda_tile::ExpOp>(k, s, -9, 9);
}
bool applyTanh(KernelBuilder &k, ChoiceStream &s) {
  return rounded<cuda_tile::TanHOp>(k, s, -20, 20);
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::mathRules() {
  static constexpr Rule kRules[] = {
      {"exp", 2, applyExp},   {"exp2", 1, applyExp2},   {"log", 1, applyLog},
      {"log2", 1, applyLog2}, {"sin", 1, applySin},     {"cos", 1, applyCos},
      {"tan", 1, applyTan},   {"sinh", 1, applySinh},   {"cosh", 1, applyCosh},
      {"tanh", 1, applyTanh}, {"rsqrt", 1, applyRsqrt},
  };
  return kRules;
}
