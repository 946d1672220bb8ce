//===- TileASDialect.td - the nv_tileas dialect, its types and attributes -------------------------===//
#ifndef TILEAS_DIALECT
#define TILEAS_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def TileAS_Dialect : Dialect {
  let name = "nv_tileas";
  let cppNamespace = "::tilesmith::tileas";
  let summary = "tiles with layouts: which thread and register holds which element";
  let description = [{
    Every tensor of this stage carries a `#nv_tileas.layout` encoding. Layout changes are explicit
    (`convert_layout`); memory operations keep their tokens until barriers are inserted.
    In-memory only: there is no bytecode and the text is a debugging aid.
  }];
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
    every element once. Swizzles are bases with more than one bit.
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

#endif // TILEAS_DIALECT
