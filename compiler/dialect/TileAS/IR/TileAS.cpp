//===- TileAS.cpp - dialect registration, layout attribute and its algebra, verifiers ---------===//
#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

#include "compiler/dialect/TileAS/IR/TileASDialect.cpp.inc"
#include "compiler/dialect/TileAS/IR/TileASEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/TileAS/IR/TileASAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/TileAS/IR/TileASTypes.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileAS/IR/TileASOps.cpp.inc"

namespace {
/// Constants of an agent stay there: a tile lies over the warps of its agent.
struct AgentConstants : public DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const override {
    return isa<AgentSwitchOp>(region->getParentOp());
  }
};
} // namespace

void TileASDialect::initialize() {
  addInterfaces<AgentConstants>();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileAS/IR/TileASOps.cpp.inc"
      >();
  registerAttributes();
  registerTypes();
}

void TileASDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialect/TileAS/IR/TileASTypes.cpp.inc"
      >();
}

void TileASDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialect/TileAS/IR/TileASAttrs.cpp.inc"
      >();
}

void tileas::registerDialect(DialectRegistry &registry) {
  registry.insert<TileASDialect>();
}

//===- LayoutAttr: text -----------------------------------------------------------------------===//

static ParseResult parseList(AsmParser &parser, StringRef keyword, SmallVectorImpl<int64_t> &list) {
  if (parser.parseKeyword(keyword) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(list.emplace_back()); });
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> shape, registers, lanes, warps;
  if (parser.parseLess() || parseList(parser, "shape", shape) || parser.parseComma() ||
      parseList(parser, "register", registers) || parser.parseComma() ||
      parseList(parser, "lane", lanes) || parser.parseComma() || parseList(parser, "warp", warps) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<LayoutAttr>(parser.getContext(), shape, registers, lanes, warps);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  auto list = [&](StringRef keyword, ArrayRef<int64_t> values) {
    printer << keyword << " = [";
    llvm::interleaveComma(values, printer);
    printer << "]";
  };
  printer << "<";
  list("shape", getShape());
  printer << ", ";
  list("register", getRegisters());
  printer << ", ";
  list("lane", getLanes());
  printer << ", ";
  list("warp", getWarps());
  printer << ">";
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, ArrayRef<int64_t> registers,
                                 ArrayRef<int64_t> lanes, ArrayRef<int64_t> warps) {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent <= 0 || !llvm::isPowerOf2_64(extent))
      return emitError() << "layout extents must be powers of two, got " << extent;
    elements *= extent;
  }
  if (lanes.size() != 5)
    return emitError() << "expected 5 lane bases, got " << lanes.size();
  for (ArrayRef<int64_t> bases : {registers, lanes, warps})
    for (int64_t basis : bases)
      if (basis < 0 || basis >= elements)
        return emitError() << "layout basis " << basis << " is outside of the " << elements
                           << " elements of the tile";
  return success();
}

//===- LayoutAttr: algebra ------------------------------------------------------------------------===//

LinearLayout LayoutAttr::toLinear() const {
  return LinearLayout::fromFlat(getRegisters(), getLanes(), getWarps(), getShape());
}

LayoutAttr LayoutAttr::get(MLIRContext *context, const LinearLayout &layout) {
  return get(context, layout.getShape(), layout.getFlatBases(InDim::Register),
             layout.getFlatBases(InDim::Lane), layout.getFlatBases(InDim::Warp));
}

int64_t LayoutAttr::getNumElements() const {
  int64_t elements = 1;
  for (int64_t extent : getShape())
    elements *= extent;
  return elements;
}

LayoutAttr tileas::getLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding()) : LayoutAttr();
}

