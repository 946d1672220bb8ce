//===- TileASAnnotations.cpp - what passes note on operations, and where it may stand ---------===//
//
// TileASDialect.td names the discardable attributes; here is, for each, on which operations it may
// stand and with which values. Anything else that begins with `nv_tileas.` is refused.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

//===- access -------------------------------------------------------------------------------------===//

TileASDialect &tileas::annotations(Operation *op) {
  auto *dialect = op->getContext()->getLoadedDialect<TileASDialect>();
  assert(dialect && "a pass that reads or writes annotations depends on nv_tileas");
  return *dialect;
}

int64_t tileas::getVectorElements(Operation *access) {
  IntegerAttr elements = annotations(access).getVectorAttrHelper().getAttr(access);
  return elements ? elements.getInt() : 1;
}

Operation *tileas::packedArithmetic(Operation *op) {
  auto isPlain = [](Operation *one) {
    auto mode = one->getAttrOfType<tileaa::RoundingModeAttr>("rounding_mode");
    return (!mode || mode.getValue() == tileaa::RoundingMode::nearest_even ||
            TILESMITH_PLANT("packed-in-any-rounding")) &&
           (!one->hasAttr("flush_to_zero") || TILESMITH_PLANT("packed-keeps-subnormals"));
  };
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    Block &body = reduce.getBody().front();
    if (reduce.getOperands().size() != 1 || !llvm::hasSingleElement(body.without_terminator()))
      return nullptr;
    Operation &one = body.front();
    bool ofBoth = isa<tileaa::AddFOp, tileaa::MulFOp>(one) &&
                  one.getOperand(0) != one.getOperand(1) &&
                  llvm::all_of(one.getOperands(), llvm::IsaPred<BlockArgument>);
    return ofBoth && one.getResult(0).getType().isF32() && isPlain(&one) &&
                   body.getTerminator()->getOperand(0) == one.getResult(0)
               ? &one
               : nullptr;
  }
  if (isa<tileaa::DivFOp>(op) && getDivisorBits(op) & 1)
    return op;
  if (auto convert = dyn_cast<tileaa::FpToFpOp>(op)) {
    Type from = getElementTypeOrSelf(convert.getOperand()),
         to = getElementTypeOrSelf(convert.getResult());
    auto isF8 = llvm::IsaPred<Float8E4M3FNType, Float8E5M2Type>;
    const bool narrows = from.isF32() && isF8(to) && isPlain(op),
               widens = isF8(from) && isa<Float16Type, BFloat16Type, Float32Type>(to);
    return isa<RankedTensorType>(convert.getResult().getType()) && (narrows || widens) ? op
                                                                                       : nullptr;
  }
  if (!isa<tileaa::AddFOp, tileaa::SubFOp, tileaa::MulFOp, tileaa::FmaOp>(op))
    return nullptr;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.getElementType().isF32() && isPlain(op) ? op : nullptr;
}

Operation *tileas::laneReduction(Operation *op) {
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce || reduce.getOperands().size() != 1)
    return nullptr;
  Block &body = reduce.getBody().front();
  if (!llvm::hasSingleElement(body.without_terminator()))
    return nullptr;
  Operation &one = body.front();
  if (one.getNumOperands() != 2 || one.getOperand(0) == one.getOperand(1) ||
      !llvm::all_of(one.getOperands(), llvm::IsaPred<BlockArgument>) ||
      body.getTerminator()->getOperand(0) != one.getResult(0))
    return nullptr;
  Type type = one.getResult(0).getType();
  bool fits = false;
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(one))
    fits = type.isInteger(1) || type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
           type.isInteger(64);
  else if (isa<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(one))
    fits = type.isInteger(8) || type.isInteger(16) || type.isInteger(32);
  else if (isa<arith::MinNumFOp, arith::MaxNumFOp, arith::MinimumFOp, arith::MaximumFOp>(one))
    fits = type.isF32();
  return fits ? &one : nullptr;
}

bool tileas::canShareDivisor(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return false;
  if (auto division = dyn_cast<tileaa::DivFOp>(op))
    return type.getElementType().isF32() &&
           division.getRoundingMode() == tileaa::RoundingMode::nearest_even;
  return isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp>(op) &&
         type.getElementTypeBitWidth() >= 8;
}

int64_t tileas::getDivisorBits(Operation *op) {
  IntegerAttr bits = annotations(op).getDivisorBitsAttrHelper().getAttr(op);
  return bits ? bits.getInt() : 0;
}

