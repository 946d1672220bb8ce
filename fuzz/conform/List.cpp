//===- List.cpp - lists of requirements and their modules -------------------------------------===//
#include "fuzz/conform/List.h"

#include "compiler/support/WriteFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/xxhash.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;

static constexpr StringRef kArchiveMagic = "TSCONF1\n";
static constexpr uint64_t kQuickShare = 12;

std::string tilesmith::fuzz::conform::sha256(StringRef bytes) {
  llvm::SHA256 hash;
  hash.update(bytes);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

std::string tilesmith::fuzz::conform::printList(const RequirementList &list) {
  std::string text = llvm::formatv("# tilesmith conform: {0} {1}, edition {2}, {3} requirements\n",
                                   list.side, list.version, list.edition, list.rows.size());
  for (const Requirement &row : list.rows)
    text += row.id + "\t" + row.rule + "\t" + row.source + "\t" + row.sha256 + "\n";
  return text;
}

llvm::Expected<RequirementList> tilesmith::fuzz::conform::parseList(StringRef text) {
  RequirementList list;
  auto [head, body] = text.split('\n');
  llvm::SmallVector<StringRef> words;
  head.split(words, ' ');
  // # tilesmith conform: SIDE 13.N, edition E, COUNT requirements
  if (!head.starts_with("# tilesmith conform: ") || words.size() != 9 ||
      words[6].drop_back().getAsInteger(10, list.edition))
    return llvm::createStringError("expected the first line of a list, found '" + head + "'");
  list.side = words[3].str();
  list.version = words[4].drop_back().str();
  std::set<StringRef> seen;
  while (!body.empty()) {
    auto [line, rest] = body.split('\n');
    body = rest;
    llvm::SmallVector<StringRef> cells;
    line.split(cells, '\t');
    if (cells.size() != 4)
      return llvm::createStringError("expected id, rule, case and SHA-256, found '" + line + "'");
    if (!seen.insert(cells[0]).second)
      return llvm::createStringError("requirement '" + cells[0] + "' comes twice");
    list.rows.push_back({cells[0].str(), cells[1].str(), cells[2].str(), cells[3].str()});
  }
  if (words[7] != std::to_string(list.rows.size()))
    return llvm::createStringError(llvm::formatv("the list has {0} requirements, its first line "
                                                 "says {1}",
                                                 list.rows.size(), words[7])
                                       .str());
  return list;
}

void tilesmith::fuzz::conform::sortRows(std::vector<Requirement> &rows) {
  llvm::sort(rows, [](const Requirement &a, const Requirement &b) {
    int order = StringRef(a.id).compare_numeric(b.id);
    return order ? order < 0 : a.id < b.id;
  });
}

bool tilesmith::fuzz::conform::isQuick(const Requirement &requirement) {
  bool large = llvm::is_contained<StringRef>({"accept", "reject", "execute"}, requirement.kind());
  return !large || llvm::xxh3_64bits(requirement.id) % kQuickShare == 0;
}

std::string Archive::add(StringRef bytes) {
  std::string name = sha256(bytes);
  modules.try_emplace(name, bytes.str());
  return name;
}

const std::string *Archive::find(StringRef name) const {
  auto it = modules.find(name);
  return it == modules.end() ? nullptr : &it->second;
}

llvm::Error Archive::save(StringRef path) const {
  // Neighbours in the order of their sizes resemble each other.
  std::vector<const std::string *> ordered;
  for (const auto &[name, bytes] : modules)
    ordered.push_back(&bytes);
  llvm::sort(ordered, [](const std::string *a, const std::string *b) {
    return a->size() != b->size() ? a->size() < b->size() : *a < *b;
  });
  std::string plain;
  llvm::raw_string_ostream out(plain);
  for (const std::string *bytes : ordered) {
    char size[4];
    llvm::support::endian::write32le(size, static_cast<uint32_t>(bytes->size()));
    out << StringRef(size, 4) << *bytes;
  }
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(plain), packed, 19);
  char size[8];
  llvm::support::endian::write64le(size, plain.size());
  return writeFileAtomically(
      path, (kArchiveMagic + StringRef(size, 8) + llvm::toStringRef(packed)).str());
}

