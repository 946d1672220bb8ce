// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas plain" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 to=tileas plain" | FileCheck %s --check-prefix=WARPS
// RUN: tile-opt %corpus/perf/kinds/gemm_f8_blocks.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=tileas-insert-barriers" | FileCheck %s --check-prefix=WANTED
// RUN: tile-opt %corpus/perf/kinds/attn_mask_sink_bf16.mlir --tilesmith-pipeline="gpu-name=sm_80 auto stop-after=tileas-insert-barriers" | FileCheck %s --check-prefix=MASK
// Bytes of a mask are brought to where the sums are, and not the sums to where they are loaded.
// MASK: scf.for
// MASK: "nv_tileas.dot"
// MASK: %[[BYTES:.*]], %{{.*}} = "nv_tileas.tiled_load"
// MASK-NOT: convert_layout {{.*}} tensor<128x64xf32
// MASK: nv_tileas.convert_layout %[[BYTES]] : tensor<128x64xi8
// MASK-NOT: convert_layout {{.*}} tensor<128x64xf32
// MASK: scf.yield
// Scales of rows are loaded by each thread that wants them, and no exchange stands in the loop.
// WANTED: scf.for
// WANTED: "nv_tileas.tiled_load"{{.*}}-> (tensor<128x1xf32, #nv_tileas.layout<shape = [128, 1], register = [{{[0-9]+}}], lane = [0, 0, {{[0-9]+, [0-9]+, [0-9]+}}]
// WANTED: convert_layout %{{.*}} : tensor<128x1xf32, #nv_tileas.layout<shape = [128, 1], register = [{{[0-9]+}}],
// WANTED-NOT: convert_layout
// WANTED: scf.yield
// Scores, their maxima and sums by rows and the next product share a layout: the loop exchanges nothing between its products.

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "attention"
  // CHECK: scf.for
  // CHECK: nv_tileas.dot{{.*}}wgmma.f16
  // CHECK-NOT: convert_layout{{.*}}tensor<64x64x
  // CHECK-NOT: convert_layout{{.*}}tensor<64x128x
  // CHECK: nv_tileas.reduce
  // CHECK-NOT: convert_layout{{.*}}tensor<64x64x
  // CHECK-NOT: convert_layout{{.*}}tensor<64x128x
  // CHECK: nv_tileas.dot{{.*}}wgmma.f16
  // CHECK: scf.yield
  // What leaves the loop is converted behind the last operation on it.
  // CHECK: nv_tileaa.fp_to_fp
  // CHECK: nv_tileas.convert_layout{{.*}}tensor<64x128xf16

  // Warps of mma.sync hold whole rows here.
  // WARPS-LABEL: sym_name = "attention"
  // The left operand that no turn changes comes to its fragments once.
  // WARPS: nv_tileas.convert_layout{{.*}}tensor<64x128xf16
  // WARPS: scf.for
  // WARPS-NOT: convert_layout{{.*}}tensor<64x128xf16
  // WARPS: nv_tileas.dot{{.*}}m16n8k16.f16
  // WARPS-NOT: convert_layout{{.*}}tensor<64x64xf32
  // WARPS: nv_tileas.reduce
  // WARPS-NOT: convert_layout{{.*}}tensor<64x64xf32
  // WARPS: nv_tileas.dot{{.*}}m16n8k16.f16
  // WARPS: scf.yield
  entry @attention(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %po: tile<ptr<f16>>, %rows: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %q16 = assume div_by<16>, %pq : tile<ptr<f16>>
    %k16 = assume div_by<16>, %pk : tile<ptr<f16>>
    %v16 = assume div_by<16>, %pv : tile<ptr<f16>>
    %o16 = assume div_by<16>, %po : tile<ptr<f16>>
    %vq = make_tensor_view %q16, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %vk = make_tensor_view %k16, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %vv = make_tensor_view %v16, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %vo = make_tensor_view %o16, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %bq = make_partition_view %vq : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %bk = make_partition_view %vk : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %bv = make_partition_view %vv : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %bo = make_partition_view %vo : partition_view<tile=(64x128), tensor_view<?x128xf16, strides=[128,1]>>
    %tok = make_token : token
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q, %tq = load_view_tko weak %bq[%bx, %c0] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
    %n = divi %rows, %c64 signed rounding<positive_inf> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %m0 = constant <f32: 0xFF800000> : tile<64x1xf32>
    %l0 = constant <f32: 0.0> : tile<64x1xf32>
    %o0 = constant <f32: 0.0> : tile<64x128xf32>
    %r:3 = for %j in (%c0 to %n, step %c1) : tile<i32> iter_values(%m = %m0, %l = %l0, %o = %o0) -> (tile<64x1xf32>, tile<64x1xf32>, tile<64x128xf32>) {
      %k, %tk = load_view_tko weak %bk[%j, %c0] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %kt = permute %k [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
      %s = mmaf %q, %kt, %none : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
      %mx = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %c = maxf %a, %b : tile<f32>
        yield %c : tile<f32>
      }
      %mc = reshape %mx : tile<64xf32> -> tile<64x1xf32>
      %mn = maxf %m, %mc : tile<64x1xf32>
      %mb = broadcast %mn : tile<64x1xf32> -> tile<64x64xf32>
      %d = subf %s, %mb : tile<64x64xf32>
      %p = exp2 %d : tile<64x64xf32>
      %ls = reduce %p dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %c = addf %a, %b : tile<f32>
        yield %c : tile<f32>
      }
      %lc = reshape %ls : tile<64xf32> -> tile<64x1xf32>
      %dm = subf %m, %mn : tile<64x1xf32>
      %al = exp2 %dm : tile<64x1xf32>
      %lm = mulf %l, %al : tile<64x1xf32>
      %ln = addf %lm, %lc : tile<64x1xf32>
      %ab = broadcast %al : tile<64x1xf32> -> tile<64x128xf32>
      %os = mulf %o, %ab : tile<64x128xf32>
      %ph = ftof %p : tile<64x64xf32> -> tile<64x64xf16>
      %v, %tv = load_view_tko weak %bv[%j, %c0] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %on = mmaf %ph, %v, %os : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
      continue %mn, %ln, %on : tile<64x1xf32>, tile<64x1xf32>, tile<64x128xf32>
    }
    %lb = broadcast %r#1 : tile<64x1xf32> -> tile<64x128xf32>
    %w = divf %r#2, %lb : tile<64x128xf32>
    %h = ftof %w : tile<64x128xf32> -> tile<64x128xf16>
    %t = store_view_tko weak %h, %bo[%bx, %c0] token = %tok : tile<64x128xf16>, partition_view<tile=(64x128), tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }

  // A line's sum stays where the line is: as a column, through what is computed from it, and in front of the next sum.
  // CHECK-LABEL: sym_name = "normalise"
  // CHECK: nv_tileas.reduce{{.*}}axis = 1
  // CHECK-NOT: convert_layout{{.*}}tensor<16xf32
  // CHECK: nv_tileaa.mulf{{.*}}register = [4, 8], lane = [0, 0, 0, 0, 0], warp = [1, 2]
  // CHECK: nv_tileas.view
  // CHECK: convert_layout{{.*}}tensor<16x1xf32{{.*}}register = [4, 8]{{.*}}register = [0, 0, 4, 8]
  // CHECK: nv_tileas.broadcast
  // Stored and summed up: one exchange in front of the store, none of its own.
  // CHECK: nv_tileas.reduce{{.*}}axis = 0
  // CHECK: convert_layout{{.*}}tensor<128xf32
  // CHECK-NOT: convert_layout
  // CHECK: nv_tileaa.return
  entry @normalise(%pa: tile<ptr<f32>>, %po: tile<ptr<f32>>, %ps: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %pa : tile<ptr<f32>>
    %o = assume div_by<16>, %po : tile<ptr<f32>>
    %va = make_tensor_view %a, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf32, strides=[128,1]>
    %vo = make_tensor_view %o, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf32, strides=[128,1]>
    %vs = make_tensor_view %ps, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %ba = make_partition_view %va : partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128,1]>>
    %bo = make_partition_view %vo : partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128,1]>>
    %bs = make_partition_view %vs : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>
    %x, %t = load_view_tko weak %ba[%c0, %c0] : partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128,1]>>, tile<i32> -> tile<16x128xf32>, token
    %r = reduce %x dim=1 identities=[0.0 : f32] : tile<16x128xf32> -> tile<16xf32>
    (%l: tile<f32>, %q: tile<f32>) {
      %s = addf %l, %q : tile<f32>
      yield %s : tile<f32>
    }
    %n = constant <f32: 0.0078125> : tile<16xf32>
    %m = mulf %r, %n : tile<16xf32>
    %mc = reshape %m : tile<16xf32> -> tile<16x1xf32>
    %mb = broadcast %mc : tile<16x1xf32> -> tile<16x128xf32>
    %y = subf %x, %mb : tile<16x128xf32>
    %u = store_view_tko weak %y, %bo[%c0, %c0] : tile<16x128xf32>, partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128,1]>>, tile<i32> -> token
    %c = reduce %y dim=0 identities=[0.0 : f32] : tile<16x128xf32> -> tile<128xf32>
    (%l: tile<f32>, %q: tile<f32>) {
      %s = addf %l, %q : tile<f32>
      yield %s : tile<f32>
    }
    %w = store_view_tko weak %c, %bs[%c0] : tile<128xf32>, partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
