//===- NVGPUExtDialect.td - the nvgpu_ext dialect and its enums -------------------------------===//
//
// Apart from the operations: enum declarations would otherwise repeat those of nvgpu's types.
//
//===-------------------------------------------------------------------------------------------===//
#ifndef NVGPU_EXT_DIALECT
#define NVGPU_EXT_DIALECT

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def NVGPUExt_Dialect : Dialect {
  let name = "nvgpu_ext";
  let cppNamespace = "::tilesmith::nvgpu_ext";
  let summary = "device operations that upstream's nvgpu lacks";
  // Launch facts of a kernel, from the lowering to the target.
  let discardableAttrs = (ins
    "::mlir::IntegerAttr":$threads,        // of a block
    "::mlir::IntegerAttr":$shared_bytes,  // behind the external global `kSharedMemoryName`
    // The last parameters are tensor maps that host code makes: bytes in front of the first, how many.
    "::mlir::DenseI64ArrayAttr":$host_maps,
    // On an address of that global: the first byte that is reached through it, and the one behind the last.
    "::mlir::DenseI64ArrayAttr":$reach);
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::nvgpu::NVGPUDialect", "::mlir::LLVM::LLVMDialect"];
}

def NVGPUExt_Rounding : I32Enum<"Rounding", "rounding of a float operation", [
  I32EnumCase<"rn", 0>, I32EnumCase<"rz", 1>, I32EnumCase<"rm", 2>, I32EnumCase<"rp", 3>]> {
  let cppNamespace = "::tilesmith::nvgpu_ext";
}
def NVGPUExt_RoundingAttr : EnumAttr<NVGPUExt_Dialect, NVGPUExt_Rounding, "rounding"> {
  let assemblyFormat = "$value";
}

def NVGPUExt_Scope : I32Enum<"Scope", "threads that see a changed tensor map", [
  I32EnumCase<"cta", 0>, I32EnumCase<"cluster", 1>, I32EnumCase<"gpu", 2>, I32EnumCase<"sys", 3>]> {
  let cppNamespace = "::tilesmith::nvgpu_ext";
}
def NVGPUExt_ScopeAttr : EnumAttr<NVGPUExt_Dialect, NVGPUExt_Scope, "scope"> {
  let assemblyFormat = "$value";
}

#endif // NVGPU_EXT_DIALECT
