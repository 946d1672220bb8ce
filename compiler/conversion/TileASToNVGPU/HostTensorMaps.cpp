//===- HostTensorMaps.cpp - tensor maps that host code makes from the arguments ---------------===//
//
// The first 64 of the 128 bytes, as words of 32 bits; the others are not looked at:
//
//   0, 1    address
//   2       flags: 1, rank - 1 (bit 4), element (7), swizzle (13), round to tf32 (16), promotion to 128
//           bytes of L2 (18), pieces of 32 bytes (19), tensor of 128 KiB or more (21)
//   3-6     strides of dimensions 1 to 4 in units of 16 bytes, their low 32 bits
//   7       four bits more of each
//   8-12    extents - 1
//   13, 14  element strides - 1, three bits each; extents of the box - 1, a byte each, from bit 24
//
// Observed in what ptxas makes of `tensormap.replace`, which device-made maps consist of, and in host code
// of other compilers. Engine sass reads both kinds of maps by one reader (oracles/devices/sass/Tma.cpp).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/HostTensorMaps.h"

#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

static constexpr int64_t kMapBytes = 128, kMapAlignment = 64;
static constexpr int64_t kLargeTensor = 128 * 1024;

//===- what follows from the arguments ------------------------------------------------------------===//

/// A divisor with which division is defined whatever it divides, an amount that a shift may have.
static bool isHarmlessOperand(Operation *op) {
  bool divides = isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                     arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
  bool shifts = isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
  if (!divides && !shifts)
    return true;
  APInt right;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&right)))
    return false;
  return divides ? !right.isZero() && !right.isAllOnes() : right.ult(right.getBitWidth());
}

static bool isNumber(Type type) {
  return type.isInteger(1) || type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64);
}

/// Whether host code can compute a scalar.
static bool isOfHost(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    bool isParameter = isa<tileaa::FuncOp>(argument.getOwner()->getParentOp());
    return isParameter && !value.getType().isInteger(1) &&
           (isNumber(value.getType()) || isa<tileaa::PtrType>(value.getType()));
  }
  Operation *op = value.getDefiningOp();
  if (isa<tileaa::AssumeOp>(op))
    return isOfHost(op->getOperand(0));
  if (!isNumber(value.getType()))
    return false;
  if (!isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
           arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
           arith::FloorDivSIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
           arith::ShRSIOp, arith::ShRUIOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
           arith::MinUIOp, arith::CmpIOp, arith::SelectOp, arith::ExtSIOp, arith::ExtUIOp,
           arith::TruncIOp>(op))
    return false;
  return isHarmlessOperand(op) && llvm::all_of(op->getOperands(), isOfHost);
}

/// The index's bound, where it is `i < extent ? i : 0`.
static Value extentOf(Value index) {
  auto select = index.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      compare.getLhs() != select.getTrueValue() || !matchPattern(select.getFalseValue(), m_Zero()))
    return {};
  return isOfHost(compare.getRhs()) ? compare.getRhs() : Value();
}

/// Splits a distance from the base into what the host knows and steps. False: neither.
static bool addDistance(Value distance, HostTensor &tensor) {
  if (isOfHost(distance)) {
    tensor.offsets.push_back(distance);
    return true;
  }
  if (!distance.getType().isInteger(64)) // products of 32 bits may have wrapped
    return false;
  if (auto sum = distance.getDefiningOp<arith::AddIOp>())
    return addDistance(sum.getLhs(), tensor) && addDistance(sum.getRhs(), tensor);
  auto product = distance.getDefiningOp<arith::MulIOp>();
  if (!product)
    return false;
  Value index = product.getLhs(), stride = product.getRhs();
  if (!isOfHost(stride))
    std::swap(index, stride);
  if (!isOfHost(stride))
    return false;
  tensor.steps.push_back({index, stride, extentOf(index)});
  return true;
}

/// The extent that a map has for `size`, which the kernel accepts as long as it is not 0.
static Value wholeSize(Value size) {
  if (isOfHost(size))
    return size;
  auto select = size.getDefiningOp<arith::SelectOp>();
  if (select && matchPattern(select.getFalseValue(), m_Zero()) && isOfHost(select.getTrueValue()))
    return select.getTrueValue();
  return {};
}

