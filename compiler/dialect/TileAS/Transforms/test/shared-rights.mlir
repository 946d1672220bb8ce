// RUN: tile-opt %corpus/perf/kinds/rows_past_gate_bf16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=tileas-refine-atom-by-resource" | FileCheck %s
// RUN: tile-opt %corpus/perf/kinds/rows_past_gate_bf16.mlir --tilesmith-pipeline="gpu-name=sm_80 auto stop-after=tileas-refine-atom-by-resource" | FileCheck %s --check-prefix=OLD --implicit-check-not=tensor_memory.stage
// RUN: tile-opt %corpus/perf/kinds/rows_past_gate_bf16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// Weights past which rows stream: written to shared memory in front of the loop, each tile to its own place, where the
// products of all turns read them.
// CHECK: %[[GATE:.*]] = nv_tileas.tensor_memory.stage
// CHECK: %[[UP:.*]] = nv_tileas.tensor_memory.stage
// CHECK: scf.for
// CHECK-NOT: tensor_memory.stage
// CHECK: "nv_tileas.dot"(%{{[^,]*}}, %[[GATE]], %{{.*}}atom = "wgmma.bf16", from_zero
// CHECK: "nv_tileas.dot"(%{{[^,]*}}, %[[UP]], %{{.*}}atom = "wgmma.bf16", from_zero
// CODE: nvvm.fence.proxy
// CODE: scf.for
// CODE: nvvm.wgmma
// OLD: "nv_tileas.dot"(%{{.*}}atom = "m16n8k16.bf16"
