// ConversionOps.td - changes of element type.
#ifndef TILESMITH_CUDATILE_CONVERSIONOPS_TD
#define TILESMITH_CUDATILE_CONVERSIONOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

class CudaTile_CastOp<string mnemonic, Type sourceType, Type resultType>
    : CudaTile_Op<mnemonic, "13.1", [Pure, AllShapesMatch<["source", "result"]>]> {
  let arguments = (ins sourceType:$source);
  let results = (outs resultType:$result);
  let assemblyFormat = "$source attr-dict `:` custom<CudaTileType>(type($source)) `->` "
                       "custom<CudaTileType>(type($result))";
}
def CudaTile_BitcastOp : CudaTile_CastOp<"bitcast", CudaTile_NumberTile, CudaTile_NumberTile> {
  let summary = "same bits, type of equal width";
  let hasVerifier = 1;
}
def CudaTile_IntToPtrOp : CudaTile_CastOp<"int_to_ptr", CudaTile_I64Tile, CudaTile_PointerTile> {
  let summary = "address to pointer";
}
def CudaTile_PtrToIntOp : CudaTile_CastOp<"ptr_to_int", CudaTile_PointerTile, CudaTile_I64Tile> {
  let summary = "pointer to address";
}
def CudaTile_PtrToPtrOp : CudaTile_CastOp<"ptr_to_ptr", CudaTile_PointerTile,
    CudaTile_PointerTile> {
  let summary = "same address, another pointee";
}

class CudaTile_ConvertOp<string mnemonic, dag args, Type resultType, string modifiers>
    : CudaTile_Op<mnemonic, "13.1", [Pure, AllShapesMatch<["from", "to"]>]> {
  let arguments = args;
  let results = (outs resultType:$to);
  let assemblyFormat = "$from " # modifiers # " attr-dict `:` custom<CudaTileType>(type($from)) "
      "`->` "
                       "custom<CudaTileType>(type($to))";
  let hasVerifier = 1;
}
def CudaTile_ExtIOp : CudaTile_ConvertOp<"exti",
    (ins CudaTile_IntOrI4Tile:$from, CudaTile_SignednessAttr:$signedness), CudaTile_IntOrI4Tile,
    "custom<Signedness>($signedness)"> {
  let summary = "wider integer";
}
def CudaTile_TruncIOp : CudaTile_ConvertOp<"trunci",
    (ins CudaTile_IntOrI4Tile:$from,
         DefaultValuedAttr<CudaTile_IntegerOverflowAttr,
                           "::tilesmith::cuda_tile::IntegerOverflow::NONE">:$overflow),
    CudaTile_IntOrI4Tile, "(`overflow` `` $overflow^)?"> {
  let summary = "narrower integer";
}
def CudaTile_IToFOp : CudaTile_ConvertOp<"itof",
    (ins CudaTile_IntTile:$from, CudaTile_SignednessAttr:$signedness,
        CudaTile_RoundingModeAttr:$rounding_mode),
    CudaTile_FloatTile, "custom<Signedness>($signedness) "
        "custom<IEEERoundingMode>($rounding_mode)"> {
  let summary = "integer to float";
}
def CudaTile_FToIOp : CudaTile_ConvertOp<"ftoi",
    (ins CudaTile_FloatTile:$from, CudaTile_SignednessAttr:$signedness,
         CudaTile_RoundingModeAttr:$rounding_mode, UnitAttr:$saturating),
    CudaTile_IntTile, "custom<Signedness>($signedness) custom<IntegerRoundingMode>($rounding_mode) "
                      "(`saturating` $saturating^)?"> {
  let summary = "float to integer";
}
def CudaTile_FToFOp : CudaTile_ConvertOp<"ftof",
    (ins CudaTile_FloatTile:$from,
         DefaultValuedAttr<CudaTile_RoundingModeAttr,
                           "::tilesmith::cuda_tile::RoundingMode::NEAREST_EVEN">:$rounding_mode),
    CudaTile_FloatTile, "custom<FToFRoundingMode>($rounding_mode)"> {
  let summary = "float to another float";
}

#endif // TILESMITH_CUDATILE_CONVERSIONOPS_TD
