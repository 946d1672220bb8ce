//===- ViewOpBreakers.cpp - views of the kernel and their access, broken in place -------------===//
//
// One row per rule (InPlace.h explains the columns).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InPlace.h"

#include "mlir/IR/OperationSupport.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;
using llvm::StringRef;

static mlir::Value viewOf(const BrokenOp &site) {
  return site.op->getOperand(site.is("store_view_tko") ? 1 : 0);
}

static TileType viewTile(const BrokenOp &site) {
  return llvm::cast<TileType>(llvm::cast<TileView>(viewOf(site).getType()).getViewTileType());
}

static bool isGather(const BrokenOp &site) {
  return llvm::isa<GatherScatterViewType>(viewOf(site).getType());
}

static mlir::MutableOperandRange indicesOf(const BrokenOp &site) {
  if (auto load = llvm::dyn_cast<LoadViewTkoOp>(site.op))
    return load.getIndexMutable();
  if (auto store = llvm::dyn_cast<StoreViewTkoOp>(site.op))
    return store.getIndexMutable();
  return llvm::cast<AtomicRedViewTkoOp>(site.op).getIndexMutable();
}

static void setIndex(BrokenOp &site, unsigned i, mlir::Type type) {
  mlir::MutableOperandRange indices = indicesOf(site);
  llvm::SmallVector<mlir::Value> values;
  for (mlir::OpOperand &operand : indices)
    values.push_back(operand.get());
  values[i] = site.value(type);
  indices.assign(values);
}

static unsigned sparseDim(const BrokenOp &site) {
  return llvm::cast<GatherScatterViewType>(viewOf(site).getType()).getSparseDim();
}

static TensorViewType withAttribute(TensorViewType view, std::optional<PtrAttrKind> kind) {
  return TensorViewType::get(
      view.getContext(), view.getElementType(), view.getShape(), view.getStrides(),
      kind ? PtrAttrKindAttr::get(view.getContext(), *kind) : PtrAttrKindAttr());
}

/// The same view of another tensor.
static mlir::Type over(mlir::Type view, TensorViewType tensor) {
  mlir::MLIRContext *context = view.getContext();
  if (auto grid = llvm::dyn_cast<PartitionViewType>(view))
    return PartitionViewType::get(context, grid.getTileShape(), tensor, grid.getDimMap(),
                                  grid.getPaddingValue());
  if (auto grid = llvm::dyn_cast<StridedViewType>(view))
    return StridedViewType::get(context, grid.getTileShape(), grid.getTraversalStrides(), tensor,
                                grid.getDimMap(), grid.getPaddingValue());
  auto gather = llvm::cast<GatherScatterViewType>(view);
  return GatherScatterViewType::get(context, gather.getTileShape(), tensor, gather.getSparseDim(),
                                    gather.getPaddingValue());
}

static Said multicast(BrokenOp &site) {
  mlir::Type type = viewOf(site).getType();
  TensorViewType tensor = withAttribute(getUnderlyingTensorView(type), PtrAttrKind::Multicast);
  site.operand(site.is("store_view_tko") ? 1 : 0, over(type, tensor));
  return "'cuda_tile." + site.op->getName().stripDialect().str() +
         "' op multicast ptr_attr is not allowed";
}

static PtrAttrKind anyKind(BrokenOp &site) {
  return site.stream.chance(50) ? PtrAttrKind::None : PtrAttrKind::Unicast;
}

static Said fewerResults(BrokenOp &site, StringRef text) {
  size_t all = site.op->getNumResults();
  bool more = all == 1 || site.stream.chance(50);
  llvm::SmallVector<mlir::Type> types(site.op->getResultTypes());
  if (more)
    types.push_back(types.back());
  else
    types.pop_back();
  site.results(types);
  return ("expected " + llvm::Twine(all) + " results due to " + text + ", but got " +
          llvm::Twine(types.size()))
      .str();
}

