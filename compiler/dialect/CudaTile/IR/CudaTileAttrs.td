// CudaTileAttrs.td - enums and attributes of cuda_tile. Enum values are the integers of the
// bytecode.
#ifndef TILESMITH_CUDATILE_ATTRS_TD
#define TILESMITH_CUDATILE_ATTRS_TD

include "compiler/dialect/CudaTile/IR/CudaTileInterfaces.td"

class CudaTile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilesmith::cuda_tile";
}

// An enum that is wrapped into a dialect attribute of its own: #cuda_tile.mnemonic<value>.
class CudaTile_WrappedEnum<string name, string summary, list<I32EnumAttrCase> cases>
    : CudaTile_Enum<name, summary, cases> {
  let genSpecializedAttr = 0;
}
class CudaTile_EnumAttr<EnumAttrInfo enum, string mnemonic>
    : EnumAttr<CudaTile_Dialect, enum, mnemonic> {
  let cppNamespace = "::tilesmith::cuda_tile";
  let assemblyFormat = "`<` $value `>`";
}

def CudaTile_Signedness : CudaTile_WrappedEnum<"Signedness", "signedness", [
    I32EnumAttrCase<"Unsigned", 0, "unsigned">,
    I32EnumAttrCase<"Signed", 1, "signed">]>;
def CudaTile_SignednessAttr : CudaTile_EnumAttr<CudaTile_Signedness, "signedness">;

def CudaTile_IntegerOverflow : CudaTile_WrappedEnum<"IntegerOverflow", "integer overflow", [
    I32EnumAttrCase<"NONE", 0, "none">,
    I32EnumAttrCase<"NSW", 1, "no_signed_wrap">,
    I32EnumAttrCase<"NUW", 2, "no_unsigned_wrap">,
    I32EnumAttrCase<"NW", 3, "no_wrap">]>;
def CudaTile_IntegerOverflowAttr : CudaTile_EnumAttr<CudaTile_IntegerOverflow, "overflow">;

def CudaTile_RoundingMode : CudaTile_WrappedEnum<"RoundingMode", "rounding mode", [
    I32EnumAttrCase<"NEAREST_EVEN", 0, "nearest_even">,
    I32EnumAttrCase<"ZERO", 1, "zero">,
    I32EnumAttrCase<"NEGATIVE_INF", 2, "negative_inf">,
    I32EnumAttrCase<"POSITIVE_INF", 3, "positive_inf">,
    I32EnumAttrCase<"APPROX", 4, "approx">,
    I32EnumAttrCase<"FULL", 5, "full">,
    I32EnumAttrCase<"NEAREST_INT_TO_ZERO", 6, "nearest_int_to_zero">,
    I32EnumAttrCase<"NEAREST_AWAY", 7, "nearest_away">]>;
def CudaTile_RoundingModeAttr : CudaTile_EnumAttr<CudaTile_RoundingMode, "rounding">;

def CudaTile_ComparisonOrdering : CudaTile_WrappedEnum<"ComparisonOrdering",
    "comparison_ordering", [
    I32EnumAttrCase<"UNORDERED", 0, "unordered">,
    I32EnumAttrCase<"ORDERED", 1, "ordered">]>;
def CudaTile_ComparisonOrderingAttr
    : CudaTile_EnumAttr<CudaTile_ComparisonOrdering, "comparison_ordering">;

def CudaTile_ComparisonPredicate : CudaTile_WrappedEnum<"ComparisonPredicate", "cmp_predicate", [
    I32EnumAttrCase<"EQUAL", 0, "equal">,
    I32EnumAttrCase<"NOT_EQUAL", 1, "not_equal">,
    I32EnumAttrCase<"LESS_THAN", 2, "less_than">,
    I32EnumAttrCase<"LESS_THAN_OR_EQUAL", 3, "less_than_or_equal">,
    I32EnumAttrCase<"GREATER_THAN", 4, "greater_than">,
    I32EnumAttrCase<"GREATER_THAN_OR_EQUAL", 5, "greater_than_or_equal">]>;
def CudaTile_ComparisonPredicateAttr
    : CudaTile_EnumAttr<CudaTile_ComparisonPredicate, "comparison_predicate">;

def CudaTile_PaddingValue : CudaTile_WrappedEnum<"PaddingValue", "value of elements outside the "
    "tensor", [
    I32EnumAttrCase<"zero", 0>, I32EnumAttrCase<"neg_zero", 1>, I32EnumAttrCase<"nan", 2>,
    I32EnumAttrCase<"pos_inf", 3>, I32EnumAttrCase<"neg_inf", 4>]>;
