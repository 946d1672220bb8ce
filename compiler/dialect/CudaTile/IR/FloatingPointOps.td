// FloatingPointOps.td - floating-point arithmetic with a rounding mode, element by element, and
// matrix products.
#ifndef TILESMITH_CUDATILE_FLOATINGPOINTOPS_TD
#define TILESMITH_CUDATILE_FLOATINGPOINTOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

// op %lhs, %rhs [rounding<..>] [flush_to_zero] : type
class CudaTile_RoundedBinaryOp<string mnemonic, string roundingDirective = "IEEERoundingMode">
    : CudaTile_Op<mnemonic, "13.1", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let arguments = (ins CudaTile_BaseFloatTile:$lhs, CudaTile_BaseFloatTile:$rhs,
                       CudaTile_RoundingModeAttr:$rounding_mode, UnitAttr:$flush_to_zero);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = "$lhs `,` $rhs custom<" # roundingDirective # ">($rounding_mode) "
      "(`flush_to_zero` $flush_to_zero^)? attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_AddFOp : CudaTile_RoundedBinaryOp<"addf"> {
  let summary = "sum";
  let hasCanonicalizeMethod = 1;
}
def CudaTile_SubFOp : CudaTile_RoundedBinaryOp<"subf"> { let summary = "difference"; }
def CudaTile_MulFOp : CudaTile_RoundedBinaryOp<"mulf"> { let summary = "product"; }
def CudaTile_DivFOp : CudaTile_RoundedBinaryOp<"divf", "DivFOpRoundingMode"> {
  let summary = "quotient";
}

def CudaTile_FmaOp : CudaTile_Op<"fma", "13.1", [Pure, AllTypesMatch<["lhs", "rhs", "acc",
    "result"]>]> {
  let summary = "lhs times rhs plus acc, rounded once";
  let arguments = (ins CudaTile_BaseFloatTile:$lhs, CudaTile_BaseFloatTile:$rhs,
      CudaTile_BaseFloatTile:$acc,
                       CudaTile_RoundingModeAttr:$rounding_mode, UnitAttr:$flush_to_zero);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $acc custom<IEEERoundingMode>($rounding_mode) "
      "(`flush_to_zero` $flush_to_zero^)? attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

class CudaTile_MinMaxFOp<string mnemonic>
    : CudaTile_Op<mnemonic, "13.1", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let arguments = (ins CudaTile_BaseFloatTile:$lhs, CudaTile_BaseFloatTile:$rhs,
      UnitAttr:$propagate_nan,
                       UnitAttr:$flush_to_zero);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = "$lhs `,` $rhs oilist(`flush_to_zero` $flush_to_zero | `propagate_nan` "
      "$propagate_nan) "
                       "attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}
def CudaTile_MaxFOp : CudaTile_MinMaxFOp<"maxf"> {
  let summary = "maximum; a number wins over NaN";
}
def CudaTile_MinFOp : CudaTile_MinMaxFOp<"minf"> {
  let summary = "minimum; a number wins over NaN";
}

def CudaTile_RemFOp : CudaTile_Op<"remf", "13.1", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "remainder of truncated division";
  let arguments = (ins CudaTile_BaseFloatTile:$lhs, CudaTile_BaseFloatTile:$rhs);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<CudaTileType>(type($result))";
}

class CudaTile_SignFOp<string mnemonic, list<Trait> traits = []>
    : CudaTile_Op<mnemonic, "13.1", !listconcat([Pure], traits, [AllTypesMatch<["source",
        "result"]>])> {
  let arguments = (ins CudaTile_BaseFloatTile:$source);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = "$source attr-dict `:` custom<CudaTileType>(type($result))";
}
def CudaTile_AbsFOp : CudaTile_SignFOp<"absf", [SameOperandsAndResultShape]> {
  let summary = "absolute value";
}
def CudaTile_NegFOp : CudaTile_SignFOp<"negf"> { let summary = "negation of the sign"; }

