//===- Session.cpp - runs one bundle in this process (see Session.h) --------------------------===//
#include "oracles/engines/cuda/replay/Session.h"

#include "oracles/engines/cuda/replay/Compare.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace replay {

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error("cannot read '" + path + "': " + std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad())
    throw Error("cannot read '" + path + "': " + std::strerror(errno));
  return text.str();
}
void writeFile(const std::string &path, const void *data, size_t size) {
  std::string temporary = path + ".tmp-XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  std::FILE *file = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
  if (!file)
    throw Error("cannot write '" + path + "': " + std::strerror(errno));
  const mode_t mask = umask(0);
  umask(mask);
  bool good = fchmod(descriptor, 0666 & ~mask) == 0;
  good &= std::fwrite(data, 1, size, file) == size;
  good &= std::fclose(file) == 0;
  good = good && std::rename(temporary.c_str(), path.c_str()) == 0;
  if (!good) {
    const int reason = errno;
    unlink(temporary.c_str());
    throw Error("cannot write '" + path + "': " + std::strerror(reason));
  }
}

std::string Outcome::json(const std::string &name, const std::string &version) const {
  std::vector<float> sorted = milliseconds;
  std::sort(sorted.begin(), sorted.end());
  std::string text = "{\"engine\": \"cuda\", \"case\": " + quote(name) +
                     ", \"version\": " + quote(version) + ", \"verdict\": " + quote(verdict) +
                     ", \"detail\": " + quote(detail) + ", \"device\": " + quote(device) +
                     ", \"wrote_outside\": " + (wroteOutside ? "true" : "false");
  if (!sorted.empty()) {
    char times[160];
    std::snprintf(
        times, sizeof times,
        ", \"median_ms\": %.6g, \"fastest_ms\": %.6g, \"slowest_ms\": %.6g, \"runs\": %zu",
        sorted[sorted.size() / 2], sorted.front(), sorted.back(), sorted.size());
    text += times;
  }
  return text + "}\n";
}

namespace {

constexpr size_t kGuard = 4096;
constexpr unsigned char kPoison = 0xa5;

Bytes readBytes(const std::string &path) {
  const std::string text = readFile(path);
  return Bytes(text.begin(), text.end());
}

/// A buffer on the device with its guards.
struct Buffer {
  Rule rule;
  Bytes initial, expected, low, high;
  bool judged = true;
  Address base = 0;
  Address data() const { return base + kGuard; }
};

/// A call that may report an error of the GPU.
struct DeviceError : Error {
  using Error::Error;
};

/// While it lives, what kernels print goes to a file: the driver writes it to standard output when
/// the device is synchronised.
class CapturedOutput {
public:
  explicit CapturedOutput(const std::string &path) {
    std::fflush(stdout);
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
      throw Error("cannot write '" + path + "': " + std::strerror(errno));
    kept = dup(STDOUT_FILENO);
    dup2(file, STDOUT_FILENO);
    close(file);
  }
  ~CapturedOutput() {
    std::fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
  }
  CapturedOutput(const CapturedOutput &) = delete;
  CapturedOutput &operator=(const CapturedOutput &) = delete;

private:
  int kept;
};

class Session {
public:
  Session(Driver &driver, const std::string &directory, const Options &options)
      : driver(driver), directory(directory), options(options),
        bundle(Json::parse(readFile(directory + "/bundle.json"))) {
    if (bundle.num("format") != 1)
      throw Error("bundle.json: expected format 1, found " + bundle.at("format").text);
  }

