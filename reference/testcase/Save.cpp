//===- Save.cpp - write a case folder ---------------------------------------------------------===//
//
// Deterministic: equal cases give equal bytes. A reader never sees half a case, and a folder that
// we did not write is not replaced (OutputFolder.h).
//
//===------------------------------------------------------------------------------------------===//
#include <cmath>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "reference/testcase/Save.h"

using namespace tilesmith;
using namespace tilesmith::testcase;
namespace json = llvm::json;

namespace {

std::string dataFile(unsigned index) {
  return llvm::formatv("b{0}.bin", index).str();
}
std::string expectFile(unsigned index) {
  return llvm::formatv("b{0}.out.bin", index).str();
}
std::string openFile(unsigned index) {
  return llvm::formatv("b{0}.open.bin", index).str();
}
constexpr llvm::StringLiteral choicesFile = "choices.bin";

json::Value scalarValue(const Parameter &p) {
  if (isFloat(p.dtype)) {
    double value = toDouble(p.dtype, p.bits);
    if (std::isnan(value))
      return "nan";
    if (std::isinf(value))
      return value > 0 ? "inf" : "-inf";
    return value;
  }
  if (isSignedInteger(p.dtype)) {
    unsigned shift = 64 - sizeInBytes(p.dtype) * 8;
    return static_cast<int64_t>(p.bits << shift) >> shift;
  }
  return p.bits;
}

json::Value parameterValue(const Parameter &p) {
  json::Object object;
  switch (p.kind) {
  case Parameter::Kind::Pointer:
    object["ptr"] = p.buffer;
    object["dtype"] = spelling(p.dtype);
    if (p.offset)
      object["offset"] = p.offset;
    break;
  case Parameter::Kind::Scalar:
    object["scalar"] = spelling(p.dtype);
    object["value"] = scalarValue(p);
    break;
  case Parameter::Kind::Table: {
    json::Array rows;
    for (const auto &row : p.rows) {
      json::Array words;
      for (const TableWord &word : row) {
        if (!word.isPointer) {
          words.push_back(static_cast<int64_t>(word.word));
          continue;
        }
        json::Object pointer{{"ptr", word.buffer}};
        if (word.offset)
          pointer["offset"] = word.offset;
        words.push_back(std::move(pointer));
      }
      rows.push_back(std::move(words));
    }
    object["table"] = std::move(rows);
    object["dtype"] = spelling(p.dtype);
    break;
  }
  }
  return object;
}

void writeLaunch(json::OStream &out, const Launch &launch) {
  out.attribute("kernel", launch.kernel);
  out.attributeObject("modules", [&] {
    for (const ModuleFile &m : launch.modules)
      out.attribute(m.version, m.file);
  });
  out.attribute("grid", json::Array{launch.grid[0], launch.grid[1], launch.grid[2]});
  out.attributeArray("params", [&] {
    for (const Parameter &p : launch.params)
      out.value(parameterValue(p));
  });
}

void writeBuffer(json::OStream &out, const Buffer &buffer, unsigned index) {
  out.object([&] {
    out.attribute("dtype", spelling(buffer.dtype));
    out.attribute("shape", json::Array(buffer.shape));
    out.attribute("strides", json::Array(buffer.strides));
    out.attribute("data", dataFile(index));
    if (buffer.expect)
      out.attribute("expect", expectFile(index));
    if (buffer.expect && !buffer.open.empty())
      out.attribute("open", openFile(index));
    if (!buffer.expect && buffer.compare == Comparison())
      return;
    out.attributeObject("compare", [&] {
      switch (buffer.compare.mode) {
      case Comparison::Mode::Exact:
        out.attribute("mode", "exact");
        break;
      case Comparison::Mode::Close:
        out.attribute("mode", "close");
        out.attribute("rtol", buffer.compare.rtol);
        out.attribute("atol", buffer.compare.atol);
        break;
      case Comparison::Mode::Enclosure:
        out.attribute("mode", "enclosure");
        break;
      }
    });
  });
}

void writeExtensions(json::OStream &out, const TestCase &testCase) {
  if (testCase.expectReject) {
    const ExpectedRejection &r = *testCase.expectReject;
    out.attributeObject("expect_reject", [&] {
      out.attribute("rule", r.rule);
      for (auto [key, text] : {std::pair("op", &r.op), std::pair("location", &r.location),
                               std::pair("diagnostic", &r.diagnostic)})
        if (!text->empty())
          out.attribute(key, *text);
    });
  }
  if (testCase.minSm)
    out.attribute("min_sm", *testCase.minSm);
  if (!testCase.features.empty())
    out.attribute("features", json::Array(testCase.features));
  if (!testCase.edits.empty())
    out.attribute("edits", json::Array(testCase.edits));
  if (testCase.exactData)
    out.attribute("exact_data", true);
  if (testCase.choices)
    out.attribute("choices", choicesFile);
  if (testCase.generator)
    out.attribute("generator", json::Object(*testCase.generator));
}

/// Collects files by name; the same name with other bytes is an error.
class FileSet {
public:
  llvm::Error add(llvm::StringRef name, llvm::ArrayRef<uint8_t> bytes) {
    if (name.empty() || llvm::sys::path::filename(name) != name)
      return llvm::createStringError("expected a plain file name, found '" + name + "'");
    auto [it, inserted] = files.try_emplace(name.str(), bytes);
    if (!inserted && it->second != bytes)
      return llvm::createStringError("two different contents for file '" + name + "'");
    return llvm::Error::success();
  }
  const std::map<std::string, llvm::ArrayRef<uint8_t>> &all() const { return files; }

private:
  std::map<std::string, llvm::ArrayRef<uint8_t>> files;
};

/// The files of a case; `text` holds its case.json.
llvm::Expected<FileSet> filesOf(const TestCase &testCase, llvm::StringRef text) {
  FileSet files;
  auto bytesOf = [](llvm::StringRef s) {
    return llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(s.data()), s.size());
  };
  llvm::Error error = files.add("case.json", bytesOf(text));
  auto add = [&](llvm::StringRef name, const Bytes &bytes) {
    if (!error)
      error = files.add(name, bytes);
  };
  for (const auto &[index, buffer] : llvm::enumerate(testCase.buffers)) {
    if (!error && buffer.data.size() != buffer.byteSize())
      error = llvm::createStringError(
          llvm::formatv("expected {0} bytes of data in buffer {1}, found {2}", buffer.byteSize(),
                        index, buffer.data.size())
              .str());
    if (!error && buffer.expect && buffer.expect->size() != buffer.byteSize())
      error = llvm::createStringError(
          llvm::formatv("expected {0} bytes of expectation in buffer {1}, found {2}",
                        buffer.byteSize(), index, buffer.expect->size())
              .str());
    if (!error && buffer.expect && !buffer.open.empty() && buffer.open.size() != buffer.byteSize())
      error = llvm::createStringError(
          llvm::formatv("expected {0} flags of open bytes in buffer {1}, found {2}",
                        buffer.byteSize(), index, buffer.open.size())
              .str());
    add(dataFile(index), buffer.data);
    if (buffer.expect)
      add(expectFile(index), *buffer.expect);
    if (buffer.expect && !buffer.open.empty())
      add(openFile(index), buffer.open);
  }
  for (const Launch &launch : testCase.launches)
    for (const ModuleFile &module : launch.modules)
      add(module.file, module.bytes);
  if (testCase.choices)
    add(choicesFile, *testCase.choices);
  if (error)
    return error;
  return files;
}

} // namespace

