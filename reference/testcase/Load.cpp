//===- Load.cpp - read a case folder ----------------------------------------------------------===//
//
// Strict: an unknown key, a wrong kind of value, a missing file or a file of the wrong size is an
// error that names the file and key. Sizes are checked before anything is allocated for them.
//
//===------------------------------------------------------------------------------------------===//
#include <cmath>
#include <limits>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "reference/testcase/Nesting.h"
#include "reference/testcase/TestCase.h"

using namespace tilesmith::testcase;
namespace json = llvm::json;

namespace {

constexpr int64_t maxExtent = int64_t(1) << 40;
constexpr uint64_t maxBufferBytes = uint64_t(1) << 32;

class Loader {
public:
  explicit Loader(llvm::StringRef dir) : dir(dir) {}
  llvm::Expected<TestCase> load();

private:
  template <typename... Args> llvm::Error fail(const char *format, Args &&...args) {
    return llvm::createStringError(llvm::Twine(path) + ": " +
                                   llvm::formatv(format, std::forward<Args>(args)...).str());
  }
  llvm::Error checkKeys(const json::Object &object, llvm::StringRef where,
                        llvm::ArrayRef<llvm::StringRef> known);
  llvm::Error getString(const json::Object &object, llvm::StringRef where, llvm::StringRef key,
                        bool required, std::string &out);
  llvm::Error getInteger(const json::Object &object, llvm::StringRef where, llvm::StringRef key,
                         int64_t low, int64_t high, int64_t &out);
  llvm::Error getBool(const json::Object &object, llvm::StringRef where, llvm::StringRef key,
                      bool &out);
  llvm::Error getStrings(const json::Object &object, llvm::StringRef key,
                         std::vector<std::string> &out);
  llvm::Error getDataType(const json::Object &object, llvm::StringRef where, llvm::StringRef key,
                          DataType &out);
  llvm::Error readFile(llvm::StringRef where, llvm::StringRef name, Bytes &out);
  llvm::Error parseBuffer(const json::Value &value, std::string where, Buffer &out);
  llvm::Error parseCompare(const json::Value &value, std::string where, Comparison &out);
  llvm::Error parseExtents(const json::Object &object, llvm::StringRef where, llvm::StringRef key,
                           std::vector<int64_t> &out);
  llvm::Error parseLaunch(const json::Object &object, std::string where, Launch &out);
  llvm::Error parseParameter(const json::Value &value, std::string where, Parameter &out);
  llvm::Error parseScalar(const json::Value &value, llvm::StringRef where, Parameter &out);
  llvm::Error parseTable(const json::Value &value, std::string where, Parameter &out);
  llvm::Error parseExtensions(const json::Object &object, TestCase &out);

