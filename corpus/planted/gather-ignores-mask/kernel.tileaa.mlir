// nv_tileaa: what no cuda_tile op becomes.
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>) -> (), sym_name = "kernel"}> ({
^bb0(%a: !nv_tileaa.ptr<i32, 1>, %rows: !nv_tileaa.ptr<i32, 1>, %mask: !nv_tileaa.ptr<i32, 1>, %o: !nv_tileaa.ptr<i32, 1>, %s: !nv_tileaa.ptr<i32, 1>):
  %mg = "nv_tileaa.make_memref"(%a) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.memref<[32, 16] x i32, strides = [16, 1], 1>
  %g = "nv_tileaa.block_tile"(%mg) <{dimGroups = [array<i64: 0>, array<i64: 1>], padding_value = #nv_tileaa.padding_value<zero>, tileSizes = array<i64: 8, 16>}> : (!nv_tileaa.memref<[32, 16] x i32, strides = [16, 1], 1>) -> !nv_tileaa.tiled_view<tileShape = [8, 16], memref = <[32, 16] x i32, strides = [16, 1], 1>, dimMap = [0, 1], padding = <zero>, sparseDim = 0>
  %mh = "nv_tileaa.make_memref"(%s) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.memref<[32, 16] x i32, strides = [16, 1], 1>
  %h = "nv_tileaa.block_tile"(%mh) <{dimGroups = [array<i64: 0>, array<i64: 1>], padding_value = #nv_tileaa.padding_value<zero>, tileSizes = array<i64: 8, 16>}> : (!nv_tileaa.memref<[32, 16] x i32, strides = [16, 1], 1>) -> !nv_tileaa.tiled_view<tileShape = [8, 16], memref = <[32, 16] x i32, strides = [16, 1], 1>, dimMap = [0, 1], padding = <zero>, sparseDim = 0>
  %v1 = arith.constant 0 : i32
  %v2 = arith.constant 8 : i32
  %v3 = "nv_tileaa.make_range"(%v1, %v2) : (i32, i32) -> tensor<8xi32>
  %v4 = "nv_tileaa.splat"(%rows) : (!nv_tileaa.ptr<i32, 1>) -> tensor<8x!nv_tileaa.ptr<i32, 1>>
  %v5 = "nv_tileaa.addptr"(%v4, %v3) : (tensor<8x!nv_tileaa.ptr<i32, 1>>, tensor<8xi32>) -> tensor<8x!nv_tileaa.ptr<i32, 1>>
  %v7 = "nv_tileaa.load"(%v5) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<i32, 1>>) -> tensor<8xi32>
  %v8 = arith.constant 0 : i32
  %v9 = arith.constant 128 : i32
  %v10 = "nv_tileaa.make_range"(%v8, %v9) : (i32, i32) -> tensor<128xi32>
  %v11 = "nv_tileaa.splat"(%mask) : (!nv_tileaa.ptr<i32, 1>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v12 = "nv_tileaa.addptr"(%v11, %v10) : (tensor<128x!nv_tileaa.ptr<i32, 1>>, tensor<128xi32>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v13 = "nv_tileaa.view"(%v12) : (tensor<128x!nv_tileaa.ptr<i32, 1>>) -> tensor<8x16x!nv_tileaa.ptr<i32, 1>>
  %v14 = "nv_tileaa.load"(%v13) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<8x16x!nv_tileaa.ptr<i32, 1>>) -> tensor<8x16xi32>
  %zero = arith.constant dense<0> : tensor<8x16xi32>
  %other = arith.constant dense<-7> : tensor<8x16xi32>
  %c0 = arith.constant 0 : i32
  %m = arith.cmpi ne, %v14, %zero : tensor<8x16xi32>
  %t = "nv_tileaa.gather_load"(%g, %v7, %c0, %m, %other) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 1, 1, 0>}> : (!nv_tileaa.tiled_view<tileShape = [8, 16], memref = <[32, 16] x i32, strides = [16, 1], 1>, dimMap = [0, 1], padding = <zero>, sparseDim = 0>, tensor<8xi32>, i32, tensor<8x16xi1>, tensor<8x16xi32>) -> tensor<8x16xi32>
  %v15 = arith.constant 0 : i32
  %v16 = arith.constant 128 : i32
  %v17 = "nv_tileaa.make_range"(%v15, %v16) : (i32, i32) -> tensor<128xi32>
  %v18 = "nv_tileaa.splat"(%o) : (!nv_tileaa.ptr<i32, 1>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v19 = "nv_tileaa.addptr"(%v18, %v17) : (tensor<128x!nv_tileaa.ptr<i32, 1>>, tensor<128xi32>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v20 = "nv_tileaa.view"(%v19) : (tensor<128x!nv_tileaa.ptr<i32, 1>>) -> tensor<8x16x!nv_tileaa.ptr<i32, 1>>
  "nv_tileaa.store"(%v20, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<8x16x!nv_tileaa.ptr<i32, 1>>, tensor<8x16xi32>) -> ()
  "nv_tileaa.scatter_store"(%h, %t, %v7, %c0, %m) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 0>}> : (!nv_tileaa.tiled_view<tileShape = [8, 16], memref = <[32, 16] x i32, strides = [16, 1], 1>, dimMap = [0, 1], padding = <zero>, sparseDim = 0>, tensor<8x16xi32>, tensor<8xi32>, i32, tensor<8x16xi1>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
