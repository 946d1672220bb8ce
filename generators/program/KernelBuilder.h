//===- KernelBuilder.h - the kernel under construction ----------------------------------------===//
//
// Owns the module, the pool of values that statements may use, the arrays and the scalar arguments,
// and turns a finished kernel into a test case. Rules (Rules.h) add ops through it; it asks the
// choice stream only when a rule passes one in.
//
// Invariants
//  - every pool value is defined where statements are inserted (scopes truncate the pool when a
//    region ends);
//  - every tile has the shape it is looked up by, and at most `kMostElements` elements;
//  - facts are as Facts.h demands.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_KERNELBUILDER_H
#define GENERATORS_PROGRAM_KERNELBUILDER_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "generators/entropy/ChoiceStream.h"
#include "generators/inputs/InputData.h"
#include "generators/program/Facts.h"
#include "reference/testcase/TestCase.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <tuple>
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
/// A free array (`tileDims` empty) has any shape; the rule that made it knows how it is accessed.
struct ArrayInfo {
  unsigned buffer = 0;
  Fill fill = Fill::Any;
  bool isFree = false;
  bool exact = true; ///< outputs: the contents are fully determined
  mlir::Type element;
  llvm::SmallVector<unsigned> tileDims;
  llvm::SmallVector<int64_t> shape, strides;         ///< in elements
  llvm::SmallVector<bool> staticShape, staticStride; ///< constants in the view's type, or operands
  bool output = false;

  // Entry arguments, filled in when the signature is built.
  mlir::Value base;
  llvm::SmallVector<mlir::Value> extentArgs, strideArgs; ///< scalars of type i32
};

/// Which element types a rule works on. Storage formats (tf32, 8 and 4 bits, i4) are none of these:
/// rules that can take them ask for them by type.
enum class Kind { Int, Float, Any };

class KernelBuilder;

/// A sequence of accesses by which this block owns its region of an array: who writes next must
/// come after `lastWrite` and all `reads`, who reads must come after `lastWrite`.
struct Chain {
  mlir::Value lastWrite;
  llvm::SmallVector<mlir::Value> reads;

  /// The token that a read takes.
  mlir::Value beforeRead() const { return lastWrite; }
  /// The token that a write takes: joins all accesses since the last write.
  mlir::Value beforeWrite(KernelBuilder &kernel);
  void wrote(mlir::Value token) {
    lastWrite = token;
    reads.clear();
  }
};

/// Memory of which this block owns `count` elements that it may read and write at depth 0, in the
/// order of the chain: a region of an array or of a global, or an alloca.
struct Owned {
  mlir::Type element;
  int64_t count = 0;
  mlir::Value base;                 ///< of all blocks' regions, unless `isPrivate`
  bool isPrivate = false;           ///< the base is this block's own
  const ArrayInfo *array = nullptr; ///< the regions' array; null: of a global, or an alloca
  Chain chain;
};

class KernelBuilder {
public:
  /// Starts a kernel: iteration space, favoured element types and scalar arguments come from the
  /// stream.
  KernelBuilder(mlir::MLIRContext &context, ChoiceStream &stream, unsigned minorVersion,
                llvm::StringRef entryName = kEntryName);

  mlir::OpBuilder &builder() { return ops; }
  mlir::Location loc() { return ops.getUnknownLoc(); }
  mlir::MLIRContext &context() { return *ops.getContext(); }
  unsigned version() const { return minorVersion; } ///< N of 13.N: newer features must not be used

  /// Adds an op by the names of its operand groups' sizes and attributes.
  template <typename Op>
  Op emit(mlir::TypeRange results, mlir::ValueRange operands,
          llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
          llvm::ArrayRef<int32_t> segments = {}) {
    mlir::OperationState state(loc(), Op::getOperationName());
    state.addOperands(operands);
    state.addTypes(results);
    state.addAttributes(attributes);
    if (!segments.empty())
      state.addAttribute("operandSegmentSizes", ops.getDenseI32ArrayAttr(segments));
    return llvm::cast<Op>(ops.create(state));
  }
  mlir::NamedAttribute attr(llvm::StringRef name, mlir::Attribute value) {
    return ops.getNamedAttr(name, value);
  }

