//===- Types.h - types, state spaces, targets and special registers of PTX --------------------===//
//
// What the PTX ISA fixes once for all instructions: the fundamental and packed types, which of them
// a register may have, which register an instruction type accepts, the state spaces, the targets
// with their architecture-accelerated variants, and the special registers with what they need.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_PTX_TYPES_H
#define ORACLES_DEVICES_PTX_TYPES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tilesmith::ptx {

enum class TypeKind { Bits, Unsigned, Signed, Float, Predicate };

struct Type {
  llvm::StringLiteral name;
  TypeKind kind;
  unsigned bits; ///< 1 for a predicate
  /// May be written behind .reg, or be the type of a variable.
  bool declarable;

  bool isInteger() const { return kind == TypeKind::Unsigned || kind == TypeKind::Signed; }
};

/// The type called `name` (without dot), or nullptr.
const Type *lookupType(llvm::StringRef name);

/// Bits, unsigned or signed type of a width, or nullptr.
const Type *lookupType(TypeKind kind, unsigned bits);

/// Whether a register of type `reg` may stand where an instruction says `type`. `relaxed`: loads,
/// stores and conversions take registers wider than an integer or bits type.
bool registerFits(const Type &reg, const Type &type, bool relaxed);

/// `.target` and `.version` of a module.
struct Target {
  unsigned sm = 0;      ///< 90
  char variant = 0;     ///< 'a', 'f' or 0
  unsigned version = 0; ///< ten times the PTX version
  bool debug = false;

  std::string str() const;
};

/// Reads "sm_90a" into sm and variant; false for a target PTX does not have.
bool parseTarget(llvm::StringRef name, Target &target);

/// Whether `target` is at least sm_`sm` with PTX `version` (ten times the number).
bool isAtLeast(const Target &target, unsigned sm, unsigned version);

/// What an instruction needs. `text` is the oldest number ("80"), or architecture-accelerated
/// targets of which one must be it ("90a", "100a/120a"; an `f` target of the same family serves a
/// listed `100a` from PTX 8.8 on only where the row says so: "100f").
bool targetHas(const Target &target, llvm::StringRef text);

/// A special register such as `%tid.x`: its type and what it needs.
struct SpecialRegister {
  llvm::StringLiteral name;
  llvm::StringLiteral type;
  bool vector; ///< has components x, y, z, w
  unsigned sm;
  unsigned version;
};
const SpecialRegister *lookupSpecialRegister(llvm::StringRef name);

bool isStateSpace(llvm::StringRef word);

} // namespace tilesmith::ptx

#endif // ORACLES_DEVICES_PTX_TYPES_H
