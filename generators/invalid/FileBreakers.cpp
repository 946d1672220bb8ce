//===- FileBreakers.cpp - faults of the bytecode file -----------------------------------------===//
#include "generators/invalid/FileBreakers.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tilesmith::generators;
using llvm::StringRef;

namespace {

constexpr size_t kHeader = 12;
constexpr uint8_t kAlignedFlag = 0x80;
constexpr char kPaddingByte = static_cast<char>(0xCB);
enum Id : uint8_t { kStrings = 1, kFunctions = 2, kTypes = 5 };

void putVarInt(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::optional<uint64_t> takeVarInt(StringRef bytes, size_t &at) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    auto byte = static_cast<uint8_t>(bytes[at++]);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (!(byte & 0x80))
      return value;
  }
  return std::nullopt;
}

using Fault = std::optional<FileFault>;

Fault faultOf(const SectionedFile &file, std::string location, std::string diagnostic) {
  return FileFault{file.write(), std::move(location), std::move(diagnostic)};
}

Fault breakMagic(SectionedFile file, ChoiceStream &stream) {
  file.header[stream.below(8)] ^= static_cast<char>(1 << stream.below(8));
  return faultOf(file, "header", "invalid magic number");
}

Fault useMlirMagic(SectionedFile file, ChoiceStream &) {
  file.header.replace(0, 4, "ML\xEFR");
  return faultOf(file, "header", "expected Tile IR bytecode");
}

Fault useOtherVersion(SectionedFile file, ChoiceStream &stream) {
  static constexpr std::pair<uint8_t, uint8_t> kVersions[] = {
      {13, 0}, {13, 6}, {13, 255}, {12, 3}, {14, 1}, {0, 0}, {255, 1}, {1, 13}, {13, 128}};
  auto [major, minor] = kVersions[stream.below(std::size(kVersions))];
  file.header[8] = static_cast<char>(major);
  file.header[9] = static_cast<char>(minor);
  return faultOf(file, "header",
                 llvm::formatv("unsupported Tile IR bytecode version: {0}.{1}", unsigned(major),
                               unsigned(minor)));
}

Fault useUnknownTag(SectionedFile file, ChoiceStream &stream) {
  unsigned bit = 1 + static_cast<unsigned>(stream.below(15));
  file.header[10 + bit / 8] = static_cast<char>(1 << (bit % 8));
  return faultOf(file, "header", "header has unrecognized version tag bits");
}

Fault usePreviewTag(SectionedFile file, ChoiceStream &) {
  file.header[10] = 1;
  return faultOf(file, "header", "public-preview bytecode");
}

/// Without its end, no prefix of a file is a file.
Fault truncate(SectionedFile file, ChoiceStream &stream) {
  std::string bytes = file.write();
  bytes.resize(kHeader + stream.below(bytes.size() - kHeader));
  return FileFault{bytes, "", ""};
}

Fault cutHeader(SectionedFile file, ChoiceStream &stream) {
  return FileFault{file.header.substr(0, 8 + stream.below(4)), "header", ""};
}

Fault addUnknownSection(SectionedFile file, ChoiceStream &stream) {
  FileSection section;
  section.id = static_cast<uint8_t>(8 + stream.below(120));
  file.sections.insert(file.sections.begin() +
                           static_cast<ptrdiff_t>(stream.below(file.sections.size() + 1)),
                       section);
  return faultOf(file, "header", llvm::formatv("unknown section ID: {0}", unsigned(section.id)));
}

Fault repeatSection(SectionedFile file, ChoiceStream &stream) {
  static constexpr const char *kNames[] = {"end",      "string", "function", "debug",
                                           "constant", "type",   "global",   "producer"};
  FileSection again = file.sections[stream.below(file.sections.size())];
  file.sections.push_back(again);
  return faultOf(file, "header",
                 llvm::formatv("duplicate {0} section", again.id < 8 ? kNames[again.id] : "?"));
}

Fault drop(SectionedFile file, uint8_t id, std::string location, std::string diagnostic) {
  if (!file.section(id))
    return std::nullopt;
  llvm::erase_if(file.sections, [&](const FileSection &section) { return section.id == id; });
  return faultOf(file, std::move(location), std::move(diagnostic));
}

Fault dropStrings(SectionedFile file, ChoiceStream &) {
  return drop(std::move(file), kStrings, "end", "string section is mandatory");
}

