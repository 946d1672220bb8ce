// CudaTileBase.td - the cuda_tile dialect record and the base classes of its ops, attributes and
// types.
//
// Every record carries the Tile IR version that introduced it (`sinceVersion`), so that tables of
// versions can be
// generated from ODS instead of being typed in twice.
#ifndef TILESMITH_CUDATILE_BASE_TD
#define TILESMITH_CUDATILE_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CudaTile_Dialect : Dialect {
  let name = "cuda_tile";
  let cppNamespace = "::tilesmith::cuda_tile";
  let summary = "public tile programming dialect: the input language of the compiler";
  let useDefaultTypePrinterParser = 1;
  // Written by hand: testing attributes join at run time (see TestingSyntax).
  let useDefaultAttributePrinterParser = 0;
  let extraClassDeclaration = [{
    /// Adds ops that only some tools know (testing ops).
    template <typename... OpTys> void addExternalOperations() { addOperations<OpTys...>(); }
    template <typename... AttrTys> void addExternalAttributes() { addAttributes<AttrTys...>(); }

    /// Text of the attributes that a tool added; null when none were.
    const ::tilesmith::cuda_tile::TestingSyntax *getTestingSyntax() const { return testingSyntax; }
    void setTestingSyntax(const ::tilesmith::cuda_tile::TestingSyntax *syntax) { testingSyntax = syntax; }

    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser, ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;

    /// Preview ops are refused by name; spellings of newer tools become the public op.
    ::std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;

    /// Whether unknown or ill-valued optimization hints are diagnosed, and whether that is an error.
    bool getWarnUnsupportedHints() const { return warnUnsupportedHints; }
    void setWarnUnsupportedHints(bool value) { warnUnsupportedHints = value; }
    bool getErrorOnHints() const { return errorOnHints; }
    void setErrorOnHints(bool value) { errorOnHints = value; }

    /// The rule set that verifiers apply; see Profile in CudaTile.h.
    ::tilesmith::cuda_tile::Profile getProfile() const { return profile; }
    void setProfile(::tilesmith::cuda_tile::Profile value) { profile = value; }

  private:
    void registerAttributes();
    void registerTypes();
    void registerCoreOps();
    void registerIntegerOps();
    void registerFloatingPointOps();
    void registerMathOps();
    void registerConversionOps();
    void registerControlFlowOps();
    void registerMemoryOps();
    void registerViewOps();
    void registerAtomicOps();
    void registerMiscOps();
    void registerMultimemOps();
    const ::tilesmith::cuda_tile::TestingSyntax *testingSyntax = nullptr;
    bool warnUnsupportedHints = false;
    bool errorOnHints = false;
    ::tilesmith::cuda_tile::Profile profile = ::tilesmith::cuda_tile::Profile::Tileiras13_5;

  public:
  }];
}

// One op: mnemonic, the version that introduced it, traits.
class CudaTile_Op<string mnemonic, string since, list<Trait> traits = []>
    : Op<CudaTile_Dialect, mnemonic, traits> {
  string sinceVersion = since;
}

// Body of an op that wants cuda_tile as the default dialect inside its regions (prefix elision).
defvar CudaTile_defaultDialect = [{
  static ::llvm::StringRef getDefaultDialect() { return CudaTileDialect::getDialectNamespace(); }
}];

class CudaTile_AttrDef<string name, string attrMnemonic, string since, list<Trait> traits = [],
                       string baseClass = "::mlir::Attribute">
    : AttrDef<CudaTile_Dialect, name, traits, baseClass> {
  let mnemonic = attrMnemonic;
  string sinceVersion = since;
}

class CudaTile_TypeDef<string name, string typeMnemonic, string since, list<Trait> traits = []>
    : TypeDef<CudaTile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
  string sinceVersion = since;
}

// A type parameter whose value is checked against a type constraint.
class CudaTile_ConstrainedParam<Type constraint>
    : AttrOrTypeParameter<constraint.cppType, constraint.summary>,
      TypeConstraint<constraint.predicate, constraint.summary, constraint.cppType>;

// All tiles named have one element type.
class CudaTile_SameElementType<string summary, list<string> names>
    : PredOpTrait<summary, AllMatchSameOperatorPred<names,
        "::llvm::cast<::tilesmith::cuda_tile::TileType>($_self.getType()).getElementType()">> {
  list<string> values = names;
}

#endif // TILESMITH_CUDATILE_BASE_TD