static Said dynamicCount(BrokenOp &site, StringRef name, bool strides) {
  auto view = llvm::cast<MakeTensorViewOp>(site.op);
  mlir::MutableOperandRange operands =
      strides ? view.getDynamicStridesMutable() : view.getDynamicShapeMutable();
  size_t all = operands.size();
  bool more = all == 0 || site.stream.chance(50);
  if (more) {
    llvm::SmallVector<mlir::Value> values(strides ? view.getDynamicStrides()
                                                  : view.getDynamicShape());
    values.push_back(site.value(site.op->getNumOperands() > 1
                                    ? site.op->getOperand(1).getType()
                                    : tile({}, site.builder.getI32Type())));
    operands.assign(values);
  } else {
    operands.erase(static_cast<unsigned>(all - 1), 1);
  }
  return ("expected " + llvm::Twine(all) + " dynamic " + name + " operands, got " +
          llvm::Twine(more ? all + 1 : all - 1))
      .str();
}

static Said red(BrokenOp &site, AtomicRMWMode mode, StringRef said) {
  site.set("mode", AtomicRMWModeAttr::get(site.context(), mode));
  return said.str();
}

static unsigned valueOfRed(const BrokenOp &site) {
  return static_cast<unsigned>(1 + llvm::cast<AtomicRedViewTkoOp>(site.op).getIndex().size());
}

