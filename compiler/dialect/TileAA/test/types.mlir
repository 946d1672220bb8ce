// RUN: tile-opt %s | tile-opt | FileCheck --check-prefixes=CHECK,O2,O14,O17 %s

// No alias abbreviates a type or an attribute, and ops print in the generic form.
// O2-NOT: {{^[!#][^ ]+ = }}
// Default printers and parsers of types and attributes round-trip.
// CHECK: !nv_tileaa.ptr<f32, 1>
// O14-SAME: !nv_tileaa.memref<[4, ?] x f16, strides = [?, 1], 1, scope = 3>
// O14-SAME: !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [1, 0], padding = <nan>, traversalStrides = [2, 2]>
// O14-SAME: !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1], sparseDim = 1>
// CHECK-SAME: !nv_tileaa.mem_token
// CHECK-SAME: !nv_tileaa.program_id
// CHECK-SAME: !nv_tileaa.queue<[f32, tensor<4xf16>], isolated = true>
func.func private @types(
  !nv_tileaa.ptr<f32, 1>,
  !nv_tileaa.memref<[4, ?] x f16, strides = [?, 1], 1, scope = 3>,
  !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [1, 0], padding = <nan>, traversalStrides = [2, 2]>,
  !nv_tileaa.tiled_view<tileShape = [4, 4], memref = <[8, 8] x f32, strides = [8, 1], 1>, dimMap = [0, 1], sparseDim = 1>,
  !nv_tileaa.mem_token,
  !nv_tileaa.program_id,
  !nv_tileaa.queue<[f32, tensor<4xf16>], isolated = true>)

// O17: #nv_tileaa.compute_capability<90>
// O17-SAME: #nv_tileaa.target_spec<"sm_90a">
// CHECK-SAME: #nv_tileaa.kernel_spec<numWarps = 4, numCTAs = 1, clusterDimX = 2, clusterDimY = 1, clusterDimZ = 1, occupancy = 2>
// CHECK-SAME: #nv_tileaa.cache_modifier<cg>
// CHECK-SAME: #nv_tileaa.eviction_policy<last>
// CHECK-SAME: #nv_tileaa.conv_params<padding = [1], stride = [2], dilation = [1]>
func.func private @attrs() attributes {
  a = [#nv_tileaa.compute_capability<90>, #nv_tileaa.target_spec<"sm_90a">,
       #nv_tileaa.kernel_spec<numWarps = 4, numCTAs = 1, clusterDimX = 2, clusterDimY = 1, clusterDimZ = 1, occupancy = 2>,
       #nv_tileaa.cache_modifier<cg>, #nv_tileaa.eviction_policy<last>,
       #nv_tileaa.conv_params<padding = [1], stride = [2], dilation = [1]>]
}

// O2-LABEL: @generic
// O2: = "nv_tileaa.create_mem_token"() <{producers = 1 : i32}> : () -> !nv_tileaa.mem_token
// O2: = "nv_tileaa.join_mem_token"(%{{.*}}, %{{.*}}) : (!nv_tileaa.mem_token, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
func.func @generic() {
  %a = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
  %b = "nv_tileaa.join_mem_token"(%a, %a) : (!nv_tileaa.mem_token, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
  return
}
