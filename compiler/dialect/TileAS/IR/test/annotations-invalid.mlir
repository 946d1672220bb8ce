// RUN: tile-opt %s --split-input-file --verify-diagnostics
// What passes note on operations: wrong values, wrong places, unknown names.
#l = #nv_tileas.layout<shape = [128], register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>

func.func @unknown(%a: tensor<128xi32, #l>) {
  // expected-error @+1 {{has 'nv_tileas.colour', which nv_tileas does not know}}
  %0 = nv_tileas.view %a {nv_tileas.colour = 1 : i32} : tensor<128xi32, #l> -> tensor<128xi32, #l>
  return
}
// -----
func.func @stages(%n: index) {
  %0 = arith.constant 0 : index
  // expected-error @+1 {{expected for 'nv_tileas.num_stages' 1 to 8 on an 'scf.for', got 9 : i32}}
  scf.for %i = %0 to %n step %n {
  } {nv_tileas.num_stages = 9 : i32}
  return
}
// -----
// expected-error @+1 {{expected for 'nv_tileas.num_stages' 1 to 8 on an 'scf.for', got 4 : i32}}
func.func @place() attributes {nv_tileas.num_stages = 4 : i32} {
  return
}
// -----
func.func @barrier() {
  // expected-error @+1 {{expected for 'nv_tileas.cluster' unit on a 'gpu.barrier', got 1 : i32}}
  gpu.barrier {nv_tileas.cluster = 1 : i32}
  return
}
// -----
#l = #nv_tileas.layout<shape = [128], register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
func.func @exchange(%a: tensor<128xi32, #l>) {
  // expected-error @+1 {{expected for 'nv_tileas.exchange' #nv_tileas.exchange on a 'nv_tileas.convert_layout', got "shuffle"}}
  %0 = nv_tileas.convert_layout %a {nv_tileas.exchange = "shuffle"} : tensor<128xi32, #l> -> tensor<128xi32, #l>
  return
}
// -----
#l = #nv_tileas.layout<shape = [128], register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
func.func @vector(%a: tensor<128xi32, #l>) {
  // expected-error @+1 {{expected for 'nv_tileas.vector' a power of two above 1 on an access of nv_tileas, got 3 : i64}}
  %0 = nv_tileas.view %a {nv_tileas.vector = 3 : i64} : tensor<128xi32, #l> -> tensor<128xi32, #l>
  return
}
// -----
#l = #nv_tileas.layout<shape = [128], register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
func.func @copy(%a: tensor<128xi32, #l>) {
  // expected-error @+1 {{expected for 'nv_tileas.schedule' #nv_tileas.schedule on an operation of nv_tileas, with copy_vector on loads only}}
  %0 = nv_tileas.view %a {nv_tileas.schedule = #nv_tileas.schedule<stage = 0, order = 0, copy_vector = 4>} : tensor<128xi32, #l> -> tensor<128xi32, #l>
  return
}
// -----
// expected-error @+1 {{expected for 'nv_tileas.max_regs' 24 to 255 on a function, got 8 : i32}}
"nv_tileaa.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "nv_tileaa.return"() : () -> ()
}) {nv_tileas.max_regs = 8 : i32} : () -> ()
// -----
// expected-error @+1 {{expected for 'nv_tileas.threads' warps of 32 up to 1024 on a function, got 40 : i32}}
"nv_tileaa.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "nv_tileaa.return"() : () -> ()
}) {nv_tileas.threads = 40 : i32} : () -> ()
// -----
// expected-error @+1 {{expected for 'nv_tileas.strategy' #nv_tileas.strategy on a function, got "auto"}}
"nv_tileaa.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "nv_tileaa.return"() : () -> ()
}) {nv_tileas.strategy = "auto"} : () -> ()
// -----
// expected-error @+1 {{expected for 'nv_tileas.hints' #nv_tileas.hints on an access of nv_tileas}}
func.func @hints() attributes {nv_tileas.hints = #nv_tileas.hints<latency = 3, allow_tma = false>} {
  return
}
// -----
// expected-error @+1 {{expected for 'nv_tileas.not_pipelined' a string on a load of nv_tileas, got "why"}}
func.func @reason() attributes {nv_tileas.not_pipelined = "why"} {
  return
}
// -----
// expected-error @+1 {{expected a latency of 1 to 10, or 0, got 11}}
func.func @latency() attributes {x = #nv_tileas.hints<latency = 11>} {
  return
}
// -----
// expected-error @+1 {{expected a stage of 0 to 7, got 8}}
func.func @stage() attributes {x = #nv_tileas.schedule<stage = 8>} {
  return
}
// -----
// expected-error @+1 {{expected order and copy_vector together, got 1 and 0}}
func.func @order() attributes {x = #nv_tileas.schedule<stage = 0, order = 1>} {
  return
}
// -----
// expected-error @+1 {{expected a power of two for copy_vector, got 3}}
func.func @power() attributes {x = #nv_tileas.schedule<stage = 0, order = 1, copy_vector = 3>} {
  return
}
// -----
func.func @in_flight() {
  // expected-error @+1 {{expected for 'nv_tileas.in_flight' unit on a 'nv_tileas.dot', got unit}}
  gpu.barrier {nv_tileas.in_flight}
  return
}
// -----
func.func @late_release() {
  // expected-error @+1 {{expected for 'nv_tileas.late_release' unit on an 'scf.for', got unit}}
  gpu.barrier {nv_tileas.late_release}
  return
}
