//===- Atomics.cpp - atomic operations and reductions on memory, lane by lane -----------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"

#include <cstring>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)

namespace {

enum AtomicOp { Add, Min, Max, Inc, Dec, And, Or, Xor, Exchange };
enum AtomicType { U32, S32, U64, F32, F16x2, S64, F64, BF16x2, F32Keep };

uint64_t addHalves(uint64_t a, uint64_t b, const emulator::Format &format) {
  uint64_t out = 0;
  for (unsigned k = 0; k < 32; k += 16)
    out |= uint64_t{emulator::encode(emulator::decode(a >> k & 0xffff, format) +
                                         emulator::decode(b >> k & 0xffff, format),
                                     format)}
           << k;
  return out;
}

template <typename T> uint64_t minMax(uint64_t a, uint64_t b, bool minimum) {
  const auto x = static_cast<T>(a), y = static_cast<T>(b);
  return (minimum ? x < y : x > y) ? a : b;
}

uint64_t combineAtomic(AtomicOp op, AtomicType type, uint64_t a, uint64_t b) {
  switch (op) {
  case Add: {
    if (type == F32 || type == F32Keep) {
      auto x = emulator::bitsTo<float>(static_cast<uint32_t>(a)),
           y = emulator::bitsTo<float>(static_cast<uint32_t>(b));
      if (type == F32)
        x = emulator::flush(x), y = emulator::flush(y);
      const float sum = type == F32 ? emulator::flush(x + y) : x + y;
      return sum != sum ? 0x7fffffff : emulator::bitsTo<uint32_t>(sum);
    }
    if (type == F64)
      return emulator::bitsTo<uint64_t>(emulator::bitsTo<double>(a) + emulator::bitsTo<double>(b));
    if (type == F16x2)
      return addHalves(a, b, emulator::kF16);
    if (type == BF16x2)
      return addHalves(a, b, emulator::kBF16);
    return a + b;
  }
  case Min:
  case Max:
    switch (type) {
    case U32:
      return minMax<uint32_t>(a, b, op == Min);
    case S32:
      return minMax<int32_t>(a, b, op == Min);
    case S64:
      return minMax<int64_t>(a, b, op == Min);
    default:
      return minMax<uint64_t>(a, b, op == Min);
    }
  case Inc:
    return a >= b ? 0 : a + 1;
  case Dec:
    return a == 0 || a > b ? b : a - 1;
  case And:
    return a & b;
  case Or:
    return a | b;
  case Xor:
    return a ^ b;
  case Exchange:
    return b;
  }
  return b;
}

bool isWide(AtomicType type) {
  return type == U64 || type == S64 || type == F64;
}

/// Lane by lane. `to` is RZ for reductions.
template <typename Place>
void atomic(Warp &w, AtomicOp op, AtomicType type, unsigned to, unsigned from, Place &&place) {
  if ((op == Min || op == Max) && (type == F32 || type == F16x2 || type == F64 || type == BF16x2))
    return w.fault(Report::Unsupported, "unsupported: atomic minimum of floats");
  const unsigned bytes = isWide(type) ? 8 : 4;
  forActive(w, [&](unsigned l) {
    uint8_t *at = place(l, bytes);
    if (!at)
      return;
    uint64_t old = 0, operand = w.lane(from, 0, l);
    std::memcpy(&old, at, bytes);
    if (bytes == 8)
      operand |= uint64_t{w.lane(from, 1, l)} << 32;
    const uint64_t value = combineAtomic(op, type, old, operand);
    std::memcpy(at, &value, bytes);
    w.lane(to, 0, l) = static_cast<uint32_t>(old);
    if (bytes == 8)
      w.lane(to, 1, l) = static_cast<uint32_t>(old >> 32);
  });
}

AtomicType type90(unsigned value) {
  return value == 1 ? S32 : value == 2 ? U64 : value == 3 ? S64 : U32;
}
AtomicType floatType90(unsigned value) {
  return value == 0 ? F16x2 : value == 3 ? BF16x2 : value == 9 ? F32 : value == 12 ? F32Keep : F64;
}

void atomicGlobal(Warp &w, AtomicOp op, AtomicType type, unsigned to, const Operand &address,
                  unsigned from) {
  atomic(w, op, type, to, from, [&](unsigned l, unsigned bytes) {
    return w.machine->memory(w, l, w.address64(address, l), bytes, "atomic on");
  });
}

void compareAndSwap(Warp &w, const Instruction &i, unsigned to, const Operand &address,
                    unsigned expected, unsigned desired, bool wide, bool isShared) {
  (void)i;
  const unsigned bytes = wide ? 8 : 4;
  forActive(w, [&](unsigned l) {
    uint8_t *at = isShared ? w.machine->shared(w, w.address32(address, l), bytes, "atomic on")
                           : w.machine->memory(w, l, w.address64(address, l), bytes, "atomic on");
    if (!at)
      return;
    uint64_t old = 0, want = w.lane(expected, 0, l), value = w.lane(desired, 0, l);
    std::memcpy(&old, at, bytes);
    if (wide) {
      want |= uint64_t{w.lane(expected, 1, l)} << 32;
      value |= uint64_t{w.lane(desired, 1, l)} << 32;
    }
    if (old == want)
      std::memcpy(at, &value, bytes);
    w.lane(to, 0, l) = static_cast<uint32_t>(old);
    if (wide)
      w.lane(to, 1, l) = static_cast<uint32_t>(old >> 32);
  });
}

} // namespace

OPERATION(executeAtomGlobal) {
  atomicGlobal(w, AtomicOp(i.mods[0]), AtomicType(i.mods[1]), i.ops[1].index, i.ops[2],
               i.ops[3].index);
}
OPERATION(executeAtomGlobal90) {
  atomicGlobal(w, AtomicOp(i.mods[0]), type90(i.mods[1]), i.ops[1].index, i.ops[2], i.ops[3].index);
}
OPERATION(executeAtomGlobalFloat90) {
  atomicGlobal(w, AtomicOp(i.mods[0]), floatType90(i.mods[1]), i.ops[1].index, i.ops[2],
               i.ops[3].index);
}
OPERATION(executeRedGlobal) {
  atomicGlobal(w, AtomicOp(i.mods[0]), AtomicType(i.mods[1]), kRZ, i.ops[0], i.ops[1].index);
}
OPERATION(executeRedGlobal90) {
  atomicGlobal(w, AtomicOp(i.mods[0]), type90(i.mods[1]), kRZ, i.ops[0], i.ops[1].index);
}
OPERATION(executeRedGlobalFloat90) {
  atomicGlobal(w, AtomicOp(i.mods[0]), floatType90(i.mods[1]), kRZ, i.ops[0], i.ops[1].index);
}
OPERATION(executeAtomShared) {
  atomic(w, AtomicOp(i.mods[0]), AtomicType(i.mods[1]), i.ops[0].index, i.ops[2].index,
         [&](unsigned l, unsigned bytes) {
           return w.machine->shared(w, w.address32(i.ops[1], l), bytes, "atomic on");
         });
}
OPERATION(executeCasGlobal) {
  compareAndSwap(w, i, i.ops[1].index, i.ops[2], i.ops[3].index, i.ops[4].index, i.mods[0] == 2,
                 false);
}
OPERATION(executeCasShared) {
  compareAndSwap(w, i, i.ops[0].index, i.ops[1], i.ops[2].index, i.ops[3].index, i.mods[0] == 2,
                 true);
}

#undef OPERATION

} // namespace tilesmith::sass
