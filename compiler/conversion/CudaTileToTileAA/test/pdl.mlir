// RUN: tile-opt %s --convert-cudatile-to-tileaa="pdl-patterns=%S/pdl/patterns.pdl" | FileCheck %s --check-prefixes=CHECK,L11
// RUN: tile-opt %s --convert-cudatile-to-tileaa | FileCheck %s --check-prefix=OURS
// RUN: not tile-opt %s --convert-cudatile-to-tileaa="pdl-patterns=%S/pdl/unknown.pdl" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-opt %s --convert-cudatile-to-tileaa="pdl-patterns=%S/pdl/nothing-here.mlir" 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: echo "pdl.pattern {" > %t.broken
// RUN: not tile-opt %s --convert-cudatile-to-tileaa="pdl-patterns=%t.broken" 2>&1 | FileCheck %s --check-prefix=ABSENT

// Patterns of a file take part in the conversion, by their benefit.
// CHECK: %[[X:.*]] = "nv_tileaa.splat"
// L11: arith.negf %[[X]] {by = "user"} : tensor<8xf32>
// OURS: arith.negf
// OURS-NOT: by = "user"
// UNKNOWN: error: failed to lower PDL pattern module to the PDL Interpreter

// UNKNOWN: unknown.pdl: no constraint 'elsewhere' is registered
// ABSENT: error: failed to lower PDL pattern module to the PDL Interpreter
// ABSENT: expected a file of patterns
cuda_tile.module @m {
  entry @f() {
    %x = constant <f32: 2.0> : tile<8xf32>
    %y = negf %x : tile<8xf32>
    return
  }
}
