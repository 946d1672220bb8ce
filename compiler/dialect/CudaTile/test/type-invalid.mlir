// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics %s

// tile_positive
cuda_tile.module @m {
  // expected-error @below {{all dimensions must be positive constants, got 0}}
  testing$func @f(%x: tile<0xf32>) {
  }
}

// -----

// tile_power_of_two
// [spec: tile-extents]
cuda_tile.module @m {
  // expected-error @below {{all dimensions must be powers of two, got 4, 3}}
  testing$func @f(%x: tile<4x3xf32>) {
  }
}

// -----

// tile_elements
cuda_tile.module @m {
  // expected-error @below {{tile would exceed the maximum of 16777216 elements}}
  testing$func @f(%x: tile<8192x4096xf32>) {
  }
}

// -----

// tile_f4_even
cuda_tile.module @m {
  // expected-error @below {{F4E2M1FN tiles must have an even number of elements}}
  testing$func @f(%x: tile<f4E2M1FN>) {
  }
}

// -----

// tile_element_type (ods)
// [spec: type-storage-float]
cuda_tile.module @m {
  // expected-error @below {{failed to verify 'elementType'}}
  testing$func @f(%x: tile<i7>) {
  }
}

// -----

// ptr_pointee (ods)
cuda_tile.module @m {
  // expected-error @below {{failed to verify 'pointeeType'}}
  testing$func @f(%x: tile<ptr<i4>>) {
  }
}

// -----

// tensor_view_rank
cuda_tile.module @m {
  // expected-error @below {{expected shape and stride to be of same rank but got shape of rank 2 and stride of rank 1}}
  testing$func @f(%x: tensor_view<4x4xf32, strides=[1]>) {
  }
}

// -----

// tensor_view_extent
cuda_tile.module @m {
  // expected-error @below {{dimensions must have strictly positive constant sizes but got [0]}}
  testing$func @f(%x: tensor_view<0xf32, strides=[1]>) {
  }
}

// -----

// tensor_view_stride (parser)
cuda_tile.module @m {
  // expected-error @below {{expected strictly positive integer, got 0}}
  testing$func @f(%x: tensor_view<4xf32, strides=[0]>) {
  }
}

// -----

// tensor_view_stride_syntax (parser)
cuda_tile.module @m {
  // expected-error @below {{expected either 64-bit integer or question mark}}
  testing$func @f(%x: tensor_view<4xf32, strides=[a]>) {
  }
}

// -----

// tensor_view_no_strides (parser)
cuda_tile.module @m {
  // expected-error @below {{expected 'strides'}}
  testing$func @f(%x: tensor_view<4xf32>) {
  }
}

// -----

// tensor_view_rank0_strides (parser)
cuda_tile.module @m {
  // expected-error @below {{strides must not be provided for 0-d tiles}}
  testing$func @f(%x: tensor_view<f32, strides=[]>) {
  }
}

// -----

// tensor_view_rank0_other (parser)
cuda_tile.module @m {
  // expected-error @below {{unexpected token after element type in 0-d tensor_view}}
  testing$func @f(%x: tensor_view<f32, 3>) {
  }
}

// -----

// view_tensor_view (parser)
cuda_tile.module @m {
  // expected-error @below {{expected 'tensor_view' type, but got '!cuda_tile.tile<f32>'}}
  testing$func @f(%x: partition_view<tile=(4x8), tile<f32>>) {
  }
}

// -----

// view_rank0
cuda_tile.module @m {
  // expected-error @below {{0-dimension tile shape is not supported}}
  testing$func @f(%x: partition_view<tile=(), tensor_view<f32>>) {
  }
}

// -----

// view_rank
cuda_tile.module @m {
  // expected-error @below {{expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and tiles of rank 1}}
  testing$func @f(%x: partition_view<tile=(4), tensor_view<64x64xf32, strides=[64,1]>>) {
  }
}

// -----

// view_dim_map_size
cuda_tile.module @m {
  // expected-error @below {{expected dim_map to map exactly all 2 dimensions of the tile, got 1 mappings}}
  testing$func @f(%x: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, dim_map=[0]>) {
  }
}

// -----

// view_tile_power_of_two
cuda_tile.module @m {
  // expected-error @below {{tile shape dimensions must have power of two length but got [4, 3]}}
  testing$func @f(%x: partition_view<tile=(4x3), tensor_view<64x64xf32, strides=[64,1]>>) {
  }
}

// -----

// view_tile_positive (parser)
cuda_tile.module @m {
  // expected-error @below {{tile dimension 0 exceeds i32 limitations (got 0, expected strictly positive and less than or equal to 2147483647)}}
  testing$func @f(%x: partition_view<tile=(0x4), tensor_view<64x64xf32, strides=[64,1]>>) {
  }
}

// -----

// view_dim_map_negative
cuda_tile.module @m {
  // expected-error @below {{target dimension must not be negative, got -1}}
  testing$func @f(%x: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, dim_map=[-1, 0]>) {
  }
}

// -----

// view_dim_map_outside
cuda_tile.module @m {
  // expected-error @below {{target dimension is outside of tensor view dimensions, expected strictly less than 2, got 2}}
  testing$func @f(%x: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, dim_map=[0, 2]>) {
  }
}

// -----

// view_dim_map_twice
cuda_tile.module @m {
  // expected-error @below {{target dimension 1 mapped at least twice (for tile dimensions 0 and 1)}}
  testing$func @f(%x: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, dim_map=[1, 1]>) {
  }
}

// -----

// view_padding_name (parser)
cuda_tile.module @m {
  // expected-error @below {{invalid padding_value attribute specification. Got "one" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf}}
  testing$func @f(%x: partition_view<tile=(4x8), padding_value = one, tensor_view<64x64xf32, strides=[64,1]>>) {
  }
}

// -----

// view_padding_type
cuda_tile.module @m {
  // expected-error @below {{padding_value nan can only be used with floating point element types, got 'i32'}}
  testing$func @f(%x: partition_view<tile=(4), padding_value = nan, tensor_view<4xi32, strides=[1]>>) {
  }
}

// -----

// view_tile_elements
cuda_tile.module @m {
  // expected-error @below {{tile would exceed the maximum of 16777216 elements}}
  testing$func @f(%x: partition_view<tile=(33554432), tensor_view<?xi8, strides=[1]>>) {
  }
}

// -----

// strided_view_strides_count
cuda_tile.module @m {
  // expected-error @below {{expected 2 traversal strides, got 1}}
  testing$func @f(%x: strided_view<tile=(4x8), traversal_strides=[1], tensor_view<64x64xf32, strides=[64,1]>>) {
  }
}

// -----

// strided_view_strides_positive
cuda_tile.module @m {
  // expected-error @below {{traversal strides must be strictly positive but got [1, 0]}}
  testing$func @f(%x: strided_view<tile=(4x8), traversal_strides=[1,0], tensor_view<64x64xf32, strides=[64,1]>>) {
  }
}

// -----

// gather_scatter_sparse_dim
cuda_tile.module @m {
  // expected-error @below {{gather dimension is outside of tensor view dimensions, expected strictly less than 2, got 2}}
  testing$func @f(%x: gather_scatter_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=2>) {
  }
}
