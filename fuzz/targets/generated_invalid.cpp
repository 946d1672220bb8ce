//===- generated_invalid.cpp - choice stream to broken module to the diagnostics oracle -------===//
//
// The bytes are the choices of the invalid generator: a kernel and the one rule that it breaks. The
// reader, the parser and the verifier must refuse it for that reason and at that place. Three
// verdicts: agree and inconclusive return, a disagreement ends the process with the reason.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InvalidGenerator.h"
#include "oracles/diagnostics/Rejection.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static generators::InvalidGenerator generator;
  auto choices = generators::ChoiceStream::fromBytes(llvm::ArrayRef<uint8_t>(data, size));
  auto testCase = generator.generate(choices, "libfuzzer");
  if (!testCase) {
    llvm::errs() << "disagree: " << llvm::toString(testCase.takeError()) << '\n';
    __builtin_trap();
  }
  oracles::Verdict verdict = oracles::judgeRejection(*testCase, testCase->versions().front());
  if (verdict.isDisagree()) {
    llvm::errs() << verdict.str() << '\n';
    __builtin_trap();
  }
  return 0;
}
