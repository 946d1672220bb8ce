// RUN: tile-opt --profile=tileiras-13.1 --split-input-file --verify-diagnostics %s

// profile_print_tko
cuda_tile.module @m {
  entry @k() {
    // expected-error @below {{is not part of version 13.1; use cuda_tile.print}}
    %0 = print_tko "x" -> token
  }
}

// -----
// profile_atan2
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @below {{is not part of version 13.1}}
    %0 = atan2 %x, %x : tile<f32>
  }
}
