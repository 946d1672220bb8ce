//===- CanonicalizeMemory.cpp - constant masks, atomics that change nothing -------------------===//
//
// Token users always see a valid edge: of an access that goes away they see the token it waited
// for.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tilesmith::tileaa {
namespace {

/// The token a removed access waited for; a fresh one when it waited for none.
Value inputToken(PatternRewriter &rewriter, Location loc, Value token) {
  if (token)
    return token;
  return CreateMemTokenOp::create(rewriter, loc, MemTokenType::get(rewriter.getContext()),
                                  ValueRange());
}

bool isRemovable(MemSemantic semantic) {
  return semantic == MemSemantic::weak || semantic == MemSemantic::relaxed;
}

/// Nothing is accessed under a mask of false alone, unless the access has another effect.
template <typename OpTy> bool mayGoAway(OpTy op) {
  bool isVolatile = false;
  if constexpr (requires { op.getIsVolatile(); })
    isVolatile = op.getIsVolatile();
  return !isVolatile && isRemovable(op.getMemSemantic());
}

/// Elements outside of the tensor take the padding of the view, masked off or not.
bool hasPadding(GatherLoadOp op) {
  auto view = dyn_cast<TiledViewType>(op.getView().getType());
  return view && view.getPadding();
}
bool hasPadding(LoadOp) {
  return false;
}

/// load and gather_load
template <typename OpTy> struct MaskedRead : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    std::optional<bool> mask = getConstantMask(op.getMask());
    if (!mask)
      return failure();
    if (*mask || TILESMITH_PLANT("fold-load-mask-false-as-true")) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getMaskMutable().clear();
        op.getOtherMutable().clear();
      });
      return success();
    }
    Value fallback = op.getOther();
    if (!mayGoAway(op) || hasPadding(op) ||
        (fallback && fallback.getType() != op.getResult().getType()))
      return failure();
    if (!fallback)
      fallback = ub::PoisonOp::create(rewriter, op.getLoc(), op.getResult().getType());
    SmallVector<Value> results{fallback};
    if (op.getResultToken())
      results.push_back(
          inputToken(rewriter, op.getLoc(),
                     TILESMITH_PLANT("fold-masked-load-drops-token") ? Value() : op.getToken()));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// store and scatter_store
template <typename OpTy> struct MaskedWrite : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    std::optional<bool> mask = getConstantMask(op.getMask());
    if (!mask)
      return failure();
    if (*mask || TILESMITH_PLANT("fold-mask-false-as-true")) {
      rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
      return success();
    }
    if (!mayGoAway(op))
      return failure();
    if (op.getResultToken())
      rewriter.replaceOp(op, inputToken(rewriter, op.getLoc(), op.getToken()));
    else
      rewriter.eraseOp(op);
    return success();
  }
};

//===------------------------------------------------------------------------------------------===//
// Atomics
//===------------------------------------------------------------------------------------------===//

/// A load has no release side, so only relaxed and acquire atomics become loads.
bool canBeLoad(MemSemantic semantic) {
  return semantic == MemSemantic::relaxed || semantic == MemSemantic::acquire;
}

template <typename OpTy> void replaceByLoad(OpTy op, Value other, PatternRewriter &rewriter) {
  SmallVector<Type> types(op->getResultTypes());
  auto load = LoadOp::create(rewriter, op.getLoc(), types[0], types.size() > 1 ? types[1] : Type(),
                             op.getBase(), ValueRange(), op.getMask(),
                             op.getMask() ? other : Value(), op.getToken(), op.getMemSemanticAttr(),
                             op.getMemScopeAttr(), CacheModifierAttr(), EvictionPolicyAttr(),
                             DenseBoolArrayAttr(), UnitAttr(), IntegerAttr());
  rewriter.replaceOp(op, load->getResults());
}

