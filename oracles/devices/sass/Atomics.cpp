//===- Atomics.cpp - atomic operations and reductions on memory, lane by lane -----------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <utility>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)

namespace {

enum AtomicOp { Add, Min, Max, Inc, Dec, And, Or, Xor, Exchange };
/// Of operations that compare: what `CAST.SPIN` has in place of a combination.
constexpr uint8_t kCast = 3;
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

} // namespace

const char *reduceElement(unsigned op, unsigned element, uint64_t &old, uint64_t operand) {
  static constexpr std::pair<unsigned, AtomicType> kTypes[] = {
      {2, U32}, {3, S32}, {4, U64}, {5, S64}, {6, F16x2}, {7, F32Keep}, {9, F64}, {10, BF16x2}};
  const auto *found = llvm::find_if(kTypes, [&](auto &pair) { return pair.first == element; });
  const bool isInteger = element >= 2 && element <= 5, counts = op == Inc || op == Dec;
  if (found == std::end(kTypes) || (op != Add && !isInteger) || (counts && element != 2))
    return "unsupported: reduction of this element type by a tensor copy";
  old = combineAtomic(static_cast<AtomicOp>(op), found->second, old, operand);
  return nullptr;
}

namespace {

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
/// Of `REDG`: F16, BF16, F32 with and without subnormals in 1, 2 and 4 registers each, F64.
struct FloatVector {
  AtomicType type;
  unsigned registers;
};
FloatVector floatVector90(unsigned value) {
  static constexpr AtomicType kTypes[] = {F16x2, BF16x2, F32, F32, F32Keep};
  if (value == 15)
    return {F64, 1};
  return {kTypes[value / 3], 1u << value % 3};
}
AtomicType floatType90(unsigned value) {
  return value == 0 ? F16x2 : value == 3 ? BF16x2 : value == 9 ? F32 : value == 12 ? F32Keep : F64;
}

/// The places of an operation on generic or global memory. Where it has a predicate as a result, the
/// machine does it in global memory only: elsewhere it does nothing and clears the predicate, and
/// the program goes another way.
class GenericPlaces {
public:
  GenericPlaces(Warp &w, const Operand &address, const Operand *done, bool hasWayToPeers)
      : w(w), address(address), done(done && done->index != kPT ? done : nullptr),
        hasWayToPeers(hasWayToPeers) {}
  GenericPlaces(const GenericPlaces &) = delete;
  GenericPlaces &operator=(const GenericPlaces &) = delete;
  ~GenericPlaces() {
    if (done)
      w.putMask(*done, lanes);
  }
  uint8_t *operator()(unsigned l, unsigned bytes) {
    const uint64_t base = address.uniform == kURZ ? 0 : w.uniform64(address.uniform),
                   at = w.address64(address, l) + base, offset = at - Machine::kSharedWindow;
    if (done && offset < 2 * Machine::kWindowBytes) {
      if (w.machine->hopper() && offset < Machine::kWindowBytes && !hasWayToPeers &&
          offset >> 24 != w.block->rank)
        w.fault(Report::Unsupported,
                "unsupported: atomic of this type on another block's shared memory");
      return nullptr;
    }
    lanes |= uint32_t{1} << l;
    return w.machine->memory(w, l, at, bytes, "atomic on");
  }

private:
  Warp &w;
  const Operand &address, *done;
  bool hasWayToPeers; ///< programs ask for another block's memory (`QSPC.D`): f32 and f64
  uint32_t lanes = 0;
};

void atomicGlobal(Warp &w, AtomicOp op, AtomicType type, const Instruction &i) {
  const bool single = type == F32 || type == F32Keep || type == F64;
  GenericPlaces places(w, i.ops[2], &i.ops[0], single);
  atomic(w, op, type, i.ops[1].index, i.ops[3].index, places);
}
void reduceGlobal(Warp &w, AtomicOp op, AtomicType type, const Instruction &i) {
  GenericPlaces places(w, i.ops[0], nullptr, false);
  atomic(w, op, type, kRZ, i.ops[1].index, places);
}

struct CompareAndSwap {
  bool tells = false; ///< `.CAST`: the result is whether it swapped
  bool wide = false;
};

/// The result is RZ where only the lanes that swapped are asked for.
template <typename Place>
uint32_t compareAndSwap(Warp &w, CompareAndSwap form, unsigned to, unsigned expected,
                        unsigned desired, Place &&place) {
  const unsigned bytes = form.wide ? 8 : 4;
  uint32_t swapped = 0;
  forActive(w, [&](unsigned l) {
    uint8_t *at = place(l, bytes);
    if (!at)
      return;
    uint64_t old = 0, want = w.lane(expected, 0, l), value = w.lane(desired, 0, l);
    std::memcpy(&old, at, bytes);
    if (form.wide) {
      want |= uint64_t{w.lane(expected, 1, l)} << 32;
      value |= uint64_t{w.lane(desired, 1, l)} << 32;
    }
    if (old == want) {
      std::memcpy(at, &value, bytes);
      swapped |= uint32_t{1} << l;
    }
    const uint64_t result = form.tells ? old == want : old;
    w.lane(to, 0, l) = static_cast<uint32_t>(result);
    if (form.wide)
      w.lane(to, 1, l) = static_cast<uint32_t>(result >> 32);
  });
  return swapped;
}

uint32_t compareAndSwapShared(Warp &w, const Instruction &i, unsigned to) {
  const CompareAndSwap form{i.mods[0] == kCast, i.mods[1] == 2};
  return compareAndSwap(w, form, to, i.ops[2].index, i.ops[3].index,
                        [&](unsigned l, unsigned bytes) {
                          return w.machine->shared(w, w.address32(i.ops[1], l), bytes, "atomic on");
                        });
}

} // namespace