llvm::Expected<Archive> Archive::load(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  StringRef data = (*buffer)->getBuffer();
  if (!data.consume_front(kArchiveMagic) || data.size() < 8)
    return llvm::createStringError("expected an archive of modules, found '" + path + "'");
  uint64_t size = llvm::support::endian::read64le(data.data());
  llvm::SmallVector<uint8_t, 0> plain;
  if (size > uint64_t(1) << 30)
    return llvm::createStringError("'" + path + "' says that it holds more than 1 GiB");
  if (llvm::Error error = llvm::compression::zstd::decompress(
          llvm::arrayRefFromStringRef(data.drop_front(8)), plain, size))
    return error;
  Archive archive;
  for (StringRef rest = llvm::toStringRef(plain); !rest.empty();) {
    uint32_t length = rest.size() < 4 ? UINT32_MAX : llvm::support::endian::read32le(rest.data());
    if (rest.size() - 4 < length)
      return llvm::createStringError("'" + path + "' ends inside of a module");
    archive.add(rest.substr(4, length));
    rest = rest.drop_front(4 + length);
  }
  return archive;
}

llvm::Expected<std::string> tilesmith::fuzz::conform::listFolder(StringRef given) {
  if (!given.empty())
    return given.str();
  std::string self = llvm::sys::fs::getMainExecutable(
      "tilesmith", reinterpret_cast<void *>(&tilesmith::fuzz::conform::listFolder));
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(self)); // bin
  for (StringRef below : {"../share/tilesmith/conform", "../../../corpus/conform"}) {
    llvm::SmallString<128> path = folder;
    llvm::sys::path::append(path, below);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::exists(path + "/modules.zst"))
      return path.str().str();
  }
  return llvm::createStringError("the lists of conform are not beside '" + self +
                                 "', expected --lists=FOLDER");
}

static llvm::Expected<RequirementList> readListFile(const std::string &path, StringRef side,
                                                    StringRef version, unsigned edition) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("there is no list " + side + " " + version + ": cannot read '" +
                                   path + "': " + buffer.getError().message());
  auto list = parseList((*buffer)->getBuffer());
  if (!list)
    return llvm::createStringError(path + ": " + llvm::toString(list.takeError()));
  if (list->side != side || list->version != version || list->edition != edition)
    return llvm::createStringError(
        llvm::formatv("'{0}' is the list {1}, edition {2}", path, list->name(), list->edition)
            .str());
  return list;
}

llvm::Expected<std::vector<RequirementList>>
tilesmith::fuzz::conform::loadEditions(StringRef folder, StringRef side, StringRef version) {
  std::string stem = (folder + "/" + version + "/" + side).str(), path = stem + ".txt";
  std::vector<RequirementList> editions;
  do {
    auto list = readListFile(path, side, version, static_cast<unsigned>(editions.size()) + 1);
    if (!list)
      return list.takeError();
    if (!editions.empty()) {
      llvm::append_range(list->rows, editions.back().rows);
      sortRows(list->rows);
      auto twice = std::adjacent_find(
          list->rows.begin(), list->rows.end(),
          [](const Requirement &a, const Requirement &b) { return a.id == b.id; });
      if (twice != list->rows.end())
        return llvm::createStringError(path + ": '" + twice->id + "' is in an older edition");
    }
    editions.push_back(std::move(*list));
    path = llvm::formatv("{0}-{1}.txt", stem, editions.size() + 1).str();
  } while (llvm::sys::fs::exists(path));
  return editions;
}

llvm::Expected<RequirementList> tilesmith::fuzz::conform::loadList(StringRef folder, StringRef side,
                                                                   StringRef version) {
  auto editions = loadEditions(folder, side, version);
  if (!editions)
    return editions.takeError();
  return std::move(editions->back());
}
