//===- Canonicalize.cpp - tileaa-canonicalize -------------------------------------------------===//
//
// One greedy loop over all canonicalizers: shape folds expose memory folds. Every one of them keeps
// results, result types and the order that tokens carry; the table says under which condition and
// why.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/support/CountedRewrites.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilesmith::tileaa {
#define GEN_PASS_DEF_CANONICALIZEPASS
#include "compiler/dialect/TileAA/Transforms/Passes.h.inc"

ArrayRef<CanonicalizerInfo> canonicalizerTable() {
  static constexpr CanonicalizerInfo table[] = {
      {"fold-constant-dot", "dot",
       "all operands constant; or integers with a zero multiplicand; floats with a zero "
       "multiplicand, a finite "
       "constant other one and a constant accumulator without -0; no block scales; up "
       "to 65,536 products",
       "exhaustive 8-bit evaluation (CanonicalizeTest)"},
      {"fuse-addptr-chain", "addptr",
       "one pointer type; offsets are sign-extended to i64 before they are added",
       "exhaustive 8-bit evaluation (CanonicalizeTest)"},
      {"uniform-offset-to-base", "addptr, splat",
       "one pointer type; the outer offset is a splat or a scalar, the base a splat",
       "differential execution"},
      {"push-assume-through-splat", "assume, splat", "every predicate speaks of single elements",
       "differential execution"},
      {"push-select-through-splat", "splat, arith.select", "scalar condition",
       "differential execution"},
      {"fold-identity-operand", "arith addi, subi, muli, divsi, divui, ori, xori and shifts",
       "integers; one operand is a splat of 0 (muli, divsi, divui: of 1), the right one unless the "
       "op commutes",
       "differential execution"},
      {"masked-load", "load, gather_load",
       "constant mask; a false one only for weak or relaxed, not volatile loads, of no padded view",
       "differential execution"},
      {"masked-store", "store, scatter_store",
       "constant mask; a false one only for weak or relaxed, not volatile stores",
       "differential execution"},
      {"fold-expand-dims-of-splat", "expand_dims, splat", "none", "differential execution"},
      {"fold-view-chain", "view, splat", "equal element count (verifier)",
       "differential execution"},
      {"fold-broadcast-of-splat", "broadcast, splat", "none", "differential execution"},
      {"hoist-extract", "extract, elementwise ops, expand_dims, splat",
       "the producer is elementwise, pure and speculatable, and has no other user",
       "differential execution"},
      {"prune-queue-get-results", "queue.get, queue.yield",
       "dead results of a get with a region; the get stays",
       "structure: survivors keep their order"},
      {"prune-pragma-results", "pragma, yield", "dead results",
       "structure: survivors keep their order"},
      {"prune-reduced-tiles", "reduce",
       "tiles whose results nobody reads, and no result that is read depends on; a body that only "
       "computes",
       "differential execution"},
      {"prune-scanned-tiles", "scan",
       "tiles whose results nobody reads, and no result that is read depends on; a body that only "
       "computes",
       "differential execution"},
      {"count-carried-sum", "scf.for, addptr, arith.addi",
       "the step is the same for all elements and from outside of the loop, the loop's own step a "
       "constant power of two, the loop's result not read",
       "differential execution"},
      {"fold-atomic-cas", "atomic_cas", "bitwise equal constants; relaxed or acquire only",
       "differential execution"},
      {"fold-atomic-rmw", "atomic_rmw",
       "true identity of mode and type (addf: -0.0; min and max: extremes; xchg: none); relaxed or "
       "acquire only",
       "exhaustive 8-bit evaluation (CanonicalizeTest)"},
  };
  return table;
}

//===------------------------------------------------------------------------------------------===//
// Constants
//===------------------------------------------------------------------------------------------===//

Attribute getConstant(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return constant.getValue();
  auto splat = value.getDefiningOp<SplatOp>();
  auto scalar = splat ? splat.getSource().getDefiningOp<arith::ConstantOp>() : arith::ConstantOp();
  if (!scalar)
    return {};
  return DenseElementsAttr::get(llvm::cast<RankedTensorType>(splat.getType()),
                                Attribute(scalar.getValue()));
}

std::optional<bool> getConstantMask(Value mask) {
  Attribute constant = mask ? getConstant(mask) : Attribute();
  if (auto scalar = llvm::dyn_cast_or_null<IntegerAttr>(constant))
    return !scalar.getValue().isZero();
  auto dense = llvm::dyn_cast_or_null<DenseElementsAttr>(constant);
  if (!dense || dense.empty())
    return std::nullopt;
  bool first = *dense.value_begin<bool>();
  for (bool value : dense.getValues<bool>())
    if (value != first && !TILESMITH_PLANT("constant-mask-of-first"))
      return std::nullopt;
  return first;
}

//===------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------===//

static void populate(RewritePatternSet &patterns, KeepFn keep) {
  addDotCanonicalizers(patterns, keep);
  addPointerCanonicalizers(patterns, keep);
  addShapeCanonicalizers(patterns, keep);
  addMemoryCanonicalizers(patterns, keep);
  addRegionCanonicalizers(patterns, keep);
  addLoopCanonicalizers(patterns, keep);
  addAtomicCanonicalizers(patterns, keep);
}

void populateCanonicalizers(RewritePatternSet &patterns) {
  populate(patterns, [](StringRef) { return true; });
}

void TileAADialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  populateCanonicalizers(patterns);
}

namespace {

/// Counts successful patterns by their label.
struct FiringCounter : public CountedRewrites {
  explicit FiringCounter(llvm::StringMap<unsigned> &firings)
      : CountedRewrites("tileaa-canonicalize"), firings(firings) {}
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    CountedRewrites::notifyPatternEnd(pattern, status);
    if (succeeded(status))
      for (StringRef label : pattern.getDebugLabels())
        ++firings[label];
  }
  llvm::StringMap<unsigned> &firings;
};

} // namespace

LogicalResult canonicalize(Operation *root, StringRef only, llvm::StringMap<unsigned> *firings) {
  RewritePatternSet patterns(root->getContext());
  populate(patterns, [&](StringRef name) { return only.empty() || only == name; });
  llvm::StringMap<unsigned> unused;
  FiringCounter counter(firings ? *firings : unused);
  counter.add(patterns);
  GreedyRewriteConfig config;
  config.setListener(&counter);
  // Every pattern removes an op or moves it up, so this ends; a long chain may take many sweeps.
  config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
  return applyPatternsGreedily(root, std::move(patterns), config);
}

namespace {

struct Canonicalize : impl::CanonicalizePassBase<Canonicalize> {
  using CanonicalizePassBase::CanonicalizePassBase;

  void runOnOperation() override {
    if (failed(canonicalize(getOperation(), only)))
      signalPassFailure();
  }
};

} // namespace
} // namespace tilesmith::tileaa
