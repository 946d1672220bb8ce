//===- ClaimsOracle.h - does what the compiler relies on hold in the run ----------------------===//
//
// Between the stages a module carries claims: facts about integers and pointers, tiles that lie
// inside of their tensors, replicas that are alike, accesses that barriers keep apart. A wrong claim
// is a bug although this kernel's results came out right. The interpreters of nv_tileaa and of
// nv_tileas hold every value that they compute against the claims; this oracle runs both on the
// module as compiled with what is drawn for the case. What a kernel assumes falsely is no claim of the
// compiler, nor is what follows from it: such kernels are not called wrong.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_CLAIMS_CLAIMSORACLE_H
#define ORACLES_CLAIMS_CLAIMSORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &claimsOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_CLAIMS_CLAIMSORACLE_H
