//===- Digest.cpp - one hash over all bytes of generated cases --------------------------------===//
#include "generators/program/Digest.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

void Digest::add(const testcase::TestCase &testCase) {
  hash.update(testcase::printTestCase(testCase));
  for (const testcase::Buffer &buffer : testCase.buffers)
    hash.update(buffer.data);
  for (const testcase::Launch &launch : testCase.launches)
    for (const testcase::ModuleFile &file : launch.modules)
      hash.update(file.bytes);
  if (testCase.choices)
    hash.update(*testCase.choices);
}

std::string Digest::str() {
  return llvm::toHex(hash.result(), /*LowerCase=*/true);
}
