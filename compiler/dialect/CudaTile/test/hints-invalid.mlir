// RUN: tile-opt --Wunsupported-hints --Werr-hints --split-input-file --verify-diagnostics %s

// hints_error
cuda_tile.module @m {
  // expected-warning @below {{unknown hint key sm_100a}}
  // expected-error @below {{Optimization hints verification failed}}
  entry @k() optimization_hints=<sm_100a = {num_cta_in_cga = 2}> {}
}
