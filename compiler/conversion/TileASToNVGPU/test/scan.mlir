// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=2 to=gpu" | FileCheck %s
// RUN: not tile-opt %s --tilesmith-pipeline="gpu-name=sm_120 opt-level=2 to=gpu" 2>&1 | FileCheck --check-prefix=SMALL %s

// A line of a scan takes all shared memory that the GPU has, not only the 48 KiB of other exchanges.
// CHECK: shared_bytes = 131072
// SMALL: 'nv_tileas.scan' op needs 131072 bytes of shared memory for one line, the limit is 101376
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %i = iota : tile<32768xi32>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %pb = broadcast %p1 : tile<1xptr<f32>> -> tile<32768xptr<f32>>
    %at = offset %pb, %i : tile<32768xptr<f32>>, tile<32768xi32> -> tile<32768xptr<f32>>
    %v, %t = load_ptr_tko weak %at : tile<32768xptr<f32>> -> tile<32768xf32>, token
    %s = scan %v dim=0 reverse=false identities=[0.0 : f32] : tile<32768xf32> -> tile<32768xf32>
    (%before: tile<f32>, %element: tile<f32>) {
      %sum = addf %before, %element : tile<f32>
      yield %sum : tile<f32>
    }
    %u = store_ptr_tko weak %at, %s token=%t : tile<32768xptr<f32>>, tile<32768xf32> -> token
    return
  }
}
