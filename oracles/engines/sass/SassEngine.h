//===- SassEngine.h - machine code on the CPU as engines --------------------------------------===//
//
// `sass` runs what ptxas makes of our PTX, `external` what another compiler makes of the bytecode;
// both on the device oracles/devices/sass. Where the program that makes the code is missing, a run
// is Unavailable and says where it was looked for; what the device does not execute is Unsupported.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_SASS_SASSENGINE_H
#define ORACLES_ENGINES_SASS_SASSENGINE_H

#include "oracles/engines/Engine.h"

namespace tilesmith::oracles {

std::unique_ptr<Engine> createSassEngine();
std::unique_ptr<Engine> createExternalEngine();

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_SASS_SASSENGINE_H
