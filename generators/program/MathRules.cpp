//===- MathRules.cpp - elementary functions ---------------------------------------------------===//
//
// Their results are only known up to a few units in the last place, so only EnclosureRules, stores and
// other such functions take them (Facts.h: not exact). Promises: the argument is clamped to where
// the function is finite and no pole is near, and NaN becomes the lower end.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

/// A value of some float type inside [low, high]; sometimes one that is known within bounds only,
/// which must be small for the bounds to stay narrow.
mlir::Value argument(KernelBuilder &k, ChoiceStream &s, double low, double high) {
  cuda_tile::TileType type = k.pickType(s, Kind::Float);
  std::optional<TileValue> rough;
  if (s.chance(25))
    rough = k.findApproximate(s, [](const TileValue &v) { return isFloat(v.element()); });
  if (rough) {
    type = rough->type();
    low = std::max(low, low < 0 ? -4.0 : 0x1p-4);
    high = std::min(high, 4.0);
  }
  TileValue a = rough ? *rough : k.use(s, type);
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
  bool flush =
      llvm::cast<cuda_tile::TileType>(a.getType()).getElementType().isF32() && s.chance(25);
  return defineApproximate(k, Op::create(k.builder(), k.loc(), a.getType(), a,
                                         flush ? k.builder().getUnitAttr() : mlir::UnitAttr()));
}
bool applyExp2(KernelBuilder &k, ChoiceStream &s) {
  return flushable<cuda_tile::Exp2Op>(k, s, -12, 12);
}
bool applyRsqrt(KernelBuilder &k, ChoiceStream &s) {
  return flushable<cuda_tile::RsqrtOp>(k, s, 0x1p-12, 4096);
}

/// `since`: the version of the rounding mode approx.
template <typename Op>
bool rounded(KernelBuilder &k, ChoiceStream &s, double low, double high, unsigned since) {
  mlir::Value a = argument(k, s, low, high);
  bool isF32 = llvm::cast<cuda_tile::TileType>(a.getType()).getElementType().isF32();
  bool approximate = isF32 && k.version() >= since && s.chance(30);
  auto mode = cuda_tile::RoundingModeAttr::get(
      &k.context(), approximate ? cuda_tile::RoundingMode::APPROX : cuda_tile::RoundingMode::FULL);
  if (approximate)
    k.note("approx");
  return defineApproximate(k, Op::create(k.builder(), k.loc(), a.getType(), a, mode));
}
bool applyExp(KernelBuilder &k, ChoiceStream &s) {
  return rounded<cuda_tile::ExpOp>(k, s, -9, 9, 3);
}
bool applyTanh(KernelBuilder &k, ChoiceStream &s) {
  return rounded<cuda_tile::TanHOp>(k, s, -20, 20, 2);
}

/// `value` limited to [low, high].
mlir::Value limit(KernelBuilder &k, mlir::Value value, double low, double high) {
  auto type = llvm::cast<cuda_tile::TileType>(value.getType());
  value =
      cuda_tile::MaxFOp::create(k.builder(), k.loc(), type, value, k.floatConstant(type, low).ssa,
                                mlir::UnitAttr(), mlir::UnitAttr());
  return cuda_tile::MinFOp::create(k.builder(), k.loc(), type, value,
                                   k.floatConstant(type, high).ssa, mlir::UnitAttr(),
                                   mlir::UnitAttr());
}

bool applyPow(KernelBuilder &k, ChoiceStream &s) {
  mlir::Value base = argument(k, s, 0.25, 4);
  mlir::Value exponent =
      limit(k, k.use(s, llvm::cast<cuda_tile::TileType>(base.getType())).ssa, -3, 3);
  return defineApproximate(k,
                           k.emit<cuda_tile::PowOp>(base.getType(), {base, exponent}).getResult());
}

/// Bases of either sign under whole exponents, from memory to memory.
bool applyPowWhole(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  cuda_tile::TileType type = k.tileType({int64_t(16) << s.below(2)}, chooseWideFloat(k, s));
  mlir::Value base = freshTile(k, s, type, s.chance(70) ? Fill::Fractions : Fill::SmallIntegers);
  mlir::Value exponent = s.chance(50) ? k.floatConstant(type, s.between(-3, 3)).ssa
                                      : freshTile(k, s, type, Fill::SmallIntegers);
  Facts facts;
  facts.exact = false;
  k.noteApproximate();
  emitFreeStore(k, s, {k.emit<cuda_tile::PowOp>(type, {base, exponent}).getResult(), facts});
  return true;
}

