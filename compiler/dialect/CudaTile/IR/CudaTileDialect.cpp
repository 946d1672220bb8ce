//===- CudaTileDialect.cpp - registration of the dialect and its interfaces -------------------===//
//
// Registers attributes, types and every op family. The op families register themselves, so that no
// file includes the definitions of all ops.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilesmith::cuda_tile {

namespace {
/// Every op may be inlined into any region; entries are never called, so only region terminators
/// would matter.
struct CudaTileInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

/// Debug scopes repeat at many locations, so they print as aliases named after their kind.
struct CudaTileAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    return llvm::TypeSwitch<Attribute, AliasResult>(attr)
        .Case<DICompileUnitAttr, DIFileAttr, DILexicalBlockAttr, DISubprogramAttr>([&](auto scope) {
          os << scope.getMnemonic();
          return AliasResult::OverridableAlias;
        })
        .Default([](Attribute) { return AliasResult::NoAlias; });
  }
};
} // namespace

void CudaTileDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerAtomicOps();
  registerControlFlowOps();
  registerConversionOps();
  registerCoreOps();
  registerFloatingPointOps();
  registerIntegerOps();
  registerMathOps();
  registerMemoryOps();
  registerMiscOps();
  registerMultimemOps();
  registerViewOps();
  addInterfaces<CudaTileInlinerInterface, CudaTileAsmInterface>();
}

// Custom text of ops that are not registered.
std::optional<Dialect::ParseOpHook> CudaTileDialect::getParseOperationHook(StringRef name) const {
  // Public preview of 13.5: the format is declared unportable, so there is nothing to read.
  static constexpr auto refusePreview = [](OpAsmParser &parser, OperationState &result) {
    return ParseResult(parser.emitError(parser.getNameLoc())
                       << "'" << result.name.getStringRef()
                       << "' is public-preview content (feature 'simt'), which is not supported");
  };
  // The 13.5 disassembler calls opcode 84 so.
  static constexpr auto parsePow = [](OpAsmParser &parser, OperationState &result) {
    result.name = OperationName(PowOp::getOperationName(), parser.getContext());
    return PowOp::parse(parser, result);
  };
  if (name.starts_with("cuda_tile.preview$"))
    return ParseOpHook(refusePreview);
  if (name == "cuda_tile.fpowf")
    return ParseOpHook(parsePow);
  return Dialect::getParseOperationHook(name);
}

bool isCudaTileFunction(Operation *op) {
  return isa<EntryOp>(op) || op->getName().getStringRef() == "cuda_tile.testing$func";
}

} // namespace tilesmith::cuda_tile

#include "compiler/dialect/CudaTile/IR/CudaTileDialect.cpp.inc"
#include "compiler/dialect/CudaTile/IR/CudaTileEnums.cpp.inc"
