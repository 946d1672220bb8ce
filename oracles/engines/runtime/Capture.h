//===- Capture.h - a launch as a test case ----------------------------------------------------===//
#ifndef ORACLES_ENGINES_RUNTIME_CAPTURE_H
#define ORACLES_ENGINES_RUNTIME_CAPTURE_H

#include "oracles/engines/runtime/Session.h"

namespace tilesmith::runtime {

/// The range behind each buffer of toTestCase, in its order; null for a buffer of no elements.
std::vector<const Range *> rangesOfCase(const Launch &launch, const Entry &entry);

/// A name for a folder: letters, digits and `_` of the entry's, at most 40.
std::string shortName(llvm::StringRef entry);

/// Writes the launch as `folder/name`, with the memory as it was `before` (one per range). The notes
/// hold what was found. Returns the folder of the case.
llvm::Expected<std::string> captureLaunch(const Launch &launch, const Entry &entry,
                                          llvm::StringRef bytecode,
                                          llvm::ArrayRef<testcase::Bytes> before,
                                          llvm::StringRef folder, llvm::StringRef name,
                                          const LaunchResult &result);

} // namespace tilesmith::runtime

#endif // ORACLES_ENGINES_RUNTIME_CAPTURE_H
