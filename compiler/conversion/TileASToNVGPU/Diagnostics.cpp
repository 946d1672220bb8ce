//===- Diagnostics.cpp - assert, print, message and module globals per thread -----------------===//
//
// print: thread 0 writes the text piece by piece; tiles are laid out row-major in scratch first and
// printed as nested lists `[[a, b], [c, d]]` with one conversion per element. i1 prints as 0 or 1,
// floats are printed as double, and i8 and i16 are extended as the conversion reads them (%u, %o,
// %x: unsigned). The closed compiler sign-extends always; the frontends' own expectations (corpus
// case print_types) say 255, so we follow those. assert: every holder checks its own elements.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

/// A format split at its conversions: literal text keeps its `%%`.
struct FormatPiece {
  std::string text;
  bool isConversion;
};

SmallVector<FormatPiece> splitFormat(StringRef format) {
  SmallVector<FormatPiece> pieces;
  std::string literal;
  for (size_t i = 0; i < format.size();) {
    if (format[i] != '%' || (i + 1 < format.size() && format[i + 1] == '%')) {
      literal.append(format.substr(i, format[i] == '%' ? 2 : 1));
      i += format[i] == '%' ? 2 : 1;
      continue;
    }
    size_t end = format.find_first_of("diouxXeEfFgGaAcspn", i + 1);
    end = end == StringRef::npos ? format.size() : end + 1;
    if (!literal.empty())
      pieces.push_back({std::exchange(literal, {}), false});
    pieces.push_back({format.slice(i, end).str(), true});
    i = end;
  }
  if (!literal.empty())
    pieces.push_back({literal, false});
  return pieces;
}

void printText(Emitter &e, const Twine &text, ValueRange arguments = {}) {
  gpu::PrintfOp::create(e.builder, e.loc, e.builder.getStringAttr(text), arguments);
}

bool isUnsigned(StringRef conversion) {
  return StringRef("ouxX").contains(conversion.back());
}

/// The value as printf takes it.
Value promote(Emitter &e, Value value, Type logical, StringRef conversion) {
  OpBuilder &b = e.builder;
  if (isa<FloatType>(logical))
    return e.convertFloat(value, logical, b.getF64Type());
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(b, e.loc, b.getI64Type(), value);
  if (value.getType().isInteger(1) ||
      (value.getType().getIntOrFloatBitWidth() < 32 && isUnsigned(conversion)))
    return arith::ExtUIOp::create(b, e.loc, b.getI32Type(), value);
  if (value.getType().getIntOrFloatBitWidth() < 32)
    return arith::ExtSIOp::create(b, e.loc, b.getI32Type(), value);
  return value;
}

/// printf conversions of 64-bit integers need a length; frontends write plain %d as well.
std::string conversionFor(StringRef conversion, Type type) {
  if (!type.isInteger(64) || conversion.contains('l') ||
      !StringRef("diouxX").contains(conversion.back()))
    return conversion.str();
  return (conversion.drop_back() + "ll" + conversion.take_back()).str();
}

void printTile(Emitter &e, StringRef conversion, Value table, Type element, Type logical,
               ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  e.forLoop(e.i32(0), e.i32(elements), e.i32(1), {}, [&](Value index, ValueRange) {
    auto divisible = [&](Value value, int64_t by) {
      Value low = arith::AndIOp::create(e.builder, e.loc, value, e.i32(by - 1));
      return Value(
          arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, low, e.i32(0)));
    };
    Value later =
        arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ne, index, e.i32(0));
    e.when(later, [&] { printText(e, ", "); });
    int64_t block = elements;
    for (int64_t extent : shape) {
      e.when(divisible(index, block), [&] { printText(e, "["); });
      block /= extent;
    }
    Value value =
        promote(e, e.load(e.elementPointer(table, element, index), element), logical, conversion);
    printText(e, conversionFor(conversion, value.getType()), value);
    Value next = e.add(index, e.i32(1));
    block = elements;
    for (int64_t extent : shape) {
      e.when(divisible(next, block), [&] { printText(e, "]"); });
      block /= extent;
    }
    return SmallVector<Value>();
  });
}

