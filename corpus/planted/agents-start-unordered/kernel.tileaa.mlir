// nv_tileaa: two agents each load, turned, the tile that the block has written before them.
!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!p, !p, !p) -> (), sym_name = "kernel"}> ({
^bb0(%a: !p, %b: !p, %c: !p):
  %t0 = "nv_tileaa.create_mem_token"() : () -> !t
  %zero = arith.constant 0 : i32
  %count = arith.constant 1024 : i32
  %range = "nv_tileaa.make_range"(%zero, %count) : (i32, i32) -> tensor<1024xi32>
  %grid = "nv_tileaa.view"(%range) : (tensor<1024xi32>) -> tensor<32x32xi32>
  %turned = "nv_tileaa.permute"(%grid) <{permutation = array<i32: 1, 0>}> : (tensor<32x32xi32>) -> tensor<32x32xi32>
  %as = "nv_tileaa.splat"(%a) : (!p) -> tensor<32x32x!p>
  %at = "nv_tileaa.addptr"(%as, %turned) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
  %t1 = "nv_tileaa.store"(%at, %grid, %t0) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<32x32x!p>, tensor<32x32xi32>, !t) -> !t
  %done:2 = "nv_tileaa.execute"(%t1) <{numAgents = 2 : i32}> ({
  ^bb0(%t: !t):
    %ls = "nv_tileaa.splat"(%a) : (!p) -> tensor<32x32x!p>
    %lt = "nv_tileaa.addptr"(%ls, %grid) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
    %x, %u = "nv_tileaa.load"(%lt, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<32x32x!p>, !t) -> (tensor<32x32xi32>, !t)
    %bs = "nv_tileaa.splat"(%b) : (!p) -> tensor<32x32x!p>
    %bt = "nv_tileaa.addptr"(%bs, %grid) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
    %w = "nv_tileaa.store"(%bt, %x, %u) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<32x32x!p>, tensor<32x32xi32>, !t) -> !t
    "nv_tileaa.yield"(%w) : (!t) -> ()
  }, {
  ^bb0(%t: !t):
    %ls = "nv_tileaa.splat"(%a) : (!p) -> tensor<32x32x!p>
    %lt = "nv_tileaa.addptr"(%ls, %grid) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
    %x, %u = "nv_tileaa.load"(%lt, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<32x32x!p>, !t) -> (tensor<32x32xi32>, !t)
    %cs = "nv_tileaa.splat"(%c) : (!p) -> tensor<32x32x!p>
    %ct = "nv_tileaa.addptr"(%cs, %grid) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
    %w = "nv_tileaa.store"(%ct, %x, %u) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<32x32x!p>, tensor<32x32xi32>, !t) -> !t
    "nv_tileaa.yield"(%w) : (!t) -> ()
  }) : (!t) -> (!t, !t)
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
