//===- ReaderTypes.cpp - the string and type sections -----------------------------------------===//
//
//   string section: n varint, padding to 4, u32 start[n], bytes
//   type section:   n varint, padding to 4, u32 start[n], entries; an entry is tag varint + payload
//
// Bytes at the end of a type entry that its payload does not need are ignored, as the real reader
// does.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/ReaderTables.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

/// The file name that marks a location as an offset.
static constexpr llvm::StringLiteral kOffsetName = "<bytecode offset>";

ReaderState::ReaderState(MLIRContext *context)
    : context(context), handler(context, [this](Diagnostic &diagnostic) {
        llvm::raw_string_ostream os(diagnostics);
        if (!diagnostics.empty())
          os << '\n';
        if (auto loc = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
            loc && loc.getFilename() == kOffsetName)
          os << "function section, offset " << loc.getLine() << ": ";
        os << diagnostic;
        return success();
      }) {}

LocationAttr ReaderState::offsetLocation(uint64_t offset) const {
  return FileLineColLoc::get(context, kOffsetName, static_cast<unsigned>(offset), 0);
}

InFlightDiagnostic ReaderState::emit() const {
  return emitError(UnknownLoc::get(context));
}

std::string ReaderState::takeDiagnostics() {
  return std::exchange(diagnostics, {});
}

//===------------------------------------------------------------------------------------------===//
// strings
//===------------------------------------------------------------------------------------------===//

// [spec: bytecode-strings]
LogicalResult StringTable::open(Cursor section) {
  if (failed(section.readStarts(starts, "strings")))
    return failure();
  ArrayRef<uint8_t> data;
  if (failed(section.readBytes(data, section.remaining(), "string data")))
    return failure();
  bytes = llvm::toStringRef(data);
  return success();
}

LogicalResult StringTable::get(StringRef &value, uint64_t index, const Cursor &at) const {
  if (index >= starts.size())
    return at.fail("string index " + Twine(index) + " out of bounds (size=" + Twine(starts.size()) +
                   ")");
  uint64_t end = index + 1 < starts.size() ? starts[index + 1] : bytes.size();
  value = bytes.slice(starts[index], end);
  return success();
}

LogicalResult StringTable::read(StringRef &value, Cursor &cursor, StringRef what) const {
  uint64_t index;
  return failure(failed(cursor.readVarInt(index, what)) || failed(get(value, index, cursor)));
}

//===------------------------------------------------------------------------------------------===//
// types
//===------------------------------------------------------------------------------------------===//

LogicalResult TypeTable::open(Cursor section) {
  if (failed(section.readStarts(starts, "types")))
    return failure();
  data = section;
  cache.resize(starts.size());
  open_.resize(starts.size());
  return success();
}

LogicalResult TypeTable::get(Type &type, uint64_t index, const Cursor &at) {
  if (index >= cache.size())
    return at.fail("type index " + Twine(index) + " out of bounds (size=" + Twine(cache.size()) +
                   ")");
  if ((type = cache[index]))
    return success();
  if (open_[index])
    return at.fail("type " + Twine(index) + " contains itself");
  if (depth == kMaxDepth)
    return at.fail("types nest deeper than " + Twine(kMaxDepth) + " levels");

  uint64_t end = index + 1 < starts.size() ? starts[index + 1] : data.remaining();
  open_[index] = true;
  ++depth;
  LogicalResult result = decode(type, data.window(starts[index], end - starts[index]));
  --depth;
  open_[index] = false;
  if (failed(result))
    return state.errors.note("failed to parse type at index " + Twine(index));
  cache[index] = type;
  return success();
}

LogicalResult TypeTable::read(Type &type, Cursor &cursor, StringRef what) {
  uint64_t index;
  return failure(failed(cursor.readVarInt(index, what)) || failed(get(type, index, cursor)));
}

