//===- EmulateCommand.cpp - tilesmith emulate FILE.ll -----------------------------------------===//
//
// Runs a kernel of an LLVM IR module on the emulated GPU: the front door for code that our
// compiler did not write. One run per schedule, each on fresh memory; results that differ between
// schedules are a failure like a reported fault.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/InputFile.h"
#include "compiler/support/WriteFile.h"
#include "fuzz/cli/Commands.h"
#include "oracles/devices/emulator/Emulator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::emulateCommand() {
  static cl::SubCommand command("emulate", "run a kernel in LLVM IR on the emulated GPU");
  return command;
}

namespace {

cl::opt<std::string> input(cl::Positional, cl::desc("FILE.ll"), cl::sub(emulateCommand()));
cl::opt<std::string> kernelName("kernel", cl::desc("kernel to run (default: the only one)"),
                                cl::value_desc("NAME"), cl::sub(emulateCommand()));
cl::opt<std::string> gridSize("grid", cl::desc("blocks (default 1)"), cl::value_desc("X[,Y,Z]"),
                              cl::init("1"), cl::sub(emulateCommand()));
cl::opt<std::string> blockSize("block", cl::desc("threads of a block (default 1)"),
                               cl::value_desc("X[,Y,Z]"), cl::init("1"), cl::sub(emulateCommand()));
cl::opt<std::string> clusterSize("cluster", cl::desc("blocks of a cluster (default 1)"),
                                 cl::value_desc("X[,Y,Z]"), cl::init("1"),
                                 cl::sub(emulateCommand()));
cl::opt<unsigned> sharedBytes("shared", cl::desc("dynamic shared memory"), cl::value_desc("BYTES"),
                              cl::init(0), cl::sub(emulateCommand()));
cl::opt<std::string>
    scheduleText("schedule",
                 cl::desc("fifo, lifo, random:SEED, seed:N (everything from one number) or all"),
                 cl::init("fifo"), cl::sub(emulateCommand()));
cl::opt<std::string> asyncText("async", cl::desc("when copies land: eager or lazy"),
                               cl::init("eager"), cl::sub(emulateCommand()));
cl::opt<unsigned> resident("resident", cl::desc("blocks that run at the same time"), cl::init(0),
                           cl::sub(emulateCommand()));
cl::opt<bool> races("races", cl::desc("report data races (default)"), cl::init(true),
                    cl::sub(emulateCommand()));
cl::opt<bool> uninitialised("uninitialised",
                            cl::desc("report reads of shared memory that nobody wrote (default)"),
                            cl::init(true), cl::sub(emulateCommand()));
cl::opt<bool> dumpLowered("dump-lowered",
                          cl::desc("print the LLVM IR that is run to standard error"),
                          cl::sub(emulateCommand()));
cl::opt<bool> showCounters("counters", cl::desc("print instruction and memory counters"),
                           cl::sub(emulateCommand()));
cl::opt<unsigned> timeLimit("timeout", cl::desc("wall clock per run (default 60000)"),
                            cl::value_desc("MS"), cl::init(60'000), cl::sub(emulateCommand()));
cl::list<std::string> arguments(
    "arg",
    cl::desc("next parameter: i8:, i16:, i32:, i64:, f32: or f64:VALUE, in:FILE (contents), "
             "zero:BYTES, out:FILE[:BYTES] (written after the run; its size is BYTES, else that of "
             "the file, else that of the largest other buffer)"),
    cl::value_desc("KIND:VALUE"), cl::sub(emulateCommand()));

/// A parameter: a scalar's bytes, or a buffer.
struct Parameter {
  std::vector<uint8_t> bytes;
  bool isBuffer = false;
  std::string name, output;
};

std::optional<std::array<uint32_t, 3>> parseExtent(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  std::array<uint32_t, 3> extent{1, 1, 1};
  if (parts.size() > 3)
    return std::nullopt;
  for (auto [i, part] : llvm::enumerate(parts))
    if (part.getAsInteger(10, extent[i]) || extent[i] == 0)
      return std::nullopt;
  return extent;
}

llvm::Expected<std::vector<uint8_t>> readFile(llvm::StringRef path) {
  auto buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  return std::vector<uint8_t>((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
}

template <typename T> std::vector<uint8_t> bytesOf(T value) {
  return emulator::argument(value);
}

llvm::Expected<Parameter> parseParameter(llvm::StringRef text) {
  auto [kind, value] = text.split(':');
  Parameter parameter;
  parameter.name = text.str();
  auto bad = [&](const char *wanted) {
    return llvm::createStringError(
        llvm::formatv("expected {0}, found --arg {1}", wanted, text).str());
  };
  if (kind.size() > 1 && kind[0] == 'i' && kind != "in") {
    unsigned width;
    int64_t number;
    uint64_t unsignedNumber = 0;
    if (kind.drop_front().getAsInteger(10, width) ||
        (width != 8 && width != 16 && width != 32 && width != 64))
      return bad("i8, i16, i32 or i64");
    if (value.getAsInteger(0, number)) {
      if (value.getAsInteger(0, unsignedNumber))
        return bad("an integer");
      number = static_cast<int64_t>(unsignedNumber);
    }
    if (width < 64 && (number < -(int64_t{1} << (width - 1)) || number >= int64_t{1} << width))
      return bad(("an integer of " + std::to_string(width) + " bits").c_str());
    parameter.bytes = bytesOf(number);
    parameter.bytes.resize(width / 8);
    return parameter;
  }
  double number;
  if (kind == "f32" || kind == "f64") {
    if (value.getAsDouble(number))
      return bad("a number");
    parameter.bytes = kind == "f32" ? bytesOf(static_cast<float>(number)) : bytesOf(number);
    return parameter;
  }
  parameter.isBuffer = true;
  if (kind == "zero") {
    uint64_t size;
    if (value.getAsInteger(10, size) || size > kMaxInputBytes)
      return bad("a size of at most 4 GiB");
    parameter.bytes.resize(size);
    return parameter;
  }
  if (kind == "in") {
    auto contents = readFile(value);
    if (!contents)
      return contents.takeError();
    parameter.bytes = std::move(*contents);
    return parameter;
  }
  if (kind == "out") {
    auto [path, sizeText] = value.rsplit(':');
    uint64_t size;
    if (!sizeText.empty() && !sizeText.getAsInteger(10, size)) {
      if (size > kMaxInputBytes)
        return bad("a size of at most 4 GiB");
      parameter.output = path.str();
      parameter.bytes.resize(size);
    } else {
      parameter.output = value.str();
      if (auto contents = readFile(value))
        parameter.bytes = std::move(*contents);
      else
        llvm::consumeError(contents.takeError());
    }
    if (parameter.output.empty())
      return bad("a file name");
    return parameter;
  }
  return bad("i8:, i16:, i32:, i64:, f32:, f64:, in:, out: or zero:");
}

/// The configurations that --schedule asks for.
std::optional<std::vector<emulator::LaunchConfig>> schedules(emulator::LaunchConfig base) {
  using namespace emulator;
  std::vector<LaunchConfig> result;
  llvm::StringRef text = scheduleText;
  if (text == "all") {
    for (AsyncCompletion async : {AsyncCompletion::Eager, AsyncCompletion::Lazy})
      for (auto [schedule, seed] :
           {std::pair{Schedule::FIFO, 0}, std::pair{Schedule::LIFO, 0},
            std::pair{Schedule::Random, 1}, std::pair{Schedule::Random, 2}}) {
        base.schedule = schedule, base.seed = seed, base.async = async;
        result.push_back(base);
      }
    return result;
  }
  if (text.consume_front("seed:")) {
    uint64_t seed;
    if (text.getAsInteger(10, seed))
      return std::nullopt;
    chooseSchedule(base, seed);
    return std::vector{base};
  }
  if (text.consume_front("random:")) {
    if (text.getAsInteger(10, base.seed))
      return std::nullopt;
    base.schedule = Schedule::Random;
    return std::vector{base};
  }
  auto schedule = parseSchedule(text);
  if (!schedule)
    return std::nullopt;
  base.schedule = *schedule;
  return std::vector{base};
}

void printCounters(const emulator::Counters &c) {
  llvm::outs() << llvm::formatv(
      "  instructions {0}, threads {1}, barriers {2}, collectives {3}, mma operations {4}, "
      "asynchronous bytes {5}\n"
      "  global: {6} accesses, {7} sectors, {8} needed; shared: {9} accesses, {10} wavefronts, "
      "{11} bank conflicts\n  ",
      c.instructions, c.threads, c.barriers, c.collectives, c.mmas, c.asyncBytes, c.globalAccesses,
      c.globalSectors, c.idealSectors, c.sharedAccesses, c.sharedWavefronts, c.bankConflicts);
  for (auto [i, name] : llvm::enumerate(emulator::instructionClassNames()))
    llvm::outs() << (i ? ", " : "") << name << ' ' << c.classes[i];
  llvm::outs() << '\n';
}

} // namespace

int tilesmith::fuzz::runEmulate() {
  if (input.empty())
    return usageError("expected a file with LLVM IR");
  emulator::LaunchConfig base;
  for (auto [text, extent] : {std::pair{&gridSize, &base.grid}, std::pair{&blockSize, &base.block},
                              std::pair{&clusterSize, &base.cluster}}) {
    auto parsed = parseExtent(*text);
    if (!parsed)
      return usageError("expected X[,Y,Z] for --" + text->ArgStr + ", found '" + *text + "'");
    *extent = *parsed;
  }
  if (asyncText != "eager" && asyncText != "lazy")
    return usageError("expected --async=eager or lazy, found '" + asyncText + "'");
  base.async =
      asyncText == "lazy" ? emulator::AsyncCompletion::Lazy : emulator::AsyncCompletion::Eager;
  base.dynamicSharedBytes = sharedBytes;
  base.residentBlocks = resident;
  base.detectRaces = races;
  base.reportUninitialised = uninitialised;
  base.countAccesses = showCounters;
  base.maxMillis = timeLimit;
  auto configs = schedules(base);
  if (!configs)
    return usageError("expected --schedule=fifo, lifo, random:SEED, seed:N or all, found '" +
                      scheduleText + "'");

  std::vector<Parameter> parameters;
  size_t largest = 0;
  for (const std::string &text : arguments) {
    auto parameter = parseParameter(text);
    if (!parameter)
      return usageError(parameter.takeError());
    if (parameter->isBuffer)
      largest = std::max(largest, parameter->bytes.size());
    parameters.push_back(std::move(*parameter));
  }
  std::vector<std::string> read{input};
  for (llvm::StringRef text : arguments)
    if (text.consume_front("in:"))
      read.push_back(text.str());
  for (const Parameter &parameter : parameters)
    if (llvm::Error error = checkOutputFile(parameter.output, read))
      return usageError(std::move(error));
  for (Parameter &parameter : parameters)
    if (!parameter.output.empty() && parameter.bytes.empty())
      parameter.bytes.resize(largest ? largest : 1 << 20);

  auto source = readInputFile(input);
  if (!source)
    return usageError(source.takeError());
  emulator::ProgramOptions options;
  options.name = input;
  options.dump = dumpLowered;
  options.profile = showCounters;
  auto program = emulator::Program::parse((*source)->getBuffer(), options);
  if (!program)
    return usageError(program.takeError());
  const std::vector<std::string> kernels = (*program)->kernels();
  if (kernels.empty())
    return usageError("expected a kernel in '" + input + "', found none");
  std::string kernel = kernelName;
  if (kernel.empty() && kernels.size() == 1)
    kernel = kernels.front();
  if (!llvm::is_contained(kernels, kernel))
    return usageError("expected --kernel to be one of " + llvm::join(kernels, ", ") + ", found '" +
                      kernel + "'");

  std::vector<std::vector<uint8_t>> first;
  int code = 0;
  for (const emulator::LaunchConfig &config : *configs) {
    std::vector<std::unique_ptr<uint8_t, decltype(&std::free)>> memory;
    std::vector<std::vector<uint8_t>> values;
    (*program)->clearRanges();
    for (const Parameter &parameter : parameters) {
      if (!parameter.isBuffer) {
        values.push_back(parameter.bytes);
        continue;
      }
      const size_t size = parameter.bytes.size();
      memory.emplace_back(static_cast<uint8_t *>(std::aligned_alloc(256, (size + 511) / 256 * 256)),
                          std::free);
      std::memcpy(memory.back().get(), parameter.bytes.data(), size);
      (*program)->addRange(memory.back().get(), size, parameter.name);
      values.push_back(bytesOf(memory.back().get()));
    }
    const emulator::Report report = (*program)->launch(kernel, config, values);
    llvm::outs() << describeSchedule(config) << ": " << emulator::toString(report.status)
                 << (report.message.empty() ? "" : ": ") << report.message << '\n';
    llvm::outs() << report.printed;
    if (showCounters)
      printCounters(report.counters);
    if (!report.ok()) {
      code = 1;
      continue;
    }
    std::vector<std::vector<uint8_t>> results;
    for (auto [i, block] : llvm::enumerate(memory)) {
      size_t index = 0, seen = 0;
      while (!parameters[index].isBuffer || seen++ != i)
        ++index;
      results.emplace_back(block.get(), block.get() + parameters[index].bytes.size());
    }
    if (first.empty())
      first = std::move(results);
    else if (results != first) {
      llvm::outs() << "the results differ from those of the first schedule\n";
      code = 1;
    }
  }
  if (code || first.empty())
    return code;
  size_t index = 0;
  for (const Parameter &parameter : parameters) {
    if (!parameter.isBuffer)
      continue;
    const std::vector<uint8_t> &bytes = first[index++];
    if (parameter.output.empty())
      continue;
    if (llvm::Error error = writeFileAtomically(parameter.output, llvm::toStringRef(bytes)))
      return usageError(std::move(error));
  }
  return code;
}
