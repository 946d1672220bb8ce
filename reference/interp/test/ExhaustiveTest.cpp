//===- ExhaustiveTest.cpp - all patterns of small types against independent oracles -----------===//
//
// Integer ops on all pairs of i8 values against plain C++; unary ops and conversions on all 65,536
// patterns of i16, f16 and bf16 against plain C++, APFloat or MPFR called directly; conversions of
// all 8-bit floats. Each op runs once on a tile that holds every case; results are read from a
// global. Promises of overflow flags, which end a launch, are in PromisesTest.cpp.
//
//===------------------------------------------------------------------------------------------===//
#include <mpfr.h>

#include <cmath>

#include <gtest/gtest.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/APFloat.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/RunCase.h"
#include "reference/interp/test/KernelText.h"
#include "reference/value/Float.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using llvm::APFloat;
using llvm::APInt;

namespace {

constexpr size_t all = 65536;

/// Runs `body`, which defines %r : tile<65536 x type>, and returns its elements.
std::vector<Element> results(const std::string &body, const std::string &type,
                             ElementType element) {
  std::string bytes = std::to_string(all * bytesOf(element));
  std::string text = "cuda_tile.module @m {\nglobal @out alignment = 16 <i8: 0> : tile<" + bytes +
                     "xi8>\nentry @k() {\n%i = iota : tile<65536xi32>\n" + body + R"(
    %p = get_global @out : tile<ptr<i8>>
    %q = ptr_to_ptr %p : tile<ptr<i8>> -> tile<ptr<TYPE>>
    %q1 = reshape %q : tile<ptr<TYPE>> -> tile<1xptr<TYPE>>
    %qs = broadcast %q1 : tile<1xptr<TYPE>> -> tile<65536xptr<TYPE>>
    %ps = offset %qs, %i : tile<65536xptr<TYPE>>, tile<65536xi32> -> tile<65536xptr<TYPE>>
    %t = store_ptr_tko weak %ps, %r : tile<65536xptr<TYPE>>, tile<65536xTYPE> -> token
  }
}
)";
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
    text.replace(at, 4, type);
  mlir::MLIRContext context;
  loadReferenceDialects(context);
  context.getLoadedDialect<cuda_tile::CudaTileDialect>()->setProfile(
      cuda_tile::Profile::Tileiras13_5);
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!parsed) {
    ADD_FAILURE() << body;
    return {};
  }
  Interpreter interpreter;
  LaunchRequest request;
  request.entry = "k";
  Outcome outcome = interpreter.launch(*parsed->getOps<cuda_tile::ModuleOp>().begin(), request);
  if (!outcome.completed()) {
    ADD_FAILURE() << outcome.describe() << '\n' << body;
    return {};
  }
  std::vector<Element> elements(all);
  uint64_t base = interpreter.memory().allocations().begin()->first;
  for (size_t i = 0; i < all; ++i)
    EXPECT_FALSE(interpreter.memory().load(element, base + i * bytesOf(element), elements[i]));
  return elements;
}

/// %a and %b : i8 tiles that meet in every pair; %a is the high byte of the position.
const std::string pairs = R"(
    %e = constant <i32: 8> : tile<65536xi32>
    %h = shri %i, %e unsigned : tile<65536xi32>
    %a = trunci %h : tile<65536xi32> -> tile<65536xi8>
    %b = trunci %i : tile<65536xi32> -> tile<65536xi8>
)";

template <typename Expected> void checkPairs(const std::string &op, Expected expected) {
  std::vector<Element> got =
      results(pairs + "%r = " + op + " : tile<65536xi8>\n", "i8", ElementType::I8);
  ASSERT_EQ(got.size(), all);
  for (size_t i = 0; i < all; ++i) {
    auto a = static_cast<int8_t>(i >> 8), b = static_cast<int8_t>(i);
    std::optional<int> want = expected(a, b);
    ASSERT_EQ(got[i].state, want ? State::Known : State::Unknown)
        << op << ' ' << int(a) << ' ' << int(b);
    if (want)
      ASSERT_EQ(static_cast<int8_t>(got[i].bits), static_cast<int8_t>(*want))
          << op << ' ' << int(a) << ' ' << int(b);
  }
}

