//===- OutputFolder.cpp - folders written whole, over nothing of the user's -------------------===//
//
// The mark is text: a first line that says what it is, then one line per file, sorted by name:
//   <16 hexadecimal digits of xxh3> NAME       a file that we wrote
//   later NAME                                 a file that another tool of ours may add
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/OutputFolder.h"

#include "compiler/support/RemoveInHandler.h"
#include "compiler/support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <set>
#include <unistd.h>

using namespace llvm;
namespace fs = llvm::sys::fs;

namespace tilesmith {
namespace {

constexpr StringLiteral kFirstLine =
    "tilesmith wrote this folder, and replaces it while it holds only these files, unchanged";

/// Name to hash; no hash: any contents.
using Listing = std::map<std::string, std::string>;

std::string hashOf(StringRef contents) {
  return utohexstr(xxh3_64bits(contents), /*LowerCase=*/true, /*Width=*/16);
}

std::string joined(StringRef folder, StringRef name) {
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

bool isRegularFile(const std::string &path) {
  fs::file_status status;
  return !fs::status(path, status, /*follow=*/false) &&
         status.type() == fs::file_type::regular_file;
}

/// The listing in the mark of a folder; nothing when there is no mark of ours.
std::optional<Listing> readMark(StringRef folder) {
  std::string mark = joined(folder, kFolderMark);
  if (!isRegularFile(mark))
    return std::nullopt;
  auto buffer = MemoryBuffer::getFile(mark);
  if (!buffer)
    return std::nullopt;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty() || lines.front() != kFirstLine)
    return std::nullopt;
  Listing listing;
  for (StringRef line : ArrayRef(lines).drop_front()) {
    auto [hash, name] = line.split(' ');
    listing[name.str()] = hash == "later" ? "" : hash.str();
  }
  return listing;
}

/// The names in a folder, sorted.
Expected<std::set<std::string>> namesIn(StringRef folder) {
  std::set<std::string> names;
  std::error_code code;
  for (fs::directory_iterator it(folder, code, /*follow_symlinks=*/false), end; it != end && !code;
       it.increment(code))
    names.insert(sys::path::filename(it->path()).str());
  if (code)
    return createStringError("cannot read folder '" + folder + "': " + code.message());
  return names;
}

/// What in an existing folder is not ours; empty: nothing.
Expected<std::string> foreignIn(StringRef folder) {
  Expected<std::set<std::string>> names = namesIn(folder);
  if (!names)
    return names.takeError();
  std::optional<Listing> listing = readMark(folder);
  names->erase(kFolderMark.str());
  if (!listing)
    return names->empty() ? "" : "'" + *names->begin() + "' in it";
  for (const std::string &name : *names) {
    auto it = listing->find(name);
    if (it == listing->end() || !isRegularFile(joined(folder, name)))
      return "'" + name + "' in it, which tilesmith did not write";
    if (it->second.empty())
      continue;
    auto buffer = MemoryBuffer::getFile(joined(folder, name));
    if (!buffer || hashOf((*buffer)->getBuffer()) != it->second)
      return "'" + name + "' in it changed since tilesmith wrote it";
  }
  return "";
}

/// Removes the files that the mark lists, the mark and the folder. What somebody added a moment ago
/// keeps the folder alive.
Error removeOwned(StringRef folder) {
  for (const auto &[name, hash] : readMark(folder).value_or(Listing()))
    ::unlink(joined(folder, name).c_str());
  ::unlink(joined(folder, kFolderMark).c_str());
  if (::rmdir(folder.str().c_str()))
    return createStringError("the older contents stay in '" + folder +
                             "': " + std::generic_category().message(errno));
  return Error::success();
}

/// An absolute path without `.`, `..` or a separator at its end. The last component, which must not
/// be `.` or `..`, is not followed.
std::string absolute(StringRef path) {
  SmallString<256> result(path);
  while (result.size() > 1 && sys::path::is_separator(result.back()))
    result.pop_back();
  if (fs::make_absolute(result))
    return result.str().str();
  SmallString<256> parent;
  if (!fs::real_path(sys::path::parent_path(result), parent))
    return joined(parent, sys::path::filename(result));
  return result.str().str();
}

bool isSameOrAround(const std::string &outer, const std::string &inner) {
  return inner == outer || StringRef(inner).starts_with(outer + "/");
}

Error refuse(StringRef target, const Twine &found) {
  return createStringError("cannot write folder '" + target +
                           "': expected a new or empty folder or one that tilesmith wrote, found " +
                           found);
}

/// Gives `from` the name `to`. `old`: where the folder is now that had the name; empty: there was
/// none, or an empty one, which is gone.
std::error_code takePlace(const std::string &from, const std::string &to, std::string &old) {
  auto rename = [](const std::string &a, const std::string &b) {
    return ::rename(a.c_str(), b.c_str()) == 0;
  };
  auto reason = [] { return std::error_code(errno, std::generic_category()); };
  if (rename(from, to))
    return {};
  if (errno != ENOTEMPTY && errno != EEXIST)
    return reason();
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0) {
    old = from;
    return {};
  }
  if (errno != EINVAL && errno != ENOSYS) // else a file system that cannot
    return reason();
  const std::string aside = from + ".old";
  if (!rename(to, aside))
    return reason();
  if (rename(from, to)) {
    old = aside;
    return {};
  }
  std::error_code code = reason();
  rename(aside, to);
  return code;
}

/// Folders under way, for a signal, with the process that writes them: its children inherit the
/// list, not the folders.
std::mutex unfinishedLock;
std::map<std::string, pid_t> &unfinished() {
  static auto *paths = new std::map<std::string, pid_t>(); // outlives every thread
  return *paths;
}

} // namespace