  /// Gives back what the bundle took; in a context that an error left behind the calls fail and
  /// nobody minds.
  ~Session() {
    for (const Buffer &buffer : buffers)
      if (buffer.base)
        driver.free(buffer.base);
    for (const Address table : tables)
      driver.free(table);
    for (void *module : modules)
      driver.moduleUnload(module);
    for (void *event : {before, after})
      if (event)
        driver.eventDestroy(event);
  }
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  Outcome run() {
    loadBuffers();
    for (Buffer &buffer : buffers) {
      check(driver.allocate(&buffer.base, buffer.initial.size() + 2 * kGuard), "cuMemAlloc");
      check(driver.set(buffer.base, kPoison, buffer.initial.size() + 2 * kGuard), "cuMemsetD8");
    }
    for (const Json &launch : bundle.at("launches").items)
      prepare(launch);
    Outcome outcome;
    reset();
    const bool traps = bundle.boolean("traps", false);
    std::string failure;
    {
      const CapturedOutput printed(directory + "/printed.txt");
      for (Launch &launch : launches) {
        Result code = start(launch);
        if (!code)
          code = driver.synchronize();
        if (code) {
          failure = driver.describe(code);
          break;
        }
      }
    }
    if (traps || !failure.empty()) {
      if (traps == failure.empty())
        outcome.verdict = traps ? "disagree" : "failed";
      outcome.detail =
          traps && failure.empty() ? "expected a trap, the kernel ended normally" : failure;
      outcome.contextIsGood = false;
      return outcome;
    }
    judge(outcome);
    if (outcome.verdict == "agree")
      measure(outcome);
    return outcome;
  }

private:
  struct Launch {
    void *function = nullptr;
    unsigned grid[3], block[3], shared = 0;
    std::vector<std::vector<uint8_t>> values;
  };

  void check(Result code, const char *call) {
    if (code)
      throw DeviceError(std::string(call) + ": " + driver.describe(code));
  }

  void loadBuffers() {
    for (const Json &entry : bundle.at("buffers").items) {
      Buffer &buffer = buffers.emplace_back();
      buffer.rule.dtype = entry.string("dtype");
      buffer.rule.mode = entry.string("mode");
      buffer.rule.atol = entry.has("atol") ? entry.num("atol") : 0;
      buffer.rule.rtol = entry.has("rtol") ? entry.num("rtol") : 0;
      buffer.initial = readBytes(directory + "/" + entry.string("data"));
      buffer.judged = entry.has("expect");
      if (buffer.judged)
        buffer.expected = readBytes(directory + "/" + entry.string("expect"));
      if (entry.has("low")) {
        buffer.low = readBytes(directory + "/" + entry.string("low"));
        buffer.high = readBytes(directory + "/" + entry.string("high"));
      }
    }
  }

  Address addressOf(const Json &pointer) {
    const auto index = static_cast<size_t>(pointer.num("buffer"));
    if (index >= buffers.size())
      throw Error("bundle.json: no buffer " + std::to_string(index));
    return buffers[index].data() +
           static_cast<int64_t>(pointer.has("offset") ? pointer.num("offset") : 0);
  }

  void prepare(const Json &entry) {
    Launch &launch = launches.emplace_back();
    const std::string image = readFile(
        directory + "/" + (entry.has("cubin") ? entry.string("cubin") : entry.string("ptx")));
    void *module = nullptr;
    // An error log (option 5, its size 6) for PTX that does not compile.
    static char log[8192];
    int names[] = {5, 6};
    void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
    log[0] = 0;
    if (const Result code = driver.moduleLoad(&module, image.c_str(), 2, names, values))
      throw DeviceError("cuModuleLoadDataEx: " + driver.describe(code) +
                        (*log ? std::string(": ") + log : ""));
    modules.push_back(module);
    check(driver.moduleFunction(&launch.function, module, entry.string("entry").c_str()),
          "cuModuleGetFunction");
    for (int i = 0; i < 3; ++i) {
      launch.grid[i] = static_cast<unsigned>(entry.at("grid").items.at(i).number);
      launch.block[i] = static_cast<unsigned>(entry.at("block").items.at(i).number);
    }
    launch.shared = static_cast<unsigned>(entry.num("shared"));
    // CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: clusters of more than 8. GPUs without
    // clusters refuse it, and need not have it.
    driver.functionAttribute(launch.function, 14, 1);
    if (launch.shared > 48 * 1024) // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
      check(driver.functionAttribute(launch.function, 8, static_cast<int>(launch.shared)),
            "cuFuncSetAttribute");
    for (const Json &argument : entry.at("arguments").items) {
      const std::string &kind = argument.string("kind");
      uint64_t bits = 0;
      size_t size = 8;
      if (kind == "buffer") {
        bits = addressOf(argument);
      } else if (kind == "scalar") {
        bits = std::strtoull(argument.string("bits").c_str(), nullptr, 0);
        size = static_cast<size_t>(argument.num("size"));
      } else if (kind == "table") {
        std::vector<uint64_t> words;
        for (const Json &word : argument.at("words").items)
          words.push_back(word.has("buffer")
                              ? addressOf(word)
                              : std::strtoull(word.string("word").c_str(), nullptr, 0));
        Address table = 0;
        check(driver.allocate(&table, 8 * words.size() + 8), "cuMemAlloc");
        tables.push_back(table);
        check(driver.toDevice(table, words.data(), 8 * words.size()), "cuMemcpyHtoD");
        bits = table;
      } else {
        throw Error("bundle.json: unknown argument kind '" + kind + "'");
      }
      auto &bytes = launch.values.emplace_back(8);
      std::memcpy(bytes.data(), &bits, 8);
      bytes.resize(std::min<size_t>(size, 8));
    }
  }