def CudaTile_PaddingValueAttr : CudaTile_EnumAttr<CudaTile_PaddingValue, "padding_value"> {
  let assemblyFormat = "$value";
}

def CudaTile_SymbolVisibility : CudaTile_WrappedEnum<"SymbolVisibility", "symbol visibility", [
    I32EnumAttrCase<"Public", 0, "public">, I32EnumAttrCase<"Private", 1, "private">]>;
def CudaTile_SymbolVisibilityAttr
    : CudaTile_EnumAttr<CudaTile_SymbolVisibility, "symbol_visibility">;

// Where a pointer may point: one copy of the memory, or all copies of a multicast object (13.4,
// 13.5).
def CudaTile_PtrAttrKind : CudaTile_WrappedEnum<"PtrAttrKind", "pointer attribute", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Unicast", 1, "unicast">,
    I32EnumAttrCase<"Multicast", 2, "multicast">]>;
def CudaTile_PtrAttr : CudaTile_EnumAttr<CudaTile_PtrAttrKind, "ptr_attr">;

def CudaTile_MultimemReductionKind : CudaTile_WrappedEnum<"MultimemReductionKind", "reduction", [
    I32EnumAttrCase<"ADD", 0, "add">, I32EnumAttrCase<"MIN", 1, "min">,
    I32EnumAttrCase<"MAX", 2, "max">, I32EnumAttrCase<"AND", 3, "and">,
    I32EnumAttrCase<"OR", 4, "or">, I32EnumAttrCase<"XOR", 5, "xor">,
    I32EnumAttrCase<"UMIN", 6, "umin">, I32EnumAttrCase<"UMAX", 7, "umax">]>;
def CudaTile_MultimemReductionKindAttr
    : CudaTile_EnumAttr<CudaTile_MultimemReductionKind, "multimem_reduction_kind">;

// These three are i32 integer attributes, not attributes of the dialect.
def CudaTile_AtomicRMWModeAttr : CudaTile_Enum<"AtomicRMWMode", "", [
    I32EnumAttrCase<"AND", 0, "and">, I32EnumAttrCase<"OR", 1, "or">,
    I32EnumAttrCase<"XOR", 2, "xor">, I32EnumAttrCase<"ADD", 3, "add">,
    I32EnumAttrCase<"ADDF", 4, "addf">, I32EnumAttrCase<"MAX", 5, "max">,
    I32EnumAttrCase<"MIN", 6, "min">, I32EnumAttrCase<"UMAX", 7, "umax">,
    I32EnumAttrCase<"UMIN", 8, "umin">, I32EnumAttrCase<"XCHG", 9, "xchg">]>;
def CudaTile_MemoryScopeAttr : CudaTile_Enum<"MemoryScope", "memory scope", [
    I32EnumAttrCase<"TL_BLK", 0, "tl_blk">, I32EnumAttrCase<"DEVICE", 1, "device">,
    I32EnumAttrCase<"SYS", 2, "sys">]>;
def CudaTile_MemoryOrderingSemanticsAttr
    : CudaTile_Enum<"MemoryOrderingSemantics", "memory ordering semantics", [
    I32EnumAttrCase<"WEAK", 0, "weak">, I32EnumAttrCase<"RELAXED", 1, "relaxed">,
    I32EnumAttrCase<"ACQUIRE", 2, "acquire">, I32EnumAttrCase<"RELEASE", 3, "release">,
    I32EnumAttrCase<"ACQ_REL", 4, "acq_rel">]>;

// Facts for assume.

def CudaTile_DivByAttr : CudaTile_AttrDef<"DivBy", "div_by", "13.1",
    [DeclareAttrInterfaceMethods<CudaTile_AssumePredicate>]> {
  let summary = "first element of each group of `every` along `along` is a multiple of `divisor`, "
      "the rest count up";
  let parameters = (ins "uint64_t":$divisor, "::std::optional<int64_t>":$every,
                        "::std::optional<int64_t>":$along);
  let hasCustomAssemblyFormat = 1;
}

def CudaTile_SameElementsAttr : CudaTile_AttrDef<"SameElements", "same_elements", "13.1",
    [DeclareAttrInterfaceMethods<CudaTile_AssumePredicate>]> {
  let summary = "per dimension, the size of the groups of neighbours that are equal";
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$values);
  let assemblyFormat = "`<` $values `>`";
}

