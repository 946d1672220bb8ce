//===- KernelBuilder.h - the kernel under construction ----------------------------------------===//
//
// Owns the module, the pool of values that statements may use, the arrays and the scalar arguments,
// and turns a finished kernel into a test case. Rules (Rules.h) add ops through it; it asks the
// choice stream only when a rule passes one in.
//
// Invariants
//  - every pool value is defined where statements are inserted (scopes truncate the pool when a
//  region ends);
//  - every tile has the shape it is looked up by, and at most 2^12 elements;
//  - facts are as Facts.h demands.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_KERNELBUILDER_H
#define GENERATORS_PROGRAM_KERNELBUILDER_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "generators/entropy/ChoiceStream.h"
#include "generators/program/Facts.h"
#include "reference/testcase/TestCase.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilesmith::generators {

/// A value that statements may use.
struct TileValue {
  mlir::Value ssa;
  Facts facts;

  cuda_tile::TileType type() const { return llvm::cast<cuda_tile::TileType>(ssa.getType()); }
  mlir::Type element() const { return type().getElementType(); }
  llvm::ArrayRef<int64_t> shape() const { return type().getShape(); }
};

/// One array in device memory and how the kernel sees it. Dimension i of the array belongs to
/// dimension `tileDims[i]` of the iteration space; the array is cut into tiles of those extents.
struct ArrayInfo {
  unsigned buffer = 0;
  mlir::Type element;
  llvm::SmallVector<unsigned> tileDims;
  llvm::SmallVector<int64_t> shape, strides;         ///< in elements
  llvm::SmallVector<bool> staticShape, staticStride; ///< constants in the view's type, or operands
  bool output = false;

  // Entry arguments, filled in when the signature is built.
  mlir::Value base;
  llvm::SmallVector<mlir::Value> extentArgs, strideArgs; ///< scalars of type i32
};

/// Which element types a rule works on.
enum class Kind { Int, Float, Any };

class KernelBuilder {
public:
  /// Starts a kernel: iteration space, favoured element types and scalar arguments come from the
  /// stream.
  KernelBuilder(mlir::MLIRContext &context, ChoiceStream &stream, unsigned minorVersion);

  mlir::OpBuilder &builder() { return ops; }
  mlir::Location loc() { return ops.getUnknownLoc(); }
  mlir::MLIRContext &context() { return *ops.getContext(); }
  unsigned version() const { return minorVersion; } ///< N of 13.N: newer features must not be used

  // --- The iteration space ---
  llvm::ArrayRef<int64_t> tileShape() const {
    return mainShape;
  } ///< one tile block handles one such tile
  llvm::ArrayRef<int64_t> gridShape() const {
    return grid;
  } ///< tile blocks per dimension, same rank (1 to 3)
  /// Index of this block along a dimension of the iteration space; a scalar i32 in [0, grid - 1].
  TileValue blockIndex(unsigned dim) const { return blockIds[dim]; }

  // --- Types ---
  cuda_tile::TileType tileType(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  cuda_tile::TileType scalarType(mlir::Type element) { return tileType({}, element); }
  mlir::Type intType(unsigned width) { return ops.getIntegerType(width); }
  /// An element type, mostly one that this kernel favours.
  mlir::Type pickElement(ChoiceStream &stream, Kind kind);
  /// A tile type, mostly one that the pool has values of.
  cuda_tile::TileType pickType(ChoiceStream &stream, Kind kind);

  // --- Values ---
  /// Adds a result to the pool.
  TileValue define(mlir::Value ssa, Facts facts);
  /// An exact value of this type: mostly from the pool, else a repeated scalar or a constant.
  TileValue use(ChoiceStream &stream, cuda_tile::TileType type);
  /// Any exact value from the pool that satisfies the condition.
  std::optional<TileValue> find(ChoiceStream &stream,
                                llvm::function_ref<bool(const TileValue &)> condition);
  /// A constant with interesting elements.
  TileValue constant(ChoiceStream &stream, cuda_tile::TileType type);
  /// A splat of one integer, modulo 2^width.
  TileValue intConstant(cuda_tile::TileType type, Int value);
  /// A splat of one float, rounded to nearest.
  TileValue floatConstant(cuda_tile::TileType type, double value);
  TileValue floatConstant(cuda_tile::TileType type, const llvm::APFloat &value);
  /// The scalar (a number or a pointer) repeated to a shape, through reshape and broadcast.
  TileValue splat(TileValue scalar, llvm::ArrayRef<int64_t> shape);

  /// Values that a region defines go out of scope with it.
  size_t openScope() const { return pool.size(); }
  void closeScope(size_t mark) { pool.resize(mark); }
  llvm::ArrayRef<TileValue> values() const { return pool; }

  // --- Arrays and arguments ---
  /// A new array with its entry arguments: pointer, then extents and strides as i32. An output
  /// covers the whole iteration space; an input may cover some of its dimensions only.
  ArrayInfo &addArray(ChoiceStream &stream, mlir::Type element, bool output);
  std::deque<ArrayInfo> &arrays() { return arrayList; } ///< references stay valid

  /// Records that a rule made a part of this kernel (the case's `features`).
  void note(llvm::StringRef feature) { features.insert(feature.str()); }
  const std::set<std::string> &usedFeatures() const { return features; }

  unsigned depth = 0; ///< nesting of control flow around the insertion point

  /// Ends the entry: adds its terminator and its type. The module holds the whole kernel then.
  void finish();
  cuda_tile::ModuleOp module() { return *moduleOp; }
  /// Entry parameters in order, as the launch passes them.
  const std::vector<testcase::Parameter> &parameters() const { return params; }
  static constexpr const char *kEntryName = "kernel";

private:
  void chooseIterationSpace(ChoiceStream stream);
  void chooseElementTypes(ChoiceStream stream);
  void addScalarArguments(ChoiceStream stream);
  mlir::Value addArgument(cuda_tile::TileType type, testcase::Parameter parameter);
  mlir::Value addExtentArgument(int64_t value);

  mlir::OpBuilder ops;
  unsigned minorVersion;
  mlir::OwningOpRef<cuda_tile::ModuleOp> moduleOp;
  cuda_tile::EntryOp entry;
  llvm::SmallVector<int64_t> mainShape, grid;
  std::vector<mlir::Type> allElements, favoured;
  std::vector<TileValue> blockIds;
  std::vector<TileValue> pool;
  std::deque<ArrayInfo> arrayList;
  std::vector<testcase::Parameter> params;
  std::set<std::string> features;
};

/// The case-format type of an element type, integers read as signed.
testcase::DataType dataTypeOf(mlir::Type element);

/// True for float element types.
inline bool isFloat(mlir::Type element) {
  return llvm::isa<mlir::FloatType>(element);
}
inline unsigned widthOf(mlir::Type element) {
  return element.getIntOrFloatBitWidth();
}

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_KERNELBUILDER_H
