//===- External.cpp - compilers and verifiers of others ---------------------------------------===//
#include "oracles/external/External.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/support/WriteFile.h"
#include "compiler/target/Targets.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>
#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;
using Class = ExternalRun::Class;

/// A cubin that is larger than this for a kernel of a few hundred ops.
static constexpr uint64_t kAbsurdBytes = uint64_t(64) << 20;

ExternalTools tilesmith::oracles::externalToolsFor(ExternalTools tools, llvm::StringRef caseName) {
  if (!tools.draw)
    return tools;
  uint64_t hash = llvm::xxh3_64bits(caseName);
  tools.optLevel = hash >> 24 & 3;
  llvm::ArrayRef<llvm::StringRef> gpus = target::drawnGpus();
  tools.gpuName = gpus[(hash >> 8) % gpus.size()].str();
  return tools;
}

llvm::StringRef tilesmith::oracles::toString(Class kind) {
  switch (kind) {
  case Class::Accepted:
    return "accepted";
  case Class::Rejected:
    return "rejected";
  case Class::Unsupported:
    return "unsupported";
  case Class::InternalError:
    return "internal-error";
  case Class::Crash:
    return "crash";
  case Class::Hang:
    return "hang";
  case Class::BlowUp:
    return "blow-up";
  case Class::BadOutput:
    return "bad-output";
  case Class::Unavailable:
    return "unavailable";
  }
  llvm_unreachable("all classes are listed");
}

namespace {

/// A folder that goes with this object.
class Scratch {
public:
  Scratch() { failed = bool(llvm::sys::fs::createUniqueDirectory("tilesmith-external", path)); }
  ~Scratch() {
    if (!failed)
      llvm::sys::fs::remove_directories(path);
  }
  std::string file(llvm::StringRef name) const { return (path + "/" + name).str(); }
  bool failed;

private:
  llvm::SmallString<128> path;
};

/// The first line that is not empty.
std::string firstLine(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return "";
  return (*buffer)->getBuffer().ltrim().split('\n').first.rtrim().str();
}

/// Texts that blame the tool itself, not the module.
bool blamesItself(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return false;
  static constexpr llvm::StringLiteral kTexts[] = {
      "internal error", "internal compiler error", "failed to compile tile ir program",
      "assertion",      "unreachable executed",    "please submit a bug report"};
  std::string lower = (*buffer)->getBuffer().lower();
  return llvm::any_of(kTexts,
                      [&](llvm::StringRef text) { return llvm::StringRef(lower).contains(text); });
}

ExternalRun run(const ExternalTools &tools, const std::string &program,
                llvm::ArrayRef<std::string> arguments, const Scratch &scratch) {
  ExternalRun result;
  std::string log = scratch.file("log"), message;
  llvm::SmallVector<llvm::StringRef> words{program};
  llvm::append_range(words, arguments);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(log),
                                                llvm::StringRef(log)};
  bool notStarted = false;
  int code = llvm::sys::ExecuteAndWait(program, words, std::nullopt, redirects, tools.seconds,
                                       tools.mebibytes, &message, &notStarted);
  result.text = firstLine(log);
  if (notStarted || code == -1) {
    result.kind = Class::Unavailable;
    result.text = message;
  } else if (code == -2) {
    bool timedOut = llvm::StringRef(message).contains_insensitive("timed out");
    auto buffer = llvm::MemoryBuffer::getFile(log);
    bool memory = buffer && (llvm::StringRef((*buffer)->getBuffer()).contains("bad_alloc") ||
                             llvm::StringRef((*buffer)->getBuffer()).contains("out of memory"));
    result.kind = timedOut ? Class::Hang : memory ? Class::BlowUp : Class::Crash;
    result.text = message;
  } else if (code > 128 && code < 160) { // a shell's way to say that a child ended by a signal
    result.kind = Class::Crash;
    result.text = llvm::formatv("signal {0}", code - 128);
  } else if (code != 0) {
    bool target = llvm::StringRef(result.text).contains_insensitive("with architecture");
    result.kind = target              ? Class::Unsupported
                  : blamesItself(log) ? Class::InternalError
                                      : Class::Rejected;
    if (result.text.empty())
      result.text = llvm::formatv("exit code {0}", code);
  }
  return result;
}

} // namespace

ExternalRun tilesmith::oracles::runExternalCompiler(const ExternalTools &tools,
                                                    llvm::ArrayRef<uint8_t> bytecode) {
  Scratch scratch;
  std::string in = scratch.file("in.tileirbc"), out = scratch.file("out.cubin");
  if (scratch.failed)
    return {Class::Unavailable, "no temporary folder", 0};
  if (llvm::Error error = writeFileAtomically(in, llvm::toStringRef(bytecode)))
    return {Class::Unavailable, llvm::toString(std::move(error)), 0};
  std::string level = llvm::formatv("-O{0}", tools.optLevel);
  ExternalTools patient = tools;
  ExternalRun result;
  // The limit is of wall time: on a loaded machine the second try has four times as long.
  for (unsigned factor : {1, 4}) {
    patient.seconds = tools.seconds * factor;
    result =
        run(patient, tools.compiler, {in, "-o", out, "--gpu-name", tools.gpuName, level}, scratch);
    if (result.kind != Class::Hang)
      break;
  }
  if (result.kind != Class::Accepted)
    return result;
  auto cubin = llvm::MemoryBuffer::getFile(out);
  if (!cubin || !(*cubin)->getBuffer().starts_with("\x7f"
                                                   "ELF"))
    return {Class::BadOutput, "exit code 0, but no ELF file", 0};
  result.resultBytes = (*cubin)->getBufferSize();
  if (result.resultBytes > kAbsurdBytes)
    return {Class::BlowUp, llvm::formatv("a cubin of {0} bytes", result.resultBytes),
            result.resultBytes};
  return result;
}

