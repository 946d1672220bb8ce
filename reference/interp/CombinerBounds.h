//===- CombinerBounds.h - what reordering a reduction body of several ops may change ----------===//
//
// Sums and products alone have documented bounds. Other bodies that round get one by running error
// analysis: beside every float x the body is evaluated on
//   value      x in float64
//   majorant   the same expression with absolute values and sums instead of differences; every
//              monomial of the expanded result counts with its size
//   ceiling    the majorant with everything below 1 raised to 1: no partial product of any order
//              exceeds it, and no underflow is amplified by more
// and statically on a linear form of the relative error: what the body adds, and how often it uses
// each side. If no side is used more than once, n elements in any order carry at most n times what
// one body adds and n times the elements' own error, relative to the majorant.
//
// Covered: + - * fma neg abs max min, division and roots of quantities without cancellation, exp
// and exp2 of differences of exact values (online softmax), select on exact conditions, conversions
// between floats. Operands that only max, min and select combine are exact. The body is taken to be
// associative and commutative in exact arithmetic, as the language demands [spec: bound-body];
// value, majorant and ceiling in two orders must confirm it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_COMBINERBOUNDS_H
#define REFERENCE_INTERP_COMBINERBOUNDS_H

#include "reference/interp/BlockContext.h"

namespace tilesmith::reference {

using Tiles = llvm::SmallVector<Tile, 2>;

class CombinerBounds {
public:
  /// `elements`: the operands, whole. The body must consist of elementwise ops.
  CombinerBounds(BlockContext &context, mlir::Block &body, const Tiles &elements);

  /// Why no bound is known; empty if one is.
  const std::string &failure() const { return reason; }
  /// Whether operand k is the same in every order.
  bool isExact(unsigned k) const { return exact[k]; }

  /// value, majorant and ceiling of the elements of every operand, in float64.
  Tiles shadows(const Tiles &elements) const;
  /// The body on shadows of pairs. The context holds what the body computed from the pairs itself.
  Tiles combine(const Tiles &first, const Tiles &second);

  /// Whether shadows from two orders agree at element i for operand k.
  bool confirms(unsigned k, const Tiles &a, const Tiles &b, size_t i, size_t j, double count) const;
  /// The result around `centre` of `count` elements in any order; `at` is the position in shadows.
  Element finish(unsigned k, const Element &centre, const Tiles &shadow, size_t at,
                 double count) const;

private:
  /// The linear form of one SSA value.
  struct Form {
    double first = 0, second = 0; ///< how often each side's error enters
    double own = 0;               ///< relative to the majorant
    double bound = kInfinity;     ///< of the majorant, where only exact operands are used
    bool exact = true;
  };
  struct Numbers {
    std::vector<double> value, majorant, ceiling; ///< one per pair, or one for all
  };

  bool analyse();
  bool analyseOp(mlir::Operation &op);
  bool evaluateOp(mlir::Operation &op, size_t count);
  bool fail(mlir::Operation &op, llvm::StringRef what);
  Form &form(mlir::Value v) { return forms[v]; }

  BlockContext &context;
  mlir::Block &body;
  unsigned arity;
  std::string reason;
  std::vector<bool> exact;
  std::vector<double> suprema; ///< of the absolute values of exact operands
  llvm::DenseMap<mlir::Value, Form> forms;
  llvm::DenseMap<mlir::Value, Numbers> numbers;
  double elementError = 0; ///< relative, of the elements themselves
  double perBody = 0;      ///< relative, of one body
  double opCount = 0, tiny = 0, precisionLimit = kInfinity, limit = kInfinity;
  float band = 1;
  bool integral = true; ///< integers stay integers
};

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_COMBINERBOUNDS_H
