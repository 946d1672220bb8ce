//===- Main.cpp - the tilesmith command -------------------------------------------------------===//
//
// Finds the subcommand and runs it. LLVM's command line library leaves the process with exit code 1
// on a usage error; here it reports to a string instead, because 1 means a failed case.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/OutputFolder.h"
#include "compiler/support/ScratchFolder.h"
#include "compiler/support/ToolSetup.h"
#include "fuzz/campaign/Interrupt.h"
#include "fuzz/cli/Commands.h"
#include "fuzz/store/Database.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

/// The list of processes, a crash's stack trace and messages show the command line: a password in the
/// address of a server does not stay there.
static void hidePasswords(int argc, char **argv) {
  for (char *argument : llvm::MutableArrayRef(argv, argc)) {
    char *url = std::strstr(argument, "postgres");
    if (!url || !isServerUrl(url))
      continue;
    rememberPassword(url);
    const std::string clean = withoutPassword(url);
    std::strncpy(url, clean.c_str(), std::strlen(url)); // fills with zeros
  }
}

const tilesmith::ScratchFolder &tilesmith::fuzz::scratchFolder() {
  static tilesmith::ScratchFolder scratch;
  return scratch;
}

static void endInHandler(int code) {
  tilesmith::removeUnfinishedFolders();
  scratchFolder().removeInHandler();
  ::_exit(code);
}

int main(int argc, char **argv) {
  hidePasswords(argc, argv);
  llvm::InitLLVM init(argc, argv);
  tilesmith::setUpTool(kUsageError);
  scratchFolder();
  Database::patience().hurry = interrupted;
  Database::patience().say = [](const std::string &what) { llvm::errs() << what << '\n'; };
  // Until a command says that it takes care of interrupts itself.
  llvm::sys::SetInterruptFunction([] { endInHandler(kInterrupted); });
  std::signal(SIGPIPE, [](int) { endInHandler(128 + SIGPIPE); }); // LLVM leaves it alone
  cl::SubCommand &top = cl::SubCommand::getTopLevel();
  for (const Command &command : allCommands())
    for (auto &[name, option] : command.subcommand.OptionsMap)
      if (name == "help-hidden" || name == "help-list" || name == "help-list-hidden")
        option->setHiddenFlag(cl::ReallyHidden);
  for (auto &[name, option] : top.OptionsMap) // options of libLLVM and libMLIR
    if (name != "help")
      option->setHiddenFlag(cl::ReallyHidden);

  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tilesmith " <<
#include "fuzz/cli/Version.inc"
       << ", LLVM " << LLVM_VERSION_STRING << '\n';
  });
  std::string errors;
  llvm::raw_string_ostream sink(errors);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "tilesmith: compiles CUDA Tile IR and proves it right\n", &sink)) {
    llvm::errs() << errors;
    return kUsageError;
  }
  for (const Command &command : allCommands())
    if (command.subcommand)
      return command.run();
  std::string names;
  for (const Command &command : allCommands())
    names += (names.empty() ? "" : ", ") + command.subcommand.getName().str();
  return usageError("expected one of the subcommands " + names + " (--help lists them)");
}
