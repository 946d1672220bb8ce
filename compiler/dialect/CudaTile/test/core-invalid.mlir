// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics %s

// entry_rank
cuda_tile.module @m {
  // expected-error @below {{entry op must have scalar types (rank 0 !cuda_tile.tile)}}
  entry @k(%x: tile<4xf32>) {}
}

// -----

// entry_results
cuda_tile.module @m {
  // expected-error @below {{entry op must not return values}}
  entry @k() -> tile<f32> {}
}

// -----

// global_rank
cuda_tile.module @m {
  // expected-error @below {{type must have rank 1}}
  global @g <f32: 1.0> : tile<f32>
}

// -----

// get_global_symbol
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{'nothing' does not reference a valid global}}
    %0 = get_global @nothing : tile<ptr<f32>>
  }
}

// -----

// get_global_pointee
cuda_tile.module @m {
  global @g <f32: [1.0, 2.0]> : tile<2xf32>
  testing$func @f() {
    // expected-error @below {{pointee type of result type '!cuda_tile.ptr<i32>' does not match type 'f32' of the global @g}}
    %0 = get_global @g : tile<ptr<i32>>
  }
}

// -----

// dense_element_type (parser)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got}}
    %0 = constant <i7: 1> : tile<2xi32>
  }
}

// -----

// dense_range (parser)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{integer constant out of range for type}}
    %0 = constant <i8: 256> : tile<2xi8>
  }
}

// -----

// dense_range_negative (parser)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{integer constant out of range for type}}
    %0 = constant <i8: -129> : tile<2xi8>
  }
}

// -----

// dense_integer (parser)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{expected integer value}}
    %0 = constant <i32: true> : tile<i32>
  }
}

// -----

// dense_ranks (parser)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{tensor literal is invalid; ranks are not consistent between elements}}
    %0 = constant <i32: [[1, 2], [3]]> : tile<2x2xi32>
  }
}

// -----

// dense_shape (parser)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{inferred shape of elements literal ([2]) does not match type ([4])}}
    %0 = constant <i32: [1, 2]> : tile<4xi32>
  }
}

// -----

// dense_type (parser)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{result #0 must be tile of i1 or i8}}
    %0 = constant <i32: 1> : token
  }
}

// -----

// dense_mismatch (parser)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{mismatch between the element type: 'i32' and the tile element type 'f32'}}
    %0 = constant <i32: 1> : tile<f32>
  }
}

// -----

// iota_rank
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{expects result type to be 1-d tile}}
    %0 = iota : tile<4x4xi32>
  }
}

// -----

// iota_range
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{the number of elements 512 exceeds the maximum value of element type 'i8'}}
    %0 = iota : tile<512xi8>
  }
}

// -----

// broadcast_shape
cuda_tile.module @m {
  testing$func @f(%x: tile<2x4xf32>) {
    // expected-error @below {{expects the shape of source tile to be compatible with that of the result tile, but got: 2, 4 and 8, 4}}
    %0 = broadcast %x : tile<2x4xf32> -> tile<8x4xf32>
  }
}

// -----

// reshape_elements
cuda_tile.module @m {
  testing$func @f(%x: tile<2x4xf32>) {
    // expected-error @below {{expected source tile and result tile to have the same number of elements}}
    %0 = reshape %x : tile<2x4xf32> -> tile<16xf32>
  }
}

// -----

// permute_rank
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf32>) {
    // expected-error @below {{expects at least rank 2, but got: 1}}
    %0 = permute %x [0] : tile<4xf32> -> tile<4xf32>
  }
}

// -----

// permute_size
cuda_tile.module @m {
  testing$func @f(%x: tile<2x4xf32>) {
    // expected-error @below {{expect permutation size (1) to equal the rank of the source (2)}}
    %0 = permute %x [0] : tile<2x4xf32> -> tile<2x4xf32>
  }
}

// -----

// permute_unique
cuda_tile.module @m {
  testing$func @f(%x: tile<2x4xf32>) {
    // expected-error @below {{expect permutation elements to be unique}}
    %0 = permute %x [0, 0] : tile<2x4xf32> -> tile<2x4xf32>
  }
}