Fault dropFunctions(SectionedFile file, ChoiceStream &) {
  return drop(std::move(file), kFunctions, "end", "function section is mandatory");
}

Fault dropTypes(SectionedFile file, ChoiceStream &) {
  return drop(std::move(file), kTypes, "", "out of bounds (size=0)");
}

Fault exceedLength(SectionedFile file, ChoiceStream &stream) {
  FileSection &section = file.sections[stream.below(file.sections.size())];
  section.claimedLength = (uint64_t(1) << (24 + stream.below(38))) + section.payload.size();
  return faultOf(file, "header",
                 llvm::formatv("section length {0} exceeds remaining", *section.claimedLength));
}

Fault misalign(SectionedFile file, ChoiceStream &stream) {
  FileSection *section = file.section(stream.chance(50) ? kStrings : kFunctions);
  if (!section)
    return std::nullopt;
  static constexpr uint64_t kWrong[] = {3, 0, 12, 8192};
  section->aligned = true;
  section->alignment = kWrong[stream.below(std::size(kWrong))];
  return faultOf(file, "header", llvm::formatv("invalid alignment value: {0}", section->alignment));
}

Fault dropAlignment(SectionedFile file, ChoiceStream &stream) {
  FileSection *section = file.section(stream.chance(50) ? kStrings : kFunctions);
  if (!section)
    return std::nullopt;
  section->aligned = false;
  return faultOf(file, "header",
                 llvm::formatv("section {0} must have alignment that is a multiple of {1} bytes, "
                               "but has no alignment flag set",
                               unsigned(section->id), section->id == kStrings ? 4 : 8));
}

Fault alignEnd(SectionedFile file, ChoiceStream &) {
  file.end = std::string(1, static_cast<char>(kAlignedFlag));
  return faultOf(file, "header", "end section should not have alignment flag set");
}

Fault addTail(SectionedFile file, ChoiceStream &stream) {
  size_t size = 1 + stream.below(9);
  for (size_t i = 0; i < size; ++i)
    file.end += static_cast<char>(stream.byte());
  return faultOf(file, "header",
                 llvm::formatv("end section is not the last section, {0} bytes follow", size));
}

/// A count that no file of this size can hold.
Fault exceedCount(SectionedFile file, uint8_t id, StringRef place, StringRef what,
                  ChoiceStream &stream) {
  FileSection *section = file.section(id);
  if (!section)
    return std::nullopt;
  uint64_t count = uint64_t(1) << (30 + stream.below(33));
  section->payload.clear();
  putVarInt(section->payload, count);
  return faultOf(file, place.str(), llvm::formatv("number of {0} ({1}) exceeds", what, count));
}

Fault exceedStrings(SectionedFile file, ChoiceStream &stream) {
  return exceedCount(std::move(file), kStrings, "string section", "strings", stream);
}

Fault exceedFunctions(SectionedFile file, ChoiceStream &stream) {
  return exceedCount(std::move(file), kFunctions, "function section", "functions", stream);
}

Fault exceedTypes(SectionedFile file, ChoiceStream &stream) {
  return exceedCount(std::move(file), kTypes, "type section", "types", stream);
}

/// Replaces the varint number `skip` of the function section.
Fault replaceIndex(SectionedFile file, unsigned skip, ChoiceStream &stream) {
  FileSection *section = file.section(kFunctions);
  if (!section)
    return std::nullopt;
  size_t at = 0;
  for (unsigned i = 0; i < skip; ++i)
    if (!takeVarInt(section->payload, at))
      return std::nullopt;
  size_t begin = at;
  if (!takeVarInt(section->payload, at))
    return std::nullopt;
  uint64_t index = uint64_t(1) << (14 + stream.below(49));
  std::string bytes;
  putVarInt(bytes, index);
  section->payload.replace(begin, at - begin, bytes);
  return faultOf(file, "function section", llvm::formatv("index {0} out of bounds", index));
}

Fault misnameFunction(SectionedFile file, ChoiceStream &stream) {
  return replaceIndex(std::move(file), 1, stream);
}

Fault mistypeFunction(SectionedFile file, ChoiceStream &stream) {
  return replaceIndex(std::move(file), 2, stream);
}

