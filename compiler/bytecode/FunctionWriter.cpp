//===- FunctionWriter.cpp - the function and global sections ----------------------------------===//
//
// The inverse of FunctionReader.cpp. Content that the target version cannot hold is dropped when it
// says what its absence says, and is an error otherwise.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/FunctionWriter.h"

#include "compiler/bytecode/Enums.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::Twine;

LogicalResult FunctionWriter::writeGlobals(ByteSink &sink, cuda_tile::ModuleOp module) {
  SmallVector<cuda_tile::GlobalOp> globals(module.getOps<cuda_tile::GlobalOp>());
  bool extended = state.version.level() >= 3;
  if (globals.empty())
    return success();
  sink.varInt(globals.size());
  for (cuda_tile::GlobalOp global : globals) {
    bool isPrivate = global.getSymbolVisibility() != cuda_tile::SymbolVisibility::Public;
    if (!extended && isPrivate)
      return state.failAt(global.getLoc(),
                          "global `" + global.getSymName() +
                              "` uses non-public symbol visibility, which cannot be "
                              "encoded in bytecode version " +
                              state.version.str() + " (requires bytecode 13.3+)");
    if (!extended && global.getConstant())
      return state.failAt(global.getLoc(),
                          "constant global `" + global.getSymName() +
                              "` cannot be encoded in bytecode version " + state.version.str() +
                              " (the `constant` attribute requires bytecode 13.3+)");
    auto value = cast<DenseElementsAttr>(global.getValueAttr());
    sink.varInt(strings.index(global.getSymName()));
    if (failed(types.write(sink, value.getType())))
      return failure();
    sink.varInt(constants.index(value));
    sink.varInt(static_cast<uint64_t>(global.getAlignment()));
    if (extended) {
      sink.varInt(isPrivate ? 1 : 0);
      sink.varInt(global.getConstant() ? 1 : 0);
    }
  }
  return success();
}

LogicalResult FunctionWriter::writeFunctions(ByteSink &sink, cuda_tile::ModuleOp module) {
  SmallVector<cuda_tile::EntryOp> entries(module.getOps<cuda_tile::EntryOp>());
  sink.varInt(entries.size());
  for (cuda_tile::EntryOp entry : entries)
    if (failed(writeEntry(sink, entry)))
      return failure();
  return success();
}

LogicalResult FunctionWriter::writeArgAttrs(ByteSink &sink, cuda_tile::EntryOp entry) {
  ArrayAttr attrs = entry.getArgAttrsAttr();
  bool any = attrs && llvm::any_of(attrs, [](Attribute item) {
               return !cast<DictionaryAttr>(item).empty();
             });
  if (state.version.level() < 5) {
    if (any)
      return state.fail(entry,
                        "attribute 'arg_attrs' requires bytecode version 13.5+, but targeting " +
                            state.version.str());
    return success();
  }
  return attributes.writeSelfContained(sink, entry,
                                       any ? attrs : ArrayAttr::get(entry.getContext(), {}));
}

LogicalResult FunctionWriter::writeEntry(ByteSink &sink, cuda_tile::EntryOp entry) {
  auto hints = entry.getOptimizationHintsAttr();
  bool newForm = state.version.level() >= 5;
  sink.varInt(strings.index(entry.getSymName()));
  if (failed(types.write(sink, entry.getFunctionType())))
    return failure();
  sink.byte(kKernel | (hints && !newForm ? kHasHints : 0));
  sink.varInt(debug.openFunction(entry));
  if (hints || newForm) {
    Attribute stored = hints;
    if (!stored)
      stored = cuda_tile::OptimizationHintsAttr::get(entry.getContext(),
                                                     DictionaryAttr::get(entry.getContext()));
    if (failed(attributes.writeSelfContained(sink, entry, stored)))
      return failure();
  }
  if (failed(writeArgAttrs(sink, entry)))
    return failure();

  valueIndices.clear();
  nextValue = 0;
  Block &block = entry->getRegion(0).front();
  for (BlockArgument argument : block.getArguments())
    valueIndices[argument] = nextValue++;
  ByteSink body;
  for (Operation &op : block)
    if (failed(writeOp(body, &op)))
      return failure();
  sink.varInt(body.size());
  sink.raw(body.str());
  return success();
}

