// RUN: tile-opt %corpus/perf/kinds/w8a16_bf16.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps remarks to=tileas" 2>&1 | FileCheck %s --check-prefix=STAGED
// RUN: tile-opt %corpus/perf/kinds/linear_attn_bf16.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps to=tileas" | FileCheck %s --check-prefix=FOUR
// RUN: tile-opt %corpus/perf/kinds/gemm_zero_point_i8.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps to=tileas" | FileCheck %s --check-prefix=BESIDE
// RUN: tile-opt %corpus/perf/kinds/normal_equations_bf16.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps to=tileas" | FileCheck %s --check-prefix=PLAIN
// RUN: tile-opt %corpus/perf/kinds/moe_two_f16.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps to=tileas" | FileCheck %s --check-prefix=GATHERED
// RUN: tile-opt %corpus/perf/kinds/moe_persist_bf16.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps to=tileas" | FileCheck %s --check-prefix=RUNS
// Weights are widened by threads: they wait for the product of the turn before where they write what it reads. The rows
// of the other operand only the issuing thread waits for.
// STAGED: remark: products are issued in their turn, by warps of their own
// STAGED: remark: warps of their own issue products
// STAGED: %[[ROWS:.*]] = nv_tileas.async.pipeline.create_pipeline
// STAGED: %[[BYTES:.*]] = nv_tileas.async.pipeline.create_pipeline
// STAGED: %[[SUMS:.*]] = nv_tileas.tensor_memory.store {{.*}}tracked
// STAGED: %[[LOOP:.*]]:{{[0-9]*}} = scf.for {{.*}}%[[TURN:[0-9a-z]*]] = %c0_i32
// STAGED: consumer_wait"(%[[BYTES]]
// STAGED: nv_tileas.tensor_memory.wait %[[SUMS]] turn %[[TURN]]
// STAGED-NEXT: nv_tileas.tensor_memory.stage
// STAGED-NEXT: "nv_tileas.tensor_memory.issue"(%[[TURN]]) <{agent = 2 : i32}>
// STAGED-NEXT: consumer_wait"(%[[ROWS]]
// STAGED: nv_tileas.tensor_memory.dot
// STAGED: consumer_release %[[ROWS]]
// STAGED: consumer_release %[[BYTES]]
// STAGED: nv_tileas.tensor_memory.wait %[[SUMS]] turn %[[LOOP]]#
// STAGED: nv_tileas.tensor_memory.load %[[SUMS]]
// Four products of a turn share a ring: the first one waits for the stage, the last one gives it back.
// FOUR: %[[RING:.*]] = nv_tileas.async.pipeline.create_pipeline
// FOUR: "nv_tileas.tensor_memory.issue"(%c0_i32{{.*}}) <{agent = 2 : i32, first}>
// FOUR-NEXT: scf.if
// FOUR-NEXT: consumer_wait"(%[[RING]]
// FOUR: scf.for
// FOUR: tensor_memory.issue
// FOUR-NOT: waited
// FOUR: consumer_read"(%[[RING]]
// FOUR-COUNT-3: consumer_wait"(%[[RING]]{{.*}}waited
// FOUR: consumer_release %[[RING]]
// FOUR-NOT: consumer_release
// FOUR: producer_acquire
// Threads read the rows as well, and give them back for themselves; nobody waits in the loop for a product, but for all behind it.
// BESIDE: %[[SUMS:.*]] = nv_tileas.tensor_memory.store {{.*}}tracked
// BESIDE: scf.for
// BESIDE: consumer_wait"(%[[RING:[0-9]*]],
// BESIDE: consumer_release %[[RING]]
// BESIDE: "nv_tileas.tensor_memory.issue"
// BESIDE: tensor_memory.dot
// BESIDE: consumer_release %[[RING]]
// BESIDE-NOT: tensor_memory.wait
// BESIDE: scf.yield
// BESIDE: "nv_tileas.tensor_memory.issue"{{.*}}first
// BESIDE-NEXT: nv_tileas.tensor_memory.announce %[[SUMS]] {row_block = 0 : i32}
// BESIDE: nv_tileas.tensor_memory.wait %[[SUMS]]
// One tile is the left operand of two products as it lies, transposed, and the right one of the first.
// PLAIN-NOT: tensor_memory.issue
// PLAIN-NOT: tensor_memory.stage
// PLAIN: %[[LEFT:.*]] = nv_tileas.permute %[[TILE:[0-9a-z]*]] {permutation = array<i32: 1, 0>}
// PLAIN-NEXT: "nv_tileas.tensor_memory.dot"(%[[LEFT]], %[[TILE]],
// PLAIN: "nv_tileas.tensor_memory.dot"
// PLAIN-NOT: tensor_memory.stage
// PLAIN: consumer_release
// Rows by their numbers are copied by threads, in their turn, the other operand by the agent that copies: both fill each stage,
// which nobody but the issuing agent waits for. The numbers, computed in the loop, leave it.
// GATHERED: %[[RING:.*]] = nv_tileas.async.pipeline.create_pipeline {{.*}}mbarriers
// GATHERED: "nv_tileas.tensor_memory.issue"({{.*}}) <{agent = 2 : i32, first}>
// GATHERED: convert_layout {{.*}} tensor<128x1xi32
// GATHERED-NEXT: scf.for
// GATHERED-NOT: convert_layout {{.*}}tensor<128x1xi32
// GATHERED: producer_acquire %[[RING]]
// GATHERED: "nv_tileas.async.load"
// GATHERED-NOT: async.tiled
// GATHERED: producer_commit %[[RING]]
// GATHERED-NEXT: "nv_tileas.tensor_memory.issue"
// GATHERED-NEXT: consumer_wait"(%[[RING]]
// GATHERED: consumer_release %[[RING]]
// GATHERED: nv_tileas.tensor_memory.announce
// GATHERED: nv_tileas.tensor_memory.wait {{.*}} turn %c1_i32
// GATHERED: }, {
// GATHERED: producer_acquire %[[RING]]
// GATHERED-NOT: async.load
// GATHERED: nv_tileas.async.tiled_load
// GATHERED: producer_commit %[[RING]]
// In a loop around they wait for the announcement of this run.
// RUNS: scf.for {{.*}}%[[GONE:[0-9a-z]*]] = %c0_i32{{[_0-9]*}}) -> ({{.*}}i32)
// RUNS: scf.for
// RUNS: %[[NUMBER:.*]] = arith.addi %[[GONE]], %c1_i32
// RUNS: "nv_tileas.tensor_memory.issue"(%[[NUMBER]]) <{agent = 2 : i32, first}>
// RUNS-NEXT: nv_tileas.tensor_memory.announce
// RUNS: nv_tileas.tensor_memory.wait {{.*}} turn %[[NUMBER]]
