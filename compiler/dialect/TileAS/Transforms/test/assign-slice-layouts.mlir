// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=tileas-assign-slice-layouts" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=tileas-sink-reads" | FileCheck %s --check-prefix=BEFORE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=gpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 to=gpu" | FileCheck %s --check-prefix=O1

// Halves of rows: the bit of the column that tells them apart moves from a lane to a register, everywhere.
// BEFORE: sym_name = "halves"
// BEFORE: tiled_load{{.*}}tensor<8x64xf32, #nv_tileas.layout<shape = [8, 64], register = [1, 2], lane = [4, 8, 16, 32, 64], warp = [128, 256]>>
// CHECK: sym_name = "halves"
// CHECK: tiled_load{{.*}}tensor<8x64xf32, #nv_tileas.layout<shape = [8, 64], register = [1, 32], lane = [2, 4, 8, 16, 64], warp = [128, 256]>>
// CHECK-NEXT: extract_slice{{.*}} -> tensor<8x32xf32, #nv_tileas.layout<shape = [8, 32], register = [1], lane = [2, 4, 8, 16, 32], warp = [64, 128]>>
// CHECK-NEXT: extract_slice
// CHECK-NEXT: subf
// CHECK-NEXT: nv_tileas.cat{{.*}} -> tensor<8x64xf32, #nv_tileas.layout<shape = [8, 64], register = [1, 32], lane = [2, 4, 8, 16, 64], warp = [128, 256]>>
// CHECK-NEXT: tiled_store
// CODE-LABEL: gpu.func @halves
// CODE-NOT: gpu.barrier
// CODE: gpu.return
// O1-LABEL: gpu.func @halves
// O1-COUNT-4: gpu.barrier

// Steps of a sorting network: neighbours at distance 64 lie on a lane, which changes places with the register that is not
// wanted any more; what is stored has neighbours again.
// CHECK: sym_name = "network"
// CHECK: tiled_load{{.*}}register = [1, 2, 4], lane = [8, 16, 32, 64, 512], warp = [128, 256]
// CHECK-NOT: convert_layout
// CHECK: tensor<128x1x4xi32
// CHECK: convert_layout{{.*}} -> tensor<8x2x64xi32, #nv_tileas.layout<shape = [8, 2, 64], register = [1, 2, 64], lane = [8, 16, 32, 4, 512], warp = [128, 256]>>
// CHECK-NEXT: extract_slice
// CHECK: convert_layout{{.*}} -> tensor<1x2x512xi32, #nv_tileas.layout<shape = [1, 2, 512], register = [1, 2, 512], lane = [8, 16, 32, 4, 64], warp = [128, 256]>>
// CHECK: convert_layout{{.*}} -> tensor<1024xi32, #nv_tileas.layout<shape = [1024], register = [1, 2, 512], lane = [4, 8, 16, 32, 64], warp = [128, 256]>>
// CHECK-NEXT: tiled_store
// CODE-LABEL: gpu.func @network
// CODE-NOT: gpu.barrier
// CODE-COUNT-8: gpu.shuffle  xor
// CODE-NOT: gpu.barrier
// CODE: gpu.return

// The index of a slice is not known: threads would have to choose among registers, so the source stays as it was.
// CHECK: sym_name = "computed"
// CHECK: extract_slice{{.*}} : tensor<8x64xf32, #nv_tileas.layout<shape = [8, 64], register = [1, 2], lane = [4, 8, 16, 32, 64], warp = [128, 256]>>
// CODE-LABEL: gpu.func @computed
// CODE: gpu.barrier

