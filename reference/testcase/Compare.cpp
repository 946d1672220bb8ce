//===- Compare.cpp - judge buffer contents ----------------------------------------------------===//
//
// Steps: mark the storage elements that coordinates reach (remembering nothing else; the coordinate
// of a mismatch is found again when it is reported), then walk the storage once.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/testcase/Compare.h"

#include <cmath>
#include <limits>

#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith::testcase;

namespace {

/// Calls visit(coordinate, element) for every coordinate of the buffer, last dimension fastest,
/// until it returns false.
template <typename Visit> void forEachCoordinate(const Buffer &buffer, Visit visit) {
  if (buffer.elementCount() == 0)
    return;
  std::vector<int64_t> index(buffer.shape.size(), 0);
  uint64_t element = 0;
  while (true) {
    if (!visit(index, element))
      return;
    int dim = static_cast<int>(index.size()) - 1;
    for (; dim >= 0; --dim) {
      element += buffer.strides[dim];
      if (++index[dim] < buffer.shape[dim])
        break;
      element -= static_cast<uint64_t>(buffer.strides[dim]) * buffer.shape[dim];
      index[dim] = 0;
    }
    if (dim < 0)
      return;
  }
}

/// True when coordinates reach every storage element, so that no mark is needed (the usual case).
bool isDense(const Buffer &buffer) {
  uint64_t count = 1;
  for (int64_t extent : buffer.shape)
    count *= extent;
  if (count != buffer.elementCount())
    return false;
  uint64_t expected = 1;
  for (int dim = static_cast<int>(buffer.shape.size()) - 1; dim >= 0; --dim) {
    if (buffer.shape[dim] != 1 && static_cast<uint64_t>(buffer.strides[dim]) != expected)
      return false;
    expected *= buffer.shape[dim];
  }
  return true;
}

std::vector<bool> reachedElements(const Buffer &buffer) {
  if (isDense(buffer))
    return std::vector<bool>(buffer.elementCount(), true);
  std::vector<bool> reached(buffer.elementCount(), false);
  forEachCoordinate(buffer, [&](const std::vector<int64_t> &, uint64_t element) {
    reached[element] = true;
    return true;
  });
  return reached;
}

std::vector<int64_t> coordinateOf(const Buffer &buffer, uint64_t wanted) {
  std::vector<int64_t> found;
  if (isDense(buffer)) {
    found.assign(buffer.shape.size(), 0);
    for (int dim = static_cast<int>(buffer.shape.size()) - 1; dim >= 0; --dim) {
      found[dim] = wanted % buffer.shape[dim];
      wanted /= buffer.shape[dim];
    }
    return found;
  }
  forEachCoordinate(buffer, [&](const std::vector<int64_t> &index, uint64_t element) {
    if (element != wanted)
      return true;
    found = index;
    return false;
  });
  return found;
}

bool equalExact(DataType type, uint64_t got, uint64_t want) {
  if (got == want)
    return true;
  return isNaNPattern(type, got) && isNaNPattern(type, want);
}

bool equalClose(DataType type, uint64_t got, uint64_t want, const Comparison &mode) {
  if (got == want)
    return true;
  double g = toDouble(type, got), w = toDouble(type, want);
  if (std::isnan(g) || std::isnan(w))
    return std::isnan(g) && std::isnan(w);
  if (std::isinf(g) || std::isinf(w))
    return g == w;
  return std::fabs(g - w) <= mode.atol + mode.rtol * std::fabs(w);
}

bool isInside(DataType type, uint64_t got, uint64_t low, uint64_t high) {
  if (low == high)
    return equalExact(type, got, low);
  double g = toDouble(type, got), l = toDouble(type, low), h = toDouble(type, high);
  if (std::isnan(g))
    return std::isnan(l) || std::isnan(h);
  if (got == low || got == high)
    return true;
  // An inexact 64-bit integer conversion must not decide; integers have no proper enclosures
  // anyway.
  return isFloat(type) && l <= g && g <= h;
}

Mismatch makeMismatch(const Buffer &buffer, uint64_t element, uint64_t got, uint64_t want,
                      bool inGap) {
  Mismatch m;
  m.element = element;
  m.inGap = inGap;
  m.got = got;
  m.want = want;
  m.difference = std::fabs(toDouble(buffer.dtype, got) - toDouble(buffer.dtype, want));
  m.ulps = isFloat(buffer.dtype) ? ulpDistance(buffer.dtype, got, want) : 0;
  return m;
}

/// Walks the storage; `same(element, got)` decides reached elements, `sameInGap` the others, and `want` is
/// what a mismatch reports.
template <typename Same, typename SameInGap>
CompareResult walk(const Buffer &buffer, llvm::ArrayRef<uint8_t> got, llvm::ArrayRef<uint8_t> want,
                   llvm::ArrayRef<uint8_t> ignored, Same same, SameInGap sameInGap) {
  CompareResult result;
  uint64_t count = buffer.elementCount();
  if (got.size() != buffer.byteSize() || want.size() != buffer.byteSize()) {
    result.compared = result.mismatches = std::max<uint64_t>(count, 1);
    return result;
  }
  std::vector<bool> reached = reachedElements(buffer);
  unsigned size = sizeInBytes(buffer.dtype);
  for (uint64_t element = 0; element < count; ++element) {
    if (!ignored.empty() &&
        llvm::any_of(ignored.slice(element * size, size), [](uint8_t flag) { return flag; })) {
      ++result.skipped;
      continue;
    }
    ++result.compared;
    uint64_t g = readElement(got, buffer.dtype, element);
    bool inGap = !reached[element];
    if (inGap ? sameInGap(element, g) : same(element, g))
      continue;
    Mismatch m = makeMismatch(buffer, element, g, readElement(want, buffer.dtype, element), inGap);
    if (result.mismatches++ == 0) {
      if (!inGap)
        m.index = coordinateOf(buffer, element);
      result.first = m;
      result.worst = m;
    } else if (!std::isnan(result.worst.difference) &&
               (std::isnan(m.difference) || m.difference > result.worst.difference)) {
      result.worst = m;
    }
  }
  if (result.mismatches && !result.worst.inGap)
    result.worst.index = coordinateOf(buffer, result.worst.element);
  return result;
}

/// Maps patterns to integers such that neighbouring values differ by one and -0 coincides with +0.
std::optional<int64_t> ordinal(DataType type, uint64_t bits) {
  if (isNaNPattern(type, bits))
    return std::nullopt;
  unsigned width = sizeInBytes(type) * 8;
  if (type == DataType::F8E8M0FNU || type == DataType::F8E5M3FNU)
    return static_cast<int64_t>(bits);
  uint64_t sign = uint64_t(1) << (width - 1);
  int64_t magnitude = static_cast<int64_t>(bits & (sign - 1));
  if (type == DataType::TF32)
    magnitude >>= 13;
  return bits & sign ? -magnitude : magnitude;
}

} // namespace

