//===- Main.cpp - tile-gpu-replay DIR... ------------------------------------------------------===//
//
// Runs bundles on the GPU of this machine, each in a child process of its own (a fault poisons a
// context), with a timeout. Builds with any C++20 compiler and links nothing but libc and the
// dynamic loader:
//   c++ -std=c++20 -O2 -I. -o tile-gpu-replay oracles/engines/cuda/replay/*.cpp -ldl
//
// Every buffer lies between two poisoned zones that must be intact afterwards. The verdict is
// decided by the bundle's own rule; result.json and b<N>.got.bin are written into the bundle.
// Exit codes: 0 all agree, 1 a disagreement or failure, 2 usage, 3 no GPU (said once).
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/cuda/replay/Compare.h"
#include "oracles/engines/cuda/replay/Driver.h"
#include "oracles/engines/cuda/replay/Json.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace replay;

namespace {

constexpr size_t kGuard = 4096;
constexpr unsigned char kPoison = 0xa5;

struct Options {
  int timeoutSeconds = 60, repeats = 10, device = 0;
  bool outputs = true;
  std::vector<std::string> bundles;
};

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error("cannot read '" + path + "'");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
Bytes readBytes(const std::string &path) {
  const std::string text = readFile(path);
  return Bytes(text.begin(), text.end());
}
/// Whole or not at all, by way of a name that nobody else has.
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

/// How one bundle ended.
struct Outcome {
  std::string verdict = "agree"; // disagree, failed, unavailable
  std::string detail, device;
  std::vector<float> milliseconds;

  std::string json(const std::string &name, const std::string &version) const {
    std::vector<float> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    std::string text = "{\"engine\": \"cuda\", \"case\": " + quote(name) +
                       ", \"version\": " + quote(version) + ", \"verdict\": " + quote(verdict) +
                       ", \"detail\": " + quote(detail) + ", \"device\": " + quote(device);
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
};

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

class Session {
public:
  Session(Driver &driver, const std::string &directory, const Options &options)
      : driver(driver), directory(directory), options(options),
        bundle(Json::parse(readFile(directory + "/bundle.json"))) {
    if (bundle.num("format") != 1)
      throw Error("bundle.json: expected format 1, found " + bundle.at("format").text);
  }

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
    for (Launch &launch : launches) {
      Result code = start(launch);
      if (!code)
        code = driver.synchronize();
      if (code) {
        failure = driver.describe(code);
        break;
      }
    }
    if (traps || !failure.empty()) {
      if (traps == failure.empty())
        outcome.verdict = traps ? "disagree" : "failed";
      outcome.detail =
          traps && failure.empty() ? "expected a trap, the kernel ended normally" : failure;
      return outcome; // the context is gone
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
    check(driver.moduleFunction(&launch.function, module, entry.string("entry").c_str()),
          "cuModuleGetFunction");
    for (int i = 0; i < 3; ++i) {
      launch.grid[i] = static_cast<unsigned>(entry.at("grid").items.at(i).number);
      launch.block[i] = static_cast<unsigned>(entry.at("block").items.at(i).number);
    }
    launch.shared = static_cast<unsigned>(entry.num("shared"));
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
      if (touched(0) || touched(all.size() - kGuard))
        wrong = "wrote outside of the buffer";
      else if (buffer.judged)
        wrong = compare(buffer.rule, got, buffer.expected, buffer.low, buffer.high);
      if (!wrong.empty() && outcome.verdict == "agree") {
        outcome.verdict = "disagree";
        outcome.detail = "buffer " + std::to_string(i) + ": " + wrong;
      }
    }
  }

