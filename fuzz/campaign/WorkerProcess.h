//===- WorkerProcess.h - one forked process that answers requests -----------------------------===//
//
// A child process that turns one request string at a time into one answer string. What becomes of
// it (a crash, a hang, too much memory) is a status, never the end of the parent.
//
// Invariants: the child inherits the state of the parent at the time of start() and never returns
// from it; it dies with the parent, and the programs that it started die with it (it leads a group
// of processes); every send() is followed by at most one receive().
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_WORKERPROCESS_H
#define FUZZ_CAMPAIGN_WORKERPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>

namespace tilesmith::fuzz {

/// What one process may use; 0 is no limit.
struct WorkerLimits {
  double seconds = 0;     ///< for one request
  uint64_t memoryMiB = 0; ///< data of the process (not enforced under the sanitizers)

  /// `memory limit of 512 MiB reached`, or `out of memory` where there is no limit.
  std::string memoryMessage() const;
};

struct WorkerAnswer {
  enum class Status { Done, Crashed, TimedOut, OutOfMemory };
  Status status = Status::Done;
  std::string text; ///< Done: the answer; else what happened to the process
};

class WorkerProcess {
public:
  using Work = std::function<std::string(llvm::StringRef request)>;

  WorkerProcess() = default;
  WorkerProcess(WorkerProcess &&other) noexcept { *this = std::move(other); }
  WorkerProcess &operator=(WorkerProcess &&other) noexcept;
  ~WorkerProcess() { stop(); }

  /// Forks. `closeInChild`: pipes of other workers, which must not be held open here, or these
  /// would never see the end of their input.
  bool start(const Work &work, const WorkerLimits &limits, llvm::ArrayRef<int> closeInChild = {});
  bool alive() const { return pid > 0; }
  /// False when the child is gone; receive() then says what happened.
  bool send(llvm::StringRef request);
  /// Waits for the answer, at most limits.seconds after send().
  WorkerAnswer receive();
  /// Becomes readable when receive() would not wait.
  int readable() const { return answers; }
  llvm::SmallVector<int, 2> pipes() const { return {requests, answers}; }
  /// Kills the child because of the time limit.
  WorkerAnswer timeOut();
  /// Ends the child: at once.
  void stop();

  /// send() and receive() with a fresh child where there is none.
  WorkerAnswer ask(const Work &work, const WorkerLimits &limits, llvm::StringRef request);

private:
  WorkerAnswer reap();

  pid_t pid = -1;
  int requests = -1, answers = -1; ///< our ends of the pipes
  WorkerLimits limits;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_WORKERPROCESS_H