// -----

// permute_bound
cuda_tile.module @m {
  testing$func @f(%x: tile<2x4xf32>) {
    // expected-error @below {{permutation element at index 1 (2) is out of bound [0, 2)}}
    %0 = permute %x [0, 2] : tile<2x4xf32> -> tile<2x4xf32>
  }
}

// -----

// permute_shape
cuda_tile.module @m {
  testing$func @f(%x: tile<2x4xf32>) {
    // expected-error @below {{result shape invalid at index 0, expected: 4, but got: 2}}
    %0 = permute %x [1, 0] : tile<2x4xf32> -> tile<2x4xf32>
  }
}

// -----

// cat_dim
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf32>) {
    // expected-error @below {{expect dim to be [0, 1), but got: 1}}
    %0 = cat %x, %x dim = 1 : tile<4xf32>, tile<4xf32> -> tile<8xf32>
  }
}

// -----

// cat_result
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf32>) {
    // expected-error @below {{invalid concat at position 0, expected: 8 but got: 4}}
    %0 = cat %x, %x dim = 0 : tile<4xf32>, tile<4xf32> -> tile<4xf32>
  }
}

// -----

// cat_shapes
cuda_tile.module @m {
  testing$func @f(%x: tile<4x2xf32>, %y: tile<4x4xf32>) {
    // expected-error @below {{expect lhs and rhs shapes to match at non-concat position 1, expected: 2 but got: 4}}
    %0 = cat %x, %y dim = 0 : tile<4x2xf32>, tile<4x4xf32> -> tile<8x2xf32>
  }
}

// -----

// cat_result_shape
cuda_tile.module @m {
  testing$func @f(%x: tile<4x2xf32>) {
    // expected-error @below {{expect lhs and result shapes to match at non-concat position 1, expected: 2 but got: 4}}
    %0 = cat %x, %x dim = 0 : tile<4x2xf32>, tile<4x2xf32> -> tile<8x4xf32>
  }
}

// -----

// cat_element (ods)
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf32>, %y: tile<4xf16>) {
    // expected-error @below {{all of {lhs, rhs, result} have the same element type}}
    %0 = cat %x, %y dim = 0 : tile<4xf32>, tile<4xf16> -> tile<8xf32>
  }
}

// -----

// extract_element
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf32>, %i: tile<i32>) {
    // expected-error @below {{source and result element type do not match}}
    %0 = extract %x[%i] : tile<4xf32> -> tile<2xf16>
  }
}

// -----

// extract_rank (ods)
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf32>, %i: tile<i32>) {
    // expected-error @below {{failed to verify that all of {source, result} have same rank}}
    %0 = extract %x[%i] : tile<4xf32> -> tile<2x2xf32>
  }
}

// -----

// extract_divides
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf32>, %i: tile<i32>) {
    // expected-error @below {{source dimension 0 size (4) must be evenly divisible by result dimension 0 size (8)}}
    %0 = extract %x[%i] : tile<4xf32> -> tile<8xf32>
  }
}

// -----

// extract_indices
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf32>, %i: tile<i32>) {
    // expected-error @below {{expected 1 indices, but got 2}}
    %0 = extract %x[%i, %i] : tile<4xf32> -> tile<2xf32>
  }
}

// -----

// insert_element
cuda_tile.module @m {
  testing$func @f(%x: tile<2xf16>, %y: tile<4xf32>, %i: tile<i32>) {
    // expected-error @below {{source and result element type do not match}}
    %0 = insert %x, %y[%i] : tile<2xf16>, tile<4xf32>
  }
}

// -----

// insert_rank
cuda_tile.module @m {
  testing$func @f(%x: tile<2xf32>, %y: tile<4x4xf32>, %i: tile<i32>) {
    // expected-error @below {{source and result must have the same rank}}
    %0 = insert %x, %y[%i, %i] : tile<2xf32>, tile<4x4xf32>
  }
}

// -----

