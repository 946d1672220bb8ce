//===- Memory.cpp - address spaces, loads, stores, runtime calls ------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"

#include "oracles/devices/emulator/Numeric.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace tilesmith;
using namespace tilesmith::sass;

// ---- address spaces ----

uint8_t *Machine::memory(Warp &warp, unsigned lane, uint64_t address, unsigned bytes,
                         const char *what) {
  if (bytes & (bytes - 1) ? false : address % bytes) {
    warp.fault(Report::Fault, llvm::formatv("misaligned: {0} {1} bytes at {2:x}, lane {3}", what,
                                            bytes, address, lane)
                                  .str());
    return nullptr;
  }
  if (address >= kSharedWindow) {
    if (address < kSharedWindow + kWindowBytes)
      return shared(warp, static_cast<uint32_t>(address - kSharedWindow), bytes, what);
    if (address - kLocalWindow < kWindowBytes)
      return local(warp, lane, static_cast<uint32_t>(address - kLocalWindow), bytes, what);
    if (address - kParameterWindow < banks[0].size() &&
        bytes <= banks[0].size() - (address - kParameterWindow))
      return &banks[0][address - kParameterWindow];
  }
  if (program.ranges.contains(address, bytes) || program.moduleRanges.contains(address, bytes))
    return reinterpret_cast<uint8_t *>(address);
  std::string where = program.ranges.describeNearest(address, bytes);
  warp.fault(Report::Fault,
             llvm::formatv("out of bounds: {0} {1} bytes at {2:x}, lane {3}{4}{5}", what, bytes,
                           address, lane, where.empty() ? "" : ", ", where)
                 .str());
  return nullptr;
}

const uint8_t *Machine::copySource(Warp &warp, unsigned lane, const PendingCopy &copy) {
  static const uint8_t kNothing[16] = {};
  if (!copy.valid)
    return kNothing;
  if (copy.global % copy.bytes) // reported as misaligned
    return memory(warp, lane, copy.global, copy.bytes, "asynchronous copy of");
  const uint8_t *first = memory(warp, lane, copy.global, 1, "asynchronous copy of");
  if (first && copy.valid > 1)
    memory(warp, lane, copy.global + copy.valid - 1, 1, "asynchronous copy of");
  return stopped ? nullptr : first;
}

uint8_t *Machine::shared(Warp &warp, uint32_t address, unsigned bytes, const char *what) {
  Block *block = warp.block;
  uint32_t offset = address;
  if (hopper()) { // bits 24-31 name the block of the cluster
    const uint32_t rank = address >> 24;
    offset = address & 0xffffff;
    if (rank >= block->cluster->blocks.size()) {
      warp.fault(Report::Fault, llvm::formatv("{0} shared memory of block {1} of a cluster of {2}",
                                              what, rank, block->cluster->blocks.size())
                                    .str());
      return nullptr;
    }
    block = block->cluster->blocks[rank].get();
  }
  if (offset % std::min(bytes, 16u)) {
    warp.fault(Report::Fault, llvm::formatv("misaligned: {0} {1} bytes at shared address {2:x}",
                                            what, bytes, offset)
                                  .str());
    return nullptr;
  }
  if (offset >= block->shared.size() || bytes > block->shared.size() - offset) {
    warp.fault(Report::Fault,
               llvm::formatv("out of bounds: {0} {1} bytes at shared address {2:x} of {3:x}", what,
                             bytes, offset, block->shared.size())
                   .str());
    return nullptr;
  }
  return &block->shared[offset];
}

uint8_t *Machine::local(Warp &warp, unsigned lane, uint32_t address, unsigned bytes,
                        const char *what) {
  if (address % bytes || address >= localBytes || bytes > localBytes - address) {
    warp.fault(Report::Fault,
               llvm::formatv("out of bounds: {0} {1} bytes at local address {2:x} of {3:x}, lane "
                             "{4}",
                             what, bytes, address, localBytes, lane)
                   .str());
    return nullptr;
  }
  return &warp.block->local[size_t{localBytes} * (warp.index * kLanes + lane) + address];
}

uint64_t Machine::constant(unsigned bank, uint32_t offset, unsigned bytes) const {
  uint64_t value = 0;
  if (bank < banks.size() && offset < banks[bank].size())
    std::memcpy(&value, &banks[bank][offset], std::min<size_t>(bytes, banks[bank].size() - offset));
  return value;
}

