//===- Rejection.cpp - is an invalid module refused, and for the right reason ---------===//
#include "oracles/diagnostics/Rejection.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/dialect/CudaTile/IR/CudaTileTesting.h"
#include "compiler/support/WriteFile.h"
#include "compiler/target/Targets.h"
#include "oracles/engines/ContextPool.h"
#include "oracles/engines/ModuleLoader.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace tilesmith;
using namespace tilesmith::oracles;
using llvm::StringRef;

namespace {

constexpr unsigned kContextUses = 1000; // modules until the contexts are renewed
constexpr const char *kWhat = "diagnostics";

/// One report of an error.
struct Report {
  std::string message, file;
  unsigned line = 0, column = 0;

  std::string place() const {
    return line ? llvm::formatv("{0}:{1}:{2}", file, line, column).str() : "no place";
  }
};

/// Keeps the errors of a context while it lives.
class Listener {
public:
  explicit Listener(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
            return mlir::success();
          Report report{diagnostic.str(), "", 0, 0};
          if (auto loc = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
            report.file = loc.getFilename().str();
            report.line = loc.getLine();
            report.column = loc.getColumn();
          }
          reports.push_back(std::move(report));
          return mlir::success();
        }) {}

  std::vector<Report> reports;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// The broken rule as messages name it; `tilesmith explain` takes it.
std::string ruleOf(const testcase::ExpectedRejection &want) {
  return "rule [" + want.rule + "]";
}

/// A context with the rules that the case asks for; null for an unknown profile or option. The
/// usual rules are those of the context that all oracles share; the others have few cases.
std::shared_ptr<mlir::MLIRContext> contextFor(const testcase::TestCase &testCase) {
  static std::map<std::string, std::shared_ptr<mlir::MLIRContext>> contexts;
  static unsigned uses = 0;
  std::string profile = "tileiras-13.5", option;
  for (StringRef feature : testCase.features) {
    if (feature.consume_front("profile:"))
      profile = feature.str();
    if (feature.consume_front("option:"))
      option = feature.str();
  }
  if (!parseProfile(profile) ||
      (!option.empty() && option != "testing-ops" && option != "hint-errors"))
    return nullptr;
  if (option.empty() && parseProfile(profile) == cuda_tile::Profile::Tileiras13_5)
    return borrowContext();
  if (++uses % kContextUses == 0)
    contexts.clear();
  std::shared_ptr<mlir::MLIRContext> &context = contexts[profile + "/" + option];
  if (!context) {
    context = std::make_shared<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    auto *dialect = context->getOrLoadDialect<cuda_tile::CudaTileDialect>();
    dialect->setProfile(*parseProfile(profile));
    if (option == "testing-ops")
      cuda_tile::registerTestingOps(*dialect);
    dialect->setWarnUnsupportedHints(option == "hint-errors");
    dialect->setErrorOnHints(option == "hint-errors");
  }
  return context;
}

/// What a report says by itself: the text, and the op that it names.
std::optional<Verdict> checkMessage(StringRef message, const testcase::ExpectedRejection &want) {
  if (!message.contains(want.diagnostic))
    return Verdict::disagree(kWhat, ruleOf(want),
                             llvm::formatv("got \"{0}\", want \"{1}\"", message, want.diagnostic));
  StringRef named = message;
  if (!want.op.empty() && named.consume_front("'cuda_tile.")) {
    StringRef op = named.take_until([](char c) { return c == '\''; });
    if (op != want.op)
      return Verdict::disagree(kWhat, ruleOf(want),
                               llvm::formatv("the op is '{0}', want '{1}'", op, want.op));
  }
  return std::nullopt;
}

Verdict accepted(const testcase::ExpectedRejection &want) {
  return Verdict::disagree(kWhat, ruleOf(want),
                           llvm::formatv("the module was accepted, want \"{0}\"", want.diagnostic));
}

Verdict misplaced(const testcase::ExpectedRejection &want, const Report &got, StringRef place) {
  return Verdict::disagree(
      kWhat, ruleOf(want),
      llvm::formatv("reported at {0}, want {1}: {2}", got.place(), place, got.message));
}

/// `[FILE:]LINE[:COLUMN]`, against the report.
bool isAt(const Report &report, StringRef place) {
  llvm::SmallVector<StringRef> parts;
  place.split(parts, ':');
  unsigned line = 0, column = 0;
  if (parts.size() == 3) {
    if (report.file != parts[0])
      return false;
    parts.erase(parts.begin());
  }
  if (parts[0].getAsInteger(10, line) || report.line != line)
    return false;
  return parts.size() < 2 || (!parts[1].getAsInteger(10, column) && report.column == column);
}

/// The name of the op that stands there in the text.
std::string opAt(StringRef text, const Report &report, mlir::MLIRContext &context) {
  Listener quiet(context);
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config, report.file);
  std::string found;
  if (module)
    module->walk([&](mlir::Operation *op) {
      auto loc = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>();
      if (loc && loc.getFilename() == report.file && loc.getLine() == report.line &&
          loc.getColumn() == report.column && !llvm::isa<mlir::ModuleOp>(op))
        found = op->getName().stripDialect().str();
    });
  return found;
}

