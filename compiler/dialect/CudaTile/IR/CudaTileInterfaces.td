// CudaTileInterfaces.td - interfaces of cuda_tile attributes and types.
#ifndef TILESMITH_CUDATILE_INTERFACES_TD
#define TILESMITH_CUDATILE_INTERFACES_TD

include "compiler/dialect/CudaTile/IR/CudaTileBase.td"

def CudaTile_AssumePredicate : AttrInterface<"AssumePredicateAttrInterface"> {
  let cppNamespace = "::tilesmith::cuda_tile";
  let description = "A fact that `cuda_tile.assume` may state about its value.";
  let methods = [
    InterfaceMethod<"Checks that the fact fits the value of the given assume op.",
      "::llvm::LogicalResult", "verifyWithAssumeOp", (ins "::mlir::Operation *":$op)>
  ];
}

def CudaTile_TileView : TypeInterface<"TileView"> {
  let cppNamespace = "::tilesmith::cuda_tile";
  let description = "A view of a tensor from which whole tiles are loaded and to which they are "
      "stored.";
  let methods = [
    InterfaceMethod<"Number of indices that select one tile.", "size_t", "getViewIndexRank">,
    InterfaceMethod<"Type of the tiles that the view holds.", "::mlir::Type", "getViewTileType">,
    InterfaceMethod<"Checks the types of the indices of one access.",
      "::llvm::LogicalResult", "verifyIndices",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
           "::mlir::TypeRange":$indexTypes)>
  ];
}

#endif // TILESMITH_CUDATILE_INTERFACES_TD
