//===- TileTranslate.cpp - tile-translate: between Tile IR bytecode and MLIR text -------------===//
//
//   tile-translate --cudatilebc-to-mlir FILE             bytecode to text
//   tile-translate --mlir-to-cudatilebc FILE -o OUT      text (or MLIR bytecode) to bytecode
//     [--bytecode-version=13.N]                          version to write (default: 13.3)
//   tile-translate --test-cudatile-roundtrip FILE        both, one after the other
//     [--profile=tileiras-13.5|public|tileiras-13.1]     verifier rules (default: tileiras-13.5)
//   tile-translate --mlir-to-llvmir FILE                 lowered gpu.module to LLVM IR
//   tile-translate --mlir-to-ptx FILE                    lowered gpu.module to PTX
//     [--gpu-name=sm_90 --opt-level=3]
//
// Built on MLIR's translation main, so --split-input-file, --verify-diagnostics and the printing
// flags work as usual.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/support/InputFile.h"
#include "compiler/support/TextLimits.h"
#include "compiler/support/ToolSetup.h"
#include "compiler/support/WriteFile.h"
#include "compiler/target/Targets.h"
#include "compiler/tools/DialectOptions.h"
#include "compiler/tools/TranslateToDevice.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Tools/ParseUtilities.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tilesmith;

static tools::DialectOptions dialectOptions(cuda_tile::Profile::Tileiras13_5);

static llvm::cl::opt<bool> listVersions("list-versions",
                                        llvm::cl::desc("Print the bytecode versions and exit"));

namespace {
/// Accepts "13.N" and "13.N.0".
struct VersionParser : llvm::cl::parser<bytecode::Version> {
  using parser::parser;
  bool parse(llvm::cl::Option &option, StringRef, StringRef text, bytecode::Version &version) {
    SmallVector<StringRef> parts;
    text.split(parts, '.');
    bool good = (parts.size() == 2 || (parts.size() == 3 && parts[2] == "0")) &&
                !parts[0].getAsInteger(10, version.major) &&
                !parts[1].getAsInteger(10, version.minor);
    // The writer refuses versions of test suites where their ops are not registered.
    if (good && version.major == bytecode::kTestingMajor && version.minor <= 1)
      return false;
    if (good && version.major == bytecode::kMajor && version.minor >= bytecode::kOldestMinor &&
        version.minor <= bytecode::kNewestMinor)
      return false;
    return option.error("Invalid argument '" + text +
                        "': the supported versions are [13.1 - 13.5]");
  }
  void printOptionDiff(const llvm::cl::Option &, const bytecode::Version &,
                       const llvm::cl::OptionValue<bytecode::Version> &, size_t) const {}
};
} // namespace

static llvm::cl::opt<bytecode::Version, false, VersionParser>
    bytecodeVersion("bytecode-version",
                    llvm::cl::desc("Tile IR bytecode version to write (13.1 to 13.5)"),
                    llvm::cl::value_desc("13.N"), llvm::cl::init(bytecode::Version{13, 3, 0}));

static llvm::cl::opt<std::string>
    gpuName("gpu-name", llvm::cl::desc("GPU of --mlir-to-llvmir and --mlir-to-ptx"),
            llvm::cl::init(target::kDefaultGpu.str()));
static llvm::cl::opt<unsigned>
    optLevel("opt-level", llvm::cl::desc("level of --mlir-to-ptx (0 to 3)"), llvm::cl::init(3));

/// The one cuda_tile module in the input: the top-level op itself or the only one in a builtin
/// module.
static cuda_tile::ModuleOp findModule(Operation *op) {
  if (auto module = dyn_cast<cuda_tile::ModuleOp>(op))
    return module;
  auto builtin = dyn_cast<ModuleOp>(op);
  if (!builtin)
    return {};
  auto modules = llvm::to_vector(builtin.getOps<cuda_tile::ModuleOp>());
  return modules.size() == 1 ? modules.front() : cuda_tile::ModuleOp();
}

