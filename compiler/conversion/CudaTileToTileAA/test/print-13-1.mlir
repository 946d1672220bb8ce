// RUN: tile-opt %s --profile=tileiras-13.1 --convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck %s

// The first version's print has no token.
cuda_tile.module @m {
  entry @kernel(%x: tile<i32>) {
    // CHECK: "nv_tileaa.print"(%{{.*}}) <{format = "x = %d", operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> ()
    print "x = %d", %x : tile<i32>
    return
  }
}
