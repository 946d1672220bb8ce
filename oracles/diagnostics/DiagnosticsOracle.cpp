//===- DiagnosticsOracle.cpp - is a broken module refused for its fault -----------------------===//
#include "oracles/diagnostics/DiagnosticsOracle.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "oracles/diagnostics/Rejection.h"
#include "oracles/engines/ContextPool.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// Whether the file is well formed, whatever the module says: text can be parsed without the
/// verifier; bytes, read without it and written again, are the same. Else what is wrong.
std::string faultOfFile(llvm::StringRef data) {
  std::shared_ptr<mlir::MLIRContext> context = borrowContext();
  mlir::ScopedDiagnosticHandler quiet(context.get(),
                                      [](mlir::Diagnostic &) { return mlir::success(); });
  if (!bytecode::isTileIRBytecode(data)) {
    mlir::Block top;
    mlir::ParserConfig config(context.get(), /*verifyAfterParse=*/false);
    return llvm::succeeded(mlir::parseSourceString(data, &top, config)) ? "" : "no module";
  }
  auto version = bytecode::readVersion(data);
  if (!version)
    return llvm::toString(version.takeError());
  auto module = bytecode::readBytecode(data, context.get(), {.verify = false});
  if (!module)
    return llvm::toString(module.takeError());
  std::string again;
  llvm::raw_string_ostream sink(again);
  if (llvm::Error error = bytecode::writeBytecode(**module, sink, *version))
    return llvm::toString(std::move(error));
  return again == data ? "" : "other bytes";
}

class DiagnosticsOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "diagnostics"; }
  llvm::StringRef question() const override {
    return "is a broken module refused for its fault, at its place";
  }
  bool applies(const OracleContext &context, const ModuleReport &) const override {
    return context.testCase.expectReject.has_value();
  }

  Verdict judge(const OracleContext &context, ModuleReport &report) const override {
    auto start = std::chrono::steady_clock::now();
    Verdict verdict = judgeRejection(context.testCase, context.version);
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report.engines.push_back({"verifier", verdict, elapsed.count()});
    return verdict;
  }

  /// A module that must be refused, and was not, or for another reason: a sound file blames the
  /// verifier.
  Attribution blame(const Finding &finding) const override {
    bool sound = llvm::all_of(finding.testCase.launches, [&](const testcase::Launch &launch) {
      const testcase::ModuleFile *file = launch.module(finding.version);
      return file && finding.inChild([file] {
        return faultOfFile(llvm::toStringRef(llvm::ArrayRef(file->bytes)));
      }) == "";
    });
    return Attribution::undecided("frontend", sound ? "verifier" : "bytecode reader",
                                  "bytecode reader or parser, verifier, diagnostics oracle");
  }

  Triple triple() const override {
    return {{"planted/verifier-forgets-flush-to-zero"},
            {"planted/verifier-forgets-flush-to-zero", "verifier-forgets-flush-to-zero"},
            {"oracles/rule-of-another-profile"},
            "verifier"};
  }
};

} // namespace

const Oracle &tilesmith::oracles::diagnosticsOracle() {
  static const DiagnosticsOracle oracle;
  return oracle;
}
