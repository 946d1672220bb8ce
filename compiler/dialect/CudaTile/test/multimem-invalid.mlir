// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics %s

// multimem_pointer
// [spec: multimem-pointer]
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, %i: tile<i32>) {
    // expected-error @below {{expected a multicast pointer, but got none}}
    %0, %1 = multimem_load_reduce_view_tko weak %v[%i] : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
  }
}

// -----

// multimem_unicast
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>>, %i: tile<i32>) {
    // expected-error @below {{expected a multicast pointer, but got unicast}}
    %0, %1 = multimem_load_reduce_view_tko weak %v[%i] : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>>, tile<i32> -> tile<16xf32>, token
  }
}

// -----

// multimem_view
// [spec: multimem-view]
cuda_tile.module @m {
  testing$func @f(%v: strided_view<tile=(16), traversal_strides=[16], tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
    // expected-error @below {{multimem view operations support only partition_view; got '!cuda_tile.strided_view<}}
    %0, %1 = multimem_load_reduce_view_tko weak %v[%i] : strided_view<tile=(16), traversal_strides=[16], tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<16xf32>, token
  }
}

// -----

// multimem_float
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf8E5M2, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
    // expected-error @below {{multimem supports only f16, bf16, f32, and f64 floating-point element types}}
    %0, %1 = multimem_load_reduce_view_tko weak %v[%i] : partition_view<tile=(16), tensor_view<64xf8E5M2, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<16xf8E5M2>, token
  }
}

// -----

// multimem_integer
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xi16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
    // expected-error @below {{multimem requires 32- or 64-bit integer/index element types; got 16 bits}}
    %0, %1 = multimem_load_reduce_view_tko weak %v[%i] : partition_view<tile=(16), tensor_view<64xi16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<16xi16>, token
  }
}

// -----

// multimem_min
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
    // expected-error @below {{min/max supports f16 and bf16 float types only; got 'f32'}}
    %0, %1 = multimem_load_reduce_view_tko weak %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<16xf32>, token
  }
}

// -----

// multimem_and
// [spec: multimem-kinds]
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
    // expected-error @below {{and/or/xor/umin/umax reductions require integer element types}}
    %0, %1 = multimem_load_reduce_view_tko weak %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<16xf32>, token
  }
}

// -----

// multimem_load_order
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
    // expected-error @below {{expect one of: weak, relaxed, or acquire, but got: release}}
    %0, %1 = multimem_load_reduce_view_tko release device %v[%i] : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<16xf32>, token
  }
}

// -----

// multimem_reduce_kind
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<16xf16>, %i: tile<i32>) {
    // expected-error @below {{supports only add for floating-point element types}}
    %0 = multimem_reduce_view_tko relaxed device %v, %x[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(16), tensor_view<64xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<16xf16>, tile<i32> -> token
  }
}

// -----

// multimem_reduce_order
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<16xf32>, %i: tile<i32>) {
    // expected-error @below {{memory ordering semantics must be one of: relaxed, release}}
    %0 = multimem_reduce_view_tko acquire device %v, %x[%i] : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<16xf32>, tile<i32> -> token
  }
}

// -----

// multimem_store_scope
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<16xf32>, %i: tile<i32>) {
    // expected-error @below {{memory scope is required for release store}}
    %0 = multimem_store_view_tko release %v, %x[%i] : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<16xf32>, tile<i32> -> token
  }
}

// -----

// multimem_tile
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf32>, %i: tile<i32>) {
    // expected-error @below {{expected tile type to be '!cuda_tile.tile<16xf32>' (based on view type), got '!cuda_tile.tile<8xf32>'}}
    %0 = multimem_store_view_tko weak %v, %x[%i] : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
  }
}
