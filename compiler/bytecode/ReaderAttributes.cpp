//===- ReaderAttributes.cpp - attributes of ops -----------------------------------------------===//
//
// A field whose kind the op table knows is stored bare. A self-contained attribute is a tag varint
// and a payload; arrays and dictionaries nest self-contained attributes.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/Enums.h"
#include "compiler/bytecode/ReaderTables.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/ScopeExit.h"

#include <limits>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::StringRef;
using llvm::Twine;

LogicalResult AttributeReader::readField(Attribute &attr, const Field &field, Type resultType,
                                         Cursor &cursor) {
  MLIRContext *ctx = state.context;
  if (isEnum(field.kind))
    return readEnum(attr, field.kind, cursor);
  switch (field.kind) {
  case FieldKind::I32:
    return readInteger(attr, IntegerType::get(ctx, 32), cursor);
  case FieldKind::I64:
    return readInteger(attr, IntegerType::get(ctx, 64), cursor);
  case FieldKind::Bool: {
    bool value;
    if (failed(cursor.readBool(value, field.name)))
      return failure();
    attr = BoolAttr::get(ctx, value);
    return success();
  }
  case FieldKind::String:
  case FieldKind::Symbol: {
    StringRef text;
    if (failed(strings.read(text, cursor, field.name)))
      return failure();
    if (field.kind == FieldKind::String) {
      attr = StringAttr::get(ctx, text);
      return success();
    }
    if (text.empty())
      return cursor.fail("empty symbol reference is invalid");
    attr = FlatSymbolRefAttr::get(ctx, text);
    return success();
  }
  case FieldKind::I32Array: {
    SmallVector<int32_t> values;
    if (failed(cursor.readList(values, field.name)))
      return failure();
    for (int32_t value : values)
      if (value == std::numeric_limits<int32_t>::max() ||
          value == std::numeric_limits<int32_t>::min())
        return cursor.fail("array contains unsupported value " + Twine(value));
    attr = DenseI32ArrayAttr::get(ctx, values);
    return success();
  }
  case FieldKind::BoolArray: {
    uint64_t count;
    if (failed(cursor.readCount(count, 1, field.name)))
      return failure();
    SmallVector<bool> values(count);
    for (bool &value : values)
      if (failed(cursor.readBool(value, field.name)))
        return failure();
    attr = DenseBoolArrayAttr::get(ctx, values);
    return success();
  }
  case FieldKind::Dense: {
    DenseElementsAttr dense;
    if (failed(constants.read(dense, resultType, cursor)))
      return failure();
    attr = dense;
    return success();
  }
  case FieldKind::Array:
    return readArray(attr, cursor);
  case FieldKind::SelfContained:
    return readSelfContained(attr, cursor);
  case FieldKind::Hints:
    return readHints(attr, cursor);
  case FieldKind::Unit:
    attr = UnitAttr::get(ctx);
    return success();
  default:
    llvm_unreachable("operands and enums are not read here");
  }
}

Attribute AttributeReader::absentValue(const Field &field) const {
  // The default of other kinds is the op's own.
  return field.absent && isEnum(field.kind) ? makeEnum(field.kind, *field.absent, state.context)
                                            : Attribute();
}

// [spec: bytecode-enum-since]
LogicalResult AttributeReader::readEnum(Attribute &attr, FieldKind kind, Cursor &cursor) {
  uint32_t value;
  if (failed(cursor.readVarInt32(value, "enum value")))
    return failure();
  Attribute uncached;
  Attribute &cached =
      value < kCachedEnumValues ? enums[static_cast<size_t>(kind)][value] : uncached;
  if ((attr = cached))
    return success();
  attr = makeEnum(kind, value, state.context);
  if (!attr)
    return cursor.fail("invalid integer value for enum type: " + Twine(value));
  if (state.version.level() < enumValueSince(kind, value))
    return cursor.fail("enum value " + Twine(value) + " is not available in bytecode version " +
                       state.version.str());
  cached = attr;
  return success();
}

