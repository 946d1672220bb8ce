//===- Control.cpp - branches, convergence, warp operations, special registers ----------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <utility>

using namespace tilesmith::sass;

namespace {

/// Lanes to an offset of the code.
void jump(Warp &w, uint32_t lanes, int64_t offset) {
  if (!lanes)
    return;
  if (offset < 0 || offset % 16 || offset / 16 >= int64_t(w.machine->kernel.code.size()))
    return w.fault(Report::Fault,
                   llvm::formatv("jumped to {0:x}, outside of the code", offset).str());
  w.redirect = lanes;
  w.target = static_cast<uint32_t>(offset / 16);
}

unsigned firstLane(uint32_t mask) {
  return static_cast<unsigned>(llvm::countr_zero(mask));
}

} // namespace

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)

OPERATION(executeNop) {
  (void)w;
  (void)i;
}
OPERATION(executeYield) {
  (void)i;
  w.yielded = true;
  ++w.spins;
}
OPERATION(executeSetmaxreg) {
  w.putMask(i.ops[0], kAllLanes);
}

OPERATION(executeBra) {
  jump(w, w.active & w.getMask(i.ops[0]), i.ops[1].value);
}

// All lanes branch when one of them holds.
OPERATION(executeBraAny) {
  if (w.active & w.getMask(i.ops[0]))
    jump(w, w.issue, i.ops[1].value);
}

// DIV: some lane of the mask is elsewhere; CONV: all are here.
OPERATION(executeBraMask) {
  const bool divergent = i.mods[0] == 2;
  uint32_t mask = w.uniform(i.ops[0]);
  if (i.mods[1])
    mask = ~mask;
  const bool together = (mask & w.live) == (w.issue & mask);
  if (together != divergent)
    jump(w, w.active & w.getMask(i.ops[1]), i.ops[2].value);
}

OPERATION(executeBssy) {
  const uint32_t lanes = w.active & w.getMask(i.ops[0]);
  for (unsigned l = 0; l < kLanes; ++l)
    if (lanes >> l & 1)
      w.b[i.ops[1].index][l] = lanes;
}

// Lanes that came here together, but from different places, wait for different ones.
OPERATION(executeBsync) {
  uint32_t lanes = w.active & w.getMask(i.ops[0]);
  const uint32_t *barrier = w.b[i.ops[1].index];
  while (lanes) {
    uint32_t together = 0;
    for (unsigned l = firstLane(lanes); l < kLanes; ++l)
      if ((lanes >> l & 1) && !((barrier[l] ^ barrier[firstLane(lanes)]) & w.live))
        together |= 1u << l;
    w.wait(together, Split::ConvergenceBarrier, i.ops[1].index);
    lanes &= ~together;
  }
}

OPERATION(executeBreak) {
  const uint32_t lanes = w.active & w.getMask(i.ops[0]);
  uint32_t *barrier = w.b[i.ops[1].index];
  if (!lanes)
    return;
  const uint32_t members = barrier[firstLane(lanes)];
  for (unsigned l = 0; l < kLanes; ++l)
    if (members >> l & 1)
      barrier[l] &= ~lanes;
}

OPERATION(executeBmovToRegister) {
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = w.b[i.ops[1].index][l];
  w.put(i.ops[0], out);
  if (i.mods[0])
    for (unsigned l = 0; l < kLanes; ++l)
      if (w.active >> l & 1)
        w.b[i.ops[1].index][l] = 0;
}

OPERATION(executeBmovToBarrier) {
  const Lanes value = w.get(i.ops[1]);
  for (unsigned l = 0; l < kLanes; ++l)
    if (w.active >> l & 1)
      w.b[i.ops[0].index][l] = value.v[l];
}

OPERATION(executeBmovBetween) {
  for (unsigned l = 0; l < kLanes; ++l)
    if (w.active >> l & 1)
      w.b[i.ops[0].index][l] = std::exchange(w.b[i.ops[1].index][l], 0);
}