static OwningOpRef<Operation *> importBytecode(llvm::SourceMgr &sources, MLIRContext *context) {
  StringRef data = sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  auto module = bytecode::readBytecode(data, context);
  if (module)
    return OwningOpRef<Operation *>(module->release().getOperation());
  StringRef name = sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  std::string text = llvm::toString(module.takeError());
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    emitError(FileLineColLoc::get(context, name, 0, 0)) << line;
  return nullptr;
}

static LogicalResult exportBytecode(Operation *op, raw_ostream &output) {
  cuda_tile::ModuleOp module = findModule(op);
  if (!module)
    return op->emitError("expected a single CUDA Tile IR module in the MLIR module");
  LogicalResult result = success();
  llvm::handleAllErrors(bytecode::writeBytecode(module, output, bytecodeVersion),
                        [&](const bytecode::WriteError &error) {
                          if (error.getInvalidOp())
                            emitRemark(error.getInvalidOp(), "invalid op");
                          LocationAttr loc = error.getLocation();
                          result =
                              emitError(loc ? Location(loc) : UnknownLoc::get(op->getContext()))
                              << error.message();
                        });
  return result;
}

/// Writes bytecode, reads it back and prints what came out.
static LogicalResult roundTrip(Operation *op, raw_ostream &output) {
  std::string data;
  llvm::raw_string_ostream os(data);
  if (failed(exportBytecode(op, os)))
    return failure();
  auto module = bytecode::readBytecode(data, op->getContext());
  if (!module)
    return op->emitError() << llvm::toString(module.takeError());
  (*module)->print(output);
  output << '\n';
  return success();
}

static void registerDialects(DialectRegistry &registry) {
  registry.insert<cuda_tile::CudaTileDialect>();
  dialectOptions.addTo(registry);
}

static void registerDeviceDialects(DialectRegistry &registry) {
  registerCompilerDialects(registry);
  dialectOptions.addTo(registry);
}

/// As MLIR's own registration of a translation from MLIR, but text that is too deep for the parser
/// is refused before it.
static void registerFromText(StringRef name, StringRef description,
                             const TranslateFromMLIRFunction &function,
                             void (*addDialects)(DialectRegistry &) = registerDialects) {
  TranslateRegistration registration(
      name, description,
      [function, addDialects](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &output,
                              MLIRContext *context) -> LogicalResult {
        DialectRegistry registry;
        addDialects(registry);
        context->appendDialectRegistry(registry);
        const llvm::MemoryBuffer *input = sources->getMemoryBuffer(sources->getMainFileID());
        if (llvm::Error error = checkTextLimits(input->getBuffer()))
          return emitError(FileLineColLoc::get(context, input->getBufferIdentifier(), 0, 0))
                 << llvm::toString(std::move(error));
        const llvm::cl::Option *explicitModule =
            llvm::cl::getRegisteredOptions().lookup("no-implicit-module");
        OwningOpRef<Operation *> op = parseSourceFileForTool(
            sources, context, !explicitModule || explicitModule->getNumOccurrences() == 0);
        if (!op || failed(verify(*op)))
          return failure();
        return function(*op, output);
      });
}

/// The backend ends the process on what it cannot select, such as an instruction that the target
/// lacks: say so and end with an error, not with a crash.
static void onFatalError(void *, const char *reason, bool) {
  llvm::errs() << "error: " << reason << "\n";
  llvm::sys::RunInterruptHandlers(); // removes unfinished files
  std::_Exit(1);
}

namespace {
/// MLIR's translation main reads whatever input it is given, without an end, and opens its output,
/// and so empties it, before that. It gets a name beside the output instead, whose bytes become the
/// output when all went well.
class FileArguments {
public:
  explicit FileArguments(llvm::MutableArrayRef<char *> arguments) {
    for (size_t i = 1; i < arguments.size(); ++i) {
      llvm::StringRef argument = arguments[i];
      if (!argument.consume_front("-")) {
        inputs.push_back(argument.str());
        continue;
      }
      argument.consume_front("-");
      if (argument == "o" && i + 1 < arguments.size()) {
        target = arguments[++i];
        place = &arguments[i];
        prefix = "";
      } else if (argument.consume_front("o=")) {
        target = argument.str();
        place = &arguments[i];
        prefix = "-o=";
      }
    }
  }
  ~FileArguments() {
    if (temporary.empty())
      return;
    llvm::sys::fs::remove(temporary);
    llvm::sys::DontRemoveFileOnSignal(temporary);
  }

