//===- MemoryChanges.cpp - arrays, views and accesses of stored kernels ------------------------===//
#include "generators/mutate/ChangeTools.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;

namespace {

mlir::Value weakStore(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, mlir::Value base,
                      bool byView) {
  auto type = llvm::cast<TileType>(value.getType());
  mlir::MLIRContext *context = b.getContext();
  auto token = TokenType::get(context);
  auto weak = MemoryOrderingSemanticsAttr::get(context, MemoryOrderingSemantics::WEAK);
  llvm::SmallVector<int64_t> strides(type.getRank(), 1);
  for (size_t i = strides.size(); i > 1; --i)
    strides[i - 2] = strides[i - 1] * type.getShape()[i - 1];
  if (byView && type.getRank() > 0) {
    auto tensorType =
        TensorViewType::get(context, type.getElementType(), type.getShape(), strides, {});
    llvm::SmallVector<int32_t> shape(type.getShape()), dims;
    for (size_t i = 0; i < shape.size(); ++i)
      dims.push_back(static_cast<int32_t>(i));
    auto viewType = PartitionViewType::get(context, mlir::DenseI32ArrayAttr::get(context, shape),
                                           tensorType, dims, {});
    mlir::Value tensor =
        MakeTensorViewOp::create(b, loc, tensorType, base, mlir::ValueRange(), mlir::ValueRange());
    mlir::OperationState state(loc, StoreViewTkoOp::getOperationName());
    state.addOperands({value, MakePartitionViewOp::create(b, loc, viewType, tensor).getResult()});
    mlir::Value zero = integerConstant(b, loc, scalarOf(b.getI32Type()), 0);
    for (size_t i = 0; i < shape.size(); ++i)
      state.addOperands(zero);
    state.addTypes(token);
    state.addAttribute("memory_ordering_semantics", weak);
    state.addAttribute("operandSegmentSizes",
                       b.getDenseI32ArrayAttr({1, 1, static_cast<int32_t>(shape.size()), 0}));
    return b.create(state)->getResult(0);
  }
  int64_t count = 1;
  for (int64_t extent : type.getShape())
    count *= extent;
  mlir::Value row = IotaOp::create(b, loc, TileType::get({count}, b.getI32Type()));
  TileType offsets = TileType::get(type.getShape(), b.getI32Type());
  row = ReshapeOp::create(b, loc, offsets, row);
  mlir::Value pointers = spread(b, base, type.getShape());
  pointers = OffsetOp::create(b, loc, pointers.getType(), pointers, row);
  mlir::OperationState state(loc, StorePtrTkoOp::getOperationName());
  state.addOperands({pointers, value});
  state.addTypes(token);
  state.addAttribute("memory_ordering_semantics", weak);
  state.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr({1, 1, 0, 0}));
  return b.create(state)->getResult(0);
}

int64_t countOf(TileType type) {
  int64_t count = 1;
  for (int64_t extent : type.getShape())
    count *= extent;
  return count;
}

/// A value has a second user: it is stored into an array of its own.
bool storeToo(ChangedKernel &k) {
  mlir::Operation *op = drawAnyOp(k.module, k.stream, [](mlir::Operation *candidate) {
    return llvm::isa_and_nonnull<EntryOp>(candidate->getParentOp()) &&
           llvm::any_of(candidate->getResultTypes(), isNumbers);
  });
  if (!op)
    return false;
  std::vector<mlir::Value> values;
  for (mlir::Value result : op->getResults())
    if (isNumbers(result.getType()))
      values.push_back(result);
  mlir::Value value = values[k.stream.below(values.size())];
  mlir::OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  auto type = llvm::cast<TileType>(value.getType());
  if (type.getElementType().isInteger(1)) {
    type = TileType::get(type.getShape(), b.getI8Type());
    value = makeLike(b, value, type, k.stream);
  }
  const int64_t count = countOf(type);
  if (count > 16384)
    return false;
  mlir::Value base =
      addArray(k, entryOf(op), type.getElementType(),
               static_cast<uint64_t>(count) * blocksOf(k.testCase), [](uint64_t) { return 0.0; });
  mlir::Location loc = op->getLoc();
  TileType index = scalarOf(b.getI32Type());
  mlir::Value place = MulIOp::create(b, loc, index, blockNumber(b, loc),
                                     integerConstant(b, loc, index, count), IntegerOverflow::NONE);
  base = OffsetOp::create(b, loc, base.getType(), base, place);
  weakStore(b, loc, value, base, k.stream.chance(50));
  return true;
}