namespace {

/// Bytes of a width field: U8 S8 U16 S16 32 64 128.
unsigned widthBytes(unsigned width) {
  static constexpr unsigned kBytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
  return kBytes[width & 7];
}

void putLoaded(Warp &w, unsigned index, unsigned l, const uint8_t *from, unsigned width) {
  if (width < 4) {
    uint32_t value = 0;
    std::memcpy(&value, from, widthBytes(width));
    if (width == 1)
      value = static_cast<uint32_t>(int32_t{static_cast<int8_t>(value)});
    if (width == 3)
      value = static_cast<uint32_t>(int32_t{static_cast<int16_t>(value)});
    w.lane(index, 0, l) = value;
    return;
  }
  for (unsigned n = 0; n < widthBytes(width) / 4; ++n)
    std::memcpy(&w.lane(index, n, l), from + 4 * n, 4);
}

void storeFrom(Warp &w, unsigned index, unsigned l, uint8_t *to, unsigned width) {
  const unsigned bytes = widthBytes(width);
  for (unsigned n = 0; n * 4 < bytes; ++n) {
    const uint32_t value = w.lane(index, n, l);
    std::memcpy(to + 4 * n, &value, std::min(bytes - 4 * n, 4u));
  }
}

/// Counts what one instruction costs where its lanes find `bytes` bytes each: distinct sectors of
/// global memory, or turns of the 32 banks of shared memory. Lanes of 8 and 16 bytes come in two and
/// four parts.
class Cost {
public:
  Cost(Warp &w, const Instruction &i, unsigned bytes)
      : counters(w.machine->report.counters),
        pipe(w.machine->kernel.footprints[i.offset / 16].pipe), parts(std::max(bytes / 4, 1u)),
        bytes(bytes) {}
  void add(unsigned l, const uint8_t *at) {
    const auto address = reinterpret_cast<uintptr_t>(at);
    if (pipe == Pipe::Global) {
      insert(sectors, address / 32);
      return;
    }
    for (unsigned n = 0; n < bytes; n += 4)
      insert(words[l * parts / kLanes], (address + n) / 4);
  }
  ~Cost() {
    counters.sectors += sectors.size();
    for (const auto &part : words) {
      std::array<unsigned, 32> turns{};
      for (uintptr_t word : part)
        ++turns[word % 32];
      if (part.empty())
        continue;
      const unsigned most = *std::max_element(turns.begin(), turns.end());
      counters.wavefronts += most;
      counters.conflicts += most - 1;
    }
  }

private:
  static void insert(llvm::SmallVector<uintptr_t, 32> &set, uintptr_t value) {
    if (!llvm::is_contained(set, value))
      set.push_back(value);
  }
  Counters &counters;
  Pipe pipe;
  unsigned parts, bytes;
  llvm::SmallVector<uintptr_t, 32> sectors;
  std::array<llvm::SmallVector<uintptr_t, 32>, 4> words;
};

/// `place(lane, bytes)` is where the value of a lane lies; null after a fault.
template <typename Place> void load(Warp &w, const Instruction &i, Place &&place) {
  const unsigned bytes = widthBytes(i.mods[0]);
  Cost cost(w, i, bytes);
  forActive(w, [&](unsigned l) {
    if (const uint8_t *from = place(l, bytes)) {
      cost.add(l, from);
      putLoaded(w, i.ops[0].index, l, from, i.mods[0]);
    }
  });
}
template <typename Place> void store(Warp &w, const Instruction &i, Place &&place) {
  const unsigned bytes = widthBytes(i.mods[0]);
  Cost cost(w, i, bytes);
  forActive(w, [&](unsigned l) {
    if (uint8_t *to = place(l, bytes)) {
      cost.add(l, to);
      storeFrom(w, i.ops[1].index, l, to, i.mods[0]);
    }
  });
}

/// Register pair or zero-extended register, plus a uniform pair.
uint64_t uniformAddress(Warp &w, const Operand &op, unsigned l, bool pair) {
  const uint64_t base = w.uniform64(op.uniform) + static_cast<uint64_t>(op.value);
  if (op.index == kRZ)
    return base;
  return base + w.r[op.index][l] + (pair ? uint64_t{w.r[(op.index + 1) & 255][l]} << 32 : 0);
}

} // namespace

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)

