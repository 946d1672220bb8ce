// RUN: tile-opt --check-public-input --verify-diagnostics --split-input-file %s

cuda_tile.module @clean {
  entry @k() {
  }
}

// -----
// gate_dialect
cuda_tile.module @m {
  entry @k() {
    %0 = arith.constant 1 : i32
    // expected-error @below {{op 'arith.addi' is not allowed in the public input}}
    %1 = arith.addi %0, %0 : i32
  }
}
