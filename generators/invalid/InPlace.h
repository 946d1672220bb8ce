//===- InPlace.h - faults in operations that the kernel itself has ----------------------------===//
//
// Two tables besides the one of Breaker.h. `LineBreaker`: a line of the kernel's text is rewritten;
// for faults that only text can hold. `OpBreaker`: an operation in memory gets another operand,
// result, attribute, block argument or terminator. Both hold what must be said, typed from the
// public texts; nothing is verified here.
//
// Invariant: everything around the operation stays valid. An operand is exchanged for another value
// of the kernel, or for one that is made in front; when the type of a result or of a block argument
// changes, its users get another value of the old type.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_INVALID_INPLACE_H
#define GENERATORS_INVALID_INPLACE_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "generators/entropy/ChoiceStream.h"

#include "mlir/IR/Builders.h"

#include <optional>
#include <string>
#include <vector>

namespace tilesmith::generators {

using Shape = llvm::SmallVector<int64_t, 4>;

/// An operation of the kernel that is being broken, and what is needed to do it.
class BrokenOp {
public:
  BrokenOp(mlir::Operation *op, ChoiceStream &stream);

  mlir::Operation *op; ///< that the report names; may be replaced while it is broken
  ChoiceStream &stream;
  mlir::OpBuilder builder; ///< in front of the op

  /// Another value of this type that the op may use: one of the kernel, or one that is made.
  mlir::Value value(mlir::Type type);
  mlir::Value made(mlir::Type type);

  void operand(unsigned i, mlir::Type type) { op->setOperand(i, value(type)); }
  /// Gives a result another type; its users get a value of the old one.
  void result(unsigned i, mlir::Type type);
  /// The same for an argument of a block, whose users are inside.
  void argument(mlir::BlockArgument argument, mlir::Type type);
  /// The op becomes one with these results; those left out and those that are new lie at the end.
  void results(llvm::ArrayRef<mlir::Type> types);
  void set(llvm::StringRef name, mlir::Attribute attribute) { op->setAttr(name, attribute); }

  /// Tile types of operands and results; null where it is no tile.
  cuda_tile::TileType in(unsigned i) const;
  cuda_tile::TileType out(unsigned i = 0) const;
  Shape shapeIn(unsigned i) const { return Shape(in(i).getShape()); }
  Shape shapeOut() const { return Shape(out().getShape()); }
  mlir::Type elementIn(unsigned i) const { return in(i).getElementType(); }
  mlir::Type elementOut() const { return out().getElementType(); }

  bool is(llvm::StringRef name) const { return op->getName().stripDialect() == name; }
  mlir::MLIRContext *context() const { return op->getContext(); }

private:
  mlir::Operation *make(llvm::StringRef name, mlir::ValueRange operands, mlir::Type type,
                        llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
};

/// `'!cuda_tile.tile<4xf32>'`, as reports quote types.
std::string quoted(mlir::Type type);
std::string plain(mlir::Type type);
/// `4, 8`
std::string list(llvm::ArrayRef<int64_t> shape);
/// The type named so: `f32`, `i8`, `f8E8M0FNU`, `!cuda_tile.token`.
mlir::Type typeOf(mlir::MLIRContext *context, llvm::StringRef name);
/// One of these element types that is not `other`.
mlir::Type elementBut(BrokenOp &site, mlir::Type other, llvm::ArrayRef<llvm::StringRef> names);
cuda_tile::TileType tile(llvm::ArrayRef<int64_t> shape, mlir::Type element);
Shape doubled(Shape shape, unsigned dim);

/// What must be said; nothing where the operation cannot break the rule, which is then as it was.
using Said = std::optional<std::string>;

struct OpBreaker {
  llvm::StringLiteral label;
  llvm::StringLiteral ops;     ///< `addf|subf`
  llvm::StringLiteral feature; ///< rule of the program generator that makes such an op
  Said (*apply)(BrokenOp &site);
};

/// A pattern of the printed line, what stands there instead, and what must be said of that line;
/// both may name groups.
struct LineBreaker {
  llvm::StringLiteral label, feature, line, broken, diagnostic;
};

llvm::ArrayRef<OpBreaker> arithmeticOpBreakers();
llvm::ArrayRef<OpBreaker> shapeOpBreakers();
llvm::ArrayRef<OpBreaker> memoryOpBreakers();
llvm::ArrayRef<OpBreaker> viewOpBreakers();
llvm::ArrayRef<OpBreaker> regionOpBreakers();
llvm::ArrayRef<LineBreaker> lineBreakers();

/// A kernel with a fault in one of its operations, as text or as bytecode, and what must be said.
struct KernelFault {
  std::string contents;
  bool isText = true;
  std::string op, location, diagnostic;
};

/// The feature of the program generator that makes operations which can break the rule; nothing
/// where no operation of a kernel is made to.
std::optional<llvm::StringRef> featureForInPlace(llvm::StringRef label);

/// Breaks the rule in one of the module's operations, which the module then has; nothing where it
/// has none that fits. As bytecode of 13.`minor`, or the newest, where that can hold it.
std::optional<KernelFault> breakInPlace(llvm::StringRef label, cuda_tile::ModuleOp module,
                                        bool wantText, uint8_t minor, ChoiceStream &stream);

/// The text of a module, which is not verified first.
std::string printUnverified(mlir::Operation *module, bool generic = false);

/// Why no operation of a kernel is made to break the rule; a statement is added for it.
struct AddedOnly {
  llvm::StringLiteral label, reason;
};
llvm::ArrayRef<AddedOnly> addedOnly();

} // namespace tilesmith::generators

#endif // GENERATORS_INVALID_INPLACE_H
