//===- Patterns.h - shared by the pattern files of this conversion ----------------------------===//
#ifndef COMPILER_CONVERSION_CUDATILETOTILEAA_PATTERNS_H
#define COMPILER_CONVERSION_CUDATILETOTILEAA_PATTERNS_H

#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::cudatile_to_tileaa {

/// Base of patterns that need the target or hints.
template <typename OpTy> class SettingsPattern : public mlir::OpConversionPattern<OpTy> {
public:
  SettingsPattern(const mlir::TypeConverter &types, mlir::MLIRContext *context,
                  const Settings &settings)
      : mlir::OpConversionPattern<OpTy>(types, context), settings(settings) {}

protected:
  const Settings &settings;
};

// One populator per family; parts A, B and C are made of them.
using Types = const mlir::TypeConverter &;
using PatternSet = mlir::RewritePatternSet &;
void populateArithmetic(Types types, PatternSet patterns);
void populateComparison(Types types, PatternSet patterns);
void populateConversion(Types types, PatternSet patterns);
void populateControlFlow(Types types, PatternSet patterns);
void populateShape(Types types, PatternSet patterns);
void populateMemory(Types types, PatternSet patterns, const Settings &settings);
void populateView(Types types, PatternSet patterns, const Settings &settings);
void populateMisc(Types types, PatternSet patterns);
void populateStructure(Types types, PatternSet patterns, const Settings &settings);
void populateMma(Types types, PatternSet patterns);
void populateReduceScan(Types types, PatternSet patterns);

/// Rewrites loops and ifs that are left early (break, continue or return below an if) into scf ops
/// over cuda_tile values, and gives every memory op a token. Runs before the patterns. See
/// EarlyExits.cpp.
void structureEarlyExits(cuda_tile::EntryOp entry);
void makeTokensExplicit(cuda_tile::EntryOp entry);

//===------------------------------------------------------------------------------------------===//
// Helpers
//===------------------------------------------------------------------------------------------===//

/// A scalar or a splat of this type.
mlir::Value createInt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                      const llvm::APInt &value);
mlir::Value createInt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, int64_t value);
mlir::Value createFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                        double value);

/// `type` with another element type.
mlir::Type withElement(mlir::Type type, mlir::Type element);

/// Zero-extends a scalar or tensor of integers to at least `width` bits.
mlir::Value extendUnsigned(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                           unsigned width);

/// Copies a `fastmath` attribute that the source op carries.
void copyFastMath(mlir::Operation *from, mlir::Operation *to);

inline tileaa::RoundingMode convertRounding(cuda_tile::RoundingMode mode) {
  return static_cast<tileaa::RoundingMode>(static_cast<uint32_t>(mode));
}

/// True for i1 and tensors of i1.
inline bool isBool(mlir::Type type) {
  return mlir::getElementTypeOrSelf(type).isInteger(1);
}

} // namespace tilesmith::cudatile_to_tileaa

#endif // COMPILER_CONVERSION_CUDATILETOTILEAA_PATTERNS_H