std::string tilesmith::testcase::printTestCase(const TestCase &testCase) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, /*IndentSize=*/1);
  out.object([&] {
    out.attribute("format", formatVersion);
    out.attribute("name", testCase.name);
    if (testCase.launches.size() == 1) {
      writeLaunch(out, testCase.launches.front());
    } else {
      out.attributeArray("launches", [&] {
        for (const Launch &launch : testCase.launches)
          out.object([&] { writeLaunch(out, launch); });
      });
    }
    out.attributeArray("buffers", [&] {
      for (const auto &[index, buffer] : llvm::enumerate(testCase.buffers))
        writeBuffer(out, buffer, index);
    });
    if (testCase.standardOutput)
      out.attribute("stdout", *testCase.standardOutput);
    if (testCase.traps)
      out.attribute("traps", true);
    if (!testCase.message.empty())
      out.attribute("message", testCase.message);
    if (testCase.mayReject)
      out.attribute("may_reject", true);
    if (!testCase.notes.empty())
      out.attribute("notes", testCase.notes);
    writeExtensions(out, testCase);
  });
  stream << '\n';
  return text;
}

llvm::Error tilesmith::testcase::addTestCase(const TestCase &testCase, const OutputFolder &folder) {
  std::string text = printTestCase(testCase);
  llvm::Expected<FileSet> files = filesOf(testCase, text);
  if (!files)
    return files.takeError();
  for (const auto &[name, bytes] : files->all())
    if (llvm::Error error = folder.write(name, llvm::toStringRef(bytes)))
      return error;
  return llvm::Error::success();
}

llvm::Error tilesmith::testcase::saveTestCase(const TestCase &testCase, llvm::StringRef dir) {
  llvm::Expected<OutputFolder> folder = OutputFolder::create(dir);
  if (!folder)
    return folder.takeError();
  if (llvm::Error error = addTestCase(testCase, *folder))
    return error;
  return folder->keep();
}
