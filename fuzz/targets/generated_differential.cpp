//===- generated_differential.cpp - choice stream to kernel, at -O1 and -O3 ------------------===//
//
// The bytes are the choices of the kernel generator. The module must verify, the reference must
// find no undefined behaviour, and the reference and the emulator at -O1 and -O3 must agree. Three
// verdicts: agree and inconclusive return, a disagreement ends the process with the reason.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/targets/FuzzMutators.h"
#include "generators/program/ProgramGenerator.h"
#include "oracles/differential/Differential.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static generators::ProgramGenerator generator;
  static auto engines = llvm::cantFail(oracles::createEngines("reference,emulator@O1,emulator@O3"));
  auto choices = generators::ChoiceStream::fromBytes(llvm::ArrayRef<uint8_t>(data, size));
  auto testCase = generator.generate(choices, "libfuzzer");
  if (!testCase) {
    llvm::errs() << "disagree: " << llvm::toString(testCase.takeError()) << '\n';
    __builtin_trap();
  }
  auto report = oracles::judgeModule(*testCase, testCase->versions().front(), engines, {});
  if (report.verdict.isDisagree()) {
    llvm::errs() << report.verdict.str() << '\n';
    __builtin_trap();
  }
  return 0;
}

TILESMITH_FUZZ_MUTATORS(fuzz::mutateChoices, fuzz::crossChoices)
