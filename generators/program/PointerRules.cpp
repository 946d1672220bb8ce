//===- PointerRules.cpp - tiles of pointers ---------------------------------------------------===//
//
// Needs: integers of any value, which are guarded before they become offsets. Promises: every
// element whose mask is set lies inside its array; masked-off elements of a load are padding.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

Facts anyOf(mlir::Type element) {
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  return facts;
}

/// A flat input, maybe one that is there already.
ArrayInfo &flatInput(KernelBuilder &k, ChoiceStream &s, int64_t atLeast) {
  llvm::SmallVector<ArrayInfo *> found;
  for (ArrayInfo &array : k.arrays())
    if (array.isFree && !array.output && array.shape.size() == 1 && array.strides[0] == 1 &&
        array.shape[0] >= atLeast)
      found.push_back(&array);
  if (!found.empty() && s.chance(50))
    return *s.pick(llvm::ArrayRef<ArrayInfo *>(found));
  int64_t count = atLeast + static_cast<int64_t>(s.below(60));
  mlir::Type element = s.chance(22) ? k.pickStorage(s, false) : k.pickElement(s, Kind::Any);
  return k.addFlatArray(element, count, /*output=*/false);
}

/// Loads elements that integers of the kernel's data choose.
bool applyGather(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> chosen = k.find(s, [](const TileValue &v) {
    return isInt(v.element()) && widthOf(v.element()) >= 8 && v.type().getNumElements() <= 1024;
  });
  if (!chosen)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Location loc = k.loc();
  cuda_tile::TileType type = chosen->type();
  unsigned width = widthOf(type.getElementType());
  ArrayInfo &array = flatInput(k, s, 1);
  Int count = std::min<Int>(array.shape[0], signedMax(width));
  mlir::Value offsets = chosen->ssa, mask, padding;
  cuda_tile::TileType loaded = k.tileType(type.getShape(), array.element);
  cuda_tile::TileType maskType = k.tileType(type.getShape(), k.intType(1));
  mlir::Value bound = k.intConstant(type, count).ssa;
  switch (s.below(3)) {
  case 0: // masked: far outside, but no address may wrap around
    if (width <= 16 || s.chance(50)) {
      if (width > 16)
        offsets = cuda_tile::AndIOp::create(b, loc, type, offsets,
                                            k.intConstant(type, (1 << 20) - 1).ssa);
      mask = cuda_tile::CmpIOp::create(b, loc, maskType, cuda_tile::ComparisonPredicate::LESS_THAN,
                                       offsets, bound, cuda_tile::Signedness::Unsigned);
      if (s.chance(40))
        mask = cuda_tile::AndIOp::create(b, loc, maskType, mask, k.use(s, maskType).ssa);
      break;
    }
    [[fallthrough]];
  case 1:
    offsets =
        cuda_tile::RemIOp::create(b, loc, type, offsets, bound, cuda_tile::Signedness::Unsigned);
    break;
  default: {
    Int low = 1;
    while (low * 2 <= count)
      low *= 2;
    offsets = cuda_tile::AndIOp::create(b, loc, type, offsets, k.intConstant(type, low - 1).ssa);
  }
  }
  if (!mask && s.chance(40))
    mask = k.use(s, maskType).ssa;
  if (mask)
    padding = k.use(s, loaded).ssa;
  mlir::Value base = maybeAssumeAligned(k, s, array.base), pointers;
  auto throughIntegers = [&] { // the same addresses
    k.note("ptr_to_int");
    cuda_tile::TileType addresses = k.tileType(type.getShape(), k.intType(64));
    mlir::Value numbers = k.emit<cuda_tile::PtrToIntOp>(addresses, pointers).getResult();
    pointers = k.emit<cuda_tile::IntToPtrOp>(pointers.getType(), numbers).getResult();
  };
  if (width >= 32 && s.chance(35)) { // there and back: one of the two offsets is negative
    k.note("offset-chain");
    Int back = s.chance(50) ? s.between(1, 64) : s.between(-64, -1);
    bool isFar = s.chance(40);
    if (isFar) { // further than offsets of 32 bits reach; upwards: below the array may be nothing
      k.note("offset-chain-far");
      back += (2 * s.between(0, 2) + 1) << 31;
      if (width < 64) {
        type = k.tileType(type.getShape(), k.intType(64));
        offsets = cuda_tile::ExtIOp::create(b, loc, type, offsets, cuda_tile::Signedness::Signed);
      }
    }
    mlir::Value shifted = cuda_tile::SubIOp::create(
        b, loc, type, offsets, k.intConstant(type, back).ssa, cuda_tile::IntegerOverflow::NONE);
    pointers = pointersAt(k, base, k.intConstant(type, back).ssa);
    if (isFar && s.chance(50)) // the two offsets do not become one
      throughIntegers();
    pointers = cuda_tile::OffsetOp::create(b, loc, pointers.getType(), pointers, shifted);
  } else {
    pointers = pointersAt(k, base, offsets);
  }
  if (s.chance(40))
    throughIntegers();
  Facts facts = anyOf(array.element);
  if (padding && array.element == type.getElementType())
    facts = anyOf(array.element);
  k.define(loadPointers(k, s, loaded, pointers, mask, padding, {}).tile, facts);
  return true;
}

