// nv_tileaa: what no cuda_tile op becomes.
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), sym_name = "kernel"}> ({
^bb0(%o: !nv_tileaa.ptr<f32, 1>):
  %a = arith.constant 1.0 : f32
  %b = arith.constant 8.94069671630859375e-08 : f32
  %c = "nv_tileaa.addf"(%a, %b) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (f32, f32) -> f32
  %t = "nv_tileaa.splat"(%c) : (f32) -> tensor<32xf32>
  %v1 = arith.constant 0 : i32
  %v2 = arith.constant 32 : i32
  %v3 = "nv_tileaa.make_range"(%v1, %v2) : (i32, i32) -> tensor<32xi32>
  %v4 = "nv_tileaa.splat"(%o) : (!nv_tileaa.ptr<f32, 1>) -> tensor<32x!nv_tileaa.ptr<f32, 1>>
  %v5 = "nv_tileaa.addptr"(%v4, %v3) : (tensor<32x!nv_tileaa.ptr<f32, 1>>, tensor<32xi32>) -> tensor<32x!nv_tileaa.ptr<f32, 1>>
  "nv_tileaa.store"(%v5, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<32x!nv_tileaa.ptr<f32, 1>>, tensor<32xf32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
