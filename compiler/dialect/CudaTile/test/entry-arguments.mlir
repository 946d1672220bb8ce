// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Scalars and pointers only, as bytecode has it.
cuda_tile.module @m {
  // expected-error @below {{entry op must have scalar types (rank 0 !cuda_tile.tile)}}
  entry @k(%x: token) {}
}

// -----

cuda_tile.module @m {
  // expected-error @below {{entry op must have scalar types (rank 0 !cuda_tile.tile)}}
  entry @k(%x: tensor_view<4xf32, strides=[1]>) {}
}

// -----

cuda_tile.module @m {
  // expected-error @below {{entry op must have scalar types (rank 0 !cuda_tile.tile)}}
  entry @k(%x: partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>) {}
}
