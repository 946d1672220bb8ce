//===- Signature.h - what two findings have in common -----------------------------------------===//
//
// A finding's signature is what stays the same when the kernel around the bug changes: which
// comparison failed, what kind of place differs, and the message without its numbers and names.
// The reducer keeps it, and the campaign counts findings of one signature and one blamed pass as
// one bug.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TRIAGE_SIGNATURE_H
#define FUZZ_TRIAGE_SIGNATURE_H

#include "oracles/verdict/Verdict.h"

namespace tilesmith::fuzz {

struct Signature {
  std::string what;   ///< `emulator against reference`
  std::string where;  ///< `buffer`, `outcome`, `printed text`
  std::string detail; ///< message of an outcome without numbers and names; buffers: empty, or
                      ///< `between rows`

  bool operator==(const Signature &) const = default;
  /// `WHAT, WHERE: DETAIL`
  std::string str() const;
};

/// The signature of a disagreement; empty strings for other verdicts.
Signature signatureOf(const oracles::Verdict &verdict);

/// A stable hexadecimal name of a text (FNV-1a, 64 bits).
std::string stableHash(llvm::StringRef text);

} // namespace tilesmith::fuzz

#endif // FUZZ_TRIAGE_SIGNATURE_H
