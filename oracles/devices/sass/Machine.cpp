//===- Machine.cpp - programs, launches, and the turns of blocks and warps --------------------===//
//
// Steps of a launch: (1) the kernel is decoded once per program and its relocations are applied;
// (2) constant bank 0 gets the launch words and the arguments, tensor maps are filled; (3) blocks
// run, as many at a time as may wait for each other, each warp for a slice; (4) a round in which
// nothing moved is a deadlock.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Machine.h"

#include "oracles/devices/sass/Execute.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace tilesmith;
using namespace tilesmith::sass;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;
using llvm::support::endian::write32le;
using llvm::support::endian::write64le;

namespace {

constexpr uint64_t kSlice = 2048;
/// More than what the code asks for, as the driver gives.
constexpr uint32_t kExtraStack = 2048;
/// No GPU has more, static or dynamic.
constexpr uint32_t kMostShared = 328 * 1024;
/// What an SM may hold; more blocks wait for their turn.
constexpr unsigned kResidentWhenSpinning = 32;

constexpr uint32_t kMultiprocessors = 132;

uint64_t micros(std::chrono::steady_clock::time_point since) {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                   std::chrono::steady_clock::now() - since)
                                   .count());
}

Word wordAt(const std::vector<uint8_t> &code, size_t offset) {
  return {read64le(&code[offset]), read64le(&code[offset + 8])};
}

/// Operations by which a block may wait for what another block does.
bool maySpin(const Instruction &i) {
  llvm::StringRef name = i.row->name;
  return name.starts_with("ATOM") || name.starts_with("RED") || name == "YIELD" ||
         name == "NANOSLEEP" || name == "MEMBAR";
}

} // namespace

llvm::StringRef sass::toString(Report::Status status) {
  static constexpr llvm::StringLiteral kNames[] = {"completed", "trapped", "fault",
                                                   "deadlock",  "timeout", "unsupported"};
  return kNames[status];
}

std::vector<std::pair<std::string, uint64_t>> sass::namedCounters(const Counters &c) {
  std::vector<std::pair<std::string, uint64_t>> named = {
      {"instructions", c.instructions},    {"lane_instructions", c.laneInstructions},
      {"stall_cycles", c.stallCycles},     {"issue_cycles", c.issueCycles},
      {"longest_warp", c.longestWarp},     {"yields", c.yields},
      {"tensor_operations", c.tensor},     {"global_sectors", c.sectors},
      {"shared_wavefronts", c.wavefronts}, {"bank_conflicts", c.conflicts},
      {"async_bytes", c.asyncBytes},       {"barriers", c.barriers}};
  for (auto [name, count] : llvm::zip(kPipeNames, c.byPipe))
    named.emplace_back(("pipe_" + name).str(), count);
  return named;
}

// ---- programs ----

Program::Program(std::unique_ptr<ProgramImpl> impl) : impl(std::move(impl)) {}
Program::~Program() = default;

llvm::Expected<std::unique_ptr<Program>> Program::create(llvm::ArrayRef<uint8_t> cubin) {
  auto read = Cubin::read(cubin);
  if (!read)
    return read.takeError();
  auto impl = std::make_unique<ProgramImpl>();
  impl->cubin = std::move(*read);
  std::unique_ptr<Program> program(new Program(std::move(impl)));
  program->resetGlobals();
  return program;
}

std::vector<std::string> Program::kernels() const {
  std::vector<std::string> names;
  for (const CubinKernel &kernel : impl->cubin.kernels)
    names.push_back(kernel.name);
  return names;
}
unsigned Program::sm() const {
  return impl->cubin.sm;
}
bool Program::isTileIR(llvm::StringRef kernel) const {
  const CubinKernel *found = impl->cubin.find(kernel);
  return found && found->tileIR;
}
std::array<uint32_t, 3> Program::blockOf(llvm::StringRef kernel) const {
  const CubinKernel *found = impl->cubin.find(kernel);
  if (!found || found->tileIR || !found->requiredThreads[0])
    return {1, 1, 1};
  return found->requiredThreads;
}
std::vector<Program::Parameter> Program::parameters(llvm::StringRef kernel) const {
  std::vector<Parameter> list;
  if (const CubinKernel *found = impl->cubin.find(kernel))
    for (const KernelParameter &parameter : found->parameters)
      list.push_back({parameter.offset, parameter.size});
  return list;
}
void Program::addRange(void *base, uint64_t size, std::string name) {
  impl->ranges.add(reinterpret_cast<uint64_t>(base), (size + 3) / 4 * 4, std::move(name));
}
void Program::clearRanges() {
  impl->ranges.clear();
}