// Halves of words: what tells them apart is the lowest bit of what is stored, and lies in a register already.
// BEFORE: sym_name = "unpacked"
// BEFORE: reinterpret{{.*}} -> tensor<4096xi8, #nv_tileas.layout<shape = [4096], register = [1, 2, 512, 1024, 2048], lane = [4, 8, 16, 32, 64], warp = [128, 256]>>
// CHECK: sym_name = "unpacked"
// CHECK: reinterpret{{.*}} -> tensor<4096xi8, #nv_tileas.layout<shape = [4096], register = [1, 2, 4, 1024, 2048], lane = [8, 16, 32, 64, 128], warp = [256, 512]>>
// CHECK-NEXT: reinterpret{{.*}} -> tensor<2048xf16, #nv_tileas.layout<shape = [2048], register = [1, 2, 512, 1024], lane = [4, 8, 16, 32, 64], warp = [128, 256]>>
// CHECK-NOT: convert_layout
// CHECK: tiled_store
// CODE-LABEL: gpu.func @unpacked
// CODE-NOT: gpu.barrier
// CODE: gpu.return
// O1-LABEL: gpu.func @unpacked
// O1: gpu.barrier
cuda_tile.module @m {
  entry @halves(%x_raw: tile<ptr<f32>>, %y_raw: tile<ptr<f32>>) {
    %x = assume div_by<16>, %x_raw : tile<ptr<f32>>
    %y = assume div_by<16>, %y_raw : tile<ptr<f32>>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [64,64], strides = [64,1] : tensor_view<64x64xf32, strides=[64,1]>
    %x_p = make_partition_view %x_v : partition_view<tile=(8x64), tensor_view<64x64xf32, strides=[64,1]>>
    %y_v = make_tensor_view %y, shape = [64,64], strides = [64,1] : tensor_view<64x64xf32, strides=[64,1]>
    %y_p = make_partition_view %y_v : partition_view<tile=(8x64), tensor_view<64x64xf32, strides=[64,1]>>
    %xt, %xt_t = load_view_tko weak %x_p[%bx, %c0] token = %tok : partition_view<tile=(8x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x64xf32>, token
    %a = extract %xt[%c0, %c0] : tile<8x64xf32> -> tile<8x32xf32>
    %b = extract %xt[%c0, %c1] : tile<8x64xf32> -> tile<8x32xf32>
    %d = subf %a, %b : tile<8x32xf32>
    %yt = cat %b, %d dim = 1 : tile<8x32xf32>, tile<8x32xf32> -> tile<8x64xf32>
    %yt_st = store_view_tko weak %yt, %y_p[%bx, %c0] token = %tok : tile<8x64xf32>, partition_view<tile=(8x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @network(%x_raw: tile<ptr<i32>>, %y_raw: tile<ptr<i32>>) {
    %x = assume div_by<16>, %x_raw : tile<ptr<i32>>
    %y = assume div_by<16>, %y_raw : tile<ptr<i32>>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %x_p = make_partition_view %x_v : partition_view<tile=(1024), tensor_view<4096xi32, strides=[1]>>
    %y_v = make_tensor_view %y, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %y_p = make_partition_view %y_v : partition_view<tile=(1024), tensor_view<4096xi32, strides=[1]>>
    %l, %l_t = load_view_tko weak %x_p[%bx] token = %tok : partition_view<tile=(1024), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<1024xi32>, token
    %q0 = reshape %l : tile<1024xi32> -> tile<512x2x1xi32>
    %a0 = extract %q0[%c0, %c0, %c0] : tile<512x2x1xi32> -> tile<512x1x1xi32>
    %b0 = extract %q0[%c0, %c1, %c0] : tile<512x2x1xi32> -> tile<512x1x1xi32>
    %lo0 = mini %a0, %b0 signed : tile<512x1x1xi32>
    %hi0 = maxi %a0, %b0 signed : tile<512x1x1xi32>
    %w0 = cat %lo0, %hi0 dim = 1 : tile<512x1x1xi32>, tile<512x1x1xi32> -> tile<512x2x1xi32>
    %t0 = reshape %w0 : tile<512x2x1xi32> -> tile<1024xi32>
    %q1 = reshape %t0 : tile<1024xi32> -> tile<256x2x2xi32>
    %a1 = extract %q1[%c0, %c0, %c0] : tile<256x2x2xi32> -> tile<256x1x2xi32>
    %b1 = extract %q1[%c0, %c1, %c0] : tile<256x2x2xi32> -> tile<256x1x2xi32>
    %lo1 = mini %a1, %b1 signed : tile<256x1x2xi32>
    %hi1 = maxi %a1, %b1 signed : tile<256x1x2xi32>
    %w1 = cat %lo1, %hi1 dim = 1 : tile<256x1x2xi32>, tile<256x1x2xi32> -> tile<256x2x2xi32>
    %t1 = reshape %w1 : tile<256x2x2xi32> -> tile<1024xi32>
    %q2 = reshape %t1 : tile<1024xi32> -> tile<128x2x4xi32>
    %a2 = extract %q2[%c0, %c0, %c0] : tile<128x2x4xi32> -> tile<128x1x4xi32>
    %b2 = extract %q2[%c0, %c1, %c0] : tile<128x2x4xi32> -> tile<128x1x4xi32>
    %lo2 = mini %a2, %b2 signed : tile<128x1x4xi32>
    %hi2 = maxi %a2, %b2 signed : tile<128x1x4xi32>
    %w2 = cat %lo2, %hi2 dim = 1 : tile<128x1x4xi32>, tile<128x1x4xi32> -> tile<128x2x4xi32>
    %t2 = reshape %w2 : tile<128x2x4xi32> -> tile<1024xi32>
    %q3 = reshape %t2 : tile<1024xi32> -> tile<8x2x64xi32>
    %a3 = extract %q3[%c0, %c0, %c0] : tile<8x2x64xi32> -> tile<8x1x64xi32>
    %b3 = extract %q3[%c0, %c1, %c0] : tile<8x2x64xi32> -> tile<8x1x64xi32>
    %lo3 = mini %a3, %b3 signed : tile<8x1x64xi32>
    %hi3 = maxi %a3, %b3 signed : tile<8x1x64xi32>
    %w3 = cat %lo3, %hi3 dim = 1 : tile<8x1x64xi32>, tile<8x1x64xi32> -> tile<8x2x64xi32>
    %t3 = reshape %w3 : tile<8x2x64xi32> -> tile<1024xi32>
    %q4 = reshape %t3 : tile<1024xi32> -> tile<1x2x512xi32>
    %a4 = extract %q4[%c0, %c0, %c0] : tile<1x2x512xi32> -> tile<1x1x512xi32>
    %b4 = extract %q4[%c0, %c1, %c0] : tile<1x2x512xi32> -> tile<1x1x512xi32>
    %lo4 = mini %a4, %b4 signed : tile<1x1x512xi32>
    %hi4 = maxi %a4, %b4 signed : tile<1x1x512xi32>
    %w4 = cat %lo4, %hi4 dim = 1 : tile<1x1x512xi32>, tile<1x1x512xi32> -> tile<1x2x512xi32>
    %t4 = reshape %w4 : tile<1x2x512xi32> -> tile<1024xi32>
    %t4_st = store_view_tko weak %t4, %y_p[%bx] token = %tok : tile<1024xi32>, partition_view<tile=(1024), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @computed(%x_raw: tile<ptr<f32>>, %y_raw: tile<ptr<f32>>) {
    %x = assume div_by<16>, %x_raw : tile<ptr<f32>>
    %y = assume div_by<16>, %y_raw : tile<ptr<f32>>
    %tok = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [64,64], strides = [64,1] : tensor_view<64x64xf32, strides=[64,1]>
    %x_p = make_partition_view %x_v : partition_view<tile=(8x64), tensor_view<64x64xf32, strides=[64,1]>>
    %y_v = make_tensor_view %y, shape = [64,64], strides = [64,1] : tensor_view<64x64xf32, strides=[64,1]>
    %y_p = make_partition_view %y_v : partition_view<tile=(8x64), tensor_view<64x64xf32, strides=[64,1]>>
    %xt, %xt_t = load_view_tko weak %x_p[%bx, %c0] token = %tok : partition_view<tile=(8x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x64xf32>, token
    %k = andi %bx, %c1 : tile<i32>
    %a = extract %xt[%c0, %k] : tile<8x64xf32> -> tile<8x32xf32>
    %yt = cat %a, %a dim = 1 : tile<8x32xf32>, tile<8x32xf32> -> tile<8x64xf32>
    %yt_st = store_view_tko weak %yt, %y_p[%bx, %c0] token = %tok : tile<8x64xf32>, partition_view<tile=(8x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @unpacked(%x_raw: tile<ptr<i32>>, %y_raw: tile<ptr<f32>>) {
    %x = assume div_by<16>, %x_raw : tile<ptr<i32>>
    %y = assume div_by<16>, %y_raw : tile<ptr<f32>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %x_p = make_partition_view %x_v : partition_view<tile=(1024), tensor_view<4096xi32, strides=[1]>>
    %y_v = make_tensor_view %y, shape = [8192], strides = [1] : tensor_view<8192xf32, strides=[1]>
    %y_p = make_partition_view %y_v : partition_view<tile=(2048), tensor_view<8192xf32, strides=[1]>>
    %xt, %xt_t = load_view_tko weak %x_p[%bx] : partition_view<tile=(1024), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<1024xi32>, token
    %bytes = pack %xt : tile<1024xi32> -> tile<4096xi8>
    %halves = unpack %bytes : tile<4096xi8> -> tile<2048xf16>
    %yt = ftof %halves : tile<2048xf16> -> tile<2048xf32>
    %yt_st = store_view_tko weak %yt, %y_p[%bx] : tile<2048xf32>, partition_view<tile=(2048), tensor_view<8192xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
