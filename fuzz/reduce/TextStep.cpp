//===- TextStep.cpp - a reduced kernel handed to a reducer of texts ---------------------------===//
#include "fuzz/reduce/TextStep.h"

#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/support/TextLimits.h"
#include "oracles/verdict/Signature.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

llvm::Expected<testcase::TestCase> tilesmith::fuzz::caseWithText(const testcase::TestCase &testCase,
                                                                 llvm::StringRef version,
                                                                 llvm::StringRef text) {
  if (testCase.launches.size() != 1)
    return llvm::createStringError("expected a case with one launch");
  if (llvm::Error error = checkTextLimits(text))
    return error;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  std::string diagnostics;
  context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostic.str() + "\n";
    return mlir::success();
  });
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  auto module = parsed && !parsed->getBody()->empty()
                    ? llvm::dyn_cast<cuda_tile::ModuleOp>(parsed->getBody()->front())
                    : cuda_tile::ModuleOp();
  if (!module)
    return llvm::createStringError("expected a cuda_tile.module: " + diagnostics);
  bytecode::Version target;
  target.minor = static_cast<uint8_t>(version.back() - '0');
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  if (llvm::Error error = bytecode::writeBytecode(module, sink, target))
    return error;
  testcase::TestCase result = testCase;
  std::vector<testcase::ModuleFile> &modules = result.launches.front().modules;
  llvm::erase_if(modules, [&](const testcase::ModuleFile &m) { return m.version != version; });
  if (modules.size() != 1)
    return llvm::createStringError("expected a module of version " + version);
  modules.front().bytes.assign(bytes.begin(), bytes.end());
  return result;
}

bool tilesmith::fuzz::failsAlike(const testcase::TestCase &testCase,
                                 const testcase::TestCase &candidate, llvm::StringRef version,
                                 const JudgeOptions &judge, const WorkerLimits &limits,
                                 const std::function<void()> &prepare) {
  ForkedJudge forked(limits, prepare);
  oracles::ModuleReport wanted = forked.judge(testCase, version, judge);
  oracles::ModuleReport found = forked.judge(candidate, version, judge);
  bool wellDefined = llvm::none_of(found.engines, [](const oracles::EngineReport &engine) {
    return engine.engine == "reference" && !engine.verdict.isAgree();
  });
  return wanted.verdict.isDisagree() && found.verdict.isDisagree() && wellDefined &&
         signatureOf(wanted.verdict) == signatureOf(found.verdict);
}

llvm::Expected<std::string> tilesmith::fuzz::runTextReducer(const std::string &program,
                                                            llvm::StringRef text,
                                                            llvm::StringRef test,
                                                            unsigned seconds) {
  auto path = llvm::sys::findProgramByName(program);
  if (!path)
    return llvm::createStringError("cannot find '" + program + "'");
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tilesmith-text", folder))
    return llvm::createStringError("no temporary folder: " + code.message());
  auto file = [&](llvm::StringRef name) { return (folder + "/" + name).str(); };
  auto write = [&](llvm::StringRef name, const llvm::Twine &contents) {
    std::error_code code;
    llvm::raw_fd_ostream(file(name), code) << contents;
  };
  write("kernel.mlir", text);
  write("test.sh", "#!/bin/sh\n" + test + "\n");
  llvm::sys::fs::setPermissions(file("test.sh"), llvm::sys::fs::all_read |
                                                     llvm::sys::fs::owner_write |
                                                     llvm::sys::fs::all_exe);
  std::string shell =
      "cd '" + folder.str().str() + "' && exec '" + *path + "' ./test.sh kernel.mlir >log 2>&1";
  std::string message;
  int code = llvm::sys::ExecuteAndWait("/bin/sh", {"/bin/sh", "-c", shell}, std::nullopt, {},
                                       seconds, 0, &message);
  auto left = llvm::MemoryBuffer::getFile(file("kernel.mlir"));
  std::string result = left ? (*left)->getBuffer().str() : "";
  llvm::sys::fs::remove_directories(folder);
  // Stopped by the time limit (-2), it leaves what it had.
  if ((code != 0 && code != -2) || result.empty())
    return llvm::createStringError("'" + program + "' ended with code " + std::to_string(code) +
                                   " " + message);
  return result;
}
