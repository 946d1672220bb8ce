//===- Session.cpp - launches on memory that somebody else owns -------------------------------===//
//
// One launch on each engine that is asked for, what each finds, and where results differ. The three
// ways (reference, emulator, machine code) share a run and its findings, so they stay in one file.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/runtime/Session.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/support/EmulatedModule.h"
#include "compiler/support/GlobalNames.h"
#include "compiler/target/Targets.h"
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/engines/runtime/Capture.h"
#include "oracles/engines/runtime/MachineCode.h"
#include "oracles/engines/runtime/Module.h"
#include "reference/interp/RunCase.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace tilesmith;
using namespace tilesmith::runtime;
using oracles::EngineResult;
using testcase::DataType;

namespace {

std::string position(llvm::StringRef file, int64_t line, int64_t column) {
  return llvm::formatv("{0}:{1}:{2}", file, line, column);
}

/// Takes the place of an operation of the source, as the reference prints it.
void readPosition(Finding &finding, llvm::StringRef location) {
  llvm::SmallVector<llvm::StringRef> groups;
  if (!llvm::Regex("^(.+):([0-9]+):([0-9]+)$").match(location, &groups))
    return;
  finding.file = groups[1].str();
  groups[2].getAsInteger(10, finding.line);
  groups[3].getAsInteger(10, finding.column);
}

/// Takes the place, the block and the thread out of a message of the emulated GPU.
void readPlaces(Finding &finding) {
  llvm::SmallVector<llvm::StringRef> groups;
  if (llvm::Regex(" at ([^ ]+):([0-9]+):([0-9]+)").match(finding.message, &groups)) {
    finding.file = groups[1].str();
    groups[2].getAsInteger(10, finding.line);
    groups[3].getAsInteger(10, finding.column);
  }
  auto read = [&](llvm::StringRef word, std::optional<std::array<int64_t, 3>> &to) {
    if (!llvm::Regex((word + " \\(([0-9]+),([0-9]+),([0-9]+)\\)").str())
             .match(finding.message, &groups))
      return;
    to.emplace();
    for (int i = 0; i < 3; ++i)
      groups[i + 1].getAsInteger(10, (*to)[i]);
  };
  read("block", finding.block);
  read("thread", finding.thread);
}

} // namespace

std::string Finding::str() const {
  std::string text = "kernel '" + kernel + "', engine " + engine + ": " + kind + ": " + message;
  auto add = [&](llvm::StringRef word, const std::optional<std::array<int64_t, 3>> &at) {
    if (at && !llvm::StringRef(message).contains((word + " (").str()))
      text += llvm::formatv(", {0} ({1},{2},{3})", word, (*at)[0], (*at)[1], (*at)[2]);
  };
  add("block", block);
  add("thread", thread);
  if (!file.empty() && !llvm::StringRef(message).contains(position(file, line, column)))
    text += ", at " + position(file, line, column);
  return text;
}

namespace {

/// One engine of the list.
struct EngineLine {
  oracles::EngineSpec spec;
  std::string name;                        ///< as it was asked for
  std::unique_ptr<oracles::Engine> engine; ///< null for the two that work in place
};

/// What a run left, beside the bytes.
struct Left {
  std::vector<testcase::Bytes> bytes; ///< one per range
  /// By range, from the reference only.
  std::vector<testcase::Bytes> ignored;
  std::vector<std::shared_ptr<const testcase::Enclosure>> bounds;
  std::optional<reference::WatchedStore> watched;
  std::string falseAssumption; ///< the kernel's: what a compiler makes of it proves nothing
};

struct Run {
  const Launch &launch;
  const Entry &entry;
  const Settings &settings;
  LaunchResult &result;

  Finding &found(const EngineLine &line, llvm::StringRef kind, std::string message) {
    Finding &finding = result.findings.emplace_back();
    finding.engine = line.name;
    finding.kind = kind.str();
    finding.message = std::move(message);
    finding.kernel = entry.name;
    return finding;
  }

