//===- ShapeOpBreakers.cpp - shapes, assumptions, globals of the kernel, broken in place ------===//
//
// One row per rule (InPlace.h explains the columns).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InPlace.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;
using llvm::StringRef;

static int64_t dimOf(const BrokenOp &site) {
  return llvm::cast<CatOp>(site.op).getDim();
}

/// A dimension of `cat` other than that along which it joins.
static std::optional<unsigned> otherDim(BrokenOp &site) {
  if (site.in(0).getRank() < 2)
    return std::nullopt;
  auto rank = static_cast<uint64_t>(site.in(0).getRank());
  auto dim = static_cast<unsigned>(site.stream.below(rank - 1));
  return dim >= dimOf(site) ? dim + 1 : dim;
}

static unsigned anyDim(BrokenOp &site, TileType type) {
  return static_cast<unsigned>(site.stream.below(static_cast<uint64_t>(type.getRank())));
}

static std::string expectedBut(StringRef text, int64_t expected, int64_t got,
                               StringRef comma = "") {
  return (text + ", expected: " + llvm::Twine(expected) + comma + " but got: " + llvm::Twine(got))
      .str();
}

static void permute(BrokenOp &site, llvm::ArrayRef<int32_t> permutation) {
  site.set("permutation", site.builder.getDenseI32ArrayAttr(permutation));
}

/// The value that an assumption is about gets this type, and so does the result.
static void assumeOf(BrokenOp &site, mlir::Type type) {
  site.operand(0, type);
  site.result(0, type);
}

static TileType integers(BrokenOp &site, Shape shape, StringRef element = "i32") {
  return tile(shape, typeOf(site.context(), element));
}

static Said assume(BrokenOp &site, mlir::Attribute predicate, StringRef said) {
  site.set("predicate", predicate);
  return said.str();
}

static mlir::Attribute divBy(BrokenOp &site, uint64_t divisor, std::optional<int64_t> every = {},
                             std::optional<int64_t> along = {}) {
  return DivByAttr::get(site.context(), divisor, every, along);
}

static mlir::Attribute sameElements(BrokenOp &site, llvm::ArrayRef<int64_t> groups) {
  return SameElementsAttr::get(site.context(), site.builder.getDenseI64ArrayAttr(groups));
}

static mlir::Attribute bounded(BrokenOp &site, std::optional<int64_t> low,
                               std::optional<int64_t> high) {
  return BoundedAttr::get(site.context(), low, high);
}

/// Indices of extract and insert: one less or one more.
static Said indices(BrokenOp &site, unsigned first, TileType of) {
  auto rank = static_cast<size_t>(of.getRank());
  bool more = rank == 0 || site.stream.chance(50);
  if (more)
    site.op->insertOperands(site.op->getNumOperands(),
                            site.value(tile({}, site.builder.getI32Type())));
  else
    site.op->eraseOperand(first);
  return ("expected " + llvm::Twine(rank) + " indices, but got " +
          llvm::Twine(more ? rank + 1 : rank - 1))
      .str();
}

static Said divides(BrokenOp &site, unsigned whole, StringRef wholeName, StringRef partName,
                    bool wholeIsResult) {
  // The whole of insert is its destination, that of extract its source.
  TileType part = wholeIsResult ? site.in(0) : site.out();
  TileType big = site.in(whole);
  if (part.getRank() == 0)
    return std::nullopt;
  unsigned dim = anyDim(site, part);
  int64_t large = big.getDimSize(dim), small = part.getDimSize(dim);
  if (wholeIsResult) {
    Shape shape(part.getShape());
    shape[dim] = small = 2 * large;
    site.operand(0, tile(shape, part.getElementType()));
  } else {
    if (small < 2)
      return std::nullopt;
    Shape shape(big.getShape());
    shape[dim] = large = small / 2;
    site.operand(0, tile(shape, big.getElementType()));
  }
  return (wholeName + " dimension " + llvm::Twine(dim) + " size (" + llvm::Twine(large) +
          ") must be evenly divisible by " + partName + " dimension " + llvm::Twine(dim) +
          " size (" + llvm::Twine(small) + ")")
      .str();
}