OPERATION(executeWarpsync) {
  const Lanes mask = w.get(i.ops[0]);
  w.wait(w.active & w.getMask(i.ops[1]), Split::WarpSync, mask.v[firstLane(w.active)]);
}
OPERATION(executeWarpsyncAll) {
  w.wait(w.active & w.getMask(i.ops[0]), Split::WarpSync, kAllLanes);
}
OPERATION(executeWarpsyncCollective) {
  executeWarpsync(w, i);
}

OPERATION(executeCallAbsolute) {
  // All lanes call the same function; what it does is done lane by lane.
  const unsigned l = firstLane(w.active);
  Operand address = i.ops[0];
  address.kind = Operand::Register;
  w.machine->callRuntime(w, w.get64(address).v[l]);
}

OPERATION(executeRet) {
  const uint32_t lanes = w.active & w.getMask(i.ops[1]);
  if (!lanes)
    return;
  const Lanes offset = w.get(i.ops[0]);
  // Lanes that return to another place stay here and return in their turn.
  const unsigned l = firstLane(lanes);
  uint32_t together = 0;
  for (unsigned k = 0; k < kLanes; ++k)
    if ((lanes >> k & 1) && offset.v[k] == offset.v[l])
      together |= 1u << k;
  jump(w, together, i.ops[2].value + static_cast<int32_t>(offset.v[l]));
  if (together != lanes)
    w.splits.push_back({w.splits[w.current].pc, lanes & ~together, Split::Ready, 0});
  w.splits[w.current].mask &= ~(lanes & ~together);
  w.issue &= ~(lanes & ~together);
}

OPERATION(executeLepc) {
  Lanes64 out;
  std::fill(out.v, out.v + kLanes, uint64_t{i.offset});
  w.put64(i.ops[0], out);
}
OPERATION(executeLepcTarget) {
  Lanes64 out;
  std::fill(out.v, out.v + kLanes, static_cast<uint64_t>(i.ops[1].value));
  w.put64(i.ops[0], out);
}

OPERATION(executeExit) {
  w.exitLanes(w.active & w.getMask(i.ops[0]));
}

/// The text of an assertion is printed before its trap: the last line goes into the message.
OPERATION(executeTrap) {
  (void)i;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(w.machine->report.printed).split(lines, '\n', -1, /*KeepEmpty=*/false);
  w.fault(Report::Trapped,
          lines.empty() ? "the kernel trapped" : ("the kernel trapped: " + lines.back()).str());
}

// ---- between lanes ----

OPERATION(executeShfl) {
  const Lanes value = w.get(i.ops[2]), select = w.get(i.ops[3]), clamp = w.get(i.ops[4]);
  Lanes out = value;
  uint32_t inRange = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    const unsigned c = clamp.v[l] & 31, segment = clamp.v[l] >> 8 & 31, lane = select.v[l] & 31;
    const unsigned highest = (l & segment) | (c & ~segment), lowest = l & segment;
    int source = 0;
    bool valid = false;
    switch (i.mods[0]) {
    case 0:
      source = static_cast<int>(lowest | (lane & ~segment));
      valid = source <= static_cast<int>(highest);
      break;
    case 1:
      source = static_cast<int>(l) - static_cast<int>(lane);
      valid = source >= static_cast<int>(highest);
      break;
    case 2:
      source = static_cast<int>(l + lane);
      valid = source <= static_cast<int>(highest);
      break;
    default:
      source = static_cast<int>(l ^ lane);
      valid = source <= static_cast<int>(highest);
    }
    if (valid)
      inRange |= 1u << l;
    out.v[l] = value.v[valid ? source & 31 : static_cast<int>(l)];
  }
  w.putMask(i.ops[0], inRange);
  w.put(i.ops[1], out);
}

OPERATION(executeVote) {
  const uint32_t votes = w.getMask(i.ops[2]) & w.active;
  const bool result = i.mods[0] == 0   ? votes == w.active
                      : i.mods[0] == 1 ? votes != 0
                                       : votes == 0 || votes == w.active;
  Lanes out;
  std::fill(out.v, out.v + kLanes, votes);
  w.put(i.ops[0], out);
  w.putMask(i.ops[1], result ? kAllLanes : 0);
}

