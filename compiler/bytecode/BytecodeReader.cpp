//===- BytecodeReader.cpp - the container and the order of reading ----------------------------===//
//
//   header: magic[8], major u8, minor u8, tag u16; then sections in any order, the end section last
//   section: id byte (top bit: aligned), length varint, [alignment varint, padding], payload
//
// Steps: header, section windows, tables (strings, types, constants, debug), producer, globals,
// functions, verifier.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"

#include "compiler/bytecode/FunctionReader.h"
#include "compiler/dialect/CudaTile/IR/PrintSpelling.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/Verifier.h"

#include <array>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::StringRef;
using llvm::Twine;

namespace {
constexpr uint64_t kHeaderSize = sizeof(kMagic) + 4;

llvm::ArrayRef<uint8_t> bytesOf(StringRef data) {
  return {reinterpret_cast<const uint8_t *>(data.data()), data.size()};
}

/// One read of one file.
class FileReader {
public:
  FileReader(StringRef data, MLIRContext *context)
      : data(data), state(context), types(state), debug(state, strings) {}

  LogicalResult read(OwningOpRef<cuda_tile::ModuleOp> &module, const ReaderOptions &options);
  const std::string &error() const { return state.errors.text(); }

  /// What the verifier says about the module when each op's location is its offset.
  std::string diagnoseByOffset();

private:
  LogicalResult readHeader(Cursor &cursor);
  LogicalResult readSections(Cursor &cursor);
  LogicalResult readSectionHeader(Cursor &cursor, uint8_t &id, uint64_t &length);
  LogicalResult openTables();
  LogicalResult verifyModule(cuda_tile::ModuleOp module);

  StringRef data;
  ReaderState state;
  StringTable strings;
  TypeTable types;
  ConstantTable constants;
  DebugTable debug;
  std::array<std::optional<Cursor>, kNumSections> sections;
};
} // namespace

// [spec: bytecode-magic, bytecode-version, bytecode-preview, file_magic, file_magic_mlir]
LogicalResult FileReader::readHeader(Cursor &cursor) {
  if (!isTileIRBytecode(data)) {
    if (data.starts_with(StringRef(reinterpret_cast<const char *>(kMLIRMagic), sizeof(kMLIRMagic))))
      return cursor.fail("input is MLIR bytecode, expected Tile IR bytecode (mlir-opt reads it)");
    return cursor.fail("input does not correspond to Tile IR bytecode: invalid magic number, "
                       "expected 7F 54 69 6C 65 "
                       "49 52 00");
  }
  llvm::ArrayRef<uint8_t> magic;
  Version &version = state.version;
  if (failed(cursor.readBytes(magic, sizeof(kMagic), "magic")) ||
      failed(cursor.readByte(version.major, "major version")) ||
      failed(cursor.readByte(version.minor, "minor version")) ||
      failed(cursor.readLE(version.tag, "version tag")))
    return failure();
  if (!isSupported(version, state.context)) // [spec: file_version]
    return cursor.fail("unsupported Tile IR bytecode version: " + version.str() +
                       ", this reader supports versions 13." + Twine(unsigned(kOldestMinor)) +
                       " to 13." + Twine(newestMinor(state.context)));
  if (version.tag & ~kPreviewTag) // [spec: file_version_tag]
    return cursor.fail("header has unrecognized version tag bits (0x" +
                       Twine::utohexstr(version.tag & ~unsigned(kPreviewTag)) + ");");
  if (version.tag & kPreviewTag) { // [spec: file_preview_tag]
    if (version.minor != kNewestMinor)
      return cursor.fail(
          "public-preview bytecode at version " + version.str() + "." + Twine(version.tag) +
          " is not readable; preview content is only valid at the current version 13." +
          Twine(unsigned(kNewestMinor)));
    return cursor.fail(
        "public-preview bytecode requires at least one enabled preview feature; none is supported");
  }
  return success();
}

// [spec: bytecode-alignment, file_alignment_missing, file_alignment_value]
LogicalResult FileReader::readSectionHeader(Cursor &cursor, uint8_t &id, uint64_t &length) {
  uint8_t byte;
  if (failed(cursor.readByte(byte, "section ID and alignment flag")))
    return failure();
  id = byte & ~kSectionAligned;
  bool aligned = byte & kSectionAligned;
  if (id == kEnd) {
    if (aligned) // [spec: file_end_aligned]
      return cursor.fail("end section should not have alignment flag set");
    return success();
  }
  if (id >= kNumSections) // [spec: file_section_unknown]
    return cursor.fail("unknown section ID: " + Twine(unsigned(id)));
  if (failed(cursor.readVarInt(length, "section length")))
    return failure();
  if (length > cursor.remaining()) // [spec: file_section_length]
    return cursor.fail("section length " + Twine(length) + " exceeds remaining data size " +
                       Twine(cursor.remaining()));
  uint64_t alignment = 1;
  if (aligned) {
    if (failed(cursor.readVarInt(alignment, "section alignment")))
      return failure();
    if (!llvm::isPowerOf2_64(alignment) || alignment > kMaxAlignment)
      return cursor.fail("invalid alignment value: " + Twine(alignment));
    if (failed(cursor.align(alignment, "section padding")))
      return failure();
  }
  uint64_t required = requiredAlignment(id);
  if (alignment % required != 0 && !TILESMITH_PLANT("reader-ignores-alignment")) {
    std::string got =
        aligned ? "has alignment of " + std::to_string(alignment) : "has no alignment flag set";
    return cursor.fail("section " + Twine(unsigned(id)) +
                       " must have alignment that is a multiple of " + Twine(required) +
                       " bytes, but " + got);
  }
  return success();
}