/// A constant or a row of numbers comes from an array that holds it.
bool loadConstant(ChangedKernel &k) {
  mlir::Operation *op = drawAnyOp(k.module, k.stream, [](mlir::Operation *candidate) {
    return llvm::isa<ConstantOp, IotaOp>(candidate) &&
           isNumbers(candidate->getResult(0).getType()) && candidate->getParentOfType<EntryOp>() &&
           !candidate->getResult(0).use_empty();
  });
  if (!op)
    return false;
  auto type = llvm::cast<TileType>(op->getResult(0).getType());
  const int64_t count = countOf(type);
  if (type.getElementType().isInteger(1) || count > 16384)
    return false;
  std::vector<double> numbers;
  if (auto constant = llvm::dyn_cast<ConstantOp>(op)) {
    auto value =
        llvm::cast<mlir::DenseElementsAttr>(static_cast<mlir::Attribute>(constant.getValue()));
    for (mlir::Attribute one : value.getValues<mlir::Attribute>())
      numbers.push_back(
          llvm::isa<mlir::IntegerAttr>(one)
              ? static_cast<double>(llvm::cast<mlir::IntegerAttr>(one).getValue().getSExtValue())
              : llvm::cast<mlir::FloatAttr>(one).getValueAsDouble());
  } else {
    for (int64_t i = 0; i < count; ++i)
      numbers.push_back(static_cast<double>(i));
  }
  mlir::OpBuilder b(op);
  mlir::Location loc = op->getLoc();
  mlir::MLIRContext *context = op->getContext();
  mlir::Value base = addArray(k, entryOf(op), type.getElementType(), static_cast<uint64_t>(count),
                              [&](uint64_t i) { return numbers[i]; });
  mlir::Value pointers = spread(b, base, type.getShape());
  if (count > 1) {
    mlir::Value row = IotaOp::create(b, loc, TileType::get({count}, b.getI32Type()));
    row = ReshapeOp::create(b, loc, TileType::get(type.getShape(), b.getI32Type()), row);
    pointers = OffsetOp::create(b, loc, pointers.getType(), pointers, row);
  }
  mlir::OperationState state(loc, LoadPtrTkoOp::getOperationName());
  state.addOperands(pointers);
  state.addTypes({type, TokenType::get(context)});
  state.addAttribute("memory_ordering_semantics",
                     MemoryOrderingSemanticsAttr::get(context, MemoryOrderingSemantics::WEAK));
  state.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr({1, 0, 0, 0}));
  op->getResult(0).replaceAllUsesWith(b.create(state)->getResult(0));
  op->erase();
  return true;
}

/// A tensor begins further behind its pointer, which may be no multiple of a vector.
bool offsetTensor(ChangedKernel &k) {
  auto op = drawOp<MakeTensorViewOp>(k.module, k.stream, [](MakeTensorViewOp) { return true; });
  if (!op)
    return false;
  mlir::OpBuilder b(op);
  static constexpr int64_t kOffsets[] = {1, 2, 3, 4, 8, 16, 32, 64, 128};
  const int64_t by = kOffsets[k.stream.below(std::size(kOffsets))];
  TileType index = scalarOf(b.getI32Type());
  mlir::Value number = integerConstant(b, op->getLoc(), index, by);
  if (k.stream.chance(40)) // known at run time alone
    number = MulIOp::create(
        b, op->getLoc(), index, number,
        GetNumTileBlocksOp::create(b, op->getLoc(), index, index, index)->getResult(2),
        IntegerOverflow::NONE);
  op.getBaseMutable().assign(
      OffsetOp::create(b, op->getLoc(), op.getBase().getType(), op.getBase(), number));
  growArrays(k.testCase);
  return true;
}

/// A pointer of a launch points further into its array.
bool offsetArgument(ChangedKernel &k) {
  std::vector<testcase::Parameter *> pointers;
  for (testcase::Launch &launch : k.testCase.launches)
    for (testcase::Parameter &parameter : launch.params)
      if (parameter.kind == testcase::Parameter::Kind::Pointer)
        pointers.push_back(&parameter);
  if (pointers.empty())
    return false;
  growArrays(k.testCase);
  static constexpr int64_t kOffsets[] = {1, 2, 4, 16, 32, 48, 64, 128};
  pointers[k.stream.below(pointers.size())]->offset +=
      kOffsets[k.stream.below(std::size(kOffsets))];
  return true;
}

