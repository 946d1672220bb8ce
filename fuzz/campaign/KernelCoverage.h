//===- KernelCoverage.h - which operations a case has, on which types -------------------------===//
#ifndef FUZZ_CAMPAIGN_KERNELCOVERAGE_H
#define FUZZ_CAMPAIGN_KERNELCOVERAGE_H

#include "reference/testcase/TestCase.h"

#include <set>

namespace tilesmith::fuzz {

/// `op type` for each operation of the case's first version and the element type that it works on
/// (`-` for none). Empty when a module cannot be read.
std::set<std::string> coverageOf(const testcase::TestCase &testCase);

/// The operations alone, without those that every kernel has to address memory and to hold
/// constants.
std::set<std::string> featuresOf(const testcase::TestCase &testCase);

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_KERNELCOVERAGE_H
