//===- ModuleLoader.h - bytecode of a case to a verified cuda_tile module ---------------------===//
//
// The first step of every engine that starts from bytecode. Modules of one request share one
// context; a file that several launches name is read once, so that the globals of a module persist
// between its launches. Loaders of one host thread also share what they read last: several engines
// run the same case one after the other, and none of them changes the module.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_MODULELOADER_H
#define ORACLES_ENGINES_MODULELOADER_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/pipeline/CompileOptions.h"
#include "oracles/engines/Engine.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace tilesmith::oracles {

class ModuleLoader {
public:
  /// A pooled context (ContextPool.h) with the dialects of `registry` made available. `profile`
  /// names the verifier rules; an unknown name stands for the default.
  /// `fresh`: reads again what another loader has read.
  ModuleLoader(const mlir::DialectRegistry &registry, llvm::StringRef profile, bool fresh = false);

  mlir::MLIRContext &context() { return *mlirContext; }

  /// The module of one launch at one version, not to be changed. Errors: the version is missing;
  /// the reader or the verifier refuses it.
  llvm::Expected<cuda_tile::ModuleOp> load(const testcase::Launch &launch, llvm::StringRef version);

  /// A fresh module of a file that holds nv_tileaa as text, verified.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> loadTileAA(const testcase::ModuleFile &file);

  /// Forgets what this host thread has read: the next loader sees what has changed meanwhile, as a
  /// planted bug.
  static void forget();

  /// What the next loader takes for these bytes: a module that was just read from them and verified,
  /// with the default rules, by someone else, who has not changed it.
  static void remember(std::shared_ptr<mlir::MLIRContext> context, llvm::StringRef bytes,
                       mlir::OwningOpRef<cuda_tile::ModuleOp> module);

  /// Copies what a compilation on this host thread has made of a module behind a stage, for whoever asks for the
  /// same next. `key`: all that it depends on. Keeps the first of each stage, and only of the latest key.
  void keepLowered(const std::string &key, Stage stage, mlir::ModuleOp module);
  /// What was kept, to change at will; null when there is nothing of this key and stage.
  mlir::OwningOpRef<mlir::ModuleOp> takeLowered(const std::string &key, Stage stage);

  /// A module, the bytes it was read from and the context it lives in.
  struct Read;

private:
  llvm::Expected<std::shared_ptr<Read>> read(llvm::StringRef bytes);

  std::shared_ptr<mlir::MLIRContext> mlirContext;
  std::map<std::string, std::shared_ptr<Read>> modules; ///< by file name
  bool fresh;
};

/// Whether a file holds nv_tileaa as text (`*.tileaa.mlir`): a case that begins behind the first
/// conversion, for what no cuda_tile op becomes. Only the engines of later stages run it.
bool startsAtTileAA(const testcase::ModuleFile &file);
/// The same for a case at one version.
bool startsAtTileAA(const testcase::TestCase &testCase, llvm::StringRef version);
/// The engines that a list stands for, each once. Of a case that begins at nv_tileaa the interpreter
/// of that stage is the reference; what the canonicalizers leave of it and the interpreter of the
/// next stage stand beside it.
std::string enginesOf(const testcase::TestCase &testCase, llvm::StringRef version,
                      llvm::StringRef list);

/// The verifier rules of a name: public, tileiras-13.5 or tileiras-13.1.
std::optional<cuda_tile::Profile> parseProfile(llvm::StringRef name);

/// The optional passes over nv_tileaa at the level of `options`, for a module that begins there;
/// counts them, so that `options.optBisectLimit` covers them and what follows.
void addTileAAPasses(mlir::OpPassManager &manager, const CompileOptions &options,
                     int64_t &optionalPasses);

/// Fresh buffer results with the initial contents of the case.
std::vector<BufferResult> initialBuffers(const testcase::TestCase &testCase);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_MODULELOADER_H
