//===- KernelText.h - run a few lines of cuda_tile text ---------------------------------------===//
//
// Tests write a kernel body as text, print what they want to see, and compare the printed text with
// values worked out by hand. A run that does not complete gives its kind instead, for example
// `undefined (division-by-zero)`.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_TEST_KERNELTEXT_H
#define REFERENCE_INTERP_TEST_KERNELTEXT_H

#include <array>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "reference/interp/Interpreter.h"

namespace tilesmith::reference {

struct KernelOptions {
  std::string globals; ///< ops of the module beside the entry
  std::array<int64_t, 3> grid = {1, 1, 1};
  uint64_t seed = 0;
  bool strictAssume = false;
  bool detectRaces = false;
  Limits limits;
};

/// Runs `entry @k() { body }`; fails the test when the text does not parse or verify.
Outcome runKernel(llvm::StringRef body, const KernelOptions &options = {});

/// The printed text, or the kind of outcome with its detail.
std::string evaluate(llvm::StringRef body, const KernelOptions &options = {});

/// `%NAME = ...` defining a rank-1 tile of the type from integer literals.
std::string integers(llvm::StringRef name, llvm::StringRef type, std::vector<int64_t> values);
/// The same for floats, from their values (exact or rounded), by way of bit patterns: specials are
/// welcome.
std::string floats(llvm::StringRef name, llvm::StringRef type, std::vector<double> values);
/// The same for floats from bit patterns.
std::string patterns(llvm::StringRef name, llvm::StringRef type, std::vector<uint64_t> values);
/// `print_tko` of %NAME with one conversion.
std::string show(llvm::StringRef name, llvm::StringRef type, llvm::StringRef conversion);

/// Evaluates `op` on %a (and %b), rank-1 tiles, and prints %r. `op` is the text behind `%r = `
/// without types at its end; integer results print with %d, float results with %g.
std::string integerOp(llvm::StringRef op, llvm::StringRef type, std::vector<int64_t> a,
                      std::vector<int64_t> b = {});
std::string floatOp(llvm::StringRef op, llvm::StringRef type, std::vector<double> a,
                    std::vector<double> b = {}, std::vector<double> c = {});
/// A conversion: `op` on %a of type `from`, result of type `to`.
std::string convertIntegers(llvm::StringRef op, llvm::StringRef from, std::vector<int64_t> a,
                            llvm::StringRef to);
std::string convertFloats(llvm::StringRef op, llvm::StringRef from, std::vector<double> a,
                          llvm::StringRef to);

/// `tile<NxT>`.
std::string tileOf(size_t count, llvm::StringRef type);

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_TEST_KERNELTEXT_H
