// nv_tileaa: one agent loads the operands of products and hands them on by a queue, another one multiplies.
!p = !nv_tileaa.ptr<f16, 1>
!r = !nv_tileaa.ptr<f32, 1>
!t = !nv_tileaa.mem_token
!a = tensor<64x32xf16>
!b = tensor<32x64xf16>
!c = tensor<64x64xf32>
!q = !nv_tileaa.queue<[tensor<64x32xf16>, tensor<32x64xf16>]>
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!p, !p, !r, i32) -> (), sym_name = "kernel"}> ({
^bb0(%a: !p, %b: !p, %c: !r, %n: i32):
  %t0 = "nv_tileaa.create_mem_token"() : () -> !t
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = arith.constant 2048 : i32
  %all = arith.constant 4096 : i32
  %range = "nv_tileaa.make_range"(%zero, %count) : (i32, i32) -> tensor<2048xi32>
  %agrid = "nv_tileaa.view"(%range) : (tensor<2048xi32>) -> tensor<64x32xi32>
  %bgrid = "nv_tileaa.view"(%range) : (tensor<2048xi32>) -> tensor<32x64xi32>
  %q = "nv_tileaa.create_queue"() <{depth = 2 : i32}> : () -> !q
  "nv_tileaa.execute"() <{numAgents = 2 : i32, numWarps = array<i32: 4, 4>}> ({
    scf.for %i = %zero to %n step %one : i32 {
      %off = arith.muli %i, %count : i32
      %ap = "nv_tileaa.addptr"(%a, %off) : (!p, i32) -> !p
      %as = "nv_tileaa.splat"(%ap) : (!p) -> tensor<64x32x!p>
      %at = "nv_tileaa.addptr"(%as, %agrid) : (tensor<64x32x!p>, tensor<64x32xi32>) -> tensor<64x32x!p>
      %x, %u = "nv_tileaa.load"(%at, %t0) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<64x32x!p>, !t) -> (!a, !t)
      %bp = "nv_tileaa.addptr"(%b, %off) : (!p, i32) -> !p
      %bs = "nv_tileaa.splat"(%bp) : (!p) -> tensor<32x64x!p>
      %bt = "nv_tileaa.addptr"(%bs, %bgrid) : (tensor<32x64x!p>, tensor<32x64xi32>) -> tensor<32x64x!p>
      %y, %v = "nv_tileaa.load"(%bt, %t0) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<32x64x!p>, !t) -> (!b, !t)
      "nv_tileaa.queue.put"(%q, %x, %y) ({}) : (!q, !a, !b) -> ()
    }
    "nv_tileaa.yield"() : () -> ()
  }, {
    %init = arith.constant dense<0.0> : !c
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!c) : i32 {
      %x, %y = "nv_tileaa.queue.get"(%q) ({}) : (!q) -> (!a, !b)
      %s = "nv_tileaa.dot"(%x, %y, %acc) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!a, !b, !c) -> !c
      scf.yield %s : !c
    }
    %crange = "nv_tileaa.make_range"(%zero, %all) : (i32, i32) -> tensor<4096xi32>
    %cgrid = "nv_tileaa.view"(%crange) : (tensor<4096xi32>) -> tensor<64x64xi32>
    %cs = "nv_tileaa.splat"(%c) : (!r) -> tensor<64x64x!r>
    %ct = "nv_tileaa.addptr"(%cs, %cgrid) : (tensor<64x64x!r>, tensor<64x64xi32>) -> tensor<64x64x!r>
    %w = "nv_tileaa.store"(%ct, %sum, %t0) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<64x64x!r>, !c, !t) -> !t
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
