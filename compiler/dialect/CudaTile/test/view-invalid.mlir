// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics %s

// make_tensor_view_value (parser)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{expected either integer or SSA value}}
    %0 = make_tensor_view %p, shape = [x], strides = [1] : tensor_view<4xf32, strides=[1]>
  }
}

// -----

// make_tensor_view_type (parser)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{expected 'tensor_view' type, but got '!cuda_tile.tile<f32>'}}
    %0 = make_tensor_view %p, shape = [4], strides = [1] : tile<f32>
  }
}

// -----

// make_tensor_view_count (parser)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{expected shape declaration to contain 1 elements due to tensor_view type, but 2 were provided}}
    %0 = make_tensor_view %p, shape = [4, 4], strides = [1] : tensor_view<4xf32, strides=[1]>
  }
}

// -----

// make_tensor_view_match (parser)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{input shape dimension 0 does not match tensor_view type (expected 4, got 8)}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<4xf32, strides=[1]>
  }
}

// -----

// make_tensor_view_dynamic (parser)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{input shape dimension 0 does not match tensor_view type (expected dynamic, got 8)}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<?xf32, strides=[1]>
  }
}

// -----

// make_tensor_view_pointee
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{expected pointer to 'i32' to build tensor_view of this type, got 'f32'}}
    "cuda_tile.make_tensor_view"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!cuda_tile.tile<!cuda_tile.ptr<f32>>) -> !cuda_tile.tensor_view<4xi32, strides=[1]>
  }
}

// -----

// make_tensor_view_shape_operands
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{expected 1 dynamic shape operands, got 0}}
    "cuda_tile.make_tensor_view"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!cuda_tile.tile<!cuda_tile.ptr<f32>>) -> !cuda_tile.tensor_view<?xf32, strides=[1]>
  }
}

// -----

// make_tensor_view_stride_operands
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{expected 0 dynamic stride operands, got 1}}
    "cuda_tile.make_tensor_view"(%p, %n) {operandSegmentSizes = array<i32: 1, 0, 1>} : (!cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<4xf32, strides=[1]>
  }
}

// -----

// make_tensor_view_operand_types
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{expected dynamic stride index 0 to be of the same type as the other dynamic values ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
    "cuda_tile.make_tensor_view"(%p, %n, %m) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tensor_view<?xf32, strides=[?]>
  }
}

// -----

// ptr_attr_missing
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{pointer base without ptr_attr cannot produce tensor_view with ptr_attr}}
    "cuda_tile.make_tensor_view"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!cuda_tile.tile<!cuda_tile.ptr<f32>>) -> !cuda_tile.tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<none>>
  }
}

// -----

// ptr_attr_dropped
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32, <none>>>) {
    // expected-error @below {{tensor_view must preserve ptr_attr from base pointer (#cuda_tile.ptr_attr<none>)}}
    %0 = make_tensor_view %p, shape = [4], strides = [1] : tile<ptr<f32, <none>>> -> tensor_view<4xf32, strides=[1]>
  }
}

// -----

// ptr_attr_changed
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32, <none>>>) {
    // expected-error @below {{ptr_attr mismatch between base pointer (#cuda_tile.ptr_attr<none>) and result tensor_view (#cuda_tile.ptr_attr<unicast>)}}
    %0 = make_tensor_view %p, shape = [4], strides = [1] : tile<ptr<f32, <none>>> -> tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>
  }
}

// -----

// make_partition_view_type (parser)
cuda_tile.module @m {
  testing$func @f(%t: tensor_view<64x64xf32, strides=[64,1]>) {
    // expected-error @below {{expected 'partition_view' type, but got '!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>'}}
    %0 = make_partition_view %t : tensor_view<64x64xf32, strides=[64,1]>
  }
}

// -----

