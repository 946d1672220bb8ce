//===- ProgramsTest.cpp - random programs of nv_tileaa on every engine that takes them --------===//
//
// Most ops of nv_tileaa that no cuda_tile op becomes cannot be reached by generated kernels. Here a
// program is a text of nv_tileaa: loads, some random steps over a pool of tiles, stores. The
// interpreter of that stage says what it computes; the canonicalizers, nv_tileas and the emulated
// GPU at two levels must agree bit for bit (floats are small multiples of 1/8, so that every sum
// and product is exact).
//
// One file, though long: one step per op of the roster, all over the same pool.
//
// TILESMITH_TILEAA_PROGRAMS says how many programs run, TILESMITH_TILEAA_SEED the first one.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "oracles/engines/Engine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <random>
#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;
using llvm::formatv;

namespace {

constexpr char kI32[] = "!nv_tileaa.ptr<i32, 1>";
constexpr char kF32[] = "!nv_tileaa.ptr<f32, 1>";
constexpr char kToken[] = "!nv_tileaa.mem_token";

class Program {
public:
  explicit Program(uint64_t seed) : random(seed) {
    rows = 1 << pick(4), columns = 8 << pick(4);
    testCase.name = formatv("tileaa-{0}", seed).str();
    for (int i = 0; i < 2; ++i)
      ints.push_back(load("i32"));
    floats.push_back(load("f32"));
    floats.push_back(load("f32"));
    for (unsigned i = 0, steps = 3 + pick(6); i < steps; ++i)
      step();
    for (const std::string &value : llvm::ArrayRef(ints).take_back(2))
      store(value, "i32");
    store(floats.back(), "f32");
    finish();
  }

  testcase::TestCase testCase;
  std::set<std::string> used; ///< names of the steps

private:
  unsigned pick(unsigned below) { return random() % below; }
  bool flip() { return pick(2); }
  const std::string &oneOf(const std::vector<std::string> &pool) { return pool[pick(pool.size())]; }
  std::string fresh() { return formatv("%v{0}", ++number); }
  void emit(const std::string &line) { body += "  " + line + "\n"; }
  std::string tile(llvm::StringRef element) const {
    return formatv("tensor<{0}x{1}x{2}>", rows, columns, element);
  }
  std::string constant(int64_t value) {
    std::string name = fresh();
    emit(formatv("{0} = arith.constant {1} : i32", name, value));
    return name;
  }

  //===- memory -----------------------------------------------------------------------------------//

  /// A pointer argument to `count` elements with random contents.
  std::string argument(llvm::StringRef element, size_t count, int low = -64, int high = 64) {
    testcase::Buffer buffer;
    buffer.dtype = element == "i32" ? testcase::DataType::I32 : testcase::DataType::F32;
    buffer.shape = {static_cast<int64_t>(count)};
    buffer.strides = {1};
    for (size_t i = 0; i < count; ++i) {
      int number = low + static_cast<int>(pick(high - low));
      float real = number / 8.0f;
      const void *bytes = element == "i32" ? static_cast<const void *>(&number) : &real;
      buffer.data.insert(buffer.data.end(), static_cast<const uint8_t *>(bytes),
                         static_cast<const uint8_t *>(bytes) + 4);
    }
    parameters.push_back(testcase::Parameter::pointer(testCase.buffers.size(), buffer.dtype));
    testCase.buffers.push_back(std::move(buffer));
    std::string name = formatv("%p{0}", arguments.size());
    arguments.push_back({name, element == "i32" ? kI32 : kF32});
    return name;
  }

  std::string pointers(const std::string &base, llvm::StringRef element, size_t count,
                       const std::string &shape) {
    llvm::StringRef pointer = element == "i32" ? kI32 : kF32;
    std::string zero = constant(0), end = constant(count), range = fresh(), splat = fresh(),
                sum = fresh(), view = fresh();
    std::string flat = formatv("tensor<{0}x{1}>", count, pointer);
    emit(formatv("{0} = \"nv_tileaa.make_range\"({1}, {2}) : (i32, i32) -> tensor<{3}xi32>", range,
                 zero, end, count));
    emit(formatv("{0} = \"nv_tileaa.splat\"({1}) : ({2}) -> {3}", splat, base, pointer, flat));
    emit(formatv("{0} = \"nv_tileaa.addptr\"({1}, {2}) : ({3}, tensor<{4}xi32>) -> {3}", sum, splat,
                 range, flat, count));
    emit(formatv("{0} = \"nv_tileaa.view\"({1}) : ({2}) -> tensor<{3}x{4}>", view, sum, flat, shape,
                 pointer));
    return view;
  }

