// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=gpu-remove-barriers" | FileCheck %s --check-prefix=CODE
// Weights of 64 rows are staged as threads hold them, two neighbours at once: nothing is exchanged, and nobody meets in a turn.
// CHECK-LABEL: sym_name = "rows_of_64"
// CHECK: scf.for
// CHECK: nv_tileas.tensor_memory.load
// CHECK-NOT: nv_tileas.convert_layout {{.*}} tensor<64x64xf16
// CHECK: nv_tileas.tensor_memory.stage {{.*}} tensor<64x64xf16, #nv_tileas.layout<shape = [64, 64], register = [1, 512, 8, 16, 32]
// CHECK: scf.yield
// CODE-LABEL: gpu.func @rows_of_64
// CODE: nvgpu.mbarrier.arrive
// CODE: scf.for
// CODE: "llvm.nvvm.tcgen05.ld.16x256b.x8"
// CODE-NOT: nvvm.barrier
// CODE: nvvm.vote.sync any
// CODE-NOT: nvvm.barrier
// CODE: nvgpu.mbarrier.arrive
cuda_tile.module @m {
  entry @rows_of_64(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %po: tile<ptr<f32>>, %rows: tile<i32>, %keys: tile<i32>) optimization_hints=<default = {occupancy = 1}> {
    %q = assume div_by<16>, %pq : tile<ptr<f16>>
    %k = assume div_by<16>, %pk : tile<ptr<f16>>
    %v = assume div_by<16>, %pv : tile<ptr<f16>>
    %o = assume div_by<16>, %po : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %vq = make_tensor_view %q, shape = [%rows, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %vk = make_tensor_view %k, shape = [%keys, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %vv = make_tensor_view %v, shape = [%keys, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %vo = make_tensor_view %o, shape = [%rows, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %wq = make_partition_view %vq : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %wk = make_partition_view %vk : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %wv = make_partition_view %vv : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %wo = make_partition_view %vo : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %tok = make_token : token
    %tq, %t0 = load_view_tko weak %wq[%bx, %c0] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %n = divi %keys, %c64 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %start = constant <f32: -8.0> : tile<64x1xf32>
    %top, %acc = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%m = %start, %s = %zero) -> (tile<64x1xf32>, tile<64x64xf32>) {
      %tk, %t1 = load_view_tko weak %wk[%i, %c0] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %tv, %t2 = load_view_tko weak %wv[%i, %c0] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %kt = permute %tk [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %sc = mmaf %tq, %kt, %zero : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %r = reduce %sc dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32> (%x: tile<f32>, %y: tile<f32>) {
        %z = maxf %x, %y : tile<f32>
        yield %z : tile<f32>
      }
      %r1 = reshape %r : tile<64xf32> -> tile<64x1xf32>
      %nm = maxf %m, %r1 : tile<64x1xf32>
      %mb = broadcast %nm : tile<64x1xf32> -> tile<64x64xf32>
      %d = subf %sc, %mb : tile<64x64xf32>
      %p = ftof %d : tile<64x64xf32> -> tile<64x64xf16>
      %al = subf %m, %nm : tile<64x1xf32>
      %ab = broadcast %al : tile<64x1xf32> -> tile<64x64xf32>
      %so = mulf %s, %ab : tile<64x64xf32>
      %no = mmaf %p, %tv, %so : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %nm, %no : tile<64x1xf32>, tile<64x64xf32>
    }
    %tb = broadcast %top : tile<64x1xf32> -> tile<64x64xf32>
    %res = addf %acc, %tb : tile<64x64xf32>
    %st = store_view_tko weak %res, %wo[%bx, %c0] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
