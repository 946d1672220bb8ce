// nv_tileaa: what no cuda_tile op becomes.
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, !nv_tileaa.ptr<f32, 1>) -> (), sym_name = "kernel"}> ({
^bb0(%a: !nv_tileaa.ptr<f32, 1>, %o: !nv_tileaa.ptr<f32, 1>):
  %v1 = arith.constant 0 : i32
  %v2 = arith.constant 256 : i32
  %v3 = "nv_tileaa.make_range"(%v1, %v2) : (i32, i32) -> tensor<256xi32>
  %v4 = "nv_tileaa.splat"(%a) : (!nv_tileaa.ptr<f32, 1>) -> tensor<256x!nv_tileaa.ptr<f32, 1>>
  %v5 = "nv_tileaa.addptr"(%v4, %v3) : (tensor<256x!nv_tileaa.ptr<f32, 1>>, tensor<256xi32>) -> tensor<256x!nv_tileaa.ptr<f32, 1>>
  %v7 = "nv_tileaa.load"(%v5) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<256x!nv_tileaa.ptr<f32, 1>>) -> tensor<256xf32>
  %lo = arith.constant dense<-1.5> : tensor<256xf32>
  %hi = arith.constant dense<2.0> : tensor<256xf32>
  %t = "nv_tileaa.clampf"(%v7, %lo, %hi) : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %v8 = arith.constant 0 : i32
  %v9 = arith.constant 256 : i32
  %v10 = "nv_tileaa.make_range"(%v8, %v9) : (i32, i32) -> tensor<256xi32>
  %v11 = "nv_tileaa.splat"(%o) : (!nv_tileaa.ptr<f32, 1>) -> tensor<256x!nv_tileaa.ptr<f32, 1>>
  %v12 = "nv_tileaa.addptr"(%v11, %v10) : (tensor<256x!nv_tileaa.ptr<f32, 1>>, tensor<256xi32>) -> tensor<256x!nv_tileaa.ptr<f32, 1>>
  "nv_tileaa.store"(%v12, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<256x!nv_tileaa.ptr<f32, 1>>, tensor<256xf32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
