//===- CudaTileAsm.cpp - shared custom directives ---------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"

#include "compiler/support/Plants.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace tilesmith::cuda_tile {

//===-- arguments -----------------------------------------------------------------------------===//

ParseResult parseArguments(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    OpAsmParser::Argument argument;
    SMLoc loc = parser.getCurrentLocation();
    OptionalParseResult name = parser.parseOptionalOperand(argument.ssaName);
    if (name.has_value() && (failed(*name) || parser.parseColon()))
      return failure();
    bool named = name.has_value();
    if (!arguments.empty() && named == arguments.back().ssaName.name.empty())
      return parser.emitError(loc, named ? "expected type instead of SSA identifier"
                                         : "expected SSA identifier");
    NamedAttrList attrs;
    if (parseCudaTileType(parser, argument.type) || parser.parseOptionalAttrDict(attrs) ||
        parser.parseOptionalLocationSpecifier(argument.sourceLoc))
      return failure();
    argument.attrs = attrs.getDictionary(parser.getContext());
    arguments.push_back(argument);
    return success();
  });
}

ParseResult parseResultTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  if (failed(parser.parseOptionalLParen()))
    return parseCudaTileType(parser, types.emplace_back());
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(failed(parseCudaTileType(parser, types)) || failed(parser.parseRParen()));
}

void printArguments(OpAsmPrinter &printer, Region &region, ArrayAttr argAttrs) {
  printer << '(';
  llvm::interleaveComma(region.getArguments(), printer, [&](BlockArgument argument) {
    printer.printOperand(argument);
    printer << ": ";
    printCudaTileType(printer, argument.getType());
    if (argAttrs && argument.getArgNumber() < argAttrs.size())
      printer.printOptionalAttrDict(
          cast<DictionaryAttr>(argAttrs[argument.getArgNumber()]).getValue());
  });
  printer << ')';
}

//===-- enums ---------------------------------------------------------------------------------===//

// Parses one keyword of an enum; `expectation` is the whole diagnostic for anything else.
template <typename AttrT, typename SymbolizeFn>
static ParseResult parseEnumKeyword(OpAsmParser &parser, AttrT &attr, SymbolizeFn symbolize,
                                    StringRef expectation) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseKeyword(&keyword)))
    return parser.emitError(loc, expectation);
  auto value = symbolize(keyword);
  if (!value)
    return parser.emitError(loc, expectation);
  attr = AttrT::get(parser.getContext(), *value);
  return success();
}

ParseResult parseSignedness(OpAsmParser &parser, SignednessAttr &attr) {
  return parseEnumKeyword(
      parser, attr, [](StringRef s) { return symbolizeSignedness(s); },
      "expected signedness to be one of: {'signed', 'unsigned'}");
}
void printSignedness(OpAsmPrinter &printer, Operation *, SignednessAttr attr) {
  printer << stringifySignedness(attr.getValue());
}

ParseResult parseComparisonPredicate(OpAsmParser &parser, ComparisonPredicateAttr &attr) {
  return parseEnumKeyword(
      parser, attr, [](StringRef s) { return symbolizeComparisonPredicate(s); },
      "expected 'comparison_predicate' to be one of: {'equal', 'not_equal', 'less_than', "
      "'less_than_or_equal', 'greater_than', 'greater_than_or_equal'}");
}
void printComparisonPredicate(OpAsmPrinter &printer, Operation *, ComparisonPredicateAttr attr) {
  printer << stringifyComparisonPredicate(attr.getValue());
}

ParseResult parseComparisonOrdering(OpAsmParser &parser, ComparisonOrderingAttr &attr) {
  return parseEnumKeyword(
      parser, attr, [](StringRef s) { return symbolizeComparisonOrdering(s); },
      "expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}");
}
void printComparisonOrdering(OpAsmPrinter &printer, Operation *, ComparisonOrderingAttr attr) {
  printer << stringifyComparisonOrdering(attr.getValue());
}

//===-- rounding modes ------------------------------------------------------------------------===//

