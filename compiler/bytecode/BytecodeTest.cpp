//===- BytecodeTest.cpp - real files, round trips, hostile input ---------------------------------------------===//
//
// Real files come from corpus/frontends; with TILESMITH_FRONTENDS set (folders separated by ':') those are read as well.
//
//===----------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/bytecode/ByteSink.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::bytecode;
using testing::HasSubstr;

namespace {

class BytecodeTest : public testing::Test {
protected:
  BytecodeTest() { resetContext(); }

  void resetContext() {
    holder = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    // Real files are judged by the rules of the tools that their frontends target.
    holder->getOrLoadDialect<cuda_tile::CudaTileDialect>()->setProfile(cuda_tile::Profile::Tileiras13_5);
  }

  std::string print(cuda_tile::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, mlir::OpPrintingFlags().printGenericOpForm().enableDebugInfo());
    return text;
  }

  std::string printPretty(cuda_tile::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return llvm::StringRef(text).rtrim().str(); // a top-level op ends in a newline, a nested one does not
  }

  /// Text of the module, or "error: …".
  std::string read(llvm::StringRef data) {
    auto module = readBytecode(data, holder.get());
    return module ? print(module->get()) : "error: " + llvm::toString(module.takeError());
  }

  std::string write(cuda_tile::ModuleOp module, Version version) {
    std::string data;
    llvm::raw_string_ostream os(data);
    if (llvm::Error error = writeBytecode(module, os, version))
      return "error: " + llvm::toString(std::move(error));
    return data;
  }

  /// Parses the body of a module and writes it.
  std::string assemble(llvm::StringRef body, Version version = {13, 3, 0}) {
    auto module = parse(body);
    return module ? write(*module, version) : "error: text does not parse";
  }

  mlir::OwningOpRef<cuda_tile::ModuleOp> parse(llvm::StringRef body) {
    std::string text = ("cuda_tile.module @kernels {\n" + body + "\n}").str();
    auto outer = mlir::parseSourceString<mlir::ModuleOp>(text, holder.get());
    if (!outer)
      return {};
    auto inner = mlir::cast<cuda_tile::ModuleOp>(outer->getBody()->front());
    inner->remove();
    return inner;
  }

  std::unique_ptr<mlir::MLIRContext> holder;
};

std::vector<std::string> realFiles() {
  std::vector<std::string> folders, files;
  if (const char *root = std::getenv("TILESMITH_SOURCE_DIR"))
    folders.push_back(std::string(root) + "/corpus/frontends");
  if (const char *more = std::getenv("TILESMITH_FRONTENDS")) {
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(more).split(parts, ':', -1, /*KeepEmpty=*/false);
    folders.insert(folders.end(), parts.begin(), parts.end());
  }
  for (const std::string &folder : folders) {
    std::error_code error;
    for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
      if (llvm::StringRef(it->path()).ends_with(".tileirbc"))
        files.push_back(it->path());
  }
  llvm::sort(files);
  return files;
}

std::string contents(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// Files whose case says that refusing them is right (shared/frontends/README.md).
bool mayBeRejected(llvm::StringRef path) {
  std::string folder = path.rsplit('/').first.str();
  return llvm::StringRef(contents(folder + "/case.json")).contains("\"may_reject\": true");
}

/// Locations of all ops. Text has no place for those of block arguments and of terminators that it leaves out.
std::vector<std::string> locations(cuda_tile::ModuleOp module) {
  std::vector<std::string> result;
  module->walk([&](mlir::Operation *op) {
    if (op->hasTrait<mlir::OpTrait::IsTerminator>() && op->getNumOperands() == 0)
      return;
    llvm::raw_string_ostream(result.emplace_back()) << op->getName() << ' ' << op->getLoc();
  });
  return result;
}

const char *kSmall = R"(
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %c = constant <f32: 1.5> : tile<f32>
    return
  })";

TEST_F(BytecodeTest, ReadsEveryRealFileAndWritesItBackToTheSameIR) {
  auto files = realFiles();
  ASSERT_FALSE(files.empty());
  unsigned ok = 0;
  for (const std::string &path : files) {
    std::string data = contents(path);
    auto version = readVersion(data);
    ASSERT_TRUE(static_cast<bool>(version)) << path;
    auto module = readBytecode(data, holder.get());
    if (!module) {
      std::string error = llvm::toString(module.takeError());
      EXPECT_TRUE(mayBeRejected(path)) << path << ": " << error;
      continue;
    }
    std::string again = write(module->get(), *version);
    EXPECT_EQ(print(module->get()), read(again)) << path;
    ++ok;
  }
  RecordProperty("read", static_cast<int>(ok));
}

