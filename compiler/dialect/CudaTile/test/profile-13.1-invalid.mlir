// RUN: tile-opt --profile=tileiras-13.1 --split-input-file --verify-diagnostics %s

// profile_print_tko
cuda_tile.module @m {
  entry @k() {
    // expected-error @below {{is not part of version 13.1; use cuda_tile.print}}
    %0 = print_tko "x" -> token
  }
}

// -----
// profile_op
cuda_tile.module @m {
  entry @k(%x: tile<8xi8>) {
    // expected-error @below {{is not part of version 13.1}}
    %0 = unpack %x : tile<8xi8> -> tile<2xf32>
  }
}

// -----
// profile_field
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @below {{attribute 'rounding_mode' is not part of version 13.1}}
    %0 = tanh %x rounding<approx> : tile<f32>
  }
}

// -----
// profile_type
cuda_tile.module @m {
  // expected-error @below {{is not part of version 13.1}}
  entry @k(%p: tile<ptr<f8E8M0FNU>>) {
  }
}

// -----
// profile_element
cuda_tile.module @m {
  // expected-error @below {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or i1 or i8 or i16 or i32 or i64 or Pointer type}}
  entry @k(%x: tile<f8E8M0FNU>) {
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
