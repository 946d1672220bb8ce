// RUN: tile-opt %s -split-input-file --tilesmith-pipeline="opt-level=0 gpu-name=sm_90 to=gpu" | FileCheck %s
// Worker warps of the entry's hint set the threads (a power of two; the default otherwise), the key of the target wins
// over `default`; occupancy becomes the lower bound of blocks per multiprocessor.

// CHECK: gpu.func @target() kernel attributes {{.*}}nvgpu_ext.threads = 256 :
// CHECK: gpu.func @general() kernel attributes {{.*}}nvgpu_ext.threads = 32 : i32, nvvm.minctasm = 2 : i32
// CHECK: gpu.func @odd() kernel attributes {{.*}}nvgpu_ext.threads = 128 :
// CHECK: gpu.func @none() kernel attributes {{.*}}nvgpu_ext.threads = 128 :
cuda_tile.module @m {
  entry @target() optimization_hints=<sm_90 = {num_worker_warps_per_cta = 8}, default = {num_worker_warps_per_cta = 2}> {
    return
  }
  entry @general() optimization_hints=<default = {num_worker_warps_per_cta = 1, occupancy = 2}, sm_100 = {num_worker_warps_per_cta = 8}> {
    return
  }
  entry @odd() optimization_hints=<sm_90 = {num_worker_warps_per_cta = 3}> {
    return
  }
  entry @none() {
    return
  }
}