void Program::resetGlobals() {
  // The storage stays where it is: relocations hold its address.
  impl->globals.resize(llvm::divideCeil(impl->cubin.globals.size(), sizeof(GlobalLine)));
  llvm::copy(impl->cubin.globals, impl->globalBytes());
  impl->moduleRanges.clear();
  impl->heap.clear();
  if (!impl->placed.empty())
    impl->decoded.clear(); // code holds addresses
  impl->placed.clear();
  for (const GlobalVariable &variable : impl->cubin.variables)
    if (!variable.constant && variable.size)
      impl->moduleRanges.add(reinterpret_cast<uint64_t>(impl->globalBytes()) + variable.offset,
                             variable.size, variable.name);
}

const GlobalVariable *ProgramImpl::find(llvm::StringRef variable) const {
  auto found = llvm::find_if(
      cubin.variables, [&](const GlobalVariable &candidate) { return candidate.name == variable; });
  return found == cubin.variables.end() ? nullptr : &*found;
}
uint64_t ProgramImpl::addressOf(const GlobalVariable &variable) {
  auto at = placed.find(variable.name);
  return at != placed.end() ? at->second
                            : reinterpret_cast<uint64_t>(globalBytes()) + variable.offset;
}

std::optional<std::vector<uint8_t>> Program::variable(llvm::StringRef name) const {
  const GlobalVariable *found = impl->find(name);
  if (!found)
    return std::nullopt;
  const uint8_t *bytes = found->constant && !impl->placed.contains(name.str())
                             ? impl->cubin.bank3.data() + found->offset
                             : reinterpret_cast<const uint8_t *>(impl->addressOf(*found));
  return std::vector<uint8_t>(bytes, bytes + found->size);
}

void Program::placeVariable(llvm::StringRef name, void *address) {
  const GlobalVariable *found = impl->find(name);
  uint64_t &place = impl->placed[name.str()];
  if (!found || place == reinterpret_cast<uint64_t>(address))
    return;
  place = reinterpret_cast<uint64_t>(address);
  if (found->constant || !found->size)
    return;
  impl->moduleRanges.add(place, found->size, found->name);
  impl->decoded.clear(); // code holds addresses
}

uint64_t ProgramImpl::allocate(uint64_t bytes, std::string name) {
  heap.emplace_back(std::calloc(bytes + 256, 1)); // pages that nobody touches cost nothing
  if (!heap.back())
    return 0;
  const uint64_t address = (reinterpret_cast<uint64_t>(heap.back().get()) + 255) / 256 * 256;
  moduleRanges.add(address, bytes, std::move(name));
  return address;
}

uint64_t ProgramImpl::addressOf(llvm::StringRef symbol) {
  for (const GlobalVariable &variable : cubin.variables)
    if (variable.name == symbol && !variable.constant)
      return addressOf(variable);
  static constexpr llvm::StringLiteral kRuntime[] = {
      "", "vprintf", "malloc", "free", "__cuda_syscall_aligned_malloc", "__assertfail"};
  for (size_t n = 1; n < std::size(kRuntime); ++n)
    if (kRuntime[n] == symbol)
      return Machine::kSyscall + n;
  return 0;
}

