// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Products are given to an agent that has nothing else to do.
func.func @no_agents(%turn: i32) {
  // expected-error @+1 {{expected an agent whose region is empty, got 1}}
  "nv_tileas.tensor_memory.issue"(%turn) <{agent = 1 : i32}> ({
    nv_tileas.async.pipeline.yield
  }) : (i32) -> ()
  return
}
// -----
func.func @to_itself(%turn: i32) {
  "nv_tileas.async.pipeline.agent_switch"() <{num_warps = array<i32: 4, 4>, max_regs = array<i32: 0, 0>}> ({
    // expected-error @+1 {{expected an agent whose region is empty, got 0}}
    "nv_tileas.tensor_memory.issue"(%turn) <{agent = 0 : i32}> ({
      nv_tileas.async.pipeline.yield
    }) : (i32) -> ()
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }) : () -> ()
  return
}
