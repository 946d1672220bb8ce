// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map remarks stop-after=tileas-generate-schedule" 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map to=tileas" | FileCheck %s
// Two left operands of 32 KiB that no turn changes wait in shared memory beside the ring, which has a stage less for them:
// all products are in tensor memory.
// STAGES: remark: pipelined with 3 stages, 3 asynchronous loads
// CHECK-LABEL: sym_name = "two_lefts"
// CHECK: nv_tileas.tensor_memory.stage {{.*}} tensor<128x128xf16
// CHECK: nv_tileas.tensor_memory.stage {{.*}} tensor<128x128xf16
// CHECK: scf.for
// CHECK-NOT: atom = "m16n8k16
// CHECK: scf.yield
cuda_tile.module @m {
  entry @two_lefts(%pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %pq: tile<ptr<f16>>, %pd: tile<ptr<f16>>, %pl: tile<ptr<f32>>, %po: tile<ptr<f32>>, %rows: tile<i32>) optimization_hints=<default = {occupancy = 1}> {
    %k = assume div_by<16>, %pk : tile<ptr<f16>>
    %v = assume div_by<16>, %pv : tile<ptr<f16>>
    %q = assume div_by<16>, %pq : tile<ptr<f16>>
    %d = assume div_by<16>, %pd : tile<ptr<f16>>
    %o = assume div_by<16>, %po : tile<ptr<f32>>
    %l = assume div_by<16>, %pl : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %mk = make_tensor_view %k, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %mv = make_tensor_view %v, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %mq = make_tensor_view %q, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %md = make_tensor_view %d, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %mo = make_tensor_view %o, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf32, strides=[128,1]>
    %ml = make_tensor_view %l, shape = [1, 4096], strides = [4096, 1] : tensor_view<1x4096xf32, strides=[4096,1]>
    %wl = make_partition_view %ml : partition_view<tile=(1x64), padding_value = zero, tensor_view<1x4096xf32, strides=[4096,1]>>
    %wk = make_partition_view %mk : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %wv = make_partition_view %mv : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %wq = make_partition_view %mq : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %wd = make_partition_view %md : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %wo = make_partition_view %mo : partition_view<tile=(128x128), tensor_view<?x128xf32, strides=[128,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %tok = make_token : token
    %tk, %t0 = load_view_tko weak %wk[%bx, %c0] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
    %tv, %t1 = load_view_tko weak %wv[%bx, %c0] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
    %n = divi %rows, %c64 signed rounding<positive_inf> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %acc = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf32>) {
      %tq, %t2 = load_view_tko weak %wq[%i, %c0] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %td, %t3 = load_view_tko weak %wd[%i, %c0] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %tl, %t5 = load_view_tko weak %wl[%c0, %i] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<1x4096xf32, strides=[4096,1]>>, tile<i32> -> tile<1x64xf32>, token
      %lb = broadcast %tl : tile<1x64xf32> -> tile<128x64xf32>
      %qt = permute %tq [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
      %dt = permute %td [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
      %a = mmaf %tk, %qt, %none : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
      %b = mmaf %tv, %dt, %none : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
      %ab = mulf %a, %b : tile<128x64xf32>
      %al = subf %ab, %lb : tile<128x64xf32>
      %p = ftof %al : tile<128x64xf32> -> tile<128x64xf16>
      %next = mmaf %p, %tq, %s : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %t4 = store_view_tko weak %acc, %wo[%bx, %c0] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
