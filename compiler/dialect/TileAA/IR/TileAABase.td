//===- TileAABase.td - the nv_tileaa dialect and its op base class --------------------------------===//
//
// nv_tileaa is the alias-aware middle: public cuda_tile above, layouts (nv_tileas) below. It lives in memory only; ops
// print in the generic form, types and attributes in their default form.
//
//===----------------------------------------------------------------------------------------------===//
#ifndef TILEAA_BASE
#define TILEAA_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileAA_Dialect : Dialect {
  let name = "nv_tileaa";
  let cppNamespace = "::tilesmith::tileaa";
  let summary = "alias-aware tile operations";
  let description = [{
    Tiles of rank above 0 are builtin tensors, rank-0 tiles plain scalars. Memory is reached through pointers
    (`ptr`), memrefs with provenance (`memref`) and tiled views (`tiled_view`); memory order is an SSA edge
    (`mem_token`). Integer and unrounded float arithmetic is in arith and math, control flow in scf.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasCanonicalizer = 1;
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// The op families the documents count (61); the registered roster has 73 mnemonics.
    static constexpr unsigned kDocumentedFamilyCount = 61;

    /// Module attribute (i32, major * 10 + minor) and the spelling that is only read.
    static constexpr llvm::StringLiteral kComputeCapability{"nv_tileaa.compute_capability"};
    static constexpr llvm::StringLiteral kComputeCapabilityLegacy{"nv_tileaa.compute-capability"};
    static constexpr llvm::StringLiteral kKernelSpec{"nv_tileaa.kernel_spec"};

    void registerTypes();
    void registerAttributes();
    void registerComputeOps();
    void registerShapeOps();
    void registerPointerOps();
    void registerMemoryOps();
    void registerTokenOps();
    void registerGridOps();
    void registerStructureOps();
    void registerQueueOps();
  }];
}

class TileAA_Op<string mnemonic, list<Trait> traits = []> : Op<TileAA_Dialect, mnemonic, traits>;

#endif // TILEAA_BASE
