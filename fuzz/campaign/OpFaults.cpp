//===- OpFaults.cpp - faults of operations, and how often kernels show them -------------------===//
#include "fuzz/campaign/OpFaults.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "fuzz/campaign/CaseModules.h"
#include "generators/program/Coverage.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using cuda_tile::RoundingMode;
using cuda_tile::TileType;

namespace {

//===- what an operation is ---------------------------------------------------------------------===//

mlir::Type elementOf(mlir::Value value) {
  auto tile = llvm::dyn_cast<TileType>(value.getType());
  return tile ? tile.getElementType() : mlir::Type();
}

bool isHalf(mlir::Type type) {
  return type.isF16() || type.isBF16();
}

RoundingMode roundingOf(mlir::Operation *op) {
  return op->getAttrOfType<cuda_tile::RoundingModeAttr>("rounding_mode").getValue();
}

template <typename Op> bool isNearest(mlir::Operation *op) {
  return llvm::isa<Op>(op) && roundingOf(op) == RoundingMode::NEAREST_EVEN;
}
template <typename Op> bool isDirected(mlir::Operation *op) {
  if (!llvm::isa<Op>(op))
    return false;
  RoundingMode mode = roundingOf(op);
  return mode == RoundingMode::ZERO || mode == RoundingMode::NEGATIVE_INF ||
         mode == RoundingMode::POSITIVE_INF;
}

bool addsProduct(mlir::Operation *op) {
  return llvm::isa<cuda_tile::AddFOp>(op) && op->getOperand(0).getDefiningOp<cuda_tile::MulFOp>();
}

bool isDirectedHalf(mlir::Operation *op) {
  return (isDirected<cuda_tile::AddFOp>(op) || isDirected<cuda_tile::SubFOp>(op) ||
          isDirected<cuda_tile::MulFOp>(op) || isDirected<cuda_tile::DivFOp>(op) ||
          isDirected<cuda_tile::FmaOp>(op) || isDirected<cuda_tile::SqrtOp>(op)) &&
         isHalf(elementOf(op->getResult(0)));
}

bool isHalfFma(mlir::Operation *op) {
  return isNearest<cuda_tile::FmaOp>(op) && isHalf(elementOf(op->getResult(0)));
}

template <typename Op> bool isOp(mlir::Operation *op) {
  return llvm::isa<Op>(op);
}

template <typename Op> bool flushes(mlir::Operation *op) {
  return llvm::isa<Op>(op) && op->hasAttr("flush_to_zero");
}
bool flushesProduct(mlir::Operation *op) {
  return flushes<cuda_tile::MulFOp>(op) || flushes<cuda_tile::FmaOp>(op);
}
bool flushesSum(mlir::Operation *op) {
  return flushes<cuda_tile::AddFOp>(op) || flushes<cuda_tile::SubFOp>(op);
}
bool flushesMinMax(mlir::Operation *op) {
  return flushes<cuda_tile::MaxFOp>(op) || flushes<cuda_tile::MinFOp>(op);
}
bool keepsSubnormals(mlir::Operation *op) {
  return llvm::isa<cuda_tile::AddFOp, cuda_tile::SubFOp, cuda_tile::MulFOp, cuda_tile::FmaOp>(op) &&
         elementOf(op->getResult(0)).isF32() && !op->hasAttr("flush_to_zero");
}

bool narrowsInteger(mlir::Operation *op) {
  return llvm::isa<cuda_tile::IToFOp>(op) && elementOf(op->getResult(0)).isBF16() &&
         elementOf(op->getOperand(0)).getIntOrFloatBitWidth() >= 32;
}
bool roundsInteger(mlir::Operation *op) {
  return llvm::isa<cuda_tile::IToFOp>(op) &&
         llvm::isa<mlir::Float16Type, mlir::BFloat16Type, mlir::Float32Type, mlir::Float64Type>(
             elementOf(op->getResult(0))) &&
         elementOf(op->getOperand(0)).getIntOrFloatBitWidth() >
             llvm::cast<mlir::FloatType>(elementOf(op->getResult(0))).getFPMantissaWidth();
}
bool narrowsDouble(mlir::Operation *op) {
  return isNearest<cuda_tile::FToFOp>(op) && elementOf(op->getOperand(0)).isF64() &&
         isHalf(elementOf(op->getResult(0)));
}
bool narrowsFloat(mlir::Operation *op) {
  if (!isNearest<cuda_tile::FToFOp>(op))
    return false;
  mlir::Type from = elementOf(op->getOperand(0)), to = elementOf(op->getResult(0));
  return (from.isF32() || from.isF64()) && (to.isF32() || isHalf(to)) && from != to;
}

template <typename... Ops> bool isFunction(mlir::Operation *op) {
  return llvm::isa<Ops...>(op) && (elementOf(op->getResult(0)).isF32());
}

bool padsNegativeZero(mlir::Operation *op) {
  auto load = llvm::dyn_cast<cuda_tile::LoadViewTkoOp>(op);
  if (!load)
    return false;
  auto padding = [](auto view) {
    return view && view.getPaddingValue() &&
           view.getPaddingValue().getValue() == cuda_tile::PaddingValue::neg_zero;
  };
  mlir::Type type = load->getOperand(0).getType();
  return padding(llvm::dyn_cast<cuda_tile::PartitionViewType>(type)) ||
         padding(llvm::dyn_cast<cuda_tile::StridedViewType>(type)) ||
         padding(llvm::dyn_cast<cuda_tile::GatherScatterViewType>(type));
}

bool scalesBlocks(mlir::Operation *op) {
  return llvm::isa<cuda_tile::MmaFScaledOp>(op);
}
bool sumsBytes(mlir::Operation *op) {
  auto product = llvm::dyn_cast<cuda_tile::MmaFOp>(op);
  return product && elementOf(product.getResult()).isF32() &&
         elementOf(product.getLhs()).getIntOrFloatBitWidth() == 8;
}

//===- how it goes wrong ------------------------------------------------------------------------===//

void setRounding(mlir::Operation *op, RoundingMode mode) {
  op->setAttr("rounding_mode", cuda_tile::RoundingModeAttr::get(op->getContext(), mode));
}
void roundTowardZero(mlir::Operation *op) {
  setRounding(op, RoundingMode::ZERO);
}
void roundToNearest(mlir::Operation *op) {
  setRounding(op, RoundingMode::NEAREST_EVEN);
}
void dropFlush(mlir::Operation *op) {
  op->removeAttr("flush_to_zero");
}
void addFlush(mlir::Operation *op) {
  op->setAttr("flush_to_zero", mlir::UnitAttr::get(op->getContext()));
}

mlir::Value convert(mlir::OpBuilder &b, mlir::Value value, mlir::Type element) {
  auto type = llvm::cast<TileType>(value.getType());
  return cuda_tile::FToFOp::create(b, value.getLoc(), TileType::get(type.getShape(), element),
                                   value, RoundingMode::NEAREST_EVEN);
}

void replace(mlir::Operation *op, mlir::Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

void computeInF32(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  mlir::Type narrow = elementOf(op->getResult(0));
  llvm::SmallVector<mlir::Value> wide;
  for (mlir::Value operand : op->getOperands())
    wide.push_back(convert(b, operand, b.getF32Type()));
  mlir::OperationState state(op->getLoc(), op->getName(), wide, {wide[0].getType()},
                             op->getAttrs());
  replace(op, convert(b, b.create(state)->getResult(0), narrow));
}

void convertThroughF32(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  auto type = llvm::cast<TileType>(op->getResult(0).getType());
  mlir::OperationState state(op->getLoc(), op->getName(), op->getOperands(),
                             {TileType::get(type.getShape(), b.getF32Type())}, op->getAttrs());
  replace(op, convert(b, b.create(state)->getResult(0), type.getElementType()));
}

/// Integers lose the bit below the last one that the float holds, so that ties go toward zero.
void truncateTies(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  auto conversion = llvm::cast<cuda_tile::IToFOp>(op);
  auto type = llvm::cast<TileType>(op->getResult(0).getType());
  // One rounding toward zero, by way of f64, which holds most integers.
  auto wideType = TileType::get(type.getShape(), b.getF64Type());
  mlir::Value wide =
      cuda_tile::IToFOp::create(b, op->getLoc(), wideType, conversion.getOperand(),
                                conversion.getSignedness(), RoundingMode::NEAREST_EVEN);
  if (!type.getElementType().isF64())
    wide = cuda_tile::FToFOp::create(b, op->getLoc(), type, wide, RoundingMode::ZERO);
  replace(op, wide);
}

/// Of two equal operands, zeros of different sign for example, the second one.
void takeSecond(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  b.setInsertionPointAfter(op);
  auto type = llvm::cast<TileType>(op->getResult(0).getType());
  auto flags = TileType::get(type.getShape(), b.getI1Type());
  mlir::Value equal = cuda_tile::CmpFOp::create(
      b, op->getLoc(), flags, cuda_tile::ComparisonPredicate::EQUAL,
      cuda_tile::ComparisonOrdering::ORDERED, op->getOperand(0), op->getOperand(1));
  auto select = cuda_tile::SelectOp::create(b, op->getLoc(), type, equal, op->getOperand(1),
                                            op->getResult(0));
  op->getResult(0).replaceAllUsesExcept(select, select);
}

void splitFma(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  auto fma = llvm::cast<cuda_tile::FmaOp>(op);
  mlir::Value product =
      cuda_tile::MulFOp::create(b, op->getLoc(), fma.getType(), fma.getLhs(), fma.getRhs(),
                                fma.getRoundingModeAttr(), fma.getFlushToZeroAttr());
  replace(op, cuda_tile::AddFOp::create(b, op->getLoc(), fma.getType(), product, fma.getAcc(),
                                        fma.getRoundingModeAttr(), fma.getFlushToZeroAttr()));
}

void fuse(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  auto product = op->getOperand(0).getDefiningOp<cuda_tile::MulFOp>();
  replace(op,
          cuda_tile::FmaOp::create(b, op->getLoc(), op->getResult(0).getType(), product.getLhs(),
                                   product.getRhs(), op->getOperand(1),
                                   op->getAttrOfType<cuda_tile::RoundingModeAttr>("rounding_mode"),
                                   op->getAttrOfType<mlir::UnitAttr>("flush_to_zero")));
}

/// The result is off by 2^-11 of itself.
void miss(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  b.setInsertionPointAfter(op);
  auto type = llvm::cast<TileType>(op->getResult(0).getType());
  auto factor = mlir::DenseElementsAttr::get(
      type, mlir::Attribute(b.getFloatAttr(type.getElementType(), 1 + 0x1p-11)));
  mlir::Value constant = cuda_tile::ConstantOp::create(
      b, op->getLoc(), type,
      llvm::cast<mlir::DenseIntOrFPElementsAttr>(static_cast<mlir::Attribute>(factor)));
  auto product = cuda_tile::MulFOp::create(
      b, op->getLoc(), type, op->getResult(0), constant,
      cuda_tile::RoundingModeAttr::get(b.getContext(), RoundingMode::NEAREST_EVEN),
      mlir::UnitAttr());
  op->getResult(0).replaceAllUsesExcept(product, product);
}

/// Elements outside are +0: the view that the load reads through has another type.
void padWithZero(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  auto zero = cuda_tile::PaddingValueAttr::get(b.getContext(), cuda_tile::PaddingValue::zero);
  mlir::Type type = op->getOperand(0).getType();
  if (auto view = llvm::dyn_cast<cuda_tile::PartitionViewType>(type))
    type = cuda_tile::PartitionViewType::get(b.getContext(), view.getTileShape(),
                                             view.getTensorView(), view.getDimMap(), zero);
  else if (auto view = llvm::dyn_cast<cuda_tile::StridedViewType>(type))
    type = cuda_tile::StridedViewType::get(b.getContext(), view.getTileShape(),
                                           view.getTraversalStrides(), view.getTensorView(),
                                           view.getDimMap(), zero);
  else if (auto view = llvm::dyn_cast<cuda_tile::GatherScatterViewType>(type))
    type = cuda_tile::GatherScatterViewType::get(b.getContext(), view.getTileShape(),
                                                 view.getTensorView(), view.getSparseDim(), zero);
  mlir::Operation *made = op->getOperand(0).getDefiningOp();
  mlir::OperationState state(op->getLoc(), made->getName(), made->getOperands(), {type},
                             made->getAttrs());
  op->setOperand(0, b.create(state)->getResult(0));
}

/// Scales of the left operand are read as if their matrix were stored the other way round.
void transposeScales(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  mlir::Value scales = op->getOperand(3);
  auto type = llvm::cast<TileType>(scales.getType());
  llvm::SmallVector<int64_t> shape(type.getShape());
  llvm::SmallVector<int32_t> order;
  for (size_t i = 0; i < shape.size(); ++i)
    order.push_back(static_cast<int32_t>(i));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  mlir::Value turned =
      cuda_tile::PermuteOp::create(b, op->getLoc(), TileType::get(shape, type.getElementType()),
                                   scales, mlir::DenseI32ArrayAttr::get(b.getContext(), order));
  op->setOperand(3, cuda_tile::ReshapeOp::create(b, op->getLoc(), type, turned));
}

/// Sums of products of bytes are kept in f16.
void accumulateInF16(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  auto product = llvm::cast<cuda_tile::MmaFOp>(op);
  mlir::Value acc = convert(b, product.getAcc(), b.getF16Type());
  mlir::Value sum = cuda_tile::MmaFOp::create(b, op->getLoc(), acc.getType(), product.getLhs(),
                                              product.getRhs(), acc, product.getFastAccAttr());
  replace(op, convert(b, sum, b.getF32Type()));
}

} // namespace

llvm::ArrayRef<OpFault> tilesmith::fuzz::opFaults() {
  using namespace cuda_tile;
  static constexpr OpFault kFaults[] = {
      {"addf rounds toward zero", isNearest<AddFOp>, roundTowardZero, 70},
      {"subf rounds toward zero", isNearest<SubFOp>, roundTowardZero, 40},
      {"mulf rounds toward zero", isNearest<MulFOp>, roundTowardZero, 75},
      {"divf rounds toward zero", isNearest<DivFOp>, roundTowardZero, 70},
      {"fma rounds toward zero", isNearest<FmaOp>, roundTowardZero, 70},
      {"sqrt rounds toward zero", isNearest<SqrtOp>, roundTowardZero, 30},
      {"ftof rounds toward zero", narrowsFloat, roundTowardZero, 40},
      {"addf ignores its rounding", isDirected<AddFOp>, roundToNearest, 35},
      {"mulf ignores its rounding", isDirected<MulFOp>, roundToNearest, 35},
      {"divf ignores its rounding", isDirected<DivFOp>, roundToNearest, 30},
      {"fma ignores its rounding", isDirected<FmaOp>, roundToNearest, 35},
      {"16 bits ignore their rounding", isDirectedHalf, roundToNearest, 40},
      {"fma rounds twice", isNearest<FmaOp>, splitFma, 60},
      {"addf of a product fused with it", addsProduct, fuse, 15},
      {"fma of 16 bits through f32", isHalfFma, computeInF32, 45},
      {"itof of bf16 through f32", narrowsInteger, convertThroughF32, 30},
      {"itof rounds ties toward zero", roundsInteger, truncateTies, 30},
      {"ftof of f64 to 16 bits through f32", narrowsDouble, convertThroughF32, 30},
      {"maxf takes the second zero", isOp<MaxFOp>, takeSecond, 30},
      {"minf takes the second zero", isOp<MinFOp>, takeSecond, 30},
      {"sums do not flush", flushesSum, dropFlush, 30},
      {"products do not flush", flushesProduct, dropFlush, 30},
      {"minima and maxima do not flush", flushesMinMax, dropFlush, 30},
      {"subnormals are flushed", keepsSubnormals, addFlush, 30},
      {"neg_zero pads with +0", padsNegativeZero, padWithZero, 35},
      {"sin, cos or tan off by 2^-11", isFunction<SinOp, CosOp, TanOp>, miss, 40},
      {"exp or log off by 2^-11", isFunction<ExpOp, Exp2Op, LogOp, Log2Op>, miss, 40},
      {"rsqrt off by 2^-11", isFunction<RsqrtOp>, miss, 40},
      {"another function off by 2^-11", isFunction<SinHOp, CosHOp, TanHOp, PowOp, Atan2Op, FPowIOp>,
       miss, 40},
      {"mmaf_scaled transposes scales", scalesBlocks, transposeScales, 10},
      {"mmaf of bytes sums in f16", sumsBytes, accumulateInF16, 20},
  };
  return kFaults;
}

static bool isInside(const testcase::Buffer &buffer, const reference::BufferResult &bounds,
                     const reference::BufferResult &got) {
  if (!bounds.enclosure)
    return testcase::compareBuffer(buffer, got.bytes, bounds.bytes, testcase::Comparison(),
                                   bounds.ignored)
        .ok();
  const testcase::Enclosure &enclosure = *bounds.enclosure;
  testcase::Bytes ignored = bounds.ignored;
  if (ignored.empty())
    ignored = enclosure.vacuous;
  else
    for (size_t i = 0; i < enclosure.vacuous.size(); ++i)
      ignored[i] |= enclosure.vacuous[i];
  return testcase::compareEnclosed(buffer, got.bytes, enclosure.low, enclosure.high, ignored).ok();
}

llvm::Error FaultTable::add(const testcase::TestCase &testCase) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  reference::loadReferenceDialects(context);
  auto modules = readModules(testCase, context);
  if (!modules)
    return modules.takeError();
  auto bounds = runModules(testCase, *modules, reference::Domain::Enclosure);
  if (!bounds)
    return bounds.takeError();
  auto before = runModules(testCase, *modules, reference::Domain::Concrete);
  if (!before)
    return before.takeError();
  if (!bounds->outcome.completed() || !before->outcome.completed())
    return llvm::Error::success();
  for (const OpFault &fault : opFaults()) {
    FaultCount &count = counts[fault.name.str()];
    CaseModules faulty;
    bool holds = false;
    for (const auto &[file, module] : modules->owned) {
      mlir::OwningOpRef<cuda_tile::ModuleOp> copy(
          llvm::cast<cuda_tile::ModuleOp>(module.get()->clone()));
      llvm::SmallVector<mlir::Operation *> ops;
      copy->walk([&](mlir::Operation *op) {
        if (fault.applies(op))
          ops.push_back(op);
      });
      for (mlir::Operation *op : ops)
        fault.make(op);
      holds |= !ops.empty();
      if (!ops.empty() && mlir::failed(mlir::verify(*copy)))
        return llvm::createStringError("fault '" + fault.name + "' makes an invalid module");
      faulty.owned[file] = std::move(copy);
    }
    if (!holds)
      continue;
    for (const testcase::Launch &launch : testCase.launches)
      faulty.ofLaunches.push_back(*faulty.owned[launch.modules.front().file]);
    auto after = runModules(testCase, faulty, reference::Domain::Concrete);
    if (!after)
      return after.takeError();
    ++count.holds;
    bool differs = after->outcome.kind != before->outcome.kind, shows = differs;
    for (auto [buffer, was, is, bound] :
         llvm::zip(testCase.buffers, before->buffers, after->buffers, bounds->buffers)) {
      differs |= was.bytes != is.bytes;
      shows |= !isInside(buffer, bound, is);
    }
    count.differs += differs;
    count.shows += shows;
  }
  return llvm::Error::success();
}

