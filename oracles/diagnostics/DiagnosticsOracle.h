//===- DiagnosticsOracle.h - is a broken module refused for its fault -------------------------===//
//
// Judges cases that must be refused (`expect_reject`), as Rejection.h says.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DIAGNOSTICS_DIAGNOSTICSORACLE_H
#define ORACLES_DIAGNOSTICS_DIAGNOSTICSORACLE_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

const Oracle &diagnosticsOracle();

} // namespace tilesmith::oracles

#endif // ORACLES_DIAGNOSTICS_DIAGNOSTICSORACLE_H
