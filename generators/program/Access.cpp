//===- Access.cpp - building blocks of memory accesses ----------------------------------------===//
#include "generators/program/Access.h"

#include "compiler/dialect/CudaTile/IR/CudaTileTargets.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::MemoryOrderingSemantics;
using cuda_tile::MemoryScope;
using cuda_tile::PaddingValue;

static constexpr int64_t kLanes = 32; // threads of a warp

mlir::Value tilesmith::generators::widenTo(KernelBuilder &k, mlir::Value value,
                                           mlir::Type element) {
  auto type = llvm::cast<cuda_tile::TileType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return cuda_tile::ExtIOp::create(k.builder(), k.loc(), k.tileType(type.getShape(), element),
                                   value, cuda_tile::Signedness::Signed);
}

/// An i32 that is not negative in a type that holds it as an unsigned number.
static mlir::Value asUnsigned(KernelBuilder &k, mlir::Value value, mlir::Type element) {
  if (widthOf(element) >= 32)
    return widenTo(k, value, element);
  k.note("narrow-extent");
  return cuda_tile::TruncIOp::create(k.builder(), k.loc(), k.scalarType(element), value,
                                     cuda_tile::IntegerOverflow::NONE);
}

mlir::Value tilesmith::generators::maybeAssumeAligned(KernelBuilder &k, ChoiceStream &s,
                                                      mlir::Value base) {
  if (!s.chance(50))
    return base;
  k.note("assume");
  static constexpr unsigned kWeights[] = {1, 1, 1, 1, 4}; // 16 bytes are what wide accesses need
  for (uint64_t count = 1 + s.below(2); count > 0; --count) {
    auto fact = cuda_tile::DivByAttr::get(&k.context(), uint64_t(1) << s.weighted(kWeights),
                                          std::nullopt, std::nullopt);
    base = cuda_tile::AssumeOp::create(k.builder(), k.loc(), base.getType(), base, fact);
  }
  return base;
}

mlir::Value tilesmith::generators::makeTensorView(KernelBuilder &k, ChoiceStream &s,
                                                  ArrayInfo &array) {
  llvm::SmallVector<int64_t> shape, strides;
  llvm::SmallVector<mlir::Value> extents, steps;
  // Extents and strides are unsigned numbers of any type that holds them.
  int64_t largest = 0;
  for (size_t i = 0; i < array.shape.size(); ++i)
    largest = std::max({largest, array.staticShape[i] ? 0 : array.shape[i],
                        array.staticStride[i] ? 0 : array.strides[i]});
  static constexpr unsigned kWidths[] = {32, 64, 16, 8}, kWeights[] = {14, 4, 1, 1};
  const unsigned width = kWidths[s.weighted(kWeights)];
  mlir::Type index = k.intType(largest > unsignedMax(width) ? 32 : width);
  for (size_t i = 0; i < array.shape.size(); ++i) {
    shape.push_back(array.staticShape[i] ? array.shape[i] : mlir::ShapedType::kDynamic);
    strides.push_back(array.staticStride[i] ? array.strides[i] : mlir::ShapedType::kDynamic);
    if (!array.staticShape[i])
      extents.push_back(asUnsigned(k, k.extentOf(array, i), index));
    if (!array.staticStride[i]) {
      mlir::Value step = asUnsigned(k, k.strideOf(array, i), index);
      if (array.strides[i] % 4 == 0 && array.strides[i] != 0 && s.chance(20)) {
        uint64_t unit = array.strides[i] % 16 == 0 && s.chance(60) ? 16
                        : array.strides[i] % 8 == 0                ? 8
                                                                   : 4;
        k.note("assume-stride");
        step = cuda_tile::AssumeOp::create(
            k.builder(), k.loc(), step.getType(), step,
            cuda_tile::DivByAttr::get(&k.context(), unit, std::nullopt, std::nullopt));
      }
      steps.push_back(step);
    }
  }
  auto pointer = llvm::cast<cuda_tile::TileType>(array.base.getType()).getElementType();
  auto type =
      cuda_tile::TensorViewType::get(&k.context(), array.element, shape, strides,
                                     llvm::cast<cuda_tile::PointerType>(pointer).getPtrAttr());
  mlir::Value base = maybeAssumeAligned(k, s, array.base);
  return cuda_tile::MakeTensorViewOp::create(k.builder(), k.loc(), type, base, extents, steps);
}

