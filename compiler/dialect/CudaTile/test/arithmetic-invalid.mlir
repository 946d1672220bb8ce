// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics %s

// rounding_syntax (parser)
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'approx'}}
    %0 = addf %a, %b rounding<approx> : tile<f32>
  }
}

// -----

// rounding_ieee
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
    %0 = "cuda_tile.addf"(%a, %b) {rounding_mode = #cuda_tile.rounding<full>} : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}

// -----

// flush_to_zero
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = mulf %h, %h flush_to_zero : tile<f16>
  }
}

// -----

// flush_to_zero_max
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{flush_to_zero modifier only supported for f32 data type, but got: 'f64'}}
    %0 = maxf %d, %d flush_to_zero : tile<f64>
  }
}

// -----

// div_approx
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{approx modifier only supported for f32 data type, but got: 'f16'}}
    %0 = divf %h, %h rounding<approx> : tile<f16>
  }
}

// -----

// div_full
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{full modifier only supported for f32 data type, but got: 'f16'}}
    %0 = divf %h, %h rounding<full> : tile<f16>
  }
}

// -----

// div_rounding
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx, full]}}
    %0 = divf %h, %h rounding<nearest_int_to_zero> : tile<f16>
  }
}

// -----

// exp_rounding
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [approx, full]}}
    %0 = exp %a rounding<zero> : tile<f32>
  }
}

// -----

// tanh_rounding
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [approx, full]}}
    %0 = tanh %a rounding<zero> : tile<f32>
  }
}

// -----

// tanh_approx
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{approx modifier only supported for f32 data type, but got: 'f16'}}
    %0 = tanh %h rounding<approx> : tile<f16>
  }
}

// -----

// sqrt_rounding
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx]}}
    %0 = sqrt %a rounding<full> : tile<f32>
  }
}

// -----

// fpowi_exponent (ods)
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %n: tile<i64>) {
    // expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 values, but got '!cuda_tile.tile<i64>'}}
    %0 = fpowi %a, %n : tile<f32>, tile<i64>
  }
}

// -----

// signedness (parser)
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{expected signedness to be one of: {'signed', 'unsigned'}}}
    %0 = maxi %i, %i sig : tile<i32>
  }
}

// -----

// comparison_predicate (parser)
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{expected 'comparison_predicate' to be one of: {'equal', 'not_equal', 'less_than', 'less_than_or_equal', 'greater_than', 'greater_than_or_equal'}}}
    %0 = cmpi lt %i, %i, signed : tile<i32> -> tile<i1>
  }
}

// -----

// comparison_ordering (parser)
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}}}
    %0 = cmpf equal o %a, %a : tile<f32> -> tile<i1>
  }
}

// -----

// divi_rounding
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]}}
    %0 = divi %i, %i signed rounding<full> : tile<i32>
  }
}

// -----

// divi_unsigned_floor
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{rounding mode 'negative_inf' is not allowed with 'unsigned' flag}}
    %0 = divi %i, %i unsigned rounding<negative_inf> : tile<i32>
  }
}

// -----

// negi_overflow
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{'no_unsigned_wrap' overflow flag is not supported}}
    %0 = negi %i overflow<no_unsigned_wrap> : tile<i32>
  }
}

// -----

// exti_width
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{extending to smaller or identical integer}}
    %0 = exti %i signed : tile<i32> -> tile<i32>
  }
}

// -----

// trunci_width
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{truncating to larger or identical integer}}
    %0 = trunci %i : tile<i32> -> tile<i64>
  }
}

// -----

// bitcast_width
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{types must be equal width, cannot convert '!cuda_tile.tile<i32>' of width 32 to type '!cuda_tile.tile<f16>' of width 16}}
    %0 = bitcast %i : tile<i32> -> tile<f16>
  }
}

// -----

// itof_e8m0
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{integer to f8E8M0FNU conversion is not supported, please first convert to another float type}}
    %0 = itof %i signed : tile<i32> -> tile<f8E8M0FNU>
  }
}

// -----

// itof_rounding
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified. Only 'nearest_even' is supported}}
    %0 = itof %i signed rounding<zero> : tile<i32> -> tile<f32>
  }
}

// -----

// ftoi_rounding
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified. Only 'nearest_int_to_zero' is supported}}
    %0 = "cuda_tile.ftoi"(%a) {signedness = #cuda_tile.signedness<signed>, rounding_mode = #cuda_tile.rounding<zero>} : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
  }
}

