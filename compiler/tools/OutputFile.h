//===- OutputFile.h - files written whole or not at all ---------------------------------------===//
//
// A new file gets its name only when its bytes are complete: it is written without any name
// (O_TMPFILE) and linked into place, so that a run killed at any moment leaves nothing. Where the
// file system has no such files, and where an older file must be replaced, the complete bytes take
// a name beside the target for the rename.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TOOLS_OUTPUTFILE_H
#define COMPILER_TOOLS_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"

namespace tilesmith::tools {

/// Writes `bytes` to `path` ("-": standard output). A path that exists and is no regular file (a
/// device, a pipe) is written in place. Returns the exit code; on failure the reason has gone to
/// standard error.
int writeOutputFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace tilesmith::tools

#endif // COMPILER_TOOLS_OUTPUTFILE_H
