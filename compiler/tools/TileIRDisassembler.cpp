//===- TileIRDisassembler.cpp - the drop-in for tileirdisasm ----------------------------------===//
//
//   tileirdisasm FILE [-g|--print-debug-info] [--preview=simt]
//
// Prints the text of a verified module on standard output, as the original does: the ops without
// the module around them, behind a comment that names the producer. Exit codes: 0, 1 command line,
// 2 no input or unreadable, 3 bytecode.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/Format.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/support/InputFile.h"
#include "compiler/support/ToolSetup.h"
#include "compiler/tools/TileirasOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilesmith;

namespace {

constexpr StringLiteral kHelp =
    "OVERVIEW: tileirdisasm: tilesmith Cuda Tile IR disassembler\n\n"
    "USAGE: tileirdisasm [options] <tile bytecode file>\n\n"
    "OPTIONS:\n"
    "  -g, --print-debug-info  print locations\n"
    "  --preview=<features>    preview features, separated by commas: simt\n"
    "  --help, --version\n";

struct Options {
  std::optional<std::string> input;
  bool debugInfo = false;
};

/// Exit code when the command line ends the run.
std::optional<int> parseCommandLine(ArrayRef<const char *> arguments, Options &options) {
  const StringRef program = arguments[0];
  const StringRef name = "tileirdisasm";
  auto wrong = [&](const Twine &message) {
    errs() << name << ": " << message << "\n";
    return 1;
  };
  auto checkPreview = [&](StringRef list) -> std::optional<int> {
    SmallVector<StringRef> features;
    list.split(features, ',');
    for (StringRef feature : features)
      if (feature != "simt")
        return wrong("for the --preview option: unknown preview feature '" + feature +
                     "'; supported features: simt");
    return std::nullopt;
  };
  for (size_t i = 1; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (!argument.starts_with("-") || argument == "-") {
      if (options.input)
        return wrong("Too many positional arguments specified!\nCan specify at most 1 positional "
                     "arguments: See: " +
                     program + " --help");
      options.input = argument.str();
      continue;
    }
    StringRef option = argument;
    option.consume_front("-");
    option.consume_front("-");
    if (option == "help" || option == "h" || option.starts_with("help-")) {
      outs() << kHelp;
      return 0;
    }
    if (option == "version") {
      outs() << tools::versionText(program, "tileirdisasm: tilesmith Cuda Tile IR disassembler");
      return 0;
    }
    if (option == "g" || option == "print-debug-info") {
      options.debugInfo = true;
    } else if (option.consume_front("preview=")) {
      if (std::optional<int> code = checkPreview(option))
        return code;
    } else if (option == "preview") {
      if (++i == arguments.size())
        return wrong("for the --preview option: requires a value!");
      if (std::optional<int> code = checkPreview(arguments[i]))
        return code;
    } else {
      return wrong("Unknown command line argument '" + argument + "'.  Try: '" + program +
                   " --help'\n" + name + ": Did you mean '-g'?");
    }
  }
  return std::nullopt;
}

/// The line of a `pow` in the words of the original of 13.5, which calls it `fpowf`
/// [spec: bytecode-pow-name].
std::string inNewerWords(StringRef line) {
  auto [result, op] = line.split(" = ");
  if (result.ltrim().starts_with("%") && !result.contains('"') && op.starts_with("pow "))
    return (result + " = fpowf " + op.drop_front(4)).str();
  return line.str();
}

/// The text of the ops inside `module`, out of the text of the whole: without its first line, its
/// closing brace and one level of indentation.
void printBody(cuda_tile::ModuleOp module, bool debugInfo, raw_ostream &os) {
  if (std::optional<StringRef> producer = module.getProducer())
    os << "// Producer: " << *producer << "\n";
  std::string text;
  raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  if (debugInfo)
    flags.enableDebugInfo();
  module->print(stream, flags);
  StringRef rest = text;
  bool inside = false;
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (!inside && line.starts_with("cuda_tile.module")) {
      inside = true;
    } else if (inside && line.starts_with("}")) {
      inside = false;
    } else {
      if (inside)
        line.consume_front("  ");
      os << inNewerWords(line) << "\n";
    }
  }
}

int disassemble(StringRef bytecode, bool debugInfo) {
  if (!bytecode::isTileIRBytecode(bytecode)) {
    errs() << "error: input does not correspond to Tile IR bytecode\n";
    return 3;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>()->setProfile(
      cuda_tile::Profile::Tileiras13_5);
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      messages += "error: " + diagnostic.str() + "\n";
    return mlir::success();
  });
  Expected<mlir::OwningOpRef<cuda_tile::ModuleOp>> module =
      bytecode::readBytecode(bytecode, &context);
  if (!module) {
    const std::string text = toString(module.takeError());
    errs() << messages;
    SmallVector<StringRef> lines;
    StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      errs() << "error: " << line << "\n";
    errs() << "error: failed to read provided Tile IR bytecode\n";
    return 3;
  }
  printBody(**module, debugInfo, outs());
  return 0;
}

} // namespace

// [spec: driver-disassembler]
int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  setUpTool();
  Options options;
  if (std::optional<int> code =
          parseCommandLine(ArrayRef<const char *>(argv, static_cast<size_t>(argc)), options))
    return *code;
  if (!options.input) {
    outs() << kHelp;
    errs() << "error: no input file provided\n";
    return 2;
  }
  Expected<std::unique_ptr<MemoryBuffer>> input =
      readInputFile(*options.input, "unable to read input file");
  if (!input) {
    errs() << "error: " << toString(input.takeError()) << "\n";
    return 2;
  }
  return disassemble((*input)->getBuffer(), options.debugInfo);
}
