//===- Misc.cpp - module, entry, globals, grid, facts, messages -------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {
namespace {

//===------------------------------------------------------------------------------------------===//
// Grid
//===------------------------------------------------------------------------------------------===//

// [spec: launch-block-id, launch-num-blocks]
template <typename From, typename To> struct LowerGridQuery : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (int32_t axis = 0; axis < 3; ++axis)
      results.push_back(To::create(rewriter, op.getLoc(), rewriter.getI32Type(),
                                   rewriter.getI32IntegerAttr(axis)));
    rewriter.replaceOp(op, results);
    return success();
  }
};

//===------------------------------------------------------------------------------------------===//
// Facts and messages
//===------------------------------------------------------------------------------------------===//

Attribute convertPredicate(Attribute predicate) {
  MLIRContext *context = predicate.getContext();
  if (auto divBy = llvm::dyn_cast<cuda_tile::DivByAttr>(predicate))
    return TILESMITH_PLANT("assume-every-forgotten")
               ? tileaa::DivByAttr::get(context, divBy.getDivisor(), {}, {})
               : tileaa::DivByAttr::get(context, divBy.getDivisor(), divBy.getEvery(),
                                        divBy.getAlong());
  if (auto bounded = llvm::dyn_cast<cuda_tile::BoundedAttr>(predicate))
    return tileaa::BoundedAttr::get(context, bounded.getLb(), bounded.getUb());
  if (auto same = llvm::dyn_cast<cuda_tile::SameElementsAttr>(predicate))
    return tileaa::SameElementsAttr::get(context, same.getValues());
  return {};
}

// [spec: assume-value]
struct LowerAssume : public OpConversionPattern<cuda_tile::AssumeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::AssumeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value value = adaptor.getValue();
    auto predicate =
        llvm::dyn_cast_or_null<tileaa::PredicateInterface>(convertPredicate(op.getPredicate()));
    if (!predicate)
      return rewriter.notifyMatchFailure(op, "unknown predicate");
    ArrayAttr predicates = rewriter.getArrayAttr(predicate);
    // What is assumed of a tensor view is assumed of its base.
    if (auto make = value.getDefiningOp<tileaa::MakeMemRefOp>()) {
      Value base = make.getBase();
      base = tileaa::AssumeOp::create(rewriter, op.getLoc(), base.getType(), base, predicates);
      auto assumed = cast<tileaa::MakeMemRefOp>(rewriter.clone(*make));
      assumed.getBaseMutable().assign(base);
      rewriter.replaceOp(op, assumed);
      return success();
    }
    rewriter.replaceOpWithNewOp<tileaa::AssumeOp>(op, value.getType(), value, predicates);
    return success();
  }
};

// [spec: assert-traps]
struct LowerAssert : public OpConversionPattern<cuda_tile::AssertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tileaa::AssertOp>(op, adaptor.getCondition(), op.getMessageAttr());
    return success();
  }
};

// [spec: print-format, print-order]
struct LowerPrint : public OpConversionPattern<cuda_tile::PrintTkoOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::PrintTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tileaa::PrintOp>(op, tileaa::MemTokenType::get(getContext()),
                                                 adaptor.getArgs(), adaptor.getToken(),
                                                 op.getStrAttr());
    return success();
  }
};

/// The 13.1 form: no token in, none out.
// [spec: print-13-1]
struct LowerPlainPrint : public OpConversionPattern<cuda_tile::PrintOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::PrintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tileaa::PrintOp>(op, Type(), adaptor.getArgs(), Value(),
                                                 op.getStrAttr());
    return success();
  }
};

//===------------------------------------------------------------------------------------------===//
// Module, entry, global
//===------------------------------------------------------------------------------------------===//

