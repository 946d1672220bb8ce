//===- WriterAttributes.cpp - attributes of ops -----------------------------------------------===//
//
// The inverse of ReaderAttributes.cpp.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/Enums.h"
#include "compiler/bytecode/WriterTables.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::Twine;

static uint64_t zeroExtended(Attribute attr) {
  return cast<IntegerAttr>(attr).getValue().getZExtValue();
}

LogicalResult AttributeWriter::writeField(ByteSink &sink, Operation *op, const Field &field,
                                          Attribute attr) {
  if (isEnum(field.kind)) {
    std::optional<uint32_t> value = attr ? enumValue(field.kind, attr) : field.absent;
    if (!value)
      return state.fail(op, "requires attribute '" + field.name + "'");
    if (state.version.level() < enumValueSince(field.kind, *value))
      return state.fail(op, "enum value for attribute '" + field.name +
                                "' is not available in bytecode version " + state.version.str());
    sink.varInt(*value);
    return success();
  }
  if (!attr)
    return state.fail(op, "requires attribute '" + field.name + "'");
  switch (field.kind) {
  case FieldKind::I32:
  case FieldKind::I64:
    sink.varInt(zeroExtended(attr));
    return success();
  case FieldKind::Bool:
    sink.byte(cast<BoolAttr>(attr).getValue());
    return success();
  case FieldKind::String:
    sink.varInt(strings.index(cast<StringAttr>(attr).getValue()));
    return success();
  case FieldKind::Symbol:
    sink.varInt(strings.index(cast<FlatSymbolRefAttr>(attr).getValue()));
    return success();
  case FieldKind::I32Array:
    sink.list<int32_t>(cast<DenseI32ArrayAttr>(attr).asArrayRef());
    return success();
  case FieldKind::BoolArray: {
    auto list = cast<DenseBoolArrayAttr>(attr).asArrayRef();
    sink.varInt(list.size());
    for (bool value : list)
      sink.byte(value);
    return success();
  }
  case FieldKind::Dense:
    sink.varInt(constants.index(cast<DenseElementsAttr>(attr)));
    return success();
  case FieldKind::Array:
    return writeArray(sink, op, cast<ArrayAttr>(attr));
  case FieldKind::SelfContained:
    return writeSelfContained(sink, op, attr);
  case FieldKind::Hints:
    return writeDictionary(sink, op, cast<cuda_tile::OptimizationHintsAttr>(attr).getValue());
  default:
    llvm_unreachable("operands, enums and unit attributes are not written here");
  }
}

LogicalResult AttributeWriter::writeArray(ByteSink &sink, Operation *op, ArrayAttr attr) {
  sink.varInt(attr.size());
  for (Attribute element : attr)
    if (failed(writeSelfContained(sink, op, element)))
      return failure();
  return success();
}

LogicalResult AttributeWriter::writeDictionary(ByteSink &sink, Operation *op, DictionaryAttr attr) {
  sink.varInt(attr.size());
  for (NamedAttribute item : attr) {
    sink.varInt(strings.index(item.getName().getValue()));
    if (failed(writeSelfContained(sink, op, item.getValue())))
      return failure();
  }
  return success();
}

void AttributeWriter::writeFloat(ByteSink &sink, FloatAttr attr) {
  uint64_t bits = attr.getValue().bitcastToAPInt().getZExtValue();
  if (cast<FloatType>(attr.getType()).getWidth() <= 8)
    sink.byte(static_cast<uint8_t>(bits));
  else
    sink.signedVarInt(bits);
}

LogicalResult AttributeWriter::writeSelfContained(ByteSink &sink, Operation *op, Attribute attr) {
  using Tag = AttributeTag;
  auto bounds = [&](std::optional<int64_t> first, std::optional<int64_t> second) {
    sink.byte((first ? 1 : 0) | (second ? 2 : 0));
    for (auto bound : {first, second})
      if (bound)
        sink.signedVarInt(static_cast<uint64_t>(*bound));
  };
  return llvm::TypeSwitch<Attribute, LogicalResult>(attr)
      // Booleans are integers of type i1; the short tag is what real frontends write.
      .Case([&](BoolAttr value) {
        sink.varInt(Tag::Bool);
        sink.byte(value.getValue());
        return success();
      })
      .Case([&](IntegerAttr value) -> LogicalResult {
        sink.varInt(Tag::Integer);
        if (!isa<IntegerType>(value.getType()))
          return state.fail(op, "an index attribute has no encoding");
        if (failed(types.write(sink, value.getType())))
          return failure();
        sink.varInt(zeroExtended(value));
        return success();
      })
      .Case([&](FloatAttr value) -> LogicalResult {
        sink.varInt(Tag::Float);
        if (failed(types.write(sink, value.getType())))
          return failure();
        writeFloat(sink, value);
        return success();
      })
      .Case([&](TypeAttr value) -> LogicalResult {
        sink.varInt(Tag::Type);
        return types.write(sink, value.getValue());
      })
      .Case([&](StringAttr value) {
        sink.varInt(Tag::String);
        sink.varInt(strings.index(value.getValue()));
        return success();
      })
      .Case([&](ArrayAttr value) {
        sink.varInt(Tag::Array);
        return writeArray(sink, op, value);
      })
      .Case([&](DenseElementsAttr value) -> LogicalResult {
        sink.varInt(Tag::DenseElements);
        if (failed(types.write(sink, value.getType())))
          return failure();
        sink.varInt(constants.index(value));
        return success();
      })
      .Case([&](cuda_tile::DivByAttr value) {
        sink.varInt(Tag::DivBy);
        sink.varInt(value.getDivisor());
        bounds(value.getEvery(), value.getAlong());
        return success();
      })
      .Case([&](cuda_tile::SameElementsAttr value) {
        sink.varInt(Tag::SameElements);
        sink.list<int64_t>(value.getValues().asArrayRef());
        return success();
      })
      .Case([&](DictionaryAttr value) {
        sink.varInt(Tag::Dictionary);
        return writeDictionary(sink, op, value);
      })
      .Case([&](cuda_tile::OptimizationHintsAttr value) {
        sink.varInt(Tag::OptimizationHints);
        return writeDictionary(sink, op, value.getValue());
      })
      .Case([&](cuda_tile::BoundedAttr value) {
        sink.varInt(Tag::Bounded);
        bounds(value.getLb(), value.getUb());
        return success();
      })
      .Default([&](Attribute other) {
        std::string text;
        llvm::raw_string_ostream(text) << other;
        return state.fail(op,
                          "unsupported attribute type encountered during serialization: " + text);
      });
}