/// Offsets of 8 or 16 bits, one on top of the other, whose sum has no room in their type: what fuses
/// them has to extend them first.
bool applyNarrowChain(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> chosen = k.find(s, [](const TileValue &v) {
    return isInt(v.element()) && v.type().getNumElements() <= 512 &&
           (widthOf(v.element()) == 8 || widthOf(v.element()) == 16);
  });
  mlir::OpBuilder &b = k.builder();
  unsigned width = chosen ? widthOf(chosen->element()) : s.chance(50) ? 8 : 16;
  cuda_tile::TileType type = chosen ? chosen->type() : k.tileType(k.tileShape(), k.intType(width));
  mlir::Value any = chosen ? chosen->ssa : k.use(s, type).ssa;
  ArrayInfo &array = flatInput(k, s, 64);
  // far + (x & 63) - far' + back, in the array again at the end.
  Int far = signedMax(width) - s.between(0, 20);
  bool down = s.chance(50);
  mlir::Value first = cuda_tile::AndIOp::create(b, k.loc(), type, any, k.intConstant(type, 63).ssa);
  first = cuda_tile::AddIOp::create(b, k.loc(), type, first,
                                    k.intConstant(type, down ? -far : far - 63).ssa,
                                    cuda_tile::IntegerOverflow::NSW);
  Int second = down ? -far : far;
  cuda_tile::TileType wide = k.tileType(type.getShape(), k.intType(32));
  mlir::Value back = k.intConstant(wide, down ? 2 * far : 63 - 2 * far).ssa;
  // The way back comes first or last: of three offsets either pair may be fused first.
  bool backFirst = s.chance(50);
  mlir::Value base = maybeAssumeAligned(k, s, array.base);
  mlir::Value pointers = pointersAt(k, base, backFirst ? back : first);
  auto move = [&](mlir::Value by) {
    pointers = cuda_tile::OffsetOp::create(b, k.loc(), pointers.getType(), pointers, by);
  };
  if (backFirst)
    move(first);
  move(k.intConstant(type, second).ssa);
  if (!backFirst)
    move(back);
  k.define(
      loadPointers(k, s, k.tileType(type.getShape(), array.element), pointers, {}, {}, {}).tile,
      anyOf(array.element));
  return true;
}

/// Loads one scalar: a length, a flag, an offset.
bool applyScalarLoad(KernelBuilder &k, ChoiceStream &s) {
  ArrayInfo &array = flatInput(k, s, 1);
  cuda_tile::TileType i32 = k.scalarType(k.intType(32));
  TileValue any = k.use(s, i32);
  mlir::Value at = cuda_tile::RemIOp::create(k.builder(), k.loc(), i32, any.ssa,
                                             k.intConstant(i32, array.shape[0]).ssa,
                                             cuda_tile::Signedness::Unsigned);
  mlir::Value pointer = pointersAt(k, array.base, at);
  k.define(loadPointers(k, s, k.scalarType(array.element), pointer, {}, {}, {}).tile,
           anyOf(array.element));
  return true;
}

/// The bytes of an array under another type of at most its size.
bool applyReinterpret(KernelBuilder &k, ChoiceStream &s) {
  ArrayInfo &array = flatInput(k, s, 16);
  unsigned from = testcase::sizeInBytes(dataTypeOf(array.element));
  mlir::Type element = s.chance(25)   ? k.pickStorage(s, false)
                       : s.chance(20) ? k.intType(1) // any byte but 0 is true
                                      : k.pickElement(s, Kind::Any);
  unsigned to = testcase::sizeInBytes(dataTypeOf(element));
  // Which low bits a tf32 keeps is open.
  if (array.element == element || element.isTF32())
    return false;
  mlir::OpBuilder &b = k.builder();
  auto pointee = k.scalarType(cuda_tile::PointerType::get(element));
  mlir::Value base = k.emit<cuda_tile::PtrToPtrOp>(pointee, array.base).getResult();
  int64_t bytes = array.shape[0] * from, count = 1;
  while (count * 2 * to <= bytes && count < 256 && !(count >= 8 && s.chance(20)))
    count *= 2;
  cuda_tile::TileType index = k.tileType({count}, k.intType(32));
  mlir::Value offsets = cuda_tile::IotaOp::create(b, k.loc(), index);
  mlir::Value pointers = pointersAt(k, base, offsets);
  k.define(loadPointers(k, s, k.tileType({count}, element), pointers, {}, {}, {}).tile,
           anyOf(element));
  return true;
}

} // namespace

llvm::ArrayRef<Rule> tilesmith::generators::pointerRules() {
  static constexpr Rule kRules[] = {
      {"gather", 6, applyGather, 1, "offsets below the length, by mask, remainder or bits"},
      {"narrow-chain", 2, applyNarrowChain, 1, "offsets that add up to 0 to 63"},
      {"scalar-load", 3, applyScalarLoad, 1, "offset below the length"},
      {"ptr_to_ptr", 3, applyReinterpret, 1, "bytes inside the array, aligned for either type"},
  };
  return kRules;
}
