//===- Scoreboard.cpp - what instructions read and write, and what is due (see Scoreboard.h) --===//
#include "oracles/devices/sass/Scoreboard.h"

#include "oracles/devices/sass/Execute.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith::sass;

namespace {

constexpr uint8_t kNone = 7;

std::string nameOf(int bit) {
  const auto number = static_cast<unsigned>(bit);
  if (number >= RegisterSet::kUniformPredicate)
    return "UP" + std::to_string(number - RegisterSet::kUniformPredicate);
  if (number >= RegisterSet::kPredicate)
    return "P" + std::to_string(number - RegisterSet::kPredicate);
  if (number >= RegisterSet::kUniform)
    return "UR" + std::to_string(number - RegisterSet::kUniform);
  return "R" + std::to_string(number);
}

void addRegisters(RegisterSet &set, bool uniform, unsigned first, unsigned count) {
  const unsigned zero = uniform ? kURZ : kRZ;
  for (unsigned n = 0; first != zero && n < count && first + n < zero; ++n)
    set.add((uniform ? RegisterSet::kUniform : 0) + first + n);
}
void addPredicate(RegisterSet &set, bool uniform, unsigned index) {
  if (index != kPT)
    set.add((uniform ? RegisterSet::kUniformPredicate : RegisterSet::kPredicate) + index);
}

/// Registers of what a load leaves or a store takes; 1 where the form does not say.
unsigned dataRegisters(const Instruction &i) {
  const llvm::StringRef name = i.row->name;
  if (name.starts_with("LDTM") || name == "STTM") {
    const llvm::StringRef shape = i.row->tokens.front().names[i.mods[0]];
    return (shape == "16dp128bit" ? 2u : shape == "16dp256bit" ? 4u : 1u) << i.mods[1];
  }
  if (name == "LDSM.16" || name == "STSM.16")
    return 1u << i.mods[1];
  if (name == "LDSM.8")
    return 2u << i.mods[1];
  static constexpr llvm::StringLiteral kByWidth[] = {"LDG.E", "LD.E", "ST.E", "STG.E", "LDS", "STS",
                                                     "LDL",   "STL",  "LDC",  "ULDC",  "LDCU"};
  if (llvm::is_contained(kByWidth, name))
    return i.mods[0] == 6 ? 4 : i.mods[0] == 5 ? 2 : 1;
  return 1;
}

constexpr uint8_t kShared = 1, kGlobal = 2, kDouble = 7, kDoubleMatrix = 8, kByteMatrix = 9;

/// Which reads its sources in order; 0: not known.
uint8_t queueOf(llvm::StringRef name, uint8_t unit) {
  static constexpr llvm::StringLiteral kDoubles[] = {"DADD", "DMUL", "DFMA", "DSETP"};
  const bool isMemory =
      name.starts_with("REDG") || name.starts_with("RED.") || name.starts_with("LDGSTS");
  return unit == kShared || isMemory          ? kGlobal // memory operations are one queue
         : llvm::is_contained(kDoubles, name) ? kDouble
         : name.starts_with("DMMA")           ? kDoubleMatrix
         : name == "IMMA"                     ? kByteMatrix // sm_103; elsewhere of fixed latency
                                              : unit;
}

/// Where results take a while that only a scoreboard tells; 0: elsewhere.
uint8_t unitOf(llvm::StringRef name) {
  return llvm::StringSwitch<uint8_t>(name)
      .Cases({"LDS", "LDSM.16", "LDSM.8", "STS", "STSM.16", "SHFL"}, kShared)
      .Cases({"LDG.E", "LD.E", "LDL", "STG.E", "ST.E", "STL"}, kGlobal)
      .Case("LDC", 3)
      .Cases({"MUFU", "I2F", "F2I", "F2F", "FCHK", "FRND", "POPC", "FLO", "BREV"}, 4)
      .Case("S2R", 5)
      .StartsWith("LDTM", 6)
      .StartsWith("ATOMS", kShared)
      .StartsWith("ATOM", kGlobal)
      .Default(0);
}

/// By what the name begins with; integer arithmetic, logic, moves and comparisons are the rest.
Pipe pipeOf(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, Pipe> kBegins[] = {
      {"UTC", Pipe::Tensor},      {"HMMA", Pipe::Tensor},     {"IMMA", Pipe::Tensor},
      {"DMMA", Pipe::Tensor},     {"QMMA", Pipe::Tensor},     {"HGMMA", Pipe::Tensor},
      {"QGMMA", Pipe::Tensor},    {"IGMMA", Pipe::Tensor},    {"LDTM", Pipe::Tensor},
      {"STTM", Pipe::Tensor},     {"UTMA", Pipe::Global},     {"UBLK", Pipe::Global},
      {"UCGABAR", Pipe::Control}, {"USETMAX", Pipe::Control}, {"LDGSTS", Pipe::Global},
      {"LDGDEP", Pipe::Control},  {"LDG", Pipe::Global},      {"STG", Pipe::Global},
      {"LD.E", Pipe::Global},     {"ST.E", Pipe::Global},     {"LDL", Pipe::Global},
      {"STL", Pipe::Global},      {"ATOMS", Pipe::Shared},    {"ATOM", Pipe::Global},
      {"RED.", Pipe::Global},     {"REDG", Pipe::Global},     {"LDS", Pipe::Shared},
      {"STS", Pipe::Shared},      {"STAS", Pipe::Shared},     {"SYNCS", Pipe::Shared},
      {"USYNCS", Pipe::Shared},   {"SHFL", Pipe::Shared},     {"LDC", Pipe::Uniform},
      {"S2UR", Pipe::Uniform},    {"R2UR", Pipe::Uniform},    {"MUFU", Pipe::Special},
      {"I2F", Pipe::Special},     {"F2I", Pipe::Special},     {"F2F", Pipe::Special},
      {"FRND", Pipe::Special},    {"POPC", Pipe::Special},    {"FLO", Pipe::Special},
      {"BREV", Pipe::Special},    {"S2R", Pipe::Special},     {"DADD", Pipe::Double},
      {"DMUL", Pipe::Double},     {"DFMA", Pipe::Double},     {"DSETP", Pipe::Double},
      {"IMAD", Pipe::Fma},        {"FFMA", Pipe::Fma},        {"FMUL", Pipe::Fma},
      {"FADD", Pipe::Fma},        {"HFMA", Pipe::Fma},        {"HMUL", Pipe::Fma},
      {"HADD", Pipe::Fma},        {"BAR", Pipe::Control},     {"BRA", Pipe::Control},
      {"BRX", Pipe::Control},     {"BSSY", Pipe::Control},    {"BSYNC", Pipe::Control},
      {"BREAK", Pipe::Control},   {"CALL", Pipe::Control},    {"RET", Pipe::Control},
      {"EXIT", Pipe::Control},    {"NOP", Pipe::Control},     {"WARPSYNC", Pipe::Control},
      {"DEPBAR", Pipe::Control},  {"MEMBAR", Pipe::Control},  {"NANOSLEEP", Pipe::Control},
      {"YIELD", Pipe::Control},   {"U", Pipe::Uniform}};
  if (name.starts_with("F2FP") || name.starts_with("I2FP")) // conversions at the rate of additions
    return Pipe::Alu;
  for (const auto &[begin, pipe] : kBegins)
    if (name.starts_with(begin))
      return pipe;
  return Pipe::Alu;
}

} // namespace