Verdict judgeText(StringRef text, const testcase::ExpectedRejection &want,
                  mlir::MLIRContext &context) {
  std::vector<Report> reports;
  {
    Listener listener(context);
    mlir::ParserConfig config(&context, /*verifyAfterParse=*/true);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config, "kernel.mlir");
    if (module)
      return accepted(want);
    reports = std::move(listener.reports);
  }
  if (reports.empty())
    return Verdict::disagree(kWhat, ruleOf(want), "refused without a diagnostic");
  // Inference and its caller report one fault in two ways; one of them must be what is wanted.
  const Report *report = &reports.front();
  for (const Report &other : reports)
    if (StringRef(other.message).contains(want.diagnostic))
      report = &other;
  if (std::optional<Verdict> verdict = checkMessage(report->message, want))
    return *verdict;
  if (!want.location.empty() && !isAt(*report, want.location))
    return misplaced(want, *report, want.location);
  for (const Report &other : reports)
    if (other.line != report->line || other.file != report->file)
      return Verdict::disagree(
          kWhat, ruleOf(want),
          llvm::formatv("another fault is reported at {0}: {1}", other.place(), other.message));
  bool exact = StringRef(want.location).count(':') == 1;
  // A report that names the op names the one that stands there.
  bool named = StringRef(report->message).starts_with("'cuda_tile.");
  if (!want.op.empty() && exact && !named) {
    std::string op = opAt(text, *report, context);
    if (!op.empty() && op != want.op)
      return Verdict::disagree(
          kWhat, ruleOf(want),
          llvm::formatv("the op at {0} is '{1}', want '{2}'", want.location, op, want.op));
  }
  return Verdict::agree();
}

/// The op at `@SYMBOL op N`; null if there is none.
mlir::Operation *opAtPath(cuda_tile::ModuleOp module, StringRef path) {
  auto [symbol, number] = path.drop_front().split(" op ");
  unsigned wanted = 0;
  mlir::Operation *function = mlir::SymbolTable::lookupSymbolIn(module, symbol), *found = nullptr;
  if (!function || number.getAsInteger(10, wanted))
    return nullptr;
  function->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    found = op;
    return wanted-- == 0 ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found;
}

/// Verifies with a location for the op that should be wrong; when another one is reported, with the
/// position of every op as its location.
std::optional<Verdict> checkPosition(StringRef data, const testcase::ExpectedRejection &want,
                                     mlir::MLIRContext &context) {
  bytecode::ReaderOptions options;
  options.verify = false;
  auto module = bytecode::readBytecode(data, &context, options);
  if (!module) {
    llvm::consumeError(module.takeError());
    return std::nullopt; // the reader itself refused it
  }
  if (mlir::Operation *op = opAtPath(**module, want.location)) {
    op->setLoc(mlir::FileLineColLoc::get(&context, "here", 1, 1));
    Listener listener(context);
    if (mlir::failed(mlir::verify(**module)) && !listener.reports.empty() &&
        listener.reports.front().file == "here")
      return std::nullopt;
  }
  for (mlir::Operation &symbol : (*module)->getBody().getOps()) {
    auto name = mlir::SymbolTable::getSymbolName(&symbol);
    unsigned index = 0;
    symbol.walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::Operation *op) { op->setLoc(mlir::FileLineColLoc::get(name, index++, 1)); });
  }
  Listener listener(context);
  if (mlir::succeeded(mlir::verify(**module)) || listener.reports.empty())
    return Verdict::disagree(kWhat, ruleOf(want),
                             "the fault is gone when the module is verified again");
  const Report &report = listener.reports.front();
  std::string got = llvm::formatv("@{0} op {1}", report.file, report.line);
  if (got != want.location)
    return Verdict::disagree(
        kWhat, ruleOf(want),
        llvm::formatv("reported at {0}, want {1}: {2}", got, want.location, report.message));
  return std::nullopt;
}

