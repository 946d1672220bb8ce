// RUN: tile-opt %s --verify-diagnostics

!m = !nv_tileaa.memref<[8, 8] x f32, strides = [8, 1], 1>
func.func @no_groups(%m: !m) {
  // expected-error @+1 {{expects non-empty dimGroups}}
  %0 = "nv_tileaa.block_tile"(%m) <{tileSizes = array<i64: 4, 4>, dimGroups = []}> : (!m) -> !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1]>
  return
}
