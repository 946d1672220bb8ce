// nv_tileaa: what no cuda_tile op becomes.
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>) -> (), sym_name = "kernel"}> ({
^bb0(%a: !nv_tileaa.ptr<i32, 1>, %o: !nv_tileaa.ptr<i32, 1>, %r: !nv_tileaa.ptr<i32, 1>):
  %v1 = arith.constant 0 : i32
  %v2 = arith.constant 128 : i32
  %v3 = "nv_tileaa.make_range"(%v1, %v2) : (i32, i32) -> tensor<128xi32>
  %v4 = "nv_tileaa.splat"(%a) : (!nv_tileaa.ptr<i32, 1>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v5 = "nv_tileaa.addptr"(%v4, %v3) : (tensor<128x!nv_tileaa.ptr<i32, 1>>, tensor<128xi32>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v6 = "nv_tileaa.view"(%v5) : (tensor<128x!nv_tileaa.ptr<i32, 1>>) -> tensor<8x16x!nv_tileaa.ptr<i32, 1>>
  %v7 = "nv_tileaa.load"(%v6) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<8x16x!nv_tileaa.ptr<i32, 1>>) -> tensor<8x16xi32>
  %v8 = "nv_tileaa.scan"(%v7) <{axis = 1 : i32, inclusive = false, identities = [5 : i32], reverse = false}> ({
  ^bb0(%before: i32, %element: i32):
    %sum = arith.addi %before, %element : i32
    "nv_tileaa.yield"(%sum) : (i32) -> ()
  }) : (tensor<8x16xi32>) -> tensor<8x16xi32>
  %v9 = arith.constant 0 : i32
  %v10 = arith.constant 128 : i32
  %v11 = "nv_tileaa.make_range"(%v9, %v10) : (i32, i32) -> tensor<128xi32>
  %v12 = "nv_tileaa.splat"(%o) : (!nv_tileaa.ptr<i32, 1>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v13 = "nv_tileaa.addptr"(%v12, %v11) : (tensor<128x!nv_tileaa.ptr<i32, 1>>, tensor<128xi32>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v14 = "nv_tileaa.view"(%v13) : (tensor<128x!nv_tileaa.ptr<i32, 1>>) -> tensor<8x16x!nv_tileaa.ptr<i32, 1>>
  "nv_tileaa.store"(%v14, %v8) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<8x16x!nv_tileaa.ptr<i32, 1>>, tensor<8x16xi32>) -> ()
  %v15 = "nv_tileaa.scan"(%v7) <{axis = 1 : i32, inclusive = false, identities = [5 : i32], reverse = true}> ({
  ^bb0(%before: i32, %element: i32):
    %sum = arith.addi %before, %element : i32
    "nv_tileaa.yield"(%sum) : (i32) -> ()
  }) : (tensor<8x16xi32>) -> tensor<8x16xi32>
  %v16 = arith.constant 0 : i32
  %v17 = arith.constant 128 : i32
  %v18 = "nv_tileaa.make_range"(%v16, %v17) : (i32, i32) -> tensor<128xi32>
  %v19 = "nv_tileaa.splat"(%r) : (!nv_tileaa.ptr<i32, 1>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v20 = "nv_tileaa.addptr"(%v19, %v18) : (tensor<128x!nv_tileaa.ptr<i32, 1>>, tensor<128xi32>) -> tensor<128x!nv_tileaa.ptr<i32, 1>>
  %v21 = "nv_tileaa.view"(%v20) : (tensor<128x!nv_tileaa.ptr<i32, 1>>) -> tensor<8x16x!nv_tileaa.ptr<i32, 1>>
  "nv_tileaa.store"(%v21, %v15) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<8x16x!nv_tileaa.ptr<i32, 1>>, tensor<8x16xi32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
