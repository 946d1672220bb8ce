// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 auto remarks stop-after=tileas-lower-tma-load-store-to-async" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 auto remarks stop-after=tileas-lower-tma-load-store-to-async" 2>&1 | FileCheck %s --check-prefix=NEWER
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 auto remarks stop-after=tileas-lower-tma-load-store-to-async" 2>&1 | FileCheck %s --check-prefix=OLDER
// RUN: tile-opt %corpus/perf/kinds/f8_two_levels.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps remarks to=tileas" -o /dev/null 2>&1 | FileCheck %s --check-prefix=AROUND
// The four turns of a loop come as often as the loop around it turns: setting rings up is paid once.
// AROUND: remark: strategy warp-specialize tensor-map
// The strategy `auto` chooses kernel by kernel, and says why.

// OLDER-COUNT-6: remark: strategy unspecialize: the target has no tensor copies
// NEWER-COUNT-2: remark: strategy warp-specialize tensor-map: predicted
// NEWER: remark: strategy unspecialize: predicted
// NEWER: remark: strategy warp-specialize tensor-map: predicted
// NEWER: agent_switch

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "large"
  // CHECK: agent_switch
  // CHECK: atom = "tma_tensor_load"
  // REMARK: remark: strategy warp-specialize tensor-map: predicted {{[0-9]+}} clocks of a block (second cache) and {{[0-9]+}} instructions of a warp, unspecialize {{[0-9]+}} clocks

  entry @large(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<128x128xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<128x128xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %d : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Small tiles do not pay for maps, which each block makes.
  // CHECK-LABEL: sym_name = "small"
  // CHECK: agent_switch
  // CHECK-NOT: tma_tensor_load
  // REMARK: remark: strategy warp-specialize: predicted {{.*}}(round trips to memory){{.*}} unspecialize {{[0-9]+}} clocks

  entry @small(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
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

  // CHECK-LABEL: sym_name = "short"
  // CHECK-NOT: tma_tensor_load
  // Four iterations do not pay for maps and barriers.
  // REMARK: remark: strategy unspecialize: predicted {{.*}} clocks of a block {{.*}} clocks of a block

  entry @short(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %i in (%zero to %four, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<64x64xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Not enough rows for a warpgroup: fragments are loaded by the warps that use them. Seven stages pay for maps.
  // CHECK-LABEL: sym_name = "flat"
  // CHECK: agent_switch
  // CHECK: atom = "tma_tensor_load"
  // REMARK: remark: strategy warp-specialize tensor-map: predicted {{.*}}, warp-specialize {{[0-9]+}} clocks

  // Rows that a loop only reads come by tensor copies, or stay loads.
  // CHECK-LABEL: sym_name = "rows"
  // CHECK: atom = "tma_tensor_load"
  // REMARK: remark: strategy warp-specialize tensor-map: predicted {{[0-9]+}} clocks of a block (memory)
  // CHECK-LABEL: sym_name = "few_rows"
  // CHECK-NOT: num_stages
  // CHECK-NOT: tma_tensor_load
  // REMARK: remark: strategy unspecialize: predicted {{[0-9]+}} clocks of a block (memory)

  entry @flat(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<32x64xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<32x64xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<32x64xf16>, tile<64x64xf16>, tile<32x64xf32>
      continue %d : tile<32x64xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  entry @rows(%px: tile<ptr<f16>>, %py: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %qx = assume div_by<16>, %px : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %vx = make_tensor_view %qx, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vy = make_tensor_view %py, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128,1]>
    %wx = make_partition_view %vx : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %wy = make_partition_view %vy : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>
    %init = constant <f16: 0.000000e+00> : tile<64x128xf16>
    %sum = for %i in (%zero to %m, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<64x128xf16>) {
      %x, %t0 = load_view_tko weak %wx[%i, %zero] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s = addf %acc, %x : tile<64x128xf16>
      continue %s : tile<64x128xf16>
    }
    %t2 = store_view_tko weak %sum, %wy[%zero, %zero] : tile<64x128xf16>, partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }

  entry @few_rows(%px: tile<ptr<f16>>, %py: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %qx = assume div_by<16>, %px : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %vx = make_tensor_view %qx, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vy = make_tensor_view %py, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128,1]>
    %wx = make_partition_view %vx : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %wy = make_partition_view %vy : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>
    %init = constant <f16: 0.000000e+00> : tile<64x128xf16>
    %sum = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<64x128xf16>) {
      %x, %t0 = load_view_tko weak %wx[%i, %zero] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s = addf %acc, %x : tile<64x128xf16>
      continue %s : tile<64x128xf16>
    }
    %t2 = store_view_tko weak %sum, %wy[%zero, %zero] : tile<64x128xf16>, partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
