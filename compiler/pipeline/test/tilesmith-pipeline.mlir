// The list of passes under one name: levels, stages, strategies, the limit of optional passes, and what is refused.
// DEFINE: %{options} =
// DEFINE: %{list} = tile-opt %s --tilesmith-pipeline="%{options}" --dump-pass-pipeline 2>&1

// REDEFINE: %{options} = opt-level=0
// RUN: %{list} | FileCheck %s --check-prefix=O0
// O0: builtin.module(
// O0-NEXT: check-public-input,
// O0-NEXT: convert-cudatile-to-tileaa{compute-capability=sm_90 pdl-patterns=},
// O0-NEXT: tileaa-map-queues{named-barriers=15 registers=65536 shared-memory=232448 tensor-memory=0},
// O0-NEXT: convert-tileaa-to-tileas{choose-layouts=false choose-warps=false num-warps=4},
// O0-NEXT: tileas-insert-barriers{sparing=false},
// O0-NEXT: convert-tileas-to-nvgpu{parameter-bank=0},
// O0-NEXT: convert-gpu-to-nvvm{index-bitwidth=64}
// O0-NEXT: )

// REDEFINE: %{options} = num-warps=8 from=tileaa to=tileas
// RUN: %{list} | FileCheck %s --check-prefix=O3
// O3: builtin.module(
// O3-NEXT: tileaa-map-queues{named-barriers=15 registers=65536 shared-memory=232448 tensor-memory=0},
// O3-NEXT: tileas-plan-cta{num-warps=8 remarks=false},
// O3-NEXT: tileas-plan-rows{choose-warps=false num-warps=8 remarks=false},
// O3-NEXT: convert-tileaa-to-tileas{choose-layouts=true choose-warps=false num-warps=8},
// O3-NEXT: tileas-assign-dot-layouts,
// O3-NEXT: tileas-remove-layout-conversions{propagate-layouts=false},
// O3-NEXT: cse,
// O3-NEXT: tileas-generate-schedule{all-loads=false deep-rings=true host-maps=false loads-alone=true num-stages=4 remarks=false},
// O3-NEXT: tileas-choose-strategy{host-maps=false remarks=false},
// O3-NEXT: tileas-materialize-schedule{chosen=true {{.*}}pipeline-strategy=warp-specialize
// O3-NEXT: tileas-refine-atom-by-resource{{.*}},
// O3-NEXT: tileas-lower-tma-load-store-to-async{chosen=true host-maps=false remarks=false rows=false tensor-maps=true},
// O3-NEXT: tileas-remove-layout-conversions{propagate-layouts=true},
// O3-NEXT: tileas-assign-pipeline-layouts,
// O3-NEXT: tileas-sink-reads,
// O3-NEXT: tileas-assign-slice-layouts,
// O3-NEXT: tileas-remove-layout-conversions{{[^,]*}},
// O3-NEXT: tileas-assign-memory-layouts,
// O3-NEXT: tileas-lower-tensor-stores{chosen=true host-maps=false remarks=false},
// O3-NEXT: tileas-vectorize-memory,
// O3-NEXT: tileas-reduce-lanes-at-once,
// O3-NEXT: tileas-share-divisors{remarks=false},
// O3-NEXT: tileas-pack-elements,
// O3-NEXT: tileas-insert-barriers{sparing=true}
// O3-NEXT: )

// REDEFINE: %{options} = opt-level=2 warp-specialize tma tensor-map dynamic-persistent stop-after=tileas-lower-tma-load-store-to-async
// RUN: %{list} | FileCheck %s --check-prefix=STRATEGY
// STRATEGY: tileas-dynamic-persistent,
// STRATEGY-NEXT: tileas-generate-schedule{all-loads=true
// STRATEGY-NEXT: tileas-materialize-schedule{{.*}}pipeline-strategy=warp-specialize
// STRATEGY: tileas-lower-tma-load-store-to-async{chosen=false host-maps=false remarks=false rows=true tensor-maps=true}
// STRATEGY-NEXT: )

// REDEFINE: %{options} = plain from=tileaa to=tileas
// RUN: %{list} | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: tileas-choose-strategy
// PLAIN: tileas-materialize-schedule{chosen=false {{.*}}pipeline-strategy=unspecialize
// PLAIN-NOT: tileas-lower-tma-load-store-to-async
// PLAIN-NOT: tileas-lower-tensor-stores

// REDEFINE: %{options} = tensor-store from=tileaa to=tileas
// RUN: %{list} | FileCheck %s --check-prefix=STORE
// STORE: tileas-materialize-schedule{chosen=false {{.*}}pipeline-strategy=unspecialize
// STORE: tileas-lower-tensor-stores{chosen=false host-maps=false remarks=false}

// REDEFINE: %{options} = auto remarks stop-after=tileas-materialize-schedule
// RUN: %{list} | FileCheck %s --check-prefix=AUTO
// AUTO: tileas-choose-strategy{host-maps=false remarks=true},
// AUTO-NEXT: tileas-materialize-schedule{chosen=true {{.*}}pipeline-strategy=warp-specialize {{.*}}remarks=true tensor-maps=true}
// AUTO-NEXT: )

// REDEFINE: %{options} = opt-bisect-limit=3 to=tileaa gpu-name=sm_100
// RUN: %{list} | FileCheck %s --check-prefix=BISECT
// BISECT: loop-split{assume-no-wrap=false split-threshold=4}
// BISECT-NEXT: cse,
// BISECT-NEXT: cudatile-canonicalize,
// BISECT-NEXT: convert-cudatile-to-tileaa{compute-capability=sm_100 pdl-patterns=}
// BISECT-NEXT: )

// REDEFINE: %{options} = to=ptx
// RUN: not %{list} | FileCheck %s --check-prefix=STAGE
// STAGE: expected cudatile, tileaa, tileas, gpu or nvvm for 'to', got 'ptx'
// REDEFINE: %{options} = opt-level=4
// RUN: not %{list} | FileCheck %s --check-prefix=LEVEL
// LEVEL: expected 0 to 3 for 'opt-level', got 4
// REDEFINE: %{options} = opt-level=1 stop-after=tileas-plan-cta
// RUN: not %{list} | FileCheck %s --check-prefix=STOP
// STOP: expected a pass that these options run for 'stop-after', got 'tileas-plan-cta'
// REDEFINE: %{options} = unroll
// RUN: not %{list} | FileCheck %s --check-prefix=OPTION
// OPTION: no such option unroll

// Passes go by readable names in the tables of the tools.
// RUN: tile-opt %s --tilesmith-pipeline="auto dynamic-persistent gpu-name=sm_100" --mlir-timing --mlir-timing-display=list \
// RUN:   -o %t 2>&1 | FileCheck %s --check-prefix=NAMES --implicit-check-not='anonymous namespace'
// NAMES-DAG: ConvertCudaTileToTileAAPass
// NAMES-DAG: GenerateSchedulePass
// NAMES-DAG: ConvertTileASToNVGPUPass
// NAMES-DAG: ConvertGPUToNVVMPass
cuda_tile.module @m {
  entry @k() {
    return
  }
}