  // --- The iteration space ---
  llvm::ArrayRef<int64_t> tileShape() const {
    return mainShape;
  } ///< one tile block handles one such tile
  llvm::ArrayRef<int64_t> gridShape() const {
    return grid;
  } ///< tile blocks per dimension, same rank (1 to 3)
  /// Index of this block along a dimension of the iteration space; a scalar i32 in [0, grid - 1].
  TileValue blockIndex(unsigned dim) const { return blockIds[dim]; }
  int64_t blockCount() const;
  /// Number of this block, 0 to blockCount() - 1, as a scalar i32.
  TileValue blockNumber();

  // --- Types ---
  cuda_tile::TileType tileType(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  cuda_tile::TileType scalarType(mlir::Type element) { return tileType({}, element); }
  mlir::Type intType(unsigned width) { return ops.getIntegerType(width); }
  /// An element type, mostly one that this kernel favours.
  mlir::Type pickElement(ChoiceStream &stream, Kind kind);
  /// A tile type, mostly one that the pool has values of.
  cuda_tile::TileType pickType(ChoiceStream &stream, Kind kind);

  // --- Values ---
  /// Of a value in the pool.
  static constexpr int64_t kMostElements = 4096;
  /// Adds a result to the pool.
  TileValue define(mlir::Value ssa, Facts facts);
  /// A type of values that statements only hand on: mostly as pickType, sometimes a storage format.
  cuda_tile::TileType pickMovable(ChoiceStream &stream);
  /// A storage format that this version has: tf32, 8-bit floats, scales, with `halfBytes` also f4
  /// and i4.
  mlir::Type pickStorage(ChoiceStream &stream, bool halfBytes);

  /// An exact value of this type: mostly from the pool, else a repeated scalar or a constant.
  TileValue use(ChoiceStream &stream, cuda_tile::TileType type);
  /// Any exact value from the pool that satisfies the condition.
  std::optional<TileValue> find(ChoiceStream &stream,
                                llvm::function_ref<bool(const TileValue &)> condition);
  /// Any value from the pool that is known within bounds only and satisfies the condition.
  std::optional<TileValue> findApproximate(ChoiceStream &stream,
                                           llvm::function_ref<bool(const TileValue &)> condition);
  /// A constant with interesting elements; of i4, which has none, one of bytes cut down.
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
  llvm::ArrayRef<TileValue> values() const LLVM_LIFETIME_BOUND { return pool; }
  /// No value of this kernel, live or not, depends on an approximated function or on an order that
  /// the language leaves open.
  bool allExact() const { return !approximates; }
  /// Such a value was stored without being defined.
  void noteApproximate() { approximates = true; }

  // --- Arrays and arguments ---
  /// A new array with its entry arguments: pointer, then extents and strides as i32. An output
  /// covers the whole iteration space; an input may cover some of its dimensions only.
  ArrayInfo &addArray(ChoiceStream &stream, mlir::Type element, bool output);
  /// A new free array of that shape with row-major strides, maybe permuted or with gaps. Its
  /// arguments are the pointer and those extents and strides that are not constants of the view.
  ArrayInfo &addFreeArray(ChoiceStream &stream, mlir::Type element, llvm::ArrayRef<int64_t> shape,
                          bool output, Fill fill = Fill::Any);
  /// The same with strides that the rule chose, and which extents and strides are constants.
  ArrayInfo &addPlacedArray(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<bool> staticShape,
                            llvm::ArrayRef<bool> staticStride, Fill fill);
  /// The same with one dimension and without gaps, for pointer arithmetic.
  ArrayInfo &addFlatArray(mlir::Type element, int64_t count, bool output, Fill fill = Fill::Any);
  /// The array's argument points so many elements behind its first one; the kernel may go back.
  void pointBehind(const ArrayInfo &array, int64_t elements);
  /// One more pointer to the array as an argument of its own: nothing says that both are the same.
  mlir::Value addSecondPointer(const ArrayInfo &array);
  /// An extent or stride of the array as a scalar i32, an argument or a constant.
  mlir::Value extentOf(ArrayInfo &array, size_t dim);
  mlir::Value strideOf(ArrayInfo &array, size_t dim);
  /// A number that only the launch knows, as an argument of i32.
  mlir::Value addExtentArgument(int64_t value);
  /// A scalar argument that rules may use.
  TileValue addScalar(mlir::Type element, testcase::Parameter parameter, Facts facts);
  std::deque<ArrayInfo> &arrays() { return arrayList; } ///< references stay valid

  /// Records that a rule made a part of this kernel (the case's `features`).
  void note(llvm::StringRef feature) { features.insert(feature.str()); }
  const std::set<std::string> &usedFeatures() const { return features; }
  /// Records how often each rule made a statement, for `tilesmith generate --explain`.
  std::vector<std::string> trail;

  unsigned depth = 0;            ///< nesting of control flow around the insertion point
  unsigned budget = 0;           ///< statements that may still be added
  int64_t clusterBlocks = 1;     ///< of a cluster that the kernel's hint asks for
  std::vector<unsigned> weights; ///< of the rules, for this kernel: swarm mode
  std::deque<Owned> owned;       ///< memory that rules at depth 0 go on with
  /// Elements' places at depth 0, by tile type, its dimension and that of the grid (MemoryRules).
  llvm::DenseMap<std::tuple<mlir::Type, unsigned, unsigned>, mlir::Value> places;
  mlir::Value printed;          ///< token of the last print at depth 0
  bool mayHaveReturned = false; ///< some blocks may have left the entry already
  bool traps = false;           ///< an assertion with the message `kFails` fails

  /// Ops go to the end of the loop's body, which has no terminator then.
  void openBody(cuda_tile::ForOp loop);

  /// `if` around what `fill` adds and, where there is something, `otherwise`; both add terminators.
  mlir::Operation *addIf(mlir::Value condition, llvm::function_ref<void()> fill,
                         llvm::function_ref<void()> otherwise = {}, mlir::TypeRange types = {});

  /// The module level, for globals; names are unique within a case.
  std::string freshName(llvm::StringRef stem);
  mlir::Block &moduleBody() { return moduleOp->getBody().front(); }

  /// Ends the entry: adds its terminator and its type. The module holds the whole kernel then.
  void finish();
  cuda_tile::ModuleOp module() { return *moduleOp; }
  /// Entry parameters in order, as the launch passes them.
  const std::vector<testcase::Parameter> &parameters() const { return params; }
  static constexpr const char *kEntryName = "kernel";
  static constexpr const char *kFails = "one element fails";
  llvm::StringRef entryName() { return entry.getSymName(); }
  cuda_tile::EntryOp entryOp() { return entry; }

private:
  std::optional<TileValue> findWhere(ChoiceStream &stream, bool exact,
                                     llvm::function_ref<bool(const TileValue &)> condition);
  void chooseIterationSpace(ChoiceStream stream);
  void chooseElementTypes(ChoiceStream stream);
  void addScalarArguments(ChoiceStream stream);
  void layOut(ChoiceStream &stream, ArrayInfo &array);
  mlir::Value addArgument(cuda_tile::TileType type, testcase::Parameter parameter);
  void addFreeArguments(ArrayInfo &array, cuda_tile::PtrAttrKindAttr attribute);

  mlir::OpBuilder ops;
  unsigned minorVersion;
  mlir::OwningOpRef<cuda_tile::ModuleOp> moduleOp;
  cuda_tile::EntryOp entry;
  llvm::SmallVector<int64_t> mainShape, grid;
  std::vector<mlir::Type> allElements, favoured;
  std::vector<TileValue> blockIds;
  std::vector<TileValue> pool;
  bool approximates = false; ///< a value that is not exact was defined
  std::deque<ArrayInfo> arrayList;
  std::vector<testcase::Parameter> params;
  std::set<std::string> features;
  unsigned names = 0;
};

/// The case-format type of an element type, integers read as signed.
testcase::DataType dataTypeOf(mlir::Type element);

/// The type as MLIR spells it, for the names of features.
std::string spellElement(mlir::Type element);

/// True for the float types that elementwise arithmetic works on.
inline bool isFloat(mlir::Type element) {
  return element.isF16() || element.isBF16() || element.isF32() || element.isF64();
}
/// True for the integer types of arithmetic: not i4.
inline bool isInt(mlir::Type element) {
  return element.isInteger() && !element.isInteger(4);
}
inline bool isNumber(mlir::Type element) {
  return isFloat(element) || isInt(element);
}
inline unsigned widthOf(mlir::Type element) {
  return element.getIntOrFloatBitWidth();
}

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_KERNELBUILDER_H
