//===- TileASOps.td - operations of nv_tileas -----------------------------------------------------===//
//
// Families: layout (convert_layout, view, reinterpret, permute, broadcast, slices), memory (load, store, gather_load, scatter_store, tiled_load,
// tiled_store, tiled_atomic_rmw), compute (reduce, scan, dot), tensor memory, the region terminator, and asynchronous pipelines (async.pipeline.*, async.load,
// async.tiled_load, alloc_tensor, copy).
//
//===----------------------------------------------------------------------------------------------===//
#ifndef TILEAS_OPS
#define TILEAS_OPS

include "compiler/dialect/TileAA/IR/TileAATypes.td"
include "compiler/dialect/TileAS/IR/TileASDialect.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TileAS_Op<string mnemonic, list<Trait> traits = []> : Op<TileAS_Dialect, mnemonic, traits>;

//===- layout -----------------------------------------------------------------------------------===//

def TileAS_ConvertLayoutOp : TileAS_Op<"convert_layout", [Pure]> {
  let summary = "same tile, other layout";
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAS_ViewOp : TileAS_Op<"view", [Pure]> {
  let summary = "same elements in row-major order, other shape; registers do not move";
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAS_ReinterpretOp : TileAS_Op<"reinterpret", [Pure]> {
  let summary = "same bytes in memory order (little-endian, sub-byte elements packed from the low end), other type";
  let description = "Both tiles have rank 1; one of them holds i8.";
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def TileAS_PermuteOp : TileAS_Op<"permute", [Pure]> {
  let summary = "axes renamed: result dim i is source dim permutation[i]; registers do not move";
  let arguments = (ins AnyRankedTensor:$source, DenseI32ArrayAttr:$permutation);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def TileAS_BroadcastOp : TileAS_Op<"broadcast", [Pure]> {
  let summary = "extents of one grow; the source layout is the result layout with those axes projected out";
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def TileAS_CatOp : TileAS_Op<"cat", [Pure]> {
  let summary = "two tiles joined along one axis";
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs, I64Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def TileAS_ExtractSliceOp : TileAS_Op<"extract_slice", [Pure]> {
  let summary = "one slice of a tile; indices count slices, not elements";
  let arguments = (ins AnyRankedTensor:$source, Variadic<AnySignlessInteger>:$indices);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` type($source) (`,` type($indices)^)? `->` type($result)";
}

def TileAS_InsertSliceOp : TileAS_Op<"insert_slice", [Pure]> {
  let summary = "a tile with one slice replaced; indices count slices, not elements";
  let arguments = (ins AnyType:$source, AnyRankedTensor:$dest, Variadic<AnySignlessInteger>:$indices);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `into` $dest `[` $indices `]` attr-dict `:` type($source) `,` type($dest) (`,` type($indices)^)? `->` type($result)";
}

//===- compute ----------------------------------------------------------------------------------===//

def TileAS_YieldOp : TileAS_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "ends the regions of reduce and scan";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def TileAS_ReduceOp : TileAS_Op<"reduce", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "combines all elements along one axis; the body is associative and commutative";
  let description = [{
    The body takes 2N scalars in pairs (two elements of operand i) and yields N. A result is a tensor whose layout is
    the operand layout without the axis, or a scalar that every thread holds.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$operands, I32Attr:$axis);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def TileAS_ScanOp : TileAS_Op<"scan", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "prefix combination along one axis; order is kept";
  let description = "Inclusive without `identities`; with them, one per operand, an element takes what came before it.";
  let arguments = (ins Variadic<AnyRankedTensor>:$operands, I32Attr:$axis, BoolAttr:$reverse,
                       OptionalAttr<ArrayAttr>:$identities);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def TileAS_DotOp : TileAS_Op<"dot", [Pure]> {
  let summary = "acc + lhs x rhs, optionally batched";
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs, AnyRankedTensor:$acc,
                       DefaultValuedAttr<BoolAttr, "true">:$signed_lhs,
                       DefaultValuedAttr<BoolAttr, "true">:$signed_rhs, OptionalAttr<StrAttr>:$atom, UnitAttr:$fast_acc,
                       UnitAttr:$from_zero, Variadic<AnyRankedTensor>:$scales);
  let results = (outs AnyRankedTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                                 "::mlir::Value":$acc, "bool":$signed_lhs, "bool":$signed_rhs,
                                 "::mlir::StringAttr":$atom, "bool":$fast_acc, CArg<"bool", "false">:$from_zero), [{
    build($_builder, $_state, result, lhs, rhs, acc, signed_lhs, signed_rhs, atom, fast_acc, from_zero,
          ::mlir::ValueRange());
  }]>];
  let hasVerifier = 1;
  let description = [{
    With `atom` (MmaAtom.h) the operands have the fragment layouts of that tensor-core instruction. With `scales`, those
    of the left operand (M x blocks) and of the right one (blocks x N), each element is multiplied by the scale of its
    block along K; bytes hold two elements of four bits. With `fast_acc` sums of
    8-bit floats may keep as few bits as tensor cores do. With `from_zero` the accumulator is zero and need not be read.
  }];
}

//===- tensor memory ----------------------------------------------------------------------------===//

def TileAS_TensorMemoryStoreOp : TileAS_Op<"tensor_memory.store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "puts a tile into columns of tensor memory, which accumulate products from then on, or are a left operand";
  let description = [{
    The layout of `init` is `tensorMemoryLayout` (TensorCoreAtom.h); `column` is the first of its columns. Elements of 16
    and 8 bits share the words of a column. The store is complete for all threads when the operation ends.

    With `second`, turns of a loop take these columns and those from `second` on in turn (even turns the first ones); the
    second ones hold nothing yet. With `tracked`, each product into the columns is announced by itself, turn by turn, and
    waited for by `tensor_memory.wait` alone. With `apart`, too, blocks of 128 rows are products of their own, each of which
    `tensor_memory.announce` announces to the warps that hold these rows; each warp holds rows of one block.
  }];
  let arguments = (ins AnyRankedTensor:$init, I32Attr:$column, OptionalAttr<I32Attr>:$second, UnitAttr:$tracked,
                       UnitAttr:$apart);
  let results = (outs TileAS_AccumulatorType:$acc);
  let assemblyFormat = "$init attr-dict `:` type($init)";
  let extraClassDeclaration = [{
    /// The first columns of each set.
    ::llvm::SmallVector<int64_t> getFirstColumns() {
      ::llvm::SmallVector<int64_t> columns{int64_t(getColumn())};
      if (getSecond())
        columns.push_back(*getSecond());
      return columns;
    }
  }];
}

def TileAS_TensorMemoryDotOp : TileAS_Op<"tensor_memory.dot", [MemoryEffects<[MemRead, MemWrite]>,
                                                               AttrSizedOperandSegments]> {
  let summary = "acc += lhs x rhs, both operands read from shared memory by the tensor core";
  let description = [{
    Stands in a `consumer_read`. Where the pipeline has `mbarriers` the product is under way when the operation ends: the
    release of the stage follows it, and `tensor_memory.load` waits for it. Else it is complete. With `overwrites` the sums
    are those of this product alone, and so they are where `accumulates` is false. Operands are slots, or tiles that
    `tensor_memory.stage` brought there; the left one may lie in tensor memory itself.

    With `scales`, the slots of the left and the right operand's, each element is multiplied by the scale of its block
    along K. Those of the right operand may lie transposed. They are copied to tensor memory, from `scale_column` on.
    With `row_block`, these 128 rows of the product only.
  }];
  let arguments = (ins AnyType:$lhs, AnyRankedTensor:$rhs, TileAS_AccumulatorType:$acc, Variadic<AnyRankedTensor>:$scales,
                       Optional<I1>:$accumulates, BoolAttr:$signed_lhs, BoolAttr:$signed_rhs, StrAttr:$atom,
                       DefaultValuedAttr<I32Attr, "0">:$scale_column, OptionalAttr<I32Attr>:$row_block,
                       UnitAttr:$overwrites);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The tile, wherever it lies.
    ::mlir::RankedTensorType getLhsTile();
    /// Columns of tensor memory that the scales take.
    int64_t getScaleColumns();
  }];
}

def TileAS_TensorMemoryStageOp : TileAS_Op<"tensor_memory.stage", [MemoryEffects<[MemRead, MemWrite]>,
                                                                   AllTypesMatch<["buffer", "result"]>]> {
  let summary = "a tile in registers into a buffer of one stage, from which tensor cores or copies read it";
  let description = [{
    Products that read it, in tensor memory or of warpgroups, and copies begin when all threads have written. A product of the turn before that still reads the buffer
    is waited for.
  }];
  let arguments = (ins AnyRankedTensor:$source, AnyRankedTensor:$buffer);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `into` $buffer attr-dict `:` type($source) `,` type($buffer)";
  let hasVerifier = 1;
}

def TileAS_TensorMemoryUpdateOp : TileAS_Op<"tensor_memory.update", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "replaces the sums, which nobody else uses meanwhile; the next product into them comes behind it";
  let arguments = (ins AnyRankedTensor:$source, TileAS_AccumulatorType:$acc, Optional<I32>:$turn);
  let assemblyFormat = "$source `into` $acc (`turn` $turn^)? attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def TileAS_TensorMemoryScaleOp : TileAS_Op<"tensor_memory.scale", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "multiplies the sums by factors, when all products before it are complete; each is rounded once";
  let description = [{
    Sums of f32, which nobody else uses meanwhile; the next product into them comes behind it. A factor for each sum, or
    one for each row. A factor of one changes nothing: where all factors of a warp are one, its sums stay where they are.
  }];
  let arguments = (ins AnyRankedTensor:$factors, TileAS_AccumulatorType:$acc);
  let assemblyFormat = "$acc `by` $factors attr-dict `:` type($factors)";
  let hasVerifier = 1;
}

def TileAS_TensorMemoryLoadOp : TileAS_Op<"tensor_memory.load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the sums, when all products before it are complete";
  let description = [{
    Sums that are `tracked` are those of the product that was waited for, in the columns of `turn`. Of sums of 128 rows
    some columns may be loaded alone, from `first` on.
  }];
  let arguments = (ins TileAS_AccumulatorType:$acc, Optional<I32>:$turn, DefaultValuedAttr<I32Attr, "0">:$first);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$acc (`turn` $turn^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TileAS_TensorMemoryWaitOp : TileAS_Op<"tensor_memory.wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the product of a turn into `tracked` sums is complete, and all that were issued before it";
  let description = [{
    Sums with second columns: the product of this turn; others: that of the turn before, if there was one. Turns are
    counted from zero, for as long as the kernel runs. Each is waited for before the product after the next one into the
    same columns is issued. Of sums that are `apart`, a warp waits for its rows; their turns are announcements.
  }];
  let arguments = (ins TileAS_AccumulatorType:$acc, I32:$turn);
  let assemblyFormat = "$acc `turn` $turn attr-dict";
  let hasVerifier = 1;
}

def TileAS_TensorMemoryIssueOp : TileAS_Op<"tensor_memory.issue", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "one thread waits for stages, issues products and gives the stages back";
  let description = [{
    The products are those of `turn`, which says the columns. What threads wrote for them is complete: all meet in front
    where one reads it.

    With `agent` it is the first thread of that agent of the `agent_switch` around, whose own region is empty: it goes
    through the loops of this region for its issues alone (IssueSlice.h). Threads do not meet then; they say that they
    have come here, and that thread waits for all of them. It does so, too, where the issue is the `first` one for a loop,
    unless the loop has no turn. With `tensor_memory.arrived` in the region it waits there, for some of them.
  }];
  let arguments = (ins I32:$turn, OptionalAttr<I32Attr>:$agent, UnitAttr:$first);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::mlir::Value":$turn), [{ build($_builder, $_state, turn, nullptr, false); }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Of a region that begins with a branch, whether it issues something; null: it always does.
    ::mlir::Value getCondition();
    /// Blocks of rows whose warps are waited for one after the other; 1 where all are together.
    int64_t getRowBlocks();
  }];
}

def TileAS_TensorMemoryArrivedOp : TileAS_Op<"tensor_memory.arrived", [HasParent<"TensorMemoryIssueOp">,
                                                                      MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "in an issue: what the warps that hold a block of 128 rows wrote for its products is complete";
  let description = "One for each block, in order. Without an agent all have met in front of the issue.";
  let arguments = (ins I32Attr:$row_block);
  let assemblyFormat = "attr-dict";
}

def TileAS_TensorMemoryAnnounceOp : TileAS_Op<"tensor_memory.announce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "in an issue: who waits for these sums, or a block of rows of them, learns when all products so far are complete";
  let description = "Sums with second columns: those of the issue's turn. Blocks of rows are those of sums that are `apart`.";
  let arguments = (ins TileAS_AccumulatorType:$acc, I32Attr:$row_block);
  let assemblyFormat = "$acc attr-dict";
  let hasVerifier = 1;
}

def TileAS_TensorMemoryAcquireOp : TileAS_Op<"tensor_memory.acquire", [HasParent<"TensorMemoryIssueOp">,
                                                                      MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "in an issue: waits until all threads have released the columns that the products of its turn overwrite";
  let description = "Those of the first turn in each of two sets of columns are free.";
  let arguments = (ins TileAS_AccumulatorType:$acc);
  let assemblyFormat = "$acc attr-dict";
  let hasVerifier = 1;
}

def TileAS_TensorMemoryReleaseOp : TileAS_Op<"tensor_memory.release", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "threads have loaded the sums of the turn: the products of the turn after the next one may overwrite them";
  let arguments = (ins TileAS_AccumulatorType:$acc, I32:$turn);
  let assemblyFormat = "$acc `turn` $turn attr-dict";
  let hasVerifier = 1;
}

//===- memory -----------------------------------------------------------------------------------===//
//
// Tokens, views and the attributes of order and scope are those of nv_tileaa.

class TileAS_MemoryOp<string mnemonic, list<Trait> traits = []>
    : TileAS_Op<mnemonic, !listconcat([AttrSizedOperandSegments], traits)>;

def TileAS_LoadOp : TileAS_MemoryOp<"load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "reads through pointers; elements whose mask is false take `other`";
  let arguments = (ins AnyType:$pointers, Optional<AnyType>:$mask, Optional<AnyType>:$other, Optional<AnyType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       UnitAttr:$is_volatile, OptionalAttr<TileAA_CacheModifierAttr>:$cache_modifier,
                       OptionalAttr<TileAA_EvictionPolicyAttr>:$eviction_policy);
  let results = (outs AnyType:$result, AnyType:$result_token);
  let extraClassDeclaration = [{
    /// Neither ordered nor volatile: every holder of an element may read it.
    bool isPlain() { return getMemSemantic() == ::tilesmith::tileaa::MemSemantic::weak && !getIsVolatile(); }
  }];
}

def TileAS_StoreOp : TileAS_MemoryOp<"store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "writes through pointers where the mask is true";
  let arguments = (ins AnyType:$pointers, AnyType:$value, Optional<AnyType>:$mask, Optional<AnyType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       UnitAttr:$is_volatile, OptionalAttr<TileAA_CacheModifierAttr>:$cache_modifier,
                       OptionalAttr<TileAA_EvictionPolicyAttr>:$eviction_policy);
  let results = (outs AnyType:$result_token);
}

def TileAS_TiledLoadOp : TileAS_MemoryOp<"tiled_load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "reads one tile of a view; elements outside the tensor take the padding of the view";
  let arguments = (ins AnyType:$view, Variadic<AnyType>:$indices, Optional<AnyType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs AnyRankedTensor:$result, AnyType:$result_token);
}

def TileAS_TiledStoreOp : TileAS_MemoryOp<"tiled_store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "writes one tile of a view; elements outside the tensor are not written";
  let arguments = (ins AnyType:$view, AnyRankedTensor:$value, Variadic<AnyType>:$indices, Optional<AnyType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs AnyType:$result_token);
}

def TileAS_TiledAtomicRMWOp : TileAS_MemoryOp<"tiled_atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "read-modify-write of every element of one tile of a view that lies inside the tensor";
  let arguments = (ins AnyType:$view, AnyRankedTensor:$value, Variadic<AnyType>:$indices, Optional<AnyType>:$token,
                       TileAA_RMWModeAttr:$rmw_mode, TileAA_MemSemanticAttr:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope);
  let results = (outs AnyType:$result_token);
}

def TileAS_GatherLoadOp : TileAS_MemoryOp<"gather_load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "reads one tile of a gather view; the index of the sparse dimension is a rank-1 tile";
  let description = "Elements inside of the tensor whose mask is false take `other`.";
  let arguments = (ins AnyType:$view, Variadic<AnyType>:$indices, Optional<AnyType>:$mask,
                       Optional<AnyType>:$other, Optional<AnyType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs AnyRankedTensor:$result, AnyType:$result_token);
}

def TileAS_ScatterStoreOp : TileAS_MemoryOp<"scatter_store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "writes one tile of a gather view; elements outside the tensor, or whose mask is false, are not written";
  let arguments = (ins AnyType:$view, AnyRankedTensor:$value, Variadic<AnyType>:$indices,
                       Optional<AnyType>:$mask, Optional<AnyType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs AnyType:$result_token);
}

def TileAS_AtomicRMWOp : TileAS_MemoryOp<"atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "read-modify-write through pointers where the mask is true; yields the old values";
  let arguments = (ins AnyType:$pointers, AnyType:$value, Optional<AnyType>:$mask, Optional<AnyType>:$token,
                       TileAA_RMWModeAttr:$rmw_mode, TileAA_MemSemanticAttr:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope);
  let results = (outs AnyType:$result, AnyType:$result_token);
}

def TileAS_AtomicCASOp : TileAS_MemoryOp<"atomic_cas", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "compare-and-swap through pointers where the mask is true; yields the old values";
  let arguments = (ins AnyType:$pointers, AnyType:$compare, AnyType:$value, Optional<AnyType>:$mask,
                       Optional<AnyType>:$token, TileAA_MemSemanticAttr:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope);
  let results = (outs AnyType:$result, AnyType:$result_token);
}

//===- asynchronous pipelines ---------------------------------------------------------------------===//
//
// A pipeline is a ring of N stages; a stage has one slot in each of the pipeline's buffers. Producers acquire a stage,
// write it, commit it; consumers wait for it, read it, release it. Inside the regions the block arguments are the
// slots: tiles that lie in shared memory (encoding `#nv_tileas.shared`).

class TileAS_PipelineOp<string mnemonic, list<Trait> traits = []>
    : TileAS_Op<"async.pipeline." # mnemonic, traits>;

def TileAS_AllocTensorOp : TileAS_Op<"alloc_tensor", [MemoryEffects<[MemAlloc]>]> {
  let summary = "shared memory for `stages` tiles of one type";
  let arguments = (ins I32Attr:$stages);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$stages attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TileAS_CopyOp : TileAS_Op<"copy", [MemoryEffects<[MemRead]>]> {
  let summary = "a tile in shared memory into registers";
  let arguments = (ins AnyRankedTensor:$source, OptionalAttr<StrAttr>:$atom);
  let results = (outs AnyRankedTensor:$result);
  let description = "With the atom `ldmatrix` the lowering may use that instruction where the layouts fit.";
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAS_WriteOp : TileAS_Op<"write", [MemoryEffects<[MemWrite]>]> {
  let summary = "a tile in registers into shared memory";
  let arguments = (ins AnyRankedTensor:$source, AnyRankedTensor:$slot);
  let assemblyFormat = "$source `into` $slot attr-dict `:` type($source) `,` type($slot)";
  let hasVerifier = 1;
}

def TileAS_AsyncTiledLoadOp : TileAS_MemoryOp<"async.tiled_load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "starts the copy of one tile of a view into a slot";
  let arguments = (ins AnyType:$view, AnyRankedTensor:$slot, Variadic<AnyType>:$indices, Optional<AnyType>:$token,
                       TileAS_LayoutAttr:$layout, I64Attr:$vector, OptionalAttr<StrAttr>:$atom,
                       DefaultValuedAttr<I64Attr, "1">:$multicast);
  let description = [{
    Thread and register (l, r) of `layout` move element l(r), `vector` neighbouring elements at once. Elements outside
    the tensor take the padding of the view. With the atom `tma_load` whole rows along the contiguous dimension are
    moved by bulk copies that complete on the stage's barrier, where the tile lies inside of the tensor; the pipeline
    has `mbarriers` then. With `multicast` = n, the blocks of a cluster of n copy the same tile: each brings one n-th of
    it to all.
  }];
  let hasVerifier = 1;
}

def TileAS_AsyncLoadOp : TileAS_MemoryOp<"async.load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "starts the copy of the elements behind pointers into a slot";
  let arguments = (ins AnyRankedTensor:$pointers, AnyRankedTensor:$slot, Optional<AnyType>:$mask,
                       Optional<AnyType>:$other, Optional<AnyType>:$token, I64Attr:$vector);
  let hasVerifier = 1;
}

def TileAS_PipelineYieldOp : TileAS_PipelineOp<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "ends the regions of a pipeline";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def TileAS_CreatePipelineOp : TileAS_PipelineOp<"create_pipeline", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a ring of stages over buffers";
  let arguments = (ins Variadic<AnyRankedTensor>:$buffers, DefaultValuedAttr<I32Attr, "0">:$producerGroupId,
                       DefaultValuedAttr<I32Attr, "0">:$consumerGroupId, UnitAttr:$mbarriers,
                       UnitAttr:$late_release);
  let description = [{
    With `late_release`, the stage that a consumer gives back is that of the iteration before, so one that it reads can
    be read on while the next one begins. With `mbarriers`, each stage has a barrier "full" and one "empty" in shared memory, and waits are for their phases;
    without, copies are counted in groups per thread and stages change hands at barriers of the block. The group ids
    are the agents of an agent_switch that fill and empty the stages; equal ones mean all warps.
  }];
  let results = (outs TileAS_PipelineType:$pipeline);
  let assemblyFormat = "$buffers attr-dict `:` type($buffers) `->` type($pipeline)";
  let hasVerifier = 1;
}

def TileAS_AgentSwitchOp : TileAS_PipelineOp<"agent_switch", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "different warps run different regions at the same time";
  let description = [{
    Agent i runs region i on `num_warps`[i] warps; agent 0 has the first warps of the block, the next agent those behind
    them, and so on. `max_regs` bounds the registers of each agent's threads; 0 leaves them as they are. Each region
    ends with a yield of nothing.
  }];
  let arguments = (ins DenseI32ArrayAttr:$num_warps, DenseI32ArrayAttr:$max_regs);
  let regions = (region VariadicRegion<SizedRegion<1>>:$agents);
  let hasVerifier = 1;
}

def TileAS_CreateIteratorOp : TileAS_PipelineOp<"create_iterator", [Pure]> {
  let summary = "iterator at stage 0, first phase";
  let arguments = (ins TileAS_PipelineType:$pipeline);
  let results = (outs TileAS_PipelineIteratorType:$iterator);
  let assemblyFormat = "$pipeline attr-dict `:` type($pipeline) `->` type($iterator)";
}

def TileAS_IncIterOp : TileAS_PipelineOp<"inc_iter", [Pure]> {
  let summary = "next stage; the phase flips at the wrap, which counts where the pipeline has `mbarriers`";
  let arguments = (ins TileAS_PipelineIteratorType:$iterator, UnitAttr:$mbarriers);
  let results = (outs TileAS_PipelineIteratorType:$next);
  let assemblyFormat = "$iterator attr-dict `:` type($iterator) `->` type($next)";
}

def TileAS_ProducerAcquireOp : TileAS_PipelineOp<"producer_acquire", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the stage may be overwritten";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_PipelineIteratorType:$iterator);
  let results = (outs TileAS_ProducerTokenType:$stage);
  let assemblyFormat = "$pipeline `,` $iterator attr-dict `:` type($pipeline) `,` type($iterator)";
}

def TileAS_ProducerWriteOp : TileAS_PipelineOp<"producer_write", [MemoryEffects<[MemRead, MemWrite]>, SingleBlock]> {
  let summary = "fills the slots of a stage, which are the arguments of the region";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ProducerTokenType:$stage);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def TileAS_ProducerCommitOp : TileAS_PipelineOp<"producer_commit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "hands the stage to the consumers once its copies have landed";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ProducerTokenType:$stage);
  let assemblyFormat = "$pipeline `,` $stage attr-dict `:` type($pipeline)";
}

def TileAS_ConsumerWaitOp : TileAS_PipelineOp<"consumer_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the stage is filled";
  let description = [{
    `tokens` are the memory tokens of the loads that the stage replaces; `result_token` orders later accesses after
    them. With `waited`, who comes here has waited for this turn of the stage before, and it has not been given back.
  }];
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_PipelineIteratorType:$iterator, Variadic<AnyType>:$tokens,
                       UnitAttr:$waited);
  let results = (outs TileAS_ConsumerTokenType:$stage, AnyType:$result_token);
}

def TileAS_ConsumerReadOp : TileAS_PipelineOp<"consumer_read", [MemoryEffects<[MemRead, MemWrite]>, SingleBlock]> {
  let summary = "reads the slots of a stage, which are the arguments of the region";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ConsumerTokenType:$stage);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def TileAS_ConsumerReleaseOp : TileAS_PipelineOp<"consumer_release", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "gives the stage back to the producers";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ConsumerTokenType:$stage);
  let assemblyFormat = "$pipeline `,` $stage attr-dict `:` type($pipeline)";
}

