//===- UpdateSymbolName.cpp - rename a symbol together with its debug information -------------===//
//
// A function and the linkage name of its subprogram must agree, so renaming the one rewrites the
// other wherever a location inside the scope holds it.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/Transforms/UpdateSymbolName.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

LogicalResult tilesmith::cuda_tile::updateSymbolName(StringAttr newName, SymbolOpInterface symbol,
                                                     Operation *scope, bool updateUses) {
  if (!scope->isProperAncestor(symbol)) {
    InFlightDiagnostic diag =
        symbol->emitError("attempted to update symbol names in a scope that did not enclose the "
                          "symbol itself");
    diag.attachNote(scope->getLoc()) << "scope defined here";
    return failure();
  }
  StringAttr oldName = symbol.getNameAttr();
  if (updateUses) {
    Operation *table = SymbolTable::getNearestSymbolTable(symbol->getParentOp());
    if (failed(SymbolTable::replaceAllSymbolUses(symbol, newName, table)))
      return symbol->emitError("failed to update the uses of symbol '")
             << oldName.getValue() << "'";
  }
  symbol.setName(newName);

  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DISubprogramAttr subprogram) -> std::optional<Attribute> {
    if (subprogram.getLinkageName() != oldName)
      return std::nullopt;
    return DISubprogramAttr::get(
        subprogram.getContext(), subprogram.getFile(), subprogram.getLine(), subprogram.getName(),
        newName, subprogram.getCompileUnit(), subprogram.getScopeLine(), subprogram.getFlags());
  });
  replacer.recursivelyReplaceElementsIn(scope, /*replaceAttrs=*/true, /*replaceLocs=*/true,
                                        /*replaceTypes=*/false);
  return success();
}

namespace tilesmith::cuda_tile {
#define GEN_PASS_DEF_UPDATESYMBOLNAMETESTPASS
#include "compiler/dialect/CudaTile/Transforms/Passes.h.inc"
} // namespace tilesmith::cuda_tile

namespace {

struct UpdateSymbolNameTest
    : tilesmith::cuda_tile::impl::UpdateSymbolNameTestPassBase<UpdateSymbolNameTest> {
  using UpdateSymbolNameTestPassBase::UpdateSymbolNameTestPassBase;

  // The op that `a::b::c` names, from the module inwards.
  Operation *find(StringRef path) {
    SmallVector<StringRef> names;
    path.split(names, "::");
    Operation *op = getOperation();
    for (StringRef name : names)
      if (op)
        op = SymbolTable::lookupSymbolIn(op, name);
    if (!op)
      getOperation().emitError("could not find symbol op with name '") << path << "'";
    return op;
  }

  void runOnOperation() override {
    Operation *inside = scope.empty() ? getOperation() : find(scope);
    auto renamed = llvm::dyn_cast_if_present<SymbolOpInterface>(inside ? find(symbol) : nullptr);
    if (!renamed || failed(tilesmith::cuda_tile::updateSymbolName(
                        StringAttr::get(&getContext(), newName), renamed, inside, updateUses)))
      signalPassFailure();
  }
};

} // namespace