// [spec: bytecode-integers]
LogicalResult AttributeReader::readInteger(Attribute &attr, Type type, Cursor &cursor) {
  auto integer = dyn_cast_or_null<IntegerType>(type);
  if (!integer)
    return cursor.fail("failed to read valid IntegerType for IntegerAttr");
  unsigned width = integer.getWidth();
  uint64_t value;
  if (width == 1) {
    bool bit;
    if (failed(cursor.readBool(bit, "bool value")))
      return failure();
    value = bit;
  } else {
    if (failed(cursor.readVarInt(value, "integer value")))
      return failure();
    if (!llvm::isUIntN(width, value))
      return cursor.fail("value " + Twine(value) + " does not fit in " + Twine(width) + " bits");
  }
  attr = IntegerAttr::get(integer, APInt(width, value));
  return success();
}

LogicalResult AttributeReader::readFloat(Attribute &attr, Type type, Cursor &cursor) {
  auto floating = dyn_cast_or_null<FloatType>(type);
  if (!floating)
    return cursor.fail("failed to read valid FloatType for FloatAttr");
  unsigned width = floating.getWidth();
  uint64_t bits;
  if (width <= 8) {
    uint8_t byte;
    if (failed(cursor.readByte(byte, "float value")))
      return failure();
    bits = byte;
  } else if (failed(cursor.readSignedVarInt(bits, "float value"))) {
    return failure();
  }
  if (!llvm::isUIntN(width, bits))
    return cursor.fail("value " + Twine(bits) + " does not fit in " + Twine(width) + " bits");
  attr = FloatAttr::get(floating, APFloat(floating.getFloatSemantics(), APInt(width, bits)));
  return success();
}

LogicalResult AttributeReader::readArray(Attribute &attr, Cursor &cursor) {
  uint64_t count;
  if (failed(cursor.readCount(count, 1, "ArrayAttr elements")))
    return failure();
  SmallVector<Attribute> elements(count);
  for (auto [i, element] : llvm::enumerate(elements))
    if (failed(readSelfContained(element, cursor)))
      return state.errors.note("failed to parse ArrayAttr element " + Twine(i));
  attr = ArrayAttr::get(state.context, elements);
  return success();
}

LogicalResult AttributeReader::readDictionary(DictionaryAttr &attr, Cursor &cursor) {
  uint64_t count;
  if (failed(cursor.readCount(count, 2, "DictionaryAttr elements")))
    return failure();
  SmallVector<NamedAttribute> elements;
  for (uint64_t i = 0; i < count; ++i) {
    StringRef key;
    Attribute value;
    if (failed(strings.read(key, cursor, "key of a DictionaryAttr element")))
      return failure();
    if (key.empty())
      return cursor.fail("invalid empty attribute name for DictionaryAttr element " + Twine(i));
    if (failed(readSelfContained(value, cursor)))
      return state.errors.note("failed to parse DictionaryAttr value for key " + key);
    elements.emplace_back(StringAttr::get(state.context, key), value);
  }
  if (auto duplicate = DictionaryAttr::findDuplicate(elements, /*isSorted=*/false))
    return cursor.fail("failed to parse DictionaryAttr, duplicate key found: \"" +
                       duplicate->getName().getValue() + "\"");
  attr = DictionaryAttr::get(state.context, elements);
  return success();
}

LogicalResult AttributeReader::readHints(Attribute &attr, Cursor &cursor) {
  DictionaryAttr dictionary;
  if (failed(readDictionary(dictionary, cursor)))
    return failure();
  attr = cuda_tile::OptimizationHintsAttr::getChecked([&] { return state.emit(); }, state.context,
                                                      dictionary);
  if (!attr)
    return cursor.fail("failed to parse OptimizationHintsAttr: " + state.takeDiagnostics());
  return success();
}

LogicalResult AttributeReader::readOptionalBound(std::optional<int64_t> &bound, bool present,
                                                 Cursor &cursor, StringRef what) {
  uint64_t value;
  if (!present)
    return success();
  if (failed(cursor.readSignedVarInt(value, what)))
    return failure();
  bound = static_cast<int64_t>(value);
  return success();
}