  llvm::Error checkInputs() const {
    for (const std::string &input : inputs)
      if (llvm::Error error = checkInputFile(input))
        return llvm::createStringError("cannot open input file '" + input +
                                       "': " + llvm::toString(std::move(error)));
    return llvm::Error::success();
  }

  llvm::Error replaceOutput() {
    if (!place || target == "-")
      return llvm::Error::success();
    if (llvm::Error error = checkOutputFile(target, inputs))
      return error;
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(target, status) && !llvm::sys::fs::is_regular_file(status))
      return llvm::Error::success(); // a device or a pipe
    llvm::SmallString<128> unique;
    if (std::error_code code = llvm::sys::fs::createUniqueFile(target + ".tmp-%%%%%%%%", unique))
      return llvm::make_error<WriteFileError>(target, WriteFileError::Stage::Open, code);
    temporary = unique.str().str();
    llvm::sys::RemoveFileOnSignal(temporary);
    spelling = prefix + temporary;
    *place = spelling.data();
    return llvm::Error::success();
  }

  llvm::Error keepOutput() const {
    if (temporary.empty() || !llvm::sys::fs::exists(temporary)) // --help writes nothing
      return llvm::Error::success();
    auto written = llvm::MemoryBuffer::getFile(temporary);
    if (!written)
      return llvm::make_error<WriteFileError>(target, WriteFileError::Stage::Open,
                                              written.getError());
    return writeFileAtomically(target, (*written)->getBuffer());
  }

private:
  char **place = nullptr;
  std::vector<std::string> inputs; ///< what may be one
  std::string target, prefix, temporary, spelling;
};
} // namespace

int main(int argc, char **argv) {
  setUpTool();
  llvm::install_fatal_error_handler(onFatalError);
  TranslateToMLIRRegistration import("cudatilebc-to-mlir", "read Tile IR bytecode", importBytecode,
                                     registerDialects);
  registerFromText("mlir-to-cudatilebc", "write Tile IR bytecode", exportBytecode);
  registerFromText("test-cudatile-roundtrip", "write Tile IR bytecode and read it back", roundTrip);
  registerFromText(
      "mlir-to-llvmir", "write a gpu.module of llvm and nvvm ops as LLVM IR",
      [](Operation *op, raw_ostream &output) { return tools::exportLLVMIR(op, gpuName, output); },
      registerDeviceDialects);
  registerFromText(
      "mlir-to-ptx", "write a gpu.module of llvm and nvvm ops as PTX",
      [](Operation *op, raw_ostream &output) {
        return tools::exportPTX(op, gpuName, std::min(3u, unsigned(optLevel)), output);
      },
      registerDeviceDialects);
  // Before the translation main, which insists on an input.
  if (llvm::is_contained(llvm::ArrayRef(argv, argc), llvm::StringRef("--list-versions"))) {
    for (unsigned minor = bytecode::kOldestMinor; minor <= bytecode::kNewestMinor; ++minor)
      llvm::outs() << unsigned(bytecode::kMajor) << '.' << minor << '\n';
    return 0;
  }
  auto unusable = [](llvm::Error error) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return 2;
  };
  static FileArguments files(llvm::MutableArrayRef(argv, argc)); // cleans up where --help exits
  if (llvm::Error error = files.checkInputs()) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n'; // as MLIR says it
    return 1;
  }
  if (llvm::Error error = files.replaceOutput())
    return unusable(std::move(error));
  if (failed(mlirTranslateMain(argc, argv, "tile-translate: Tile IR bytecode and MLIR text\n")))
    return 1;
  if (llvm::Error error = files.keepOutput())
    return unusable(std::move(error));
  return 0;
}