  void measure(Outcome &outcome) {
    void *before = nullptr, *after = nullptr;
    if (options.repeats <= 0)
      return;
    check(driver.eventCreate(&before, 0), "cuEventCreate");
    check(driver.eventCreate(&after, 0), "cuEventCreate");
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
};

/// In the child: everything that touches the driver.
Outcome runBundle(const std::string &directory, const Options &options) {
  Outcome outcome;
  auto unavailable = [&](std::string why) {
    outcome.verdict = "unavailable";
    outcome.detail = std::move(why);
    return outcome;
  };
  Driver driver;
  if (std::string missing = driver.load(); !missing.empty())
    return unavailable(missing);
  int count = 0, device = 0;
  if (const Result code = driver.init(0))
    return unavailable("no GPU: " + driver.describe(code));
  if (driver.deviceCount(&count) || count <= options.device)
    return unavailable("no GPU: the driver found " + std::to_string(count) + " devices");
  void *context = nullptr;
  if (driver.deviceGet(&device, options.device) || driver.contextRetain(&context, device) ||
      driver.contextSet(context))
    return unavailable("no GPU: cannot create a context");
  char name[128] = "";
  int major = 0, minor = 0, version = 0;
  driver.deviceName(name, sizeof name, device);
  driver.deviceAttribute(&major, 75, device); // compute capability
  driver.deviceAttribute(&minor, 76, device);
  driver.driverVersion(&version);
  const std::string description = std::string(name) + ", sm_" + std::to_string(major) +
                                  std::to_string(minor) + ", driver " + std::to_string(version);
  try {
    outcome = Session(driver, directory, options).run();
  } catch (const Error &error) {
    outcome.verdict = "failed";
    outcome.detail = error.what();
  }
  outcome.device = description;
  return outcome;
}

/// Forks, waits at most the timeout, and says how the child ended.
Outcome runInChild(const std::string &directory, const Options &options) {
  int channel[2];
  Outcome outcome;
  outcome.verdict = "failed";
  if (pipe(channel) != 0) {
    outcome.detail = std::strerror(errno);
    return outcome;
  }
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(channel[0]);
    const Outcome own = runBundle(directory, options);
    std::string text = own.verdict + '\n' + own.device + '\n';
    for (float time : own.milliseconds)
      text += std::to_string(time) + ' ';
    text += '\n' + own.detail;
    for (size_t at = 0; at < text.size();) {
      const ssize_t written = write(channel[1], text.data() + at, text.size() - at);
      if (written <= 0)
        break;
      at += static_cast<size_t>(written);
    }
    _exit(0);
  }
  close(channel[1]);
  std::string text;
  const time_t deadline = time(nullptr) + options.timeoutSeconds;
  bool late = child < 0;
  while (!late) {
    pollfd wait{channel[0], POLLIN, 0};
    const auto left = static_cast<int>(deadline - time(nullptr));
    if (left <= 0 || poll(&wait, 1, left * 1000) == 0) {
      late = true;
      break;
    }
    char buffer[4096];
    const ssize_t count = read(channel[0], buffer, sizeof buffer);
    if (count <= 0)
      break;
    text.append(buffer, static_cast<size_t>(count));
  }
  close(channel[0]);
  int status = 0;
  if (late && child > 0)
    kill(child, SIGKILL);
  if (child > 0)
    waitpid(child, &status, 0);
  if (late) {
    outcome.detail = "no result within " + std::to_string(options.timeoutSeconds) + " s";
    return outcome;
  }
  std::istringstream lines(text);
  std::string times;
  if (!std::getline(lines, outcome.verdict) || !std::getline(lines, outcome.device) ||
      !std::getline(lines, times)) {
    outcome.verdict = "failed";
    outcome.detail = WIFSIGNALED(status)
                         ? "the process died of signal " + std::to_string(WTERMSIG(status))
                         : "the process ended without a result";
    return outcome;
  }
  std::istringstream numbers(times);
  for (float time; numbers >> time;)
    outcome.milliseconds.push_back(time);
  std::ostringstream rest;
  rest << lines.rdbuf();
  outcome.detail = rest.str();
  return outcome;
}

/// The names that this program writes must not be inputs of the bundle.
void checkInputs(const Json &bundle) {
  std::vector<std::string> results{"result.json"};
  for (size_t i = 0; i < bundle.at("buffers").items.size(); ++i)
    results.push_back("b" + std::to_string(i) + ".got.bin");
  for (const char *list : {"buffers", "launches"})
    for (const Json &entry : bundle.at(list).items)
      for (const char *key : {"data", "expect", "low", "high", "ptx", "cubin"})
        if (entry.has(key) &&
            std::find(results.begin(), results.end(), entry.string(key)) != results.end())
          throw Error("bundle.json: expected inputs with other names than results, found '" +
                      entry.string(key) + "'");
}

int usage(const std::string &message) {
  std::fprintf(stderr,
               "error: %s\nusage: tile-gpu-replay [--timeout=S] [--repeat=N] [--device=N] "
               "[--no-outputs] DIR...\n",
               message.c_str());
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    auto number = [&](const char *prefix, int &value) {
      if (argument.rfind(prefix, 0) != 0)
        return false;
      char *end = nullptr;
      const long parsed = std::strtol(argument.c_str() + std::strlen(prefix), &end, 10);
      if (*end || parsed < 0 || parsed > 1'000'000)
        return false;
      value = static_cast<int>(parsed);
      return true;
    };
    if (number("--timeout=", options.timeoutSeconds) || number("--repeat=", options.repeats) ||
        number("--device=", options.device))
      continue;
    if (argument == "--no-outputs")
      options.outputs = false;
    else if (argument.rfind("-", 0) == 0)
      return usage("unknown or malformed option '" + argument + "'");
    else
      options.bundles.push_back(argument);
  }
  if (options.bundles.empty())
    return usage("expected bundles");
  int agreed = 0, disagreed = 0, missing = 0;
  for (const std::string &directory : options.bundles) {
    std::string name, version;
    try {
      const Json bundle = Json::parse(readFile(directory + "/bundle.json"));
      name = bundle.string("case"), version = bundle.string("version");
      checkInputs(bundle);
    } catch (const Error &error) {
      return usage(error.what());
    }
    const Outcome outcome = runInChild(directory, options);
    if (outcome.verdict == "unavailable") {
      if (!missing++)
        std::printf("unavailable: %s\n", outcome.detail.c_str());
    } else {
      (outcome.verdict == "agree" ? agreed : disagreed)++;
      std::printf("%s: %s%s%s\n", directory.c_str(), outcome.verdict.c_str(),
                  outcome.detail.empty() ? "" : ": ", outcome.detail.c_str());
    }
    const std::string json = outcome.json(name, version);
    try {
      writeFile(directory + "/result.json", json.data(), json.size());
    } catch (const Error &error) {
      std::fprintf(stderr, "error: %s\n", error.what());
      return 2;
    }
  }
  std::printf("%d agree, %d disagree or fail, %d unavailable\n", agreed, disagreed, missing);
  return disagreed ? 1 : missing ? 3 : 0;
}