DecodedKernel *ProgramImpl::decode(llvm::StringRef name) {
  auto &slot = decoded[name.str()];
  if (slot)
    return slot.get();
  const CubinKernel *kernel = cubin.find(name);
  if (!kernel)
    return nullptr;
  slot = std::make_unique<DecodedKernel>();
  slot->kernel = kernel;
  slot->writable = kernel->code;
  for (const Relocation &relocation : kernel->codeRelocations) {
    const uint64_t address =
        addressOf(relocation.symbol) + static_cast<uint64_t>(relocation.addend);
    uint8_t *at = &slot->writable[relocation.offset];
    if (relocation.kind == Relocation::Address64)
      write64le(at, address);
    else // the immediate of an instruction
      write32le(at + 4, static_cast<uint32_t>(
                            relocation.kind == Relocation::AddressLow32 ? address : address >> 32));
  }
  slot->code.resize(slot->writable.size() / 16);
  slot->footprints.resize(slot->code.size());
  for (size_t n = 0; n < slot->code.size(); ++n) {
    auto instruction =
        sass::decode(wordAt(slot->writable, 16 * n), static_cast<uint32_t>(16 * n), cubin.sm);
    if (instruction) {
      slot->code[n] = *instruction;
      slot->footprints[n] = footprintOf(*instruction);
      slot->spins |= maySpin(*instruction);
    } else {
      slot->unsupported[static_cast<uint32_t>(n)] = llvm::toString(instruction.takeError());
    }
  }
  return slot.get();
}

std::vector<std::string> Program::disassemble(llvm::StringRef kernel) const {
  std::vector<std::string> lines;
  const DecodedKernel *decoded = impl->decode(kernel);
  if (!decoded)
    return lines;
  for (auto [n, instruction] : llvm::enumerate(decoded->code)) {
    auto why = decoded->unsupported.find(static_cast<uint32_t>(n));
    lines.push_back(
        llvm::formatv("{0:x-4}: {1}", 16 * n,
                      why == decoded->unsupported.end() ? print(instruction) : why->second));
  }
  return lines;
}

Report Program::launch(llvm::StringRef name, const LaunchConfig &config,
                       llvm::ArrayRef<std::vector<uint8_t>> arguments) {
  Report report;
  const auto start = std::chrono::steady_clock::now();
  DecodedKernel *kernel = impl->decode(name);
  if (!kernel) {
    report.status = Report::Fault;
    report.message = llvm::formatv("expected a kernel of the cubin, found '{0}'", name);
    return report;
  }
  report.counters.decodeMicros = micros(start);
  const auto ready = std::chrono::steady_clock::now();
  Machine(*impl, *kernel, config, report).run(arguments);
  report.counters.executeMicros = micros(ready);
  return report;
}

// ---- launches ----

uint32_t Machine::tensorBook() const {
  return program.cubin.sm / 10 == 11 ? 0xc0 : 0x40;
}

Machine::Machine(ProgramImpl &program, DecodedKernel &kernel, const LaunchConfig &config,
                 Report &report)
    : program(program), kernel(kernel), config(config), report(report),
      generation(generationOf(program.cubin.sm)), chip(chipOf(program.cubin.sm)),
      start(std::chrono::steady_clock::now()), random(config.seed * 2 + 1) {}

bool Cluster::finished() const {
  return llvm::all_of(blocks, [](auto &block) { return block->finished(); });
}

