// RUN: tile-opt %corpus/perf/kinds/persistent_res_bf16.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps remarks to=tileas" 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: tile-opt %corpus/perf/kinds/f8_two_levels.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps to=tileas" | FileCheck %s --check-prefix=LEVELS
// Who issues goes through the turns of a tile while threads work on the sums of the tile before: these take two sets of columns.
// TILES: remark: products are issued beside what is done with the sums of the run before
// TILES: remark: warps of their own issue products
// TILES: %[[SUMS:.*]] = nv_tileas.tensor_memory.store {{.*}}{column = 0 : i32, second = 128 : i32, tracked}
// TILES: scf.for {{.*}}%[[RUN_:[0-9a-z]*]] = %c0_i32
// TILES: "nv_tileas.tensor_memory.issue"(%[[RUN_]]) <{agent = 2 : i32}>
// TILES-NEXT: nv_tileas.tensor_memory.acquire %[[SUMS]]
// TILES: scf.for %[[TURN:[0-9a-z]*]] = %[[FIRST:[0-9a-z_]*]] to
// TILES: %[[LATER:.*]] = arith.cmpi ne, %[[TURN]], %[[FIRST]]
// TILES: "nv_tileas.tensor_memory.issue"(%[[RUN_]]) <{agent = 2 : i32}>
// TILES-NEXT: consumer_wait
// TILES: "nv_tileas.tensor_memory.dot"({{.*}}, %[[SUMS]], %[[LATER]])
// TILES: consumer_release
// TILES: "nv_tileas.tensor_memory.issue"(%[[RUN_]]) <{agent = 2 : i32}>
// TILES-NEXT: nv_tileas.tensor_memory.announce %[[SUMS]]
// TILES: nv_tileas.tensor_memory.wait %[[SUMS]] turn %[[RUN_]]
// TILES: scf.if
// TILES-NEXT: nv_tileas.tensor_memory.update {{.*}} into %[[SUMS]] turn %[[RUN_]]
// TILES: nv_tileas.tensor_memory.load %[[SUMS]] turn %[[RUN_]]
// TILES-NEXT: nv_tileas.tensor_memory.release %[[SUMS]] turn %[[RUN_]]
// Four turns are known: there is always one.
// LEVELS: nv_tileas.tensor_memory.acquire
// LEVELS: nv_tileas.tensor_memory.announce
// LEVELS-NOT: nv_tileas.tensor_memory.update
// LEVELS: nv_tileas.tensor_memory.release