  std::string load(llvm::StringRef element, const std::string &mask = "",
                   const std::string &other = "") {
    std::string base = argument(element, rows * columns), at = fresh();
    std::string shape = formatv("{0}x{1}", rows, columns);
    std::string from = pointers(base, element, rows * columns, shape);
    emit(formatv("{0} = \"nv_tileaa.load\"({1}{2}) <{{{3}mem_semantic = "
                 "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, {4}, 0>} > "
                 ": (tensor<{5}x{6}>{7}) -> {8}",
                 at, from, mask.empty() ? "" : ", " + mask + ", " + other,
                 flip() ? "is_volatile, " : "", mask.empty() ? "0, 0" : "1, 1", shape,
                 element == "i32" ? kI32 : kF32,
                 mask.empty() ? "" : ", " + tile("i1") + ", " + tile(element), tile(element)));
    return at;
  }

  void storeTile(const std::string &value, llvm::StringRef element, size_t count,
                 const std::string &shape, const std::string &mask = "") {
    std::string base = argument(element, count);
    std::string to = pointers(base, element, count, shape);
    emit(formatv("\"nv_tileaa.store\"({0}, {1}{2}) <{{mem_semantic = "
                 "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, {3}, "
                 "0>} > : (tensor<{4}x{5}>, tensor<{4}x{6}>{7}) -> ()",
                 to, value, mask.empty() ? "" : ", " + mask, mask.empty() ? 0 : 1, shape,
                 element == "i32" ? kI32 : kF32, element, mask.empty() ? "" : ", " + tile("i1")));
  }
  void store(const std::string &value, llvm::StringRef element) {
    storeTile(value, element, rows * columns, formatv("{0}x{1}", rows, columns),
              flip() ? mask() : "");
  }

  std::string mask() {
    std::string name = fresh();
    emit(formatv("{0} = arith.cmpi slt, {1}, {2} : {3}", name, oneOf(ints), oneOf(ints),
                 tile("i32")));
    return name;
  }

  //===- steps ------------------------------------------------------------------------------------//

  void step() {
    using Step = void (Program::*)();
    static constexpr std::pair<const char *, Step> steps[] = {
        {"integers", &Program::integers},   {"floats", &Program::addFloats},
        {"clampf", &Program::clamp},        {"scan", &Program::scan},
        {"generate", &Program::generate},   {"histogram", &Program::histogram},
        {"barrier", &Program::barrier},     {"pragma", &Program::pragma},
        {"call", &Program::call},           {"library", &Program::library},
        {"gather", &Program::gather},       {"element", &Program::element},
        {"view", &Program::tiledLoad},      {"masked", &Program::masked},
        {"constants", &Program::constants}, {"mulhiui", &Program::mulhi},
        {"agents", &Program::agents}};
    auto [name, function] = steps[pick(std::size(steps))];
    used.insert(name);
    (this->*function)();
  }

  void integers() {
    static constexpr const char *ops[] = {"addi", "subi", "muli", "xori", "minsi", "maxui", "andi"};
    std::string name = fresh();
    emit(formatv("{0} = arith.{1} {2}, {3} : {4}", name, ops[pick(std::size(ops))], oneOf(ints),
                 oneOf(ints), tile("i32")));
    ints.push_back(name);
  }

  void mulhi() {
    std::string name = fresh();
    emit(formatv("{0} = \"nv_tileaa.mulhiui\"({1}, {2}) : ({3}, {3}) -> {3}", name, oneOf(ints),
                 oneOf(ints), tile("i32")));
    ints.push_back(name);
  }