// insert_divides
cuda_tile.module @m {
  testing$func @f(%x: tile<8xf32>, %y: tile<4xf32>, %i: tile<i32>) {
    // expected-error @below {{result dimension 0 size (4) must be evenly divisible by source dimension 0 size (8)}}
    %0 = insert %x, %y[%i] : tile<8xf32>, tile<4xf32>
  }
}

// -----

// insert_indices
cuda_tile.module @m {
  testing$func @f(%x: tile<2xf32>, %y: tile<4xf32>, %i: tile<i32>) {
    // expected-error @below {{expected 1 indices, but got 0}}
    %0 = insert %x, %y[] : tile<2xf32>, tile<4xf32>
  }
}

// -----

// select_f4
cuda_tile.module @m {
  testing$func @f(%c: tile<2xi1>, %x: tile<2xf4E2M1FN>) {
    // expected-error @below {{cannot operate on sub-byte type F4E2M1FN}}
    %0 = select %c, %x, %x : tile<2xi1>, tile<2xf4E2M1FN>
  }
}

// -----

// select_shape (ods)
cuda_tile.module @m {
  testing$func @f(%c: tile<i1>, %x: tile<2xf32>) {
    // expected-error @below {{failed to verify that all of {cond, val_if_true, val_if_false, result} have same shape}}
    %0 = select %c, %x, %x : tile<i1>, tile<2xf32>
  }
}

// -----

// pack_rank
cuda_tile.module @m {
  testing$func @f(%x: tile<2x2xi32>) {
    // expected-error @below {{expects source and result to be rank-1 tiles}}
    %0 = pack %x : tile<2x2xi32> -> tile<4x4xi8>
  }
}

// -----

// pack_width
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf8E5M2>) {
    // expected-error @below {{expects source and result to have different element type widths}}
    %0 = pack %x : tile<4xf8E5M2> -> tile<4xi8>
  }
}

// -----

// pack_bytes
cuda_tile.module @m {
  testing$func @f(%x: tile<4xi1>) {
    // expected-error @below {{expects source tile to be byte-aligned}}
    %0 = pack %x : tile<4xi1> -> tile<1xi8>
  }
}

// -----

// pack_size
cuda_tile.module @m {
  testing$func @f(%x: tile<4xi32>) {
    // expected-error @below {{expects source and result to have the same size in bytes, but got source tile size 16 bytes and result tile size 4 bytes}}
    %0 = pack %x : tile<4xi32> -> tile<4xi8>
  }
}

// -----

// assume_name (parser)
cuda_tile.module @m {
  testing$func @f(%x: tile<i32>) {
    // expected-error @below {{unknown assume predicate attribute: even (expected 'div_by', 'same_elements', or 'bounded')}}
    %0 = assume even, %x : tile<i32>
  }
}

// -----

// assume_attribute (parser)
cuda_tile.module @m {
  testing$func @f(%x: tile<i32>) {
    // expected-error @below {{expected assume predicate attribute}}
    %0 = assume "x", %x : tile<i32>
  }
}

// -----

// div_by_power
cuda_tile.module @m {
  testing$func @f(%x: tile<i32>) {
    // expected-error @below {{'cuda_tile.div_by' divisor must be a power of 2}}
    %0 = assume div_by<3>, %x : tile<i32>
  }
}

// -----

// div_by_large
cuda_tile.module @m {
  testing$func @f(%x: tile<i32>) {
    // expected-error @below {{'cuda_tile.div_by' divisor is too large}}
    %0 = assume div_by<9223372036854775808>, %x : tile<i32>
  }
}

// -----

// div_by_view
cuda_tile.module @m {
  testing$func @f(%x: tensor_view<64x64xf32, strides=[64,1]>) {
    // expected-error @below {{'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a tensor_view}}
    %0 = assume div_by<4, every 1 along 0>, %x : tensor_view<64x64xf32, strides=[64,1]>
  }
}

// -----

// div_by_scalar
cuda_tile.module @m {
  testing$func @f(%x: tile<i32>) {
    // expected-error @below {{'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a 0D tile}}
    %0 = assume div_by<4, every 1 along 0>, %x : tile<i32>
  }
}

