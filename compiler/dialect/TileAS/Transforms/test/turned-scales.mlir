// Scales of the left operand that are loaded turned: the product takes them so, and their layout puts the scales of a word, those of
// four blocks of a row, beside each other, as it does for those of the right operand, which lie the other way round.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/regressions/scales-of-the-left-turned/kernel.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_100 opt-level=3 from=cudatile to=tileas" | FileCheck %s

// CHECK: "nv_tileas.tensor_memory.dot"{{.*}}atom = "tcgen05.mx.e4m3"{{.*}} tensor<8x128xf8E8M0FNU, #nv_tileas.shared<shape = [8, 128], offset = [128, 256,{{.*}}, tensor<128x8xf8E8M0FNU, #nv_tileas.shared<shape = [128, 8], offset = [1, 2,
