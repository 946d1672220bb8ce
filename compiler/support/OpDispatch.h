//===- OpDispatch.h - handlers by operation type ----------------------------------------------===//
//
// `table.add<arith::AddIOp, arith::SubIOp>(clone)`, then `table.lookup(op->getName())`: the type of
// an operation is a pointer, so a lookup costs one probe and a misspelled operation does not
// compile.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_OPDISPATCH_H
#define COMPILER_SUPPORT_OPDISPATCH_H

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseMap.h"

namespace tilesmith {

template <typename HandlerT> class OpDispatch {
public:
  /// `handler` handles these operations, which had none.
  template <typename... Ops> void add(HandlerT handler) {
    for (mlir::TypeID type : {mlir::TypeID::get<Ops>()...}) {
      [[maybe_unused]] bool isNew = handlers.try_emplace(type, handler).second;
      assert(isNew && "two handlers for one operation");
    }
  }
  /// Null for an operation without a handler, and for one that no dialect registered.
  HandlerT lookup(mlir::OperationName name) const { return handlers.lookup(name.getTypeID()); }

private:
  llvm::DenseMap<mlir::TypeID, HandlerT> handlers;
};

} // namespace tilesmith

#endif // COMPILER_SUPPORT_OPDISPATCH_H