  /// The type that a parameter gives to the elements of a range.
  DataType typeOf(const Range &range) const {
    for (auto [parameter, bytes] : llvm::zip(entry.parameters, launch.arguments)) {
      if (!parameter.isPointer)
        continue;
      uint64_t address;
      std::memcpy(&address, bytes.data(), 8);
      unsigned size = testcase::sizeInBytes(parameter.dtype);
      if (address - reinterpret_cast<uint64_t>(range.base) < range.size && range.size % size == 0)
        return parameter.dtype;
    }
    return DataType::U8;
  }
  testcase::Buffer shapeOf(const Range &range) const {
    testcase::Buffer buffer;
    buffer.dtype = typeOf(range);
    buffer.shape = {int64_t(range.size / testcase::sizeInBytes(buffer.dtype))};
    buffer.strides = {1};
    return buffer;
  }
};

/// What was found; faults that the language knows have the labels of its rules.
llvm::StringRef kindOf(const emulator::Report &report) {
  switch (report.status) {
  case emulator::Report::Completed:
  case emulator::Report::Fault:
    if (llvm::StringRef(report.message).starts_with("uninitialised"))
      return "uninitialised-read";
    for (llvm::StringRef label : {"data-race", "out-of-bounds", "misaligned", "null-pointer"})
      if (report.message.find(llvm::join(llvm::split(label, '-'), " ")) != std::string::npos)
        return label;
    return "fault";
  case emulator::Report::Trapped:
    return "assertion";
  case emulator::Report::Deadlock:
    return "deadlock";
  case emulator::Report::Timeout:
    return "time-limit";
  case emulator::Report::Unsupported:
    return "unsupported";
  case emulator::Report::OutOfMemory:
    return "memory-limit";
  }
  llvm_unreachable("all statuses are listed");
}

llvm::Expected<Compiled *> compileForEmulator(Module &module,
                                              const oracles::EngineOptions &options) {
  std::string key = compileWords(options);
  if (auto it = module.compiled.find(key); it != module.compiled.end())
    return &it->second;
  CompileOptions compile = options.compile;
  compile.debugInfo = target::DebugInfo::Lines; // faults name places in the source kernel
  auto device = compileToDeviceModule(module.op, compile);
  if (!device)
    return device.takeError();
  emulator::ProgramOptions program;
  program.verify = false; // the compiler has done so
  program.dump = options.emulator.dumpLowered;
  auto created =
      emulator::Program::create(std::move(device->module), std::move(device->context), program);
  if (!created)
    return created.takeError();
  Compiled &compiled = module.compiled[key];
  compiled.program = std::move(*created);
  compiled.kernels = std::move(device->kernels);
  return &compiled;
}

void runOnEmulator(Run &run, const EngineLine &line) {
  oracles::EngineOptions options = line.spec.settings.applyTo(run.settings.options, run.entry.name);
  auto compiled = compileForEmulator(*run.launch.module, options);
  if (!compiled) {
    run.found(line, "compile-error", llvm::toString(compiled.takeError()));
    readPlaces(run.result.findings.back());
    return;
  }
  const target::KernelInfo *kernel =
      llvm::find_if(llvm::ArrayRef((*compiled)->kernels),
                    [&](auto &info) { return info.name == run.entry.name; });
  emulator::LaunchConfig config;
  for (int i = 0; i < 3; ++i)
    config.grid[i] = static_cast<uint32_t>(run.launch.grid[i]);
  config.block[0] = kernel->threads;
  config.dynamicSharedBytes = kernel->sharedBytes;
  if (const target::GpuTarget *gpu = target::lookupGpuTarget(options.compile.gpuName))
    config.maxSharedBytes = static_cast<uint64_t>(gpu->maxSharedBytes);
  config.schedule = *emulator::parseSchedule(options.emulator.schedule);
  // The first-come order sees copies land at once, the others as late as a wait allows.
  if (config.schedule != emulator::Schedule::FIFO)
    config.async = emulator::AsyncCompletion::Lazy;
  config.seed = options.seed;
  config.detectRaces = options.emulator.detectRaces;
  config.reportUninitialised = run.settings.reportUninitialised;
  config.maxMillis = static_cast<uint64_t>(run.settings.seconds * 1000);
  emulator::Program &program = *(*compiled)->program;
  program.clearRanges();
  // Without any range the emulator would check nothing.
  static const uint8_t nothing = 0;
  program.addRange(&nothing, 1, "no memory");
  for (const Range &range : run.launch.ranges)
    program.addRange(range.base, range.size, range.name);
  for (const auto &[name, address] : run.launch.variables)
    program.placeVariable(visibleGlobalName(name), address);
  run.launch.module->last = &program;
  for (const Span &span : run.launch.unwritten)
    program.addUnwritten(reinterpret_cast<const void *>(span.base), span.size);
  emulator::Report report = program.launch(run.entry.name, config, run.launch.arguments);
  run.result.printed += report.printed;
  if (config.reportUninitialised)
    for (auto [base, size] : program.unwritten())
      run.result.unwritten.push_back({base, size});
  if (report.ok())
    return;
  Finding &finding = run.found(line, kindOf(report), report.message);
  finding.undecided = report.status >= emulator::Report::Timeout;
  readPlaces(finding);
}

/// The spans, or what is left of them: bytes in a state of the reference.
template <typename F>
void forEachSpan(reference::Memory &memory, llvm::ArrayRef<Span> spans, F &&f) {
  for (const Span &span : spans)
    if (reference::Allocation *allocation = memory.find(span.base)) {
      const uint64_t first = span.base - allocation->base;
      const uint64_t size = std::min(span.size, allocation->size() - first);
      f(span.base, llvm::MutableArrayRef(allocation->states).slice(first, size));
    }
}

std::vector<Span> stillUnwritten(reference::Memory &memory, llvm::ArrayRef<Span> spans) {
  using reference::ByteState;
  std::vector<Span> left;
  forEachSpan(memory, spans, [&](uint64_t base, llvm::ArrayRef<ByteState> states) {
    while (!states.empty()) {
      const size_t written = llvm::find(states, ByteState::Uninitialised) - states.begin();
      states = states.drop_front(written);
      const size_t size =
          llvm::find_if(states, [](ByteState s) { return s != ByteState::Uninitialised; }) -
          states.begin();
      if (size)
        left.push_back({base + written, size});
      base += written + size;
      states = states.drop_front(size);
    }
  });
  return left;
}

/// `watched`: an address whose last store is wanted.
void runOnReference(Run &run, const EngineLine &line, bool bounds, Left &left,
                    uint64_t watched = 0) {
  Module &module = *run.launch.module;
  reference::Interpreter &interpreter = module.interpreter(run.settings.seconds);
  reference::Memory &memory = interpreter.memory();
  std::vector<uint64_t> placed;
  auto release = [&] {
    for (uint64_t base : placed)
      memory.release(base);
  };
  for (const Range &range : run.launch.ranges) {
    uint64_t base = reinterpret_cast<uint64_t>(range.base);
    if (llvm::Error error = memory.allocateAt(base, range.name, {range.base, range.size})) {
      run.found(line, "memory-limit", llvm::toString(std::move(error))).undecided = true;
      return release();
    }
    placed.push_back(base);
  }
  const bool tracks = run.settings.reportUninitialised;
  if (tracks)
    forEachSpan(memory, run.launch.unwritten, [](uint64_t, auto states) {
      llvm::fill(states, reference::ByteState::Uninitialised);
    });
  reference::LaunchRequest request;
  request.entry = run.entry.name;
  request.grid = run.launch.grid;
  request.seed = run.settings.options.seed;
  request.detectRaces = true;
  request.watched = watched;
  request.strictAssume = run.settings.strictAssumptions;
  request.domain = bounds ? reference::Domain::Enclosure : reference::Domain::Concrete;
  for (const std::vector<uint8_t> &argument : run.launch.arguments) {
    uint64_t bits = 0;
    std::memcpy(&bits, argument.data(), argument.size());
    request.arguments.push_back(bits);
  }
  for (const auto &[name, address] : run.launch.variables)
    request.placed.emplace_back(name, reinterpret_cast<uint64_t>(address));
  module.last = &interpreter;
  reference::Outcome outcome = interpreter.launch(module.op, request);
  if (tracks)
    run.result.unwritten = stillUnwritten(memory, run.launch.unwritten);
  run.result.printed += outcome.printed();
  left.watched = std::move(outcome.watched);
  left.falseAssumption = std::move(outcome.falseAssumption);
  if (!outcome.completed()) {
    using Kind = reference::Outcome::Kind;
    bool trapped = outcome.kind == Kind::Trapped;
    std::string message = outcome.message;
    if (!outcome.op.empty())
      message += " at '" + outcome.op + "'";
    Finding &finding = run.found(line,
                                 trapped                  ? "assertion"
                                 : outcome.detail.empty() ? reference::spelling(outcome.kind)
                                                          : outcome.detail,
                                 std::move(message));
    finding.block = outcome.block;
    finding.undecided = outcome.kind == Kind::Inconclusive || outcome.kind == Kind::Unsupported;
    readPosition(finding, outcome.location);
    return release();
  }
  for (const Range &range : run.launch.ranges) {
    const reference::Allocation &allocation = *memory.find(reinterpret_cast<uint64_t>(range.base));
    if (bounds) {
      reference::BufferResult buffer = reference::readBuffer(allocation, run.shapeOf(range));
      left.ignored.push_back(std::move(buffer.ignored));
      left.bounds.push_back(std::move(buffer.enclosure));
    }
    std::memcpy(range.base, allocation.bytes.data(), range.size);
  }
  release();
}

/// Engines that know test cases only.
void runAsCase(Run &run, const EngineLine &line) {
  if (!run.launch.variables.empty()) {
    run.found(line, "unsupported",
              "variable '" + run.launch.variables.front().first +
                  "' lies in memory of the program, where this engine cannot put it")
        .undecided = true;
    return;
  }
  auto testCase = toTestCase(run.launch, run.entry, run.launch.module->bytecode, run.entry.name);
  if (!testCase) {
    run.found(line, "unsupported", llvm::toString(testCase.takeError())).undecided = true;
    return;
  }
  EngineResult result = line.engine->run(
      {*testCase, testCase->launches.front().modules.front().version, run.settings.options});
  run.result.printed += result.printed;
  if (!result.completed()) {
    using Status = EngineResult::Status;
    Finding &finding = run.found(line, oracles::toString(result.status), result.message);
    finding.undecided = result.status == Status::Inconclusive ||
                        result.status == Status::Unsupported ||
                        result.status == Status::Unavailable;
    readPlaces(finding);
    return;
  }
  std::vector<const Range *> ranges = rangesOfCase(run.launch, run.entry);
  for (auto [range, buffer] : llvm::zip(ranges, result.buffers))
    if (range)
      std::memcpy(range->base, buffer.bytes.data(), range->size);
}

llvm::StringRef kindOf(const sass::Report &report) {
  switch (report.status) {
  case sass::Report::Completed:
  case sass::Report::Fault:
    if (llvm::StringRef(report.message).contains("out of bounds"))
      return "out-of-bounds";
    if (llvm::StringRef(report.message).contains("misaligned"))
      return "misaligned";
    return "fault";
  case sass::Report::Trapped:
    return "assertion";
  case sass::Report::Deadlock:
    return "deadlock";
  case sass::Report::Timeout:
    return "time-limit";
  case sass::Report::Unsupported:
    return "unsupported";
  }
  llvm_unreachable("all statuses are listed");
}

/// A cubin on the machine-code device, at the addresses of the caller.
void runMachineCode(Run &run, const EngineLine &line) {
  sass::Program &program = *run.launch.module->machineCode;
  const oracles::EngineOptions &options = run.settings.options;
  sass::LaunchConfig config;
  for (int i = 0; i < 3; ++i)
    config.grid[i] = static_cast<uint32_t>(run.launch.grid[i]);
  // Of bytecode a launch has no threads, so the cubin made of it says how many.
  config.block =
      run.launch.module->bytecode.empty() ? run.launch.block : program.blockOf(run.entry.name);
  config.dynamicSharedBytes = run.launch.sharedBytes;
  config.setSchedule(options.emulator.schedule);
  config.seed = options.seed;
  config.maxInstructions = 0; // the clock decides
  config.maxMillis = static_cast<uint64_t>(run.settings.seconds * 1000);
  program.clearRanges();
  for (const Range &range : run.launch.ranges)
    program.addRange(range.base, range.size, range.name);
  for (const auto &[name, address] : run.launch.variables)
    program.placeVariable(run.launch.module->bytecode.empty() ? name : visibleGlobalName(name),
                          address);
  run.launch.module->last = &program;
  sass::Report report = program.launch(run.entry.name, config, run.launch.arguments);
  run.result.printed += report.printed;
  if (report.ok())
    return;
  Finding &finding = run.found(line, kindOf(report), report.message);
  finding.undecided = report.status >= sass::Report::Timeout;
  readPlaces(finding);
  llvm::SmallVector<llvm::StringRef> groups;
  uint64_t offset = 0;
  if (llvm::Regex(" at 0x([0-9a-f]+):").match(report.message, &groups) &&
      !groups[1].getAsInteger(16, offset))
    if (auto place = lineOf(run.launch.module->cubin, run.entry.name, offset)) {
      finding.file = std::move(place->file);
      finding.line = place->line;
    }
}

/// Runs the reference once more, to know which store wrote the byte at an address. The memory stays
/// as it is.
void placeStore(Run &run, Finding &finding, llvm::ArrayRef<testcase::Bytes> before,
                uint64_t address) {
  std::vector<testcase::Bytes> now;
  for (auto [range, bytes] : llvm::zip(run.launch.ranges, before)) {
    now.emplace_back(range.base, range.base + range.size);
    std::memcpy(range.base, bytes.data(), bytes.size());
  }
  LaunchResult unused;
  Run again{run.launch, run.entry, run.settings, unused};
  Left left;
  runOnReference(again, {}, /*bounds=*/false, left, address);
  for (auto [range, bytes] : llvm::zip(run.launch.ranges, now))
    std::memcpy(range.base, bytes.data(), bytes.size());
  if (!left.watched)
    return;
  finding.message += ", stored by '" + left.watched->op + "'";
  finding.block = left.watched->block;
  readPosition(finding, left.watched->location);
}

/// A kernel that assumes what is not so gave the compiler leave to do what it did.
void noteAssumption(Finding &finding, const Left &reference) {
  if (reference.falseAssumption.empty())
    return;
  finding.undecided = true;
  finding.message += "; " + reference.falseAssumption;
}

/// Says where two engines differ, and which store of the kernel left the element. `first` may hold
/// bounds; `before` is what the launch began with.
void compare(Run &run, const EngineLine &firstLine, const Left &first, const EngineLine &line,
             const Left &second, llvm::ArrayRef<testcase::Bytes> before) {
  for (auto [i, range] : llvm::enumerate(run.launch.ranges)) {
    testcase::Buffer buffer = run.shapeOf(range);
    buffer.data = first.bytes[i];
    testcase::Bytes ignored = i < first.ignored.size() ? first.ignored[i] : testcase::Bytes();
    const testcase::Enclosure *bounds = i < first.bounds.size() ? first.bounds[i].get() : nullptr;
    testcase::CompareResult result;
    if (bounds) {
      if (ignored.empty())
        ignored = bounds->vacuous;
      else if (!bounds->vacuous.empty())
        llvm::transform(llvm::zip(ignored, bounds->vacuous), ignored.begin(),
                        [](auto pair) { return uint8_t(std::get<0>(pair) | std::get<1>(pair)); });
      result = testcase::compareEnclosed(buffer, second.bytes[i], bounds->bandLow, bounds->bandHigh,
                                         ignored);
    } else {
      result = testcase::compareBuffer(buffer, second.bytes[i], first.bytes[i], {}, ignored);
    }
    if (result.ok())
      continue;
    EngineLine both;
    both.name = line.name + " against " + firstLine.name;
    Finding &finding =
        run.found(both, "mismatch", range.name + ": " + testcase::describe(buffer, result));
    if (result.first)
      placeStore(run, finding, before,
                 reinterpret_cast<uint64_t>(range.base) +
                     result.first->element * testcase::sizeInBytes(buffer.dtype));
    noteAssumption(finding, first);
    return;
  }
}

} // namespace

