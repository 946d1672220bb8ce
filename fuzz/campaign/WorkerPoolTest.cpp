//===- WorkerPoolTest.cpp ---------------------------------------------------------------------===//
#include "fuzz/campaign/WorkerPool.h"

#include "llvm/Support/ErrorHandling.h"

#include "gtest/gtest.h"

#include <csignal>
#include <map>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilesmith::fuzz;

namespace {

std::map<uint64_t, TaskResult> runAll(WorkerPool &pool, uint64_t count) {
  std::map<uint64_t, TaskResult> results;
  uint64_t next = 0;
  pool.run([&] { return next < count ? std::optional<uint64_t>(next++) : std::nullopt; },
           [&](const TaskResult &result) {
             EXPECT_TRUE(results.emplace(result.task, result).second)
                 << "every task has one result";
             return true;
           });
  return results;
}

TEST(WorkerPool, EveryTaskIsAnswered) {
  WorkerPool pool(3, {60, 0}, [](uint64_t task) { return std::string(task, 'x'); });
  auto results = runAll(pool, 700); // more than one worker serves
  ASSERT_EQ(results.size(), 700u);
  for (auto &[task, result] : results) {
    EXPECT_EQ(result.status, TaskResult::Status::Done);
    EXPECT_EQ(result.text.size(), task);
  }
}

TEST(WorkerPool, ACrashIsAResultAndTheRestGoesOn) {
  WorkerPool pool(2, {60, 0}, [](uint64_t task) -> std::string {
    if (task == 3)
      ::raise(SIGKILL);
    if (task == 5)
      ::_exit(7);
    return "ok";
  });
  auto results = runAll(pool, 10);
  ASSERT_EQ(results.size(), 10u);
  EXPECT_EQ(results[3].status, TaskResult::Status::Crashed);
  EXPECT_NE(results[3].text.find("signal 9"), std::string::npos) << results[3].text;
  EXPECT_NE(results[5].text.find("exit code 7"), std::string::npos) << results[5].text;
  EXPECT_EQ(results[9].text, "ok");
}

TEST(WorkerPool, AHangIsCutOff) {
  WorkerPool pool(2, {0.3, 0}, [](uint64_t task) -> std::string {
    if (task == 1)
      std::this_thread::sleep_for(std::chrono::hours(1));
    return "ok";
  });
  auto results = runAll(pool, 4);
  EXPECT_EQ(results[1].status, TaskResult::Status::TimedOut);
  EXPECT_EQ(results[3].text, "ok");
}

TEST(WorkerPool, TooMuchMemoryIsAResult) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer reserves more than any limit";
#endif
  WorkerPool pool(1, {60, 512}, [](uint64_t task) -> std::string {
    if (task == 1) {
      std::string large(size_t(1) << 30, 'x');
      asm volatile("" : : "r"(large.data()) : "memory"); // so that it is not optimised away
    }
    return "ok";
  });
  auto results = runAll(pool, 3);
  EXPECT_EQ(results[1].status, TaskResult::Status::OutOfMemory);
  EXPECT_EQ(results[1].text, "memory limit of 512 MiB reached");
  EXPECT_EQ(results[2].text, "ok");
}

// What ends a process when malloc says no: LLVM's fatal errors, an abort, a null pointer.
TEST(WorkerPool, DyingAtTheMemoryLimitIsNoCrash) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer reserves more than any limit";
#endif
  auto die = [](uint64_t how) {
    if (how == 0)
      llvm::report_fatal_error("no place in memory", /*gen_crash_diag=*/false);
    if (how == 1)
      ::abort();
    *static_cast<volatile char *>(nullptr) = 0;
  };
  for (bool full : {true, false}) {
    WorkerPool pool(1, {60, 512}, [&](uint64_t task) -> std::string {
      size_t size = size_t(1) << 30;
      while (full && size >= 1 << 16)
        if (::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
            MAP_FAILED)
          size /= 2;
      die(task);
      return "survived";
    });
    for (auto &[task, result] : runAll(pool, 3))
      EXPECT_EQ(result.status, full ? TaskResult::Status::OutOfMemory : TaskResult::Status::Crashed)
          << task << (full ? " without memory: " : " with memory: ") << result.text;
  }
}

