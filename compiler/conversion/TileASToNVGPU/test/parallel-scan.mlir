// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=2 to=gpu" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=0 to=gpu" | FileCheck %s --check-prefix=WALKS
// Scans that threads combine together: a step for each bit of a place. Without the note a thread walks each line.

// WALKS-LABEL: gpu.func @warp
// WALKS-NOT: gpu.shuffle
// WALKS: gpu.return
cuda_tile.module @m {
  // Five bits are lanes: a shuffle each, and nothing to wait for.
  // CHECK-LABEL: gpu.func @warp
  // CHECK-COUNT-5: gpu.shuffle
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  entry @warp(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %tp = make_tensor_view %p, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %vp = make_partition_view %tp : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %x, %t = load_view_tko weak %vp[%c0] : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> tile<32xi32>, token
    %s = scan %x dim=0 reverse=false identities=[0 : i32] : tile<32xi32> -> tile<32xi32>
    (%before: tile<i32>, %element: tile<i32>) {
      %sum = addi %before, %element : tile<i32>
      yield %sum : tile<i32>
    }
    %tq = make_tensor_view %q, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %vq = make_partition_view %tq : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %u = store_view_tko weak %s, %vq[%c0] : tile<32xi32>, partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> token
    return
  }

  // Two bits are registers and two warps, which meet once: four elements of a thread need one shuffle for each bit of a lane,
  // and one for what comes before them.
  // CHECK-LABEL: gpu.func @block
  // CHECK-COUNT-6: gpu.shuffle
  // CHECK-NOT: gpu.shuffle
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} !llvm.ptr<3>
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  entry @block(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %tp = make_tensor_view %p, shape = [512], strides = [1] : tensor_view<512xi32, strides=[1]>
    %vp = make_partition_view %tp : partition_view<tile=(512), tensor_view<512xi32, strides=[1]>>
    %x, %t = load_view_tko weak %vp[%c0] : partition_view<tile=(512), tensor_view<512xi32, strides=[1]>>, tile<i32> -> tile<512xi32>, token
    %s = scan %x dim=0 reverse=true identities=[0 : i32] : tile<512xi32> -> tile<512xi32>
    (%before: tile<i32>, %element: tile<i32>) {
      %sum = addi %before, %element : tile<i32>
      yield %sum : tile<i32>
    }
    %tq = make_tensor_view %q, shape = [512], strides = [1] : tensor_view<512xi32, strides=[1]>
    %vq = make_partition_view %tq : partition_view<tile=(512), tensor_view<512xi32, strides=[1]>>
    %u = store_view_tko weak %s, %vq[%c0] : tile<512xi32>, partition_view<tile=(512), tensor_view<512xi32, strides=[1]>>, tile<i32> -> token
    return
  }

  // Eight groups of four in each thread: what they combine to goes where a warp has all of a line, and what comes before
  // them back. That takes the shuffles of one group.
  // CHECK-LABEL: gpu.func @rows
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} !llvm.ptr<3>
  // CHECK-COUNT-6: gpu.shuffle
  // CHECK-NOT: gpu.shuffle
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} !llvm.ptr<3>
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  entry @rows(%p: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %tp = make_tensor_view %p, shape = [4, 1024], strides = [1024, 1] : tensor_view<4x1024xf32, strides=[1024, 1]>
    %vp = make_partition_view %tp : partition_view<tile=(4x1024), tensor_view<4x1024xf32, strides=[1024, 1]>>
    %x, %t = load_view_tko weak %vp[%c0, %c0] : partition_view<tile=(4x1024), tensor_view<4x1024xf32, strides=[1024, 1]>>, tile<i32> -> tile<4x1024xf32>, token
    %s = scan %x dim=1 reverse=false identities=[0.0 : f32] : tile<4x1024xf32> -> tile<4x1024xf32>
    (%before: tile<f32>, %element: tile<f32>) {
      %sum = addf %before, %element : tile<f32>
      yield %sum : tile<f32>
    }
    %u = store_view_tko weak %s, %vp[%c0, %c0] token = %t : tile<4x1024xf32>, partition_view<tile=(4x1024), tensor_view<4x1024xf32, strides=[1024, 1]>>, tile<i32> -> token
    return
  }

  // A line of four warps: what each of them has combined comes with what goes back, so that threads meet twice.
  // CHECK-LABEL: gpu.func @line
  // CHECK: gpu.barrier
  // CHECK-COUNT-6: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: scf.if
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} !llvm.ptr<3>
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  entry @line(%p: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %tp = make_tensor_view %p, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %vp = make_partition_view %tp : partition_view<tile=(4096), tensor_view<4096xf32, strides=[1]>>
    %x, %t = load_view_tko weak %vp[%c0] : partition_view<tile=(4096), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> tile<4096xf32>, token
    %s = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<4096xf32> -> tile<4096xf32>
    (%before: tile<f32>, %element: tile<f32>) {
      %sum = addf %before, %element : tile<f32>
      yield %sum : tile<f32>
    }
    %u = store_view_tko weak %s, %vp[%c0] token = %t : tile<4096xf32>, partition_view<tile=(4096), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
    return
  }

  // A thread would have to write out too much.
  // CHECK-LABEL: gpu.func @long
  // CHECK-NOT: gpu.shuffle
  // CHECK: gpu.return
  entry @long(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %tp = make_tensor_view %p, shape = [32768], strides = [1] : tensor_view<32768xi32, strides=[1]>
    %vp = make_partition_view %tp : partition_view<tile=(32768), tensor_view<32768xi32, strides=[1]>>
    %x, %t = load_view_tko weak %vp[%c0] : partition_view<tile=(32768), tensor_view<32768xi32, strides=[1]>>, tile<i32> -> tile<32768xi32>, token
    %s = scan %x dim=0 reverse=false identities=[0 : i32] : tile<32768xi32> -> tile<32768xi32>
    (%before: tile<i32>, %element: tile<i32>) {
      %sum = addi %before, %element : tile<i32>
      yield %sum : tile<i32>
    }
    %tq = make_tensor_view %q, shape = [32768], strides = [1] : tensor_view<32768xi32, strides=[1]>
    %vq = make_partition_view %tq : partition_view<tile=(32768), tensor_view<32768xi32, strides=[1]>>
    %u = store_view_tko weak %s, %vq[%c0] : tile<32768xi32>, partition_view<tile=(32768), tensor_view<32768xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
