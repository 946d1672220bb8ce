// RUN: not tile-opt %s --convert-cudatile-to-tileaa=compute-capability= 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_x 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_90 2>&1 | FileCheck %s --check-prefix=RESIDUE

// OPTION: error: invalid or missing --compute-capability option
// RESIDUE: error: failed to legalize operation 'cuda_tile.loop'
// RESIDUE: error: failed to convert cuda_tile to nv_tileaa

// A loop outside every entry is not structured and has no counterpart.
cuda_tile.loop {
  break
}
