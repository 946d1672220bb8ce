//===- LoadHalfBytes.cpp - tileaa-load-half-bytes ---------------------------------------------===//
//
// Two elements of four bits share a byte, and loads of such elements shift each alone. Tensor cores of
// sm_100 and sm_120 multiply them as they lie, so the operands of a scaled product come as bytes:
//
//   load of M x K      a load of M x K/2 bytes through a view of half the extent, the strides and the
//                      step, then `bitcast`: the element 2i is the low half of byte i
//   load of K x N      that is contiguous along K: K/2 x N bytes, transposed around the bitcast, which
//                      takes bytes apart along the last dimension
//
// Only where the facts say that no byte holds an element of the tensor and one outside of it, or of
// another line: the contiguous dimension has an even extent, all other strides are even, and tiles
// begin at even elements. Padding is zero, two of which are a byte of zero, or unspecified. Loads are
// weak, whose elements may be read together. Results stay the same bit by bit.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilesmith::tileaa {
#define GEN_PASS_DEF_LOADHALFBYTESPASS
#include "compiler/dialect/TileAA/Transforms/Passes.h.inc"

namespace {

/// A load of elements of four bits that becomes one of bytes.
class HalfByteLoad {
public:
  explicit HalfByteLoad(TiledLoadOp load)
      : load(load), view(llvm::cast<TiledViewType>(load.getView().getType())) {}

  /// Why the elements are loaded one by one; nullopt where they come as bytes.
  std::optional<std::string> match() {
    if (load.getMemSemantic() != MemSemantic::weak || load.getLayoutAttr() ||
        load.getCopyAtomAttr())
      return "it is not weak";
    tiled = load.getView().getDefiningOp<BlockTileOp>();
    make = tiled ? tiled->getOperand(0).getDefiningOp<MakeMemRefOp>() : MakeMemRefOp();
    if (!make || make.getOffset() || view.isGather())
      return "its view gathers, or was not made of a pointer here";
    if (view.getPadding() && view.getPadding().getValue() != PaddingValue::zero)
      return "its padding is not zero";
    memory = view.getMemref();
    std::optional<unsigned> found;
    for (unsigned i = 0; i < view.getRank(); ++i)
      if (memory.getStrides()[view.getDimMap()[i]] == 1 && view.getTileShape()[i] > 1)
        found = i;
    if (!found)
      return "no dimension of its tile has the static stride 1";
    dim = *found;
    return matchEven();
  }

  void rewrite() {
    OpBuilder builder(make);
    builder.setInsertionPointAfter(make);
    Value bytes = loadBytes(makeByteView(builder));
    Value elements = toElements(bytes);
    load.getResult().replaceAllUsesWith(elements);
    load.erase();
  }

private:
  /// That no byte holds something else beside elements of the tile, or of its padding.
  std::optional<std::string> matchEven() {
    const unsigned own = view.getDimMap()[dim];
    auto isEven = [](int64_t known, Value value) {
      return ShapedType::isDynamic(known) ? getFacts(value).divisor % 2 == 0 : known % 2 == 0;
    };
    if (view.getStep(dim) % 2 && !TILESMITH_PLANT("half-bytes-steps-odd"))
      return "its tiles begin at odd elements";
    auto size = make.getSizes().begin(), stride = make.getStrides().begin();
    for (auto [i, extent] : llvm::enumerate(memory.getShape())) {
      Value value = ShapedType::isDynamic(extent) ? *size++ : Value();
      if (i == own && !isEven(extent, value))
        return "the extent of the contiguous dimension is not known to be even";
    }
    for (auto [i, step] : llvm::enumerate(memory.getStrides())) {
      Value value = ShapedType::isDynamic(step) ? *stride++ : Value();
      if (i != own && !isEven(step, value))
        return "the stride of another dimension is not known to be even";
    }
    return std::nullopt;
  }

  static void setFacts(Value value, const Facts &facts) {
    Operation *op = value.getDefiningOp();
    if (!facts.isTrivial())
      op->setAttr(kFactsAttr,
                  ArrayAttr::get(op->getContext(), {toAttribute(op->getContext(), facts)}));
  }

  /// Half of an extent or stride.
  Value halved(OpBuilder &builder, Value value) {
    Value one = arith::ConstantOp::create(builder, load.getLoc(),
                                          builder.getIntegerAttr(value.getType(), 1));
    setFacts(one, constantFacts(1));
    Value half = arith::ShRUIOp::create(builder, load.getLoc(), value, one);
    Facts facts = getFacts(value);
    if (!TILESMITH_PLANT("half-bytes-divisor-kept"))
      facts.divisor = std::max<uint64_t>(facts.divisor / 2, 1);
    if (facts.lower && *facts.lower >= 0) {
      facts.lower = *facts.lower / 2;
      if (facts.upper)
        facts.upper = *facts.upper / 2;
    } else { // as an unsigned number it may be large
      facts.lower = facts.upper = std::nullopt;
    }
    setFacts(half, facts);
    return half;
  }

