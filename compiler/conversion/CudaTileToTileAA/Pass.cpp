//===- Pass.cpp - convert-cudatile-to-tileaa --------------------------------------------------===//
//
// Steps
//  1. Check the capability.
//  2. In every cuda_tile.module found by a recursive walk: source locations lose their debug scopes,
//     absent token operands become one token per entry, early exits become structured.
//  3. Register parts A, B, C, the eight singletons and the PDL patterns of a file, if one is given;
//     convert partially with cuda_tile illegal.
//  4. Fold pending casts, prove that no cuda_tile op is left.
// After it: only arith, nv_tileaa, func, gpu, scf, math (and ub.poison of nv_tileaa types).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/support/Plants.h"

#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilesmith {
#define GEN_PASS_DEF_CONVERTCUDATILETOTILEAAPASS
#include "compiler/conversion/Passes.h.inc"

namespace cudatile_to_tileaa {

//===------------------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------------------===//

static tileaa::PaddingValueAttr convertPadding(cuda_tile::PaddingValueAttr padding) {
  if (!padding)
    return {};
  return tileaa::PaddingValueAttr::get(
      padding.getContext(),
      static_cast<tileaa::PaddingValue>(static_cast<uint32_t>(padding.getValue())));
}

static tileaa::MemRefType convertTensorView(cuda_tile::TensorViewType type) {
  return tileaa::MemRefType::get(type.getContext(), type.getShape(), type.getElementType(),
                                 type.getStrides(),
                                 /*addressSpace=*/1, /*aliasScope=*/0);
}

CudaTileTypeConverter::CudaTileTypeConverter() {
  addConversion([](Type type) -> std::optional<Type> {
    if (cuda_tile::isCudaTileType(type))
      return Type();
    return type;
  });
  auto widen = [](auto list) { return SmallVector<int64_t>(list.begin(), list.end()); };
  addConversion([](cuda_tile::PointerType type) -> Type {
    return tileaa::PtrType::get(type.getContext(), type.getPointeeType(), 1);
  });
  addConversion([this](cuda_tile::TileType type) -> std::optional<Type> {
    Type element = convertType(type.getElementType());
    if (!element)
      return Type();
    return type.getShape().empty() ? element
                                   : Type(RankedTensorType::get(type.getShape(), element));
  });
  addConversion([](cuda_tile::TokenType type) -> Type {
    return tileaa::MemTokenType::get(type.getContext());
  });
  addConversion([](cuda_tile::TensorViewType type) -> Type { return convertTensorView(type); });
  addConversion([widen](cuda_tile::PartitionViewType type) -> Type {
    return tileaa::TiledViewType::get(type.getContext(), widen(type.getTileShape().asArrayRef()),
                                      convertTensorView(type.getTensorView()),
                                      widen(type.getDimMap()),
                                      convertPadding(type.getPaddingValue()), {}, std::nullopt);
  });
  addConversion([widen](cuda_tile::StridedViewType type) -> Type {
    return tileaa::TiledViewType::get(type.getContext(), widen(type.getTileShape().asArrayRef()),
                                      convertTensorView(type.getTensorView()),
                                      widen(type.getDimMap()),
                                      convertPadding(type.getPaddingValue()),
                                      widen(type.getTraversalStrides().asArrayRef()), std::nullopt);
  });
  addConversion([widen](cuda_tile::GatherScatterViewType type) -> Type {
    SmallVector<int64_t> dims;
    for (int64_t i = 0; i < type.getTileShape().size(); ++i)
      dims.push_back(i);
    return tileaa::TiledViewType::get(type.getContext(), widen(type.getTileShape().asArrayRef()),
                                      convertTensorView(type.getTensorView()), dims,
                                      TILESMITH_PLANT("gather-view-padding-lost")
                                          ? tileaa::PaddingValueAttr()
                                          : convertPadding(type.getPaddingValue()),
                                      {}, int64_t(type.getSparseDim()));
  });

  // Values are bridged by casts while conversion is under way; none is left afterwards. Tiles and
  // tokens are asked for in both directions, pointers and views by what uses them only.
  auto cast = [](OpBuilder &builder, auto type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, Type(type), inputs).getResult(0);
  };
  addSourceMaterialization([cast](OpBuilder &builder, cuda_tile::TileType type, ValueRange inputs,
                                  Location loc) { return cast(builder, type, inputs, loc); });
  addSourceMaterialization([cast](OpBuilder &builder, cuda_tile::TokenType type, ValueRange inputs,
                                  Location loc) { return cast(builder, type, inputs, loc); });
  // Of tiles, pointers and tokens, and of nothing else: a value that no pair knows is an error.
  addTargetMaterialization([cast](OpBuilder &builder, Type type, ValueRange inputs,
                                  Location loc) -> Value {
    return isa<RankedTensorType, IntegerType, FloatType>(type) ? cast(builder, type, inputs, loc)
                                                               : Value();
  });
  addTargetMaterialization([cast](OpBuilder &builder, tileaa::PtrType type, ValueRange inputs,
                                  Location loc) { return cast(builder, type, inputs, loc); });
  addTargetMaterialization([cast](OpBuilder &builder, tileaa::MemTokenType type, ValueRange inputs,
                                  Location loc) { return cast(builder, type, inputs, loc); });
  addTargetMaterialization([cast](OpBuilder &builder, Type type, ValueRange inputs,
                                  Location loc) -> Value {
    return isa<tileaa::MemRefType, tileaa::TiledViewType>(type) ? cast(builder, type, inputs, loc)
                                                                : Value();
  });
}

