// RUN: tile-opt %s --verify-diagnostics --tilesmith-pipeline="gpu-name=sm_100 remarks stop-after=tileaa-load-half-bytes" | FileCheck %s
// RUN: tile-opt %s --verify-diagnostics --tilesmith-pipeline="gpu-name=sm_120 remarks stop-after=tileaa-load-half-bytes" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=tileaa-load-half-bytes" | FileCheck %s --check-prefix=NONE
// Operands of four bits of a scaled product come as bytes, where no byte holds anything else.
// NONE-NOT: memref<{{.*}} x i8
// NONE: sym_name = "dynamic"
// NONE-NOT: memref<{{.*}} x i8

cuda_tile.module @m {
  // Contiguous along K: rows of the left operand, columns of the right one, which are taken apart transposed.
  // CHECK-LABEL: sym_name = "both"
  // CHECK: %[[A:.*]], %{{.*}} = "nv_tileaa.tiled_load"{{.*}} memref = <[256, 128] x i8, strides = [128, 1], 1>
  // CHECK: %[[LEFT:.*]] = "nv_tileaa.bitcast"(%[[A]]) : (tensor<128x64xi8>) -> tensor<128x128xf4E2M1FN>
  // CHECK: %[[B:.*]], %{{.*}} = "nv_tileaa.tiled_load"{{.*}} -> (tensor<64x128xi8>
  // CHECK: %[[ROWS:.*]] = "nv_tileaa.permute"(%[[B]]) {{.*}} -> tensor<128x64xi8>
  // CHECK: %[[PAIRS:.*]] = "nv_tileaa.bitcast"(%[[ROWS]]) : (tensor<128x64xi8>) -> tensor<128x128xf4E2M1FN>
  // CHECK: %[[RIGHT:.*]] = "nv_tileaa.permute"(%[[PAIRS]])
  // CHECK: "nv_tileaa.dot"(%[[LEFT]], %[[RIGHT]]
  entry @both(%a: tile<ptr<f4E2M1FN>>, %b: tile<ptr<f4E2M1FN>>, %s: tile<ptr<f8E4M3FN>>, %c: tile<ptr<f32>>) {
    %a_v = make_tensor_view %a, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xf4E2M1FN, strides=[256,1]>
    %b_v = make_tensor_view %b, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xf4E2M1FN, strides=[256,1]>
    %s_v = make_tensor_view %s, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xf8E4M3FN, strides=[16,1]>
    %c_v = make_tensor_view %c, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xf32, strides=[256,1]>
    %a_p = make_partition_view %a_v : partition_view<tile=(128x128), padding_value = zero, tensor_view<256x256xf4E2M1FN, strides=[256,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(128x128), tensor_view<256x256xf4E2M1FN, strides=[256,1]>>
    %s_p = make_partition_view %s_v : partition_view<tile=(128x8), tensor_view<256x16xf8E4M3FN, strides=[16,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(128x128), tensor_view<256x256xf32, strides=[256,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %ta, %ta_t = load_view_tko weak %a_p[%bx, %by] : partition_view<tile=(128x128), padding_value = zero, tensor_view<256x256xf4E2M1FN, strides=[256,1]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
    %tb, %tb_t = load_view_tko weak %b_p[%bx, %by] : partition_view<tile=(128x128), tensor_view<256x256xf4E2M1FN, strides=[256,1]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
    %ts, %ts_t = load_view_tko weak %s_p[%bx, %by] : partition_view<tile=(128x8), tensor_view<256x16xf8E4M3FN, strides=[16,1]>>, tile<i32> -> tile<128x8xf8E4M3FN>, token
    %tbt = permute %tb [1, 0] : tile<128x128xf4E2M1FN> -> tile<128x128xf4E2M1FN>
    %tst = permute %ts [1, 0] : tile<128x8xf8E4M3FN> -> tile<8x128xf8E4M3FN>
    %n = mmaf_scaled %ta, %tbt, %zero, %ts, %tst : tile<128x128xf4E2M1FN>, tile<128x128xf4E2M1FN>, tile<128x128xf32>, tile<128x8xf8E4M3FN>, tile<8x128xf8E4M3FN>
    %st = store_view_tko weak %n, %c_p[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<256x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }

  // Extents and strides that facts say are even are halved; an extent that may be odd is not.
  // CHECK-LABEL: sym_name = "dynamic"
  // CHECK: %[[EXTENT:.*]] = arith.shrui %{{.*}} {nv_tileaa.facts = [{divisor = 8 : i64, lower = 0 : i64}]} : i64
  // CHECK: %[[STRIDE:.*]] = arith.shrui %{{.*}} {nv_tileaa.facts = [{divisor = 8 : i64, lower = 0 : i64}]} : i64
  // CHECK: "nv_tileaa.make_memref"(%{{.*}}, %{{.*}}, %[[EXTENT]], %[[STRIDE]]) {{.*}} -> !nv_tileaa.memref<[?, ?] x i8, strides = [?, 1], 1>
  // CHECK: tiled_load{{.*}} -> (tensor<128x64xi8>
  // CHECK: tiled_load{{.*}} -> (tensor<128x128xf4E2M1FN>
  entry @dynamic(%a_raw: tile<ptr<f4E2M1FN>>, %m_raw: tile<i32>, %k_raw: tile<i32>, %odd: tile<i32>, %l_raw: tile<i32>, %s: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a_raw : tile<ptr<f4E2M1FN>>
    %k_pos = assume bounded<0, ?>, %k_raw : tile<i32>
    %k = assume div_by<16>, %k_pos : tile<i32>
    %l_pos = assume bounded<0, ?>, %l_raw : tile<i32>
    %l = assume div_by<16>, %l_pos : tile<i32>
    %a_v = make_tensor_view %a, shape = [%m_raw, %k], strides = [%l, 1] : tile<i32> -> tensor_view<?x?xf4E2M1FN, strides=[?,1]>
    %b_v = make_tensor_view %a, shape = [%odd, %m_raw], strides = [1, %l] : tile<i32> -> tensor_view<?x?xf4E2M1FN, strides=[1,?]>
    %s_v = make_tensor_view %s, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xf8E8M0FNU, strides=[16,1]>
    %c_v = make_tensor_view %c, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xf32, strides=[256,1]>
    %a_p = make_partition_view %a_v : partition_view<tile=(128x128), tensor_view<?x?xf4E2M1FN, strides=[?,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(128x128), tensor_view<?x?xf4E2M1FN, strides=[1,?]>>
    %s_p = make_partition_view %s_v : partition_view<tile=(128x4), tensor_view<256x16xf8E8M0FNU, strides=[16,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(128x128), tensor_view<256x256xf32, strides=[256,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %ta, %ta_t = load_view_tko weak %a_p[%bx, %by] : partition_view<tile=(128x128), tensor_view<?x?xf4E2M1FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
    // expected-remark @+1 {{elements of four bits are loaded one by one: the extent of the contiguous dimension is not known to be even}}
    %tb, %tb_t = load_view_tko weak %b_p[%bx, %by] : partition_view<tile=(128x128), tensor_view<?x?xf4E2M1FN, strides=[1,?]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
    %ts, %ts_t = load_view_tko weak %s_p[%bx, %by] : partition_view<tile=(128x4), tensor_view<256x16xf8E8M0FNU, strides=[16,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
    %tst = permute %ts [1, 0] : tile<128x4xf8E8M0FNU> -> tile<4x128xf8E8M0FNU>
    %n = mmaf_scaled %ta, %tb, %zero, %ts, %tst : tile<128x128xf4E2M1FN>, tile<128x128xf4E2M1FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
    %st = store_view_tko weak %n, %c_p[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<256x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }

  // Other reasons: an odd stride, padding that is not zero, an order.
  // CHECK-LABEL: sym_name = "others"
  // CHECK-NOT: x i8
  entry @others(%a: tile<ptr<f4E2M1FN>>, %s: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>) {
    %a_v = make_tensor_view %a, shape = [256, 256], strides = [257, 1] : tensor_view<256x256xf4E2M1FN, strides=[257,1]>
    %b_v = make_tensor_view %a, shape = [256, 256], strides = [1, 256] : tensor_view<256x256xf4E2M1FN, strides=[1,256]>
    %s_v = make_tensor_view %s, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xf8E8M0FNU, strides=[16,1]>
    %c_v = make_tensor_view %c, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xf32, strides=[256,1]>
    %a_p = make_partition_view %a_v : partition_view<tile=(128x128), tensor_view<256x256xf4E2M1FN, strides=[257,1]>>
    %b_p = make_partition_view %b_v : partition_view<tile=(128x128), padding_value = neg_zero, tensor_view<256x256xf4E2M1FN, strides=[1,256]>>
    %o_p = make_partition_view %b_v : partition_view<tile=(128x128), tensor_view<256x256xf4E2M1FN, strides=[1,256]>>
    %s_p = make_partition_view %s_v : partition_view<tile=(128x4), tensor_view<256x16xf8E8M0FNU, strides=[16,1]>>
    %c_p = make_partition_view %c_v : partition_view<tile=(128x128), tensor_view<256x256xf32, strides=[256,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    // expected-remark @+1 {{loaded one by one: the stride of another dimension is not known to be even}}
    %ta, %ta_t = load_view_tko weak %a_p[%bx, %by] : partition_view<tile=(128x128), tensor_view<256x256xf4E2M1FN, strides=[257,1]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
    // expected-remark @+1 {{loaded one by one: its padding is not zero}}
    %tb, %tb_t = load_view_tko weak %b_p[%bx, %by] : partition_view<tile=(128x128), padding_value = neg_zero, tensor_view<256x256xf4E2M1FN, strides=[1,256]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
    // expected-remark @+1 {{loaded one by one: it is not weak}}
    %to, %to_t = load_view_tko relaxed device %o_p[%bx, %by] : partition_view<tile=(128x128), tensor_view<256x256xf4E2M1FN, strides=[1,256]>>, tile<i32> -> tile<128x128xf4E2M1FN>, token
    %ts, %ts_t = load_view_tko weak %s_p[%bx, %by] : partition_view<tile=(128x4), tensor_view<256x16xf8E8M0FNU, strides=[16,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
    %tst = permute %ts [1, 0] : tile<128x4xf8E8M0FNU> -> tile<4x128xf8E8M0FNU>
    %n = mmaf_scaled %ta, %tb, %zero, %ts, %tst : tile<128x128xf4E2M1FN>, tile<128x128xf4E2M1FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
    %o = mmaf_scaled %ta, %to, %n, %ts, %tst : tile<128x128xf4E2M1FN>, tile<128x128xf4E2M1FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
    %st = store_view_tko weak %o, %c_p[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<256x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }
}