//===- memory tokens between agents -----------------------------------------------------------------===//
//
// Agents meet at no barrier of the block, so a token that one makes and another stands behind becomes an mbarrier of a
// pool of 32 per tile block. A handle is (slot << 1) | parity.

def TileAS_InitMemTokensOp : TileAS_Op<"init_mem_tokens", [MemoryEffects<[MemAlloc]>]> {
  let summary = "one mbarrier per token, and the threads that arrive at each";
  let arguments = (ins DenseI32ArrayAttr:$producers);
  let results = (outs Variadic<I32>:$handles);
  let hasVerifier = 1;
}

def TileAS_ArriveMemTokenOp : TileAS_Op<"arrive_mem_token", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what the threads of this agent have done to memory lies behind the handle";
  let arguments = (ins I32:$handle, Variadic<AnyType>:$tokens);
}

def TileAS_WaitMemTokenOp : TileAS_Op<"wait_mem_token", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until all producers of the handle have arrived; accesses behind the result see what they did";
  let arguments = (ins I32:$handle);
  let results = (outs AnyType:$token);
}

//===- persistent kernels -------------------------------------------------------------------------===//

def TileAS_CancelNextProgramIdOp : TileAS_Op<"cancel_next_program_id", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "takes a tile block of the launch that has not started, so that this one does its work";
  let description = "`nv_tileaa.is_valid_program_id` says whether there was one.";
  let results = (outs TileAA_AnyProgramId:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def TileAS_ProgramIdAxisOp : TileAS_Op<"program_id_axis", [Pure]> {
  let summary = "one coordinate of a valid program id";
  let arguments = (ins TileAA_AnyProgramId:$source, I32Attr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis `of` $source attr-dict `:` type($source)";
}

#endif // TILEAS_OPS
