//===- FunctionReader.cpp - the function and global sections ----------------------------------===//
//
//   function section: n varint, entries; an entry is name string, signature type, flags byte,
//                     location index, [hints], [argument attributes], body length, body = ops until
//                     the length is used up
//   region: #blocks, blocks; block: #arguments, argument types, #ops, ops
//   op:     see OpTable.h
//
// Value indices count the function's arguments, then results in order; when a block ends, its
// values leave the table, so an index can only ever name a value that dominates its use.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/FunctionReader.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::StringRef;
using llvm::Twine;

//===------------------------------------------------------------------------------------------===//
// globals
//===------------------------------------------------------------------------------------------===//

// [spec: global-visibility, bytecode-13-3]
LogicalResult FunctionReader::readGlobals(Cursor cursor, Block &moduleBody) {
  bool extended = state.version.level() >= 3;
  uint64_t count;
  if (failed(cursor.readCount(count, extended ? 6 : 4, "globals")))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    StringRef name;
    Type type;
    DenseElementsAttr value;
    uint64_t alignment, visibility = 0, constant = 0;
    if (failed(strings.read(name, cursor, "global symbol name")) ||
        failed(types.read(type, cursor, "global value type")) ||
        failed(constants.read(value, type, cursor)) ||
        failed(cursor.readVarInt(alignment, "global alignment")))
      return failure();
    if (extended && (failed(cursor.readVarInt(visibility, "global symbol visibility")) ||
                     failed(cursor.readVarInt(constant, "global constant flag"))))
      return failure();
    if (name.empty())
      return cursor.fail("global symbol name of global " + Twine(i) + " is empty");
    if (visibility > 1)
      return cursor.fail("invalid symbol visibility value: " + Twine(visibility));

    OpBuilder builder = OpBuilder::atBlockEnd(&moduleBody);
    OperationState op(UnknownLoc::get(state.context), cuda_tile::GlobalOp::getOperationName());
    op.addAttribute("sym_name", builder.getStringAttr(name));
    op.addAttribute("value", value);
    op.addAttribute("alignment", builder.getI64IntegerAttr(static_cast<int64_t>(alignment)));
    if (constant)
      op.addAttribute("constant", builder.getUnitAttr());
    op.addAttribute("symbol_visibility",
                    cuda_tile::SymbolVisibilityAttr::get(
                        state.context, static_cast<cuda_tile::SymbolVisibility>(visibility)));
    builder.create(op);
  }
  return success();
}

//===------------------------------------------------------------------------------------------===//
// entries
//===------------------------------------------------------------------------------------------===//

LogicalResult FunctionReader::readFunctions(Cursor cursor, Block &moduleBody) {
  bound.resize(opTableWithTestingOps().size());
  segmentSizesName = StringAttr::get(state.context, "operandSegmentSizes");

  uint64_t count;
  if (failed(cursor.readCount(count, 5, "functions")))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    Header header;
    if (failed(readHeader(header, cursor)))
      return state.errors.note("failed to parse function section");
    if (failed(buildEntry(header, moduleBody, cursor)))
      return state.errors.note("failed to create function from bytecode");
  }
  return success();
}

// [spec: bytecode-entry-flags]
LogicalResult FunctionReader::checkFlags(uint8_t flags, const Cursor &cursor) {
  // Files before 13.4 carry whatever they like in the upper bits.
  if (state.version.level() < 4)
    return success();
  if (state.version.level() >= 5) {
    if ((flags & kHasHints) && (flags & kKernel))
      return cursor.fail("function entry cannot be both kernel and extern impl");
    if (flags & 8)
      return cursor.fail("function entry has testing form in non-test build");
    if (flags & kHasHints)
      return cursor.fail(
          "function entry is an extern implementation, which is preview content ('simt'); "
          "preview content is not supported");
  }
  if (flags & ~(kPrivate | kKernel | kHasHints))
    return cursor.fail("function entry has unrecognized flag bits (0x" +
                       Twine::utohexstr(flags & ~7u) + ");");
  return success();
}

