// A loop of a kernel without products waits for memory alone: its ring has as many stages as leave room for a second block.
// RUN: tile-opt %corpus/perf/colsum_bf16_64x128.mlir --tilesmith-pipeline="gpu-name=sm_90 host-maps from=cudatile to=tileas remarks stop-after=tileas-generate-schedule" 2>&1 | FileCheck %s
// CHECK: remark: pipelined with 6 stages, 1 asynchronous loads