// [spec: launch-module]
struct LowerModule : public OpConversionPattern<cuda_tile::ModuleOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ModuleOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto module = gpu::GPUModuleOp::create(rewriter, op.getLoc(), op.getSymName());
    Region &body = module.getBodyRegion();
    if (!op.getBody().empty()) {
      while (!body.empty())
        rewriter.eraseBlock(&body.front());
      rewriter.inlineRegionBefore(op.getBody(), body, body.end());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

// [spec: launch-entry, mem-hints]
struct LowerEntry : public SettingsPattern<cuda_tile::EntryOp> {
  using SettingsPattern::SettingsPattern;

  tileaa::KernelSpecAttr getKernelSpec(cuda_tile::EntryOp op) const {
    auto hints = op.getOptimizationHints();
    std::string arch = settings.archName();
    auto value = [&](std::optional<int> hint) { return static_cast<int64_t>(hint.value_or(0)); };
    int64_t warps = hints ? value(hints->getNumWorkerWarpsPerCTA(arch)) : 0;
    int64_t ctas = hints ? value(hints->getNumCTAInCGA(arch)) : 0;
    int64_t occupancy = hints ? value(hints->getOccupancy(arch)) : 0;
    return tileaa::KernelSpecAttr::get(getContext(), warps, ctas, 0, 0, 0, occupancy);
  }

  LogicalResult matchAndRewrite(cuda_tile::EntryOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(getTypeConverter()->convertSignatureArgs(op.getArgumentTypes(), signature)))
      return failure();
    // The reader gives every entry a dictionary per argument; empty ones say nothing.
    ArrayAttr argAttrs = op.getArgAttrsAttr();
    if (argAttrs &&
        llvm::all_of(argAttrs, [](Attribute a) { return llvm::cast<DictionaryAttr>(a).empty(); }))
      argAttrs = {};
    auto func = tileaa::FuncOp::create(
        rewriter, op.getLoc(), op.getSymNameAttr(),
        TypeAttr::get(rewriter.getFunctionType(signature.getConvertedTypes(), {})), StringAttr(),
        argAttrs, ArrayAttr());
    func->setAttr(tileaa::TileAADialect::kKernelSpec, getKernelSpec(op));
    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.getBody().end());
    if (failed(rewriter.convertRegionTypes(&func.getBody(), *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

// [spec: global-init]
struct LowerGlobal : public OpConversionPattern<cuda_tile::GlobalOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::GlobalOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto value = llvm::cast<DenseElementsAttr>(op.getValue());
    auto type = RankedTensorType::get(value.getType().getShape(), value.getElementType());
    bool isPrivate = op.getSymbolVisibility() == cuda_tile::SymbolVisibility::Private;
    rewriter.replaceOpWithNewOp<tileaa::GlobalOp>(
        op, op.getSymNameAttr(),
        llvm::cast<ElementsAttr>(static_cast<Attribute>(value.reshape(type))),
        op.getAlignmentAttr(), op.getConstantAttr(),
        isPrivate ? rewriter.getStringAttr("private") : StringAttr());
    return success();
  }
};

} // namespace

void populateMisc(Types types, PatternSet patterns) {
  patterns.add<LowerAssert, LowerPrint, LowerPlainPrint,
               LowerGridQuery<cuda_tile::GetTileBlockIdOp, tileaa::GetProgramIdOp>,
               LowerGridQuery<cuda_tile::GetNumTileBlocksOp, tileaa::GetNumProgramsOp>>(
      types, patterns.getContext());
}

void populateStructure(Types types, PatternSet patterns, const Settings &settings) {
  patterns.add<LowerModule>(types, patterns.getContext());
  patterns.add<LowerEntry>(types, patterns.getContext(), settings);
}

void addGlobalPattern(Types types, PatternSet patterns) {
  patterns.add<LowerGlobal>(types, patterns.getContext());
}

void addAssumePattern(Types types, PatternSet patterns) {
  patterns.add<LowerAssume>(types, patterns.getContext());
}

} // namespace tilesmith::cudatile_to_tileaa