// [spec: bytecode-entry-hints, bytecode-13-5]
LogicalResult FunctionReader::readHeader(Header &header, Cursor &cursor) {
  header.offset = cursor.offset();
  if (failed(strings.read(header.name, cursor, "function name")) ||
      failed(cursor.readVarInt(header.signature, "function signature")) ||
      failed(cursor.readByte(header.flags, "function flags")) ||
      failed(checkFlags(header.flags, cursor)) ||
      failed(cursor.readVarInt(header.location, "function location")))
    return failure();
  if (header.name.empty())
    return cursor.fail("function name is empty");

  bool isKernel = header.flags & kKernel, newForm = state.version.level() >= 5;
  if (isKernel && (newForm || (header.flags & kHasHints))) {
    if (failed(attributes.readSelfContained(header.hints, cursor)))
      return failure();
    auto hints = dyn_cast<cuda_tile::OptimizationHintsAttr>(header.hints);
    if (!hints)
      return cursor.fail("invalid optimization hints attribute for function '" + header.name + "'");
    // No hints and empty hints mean the same and are kept as one form.
    if (hints.getValue().empty())
      header.hints = {};
  }
  if (newForm && failed(attributes.readSelfContained(header.argAttrs, cursor)))
    return failure();

  uint64_t length;
  return failure(failed(cursor.readVarInt(length, "function body length")) ||
                 failed(cursor.readWindow(header.body, length, "function body")));
}

/// The argument attributes of an entry: one dictionary per argument, or null when there are none. A
/// dictionary in place of the array means none; missing items are filled up and surplus ones
/// dropped, as the real reader does.
static LogicalResult makeArgAttrs(ArrayAttr &result, Attribute stored, size_t arguments,
                                  const Cursor &cursor) {
  auto items = dyn_cast_or_null<ArrayAttr>(stored);
  if (!items)
    return success();
  SmallVector<Attribute> dictionaries(arguments, DictionaryAttr::get(stored.getContext()));
  bool any = false;
  for (auto [i, item] : llvm::enumerate(items)) {
    auto dictionary = dyn_cast<DictionaryAttr>(item);
    if (!dictionary)
      return cursor.fail(
          "'cuda_tile.entry' op attribute 'arg_attrs' failed to satisfy constraint: Array of "
          "dictionary attributes");
    if (i >= arguments)
      break;
    dictionaries[i] = dictionary;
    any |= !dictionary.empty();
  }
  if (any)
    result = ArrayAttr::get(stored.getContext(), dictionaries);
  return success();
}

