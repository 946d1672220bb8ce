//===- RoundTripOracle.cpp - is a module the same after a way through bytes or text -----------===//
#include "oracles/roundtrip/RoundTripOracle.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "oracles/engines/ContextPool.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/roundtrip/ModuleEquality.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// The round trips of one module.
class RoundTrip {
public:
  RoundTrip(const testcase::ModuleFile &file, mlir::MLIRContext &context)
      : data(llvm::toStringRef(llvm::ArrayRef(file.bytes))), context(context) {
    version.minor = static_cast<uint8_t>(file.version.back() - '0');
  }

  /// `ours`: our generator wrote it, so its bytes stay. `fresh`: this very generator, so they also
  /// survive text.
  Verdict run(bool ours, bool fresh, bool mayReject);

  /// What was read, for the engines; null if nothing could be.
  mlir::OwningOpRef<cuda_tile::ModuleOp> takeModule() { return std::move(module); }

private:
  std::optional<Verdict> sameInMemory(cuda_tile::ModuleOp other, const std::string &what);
  std::optional<Verdict> sameBytes(cuda_tile::ModuleOp op, const std::string &what, bool always);
  std::optional<Verdict> throughText(bool fresh);

  llvm::StringRef data;
  mlir::MLIRContext &context;
  bytecode::Version version;
  mlir::OwningOpRef<cuda_tile::ModuleOp> module;
};

std::optional<Verdict> RoundTrip::sameInMemory(cuda_tile::ModuleOp other, const std::string &what) {
  if (auto difference = firstDifference(*module, other))
    return Verdict::disagree(what, "round trip", *difference);
  return std::nullopt;
}

std::optional<Verdict> RoundTrip::sameBytes(cuda_tile::ModuleOp op, const std::string &what,
                                            bool always) {
  std::string again;
  llvm::raw_string_ostream sink(again);
  if (llvm::Error error = bytecode::writeBytecode(op, sink, version))
    return Verdict::disagree(what, "writer", llvm::toString(std::move(error)));
  if (again == data)
    return std::nullopt;
  if (always)
    return Verdict::disagree(
        what, "round trip",
        llvm::formatv("{0} bytes became {1} others", data.size(), again.size()));
  auto other = bytecode::readBytecode(again, &context);
  if (!other)
    return Verdict::disagree(what, "reader", llvm::toString(other.takeError()));
  return sameInMemory(**other, what);
}

std::optional<Verdict> RoundTrip::throughText(bool fresh) {
  mlir::OpPrintingFlags flags;
  flags.assumeVerified(); // by the reader
  std::string text;
  llvm::raw_string_ostream sink(text);
  module->print(sink, flags);
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostic.str() + "\n";
    return mlir::success();
  });
  // Not verified: it is to equal one that is.
  const mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, config);
  auto modules = parsed ? llvm::to_vector(parsed->getOps<cuda_tile::ModuleOp>())
                        : llvm::SmallVector<cuda_tile::ModuleOp>();
  if (modules.size() != 1)
    return Verdict::disagree("text", "parser", diagnostics);
  if (auto verdict = sameInMemory(modules.front(), "text"))
    return verdict;
  return fresh ? sameBytes(modules.front(), "text", /*always=*/true) : std::nullopt;
}

Verdict RoundTrip::run(bool ours, bool fresh, bool mayReject) {
  auto read = bytecode::readBytecode(data, &context);
  if (!read) {
    std::string text = llvm::toString(read.takeError());
    return mayReject ? Verdict::agree() : Verdict::disagree("bytecode", "reader", text);
  }
  module = std::move(*read);
  if (auto verdict = sameBytes(*module, "bytecode", /*always=*/ours))
    return *verdict;
  return throughText(fresh).value_or(Verdict::agree());
}

class RoundTripOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "roundtrip"; }
  llvm::StringRef question() const override {
    return "is a module the same after a way through bytecode, and through text";
  }
  bool applies(const OracleContext &context, const ModuleReport &) const override {
    return !context.testCase.expectReject;
  }

  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    const testcase::TestCase &testCase = context.testCase;
    const testcase::ModuleFile *file = testCase.launches.front().module(context.version);
    if (!file || llvm::StringRef(file->file).ends_with(".mlir"))
      return Verdict::inconclusive("round trips: no bytecode of this version");
    std::shared_ptr<mlir::MLIRContext> borrowed = borrowContext();
    RoundTrip trip(*file, *borrowed);
    Verdict verdict =
        trip.run(testCase.generator.has_value(), context.options.fresh, testCase.mayReject);
    if (auto module = trip.takeModule())
      ModuleLoader::remember(borrowed, llvm::toStringRef(file->bytes), std::move(module));
    return verdict;
  }

  Attribution blame(const Finding &finding) const override {
    // `bytecode reader`, `text parser`, `bytecode round trip`, ...: reader and writer are asked
    // together and cannot be told apart by the result.
    const Verdict &verdict = finding.report.verdict;
    return Attribution::of("frontend", verdict.what + " " + verdict.place);
  }

  Triple triple() const override {
    return {{"planted/reader-splats-constants"},
            {"planted/reader-splats-constants", "reader-splats-constants"},
            {"oracles/text-only"},
            "bytecode round trip"};
  }
};

} // namespace

const Oracle &tilesmith::oracles::roundTripOracle() {
  static const RoundTripOracle oracle;
  return oracle;
}
