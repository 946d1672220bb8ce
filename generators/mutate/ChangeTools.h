//===- ChangeTools.h - what the families of changes share (private) ---------------------------===//
#ifndef GENERATORS_MUTATE_CHANGETOOLS_H
#define GENERATORS_MUTATE_CHANGETOOLS_H

#include "generators/mutate/Changes.h"
#include "generators/mutate/EditTools.h"

#include "mlir/IR/AttrTypeSubElements.h"

namespace tilesmith::generators {

/// A change that looks at the module alone.
template <bool (*apply)(cuda_tile::ModuleOp, ChoiceStream &)> bool ofModule(ChangedKernel &kernel) {
  return apply(kernel.module, kernel.stream);
}

/// A tile of numbers that constants, stores and conversions exist for.
bool isNumbers(mlir::Type type);
/// Floats that arithmetic takes.
bool isPlainFloat(mlir::Type element);

/// Values that `op` can use: of its block and of the blocks around it, up to the entry.
std::vector<mlir::Value> visibleValues(mlir::Operation *op,
                                       llvm::function_ref<bool(mlir::Type)> fits);

/// A splat of a number; null for types that hold none.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc, cuda_tile::TileType type,
                  double number);

/// The value made one of another type: elements converted, then reshaped, permuted, repeated, or a part
/// of them. Null where there is no such conversion.
mlir::Value makeLike(mlir::OpBuilder &builder, mlir::Value value, cuda_tile::TileType type,
                     ChoiceStream &stream);

/// Any visible value of numbers, made one of the type; where there is none, a constant.
mlir::Value drawLike(mlir::Operation *op, cuda_tile::TileType type, ChoiceStream &stream);

/// A combination of the elements along one dimension, of the shape of `value`: a reduction repeated along
/// it, or a scan. Null for types that have none.
mlir::Value combineAlong(mlir::OpBuilder &builder, mlir::Value value, ChoiceStream &stream);

/// Numbers in arrays, such as the extents of a view's tiles, keep their type when elements of that type get another one.
void keepArrays(mlir::AttrTypeReplacer &replacer);

/// Replaces types throughout; constants that are splats go along.
void replaceTypes(cuda_tile::ModuleOp module, mlir::AttrTypeReplacer &replacer);

/// The type of these parameters; where they make none, `old`, and an error that is caught.
template <typename Type, typename... Parameters>
mlir::Type typeOr(Type old, Parameters &&...parameters) {
  mlir::MLIRContext *context = old.getContext();
  Type type = Type::getChecked([=] { return mlir::emitError(mlir::UnknownLoc::get(context)); },
                               context, std::forward<Parameters>(parameters)...);
  return type ? type : old;
}

/// The data type of buffers with such elements.
std::optional<testcase::DataType> arrayTypeOf(mlir::Type element);
/// Other integers, or other floats, that buffers can hold.
llvm::SmallVector<mlir::Type> otherElements(mlir::Type element);

/// Another array of `count` elements as last parameter of the entry; its pointer. `fill`: the contents.
mlir::Value addArray(ChangedKernel &kernel, cuda_tile::EntryOp entry, mlir::Type element,
                     uint64_t count, llvm::function_ref<double(uint64_t)> fill);

/// Every array a second time behind itself, so that what reaches further is still inside.
void growArrays(testcase::TestCase &testCase);

/// Blocks of the largest launch.
uint64_t blocksOf(const testcase::TestCase &testCase);
/// The number of this block, of type i32.
mlir::Value blockNumber(mlir::OpBuilder &builder, mlir::Location loc);

/// The entry around an operation.
cuda_tile::EntryOp entryOf(mlir::Operation *op);

} // namespace tilesmith::generators

#endif // GENERATORS_MUTATE_CHANGETOOLS_H