  /// The tensor as bytes.
  Value makeByteView(OpBuilder &builder) {
    const unsigned own = TILESMITH_PLANT("half-bytes-map-forgotten") ? dim : view.getDimMap()[dim];
    Type byte = builder.getI8Type();
    SmallVector<int64_t> shape(memory.getShape()), strides(memory.getStrides());
    SmallVector<Value> sizes(make.getSizes()), steps(make.getStrides());
    unsigned next = 0;
    for (auto [i, extent] : llvm::enumerate(shape)) {
      const unsigned at = next;
      next += ShapedType::isDynamic(extent);
      if (i != own || TILESMITH_PLANT("half-bytes-extent-kept"))
        continue;
      if (ShapedType::isDynamic(extent))
        sizes[at] = halved(builder, sizes[at]);
      else
        extent /= 2;
    }
    if (!TILESMITH_PLANT("half-bytes-strides-kept")) {
      for (auto [i, step] : llvm::enumerate(strides))
        if (i != own && !ShapedType::isDynamic(step))
          step /= 2;
      for (Value &step : steps)
        step = halved(builder, step);
    }
    auto pointer = llvm::cast<PtrType>(make.getBase().getType());
    Value base = BitcastOp::create(
        builder, load.getLoc(), PtrType::get(builder.getContext(), byte, pointer.getAddressSpace()),
        make.getBase());
    setFacts(base, getFacts(make.getBase()));
    auto type = MemRefType::get(builder.getContext(), shape, byte, strides,
                                memory.getAddressSpace(), memory.getAliasScope());
    Value bytes = MakeMemRefOp::create(builder, load.getLoc(), type, base, Value(), sizes, steps,
                                       make.getAliasScope());
    setFacts(bytes, getFacts(base));
    SmallVector<int64_t> tile(view.getTileShape()), traversal(view.getTraversalStrides());
    tile[dim] /= 2;
    if (!traversal.empty())
      traversal[dim] /= 2;
    auto viewType = TiledViewType::get(builder.getContext(), tile, type, view.getDimMap(),
                                       view.getPadding(), traversal, std::nullopt);
    return BlockTileOp::create(builder, load.getLoc(), viewType, bytes,
                               builder.getDenseI64ArrayAttr(tile), tiled.getDimGroups(),
                               viewType.getPadding());
  }

  Value loadBytes(Value bytes) {
    OpBuilder builder(load);
    auto created = TiledLoadOp::create(
        builder, load.getLoc(), llvm::cast<TiledViewType>(bytes.getType()).getTileType(),
        load.getResultToken() ? load.getResultToken().getType() : Type(), bytes, load.getIndices(),
        load.getToken(), load.getMemSemanticAttr(), load.getMemScopeAttr(), load.getInBoundsAttr(),
        load.getAllowTmaAttr(), load.getLatencyAttr(), Attribute(), Attribute());
    if (load.getResultToken())
      load.getResultToken().replaceAllUsesWith(created.getResultToken());
    return created.getResult();
  }

  Value toElements(Value bytes) {
    OpBuilder builder(load);
    const unsigned last = view.getRank() - 1;
    SmallVector<int32_t> order;
    for (unsigned i = 0; i <= last; ++i)
      order.push_back(static_cast<int32_t>(i == dim ? last : i == last ? dim : i));
    auto turned = [&](Value tile) -> Value {
      if (dim == last)
        return tile;
      auto type = llvm::cast<RankedTensorType>(tile.getType());
      SmallVector<int64_t> shape(type.getShape());
      std::swap(shape[dim], shape[last]);
      return PermuteOp::create(builder, load.getLoc(), type.clone(shape), tile,
                               builder.getDenseI32ArrayAttr(order));
    };
    bytes = turned(bytes);
    auto type = llvm::cast<RankedTensorType>(bytes.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[last] *= 2;
    return turned(BitcastOp::create(builder, load.getLoc(),
                                    RankedTensorType::get(shape, view.getElementType()), bytes));
  }

  TiledLoadOp load;
  TiledViewType view;
  BlockTileOp tiled;
  MakeMemRefOp make;
  MemRefType memory;
  unsigned dim = 0; ///< of the tile, the contiguous one
};

struct LoadHalfBytes : impl::LoadHalfBytesPassBase<LoadHalfBytes> {
  using LoadHalfBytesPassBase::LoadHalfBytesPassBase;

  void runOnOperation() override {
    const target::GpuTarget &gpu = getTarget(getOperation());
    if (!gpu.has(target::Feature::Tcgen05) && !gpu.has(target::Feature::MmaSyncBlockScale))
      return;
    SetVector<TiledLoadOp> loads;
    getOperation()->walk([&](DotOp dot) {
      for (Value operand : {dot.getA(), dot.getB()})
        if (auto load = operand.getDefiningOp<TiledLoadOp>();
            load && dot.getSfa() &&
            llvm::isa<Float4E2M1FNType>(getElementTypeOrSelf(operand.getType())))
          loads.insert(load);
    });
    for (TiledLoadOp load : loads) {
      HalfByteLoad bytes(load);
      if (std::optional<std::string> problem = bytes.match()) {
        if (remarks)
          load.emitRemark() << "elements of four bits are loaded one by one: " << *problem;
      } else {
        bytes.rewrite();
      }
    }
  }
};

} // namespace
} // namespace tilesmith::tileaa