//===------------------------------------------------------------------------------------------===//
// Populators
//===------------------------------------------------------------------------------------------===//

void populatePartA(Types types, PatternSet patterns, const Settings &) {
  populateArithmetic(types, patterns);
  populateComparison(types, patterns);
  populateConversion(types, patterns);
  populateControlFlow(types, patterns);
  populateMisc(types, patterns);
}

void populatePartB(Types types, PatternSet patterns, const Settings &settings) {
  populateShape(types, patterns);
  populateMemory(types, patterns, settings);
  populateView(types, patterns, settings);
  populateStructure(types, patterns, settings);
}

void populatePartC(Types types, PatternSet patterns, const Settings &) {
  populateMma(types, patterns);
  populateReduceScan(types, patterns);
}

void populateAllPatterns(Types types, PatternSet patterns, const Settings &settings) {
  populatePartA(types, patterns, settings);
  populatePartB(types, patterns, settings);
  populatePartC(types, patterns, settings);
  addTruncIPattern(types, patterns);
  addRsqrtPattern(types, patterns);
  addMaxIPattern(types, patterns);
  addIToFPattern(types, patterns);
  addGlobalPattern(types, patterns);
  addFmaPattern(types, patterns);
  addConstantPattern(types, patterns);
  addAssumePattern(types, patterns);
}

namespace {

//===------------------------------------------------------------------------------------------===//
// Legality
//===------------------------------------------------------------------------------------------===//

/// Only tensors are looked into: tiles of cuda_tile have int or float elements, too.
bool isLegalTileAAType(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  return element.isIntOrIndexOrFloat() || llvm::isa<tileaa::TileAADialect>(element.getDialect());
}

/// ub.poison stands for values that an early exit leaves undefined.
struct RetypePoison : public OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return failure();
    rewriter.replaceOpWithNewOp<ub::PoisonOp>(op, type, op.getValue());
    return success();
  }
};

void buildTarget(ConversionTarget &target) {
  target.addLegalDialect<arith::ArithDialect, tileaa::TileAADialect, func::FuncDialect,
                         gpu::GPUDialect, scf::SCFDialect, math::MathDialect>();
  target.addLegalOp<mlir::ModuleOp, UnrealizedConversionCastOp>();
  target.addIllegalDialect<cuda_tile::CudaTileDialect>();
  target.addDynamicallyLegalOp<ub::PoisonOp>(
      [](ub::PoisonOp op) { return isLegalTileAAType(op.getType()); });
}

