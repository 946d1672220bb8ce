//===- ToolSetup.cpp - what main of every tool does first -------------------------------------===//
#include "compiler/support/ToolSetup.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

static int failureCode;

/// The next file that is opened would get the number of a closed stream, and with it what is meant
/// for the stream. A file that is open the wrong way keeps the number and refuses as a closed one does.
static void keepClosedStreamsClosed() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Runs before the destructor of outs(), which would call lost output a fatal error of LLVM's.
static void reportLostOutput() {
  llvm::raw_fd_ostream &out = llvm::outs();
  out.flush();
  if (!out.has_error())
    return;
  const std::string reason = out.error().message();
  out.clear_error();
  llvm::errs() << "error: cannot write standard output: " << reason << '\n';
  ::_exit(failureCode);
}

static void endWithoutMemory(void *, const char *, bool) {
  static constexpr char kMessage[] = "error: out of memory\n"; // streams may ask for memory
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  llvm::sys::RunInterruptHandlers(); // removes unfinished files
  ::_exit(failureCode);
}

void tilesmith::setUpTool(int failure) {
  failureCode = failure;
  llvm::setBugReportMsg("This is a bug of tilesmith: please report it to its maintainers, with the "
                        "command, its input and the lines below.\n");
  std::signal(SIGXFSZ, SIG_IGN);
  keepClosedStreamsClosed();
  llvm::outs(); // made first, so that it is destroyed behind the report
  std::atexit(reportLostOutput);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(endWithoutMemory);
}
