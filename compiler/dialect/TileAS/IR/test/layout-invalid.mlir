// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 5 lane bases, got 4}}
func.func private @lanes(tensor<16xf32, #nv_tileas.layout<shape = [16], register = [], lane = [1, 2, 4, 8], warp = []>>)

// -----

// expected-error @+1 {{layout basis 16 is outside of the 16 elements of the tile}}
func.func private @basis(tensor<16xf32, #nv_tileas.layout<shape = [16], register = [16], lane = [1, 2, 4, 8, 0], warp = []>>)

// -----

// expected-error @+1 {{layout extents must be powers of two, got 12}}
func.func private @extent(tensor<12xf32, #nv_tileas.layout<shape = [12], register = [], lane = [1, 2, 4, 8, 0], warp = []>>)

// -----

func.func @shape(%x: tensor<32xf32, #nv_tileas.layout<shape = [32], register = [], lane = [1, 2, 4, 8, 16], warp = []>>) {
  // expected-error @+1 {{expected equal shapes, got}}
  %y = nv_tileas.convert_layout %x : tensor<32xf32, #nv_tileas.layout<shape = [32], register = [], lane = [1, 2, 4, 8, 16], warp = []>> -> tensor<4x8xf32, #nv_tileas.layout<shape = [4, 8], register = [], lane = [1, 2, 4, 8, 16], warp = []>>
  return
}

// -----

// pool
// expected-error @+2 {{failed to init mbarrier}}
// expected-note @+1 {{a tile block has 32 mbarriers for tokens, this kernel needs 33 at the same time}}
%h:33 = "nv_tileas.init_mem_tokens"() <{producers = array<i32: 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128>}> : () -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)

// -----

// expected-error @+1 {{expected one handle for each of 2 producers, got 1}}
%h = "nv_tileas.init_mem_tokens"() <{producers = array<i32: 1, 1>}> : () -> i32

// -----

// expected-error @+1 {{expected tokens of at least one producer, got 0}}
%h = "nv_tileas.init_mem_tokens"() <{producers = array<i32: 0>}> : () -> i32

// -----

!slot = tensor<16xf32, #nv_tileas.shared<shape = [16], offset = [1, 2, 4, 8]>>
func.func @write(%x: tensor<16xf32>, %slot: !slot) {
  // expected-error @+1 {{expected a layout on 'tensor<16xf32>'}}
  nv_tileas.write %x into %slot : tensor<16xf32>, !slot
  return
}

// -----

// Places may stay empty, elements may not.
func.func private @half_empty(tensor<16xf32, #nv_tileas.shared<shape = [16], offset = [1, 2, 0, 4, 8]>>)
// expected-error @+1 {{expected 4 offset bases, got 3}}
func.func private @left_out(tensor<16xf32, #nv_tileas.shared<shape = [16], offset = [1, 2, 0, 4]>>)
