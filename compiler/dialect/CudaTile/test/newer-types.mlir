// RUN: tile-opt --allow-testing-ops %s | tile-opt --allow-testing-ops | FileCheck %s
// RUN: tile-opt --allow-testing-ops --mlir-print-op-generic %s | tile-opt --allow-testing-ops | FileCheck %s
// RUN: tile-opt --allow-testing-ops --mlir-print-debuginfo %s | FileCheck %s --check-prefix=DEBUG

// Types, spellings and attributes that came after 13.3, and the ops of test suites.
// DEBUG: #cuda_tile.di_subprogram<{{.*}}, scopeLine = 1, flags = declaration>
#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1, flags = declaration>
cuda_tile.module @m {
  // CHECK: entry @k(%{{.*}}: tile<ptr<fnv8E5M3FNU>>)
  entry @k(%p: tile<ptr<fnv8E5M3FNU>>) {
    // CHECK: %cst_1_fnv8E5M3FNU = constant <fnv8E5M3FNU: 1.000000e+00> : tile<fnv8E5M3FNU>
    %0 = constant <fnv8E5M3FNU: 1.0> : tile<fnv8E5M3FNU>
    // CHECK: constant <fnv8E5M3FNU: {{\[}}[0.000000e+00, 0xFF], [1.146880e+05, 7.629390e-06]]> : tile<2x2xfnv8E5M3FNU>
    %1 = constant <fnv8E5M3FNU: [[0.0, 0xff], [114688.0, 7.7e-6]]> : tile<2x2xfnv8E5M3FNU>
    // CHECK: ftof %cst_1_fnv8E5M3FNU : tile<fnv8E5M3FNU> -> tile<f32>
    %2 = ftof %0 : tile<fnv8E5M3FNU> -> tile<f32>
    // CHECK: pow %{{.*}}, %{{.*}} : tile<f32>
    // [spec: bytecode-pow-name]
    %3 = fpowf %2, %2 : tile<f32>
    return
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>)
  // CHECK: testing$func @f
  testing$func @f(%x: tile<4xf32>, %t: token) {
    // CHECK: testing$bytecode_test_new_attribute new_flag new_param = 7
    testing$bytecode_test_new_attribute new_flag new_param = 7
    // CHECK: testing$bytecode_test_evolution(%{{.*}} : !cuda_tile.tile<4xf32>) new_attr = 3 token = %{{.*}} : token priority = <high> test_attr = <5> -> token
    %0 = testing$bytecode_test_evolution(%x : !cuda_tile.tile<4xf32>) new_attr = 3 token = %t : token priority = <high> test_attr = <5> -> token
  }
}
