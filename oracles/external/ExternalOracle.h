//===- ExternalOracle.h - do other compilers and verifiers take what ours takes ---------------===//
//
// Judges as External.h says. What they do wrong is theirs.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_EXTERNAL_EXTERNALORACLE_H
#define ORACLES_EXTERNAL_EXTERNALORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &externalOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_EXTERNAL_EXTERNALORACLE_H
