//===- WorkerPool.h - tasks in worker processes -----------------------------------------------===//
//
// Runs numbered tasks in forked processes, so that a crash or a hang of one task is a result and
// not the end of the run. Each worker takes one task at a time and answers with a string.
//
// Invariants: every task that was handed out ends in exactly one result (none after an interrupt);
// results arrive in any order; workers inherit the state of the process at the time of run()
// (switched plants included) and never return from it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_WORKERPOOL_H
#define FUZZ_CAMPAIGN_WORKERPOOL_H

#include "fuzz/campaign/WorkerProcess.h"

#include <optional>

namespace tilesmith::fuzz {

struct TaskResult {
  using Status = WorkerAnswer::Status;
  uint64_t task = 0;
  Status status = Status::Done;
  std::string text; ///< Done: the task's answer; else what happened to the process
};

class WorkerPool {
public:
  /// `jobs` processes (at least one) that run `work` within the limits.
  WorkerPool(unsigned jobs, WorkerLimits limits, std::function<std::string(uint64_t task)> work)
      : WorkerPool(jobs, limits,
                   [work = std::move(work)](uint64_t task, auto) { return work(task); }, {}) {}
  /// The same with bytes that `more` gives to a task when it is handed out.
  WorkerPool(unsigned jobs, WorkerLimits limits,
             std::function<std::string(uint64_t task, llvm::StringRef more)> work,
             std::function<std::string(uint64_t task)> more)
      : jobs(jobs ? jobs : 1), limits(limits), work(std::move(work)), more(std::move(more)) {}

  /// Asks `next` for tasks until it has no more, and passes every result to `done`; when that says
  /// false, no further task is handed out and the ones under way are awaited. After an interrupt
  /// (Interrupt.h) these are given up, without a result.
  void run(std::function<std::optional<uint64_t>()> next,
           std::function<bool(const TaskResult &)> done);

private:
  unsigned jobs;
  WorkerLimits limits;
  std::function<std::string(uint64_t, llvm::StringRef)> work;
  std::function<std::string(uint64_t)> more; ///< null: nothing
};

/// Cores of this machine: the default of --jobs.
unsigned defaultJobs();

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_WORKERPOOL_H