LogicalResult emitPrint(Emitter &e, Operation *op) {
  auto print = cast<tileaa::PrintOp>(op);
  // All tiles side by side in scratch.
  SmallVector<int64_t> offsets;
  int64_t total = 0;
  for (Value argument : print.getArgs()) {
    offsets.push_back(total);
    if (isa<RankedTensorType>(argument.getType())) {
      const Tile &tile = e.tile(argument);
      total += llvm::alignTo(tile.layout.getNumElements() * e.elementBytes(tile.element), 16);
    }
  }
  if (total > kMaxSharedBytes)
    return op->emitOpError("needs ")
           << total << " bytes of shared memory, the limit is " << kMaxSharedBytes;
  if (total != 0) {
    e.barrier();
    for (auto [argument, offset] : llvm::zip_equal(print.getArgs(), offsets)) {
      if (!isa<RankedTensorType>(argument.getType()))
        continue;
      Tile tile = e.tile(argument);
      Value table = e.scratch(offset, total);
      e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
        e.when(e.both(e.ownerThread(tile.layout), e.ownerRegister(tile.layout, index)), [&] {
          e.store(e.loadRegister(tile, index),
                  e.elementPointer(table, tile.element, e.position(tile.layout, index)));
        });
      });
    }
    e.barrier();
  }
  e.when(firstThread(e), [&] {
    size_t next = 0;
    for (const FormatPiece &piece : splitFormat(print.getFormat())) {
      if (!piece.isConversion) {
        printText(e, piece.text);
        continue;
      }
      if (next >= print.getArgs().size())
        break;
      Value argument = print.getArgs()[next];
      int64_t offset = offsets[next++];
      if (auto type = dyn_cast<RankedTensorType>(argument.getType())) {
        printTile(e, piece.text, e.scratch(offset, total), e.tile(argument).element,
                  type.getElementType(), type.getShape());
        continue;
      }
      Value value = promote(e, e.scalar(argument), argument.getType(), piece.text);
      printText(e, conversionFor(piece.text, value.getType()), value);
    }
  });
  return success();
}

LogicalResult emitAssert(Emitter &e, Operation *op) {
  auto check = cast<tileaa::AssertOp>(op);
  if (!isa<RankedTensorType>(check.getCondition().getType())) {
    cf::AssertOp::create(e.builder, e.loc, e.scalar(check.getCondition()), check.getMessage());
    return success();
  }
  Tile tile = e.tile(check.getCondition());
  // One flag per thread: an assertion splits blocks, which a structured loop cannot hold.
  int64_t registers = tile.layout.getNumRegisters();
  if (TILESMITH_PLANT("assert-of-first-register"))
    registers = 1;
  SmallVector<Value> holds =
      e.forLoop(e.i32(0), e.i32(registers), e.i32(1), {e.truth(true)},
                [&](Value index, ValueRange carried) {
                  return SmallVector<Value>{e.both(carried[0], e.loadRegister(tile, index))};
                });
  cf::AssertOp::create(e.builder, e.loc, holds[0], check.getMessage());
  return success();
}

LogicalResult emitGetGlobal(Emitter &e, Operation *op) {
  auto get = cast<tileaa::GetGlobalOp>(op);
  Type pointer = LLVM::LLVMPointerType::get(op->getContext(), 1);
  e.setScalar(get.getResult(),
              e.adaptPointer(LLVM::AddressOfOp::create(e.builder, e.loc, pointer, get.getName())));
  return success();
}

} // namespace

LogicalResult tileas_to_nvgpu::emitGlobal(OpBuilder &builder, Operation *op) {
  auto global = cast<tileaa::GlobalOp>(op);
  auto dense = dyn_cast<DenseElementsAttr>(global.getValue());
  if (!dense)
    return op->emitOpError("expected a dense initial value, got ") << global.getValue();
  Type element = dense.getElementType();
  // Raw bytes keep every element type exact; booleans are one byte each, 4-bit elements half a byte.
  SmallVector<int8_t> data;
  unsigned width = element.getIntOrFloatBitWidth();
  if (width >= 8 && !isa<FloatTF32Type>(element) && !dense.isSplat()) {
    ArrayRef<char> raw = dense.getRawData();
    data.append(raw.begin(), raw.end());
  } else {
    for (auto [i, attribute] : llvm::enumerate(dense.getValues<Attribute>())) {
      APInt value = isa<FloatAttr>(attribute)
                        ? cast<FloatAttr>(attribute).getValue().bitcastToAPInt()
                        : cast<IntegerAttr>(attribute).getValue();
      if (isa<FloatTF32Type>(element))
        value = value.zext(32) << 13;
      if (width == 4 && i % 2 && !TILESMITH_PLANT("global-nibbles-apart")) { // two to a byte [spec: view-nibbles]
        data.back() = static_cast<int8_t>(data.back() | value.getZExtValue() << 4);
        continue;
      }
      for (unsigned byte = 0; byte < llvm::divideCeil(value.getBitWidth(), 8); ++byte)
        data.push_back(static_cast<int8_t>(
            value.extractBitsAsZExtValue(std::min(8u, value.getBitWidth() - 8 * byte), 8 * byte)));
    }
  }
  int64_t bytes = data.size();
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  auto value = DenseElementsAttr::get(RankedTensorType::get({bytes}, builder.getI8Type()),
                                      ArrayRef<int8_t>(data));
  uint64_t alignment = std::max<uint64_t>(global.getAlignment(), 16);
  LLVM::GlobalOp::create(builder, op->getLoc(), type, /*isConstant=*/false, LLVM::Linkage::Internal,
                         global.getSymName(), value, alignment, /*addrSpace=*/1);
  return success();
}

void tileas_to_nvgpu::registerDiagnostics(HandlerTable &table) {
  table.operations.add<tileaa::PrintOp>(emitPrint);
  table.operations.add<tileaa::AssertOp>(emitAssert);
  table.operations.add<tileaa::GetGlobalOp>(emitGetGlobal);
}
