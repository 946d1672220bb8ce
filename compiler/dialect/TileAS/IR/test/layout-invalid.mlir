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