struct Session::Impl {
  Settings settings;
  std::vector<EngineLine> engines;
  std::vector<std::unique_ptr<Module>> modules;
  uint64_t launches = 0;
};

Session::Session() : impl(std::make_unique<Impl>()) {
  llvm::cantFail(configure(Settings()));
}
Session::~Session() = default;

llvm::Error Session::configure(const Settings &settings) {
  auto engines = oracles::createEngines(settings.engines);
  if (!engines)
    return engines.takeError();
  std::vector<EngineLine> lines;
  for (std::unique_ptr<oracles::Engine> &engine : *engines) {
    auto spec = oracles::parseEngineSpec(engine->name());
    if (!spec)
      return spec.takeError();
    EngineLine &line = lines.emplace_back();
    line.spec = std::move(*spec);
    line.name = engine->name().str();
    if (line.spec.name != "reference" && line.spec.name != "emulator")
      line.engine = std::move(engine);
  }
  impl->settings = settings;
  impl->engines = std::move(lines);
  return llvm::Error::success();
}

llvm::Error Session::set(Settings &settings, llvm::StringRef name, llvm::StringRef value) {
  auto expected = [&](const llvm::Twine &what) {
    return llvm::createStringError("expected " + what + " for '" + name + "', found '" + value +
                                   "'");
  };
  auto readSwitch = [&](bool &flag) -> llvm::Error {
    if (value != "1" && value != "0" && value != "true" && value != "false")
      return expected("true or false");
    flag = value == "1" || value == "true";
    return llvm::Error::success();
  };
  if (name == "engine") {
    auto engines = oracles::createEngines(value);
    if (!engines)
      return engines.takeError();
    settings.engines = value.str();
    return llvm::Error::success();
  }
  if (name == "uninitialised")
    return readSwitch(settings.reportUninitialised);
  if (name == "capture-findings")
    return readSwitch(settings.captureFindings);
  if (name == "strict-assumptions")
    return readSwitch(settings.strictAssumptions);
  if (name == "capture") {
    settings.capture = value.str();
    return llvm::Error::success();
  }
  if (name == "time-limit") {
    double seconds;
    if (value.getAsDouble(seconds) || !(seconds > 0) || seconds > 1e6)
      return expected("a number of seconds");
    settings.seconds = seconds;
    return llvm::Error::success();
  }
  return oracles::parseEngineOptions({optionWord(name, value)}, settings.options);
}