int RegisterSet::common(const RegisterSet &other) const {
  for (size_t n = 0; n < words.size(); ++n)
    if (const uint64_t both = words[n] & other.words[n])
      return static_cast<int>(64 * n) + llvm::countr_zero(both);
  return -1;
}

Footprint tilesmith::sass::footprintOf(const Instruction &i) {
  Footprint f;
  f.waits = i.control.waitMask;
  f.pipe = pipeOf(i.row->name);
  f.stall = i.control.stall;
  f.yield = i.control.yield;
  f.writeBoard = i.control.writeBarrier, f.readBoard = i.control.readBarrier;
  f.unit = i.control.stall ? unitOf(i.row->name) : 0;
  f.queue = queueOf(i.row->name, f.unit);
  if (i.row->name.starts_with("DEPBAR"))
    f.waits |= i.mods[0];
  if (i.row->execute == executeDepbar)
    f.drained = static_cast<uint8_t>(i.ops[0].value),
    f.remaining = static_cast<uint8_t>(i.ops[1].value);
  addPredicate(f.reads, i.uniformGuard, i.guard);
  const unsigned data = dataRegisters(i);
  unsigned number = 0;
  for (const Token &token : i.row->tokens) {
    if (token.kind != Token::Source && token.kind != Token::Plain)
      continue;
    const Operand &op = i.ops[number++];
    const bool uniform = op.kind == Operand::Uniform || op.kind == Operand::UniformPredicate;
    switch (op.kind) {
    case Operand::Register:
    case Operand::Uniform: {
      const bool isStatistic = token.bit == 24 && i.row->name == "LDTM.STAT";
      const bool target = token.kind == Token::Plain && (token.bit == 16 || isStatistic);
      const bool stored = token.kind == Token::Plain && !target && !i.row->name.starts_with("L");
      addRegisters(target ? f.writes : f.reads, uniform, op.index,
                   isStatistic        ? 1
                   : target || stored ? data
                   : op.type == 'd'   ? 2
                                      : 1);
      break;
    }
    case Operand::Predicate:
    case Operand::UniformPredicate:
      addPredicate(token.slot == 'P' || token.slot == 'V' ? f.writes : f.reads, uniform, op.index);
      break;
    case Operand::Constant:
      addRegisters(f.reads, op.uniformIndex, op.index, 1);
      break;
    case Operand::Address:
      addRegisters(f.reads, false, op.index,
                   i.row->execute == executeLoadGlobal || i.row->execute == executeStoreGlobal ? 2
                                                                                               : 1);
      addRegisters(f.reads, true, op.uniform, 1);
      break;
    default:
      break;
    }
  }
  // Whether an address is global is known when it has been read, long before what was there.
  if (i.row->name.starts_with("ATOM.") && f.readBoard != kNone)
    if (const unsigned told = i.ops[0].index; told != kPT) {
      f.writes.words[RegisterSet::kPredicate / 64] &=
          ~(uint64_t{1} << (RegisterSet::kPredicate + told) % 64);
      addPredicate(f.readyWithReads, false, told);
    }
  // Outside of the uniform datapath uniform registers and the guard are read at once.
  f.lateReads = f.reads;
  const bool uniform = i.row->name.starts_with("U");
  for (size_t n = uniform ? 8 : 4; n < f.lateReads.words.size(); ++n)
    f.lateReads.words[n] = 0;
  if (i.row->name == "LDTM" &&
      llvm::StringRef(i.row->tokens.front().names[i.mods[0]]).contains("_t"))
    f.writes = {}; // two of them, each for half of the lanes, leave one register
  return f;
}

