//===- FuzzContext.h - the context and texts of the in-process fuzz targets -------------------===//
//
// One single-threaded MLIRContext serves many runs, because building one costs more than reading a
// small file; it is replaced every 10,000 runs, because attributes and types live as long as their
// context. Diagnostics are swallowed.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TARGETS_FUZZCONTEXT_H
#define FUZZ_TARGETS_FUZZCONTEXT_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace tilesmith::fuzz {

/// `prepare` is called with each new context.
inline mlir::MLIRContext &
fuzzContext(cuda_tile::Profile profile,
            llvm::function_ref<void(mlir::MLIRContext &)> prepare = nullptr) {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned runs = 0;
  if (runs++ % 10000 == 0) {
    context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    if (prepare)
      prepare(*context);
    context->getOrLoadDialect<cuda_tile::CudaTileDialect>()->setProfile(profile);
    context->getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  }
  return *context;
}

inline std::string textOf(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

/// Ends the process with both sides of a disagreement.
[[noreturn]] inline void disagree(llvm::StringRef what, llvm::StringRef first,
                                  llvm::StringRef second) {
  llvm::errs() << "disagree: " << what << "\n--- first\n"
               << first << "\n--- second\n"
               << second << '\n';
  __builtin_trap();
}

} // namespace tilesmith::fuzz

#endif // FUZZ_TARGETS_FUZZCONTEXT_H
