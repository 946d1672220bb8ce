// RUN: tile-opt %s --tileaa-map-queues | FileCheck %s

// The queue becomes pipeline 0; the layouts of the plugins in its agents go with it.
// CHECK: "nv_tileaa.queue.put"
// CHECK: }) {nv_tileaa.output_layouts = ["row"], nv_tileaa.pipeline = 0 : i32, nv_tileaa.pipeline_role = "producer", nv_tileaa.pipeline_stages = 3 : i32}
// CHECK: "nv_tileaa.queue.get"
// CHECK: }) {nv_tileaa.input_layouts = ["column"], nv_tileaa.pipeline = 0 : i32, nv_tileaa.pipeline_role = "consumer", nv_tileaa.pipeline_stages = 3 : i32}
!q = !nv_tileaa.queue<[i32]>
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  %q = "nv_tileaa.create_queue"() <{depth = 3 : i32}> : () -> !q
  "nv_tileaa.execute"() <{numAgents = 2 : i32, maxRegisters = array<i32: 40, 232>, numWarps = array<i32: 4, 8>}> ({
    "nv_tileaa.plugin"() <{symbol = @a, output_layouts = ["row"], registers = 32 : i32, named_barriers = 2 : i32, shared_memory = 1024 : i64}> : () -> ()
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!q, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.plugin"() <{symbol = @b, input_layouts = ["column"]}> : () -> ()
    %0 = "nv_tileaa.queue.get"(%q) ({}) : (!q) -> i32
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