  void binaryFloat(llvm::StringRef op, const std::string &a, const std::string &b) {
    std::string name = fresh();
    emit(formatv("{0} = \"nv_tileaa.{1}\"({2}, {3}) <{{rounding_mode = "
                 "#nv_tileaa.rounding_mode<nearest_even>} > : ({4}, {4}) -> {4}",
                 name, op, a, b, tile("f32")));
    floats.push_back(name);
  }
  void addFloats() { binaryFloat(flip() ? "addf" : "subf", oneOf(floats), oneOf(floats)); }

  std::string floatConstant(double value) {
    std::string name = fresh();
    emit(formatv("{0} = arith.constant dense<{1:F3}> : {2}", name, value, tile("f32")));
    return name;
  }

  void clamp() {
    double low = -static_cast<double>(pick(40)) / 8, high = static_cast<double>(pick(40)) / 8;
    std::string lo = floatConstant(low), hi = floatConstant(high), name = fresh();
    emit(formatv("{0} = \"nv_tileaa.clampf\"({1}, {2}, {3}) <{{{4}} > : ({5}, {5}, {5}) -> {5}",
                 name, oneOf(floats), lo, hi, flip() ? "propagate_nan" : "", tile("f32")));
    floats.push_back(name);
  }

  void scan() {
    std::string name = fresh(), source = oneOf(ints);
    bool maximum = flip();
    emit(formatv("{0} = \"nv_tileaa.scan\"({1}) <{{axis = {2} : i32, identities = [{3} : i32], "
                 "inclusive = {4}, reverse = {5}} > ({{",
                 name, source, pick(2), maximum ? "-2147483648" : "0", flip() ? "true" : "false",
                 flip() ? "true" : "false"));
    emit("^bb0(%before: i32, %element: i32):");
    emit(formatv("  %c = arith.{0} %before, %element : i32", maximum ? "maxsi" : "addi"));
    emit("  \"nv_tileaa.yield\"(%c) : (i32) -> ()");
    emit(formatv("}) : ({0}) -> {0}", tile("i32")));
    ints.push_back(name);
  }

  void generate() {
    std::string captured = constant(pick(1000)), name = fresh();
    emit(formatv("{0} = \"nv_tileaa.generate\"({1}) ({{", name, captured));
    emit("^bb0(%i: i32, %j: i32, %c: i32):");
    emit("  %x = arith.muli %i, %c : i32");
    emit("  %y = arith.subi %x, %j : i32");
    emit("  \"nv_tileaa.yield\"(%y) : (i32) -> ()");
    emit(formatv("}) : (i32) -> {0}", tile("i32")));
    ints.push_back(name);
  }

  void histogram() {
    std::string name = fresh(), mask = flip() ? this->mask() : "";
    emit(formatv("{0} = \"nv_tileaa.histogram\"({1}{2}) : ({3}{4}) -> tensor<32xi32>", name,
                 oneOf(ints), mask.empty() ? "" : ", " + mask, tile("i32"),
                 mask.empty() ? "" : ", " + tile("i1")));
    storeTile(name, "i32", 32, "32");
  }

  void barrier() {
    std::string name = fresh();
    emit(formatv("{0}:2 = \"nv_tileaa.optimization_barrier\"({1}, {2}) : ({3}, {4}) -> ({3}, {4})",
                 name, oneOf(ints), oneOf(floats), tile("i32"), tile("f32")));
    ints.push_back(name + "#0");
    floats.push_back(name + "#1");
    emit(formatv("\"nv_tileaa.mark_for_reuse\"({0}#0) : ({1}) -> ()", name, tile("i32")));
  }

  void pragma() {
    std::string name = fresh();
    emit(formatv("{0}:2 = \"nv_tileaa.pragma\"({1}) <{{ocgEnterDirectives = [\"x\"]} > ({{", name,
                 oneOf(ints)));
    emit(formatv("^bb0(%in: {0}):", tile("i32")));
    emit(formatv("  %sum = arith.addi %in, {0} : {1}", oneOf(ints), tile("i32")));
    emit(formatv("  \"nv_tileaa.yield\"(%sum, %in) : ({0}, {0}) -> ()", tile("i32")));
    emit(formatv("}) : ({0}) -> ({0}, {0})", tile("i32")));
    ints.push_back(name + "#0");
  }

