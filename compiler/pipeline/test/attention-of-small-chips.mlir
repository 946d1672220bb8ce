// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_89 to=gpu" | FileCheck %s
// Attention on 8-bit tiles: beside two stages of 32 KiB, what lanes regroup for the second product fits into 99 KiB.
// SharedMemoryTest compiles it with a plan that forgets that.

// CHECK: nvgpu_ext.shared_bytes = 81920
// flash attention forward, online softmax in base 2, scale applied after the maximum; mask only in the last iterations (loop body branches)
cuda_tile.module @bench {
  entry @u_fmha_f8_128x128x128(%q_raw: tile<ptr<f8E4M3FN>>, %q_0_raw: tile<i32>, %q_1_raw: tile<i32>, %q_2_raw: tile<i32>, %q_s0_raw: tile<i32>, %q_s1_raw: tile<i32>, %k_raw: tile<ptr<f8E4M3FN>>, %k_0_raw: tile<i32>, %k_1_raw: tile<i32>, %k_2_raw: tile<i32>, %k_s0_raw: tile<i32>, %k_s1_raw: tile<i32>, %v_raw: tile<ptr<f8E4M3FN>>, %v_0_raw: tile<i32>, %v_1_raw: tile<i32>, %v_2_raw: tile<i32>, %v_s0_raw: tile<i32>, %v_s1_raw: tile<i32>, %o_raw: tile<ptr<f8E4M3FN>>, %o_0_raw: tile<i32>, %o_1_raw: tile<i32>, %o_2_raw: tile<i32>, %o_s0_raw: tile<i32>, %o_s1_raw: tile<i32>, %scale: tile<f32>) optimization_hints=<default = {occupancy = 1}> {
    %q = assume div_by<16>, %q_raw : tile<ptr<f8E4M3FN>>
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
    %q_v = make_tensor_view %q, shape = [%q_0, %q_1, %q_2], strides = [%q_s0, %q_s1, 1] : tile<i32> -> tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>
    %k = assume div_by<16>, %k_raw : tile<ptr<f8E4M3FN>>
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
    %k_v = make_tensor_view %k, shape = [%k_0, %k_1, %k_2], strides = [%k_s0, %k_s1, 1] : tile<i32> -> tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>
    %v = assume div_by<16>, %v_raw : tile<ptr<f8E4M3FN>>
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
    %v_v = make_tensor_view %v, shape = [%v_0, %v_1, %v_2], strides = [%v_s0, %v_s1, 1] : tile<i32> -> tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>
    %o = assume div_by<16>, %o_raw : tile<ptr<f8E4M3FN>>
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
    %o_v = make_tensor_view %o, shape = [%o_0, %o_1, %o_2], strides = [%o_s0, %o_s1, 1] : tile<i32> -> tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q_p = make_partition_view %q_v : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>
    %k_p = make_partition_view %k_v : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>
    %v_p = make_partition_view %v_v : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>
    %o_p = make_partition_view %o_v : partition_view<tile=(1x128x128), tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>
    %q3, %q3_t = load_view_tko weak %q_p[%by, %bx, %c0] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xf8E4M3FN>, token
    %qt = reshape %q3 : tile<1x128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
    %l2e = constant <f32: 1.44269504> : tile<f32>
    %sc = mulf %scale, %l2e : tile<f32>
    %scs_r = reshape %sc : tile<f32> -> tile<1x1xf32>
    %scs = broadcast %scs_r : tile<1x1xf32> -> tile<128x128xf32>
    %scc_r = reshape %sc : tile<f32> -> tile<1x1xf32>
    %scc = broadcast %scc_r : tile<1x1xf32> -> tile<128x1xf32>
    %m0 = constant <f32: 0xFF800000> : tile<128x1xf32>
    %l0 = constant <f32: 0.0> : tile<128x1xf32>
    %o0 = constant <f32: 0.0> : tile<128x128xf32>
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
    %fin:3 = for %j in (%c0 to %nk, step %c1) : tile<i32> iter_values(%mi = %m0, %li = %l0, %oi = %o0) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>) {
      %k3, %k3_t = load_view_tko weak %k_p[%by, %j, %c0] token = %tok optimization_hints = <default = {latency = 2}> : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xf8E4M3FN>, token
      %kt = reshape %k3 : tile<1x128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %ktt = permute %kt [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %s1 = mmaf %qt, %ktt, %s0 : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>
      %need = cmpi greater_than_or_equal %j, %ms, signed : tile<i32> -> tile<i1>
      %s2 = if %need -> (tile<128x128xf32>) {
        %jb = muli %j, %ctn : tile<i32>
        %jb2_r = reshape %jb : tile<i32> -> tile<1x1xi32>
        %jb2 = broadcast %jb2_r : tile<1x1xi32> -> tile<1x128xi32>
        %col = addi %jb2, %in2 : tile<1x128xi32>
        %lim_r = reshape %k_1 : tile<i32> -> tile<1x1xi32>
        %lim = broadcast %lim_r : tile<1x1xi32> -> tile<1x128xi32>
        %ok1 = cmpi less_than %col, %lim, signed : tile<1x128xi32> -> tile<1x128xi1>
        %ok = broadcast %ok1 : tile<1x128xi1> -> tile<128x128xi1>
        %ninf = constant <f32: 0xFF800000> : tile<128x128xf32>
        %sm = select %ok, %s1, %ninf : tile<128x128xi1>, tile<128x128xf32>
        yield %sm : tile<128x128xf32>
      } else {
        yield %s1 : tile<128x128xf32>
      }
      %mx = reduce %s2 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l1: tile<f32>, %r1: tile<f32>) {
        %y1 = maxf %l1, %r1 : tile<f32>
        yield %y1 : tile<f32>
      }
      %mx2 = reshape %mx : tile<128xf32> -> tile<128x1xf32>
      %mxs = mulf %mx2, %scc : tile<128x1xf32>
      %mn = maxf %mi, %mxs : tile<128x1xf32>
      %mnb = broadcast %mn : tile<128x1xf32> -> tile<128x128xf32>
      %s3 = mulf %s2, %scs : tile<128x128xf32>
      %s4 = subf %s3, %mnb : tile<128x128xf32>
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
      %alb = broadcast %al : tile<128x1xf32> -> tile<128x128xf32>
      %osc = mulf %oi, %alb : tile<128x128xf32>
      %v3, %v3_t = load_view_tko weak %v_p[%by, %j, %c0] token = %tok optimization_hints = <default = {latency = 4}> : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xf8E4M3FN>, token
      %vt = reshape %v3 : tile<1x128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %pt = ftof %p : tile<128x128xf32> -> tile<128x128xf8E4M3FN>
      %on = mmaf %pt, %vt, %osc : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>
      continue %mn, %ln, %on : tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>
    }
    %lb = broadcast %fin#1 : tile<128x1xf32> -> tile<128x128xf32>
    %od = divf %fin#2, %lb rounding<approx> flush_to_zero : tile<128x128xf32>
    %oc = ftof %od : tile<128x128xf32> -> tile<128x128xf8E4M3FN>
    %o3 = reshape %oc : tile<128x128xf8E4M3FN> -> tile<1x128x128xf8E4M3FN>
    %st3 = store_view_tko weak %o3, %o_p[%by, %bx, %c0] token = %tok : tile<1x128x128xf8E4M3FN>, partition_view<tile=(1x128x128), tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