  llvm::SmallString<256> path;
  std::string dir;
  unsigned bufferCount = 0;
  bool mayBeBroken = false; ///< its modules must be refused
};

llvm::Error Loader::checkKeys(const json::Object &object, llvm::StringRef where,
                              llvm::ArrayRef<llvm::StringRef> known) {
  for (const auto &[key, value] : object)
    if (!llvm::is_contained(known, llvm::StringRef(key)))
      return fail("unknown key '{0}' in {1}", llvm::StringRef(key), where);
  return llvm::Error::success();
}

llvm::Error Loader::getString(const json::Object &object, llvm::StringRef where,
                              llvm::StringRef key, bool required, std::string &out) {
  const json::Value *value = object.get(key);
  if (!value)
    return required ? fail("missing key '{0}' in {1}", key, where) : llvm::Error::success();
  auto text = value->getAsString();
  if (!text)
    return fail("expected a string for '{0}' in {1}, found {2}", key, where, *value);
  out = text->str();
  return llvm::Error::success();
}

llvm::Error Loader::getInteger(const json::Object &object, llvm::StringRef where,
                               llvm::StringRef key, int64_t low, int64_t high, int64_t &out) {
  const json::Value *value = object.get(key);
  if (!value)
    return fail("missing key '{0}' in {1}", key, where);
  auto number = value->getAsInteger();
  if (!number || *number < low || *number > high)
    return fail("expected an integer from {0} to {1} for '{2}' in {3}, found {4}", low, high, key,
                where, *value);
  out = *number;
  return llvm::Error::success();
}

llvm::Error Loader::getBool(const json::Object &object, llvm::StringRef where, llvm::StringRef key,
                            bool &out) {
  const json::Value *value = object.get(key);
  if (!value)
    return llvm::Error::success();
  auto flag = value->getAsBoolean();
  if (!flag)
    return fail("expected true or false for '{0}' in {1}, found {2}", key, where, *value);
  out = *flag;
  return llvm::Error::success();
}

llvm::Error Loader::getStrings(const json::Object &object, llvm::StringRef key,
                               std::vector<std::string> &out) {
  const json::Value *value = object.get(key);
  if (!value)
    return llvm::Error::success();
  const json::Array *array = value->getAsArray();
  if (!array)
    return fail("expected a list of strings for '{0}', found {1}", key, *value);
  for (const json::Value &item : *array) {
    auto text = item.getAsString();
    if (!text)
      return fail("expected a list of strings for '{0}', found an item {1}", key, item);
    out.push_back(text->str());
  }
  return llvm::Error::success();
}

llvm::Error Loader::getDataType(const json::Object &object, llvm::StringRef where,
                                llvm::StringRef key, DataType &out) {
  std::string word;
  if (llvm::Error e = getString(object, where, key, true, word))
    return e;
  auto type = parseDataType(word);
  if (!type)
    return fail("unknown data type '{0}' for '{1}' in {2}", word, key, where);
  out = *type;
  return llvm::Error::success();
}

/// A case may come from anybody: a device or a pipe behind one of its names could be endless.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readRegularFile(llvm::StringRef file) {
  llvm::sys::fs::file_status status;
  std::error_code code = llvm::sys::fs::status(file, status);
  if (!code && status.type() != llvm::sys::fs::file_type::regular_file)
    return llvm::createStringError(llvm::sys::fs::is_directory(status)
                                       ? std::make_error_code(std::errc::is_a_directory).message()
                                       : "expected a regular file");
  if (code)
    return llvm::createStringError(code.message());
  auto buffer =
      llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(buffer.getError().message());
  return std::move(*buffer);
}

llvm::Error Loader::readFile(llvm::StringRef where, llvm::StringRef name, Bytes &out) {
  if (name.empty() || llvm::sys::path::filename(name) != name || name == "." || name == "..")
    return fail("expected a plain file name in {0}, found '{1}'", where, name);
  llvm::SmallString<256> file(dir);
  llvm::sys::path::append(file, name);
  auto buffer = readRegularFile(file);
  if (!buffer)
    return fail("{0} names file '{1}': {2}", where, name, llvm::toString(buffer.takeError()));
  auto *begin = reinterpret_cast<const uint8_t *>((*buffer)->getBufferStart());
  out.assign(begin, begin + (*buffer)->getBufferSize());
  return llvm::Error::success();
}

llvm::Error Loader::parseExtents(const json::Object &object, llvm::StringRef where,
                                 llvm::StringRef key, std::vector<int64_t> &out) {
  const json::Value *value = object.get(key);
  const json::Array *array = value ? value->getAsArray() : nullptr;
  if (!array)
    return fail("expected a list of integers for '{0}' in {1}", key, where);
  for (const json::Value &item : *array) {
    auto number = item.getAsInteger();
    if (!number || *number < 0 || *number > maxExtent)
      return fail("expected integers from 0 to {0} for '{1}' in {2}, found {3}", maxExtent, key,
                  where, item);
    out.push_back(*number);
  }
  return llvm::Error::success();
}

llvm::Error Loader::parseCompare(const json::Value &value, std::string where, Comparison &out) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("expected an object for 'compare' in {0}", where);
  where += ".compare";
  if (llvm::Error e = checkKeys(*object, where, {"mode", "atol", "rtol"}))
    return e;
  std::string mode;
  if (llvm::Error e = getString(*object, where, "mode", true, mode))
    return e;
  if (mode == "exact")
    out.mode = Comparison::Mode::Exact;
  else if (mode == "close")
    out.mode = Comparison::Mode::Close;
  else if (mode == "enclosure")
    out.mode = Comparison::Mode::Enclosure;
  else
    return fail("expected mode exact, close or enclosure in {0}, found '{1}'", where, mode);
  for (auto [key, target] : {std::pair("atol", &out.atol), std::pair("rtol", &out.rtol)}) {
    const json::Value *number = object->get(key);
    if (!number)
      continue;
    auto parsed = number->getAsNumber();
    if (!parsed || !(*parsed >= 0) || out.mode != Comparison::Mode::Close)
      return fail("expected a number of at least 0 and mode close for '{0}' in {1}, found {2}", key,
                  where, *number);
    *target = *parsed;
  }
  return llvm::Error::success();
}

