//===- Verdict.h - what an oracle says --------------------------------------------------------===//
//
// agree · disagree(what, place, by how much) · inconclusive(reason) · unavailable(engine). A
// verdict is typed: the oracle that speaks, the engine or tool that it speaks of, the place and the
// kind are fields, so that nobody reads them out of a text.
//
// Invariants: every judgement becomes exactly one verdict, every verdict is counted exactly once,
// and nothing is dropped: a case that could not be run is inconclusive or unavailable, never
// silently agreeing.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_VERDICT_VERDICT_H
#define ORACLES_VERDICT_VERDICT_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace tilesmith::oracles {

/// One judgement.
struct Verdict {
  enum class Kind { Agree, Disagree, Inconclusive, Unavailable };

  Kind kind = Kind::Agree;
  /// Who says so, by its name in the registry of oracles/Registry.cpp, which sets it; empty while
  /// the oracle is still at it.
  std::string oracle;
  /// Of whom: an engine with its settings (`emulator@O0:w8`) or a tool; empty where the oracle
  /// judges none.
  std::string engine;
  std::string place;     ///< Disagree: `buffer 2`, `outcome`, `printed text`, ...
  std::string what;      ///< Disagree: the comparison or rule that failed, for people
  std::string byHowMuch; ///< Disagree: got, want and the distance
  std::string reason;    ///< Inconclusive: why; Unavailable: the engine and what it lacks
  /// The rule that a program or an engine broke, as engines name it (`data-race`); often empty.
  std::string label;
  /// The library whose math functions took part: `libdevice`, `libclc`; empty when none did.
  std::string mathLibrary;

  static Verdict agree() { return {}; }
  static Verdict disagree(std::string what, std::string place, std::string byHowMuch);
  static Verdict inconclusive(std::string reason);
  static Verdict unavailable(llvm::StringRef engine, llvm::StringRef reason);

  /// The same of that engine.
  Verdict of(llvm::StringRef name) && {
    engine = name.str();
    return std::move(*this);
  }

  bool isAgree() const { return kind == Kind::Agree; }
  bool isDisagree() const { return kind == Kind::Disagree; }
  bool isInconclusive() const { return kind == Kind::Inconclusive; }
  bool isUnavailable() const { return kind == Kind::Unavailable; }

  /// One line without a full stop: `disagree: WHAT, PLACE: BY HOW MUCH (math library: NAME) [LABEL]`.
  std::string str() const;

  bool operator==(const Verdict &) const = default;
};

/// `agree`, `disagree`, `inconclusive`, `unavailable`.
llvm::StringRef toString(Verdict::Kind kind);

/// Combines the judgements of one module: a disagreement outweighs an inconclusive verdict, that an
/// unavailable engine, that an agreement. Of two equal ones the first is kept.
Verdict combine(Verdict first, Verdict second);

/// What the reference said about floating-point results that were judged by enclosures.
struct FloatComparisons {
  uint64_t points = 0;  ///< one legal value
  uint64_t bounded = 0; ///< a range
  uint64_t vacuous = 0; ///< no finite range: not compared
  uint64_t open = 0;    ///< left open by the language: not compared
  /// What was not compared, by type and cause: `f32: log f32` (the op and type that lost the
  /// bounds), `f16: open`.
  std::map<std::string, uint64_t> skipped = {};
  std::array<uint64_t, 65> widths = {}; ///< of ranges, by the bit width of their size in ulp

  uint64_t total() const { return points + bounded + vacuous + open; }
  void addRange(double ulps);
  FloatComparisons &operator+=(const FloatComparisons &other);
  bool operator==(const FloatComparisons &) const = default;
  /// Median size of a range in ulp, to a power of two.
  double medianWidth() const;
  /// `float results: N points, N within bounds (P %, median width W ulp), N vacuous, N open`, and
  /// a second line `not compared: N f32: log f32, ...` if anything was skipped.
  std::string str() const;
};

/// How many modules ended in which verdict.
struct VerdictCounts {
  uint64_t passed = 0, failed = 0, inconclusive = 0, unavailable = 0;
  FloatComparisons floats = {};

  void add(const Verdict &verdict);
  VerdictCounts &operator+=(const VerdictCounts &other);
  uint64_t total() const { return passed + failed + inconclusive + unavailable; }

  /// `N passed, N failed, N inconclusive, N unavailable`: the last line of check and fuzz.
  std::string str() const;
};

/// What decides the exit code beside the counts.
struct ExitPolicy {
  double maxInconclusivePercent = 2.0; ///< --max-inconclusive
  int64_t expectPassed = -1;           ///< --expect-passed; negative: any number
};

/// Exit code of design section 8: 0 all good · 1 a failure (or another number passed than expected)
/// · 3 nothing passed or a requested engine was unavailable · 4 more inconclusive than allowed. The
/// first that applies in the order 1, 3, 4.
int exitCode(const VerdictCounts &counts, const ExitPolicy &policy);

} // namespace tilesmith::oracles

#endif // ORACLES_VERDICT_VERDICT_H
