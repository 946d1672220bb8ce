// Implements ContextPool.h.
#include "oracles/engines/ContextPool.h"

using namespace tilesmith;

std::shared_ptr<mlir::MLIRContext> tilesmith::oracles::borrowContext(cuda_tile::Profile profile) {
  static constexpr unsigned kUses = 500;
  struct Entry {
    std::shared_ptr<mlir::MLIRContext> context;
    cuda_tile::Profile profile;
    unsigned uses = 0;
  };
  static thread_local Entry entry;
  if (!entry.context || entry.profile != profile || entry.uses++ == kUses) {
    entry = {std::make_shared<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED), profile};
    entry.context->getOrLoadDialect<cuda_tile::CudaTileDialect>()->setProfile(profile);
    entry.context->getDiagEngine().registerHandler(
        [](mlir::Diagnostic &) { return mlir::success(); });
  }
  return entry.context;
}