void removeUnfinishedFolders() {
  if (!unfinishedLock.try_lock()) // interrupted while the list changes: leave one folder
    return;
  for (const auto &[path, owner] : unfinished())
    if (owner == ::getpid())
      removeInHandler(path.c_str());
  unfinishedLock.unlock();
}

Error OutputFolder::check(StringRef target, ArrayRef<std::string> inputs) {
  StringRef last = target.rtrim('/');
  last = last.empty() ? target : sys::path::filename(last);
  if (last.empty() || last == "." || last == ".." || last == "/")
    return refuse(target, "no name of its own");
  const std::string path = absolute(target);
  fs::file_status status;
  if (fs::status(path, status, /*follow=*/false)) // there is nothing
    return Error::success();
  if (status.type() == fs::file_type::symlink_file)
    return refuse(target, "a symbolic link");
  if (status.type() != fs::file_type::directory_file)
    return refuse(target, "a file");
  SmallString<256> here, real;
  if (!fs::current_path(here) && !fs::real_path(here, real) &&
      isSameOrAround(path, real.str().str()))
    return refuse(target, "the current folder or one around it");
  for (const std::string &input : inputs) {
    SmallString<256> other;
    if (!fs::real_path(input, other) && isSameOrAround(path, other.str().str()))
      return refuse(target, "the input '" + input + "'");
  }
  Expected<std::string> foreign = foreignIn(path);
  if (!foreign)
    return foreign.takeError();
  return foreign->empty() ? Error::success() : refuse(target, *foreign);
}

Expected<OutputFolder> OutputFolder::create(StringRef target) {
  if (Error error = check(target))
    return error;
  OutputFolder result;
  result.target = absolute(target);
  auto cannot = [&](StringRef path, std::error_code code) {
    return createStringError("cannot create folder '" + path + "': " + code.message());
  };
  const StringRef parent = sys::path::parent_path(result.target);
  if (std::error_code code = fs::create_directories(parent))
    return cannot(parent, code);
  result.target = absolute(target); // its parent may be a link that exists only now
  SmallString<256> temporary;
  std::lock_guard lock(unfinishedLock);
  if (std::error_code code = fs::createUniqueDirectory(result.target + ".tmp", temporary))
    return cannot(target, code);
  result.temporary = temporary.str().str();
  unfinished()[result.temporary] = ::getpid();
  return result;
}

OutputFolder::OutputFolder(OutputFolder &&other) noexcept
    : target(std::move(other.target)), temporary(std::exchange(other.temporary, "")) {}

OutputFolder::~OutputFolder() {
  if (temporary.empty())
    return;
  fs::remove_directories(temporary);
  std::lock_guard lock(unfinishedLock);
  unfinished().erase(temporary);
}

Error OutputFolder::write(StringRef name, StringRef contents) const {
  return writeFileAtomically(joined(temporary, name), contents);
}

Error OutputFolder::keep(ArrayRef<std::string> later) {
  Expected<std::set<std::string>> names = namesIn(temporary);
  if (!names)
    return names.takeError();
  Listing listing;
  for (const std::string &name : later)
    listing[name] = "later";
  for (const std::string &name : *names) {
    const std::string path = joined(temporary, name);
    auto buffer = MemoryBuffer::getFile(path);
    if (!isRegularFile(path) || !buffer || name == kFolderMark)
      return createStringError("expected only files in '" + temporary + "', found '" + name + "'");
    listing[name] = hashOf((*buffer)->getBuffer());
  }
  std::string mark = (kFirstLine + "\n").str();
  for (const auto &[name, hash] : listing)
    mark += hash + " " + name + "\n";
  if (Error error = write(kFolderMark, mark))
    return error;
  if (std::error_code code =
          fs::setPermissions(temporary, static_cast<fs::perms>(0777 & ~fs::getUmask())))
    return createStringError("cannot write folder '" + target + "': " + code.message());

  if (Error error = check(target)) // it may have changed meanwhile
    return error;
  {
    std::lock_guard lock(unfinishedLock); // what has the target's name is no longer unfinished
    unfinished().erase(temporary);
  }
  std::string old;
  if (std::error_code code = takePlace(temporary, target, old))
    return createStringError("cannot write folder '" + target + "': " + code.message());
  temporary.clear();
  return old.empty() ? Error::success() : removeOwned(old);
}

} // namespace tilesmith
