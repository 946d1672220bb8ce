//===- ComputeOps.td - rounded float arithmetic, dot, reduce, scan, elementwise calls -------------===//
#ifndef TILEAA_COMPUTE_OPS
#define TILEAA_COMPUTE_OPS

include "compiler/dialect/TileAA/IR/TileAATypes.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

defvar RoundingNE = DefaultValuedAttr<TileAA_RoundingModeAttr, "::tilesmith::tileaa::RoundingMode::nearest_even">;

class TileAA_Elementwise<string mnemonic, list<Trait> traits = []>
    : TileAA_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultType] # traits>;

class TileAA_FloatBinary<string mnemonic, string text> : TileAA_Elementwise<mnemonic> {
  let hasFolder = !eq(mnemonic, "addf");
  let summary = text;
  let arguments = (ins TileAA_Float:$lhs, TileAA_Float:$rhs, RoundingNE:$rounding_mode, UnitAttr:$flush_to_zero);
  let results = (outs TileAA_Float:$result);
}
def TileAA_AddFOp : TileAA_FloatBinary<"addf", "sum, rounded once">;
def TileAA_SubFOp : TileAA_FloatBinary<"subf", "difference, rounded once">;
def TileAA_MulFOp : TileAA_FloatBinary<"mulf", "product, rounded once">;
def TileAA_DivFOp : TileAA_FloatBinary<"divf", "quotient; approx and full are bounded, not exact">;

def TileAA_FmaOp : TileAA_Elementwise<"fma"> {
  let summary = "a * b + c, rounded once";
  let arguments = (ins TileAA_Float:$a, TileAA_Float:$b, TileAA_Float:$c, RoundingNE:$rounding_mode, UnitAttr:$flush_to_zero);
  let results = (outs TileAA_Float:$result);
}

def TileAA_SqrtOp : TileAA_Elementwise<"sqrt"> {
  let summary = "square root";
  let arguments = (ins TileAA_Float:$source, RoundingNE:$rounding_mode, UnitAttr:$flush_to_zero);
  let results = (outs TileAA_Float:$result);
}

class TileAA_FloatUnary<string mnemonic, string text> : TileAA_Elementwise<mnemonic> {
  let summary = text;
  let arguments = (ins TileAA_Float:$source, UnitAttr:$flush_to_zero);
  let results = (outs TileAA_Float:$result);
}
def TileAA_RsqrtOp : TileAA_FloatUnary<"rsqrt", "1 / sqrt(x)">;
def TileAA_Exp2Op : TileAA_FloatUnary<"exp2", "2 to the power of x">;

def TileAA_ClampFOp : TileAA_Elementwise<"clampf"> {
  let summary = "max(min(x, hi), lo)";
  let arguments = (ins TileAA_Float:$source, TileAA_Float:$lo, TileAA_Float:$hi, UnitAttr:$propagate_nan);
  let results = (outs TileAA_Float:$result);
}

def TileAA_MulHiUIOp : TileAA_Elementwise<"mulhiui", [Commutative]> {
  let summary = "high half of the unsigned product";
  let arguments = (ins TileAA_Int:$lhs, TileAA_Int:$rhs);
  let results = (outs TileAA_Int:$result);
}

def TileAA_FpToFpOp : TileAA_Op<"fp_to_fp", [Pure, Elementwise, SameOperandsAndResultShape]> {
  let summary = "floating-point format change; fp8 and fp4 targets saturate";
  let arguments = (ins TileAA_Float:$source, RoundingNE:$rounding_mode);
  let results = (outs TileAA_Float:$result);
  let hasVerifier = 1;
}

def TileAA_BitcastOp : TileAA_Op<"bitcast", [Pure, DeclareOpInterfaceMethods<TileAA_AliasOpInterface>]> {
  let summary = "same bits, other type of equal width; also pointer to pointer";
  let arguments = (ins TileAA_Element:$source);
  let results = (outs TileAA_Element:$result);
  let hasVerifier = 1;
}

def TileAA_DotOp : TileAA_Op<"dot", [Pure, AttrSizedOperandSegments, DestinationStyleOpInterface]> {
  let summary = "A * B + C, optionally with block scales";
  let description = [{
    A is [b x] M x K, B is [b x] K x N, C and the result are [b x] M x N. Scales sfa ([b x] M x K/V) and sfb
    ([b x] K/V x N) multiply groups of V elements along K.
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c, Optional<AnyRankedTensor>:$sfa,
                       Optional<AnyRankedTensor>:$sfb, OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_b, OptionalAttr<BoolAttr>:$propagate_nan,
                       OptionalAttr<StrAttr>:$input_precision, UnitAttr:$fast_acc);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{ ::mlir::MutableOperandRange getDpsInitsMutable() { return getCMutable(); } }];
}

def TileAA_ConvDotOp : TileAA_Op<"conv_dot", [Pure, DestinationStyleOpInterface]> {
  let summary = "implicit-gemm convolution step";
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c,
                       OptionalAttr<TileAA_ConvParamsAttr>:$conv_params,
                       OptionalAttr<TileAA_ActivationLayoutAttr>:$activation_layout,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_a, OptionalAttr<TileAA_SignednessAttr>:$signedness_b);
  let results = (outs AnyRankedTensor:$result);
  let extraClassDeclaration = [{ ::mlir::MutableOperandRange getDpsInitsMutable() { return getCMutable(); } }];
}

def TileAA_ReduceOp : TileAA_Op<"reduce", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock]> {
  let summary = "combines all elements along one axis";
  let description = [{
    The body takes, per operand, (element, accumulator) scalars and yields the new accumulators. It is associative and
    commutative; identities are neutral.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$operands, I32Attr:$axis, ArrayAttr:$identities);
  let results = (outs Variadic<TileAA_Element>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def TileAA_ScanOp : TileAA_Op<"scan", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock]> {
  let summary = "prefix combination along one axis";
  let description = [{
    The body takes, per operand, (what came before, element). `reverse` starts at the high end. An exclusive scan gives
    each element what came before it, the first one the identity.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$operands, I32Attr:$axis, DefaultValuedAttr<BoolAttr, "true">:$inclusive,
                       ArrayAttr:$identities, DefaultValuedAttr<BoolAttr, "false">:$reverse);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def TileAA_HistogramOp : TileAA_Op<"histogram", [Pure]> {
  let summary = "number of elements per value; the result extent is the number of bins";
  let arguments = (ins AnyRankedTensor:$source, Optional<AnyRankedTensor>:$mask);
  let results = (outs AnyRankedTensor:$result);
}

def TileAA_ExternElementwiseOp : TileAA_Op<"extern_elementwise", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "calls an external function per element";
  let arguments = (ins Variadic<TileAA_Element>:$operands, StrAttr:$symbol, StrAttr:$libname, StrAttr:$libpath, BoolAttr:$pure);
  let results = (outs TileAA_Element:$result);
}

def TileAA_ElementwiseInlineAsmOp : TileAA_Op<"elementwise_inline_asm", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "inline assembly per group of packed elements";
  let arguments = (ins Variadic<TileAA_Element>:$operands, StrAttr:$asm_string, StrAttr:$constraints, I32Attr:$packed, BoolAttr:$pure);
  let results = (outs Variadic<TileAA_Element>:$results);
}

def TileAA_CallElementwiseIntrinsicOp : TileAA_Op<"call_elementwise_intrinsic", [Pure, Elementwise]> {
  let summary = "math library function by name, per element";
  let arguments = (ins Variadic<TileAA_Element>:$operands, StrAttr:$intrinsic);
  let results = (outs TileAA_Element:$result);
}

#endif // TILEAA_COMPUTE_OPS
