//===- OraclesCommand.cpp - tilesmith oracles -------------------------------------------------===//
//
// Lists what can call a module wrong: the registry, with each oracle's share of the cases and what
// it needs.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/Commands.h"
#include "oracles/Registry.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::oraclesCommand() {
  static cl::SubCommand command("oracles", "list what can call a module wrong");
  return command;
}

int tilesmith::fuzz::runOracles() {
  llvm::outs() << llvm::left_justify("oracle", 14) << llvm::left_justify("cases", 11)
               << "what it asks\n";
  for (const oracles::Oracle *oracle : oracles::oracleRegistry()) {
    std::string share = oracle->share() == 1 ? "all" : "one in " + std::to_string(oracle->share());
    llvm::outs() << llvm::left_justify(oracle->name(), 14) << llvm::left_justify(share, 11)
                 << oracle->question() << '\n';
    if (!oracle->needs().empty())
      llvm::outs() << llvm::left_justify("", 25) << "needs " << oracle->needs() << '\n';
  }
  return 0;
}
