//===- VectorAccess.cpp - accesses that move several elements at once -------------------------===//
//
// A group is `elements` consecutive registers of a thread that are consecutive, aligned elements of
// memory (`nv_tileas.vector`). Its elements go through one LLVM vector access, and what was loaded
// into storage as one vector, too: LLVM then keeps two halves in one 32-bit register until they are
// needed.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

Value tileas_to_nvgpu::descriptorAt(Emitter &e, Value pointer) {
  Type i64 = e.builder.getI64Type(), one = LLVM::LLVMArrayType::get(i64, 1);
  Type held = pointer.getType();
  Value descriptor = LLVM::PoisonOp::create(
      e.builder, e.loc,
      LLVM::LLVMStructType::getLiteral(e.builder.getContext(), {held, held, i64, one, one}));
  return LLVM::InsertValueOp::create(e.builder, e.loc, descriptor, pointer, 1);
}

Value tileas_to_nvgpu::bufferAt(Emitter &e, Value pointer, Type element, gpu::AddressSpace space) {
  MLIRContext *context = e.builder.getContext();
  auto type = MemRefType::get({1}, element, MemRefLayoutAttrInterface(),
                              gpu::AddressSpaceAttr::get(context, space));
  return UnrealizedConversionCastOp::create(e.builder, e.loc, type, descriptorAt(e, pointer))
      .getResult(0);
}

unsigned tileas_to_nvgpu::contiguousDim(tileas::LayoutAttr layout) {
  int64_t first = layout.getRegisters().empty() ? 1 : layout.getRegisters()[0], step = 1;
  ArrayRef<int64_t> shape = layout.getShape();
  for (unsigned dim = shape.size(); dim-- > 0; step *= shape[dim])
    if ((shape[dim] > 1 || TILESMITH_PLANT("run-along-extent-of-one")) && step == first)
      return dim;
  return 0;
}

void tileas_to_nvgpu::forGroups(Emitter &e, const Tile &tile, int64_t elements,
                                llvm::function_ref<void(Value)> body) {
  e.forLoop(tile.layout.getNumRegisters() / elements,
            [&](Value group) { body(e.mul(group, e.i32(elements))); });
}

void tileas_to_nvgpu::forGroup(Emitter &e, Value first, int64_t elements,
                               llvm::function_ref<void(Value)> body) {
  e.forLoop(elements, [&](Value i) { body(e.add(first, i)); });
}

Value tileas_to_nvgpu::allOfGroup(Emitter &e, Value first, int64_t elements,
                                  llvm::function_ref<Value(Value)> condition) {
  Value all;
  for (int64_t i = 0; i < (TILESMITH_PLANT("group-mask-of-first") ? 1 : elements); ++i)
    all = e.both(all, condition(e.add(first, e.i32(i))));
  return all;
}

void tileas_to_nvgpu::loadVector(Emitter &e, const Tile &tile, Value first, int64_t elements,
                                 Value pointer, Type logical) {
  Type type = VectorType::get({elements}, tile.element);
  Value vector = LLVM::LoadOp::create(e.builder, e.loc, type, pointer,
                                      elements * e.elementBytes(tile.element));
  bool halfRead =
      elements == 2 && tile.element.isInteger(8) && TILESMITH_PLANT("vector-byte-pair-half-read");
  if (halfRead) {
    Value zero = arith::ConstantIntOp::create(e.builder, e.loc, tile.element, 0);
    vector = LLVM::InsertElementOp::create(e.builder, e.loc, vector, zero, e.i32(1));
  }
  bool swapped = TILESMITH_PLANT("vector-elements-swapped");
  if (!tile.element.isF32() && !swapped)
    return e.store(vector, e.elementPointer(tile.storage, tile.element, first));
  for (int64_t i = 0; i < elements; ++i)
    e.storeRegister(tile, e.add(first, e.i32(i)),
                    fromMemory(e,
                               LLVM::ExtractElementOp::create(e.builder, e.loc, vector,
                                                              e.i32(swapped ? i ^ 1 : i)),
                               logical));
}

void tileas_to_nvgpu::storeVector(Emitter &e, const Tile &tile, Value first, int64_t elements,
                                  Value pointer) {
  Type type = VectorType::get({elements}, tile.element);
  Value vector = LLVM::PoisonOp::create(e.builder, e.loc, type);
  bool swapped =
      elements == 2 && tile.element.isF16() && TILESMITH_PLANT("vector-halves-stored-swapped");
  for (int64_t i = 0; i < elements; ++i)
    vector = LLVM::InsertElementOp::create(e.builder, e.loc, vector,
                                           e.loadRegister(tile, e.add(first, e.i32(i))),
                                           e.i32(swapped ? 1 - i : i));
  LLVM::StoreOp::create(e.builder, e.loc, vector, pointer, elements * e.elementBytes(tile.element));
}
