//===- CudaTileAttrs.cpp - attributes: syntax and rules of assumptions ------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

#include "compiler/dialect/CudaTile/IR/CudaTileAttrInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/CudaTile/IR/CudaTileAttrs.cpp.inc"

namespace tilesmith::cuda_tile {

void CudaTileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialect/CudaTile/IR/CudaTileAttrs.cpp.inc"
      >();
}

Attribute CudaTileDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attr;
  OptionalParseResult parsed = generatedAttributeParser(parser, &mnemonic, type, attr);
  if (!parsed.has_value() && testingSyntax)
    parsed = testingSyntax->parseAttribute(parser, mnemonic, attr);
  if (!parsed.has_value())
    parser.emitError(loc) << "unknown attribute `" << mnemonic << "` in dialect `" << getNamespace()
                          << "`";
  return parsed.has_value() && succeeded(*parsed) ? attr : Attribute();
}

void CudaTileDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  if (failed(generatedAttributePrinter(attr, printer)) && testingSyntax)
    (void)testingSyntax->printAttribute(attr, printer);
}

//===-- debug scopes --------------------------------------------------------------------------===//

bool DIScopeAttr::classof(Attribute attr) {
  return isa<DICompileUnitAttr, DIFileAttr, DILocalScopeAttr>(attr);
}
bool DILocalScopeAttr::classof(Attribute attr) {
  return isa<DILexicalBlockAttr, DISubprogramAttr>(attr);
}

//===-- div_by --------------------------------------------------------------------------------===//

Attribute DivByAttr::parse(AsmParser &parser, Type) {
  uint64_t divisor = 0;
  if (parser.parseLess())
    return {};
  if (parser.parseInteger(divisor)) {
    parser.emitError(parser.getCurrentLocation(),
                     "failed to parse parameter 'divisor' which is expected to be an integer");
    return {};
  }
  std::optional<int64_t> every, along;
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("every") || parser.parseInteger(every.emplace()) ||
       parser.parseKeyword("along") || parser.parseInteger(along.emplace())))
    return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), divisor, every, along);
}

void DivByAttr::print(AsmPrinter &printer) const {
  printer << "<" << getDivisor();
  if (getEvery() && getAlong())
    printer << ", every " << *getEvery() << " along " << *getAlong();
  printer << ">";
}

LogicalResult DivByAttr::verifyWithAssumeOp(Operation *op) const {
  // The largest divisor that every consumer can represent as a positive 64-bit integer.
  constexpr uint64_t maxDivisor = uint64_t(1) << 62;
  // rule: see the calls
  auto error = [&] { return op->emitOpError() << "'" << name << "' "; };
  if (!llvm::isPowerOf2_64(getDivisor()))
    // rule: div_by_power
    return error() << "divisor must be a power of 2";
  if (getEvery().has_value() != getAlong().has_value())
    // rule: - (text writes both or none; bytecode may not)
    return error() << "'every'/'along' must be used in combination";
  if (getDivisor() > maxDivisor)
    // rule: div_by_large
    return error() << "divisor is too large";

  Type type = op->getResult(0).getType();
  if (isa<TensorViewType>(type)) {
    if (getEvery())
      // rule: div_by_view
      return error() << "'every'/'along' cannot be used if the constrained value is a tensor_view";
    return success();
  }
  auto tile = dyn_cast<TileType>(type);
  if (tile && tile.getRank() == 0 && getEvery())
    // rule: div_by_scalar
    return error() << "'every'/'along' cannot be used if the constrained value is a 0D tile";
  if (!tile || !isa<PointerType, IntegerType>(tile.getElementType()))
    // rule: div_by_type
    return error() << "is valid only for tile of integer/pointer or tensor_view values";
  if (!getEvery())
    return success();
  if (*getAlong() < 0 || *getAlong() >= tile.getRank())
    // rule: div_by_along
    return error() << "every_dim (" << *getAlong() << ") must be >= 0 and < tile rank ("
                   << tile.getRank() << ")";
  int64_t extent = tile.getDimSize(*getAlong());
  if (*getEvery() < 0 || *getEvery() > extent)
    // rule: div_by_every
    return op->emitOpError()
           << "expected '" << name
           << "' every_dim to be within 0 and the size of the respective dimension (" << extent
           << ")";
  return success();
}

//===-- same_elements -------------------------------------------------------------------------===//

LogicalResult SameElementsAttr::verifyWithAssumeOp(Operation *op) const {
  auto tile = dyn_cast<TileType>(op->getResult(0).getType());
  if (!tile || !isa<PointerType, IntegerType>(tile.getElementType()))
    // rule: same_elements_type
    return op->emitOpError() << "'" << name << "' is valid only for tile of integer/pointer values";
  ArrayRef<int64_t> groups = getValues().asArrayRef();
  if (static_cast<int64_t>(groups.size()) != tile.getRank())
    // rule: same_elements_rank
    return op->emitOpError() << "expected number of values in '" << name << "' (" << groups.size()
                             << ") to match rank of constrained tile (" << tile.getRank() << ")";
  for (auto [i, group] : llvm::enumerate(groups))
    if (group < 0 || group > tile.getDimSize(i))
      // rule: same_elements_range
      return op->emitOpError() << "expected '" << name << "' value " << i
                               << " to be within 0 and the size of the respective dimension ("
                               << tile.getDimSize(i) << ")";
  return success();
}

//===-- bounded -------------------------------------------------------------------------------===//

LogicalResult BoundedAttr::verifyWithAssumeOp(Operation *op) const {
  auto tile = dyn_cast<TileType>(op->getResult(0).getType());
  auto integer = tile ? dyn_cast<IntegerType>(tile.getElementType()) : IntegerType();
  if (!integer)
    // rule: bounded_type
    return op->emitOpError() << "'" << name << "' is valid only for tile of integer values";
  int64_t min = llvm::minIntN(integer.getWidth()), max = llvm::maxIntN(integer.getWidth());
  auto outside = [&](std::optional<int64_t> bound) {
    return bound && (*bound < min || *bound > max);
  };
  if (outside(getLb()))
    // rule: bounded_lower
    return op->emitOpError() << "'" << name << "' expects lower bound to be within [" << min << ", "
                             << max << "]";
  if (outside(TILESMITH_PLANT("verifier-bounded-checks-lower-twice") ? getLb() : getUb()))
    // rule: bounded_upper
    return op->emitOpError() << "'" << name << "' expects upper bound to be within [" << min << ", "
                             << max << "]";
  if (getLb() && getUb() && *getLb() > *getUb())
    // rule: bounded_order
    return op->emitOpError() << "'" << name
                             << "' expects lower bound to be less than or equal to upper bound";
  return success();
}

} // namespace tilesmith::cuda_tile
