// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 auto to=tileas" | FileCheck %s
// A tile that is loaded meets the sums of a product. Where columns are reduced, the sums are exchanged once, for the
// reduction; the tile stays as it is loaded.
// CHECK-LABEL: sym_name = "columns"
// CHECK: "nv_tileas.dot"
// CHECK-NEXT: nv_tileas.convert_layout {{.*}}tensor<64x64xf32
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: "nv_tileas.reduce"
// Where rows are, the sums stay, and the tile comes to them in half of the bytes.
// CHECK-LABEL: sym_name = "rows"
// CHECK: "nv_tileas.dot"
// CHECK-NOT: nv_tileas.convert_layout {{.*}}tensor<64x64xf32
// CHECK: nv_tileas.convert_layout {{.*}}tensor<64x64xf16
// CHECK-NOT: nv_tileas.convert_layout {{.*}}tensor<64x64xf32
// CHECK: "nv_tileas.reduce"
cuda_tile.module @m {
  entry @columns(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f16>>, %po: tile<ptr<f32>>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %c0 = assume div_by<16>, %pc : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %tok = make_token : token
    %b, %b1, %b2 = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c0, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf16, strides=[64,1]>
    %vo = make_tensor_view %o0, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %ta = make_partition_view %va : partition_view<tile=(64x64), tensor_view<1024x64xf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %tc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<1024x64xf16, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %ta[%b, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<1024x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %bb, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %cc, %t2 = load_view_tko weak %tc[%b, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<1024x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %p = mmaf %a, %bb, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %cf = ftof %cc : tile<64x64xf16> -> tile<64x64xf32>
    %s = addf %p, %cf : tile<64x64xf32>
    %r = reduce %s dim=0 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%x : tile<f32>, %y : tile<f32>) {
        %z = addf %x, %y : tile<f32>
        yield %z : tile<f32>
      }
    %t3 = store_view_tko weak %r, %to[%b] token = %tok : tile<64xf32>, partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @rows(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f16>>, %po: tile<ptr<f32>>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %c0 = assume div_by<16>, %pc : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %tok = make_token : token
    %b, %b1, %b2 = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c0, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf16, strides=[64,1]>
    %vo = make_tensor_view %o0, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %ta = make_partition_view %va : partition_view<tile=(64x64), tensor_view<1024x64xf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %tc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<1024x64xf16, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %ta[%b, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<1024x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %bb, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %cc, %t2 = load_view_tko weak %tc[%b, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<1024x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %p = mmaf %a, %bb, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %cf = ftof %cc : tile<64x64xf16> -> tile<64x64xf32>
    %s = addf %p, %cf : tile<64x64xf32>
    %r = reduce %s dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%x : tile<f32>, %y : tile<f32>) {
        %z = addf %x, %y : tile<f32>
        yield %z : tile<f32>
      }
    %t3 = store_view_tko weak %r, %to[%b] token = %tok : tile<64xf32>, partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
