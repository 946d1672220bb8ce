// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_100 --cse --tileas-plan-rows="num-warps=4 choose-warps remarks" --cse 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_100 --tileas-plan-rows="num-warps=4 remarks" 2>&1 | FileCheck %s --check-prefix=GIVEN --implicit-check-not=extract_slice --implicit-check-not=remark
// RUN: sed 's/occupancy = 1/occupancy = 2/' %s | tile-opt --convert-cudatile-to-tileaa=compute-capability=sm_100 --tileas-plan-rows="num-warps=4 choose-warps remarks" 2>&1 | FileCheck %s --check-prefix=GIVEN --implicit-check-not=extract_slice --implicit-check-not=remark
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map to=tileas" | FileCheck %s --check-prefix=TILEAS
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map stop-after=convert-tileas-to-nvgpu" >%t.code
// RUN: FileCheck %s --check-prefix=STORES < %t.code
// RUN: FileCheck %s --check-prefix=LOADS < %t.code
// Sums of 256 columns behind a loop of chained products: four warps, each of whose threads has a row, store 64 columns at a time.
// Not where the warps are given, or where two blocks share the columns of tensor memory.

// Loops hand on all columns; slices come behind the second one, each with what is computed from it and its store.
// REMARK: remark: sums are stored 64 columns at a time
// GIVEN: "nv_tileaa.tiled_store"{{.*}}tensor<128x256xf32>
// CHECK-LABEL: sym_name = "attention"
// CHECK: %[[FIRST:.*]]:2 = scf.for {{.*}} -> (tensor<128x1xf32>, tensor<128x256xf32>)
// CHECK: %[[LAST:.*]]:2 = scf.for {{.*}} = %[[FIRST]]#1) -> (tensor<128x1xf32>, tensor<128x256xf32>)
// CHECK: %[[S0:.*]] = "nv_tileaa.extract_slice"(%[[LAST]]#1, %{{.*}}) : (tensor<128x256xf32>, i32, i32) -> tensor<128x64xf32>
// CHECK: %[[R0:.*]] = "nv_tileaa.addf"(%[[S0]]
// CHECK: "nv_tileaa.tiled_store"(%{{.*}}, %[[R0]],
// CHECK: %[[S1:.*]] = "nv_tileaa.extract_slice"(%[[LAST]]#1,
// CHECK: %[[R1:.*]] = "nv_tileaa.addf"(%[[S1]]
// CHECK: "nv_tileaa.tiled_store"(%{{.*}}, %[[R1]],
// CHECK: "nv_tileaa.tiled_store"
// CHECK: "nv_tileaa.tiled_store"
// CHECK-NOT: tiled_store

// No thread holds a row of sums: they stay where they lie from loop to loop, and a slice is loaded alone.
// TILEAS-LABEL: sym_name = "attention"
// TILEAS: %[[OF_FIRST:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = [[AT:[0-9]+]] : i32{{.*}}} : tensor<128x256xf32
// TILEAS: nv_tileas.tensor_memory.scale %[[OF_FIRST]] by %{{.*}} : tensor<128x1xf32
// TILEAS: %[[HANDED:.*]] = nv_tileas.tensor_memory.load %[[OF_FIRST]] : tensor<128x256xf32
// TILEAS: %[[O:.*]] = nv_tileas.tensor_memory.store %[[HANDED]] {column = [[AT]] : i32{{.*}}} : tensor<128x256xf32
// TILEAS: nv_tileas.tensor_memory.scale %[[O]] by %{{.*}} : tensor<128x1xf32
// TILEAS: nv_tileas.tensor_memory.load %[[O]] : tensor<128x64xf32
// TILEAS: tiled_store
// TILEAS: nv_tileas.tensor_memory.load %[[O]] {first = 64 : i32} : tensor<128x64xf32
// TILEAS: tiled_store
// TILEAS: nv_tileas.tensor_memory.load %[[O]] {first = 128 : i32} : tensor<128x64xf32
// TILEAS: tiled_store
// TILEAS: nv_tileas.tensor_memory.load %[[O]] {first = 192 : i32} : tensor<128x64xf32
// TILEAS: tiled_store