def CudaTile_CmpFOp : CudaTile_Op<"cmpf", "13.1",
    [Pure, AllTypesMatch<["lhs", "rhs"]>,
     TypesMatchWith<"Result type has i1 element type and same shape as operands", "lhs", "result",
                    "::tilesmith::cuda_tile::getI1SameShape($_self)">]> {
  let summary = "comparison; ordered is false on NaN, unordered is true";
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate,
                       CudaTile_ComparisonOrderingAttr:$comparison_ordering,
                       CudaTile_BaseFloatTile:$lhs, CudaTile_BaseFloatTile:$rhs);
  let results = (outs CudaTile_I1Tile:$result);
  let assemblyFormat = "custom<ComparisonPredicate>($comparison_predicate) "
      "custom<ComparisonOrdering>($comparison_ordering) $lhs `,` $rhs attr-dict `:` "
      "custom<CudaTileType>(type($lhs)) `->` custom<CudaTileType>(type($result))";
}

def MmaFOp_Operand : CudaTile_TileOf<[CudaTile_F16, CudaTile_BF16, CudaTile_F32, CudaTile_F64,
    CudaTile_TF32,
                                      CudaTile_F8E4M3FN, CudaTile_F8E5M2], [], "mmaf operand tile "
                                          "type">;
def MmaFOp_Result : CudaTile_TileOf<[CudaTile_F16, CudaTile_F32, CudaTile_F64], [],
                                    "mmaf acc/result tile type">;
def CudaTile_MmaFOp : CudaTile_Op<"mmaf", "13.1",
    [Pure, AllTypesMatch<["acc", "result"]>,
     CudaTile_SameElementType<"all of {lhs, rhs} have the same element type", ["lhs", "rhs"]>,
     AllRanksMatch<["lhs", "rhs", "acc"]>]> {
  let summary = "lhs times rhs plus acc, over the last two dimensions";
  let arguments = (ins MmaFOp_Operand:$lhs, MmaFOp_Operand:$rhs, MmaFOp_Result:$acc,
      UnitAttr:$fast_acc);
  let results = (outs MmaFOp_Result:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)? attr-dict `:` "
      "custom<CudaTileType>(type($lhs)) `,` custom<CudaTileType>(type($rhs)) `,` "
      "custom<CudaTileType>(type($acc))";
  let hasVerifier = 1;
}

def MmaFScaledOp_Operand : CudaTile_TileOf<[CudaTile_F8E4M3FN, CudaTile_F8E5M2,
    CudaTile_F4E2M1FN], [],
                                           "mmaf_scaled operand tile type">;
def MmaFScaledOp_ScaleElement
    : Type<Or<[F8E8M0FNU.predicate,
               CPred<"::llvm::isa<::tilesmith::cuda_tile::FloatNV8E5M3FNUType>($_self)">]>,
           "f8E8M0FNU">;
def MmaFScaledOp_Scale : CudaTile_TileOf<[CudaTile_F8E4M3FN, MmaFScaledOp_ScaleElement], [],
                                         "mmaf_scaled scale tile type">;
def MmaFScaledOp_Result : CudaTile_TileOf<[CudaTile_F32], [], "mmaf_scaled result tile type">;
def CudaTile_MmaFScaledOp : CudaTile_Op<"mmaf_scaled", "13.3",
    [Pure, AllTypesMatch<["acc", "result"]>,
     CudaTile_SameElementType<"all of {lhs, rhs} have the same element type", ["lhs", "rhs"]>,
     CudaTile_SameElementType<"all of {lhs_scale, rhs_scale} have the same element type",
         ["lhs_scale", "rhs_scale"]>,
     AllRanksMatch<["lhs", "rhs", "acc", "lhs_scale", "rhs_scale"]>]> {
  let summary = "matrix product of blocks that share a scale along the contracted dimension";
  let arguments = (ins MmaFScaledOp_Operand:$lhs, MmaFScaledOp_Operand:$rhs,
      MmaFScaledOp_Result:$acc,
                       MmaFScaledOp_Scale:$lhs_scale, MmaFScaledOp_Scale:$rhs_scale);
  let results = (outs MmaFScaledOp_Result:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale attr-dict `:` "
      "custom<CudaTileType>(type($lhs)) `,` custom<CudaTileType>(type($rhs)) `,` "
      "custom<CudaTileType>(type($acc)) `,` custom<CudaTileType>(type($lhs_scale)) `,` "
      "custom<CudaTileType>(type($rhs_scale))";
  let hasVerifier = 1;
}

#endif // TILESMITH_CUDATILE_FLOATINGPOINTOPS_TD
