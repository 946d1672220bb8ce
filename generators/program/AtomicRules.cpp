//===- AtomicRules.cpp - atomics on memory that blocks share ----------------------------------===//
//
// Needs: integers that are guarded before they become offsets. Promises: the final contents do not
// depend on the order of the updates (one commutative operation per array; sums of floats are of
// integers small enough to be exact), old values are not used, and the scope holds all blocks.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::AtomicRMWMode;
using cuda_tile::MemoryOrderingSemantics;
using cuda_tile::MemoryScope;

namespace {

llvm::SmallVector<mlir::NamedAttribute> chooseOrdering(KernelBuilder &k, ChoiceStream &s,
                                                       bool mayBeBlockScope) {
  auto ordering = static_cast<MemoryOrderingSemantics>(1 + s.below(4));
  auto scope = static_cast<MemoryScope>(mayBeBlockScope ? s.below(3) : 1 + s.below(2));
  k.note(("atomic-" + cuda_tile::stringifyMemoryOrderingSemantics(ordering) + "-" +
          cuda_tile::stringifyMemoryScope(scope))
             .str());
  return {k.attr("memory_ordering_semantics",
                 cuda_tile::MemoryOrderingSemanticsAttr::get(&k.context(), ordering)),
          k.attr("memory_scope", cuda_tile::MemoryScopeAttr::get(&k.context(), scope))};
}

struct Update {
  mlir::Type element;
  AtomicRMWMode mode;
};

/// A commutative update; `updates` of small integers must stay exact in a float.
Update chooseUpdate(KernelBuilder &k, ChoiceStream &s, int64_t updates) {
  static constexpr AtomicRMWMode kModes[] = {
      AtomicRMWMode::ADD, AtomicRMWMode::AND, AtomicRMWMode::OR,   AtomicRMWMode::XOR,
      AtomicRMWMode::MAX, AtomicRMWMode::MIN, AtomicRMWMode::UMAX, AtomicRMWMode::UMIN};
  mlir::OpBuilder &b = k.builder();
  switch (k.depth == 0 ? s.below(6) : 0) {
  case 1:
    return {b.getF32Type(), AtomicRMWMode::ADDF};
  case 2:
    return {b.getF64Type(), AtomicRMWMode::ADDF};
  case 3:
    if (updates <= 1000)
      return {b.getF16Type(), AtomicRMWMode::ADDF};
    break;
  case 4:
    if (updates <= 120)
      return {b.getBF16Type(), AtomicRMWMode::ADDF};
    break;
  default:
    break;
  }
  return {k.intType(s.chance(60) ? 32 : 64), s.pick(llvm::ArrayRef<AtomicRMWMode>(kModes))};
}

/// Some update of that shape: small integers as floats, anything as integers.
mlir::Value chooseValue(KernelBuilder &k, ChoiceStream &s, Update update,
                        llvm::ArrayRef<int64_t> shape) {
  cuda_tile::TileType type = k.tileType(shape, update.element);
  if (isInt(update.element) && s.chance(30))
    return idleUpdate(k, s, type, update.mode);
  if (isInt(update.element))
    return k.use(s, type).ssa;
  return smallFloats(k, s, type);
}

/// Numbers from 1/8 to 2 with all bits of their fraction, each of its own.
mlir::Value fractions(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type) {
  mlir::OpBuilder &b = k.builder();
  int64_t count = type.getNumElements();
  ArrayInfo &array = k.addFlatArray(type.getElementType(), count, /*output=*/false, Fill::Reals);
  mlir::Value offsets = cuda_tile::IotaOp::create(b, k.loc(), k.tileType({count}, k.intType(32)));
  mlir::Value flat = loadPointers(k, s, k.tileType({count}, type.getElementType()),
                                  pointersAt(k, array.base, offsets), {}, {}, {})
                         .tile;
  return cuda_tile::ReshapeOp::create(b, k.loc(), type, flat);
}

/// Zeros of one sign: -0 leaves every number alone, +0 makes -0 positive.
mlir::Value zeros(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type) {
  k.note("atomic-zero");
  if (type.getElementType().isF32())
    k.noteApproximate(); // a sum may flush a subnormal number that is there [spec: atomic-addf-flush]
  return k.floatConstant(type, s.chance(40) ? -0.0 : 0.0).ssa;
}

/// A histogram: data decides which elements are updated, any number of times each.
bool applyShared(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> chosen = k.find(s, [](const TileValue &v) {
    return isInt(v.element()) && widthOf(v.element()) >= 8 && v.type().getNumElements() <= 512;
  });
  if (!chosen)
    return false;
  cuda_tile::TileType type = chosen->type();
  int64_t bins = int64_t(1) << s.between(0, 5);
  Update update = chooseUpdate(k, s, type.getNumElements() * k.blockCount());
  bool isZero = isFloat(update.element) && s.chance(35); // as below: only signs of zeros change
  ArrayInfo &array = k.addFlatArray(update.element, bins, /*output=*/true,
                                    isZero ? Fill::SignedZeros : Fill::SmallIntegers);
  mlir::Value offsets = cuda_tile::AndIOp::create(k.builder(), k.loc(), type, chosen->ssa,
                                                  k.intConstant(type, bins - 1).ssa);
  mlir::Value pointers = pointersAt(k, array.base, offsets);
  mlir::Value value = isZero ? zeros(k, s, k.tileType(type.getShape(), update.element))
                             : chooseValue(k, s, update, type.getShape());
  mlir::Value mask;
  if (s.chance(40))
    mask = k.use(s, k.tileType(type.getShape(), k.intType(1))).ssa;
  atomicRmw(k, s, update.mode, pointers, value, mask, {}, k.blockCount() == 1);
  return true;
}

/// A tile of a view reduced into memory by all blocks.
bool applyView(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = k.find(
      s, [](const TileValue &v) { return !v.shape().empty() && v.type().getNumElements() <= 512; });
  if (!a)
    return false;
  Update update = chooseUpdate(k, s, k.blockCount());
  // Each block a tile of its own or all the same; elements outside are left out.
  bool own = s.chance(40), isReal = isFloat(update.element);
  Fill fill = Fill::SmallIntegers;
  mlir::Value value;
  if (isReal && s.chance(35)) { // zeros change the sign of a zero at most
    fill = Fill::SignedZeros;
    value = zeros(k, s, k.tileType(a->shape(), update.element));
  } else if (isReal && (own || k.blockCount() == 1)) { // one update, rounded once
    k.note("atomic-rounded");
    fill = Fill::Reals;
    value = fractions(k, s, k.tileType(a->shape(), update.element));
  } else {
    value = chooseValue(k, s, update, a->shape());
  }
  llvm::SmallVector<int64_t> extents(a->shape());
  extents[0] *= own ? k.blockCount() : 1;
  llvm::SmallVector<bool> inside(extents.size(), true);
  for (size_t i = 0; i < extents.size(); ++i)
    if (a->shape()[i] > 1 && s.chance(30)) {
      extents[i] -= 1 + static_cast<int64_t>(s.below(static_cast<uint64_t>(a->shape()[i] - 1)));
      inside[i] = false;
      k.note("red-view-overhang");
    }
  ArrayInfo &array = k.addFreeArray(s, update.element, extents, /*output=*/true, fill);
  mlir::Value tensor = makeTensorView(k, s, array);
  llvm::SmallVector<int32_t> tile(a->shape()), map;
  for (size_t i = 0; i < tile.size(); ++i)
    map.push_back(static_cast<int32_t>(i));
  auto viewType = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile),
      llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), map, {});
  mlir::Value view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
  llvm::SmallVector<mlir::Value> indices;
  mlir::Type indexElement = k.intType(s.chance(70) ? 32 : 8u << s.below(4));
  cuda_tile::TileType i32 = k.scalarType(k.intType(32)), index = k.scalarType(indexElement);
  mlir::Value number = own ? k.blockNumber().ssa : k.intConstant(i32, 0).ssa;
  if (widthOf(indexElement) < 32)
    number = cuda_tile::TruncIOp::create(k.builder(), k.loc(), index, number,
                                         cuda_tile::IntegerOverflow::NSW);
  indices.push_back(widenTo(k, number, indexElement));
  for (size_t i = 1; i < tile.size(); ++i)
    indices.push_back(k.intConstant(index, 0).ssa);
  const bool mayBeBlockScope = own || k.blockCount() == 1;
  k.note(("red-view-" + cuda_tile::stringifyAtomicRMWMode(update.mode)).str());
  reduceView(k, s, update.mode, view, indices, value, {}, mayBeBlockScope, inside);
  return true;
}

} // namespace