// -----

// ftof_no_op
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{converting tiles must not be a no-op}}
    %0 = ftof %a : tile<f32> -> tile<f32>
  }
}

// -----

// ftof_e8m0
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified for conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported}}
    %0 = ftof %a : tile<f32> -> tile<f8E8M0FNU>
  }
}

// -----

// ftof_rounding
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified. Only 'nearest_even' is supported}}
    %0 = ftof %a rounding<zero> : tile<f32> -> tile<f16>
  }
}

// -----

// mma_rank
cuda_tile.module @m {
  testing$func @f(%l: tile<4xf32>, %r: tile<4xf32>, %a: tile<4xf32>) {
    // expected-error @below {{operands must be 2D or 3D tiles}}
    %0 = mmaf %l, %r, %a : tile<4xf32>, tile<4xf32>, tile<4xf32>
  }
}

// -----

// mma_k
cuda_tile.module @m {
  testing$func @f(%l: tile<4x8xf32>, %r: tile<4x8xf32>, %a: tile<4x8xf32>) {
    // expected-error @below {{ shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match, but got lhs shape (4, 8) and rhs shape (4, 8)}}
    %0 = mmaf %l, %r, %a : tile<4x8xf32>, tile<4x8xf32>, tile<4x8xf32>
  }
}

// -----

// mma_m
cuda_tile.module @m {
  testing$func @f(%l: tile<4x8xf32>, %r: tile<8x4xf32>, %a: tile<2x4xf32>) {
    // expected-error @below {{ shape error: dim 0 of lhs (4) and dim 0 of acc (2) must match, but got lhs shape (4, 8) and acc shape (2, 4)}}
    %0 = mmaf %l, %r, %a : tile<4x8xf32>, tile<8x4xf32>, tile<2x4xf32>
  }
}

// -----

// mma_n
cuda_tile.module @m {
  testing$func @f(%l: tile<4x8xf32>, %r: tile<8x4xf32>, %a: tile<4x2xf32>) {
    // expected-error @below {{ shape error: dim 1 of rhs (4) and dim 1 of acc (2) must match, but got rhs shape (8, 4) and acc shape (4, 2)}}
    %0 = mmaf %l, %r, %a : tile<4x8xf32>, tile<8x4xf32>, tile<4x2xf32>
  }
}

// -----

// mma_batch_rhs
cuda_tile.module @m {
  testing$func @f(%l: tile<2x4x8xf32>, %r: tile<4x8x4xf32>, %a: tile<2x4x4xf32>) {
    // expected-error @below {{shape error: dim 0 of lhs (2) and dim 0 of rhs (4) must match}}
    %0 = mmaf %l, %r, %a : tile<2x4x8xf32>, tile<4x8x4xf32>, tile<2x4x4xf32>
  }
}

// -----

// mma_batch_acc
cuda_tile.module @m {
  testing$func @f(%l: tile<2x4x8xf32>, %r: tile<2x8x4xf32>, %a: tile<4x4x4xf32>) {
    // expected-error @below {{shape error: dim 0 of lhs (2) and dim 0 of acc (4) must match}}
    %0 = mmaf %l, %r, %a : tile<2x4x8xf32>, tile<2x8x4xf32>, tile<4x4x4xf32>
  }
}

// -----

// mma_types
cuda_tile.module @m {
  testing$func @f(%l: tile<4x8xbf16>, %r: tile<8x4xbf16>, %a: tile<4x4xf16>) {
    // expected-error @below {{unsupported combination of element types. Input type 'bf16' expects accumulator/result type to be one of {'f32'}, but got 'f16'}}
    %0 = mmaf %l, %r, %a : tile<4x8xbf16>, tile<8x4xbf16>, tile<4x4xf16>
  }
}

// -----

// mma_element (ods)
cuda_tile.module @m {
  testing$func @f(%l: tile<4x8xf16>, %r: tile<8x4xf32>, %a: tile<4x4xf32>) {
    // expected-error @below {{all of {lhs, rhs} have the same element type}}
    %0 = mmaf %l, %r, %a : tile<4x8xf16>, tile<8x4xf32>, tile<4x4xf32>
  }
}

// -----

