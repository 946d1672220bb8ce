// nv_tileaa: what no cuda_tile op becomes.
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, i32) -> (), sym_name = "kernel"}> ({
^bb0(%o: !nv_tileaa.ptr<i32, 1>, %s: i32):
  %t = "nv_tileaa.generate"(%s) ({
  ^bb0(%i: i32, %j: i32, %c: i32):
    %ten = arith.constant 100 : i32
    %x = arith.muli %i, %ten : i32
    %y = arith.addi %x, %j : i32
    %z = arith.addi %y, %c : i32
    "nv_tileaa.yield"(%z) : (i32) -> ()
  }) : (i32) -> tensor<16x32xi32>
  %v1 = arith.constant 0 : i32
  %v2 = arith.constant 512 : i32
  %v3 = "nv_tileaa.make_range"(%v1, %v2) : (i32, i32) -> tensor<512xi32>
  %v4 = "nv_tileaa.splat"(%o) : (!nv_tileaa.ptr<i32, 1>) -> tensor<512x!nv_tileaa.ptr<i32, 1>>
  %v5 = "nv_tileaa.addptr"(%v4, %v3) : (tensor<512x!nv_tileaa.ptr<i32, 1>>, tensor<512xi32>) -> tensor<512x!nv_tileaa.ptr<i32, 1>>
  %v6 = "nv_tileaa.view"(%v5) : (tensor<512x!nv_tileaa.ptr<i32, 1>>) -> tensor<16x32x!nv_tileaa.ptr<i32, 1>>
  "nv_tileaa.store"(%v6, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<16x32x!nv_tileaa.ptr<i32, 1>>, tensor<16x32xi32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
