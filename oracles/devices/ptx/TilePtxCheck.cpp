//===- TilePtxCheck.cpp - tile-ptx-check FILE... ----------------------------------------------===//
//
// Checks PTX files with the independent parser. Errors go to standard error as
// `FILE:LINE:COLUMN: error: MESSAGE`. Exit codes: 0 all accepted, 1 one rejected, 2 usage or an
// unreadable file.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/InputFile.h"
#include "compiler/support/ToolSetup.h"
#include "oracles/devices/ptx/Checker.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
namespace cl = llvm::cl;

static cl::OptionCategory category("tile-ptx-check options");
static cl::list<std::string> inputs(cl::Positional, cl::desc("FILE..."), cl::cat(category));
static cl::opt<bool> quiet("quiet", cl::desc("print errors only"), cl::cat(category));

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  tilesmith::setUpTool();
  cl::HideUnrelatedOptions(category);
  std::string errors; // by itself it would end with 1, which means a rejected file
  llvm::raw_string_ostream sink(errors);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "checks PTX text without ptxas and without LLVM's NVPTX\n", &sink)) {
    llvm::errs() << errors;
    return 2;
  }
  if (inputs.empty()) {
    llvm::errs() << "error: expected at least one PTX file\n";
    return 2;
  }
  int code = 0;
  for (const std::string &path : inputs) {
    if (llvm::Error error = checkInputFile(path)) {
      llvm::errs() << "error: unable to read '" << path << "': " << llvm::toString(std::move(error))
                   << '\n';
      return 2;
    }
    auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
    if (!file) {
      llvm::errs() << "error: unable to read '" << path << "': " << file.getError().message()
                   << '\n';
      return 2;
    }
    const ptx::CheckResult result = ptx::checkPTX((*file)->getBuffer());
    for (const ptx::Diagnostic &error : result.errors)
      llvm::errs() << path << ':' << error.location.line << ':' << error.location.column
                   << ": error: " << error.message << '\n';
    if (!result.errors.empty())
      code = std::max(code, 1);
    else if (!quiet)
      llvm::outs() << llvm::formatv(
          "{0}: accepted for {1}: {2} entries, {3} functions, {4} instructions\n", path,
          result.target.str(), result.entries, result.functions, result.instructions);
  }
  return code;
}