bool Machine::prepare(llvm::ArrayRef<std::vector<uint8_t>> arguments) {
  const CubinKernel &k = *kernel.kernel;
  auto refuse = [&](std::string message) {
    report.status = Report::Fault;
    report.message = std::move(message);
    return false;
  };
  blockShape = config.block;
  if (k.requiredThreads[0]) {
    if (!k.tileIR && config.block != k.requiredThreads)
      return refuse(llvm::formatv("expected blocks of {0} x {1} x {2} threads, found {3} x {4} x "
                                  "{5}",
                                  k.requiredThreads[0], k.requiredThreads[1], k.requiredThreads[2],
                                  config.block[0], config.block[1], config.block[2]));
    blockShape = k.requiredThreads;
  }
  const uint64_t threads = uint64_t{blockShape[0]} * blockShape[1] * blockShape[2];
  if (threads == 0 || threads > 1024 || blockShape[2] > 64)
    return refuse(llvm::formatv("expected 1 to 1024 threads in a block, 64 at most along z, found "
                                "{0} x {1} x {2}",
                                blockShape[0], blockShape[1], blockShape[2]));
  if (config.dynamicSharedBytes > kMostShared)
    return refuse(llvm::formatv("expected at most {0} bytes of dynamic shared memory, found {1}",
                                kMostShared, config.dynamicSharedBytes));
  grid = config.grid;
  for (int d = 0; d < 3; ++d)
    if (const uint32_t most = d ? 0xffff : 0x7fffffff; grid[d] == 0 || grid[d] > most)
      return refuse(
          llvm::formatv("expected 1 to {0} blocks along {1}, found {2}", most, "xyz"[d], grid[d]));
  for (int d = 0; d < 3; ++d)
    if (k.gridCountsClusters)
      grid[d] *= k.cluster[d];
    else if (grid[d] % k.cluster[d])
      return refuse(llvm::formatv("expected a grid of whole clusters, found {0} blocks in clusters "
                                  "of {1}",
                                  grid[d], k.cluster[d]));
  localBytes = (k.frameBytes + kExtraStack + 15) / 16 * 16;
  // The first KiB of the window belongs to the system from sm_90 on; `.nv.shared` counts from 0.
  sharedStart = hopper() ? 1024 : 0;
  sharedBytes = std::max(sharedStart, k.staticShared) + config.dynamicSharedBytes;
  banks[0] = k.bank0;
  banks[2] = k.bank2;
  banks[3] = program.cubin.bank3;
  for (const auto &[name, address] : program.placed)
    if (const GlobalVariable *variable = program.find(name); variable && variable->constant)
      std::memcpy(&banks[3][variable->offset], reinterpret_cast<const void *>(address),
                  variable->size);
  banks[4] = program.cubin.bank4;
  for (const Relocation &relocation : program.cubin.bank4Relocations)
    write64le(&banks[4][relocation.offset],
              program.addressOf(relocation.symbol) + static_cast<uint64_t>(relocation.addend));
  if (arguments.size() != k.parameters.size())
    return refuse(
        llvm::formatv("expected {0} arguments, found {1}", k.parameters.size(), arguments.size()));
  for (auto [parameter, argument] : llvm::zip(k.parameters, arguments)) {
    if (argument.size() > parameter.size)
      return refuse(llvm::formatv("expected {0} bytes for parameter {1}, found {2}", parameter.size,
                                  parameter.ordinal, argument.size()));
    llvm::copy(argument, banks[0].begin() + k.parameterOffset + parameter.offset);
  }
  fillLaunchWords();
  llvm::ArrayRef<uint8_t> hostObject = config.hostObject;
  if (hostObject.empty()) // tileiras 13.1 does not say that a kernel is of Tile IR
    hostObject = program.cubin.hostObject;
  if (!hostObject.empty()) {
    const std::string why =
        fillTensorMaps(hostObject, k.name,
                       llvm::MutableArrayRef(banks[0]).slice(k.parameterOffset, k.parameterBytes),
                       [&] { return makeMapWorkspace(); });
    if (!why.empty()) {
      report.status = Report::Unsupported;
      report.message = why;
      return false;
    }
  }
  return true;
}