llvm::Expected<Module *> Session::load(llvm::StringRef image, unsigned sm) {
  if (isMachineCode(image)) {
    auto cubin = readMachineCode(image, sm);
    if (!cubin)
      return cubin.takeError();
    auto module = std::make_unique<Module>("", oracles::EngineOptions());
    if (llvm::Error error = module->readCubin(*cubin))
      return std::move(error);
    return impl->modules.emplace_back(std::move(module)).get();
  }
  EmulatedModule file;
  file.bytecode = image.str();
  oracles::EngineOptions options;
  if (EmulatedModule::hasMagic(image)) {
    std::string why;
    auto parsed = EmulatedModule::parse(image, why);
    if (!parsed)
      return llvm::createStringError(why);
    file = std::move(*parsed);
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(file.options).split(lines, '\n', -1, false);
    std::vector<std::string> words(lines.begin(), lines.end());
    if (llvm::Error error = oracles::parseEngineOptions(words, options))
      return std::move(error);
  } else if (!bytecode::isTileIRBytecode(image)) {
    return llvm::createStringError("expected Tile IR bytecode or a module of 'tileiras "
                                   "--emit=emulated' or a cubin, found other data");
  }
  auto module = std::make_unique<Module>(std::move(file.bytecode), std::move(options));
  if (llvm::Error error = module->read())
    return std::move(error);
  if (!file.cubin.empty())
    if (llvm::Error error = module->readMachineCode(llvm::arrayRefFromStringRef(file.cubin)))
      return std::move(error);
  return impl->modules.emplace_back(std::move(module)).get();
}

