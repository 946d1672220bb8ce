//===- ServeCommand.cpp - tilesmith serve -----------------------------------------------------===//
//
// The warm, isolated process behind the driver on the CPU. Programs start it; by hand it has nobody
// to talk to.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/Commands.h"
#include "oracles/devices/driver/Protocol.h"
#include "oracles/engines/runtime/Serve.h"

#include <sys/stat.h>

using namespace tilesmith;
using namespace tilesmith::fuzz;

llvm::cl::SubCommand &tilesmith::fuzz::serveCommand() {
  static llvm::cl::SubCommand command("serve",
                                      "run the launches of a driver, which starts this by itself");
  return command;
}

int tilesmith::fuzz::runServe() {
  struct stat status;
  if (::fstat(driver::kSocket, &status) != 0 || !S_ISSOCK(status.st_mode))
    return usageError("expected a driver at the other end of file 3: libcuda.so.1 of tilesmith "
                      "starts `tilesmith serve` by itself");
  runtime::serve([] { scratchFolder().remove(); });
}