OPERATION(executeLoadGlobal) {
  load(w, i, [&](unsigned l, unsigned bytes) {
    return w.machine->memory(w, l, w.address64(i.ops[1], l), bytes, "load of");
  });
}
OPERATION(executeLoadGlobalUniform) {
  const bool pair = i.mods[i.row->name == "LDG.E" ? 4 : 3];
  load(w, i, [&](unsigned l, unsigned bytes) {
    return w.machine->memory(w, l, uniformAddress(w, i.ops[1], l, pair), bytes, "load of");
  });
}
OPERATION(executeStoreGlobal) {
  store(w, i, [&](unsigned l, unsigned bytes) {
    return w.machine->memory(w, l, w.address64(i.ops[0], l), bytes, "store of");
  });
}
OPERATION(executeStoreGlobalUniform) {
  store(w, i, [&](unsigned l, unsigned bytes) {
    return w.machine->memory(w, l, uniformAddress(w, i.ops[0], l, i.mods[3]), bytes, "store of");
  });
}
OPERATION(executeLoadShared) {
  load(w, i, [&](unsigned l, unsigned bytes) {
    return w.machine->shared(w, w.address32(i.ops[1], l), bytes, "load of");
  });
}
OPERATION(executeStoreShared) {
  store(w, i, [&](unsigned l, unsigned bytes) {
    return w.machine->shared(w, w.address32(i.ops[0], l), bytes, "store of");
  });
}
OPERATION(executeLoadLocal) {
  load(w, i, [&](unsigned l, unsigned bytes) {
    return w.machine->local(w, l, w.address32(i.ops[1], l), bytes, "load of");
  });
}
OPERATION(executeStoreLocal) {
  store(w, i, [&](unsigned l, unsigned bytes) {
    return w.machine->local(w, l, w.address32(i.ops[0], l), bytes, "store of");
  });
}

OPERATION(executeLdc) {
  const Operand &from = i.ops[1];
  forActive(w, [&](unsigned l) {
    const uint32_t offset =
        static_cast<uint32_t>(from.value) + (from.index == kRZ ? 0 : w.r[from.index][l]);
    uint8_t bytes[16] = {};
    for (unsigned n = 0; n < widthBytes(i.mods[0]); n += 8) {
      const uint64_t word = w.machine->constant(from.bank, offset + n, 8);
      std::memcpy(bytes + n, &word, 8);
    }
    putLoaded(w, i.ops[0].index, l, bytes, i.mods[0]);
  });
}
OPERATION(executeUldc) {
  const Operand &from = i.ops[1];
  const uint32_t offset =
      static_cast<uint32_t>(from.value) + (from.index == kURZ ? 0 : w.u[from.index]);
  const unsigned bytes = widthBytes(i.mods[0]);
  for (unsigned n = 0; n * 4 < bytes; ++n) {
    auto value =
        static_cast<uint32_t>(w.machine->constant(from.bank, offset + 4 * n, std::min(bytes, 4u)));
    if (i.mods[0] == 1)
      value = static_cast<uint32_t>(int32_t{static_cast<int8_t>(value)});
    if (i.mods[0] == 3)
      value = static_cast<uint32_t>(int32_t{static_cast<int16_t>(value)});
    if (i.ops[0].index != kURZ)
      w.putUniform((i.ops[0].index + n) & 255, value);
  }
}

