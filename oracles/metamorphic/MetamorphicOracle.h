//===- MetamorphicOracle.h - does an edited kernel compute what its original did --------------===//
//
// An edited case carries the results of its original as expectations (Pinning.h). The reference
// alone is held to them here: what it gets wrong, all engines share (the reader, the dialect, the
// reference). What only compiled code gets wrong is a finding of `differential`.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_METAMORPHIC_METAMORPHICORACLE_H
#define ORACLES_METAMORPHIC_METAMORPHICORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &metamorphicOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_METAMORPHIC_METAMORPHICORACLE_H
