// RUN: tile-opt --allow-testing-ops --split-input-file --verify-diagnostics %s

// aggregate_identities
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{expect identities to match the number of operands but got: 1 operands and 0 identities}}
    %0 = reduce %m dim=1 identities=[] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        yield %a : tile<f32>
      }
  }
}

// -----

// aggregate_identity_type
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{expect same type for operand at index: 0 and identity at index: 0 but got: 'f32' and 'i32'}}
    %0 = reduce %m dim=1 identities=[0 : i32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        yield %a : tile<f32>
      }
  }
}

// -----

// aggregate_identity_untyped
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{expect a typed attribute for identity at index: 0}}
    %0 = reduce %m dim=1 identities=[[]] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        yield %a : tile<f32>
      }
  }
}

// -----

// aggregate_dim
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{dimension (2) is out of bound [0, 2)}}
    %0 = scan %m dim=2 reverse=false identities=[0.0 : f32] : tile<4x8xf32> -> tile<4x8xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        yield %a : tile<f32>
      }
  }
}

// -----

// reduce_result (ods)
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{are incompatible with return type(s) of operation}}
    // expected-error @below {{failed to infer returned types}}
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<8xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        yield %a : tile<f32>
      }
  }
}

// -----

// aggregate_arguments
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{expect 2 block arguments but got: 1}}
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>) {
        yield %a : tile<f32>
      }
  }
}

// -----

// aggregate_argument_rank
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{expect 0-rank tile type at index: 1 but got: '!cuda_tile.tile<2xf32>'}}
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<2xf32>) {
        yield %a : tile<f32>
      }
  }
}

// -----

// aggregate_argument_pair
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{expect same element type for block argument at index: 0 and 1 but got: 'f32' and 'f16'}}
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<f16>) {
        yield %a : tile<f32>
      }
  }
}

// -----

// aggregate_argument_type
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{expect same type for operand at index: 0 and block argument at index: 0 but got: 'f32' and 'f16'}}
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f16>, %b: tile<f16>) {
        yield %a : tile<f16>
      }
  }
}

// -----

// aggregate_yield_count
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{expect number of terminators operands (2) to match number of operands (1)}}
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        yield %a, %b : tile<f32>, tile<f32>
      }
  }
}

// -----

// aggregate_yield_type
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    // expected-error @below {{expect same type for operand at index: 0 and terminator argument at index: 0 but got: 'f32' and 'f16'}}
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %t = ftof %a : tile<f32> -> tile<f16>
        yield %t : tile<f16>
      }
  }
}

// -----

// aggregate_pure
// [spec: reduce-body-pure]
cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        // expected-error @below {{only pure operations are allowed inside 'cuda_tile.reduce'}}
        %t = print_tko "x" -> token
        yield %a : tile<f32>
      }
  }
}
