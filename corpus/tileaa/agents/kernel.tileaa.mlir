// nv_tileaa: an agent loads tiles that the block has written in part, another one takes them from a queue, turned, doubles
// them by a plugin and adds them up; the block loads the sum behind both.
!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token
!q = !nv_tileaa.queue<[tensor<32x32xi32>, i32, !nv_tileaa.mem_token]>
module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (tensor<32x32xi32>) -> tensor<32x32xi32>, sym_name = "twice", sym_visibility = "private"}> ({
^bb0(%x: tensor<32x32xi32>):
  %y = arith.addi %x, %x : tensor<32x32xi32>
  "nv_tileaa.return"(%y) : (tensor<32x32xi32>) -> ()
}) : () -> ()
"nv_tileaa.func"() <{function_type = (!p, !p, !p, i32) -> (), sym_name = "kernel"}> ({
^bb0(%a: !p, %b: !p, %c: !p, %n: i32):
  %t0 = "nv_tileaa.create_mem_token"() : () -> !t
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = arith.constant 1024 : i32
  %range = "nv_tileaa.make_range"(%zero, %count) : (i32, i32) -> tensor<1024xi32>
  %grid = "nv_tileaa.view"(%range) : (tensor<1024xi32>) -> tensor<32x32xi32>
  %as = "nv_tileaa.splat"(%a) : (!p) -> tensor<32x32x!p>
  %at = "nv_tileaa.addptr"(%as, %grid) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
  %t1 = "nv_tileaa.store"(%at, %grid, %t0) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<32x32x!p>, tensor<32x32xi32>, !t) -> !t
  %q = "nv_tileaa.create_queue"() <{depth = 2 : i32}> : () -> !q
  %done:2 = "nv_tileaa.execute"(%t1) <{maxRegisters = array<i32: 232, 96>, numAgents = 2 : i32, numWarps = array<i32: 4, 4>}> ({
  ^bb0(%t: !t):
    %same = "nv_tileaa.plugin"(%zero) <{symbol = @number, registers = 24 : i32, output_layouts = [#nv_tileas.layout<shape = [32, 32], register = [32, 64, 16], lane = [128, 256, 512, 1, 2], warp = [4, 8]>, #nv_tileas.layout<shape = [1], register = [], lane = [0, 0, 0, 0, 0], warp = [0, 0]>]}> : (i32) -> i32
    scf.for %i = %same to %n step %one : i32 {
      %off = arith.muli %i, %count : i32
      %p = "nv_tileaa.addptr"(%a, %off) : (!p, i32) -> !p
      %ps = "nv_tileaa.splat"(%p) : (!p) -> tensor<32x32x!p>
      %pt = "nv_tileaa.addptr"(%ps, %grid) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
      %x, %u = "nv_tileaa.load"(%pt, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<32x32x!p>, !t) -> (tensor<32x32xi32>, !t)
      "nv_tileaa.queue.put"(%q, %x, %i, %u) ({}) : (!q, tensor<32x32xi32>, i32, !t) -> ()
    }
    "nv_tileaa.yield"(%t) : (!t) -> ()
  }, {
  ^bb0(%t: !t):
    %init = arith.constant dense<5> : tensor<32x32xi32>
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<32x32xi32>) : i32 {
      %z, %k = "nv_tileaa.queue.get"(%q) ({
      ^bb0(%x: tensor<32x32xi32>, %kk: i32, %v: !t):
        %turned = "nv_tileaa.permute"(%x) <{permutation = array<i32: 1, 0>}> : (tensor<32x32xi32>) -> tensor<32x32xi32>
        "nv_tileaa.queue.yield"(%turned, %kk) : (tensor<32x32xi32>, i32) -> ()
      }) : (!q) -> (tensor<32x32xi32>, i32)
      %d = "nv_tileaa.plugin"(%z) <{symbol = @twice, registers = 96 : i32, input_layouts = [#nv_tileas.layout<shape = [32, 32], register = [1, 2, 4], lane = [8, 16, 32, 64, 128], warp = [256, 512]>, #nv_tileas.layout<shape = [1], register = [], lane = [0, 0, 0, 0, 0], warp = [0, 0]>]}> : (tensor<32x32xi32>) -> tensor<32x32xi32>
      %ks = "nv_tileaa.splat"(%k) : (i32) -> tensor<32x32xi32>
      %m = arith.muli %d, %ks : tensor<32x32xi32>
      %e = arith.addi %m, %z : tensor<32x32xi32>
      %s = arith.addi %acc, %e : tensor<32x32xi32>
      scf.yield %s : tensor<32x32xi32>
    }
    %bs = "nv_tileaa.splat"(%b) : (!p) -> tensor<32x32x!p>
    %bt = "nv_tileaa.addptr"(%bs, %grid) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
    %w = "nv_tileaa.store"(%bt, %sum, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<32x32x!p>, tensor<32x32xi32>, !t) -> !t
    "nv_tileaa.yield"(%w) : (!t) -> ()
  }) : (!t) -> (!t, !t)
  %both = "nv_tileaa.join_mem_token"(%done#0, %done#1) : (!t, !t) -> !t
  %rs = "nv_tileaa.splat"(%b) : (!p) -> tensor<32x32x!p>
  %rt = "nv_tileaa.addptr"(%rs, %grid) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
  %r, %ru = "nv_tileaa.load"(%rt, %both) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<32x32x!p>, !t) -> (tensor<32x32xi32>, !t)
  %cs = "nv_tileaa.splat"(%c) : (!p) -> tensor<32x32x!p>
  %ct = "nv_tileaa.addptr"(%cs, %grid) : (tensor<32x32x!p>, tensor<32x32xi32>) -> tensor<32x32x!p>
  %w2 = "nv_tileaa.store"(%ct, %r, %ru) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<32x32x!p>, tensor<32x32xi32>, !t) -> !t
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
"nv_tileaa.func"() <{function_type = (i32) -> i32, sym_name = "number", sym_visibility = "private"}> ({
^bb0(%x: i32):
  "nv_tileaa.return"(%x) : (i32) -> ()
}) : () -> ()
}
}
