//===- LaunchCheck.cpp - do the launches of a case fit its modules? ---------------------------===//
#include "fuzz/cli/LaunchCheck.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/support/Plants.h"
#include "reference/testcase/TestCase.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz;

/// What is wrong with one launch of one module; empty: nothing.
static std::string misfit(const testcase::Launch &launch, const testcase::ModuleFile &file,
                          cuda_tile::ModuleOp module) {
  std::vector<std::string> names;
  for (auto entry : module.getOps<cuda_tile::EntryOp>()) {
    names.push_back(entry.getSymName().str());
    if (names.back() != launch.kernel)
      continue;
    const size_t wanted = entry.getBody().getNumArguments(), found = launch.params.size();
    return wanted == found ? ""
                           : llvm::formatv("expected {0} params for kernel '{1}' of {2}, found {3}",
                                           wanted, launch.kernel, file.file, found)
                                 .str();
  }
  return llvm::formatv("expected an entry of {0} ({1}), found kernel '{2}'", file.file,
                       llvm::join(names, ", "), launch.kernel);
}

static std::string misfitOf(llvm::StringRef directory) {
  deactivatePlants(); // a planted bug of the reader is for the engines to show
  auto testCase = testcase::loadTestCase(directory);
  if (!testCase)
    return llvm::toString(testCase.takeError());
  if (testCase->expectReject)
    return "";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  std::set<std::pair<std::string, std::string>> seen; // versions of a kernel may share a file
  for (const testcase::Launch &launch : testCase->launches)
    for (const testcase::ModuleFile &file : launch.modules) {
      if (!seen.emplace(launch.kernel, file.file).second)
        continue;
      auto module = bytecode::readBytecode(llvm::toStringRef(file.bytes), &context);
      if (!module) {
        llvm::consumeError(module.takeError());
        continue;
      }
      if (std::string text = misfit(launch, file, **module); !text.empty())
        return (directory + "/case.json: " + text).str();
    }
  return "";
}

llvm::Error LaunchCheck::check(const std::string &directory) {
  WorkerAnswer answer = process.ask(misfitOf, {60, 4096}, directory);
  return answer.status != WorkerAnswer::Status::Done || answer.text.empty()
             ? llvm::Error::success()
             : llvm::createStringError(answer.text);
}
