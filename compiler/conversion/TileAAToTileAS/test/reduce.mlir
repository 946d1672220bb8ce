// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tileaa-to-tileas)' | FileCheck %s
// The result of a reduction has the operand layout without the axis, then the canonical one.

gpu.module @m {
  "nv_tileaa.func"() <{sym_name = "rows", function_type = (f32) -> ()}> ({
  ^bb0(%n: f32):
    %x = "nv_tileaa.splat"(%n) : (f32) -> tensor<8x128xf32>
    // CHECK: "nv_tileas.reduce"(%{{.*}}) <{axis = 1 : i32}>
    // CHECK: nv_tileas.yield
    // CHECK: -> tensor<8xf32, #nv_tileas.layout<shape = [8], register = [4], lane = [0, 0, 0, 0, 0], warp = [1, 2]>>
    // CHECK: nv_tileas.convert_layout {{.*}} -> tensor<8xf32, #nv_tileas.layout<shape = [8], register = [], lane = [1, 2, 4, 0, 0], warp = [0, 0]>>
    %s = "nv_tileaa.reduce"(%x) <{axis = 1 : i32, identities = [0.0 : f32]}> ({
    ^bb0(%a: f32, %b: f32):
      %q = "nv_tileaa.addf"(%a, %b) : (f32, f32) -> f32
      "nv_tileaa.yield"(%q) : (f32) -> ()
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