// [spec: bytecode-entry-flags, launch-entry]
LogicalResult FunctionReader::buildEntry(Header &header, Block &moduleBody, const Cursor &cursor) {
  Type signature;
  if (failed(types.get(signature, header.signature, cursor)))
    return state.errors.note("failed to read the signature of function '" + header.name + "'");
  auto type = dyn_cast<FunctionType>(signature);
  if (!type)
    return cursor.fail("function signature index " + Twine(header.signature) +
                       " does not refer to a function type for function '" + header.name + "'");
  if (!(header.flags & kKernel))
    return cursor.fail("un-expected non-entry function '" + header.name +
                       "': uses preview feature 'simt', which is not enabled");
  if (header.flags & kPrivate)
    return cursor.fail("'cuda_tile.entry' op entry op must have public symbol visibility");
  bool publicRules = state.context->getLoadedDialect<cuda_tile::CudaTileDialect>()->getProfile() ==
                     cuda_tile::Profile::Public;
  for (auto [i, input] : llvm::enumerate(type.getInputs())) {
    if (publicRules || isa<cuda_tile::TileType>(input))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << input;
    return cursor.fail("unsupported type in bytecode for entry argument #" + Twine(i) + ": '" +
                       text + "'; expected a rank-0 !cuda_tile.tile type");
  }
  ArrayAttr argAttrs;
  if (failed(makeArgAttrs(argAttrs, header.argAttrs, type.getNumInputs(), cursor)))
    return failure();

  location = header.location;
  nextLocation = 0;
  LocationAttr loc;
  if (failed(debug.location(loc, location, nextLocation++, cursor)))
    return state.errors.note("failed to read function location for '" + header.name + "'");
  // The verifier would say so too, but would print the location, and shared call sites print as 2^n
  // copies.
  if (isa<CallSiteLoc>(loc))
    return cursor.fail("'cuda_tile.entry' op invalid function debug info location: Function "
                       "location must not be a "
                       "CallSiteLoc.");
  if (state.offsetsAsLocations)
    loc = state.offsetLocation(header.offset);

  OpBuilder builder = OpBuilder::atBlockEnd(&moduleBody);
  OperationState op(loc, cuda_tile::EntryOp::getOperationName());
  op.addAttribute("sym_name", builder.getStringAttr(header.name));
  op.addAttribute("function_type", TypeAttr::get(type));
  if (argAttrs)
    op.addAttribute("arg_attrs", argAttrs);
  if (header.hints)
    op.addAttribute("optimization_hints", header.hints);
  op.addRegion();
  Block &body = builder.create(op)->getRegion(0).emplaceBlock();

  values.clear();
  for (Type input : type.getInputs())
    values.push_back(body.addArgument(input, loc));
  while (!header.body.atEnd())
    if (failed(readOp(header.body, body)))
      return state.errors.note("failed to parse function body for function '" + header.name + "'");
  return success();
}

//===------------------------------------------------------------------------------------------===//
// ops
//===------------------------------------------------------------------------------------------===//

const FunctionReader::BoundOp *FunctionReader::bind(const OpRecord &op, const Cursor &cursor) {
  BoundOp &entry = bound[&op - opTableWithTestingOps().begin()];
  if (entry.name)
    return &entry;
  std::string full = ("cuda_tile." + op.name).str();
  std::optional<RegisteredOperationName> name =
      RegisteredOperationName::lookup(full, state.context);
  if (!name) {
    (void)cursor.fail("op '" + full + "' is not registered");
    return nullptr;
  }
  for (const Field &field : op.fields)
    entry.fieldNames.push_back(StringAttr::get(state.context, field.name));
  entry.name = *name;
  return &entry;
}

// [spec: bytecode-values]
LogicalResult FunctionReader::readResultTypes(const OpRecord &op, OperationState &opState,
                                              unsigned &stored, Cursor &cursor) {
  uint8_t minor = state.version.level();
  uint64_t count = op.results < 0 ? 0 : op.storedResults(minor);
  if (op.countsResults) {
    uint64_t inFile;
    if (failed(cursor.readCount(inFile, 1, "result types")))
      return failure();
    if (op.results >= 0 && inFile != count)
      return cursor.fail("result count mismatch for " + op.name + ": expected " + Twine(count) +
                         " but got " + Twine(inFile));
    count = inFile;
  }
  for (uint64_t i = 0; i < count; ++i) {
    Type type;
    if (failed(types.read(type, cursor, "result type")))
      return state.errors.note("failed to get result type " + Twine(i) + " for " + op.name);
    opState.types.push_back(type);
  }
  stored = count;
  // The one result that came later than its op is a token.
  if (op.results >= 0 && count < static_cast<unsigned>(op.results))
    opState.types.push_back(cuda_tile::TokenType::get(state.context));
  return success();
}

// [spec: bytecode-operands]
LogicalResult FunctionReader::readOperand(OperationState &opState, Cursor &cursor, StringRef what) {
  uint64_t index;
  if (failed(cursor.readVarInt(index, what)))
    return failure();
  if (index >= values.size())
    return cursor.fail("operand index " + Twine(index) +
                       " out of bounds (size=" + Twine(values.size()) + ") for " + what);
  opState.operands.push_back(values[index]);
  return success();
}