namespace {
struct RoundingSyntax {
  RoundingMode defaultMode;
  ArrayRef<RoundingMode> listed; // named by the diagnostic
  bool onlyListed; // modes outside the list are parse errors, else the verifier's business
  ArrayRef<RoundingMode> alsoAccepted = {};
};
constexpr RoundingMode ieeeModes[] = {RoundingMode::NEAREST_EVEN, RoundingMode::ZERO,
                                      RoundingMode::NEGATIVE_INF, RoundingMode::POSITIVE_INF};
constexpr RoundingMode divModes[] = {RoundingMode::NEAREST_EVEN, RoundingMode::ZERO,
                                     RoundingMode::NEGATIVE_INF, RoundingMode::POSITIVE_INF,
                                     RoundingMode::APPROX,       RoundingMode::FULL};
constexpr RoundingMode approxModes[] = {RoundingMode::APPROX, RoundingMode::FULL};
constexpr RoundingMode integerModes[] = {RoundingMode::NEAREST_INT_TO_ZERO};
constexpr RoundingMode awayModes[] = {RoundingMode::NEAREST_AWAY};
} // namespace

static ParseResult parseRounding(OpAsmParser &parser, RoundingModeAttr &attr,
                                 const RoundingSyntax &syntax) {
  RoundingMode mode = syntax.defaultMode;
  if (succeeded(parser.parseOptionalKeyword("rounding"))) {
    StringRef keyword;
    if (parser.parseLess() || parser.parseKeyword(&keyword) || parser.parseGreater())
      return failure();
    std::optional<RoundingMode> parsed = symbolizeRoundingMode(keyword);
    bool accepted = parsed && (!syntax.onlyListed || llvm::is_contained(syntax.listed, *parsed) ||
                               llvm::is_contained(syntax.alsoAccepted, *parsed));
    if (!accepted) {
      InFlightDiagnostic diag = parser.emitError(parser.getCurrentLocation());
      diag << "expected rounding mode to be one of: ";
      llvm::interleaveComma(syntax.listed, diag, [&](RoundingMode m) {
        diag << "'" << stringifyRoundingMode(m) << "'";
      });
      if (syntax.onlyListed)
        diag << ", got: '" << keyword << "'";
      return diag;
    }
    mode = *parsed;
  }
  attr = RoundingModeAttr::get(parser.getContext(), mode);
  return success();
}

static void printRounding(OpAsmPrinter &printer, RoundingModeAttr attr, RoundingMode defaultMode) {
  if (TILESMITH_PLANT("printer-drops-rounding-to-zero") && attr.getValue() == RoundingMode::ZERO)
    return;
  if (attr.getValue() != defaultMode)
    printer << "rounding<" << stringifyRoundingMode(attr.getValue()) << ">";
}

#define TILESMITH_ROUNDING_DIRECTIVE(NAME, DEFAULT, ...)                                           \
  ParseResult parse##NAME(OpAsmParser &parser, RoundingModeAttr &attr) {                           \
    return parseRounding(parser, attr, {DEFAULT, __VA_ARGS__});                                    \
  }                                                                                                \
  void print##NAME(OpAsmPrinter &printer, Operation *, RoundingModeAttr attr) {                    \
    printRounding(printer, attr, DEFAULT);                                                         \
  }
TILESMITH_ROUNDING_DIRECTIVE(IEEERoundingMode, RoundingMode::NEAREST_EVEN, ieeeModes, true)
TILESMITH_ROUNDING_DIRECTIVE(DivFOpRoundingMode, RoundingMode::NEAREST_EVEN, divModes, false)
TILESMITH_ROUNDING_DIRECTIVE(SqrtOpRoundingMode, RoundingMode::NEAREST_EVEN,
                             ArrayRef<RoundingMode>(divModes).drop_back(), false)
TILESMITH_ROUNDING_DIRECTIVE(ExpOpRoundingMode, RoundingMode::FULL, approxModes, false)
TILESMITH_ROUNDING_DIRECTIVE(TanHOpRoundingMode, RoundingMode::FULL, approxModes, false)
TILESMITH_ROUNDING_DIRECTIVE(IntegerRoundingMode, RoundingMode::NEAREST_INT_TO_ZERO, integerModes,
                             true)
TILESMITH_ROUNDING_DIRECTIVE(FToFRoundingMode, RoundingMode::NEAREST_EVEN, ieeeModes, true,
                             awayModes)
#undef TILESMITH_ROUNDING_DIRECTIVE

} // namespace tilesmith::cuda_tile
