//===- HostMemory.cpp - the arrays of a case in host memory -----------------------------------===//
#include "oracles/engines/HostMemory.h"

#include "compiler/support/Plants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

HostMemory::HostMemory(const testcase::TestCase &testCase) : testCase(testCase) {
  for (const testcase::Buffer &buffer : testCase.buffers)
    addresses.push_back(buffers.emplace_back(buffer.data).address());
}

llvm::Expected<testcase::LaunchImage> HostMemory::flatten(const testcase::Launch &launch) {
  auto placeTable = [&](llvm::ArrayRef<uint64_t> words) -> llvm::Expected<uint64_t> {
    llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(words.data()),
                                  words.size() * 8);
    return tables.emplace_back(bytes).address();
  };
  return testcase::flattenLaunch(testCase, launch, addresses, placeTable);
}

void HostMemory::readBack(EngineResult &result) {
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    if (!buffer.guardsIntact()) {
      result = EngineResult::stop(EngineResult::Status::Failed,
                                  "wrote outside of buffer " + std::to_string(i));
      return;
    }
    result.buffers.push_back({testcase::Bytes(buffer.data(), buffer.data() + buffer.size()), {}});
  }
}

std::vector<std::vector<uint8_t>>
tilesmith::oracles::argumentBytes(const testcase::LaunchImage &image) {
  std::vector<std::vector<uint8_t>> arguments;
  for (const testcase::KernelArgument &argument : image.arguments) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(&argument.bits);
    arguments.emplace_back(bytes, bytes + argument.size);
  }
  return arguments;
}

std::string tilesmith::oracles::loweredKey(const EngineRequest &request,
                                           const testcase::ModuleFile &file) {
  EngineRequest lowering = request;
  lowering.options.optimizeIR = false; // comes later
  return file.file + "|" + compiledCodeKey(lowering);
}

std::string tilesmith::oracles::compiledCodeKey(const EngineRequest &request) {
  EngineOptions compiling = request.options;
  compiling.seed = 0;
  compiling.emulator = {};
  if (!request.options.emulator.counterFile.empty())
    compiling.emulator.counterFile = "counted";
  std::string key =
      request.version + "|" + compiling.program + "|" + shellWords(printEngineOptions(compiling));
  for (const PlantInfo &plant : plantRegistry())
    if (isPlantActive(plant.id))
      key += "|" + plant.id.str();
  for (const testcase::Launch &launch : request.testCase.launches)
    if (const testcase::ModuleFile *file = launch.module(request.version))
      key += "|" + file->file + "|" + llvm::toStringRef(file->bytes).str();
  return key;
}
