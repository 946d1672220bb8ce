//===- ViewAccessAsm.cpp - text of accesses to views ------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/ViewAccessAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilesmith::cuda_tile {

ParseResult ViewAccessSyntax::parseOrder() {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  (void)parser.parseKeyword(&keyword);
  std::optional<MemoryOrderingSemantics> order = symbolizeMemoryOrderingSemantics(keyword);
  if (!order)
    return parser.emitError(loc)
           << "invalid memory_ordering_semantics attribute specification. Got \"" << keyword
           << "\" but expect one of: weak, relaxed, acquire, release, acq_rel";
  result.addAttribute("memory_ordering_semantics",
                      MemoryOrderingSemanticsAttr::get(parser.getContext(), *order));

  loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return success();
  if (*order == MemoryOrderingSemantics::WEAK)
    return parser.emitError(loc)
           << "operation specifies weak memory ordering semantics, but then provides \"" << keyword
           << "\" scope, expected no memory scope.";
  std::optional<MemoryScope> scope = symbolizeMemoryScope(keyword);
  if (!scope)
    return parser.emitError(loc) << "invalid memory_scope attribute specification. Got \""
                                 << keyword << "\" but expect one of: tl_blk, device, sys";
  result.addAttribute("memory_scope", MemoryScopeAttr::get(parser.getContext(), *scope));
  return success();
}

ParseResult ViewAccessSyntax::parseViewAndIndices() {
  return failure(parser.parseOperand(view) || parser.parseLSquare() ||
                 parser.parseOperandList(indices) || parser.parseRSquare());
}

ParseResult ViewAccessSyntax::parseToken() {
  if (failed(parser.parseOptionalKeyword("token")))
    return success();
  return failure(parser.parseEqual() || parser.parseOperand(token.emplace()));
}

ParseResult ViewAccessSyntax::parseInbounds() {
  if (failed(parser.parseOptionalKeyword("inbounds")))
    return success();
  SmallVector<bool> flags;
  auto parseFlag = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    bool isTrue = succeeded(parser.parseOptionalKeyword("true"));
    if (!isTrue && failed(parser.parseOptionalKeyword("false")))
      return parser.emitError(loc, "expected 'true' or 'false'");
    flags.push_back(isTrue);
    return success();
  };
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseFlag))
    return failure();
  result.addAttribute("inbounds", parser.getBuilder().getDenseBoolArrayAttr(flags));
  return success();
}

ParseResult ViewAccessSyntax::parseHints() {
  if (failed(parser.parseOptionalKeyword("optimization_hints")))
    return success();
  if (parser.parseEqual())
    return failure();
  Attribute hints = OptimizationHintsAttr::parse(parser, Type());
  if (!hints)
    return failure();
  result.addAttribute("optimization_hints", hints);
  return success();
}

ParseResult ViewAccessSyntax::parseTypes() {
  if (failed(parseCudaTileType(parser, viewType)))
    return failure();
  indexTypesLoc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalComma())) {
    if (indexTypes.empty())
      indexTypesLoc = parser.getCurrentLocation();
    if (failed(parseCudaTileType(parser, indexTypes.emplace_back())))
      return indexTypes.size() == 1
                 ? parser.emitError(indexTypesLoc, "expected index type after comma")
                 : failure();
  }
  if (indexTypes.size() == 1)
    indexTypes.resize(indices.size(), indexTypes.front());
  return success();
}

ParseResult ViewAccessSyntax::resolveViewAndIndices() {
  if (failed(parser.resolveOperand(view, viewType, result.operands)))
    return failure();
  if (!indices.empty() && indexTypes.empty())
    return parser.emitError(indexTypesLoc,
                            "index types must be specified when indices are present");
  if (indexTypes.size() != indices.size())
    return parser.emitError(indexTypesLoc)
           << "expected " << indices.size() << " index types, got " << indexTypes.size();
  return parser.resolveOperands(indices, indexTypes, parser.getCurrentLocation(), result.operands);
}

ParseResult ViewAccessSyntax::resolveToken() {
  if (!token)
    return success();
  return parser.resolveOperand(*token, TokenType::get(parser.getContext()), result.operands);
}

void ViewAccessSyntax::addSegments(ArrayRef<int32_t> sizes) {
  result.addAttribute("operandSegmentSizes", parser.getBuilder().getDenseI32ArrayAttr(sizes));
}

void printMemoryOrder(OpAsmPrinter &printer, MemoryOrderingSemanticsAttr order,
                      MemoryScopeAttr scope) {
  printer << " " << stringifyMemoryOrderingSemantics(order.getValue());
  if (scope)
    printer << " " << stringifyMemoryScope(scope.getValue());
}

void printViewAndIndices(OpAsmPrinter &printer, Value view, ValueRange indices) {
  printer << view << "[";
  llvm::interleaveComma(indices, printer, [&](Value index) { printer.printOperand(index); });
  printer << "]";
}

void printToken(OpAsmPrinter &printer, Value token) {
  if (token)
    printer << " token = " << token;
}

void printInbounds(OpAsmPrinter &printer, std::optional<ArrayRef<bool>> inbounds) {
  if (!inbounds || llvm::none_of(*inbounds, [](bool flag) { return flag; }))
    return;
  printer << " inbounds = [";
  llvm::interleaveComma(*inbounds, printer,
                        [&](bool flag) { printer << (flag ? "true" : "false"); });
  printer << "]";
}

void printHints(OpAsmPrinter &printer, OptimizationHintsAttr hints) {
  if (!hints)
    return;
  printer << " optimization_hints = ";
  hints.print(printer);
}

void printViewAndIndexTypes(OpAsmPrinter &printer, Value view, ValueRange indices) {
  printCudaTileType(printer, view.getType());
  if (indices.empty())
    return;
  bool same = llvm::all_equal(indices.getTypes());
  for (Value index : same ? indices.take_front() : indices) {
    printer << ", ";
    printCudaTileType(printer, index.getType());
  }
}

} // namespace tilesmith::cuda_tile