// [spec: bytecode-type-tags, bytecode-13-4-types, file_type_tag]
LogicalResult TypeTable::decode(Type &type, Cursor cursor) {
  uint64_t tag;
  if (failed(cursor.readVarInt(tag, "type tag")))
    return failure();
  uint8_t since = typeTagSince(tag);
  if (since == 0)
    return cursor.fail("unknown type tag: " + Twine(tag));
  if (state.version.level() < since)
    return cursor.fail("type '" + typeTagName(tag) + "' requires bytecode version 13." +
                       Twine(unsigned(since)) + "+, file version is " + state.version.str());

  MLIRContext *ctx = state.context;
  switch (static_cast<TypeTag>(tag)) {
  case TypeTag::I1:
    return type = IntegerType::get(ctx, 1), success();
  case TypeTag::I4:
    return type = IntegerType::get(ctx, 4), success();
  case TypeTag::I8:
    return type = IntegerType::get(ctx, 8), success();
  case TypeTag::I16:
    return type = IntegerType::get(ctx, 16), success();
  case TypeTag::I32:
    return type = IntegerType::get(ctx, 32), success();
  case TypeTag::I64:
    return type = IntegerType::get(ctx, 64), success();
  case TypeTag::F16:
    return type = Float16Type::get(ctx), success();
  case TypeTag::BF16:
    return type = BFloat16Type::get(ctx), success();
  case TypeTag::F32:
    return type = Float32Type::get(ctx), success();
  case TypeTag::TF32:
    return type = FloatTF32Type::get(ctx), success();
  case TypeTag::F64:
    return type = Float64Type::get(ctx), success();
  case TypeTag::F8E4M3FN:
    return type = Float8E4M3FNType::get(ctx), success();
  case TypeTag::F8E5M2:
    return type = Float8E5M2Type::get(ctx), success();
  case TypeTag::F8E8M0FNU:
    return type = Float8E8M0FNUType::get(ctx), success();
  case TypeTag::F4E2M1FN:
    return type = Float4E2M1FNType::get(ctx), success();
  case TypeTag::F8E5M3FNU:
    return type = cuda_tile::FloatNV8E5M3FNUType::get(ctx), success();
  case TypeTag::Token:
    return type = cuda_tile::TokenType::get(ctx), success();
  case TypeTag::Pointer:
    return decodePointer(type, cursor);
  case TypeTag::Tile:
    return decodeTile(type, cursor);
  case TypeTag::TensorView:
    return decodeTensorView(type, cursor);
  case TypeTag::Function:
    return decodeFunction(type, cursor);
  case TypeTag::PartitionView:
  case TypeTag::GatherScatterView:
  case TypeTag::StridedView:
    return decodeView(type, cursor, static_cast<TypeTag>(tag));
  }
  llvm_unreachable("tag has a version but no decoder");
}

LogicalResult TypeTable::checked(Type &type, Type result, const Cursor &cursor, StringRef kind) {
  if (!result)
    return cursor.fail("invalid " + kind + ": " + state.takeDiagnostics());
  type = result;
  return success();
}

LogicalResult TypeTable::readFlags(uint64_t &flags, Cursor &cursor) {
  if (failed(cursor.readVarInt(flags, "optional parameter flags")))
    return failure();
  if (flags > 1)
    return cursor.fail("unused bits set in optional parameter flags");
  return success();
}

/// Pointer attribute of a pointer or tensor_view (13.4 form).
static LogicalResult readPtrAttr(cuda_tile::PtrAttrKindAttr &attr, const ReaderState &state,
                                 Cursor &cursor) {
  uint32_t value;
  if (failed(cursor.readVarInt32(value, "ptr_attr")))
    return failure();
  if (value > 2)
    return cursor.fail("invalid integer value for enum type: " + Twine(value));
  if (value > 0 && state.version.level() < 5)
    return cursor.fail("enum value " + Twine(value) + " is not available in bytecode version " +
                       state.version.str());
  attr = cuda_tile::PtrAttrKindAttr::get(state.context, static_cast<cuda_tile::PtrAttrKind>(value));
  return success();
}

static LogicalResult readPadding(cuda_tile::PaddingValueAttr &attr, const ReaderState &state,
                                 Cursor &cursor) {
  uint32_t value;
  if (failed(cursor.readVarInt32(value, "padding value")))
    return failure();
  if (value > 4)
    return cursor.fail("invalid integer value for enum type: " + Twine(value));
  attr =
      cuda_tile::PaddingValueAttr::get(state.context, static_cast<cuda_tile::PaddingValue>(value));
  return success();
}

// [spec: bytecode-13-4, bytecode-13-5]
LogicalResult TypeTable::decodePointer(Type &type, Cursor &cursor) {
  uint64_t flags = 0;
  Type pointee;
  cuda_tile::PtrAttrKindAttr attr;
  if (state.version.level() >= 4 && failed(readFlags(flags, cursor)))
    return failure();
  if (failed(read(pointee, cursor, "pointee type")) ||
      (flags && failed(readPtrAttr(attr, state, cursor))))
    return failure();
  return checked(type,
                 cuda_tile::PointerType::getChecked([&] { return state.emit(); }, state.context,
                                                    pointee, attr),
                 cursor, "pointer type");
}

