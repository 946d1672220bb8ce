//===- Signature.h - what two findings have in common -----------------------------------------===//
//
// A finding's signature is what stays the same when the kernel around the bug changes: which oracle
// speaks, which comparison failed, what kind of place differs, and the message without its numbers
// and names.
// The reducer keeps it, and the campaign counts findings of one signature and one blamed pass as
// one bug.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_VERDICT_SIGNATURE_H
#define ORACLES_VERDICT_SIGNATURE_H

#include "oracles/verdict/Verdict.h"

#include <ostream>

namespace tilesmith::oracles {

struct Signature {
  std::string oracle; ///< of the verdict
  std::string what;   ///< `emulator against reference`
  std::string place;  ///< `buffer`, `outcome`, `printed text`
  std::string detail; ///< message of an outcome without numbers and names; buffers: empty, or
                      ///< `between rows`

  bool operator==(const Signature &) const = default;
  /// `WHAT, PLACE: DETAIL`
  std::string str() const;
};

/// For messages of tests.
inline void PrintTo(const Signature &signature, std::ostream *out) {
  *out << signature.oracle << ": " << signature.str();
}

/// The signature of a disagreement; empty strings for other verdicts.
Signature signatureOf(const Verdict &verdict);

/// A stable hexadecimal name of a text: 16 digits of xxh3.
std::string stableHash(llvm::StringRef text);

} // namespace tilesmith::oracles

#endif // ORACLES_VERDICT_SIGNATURE_H
