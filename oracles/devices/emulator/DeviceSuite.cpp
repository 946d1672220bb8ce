//===- DeviceSuite.cpp - correct kernels pass, their broken twins are reported ----------------===//
//
// Runs every kernel that a line `//! NAME key=value...` in suite/ describes, under all schedules,
// with every check on. A kernel with `ref=R` must end well and leave what the one-thread kernel R
// leaves; one with `expect=KIND|...` must be reported under at least one schedule, and never as
// anything else:
//   race, deadlock, timeout, trapped, fault:TEXT (of the message, _ for a blank), result (needs
//   ref: another result, which no check reports)
// Arguments: in:N and half:N (N words or halves of small integers), out:N (zeros, compared),
// tmp:N (zeros), i:V, map:ARG:TYPE:SIZES:BOX:SWIZZLE (a tensor map of that argument).
//
// Kernels in CUDA C++ are compiled by clang when the test runs.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/devices/emulator/TensorMap.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cmath>
#include <ctime>
#include <gtest/gtest.h>

using namespace llvm;
using namespace tilesmith::emulator;

namespace {

struct Argument {
  enum Kind { Input, Half, Output, Scratch, Integer, Map } kind;
  int64_t value = 0; // words, halves or the integer
  SmallVector<StringRef> map;
};

struct Test {
  std::string file;
  StringRef name, reference, expect;
  uint32_t grid = 1, block = 1, cluster = 1, shared = 0;
  std::vector<Argument> arguments;
};

std::string suiteFolder() {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return std::string(source ? source : ".") + "/oracles/devices/emulator/suite";
}

/// The LLVM IR of a suite file; empty and a failed test when it does not compile.
std::string loadIR(const std::string &path) {
  std::string ir = path;
  SmallString<128> temporary, log;
  if (StringRef(path).ends_with(".cu")) {
    sys::fs::createTemporaryFile("device-suite", "ll", temporary);
    sys::fs::createTemporaryFile("device-suite", "log", log);
    ir = temporary.str().str();
    const StringRef command[] = {TILESMITH_CLANG,
                                 "-x",
                                 "cuda",
                                 "--cuda-device-only",
                                 "-nocudainc",
                                 "-nocudalib",
                                 "--cuda-path=/nonexistent", // the same with and without CUDA
                                 "--cuda-feature=+ptx80",
                                 "--cuda-gpu-arch=sm_90",
                                 "-O2",
                                 "-S",
                                 "-emit-llvm",
                                 "-o",
                                 ir,
                                 path};
    std::optional<StringRef> redirects[] = {"", log.str(), log.str()};
    const int code = sys::ExecuteAndWait(TILESMITH_CLANG, command, std::nullopt, redirects, 120);
    auto text = MemoryBuffer::getFile(log);
    EXPECT_EQ(code, 0) << path << ": " << (text ? (*text)->getBuffer().str() : "");
  }
  auto buffer = MemoryBuffer::getFile(ir);
  std::string text = buffer ? (*buffer)->getBuffer().str() : "";
  if (!temporary.empty()) {
    sys::fs::remove(temporary);
    sys::fs::remove(log);
  }
  return text;
}

std::optional<Argument> parseArgument(StringRef text) {
  Argument argument;
  auto [kind, rest] = text.split(':');
  if (kind == "map") {
    argument.kind = Argument::Map;
    rest.split(argument.map, ':');
    return argument;
  }
  const std::pair<StringRef, Argument::Kind> kinds[] = {{"in", Argument::Input},
                                                        {"half", Argument::Half},
                                                        {"out", Argument::Output},
                                                        {"tmp", Argument::Scratch},
                                                        {"i", Argument::Integer}};
  for (auto [name, value] : kinds)
    if (kind == name) {
      argument.kind = value;
      return rest.getAsInteger(10, argument.value) ? std::nullopt : std::optional(argument);
    }
  return std::nullopt;
}

std::optional<Test> parseTest(StringRef line) {
  Test test;
  SmallVector<StringRef> words;
  line.split(words, ' ', -1, false);
  test.name = words[0];
  for (StringRef word : ArrayRef(words).drop_front()) {
    auto [key, value] = word.split('=');
    uint32_t *number = key == "grid"      ? &test.grid
                       : key == "block"   ? &test.block
                       : key == "cluster" ? &test.cluster
                       : key == "shared"  ? &test.shared
                                          : nullptr;
    if (number) {
      if (value.getAsInteger(10, *number))
        return std::nullopt;
    } else if (key == "ref") {
      test.reference = value;
    } else if (key == "expect") {
      test.expect = value;
    } else if (key == "args") {
      SmallVector<StringRef> parts;
      value.split(parts, ',');
      for (StringRef part : parts) {
        auto argument = parseArgument(part);
        if (!argument)
          return std::nullopt;
        test.arguments.push_back(*argument);
      }
    } else {
      return std::nullopt;
    }
  }
  return test;
}

/// The memory of one launch.
struct Memory {
  std::vector<std::unique_ptr<uint32_t, decltype(&std::free)>> buffers;
  std::vector<size_t> words;
  std::vector<std::vector<uint8_t>> values;