void Session::unload(Module *module) {
  llvm::erase_if(impl->modules, [&](auto &owned) { return owned.get() == module; });
}

llvm::ArrayRef<Entry> Session::entries(const Module &module) {
  return module.entries;
}

llvm::Expected<std::optional<std::vector<uint8_t>>> Session::variable(Module &module,
                                                                      llvm::StringRef name) {
  if (module.bytecode.empty())
    return module.machineCode->variable(name);
  for (auto global : module.op.getBody().front().getOps<cuda_tile::GlobalOp>()) {
    if (global.getSymName() != name ||
        global.getSymbolVisibility() == cuda_tile::SymbolVisibility::Private)
      continue;
    if (global.getConstant())
      return llvm::createStringError("'" + name +
                                     "' is a constant of bytecode, of which engines have copies of "
                                     "their own; expected a variable, or a cubin");
    std::optional<std::vector<uint8_t>> left;
    const std::string compiled = visibleGlobalName(name);
    if (auto *const *program = std::get_if<emulator::Program *>(&module.last))
      left = (*program)->variable(compiled);
    else if (auto *const *cubin = std::get_if<sass::Program *>(&module.last))
      left = (*cubin)->variable(compiled);
    // What no launch has touched is what the module says.
    return left ? std::move(left)
                : module.interpreter(impl->settings.seconds).global(module.op, name);
  }
  return std::nullopt;
}

