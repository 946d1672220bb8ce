// Passes.td - passes that keep a program in cuda_tile.
#ifndef TILESMITH_CUDATILE_TRANSFORMS_PASSES_TD
#define TILESMITH_CUDATILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuseFMAPass : Pass<"fuse-fma"> {
  let summary = "turn products that feed one sum into fma, and 1 / sqrt into rsqrt; results change";
}

def LoopSplitPass : Pass<"loop-split"> {
  let summary = "split a for at the point where a comparison of its index with an invariant flips";
  let options = [
    Option<"splitThreshold", "split-threshold", "int", "1",
           "split only when a branch has this many ops or an expensive one; 1 always splits, 0 "
               "never">,
    Option<"assumeNoWrap", "assume-no-wrap", "bool", "true",
           "also split loops of other steps than 1, whose aligned split point may wrap around">
  ];
}

def SynthesizeDebugInfoScopesPass : Pass<"synthesize-debug-info-scopes"> {
  let summary = "give functions without debug scope a subprogram, so that their lines reach the "
      "debugger";
  let description = [{
    Every op gets a position in the scope of its function; those without one get the function's.
  }];
}

def CanonicalizePass : Pass<"cudatile-canonicalize"> {
  let summary = "fold and simplify cuda_tile ops";
  let description = [{
    Runs the folds and canonicalization patterns of cuda_tile to a fixed point. Results, and the order of what tokens
    order, stay as they are.
  }];
}

def CheckPublicInputPass : Pass<"check-public-input"> {
  let summary = "reject ops of other dialects than the public input may hold";
  let description = [{
    Allowed are cuda_tile, builtin.module, arith.constant and func symbols (func.func, func.call,
        func.return). The
    diagnostic names the op and stands at its location.
  }];
}

def UpdateSymbolNameTestPass : Pass<"test-debuginfo-update-symbol-name", "::mlir::ModuleOp"> {
  let summary = "rename a symbol together with its debug information";
  let options = [
    Option<"symbol", "symbol-to-rename", "std::string", "", "path of the symbol, as outer::inner">,
    Option<"scope", "scope", "std::string", "", "path of the op whose locations are rewritten">,
    Option<"newName", "new-name", "std::string", "", "new name of the symbol">,
    Option<"updateUses", "update-uses", "bool", "false", "also rename references">
  ];
}

#endif // TILESMITH_CUDATILE_TRANSFORMS_PASSES_TD
