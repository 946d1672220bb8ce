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

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

static constexpr int64_t kMapBytes = 128, kMapAlignment = 64;
static constexpr int64_t kLargeTensor = 128 * 1024;

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
    Type type = tileas::isHostNumber(source.getType()) ? source.getType() : b.getI64Type();
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
