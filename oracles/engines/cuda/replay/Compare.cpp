//===- Compare.cpp - exact, close and enclosed results (see Compare.h) ------------------------===//
#include "oracles/engines/cuda/replay/Compare.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace replay {

namespace {

struct Layout {
  const char *name;
  unsigned bytes;
  int exponent, mantissa, bias; // of floats; exponent 0 for integers
  bool isSigned, hasInfinity;   // floats: has a sign; integers: two's complement
};

constexpr Layout kLayouts[] = {
    {"bool", 1, 0, 0, 0, false, false},      {"i1", 1, 0, 0, 0, false, false},
    {"i8", 1, 0, 0, 0, true, false},         {"i16", 2, 0, 0, 0, true, false},
    {"i32", 4, 0, 0, 0, true, false},        {"i64", 8, 0, 0, 0, true, false},
    {"u8", 1, 0, 0, 0, false, false},        {"u16", 2, 0, 0, 0, false, false},
    {"u32", 4, 0, 0, 0, false, false},       {"u64", 8, 0, 0, 0, false, false},
    {"f16", 2, 5, 10, 15, true, true},       {"bf16", 2, 8, 7, 127, true, true},
    {"f32", 4, 8, 23, 127, true, true},      {"tf32", 4, 8, 23, 127, true, true},
    {"f64", 8, 11, 52, 1023, true, true},    {"f8e4m3fn", 1, 4, 3, 7, true, false},
    {"f8e5m2", 1, 5, 2, 15, true, true},     {"f8e8m0fnu", 1, 8, 0, 127, false, false},
    {"f8e5m3fnu", 1, 5, 3, 15, false, false}};

const Layout *layoutOf(const std::string &name) {
  std::string lower = name;
  for (char &c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const Layout &layout : kLayouts)
    if (lower == layout.name)
      return &layout;
  return nullptr;
}

double decode(const Layout &l, uint64_t bits) {
  if (!l.exponent) {
    if (!l.isSigned)
      return static_cast<double>(bits);
    const unsigned shift = 64 - 8 * l.bytes;
    return static_cast<double>(static_cast<int64_t>(bits << shift) >> shift);
  }
  const int width = l.exponent + l.mantissa;
  const uint64_t mantissa = bits & ((uint64_t{1} << l.mantissa) - 1);
  const auto exponent = static_cast<int>(bits >> l.mantissa & ((1u << l.exponent) - 1));
  const bool negative = l.isSigned && (bits >> width & 1);
  const int top = (1 << l.exponent) - 1;
  double value;
  if (l.mantissa == 0) { // powers of two only
    value = exponent == top ? NAN : std::ldexp(1.0, exponent - l.bias);
  } else if (exponent == top && l.hasInfinity) {
    value = mantissa ? NAN : INFINITY;
  } else if (exponent == top && mantissa == (uint64_t{1} << l.mantissa) - 1) {
    value = NAN;
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<double>(mantissa), 1 - l.bias - l.mantissa);
  } else {
    value = std::ldexp(static_cast<double>(mantissa | uint64_t{1} << l.mantissa),
                       exponent - l.bias - l.mantissa);
  }
  return negative ? -value : value;
}

} // namespace

unsigned elementBytes(const std::string &dtype) {
  const Layout *layout = layoutOf(dtype);
  return layout ? layout->bytes : 0;
}
double toNumber(const std::string &dtype, uint64_t bits) {
  const Layout *layout = layoutOf(dtype);
  return layout ? decode(*layout, bits) : NAN;
}

std::string compare(const Rule &rule, const Bytes &got, const Bytes &want, const Bytes &low,
                    const Bytes &high) {
  const Layout *layout = layoutOf(rule.dtype);
  if (!layout)
    return "unknown element type '" + rule.dtype + "'";
  const bool enclosed = rule.mode == "enclosure" && !low.empty();
  if (got.size() != want.size() ||
      (enclosed && (low.size() != got.size() || high.size() != got.size())))
    return "expected " + std::to_string(want.size()) + " bytes, found " +
           std::to_string(got.size());
  size_t count = 0, first = 0;
  uint64_t firstGot = 0, firstWant = 0;
  for (size_t i = 0; i + layout->bytes <= got.size(); i += layout->bytes) {
    uint64_t g = 0, w = 0;
    std::memcpy(&g, &got[i], layout->bytes);
    std::memcpy(&w, &want[i], layout->bytes);
    if (g == w && !enclosed)
      continue;
    const double x = decode(*layout, g), y = decode(*layout, w);
    bool same = std::isnan(x) && std::isnan(y);
    if (enclosed) {
      uint64_t a = 0, b = 0;
      std::memcpy(&a, &low[i], layout->bytes);
      std::memcpy(&b, &high[i], layout->bytes);
      const double least = decode(*layout, a), most = decode(*layout, b);
      same = g == a || g == b ||
             (std::isnan(x) ? std::isnan(least) || std::isnan(most) : least <= x && x <= most);
    } else if (rule.mode != "exact" && !same) {
      same = std::isinf(x) || std::isinf(y)
                 ? x == y
                 : std::fabs(x - y) <= rule.atol + rule.rtol * std::fabs(y);
    }
    if (same)
      continue;
    if (!count++)
      first = i / layout->bytes, firstGot = g, firstWant = w;
  }
  if (!count)
    return "";
  char text[160];
  std::snprintf(text, sizeof text,
                "element %zu: got %.17g (0x%llx), want %.17g (0x%llx), %zu differ", first,
                decode(*layout, firstGot), static_cast<unsigned long long>(firstGot),
                decode(*layout, firstWant), static_cast<unsigned long long>(firstWant), count);
  return text;
}

} // namespace replay
