//===- CudaTileToTileAA.h - from the public dialect to the alias-aware middle -----------------===//
//
// Input: builtin.module with cuda_tile.module(s). Output: builtin.module { gpu.module @NAME {
// nv_tileaa.func ... } } with only arith, math, scf, gpu, func and nv_tileaa inside; rank-0 tiles
// are plain scalars.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_CUDATILETOTILEAA_CUDATILETOTILEAA_H
#define COMPILER_CONVERSION_CUDATILETOTILEAA_CUDATILETOTILEAA_H

#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

#include <optional>
#include <string>

namespace tilesmith {

/// major * 10 + minor of `sm_NN`, `sm_NNa`, `sm_NNf` or `NN`; nullopt when malformed.
std::optional<unsigned> parseComputeCapability(llvm::StringRef text);

#define GEN_PASS_DECL_CONVERTCUDATILETOTILEAAPASS
#include "compiler/conversion/Passes.h.inc"

namespace cudatile_to_tileaa {

/// Facts that patterns share.
struct Settings {
  unsigned capability = 80;
  std::string archName() const { return "sm_" + std::to_string(capability); }
};

/// tile -> tensor or scalar, ptr -> !nv_tileaa.ptr<_, 1>, views -> memref and tiled_view, token ->
/// mem_token; other types stay. Materialisations are unrealized casts.
class CudaTileTypeConverter : public mlir::TypeConverter {
public:
  CudaTileTypeConverter();
};

/// The three groups, in the order of registration. `settings` must outlive the patterns.
void populatePartA(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                   const Settings &settings);
void populatePartB(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                   const Settings &settings);
void populatePartC(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                   const Settings &settings);

/// The eight ops that only these adders bring into a pattern set.
void addTruncIPattern(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void addRsqrtPattern(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void addMaxIPattern(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void addIToFPattern(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void addGlobalPattern(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void addFmaPattern(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void addConstantPattern(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void addAssumePattern(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);

/// The patterns of a file, as part of `patterns`; an error of `module` when they cannot be used.
mlir::LogicalResult addPDLPatterns(mlir::ModuleOp module, llvm::StringRef file,
                                   const mlir::TypeConverter &types,
                                   mlir::RewritePatternSet &patterns);

/// Everything above but the patterns of a file.
void populateAllPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                         const Settings &settings);

} // namespace cudatile_to_tileaa
} // namespace tilesmith

#endif // COMPILER_CONVERSION_CUDATILETOTILEAA_CUDATILETOTILEAA_H
