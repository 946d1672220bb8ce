// A turn loads the left operand of the next one's product and hands it on: the end of the loop, which has no results, is a user of it.
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 opt-level=3 from=cudatile to=tileas stop-after=tileas-materialize-schedule" | FileCheck %s

// CHECK-LABEL: sym_name = "carried_operand"
// CHECK: nv_tileas.async.pipeline.create_pipeline
// CHECK: nv_tileas.dot
cuda_tile.module @m {
  entry @carried_operand(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %o: tile<ptr<f32>>, %h: tile<i32>) {
    %p1 = assume div_by<16>, %a : tile<ptr<f16>>
    %p2 = assume div_by<16>, %b : tile<ptr<f16>>
    %p3 = assume div_by<16>, %o : tile<ptr<f32>>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %tv6 = make_tensor_view %p1, shape = [64, 192], strides = [192, 1] : tensor_view<64x192xf16, strides=[192,1]>
    %pv7 = make_partition_view %tv6 : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x192xf16, strides=[192,1]>>
    %tv8 = make_tensor_view %p2, shape = [192, 64], strides = [64, 1] : tensor_view<192x64xf16, strides=[64,1]>
    %pv9 = make_partition_view %tv8 : partition_view<tile=(64x64), padding_value = zero, tensor_view<192x64xf16, strides=[64,1]>>
    %v10 = subi %h, %v5  : tile<i32>
    %v11 = constant <f32: 0.0> : tile<64x64xf32>
    %v12, %t13 = load_view_tko weak %pv7[%v4, %v4] : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x192xf16, strides=[192,1]>>, tile<i32> -> tile<64x64xf16>, token
    %f17:2 = for %i14 in (%v4 to %h, step %v5) : tile<i32> iter_values(%c15 = %v11, %c16 = %v12) -> (tile<64x64xf32>, tile<64x64xf16>) {
      %v18 = addi %i14, %v5  : tile<i32>
      %v19 = mini %v18, %v10 signed : tile<i32>
      %v20, %t21 = load_view_tko weak %pv9[%i14, %v4] : partition_view<tile=(64x64), padding_value = zero, tensor_view<192x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %v22 = mmaf %c16, %v20, %c15  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %v23, %t24 = load_view_tko weak %pv7[%v4, %v19] : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x192xf16, strides=[192,1]>>, tile<i32> -> tile<64x64xf16>, token
      continue %v22, %v23 : tile<64x64xf32>, tile<64x64xf16>
    }
    %tv25 = make_tensor_view %p3, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv26 = make_partition_view %tv25 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %t27 = store_view_tko weak %f17#0, %pv26[%v4, %v4] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
