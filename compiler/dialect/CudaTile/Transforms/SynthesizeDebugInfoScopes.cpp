//===- SynthesizeDebugInfoScopes.cpp - debug scopes from plain locations ----------------------===//
//
// Producers that only give file, line and column get line tables this way: the module's location
// names a compile unit, each function without debug location gets a subprogram there, and its ops'
// locations move into that scope. A function in which nothing has a position stays without one:
// there is no line to show.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tilesmith::cuda_tile {
#define GEN_PASS_DEF_SYNTHESIZEDEBUGINFOSCOPESPASS
#include "compiler/dialect/CudaTile/Transforms/Passes.h.inc"

namespace {

// The file location inside a location; for calls, that of the caller.
FileLineColLoc findFileLocation(Location loc) {
  return llvm::TypeSwitch<Location, FileLineColLoc>(loc)
      .Case<FileLineColLoc>([](auto file) { return file; })
      .Case<NameLoc>([](auto named) { return findFileLocation(named.getChildLoc()); })
      .Case<OpaqueLoc>([](auto opaque) { return findFileLocation(opaque.getFallbackLocation()); })
      .Case<CallSiteLoc>([](auto call) { return findFileLocation(call.getCaller()); })
      .Case<FusedLoc>([](auto fused) {
        for (Location part : fused.getLocations())
          if (auto file = dyn_cast<FileLineColLoc>(part))
            return file;
        return FileLineColLoc();
      })
      .Default([](Location) { return FileLineColLoc(); });
}

DIFileAttr fileOf(FileLineColLoc loc) {
  MLIRContext *ctx = loc.getContext();
  StringRef path = loc.getFilename().getValue();
  return DIFileAttr::get(ctx, StringAttr::get(ctx, llvm::sys::path::filename(path)),
                         StringAttr::get(ctx, llvm::sys::path::parent_path(path)));
}

struct SynthesizeDebugInfoScopes
    : impl::SynthesizeDebugInfoScopesPassBase<SynthesizeDebugInfoScopes> {
  void runOnOperation() override {
    getOperation()->walk([](ModuleOp module) { addScopes(module); });
  }

  static void addScopes(ModuleOp module) {
    MLIRContext *ctx = module.getContext();
    FileLineColLoc loc = findFileLocation(module.getLoc());
    DIFileAttr file =
        loc ? fileOf(loc)
            : DIFileAttr::get(ctx, StringAttr::get(ctx, "<unknown>"), StringAttr::get(ctx, ""));
    auto unit = DICompileUnitAttr::get(ctx, file);
    for (auto function : module.getOps<FunctionOpInterface>())
      addScope(function, unit);
  }

  static void addScope(FunctionOpInterface function, DICompileUnitAttr unit) {
    MLIRContext *ctx = function.getContext();
    if (function.getLoc()->findInstanceOf<DILocAttr>())
      return;
    FileLineColLoc loc;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      loc = findFileLocation(op->getLoc());
      return loc ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!loc)
      return;
    DIFileAttr file = fileOf(loc);
    StringAttr name = function.getNameAttr();
    auto scope = DISubprogramAttr::get(ctx, file, loc.getLine(), name, name, unit,
                                       /*scopeLine=*/loc.getLine());
    function->walk([&](Operation *op) {
      FileLineColLoc opLoc = findFileLocation(op->getLoc());
      op->setLoc(DILocAttr::get(ctx, opLoc ? opLoc : loc, scope));
    });
  }
};

} // namespace
} // namespace tilesmith::cuda_tile
