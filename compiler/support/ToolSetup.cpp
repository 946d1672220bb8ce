//===- ToolSetup.cpp - what main of every tool does first -------------------------------------===//
#include "compiler/support/ToolSetup.h"

#include "llvm/Support/PrettyStackTrace.h"

#include <csignal>

void tilesmith::setUpTool() {
  llvm::setBugReportMsg("This is a bug of tilesmith: please report it to its maintainers, with the "
                        "command, its input and the lines below.\n");
  std::signal(SIGXFSZ, SIG_IGN);
}