// [spec: bytecode-op-flags]
LogicalResult FunctionReader::readFields(const OpRecord &op, OperationState &opState,
                                         Cursor &cursor) {
  uint8_t minor = state.version.level();
  uint64_t flags = 0;
  if (op.hasFlags(minor) && failed(cursor.readVarInt(flags, "flags field")))
    return failure();
  uint64_t known = 0;
  auto isSet = [&](size_t i) { return (flags >> op.flagBits[i]) & 1; };

  fieldValues.assign(op.fields.size(), {});
  Type resultType = opState.types.empty() ? Type() : opState.types.front();
  for (auto [i, field] : llvm::enumerate(op.fields)) {
    bool there = op.hasField(field, minor);
    if (there && op.flagBits[i] >= 0)
      known |= uint64_t(1) << op.flagBits[i];
    if (isOperand(field.kind))
      continue;
    if (!there)
      fieldValues[i] = attributes.absentValue(field);
    else if ((op.flagBits[i] < 0 || isSet(i)) &&
             failed(attributes.readField(fieldValues[i], field, resultType, cursor)))
      return state.errors.note("failed to parse attribute '" + field.name + "'");
  }
  if (flags & ~known)
    return cursor.fail("unused bits set in the flags of op '" + op.name + "': 0x" +
                       Twine::utohexstr(flags & ~known));

  segmentSizes.clear();
  if (op.countsOperands) {
    uint64_t count;
    if (failed(cursor.readCount(count, 1, "operands")))
      return failure();
    for (uint64_t i = 0; i < count; ++i)
      if (failed(readOperand(opState, cursor, "operand")))
        return failure();
    return success();
  }
  for (auto [i, field] : llvm::enumerate(op.fields)) {
    if (!isOperand(field.kind))
      continue;
    uint64_t count = 1;
    if (field.kind == FieldKind::OptionalOperand)
      count = op.hasField(field, minor) && isSet(i);
    else if (field.kind == FieldKind::VariadicOperand &&
             failed(cursor.readCount(count, 1, field.name)))
      return failure();
    for (uint64_t k = 0; k < count; ++k)
      if (failed(readOperand(opState, cursor, field.name)))
        return failure();
    segmentSizes.push_back(static_cast<int32_t>(count));
  }
  return success();
}

/// An `inbounds` list that is all false and has one entry per index says what a missing one says.
static bool isDefaultInbounds(Attribute attr, const OpRecord &op, ArrayRef<int32_t> segmentSizes) {
  auto list = dyn_cast_or_null<DenseBoolArrayAttr>(attr);
  if (!list || llvm::is_contained(list.asArrayRef(), true))
    return false;
  size_t segment = 0;
  for (const Field &field : op.fields) {
    if (field.kind == FieldKind::VariadicOperand)
      return static_cast<int64_t>(list.size()) == segmentSizes[segment];
    segment += isOperand(field.kind);
  }
  return false;
}