TEST_F(BytecodeTest, TextOfEveryRealFileParsesBackToTheSameIR) {
  for (const std::string &path : realFiles()) {
    auto module = readBytecode(contents(path), holder.get());
    if (!module) {
      EXPECT_TRUE(mayBeRejected(path)) << path << ": " << llvm::toString(module.takeError());
      continue;
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    (*module)->print(os, mlir::OpPrintingFlags().enableDebugInfo());
    auto outer = mlir::parseSourceString<mlir::ModuleOp>(text, holder.get());
    ASSERT_TRUE(outer) << path;
    auto inner = mlir::cast<cuda_tile::ModuleOp>(outer->getBody()->front());
    EXPECT_EQ(printPretty(inner), printPretty(module->get())) << path;
    EXPECT_THAT(locations(inner), testing::ContainerEq(locations(module->get()))) << path;
  }
}

TEST_F(BytecodeTest, EveryTruncationOfAFileIsACleanError) {
  unsigned modules = 0;
  for (const std::string &path : realFiles()) {
    std::string data = contents(path);
    if (data.size() > 3000 || ++modules > 10)
      continue;
    for (size_t size = 0; size < data.size(); ++size)
      ASSERT_THAT(read(llvm::StringRef(data).take_front(size)), HasSubstr("error: ")) << path << " cut at " << size;
  }
}

TEST_F(BytecodeTest, NoSingleByteChangeCrashesTheReader) {
  unsigned modules = 0;
  for (const std::string &path : realFiles()) {
    std::string data = contents(path);
    if (data.size() > 2500 || ++modules > 3)
      continue;
    for (size_t at = 0; at < data.size(); ++at)
      for (char mask : {'\x01', '\x80', '\xFF'}) {
        std::string changed = data;
        changed[at] ^= mask;
        (void)read(changed);
      }
  }
}

/// Random edits of real files; TILESMITH_MUTATIONS sets their number.
TEST_F(BytecodeTest, RandomEditsOfRealFilesNeverCrashTheReader) {
  std::vector<std::string> files = realFiles();
  const char *wanted = std::getenv("TILESMITH_MUTATIONS");
  uint64_t count = wanted ? std::strtoull(wanted, nullptr, 10) : 3000;
  std::mt19937_64 random(1);
  auto below = [&](uint64_t bound) { return random() % bound; };
  std::string data;
  unsigned readable = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (i % 64 == 0)
      data = contents(files[below(files.size())]);
    std::string changed = data;
    for (uint64_t edits = 1 + below(4); edits; --edits) {
      size_t at = 12 + below(changed.size() - 12);
      switch (below(5)) {
      case 0:
        changed[at] = static_cast<char>(below(256));
        break;
      case 1:
        changed[at] = static_cast<char>(changed[at] + (below(2) ? 1 : -1));
        break;
      case 2:
        changed[at] ^= static_cast<char>(1 << below(8));
        break;
      case 3: { // copy a few bytes from elsewhere
        size_t size = std::min<size_t>(1 + below(8), changed.size() - at);
        size_t from = below(changed.size() - size);
        changed.replace(at, size, changed.substr(from, size));
        break;
      }
      default:
        changed[at] = static_cast<char>(below(4)); // small numbers are valid indices and flags
      }
    }
    readable += read(changed).starts_with("error: ") ? 0 : 1;
    if (i % 4096 == 4095)
      resetContext();
  }
  RecordProperty("readable", static_cast<int>(readable));
}

TEST_F(BytecodeTest, RoundTripsEveryVersion) {
  for (uint8_t minor = kOldestMinor; minor <= kNewestMinor; ++minor) {
    Version version{13, minor, 0};
    std::string data = assemble(kSmall, version);
    ASSERT_TRUE(isTileIRBytecode(data)) << data;
    auto module = readBytecode(data, holder.get());
    ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
    EXPECT_EQ(printPretty(module->get()), printPretty(*parse(kSmall)));
    auto stored = readVersion(data);
    ASSERT_TRUE(static_cast<bool>(stored));
    EXPECT_EQ(stored->minor, minor);
  }
}

