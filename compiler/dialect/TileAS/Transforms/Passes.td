// Passes.td - passes that keep a program in nv_tileas.
#ifndef TILESMITH_TILEAS_TRANSFORMS_PASSES_TD
#define TILESMITH_TILEAS_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignDotLayoutsPass : Pass<"tileas-assign-dot-layouts"> {
  let summary = "put dots on tensor cores where an instruction covers them";
  let description = [{
    A product that an `mma.sync` of the target covers gets its `atom`, and its operands and sum the fragment layouts
    of that instruction, with conversions around it.
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def AssignMemoryLayoutsPass : Pass<"tileas-assign-memory-layouts"> {
  let summary = "give loads and stores layouts that move many bytes at once";
  let description = [{
    A load through a view whose memory is contiguous along another dimension than the last gets a layout that runs along
    that one, and a conversion behind it. A transposed tile of 16-bit elements comes to its store in a layout that
    `ldmatrix` delivers. Other tiles are stored as their warps hold them, or as pieces that a warp makes of its own
    elements (StoreLayouts.h).
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def AssignPipelineLayoutsPass : Pass<"tileas-assign-pipeline-layouts"> {
  let summary = "swizzle the buffers of pipelines against bank conflicts";
  let description = [{
    Picks for each buffer the swizzle of 16-byte pieces with the fewest bank conflicts over all its writes and reads.
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def ChooseStrategyPass : Pass<"tileas-choose-strategy"> {
  let summary = "say for each kernel how its pipelines are filled";
  let description = [{
    Notes `unspecialize`, `tensor-map` or `warp-specialize tensor-map` on each function; the passes behind it that
    run with `chosen=true` obey. The rule stands in ChooseStrategy.cpp.
  }];
  let options = [
    Option<"hostMaps", "host-maps", "bool", "false", "tensor maps cost a block nothing: host code makes them">,
    Option<"remarks", "remarks", "bool", "false", "say what was chosen and why">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def DynamicPersistentPass : Pass<"tileas-dynamic-persistent"> {
  let summary = "Make the kernel into dynamic persistent kernels";
  let description = [{
    From sm_100 on, a block that has finished cancels the launch of one that has not started and does its work.
    Kernels of clusters stay as they are; those that are persistent already are left with a warning.
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def GenerateSchedulePass : Pass<"tileas-generate-schedule"> {
  let summary = "annotate the loops and loads that become asynchronous pipelines";
  let description = [{
    Writes the schedule (Schedule.h); `tileas-materialize-schedule` carries it out. Shared memory of the target limits
    the stages; with `deep-rings` small tiles have more of them than `num-stages` where warps of their own will fill them, and
    another stage gains by the cost model. An occupancy of several blocks divides it, and becomes one of fewer blocks where two stages, or what a
    thread holds, would not fit (BlocksTogether.h).
  }];
  let options = [
    Option<"numStages", "num-stages", "int64_t", "4", "stages without a hint">,
    Option<"allLoads", "all-loads", "bool", "false", "also loads of views that feed no tensor-core product">,
    Option<"loadsAlone", "loads-alone", "bool", "false", "the same in kernels without products only">,
    Option<"deepRings", "deep-rings", "bool", "false", "more stages of small tiles, where warps of their own will fill them">,
    Option<"hostMaps", "host-maps", "bool", "false", "tensor maps cost a block nothing: host code makes them">,
    Option<"remarks", "remarks", "bool", "false", "say what was pipelined, what not and why">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def InsertBarriersPass : Pass<"tileas-insert-barriers"> {
  let summary = "make token order true between threads of a block";
  let description = [{
    A barrier of the block, or of the cluster, before every access that a token orders after another thread's access,
    unless both only read. Where only strides that are known at run time tell whether two threads meet, the barrier
    stands behind a test of them.
  }];
  let options = [
    Option<"sparing", "sparing", "bool", "false", "none between distinct objects, and none where one lies between already">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerTensorStoresPass : Pass<"tileas-lower-tensor-stores"> {
  let summary = "tensor copies of results from shared to global memory";
  let description = [{
    From sm_90 on, weak stores of tiles of views whose memory a tensor map can describe go through shared memory: the
    pass notes on them the arrangement there. Others stay as they are.
  }];
  let options = [
    Option<"chosen", "chosen", "bool", "false", "only where tensor copies were chosen for the kernel and these should pay">,
    Option<"hostMaps", "host-maps", "bool", "false", "tensor maps cost a block nothing: host code makes them">,
    Option<"remarks", "remarks", "bool", "false", "say which stores stay and why">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def LowerTmaPass : Pass<"tileas-lower-tma-load-store-to-async"> {
  let summary = "bulk copies for tiles of views that a pipeline loads";
  let description = [{
    From sm_90 on, tiles of views whose rows or boxes allow it come by bulk copies, which complete on the mbarriers of
    their pipeline; the other loads stay as they are.
  }];
  let options = [
    Option<"rows", "rows", "bool", "true", "bulk copies of rows">,
    Option<"tensorMaps", "tensor-maps", "bool", "false", "tensor copies where they are possible">,
    Option<"chosen", "chosen", "bool", "false", "only where tileas-choose-strategy chose tensor copies">,
    Option<"hostMaps", "host-maps", "bool", "false", "host code makes tensor maps, also of views that are made in loops">,
    Option<"remarks", "remarks", "bool", "false", "say which copies stay and why">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def MaterializeSchedulePass : Pass<"tileas-materialize-schedule"> {
  let summary = "rewrite annotated loops into asynchronous pipelines";
  let description = [{
    Loops that `tileas-generate-schedule` annotated become rings of stages in shared memory. Under `warp-specialize`,
    warps of their own copy where the kernel allows it; the other kernels keep `unspecialize`.
  }];
  let options = [
    Option<"strategy", "pipeline-strategy", "std::string", "\"unspecialize\"",
           "unspecialize: all warps copy and compute; warp-specialize: warps of their own copy">,
    Option<"producerWarps", "producer-warps", "int64_t", "4", "warps that copy under warp-specialize">,
    Option<"producerRegs", "producer-regs", "int64_t", "0", "registers of their threads; 0: as they are">,
    Option<"consumerRegs", "consumer-regs", "int64_t", "0", "registers of the other threads">,
    Option<"chosen", "chosen", "bool", "false", "specialise only what tileas-choose-strategy chose">,
    Option<"tensorMaps", "tensor-maps", "bool", "false", "tiles come by tensor copies, which may round them">,
    Option<"chosenMaps", "chosen-maps", "bool", "false", "those only of functions for which tileas-choose-strategy chose them">,
    Option<"hostMaps", "host-maps", "bool", "false", "host code makes tensor maps, also of views that are made in loops">,
    Option<"remarks", "remarks", "bool", "false", "say what could not be specialised, and what copies round">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PlanCtaPass : Pass<"tileas-plan-cta"> {
  let summary = "divide tile blocks among the blocks of a cluster";
  let description = [{
    A kernel whose hint asks for a cluster, on sm_90 and newer, is divided along one dimension of its tiles where that
    leaves each block at most three quarters of the work. Runs before tiles have layouts; CtaPlan.h states the model.
  }];
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "4", "warps of a block without a hint">,
    Option<"remarks", "remarks", "bool", "false", "say what was divided, what not and why">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
}

def PlanRowsPass : Pass<"tileas-plan-rows"> {
  let summary = "divide rows of products that feed each other into pieces that fit into registers";
  let description = [{
    On sm_90, a loop whose products feed each other (attention) and whose sums need more registers than threads have
    computes pieces of its rows one after the other. Without tensor memory a sum that takes more words of a thread than
    there are registers is divided, and its loop runs once for each piece; with tensor memory, results of 256 columns
    are stored 64 at a time. Tiles of which two stages do not fit into shared memory are divided along the sum of their
    products. Runs before tiles have layouts; PlanRows.cpp states the model.
  }];
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "4", "warps of a block without a hint">,
    Option<"chooseWarps", "choose-warps", "bool", "false", "kernels without a hint get more warps where sums need them">,
    Option<"remarks", "remarks", "bool", "false", "say what was divided, what not and why">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def RefineAtomByResourcePass : Pass<"tileas-refine-atom-by-resource"> {
  let summary = "use ldmatrix and warpgroup products where operands lie in shared memory";
  let description = [{
    On sm_90, products on tensor cores become warpgroup products where their operands lie in pipeline buffers or fit
    into scratch memory. On sm_100 and its relatives, those of loops accumulate in tensor memory, and of several in
    one loop the first is issued a turn ahead where it may. Other reads of buffers take `ldmatrix` where the fragment fits.
  }];
  let options = [
    Option<"warpgroup", "warpgroup", "bool", "true", "warpgroup products on sm_90">,
    Option<"local", "local-products", "bool", "true", "warpgroup products that are waited for at once">,
    Option<"tensorMemory", "tensor-memory", "bool", "true", "products in tensor memory where there is one">,
    Option<"remarks", "remarks", "bool", "false", "say which products are issued ahead, and why others are not">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def RemoveLayoutConversionsPass : Pass<"tileas-remove-layout-conversions"> {
  let summary = "fold redundant layout conversions";
  let description = [{
    Folds chains of `convert_layout`, also with a `permute` between two, and conversions to the layout that a value has already, recomputes constants,
    splats and ranges in the wanted layout, and carries values through loops in the layout that the loop uses.
  }];
  let options = [
    Option<"propagate", "propagate-layouts", "bool", "false", "what is computed from sums of products and from reduced tiles keeps their layout; indices are computed in the layout that asks for them">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def VectorizeMemoryPass : Pass<"tileas-vectorize-memory"> {
  let summary = "note how many elements each access may move at once";
  let description = [{
    Up to 16 bytes, as far as the facts of `tileaa-infer-facts` promise alignment and the layout gives a thread
    consecutive elements. Without facts nothing is vectorised.
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def PackElementsPass : Pass<"tileas-pack-elements"> {
  let summary = "note which f32 arithmetic takes two registers per instruction";
  let description = [{
    On targets with packed f32 (sm_100 and newer): sums, differences, products and fused products that round to nearest
    and never flush, of tiles of which a thread holds two elements or more, and reductions by sums or products with at
    least four elements of a thread along their axis, neighbours among them. A sum of f16 or bf16
    that were widened for it alone is no such one. Each half rounds as the instruction of one number does; chains
    of a reduction are those of a pair. On targets that convert f8 (sm_89 and newer): roundings of f32 to e4m3 and e5m2.
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def ReduceLanesPass : Pass<"tileas-reduce-lanes-at-once"> {
  let summary = "note which reductions combine the lanes of a warp by one instruction";
  let description = [{
    Sums, minima, maxima and bit operations of integers of up to 32 bits, bit operations of 64, and minima and maxima of f32
    on targets that have them, where all lanes of a warp hold elements along the axis, or replicas that change nothing.
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def AssignSliceLayoutsPass : Pass<"tileas-assign-slice-layouts"> {
  let summary = "give slices and concatenations layouts in which threads rename registers";
  let description = [{
    Slices with constant indices, concatenations, and what stands between them and memory, take layouts in which the bits
    that these fix or add lie in registers, where fewer exchanges are left. A network of them, as in sorting, changes its
    layout on the way: by shuffles inside of warps, through shared memory among warps.
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect", "::mlir::arith::ArithDialect"];
}

def SinkReadsPass : Pass<"tileas-sink-reads"> {
  let summary = "read the operands of each product of a stage where they are needed";
  let description = [{
    Of a read with several results, of more than 128 words of a thread together, each becomes a read of its own in front
    of its first user, so that a thread holds the operands of one product at a time.
  }];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

def ShareDivisorsPass : Pass<"tileas-share-divisors"> {
  let summary = "note which divisions of a thread have one divisor";
  let description = [{
    Divisions of f32 that round to nearest, and divisions and remainders of integers, of at least eight (integers: four)
    elements of a thread by the same number: a splat, a broadcast or what is computed from such. The results stay the same
    bits. Powers of two and constant integers have shorter code already.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", "false", "say which divisions share what">
  ];
  let dependentDialects = ["::tilesmith::tileas::TileASDialect"];
}

#endif // TILESMITH_TILEAS_TRANSFORMS_PASSES_TD