  void reset() {
    for (Buffer &buffer : buffers)
      if (!buffer.initial.empty())
        check(driver.toDevice(buffer.data(), buffer.initial.data(), buffer.initial.size()),
              "cuMemcpyHtoD");
  }

  Result start(Launch &launch) {
    std::vector<void *> pointers;
    for (auto &value : launch.values)
      pointers.push_back(value.data());
    return driver.launch(launch.function, launch.grid[0], launch.grid[1], launch.grid[2],
                         launch.block[0], launch.block[1], launch.block[2], launch.shared, nullptr,
                         pointers.data(), nullptr);
  }

  void judge(Outcome &outcome) {
    for (size_t i = 0; i < buffers.size(); ++i) {
      Buffer &buffer = buffers[i];
      Bytes all(buffer.initial.size() + 2 * kGuard);
      check(driver.toHost(all.data(), buffer.base, all.size()), "cuMemcpyDtoH");
      const Bytes got(all.begin() + kGuard, all.end() - kGuard);
      if (options.outputs)
        writeFile(directory + "/b" + std::to_string(i) + ".got.bin", got.data(), got.size());
      auto touched = [&](size_t from) {
        return std::any_of(all.begin() + from, all.begin() + from + kGuard,
                           [](uint8_t byte) { return byte != kPoison; });
      };
      std::string wrong;
      if (touched(0) || touched(all.size() - kGuard)) {
        wrong = "wrote outside of the buffer";
        outcome.wroteOutside = true;
      }
      if (wrong.empty() && buffer.judged)
        wrong = compare(buffer.rule, got, buffer.expected, buffer.low, buffer.high);
      if (!wrong.empty() && outcome.verdict == "agree") {
        outcome.verdict = "disagree";
        outcome.detail = "buffer " + std::to_string(i) + ": " + wrong;
      }
    }
  }

  void measure(Outcome &outcome) {
    if (options.repeats <= 0)
      return;
    check(driver.eventCreate(&before, 0), "cuEventCreate");
    check(driver.eventCreate(&after, 0), "cuEventCreate");
    const CapturedOutput again("/dev/null");
    for (int i = 0; i < options.repeats; ++i) {
      reset();
      check(driver.eventRecord(before, nullptr), "cuEventRecord");
      for (Launch &launch : launches)
        check(start(launch), "cuLaunchKernel");
      check(driver.eventRecord(after, nullptr), "cuEventRecord");
      check(driver.eventSynchronize(after), "cuEventSynchronize");
      check(driver.eventElapsed(&outcome.milliseconds.emplace_back(), before, after),
            "cuEventElapsedTime");
    }
  }

  Driver &driver;
  std::string directory;
  const Options &options;
  Json bundle;
  std::vector<Buffer> buffers;
  std::vector<Launch> launches;
  std::vector<Address> tables;
  std::vector<void *> modules;
  void *before = nullptr, *after = nullptr;
};

} // namespace

Outcome runBundle(Driver &driver, const std::string &directory, const Options &options) {
  Outcome outcome;
  try {
    outcome = Session(driver, directory, options).run();
  } catch (const Error &error) {
    outcome.verdict = "failed";
    outcome.detail = error.what();
  }
  outcome.contextIsGood &= outcome.verdict == "agree";
  return outcome;
}

} // namespace replay
