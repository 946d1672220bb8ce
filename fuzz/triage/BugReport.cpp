//===- BugReport.cpp - a folder that shows one bug --------------------------------------------===//
#include "fuzz/triage/BugReport.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "oracles/engines/ModuleLoader.h"
#include "reference/testcase/Save.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz;

std::string tilesmith::fuzz::textOf(const testcase::TestCase &testCase, llvm::StringRef version) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  std::string text;
  llvm::raw_string_ostream sink(text);
  std::set<std::string> seen;
  for (const testcase::Launch &launch : testCase.launches) {
    const testcase::ModuleFile *file = launch.module(version);
    if (!file || !seen.insert(file->file).second)
      continue;
    llvm::StringRef data = llvm::toStringRef(llvm::ArrayRef(file->bytes));
    if (!bytecode::isTileIRBytecode(data)) { // a module that must be refused, as text
      sink << data;
      continue;
    }
    auto module = bytecode::readBytecode(data, &context);
    if (!module) {
      sink << "// " << file->file << ": " << llvm::toString(module.takeError()) << '\n';
      continue;
    }
    (*module)->print(sink);
    sink << '\n';
  }
  return text;
}

std::string tilesmith::fuzz::reproduceOptions(const JudgeOptions &judge) {
  std::vector<std::string> words = oracles::judgeWords(judge);
  // The engines that nobody asks for are others in `replay`.
  if (judge.engines == JudgeOptions().engines)
    words.insert(words.begin(), "--engines=" + judge.engines);
  return shellWords(words);
}

std::string tilesmith::fuzz::reproduceCommand(const JudgeOptions &judge) {
  return "tilesmith replay CASE" + reproduceOptions(judge);
}

/// What each engine leaves in each buffer, as files `<engine>.b<N>.bin`; done in a child, since an
/// engine may crash.
static std::string writeResults(const BugReport &report, const std::string &version,
                                const OutputFolder &folder) {
  WorkerProcess process;
  auto work = [&](llvm::StringRef) -> std::string {
    if (report.prepare)
      report.prepare();
    std::string said;
    llvm::raw_string_ostream sink(said);
    for (const auto &engine : llvm::cantFail(oracles::createEngines(
             oracles::enginesOf(report.testCase, version, report.judge.engines)))) {
      oracles::EngineResult result =
          engine->run({report.testCase, version, report.judge.differential.engine});
      sink << "- " << engine->name() << ": " << oracles::toString(result.status);
      if (!result.message.empty())
        sink << ": " << result.message;
      if (!result.mathLibrary.empty())
        sink << " (math library: " << result.mathLibrary << ")";
      sink << '\n';
      std::string unchanged;
      for (auto [i, buffer] : llvm::enumerate(result.buffers)) {
        if (buffer.bytes == report.testCase.buffers[i].data) {
          unchanged += " " + std::to_string(i);
          continue;
        }
        std::string name = llvm::formatv("{0}.b{1}.bin", engine->name(), i);
        llvm::StringRef bytes = llvm::toStringRef(llvm::ArrayRef(buffer.bytes));
        if (llvm::Error error = folder.write(name, bytes))
          llvm::consumeError(std::move(error));
        else
          sink << "  - buffer " << i << ": `" << name << "`\n";
      }
      if (!unchanged.empty())
        sink << "  - unchanged:" << unchanged << "\n";
    }
    return said;
  };
  WorkerAnswer answer = process.ask(work, {60, 4096}, "run");
  return answer.status == WorkerAnswer::Status::Done ? answer.text : "- " + answer.text + "\n";
}

std::string tilesmith::fuzz::forReading(llvm::StringRef text) {
  constexpr size_t kLongest = 128, kShown = 32;
  std::string result;
  while (!text.empty()) {
    const size_t start = std::min(text.find("\"0x"), text.size());
    result += text.take_front(start);
    text = text.drop_front(start);
    const size_t digits = text.drop_front(std::min<size_t>(3, text.size())).find('"');
    if (digits == llvm::StringRef::npos || digits <= kLongest) {
      result += text.take_front(3);
      text = text.drop_front(std::min<size_t>(3, text.size()));
      continue;
    }
    result += llvm::formatv("{0}... {1} digits\"", text.take_front(3 + kShown), digits);
    text = text.drop_front(3 + digits + 1);
  }
  return result;
}

llvm::Error tilesmith::fuzz::writeBugReport(const BugReport &report, llvm::StringRef directory) {
  llvm::Expected<OutputFolder> folder = OutputFolder::create(directory);
  if (!folder)
    return folder.takeError();
  if (llvm::Error error = testcase::addTestCase(report.testCase, *folder))
    return error;
  std::vector<std::string> versions = report.testCase.versions();
  std::string version = versions.empty() ? "" : versions.front();
  std::string text = report.text.empty() ? textOf(report.testCase, version) : report.text;
  if (llvm::Error error = folder->write("kernel.mlir", text))
    return error;
  std::string page;
  llvm::raw_string_ostream out(page);
  out << "# " << report.testCase.name << "\n\n" << report.testCase.notes << "\n\n";
  if (!report.blame.empty())
    out << report.blame << "\n\n";
  std::string command = report.command;
  if (size_t at = command.find("CASE"); at != std::string::npos)
    command.replace(at, 4, ".");
  out << "Reproduce, in this folder, with any build of tilesmith:\n\n    " << command << "\n\n";
  const CompileOptions &compile = report.judge.differential.engine.compile;
  out << llvm::formatv("Found on {0} ({1}), LLVM {2}, for {3} at -O{4}, bytecode {5}.\n\n",
                       llvm::sys::getProcessTriple(), llvm::sys::getHostCPUName(),
                       LLVM_VERSION_STRING, compile.gpuName, compile.optLevel, version);
  if (!report.testCase.expectReject) // nothing runs otherwise
    out << "What the engines say (files hold buffers after the run; inputs are `b<N>.bin`):\n\n"
        << writeResults(report, version, *folder) << "\n";
  out << "```mlir\n" << llvm::StringRef(forReading(text)).take_front(20000) << "```\n";
  if (llvm::Error error = folder->write("report.md", page))
    return error;
  return folder->keep();
}
