//===- CudaTileDense.cpp - text of constant tiles ---------------------------------------------===//
//
// `<element type: literal> : tile type`. The literal is a number (a splat), nested lists of
// numbers, or a string of hexadecimal bytes ("0x..."), the form that is printed for tiles of more
// than 100 different elements.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/FloatNV8E5M3FNU.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilesmith::cuda_tile {

namespace {

constexpr StringLiteral elementTypeNames =
    "i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or "
    "f8E8M0FNU or f4E2M1FN";

bool isDenseElementType(Type type) {
  return type.isInteger(1) || type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64) || type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
         type.isTF32() ||
         isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType, Float4E2M1FNType,
             FloatNV8E5M3FNUType>(type);
}

/// Collects the values of one literal and the shape that its brackets imply.
class LiteralParser {
public:
  LiteralParser(OpAsmParser &parser, Type elementType) : parser(parser), elementType(elementType) {}

  ParseResult parse(SmallVectorImpl<int64_t> &shape, unsigned depth = 0) {
    if (failed(parser.parseOptionalLSquare()))
      return parseNumber();
    if (depth == maxDepth)
      return parser.emitError(parser.getCurrentLocation(), "tensor literal is nested deeper than ")
             << maxDepth;
    int64_t count = 0;
    SmallVector<int64_t> inner;
    auto parseElement = [&]() -> ParseResult {
      SmallVector<int64_t> elementShape;
      if (failed(parse(elementShape, depth + 1)))
        return failure();
      if (count++ == 0)
        inner = elementShape;
      else if (inner != elementShape)
        return parser.emitError(
            parser.getCurrentLocation(),
            "tensor literal is invalid; ranks are not consistent between elements");
      return success();
    };
    if (parser.parseCommaSeparatedList(parseElement) || parser.parseRSquare())
      return failure();
    shape.push_back(count);
    shape.append(inner);
    return success();
  }

  bool empty() const { return integers.empty() && floats.empty() && codes.empty(); }

  DenseElementsAttr build(TileType type) const {
    if (isa<IntegerType>(elementType))
      return DenseElementsAttr::get(type, integers);
    if (isa<FloatNV8E5M3FNUType>(elementType))
      return DenseElementsAttr::getFromRawBuffer(type, codes);
    return DenseElementsAttr::get(type, floats);
  }

private:
  static constexpr unsigned maxDepth = 64;

  ParseResult parseNumber() {
    if (isa<FloatNV8E5M3FNUType>(elementType))
      return parseNV8E5M3FNUValue();
    return isa<IntegerType>(elementType) ? parseIntegerValue() : parseFloatValue();
  }

  // A decimal number, or the code as a hexadecimal integer.
  ParseResult parseNV8E5M3FNUValue() {
    SMLoc loc = parser.getCurrentLocation();
    APInt code;
    if (loc.getPointer()[0] == '0' && loc.getPointer()[1] == 'x') {
      OptionalParseResult parsed = parser.parseOptionalInteger(code);
      if (!parsed.has_value() || failed(*parsed) || code.getActiveBits() > 8)
        return parser.emitError(loc, "expected a hexadecimal code of 8 bits");
      codes.push_back(static_cast<char>(code.getZExtValue()));
      return success();
    }
    double value = 0;
    if (failed(parser.parseFloat(value)))
      return failure();
    std::optional<uint8_t> encoded = encodeFloatNV8E5M3FNU(value);
    if (!encoded)
      return parser.emitError(loc, "expected a value from 0 to 114688, got ") << value;
    codes.push_back(static_cast<char>(*encoded));
    return success();
  }

  ParseResult parseFloatValue() {
    const llvm::fltSemantics &semantics = cast<FloatType>(elementType).getFloatSemantics();
    APFloat value(semantics);
    if (failed(parser.parseFloat(semantics, value)))
      return failure();
    floats.push_back(value);
    return success();
  }

  // The value may be written signed or unsigned.
  ParseResult parseIntegerValue() {
    SMLoc loc = parser.getCurrentLocation();
    unsigned width = elementType.getIntOrFloatBitWidth();
    if (width != 1 && (succeeded(parser.parseOptionalKeyword("true")) ||
                       succeeded(parser.parseOptionalKeyword("false"))))
      return parser.emitError(loc, "expected integer value");
    APInt value;
    OptionalParseResult parsed = parser.parseOptionalInteger(value);
    if (!parsed.has_value() || failed(*parsed))
      return parser.emitError(loc, "expected integer value");
    // -2^(width-1) .. 2^width-1; i1 takes -1, 0 and 1.
    bool fits =
        value.isNegative() ? value.getSignificantBits() <= width : value.getActiveBits() <= width;
    if (!fits)
      return parser.emitError(loc, "integer constant out of range for type");
    integers.push_back(value.sextOrTrunc(width));
    return success();
  }

  OpAsmParser &parser;
  Type elementType;
  SmallVector<APInt> integers;
  SmallVector<APFloat> floats;
  SmallVector<char> codes; // of fnv8E5M3FNU
};

