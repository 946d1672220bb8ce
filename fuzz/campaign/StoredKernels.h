//===- StoredKernels.h - kernels near stored ones ---------------------------------------------===//
//
// Bugs stand near bugs: some cases of a campaign are kernels of stored cases (corpus/regressions,
// corpus/strategies), or of texts with drawn arguments (corpus/perf/kinds, StoredText.h), with a few
// changes (generators/mutate/Changes.h), one in five beside another one. A change may take away what the
// kernel meant, so the reference runs it first, within limits and with race detection; what it refuses is
// counted by reason, and others are drawn.
//
// Invariant: what is drawn depends on the stream and on the folders alone.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_STOREDKERNELS_H
#define FUZZ_CAMPAIGN_STOREDKERNELS_H

#include "generators/entropy/ChoiceStream.h"
#include "reference/testcase/TestCase.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::fuzz {

/// How many kernels were refused, by reason.
using Refusals = std::map<std::string, unsigned>;

class StoredKernels {
public:
  /// The cases and texts in the folders, by name; folders that are not there hold none.
  explicit StoredKernels(llvm::ArrayRef<std::string> folders);

  size_t size() const { return directories.size(); }
  /// A changed kernel; nothing: all that were tried were refused.
  std::optional<testcase::TestCase> draw(generators::ChoiceStream &stream,
                                         mlir::MLIRContext &context, Refusals &refusals);

private:
  /// One of them as it is stored; a text with drawn arguments. Nothing: not for changes.
  std::optional<testcase::TestCase> drawStored(generators::ChoiceStream &stream,
                                               mlir::MLIRContext &context);
  const testcase::TestCase *load(size_t index);

  std::vector<std::string> directories;                       ///< and files of text
  std::map<size_t, std::optional<testcase::TestCase>> loaded; ///< nothing: not for changes
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_STOREDKERNELS_H
