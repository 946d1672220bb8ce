// nv_tileaa: what no cuda_tile op becomes.
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>) -> (), sym_name = "kernel"}> ({
^bb0(%a: !nv_tileaa.ptr<i32, 1>, %mask: !nv_tileaa.ptr<i32, 1>, %o: !nv_tileaa.ptr<i32, 1>):
  %v1 = arith.constant 0 : i32
  %v2 = arith.constant 512 : i32
  %v3 = "nv_tileaa.make_range"(%v1, %v2) : (i32, i32) -> tensor<512xi32>
  %v4 = "nv_tileaa.splat"(%a) : (!nv_tileaa.ptr<i32, 1>) -> tensor<512x!nv_tileaa.ptr<i32, 1>>
  %v5 = "nv_tileaa.addptr"(%v4, %v3) : (tensor<512x!nv_tileaa.ptr<i32, 1>>, tensor<512xi32>) -> tensor<512x!nv_tileaa.ptr<i32, 1>>
  %v7 = "nv_tileaa.load"(%v5) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<512x!nv_tileaa.ptr<i32, 1>>) -> tensor<512xi32>
  %v8 = arith.constant 0 : i32
  %v9 = arith.constant 512 : i32
  %v10 = "nv_tileaa.make_range"(%v8, %v9) : (i32, i32) -> tensor<512xi32>
  %v11 = "nv_tileaa.splat"(%mask) : (!nv_tileaa.ptr<i32, 1>) -> tensor<512x!nv_tileaa.ptr<i32, 1>>
  %v12 = "nv_tileaa.addptr"(%v11, %v10) : (tensor<512x!nv_tileaa.ptr<i32, 1>>, tensor<512xi32>) -> tensor<512x!nv_tileaa.ptr<i32, 1>>
  %v14 = "nv_tileaa.load"(%v12) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<512x!nv_tileaa.ptr<i32, 1>>) -> tensor<512xi32>
  %zero = arith.constant dense<0> : tensor<512xi32>
  %m = arith.cmpi ne, %v14, %zero : tensor<512xi32>
  %t = "nv_tileaa.histogram"(%v7, %m) : (tensor<512xi32>, tensor<512xi1>) -> tensor<64xi32>
  %v15 = arith.constant 0 : i32
  %v16 = arith.constant 64 : i32
  %v17 = "nv_tileaa.make_range"(%v15, %v16) : (i32, i32) -> tensor<64xi32>
  %v18 = "nv_tileaa.splat"(%o) : (!nv_tileaa.ptr<i32, 1>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v19 = "nv_tileaa.addptr"(%v18, %v17) : (tensor<64x!nv_tileaa.ptr<i32, 1>>, tensor<64xi32>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  "nv_tileaa.store"(%v19, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<64x!nv_tileaa.ptr<i32, 1>>, tensor<64xi32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
