//===- ReaderDebug.cpp - the debug section ----------------------------------------------------===//
//
//   n varint, padding to 4, u32 ownerStart[n]       per function: where its locations begin below
//   m varint, padding to 8, u64 indices[m]          per function and op: a debug record
//   k varint, padding to 4, u32 start[k], records   each record is tag varint + payload
//
// Index 0 of both tables means "unknown location". The location of a function comes first, then one
// for each of its ops in the order of the body. Records refer to each other by index; cycles and
// deep chains are errors.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/ReaderTables.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include <limits>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::StringRef;
using llvm::Twine;

LogicalResult DebugTable::open(Cursor section) {
  uint64_t count;
  if (failed(section.readCount(count, sizeof(uint32_t), "ops with debug info")) ||
      failed(section.align(4, "debug owner offsets")) ||
      failed(section.readArray(ownerStarts, count, "debug owner offsets")) ||
      failed(section.readCount(count, sizeof(uint64_t), "debug info indices")) ||
      failed(section.align(8, "debug info indices")) ||
      failed(section.readArray(indices, count, "debug info indices")) ||
      failed(section.readStarts(starts, "debug info attributes")))
    return failure();
  data = section;
  cache.resize(starts.size());
  open_.resize(starts.size());
  return success();
}

LogicalResult DebugTable::location(LocationAttr &loc, uint64_t owner, uint64_t position,
                                   const Cursor &at) {
  if (owner < kDebugReserved) {
    loc = UnknownLoc::get(state.context);
    return success();
  }
  owner -= kDebugReserved;
  if (owner >= ownerStarts.size())
    return at.fail("location index " + Twine(owner + kDebugReserved) +
                   " out of bounds (size=" + Twine(ownerStarts.size() + kDebugReserved) + ")");
  uint64_t index = uint64_t(ownerStarts[owner]) + position;
  if (index >= indices.size())
    return at.fail("failed to read operation location, debug info index " + Twine(index) +
                   " out of bounds (size=" + Twine(indices.size()) + ")");
  Attribute attr;
  if (failed(get(attr, indices[index], at)))
    return failure();
  loc = dyn_cast<LocationAttr>(attr);
  if (!loc)
    return at.fail("debug info attribute " + Twine(indices[index]) + " is not a location");
  return success();
}

LogicalResult DebugTable::get(Attribute &attr, uint64_t index, const Cursor &at) {
  if (index < kDebugReserved) {
    attr = UnknownLoc::get(state.context);
    return success();
  }
  index -= kDebugReserved;
  if (index >= cache.size())
    return at.fail("debug info attribute index " + Twine(index + kDebugReserved) +
                   " out of bounds (size=" + Twine(cache.size() + kDebugReserved) + ")");
  if ((attr = cache[index]))
    return success();
  if (open_[index])
    return at.fail("debug info attribute " + Twine(index + kDebugReserved) + " contains itself");
  if (depth == kMaxDepth)
    return at.fail("debug info attributes nest deeper than " + Twine(kMaxDepth) + " levels");

  uint64_t end = index + 1 < starts.size() ? starts[index + 1] : data.remaining();
  open_[index] = true;
  ++depth;
  LogicalResult result = decode(attr, data.window(starts[index], end - starts[index]));
  --depth;
  open_[index] = false;
  if (failed(result))
    return failure();
  cache[index] = attr;
  return success();
}

template <typename T>
LogicalResult DebugTable::read(T &attr, Cursor &cursor, StringRef what, StringRef owner) {
  uint64_t index;
  Attribute any;
  if (failed(cursor.readVarInt(index, what)) || failed(get(any, index, cursor)))
    return failure();
  attr = dyn_cast<T>(any);
  if (!attr)
    return cursor.fail("failed to read " + what + " attribute when parsing " + owner);
  return success();
}

LogicalResult DebugTable::readName(StringAttr &name, Cursor &cursor, StringRef what,
                                   StringRef owner) {
  StringRef text;
  if (failed(strings.read(text, cursor, what)))
    return state.errors.note("while parsing " + owner);
  name = StringAttr::get(state.context, text);
  return success();
}

