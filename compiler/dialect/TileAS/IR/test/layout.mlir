// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK: tensor<4x8xf32, #nv_tileas.layout<shape = [4, 8], register = [], lane = [1, 2, 4, 8, 16], warp = [0, 0]>>
// GENERIC: "nv_tileas.convert_layout"
func.func @convert(%x: tensor<4x8xf32, #nv_tileas.layout<shape = [4, 8], register = [], lane = [1, 2, 4, 8, 16], warp = [0, 0]>>)
    -> tensor<4x8xf32, #nv_tileas.layout<shape = [4, 8], register = [8, 16], lane = [1, 2, 4, 0, 0], warp = [0, 0]>> {
  %y = nv_tileas.convert_layout %x : tensor<4x8xf32, #nv_tileas.layout<shape = [4, 8], register = [], lane = [1, 2, 4, 8, 16], warp = [0, 0]>> -> tensor<4x8xf32, #nv_tileas.layout<shape = [4, 8], register = [8, 16], lane = [1, 2, 4, 0, 0], warp = [0, 0]>>
  return %y : tensor<4x8xf32, #nv_tileas.layout<shape = [4, 8], register = [8, 16], lane = [1, 2, 4, 0, 0], warp = [0, 0]>>
}