// [spec: bytecode-op, bytecode-opcode-set]
LogicalResult FunctionReader::readOp(Cursor &cursor, Block &block) {
  Cursor start = cursor;
  uint32_t opcode;
  if (failed(cursor.readVarInt32(opcode, "operation opcode")))
    return failure();
  const OpRecord *op = findOpByOpcode(opcode);
  if (op && op->since > kNewestMinor && state.version.major != kTestingMajor)
    op = nullptr;
  if (!op && opcode >= kFirstPreviewOpcode)
    return start.fail("malformed bytecode: encountered public-preview opcode " + Twine(opcode) +
                      " but the header does not advertise preview content");
  if (!op)
    return start.fail("unknown or unimplemented opcode: " + Twine(opcode));
  if (op->since > state.version.level())
    return start.fail("unsupported opcode " + Twine(opcode) + " for bytecode version " +
                      state.version.str());
  const BoundOp *names = bind(*op, start);
  if (!names)
    return failure();

  LocationAttr loc;
  if (failed(debug.location(loc, location, nextLocation, start)))
    return failure();
  ++nextLocation;
  if (state.offsetsAsLocations)
    loc = state.offsetLocation(start.offset());

  OperationState opState(loc, *names->name);
  unsigned storedResults = 0;
  if (failed(readResultTypes(*op, opState, storedResults, cursor)) ||
      failed(readFields(*op, opState, cursor)))
    return state.errors.note("while reading op '" + op->name + "'");
  for (unsigned i = 0; i < op->regions; ++i)
    opState.addRegion();

  if (TILESMITH_PLANT("reader-swaps-cat") && opState.operands.size() == 2 &&
      opState.name.getStringRef() == cuda_tile::CatOp::getOperationName() &&
      opState.operands[0].getType() == opState.operands[1].getType())
    std::swap(opState.operands[0], opState.operands[1]);
  Operation *operation = Operation::create(opState);
  block.push_back(operation);
  for (auto [name, value, field] : llvm::zip_equal(names->fieldNames, fieldValues, op->fields))
    if (value &&
        !(field.kind == FieldKind::BoolArray && isDefaultInbounds(value, *op, segmentSizes)))
      operation->setInherentAttr(name, value);
  if (op->segmented)
    operation->setInherentAttr(segmentSizesName,
                               DenseI32ArrayAttr::get(state.context, segmentSizes));
  if (auto load = dyn_cast<cuda_tile::LoadPtrTkoOp>(operation);
      load && TILESMITH_PLANT("reader-drops-token"))
    load.getTokenMutable().clear();

  if (op->regions && failed(readRegions(*op, operation, cursor)))
    return state.errors.note("while reading op '" + op->name + "'");
  for (unsigned i = 0; i < storedResults; ++i)
    values.push_back(operation->getResult(i));
  return success();
}

// [spec: bytecode-block]
LogicalResult FunctionReader::readRegions(const OpRecord &op, Operation *operation,
                                          Cursor &cursor) {
  uint64_t count;
  if (failed(cursor.readVarInt(count, "number of regions")))
    return failure();
  if (count != op.regions)
    return cursor.fail("cuda_tile." + op.name + " op expected " + Twine(unsigned(op.regions)) +
                       " regions, got " + Twine(count));
  if (depth == kMaxDepth)
    return cursor.fail("regions nest deeper than " + Twine(kMaxDepth) + " levels");
  ++depth;
  for (Region &region : operation->getRegions())
    if (failed(readRegion(region, cursor)))
      return failure();
  --depth;
  return success();
}

LogicalResult FunctionReader::readRegion(Region &region, Cursor &cursor) {
  uint64_t blocks;
  if (failed(cursor.readVarInt(blocks, "region block count")))
    return failure();
  // A region without a block is a missing else branch.
  if (blocks > 1)
    return cursor.fail("expected at most one block in a region, got " + Twine(blocks));
  return blocks ? readBlock(region.emplaceBlock(), cursor) : success();
}

// [spec: bytecode-block, bytecode-values]
LogicalResult FunctionReader::readBlock(Block &block, Cursor &cursor) {
  size_t outer = values.size();
  uint64_t count;
  if (failed(cursor.readCount(count, 1, "block arguments")))
    return failure();
  Location loc = block.getParentOp()->getLoc();
  for (uint64_t i = 0; i < count; ++i) {
    Type type;
    if (failed(types.read(type, cursor, "block argument type")))
      return failure();
    values.push_back(block.addArgument(type, loc));
  }
  if (failed(cursor.readCount(count, 1, "block operations")))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(readOp(cursor, block)))
      return failure();
  if (block.empty())
    return cursor.fail("invalid block structure: block is expected to have a terminator operation, "
                       "but it is empty");
  if (!block.back().hasTrait<OpTrait::IsTerminator>())
    return cursor.fail(
        "invalid block structure: block is expected to have a terminator operation, but the last "
        "operation '" +
        block.back().getName().getStringRef() + "' is not a terminator.");
  values.resize(outer);
  return success();
}
