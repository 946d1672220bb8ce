//===- Capture.cpp - a launch as a test case --------------------------------------------------===//
//
// Steps: a buffer for every range that a parameter points into, typed by the first such parameter;
// a pointer to words of which some are addresses inside of ranges is a table, as the format of cases
// has it, and brings those ranges along; what no range holds becomes a buffer of no elements, which
// is what frontends pass for empty arrays.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/runtime/Capture.h"

#include "compiler/bytecode/BytecodeReader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace tilesmith;
using namespace tilesmith::runtime;

namespace {

/// The longest table that is looked for, in words.
constexpr uint64_t kMaxTable = 1 << 14;

class CaseBuilder {
public:
  CaseBuilder(const Launch &launch, const Entry &entry) : launch(launch) {
    for (auto [parameter, bytes] : llvm::zip(entry.parameters, launch.arguments))
      params.push_back(convert(parameter, bytes));
  }

  std::vector<const Range *> ranges; ///< of each buffer
  std::vector<testcase::DataType> types;
  std::vector<testcase::Parameter> params;

private:
  const Range *find(uint64_t address) const {
    for (const Range &range : launch.ranges)
      if (address - reinterpret_cast<uint64_t>(range.base) < range.size)
        return &range;
    return nullptr;
  }

  unsigned bufferOf(const Range *range, testcase::DataType type) {
    for (auto [i, known] : llvm::enumerate(ranges))
      if (known && known == range)
        return static_cast<unsigned>(i);
    if (range && range->size % testcase::sizeInBytes(type))
      type = testcase::DataType::U8;
    ranges.push_back(range);
    types.push_back(type);
    return static_cast<unsigned>(ranges.size() - 1);
  }

  testcase::Parameter convert(const Parameter &parameter, llvm::ArrayRef<uint8_t> bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), std::min<size_t>(bytes.size(), 8));
    if (!parameter.isPointer)
      return testcase::Parameter::scalar(parameter.dtype, bits);
    const Range *range = find(bits);
    if (!range)
      return testcase::Parameter::pointer(bufferOf(nullptr, parameter.dtype), parameter.dtype);
    uint64_t offset = bits - reinterpret_cast<uint64_t>(range->base);
    if (parameter.dtype == testcase::DataType::I64 && offset % 8 == 0)
      if (auto table = tableAt(*range, offset))
        return *table;
    unsigned buffer = bufferOf(range, parameter.dtype);
    unsigned size = testcase::sizeInBytes(parameter.dtype);
    if (offset % size == 0)
      return testcase::Parameter::pointer(buffer, parameter.dtype, int64_t(offset / size));
    return testcase::Parameter::pointer(buffer, testcase::DataType::U8, int64_t(offset));
  }

  /// The words from an offset on as a table, if some are addresses. It ends a row behind the last
  /// one; rows are as long as the first two addresses are apart.
  std::optional<testcase::Parameter> tableAt(const Range &range, uint64_t offset) {
    uint64_t count = std::min((range.size - offset) / 8, kMaxTable), first = count, row = 0,
             last = 0;
    std::vector<uint64_t> words(count);
    std::memcpy(words.data(), range.base + offset, count * 8);
    for (uint64_t i = 0; i < count; ++i) {
      const Range *target = find(words[i]);
      if (!target || target == &range)
        continue;
      if (first == count)
        first = i;
      else if (!row)
        row = i - first;
      if (row && i - last != row) // what follows is no part of it
        break;
      last = i;
    }
    if (first != 0)
      return std::nullopt;
    count = std::min(count, last + (row ? row : 16));
    testcase::Parameter table;
    table.kind = testcase::Parameter::Kind::Table;
    table.dtype = testcase::DataType::I64;
    std::vector<testcase::TableWord> &line = table.rows.emplace_back();
    for (uint64_t i = 0; i < count; ++i) {
      testcase::TableWord &word = line.emplace_back();
      const Range *target = find(words[i]);
      if (target && target != &range) {
        word.isPointer = true;
        word.buffer = bufferOf(target, testcase::DataType::U8);
        word.offset = int64_t((words[i] - reinterpret_cast<uint64_t>(target->base)) /
                              testcase::sizeInBytes(types[word.buffer]));
      } else {
        word.word = words[i];
      }
    }
    return table;
  }

  const Launch &launch;
};

} // namespace

std::vector<const Range *> runtime::rangesOfCase(const Launch &launch, const Entry &entry) {
  return CaseBuilder(launch, entry).ranges;
}

llvm::Expected<testcase::TestCase> runtime::toTestCase(const Launch &launch, const Entry &entry,
                                                       llvm::StringRef bytecode, std::string name) {
  auto version = bytecode::readVersion(bytecode);
  if (!version)
    return version.takeError();
  CaseBuilder builder(launch, entry);
  testcase::TestCase testCase;
  testCase.name = std::move(name);
  testcase::Launch &only = testCase.launches.emplace_back();
  only.kernel = entry.name;
  only.grid = launch.grid;
  only.params = std::move(builder.params);
  std::string number = llvm::formatv("{0}.{1}", version->major, version->minor);
  only.modules.push_back({number, "kernel.v" + number + ".tileirbc",
                          testcase::Bytes(bytecode.bytes_begin(), bytecode.bytes_end())});
  for (auto [range, type] : llvm::zip(builder.ranges, builder.types)) {
    testcase::Buffer &buffer = testCase.buffers.emplace_back();
    buffer.dtype = type;
    uint64_t size = range ? range->size : 0;
    buffer.shape = {int64_t(size / testcase::sizeInBytes(type))};
    buffer.strides = {1};
    if (range)
      buffer.data.assign(range->base, range->base + size);
    buffer.compare.mode = testcase::Comparison::Mode::Enclosure;
  }
  return testCase;
}

std::string runtime::shortName(llvm::StringRef entry) {
  std::string name;
  for (char c : entry.take_front(40))
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  return name.empty() ? "kernel" : name;
}

llvm::Expected<std::string> runtime::captureLaunch(const Launch &launch, const Entry &entry,
                                                   llvm::StringRef bytecode,
                                                   llvm::ArrayRef<testcase::Bytes> before,
                                                   llvm::StringRef folder, llvm::StringRef name,
                                                   const LaunchResult &result) {
  auto testCase = toTestCase(launch, entry, bytecode, name.str());
  if (!testCase)
    return testCase.takeError();
  std::vector<const Range *> ranges = rangesOfCase(launch, entry);
  for (auto [range, buffer] : llvm::zip(ranges, testCase->buffers))
    if (range)
      buffer.data = before[range - launch.ranges.data()];
  testCase->notes = "captured from a program";
  for (const Finding &finding : result.findings)
    testCase->notes += "; " + finding.str();
  if (result.ok() && !result.printed.empty())
    testCase->standardOutput = result.printed;
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  if (llvm::Error error = testcase::saveTestCase(*testCase, path))
    return std::move(error);
  return path.str().str();
}