Fault lengthenVarInt(SectionedFile file, ChoiceStream &stream) {
  static constexpr std::pair<uint8_t, const char *> kSections[] = {
      {kStrings, "string section"}, {kFunctions, "function section"}, {kTypes, "type section"}};
  auto [id, name] = kSections[stream.below(std::size(kSections))];
  FileSection *section = file.section(id);
  if (!section)
    return std::nullopt;
  section->payload.insert(0, std::string(10 + stream.below(4), static_cast<char>(0xFF)));
  return faultOf(file, name, "does not fit 64 bits");
}

/// The tag of the first type.
Fault useUnknownType(SectionedFile file, ChoiceStream &stream) {
  FileSection *section = file.section(kTypes);
  if (!section)
    return std::nullopt;
  size_t at = 0;
  std::optional<uint64_t> count = takeVarInt(section->payload, at);
  if (!count || *count == 0)
    return std::nullopt;
  size_t first = llvm::alignTo(at, 4) + 4 * *count;
  if (first >= section->payload.size())
    return std::nullopt;
  auto tag = static_cast<char>(23 + stream.below(100));
  section->payload[first] = tag;
  return faultOf(file, "type section", llvm::formatv("unknown type tag: {0}", int(tag)));
}

constexpr FileBreaker kBreakers[] = {
    {"file_alignment_missing", dropAlignment},
    {"file_alignment_value", misalign},
    {"file_end_aligned", alignEnd},
    {"file_end_not_last", addTail},
    {"file_function_count", exceedFunctions},
    {"file_function_name", misnameFunction},
    {"file_function_type", mistypeFunction},
    {"file_header_cut", cutHeader},
    {"file_magic", breakMagic},
    {"file_magic_mlir", useMlirMagic},
    {"file_no_functions", dropFunctions},
    {"file_no_strings", dropStrings},
    {"file_no_types", dropTypes},
    {"file_preview_tag", usePreviewTag},
    {"file_section_length", exceedLength},
    {"file_section_twice", repeatSection},
    {"file_section_unknown", addUnknownSection},
    {"file_string_count", exceedStrings},
    {"file_truncated", truncate},
    {"file_type_count", exceedTypes},
    {"file_type_tag", useUnknownType},
    {"file_varint_long", lengthenVarInt},
    {"file_version", useOtherVersion},
    {"file_version_tag", useUnknownTag},
};

} // namespace

std::optional<SectionedFile> SectionedFile::parse(StringRef bytes) {
  if (bytes.size() < kHeader)
    return std::nullopt;
  SectionedFile file;
  file.header = bytes.take_front(kHeader).str();
  size_t at = kHeader;
  while (at < bytes.size()) {
    auto byte = static_cast<uint8_t>(bytes[at++]);
    if (byte == 0)
      return file;
    FileSection section;
    section.id = byte & 0x7F;
    section.aligned = byte & kAlignedFlag;
    std::optional<uint64_t> length = takeVarInt(bytes, at);
    if (length && section.aligned) {
      std::optional<uint64_t> alignment = takeVarInt(bytes, at);
      if (!alignment || !llvm::isPowerOf2_64(*alignment))
        return std::nullopt;
      section.alignment = *alignment;
      at = llvm::alignTo(at, *alignment);
    }
    if (!length || at > bytes.size() || *length > bytes.size() - at)
      return std::nullopt;
    section.payload = bytes.substr(at, *length).str();
    at += *length;
    file.sections.push_back(std::move(section));
  }
  return std::nullopt;
}

std::string SectionedFile::write() const {
  std::string out = header;
  for (const FileSection &section : sections) {
    out += static_cast<char>(section.id | (section.aligned ? kAlignedFlag : 0));
    putVarInt(out, section.claimedLength.value_or(section.payload.size()));
    if (section.aligned) {
      putVarInt(out, section.alignment);
      if (llvm::isPowerOf2_64(section.alignment))
        out.append(llvm::offsetToAlignment(out.size(), llvm::Align(section.alignment)),
                   kPaddingByte);
    }
    out += section.payload;
  }
  return out + end;
}

FileSection *SectionedFile::section(uint8_t id) {
  for (FileSection &section : sections)
    if (section.id == id)
      return &section;
  return nullptr;
}

llvm::ArrayRef<FileBreaker> tilesmith::generators::fileBreakers() {
  return kBreakers;
}
