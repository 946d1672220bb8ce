// CoreOps.td - modules, entries, globals, constants, shape algebra, reductions and scans.
#ifndef TILESMITH_CUDATILE_COREOPS_TD
#define TILESMITH_CUDATILE_COREOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

// result has the element type of source, another shape.
class CudaTile_ShapeOp<string mnemonic, string since, list<Trait> traits = []>
    : CudaTile_Op<mnemonic, since, !listconcat([Pure], traits)> {
  let arguments = (ins CudaTile_TileType:$source);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = "$source attr-dict `:` custom<CudaTileType>(type($source)) "
                       "`->` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_ModuleOp : CudaTile_Op<"module", "13.1",
    !listconcat([IsolatedFromAbove, OpAsmOpInterface, NoRegionArguments, SingleBlock, SymbolTable],
                GraphRegionNoTerminator.traits)> {
  let summary = "top-level container of entries and globals";
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$producer);
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name,
                                 CArg<"::llvm::StringRef", "\"\"">:$producer)>];
  let extraClassDeclaration = CudaTile_defaultDialect;
}

def CudaTile_EntryOp : CudaTile_Op<"entry", "13.1",
    [FunctionOpInterface, IsolatedFromAbove, OpAsmOpInterface, SingleBlock,
     SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "kernel: runs once per tile block of the grid";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let extraClassDeclaration = CudaTile_defaultDialect # [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def CudaTile_GlobalOp : CudaTile_Op<"global", "13.1", [Symbol]> {
  let summary = "initialised array in global memory, shared by all tile blocks";
  let arguments = (ins SymbolNameAttr:$sym_name, Builtin_DenseIntOrFPElementsAttr:$value,
      DefaultValuedAttr<I64Attr, "0">:$alignment, UnitAttr:$constant,
      DefaultValuedAttr<CudaTile_SymbolVisibilityAttr,
                        "::tilesmith::cuda_tile::SymbolVisibility::Public">:$symbol_visibility);
  let assemblyFormat = "custom<SymbolVisibility>($symbol_visibility) (`constant` $constant^)? "
      "$sym_name "
      "(`alignment` `=` $alignment^)? attr-dict custom<DenseElementsNoResult>($value)";
  let hasVerifier = 1;
}

def CudaTile_GetGlobalOp : CudaTile_Op<"get_global", "13.1",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "address of a global";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs CudaTile_ScalarPointer:$result);
  let assemblyFormat = "$name attr-dict `:` custom<CudaTileType>(type($result))";
}

def CudaTile_GetTileBlockIdOp : CudaTile_Op<"get_tile_block_id", "13.1", [Pure]> {
  let summary = "coordinates of this tile block in the grid";
  let results = (outs CudaTile_ScalarI32:$blockId_x, CudaTile_ScalarI32:$blockId_y,
                      CudaTile_ScalarI32:$blockId_z);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($blockId_x))";
}

def CudaTile_GetNumTileBlocksOp : CudaTile_Op<"get_num_tile_blocks", "13.1", [Pure]> {
  let summary = "extents of the grid";
  let results = (outs CudaTile_ScalarI32:$gridSize_x, CudaTile_ScalarI32:$gridSize_y,
                      CudaTile_ScalarI32:$gridSize_z);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($gridSize_x))";
}

def CudaTile_ConstantOp : CudaTile_Op<"constant", "13.1",
    [ConstantLike, Pure, AllTypesMatch<["value", "result"]>,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "tile of constants";
  let arguments = (ins Builtin_DenseIntOrFPElementsAttr:$value);
  let results = (outs CudaTile_NumberTile:$result);
  let assemblyFormat = "custom<DenseElements>($value, type($result)) attr-dict";
  let hasFolder = 1;
}

