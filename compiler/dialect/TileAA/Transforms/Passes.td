// Passes.td - passes that keep a program in nv_tileaa.
#ifndef TILESMITH_TILEAA_TRANSFORMS_PASSES_TD
#define TILESMITH_TILEAA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignAliasScopesPass : Pass<"tileaa-assign-alias-scopes"> {
  let summary = "note which objects each access may touch";
  let description = [{
    Accesses get the list of the objects that their provenance names, memrefs over memory of the program itself an
    alias scope, and weak loads no longer wait for accesses to other objects. Barriers and schedules are made by it.
  }];
  let dependentDialects = ["::tilesmith::tileaa::TileAADialect"];
}

def CanonicalizePass : Pass<"tileaa-canonicalize"> {
  let summary = "fold and simplify nv_tileaa ops";
  let description = [{
    Runs the canonicalizers of `canonicalizerTable()` to a fixed point. Each keeps results, memory order and result
    types; each removes an op or moves it up, so the pass ends.
  }];
  let options = [
    Option<"only", "only", "std::string", "", "run a single canonicalizer by name">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilesmith::tileaa::TileAADialect", "::mlir::ub::UBDialect"];
}

def FoldMasksPass : Pass<"tileaa-fold-masks"> {
  let summary = "compare columns with numbers of columns, once for each element";
  let description = [{
    Masks that select elements of a tile by comparisons of columns with bounds of rows become one comparison of a range
    with how many columns the bounds of a row let through. FoldMasks.cpp says why that is exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilesmith::tileaa::TileAADialect"];
}

def FoldViewShapesPass : Pass<"tileaa-fold-view-shapes"> {
  let summary = "move shape changes between loads and products into views";
  let description = [{
    Permutations, dropped extents of one and conversions of floats between a load through a view and a product become
    part of the view; products of one batch become products of matrices. Results stay the same bit by bit.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilesmith::tileaa::TileAADialect"];
}

def InferFactsPass : Pass<"tileaa-infer-facts"> {
  let summary = "annotate divisibility, bounds and contiguity";
  let description = [{
    Writes what is known of integers, pointers and memrefs as attributes onto the ops that define them; later passes
    take the alignment of accesses from there. Changes nothing else.
  }];
}

def LoadHalfBytesPass : Pass<"tileaa-load-half-bytes"> {
  let summary = "load operands of four bits as bytes";
  let description = [{
    Operands of scaled products that views load become bitcasts of loaded bytes, where tensor cores multiply them as
    they lie and no byte holds anything else. LoadHalfBytes.cpp says when that is so.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", "false", "say which operands are loaded element by element, and why">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilesmith::tileaa::TileAADialect"];
}

def MapQueuesPass : Pass<"tileaa-map-queues"> {
  let summary = "check the resources of agents and plugins, map queues to pipelines";
  let description = [{
    Every queue gets the number of a pipeline, its users their role in it. Fails when agents or plugins of a function
    need more than there is, and when a queue has not exactly one producing agent and consumers beside it.
  }];
  let options = [
    Option<"registers", "registers", "int64_t", "65536", "32-bit registers of a block">,
    Option<"namedBarriers", "named-barriers", "int64_t", "15", "named barriers beside the one of the block">,
    Option<"sharedMemory", "shared-memory", "int64_t", "232448", "bytes of shared memory of a block">,
    Option<"tensorMemory", "tensor-memory", "int64_t", "0", "bytes of tensor memory (none before sm_100)">
  ];
}

#endif // TILESMITH_TILEAA_TRANSFORMS_PASSES_TD
