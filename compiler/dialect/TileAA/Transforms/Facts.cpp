//===- Facts.cpp - arithmetic on facts --------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Facts.h"

#include "compiler/support/Plants.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilesmith::tileaa {

//===------------------------------------------------------------------------------------------===//
// Attribute form
//===------------------------------------------------------------------------------------------===//

DictionaryAttr toAttribute(MLIRContext *context, const Facts &facts) {
  Builder builder(context);
  SmallVector<NamedAttribute> entries;
  auto add = [&](StringRef name, int64_t value) {
    entries.push_back(builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
  };
  if (facts.constancy != 1)
    add("constancy", facts.constancy);
  if (facts.contiguity != 1)
    add("contiguity", facts.contiguity);
  if (facts.divisor != 1)
    add("divisor", facts.divisor);
  if (facts.lower)
    add("lower", *facts.lower);
  if (facts.upper)
    add("upper", *facts.upper);
  return builder.getDictionaryAttr(entries);
}

Facts getFacts(Value value) {
  Facts facts;
  auto result = llvm::dyn_cast<OpResult>(value);
  auto list = result ? result.getOwner()->getAttrOfType<ArrayAttr>(kFactsAttr) : ArrayAttr();
  if (!list || result.getResultNumber() >= list.size())
    return facts;
  auto entry = llvm::dyn_cast<DictionaryAttr>(list[result.getResultNumber()]);
  auto read = [&](StringRef name) -> std::optional<int64_t> {
    auto attr = entry ? entry.getAs<IntegerAttr>(name) : IntegerAttr();
    return attr ? std::optional<int64_t>(attr.getInt()) : std::nullopt;
  };
  facts.divisor = read("divisor").value_or(1);
  facts.contiguity = read("contiguity").value_or(1);
  facts.constancy = read("constancy").value_or(1);
  facts.lower = read("lower");
  facts.upper = read("upper");
  return facts;
}

//===------------------------------------------------------------------------------------------===//
// Arithmetic
//===------------------------------------------------------------------------------------------===//

/// The divisor that holds for the first element of every aligned group of `group` elements.
static uint64_t divisorOfGroups(const Facts &facts, int64_t group) {
  if (group >= facts.contiguity)
    return facts.divisor;
  return std::min<uint64_t>(facts.divisor, group);
}

Facts withinGroups(Facts facts, int64_t extent) {
  facts.divisor = divisorOfGroups(facts, extent);
  facts.contiguity = std::min(facts.contiguity, extent);
  facts.constancy = std::min(facts.constancy, extent);
  return facts;
}

/// Bounds survive only when they fit the type, that is, when nothing wrapped.
static void setBounds(Facts &facts, std::optional<int64_t> lower, std::optional<int64_t> upper,
                      unsigned width) {
  if (lower && upper && llvm::isIntN(width, *lower) && llvm::isIntN(width, *upper)) {
    facts.lower = lower;
    facts.upper = upper;
  }
}

template <typename Fn>
static std::optional<int64_t> combine(std::optional<int64_t> a, std::optional<int64_t> b,
                                      Fn overflows) {
  int64_t result = 0;
  if (!a || !b || overflows(*a, *b, &result))
    return std::nullopt;
  return result;
}

static std::optional<int64_t> addBounds(std::optional<int64_t> a, std::optional<int64_t> b) {
  return combine(a, b,
                 [](int64_t x, int64_t y, int64_t *r) { return __builtin_add_overflow(x, y, r); });
}
static std::optional<int64_t> subBounds(std::optional<int64_t> a, std::optional<int64_t> b) {
  return combine(a, b,
                 [](int64_t x, int64_t y, int64_t *r) { return __builtin_sub_overflow(x, y, r); });
}
static std::optional<int64_t> mulBounds(std::optional<int64_t> a, std::optional<int64_t> b) {
  return combine(a, b,
                 [](int64_t x, int64_t y, int64_t *r) { return __builtin_mul_overflow(x, y, r); });
}

Facts constantFacts(int64_t value) {
  Facts facts;
  facts.divisor =
      value == 0 ? Facts::kMaxDivisor
                 : std::min(Facts::kMaxDivisor, uint64_t(1) << llvm::countr_zero(uint64_t(value)));
  facts.lower = facts.upper = value;
  return facts;
}

Facts addFacts(const Facts &a, const Facts &b, unsigned width) {
  Facts result;
  // A rising run plus a constant run rises over the shorter of the two.
  result.contiguity =
      std::max(std::min(a.contiguity, b.constancy), std::min(a.constancy, b.contiguity));
  if (TILESMITH_PLANT("facts-sum-of-runs-is-run"))
    result.contiguity = std::max(result.contiguity, std::min(a.contiguity, b.contiguity));
  result.constancy = TILESMITH_PLANT("facts-sum-as-constant-as-longer")
                         ? std::max(a.constancy, b.constancy)
                         : std::min(a.constancy, b.constancy);
  result.divisor =
      TILESMITH_PLANT("facts-sum-divides-groups")
          ? std::min(a.divisor, b.divisor)
          : std::min(divisorOfGroups(a, result.contiguity), divisorOfGroups(b, result.contiguity));
  setBounds(result, addBounds(a.lower, b.lower), addBounds(a.upper, b.upper),
            TILESMITH_PLANT("facts-sum-bounds-wrap") ? 64 : width);
  return result;
}

Facts subFacts(const Facts &a, const Facts &b, unsigned width) {
  Facts result;
  result.contiguity = std::min(a.contiguity, b.constancy);
  if (TILESMITH_PLANT("facts-difference-falls-as-run"))
    result.contiguity = std::max(result.contiguity, std::min(a.constancy, b.contiguity));
  result.constancy = std::min(a.constancy, b.constancy);
  result.divisor =
      std::min(divisorOfGroups(a, result.contiguity), divisorOfGroups(b, result.contiguity));
  setBounds(result, subBounds(a.lower, b.upper), subBounds(a.upper, b.lower),
            TILESMITH_PLANT("facts-difference-bounds-wrap") ? 64 : width);
  return result;
}

/// The value that every element has.
static std::optional<int64_t> valueOf(const Facts &facts) {
  return facts.lower && facts.lower == facts.upper ? facts.lower : std::nullopt;
}

Facts mulFacts(const Facts &a, const Facts &b, unsigned width) {
  if (valueOf(a) == 1 || valueOf(b) == 1)
    return (valueOf(a) == 1) != TILESMITH_PLANT("facts-product-by-one-is-one") ? b : a;
  Facts result;
  uint64_t x = divisorOfGroups(a, 1), y = divisorOfGroups(b, 1);
  if (TILESMITH_PLANT("facts-product-of-run"))
    x = a.divisor, y = b.divisor;
  result.divisor = x > Facts::kMaxDivisor / y ? Facts::kMaxDivisor : x * y;
  result.constancy = TILESMITH_PLANT("facts-product-constant-as-longer")
                         ? std::max(a.constancy, b.constancy)
                         : std::min(a.constancy, b.constancy);
  SmallVector<std::optional<int64_t>, 4> products;
  for (auto p : {a.lower, a.upper})
    for (auto q : {b.lower, b.upper})
      if ((p == a.lower) == (q == b.lower) || !TILESMITH_PLANT("facts-product-bounds-of-ends"))
        products.push_back(mulBounds(p, q));
  if (llvm::all_of(products, [](auto p) { return p.has_value(); })) {
    auto [low, high] = std::minmax_element(products.begin(), products.end());
    setBounds(result, *low, *high, width);
  }
  return result;
}

/// Elements that share their quotient by `divisor`, in aligned groups.
static int64_t quotientGroup(const Facts &a, int64_t divisor) {
  uint64_t group = std::min<uint64_t>(
      a.contiguity, TILESMITH_PLANT("facts-quotient-of-any-divisor")
                        ? llvm::bit_floor(static_cast<uint64_t>(divisor))
                        : uint64_t(1) << llvm::countr_zero(static_cast<uint64_t>(divisor)));
  return TILESMITH_PLANT("facts-quotient-run-unaligned") ? group : std::min(group, a.divisor);
}

Facts divFacts(const Facts &a, const Facts &b) {
  Facts result;
  std::optional<int64_t> divisor = valueOf(b);
  if (!divisor || *divisor < 1)
    return result;
  if ((!a.lower || *a.lower < 0) && !TILESMITH_PLANT("facts-division-of-negative"))
    return result;
  if (*divisor == 1)
    return a;
  result.constancy = std::max(a.constancy, quotientGroup(a, *divisor));
  if ((a.contiguity == 1 || TILESMITH_PLANT("facts-quotient-of-run-divides")) &&
      llvm::isPowerOf2_64(*divisor))
    result.divisor = std::max<uint64_t>(1, a.divisor / *divisor);
  if (a.lower)
    result.lower = *a.lower / *divisor;
  if (a.upper)
    result.upper = *a.upper / *divisor;
  return result;
}

Facts ceilDivFacts(const Facts &a, const Facts &b, unsigned width) {
  Facts result;
  std::optional<int64_t> divisor = valueOf(b);
  if (!divisor || *divisor < 1 || !a.lower || *a.lower < 0)
    return result;
  if (*divisor == 1)
    return a;
  auto quotient = [&](int64_t value) { return value / *divisor + (value % *divisor != 0); };
  const int64_t largest = a.upper.value_or(width < 64 ? llvm::maxIntN(width) : INT64_MAX);
  result.lower = quotient(*a.lower);
  result.upper = quotient(largest);
  result.constancy = a.constancy;
  return result;
}

Facts remFacts(const Facts &a, const Facts &b) {
  Facts result;
  std::optional<int64_t> divisor = valueOf(b);
  if (!divisor || *divisor < 1)
    return result;
  if ((!a.lower || *a.lower < 0) && !TILESMITH_PLANT("facts-remainder-of-negative"))
    return result;
  result.contiguity =
      TILESMITH_PLANT("facts-remainder-whole-run") ? a.contiguity : quotientGroup(a, *divisor);
  result.constancy = a.constancy;
  result.divisor = std::min(divisorOfGroups(a, result.contiguity), constantFacts(*divisor).divisor);
  if (TILESMITH_PLANT("facts-remainder-divides-all"))
    result.divisor = a.divisor;
  result.lower = 0;
  result.upper = std::min(*divisor - 1, a.upper.value_or(INT64_MAX));
  return result;
}

Facts comparisonFacts(const Facts &low, const Facts &high) {
  // A run from a multiple of its length lies wholly below another multiple, or wholly not.
  uint64_t run = std::min<uint64_t>(
      {uint64_t(low.contiguity), low.divisor, uint64_t(high.constancy), divisorOfGroups(high, 1)});
  if (TILESMITH_PLANT("facts-comparison-of-any-bound"))
    run = std::min(low.contiguity, high.constancy);
  Facts result;
  result.constancy = std::max<int64_t>(std::min(low.constancy, high.constancy), run);
  return result;
}

Facts joinFacts(const Facts &a, const Facts &b) {
  Facts result;
  result.contiguity = std::min(a.contiguity, b.contiguity);
  result.constancy = std::min(a.constancy, b.constancy);
  result.divisor =
      std::min(divisorOfGroups(a, result.contiguity), divisorOfGroups(b, result.contiguity));
  if (a.lower && b.lower)
    result.lower =
        TILESMITH_PLANT("facts-choice-lower-of-first") ? *a.lower : std::min(*a.lower, *b.lower);
  if (a.upper && b.upper)
    result.upper = std::max(*a.upper, *b.upper);
  return result;
}

Facts meetFacts(const Facts &known, const Facts &assumed) {
  Facts result = known;
  if (assumed.contiguity > known.contiguity) {
    result.contiguity = assumed.contiguity;
    result.divisor = assumed.divisor;
  } else if (assumed.contiguity == known.contiguity || assumed.contiguity == 1) {
    // A promise about every element holds for the first ones, too.
    result.divisor = std::max(known.divisor, assumed.divisor);
  }
  result.constancy = std::max(known.constancy, assumed.constancy);
  if (assumed.lower && (!known.lower || *assumed.lower > *known.lower))
    result.lower = assumed.lower;
  if (assumed.upper && (!known.upper || *assumed.upper < *known.upper))
    result.upper = assumed.upper;
  return result;
}

} // namespace tilesmith::tileaa
