//===- TileAASteps.cpp - one step of a program for each op of nv_tileaa -----------------------===//
#include "generators/program/TileAAProgram.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using llvm::formatv;

void TileAAProgram::integers() {
  static constexpr const char *ops[] = {"addi", "subi", "muli", "xori", "minsi", "maxui", "andi"};
  const char *op = ops[pick(std::size(ops))];
  std::string name = fresh(), a = oneOf(ints), b = oneOf(ints);
  emit(formatv("{0} = arith.{1} {2}, {3} : {4}", name, op, a, b, tile("i32")));
  ints.push_back(name);
}

void TileAAProgram::mulhi() {
  std::string name = fresh(), a = oneOf(ints), b = oneOf(ints);
  emit(formatv("{0} = \"nv_tileaa.mulhiui\"({1}, {2}) : ({3}, {3}) -> {3}", name, a, b,
               tile("i32")));
  ints.push_back(name);
}

void TileAAProgram::binaryFloat(llvm::StringRef op, const std::string &a, const std::string &b) {
  std::string name = fresh();
  emit(formatv("{0} = \"nv_tileaa.{1}\"({2}, {3}) <{{rounding_mode = "
               "#nv_tileaa.rounding_mode<nearest_even>} > : ({4}, {4}) -> {4}",
               name, op, a, b, tile("f32")));
  floats.push_back(name);
}

void TileAAProgram::addFloats() {
  const char *op = flip() ? "addf" : "subf";
  std::string a = oneOf(floats), b = oneOf(floats);
  binaryFloat(op, a, b);
}

std::string TileAAProgram::floatConstant(double value) {
  std::string name = fresh();
  emit(formatv("{0} = arith.constant dense<{1:F3}> : {2}", name, value, tile("f32")));
  return name;
}

void TileAAProgram::clamp() {
  double low = -static_cast<double>(pick(40)) / 8, high = static_cast<double>(pick(40)) / 8;
  std::string lo = floatConstant(low), hi = floatConstant(high), name = fresh(),
              value = oneOf(floats);
  bool propagates = flip();
  emit(formatv("{0} = \"nv_tileaa.clampf\"({1}, {2}, {3}) <{{{4}} > : ({5}, {5}, {5}) -> {5}", name,
               value, lo, hi, propagates ? "propagate_nan" : "", tile("f32")));
  floats.push_back(name);
}

void TileAAProgram::scan() {
  std::string name = fresh(), source = oneOf(ints);
  bool maximum = flip(), inclusive = flip(), reverse = flip();
  unsigned axis = pick(2);
  emit(formatv("{0} = \"nv_tileaa.scan\"({1}) <{{axis = {2} : i32, identities = [{3} : i32], "
               "inclusive = {4}, reverse = {5}} > ({{",
               name, source, axis, maximum ? "-2147483648" : "0", inclusive, reverse));
  emit("^bb0(%before: i32, %element: i32):");
  emit(formatv("  %c = arith.{0} %before, %element : i32", maximum ? "maxsi" : "addi"));
  emit("  \"nv_tileaa.yield\"(%c) : (i32) -> ()");
  emit(formatv("}) : ({0}) -> {0}", tile("i32")));
  ints.push_back(name);
}

void TileAAProgram::generate() {
  std::string captured = constant(pick(1000)), name = fresh();
  emit(formatv("{0} = \"nv_tileaa.generate\"({1}) ({{", name, captured));
  emit("^bb0(%i: i32, %j: i32, %c: i32):");
  emit("  %x = arith.muli %i, %c : i32");
  emit("  %y = arith.subi %x, %j : i32");
  emit("  \"nv_tileaa.yield\"(%y) : (i32) -> ()");
  emit(formatv("}) : (i32) -> {0}", tile("i32")));
  ints.push_back(name);
}

void TileAAProgram::histogram() {
  std::string name = fresh(), mask = flip() ? this->mask() : "", source = oneOf(ints);
  emit(formatv("{0} = \"nv_tileaa.histogram\"({1}{2}) : ({3}{4}) -> tensor<32xi32>", name, source,
               mask.empty() ? "" : ", " + mask, tile("i32"),
               mask.empty() ? "" : ", " + tile("i1")));
  storeTile(name, "i32", 32, "32");
}

void TileAAProgram::barrier() {
  std::string name = fresh(), a = oneOf(ints), b = oneOf(floats);
  emit(formatv("{0}:2 = \"nv_tileaa.optimization_barrier\"({1}, {2}) : ({3}, {4}) -> ({3}, {4})",
               name, a, b, tile("i32"), tile("f32")));
  ints.push_back(name + "#0");
  floats.push_back(name + "#1");
  emit(formatv("\"nv_tileaa.mark_for_reuse\"({0}#0) : ({1}) -> ()", name, tile("i32")));
}

