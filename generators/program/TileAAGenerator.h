//===- TileAAGenerator.h - choice stream to a program of nv_tileaa ----------------------------===//
//
// Most ops of nv_tileaa that no op of cuda_tile becomes (agents and queues, gathers with masks,
// exclusive scans, histograms, calls with results, …) cannot be reached by generated kernels. A
// program enters the compiler behind its first conversion, as text; the interpreter of that dialect
// takes the place of the reference.
//
// Invariants: a case is a function of the choices and of what is left out; `choices` of the case
// replays it; a step lives in one frame of the stream.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_TILEAAGENERATOR_H
#define GENERATORS_PROGRAM_TILEAAGENERATOR_H

#include "generators/entropy/ChoiceStream.h"
#include "reference/testcase/TestCase.h"

#include <set>
#include <string>
#include <vector>

namespace tilesmith::generators {

struct TileAACase {
  testcase::TestCase testCase;    ///< one launch of one block, module `kernel.tileaa.mlir`
  std::vector<std::string> trail; ///< names of the steps, in order
};

/// One program. The steps of the numbers in `without` are left out, the others keep their choices.
TileAACase generateTileAA(ChoiceStream &stream, std::string name,
                          const std::set<unsigned> &without = {});

/// The names of all steps.
std::vector<std::string> tileaaSteps();

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_TILEAAGENERATOR_H
