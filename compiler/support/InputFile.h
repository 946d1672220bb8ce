//===- InputFile.h - files that users name as input -------------------------------------------===//
//
// A device such as /dev/zero has no end, and a file may be larger than memory: both would end a tool
// for lack of memory, after minutes and without a name. Neither is read at all.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_INPUTFILE_H
#define COMPILER_SUPPORT_INPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tilesmith {

/// The largest file that is read, and the largest buffer that a user may ask for by its size.
inline constexpr uint64_t kMaxInputBytes = uint64_t{1} << 32;

/// Why a file is not even opened, as the end of a sentence: `expected a file, found a device`.
/// Success for what can be read, for what does not exist, and for "-".
llvm::Error checkInputFile(llvm::StringRef path);

/// The bytes of a file: `cannot read 'PATH': reason`, or what stands for `cannot read`.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputFile(llvm::StringRef path, llvm::StringRef cannotRead = "cannot read");

} // namespace tilesmith

#endif // COMPILER_SUPPORT_INPUTFILE_H
