//===- TileAAAttrs.cpp - enums, attributes, assume predicates ---------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "compiler/dialect/TileAA/IR/TileAAEnums.cpp.inc"

#include "compiler/dialect/TileAA/IR/TileAAAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/TileAA/IR/TileAAAttrs.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialect/TileAA/IR/TileAAAttrs.cpp.inc"
      >();
}

static int64_t rankOf(Type type) {
  auto shaped = llvm::dyn_cast<ShapedType>(type);
  return shaped ? shaped.getRank() : 0;
}

//===------------------------------------------------------------------------------------------===//
// Predicates
//===------------------------------------------------------------------------------------------===//

LogicalResult DivByAttr::verifyWithAssumeOp(llvm::function_ref<InFlightDiagnostic()> emitError,
                                            Type type) const {
  Type element = getElementTypeOrSelf(type);
  if (!element.isIntOrIndex() && !llvm::isa<PtrType, MemRefType>(element))
    return emitError() << "div_by requires an integer-, pointer-, or memref-like value";
  if (!llvm::isPowerOf2_64(getDivisor()))
    return emitError() << "div_by divisor must be a positive power of two";
  if (getEvery().has_value() != getAlong().has_value())
    return emitError() << "div_by every and along must appear together";
  if (getEvery() && *getEvery() <= 0)
    return emitError() << "div_by every must be positive";
  if (getAlong() && (*getAlong() < 0 || *getAlong() >= rankOf(type)))
    return emitError() << "div_by along must reference a valid axis";
  return success();
}

bool DivByAttr::isElementwise() const {
  return !getEvery();
}

LogicalResult BoundedAttr::verifyWithAssumeOp(llvm::function_ref<InFlightDiagnostic()> emitError,
                                              Type type) const {
  Type element = getElementTypeOrSelf(type);
  if (!element.isIntOrIndex())
    return emitError() << "bounded requires an integer-like element type";
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  if (getLower() && !llvm::isIntN(width, *getLower()))
    return emitError() << "bounded lower exceeds the element's representable range";
  if (getUpper() && !llvm::isIntN(width, *getUpper()))
    return emitError() << "bounded upper exceeds the element's representable range";
  if (getLower() && getUpper() && *getLower() > *getUpper())
    return emitError() << "bounded lower must not exceed upper";
  return success();
}

bool BoundedAttr::isElementwise() const {
  return true;
}

LogicalResult
SameElementsAttr::verifyWithAssumeOp(llvm::function_ref<InFlightDiagnostic()> emitError,
                                     Type type) const {
  auto shaped = llvm::dyn_cast<ShapedType>(type);
  if (getValues().size() != rankOf(type))
    return emitError() << "same_elements length must match the constrained value's rank";
  for (auto [axis, extent] : llvm::enumerate(getValues().asArrayRef()))
    if (extent < 0 || extent > shaped.getDimSize(axis))
      return emitError() << "same_elements axis bound is out of range";
  return success();
}

bool SameElementsAttr::isElementwise() const {
  return false;
}

} // namespace tilesmith::tileaa
