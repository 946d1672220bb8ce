//===- MachineCode.cpp - the cubin of an image, and its lines ---------------------------------===//
//
// A fat binary is a header of 16 bytes (magic, version, size of the header, size of the rest) and
// entries behind it, each with a header of its own: kind (1 PTX, 2 a cubin), sizes, the target, and
// flags, of which one says that the payload is compressed. All numbers are little-endian, and none
// is followed before it was compared with what is there.
//
// A table of lines has a sequence per kernel, each from address 0 on; which kernel it is says the
// relocation of that address, so relocations are not applied, and stand in the order of sequences.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/runtime/MachineCode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::runtime;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

char WrongGPU::ID = 0;

namespace {

constexpr uint32_t kFatBinary = 0xba55ed50;
constexpr unsigned kFileHeader = 16, kEntryHeader = 64;
enum EntryKind : uint16_t { PTX = 1, Cubin = 2 };
enum EntryFlag : uint64_t { LZ4 = 0x2000, Zstd = 0x8000 };
constexpr uint64_t kMaxCode = uint64_t(1) << 30;

/// The target of a cubin in its ELF flags; which byte depends on the ABI that the file names.
unsigned smOf(llvm::StringRef elf) {
  if (elf.size() < 64)
    return 0;
  uint32_t flags = read32le(elf.data() + 48);
  return elf[7] == 65 ? flags >> 8 & 0xff : flags & 0xff;
}

/// Machine code runs on GPUs of its generation that are not older.
bool runsOn(unsigned code, unsigned sm) {
  return !sm || (code / 10 == sm / 10 && code <= sm);
}

llvm::Error damaged(const llvm::Twine &what) {
  return llvm::createStringError("expected a whole fat binary, found " + what);
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>> payloadOf(llvm::StringRef header,
                                                        llvm::StringRef payload) {
  uint64_t flags = read64le(header.data() + 40), whole = read64le(header.data() + 56);
  uint32_t packed = read32le(header.data() + 16);
  if (flags & LZ4)
    return llvm::make_error<WrongGPU>("found a cubin that is compressed by LZ4, expected one of "
                                      "`nvcc --no-compress` or of `--compress-mode=default`");
  if (!(flags & Zstd))
    return llvm::SmallVector<uint8_t, 0>(llvm::arrayRefFromStringRef(payload));
  if (!llvm::compression::zstd::isAvailable())
    return llvm::make_error<WrongGPU>("found a compressed cubin, which this build cannot read; "
                                      "expected one of `nvcc --no-compress`");
  if (packed > payload.size() || whole > kMaxCode)
    return damaged("a compressed entry beyond its end");
  llvm::SmallVector<uint8_t, 0> code;
  if (llvm::Error error = llvm::compression::zstd::decompress(
          llvm::arrayRefFromStringRef(payload.take_front(packed)), code, whole))
    return std::move(error);
  return code;
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>> readFatBinary(llvm::StringRef image, unsigned sm) {
  if (image.size() < kFileHeader)
    return damaged("the header alone");
  uint64_t begin = read16le(image.data() + 6), size = read64le(image.data() + 8);
  if (begin < kFileHeader || begin > image.size() || size > image.size() - begin)
    return damaged("a size beyond the end of the data");
  std::string others;
  llvm::StringRef best, bestPayload;
  for (llvm::StringRef rest = image.substr(begin, size); !rest.empty();) {
    if (rest.size() < kEntryHeader)
      return damaged("an entry without a header");
    uint16_t kind = read16le(rest.data());
    uint32_t header = read32le(rest.data() + 4), target = read32le(rest.data() + 28);
    uint64_t length = read64le(rest.data() + 8);
    if (header < kEntryHeader || header > rest.size() || length > rest.size() - header)
      return damaged("an entry beyond the end of the data");
    bool better = best.empty() || target > read32le(best.data() + 28);
    if (kind == Cubin && runsOn(target, sm) && better)
      best = rest.take_front(header), bestPayload = rest.substr(header, length);
    others += llvm::formatv("{0}{1} for sm_{2}", others.empty() ? "" : ", ",
                            kind == Cubin ? "a cubin"
                            : kind == PTX ? "PTX"
                                          : "other code",
                            target)
                  .str();
    rest = rest.drop_front(header + length);
  }
  if (best.empty())
    return llvm::make_error<WrongGPU>(
        llvm::formatv("expected a cubin for sm_{0} in the fat binary, found {1}", sm,
                      others.empty() ? "none" : others)
            .str());
  return payloadOf(best, bestPayload);
}

} // namespace

bool runtime::isMachineCode(llvm::StringRef image) {
  return image.starts_with("\177ELF") ||
         (image.size() >= 4 && read32le(image.data()) == kFatBinary);
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>> runtime::readMachineCode(llvm::StringRef image,
                                                                       unsigned sm) {
  if (!image.starts_with("\177ELF"))
    return readFatBinary(image, sm);
  if (unsigned code = smOf(image); code && !runsOn(code, sm))
    return llvm::make_error<WrongGPU>(
        llvm::formatv("expected a cubin for sm_{0}, found one for sm_{1}", sm, code).str());
  return llvm::SmallVector<uint8_t, 0>(llvm::arrayRefFromStringRef(image));
}

/// Which sequence of the table of lines is a kernel's.
static std::optional<size_t> sequenceOf(const llvm::object::ObjectFile &file,
                                        llvm::StringRef kernel) {
  std::vector<std::pair<uint64_t, std::string>> places;
  for (const llvm::object::SectionRef &section : file.sections()) {
    auto name = section.getName();
    if (!name || *name != ".rela.debug_line") {
      llvm::consumeError(name.takeError());
      continue;
    }
    for (const llvm::object::RelocationRef &relocation : section.relocations()) {
      auto symbol = relocation.getSymbol();
      if (symbol == file.symbol_end())
        continue;
      auto target = symbol->getSection();
      if (!target || *target == file.section_end()) {
        llvm::consumeError(target.takeError());
        continue;
      }
      auto text = (*target)->getName();
      if (text)
        places.emplace_back(relocation.getOffset(), text->str());
      else
        llvm::consumeError(text.takeError());
    }
  }
  llvm::sort(places);
  for (auto [i, place] : llvm::enumerate(places))
    if (place.second == (".text." + kernel).str())
      return i;
  return std::nullopt;
}

std::optional<SourceLine> runtime::lineOf(llvm::ArrayRef<uint8_t> cubin, llvm::StringRef kernel,
                                          uint64_t offset) {
  using namespace llvm;
  MemoryBufferRef buffer(toStringRef(cubin), "cubin");
  auto file = object::ObjectFile::createELFObjectFile(buffer);
  if (!file) {
    consumeError(file.takeError());
    return std::nullopt;
  }
  std::optional<size_t> wanted = sequenceOf(**file, kernel);
  if (!wanted)
    return std::nullopt;
  auto context = DWARFContext::create(
      **file, DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
      [](Error error) { consumeError(std::move(error)); },
      [](Error error) { consumeError(std::move(error)); });
  DWARFDataExtractor data(context->getDWARFObj(), context->getDWARFObj().getLineSection(), true, 8);
  DWARFDebugLine::SectionParser parser(data, *context, context->normal_units());
  auto ignore = [](Error error) { consumeError(std::move(error)); };
  size_t sequence = 0;
  while (!parser.done()) {
    DWARFDebugLine::LineTable table = parser.parseNext(ignore, ignore);
    std::optional<SourceLine> best;
    std::optional<uint64_t> source;
    for (const DWARFDebugLine::Row &row : table.Rows) {
      if (row.EndSequence) {
        if (sequence == *wanted)
          return best;
        ++sequence, source.reset();
        continue;
      }
      if (!source)
        source = row.File;
      std::string name;
      if (sequence == *wanted && row.File == *source && row.Address.Address <= offset && row.Line &&
          table.getFileNameByIndex(row.File, "",
                                   DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, name))
        best = SourceLine{std::move(name), row.Line};
    }
  }
  return std::nullopt;
}