// [spec: bytecode-sections, bytecode-strict, file_end_not_last, file_section_twice]
LogicalResult FileReader::readSections(Cursor &cursor) {
  while (true) {
    uint8_t id = 0;
    uint64_t length = 0;
    if (failed(readSectionHeader(cursor, id, length)))
      return state.errors.note("failed to parse section header");
    if (id == kEnd) {
      if (!cursor.atEnd() && !TILESMITH_PLANT("reader-ignores-tail"))
        return cursor.fail("end section is not the last section, " + Twine(cursor.remaining()) +
                           " bytes follow");
      return success();
    }
    if (sections[id] && !TILESMITH_PLANT("reader-keeps-last-section"))
      return cursor.fail("duplicate " + sectionName(id) + " section");
    if (length > cursor.remaining())
      return cursor.fail("section length " + Twine(length) + " exceeds remaining bytecode data " +
                         Twine(cursor.remaining()));
    uint64_t begin = cursor.offset();
    llvm::ArrayRef<uint8_t> payload;
    if (failed(cursor.readBytes(payload, length, "section payload")))
      return failure();
    sections[id] = Cursor(bytesOf(data), begin, begin + length, sectionName(id), state.errors);
  }
}

// [spec: file_no_strings, file_no_functions]
LogicalResult FileReader::openTables() {
  Cursor file(bytesOf(data), data.size(), data.size(), "end", state.errors);
  if (!sections[kString])
    return file.fail("string section is mandatory");
  if (!sections[kFunc])
    return file.fail("function section is mandatory");
  if (failed(strings.open(*sections[kString])))
    return failure();
  if (sections[kType] && failed(types.open(*sections[kType])))
    return failure();
  if (sections[kConstant] && failed(constants.open(*sections[kConstant])))
    return failure();
  return sections[kDebug] ? debug.open(*sections[kDebug]) : success();
}

// [spec: bytecode-verified]
LogicalResult FileReader::verifyModule(cuda_tile::ModuleOp module) {
  if (succeeded(verify(module)))
    return success();
  // A second read with offsets for locations; rules about debug information are the only ones that
  // it cannot break.
  std::string diagnostics = FileReader(data, state.context).diagnoseByOffset();
  if (diagnostics.empty())
    diagnostics = "function section, offset " + std::to_string(sections[kFunc]->offset()) + ": " +
                  state.takeDiagnostics();
  return state.errors.failVerbatim(diagnostics +
                                   "\nverification failed for deserialized cuda_tile::ModuleOp");
}

std::string FileReader::diagnoseByOffset() {
  OwningOpRef<cuda_tile::ModuleOp> module;
  ReaderOptions options;
  options.verify = false;
  state.offsetsAsLocations = true;
  if (succeeded(read(module, options)))
    (void)verify(*module);
  return state.takeDiagnostics();
}

LogicalResult FileReader::read(OwningOpRef<cuda_tile::ModuleOp> &module,
                               const ReaderOptions &options) {
  Cursor cursor(bytesOf(data), 0, data.size(), "header", state.errors);
  if (failed(readHeader(cursor)) || failed(readSections(cursor)) || failed(openTables()))
    return failure();

  OpBuilder builder(state.context);
  OperationState op(UnknownLoc::get(state.context), cuda_tile::ModuleOp::getOperationName());
  op.addAttribute("sym_name", builder.getStringAttr("kernels"));
  if (sections[kProducer]) {
    StringRef producer;
    if (failed(strings.read(producer, *sections[kProducer], "producer")))
      return failure();
    op.addAttribute("producer", builder.getStringAttr(producer));
  }
  op.addRegion();
  module = cast<cuda_tile::ModuleOp>(builder.create(op));
  Block &body = module->getOperation()->getRegion(0).emplaceBlock();

  FunctionReader functions(state, strings, types, constants, debug);
  if (sections[kGlobal] && failed(functions.readGlobals(*sections[kGlobal], body)))
    return state.errors.note("failed to parse global section");
  if (failed(functions.readFunctions(*sections[kFunc], body)))
    return failure();
  cuda_tile::spellPrintsForProfile(*module);
  return options.verify ? verifyModule(*module) : success();
}

bool tilesmith::bytecode::isTileIRBytecode(StringRef data) {
  return data.starts_with(StringRef(reinterpret_cast<const char *>(kMagic), sizeof(kMagic)));
}

llvm::Expected<Version> tilesmith::bytecode::readVersion(StringRef data) {
  if (!isTileIRBytecode(data) || data.size() < kHeaderSize)
    return llvm::createStringError("input does not correspond to Tile IR bytecode");
  Version version;
  version.major = static_cast<uint8_t>(data[8]);
  version.minor = static_cast<uint8_t>(data[9]);
  version.tag =
      static_cast<uint16_t>(static_cast<uint8_t>(data[10]) | (static_cast<uint8_t>(data[11]) << 8));
  return version;
}

llvm::Expected<OwningOpRef<cuda_tile::ModuleOp>>
tilesmith::bytecode::readBytecode(StringRef data, MLIRContext *context, ReaderOptions options) {
  context->getOrLoadDialect<cuda_tile::CudaTileDialect>();
  FileReader reader(data, context);
  OwningOpRef<cuda_tile::ModuleOp> module;
  if (failed(reader.read(module, options)))
    return llvm::createStringError(reader.error());
  return module;
}
