//===- WriterTables.cpp - strings, types, constants -------------------------------------------===//
#include "compiler/bytecode/WriterTables.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::StringRef;
using llvm::Twine;

LogicalResult WriterState::failAt(LocationAttr where, const Twine &text) {
  if (error.empty()) {
    error = text.str();
    location = where;
  }
  return failure();
}

LogicalResult WriterState::fail(Operation *op, const Twine &text) {
  return failAt(op->getLoc(), "'" + op->getName().getStringRef() + "' op " + text);
}

uint64_t StringPool::index(StringRef text) {
  auto [it, isNew] = indices.try_emplace(text, items.size());
  if (isNew)
    items.push_back(text.str());
  return it->second;
}

//===------------------------------------------------------------------------------------------===//
// types
//===------------------------------------------------------------------------------------------===//

LogicalResult TypePool::index(uint64_t &result, Type type) {
  auto it = indices.find(type);
  if (it != indices.end()) {
    result = it->second;
    return success();
  }
  // Encoding registers the types inside first, so that their indices are smaller.
  ByteSink sink;
  if (failed(encode(sink, type)))
    return failure();
  result = items.size();
  indices[type] = result;
  items.push_back(sink.str());
  return success();
}

LogicalResult TypePool::write(ByteSink &sink, Type type) {
  uint64_t result;
  if (failed(index(result, type)))
    return failure();
  sink.varInt(result);
  return success();
}

LogicalResult TypePool::tag(ByteSink &sink, TypeTag tag) {
  uint64_t number = static_cast<uint64_t>(tag);
  uint8_t since = typeTagSince(number);
  if (state.version.level() < since)
    return state.fail("type '" + typeTagName(number) + "' requires bytecode version 13." +
                      Twine(unsigned(since)) + "+, targeting " + state.version.str());
  sink.varInt(number);
  return success();
}

LogicalResult TypePool::encodeScalar(ByteSink &sink, Type type) {
  auto number = llvm::TypeSwitch<Type, std::optional<TypeTag>>(type)
                    .Case([](IntegerType integer) -> std::optional<TypeTag> {
                      switch (integer.getWidth()) {
                      case 1:
                        return TypeTag::I1;
                      case 4:
                        return TypeTag::I4;
                      case 8:
                        return TypeTag::I8;
                      case 16:
                        return TypeTag::I16;
                      case 32:
                        return TypeTag::I32;
                      case 64:
                        return TypeTag::I64;
                      default:
                        return std::nullopt;
                      }
                    })
                    .Case([](Float16Type) { return TypeTag::F16; })
                    .Case([](BFloat16Type) { return TypeTag::BF16; })
                    .Case([](Float32Type) { return TypeTag::F32; })
                    .Case([](FloatTF32Type) { return TypeTag::TF32; })
                    .Case([](Float64Type) { return TypeTag::F64; })
                    .Case([](Float8E4M3FNType) { return TypeTag::F8E4M3FN; })
                    .Case([](Float8E5M2Type) { return TypeTag::F8E5M2; })
                    .Case([](Float8E8M0FNUType) { return TypeTag::F8E8M0FNU; })
                    .Case([](Float4E2M1FNType) { return TypeTag::F4E2M1FN; })
                    .Case([](cuda_tile::FloatNV8E5M3FNUType) { return TypeTag::F8E5M3FNU; })
                    .Case([](cuda_tile::TokenType) { return TypeTag::Token; })
                    .Default([](Type) { return std::nullopt; });
  if (number)
    return tag(sink, *number);
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return state.fail("unsupported type in bytecode writer: '" + text + "'");
}

/// The flags varint of 13.4 pointers and tensor views; returns failure when the attribute cannot be
/// stored.
LogicalResult TypePool::pointerAttr(ByteSink &sink, Attribute attr) {
  if (state.version.level() >= 4) {
    sink.varInt(attr ? 1 : 0);
    if (auto kind = dyn_cast_or_null<cuda_tile::PtrAttrKindAttr>(attr))
      if (kind.getValue() != cuda_tile::PtrAttrKind::None && state.version.level() < 5)
        return state.fail("pointer attribute requires bytecode version 13.5+, but targeting " +
                          state.version.str());
    return success();
  }
  if (attr)
    return state.fail("pointer attribute requires bytecode version 13.4+, but targeting " +
                      state.version.str());
  return success();
}

