//===- EnclosureTable.h - random legal evaluations and planted errors, counted ----------------===//
//
// Every row of the printed table is one op, type, length and kind of data: random legal
// evaluations, written without the reference, must lie inside its enclosures; planted errors must
// lie outside. TILESMITH_ENCLOSURE_TRIALS sets the number of evaluations per row (default 200; the
// run whose figures stand in reference/MEASUREMENTS.md used 10,000).
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_TEST_ENCLOSURETABLE_H
#define REFERENCE_INTERP_TEST_ENCLOSURETABLE_H

#include <algorithm>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "reference/interp/test/EnclosureKernels.h"

namespace tilesmith::reference {

using Random = std::mt19937_64;
using Values = std::vector<double>;

size_t trialsPerRow();

inline double uniform(Random &random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline bool chance(Random &random, double p = 0.5) {
  return uniform(random, 0, 1) < p;
}

enum class Data { Positive, Mixed, Integers };
const char *nameOf(Data data);

Values draw(Random &random, ElementType type, size_t count, Data data, int largestInteger = 4);

/// How one random compiler adds: in which format it keeps partial sums and how it rounds them.
struct Adder {
  ElementType kept;
  bool truncates = false;
  double operator()(double a, double b) const {
    return truncates ? roundToZero(kept, a + b) : roundToNearest(kept, a + b);
  }
};

/// Any tree over any permutation (reduce), or over consecutive pieces (`keepOrder`, scan).
template <typename T, typename Combine>
T anyTree(Random &random, std::vector<T> terms, bool keepOrder, const Combine &combine) {
  if (!keepOrder)
    std::shuffle(terms.begin(), terms.end(), random);
  int shape = static_cast<int>(random() % 3);
  if (shape == 0) { // one after another
    T sum = terms[0];
    for (size_t i = 1; i < terms.size(); ++i)
      sum = combine(sum, terms[i]);
    return sum;
  }
  while (terms.size() > 1) { // neighbours, all of them or a random pair
    if (shape == 1 || terms.size() > 64) {
      std::vector<T> next;
      for (size_t i = 0; i + 1 < terms.size(); i += 2)
        next.push_back(combine(terms[i], terms[i + 1]));
      if (terms.size() % 2)
        next.push_back(terms.back());
      terms = std::move(next);
    } else {
      size_t at = random() % (terms.size() - 1);
      terms[at] = combine(terms[at], terms[at + 1]);
      terms.erase(terms.begin() + at + 1);
    }
  }
  return terms[0];
}

struct Row {
  std::string op, type;
  size_t length = 0;
  Data data = Data::Positive;
  size_t evaluations = 0, outside = 0, vacuous = 0, elements = 0, plants = 0, caught = 0;
  Values widths = {};

  double caughtShare() const { return plants ? 100.0 * caught / plants : 100; }
};

/// Keeps a finished row; all are printed at the end.
void keep(const Row &row);

/// Looks at one enclosure: its width, and whether it says anything.
void judge(Row &row, ElementType type, const Element &e);
void expectInside(Row &row, ElementType type, const Element &e, double value);
/// A wrong result; equal ones are no error.
void plant(Row &row, ElementType type, const Element &e, double wrong, double right);

inline std::string name(ElementType type) {
  return spelling(type).str();
}
inline std::string tileText(size_t count, ElementType type) {
  return "tile<" + std::to_string(count) + "x" + name(type) + ">";
}

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_TEST_ENCLOSURETABLE_H
