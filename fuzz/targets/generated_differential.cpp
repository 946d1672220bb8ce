//===- generated_differential.cpp - choice stream to kernel, at -O1 and -O3 ------------------===//
//
// The bytes are the choices of the kernel generator. The module must verify, the reference must
// find no undefined behaviour, and the reference and the emulator at -O1 and -O3 must agree. Three
// verdicts: agree and inconclusive return, a disagreement ends the process with the reason.
//
// Instrumented, an element of a tile costs the reference about a microsecond for each operation.
// Kernels that would take seconds are made, verified and left at that, and other schedules are not
// tried: the campaign does both.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "fuzz/targets/FuzzContext.h"
#include "fuzz/targets/FuzzMutators.h"
#include "generators/program/ProgramGenerator.h"
#include "oracles/differential/Differential.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;

/// Elements that the operations of the case make, over all blocks and launches; a loop counts as
/// four rounds.
static uint64_t workOf(const testcase::TestCase &testCase) {
  uint64_t work = 0;
  for (const testcase::Launch &launch : testCase.launches) {
    const testcase::Bytes &bytes = launch.modules.front().bytes;
    auto module = llvm::cantFail(bytecode::readBytecode(
        llvm::toStringRef(bytes), &fuzz::fuzzContext(cuda_tile::Profile::Tileiras13_5)));
    uint64_t block = 0;
    module->walk([&](mlir::Operation *op) {
      uint64_t rounds = 1;
      for (mlir::Operation *up = op->getParentOp(); up; up = up->getParentOp())
        if (llvm::isa<cuda_tile::ForOp, cuda_tile::LoopOp>(up))
          rounds *= 4;
      for (mlir::Type type : op->getResultTypes())
        if (auto tile = llvm::dyn_cast<cuda_tile::TileType>(type))
          block += rounds * tile.getNumElements();
    });
    work += block * launch.grid[0] * launch.grid[1] * launch.grid[2];
  }
  return work;
}

/// About 0.2 s on the engines together; 21 of the 24 seeds stay below.
constexpr uint64_t kMostWork = 100000;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static generators::ProgramGenerator generator;
  static auto engines = llvm::cantFail(oracles::createEngines("reference,emulator@O1,emulator@O3"));
  auto choices = generators::ChoiceStream::fromBytes(llvm::ArrayRef<uint8_t>(data, size));
  auto testCase = generator.generate(choices, "libfuzzer");
  if (!testCase) {
    llvm::errs() << "disagree: " << llvm::toString(testCase.takeError()) << '\n';
    __builtin_trap();
  }
  if (workOf(*testCase) > kMostWork)
    return -1; // nothing to mutate further
  oracles::DifferentialOptions options;
  options.compareWithSelf = false;
  auto report = oracles::judgeModule(*testCase, testCase->versions().front(), engines, options);
  if (report.verdict.isDisagree()) {
    llvm::errs() << report.verdict.str() << '\n';
    __builtin_trap();
  }
  return 0;
}

TILESMITH_FUZZ_MUTATORS(fuzz::mutateChoices, fuzz::crossChoices)
