//===- Nesting.h - how deep brackets nest in JSON ---------------------------------------------===//
//
// LLVM's parser of JSON descends recursively without a limit: ask this before a text that somebody
// else wrote.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_TESTCASE_NESTING_H
#define REFERENCE_TESTCASE_NESTING_H

#include "llvm/ADT/StringRef.h"

namespace tilesmith::testcase {

inline constexpr unsigned kMaxNesting = 64;

/// Whether brackets outside of strings nest deeper than kMaxNesting.
bool nestsTooDeep(llvm::StringRef text);

} // namespace tilesmith::testcase

#endif // REFERENCE_TESTCASE_NESTING_H
