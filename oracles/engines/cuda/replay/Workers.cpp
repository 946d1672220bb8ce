//===- Workers.cpp - processes that run bundles (see Workers.h) -------------------------------===//
#include "oracles/engines/cuda/replay/Workers.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace replay {
namespace {

using Clock = std::chrono::steady_clock;

bool writeAll(int descriptor, const void *data, size_t size) {
  for (size_t at = 0; at < size;) {
    const ssize_t written = write(descriptor, static_cast<const char *>(data) + at, size - at);
    if (written <= 0)
      return false;
    at += static_cast<size_t>(written);
  }
  return true;
}
bool readAll(int descriptor, void *data, size_t size) {
  for (size_t at = 0; at < size;) {
    const ssize_t count = read(descriptor, static_cast<char *>(data) + at, size - at);
    if (count <= 0)
      return false;
    at += static_cast<size_t>(count);
  }
  return true;
}
bool sendText(int descriptor, const std::string &text) {
  const size_t size = text.size();
  return writeAll(descriptor, &size, sizeof size) && writeAll(descriptor, text.data(), size);
}
bool receiveText(int descriptor, std::string &text) {
  size_t size = 0;
  if (!readAll(descriptor, &size, sizeof size))
    return false;
  text.resize(size);
  return readAll(descriptor, text.data(), size);
}

/// The life of a process: numbers of bundles come in, outcomes go out.
void serve(const Options &options, int in, int out) {
  Driver driver;
  std::string device, missing = driver.load();
  if (missing.empty())
    missing = driver.open(options.device, device);
  for (size_t number; readAll(in, &number, sizeof number);) {
    Outcome outcome;
    if (missing.empty()) {
      outcome = runBundle(driver, options.bundles[number], options);
      outcome.device = device;
    } else {
      outcome.verdict = "unavailable";
      outcome.detail = missing;
    }
    const size_t times = outcome.milliseconds.size();
    const bool sent = sendText(out, outcome.verdict) && sendText(out, outcome.detail) &&
                      sendText(out, outcome.device) && writeAll(out, &times, sizeof times) &&
                      writeAll(out, outcome.milliseconds.data(), times * sizeof(float)) &&
                      writeAll(out, &outcome.wroteOutside, sizeof outcome.wroteOutside) &&
                      writeAll(out, &outcome.contextIsGood, sizeof outcome.contextIsGood);
    std::fflush(nullptr);
    if (!sent || !outcome.contextIsGood)
      return;
  }
}

bool receive(int descriptor, Outcome &outcome) {
  size_t times = 0;
  if (!receiveText(descriptor, outcome.verdict) || !receiveText(descriptor, outcome.detail) ||
      !receiveText(descriptor, outcome.device) || !readAll(descriptor, &times, sizeof times))
    return false;
  outcome.milliseconds.resize(times);
  return readAll(descriptor, outcome.milliseconds.data(), times * sizeof(float)) &&
         readAll(descriptor, &outcome.wroteOutside, sizeof outcome.wroteOutside) &&
         readAll(descriptor, &outcome.contextIsGood, sizeof outcome.contextIsGood);
}

class Worker {
public:
  explicit Worker(const Options &options) : options(options) {}
  ~Worker() { end(SIGTERM); }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  bool busy() const { return working; }
  size_t current() const { return number; }
  int descriptor() const { return results; }
  Clock::time_point due() const { return deadline; }

  /// Hands over a bundle, to a new process where none is at hand. False: none can be had.
  bool give(size_t bundle) {
    if (child < 0 && !begin())
      return false;
    number = bundle;
    deadline = Clock::now() + std::chrono::seconds(options.timeoutSeconds);
    // A process that died before it was given anything shows when its outcome is read.
    writeAll(orders, &bundle, sizeof bundle);
    return working = true;
  }

  /// Reads the outcome of the bundle given, or how its process ended.
  Outcome take() {
    Outcome outcome;
    working = false;
    if (receive(results, outcome)) {
      if (!outcome.contextIsGood)
        end(0);
      return outcome;
    }
    const int status = end(0);
    outcome = {};
    outcome.verdict = "failed";
    outcome.detail = WIFSIGNALED(status)
                         ? "the process died of signal " + std::to_string(WTERMSIG(status))
                         : "the process ended without a result";
    return outcome;
  }

  Outcome giveUp() {
    working = false;
    end(SIGKILL);
    Outcome outcome;
    outcome.verdict = "failed";
    outcome.detail = "no result within " + std::to_string(options.timeoutSeconds) + " s";
    return outcome;
  }

private:
  bool begin() {
    int toChild[2], toParent[2];
    if (pipe(toChild) != 0)
      return false;
    if (pipe(toParent) != 0) {
      close(toChild[0]), close(toChild[1]);
      return false;
    }
    std::fflush(nullptr);
    child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL); // siblings hold the ends of each other's pipes
      close(toChild[1]), close(toParent[0]);
      serve(options, toChild[0], toParent[1]);
      _exit(0);
    }
    close(toChild[0]), close(toParent[1]);
    orders = toChild[1], results = toParent[0];
    if (child < 0)
      close(orders), close(results);
    return child > 0;
  }

  /// Ends the process, by a signal where it does not end by itself. Returns its status.
  int end(int signal) {
    if (child < 0)
      return 0;
    int status = 0;
    close(orders), close(results);
    if (signal)
      kill(child, signal);
    waitpid(child, &status, 0);
    child = -1;
    return status;
  }

  const Options &options;
  pid_t child = -1;
  int orders = -1, results = -1;
  bool working = false;
  size_t number = 0;
  Clock::time_point deadline;
};

/// Waits for an outcome or a deadline.
void await(std::vector<std::unique_ptr<Worker>> &workers,
           const std::function<void(size_t, const Outcome &)> &done) {
  std::vector<pollfd> waits;
  std::vector<Worker *> waiting;
  Clock::time_point first = Clock::time_point::max();
  for (const auto &worker : workers)
    if (worker->busy()) {
      waits.push_back({worker->descriptor(), POLLIN, 0});
      waiting.push_back(worker.get());
      first = std::min(first, worker->due());
    }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now());
  poll(waits.data(), waits.size(), static_cast<int>(std::max<int64_t>(left.count(), 0)));
  for (size_t i = 0; i < waits.size(); ++i)
    if (waits[i].revents)
      done(waiting[i]->current(), waiting[i]->take());
    else if (Clock::now() >= waiting[i]->due())
      done(waiting[i]->current(), waiting[i]->giveUp());
}

} // namespace

void runAll(const Options &options, const std::function<void(size_t, const Outcome &)> &done) {
  signal(SIGPIPE, SIG_IGN);
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < options.jobs; ++i)
    workers.push_back(std::make_unique<Worker>(options));
  size_t next = 0;
  auto busy = [&] {
    return std::any_of(workers.begin(), workers.end(), [](auto &w) { return w->busy(); });
  };
  while (next < options.bundles.size() || busy()) {
    for (auto &worker : workers)
      if (next < options.bundles.size() && !worker->busy() && !worker->give(next++)) {
        Outcome outcome;
        outcome.verdict = "failed";
        outcome.detail = std::string("no process: ") + std::strerror(errno);
        done(next - 1, outcome);
      }
    if (busy())
      await(workers, done);
  }
}

} // namespace replay
