// Two stages of 64 KiB do not fit into the 99 KiB of a small chip: tiles of 128 columns and rows become ones of 64, and
// the loop has twice the turns. What the loop computes of the operands is divided with them, the rows' bias is not there.
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_86 opt-level=3 from=cudatile to=tileas stop-after=tileas-plan-rows" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 opt-level=3 from=cudatile to=tileas stop-after=tileas-plan-rows" | FileCheck %s --check-prefix=WHOLE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_86 opt-level=3 remarks from=cudatile to=tileas stop-after=tileas-plan-rows" 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: tiles are divided into 2 along the sum: two stages of 65536 bytes do not fit into 98304
// REMARK: remark: tiles are not divided along the sum: a tile would be divided in two ways

// CHECK-LABEL: sym_name = "halves"
// CHECK: %[[TURNS:.*]] = arith.muli %{{.*}}, %c2_i32
// CHECK: scf.for %[[TURN:.*]] = %{{.*}} to %[[TURNS]]
// CHECK: nv_tileaa.tiled_load{{.*}}(%{{.*}}, %{{.*}}, %[[TURN]]
// CHECK-SAME: -> (tensor<128x64xf16>
// CHECK: nv_tileaa.tiled_load{{.*}}(%{{.*}}, %[[TURN]], %
// CHECK-SAME: -> (tensor<64x128xf16>
// CHECK: nv_tileaa.mulf{{.*}}tensor<64x128xf16>
// CHECK: nv_tileaa.dot
// CHECK-SAME: tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
// CHECK-LABEL: sym_name = "read_whole"
// CHECK: nv_tileaa.tiled_load
// CHECK-SAME: -> (tensor<128x128xf16>

// WHOLE-NOT: tensor<128x64xf16>
// WHOLE: nv_tileaa.dot
// WHOLE-NOT: tensor<128x64xf16>
cuda_tile.module @m {
  entry @halves(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %b16 = assume div_by<16>, %b : tile<ptr<f16>>
    %kp = assume bounded<0, ?>, %k : tile<i32>
    %k16 = assume div_by<16>, %kp : tile<i32>
    %av = make_tensor_view %a16, shape = [128, %k16], strides = [%k16, 1] : tile<i32> -> tensor_view<128x?xf16, strides=[?,1]>
    %bv = make_tensor_view %b16, shape = [%k16, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %cv = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ap = make_partition_view %av : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>
    %bp = make_partition_view %bv : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %cp = make_partition_view %cv : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %depth = constant <i32: 128> : tile<i32>
    %n = divi %k16, %depth signed rounding<positive_inf> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %none) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %ap[%zero, %i] : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
      %y, %t1 = load_view_tko weak %bp[%i, %zero] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
      %minus = constant <f16: -1.0> : tile<128x128xf16>
      %m = mulf %y, %minus : tile<128x128xf16>
      %next = mmaf %x, %m, %s : tile<128x128xf16>, tile<128x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %sum, %cp[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @read_whole(%a: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %kp = assume bounded<0, ?>, %k : tile<i32>
    %k16 = assume div_by<16>, %kp : tile<i32>
    %av = make_tensor_view %a16, shape = [128, %k16], strides = [%k16, 1] : tile<i32> -> tensor_view<128x?xf16, strides=[?,1]>
    %cv = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ap = make_partition_view %av : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>
    %cp = make_partition_view %cv : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %depth = constant <i32: 128> : tile<i32>
    %n = divi %k16, %depth signed rounding<positive_inf> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %none) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %ap[%zero, %i] : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
      %y, %t1 = load_view_tko weak %ap[%i, %zero] : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
      %yt = permute %y [1, 0] : tile<128x128xf16> -> tile<128x128xf16>
      %z = mulf %y, %yt : tile<128x128xf16>
      %next = mmaf %x, %z, %s : tile<128x128xf16>, tile<128x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %sum, %cp[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
