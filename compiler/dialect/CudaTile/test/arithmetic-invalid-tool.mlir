// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics --profile=tileiras-13.5 %s

// tool_ftof_tf32
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified for conversion from f32 to tf32. Only 'nearest_even', 'zero', and 'nearest_away' are supported}}
    %0 = ftof %a rounding<positive_inf> : tile<f32> -> tile<tf32>
  }
}

// -----

// tool_ftof_f64
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified for conversion from f64 to f32. Only 'nearest_even', 'zero', 'negative_inf', and 'positive_inf' are supported}}
    %0 = ftof %d rounding<nearest_away> : tile<f64> -> tile<f32>
  }
}

// -----

// tool_ftof_narrow
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified. Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types}}
    %0 = ftof %a rounding<positive_inf> : tile<f32> -> tile<f16>
  }
}

// -----

// tool_ftof_low
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified for conversion to low-precision type. Only 'nearest_even' is supported}}
    %0 = ftof %a rounding<zero> : tile<f32> -> tile<f8E4M3FN>
  }
}

// -----

// tool_aggregate
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        // expected-error @below {{only memory-effect-free operations are allowed inside 'cuda_tile.reduce'}}
        %t = print_tko "x" -> token
        yield %a : tile<f32>
      }
  }
}

// -----

// tool_ftof_widen
cuda_tile.module @m {
  testing$func @f(%h: tile<f16>) {
    // expected-error @below {{invalid rounding mode specified for widening conversion. Only IEEE float rounding modes are supported: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'nearest_away'}}
    %0 = "cuda_tile.ftof"(%h) <{rounding_mode = #cuda_tile.rounding<full>}> : (!cuda_tile.tile<f16>) -> !cuda_tile.tile<f32>
  }
}

// -----

// tool_f4_pointers
cuda_tile.module @m {
  // expected-error @below {{tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for memory accesses}}
  testing$func @f(%p: tile<4xptr<f4E2M1FN>>) {
  }
}
