// RUN: not tile-opt %s --convert-tileaa-to-tileas 2>&1 | FileCheck %s

// Nobody has checked who fills and who empties the queue.
// CHECK: 'nv_tileaa.queue.put' op expected a queue of this function that tileaa-map-queues has mapped: one that nobody consumes would lose its order
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.queue.put"(%q, %n) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    %g = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> i32
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