// Row r of matrix j starts at the address of lane 8j + r; a lane holds two neighbours of a row, or
// of a column when the matrix is transposed.
namespace {

void matrixRows(Warp &w, const Instruction &i, const Operand &address, unsigned registers,
                bool load) {
  const bool transposed = i.mods[0];
  const unsigned count = 1u << i.mods[1];
  uint8_t *rows[32] = {};
  Cost cost(w, i, 16);
  for (unsigned l = 0; l < 8 * count; ++l) {
    rows[l] = w.machine->shared(w, w.address32(address, l), 16, load ? "load of" : "store of");
    if (!rows[l])
      return;
    cost.add(l, rows[l]);
  }
  Lanes values[4];
  for (unsigned j = 0; j < count; ++j)
    for (unsigned l = 0; l < kLanes; ++l) {
      uint16_t pair[2];
      uint32_t &lane = w.lane(registers, j, l);
      if (!load)
        std::memcpy(pair, &lane, 4);
      for (unsigned e = 0; e < 2; ++e) {
        const unsigned row = transposed ? 2 * (l % 4) + e : l / 4;
        const unsigned column = transposed ? l / 4 : 2 * (l % 4) + e;
        uint8_t *at = rows[8 * j + row] + 2 * column;
        if (load)
          std::memcpy(&pair[e], at, 2);
        else
          std::memcpy(at, &pair[e], 2);
      }
      if (load)
        std::memcpy(&values[j].v[l], pair, 4);
    }
  if (load)
    for (unsigned j = 0; j < count; ++j)
      for (unsigned l = 0; l < kLanes; ++l)
        w.lane(registers, j, l) = values[j].v[l];
}

} // namespace

// Matrices of 16 x 16 bytes, transposed: a row is 16 bytes at the address of a lane, and register h of
// matrix m has four bytes of column 8 h + l / 4, from row 4 (l % 4) on. PTX ISA, ldmatrix .m16n16.
OPERATION(executeLdsmBytes) {
  const unsigned count = 1u << i.mods[1];
  const uint8_t *rows[32] = {};
  Cost cost(w, i, 16);
  for (unsigned l = 0; l < 16 * count; ++l) {
    rows[l] = w.machine->shared(w, w.address32(i.ops[1], l), 16, "load of");
    if (!rows[l])
      return;
    cost.add(l, rows[l]);
  }
  for (unsigned l = 0; l < kLanes; ++l)
    for (unsigned j = 0; j < 2 * count; ++j) {
      uint32_t value = 0;
      for (unsigned e = 0; e < 4; ++e)
        value |= uint32_t{rows[j / 2 * 16 + 4 * (l % 4) + e][j % 2 * 8 + l / 4]} << 8 * e;
      w.lane(i.ops[0].index, j, l) = value;
    }
}

OPERATION(executeLdsm) {
  matrixRows(w, i, i.ops[1], i.ops[0].index, true);
}
OPERATION(executeStsm) {
  matrixRows(w, i, i.ops[0], i.ops[1].index, false);
}

namespace {

void copyToShared(Warp &w, const Instruction &i, unsigned bytes) {
  const uint32_t copied = w.getMask(i.ops[2]);
  forActive(w, [&](unsigned l) {
    PendingCopy copy{w.address32(i.ops[0], l), w.address64(i.ops[1], l), bytes, bytes};
    // The low bits of the address are the number of bytes at the end that become zero.
    if (i.mods[4]) {
      copy.valid = bytes - static_cast<uint32_t>(copy.global & (bytes - 1));
      copy.global &= ~uint64_t{bytes - 1};
    }
    if (!(copied >> l & 1))
      copy.valid = 0;
    // A bad address is a fault where it is issued.
    if (!w.machine->shared(w, copy.shared, bytes, "asynchronous copy to") ||
        !w.machine->copySource(w, l, copy))
      return;
    w.openGroup.push_back(copy);
  });
  if (!w.machine->config.lateCopies && !w.machine->stopped) {
    w.land(w.openGroup);
    w.openGroup.clear();
  }
}

} // namespace

OPERATION(executeLdgsts) {
  copyToShared(w, i, widthBytes(i.mods[2]));
}
OPERATION(executeLdgsts100) {
  copyToShared(w, i, 4u << i.mods[2]);
}

#undef OPERATION

// ---- calls into the runtime ----