RankedTensorType tileas::withLayout(RankedTensorType type, LayoutAttr layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

LayoutAttr tileas::getCanonicalLayout(MLIRContext *context, ArrayRef<int64_t> shape,
                                      unsigned numWarps) {
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  // Up to four neighbouring elements per thread, but only once every thread has one.
  unsigned elementBits = llvm::Log2_64(elements), threadBits = 5 + llvm::Log2_32(numWarps);
  unsigned vectorBits = elementBits > threadBits ? std::min(elementBits - threadBits, 2u) : 0;
  return LayoutAttr::get(context, LinearLayout::rowMajor(shape, numWarps, vectorBits));
}

LayoutAttr tileas::projectLayout(LayoutAttr result, ArrayRef<int64_t> sourceShape) {
  SmallVector<unsigned> dims;
  for (auto [dim, extent] : llvm::enumerate(sourceShape))
    if (extent == 1)
      dims.push_back(dim);
  return LayoutAttr::get(result.getContext(), result.toLinear().projectDims(dims));
}

LayoutAttr tileas::reduceLayout(LayoutAttr operand, unsigned axis) {
  LayoutAttr dropped = LayoutAttr::get(operand.getContext(), operand.toLinear().removeDim(axis));
  SmallVector<int64_t> registers;
  for (auto [before, after] : llvm::zip_equal(operand.getRegisters(), dropped.getRegisters()))
    if (before == 0 || after != 0)
      registers.push_back(after);
  return LayoutAttr::get(operand.getContext(), dropped.getShape(), registers, dropped.getLanes(),
                         dropped.getWarps());
}

LayoutAttr tileas::reshapeLayout(LayoutAttr layout, ArrayRef<int64_t> shape) {
  return LayoutAttr::get(layout.getContext(), layout.toLinear().reshape(shape));
}

LayoutAttr tileas::permuteLayout(LayoutAttr layout, ArrayRef<int32_t> permutation) {
  SmallVector<int64_t> dims(permutation.begin(), permutation.end());
  return LayoutAttr::get(layout.getContext(), layout.toLinear().permuteDims(dims));
}

//===- verifiers ----------------------------------------------------------------------------------===//

/// Source and result hold the same number of elements of one type, each with a layout.
static LogicalResult verifyMovement(Operation *op, Type source, Type result) {
  auto from = cast<RankedTensorType>(source), to = cast<RankedTensorType>(result);
  if (from.getElementType() != to.getElementType() || from.getNumElements() != to.getNumElements())
    return op->emitOpError("expected source and result with equal element type and count, got ")
           << from << " and " << to;
  if (!getLayout(source) || !getLayout(result))
    return op->emitOpError("expected a layout on ") << (getLayout(source) ? to : from);
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  if (cast<RankedTensorType>(getSource().getType()).getShape() !=
      cast<RankedTensorType>(getResult().getType()).getShape())
    return emitOpError("expected equal shapes, got ")
           << getSource().getType() << " and " << getResult().getType();
  return verifyMovement(*this, getSource().getType(), getResult().getType());
}

LogicalResult ViewOp::verify() {
  return verifyMovement(*this, getSource().getType(), getResult().getType());
}

LogicalResult ReduceOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 2 * getOperands().size())
    return emitOpError("expected ")
           << 2 * getOperands().size() << " block arguments, got " << body.getNumArguments();
  if (!isa<YieldOp>(body.getTerminator()))
    return emitOpError("expected the body to end with 'nv_tileas.yield'");
  return success();
}

RankedTensorType TensorMemoryDotOp::getLhsTile() {
  if (auto store = getLhs().getDefiningOp<TensorMemoryStoreOp>())
    return cast<RankedTensorType>(store.getInit().getType());
  return dyn_cast<RankedTensorType>(getLhs().getType());
}

/// Types of the scales of the left and the right operand of a product.
using ScaleTypes = std::pair<RankedTensorType, RankedTensorType>;

static FailureOr<ScaleTypes> scalesOfBoth(Operation *op, ValueRange scales) {
  if (scales.size() != 2)
    return op->emitOpError("expected scales of both operands, got ") << scales.size();
  return ScaleTypes{cast<RankedTensorType>(scales[0].getType()),
                    cast<RankedTensorType>(scales[1].getType())};
}

