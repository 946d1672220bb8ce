//===- MiscOps.cpp - assumptions and printing -------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"
#include "compiler/dialect/CudaTile/IR/PrintSpelling.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

//===-- assume: text --------------------------------------------------------------------------===//

// A fact, with or without the `#cuda_tile.` prefix.
static ParseResult parseAssumePredicate(OpAsmParser &parser,
                                        AssumePredicateAttrInterface &predicate) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attr;
  OptionalParseResult prefixed = parser.parseOptionalAttribute(attr);
  if (prefixed.has_value()) {
    if (failed(*prefixed))
      return failure();
  } else {
    StringRef name;
    if (failed(parser.parseKeyword(&name)))
      return parser.emitError(loc, "expected attribute name");
    if (name == DivByAttr::getMnemonic())
      attr = DivByAttr::parse(parser, Type());
    else if (name == SameElementsAttr::getMnemonic())
      attr = SameElementsAttr::parse(parser, Type());
    else if (name == BoundedAttr::getMnemonic())
      attr = BoundedAttr::parse(parser, Type());
    else
      return parser.emitError(loc) << "unknown assume predicate attribute: " << name
                                   << " (expected 'div_by', 'same_elements', or 'bounded')";
    if (!attr)
      return failure();
  }
  predicate = dyn_cast<AssumePredicateAttrInterface>(attr);
  return predicate ? ParseResult(success())
                   : parser.emitError(loc, "expected assume predicate attribute");
}

static void printAssumePredicate(OpAsmPrinter &printer, Operation *,
                                 AssumePredicateAttrInterface predicate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  predicate.print(os);
  StringRef shown(text);
  shown.consume_front("#cuda_tile.");
  printer << shown;
}

#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/MiscOps.cpp.inc"

void CudaTileDialect::registerMiscOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/MiscOps.cpp.inc"
      >();
}

//===-- assume --------------------------------------------------------------------------------===//

LogicalResult AssumeOp::verify() {
  return getPredicate().verifyWithAssumeOp(*this);
}

void AssumeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  auto producer = llvm::dyn_cast_if_present<OpAsmOpInterface>(getValue().getDefiningOp());
  if (!producer)
    return setName(getResult(), "assume");
  std::string name = "assume_";
  producer.getAsmResultNames([&](Value value, StringRef valueName) {
    if (value == getValue())
      name += valueName;
  });
  setName(getResult(), name);
}

// The same fact twice.
OpFoldResult AssumeOp::fold(FoldAdaptor) {
  auto inner = getValue().getDefiningOp<AssumeOp>();
  return inner && inner.getPredicate() == getPredicate() ? OpFoldResult(inner.getResult())
                                                         : OpFoldResult();
}

//===-- print_tko -----------------------------------------------------------------------------===//

// Counts the conversions of a printf format; -1 when one does not end.
static int countConversions(StringRef format) {
  int count = 0;
  for (size_t pos = format.find('%'); pos != StringRef::npos; pos = format.find('%', pos + 1)) {
    pos = format.find_first_of("diuoxXeEfFgGaAcsSpn%", pos + 1);
    if (pos == StringRef::npos)
      return -1;
    bool escaped = format[pos] == '%' && format[pos - 1] == '%';
    count += !escaped;
  }
  return count;
}

static LogicalResult verifyFormat(Operation *op, StringRef format, size_t args) {
  int expected = countConversions(format);
  if (expected < 0)
    // rule: print_unterminated
    return op->emitOpError("found unterminated format expression");
  if (expected != static_cast<int>(args))
    // rule: print_count
    return op->emitOpError("incorrect number of operands: expected ")
           << expected << ", found " << args;
  return success();
}

LogicalResult PrintTkoOp::verify() {
  if (getProfile(*this) == Profile::Tileiras13_1)
    // rule: profile_print_tko
    return emitOpError("is not part of version 13.1; use cuda_tile.print");
  return verifyFormat(*this, getStr(), getArgs().size());
}

LogicalResult PrintOp::verify() {
  if (getProfile(*this) != Profile::Tileiras13_1)
    // rule: print_version
    return emitOpError("exists in version 13.1 only; use cuda_tile.print_tko");
  return verifyFormat(*this, getStr(), getArgs().size());
}

//===-- spelling of prints --------------------------------------------------------------------===//

void tilesmith::cuda_tile::spellPrintsForProfile(cuda_tile::ModuleOp module) {
  if (getProfile(module) != Profile::Tileiras13_1)
    return;
  module.walk([](PrintTkoOp op) {
    if (op.getToken() || !op.getResultToken().use_empty())
      return;
    OpBuilder builder(op);
    PrintOp::create(builder, op.getLoc(), op.getStrAttr(), op.getArgs());
    op.erase();
  });
}

void tilesmith::cuda_tile::spellPrintsForBytecode(cuda_tile::ModuleOp module) {
  module.walk([](PrintOp op) {
    OpBuilder builder(op);
    PrintTkoOp::create(builder, op.getLoc(), TokenType::get(op.getContext()), op.getStrAttr(),
                       op.getArgs(), /*token=*/Value());
    op.erase();
  });
}
