//===- Digest.h - one hash over all bytes of generated cases ----------------------------------===//
//
// Same seed, same bytes, on every machine and in every build: two runs are equal when their digests
// are.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_DIGEST_H
#define GENERATORS_PROGRAM_DIGEST_H

#include "reference/testcase/TestCase.h"

#include "llvm/Support/SHA256.h"

namespace tilesmith::generators {

class Digest {
public:
  /// Everything of the case that is written to its folder.
  void add(const testcase::TestCase &testCase);
  /// SHA-256 of all cases so far, in hexadecimal.
  std::string str();

private:
  llvm::SHA256 hash;
};

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_DIGEST_H
