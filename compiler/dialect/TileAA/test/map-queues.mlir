// RUN: tile-opt %s --tileaa-map-queues | FileCheck --check-prefixes=CHECK,O11,T16,T17 %s

// Every queue becomes a pipeline with a number, stages, one producer and one consumer; what its agents do with it stays in them.
// The layouts of a plugin go to the queue ops of its own agent, and to no other.
// CHECK-LABEL: sym_name = "pipelines"
// T17-NEXT: ^bb0(%[[V:.*]]: i32):
// T17-NEXT: %[[Q:.*]] = "nv_tileaa.create_queue"() <{depth = 3 : i32}>
// T17-NEXT: %[[R:.*]] = "nv_tileaa.create_queue"() <{depth = 2 : i32}>
// O11: "nv_tileaa.execute"() <{maxRegisters = array<i32: 40, 232>, numAgents = 2 : i32, numWarps = array<i32: 4, 8>}> ({
// O11-NEXT: "nv_tileaa.plugin"() <{{.*}}symbol = @a, {{.*}}> : () -> ()
// T17: "nv_tileaa.queue.put"(%[[Q]], %[[V]])
// T16: }) {nv_tileaa.output_layouts = ["row"], nv_tileaa.pipeline = 0
// T17-SAME: nv_tileaa.pipeline_role = "producer", nv_tileaa.pipeline_stages = 3 : i32}
// T17: "nv_tileaa.queue.get"(%[[R]])
// T16: }) {nv_tileaa.pipeline = 1
// T17-SAME: nv_tileaa.pipeline_role = "consumer", nv_tileaa.pipeline_stages = 2 : i32}
// O11: "nv_tileaa.yield"
// O11-NEXT: }, {
// O11-NEXT: "nv_tileaa.plugin"() <{{.*}}symbol = @b, {{.*}}> : () -> ()
// T17: "nv_tileaa.queue.get"(%[[Q]])
// T16: }) {nv_tileaa.input_layouts = ["column"], nv_tileaa.pipeline = 0
// T17-SAME: nv_tileaa.pipeline_role = "consumer", nv_tileaa.pipeline_stages = 3 : i32}
// T17: "nv_tileaa.queue.put"(%[[R]], %[[V]])
// T16: }) {nv_tileaa.pipeline = 1
// T17-SAME: nv_tileaa.pipeline_role = "producer", nv_tileaa.pipeline_stages = 2 : i32}
// O11: "nv_tileaa.return"
!q = !nv_tileaa.queue<[i32]>
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "pipelines"}> ({
^bb0(%v: i32):
  %q = "nv_tileaa.create_queue"() <{depth = 3 : i32}> : () -> !q
  %r = "nv_tileaa.create_queue"() <{depth = 2 : i32}> : () -> !q
  "nv_tileaa.execute"() <{numAgents = 2 : i32, maxRegisters = array<i32: 40, 232>, numWarps = array<i32: 4, 8>}> ({
    "nv_tileaa.plugin"() <{symbol = @a, output_layouts = ["row"], registers = 32 : i32, named_barriers = 2 : i32, shared_memory = 1024 : i64}> : () -> ()
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!q, i32) -> ()
    %0 = "nv_tileaa.queue.get"(%r) ({}) : (!q) -> i32
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.plugin"() <{symbol = @b, input_layouts = ["column"]}> : () -> ()
    %0 = "nv_tileaa.queue.get"(%q) ({}) : (!q) -> i32
    "nv_tileaa.queue.put"(%r, %v) ({}) : (!q, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
