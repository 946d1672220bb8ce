//===- TestingOps.cpp - ops for test suites ---------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileTesting.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

#include "compiler/dialect/CudaTile/IR/TestingEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/CudaTile/IR/TestingAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/CudaTile/IR/TestingOps.cpp.inc"

void tilesmith::cuda_tile::registerTestingOps(CudaTileDialect &dialect) {
  dialect.addExternalOperations<
#define GET_OP_LIST
#include "compiler/dialect/CudaTile/IR/TestingOps.cpp.inc"
      >();
  dialect.addExternalAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialect/CudaTile/IR/TestingAttrs.cpp.inc"
      >();
  static constexpr TestingSyntax syntax = {
      [](AsmParser &parser, StringRef mnemonic, Attribute &attr) {
        if (mnemonic == BytecodeTestPriorityAttr::getMnemonic())
          attr = BytecodeTestPriorityAttr::parse(parser, Type());
        else if (mnemonic == BytecodeTestValueAttr::getMnemonic())
          attr = BytecodeTestValueAttr::parse(parser, Type());
        else
          return OptionalParseResult();
        return OptionalParseResult(attr ? success() : failure());
      },
      [](Attribute attr, AsmPrinter &printer) {
        return llvm::TypeSwitch<Attribute, LogicalResult>(attr)
            .Case<BytecodeTestPriorityAttr, BytecodeTestValueAttr>([&](auto testing) {
              printer << testing.getMnemonic();
              testing.print(printer);
              return success();
            })
            .Default([](Attribute) { return failure(); });
      }};
  dialect.setTestingSyntax(&syntax);
}

ParseResult Test_FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  (void)parser.parseOptionalKeyword("public");
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<Attribute> argAttrs;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      parseArguments(parser, arguments) || parseResultTypes(parser, resultTypes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (OpAsmParser::Argument &argument : arguments) {
    argumentTypes.push_back(argument.type);
    argAttrs.push_back(argument.attrs);
  }
  Builder &builder = parser.getBuilder();
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(argumentTypes, resultTypes)));
  if (llvm::any_of(argAttrs, [](Attribute attrs) { return !cast<DictionaryAttr>(attrs).empty(); }))
    result.addAttribute(getArgAttrsAttrName(result.name), builder.getArrayAttr(argAttrs));
  Region *body = result.addRegion();
  if (failed(parser.parseRegion(*body, arguments)))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void Test_FuncOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printArguments(printer, getBody(), getArgAttrsAttr());
  if (!getResultTypes().empty()) {
    printer << " -> ";
    if (getResultTypes().size() > 1)
      printer << "(";
    printCudaTileType(printer, TypeRange(getResultTypes()));
    if (getResultTypes().size() > 1)
      printer << ")";
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getSymNameAttrName(), getFunctionTypeAttrName(),
                                            getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult Test_FuncOp::verify() {
  return verifyFunctionDebugInfo(*this);
}
LogicalResult Test_FuncOp::verifyRegions() {
  return verifyBodyDebugInfo(*this);
}
