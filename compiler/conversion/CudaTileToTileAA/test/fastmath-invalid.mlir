// RUN: tile-opt %s --verify-diagnostics --convert-cudatile-to-tileaa=compute-capability=sm_90

cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @below {{expected fast-math flags such as "contract" or #arith.fastmath<contract> for 'fastmath', found "quick"}}
    %0 = cos %x {fastmath = "quick"} : tile<f32>
    return
  }
}
