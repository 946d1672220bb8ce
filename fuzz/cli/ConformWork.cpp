//===- ConformWork.cpp - the runs of `tilesmith conform`, and what was written down -----------===//
#include "fuzz/cli/ConformWork.h"

#include "compiler/support/WriteFile.h"
#include "fuzz/campaign/Interrupt.h"
#include "fuzz/campaign/WorkerPool.h"
#include "fuzz/cli/Commands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

llvm::Expected<Work> Work::open(const std::string &folder, const std::string &subject) {
  Work work;
  work.folder = folder;
  if (folder.empty())
    return work;
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError("cannot make '" + folder + "': " + code.message());
  std::string path = folder + "/subject.txt";
  if (auto old = llvm::MemoryBuffer::getFile(path)) {
    if ((*old)->getBuffer() != subject)
      return llvm::createStringError("expected the raw outputs of " + StringRef(subject).rtrim() +
                                     " in '" + folder + "', found those of " +
                                     (*old)->getBuffer().rtrim());
  } else if (llvm::Error error = writeFileAtomically(path, subject)) {
    return error;
  }
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code)) {
    if (!StringRef(it->path()).ends_with(".jsonl"))
      continue;
    auto file = llvm::MemoryBuffer::getFile(it->path());
    if (!file)
      return llvm::createStringError("cannot read '" + it->path() +
                                     "': " + file.getError().message());
    // A run that was killed may have left half a line at the end; what never started is tried again.
    for (StringRef line : llvm::split((*file)->getBuffer(), '\n')) {
      auto one = parseOutputs(line);
      if (!one) {
        llvm::consumeError(one.takeError());
        continue;
      }
      for (auto &[id, raw] : *one)
        if (!raw.getString("ended").value_or("").starts_with("not started"))
          work.outputs.try_emplace(id, std::move(raw));
    }
  }
  return work;
}

/// What workers had started when they were killed became children of this process.
static void endOrphans() {
  std::string path = llvm::formatv("/proc/{0}/task/{1}/children", ::getpid(), ::gettid()).str();
  while (auto children = llvm::MemoryBuffer::getFileAsStream(path)) {
    llvm::SmallVector<StringRef> words;
    (*children)->getBuffer().split(words, ' ', -1, /*KeepEmpty=*/false);
    bool any = false;
    for (StringRef word : words)
      if (pid_t child; !word.trim().getAsInteger(10, child)) {
        any = true;
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
      }
    if (!any)
      return;
  }
}

llvm::Error Work::run(std::vector<Task> tasks, const WorkOptions &options) {
  size_t all = tasks.size();
  llvm::erase_if(tasks, [&](const Task &task) { return outputs.count(task.id) > 0; });
  std::unique_ptr<llvm::raw_fd_ostream> log;
  if (!folder.empty()) {
    std::error_code code;
    log = std::make_unique<llvm::raw_fd_ostream>(
        llvm::formatv("{0}/raw-{1}-{2}.jsonl", folder, options.index, options.count).str(), code,
        llvm::sys::fs::OF_Append);
    if (code)
      return llvm::createStringError("cannot write in '" + folder + "': " + code.message());
    *log << '\n'; // ends half a line
  }
  llvm::SmallString<128> scratch;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tilesmith-conform", scratch))
    return llvm::createStringError("no temporary folder: " + code.message());
  noteInterrupts();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  size_t before = outputs.size();
  llvm::Error error = runTasks(tasks, options, log.get(), scratch);
  endOrphans();
  llvm::sys::fs::remove_directories(scratch);
  if (interrupted())
    llvm::outs() << llvm::formatv("{0} of {1} cases are done\ninterrupted: the same command {2}\n",
                                  all - tasks.size() + outputs.size() - before, all,
                                  folder.empty() ? "begins anew; with --work=DIR it would go on"
                                                 : "goes on after these");
  return error;
}

llvm::Error Work::runTasks(llvm::ArrayRef<Task> tasks, const WorkOptions &options,
                           llvm::raw_fd_ostream *log, StringRef scratch) {
  WorkerPool pool(options.jobs, {options.seconds * 20.0 + 600, 0},
                  [&](uint64_t number) -> std::string {
                    std::string own = llvm::formatv("{0}/{1}", scratch, number);
                    if (std::error_code code = llvm::sys::fs::create_directory(own))
                      return "error: cannot make '" + own + "': " + code.message();
                    auto raw = tasks[number].run(own);
                    llvm::sys::fs::remove_directories(own);
                    if (!raw)
                      return "error: " + llvm::toString(raw.takeError());
                    return llvm::formatv("{0}", json::Value(std::move(*raw))).str();
                  });
  ProgressLine progress;
  uint64_t next = 0, done = 0;
  std::string problem;
  pool.run(
      [&]() -> std::optional<uint64_t> {
        return next < tasks.size() ? std::optional(next++) : std::nullopt;
      },
      [&](const TaskResult &result) {
        std::string text = result.text;
        if (result.status != TaskResult::Status::Done)
          text = llvm::formatv("{0}",
                               json::Value(json::Object{{"id", tasks[result.task].id},
                                                        {"ended", "not started: " + result.text}}));
        auto parsed = parseOutputs(text);
        if (!parsed) {
          llvm::consumeError(parsed.takeError());
          problem = text;
          return false;
        }
        outputs.merge(*parsed);
        if (log) {
          *log << text << '\n';
          log->flush();
          if (std::error_code code = log->error()) {
            log->clear_error();
            problem = "cannot write in '" + folder + "': " + code.message();
            return false;
          }
        }
        progress.show(llvm::formatv("{0} of {1} cases", ++done, tasks.size()));
        return true;
      });
  progress.clear();
  return problem.empty() ? llvm::Error::success() : llvm::createStringError(problem);
}
