// MiscOps.td - assumptions and printing.
#ifndef TILESMITH_CUDATILE_MISCOPS_TD
#define TILESMITH_CUDATILE_MISCOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

def CudaTile_AssumeOp : CudaTile_Op<"assume", "13.1",
    [AllTypesMatch<["value", "result"]>,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the value, with a fact that the producer promises";
  let arguments = (ins AnyType:$value, CudaTile_AssumePredicate:$predicate);
  let results = (outs AnyType:$result);
  let assemblyFormat = "custom<AssumePredicate>($predicate) `,` $value attr-dict `:` "
                       "custom<CudaTileType>(type($value))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def CudaTile_PrintTkoOp : CudaTile_Op<"print_tko", "13.1", [AttrSizedOperandSegments]> {
  let summary = "prints tiles under a format";
  let arguments = (ins StrAttr:$str, Variadic<CudaTile_TileType>:$args,
      Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    $str (`,` $args^)? (`token` `` `=` `` $token^)? attr-dict (`:`
        custom<CudaTileType>(type($args))^)?
    `->` custom<CudaTileType>(type($result_token))
  }];
  let hasVerifier = 1;
}

// The name and form of print_tko in 13.1. Other profiles do not know it, and 13.1 does not know
// print_tko.
def CudaTile_PrintOp : CudaTile_Op<"print", "13.1"> {
  let summary = "prints tiles under a format, in no order with other accesses";
  let arguments = (ins StrAttr:$str, Variadic<CudaTile_TileType>:$args);
  let assemblyFormat = "$str (`,` $args^)? attr-dict (`:` custom<CudaTileType>(type($args))^)?";
  let hasVerifier = 1;
}

#endif // TILESMITH_CUDATILE_MISCOPS_TD
