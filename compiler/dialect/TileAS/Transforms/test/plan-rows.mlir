// RUN: tile-opt %s --split-input-file --convert-cudatile-to-tileaa=compute-capability=sm_90 --cse --tileas-plan-rows="num-warps=4 remarks" --cse 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %s --split-input-file --convert-cudatile-to-tileaa=compute-capability=sm_100 --tileas-plan-rows="num-warps=4 remarks" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: tile-opt %s --split-input-file --tilesmith-pipeline="gpu-name=sm_90 to=tileas" | FileCheck %s --check-prefix=TILEAS
// Rows of products that feed each other are divided into pieces where the sums of all need too many registers.

// Two pieces, the second of which begins behind the first; keys and values are loaded once.
// REMARK: remark: rows are divided into 2 pieces, which follow each other in each turn
// OTHER-LABEL: sym_name = "attention"
// OTHER: "nv_tileaa.dot"{{.*}} -> tensor<256x64xf32>
// CHECK-LABEL: sym_name = "attention"
// CHECK: "nv_tileaa.tiled_load"(%[[QUERIES:.*]], %{{.*}}, %{{.*}}, %{{.*}}) <{{.*}} -> (tensor<128x64xf16>
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %c1_i64
// CHECK: "nv_tileaa.tiled_load"(%{{.*}}, %[[NEXT]], {{.*}} -> (tensor<128x64xf16>
// CHECK: scf.for {{.*}} -> (tensor<128x64xf32>, tensor<128x64xf32>)
// CHECK: %[[KEYS:.*]], %{{.*}} = "nv_tileaa.tiled_load"{{.*}} -> (tensor<32x64xf16>
// CHECK: %[[TURNED:.*]] = "nv_tileaa.permute"(%[[KEYS]])
// CHECK: %[[VALUES:.*]], %{{.*}} = "nv_tileaa.tiled_load"{{.*}} -> (tensor<32x64xf16>
// CHECK: %[[S0:.*]] = "nv_tileaa.dot"(%{{.*}}, %[[TURNED]], {{.*}} -> tensor<128x32xf32>
// CHECK: %[[P0:.*]] = "nv_tileaa.fp_to_fp"(%[[S0]])
// CHECK: %[[O0:.*]] = "nv_tileaa.dot"(%[[P0]], %[[VALUES]], {{.*}} -> tensor<128x64xf32>
// CHECK: %[[S1:.*]] = "nv_tileaa.dot"(%{{.*}}, %[[TURNED]], {{.*}} -> tensor<128x32xf32>
// CHECK: %[[P1:.*]] = "nv_tileaa.fp_to_fp"(%[[S1]])
// CHECK: %[[O1:.*]] = "nv_tileaa.dot"(%[[P1]], %[[VALUES]], {{.*}} -> tensor<128x64xf32>
// CHECK: scf.yield %[[O0]], %[[O1]]
// CHECK: "nv_tileaa.tiled_store"{{.*}}tensor<128x64xf32>
// CHECK: "nv_tileaa.tiled_store"{{.*}}tensor<128x64xf32>
// All products are of warpgroups; both pieces read the keys from one slot, the queries from buffers of their own.
// TILEAS-LABEL: sym_name = "attention"
// TILEAS-COUNT-2: nv_tileas.tensor_memory.stage
// TILEAS: "nv_tileas.dot"{{.*}}atom = "wgmma.f16"
// TILEAS: "nv_tileas.dot"{{.*}}atom = "wgmma.f16"
// TILEAS: "nv_tileas.dot"{{.*}}atom = "wgmma.f16"
// TILEAS: "nv_tileas.dot"{{.*}}atom = "wgmma.f16"
// TILEAS-NOT: mma.m16
cuda_tile.module @m {
  entry @attention(%q: tile<ptr<f16>>, %k: tile<ptr<f16>>, %v: tile<ptr<f16>>, %o: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {num_worker_warps_per_cta = 4}> {
    %qa = assume div_by<16>, %q : tile<ptr<f16>>
    %ka = assume div_by<16>, %k : tile<ptr<f16>>
    %va = assume div_by<16>, %v : tile<ptr<f16>>
    %oa = assume div_by<16>, %o : tile<ptr<f32>>
    %qv = make_tensor_view %qa, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf16, strides=[64,1]>
    %kv = make_tensor_view %ka, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf16, strides=[64,1]>
    %vv = make_tensor_view %va, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf16, strides=[64,1]>
    %ov = make_tensor_view %oa, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf32, strides=[64,1]>
    %qp = make_partition_view %qv : partition_view<tile=(256x64), tensor_view<1024x64xf16, strides=[64,1]>>
    %kp = make_partition_view %kv : partition_view<tile=(32x64), tensor_view<1024x64xf16, strides=[64,1]>>
    %vp = make_partition_view %vv : partition_view<tile=(32x64), tensor_view<1024x64xf16, strides=[64,1]>>
    %op = make_partition_view %ov : partition_view<tile=(256x64), tensor_view<1024x64xf32, strides=[64,1]>>
    %t = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %s0 = constant <f32: 0.0> : tile<256x32xf32>
    %o0 = constant <f32: 0.0> : tile<256x64xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %qt, %tq = load_view_tko weak %qp[%x, %c0] token = %t : partition_view<tile=(256x64), tensor_view<1024x64xf16, strides=[64,1]>>, tile<i32> -> tile<256x64xf16>, token
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%a = %o0) -> (tile<256x64xf32>) {
      %kt, %tk = load_view_tko weak %kp[%i, %c0] token = %t : partition_view<tile=(32x64), tensor_view<1024x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %kk = permute %kt [1, 0] : tile<32x64xf16> -> tile<64x32xf16>
      %vt, %tv = load_view_tko weak %vp[%i, %c0] token = %t : partition_view<tile=(32x64), tensor_view<1024x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %s = mmaf %qt, %kk, %s0 : tile<256x64xf16>, tile<64x32xf16>, tile<256x32xf32>
      %p = ftof %s : tile<256x32xf32> -> tile<256x32xf16>
      %b = mmaf %p, %vt, %a : tile<256x32xf16>, tile<32x64xf16>, tile<256x64xf32>
      continue %b : tile<256x64xf32>
    }
    %st = store_view_tko weak %r, %op[%x, %c0] token = %t : tile<256x64xf32>, partition_view<tile=(256x64), tensor_view<1024x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}

// -----

// What fits stays whole, and so does what no piece would make fit.
// REMARK: remark: rows are not divided: a thread would still hold 272 words of sums
// CHECK-LABEL: sym_name = "too_wide"
// CHECK: "nv_tileaa.dot"{{.*}} -> tensor<256x32xf32>
cuda_tile.module @m {
  entry @too_wide(%q: tile<ptr<f16>>, %n: tile<i32>) optimization_hints=<default = {num_worker_warps_per_cta = 4}> {
    %qv = make_tensor_view %q, shape = [1024, 128], strides = [128, 1] : tensor_view<1024x128xf16, strides=[128,1]>
    %qp = make_partition_view %qv : partition_view<tile=(256x128), tensor_view<1024x128xf16, strides=[128,1]>>
    %kp = make_partition_view %qv : partition_view<tile=(32x128), tensor_view<1024x128xf16, strides=[128,1]>>
    %ov = make_tensor_view %q, shape = [1024, 128], strides = [128, 1] : tensor_view<1024x128xf16, strides=[128,1]>
    %t = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %s0 = constant <f32: 0.0> : tile<256x32xf32>
    %o0 = constant <f32: 0.0> : tile<256x128xf32>
    %qt, %tq = load_view_tko weak %qp[%c0, %c0] token = %t : partition_view<tile=(256x128), tensor_view<1024x128xf16, strides=[128,1]>>, tile<i32> -> tile<256x128xf16>, token
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%a = %o0) -> (tile<256x128xf32>) {
      %kt, %tk = load_view_tko weak %kp[%i, %c0] token = %t : partition_view<tile=(32x128), tensor_view<1024x128xf16, strides=[128,1]>>, tile<i32> -> tile<32x128xf16>, token
      %kk = permute %kt [1, 0] : tile<32x128xf16> -> tile<128x32xf16>
      %s = mmaf %qt, %kk, %s0 : tile<256x128xf16>, tile<128x32xf16>, tile<256x32xf32>
      %p = ftof %s : tile<256x32xf32> -> tile<256x32xf16>
      %b = mmaf %p, %kt, %a : tile<256x32xf16>, tile<32x128xf16>, tile<256x128xf32>
      continue %b : tile<256x128xf32>
    }
    %h = ftof %r : tile<256x128xf32> -> tile<256x128xf16>
    %st = store_view_tko weak %h, %qp[%c0, %c0] token = %t : tile<256x128xf16>, partition_view<tile=(256x128), tensor_view<1024x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
