//===- Registration.h - every dialect, translation and pass of the compiler -------------------===//
#ifndef COMPILER_PIPELINE_REGISTRATION_H
#define COMPILER_PIPELINE_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tilesmith {

/// All dialects that a stage of the pipeline may hold, with the interfaces and translations they
/// need.
void registerCompilerDialects(mlir::DialectRegistry &registry);

/// All passes of tilesmith under their names, for tools with `--pass-pipeline`.
void registerCompilerPasses();

/// `tilesmith-pipeline`: the passes of Pipeline.cpp in their order, with options.
void registerCompilerPipeline();

} // namespace tilesmith

#endif // COMPILER_PIPELINE_REGISTRATION_H
