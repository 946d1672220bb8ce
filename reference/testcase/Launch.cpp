//===- Launch.cpp - a launch as plain kernel arguments ----------------------------------------===//
#include "reference/testcase/Launch.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith::testcase;

namespace {

llvm::Expected<uint64_t> addressOf(const TestCase &testCase, llvm::ArrayRef<uint64_t> addresses,
                                   unsigned buffer, int64_t offset, unsigned elementSize) {
  if (buffer >= testCase.buffers.size() || buffer >= addresses.size())
    return llvm::createStringError(
        llvm::formatv("expected a buffer number below {0}, found {1}",
                      std::min(testCase.buffers.size(), addresses.size()), buffer)
            .str());
  return addresses[buffer] + static_cast<uint64_t>(offset) * elementSize;
}

} // namespace

llvm::Expected<LaunchImage> tilesmith::testcase::flattenLaunch(const TestCase &testCase,
                                                               const Launch &launch,
                                                               llvm::ArrayRef<uint64_t> addresses,
                                                               TablePlacer placeTable) {
  LaunchImage image;
  image.entry = launch.kernel;
  image.grid = launch.grid;
  for (const Parameter &p : launch.params) {
    KernelArgument &argument = image.arguments.emplace_back();
    argument.dtype = p.dtype;
    switch (p.kind) {
    case Parameter::Kind::Scalar:
      argument.bits = p.bits;
      argument.size = sizeInBytes(p.dtype);
      break;
    case Parameter::Kind::Pointer: {
      auto address = addressOf(testCase, addresses, p.buffer, p.offset, sizeInBytes(p.dtype));
      if (!address)
        return address.takeError();
      argument.bits = *address;
      argument.isPointer = true;
      break;
    }
    case Parameter::Kind::Table: {
      std::vector<uint64_t> words;
      for (const auto &row : p.rows)
        for (const TableWord &word : row) {
          if (!word.isPointer) {
            words.push_back(word.word);
            continue;
          }
          if (word.buffer >= testCase.buffers.size())
            return llvm::createStringError("table names a buffer that does not exist");
          auto address = addressOf(testCase, addresses, word.buffer, word.offset,
                                   sizeInBytes(testCase.buffers[word.buffer].dtype));
          if (!address)
            return address.takeError();
          words.push_back(*address);
        }
      auto table = placeTable(words);
      if (!table)
        return table.takeError();
      argument.bits = *table;
      argument.isPointer = true;
      break;
    }
    }
  }
  return image;
}