llvm::Error Loader::parseBuffer(const json::Value &value, std::string where, Buffer &out) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("expected an object for {0}", where);
  if (llvm::Error e = checkKeys(*object, where,
                                {"dtype", "shape", "strides", "data", "expect", "open", "compare"}))
    return e;
  std::string data, expect, open;
  if (llvm::Error e = getDataType(*object, where, "dtype", out.dtype))
    return e;
  if (llvm::Error e = parseExtents(*object, where, "shape", out.shape))
    return e;
  if (llvm::Error e = parseExtents(*object, where, "strides", out.strides))
    return e;
  if (out.shape.size() != out.strides.size())
    return fail("expected as many strides as extents in {0}, found {1} and {2}", where,
                out.strides.size(), out.shape.size());
  __uint128_t elements = 1;
  for (auto [extent, stride] : llvm::zip(out.shape, out.strides))
    elements += extent == 0 ? 0 : static_cast<__uint128_t>(extent - 1) * stride;
  if (elements * sizeInBytes(out.dtype) > maxBufferBytes)
    return fail("{0} has more than {1} bytes", where, maxBufferBytes);
  if (llvm::Error e = getString(*object, where, "data", true, data))
    return e;
  if (llvm::Error e = readFile(where, data, out.data))
    return e;
  if (out.data.size() != out.byteSize())
    return fail("expected {0} bytes in '{1}' of {2}, found {3}", out.byteSize(), data, where,
                out.data.size());
  if (const json::Value *compare = object->get("compare"))
    if (llvm::Error e = parseCompare(*compare, where, out.compare))
      return e;
  if (object->get("open") && !object->get("expect"))
    return fail("expected 'expect' beside 'open' in {0}", where);
  if (!object->get("expect"))
    return llvm::Error::success();
  if (llvm::Error e = getString(*object, where, "expect", true, expect))
    return e;
  out.expect.emplace();
  if (llvm::Error e = readFile(where, expect, *out.expect))
    return e;
  if (out.expect->size() != out.byteSize())
    return fail("expected {0} bytes in '{1}' of {2}, found {3}", out.byteSize(), expect, where,
                out.expect->size());
  if (!object->get("open"))
    return llvm::Error::success();
  if (llvm::Error e = getString(*object, where, "open", true, open))
    return e;
  if (llvm::Error e = readFile(where, open, out.open))
    return e;
  if (out.open.size() != out.byteSize())
    return fail("expected {0} bytes in '{1}' of {2}, found {3}", out.byteSize(), open, where,
                out.open.size());
  for (uint8_t flag : out.open)
    if (flag > 1)
      return fail("expected flags 0 and 1 in '{0}' of {1}, found {2}", open, where,
                  static_cast<int>(flag));
  return llvm::Error::success();
}

llvm::Error Loader::parseScalar(const json::Value &value, llvm::StringRef where, Parameter &out) {
  if (isFloat(out.dtype)) {
    double number;
    if (auto text = value.getAsString()) {
      if (*text == "nan")
        number = std::numeric_limits<double>::quiet_NaN();
      else if (*text == "inf")
        number = std::numeric_limits<double>::infinity();
      else if (*text == "-inf")
        number = -std::numeric_limits<double>::infinity();
      else
        return fail("expected a number, \"nan\", \"inf\" or \"-inf\" as value of {0}, found {1}",
                    where, value);
    } else if (auto parsed = value.getAsNumber()) {
      number = *parsed;
    } else {
      return fail("expected a number as value of {0}, found {1}", where, value);
    }
    out.bits = fromDouble(out.dtype, number);
    return llvm::Error::success();
  }
  unsigned width = sizeInBytes(out.dtype) * 8;
  if (out.dtype == DataType::Bool) {
    auto flag = value.getAsBoolean();
    auto number = value.getAsInteger();
    if (!flag && !(number && (*number == 0 || *number == 1)))
      return fail("expected 0 or 1 as value of {0}, found {1}", where, value);
    out.bits = flag ? *flag : *number;
    return llvm::Error::success();
  }
  // Signed types accept [-2^(n-1), 2^(n-1)), unsigned ones [0, 2^n).
  auto asSigned = value.getAsInteger();
  auto asUnsigned = value.getAsUINT64();
  bool fits;
  if (isSignedInteger(out.dtype))
    fits = asSigned && (*asSigned << (64 - width)) >> (64 - width) == *asSigned;
  else
    fits = asUnsigned && (width == 64 || *asUnsigned >> width == 0);
  if (!fits)
    return fail("expected a value of type {0} for {1}, found {2}", spelling(out.dtype), where,
                value);
  out.bits = isSignedInteger(out.dtype) ? static_cast<uint64_t>(*asSigned) : *asUnsigned;
  if (width < 64)
    out.bits &= (uint64_t(1) << width) - 1;
  return llvm::Error::success();
}