Verdict judgeBytecode(StringRef data, const testcase::ExpectedRejection &want,
                      mlir::MLIRContext &context) {
  std::string message;
  {
    Listener quiet(context);
    auto module = bytecode::readBytecode(data, &context);
    if (module)
      return accepted(want);
    message = llvm::toString(module.takeError());
  }
  if (message.empty())
    return Verdict::disagree(kWhat, ruleOf(want), "refused without a diagnostic");
  // "SECTION, offset N: MESSAGE".
  auto [place, rest] = StringRef(message).split(": ");
  bool placed = place.contains(", offset ");
  if (std::optional<Verdict> verdict = checkMessage(placed ? rest : StringRef(message), want))
    return *verdict;
  if (want.location.empty())
    return Verdict::agree();
  if (want.location.front() == '@') {
    std::optional<Verdict> verdict = checkPosition(data, want, context);
    return verdict ? *verdict : Verdict::agree();
  }
  if (StringRef(want.location).contains(':'))
    return Verdict::agree(); // debug information: the reader names offsets
  if (!placed || !place.starts_with(want.location))
    return Verdict::disagree(
        kWhat, ruleOf(want),
        llvm::formatv("reported at {0}, want the {1}: {2}", place, want.location, rest));
  return Verdict::agree();
}

bool isText(const testcase::ModuleFile &file) {
  return StringRef(file.file).ends_with(".mlir");
}

StringRef contentsOf(const testcase::ModuleFile &file) {
  return llvm::toStringRef(file.bytes);
}

} // namespace

Verdict tilesmith::oracles::judgeRejection(const testcase::TestCase &testCase, StringRef version) {
  if (!testCase.expectReject)
    return Verdict::inconclusive("the case does not say what is wrong with its module");
  const testcase::ModuleFile *file =
      testCase.launches.empty() ? nullptr : testCase.launches.front().module(version);
  if (!file)
    return Verdict::inconclusive(llvm::formatv("no module of bytecode version {0}", version));
  std::shared_ptr<mlir::MLIRContext> context = contextFor(testCase);
  if (!context)
    return Verdict::inconclusive("the case asks for a profile or an option that is not known");
  return isText(*file) ? judgeText(contentsOf(*file), *testCase.expectReject, *context)
                       : judgeBytecode(contentsOf(*file), *testCase.expectReject, *context);
}

Verdict tilesmith::oracles::judgeToolRejection(const testcase::TestCase &testCase,
                                               StringRef version, StringRef tool,
                                               StringRef folder) {
  const testcase::ModuleFile *file = testCase.launches.front().module(version);
  if (!file || isText(*file))
    return Verdict::inconclusive("the tool reads bytecode only");
  for (StringRef feature : testCase.features)
    if (feature.starts_with("profile:") || feature.starts_with("option:"))
      return Verdict::inconclusive("the rule is not one of the tool's profile");
  std::string input = (folder + "/broken.tileirbc").str(), output = (folder + "/broken.out").str(),
              errors = (folder + "/broken.err").str();
  if (llvm::Error error = writeFileAtomically(input, contentsOf(*file)))
    return Verdict::inconclusive(llvm::toString(std::move(error)));
  llvm::sys::fs::remove(output);
  std::string message;
  int code = llvm::sys::ExecuteAndWait(
      tool, {tool, input, "-o", output, "--gpu-name", target::kDefaultGpu}, std::nullopt,
      {StringRef(""), StringRef(""), StringRef(errors)}, /*SecondsToWait=*/30, 0, &message);
  std::string rule = testCase.expectReject ? ruleOf(*testCase.expectReject) : "rule";
  if (code == 0)
    return Verdict::disagree("tool", rule, "exit code 0, want a refusal");
  if (code < 0)
    return Verdict::disagree("tool", rule, "ended by a signal or not at all: " + message);
  if (llvm::sys::fs::exists(output))
    return Verdict::disagree("tool", rule, "an output was left behind");
  auto text = llvm::MemoryBuffer::getFile(errors);
  if (!text || (*text)->getBuffer().trim().empty())
    return Verdict::disagree("tool", rule, "refused without a diagnostic");
  return Verdict::agree();
}
