// nv_tileaa: an approximate reciprocal that flushes, and a quotient whose numerator is not 1.
!p = !nv_tileaa.ptr<f32, 1>
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!p, !p, !p) -> (), sym_name = "kernel"}> ({
^bb0(%a: !p, %b: !p, %c: !p):
  %zero = arith.constant 0 : i32
  %count = arith.constant 64 : i32
  %ones = arith.constant dense<1.0> : tensor<64xf32>
  %threes = arith.constant dense<3.0> : tensor<64xf32>
  %range = "nv_tileaa.make_range"(%zero, %count) : (i32, i32) -> tensor<64xi32>
  %as = "nv_tileaa.splat"(%a) : (!p) -> tensor<64x!p>
  %at = "nv_tileaa.addptr"(%as, %range) : (tensor<64x!p>, tensor<64xi32>) -> tensor<64x!p>
  %x = "nv_tileaa.load"(%at) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<64x!p>) -> tensor<64xf32>
  %r = "nv_tileaa.divf"(%ones, %x) <{flush_to_zero, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %q = "nv_tileaa.divf"(%threes, %x) <{flush_to_zero, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %bs = "nv_tileaa.splat"(%b) : (!p) -> tensor<64x!p>
  %bt = "nv_tileaa.addptr"(%bs, %range) : (tensor<64x!p>, tensor<64xi32>) -> tensor<64x!p>
  "nv_tileaa.store"(%bt, %r) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<64x!p>, tensor<64xf32>) -> ()
  %cs = "nv_tileaa.splat"(%c) : (!p) -> tensor<64x!p>
  %ct = "nv_tileaa.addptr"(%cs, %range) : (tensor<64x!p>, tensor<64xi32>) -> tensor<64x!p>
  "nv_tileaa.store"(%ct, %q) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<64x!p>, tensor<64xf32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
