// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics %s

// join_tokens
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{expect two or more tokens}}
    %0 = join_tokens %t : token
  }
}

// -----

// load_order
// [spec: mem-order-load]
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{expect one of: weak, relaxed, or acquire, but got: release}}
    %0, %1 = load_ptr_tko release device %p : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

// load_weak_scope
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{weak load must not have memory scope}}
    %0, %1 = load_ptr_tko weak device %p : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

// load_scope
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{memory scope is required for relaxed load}}
    %0, %1 = load_ptr_tko relaxed %p : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

// load_pointee (ods)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{`source` type is expected a pointer type of `result` type}}
    %0, %1 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<i32>, token
  }
}

// -----

// load_mask (ods)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{shape of 'mask' must match the shape of 'source'}}
    %0, %1 = load_ptr_tko weak %p, %w : tile<ptr<f32>>, tile<4xi1> -> tile<f32>, token
  }
}

// -----

// load_padding (ods)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{type of 'paddingValue' must match the type of 'result'}}
    %0, %1 = load_ptr_tko weak %p, %c, %i : tile<ptr<f32>>, tile<i1>, tile<i32> -> tile<f32>, token
  }
}

// -----

// store_order
// [spec: mem-order-store]
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{expect one of: weak, relaxed, or release, but got: acquire}}
    %0 = store_ptr_tko acquire device %p, %x : tile<ptr<f32>>, tile<f32> -> token
  }
}

// -----

// store_weak_scope
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{weak store must not have memory scope}}
    %0 = store_ptr_tko weak sys %p, %x : tile<ptr<f32>>, tile<f32> -> token
  }
}

// -----

// store_scope
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{memory scope is required for release store}}
    %0 = store_ptr_tko release %p, %x : tile<ptr<f32>>, tile<f32> -> token
  }
}

// -----

// store_pointee (ods)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{`destination` type is expected a pointer type of `value` type}}
    %0 = store_ptr_tko weak %p, %i : tile<ptr<f32>>, tile<i32> -> token
  }
}

// -----

// store_mask (ods)
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{shape of 'destination' must match the shape of 'mask'}}
    %0 = store_ptr_tko weak %p, %x, %w : tile<ptr<f32>>, tile<f32>, tile<4xi1> -> token
  }
}

// -----

// alloca_power
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{'alignment' must be power of two}}
    %0 = alloca num_elem = 4, alignment = 3 : tile<ptr<f32>>
  }
}

// -----

// alloca_size
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{'alignment' (2) must be at least the natural size (4 bytes) for element type 'f32'}}
    %0 = alloca num_elem = 4, alignment = 2 : tile<ptr<f32>>
  }
}

// -----

// rmw_pointee
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{expected pointee type ('f32') to match element type of 'arg' ('i32')}}
    %0, %1 = atomic_rmw_tko relaxed device %p, add, %i : tile<ptr<f32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// rmw_mask
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{failed to verify that all of {pointers, arg, mask} have same shape}}
    %0, %1 = atomic_rmw_tko relaxed device %q, add, %i, %w : tile<ptr<i32>>, tile<i32>, tile<4xi1> -> tile<i32>, token
  }
}

// -----

// rmw_integer
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{'add' works only with integers i32 and i64}}
    %0, %1 = atomic_rmw_tko relaxed device %p, add, %x : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// rmw_float
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{'addf' works only with floats f16, bf16, f32, and f64}}
    %0, %1 = atomic_rmw_tko relaxed device %q, addf, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// rmw_xchg
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<i8>>, %x: tile<i8>) {
    // expected-error @below {{'xchg' works only with integers or float of 32 or 64 bitwidth}}
    %0, %1 = atomic_rmw_tko relaxed device %p, xchg, %x : tile<ptr<i8>>, tile<i8> -> tile<i8>, token
  }
}

// -----

// rmw_order
// [spec: atomic-order]
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
    %0, %1 = atomic_rmw_tko weak device %q, add, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// cas_pointee
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{expected pointee type ('f32') to match element type of 'val' ('i32')}}
    %0, %1 = atomic_cas_tko relaxed device %p, %i, %i : tile<ptr<f32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// cas_width
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<i8>>, %x: tile<i8>) {
    // expected-error @below {{expect only float or integer types with 32 or 64 bit}}
    %0, %1 = atomic_cas_tko relaxed device %p, %x, %x : tile<ptr<i8>>, tile<i8> -> tile<i8>, token
  }
}

// -----

// cas_mask
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    // expected-error @below {{failed to verify that all of {pointers, val, cmp and mask} have same shape}}
    %0, %1 = atomic_cas_tko relaxed device %q, %i, %i, %w : tile<ptr<i32>>, tile<i32>, tile<4xi1> -> tile<i32>, token
  }
}

// -----

// multicast_load
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32, <multicast>>>, %x: tile<f32>) {
    // expected-error @below {{multicast pointer is not allowed}}
    %0, %1 = load_ptr_tko weak %p : tile<ptr<f32, <multicast>>> -> tile<f32>, token
  }
}

// -----

// multicast_store
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32, <multicast>>>, %x: tile<f32>) {
    // expected-error @below {{multicast pointer is not allowed}}
    %0 = store_ptr_tko weak %p, %x : tile<ptr<f32, <multicast>>>, tile<f32> -> token
  }
}

// -----

// multicast_rmw
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32, <multicast>>>, %x: tile<f32>) {
    // expected-error @below {{multicast pointer is not supported for atomic_rmw}}
    %0, %1 = atomic_rmw_tko relaxed device %p, addf, %x : tile<ptr<f32, <multicast>>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// multicast_cas
cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32, <multicast>>>, %x: tile<f32>) {
    // expected-error @below {{multicast pointer is not supported for atomic_cas}}
    %0, %1 = atomic_cas_tko relaxed device %p, %x, %x : tile<ptr<f32, <multicast>>>, tile<f32> -> tile<f32>, token
  }
}
