//===- EnclosureKernels.h - one kernel on many inputs in the enclosure domain -----------------===//
//
// The tests of enclosures evaluate one kernel on thousands of random inputs. A kernel reads rank-1
// arrays %x0, %x1, ... (reshaped in its body) and its result %r is stored and read back with the
// bounds that the reference computed.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_TEST_ENCLOSUREKERNELS_H
#define REFERENCE_INTERP_TEST_ENCLOSUREKERNELS_H

#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "reference/interp/Interpreter.h"
#include "reference/value/Enclosure.h"

namespace tilesmith::reference {

struct ArrayType {
  ElementType type;
  size_t count;
};

class EnclosureKernel {
public:
  /// `body` defines %r, a rank-1 tile.
  EnclosureKernel(const std::string &body, std::vector<ArrayType> inputs, ArrayType result);

  /// The elements of the result for inputs given as numbers (rounded to the input's type).
  std::vector<Element> run(const std::vector<std::vector<double>> &inputs,
                           bool contraction = false);
  ElementType resultType() const { return result.type; }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<ArrayType> inputs;
  ArrayType result;
};

/// Whether a number (or NaN) is one of the values of an element.
bool holds(ElementType type, const Element &e, double value);

/// Width of an element in representable values: 0 for a point.
double widthInUlps(ElementType type, const Element &e);
/// Wider than the value itself, or without any bound.
bool saysNothing(ElementType type, const Element &e);

/// `value` rounded to nearest even in a format, by arithmetic of its own: `bits` of significand,
/// smallest and largest exponent as of IEEE formats.
double roundToNearest(ElementType type, double value);
double roundToZero(ElementType type, double value);

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_TEST_ENCLOSUREKERNELS_H
