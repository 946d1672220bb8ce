// IntegerOps.td - integer and bitwise arithmetic, element by element.
#ifndef TILESMITH_CUDATILE_INTEGEROPS_TD
#define TILESMITH_CUDATILE_INTEGEROPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

defvar overflowAttr = DefaultValuedAttr<CudaTile_IntegerOverflowAttr,
                                        "::tilesmith::cuda_tile::IntegerOverflow::NONE">;

// op %lhs, %rhs [overflow<..>] : type
class CudaTile_OverflowOp<string mnemonic>
    : CudaTile_Op<mnemonic, "13.1", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs, overflowAttr:$overflow);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "$lhs `,` $rhs (`overflow` `` $overflow^)? attr-dict `:` "
                       "custom<CudaTileType>(type($result))";
}

// op %lhs, %rhs : type
class CudaTile_BitwiseOp<string mnemonic>
    : CudaTile_Op<mnemonic, "13.1", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<CudaTileType>(type($result))";
}

// op %lhs, %rhs signed|unsigned : type
class CudaTile_SignedOp<string mnemonic, list<Trait> traits = [AllTypesMatch<["lhs", "rhs",
    "result"]>]>
    : CudaTile_Op<mnemonic, "13.1", !listconcat([Pure], traits)> {
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs,
      CudaTile_SignednessAttr:$signedness);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "$lhs `,` $rhs custom<Signedness>($signedness) attr-dict `:` "
                       "custom<CudaTileType>(type($result))";
}

def CudaTile_AddIOp : CudaTile_OverflowOp<"addi"> { let summary = "sum, modulo 2^n"; }
def CudaTile_SubIOp : CudaTile_OverflowOp<"subi"> { let summary = "difference, modulo 2^n"; }
def CudaTile_MulIOp : CudaTile_OverflowOp<"muli"> { let summary = "product, modulo 2^n"; }
def CudaTile_ShLIOp : CudaTile_OverflowOp<"shli"> { let summary = "left shift"; }

def CudaTile_AndIOp : CudaTile_BitwiseOp<"andi"> { let summary = "bitwise and"; }
def CudaTile_OrIOp : CudaTile_BitwiseOp<"ori"> { let summary = "bitwise or"; }
def CudaTile_XOrIOp : CudaTile_BitwiseOp<"xori"> { let summary = "bitwise exclusive or"; }

def CudaTile_MaxIOp : CudaTile_SignedOp<"maxi"> { let summary = "maximum"; }
def CudaTile_MinIOp : CudaTile_SignedOp<"mini"> { let summary = "minimum"; }
def CudaTile_ShRIOp : CudaTile_SignedOp<"shri"> {
  let summary = "right shift, arithmetic when signed";
}
def CudaTile_RemIOp : CudaTile_SignedOp<"remi",
    [AllTypesMatch<["result", "lhs", "rhs"]>, AllShapesMatch<["result", "lhs", "rhs"]>]> {
  let summary = "remainder of truncated division";
}

def CudaTile_DivIOp : CudaTile_Op<"divi", "13.1",
    [NoMemoryEffect, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "quotient; undefined for a zero divisor and for the one overflow, so never "
      "speculated";
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs,
      CudaTile_SignednessAttr:$signedness,
      DefaultValuedAttr<CudaTile_RoundingModeAttr,
          "::tilesmith::cuda_tile::RoundingMode::ZERO">:$rounding);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "$lhs `,` $rhs custom<Signedness>($signedness) (`rounding` `` $rounding^)? "
      "attr-dict "
                       "`:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_AbsIOp : CudaTile_Op<"absi", "13.1",
    [Pure, SameOperandsAndResultShape, AllTypesMatch<["source", "result"]>]> {
  let summary = "absolute value of signed elements, as unsigned";
  let arguments = (ins CudaTile_IntTile:$source);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "$source attr-dict `:` custom<CudaTileType>(type($result))";
}

def CudaTile_NegIOp : CudaTile_Op<"negi", "13.1", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "negation, modulo 2^n";
  let arguments = (ins CudaTile_IntTile:$source, overflowAttr:$overflow);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "$source (`overflow` `` $overflow^)? attr-dict `:` "
      "custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_MulhiIOp : CudaTile_Op<"mulhii", "13.1", [Pure, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "upper half of the unsigned product";
  let arguments = (ins CudaTile_IntTile:$x, CudaTile_IntTile:$y);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<CudaTileType>(type($result))";
}

def CudaTile_CmpIOp : CudaTile_Op<"cmpi", "13.1",
    [Pure, AllTypesMatch<["lhs", "rhs"]>,
     TypesMatchWith<"Result type has i1 element type and same shape as operands", "lhs", "result",
                    "::tilesmith::cuda_tile::getI1SameShape($_self)">]> {
  let summary = "comparison";
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate,
      CudaTile_IntTile:$lhs,
                       CudaTile_IntTile:$rhs, CudaTile_SignednessAttr:$signedness);
  let results = (outs CudaTile_I1Tile:$result);
  let assemblyFormat = "custom<ComparisonPredicate>($comparison_predicate) $lhs `,` $rhs `,` "
      "custom<Signedness>($signedness) attr-dict `:` custom<CudaTileType>(type($lhs)) `->` "
      "custom<CudaTileType>(type($result))";
}

def MmaIOp_Operand : CudaTile_TileOf<[CudaTile_I8], [], "mmai operand tile type">;
def MmaIOp_Acc : CudaTile_TileOf<[CudaTile_I32], [], "mmai acc tile type">;
def MmaIOp_Result : CudaTile_TileOf<[CudaTile_I32], [], "mmai result tile type">;
def CudaTile_MmaIOp : CudaTile_Op<"mmai", "13.1",
    [Pure, AllTypesMatch<["acc", "result"]>,
     CudaTile_SameElementType<"all of {lhs, rhs} have the same element type", ["lhs", "rhs"]>,
     AllRanksMatch<["lhs", "rhs", "acc"]>]> {
  let summary = "lhs times rhs plus acc, modulo 2^32";
  let arguments = (ins MmaIOp_Operand:$lhs, MmaIOp_Operand:$rhs, MmaIOp_Acc:$acc,
                       CudaTile_SignednessAttr:$signedness_lhs,
                           CudaTile_SignednessAttr:$signedness_rhs);
  let results = (outs MmaIOp_Result:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $acc custom<Signedness>($signedness_lhs) "
      "custom<Signedness>($signedness_rhs) attr-dict `:` custom<CudaTileType>(type($lhs)) `,` "
      "custom<CudaTileType>(type($rhs)) `,` custom<CudaTileType>(type($acc))";
  let hasVerifier = 1;
}

#endif // TILESMITH_CUDATILE_INTEGEROPS_TD
