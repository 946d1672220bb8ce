//===- WorkerProcess.cpp - one forked process that answers requests ---------------------------===//
#include "fuzz/campaign/WorkerProcess.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <malloc.h>
#include <new>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace tilesmith::fuzz;

/// Of the profiling runtime, where there is one.
extern "C" [[gnu::weak]] int __llvm_profile_write_file();

namespace {

/// Exit code of a child that ran out of memory. Reserved: no program of ours ends with it.
constexpr int kOutOfMemory = 77;

[[noreturn]] void endWithoutMemory() {
  ::_exit(kOutOfMemory);
}

/// Whether the memory limit is what stopped this process: then even a little more is refused.
bool isAtMemoryLimit() {
  constexpr size_t kLittle = 1 << 20;
  void *mapping =
      ::mmap(nullptr, kLittle, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return true;
  ::munmap(mapping, kLittle);
  return false;
}

/// What libraries end in that do not look at malloc's answer, or abort on it.
constexpr int kDeadly[] = {SIGABRT, SIGSEGV};
struct sigaction previousActions[std::size(kDeadly)];

void onDeadlySignal(int signal) {
  if (isAtMemoryLimit())
    endWithoutMemory();
  // Comes again after the return, and meets the handler that was there before.
  for (size_t i = 0; i < std::size(kDeadly); ++i)
    if (kDeadly[i] == signal)
      ::sigaction(signal, &previousActions[i], nullptr);
  ::raise(signal);
}

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

bool writeText(int fd, llvm::StringRef text) {
  uint64_t size = text.size();
  return writeAll(fd, &size, sizeof size) && writeAll(fd, text.data(), text.size());
}

bool readText(int fd, std::string &text) {
  uint64_t size;
  if (!readAll(fd, &size, sizeof size))
    return false;
  text.resize(size);
  return readAll(fd, text.data(), size);
}

void limitMemory(uint64_t memoryMiB) {
#if !__has_feature(address_sanitizer)
  if (memoryMiB) {
    rlimit limit{memoryMiB << 20, memoryMiB << 20};
    ::setrlimit(RLIMIT_DATA, &limit);
  }
#endif
  std::set_new_handler(endWithoutMemory);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endWithoutMemory(); });
  // LLVM calls this one for what has no other way out, such as code that finds no place in memory.
  llvm::remove_fatal_error_handler(); // a worker may start workers
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
    if (isAtMemoryLimit())
      endWithoutMemory();
    std::fprintf(stderr, "LLVM ERROR: %s\n", reason);
  });
  struct sigaction action{};
  action.sa_handler = onDeadlySignal;
  action.sa_flags = SA_ONSTACK; // a stack may be used up
  for (size_t i = 0; i < std::size(kDeadly); ++i) {
    struct sigaction previous;
    ::sigaction(kDeadly[i], &action, &previous);
    // A worker of a worker has inherited the handler: meeting it again would never end.
    if (previous.sa_handler != onDeadlySignal)
      previousActions[i] = previous;
  }
}

/// Ctrl-C goes to all processes of the terminal: the parent decides, and kills its workers. No
/// SIG_IGN, which the programs that a worker starts would inherit.
void leaveInterruptsToParent() {
  struct sigaction action{};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    ::sigaction(signal, &action, nullptr);
}

/// A program that the worker waits for may never end by itself (a compiler that hangs), and the
/// kernel ends only the worker when its parent dies. So a worker leads a group of processes, and
/// takes the group with it.
void leadGroup() {
  ::setpgid(0, 0);
  struct sigaction action{};
  action.sa_handler = [](int) { ::kill(0, SIGKILL); };
  // A signal that nobody else handles: LLVM's handlers take SIGUSR1 and SIGUSR2.
  const int parentDied = SIGRTMIN;
  ::sigaction(parentDied, &action, nullptr);
  ::prctl(PR_SET_PDEATHSIG, parentDied);
}

/// Every case takes and returns the same memory, so what is returned stays with the process: giving
/// it to the system means clearing it again, page by page, for the next case.
void keepMemory() {
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 512 << 20);
  ::mallopt(M_TOP_PAD, 1 << 20);
}

/// Ends the worker. Whoever measures coverage (preset coverage) wants its counters first.
[[noreturn]] void leave() {
  if (__llvm_profile_write_file)
    __llvm_profile_write_file();
  ::_exit(0);
}