std::optional<HostTensor> tileas_to_nvgpu::findHostTensor(Value view, int64_t elementBytes) {
  auto tile = view.getDefiningOp<tileaa::BlockTileOp>();
  auto make = tile ? tile.getSource().getDefiningOp<tileaa::MakeMemRefOp>() : nullptr;
  if (!make || make.getOffset())
    return std::nullopt;
  HostTensor tensor;
  Value base = make.getBase();
  while (!isOfHost(base)) {
    Operation *op = base.getDefiningOp();
    if (!op || !isa<tileaa::AddPtrOp, tileaa::AssumeOp>(op) ||
        !isa<tileaa::PtrType>(op->getOperand(0).getType()))
      return std::nullopt;
    if (auto move = dyn_cast<tileaa::AddPtrOp>(op)) {
      Type element = cast<tileaa::PtrType>(base.getType()).getPointee();
      if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 8 * elementBytes ||
          !addDistance(op->getOperand(1), tensor))
        return std::nullopt;
    }
    base = op->getOperand(0);
  }
  tensor.base = base;
  auto type = cast<tileaa::MemRefType>(make.getResult().getType());
  auto numbers = [&](ArrayRef<int64_t> statics, ValueRange dynamics, auto &&whole,
                     SmallVectorImpl<OpFoldResult> &into) {
    Builder b(view.getContext());
    auto next = dynamics.begin();
    for (int64_t number : statics) {
      if (!ShapedType::isDynamic(number)) {
        into.push_back(b.getI64IntegerAttr(number));
        continue;
      }
      Value value = whole(*next++);
      if (!value)
        return false;
      into.push_back(value);
    }
    return true;
  };
  auto stride = [](Value value) { return isOfHost(value) ? value : Value(); };
  if (!numbers(type.getShape(), make.getSizes(), wholeSize, tensor.sizes) ||
      !numbers(type.getStrides(), make.getStrides(), stride, tensor.strides))
    return std::nullopt;
  return tensor;
}

//===- the function -------------------------------------------------------------------------------===//

HostFunction::HostFunction(gpu::GPUFuncOp kernel, int64_t bank)
    : kernel(kernel), b(kernel), loc(kernel.getLoc()) {
  int64_t end = 0;
  for (Type type : kernel.getArgumentTypes()) {
    int64_t bytes = isa<LLVM::LLVMPointerType>(type)
                        ? 8
                        : llvm::PowerOf2Ceil(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
    offsets.push_back(llvm::alignTo(end, bytes));
    end = offsets.back() + bytes;
  }
  firstMap = llvm::alignTo(bank + end, kMapAlignment) - bank;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto function = LLVM::LLVMFuncOp::create(
      b, loc, (nvgpu_ext::kHostFunctionPrefix + kernel.getName()).str(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer}));
  b.setInsertionPointToStart(function.addEntryBlock(b));
  image = function.getArgument(0);
}

Value HostFunction::i64(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, b.getI64Type(), value);
}

Value HostFunction::valueOf(Value source) {
  if (Value found = known.lookup(source))
    return found;
  Value value;
  if (auto argument = dyn_cast<BlockArgument>(source)) {
    Type type = isNumber(source.getType()) ? source.getType() : b.getI64Type();
    Value place = LLVM::GEPOp::create(
        b, loc, image.getType(), b.getI8Type(), image,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offsets[argument.getArgNumber()])});
    value = LLVM::LoadOp::create(b, loc, type, place);
  } else if (auto assume = source.getDefiningOp<tileaa::AssumeOp>()) {
    value = valueOf(assume->getOperand(0));
  } else {
    Operation *op = source.getDefiningOp();
    IRMapping operands;
    for (Value operand : op->getOperands())
      operands.map(operand, valueOf(operand));
    Operation *copy = b.clone(*op, operands);
    copy->setDiscardableAttrs(DictionaryAttr::get(b.getContext()));
    value = copy->getResult(0);
  }
  return known[source] = value;
}

/// Index operands are unsigned, extents too.
Value HostFunction::numberOf(OpFoldResult number) {
  if (auto constant = dyn_cast<Attribute>(number))
    return i64(cast<IntegerAttr>(constant).getInt());
  Value value = valueOf(cast<Value>(number));
  return value.getType().isInteger(64)
             ? value
             : Value(arith::ExtUIOp::create(b, loc, b.getI64Type(), value));
}

struct HostFunction::Fields {
  Value address;
  SmallVector<Value> extents, strides; ///< innermost first; bytes, of all but the innermost
  Value isLarge;                       ///< i1
};

HostFunction::Fields HostFunction::fieldsOf(const HostTensor &tensor, const HostMapLayout &layout) {
  auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(b, loc, x, y); };
  auto mul = [&](Value x, Value y) -> Value { return arith::MulIOp::create(b, loc, x, y); };
  Value elementBytes = i64(layout.elementBytes);
  Fields fields;
  fields.address = valueOf(tensor.base);
  for (Value offset : tensor.offsets) {
    Value elements = valueOf(offset);
    if (!elements.getType().isInteger(64)) // offsets of pointers are signed
      elements = TILESMITH_PLANT("host-map-offset-unsigned")
                     ? Value(arith::ExtUIOp::create(b, loc, b.getI64Type(), elements))
                     : Value(arith::ExtSIOp::create(b, loc, b.getI64Type(), elements));
    fields.address = add(fields.address, mul(elements, elementBytes));
  }
  Value bytes = mul(numberOf(tensor.sizes[layout.dims.front()]), elementBytes);
  for (unsigned dim : layout.dims) {
    Value extent = numberOf(tensor.sizes[dim]);
    fields.extents.push_back(extent);
    if (dim == layout.dims.front())
      continue;
    fields.strides.push_back(mul(numberOf(tensor.strides[dim]), elementBytes));
    bytes = add(bytes, mul(add(extent, i64(-1)), fields.strides.back()));
  }
  for (const HostTensor::Step &step : tensor.steps) {
    Value largest = i64(std::numeric_limits<int32_t>::max());
    Value extent = step.extent ? numberOf(step.extent) : largest;
    fields.extents.push_back(arith::MinUIOp::create(b, loc, extent, largest));
    fields.strides.push_back(mul(numberOf(step.stride), elementBytes));
  }
  fields.isLarge = tensor.steps.empty()
                       ? Value(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, bytes,
                                                     i64(kLargeTensor)))
                       : Value(arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1));
  return fields;
}

