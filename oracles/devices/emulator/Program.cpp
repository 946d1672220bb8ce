// Compilation and launch: host lowering, code generation at -O0, linking by ORC, argument blocks.
//
// One ORC session per process, one dynamic library of runtime symbols, one JITDylib per program,
// removed with it. Target machines are per host thread. Nothing of the host process is visible to
// compiled code except what the intrinsic table and HostMath.cpp name.
#include "oracles/devices/emulator/Device.h"
#include "oracles/devices/emulator/Intrinsics.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>

using namespace llvm;

namespace tilesmith::emulator {

std::optional<Schedule> parseSchedule(StringRef text) {
  if (text == "fifo")
    return Schedule::FIFO;
  if (text == "lifo")
    return Schedule::LIFO;
  if (text == "random")
    return Schedule::Random;
  return std::nullopt;
}

StringRef toString(Schedule schedule) {
  switch (schedule) {
  case Schedule::FIFO:
    return "fifo";
  case Schedule::LIFO:
    return "lifo";
  case Schedule::Random:
    return "random";
  }
  return "";
}

void chooseSchedule(LaunchConfig &config, uint64_t seed) {
  config.seed = seed;
  config.schedule = seed == 0 ? Schedule::FIFO : seed == 1 ? Schedule::LIFO : Schedule::Random;
  if (seed < 2)
    return;
  uint64_t bits = seed * 0x9e3779b97f4a7c15;
  bits ^= bits >> 29;
  config.async = bits & 1 ? AsyncCompletion::Lazy : AsyncCompletion::Eager;
  const uint32_t resident[] = {0, 0, 2, 5};
  config.residentBlocks = config.residentBlocks ? config.residentBlocks : resident[bits >> 1 & 3];
  const Schedule schedules[] = {Schedule::Random, Schedule::Random, Schedule::FIFO, Schedule::LIFO};
  config.schedule = schedules[bits >> 3 & 3];
}

std::string describeSchedule(const LaunchConfig &config) {
  std::string text = toString(config.schedule).str();
  if (config.schedule == Schedule::Random)
    text += formatv(" (seed {0})", config.seed);
  text += config.async == AsyncCompletion::Eager ? ", eager copies" : ", lazy copies";
  if (config.residentBlocks)
    text += formatv(", {0} resident blocks", config.residentBlocks);
  return text;
}

ArrayRef<StringLiteral> instructionClassNames() {
  static constexpr StringLiteral names[] = {"integer", "float",      "memory", "atomic",
                                            "control", "conversion", "device", "other"};
  return names;
}

StringRef toString(Report::Status status) {
  switch (status) {
  case Report::Completed:
    return "completed";
  case Report::Trapped:
    return "trapped";
  case Report::Fault:
    return "fault";
  case Report::Deadlock:
    return "deadlock";
  case Report::Timeout:
    return "timeout";
  case Report::Unsupported:
    return "unsupported";
  case Report::OutOfMemory:
    return "out of memory";
  }
  return "";
}

namespace {

constexpr StringLiteral kTriple = "x86_64-unknown-linux-gnu";

// The session shared by all programs of the process.
struct Session {
  std::unique_ptr<orc::LLJIT> jit;
  orc::JITDylib *runtime = nullptr;
  std::mutex mutex; // guards what follows
  uint64_t names = 0;
  std::string lastError;
  bool outOfMemory = false; // and lastError says where
};

Expected<Session *> session() {
  static Session *instance = nullptr;
  static std::string failure;
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    auto created = std::make_unique<Session>();
    auto jit = orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(orc::JITTargetMachineBuilder{Triple(kTriple)})
                   .setPlatformSetUp(orc::setUpInactivePlatform)
                   .setLinkProcessSymbolsByDefault(false)
                   .create();
    if (!jit) {
      failure = toString(jit.takeError());
      return;
    }
    created->jit = std::move(*jit);
    auto &es = created->jit->getExecutionSession();
    Session *raw = created.get();
    es.setErrorReporter([raw](Error error) {
      std::lock_guard lock(raw->mutex);
      handleAllErrors(std::move(error), [&](const ErrorInfoBase &info) {
        raw->lastError += (raw->lastError.empty() ? "" : "; ") + info.message();
        raw->outOfMemory |= info.convertToErrorCode() == std::errc::not_enough_memory;
      });
    });
    created->runtime = &es.createBareJITDylib("runtime");
    orc::SymbolMap symbols;
    auto define = [&](StringRef name, void *address, bool callable = true) {
      symbols[created->jit->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                                      callable ? JITSymbolFlags::Exported |
                                                                     JITSymbolFlags::Callable
                                                               : JITSymbolFlags::Exported};
    };
    for (const auto &entry : IntrinsicTable::get().entries())
      if (entry.second.kind != Intrinsic::Expand)
        define(entry.second.symbol(), entry.second.function);
    define("rt.tick", reinterpret_cast<void *>(&rtTick));
    define("rt.check", reinterpret_cast<void *>(&rtCheck));
    define("rt.fence", reinterpret_cast<void *>(&rtFence));
    define("rt.wgmma.use", reinterpret_cast<void *>(&rtWgmmaUse));
    define("rt.tcgen05.use", reinterpret_cast<void *>(&rtTensorUse));
    for (const auto &[name, address] : hostFunctions())
      define(name, address);
    if (Error error = created->runtime->define(orc::absoluteSymbols(std::move(symbols)))) {
      failure = toString(std::move(error));
      return;
    }
    instance = created.release(); // lives as long as the process
  });
  if (!instance)
    return createStringError("cannot start the JIT: " + failure);
  return instance;
}