void TileAAProgram::pragma() {
  std::string name = fresh();
  emit(formatv("{0}:2 = \"nv_tileaa.pragma\"({1}) <{{ocgEnterDirectives = [\"x\"]} > ({{", name,
               oneOf(ints)));
  emit(formatv("^bb0(%in: {0}):", tile("i32")));
  emit(formatv("  %sum = arith.addi %in, {0} : {1}", oneOf(ints), tile("i32")));
  emit(formatv("  \"nv_tileaa.yield\"(%sum, %in) : ({0}, {0}) -> ()", tile("i32")));
  emit(formatv("}) : ({0}) -> ({0}, {0})", tile("i32")));
  ints.push_back(name + "#0");
}

void TileAAProgram::call() {
  std::string name = fresh(), t = tile("f32");
  if (functions.empty())
    functions = formatv("\"nv_tileaa.func\"() <{{function_type = ({0}, {0}) -> ({0}, {0}), "
                        "sym_name = \"helper\"} > ({{\n^bb0(%a: {0}, %b: {0}):\n"
                        "  %s = \"nv_tileaa.addf\"(%a, %b) <{{rounding_mode = "
                        "#nv_tileaa.rounding_mode<nearest_even>} > : ({0}, {0}) -> {0}\n"
                        "  \"nv_tileaa.return\"(%b, %s) : ({0}, {0}) -> ()\n}) : () -> ()\n",
                        t);
  std::string a = oneOf(floats), b = oneOf(floats);
  emit(formatv("{0}:2 = \"nv_tileaa.call\"({1}, {2}) <{{callee = @helper} > : ({3}, {3}) -> "
               "({3}, {3})",
               name, a, b, t));
  floats.push_back(name + "#0");
  floats.push_back(name + "#1");
}

void TileAAProgram::library() {
  std::string name = fresh(), t = tile("f32"), value = oneOf(floats);
  bool isIntrinsic = flip(), isAbsolute = flip();
  if (isIntrinsic)
    emit(formatv("{0} = \"nv_tileaa.call_elementwise_intrinsic\"({1}) <{{intrinsic = "
                 "\"{2}\"} > : ({3}) -> {3}",
                 name, value, isAbsolute ? "fabsf" : "ceilf", t));
  else
    emit(formatv("{0} = \"nv_tileaa.extern_elementwise\"({1}) <{{symbol = \"__nv_floorf\", "
                 "libname = \"libdevice\", libpath = \"\", pure = true} > : ({2}) -> {2}",
                 name, value, t));
  floats.push_back(name);
}

void TileAAProgram::masked() {
  std::string condition = mask(), other = oneOf(ints);
  ints.push_back(load("i32", condition, other));
}

void TileAAProgram::constants() {
  static constexpr const char *modes[] = {"nearest_even", "zero", "negative_inf", "positive_inf"};
  std::string a = fresh(), b = fresh(), c = fresh(), name = fresh();
  emit(formatv("{0} = arith.constant {1}.0 : f32", a, 1 + pick(7)));
  const char *sign = flip() ? "-" : "";
  emit(formatv("{0} = arith.constant {1}{2}.0e-8 : f32", b, sign, 1 + pick(40)));
  emit(formatv("{0} = \"nv_tileaa.addf\"({1}, {2}) <{{rounding_mode = "
               "#nv_tileaa.rounding_mode<{3}>} > : (f32, f32) -> f32",
               c, a, b, modes[pick(std::size(modes))]));
  emit(formatv("{0} = \"nv_tileaa.splat\"({1}) : (f32) -> {2}", name, c, tile("f32")));
  storeTile(name, "f32", rows * columns, formatv("{0}x{1}", rows, columns));
}

