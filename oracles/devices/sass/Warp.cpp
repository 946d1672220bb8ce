//===- Warp.cpp - registers, operands, and the lanes of a warp in step ------------------------===//
#include "oracles/devices/sass/Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace tilesmith::sass;

namespace {

Lanes fill(uint32_t value) {
  Lanes out;
  std::fill(out.v, out.v + kLanes, value);
  return out;
}

} // namespace

// ---- operands ----

Lanes Warp::get(const Operand &op) const {
  Lanes out;
  switch (op.kind) {
  case Operand::Register:
    std::memcpy(out.v, r[op.index], sizeof out.v);
    return out;
  case Operand::Uniform:
    return fill(u[op.index]);
  case Operand::Immediate:
    return fill(static_cast<uint32_t>(op.value));
  case Operand::Constant: {
    if (op.index == kRZ || op.uniformIndex)
      return fill(static_cast<uint32_t>(machine->constant(
          op.bank, static_cast<uint32_t>(op.value) + (op.index == kRZ ? 0 : u[op.index]), 4)));
    for (unsigned l = 0; l < kLanes; ++l)
      out.v[l] = static_cast<uint32_t>(
          machine->constant(op.bank, r[op.index][l] + static_cast<uint32_t>(op.value), 4));
    return out;
  }
  default:
    return fill(0);
  }
}

Lanes Warp::getInt(const Operand &op) const {
  Lanes out = get(op);
  if (op.negative)
    for (uint32_t &v : out.v)
      v = 0 - v;
  return out;
}

Lanes Warp::getBits(const Operand &op) const {
  Lanes out = get(op);
  if (op.negative)
    for (uint32_t &v : out.v)
      v = ~v;
  return out;
}

Lanes Warp::getFloat(const Operand &op) const {
  Lanes out = get(op);
  if (op.absolute)
    for (uint32_t &v : out.v)
      v &= 0x7fffffff;
  if (op.negative)
    for (uint32_t &v : out.v)
      v ^= 0x80000000;
  return out;
}

Lanes64 Warp::get64(const Operand &op) const {
  Lanes64 out;
  for (unsigned l = 0; l < kLanes; ++l)
    switch (op.kind) {
    case Operand::Register:
      out.v[l] = op.index == kRZ ? 0 : r[op.index][l] | uint64_t{r[(op.index + 1) & 255][l]} << 32;
      break;
    case Operand::Uniform:
      out.v[l] = uniform64(op.index);
      break;
    case Operand::Immediate:
      out.v[l] = static_cast<uint64_t>(op.value) << 32;
      break;
    case Operand::Constant:
      out.v[l] =
          machine->constant(op.bank,
                            static_cast<uint32_t>(op.value) + (op.index == kRZ   ? 0
                                                               : op.uniformIndex ? u[op.index]
                                                                                 : r[op.index][l]),
                            8);
      break;
    default:
      out.v[l] = 0;
    }
  return out;
}

Lanes64 Warp::getWide(const Operand &op) const {
  if (op.kind != Operand::Immediate)
    return get64(op);
  Lanes64 out;
  std::fill(out.v, out.v + kLanes, static_cast<uint64_t>(int64_t{static_cast<int32_t>(op.value)}));
  return out;
}

Lanes64 Warp::getDouble(const Operand &op) const {
  Lanes64 out = get64(op);
  constexpr uint64_t kSign = uint64_t{1} << 63;
  if (op.absolute)
    for (uint64_t &v : out.v)
      v &= ~kSign;
  if (op.negative)
    for (uint64_t &v : out.v)
      v ^= kSign;
  return out;
}

uint32_t Warp::getMask(const Operand &op) const {
  const uint32_t mask = op.kind == Operand::UniformPredicate ? up[op.index] : p[op.index];
  return op.negative ? ~mask : mask;
}

void Warp::put(const Operand &op, const Lanes &value) {
  if (op.index == kRZ)
    return;
  if (op.kind == Operand::Uniform) {
    u[op.index] = value.v[0];
    return;
  }
  uint32_t *out = r[op.index];
  if (active == kAllLanes) {
    std::memcpy(out, value.v, sizeof value.v);
    return;
  }
  for (unsigned l = 0; l < kLanes; ++l)
    out[l] = active >> l & 1 ? value.v[l] : out[l];
}

