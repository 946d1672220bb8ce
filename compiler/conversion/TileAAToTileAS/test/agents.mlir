// RUN: tile-opt %s --tileaa-map-queues --convert-tileaa-to-tileas | FileCheck %s

// Agents with warps of their own, a pipeline for each agent that takes from the queue; scalars are tiles of one element and
// tokens need no buffer. Constants and ranges from outside are made anew in an agent.
!q = !nv_tileaa.queue<[tensor<8x16xf32>, i32, !nv_tileaa.mem_token]>
!t = !nv_tileaa.mem_token
module attributes {nv_tileaa.compute_capability = 90 : i32} {
  // CHECK-LABEL: sym_name = "two_consumers"
  // CHECK: %[[TILES:.*]] = nv_tileas.alloc_tensor 3 : tensor<8x16xf32, #nv_tileas.shared
  // CHECK-NEXT: %[[NUMBERS:.*]] = nv_tileas.alloc_tensor 3 : tensor<1xi32, #nv_tileas.shared
  // CHECK-NEXT: %[[FIRST:.*]] = nv_tileas.async.pipeline.create_pipeline %[[TILES]], %[[NUMBERS]] {consumerGroupId = 1 : i32, mbarriers}
  // CHECK: %[[SECOND:.*]] = nv_tileas.async.pipeline.create_pipeline {{.*}} {consumerGroupId = 2 : i32, mbarriers}
  // CHECK: gpu.barrier
  // CHECK-NEXT: agent_switch"() <{max_regs = array<i32: 0, 0, 0>, num_warps = array<i32: 4, 2, 2>}>
  // CHECK: create_iterator %[[SECOND]]
  // CHECK: create_iterator %[[FIRST]]
  // CHECK: "nv_tileaa.make_range"
  // CHECK: scf.for {{.*}} iter_args
  // CHECK: producer_acquire %[[FIRST]]
  // CHECK: nv_tileas.write
  // CHECK-NEXT: nv_tileas.write
  // CHECK: producer_commit %[[FIRST]]
  // CHECK: inc_iter {{.*}} {mbarriers}
  // CHECK: producer_acquire %[[SECOND]]
  // CHECK: producer_commit %[[SECOND]]
  // CHECK: scf.yield {{.*}} : !nv_tileas.pipeline_iterator<3>, !nv_tileas.pipeline_iterator<3>
  // CHECK: create_iterator %[[FIRST]]
  // CHECK: scf.if
  // CHECK: consumer_wait"(%[[FIRST]]
  // CHECK: consumer_read"(%[[FIRST]]
  // CHECK: consumer_release %[[FIRST]]
  // CHECK: extract_slice
  // CHECK: } else {
  // CHECK-NEXT: scf.yield
  // CHECK: consumer_wait"(%[[SECOND]]
  // CHECK: gpu.barrier
  // CHECK: nv_tileas.threads = 256 : i32
  "nv_tileaa.func"() <{function_type = (i32, i1) -> (), sym_name = "two_consumers"}> ({
  ^bb0(%n: i32, %c: i1):
    %zero = arith.constant 0 : i32
    %end = arith.constant 128 : i32
    %one = arith.constant 1 : i32
    %range = "nv_tileaa.make_range"(%zero, %end) : (i32, i32) -> tensor<128xi32>
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %q = "nv_tileaa.create_queue"() <{depth = 3 : i32}> : () -> !q
    "nv_tileaa.execute"() <{numAgents = 3 : i32, numWarps = array<i32: 4, 2, 2>}> ({
      %f = arith.sitofp %range : tensor<128xi32> to tensor<128xf32>
      %v = "nv_tileaa.view"(%f) : (tensor<128xf32>) -> tensor<8x16xf32>
      scf.for %i = %zero to %n step %one : i32 {
        "nv_tileaa.queue.put"(%q, %v, %i, %t) ({}) : (!q, tensor<8x16xf32>, i32, !t) -> ()
      }
      "nv_tileaa.yield"() : () -> ()
    }, {
      scf.if %c {
        %x, %k, %u = "nv_tileaa.queue.get"(%q) ({}) : (!q) -> (tensor<8x16xf32>, i32, !t)
      }
      "nv_tileaa.yield"() : () -> ()
    }, {
      %x, %k, %u = "nv_tileaa.queue.get"(%q) ({}) : (!q) -> (tensor<8x16xf32>, i32, !t)
      "nv_tileaa.yield"() : () -> ()
    }) : () -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()

  // Budgets of whole warpgroups change hands; what a thread starts with lies between them.
  // CHECK-LABEL: sym_name = "budgets"
  // CHECK: agent_switch"() <{max_regs = array<i32: 232, 40>, num_warps = array<i32: 8, 4>}>
  // CHECK: nv_tileas.max_regs = 168 : i32
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "budgets"}> ({
    "nv_tileaa.execute"() <{maxRegisters = array<i32: 232, 40>, numAgents = 2 : i32, numWarps = array<i32: 8, 4>}> ({
      "nv_tileaa.yield"() : () -> ()
    }, {
      "nv_tileaa.yield"() : () -> ()
    }) : () -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()

  // Others share the largest one.
  // CHECK-LABEL: sym_name = "shared_budget"
  // CHECK: agent_switch"() <{max_regs = array<i32: 0, 0>, num_warps = array<i32: 2, 1>}>
  // CHECK: nv_tileas.max_regs = 96 : i32
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "shared_budget"}> ({
    "nv_tileaa.execute"() <{maxRegisters = array<i32: 96, 40>, numAgents = 2 : i32, numWarps = array<i32: 2, 1>}> ({
      "nv_tileaa.yield"() : () -> ()
    }, {
      "nv_tileaa.yield"() : () -> ()
    }) : () -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
