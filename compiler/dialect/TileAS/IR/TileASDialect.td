//===- TileASDialect.td - the nv_tileas dialect, its types and attributes -------------------------===//
#ifndef TILEAS_DIALECT
#define TILEAS_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def TileAS_Dialect : Dialect {
  let name = "nv_tileas";
  let cppNamespace = "::tilesmith::tileas";
  let summary = "tiles with layouts: which thread and register holds which element";
  let description = [{
    Every tensor of this stage carries a `#nv_tileas.layout` encoding. Layout changes are explicit
    (`convert_layout`); memory operations keep their tokens until barriers are inserted.
    In-memory only: there is no bytecode and the text is a debugging aid.
  }];
  // What passes note on operations for the passes behind them: the only place that names these attributes.
  // TileASAnnotations.cpp verifies where each may stand, `annotations` (TileAS.h) reads and writes them.
  let discardableAttrs = (ins
    "::tilesmith::tileas::HintsAttr":$hints,         // on an access: what the source program says
    "::mlir::IntegerAttr":$vector,                   // on an access: elements that it moves at once
    "::tilesmith::tileas::SharedLayoutAttr":$staging, // on a store: its tile in the shared memory that tensor copies take it from
    "::mlir::UnitAttr":$awaited,                     // on such a store: accesses of its memory stand behind it
    "::mlir::IntegerAttr":$num_stages,               // on a loop: stages of its pipeline
    "::mlir::UnitAttr":$late_release,                // on a loop: its pipeline gives stages back one iteration later
    "::mlir::UnitAttr":$block_scaled,                // on a product: its operands are products of narrow floats and scales
    "::mlir::UnitAttr":$shared_left,                 // on a product: its left operand waits in shared memory
    "::mlir::UnitAttr":$in_flight,                   // on a product: goes on while the next iteration begins
    "::tilesmith::tileas::ScheduleAttr":$schedule,   // on an operation of such a loop
    "::mlir::StringAttr":$not_pipelined,             // on a load: why it stays where it is
    "::tilesmith::tileas::StrategyAttr":$strategy,   // on a function: what was chosen for it
    "::mlir::IntegerAttr":$max_regs,                 // on a function: registers with which each thread starts
    "::mlir::IntegerAttr":$threads,                  // on a function: threads of a block
    "::mlir::UnitAttr":$packed,                      // on f32 arithmetic: two registers per instruction
    "::mlir::IntegerAttr":$divisor_bits,             // on a division: bits of the register number that do not change its divisor
    "::mlir::UnitAttr":$redux,                       // on a reduction: one instruction combines the lanes of a warp
    "::mlir::UnitAttr":$parallel,                    // on a scan: threads combine its lines together
    "::mlir::UnitAttr":$cluster,                     // on a barrier: all blocks of the cluster meet
    "::tilesmith::tileas::ExchangeAttr":$exchange);  // on a conversion: how its elements travel
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::gpu::GPUDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

class TileAS_Attr<string name, string attrMnemonic> : AttrDef<TileAS_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def TileAS_LayoutAttr : TileAS_Attr<"Layout", "layout"> {
  let summary = "distributed layout: (register, lane, warp) bits to element bits, linear over F2";
  let description = [{
    Each list holds one basis per input bit, as a row-major element offset in a tile of `shape` (all extents are powers
    of two, so xor of offsets is xor of coordinates). A zero basis means that the bit does not select an element: the
    threads or registers that differ in it hold duplicates.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "tile shape">:$shape,
                        ArrayRefParameter<"int64_t", "bases of register bits">:$registers,
                        ArrayRefParameter<"int64_t", "bases of lane bits">:$lanes,
                        ArrayRefParameter<"int64_t", "bases of warp bits">:$warps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getNumRegisters() const { return int64_t(1) << getRegisters().size(); }
    int64_t getNumElements() const;
    /// The same layout as the F2 library sees it.
    ::tilesmith::LinearLayout toLinear() const;
    static LayoutAttr get(::mlir::MLIRContext *context, const ::tilesmith::LinearLayout &layout);
  }];
}

