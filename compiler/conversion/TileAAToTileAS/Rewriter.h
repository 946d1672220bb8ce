//===- Rewriter.h - shared state of the family rewrites of convert-tileaa-to-tileas -----------===//
//
// The conversion runs in two steps. First every tensor of the function is given the canonical
// layout of its shape, in place; arith, math, scf and the elementwise operations of nv_tileaa are
// then already correct. Second, each operation that moves elements or touches memory is replaced by
// its nv_tileas form by a family rewrite; where the form fixes another layout on an operand or
// result, an explicit convert_layout connects it to the canonical one.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_TILEAATOTILEAS_REWRITER_H
#define COMPILER_CONVERSION_TILEAATOTILEAS_REWRITER_H

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/OpDispatch.h"
#include "mlir/IR/PatternMatch.h"

namespace tilesmith::tileaa_to_tileas {

class Rewriter {
public:
  Rewriter(mlir::MLIRContext *context, unsigned numWarps) : rewriter(context), numWarps(numWarps) {}

  mlir::IRRewriter rewriter;
  unsigned numWarps;

  /// Neighbouring elements of one thread, as a power of two (see Pass.cpp).
  unsigned maxVectorBits = 2;
  /// Each warp has all of a short tile in the canonical layout (WarpRows.cpp).
  bool sharesShort = false;
  /// Warps come last in the canonical layout (WarpRows.cpp).
  bool warpsLast = false;

  tileas::LayoutAttr canonical(llvm::ArrayRef<int64_t> shape);
  /// `value` in another layout; the same value when it already has it.
  mlir::Value convert(mlir::Value value, tileas::LayoutAttr layout);
  /// Row-major reshape, then canonical layout.
  mlir::Value view(mlir::Location loc, mlir::Value source, llvm::ArrayRef<int64_t> shape);
  /// Extents of one grow to `shape`; the result has the canonical layout.
  mlir::Value broadcast(mlir::Location loc, mlir::Value source, llvm::ArrayRef<int64_t> shape);
  /// Replaces `op` by `results` after converting tiles back to the layouts of op's result types.
  void replace(mlir::Operation *op, mlir::ValueRange results);
};

/// The canonical layout of a shape: up to 2^maxVectorBits neighbouring elements per thread.
LinearLayout canonicalLayout(llvm::ArrayRef<int64_t> shape, unsigned numWarps,
                             unsigned maxVectorBits, bool warpsLast);
/// Of at most kShort elements, with all of them in each warp.
LinearLayout shortLayout(llvm::ArrayRef<int64_t> shape, unsigned numWarps);
inline constexpr int64_t kShort = 128;
/// Whether the function takes fewer instructions with the warps last.
bool shouldHoldRows(tileaa::FuncOp function, unsigned numWarps, unsigned maxVectorBits);

/// Rewrites one operation; the insertion point is before it.
using Rewrite = mlir::LogicalResult (*)(Rewriter &, mlir::Operation *);

using RewriteTable = OpDispatch<Rewrite>;

void populateMemoryRewrites(RewriteTable &rewrites);
void populateShapeRewrites(RewriteTable &rewrites);
void populateComputeRewrites(RewriteTable &rewrites);

/// The rewrites of all families.
const RewriteTable &rewriteTable();

} // namespace tilesmith::tileaa_to_tileas

#endif // COMPILER_CONVERSION_TILEAATOTILEAS_REWRITER_H
