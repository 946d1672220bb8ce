// MathOps.td - elementary functions of floating-point tiles.
#ifndef TILESMITH_CUDATILE_MATHOPS_TD
#define TILESMITH_CUDATILE_MATHOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

class CudaTile_MathOp<string mnemonic> : CudaTile_Op<mnemonic, "13.1",
    [Pure, AllTypesMatch<["source", "result"]>]> {
  let arguments = (ins CudaTile_BaseFloatTile:$source);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = "$source attr-dict `:` custom<CudaTileType>(type($result))";
}

def CudaTile_CeilOp : CudaTile_MathOp<"ceil"> { let summary = "smallest integer that is not less"; }
def CudaTile_FloorOp : CudaTile_MathOp<"floor"> {
  let summary = "largest integer that is not greater";
}
def CudaTile_LogOp : CudaTile_MathOp<"log"> { let summary = "natural logarithm"; }
def CudaTile_Log2Op : CudaTile_MathOp<"log2"> { let summary = "binary logarithm"; }
def CudaTile_SinOp : CudaTile_MathOp<"sin"> { let summary = "sine"; }
def CudaTile_CosOp : CudaTile_MathOp<"cos"> { let summary = "cosine"; }
def CudaTile_TanOp : CudaTile_MathOp<"tan"> { let summary = "tangent"; }
def CudaTile_SinHOp : CudaTile_MathOp<"sinh"> { let summary = "hyperbolic sine"; }
def CudaTile_CosHOp : CudaTile_MathOp<"cosh"> { let summary = "hyperbolic cosine"; }

class CudaTile_FtzMathOp<string mnemonic> : CudaTile_MathOp<mnemonic> {
  let arguments = (ins CudaTile_BaseFloatTile:$source, UnitAttr:$flush_to_zero);
  let assemblyFormat = "$source (`flush_to_zero` $flush_to_zero^)? attr-dict `:` "
                       "custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}
def CudaTile_Exp2Op : CudaTile_FtzMathOp<"exp2"> { let summary = "two to the power"; }
def CudaTile_RsqrtOp : CudaTile_FtzMathOp<"rsqrt"> {
  let summary = "reciprocal of the square root";
}

defvar fullRounding = DefaultValuedAttr<CudaTile_RoundingModeAttr,
    "::tilesmith::cuda_tile::RoundingMode::FULL">;
def CudaTile_ExpOp : CudaTile_MathOp<"exp"> {
  let summary = "e to the power";
  let arguments = (ins CudaTile_BaseFloatTile:$source, fullRounding:$rounding_mode);
  let assemblyFormat = "$source custom<ExpOpRoundingMode>($rounding_mode) attr-dict `:` "
                       "custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}
def CudaTile_TanHOp : CudaTile_MathOp<"tanh"> {
  let summary = "hyperbolic tangent";
  let arguments = (ins CudaTile_BaseFloatTile:$source, fullRounding:$rounding_mode);
  let assemblyFormat = "$source custom<TanHOpRoundingMode>($rounding_mode) attr-dict `:` "
                       "custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}
def CudaTile_SqrtOp : CudaTile_MathOp<"sqrt"> {
  let summary = "square root";
  let arguments = (ins CudaTile_BaseFloatTile:$source, CudaTile_RoundingModeAttr:$rounding_mode,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = "$source custom<SqrtOpRoundingMode>($rounding_mode) (`flush_to_zero` "
      "$flush_to_zero^)? "
                       "attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_PowOp : CudaTile_Op<"pow", "13.1",
    [Pure, AllTypesMatch<["result", "source", "exponent"]>, AllRanksMatch<["source", "exponent",
        "result"]>]> {
  let summary = "source to the power exponent";
  let arguments = (ins CudaTile_BaseFloatTile:$source, CudaTile_BaseFloatTile:$exponent);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = "$source `,` $exponent attr-dict `:` custom<CudaTileType>(type($result))";
}

def FPowIOp_Exponent : CudaTile_TileOf<[CudaTile_I1, CudaTile_I8, CudaTile_I16, CudaTile_I32]>;
def CudaTile_FPowIOp : CudaTile_Op<"fpowi", "13.4",
    [Pure, AllTypesMatch<["source", "result"]>, AllShapesMatch<["source", "exponent"]>]> {
  let summary = "source to an integer power";
  let arguments = (ins CudaTile_BaseFloatTile:$source, FPowIOp_Exponent:$exponent);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = "$source `,` $exponent attr-dict `:` custom<CudaTileType>(type($source)) "
      "`,` "
                       "custom<CudaTileType>(type($exponent))";
}

def CudaTile_Atan2Op : CudaTile_Op<"atan2", "13.2", [Pure, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "angle whose tangent is x / y, quadrant from both signs";
  let arguments = (ins CudaTile_BaseFloatTile:$x, CudaTile_BaseFloatTile:$y);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

#endif // TILESMITH_CUDATILE_MATHOPS_TD