llvm::Error tilesmith::oracles::probeExternalTools(ExternalTools tools,
                                                   const CompileOptions &compile) {
  tools.gpuName = compile.gpuName;
  tools.optLevel = compile.optLevel;
  if (tools.compiler.empty())
    return llvm::Error::success();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "cuda_tile.module @probe { entry @probe() { return } }", &context);
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  bytecode::Version oldest; // every compiler reads it
  oldest.minor = 1;
  llvm::cantFail(
      bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), sink, oldest));
  ExternalRun run = runExternalCompiler(
      tools, llvm::ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  if (run.kind == Class::Accepted || run.kind == Class::Unavailable)
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("expected a compiler that takes a kernel that does nothing, found {0} from "
                    "'{1}': {2} (does it find its own tools? CUDA_HOME is {3})",
                    toString(run.kind), tools.compiler, run.text,
                    std::getenv("CUDA_HOME") ? std::getenv("CUDA_HOME") : "not set")
          .str());
}

ExternalRun tilesmith::oracles::runExternalVerifier(const ExternalTools &tools,
                                                    llvm::StringRef text) {
  Scratch scratch;
  std::string in = scratch.file("in.mlir");
  if (scratch.failed)
    return {Class::Unavailable, "no temporary folder", 0};
  if (llvm::Error error = writeFileAtomically(in, text))
    return {Class::Unavailable, llvm::toString(std::move(error)), 0};
  return run(tools, tools.verifier, {in, "-o", "/dev/null"}, scratch);
}

Verdict tilesmith::oracles::judgeExternalRun(const ExternalRun &run, llvm::StringRef tool,
                                             bool valid, bool mayReject) {
  std::string what = tool.str();
  switch (run.kind) {
  case Class::Accepted:
    if (valid)
      return Verdict::agree();
    return Verdict::disagree(what, "accepted", "got accepted, want rejected as our verifier does");
  case Class::Rejected:
    if (!valid || mayReject)
      return Verdict::agree();
    return Verdict::disagree(what, "rejected",
                             "got rejected, want accepted as our verifier does: " + run.text);
  case Class::Unsupported:
    if (!valid)
      return Verdict::agree();
    return Verdict::disagree(what, "unsupported", run.text);
  case Class::Unavailable:
    return Verdict::unavailable(what, run.text);
  default:
    return Verdict::disagree(what, toString(run.kind).str(), run.text);
  }
}

Verdict tilesmith::oracles::judgeExternally(const ExternalTools &shared,
                                            const testcase::TestCase &testCase,
                                            llvm::StringRef version) {
  Verdict verdict;
  for (llvm::StringRef feature : testCase.features)
    if (feature.starts_with("profile:") || feature.starts_with("option:"))
      return verdict; // a rule that these tools need not have
  ExternalTools tools = externalToolsFor(shared, testCase.name);
  std::set<std::string> seen;
  auto compile = [&](llvm::ArrayRef<uint8_t> bytes, bool valid) {
    ExternalRun run = runExternalCompiler(tools, bytes);
    if (run.kind == Class::Unsupported && valid && tools.gpuName != target::kWidestGpu) {
      tools.gpuName = target::kWidestGpu.str();
      run = runExternalCompiler(tools, bytes);
    }
    run.text += llvm::formatv(" (-O{0} {1})", tools.optLevel, tools.gpuName);
    verdict = combine(verdict, judgeExternalRun(run, "external compiler", valid, testCase.mayReject)
                                   .of("external compiler"));
  };
  auto check = [&](llvm::StringRef text, bool valid) {
    verdict = combine(verdict, judgeExternalRun(runExternalVerifier(tools, text),
                                                "external verifier", valid, testCase.mayReject)
                                   .of("external verifier"));
  };
  for (const testcase::Launch &launch : testCase.launches) {
    const testcase::ModuleFile *file = launch.module(version);
    if (!file || !seen.insert(file->file).second)
      continue;
    llvm::StringRef data = llvm::toStringRef(file->bytes);
    if (llvm::StringRef(file->file).ends_with(".mlir")) {
      if (!tools.verifier.empty())
        check(data, !testCase.expectReject);
      continue;
    }
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
    auto module = bytecode::readBytecode(data, &context);
    bool valid = static_cast<bool>(module);
    if (!tools.compiler.empty())
      compile(file->bytes, valid);
    if (!tools.verifier.empty() && valid) {
      std::string text;
      llvm::raw_string_ostream(text) << **module;
      check(text, true);
    }
    if (!valid)
      llvm::consumeError(module.takeError());
  }
  return verdict;
}
