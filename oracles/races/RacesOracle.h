//===- RacesOracle.h - does a generated kernel order its own accesses -------------------------===//
//
// Our generators promise kernels without data races. A race that the reference finds in one means
// that the promise is broken, or that a token got lost on the way through bytecode; the round trip
// of the module tells the two apart. Kernels of others may race: that is undefined behaviour, and
// says nothing about us.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_RACES_RACESORACLE_H
#define ORACLES_RACES_RACESORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &racesOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_RACES_RACESORACLE_H