// -----

// div_by_type
cuda_tile.module @m {
  testing$func @f(%x: tile<f32>) {
    // expected-error @below {{'cuda_tile.div_by' is valid only for tile of integer/pointer or tensor_view values}}
    %0 = assume div_by<4>, %x : tile<f32>
  }
}

// -----

// div_by_along
cuda_tile.module @m {
  testing$func @f(%x: tile<4xi32>) {
    // expected-error @below {{'cuda_tile.div_by' every_dim (1) must be >= 0 and < tile rank (1)}}
    %0 = assume div_by<4, every 1 along 1>, %x : tile<4xi32>
  }
}

// -----

// div_by_every
cuda_tile.module @m {
  testing$func @f(%x: tile<4xi32>) {
    // expected-error @below {{expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (4)}}
    %0 = assume div_by<4, every 8 along 0>, %x : tile<4xi32>
  }
}

// -----

// same_elements_type
cuda_tile.module @m {
  testing$func @f(%x: tile<4xf32>) {
    // expected-error @below {{'cuda_tile.same_elements' is valid only for tile of integer/pointer values}}
    %0 = assume same_elements<[4]>, %x : tile<4xf32>
  }
}

// -----

// same_elements_rank
cuda_tile.module @m {
  testing$func @f(%x: tile<4xi32>) {
    // expected-error @below {{expected number of values in 'cuda_tile.same_elements' (2) to match rank of constrained tile (1)}}
    %0 = assume same_elements<[4, 4]>, %x : tile<4xi32>
  }
}

// -----

// same_elements_range
cuda_tile.module @m {
  testing$func @f(%x: tile<4xi32>) {
    // expected-error @below {{expected 'cuda_tile.same_elements' value 0 to be within 0 and the size of the respective dimension (4)}}
    %0 = assume same_elements<[5]>, %x : tile<4xi32>
  }
}

// -----

// bounded_type
cuda_tile.module @m {
  testing$func @f(%x: tile<f32>) {
    // expected-error @below {{'cuda_tile.bounded' is valid only for tile of integer values}}
    %0 = assume bounded<0, 1>, %x : tile<f32>
  }
}

// -----

// bounded_lower
cuda_tile.module @m {
  testing$func @f(%x: tile<i8>) {
    // expected-error @below {{'cuda_tile.bounded' expects lower bound to be within [-128, 127]}}
    %0 = assume bounded<-129, ?>, %x : tile<i8>
  }
}

// -----

// bounded_upper
cuda_tile.module @m {
  testing$func @f(%x: tile<i8>) {
    // expected-error @below {{'cuda_tile.bounded' expects upper bound to be within [-128, 127]}}
    %0 = assume bounded<?, 128>, %x : tile<i8>
  }
}

// -----

// bounded_order
cuda_tile.module @m {
  testing$func @f(%x: tile<i8>) {
    // expected-error @below {{'cuda_tile.bounded' expects lower bound to be less than or equal to upper bound}}
    %0 = assume bounded<2, 1>, %x : tile<i8>
  }
}

// -----

// print_unterminated
cuda_tile.module @m {
  testing$func @f(%x: tile<i8>) {
    // expected-error @below {{found unterminated format expression}}
    %0 = print_tko "%", %x : tile<i8> -> token
  }
}

// -----

// print_count
cuda_tile.module @m {
  testing$func @f(%x: tile<i8>) {
    // expected-error @below {{incorrect number of operands: expected 2, found 1}}
    %0 = print_tko "%d %d%%", %x : tile<i8> -> token
  }
}

// -----

// hints_duplicate (parser)
cuda_tile.module @m {
  // expected-error @below {{duplicate optimization_hints key `sm_90`}}
  entry @k() optimization_hints=<sm_90 = {}, sm_90 = {}> {}
}

// -----

// hints_dictionary
cuda_tile.module @m {
  // expected-error @below {{expected dictionary attribute for optimization_hints entry `sm_90` got value=1}}
  entry @k() optimization_hints=<sm_90 = 1> {}
}