/// Of each lane the active lanes that hold the same value.
static Lanes lanesAlike(Warp &w, const Operand &op, bool isWide) {
  const Lanes64 value = w.get64(op);
  const uint64_t mask = isWide ? ~uint64_t{0} : 0xffffffff;
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = 0;
    for (unsigned k = 0; k < kLanes; ++k)
      if ((w.active >> k & 1) && !((value.v[k] ^ value.v[l]) & mask))
        out.v[l] |= 1u << k;
  }
  return out;
}

OPERATION(executeMatchAll) {
  const Lanes alike = lanesAlike(w, i.ops[2], i.mods[0]);
  const bool all = !w.active || alike.v[llvm::countr_zero(w.active)] == w.active;
  Lanes out;
  std::fill(out.v, out.v + kLanes, all ? w.active : 0);
  w.putMask(i.ops[0], all ? kAllLanes : 0);
  w.put(i.ops[1], out);
}
OPERATION(executeMatchAny) {
  w.put(i.ops[0], lanesAlike(w, i.ops[1], i.mods[0]));
}

OPERATION(executeRedux) {
  const Lanes value = w.get(i.ops[1]);
  const bool isSigned = i.mods[1];
  bool first = true;
  uint32_t result = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!(w.active >> l & 1))
      continue;
    const uint32_t v = value.v[l];
    const bool less =
        isSigned ? static_cast<int32_t>(v) < static_cast<int32_t>(result) : v < result;
    switch (i.mods[0]) {
    case 0:
      result = first ? v : result & v;
      break;
    case 1:
      result |= v;
      break;
    case 2:
      result ^= v;
      break;
    case 3:
      result += v;
      break;
    case 4:
      result = first || less ? v : result;
      break;
    default:
      result = first || !less ? v : result;
    }
    first = false;
  }
  w.putUniform(i.ops[0].index, result);
}

OPERATION(executeR2UR) {
  w.putUniform(i.ops[0].index, w.get(i.ops[1]).v[firstLane(w.active)]);
}

// Heads of loops in which lanes take turns: the predicate is true in lanes that hold another value than the one taken; `.OR`: or
// that were so before. A turn serves all lanes that agree, so that only what may be done once for several begins like this.
OPERATION(executeR2URDiffers) {
  const Lanes value = w.get(i.ops[2]);
  const uint32_t taken = value.v[firstLane(w.active)];
  uint32_t others = i.mods[0] ? w.getMask(i.ops[0]) : 0;
  for (unsigned l = 0; l < kLanes; ++l)
    if (value.v[l] != taken)
      others |= 1u << l;
  w.putUniform(i.ops[1].index, taken);
  w.putMask(i.ops[0], others);
}

// Of floats -0 is below +0, and a NaN is passed over unless it is asked for.
OPERATION(executeCredux) {
  const Lanes value = w.get(i.ops[1]);
  const bool minimum = i.mods[0], isFloat = i.mods[1] == 2;
  bool first = true, sawNan = false;
  uint32_t best = 0;
  auto isNan = [](uint32_t v) { return (v & 0x7fffffff) > 0x7f800000; };
  // Bits of floats in the order of the numbers.
  auto key = [&](uint32_t v) {
    if (i.mods[1] == 0)
      return int64_t{v};
    const auto bits = static_cast<int32_t>(v);
    return int64_t{isFloat && bits < 0 ? bits ^ 0x7fffffff : bits};
  };
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!(w.active >> l & 1))
      continue;
    const uint32_t v = value.v[l];
    if (isFloat && isNan(v)) {
      sawNan = true;
      continue;
    }
    if (first || (minimum ? key(v) < key(best) : key(v) > key(best)))
      best = v;
    first = false;
  }
  if (sawNan && (first || i.mods[2]))
    best = 0x7fffffff;
  w.putUniform(i.ops[0].index, best);
}

OPERATION(executeRpcmovTo) {
  const Lanes value = w.get(i.ops[0]);
  for (unsigned l = 0; l < kLanes; ++l)
    if (w.active >> l & 1)
      w.returnPc[l] = value.v[l];
}
OPERATION(executeRpcmovFrom) {
  Lanes out;
  std::copy(w.returnPc, w.returnPc + kLanes, out.v);
  w.put(i.ops[0], out);
}