bool applyAtan2(KernelBuilder &k, ChoiceStream &s) {
  mlir::Value a = argument(k, s, -100, 100);
  mlir::Value b = limit(k, k.use(s, llvm::cast<cuda_tile::TileType>(a.getType())).ssa, 0.5, 100);
  return defineApproximate(k, k.emit<cuda_tile::Atan2Op>(a.getType(), {a, b}).getResult());
}

/// A small exponent: the last bits of an integer, less four.
bool applyPowInteger(KernelBuilder &k, ChoiceStream &s) {
  mlir::Value base = argument(k, s, 0.25, 4);
  auto type = llvm::cast<cuda_tile::TileType>(base.getType());
  static constexpr unsigned kWidths[] = {8, 16, 32, 1};
  cuda_tile::TileType integers =
      k.tileType(type.getShape(), k.intType(s.pick(llvm::ArrayRef<unsigned>(kWidths))));
  mlir::Value bits = cuda_tile::AndIOp::create(
      k.builder(), k.loc(), integers, k.use(s, integers).ssa, k.intConstant(integers, 7).ssa);
  mlir::Value exponent =
      cuda_tile::SubIOp::create(k.builder(), k.loc(), integers, bits,
                                k.intConstant(integers, 4).ssa, cuda_tile::IntegerOverflow::NONE);
  if (s.chance(35) && !integers.getElementType().isInteger(1))
    exponent = k.intConstant(integers, s.between(-3, 3)).ssa;
  return defineApproximate(k, k.emit<cuda_tile::FPowIOp>(type, {base, exponent}).getResult());
}

/// Quotient or root of lower accuracy, f32 only.
bool applyLoose(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type =
      k.tileType(k.pickType(s, Kind::Float).getShape(), k.builder().getF32Type());
  mlir::Value a = limit(k, k.use(s, type).ssa, 0x1p-12, 4096);
  auto mode = [&](cuda_tile::RoundingMode value) {
    return k.attr("rounding_mode", cuda_tile::RoundingModeAttr::get(&k.context(), value));
  };
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  bool flush = s.chance(30);
  if (s.chance(30)) {
    k.note("sqrt-approx");
    attributes.push_back(mode(cuda_tile::RoundingMode::APPROX));
    if (flush)
      attributes.push_back(k.attr("flush_to_zero", k.builder().getUnitAttr()));
    return defineApproximate(k, k.emit<cuda_tile::SqrtOp>(type, a, attributes).getResult());
  }
  bool full = s.chance(50);
  k.note(full ? "divf-full" : "divf-approx");
  attributes.push_back(
      mode(full ? cuda_tile::RoundingMode::FULL : cuda_tile::RoundingMode::APPROX));
  if (flush)
    attributes.push_back(k.attr("flush_to_zero", k.builder().getUnitAttr()));
  mlir::Value b = limit(k, k.use(s, type).ssa, 0x1p-12, 4096);
  return defineApproximate(k, k.emit<cuda_tile::DivFOp>(type, {a, b}, attributes).getResult());
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::mathRules() {
  static constexpr Rule kRules[] = {
      {"exp", 3, applyExp},
      {"exp2", 2, applyExp2},
      {"log", 2, applyLog},
      {"log2", 2, applyLog2},
      {"sin", 2, applySin},
      {"cos", 2, applyCos},
      {"tan", 2, applyTan},
      {"sinh", 2, applySinh},
      {"cosh", 2, applyCosh},
      {"tanh", 2, applyTanh},
      {"rsqrt", 2, applyRsqrt},
      {"pow", 2, applyPow},
      {"pow-whole", 2, applyPowWhole, 1, "base of either sign, 1/4 to 4 or whole; exponent whole"},
      {"atan2", 2, applyAtan2, 2, "denominator away from zero"},
      {"fpowi", 2, applyPowInteger, 4, "exponent of -4 to 3, base of 1/4 to 4"},
      {"loose", 2, applyLoose, 1, "operands of 2^-12 to 4096"},
  };
  return kRules;
}