Expected<TargetMachine *> targetMachine() {
  static thread_local std::unique_ptr<TargetMachine> machine;
  if (!machine) {
    std::string error;
    const Target *target = TargetRegistry::lookupTarget(Triple(kTriple), error);
    if (!target)
      return createStringError(error);
    TargetOptions options;
    options.AllowFPOpFusion = FPOpFusion::Strict;
    options.ExceptionModel = ExceptionHandling::None;
    machine.reset(target->createTargetMachine(Triple(kTriple), "x86-64-v3", "", options,
                                              Reloc::PIC_, CodeModel::Small,
                                              CodeGenOptLevel::None));
    machine->setFastISel(true);
  }
  return machine.get();
}

Expected<std::unique_ptr<MemoryBuffer>> generateCode(Module &module, TargetMachine &machine) {
  SmallVector<char, 0> object;
  raw_svector_ostream os(object);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr, CodeGenFileType::ObjectFile,
                                  /*DisableVerify=*/true))
    return createStringError("the host target cannot write objects");
  passes.run(module);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(object), "kernel", false);
}

} // namespace

ProgramImpl::~ProgramImpl() {
  if (!dylib)
    return;
  if (auto s = session()) {
    auto &es = (*s)->jit->getExecutionSession();
    consumeError(es.removeJITDylib(*static_cast<orc::JITDylib *>(dylib)));
  } else {
    consumeError(s.takeError());
  }
}

Program::Program(std::unique_ptr<ProgramImpl> impl) : impl(std::move(impl)) {}
Program::~Program() = default;