// make_partition_view_source
cuda_tile.module @m {
  testing$func @f(%t: tensor_view<64x64xf32, strides=[64,1]>) {
    // expected-error @below {{expected the type of the provided tensor_view value ('!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>') to be the same as the view's tensor_view type ('!cuda_tile.tensor_view<64xf32, strides=[1]>')}}
    %0 = "cuda_tile.make_partition_view"(%t) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.partition_view<tile=(4), tensor_view<64xf32, strides=[1]>>
  }
}

// -----

// get_tensor_shape_type (parser)
cuda_tile.module @m {
  testing$func @f(%x: tile<f32>) {
    // expected-error @below {{expected tensor_view, got '!cuda_tile.tile<f32>'}}
    %0 = get_tensor_shape %x : tile<f32> -> tile<i32>
  }
}

// -----

// get_tensor_shape_results
cuda_tile.module @m {
  testing$func @f(%t: tensor_view<64x64xf32, strides=[64,1]>) {
    // expected-error @below {{expected 2 results due to tensor rank, but got 1}}
    %0 = "cuda_tile.get_tensor_shape"(%t) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.tile<i32>
  }
}

// -----

// get_index_space_shape_type (parser)
cuda_tile.module @m {
  testing$func @f(%t: tensor_view<64x64xf32, strides=[64,1]>) {
    // expected-error @below {{expected tile view, got '!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>'}}
    %0 = get_index_space_shape %t : tensor_view<64x64xf32, strides=[64,1]> -> tile<i32>
  }
}

// -----

// get_index_space_shape_results
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>) {
    // expected-error @below {{expected 2 results due to view index space rank, but got 1}}
    %0 = "cuda_tile.get_index_space_shape"(%v) : (!cuda_tile.partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>) -> !cuda_tile.tile<i32>
  }
}

// -----

// access_order_syntax (parser)
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{invalid memory_ordering_semantics attribute specification. Got "strong" but expect one of: weak, relaxed, acquire, release, acq_rel}}
    %0, %1 = load_view_tko strong %v[%i, %i] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// access_weak_scope (parser)
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{operation specifies weak memory ordering semantics, but then provides "device" scope, expected no memory scope.}}
    %0, %1 = load_view_tko weak device %v[%i, %i] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// access_scope_syntax (parser)
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{invalid memory_scope attribute specification. Got "gpu" but expect one of: tl_blk, device, sys}}
    %0, %1 = load_view_tko relaxed gpu %v[%i, %i] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// access_index_count
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{expected 2 index operands (based on view type), got 1}}
    %0, %1 = load_view_tko weak %v[%i] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// access_index_missing (parser)
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{index types must be specified when indices are present}}
    %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>> -> tile<4x8xf32>, token
  }
}

// -----

// access_index_types_count (parser)
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{expected 2 index types, got 3}}
    %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32>, tile<i32>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// access_tile
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{expected tile type to be '!cuda_tile.tile<4x8xf32>' (based on view type), got '!cuda_tile.tile<8x8xf32>'}}
    %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x8xf32>, token
  }
}

// -----

// access_index_scalar
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{expected index type to be a scalar tile, got '!cuda_tile.tile<4xi32>'}}
    %0, %1 = load_view_tko weak %v[%w, %w] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<4xi32> -> tile<4x8xf32>, token
  }
}

// -----

// access_index_same
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{expected index type 1 to be the same as other index types ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
    %0, %1 = load_view_tko weak %v[%i, %j] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32>, tile<i64> -> tile<4x8xf32>, token
  }
}

// -----