LogicalResult TensorMemoryDotOp::verify() {
  auto store = getAcc().getDefiningOp<TensorMemoryStoreOp>();
  if (!store)
    return emitOpError("expected sums from 'nv_tileas.tensor_memory.store'");
  auto lhs = getLhsTile(), rhs = cast<RankedTensorType>(getRhs().getType()),
       acc = cast<RankedTensorType>(store.getInit().getType());
  if (!lhs)
    return emitOpError("expected a tile or columns of tensor memory, got ") << getLhs().getType();
  if (lhs.getRank() != 2 || rhs.getRank() != 2 || acc.getRank() != 2 ||
      lhs.getDimSize(1) != rhs.getDimSize(0) || lhs.getDimSize(0) != acc.getDimSize(0) ||
      rhs.getDimSize(1) != acc.getDimSize(1))
    return emitOpError("expected shapes MxK, KxN, MxN, got ") << lhs << ", " << rhs << ", " << acc;
  bool inTensorMemory = isa<AccumulatorType>(getLhs().getType());
  if ((!inTensorMemory && !getSharedLayout(lhs)) || !getSharedLayout(rhs))
    return emitOpError("expected operands in shared memory, got ") << lhs << ", " << rhs;
  if (std::optional<uint32_t> block = getRowBlock();
      block && (*block >= acc.getDimSize(0) / kTensorMemoryLanes || !store.getApart()))
    return emitOpError("expected a block of rows of sums that are apart, got ") << *block;
  if (getAccumulates() && (getOverwrites() || getRowBlock()))
    return emitOpError(
        "expected a product of all rows that does not always overwrite, got one that "
        "accumulates as a value says");
  if (getScales().empty())
    return success();
  FailureOr<ScaleTypes> scales = scalesOfBoth(*this, getScales());
  if (failed(scales))
    return failure();
  auto [left, right] = *scales;
  if (left.getRank() != 2 || right.getRank() != 2)
    return emitOpError("expected scales of rank 2, got ") << left << ", " << right;
  // Either way round: the layout says where the scales of a line are.
  const int64_t m = lhs.getDimSize(0), n = rhs.getDimSize(1),
                blocks = left.getDimSize(left.getDimSize(0) == m ? 1 : 0);
  auto areOf = [&](RankedTensorType type, int64_t lines) {
    return type.getShape() == ArrayRef<int64_t>{lines, blocks} ||
           type.getShape() == ArrayRef<int64_t>{blocks, lines};
  };
  if (!areOf(left, m) || !areOf(right, n))
    return emitOpError("expected a scale for each block of a row or column, got ")
           << left << ", " << right;
  if (!getSharedLayout(left) || !getSharedLayout(right))
    return emitOpError("expected scales in shared memory, got ") << left << ", " << right;
  return success();
}

int64_t TensorMemoryDotOp::getScaleColumns() {
  int64_t columns = 0;
  for (Value scales : getScales()) // copied four columns at a time
    columns +=
        llvm::alignTo(cast<RankedTensorType>(scales.getType()).getNumElements() / (32 * 4), 4);
  return columns;
}

LogicalResult TensorMemoryStageOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()),
       buffer = cast<RankedTensorType>(getBuffer().getType());
  auto alloc = getBuffer().getDefiningOp<AllocTensorOp>();
  if (!alloc || alloc.getStages() != 1)
    return emitOpError("expected a buffer of one stage from 'nv_tileas.alloc_tensor'");
  if (source.getShape() != buffer.getShape() || source.getElementType() != buffer.getElementType())
    return emitOpError("expected a tile of the buffer's type, got ") << source << ", " << buffer;
  return success();
}

/// Sums come from a store of tiles like `tile`.
static LogicalResult verifySums(Operation *op, Value sums, Type tile) {
  auto store = sums.getDefiningOp<TensorMemoryStoreOp>();
  if (!store)
    return op->emitOpError("expected sums from 'nv_tileas.tensor_memory.store'");
  if (tile != store.getInit().getType())
    return op->emitOpError("expected ") << store.getInit().getType() << ", got " << tile;
  return success();
}

LogicalResult TensorMemoryUpdateOp::verify() {
  return verifySums(*this, getAcc(), getSource().getType());
}

LogicalResult TensorMemoryLoadOp::verify() {
  auto store = getAcc().getDefiningOp<TensorMemoryStoreOp>();
  if (!store)
    return emitOpError("expected sums from 'nv_tileas.tensor_memory.store'");
  auto all = cast<RankedTensorType>(store.getInit().getType()),
       loaded = cast<RankedTensorType>(getResult().getType());
  if (loaded == all && !getFirst())
    return success();
  bool areColumns = all.getRank() == 2 && loaded.getRank() == 2 &&
                    loaded.getElementType() == all.getElementType() &&
                    all.getElementTypeBitWidth() == 32 && all.getDimSize(0) == 128 &&
                    loaded.getDimSize(0) == 128 &&
                    int64_t(getFirst()) + loaded.getDimSize(1) <= all.getDimSize(1);
  if (!areColumns)
    return emitOpError("expected ")
           << all << " or columns of it, got " << loaded << " from column " << getFirst() << " on";
  return success();
}

LogicalResult TensorMemoryWaitOp::verify() {
  auto store = getAcc().getDefiningOp<TensorMemoryStoreOp>();
  if (!store || !store.getTracked())
    return emitOpError("expected tracked sums from 'nv_tileas.tensor_memory.store'");
  return success();
}