void Machine::fillLaunchWords() {
  std::vector<uint8_t> &bank = banks[0];
  const CubinKernel &k = *kernel.kernel;
  // A kernel without parameters says nowhere at which place they would begin.
  const size_t end = k.parameters.empty() ? bank.size() : k.parameterOffset;
  auto word = [&](uint32_t offset, uint32_t value) {
    if (offset + 4 <= end)
      write32le(&bank[offset], value);
  };
  auto wide = [&](uint32_t offset, uint64_t value) {
    word(offset, static_cast<uint32_t>(value));
    word(offset + 4, static_cast<uint32_t>(value >> 32));
  };
  auto three = [&](uint32_t offset, const std::array<uint32_t, 3> &values) {
    for (uint32_t d = 0; d < 3; ++d)
      word(offset + 4 * d, values[d]);
  };
  const bool blackwell = generation == Generation::Blackwell;
  three(blackwell ? 0x360 : 0, blockShape);
  three(blackwell ? 0x370 : 0xc, grid);
  if (!hopper())
    wide(0x18, kSharedWindow);
  wide(blackwell ? 0x2f8 : 0x20, kLocalWindow);
  word(blackwell ? 0x37c : 0x28, localBytes);
  word(blackwell ? 0x2ac : 0x2c, config.dynamicSharedBytes);
  wide(blackwell ? 0x140 : 0x30, 1);
  word(blackwell ? 0x2d0 : 0x10c, kMultiprocessors);
  word(blackwell ? 0x16c : 0x114, hopper() ? 1024 : 0);
  if (!hopper())
    return;
  const bool clustered = k.cluster != std::array<uint32_t, 3>{1, 1, 1};
  word(blackwell ? 0x36c : 0x140, clustered);
  three(blackwell ? 0x2a0 : 0x144, k.cluster);
  uint32_t total = 1;
  std::array<uint32_t, 3> reciprocal{}, count{};
  for (int d = 0; d < 3; ++d) {
    const float value = 1.0f / static_cast<float>(k.cluster[d]);
    std::memcpy(&reciprocal[d], &value, 4);
    count[d] = grid[d] / k.cluster[d];
    total *= k.cluster[d];
  }
  three(blackwell ? 0x2b0 : 0x150, reciprocal);
  three(blackwell ? 0x2c0 : 0x15c, count);
  word(blackwell ? 0x2cc : 0x188, total);
  wide(blackwell ? 0x348 : 0x198, kParameterWindow + k.parameterOffset);
}

/// Of each map that a kernel makes a line of 128 bytes for each of 64 warps of every multiprocessor.
uint64_t Machine::makeMapWorkspace() {
  constexpr uint64_t kMostMaps = 64;
  return program.allocate(kMostMaps * kMultiprocessors * 64 * 128, "workspace of tensor maps");
}

std::unique_ptr<Cluster> Machine::makeCluster(uint64_t number) {
  const std::array<uint32_t, 3> &shape = kernel.kernel->cluster;
  auto cluster = std::make_unique<Cluster>();
  while (llvm::any_of(clusters, [&](auto &other) { return other->place == cluster->place; }))
    ++cluster->place;
  const uint64_t across = grid[0] / shape[0], down = grid[1] / shape[1];
  const std::array<uint64_t, 3> at{number % across, number / across % down, number / across / down};
  const uint32_t blocks = shape[0] * shape[1] * shape[2];
  const uint32_t threads = blockShape[0] * blockShape[1] * blockShape[2];
  for (uint32_t rank = 0; rank < blocks; ++rank) {
    auto block = std::make_unique<Block>();
    block->cluster = cluster.get();
    block->rank = rank;
    block->multiprocessor = (cluster->place * blocks + rank) % kMultiprocessors;
    const std::array<uint32_t, 3> inside{rank % shape[0], rank / shape[0] % shape[1],
                                         rank / shape[0] / shape[1]};
    for (int d = 0; d < 3; ++d)
      block->id[d] = static_cast<uint32_t>(at[d] * shape[d]) + inside[d];
    block->threads = block->liveLanes = threads;
    // Shared memory that nobody has written holds NaN, or -1.
    block->shared.assign(sharedBytes, 0xff);
    if (generation == Generation::Blackwell) // which columns of tensor memory are allocated
      std::fill_n(block->shared.begin() + tensorBook(), kTensorBookBytes, 0);
    if (generation == Generation::Blackwell && blocks > 1)
      startPairBook(*block, tensorBook());
    block->local.resize(size_t{localBytes} * ((threads + 31) / 32 * 32));
    for (uint32_t first = 0; first < threads; first += kLanes) {
      auto warp = std::make_unique<Warp>();
      std::memset(warp->r, 0, sizeof warp->r);
      std::memset(warp->u, 0, sizeof warp->u);
      std::memset(warp->p, 0, sizeof warp->p);
      std::memset(warp->up, 0, sizeof warp->up);
      std::memset(warp->b, 0, sizeof warp->b);
      std::memset(warp->returnPc, 0, sizeof warp->returnPc);
      std::memset(warp->reduced, 0, sizeof warp->reduced);
      warp->p[kPT] = warp->up[kPT] = kAllLanes;
      warp->index = first / kLanes;
      warp->block = block.get();
      warp->machine = this;
      warp->live = threads - first >= kLanes ? kAllLanes : (1u << (threads - first)) - 1;
      warp->splits.push_back({0, warp->live, Split::Ready, 0});
      block->warps.push_back(std::move(warp));
    }
    cluster->blocks.push_back(std::move(block));
  }
  return cluster;
}

