// Loops whose tiles stay whole although two stages of them do not fit, and numbers that a turn reads ahead: each of these
// once crashed, or counted too far.
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_86 opt-level=3 remarks to=gpu" 2>&1 | FileCheck %s

// The loop makes the view, and it may begin where twice its number is too large for the type.
// CHECK-DAG: remark: tiles are not divided along the sum: a load is ordered, or the loop makes its view
// CHECK-DAG: remark: tiles are not divided along the sum: its bounds are not known to be small enough
// A number loaded through a pointer is no tile; a number whose load stands behind another load of the turn is read without its token.
// CHECK-LABEL: gpu.func @view_of_the_turn
// CHECK-LABEL: gpu.func @begins_far
// CHECK-NOT: -2147483648
// CHECK-LABEL: gpu.func @number_through_pointer
// CHECK: nvgpu.device_async_copy
// CHECK-LABEL: gpu.func @number_behind_load
// CHECK: nvgpu.device_async_copy
cuda_tile.module @m {
  entry @view_of_the_turn(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %b16 = assume div_by<16>, %b : tile<ptr<f16>>
    %kp = assume bounded<0, ?>, %k : tile<i32>
    %k16 = assume div_by<16>, %kp : tile<i32>
    %av = make_tensor_view %a16, shape = [128, %k16], strides = [%k16, 1] : tile<i32> -> tensor_view<128x?xf16, strides=[?,1]>
    %cv = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ap = make_partition_view %av : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>
    %cp = make_partition_view %cv : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %depth = constant <i32: 128> : tile<i32>
    %many = constant <i32: 16384> : tile<i32>
    %n = divi %k16, %depth signed rounding<positive_inf> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %none) -> (tile<128x128xf32>) {
      %off = muli %i, %many : tile<i32>
      %bo = offset %b16, %off : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
      %bv = make_tensor_view %bo, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf16, strides=[128,1]>
      %bp = make_partition_view %bv : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf16, strides=[128,1]>>
      %x, %t0 = load_view_tko weak %ap[%zero, %i] : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
      %y, %t1 = load_view_tko weak %bp[%zero, %zero] : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
      %next = mmaf %x, %y, %s : tile<128x128xf16>, tile<128x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %sum, %cp[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @begins_far(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>, %lo: tile<i32>) {
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %b16 = assume div_by<16>, %b : tile<ptr<f16>>
    %kp = assume bounded<0, ?>, %k : tile<i32>
    %k16 = assume div_by<16>, %kp : tile<i32>
    %av = make_tensor_view %a16, shape = [128, %k16], strides = [%k16, 1] : tile<i32> -> tensor_view<128x?xf16, strides=[?,1]>
    %cv = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ap = make_partition_view %av : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>
    %bv = make_tensor_view %b16, shape = [%k16, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %bp = make_partition_view %bv : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %cp = make_partition_view %cv : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %lop = assume bounded<0, ?>, %lo : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %big = constant <i32: 1073741824> : tile<i32>
    %depth = constant <i32: 128> : tile<i32>
    %many = constant <i32: 16384> : tile<i32>
    %n = divi %k16, %depth signed rounding<positive_inf> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %i in (%big to %n, step %one) : tile<i32> iter_values(%s = %none) -> (tile<128x128xf32>) {




      %x, %t0 = load_view_tko weak %ap[%zero, %i] : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
      %y, %t1 = load_view_tko weak %bp[%i, %zero] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
      %next = mmaf %x, %y, %s : tile<128x128xf16>, tile<128x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %sum, %cp[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @number_through_pointer(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f32>>, %arg2: tile<ptr<i32>>, %arg3: tile<i32>) {
    %assume = assume div_by<16>, %arg0 : tile<ptr<f16>>
    %tview = make_tensor_view %assume, shape = [256, 32], strides = [32, 1] : tensor_view<256x32xf16, strides=[32,1]>
    %tview_0 = make_tensor_view %arg1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %pview = make_partition_view %tview : partition_view<tile=(16x16), padding_value = zero, tensor_view<256x32xf16, strides=[32,1]>>
    %pview_1 = make_partition_view %tview_0 : partition_view<tile=(16x16), tensor_view<64x32xf32, strides=[32,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<16x16xf32>
    %0 = make_token : token
    %for = for %loopIdx in (%cst_0_i32 to %arg3, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f32) -> (tile<16x16xf32>) {
      %2 = offset %arg2, %loopIdx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %result, %result_token = load_ptr_tko weak %2 token=%0 : tile<ptr<i32>> -> tile<i32>, token
      %cst_1_f16 = constant <f16: 1.000000e+00> : tile<16x16xf16>
      %tile, %result_token_2 = load_view_tko weak %pview[%result, %cst_0_i32] : partition_view<tile=(16x16), padding_value = zero, tensor_view<256x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x16xf16>, token
      %3 = mmaf %cst_1_f16, %tile, %iterArg0 : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
      continue %3 : tile<16x16xf32>
    }
    %1 = store_view_tko weak %for, %pview_1[%cst_0_i32, %cst_0_i32] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<64x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
  entry @number_behind_load(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f32>>, %arg2: tile<ptr<i32>>, %arg3: tile<i32>) {
    %assume = assume div_by<16>, %arg0 : tile<ptr<f16>>
    %tview = make_tensor_view %assume, shape = [256, 32], strides = [32, 1] : tensor_view<256x32xf16, strides=[32,1]>
    %tview_0 = make_tensor_view %arg1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %pview = make_partition_view %tview : partition_view<tile=(16x16), padding_value = zero, tensor_view<256x32xf16, strides=[32,1]>>
    %pview_1 = make_partition_view %tview_0 : partition_view<tile=(16x16), tensor_view<64x32xf32, strides=[32,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<16x16xf32>
    %0 = make_token : token
    %for:2 = for %loopIdx in (%cst_0_i32 to %arg3, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f32, %cnt = %cst_0_i32) -> (tile<16x16xf32>, tile<i32>) {
      %2 = offset %arg2, %loopIdx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %first, %ftok = load_view_tko weak %pview[%loopIdx, %cst_0_i32] token=%0 : partition_view<tile=(16x16), padding_value = zero, tensor_view<256x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x16xf16>, token
      %result, %result_token = load_ptr_tko weak %2 token=%ftok : tile<ptr<i32>> -> tile<i32>, token
      %cst_1_f16 = constant <f16: 1.000000e+00> : tile<16x16xf16>
      %tile, %result_token_2 = load_view_tko weak %pview[%result, %cst_0_i32] : partition_view<tile=(16x16), padding_value = zero, tensor_view<256x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x16xf16>, token
      %3 = mmaf %first, %tile, %iterArg0 : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
      %cnt2 = xori %cnt, %result : tile<i32>
      continue %3, %cnt2 : tile<16x16xf32>, tile<i32>
    }
    %1 = store_view_tko weak %for#0, %pview_1[%cst_0_i32, %cst_0_i32] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<64x32xf32, strides=[32,1]>>, tile<i32> -> token
    %st = store_ptr_tko weak %arg2, %for#1 token=%0 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