mlir::Value tilesmith::generators::smallFloats(KernelBuilder &k, ChoiceStream &s,
                                               cuda_tile::TileType type) {
  cuda_tile::TileType integers = k.tileType(type.getShape(), k.intType(s.chance(50) ? 32 : 8));
  mlir::OpBuilder &b = k.builder();
  mlir::Value bits = cuda_tile::AndIOp::create(b, k.loc(), integers, k.use(s, integers).ssa,
                                               k.intConstant(integers, 3).ssa);
  mlir::Value shifted = cuda_tile::SubIOp::create(
      b, k.loc(), integers, bits, k.intConstant(integers, 1).ssa, cuda_tile::IntegerOverflow::NONE);
  return cuda_tile::IToFOp::create(b, k.loc(), type, shifted, cuda_tile::Signedness::Signed,
                                   cuda_tile::RoundingMode::NEAREST_EVEN);
}

mlir::Value tilesmith::generators::reduceView(KernelBuilder &k, ChoiceStream &s, AtomicRMWMode mode,
                                              mlir::Value view, mlir::ValueRange indices,
                                              mlir::Value value, mlir::Value before,
                                              bool mayBeBlockScope, llvm::ArrayRef<bool> inbounds) {
  auto scope = mayBeBlockScope ? static_cast<MemoryScope>(s.below(2)) : MemoryScope::DEVICE;
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      k.attr("memory_ordering_semantics", cuda_tile::MemoryOrderingSemanticsAttr::get(
                                              &k.context(), MemoryOrderingSemantics::RELAXED)),
      k.attr("memory_scope", cuda_tile::MemoryScopeAttr::get(&k.context(), scope)),
      k.attr("mode", cuda_tile::AtomicRMWModeAttr::get(&k.context(), mode))};
  if (k.version() >= 5 && s.chance(40))
    attributes.push_back(k.attr("inbounds", k.builder().getDenseBoolArrayAttr(inbounds)));
  llvm::SmallVector<mlir::Value> operands = {view};
  llvm::append_range(operands, indices);
  operands.push_back(value);
  if (before)
    operands.push_back(before);
  return k
      .emit<cuda_tile::AtomicRedViewTkoOp>(
          cuda_tile::TokenType::get(&k.context()), operands, attributes,
          {1, static_cast<int32_t>(indices.size()), 1, before ? 1 : 0})
      ->getResult(0);
}

