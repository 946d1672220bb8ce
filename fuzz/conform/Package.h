//===- Package.h - a result that a stranger can verify ----------------------------------------===//
//
// A folder:
//   statement.json      who, what, which list (with its SHA-256), hashes of the tools, machine,
//                       options, how many requirements ended in which state
//   results.jsonl       a line per requirement of the list, in its order: id, state, reason
//   raw.jsonl.zst       what was written down of each run; zstdcat prints it
//   waivers.json        failures that a user accepts: requirement, url, reason, expires
//   MANIFEST.sha256     of all these, as sha256sum checks it
//   MANIFEST.sha256.sig detached signature of the manifest, if somebody signed it
//
// Invariant: every state follows from list, raw outputs and waivers (judgePackage), so that nobody
// has to believe results.jsonl.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CONFORM_PACKAGE_H
#define FUZZ_CONFORM_PACKAGE_H

#include "fuzz/conform/FrontendProfile.h"

namespace tilesmith::fuzz::conform {

struct Waiver {
  std::string requirement, url, reason;
  std::string expires; ///< `13.6`: of no use for this version and later ones
};

struct Result {
  std::string id;
  Verdict verdict;
};

struct Package {
  llvm::json::Object statement;
  std::vector<Result> results;
  RawOutputs outputs;
  std::vector<Waiver> waivers;
  std::string manifest; ///< text of MANIFEST.sha256
  /// Of readPackage: the texts that were read, by the name of their file, raw outputs unpacked.
  std::map<std::string, std::string> texts;

  std::string text(llvm::StringRef key) const {
    return statement.getString(key).value_or("").str();
  }
};

inline constexpr llvm::StringLiteral kManifest = "MANIFEST.sha256";
inline constexpr llvm::StringLiteral kSignature = "MANIFEST.sha256.sig";

/// JSON lines with an `id` each.
llvm::Expected<RawOutputs> parseOutputs(llvm::StringRef lines);
llvm::Expected<std::vector<Waiver>> parseWaivers(llvm::StringRef text);

/// States of all requirements, in the order of the list: by the raw outputs, then the waivers.
/// Error: a waiver that is not one (no reason, no requirement of the list, nothing that failed).
llvm::Expected<std::vector<Result>> judgePackage(const RequirementList &list,
                                                 const Archive &archive, bool quick,
                                                 const RawOutputs &outputs,
                                                 llvm::ArrayRef<Waiver> waivers);

/// Number of requirements by state, as the statement has it.
llvm::json::Object countStates(llvm::ArrayRef<Result> results);

/// What a frontend's statement says of its modules.
llvm::json::Object inputsOf(const RawOutputs &outputs);

/// The files of a package but the manifest, by name; the same with raw outputs unpacked; the
/// manifest of files.
using Files = std::map<std::string, std::string>;
Files packageFiles(const Package &package);
Files packageTexts(const Package &package);
std::string manifestOf(const Files &files);
/// Writes the folder. Error: it holds something that is not ours.
llvm::Error writePackage(const Package &package, llvm::StringRef folder);

/// A file of the package. Error: it is a link, no file at all, or larger than 1 GiB.
llvm::Expected<std::string> readPackageFile(llvm::StringRef folder, llvm::StringRef name);
/// Reads the files, without believing any of them. Error: one is missing or no JSON.
llvm::Expected<Package> readPackage(llvm::StringRef folder);

//===------------------------------------------------------------------------------------------===//
// Shape.cpp
//===------------------------------------------------------------------------------------------===//

inline constexpr int64_t kMostSeconds = 86400; ///< that a run may take, by its statement

/// Which field is missing, unknown or of another type; empty: none.
std::string wrongStatement(const llvm::json::Object &statement);
std::string wrongOutput(const llvm::json::Object &raw, const RequirementList &list);

//===------------------------------------------------------------------------------------------===//
// Verify.cpp
//===------------------------------------------------------------------------------------------===//

struct VerifyOptions {
  std::string lists;          ///< folder of the released lists
  std::string tool;           ///< of a compiler: runs again, if given
  std::string inputs;         ///< of a frontend: looked at again, if given
  std::string allowedSigners; ///< as ssh-keygen takes them
  std::string identity;       ///< of the signer
  double rerunPercent = 2;
};

struct Verification {
  enum class Outcome { Valid, Invalid, Expired } outcome = Outcome::Valid;
  std::string reason;             ///< of Invalid and Expired, one line
  std::vector<std::string> notes; ///< what was and what could not be checked
};

/// Computes every verdict again and runs a few cases again, drawn from the hash of the manifest.
Verification verifyPackage(llvm::StringRef folder, const VerifyOptions &options);

//===------------------------------------------------------------------------------------------===//
// Report.cpp
//===------------------------------------------------------------------------------------------===//

/// A page without references to anything outside; `previous` may be null.
void writeHtml(llvm::raw_ostream &out, const Package &package, const RequirementList &list,
               const Package *previous,
               llvm::function_ref<std::string(llvm::StringRef rule)> textOfRule);
void writeJunit(llvm::raw_ostream &out, const Package &package, const RequirementList &list);
void writeJson(llvm::raw_ostream &out, const Package &package, const RequirementList &list);
/// `tilesmith conform: compiler 13.5: 5903 of 5912 pass, 9 fail`.
std::string badge(const Package &package);
/// A line per requirement whose state changed; whether there is one.
bool printDiff(llvm::raw_ostream &out, const Package &before, const Package &after);

} // namespace tilesmith::fuzz::conform

#endif // FUZZ_CONFORM_PACKAGE_H
