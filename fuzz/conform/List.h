//===- List.h - what must be shown: lists of requirements and their modules -------------------===//
//
// A list is a text of one line per requirement: id, rule of the specification, case, SHA-256 of the
// case, separated by tabs. There is one per side (frontend, compiler) and version of the language.
// The whole list is the denominator of every result, and a released list never changes: a better one
// is another edition. The first edition is `<side>.txt`; `<side>-2.txt` and so on hold the rows that
// an edition adds to the one before, so that no edition can drop what an older one asked.
//
// Modules are kept by their SHA-256 in one compressed archive that all lists share. Lists and
// archive are made by `tilesmith conform lists` (Generate.cpp) and lie in corpus/conform, or in
// share/tilesmith/conform of an installed tilesmith.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CONFORM_LIST_H
#define FUZZ_CONFORM_LIST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>
#include <vector>

namespace tilesmith::fuzz::conform {

/// SHA-256 in hexadecimal.
std::string sha256(llvm::StringRef bytes);

struct Requirement {
  std::string id;     ///< `accept/form/addf/f32/13.4`; its first word is the kind
  std::string rule;   ///< a label that `tilesmith explain` knows
  std::string source; ///< where the case comes from, or the case itself
  std::string sha256; ///< of the case: of the module in the archive, else of `source`

  llvm::StringRef kind() const LLVM_LIFETIME_BOUND { return llvm::StringRef(id).split('/').first; }
};

struct RequirementList {
  std::string side;    ///< `compiler` or `frontend`
  std::string version; ///< `13.5`
  unsigned edition = 1;
  std::vector<Requirement> rows;

  std::string name() const { return side + " " + version; }
};

std::string printList(const RequirementList &list);
/// Error: a line that printList does not write, or an id that comes twice.
llvm::Expected<RequirementList> parseList(llvm::StringRef text);

/// Puts rows in the order that every list has.
void sortRows(std::vector<Requirement> &rows);

/// Whether the requirement is part of the quick profile: everything but modules that are accepted,
/// refused or run, and of these one in twelve, chosen by their id.
bool isQuick(const Requirement &requirement);

/// Modules by their SHA-256.
class Archive {
public:
  /// Adds a module; its SHA-256.
  std::string add(llvm::StringRef bytes);
  /// The module, or null.
  const std::string *find(llvm::StringRef sha256) const;
  size_t size() const { return modules.size(); }

  llvm::Error save(llvm::StringRef path) const;
  static llvm::Expected<Archive> load(llvm::StringRef path);

private:
  std::map<std::string, std::string, std::less<>> modules;
};

/// The folder of the released lists: `given`, else that of this installation or source tree.
llvm::Expected<std::string> listFolder(llvm::StringRef given);
/// All editions of a list, the newest last. Error: there is none, or one is broken.
llvm::Expected<std::vector<RequirementList>>
loadEditions(llvm::StringRef folder, llvm::StringRef side, llvm::StringRef version);
/// The newest edition.
llvm::Expected<RequirementList> loadList(llvm::StringRef folder, llvm::StringRef side,
                                         llvm::StringRef version);

/// Makes all lists and the archive in `folder` from the folder corpus of the sources and the
/// generators of this binary. Says what it made. Error: a list that is there and would change.
/// With `added`, adds the rows that begin with one of these and are in no edition yet, as the next
/// edition of the compiler lists.
llvm::Error generateLists(llvm::StringRef corpus, llvm::StringRef folder,
                          llvm::ArrayRef<std::string> added, llvm::raw_ostream &log);

} // namespace tilesmith::fuzz::conform

#endif // FUZZ_CONFORM_LIST_H
