//===- HostMaps.h - tensor maps of host code for the emulator ---------------------------------===//
//
// The emulator runs LLVM IR and has tensor maps of a form of its own (devices/emulator/TensorMap.h). Where
// host code makes the maps of a kernel, the object that a cubin would carry is interpreted on the
// parameters of the launch, as engine sass does, and what it wrote is read as maps of the GPU.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_HOSTMAPS_H
#define ORACLES_ENGINES_HOSTMAPS_H

#include "compiler/target/LaunchMetadata.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace tilesmith::oracles {

/// The declared arguments and the tensor maps behind them. Error: the host code cannot be run, or wrote
/// what is no map.
llvm::Expected<std::vector<std::vector<uint8_t>>>
argumentsWithHostMaps(const target::KernelInfo &kernel, llvm::StringRef hostObject,
                      std::vector<std::vector<uint8_t>> arguments);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_HOSTMAPS_H