TileValue tilesmith::generators::storable(KernelBuilder &k, const TileValue &value) {
  mlir::OpBuilder &b = k.builder();
  if (value.element().isInteger(4))
    return {cuda_tile::ExtIOp::create(b, k.loc(), k.tileType(value.shape(), k.intType(8)),
                                      value.ssa, cuda_tile::Signedness::Signed),
            {Range{-8, 7}}};
  if (llvm::isa<mlir::Float4E2M1FNType>(value.element()))
    return {cuda_tile::FToFOp::create(b, k.loc(), k.tileType(value.shape(), b.getF32Type()),
                                      value.ssa, cuda_tile::RoundingMode::NEAREST_EVEN),
            {}};
  return value;
}

cuda_tile::PaddingValueAttr tilesmith::generators::choosePadding(KernelBuilder &k, ChoiceStream &s,
                                                                 mlir::Type element) {
  PaddingValue value = PaddingValue::zero;
  if (isFloat(element) && s.chance(70))
    value = static_cast<PaddingValue>(s.below(5));
  k.note(("padding-" + cuda_tile::stringifyPaddingValue(value)).str());
  return cuda_tile::PaddingValueAttr::get(&k.context(), value);
}

static llvm::StringRef chooseHintKey(const KernelBuilder &k, ChoiceStream &s) {
  static const llvm::SmallVector<llvm::StringRef> gpus = cuda_tile::fullyHintedTargets();
  if (k.version() >= 3 && s.chance(50))
    return "default";
  return s.chance(50) ? gpus.front() : gpus.back();
}

cuda_tile::OptimizationHintsAttr tilesmith::generators::maybeHints(KernelBuilder &k,
                                                                   ChoiceStream &s) {
  if (!s.chance(15))
    return {};
  k.note("hints");
  mlir::OpBuilder &b = k.builder();
  llvm::SmallVector<mlir::NamedAttribute> hints;
  if (s.chance(50))
    hints.push_back(b.getNamedAttr("allow_tma", b.getBoolAttr(s.chance(50))));
  hints.push_back(
      b.getNamedAttr("latency", b.getI64IntegerAttr(static_cast<int64_t>(s.between(1, 10)))));
  llvm::StringRef key = chooseHintKey(k, s);
  return cuda_tile::OptimizationHintsAttr::get(
      &k.context(), b.getDictionaryAttr({b.getNamedAttr(key, b.getDictionaryAttr(hints))}));
}

void tilesmith::generators::hintWarps(KernelBuilder &k, int64_t count) {
  mlir::OpBuilder &b = k.builder();
  mlir::NamedAttribute warps =
      b.getNamedAttr("num_worker_warps_per_cta", b.getI64IntegerAttr(count));
  k.entryOp().setOptimizationHintsAttr(cuda_tile::OptimizationHintsAttr::get(
      &k.context(), b.getDictionaryAttr({b.getNamedAttr("default", b.getDictionaryAttr(warps))})));
}

