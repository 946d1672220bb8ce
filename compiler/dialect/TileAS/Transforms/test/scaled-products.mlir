// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=tileas-refine-atom-by-resource" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_120 stop-after=tileas-refine-atom-by-resource" | FileCheck %s --check-prefix=NONE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_120 stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=WARP
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=PLAIN
// Warps of sm_120 take scales in registers; other chips multiply operands that were scaled.
// PLAIN-NOT: block.scale
// PLAIN: gpu.func @fours_16
// PLAIN-NOT: block.scale
// Block-scaled products whose operands and scales are slots take the scales in tensor memory.
// NONE-NOT: tensor_memory
// NONE: sym_name = "fours_16"
// NONE-NOT: tensor_memory

cuda_tile.module @m {
  // WARP-LABEL: gpu.func @scaled
  // WARP: "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0"
  // CHECK-LABEL: sym_name = "scaled"
  // CHECK: nv_tileas.tensor_memory.store %{{.*}} {column = 0 : i32}
  // CHECK: nv_tileas.tensor_memory.dot{{.*}}atom = "tcgen05.mx.e4m3", {{.*}}scale_column = 128
  // CHECK-SAME: tensor<128x4xf8E8M0FNU, #nv_tileas.shared<shape = [128, 4], offset = [1, 2, 128, 256, 4, 8, 16, 32, 64]>>
  // CHECK-NOT: nv_tileaa.mulf
  // CODE-LABEL: gpu.func @scaled
  // CODE-COUNT-2: "llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1"
  // CODE-COUNT-4: "llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale"
  // CODE-NOT: mma.shared
  // CODE: "llvm.nvvm.tcgen05.commit.shared.cg1"
  entry @scaled(%a_raw: tile<ptr<f8E4M3FN>>, %a_0_raw: tile<i32>, %a_1_raw: tile<i32>, %a_s0_raw: tile<i32>, %b_raw: tile<ptr<f8E4M3FN>>, %b_0_raw: tile<i32>, %b_1_raw: tile<i32>, %b_s0_raw: tile<i32>, %c_raw: tile<ptr<f32>>, %c_0_raw: tile<i32>, %c_1_raw: tile<i32>, %c_s0_raw: tile<i32>, %sa_raw: tile<ptr<f8E8M0FNU>>, %sa_0_raw: tile<i32>, %sa_1_raw: tile<i32>, %sa_s0_raw: tile<i32>, %sb_raw: tile<ptr<f8E8M0FNU>>, %sb_0_raw: tile<i32>, %sb_1_raw: tile<i32>, %sb_s0_raw: tile<i32>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<f8E4M3FN>>
    %a_0_pos = assume bounded<0, ?>, %a_0_raw : tile<i32>
    %a_0 = assume div_by<16>, %a_0_pos : tile<i32>
    %a_1_pos = assume bounded<0, ?>, %a_1_raw : tile<i32>
    %a_1 = assume div_by<16>, %a_1_pos : tile<i32>
    %a_s0_pos = assume bounded<0, ?>, %a_s0_raw : tile<i32>
    %a_s0 = assume div_by<16>, %a_s0_pos : tile<i32>
    %a_v = make_tensor_view %a, shape = [%a_0, %a_1], strides = [%a_s0, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %b = assume div_by<16>, %b_raw : tile<ptr<f8E4M3FN>>
    %b_0_pos = assume bounded<0, ?>, %b_0_raw : tile<i32>
    %b_0 = assume div_by<16>, %b_0_pos : tile<i32>
    %b_1_pos = assume bounded<0, ?>, %b_1_raw : tile<i32>
    %b_1 = assume div_by<16>, %b_1_pos : tile<i32>
    %b_s0_pos = assume bounded<0, ?>, %b_s0_raw : tile<i32>
    %b_s0 = assume div_by<16>, %b_s0_pos : tile<i32>
    %b_v = make_tensor_view %b, shape = [%b_0, %b_1], strides = [%b_s0, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %c = assume div_by<16>, %c_raw : tile<ptr<f32>>
    %c_0_pos = assume bounded<0, ?>, %c_0_raw : tile<i32>
    %c_0 = assume div_by<16>, %c_0_pos : tile<i32>
    %c_1_pos = assume bounded<0, ?>, %c_1_raw : tile<i32>
    %c_1 = assume div_by<16>, %c_1_pos : tile<i32>
    %c_s0_pos = assume bounded<0, ?>, %c_s0_raw : tile<i32>
    %c_s0 = assume div_by<16>, %c_s0_pos : tile<i32>
    %c_v = make_tensor_view %c, shape = [%c_0, %c_1], strides = [%c_s0, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %sa = assume div_by<16>, %sa_raw : tile<ptr<f8E8M0FNU>>
    %sa_0_pos = assume bounded<0, ?>, %sa_0_raw : tile<i32>
    %sa_0 = assume div_by<16>, %sa_0_pos : tile<i32>
    %sa_1_pos = assume bounded<0, ?>, %sa_1_raw : tile<i32>
    %sa_1 = assume div_by<16>, %sa_1_pos : tile<i32>
    %sa_s0_pos = assume bounded<0, ?>, %sa_s0_raw : tile<i32>
    %sa_s0 = assume div_by<16>, %sa_s0_pos : tile<i32>
    %sa_v = make_tensor_view %sa, shape = [%sa_0, %sa_1], strides = [%sa_s0, 1] : tile<i32> -> tensor_view<?x?xf8E8M0FNU, strides=[?,1]>
    %sb = assume div_by<16>, %sb_raw : tile<ptr<f8E8M0FNU>>
    %sb_0_pos = assume bounded<0, ?>, %sb_0_raw : tile<i32>
    %sb_0 = assume div_by<16>, %sb_0_pos : tile<i32>
    %sb_1_pos = assume bounded<0, ?>, %sb_1_raw : tile<i32>
    %sb_1 = assume div_by<16>, %sb_1_pos : tile<i32>
    %sb_s0_pos = assume bounded<0, ?>, %sb_s0_raw : tile<i32>
    %sb_s0 = assume div_by<16>, %sb_s0_pos : tile<i32>
    %sb_v = make_tensor_view %sb, shape = [%sb_0, %sb_1], strides = [%sb_s0, 1] : tile<i32> -> tensor_view<?x?xf8E8M0FNU, strides=[?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = make_partition_view %a_v : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %sa_p = make_partition_view %sa_v : partition_view<tile=(128x4), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>
    %sb_p = make_partition_view %sb_v : partition_view<tile=(128x4), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>
    %ctk = constant <i32: 128> : tile<i32>
    %nk = divi %a_1, %ctk signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf32>) {
      %ta, %ta_t = load_view_tko weak %a_p[%bx, %i] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %tb, %tb_t = load_view_tko weak %b_p[%by, %i] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %va, %va_t = load_view_tko weak %sa_p[%bx, %i] token = %tok : partition_view<tile=(128x4), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %vb, %vb_t = load_view_tko weak %sb_p[%by, %i] token = %tok : partition_view<tile=(128x4), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %tbt = permute %tb [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %vbt = permute %vb [1, 0] : tile<128x4xf8E8M0FNU> -> tile<4x128xf8E8M0FNU>
      %n = mmaf_scaled %ta, %tbt, %s, %va, %vbt : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
      continue %n : tile<128x128xf32>
    }
    %st1 = store_view_tko weak %acc, %c_p[%bx, %by] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Two words of scales a row.
  // WARP-LABEL: gpu.func @deep
  // WARP: "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e5m2.e5m2.f32.ue8m0"
  // CHECK-LABEL: sym_name = "deep"
  // CHECK: nv_tileas.tensor_memory.dot{{.*}}atom = "tcgen05.mx.e5m2"
  // CHECK-SAME: tensor<128x8xf8E8M0FNU, #nv_tileas.shared<shape = [128, 8], offset = [1, 2, 256, 512, 8, 16, 32, 64, 128, 4]>>
  // CODE-LABEL: gpu.func @deep
  // CODE-COUNT-4: "llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1"
  // CODE-COUNT-8: "llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale"
  entry @deep(%a_raw: tile<ptr<f8E5M2>>, %a_0_raw: tile<i32>, %a_1_raw: tile<i32>, %a_s0_raw: tile<i32>, %b_raw: tile<ptr<f8E5M2>>, %b_0_raw: tile<i32>, %b_1_raw: tile<i32>, %b_s0_raw: tile<i32>, %c_raw: tile<ptr<f32>>, %c_0_raw: tile<i32>, %c_1_raw: tile<i32>, %c_s0_raw: tile<i32>, %sa_raw: tile<ptr<f8E8M0FNU>>, %sa_0_raw: tile<i32>, %sa_1_raw: tile<i32>, %sa_s0_raw: tile<i32>, %sb_raw: tile<ptr<f8E8M0FNU>>, %sb_0_raw: tile<i32>, %sb_1_raw: tile<i32>, %sb_s0_raw: tile<i32>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<f8E5M2>>
    %a_0_pos = assume bounded<0, ?>, %a_0_raw : tile<i32>
    %a_0 = assume div_by<16>, %a_0_pos : tile<i32>
    %a_1_pos = assume bounded<0, ?>, %a_1_raw : tile<i32>
    %a_1 = assume div_by<16>, %a_1_pos : tile<i32>
    %a_s0_pos = assume bounded<0, ?>, %a_s0_raw : tile<i32>
    %a_s0 = assume div_by<16>, %a_s0_pos : tile<i32>
    %a_v = make_tensor_view %a, shape = [%a_0, %a_1], strides = [%a_s0, 1] : tile<i32> -> tensor_view<?x?xf8E5M2, strides=[?,1]>
    %b = assume div_by<16>, %b_raw : tile<ptr<f8E5M2>>
    %b_0_pos = assume bounded<0, ?>, %b_0_raw : tile<i32>
    %b_0 = assume div_by<16>, %b_0_pos : tile<i32>
    %b_1_pos = assume bounded<0, ?>, %b_1_raw : tile<i32>
    %b_1 = assume div_by<16>, %b_1_pos : tile<i32>
    %b_s0_pos = assume bounded<0, ?>, %b_s0_raw : tile<i32>
    %b_s0 = assume div_by<16>, %b_s0_pos : tile<i32>
    %b_v = make_tensor_view %b, shape = [%b_0, %b_1], strides = [%b_s0, 1] : tile<i32> -> tensor_view<?x?xf8E5M2, strides=[?,1]>
    %c = assume div_by<16>, %c_raw : tile<ptr<f32>>
    %c_0_pos = assume bounded<0, ?>, %c_0_raw : tile<i32>
    %c_0 = assume div_by<16>, %c_0_pos : tile<i32>
    %c_1_pos = assume bounded<0, ?>, %c_1_raw : tile<i32>
    %c_1 = assume div_by<16>, %c_1_pos : tile<i32>
    %c_s0_pos = assume bounded<0, ?>, %c_s0_raw : tile<i32>
    %c_s0 = assume div_by<16>, %c_s0_pos : tile<i32>
    %c_v = make_tensor_view %c, shape = [%c_0, %c_1], strides = [%c_s0, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %sa = assume div_by<16>, %sa_raw : tile<ptr<f8E8M0FNU>>
    %sa_0_pos = assume bounded<0, ?>, %sa_0_raw : tile<i32>
    %sa_0 = assume div_by<16>, %sa_0_pos : tile<i32>
    %sa_1_pos = assume bounded<0, ?>, %sa_1_raw : tile<i32>
    %sa_1 = assume div_by<16>, %sa_1_pos : tile<i32>
    %sa_s0_pos = assume bounded<0, ?>, %sa_s0_raw : tile<i32>
    %sa_s0 = assume div_by<16>, %sa_s0_pos : tile<i32>
    %sa_v = make_tensor_view %sa, shape = [%sa_0, %sa_1], strides = [%sa_s0, 1] : tile<i32> -> tensor_view<?x?xf8E8M0FNU, strides=[?,1]>
    %sb = assume div_by<16>, %sb_raw : tile<ptr<f8E8M0FNU>>
    %sb_0_pos = assume bounded<0, ?>, %sb_0_raw : tile<i32>
    %sb_0 = assume div_by<16>, %sb_0_pos : tile<i32>
    %sb_1_pos = assume bounded<0, ?>, %sb_1_raw : tile<i32>
    %sb_1 = assume div_by<16>, %sb_1_pos : tile<i32>
    %sb_s0_pos = assume bounded<0, ?>, %sb_s0_raw : tile<i32>
    %sb_s0 = assume div_by<16>, %sb_s0_pos : tile<i32>
    %sb_v = make_tensor_view %sb, shape = [%sb_0, %sb_1], strides = [%sb_s0, 1] : tile<i32> -> tensor_view<?x?xf8E8M0FNU, strides=[?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = make_partition_view %a_v : partition_view<tile=(128x256), padding_value = zero, tensor_view<?x?xf8E5M2, strides=[?,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(128x256), padding_value = zero, tensor_view<?x?xf8E5M2, strides=[?,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %sa_p = make_partition_view %sa_v : partition_view<tile=(128x8), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>
    %sb_p = make_partition_view %sb_v : partition_view<tile=(128x8), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>
    %ctk = constant <i32: 256> : tile<i32>
    %nk = divi %a_1, %ctk signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf32>) {
      %ta, %ta_t = load_view_tko weak %a_p[%bx, %i] token = %tok : partition_view<tile=(128x256), padding_value = zero, tensor_view<?x?xf8E5M2, strides=[?,1]>>, tile<i32> -> tile<128x256xf8E5M2>, token
      %tb, %tb_t = load_view_tko weak %b_p[%by, %i] token = %tok : partition_view<tile=(128x256), padding_value = zero, tensor_view<?x?xf8E5M2, strides=[?,1]>>, tile<i32> -> tile<128x256xf8E5M2>, token
      %va, %va_t = load_view_tko weak %sa_p[%bx, %i] token = %tok : partition_view<tile=(128x8), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<128x8xf8E8M0FNU>, token
      %vb, %vb_t = load_view_tko weak %sb_p[%by, %i] token = %tok : partition_view<tile=(128x8), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<128x8xf8E8M0FNU>, token
      %tbt = permute %tb [1, 0] : tile<128x256xf8E5M2> -> tile<256x128xf8E5M2>
      %vbt = permute %vb [1, 0] : tile<128x8xf8E8M0FNU> -> tile<8x128xf8E8M0FNU>
      %n = mmaf_scaled %ta, %tbt, %s, %va, %vbt : tile<128x256xf8E5M2>, tile<256x128xf8E5M2>, tile<128x128xf32>, tile<128x8xf8E8M0FNU>, tile<8x128xf8E8M0FNU>
      continue %n : tile<128x128xf32>
    }
    %st1 = store_view_tko weak %acc, %c_p[%bx, %by] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Scales of a word are not neighbours in memory: the operands are scaled first.
  // WARP-LABEL: gpu.func @along_columns
  // WARP: "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0"
  // CHECK-LABEL: sym_name = "along_columns"
  // CHECK: nv_tileaa.mulf
  // CHECK: nv_tileas.tensor_memory.dot{{.*}}atom = "tcgen05.tf32"
  entry @along_columns(%a_raw: tile<ptr<f8E4M3FN>>, %a_0_raw: tile<i32>, %a_1_raw: tile<i32>, %a_s0_raw: tile<i32>, %b_raw: tile<ptr<f8E4M3FN>>, %b_0_raw: tile<i32>, %b_1_raw: tile<i32>, %b_s0_raw: tile<i32>, %c_raw: tile<ptr<f32>>, %c_0_raw: tile<i32>, %c_1_raw: tile<i32>, %c_s0_raw: tile<i32>, %sa_raw: tile<ptr<f8E8M0FNU>>, %sa_0_raw: tile<i32>, %sa_1_raw: tile<i32>, %sa_s0_raw: tile<i32>, %sb_raw: tile<ptr<f8E8M0FNU>>, %sb_0_raw: tile<i32>, %sb_1_raw: tile<i32>, %sb_s0_raw: tile<i32>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<f8E4M3FN>>
    %a_0_pos = assume bounded<0, ?>, %a_0_raw : tile<i32>
    %a_0 = assume div_by<16>, %a_0_pos : tile<i32>
    %a_1_pos = assume bounded<0, ?>, %a_1_raw : tile<i32>
    %a_1 = assume div_by<16>, %a_1_pos : tile<i32>
    %a_s0_pos = assume bounded<0, ?>, %a_s0_raw : tile<i32>
    %a_s0 = assume div_by<16>, %a_s0_pos : tile<i32>
    %a_v = make_tensor_view %a, shape = [%a_0, %a_1], strides = [%a_s0, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %b = assume div_by<16>, %b_raw : tile<ptr<f8E4M3FN>>
    %b_0_pos = assume bounded<0, ?>, %b_0_raw : tile<i32>
    %b_0 = assume div_by<16>, %b_0_pos : tile<i32>
    %b_1_pos = assume bounded<0, ?>, %b_1_raw : tile<i32>
    %b_1 = assume div_by<16>, %b_1_pos : tile<i32>
    %b_s0_pos = assume bounded<0, ?>, %b_s0_raw : tile<i32>
    %b_s0 = assume div_by<16>, %b_s0_pos : tile<i32>
    %b_v = make_tensor_view %b, shape = [%b_0, %b_1], strides = [%b_s0, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %c = assume div_by<16>, %c_raw : tile<ptr<f32>>
    %c_0_pos = assume bounded<0, ?>, %c_0_raw : tile<i32>
    %c_0 = assume div_by<16>, %c_0_pos : tile<i32>
    %c_1_pos = assume bounded<0, ?>, %c_1_raw : tile<i32>
    %c_1 = assume div_by<16>, %c_1_pos : tile<i32>
    %c_s0_pos = assume bounded<0, ?>, %c_s0_raw : tile<i32>
    %c_s0 = assume div_by<16>, %c_s0_pos : tile<i32>
    %c_v = make_tensor_view %c, shape = [%c_0, %c_1], strides = [%c_s0, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %sa = assume div_by<16>, %sa_raw : tile<ptr<f8E8M0FNU>>
    %sa_0_pos = assume bounded<0, ?>, %sa_0_raw : tile<i32>
    %sa_0 = assume div_by<16>, %sa_0_pos : tile<i32>
    %sa_1_pos = assume bounded<0, ?>, %sa_1_raw : tile<i32>
    %sa_1 = assume div_by<16>, %sa_1_pos : tile<i32>
    %sa_s0_pos = assume bounded<0, ?>, %sa_s0_raw : tile<i32>
    %sa_s0 = assume div_by<16>, %sa_s0_pos : tile<i32>
    %sa_v = make_tensor_view %sa, shape = [%sa_0, %sa_1], strides = [%sa_s0, 1] : tile<i32> -> tensor_view<?x?xf8E8M0FNU, strides=[?,1]>
    %sb = assume div_by<16>, %sb_raw : tile<ptr<f8E8M0FNU>>
    %sb_0_pos = assume bounded<0, ?>, %sb_0_raw : tile<i32>
    %sb_0 = assume div_by<16>, %sb_0_pos : tile<i32>
    %sb_1_pos = assume bounded<0, ?>, %sb_1_raw : tile<i32>
    %sb_1 = assume div_by<16>, %sb_1_pos : tile<i32>
    %sb_s0_pos = assume bounded<0, ?>, %sb_s0_raw : tile<i32>
    %sb_s0 = assume div_by<16>, %sb_s0_pos : tile<i32>
    %sb_v = make_tensor_view %sb, shape = [%sb_0, %sb_1], strides = [%sb_s0, 1] : tile<i32> -> tensor_view<?x?xf8E8M0FNU, strides=[?,1]>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = make_partition_view %a_v : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %sa_p = make_partition_view %sa_v : partition_view<tile=(128x4), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>
    %sb_p = make_partition_view %sb_v : partition_view<tile=(4x128), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>
    %ctk = constant <i32: 128> : tile<i32>
    %nk = divi %a_1, %ctk signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf32>) {
      %ta, %ta_t = load_view_tko weak %a_p[%bx, %i] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %tb, %tb_t = load_view_tko weak %b_p[%by, %i] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %va, %va_t = load_view_tko weak %sa_p[%bx, %i] token = %tok : partition_view<tile=(128x4), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %vb, %vb_t = load_view_tko weak %sb_p[%i, %by] token = %tok : partition_view<tile=(4x128), tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<4x128xf8E8M0FNU>, token
      %tbt = permute %tb [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %n = mmaf_scaled %ta, %tbt, %s, %va, %vb : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
      continue %n : tile<128x128xf32>
    }
    %st1 = store_view_tko weak %acc, %c_p[%bx, %by] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Two elements of four bits are a byte in shared memory. Scales of 32 of them: the instruction descriptor (M = 128,
  // N = 128, types 1, scales in e8m0) names the first and the third scale of a word. In e8m0, M >> 4 from bit 24, N >> 3
  // from bit 17: 8 << 24 | 1 << 23 | 16 << 17 | 1 << 10 | 1 << 7, then 2 << 29 | 2 << 4 more.
  // WARP-LABEL: gpu.func @fours
  // WARP: "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0"
  // CHECK-LABEL: sym_name = "fours"
  // CHECK: nv_tileas.tensor_memory.dot{{.*}}atom = "tcgen05.mx.e2m1", {{.*}}scale_column = 128
  // CHECK-SAME: tensor<128x64xi8, #nv_tileas.shared
  // CHECK-NOT: nv_tileaa.mulf
  // CODE-LABEL: gpu.func @fours
  // CODE: %[[FIRST:.*]] = arith.constant 144704640 : i32
  // CODE: "llvm.nvvm.tcgen05.mma.shared.mxf4.block_scale.block32"({{[^,]*, [^,]*, [^,]*}}, %[[FIRST]],
  // CODE: %[[SECOND:.*]] = arith.constant 1218446496 : i32
  // CODE: "llvm.nvvm.tcgen05.mma.shared.mxf4.block_scale.block32"({{[^,]*, [^,]*, [^,]*}}, %[[SECOND]],
  entry @fours(%a_raw: tile<ptr<f4E2M1FN>>, %b_raw: tile<ptr<f4E2M1FN>>, %sa_raw: tile<ptr<f8E8M0FNU>>, %sb_raw: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>, %nk: tile<i32>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<f4E2M1FN>>
    %b = assume div_by<16>, %b_raw : tile<ptr<f4E2M1FN>>
    %sa = assume div_by<16>, %sa_raw : tile<ptr<f8E8M0FNU>>
    %sb = assume div_by<16>, %sb_raw : tile<ptr<f8E8M0FNU>>
    %a_v = make_tensor_view %a, shape = [128, 1024], strides = [1024, 1] : tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>
    %b_v = make_tensor_view %b, shape = [128, 1024], strides = [1024, 1] : tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>
    %sa_v = make_tensor_view %sa, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf8E8M0FNU, strides=[64,1]>
    %sb_v = make_tensor_view %sb, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf8E8M0FNU, strides=[64,1]>
    %c_v = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %a_p = make_partition_view %a_v : partition_view<tile=(128x128), tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(128x128), tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>>
    %sa_p = make_partition_view %sa_v : partition_view<tile=(128x4), tensor_view<128x64xf8E8M0FNU, strides=[64,1]>>
    %sb_p = make_partition_view %sb_v : partition_view<tile=(128x4), tensor_view<128x64xf8E8M0FNU, strides=[64,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf32>) {
      %ta, %ta_t = load_view_tko weak %a_p[%c0, %i] : partition_view<tile=(128x128), tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
      %tb, %tb_t = load_view_tko weak %b_p[%c0, %i] : partition_view<tile=(128x128), tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
      %va, %va_t = load_view_tko weak %sa_p[%c0, %i] : partition_view<tile=(128x4), tensor_view<128x64xf8E8M0FNU, strides=[64,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %vb, %vb_t = load_view_tko weak %sb_p[%c0, %i] : partition_view<tile=(128x4), tensor_view<128x64xf8E8M0FNU, strides=[64,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %tbt = permute %tb [1, 0] : tile<128x128xf4E2M1FN> -> tile<128x128xf4E2M1FN>
      %vbt = permute %vb [1, 0] : tile<128x4xf8E8M0FNU> -> tile<4x128xf8E8M0FNU>
      %n = mmaf_scaled %ta, %tbt, %s, %va, %vbt : tile<128x128xf4E2M1FN>, tile<128x128xf4E2M1FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
      continue %n : tile<128x128xf32>
    }
    %st1 = store_view_tko weak %acc, %c_p[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }

  // Scales of 16 in e4m3 (no bit 23): all four of a word, and another word for the next instruction.
  // WARP-LABEL: gpu.func @fours_16
  // WARP: "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3"
  // CHECK-LABEL: sym_name = "fours_16"
  // CHECK: nv_tileas.tensor_memory.dot{{.*}}atom = "tcgen05.nv.e2m1", {{.*}}scale_column = 128
  // CODE-LABEL: gpu.func @fours_16
  // CODE: %[[ALL:.*]] = arith.constant 136316032 : i32
  // CODE: "llvm.nvvm.tcgen05.mma.shared.mxf4nvf4.block_scale.block16"({{[^,]*, [^,]*, [^,]*}}, %[[ALL]],
  // CODE: %[[AGAIN:.*]] = arith.constant 136316032 : i32
  // CODE: "llvm.nvvm.tcgen05.mma.shared.mxf4nvf4.block_scale.block16"({{[^,]*, [^,]*, [^,]*}}, %[[AGAIN]],
  entry @fours_16(%a_raw: tile<ptr<f4E2M1FN>>, %b_raw: tile<ptr<f4E2M1FN>>, %sa_raw: tile<ptr<f8E4M3FN>>, %sb_raw: tile<ptr<f8E4M3FN>>, %c: tile<ptr<f32>>, %nk: tile<i32>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<f4E2M1FN>>
    %b = assume div_by<16>, %b_raw : tile<ptr<f4E2M1FN>>
    %sa = assume div_by<16>, %sa_raw : tile<ptr<f8E4M3FN>>
    %sb = assume div_by<16>, %sb_raw : tile<ptr<f8E4M3FN>>
    %a_v = make_tensor_view %a, shape = [128, 1024], strides = [1024, 1] : tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>
    %b_v = make_tensor_view %b, shape = [128, 1024], strides = [1024, 1] : tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>
    %sa_v = make_tensor_view %sa, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf8E4M3FN, strides=[64,1]>
    %sb_v = make_tensor_view %sb, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf8E4M3FN, strides=[64,1]>
    %c_v = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %a_p = make_partition_view %a_v : partition_view<tile=(128x128), tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(128x128), tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>>
    %sa_p = make_partition_view %sa_v : partition_view<tile=(128x8), tensor_view<128x64xf8E4M3FN, strides=[64,1]>>
    %sb_p = make_partition_view %sb_v : partition_view<tile=(128x8), tensor_view<128x64xf8E4M3FN, strides=[64,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %acc = for %i in (%c0 to %nk, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf32>) {
      %ta, %ta_t = load_view_tko weak %a_p[%c0, %i] : partition_view<tile=(128x128), tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
      %tb, %tb_t = load_view_tko weak %b_p[%c0, %i] : partition_view<tile=(128x128), tensor_view<128x1024xf4E2M1FN, strides=[1024,1]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
      %va, %va_t = load_view_tko weak %sa_p[%c0, %i] : partition_view<tile=(128x8), tensor_view<128x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<128x8xf8E4M3FN>, token
      %vb, %vb_t = load_view_tko weak %sb_p[%c0, %i] : partition_view<tile=(128x8), tensor_view<128x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<128x8xf8E4M3FN>, token
      %tbt = permute %tb [1, 0] : tile<128x128xf4E2M1FN> -> tile<128x128xf4E2M1FN>
      %vbt = permute %vb [1, 0] : tile<128x8xf8E4M3FN> -> tile<8x128xf8E4M3FN>
      %n = mmaf_scaled %ta, %tbt, %s, %va, %vbt : tile<128x128xf4E2M1FN>, tile<128x128xf4E2M1FN>, tile<128x128xf32>, tile<128x8xf8E4M3FN>, tile<8x128xf8E4M3FN>
      continue %n : tile<128x128xf32>
    }
    %st1 = store_view_tko weak %acc, %c_p[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }

  // Bytes of the right operand hold neighbours along N, which no instruction takes.
  // WARP-LABEL: gpu.func @along_n
  // WARP-NOT: block.scale
  // WARP: nvgpu.mma.sync
  entry @along_n(%a_raw: tile<ptr<f4E2M1FN>>, %c: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<f4E2M1FN>>
    %a_v = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
    %c_v = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %a_p = make_partition_view %a_v : partition_view<tile=(64x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %left = constant <f8E4M3FN: 1.0> : tile<64x4xf8E4M3FN>
    %right = constant <f8E4M3FN: 1.0> : tile<4x64xf8E4M3FN>
    %t, %token = load_view_tko weak %a_p[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<64x64xf4E2M1FN>, token
    %n = mmaf_scaled %t, %t, %zero, %left, %right : tile<64x64xf4E2M1FN>, tile<64x64xf4E2M1FN>, tile<64x64xf32>, tile<64x4xf8E4M3FN>, tile<4x64xf8E4M3FN>
    %st = store_view_tko weak %n, %c_p[%c0, %c0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
