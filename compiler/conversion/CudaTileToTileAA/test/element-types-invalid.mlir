// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_90 --verify-diagnostics

// MLIR has no such format, so nothing could hold its tiles; a pointer to it may pass.
cuda_tile.module @m {
  entry @k(%p: tile<ptr<fnv8E5M3FNU>>) {
    // expected-error @below {{tiles of fnv8E5M3FNU cannot be compiled yet}}
    %0 = constant <fnv8E5M3FNU: 1.0> : tile<fnv8E5M3FNU>
  }
}
