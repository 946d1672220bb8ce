// RUN: tile-opt %corpus/perf/fmha_bf16_causal_128x128x128.mlir --tilesmith-pipeline="gpu-name=sm_80 to=tileas remarks" 2>&1 >/dev/null | FileCheck %s
// Two stages of keys and values leave what an exchange of one tile takes, not what one of several may take.
// CHECK: remark: pipelined with 2 stages, 2 asynchronous loads