using Maybe = std::optional<int>;

// [spec: type-integer]
TEST(ExhaustiveTest, IntegerOpsOnAllPairsOfBytes) {
  checkPairs("addi %a, %b", [](int a, int b) -> Maybe { return a + b; });
  checkPairs("subi %a, %b", [](int a, int b) -> Maybe { return a - b; });
  checkPairs("muli %a, %b", [](int a, int b) -> Maybe { return a * b; });
  checkPairs("mulhii %a, %b", [](int a, int b) -> Maybe { return (a & 255) * (b & 255) >> 8; });
  checkPairs("andi %a, %b", [](int a, int b) -> Maybe { return a & b; });
  checkPairs("ori %a, %b", [](int a, int b) -> Maybe { return a | b; });
  checkPairs("xori %a, %b", [](int a, int b) -> Maybe { return a ^ b; });
  checkPairs("maxi %a, %b signed", [](int a, int b) -> Maybe { return std::max(a, b); });
  checkPairs("mini %a, %b unsigned",
             [](int a, int b) -> Maybe { return std::min(a & 255, b & 255); });
  checkPairs("maxi %a, %b unsigned",
             [](int a, int b) -> Maybe { return std::max(a & 255, b & 255); });
  checkPairs("mini %a, %b signed", [](int a, int b) -> Maybe { return std::min(a, b); });
  checkPairs("shli %a, %b",
             [](int a, int b) -> Maybe { return (b & 255) < 8 ? Maybe(a << b) : std::nullopt; });
  checkPairs("shri %a, %b signed",
             [](int a, int b) -> Maybe { return (b & 255) < 8 ? Maybe(a >> b) : std::nullopt; });
  checkPairs("shri %a, %b unsigned", [](int a, int b) -> Maybe {
    return (b & 255) < 8 ? Maybe((a & 255) >> b) : std::nullopt;
  });
}

/// Division on all pairs whose quotient exists; the divisor is repaired first.
TEST(ExhaustiveTest, DivisionOnAllPairsOfBytes) {
  std::string repaired = R"(
    %one = constant <i8: 1> : tile<65536xi8>
    %d = ori %b, %one : tile<65536xi8>
    %x = maxi %a, %m127 signed : tile<65536xi8>
)";
  std::string head = pairs + "%m127 = constant <i8: -127> : tile<65536xi8>\n" + repaired;
  auto check = [&](const std::string &op, auto expected) {
    std::vector<Element> got =
        results(head + "%r = " + op + " : tile<65536xi8>\n", "i8", ElementType::I8);
    ASSERT_EQ(got.size(), all);
    for (size_t i = 0; i < all; ++i) {
      int a = std::max<int>(static_cast<int8_t>(i >> 8), -127), b = static_cast<int8_t>(i | 1);
      ASSERT_EQ(static_cast<int8_t>(got[i].bits), static_cast<int8_t>(expected(a, b)))
          << op << ' ' << a << ' ' << b;
    }
  };
  check("divi %x, %d signed", [](int a, int b) { return a / b; });
  check("divi %x, %d signed rounding<negative_inf>",
        [](int a, int b) { return int(std::floor(double(a) / b)); });
  check("divi %x, %d signed rounding<positive_inf>",
        [](int a, int b) { return int(std::ceil(double(a) / b)); });
  check("divi %x, %d unsigned", [](int a, int b) { return (a & 255) / (b & 255); });
  check("divi %x, %d unsigned rounding<positive_inf>",
        [](int a, int b) { return int(std::ceil(double(a & 255) / (b & 255))); });
  check("remi %x, %d signed", [](int a, int b) { return a % b; });
  check("remi %x, %d unsigned", [](int a, int b) { return (a & 255) % (b & 255); });
}