// Words of 64 columns that move: four times zeros, four in each loop where factors differ from one, four results. Nothing between
// the loops.
// STORES-LABEL: gpu.func @attention
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES: "llvm.nvvm.tcgen05.st.32x32b.x64"
// STORES-NOT: "llvm.nvvm.tcgen05.st.32x32b.x64"
// LOADS-LABEL: gpu.func @attention
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS: "llvm.nvvm.tcgen05.ld.32x32b.x64"
// LOADS-NOT: "llvm.nvvm.tcgen05.ld.32x32b.x64"
cuda_tile.module @m {
  entry @attention(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %po: tile<ptr<f32>>, %rows: tile<i32>, %keys: tile<i32>, %more: tile<i32>) optimization_hints=<default = {occupancy = 1}> {
    %q = assume div_by<16>, %pq : tile<ptr<f16>>
    %k = assume div_by<16>, %pk : tile<ptr<f16>>
    %v = assume div_by<16>, %pv : tile<ptr<f16>>
    %o = assume div_by<16>, %po : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c32 = constant <i32: 32> : tile<i32>
    %vq = make_tensor_view %q, shape = [%rows, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf16, strides=[32,1]>
    %vk = make_tensor_view %k, shape = [%keys, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf16, strides=[32,1]>
    %vv = make_tensor_view %v, shape = [%keys, 256], strides = [256, 1] : tile<i32> -> tensor_view<?x256xf16, strides=[256,1]>
    %vo = make_tensor_view %o, shape = [%rows, 256], strides = [256, 1] : tile<i32> -> tensor_view<?x256xf32, strides=[256,1]>
    %wq = make_partition_view %vq : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wk = make_partition_view %vk : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wv = make_partition_view %vv : partition_view<tile=(32x256), padding_value = zero, tensor_view<?x256xf16, strides=[256,1]>>
    %wo = make_partition_view %vo : partition_view<tile=(128x256), tensor_view<?x256xf32, strides=[256,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %tok = make_token : token
    %tq, %t0 = load_view_tko weak %wq[%bx, %c0] token = %tok : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<128x32xf16>, token
    %n = divi %keys, %c32 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x32xf32>
    %none = constant <f32: 0.0> : tile<128x256xf32>
    %start = constant <f32: -8.0> : tile<128x1xf32>
    %top0, %acc0 = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%m = %start, %s = %none) -> (tile<128x1xf32>, tile<128x256xf32>) {
      %tk, %t1 = load_view_tko weak %wk[%i, %c0] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %tv, %t2 = load_view_tko weak %wv[%i, %c0] token = %tok : partition_view<tile=(32x256), padding_value = zero, tensor_view<?x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x256xf16>, token
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
      %dm = subf %m, %nm : tile<128x1xf32>
      %al = exp2 %dm : tile<128x1xf32>
      %ab = broadcast %al : tile<128x1xf32> -> tile<128x256xf32>
      %so = mulf %s, %ab : tile<128x256xf32>
      %no = mmaf %p, %tv, %so : tile<128x32xf16>, tile<32x256xf16>, tile<128x256xf32>
      continue %nm, %no : tile<128x1xf32>, tile<128x256xf32>
    }
    %top, %acc = for %i in (%n to %more, step %c1) : tile<i32> iter_values(%m = %top0, %s = %acc0) -> (tile<128x1xf32>, tile<128x256xf32>) {
      %tk, %t1 = load_view_tko weak %wk[%i, %c0] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %tv, %t2 = load_view_tko weak %wv[%i, %c0] token = %tok : partition_view<tile=(32x256), padding_value = zero, tensor_view<?x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x256xf16>, token
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
      %dm = subf %m, %nm : tile<128x1xf32>
      %al = exp2 %dm : tile<128x1xf32>
      %ab = broadcast %al : tile<128x1xf32> -> tile<128x256xf32>
      %so = mulf %s, %ab : tile<128x256xf32>
      %no = mmaf %p, %tv, %so : tile<128x32xf16>, tile<32x256xf16>, tile<128x256xf32>
      continue %nm, %no : tile<128x1xf32>, tile<128x256xf32>
    }
    %tb = broadcast %top : tile<128x1xf32> -> tile<128x256xf32>
    %res = addf %acc, %tb : tile<128x256xf32>
    %st = store_view_tko weak %res, %wo[%bx, %c0] token = %tok : tile<128x256xf32>, partition_view<tile=(128x256), tensor_view<?x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }
}