TEST_F(BytecodeTest, NamesMLIRBytecodeAndOtherInput) {
  EXPECT_THAT(read(llvm::StringRef("ML\xEFR\x0D", 5)), HasSubstr("input is MLIR bytecode"));
  EXPECT_THAT(read("module {}"), HasSubstr("header, offset 0: input does not correspond to Tile IR bytecode"));
  EXPECT_THAT(read(""), HasSubstr("input does not correspond to Tile IR bytecode"));
}

TEST_F(BytecodeTest, RefusesVersionsAndTagBitsItDoesNotKnow) {
  std::string data = assemble(kSmall);
  data[9] = 6;
  EXPECT_THAT(read(data), HasSubstr("unsupported Tile IR bytecode version: 13.6"));
  data[9] = 0;
  EXPECT_THAT(read(data), HasSubstr("unsupported Tile IR bytecode version: 13.0"));
  data[9] = 3;
  data[10] = 2;
  EXPECT_THAT(read(data), HasSubstr("header, offset 12: header has unrecognized version tag bits (0x2);"));
  data[10] = 1;
  EXPECT_THAT(read(data), HasSubstr("preview content is only valid at the current version 13.5"));
  data[9] = 5;
  EXPECT_THAT(read(data), HasSubstr("requires at least one enabled preview feature"));
}

TEST_F(BytecodeTest, RefusesWhatAnOlderVersionCannotHold) {
  const char *atan2 = R"(entry @k(%x: tile<f32>) { %0 = atan2 %x, %x : tile<f32>
    return })";
  EXPECT_THAT(assemble(atan2, {13, 1, 0}),
              HasSubstr("operation 'cuda_tile.atan2' is not available in bytecode version 13.1"));
  EXPECT_TRUE(isTileIRBytecode(assemble(atan2, {13, 2, 0})));

  // The same opcode in a file that says it is older.
  std::string data = assemble(atan2, {13, 2, 0});
  data[9] = 1;
  EXPECT_THAT(read(data), HasSubstr("unsupported opcode 110 for bytecode version 13.1"));
}

//===----------------------------------------------------------------------------------------------===//
// hand-made files
//===----------------------------------------------------------------------------------------------===//

/// A file made of sections given as payloads.
class FileMaker {
public:
  explicit FileMaker(uint8_t minor = 3) {
    for (unsigned char byte : kMagic)
      file.byte(byte);
    file.byte(13);
    file.byte(minor);
    file.little<uint16_t>(0);
  }
  FileMaker &section(uint8_t id, const ByteSink &payload) {
    uint64_t alignment = requiredAlignment(id);
    file.byte(alignment > 1 ? id | kSectionAligned : id);
    file.varInt(payload.size());
    if (alignment > 1) {
      file.varInt(alignment);
      file.align(alignment);
    }
    file.raw(payload.str());
    return *this;
  }
  FileMaker &raw(llvm::StringRef bytes) {
    file.raw(bytes);
    return *this;
  }
  std::string done() {
    file.byte(kEnd);
    return file.str();
  }

private:
  ByteSink file;
};

ByteSink table(std::vector<std::string> items) {
  ByteSink sink;
  writeTable<uint32_t>(sink, items);
  return sink;
}

/// A function section with one kernel of the given body: name 0, signature type `signature`.
ByteSink oneKernel(llvm::StringRef body, uint64_t signature = 0) {
  ByteSink sink;
  sink.varInt(1);
  sink.varInt(0);
  sink.varInt(signature);
  sink.byte(kKernel);
  sink.varInt(0);
  sink.varInt(body.size());
  sink.raw(body);
  return sink;
}

const std::string kNoArguments("\x10\x00\x00", 3);
const std::string kReturn("\x5C\x00\x00", 3);

TEST_F(BytecodeTest, ReadsTheSmallestKernel) {
  std::string data =
      FileMaker().section(kFunc, oneKernel(kReturn)).section(kType, table({kNoArguments})).section(kString, table({"k"})).done();
  EXPECT_THAT(read(data), HasSubstr("\"cuda_tile.return\""));
}