void Warp::put64(const Operand &op, const Lanes64 &value) {
  if (op.index == kRZ)
    return;
  if (op.kind == Operand::Uniform) {
    u[op.index] = static_cast<uint32_t>(value.v[0]);
    putUniform((op.index + 1) & 255, static_cast<uint32_t>(value.v[0] >> 32));
    return;
  }
  const unsigned high = op.index + 1;
  for (unsigned l = 0; l < kLanes; ++l)
    if (active >> l & 1) {
      r[op.index][l] = static_cast<uint32_t>(value.v[l]);
      if (high != kRZ)
        r[high][l] = static_cast<uint32_t>(value.v[l] >> 32);
    }
}

void Warp::putMask(const Operand &op, uint32_t mask) {
  if (op.index == kPT)
    return;
  if (op.kind == Operand::UniformPredicate)
    up[op.index] = mask & 1 ? kAllLanes : 0;
  else
    p[op.index] = (p[op.index] & ~active) | (mask & active);
}

uint64_t Warp::address64(const Operand &op, unsigned l) const {
  const uint64_t base =
      op.index == kRZ ? 0 : r[op.index][l] | uint64_t{r[(op.index + 1) & 255][l]} << 32;
  return base + static_cast<uint64_t>(op.value);
}

uint32_t Warp::address32(const Operand &op, unsigned l) const {
  return (op.index == kRZ ? 0 : r[op.index][l] << op.scale) +
         (op.uniform == kURZ ? 0 : u[op.uniform]) + static_cast<uint32_t>(op.value);
}

// ---- lanes ----

bool Warp::runnable() const {
  return llvm::any_of(splits, [](const Split &s) { return s.wait == Split::Ready; });
}

void Warp::fault(Report::Status status, std::string message) {
  if (machine->stopped)
    return;
  machine->stopped = true;
  Report &report = machine->report;
  report.status = status;
  const Instruction *at =
      current < splits.size() && splits[current].pc < machine->kernel.code.size()
          ? &machine->kernel.code[splits[current].pc]
          : nullptr;
  report.message =
      llvm::formatv("{0} (kernel '{1}', block ({2},{3},{4}), warp {5}, at {6:x4}{7}{8})", message,
                    machine->kernel.kernel->name, block->id[0], block->id[1], block->id[2], index,
                    current < splits.size() ? splits[current].pc * 16 : 0,
                    at && at->row ? ": " : "", at && at->row ? print(*at) : "");
}

void Warp::wait(uint32_t lanes, Split::Wait kind, uint32_t object) {
  lanes &= splits[current].mask;
  if (!lanes)
    return;
  Split waiting{splits[current].pc + 1, lanes, kind, object};
  splits[current].mask &= ~lanes;
  issue &= ~lanes;
  splits.push_back(waiting);
}

void Warp::exitLanes(uint32_t lanes) {
  lanes &= live;
  live &= ~lanes;
  block->liveLanes -= static_cast<unsigned>(llvm::popcount(lanes));
  for (Split &split : splits)
    split.mask &= ~lanes;
  issue &= ~lanes;
  if (block->finished() && block->tensor && block->tensor->units)
    return fault(Report::Fault, "the block ends with columns of tensor memory allocated");
  releaseBlockBarriers(*block);
  releaseClusterBarrier(*block->cluster);
}

// Lanes whose barrier is complete become runnable; lanes that have exited count as arrived.
void Warp::releaseSplits() {
  uint32_t atSync = 0, complete = 0;
  for (const Split &split : splits)
    if (split.wait == Split::WarpSync)
      atSync |= split.mask;
  for (const Split &split : splits)
    if ((split.wait == Split::ConvergenceBarrier && allArrivedFor(split)) ||
        (split.wait == Split::WarpSync && !(split.object & live & ~atSync)))
      complete |= split.mask;
  for (Split &split : splits)
    if (split.mask & complete)
      split.wait = Split::Ready;
}

// Two groups may use a barrier at once, one of them in a function that has saved it and will restore it: those wait for each
// other whose masks name each other.
bool Warp::allArrivedFor(const Split &split) const {
  auto membersOf = [&](const Split &some) {
    return some.mask ? b[some.object & 15][llvm::countr_zero(some.mask)] & live : 0;
  };
  uint32_t arrived = 0;
  for (const Split &other : splits)
    if (other.wait == Split::ConvergenceBarrier && other.object == split.object &&
        !(split.mask & ~membersOf(other)))
      arrived |= other.mask;
  return !(membersOf(split) & ~arrived);
}

