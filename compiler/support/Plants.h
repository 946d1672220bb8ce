//===- Plants.h - planted bugs, switched on by name -------------------------------------------===//
//
// A planted bug is a deliberate, named fault behind a run-time switch. Oracles prove themselves by
// catching it: `tilesmith check|fuzz|... --plant=ID`. The registry below is the only list; the
// table in the documentation and `tilesmith plants` are printed from it. Without the CMake option
// TILESMITH_PLANTS (preset `dist`) the switch folds to `false` and the faulty code is not compiled
// in.
//
// At a plant's site:   if (TILESMITH_PLANT("add-drops-carry")) ...faulty...
// Every ID used at a site must stand in the registry of Plants.cpp (checked by PlantsTest).
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_PLANTS_H
#define COMPILER_SUPPORT_PLANTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tilesmith {

/// One planted bug: where it sits and what it does wrong.
struct PlantInfo {
  llvm::StringLiteral id;
  llvm::StringLiteral
      family; ///< room/stage that is made faulty, e.g. "lowering", "layout", "emulator"
  llvm::StringLiteral file; ///< source file of the site
  llvm::StringLiteral description;
};

/// All planted bugs, sorted by id. Empty when built without TILESMITH_PLANTS.
llvm::ArrayRef<PlantInfo> plantRegistry();

/// Switches one planted bug on for this process; an unknown id is an error that lists the known
/// ones.
llvm::Error activatePlant(llvm::StringRef id);

/// Switches every planted bug off.
void deactivatePlants();

/// True when the plant was switched on. Asserts that the id is registered.
bool isPlantActive(llvm::StringRef id);

} // namespace tilesmith

#ifdef TILESMITH_PLANTS
#define TILESMITH_PLANT(ID) (::tilesmith::isPlantActive(ID))
#else
#define TILESMITH_PLANT(ID) false
#endif

#endif // COMPILER_SUPPORT_PLANTS_H
