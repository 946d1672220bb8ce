//===- ModuleLoader.cpp - bytecode of a case to a verified cuda_tile module -------------------===//
#include "oracles/engines/ModuleLoader.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "oracles/engines/ContextPool.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

std::optional<cuda_tile::Profile> tilesmith::oracles::parseProfile(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<cuda_tile::Profile>>(name)
      .Case("public", cuda_tile::Profile::Public)
      .Case("tileiras-13.5", cuda_tile::Profile::Tileiras13_5)
      .Case("tileiras-13.1", cuda_tile::Profile::Tileiras13_1)
      .Default(std::nullopt);
}

ModuleLoader::ModuleLoader(const mlir::DialectRegistry &registry, llvm::StringRef profile)
    : mlirContext(borrowContext(parseProfile(profile).value_or(cuda_tile::Profile::Tileiras13_5))) {
  mlirContext->appendDialectRegistry(registry);
}

llvm::Expected<cuda_tile::ModuleOp> ModuleLoader::load(const testcase::Launch &launch,
                                                       llvm::StringRef version) {
  const testcase::ModuleFile *file = launch.module(version);
  if (!file)
    return llvm::createStringError(
        llvm::formatv("no module of bytecode version {0}", version).str());
  auto [it, isNew] = modules.try_emplace(file->file);
  if (isNew) {
    llvm::StringRef data(reinterpret_cast<const char *>(file->bytes.data()), file->bytes.size());
    auto module = bytecode::readBytecode(data, mlirContext.get());
    if (!module) {
      modules.erase(it);
      return module.takeError();
    }
    it->second = std::move(*module);
  }
  return *it->second;
}

std::vector<BufferResult> tilesmith::oracles::initialBuffers(const testcase::TestCase &testCase) {
  std::vector<BufferResult> result;
  for (const testcase::Buffer &buffer : testCase.buffers)
    result.push_back({buffer.data, {}});
  return result;
}