def CudaTile_IotaOp : CudaTile_Op<"iota", "13.1", [Pure]> {
  let summary = "0, 1, 2, ... along a vector";
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_BroadcastOp : CudaTile_ShapeOp<"broadcast", "13.1",
    [SameOperandsAndResultElementType, AllRanksMatch<["source", "result"]>,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "repeats the dimensions of extent 1";
}

def CudaTile_ReshapeOp : CudaTile_ShapeOp<"reshape", "13.1",
    [SameOperandsAndResultElementType,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "same elements in row-major order under another shape";
}

def CudaTile_PermuteOp : CudaTile_Op<"permute", "13.1",
    [Pure, CudaTile_SameElementType<"all of {source, result} have the same element type",
        ["source", "result"]>,
     AllRanksMatch<["source", "result"]>]> {
  let summary = "reorders dimensions: result dimension i is source dimension permutation[i]";
  let arguments = (ins CudaTile_TileType:$source, DenseI32ArrayAttr:$permutation);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` custom<CudaTileType>(type($source)) "
                       "`->` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_CatOp : CudaTile_Op<"cat", "13.1",
    [Pure, AllRanksMatch<["lhs", "rhs", "result"]>,
     CudaTile_SameElementType<"all of {lhs, rhs, result} have the same element type", ["lhs",
         "rhs", "result"]>]> {
  let summary = "joins two tiles along one dimension";
  let arguments = (ins CudaTile_TileType:$lhs, CudaTile_TileType:$rhs, I64Attr:$dim);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = "$lhs `,` $rhs `dim` `=` $dim attr-dict `:` "
      "custom<CudaTileType>(type($lhs)) "
      "`,` custom<CudaTileType>(type($rhs)) `->` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_ExtractOp : CudaTile_Op<"extract", "13.1", [Pure, AllRanksMatch<["source",
    "result"]>]> {
  let summary = "subtile; indices count subtiles";
  let arguments = (ins CudaTile_TileType:$source, Variadic<CudaTile_ScalarI32>:$indices);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` custom<CudaTileType>(type($source)) "
                       "`->` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_InsertOp : CudaTile_Op<"insert", "13.4",
    [Pure, AllTypesMatch<["destination", "result"]>]> {
  let summary = "replaces a subtile of destination by source; indices count subtiles";
  let arguments = (ins CudaTile_TileType:$source, CudaTile_TileType:$destination,
                       Variadic<CudaTile_ScalarI32>:$indices);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = "$source `,` $destination `[` $indices `]` attr-dict "
      "`:` custom<CudaTileType>(type($source)) `,` custom<CudaTileType>(type($destination))";
  let hasVerifier = 1;
}

def CudaTile_SelectOp : CudaTile_Op<"select", "13.1",
    [Pure, AllTypesMatch<["val_if_true", "val_if_false", "result"]>,
     AllShapesMatch<["cond", "val_if_true", "val_if_false", "result"]>]> {
  let summary = "per element, one of two tiles";
  let arguments = (ins CudaTile_I1Tile:$cond, CudaTile_TileType:$val_if_true,
                       CudaTile_TileType:$val_if_false);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = "$cond `,` $val_if_true `,` $val_if_false attr-dict `:` "
      "custom<CudaTileType>(type($cond)) `,` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}

def CudaTile_OffsetOp : CudaTile_Op<"offset", "13.1",
    [Pure, Elementwise, SameOperandsAndResultShape, AllTypesMatch<["result", "ptr"]>]> {
  let summary = "moves pointers by a number of pointees";
  let arguments = (ins CudaTile_PointerTile:$ptr, CudaTile_IntTile:$offset);
  let results = (outs CudaTile_PointerTile:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` custom<CudaTileType>(type($ptr)) `,` "
      "custom<CudaTileType>(type($offset)) `->` custom<CudaTileType>(type($result))";
}

def CudaTile_PackOp : CudaTile_Op<"pack", "13.3", [Pure, AllRanksMatch<["source", "result"]>]> {
  let summary = "bytes of a vector";
  let arguments = (ins CudaTile_NumberOrI4Tile:$source);
  let results = (outs CudaTile_I8Tile:$result);
  let assemblyFormat = "$source attr-dict `:` custom<CudaTileType>(type($source)) "
                       "`->` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_UnpackOp : CudaTile_Op<"unpack", "13.3", [Pure, AllRanksMatch<["source", "result"]>]> {
  let summary = "vector of the given bytes";
  let arguments = (ins CudaTile_I8Tile:$source);
  let results = (outs CudaTile_NumberOrI4Tile:$result);
  let assemblyFormat = "$source attr-dict `:` custom<CudaTileType>(type($source)) "
                       "`->` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

// The region takes, per operand, the current element and the running accumulator, all scalars, and
// yields scalars.
class CudaTile_AggregateOp<string mnemonic, dag args, list<Trait> traits = []>
    : CudaTile_Op<mnemonic, "13.1",
        !listconcat([OpAsmOpInterface, RecursiveMemoryEffects, SameOperandsShape,
                     SingleBlockImplicitTerminator<"YieldOp">], traits)> {
  let arguments = args;
  let results = (outs Variadic<CudaTile_TileType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = CudaTile_defaultDialect;
}

def CudaTile_ReduceOp : CudaTile_AggregateOp<"reduce",
    (ins Variadic<CudaTile_TileType>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
         ArrayAttr:$identities),
    [InferTypeOpAdaptor,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames",
         "getAsmBlockArgumentNames"]>]> {
  let summary = "combines the elements along one dimension, which disappears";
  let assemblyFormat = "$operands attr-dict ` ` `dim` `` `=` `` $dim `identities` `` `=` `` "
      "$identities "
      "`:` custom<CudaTileType>(type($operands)) `->` custom<CudaTileType>(type($results)) "
      "custom<ArgumentRegion>($body)";
}

def CudaTile_ScanOp : CudaTile_AggregateOp<"scan",
    (ins Variadic<CudaTile_TileType>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
         BoolAttr:$reverse, ArrayAttr:$identities),
    [InferTypeOpAdaptor]> {
  let summary = "inclusive prefix combination along one dimension";
  let assemblyFormat = "$operands attr-dict ` ` `dim` `` `=` `` $dim `reverse` `` `=` `` $reverse "
      "`identities` `` `=` `` $identities `:` custom<CudaTileType>(type($operands)) `->` "
      "custom<CudaTileType>(type($results)) custom<ArgumentRegion>($body)";
}

#endif // TILESMITH_CUDATILE_COREOPS_TD