LogicalResult TypePool::encode(ByteSink &sink, Type type) {
  using namespace cuda_tile;
  bool viewFlags = state.version.level() >= 3;
  auto padding = [&](PaddingValueAttr value) {
    // Before 13.3 a presence byte stood here; since then the flags say it.
    if (!viewFlags)
      sink.byte(value ? 1 : 0);
    if (value)
      sink.varInt(value.getValue());
  };
  auto writePtrAttr = [&](PtrAttrKindAttr attr) {
    if (attr)
      sink.varInt(attr.getValue());
  };
  return llvm::TypeSwitch<Type, LogicalResult>(type)
      .Case([&](PointerType pointer) -> LogicalResult {
        if (failed(tag(sink, TypeTag::Pointer)) ||
            failed(pointerAttr(sink, pointer.getPtrAttr())) ||
            failed(write(sink, pointer.getPointeeType())))
          return failure();
        writePtrAttr(pointer.getPtrAttr());
        return success();
      })
      .Case([&](TileType tile) -> LogicalResult {
        if (failed(tag(sink, TypeTag::Tile)) || failed(write(sink, tile.getElementType())))
          return failure();
        sink.list<int64_t>(tile.getShape());
        return success();
      })
      .Case([&](TensorViewType view) -> LogicalResult {
        if (failed(tag(sink, TypeTag::TensorView)) ||
            failed(pointerAttr(sink, view.getPtrAttr())) ||
            failed(write(sink, view.getElementType())))
          return failure();
        sink.list<int64_t>(view.getShape());
        sink.list<int64_t>(view.getStrides());
        writePtrAttr(view.getPtrAttr());
        return success();
      })
      .Case([&](PartitionViewType view) -> LogicalResult {
        if (failed(tag(sink, TypeTag::PartitionView)))
          return failure();
        if (viewFlags)
          sink.varInt(view.getPaddingValue() ? 1 : 0);
        sink.list<int32_t>(view.getTileShape().asArrayRef());
        if (failed(write(sink, view.getTensorView())))
          return failure();
        sink.list<int32_t>(view.getDimMap());
        padding(view.getPaddingValue());
        return success();
      })
      .Case([&](StridedViewType view) -> LogicalResult {
        if (failed(tag(sink, TypeTag::StridedView)))
          return failure();
        sink.varInt(view.getPaddingValue() ? 1 : 0);
        sink.list<int32_t>(view.getTileShape().asArrayRef());
        sink.list<int32_t>(view.getTraversalStrides().asArrayRef());
        if (failed(write(sink, view.getTensorView())))
          return failure();
        sink.list<int32_t>(view.getDimMap());
        padding(view.getPaddingValue());
        return success();
      })
      .Case([&](GatherScatterViewType view) -> LogicalResult {
        if (failed(tag(sink, TypeTag::GatherScatterView)))
          return failure();
        sink.varInt(view.getPaddingValue() ? 1 : 0);
        sink.list<int32_t>(view.getTileShape().asArrayRef());
        if (failed(write(sink, view.getTensorView())))
          return failure();
        sink.varInt(view.getSparseDim());
        padding(view.getPaddingValue());
        return success();
      })
      .Case([&](FunctionType function) -> LogicalResult {
        if (failed(tag(sink, TypeTag::Function)))
          return failure();
        for (TypeRange list : {TypeRange(function.getInputs()), TypeRange(function.getResults())}) {
          sink.varInt(list.size());
          for (Type item : list)
            if (failed(write(sink, item)))
              return failure();
        }
        return success();
      })
      .Default([&](Type scalar) { return encodeScalar(sink, scalar); });
}

//===------------------------------------------------------------------------------------------===//
// constants
//===------------------------------------------------------------------------------------------===//

uint64_t ConstantPool::index(DenseElementsAttr value) {
  auto [it, isNew] = indices.try_emplace(value, items.size());
  if (isNew) {
    // The raw buffer is little-endian on every host we build for, and a splat keeps one element.
    ArrayRef<char> raw = value.getRawData();
    ByteSink sink;
    sink.varInt(raw.size());
    sink.raw(StringRef(raw.data(), raw.size()));
    items.push_back(sink.str());
  }
  return it->second;
}