Report Machine::run(llvm::ArrayRef<std::vector<uint8_t>> arguments) {
  if (prepare(arguments))
    runAll();
  return report;
}

void Machine::reportDeadlock() {
  static constexpr const char *kWaits[] = {"", "a convergence barrier", "a warp barrier",
                                           "block barrier", "the cluster barrier"};
  for (auto &cluster : clusters)
    for (auto &block : cluster->blocks)
      for (auto &warp : block->warps)
        for (size_t n = 0; n < warp->splits.size(); ++n) {
          const Split &split = warp->splits[n];
          if (!split.mask || split.wait == Split::Ready)
            continue;
          warp->current = n;
          return warp->fault(
              Report::Deadlock,
              llvm::formatv(
                  "deadlock: nothing can run; lanes {0:x8} wait for {1}{2}, before {3:x4}",
                  split.mask, kWaits[split.wait],
                  split.wait == Split::BlockBarrier ? " " + std::to_string(split.object) : "",
                  split.pc * 16)
                  .str());
        }
}

void Machine::runAll() {
  const CubinKernel &k = *kernel.kernel;
  const uint64_t total =
      uint64_t{grid[0] / k.cluster[0]} * (grid[1] / k.cluster[1]) * (grid[2] / k.cluster[2]);
  const unsigned resident = config.residentBlocks ? config.residentBlocks
                            : kernel.spins        ? kResidentWhenSpinning
                                                  : 1;
  uint64_t next = 0;
  auto order = [&](size_t count, size_t n) {
    return config.schedule == Schedule::FIFO ? n : count - 1 - n;
  };
  while (!stopped) {
    llvm::erase_if(clusters, [](auto &cluster) { return cluster->finished(); });
    while (clusters.size() < resident && next < total)
      clusters.push_back(makeCluster(next++));
    if (clusters.empty())
      return;
    uint64_t steps = 0;
    for (size_t c = 0; c < clusters.size() && !stopped; ++c)
      for (auto &block : clusters[order(clusters.size(), c)]->blocks) {
        const size_t count = block->warps.size();
        uint64_t rotate = 0;
        if (config.schedule == Schedule::Random) {
          random = random * 6364136223846793005u + 1442695040888963407u;
          rotate = random >> 33;
        }
        for (size_t n = 0; n < count && !stopped; ++n) {
          Warp &warp = *block->warps[(order(count, n) + rotate) % count];
          if (warp.live)
            steps += warp.run(kSlice);
        }
      }
    if (stopped)
      return;
    if (!steps)
      return reportDeadlock();
    if (config.maxInstructions && report.counters.instructions > config.maxInstructions) {
      report.status = Report::Timeout;
      report.message = llvm::formatv("more than {0} instructions of warps", config.maxInstructions);
      return;
    }
    if (config.maxMillis && micros(start) > config.maxMillis * 1000) {
      report.status = Report::Timeout;
      report.message = llvm::formatv("more than {0} ms", config.maxMillis);
      return;
    }
  }
}