std::string TileAAProgram::view(const std::string &base, int64_t extent, bool sparse,
                                std::string &type) {
  std::string memref = formatv("[{0}, {1}] x i32, strides = [{1}, 1], 1", extent, columns);
  std::string ref = fresh(), name = fresh();
  type = formatv("!nv_tileaa.tiled_view<tileShape = [{0}, {1}], memref = <{2}>, dimMap = [0, 1], "
                 "padding = <zero>{3}>",
                 rows, columns, memref, sparse ? ", sparseDim = 0" : "");
  emit(formatv("{0} = \"nv_tileaa.make_memref\"({1}) <{{alias_scope = 0 : i32, "
               "operandSegmentSizes = array<i32: 1, 0, 0, 0>} > : ({2}) -> "
               "!nv_tileaa.memref<{3}>",
               ref, base, kPointerToI32, memref));
  emit(formatv("{0} = \"nv_tileaa.block_tile\"({1}) <{{dimGroups = [array<i64: 0>, array<i64: "
               "1>], padding_value = #nv_tileaa.padding_value<zero>, tileSizes = array<i64: {2}, "
               "{3}>} > : (!nv_tileaa.memref<{4}>) -> {5}",
               name, ref, rows, columns, memref, type));
  return name;
}

void TileAAProgram::gather() {
  int64_t extent = rows + pick(rows + 1);
  std::string type, to, from = view(argument("i32", extent * columns), extent, true, type);
  std::string target = view(argument("i32", extent * columns), extent, true, to);
  std::string zero = constant(0), step = constant(1 + 2 * pick(2)), end = fresh(), range = fresh(),
              scaled = fresh(), t = tile("i32"), name = fresh();
  std::string rowType = formatv("tensor<{0}xi32>", rows), factor = fresh();
  emit(formatv("{0} = arith.constant {1} : i32", end, rows));
  emit(formatv("{0} = \"nv_tileaa.make_range\"({1}, {2}) : (i32, i32) -> {3}", range, zero, end,
               rowType));
  emit(formatv("{0} = \"nv_tileaa.splat\"({1}) : (i32) -> {2}", factor, step, rowType));
  emit(formatv("{0} = arith.muli {1}, {2} : {3}", scaled, range, factor, rowType));
  std::string condition = mask(), other = oneOf(ints);
  emit(formatv("{0} = \"nv_tileaa.gather_load\"({1}, {2}, {3}, {4}, {5}) <{{mem_semantic = "
               "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 1, 1, 0>} "
               "> : ({6}, {7}, i32, {8}, {9}) -> {9}",
               name, from, scaled, zero, condition, other, type, rowType, tile("i1"), t));
  ints.push_back(name);
  std::string stored = oneOf(ints), chosen = mask();
  emit(formatv("\"nv_tileaa.scatter_store\"({0}, {1}, {2}, {3}, {4}) <{{mem_semantic = "
               "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 0>} "
               "> : ({5}, {6}, {7}, i32, {8}) -> ()",
               target, stored, scaled, zero, chosen, to, t, rowType, tile("i1")));
}

void TileAAProgram::tiledLoad() {
  int64_t extent = 2 * rows - pick(rows);
  std::string type, from = view(argument("i32", extent * columns), extent, false, type);
  std::string one = constant(1), zero = constant(0), name = fresh();
  if (extent <= rows)
    one = zero;
  emit(formatv("{0} = \"nv_tileaa.tiled_load\"({1}, {2}, {3}) <{{in_bounds = array<i1: {4}, "
               "true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = "
               "array<i32: 1, 2, 0>} > : ({5}, i32, i32) -> {6}",
               name, from, one, zero, extent == 2 * rows ? "true" : "false", type, tile("i32")));
  ints.push_back(name);
}

void TileAAProgram::element() {
  unsigned stride = 16 + pick(8);
  std::string type = "!nv_tileaa.memref<[?, 16] x i32, strides = [?, 1], 1>";
  std::string extent = constant(8), step = constant(stride), value = fresh(), refs[2];
  for (std::string &ref : refs) {
    std::string base = argument("i32", 8 * stride);
    ref = fresh();
    emit(formatv("{0} = \"nv_tileaa.make_memref\"({1}, {2}, {3}) <{{alias_scope = 0 : i32, "
                 "operandSegmentSizes = array<i32: 1, 0, 1, 1>} > : ({4}, i32, i32) -> {5}",
                 ref, base, extent, step, kPointerToI32, type));
  }
  std::string at[4];
  for (unsigned i = 0; i < 4; ++i)
    at[i] = constant(pick(i % 2 ? 16 : 8));
  emit(formatv("{0} = \"nv_tileaa.load\"({1}, {2}, {3}) <{{mem_semantic = "
               "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0, 0, 0>} "
               "> : ({4}, i32, i32) -> i32",
               value, refs[0], at[0], at[1], type));
  emit(formatv("\"nv_tileaa.store\"({0}, {1}, {2}, {3}) <{{mem_semantic = "
               "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>} "
               "> : ({4}, i32, i32, i32) -> ()",
               refs[1], value, at[2], at[3], type));
}
