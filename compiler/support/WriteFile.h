//===- WriteFile.h - files written whole or not at all ----------------------------------------===//
//
// A file gets its name only when its bytes are complete: they are written without any name
// (O_TMPFILE) and linked into place, so that a run killed at any moment leaves nothing. Where the
// file system has no such files, and where an older file must give way, the complete bytes take a
// name beside the target for one rename. Whatever fails, an older file keeps its bytes.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_WRITEFILE_H
#define COMPILER_SUPPORT_WRITEFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tilesmith {

/// Why a file was not written: `cannot write 'PATH': reason`.
class WriteFileError : public llvm::ErrorInfo<WriteFileError> {
public:
  /// What was being done: before any byte was written, or while bytes were.
  enum class Stage { Open, Write };

  static char ID;
  WriteFileError(llvm::StringRef path, Stage stage, std::error_code code)
      : path(path), stage(stage), code(code) {}

  const std::string &getPath() const { return path; }
  Stage getStage() const { return stage; }
  std::error_code convertToErrorCode() const override { return code; }
  void log(llvm::raw_ostream &os) const override;

private:
  std::string path;
  Stage stage;
  std::error_code code;
};

/// Writes `contents` to `path` ("-": standard output). An older file is replaced whole and lends
/// its permissions; a symbolic link keeps pointing to what is replaced or made. A device, a pipe, a
/// file that is a mount of its own, and one in a folder that takes no new names are written in place,
/// a folder is refused. The folder of `path` must exist.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents);

/// An error when writing to `output` would replace `input`, or a file of the folder `input`, under
/// whatever names they are known: `expected an output other than the input 'PATH'`.
llvm::Error checkOutputIsNotInput(llvm::StringRef output, llvm::StringRef input);

/// What can be said of an output before the work for it begins: its folder exists, it is no folder
/// itself, and it is none of the inputs nor in one of them. An empty path is no output.
llvm::Error checkOutputFile(llvm::StringRef output, llvm::ArrayRef<std::string> inputs = {});

} // namespace tilesmith

#endif // COMPILER_SUPPORT_WRITEFILE_H
