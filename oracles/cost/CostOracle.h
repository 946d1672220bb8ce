//===- CostOracle.h - does a level, a hint or a harmless edit make code slower --------------------===//
//
// Looks for code that is right and costs too much, without a baseline: two ways to compile one kernel
// are compared, of which the first must not cost more (Relations in CostOracle.cpp).
//
//   level      the level that is judged (-O3) against -O1, without hints for clusters
//   hint       the kernel as it is against the same without its other optimization hints, and without
//              those for clusters, whose blocks may do a part of the work again
//   edit       an edited kernel against the original, from -O1 on: operations that nothing uses,
//              operations twice, operands that may be swapped the other way round, zero added
//   external   machine code of ours against that of another compiler (--external-compiler and ptxas)
//
// What is compared are figures of Performance.h that the emulated GPU counts, and the PTX; all are
// exact, so that a finding shows again and reduces like a wrong result. A difference counts beyond
// limits that code without a planted bug did not reach (MEASUREMENTS.md).
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_COST_COSTORACLE_H
#define ORACLES_COST_COSTORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &costOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_COST_COSTORACLE_H