cuda_tile::OptimizationHintsAttr tilesmith::generators::maybeEntryHints(KernelBuilder &k,
                                                                        ChoiceStream &s) {
  if (!s.chance(30) && k.clusterBlocks == 1)
    return {};
  k.note("entry-hints");
  mlir::OpBuilder &b = k.builder();
  llvm::SmallVector<mlir::NamedAttribute> hints;
  if (k.clusterBlocks > 1) {
    hints.push_back(b.getNamedAttr("num_cta_in_cga", b.getI64IntegerAttr(k.clusterBlocks)));
  } else if (s.chance(50)) {
    const int64_t blocks = int64_t(1) << s.below(5);
    hints.push_back(b.getNamedAttr("num_cta_in_cga", b.getI64IntegerAttr(blocks)));
    // Blocks divide tiles of which each of their threads has an element: small ones take few warps.
    if (blocks > 1 && k.version() >= 3) {
      const int64_t elements = k.tileType(k.tileShape(), b.getI1Type()).getNumElements();
      hints.push_back(b.getNamedAttr(
          "num_worker_warps_per_cta",
          b.getI64IntegerAttr(std::clamp<int64_t>(elements / (blocks * kLanes), 1, 8))));
    }
  }
  if (k.clusterBlocks == 1 || s.chance(10))
    hints.push_back(
        b.getNamedAttr("occupancy", b.getI64IntegerAttr(static_cast<int64_t>(s.between(1, 8)))));
  llvm::SmallVector<llvm::StringRef> keys;
  if (k.clusterBlocks == 1)
    keys = {chooseHintKey(k, s)};
  else if (k.version() >= 3)
    keys = {"default"};
  else
    keys = cuda_tile::fullyHintedTargets();
  llvm::SmallVector<mlir::NamedAttribute> byTarget;
  for (llvm::StringRef key : keys)
    byTarget.push_back(b.getNamedAttr(key, b.getDictionaryAttr(hints)));
  return cuda_tile::OptimizationHintsAttr::get(&k.context(), b.getDictionaryAttr(byTarget));
}

namespace {

/// Attributes of a plain access: ordering, and a scope unless it is weak.
llvm::SmallVector<mlir::NamedAttribute> chooseOrdering(KernelBuilder &k, ChoiceStream &s,
                                                       MemoryOrderingSemantics strongest) {
  MemoryOrderingSemantics ordering = MemoryOrderingSemantics::WEAK;
  // What orders other accesses keeps a tile whole.
  if (s.chance(12) && k.clusterBlocks == 1)
    ordering = s.chance(50) ? MemoryOrderingSemantics::RELAXED : strongest;
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      k.attr("memory_ordering_semantics",
             cuda_tile::MemoryOrderingSemanticsAttr::get(&k.context(), ordering))};
  if (ordering != MemoryOrderingSemantics::WEAK) {
    auto scope = static_cast<MemoryScope>(s.below(3));
    attributes.push_back(
        k.attr("memory_scope", cuda_tile::MemoryScopeAttr::get(&k.context(), scope)));
    k.note((cuda_tile::stringifyMemoryOrderingSemantics(ordering) + "-" +
            cuda_tile::stringifyMemoryScope(scope))
               .str());
  }
  if (auto hints = maybeHints(k, s))
    attributes.push_back(k.attr("optimization_hints", hints));
  return attributes;
}

void addInbounds(KernelBuilder &k, llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes,
                 llvm::ArrayRef<bool> inbounds) {
  if (inbounds.empty() || k.version() < 4)
    return;
  k.note("inbounds");
  attributes.push_back(k.attr("inbounds", k.builder().getDenseBoolArrayAttr(inbounds)));
}

int32_t one(mlir::Value value) {
  return value ? 1 : 0;
}

/// The values that are there.
llvm::SmallVector<mlir::Value> present(std::initializer_list<mlir::Value> values) {
  llvm::SmallVector<mlir::Value> result;
  for (mlir::Value value : values)
    if (value)
      result.push_back(value);
  return result;
}

} // namespace

Loaded tilesmith::generators::loadView(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type,
                                       mlir::Value view, mlir::ValueRange indices,
                                       mlir::Value before, llvm::ArrayRef<bool> inbounds) {
  k.note("load_view_tko");
  auto attributes = chooseOrdering(k, s, MemoryOrderingSemantics::ACQUIRE);
  addInbounds(k, attributes, inbounds);
  llvm::SmallVector<mlir::Value> operands = {view};
  llvm::append_range(operands, indices);
  if (before)
    operands.push_back(before);
  auto op = k.emit<cuda_tile::LoadViewTkoOp>(
      {type, cuda_tile::TokenType::get(&k.context())}, operands, attributes,
      {1, static_cast<int32_t>(indices.size()), one(before)});
  return {op.getTile(), op.getResultToken()};
}

