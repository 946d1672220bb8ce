//===- DevicePTX.h - the PTX of a device module, checked --------------------------------------===//
//
// Makes PTX of a copy of the module that the emulator executes, checks the text with the independent
// parser of oracles/devices/ptx, and counts the instructions of every order and scope that accesses of
// the module have: exactly, where the back end has one instruction for each of them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_PTX_DEVICEPTX_H
#define ORACLES_PTX_DEVICEPTX_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace tilesmith::oracles {

struct DevicePTX {
  std::string text; ///< empty when LLVM's back end refused the module
  std::string
      error; ///< of the back end, the parser's first (`LINE:COLUMN: error: ...`), or a lost order
  unsigned line = 0; ///< of that error, from 1; 0: none
};

DevicePTX checkDevicePTX(const llvm::Module &module, llvm::StringRef gpuName, unsigned optLevel);

} // namespace tilesmith::oracles

#endif // ORACLES_PTX_DEVICEPTX_H
