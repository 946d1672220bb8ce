// RUN: tile-opt %s --split-input-file --verify-diagnostics --tileaa-map-queues --convert-tileaa-to-tileas

// one_agent
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{expected two or more agents, got 1}}
  "nv_tileaa.execute"() <{numAgents = 1 : i32}> ({
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// three_warps
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{expected a power of two of warps for each agent, got 3}}
  "nv_tileaa.execute"() <{numAgents = 2 : i32, numWarps = array<i32: 4, 3>}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// many_warps
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{agent warp count exceeds module budget: 33 of 32 warps}}
  "nv_tileaa.execute"() <{numAgents = 2 : i32, numWarps = array<i32: 32, 1>}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// outside
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{stands outside of agents, whose warps must then add up to a power of two, got 3}}
  %u = "nv_tileaa.optimization_barrier"(%tile) : (tensor<16xf32>) -> tensor<16xf32>
  "nv_tileaa.execute"() <{numAgents = 2 : i32, numWarps = array<i32: 2, 1>}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// disagree
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  "nv_tileaa.execute"() <{numAgents = 2 : i32, numWarps = array<i32: 2, 2>}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  // expected-error @below {{agent regions disagree on warp count: expected 4 warps as before, got 8}}
  "nv_tileaa.execute"() <{numAgents = 2 : i32, numWarps = array<i32: 4, 4>}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// nested
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  %c = arith.constant true
  scf.if %c {
    // expected-error @below {{expected agents in the outermost block of a function}}
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  }
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// captured
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    // expected-error @below {{takes a tile from outside of its agent}}
    %a = arith.negf %tile : tensor<16xf32>
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// results
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{hands on 'i32': agents hand values on by queues, and tokens only}}
  %r = "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.yield"(%n) : (i32) -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> i32
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// arguments
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{expected an operand for each argument of a region, got 0 for 1}}
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
  ^bb0(%x: i32):
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// argument_types
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{expected regions that take 'i32', got 'f32'}}
  "nv_tileaa.execute"(%n) <{numAgents = 2 : i32}> ({
  ^bb0(%x: f32):
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : (i32) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// too_deep
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{expected at most 182272 bytes of shared memory for queues, got 312000}}
  %q = "nv_tileaa.create_queue"() <{depth = 300 : i32}> : () -> !nv_tileaa.queue<[tensor<16xf32>]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    %x = arith.constant dense<1.0> : tensor<16xf32>
    "nv_tileaa.queue.put"(%q, %x) ({}) : (!nv_tileaa.queue<[tensor<16xf32>]>, tensor<16xf32>) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    %g = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[tensor<16xf32>]>) -> tensor<16xf32>
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// too_many_stages
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{expected 1 to 32768 stages, got 40000}}
  %q = "nv_tileaa.create_queue"() <{depth = 40000 : i32}> : () -> !nv_tileaa.queue<[i32]>
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

// -----

// pointers
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{expected tiles and scalars of numbers, and tokens, got '!nv_tileaa.ptr<f32, 1>'}}
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[!nv_tileaa.ptr<f32, 1>]>
  %i = arith.constant 0 : i64
  %p = "nv_tileaa.int_to_ptr"(%i) : (i64) -> !nv_tileaa.ptr<f32, 1>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.queue.put"(%q, %p) ({}) : (!nv_tileaa.queue<[!nv_tileaa.ptr<f32, 1>]>, !nv_tileaa.ptr<f32, 1>) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    %g = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[!nv_tileaa.ptr<f32, 1>]>) -> !nv_tileaa.ptr<f32, 1>
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// while_around
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    %c = arith.constant false
    // expected-error @below {{stands around queue ops: expected loops of a known count and branches}}
    scf.while : () -> () {
      scf.condition(%c)
    } do {
    "nv_tileaa.queue.put"(%q, %n) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
      scf.yield
    }
    "nv_tileaa.yield"() : () -> ()
  }, {
    %g = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> i32
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// layout
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = () -> (), sym_name = "p"}> ({
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  "nv_tileaa.execute"() <{numAgents = 2 : i32}> ({
    "nv_tileaa.plugin"() <{symbol = @p, output_layouts = ["row"]}> : () -> ()
    // expected-error @below {{fails to assign layout: expected one of 'tensor<1xi32>' over 4 warps for value 0 in nv_tileaa.output_layouts, got "row"}}
    "nv_tileaa.queue.put"(%q, %n) ({}) : (!nv_tileaa.queue<[i32]>, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
    %g = "nv_tileaa.queue.get"(%q) ({}) : (!nv_tileaa.queue<[i32]>) -> i32
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// old_target
module attributes {nv_tileaa.compute_capability = 80 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  %q = "nv_tileaa.create_queue"() <{depth = 1 : i32}> : () -> !nv_tileaa.queue<[i32]>
  // expected-error @below {{hands values on by queues, and the target has no waits for the phase of an mbarrier}}
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

// -----

// no_plugin
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{plugin has unsupported feature: no function 'elsewhere' with a body stands in the module}}
  "nv_tileaa.plugin"() <{symbol = @elsewhere}> : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}

// -----

// plugin_types
module attributes {nv_tileaa.compute_capability = 90 : i32} {
"nv_tileaa.func"() <{function_type = () -> (), sym_name = "p"}> ({
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
"nv_tileaa.func"() <{function_type = (i32, tensor<16xf32>) -> (), sym_name = "f"}> ({
^bb0(%n: i32, %tile: tensor<16xf32>):
  // expected-error @below {{plugin has unsupported feature: 'p' takes and returns other types}}
  "nv_tileaa.plugin"(%n) <{symbol = @p}> : (i32) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
