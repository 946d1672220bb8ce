// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=tileas-generate-schedule" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 auto host-maps remarks stop-after=tileas-generate-schedule" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %corpus/perf/kinds/gemm_rows_stream_bf16.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps stop-after=tileas-refine-atom-by-resource" | FileCheck %s --check-prefix=STREAM
// A loop whose step is a value counts its turns, so that it becomes a pipeline.
// STREAM: arith.divui
// STREAM: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32
// STREAM: nv_tileas.tensor_memory.dot
// From below zero there may be more than a signed number holds: they are counted as unsigned numbers.
// CHECK-LABEL: sym_name = "from_anywhere"
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[LO:.*]], %[[HI:.*]] : i32
// CHECK: %[[SPAN:.*]] = arith.subi %[[HI]], %[[LO]] : i32
// CHECK: %[[BY:.*]] = arith.maxui %[[STEP:.*]], %{{.*}} : i32
// CHECK: %[[LAST:.*]] = arith.subi %[[SPAN]], %[[ONE:.*]] : i32
// CHECK: %[[MORE:.*]] = arith.divui %[[LAST]], %[[BY]] : i32
// CHECK: %[[TURNS:.*]] = arith.addi %[[MORE]], %[[ONE]] : i32
// CHECK: %[[COUNT:.*]] = arith.select %[[RUNS]], %[[TURNS]], %{{.*}} : i32
// CHECK: scf.for unsigned %[[TURN:[^ ]*]] = %{{.*}} to %[[COUNT]] step %[[ONE]]
// CHECK: %[[PAST:.*]] = arith.muli %[[TURN]], %[[STEP]] : i32
// CHECK: arith.addi %[[LO]], %[[PAST]] : i32
// CHECK: nv_tileas.num_stages
// From a block's own number on they are signed, and the number of a tile keeps its bound.
// CHECK-LABEL: sym_name = "from_block"
// CHECK: scf.for %[[TURN:[^ ]*]] = %{{.*}} to %{{.*}} step %{{.*}} -> (tensor<
// CHECK: %[[PAST:.*]] = arith.muli %[[TURN]], %{{.*}} : i32
// CHECK: arith.addi %{{.*}}, %[[PAST]] {nv_tileaa.facts = [{lower = 0 : i64}]} : i32
// CHECK-LABEL: sym_name = "from_unsigned"
// CHECK: arith.cmpi ult
// CHECK: scf.for unsigned
// CHECK: arith.muli
// Numbers of 16 bits are left alone: their pipeline would count past their end.
// REMARK: not pipelined: the induction variable is narrow
// CHECK-LABEL: sym_name = "narrow"
// CHECK-NOT: arith.divui
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i16
cuda_tile.module @m {
  entry @from_anywhere(%pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>, %po: tile<ptr<f32>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<bf16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<bf16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %tok = make_token : token
    %b, %b1, %b2 = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xbf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xbf16, strides=[64,1]>
    %vo = make_tensor_view %o0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<4096x64xbf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x64xbf16, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %r = for %i in (%lo to %hi, step %by) : tile<i32> iter_values(%sum = %none) -> (tile<128x64xf32>) {
      %a, %t0 = load_view_tko weak %ta[%i, %zero] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<4096x64xbf16, strides=[64,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %w, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %s = mmaf %a, %w, %sum : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %s : tile<128x64xf32>
    }
    %t3 = store_view_tko weak %r, %to[%zero, %zero] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @from_block(%pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>, %po: tile<ptr<f32>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<bf16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<bf16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %tok = make_token : token
    %b, %b1, %b2 = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xbf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xbf16, strides=[64,1]>
    %vo = make_tensor_view %o0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<4096x64xbf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x64xbf16, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %r = for %i in (%b to %hi, step %by) : tile<i32> iter_values(%sum = %none) -> (tile<128x64xf32>) {
      %a, %t0 = load_view_tko weak %ta[%i, %zero] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<4096x64xbf16, strides=[64,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %w, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %s = mmaf %a, %w, %sum : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %s : tile<128x64xf32>
    }
    %t3 = store_view_tko weak %r, %to[%zero, %zero] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @from_unsigned(%pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>, %po: tile<ptr<f32>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<bf16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<bf16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %tok = make_token : token
    %b, %b1, %b2 = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xbf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xbf16, strides=[64,1]>
    %vo = make_tensor_view %o0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<4096x64xbf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x64xbf16, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %r = for unsigned %i in (%lo to %hi, step %by) : tile<i32> iter_values(%sum = %none) -> (tile<128x64xf32>) {
      %a, %t0 = load_view_tko weak %ta[%i, %zero] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<4096x64xbf16, strides=[64,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %w, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %s = mmaf %a, %w, %sum : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %s : tile<128x64xf32>
    }
    %t3 = store_view_tko weak %r, %to[%zero, %zero] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @narrow(%pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>, %po: tile<ptr<f32>>, %lo: tile<i16>, %hi: tile<i16>, %by: tile<i16>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<bf16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<bf16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %tok = make_token : token
    %b, %b1, %b2 = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xbf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xbf16, strides=[64,1]>
    %vo = make_tensor_view %o0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<4096x64xbf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x64xbf16, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %r = for %i in (%lo to %hi, step %by) : tile<i16> iter_values(%sum = %none) -> (tile<128x64xf32>) {
      %n = exti %i unsigned : tile<i16> -> tile<i32>
      %a, %t0 = load_view_tko weak %ta[%n, %zero] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<4096x64xbf16, strides=[64,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %w, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %s = mmaf %a, %w, %sum : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %s : tile<128x64xf32>
    }
    %t3 = store_view_tko weak %r, %to[%zero, %zero] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
