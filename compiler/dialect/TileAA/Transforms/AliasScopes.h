//===- AliasScopes.h - which objects an access may touch --------------------------------------===//
//
// `tileaa-assign-alias-scopes` notes on each access of memory the numbers of the objects that it
// may touch. Two accesses with disjoint lists never touch a common byte; one without a list may
// touch anything. The note goes with the access into nv_tileas.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAA_TRANSFORMS_ALIASSCOPES_H
#define COMPILER_DIALECT_TILEAA_TRANSFORMS_ALIASSCOPES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::tileaa {

/// A `DenseI32ArrayAttr`, ascending.
inline constexpr llvm::StringLiteral kObjects{"nv_tileaa.objects"};

/// Hands the note of an access on to the one that replaces it.
inline void copyObjects(mlir::Operation *from, mlir::Operation *to) {
  if (mlir::Attribute objects = from->getDiscardableAttr(kObjects))
    to->setDiscardableAttr(kObjects, objects);
}

/// Both accesses say what they touch, and that is different memory.
inline bool touchDistinctObjects(mlir::Operation *a, mlir::Operation *b) {
  auto first = a->getAttrOfType<mlir::DenseI32ArrayAttr>(kObjects),
       second = b->getAttrOfType<mlir::DenseI32ArrayAttr>(kObjects);
  return first && second && llvm::none_of(first.asArrayRef(), [&](int32_t object) {
           return llvm::is_contained(second.asArrayRef(), object);
         });
}

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_TRANSFORMS_ALIASSCOPES_H
