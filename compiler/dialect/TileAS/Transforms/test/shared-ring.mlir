// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 warp-specialize to=tileas" | FileCheck %s
// Two loops in a row that load the same kinds of tiles share a ring, whose iterators go on; both products read its slots.
// So do loops that give stages back a turn late: the next loop gives back the last one.
// RUN: tile-opt %corpus/perf/kinds/two_epilogues_f16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=tileas-insert-barriers" | FileCheck %s --check-prefix=LATE
// LATE: create_pipeline {{.*}}late_release
// LATE-NOT: create_pipeline
// LATE: agent_switch
// CHECK-LABEL: sym_name = "halves"
// CHECK: nv_tileas.async.pipeline.create_pipeline
// CHECK-NOT: create_pipeline
// CHECK: agent_switch
// CHECK: %[[FIRST:.*]] = nv_tileas.async.pipeline.create_iterator
// CHECK-NOT: create_iterator
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} = %[[FIRST]])
// CHECK: "nv_tileas.dot"{{.*}}wgmma
// CHECK: scf.for {{.*}} = %[[LOOP]]#1)
// CHECK: "nv_tileas.dot"{{.*}}wgmma
// CHECK: tiled_store
// CHECK: %[[FILLED:.*]] = nv_tileas.async.pipeline.create_iterator
// CHECK: %[[AHEAD:.*]] = scf.for {{.*}} = %[[FILLED]])
// CHECK: scf.for {{.*}} = %[[AHEAD]])
cuda_tile.module @m {
  entry @halves(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %c = assume div_by<16>, %pc : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [64, 4096], strides = [4096, 1] : tensor_view<64x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %wa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x4096xf16, strides=[4096,1]>>
    %wb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<4096x64xf16, strides=[64,1]>>
    %wc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %tok = make_token : token
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %half = constant <f32: 0.5> : tile<64x64xf32>
    %first = for %i in (%c0 to %m, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<64x64xf32>) {
      %x, %t0 = load_view_tko weak %wa[%c0, %i] token = %tok : partition_view<tile=(64x64), tensor_view<64x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x64xf16>, token
      %y, %t1 = load_view_tko weak %wb[%i, %c0] token = %tok : partition_view<tile=(64x64), tensor_view<4096x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mulf %s, %half : tile<64x64xf32>
      %p = mmaf %x, %y, %d : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %p : tile<64x64xf32>
    }
    %sum = for %i in (%m to %n, step %c1) : tile<i32> iter_values(%s = %first) -> (tile<64x64xf32>) {
      %x, %t0 = load_view_tko weak %wa[%c0, %i] token = %tok : partition_view<tile=(64x64), tensor_view<64x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x64xf16>, token
      %y, %t1 = load_view_tko weak %wb[%i, %c0] token = %tok : partition_view<tile=(64x64), tensor_view<4096x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mulf %s, %half : tile<64x64xf32>
      %p = mmaf %x, %y, %d : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %p : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %wc[%c0, %c0] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
