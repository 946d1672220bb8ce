// RUN: tile-opt %s --split-input-file --convert-tileaa-to-tileas=num-warps=1 | FileCheck %s

!p = !nv_tileaa.ptr<i32, 1>

// CHECK-LABEL: sym_name = "attributes"
// CHECK: "nv_tileas.load"({{.*}}) <{cache_modifier = #nv_tileaa.cache_modifier<cg>, eviction_policy = #nv_tileaa.eviction_policy<first>, is_volatile
// CHECK-SAME: {nv_tileas.hints = #nv_tileas.hints<latency = 3
// CHECK: "nv_tileas.store"({{.*}}) <{cache_modifier = #nv_tileaa.cache_modifier<cs>, eviction_policy = #nv_tileaa.eviction_policy<last>, is_volatile
// CHECK-SAME: {nv_tileas.hints = #nv_tileas.hints<latency = 10
"nv_tileaa.func"() <{function_type = (!p) -> (), sym_name = "attributes"}> ({
^bb0(%p: !p):
  %0 = "nv_tileaa.load"(%p) <{cache_modifier = #nv_tileaa.cache_modifier<cg>, eviction_policy = #nv_tileaa.eviction_policy<first>, is_volatile, latency = 3 : i64, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (!p) -> i32
  "nv_tileaa.store"(%p, %0) <{cache_modifier = #nv_tileaa.cache_modifier<cs>, eviction_policy = #nv_tileaa.eviction_policy<last>, is_volatile, latency = 99 : i64, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!p, i32) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

!p = !nv_tileaa.ptr<i32, 1>
!m = !nv_tileaa.memref<[32, 16] x i32, strides = [16, 1], 1>
!v = !nv_tileaa.tiled_view<tileShape = [8, 16], memref = <[32, 16] x i32, strides = [16, 1], 1>, dimMap = [0, 1], padding = <zero>>

// CHECK-LABEL: sym_name = "views"
// CHECK: "nv_tileas.tiled_load"({{.*}}) <{in_bounds = array<i1: false, true>
// CHECK: "nv_tileas.tiled_store"({{.*}}) <{in_bounds = array<i1: true, true>
// CHECK-SAME: {nv_tileas.hints = #nv_tileas.hints<latency = 4, allow_tma = false>}
"nv_tileaa.func"() <{function_type = (!p, i32) -> (), sym_name = "views"}> ({
^bb0(%p: !p, %i: i32):
  %m = "nv_tileaa.make_memref"(%p) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!p) -> !m
  // What is assumed of a memref is known by now.
  // CHECK-NOT: nv_tileaa.assume
  %a = "nv_tileaa.assume"(%m) <{predicates = [#nv_tileaa.div_by<divisor = 16>]}> : (!m) -> !m
  %v = "nv_tileaa.block_tile"(%a) <{dimGroups = [array<i64: 0>, array<i64: 1>], padding_value = #nv_tileaa.padding_value<zero>, tileSizes = array<i64: 8, 16>}> : (!m) -> !v
  %t = "nv_tileaa.tiled_load"(%v, %i, %i) <{in_bounds = array<i1: false, true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>}> : (!v, i32, i32) -> tensor<8x16xi32>
  "nv_tileaa.tiled_store"(%v, %t, %i, %i) <{allow_tma = false, in_bounds = array<i1: true, true>, latency = 4 : i64, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!v, tensor<8x16xi32>, i32, i32) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// A function that is called takes the place of its call; nobody runs it alone.
// CHECK-NOT: "helper"
// CHECK-LABEL: sym_name = "calls"
// CHECK: arith.addi
// CHECK-NOT: nv_tileaa.call
// CHECK-NOT: nv_tileaa.pragma
// CHECK: arith.muli
// CHECK: "nv_tileaa.return"
"nv_tileaa.func"() <{function_type = (i32) -> (i32), sym_name = "helper"}> ({
^bb0(%x: i32):
  %0 = arith.addi %x, %x : i32
  "nv_tileaa.return"(%0) : (i32) -> ()
}) : () -> ()
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, i32) -> (), sym_name = "calls"}> ({
^bb0(%p: !nv_tileaa.ptr<i32, 1>, %x: i32):
  %0 = "nv_tileaa.call"(%x) <{callee = @helper}> : (i32) -> i32
  %1 = "nv_tileaa.pragma"(%0) ({
  ^bb0(%y: i32):
    %2 = arith.muli %y, %y : i32
    "nv_tileaa.yield"(%2) : (i32) -> ()
  }) : (i32) -> i32
  "nv_tileaa.store"(%p, %1) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>, i32) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
