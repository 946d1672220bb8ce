//===- DialectOptions.h - command-line options of cuda_tile -----------------------------------===//
//
//   --profile=public|tileiras-13.5|tileiras-13.1   which verifier rules apply
//   --Wunsupported-hints, --Werr-hints             diagnose optimization hints, and fail on them
//   --allow-testing-ops                            register the ops of test suites
//
// A tool makes one object before it parses its command line.
//
//===------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_COMPILER_TOOLS_DIALECTOPTIONS_H
#define TILESMITH_COMPILER_TOOLS_DIALECTOPTIONS_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/IR/CudaTileTesting.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/CommandLine.h"

namespace tilesmith::tools {

struct DialectOptions {
  explicit DialectOptions(cuda_tile::Profile defaultProfile)
      : profile("profile", llvm::cl::desc("Verifier rules of cuda_tile"),
                llvm::cl::init(defaultProfile),
                llvm::cl::values(
                    clEnumValN(cuda_tile::Profile::Public, "public", "the public 13.3 dialect"),
                    clEnumValN(cuda_tile::Profile::Tileiras13_5, "tileiras-13.5",
                               "the closed tool of 13.5"),
                    clEnumValN(cuda_tile::Profile::Tileiras13_1, "tileiras-13.1",
                               "the closed tool of 13.1"))) {}

  /// Applies the options to the dialect of every context that the registry is given to. This object
  /// must outlive those contexts.
  void addTo(mlir::DialectRegistry &registry) const;

  llvm::cl::opt<cuda_tile::Profile> profile;
  llvm::cl::opt<bool> warnUnsupportedHints{
      "Wunsupported-hints", llvm::cl::desc("Warn about unknown or invalid optimization hints")};
  llvm::cl::opt<bool> errorOnHints{"Werr-hints",
                                   llvm::cl::desc("Fail on unknown or invalid optimization hints")};
  llvm::cl::opt<bool> allowTestingOps{"allow-testing-ops",
                                      llvm::cl::desc("Register the ops for test suites")};
};

/// Hands the options to a dialect when a context loads it.
class DialectOptionsExtension
    : public mlir::DialectExtension<DialectOptionsExtension, cuda_tile::CudaTileDialect> {
public:
  explicit DialectOptionsExtension(const DialectOptions &options) : options(&options) {}
  void apply(mlir::MLIRContext *, cuda_tile::CudaTileDialect *dialect) const final {
    dialect->setProfile(options->profile);
    dialect->setWarnUnsupportedHints(options->warnUnsupportedHints);
    dialect->setErrorOnHints(options->errorOnHints);
    if (options->allowTestingOps)
      cuda_tile::registerTestingOps(*dialect);
  }

private:
  const DialectOptions *options;
};

inline void DialectOptions::addTo(mlir::DialectRegistry &registry) const {
  registry.addExtension(mlir::TypeID::get<DialectOptionsExtension>(),
                        std::make_unique<DialectOptionsExtension>(*this));
}

} // namespace tilesmith::tools

#endif // TILESMITH_COMPILER_TOOLS_DIALECTOPTIONS_H