llvm::Error Loader::parseTable(const json::Value &value, std::string where, Parameter &out) {
  const json::Array *rows = value.getAsArray();
  if (!rows)
    return fail("expected a list of rows as table of {0}", where);
  for (const json::Value &rowValue : *rows) {
    const json::Array *words = rowValue.getAsArray();
    if (!words)
      return fail("expected a list of words as row of the table of {0}, found {1}", where,
                  rowValue);
    std::vector<TableWord> row;
    for (const json::Value &word : *words) {
      TableWord &entry = row.emplace_back();
      if (const json::Object *pointer = word.getAsObject()) {
        if (llvm::Error e = checkKeys(*pointer, where, {"ptr", "dtype", "offset"}))
          return e;
        int64_t index = 0;
        if (llvm::Error e = getInteger(*pointer, where, "ptr", 0, int64_t(bufferCount) - 1, index))
          return e;
        if (pointer->get("offset"))
          if (llvm::Error e =
                  getInteger(*pointer, where, "offset", -maxExtent, maxExtent, entry.offset))
            return e;
        entry.isPointer = true;
        entry.buffer = static_cast<unsigned>(index);
      } else if (auto number = word.getAsInteger()) {
        entry.word = static_cast<uint64_t>(*number);
      } else if (auto large = word.getAsUINT64()) {
        entry.word = *large;
      } else {
        return fail("expected a pointer or an integer in the table of {0}, found {1}", where, word);
      }
    }
    out.rows.push_back(std::move(row));
  }
  return llvm::Error::success();
}

llvm::Error Loader::parseParameter(const json::Value &value, std::string where, Parameter &out) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("expected an object for {0}", where);
  if (object->get("ptr")) {
    out.kind = Parameter::Kind::Pointer;
    if (llvm::Error e = checkKeys(*object, where, {"ptr", "dtype", "offset"}))
      return e;
    int64_t index = 0;
    if (llvm::Error e = getInteger(*object, where, "ptr", 0, int64_t(bufferCount) - 1, index))
      return e;
    out.buffer = static_cast<unsigned>(index);
    if (object->get("offset"))
      if (llvm::Error e = getInteger(*object, where, "offset", -maxExtent, maxExtent, out.offset))
        return e;
    return getDataType(*object, where, "dtype", out.dtype);
  }
  if (object->get("scalar")) {
    out.kind = Parameter::Kind::Scalar;
    if (llvm::Error e = checkKeys(*object, where, {"scalar", "value"}))
      return e;
    if (llvm::Error e = getDataType(*object, where, "scalar", out.dtype))
      return e;
    const json::Value *scalar = object->get("value");
    if (!scalar)
      return fail("missing key 'value' in {0}", where);
    return parseScalar(*scalar, where, out);
  }
  if (const json::Value *table = object->get("table")) {
    out.kind = Parameter::Kind::Table;
    if (llvm::Error e = checkKeys(*object, where, {"table", "dtype"}))
      return e;
    if (llvm::Error e = getDataType(*object, where, "dtype", out.dtype))
      return e;
    return parseTable(*table, where, out);
  }
  return fail("expected one of the keys 'ptr', 'scalar', 'table' in {0}", where);
}

