//===- BytecodeBenchmark.cpp - ops per second of reading, verifying and writing ---------------===//
//
// The module is a straight line of scalar additions with a constant every eight ops, about the mix
// of a real kernel.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"

#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>

using namespace tilesmith;

namespace {

struct Fixture {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> holder;
  cuda_tile::ModuleOp module;
  std::string data;

  explicit Fixture(int64_t ops) {
    context.loadDialect<cuda_tile::CudaTileDialect>();
    std::string text = "cuda_tile.module @kernels { entry @k(%v0: tile<i32>) {\n";
    for (int64_t i = 0; i < ops; ++i) {
      std::string result = "%v" + std::to_string(i + 1), source = "%v" + std::to_string(i);
      if (i % 8 == 7)
        text += result + " = constant <i32: " + std::to_string(i) + "> : tile<i32>\n";
      else
        text += result + " = addi " + source + ", %v0 : tile<i32>\n";
    }
    text += "return\n} }";
    holder = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    module = mlir::cast<cuda_tile::ModuleOp>(holder->getBody()->front());
    llvm::raw_string_ostream os(data);
    llvm::cantFail(bytecode::writeBytecode(module, os));
  }
};

void readAndVerify(benchmark::State &state, bool verify) {
  Fixture fixture(state.range(0));
  bytecode::ReaderOptions options;
  options.verify = verify;
  for (auto _ : state) {
    auto module = bytecode::readBytecode(fixture.data, &fixture.context, options);
    if (!module)
      return state.SkipWithError(llvm::toString(module.takeError()).c_str());
    state.PauseTiming(); // a compiler that has read a module does not free it next
    module->release()->erase();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void BM_Read(benchmark::State &state) {
  readAndVerify(state, false);
}
void BM_ReadAndVerify(benchmark::State &state) {
  readAndVerify(state, true);
}

void BM_Write(benchmark::State &state) {
  Fixture fixture(state.range(0));
  for (auto _ : state) {
    std::string data;
    llvm::raw_string_ostream os(data);
    llvm::cantFail(bytecode::writeBytecode(fixture.module, os));
    benchmark::DoNotOptimize(data);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(BM_Read)->Arg(10000);
BENCHMARK(BM_ReadAndVerify)->Arg(100)->Arg(10000)->Arg(100000);
BENCHMARK(BM_Write)->Arg(10000);

} // namespace