const FaultCount &FaultTable::count(llvm::StringRef fault) const {
  static const FaultCount kNone;
  auto it = counts.find(fault.str());
  return it == counts.end() ? kNone : it->second;
}

void FaultTable::print(llvm::raw_ostream &out) const {
  out << "of the kernels that hold an operation, those that leave something else when it is "
         "faulty, "
         "and that show it\n";
  for (const OpFault &fault : opFaults()) {
    const FaultCount &c = count(fault.name);
    double share =
        c.holds ? 100.0 * static_cast<double>(c.shows) / static_cast<double>(c.holds) : 0;
    out << llvm::left_justify(fault.name, 38) << llvm::right_justify(std::to_string(c.holds), 6)
        << llvm::right_justify(std::to_string(c.differs), 6)
        << llvm::right_justify(std::to_string(c.shows), 6) << llvm::format("  %5.1f %%", share)
        << "  floor " << fault.floor << " %\n";
  }
}

std::vector<std::string> FaultTable::problems() const {
  std::vector<std::string> result;
  for (const OpFault &fault : opFaults()) {
    const FaultCount &c = count(fault.name);
    if (c.holds == 0 || c.shows < generators::leastByChance(fault.floor * 10, c.holds))
      result.push_back(llvm::formatv("'{0}' shows in {1} of {2} kernels, expected at least {3} %",
                                     fault.name, c.shows, c.holds, fault.floor));
  }
  return result;
}
