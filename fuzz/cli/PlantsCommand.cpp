//===- PlantsCommand.cpp - tilesmith plants ---------------------------------------------------===//
//
// The table of planted bugs, printed from their registry.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "fuzz/cli/Commands.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::plantsCommand() {
  static cl::SubCommand command("plants", "list the planted bugs");
  return command;
}

int tilesmith::fuzz::runPlants() {
  if (plantRegistry().empty()) {
    llvm::outs() << "built without planted bugs (CMake option TILESMITH_PLANTS)\n";
    return 0;
  }
  llvm::outs() << llvm::left_justify("id", 36) << llvm::left_justify("family", 12)
               << "what is wrong\n";
  for (const PlantInfo &plant : plantRegistry())
    llvm::outs() << llvm::left_justify(plant.id, 36) << llvm::left_justify(plant.family, 12)
                 << plant.description << " (" << plant.file << ")\n";
  return 0;
}
