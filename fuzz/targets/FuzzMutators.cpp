//===- FuzzMutators.cpp - custom mutators for structured fuzz inputs --------------------------===//
#include "fuzz/targets/FuzzMutators.h"

#include "compiler/bytecode/Format.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

using Bytes = std::vector<uint8_t>;

void appendVarInt(Bytes &bytes, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    bytes.push_back(static_cast<uint8_t>(value | 0x80));
  bytes.push_back(static_cast<uint8_t>(value));
}

/// One section of a bytecode file.
struct FileSection {
  uint8_t id = 0;
  uint64_t alignment = 0; ///< 0: none is stored
  Bytes payload;
};

struct File {
  Bytes header; ///< magic and version
  std::vector<FileSection> sections;
  Bytes rest; ///< from the first byte that is no section any more

  Bytes assemble() const;
};

std::optional<uint64_t> takeVarInt(llvm::ArrayRef<uint8_t> bytes, size_t &at) {
  uint64_t value = 0;
  for (unsigned shift = 0; at < bytes.size() && shift < 64; shift += 7) {
    uint8_t byte = bytes[at++];
    value |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80)
      return value;
  }
  return std::nullopt;
}

File split(llvm::ArrayRef<uint8_t> bytes) {
  File file;
  size_t at = std::min<size_t>(bytes.size(), sizeof(bytecode::kMagic) + 4);
  file.header.assign(bytes.begin(), bytes.begin() + at);
  size_t good = at;
  while (at < bytes.size()) {
    FileSection section;
    uint8_t stored = bytes[at++];
    section.id = stored & ~bytecode::kSectionAligned;
    if (section.id == bytecode::kEnd)
      break;
    auto length = takeVarInt(bytes, at);
    if (!length)
      break;
    if (stored & bytecode::kSectionAligned) {
      auto alignment = takeVarInt(bytes, at);
      if (!alignment || *alignment == 0 || *alignment > bytecode::kMaxAlignment)
        break;
      section.alignment = *alignment;
      at = (at + *alignment - 1) / *alignment * *alignment;
    }
    if (at > bytes.size() || *length > bytes.size() - at)
      break;
    section.payload.assign(bytes.begin() + at, bytes.begin() + at + *length);
    at += *length;
    good = at;
    file.sections.push_back(std::move(section));
  }
  file.rest.assign(bytes.begin() + good, bytes.end());
  return file;
}

Bytes File::assemble() const {
  Bytes bytes = header;
  for (const FileSection &section : sections) {
    bytes.push_back(section.id | (section.alignment ? bytecode::kSectionAligned : 0));
    appendVarInt(bytes, section.payload.size());
    if (section.alignment) {
      appendVarInt(bytes, section.alignment);
      while (bytes.size() % section.alignment != 0)
        bytes.push_back(bytecode::kPadding);
    }
    bytes.insert(bytes.end(), section.payload.begin(), section.payload.end());
  }
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

} // namespace

size_t tilesmith::fuzz::emitBytes(llvm::ArrayRef<uint8_t> bytes, uint8_t *out, size_t maxSize) {
  size_t size = std::min(bytes.size(), maxSize);
  if (size != 0)
    std::memmove(out, bytes.data(), size);
  return size;
}

size_t tilesmith::fuzz::mutateBytes(uint8_t *data, size_t size, size_t maxSize,
                                    MutatorRandom &random) {
  if (LLVMFuzzerMutate)
    return LLVMFuzzerMutate(data, size, maxSize);
  if (size == 0 && maxSize > 0)
    data[size++] = 0;
  if (size > 0)
    data[random.below(size)] = static_cast<uint8_t>(random.next());
  return size;
}

size_t tilesmith::fuzz::mutateChoices(uint8_t *data, size_t size, size_t maxSize,
                                      MutatorRandom &random) {
  if (size == 0 || random.below(8) == 0)
    return mutateBytes(data, size, maxSize, random);
  Bytes bytes(data, data + size);
  generators::changeChoices(bytes, random);
  return emitBytes(bytes, data, maxSize);
}

size_t tilesmith::fuzz::crossChoices(llvm::ArrayRef<uint8_t> first, llvm::ArrayRef<uint8_t> second,
                                     uint8_t *out, size_t maxSize, MutatorRandom &random) {
  return emitBytes(generators::joinChoices(first, second, random), out, maxSize);
}

size_t tilesmith::fuzz::mutateSections(uint8_t *data, size_t size, size_t maxSize,
                                       MutatorRandom &random) {
  File file = split({data, size});
  size_t what = random.below(10);
  if (file.sections.empty() || what == 0)
    return mutateBytes(data, size, maxSize, random);
  size_t index = random.below(file.sections.size());
  FileSection &section = file.sections[index];
  switch (what) {
  case 1: // another version or tag
    file.header[file.header.size() - 1 - random.below(std::min<size_t>(4, file.header.size()))] =
        static_cast<uint8_t>(random.below(8));
    break;
  case 2: // sections in another order
    std::swap(section, file.sections[random.below(file.sections.size())]);
    break;
  case 3: // one twice, or one less
    if (random.below(2))
      file.sections.insert(file.sections.begin() + index, FileSection(section));
    else
      file.sections.erase(file.sections.begin() + index);
    break;
  default: {
    Bytes payload = section.payload;
    size_t old = payload.size(),
           limit = old + std::min<size_t>(64, maxSize - std::min(size, maxSize));
    payload.resize(std::max<size_t>(limit, 1));
    payload.resize(mutateBytes(payload.data(), old, payload.size(), random));
    section.payload = std::move(payload);
  }
  }
  return emitBytes(file.assemble(), data, maxSize);
}

size_t tilesmith::fuzz::crossSections(llvm::ArrayRef<uint8_t> first, llvm::ArrayRef<uint8_t> second,
                                      uint8_t *out, size_t maxSize, MutatorRandom &random) {
  File file = split(first);
  for (FileSection &other : split(second).sections) {
    if (random.below(2))
      continue;
    auto same = std::find_if(file.sections.begin(), file.sections.end(),
                             [&](const FileSection &mine) { return mine.id == other.id; });
    if (same != file.sections.end())
      *same = std::move(other);
  }
  return emitBytes(file.assemble(), out, maxSize);
}