static llvm::Error checkLaunch(const Launch &launch, const Entry &entry) {
  uint64_t blocks = 1;
  for (int64_t extent : launch.grid) {
    if (extent < 1 || extent >= int64_t(1) << 24)
      return llvm::createStringError(
          llvm::formatv("expected grid extents from 1 to 16777215, found {0}", extent).str());
    blocks *= static_cast<uint64_t>(extent);
    if (blocks > uint64_t(1) << 40)
      return llvm::createStringError("expected at most 2^40 tile blocks in a grid, found more");
  }
  if (launch.arguments.size() != entry.parameters.size())
    return llvm::createStringError(llvm::formatv("expected {0} arguments for '{1}', found {2}",
                                                 entry.parameters.size(), entry.name,
                                                 launch.arguments.size())
                                       .str());
  for (auto [i, parameter] : llvm::enumerate(entry.parameters))
    if (launch.arguments[i].size() != parameter.size)
      return llvm::createStringError(
          llvm::formatv("expected {0} bytes for argument {1} of '{2}', found {3}", parameter.size,
                        i, entry.name, launch.arguments[i].size())
              .str());
  return llvm::Error::success();
}

llvm::Expected<LaunchResult> Session::launch(const Launch &launch) {
  Module &module = *launch.module;
  const Entry *entry = llvm::find_if(llvm::ArrayRef(module.entries),
                                     [&](const Entry &e) { return e.name == launch.entry; });
  if (entry == module.entries.data() + module.entries.size())
    return llvm::createStringError("expected an entry of the module, found '" + launch.entry + "'");
  if (llvm::Error error = checkLaunch(launch, *entry))
    return std::move(error);

  // What the module was to be compiled with, under what the session was told.
  Settings settings = impl->settings;
  oracles::EngineOptions options = module.options;
  if (llvm::Error error =
          oracles::parseEngineOptions(oracles::printEngineOptions(settings.options), options))
    return std::move(error);
  settings.options = std::move(options);

  LaunchResult result;
  Run run{launch, *entry, settings, result};
  if (module.bytecode.empty()) {
    EngineLine device;
    device.name = "sass";
    runMachineCode(run, device);
    return result;
  }
  const bool several = impl->engines.size() > 1;
  std::vector<testcase::Bytes> before;
  if (several || !settings.capture.empty())
    for (const Range &range : launch.ranges)
      before.emplace_back(range.base, range.base + range.size);
  auto restore = [&] {
    for (auto [range, bytes] : llvm::zip(launch.ranges, before))
      std::memcpy(range.base, bytes.data(), bytes.size());
  };

  std::vector<std::pair<const EngineLine *, Left>> lefts;
  std::string printed;
  for (const EngineLine &line : impl->engines) {
    if (&line != impl->engines.data())
      restore();
    size_t findings = result.findings.size();
    result.printed.clear();
    result.unwritten.clear();
    Left left;
    if (line.engine && line.name == "sass" && module.hasCubinFor(settings.options))
      runMachineCode(run, line);
    else if (line.engine)
      runAsCase(run, line);
    else if (line.spec.name == "reference")
      runOnReference(run, line, several, left);
    else
      runOnEmulator(run, line);
    if (result.findings.size() != findings || !several)
      continue;
    for (const Range &range : launch.ranges)
      left.bytes.emplace_back(range.base, range.base + range.size);
    lefts.emplace_back(&line, std::move(left));
  }
  auto judge =
      llvm::find_if(lefts, [](auto &left) { return left.first->spec.name == "reference"; });
  if (judge == lefts.end())
    judge = lefts.begin();
  for (auto &left : lefts)
    if (&left != &*judge)
      compare(run, *judge->first, judge->second, *left.first, left.second, before);

  // A case has what the module says in its variables, not what the program has put there.
  if (!settings.capture.empty() && launch.variables.empty() &&
      (!settings.captureFindings || !result.ok())) {
    std::string name =
        llvm::formatv("{0}-{1}-{2}", shortName(entry->name), ::getpid(), impl->launches++);
    auto folder =
        captureLaunch(launch, *entry, module.bytecode, before, settings.capture, name, result);
    if (!folder)
      return folder.takeError();
    result.captured = std::move(*folder);
  }
  return result;
}