double tilesmith::testcase::ulpDistance(DataType type, uint64_t a, uint64_t b) {
  auto x = ordinal(type, a), y = ordinal(type, b);
  if (!x || !y)
    return x.has_value() == y.has_value() ? 0 : std::numeric_limits<double>::infinity();
  return std::fabs(static_cast<double>(static_cast<__int128>(*x) - *y));
}

CompareResult tilesmith::testcase::compareBuffer(const Buffer &buffer, llvm::ArrayRef<uint8_t> got,
                                                 llvm::ArrayRef<uint8_t> want,
                                                 const Comparison &mode,
                                                 llvm::ArrayRef<uint8_t> ignored) {
  DataType type = buffer.dtype;
  return walk(
      buffer, got, want, ignored,
      [&](uint64_t element, uint64_t g) {
        uint64_t w = readElement(want, type, element);
        return mode.mode == Comparison::Mode::Close ? equalClose(type, g, w, mode)
                                                    : equalExact(type, g, w);
      },
      // What pointers left between rows is judged as in them: no NaN is another one.
      [&](uint64_t element, uint64_t g) {
        return equalExact(type, g, readElement(want, type, element));
      });
}

CompareResult tilesmith::testcase::compareEnclosed(const Buffer &buffer,
                                                   llvm::ArrayRef<uint8_t> got,
                                                   llvm::ArrayRef<uint8_t> low,
                                                   llvm::ArrayRef<uint8_t> high,
                                                   llvm::ArrayRef<uint8_t> ignored) {
  DataType type = buffer.dtype;
  // Gaps hold what they began with, or what pointers that reach them left there: the bounds know both.
  auto inside = [&](uint64_t element, uint64_t g) {
    return isInside(type, g, readElement(low, type, element), readElement(high, type, element));
  };
  return walk(buffer, got, low, ignored, inside, inside);
}

std::string tilesmith::testcase::describe(const Buffer &buffer, const CompareResult &result) {
  if (result.ok())
    return llvm::formatv("{0} elements agree", result.compared).str();
  if (!result.first)
    return llvm::formatv("expected {0} bytes, found another size", buffer.byteSize()).str();
  const Mismatch &m = *result.first;
  std::string where;
  if (m.inGap) {
    where = llvm::formatv("storage element {0} between rows", m.element).str();
  } else {
    where = "[";
    for (const auto &[i, x] : llvm::enumerate(m.index))
      where += (i ? ", " : "") + std::to_string(x);
    where += "]";
  }
  std::string text = llvm::formatv("{0} of {1} elements differ; first at {2}: got {3}, want {4}",
                                   result.mismatches, result.compared, where,
                                   describe(buffer.dtype, m.got), describe(buffer.dtype, m.want))
                         .str();
  char tail[80];
  if (isFloat(buffer.dtype))
    std::snprintf(tail, sizeof tail, ", off by %.4g (%.0f ulp)", m.difference, m.ulps);
  else
    std::snprintf(tail, sizeof tail, ", off by %.0f", m.difference);
  return text + tail;
}

bool tilesmith::testcase::hasExpectation(const Buffer &buffer) {
  return buffer.expect || buffer.compare.mode == Comparison::Mode::Exact;
}
