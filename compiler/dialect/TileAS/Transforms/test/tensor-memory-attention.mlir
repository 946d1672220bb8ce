// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// Both products of attention are in tensor memory. The left operand of the first one is staged once, that of the
// second one lies over the sums of the first; what is carried is loaded, scaled and put back.
// CHECK-LABEL: sym_name = "attention"
// CHECK: %[[Q:.*]] = nv_tileas.tensor_memory.stage
// CHECK: %[[S:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = 0 : i32} : tensor<128x32xf32
// CHECK: %[[O:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = 32 : i32} : tensor<128x32xf32
// CHECK: %[[P:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = 0 : i32} : tensor<128x32xf16
// CHECK: scf.for
// CHECK: "nv_tileas.tensor_memory.dot"(%[[Q]], %{{.*}}, %[[S]]) <{atom = "tcgen05.f16", {{.*}}overwrites
// CHECK: nv_tileas.tensor_memory.load %[[S]]
// CHECK: nv_tileas.tensor_memory.update %{{.*}} into %[[P]]
// CHECK: nv_tileas.tensor_memory.load %[[O]]
// CHECK: nv_tileas.tensor_memory.update %{{.*}} into %[[O]]
// CHECK: "nv_tileas.tensor_memory.dot"(%[[P]], %{{.*}}, %[[O]]) <{atom = "tcgen05.f16", {{.*}}scale_column = 0 : i32, signed_lhs
// CHECK: nv_tileas.tensor_memory.load %[[O]]
// One meeting in a turn, in front of the second product.
// CODE-LABEL: gpu.func @attention
// CODE: scf.for
// CODE-COUNT-2: "llvm.nvvm.tcgen05.mma.shared"
// CODE-NOT: gpu.barrier
// CODE: "llvm.nvvm.tcgen05.ld.32x32b.x32"
// CODE: "llvm.nvvm.tcgen05.st.32x32b.x16"
// CODE: "llvm.nvvm.tcgen05.ld.32x32b.x32"
// CODE: "llvm.nvvm.tcgen05.st.32x32b.x32"
// CODE: gpu.barrier
// CODE-COUNT-2: "llvm.nvvm.tcgen05.mma.tensor"
cuda_tile.module @m {
  entry @attention(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %po: tile<ptr<f32>>, %rows: tile<i32>, %keys: tile<i32>) {
    %q = assume div_by<16>, %pq : tile<ptr<f16>>
    %k = assume div_by<16>, %pk : tile<ptr<f16>>
    %v = assume div_by<16>, %pv : tile<ptr<f16>>
    %o = assume div_by<16>, %po : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c32 = constant <i32: 32> : tile<i32>
    %vq = make_tensor_view %q, shape = [%rows, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf16, strides=[32,1]>
    %vk = make_tensor_view %k, shape = [%keys, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf16, strides=[32,1]>
    %vv = make_tensor_view %v, shape = [%keys, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf16, strides=[32,1]>
    %vo = make_tensor_view %o, shape = [%rows, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf32, strides=[32,1]>
    %wq = make_partition_view %vq : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wk = make_partition_view %vk : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wv = make_partition_view %vv : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wo = make_partition_view %vo : partition_view<tile=(128x32), tensor_view<?x32xf32, strides=[32,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %tok = make_token : token
    %tq, %t0 = load_view_tko weak %wq[%bx, %c0] token = %tok : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<128x32xf16>, token
    %n = divi %keys, %c32 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x32xf32>
    %half = constant <f32: 0.5> : tile<128x1xf32>
    %start = constant <f32: -8.0> : tile<128x1xf32>
    %top, %acc = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%m = %start, %s = %zero) -> (tile<128x1xf32>, tile<128x32xf32>) {
      %tk, %t1 = load_view_tko weak %wk[%i, %c0] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %tv, %t2 = load_view_tko weak %wv[%i, %c0] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %kt = permute %tk [1, 0] : tile<32x32xf16> -> tile<32x32xf16>
      %sc = mmaf %tq, %kt, %zero : tile<128x32xf16>, tile<32x32xf16>, tile<128x32xf32>
      %r = reduce %sc dim=1 identities=[0xFF800000 : f32] : tile<128x32xf32> -> tile<128xf32> (%x: tile<f32>, %y: tile<f32>) {
        %z = maxf %x, %y : tile<f32>
        yield %z : tile<f32>
      }
      %r1 = reshape %r : tile<128xf32> -> tile<128x1xf32>
      %nm = maxf %m, %r1 : tile<128x1xf32>
      %mb = broadcast %nm : tile<128x1xf32> -> tile<128x32xf32>
      %d = subf %sc, %mb : tile<128x32xf32>
      %p = ftof %d : tile<128x32xf32> -> tile<128x32xf16>
      %ab = broadcast %half : tile<128x1xf32> -> tile<128x32xf32>
      %so = mulf %s, %ab : tile<128x32xf32>
      %no = mmaf %p, %tv, %so : tile<128x32xf16>, tile<32x32xf16>, tile<128x32xf32>
      continue %nm, %no : tile<128x1xf32>, tile<128x32xf32>
    }
    %tb = broadcast %top : tile<128x1xf32> -> tile<128x32xf32>
    %res = addf %acc, %tb : tile<128x32xf32>
    %st = store_view_tko weak %res, %wo[%bx, %c0] token = %tok : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<?x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
