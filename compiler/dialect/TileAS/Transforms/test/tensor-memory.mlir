// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=tileas-refine-atom-by-resource" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_120 stop-after=tileas-refine-atom-by-resource" | FileCheck %s --check-prefix=NONE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// A product that the loop only carries accumulates in tensor memory; two products have columns of their own.
// NONE-NOT: tensor_memory
// NONE: sym_name = "few"
// NONE-NOT: tensor_memory

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "rows"
  // CHECK: nv_tileas.tensor_memory.store %{{.*}} {column = 0 : i32} : tensor<128x32xf32, #{{.*}}>
  // CHECK: scf.for
  // CHECK: async.pipeline.consumer_read
  // CHECK: nv_tileas.tensor_memory.dot{{.*}}atom = "tcgen05.f16"
  // CHECK-NOT: nv_tileas.dot
  // CHECK: nv_tileas.tensor_memory.load
  // CODE-LABEL: gpu.func @rows
  // CODE: "llvm.nvvm.tcgen05.alloc.shared.cg1"
  // CODE: "llvm.nvvm.tcgen05.relinq.alloc.permit.cg1"
  // CODE: "llvm.nvvm.tcgen05.st.32x32b.x32"
  // CODE: "llvm.nvvm.tcgen05.wait.st"
  // CODE: "llvm.nvvm.tcgen05.fence.before.thread.sync"
  // ptxas must not merge the branch of one thread with the loop's own condition.
  // CODE: scf.if {{.*}} -> (!llvm.struct<(i32, i1, i32)>)
  // CODE-NEXT: "llvm.nvvm.tcgen05.fence.after.thread.sync"
  // A turn is one of each stage.
  // CODE: scf.for unsigned
  // CODE-COUNT-4: "llvm.nvvm.tcgen05.mma.shared"
  // CODE: "llvm.nvvm.tcgen05.commit.shared.cg1"
  // CODE: scf.if
  // CODE-COUNT-4: "llvm.nvvm.tcgen05.mma.shared"
  // CODE: "llvm.nvvm.tcgen05.commit.shared.cg1"
  // CODE: "llvm.nvvm.tcgen05.ld.32x32b.x32"
  // CODE: "llvm.nvvm.tcgen05.wait.ld"
  // CODE: "llvm.nvvm.tcgen05.dealloc.cg1"
  entry @rows(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m0: tile<i32>, %n0: tile<i32>, %k: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %k0 = assume div_by<16>, %k : tile<i32>
    %n = assume div_by<16>, %n0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m0, %k0], strides = [%k0, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k0, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m0, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(128x32), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<128x32xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<128x32xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<128x64xf16>, tile<64x32xf16>, tile<128x32xf32>
      continue %d : tile<128x32xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Sixteen rows lie in each quarter of the lanes; registers are those of fragments.
  // CHECK-LABEL: sym_name = "half"
  // CHECK: nv_tileas.tensor_memory.dot
  // CODE-LABEL: gpu.func @half
  // CODE: "llvm.nvvm.tcgen05.ld.16x256b.x4"
  entry @half(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m0: tile<i32>, %n0: tile<i32>, %k: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %k0 = assume div_by<16>, %k : tile<i32>
    %n = assume div_by<16>, %n0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m0, %k0], strides = [%k0, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k0, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m0, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(64x32), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<64x32xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<64x32xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<64x32xf16>, tile<32x32xf16>, tile<64x32xf32>
      continue %d : tile<64x32xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // The loop changes the sum behind the product: it is put there for each product, and loaded at once.
  // CHECK-LABEL: sym_name = "changed"
  // CHECK: nv_tileas.tensor_memory.store
  // CHECK: scf.for
  // CHECK: nv_tileas.tensor_memory.update
  // CHECK: nv_tileas.tensor_memory.dot{{.*}}atom = "tcgen05.f16"
  // CHECK: nv_tileas.tensor_memory.load
  entry @changed(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m0: tile<i32>, %n0: tile<i32>, %k: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %k0 = assume div_by<16>, %k : tile<i32>
    %n = assume div_by<16>, %n0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m0, %k0], strides = [%k0, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k0, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m0, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(128x32), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<128x32xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<128x32xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<128x64xf16>, tile<64x32xf16>, tile<128x32xf32>
      %e = negf %d : tile<128x32xf32>
      continue %e : tile<128x32xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Too few rows for the tensor core.
  // CHECK-LABEL: sym_name = "few"
  // CHECK-NOT: tensor_memory
  // CHECK: nv_tileas.dot{{.*}}atom = "m16n8k16.f16"
  entry @few(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m0: tile<i32>, %n0: tile<i32>, %k: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %k0 = assume div_by<16>, %k : tile<i32>
    %n = assume div_by<16>, %n0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m0, %k0], strides = [%k0, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k0, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m0, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<32x32xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<32x32xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<32x64xf16>, tile<64x32xf16>, tile<32x32xf32>
      continue %d : tile<32x32xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
