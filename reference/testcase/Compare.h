//===- Compare.h - judge buffer contents ------------------------------------------------------===//
//
// Compares what an engine left in a buffer with what is wanted: the stored expectation or another
// engine's result. Elements a coordinate reaches are compared by the given mode; storage between
// strided rows must be equal byte by byte in every mode, because nothing may write there.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_TESTCASE_COMPARE_H
#define REFERENCE_TESTCASE_COMPARE_H

#include <map>

#include "reference/testcase/TestCase.h"

namespace tilesmith::testcase {

/// One element that differs.
struct Mismatch {
  uint64_t element = 0;       ///< position in storage, in elements
  std::vector<int64_t> index; ///< a coordinate that reaches it; empty for an element in a gap
  bool inGap = false;         ///< lies between strided rows
  uint64_t got = 0, want = 0; ///< bit patterns
  double difference = 0; ///< |got - want| in float64; NaN or infinity where it has no finite value
  double ulps = 0;       ///< distance in representable values of the type; 0 for integers
};

struct CompareResult {
  uint64_t compared = 0; ///< elements looked at
  uint64_t skipped = 0;  ///< elements excluded by the mask
  uint64_t mismatches = 0;
  std::optional<Mismatch> first;
  Mismatch worst; ///< largest difference among mismatches, meaningful if mismatches > 0
  bool ok() const { return mismatches == 0; }
};

/// What a buffer may hold, as computed by the reference in its enclosure domain. Bounds are
/// elements of the buffer's type; where only one value is legal both are equal.
struct Enclosure {
  Bytes low, high;         ///< every proven or published bound holds inside
  Bytes bandLow, bandHigh; ///< between them and the bounds nothing is decided [spec: band-observed]
  Bytes vacuous;           ///< one flag per byte: 1 where the bounds say nothing; may be empty
  uint64_t enclosed = 0, vacuousElements = 0;
  /// How many of the vacuous elements lost their bounds where, as `log f32`: op and type.
  std::map<std::string, uint64_t> vacuousFrom;
};

/// Compares `got` with `want` (both buffer.byteSize() bytes, else every element counts as a
/// mismatch) by `mode`. `ignored`, if not empty, has one flag per byte: an element with any flagged
/// byte is skipped. Mode Enclosure without bounds is Exact; use compareEnclosed.
/// [spec: class-exact, nan-any]
CompareResult compareBuffer(const Buffer &buffer, llvm::ArrayRef<uint8_t> got,
                            llvm::ArrayRef<uint8_t> want, const Comparison &mode,
                            llvm::ArrayRef<uint8_t> ignored = {});

/// Every element of `got` must lie in [low, high], and must equal it exactly where both are the
/// same pattern; NaN is inside iff a bound is NaN; what lies in gaps is held to its bounds, too.
/// [spec: class-point]
CompareResult compareEnclosed(const Buffer &buffer, llvm::ArrayRef<uint8_t> got,
                              llvm::ArrayRef<uint8_t> low, llvm::ArrayRef<uint8_t> high,
                              llvm::ArrayRef<uint8_t> ignored = {});

/// One line: `3 of 100 elements differ; first at [0, 7]: got 1 (0x...), want 2 (0x...), off by 1
/// (8388608 ulp)`.
std::string describe(const Buffer &buffer, const CompareResult &result);

/// Distance of two patterns in representable values (0 for equal values, -0 and +0 included;
/// infinity with a NaN).
double ulpDistance(DataType type, uint64_t a, uint64_t b);

/// True when the case stores what the buffer must hold after the run (its expectation, or that it
/// is unchanged).
bool hasExpectation(const Buffer &buffer);

} // namespace tilesmith::testcase

#endif // REFERENCE_TESTCASE_COMPARE_H