  void call() {
    std::string name = fresh(), t = tile("f32");
    if (functions.empty())
      functions = formatv("\"nv_tileaa.func\"() <{{function_type = ({0}, {0}) -> ({0}, {0}), "
                          "sym_name = \"helper\"} > ({{\n^bb0(%a: {0}, %b: {0}):\n"
                          "  %s = \"nv_tileaa.addf\"(%a, %b) <{{rounding_mode = "
                          "#nv_tileaa.rounding_mode<nearest_even>} > : ({0}, {0}) -> {0}\n"
                          "  \"nv_tileaa.return\"(%b, %s) : ({0}, {0}) -> ()\n}) : () -> ()\n",
                          t);
    emit(formatv("{0}:2 = \"nv_tileaa.call\"({1}, {2}) <{{callee = @helper} > : ({3}, {3}) -> "
                 "({3}, {3})",
                 name, oneOf(floats), oneOf(floats), t));
    floats.push_back(name + "#0");
    floats.push_back(name + "#1");
  }

  void library() {
    std::string name = fresh(), t = tile("f32");
    if (flip())
      emit(formatv("{0} = \"nv_tileaa.call_elementwise_intrinsic\"({1}) <{{intrinsic = "
                   "\"{2}\"} > : ({3}) -> {3}",
                   name, oneOf(floats), flip() ? "fabsf" : "ceilf", t));
    else
      emit(formatv("{0} = \"nv_tileaa.extern_elementwise\"({1}) <{{symbol = \"__nv_floorf\", "
                   "libname = \"libdevice\", libpath = \"\", pure = true} > : ({2}) -> {2}",
                   name, oneOf(floats), t));
    floats.push_back(name);
  }

  void masked() {
    std::string condition = mask(), other = oneOf(ints);
    ints.push_back(load("i32", condition, other));
  }

  /// A chain of constants, under a rounding mode of its own.
  void constants() {
    static constexpr const char *modes[] = {"nearest_even", "zero", "negative_inf", "positive_inf"};
    std::string a = fresh(), b = fresh(), c = fresh(), name = fresh();
    emit(formatv("{0} = arith.constant {1}.0 : f32", a, 1 + pick(7)));
    emit(formatv("{0} = arith.constant {1}{2}.0e-8 : f32", b, flip() ? "-" : "", 1 + pick(40)));
    emit(formatv("{0} = \"nv_tileaa.addf\"({1}, {2}) <{{rounding_mode = "
                 "#nv_tileaa.rounding_mode<{3}>} > : (f32, f32) -> f32",
                 c, a, b, modes[pick(std::size(modes))]));
    emit(formatv("{0} = \"nv_tileaa.splat\"({1}) : (f32) -> {2}", name, c, tile("f32")));
    storeTile(name, "f32", rows * columns, formatv("{0}x{1}", rows, columns));
  }

  std::string view(const std::string &base, int64_t extent, bool sparse, std::string &type) {
    std::string memref = formatv("[{0}, {1}] x i32, strides = [{1}, 1], 1", extent, columns);
    std::string ref = fresh(), name = fresh();
    type = formatv("!nv_tileaa.tiled_view<tileShape = [{0}, {1}], memref = <{2}>, dimMap = [0, 1], "
                   "padding = <zero>{3}>",
                   rows, columns, memref, sparse ? ", sparseDim = 0" : "");
    emit(formatv("{0} = \"nv_tileaa.make_memref\"({1}) <{{alias_scope = 0 : i32, "
                 "operandSegmentSizes = array<i32: 1, 0, 0, 0>} > : ({2}) -> "
                 "!nv_tileaa.memref<{3}>",
                 ref, base, kI32, memref));
    emit(formatv("{0} = \"nv_tileaa.block_tile\"({1}) <{{dimGroups = [array<i64: 0>, array<i64: "
                 "1>], padding_value = #nv_tileaa.padding_value<zero>, tileSizes = array<i64: {2}, "
                 "{3}>} > : (!nv_tileaa.memref<{4}>) -> {5}",
                 name, ref, rows, columns, memref, type));
    return name;
  }