  Memory(const Test &test, Program &program) {
    program.clearRanges();
    for (const Argument &argument : test.arguments) {
      buffers.emplace_back(nullptr, std::free);
      words.push_back(0);
      if (argument.kind == Argument::Integer) {
        values.push_back(tilesmith::emulator::argument(static_cast<int32_t>(argument.value)));
      } else if (argument.kind == Argument::Map) {
        values.push_back(tilesmith::emulator::argument(makeMap(argument)));
      } else {
        const bool isHalf = argument.kind == Argument::Half;
        const size_t count = isHalf ? (argument.value + 1) / 2 : argument.value;
        buffers.back().reset(
            static_cast<uint32_t *>(std::aligned_alloc(256, (4 * count + 511) / 256 * 256)));
        uint32_t *data = buffers.back().get();
        words.back() = count;
        for (size_t i = 0; i < count; ++i)
          data[i] = argument.kind == Argument::Input ? i * 7 % 31
                    : isHalf ? half(2 * i, values.size()) | half(2 * i + 1, values.size()) << 16
                             : 0;
        program.addRange(data, 4 * count, formatv("argument {0}", values.size()));
        values.push_back(tilesmith::emulator::argument(data));
      }
    }
  }

  /// Integers from -3 to 4 as halves.
  static uint32_t half(size_t i, size_t which) {
    static constexpr uint16_t numbers[] = {0xc200, 0xc000, 0xbc00, 0x0000,
                                           0x3c00, 0x4000, 0x4200, 0x4400};
    return numbers[(i * 2654435761u >> 16) + which & 7];
  }
  static std::vector<uint32_t> extents(StringRef text) {
    std::vector<uint32_t> result;
    SmallVector<StringRef> parts;
    text.split(parts, 'x');
    for (StringRef part : parts)
      part.getAsInteger(10, result.emplace_back());
    return result;
  }
  TensorMap makeMap(const Argument &argument) const {
    TensorMap map;
    unsigned index = 0, swizzle = 0;
    argument.map[0].getAsInteger(10, index);
    argument.map[4].getAsInteger(10, swizzle);
    const std::vector<uint32_t> sizes = extents(argument.map[2]), box = extents(argument.map[3]);
    map.address = reinterpret_cast<uint64_t>(index < buffers.size() ? buffers[index].get()
                                                                    : buffers[0].get());
    map.element = argument.map[1] == "f16" ? TensorMap::F16 : TensorMap::S32;
    map.lastDimension = sizes.size() - 1;
    map.swizzle = swizzle;
    uint64_t stride = map.elementBytes();
    for (size_t i = 0; i < sizes.size(); ++i) {
      map.size[i] = sizes[i], map.box[i] = box[i], map.elementStride[i] = 1;
      if (i)
        map.stride[i - 1] = stride;
      stride *= sizes[i];
    }
    return map;
  }
  bool sameOutputs(const Memory &other, const Test &test) const {
    for (auto [i, argument] : enumerate(test.arguments))
      if (argument.kind == Argument::Output &&
          std::memcmp(buffers[i].get(), other.buffers[i].get(), 4 * words[i]) != 0)
        return false;
    return true;
  }
};

std::vector<LaunchConfig> allSchedules(const Test &test) {
  LaunchConfig config;
  config.grid[0] = test.grid, config.block[0] = test.block, config.cluster[0] = test.cluster;
  config.dynamicSharedBytes = test.shared;
  config.detectRaces = config.reportUninitialised = true;
  config.maxSteps = 2'000'000;
  std::vector<LaunchConfig> result;
  for (AsyncCompletion async : {AsyncCompletion::Eager, AsyncCompletion::Lazy})
    for (uint64_t seed = 0; seed < 4; ++seed) {
      config.async = async, config.seed = seed;
      config.reportUninitialised = async == AsyncCompletion::Eager;
      config.schedule = seed == 0 ? Schedule::FIFO : seed == 1 ? Schedule::LIFO : Schedule::Random;
      result.push_back(config);
    }
  return result;
}

/// Whether a report is of one of the kinds in `expect`.
bool matches(const Report &report, StringRef expect) {
  SmallVector<StringRef> kinds;
  expect.split(kinds, '|');
  for (StringRef kind : kinds) {
    const StringRef message = report.message;
    if (kind == "race" && report.status == Report::Fault && message.starts_with("data race"))
      return true;
    if (kind == toString(report.status))
      return true;
    if (kind.consume_front("fault:") && report.status == Report::Fault) {
      std::string text = kind.str();
      std::replace(text.begin(), text.end(), '_', ' ');
      if (message.contains(text))
        return true;
    }
  }
  return false;
}

struct Counts {
  unsigned correct = 0, reported = 0, falseAlarms = 0, missed = 0;
};

/// With DEVICE_SUITE_SHADOW=1: what races and uninitialised reads cost. CPU seconds of a launch,
/// the best of several.
std::vector<double> shadowFactors;
double secondsOf(const Test &test, Program &program, LaunchConfig config, bool shadow) {
  config.detectRaces = config.reportUninitialised = shadow;
  double best = HUGE_VAL;
  for (int i = 0; i < 9; ++i) {
    Memory memory(test, program);
    timespec before, after;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    program.launch(test.name, config, memory.values);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    best = std::min(best, static_cast<double>(after.tv_sec - before.tv_sec) +
                              1e-9 * static_cast<double>(after.tv_nsec - before.tv_nsec));
  }
  return best;
}

void runTest(const Test &test, Program &program, Counts &counts) {
  bool reported = false, alarm = false;
  for (const LaunchConfig &config : allSchedules(test)) {
    Memory memory(test, program);
    const Report report = program.launch(test.name, config, memory.values);
    bool wrong = false;
    if (report.ok() && !test.reference.empty()) {
      Memory wanted(test, program);
      const Report reference = program.launch(test.reference, LaunchConfig(), wanted.values);
      ASSERT_TRUE(reference.ok()) << test.name.str() << ": " << reference.message;
      wrong = !memory.sameOutputs(wanted, test);
    }
    const std::string place = test.name.str() + " under " + describeSchedule(config) + ": ";
    if (test.expect.empty()) {
      alarm |= !report.ok() || wrong;
      EXPECT_TRUE(report.ok()) << place << toString(report.status).str() << ": " << report.message;
      EXPECT_FALSE(wrong) << place << "wrong result";
    } else if (!report.ok()) {
      const bool right = matches(report, test.expect);
      // Who reads before a racing write reads nothing.
      if (!right && test.expect.contains("race") &&
          StringRef(report.message).starts_with("uninitialised"))
        continue;
      EXPECT_TRUE(right) << place << "expected " << test.expect.str() << ", found "
                         << toString(report.status).str() << ": " << report.message;
      reported |= right;
    } else {
      reported |= wrong && test.expect == "result";
    }
  }
  if (test.expect.empty() && std::getenv("DEVICE_SUITE_SHADOW")) {
    const LaunchConfig config = allSchedules(test).front();
    const double plain = secondsOf(test, program, config, false),
                 shadow = secondsOf(test, program, config, true);
    shadowFactors.push_back(shadow / plain);
    std::printf("%-28s %8.1f us, with shadow %8.1f us: %.1f\n", test.name.str().c_str(),
                1e6 * plain, 1e6 * shadow, shadow / plain);
  }
  if (test.expect.empty()) {
    counts.correct += !alarm;
    counts.falseAlarms += alarm;
  } else {
    EXPECT_TRUE(reported) << test.name.str() << ": expected " << test.expect.str()
                          << ", nothing was reported";
    counts.reported += reported;
    counts.missed += !reported;
  }
}

TEST(DeviceSuite, CorrectKernelsPassAndBrokenTwinsAreReported) {
  Counts counts;
  std::error_code error;
  std::vector<std::string> files;
  for (sys::fs::directory_iterator it(suiteFolder(), error), end; it != end && !error;
       it.increment(error))
    if (StringRef(it->path()).ends_with(".cu") || StringRef(it->path()).ends_with(".ll"))
      files.push_back(it->path());
  llvm::sort(files);
  ASSERT_FALSE(files.empty());
  const char *only = std::getenv("DEVICE_SUITE_ONLY");
  for (const std::string &file : files) {
    auto source = MemoryBuffer::getFile(file);
    ASSERT_TRUE(!!source);
    const std::string ir = loadIR(file);
    auto program = Program::parse(ir);
    if (!program) {
      ADD_FAILURE() << file << ": " << toString(program.takeError());
      continue;
    }
    SmallVector<StringRef> lines;
    (*source)->getBuffer().split(lines, '\n');
    for (StringRef line : lines) {
      if (!line.consume_front("//! ") && !line.consume_front(";! "))
        continue;
      auto test = parseTest(line);
      if (!test) {
        ADD_FAILURE() << file << ": cannot read '" << line.str() << "'";
        continue;
      }
      if (!only || test->name == only)
        runTest(*test, **program, counts);
    }
  }
  if (!shadowFactors.empty()) {
    llvm::sort(shadowFactors);
    std::printf("shadow mode: median %.1f, largest %.1f\n", shadowFactors[shadowFactors.size() / 2],
                shadowFactors.back());
  }
  std::printf("%u correct, %u broken twins reported, %u false alarms\n", counts.correct,
              counts.reported, counts.falseAlarms);
  if (!only) {
    EXPECT_GE(counts.correct, 60u);
    EXPECT_GE(counts.reported, 40u);
  }
  EXPECT_EQ(counts.falseAlarms, 0u);
  EXPECT_EQ(counts.missed, 0u);
}

} // namespace