// The runnable split with the lowest pc; splits at one pc are joined.
bool Warp::pick() {
  llvm::erase_if(splits, [](const Split &s) { return !s.mask; });
  size_t best = splits.size();
  const bool highest = spins > 64; // somebody below spins: let the others come on
  for (size_t i = 0; i < splits.size(); ++i)
    if (splits[i].wait == Split::Ready &&
        (best == splits.size() ||
         (highest ? splits[i].pc > splits[best].pc : splits[i].pc < splits[best].pc)))
      best = i;
  if (best == splits.size())
    return false;
  if (highest && splits.size() > 1)
    spins = 0;
  for (size_t i = splits.size(); i-- > 0;)
    if (i != best && splits[i].wait == Split::Ready && splits[i].pc == splits[best].pc) {
      splits[best].mask |= splits[i].mask;
      splits.erase(splits.begin() + i);
      if (i < best)
        --best;
    }
  current = best;
  return true;
}

uint64_t Warp::run(uint64_t slice) {
  uint64_t steps = 0, laneSteps = 0, stallSteps = 0, issueSteps = 0, yieldSteps = 0;
  const std::vector<Instruction> &code = machine->kernel.code;
  yielded = false;
  while (steps < slice && !machine->stopped && !yielded) {
    if (splits.size() != 1 || splits[0].wait != Split::Ready || !splits[0].mask) {
      if (!pick())
        break;
    } else {
      current = 0;
    }
    const uint32_t pc = splits[current].pc;
    if (pc >= code.size()) {
      fault(Report::Fault, "ran over the end of the code");
      break;
    }
    const Instruction &i = code[pc];
    if (!i.execute) {
      auto why = machine->kernel.unsupported.find(pc);
      fault(Report::Unsupported,
            why == machine->kernel.unsupported.end() ? "unsupported instruction" : why->second);
      break;
    }
    issue = splits[current].mask;
    const uint32_t guard = i.uniformGuard ? up[i.guard] : p[i.guard];
    active = issue & (i.guardNegative ? ~guard : guard);
    redirect = 0;
    ++steps;
    if (!scoreboards.idle())
      if (const std::string why = scoreboards.begin(machine->kernel.footprints, pc, active);
          !why.empty()) {
        fault(Report::Fault, why);
        break;
      }
    const Footprint &footprint = machine->kernel.footprints[pc];
    ++machine->report.counters.byPipe[static_cast<size_t>(footprint.pipe)];
    stallSteps += footprint.stall;
    issueSteps += std::max<uint64_t>(footprint.stall, 1);
    yieldSteps += footprint.yield;
    scoreboards.issued(machine->kernel.footprints, pc, active);
    if (active) {
      laneSteps += static_cast<unsigned>(llvm::popcount(active));
      i.execute(*this, i);
    }
    finishStep();
  }
  Counters &counters = machine->report.counters;
  counters.instructions += steps;
  counters.laneInstructions += laneSteps;
  counters.stallCycles += stallSteps;
  counters.issueCycles += issueSteps;
  counters.yields += yieldSteps;
  issueCycles += issueSteps;
  counters.longestWarp = std::max(counters.longestWarp, issueCycles);
  machine->clock += steps;
  return steps;
}

void Warp::finishStep() {
  const uint32_t pc = splits[current].pc;
  redirect &= issue;
  if (redirect && target <= pc)
    ++spins;
  if (splits.size() == 1 && redirect == issue && issue) {
    splits[0].pc = target;
    return;
  }
  const uint32_t goesOn = issue & ~redirect;
  if (redirect && goesOn) {
    splits[current].mask = goesOn;
    splits[current].pc = pc + 1;
    splits.push_back({target, redirect, Split::Ready, 0});
  } else if (redirect) {
    splits[current].pc = target;
  } else {
    splits[current].pc = pc + 1;
  }
  if (splits.size() > 1 || splits[0].wait != Split::Ready)
    releaseSplits();
}

// ---- asynchronous copies ----

void Warp::land(const std::vector<PendingCopy> &group) {
  for (const PendingCopy &copy : group) {
    uint8_t *to = machine->shared(*this, copy.shared, copy.bytes, "asynchronous copy to");
    if (!to)
      return;
    const uint8_t *from = machine->copySource(*this, 0, copy);
    if (!from)
      return;
    machine->report.counters.asyncBytes += copy.bytes;
    std::memcpy(to, from, copy.valid);
    std::memset(to + copy.valid, 0, copy.bytes - copy.valid);
  }
}

void Warp::landGroups(size_t remaining) {
  while (groups.size() > remaining) {
    land(groups.front());
    groups.pop_front();
  }
}

void Warp::landAll() {
  landGroups(0);
  land(openGroup);
  openGroup.clear();
}