  /// Rows by a tile of numbers, some of which lie outside; all distinct, for the scatter.
  void gather() {
    int64_t extent = rows + pick(rows + 1);
    std::string type, to, from = view(argument("i32", extent * columns), extent, true, type);
    std::string target = view(argument("i32", extent * columns), extent, true, to);
    std::string zero = constant(0), step = constant(1 + 2 * pick(2)), end = fresh(),
                range = fresh(), scaled = fresh(), t = tile("i32"), name = fresh();
    std::string rowType = formatv("tensor<{0}xi32>", rows), factor = fresh();
    emit(formatv("{0} = arith.constant {1} : i32", end, rows));
    emit(formatv("{0} = \"nv_tileaa.make_range\"({1}, {2}) : (i32, i32) -> {3}", range, zero, end,
                 rowType));
    emit(formatv("{0} = \"nv_tileaa.splat\"({1}) : (i32) -> {2}", factor, step, rowType));
    emit(formatv("{0} = arith.muli {1}, {2} : {3}", scaled, range, factor, rowType));
    std::string condition = mask();
    emit(formatv("{0} = \"nv_tileaa.gather_load\"({1}, {2}, {3}, {4}, {5}) <{{mem_semantic = "
                 "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 1, 1, 0>} "
                 "> : ({6}, {7}, i32, {8}, {9}) -> {9}",
                 name, from, scaled, zero, condition, oneOf(ints), type, rowType, tile("i1"), t));
    ints.push_back(name);
    emit(formatv("\"nv_tileaa.scatter_store\"({0}, {1}, {2}, {3}, {4}) <{{mem_semantic = "
                 "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 0>} "
                 "> : ({5}, {6}, {7}, i32, {8}) -> ()",
                 target, oneOf(ints), scaled, zero, mask(), to, t, rowType, tile("i1")));
  }

