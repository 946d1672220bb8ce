//===- ScratchFolder.h - one temporary folder for all of a command --------------------------===//
//
// While it lives, whatever this process and its children put into the system's temporary folder
// goes into a folder of their own there, so that what a killed child leaves behind goes with it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_SCRATCHFOLDER_H
#define COMPILER_SUPPORT_SCRATCHFOLDER_H

#include <string>
#include <sys/types.h>

namespace tilesmith {

class ScratchFolder {
public:
  /// Where no folder can be made, everything stays as it is.
  ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ~ScratchFolder();

  /// Both do nothing in a child.
  void remove() const;
  /// For the handler of a signal that ends the process, which may interrupt anything.
  void removeInHandler() const;

private:
  std::string path;
  volatile pid_t owner; ///< a signal's handler reads it even after the destructor
};

} // namespace tilesmith

#endif // COMPILER_SUPPORT_SCRATCHFOLDER_H