[[noreturn]] void serve(int requests, int answers, const WorkerProcess::Work &work) {
  std::string request;
  while (readText(requests, request))
    if (!writeText(answers, work(request)))
      break;
  leave();
}

} // namespace

WorkerProcess &WorkerProcess::operator=(WorkerProcess &&other) noexcept {
  std::swap(pid, other.pid);
  std::swap(requests, other.requests);
  std::swap(answers, other.answers);
  std::swap(limits, other.limits);
  return *this;
}

bool WorkerProcess::start(const Work &work, const WorkerLimits &limits,
                          llvm::ArrayRef<int> closeInChild) {
  stop();
  // Not for the programs that the worker starts: one that outlives it would hold the end open that
  // tells of its death.
  int down[2], up[2];
  if (::pipe2(down, O_CLOEXEC) != 0)
    return false;
  if (::pipe2(up, O_CLOEXEC) != 0) {
    ::close(down[0]);
    ::close(down[1]);
    return false;
  }
  ::fflush(nullptr); // nothing buffered may be written twice
  pid_t parent = ::getpid();
  pid_t child = ::fork();
  if (child == 0) {
    leadGroup();
    if (::getppid() != parent)
      ::_exit(0);
    ::close(down[1]);
    ::close(up[0]);
    for (int fd : closeInChild)
      ::close(fd);
    leaveInterruptsToParent();
    limitMemory(limits.memoryMiB);
    llvm::setBugReportMsg(""); // the parent says what a crash means
    keepMemory();
    serve(down[0], up[1], work);
  }
  ::close(down[0]);
  ::close(up[1]);
  if (child < 0) {
    ::close(down[1]);
    ::close(up[0]);
    return false;
  }
  ::setpgid(child, child); // whoever of the two comes first
  pid = child;
  requests = down[1];
  answers = up[0];
  this->limits = limits;
  return true;
}

bool WorkerProcess::send(llvm::StringRef request) {
  return writeText(requests, request);
}

std::string WorkerLimits::memoryMessage() const {
  return memoryMiB ? llvm::formatv("memory limit of {0} MiB reached", memoryMiB).str()
                   : "out of memory";
}

WorkerAnswer WorkerProcess::receive() {
  if (limits.seconds > 0) {
    pollfd fd{answers, POLLIN, 0};
    int ready;
    while ((ready = ::poll(&fd, 1, static_cast<int>(limits.seconds * 1000) + 1)) < 0 &&
           errno == EINTR)
      ;
    if (ready == 0)
      return timeOut();
  }
  WorkerAnswer answer;
  if (readText(answers, answer.text))
    return answer;
  return reap();
}

WorkerAnswer WorkerProcess::timeOut() {
  ::kill(-pid, SIGKILL);
  reap();
  return {WorkerAnswer::Status::TimedOut,
          llvm::formatv("stopped after {0} seconds", limits.seconds)};
}

void WorkerProcess::stop() {
  if (!alive())
    return;
  if (!__llvm_profile_write_file)
    ::kill(-pid, SIGKILL); // else it leaves by itself when it finds no further request
  reap();
}

WorkerAnswer WorkerProcess::reap() {
  ::close(requests);
  ::close(answers);
  // What it started and left behind goes, too, while its number is still taken.
  siginfo_t ended;
  while (::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
    ;
  ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  pid = -1;
  requests = answers = -1;
  if (WIFSIGNALED(status))
    return {WorkerAnswer::Status::Crashed,
            llvm::formatv("the process died of signal {0} ({1})", WTERMSIG(status),
                          ::strsignal(WTERMSIG(status)))};
  if (WEXITSTATUS(status) == kOutOfMemory)
    return {WorkerAnswer::Status::OutOfMemory, limits.memoryMessage()};
  return {WorkerAnswer::Status::Crashed,
          llvm::formatv("the process ended with exit code {0}", WEXITSTATUS(status))};
}

WorkerAnswer WorkerProcess::ask(const Work &work, const WorkerLimits &limits,
                                llvm::StringRef request) {
  if (!alive() && !start(work, limits))
    return {WorkerAnswer::Status::Crashed, "no process could be started"};
  auto previous = ::signal(SIGPIPE, SIG_IGN); // a dead worker is an end of file, not our death
  send(request);
  WorkerAnswer answer = receive();
  ::signal(SIGPIPE, previous);
  return answer;
}
