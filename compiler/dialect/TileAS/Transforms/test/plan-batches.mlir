// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 to=tileas remarks" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 tensor-map to=tileas" | FileCheck %s --check-prefix=MAPS
// No instruction multiplies batches: there is a product of matrices for each, and the loads of each are copied ahead.
// REMARK: products of 2 batches are one of matrices for each
// CHECK: create_pipeline
// CHECK: scf.for
// CHECK-NOT: nv_tileas.tiled_load
// CHECK-COUNT-2: atom = "m16n8k16.f16"
// CHECK-NOT: nv_tileas.dot
// CHECK: scf.yield
// The view of each batch is made once, in front of the loop, so that tensor copies may bring its tiles.
// MAPS-LABEL: sym_name = "b_2x64x64x64"
// MAPS: scf.for
// MAPS-NOT: nv_tileaa.make_memref
// MAPS: nv_tileas.async.tiled_load{{.*}}atom = "tma_tensor_load"
// MAPS: scf.yield
cuda_tile.module @m {
  entry @b_2x64x64x64(%a_raw: tile<ptr<f16>>, %a_0_raw: tile<i32>, %a_1_raw: tile<i32>, %a_2_raw: tile<i32>, %a_s0_raw: tile<i32>, %a_s1_raw: tile<i32>, %b_raw: tile<ptr<f16>>, %b_0_raw: tile<i32>, %b_1_raw: tile<i32>, %b_2_raw: tile<i32>, %b_s0_raw: tile<i32>, %b_s1_raw: tile<i32>, %c_raw: tile<ptr<f16>>, %c_0_raw: tile<i32>, %c_1_raw: tile<i32>, %c_2_raw: tile<i32>, %c_s0_raw: tile<i32>, %c_s1_raw: tile<i32>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<f16>>
    %a_0_pos = assume bounded<0, ?>, %a_0_raw : tile<i32>
    %a_0 = assume div_by<1>, %a_0_pos : tile<i32>
    %a_1_pos = assume bounded<0, ?>, %a_1_raw : tile<i32>
    %a_1 = assume div_by<16>, %a_1_pos : tile<i32>
    %a_2_pos = assume bounded<0, ?>, %a_2_raw : tile<i32>
    %a_2 = assume div_by<16>, %a_2_pos : tile<i32>
    %a_s0_pos = assume bounded<0, ?>, %a_s0_raw : tile<i32>
    %a_s0 = assume div_by<16>, %a_s0_pos : tile<i32>
    %a_s1_pos = assume bounded<0, ?>, %a_s1_raw : tile<i32>
    %a_s1 = assume div_by<16>, %a_s1_pos : tile<i32>
    %a_v = make_tensor_view %a, shape = [%a_0, %a_1, %a_2], strides = [%a_s0, %a_s1, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %b = assume div_by<16>, %b_raw : tile<ptr<f16>>
    %b_0_pos = assume bounded<0, ?>, %b_0_raw : tile<i32>
    %b_0 = assume div_by<1>, %b_0_pos : tile<i32>
    %b_1_pos = assume bounded<0, ?>, %b_1_raw : tile<i32>
    %b_1 = assume div_by<16>, %b_1_pos : tile<i32>
    %b_2_pos = assume bounded<0, ?>, %b_2_raw : tile<i32>
    %b_2 = assume div_by<16>, %b_2_pos : tile<i32>
    %b_s0_pos = assume bounded<0, ?>, %b_s0_raw : tile<i32>
    %b_s0 = assume div_by<16>, %b_s0_pos : tile<i32>
    %b_s1_pos = assume bounded<0, ?>, %b_s1_raw : tile<i32>
    %b_s1 = assume div_by<16>, %b_s1_pos : tile<i32>
    %b_v = make_tensor_view %b, shape = [%b_0, %b_1, %b_2], strides = [%b_s0, %b_s1, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %c = assume div_by<16>, %c_raw : tile<ptr<f16>>
    %c_0_pos = assume bounded<0, ?>, %c_0_raw : tile<i32>
    %c_0 = assume div_by<1>, %c_0_pos : tile<i32>
    %c_1_pos = assume bounded<0, ?>, %c_1_raw : tile<i32>
    %c_1 = assume div_by<16>, %c_1_pos : tile<i32>
    %c_2_pos = assume bounded<0, ?>, %c_2_raw : tile<i32>
    %c_2 = assume div_by<16>, %c_2_pos : tile<i32>
    %c_s0_pos = assume bounded<0, ?>, %c_s0_raw : tile<i32>
    %c_s0 = assume div_by<16>, %c_s0_pos : tile<i32>
    %c_s1_pos = assume bounded<0, ?>, %c_s1_raw : tile<i32>
    %c_s1 = assume div_by<16>, %c_s1_pos : tile<i32>
    %c_v = make_tensor_view %c, shape = [%c_0, %c_1, %c_2], strides = [%c_s0, %c_s1, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = make_partition_view %a_v : partition_view<tile=(2x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(2x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(2x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %ctk = constant <i32: 64> : tile<i32>
    %nk = divi %a_2, %ctk signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<2x64x64xf32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<2x64x64xf32>) {
      %ta, %ta_t = load_view_tko weak %a_p[%bz, %bx, %i] token = %tok : partition_view<tile=(2x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<2x64x64xf16>, token
      %tb, %tb_t = load_view_tko weak %b_p[%bz, %i, %by] token = %tok : partition_view<tile=(2x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<2x64x64xf16>, token
      %n = mmaf %ta, %tb, %s : tile<2x64x64xf16>, tile<2x64x64xf16>, tile<2x64x64xf32>
      continue %n : tile<2x64x64xf32>
    }
    %o = ftof %acc : tile<2x64x64xf32> -> tile<2x64x64xf16>
    %st1 = store_view_tko weak %o, %c_p[%bz, %bx, %by] token = %tok : tile<2x64x64xf16>, partition_view<tile=(2x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
