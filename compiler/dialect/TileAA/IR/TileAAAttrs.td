//===- TileAAAttrs.td - enums and attributes of nv_tileaa -----------------------------------------===//
#ifndef TILEAA_ATTRS
#define TILEAA_ATTRS

include "compiler/dialect/TileAA/IR/TileAABase.td"
include "compiler/dialect/TileAA/IR/TileAAInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

class TileAA_Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::tilesmith::tileaa";
  let genSpecializedAttr = 0;
}

class TileAA_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<TileAA_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_CacheModifier : TileAA_Enum<"CacheModifier", "cache operator of an access", [
  I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"ca", 1>, I32EnumAttrCase<"cg", 2>, I32EnumAttrCase<"cs", 3>,
  I32EnumAttrCase<"lu", 4>, I32EnumAttrCase<"cv", 5>]>;
def TileAA_EvictionPolicy : TileAA_Enum<"EvictionPolicy", "cache eviction priority", [
  I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"first", 1>, I32EnumAttrCase<"last", 2>, I32EnumAttrCase<"normal", 3>]>;
def TileAA_MemSemantic : TileAA_Enum<"MemSemantic", "memory ordering of an access", [
  I32EnumAttrCase<"weak", 0>, I32EnumAttrCase<"relaxed", 1>, I32EnumAttrCase<"acquire", 2>,
  I32EnumAttrCase<"release", 3>, I32EnumAttrCase<"acq_rel", 4>]>;
def TileAA_MemScope : TileAA_Enum<"MemScope", "set of threads an ordered access talks to", [
  I32EnumAttrCase<"tl_blk", 0>, I32EnumAttrCase<"cluster", 1>, I32EnumAttrCase<"gpu", 2>, I32EnumAttrCase<"sys", 3>]>;
def TileAA_RMWMode : TileAA_Enum<"RMWMode", "operation of an atomic read-modify-write", [
  I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"and_", 1, "and">, I32EnumAttrCase<"or_", 2, "or">,
  I32EnumAttrCase<"xor_", 3, "xor">, I32EnumAttrCase<"xchg", 4>, I32EnumAttrCase<"min", 5>, I32EnumAttrCase<"max", 6>,
  I32EnumAttrCase<"umin", 7>, I32EnumAttrCase<"umax", 8>, I32EnumAttrCase<"addf", 9>]>;
def TileAA_RoundingMode : TileAA_Enum<"RoundingMode", "rounding of a floating-point operation", [
  I32EnumAttrCase<"nearest_even", 0>, I32EnumAttrCase<"zero", 1>, I32EnumAttrCase<"negative_inf", 2>,
  I32EnumAttrCase<"positive_inf", 3>, I32EnumAttrCase<"approx", 4>, I32EnumAttrCase<"full", 5>,
  I32EnumAttrCase<"nearest_int_to_zero", 6>, I32EnumAttrCase<"nearest_away", 7>]>;
def TileAA_Signedness : TileAA_Enum<"Signedness", "how an integer operand is read", [
  I32EnumAttrCase<"unsigned_", 0, "unsigned">, I32EnumAttrCase<"signed_", 1, "signed">]>;
def TileAA_PaddingValue : TileAA_Enum<"PaddingValue", "value of elements outside the tensor", [
  I32EnumAttrCase<"zero", 0>, I32EnumAttrCase<"neg_zero", 1>, I32EnumAttrCase<"nan", 2>,
  I32EnumAttrCase<"pos_inf", 3>, I32EnumAttrCase<"neg_inf", 4>]>;
def TileAA_ActivationLayout : TileAA_Enum<"ActivationLayout", "order of activation dimensions of a convolution", [
  I32EnumAttrCase<"nhwc", 0>, I32EnumAttrCase<"nchw", 1>]>;

def TileAA_GridDependency : TileAA_Enum<"GridDependency", "what a grid does about the grids before and behind it", [
  I32EnumAttrCase<"launch_dependents", 0>, I32EnumAttrCase<"wait", 1>]>;

def TileAA_CacheModifierAttr : TileAA_EnumAttr<TileAA_CacheModifier, "cache_modifier">;
def TileAA_EvictionPolicyAttr : TileAA_EnumAttr<TileAA_EvictionPolicy, "eviction_policy">;
def TileAA_MemSemanticAttr : TileAA_EnumAttr<TileAA_MemSemantic, "mem_semantic">;
def TileAA_MemScopeAttr : TileAA_EnumAttr<TileAA_MemScope, "mem_scope">;
def TileAA_RMWModeAttr : TileAA_EnumAttr<TileAA_RMWMode, "rmw_mode">;
def TileAA_RoundingModeAttr : TileAA_EnumAttr<TileAA_RoundingMode, "rounding_mode">;
def TileAA_SignednessAttr : TileAA_EnumAttr<TileAA_Signedness, "signedness">;
def TileAA_PaddingValueAttr : TileAA_EnumAttr<TileAA_PaddingValue, "padding_value">;
def TileAA_ActivationLayoutAttr : TileAA_EnumAttr<TileAA_ActivationLayout, "activation_layout">;

def TileAA_GridDependencyAttr : TileAA_EnumAttr<TileAA_GridDependency, "grid_dependency">;

class TileAA_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TileAA_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def TileAA_ComputeCapabilityAttr : TileAA_Attr<"ComputeCapability", "compute_capability"> {
  let summary = "target capability, major * 10 + minor";
  let parameters = (ins "unsigned":$value);
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_TargetSpecAttr : TileAA_Attr<"TargetSpec", "target_spec"> {
  let summary = "target by name, sm_XX; used when no capability is given";
  let parameters = (ins StringRefParameter<>:$name);
  let assemblyFormat = "`<` $name `>`";
}

def TileAA_KernelSpecAttr : TileAA_Attr<"KernelSpec", "kernel_spec"> {
  let summary = "launch facts of a kernel; 0 means not given";
  let parameters = (ins "int64_t":$numWarps, "int64_t":$numCTAs, "int64_t":$clusterDimX, "int64_t":$clusterDimY,
                        "int64_t":$clusterDimZ, "int64_t":$occupancy);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TileAA_DivByAttr : TileAA_Attr<"DivBy", "div_by", [DeclareAttrInterfaceMethods<TileAA_PredicateInterface>]> {
  let summary = "every element (or every `every`-th along `along`) is a multiple of the divisor";
  let parameters = (ins "uint64_t":$divisor, OptionalParameter<"std::optional<int64_t>">:$every,
                        OptionalParameter<"std::optional<int64_t>">:$along);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TileAA_BoundedAttr : TileAA_Attr<"Bounded", "bounded", [DeclareAttrInterfaceMethods<TileAA_PredicateInterface>]> {
  let summary = "inclusive signed bounds";
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$lower,
                        OptionalParameter<"std::optional<int64_t>">:$upper);
  let assemblyFormat = "`<` ($lower^) : (`?`)? `,` ($upper^) : (`?`)? `>`";
}

def TileAA_SameElementsAttr : TileAA_Attr<"SameElements", "same_elements",
                                          [DeclareAttrInterfaceMethods<TileAA_PredicateInterface>]> {
  let summary = "group extents per dimension; elements inside a group are equal";
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$values);
  let assemblyFormat = "`<` $values `>`";
}

def TileAA_ConvParamsAttr : TileAA_Attr<"ConvParams", "conv_params"> {
  let summary = "padding, stride and dilation of a convolution, one entry per spatial dimension";
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$padding, "::mlir::DenseI64ArrayAttr":$stride,
                        "::mlir::DenseI64ArrayAttr":$dilation);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TILEAA_ATTRS