/// What is wrong with the key of a module: no version, or not the one that its bytecode has.
static std::string problemOfVersion(llvm::StringRef version, const Bytes &bytes) {
  auto [majorText, minorText] = version.split('.');
  unsigned major = 0, minor = 0;
  if (majorText.getAsInteger(10, major) || minorText.getAsInteger(10, minor) ||
      version != llvm::formatv("{0}.{1}", major, minor).str())
    return "expected a version such as \"13.1\"";
  // Magic number, then a byte each; a broken header is the reader's to refuse.
  constexpr uint8_t magic[] = {0x7f, 'T', 'i', 'l', 'e', 'I', 'R', 0};
  constexpr size_t size = std::size(magic);
  if (bytes.size() < size + 2 || !std::equal(std::begin(magic), std::end(magic), bytes.begin()) ||
      (bytes[size] == major && bytes[size + 1] == minor))
    return {};
  return llvm::formatv("expected \"{0}.{1}\", the version of the bytecode,", unsigned(bytes[size]),
                       unsigned(bytes[size + 1]));
}

llvm::Error Loader::parseLaunch(const json::Object &object, std::string where, Launch &out) {
  if (llvm::Error e = getString(object, where, "kernel", true, out.kernel))
    return e;
  const json::Object *modules = object.getObject("modules");
  if (!modules || modules->empty())
    return fail("expected an object with at least one version for 'modules' in {0}", where);
  for (const auto &[version, file] : *modules) {
    auto name = file.getAsString();
    if (!name)
      return fail("expected a file name for version {0} of {1}, found {2}",
                  llvm::StringRef(version), where, file);
    ModuleFile module{llvm::StringRef(version).str(), name->str(), {}};
    if (llvm::Error e = readFile(where + ".modules", *name, module.bytes))
      return e;
    // What must be refused may have any version, and a case of it the key that it was made for.
    if (!mayBeBroken)
      if (std::string problem = problemOfVersion(version, module.bytes); !problem.empty())
        return fail("{0} as key of '{1}' in {2}, found \"{3}\"", problem, *name, where,
                    llvm::StringRef(version));
    out.modules.push_back(std::move(module));
  }
  std::sort(out.modules.begin(), out.modules.end(),
            [](auto &a, auto &b) { return versionLess(a.version, b.version); });
  const json::Array *grid = object.getArray("grid");
  if (!grid || grid->size() != 3)
    return fail("expected a list of 3 integers for 'grid' in {0}", where);
  for (unsigned i = 0; i < 3; ++i) {
    auto extent = (*grid)[i].getAsInteger();
    if (!extent || *extent < 1 || *extent >= (int64_t(1) << 24))
      return fail("expected grid extents from 1 to 16777215 in {0}, found {1}", where, (*grid)[i]);
    out.grid[i] = *extent;
  }
  const json::Array *params = object.getArray("params");
  if (!params)
    return fail("expected a list for 'params' in {0}", where);
  for (const auto &[index, value] : llvm::enumerate(*params))
    if (llvm::Error e = parseParameter(value, llvm::formatv("{0}.params[{1}]", where, index),
                                       out.params.emplace_back()))
      return e;
  return llvm::Error::success();
}

llvm::Error Loader::parseExtensions(const json::Object &object, TestCase &out) {
  if (const json::Value *value = object.get("expect_reject")) {
    const json::Object *reject = value->getAsObject();
    if (!reject)
      return fail("expected an object for 'expect_reject', found {0}", *value);
    ExpectedRejection &r = out.expectReject.emplace();
    llvm::StringRef where = "expect_reject";
    if (llvm::Error e = checkKeys(*reject, where, {"rule", "op", "location", "diagnostic"}))
      return e;
    if (llvm::Error e = getString(*reject, where, "rule", true, r.rule))
      return e;
    if (llvm::Error e = getString(*reject, where, "op", false, r.op))
      return e;
    if (llvm::Error e = getString(*reject, where, "location", false, r.location))
      return e;
    if (llvm::Error e = getString(*reject, where, "diagnostic", false, r.diagnostic))
      return e;
  }
  if (object.get("min_sm"))
    if (llvm::Error e = getInteger(object, "case", "min_sm", 50, 1000, out.minSm.emplace()))
      return e;
  if (llvm::Error e = getStrings(object, "features", out.features))
    return e;
  if (llvm::Error e = getStrings(object, "edits", out.edits))
    return e;
  if (llvm::Error e = getBool(object, "case", "exact_data", out.exactData))
    return e;
  if (object.get("choices")) {
    std::string file;
    if (llvm::Error e = getString(object, "case", "choices", true, file))
      return e;
    if (llvm::Error e = readFile("choices", file, out.choices.emplace()))
      return e;
  }
  if (const json::Value *value = object.get("generator")) {
    const json::Object *generator = value->getAsObject();
    if (!generator)
      return fail("expected an object for 'generator', found {0}", *value);
    out.generator = *generator;
  }
  return llvm::Error::success();
}