// clang-format off
static constexpr OpBreaker kBreakers[] = {
    {"iota_rank", "iota", "iota", [](BrokenOp &s) -> Said {
       s.result(0, tile({2, s.shapeOut()[0]}, s.elementOut()));
       return "expects result type to be 1-d tile";
     }},
    {"iota_range", "iota", "iota", [](BrokenOp &s) -> Said {
       s.result(0, integers(s, {512}, "i8"));
       return "the number of elements 512 exceeds the maximum value of element type 'i8'";
     }},
    {"broadcast_shape", "broadcast", "broadcast", [](BrokenOp &s) -> Said {
       unsigned dim = anyDim(s, s.out());
       Shape source = s.shapeIn(0);
       source[dim] = 2 * s.shapeOut()[dim];
       s.operand(0, tile(source, s.elementIn(0)));
       return "expects the shape of source tile to be compatible with that of the result tile, but got: " +
              list(source) + " and " + list(s.shapeOut());
     }},
    {"reshape_elements", "reshape", "reshape", [](BrokenOp &s) -> Said {
       Shape source = s.shapeIn(0);
       source.push_back(2);
       s.operand(0, tile(source, s.elementIn(0)));
       return "expected source tile and result tile to have the same number of elements";
     }},
    {"permute_rank", "permute", "permute", [](BrokenOp &s) -> Said {
       TileType flat = tile({4}, s.elementIn(0));
       s.operand(0, flat);
       s.result(0, flat);
       permute(s, {0});
       return "expects at least rank 2, but got: 1";
     }},
    {"permute_size", "permute", "permute", [](BrokenOp &s) -> Said {
       llvm::SmallVector<int32_t> order(llvm::cast<PermuteOp>(s.op).getPermutation());
       order.pop_back();
       permute(s, order);
       return "expect permutation size (" + std::to_string(order.size()) + ") to equal the rank of the source (" +
              std::to_string(order.size() + 1) + ")";
     }},
    {"permute_unique", "permute", "permute", [](BrokenOp &s) -> Said {
       llvm::SmallVector<int32_t> order(llvm::cast<PermuteOp>(s.op).getPermutation());
       order[0] = order.back();
       permute(s, order);
       return "expect permutation elements to be unique";
     }},
    {"permute_bound", "permute", "permute", [](BrokenOp &s) -> Said {
       llvm::SmallVector<int32_t> order(llvm::cast<PermuteOp>(s.op).getPermutation());
       size_t at = s.stream.below(order.size());
       order[at] = static_cast<int32_t>(order.size() + s.stream.below(100));
       permute(s, order);
       return ("permutation element at index " + llvm::Twine(at) + " (" + llvm::Twine(order[at]) + ") is out of bound [0, " +
               llvm::Twine(order.size()) + ")").str();
     }},
    {"permute_shape", "permute", "permute", [](BrokenOp &s) -> Said {
       auto from = static_cast<unsigned>(llvm::cast<PermuteOp>(s.op).getPermutation()[0]);
       s.operand(0, tile(doubled(s.shapeIn(0), from), s.elementIn(0)));
       return expectedBut("result shape invalid at index 0", s.shapeIn(0)[from], s.shapeOut()[0], ",");
     }},
    {"cat_dim", "cat", "cat", [](BrokenOp &s) -> Said {
       int64_t rank = s.in(0).getRank(), dim = rank + static_cast<int64_t>(s.stream.below(9));
       s.set("dim", s.builder.getI64IntegerAttr(dim));
       return ("expect dim to be [0, " + llvm::Twine(rank) + "), but got: " + llvm::Twine(dim)).str();
     }},
    {"cat_result", "cat", "cat", [](BrokenOp &s) -> Said {
       auto dim = static_cast<unsigned>(dimOf(s));
       s.operand(1, tile(doubled(s.shapeIn(1), dim), s.elementIn(1)));
       return expectedBut("invalid concat at position " + std::to_string(dim), s.shapeIn(0)[dim] + s.shapeIn(1)[dim], s.shapeOut()[dim]);
     }},
    {"cat_shapes", "cat", "cat", [](BrokenOp &s) -> Said {
       std::optional<unsigned> dim = otherDim(s);
       if (!dim)
         return std::nullopt;
       s.operand(1, tile(doubled(s.shapeIn(1), *dim), s.elementIn(1)));
       return expectedBut("expect lhs and rhs shapes to match at non-concat position " + std::to_string(*dim), s.shapeIn(0)[*dim], s.shapeIn(1)[*dim]);
     }},
    {"cat_result_shape", "cat", "cat", [](BrokenOp &s) -> Said {
       std::optional<unsigned> dim = otherDim(s);
       if (!dim)
         return std::nullopt;
       for (unsigned i = 0; i < 2; ++i)
         s.operand(i, tile(doubled(s.shapeIn(i), *dim), s.elementIn(i)));
       return expectedBut("expect lhs and result shapes to match at non-concat position " + std::to_string(*dim), s.shapeIn(0)[*dim], s.shapeOut()[*dim]);
     }},
    {"cat_element", "cat", "cat", [](BrokenOp &s) -> Said {
       s.operand(1, tile(s.shapeIn(1), elementBut(s, s.elementIn(0), {"f16", "f64", "i32"})));
       return "all of {lhs, rhs, result} have the same element type";
     }},
    {"extract_element", "extract", "extract", [](BrokenOp &s) -> Said {
       s.operand(0, tile(s.shapeIn(0), elementBut(s, s.elementIn(0), {"f16", "f64", "i32"})));
       return "source and result element type do not match";
     }},
    {"extract_rank", "extract", "extract", [](BrokenOp &s) -> Said {
       Shape shape = s.shapeIn(0);
       shape.push_back(1);
       s.operand(0, tile(shape, s.elementIn(0)));
       return "failed to verify that all of {source, result} have same rank";
     }},
    {"extract_divides", "extract", "extract", [](BrokenOp &s) { return divides(s, 0, "source", "result", false); }},
    {"extract_indices", "extract", "extract", [](BrokenOp &s) { return indices(s, 1, s.in(0)); }},
    {"insert_element", "insert", "insert", [](BrokenOp &s) -> Said {
       s.operand(0, tile(s.shapeIn(0), elementBut(s, s.elementIn(0), {"f16", "bf16", "i8"})));
       return "source and result element type do not match";
     }},
    {"insert_rank", "insert", "insert", [](BrokenOp &s) -> Said {
       Shape shape = s.shapeIn(0);
       shape.push_back(1);
       s.operand(0, tile(shape, s.elementIn(0)));
       return "source and result must have the same rank";
     }},
    {"insert_divides", "insert", "insert", [](BrokenOp &s) { return divides(s, 1, "result", "source", true); }},
    {"insert_indices", "insert", "insert", [](BrokenOp &s) { return indices(s, 2, s.in(1)); }},
    {"select_f4", "select", "select", [](BrokenOp &s) -> Said {
       if (s.out().getNumElements() % 2)
         return std::nullopt;
       TileType small = tile(s.shapeOut(), typeOf(s.context(), "f4E2M1FN"));
       s.operand(1, small);
       s.operand(2, small);
       s.result(0, small);
       return "cannot operate on sub-byte type F4E2M1FN";
     }},
    {"select_shape", "select", "select", [](BrokenOp &s) -> Said {
       Shape shape = s.shapeIn(0);
       if (shape.empty())
         shape.push_back(2);
       else
         shape[0] *= 2;
       s.operand(0, tile(shape, s.elementIn(0)));
       return "failed to verify that all of {cond, val_if_true, val_if_false, result} have same shape";
     }},
    {"pack_rank", "pack|unpack", "pack", [](BrokenOp &s) -> Said {
       s.operand(0, tile({2, s.shapeIn(0)[0]}, s.elementIn(0)));
       s.result(0, tile({2, s.shapeOut()[0]}, s.elementOut()));
       return "expects source and result to be rank-1 tiles";
     }},
    {"pack_width", "pack", "pack", [](BrokenOp &s) -> Said {
       s.operand(0, tile(s.shapeOut(), typeOf(s.context(), s.stream.chance(50) ? "f8E5M2" : "f8E4M3FN")));
       return "expects source and result to have different element type widths";
     }},
    {"pack_bytes", "pack", "pack", [](BrokenOp &s) -> Said {
       s.operand(0, tile({4}, s.builder.getI1Type()));
       return "expects source tile to be byte-aligned";
     }},
    {"pack_size", "pack", "pack", [](BrokenOp &s) -> Said {
       s.operand(0, tile(doubled(s.shapeIn(0), 0), s.elementIn(0)));
       return ("expects source and result to have the same size in bytes, but got source tile size " +
               llvm::Twine(2 * s.shapeOut()[0]) + " bytes and result tile size " + llvm::Twine(s.shapeOut()[0]) + " bytes").str();
     }},
    {"unpack_result_bytes", "unpack", "unpack", [](BrokenOp &s) -> Said {
       s.result(0, tile({4}, s.builder.getI1Type()));
       return "expects result tile to be byte-aligned";
     }},
    {"div_by_power", "assume", "assume", [](BrokenOp &s) {
       return assume(s, divBy(s, 3 + 2 * s.stream.below(9)), "'cuda_tile.div_by' divisor must be a power of 2");
     }},
    {"div_by_large", "assume", "assume", [](BrokenOp &s) {
       return assume(s, divBy(s, uint64_t(1) << 63), "'cuda_tile.div_by' divisor is too large");
     }},
    {"div_by_view", "assume", "assume", [](BrokenOp &s) {
       assumeOf(s, TensorViewType::get(s.context(), s.builder.getF32Type(), {64}, {1}));
       return assume(s, divBy(s, 4, 1, 0), "'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a tensor_view");
     }},
    {"div_by_scalar", "assume", "assume", [](BrokenOp &s) -> Said {
       if (!s.in(0) || s.in(0).getRank() != 0)
         assumeOf(s, integers(s, {}));
       return assume(s, divBy(s, 4, 1, 0), "'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a 0D tile");
     }},
    {"div_by_type", "assume", "assume", [](BrokenOp &s) {
       assumeOf(s, tile(s.in(0) ? s.shapeIn(0) : Shape(), s.builder.getF32Type()));
       return assume(s, divBy(s, 4), "'cuda_tile.div_by' is valid only for tile of integer/pointer or tensor_view values");
     }},
    {"div_by_along", "assume", "assume", [](BrokenOp &s) -> Said {
       if (!s.in(0) || s.in(0).getRank() == 0)
         assumeOf(s, integers(s, {8}));
       int64_t rank = s.in(0).getRank();
       return assume(s, divBy(s, 4, 1, rank), ("'cuda_tile.div_by' every_dim (" + llvm::Twine(rank) + ") must be >= 0 and < tile rank (" +
                                                llvm::Twine(rank) + ")").str());
     }},
    {"div_by_every", "assume", "assume", [](BrokenOp &s) -> Said {
       if (!s.in(0) || s.in(0).getRank() == 0)
         assumeOf(s, integers(s, {8}));
       int64_t extent = s.shapeIn(0)[0];
       return assume(s, divBy(s, 4, 2 * extent, 0), ("expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (" +
                                                      llvm::Twine(extent) + ")").str());
     }},
    {"same_elements_type", "assume", "same-elements", [](BrokenOp &s) {
       Shape shape = s.in(0) ? s.shapeIn(0) : Shape();
       assumeOf(s, tile(shape, s.builder.getF32Type()));
       return assume(s, sameElements(s, shape), "'cuda_tile.same_elements' is valid only for tile of integer/pointer values");
     }},
    {"same_elements_rank", "assume", "same-elements", [](BrokenOp &s) -> Said {
       if (!s.in(0))
         return std::nullopt;
       Shape groups = s.shapeIn(0);
       groups.push_back(1);
       return assume(s, sameElements(s, groups), ("expected number of values in 'cuda_tile.same_elements' (" + llvm::Twine(groups.size()) +
                                                  ") to match rank of constrained tile (" + llvm::Twine(groups.size() - 1) + ")").str());
     }},
    {"same_elements_range", "assume", "same-elements", [](BrokenOp &s) -> Said {
       if (!s.in(0) || s.in(0).getRank() == 0)
         assumeOf(s, integers(s, {8}));
       Shape groups = s.shapeIn(0);
       int64_t extent = groups[0];
       groups[0] = extent + 1;
       return assume(s, sameElements(s, groups), ("expected 'cuda_tile.same_elements' value 0 to be within 0 and the size of the respective dimension (" +
                                                  llvm::Twine(extent) + ")").str());
     }},
    {"bounded_type", "assume", "assume", [](BrokenOp &s) {
       assumeOf(s, tile(s.in(0) ? s.shapeIn(0) : Shape(), s.builder.getF32Type()));
       return assume(s, bounded(s, 0, 1), "'cuda_tile.bounded' is valid only for tile of integer values");
     }},
    {"bounded_lower", "assume", "assume", [](BrokenOp &s) {
       assumeOf(s, integers(s, s.in(0) ? s.shapeIn(0) : Shape(), "i8"));
       return assume(s, bounded(s, -129, std::nullopt), "'cuda_tile.bounded' expects lower bound to be within [-128, 127]");
     }},
    {"bounded_upper", "assume", "assume", [](BrokenOp &s) {
       assumeOf(s, integers(s, s.in(0) ? s.shapeIn(0) : Shape(), "i16"));
       return assume(s, bounded(s, std::nullopt, 40000), "'cuda_tile.bounded' expects upper bound to be within [-32768, 32767]");
     }},
    {"bounded_order", "assume", "assume", [](BrokenOp &s) {
       if (!s.in(0) || !s.elementIn(0).isInteger())
         assumeOf(s, integers(s, {}));
       return assume(s, bounded(s, 1, 0), "'cuda_tile.bounded' expects lower bound to be less than or equal to upper bound");
     }},
    {"print_unterminated", "print_tko", "print", [](BrokenOp &s) -> Said {
       s.set("str", s.builder.getStringAttr(llvm::cast<PrintTkoOp>(s.op).getStr() + "%"));
       return "found unterminated format expression";
     }},
    {"print_count", "print_tko", "print", [](BrokenOp &s) -> Said {
       auto print = llvm::cast<PrintTkoOp>(s.op);
       size_t args = print.getArgs().size();
       s.set("str", s.builder.getStringAttr(print.getStr() + " %d"));
       return ("incorrect number of operands: expected " + llvm::Twine(args + 1) + ", found " + llvm::Twine(args)).str();
     }},
    {"get_global_symbol", "get_global", "global-table", [](BrokenOp &s) -> Said {
       s.set("name", mlir::FlatSymbolRefAttr::get(s.context(), "nothing"));
       return "'nothing' does not reference a valid global";
     }},
    {"get_global_pointee", "get_global", "global-table", [](BrokenOp &s) -> Said {
       mlir::Type element = llvm::cast<PointerType>(s.elementOut()).getPointeeType();
       auto pointer = PointerType::get(elementBut(s, element, {"f64", "i16", "f32"}));
       std::string name = llvm::cast<GetGlobalOp>(s.op).getName().str();
       s.result(0, tile({}, pointer));
       return "pointee type of result type " + quoted(pointer) + " does not match type " + quoted(element) + " of the global @" + name;
     }},
    {"global_rank", "global", "global-table", [](BrokenOp &s) -> Said {
       auto values = llvm::cast<mlir::DenseElementsAttr>(s.op->getAttr("value"));
       auto type = llvm::cast<TileType>(values.getType());
       s.set("value", values.reshape(tile({1, type.getShape()[0]}, type.getElementType())));
       return "type must have rank 1";
     }},
    {"alloca_power", "alloca", "token-order", [](BrokenOp &s) -> Said {
       s.set("alignment", s.builder.getI64IntegerAttr(24));
       return "'alignment' must be power of two";
     }},
    {"alloca_size", "alloca", "token-order", [](BrokenOp &s) -> Said {
       mlir::Type element = llvm::cast<PointerType>(s.elementOut()).getPointeeType();
       unsigned bytes = element.getIntOrFloatBitWidth() / 8;
       if (bytes < 2)
         return std::nullopt;
       s.set("alignment", s.builder.getI64IntegerAttr(1));
       return ("'alignment' (1) must be at least the natural size (" + llvm::Twine(bytes) + " bytes) for element type " + quoted(element)).str();
     }},
};
// clang-format on

llvm::ArrayRef<OpBreaker> tilesmith::generators::shapeOpBreakers() {
  return kBreakers;
}
