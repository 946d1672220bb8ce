// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics %s

// reduce_result_count
cuda_tile.module @m {
  testing$func @f(%x: tile<8xf32>) {
    // expected-error @below {{expect same number of operands and results}}
    %0:2 = reduce %x dim=0 identities=[0.0 : f32, 0.0 : f32] : tile<8xf32> -> tile<f32>, tile<f32> (%a: tile<f32>, %b: tile<f32>) {
      yield %a, %b : tile<f32>, tile<f32>
    }
  }
}

// -----

// for_init_type
cuda_tile.module @m {
  testing$func @f(%n: tile<i32>, %x: tile<f32>) {
    // expected-error @below {{init value 0 and region iter_value 0 have different type: '!cuda_tile.tile<f32>' != '!cuda_tile.tile<f64>'}}
    "cuda_tile.for"(%n, %n, %n, %x) ({
    ^bb0(%i: !cuda_tile.tile<i32>, %y: !cuda_tile.tile<f64>):
      "cuda_tile.continue"(%x) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}

// -----

// for_induction_missing
cuda_tile.module @m {
  testing$func @f(%n: tile<i32>) {
    // expected-error @below {{expected at least one block argument for induction variable}}
    "cuda_tile.for"(%n, %n, %n) ({
    ^bb0:
      "cuda_tile.continue"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}

// -----

// return_parent
// expected-error @below {{must be used within a cuda_tile.testing$func, cuda_tile.entry, or cuda_tile.if operation}}
cuda_tile.return

// -----

// return_type
cuda_tile.module @m {
  testing$func @f(%x: tile<f32>, %y: tile<f64>) -> tile<f64> {
    // expected-error @below {{type of return operand 0 ('!cuda_tile.tile<f32>') doesn't match function result type ('!cuda_tile.tile<f64>') in function @f}}
    return %x : tile<f32>
  }
}

// -----

// unpack_result_bytes
cuda_tile.module @m {
  testing$func @f(%x: tile<1xi8>) {
    // expected-error @below {{expects result tile to be byte-aligned}}
    %0 = unpack %x : tile<1xi8> -> tile<4xi1>
  }
}

// -----

// tensor_view_strides (parser)
// expected-error @below {{expected strictly positive integer, got 0}}
cuda_tile.module @m { testing$func @f(%v: tensor_view<4xf32, strides=[0]>) {} }

// -----

// gather_scatter_scalar_types
cuda_tile.module @m {
  testing$func @f(%v: gather_scatter_view<tile=(4x4x4), tensor_view<8x8x8xf32, strides=[64, 8, 1]>, sparse_dim=0>, %i: tile<4xi32>, %j: tile<i32>, %k: tile<i64>) {
    // expected-error @below {{expected scalar index 2 to have the same type as other scalar indices ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
    %0, %1 = load_view_tko weak %v[%i, %j, %k] : gather_scatter_view<tile=(4x4x4), tensor_view<8x8x8xf32, strides=[64, 8, 1]>, sparse_dim=0>, tile<4xi32>, tile<i32>, tile<i64> -> tile<4x4x4xf32>, token
  }
}

// -----

// load_view_multicast
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
    // expected-error @below {{'cuda_tile.load_view_tko' op multicast ptr_attr is not allowed}}
    %0, %1 = load_view_tko weak %v[%i] : partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4xf32>, token
  }
}

// -----

// store_view_multicast
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>, %x: tile<4xf32>) {
    // expected-error @below {{'cuda_tile.store_view_tko' op multicast ptr_attr is not allowed}}
    %0 = store_view_tko weak %x, %v[%i] : tile<4xf32>, partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> token
  }
}

// -----

// atomic_red_multicast
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>, %x: tile<4xf32>) {
    // expected-error @below {{'cuda_tile.atomic_red_view_tko' op multicast ptr_attr is not allowed}}
    %0 = atomic_red_view_tko relaxed device %v[%i], addf, %x : tile<4xf32>, partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> token
  }
}

// -----

// reduce_yield_tile
cuda_tile.module @m {
  testing$func @f(%x: tile<8xf32>, %t: token) {
    // expected-error @below {{expected TileType for operand and terminator types but got: '!cuda_tile.tile<8xf32>' and '!cuda_tile.token'}}
    %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32> (%a: tile<f32>, %b: tile<f32>) {
      yield %t : token
    }
  }
}

// -----

// print_version
cuda_tile.module @m {
  entry @k() {
    // expected-error @below {{exists in version 13.1 only; use cuda_tile.print_tko}}
    print "text"
  }
}

// -----

// preview_ops (parser)
cuda_tile.module @m {
  entry @k() {
    // expected-error @below {{'cuda_tile.preview$call' is public-preview content (feature 'simt'), which is not supported}}
    preview$call @nosuch() : () -> ()
  }
}

// -----

// fnv8e5m3fnu_range (parser)
cuda_tile.module @m {
  entry @k() {
    // expected-error @below {{expected a value from 0 to 114688, got}}
    %0 = constant <fnv8E5M3FNU: -1.0> : tile<fnv8E5M3FNU>
  }
}

// -----

// fnv8e5m3fnu_code (parser)
cuda_tile.module @m {
  entry @k() {
    // expected-error @below {{expected a hexadecimal code of 8 bits}}
    %0 = constant <fnv8E5M3FNU: 0x100> : tile<fnv8E5M3FNU>
  }
}

// -----

// scan_operand_type
cuda_tile.module @m {
  testing$func @f(%x: tile<8xf32>) {
    // expected-error @below {{expect same type for operand at index: 0 and result at index: 0}}
    %0 = "cuda_tile.scan"(%x) <{dim = 0 : i32, reverse = false, identities = [0.0 : f32]}> ({
    ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>):
      "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf64>
  }
}
