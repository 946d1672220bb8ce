//===- Diagnostics.cpp - assert, print, message and module globals per thread -----------------===//
//
// print: thread 0 writes the text; tiles are laid out row-major in scratch first and printed as nested
// lists `[[a, b], [c, d]]` with one conversion per element. Text without tiles is one call of printf,
// else piece by piece under a lock of the device, so that blocks do not print into each other's text.
// i1 prints as 0 or 1, floats are printed as double, and i8 and i16 are extended as the conversion
// reads them (%u, %o, %x: unsigned). The closed compiler sign-extends always; the frontends' own
// expectations (corpus case print_types) say 255, so we follow those. assert: every holder checks its
// own elements.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/support/GlobalNames.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

/// A format split at its conversions: literal text keeps its `%%`. It ends at a zero byte.
struct FormatPiece {
  std::string text;
  bool isConversion;
};

SmallVector<FormatPiece> splitFormat(StringRef format) {
  format = format.take_until([](char c) { return c == '\0'; });
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

constexpr StringLiteral kLengths("hlLqjzt");

/// The value as printf takes it: f64, i64, or i32.
Value promote(Emitter &e, Value value, Type logical, StringRef conversion) {
  OpBuilder &b = e.builder;
  const char letter = conversion.back();
  if (isa<FloatType>(logical))
    return e.convertFloat(value, logical, b.getF64Type());
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(b, e.loc, b.getI64Type(), value);
  const bool isUnsigned = StringRef("ouxXp").contains(letter);
  if (logical.isInteger(4)) { // a register holds it as a byte whose upper half is anything
    Value four = arith::ConstantIntOp::create(b, e.loc, value.getType(), 4);
    value = arith::ShLIOp::create(b, e.loc, value, four);
    value = isUnsigned ? Value(arith::ShRUIOp::create(b, e.loc, value, four))
                       : Value(arith::ShRSIOp::create(b, e.loc, value, four));
  }
  // `h` halves an int, whatever the operand is.
  const size_t halves = std::min<size_t>(conversion.count('h'), 2);
  unsigned width = value.getType().getIntOrFloatBitWidth();
  const unsigned wanted = letter == 'c' ? 32 : halves ? 32 >> halves : 64;
  if (width > wanted) {
    value = arith::TruncIOp::create(b, e.loc, b.getIntegerType(wanted), value);
    width = wanted;
  }
  Type promoted = width == 64 || letter == 'p' ? b.getI64Type() : b.getI32Type();
  if (value.getType() == promoted)
    return value;
  if (width == 1 || isUnsigned)
    return arith::ExtUIOp::create(b, e.loc, promoted, value);
  return arith::ExtSIOp::create(b, e.loc, promoted, value);
}

/// The conversion for a promoted value: its length is that of the value, and only conversions of floats
/// print floats.
std::string conversionFor(StringRef conversion, Type type) {
  std::string text;
  for (char c : conversion.drop_back())
    if (!kLengths.contains(c))
      text += c;
  char letter = conversion.back();
  if (isa<FloatType>(type) && !StringRef("eEfFgGaA").contains(letter))
    letter = 'f';
  if (type.isInteger(64) && StringRef("diouxX").contains(letter))
    text += "ll";
  return text + letter;
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

/// Arguments that one call of printf takes on a GPU.
constexpr size_t kMostPrinted = 32;

constexpr StringLiteral kPrintLock("print_lock");

/// A word of the module, zero while no block prints.
Value printLock(Emitter &e) {
  Type i32 = e.builder.getI32Type();
  auto module = e.function->getParentOfType<gpu::GPUModuleOp>();
  if (!module.lookupSymbol(kPrintLock)) {
    OpBuilder::InsertionGuard guard(e.builder);
    e.builder.setInsertionPointToStart(&module.getBodyRegion().front());
    LLVM::GlobalOp::create(e.builder, e.loc, i32, /*isConstant=*/false, LLVM::Linkage::Internal,
                           kPrintLock, e.builder.getI32IntegerAttr(0), /*alignment=*/4,
                           /*addrSpace=*/1);
  }
  return LLVM::AddressOfOp::create(
      e.builder, e.loc, LLVM::LLVMPointerType::get(e.builder.getContext(), 1), kPrintLock);
}

/// Waits until the lock was zero and is this thread's.
void takePrintLock(Emitter &e, Value lock) {
  OpBuilder &b = e.builder;
  auto loop = scf::WhileOp::create(b, e.loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  Value pair = LLVM::AtomicCmpXchgOp::create(b, e.loc, lock, e.i32(0), e.i32(1),
                                             LLVM::AtomicOrdering::acquire,
                                             LLVM::AtomicOrdering::monotonic, "device");
  Value old = LLVM::ExtractValueOp::create(b, e.loc, pair, ArrayRef<int64_t>{0});
  Value taken = arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ne, old, e.i32(0));
  scf::ConditionOp::create(b, e.loc, taken, ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b, e.loc);
}

void releasePrintLock(Emitter &e, Value lock) {
  auto store = LLVM::StoreOp::create(e.builder, e.loc, e.i32(0), lock, 4);
  store.setOrdering(LLVM::AtomicOrdering::release);
  store.setSyncscope("device");
}

/// One call for all of it.
void printScalars(Emitter &e, tileaa::PrintOp print) {
  std::string text;
  SmallVector<Value> values;
  for (const FormatPiece &piece : splitFormat(print.getFormat())) {
    if (!piece.isConversion) {
      text += piece.text;
      continue;
    }
    if (values.size() >= print.getArgs().size())
      break;
    Value argument = print.getArgs()[values.size()];
    values.push_back(promote(e, e.scalar(argument), argument.getType(), piece.text));
    text += conversionFor(piece.text, values.back().getType());
  }
  printText(e, text, values);
}

/// Piece by piece; tiles lie in scratch of `total` bytes at their offsets.
void printPieces(Emitter &e, tileaa::PrintOp print, ArrayRef<int64_t> offsets, int64_t total) {
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
}

// [spec: print-order]
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
    if (total == 0 && print.getArgs().size() <= kMostPrinted) {
      printScalars(e, print);
      return;
    }
    Value lock = printLock(e);
    takePrintLock(e, lock);
    printPieces(e, print, offsets, total);
    releasePrintLock(e, lock);
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
  SmallVector<Value> holds = e.forLoop(
      e.i32(0), e.i32(registers), e.i32(1), {e.truth(true)}, [&](Value index, ValueRange carried) {
        return SmallVector<Value>{e.both(carried[0], e.loadRegister(tile, index))};
      });
  cf::AssertOp::create(e.builder, e.loc, holds[0], check.getMessage());
  return success();
}

/// The name of a global in PTX.
std::string visibleName(StringRef name) {
  return isHiddenGlobalName(name) && TILESMITH_PLANT("hidden-global-names")
             ? name.str()
             : visibleGlobalName(name);
}

LogicalResult emitGetGlobal(Emitter &e, Operation *op) {
  auto get = cast<tileaa::GetGlobalOp>(op);
  Type pointer = LLVM::LLVMPointerType::get(op->getContext(), 1);
  e.setScalar(get.getResult(), e.adaptPointer(LLVM::AddressOfOp::create(
                                   e.builder, e.loc, pointer, visibleName(get.getName()))));
  return success();
}

} // namespace