LogicalResult AttributeReader::readDivBy(Attribute &attr, Cursor &cursor) {
  uint64_t divisor;
  uint8_t flags;
  std::optional<int64_t> every, along;
  if (failed(cursor.readVarInt(divisor, "divisor of DivByAttr")) ||
      failed(cursor.readByte(flags, "flags of DivByAttr")))
    return failure();
  if (flags > 3)
    return cursor.fail("unused bits set in the flags of DivByAttr");
  if (failed(readOptionalBound(every, flags & 1, cursor, "'every' of DivByAttr")) ||
      failed(readOptionalBound(along, flags & 2, cursor, "'along' of DivByAttr")))
    return failure();
  attr = cuda_tile::DivByAttr::get(state.context, divisor, every, along);
  return success();
}

LogicalResult AttributeReader::readBounded(Attribute &attr, Cursor &cursor) {
  uint8_t flags;
  std::optional<int64_t> lower, upper;
  if (failed(cursor.readByte(flags, "flags of BoundedAttr")))
    return failure();
  if (flags > 3)
    return cursor.fail("unused bits set in the flags of BoundedAttr");
  if (failed(readOptionalBound(lower, flags & 1, cursor, "lower bound of BoundedAttr")) ||
      failed(readOptionalBound(upper, flags & 2, cursor, "upper bound of BoundedAttr")))
    return failure();
  attr = cuda_tile::BoundedAttr::get(state.context, lower, upper);
  return success();
}

LogicalResult AttributeReader::readSelfContained(Attribute &attr, Cursor &cursor) {
  uint64_t tag;
  if (failed(cursor.readVarInt(tag, "AttributeTag of a self-contained attribute")))
    return failure();
  if (depth == kMaxDepth)
    return cursor.fail("attributes nest deeper than " + Twine(kMaxDepth) + " levels");
  ++depth;
  llvm::scope_exit leave([&] { --depth; });

  MLIRContext *ctx = state.context;
  Type type;
  switch (static_cast<AttributeTag>(tag)) {
  case AttributeTag::Integer:
    return failure(failed(types.read(type, cursor, "type of IntegerAttr")) ||
                   failed(readInteger(attr, type, cursor)));
  case AttributeTag::Float:
    return failure(failed(types.read(type, cursor, "type of FloatAttr")) ||
                   failed(readFloat(attr, type, cursor)));
  case AttributeTag::Bool:
    return readInteger(attr, IntegerType::get(ctx, 1), cursor);
  case AttributeTag::Type:
    if (failed(types.read(type, cursor, "TypeAttr")))
      return failure();
    attr = TypeAttr::get(type);
    return success();
  case AttributeTag::String: {
    StringRef text;
    if (failed(strings.read(text, cursor, "StringAttr")))
      return failure();
    attr = StringAttr::get(ctx, text);
    return success();
  }
  case AttributeTag::Array:
    return readArray(attr, cursor);
  case AttributeTag::DenseElements: {
    DenseElementsAttr dense;
    if (failed(types.read(type, cursor, "type of DenseElementsAttr")) ||
        failed(constants.read(dense, type, cursor)))
      return failure();
    attr = dense;
    return success();
  }
  case AttributeTag::DivBy:
    return readDivBy(attr, cursor);
  case AttributeTag::SameElements: {
    SmallVector<int64_t> values;
    if (failed(cursor.readList(values, "SameElementsAttr values")))
      return failure();
    for (int64_t value : values)
      if (value == std::numeric_limits<int64_t>::max() ||
          value == std::numeric_limits<int64_t>::min())
        return cursor.fail("array contains unsupported value " + Twine(value));
    attr = cuda_tile::SameElementsAttr::get(ctx, DenseI64ArrayAttr::get(ctx, values));
    return success();
  }
  case AttributeTag::Dictionary: {
    DictionaryAttr dictionary;
    if (failed(readDictionary(dictionary, cursor)))
      return failure();
    attr = dictionary;
    return success();
  }
  case AttributeTag::OptimizationHints:
    return readHints(attr, cursor);
  case AttributeTag::Bounded:
    return readBounded(attr, cursor);
  }
  return cursor.fail("unsupported AttributeTag " + Twine(tag) + " for self-contained attribute");
}
