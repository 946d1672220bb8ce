//===- BytecodeTest.cpp - real files, round trips, versions -----------------------------------===//
//
// Real files come from corpus/frontends; with TILESMITH_FRONTENDS set (folders separated by ':')
// those are read as well.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeTestSupport.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <random>

using namespace tilesmith;
using namespace tilesmith::bytecode;
using testing::HasSubstr;

namespace {

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
    for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error;
         it.increment(error))
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

/// Locations of all ops. Text has no place for those of block arguments and of terminators that it
/// leaves out.
std::vector<std::string> locations(cuda_tile::ModuleOp module) {
  std::vector<std::string> result;
  module->walk([&](mlir::Operation *op) {
    if (op->hasTrait<mlir::OpTrait::IsTerminator>() && op->getNumOperands() == 0)
      return;
    llvm::raw_string_ostream(result.emplace_back()) << op->getName() << ' ' << op->getLoc();
  });
  return result;
}

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
      ASSERT_THAT(read(llvm::StringRef(data).take_front(size)), HasSubstr("error: "))
          << path << " cut at " << size;
  }
}

TEST_F(BytecodeTest, NoSingleByteChangeCrashesTheReader) {
  unsigned modules = 0, readable = 0, refused = 0;
  for (const std::string &path : realFiles()) {
    std::string data = contents(path);
    if (data.size() > 2500 || ++modules > 3)
      continue;
    for (size_t at = 0; at < data.size(); ++at)
      for (char mask : {'\x01', '\x80', '\xFF'}) {
        std::string changed = data;
        changed[at] ^= mask;
        ++(read(changed).starts_with("error: ") ? refused : readable);
      }
  }
  EXPECT_GE(modules, 1u);
  EXPECT_GT(readable, 0u);
  EXPECT_GT(refused, readable) << "most bytes mean something";
}

/// Random edits of real files; TILESMITH_MUTATIONS sets their number.
TEST_F(BytecodeTest, RandomEditsOfRealFilesNeverCrashTheReader) {
  std::vector<std::string> files = realFiles();
  ASSERT_FALSE(files.empty());
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
  EXPECT_GT(readable, 0u);
  EXPECT_LT(readable, count);
}

// [spec: bytecode-version]
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

// [spec: bytecode-magic]
TEST_F(BytecodeTest, NamesMLIRBytecodeAndOtherInput) {
  EXPECT_THAT(read(llvm::StringRef("ML\xEFR\x0D", 5)), HasSubstr("input is MLIR bytecode"));
  EXPECT_THAT(read("module {}"),
              HasSubstr("header, offset 0: input does not correspond to Tile IR bytecode"));
  EXPECT_THAT(read(""), HasSubstr("input does not correspond to Tile IR bytecode"));
}

// [spec: bytecode-version, bytecode-preview]
TEST_F(BytecodeTest, RefusesVersionsAndTagBitsItDoesNotKnow) {
  std::string data = assemble(kSmall);
  data[9] = 6;
  EXPECT_THAT(read(data), HasSubstr("unsupported Tile IR bytecode version: 13.6"));
  data[9] = 0;
  EXPECT_THAT(read(data), HasSubstr("unsupported Tile IR bytecode version: 13.0"));
  data[9] = 3;
  data[10] = 2;
  EXPECT_THAT(read(data),
              HasSubstr("header, offset 12: header has unrecognized version tag bits (0x2);"));
  data[10] = 1;
  EXPECT_THAT(read(data), HasSubstr("preview content is only valid at the current version 13.5"));
  data[9] = 5;
  EXPECT_THAT(read(data), HasSubstr("requires at least one enabled preview feature"));
}

// [spec: bytecode-downgrade]
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

} // namespace