// scaled_rows
cuda_tile.module @m {
  testing$func @f(%l: tile<16x64xf8E5M2>, %r: tile<64x16xf8E5M2>, %a: tile<16x16xf32>, %s: tile<8x2xf8E8M0FNU>, %t: tile<2x16xf8E8M0FNU>) {
    // expected-error @below {{shape error: dim 0 of lhs (16) and dim 0 of lhs_scale (8) must match, but got lhs shape (16, 64) and lhs_scale shape (8, 2)}}
    %0 = mmaf_scaled %l, %r, %a, %s, %t : tile<16x64xf8E5M2>, tile<64x16xf8E5M2>, tile<16x16xf32>, tile<8x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
  }
}

// -----

// scaled_divisor
cuda_tile.module @m {
  testing$func @f(%l: tile<16x64xf8E5M2>, %r: tile<64x16xf8E5M2>, %a: tile<16x16xf32>, %s: tile<16x128xf8E8M0FNU>, %t: tile<128x16xf8E8M0FNU>) {
    // expected-error @below {{shape error: dim 1 of lhs_scale (128) must be a divisor of dim 1 of lhs (64), but got lhs_scale shape (16, 128) and lhs shape (16, 64)}}
    %0 = mmaf_scaled %l, %r, %a, %s, %t : tile<16x64xf8E5M2>, tile<64x16xf8E5M2>, tile<16x16xf32>, tile<16x128xf8E8M0FNU>, tile<128x16xf8E8M0FNU>
  }
}

// -----

// scaled_f8_factor
cuda_tile.module @m {
  testing$func @f(%l: tile<16x64xf8E5M2>, %r: tile<64x16xf8E5M2>, %a: tile<16x16xf32>, %s: tile<16x4xf8E8M0FNU>, %t: tile<4x16xf8E8M0FNU>) {
    // expected-error @below {{shape error: f8 element type requires block scale factor of lhs_scale and rhs_scale to be 32, but got 16}}
    %0 = mmaf_scaled %l, %r, %a, %s, %t : tile<16x64xf8E5M2>, tile<64x16xf8E5M2>, tile<16x16xf32>, tile<16x4xf8E8M0FNU>, tile<4x16xf8E8M0FNU>
  }
}

// -----

// scaled_types
cuda_tile.module @m {
  testing$func @f(%l: tile<16x64xf8E5M2>, %r: tile<64x16xf8E5M2>, %a: tile<16x16xf32>, %s: tile<16x2xf8E4M3FN>, %t: tile<2x16xf8E4M3FN>) {
    // expected-error @below {{unsupported combination of element types. Scale type 'f8E4M3FN' expects lhs and rhs element types to be 'f4E2M1FN', but got 'f8E5M2'}}
    %0 = mmaf_scaled %l, %r, %a, %s, %t : tile<16x64xf8E5M2>, tile<64x16xf8E5M2>, tile<16x16xf32>, tile<16x2xf8E4M3FN>, tile<2x16xf8E4M3FN>
  }
}

// -----

// scaled_f4_e4m3
cuda_tile.module @m {
  testing$func @f(%l: tile<16x64xf4E2M1FN>, %r: tile<64x16xf4E2M1FN>, %a: tile<16x16xf32>, %s: tile<16x2xf8E4M3FN>, %t: tile<2x16xf8E4M3FN>) {
    // expected-error @below {{shape error: f4E2M1FN element type with f8E4M3FN scales requires block scale factor of lhs_scale and rhs_scale to be 16, but got 32}}
    %0 = mmaf_scaled %l, %r, %a, %s, %t : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x2xf8E4M3FN>, tile<2x16xf8E4M3FN>
  }
}

// -----

// scaled_f4_e8m0
cuda_tile.module @m {
  testing$func @f(%l: tile<16x64xf4E2M1FN>, %r: tile<64x16xf4E2M1FN>, %a: tile<16x16xf32>, %s: tile<16x1xf8E8M0FNU>, %t: tile<1x16xf8E8M0FNU>) {
    // expected-error @below {{shape error: f4E2M1FN element type with f8E8M0FNU scales requires block scale factor of lhs_scale and rhs_scale to be 16 or 32, but got 64}}
    %0 = mmaf_scaled %l, %r, %a, %s, %t : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x1xf8E8M0FNU>, tile<1x16xf8E8M0FNU>
  }
}