TEST(ExhaustiveTest, ComparisonsOfAllPairsOfBytes) {
  struct Case {
    const char *predicate;
    bool (*holds)(int, int);
  };
  for (const Case &c : {Case{"equal", [](int a, int b) { return a == b; }},
                        Case{"not_equal", [](int a, int b) { return a != b; }},
                        Case{"less_than", [](int a, int b) { return a < b; }},
                        Case{"less_than_or_equal", [](int a, int b) { return a <= b; }},
                        Case{"greater_than", [](int a, int b) { return a > b; }},
                        Case{"greater_than_or_equal", [](int a, int b) { return a >= b; }}})
    for (bool isSigned : {false, true}) {
      std::vector<Element> got = results(
          pairs + "%c = cmpi " + c.predicate + " %a, %b, " + (isSigned ? "signed" : "unsigned") +
              " : tile<65536xi8> -> tile<65536xi1>\n%r = exti %c unsigned : tile<65536xi1> "
              "-> tile<65536xi8>\n",
          "i8", ElementType::I8);
      ASSERT_EQ(got.size(), all);
      for (size_t i = 0; i < all; ++i) {
        int a = static_cast<int>(i >> 8), b = static_cast<int>(i & 255);
        bool want =
            isSigned ? c.holds(static_cast<int8_t>(a), static_cast<int8_t>(b)) : c.holds(a, b);
        ASSERT_EQ(got[i].bits, uint64_t(want)) << c.predicate << ' ' << a << ' ' << b;
      }
    }
}

/// %w : every i16.
const std::string everyWord = "%w = trunci %i : tile<65536xi32> -> tile<65536xi16>\n";

TEST(ExhaustiveTest, UnaryOpsAndConversionsOnAllWords) {
  auto check = [](const std::string &op, const char *type, ElementType element, auto expected) {
    std::vector<Element> got = results(everyWord + op, type, element);
    ASSERT_EQ(got.size(), all);
    for (size_t i = 0; i < all; ++i) {
      uint64_t want = static_cast<uint64_t>(expected(static_cast<int16_t>(i))) & maskOf(element);
      ASSERT_EQ(got[i].state, State::Known) << op << i;
      ASSERT_EQ(got[i].bits, want) << op << i;
    }
  };
  using T = ElementType;
  check("%r = absi %w : tile<65536xi16>\n", "i16", T::I16, [](int x) { return std::abs(x); });
  check("%r = negi %w : tile<65536xi16>\n", "i16", T::I16, [](int x) { return -x; });
  check("%r = trunci %w : tile<65536xi16> -> tile<65536xi8>\n", "i8", T::I8,
        [](int x) { return x; });
  check("%r = trunci %w : tile<65536xi16> -> tile<65536xi1>\n", "i1", T::I1,
        [](int x) { return x; });
  for (auto [type, element] : {std::pair("i32", T::I32), {"i64", T::I64}}) {
    std::string to = std::string(" : tile<65536xi16> -> tile<65536x") + type + ">\n";
    check("%r = exti %w signed" + to, type, element, [](int64_t x) { return x; });
    check("%r = exti %w unsigned" + to, type, element, [](int64_t x) { return x & 0xffff; });
  }
  for (const char *type : {"f16", "bf16"}) { // there and back
    std::string tile = std::string("tile<65536x") + type + ">";
    check("%f = bitcast %w : tile<65536xi16> -> " + tile + "\n%r = bitcast %f : " + tile +
              " -> tile<65536xi16>\n",
          "i16", T::I16, [](int x) { return x; });
  }
}

struct SmallFloat {
  const char *name;
  ElementType type;
  const llvm::fltSemantics *semantics;
  int precision, minExponent, maxExponent;
};
const SmallFloat smallFloats[] = {{"f16", ElementType::F16, &APFloat::IEEEhalf(), 11, -14, 15},
                                  {"bf16", ElementType::BF16, &APFloat::BFloat(), 8, -126, 127}};

/// %a : every pattern of the type.
std::string everyPattern(const SmallFloat &f) {
  return std::string("%w = trunci %i : tile<65536xi32> -> tile<65536xi16>\n%a = bitcast %w : "
                     "tile<65536xi16> -> "
                     "tile<65536x") +
         f.name + ">\n";
}

template <typename Expected>
void checkPatterns(const SmallFloat &f, const std::string &op, Expected expected) {
  std::vector<Element> got =
      results(everyPattern(f) + "%r = " + op + " : tile<65536x" + f.name + ">\n", f.name, f.type);
  ASSERT_EQ(got.size(), all);
  for (size_t i = 0; i < all; ++i) {
    APFloat want = expected(APFloat(*f.semantics, APInt(16, i)));
    if (want.isNaN())
      ASSERT_EQ(got[i].state, State::NaN) << f.name << ' ' << op << ' ' << i;
    else
      ASSERT_EQ(got[i].bits, want.bitcastToAPInt().getZExtValue())
          << f.name << ' ' << op << ' ' << i;
  }
}

