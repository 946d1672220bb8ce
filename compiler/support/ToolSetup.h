//===- ToolSetup.h - what main of every tool does first ---------------------------------------===//
#ifndef COMPILER_SUPPORT_TOOLSETUP_H
#define COMPILER_SUPPORT_TOOLSETUP_H

namespace tilesmith {

/// A crash is said to be a bug of this project, not of LLVM. A file that grows beyond the limit of
/// the process is an error of the write, not a signal. A standard stream that the caller closed stays
/// closed: no file gets its number. Lost output and a lack of memory end the tool with one line and
/// `failure`, its exit code for a run that could not do its work.
void setUpTool(int failure = 2);

} // namespace tilesmith

#endif // COMPILER_SUPPORT_TOOLSETUP_H