OPERATION(executeAtomGlobal) {
  atomicGlobal(w, AtomicOp(i.mods[0]), AtomicType(i.mods[1]), i);
}
OPERATION(executeAtomGlobal90) {
  atomicGlobal(w, AtomicOp(i.mods[0]), type90(i.mods[1]), i);
}
OPERATION(executeAtomGlobalFloat90) {
  atomicGlobal(w, AtomicOp(i.mods[0]), floatType90(i.mods[1]), i);
}
OPERATION(executeRedGlobal) {
  reduceGlobal(w, AtomicOp(i.mods[0]), AtomicType(i.mods[1]), i);
}
OPERATION(executeRedGlobal90) {
  reduceGlobal(w, AtomicOp(i.mods[0]), type90(i.mods[1]), i);
}
OPERATION(executeRedGlobalFloat90) {
  const auto [type, registers] = floatVector90(i.mods[1]);
  GenericPlaces places(w, i.ops[0], nullptr, false);
  for (unsigned n = 0; n < registers && !w.machine->stopped; ++n)
    atomic(w, AtomicOp(i.mods[0]), type, kRZ, i.ops[1].index == kRZ ? kRZ : i.ops[1].index + n,
           [&](unsigned l, unsigned bytes) {
             uint8_t *at = places(l, bytes * registers);
             return at ? at + n * bytes : nullptr;
           });
}
OPERATION(executeAtomShared) {
  atomic(w, AtomicOp(i.mods[0]), AtomicType(i.mods[1]), i.ops[0].index, i.ops[2].index,
         [&](unsigned l, unsigned bytes) {
           return w.machine->shared(w, w.address32(i.ops[1], l), bytes, "atomic on");
         });
}
OPERATION(executeCasGlobal) {
  GenericPlaces places(w, i.ops[2], &i.ops[0], false);
  compareAndSwap(w, {i.mods[0] == kCast, i.mods[1] == 2}, i.ops[1].index, i.ops[3].index,
                 i.ops[4].index, places);
}
OPERATION(executeCasShared) {
  compareAndSwapShared(w, i, i.ops[0].index);
}
OPERATION(executeCasSharedPredicate) {
  w.putMask(i.ops[0], compareAndSwapShared(w, i, kRZ));
}
// Whether a generic address is one of the block's shared memory, or of another block's.
OPERATION(executeQspc) {
  if (i.ops[1].index != kRZ)
    return w.fault(Report::Unsupported, "unsupported: a register as the result of QSPC");
  uint32_t found = 0;
  forActive(w, [&](unsigned l) {
    const uint64_t offset = w.address64(i.ops[2], l) - Machine::kSharedWindow;
    const bool own = !w.machine->hopper() || (offset >> 24) == w.block->rank;
    if (offset < Machine::kWindowBytes && own == (i.mods[0] == 2))
      found |= uint32_t{1} << l;
  });
  w.putMask(i.ops[0], found);
}

#undef OPERATION

} // namespace tilesmith::sass
