//===- FrontendProfile.h - a folder of modules that a frontend wrote --------------------------===//
//
// Looks at every module of a folder: case folders (reference/testcase), which also run, or plain
// bytecode files. What it finds out is written down as a JSON object per module; verdicts of
// requirements follow from these objects alone.
//
// Kinds of requirements
//   check   something that every module must satisfy (frontendChecks)
//   legal   no module breaks that rule of the verifier, and some module has its operation
//   emit    some module that satisfies all checks holds that row of the coverage table, so that a
//           frontend does not pass by writing little
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CONFORM_FRONTENDPROFILE_H
#define FUZZ_CONFORM_FRONTENDPROFILE_H

#include "fuzz/conform/CompilerProfile.h"

namespace tilesmith::fuzz::conform {

struct FrontendCheck {
  llvm::StringLiteral name, rule, question;
  bool needsRun = false; ///< only cases with inputs can show it
};
llvm::ArrayRef<FrontendCheck> frontendChecks();

/// A module of the input.
struct FrontendModule {
  std::string name;    ///< `softmax_f32/13.3`, or the path of the file below the folder
  std::string path;    ///< of the case folder or of the file
  std::string version; ///< of a case; empty: a file
};

/// The modules in and below a folder, sorted; each folder is read once, what is neither folder nor
/// file is passed over. Error: there are none, or something cannot be read.
llvm::Expected<std::vector<FrontendModule>> findModules(llvm::StringRef folder);

/// The module itself.
llvm::Expected<std::string> bytesOf(const FrontendModule &module);

/// What is to be known of one module under the requirements of a list.
llvm::Expected<llvm::json::Object> inspectModule(const FrontendModule &module,
                                                 const RequirementList &list);

/// Verdicts of all requirements, in the order of the list.
std::vector<Verdict> judgeFrontend(const RequirementList &list, const RawOutputs &outputs);

} // namespace tilesmith::fuzz::conform

#endif // FUZZ_CONFORM_FRONTENDPROFILE_H
