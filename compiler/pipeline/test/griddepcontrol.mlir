// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=3 to=nvvm" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=0 to=nvvm" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 opt-level=3 to=nvvm" | FileCheck --check-prefix=OLD %s

// A kernel behind a dependent launch waits before it reads what the kernel before it wrote. On a GPU
// without dependent launches nothing is left to wait for.
// CHECK-LABEL: llvm.func @k
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.load
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK: llvm.store
// OLD-LABEL: llvm.func @k
// OLD-NOT: griddepcontrol
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %t0 = gdc_wait_tko -> token
    %x, %t1 = load_ptr_tko weak %p token=%t0 : tile<ptr<f32>> -> tile<f32>, token
    %t2 = gdc_launch_dependents_tko token = %t1 -> token
    %t3 = store_ptr_tko weak %p, %x token=%t2 : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