Loaded tilesmith::generators::loadPointers(KernelBuilder &k, ChoiceStream &s,
                                           cuda_tile::TileType type, mlir::Value pointers,
                                           mlir::Value mask, mlir::Value padding,
                                           mlir::Value before) {
  k.note("load_ptr_tko");
  auto attributes = chooseOrdering(k, s, MemoryOrderingSemantics::ACQUIRE);
  auto op = k.emit<cuda_tile::LoadPtrTkoOp>({type, cuda_tile::TokenType::get(&k.context())},
                                            present({pointers, mask, padding, before}), attributes,
                                            {1, one(mask), one(padding), one(before)});
  return {op.getResult(), op.getResultToken()};
}

mlir::Value tilesmith::generators::storeView(KernelBuilder &k, ChoiceStream &s, mlir::Value value,
                                             mlir::Value view, mlir::ValueRange indices,
                                             mlir::Value before, llvm::ArrayRef<bool> inbounds) {
  k.note("store_view_tko");
  auto attributes = chooseOrdering(k, s, MemoryOrderingSemantics::RELEASE);
  addInbounds(k, attributes, inbounds);
  llvm::SmallVector<mlir::Value> operands = {value, view};
  llvm::append_range(operands, indices);
  if (before)
    operands.push_back(before);
  return k
      .emit<cuda_tile::StoreViewTkoOp>(cuda_tile::TokenType::get(&k.context()), operands,
                                       attributes,
                                       {1, 1, static_cast<int32_t>(indices.size()), one(before)})
      .getResultToken();
}

mlir::Value tilesmith::generators::storePointers(KernelBuilder &k, ChoiceStream &s,
                                                 mlir::Value pointers, mlir::Value value,
                                                 mlir::Value mask, mlir::Value before) {
  k.note("store_ptr_tko");
  auto attributes = chooseOrdering(k, s, MemoryOrderingSemantics::RELEASE);
  return k
      .emit<cuda_tile::StorePtrTkoOp>(cuda_tile::TokenType::get(&k.context()),
                                      present({pointers, value, mask, before}), attributes,
                                      {1, 1, one(mask), one(before)})
      .getResultToken();
}

mlir::Value tilesmith::generators::joinedWithFreshToken(KernelBuilder &k, ChoiceStream &s,
                                                        mlir::Value token) {
  k.note("join_tokens");
  mlir::Value other = cuda_tile::MakeTokenOp::create(k.builder(), k.loc(), token.getType());
  return cuda_tile::JoinTokensOp::create(k.builder(), k.loc(), token.getType(),
                                         s.chance(50) ? mlir::ValueRange{token, other}
                                                      : mlir::ValueRange{other, token});
}

mlir::Value tilesmith::generators::pointersAt(KernelBuilder &k, mlir::Value base,
                                              mlir::Value offsets) {
  auto shape = llvm::cast<cuda_tile::TileType>(offsets.getType()).getShape();
  TileValue bases = k.splat({base, {}}, shape);
  return cuda_tile::OffsetOp::create(k.builder(), k.loc(), bases.type(), bases.ssa, offsets);
}

mlir::Value tilesmith::generators::zeroPaddedTiles(KernelBuilder &k, ChoiceStream &s,
                                                   ArrayInfo &array,
                                                   llvm::ArrayRef<int32_t> shape) {
  mlir::Value tensor = makeTensorView(k, s, array);
  llvm::SmallVector<int32_t> map;
  for (size_t i = 0; i < shape.size(); ++i)
    map.push_back(static_cast<int32_t>(i));
  auto type = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), shape),
      llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), map,
      cuda_tile::PaddingValueAttr::get(&k.context(), cuda_tile::PaddingValue::zero));
  return k.emit<cuda_tile::MakePartitionViewOp>(type, tensor).getResult();
}

