// RUN: not tile-opt %s --convert-cudatile-to-tileaa=compute-capability= 2>&1 | FileCheck %s --check-prefix=L2
// RUN: not tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_x 2>&1 | FileCheck %s --check-prefix=L2
// RUN: not tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_90 2>&1 | FileCheck %s --check-prefix=L3

// L2: error: invalid or missing --compute-capability option
// L3: error: failed to legalize operation 'cuda_tile.loop'
// L3: error: failed to convert cuda_tile to nv_tileaa

// A loop outside every entry is not structured and has no counterpart.
cuda_tile.loop {
  break
}
