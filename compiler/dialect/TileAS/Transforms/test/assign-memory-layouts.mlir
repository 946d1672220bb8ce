// RUN: tile-opt %s --tilesmith-pipeline="opt-level=2 gpu-name=sm_80 stop-after=tileas-vectorize-memory" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="opt-level=1 gpu-name=sm_80 stop-after=tileas-vectorize-memory" | FileCheck %s --check-prefix=O1
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 tensor-map to=tileas" | FileCheck %s --check-prefix=RING
// Transposed tiles are loaded and stored 16 bytes at a time.

cuda_tile.module @m {
  // Loaded by rows, stored by columns: lanes 2 to 4 of the store's layout are the eight neighbours that a thread loads.
  // CHECK-LABEL: sym_name = "transposed"
  // CHECK: tiled_load{{.*}}nv_tileas.vector = 8 : i64
  // CHECK: convert_layout {{.*}} -> tensor<64x128xf16, #nv_tileas.layout<shape = [64, 128], register = [1, 2, 4, 1024, 2048, 4096], lane = [8, 16, 128, 256, 512], warp = [32, 64]>>
  // CHECK: tiled_store{{.*}}nv_tileas.vector = 8 : i64
  // O1-LABEL: sym_name = "transposed"
  // O1: convert_layout {{.*}} lane = [8, 16, 32, 64, 128], warp = [256, 512]>>{{$}}
  entry @transposed(%p: tile<ptr<f16>>, %o: tile<ptr<f16>>) {
    %i = constant <i32: 0> : tile<i32>
    %q = assume div_by<16>, %p : tile<ptr<f16>>
    %r = assume div_by<16>, %o : tile<ptr<f16>>
    %tv = make_tensor_view %q, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>
    %ov = make_tensor_view %r, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128,1]>
    %sv = make_partition_view %ov : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>
    %x, %t0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %y = permute %x [1, 0] : tile<128x64xf16> -> tile<64x128xf16>
    %t1 = store_view_tko weak %y, %sv[%i, %i] token = %t0 : tile<64x128xf16>, partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }

  // Elements of 32 bits are no matrices, and rows of 16 no four lanes.
  // CHECK-LABEL: sym_name = "plain"
  // CHECK: convert_layout {{.*}} -> tensor<64x32xf32, #nv_tileas.layout<shape = [64, 32], register = [1, 2, 4, 1024], lane = [8, 16, 32, 64, 128], warp = [256, 512]>>
  // CHECK: convert_layout {{.*}} -> tensor<64x16xf16, #nv_tileas.layout<shape = [64, 16], register = [1, 2, 4], lane = [8, 16, 32, 64, 128], warp = [256, 512]>>
  entry @plain(%p: tile<ptr<f32>>, %o: tile<ptr<f16>>) {
    %i = constant <i32: 0> : tile<i32>
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %tv = make_tensor_view %q, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %ov = make_tensor_view %q, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %sv = make_partition_view %ov : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>
    %x, %t0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
    %y = permute %x [1, 0] : tile<32x64xf32> -> tile<64x32xf32>
    %t1 = store_view_tko weak %y, %sv[%i, %i] token = %t0 : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>, tile<i32> -> token
    %r = assume div_by<16>, %o : tile<ptr<f16>>
    %hv = make_tensor_view %r, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf16, strides=[64,1]>
    %hp = make_partition_view %hv : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64,1]>>
    %gv = make_tensor_view %r, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf16, strides=[16,1]>
    %gp = make_partition_view %gv : partition_view<tile=(64x16), tensor_view<64x16xf16, strides=[16,1]>>
    %h, %t2 = load_view_tko weak %hp[%i, %i] : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
    %g = permute %h [1, 0] : tile<16x64xf16> -> tile<64x16xf16>
    %t3 = store_view_tko weak %g, %gp[%i, %i] token = %t2 : tile<64x16xf16>, partition_view<tile=(64x16), tensor_view<64x16xf16, strides=[16,1]>>, tile<i32> -> token
    return
  }

  // The first dimension of the tile is the contiguous one of memory.
  // CHECK-LABEL: sym_name = "columns"
  // CHECK: tiled_load{{.*}}nv_tileas.vector = 4 : i64{{.*}}register = [64, 128, 16, 32], lane = [256, 512, 1024, 1, 2]
  // CHECK: convert_layout
  // CHECK: tiled_store{{.*}}nv_tileas.vector = 4 : i64
  // O1-LABEL: sym_name = "columns"
  // O1-NOT: vector
  // O1: tiled_store
  entry @columns(%p: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %r = assume div_by<16>, %o : tile<ptr<f32>>
    %tv = make_tensor_view %q, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %pv = make_partition_view %tv : partition_view<tile=(32x64), tensor_view<64x32xf32, strides=[32,1]>, dim_map=[1, 0]>
    %ov = make_tensor_view %r, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %sv = make_partition_view %ov : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %x, %t0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(32x64), tensor_view<64x32xf32, strides=[32,1]>, dim_map=[1, 0]>, tile<i32> -> tile<32x64xf32>, token
    %t1 = store_view_tko weak %x, %sv[%i, %i] token = %t0 : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // Rows change places, as runs of memory do: loaded as they are stored.
  // CHECK-LABEL: sym_name = "rows"
  // CHECK: tiled_load{{.*}}nv_tileas.vector = 4 : i64
  // CHECK-NOT: convert_layout
  // CHECK: tiled_store{{.*}}nv_tileas.vector = 4 : i64
  entry @rows(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
   %c0 = constant <i32: 0> : tile<i32>
   %p16 = assume div_by<16>, %p : tile<ptr<i32>>
   %q16 = assume div_by<16>, %q : tile<ptr<i32>>
   %tp = make_tensor_view %p16, shape = [8, 16, 32], strides = [512, 32, 1] : tensor_view<8x16x32xi32, strides=[512,32,1]>
   %vp = make_partition_view %tp : partition_view<tile=(8x16x32), tensor_view<8x16x32xi32, strides=[512,32,1]>>
   %tq = make_tensor_view %q16, shape = [16, 8, 32], strides = [256, 32, 1] : tensor_view<16x8x32xi32, strides=[256,32,1]>
   %vq = make_partition_view %tq : partition_view<tile=(16x8x32), tensor_view<16x8x32xi32, strides=[256,32,1]>>
   %x, %t = load_view_tko weak %vp[%c0, %c0, %c0] : partition_view<tile=(8x16x32), tensor_view<8x16x32xi32, strides=[512,32,1]>>, tile<i32> -> tile<8x16x32xi32>, token
   %y = permute %x [1, 0, 2] : tile<8x16x32xi32> -> tile<16x8x32xi32>
   %u = store_view_tko weak %y, %vq[%c0, %c0, %c0] : tile<16x8x32xi32>, partition_view<tile=(16x8x32), tensor_view<16x8x32xi32, strides=[256,32,1]>>, tile<i32> -> token
   return
  }

  // A bias of few elements comes as the tile that it is added to wants it, through the view and the wider type.
  // CHECK-LABEL: sym_name = "bias"
  // CHECK: tiled_load{{.*}}nv_tileas.vector = 8 : i64{{.*}}tensor<64xbf16, #nv_tileas.layout<shape = [64], register = [1, 2, 4], lane = [8, 16, 32, 0, 0], warp = [0, 0]>>
  // CHECK: tiled_load
  // CHECK: view{{.*}} -> tensor<1x64xf32, #nv_tileas.layout<shape = [1, 64], register = [1, 2, 4], lane = [8, 16, 32, 0, 0], warp = [0, 0]>>
  // CHECK: tiled_store
  entry @bias(%x_raw: tile<ptr<bf16>>, %b_raw: tile<ptr<bf16>>, %y_raw: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %xp = assume div_by<16>, %x_raw : tile<ptr<bf16>>
    %bp = assume div_by<16>, %b_raw : tile<ptr<bf16>>
    %yp = assume div_by<16>, %y_raw : tile<ptr<f32>>
    %xt = make_tensor_view %xp, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xbf16, strides=[64,1]>
    %xv = make_partition_view %xt : partition_view<tile=(32x64), tensor_view<32x64xbf16, strides=[64,1]>>
    %bt = make_tensor_view %bp, shape = [64], strides = [1] : tensor_view<64xbf16, strides=[1]>
    %bv = make_partition_view %bt : partition_view<tile=(64), tensor_view<64xbf16, strides=[1]>>
    %yt = make_tensor_view %yp, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %yv = make_partition_view %yt : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %b, %tb = load_view_tko weak %bv[%i] : partition_view<tile=(64), tensor_view<64xbf16, strides=[1]>>, tile<i32> -> tile<64xbf16>, token
    %x, %tx = load_view_tko weak %xv[%i, %i] : partition_view<tile=(32x64), tensor_view<32x64xbf16, strides=[64,1]>>, tile<i32> -> tile<32x64xbf16>, token
    %xf = ftof %x : tile<32x64xbf16> -> tile<32x64xf32>
    %bf = ftof %b : tile<64xbf16> -> tile<64xf32>
    %b2 = reshape %bf : tile<64xf32> -> tile<1x64xf32>
    %bb = broadcast %b2 : tile<1x64xf32> -> tile<32x64xf32>
    %y = addf %xf, %bb : tile<32x64xf32>
    %ty = store_view_tko weak %y, %yv[%i, %i] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // A line that a ring brings is read from its slot as the rows that it is multiplied with are held.
  // RING-LABEL: sym_name = "vector"
  // RING: scf.for
  // RING: nv_tileas.copy {{.*}} -> tensor<512xbf16, #nv_tileas.layout<shape = [512], register = [1, 2, 4, 256], lane = [8, 16, 32, 64, 128], warp = [0, 0]>>
  // RING-NOT: nv_tileas.convert_layout {{.*}}warp = [128, 256]
  // RING: scf.yield
  entry @vector(%pw: tile<ptr<bf16>>, %px: tile<ptr<bf16>>, %py: tile<ptr<f32>>, %n: tile<i32>) {
    %w = assume div_by<16>, %pw : tile<ptr<bf16>>
    %x = assume div_by<16>, %px : tile<ptr<bf16>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %vw = make_tensor_view %w, shape = [64, 8192], strides = [8192, 1] : tensor_view<64x8192xbf16, strides=[8192,1]>
    %vx = make_tensor_view %x, shape = [8192], strides = [1] : tensor_view<8192xbf16, strides=[1]>
    %vy = make_tensor_view %py, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %tw = make_partition_view %vw : partition_view<tile=(16x512), padding_value = zero, tensor_view<64x8192xbf16, strides=[8192,1]>>
    %tx = make_partition_view %vx : partition_view<tile=(512), padding_value = zero, tensor_view<8192xbf16, strides=[1]>>
    %ty = make_partition_view %vy : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>
    %tok = make_token : token
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <f32: 0.0> : tile<16x512xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<16x512xf32>) {
      %a, %t0 = load_view_tko weak %tw[%bx, %i] token = %tok : partition_view<tile=(16x512), padding_value = zero, tensor_view<64x8192xbf16, strides=[8192,1]>>, tile<i32> -> tile<16x512xbf16>, token
      %b, %t1 = load_view_tko weak %tx[%i] token = %tok : partition_view<tile=(512), padding_value = zero, tensor_view<8192xbf16, strides=[1]>>, tile<i32> -> tile<512xbf16>, token
      %af = ftof %a : tile<16x512xbf16> -> tile<16x512xf32>
      %bf = ftof %b : tile<512xbf16> -> tile<512xf32>
      %b1 = reshape %bf : tile<512xf32> -> tile<1x512xf32>
      %bb = broadcast %b1 : tile<1x512xf32> -> tile<16x512xf32>
      %next = fma %af, %bb, %s : tile<16x512xf32>
      continue %next : tile<16x512xf32>
    }
    %y = reduce %sum dim=1 identities=[0.0 : f32] : tile<16x512xf32> -> tile<16xf32> (%p: tile<f32>, %q: tile<f32>) {
      %r = addf %p, %q : tile<f32>
      yield %r : tile<f32>
    }
    %st = store_view_tko weak %y, %ty[%bx] token = %tok : tile<16xf32>, partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
