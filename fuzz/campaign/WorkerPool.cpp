//===- WorkerPool.cpp - tasks in worker processes ---------------------------------------------===//
#include "fuzz/campaign/WorkerPool.h"

#include "fuzz/campaign/Interrupt.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <thread>
#include <vector>

using namespace tilesmith::fuzz;
using Clock = std::chrono::steady_clock;

namespace {

/// Tasks after which a worker is replaced, so that nothing it leaks adds up.
constexpr unsigned kTasksPerWorker = 500;

struct Slot {
  WorkerProcess process;
  unsigned served = 0;
  std::optional<uint64_t> task; ///< under way
  Clock::time_point started;
};

class Run {
public:
  Run(unsigned jobs, WorkerLimits limits,
      const std::function<std::string(uint64_t, llvm::StringRef)> &work)
      : limits(limits), slots(jobs), serveOne([&work](llvm::StringRef request) {
          uint64_t task;
          std::memcpy(&task, request.data(), sizeof task);
          return work(task, request.drop_front(sizeof task));
        }) {}

  bool assign(Slot &slot, uint64_t task, const std::string &more) {
    if (slot.served >= kTasksPerWorker)
      slot.process.stop();
    if (!slot.process.alive()) {
      llvm::SmallVector<int> others;
      for (const Slot &other : slots)
        if (other.process.alive())
          others.append(other.process.pipes());
      if (!slot.process.start(serveOne, limits, others))
        return false;
      slot.served = 0;
    }
    slot.task = task;
    slot.started = Clock::now();
    ++slot.served;
    // A worker that died meanwhile shows as an end of file on its answers.
    slot.process.send(std::string(reinterpret_cast<const char *>(&task), sizeof task) + more);
    return true;
  }

  /// Waits for one result; the worker is free afterwards. Nothing after an interrupt.
  std::optional<TaskResult> wait();

  std::vector<Slot> &all() { return slots; }

private:
  static TaskResult finish(Slot &slot, WorkerAnswer answer) {
    TaskResult result{*slot.task, answer.status, std::move(answer.text)};
    slot.task.reset();
    return result;
  }

  WorkerLimits limits;
  std::vector<Slot> slots;
  WorkerProcess::Work serveOne;
};

std::optional<TaskResult> Run::wait() {
  while (!interrupted()) {
    std::vector<pollfd> fds;
    std::vector<Slot *> busy;
    double left = 0.5; // how long an interrupt may go unseen that comes just before poll
    for (Slot &slot : slots) {
      if (!slot.task)
        continue;
      std::chrono::duration<double> age = Clock::now() - slot.started;
      if (limits.seconds > 0) {
        if (age.count() >= limits.seconds)
          return finish(slot, slot.process.timeOut());
        left = std::min(left, limits.seconds - age.count());
      }
      fds.push_back({slot.process.readable(), POLLIN, 0});
      busy.push_back(&slot);
    }
    if (::poll(fds.data(), fds.size(), static_cast<int>(left * 1000) + 1) <= 0)
      continue;
    for (size_t i = 0; i < fds.size(); ++i)
      if (fds[i].revents)
        return finish(*busy[i], busy[i]->process.receive());
  }
  return std::nullopt;
}

} // namespace

void WorkerPool::run(std::function<std::optional<uint64_t>()> next,
                     std::function<bool(const TaskResult &)> done) {
  auto previous = ::signal(SIGPIPE, SIG_IGN); // a dead worker is an end of file, not our death
  {
    Run run(jobs, limits, work);
    unsigned underWay = 0;
    bool goesOn = true;
    while (!interrupted()) {
      for (Slot &slot : run.all()) {
        if (!goesOn || slot.task)
          continue;
        std::optional<uint64_t> task = next();
        if (!task) {
          goesOn = false;
          break;
        }
        if (!run.assign(slot, *task, this->more ? this->more(*task) : "")) {
          goesOn =
              done({*task, TaskResult::Status::Crashed, "no process could be started"}) && goesOn;
          continue;
        }
        ++underWay;
      }
      if (underWay == 0) {
        if (!goesOn)
          break;
        continue;
      }
      std::optional<TaskResult> result = run.wait();
      if (!result)
        break;
      --underWay;
      if (!done(*result))
        goesOn = false;
    }
  }
  ::signal(SIGPIPE, previous);
}

unsigned tilesmith::fuzz::defaultJobs() {
  return std::max(1u, std::thread::hardware_concurrency());
}