TEST_F(BytecodeTest, NamesSectionAndOffsetOfMissingAndDuplicateSections) {
  EXPECT_THAT(read(FileMaker().done()), HasSubstr("string section is mandatory"));
  EXPECT_THAT(read(FileMaker().section(kString, table({})).done()), HasSubstr("function section is mandatory"));
  EXPECT_THAT(read(FileMaker().section(kString, table({})).section(kString, table({})).done()),
              HasSubstr("duplicate string section"));
  EXPECT_THAT(read(FileMaker().raw("\x08").done()), HasSubstr("header, offset 13: unknown section ID: 8"));
  EXPECT_THAT(read(FileMaker().done() + "x"), HasSubstr("end section is not the last section"));
}

TEST_F(BytecodeTest, ChecksSectionAlignment) {
  EXPECT_THAT(read(FileMaker().raw(llvm::StringRef("\x01\x00", 2)).done()),
              HasSubstr("section 1 must have alignment that is a multiple of 4 bytes, but has no alignment flag set"));
  EXPECT_THAT(read(FileMaker().raw(llvm::StringRef("\x81\x00\x03", 3)).done()), HasSubstr("invalid alignment value: 3"));
  EXPECT_THAT(read(FileMaker().raw(llvm::StringRef("\x81\x00\x80\x80\x01", 5)).done()),
              HasSubstr("invalid alignment value: 16384"));
}

TEST_F(BytecodeTest, CountBombsAreErrorsBeforeAnythingIsAllocated) {
  ByteSink bomb;
  bomb.varInt(uint64_t(1) << 62);
  EXPECT_THAT(read(FileMaker().section(kString, bomb).section(kFunc, oneKernel(kReturn)).done()),
              HasSubstr("number of strings (4611686018427387904) exceeds"));
  EXPECT_THAT(read(FileMaker().section(kString, table({"k"})).section(kFunc, bomb).done()),
              HasSubstr("number of functions"));
  EXPECT_THAT(
      read(FileMaker().section(kString, table({"k"})).section(kType, bomb).section(kFunc, oneKernel(kReturn)).done()),
      HasSubstr("number of types"));
  // A function type that promises 2^62 parameters.
  ByteSink type;
  type.varInt(TypeTag::Function);
  type.varInt(uint64_t(1) << 62);
  EXPECT_THAT(read(FileMaker()
                       .section(kString, table({"k"}))
                       .section(kType, table({type.str()}))
                       .section(kFunc, oneKernel(kReturn))
                       .done()),
              HasSubstr("number of parameter type (4611686018427387904) exceeds"));
}

TEST_F(BytecodeTest, TypesThatContainThemselvesAreErrors) {
  // Type 0 is a function that takes type 0.
  EXPECT_THAT(read(FileMaker()
                       .section(kString, table({"k"}))
                       .section(kType, table({std::string("\x10\x01\x00\x00", 4)}))
                       .section(kFunc, oneKernel(kReturn))
                       .done()),
              HasSubstr("type 0 contains itself"));
}

TEST_F(BytecodeTest, TypesOfNewerVersionsAreErrors) {
  auto with = [&](uint8_t minor, std::string type) {
    return read(FileMaker(minor)
                    .section(kString, table({"k"}))
                    .section(kType, table({std::string("\x10\x01\x01\x00", 4), type}))
                    .section(kFunc, oneKernel(kReturn))
                    .done());
  };
  EXPECT_THAT(with(1, "\x12"), HasSubstr("type 'Float8E8M0FNU' requires bytecode version 13.2+, file version is 13.1"));
  EXPECT_THAT(with(2, "\x16"), HasSubstr("type 'Int4' requires bytecode version 13.3+, file version is 13.2"));
  EXPECT_THAT(with(3, "\x82\x01"), HasSubstr("type 'FloatNV8E5M3FNU' requires bytecode version 13.4+"));
  EXPECT_THAT(with(3, "\x17"), HasSubstr("unknown type tag: 23"));
  EXPECT_THAT(with(3, "\x80\x80\x01"), HasSubstr("unknown type tag: 16384"));
  EXPECT_THAT(with(3, "\x11"), HasSubstr("unsupported type in bytecode for entry argument #0: '!cuda_tile.token'"));
}

