//===- CombinerEnclosureTest.cpp - reductions by bodies of several ops, scaled products -------===//
//
// Random trees of a body written in plain C++, each step rounded in a format that a compiler may
// keep, must lie inside the enclosures; one wrong element must not.
//
//===------------------------------------------------------------------------------------------===//
#include <array>

#include "reference/interp/Registry.h"
#include "reference/interp/RunCase.h"
#include "reference/interp/test/EnclosureTable.h"

using namespace tilesmith;
using namespace tilesmith::reference;

namespace {

constexpr ElementType F32 = ElementType::F32, F64 = ElementType::F64, F16 = ElementType::F16;

/// One element of every operand.
using Tuple = std::array<double, 2>;

/// A body as text over %u0, %v0, %u1, %v1 that yields %r0 and %r1, and as a function; `round`
/// rounds one step.
struct Body {
  const char *name, *text;
  unsigned arity;
  std::function<Tuple(Tuple, Tuple, const std::function<double(double)> &)> function;
  bool scan;
  double low, high; ///< of the elements
};

const std::vector<Body> &bodies() {
  static const std::vector<Body> all = {
      {"online softmax",
       "%r0 = maxf %u0, %v0 : T\n%d = subf %u0, %r0 : T\n%e = subf %v0, %r0 : T\n%p = exp %d : T\n"
       "%q = exp %e : T\n%s = mulf %u1, %p : T\n%t = mulf %v1, %q : T\n%r1 = addf %s, %t : T\n",
       2,
       [](Tuple a, Tuple b, auto &r) {
         double m = std::max(a[0], b[0]);
         double p = r(std::exp(r(a[0] - m))), q = r(std::exp(r(b[0] - m)));
         return Tuple{m, r(r(a[1] * p) + r(b[1] * q))};
       },
       false, 0.5, 4},
      {"affine maps", "%r0 = mulf %u0, %v0 : T\n%p = mulf %v0, %u1 : T\n%r1 = addf %p, %v1 : T\n",
       2, [](Tuple a, Tuple b, auto &r) { return Tuple{r(a[0] * b[0]), r(r(b[0] * a[1]) + b[1])}; },
       true, 0.75, 1.25},
      {"fused affine maps", "%r0 = mulf %u0, %v0 : T\n%r1 = fma %v0, %u1, %v1 : T\n", 2,
       [](Tuple a, Tuple b, auto &r) { return Tuple{r(a[0] * b[0]), r(b[0] * a[1] + b[1])}; }, true,
       0.75, 1.25},
      {"complex product",
       "%p = mulf %u0, %v0 : T\n%q = mulf %u1, %v1 : T\n%r0 = subf %p, %q : T\n"
       "%s = mulf %u0, %v1 : T\n%t = mulf %u1, %v0 : T\n%r1 = addf %s, %t : T\n",
       2,
       [](Tuple a, Tuple b, auto &r) {
         return Tuple{r(r(a[0] * b[0]) - r(a[1] * b[1])), r(r(a[0] * b[1]) + r(a[1] * b[0]))};
       },
       false, 0.5, 1.5},
      {"a + b + ab", "%p = mulf %u0, %v0 : T\n%q = addf %u0, %v0 : T\n%r0 = addf %q, %p : T\n", 1,
       [](Tuple a, Tuple b, auto &r) { return Tuple{r(r(a[0] + b[0]) + r(a[0] * b[0])), 0}; },
       false, 0.01, 0.2},
      {"hypotenuse",
       "%p = mulf %u0, %u0 : T\n%q = mulf %v0, %v0 : T\n%s = addf %p, %q : T\n"
       "%r0 = sqrt %s : T\n",
       1,
       [](Tuple a, Tuple b, auto &r) {
         return Tuple{r(std::sqrt(r(r(a[0] * a[0]) + r(b[0] * b[0])))), 0};
       },
       false, 0.5, 1.5},
      {"online softmax by quotients",
       "%r0 = maxf %u0, %v0 : T\n%d = subf %r0, %u0 : T\n%e = subf %r0, %v0 : T\n%p = exp2 %d : "
       "T\n%q = exp2 %e : T\n%s = divf %u1, %p : T\n%t = divf %v1, %q : T\n"
       "%r1 = addf %s, %t : T\n",
       2,
       [](Tuple a, Tuple b, auto &r) {
         double m = std::max(a[0], b[0]);
         double p = r(std::exp2(r(m - a[0]))), q = r(std::exp2(r(m - b[0])));
         return Tuple{m, r(r(a[1] / p) + r(b[1] / q))};
       },
       false, 0.5, 4},
  };
  return all;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// The kernel whose result is operand k of the reduction or scan.
EnclosureKernel kernelOf(const Body &body, ElementType type, size_t length, unsigned k,
                         bool reverse = false) {
  std::string t = name(type), scalar = "tile<" + t + ">", whole = tileText(length, type),
              to = body.scan ? whole : scalar;
  std::string text = body.arity == 2 ? "%f0, %f1 = " : "%f0 = ", operands, identities, types,
              results, arguments, yielded;
  for (unsigned i = 0; i < body.arity; ++i) {
    std::string n = std::to_string(i), comma = i ? ", " : "";
    operands += comma + "%x" + n;
    identities += comma + "0.0 : " + t;
    types += comma + whole;
    results += comma + to;
    arguments += comma + "%u" + n + ": " + scalar + ", %v" + n + ": " + scalar;
    yielded += comma + "%r" + n;
  }
  text += std::string(body.scan ? "scan " : "reduce ") + operands + " dim=0 " +
          (body.scan ? reverse ? "reverse=true " : "reverse=false " : "") + "identities=[" +
          identities + "] : " + types + " -> " + results + "\n(" + arguments + ") {\n" +
          replaced(body.text, " T\n", " " + scalar + "\n") + "yield " + yielded + " : " +
          (body.arity == 2 ? scalar + ", " + scalar : scalar) + "\n}\n%r = reshape %f" +
          std::to_string(k) + " : " + to + " -> " + (body.scan ? whole : tileText(1, type));
  std::vector<ArrayType> inputs(body.arity, {type, length});
  return EnclosureKernel(text, inputs, {type, body.scan ? length : 1});
}

void testBody(const Body &body, ElementType type, size_t length, Data data, bool reverse = false) {
  unsigned k = body.arity - 1;
  Random random(length + static_cast<int>(type) * 3 + static_cast<int>(data) * 7);
  EnclosureKernel kernel = kernelOf(body, type, length, k, reverse);
  Row row{(body.scan ? "scan " : "reduce ") + std::string(body.name), name(type), length, data};
  for (size_t done = 0; done < trialsPerRow();) {
    std::vector<Values> x(body.arity);
    for (Values &values : x)
      for (size_t i = 0; i < length; ++i)
        values.push_back(data == Data::Integers
                             ? static_cast<double>(1 + static_cast<int>(random() % 2))
                             : (data == Data::Mixed && chance(random) ? -1 : 1) *
                                   roundToNearest(type, uniform(random, body.low, body.high)));
    std::vector<Element> result = kernel.run(x);
    for (int trial = 0; trial < 20 && done < trialsPerRow(); ++trial, ++done) {
      size_t at = body.scan ? random() % length : 0, count = body.scan ? at + 1 : length;
      size_t place = reverse ? length - 1 - at : at;
      judge(row, type, result[place]);
      bool narrow = type == F16;
      ElementType kept = narrow && chance(random) ? F32 : type;
      std::function<double(double)> round = [&](double v) { return roundToNearest(kept, v); };
      if (data == Data::Positive && type == F32 && chance(random, 0.3))
        round = [](double v) { return v; }; // more precise
      auto evaluate = [&](size_t wrong) {
        std::vector<Tuple> terms;
        for (size_t i = 0; i < count; ++i) {
          size_t from = reverse ? length - 1 - i : i;
          terms.push_back({x[0][from], body.arity == 2 ? x[1][from] : 0});
          if (i == wrong)
            terms.back()[k] *= 2;
        }
        Tuple end = anyTree(random, terms, body.scan,
                            [&](Tuple a, Tuple b) { return body.function(a, b, round); });
        return roundToNearest(type, end[k]);
      };
      double right = evaluate(count);
      expectInside(row, type, result[place], right);
      plant(row, type, result[place], evaluate(random() % count), right);
    }
  }
  keep(row);
  EXPECT_EQ(row.outside, 0u);
  EXPECT_LT(row.vacuous, row.elements / 2 + 1) << row.op << " says nothing";
  if (data == Data::Integers)
    EXPECT_EQ(row.caught, row.plants) << row.op << " on integers";
}

// [spec: bound-body, scan-order]
TEST(EnclosureTest, BodiesOfSeveralOpsInAnyOrder) {
  for (const Body &body : bodies()) {
    bool cancels = llvm::StringRef(body.name) == "complex product";
    testBody(body, F32, cancels ? 8 : body.scan ? 32 : 64, Data::Positive);
    testBody(body, F64, 16, Data::Positive);
    testBody(body, F16, 8, Data::Positive);
  }
  for (unsigned i : {1, 3, 4})
    testBody(bodies()[i], F32, 16, Data::Mixed);
  for (unsigned i : {1, 2, 3, 4})
    testBody(bodies()[i], F32, 8, Data::Integers);
  testBody(bodies()[1], F32, 32, Data::Positive, /*reverse=*/true);
}

TEST(EnclosureTest, TheMaximumOfAnOnlineSoftmaxStaysAPoint) {
  Random random(3);
  EnclosureKernel kernel = kernelOf(bodies()[0], F32, 64, 0);
  Values m = draw(random, F32, 64, Data::Mixed), s = draw(random, F32, 64, Data::Positive);
  Element e = kernel.run({m, s})[0];
  EXPECT_EQ(e.state, State::Known);
  EXPECT_EQ(decode(F32, e.bits), *std::max_element(m.begin(), m.end()));
}

TEST(EnclosureTest, ABodyThatIsNotAssociativeIsLeftOpen) {
  Body mean = {"mean", "%h = constant <T5> : T\n%s = addf %u0, %v0 : T\n%r0 = mulf %s, %h : T\n",
               1,      {},
               false,  0,
               1};
  std::string text = replaced(mean.text, "<T5>", "<f32: 0.5>");
  mean.text = text.c_str();
  Random random(4);
  EnclosureKernel kernel = kernelOf(mean, F32, 16, 0);
  Values x = draw(random, F32, 16, Data::Positive);
  // Halving sums of pairs is the mean in any balanced tree, but not one after another; both orders
  // of a reduction that are looked at are balanced. A scan shows the difference.
  EXPECT_EQ(kernel.run({x})[0].state, State::Enclosed);
  mean.scan = true;
  EnclosureKernel scan = kernelOf(mean, F32, 16, 0);
  EXPECT_EQ(scan.run({x})[15].state, State::Unknown);
}

// [spec: bound-none, class-vacuous]
TEST(EnclosureTest, ABodyWithoutABoundIsVacuous) {
  Body logarithm = {"log of sums",
                    "%p = exp %u0 : T\n%q = exp %v0 : T\n%s = addf %p, %q : T\n%r0 = log %s : T\n",
                    1,
                    {},
                    false,
                    0,
                    1};
  Body resistors = {"parallel sum",
                    "%p = mulf %u0, %v0 : T\n%s = addf %u0, %v0 : T\n%r0 = divf %p, %s : T\n",
                    1,
                    {},
                    false,
                    0,
                    1};
  Random random(5);
  for (const Body &body : {logarithm, resistors}) {
    EnclosureKernel kernel = kernelOf(body, F32, 16, 0);
    EXPECT_TRUE(isVacuous(kernel.run({draw(random, F32, 16, Data::Positive)})[0])) << body.name;
  }
}

// The first op that lost the bounds is named, whatever is computed with its result.
TEST(EnclosureTest, AVacuousElementRemembersWhereItBegan) {
  EnclosureKernel kernel("%e = exp %x0 : tile<4xf32>\n%z = subf %e, %e : tile<4xf32>\n"
                         "%q = divf %e, %z : tile<4xf32>\n%n = negf %q : tile<4xf32>\n"
                         "%h = ftof %n : tile<4xf32> -> tile<4xf16>\n"
                         "%r = ftof %h : tile<4xf16> -> tile<4xf32>\n",
                         {{F32, 4}}, {F32, 4});
  Element e = kernel.run({{1, 2, 3, 4}})[0];
  ASSERT_TRUE(isVacuous(e));
  EXPECT_EQ(Registry::get().describeOrigin(PackedSpread(e.spread).origin()), "divf f32");
}

// Three subnormals around one are a bound; only an infinite one is not compared.
TEST(EnclosureTest, ABoundWiderThanTheValueIsCompared) {
  Memory memory;
  uint64_t base = llvm::cantFail(memory.allocate(8, 8, "buffer 0", std::vector<uint8_t>(8)));
  Element narrow{1, State::Enclosed};
  narrow.spread.error = 0x3p-149;
  ASSERT_FALSE(memory.store(F32, base, narrow));
  ASSERT_FALSE(memory.store(F32, base + 4, vacuousElement(1)));
  testcase::Buffer buffer;
  buffer.dtype = testcase::DataType::F32;
  buffer.shape = {2};
  BufferResult result = readBuffer(*memory.find(base), buffer);
  ASSERT_TRUE(result.enclosure);
  EXPECT_EQ(result.enclosure->vacuousElements, 1u);
  EXPECT_EQ(testcase::readElement(result.enclosure->low, buffer.dtype, 0), 0x80000002u);
  EXPECT_EQ(testcase::readElement(result.enclosure->high, buffer.dtype, 0), 4u);
  EXPECT_EQ(result.enclosure->vacuous, testcase::Bytes({0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(result.enclosure->vacuousFrom.begin()->second, 1u);
}

/// The largest of enclosed values: any of them may be it, and the result holds it.
TEST(EnclosureTest, ExactBodiesOnRangesHoldEveryChoice) {
  std::string text = "%e = exp %x0 : tile<16xf32>\n%i = iota : tile<16xi32>\n"
                     "%f, %g = reduce %e, %i dim=0 identities=[0.0 : f32, 0 : i32] : tile<16xf32>, "
                     "tile<16xi32> -> tile<f32>, tile<i32>\n"
                     "(%a: tile<f32>, %b: tile<f32>, %m: tile<i32>, %n: tile<i32>) {\n"
                     "%c = cmpf greater_than ordered %a, %b : tile<f32> -> tile<i1>\n"
                     "%v = select %c, %a, %b : tile<i1>, tile<f32>\n"
                     "%w = select %c, %m, %n : tile<i1>, tile<i32>\n"
                     "yield %v, %w : tile<f32>, tile<i32>\n}\n"
                     "%r = reshape %f : tile<f32> -> tile<1xf32>";
  EnclosureKernel kernel(text, {{F32, 16}}, {F32, 1});
  Random random(6);
  Row row{"reduce argmax of exp", "f32", 16, Data::Mixed};
  for (size_t done = 0; done < trialsPerRow(); ++done) {
    Values x = draw(random, F32, 16, Data::Mixed);
    Element e = kernel.run({x})[0];
    judge(row, F32, e);
    double largest = std::exp(*std::max_element(x.begin(), x.end()));
    expectInside(row, F32, e,
                 roundToNearest(F32, largest * (1 + uniform(random, -1, 1) * 0x1p-23)));
    plant(row, F32, e, roundToNearest(F32, largest * 1.001), largest);
  }
  keep(row);
  EXPECT_EQ(row.vacuous, 0u);
  EXPECT_EQ(row.caught, row.plants);
}

/// `enclosed`: the numbers come from a conversion of values known within bounds.
void testScaledProducts(ElementType input, ElementType scaleType, size_t block, Data data,
                        bool enclosed) {
  constexpr size_t m = 2, n = 4;
  size_t k = 2 * block;
  Random random(17 + block + static_cast<int>(input));
  auto shape = [](size_t rows, size_t columns, ElementType type) {
    return "tile<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + name(type) + ">";
  };
  ElementType loaded = enclosed ? F32 : input;
  std::string a = shape(m, k, input), b = shape(k, n, input), c = shape(m, n, F32),
              sa = shape(m, 2, scaleType), sb = shape(2, n, scaleType);
  std::string text;
  for (auto [from, to, type] :
       {std::tuple("%x0", "%a", shape(m, k, loaded)), {"%x1", "%b", shape(k, n, loaded)}}) {
    size_t count = type == shape(m, k, loaded) ? m * k : k * n;
    std::string raw = std::string(to) + (enclosed ? "raw" : "");
    text += raw + " = reshape " + from + " : " + tileText(count, loaded) + " -> " + type + "\n";
    if (enclosed) // exp leaves every value within bounds
      text += raw + "e = exp " + raw + " : " + type + "\n" + to + " = ftof " + raw + "e : " + type +
              " -> " + (count == m * k && to[1] == 'a' ? a : b) + "\n";
  }
  text += "%c = reshape %x2 : " + tileText(m * n, F32) + " -> " + c +
          "\n%s = reshape %x3 : " + tileText(m * 2, scaleType) + " -> " + sa +
          "\n%t = reshape %x4 : " + tileText(2 * n, scaleType) + " -> " + sb +
          "\n%d = mmaf_scaled %a, %b, %c, %s, %t : " + a + ", " + b + ", " + c + ", " + sa + ", " +
          sb + "\n%r = reshape %d : " + c + " -> " + tileText(m * n, F32);
  EnclosureKernel kernel(
      text,
      {{loaded, m * k}, {loaded, k * n}, {F32, m * n}, {scaleType, m * 2}, {scaleType, 2 * n}},
      {F32, m * n});
  Row row{"mmaf_scaled " + name(input) + " " + name(scaleType) + (enclosed ? " of exp" : ""), "f32",
          k, data};
  auto value = [&](double v) {
    return decode(input, encode(input, enclosed ? std::exp(v) : v, Rounding::NearestEven,
                                Overflow::Saturate));
  };
  for (size_t done = 0; done < trialsPerRow();) {
    Values x = draw(random, loaded, m * k, data, 2), y = draw(random, loaded, k * n, data, 2),
           z = draw(random, F32, m * n, data), s, t;
    for (size_t i = 0; i < m * 2; ++i)
      s.push_back(std::ldexp(1.0, static_cast<int>(random() % 3)));
    for (size_t i = 0; i < 2 * n; ++i)
      t.push_back(std::ldexp(1.0, static_cast<int>(random() % 3)));
    std::vector<Element> result = kernel.run({x, y, z, s, t});
    for (int trial = 0; trial < 16 && done < trialsPerRow(); ++trial, ++done) {
      size_t i = random() % m, j = random() % n;
      const Element &e = result[i * n + j];
      judge(row, F32, e);
      Adder adder{F32, chance(random)};
      bool late = chance(random); // scales applied to the sums of blocks
      auto evaluate = [&](size_t skip) {
        Values terms = {z[i * n + j]};
        for (size_t g = 0; g < 2; ++g) {
          double scale = s[i * 2 + g] * t[g * n + j];
          Values products;
          for (size_t p = g * block; p < (g + 1) * block; ++p)
            products.push_back(p == skip ? 0 : value(x[i * k + p]) * value(y[p * n + j]));
          if (late)
            terms.push_back(roundToNearest(F32, scale * anyTree(random, products, false, adder)));
          else
            for (double product : products)
              terms.push_back(scale * product);
        }
        return roundToNearest(F32, anyTree(random, terms, false, adder));
      };
      double right = evaluate(k);
      expectInside(row, F32, e, right);
      plant(row, F32, e, evaluate(random() % k), right);
    }
  }
  keep(row);
  EXPECT_EQ(row.outside, 0u);
  if (data == Data::Integers)
    EXPECT_EQ(row.caught, row.plants);
  if (data == Data::Positive)
    EXPECT_EQ(row.vacuous, 0u);
}

// [spec: mma-scaled, mma-bound-fp8]
TEST(EnclosureTest, ScaledProductsInAnyOrder) {
  using T = ElementType;
  for (Data data : {Data::Positive, Data::Mixed, Data::Integers}) {
    testScaledProducts(T::F8E4M3FN, T::F8E8M0FNU, 32, data, false);
    testScaledProducts(T::F8E5M2, T::F8E8M0FNU, 32, data, false);
  }
  testScaledProducts(T::F8E4M3FN, T::F8E8M0FNU, 32, Data::Positive, true);
}

} // namespace
