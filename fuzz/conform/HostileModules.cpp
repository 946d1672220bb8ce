//===- HostileModules.cpp - modules that no writer makes --------------------------------------===//
#include "fuzz/conform/HostileModules.h"

#include "compiler/bytecode/ByteSink.h"
#include "compiler/bytecode/Format.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::StringRef;

namespace {

// Opcodes and their empty lists of attributes, results, operands (OpTable.cpp).
constexpr StringRef kReturn("\x5c\0\0", 3);
constexpr StringRef kContinue("\x11\0\0", 3);
// A loop of one region with one block without arguments; what follows is the number of its ops.
constexpr StringRef kLoop("\x41\0\0\x01\x01\0", 6);

std::string record(std::initializer_list<uint64_t> values) {
  ByteSink sink;
  for (uint64_t value : values)
    sink.varInt(value);
  return sink.str();
}

void section(ByteSink &module, Section id, StringRef payload) {
  module.byte(id | kSectionAligned);
  module.varInt(payload.size());
  module.varInt(requiredAlignment(id));
  module.align(requiredAlignment(id));
  module.raw(payload);
}

std::string tableOf(llvm::ArrayRef<std::string> items) {
  ByteSink sink;
  writeTable<uint32_t>(sink, items);
  return sink.str();
}

/// One entry @k without parameters; `location` is an index of the debug section. `other` stands in
/// place of a section, or is one more.
std::string module(StringRef body, uint64_t location = 0, Section changed = kEnd,
                   StringRef other = "") {
  ByteSink function, file;
  function.raw(record({1, /*name=*/0, /*type=*/0, kKernel, location, body.size()}));
  function.raw(body);
  file.raw(StringRef(reinterpret_cast<const char *>(kMagic), sizeof kMagic));
  file.raw(record({13, 1, 0, 0}));
  std::vector<std::pair<Section, std::string>> sections = {
      {kFunc, function.str()},
      {kType, tableOf({record({uint64_t(TypeTag::Function), 0, 0})})},
      {kString, tableOf({"k", "file.py", "cuda_tile.x"})}};
  if (changed == kDebug)
    sections.emplace_back(kDebug, "");
  for (const auto &[id, payload] : sections)
    section(file, id, id == changed ? other : StringRef(payload));
  file.byte(kEnd);
  return file.str();
}

/// Compile unit, file and subprogram: what the scopes of an entry hang on. Index 4 is the first of
/// those behind them.
std::vector<std::string> outerScopes() {
  return {record({uint64_t(DebugTag::File), 1, 1}), record({uint64_t(DebugTag::CompileUnit), 1}),
          record({uint64_t(DebugTag::Subprogram), 1, 7, 0, 0, 2, 8})};
}
constexpr uint64_t kSubprogram = 3;

/// The entry lies at record `function`, its only operation at record `op`.
std::string debugSection(llvm::ArrayRef<std::string> records, uint64_t function, uint64_t op) {
  ByteSink sink;
  sink.varInt(1); // of functions
  sink.align(sizeof(uint32_t));
  sink.little<uint32_t>(0);
  sink.varInt(2); // of locations
  sink.align(sizeof(uint64_t));
  sink.little<uint64_t>(function);
  sink.little<uint64_t>(op);
  writeTable<uint32_t>(sink, records);
  return sink.str();
}

} // namespace

std::string tilesmith::fuzz::conform::nestedRegions(unsigned depth) {
  ByteSink body;
  for (unsigned level = 1; level <= depth; ++level) {
    body.raw(kLoop);
    body.varInt(level == depth ? 1 : 2); // the next loop, and what ends the block
  }
  for (unsigned level = 0; level < depth; ++level)
    body.raw(kContinue);
  body.raw(kReturn);
  return module(body.str());
}

std::string tilesmith::fuzz::conform::chainedCallSites(unsigned count) {
  std::vector<std::string> records = outerScopes();
  uint64_t location = records.size() + 1;
  records.push_back(record({uint64_t(DebugTag::Loc), kSubprogram, 1, 9, 4}));
  for (unsigned i = 0; i < count; ++i)
    records.push_back(record({uint64_t(DebugTag::CallSite), records.size(), location}));
  return module(kReturn, 1, kDebug, debugSection(records, location, records.size()));
}

std::string tilesmith::fuzz::conform::chainedLexicalBlocks(unsigned count) {
  std::vector<std::string> records = outerScopes();
  records.push_back(record({uint64_t(DebugTag::Loc), kSubprogram, 1, 9, 4}));
  for (unsigned i = 0; i < count; ++i)
    records.push_back(
        record({uint64_t(DebugTag::LexicalBlock), i == 0 ? kSubprogram : records.size(), 1, 1, 1}));
  records.push_back(record({uint64_t(DebugTag::Loc), records.size(), 1, 9, 4}));
  return module(kReturn, 1, kDebug, debugSection(records, kSubprogram + 1, records.size()));
}

std::string tilesmith::fuzz::conform::announcedElements(uint8_t section, uint64_t count) {
  return module(kReturn, 0, static_cast<Section>(section), record({count}) + std::string(64, '\0'));
}

std::vector<std::pair<std::string, std::string>> tilesmith::fuzz::conform::hostileModules() {
  return {{"regions-nested-5000-deep", nestedRegions(5000)},
          {"call-sites-20000", chainedCallSites(20000)},
          {"lexical-blocks-20000", chainedLexicalBlocks(20000)},
          {"functions-announced-2^31", announcedElements(kFunc, uint64_t(1) << 31)},
          {"functions-announced-2^62", announcedElements(kFunc, uint64_t(1) << 62)},
          {"types-announced-2^31", announcedElements(kType, uint64_t(1) << 31)},
          {"types-announced-2^62", announcedElements(kType, uint64_t(1) << 62)}};
}