/// The word of flags, but for the size.
static int64_t flagsOf(nvgpu::TensorMapDescriptorType type, int64_t grain) {
  constexpr unsigned kF32 = 7, kTF32 = 11;
  unsigned element = *nvgpu_ext::tensorMapElementCode(type.getTensor().getElementType());
  const bool rounds = element == kTF32;
  if (rounds)
    element = kF32;
  return int64_t(1) << 1 | (type.getTensor().getRank() - 1) << 4 | int64_t(element) << 7 |
         static_cast<int64_t>(type.getSwizzle()) << 13 | int64_t(rounds) << 16 | int64_t(1) << 18 |
         int64_t(grain == 32) << 19;
}

void HostFunction::writeWords(int64_t offset, const Fields &fields,
                              nvgpu::TensorMapDescriptorType type, const HostMapLayout &layout) {
  auto shl = [&](Value x, int64_t by) -> Value {
    return by ? Value(arith::ShLIOp::create(b, loc, x, i64(by))) : x;
  };
  auto either = [&](Value x, Value y) -> Value { return arith::OrIOp::create(b, loc, x, y); };
  auto low = [&](Value x, int64_t mask) -> Value {
    return arith::AndIOp::create(b, loc, x, i64(mask));
  };
  SmallVector<Value, 16> words(16);
  auto put = [&](unsigned word, Value bits) {
    words[word] = words[word] ? either(words[word], bits) : bits;
  };
  put(2, i64(flagsOf(type, layout.grain)));
  put(2, shl(arith::ExtUIOp::create(b, loc, b.getI64Type(), fields.isLarge), 21));
  for (auto [index, stride] : llvm::enumerate(fields.strides)) {
    Value units = arith::ShRUIOp::create(b, loc, stride, i64(4));
    put(3 + index, low(units, 0xffffffff));
    Value high = arith::ShRUIOp::create(b, loc, units, i64(32));
    put(7, shl(low(high, 15), 4 * index));
  }
  for (auto [index, extent] : llvm::enumerate(fields.extents)) {
    int64_t less = TILESMITH_PLANT("host-map-extent-whole") ? 0 : -1;
    put(8 + index, low(arith::AddIOp::create(b, loc, extent, i64(less)), 0xffffffff));
  }
  for (auto [index, extent] : llvm::enumerate(llvm::reverse(type.getTensor().getShape())))
    put(index ? 14 : 13, i64((extent - 1) << (index ? 8 * (index - 1) : 24)));
  for (unsigned pair = 0; pair < 8; ++pair) {
    Value bits = i64(0);
    if (pair == 0)
      bits = low(fields.address, ~int64_t(15));
    for (unsigned half = 0; half < 2 && pair; ++half)
      if (Value word = words[2 * pair + half])
        bits = either(bits, shl(word, 32 * half));
    Value place = LLVM::GEPOp::create(b, loc, image.getType(), b.getI8Type(), image,
                                      ArrayRef<LLVM::GEPArg>{int32_t(offset + 8 * pair)});
    LLVM::StoreOp::create(b, loc, bits, place, /*alignment=*/8);
  }
}

BlockArgument HostFunction::addMap(const HostTensor &tensor, nvgpu::TensorMapDescriptorType type,
                                   const HostMapLayout &layout) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  unsigned index = kernel.getNumArguments();
  (void)kernel.insertArgument(index, pointer, DictionaryAttr::get(b.getContext()), loc);
  if (!maps || !TILESMITH_PLANT("host-map-first-only")) {
    Fields fields = fieldsOf(tensor, layout);
    if (!maps)
      firstBase = fields.address;
    if (TILESMITH_PLANT("host-map-base-of-first"))
      fields.address = firstBase;
    if (TILESMITH_PLANT("host-map-stride-in-elements") && !fields.strides.empty())
      fields.strides.front() =
          arith::DivUIOp::create(b, loc, fields.strides.front(), i64(layout.elementBytes));
    writeWords(firstMap + kMapBytes * maps, fields, type, layout);
  }
  ++maps;
  return kernel.getArgument(index);
}

void HostFunction::finish() {
  LLVM::ReturnOp::create(b, loc, ValueRange());
  nvgpu_ext::NVGPUExtDialect::HostMapsAttrHelper helper(b.getContext());
  helper.setAttr(kernel, b.getDenseI64ArrayAttr({firstMap, int64_t(maps)}));
}