TEST_F(BytecodeTest, OpcodesOutsideTheTableAreErrors) {
  auto with = [&](std::string body) {
    return read(FileMaker()
                    .section(kString, table({"k"}))
                    .section(kType, table({kNoArguments}))
                    .section(kFunc, oneKernel(body))
                    .done());
  };
  EXPECT_THAT(with("\x19"), HasSubstr("unknown or unimplemented opcode: 25"));
  EXPECT_THAT(with("\x16"), HasSubstr("unknown or unimplemented opcode: 22")); // entry inside a body
  EXPECT_THAT(with("\x76"), HasSubstr("unsupported opcode 118 for bytecode version 13.3"));
  EXPECT_THAT(with("\x82\x80\x01"), HasSubstr("encountered public-preview opcode 16386"));
  EXPECT_THAT(with("\x80\x80\x80\x80\x10"), HasSubstr("operation opcode 4294967296 does not fit 32 bits"));
  EXPECT_THAT(with(std::string("\x5C\x00\x01\x07", 4)), HasSubstr("operand index 7 out of bounds (size=0)"));
}

TEST_F(BytecodeTest, DeepNestingIsAnErrorNotAStackOverflow) {
  // loop { loop { … } }: #results 0, #operands 0, one region of one block without arguments and with one op.
  std::string body;
  for (int i = 0; i < 20000; ++i)
    body += std::string("\x41\x00\x00\x01\x01\x00\x01", 7);
  EXPECT_THAT(read(FileMaker()
                       .section(kString, table({"k"}))
                       .section(kType, table({kNoArguments}))
                       .section(kFunc, oneKernel(body))
                       .done()),
              HasSubstr("regions nest deeper than 256 levels"));
}

/// A debug section whose records are given and whose one owner is a function at the last record.
ByteSink debugSection(const std::vector<std::string> &records) {
  ByteSink sink;
  sink.varInt(1);
  sink.align(4);
  sink.little<uint32_t>(0);
  sink.varInt(2);
  sink.align(8);
  sink.little<uint64_t>(records.size());
  sink.little<uint64_t>(records.size());
  writeTable<uint32_t>(sink, records);
  return sink;
}

std::string withDebug(const std::vector<std::string> &records) {
  std::string function("\x01\x00\x00\x02\x01\x03", 6); // one kernel: name 0, type 0, location index 1, 3 bytes
  ByteSink functions;
  functions.raw(function + kReturn);
  return FileMaker()
      .section(kString, table({"k", "file.py"}))
      .section(kType, table({kNoArguments}))
      .section(kFunc, functions)
      .section(kDebug, debugSection(records))
      .done();
}

TEST_F(BytecodeTest, ReadsDebugRecords) {
  // file, compile unit, subprogram k at line 7, location 9:4 in it.
  std::string text = read(withDebug({std::string("\x02\x01\x01", 3), std::string("\x01\x01", 2),
                                     std::string("\x05\x01\x07\x00\x00\x02\x08", 7),
                                     std::string("\x04\x03\x01\x09\x04", 5)}));
  EXPECT_THAT(text, HasSubstr("di_subprogram"));
  EXPECT_THAT(text, HasSubstr("\"file.py\":9:4"));
}

TEST_F(BytecodeTest, DebugCyclesAndLongChainsAreErrors) {
  EXPECT_THAT(read(withDebug({std::string("\x06\x01\x01", 3)})), HasSubstr("debug info attribute 1 contains itself"));
  std::vector<std::string> chain{std::string("\x00", 1)};
  for (uint64_t i = 1; i < 20000; ++i) {
    ByteSink site;
    site.varInt(DebugTag::CallSite);
    site.varInt(i);
    site.varInt(uint64_t(0));
    chain.push_back(site.str());
  }
  EXPECT_THAT(read(withDebug(chain)), HasSubstr("debug info attributes nest deeper than 256 levels"));
}

TEST_F(BytecodeTest, VerifierErrorsArriveInTheText) {
  // A yield directly inside an entry.
  EXPECT_THAT(read(FileMaker()
                       .section(kString, table({"k"}))
                       .section(kType, table({kNoArguments}))
                       .section(kFunc, oneKernel(std::string("\x6D\x00\x00", 3)))
                       .done()),
              HasSubstr("verification failed for deserialized cuda_tile::ModuleOp"));
}

} // namespace
