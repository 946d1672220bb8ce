// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 from=cudatile to=tileaa" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=gpu-remove-barriers" | FileCheck %s --check-prefix=CODE
// Attention backward uses P and dS transposed only: S and dP are multiplied the other way round, and statistics of rows are those of
// columns. Nobody meets in a turn.
// CHECK: scf.for
// CHECK: %[[Q:.*]], %{{.*}} = "nv_tileaa.tiled_load"
// CHECK: "nv_tileaa.broadcast"(%{{.*}}) : (tensor<1x64xf32>) -> tensor<64x64xf32>
// CHECK: %[[TURNED:.*]] = "nv_tileaa.permute"(%[[Q]])
// CHECK: "nv_tileaa.dot"(%{{.*}}, %[[TURNED]],
// CHECK: %[[P:.*]] = "nv_tileaa.fp_to_fp"
// CHECK-NEXT: "nv_tileaa.dot"(%[[P]],
// CHECK: %[[DS:.*]] = "nv_tileaa.fp_to_fp"
// CHECK-NEXT: "nv_tileaa.dot"(%[[DS]], %[[Q]],
// CHECK: scf.yield
// CODE: scf.for {{.*}} -> (!llvm.struct<(i32, i1, i32)>)
// CODE-NOT: {{gpu.barrier|nvvm.barrier}}
// CODE-COUNT-16: nvgpu_ext.warpgroup.mma_async
// CODE-NOT: {{gpu.barrier|nvvm.barrier}}
// CODE: nvgpu.mbarrier.arrive
cuda_tile.module @m {
  entry @bw_kv_64x64x64(%q_raw: tile<ptr<f16>>, %q_0_raw: tile<i32>, %q_1_raw: tile<i32>, %q_2_raw: tile<i32>, %q_s0_raw: tile<i32>, %q_s1_raw: tile<i32>, %k_raw: tile<ptr<f16>>, %k_0_raw: tile<i32>, %k_1_raw: tile<i32>, %k_2_raw: tile<i32>, %k_s0_raw: tile<i32>, %k_s1_raw: tile<i32>, %v_raw: tile<ptr<f16>>, %v_0_raw: tile<i32>, %v_1_raw: tile<i32>, %v_2_raw: tile<i32>, %v_s0_raw: tile<i32>, %v_s1_raw: tile<i32>, %do_raw: tile<ptr<f16>>, %do_0_raw: tile<i32>, %do_1_raw: tile<i32>, %do_2_raw: tile<i32>, %do_s0_raw: tile<i32>, %do_s1_raw: tile<i32>, %dk_raw: tile<ptr<f16>>, %dk_0_raw: tile<i32>, %dk_1_raw: tile<i32>, %dk_2_raw: tile<i32>, %dk_s0_raw: tile<i32>, %dk_s1_raw: tile<i32>, %dv_raw: tile<ptr<f16>>, %dv_0_raw: tile<i32>, %dv_1_raw: tile<i32>, %dv_2_raw: tile<i32>, %dv_s0_raw: tile<i32>, %dv_s1_raw: tile<i32>, %l_raw: tile<ptr<f32>>, %l_0_raw: tile<i32>, %l_1_raw: tile<i32>, %l_s0_raw: tile<i32>, %de_raw: tile<ptr<f32>>, %de_0_raw: tile<i32>, %de_1_raw: tile<i32>, %de_s0_raw: tile<i32>, %scale: tile<f32>) {
    %q = assume div_by<16>, %q_raw : tile<ptr<f16>>
    %q_0_pos = assume bounded<0, ?>, %q_0_raw : tile<i32>
    %q_0 = assume div_by<1>, %q_0_pos : tile<i32>
    %q_1_pos = assume bounded<0, ?>, %q_1_raw : tile<i32>
    %q_1 = assume div_by<16>, %q_1_pos : tile<i32>
    %q_2_pos = assume bounded<0, ?>, %q_2_raw : tile<i32>
    %q_2 = assume div_by<16>, %q_2_pos : tile<i32>
    %q_s0_pos = assume bounded<0, ?>, %q_s0_raw : tile<i32>
    %q_s0 = assume div_by<16>, %q_s0_pos : tile<i32>
    %q_s1_pos = assume bounded<0, ?>, %q_s1_raw : tile<i32>
    %q_s1 = assume div_by<16>, %q_s1_pos : tile<i32>
    %q_v = make_tensor_view %q, shape = [%q_0, %q_1, %q_2], strides = [%q_s0, %q_s1, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %k = assume div_by<16>, %k_raw : tile<ptr<f16>>
    %k_0_pos = assume bounded<0, ?>, %k_0_raw : tile<i32>
    %k_0 = assume div_by<1>, %k_0_pos : tile<i32>
    %k_1_pos = assume bounded<0, ?>, %k_1_raw : tile<i32>
    %k_1 = assume div_by<16>, %k_1_pos : tile<i32>
    %k_2_pos = assume bounded<0, ?>, %k_2_raw : tile<i32>
    %k_2 = assume div_by<16>, %k_2_pos : tile<i32>
    %k_s0_pos = assume bounded<0, ?>, %k_s0_raw : tile<i32>
    %k_s0 = assume div_by<16>, %k_s0_pos : tile<i32>
    %k_s1_pos = assume bounded<0, ?>, %k_s1_raw : tile<i32>
    %k_s1 = assume div_by<16>, %k_s1_pos : tile<i32>
    %k_v = make_tensor_view %k, shape = [%k_0, %k_1, %k_2], strides = [%k_s0, %k_s1, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %v = assume div_by<16>, %v_raw : tile<ptr<f16>>
    %v_0_pos = assume bounded<0, ?>, %v_0_raw : tile<i32>
    %v_0 = assume div_by<1>, %v_0_pos : tile<i32>
    %v_1_pos = assume bounded<0, ?>, %v_1_raw : tile<i32>
    %v_1 = assume div_by<16>, %v_1_pos : tile<i32>
    %v_2_pos = assume bounded<0, ?>, %v_2_raw : tile<i32>
    %v_2 = assume div_by<16>, %v_2_pos : tile<i32>
    %v_s0_pos = assume bounded<0, ?>, %v_s0_raw : tile<i32>
    %v_s0 = assume div_by<16>, %v_s0_pos : tile<i32>
    %v_s1_pos = assume bounded<0, ?>, %v_s1_raw : tile<i32>
    %v_s1 = assume div_by<16>, %v_s1_pos : tile<i32>
    %v_v = make_tensor_view %v, shape = [%v_0, %v_1, %v_2], strides = [%v_s0, %v_s1, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %do = assume div_by<16>, %do_raw : tile<ptr<f16>>
    %do_0_pos = assume bounded<0, ?>, %do_0_raw : tile<i32>
    %do_0 = assume div_by<1>, %do_0_pos : tile<i32>
    %do_1_pos = assume bounded<0, ?>, %do_1_raw : tile<i32>
    %do_1 = assume div_by<16>, %do_1_pos : tile<i32>
    %do_2_pos = assume bounded<0, ?>, %do_2_raw : tile<i32>
    %do_2 = assume div_by<16>, %do_2_pos : tile<i32>
    %do_s0_pos = assume bounded<0, ?>, %do_s0_raw : tile<i32>
    %do_s0 = assume div_by<16>, %do_s0_pos : tile<i32>
    %do_s1_pos = assume bounded<0, ?>, %do_s1_raw : tile<i32>
    %do_s1 = assume div_by<16>, %do_s1_pos : tile<i32>
    %do_v = make_tensor_view %do, shape = [%do_0, %do_1, %do_2], strides = [%do_s0, %do_s1, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %dk = assume div_by<16>, %dk_raw : tile<ptr<f16>>
    %dk_0_pos = assume bounded<0, ?>, %dk_0_raw : tile<i32>
    %dk_0 = assume div_by<1>, %dk_0_pos : tile<i32>
    %dk_1_pos = assume bounded<0, ?>, %dk_1_raw : tile<i32>
    %dk_1 = assume div_by<16>, %dk_1_pos : tile<i32>
    %dk_2_pos = assume bounded<0, ?>, %dk_2_raw : tile<i32>
    %dk_2 = assume div_by<16>, %dk_2_pos : tile<i32>
    %dk_s0_pos = assume bounded<0, ?>, %dk_s0_raw : tile<i32>
    %dk_s0 = assume div_by<16>, %dk_s0_pos : tile<i32>
    %dk_s1_pos = assume bounded<0, ?>, %dk_s1_raw : tile<i32>
    %dk_s1 = assume div_by<16>, %dk_s1_pos : tile<i32>
    %dk_v = make_tensor_view %dk, shape = [%dk_0, %dk_1, %dk_2], strides = [%dk_s0, %dk_s1, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %dv = assume div_by<16>, %dv_raw : tile<ptr<f16>>
    %dv_0_pos = assume bounded<0, ?>, %dv_0_raw : tile<i32>
    %dv_0 = assume div_by<1>, %dv_0_pos : tile<i32>
    %dv_1_pos = assume bounded<0, ?>, %dv_1_raw : tile<i32>
    %dv_1 = assume div_by<16>, %dv_1_pos : tile<i32>
    %dv_2_pos = assume bounded<0, ?>, %dv_2_raw : tile<i32>
    %dv_2 = assume div_by<16>, %dv_2_pos : tile<i32>
    %dv_s0_pos = assume bounded<0, ?>, %dv_s0_raw : tile<i32>
    %dv_s0 = assume div_by<16>, %dv_s0_pos : tile<i32>
    %dv_s1_pos = assume bounded<0, ?>, %dv_s1_raw : tile<i32>
    %dv_s1 = assume div_by<16>, %dv_s1_pos : tile<i32>
    %dv_v = make_tensor_view %dv, shape = [%dv_0, %dv_1, %dv_2], strides = [%dv_s0, %dv_s1, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %l = assume div_by<16>, %l_raw : tile<ptr<f32>>
    %l_0_pos = assume bounded<0, ?>, %l_0_raw : tile<i32>
    %l_0 = assume div_by<1>, %l_0_pos : tile<i32>
    %l_1_pos = assume bounded<0, ?>, %l_1_raw : tile<i32>
    %l_1 = assume div_by<16>, %l_1_pos : tile<i32>
    %l_s0_pos = assume bounded<0, ?>, %l_s0_raw : tile<i32>
    %l_s0 = assume div_by<16>, %l_s0_pos : tile<i32>
    %l_v = make_tensor_view %l, shape = [%l_0, %l_1], strides = [%l_s0, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %de = assume div_by<16>, %de_raw : tile<ptr<f32>>
    %de_0_pos = assume bounded<0, ?>, %de_0_raw : tile<i32>
    %de_0 = assume div_by<1>, %de_0_pos : tile<i32>
    %de_1_pos = assume bounded<0, ?>, %de_1_raw : tile<i32>
    %de_1 = assume div_by<16>, %de_1_pos : tile<i32>
    %de_s0_pos = assume bounded<0, ?>, %de_s0_raw : tile<i32>
    %de_s0 = assume div_by<16>, %de_s0_pos : tile<i32>
    %de_v = make_tensor_view %de, shape = [%de_0, %de_1], strides = [%de_s0, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q_p = make_partition_view %q_v : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %do_p = make_partition_view %do_v : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %k_p = make_partition_view %k_v : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v_p = make_partition_view %v_v : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %dk_p = make_partition_view %dk_v : partition_view<tile=(1x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %dv_p = make_partition_view %dv_v : partition_view<tile=(1x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %l_p = make_partition_view %l_v : partition_view<tile=(1x64), tensor_view<?x?xf32, strides=[?,1]>>
    %de_p = make_partition_view %de_v : partition_view<tile=(1x64), tensor_view<?x?xf32, strides=[?,1]>>
    %k3, %k3_t = load_view_tko weak %k_p[%by, %bx, %c0] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
    %kt = reshape %k3 : tile<1x64x64xf16> -> tile<64x64xf16>
    %ktt = permute %kt [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
    %v3, %v3_t = load_view_tko weak %v_p[%by, %bx, %c0] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
    %vt = reshape %v3 : tile<1x64x64xf16> -> tile<64x64xf16>
    %vtt = permute %vt [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
    %s0 = constant <f32: 0.0> : tile<64x64xf32>
    %o0 = constant <f32: 0.0> : tile<64x64xf32>
    %scs_r = reshape %scale : tile<f32> -> tile<1x1xf32>
    %scs = broadcast %scs_r : tile<1x1xf32> -> tile<64x64xf32>
    %ctm = constant <i32: 64> : tile<i32>
    %nq = divi %q_1, %ctm signed rounding<positive_inf> : tile<i32>
    %acc:2 = for %j in (%c0 to %nq, step %c1) : tile<i32> iter_values(%dvi = %o0, %dki = %o0) -> (tile<64x64xf32>, tile<64x64xf32>) {
      %q3, %q3_t = load_view_tko weak %q_p[%by, %j, %c0] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %qt = reshape %q3 : tile<1x64x64xf16> -> tile<64x64xf16>
      %do3, %do3_t = load_view_tko weak %do_p[%by, %j, %c0] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %dot = reshape %do3 : tile<1x64x64xf16> -> tile<64x64xf16>
      %l2, %l2_t = load_view_tko weak %l_p[%by, %j] token = %tok : partition_view<tile=(1x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
      %lc = reshape %l2 : tile<1x64xf32> -> tile<64x1xf32>
      %lb = broadcast %lc : tile<64x1xf32> -> tile<64x64xf32>
      %de2, %de2_t = load_view_tko weak %de_p[%by, %j] token = %tok : partition_view<tile=(1x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
      %dec = reshape %de2 : tile<1x64xf32> -> tile<64x1xf32>
      %deb = broadcast %dec : tile<64x1xf32> -> tile<64x64xf32>
      %s = mmaf %qt, %ktt, %s0 : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %s1 = mulf %s, %scs : tile<64x64xf32>
      %s2 = subf %s1, %lb : tile<64x64xf32>
      %p = exp2 %s2 flush_to_zero : tile<64x64xf32>
      %pt = ftof %p : tile<64x64xf32> -> tile<64x64xf16>
      %ptt = permute %pt [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %dvn = mmaf %ptt, %dot, %dvi : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %dp = mmaf %dot, %vtt, %s0 : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %ds1 = subf %dp, %deb : tile<64x64xf32>
      %ds = mulf %p, %ds1 : tile<64x64xf32>
      %dst = ftof %ds : tile<64x64xf32> -> tile<64x64xf16>
      %dstt = permute %dst [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %dkn = mmaf %dstt, %qt, %dki : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %dvn, %dkn : tile<64x64xf32>, tile<64x64xf32>
    }
    %dvf = ftof %acc#0 : tile<64x64xf32> -> tile<64x64xf16>
    %dvo = reshape %dvf : tile<64x64xf16> -> tile<1x64x64xf16>
    %st1 = store_view_tko weak %dvo, %dv_p[%by, %bx, %c0] token = %tok : tile<1x64x64xf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    %dkf = ftof %acc#1 : tile<64x64xf32> -> tile<64x64xf16>
    %dko = reshape %dkf : tile<64x64xf16> -> tile<1x64x64xf16>
    %st2 = store_view_tko weak %dko, %dk_p[%by, %bx, %c0] token = %tok : tile<1x64x64xf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
