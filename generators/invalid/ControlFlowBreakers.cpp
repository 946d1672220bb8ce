//===- ControlFlowBreakers.cpp - rules of loops, conditionals and exits -----------------------===//
//
// One row per rule: what breaks it, and what must be said then (Breaker.h explains the columns).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/Breaker.h"

using namespace tilesmith::generators;

// clang-format off
static constexpr Breaker kBreakers[] = {
    {.label = "break_ancestor", .op = "break", .place = Place::Entry,
     .code = "~break",
     .diagnostic = "expects parent op to be one of"},
    {.label = "yield_parent", .op = "yield", .place = Place::Entry,
     .code = "~yield",
     .diagnostic = "expects parent op to be one of"},
    {.label = "continue_types", .op = "continue",
     .operands = "n:tile<i32>; x:tile<f32>",
     .code = R"(%0 = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %x) -> (tile<f32>) {
  ~continue %n : tile<i32>
})",
     .diagnostic = "`for` is missing a valid terminator. `continue` op should have operand types that match the parent loop return types: ('!cuda_tile.tile<f32>'), but found: ('!cuda_tile.tile<i32>')"},
    {.label = "continue_loop_types", .op = "continue",
     .operands = "x:tile<f32>",
     .code = R"(loop iter_values(%a = %x) : tile<f32> {
  ~continue
})",
     .diagnostic = "`loop` is missing a valid terminator. `continue` op should have operand types that match the parent loop iter_values: ('!cuda_tile.tile<f32>'), but found: ()"},
    {.label = "break_types", .op = "break",
     .operands = "x:tile<f32>",
     .code = R"(loop {
  ~break %x : tile<f32>
})",
     .diagnostic = "operand types must correspond to the parent loop result types: ('!cuda_tile.tile<f32>') vs ()"},
    {.label = "break_in_for", .op = "break",
     .operands = "n:tile<i32>; c:tile<i1>",
     .code = R"(for %i in (%n to %n, step %n) : tile<i32> {
  if %c {
    ~break
  }
})",
     .diagnostic = "can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations"},
    {.label = "for_induction", .op = "for",
     .operands = "n:tile<i32>",
     .code = R"(~"cuda_tile.for"(%n, %n, %n) ({
^bb0(%i: !cuda_tile.tile<i64>):
  "cuda_tile.continue"() : () -> ()
}) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ())",
     .diagnostic = "expected induction variable to be same type as bounds and step: '!cuda_tile.tile<i64>' vs '!cuda_tile.tile<i32>'"},
    {.label = "loop_counts", .op = "loop",
     .operands = "x:tile<f32>",
     .code = R"(~"cuda_tile.loop"(%x) ({
  "cuda_tile.continue"(%x) : (!cuda_tile.tile<f32>) -> ()
}) : (!cuda_tile.tile<f32>) -> ())",
     .diagnostic = "mismatch in number of region iterator values and loop iterator inits: 0 vs 1"},
    {.label = "loop_view", .op = "loop",
     .operands = "v:tensor_view<64x64xf32, strides=[64,1]>",
     .code = R"(~loop iter_values(%a = %v) : tensor_view<64x64xf32, strides=[64,1]> {
  continue %a : tensor_view<64x64xf32, strides=[64,1]>
})",
     .diagnostic = "loop-carried value 0 is a tensor_view, which is not supported"},
    {.label = "loop_tile_view", .op = "loop",
     .operands = "v:partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>",
     .code = R"(~loop iter_values(%a = %v) : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>> {
  continue %a : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>
})",
     .diagnostic = "loop-carried value 0 is a tile view, which is not supported"},
    {.label = "if_no_else", .op = "if",
     .operands = "c:tile<i1>; x:tile<f32>",
     .code = R"(%0 = ~if %c -> (tile<f32>) {
  yield %x : tile<f32>
})",
     .diagnostic = "has non-empty return type, must define else branch"},
    {.label = "if_no_yield", .op = "if",
     .operands = "c:tile<i1>; x:tile<f32>",
     .code = R"(%0 = ~if %c -> (tile<f32>) {
} else {
  yield %x : tile<f32>
})",
     .diagnostic = "has return type of '!cuda_tile.tile<f32>' but then branch does not yield anything"},
    {.label = "if_yields", .op = "if",
     .operands = "c:tile<i1>; x:tile<f32>",
     .code = R"(~if %c {
  yield %x : tile<f32>
})",
     .diagnostic = "does not return a value, but then branch yields '!cuda_tile.tile<f32>'"},
    {.label = "if_yield_type", .op = "if",
     .operands = "c:tile<i1>; x:tile<f32>; n:tile<i32>",
     .code = R"(%0 = ~if %c -> (tile<f32>) {
  yield %x : tile<f32>
} else {
  yield %n : tile<i32>
})",
     .diagnostic = "type does not match yield type, else branch yields '!cuda_tile.tile<i32>' but op result type is '!cuda_tile.tile<f32>'"},
    {.label = "if_view", .op = "if",
     .operands = "c:tile<i1>; v:tensor_view<64x64xf32, strides=[64,1]>",
     .code = R"(%0 = ~if %c -> (tensor_view<64x64xf32, strides=[64,1]>) {
  yield %v : tensor_view<64x64xf32, strides=[64,1]>
} else {
  yield %v : tensor_view<64x64xf32, strides=[64,1]>
})",
     .diagnostic = "result type 0 is a tensor_view, which is not supported"},
    {.label = "return_count", .op = "return", .place = Place::Entry,
     .operands = "x:tile<f32>",
     .code = "~return %x : tile<f32>",
     .diagnostic = "has 1 operands, but enclosing function (@broken) returns 0"},
};
// clang-format on

llvm::ArrayRef<Breaker> tilesmith::generators::controlFlowBreakers() {
  return kBreakers;
}
