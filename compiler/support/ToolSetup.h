//===- ToolSetup.h - what main of every tool does first ---------------------------------------===//
#ifndef COMPILER_SUPPORT_TOOLSETUP_H
#define COMPILER_SUPPORT_TOOLSETUP_H

namespace tilesmith {

/// A crash is said to be a bug of this project, not of LLVM. A file that grows beyond the limit of
/// the process is an error of the write, not a signal.
void setUpTool();

} // namespace tilesmith

#endif // COMPILER_SUPPORT_TOOLSETUP_H
