// nv_tileaa: what no cuda_tile op becomes.
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>) -> (), sym_name = "kernel"}> ({
^bb0(%a: !nv_tileaa.ptr<i32, 1>, %o: !nv_tileaa.ptr<i32, 1>):
  %m = "nv_tileaa.make_memref"(%a) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.memref<[10, 16] x i32, strides = [16, 1], 1>
  %g = "nv_tileaa.block_tile"(%m) <{dimGroups = [array<i64: 0>, array<i64: 1>], padding_value = #nv_tileaa.padding_value<zero>, tileSizes = array<i64: 8, 16>}> : (!nv_tileaa.memref<[10, 16] x i32, strides = [16, 1], 1>) -> !nv_tileaa.tiled_view<tileShape = [8, 16], memref = <[10, 16] x i32, strides = [16, 1], 1>, dimMap = [0, 1], padding = <zero>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = "nv_tileaa.tiled_load"(%g, %c1, %c0) <{in_bounds = array<i1: false, true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>}> : (!nv_tileaa.tiled_view<tileShape = [8, 16], memref = <[10, 16] x i32, strides = [16, 1], 1>, dimMap = [0, 1], padding = <zero>>, i32, i32) -> tensor<8x16xi32>
  %v1 = arith.constant 0 : i32
  %v2 = arith.constant 128 : i32
  %v3 = "nv_tileaa.make_range"(%v1, %v2) : (i32, i32) -> tensor<128xi32>
  %v4 = "nv_tileaa.splat"(%o) : (!nv_tileaa.ptr<i32, 1>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v5 = "nv_tileaa.addptr"(%v4, %v3) : (tensor<128x!nv_tileaa.ptr<i32, 1>>, tensor<128xi32>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v6 = "nv_tileaa.view"(%v5) : (tensor<128x!nv_tileaa.ptr<i32, 1>>) -> tensor<8x16x!nv_tileaa.ptr<i32, 1>>
  "nv_tileaa.store"(%v6, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<8x16x!nv_tileaa.ptr<i32, 1>>, tensor<8x16xi32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
