//===- ShapeOps.td - splats, reshapes, slices, ranges ---------------------------------------------===//
#ifndef TILEAA_SHAPE_OPS
#define TILEAA_SHAPE_OPS

include "compiler/dialect/TileAA/IR/TileAATypes.td"

def TileAA_SplatOp : TileAA_Op<"splat", [Pure]> {
  let summary = "tile with one value everywhere";
  let arguments = (ins TileAA_Scalar:$source);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

class TileAA_ShapeOp<string mnemonic> : TileAA_Op<mnemonic, [Pure, SameOperandsAndResultElementType]> {
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TileAA_BroadcastOp : TileAA_ShapeOp<"broadcast"> { let summary = "extents of one grow; rank stays"; }

def TileAA_ViewOp : TileAA_ShapeOp<"view"> { let summary = "same elements in row-major order, other shape"; }

def TileAA_ExpandDimsOp : TileAA_Op<"expand_dims", [Pure, SameOperandsAndResultElementType]> {
  let summary = "inserts extents of one at the given result dimensions (ascending)";
  let arguments = (ins AnyRankedTensor:$source, DenseI32ArrayAttr:$axes);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TileAA_ExtractOp : TileAA_Op<"extract", [Pure]> {
  let summary = "one element; without indices the only element of a one-element tile";
  let arguments = (ins AnyRankedTensor:$source, Variadic<TileAA_ScalarInt>:$indices);
  let results = (outs TileAA_Scalar:$result);
  let hasVerifier = 1;
}

def TileAA_ExtractSliceOp : TileAA_Op<"extract_slice", [Pure]> {
  let summary = "one slice; unsigned indices count slices, not elements";
  let arguments = (ins AnyRankedTensor:$source, Variadic<TileAA_ScalarInt>:$indices);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TileAA_CatOp : TileAA_Op<"cat", [Pure]> {
  let summary = "two tiles joined along one dimension";
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs, I64Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TileAA_PermuteOp : TileAA_Op<"permute", [Pure, SameOperandsAndResultElementType]> {
  let summary = "result dimension i is source dimension permutation[i]";
  let arguments = (ins AnyRankedTensor:$source, DenseI32ArrayAttr:$permutation);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TileAA_MakeRangeOp : TileAA_Op<"make_range", [Pure]> {
  let summary = "start, start + 1, ..., end - 1, each cut to the element width";
  let arguments = (ins TileAA_ScalarInt:$start, TileAA_ScalarInt:$end);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TileAA_GenerateOp : TileAA_Op<"generate", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "tile whose elements the body computes from their indices";
  let arguments = (ins Variadic<AnyType>:$captured);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

#endif // TILEAA_SHAPE_OPS