/// Locations with cuda_tile debug scopes become plain file locations.
void dropDebugScopes(Operation *root) {
  auto plain = [](Location loc) -> Location {
    if (auto scoped = llvm::dyn_cast<cuda_tile::DILocAttr>(static_cast<LocationAttr>(loc)))
      return scoped.getSourceLoc();
    return loc;
  };
  root->walk([&](Operation *op) {
    op->setLoc(plain(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(plain(argument.getLoc()));
  });
}

//===------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------===//

struct ConvertCudaTileToTileAA
    : tilesmith::impl::ConvertCudaTileToTileAAPassBase<ConvertCudaTileToTileAA> {
  using ConvertCudaTileToTileAAPassBase::ConvertCudaTileToTileAAPassBase;

  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    std::optional<unsigned> capability = parseComputeCapability(computeCapability);
    if (!capability) {
      module.emitError("invalid or missing --compute-capability option");
      return signalPassFailure();
    }
    if (failed(prepare(module)) || failed(convert(module, {*capability})) || failed(finish(module)))
      return signalPassFailure();
    module->setAttr(tileaa::TileAADialect::kComputeCapability,
                    IntegerAttr::get(IntegerType::get(&getContext(), 32), *capability));
  }

private:
  // MLIR has no fnv8E5M3FNU, so tiles of it have no lowered type; pointers to it do.
  static LogicalResult checkTypes(mlir::ModuleOp module) {
    WalkResult result = module.walk([](Operation *op) {
      for (Type type : op->getResultTypes()) {
        auto tile = dyn_cast<cuda_tile::TileType>(type);
        if (tile && isa<cuda_tile::FloatNV8E5M3FNUType>(tile.getElementType())) {
          op->emitError("tiles of fnv8E5M3FNU cannot be compiled yet");
          return WalkResult::interrupt();
        }
      }
      if (Attribute flags = op->getDiscardableAttr(tileaa::kFastMathAttr);
          flags && !tileaa::parseFastMath(flags)) {
        op->emitError("expected fast-math flags such as \"contract\" or "
                      "#arith.fastmath<contract> for 'fastmath', found ")
            << flags;
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult prepare(mlir::ModuleOp module) {
    if (failed(checkTypes(module)))
      return failure();
    SmallVector<cuda_tile::ModuleOp, 1> nested;
    module.walk([&](cuda_tile::ModuleOp op) { nested.push_back(op); });
    for (cuda_tile::ModuleOp tileModule : nested) {
      dropDebugScopes(tileModule);
      tileModule.walk([&](cuda_tile::EntryOp entry) {
        makeTokensExplicit(entry);
        structureEarlyExits(entry);
      });
    }
    return success();
  }

  LogicalResult convert(mlir::ModuleOp module, Settings settings) {
    CudaTileTypeConverter types;
    ConversionTarget target(getContext());
    buildTarget(target);
    RewritePatternSet patterns(&getContext());
    populateAllPatterns(types, patterns, settings);
    patterns.add<RetypePoison>(types, &getContext());
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
    if (!pdlPatterns.empty() && failed(addPDLPatterns(module, pdlPatterns, types, patterns)))
      return failure();
    FrozenRewritePatternSet frozen(std::move(patterns));
    if (failed(applyPartialConversion(module, target, frozen)))
      return module.emitError("failed to convert cuda_tile to nv_tileaa");
    return success();
  }

  /// Casts that cancel out go away; then no op and no type of cuda_tile may be left.
  LogicalResult finish(mlir::ModuleOp module) {
    SmallVector<UnrealizedConversionCastOp> casts;
    module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
    reconcileUnrealizedCasts(casts);
    auto isTileType = [](Type type) {
      return llvm::isa<cuda_tile::CudaTileDialect>(type.getDialect());
    };
    WalkResult result = module.walk([&](Operation *op) {
      if (!llvm::isa_and_nonnull<cuda_tile::CudaTileDialect>(op->getDialect()) &&
          llvm::none_of(op->getResultTypes(), isTileType))
        return WalkResult::advance();
      op->emitError("failed to convert cuda_tile to nv_tileaa");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
} // namespace cudatile_to_tileaa

std::optional<unsigned> parseComputeCapability(StringRef text) {
  text.consume_front("sm_");
  if (!text.consume_back("a"))
    text.consume_back("f");
  unsigned value = 0;
  if (text.empty() || text.getAsInteger(10, value) || value < 10 || value > 999)
    return std::nullopt;
  return value;
}

} // namespace tilesmith