Expected<std::unique_ptr<Program>> Program::create(std::unique_ptr<Module> module,
                                                   std::unique_ptr<LLVMContext> context,
                                                   const ProgramOptions &options) {
  struct Order { // the module must go before its context
    std::unique_ptr<LLVMContext> context;
    std::unique_ptr<Module> module;
  } owned{std::move(context), std::move(module)};
  auto s = session();
  if (!s)
    return s.takeError();
  auto machine = targetMachine();
  if (!machine)
    return machine.takeError();

  auto impl = std::make_unique<ProgramImpl>();
  // The device's data layout decides how the front end sized things; the host's has the same sizes
  // and alignments for everything a kernel may store, and x86 code generation insists on its own.
  owned.module->setTargetTriple(Triple(kTriple));
  owned.module->setDataLayout((*machine)->createDataLayout());
  auto lowered =
      HostLowering(*owned.module, {options.checkMemory, options.profile, options.verify}).run();
  if (!lowered)
    return lowered.takeError();
  impl->lowered = std::move(*lowered);
  if (options.dump)
    owned.module->print(errs(), nullptr);
  auto object = generateCode(*owned.module, **machine);
  if (!object)
    return object.takeError();

  auto &es = (*s)->jit->getExecutionSession();
  std::string name;
  {
    std::lock_guard lock((*s)->mutex);
    name = "program" + std::to_string((*s)->names++);
    (*s)->lastError.clear();
    (*s)->outOfMemory = false;
  }
  orc::JITDylib &dylib = es.createBareJITDylib(name);
  impl->dylib = &dylib;
  dylib.addToLinkOrder(*(*s)->runtime);
  if (Error error = (*s)->jit->addObjectFile(dylib, std::move(*object)))
    return std::move(error);
  auto lookup = [&](StringRef symbol) { return (*s)->jit->lookup(dylib, symbol); };
  auto current = lookup(kCurrentSymbol);
  if (!current) {
    std::lock_guard lock((*s)->mutex);
    std::string reason = toString(current.takeError());
    if ((*s)->outOfMemory)
      return createStringError(std::make_error_code(std::errc::not_enough_memory),
                               outOfMemoryMessage("linking the kernel").c_str());
    return createStringError("cannot link the kernel: " + reason + " " + (*s)->lastError);
  }
  auto budget = lookup(kBudgetSymbol);
  if (!budget)
    return budget.takeError();
  impl->current = current->toPtr<ThreadRegs **>();
  impl->budget = budget->toPtr<int64_t *>();
  if (options.profile) {
    auto profile = lookup(kProfileSymbol);
    if (!profile)
      return profile.takeError();
    impl->profile = profile->toPtr<uint64_t *>();
  }
  for (const KernelInfo &kernel : impl->lowered.kernels) {
    auto entry = lookup((kEntryPrefix + kernel.name).str());
    if (!entry)
      return entry.takeError();
    impl->entries[kernel.name] = entry->toPtr<void (*)(void **)>();
  }
  for (const ModuleGlobal &global : impl->lowered.globals) {
    auto address = lookup(global.name);
    if (!address)
      return address.takeError();
    impl->moduleRanges.add(address->getValue(), global.size, global.name);
    const auto *bytes = address->toPtr<const uint8_t *>();
    impl->initialGlobals.emplace_back(address->toPtr<uint8_t *>(),
                                      std::vector<uint8_t>(bytes, bytes + global.size));
    if (global.isPlaced) {
      auto place = lookup(global.name + kPlaceSuffix.str());
      if (!place)
        return place.takeError();
      impl->placeable[global.name] = {address->toPtr<uint8_t *>(), global.size,
                                      place->toPtr<uint8_t **>()};
    }
    if (StringRef(global.name).starts_with("tensor_map_slots_"))
      impl->mapSlots.emplace_back(reinterpret_cast<const uint32_t *>(bytes), global.size / 4);
  }
  return std::unique_ptr<Program>(new Program(std::move(impl)));
}

std::optional<std::vector<uint8_t>> Program::variable(StringRef name) const {
  auto found = impl->placeable.find(name);
  if (found == impl->placeable.end())
    return std::nullopt;
  const uint8_t *bytes = *found->second.place;
  return std::vector<uint8_t>(bytes, bytes + found->second.size);
}

void Program::placeVariable(StringRef name, void *address) {
  if (auto found = impl->placeable.find(name); found != impl->placeable.end())
    *found->second.place = static_cast<uint8_t *>(address);
}

void Program::resetGlobals() {
  for (auto &variable : impl->placeable)
    *variable.second.place = variable.second.own;
  for (auto &[address, bytes] : impl->initialGlobals)
    if (std::memcmp(address, bytes.data(), bytes.size()) != 0) // constants may not be writable
      std::memcpy(address, bytes.data(), bytes.size());
}

Expected<std::unique_ptr<Program>> Program::parse(StringRef ir, const ProgramOptions &options) {
  auto context = std::make_unique<LLVMContext>();
  SMDiagnostic diagnostic;
  auto buffer = MemoryBuffer::getMemBufferCopy(ir, options.name);
  auto module = parseIR(*buffer, diagnostic, *context);
  if (!module) {
    std::string text;
    raw_string_ostream os(text);
    diagnostic.print("", os, false);
    return createStringError(text);
  }
  return create(std::move(module), std::move(context), options);
}

std::vector<std::string> Program::kernels() const {
  std::vector<std::string> names;
  for (const KernelInfo &kernel : impl->lowered.kernels)
    names.push_back(kernel.name);
  return names;
}

void Program::addRange(const void *base, size_t size, std::string name) {
  impl->ranges.add(reinterpret_cast<uint64_t>(base), size, std::move(name));
}
void Program::clearRanges() {
  impl->ranges.clear();
  impl->unwritten.clear();
}
void Program::addUnwritten(const void *base, size_t size) {
  impl->unwritten.add(reinterpret_cast<uint64_t>(base), size);
}
std::vector<std::pair<uint64_t, uint64_t>> Program::unwritten() const {
  std::vector<std::pair<uint64_t, uint64_t>> spans;
  for (const UnwrittenTable::Span &span : impl->unwritten.rest())
    spans.emplace_back(span.base, span.size);
  return spans;
}

