//===- WorkerPool.cpp - tasks in worker processes ---------------------------------------------===//
#include "fuzz/campaign/WorkerPool.h"

#include "llvm/Support/FormatVariadic.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tilesmith::fuzz;
using Clock = std::chrono::steady_clock;

namespace {

/// Tasks after which a worker is replaced, so that nothing it leaks adds up.
constexpr unsigned kTasksPerWorker = 500;

bool writeAll(int fd, const void *data, size_t size) {
  auto *p = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t n = ::write(fd, p, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    p += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool readAll(int fd, void *data, size_t size) {
  auto *p = static_cast<char *>(data);
  while (size > 0) {
    ssize_t n = ::read(fd, p, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    p += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

struct Worker {
  pid_t pid = -1;
  int requests = -1, answers = -1; ///< our ends of the pipes
  unsigned served = 0;
  std::optional<uint64_t> task; ///< under way
  Clock::time_point started;

  bool alive() const { return pid > 0; }
};

[[noreturn]] void serve(int requests, int answers,
                        const std::function<std::string(uint64_t)> &work) {
  uint64_t task;
  while (readAll(requests, &task, sizeof task)) {
    std::string answer = work(task);
    uint64_t size = answer.size();
    if (!writeAll(answers, &size, sizeof size) || !writeAll(answers, answer.data(), answer.size()))
      break;
  }
  ::_exit(0);
}

class Run {
public:
  Run(unsigned jobs, double secondsPerTask, const std::function<std::string(uint64_t)> &work)
      : secondsPerTask(secondsPerTask), work(work), workers(jobs) {}
  ~Run() {
    for (Worker &worker : workers)
      stop(worker);
  }

  bool assign(Worker &worker, uint64_t task) {
    if (worker.served >= kTasksPerWorker)
      stop(worker);
    if (!worker.alive() && !start(worker))
      return false;
    worker.task = task;
    worker.started = Clock::now();
    ++worker.served;
    // A worker that died meanwhile shows as an end of file on its answers.
    writeAll(worker.requests, &task, sizeof task);
    return true;
  }

  /// Waits for one result; the worker is free afterwards.
  TaskResult wait();

  std::vector<Worker> &all() { return workers; }

private:
  bool start(Worker &worker);
  void stop(Worker &worker);
  TaskResult collect(Worker &worker);
  std::string reap(Worker &worker);

  double secondsPerTask;
  const std::function<std::string(uint64_t)> &work;
  std::vector<Worker> workers;
};

bool Run::start(Worker &worker) {
  int down[2], up[2];
  if (::pipe(down) != 0)
    return false;
  if (::pipe(up) != 0) {
    ::close(down[0]);
    ::close(down[1]);
    return false;
  }
  ::fflush(nullptr); // nothing buffered may be written twice
  pid_t pid = ::fork();
  if (pid == 0) {
    ::close(down[1]);
    ::close(up[0]);
    // Other workers' request pipes must not be held open here, or they would never see an end of
    // file.
    for (Worker &other : workers)
      if (other.alive()) {
        ::close(other.requests);
        ::close(other.answers);
      }
    serve(down[0], up[1], work);
  }
  ::close(down[0]);
  ::close(up[1]);
  if (pid < 0) {
    ::close(down[1]);
    ::close(up[0]);
    return false;
  }
  worker = Worker();
  worker.pid = pid;
  worker.requests = down[1];
  worker.answers = up[0];
  return true;
}

std::string Run::reap(Worker &worker) {
  ::close(worker.requests);
  ::close(worker.answers);
  int status = 0;
  while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR)
    ;
  worker.pid = -1;
  worker.task.reset();
  if (WIFSIGNALED(status))
    return llvm::formatv("the process died of signal {0} ({1})", WTERMSIG(status),
                         ::strsignal(WTERMSIG(status)));
  return llvm::formatv("the process ended with exit code {0}", WEXITSTATUS(status));
}

void Run::stop(Worker &worker) {
  if (!worker.alive())
    return;
  if (worker.task)
    ::kill(worker.pid, SIGKILL);
  reap(worker);
}

TaskResult Run::collect(Worker &worker) {
  TaskResult result;
  result.task = *worker.task;
  uint64_t size;
  if (readAll(worker.answers, &size, sizeof size)) {
    result.text.resize(size);
    if (readAll(worker.answers, result.text.data(), size)) {
      worker.task.reset();
      return result;
    }
  }
  result.status = TaskResult::Status::Crashed;
  result.text = reap(worker);
  return result;
}

TaskResult Run::wait() {
  while (true) {
    std::vector<pollfd> fds;
    std::vector<Worker *> busy;
    double left = secondsPerTask;
    for (Worker &worker : workers) {
      if (!worker.task)
        continue;
      std::chrono::duration<double> age = Clock::now() - worker.started;
      if (age.count() >= secondsPerTask) {
        TaskResult result{*worker.task, TaskResult::Status::TimedOut, ""};
        ::kill(worker.pid, SIGKILL);
        reap(worker);
        return result;
      }
      left = std::min(left, secondsPerTask - age.count());
      fds.push_back({worker.answers, POLLIN, 0});
      busy.push_back(&worker);
    }
    int ready = ::poll(fds.data(), fds.size(), static_cast<int>(left * 1000) + 1);
    if (ready <= 0)
      continue;
    for (size_t i = 0; i < fds.size(); ++i)
      if (fds[i].revents)
        return collect(*busy[i]);
  }
}

} // namespace

void WorkerPool::run(std::function<std::optional<uint64_t>()> next,
                     std::function<bool(const TaskResult &)> done) {
  auto previous = ::signal(SIGPIPE, SIG_IGN); // a dead worker is an end of file, not our death
  Run run(jobs, secondsPerTask, work);
  unsigned underWay = 0;
  bool more = true;
  while (true) {
    for (Worker &worker : run.all()) {
      if (!more || worker.task)
        continue;
      std::optional<uint64_t> task = next();
      if (!task) {
        more = false;
        break;
      }
      if (!run.assign(worker, *task)) {
        more = done({*task, TaskResult::Status::Crashed, "no process could be started"}) && more;
        continue;
      }
      ++underWay;
    }
    if (underWay == 0) {
      if (!more)
        break;
      continue;
    }
    TaskResult result = run.wait();
    --underWay;
    if (!done(result))
      more = false;
  }
  ::signal(SIGPIPE, previous);
}

unsigned tilesmith::fuzz::defaultJobs() {
  return std::max(1u, std::thread::hardware_concurrency());
}
