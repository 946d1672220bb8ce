// RUN: tile-opt --profile=tileiras-13.1 --allow-testing-ops %s | tile-opt --profile=tileiras-13.1 --allow-testing-ops | FileCheck --check-prefixes=CHECK,C13 %s
// RUN: not tile-opt --profile=public --allow-testing-ops %s 2>&1 | FileCheck %s --check-prefix=PUBLIC
// RUN: echo 'cuda_tile.module @m { entry @k(%%x: tile<f32>) { %%0 = ftof %%x rounding<zero> : tile<f32> -> tile<f16> } }' | not tile-opt --profile=tileiras-13.1 2>&1 | FileCheck --check-prefix=ROUND %s
// ROUND: invalid rounding mode specified. Only 'nearest_even' is supported

cuda_tile.module @m {
  // CHECK: testing$func @handle(%{{.*}}: string)
  testing$func @handle(%s: string) {
    return
  }
  // CHECK: entry @prints
  entry @prints(%x: tile<f32>) {
    // C13: print "x = %f", %{{.*}} : tile<f32>
    // PUBLIC: 'cuda_tile.print' op exists in version 13.1 only; use cuda_tile.print_tko
    print "x = %f", %x : tile<f32>
  }
}