// [spec: bytecode-tile-shape]
LogicalResult TypeTable::decodeTile(Type &type, Cursor &cursor) {
  Type element;
  SmallVector<int64_t> shape;
  if (failed(read(element, cursor, "tile element type")) ||
      failed(cursor.readList(shape, "tile extents")))
    return failure();
  return checked(type,
                 cuda_tile::TileType::getChecked([&] { return state.emit(); }, state.context,
                                                 ArrayRef<int64_t>(shape), element),
                 cursor, "tile type");
}

LogicalResult TypeTable::decodeTensorView(Type &type, Cursor &cursor) {
  uint64_t flags = 0;
  Type element;
  SmallVector<int64_t> shape, strides;
  cuda_tile::PtrAttrKindAttr attr;
  if (state.version.level() >= 4 && failed(readFlags(flags, cursor)))
    return failure();
  if (failed(read(element, cursor, "tensor_view element type")) ||
      failed(cursor.readList(shape, "tensor_view extents")) ||
      failed(cursor.readList(strides, "tensor_view strides")) ||
      (flags && failed(readPtrAttr(attr, state, cursor))))
    return failure();
  return checked(type,
                 cuda_tile::TensorViewType::getChecked([&] { return state.emit(); }, state.context,
                                                       element, ArrayRef<int64_t>(shape),
                                                       ArrayRef<int64_t>(strides), attr),
                 cursor, "tensor_view type");
}

// [spec: bytecode-13-1, bytecode-13-3]
LogicalResult TypeTable::decodeView(Type &type, Cursor &cursor, TypeTag tag) {
  MLIRContext *ctx = state.context;
  auto emit = [&] { return state.emit(); };
  // Partition views exist since 13.1, where a presence byte stood in front of the padding instead
  // of flags.
  bool hasFlags = state.version.level() >= 3;
  uint64_t flags = 0;
  SmallVector<int32_t> shape, strides, dimMap;
  Type tensorType;
  uint32_t sparseDim = 0;
  cuda_tile::PaddingValueAttr padding;

  if ((hasFlags && failed(readFlags(flags, cursor))) ||
      failed(cursor.readList(shape, "view tile extents")) ||
      (tag == TypeTag::StridedView && failed(cursor.readList(strides, "traversal strides"))) ||
      failed(read(tensorType, cursor, "tensor_view type")))
    return failure();
  if (tag == TypeTag::GatherScatterView ? failed(cursor.readVarInt32(sparseDim, "sparse dimension"))
                                        : failed(cursor.readList(dimMap, "dim_map")))
    return failure();
  if (!hasFlags) {
    bool present;
    if (failed(cursor.readBool(present, "padding presence")))
      return failure();
    flags = present;
  }
  if (flags && failed(readPadding(padding, state, cursor)))
    return failure();
  auto tensorView = dyn_cast<cuda_tile::TensorViewType>(tensorType);
  if (!tensorView)
    return cursor.fail("expected 'tensor_view' type below a view");

  auto tileShape = DenseI32ArrayAttr::get(ctx, shape);
  ArrayRef<int32_t> dims = dimMap;
  if (tag == TypeTag::PartitionView)
    return checked(
        type,
        cuda_tile::PartitionViewType::getChecked(emit, ctx, tileShape, tensorView, dims, padding),
        cursor, "partition_view type");
  if (tag == TypeTag::StridedView)
    return checked(type,
                   cuda_tile::StridedViewType::getChecked(emit, ctx, tileShape,
                                                          DenseI32ArrayAttr::get(ctx, strides),
                                                          tensorView, dims, padding),
                   cursor, "strided_view type");
  return checked(type,
                 cuda_tile::GatherScatterViewType::getChecked(emit, ctx, tileShape, tensorView,
                                                              sparseDim, padding),
                 cursor, "gather_scatter_view type");
}

LogicalResult TypeTable::decodeFunction(Type &type, Cursor &cursor) {
  SmallVector<Type> inputs, results;
  for (auto [list, what] :
       {std::pair(&inputs, "parameter type"), std::pair(&results, "result type")}) {
    uint64_t count;
    if (failed(cursor.readCount(count, 1, what)))
      return failure();
    list->resize(count);
    for (Type &item : *list) {
      if (failed(read(item, cursor, what)))
        return failure();
      // No function takes functions; a chain of such types could print as 2^n copies of its first.
      if (isa<FunctionType>(item))
        return cursor.fail(what + Twine(" of a function type is a function type"));
    }
  }
  type = FunctionType::get(state.context, inputs, results);
  return success();
}