def CudaTile_BoundedAttr : CudaTile_AttrDef<"Bounded", "bounded", "13.1",
    [DeclareAttrInterfaceMethods<CudaTile_AssumePredicate>]> {
  let summary = "inclusive signed bounds of every element";
  let parameters = (ins OptionalParameter<"::std::optional<int64_t>">:$lb,
                        OptionalParameter<"::std::optional<int64_t>">:$ub);
  let assemblyFormat = "`<` ($lb^) : (`?`)? `,` ($ub^) : (`?`)? `>`";
}

def CudaTile_OptimizationHintsAttr
    : CudaTile_AttrDef<"OptimizationHints", "optimization_hints", "13.1"> {
  let summary = "per architecture (or `default`), hints for one op; hints never change a result";
  let parameters = (ins "::mlir::DictionaryAttr":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kNumCTAInCGA = "num_cta_in_cga";
    static constexpr ::llvm::StringLiteral kNumWorkerWarpsPerCTA = "num_worker_warps_per_cta";
    static constexpr ::llvm::StringLiteral kAllowTMA = "allow_tma";
    static constexpr ::llvm::StringLiteral kLatency = "latency";
    static constexpr ::llvm::StringLiteral kOccupancy = "occupancy";

    /// The hint for an architecture ("sm_90"), else the one under `default`, when its value is in range.
    ::std::optional<int> getNumCTAInCGA(::llvm::StringRef sm);
    ::std::optional<int> getNumWorkerWarpsPerCTA(::llvm::StringRef sm);
    ::std::optional<bool> getAllowTMA(::llvm::StringRef sm);
    ::std::optional<int> getLatency(::llvm::StringRef sm);
    ::std::optional<int> getOccupancy(::llvm::StringRef sm);

    /// Diagnoses hints that the op does not know, when the dialect is told to.
    ::llvm::LogicalResult verifyWithOp(::mlir::Operation *op);
  }];
}

// Debug information.

class CudaTile_DIScope<string name, string mnemonic>
    : CudaTile_AttrDef<name, mnemonic, "13.1", [], "DIScopeAttr">;
class CudaTile_DILocalScope<string name, string mnemonic>
    : CudaTile_AttrDef<name, mnemonic, "13.1", [], "DILocalScopeAttr">;

def CudaTile_DILocAttr : LocationAttrDef<CudaTile_Dialect, "DILoc"> {
  let mnemonic = "di_loc";
  string sinceVersion = "13.1";
  let parameters = (ins "::mlir::FileLineColLoc":$sourceLoc, "DILocalScopeAttr":$scope);
  let assemblyFormat = "`<` $sourceLoc `in` $scope `>`";
}
def CudaTile_DICompileUnitAttr : CudaTile_DIScope<"DICompileUnit", "di_compile_unit"> {
  let parameters = (ins "DIFileAttr":$file);
  let assemblyFormat = "`<` struct(params) `>`";
}
def CudaTile_DIFileAttr : CudaTile_DIScope<"DIFile", "di_file"> {
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$directory);
  let assemblyFormat = "`<` $name `in` $directory `>`";
}
def CudaTile_DILexicalBlockAttr : CudaTile_DILocalScope<"DILexicalBlock", "di_lexical_block"> {
  let parameters = (ins "DILocalScopeAttr":$scope, "DIFileAttr":$file, "unsigned":$line,
                        OptionalParameter<"unsigned">:$column);
  let assemblyFormat = "`<` struct(params) `>`";
}
def CudaTile_DISubprogramFlags : CudaTile_Enum<"DISubprogramFlags", "subprogram flags", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Declaration", 1, "declaration">]>;
def CudaTile_DISubprogramAttr : CudaTile_DILocalScope<"DISubprogram", "di_subprogram"> {
  let parameters = (ins "DIFileAttr":$file, "unsigned":$line, "::mlir::StringAttr":$name,
                        "::mlir::StringAttr":$linkageName, "DICompileUnitAttr":$compileUnit,
                        OptionalParameter<"unsigned">:$scopeLine,
                        // Bytecode 13.5; not printed when none is set.
                        DefaultValuedParameter<"DISubprogramFlags", "DISubprogramFlags::None">:$flags);
  let builders = [AttrBuilder<(ins "DIFileAttr":$file, "unsigned":$line, "::mlir::StringAttr":$name,
      "::mlir::StringAttr":$linkageName, "DICompileUnitAttr":$compileUnit, "unsigned":$scopeLine), [{
    return $_get($_ctxt, file, line, name, linkageName, compileUnit, scopeLine,
                 DISubprogramFlags::None);
  }]>];
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TILESMITH_CUDATILE_ATTRS_TD
