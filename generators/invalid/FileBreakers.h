//===- FileBreakers.h - faults of the bytecode file -------------------------------------------===//
//
// A file as header and sections, taken apart and written again without the reader or the writer,
// and one function per fault. The layout is that of `compiler/bytecode/versions.md`.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_INVALID_FILEBREAKERS_H
#define GENERATORS_INVALID_FILEBREAKERS_H

#include "generators/entropy/ChoiceStream.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tilesmith::generators {

/// A section as it stands in the file.
struct FileSection {
  uint8_t id = 0;
  bool aligned = false;
  uint64_t alignment = 1;
  std::string payload;
  std::optional<uint64_t> claimedLength = std::nullopt; ///< where it lies
};

struct SectionedFile {
  std::string header; ///< magic, major, minor, tag
  std::vector<FileSection> sections;
  std::string end = std::string(1, '\0'); ///< the end section, and what follows it

  static std::optional<SectionedFile> parse(llvm::StringRef bytes);
  std::string write() const;
  FileSection *section(uint8_t id);
};

/// What must be said of a broken file.
struct FileFault {
  std::string bytes;
  std::string location;   ///< `header`, `function section`, ...; empty: not fixed
  std::string diagnostic; ///< empty: any refusal is right
};

struct FileBreaker {
  llvm::StringLiteral label;
  /// Nothing when the file has no place for this fault.
  std::optional<FileFault> (*apply)(SectionedFile file, ChoiceStream &stream);
};

llvm::ArrayRef<FileBreaker> fileBreakers();

} // namespace tilesmith::generators

#endif // GENERATORS_INVALID_FILEBREAKERS_H
