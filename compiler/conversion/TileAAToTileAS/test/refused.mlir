// RUN: tile-opt %s --split-input-file --verify-diagnostics --convert-tileaa-to-tileas

"nv_tileaa.func"() <{function_type = () -> (), sym_name = "f"}> ({
  // expected-error @below {{'nv_tileaa.inject_ir' op cannot be converted to nv_tileas: the payload is code of another compiler's last stage}}
  "nv_tileaa.inject_ir"() <{payload = "ret;"}> : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

"nv_tileaa.func"() <{function_type = () -> (), sym_name = "f"}> ({
  // expected-error @below {{'nv_tileaa.launch_func' op cannot be converted to nv_tileas: a launch belongs to the host}}
  "nv_tileaa.launch_func"() <{kernel = @f, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

"nv_tileaa.func"() <{function_type = (tensor<16x16xf16>, tensor<16x16xf32>) -> (), sym_name = "f"}> ({
^bb0(%a: tensor<16x16xf16>, %c: tensor<16x16xf32>):
  // expected-error @below {{'nv_tileaa.conv_dot' op cannot be converted to nv_tileas: no document says which elements}}
  %0 = "nv_tileaa.conv_dot"(%a, %a, %c) : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

"nv_tileaa.func"() <{function_type = () -> (), sym_name = "f"}> ({
  // expected-error @below {{'nv_tileaa.cancel_next_program_id' op cannot be converted to nv_tileas: the loop of a persistent kernel is made by tileas-dynamic-persistent}}
  %0 = "nv_tileaa.cancel_next_program_id"() : () -> !nv_tileaa.program_id
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

"nv_tileaa.func"() <{function_type = () -> (), sym_name = "f"}> ({
  // expected-error @below {{'nv_tileaa.call' op expected calls that end: 'f' is called by itself}}
  "nv_tileaa.call"() <{callee = @f}> : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

!m = !nv_tileaa.memref<[32, 16] x i32, strides = [16, 1], 1>
// expected-error @below {{failed to convert nv_tileaa to nv_tileas}}
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, tensor<8xi32>) -> (), sym_name = "f"}> ({
^bb0(%p: !nv_tileaa.ptr<i32, 1>, %rows: tensor<8xi32>):
  %m = "nv_tileaa.make_memref"(%p) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !m
  // expected-error @below {{expected a tiled view, got '!nv_tileaa.memref}}
  %t = "nv_tileaa.gather_load"(%m, %rows) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!m, tensor<8xi32>) -> tensor<8x16xi32>
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
