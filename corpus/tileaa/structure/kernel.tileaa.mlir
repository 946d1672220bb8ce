// nv_tileaa: what no cuda_tile op becomes.
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>), sym_name = "both", sym_visibility = "private"}> ({
^bb0(%x: tensor<64xf32>, %y: tensor<64xf32>):
  %s = "nv_tileaa.addf"(%x, %y) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %d = "nv_tileaa.subf"(%x, %y) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  "nv_tileaa.return"(%s, %d) : (tensor<64xf32>, tensor<64xf32>) -> ()
}) : () -> ()
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, !nv_tileaa.ptr<f32, 1>) -> (), sym_name = "kernel"}> ({
^bb0(%a: !nv_tileaa.ptr<f32, 1>, %o: !nv_tileaa.ptr<f32, 1>):
  %v1 = arith.constant 0 : i32
  %v2 = arith.constant 64 : i32
  %v3 = "nv_tileaa.make_range"(%v1, %v2) : (i32, i32) -> tensor<64xi32>
  %v4 = "nv_tileaa.splat"(%a) : (!nv_tileaa.ptr<f32, 1>) -> tensor<64x!nv_tileaa.ptr<f32, 1>>
  %v5 = "nv_tileaa.addptr"(%v4, %v3) : (tensor<64x!nv_tileaa.ptr<f32, 1>>, tensor<64xi32>) -> tensor<64x!nv_tileaa.ptr<f32, 1>>
  %v7 = "nv_tileaa.load"(%v5) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<64x!nv_tileaa.ptr<f32, 1>>) -> tensor<64xf32>
  %abs = "nv_tileaa.call_elementwise_intrinsic"(%v7) <{intrinsic = "fabsf"}> : (tensor<64xf32>) -> tensor<64xf32>
  %r:2 = "nv_tileaa.call"(%v7, %abs) <{callee = @both}> : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %p:2 = "nv_tileaa.pragma"(%r#0) <{ocgEnterDirectives = ["enter"]}> ({
  ^bb0(%in: tensor<64xf32>):
    %q = "nv_tileaa.mulf"(%in, %in) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    "nv_tileaa.yield"(%q, %in) : (tensor<64xf32>, tensor<64xf32>) -> ()
  }) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %u:2 = "nv_tileaa.optimization_barrier"(%p#0, %r#1) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  "nv_tileaa.mark_for_reuse"(%r#0) : (tensor<64xf32>) -> ()
  "nv_tileaa.message"() <{text = "for the host"}> : () -> ()
  %fl = "nv_tileaa.extern_elementwise"(%u#0) <{symbol = "__nv_floorf", libname = "libdevice", libpath = "", pure = true}> : (tensor<64xf32>) -> tensor<64xf32>
  %t = "nv_tileaa.addf"(%fl, %u#1) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %v8 = arith.constant 0 : i32
  %v9 = arith.constant 64 : i32
  %v10 = "nv_tileaa.make_range"(%v8, %v9) : (i32, i32) -> tensor<64xi32>
  %v11 = "nv_tileaa.splat"(%o) : (!nv_tileaa.ptr<f32, 1>) -> tensor<64x!nv_tileaa.ptr<f32, 1>>
  %v12 = "nv_tileaa.addptr"(%v11, %v10) : (tensor<64x!nv_tileaa.ptr<f32, 1>>, tensor<64xi32>) -> tensor<64x!nv_tileaa.ptr<f32, 1>>
  "nv_tileaa.store"(%v12, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<64x!nv_tileaa.ptr<f32, 1>>, tensor<64xf32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
