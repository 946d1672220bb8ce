// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics %s

// break_ancestor (ods)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{expects parent op to be one of}}
    break
  }
}

// -----

// yield_parent (ods)
cuda_tile.module @m {
  testing$func @f() {
    // expected-error @below {{expects parent op to be one of}}
    yield
  }
}

// -----

// continue_types
cuda_tile.module @m {
  testing$func @f(%n: tile<i32>, %x: tile<f32>) {
    %0 = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %x) -> (tile<f32>) {
      // expected-error @below {{`for` is missing a valid terminator. `continue` op should have operand types that match the parent loop return types: ('!cuda_tile.tile<f32>'), but found: ('!cuda_tile.tile<i32>')}}
      continue %n : tile<i32>
    }
  }
}

// -----

// continue_loop_types
cuda_tile.module @m {
  testing$func @f(%x: tile<f32>) {
    loop iter_values(%a = %x) : tile<f32> {
      // expected-error @below {{`loop` is missing a valid terminator. `continue` op should have operand types that match the parent loop iter_values: ('!cuda_tile.tile<f32>'), but found: ()}}
      continue
    }
  }
}

// -----

// break_types
cuda_tile.module @m {
  testing$func @f(%x: tile<f32>) {
    loop {
      // expected-error @below {{operand types must correspond to the parent loop result types: ('!cuda_tile.tile<f32>') vs ()}}
      break %x : tile<f32>
    }
  }
}

// -----

// break_in_for
cuda_tile.module @m {
  testing$func @f(%n: tile<i32>, %c: tile<i1>) {
    // expected-note @below {{see unexpected ancestor operation}}
    for %i in (%n to %n, step %n) : tile<i32> {
      if %c {
        // expected-error @below {{can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations}}
        break
      }
    }
  }
}

// -----

// for_induction
cuda_tile.module @m {
  testing$func @f(%n: tile<i32>, %m: tile<i64>) {
    // expected-error @below {{expected induction variable to be same type as bounds and step: '!cuda_tile.tile<i64>' vs '!cuda_tile.tile<i32>'}}
    "cuda_tile.for"(%n, %n, %n) ({
    ^bb0(%i: !cuda_tile.tile<i64>):
      "cuda_tile.continue"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}

// -----

// loop_counts
cuda_tile.module @m {
  testing$func @f(%x: tile<f32>) {
    // expected-error @below {{mismatch in number of region iterator values and loop iterator inits: 0 vs 1}}
    "cuda_tile.loop"(%x) ({
      "cuda_tile.continue"(%x) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<f32>) -> ()
  }
}

// -----

// loop_view
// [spec: view-not-carried]
cuda_tile.module @m {
  testing$func @f(%v: tensor_view<64x64xf32, strides=[64,1]>) {
    // expected-error @below {{loop-carried value 0 is a tensor_view, which is not supported}}
    loop iter_values(%a = %v) : tensor_view<64x64xf32, strides=[64,1]> {
      continue %a : tensor_view<64x64xf32, strides=[64,1]>
    }
  }
}

// -----

// loop_tile_view
cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>) {
    // expected-error @below {{loop-carried value 0 is a tile view, which is not supported}}
    loop iter_values(%a = %v) : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>> {
      continue %a : partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>>
    }
  }
}

// -----

// if_no_else
cuda_tile.module @m {
  testing$func @f(%c: tile<i1>, %x: tile<f32>) {
    // expected-error @below {{has non-empty return type, must define else branch}}
    %0 = if %c -> (tile<f32>) {
      yield %x : tile<f32>
    }
  }
}

// -----

// if_no_yield
cuda_tile.module @m {
  testing$func @f(%c: tile<i1>, %x: tile<f32>) {
    // expected-error @below {{has return type of '!cuda_tile.tile<f32>' but then branch does not yield anything}}
    %0 = if %c -> (tile<f32>) {
    } else {
      yield %x : tile<f32>
    }
  }
}

// -----

// if_yields
cuda_tile.module @m {
  testing$func @f(%c: tile<i1>, %x: tile<f32>) {
    // expected-error @below {{does not return a value, but then branch yields '!cuda_tile.tile<f32>'}}
    if %c {
      yield %x : tile<f32>
    }
  }
}

// -----

// if_yield_type
cuda_tile.module @m {
  testing$func @f(%c: tile<i1>, %x: tile<f32>, %n: tile<i32>) {
    // expected-error @below {{type does not match yield type, else branch yields '!cuda_tile.tile<i32>' but op result type is '!cuda_tile.tile<f32>'}}
    %0 = if %c -> (tile<f32>) {
      yield %x : tile<f32>
    } else {
      yield %n : tile<i32>
    }
  }
}

// -----

// if_view
cuda_tile.module @m {
  testing$func @f(%c: tile<i1>, %v: tensor_view<64x64xf32, strides=[64,1]>) {
    // expected-error @below {{result type 0 is a tensor_view, which is not supported}}
    %0 = if %c -> (tensor_view<64x64xf32, strides=[64,1]>) {
      yield %v : tensor_view<64x64xf32, strides=[64,1]>
    } else {
      yield %v : tensor_view<64x64xf32, strides=[64,1]>
    }
  }
}

// -----

// return_count
cuda_tile.module @m {
  testing$func @f(%x: tile<f32>) {
    // expected-error @below {{has 1 operands, but enclosing function (@f) returns 0}}
    return %x : tile<f32>
  }
}
