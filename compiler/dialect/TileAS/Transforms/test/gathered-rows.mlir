// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 stop-after=gpu-remove-barriers" | FileCheck %s --check-prefix=CODE
// Rows that an index tile picks are copied ahead, as those of the other operand: each thread has the indices of its rows in front of
// the loop.
// CHECK: %[[OWN:.*]] = nv_tileas.convert_layout {{.*}} tensor<64xi32
// CHECK: scf.for
// CHECK-NOT: nv_tileas.gather_load
// CHECK: "nv_tileas.async.tiled_load"(%{{.*}}, %{{.*}}, %[[OWN]],
// CHECK: scf.yield
// CODE: nvgpu.device_async_wait
// CODE-NEXT: gpu.barrier
// CODE-NOT: gpu.barrier
// CODE: nvgpu.mma.sync
cuda_tile.module @m {
  entry @g_gather_64x128x64(%a_raw: tile<ptr<bf16>>, %a_0_raw: tile<i32>, %a_1_raw: tile<i32>, %a_s0_raw: tile<i32>, %b_raw: tile<ptr<bf16>>, %b_0_raw: tile<i32>, %b_1_raw: tile<i32>, %b_s0_raw: tile<i32>, %c_raw: tile<ptr<bf16>>, %c_0_raw: tile<i32>, %c_1_raw: tile<i32>, %c_s0_raw: tile<i32>, %ids_raw: tile<ptr<i32>>, %ids_0_raw: tile<i32>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<bf16>>
    %a_0_pos = assume bounded<0, ?>, %a_0_raw : tile<i32>
    %a_0 = assume div_by<1>, %a_0_pos : tile<i32>
    %a_1_pos = assume bounded<0, ?>, %a_1_raw : tile<i32>
    %a_1 = assume div_by<16>, %a_1_pos : tile<i32>
    %a_s0_pos = assume bounded<0, ?>, %a_s0_raw : tile<i32>
    %a_s0 = assume div_by<16>, %a_s0_pos : tile<i32>
    %a_v = make_tensor_view %a, shape = [%a_0, %a_1], strides = [%a_s0, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b = assume div_by<16>, %b_raw : tile<ptr<bf16>>
    %b_0_pos = assume bounded<0, ?>, %b_0_raw : tile<i32>
    %b_0 = assume div_by<16>, %b_0_pos : tile<i32>
    %b_1_pos = assume bounded<0, ?>, %b_1_raw : tile<i32>
    %b_1 = assume div_by<16>, %b_1_pos : tile<i32>
    %b_s0_pos = assume bounded<0, ?>, %b_s0_raw : tile<i32>
    %b_s0 = assume div_by<16>, %b_s0_pos : tile<i32>
    %b_v = make_tensor_view %b, shape = [%b_0, %b_1], strides = [%b_s0, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %c = assume div_by<16>, %c_raw : tile<ptr<bf16>>
    %c_0_pos = assume bounded<0, ?>, %c_0_raw : tile<i32>
    %c_0 = assume div_by<16>, %c_0_pos : tile<i32>
    %c_1_pos = assume bounded<0, ?>, %c_1_raw : tile<i32>
    %c_1 = assume div_by<16>, %c_1_pos : tile<i32>
    %c_s0_pos = assume bounded<0, ?>, %c_s0_raw : tile<i32>
    %c_s0 = assume div_by<16>, %c_s0_pos : tile<i32>
    %c_v = make_tensor_view %c, shape = [%c_0, %c_1], strides = [%c_s0, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %ids = assume div_by<16>, %ids_raw : tile<ptr<i32>>
    %ids_0_pos = assume bounded<0, ?>, %ids_0_raw : tile<i32>
    %ids_0 = assume div_by<16>, %ids_0_pos : tile<i32>
    %ids_v = make_tensor_view %ids, shape = [%ids_0], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %ids_p = make_partition_view %ids_v : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>
    %id, %id_t = load_view_tko weak %ids_p[%bx] token = %tok : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %g = make_gather_scatter_view %a_v : gather_scatter_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>, sparse_dim=0>
    %b_p = make_partition_view %b_v : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %ctk = constant <i32: 64> : tile<i32>
    %nk = divi %b_0, %ctk signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x128xf32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<64x128xf32>) {
      %col = muli %i, %ctk : tile<i32>
      %ta, %ta_t = load_view_tko weak %g[%id, %col] token = %tok : gather_scatter_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>, sparse_dim=0>, tile<64xi32>, tile<i32> -> tile<64x64xbf16>, token
      %tb, %tb_t = load_view_tko weak %b_p[%i, %by] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %n = mmaf %ta, %tb, %s : tile<64x64xbf16>, tile<64x128xbf16>, tile<64x128xf32>
      continue %n : tile<64x128xf32>
    }
    %o = ftof %acc : tile<64x128xf32> -> tile<64x128xbf16>
    %st1 = store_view_tko weak %o, %c_p[%bx, %by] token = %tok : tile<64x128xbf16>, partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