/// A function evaluated by MPFR with 300 bits, then rounded once to the format by integer scaling.
APFloat viaMpfr(const SmallFloat &f, const APFloat &x,
                int (*function)(mpfr_t, const mpfr_t, mpfr_rnd_t)) {
  APFloat wide = x;
  bool exact;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  mpfr_t value;
  mpfr_init2(value, 300);
  mpfr_set_d(value, wide.convertToDouble(), MPFR_RNDN);
  function(value, value, MPFR_RNDN);
  char *text = nullptr;
  mpfr_asprintf(&text, "%.120Re", value);
  APFloat result(*f.semantics);
  if (mpfr_nan_p(value)) {
    result = APFloat::getNaN(*f.semantics);
  } else if (mpfr_inf_p(value)) {
    result = APFloat::getInf(*f.semantics, mpfr_signbit(value));
  } else if (mpfr_zero_p(value)) {
    result = APFloat::getZero(*f.semantics, mpfr_signbit(value));
  } else { // decimal text with 120 digits, rounded once by APFloat's own parser
    auto status = result.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status)
      ADD_FAILURE() << llvm::toString(status.takeError());
  }
  mpfr_free_str(text);
  mpfr_clear(value);
  return result;
}

// [spec: subnormals-kept, type-float-base]
TEST(ExhaustiveTest, UnaryFloatOpsOnAllPatterns) {
  for (const SmallFloat &f : smallFloats) {
    checkPatterns(f, "absf %a", [](APFloat x) { return llvm::abs(x); });
    checkPatterns(f, "negf %a", [](APFloat x) { return -x; });
    checkPatterns(f, "ceil %a", [](APFloat x) {
      x.roundToIntegral(APFloat::rmTowardPositive);
      return x;
    });
    checkPatterns(f, "floor %a", [](APFloat x) {
      x.roundToIntegral(APFloat::rmTowardNegative);
      return x;
    });
    checkPatterns(f, "sqrt %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_sqrt); });
    checkPatterns(f, "exp %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_exp); });
    checkPatterns(f, "exp2 %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_exp2); });
    checkPatterns(f, "log %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_log); });
    checkPatterns(f, "sin %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_sin); });
    checkPatterns(f, "tanh %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_tanh); });
    checkPatterns(f, "log2 %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_log2); });
    checkPatterns(f, "cos %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_cos); });
    checkPatterns(f, "tan %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_tan); });
    checkPatterns(f, "sinh %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_sinh); });
    checkPatterns(f, "cosh %a", [&](const APFloat &x) { return viaMpfr(f, x, mpfr_cosh); });
    checkPatterns(f, "rsqrt %a", [&](const APFloat &x) {
      if (x.isZero()) // MPFR calls the inverse root of -0 positive
        return APFloat::getInf(*f.semantics, x.isNegative());
      return viaMpfr(f, x, mpfr_rec_sqrt);
    });
  }
}

TEST(ExhaustiveTest, FloatConversionsOnAllPatterns) {
  struct Target {
    const char *name;
    ElementType type;
    const llvm::fltSemantics *semantics;
    bool saturates;
  };
  const Target targets[] = {{"f16", ElementType::F16, &APFloat::IEEEhalf(), false},
                            {"bf16", ElementType::BF16, &APFloat::BFloat(), false},
                            {"f32", ElementType::F32, &APFloat::IEEEsingle(), false},
                            // Holds every f16 and bf16; its patterns are those of f32.
                            {"tf32", ElementType::TF32, &APFloat::IEEEsingle(), false},
                            {"f64", ElementType::F64, &APFloat::IEEEdouble(), false},
                            {"f8E4M3FN", ElementType::F8E4M3FN, &APFloat::Float8E4M3FN(), true},
                            {"f8E5M2", ElementType::F8E5M2, &APFloat::Float8E5M2(), true}};
  for (const SmallFloat &f : smallFloats)
    for (const Target &t : targets) {
      if (f.type == t.type)
        continue;
      std::vector<Element> got = results(everyPattern(f) + "%r = ftof %a : tile<65536x" + f.name +
                                             "> -> tile<65536x" + t.name + ">\n",
                                         t.name, t.type);
      ASSERT_EQ(got.size(), all);
      for (size_t i = 0; i < all; ++i) {
        APFloat source(*f.semantics, APInt(16, i)), want = source;
        bool exact;
        want.convert(*t.semantics, APFloat::rmNearestTiesToEven, &exact);
        if (source.isNaN()) {
          ASSERT_EQ(got[i].state, State::NaN) << f.name << " to " << t.name << ' ' << i;
          continue;
        }
        if (t.saturates && !want.isFinite()) // overflow, which APFloat turns into infinity or NaN
          want = APFloat::getLargest(*t.semantics, source.isNegative());
        ASSERT_EQ(got[i].bits, want.bitcastToAPInt().getZExtValue())
            << f.name << " to " << t.name << ' ' << i;
      }
    }
}

/// A storage format as the target of every f16 and bf16: read back as f32, which holds all its
/// values. No NaN exists in it.
// [spec: conv-ftof-nan, type-e2m1]
TEST(ExhaustiveTest, ConversionsToHalfBytesOnAllPatterns) {
  for (const SmallFloat &f : smallFloats) {
    std::vector<Element> got =
        results(everyPattern(f) + "%h = ftof %a : tile<65536x" + f.name +
                    "> -> tile<65536xf4E2M1FN>\n%r = ftof %h : tile<65536xf4E2M1FN> -> "
                    "tile<65536xf32>\n",
                "f32", ElementType::F32);
    ASSERT_EQ(got.size(), all);
    // 0, 0.5, 1, 1.5, 2, 3, 4, 6: the nearest one, in a tie the one of even pattern.
    const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    for (size_t i = 0; i < all; ++i) {
      APFloat source(*f.semantics, APInt(16, i));
      if (source.isNaN()) {
        ASSERT_EQ(got[i].state, State::Unknown) << f.name << ' ' << i;
        continue;
      }
      bool exact;
      source.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
      double x = std::min(std::fabs(source.convertToDouble()), 8.0); // beyond 6 anyway
      size_t best = 0;
      for (size_t k = 1; k < 8; ++k)
        if (double now = std::fabs(x - values[k]), before = std::fabs(x - values[best]);
            now < before || (now == before && k % 2 == 0))
          best = k;
      double want = source.isInfinity() ? 6 : values[best];
      ASSERT_EQ(got[i].bits,
                std::bit_cast<uint32_t>(static_cast<float>(source.isNegative() ? -want : want)))
          << f.name << ' ' << i;
    }
  }
}

/// Powers of two from every f16 and bf16; what is not one of their range is unspecified.
// [spec: conv-ftof-power, type-e8m0]
TEST(ExhaustiveTest, ConversionsToPowersOfTwoOnAllPatterns) {
  for (const SmallFloat &f : smallFloats)
    for (bool up : {false, true}) {
      std::vector<Element> got =
          results(everyPattern(f) + "%r = ftof %a rounding<" + (up ? "positive_inf" : "zero") +
                      "> : tile<65536x" + f.name + "> -> tile<65536xf8E8M0FNU>\n",
                  "f8E8M0FNU", ElementType::F8E8M0FNU);
      ASSERT_EQ(got.size(), all);
      for (size_t i = 0; i < all; ++i) {
        APFloat source(*f.semantics, APInt(16, i));
        bool exact;
        source.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
        double x = source.convertToDouble();
        if (std::isnan(x)) {
          ASSERT_EQ(got[i].state, State::NaN) << f.name << ' ' << i;
          continue;
        }
        bool valid = x >= 0x1p-127 && x <= 0x1p127;
        ASSERT_EQ(got[i].state, valid ? State::Known : State::Unknown) << f.name << ' ' << i;
        if (!valid)
          continue;
        uint64_t pattern = 0; // the last power that is not above x, or the first not below it
        while (std::ldexp(1.0, static_cast<int>(pattern) - 127) < x)
          ++pattern;
        if (!up && std::ldexp(1.0, static_cast<int>(pattern) - 127) > x)
          --pattern;
        ASSERT_EQ(got[i].bits, pattern) << f.name << ' ' << i;
      }
    }
}

struct ByteFloat {
  const char *name;
  ElementType type;
  const llvm::fltSemantics *semantics;
};
const ByteFloat byteFloats[] = {{"f8E4M3FN", ElementType::F8E4M3FN, &APFloat::Float8E4M3FN()},
                                {"f8E5M2", ElementType::F8E5M2, &APFloat::Float8E5M2()},
                                {"f8E8M0FNU", ElementType::F8E8M0FNU, &APFloat::Float8E8M0FNU()}};

/// %a : the 256 patterns of an 8-bit float, again and again.
std::string everyByte(const ByteFloat &f) {
  return std::string("%b = trunci %i : tile<65536xi32> -> tile<65536xi8>\n%a = bitcast %b : "
                     "tile<65536xi8> -> tile<65536x") +
         f.name + ">\n";
}

// [spec: conv-ftof-widen, type-e4m3, type-e5m2]
TEST(ExhaustiveTest, ConversionsOfAllSmallFloats) {
  const ByteFloat targets[] = {{"f16", ElementType::F16, &APFloat::IEEEhalf()},
                               {"bf16", ElementType::BF16, &APFloat::BFloat()},
                               {"f32", ElementType::F32, &APFloat::IEEEsingle()},
                               {"tf32", ElementType::TF32, &APFloat::IEEEsingle()},
                               {"f64", ElementType::F64, &APFloat::IEEEdouble()},
                               byteFloats[0],
                               byteFloats[1]};
  for (const ByteFloat &s : byteFloats)
    for (const ByteFloat &t : targets) {
      if (s.type == t.type)
        continue;
      std::vector<Element> got = results(everyByte(s) + "%r = ftof %a : tile<65536x" + s.name +
                                             "> -> tile<65536x" + t.name + ">\n",
                                         t.name, t.type);
      ASSERT_EQ(got.size(), all);
      for (size_t i = 0; i < all; ++i) {
        APFloat source(*s.semantics, APInt(8, i & 255)), want = source;
        bool exact;
        want.convert(*t.semantics, APFloat::rmNearestTiesToEven, &exact);
        if (source.isNaN()) {
          ASSERT_EQ(got[i].state, State::NaN) << s.name << " to " << t.name << ' ' << i;
          continue;
        }
        if (bytesOf(t.type) == 1 && !want.isFinite())
          want = APFloat::getLargest(*t.semantics, source.isNegative());
        ASSERT_EQ(got[i].bits, want.bitcastToAPInt().getZExtValue())
            << s.name << " to " << t.name << ' ' << i;
      }
    }
}

/// Small floats to integers, and all bytes to small floats.
TEST(ExhaustiveTest, SmallFloatsAndBytes) {
  for (const ByteFloat &f : byteFloats)
    for (bool isSigned : {false, true}) {
      std::string sign = isSigned ? "signed" : "unsigned";
      std::vector<Element> got = results(everyByte(f) + "%r = ftoi %a " + sign + " : tile<65536x" +
                                             f.name + "> -> tile<65536xi8>\n",
                                         "i8", ElementType::I8);
      ASSERT_EQ(got.size(), all);
      for (size_t i = 0; i < 256; ++i) {
        llvm::APSInt want(8, !isSigned);
        bool exact;
        bool valid =
            APFloat(*f.semantics, APInt(8, i))
                .convertToInteger(want, APFloat::rmTowardZero, &exact) != APFloat::opInvalidOp;
        ASSERT_EQ(got[i].state, valid ? State::Known : State::Unknown) << f.name << ' ' << i;
        if (valid)
          ASSERT_EQ(got[i].bits, want.getZExtValue()) << f.name << ' ' << i;
      }
      if (f.type == ElementType::F8E8M0FNU)
        continue; // the verifier refuses integers
      got = results("%b = trunci %i : tile<65536xi32> -> tile<65536xi8>\n%r = itof %b " + sign +
                        " : tile<65536xi8> -> tile<65536x" + f.name + ">\n",
                    f.name, f.type);
      ASSERT_EQ(got.size(), all);
      for (size_t i = 0; i < 256; ++i) {
        APFloat want(*f.semantics);
        want.convertFromAPInt(APInt(8, i), isSigned, APFloat::rmNearestTiesToEven);
        ASSERT_EQ(got[i].bits, want.bitcastToAPInt().getZExtValue()) << f.name << ' ' << i;
      }
    }
}

// [spec: conv-ftof-round]
TEST(ExhaustiveTest, RoundedConversionsOnAllPatterns) {
  for (auto [text, mode] : {std::pair("nearest_even", APFloat::rmNearestTiesToEven),
                            {"zero", APFloat::rmTowardZero}}) { // all that the verifier admits
    const SmallFloat &f = smallFloats[1], &t = smallFloats[0];  // bf16 to f16 loses exponents
    std::vector<Element> got = results(everyPattern(f) + "%r = ftof %a rounding<" + text +
                                           "> : tile<65536xbf16> -> tile<65536xf16>\n",
                                       t.name, t.type);
    ASSERT_EQ(got.size(), all);
    for (size_t i = 0; i < all; ++i) {
      APFloat want(*f.semantics, APInt(16, i));
      bool exact, isNaN = want.isNaN();
      want.convert(*t.semantics, mode, &exact);
      if (isNaN)
        ASSERT_EQ(got[i].state, State::NaN) << text << ' ' << i;
      else
        ASSERT_EQ(got[i].bits, want.bitcastToAPInt().getZExtValue()) << text << ' ' << i;
    }
  }
}

TEST(ExhaustiveTest, FloatsToIntegersOnAllPatterns) {
  struct Target {
    const char *name;
    ElementType type;
    unsigned width;
  };
  for (const Target &t : {Target{"i8", ElementType::I8, 8}, Target{"i16", ElementType::I16, 16},
                          Target{"i32", ElementType::I32, 32}, Target{"i64", ElementType::I64, 64}})
    for (const SmallFloat &f : smallFloats)
      for (int form = 0; form < 4; ++form) {
        bool isSigned = form & 1, saturates = form & 2;
        std::vector<Element> got =
            results(everyPattern(f) + "%r = ftoi %a " + (isSigned ? "signed" : "unsigned") +
                        (saturates ? " saturating" : "") + " : tile<65536x" + f.name +
                        "> -> tile<65536x" + t.name + ">\n",
                    t.name, t.type);
        ASSERT_EQ(got.size(), all);
        for (size_t i = 0; i < all; ++i) {
          APFloat source(*f.semantics, APInt(16, i));
          llvm::APSInt want(t.width, !isSigned);
          bool exact; // APFloat saturates, and makes 0 of a NaN
          bool valid = source.convertToInteger(want, APFloat::rmTowardZero, &exact) !=
                           APFloat::opInvalidOp ||
                       saturates;
          ASSERT_EQ(got[i].state, valid ? State::Known : State::Unknown) << f.name << ' ' << i;
          if (valid)
            ASSERT_EQ(got[i].bits, want.getZExtValue()) << f.name << ' ' << i;
        }
      }
}

TEST(ExhaustiveTest, IntegersToFloatsOnAllPatterns) {
  const SmallFloat targets[] = {smallFloats[0],
                                smallFloats[1],
                                {"f32", ElementType::F32, &APFloat::IEEEsingle(), 24, -126, 127},
                                {"f64", ElementType::F64, &APFloat::IEEEdouble(), 53, -1022, 1023}};
  for (const SmallFloat &f : targets)
    for (bool isSigned : {false, true}) {
      std::vector<Element> got = results(
          std::string("%w = trunci %i : tile<65536xi32> -> tile<65536xi16>\n%r = itof %w ") +
              (isSigned ? "signed" : "unsigned") + " : tile<65536xi16> -> tile<65536x" + f.name +
              ">\n",
          f.name, f.type);
      ASSERT_EQ(got.size(), all);
      for (size_t i = 0; i < all; ++i) {
        APFloat want(*f.semantics);
        want.convertFromAPInt(APInt(16, i), isSigned, APFloat::rmNearestTiesToEven);
        ASSERT_EQ(got[i].bits, want.bitcastToAPInt().getZExtValue()) << f.name << ' ' << i;
      }
    }
}

} // namespace