bool tileas::isPacked(Operation *op) {
  return annotations(op).getPackedAttrHelper().isAttrPresent(op);
}

bool tileas::allowsTma(Operation *load) {
  HintsAttr hints = annotations(load).getHintsAttrHelper().getAttr(load);
  return !hints || hints.getAllowTma();
}

SharedLayoutAttr tileas::getStaging(Operation *store) {
  return annotations(store).getStagingAttrHelper().getAttr(store);
}

bool tileas::isScheduledCopy(Operation *load) {
  ScheduleAttr schedule = annotations(load).getScheduleAttrHelper().getAttr(load);
  return schedule && schedule.isCopy();
}

bool tileas::isDivided(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && tile.getNumElements() > 1;
}

int64_t tileas::warpsOf(tileaa::FuncOp function) {
  IntegerAttr threads = annotations(function).getThreadsAttrHelper().getAttr(function);
  return threads ? threads.getInt() / 32 : 0;
}

int64_t tileas::clusterBlocks(Operation *function) {
  auto spec = function->getAttrOfType<tileaa::KernelSpecAttr>(tileaa::TileAADialect::kKernelSpec);
  return spec && spec.getClusterDimX() > 1 ? spec.getClusterDimX() : 1;
}

//===- values -------------------------------------------------------------------------------------===//

LogicalResult HintsAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t latency,
                                bool) {
  if (latency < 0 || latency > 10)
    return emitError() << "expected a latency of 1 to 10, or 0, got " << latency;
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stage,
                                   int64_t order, int64_t copyVector) {
  if (stage < 0 || stage > 7)
    return emitError() << "expected a stage of 0 to 7, got " << stage;
  if ((order < 0) != (copyVector == 0))
    return emitError() << "expected order and copy_vector together, got " << order << " and "
                       << copyVector;
  if (copyVector < 0 || (copyVector && !llvm::isPowerOf2_64(copyVector)))
    return emitError() << "expected a power of two for copy_vector, got " << copyVector;
  return success();
}

//===- places -------------------------------------------------------------------------------------===//

