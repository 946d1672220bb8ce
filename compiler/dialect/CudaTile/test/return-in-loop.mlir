// RUN: tile-opt --profile=tileiras-13.5 %s | tile-opt --profile=tileiras-13.5 | FileCheck %s
// RUN: not tile-opt --profile=public %s 2>&1 | FileCheck --check-prefix=REFUSED %s
// RUN: not tile-opt --profile=tileiras-13.1 %s 2>&1 | FileCheck --check-prefix=REFUSED %s
// RUN: echo 'cuda_tile.module @m { entry @k(%%n: tile<i32>) { for %%i in (%%n to %%n, step %%n) : tile<i32> { loop { return } } } }' | not tile-opt --profile=tileiras-13.5 2>&1 | FileCheck --check-prefix=REFUSED %s
// REFUSED: must be used within a cuda_tile.testing$func, cuda_tile.entry, or cuda_tile.if operation

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %c: tile<i1>) {
    // CHECK: loop {
    // CHECK-NEXT: loop {
    // CHECK-NEXT: if
    // CHECK-NEXT: return
    loop {
      loop {
        if %c {
          return
        }
      }
      break
    }
    return
  }
}
