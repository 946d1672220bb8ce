//===- RoundTripOracle.h - is a module the same after a way through bytes or text -------------===//
//
// Written again, and read from its own text, a module must be the same in memory. One that our
// generator made must also become the same bytes; a fresh one (JudgeOptions::fresh) after a way
// through text, too. Tables of an older generator's modules and of other writers may come in
// another order. Inconclusive without bytecode of the version.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ROUNDTRIP_ROUNDTRIPORACLE_H
#define ORACLES_ROUNDTRIP_ROUNDTRIPORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &roundTripOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_ROUNDTRIP_ROUNDTRIPORACLE_H
