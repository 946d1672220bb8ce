//===- EnclosureTest.cpp - legal compilers stay inside, wrong ones do not ---------------------===//
//
// For every op that a compiler may reorder, contract or compute in another precision: random legal
// evaluations, written here without the reference, must lie inside its enclosures; planted errors
// must lie outside. Bodies of several ops are in CombinerEnclosureTest.cpp.
//
//===------------------------------------------------------------------------------------------===//
#include <numeric>

#include "reference/interp/test/EnclosureTable.h"

using namespace tilesmith::reference;

namespace {

/// reduce or scan of one op over `length` elements; `flag` stands behind its operands.
EnclosureKernel folding(const char *what, const char *op, const char *identity, ElementType type,
                        size_t length, const char *flag = "") {
  std::string t = name(type), scalar = "tile<" + t + ">", whole = tileText(length, type);
  bool isScan = llvm::StringRef(what) == "scan";
  std::string text = std::string("%f = ") + what + " %x0 dim=0 " +
                     (isScan ? "reverse=false " : "") + "identities=[" + identity + " : " + t +
                     "] : " + whole + " -> " + (isScan ? whole : scalar) + "\n(%a: " + scalar +
                     ", %b: " + scalar + ") {\n%s = " + op + " %a, %b " + flag + " : " + scalar +
                     "\nyield %s : " + scalar + "\n}\n";
  text += isScan ? "%r = reshape %f : " + whole + " -> " + whole
                 : "%r = reshape %f : " + scalar + " -> " + tileText(1, type);
  return EnclosureKernel(text, {{type, length}}, {type, isScan ? length : 1});
}

/// Formats in which partial sums of `type` may be kept.
Adder anyAdder(Random &random, ElementType type) {
  bool narrow = type == ElementType::F16 || type == ElementType::BF16;
  return {narrow && chance(random) ? ElementType::F32 : type};
}

void testSums(const char *what, ElementType type, size_t length, Data data) {
  Random random(length * 31 + static_cast<int>(type) * 7 + static_cast<int>(data));
  EnclosureKernel kernel = folding(what, "addf", "0.0", type, length);
  Row row{std::string(what) + " addf", name(type), length, data};
  bool isScan = llvm::StringRef(what) == "scan";
  for (size_t done = 0; done < trialsPerRow();) {
    Values x = draw(random, type, length, data);
    std::vector<Element> result = kernel.run({x});
    for (int k = 0; k < 20 && done < trialsPerRow(); ++k, ++done) {
      size_t at = isScan ? random() % length : 0, count = isScan ? at + 1 : length;
      const Element &e = result[at];
      judge(row, type, e);
      Adder adder = anyAdder(random, type);
      Values terms(x.begin(), x.begin() + count);
      if (chance(random))
        terms.insert(terms.begin() + (isScan ? 0 : random() % terms.size()), 0.0); // identity
      expectInside(row, type, e, roundToNearest(type, anyTree(random, terms, isScan, adder)));
      // Planted: the term nearest to the average is dropped, or the element doubled.
      Values wrong(x.begin(), x.begin() + count);
      double average = std::accumulate(wrong.begin(), wrong.end(), 0.0) / count;
      size_t dropped = random() % count;
      if (data == Data::Positive)
        dropped = std::min_element(wrong.begin(), wrong.end(),
                                   [&](double a, double b) {
                                     return std::fabs(a - average) < std::fabs(b - average);
                                   }) -
                  wrong.begin();
      bool twice = chance(random, 0.3);
      wrong[dropped] = twice ? 2 * wrong[dropped] : 0;
      double right = roundToNearest(
          type, anyTree(random, Values(x.begin(), x.begin() + count), true, Adder{type}));
      plant(row, type, e, roundToNearest(type, anyTree(random, wrong, isScan, adder)), right);
    }
  }
  keep(row);
  EXPECT_EQ(row.outside, 0u);
  if (data == Data::Integers)
    EXPECT_EQ(row.caught, row.plants) << row.op << " on integers";
  if (data == Data::Positive && type == ElementType::F32)
    EXPECT_GE(row.caughtShare(), 95) << row.op << " x " << length;
}

// [spec: bound-addf, bound-addf-point, reduce-order, reduce-identity, class-order-free]
TEST(EnclosureTest, SumsInAnyOrder) {
  for (Data data : {Data::Positive, Data::Mixed, Data::Integers}) {
    for (size_t length : {16, 128, 1024})
      testSums("reduce", ElementType::F32, length, data);
    testSums("reduce", ElementType::F64, 256, data);
    testSums("reduce", ElementType::F16, 64, data);
    testSums("reduce", ElementType::BF16, 32, data);
    testSums("scan", ElementType::F32, 256, data);
    testSums("scan", ElementType::F16, 32, data);
  }
}

// [spec: bound-mulf]
TEST(EnclosureTest, ProductsInAnyOrder) {
  for (auto [type, length] : {std::pair(ElementType::F32, size_t(64)), {ElementType::F16, 8}}) {
    Random random(5);
    EnclosureKernel kernel = folding("reduce", "mulf", "1.0", type, length);
    Row row{"reduce mulf", name(type), length, Data::Positive};
    for (size_t done = 0; done < trialsPerRow();) {
      Values x = draw(random, type, length, Data::Positive);
      Element e = kernel.run({x})[0];
      for (int k = 0; k < 20 && done < trialsPerRow(); ++k, ++done) {
        judge(row, type, e);
        ElementType kept = anyAdder(random, type).kept;
        auto multiply = [&](double a, double b) { return roundToNearest(kept, a * b); };
        double right = roundToNearest(type, anyTree(random, x, false, multiply));
        expectInside(row, type, e, right);
        Values wrong = x;
        wrong[random() % length] = 1;
        plant(row, type, e, roundToNearest(type, anyTree(random, wrong, false, multiply)), right);
      }
    }
    keep(row);
    EXPECT_EQ(row.outside, 0u);
  }
}

double flushed(double x) {
  return std::fabs(x) < 0x1p-126 ? std::copysign(0.0, x) : x;
}

/// Small numbers about 2^-126, whose sums and products leave the normal range, some subnormal; units
/// of 2^-126 if `coarse`, and factors up to 1 for products.
Values drawSmall(Random &random, size_t count, bool isProduct, bool coarse) {
  Values x;
  for (size_t i = 0; i < count; ++i) {
    double sign = chance(random) ? 1 : -1,
           number = roundToNearest(ElementType::F32, uniform(random, 0.5, 1));
    int exponent = static_cast<int>(random() % 4);
    if (chance(random, 0.2))
      x.push_back(sign * std::ldexp(std::floor(number * 256) / 256, -127)); // subnormal
    else if (isProduct)
      x.push_back(sign * (coarse ? 1 : number) * std::ldexp(1.0, -exponent * 8));
    else
      x.push_back(sign * (coarse ? 1 + exponent : 2 + number) * 0x1p-126);
  }
  return x;
}

/// Sums and products that flush, against trees of every shape over their elements: points where no
/// order can differ. [spec: bound-flushed, float-flush]
void testFlushing(const char *what, bool isProduct, bool coarse) {
  constexpr ElementType F32 = ElementType::F32;
  constexpr size_t length = 16;
  Random random(21 + 2 * isProduct + coarse);
  EnclosureKernel kernel = folding(what, isProduct ? "mulf" : "addf", isProduct ? "1.0" : "-0.0",
                                   F32, length, "flush_to_zero");
  Row row{std::string(what) + (isProduct ? " mulf ftz" : " addf ftz"), "f32", length, Data::Mixed};
  auto combine = [&](double a, double b) {
    a = flushed(a), b = flushed(b);
    return flushed(roundToNearest(F32, isProduct ? a * b : a + b));
  };
  const bool isScan = llvm::StringRef(what) == "scan";
  size_t points = 0;
  for (size_t done = 0; done < trialsPerRow(); ++done) {
    Values x = drawSmall(random, length, isProduct, coarse);
    std::vector<Element> result = kernel.run({x});
    size_t at = isScan ? random() % length : 0, count = isScan ? at + 1 : length;
    Values terms(x.begin(), x.begin() + count);
    const Element &e = result[at];
    judge(row, F32, e);
    points += e.state == State::Known;
    double right = anyTree(random, terms, isScan, combine);
    expectInside(row, F32, e, right);
    // Planted: a subnormal number that is not flushed where every order is exact.
    if (coarse && !isProduct && e.state == State::Known)
      plant(row, F32, e, right + 0x1p-130, right);
  }
  keep(row);
  EXPECT_EQ(row.outside, 0u) << row.op;
  EXPECT_EQ(row.caught, row.plants) << row.op;
  if (coarse && !isProduct)
    EXPECT_EQ(points, trialsPerRow());
  if (isProduct)
    EXPECT_GE(points * 10, trialsPerRow() * 8) << row.op;
}

TEST(EnclosureTest, SumsAndProductsThatFlush) {
  for (const char *what : {"scan", "reduce"})
    for (bool isProduct : {false, true})
      for (bool coarse : {false, true})
        testFlushing(what, isProduct, coarse);
}

// Nothing is combined with the first element of a scan; one element alone may meet a neutral one.
// [spec: scan-first, bound-flushed]
TEST(EnclosureTest, FirstElementsThatNothingFlushes) {
  constexpr ElementType F32 = ElementType::F32;
  for (const char *op : {"addf", "mulf", "maxf"})
    for (double first : {0x1p-130, -0x1p-140, -0.0, 1.5}) {
      Element e =
          folding("scan", op, "1.0", F32, 4, "flush_to_zero").run({{first, 0x1p-127, 1, 2}})[0];
      EXPECT_EQ(e.state, State::Known) << op << ' ' << first;
      EXPECT_EQ(e.bits, encode(F32, first)) << op << ' ' << first;
    }
  for (const char *op : {"addf", "mulf"})
    for (double value : {0x1p-130, -0x1p-140}) {
      Element e = folding("reduce", op, "1.0", F32, 1, "flush_to_zero").run({{value}})[0];
      EXPECT_TRUE(holds(F32, e, value)) << op;
      EXPECT_TRUE(holds(F32, e, std::copysign(0.0, value))) << op;
      EXPECT_FALSE(holds(F32, e, 0x1p-126)) << op;
    }
}

// [spec: bound-exact-body]
TEST(EnclosureTest, ExtremaAreExact) {
  Random random(6);
  constexpr ElementType F32 = ElementType::F32;
  EnclosureKernel kernel = folding("reduce", "maxf", "0xFF800000", F32, 64);
  Row row{"reduce maxf", "f32", 64, Data::Mixed};
  for (size_t done = 0; done < trialsPerRow(); ++done) {
    Values x = draw(random, F32, 64, Data::Mixed);
    Element e = kernel.run({x})[0];
    judge(row, F32, e);
    double right = anyTree(random, x, false, [](double a, double b) { return std::max(a, b); });
    expectInside(row, F32, e, right);
    auto largest = std::max_element(x.begin(), x.end());
    *largest = -*largest; // one element
    plant(row, F32, e, *std::max_element(x.begin(), x.end()), right);
  }
  keep(row);
  EXPECT_EQ(row.outside, 0u);
  EXPECT_EQ(row.caught, row.plants);
}

struct MatrixKind {
  ElementType input, acc;
  size_t k;
};

void testMatrices(MatrixKind kind, Data data) {
  constexpr size_t m = 4, n = 8;
  Random random(kind.k + static_cast<int>(kind.input) * 5 + static_cast<int>(data));
  auto shape = [](size_t rows, size_t columns, ElementType type) {
    return "tile<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + name(type) + ">";
  };
  std::string a = shape(m, kind.k, kind.input), b = shape(kind.k, n, kind.input),
              c = shape(m, n, kind.acc);
  EnclosureKernel kernel("%a = reshape %x0 : " + tileText(m * kind.k, kind.input) + " -> " + a +
                             "\n%b = reshape %x1 : " + tileText(kind.k * n, kind.input) + " -> " +
                             b + "\n%c = reshape %x2 : " + tileText(m * n, kind.acc) + " -> " + c +
                             "\n%d = mmaf %a, %b, %c : " + a + ", " + b + ", " + c +
                             "\n%r = reshape %d : " + c + " -> " + tileText(m * n, kind.acc),
                         {{kind.input, m * kind.k}, {kind.input, kind.k * n}, {kind.acc, m * n}},
                         {kind.acc, m * n});
  Row row{"mmaf " + name(kind.input), name(kind.acc), kind.k, data};
  bool tensorCore = kind.input != ElementType::F32 && kind.input != ElementType::F64;
  for (size_t done = 0; done < trialsPerRow();) {
    Values x = draw(random, kind.input, m * kind.k, data, 2),
           y = draw(random, kind.input, kind.k * n, data, 2),
           z = draw(random, kind.acc, m * n, data);
    std::vector<Element> result = kernel.run({x, y, z});
    for (int t = 0; t < 32 && done < trialsPerRow(); ++t, ++done) {
      size_t i = random() % m, j = random() % n;
      const Element &e = result[i * n + j];
      judge(row, kind.acc, e);
      // Products are exact or rounded, sums kept in the accumulator's format or f32, truncated on
      // tensor cores; the accumulator joins anywhere.
      ElementType kept =
          kind.acc == ElementType::F16 && chance(random) ? ElementType::F32 : kind.acc;
      Adder adder{kept, tensorCore && kind.acc != ElementType::F16 && chance(random)};
      bool fused = tensorCore || chance(random);
      auto evaluate = [&](size_t skip, bool swapped) {
        Values terms = {z[i * n + j]};
        for (size_t k = 0; k < kind.k; ++k) {
          double left = x[i * kind.k + k];
          double right = y[k * n + (swapped && k == skip ? (j + 1) % n : j)];
          double product = left * right;
          if (!swapped && k == skip)
            product = 0;
          terms.push_back(fused ? product : roundToNearest(kind.acc, product));
        }
        if (fused && chance(random)) { // in steps of one fused operation each
          double sum = terms[0];
          for (size_t k = 1; k < terms.size(); ++k)
            sum = adder(sum, terms[k]);
          return roundToNearest(kind.acc, sum);
        }
        return roundToNearest(kind.acc, anyTree(random, terms, false, adder));
      };
      double right = evaluate(kind.k, false);
      expectInside(row, kind.acc, e, right);
      plant(row, kind.acc, e, evaluate(random() % kind.k, chance(random)), right);
    }
  }
  keep(row);
  EXPECT_EQ(row.outside, 0u);
  if (data == Data::Integers)
    EXPECT_EQ(row.caught, row.plants);
}

// [spec: mma-bound, mma-bound-fp8, mma-fast-acc, mma-f32-products, mma-point, mma-bound-flush]
TEST(EnclosureTest, MatrixProductsInAnyOrderAndPrecision) {
  using T = ElementType;
  for (Data data : {Data::Positive, Data::Mixed, Data::Integers})
    for (MatrixKind kind : {MatrixKind{T::F32, T::F32, 64},
                            {T::F64, T::F64, 32},
                            {T::F16, T::F32, 64},
                            {T::BF16, T::F32, 256},
                            {T::TF32, T::F32, 32},
                            {T::F16, T::F16, 32},
                            {T::F8E5M2, T::F32, 32}})
      testMatrices(kind, data);
}

/// ((a * b + c) * d - e * f): products may be fused into the sums that use them.
// [spec: float-no-contraction]
TEST(EnclosureTest, ContractionsOfFusedArithmetic) {
  for (ElementType type : {ElementType::F32, ElementType::F64, ElementType::F16}) {
    constexpr size_t count = 32;
    Random random(9 + static_cast<int>(type));
    std::string tile = " : " + tileText(count, type) + "\n";
    std::vector<ArrayType> inputs(6, {type, count});
    EnclosureKernel kernel("%p = mulf %x0, %x1" + tile + "%q = addf %p, %x2" + tile +
                               "%s = mulf %q, %x3" + tile + "%u = mulf %x4, %x5" + tile +
                               "%r = subf %s, %u" + tile,
                           inputs, {type, count});
    Row row{"contraction", name(type), 5, Data::Mixed};
    for (size_t done = 0; done < trialsPerRow();) {
      std::vector<Values> x;
      for (int k = 0; k < 6; ++k)
        x.push_back(draw(random, type, count, Data::Mixed));
      std::vector<Element> result = kernel.run(x, true);
      for (size_t i = 0; i < count && done < trialsPerRow(); ++i, ++done) {
        judge(row, type, result[i]);
        // Sums of one exact product and a number, rounded once; long double keeps both exactly
        // enough for f32 and f16, fma does for f64.
        auto fused = [&](double a, double b, double c) {
          return type == ElementType::F64 ? std::fma(a, b, c) : roundToNearest(type, a * b + c);
        };
        auto rounded = [&](double v) { return roundToNearest(type, v); };
        double a = x[0][i], b = x[1][i], c = x[2][i], d = x[3][i], e = x[4][i], f = x[5][i];
        double q = chance(random) ? fused(a, b, c) : rounded(rounded(a * b) + c);
        double right = 0;
        switch (random() % 3) {
        case 0:
          right = rounded(rounded(q * d) - rounded(e * f));
          break;
        case 1:
          right = fused(q, d, -rounded(e * f));
          break;
        default:
          right = fused(-e, f, rounded(q * d));
        }
        expectInside(row, type, result[i], right);
        plant(row, type, result[i], rounded(rounded(q * d) - rounded(e * d)), right); // operand
      }
    }
    keep(row);
    EXPECT_EQ(row.outside, 0u);
  }
}

// [spec: enclosure-exact-op, class-exact, state-known]
TEST(EnclosureTest, ExactOpsArePointsAndWrongRoundingIsCaught) {
  for (ElementType type : {ElementType::F32, ElementType::F16, ElementType::BF16})
    for (const char *op : {"addf", "mulf", "divf"}) {
      constexpr size_t count = 64;
      Random random(11);
      EnclosureKernel kernel(std::string("%r = ") + op + " %x0, %x1 : " + tileText(count, type),
                             {{type, count}, {type, count}}, {type, count});
      Row row{op, name(type), 1, Data::Mixed};
      for (size_t done = 0; done < trialsPerRow(); done += count) {
        Values x = draw(random, type, count, Data::Mixed),
               y = draw(random, type, count, Data::Mixed);
        std::vector<Element> result = kernel.run({x, y});
        for (size_t i = 0; i < count; ++i) {
          judge(row, type, result[i]);
          EXPECT_EQ(result[i].state, State::Known);
          double exact = *op == 'a' ? x[i] + y[i] : *op == 'm' ? x[i] * y[i] : x[i] / y[i];
          double right = roundToNearest(type, exact);
          expectInside(row, type, result[i], right);
          plant(row, type, result[i], roundToZero(type, exact), right);
          plant(row, type, result[i], right == 0 ? 1 : -right, right);
        }
      }
      keep(row);
      EXPECT_EQ(row.caught, row.plants);
    }
}

/// Bounded functions: the neighbours of the right result up to the bound are inside, those far
/// beyond are not.
// [spec: class-bounded, band-observed, math-special-exact]
TEST(EnclosureTest, BoundedFunctionsHoldTheirPublishedError) {
  constexpr ElementType F32 = ElementType::F32;
  struct Case {
    const char *op;
    double ulps, low, high;
    double (*function)(double);
  };
  for (const Case &c : {Case{"exp", 2, -80, 80, [](double x) { return std::exp(x); }},
                        Case{"log", 1, 0.1, 9, [](double x) { return std::log(x); }},
                        Case{"sin", 2, -3, 3, [](double x) { return std::sin(x); }},
                        Case{"tanh", 2, -3, 3, [](double x) { return std::tanh(x); }},
                        Case{"rsqrt", 2, 0.1, 9, [](double x) { return 1 / std::sqrt(x); }}}) {
    constexpr size_t count = 64;
    Random random(13);
    EnclosureKernel kernel(std::string("%r = ") + c.op + " %x0 : " + tileText(count, F32),
                           {{F32, count}}, {F32, count});
    Row row{c.op, "f32", 1, Data::Mixed};
    for (size_t done = 0; done < trialsPerRow(); done += count) {
      Values x(count);
      for (double &v : x)
        v = roundToNearest(F32, uniform(random, c.low, c.high));
      std::vector<Element> result = kernel.run({x});
      for (size_t i = 0; i < count; ++i) {
        judge(row, F32, result[i]);
        double exact = c.function(x[i]);
        double ulp = std::ldexp(1.0, std::ilogb(exact) - 23);
        double shift = uniform(random, -c.ulps + 0.5, c.ulps - 0.5);
        expectInside(row, F32, result[i], roundToNearest(F32, exact + shift * ulp));
        double wrong =
            roundToNearest(F32, exact + (chance(random) ? 1 : -1) * (2 * c.ulps + 3) * ulp);
        plant(row, F32, result[i], wrong, exact);
      }
    }
    keep(row);
    EXPECT_EQ(row.outside, 0u);
    EXPECT_EQ(row.caught, row.plants);
  }
}

// [spec: enclosure-undecided]
TEST(EnclosureTest, ComparisonsOfRangesAreDecidedWhereAllValuesAgree) {
  constexpr ElementType F32 = ElementType::F32;
  // exp(1) is known to two units: a comparison with 2 is decided, one with its centre is not, and
  // then a select holds both sides.
  EnclosureKernel kernel("%e = exp %x0 : tile<8xf32>\n"
                         "%c = cmpf less_than ordered %e, %x1 : tile<8xf32> -> tile<8xi1>\n"
                         "%r = select %c, %x1, %x0 : tile<8xi1>, tile<8xf32>",
                         {{F32, 8}, {F32, 8}}, {F32, 8});
  double centre = static_cast<float>(std::exp(1.0));
  for (const Element &e : kernel.run({Values(8, 1), Values(8, 2)}))
    EXPECT_TRUE(e.state == State::Known && decode(F32, e.bits) == 1);
  for (const Element &e : kernel.run({Values(8, 1), Values(8, 3)}))
    EXPECT_TRUE(e.state == State::Known && decode(F32, e.bits) == 3);
  for (const Element &e : kernel.run({Values(8, 1), Values(8, centre)})) {
    ASSERT_EQ(e.state, State::Enclosed);
    auto [low, high] = boundsOf(F32, e);
    EXPECT_LE(decode(F32, low), 1);
    EXPECT_GE(decode(F32, high), centre);
  }
}

// [spec: enclosure-centre]
TEST(EnclosureTest, DifferencesAndLoopsKeepTheCentre) {
  constexpr ElementType F32 = ElementType::F32;
  // A non-point value minus itself stays near zero; halving it often makes it no wider.
  EnclosureKernel kernel("%e = exp %x0 : tile<8xf32>\n%d = subf %e, %e : tile<8xf32>\n"
                         "%z = addf %d, %x1 : tile<8xf32>\n%h = mulf %z, %x1 : tile<8xf32>\n"
                         "%r = addf %h, %x1 : tile<8xf32>",
                         {{F32, 8}, {F32, 8}}, {F32, 8});
  for (const Element &e : kernel.run({Values(8, 0.75), Values(8, 0.5)})) {
    EXPECT_EQ(decode(F32, e.bits), 0.75);
    EXPECT_LT(e.spread.error, 1e-5);
    EXPECT_GT(e.spread.band, 1);
  }
}

// A tile of ranges and points is computed by blocks; what was determined stays determined, and the
// special values among them keep their meaning.
// [spec: class-point, state-enclosed]
TEST(EnclosureTest, PointsAmongRangesStayPoints) {
  for (auto [name, type] : {std::pair("f16", ElementType::F16),
                            {"bf16", ElementType::BF16},
                            {"f32", ElementType::F32},
                            {"f64", ElementType::F64}}) {
    std::string half = std::string("tile<4x") + name + ">",
                whole = std::string("tile<8x") + name + ">";
    std::string cat = " dim = 0 : " + half + ", " + half + " -> " + whole + "\n";
    std::string end = " : " + whole + "\n";
    EnclosureKernel kernel("%e = exp %x0 : " + half + "\n%c = cat %e, %x1" + cat +
                               "%y = cat %x1, %x1" + cat + "%s = addf %c, %y" + end +
                               "%m = mulf %s, %y" + end + "%d = divf %m, %y" + end +
                               "%q = sqrt %d" + end + "%r = subf %q, %y" + end,
                           {{type, 4}, {type, 4}}, {type, 8});
    for (bool special : {false, true}) {
      Values points = {0.3, 7, 1.1, special ? kInfinity : 0.01};
      std::vector<Element> got = kernel.run({Values(4, 0.75), points});
      if (widthOf(type) > 16) // the others round errors away
        EXPECT_EQ(got[0].state, State::Enclosed) << name;
      for (size_t i = 4; i < 8; ++i)
        EXPECT_EQ(got[i].state, special && i == 7 ? State::NaN : State::Known) << name << ' ' << i;
    }
  }
}

// A NaN with a known pattern (of a constant, of memory) beside a range is a NaN as any other.
// [spec: nan-any]
TEST(EnclosureTest, KnownNaNBesideARange) {
  for (ElementType type : {ElementType::F16, ElementType::F32, ElementType::F64}) {
    constexpr Rounding nearest = Rounding::NearestEven;
    const Element nan{*nanPattern(type)}, one{encode(type, 1.0)};
    Element zero{zeroPattern(type, false), State::Enclosed}, range{one.bits, State::Enclosed};
    zero.spread.anyZeroSign = true;
    range.spread.error = 0.25;
    for (const Element &other : {zero, range})
      for (auto [x, y] : {std::pair(&nan, &other), std::pair(&other, &nan)}) {
        for (ArithmeticOp op :
             {ArithmeticOp::Add, ArithmeticOp::Sub, ArithmeticOp::Mul, ArithmeticOp::Div})
          EXPECT_EQ(encloseArithmetic(op, type, nan.bits, *x, *y, nearest, false).state,
                    State::NaN);
        EXPECT_EQ(encloseFma(type, nan.bits, *x, *y, one, nearest, false).state, State::NaN);
        EXPECT_EQ(encloseFma(type, nan.bits, one, *x, *y, nearest, false).state, State::NaN);
        EXPECT_EQ(encloseRemainder(type, nan.bits, *x, *y).state, State::NaN);
        EXPECT_EQ(encloseAtan2(type, nan.bits, *x, *y).state, State::NaN);
        EXPECT_EQ(encloseExtremum(type, nan.bits, *x, *y, true, true, false).state, State::NaN);
        Element number = encloseExtremum(type, other.bits, *x, *y, true, false, false);
        EXPECT_EQ(number.state, State::Enclosed);
        EXPECT_EQ(number.bits, other.bits);
      }
    EXPECT_EQ(encloseFunction(UnaryFunction::Exp, type, nan.bits, nan, {1}, false).state,
              State::NaN);
  }
}

// Where every operand of a range overflows, an infinity is the only result: a NaN must not pass.
// Where some stay finite, or only just overflow, nothing is said. [spec: class-overflow]
TEST(EnclosureTest, OverflowOfEveryOperand) {
  constexpr Rounding nearest = Rounding::NearestEven;
  for (ElementType type :
       {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64}) {
    SCOPED_TRACE(name(type));
    auto pattern = [&](double value) { return encode(type, value); };
    auto ranged = [&](double centre, double error) {
      Element e{pattern(centre), State::Enclosed};
      e.spread.error = error;
      return e;
    };
    uint64_t infinity = pattern(kInfinity), least = pattern(-kInfinity);
    double threshold = std::log2(maxFinite(type));
    Element far = ranged(threshold + 8, 2), near = ranged(threshold, 2),
            large = ranged(maxFinite(type) / 2, maxFinite(type) / 8), three{pattern(3)};
    auto function = [&](UnaryFunction f, const Element &x) {
      return encloseFunction(f, type, infinity, x, {2}, false);
    };
    for (UnaryFunction f :
         {UnaryFunction::Exp2, UnaryFunction::Exp, UnaryFunction::Cosh, UnaryFunction::Sinh}) {
      EXPECT_EQ(function(f, far).state, State::Known);
      EXPECT_EQ(function(f, far).bits, infinity);
    }
    EXPECT_TRUE(isVacuous(function(UnaryFunction::Exp2, near)));
    EXPECT_TRUE(isVacuous(function(UnaryFunction::Exp2, ranged(threshold + 2, 2))));
    Element negative = far;
    negative.bits = pattern(-threshold - 8);
    EXPECT_EQ(encloseFunction(UnaryFunction::Sinh, type, least, negative, {2}, false).bits, least);
    // Ends of f64 ranges are float64 themselves and lose the side on which they overflow.
    bool settled = type != ElementType::F64;
    for (const Element &e :
         {encloseArithmetic(ArithmeticOp::Mul, type, infinity, large, three, nearest, false),
          encloseFma(type, infinity, large, three, three, nearest, false)}) {
      EXPECT_EQ(isVacuous(e), !settled);
      EXPECT_EQ(e.state == State::Known && e.bits == infinity, settled);
    }
    // Toward zero a product of large numbers is the largest one.
    EXPECT_NE(encloseArithmetic(ArithmeticOp::Mul, type, pattern(maxFinite(type)), large, three,
                                Rounding::Zero, false)
                  .bits,
              infinity);
    EXPECT_TRUE(isVacuous(encloseArithmetic(ArithmeticOp::Mul, type, infinity, large,
                                            Element{pattern(2)}, nearest, false)));
  }
}

// A zero whose sign is open stays one through every op that keeps the sign of a zero.
TEST(EnclosureTest, ZerosOfOpenSign) {
  constexpr Rounding nearest = Rounding::NearestEven;
  for (ElementType type : {ElementType::F16, ElementType::F32, ElementType::F64}) {
    auto pattern = [&](double value) { return encode(type, value); };
    const Element plus{pattern(0.0)}, minus{pattern(-0.0)}, two{pattern(2)},
        infinity{pattern(kInfinity)};
    Element zero{plus.bits, State::Enclosed};
    zero.spread.anyZeroSign = true;
    for (const Element &sign : {zero, plus, minus})
      EXPECT_EQ(
          encloseArithmetic(ArithmeticOp::Div, type, *nanPattern(type), zero, sign, nearest, false)
              .state,
          State::NaN);
    int number = 0;
    ProductEnclosure product;
    product.multiply(type, zero);
    product.multiply(type, two);
    for (const Element &e :
         {encloseExtremum(type, plus.bits, zero, zero, true, false, false),
          encloseExtremum(type, plus.bits, zero, zero, false, true, false),
          encloseExtremum(type, plus.bits, zero, minus, true, false, false),
          encloseExtremum(type, plus.bits, plus, zero, false, false, false),
          encloseRemainder(type, plus.bits, zero, two),
          encloseArithmetic(ArithmeticOp::Mul, type, plus.bits, zero, two, nearest, false),
          encloseArithmetic(ArithmeticOp::Div, type, plus.bits, zero, two, nearest, false),
          encloseArithmetic(ArithmeticOp::Div, type, plus.bits, zero, infinity, nearest, false),
          encloseArithmetic(ArithmeticOp::Add, type, plus.bits, zero, minus, nearest, false),
          encloseFma(type, plus.bits, zero, two, minus, nearest, false),
          encloseSqrt(type, plus.bits, zero, nearest, false),
          encloseFunction(UnaryFunction::Sin, type, plus.bits, zero, {1}, false),
          encloseMonotone(type, type, plus.bits, zero,
                          [&](double value) { return pattern(value); }),
          encloseEither(type, zero, plus), encloseEither(type, plus, minus),
          product.finish(type, plus.bits, 2, false)}) {
      SCOPED_TRACE(testing::Message() << "result " << number++);
      ASSERT_EQ(e.state, State::Enclosed);
      auto [low, high] = boundsOf(type, e);
      EXPECT_LE(decode(type, low), 0);
      EXPECT_TRUE(std::signbit(decode(type, low)));
      EXPECT_FALSE(std::signbit(decode(type, high)));
    }
    // Here the other operand settles it.
    EXPECT_EQ(encloseExtremum(type, plus.bits, zero, plus, true, false, false).state, State::Known);
    EXPECT_EQ(encloseExtremum(type, minus.bits, minus, zero, false, false, false).state,
              State::Known);
  }
}

} // namespace
