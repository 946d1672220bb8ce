// RUN: tile-opt %corpus/perf/kinds/rbf_bf16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=tileas-insert-barriers" | FileCheck %s
// RUN: tile-opt %corpus/perf/kinds/delta_state_bf16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=tileas-insert-barriers" | FileCheck %s --check-prefix=CHUNK
// A product takes its operands from their slots where threads read the tiles as well: columns of squares beside distances, keys
// that decay beside scores.
// CHECK: "nv_tileas.dot"(%arg{{[0-9]+}}, %{{.*}}) <{atom = "wgmma.bf16"{{.*}}(tensor<{{[0-9x]+}}xbf16, #nv_tileas.shared<{{.*}}>>, tensor<{{[0-9x]+}}xbf16, #nv_tileas.shared<
// In a loop that scans a short tile each warp has all of it: what products are scaled by is no warp's to wait for.
// CHUNK: "nv_tileas.scan"
// CHUNK: tensor<1x64xf32, #nv_tileas.layout<shape = [1, 64], register = [1], lane = [2, 4, 8, 16, 32], warp = [0, 0]>>
// CHUNK: "nv_tileas.dot"(%arg{{[0-9]+}}, %{{.*}}) <{atom = "wgmma.bf16"{{.*}}(tensor<64x64xbf16, #nv_tileas.shared<{{.*}}>>, tensor<64x64xbf16, #nv_tileas.shared<