void Scoreboards::refresh(const std::vector<Footprint> &code) {
  written = read = {};
  for (const Pending &p : pending)
    if (p.read)
      read.add(code[p.pc].lateReads), written.add(code[p.pc].readyWithReads);
    else
      written.add(code[p.pc].writes);
}

std::string Scoreboards::begin(const std::vector<Footprint> &code, uint32_t pc, uint32_t lanes) {
  const Footprint &f = code[pc];
  const size_t before = pending.size();
  if (f.waits) {
    llvm::SmallDenseSet<uint64_t> done;
    std::array<uint64_t, 8> last{}; // of each unit, what is done
    for (const Pending &p : pending)
      if (!p.read && p.board != kNone && f.waits >> p.board & 1) {
        done.insert(p.number);
        uint64_t &number = last[code[p.pc].unit];
        number = std::max(number, p.number);
      }
    // What a unit does without a scoreboard of its own is done before any later result of it.
    for (const Pending &p : pending)
      if (p.borrowed && p.number < last[code[p.pc].unit])
        done.insert(p.number);
    llvm::erase_if(pending, [&](const Pending &p) {
      return (p.board != kNone && f.waits >> p.board & 1) || done.contains(p.number);
    });
  }
  if (f.drained != kNone) {
    auto counted = [&](const Pending &p) { return p.board == f.drained; };
    auto left = static_cast<size_t>(llvm::count_if(pending, counted));
    llvm::erase_if(pending, [&](const Pending &p) { return counted(p) && left-- > f.remaining; });
  }
  if (pending.size() != before)
    refresh(code);
  RegisterSet used = f.reads;
  used.add(f.writes);
  if (written.common(used) < 0 && read.common(f.writes) < 0)
    return "";
  for (const Pending &p : pending) {
    const Footprint &earlier = code[p.pc];
    const int early = p.read ? earlier.readyWithReads.common(used) : -1;
    const int bit = early >= 0 ? early
                    : p.read   ? earlier.lateReads.common(f.writes)
                               : earlier.writes.common(used);
    // The unit for doubles leaves its results in order, too: ptxas lets a comparison write a predicate,
    // under a guard, that one in front of it has yet to write, and waits for both behind it.
    const bool isOneUnit = (f.unit && earlier.unit == f.unit) ||
                           (f.pipe == Pipe::Double && earlier.pipe == Pipe::Double);
    const bool inOrder = p.read ? early < 0 && f.queue && earlier.queue == f.queue
                                : isOneUnit && earlier.writes.common(f.reads) < 0;
    if (bit < 0 || inOrder || !(p.lanes & lanes))
      continue;
    const std::string board =
        p.board == kNone
            ? "no scoreboard tells when it is done"
            : llvm::formatv("scoreboard {0} was not waited for", unsigned(p.board)).str();
    return llvm::formatv(
        "{0} is {1} before the instruction at {2:x4} has {3} it: {4}", nameOf(bit),
        f.reads.has(static_cast<unsigned>(bit)) && (!p.read || early >= 0) ? "read" : "written",
        p.pc * 16, p.read && early < 0 ? "read" : "written", board);
  }
  return "";
}

void Scoreboards::issued(const std::vector<Footprint> &code, uint32_t pc, uint32_t lanes) {
  const Footprint &f = code[pc];
  ++count;
  auto add = [&](uint8_t board, bool reads) {
    const RegisterSet &set = reads ? f.lateReads : f.writes;
    if (set.empty() || !lanes)
      return;
    pending.push_back({pc, lanes, count, board, reads});
    (reads ? read : written).add(set);
    if (reads)
      written.add(f.readyWithReads);
  };
  if (f.unit && f.writeBoard != kNone)
    for (Pending &p : pending)
      if (p.board == kNone && code[p.pc].unit == f.unit)
        p.board = f.writeBoard, p.borrowed = true;
  if (f.writeBoard != kNone || f.unit)
    add(f.writeBoard, false);
  if (f.readBoard != kNone)
    add(f.readBoard, true);
}