  /// The last tile of a ragged tensor; its columns are promised to be in bounds.
  void tiledLoad() {
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

  /// One element of a memref, to another place of another one.
  void element() {
    unsigned stride = 16 + pick(8);
    std::string type = "!nv_tileaa.memref<[?, 16] x i32, strides = [?, 1], 1>";
    std::string extent = constant(8), step = constant(stride), value = fresh(), refs[2];
    for (std::string &ref : refs) {
      std::string base = argument("i32", 8 * stride);
      ref = fresh();
      emit(formatv("{0} = \"nv_tileaa.make_memref\"({1}, {2}, {3}) <{{alias_scope = 0 : i32, "
                   "operandSegmentSizes = array<i32: 1, 0, 1, 1>} > : ({4}, i32, i32) -> {5}",
                   ref, base, extent, step, kI32, type));
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

  std::string access(const std::string &base, const std::string &grid) {
    std::string splat = fresh(), sum = fresh();
    std::string tiles = formatv("tensor<{0}x{1}x{2}>", rows, columns, kI32);
    emit(formatv("{0} = \"nv_tileaa.splat\"({1}) : ({2}) -> {3}", splat, base, kI32, tiles));
    emit(formatv("{0} = \"nv_tileaa.addptr\"({1}, {2}) : ({3}, {4}) -> {3}", sum, splat, grid,
                 tiles, tile("i32")));
    return sum;
  }
  std::string loadBehind(const std::string &pointers, const std::string &token) {
    std::string name = fresh();
    emit(
        formatv("{0}:2 = \"nv_tileaa.load\"({1}, {2}) <{{mem_semantic = "
                "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>} > "
                ": (tensor<{3}x{4}x{5}>, {6}) -> ({7}, {6})",
                name, pointers, token, rows, columns, kI32, kToken, tile("i32")));
    return name;
  }
  std::string storeBehind(const std::string &pointers, const std::string &value,
                          const std::string &token) {
    std::string name = fresh();
    emit(
        formatv("{0} = \"nv_tileaa.store\"({1}, {2}, {3}) <{{mem_semantic = "
                "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} > "
                ": (tensor<{4}x{5}x{6}>, {7}, {8}) -> {8}",
                name, pointers, value, token, rows, columns, kI32, tile("i32"), kToken));
    return name;
  }

  /// One agent loads tiles, which the block has written in part, and puts them into a queue; others
  /// add them up and store the sums, which the block loads behind them.
  void agents() {
    if (hasAgents) // others would have to have as many warps
      return integers();
    hasAgents = true;
    unsigned count = 1 + pick(4), consumers = 1 + pick(2), size = rows * columns;
    bool sometimes = flip();
    std::string source = argument("i32", count * size), start = fresh(), t = tile("i32");
    std::string zero = constant(0), one = constant(1), end = constant(count),
                bytes = constant(size), range = fresh(), grid = fresh(), queue = fresh();
    std::string type = formatv("!nv_tileaa.queue<[{0}, i32, {1}]>", t, kToken);
    emit(formatv("{0} = \"nv_tileaa.make_range\"({1}, {2}) : (i32, i32) -> tensor<{3}xi32>", range,
                 zero, bytes, size));
    emit(formatv("{0} = \"nv_tileaa.view\"({1}) : (tensor<{2}xi32>) -> {3}", grid, range, size, t));
    emit(formatv("{0} = \"nv_tileaa.create_mem_token\"() : () -> {1}", start, kToken));
    std::string written = storeBehind(access(source, grid), oneOf(ints), start), done = fresh();
    emit(formatv("{0} = \"nv_tileaa.create_queue\"() <{{depth = {1} : i32} > : () -> {2}", queue,
                 1 + pick(3), type));
    static constexpr const char *warps[2][4] = {
        {"", ", numWarps = array<i32: 4, 4>", ", numWarps = array<i32: 1, 1>",
         ", numWarps = array<i32: 2, 2>"},
        {", numWarps = array<i32: 2, 1, 1>", ", numWarps = array<i32: 4, 2, 2>",
         ", numWarps = array<i32: 1, 1, 2>", ", numWarps = array<i32: 8, 4, 4>"}};
    emit(formatv("{0}:{1} = \"nv_tileaa.execute\"({2}) <{{numAgents = {1} : i32{3}} > ({{", done,
                 consumers + 1, written, warps[consumers - 1][pick(4)]));
    std::string token = fresh(), at = fresh(), here = fresh();
    emit(formatv("^bb0({0}: {1}):", token, kToken));
    emit(formatv("scf.for {0} = {1} to {2} step {3} : i32 {{", at, zero, end, one));
    emit(formatv("{0} = arith.muli {1}, {2} : i32", here, at, bytes));
    std::string from = fresh();
    emit(formatv("{0} = \"nv_tileaa.addptr\"({1}, {2}) : ({3}, i32) -> {3}", from, source, here,
                 kI32));
    std::string loaded = loadBehind(access(from, grid), token);
    condition(sometimes, at, one, "");
    emit(formatv(
        "\"nv_tileaa.queue.put\"({0}, {1}#0, {2}, {1}#1) ({{}) : ({3}, {4}, i32, {5}) -> ()", queue,
        loaded, at, type, t, kToken));
    emit(sometimes ? "} }" : "}");
    emit(formatv("\"nv_tileaa.yield\"({0}) : ({1}) -> ()", token, kToken));
    std::vector<std::string> sinks;
    for (unsigned i = 0; i < consumers; ++i) {
      sinks.push_back(argument("i32", size));
      consume(queue, type, sinks.back(), grid, zero, one, end, sometimes);
    }
    emit(formatv("}) : ({0}) -> ({1}{0})", kToken,
                 consumers == 2 ? formatv("{0}, {0}, ", kToken) : formatv("{0}, ", kToken)));
    for (unsigned i = 0; i < consumers; ++i)
      ints.push_back(loadBehind(access(sinks[i], grid), formatv("{0}#{1}", done, i + 1)) + "#0");
  }

  /// Opens a branch that odd iterations take alone, if there is to be one.
  void condition(bool sometimes, const std::string &at, const std::string &one,
                 const std::string &results) {
    if (!sometimes)
      return;
    std::string bit = fresh(), odd = fresh();
    emit(formatv("{0} = arith.andi {1}, {2} : i32", bit, at, one));
    emit(formatv("{0} = arith.cmpi eq, {1}, {2} : i32", odd, bit, one));
    emit(formatv("{0}scf.if {1}{2} {{", results.empty() ? "" : results + " = ", odd,
                 results.empty() ? "" : formatv(" -> ({0})", tile("i32")).str()));
  }

  void consume(const std::string &queue, const std::string &type, const std::string &sink,
               const std::string &grid, const std::string &zero, const std::string &one,
               const std::string &end, bool sometimes) {
    std::string t = tile("i32"), token = fresh(), init = fresh(), sums = fresh(), at = fresh(),
                sum = fresh(), item = fresh(), number = fresh(), next = fresh(), kept = fresh();
    emit("}, {");
    emit(formatv("^bb0({0}: {1}):", token, kToken));
    emit(formatv("{0} = arith.constant dense<{1}> : {2}", init, pick(100), t));
    emit(formatv("{0} = scf.for {1} = {2} to {3} step {4} iter_args({5} = {6}) -> ({7}) : i32 {{",
                 sums, at, zero, end, one, sum, init, t));
    condition(sometimes, at, one, kept);
    if (flip()) { // the region makes the item smaller
      std::string scaled = fresh(), x = fresh(), k = fresh(), u = fresh();
      emit(formatv("{0}:2 = \"nv_tileaa.queue.get\"({1}) ({{", item, queue));
      emit(formatv("^bb0({0}: {1}, {2}: i32, {3}: {4}):", x, t, k, u, kToken));
      emit(formatv("{0} = arith.muli {1}, {1} : {2}", scaled, x, t));
      emit(formatv("\"nv_tileaa.queue.yield\"({0}, {1}) : ({2}, i32) -> ()", scaled, k, t));
      emit(formatv("}) : ({0}) -> ({1}, i32)", type, t));
    } else {
      emit(formatv("{0}:3 = \"nv_tileaa.queue.get\"({1}) ({{}) : ({2}) -> ({3}, i32, {4})", item,
                   queue, type, t, kToken));
    }
    std::string turned = fresh(), product = fresh();
    emit(formatv("{0} = \"nv_tileaa.splat\"({1}#1) : (i32) -> {2}", number, item, t));
    emit(formatv("{0} = arith.muli {1}#0, {2} : {3}", product, item, number, t));
    if (rows == columns)
      emit(formatv(
          "{0} = \"nv_tileaa.permute\"({1}) <{{permutation = array<i32: 1, 0>} > : ({2}) -> "
          "{2}",
          turned, product, t));
    else
      turned = product;
    emit(formatv("{0} = arith.addi {1}, {2} : {3}", next, sum, turned, t));
    if (sometimes) {
      emit(formatv("scf.yield {0} : {1}", next, t));
      emit(formatv("} else {{ scf.yield {0} : {1} }", sum, t));
      next = kept;
    }
    emit(formatv("scf.yield {0} : {1} }", next, t));
    std::string behind = storeBehind(access(sink, grid), sums, token);
    emit(formatv("\"nv_tileaa.yield\"({0}) : ({1}) -> ()", behind, kToken));
  }

  void finish() {
    std::string types, names;
    for (auto [name, type] : arguments) {
      types += (types.empty() ? "" : ", ") + type;
      names += (names.empty() ? "" : ", ") + name + ": " + type;
    }
    std::string text = "module attributes {nv_tileaa.compute_capability = 90 : i32} {\n"
                       "gpu.module @kernels {\n" +
                       functions + "\"nv_tileaa.func\"() <{function_type = (" + types +
                       ") -> (), sym_name = \"kernel\"}> ({\n^bb0(" + names + "):\n" + body +
                       "  \"nv_tileaa.return\"() : () -> ()\n}) : () -> ()\n}\n}\n";
    // formatv has no braces but its own: "} >" closes the properties of an op.
    for (size_t at = 0; (at = text.find("} >", at)) != std::string::npos;)
      text.replace(at, 3, "}>");
    testcase::Launch launch;
    launch.kernel = "kernel";
    launch.params = parameters;
    launch.modules.push_back(
        {"13.1", "kernel.tileaa.mlir", testcase::Bytes(text.begin(), text.end())});
    testCase.launches.push_back(std::move(launch));
  }

  std::mt19937_64 random;
  unsigned rows, columns, number = 0;
  bool hasAgents = false;
  std::vector<std::pair<std::string, std::string>> arguments;
  std::vector<testcase::Parameter> parameters;
  std::vector<std::string> ints, floats;
  std::string functions, body;
};

std::string textOf(const Program &program) {
  const testcase::Bytes &bytes = program.testCase.launches[0].modules[0].bytes;
  return std::string(bytes.begin(), bytes.end());
}

/// Why the engines do not agree; empty when they do.
std::string disagreement(const Program &program, Engine &first,
                         llvm::ArrayRef<std::unique_ptr<Engine>> others) {
  EngineResult want = first.run({program.testCase, "13.1", {}});
  if (!want.completed())
    return (first.name() + ": " + toString(want.status) + ": " + want.message).str();
  for (const std::unique_ptr<Engine> &engine : others) {
    EngineResult got = engine->run({program.testCase, "13.1", {}});
    if (!got.completed())
      return (engine->name() + ": " + toString(got.status) + ": " + got.message).str();
    for (size_t b = 0; b < want.buffers.size(); ++b)
      for (size_t i = 0; i < want.buffers[b].bytes.size(); ++i)
        if ((want.buffers[b].ignored.empty() || !want.buffers[b].ignored[i]) &&
            want.buffers[b].bytes[i] != got.buffers[b].bytes[i])
          return formatv("{0}: byte {1} of buffer {2} differs", engine->name(), i, b);
  }
  return "";
}

uint64_t setting(const char *name, uint64_t byDefault) {
  const char *given = std::getenv(name);
  return given ? std::strtoull(given, nullptr, 10) : byDefault;
}

std::vector<std::unique_ptr<Engine>> engines(llvm::StringRef list) {
  return llvm::cantFail(createEngines(list));
}

TEST(TileAAPrograms, EnginesAgree) {
  auto first = engines("tileaa"), others = engines("tileaa-opt,tileas,emulator,emulator@O0");
  uint64_t begin = setting("TILESMITH_TILEAA_SEED", 1),
           count = setting("TILESMITH_TILEAA_PROGRAMS", 40);
  std::map<std::string, unsigned> steps;
  unsigned failures = 0;
  for (uint64_t seed = begin; seed < begin + count && failures < 5; ++seed) {
    Program program(seed);
    for (const std::string &name : program.used)
      ++steps[name];
    std::string problem = disagreement(program, *first[0], others);
    failures += !problem.empty();
    EXPECT_EQ(problem, "") << "seed " << seed << "\n" << textOf(program);
  }
  for (auto &[name, programs] : steps)
    std::fprintf(stderr, "%-10s %u programs\n", name.c_str(), programs);
  if (count >= 40)
    EXPECT_EQ(steps.size(), 17u) << "every step is drawn";
}

/// The stored programs, and what was worked out for them.
TEST(TileAAPrograms, StoredOnesGiveTheirResults) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  for (const char *name : {"structure", "agents", "agents_product"}) {
    auto testCase = llvm::cantFail(
        testcase::loadTestCase(std::string(root ? root : ".") + "/corpus/tileaa/" + name));
    for (const std::unique_ptr<Engine> &engine :
         engines("tileaa,tileaa-opt,tileas,emulator,emulator@O0,emulator@sm_100")) {
      EngineResult got = engine->run({testCase, "13.1", {}});
      ASSERT_TRUE(got.completed()) << engine->name().str() << ": " << got.message;
      for (auto [buffer, want] : llvm::zip_equal(got.buffers, testCase.buffers))
        EXPECT_EQ(buffer.bytes, want.expected()) << engine->name().str();
    }
    EngineResult refused = engines("reference")[0]->run({testCase, "13.1", {}});
    EXPECT_EQ(refused.status, EngineResult::Status::Unsupported);
  }
}

/// What the programs would notice.
TEST(TileAAPrograms, PlantedBugsAreFound) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs";
  for (const char *plant :
       {"clampf-bounds-swapped", "fold-addf-to-nearest", "gather-ignores-mask",
        "gather-ignores-other", "generate-coordinates-reversed", "histogram-ignores-mask",
        "in-bounds-of-any-dimension", "memref-stride-ignored", "queue-iterator-not-carried",
        "scan-always-inclusive"}) {
    llvm::cantFail(activatePlant(plant));
    auto first = engines("tileaa"), others = engines("tileaa-opt,emulator");
    bool found = false;
    for (uint64_t seed = 1; seed <= 200 && !found; ++seed)
      found = !disagreement(Program(seed), *first[0], others).empty();
    EXPECT_TRUE(found) << plant;
    deactivatePlants();
  }
}

} // namespace
