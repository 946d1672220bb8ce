//===- OutputFolder.h - folders written whole, over nothing of the user's ---------------------===//
//
// A folder is written beside its target and takes the target's place when it is complete, in one
// system call; a run that fails or dies before leaves what was there. What is replaced is only what
// we wrote: every folder carries the mark `.tilesmith`, which lists its files with a hash of each.
//
// A target may be replaced when it does not exist, is an empty folder, or carries the mark and
// holds nothing but the listed files, unchanged. A file that somebody added or edited, a folder
// without the mark, a symbolic link, and the current folder or one around it are refused before
// anything is touched. The mark may also announce files that another tool adds later (the results
// of a replay), whatever their contents.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_OUTPUTFOLDER_H
#define COMPILER_SUPPORT_OUTPUTFOLDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tilesmith {

/// File in each written folder.
inline constexpr llvm::StringLiteral kFolderMark = ".tilesmith";

class OutputFolder {
public:
  /// An error unless `target` may be made or replaced: `cannot write folder 'PATH': expected ...,
  /// found ...`. `inputs` are folders that it must not be. Touches nothing.
  static llvm::Error check(llvm::StringRef target, llvm::ArrayRef<std::string> inputs = {});

  /// Checks, and makes the folder that is written to, with the folders around it.
  static llvm::Expected<OutputFolder> create(llvm::StringRef target);

  OutputFolder(OutputFolder &&other) noexcept;
  OutputFolder &operator=(OutputFolder &&) = delete;
  /// Removes what was written and not kept.
  ~OutputFolder();

  /// Where the files go until keep(). Only files: a folder in it is an error of keep().
  const std::string &path() const { return temporary; }
  /// Writes one file into it.
  llvm::Error write(llvm::StringRef name, llvm::StringRef contents) const;
  /// Marks the folder and puts it in place of the target. `later`: names of files that other tools
  /// of ours will add.
  llvm::Error keep(llvm::ArrayRef<std::string> later = {});

private:
  OutputFolder() = default;
  std::string target;    ///< absolute
  std::string temporary; ///< beside it; empty when there is none
};

/// Removes the folders that are being written and not kept. For signal handlers.
void removeUnfinishedFolders();

} // namespace tilesmith

#endif // COMPILER_SUPPORT_OUTPUTFOLDER_H
