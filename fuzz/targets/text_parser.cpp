//===- text_parser.cpp - any text to the parser of cuda_tile ----------------------------------===//
//
// The parser and the verifier must refuse or accept any text without a crash, and what they accept
// must print to text that parses to the same module. Three verdicts: agree and inconclusive
// (refused) return, a disagreement ends the process.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/TextLimits.h"
#include "fuzz/targets/FuzzContext.h"

#include "mlir/Parser/Parser.h"

using namespace tilesmith;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext &context = fuzz::fuzzContext(cuda_tile::Profile::Public);
  std::string input(reinterpret_cast<const char *>(data), size); // the lexer needs the final NUL
  if (llvm::Error error = checkTextLimits(input))
    return llvm::consumeError(std::move(error)), 0;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(input, &context);
  if (!module)
    return 0;
  std::string text = fuzz::textOf(*module);
  if (llvm::Error error = checkTextLimits(text))
    fuzz::disagree("printed text is over the limits", input, toString(std::move(error)));
  auto again = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!again)
    fuzz::disagree("printed text does not parse", input, text);
  if (fuzz::textOf(*again) != text)
    fuzz::disagree("text changes the module", text, fuzz::textOf(*again));
  return 0;
}