// clang-format off
static constexpr OpBreaker kBreakers[] = {
    {"make_tensor_view_pointee", "make_tensor_view", "load", [](BrokenOp &s) -> Said {
       auto pointer = llvm::cast<PointerType>(s.elementIn(0));
       mlir::Type element = elementBut(s, pointer.getPointeeType(), {"f32", "i32", "f16", "i8"});
       mlir::Type want = pointer.getPointeeType();
       s.operand(0, tile({}, PointerType::get(s.context(), element, pointer.getPtrAttr())));
       return "expected pointer to " + quoted(want) + " to build tensor_view of this type, got " + quoted(element);
     }},
    {"make_tensor_view_shape_operands", "make_tensor_view", "load", [](BrokenOp &s) { return dynamicCount(s, "shape", false); }},
    {"make_tensor_view_stride_operands", "make_tensor_view", "load", [](BrokenOp &s) { return dynamicCount(s, "stride", true); }},
    {"make_tensor_view_operand_types", "make_tensor_view", "load", [](BrokenOp &s) -> Said {
       unsigned count = s.op->getNumOperands();
       if (count < 3)
         return std::nullopt;
       size_t shape = llvm::cast<MakeTensorViewOp>(s.op).getDynamicShape().size();
       size_t at = 2 + s.stream.below(count - 2);
       bool isStride = at - 1 >= shape;
       TileType wrong = tile({}, elementBut(s, s.elementIn(1), {"i64", "i32", "i16"}));
       s.operand(static_cast<unsigned>(at), wrong);
       return ("expected dynamic " + llvm::Twine(isStride ? "stride" : "shape") + " index " +
               llvm::Twine(isStride ? at - 1 - shape : at - 1) + " to be of the same type as the other dynamic values (" +
               quoted(s.in(1)) + "), got " + quoted(wrong)).str();
     }},
    {"ptr_attr_missing", "make_tensor_view", "load", [](BrokenOp &s) -> Said {
       auto view = llvm::cast<TensorViewType>(s.op->getResult(0).getType());
       if (view.getPtrAttr())
         return std::nullopt;
       s.result(0, withAttribute(view, anyKind(s)));
       return "pointer base without ptr_attr cannot produce tensor_view with ptr_attr";
     }},
    {"ptr_attr_dropped", "make_tensor_view", "load", [](BrokenOp &s) -> Said {
       auto view = llvm::cast<TensorViewType>(s.op->getResult(0).getType());
       if (view.getPtrAttr())
         return std::nullopt;
       auto kind = PtrAttrKindAttr::get(s.context(), anyKind(s));
       s.operand(0, tile({}, PointerType::get(s.context(), view.getElementType(), kind)));
       return "tensor_view must preserve ptr_attr from base pointer (" + ("#cuda_tile.ptr_attr<" + stringifyPtrAttrKind(kind.getValue()) + ">").str() + ")";
     }},
    {"ptr_attr_changed", "make_tensor_view", "load", [](BrokenOp &s) -> Said {
       auto view = llvm::cast<TensorViewType>(s.op->getResult(0).getType());
       auto kind = PtrAttrKindAttr::get(s.context(), PtrAttrKind::None);
       s.operand(0, tile({}, PointerType::get(s.context(), view.getElementType(), kind)));
       s.result(0, withAttribute(view, PtrAttrKind::Unicast));
       return "ptr_attr mismatch between base pointer (#cuda_tile.ptr_attr<none>) and result tensor_view (#cuda_tile.ptr_attr<unicast>)";
     }},
    {"make_partition_view_source", "make_partition_view|make_strided_view|make_gather_scatter_view", "load", [](BrokenOp &s) -> Said {
       auto want = llvm::cast<TensorViewType>(s.op->getOperand(0).getType());
       mlir::Type element = elementBut(s, want.getElementType(), {"f32", "i32", "f16", "i8"});
       mlir::Type wrong = TensorViewType::get(s.context(), element, want.getShape(), want.getStrides(), want.getPtrAttr());
       s.operand(0, wrong);
       return "expected the type of the provided tensor_view value (" + quoted(wrong) + ") to be the same as the view's tensor_view type (" + quoted(want) + ")";
     }},
    {"get_tensor_shape_results", "get_tensor_shape", "view-load", [](BrokenOp &s) { return fewerResults(s, "tensor rank"); }},
    {"get_index_space_shape_results", "get_index_space_shape", "get_index_space_shape",
     [](BrokenOp &s) { return fewerResults(s, "view index space rank"); }},
    {"access_index_count", "load_view_tko|store_view_tko", "view", [](BrokenOp &s) -> Said {
       mlir::MutableOperandRange indices = indicesOf(s);
       size_t all = indices.size();
       if (s.stream.chance(50)) {
         indices.append(s.value(tile({}, s.builder.getI32Type())));
         return ("expected " + llvm::Twine(all) + " index operands (based on view type), got " + llvm::Twine(all + 1)).str();
       }
       indices.erase(static_cast<unsigned>(s.stream.below(all)), 1);
       return ("expected " + llvm::Twine(all) + " index operands (based on view type), got " + llvm::Twine(all - 1)).str();
     }},
    {"access_tile", "load_view_tko|store_view_tko", "view", [](BrokenOp &s) -> Said {
       TileType want = viewTile(s);
       auto dim = static_cast<unsigned>(s.stream.below(static_cast<uint64_t>(want.getRank())));
       TileType wrong = s.stream.chance(50) ? tile(doubled(Shape(want.getShape()), dim), want.getElementType())
                                            : tile(want.getShape(), elementBut(s, want.getElementType(), {"f32", "i32", "f16"}));
       if (s.is("store_view_tko"))
         s.operand(0, wrong);
       else
         s.result(0, wrong);
       return "expected tile type to be " + quoted(want) + " (based on view type), got " + quoted(wrong);
     }},
    {"access_index_scalar", "load_view_tko|store_view_tko", "view", [](BrokenOp &s) -> Said {
       if (isGather(s))
         return std::nullopt;
       TileType wrong = tile({4}, llvm::cast<TileType>(indicesOf(s)[0].get().getType()).getElementType());
       setIndex(s, 0, wrong);
       return "expected index type to be a scalar tile, got " + quoted(wrong);
     }},
    {"access_index_same", "load_view_tko|store_view_tko", "view", [](BrokenOp &s) -> Said {
       size_t count = indicesOf(s).size();
       if (isGather(s) || count < 2)
         return std::nullopt;
       auto at = static_cast<unsigned>(1 + s.stream.below(count - 1));
       auto want = llvm::cast<TileType>(indicesOf(s)[0].get().getType());
       TileType wrong = tile({}, elementBut(s, want.getElementType(), {"i64", "i32", "i16"}));
       setIndex(s, at, wrong);
       return ("expected index type " + llvm::Twine(at) + " to be the same as other index types (" + quoted(want) + "), got " + quoted(wrong)).str();
     }},
    {"access_inbounds", "load_view_tko|store_view_tko", "view", [](BrokenOp &s) -> Said {
       size_t count = indicesOf(s).size();
       llvm::SmallVector<bool> wrong(count + 1, true);
       s.set("inbounds", s.builder.getDenseBoolArrayAttr(wrong));
       return ("inbounds size (" + llvm::Twine(count + 1) + ") must match the number of index dimensions (" + llvm::Twine(count) + ")").str();
     }},
    {"gather_rank", "load_view_tko|store_view_tko", "view", [](BrokenOp &s) -> Said {
       if (!isGather(s))
         return std::nullopt;
       unsigned at = sparseDim(s);
       bool flat = s.stream.chance(50);
       setIndex(s, at, tile(flat ? Shape() : Shape{viewTile(s).getDimSize(at), 1}, s.builder.getI32Type()));
       return ("expected index at sparse_dim position " + llvm::Twine(at) + " to be a 1D tensor for GatherScatterView, got rank " + (flat ? "0" : "2")).str();
     }},
    {"gather_size", "load_view_tko|store_view_tko", "view", [](BrokenOp &s) -> Said {
       if (!isGather(s))
         return std::nullopt;
       unsigned at = sparseDim(s);
       int64_t size = viewTile(s).getDimSize(at);
       setIndex(s, at, tile({2 * size}, s.builder.getI32Type()));
       return ("expected gather/scatter index size (" + llvm::Twine(2 * size) + ") to match tile shape at gather/scatter dimension " +
               llvm::Twine(at) + " (" + llvm::Twine(size) + ")").str();
     }},
    {"gather_scalar", "load_view_tko|store_view_tko", "view", [](BrokenOp &s) -> Said {
       if (!isGather(s) || indicesOf(s).size() < 2)
         return std::nullopt;
       unsigned at = sparseDim(s) == 0 ? 1 : 0;
       setIndex(s, at, tile({4}, s.builder.getI32Type()));
       return ("expected index " + llvm::Twine(at) + " to be a scalar tile for GatherScatterView").str();
     }},
    {"gather_scatter_scalar_types", "load_view_tko|store_view_tko", "view", [](BrokenOp &s) -> Said {
       if (!isGather(s) || indicesOf(s).size() < 3)
         return std::nullopt;
       unsigned first = sparseDim(s) == 0 ? 1 : 0, second = sparseDim(s) == first + 1 ? first + 2 : first + 1;
       auto want = llvm::cast<TileType>(indicesOf(s)[first].get().getType());
       TileType wrong = tile({}, elementBut(s, want.getElementType(), {"i64", "i32", "i16"}));
       setIndex(s, second, wrong);
       return ("expected scalar index " + llvm::Twine(second) + " to have the same type as other scalar indices (" + quoted(want) + "), got " + quoted(wrong)).str();
     }},
    {"load_view_multicast", "load_view_tko", "load", multicast},
    {"store_view_multicast", "store_view_tko", "load", multicast},
    {"atomic_red_multicast", "atomic_red_view_tko", "atomic_red_view_tko", multicast},
    {"red_order", "atomic_red_view_tko", "atomic_red_view_tko", [](BrokenOp &s) -> Said {
       s.set("memory_ordering_semantics", MemoryOrderingSemanticsAttr::get(s.context(), s.stream.chance(50) ? MemoryOrderingSemantics::WEAK : MemoryOrderingSemantics::ACQ_REL));
       return "only 'relaxed' memory ordering is supported for view-based atomic reductions";
     }},
    {"red_scope", "atomic_red_view_tko", "atomic_red_view_tko", [](BrokenOp &s) -> Said {
       s.set("memory_scope", MemoryScopeAttr::get(s.context(), MemoryScope::SYS));
       return "memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'device' for TMA compatibility";
     }},
    {"red_gather", "atomic_red_view_tko", "atomic_red_view_tko", [](BrokenOp &s) -> Said {
       auto tensor = getUnderlyingTensorView(viewOf(s).getType());
       llvm::SmallVector<int32_t> shape;
       for (int64_t extent : viewTile(s).getShape())
         shape.push_back(static_cast<int32_t>(extent));
       if (shape.size() != tensor.getShape().size())
         return std::nullopt;
       s.operand(0, GatherScatterViewType::get(s.context(), s.builder.getDenseI32ArrayAttr(shape), tensor, 0, PaddingValueAttr()));
       return "gather_scatter_view is not supported; use partition_view instead";
     }},
    {"red_padding", "atomic_red_view_tko", "atomic_red_view_tko", [](BrokenOp &s) -> Said {
       auto grid = llvm::dyn_cast<PartitionViewType>(viewOf(s).getType());
       if (!grid)
         return std::nullopt;
       s.operand(0, PartitionViewType::get(s.context(), grid.getTileShape(), grid.getTensorView(), grid.getDimMap(),
                                           PaddingValueAttr::get(s.context(), PaddingValue::zero)));
       return "views with padding_value are not supported for atomic reductions";
     }},
    {"red_element", "atomic_red_view_tko", "atomic_red_view_tko", [](BrokenOp &s) -> Said {
       unsigned at = valueOfRed(s);
       mlir::Type want = s.elementIn(at), wrong = elementBut(s, want, {"f32", "i32", "f16"});
       s.operand(at, tile(s.shapeIn(at), wrong));
       return "view element type (" + quoted(want) + ") must match value element type (" + quoted(wrong) + ")";
     }},
    {"red_shape", "atomic_red_view_tko", "atomic_red_view_tko", [](BrokenOp &s) -> Said {
       unsigned at = valueOfRed(s);
       Shape want = s.shapeIn(at);
       s.operand(at, tile(doubled(want, 0), s.elementIn(at)));
       return "view tile shape " + list(want) + " must match value shape " + list(doubled(want, 0)) + " for element-wise atomic operations";
     }},
    {"red_xchg", "atomic_red_view_tko", "atomic_red_view_tko",
     [](BrokenOp &s) { return red(s, AtomicRMWMode::XCHG, "atomic_red_view_tko op cannot use xchg operation"); }},
    {"red_mode", "atomic_red_view_tko", "atomic_red_view_tko", [](BrokenOp &s) -> Said {
       if (s.elementIn(valueOfRed(s)).isInteger())
         return std::nullopt;
       static constexpr AtomicRMWMode kModes[] = {AtomicRMWMode::ADD, AtomicRMWMode::OR, AtomicRMWMode::MIN, AtomicRMWMode::UMAX};
       AtomicRMWMode chosen = s.stream.pick(llvm::ArrayRef(kModes));
       return red(s, chosen, ("'" + stringifyAtomicRMWMode(chosen) + "' works only with integers i32 and i64").str());
     }},
    {"red_indices", "atomic_red_view_tko", "atomic_red_view_tko", [](BrokenOp &s) -> Said {
       mlir::MutableOperandRange indices = indicesOf(s);
       size_t all = indices.size();
       indices.erase(static_cast<unsigned>(s.stream.below(all)), 1);
       return ("expected " + llvm::Twine(all) + " index operand(s) for view with tile rank " + llvm::Twine(all) + ", got " + llvm::Twine(all - 1)).str();
     }},
    {"red_index_rank", "atomic_red_view_tko", "atomic_red_view_tko", [](BrokenOp &s) -> Said {
       auto at = static_cast<unsigned>(s.stream.below(indicesOf(s).size()));
       setIndex(s, at, tile({4}, s.builder.getI32Type()));
       return ("index operand " + llvm::Twine(at) + " must be a scalar tile (rank 0), got shape 4").str();
     }},
};
// clang-format on

llvm::ArrayRef<OpBreaker> tilesmith::generators::viewOpBreakers() {
  return kBreakers;
}