namespace {

/// A terminated text in device memory.
std::string readText(Warp &w, unsigned l, uint64_t address) {
  std::string text;
  while (text.size() < 4096) {
    const uint8_t *at = w.machine->memory(w, l, address + text.size(), 1, "load of");
    if (!at || !*at)
      break;
    text += static_cast<char>(*at);
  }
  return text;
}

/// printf of one lane: every argument is aligned to its size, f32 has been promoted.
std::string formatText(Warp &w, unsigned l, llvm::StringRef format, uint64_t arguments) {
  std::string out;
  uint64_t offset = 0;
  auto take = [&](unsigned bytes) {
    offset = (offset + bytes - 1) / bytes * bytes;
    uint64_t value = 0;
    if (const uint8_t *at = w.machine->memory(w, l, arguments + offset, bytes, "load of"))
      std::memcpy(&value, at, bytes);
    offset += bytes;
    return value;
  };
  while (!format.empty()) {
    if (!format.consume_front("%")) {
      out += format.front();
      format = format.drop_front();
      continue;
    }
    if (format.consume_front("%")) {
      out += '%';
      continue;
    }
    std::string spec = "%";
    while (!format.empty() && llvm::StringRef("-+ #0123456789.*").contains(format.front())) {
      if (format.front() == '*')
        spec += std::to_string(static_cast<int32_t>(take(4)));
      else
        spec += format.front();
      format = format.drop_front();
    }
    unsigned longs = 0, shorts = 0;
    while (!format.empty() && llvm::StringRef("hlLqjzt").contains(format.front())) {
      longs += format.front() != 'h';
      shorts += format.front() == 'h';
      format = format.drop_front();
    }
    if (format.empty())
      break;
    const char letter = format.front();
    format = format.drop_front();
    char buffer[512];
    if (llvm::StringRef("diuoxXc").contains(letter)) {
      uint64_t value = take(longs ? 8 : 4);
      if (!longs && (letter == 'd' || letter == 'i'))
        value = static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)});
      if (shorts) {
        const unsigned drop = shorts > 1 ? 56 : 48;
        value = letter == 'd' || letter == 'i'
                    ? static_cast<uint64_t>(static_cast<int64_t>(value << drop) >> drop)
                    : value << drop >> drop;
      }
      if (letter == 'c')
        snprintf(buffer, sizeof buffer, (spec + letter).c_str(), static_cast<int>(value));
      else
        snprintf(buffer, sizeof buffer, (spec + "ll" + letter).c_str(),
                 static_cast<unsigned long long>(value));
      out += buffer;
    } else if (llvm::StringRef("eEfFgGaA").contains(letter)) {
      snprintf(buffer, sizeof buffer, (spec + letter).c_str(), emulator::bitsTo<double>(take(8)));
      out += buffer;
    } else if (letter == 's') {
      const std::string text = readText(w, l, take(8));
      std::string wide(text.size() + sizeof buffer, '\0');
      wide.resize(snprintf(wide.data(), wide.size(), (spec + letter).c_str(), text.c_str()));
      out += wide;
    } else if (letter == 'p') {
      snprintf(buffer, sizeof buffer, (spec + letter).c_str(), reinterpret_cast<void *>(take(8)));
      out += buffer;
    } else {
      w.fault(Report::Unsupported, "unsupported: printf conversion '" + spec + letter + "'");
      return out;
    }
  }
  return out;
}

} // namespace

void Machine::callRuntime(Warp &warp, uint64_t function) {
  auto pair = [&](unsigned index, unsigned l) {
    return warp.r[index][l] | uint64_t{warp.r[index + 1][l]} << 32;
  };
  forActive(warp, [&](unsigned l) {
    switch (function - kSyscall) {
    case 1: {
      const std::string format = readText(warp, l, pair(4, l));
      if (stopped)
        return;
      const std::string text = formatText(warp, l, format, pair(6, l));
      if (report.printed.size() + text.size() <= config.maxPrintedBytes)
        report.printed += text;
      warp.r[4][l] = static_cast<uint32_t>(text.size());
      return;
    }
    case 2:
    case 4: {
      const uint64_t bytes = pair(4, l);
      const uint64_t address = bytes && bytes <= 1 << 24 && program.heap.size() < 4096
                                   ? program.allocate(bytes, "allocation of the kernel")
                                   : 0;
      warp.r[4][l] = static_cast<uint32_t>(address);
      warp.r[5][l] = static_cast<uint32_t>(address >> 32);
      return;
    }
    case 3:
      return; // memory goes with the launch
    case 5:
      return warp.fault(Report::Trapped, readText(warp, l, pair(4, l)));
    default:
      return warp.fault(Report::Unsupported,
                        llvm::formatv("unsupported: call of {0:x}", function).str());
    }
  });
}

} // namespace tilesmith::sass