TEST(WorkerProcess, AnswersDiesAndIsReplaced) {
  WorkerProcess process;
  auto work = [](llvm::StringRef request) -> std::string {
    if (request == "die")
      ::raise(SIGKILL);
    return request.upper();
  };
  EXPECT_EQ(process.ask(work, {}, "first").text, "FIRST");
  EXPECT_EQ(process.ask(work, {}, "die").status, WorkerAnswer::Status::Crashed);
  EXPECT_FALSE(process.alive());
  EXPECT_EQ(process.ask(work, {}, "again").text, "AGAIN");
}

TEST(WorkerPool, StoppingHandsOutNoFurtherTask) {
  WorkerPool pool(1, {60, 0}, [](uint64_t) { return std::string(); });
  uint64_t next = 0;
  pool.run([&] { return std::optional<uint64_t>(next++); },
           [&](const TaskResult &result) { return result.task < 4; });
  EXPECT_EQ(next, 5u);
}

TEST(WorkerProcess, AWorkerOfAWorkerMayCrash) {
  WorkerProcess outer;
  auto work = [](llvm::StringRef) {
    WorkerProcess inner;
    auto crash = [](llvm::StringRef) -> std::string { std::abort(); };
    WorkerAnswer answer = inner.ask(crash, {10, 0}, "crash");
    return std::string(answer.status == WorkerAnswer::Status::Crashed ? "crashed" : "lives");
  };
  WorkerAnswer answer = outer.ask(work, {60, 0}, "nest");
  EXPECT_EQ(answer.status, WorkerAnswer::Status::Done);
  EXPECT_EQ(answer.text, "crashed");
}

/// A pipe of which a program holds the writing end for as long as it lives.
struct LifeLine {
  int ends[2] = {-1, -1};
  LifeLine() { EXPECT_EQ(::pipe(ends), 0); }
  ~LifeLine() { ::close(ends[0]); }

  /// What a worker may start: it never ends by itself.
  void startProgram() const {
    if (::fork() == 0) {
      ::execlp("sleep", "sleep", "1000", nullptr);
      ::_exit(1);
    }
  }
  /// Whether all who had the writing end are gone, after at most ten seconds.
  bool ended() {
    ::close(ends[1]);
    pollfd fd{ends[0], POLLIN, 0};
    char byte;
    return ::poll(&fd, 1, 10000) == 1 && ::read(ends[0], &byte, 1) == 0;
  }
};

TEST(WorkerProcess, WhatItStartedEndsWithItAtTheTimeLimit) {
  LifeLine line;
  WorkerProcess process;
  auto work = [&](llvm::StringRef) -> std::string {
    line.startProgram();
    while (true)
      ::pause();
  };
  EXPECT_EQ(process.ask(work, {0.5, 0}, "hang").status, WorkerAnswer::Status::TimedOut);
  EXPECT_TRUE(line.ended());
}

TEST(WorkerProcess, WhatItStartedEndsWithItAfterACrash) {
  LifeLine line;
  WorkerProcess process;
  auto work = [&](llvm::StringRef) -> std::string {
    line.startProgram();
    ::raise(SIGKILL);
    return "";
  };
  EXPECT_EQ(process.ask(work, {60, 0}, "crash").status, WorkerAnswer::Status::Crashed);
  EXPECT_TRUE(line.ended());
}

TEST(WorkerProcess, WhatItStartedEndsWithTheParent) {
  LifeLine line, started;
  pid_t parent = ::fork();
  if (parent == 0) {
    WorkerProcess process;
    auto work = [&](llvm::StringRef) -> std::string {
      line.startProgram();
      (void)!::write(started.ends[1], "!", 1);
      while (true)
        ::pause();
    };
    process.ask(work, {60, 0}, "hang");
    ::_exit(0);
  }
  char byte;
  ASSERT_EQ(::read(started.ends[0], &byte, 1), 1);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE(line.ended());
  EXPECT_TRUE(started.ended());
}

} // namespace