LogicalResult DebugTable::readNumber(unsigned &number, Cursor &cursor, StringRef what,
                                     StringRef owner) {
  uint64_t value;
  if (failed(cursor.readVarInt(value, what)))
    return state.errors.note("while parsing " + owner);
  if (value > std::numeric_limits<unsigned>::max())
    return cursor.fail(what + " " + Twine(value) + " does not fit 32 bits when parsing " + owner);
  number = static_cast<unsigned>(value);
  return success();
}

// [spec: bytecode-debug]
LogicalResult DebugTable::decode(Attribute &attr, Cursor cursor) {
  using namespace cuda_tile;
  MLIRContext *ctx = state.context;
  uint64_t tag;
  if (failed(cursor.readVarInt(tag, "debug tag")))
    return failure();
  unsigned line = 0, column = 0, scopeLine = 0;
  StringAttr name, other;
  DIFileAttr file;
  DILocalScopeAttr scope;
  switch (static_cast<DebugTag>(tag)) {
  case DebugTag::CompileUnit:
    if (failed(read(file, cursor, "file", "DICompileUnitAttr")))
      return failure();
    attr = DICompileUnitAttr::get(ctx, file);
    return success();
  case DebugTag::File:
    if (failed(readName(name, cursor, "file name", "DIFileAttr")) ||
        failed(readName(other, cursor, "directory", "DIFileAttr")))
      return failure();
    attr = DIFileAttr::get(ctx, name, other);
    return success();
  case DebugTag::LexicalBlock:
    if (failed(read(scope, cursor, "scope", "DILexicalBlockAttr")) ||
        failed(read(file, cursor, "file", "DILexicalBlockAttr")) ||
        failed(readNumber(line, cursor, "line number", "DILexicalBlockAttr")) ||
        failed(readNumber(column, cursor, "column number", "DILexicalBlockAttr")))
      return failure();
    attr = DILexicalBlockAttr::get(ctx, scope, file, line, column);
    return success();
  case DebugTag::Loc:
    if (failed(read(scope, cursor, "scope", "DILocAttr")) ||
        failed(readName(name, cursor, "file name", "DILocAttr")) ||
        failed(readNumber(line, cursor, "line number", "DILocAttr")) ||
        failed(readNumber(column, cursor, "column number", "DILocAttr")))
      return failure();
    attr = DILocAttr::get(ctx, FileLineColLoc::get(ctx, name, line, column), scope);
    return success();
  case DebugTag::Subprogram: {
    DICompileUnitAttr unit;
    uint64_t flags = 0; // bit 0 marks a declaration
    if (failed(read(file, cursor, "file", "DISubprogramAttr")) ||
        failed(readNumber(line, cursor, "line number", "DISubprogramAttr")) ||
        failed(readName(name, cursor, "name", "DISubprogramAttr")) ||
        failed(readName(other, cursor, "linkage name", "DISubprogramAttr")) ||
        failed(read(unit, cursor, "compile unit", "DISubprogramAttr")) ||
        failed(readNumber(scopeLine, cursor, "scope line", "DISubprogramAttr")))
      return failure();
    if (state.version.level() >= 5) {
      if (failed(cursor.readVarInt(flags, "flags when parsing DISubprogramAttr")))
        return failure();
      if (flags > 1)
        return cursor.fail("unrecognized flag bits (0x" + Twine::utohexstr(flags) +
                           ") when parsing DISubprogramAttr");
    }
    attr = DISubprogramAttr::get(ctx, file, line, name, other, unit, scopeLine,
                                 static_cast<DISubprogramFlags>(flags));
    return success();
  }
  case DebugTag::CallSite: {
    LocationAttr callee, caller;
    if (failed(read(callee, cursor, "callee", "CallSiteLoc")) ||
        failed(read(caller, cursor, "caller", "CallSiteLoc")))
      return failure();
    attr = CallSiteLoc::get(callee, caller);
    return success();
  }
  case DebugTag::Unknown:
    attr = UnknownLoc::get(ctx);
    return success();
  }
  return cursor.fail("unknown debug tag: " + Twine(tag));
}