llvm::Expected<TestCase> Loader::load() {
  path = dir;
  llvm::sys::path::append(path, "case.json");
  auto buffer = readRegularFile(path);
  if (!buffer)
    return fail("{0}", llvm::toString(buffer.takeError()));
  if (nestsTooDeep((*buffer)->getBuffer()))
    return fail("brackets nest deeper than {0} levels", kMaxNesting);
  auto parsed = json::parse((*buffer)->getBuffer());
  if (!parsed)
    return fail("{0}", llvm::toString(parsed.takeError()));
  const json::Object *object = parsed->getAsObject();
  if (!object)
    return fail("expected an object at the top");
  if (llvm::Error e = checkKeys(
          *object, "case",
          {"format",  "name",     "kernel", "modules", "grid",       "params",    "launches",
           "buffers", "stdout",   "traps",  "message", "may_reject", "notes",     "expect_reject",
           "min_sm",  "features", "edits",  "choices", "generator",  "exact_data"}))
    return e;
  int64_t format = 1;
  if (object->get("format"))
    if (llvm::Error e = getInteger(*object, "case", "format", 1, formatVersion, format))
      return e;
  TestCase result;
  if (llvm::Error e = getString(*object, "case", "name", true, result.name))
    return e;
  const json::Array *buffers = object->getArray("buffers");
  if (!buffers)
    return fail("expected a list for 'buffers'");
  bufferCount = buffers->size();
  mayBeBroken = object->get("expect_reject") != nullptr;
  for (const auto &[index, value] : llvm::enumerate(*buffers))
    if (llvm::Error e =
            parseBuffer(value, llvm::formatv("buffers[{0}]", index), result.buffers.emplace_back()))
      return e;
  if (const json::Value *launches = object->get("launches")) {
    const json::Array *array = launches->getAsArray();
    if (!array || array->empty())
      return fail("expected a list with at least one launch for 'launches'");
    for (llvm::StringRef key : {"kernel", "modules", "grid", "params"})
      if (object->get(key))
        return fail("key '{0}' must not stand beside 'launches'", key);
    for (const auto &[index, value] : llvm::enumerate(*array)) {
      std::string where = llvm::formatv("launches[{0}]", index);
      const json::Object *launch = value.getAsObject();
      if (!launch)
        return fail("expected an object for {0}", where);
      if (llvm::Error e = checkKeys(*launch, where, {"kernel", "modules", "grid", "params"}))
        return e;
      if (llvm::Error e = parseLaunch(*launch, where, result.launches.emplace_back()))
        return e;
    }
  } else if (llvm::Error e = parseLaunch(*object, "case", result.launches.emplace_back())) {
    return e;
  }
  if (object->get("stdout"))
    if (llvm::Error e = getString(*object, "case", "stdout", true, result.standardOutput.emplace()))
      return e;
  if (llvm::Error e = getBool(*object, "case", "traps", result.traps))
    return e;
  if (llvm::Error e = getString(*object, "case", "message", false, result.message))
    return e;
  if (llvm::Error e = getBool(*object, "case", "may_reject", result.mayReject))
    return e;
  if (llvm::Error e = getString(*object, "case", "notes", false, result.notes))
    return e;
  if (llvm::Error e = parseExtensions(*object, result))
    return e;
  return result;
}

} // namespace

bool tilesmith::testcase::nestsTooDeep(llvm::StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > kMaxNesting)
      return true;
    else if (!inString && (c == ']' || c == '}') && depth)
      --depth;
  }
  return false;
}

llvm::Expected<TestCase> tilesmith::testcase::loadTestCase(llvm::StringRef dir) {
  return Loader(dir).load();
}