/// The text of nested lists of fnv8E5M3FNU values; one value for a splat.
void printNV8E5M3FNU(raw_ostream &os, ArrayRef<char> codes, ArrayRef<int64_t> shape) {
  if (!shape.empty() && codes.size() > 1) {
    size_t part = codes.size() / shape.front();
    os << "[";
    llvm::interleaveComma(llvm::seq<int64_t>(shape.front()), os, [&](int64_t i) {
      printNV8E5M3FNU(os, codes.slice(i * part, part), shape.drop_front());
    });
    os << "]";
    return;
  }
  // A dimension of one element still has its brackets.
  for (size_t i = 0; i < shape.size(); ++i)
    os << "[";
  auto code = static_cast<uint8_t>(codes.front());
  SmallString<16> text;
  if (code == 0xff)
    text = "0xFF";
  else
    APFloat(decodeFloatNV8E5M3FNU(code))
        .toString(text, /*precision=*/6, /*maxPadding=*/0,
                  /*truncateZero=*/false);
  os << text;
  for (size_t i = 0; i < shape.size(); ++i)
    os << "]";
}

std::string formatShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os);
  return text + "]";
}

} // namespace

ParseResult parseDenseElements(OpAsmParser &parser, DenseIntOrFPElementsAttr &attr, Type &type) {
  Type elementType;
  if (parser.parseLess())
    return failure();
  if (parseCudaTileType(parser, elementType) || !isDenseElementType(elementType))
    return parser.emitError(parser.getCurrentLocation())
           << "expect element type to be one of " << elementTypeNames << " values, but got "
           << elementType;
  if (parser.parseColon())
    return failure();

  std::string hex;
  LiteralParser literal(parser, elementType);
  SmallVector<int64_t> literalShape;
  bool isHex = succeeded(parser.parseOptionalString(&hex));
  if (!isHex && failed(literal.parse(literalShape)))
    return failure();
  if (parser.parseGreater() || parser.parseColon())
    return failure();

  SMLoc typeLoc = parser.getCurrentLocation();
  if (failed(parseCudaTileType(parser, type)))
    return failure();
  auto tileType = dyn_cast<TileType>(type);
  if (!tileType)
    return parser.emitError(typeLoc)
           << "result #0 must be tile of " << elementTypeNames << " values, but got " << type;
  if (tileType.getElementType() != elementType)
    return parser.emitError(typeLoc) << "mismatch between the element type: " << elementType
                                     << " and the tile element type " << tileType.getElementType();

  if (isHex) {
    std::string bytes;
    if (!StringRef(hex).starts_with("0x") ||
        !llvm::tryGetFromHex(StringRef(hex).drop_front(2), bytes))
      return parser.emitError(typeLoc,
                              "expected a string of hexadecimal digits that starts with '0x'");
    bool isSplat = false;
    if (!DenseElementsAttr::isValidRawBuffer(tileType, ArrayRef<char>(bytes.data(), bytes.size()),
                                             isSplat))
      return parser.emitError(typeLoc) << "expected the bytes of " << tileType.getNumElements()
                                       << " elements, got " << bytes.size() << " bytes";
    attr = cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::getFromRawBuffer(tileType, bytes));
    return success();
  }

  ArrayRef<int64_t> shape = tileType.getShape();
  if (!literalShape.empty() && ArrayRef<int64_t>(literalShape) != shape)
    return parser.emitError(typeLoc)
           << "inferred shape of elements literal (" << formatShape(literalShape)
           << ") does not match type (" << formatShape(shape) << ")";
  if (literal.empty())
    return parser.emitError(parser.getCurrentLocation(), "dense attribute cannot be empty");
  attr = cast<DenseIntOrFPElementsAttr>(literal.build(tileType));
  return success();
}

void printDenseElements(OpAsmPrinter &printer, Operation *, DenseIntOrFPElementsAttr attr,
                        Type type) {
  if (isa<FloatNV8E5M3FNUType>(attr.getElementType())) {
    printer << "<" << FloatNV8E5M3FNUType::getMnemonic() << ": ";
    ArrayRef<char> codes = attr.getRawData();
    if (codes.size() > 100)
      printer << "\"0x" << llvm::toHex(StringRef(codes.data(), codes.size())) << "\"";
    else
      printNV8E5M3FNU(printer.getStream(), codes,
                      attr.isSplat() ? ArrayRef<int64_t>() : attr.getType().getShape());
    printer << "> : ";
    printCudaTileType(printer, type);
    return;
  }
  // The builtin spelling is `dense<LITERAL> : TYPE`.
  std::string text;
  llvm::raw_string_ostream os(text);
  cast<Attribute>(attr).print(os, /*elideType=*/true);
  StringRef literal(text);
  literal.consume_front("dense<");
  literal.consume_back(">");
  printer << "<" << attr.getElementType() << ": " << literal << "> : ";
  printCudaTileType(printer, type);
}

ParseResult parseDenseElementsNoResult(OpAsmParser &parser, DenseIntOrFPElementsAttr &attr) {
  Type type;
  return parseDenseElements(parser, attr, type);
}

void printDenseElementsNoResult(OpAsmPrinter &printer, Operation *op,
                                DenseIntOrFPElementsAttr attr) {
  printDenseElements(printer, op, attr, attr.getType());
}

} // namespace tilesmith::cuda_tile
