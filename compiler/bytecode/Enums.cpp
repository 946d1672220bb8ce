//===- Enums.cpp - enum attributes by field kind ----------------------------------------------===//
#include "compiler/bytecode/Enums.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;

namespace {
/// Calls visit.operator()<AttrType, EnumType>(symbolize) for the classes of an enum field.
template <typename Visit> auto dispatch(FieldKind kind, Visit visit) {
  using namespace cuda_tile;
  switch (kind) {
  case FieldKind::Signedness:
    return visit.template operator()<SignednessAttr, Signedness>();
  case FieldKind::Overflow:
    return visit.template operator()<IntegerOverflowAttr, IntegerOverflow>();
  case FieldKind::Rounding:
    return visit.template operator()<RoundingModeAttr, RoundingMode>();
  case FieldKind::Predicate:
    return visit.template operator()<ComparisonPredicateAttr, ComparisonPredicate>();
  case FieldKind::Ordering:
    return visit.template operator()<ComparisonOrderingAttr, ComparisonOrdering>();
  case FieldKind::AtomicMode:
    return visit.template operator()<AtomicRMWModeAttr, AtomicRMWMode>();
  case FieldKind::MemoryOrder:
    return visit.template operator()<MemoryOrderingSemanticsAttr, MemoryOrderingSemantics>();
  case FieldKind::MemoryScope:
    return visit.template operator()<MemoryScopeAttr, MemoryScope>();
  case FieldKind::MultimemReduction:
    return visit.template operator()<MultimemReductionKindAttr, MultimemReductionKind>();
  default:
    llvm_unreachable("field kind is no enum");
  }
}
} // namespace

Attribute tilesmith::bytecode::makeEnum(FieldKind kind, uint32_t value, MLIRContext *context) {
  return dispatch(kind, [&]<typename AttrType, typename EnumType>() -> Attribute {
    // A number without a name stringifies to "", which symbolizes to nothing.
    std::optional<EnumType> symbol =
        cuda_tile::symbolizeEnum<EnumType>(cuda_tile::stringifyEnum(static_cast<EnumType>(value)));
    if (!symbol)
      return {};
    return AttrType::get(context, *symbol);
  });
}

std::optional<uint32_t> tilesmith::bytecode::enumValue(FieldKind kind, Attribute attr) {
  return dispatch(kind, [&]<typename AttrType, typename EnumType>() -> std::optional<uint32_t> {
    auto typed = dyn_cast_or_null<AttrType>(attr);
    if (!typed)
      return std::nullopt;
    return static_cast<uint32_t>(typed.getValue());
  });
}

uint8_t tilesmith::bytecode::enumValueSince(FieldKind kind, uint32_t value) {
  constexpr uint32_t kNearestAway = 7;
  return kind == FieldKind::Rounding && value == kNearestAway ? 4 : 1;
}