mlir::Value tilesmith::generators::combineExactly(KernelBuilder &k, mlir::Value old,
                                                  mlir::Value value) {
  mlir::OpBuilder &b = k.builder();
  mlir::Type type = value.getType();
  mlir::Type element = llvm::cast<cuda_tile::TileType>(type).getElementType();
  if (!isNumber(element)) { // storage formats: the larger number, the old one where there is none
    auto shape = llvm::cast<cuda_tile::TileType>(type).getShape();
    cuda_tile::TileType wide = k.tileType(shape, b.getF32Type());
    auto number = [&](mlir::Value x) -> mlir::Value {
      return cuda_tile::FToFOp::create(b, k.loc(), wide, x, cuda_tile::RoundingMode::NEAREST_EVEN);
    };
    mlir::Value x = number(old), y = number(value);
    mlir::Value larger = cuda_tile::CmpFOp::create(b, k.loc(), k.tileType(shape, k.intType(1)),
                                                   cuda_tile::ComparisonPredicate::GREATER_THAN,
                                                   cuda_tile::ComparisonOrdering::ORDERED, y, x);
    return cuda_tile::SelectOp::create(b, k.loc(), type, larger, value, old);
  }
  if (!isFloat(element))
    return cuda_tile::XOrIOp::create(b, k.loc(), type, old, value);
  auto mode = cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_EVEN);
  return cuda_tile::SubFOp::create(b, k.loc(), type, old, value, mode, mlir::UnitAttr());
}

mlir::Value tilesmith::generators::idleUpdate(KernelBuilder &k, ChoiceStream &s,
                                              cuda_tile::TileType type,
                                              cuda_tile::AtomicRMWMode mode) {
  using cuda_tile::AtomicRMWMode;
  unsigned width = widthOf(type.getElementType());
  bool sibling = s.chance(50);
  Int value = 0;
  if (mode == AtomicRMWMode::MAX || mode == AtomicRMWMode::UMAX)
    value = (mode == AtomicRMWMode::MAX) != sibling ? signedMin(width) : 0;
  else if (mode == AtomicRMWMode::MIN || mode == AtomicRMWMode::UMIN)
    value = (mode == AtomicRMWMode::MIN) != sibling ? signedMax(width) : -1;
  else
    value = (mode == AtomicRMWMode::AND) != sibling ? -1 : 0;
  if (s.chance(45)) { // one beside it
    k.note("atomic-beside-neutral");
    value += s.chance(50) ? 1 : -1;
  }
  return k.intConstant(type, value).ssa;
}

mlir::Value tilesmith::generators::flatten(KernelBuilder &k, mlir::Value value) {
  auto type = llvm::cast<cuda_tile::TileType>(value.getType());
  if (type.getRank() == 1)
    return value;
  return cuda_tile::ReshapeOp::create(
      k.builder(), k.loc(), k.tileType({type.getNumElements()}, type.getElementType()), value);
}

mlir::Value tilesmith::generators::ownElements(KernelBuilder &k, ChoiceStream &s, mlir::Value base,
                                               int64_t count, bool isPrivate) {
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  mlir::Type element = k.intType(s.chance(30) ? 64 : 32);
  cuda_tile::TileType type = k.tileType({count}, element);
  mlir::Value order = cuda_tile::IotaOp::create(b, loc, type);
  switch (s.below(4)) { // a bijection of [0, count)
  case 0:
    order = cuda_tile::XOrIOp::create(b, loc, type, order,
                                      k.intConstant(type, static_cast<Int>(s.below(count))).ssa);
    break;
  case 1:
    order = cuda_tile::MulIOp::create(b, loc, type, order,
                                      k.intConstant(type, 2 * static_cast<Int>(s.below(8)) + 1).ssa,
                                      cuda_tile::IntegerOverflow::NONE);
    order = cuda_tile::AndIOp::create(b, loc, type, order, k.intConstant(type, count - 1).ssa);
    break;
  case 2:
    order = cuda_tile::SubIOp::create(b, loc, type, k.intConstant(type, count - 1).ssa, order,
                                      cuda_tile::IntegerOverflow::NSW);
    break;
  default:
    break;
  }
  if (k.blockCount() > 1 && !isPrivate) {
    cuda_tile::TileType i32 = k.scalarType(k.intType(32));
    mlir::Value start =
        cuda_tile::MulIOp::create(b, loc, i32, k.blockNumber().ssa, k.intConstant(i32, count).ssa,
                                  cuda_tile::IntegerOverflow::NSW);
    start = k.splat({widenTo(k, start, element), {}}, {count}).ssa;
    order = cuda_tile::AddIOp::create(b, loc, type, order, start, cuda_tile::IntegerOverflow::NSW);
  }
  return pointersAt(k, base, order);
}