struct FoldAtomicCAS : public OpRewritePattern<AtomicCASOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtomicCASOp op, PatternRewriter &rewriter) const override {
    // Attributes hold bits, so equality is bitwise: +0 and -0 differ, equal NaN bits are equal.
    Attribute compare = getConstant(op.getCompare()),
              replacement = getConstant(op.getReplacement());
    auto isZero = [](Attribute value) {
      if (auto tile = llvm::dyn_cast_or_null<DenseElementsAttr>(value);
          tile && tile.isSplat() && llvm::isa<FloatType>(tile.getElementType()))
        return tile.getSplatValue<APFloat>().isZero();
      auto scalar = llvm::dyn_cast_or_null<FloatAttr>(value);
      return scalar && scalar.getValue().isZero();
    };
    bool equal = compare == replacement || (isZero(compare) && isZero(replacement) &&
                                            TILESMITH_PLANT("fold-atomic-cas-of-zeros"));
    if (!compare || !equal || !canBeLoad(op.getMemSemantic()))
      return failure();
    replaceByLoad(op, op.getCompare(), rewriter);
    return success();
  }
};

/// x op value == x for every x.
bool isIdentity(RMWMode mode, const APInt &value) {
  switch (mode) {
  case RMWMode::add:
  case RMWMode::or_:
  case RMWMode::umax:
    return value.isZero();
  case RMWMode::xor_:
    return TILESMITH_PLANT("fold-atomic-xor-of-ones") ? value.isAllOnes() : value.isZero();
  case RMWMode::umin:
    if (TILESMITH_PLANT("fold-atomic-umin-of-signed-largest") && value.isMaxSignedValue())
      return true;
    [[fallthrough]];
  case RMWMode::and_:
    return value.isAllOnes();
  case RMWMode::min:
    return value.isMaxSignedValue();
  case RMWMode::max:
    return TILESMITH_PLANT("fold-atomic-min-identity") ? value.isZero() : value.isMinSignedValue();
  case RMWMode::xchg:
  case RMWMode::addf:
    return false;
  }
  llvm_unreachable("unknown atomic mode");
}

/// -0.0 is the identity of addition: +0 + -0 is +0 and -0 + -0 is -0. +0.0 is none.
bool isIdentity(RMWMode mode, const APFloat &value) {
  return mode == RMWMode::addf &&
         (value.isNegZero() ||
          (value.isZero() && TILESMITH_PLANT("fold-atomic-addf-positive-zero")));
}

bool isIdentity(RMWMode mode, Attribute constant) {
  if (auto scalar = llvm::dyn_cast<IntegerAttr>(constant))
    return isIdentity(mode, scalar.getValue());
  if (auto scalar = llvm::dyn_cast<FloatAttr>(constant))
    return isIdentity(mode, scalar.getValue());
  auto dense = llvm::dyn_cast<DenseElementsAttr>(constant);
  if (!dense)
    return false;
  if (llvm::isa<FloatType>(dense.getElementType()))
    return llvm::all_of(dense.getValues<APFloat>(),
                        [&](const APFloat &v) { return isIdentity(mode, v); });
  return llvm::all_of(dense.getValues<APInt>(),
                      [&](const APInt &v) { return isIdentity(mode, v); });
}

struct FoldAtomicRMW : public OpRewritePattern<AtomicRMWOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtomicRMWOp op, PatternRewriter &rewriter) const override {
    Attribute value = getConstant(op.getValue());
    if (!value || !isIdentity(op.getRmwMode(), value) || !canBeLoad(op.getMemSemantic()))
      return failure();
    replaceByLoad(op, Value(), rewriter);
    return success();
  }
};

} // namespace

void addMemoryCanonicalizers(RewritePatternSet &patterns, KeepFn keep) {
  addNamed<MaskedRead<LoadOp>>(patterns, "masked-load", keep);
  addNamed<MaskedRead<GatherLoadOp>>(patterns, "masked-load", keep);
  addNamed<MaskedWrite<StoreOp>>(patterns, "masked-store", keep);
  addNamed<MaskedWrite<ScatterStoreOp>>(patterns, "masked-store", keep);
}

void addAtomicCanonicalizers(RewritePatternSet &patterns, KeepFn keep) {
  addNamed<FoldAtomicCAS>(patterns, "fold-atomic-cas", keep);
  addNamed<FoldAtomicRMW>(patterns, "fold-atomic-rmw", keep);
}

} // namespace tilesmith::tileaa