def TileAS_SharedLayoutAttr : TileAS_Attr<"SharedLayout", "shared"> {
  let summary = "shared-memory layout: offset bits to element bits, linear over F2";
  let description = [{
    Bit i of the element offset inside a buffer selects the row-major element `offset[i]`; all bases together reach
    every element once. Swizzles are bases with more than one bit; a basis of zero leaves every other place (of its size) empty.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "tile shape">:$shape,
                        ArrayRefParameter<"int64_t", "bases of offset bits">:$offsets);
  let assemblyFormat = "`<` `shape` `=` `[` $shape `]` `,` `offset` `=` `[` $offsets `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::tilesmith::LinearLayout toLinear() const;
    /// Offset (in elements) of every bit of the row-major element number.
    ::llvm::SmallVector<int64_t> getElementOffsets() const;
    /// `layout` with buffer offsets in the place of elements: what a thread's register reads or writes.
    LayoutAttr offsetsOf(LayoutAttr layout) const;
  }];
}

def TileAS_HintsAttr : TileAS_Attr<"Hints", "hints"> {
  let summary = "hints of the source program on a memory access";
  let description = [{
    `latency`: from 1 (cheap) to 10, how long the access takes; 0: not said. `allow_tma`: whether bulk copies may be
    used. Carried over by `convert-tileaa-to-tileas`, read by schedules.
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "0">:$latency,
                        DefaultValuedParameter<"bool", "true">:$allow_tma);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def TileAS_ScheduleAttr : TileAS_Attr<"Schedule", "schedule"> {
  let summary = "place of an operation in the pipeline of its loop";
  let description = [{
    `stage`: 0 for the loads that move ahead, the last stage for what consumes them. Loads also have their `order`
    among the loads and `copy_vector`, the elements that one copy moves. Written by `tileas-generate-schedule`, which
    changes nothing else; `tileas-materialize-schedule` carries it out.
  }];
  let parameters = (ins "int64_t":$stage, DefaultValuedParameter<"int64_t", "-1">:$order,
                        DefaultValuedParameter<"int64_t", "0">:$copy_vector);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether the operation is a load that moves ahead.
    bool isCopy() const { return getCopyVector() != 0; }
  }];
}

def TileAS_StrategyAttr : TileAS_Attr<"Strategy", "strategy"> {
  let summary = "how the pipelines of a kernel are filled";
  let description = [{
    `warp_specialize`: warps of their own copy. `tensor_map`: by tensor copies where they are possible. Written by
    `tileas-choose-strategy`, obeyed by passes that run with `chosen=true`.
  }];
  let parameters = (ins DefaultValuedParameter<"bool", "false">:$warp_specialize,
                        DefaultValuedParameter<"bool", "false">:$tensor_map);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TileAS_Exchange : I32EnumAttr<"Exchange", "how a layout conversion moves elements between threads", [
  I32EnumAttrCase<"shuffle", 0>, // one warp shuffle per register
  I32EnumAttrCase<"swizzle", 1>, // through shared memory in a searched arrangement, vectorised
  I32EnumAttrCase<"operand", 2>, // as `swizzle`, but the dot that reads it takes its fragments from there step by step
  I32EnumAttrCase<"matrix", 3>   // pieces of rows through shared memory, read as matrices that are transposed on the way
]> {
  let cppNamespace = "::tilesmith::tileas";
  let genSpecializedAttr = 0;
}
def TileAS_ExchangeAttr : EnumAttr<TileAS_Dialect, TileAS_Exchange, "exchange"> {
  let assemblyFormat = "`<` $value `>`";
}

class TileAS_Type<string name, string typeMnemonic> : TypeDef<TileAS_Dialect, name> {
  let mnemonic = typeMnemonic;
}
def TileAS_PipelineType : TileAS_Type<"Pipeline", "pipeline"> {
  let summary = "a ring of stages in shared memory, filled by producers and emptied by consumers";
  let parameters = (ins "unsigned":$stages);
  let assemblyFormat = "`<` $stages `>`";
}
def TileAS_PipelineIteratorType : TileAS_Type<"PipelineIterator", "pipeline_iterator"> {
  let summary = "stage number and phase";
  let parameters = (ins "unsigned":$stages);
  let assemblyFormat = "`<` $stages `>`";
}
def TileAS_ProducerTokenType : TileAS_Type<"PipelineProducerToken", "producer_token"> {
  let summary = "the right to fill one stage";
}
def TileAS_ConsumerTokenType : TileAS_Type<"PipelineConsumerToken", "consumer_token"> {
  let summary = "the right to read one stage";
}

def TileAS_AccumulatorType : TileAS_Type<"Accumulator", "accumulator"> {
  let summary = "sums of a product that lie in tensor memory; only the operations of tensor memory touch them";
}

#endif // TILEAS_DIALECT
