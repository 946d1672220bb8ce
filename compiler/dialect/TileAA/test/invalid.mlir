// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @dot_mixed(%a: tensor<4x4xi8>, %b: tensor<4x4xf16>, %c: tensor<4x4xf32>) {
  // expected-error @+1 {{expected the element types of A, B, C, and D to be either all integers or all floats.}}
  %0 = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x4xi8>, tensor<4x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_width(%a: tensor<4x4xi8>, %b: tensor<4x4xi16>, %c: tensor<4x4xi32>) {
  // expected-error @+1 {{expects #A and #B have same bit width but got 8 vs 16}}
  %0 = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x4xi8>, tensor<4x4xi16>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return
}

// -----

func.func @dot_sign(%a: tensor<4x4xi8>, %c: tensor<4x4xi32>) {
  // expected-error @+1 {{expect signedness attribute for operand A}}
  %0 = "nv_tileaa.dot"(%a, %a, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return
}

// -----

func.func @dot_acc(%a: tensor<4x4xf16>, %c: tensor<4x4xf16>) {
  // expected-error @+1 {{expects #C element type to be f32, but got 'f16'}}
  %0 = "nv_tileaa.dot"(%a, %a, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  return
}

// -----

func.func @dot_acc_fp4(%a: tensor<4x4xf4E2M1FN>, %c: tensor<4x4xbf16>) {
  // expected-error @+1 {{expects #C element type to be either f32 or f16, but got 'bf16'}}
  %0 = "nv_tileaa.dot"(%a, %a, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x4xf4E2M1FN>, tensor<4x4xf4E2M1FN>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return
}

// -----

func.func @dot_rank(%a: tensor<4xf16>, %c: tensor<4xf32>) {
  // expected-error @+1 {{expects rank-2 or rank-3 tensor for result, but got ('tensor<4xf32>')}}
  %0 = "nv_tileaa.dot"(%a, %a, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4xf16>, tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dot_ab(%a: tensor<4x8xf16>, %c: tensor<4x8xf32>) {
  // expected-error @+1 {{expects the shape of operand #A and #B to be compatible}}
  %0 = "nv_tileaa.dot"(%a, %a, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dot_c(%a: tensor<4x4xf16>, %c: tensor<8x4xf32>) {
  // expected-error @+1 {{expects the shape of operand #C is compatible with operands #A and #B}}
  %0 = "nv_tileaa.dot"(%a, %a, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @dot_scales(%a: tensor<4x32xf8E4M3FN>, %b: tensor<32x4xf8E4M3FN>, %c: tensor<4x4xf32>, %s: tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{expects both SFA and SFB to be present}}
  %0 = "nv_tileaa.dot"(%a, %b, %c, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<4x32xf8E4M3FN>, tensor<32x4xf8E4M3FN>, tensor<4x4xf32>, tensor<4x1xf8E8M0FNU>) -> tensor<4x4xf32>
  return
}

// -----

!m = !nv_tileaa.memref<[8, 8] x f32, strides = [8, 1], 1>
func.func @block_tile_twice(%m: !m) {
  // expected-error @+1 {{expects dim is being tiled only one time, but got 0}}
  %0 = "nv_tileaa.block_tile"(%m) <{tileSizes = array<i64: 4, 4>, dimGroups = [array<i64: 0>, array<i64: 0>]}> : (!m) -> !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 0]>
  return
}

// -----

!m = !nv_tileaa.memref<[8, 8] x f32, strides = [8, 1], 1>
func.func @block_tile_rank(%m: !m) {
  // expected-error @+1 {{expects rank of tileSizes be equal to rank of dimGroups, but got 2 vs 1}}
  %0 = "nv_tileaa.block_tile"(%m) <{tileSizes = array<i64: 4, 4>, dimGroups = [array<i64: 0>]}> : (!m) -> !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1]>
  return
}

// -----

!m = !nv_tileaa.memref<[8, 8] x f32, strides = [8, 1], 1>
func.func @block_tile_empty(%m: !m) {
  // expected-error @+1 {{expects non-empty tileSizes}}
  %0 = "nv_tileaa.block_tile"(%m) <{tileSizes = array<i64>, dimGroups = []}> : (!m) -> !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1]>
  return
}

// -----

!m = !nv_tileaa.memref<[8, 8] x f32, strides = [8, 1], 1>
func.func @block_tile_zero(%m: !m) {
  // expected-error @+1 {{expects all tile size bigger than zero}}
  %0 = "nv_tileaa.block_tile"(%m) <{tileSizes = array<i64: 0, 4>, dimGroups = [array<i64: 0>, array<i64: 1>]}> : (!m) -> !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1]>
  return
}

// -----

!m = !nv_tileaa.memref<[8, 8] x f32, strides = [8, 1], 1>
func.func @conv_filter(%m: !m) {
  // expected-error @+1 {{expects filter size must be in range 1 to 3}}
  %0 = "nv_tileaa.conv_tile"(%m) <{filterSizes = array<i64: 4>, conv_params = #nv_tileaa.conv_params<padding = [0], stride = [1], dilation = [1]>, dimGroups = [array<i64: 0>, array<i64: 1>], channel = 1 : i64, activation_layout = #nv_tileaa.activation_layout<nhwc>}> : (!m) -> !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1]>
  return
}

// -----

!m = !nv_tileaa.memref<[8, 8] x f32, strides = [8, 1], 1>
func.func @conv_params(%m: !m) {
  // expected-error @+1 {{expects conv params size matched with each other}}
  %0 = "nv_tileaa.conv_tile"(%m) <{filterSizes = array<i64: 3>, conv_params = #nv_tileaa.conv_params<padding = [0, 0], stride = [1], dilation = [1]>, dimGroups = [array<i64: 0>, array<i64: 1>], channel = 1 : i64, activation_layout = #nv_tileaa.activation_layout<nhwc>}> : (!m) -> !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1]>
  return
}

// -----

!m = !nv_tileaa.memref<[8, 8] x f32, strides = [8, 1], 1>
func.func @conv_channel(%m: !m) {
  // expected-error @+1 {{expects channel dimGroup should contain only channel}}
  %0 = "nv_tileaa.conv_tile"(%m) <{filterSizes = array<i64: 3>, conv_params = #nv_tileaa.conv_params<padding = [0], stride = [1], dilation = [1]>, dimGroups = [array<i64: 0, 1>], channel = 1 : i64, activation_layout = #nv_tileaa.activation_layout<nhwc>}> : (!m) -> !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1]>
  return
}

// -----

!m = !nv_tileaa.memref<[8, 8] x f32, strides = [8, 1], 1>
func.func @conv_no_channel(%m: !m) {
  // expected-error @+1 {{expects channel must be a dimGroup}}
  %1 = "nv_tileaa.conv_tile"(%m) <{filterSizes = array<i64: 3>, conv_params = #nv_tileaa.conv_params<padding = [0], stride = [1], dilation = [1]>, dimGroups = [array<i64: 0>], channel = 1 : i64, activation_layout = #nv_tileaa.activation_layout<nhwc>}> : (!m) -> !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1]>
  return
}

// -----

func.func @reduce_terminator(%x: tensor<8xf32>) {
  // expected-error @+1 {{expects regions to end with 'nv_tileaa.yield'}}
  %0 = "nv_tileaa.reduce"(%x) <{axis = 0 : i32, identities = [0.0 : f32]}> ({
  ^bb0(%a: f32, %b: f32):
    "nv_tileaa.queue.yield"(%a) : (f32) -> ()
  }) : (tensor<8xf32>) -> f32
  return
}

// -----

func.func @return_parent() {
  // expected-error @+1 {{expects parent op 'nv_tileaa.func'}}
  "nv_tileaa.return"() : () -> ()
}

// -----

func.func @yield_parent() {
  // expected-error @+1 {{expects parent op 'nv_tileaa.func'}}
  "nv_tileaa.yield"() : () -> ()
}

// -----

func.func @queue_yield_parent() {
  // expected-error @+1 {{expects parent op 'nv_tileaa.func'}}
  "nv_tileaa.queue.yield"() : () -> ()
}

// -----

func.func @scope_missing(%p: !nv_tileaa.ptr<f32, 1>) {
  // expected-error @+1 {{non-weak memory ordering requires explicit scope}}
  %0 = "nv_tileaa.load"(%p) <{mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>) -> f32
  return
}

// -----

func.func @scope_extra(%p: !nv_tileaa.ptr<f32, 1>, %v: f32) {
  // expected-error @+1 {{weak memory ordering must not carry a scope}}
  "nv_tileaa.store"(%p, %v) <{mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>, f32) -> ()
  return
}

// -----

func.func @fp_source(%x: f80) {
  // expected-error @+1 {{fp_to_fp source element type is not supported}}
  %0 = "nv_tileaa.fp_to_fp"(%x) : (f80) -> f32
  return
}

// -----

func.func @fp_result(%x: f32) {
  // expected-error @+1 {{fp_to_fp result element type is not supported}}
  %0 = "nv_tileaa.fp_to_fp"(%x) : (f32) -> f128
  return
}

// -----

func.func @div_by_value(%x: f32) {
  // expected-error @+1 {{div_by requires an integer-, pointer-, or memref-like value}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.div_by<divisor = 4>]}> : (f32) -> f32
  return
}

// -----

func.func @div_by_divisor(%x: i32) {
  // expected-error @+1 {{div_by divisor must be a positive power of two}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.div_by<divisor = 6>]}> : (i32) -> i32
  return
}

// -----

func.func @div_by_every(%x: tensor<8xi32>) {
  // expected-error @+1 {{div_by every and along must appear together}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.div_by<divisor = 4, every = 2>]}> : (tensor<8xi32>) -> tensor<8xi32>
  return
}

// -----

func.func @div_by_every_positive(%x: tensor<8xi32>) {
  // expected-error @+1 {{div_by every must be positive}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.div_by<divisor = 4, every = 0, along = 0>]}> : (tensor<8xi32>) -> tensor<8xi32>
  return
}

// -----

func.func @div_by_along(%x: tensor<8xi32>) {
  // expected-error @+1 {{div_by along must reference a valid axis}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.div_by<divisor = 4, every = 2, along = 1>]}> : (tensor<8xi32>) -> tensor<8xi32>
  return
}

// -----

func.func @bounded_type(%x: f32) {
  // expected-error @+1 {{bounded requires an integer-like element type}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.bounded<0, 1>]}> : (f32) -> f32
  return
}

// -----

func.func @bounded_lower(%x: i8) {
  // expected-error @+1 {{bounded lower exceeds the element's representable range}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.bounded<-129, ?>]}> : (i8) -> i8
  return
}

// -----

func.func @bounded_upper(%x: i8) {
  // expected-error @+1 {{bounded upper exceeds the element's representable range}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.bounded<?, 128>]}> : (i8) -> i8
  return
}

// -----

func.func @bounded_order(%x: i8) {
  // expected-error @+1 {{bounded lower must not exceed upper}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.bounded<3, 2>]}> : (i8) -> i8
  return
}

// -----

func.func @same_rank(%x: tensor<8x8xi8>) {
  // expected-error @+1 {{same_elements length must match the constrained value's rank}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.same_elements<[4]>]}> : (tensor<8x8xi8>) -> tensor<8x8xi8>
  return
}

// -----

func.func @same_range(%x: tensor<8xi8>) {
  // expected-error @+1 {{same_elements axis bound is out of range}}
  %0 = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.same_elements<[9]>]}> : (tensor<8xi8>) -> tensor<8xi8>
  return
}

// -----

"nv_tileaa.func"() <{function_type = () -> (), sym_name = "f"}> ({
  // expected-error @below {{'nv_tileaa.execute' op expects 'maxRegisters' to be at least 0, but got -8}}
  "nv_tileaa.execute"() <{maxRegisters = array<i32: 232, -8>, numAgents = 2 : i32}> ({
    "nv_tileaa.yield"() : () -> ()
  }, {
    "nv_tileaa.yield"() : () -> ()
  }) : () -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
