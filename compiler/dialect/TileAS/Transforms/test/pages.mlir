// Which tile a turn copies may be a number that the turn loads, as of a page: the number is loaded once more where the copy
// starts, turns ahead, if the turn exists.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/strategies/attention_paged_f16_64x64x64/attention_paged_f16_64x64x64.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_80 stop-after=tileas-materialize-schedule" | FileCheck %s
// Not where the loop writes such numbers.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/planted/pipeline-number-read-past-writes/kernel.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_80 remarks stop-after=tileas-generate-schedule" 2>&1 | FileCheck %s --check-prefix=WRITTEN

// CHECK: scf.for
// CHECK: nv_tileas.async.pipeline.producer_write
// CHECK: scf.if
// CHECK: %[[NUMBER:.*]], %{{.*}} = "nv_tileas.load"
// CHECK: nv_tileas.async.tiled_load
// WRITTEN: remark: not loaded asynchronously: its address depends on 'nv_tileas.load'