/// Other distances between the rows of a tensor, constant or of the launch.
bool changeStride(ChangedKernel &k) {
  auto op = drawOp<MakeTensorViewOp>(k.module, k.stream, [](MakeTensorViewOp candidate) {
    return llvm::any_of(candidate.getResult().getType().getStrides(),
                        [](int64_t stride) { return stride > 1; });
  });
  static constexpr int64_t kMore[] = {1, 2, 4, 8, 16, 32};
  const int64_t more = kMore[k.stream.below(std::size(kMore))];
  growArrays(k.testCase);
  if (op && k.stream.chance(70)) {
    const TensorViewType old = op.getResult().getType();
    llvm::SmallVector<int64_t> strides(old.getStrides());
    int64_t &stride = strides[k.stream.below(strides.size())];
    if (stride <= 1)
      return false;
    stride = k.stream.chance(20) ? 2 * stride : stride + more;
    mlir::AttrTypeReplacer replacer;
    replacer.addReplacement([=](TensorViewType type) -> mlir::Type {
      return type == old ? typeOr(type, type.getElementType(), type.getShape(),
                                  llvm::ArrayRef<int64_t>(strides), type.getPtrAttr())
                         : type;
    });
    replaceTypes(k.module, replacer);
    return op.getResult().getType() != old;
  }
  std::vector<uint64_t *> numbers;
  for (testcase::Launch &launch : k.testCase.launches)
    for (testcase::Parameter &parameter : launch.params)
      if (parameter.kind == testcase::Parameter::Kind::Scalar &&
          !testcase::isFloat(parameter.dtype) && parameter.bits > 1 && parameter.bits < 4096)
        numbers.push_back(&parameter.bits);
  if (numbers.empty())
    return false;
  uint64_t &number = *numbers[k.stream.below(numbers.size())];
  // What may be promised to be a multiple of 16 mostly stays one.
  number += static_cast<uint64_t>(number % 16 || k.stream.chance(25) ? more : 16 * more);
  return true;
}

/// Stores through pointers become updates; weak accesses become relaxed ones.
bool changeAccess(ChangedKernel &k) {
  mlir::Operation *op = drawAnyOp(k.module, k.stream, [](mlir::Operation *candidate) {
    auto order = candidate->getAttrOfType<MemoryOrderingSemanticsAttr>("memory_ordering_semantics");
    return order && order.getValue() == MemoryOrderingSemantics::WEAK;
  });
  if (!op)
    return false;
  mlir::MLIRContext *context = op->getContext();
  auto relaxed = MemoryOrderingSemanticsAttr::get(context, MemoryOrderingSemantics::RELAXED);
  auto scope = MemoryScopeAttr::get(context, static_cast<MemoryScope>(k.stream.below(3)));
  auto store = llvm::dyn_cast<StorePtrTkoOp>(op);
  if (!store || k.stream.chance(30)) {
    op->setAttr("memory_ordering_semantics", relaxed);
    op->setAttr("memory_scope", scope);
    return true;
  }
  auto type = llvm::cast<TileType>(store.getValue().getType());
  const bool isInteger = type.getElementType().isInteger();
  static constexpr AtomicRMWMode kModes[] = {AtomicRMWMode::ADD,  AtomicRMWMode::MAX,
                                             AtomicRMWMode::UMIN, AtomicRMWMode::XOR,
                                             AtomicRMWMode::XCHG, AtomicRMWMode::OR};
  AtomicRMWMode mode = isInteger ? kModes[k.stream.below(std::size(kModes))] : AtomicRMWMode::ADDF;
  mlir::OpBuilder b(op);
  mlir::OperationState state(op->getLoc(), AtomicRMWTkoOp::getOperationName());
  state.addOperands({store.getDestination(), store.getValue()});
  if (store.getMask())
    state.addOperands(store.getMask());
  if (store.getToken())
    state.addOperands(store.getToken());
  state.addTypes({type, TokenType::get(context)});
  state.addAttribute("memory_ordering_semantics", relaxed);
  state.addAttribute("memory_scope", MemoryScopeAttr::get(context, MemoryScope::DEVICE));
  state.addAttribute("mode", AtomicRMWModeAttr::get(context, mode));
  state.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr({1, 1, store.getMask() ? 1 : 0,
                                                                    store.getToken() ? 1 : 0}));
  op->getResult(0).replaceAllUsesWith(b.create(state)->getResult(1));
  op->erase();
  return true;
}

