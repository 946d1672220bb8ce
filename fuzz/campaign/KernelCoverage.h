//===- KernelCoverage.h - which operations a case has, on which types -------------------------===//
#ifndef FUZZ_CAMPAIGN_KERNELCOVERAGE_H
#define FUZZ_CAMPAIGN_KERNELCOVERAGE_H

#include "reference/testcase/TestCase.h"

#include <cstdint>
#include <set>
#include <vector>

namespace tilesmith::fuzz {

/// `op type` for each operation of the case's first version and the element type that it works on
/// (`-` for none). Empty when a module cannot be read.
std::set<std::string> coverageOf(const testcase::TestCase &testCase);

/// `op type mode` for each operation that has modes: flags and what it is told to round, order, compare
/// or combine by.
std::set<std::string> modesOf(const testcase::TestCase &testCase);

/// The operation of such an entry; those of nv_tileaa have the names of what they are lowered from.
llvm::StringRef operationOf(llvm::StringRef entry);

/// The operations alone, without those that every kernel has to address memory and to hold
/// constants.
std::set<std::string> featuresOf(const testcase::TestCase &testCase);

/// What a case covers, and how large it is.
struct Covering {
  std::set<std::string> pairs;
  uint64_t size = 0;
};
/// A case that was picked, by its place, with what it adds to those picked before.
struct Picked {
  size_t index = 0;
  std::vector<std::string> added;
};
/// Few of the cases that together cover what all of them do: the greedy algorithm for set cover, ties
/// broken by size, then by place. What the cases `kept` cover is covered.
std::vector<Picked> pickCovering(const std::vector<Covering> &cases,
                                 const std::set<size_t> &kept = {});

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_KERNELCOVERAGE_H