LogicalResult TensorMemoryIssueOp::verify() {
  if (!isa<PipelineYieldOp>(getBody().front().getTerminator()))
    return emitOpError("expected the region to end with 'nv_tileas.async.pipeline.yield'");
  WalkResult walked = getBody().walk([&](Operation *op) {
    bool ofPipeline = isa<ConsumerWaitOp, ConsumerReadOp, ConsumerReleaseOp, TensorMemoryDotOp,
                          TensorMemoryArrivedOp, TensorMemoryAnnounceOp, TensorMemoryAcquireOp,
                          PipelineYieldOp, scf::IfOp, scf::YieldOp>(op);
    return ofPipeline || isMemoryEffectFree(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return emitOpError("expected products and the stages that they read only");
  if (!getAgent())
    return success();
  auto agents = (*this)->getParentOfType<AgentSwitchOp>();
  if (!agents || *getAgent() >= agents.getAgents().size() ||
      agents.getAgents()[*getAgent()].front().getOperations().size() != 1)
    return emitOpError("expected an agent whose region is empty, got ") << *getAgent();
  return success();
}

Value TensorMemoryIssueOp::getCondition() {
  auto branch = dyn_cast<scf::IfOp>(getBody().front().front());
  return branch ? branch.getCondition() : Value();
}

int64_t TensorMemoryIssueOp::getRowBlocks() {
  return std::max<int64_t>(1, llvm::range_size(getBody().getOps<TensorMemoryArrivedOp>()));
}

LogicalResult TensorMemoryAnnounceOp::verify() {
  if (!(*this)->getParentOfType<TensorMemoryIssueOp>())
    return emitOpError("expected to stand in 'nv_tileas.tensor_memory.issue'");
  auto store = getAcc().getDefiningOp<TensorMemoryStoreOp>();
  if (!store || !store.getTracked())
    return emitOpError("expected tracked sums from 'nv_tileas.tensor_memory.store'");
  auto rows = cast<RankedTensorType>(store.getInit().getType()).getDimSize(0);
  if (getRowBlock() && (!store.getApart() || getRowBlock() >= rows / kTensorMemoryLanes))
    return emitOpError("expected a block of 128 rows, got ") << getRowBlock();
  return success();
}

/// Sums whose products of a turn leave those of the turn before alone.
static LogicalResult verifyAlternates(Operation *op, Value sums) {
  auto store = sums.getDefiningOp<TensorMemoryStoreOp>();
  if (!store || !store.getTracked() || !store.getSecond() || store.getApart())
    return op->emitOpError("expected tracked sums with second columns");
  return success();
}

LogicalResult TensorMemoryAcquireOp::verify() {
  return verifyAlternates(*this, getAcc());
}

LogicalResult TensorMemoryReleaseOp::verify() {
  return verifyAlternates(*this, getAcc());
}

LogicalResult TensorMemoryScaleOp::verify() {
  if (!cast<RankedTensorType>(getFactors().getType()).getElementType().isF32())
    return emitOpError("expected factors of f32, got ") << getFactors().getType();
  auto factors = cast<RankedTensorType>(getFactors().getType());
  auto store = getAcc().getDefiningOp<TensorMemoryStoreOp>();
  auto sums = store ? cast<RankedTensorType>(store.getInit().getType()) : RankedTensorType();
  if (!sums || !factors.getShape().equals({sums.getDimSize(0), 1}))
    return verifySums(*this, getAcc(), factors);
  LayoutAttr wanted = rowFactorLayout(getLayout(sums));
  if (getLayout(factors) != wanted)
    return emitOpError("expected factors of rows in ") << wanted << ", got " << factors;
  return success();
}

LogicalResult DotOp::verify() {
  auto lhs = cast<RankedTensorType>(getLhs().getType()),
       rhs = cast<RankedTensorType>(getRhs().getType());
  auto acc = cast<RankedTensorType>(getAcc().getType());
  int64_t rank = acc.getRank();
  if (rank < 2 || rank > 3 || lhs.getRank() != rank || rhs.getRank() != rank)
    return emitOpError("expected operands of rank 2 or 3, got ")
           << lhs << ", " << rhs << ", " << acc;
  if (lhs.getDimSize(rank - 1) != rhs.getDimSize(rank - 2) ||
      lhs.getDimSize(rank - 2) != acc.getDimSize(rank - 2) ||
      rhs.getDimSize(rank - 1) != acc.getDimSize(rank - 1))
    return emitOpError("expected shapes MxK, KxN, MxN, got ") << lhs << ", " << rhs << ", " << acc;
  if (getScales().empty())
    return success();
  FailureOr<ScaleTypes> scales = scalesOfBoth(*this, getScales());
  if (failed(scales))
    return failure();
  auto [left, right] = *scales;
  if (rank != 2 || left.getRank() != 2 || right.getRank() != 2 ||
      left.getDimSize(0) != lhs.getDimSize(0) || right.getDimSize(1) != rhs.getDimSize(1) ||
      left.getDimSize(1) != right.getDimSize(0) || lhs.getDimSize(1) % left.getDimSize(1))
    return emitOpError("expected a scale for each block of a row or column, got ")
           << left << ", " << right;
  return success();
}
