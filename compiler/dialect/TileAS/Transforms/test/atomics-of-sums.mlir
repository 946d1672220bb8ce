// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 auto stop-after=tileas-insert-barriers" | FileCheck %s
// RUN: tile-opt %corpus/perf/kinds/parts_of_k_f16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=tileas-insert-barriers" | FileCheck %s --check-prefix=PARTS
// Sums are added to memory one element at a time: by whoever holds them, without an exchange. Pointers and masks are
// computed where they are wanted.
// PARTS: atom = "wgmma.f16"
// PARTS-NOT: nv_tileas.convert_layout
// PARTS: "nv_tileas.atomic_rmw"
// CHECK-LABEL: sym_name = "of_view"
// CHECK: atom = "wgmma.f16"
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: "nv_tileas.tiled_atomic_rmw"
// What was there before is exchanged where it is stored.
// CHECK-LABEL: sym_name = "old_values"
// CHECK: atom = "wgmma.f16"
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: %[[WAS:.*]], %{{.*}} = "nv_tileas.atomic_rmw"
// CHECK: %[[OLD:.*]] = arith.select %{{[^,]*}}, %[[WAS]],
// CHECK-NEXT: %[[BACK:.*]] = nv_tileas.convert_layout %[[OLD]]
// CHECK: "nv_tileas.tiled_store"(%{{[^,]*}}, %[[BACK]],
cuda_tile.module @m {
  entry @of_view(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>, %pw: tile<ptr<f32>>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %sum = constant <f32: 0.0> : tile<128x128xf32>
    %tok = make_token : token
    %va = make_tensor_view %a0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128,1]>
    %vo = make_tensor_view %o0, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %a, %t0 = load_view_tko weak %ta[%zero, %zero] token = %tok : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %w, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
    %s = mmaf %a, %w, %sum : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    %t3 = atomic_red_view_tko relaxed device %to[%zero, %zero], addf, %s : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @old_values(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>, %pw: tile<ptr<f32>>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %sum = constant <f32: 0.0> : tile<128x128xf32>
    %tok = make_token : token
    %va = make_tensor_view %a0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128,1]>
    %vo = make_tensor_view %o0, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %a, %t0 = load_view_tko weak %ta[%zero, %zero] token = %tok : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %w, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
    %s = mmaf %a, %w, %sum : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    %line = iota : tile<128xi32>
    %row = reshape %line : tile<128xi32> -> tile<128x1xi32>
    %rows = broadcast %row : tile<128x1xi32> -> tile<128x128xi32>
    %column = reshape %line : tile<128xi32> -> tile<1x128xi32>
    %columns = broadcast %column : tile<1x128xi32> -> tile<128x128xi32>
    %length = constant <i32: 128> : tile<128x128xi32>
    %first = muli %rows, %length : tile<128x128xi32>
    %at = addi %first, %columns : tile<128x128xi32>
    %base = reshape %pw : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %bases = broadcast %base : tile<1x1xptr<f32>> -> tile<128x128xptr<f32>>
    %p = offset %bases, %at : tile<128x128xptr<f32>>, tile<128x128xi32> -> tile<128x128xptr<f32>>
    %below = cmpi less_than %columns, %rows, signed : tile<128x128xi32> -> tile<128x128xi1>
    %was, %t2 = atomic_rmw_tko relaxed device %p, addf, %s, %below token=%tok : tile<128x128xptr<f32>>, tile<128x128xf32>, tile<128x128xi1> -> tile<128x128xf32>, token
    %old = select %below, %was, %sum : tile<128x128xi1>, tile<128x128xf32>
    %t3 = store_view_tko weak %old, %to[%zero, %zero] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
