//===- FrontendModules.cpp - the modules in a folder ------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "fuzz/conform/FrontendProfile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A name that JSON can hold: of bytes that are no UTF-8, those beyond ASCII as %XX.
std::string printable(StringRef name) {
  if (json::isUTF8(name))
    return name.str();
  std::string text;
  for (char c : name)
    text += c & 0x80 ? "%" + llvm::toHex(StringRef(&c, 1)) : std::string(1, c);
  return text;
}

/// Collects the modules in and below a folder. Each folder is read once, however many links lead to
/// it.
class Collector {
public:
  explicit Collector(StringRef root) : root(root) {}
  llvm::Error collect(const std::string &below);
  std::vector<FrontendModule> found;

private:
  llvm::Error add(const std::string &name);

  std::string root;
  std::set<llvm::sys::fs::UniqueID> seen;
};

llvm::Error Collector::add(const std::string &name) {
  std::string path = root + "/" + name;
  llvm::sys::fs::file_status status;
  std::error_code code = llvm::sys::fs::status(path, status);
  if (code == std::errc::no_such_file_or_directory ||
      code == std::errc::too_many_symbolic_link_levels) // a link to nothing
    return llvm::Error::success();
  if (!code && status.type() == llvm::sys::fs::file_type::directory_file)
    return collect(name);
  if (!code && status.type() != llvm::sys::fs::file_type::regular_file)
    return llvm::Error::success();
  auto head = llvm::MemoryBuffer::getFileSlice(path, 8, 0);
  if (code || !head)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + (code ? code : head.getError()).message());
  if (bytecode::isTileIRBytecode((*head)->getBuffer()))
    found.push_back({printable(name), path, ""});
  return llvm::Error::success();
}

llvm::Error Collector::collect(const std::string &below) {
  std::string folder = below.empty() ? root : root + "/" + below;
  auto named = [&](const llvm::Twine &name) {
    return below.empty() ? name.str() : (below + "/" + name).str();
  };
  llvm::sys::fs::UniqueID self;
  if (!llvm::sys::fs::getUniqueID(folder, self) && !seen.insert(self).second)
    return llvm::Error::success();
  if (llvm::sys::fs::exists(folder + "/case.json")) {
    auto testCase = testcase::loadTestCase(folder);
    if (!testCase)
      return testCase.takeError();
    for (const std::string &version : testCase->versions())
      found.push_back({printable(named(version)), folder, version});
    return llvm::Error::success();
  }
  std::error_code code;
  std::vector<std::string> names;
  for (llvm::sys::fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    names.push_back(StringRef(it->path()).rsplit('/').second.str());
  if (code)
    return llvm::createStringError("cannot read '" + folder + "': " + code.message());
  llvm::sort(names);
  for (const std::string &name : names)
    if (llvm::Error error = add(named(name)))
      return error;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<FrontendModule>>
tilesmith::fuzz::conform::findModules(StringRef folder) {
  Collector collector(folder.size() > 1 ? folder.rtrim('/') : folder);
  if (llvm::Error error = collector.collect(""))
    return error;
  if (collector.found.empty())
    return llvm::createStringError("there is neither a case nor bytecode in or below '" + folder +
                                   "'");
  return std::move(collector.found);
}

llvm::Expected<std::string> tilesmith::fuzz::conform::bytesOf(const FrontendModule &module) {
  if (!module.version.empty()) {
    auto testCase = testcase::loadTestCase(module.path);
    if (!testCase)
      return testCase.takeError();
    const testcase::ModuleFile *file = testCase->launches.front().module(module.version);
    return llvm::toStringRef(llvm::ArrayRef(file->bytes)).str();
  }
  auto buffer = llvm::MemoryBuffer::getFile(module.path, false, false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + module.path +
                                   "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}
