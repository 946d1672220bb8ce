//===- TileAAAgents.cpp - agents of a block that meet at a queue ------------------------------===//
#include "generators/program/TileAAProgram.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using llvm::formatv;

std::string TileAAProgram::access(const std::string &base, const std::string &grid) {
  std::string splat = fresh(), sum = fresh();
  std::string tiles = formatv("tensor<{0}x{1}x{2}>", rows, columns, kPointerToI32);
  emit(formatv("{0} = \"nv_tileaa.splat\"({1}) : ({2}) -> {3}", splat, base, kPointerToI32, tiles));
  emit(formatv("{0} = \"nv_tileaa.addptr\"({1}, {2}) : ({3}, {4}) -> {3}", sum, splat, grid, tiles,
               tile("i32")));
  return sum;
}

std::string TileAAProgram::loadBehind(const std::string &pointers, const std::string &token) {
  std::string name = fresh();
  emit(formatv("{0}:2 = \"nv_tileaa.load\"({1}, {2}) <{{mem_semantic = "
               "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>} > "
               ": (tensor<{3}x{4}x{5}>, {6}) -> ({7}, {6})",
               name, pointers, token, rows, columns, kPointerToI32, kTokenType, tile("i32")));
  return name;
}

std::string TileAAProgram::storeBehind(const std::string &pointers, const std::string &value,
                                       const std::string &token) {
  std::string name = fresh();
  emit(formatv("{0} = \"nv_tileaa.store\"({1}, {2}, {3}) <{{mem_semantic = "
               "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} > "
               ": (tensor<{4}x{5}x{6}>, {7}, {8}) -> {8}",
               name, pointers, value, token, rows, columns, kPointerToI32, tile("i32"),
               kTokenType));
  return name;
}

void TileAAProgram::agents() {
  if (hasAgents) // others would have to have as many warps
    return integers();
  hasAgents = true;
  unsigned count = 1 + pick(4), consumers = 1 + pick(2), size = rows * columns;
  bool sometimes = flip();
  std::string source = argument("i32", count * size), start = fresh(), t = tile("i32");
  std::string zero = constant(0), one = constant(1), end = constant(count), bytes = constant(size),
              range = fresh(), grid = fresh(), queue = fresh();
  std::string type = formatv("!nv_tileaa.queue<[{0}, i32, {1}]>", t, kTokenType);
  emit(formatv("{0} = \"nv_tileaa.make_range\"({1}, {2}) : (i32, i32) -> tensor<{3}xi32>", range,
               zero, bytes, size));
  emit(formatv("{0} = \"nv_tileaa.view\"({1}) : (tensor<{2}xi32>) -> {3}", grid, range, size, t));
  emit(formatv("{0} = \"nv_tileaa.create_mem_token\"() : () -> {1}", start, kTokenType));
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
  emit(formatv("^bb0({0}: {1}):", token, kTokenType));
  emit(formatv("scf.for {0} = {1} to {2} step {3} : i32 {{", at, zero, end, one));
  emit(formatv("{0} = arith.muli {1}, {2} : i32", here, at, bytes));
  std::string from = fresh();
  emit(formatv("{0} = \"nv_tileaa.addptr\"({1}, {2}) : ({3}, i32) -> {3}", from, source, here,
               kPointerToI32));
  std::string loaded = loadBehind(access(from, grid), token);
  condition(sometimes, at, one, "");
  emit(formatv("\"nv_tileaa.queue.put\"({0}, {1}#0, {2}, {1}#1) ({{}) : ({3}, {4}, i32, {5}) -> ()",
               queue, loaded, at, type, t, kTokenType));
  emit(sometimes ? "} }" : "}");
  emit(formatv("\"nv_tileaa.yield\"({0}) : ({1}) -> ()", token, kTokenType));
  std::vector<std::string> sinks;
  for (unsigned i = 0; i < consumers; ++i) {
    sinks.push_back(argument("i32", size));
    consume(queue, type, sinks.back(), grid, zero, one, end, sometimes);
  }
  emit(formatv("}) : ({0}) -> ({1}{0})", kTokenType,
               consumers == 2 ? formatv("{0}, {0}, ", kTokenType) : formatv("{0}, ", kTokenType)));
  for (unsigned i = 0; i < consumers; ++i)
    ints.push_back(loadBehind(access(sinks[i], grid), formatv("{0}#{1}", done, i + 1)) + "#0");
}

void TileAAProgram::condition(bool sometimes, const std::string &at, const std::string &one,
                              const std::string &results) {
  if (!sometimes)
    return;
  std::string bit = fresh(), odd = fresh();
  emit(formatv("{0} = arith.andi {1}, {2} : i32", bit, at, one));
  emit(formatv("{0} = arith.cmpi eq, {1}, {2} : i32", odd, bit, one));
  emit(formatv("{0}scf.if {1}{2} {{", results.empty() ? "" : results + " = ", odd,
               results.empty() ? "" : formatv(" -> ({0})", tile("i32")).str()));
}

void TileAAProgram::consume(const std::string &queue, const std::string &type,
                            const std::string &sink, const std::string &grid,
                            const std::string &zero, const std::string &one, const std::string &end,
                            bool sometimes) {
  std::string t = tile("i32"), token = fresh(), init = fresh(), sums = fresh(), at = fresh(),
              sum = fresh(), item = fresh(), number = fresh(), next = fresh(), kept = fresh();
  emit("}, {");
  emit(formatv("^bb0({0}: {1}):", token, kTokenType));
  emit(formatv("{0} = arith.constant dense<{1}> : {2}", init, pick(100), t));
  emit(formatv("{0} = scf.for {1} = {2} to {3} step {4} iter_args({5} = {6}) -> ({7}) : i32 {{",
               sums, at, zero, end, one, sum, init, t));
  condition(sometimes, at, one, kept);
  if (flip()) { // the region makes the item smaller
    std::string scaled = fresh(), x = fresh(), k = fresh(), u = fresh();
    emit(formatv("{0}:2 = \"nv_tileaa.queue.get\"({1}) ({{", item, queue));
    emit(formatv("^bb0({0}: {1}, {2}: i32, {3}: {4}):", x, t, k, u, kTokenType));
    emit(formatv("{0} = arith.muli {1}, {1} : {2}", scaled, x, t));
    emit(formatv("\"nv_tileaa.queue.yield\"({0}, {1}) : ({2}, i32) -> ()", scaled, k, t));
    emit(formatv("}) : ({0}) -> ({1}, i32)", type, t));
  } else {
    emit(formatv("{0}:3 = \"nv_tileaa.queue.get\"({1}) ({{}) : ({2}) -> ({3}, i32, {4})", item,
                 queue, type, t, kTokenType));
  }
  std::string turned = fresh(), product = fresh();
  emit(formatv("{0} = \"nv_tileaa.splat\"({1}#1) : (i32) -> {2}", number, item, t));
  emit(formatv("{0} = arith.muli {1}#0, {2} : {3}", product, item, number, t));
  if (rows == columns)
    emit(formatv("{0} = \"nv_tileaa.permute\"({1}) <{{permutation = array<i32: 1, 0>} > : ({2}) -> "
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
  emit(formatv("\"nv_tileaa.yield\"({0}) : ({1}) -> ()", behind, kTokenType));
}