namespace {

bool isIntegerBetween(Attribute value, int64_t low, int64_t high) {
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer && integer.getType().isSignlessInteger() && integer.getInt() >= low &&
         integer.getInt() <= high;
}

bool isOfTileAS(Operation *op) {
  return isa<TileASDialect>(op->getDialect());
}

struct Annotation {
  StringLiteral name, expected;
  bool (*holds)(Operation *op, Attribute value);
};

constexpr Annotation kAnnotations[] = {
    {TileASDialect::HintsAttrHelper::getNameStr(), "#nv_tileas.hints on an access of nv_tileas",
     [](Operation *op, Attribute value) { return isOfTileAS(op) && isa<HintsAttr>(value); }},
    {TileASDialect::VectorAttrHelper::getNameStr(),
     "a power of two above 1 on an access of nv_tileas",
     [](Operation *op, Attribute value) {
       return isOfTileAS(op) && isIntegerBetween(value, 2, 128) &&
              llvm::isPowerOf2_64(cast<IntegerAttr>(value).getInt());
     }},
    {TileASDialect::StagingAttrHelper::getNameStr(),
     "#nv_tileas.shared of a box, with the shape of the tile, on a weak 'nv_tileas.tiled_store'",
     [](Operation *op, Attribute value) {
       auto store = dyn_cast<TiledStoreOp>(op);
       auto layout = dyn_cast<SharedLayoutAttr>(value);
       if (!store || !layout || store.getMemSemantic() != tileaa::MemSemantic::weak)
         return false;
       auto type = cast<RankedTensorType>(store.getValue().getType());
       return layout.getShape() == type.getShape() && type.getElementType().isIntOrFloat() &&
              recogniseTensorBox(layout, bufferElementBytes(type.getElementType()));
     }},
    {TileASDialect::AwaitedAttrHelper::getNameStr(),
     "unit on a 'nv_tileas.tiled_store' by tensor copies",
     [](Operation *op, Attribute value) { return isa<UnitAttr>(value) && getStaging(op); }},
    {TileASDialect::NumStagesAttrHelper::getNameStr(), "1 to 8 on an 'scf.for'",
     [](Operation *op, Attribute value) {
       return isa<scf::ForOp>(op) && isIntegerBetween(value, 1, 8);
     }},
    {TileASDialect::LateReleaseAttrHelper::getNameStr(), "unit on an 'scf.for'",
     [](Operation *op, Attribute value) { return isa<scf::ForOp>(op) && isa<UnitAttr>(value); }},
    {TileASDialect::BlockScaledAttrHelper::getNameStr(), "unit on a 'nv_tileas.dot'",
     [](Operation *op, Attribute value) { return isa<DotOp>(op) && isa<UnitAttr>(value); }},
    {TileASDialect::SharedLeftAttrHelper::getNameStr(), "unit on a 'nv_tileas.dot'",
     [](Operation *op, Attribute value) { return isa<DotOp>(op) && isa<UnitAttr>(value); }},
    {TileASDialect::InFlightAttrHelper::getNameStr(), "unit on a 'nv_tileas.dot'",
     [](Operation *op, Attribute value) { return isa<DotOp>(op) && isa<UnitAttr>(value); }},
    {TileASDialect::ScheduleAttrHelper::getNameStr(),
     "#nv_tileas.schedule on an operation of nv_tileas, with copy_vector on loads only",
     [](Operation *op, Attribute value) {
       auto schedule = dyn_cast<ScheduleAttr>(value);
       return schedule && isOfTileAS(op) &&
              schedule.isCopy() == isa<LoadOp, TiledLoadOp, GatherLoadOp>(op);
     }},
    {TileASDialect::NotPipelinedAttrHelper::getNameStr(), "a string on a load of nv_tileas",
     [](Operation *op, Attribute value) {
       return isa<LoadOp, TiledLoadOp, GatherLoadOp>(op) && isa<StringAttr>(value);
     }},
    {TileASDialect::StrategyAttrHelper::getNameStr(), "#nv_tileas.strategy on a function",
     [](Operation *op, Attribute value) {
       return isa<tileaa::FuncOp>(op) && isa<StrategyAttr>(value);
     }},
    {TileASDialect::MaxRegsAttrHelper::getNameStr(), "24 to 255 on a function",
     [](Operation *op, Attribute value) {
       return isa<tileaa::FuncOp>(op) && isIntegerBetween(value, 24, 255);
     }},
    {TileASDialect::ThreadsAttrHelper::getNameStr(), "warps of 32 up to 1024 on a function",
     [](Operation *op, Attribute value) {
       return isa<tileaa::FuncOp>(op) && isIntegerBetween(value, 32, 1024) &&
              cast<IntegerAttr>(value).getInt() % 32 == 0;
     }},
    {TileASDialect::PackedAttrHelper::getNameStr(),
     "unit on sums and products of f32 rounded to nearest, element by element or of a reduction, "
     "and "
     "on roundings of f32 to f8",
     [](Operation *op, Attribute value) { return isa<UnitAttr>(value) && packedArithmetic(op); }},
    {TileASDialect::DivisorBitsAttrHelper::getNameStr(),
     "a mask of register bits on a division of f32 to nearest or of integers",
     [](Operation *op, Attribute value) {
       LayoutAttr layout =
           canShareDivisor(op) ? getLayout(op->getResult(0).getType()) : LayoutAttr();
       return layout && isIntegerBetween(value, 1, layout.getNumRegisters() - 1);
     }},
    {TileASDialect::ReduxAttrHelper::getNameStr(),
     "unit on a reduction of integers, or of f32 to an extreme",
     [](Operation *op, Attribute value) { return isa<UnitAttr>(value) && laneReduction(op); }},
    {TileASDialect::ParallelAttrHelper::getNameStr(), "unit on a 'nv_tileas.scan'",
     [](Operation *op, Attribute value) { return isa<ScanOp>(op) && isa<UnitAttr>(value); }},
    {TileASDialect::ClusterAttrHelper::getNameStr(), "unit on a 'gpu.barrier'",
     [](Operation *op, Attribute value) {
       return isa<gpu::BarrierOp>(op) && isa<UnitAttr>(value);
     }},
    {TileASDialect::ExchangeAttrHelper::getNameStr(),
     "#nv_tileas.exchange on a 'nv_tileas.convert_layout'",
     [](Operation *op, Attribute value) {
       return isa<ConvertLayoutOp>(op) && isa<ExchangeAttr>(value);
     }},
};

} // namespace

LogicalResult TileASDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  const auto *known = llvm::find_if(
      kAnnotations, [&](const Annotation &one) { return one.name == attribute.getName(); });
  if (known == std::end(kAnnotations))
    return op->emitOpError("has '")
           << attribute.getName().getValue() << "', which nv_tileas does not know";
  if (known->holds(op, attribute.getValue()))
    return success();
  return op->emitOpError("expected for '")
         << known->name << "' " << known->expected << ", got " << attribute.getValue();
}
