//===- ptx_parser.cpp - any text to the checker of PTX ----------------------------------------===//
//
// The lexer, the parser and the checker must refuse or accept any text without a crash, and say
// where: an error has a line of the text and a message.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/targets/FuzzContext.h"
#include "oracles/devices/ptx/Checker.h"

using namespace tilesmith;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string input(reinterpret_cast<const char *>(data), size);
  const ptx::CheckResult result = ptx::checkPTX(input);
  const size_t lines = 1 + std::count(input.begin(), input.end(), '\n');
  for (const ptx::Diagnostic &error : result.errors)
    if (error.message.empty() || error.location.line == 0 || error.location.line > lines)
      fuzz::disagree("an error without a place", input, result.str());
  return 0;
}