Report Program::launch(StringRef name, const LaunchConfig &given,
                       ArrayRef<std::vector<uint8_t>> args) {
  auto refuse = [](Report::Status status, std::string message) {
    Report report;
    report.status = status;
    report.message = std::move(message);
    return report;
  };
  const KernelInfo *kernel = nullptr;
  for (const KernelInfo &candidate : impl->lowered.kernels)
    if (candidate.name == name)
      kernel = &candidate;
  if (!kernel)
    return refuse(Report::Fault, formatv("no kernel named '{0}'", name));
  if (!kernel->unsupported.empty())
    return refuse(Report::Unsupported, "unsupported " + join(kernel->unsupported, ", "));
  if (args.size() != kernel->parameterBytes.size())
    return refuse(Report::Fault, formatv("kernel '{0}' takes {1} arguments, got {2}", name,
                                         kernel->parameterBytes.size(), args.size()));
  for (size_t i = 0; i < args.size(); ++i)
    if (args[i].size() != kernel->parameterBytes[i])
      return refuse(Report::Fault, formatv("argument {0} of '{1}' has {2} bytes, expected {3}", i,
                                           name, args[i].size(), kernel->parameterBytes[i]));
  LaunchConfig config = given;
  if (kernel->cluster[0]) {
    if (config.cluster == std::array<uint32_t, 3>{1, 1, 1})
      config.cluster = kernel->cluster;
    if (config.cluster != kernel->cluster)
      return refuse(Report::Fault,
                    formatv("cluster of {0} x {1} x {2} blocks, the kernel requires {3} x {4} x "
                            "{5}",
                            config.cluster[0], config.cluster[1], config.cluster[2],
                            kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]));
    for (int i = 0; kernel->blocksAreClusters && i < 3; ++i) {
      if (config.grid[i] > UINT32_MAX / config.cluster[i])
        return refuse(Report::Fault, formatv("{0} clusters in dimension {1} have too many blocks",
                                             config.grid[i], i));
      config.grid[i] *= config.cluster[i];
    }
  }
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (config.grid[i] == 0 || config.block[i] == 0)
      return refuse(Report::Fault, "grid and block sizes must be positive");
    threads *= config.block[i];
    if (kernel->requiredBlock[0] && config.block[i] != kernel->requiredBlock[i])
      return refuse(Report::Fault,
                    formatv("block size {0} in dimension {1}, the kernel requires {2}",
                            config.block[i], i, kernel->requiredBlock[i]));
    if (kernel->maxBlock[0] && config.block[i] > kernel->maxBlock[i])
      return refuse(Report::Fault, formatv("block size {0} in dimension {1}, the kernel allows {2}",
                                           config.block[i], i, kernel->maxBlock[i]));
  }
  uint64_t perCluster = 1;
  for (int i = 0; i < 3; ++i) {
    if (config.cluster[i] == 0 || config.grid[i] % config.cluster[i] != 0)
      return refuse(Report::Fault,
                    formatv("grid size {0} in dimension {1} is not a multiple of the "
                            "cluster size {2}",
                            config.grid[i], i, config.cluster[i]));
    perCluster *= config.cluster[i];
  }
  if (perCluster > 16)
    return refuse(Report::Fault,
                  formatv("{0} blocks in a cluster, at most 16 are possible", perCluster));
  if (threads > 1024)
    return refuse(Report::Fault,
                  formatv("{0} threads in a block, at most 1024 are possible", threads));
  const uint64_t shared = uint64_t{impl->lowered.staticSharedBytes} + config.dynamicSharedBytes;
  const uint64_t available =
      config.maxSharedBytes ? config.maxSharedBytes : uint64_t{SharedWindow::kMaxShared};
  if (shared > available)
    return refuse(Report::Fault, formatv("{0} bytes of shared memory, at most {1} are possible",
                                         shared, available));

  // Kernels must not change the caller's bytes; 16-byte alignment covers every parameter type.
  struct alignas(16) Line {
    uint8_t bytes[16];
  };
  std::vector<std::vector<Line>> copies;
  std::vector<void *> pointers;
  for (const std::vector<uint8_t> &blob : args) {
    copies.emplace_back((blob.size() + 15) / 16 + 1);
    std::memcpy(copies.back().data(), blob.data(), blob.size());
    pointers.push_back(copies.back().data());
  }
  SignalGuard guard;
  if (!guard.ready())
    return refuse(Report::OutOfMemory, outOfMemoryMessage("mapping a stack for signals"));
  auto device = std::make_unique<Device>(*impl, *kernel, config, pointers.data());
  return device->run();
}

} // namespace tilesmith::emulator
