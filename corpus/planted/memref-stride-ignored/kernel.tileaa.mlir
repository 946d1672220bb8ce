// nv_tileaa: what no cuda_tile op becomes.
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>, i32, i32) -> (), sym_name = "kernel"}> ({
^bb0(%a: !nv_tileaa.ptr<i32, 1>, %o: !nv_tileaa.ptr<i32, 1>, %n: i32, %ld: i32):
  %m = "nv_tileaa.make_memref"(%a, %n, %ld) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i32, 1>, i32, i32) -> !nv_tileaa.memref<[?, 16] x i32, strides = [?, 1], 1>
  %w = "nv_tileaa.make_memref"(%o, %n, %ld) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i32, 1>, i32, i32) -> !nv_tileaa.memref<[?, 16] x i32, strides = [?, 1], 1>
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %x = "nv_tileaa.load"(%m, %c3, %c5) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0, 0, 0>}> : (!nv_tileaa.memref<[?, 16] x i32, strides = [?, 1], 1>, i32, i32) -> i32
  "nv_tileaa.store"(%w, %x, %c5, %c3) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> : (!nv_tileaa.memref<[?, 16] x i32, strides = [?, 1], 1>, i32, i32, i32) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
