// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 plain remarks stop-after=tileas-generate-schedule" 2>%t.remarks | FileCheck %s --check-prefix=PLAN
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 plain stop-after=tileas-materialize-schedule" | FileCheck %s --check-prefix=PIPE
// Generating a schedule annotates; materialising rewrites. What cannot be loaded ahead stays.

cuda_tile.module @m {
  // The first load qualifies, the second has rows of unknown alignment.
  // REMARK: remark: not loaded asynchronously: copies of at least 4 bytes are not known to be aligned
  // REMARK: remark: pipelined with 4 stages, 1 asynchronous loads
  // PLAN-LABEL: sym_name = "gemm"
  // PLAN: scf.for
  // PLAN: tiled_load{{.*}}nv_tileas.schedule = #nv_tileas.schedule<stage = 0, order = 0, copy_vector = 8>
  // PLAN: tiled_load
  // PLAN-NOT: nv_tileas.schedule
  // PLAN: nv_tileas.dot{{.*}}nv_tileas.schedule = #nv_tileas.schedule<stage = 3>
  // PLAN: nv_tileas.num_stages = 4 : i32

  // Three stages are filled before the loop; in it the wait comes first, then the next copy, then the read.
  // PIPE-LABEL: sym_name = "gemm"
  // PIPE: nv_tileas.alloc_tensor 4 : tensor<32x32xf16, #nv_tileas.shared<
  // PIPE: async.pipeline.create_pipeline
  // PIPE-COUNT-3: async.pipeline.producer_commit
  // PIPE: scf.for
  // PIPE: async.pipeline.consumer_wait
  // PIPE: async.pipeline.producer_acquire
  // PIPE: async.pipeline.producer_write
  // PIPE: scf.if
  // PIPE: async.tiled_load
  // PIPE: async.pipeline.producer_commit
  // PIPE: async.pipeline.consumer_read
  // PIPE: nv_tileas.copy
  // PIPE: nv_tileas.dot
  // PIPE: async.pipeline.consumer_release
  entry @gemm(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %lda0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %lda = assume div_by<16>, %lda0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%lda, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %pb, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<32x32xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<32x32xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %d : tile<32x32xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // A load that its token orders after a store of the loop may not move ahead of it.
  // REMARK: remark: not loaded asynchronously: it is ordered after a write in the loop
  // PLAN-LABEL: sym_name = "ordered"
  // PLAN-NOT: nv_tileas.schedule
  // PLAN: nv_tileaa.return
  // PIPE-LABEL: sym_name = "ordered"
  // PIPE-NOT: async.pipeline
  // PIPE: nv_tileaa.return
  entry @ordered(%pa: tile<ptr<f16>>, %m: tile<i32>, %k: tile<i32>, %lda0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %lda = assume div_by<16>, %lda0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%lda, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<32x32xf32>
    %first = make_token : token
    %sum:2 = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init, %t = %first) -> (tile<32x32xf32>, token) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] token = %t : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %d = mmaf %ta, %ta, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      %h = ftof %d : tile<32x32xf32> -> tile<32x32xf16>
      %t1 = store_view_tko weak %h, %pva[%zero, %i] token = %t0 : tile<32x32xf16>, partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
      continue %d, %t1 : tile<32x32xf32>, token
    }
    return
  }
}
