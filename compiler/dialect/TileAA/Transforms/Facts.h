//===- Facts.h - what is known about integers, pointers and memrefs ---------------------------===//
//
// Facts are promises of `assume`, constants, and what arithmetic makes of them.
// `tileaa-infer-facts` stores them on the defining op as the attribute `nv_tileaa.facts`: one
// dictionary per result, absent entries mean "unknown".
//
// Units: `divisor` counts 1 for integers and bytes for pointers. `contiguity` and `constancy` count
// elements along the last dimension: within aligned groups of that many elements, values rise by
// one (pointers: by one pointee) or are equal. The divisor holds for the first element of every
// such rising group; with contiguity 1, for all elements.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAA_TRANSFORMS_FACTS_H
#define COMPILER_DIALECT_TILEAA_TRANSFORMS_FACTS_H

#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace mlir {
class DictionaryAttr;
class MLIRContext;
} // namespace mlir

namespace tilesmith::tileaa {

struct Facts {
  /// Powers of two; a known zero has the largest divisor.
  static constexpr uint64_t kMaxDivisor = uint64_t(1) << 62;

  uint64_t divisor = 1;
  std::optional<int64_t> lower, upper; ///< inclusive, signed
  int64_t contiguity = 1;
  int64_t constancy = 1;

  bool isTrivial() const {
    return divisor == 1 && !lower && !upper && contiguity == 1 && constancy == 1;
  }
  bool operator==(const Facts &) const = default;
};

/// Name of the attribute on ops.
inline constexpr llvm::StringLiteral kFactsAttr{"nv_tileaa.facts"};

/// What the attribute of the defining op says; unknown for everything else.
Facts getFacts(mlir::Value value);

mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context, const Facts &facts);

//===------------------------------------------------------------------------------------------===//
// Arithmetic on facts (integers of `width` bits)
//===------------------------------------------------------------------------------------------===//

Facts constantFacts(int64_t value);
Facts addFacts(const Facts &a, const Facts &b, unsigned width);
Facts subFacts(const Facts &a, const Facts &b, unsigned width);
Facts mulFacts(const Facts &a, const Facts &b, unsigned width);
/// Quotient and remainder, rounded down: known for values that are not negative by a constant.
Facts divFacts(const Facts &a, const Facts &b);
Facts remFacts(const Facts &a, const Facts &b);
/// The quotient rounded up, of such values of `width` bits.
Facts ceilDivFacts(const Facts &a, const Facts &b, unsigned width);
/// The truth of `low < high` and of its opposite.
Facts comparisonFacts(const Facts &low, const Facts &high);
/// Either of the two.
Facts joinFacts(const Facts &a, const Facts &b);
/// The same elements seen in lines of `extent`, a power of two: longer groups fall apart.
Facts withinGroups(Facts facts, int64_t extent);
/// Both at once (a value and what is assumed about it).
Facts meetFacts(const Facts &known, const Facts &assumed);

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_TRANSFORMS_FACTS_H
