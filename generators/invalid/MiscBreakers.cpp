//===- MiscBreakers.cpp - rules of versions, previews, and of forms that no rule generates ----===//
//
// One row per rule: what breaks it, and what must be said then (Breaker.h explains the columns).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/Breaker.h"

using namespace tilesmith::generators;

// clang-format off
static constexpr Breaker kBreakers[] = {
    {.label = "reduce_result_count", .op = "reduce",
     .operands = "x:tile<8xf32>",
     .code = R"(%0:2 = ~reduce %x dim=0 identities=[0.0 : f32, 0.0 : f32] : tile<8xf32> -> tile<f32>, tile<f32> (%a: tile<f32>, %b: tile<f32>) {
  yield %a, %b : tile<f32>, tile<f32>
})",
     .diagnostic = "expect same number of operands and results"},
    {.label = "for_init_type", .op = "for",
     .operands = "n:tile<i32>; x:tile<f32>",
     .code = R"(~"cuda_tile.for"(%n, %n, %n, %x) ({
^bb0(%i: !cuda_tile.tile<i32>, %y: !cuda_tile.tile<f64>):
  "cuda_tile.continue"(%x) : (!cuda_tile.tile<f32>) -> ()
}) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>)",
     .diagnostic = "init value 0 and region iter_value 0 have different type: '!cuda_tile.tile<f32>' != '!cuda_tile.tile<f64>'"},
    {.label = "for_induction_missing", .op = "for",
     .operands = "n:tile<i32>",
     .code = R"(~"cuda_tile.for"(%n, %n, %n) ({
^bb0:
  "cuda_tile.continue"() : () -> ()
}) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ())",
     .diagnostic = "expected at least one block argument for induction variable"},
    {.label = "return_parent", .op = "return", .place = Place::File,
     .code = "~cuda_tile.return",
     .diagnostic = "must be used within a cuda_tile.testing$func, cuda_tile.entry, or cuda_tile.if operation"},
    {.label = "return_type", .op = "return", .place = Place::Module, .option = "testing-ops",
     .code = R"(testing$func @f(%x: tile<f32>, %y: tile<f64>) -> tile<f64> {
  ~return %x : tile<f32>
})",
     .diagnostic = "type of return operand 0 ('!cuda_tile.tile<f32>') doesn't match function result type ('!cuda_tile.tile<f64>') in function @f"},
    {.label = "unpack_result_bytes", .op = "unpack",
     .operands = "x:tile<1xi8>",
     .code = "%0 = ~unpack %x : tile<1xi8> -> tile<4xi1>",
     .diagnostic = "expects result tile to be byte-aligned"},
    {.label = "tensor_view_strides", .place = Place::Module,
     .code = "~entry @entry(%v: tensor_view<4xf32, strides=[0]>) {}",
     .diagnostic = "expected strictly positive integer, got 0"},
    {.label = "gather_scatter_scalar_types", .op = "load_view_tko",
     .operands = "v:gather_scatter_view<tile=(4x4x4), tensor_view<8x8x8xf32, strides=[64, 8, 1]>, sparse_dim=0>; i:tile<4xi32>; j:tile<i32>; k:tile<i64>",
     .code = "%0, %1 = ~load_view_tko weak %v[%i, %j, %k] : gather_scatter_view<tile=(4x4x4), tensor_view<8x8x8xf32, strides=[64, 8, 1]>, sparse_dim=0>, tile<4xi32>, tile<i32>, tile<i64> -> tile<4x4x4xf32>, token",
     .diagnostic = "expected scalar index 2 to have the same type as other scalar indices ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'"},
    {.label = "load_view_multicast", .op = "load_view_tko",
     .operands = "v:partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>; i:tile<i32>",
     .code = "%0, %1 = ~load_view_tko weak %v[%i] : partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4xf32>, token",
     .diagnostic = "'cuda_tile.load_view_tko' op multicast ptr_attr is not allowed"},
    {.label = "store_view_multicast", .op = "store_view_tko",
     .operands = "v:partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>; i:tile<i32>; x:tile<4xf32>",
     .code = "%0 = ~store_view_tko weak %x, %v[%i] : tile<4xf32>, partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> token",
     .diagnostic = "'cuda_tile.store_view_tko' op multicast ptr_attr is not allowed"},
    {.label = "atomic_red_multicast", .op = "atomic_red_view_tko",
     .operands = "v:partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>; i:tile<i32>; x:tile<4xf32>",
     .code = "%0 = ~atomic_red_view_tko relaxed device %v[%i], addf, %x : tile<4xf32>, partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> token",
     .diagnostic = "'cuda_tile.atomic_red_view_tko' op multicast ptr_attr is not allowed"},
    {.label = "reduce_yield_tile", .op = "reduce",
     .operands = "x:tile<8xf32>; t:token",
     .code = R"(%0 = ~reduce %x dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32> (%a: tile<f32>, %b: tile<f32>) {
  yield %t : token
})",
     .diagnostic = "expected TileType for operand and terminator types but got: '!cuda_tile.tile<8xf32>' and '!cuda_tile.token'"},
    {.label = "print_version", .op = "print", .place = Place::Module, .textOnly = true,
     .code = R"(entry @k() {
  ~print "text"
})",
     .diagnostic = "exists in version 13.1 only; use cuda_tile.print_tko"},
    {.label = "preview_ops", .place = Place::Module,
     .code = R"(entry @k() {
  ~preview$call @nosuch() : () -> ()
})",
     .diagnostic = "'cuda_tile.preview$call' is public-preview content (feature 'simt'), which is not supported"},
    {.label = "fnv8e5m3fnu_range", .place = Place::Module,
     .code = R"(entry @k() {
  %0 = ~constant <fnv8E5M3FNU: -1.0> : tile<fnv8E5M3FNU>
})",
     .diagnostic = "expected a value from 0 to 114688, got"},
    {.label = "fnv8e5m3fnu_code", .place = Place::Module,
     .code = R"(entry @k() {
  %0 = ~constant <fnv8E5M3FNU: 0x100> : tile<fnv8E5M3FNU>
})",
     .diagnostic = "expected a hexadecimal code of 8 bits"},
    {.label = "scan_operand_type", .op = "scan",
     .operands = "x:tile<8xf32>",
     .code = R"(%0 = ~"cuda_tile.scan"(%x) <{dim = 0 : i32, reverse = false, identities = [0.0 : f32]}> ({
^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>):
  "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> ()
}) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf64>)",
     .diagnostic = "expect same type for operand at index: 0 and result at index: 0"},
};
// clang-format on

llvm::ArrayRef<Breaker> tilesmith::generators::miscBreakers() {
  return kBreakers;
}