Loaded tilesmith::generators::atomicRmw(KernelBuilder &k, ChoiceStream &s, AtomicRMWMode mode,
                                        mlir::Value pointers, mlir::Value value, mlir::Value mask,
                                        mlir::Value before, bool mayBeBlockScope) {
  auto attributes = chooseOrdering(k, s, mayBeBlockScope);
  attributes.push_back(k.attr("mode", cuda_tile::AtomicRMWModeAttr::get(&k.context(), mode)));
  k.note(("atomic-" + cuda_tile::stringifyAtomicRMWMode(mode)).str());
  llvm::SmallVector<mlir::Value> operands = {pointers, value};
  if (mask)
    operands.push_back(mask);
  if (before)
    operands.push_back(before);
  auto op =
      k.emit<cuda_tile::AtomicRMWTkoOp>({value.getType(), cuda_tile::TokenType::get(&k.context())},
                                        operands, attributes, {1, 1, mask ? 1 : 0, before ? 1 : 0});
  return {op.getResult(), op.getResultToken()};
}

Loaded tilesmith::generators::atomicCas(KernelBuilder &k, ChoiceStream &s, mlir::Value pointers,
                                        mlir::Value compare, mlir::Value value, mlir::Value mask,
                                        mlir::Value before) {
  auto attributes = chooseOrdering(k, s, /*mayBeBlockScope=*/true);
  k.note("atomic-cas");
  llvm::SmallVector<mlir::Value> operands = {pointers, compare, value};
  if (mask)
    operands.push_back(mask);
  if (before)
    operands.push_back(before);
  auto op = k.emit<cuda_tile::AtomicCASTkoOp>(
      {value.getType(), cuda_tile::TokenType::get(&k.context())}, operands, attributes,
      {1, 1, 1, mask ? 1 : 0, before ? 1 : 0});
  return {op.getResult(), op.getResultToken()};
}

llvm::ArrayRef<Rule> tilesmith::generators::atomicRules() {
  static constexpr Rule kRules[] = {
      {"histogram", 3, applyShared, 1, "one commutative exact update per array, old values unused"},
      {"atomic_red_view_tko", 6, applyView, 3, "the same through a view"},
  };
  return kRules;
}
