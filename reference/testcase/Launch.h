//===- Launch.h - a launch as plain kernel arguments ------------------------------------------===//
//
// Turns the parameters of a launch into the bytes an engine passes to the entry, given where the
// engine put the buffers. Every engine uses this one function, so none of them can read a parameter
// differently.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_TESTCASE_LAUNCH_H
#define REFERENCE_TESTCASE_LAUNCH_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include "reference/testcase/TestCase.h"

namespace tilesmith::testcase {

/// One argument of the entry: `size` low bytes of `bits` (1, 2, 4 or 8; addresses are 8).
struct KernelArgument {
  uint64_t bits = 0;
  unsigned size = 8;
  bool isPointer = false;
  DataType dtype = DataType::I32; ///< pointee or scalar type
};

struct LaunchImage {
  std::string entry;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::vector<KernelArgument> arguments;
};

/// Places a read-only table of 64-bit words in memory and returns its (8-byte aligned) address.
using TablePlacer = llvm::function_ref<llvm::Expected<uint64_t>(llvm::ArrayRef<uint64_t> words)>;

/// Flattens `launch`. `addresses[i]` is the base address of buffer i (aligned to 16 bytes or more).
llvm::Expected<LaunchImage> flattenLaunch(const TestCase &testCase, const Launch &launch,
                                          llvm::ArrayRef<uint64_t> addresses,
                                          TablePlacer placeTable);

} // namespace tilesmith::testcase

#endif // REFERENCE_TESTCASE_LAUNCH_H
