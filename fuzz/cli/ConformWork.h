//===- ConformWork.h - the runs of `tilesmith conform`, and what was written down -------------===//
//
// A work folder holds a line per run, written as soon as the run ends, and `subject.txt`, which says
// whose runs these are. A run that is killed goes on where it was; shards of several machines are
// packed from one folder that holds the files of all of them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CLI_CONFORMWORK_H
#define FUZZ_CLI_CONFORMWORK_H

#include "fuzz/conform/Package.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>

namespace tilesmith::fuzz::conform {

/// A case that runs: its name and what writes down what happened, given an empty folder.
struct Task {
  std::string id;
  std::function<llvm::Expected<llvm::json::Object>(llvm::StringRef folder)> run;
};

struct WorkOptions {
  unsigned jobs = 1;
  unsigned seconds = 60;         ///< of a run of a compiler
  unsigned index = 0, count = 1; ///< of the shard, whose tasks these are
};

/// The raw outputs of a work folder, which belong to one `subject`.
class Work {
public:
  static llvm::Expected<Work> open(const std::string &folder, const std::string &subject);
  /// Runs what is not written down yet, and says how to go on after an interrupt. Error: the folder
  /// cannot be written, or a case is none of its list.
  llvm::Error run(std::vector<Task> tasks, const WorkOptions &options);
  RawOutputs outputs;

private:
  llvm::Error runTasks(llvm::ArrayRef<Task> tasks, const WorkOptions &options,
                       llvm::raw_fd_ostream *log, llvm::StringRef scratch);

  std::string folder;
};

} // namespace tilesmith::fuzz::conform

#endif // FUZZ_CLI_CONFORMWORK_H
