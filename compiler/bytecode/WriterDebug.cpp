//===- WriterDebug.cpp - the debug section ----------------------------------------------------===//
//
// The inverse of ReaderDebug.cpp: one list of records per function that has a location, in the
// order of its ops.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/WriterTables.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;

/// Locations without a debug scope carry nothing that the format can hold.
static bool isRecorded(Attribute attr) {
  return !isa<UnknownLoc, FileLineColLoc>(attr);
}

uint64_t DebugPool::openFunction(Operation *function) {
  recording = isRecorded(function->getLoc());
  if (!recording)
    return 0;
  owners.push_back({index(function->getLoc())});
  return owners.size() - 1 + kDebugReserved;
}

LogicalResult DebugPool::check(Operation *op, Location loc) {
  if (isa<cuda_tile::DILocAttr, FileLineColLoc, UnknownLoc>(loc))
    return success();
  if (!checked.insert(loc).second)
    return success();
  if (auto site = dyn_cast<CallSiteLoc>(loc))
    return failure(failed(check(op, site.getCallee())) || failed(check(op, site.getCaller())));
  StringRef kind = llvm::TypeSwitch<Attribute, StringRef>(loc)
                       .Case([](OpaqueLoc) { return "OpaqueLoc"; })
                       .Case([](NameLoc) { return "NameLoc"; })
                       .Case([](FusedLoc) { return "FusedLoc"; })
                       .Default([](Attribute) { return "Unknown Attribute"; });
  return state.fail(op,
                    "unsupported location, got " + kind + ", expected DILocAttr or CallSiteLoc");
}

LogicalResult DebugPool::addOp(Operation *op) {
  if (failed(check(op, op->getLoc())))
    return failure();
  if (recording)
    owners.back().push_back(index(op->getLoc()));
  return success();
}

uint64_t DebugPool::index(Attribute attr) {
  if (!isRecorded(attr))
    return 0;
  auto it = indices.find(attr);
  if (it != indices.end())
    return it->second;
  ByteSink sink;
  encode(sink, attr);
  uint64_t result = items.size() + kDebugReserved;
  indices[attr] = result;
  items.push_back(sink.str());
  return result;
}

void DebugPool::encode(ByteSink &sink, Attribute attr) {
  using namespace cuda_tile;
  llvm::TypeSwitch<Attribute>(attr)
      .Case([&](DICompileUnitAttr unit) {
        sink.varInt(DebugTag::CompileUnit);
        sink.varInt(index(unit.getFile()));
      })
      .Case([&](DIFileAttr file) {
        sink.varInt(DebugTag::File);
        sink.varInt(strings.index(file.getName()));
        sink.varInt(strings.index(file.getDirectory()));
      })
      .Case([&](DILexicalBlockAttr block) {
        sink.varInt(DebugTag::LexicalBlock);
        sink.varInt(index(block.getScope()));
        sink.varInt(index(block.getFile()));
        sink.varInt(block.getLine());
        sink.varInt(block.getColumn());
      })
      .Case([&](DILocAttr loc) {
        sink.varInt(DebugTag::Loc);
        sink.varInt(index(loc.getScope()));
        sink.varInt(strings.index(loc.getSourceLoc().getFilename()));
        sink.varInt(loc.getSourceLoc().getLine());
        sink.varInt(loc.getSourceLoc().getColumn());
      })
      .Case([&](DISubprogramAttr program) {
        sink.varInt(DebugTag::Subprogram);
        sink.varInt(index(program.getFile()));
        sink.varInt(program.getLine());
        sink.varInt(strings.index(program.getName()));
        sink.varInt(strings.index(program.getLinkageName()));
        sink.varInt(index(program.getCompileUnit()));
        sink.varInt(program.getScopeLine());
        if (state.version.level() >= 5)
          sink.varInt(program.getFlags());
      })
      .Case([&](CallSiteLoc site) {
        sink.varInt(DebugTag::CallSite);
        sink.varInt(index(site.getCallee()));
        sink.varInt(index(site.getCaller()));
      })
      .Default([&](Attribute) { sink.varInt(DebugTag::Unknown); });
}

void DebugPool::write(ByteSink &sink) const {
  sink.varInt(owners.size());
  sink.align(4);
  uint32_t start = 0;
  for (const auto &owner : owners) {
    sink.little<uint32_t>(start);
    start += static_cast<uint32_t>(owner.size());
  }
  sink.varInt(start);
  sink.align(8);
  for (const auto &owner : owners)
    for (uint64_t record : owner)
      sink.little<uint64_t>(record);
  writeTable<uint32_t>(sink, items);
}
