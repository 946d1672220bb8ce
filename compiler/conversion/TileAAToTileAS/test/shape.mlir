// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tileaa-to-tileas)' | FileCheck %s
// Shape operations never move registers; layouts differ by explicit conversions.

gpu.module @m {
  // CHECK-LABEL: sym_name = "shapes"
  "nv_tileaa.func"() <{sym_name = "shapes", function_type = (i32) -> ()}> ({
  ^bb0(%n: i32):
    %x = "nv_tileaa.splat"(%n) : (i32) -> tensor<16x64xi32>
    // A transpose renames axes in place, then converts to the canonical layout.
    // CHECK: nv_tileas.permute {{.*}} -> tensor<64x16xi32, #nv_tileas.layout<shape = [64, 16], register = [16, 32, 8], lane = [64, 128, 256, 512, 1], warp = [2, 4]>>
    // CHECK-NEXT: %[[T:.*]] = nv_tileas.convert_layout {{.*}} -> tensor<64x16xi32, #nv_tileas.layout<shape = [64, 16], register = [1, 2, 512], lane
    %t = "nv_tileaa.permute"(%x) <{permutation = array<i32: 1, 0>}> : (tensor<16x64xi32>) -> tensor<64x16xi32>
    // A reshape keeps the row-major order, hence the canonical layout.
    // CHECK: nv_tileas.view %[[T]]
    // CHECK-NOT: convert_layout
    %v = "nv_tileaa.view"(%t) : (tensor<64x16xi32>) -> tensor<1024x1xi32>
    // The source of a broadcast takes the projected layout first.
    // CHECK: nv_tileas.convert_layout {{.*}} -> tensor<1024x1xi32, #nv_tileas.layout<shape = [1024, 1], register = [0, 0, 128, 256, 512]
    // CHECK-NEXT: nv_tileas.broadcast
    %b = "nv_tileaa.broadcast"(%v) : (tensor<1024x1xi32>) -> tensor<1024x4xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
