//===- CompareSelectRules.cpp - comparisons and selections ------------------------------------===//
//
// Promises: comparisons only see fully determined values, so every condition is determined.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::ComparisonOrdering;
using cuda_tile::ComparisonPredicate;
using cuda_tile::Signedness;

namespace {

ComparisonPredicate choosePredicate(ChoiceStream &s) {
  return static_cast<ComparisonPredicate>(s.below(6));
}

bool applyCompareInt(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = k.pickType(s, Kind::Int);
  TileValue a = k.use(s, type), b = k.use(s, type);
  ComparisonPredicate predicate = choosePredicate(s);
  Signedness signedness = s.chance(50) ? Signedness::Signed : Signedness::Unsigned;
  cuda_tile::TileType result = k.tileType(type.getShape(), k.intType(1));
  k.define(
      cuda_tile::CmpIOp::create(k.builder(), k.loc(), result, predicate, a.ssa, b.ssa, signedness),
      {Range::full(1)});
  return true;
}

bool applyCompareFloat(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = k.pickType(s, Kind::Float);
  TileValue a = k.use(s, type), b = k.use(s, type);
  ComparisonPredicate predicate = choosePredicate(s);
  ComparisonOrdering ordering =
      s.chance(50) ? ComparisonOrdering::ORDERED : ComparisonOrdering::UNORDERED;
  cuda_tile::TileType result = k.tileType(type.getShape(), k.intType(1));
  k.define(
      cuda_tile::CmpFOp::create(k.builder(), k.loc(), result, predicate, ordering, a.ssa, b.ssa),
      {Range::full(1)});
  return true;
}

bool applySelect(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = k.pickMovable(s);
  if (llvm::isa<mlir::Float4E2M1FNType>(type.getElementType()))
    type = k.tileType(type.getShape(), k.intType(4));
  TileValue condition = k.use(s, k.tileType(type.getShape(), k.intType(1)));
  TileValue a = k.use(s, type), b = k.use(s, type);
  k.define(cuda_tile::SelectOp::create(k.builder(), k.loc(), type, condition.ssa, a.ssa, b.ssa),
           {a.facts.range.unite(b.facts.range)});
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::compareSelectRules() {
  static constexpr Rule kRules[] = {
      {"cmpi", 6, applyCompareInt},
      {"cmpf", 6, applyCompareFloat},
      {"select", 9, applySelect},
  };
  return kRules;
}
