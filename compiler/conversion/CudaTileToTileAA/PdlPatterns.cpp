//===- PdlPatterns.cpp - patterns of a user beside those of the conversion --------------------===//
//
// A file of `pdl.pattern`s takes part in convert-cudatile-to-tileaa: it may lower an op that has no
// lowering, or another way than ours by a higher benefit. Native functions are those of the dialect
// conversion: convertValue, convertValues, convertType, convertTypes. The patterns are lowered here
// once to see whether they can be; the frozen set lowers them again and ends the process otherwise.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"

#include "mlir/Conversion/PDLToPDLInterp/PDLToPDLInterp.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

/// What of the lowered patterns the interpreter does not know; empty if nothing.
static std::string unknownFunction(mlir::ModuleOp lowered) {
  std::string unknown;
  lowered.walk([&](Operation *op) {
    if (!unknown.empty())
      return;
    if (auto constraint = dyn_cast<pdl_interp::ApplyConstraintOp>(op))
      unknown = ("constraint '" + constraint.getName() + "'").str();
    else if (auto rewrite = dyn_cast<pdl_interp::ApplyRewriteOp>(op))
      if (!llvm::is_contained({"convertValue", "convertValues", "convertType", "convertTypes"},
                              rewrite.getName()))
        unknown = ("rewrite '" + rewrite.getName() + "'").str();
  });
  return unknown;
}

LogicalResult tilesmith::cudatile_to_tileaa::addPDLPatterns(mlir::ModuleOp module, StringRef file,
                                                            const TypeConverter &types,
                                                            RewritePatternSet &patterns) {
  auto refuse = [&](const Twine &why) {
    InFlightDiagnostic diagnostic =
        module.emitError("failed to lower PDL pattern module to the PDL Interpreter");
    diagnostic.attachNote() << file << ": " << why;
    return failure();
  };
  MLIRContext *context = module.getContext();
  OwningOpRef<mlir::ModuleOp> source = parseSourceFile<mlir::ModuleOp>(file, context);
  if (!source)
    return refuse("expected a file of patterns");
  OwningOpRef<mlir::ModuleOp> lowered = source->clone();
  auto manager = PassManager::on<mlir::ModuleOp>(context);
  manager.addPass(createConvertPDLToPDLInterpPass());
  if (failed(manager.run(*lowered)))
    return refuse("the patterns have no form for the interpreter");
  if (std::string unknown = unknownFunction(*lowered); !unknown.empty())
    return refuse("no " + unknown + " is registered");
  patterns.add(PDLPatternModule(std::move(source), PDLConversionConfig(&types)));
  registerConversionPDLFunctions(patterns);
  return success();
}
