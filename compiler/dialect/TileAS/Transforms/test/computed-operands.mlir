// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas" | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 to=tileas" | FileCheck %s --check-prefixes=CHECK,SM100
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 to=tileas" | FileCheck %s --check-prefix=SM80
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=gpu-remove-barriers" | FileCheck %s --check-prefix=CODE
// What a left operand is computed from comes asynchronously, and is computed in the fragments of the product: nobody meets in a turn.
// CHECK-LABEL: sym_name = "gated"
// CHECK: scf.for
// CHECK-NOT: nv_tileas.tiled_load
// CHECK-NOT: nv_tileas.convert_layout
// SM90: atom = "wgmma.bf16"
// SM100: nv_tileas.tensor_memory.dot
// CHECK: scf.yield
// Of warps that multiply the same rows each would compute them: one exchange in its place, of what slots hold.
// SM80-LABEL: sym_name = "gated"
// SM80: scf.for
// SM80-NOT: nv_tileas.tiled_load
// SM80: nv_tileas.convert_layout {{.*}} tensor<64x64xbf16
// SM80-NOT: nv_tileas.convert_layout
// SM80: "nv_tileas.dot"
// CODE-LABEL: gpu.func @gated
// CODE: scf.for {{.*}} -> (!llvm.struct<(i32, i1, i32)>)
// CODE-NOT: {{gpu.barrier|nvvm.barrier}}
// CODE-COUNT-4: nvgpu_ext.warpgroup.mma_async
// CODE-NOT: {{gpu.barrier|nvvm.barrier}}
// CODE: nvgpu.mbarrier.arrive

// Bytes and their scales: these are too short to be copied, and are loaded as the fragments want them.
// CHECK-LABEL: sym_name = "scaled"
// CHECK: scf.for
// CHECK: nv_tileas.copy {{.*}} tensor<64x64xi8, #nv_tileas.shared
// CHECK: arith.sitofp
// CHECK: scf.yield
// SM80-LABEL: sym_name = "scaled"
// SM80: scf.for
// SM80-NOT: nv_tileas.convert_layout {{.*}} tensor<64x64x
// SM80: scf.yield

// Two products read a tile transposed, two as it is: all from its slot. The statistics come along.
// CHECK-LABEL: sym_name = "backward"
// CHECK: scf.for
// CHECK-NOT: nv_tileas.tiled_load
// SM90-COUNT-2: nv_tileas.permute %{{.*}} : tensor<64x64xf16, #nv_tileas.shared
// CHECK: scf.yield
// CODE-LABEL: gpu.func @backward
// CODE: scf.for {{.*}} -> (!llvm.struct<(i32, i1, i32)>)
// CODE-NOT: {{gpu.barrier|nvvm.barrier}}
// CODE-COUNT-16: nvgpu_ext.warpgroup.mma_async
// CODE-NOT: {{gpu.barrier|nvvm.barrier}}
// CODE: nvgpu.mbarrier.arrive