//===------------------------------------------------------------------------------------------===//
// ops
//===------------------------------------------------------------------------------------------===//

// [spec: bytecode-downgrade]
LogicalResult FunctionWriter::tooNew(Operation *op, const Field &field) {
  std::string since = levelName(field.since), target = state.version.str();
  if (isOperand(field.kind) || field.optional)
    return state.fail(op, Twine("optional ") + (isOperand(field.kind) ? "operand" : "attribute") +
                              " '" + field.name + "' is provided but requires bytecode version " +
                              since + ", targeting " + target);
  return state.fail(op, "attribute '" + field.name + "' requires bytecode version " + since +
                            "+, but targeting " + target);
}

LogicalResult FunctionWriter::writeOp(ByteSink &sink, Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  const OpRecord *record =
      dialect == "cuda_tile" ? findOpByName(op->getName().stripDialect()) : nullptr;
  if (!record) {
    state.invalidOp = op->getLoc();
    return dialect == "cuda_tile"
               ? state.fail(op, "operation not supported in bytecode")
               : state.fail(op->getParentOfType<cuda_tile::ModuleOp>(),
                            "only ops from the 'cuda_tile' dialect are allowed, got '" +
                                op->getName().getStringRef() + "'");
  }
  if (record->since > state.version.level())
    return state.failAt(op->getLoc(), "operation '" + op->getName().getStringRef() +
                                          "' is not available in bytecode version " +
                                          state.version.str());
  if (op->getNumRegions() != record->regions)
    return state.fail(op, "has " + Twine(op->getNumRegions()) + " regions, expected " +
                              Twine(unsigned(record->regions)));

  SmallVector<int32_t> segments;
  if (record->segmented)
    if (auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(op->getAttr("operandSegmentSizes")))
      segments.assign(sizes.asArrayRef().begin(), sizes.asArrayRef().end());

  unsigned stored = 0;
  sink.varInt(record->opcode);
  if (failed(debug.addOp(op)) || failed(writeResults(sink, op, *record, stored)) ||
      failed(writeAttributes(sink, op, *record, segments)) ||
      failed(writeOperands(sink, op, *record, segments)) || failed(writeRegions(sink, op)))
    return failure();
  for (unsigned i = 0; i < stored; ++i)
    valueIndices[op->getResult(i)] = nextValue++;
  return success();
}

LogicalResult FunctionWriter::writeResults(ByteSink &sink, Operation *op, const OpRecord &record,
                                           unsigned &stored) {
  stored = record.results < 0 ? op->getNumResults() : record.storedResults(state.version.level());
  for (unsigned i = stored; i < op->getNumResults(); ++i)
    if (!op->getResult(i).use_empty())
      return state.fail(op, "result 'result_token' requires bytecode version " +
                                levelName(record.lastResultSince) +
                                " but is being used and targeting " + state.version.str());
  if (record.countsResults)
    sink.varInt(stored);
  for (unsigned i = 0; i < stored; ++i)
    if (failed(types.write(sink, op->getResult(i).getType())))
      return failure();
  return success();
}

/// Number of operands in each operand field of an op.
static SmallVector<int32_t> operandCounts(Operation *op, const OpRecord &record,
                                          ArrayRef<int32_t> segments) {
  if (record.segmented)
    return SmallVector<int32_t>(segments);
  // At most one field of an unsegmented op is variadic or optional: it has what the others leave.
  int32_t fixed =
      llvm::count_if(record.fields, [](const Field &f) { return f.kind == FieldKind::Operand; });
  SmallVector<int32_t> counts;
  for (const Field &field : record.fields)
    if (isOperand(field.kind))
      counts.push_back(field.kind == FieldKind::Operand
                           ? 1
                           : static_cast<int32_t>(op->getNumOperands()) - fixed);
  return counts;
}