// access_inbounds
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{inbounds size (1) must match the number of index dimensions (2)}}
    %0, %1 = load_view_tko weak %v[%i, %i] inbounds = [true] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// load_view_scope
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{memory scope is required for acquire load}}
    %0, %1 = load_view_tko acquire %v[%i, %i] : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// store_view_order
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %x: tile<4x8xf32>, %t: token) {
    // expected-error @below {{expect one of: weak, relaxed, or release, but got: acquire}}
    %0 = store_view_tko acquire device %x, %v[%i, %i] : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// gather_rank
cuda_tile.module @m {
  testing$func @f(%v: gather_scatter_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %b: tile<8xi32>) {
    // expected-error @below {{expected index at sparse_dim position 0 to be a 1D tensor for GatherScatterView, got rank 0}}
    %0, %1 = load_view_tko weak %v[%i, %i] : gather_scatter_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// gather_size
cuda_tile.module @m {
  testing$func @f(%v: gather_scatter_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %b: tile<8xi32>) {
    // expected-error @below {{expected gather/scatter index size (8) to match tile shape at gather/scatter dimension 0 (4)}}
    %0, %1 = load_view_tko weak %v[%b, %i] : gather_scatter_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// gather_scalar
cuda_tile.module @m {
  testing$func @f(%v: gather_scatter_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %w: tile<4xi32>, %b: tile<8xi32>) {
    // expected-error @below {{expected index 1 to be a scalar tile for GatherScatterView}}
    %0, %1 = load_view_tko weak %v[%w, %w] : gather_scatter_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<4xi32> -> tile<4x8xf32>, token
  }
}

// -----

// red_order
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x8xf32>) {
    // expected-error @below {{only 'relaxed' memory ordering is supported for view-based atomic reductions}}
    %0 = atomic_red_view_tko weak device %v[%i, %i], addf, %x : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// red_scope
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x8xf32>) {
    // expected-error @below {{memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'device' for TMA compatibility}}
    %0 = atomic_red_view_tko relaxed sys %v[%i, %i], addf, %x : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// red_gather
cuda_tile.module @m {
  testing$func @f(%v: gather_scatter_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x8xf32>) {
    // expected-error @below {{gather_scatter_view is not supported; use partition_view instead}}
    %0 = atomic_red_view_tko relaxed device %v[%i, %i], addf, %x : tile<4x8xf32>, gather_scatter_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<i32> -> token
  }
}

// -----

// red_padding
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), padding_value = zero, tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x8xf32>) {
    // expected-error @below {{views with padding_value are not supported for atomic reductions}}
    %0 = atomic_red_view_tko relaxed device %v[%i, %i], addf, %x : tile<4x8xf32>, partition_view<tile=(4x8), padding_value = zero, tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// red_element
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x8xf16>) {
    // expected-error @below {{view element type ('f32') must match value element type ('f16')}}
    %0 = atomic_red_view_tko relaxed device %v[%i, %i], addf, %x : tile<4x8xf16>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// red_shape
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x4xf32>) {
    // expected-error @below {{view tile shape 4, 8 must match value shape 4, 4 for element-wise atomic operations}}
    %0 = atomic_red_view_tko relaxed device %v[%i, %i], addf, %x : tile<4x4xf32>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// red_xchg
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x8xf32>) {
    // expected-error @below {{atomic_red_view_tko op cannot use xchg operation}}
    %0 = atomic_red_view_tko relaxed device %v[%i, %i], xchg, %x : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// red_mode
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x8xf32>) {
    // expected-error @below {{'add' works only with integers i32 and i64}}
    %0 = atomic_red_view_tko relaxed device %v[%i, %i], add, %x : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// red_mode_syntax (parser)
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x8xf32>) {
    // expected-error @below {{unknown atomic RMW mode: 'plus'; expected one of: and, or, xor, add, addf, max, min, umax, umin}}
    %0 = atomic_red_view_tko relaxed device %v[%i, %i], plus, %x : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// red_indices
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %i: tile<i32>, %w: tile<4xi32>, %x: tile<4x8xf32>) {
    // expected-error @below {{expected 2 index operand(s) for view with tile rank 2, got 1}}
    %0 = atomic_red_view_tko relaxed device %v[%i], addf, %x : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// red_index_rank
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, %w: tile<4xi32>, %x: tile<4x8xf32>) {
    // expected-error @below {{index operand 0 must be a scalar tile (rank 0), got shape 4}}
    %0 = atomic_red_view_tko relaxed device %v[%w, %w], addf, %x : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<4xi32> -> token
  }
}
