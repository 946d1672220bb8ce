//===- AggregateBreakers.cpp - rules of reduce and scan ---------------------------------------===//
//
// One row per rule: what breaks it, and what must be said then (Breaker.h explains the columns).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/Breaker.h"

using namespace tilesmith::generators;

// clang-format off
static constexpr Breaker kBreakers[] = {
    {.label = "aggregate_identities", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  })",
     .diagnostic = "expect identities to match the number of operands but got: 1 operands and 0 identities"},
    {.label = "aggregate_identity_type", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[0 : i32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  })",
     .diagnostic = "expect same type for operand at index: 0 and identity at index: 0 but got: 'f32' and 'i32'"},
    {.label = "aggregate_identity_untyped", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[[]] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  })",
     .diagnostic = "expect a typed attribute for identity at index: 0"},
    {.label = "aggregate_dim", .op = "scan", .variants = "D: 2 3 7",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~scan %m dim=$D reverse=false identities=[0.0 : f32] : tile<4x8xf32> -> tile<4x8xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  })",
     .diagnostic = "dimension ($D) is out of bound [0, 2)"},
    {.label = "reduce_result", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<8xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  })",
     .diagnostic = "are incompatible with return type(s) of operation"},
    {.label = "aggregate_arguments", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>) {
    yield %a : tile<f32>
  })",
     .diagnostic = "expect 2 block arguments but got: 1"},
    {.label = "aggregate_argument_rank", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<2xf32>) {
    yield %a : tile<f32>
  })",
     .diagnostic = "expect 0-rank tile type at index: 1 but got: '!cuda_tile.tile<2xf32>'"},
    {.label = "aggregate_argument_pair", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f16>) {
    yield %a : tile<f32>
  })",
     .diagnostic = "expect same element type for block argument at index: 0 and 1 but got: 'f32' and 'f16'"},
    {.label = "aggregate_argument_type", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f16>, %b: tile<f16>) {
    yield %a : tile<f16>
  })",
     .diagnostic = "expect same type for operand at index: 0 and block argument at index: 0 but got: 'f32' and 'f16'"},
    {.label = "aggregate_yield_count", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a, %b : tile<f32>, tile<f32>
  })",
     .diagnostic = "expect number of terminators operands (2) to match number of operands (1)"},
    {.label = "aggregate_yield_type", .op = "reduce",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = ~reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %t = ftof %a : tile<f32> -> tile<f16>
    yield %t : tile<f16>
  })",
     .diagnostic = "expect same type for operand at index: 0 and terminator argument at index: 0 but got: 'f32' and 'f16'"},
    {.label = "aggregate_pure", .op = "print_tko", .profile = "public",
     .operands = "m:tile<4x8xf32>",
     .code = R"(%0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %t = ~print_tko "x" -> token
    yield %a : tile<f32>
  })",
     .diagnostic = "only pure operations are allowed inside 'cuda_tile.reduce'"},
};
// clang-format on

llvm::ArrayRef<Breaker> tilesmith::generators::aggregateBreakers() {
  return kBreakers;
}