/// A promise about a row of numbers or a tile whose elements repeat, which is true.
bool promiseShape(ChangedKernel &k) {
  mlir::Operation *op = drawAnyOp(k.module, k.stream, [](mlir::Operation *candidate) {
    return llvm::isa<IotaOp>(candidate) ||
           (llvm::isa<BroadcastOp>(candidate) &&
            llvm::cast<TileType>(candidate->getResult(0).getType()).getRank() > 0);
  });
  if (!op)
    return false;
  mlir::MLIRContext *context = op->getContext();
  auto type = llvm::cast<TileType>(op->getResult(0).getType());
  mlir::Attribute fact;
  if (llvm::isa<IotaOp>(op)) {
    const uint64_t every =
        uint64_t(1) << k.stream.below(llvm::Log2_64(static_cast<uint64_t>(type.getShape()[0])) + 1);
    fact = DivByAttr::get(context, std::max<uint64_t>(every >> k.stream.below(3), 1),
                          static_cast<int64_t>(every), 0);
  } else {
    auto from = llvm::cast<TileType>(op->getOperand(0).getType());
    llvm::SmallVector<int64_t> groups;
    for (auto [before, extent] : llvm::zip(from.getShape(), type.getShape()))
      groups.push_back(before == extent ? 1 : extent >> k.stream.below(2));
    fact = SameElementsAttr::get(context, mlir::DenseI64ArrayAttr::get(context, groups));
  }
  mlir::OpBuilder b(context);
  b.setInsertionPointAfter(op);
  mlir::OperationState state(op->getLoc(), AssumeOp::getOperationName(), op->getResult(0), type);
  state.addAttribute("predicate", fact);
  mlir::Operation *promised = b.create(state);
  op->getResult(0).replaceAllUsesExcept(promised->getResult(0), promised);
  return true;
}

/// A promise about a number or a pointer of the kernel, which mostly is true.
bool promise(ChangedKernel &k) {
  mlir::Operation *op = drawAnyOp(k.module, k.stream, [](mlir::Operation *candidate) {
    return candidate->getParentOfType<EntryOp>() && !llvm::isa<AssumeOp>(candidate) &&
           llvm::any_of(candidate->getOperandTypes(), [](mlir::Type type) {
             auto tile = llvm::dyn_cast<TileType>(type);
             return tile && (tile.getElementType().isInteger(32) ||
                             llvm::isa<PointerType>(tile.getElementType()));
           });
  });
  if (!op)
    return false;
  std::vector<mlir::OpOperand *> uses;
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (auto tile = llvm::dyn_cast<TileType>(operand.get().getType());
        tile &&
        (tile.getElementType().isInteger(32) || llvm::isa<PointerType>(tile.getElementType())))
      uses.push_back(&operand);
  mlir::OpOperand &use = *uses[k.stream.below(uses.size())];
  mlir::MLIRContext *context = op->getContext();
  auto type = llvm::cast<TileType>(use.get().getType());
  mlir::Attribute fact;
  static constexpr int64_t kBounds[] = {0, 1, 7, 64, 1023, 65536};
  if (type.getElementType().isInteger() && k.stream.chance(60)) {
    std::optional<int64_t> low, high;
    if (k.stream.chance(70))
      low = k.stream.chance(60) ? 0 : -kBounds[k.stream.below(std::size(kBounds))];
    if (!low || k.stream.chance(50))
      high = kBounds[k.stream.below(std::size(kBounds))];
    fact = BoundedAttr::get(context, low, high);
  } else {
    fact =
        DivByAttr::get(context, uint64_t(1) << (1 + k.stream.below(5)), std::nullopt, std::nullopt);
  }
  mlir::OpBuilder b(op);
  mlir::OperationState state(op->getLoc(), AssumeOp::getOperationName(), use.get(), type);
  state.addAttribute("predicate", fact);
  use.set(b.create(state)->getResult(0));
  return true;
}

constexpr Change kChanges[] = {
    {"access", "a weak access", changeAccess},
    {"argument-offset", "a pointer of a launch", offsetArgument},
    {"load-constant", "a constant or a row of numbers", loadConstant},
    {"promise", "an operand of 32 bits, or a pointer", promise},
    {"promise-shape", "a row of numbers, or a tile that repeats elements", promiseShape},
    {"store-too", "a value of numbers outside of loops", storeToo},
    {"stride", "a tensor with rows, or numbers of a launch", changeStride},
    {"tensor-offset", "a tensor", offsetTensor},
};

} // namespace

llvm::ArrayRef<Change> tilesmith::generators::memoryChanges() {
  return kChanges;
}
