//===- Module.cpp - a loaded module and all that was made of it -------------------------------===//
#include "oracles/engines/runtime/Module.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/pipeline/Registration.h"

using namespace tilesmith;
using namespace tilesmith::runtime;
using testcase::DataType;

namespace {

DataType dataTypeOf(mlir::Type type) {
  if (type.isF16())
    return DataType::F16;
  if (type.isBF16())
    return DataType::BF16;
  if (type.isF32())
    return DataType::F32;
  if (type.isF64())
    return DataType::F64;
  if (type.isTF32())
    return DataType::TF32;
  if (llvm::isa<mlir::Float8E4M3FNType>(type))
    return DataType::F8E4M3FN;
  if (llvm::isa<mlir::Float8E5M2Type>(type))
    return DataType::F8E5M2;
  if (llvm::isa<mlir::Float8E8M0FNUType>(type))
    return DataType::F8E8M0FNU;
  unsigned width = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 8;
  return width == 1    ? DataType::Bool
         : width <= 8  ? DataType::I8
         : width == 16 ? DataType::I16
         : width == 32 ? DataType::I32
                       : DataType::I64;
}

std::vector<Entry> entriesOf(cuda_tile::ModuleOp module) {
  std::vector<Entry> entries;
  for (auto op : module.getBody().front().getOps<cuda_tile::EntryOp>()) {
    Entry &entry = entries.emplace_back();
    entry.name = op.getSymName().str();
    uint64_t end = 0;
    for (mlir::BlockArgument argument : op.getBody().front().getArguments()) {
      mlir::Type type = llvm::cast<cuda_tile::TileType>(argument.getType()).getElementType();
      Parameter &parameter = entry.parameters.emplace_back();
      if (auto pointer = llvm::dyn_cast<cuda_tile::PointerType>(type)) {
        parameter = {true, 8, dataTypeOf(pointer.getPointeeType())};
      } else {
        parameter.dtype = dataTypeOf(type);
        parameter.size = testcase::sizeInBytes(parameter.dtype);
      }
      // As on a GPU: one behind the other, each aligned to its size.
      parameter.offset = static_cast<unsigned>(llvm::alignTo(end, parameter.size));
      end = parameter.offset + parameter.size;
    }
  }
  return entries;
}

const mlir::DialectRegistry &registry() {
  static const mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry all;
    registerCompilerDialects(all);
    return all;
  }();
  return registry;
}

} // namespace

runtime::Module::Module(std::string bytecode, oracles::EngineOptions options)
    : bytecode(std::move(bytecode)), options(std::move(options)),
      loader(registry(), this->options.profile, /*fresh=*/true) {}

std::string runtime::compileWords(oracles::EngineOptions options) {
  options.seed = 0;
  options.emulator = {};
  return shellWords(oracles::printEngineOptions(options));
}

llvm::Error runtime::Module::readMachineCode(llvm::ArrayRef<uint8_t> cubin) {
  auto program = sass::Program::create(cubin);
  if (!program)
    return program.takeError();
  machineCode = std::move(*program);
  this->cubin = cubin.vec();
  return llvm::Error::success();
}

llvm::Error runtime::Module::readCubin(llvm::ArrayRef<uint8_t> cubin) {
  if (llvm::Error error = readMachineCode(cubin))
    return error;
  for (std::string &name : machineCode->kernels()) {
    Entry &entry = entries.emplace_back();
    for (sass::Program::Parameter place : machineCode->parameters(name))
      entry.parameters.push_back({false, place.size, DataType::U8, place.offset});
    entry.name = std::move(name);
  }
  return llvm::Error::success();
}

llvm::Error runtime::Module::read() {
  auto version = bytecode::readVersion(bytecode);
  if (!version)
    return version.takeError();
  testcase::Launch launch;
  launch.modules.push_back({"13.0", "module", testcase::Bytes(bytecode.begin(), bytecode.end())});
  auto loaded = loader.load(launch, "13.0");
  if (!loaded)
    return loaded.takeError();
  op = *loaded;
  entries = entriesOf(op);
  return llvm::Error::success();
}
