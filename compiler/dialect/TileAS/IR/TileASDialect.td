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
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::gpu::GPUDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
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

#endif // TILEAS_DIALECT
