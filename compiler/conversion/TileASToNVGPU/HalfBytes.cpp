//===- HalfBytes.cpp - elements of four bits in memory ----------------------------------------------===//
//
// Two of them share a byte, the even one in its low half [spec: view-nibbles]. A register holds one of
// them; its upper half is free. Loads shift, and stores change their own half alone, by two atomic
// updates: another thread may store the other half at the same time.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

bool tileas_to_nvgpu::isHalfByte(Type element) {
  return !isa<tileaa::PtrType>(element) && element.getIntOrFloatBitWidth() == 4;
}

ViewElement tileas_to_nvgpu::halfByteElement(Emitter &e, Value base, Value place, Value inside) {
  Type i8 = e.builder.getI8Type();
  Value odd = arith::TruncIOp::create(e.builder, e.loc, i8, place);
  Value two = arith::ConstantIntOp::create(e.builder, e.loc, i8, 2);
  Value one = arith::ConstantIntOp::create(e.builder, e.loc, i8, 1);
  odd = arith::AndIOp::create(e.builder, e.loc, odd, one);
  if (TILESMITH_PLANT("view-nibbles-swapped"))
    odd = arith::XOrIOp::create(e.builder, e.loc, odd, one);
  Value byte = arith::ShRUIOp::create(e.builder, e.loc, place, e.i64(1));
  return {e.elementPointer(base, i8, byte), inside,
          arith::ShLIOp::create(e.builder, e.loc, odd, two)};
}

Value tileas_to_nvgpu::loadHalfByte(Emitter &e, const ViewElement &element, Type logical,
                                    const Access &access) {
  Value byte = typedLoad(e, element.pointer, logical, access);
  byte = arith::ShRUIOp::create(e.builder, e.loc, byte, element.shift);
  Value low = arith::ConstantIntOp::create(e.builder, e.loc, byte.getType(), 15);
  return arith::AndIOp::create(e.builder, e.loc, byte, low);
}

void tileas_to_nvgpu::storeHalfByte(Emitter &e, Value value, const ViewElement &element,
                                    const Access &access) {
  OpBuilder &b = e.builder;
  Value low = arith::ConstantIntOp::create(b, e.loc, value.getType(), 15);
  Value ones = arith::ConstantIntOp::create(b, e.loc, value.getType(), -1);
  Value shift = element.shift;
  if (TILESMITH_PLANT("store-nibbles-swapped"))
    shift = arith::XOrIOp::create(b, e.loc, shift,
                                  arith::ConstantIntOp::create(b, e.loc, shift.getType(), 4));
  Value mask = arith::ShLIOp::create(b, e.loc, low, shift);
  Value others = arith::XOrIOp::create(b, e.loc, mask, ones);
  value = arith::AndIOp::create(b, e.loc, value, low);
  value = arith::ShLIOp::create(b, e.loc, value, shift);
  bool weak = access.semantic == "weak";
  auto change = [&](LLVM::AtomicBinOp kind, Value bits, LLVM::AtomicOrdering ordering) {
    LLVM::AtomicRMWOp::create(b, e.loc, kind, element.pointer, bits, ordering,
                              weak ? "device" : syncScope(access.scope));
  };
  change(LLVM::AtomicBinOp::_and, others, LLVM::AtomicOrdering::monotonic);
  change(LLVM::AtomicBinOp::_or, value,
         weak ? LLVM::AtomicOrdering::monotonic : atomicOrdering(access.semantic));
}
