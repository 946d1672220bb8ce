// RUN: tile-opt %s --split-input-file --tileaa-map-queues --verify-diagnostics

// registers
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected at most 255 registers per thread, found 256}}
  "nv_tileaa.plugin"() <{symbol = @p, registers = 256 : i32}> : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// barriers
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  "nv_tileaa.plugin"() <{symbol = @p, named_barriers = 10 : i32}> : () -> ()
  // expected-error @below {{expected at most 15 named barriers, found 16}}
  "nv_tileaa.plugin"() <{symbol = @p, named_barriers = 6 : i32}> : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// shared
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected at most 232448 bytes of shared memory, found 232449}}
  "nv_tileaa.plugin"() <{symbol = @p, shared_memory = 232449 : i64}> : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// tensor
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected at most 0 bytes of tensor memory, found 1}}
  "nv_tileaa.plugin"() <{symbol = @p, tensor_memory = 1 : i64}> : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// agent_registers
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected at most 255 registers per thread, found 256}}
  "nv_tileaa.execute"() <{numAgents = 2 : i32, maxRegisters = array<i32: 128, 256>}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// all_registers
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected at most 65536 registers, found 82944}}
  "nv_tileaa.execute"() <{numAgents = 2 : i32, maxRegisters = array<i32: 168, 240>, numWarps = array<i32: 4, 8>}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// no_producer
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected one agent that produces for the pipeline, found 0}}
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    %0 = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> i32
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// two_producers
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected one agent that produces for the pipeline, found 2}}
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// no_consumer
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected an agent that consumes from the pipeline, found none}}
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// same_agent
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected producer and consumer to be different agents}}
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
    %0 = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> i32
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// no_stage
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected a queue of at least one stage, found 0}}
  %q = "nv_tileaa.create_queue"() <{depth = 0 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    %0 = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> i32
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// outside
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
    // expected-error @below {{expected a queue op inside an agent of 'nv_tileaa.execute'}}
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// other_use
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
    // expected-error @below {{expected a queue to be used by queue.put and queue.get only}}
    "nv_tileaa.mark_for_reuse"(%q) : (!nv_tileaa.queue<[i32]>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// values
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    // expected-error @below {{expected values of the queue's 1 types}}
    "nv_tileaa.queue.put"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    %0 = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> i32
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// negative
"nv_tileaa.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "nv_tileaa.execute"() <{numAgents = 1 : i32}> ({
    // expected-error @below {{expects 'named_barriers' to be at least 0, but got -5}}
    "nv_tileaa.plugin"() <{symbol = @a, named_barriers = -5 : i32}> : () -> ()
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// negative_stage
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  // expected-error @below {{expected a queue of at least one stage, found -1}}
  %q = "nv_tileaa.create_queue"() <{depth = -1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    %0 = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> i32
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// two_layouts
"nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%v: i32):
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.plugin"() <{symbol = @a, output_layouts = ["row"]}> : () -> ()
    // expected-error @below {{expected the plugins of one agent to agree on output_layouts ["row"], found ["column"]}}
    "nv_tileaa.plugin"() <{symbol = @b, output_layouts = ["column"]}> : () -> ()
    "nv_tileaa.queue.put"(%q, %v) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    %0 = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> i32
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