// Bytes whose columns are neighbours: transposed matrices bring pairs of them.
// SM90-LABEL: sym_name = "across"
// SM90: scf.for
// SM90: nv_tileas.copy {{.*}} {atom = "ldmatrix"} : tensor<64x64xi8, {{.*}} -> tensor<64x64xi8, #nv_tileas.layout<shape = [64, 64], register = [1, 64, 128,
// SM90: atom = "wgmma.s8"
// Rows are normalised on their way to the product: what widens the slot is computed once more, in the fragments of the
// product, and the sums of squares stay with the lanes that reduce them: nothing is exchanged in a turn.
// RUN: tile-opt %corpus/perf/kinds/rms_gemm_bf16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=tileas-insert-barriers" | FileCheck %s --check-prefix=NORM
// NORM: scf.for
// NORM: "nv_tileas.reduce"
// NORM-NOT: nv_tileas.convert_layout {{.*}}tensor<128
// NORM: atom = "wgmma.bf16"
// NORM: scf.yield
cuda_tile.module @m {
  entry @gated(%g_raw: tile<ptr<bf16>>, %g_0_raw: tile<i32>, %g_1_raw: tile<i32>, %g_s_raw: tile<i32>, %u_raw: tile<ptr<bf16>>, %u_0_raw: tile<i32>, %u_1_raw: tile<i32>, %u_s_raw: tile<i32>, %w_raw: tile<ptr<bf16>>, %w_0_raw: tile<i32>, %w_1_raw: tile<i32>, %w_s_raw: tile<i32>, %c_raw: tile<ptr<bf16>>, %c_0_raw: tile<i32>, %c_1_raw: tile<i32>, %c_s_raw: tile<i32>) {
    %g = assume div_by<16>, %g_raw : tile<ptr<bf16>>
    %g_0_pos = assume bounded<0, ?>, %g_0_raw : tile<i32>
    %g_0 = assume div_by<16>, %g_0_pos : tile<i32>
    %g_1_pos = assume bounded<0, ?>, %g_1_raw : tile<i32>
    %g_1 = assume div_by<16>, %g_1_pos : tile<i32>
    %g_s_pos = assume bounded<0, ?>, %g_s_raw : tile<i32>
    %g_s = assume div_by<16>, %g_s_pos : tile<i32>
    %g_v = make_tensor_view %g, shape = [%g_0, %g_1], strides = [%g_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %u = assume div_by<16>, %u_raw : tile<ptr<bf16>>
    %u_0_pos = assume bounded<0, ?>, %u_0_raw : tile<i32>
    %u_0 = assume div_by<16>, %u_0_pos : tile<i32>
    %u_1_pos = assume bounded<0, ?>, %u_1_raw : tile<i32>
    %u_1 = assume div_by<16>, %u_1_pos : tile<i32>
    %u_s_pos = assume bounded<0, ?>, %u_s_raw : tile<i32>
    %u_s = assume div_by<16>, %u_s_pos : tile<i32>
    %u_v = make_tensor_view %u, shape = [%u_0, %u_1], strides = [%u_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w = assume div_by<16>, %w_raw : tile<ptr<bf16>>
    %w_0_pos = assume bounded<0, ?>, %w_0_raw : tile<i32>
    %w_0 = assume div_by<16>, %w_0_pos : tile<i32>
    %w_1_pos = assume bounded<0, ?>, %w_1_raw : tile<i32>
    %w_1 = assume div_by<16>, %w_1_pos : tile<i32>
    %w_s_pos = assume bounded<0, ?>, %w_s_raw : tile<i32>
    %w_s = assume div_by<16>, %w_s_pos : tile<i32>
    %w_v = make_tensor_view %w, shape = [%w_0, %w_1], strides = [%w_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %c = assume div_by<16>, %c_raw : tile<ptr<bf16>>
    %c_0_pos = assume bounded<0, ?>, %c_0_raw : tile<i32>
    %c_0 = assume div_by<16>, %c_0_pos : tile<i32>
    %c_1_pos = assume bounded<0, ?>, %c_1_raw : tile<i32>
    %c_1 = assume div_by<16>, %c_1_pos : tile<i32>
    %c_s_pos = assume bounded<0, ?>, %c_s_raw : tile<i32>
    %c_s = assume div_by<16>, %c_s_pos : tile<i32>
    %c_v = make_tensor_view %c, shape = [%c_0, %c_1], strides = [%c_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %g_p = make_partition_view %g_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %u_p = make_partition_view %u_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %w_p = make_partition_view %w_v : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %ctk = constant <i32: 64> : tile<i32>
    %nk = divi %g_1, %ctk signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x128xf32>
    %one = constant <f32: 1.0> : tile<64x64xf32>
    %nl2e = constant <f32: -1.44269504> : tile<64x64xf32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<64x128xf32>) {
    %tg, %tg_t = load_view_tko weak %g_p[%bx, %i] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
    %tu, %tu_t = load_view_tko weak %u_p[%bx, %i] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
    %tw, %tw_t = load_view_tko weak %w_p[%i, %by] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
    %gf = ftof %tg : tile<64x64xbf16> -> tile<64x64xf32>
    %uf = ftof %tu : tile<64x64xbf16> -> tile<64x64xf32>
    %x = mulf %gf, %nl2e : tile<64x64xf32>
    %e = exp2 %x flush_to_zero : tile<64x64xf32>
    %d = addf %e, %one : tile<64x64xf32>
    %q = divf %gf, %d rounding<approx> flush_to_zero : tile<64x64xf32>
    %h = mulf %q, %uf : tile<64x64xf32>
    %a = ftof %h : tile<64x64xf32> -> tile<64x64xbf16>
    %n = mmaf %a, %tw, %s : tile<64x64xbf16>, tile<64x128xbf16>, tile<64x128xf32>
    continue %n : tile<64x128xf32>
    }
    %o = ftof %acc : tile<64x128xf32> -> tile<64x128xbf16>
    %st1 = store_view_tko weak %o, %c_p[%bx, %by] token = %tok : tile<64x128xbf16>, partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
  entry @scaled(%q_raw: tile<ptr<i8>>, %q_0_raw: tile<i32>, %q_1_raw: tile<i32>, %q_s_raw: tile<i32>, %sc_raw: tile<ptr<f16>>, %sc_0_raw: tile<i32>, %sc_1_raw: tile<i32>, %sc_s_raw: tile<i32>, %w_raw: tile<ptr<f16>>, %w_0_raw: tile<i32>, %w_1_raw: tile<i32>, %w_s_raw: tile<i32>, %c_raw: tile<ptr<f16>>, %c_0_raw: tile<i32>, %c_1_raw: tile<i32>, %c_s_raw: tile<i32>) {
    %q = assume div_by<16>, %q_raw : tile<ptr<i8>>
    %q_0_pos = assume bounded<0, ?>, %q_0_raw : tile<i32>
    %q_0 = assume div_by<16>, %q_0_pos : tile<i32>
    %q_1_pos = assume bounded<0, ?>, %q_1_raw : tile<i32>
    %q_1 = assume div_by<16>, %q_1_pos : tile<i32>
    %q_s_pos = assume bounded<0, ?>, %q_s_raw : tile<i32>
    %q_s = assume div_by<16>, %q_s_pos : tile<i32>
    %q_v = make_tensor_view %q, shape = [%q_0, %q_1], strides = [%q_s, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %sc = assume div_by<16>, %sc_raw : tile<ptr<f16>>
    %sc_0_pos = assume bounded<0, ?>, %sc_0_raw : tile<i32>
    %sc_0 = assume div_by<16>, %sc_0_pos : tile<i32>
    %sc_1_pos = assume bounded<0, ?>, %sc_1_raw : tile<i32>
    %sc_1 = assume div_by<16>, %sc_1_pos : tile<i32>
    %sc_s_pos = assume bounded<0, ?>, %sc_s_raw : tile<i32>
    %sc_s = assume div_by<16>, %sc_s_pos : tile<i32>
    %sc_v = make_tensor_view %sc, shape = [%sc_0, %sc_1], strides = [%sc_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %w = assume div_by<16>, %w_raw : tile<ptr<f16>>
    %w_0_pos = assume bounded<0, ?>, %w_0_raw : tile<i32>
    %w_0 = assume div_by<16>, %w_0_pos : tile<i32>
    %w_1_pos = assume bounded<0, ?>, %w_1_raw : tile<i32>
    %w_1 = assume div_by<16>, %w_1_pos : tile<i32>
    %w_s_pos = assume bounded<0, ?>, %w_s_raw : tile<i32>
    %w_s = assume div_by<16>, %w_s_pos : tile<i32>
    %w_v = make_tensor_view %w, shape = [%w_0, %w_1], strides = [%w_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c = assume div_by<16>, %c_raw : tile<ptr<f16>>
    %c_0_pos = assume bounded<0, ?>, %c_0_raw : tile<i32>
    %c_0 = assume div_by<16>, %c_0_pos : tile<i32>
    %c_1_pos = assume bounded<0, ?>, %c_1_raw : tile<i32>
    %c_1 = assume div_by<16>, %c_1_pos : tile<i32>
    %c_s_pos = assume bounded<0, ?>, %c_s_raw : tile<i32>
    %c_s = assume div_by<16>, %c_s_pos : tile<i32>
    %c_v = make_tensor_view %c, shape = [%c_0, %c_1], strides = [%c_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %w_p = make_partition_view %w_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %q_p = make_partition_view %q_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %sc_p = make_partition_view %sc_v : partition_view<tile=(64x1), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %ctk = constant <i32: 64> : tile<i32>
    %nk = divi %w_0, %ctk signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<64x64xf32>) {
    %tq, %tq_t = load_view_tko weak %q_p[%bx, %i] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<64x64xi8>, token
    %ts, %ts_t = load_view_tko weak %sc_p[%bx, %i] token = %tok : partition_view<tile=(64x1), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x1xf16>, token
    %tw, %tw_t = load_view_tko weak %w_p[%i, %by] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %qf = itof %tq signed rounding<nearest_even> : tile<64x64xi8> -> tile<64x64xf16>
    %sb = broadcast %ts : tile<64x1xf16> -> tile<64x64xf16>
    %a = mulf %qf, %sb : tile<64x64xf16>
    %n = mmaf %a, %tw, %s : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    continue %n : tile<64x64xf32>
    }
    %o = ftof %acc : tile<64x64xf32> -> tile<64x64xf16>
    %st1 = store_view_tko weak %o, %c_p[%bx, %by] token = %tok : tile<64x64xf16>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
  entry @backward(%q_raw: tile<ptr<f16>>, %q_0_raw: tile<i32>, %q_1_raw: tile<i32>, %q_s_raw: tile<i32>, %k_raw: tile<ptr<f16>>, %k_0_raw: tile<i32>, %k_1_raw: tile<i32>, %k_s_raw: tile<i32>, %v_raw: tile<ptr<f16>>, %v_0_raw: tile<i32>, %v_1_raw: tile<i32>, %v_s_raw: tile<i32>, %do_raw: tile<ptr<f16>>, %do_0_raw: tile<i32>, %do_1_raw: tile<i32>, %do_s_raw: tile<i32>, %dk_raw: tile<ptr<f16>>, %dk_0_raw: tile<i32>, %dk_1_raw: tile<i32>, %dk_s_raw: tile<i32>, %dv_raw: tile<ptr<f16>>, %dv_0_raw: tile<i32>, %dv_1_raw: tile<i32>, %dv_s_raw: tile<i32>, %l_raw: tile<ptr<f32>>, %l_0_raw: tile<i32>, %l_1_raw: tile<i32>, %l_s_raw: tile<i32>, %dl_raw: tile<ptr<f32>>, %dl_0_raw: tile<i32>, %dl_1_raw: tile<i32>, %dl_s_raw: tile<i32>) {
    %q = assume div_by<16>, %q_raw : tile<ptr<f16>>
    %q_0_pos = assume bounded<0, ?>, %q_0_raw : tile<i32>
    %q_0 = assume div_by<16>, %q_0_pos : tile<i32>
    %q_1_pos = assume bounded<0, ?>, %q_1_raw : tile<i32>
    %q_1 = assume div_by<16>, %q_1_pos : tile<i32>
    %q_s_pos = assume bounded<0, ?>, %q_s_raw : tile<i32>
    %q_s = assume div_by<16>, %q_s_pos : tile<i32>
    %q_v = make_tensor_view %q, shape = [%q_0, %q_1], strides = [%q_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %k = assume div_by<16>, %k_raw : tile<ptr<f16>>
    %k_0_pos = assume bounded<0, ?>, %k_0_raw : tile<i32>
    %k_0 = assume div_by<16>, %k_0_pos : tile<i32>
    %k_1_pos = assume bounded<0, ?>, %k_1_raw : tile<i32>
    %k_1 = assume div_by<16>, %k_1_pos : tile<i32>
    %k_s_pos = assume bounded<0, ?>, %k_s_raw : tile<i32>
    %k_s = assume div_by<16>, %k_s_pos : tile<i32>
    %k_v = make_tensor_view %k, shape = [%k_0, %k_1], strides = [%k_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %v = assume div_by<16>, %v_raw : tile<ptr<f16>>
    %v_0_pos = assume bounded<0, ?>, %v_0_raw : tile<i32>
    %v_0 = assume div_by<16>, %v_0_pos : tile<i32>
    %v_1_pos = assume bounded<0, ?>, %v_1_raw : tile<i32>
    %v_1 = assume div_by<16>, %v_1_pos : tile<i32>
    %v_s_pos = assume bounded<0, ?>, %v_s_raw : tile<i32>
    %v_s = assume div_by<16>, %v_s_pos : tile<i32>
    %v_v = make_tensor_view %v, shape = [%v_0, %v_1], strides = [%v_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %do = assume div_by<16>, %do_raw : tile<ptr<f16>>
    %do_0_pos = assume bounded<0, ?>, %do_0_raw : tile<i32>
    %do_0 = assume div_by<16>, %do_0_pos : tile<i32>
    %do_1_pos = assume bounded<0, ?>, %do_1_raw : tile<i32>
    %do_1 = assume div_by<16>, %do_1_pos : tile<i32>
    %do_s_pos = assume bounded<0, ?>, %do_s_raw : tile<i32>
    %do_s = assume div_by<16>, %do_s_pos : tile<i32>
    %do_v = make_tensor_view %do, shape = [%do_0, %do_1], strides = [%do_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %dk = assume div_by<16>, %dk_raw : tile<ptr<f16>>
    %dk_0_pos = assume bounded<0, ?>, %dk_0_raw : tile<i32>
    %dk_0 = assume div_by<16>, %dk_0_pos : tile<i32>
    %dk_1_pos = assume bounded<0, ?>, %dk_1_raw : tile<i32>
    %dk_1 = assume div_by<16>, %dk_1_pos : tile<i32>
    %dk_s_pos = assume bounded<0, ?>, %dk_s_raw : tile<i32>
    %dk_s = assume div_by<16>, %dk_s_pos : tile<i32>
    %dk_v = make_tensor_view %dk, shape = [%dk_0, %dk_1], strides = [%dk_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %dv = assume div_by<16>, %dv_raw : tile<ptr<f16>>
    %dv_0_pos = assume bounded<0, ?>, %dv_0_raw : tile<i32>
    %dv_0 = assume div_by<16>, %dv_0_pos : tile<i32>
    %dv_1_pos = assume bounded<0, ?>, %dv_1_raw : tile<i32>
    %dv_1 = assume div_by<16>, %dv_1_pos : tile<i32>
    %dv_s_pos = assume bounded<0, ?>, %dv_s_raw : tile<i32>
    %dv_s = assume div_by<16>, %dv_s_pos : tile<i32>
    %dv_v = make_tensor_view %dv, shape = [%dv_0, %dv_1], strides = [%dv_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %l = assume div_by<16>, %l_raw : tile<ptr<f32>>
    %l_0_pos = assume bounded<0, ?>, %l_0_raw : tile<i32>
    %l_0 = assume div_by<16>, %l_0_pos : tile<i32>
    %l_1_pos = assume bounded<0, ?>, %l_1_raw : tile<i32>
    %l_1 = assume div_by<16>, %l_1_pos : tile<i32>
    %l_s_pos = assume bounded<0, ?>, %l_s_raw : tile<i32>
    %l_s = assume div_by<16>, %l_s_pos : tile<i32>
    %l_v = make_tensor_view %l, shape = [%l_0, %l_1], strides = [%l_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %dl = assume div_by<16>, %dl_raw : tile<ptr<f32>>
    %dl_0_pos = assume bounded<0, ?>, %dl_0_raw : tile<i32>
    %dl_0 = assume div_by<16>, %dl_0_pos : tile<i32>
    %dl_1_pos = assume bounded<0, ?>, %dl_1_raw : tile<i32>
    %dl_1 = assume div_by<16>, %dl_1_pos : tile<i32>
    %dl_s_pos = assume bounded<0, ?>, %dl_s_raw : tile<i32>
    %dl_s = assume div_by<16>, %dl_s_pos : tile<i32>
    %dl_v = make_tensor_view %dl, shape = [%dl_0, %dl_1], strides = [%dl_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q_p = make_partition_view %q_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %do_p = make_partition_view %do_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %k_p = make_partition_view %k_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v_p = make_partition_view %v_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %dk_p = make_partition_view %dk_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %dv_p = make_partition_view %dv_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %l_p = make_partition_view %l_v : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %dl_p = make_partition_view %dl_v : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %cbm = constant <i32: 64> : tile<i32>
    %nq = divi %q_0, %cbm signed rounding<positive_inf> : tile<i32>
    %zA = constant <f32: 0.0> : tile<64x64xf32>
    %zP = constant <f32: 0.0> : tile<64x64xf32>
    %c_l2e = constant <f32: 0.18033688> : tile<64x64xf32>
    %tk, %tk_t = load_view_tko weak %k_p[%bx, %by] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %tv, %tv_t = load_view_tko weak %v_p[%bx, %by] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %rdk, %rdv = for %i in (%c0 to %nq, step %c1) : tile<i32> iter_values(%adk = %zA, %adv = %zA) -> (tile<64x64xf32>, tile<64x64xf32>) {
    %tq, %tq_t = load_view_tko weak %q_p[%i, %by] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %tdo, %tdo_t = load_view_tko weak %do_p[%i, %by] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %tl, %tl_t = load_view_tko weak %l_p[%c0, %i] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
    %td, %td_t = load_view_tko weak %dl_p[%c0, %i] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
    %qT = permute %tq [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
    %st = mmaf %tk, %qT, %zP : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %ss = mulf %st, %c_l2e : tile<64x64xf32>
    %lb = broadcast %tl : tile<1x64xf32> -> tile<64x64xf32>
    %sm = subf %ss, %lb : tile<64x64xf32>
    %p = exp2 %sm flush_to_zero : tile<64x64xf32>
    %ph = ftof %p : tile<64x64xf32> -> tile<64x64xf16>
    %ndv = mmaf %ph, %tdo, %adv : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %doT = permute %tdo [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
    %dpt = mmaf %tv, %doT, %zP : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %db = broadcast %td : tile<1x64xf32> -> tile<64x64xf32>
    %dd = subf %dpt, %db : tile<64x64xf32>
    %ds = mulf %p, %dd : tile<64x64xf32>
    %dsh = ftof %ds : tile<64x64xf32> -> tile<64x64xf16>
    %ndk = mmaf %dsh, %tq, %adk : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    continue %ndk, %ndv : tile<64x64xf32>, tile<64x64xf32>
    }
    %odk = ftof %rdk : tile<64x64xf32> -> tile<64x64xf16>
    %odv = ftof %rdv : tile<64x64xf32> -> tile<64x64xf16>
    %st1 = store_view_tko weak %odk, %dk_p[%bx, %by] token = %tok : tile<64x64xf16>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %st2 = store_view_tko weak %odv, %dv_p[%bx, %by] token = %tok : tile<64x64xf16>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
  entry @across(%a_raw: tile<ptr<i8>>, %a_0_raw: tile<i32>, %a_1_raw: tile<i32>, %a_s_raw: tile<i32>, %b_raw: tile<ptr<i8>>, %b_0_raw: tile<i32>, %b_1_raw: tile<i32>, %b_s_raw: tile<i32>, %c_raw: tile<ptr<i32>>, %c_0_raw: tile<i32>, %c_1_raw: tile<i32>, %c_s_raw: tile<i32>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<i8>>
    %a_0_pos = assume bounded<0, ?>, %a_0_raw : tile<i32>
    %a_0 = assume div_by<16>, %a_0_pos : tile<i32>
    %a_1_pos = assume bounded<0, ?>, %a_1_raw : tile<i32>
    %a_1 = assume div_by<16>, %a_1_pos : tile<i32>
    %a_s_pos = assume bounded<0, ?>, %a_s_raw : tile<i32>
    %a_s = assume div_by<16>, %a_s_pos : tile<i32>
    %a_v = make_tensor_view %a, shape = [%a_0, %a_1], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %b = assume div_by<16>, %b_raw : tile<ptr<i8>>
    %b_0_pos = assume bounded<0, ?>, %b_0_raw : tile<i32>
    %b_0 = assume div_by<16>, %b_0_pos : tile<i32>
    %b_1_pos = assume bounded<0, ?>, %b_1_raw : tile<i32>
    %b_1 = assume div_by<16>, %b_1_pos : tile<i32>
    %b_s_pos = assume bounded<0, ?>, %b_s_raw : tile<i32>
    %b_s = assume div_by<16>, %b_s_pos : tile<i32>
    %b_v = make_tensor_view %b, shape = [%b_0, %b_1], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %c = assume div_by<16>, %c_raw : tile<ptr<i32>>
    %c_0_pos = assume bounded<0, ?>, %c_0_raw : tile<i32>
    %c_0 = assume div_by<16>, %c_0_pos : tile<i32>
    %c_1_pos = assume bounded<0, ?>, %c_1_raw : tile<i32>
    %c_1 = assume div_by<16>, %c_1_pos : tile<i32>
    %c_s_pos = assume bounded<0, ?>, %c_s_raw : tile<i32>
    %c_s = assume div_by<16>, %c_s_pos : tile<i32>
    %c_v = make_tensor_view %c, shape = [%c_0, %c_1], strides = [%c_s, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = make_partition_view %a_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi32, strides=[?,1]>>
    %ctk = constant <i32: 64> : tile<i32>
    %nk = divi %a_1, %ctk signed rounding<positive_inf> : tile<i32>
    %zero = constant <i32: 0> : tile<64x64xi32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<64x64xi32>) {
    %ta, %ta_t = load_view_tko weak %a_p[%bx, %i] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<64x64xi8>, token
    %tb, %tb_t = load_view_tko weak %b_p[%i, %by] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<64x64xi8>, token
    %n = mmai %ta, %tb, %s signed signed : tile<64x64xi8>, tile<64x64xi8>, tile<64x64xi32>
    continue %n : tile<64x64xi32>
    }
    %st1 = store_view_tko weak %acc, %c_p[%bx, %by] token = %tok : tile<64x64xi32>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