/// Whether leaving the attribute out says the same.
static bool saysNothing(const Field &field, Attribute attr) {
  if (!attr)
    return true;
  if (field.absent && !isEnum(field.kind))
    return cast<IntegerAttr>(attr).getInt() == static_cast<int64_t>(*field.absent);
  if (field.absent)
    return enumValue(field.kind, attr) == field.absent;
  if (auto list = dyn_cast<DenseBoolArrayAttr>(attr))
    return !llvm::is_contained(list.asArrayRef(), true);
  return false;
}

LogicalResult FunctionWriter::writeAttributes(ByteSink &sink, Operation *op, const OpRecord &record,
                                              ArrayRef<int32_t> segments) {
  uint8_t minor = state.version.level();
  SmallVector<int32_t> counts = operandCounts(op, record, segments);
  SmallVector<Attribute> values(record.fields.size());
  uint64_t flags = 0;
  size_t operandField = 0;
  for (auto [i, field] : llvm::enumerate(record.fields)) {
    bool present;
    if (isOperand(field.kind)) {
      present = counts[operandField++] > 0;
    } else {
      values[i] = op->getAttr(field.name);
      present = static_cast<bool>(values[i]);
    }
    if (!record.hasField(field, minor)) {
      if (isOperand(field.kind) ? present : !saysNothing(field, values[i]))
        return tooNew(op, field);
    } else if (present && record.flagBits[i] >= 0) {
      flags |= uint64_t(1) << record.flagBits[i];
    }
  }
  if (record.hasFlags(minor))
    sink.varInt(flags);

  for (auto [i, field] : llvm::enumerate(record.fields)) {
    if (isOperand(field.kind) || field.kind == FieldKind::Unit || !record.hasField(field, minor) ||
        (field.optional && !values[i]))
      continue;
    if (field.kind == FieldKind::BoolArray && !values[i]) {
      // No `inbounds` means false for every index; the index is the one variadic operand.
      size_t index = 0;
      for (const Field &other : record.fields) {
        if (other.kind == FieldKind::VariadicOperand)
          break;
        index += isOperand(other.kind);
      }
      values[i] =
          DenseBoolArrayAttr::get(op->getContext(), SmallVector<bool>(counts[index], false));
    }
    if (failed(attributes.writeField(sink, op, field, values[i])))
      return failure();
  }
  return success();
}

LogicalResult FunctionWriter::writeOperand(ByteSink &sink, Operation *op, Value value) {
  auto it = valueIndices.find(value);
  if (it == valueIndices.end())
    return state.fail(op, "uses a value that is not defined before it in the function");
  sink.varInt(it->second);
  return success();
}

LogicalResult FunctionWriter::writeOperands(ByteSink &sink, Operation *op, const OpRecord &record,
                                            ArrayRef<int32_t> segments) {
  if (!record.segmented) {
    if (record.countsOperands)
      sink.varInt(op->getNumOperands());
    for (Value operand : op->getOperands())
      if (failed(writeOperand(sink, op, operand)))
        return failure();
    return success();
  }
  unsigned next = 0;
  size_t segment = 0;
  for (const Field &field : record.fields) {
    if (!isOperand(field.kind))
      continue;
    int32_t count = segments[segment++];
    if (field.kind == FieldKind::VariadicOperand)
      sink.varInt(static_cast<uint64_t>(count));
    for (int32_t i = 0; i < count; ++i)
      if (failed(writeOperand(sink, op, op->getOperand(next++))))
        return failure();
  }
  return success();
}

LogicalResult FunctionWriter::writeRegions(ByteSink &sink, Operation *op) {
  if (op->getNumRegions() == 0)
    return success();
  sink.varInt(op->getNumRegions());
  for (Region &region : op->getRegions()) {
    sink.varInt(region.getBlocks().size());
    for (Block &block : region) {
      uint64_t outer = nextValue;
      sink.varInt(block.getNumArguments());
      for (BlockArgument argument : block.getArguments()) {
        if (failed(types.write(sink, argument.getType())))
          return failure();
        valueIndices[argument] = nextValue++;
      }
      sink.varInt(block.getOperations().size());
      for (Operation &inner : block)
        if (failed(writeOp(sink, &inner)))
          return failure();
      // The verifier keeps values of a closed block from being used, so their entries may stay in
      // the map.
      nextValue = outer;
    }
  }
  return success();
}
