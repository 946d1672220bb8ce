//===- StoredText.h - kernels that are stored as text, without arguments ----------------------===//
//
// The kernels whose code is measured (corpus/perf/kinds) are text and say nothing of what they are launched
// with. Arguments are drawn: extents near multiples of what views take of a tensor, rows one after the
// other, small numbers. Large tiles are made smaller first.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_STOREDTEXT_H
#define FUZZ_CAMPAIGN_STOREDTEXT_H

#include "generators/entropy/ChoiceStream.h"
#include "reference/testcase/TestCase.h"

#include "mlir/IR/MLIRContext.h"

#include <optional>

namespace tilesmith::fuzz {

/// The kernel of the file with arguments; nothing: it is none, or needs other ones.
std::optional<testcase::TestCase>
drawArguments(llvm::StringRef path, generators::ChoiceStream &stream, mlir::MLIRContext &context);

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_STOREDTEXT_H
