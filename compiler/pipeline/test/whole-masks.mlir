// RUN: tile-opt %s --tilesmith-pipeline="opt-level=2 gpu-name=sm_80 to=gpu" | FileCheck %s
// Where the number of elements is a multiple of the group, one test decides about the group, and no element is moved alone. The same for
// asynchronous copies: all bytes or none. Rows are addressed from the first one, whose address leaves no loop.

cuda_tile.module @m {
  // CHECK-LABEL: gpu.func @multiple
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK-NOT: llvm.load {{.*}}!llvm.ptr<1> -> f32
  // CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<1>
  // CHECK-NOT: llvm.store {{.*}} : f32, !llvm.ptr<1>
  // CHECK: gpu.return
  entry @multiple(%p: tile<ptr<f32>>, %o: tile<ptr<f32>>, %n: tile<i32>) {
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %r = assume div_by<16>, %o : tile<ptr<f32>>
    %m = assume div_by<4>, %n : tile<i32>
    %i = iota : tile<1024xi32>
    %mr = reshape %m : tile<i32> -> tile<1xi32>
    %mb = broadcast %mr : tile<1xi32> -> tile<1024xi32>
    %ok = cmpi less_than %i, %mb, signed : tile<1024xi32> -> tile<1024xi1>
    %z = constant <f32: 1.0> : tile<1024xf32>
    %qr = reshape %q : tile<ptr<f32>> -> tile<1xptr<f32>>
    %qb = broadcast %qr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %qo = offset %qb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %rr = reshape %r : tile<ptr<f32>> -> tile<1xptr<f32>>
    %rb = broadcast %rr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %ro = offset %rb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %x, %t = load_ptr_tko weak %qo, %ok, %z : tile<1024xptr<f32>>, tile<1024xi1>, tile<1024xf32> -> tile<1024xf32>, token
    %s = store_ptr_tko weak %ro, %x, %ok token=%t : tile<1024xptr<f32>>, tile<1024xf32>, tile<1024xi1> -> token
    return
  }

  // Nothing is promised: what the bound splits goes element by element.
  // CHECK-LABEL: gpu.func @any
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.load {{.*}}!llvm.ptr<1> -> f32
  // CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<1>
  // CHECK: llvm.store {{.*}} : f32, !llvm.ptr<1>
  entry @any(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %i = iota : tile<1024xi32>
    %mr = reshape %n : tile<i32> -> tile<1xi32>
    %mb = broadcast %mr : tile<1xi32> -> tile<1024xi32>
    %ok = cmpi less_than %i, %mb, signed : tile<1024xi32> -> tile<1024xi1>
    %z = constant <f32: 1.0> : tile<1024xf32>
    %qr = reshape %q : tile<ptr<f32>> -> tile<1xptr<f32>>
    %qb = broadcast %qr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %qo = offset %qb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %x, %t = load_ptr_tko weak %qo, %ok, %z : tile<1024xptr<f32>>, tile<1024xi1>, tile<1024xf32> -> tile<1024xf32>, token
    %s = store_ptr_tko weak %qo, %x, %ok token=%t : tile<1024xptr<f32>>, tile<1024xf32>, tile<1024xi1> -> token
    return
  }

  // CHECK-LABEL: gpu.func @copied
  // CHECK-COUNT-2: arith.minui {{.*}} : i64
  // CHECK: %[[PLACE:.*]] = llvm.inline_asm has_side_effects "", "=l,0"
  // CHECK: %[[FIRST:.*]] = llvm.getelementptr %arg0[%[[PLACE]]]
  // CHECK: arith.cmpi ult, {{.*}} : i32
  // CHECK: %[[BYTES:.*]] = arith.select %{{.*}}, %c8_i32, %c0_i32
  // CHECK: llvm.getelementptr %[[FIRST]][
  // CHECK: %[[COUNT:.*]] = arith.index_cast %[[BYTES]]
  // CHECK: nvgpu.device_async_copy {{.*}}, 8, %[[COUNT]]
  // Behind the loop a thread computes anew where it stores.
  // CHECK: %[[THREAD:.*]] = llvm.inline_asm has_side_effects "", "=r,0" %{{.*}} : (i32) -> i32
  // CHECK: arith.andi %[[THREAD]], %c31
  // CHECK: arith.shrui %[[THREAD]], %c5
  // CHECK: llvm.store {{.*}} : f32, !llvm.ptr<1>
  // CHECK: gpu.return
  entry @copied(%p: tile<ptr<f16>>, %o: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %q = assume div_by<16>, %p : tile<ptr<f16>>
    %m = assume div_by<8>, %n : tile<i32>
    %v = make_tensor_view %q, shape = [%m, %m], strides = [%m, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pv = make_partition_view %v : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %vo = make_tensor_view %o, shape = [%m, %m], strides = [%m, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %po = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.0> : tile<32x32xf32>
    %sum = for %i in (%zero to %m, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<32x32xf32>) {
      %a, %t0 = load_view_tko weak %pv[%zero, %i] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %b, %t1 = load_view_tko weak %pv[%i, %zero] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %d = mmaf %a, %b, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %d : tile<32x32xf32>
    }
    %t2 = store_view_tko weak %sum, %po[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