/// What the code calls or keeps for itself, under a name that is not free to choose.
static bool isReserved(StringRef name) {
  return llvm::is_contained<StringRef>({"vprintf", "__assertfail", "global_smem", kPrintLock},
                                       name) ||
         name.starts_with("llvm.") || name.starts_with("tensor_map_slots_") ||
         name.starts_with("tensor_maps_");
}

LogicalResult tileas_to_nvgpu::emitGlobal(OpBuilder &builder, Operation *op) {
  auto global = cast<tileaa::GlobalOp>(op);
  if (isReserved(global.getSymName()))
    return op->emitOpError("has the name '")
           << global.getSymName() << "', which the compiled code needs for itself";
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
      if (width == 4 && i % 2 &&
          !TILESMITH_PLANT("global-nibbles-apart")) { // two to a byte [spec: view-nibbles]
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
  // The host asks for public ones by name, and may write them before a launch. [spec: global-visibility]
  bool isPrivate = global.getSymVisibility() == "private";
  LLVM::GlobalOp::create(builder, op->getLoc(), type, /*isConstant=*/global.getConstant(),
                         isPrivate ? LLVM::Linkage::Internal : LLVM::Linkage::External,
                         visibleName(global.getSymName()), value, alignment, /*addrSpace=*/1);
  return success();
}

void tileas_to_nvgpu::registerDiagnostics(HandlerTable &table) {
  table.operations.add<tileaa::PrintOp>(emitPrint);
  table.operations.add<tileaa::AssertOp>(emitAssert);
  table.operations.add<tileaa::GetGlobalOp>(emitGetGlobal);
}