OPERATION(executeElect) {
  const uint32_t candidates = w.active & w.getMask(i.ops[2]);
  const unsigned l = candidates ? firstLane(candidates) : 0;
  w.putMask(i.ops[0], candidates ? 1u << l : 0);
  w.putUniform(i.ops[1].index, l);
}

// ---- special registers ----

OPERATION(executeS2R) {
  Lanes out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = w.machine->specialRegister(w, static_cast<unsigned>(i.ops[1].value), l);
  if (i.ops[0].kind == Operand::Uniform)
    out.v[0] = out.v[firstLane(w.active)];
  w.put(i.ops[0], out);
}

OPERATION(executeCs2r) {
  if (!i.mods[0])
    return executeS2R(w, i);
  const auto number = static_cast<unsigned>(i.ops[1].value);
  Lanes64 out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = w.machine->specialRegister(w, number, l) |
               (number == 255 ? 0 : uint64_t{w.machine->specialRegister(w, number + 1, l)} << 32);
  w.put64(i.ops[0], out);
}

#undef OPERATION

llvm::StringRef specialRegisterName(uint8_t number) {
  switch (number) {
  case 0x00:
    return "SR_LANEID";
  case 0x02:
    return "SR_VIRTCFG";
  case 0x03:
    return "SR_VIRTID";
  case 0x21:
    return "SR_TID.X";
  case 0x22:
    return "SR_TID.Y";
  case 0x23:
    return "SR_TID.Z";
  case 0x25:
    return "SR_CTAID.X";
  case 0x26:
    return "SR_CTAID.Y";
  case 0x27:
    return "SR_CTAID.Z";
  case 0x2f:
    return "SR_SWINHI";
  case 0x32:
    return "SR_SMEMSZ";
  case 0x37:
    return "SR_LMEMHIOFF";
  case 0x38:
    return "SR_EQMASK";
  case 0x39:
    return "SR_LTMASK";
  case 0x3a:
    return "SR_LEMASK";
  case 0x3b:
    return "SR_GTMASK";
  case 0x3c:
    return "SR_GEMASK";
  case 0x43:
    return "SR_VIRTUALSMID";
  case 0x50:
    return "SR_CLOCKLO";
  case 0x51:
    return "SR_CLOCKHI";
  case 0x52:
    return "SR_GLOBALTIMERLO";
  case 0x53:
    return "SR_GLOBALTIMERHI";
  case 0x88:
    return "SR_CgaCtaId";
  case 0x8a:
    return "SR_CgaSize";
  case 0xff:
    return "SRZ";
  default:
    return "";
  }
}

uint32_t Machine::specialRegister(const Warp &warp, unsigned number, unsigned lane) const {
  const Block &block = *warp.block;
  const uint32_t tid = warp.index * kLanes + lane;
  switch (number) {
  case 0x00:
    return lane;
  case 0x02:
    return 64 << 8;
  case 0x03:
    return warp.index << 8;
  case 0x21:
    return tid % blockShape[0];
  case 0x22:
    return tid / blockShape[0] % blockShape[1];
  case 0x23:
    return tid / (blockShape[0] * blockShape[1]);
  case 0x25:
  case 0x26:
  case 0x27:
    return block.id[number - 0x25];
  case 0x2f:
    return static_cast<uint32_t>(kSharedWindow >> 32);
  case 0x32:
    return sharedBytes;
  case 0x37: // the stack must not come below it
    return 0;
  case 0x38:
    return 1u << lane;
  case 0x39:
    return (1u << lane) - 1;
  case 0x3a:
    return (2u << lane) - 1;
  case 0x3b:
    return ~((2u << lane) - 1);
  case 0x3c:
    return ~((1u << lane) - 1);
  case 0x43:
    return block.multiprocessor;
  case 0x50:
    return static_cast<uint32_t>(clock);
  case 0x51:
    return static_cast<uint32_t>(clock >> 32);
  case 0x52: // a step is 1 us: code that waits for half a millisecond gets there
    return static_cast<uint32_t>(clock * 1000);
  case 0x53:
    return static_cast<uint32_t>(clock * 1000 >> 32);
  case 0x88:
    return block.rank;
  default:
    return 0; // decoding has refused what has no name
  }
}

} // namespace tilesmith::sass
