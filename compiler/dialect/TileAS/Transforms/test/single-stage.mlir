// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 to=tileas" | FileCheck %s --check-prefix=SM100
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas remarks" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas plain" | FileCheck %s --check-prefix=PLAIN
// Two stages of keys and values need 256 KiB. Of one each, warps of their own fill the keys of the next turn while this one's values
// are multiplied: each stage is waited for in front of its product, and given back behind it.
// REMARK: one stage for each of 2 asynchronous loads, for warps of their own to fill
// REMARK: strategy warp-specialize tensor-map: a single stage of each tile fits
// CHECK: %[[KEYS:.*]] = nv_tileas.async.pipeline.create_pipeline {{.*}} -> <1>
// CHECK: %[[VALUES:.*]] = nv_tileas.async.pipeline.create_pipeline {{.*}} -> <1>
// CHECK: scf.for
// CHECK: "nv_tileas.async.pipeline.consumer_wait"(%[[KEYS]],
// CHECK-NOT: consumer_wait
// CHECK: atom = "wgmma.bf16"
// CHECK: consumer_release %[[KEYS]]
// CHECK: "nv_tileas.async.pipeline.consumer_wait"(%[[VALUES]],
// CHECK: atom = "wgmma.bf16"
// CHECK: consumer_release %[[VALUES]]
// CHECK-NEXT: inc_iter
// SM100-COUNT-2: create_pipeline {{.*}} -> <1>
// SM100-COUNT-3: nv_tileas.tensor_memory.dot
// PLAIN-NOT: create_pipeline
// PLAIN: scf.for
// PLAIN: nv_tileas.tiled_load
cuda_tile.module @m {
  entry @at_nm_128x128x256(%q_raw: tile<ptr<bf16>>, %q_0_raw: tile<i32>, %q_1_raw: tile<i32>, %q_2_raw: tile<i32>, %q_s0_raw: tile<i32>, %q_s1_raw: tile<i32>, %k_raw: tile<ptr<bf16>>, %k_0_raw: tile<i32>, %k_1_raw: tile<i32>, %k_2_raw: tile<i32>, %k_s0_raw: tile<i32>, %k_s1_raw: tile<i32>, %v_raw: tile<ptr<bf16>>, %v_0_raw: tile<i32>, %v_1_raw: tile<i32>, %v_2_raw: tile<i32>, %v_s0_raw: tile<i32>, %v_s1_raw: tile<i32>, %o_raw: tile<ptr<bf16>>, %o_0_raw: tile<i32>, %o_1_raw: tile<i32>, %o_2_raw: tile<i32>, %o_s0_raw: tile<i32>, %o_s1_raw: tile<i32>, %scale: tile<f32>) {
    %q = assume div_by<16>, %q_raw : tile<ptr<bf16>>
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
    %q_v = make_tensor_view %q, shape = [%q_0, %q_1, %q_2], strides = [%q_s0, %q_s1, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %k = assume div_by<16>, %k_raw : tile<ptr<bf16>>
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
    %k_v = make_tensor_view %k, shape = [%k_0, %k_1, %k_2], strides = [%k_s0, %k_s1, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %v = assume div_by<16>, %v_raw : tile<ptr<bf16>>
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
    %v_v = make_tensor_view %v, shape = [%v_0, %v_1, %v_2], strides = [%v_s0, %v_s1, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %o = assume div_by<16>, %o_raw : tile<ptr<bf16>>
    %o_0_pos = assume bounded<0, ?>, %o_0_raw : tile<i32>
    %o_0 = assume div_by<1>, %o_0_pos : tile<i32>
    %o_1_pos = assume bounded<0, ?>, %o_1_raw : tile<i32>
    %o_1 = assume div_by<16>, %o_1_pos : tile<i32>
    %o_2_pos = assume bounded<0, ?>, %o_2_raw : tile<i32>
    %o_2 = assume div_by<16>, %o_2_pos : tile<i32>
    %o_s0_pos = assume bounded<0, ?>, %o_s0_raw : tile<i32>
    %o_s0 = assume div_by<16>, %o_s0_pos : tile<i32>
    %o_s1_pos = assume bounded<0, ?>, %o_s1_raw : tile<i32>
    %o_s1 = assume div_by<16>, %o_s1_pos : tile<i32>
    %o_v = make_tensor_view %o, shape = [%o_0, %o_1, %o_2], strides = [%o_s0, %o_s1, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q_p = make_partition_view %q_v : partition_view<tile=(1x128x256), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %k_p = make_partition_view %k_v : partition_view<tile=(1x128x256), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v_p = make_partition_view %v_v : partition_view<tile=(1x128x256), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %o_p = make_partition_view %o_v : partition_view<tile=(1x128x256), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %q3, %q3_t = load_view_tko weak %q_p[%by, %bx, %c0] token = %tok : partition_view<tile=(1x128x256), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x256xbf16>, token
    %qt = reshape %q3 : tile<1x128x256xbf16> -> tile<128x256xbf16>
    %l2e = constant <f32: 1.44269504> : tile<f32>
    %sc = mulf %scale, %l2e : tile<f32>
    %scs_r = reshape %sc : tile<f32> -> tile<1x1xf32>
    %scs = broadcast %scs_r : tile<1x1xf32> -> tile<128x128xf32>
    %scc_r = reshape %sc : tile<f32> -> tile<1x1xf32>
    %scc = broadcast %scc_r : tile<1x1xf32> -> tile<128x1xf32>
    %m0 = constant <f32: 0xFF800000> : tile<128x1xf32>
    %l0 = constant <f32: 0.0> : tile<128x1xf32>
    %o0 = constant <f32: 0.0> : tile<128x256xf32>
    %s0 = constant <f32: 0.0> : tile<128x128xf32>
    %ctm = constant <i32: 128> : tile<i32>
    %ctn = constant <i32: 128> : tile<i32>
    %base = muli %bx, %ctm : tile<i32>
    %im = iota : tile<128xi32>
    %im2 = reshape %im : tile<128xi32> -> tile<128x1xi32>
    %bs2_r = reshape %base : tile<i32> -> tile<1x1xi32>
    %bs2 = broadcast %bs2_r : tile<1x1xi32> -> tile<128x1xi32>
    %row = addi %bs2, %im2 : tile<128x1xi32>
    %in = iota : tile<128xi32>
    %in2 = reshape %in : tile<128xi32> -> tile<1x128xi32>
    %nk = divi %k_1, %ctn signed rounding<positive_inf> : tile<i32>
    %ms = divi %k_1, %ctn signed : tile<i32>
    %fin:3 = for %j in (%c0 to %nk, step %c1) : tile<i32> iter_values(%mi = %m0, %li = %l0, %oi = %o0) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x256xf32>) {
      %k3, %k3_t = load_view_tko weak %k_p[%by, %j, %c0] token = %tok optimization_hints = <default = {latency = 2}> : partition_view<tile=(1x128x256), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x256xbf16>, token
      %kt = reshape %k3 : tile<1x128x256xbf16> -> tile<128x256xbf16>
      %ktt = permute %kt [1, 0] : tile<128x256xbf16> -> tile<256x128xbf16>
      %s1 = mmaf %qt, %ktt, %s0 : tile<128x256xbf16>, tile<256x128xbf16>, tile<128x128xf32>
      %mx = reduce %s1 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l1: tile<f32>, %r1: tile<f32>) {
        %y1 = maxf %l1, %r1 : tile<f32>
        yield %y1 : tile<f32>
      }
      %mx2 = reshape %mx : tile<128xf32> -> tile<128x1xf32>
      %mxs = mulf %mx2, %scc : tile<128x1xf32>
      %mn = maxf %mi, %mxs : tile<128x1xf32>
      %mnb = broadcast %mn : tile<128x1xf32> -> tile<128x128xf32>
      %mneg = negf %mnb : tile<128x128xf32>
      %s4 = fma %s1, %scs, %mneg : tile<128x128xf32>
      %p = exp2 %s4 flush_to_zero : tile<128x128xf32>
      %ls = reduce %p dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l2: tile<f32>, %r2: tile<f32>) {
        %y2 = addf %l2, %r2 : tile<f32>
        yield %y2 : tile<f32>
      }
      %ls2 = reshape %ls : tile<128xf32> -> tile<128x1xf32>
      %dm = subf %mi, %mn : tile<128x1xf32>
      %al = exp2 %dm flush_to_zero : tile<128x1xf32>
      %l1 = mulf %li, %al : tile<128x1xf32>
      %ln = addf %l1, %ls2 : tile<128x1xf32>
      %alb = broadcast %al : tile<128x1xf32> -> tile<128x256xf32>
      %osc = mulf %oi, %alb : tile<128x256xf32>
      %v3, %v3_t = load_view_tko weak %v_p[%by, %j, %c0] token = %tok optimization_hints = <default = {latency = 4}> : partition_view<tile=(1x128x256), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x256xbf16>, token
      %vt = reshape %v3 : tile<1x128x256xbf16> -> tile<128x256xbf16>
      %pt = ftof %p : tile<128x128xf32> -> tile<128x128xbf16>
      %on = mmaf %pt, %vt, %osc : tile<128x128xbf16>, tile<128x256xbf16>, tile<128x256xf32>
      continue %mn, %ln, %on : tile<128x1xf32>, tile<128x1xf32>, tile<128x256xf32>
    }
    %lb = broadcast %fin#1 : tile<128x1xf32> -> tile<128x256xf32>
    %od = divf %fin#2, %lb rounding<approx> flush_to_zero : tile<128x256xf32>
    %oc = ftof %od : tile<128x256xf32> -> tile<128x256xbf16>
    %o3 = reshape %oc : tile<128x256xbf16> -> tile<1x128x256xbf16>
    %st3 = store_view_tko weak %o3, %o_p[%by, %bx, %c0] token = %tok : tile<1x128x256xbf16>, partition_view<tile=(1x128x256), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
