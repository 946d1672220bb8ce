//===- SassRareFormsTest.cpp - forms that hunts met in few programs of others -----------------===//
//
// Products of halves by bytes, products and sums of halves that are not negative, the least of three pairs of halves, tanh of subnormal numbers, a
// product of f64 with a magnitude, reductions of boxes and
// of bulks in global memory. PTX says what each leaves; ptxas makes the form of it at -O3.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Cubin.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <bit>
#include <cmath>
#include <random>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr const char *kStored = "rare.sm_90.O3.cubin";

// ---- arithmetic: %x, %y, %z of 32 bits; %f, %g, %h of f64; %w or %e is the result ----

struct Form {
  const char *body;
  uint64_t (*expected)(uint32_t x, uint32_t y, uint32_t z, const double *f);
};

/// `Up`: of the upper two bytes.
template <typename Half, typename Byte, bool Up>
uint64_t dot(uint32_t x, uint32_t y, uint32_t z, const double *) {
  for (int k = 0; k < 2; ++k)
    z += static_cast<uint32_t>(int{static_cast<Half>(x >> (16 * k))} *
                               int{static_cast<Byte>(y >> (16 * Up + 8 * k))});
  return z;
}

template <typename Half, const Half &choose(const Half &, const Half &)>
uint64_t ofHalves(uint32_t x, uint32_t y, uint32_t z, const double *) {
  uint32_t out = 0;
  for (int k = 0; k < 32; k += 16)
    out |= uint32_t{static_cast<uint16_t>(
               choose(choose(static_cast<Half>(x >> k), static_cast<Half>(y >> k)),
                      static_cast<Half>(z >> k)))}
           << k;
  return out;
}

uint64_t positiveHalves(uint32_t x, uint32_t y, uint32_t z, const double *) {
  uint32_t out = 0;
  for (unsigned k = 0; k < 32; k += 16) {
    auto half = [k](uint32_t bits) { return emulator::decode(bits >> k & 0xbfff, emulator::kF16); };
    const double value = half(x) * half(y) + half(z); // exact: numbers below 2
    out |= (value > 0 ? emulator::encode(value, emulator::kF16) : 0u) << k;
  }
  return out;
}

const Form kForms[] = {
    {"dp2a.lo.s32.s32 %w, %x, %y, %z;", dot<int16_t, int8_t, false>},
    {"dp2a.lo.u32.u32 %w, %x, %y, %z;", dot<uint16_t, uint8_t, false>},
    {"dp2a.hi.s32.u32 %w, %x, %y, %z;", dot<int16_t, uint8_t, true>},
    {"dp2a.hi.u32.s32 %w, %x, %y, %z;", dot<uint16_t, int8_t, true>},
    {"min.u16x2 %w, %x, %y; min.u16x2 %w, %w, %z;", ofHalves<uint16_t, std::min<uint16_t>>},
    {"min.s16x2 %w, %x, %y; min.s16x2 %w, %w, %z;", ofHalves<int16_t, std::min<int16_t>>},
    {"max.s16x2 %w, %x, %y; max.s16x2 %w, %w, %z;", ofHalves<int16_t, std::max<int16_t>>},
    {"min.s32 %w, %x, %y; min.s32 %w, %w, %z;",
     [](uint32_t x, uint32_t y, uint32_t z, const double *) {
       const auto least =
           std::min({static_cast<int32_t>(x), static_cast<int32_t>(y), static_cast<int32_t>(z)});
       return uint64_t{static_cast<uint32_t>(least)};
     }},
    {"and.b32 %x, %x, 0x807fffff; tanh.approx.f32 %w, %x;",
     [](uint32_t x, uint32_t, uint32_t, const double *) { return uint64_t{x & 0x807fffff}; }},
    {"and.b32 %x, %x, 0xbfffbfff; and.b32 %y, %y, 0xbfffbfff; and.b32 %z, %z, 0xbfffbfff;\n"
     "fma.rn.relu.f16x2 %w, %x, %y, %z;",
     positiveHalves},
    {"abs.f64 %g, %g; fma.rn.f64 %e, %f, %g, %h;",
     [](uint32_t, uint32_t, uint32_t, const double *f) {
       return std::bit_cast<uint64_t>(std::fma(f[0], std::fabs(f[1]), f[2]));
     }},
    {"abs.f64 %f, %f; neg.f64 %g, %g; fma.rn.f64 %e, %f, %g, %h;",
     [](uint32_t, uint32_t, uint32_t, const double *f) {
       return std::bit_cast<uint64_t>(std::fma(std::fabs(f[0]), -f[1], f[2]));
     }},
};

// ---- reductions ----

enum Element { U32 = 2, S32, U64, S64, F16, F32, BF16 = 10 }; // as a tensor map names them
constexpr const char *kOps[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};

constexpr Element kElements[] = {U32, S32, U64, S64, F16, F32, BF16};

/// Which reductions the device has, of what PTX has.
bool isDefined(unsigned op, Element element) {
  const bool isFloat = element >= F16, counts = op == 3 || op == 4;
  return !(isFloat && op != 0) && !(counts && element != U32);
}

/// How PTX names the type of a bulk reduction; of bits signed types have no form of their own.
const char *bulkType(unsigned op, Element element) {
  const bool isOfBits = op >= 5;
  switch (element) {
  case U32:
    return isOfBits ? "b32" : "u32";
  case S32:
    return isOfBits ? "b32" : "s32";
  case U64:
    return isOfBits ? "b64" : "u64";
  case S64:
    return isOfBits ? "b64" : op == 0 ? "u64" : "s64";
  case F16:
    return "noftz.f16";
  case F32:
    return "f32";
  default:
    return "noftz.bf16";
  }
}

unsigned sizeOf(Element element) {
  return element == U64 || element == S64 ? 8 : element == F16 || element == BF16 ? 2 : 4;
}

uint64_t encodeElement(Element element, int64_t value) {
  const auto number = static_cast<double>(value);
  switch (element) {
  case F16:
    return emulator::encode(number, emulator::kF16);
  case BF16:
    return emulator::encode(number, emulator::kBF16);
  case F32:
    return std::bit_cast<uint32_t>(static_cast<float>(number));
  case U32:
  case S32:
    return static_cast<uint32_t>(value);
  default:
    return static_cast<uint64_t>(value);
  }
}

/// Of numbers that every type has, negative ones of signed types alone.
int64_t reduced(unsigned op, int64_t old, int64_t operand) {
  switch (op) {
  case 0:
    return old + operand;
  case 1:
    return std::min(old, operand);
  case 2:
    return std::max(old, operand);
  case 3:
    return old >= operand ? 0 : old + 1;
  case 4:
    return old == 0 || old > operand ? operand : old - 1;
  case 5:
    return old & operand;
  case 6:
    return old | operand;
  default:
    return old ^ operand;
  }
}

std::string text() {
  std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                     ".visible .entry arithmetic(.param .u64 in, .param .u64 out) .maxntid 32 {\n"
                     ".reg .b64 %in, %out, %d; .reg .b32 %t, %x, %y, %z, %w, %x0, %y0, %z0;\n"
                     ".reg .f64 %e, %f, %g, %h, %f0, %g0, %h0;\n"
                     "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
                     "mad.wide.u32 %in, %t, 40, %in; ld.global.b32 %x0, [%in];\n"
                     "ld.global.b32 %y0, [%in+4]; ld.global.b32 %z0, [%in+8];\n"
                     "ld.global.f64 %f0, [%in+16]; ld.global.f64 %g0, [%in+24];\n"
                     "ld.global.f64 %h0, [%in+32];\n";
  text += llvm::formatv("mad.wide.u32 %out, %t, {0}, %out;\n", 8 * std::size(kForms));
  for (size_t n = 0; n < std::size(kForms); ++n) {
    const std::string body = kForms[n].body;
    const bool isDouble = body.find("%e") != std::string::npos;
    text += "mov.b32 %x, %x0; mov.b32 %y, %y0; mov.b32 %z, %z0;\n"
            "mov.f64 %f, %f0; mov.f64 %g, %g0; mov.f64 %h, %h0;\n" +
            body + (isDouble ? " mov.b64 %d, %e;\n" : " cvt.u64.u32 %d, %w;\n") +
            llvm::formatv("st.global.b64 [%out+{0}], %d;\n", 8 * n).str();
  }
  text += "ret; }\n"
          // Fragments of lane l: A two words, B one, C two; D of A B, of -A B and of A -B.
          ".visible .entry products(.param .u64 in, .param .u64 out) .maxntid 32 {\n"
          ".reg .b64 %in, %out; .reg .b32 %t, %a<2>, %b, %c<2>, %d<2>, %n<2>;\n"
          "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
          "mad.wide.u32 %in, %t, 20, %in; mad.wide.u32 %out, %t, 24, %out;\n"
          "ld.global.b32 %a0, [%in]; ld.global.b32 %a1, [%in+4]; ld.global.b32 %b, [%in+8];\n"
          "ld.global.b32 %c0, [%in+12]; ld.global.b32 %c1, [%in+16];\n";
  for (unsigned n = 0; n < 3; ++n) {
    text += n == 1   ? "neg.f16x2 %n0, %a0; neg.f16x2 %n1, %a1;\n"
            : n == 2 ? "neg.f16x2 %n0, %b;\n"
                     : "";
    text += llvm::formatv(
        false,
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {{%d0, %d1}, {0}, {1}, {{%c0, %c1};\n"
        "st.global.b32 [%out+{2}], %d0; st.global.b32 [%out+{3}], %d1;\n",
        n == 1 ? "{%n0, %n1}" : "{%a0, %a1}", n == 2 ? "{%n0}" : "{%b}", 8 * n, 8 * n + 4);
  }
  text += "ret; }\n"
          // A (16 x 4), B (4 x 8) and C of tf32: two words, one, four.
          ".visible .entry narrow(.param .u64 in, .param .u64 out) .maxntid 32 {\n"
          ".reg .b64 %in, %out; .reg .b32 %t, %a<2>, %b; .reg .f32 %c<4>, %d<4>;\n"
          "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
          "mad.wide.u32 %in, %t, 28, %in; mad.wide.u32 %out, %t, 16, %out;\n"
          "ld.global.b32 %a0, [%in]; ld.global.b32 %a1, [%in+4]; ld.global.b32 %b, [%in+8];\n"
          "ld.global.f32 %c0, [%in+12]; ld.global.f32 %c1, [%in+16];\n"
          "ld.global.f32 %c2, [%in+20]; ld.global.f32 %c3, [%in+24];\n"
          "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1},\n"
          "  {%b}, {%c0, %c1, %c2, %c3};\n"
          "st.global.f32 [%out], %d0; st.global.f32 [%out+4], %d1;\n"
          "st.global.f32 [%out+8], %d2; st.global.f32 [%out+12], %d3; ret; }\n";
  for (const char *op : kOps)
    text += llvm::formatv(
        false,
        ".visible .entry reduce_{0}(.param .u64 map, .param .u64 in, .param .u32 column,\n"
        ".param .u32 row) .maxntid 32 {{\n"
        ".shared .align 128 .b8 box[128]; .reg .b64 %m, %in; .reg .b32 %t, %s, %v, %c, %r;\n"
        ".reg .pred %p; ld.param.u64 %m, [map]; ld.param.u64 %in, [in];\n"
        "ld.param.u32 %c, [column]; ld.param.u32 %r, [row]; mov.u32 %t, %tid.x;\n"
        "mad.wide.u32 %in, %t, 4, %in; ld.global.b32 %v, [%in]; mov.u32 %s, box;\n"
        "mad.lo.u32 %t, %t, 4, %s; st.shared.b32 [%t], %v; fence.proxy.async;\n"
        "bar.sync 0; setp.ne.u32 %p, %t, %s; @%p bra DONE;\n"
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.{0}.tile.bulk_group\n"
        "  [%m, {{%c, %r}], [%s];\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nDONE: ret; }\n",
        op);
  for (unsigned op = 0; op < std::size(kOps); ++op)
    for (Element element : kElements)
      if (isDefined(op, element))
        text += llvm::formatv(
            false,
            ".visible .entry bulk_{0}_{1}(.param .u64 out, .param .u64 in) .maxntid 32 {{\n"
            ".shared .align 128 .b8 box[128]; .reg .b64 %o, %in; .reg .b32 %t, %s, %v;\n"
            ".reg .pred %p; ld.param.u64 %o, [out]; ld.param.u64 %in, [in]; mov.u32 %t, %tid.x;\n"
            "mad.wide.u32 %in, %t, 4, %in; ld.global.b32 %v, [%in]; mov.u32 %s, box;\n"
            "mad.lo.u32 %t, %t, 4, %s; st.shared.b32 [%t], %v; fence.proxy.async;\n"
            "bar.sync 0; setp.ne.u32 %p, %t, %s; @%p bra DONE;\n"
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.{0}.{2} [%o], [%s], 112;\n"
            "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nDONE: ret; }\n",
            kOps[op], unsigned{element}, bulkType(op, element));
  return text;
}

// ---- checks: what is wrong, or nothing ----

/// One warp, with a record of each buffer for each lane.
template <typename In, typename Out>
Report launchWarp(Program &program, const char *kernel, std::vector<In> &in,
                  std::vector<Out> &out) {
  program.clearRanges();
  program.addRange(in.data(), in.size() * sizeof(In), "in");
  program.addRange(out.data(), out.size() * sizeof(Out), "out");
  LaunchConfig config;
  config.block = {32, 1, 1};
  return program.launch(kernel, config, {argument(in.data()), argument(out.data())});
}

std::string checkArithmetic(Program &program) {
  struct alignas(8) Lane {
    uint32_t x, y, z, rest;
    double f[3];
  };
  std::mt19937 random(7);
  std::vector<Lane> in(32);
  std::vector<std::array<uint64_t, std::size(kForms)>> out(32);
  for (Lane &lane : in) {
    lane = {static_cast<uint32_t>(random()),
            static_cast<uint32_t>(random()),
            static_cast<uint32_t>(random()),
            0,
            {}};
    for (double &f : lane.f)
      f = (static_cast<int>(random() % 2001) - 1000) / 7.0;
  }
  const Report report = launchWarp(program, "arithmetic", in, out);
  if (!report.ok())
    return report.message;
  for (size_t l = 0; l < 32; ++l)
    for (size_t n = 0; n < std::size(kForms); ++n)
      if (const uint64_t want = kForms[n].expected(in[l].x, in[l].y, in[l].z, in[l].f);
          out[l][n] != want)
        return llvm::formatv("{0} lane {1}: expected {2:x}, found {3:x}", kForms[n].body, l, want,
                             out[l][n]);
  return "";
}

/// `signs`: of A B in each of the three results.
std::string checkProducts(Program &program, std::array<int, 3> signs = {1, -1, -1}) {
  // A(r, k), B(k, c), C(r, c): small numbers, so that every order of sums gives the same.
  auto a = [](unsigned r, unsigned k) { return static_cast<int>(3 * r + 5 * k) % 7 - 3; };
  auto b = [](unsigned k, unsigned c) { return static_cast<int>(2 * k + 3 * c) % 5 - 2; };
  auto c = [](unsigned r, unsigned n) { return static_cast<int>(r + 2 * n) % 9 - 4; };
  auto pair = [](int low, int high) {
    return emulator::encode(low, emulator::kF16) | emulator::encode(high, emulator::kF16) << 16;
  };
  std::vector<std::array<uint32_t, 5>> in(32);
  std::vector<std::array<uint32_t, 6>> out(32);
  for (unsigned l = 0; l < 32; ++l) {
    const unsigned g = l / 4, t = 2 * (l % 4);
    in[l] = {pair(a(g, t), a(g, t + 1)), pair(a(g + 8, t), a(g + 8, t + 1)),
             pair(b(t, g), b(t + 1, g)), pair(c(g, t), c(g, t + 1)),
             pair(c(g + 8, t), c(g + 8, t + 1))};
  }
  const Report report = launchWarp(program, "products", in, out);
  if (!report.ok())
    return report.message;
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned n = 0; n < 6; ++n) {
      const unsigned row = l / 4 + 8 * (n & 1), column = 2 * (l % 4);
      int sums[2];
      for (unsigned e = 0; e < 2; ++e) {
        int product = 0;
        for (unsigned k = 0; k < 8; ++k)
          product += a(row, k) * b(k, column + e);
        sums[e] = c(row, column + e) + signs[n / 2] * product;
      }
      if (const uint32_t want = pair(sums[0], sums[1]); out[l][n] != want)
        return llvm::formatv("product {0} lane {1}: expected {2:x}, found {3:x}", n, l, want,
                             out[l][n]);
    }
  return "";
}

/// A product of 16 x 4 by 4 x 8 small numbers.
std::string checkNarrow(Program &program) {
  auto a = [](unsigned r, unsigned k) { return static_cast<float>(3 * r + 5 * k) - 9; };
  auto b = [](unsigned k, unsigned c) { return static_cast<float>(7 * k + 2 * c) - 4; };
  auto c = [](unsigned r, unsigned n) { return static_cast<float>(r + 16 * n); };
  std::vector<std::array<float, 7>> in(32);
  std::vector<std::array<float, 4>> out(32);
  for (unsigned l = 0; l < 32; ++l) {
    const unsigned g = l / 4, t = l % 4;
    in[l] = {a(g, t),         a(g + 8, t),        b(t, g), c(g, 2 * t), c(g, 2 * t + 1),
             c(g + 8, 2 * t), c(g + 8, 2 * t + 1)};
  }
  const Report report = launchWarp(program, "narrow", in, out);
  if (!report.ok())
    return report.message;
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned n = 0; n < 4; ++n) {
      const unsigned row = l / 4 + 8 * (n >> 1), column = 2 * (l % 4) + (n & 1);
      float want = c(row, column);
      for (unsigned k = 0; k < 4; ++k)
        want += a(row, k) * b(k, column);
      if (out[l][n] != want)
        return llvm::formatv("narrow product, lane {0}: expected {1}, found {2}", l, want,
                             out[l][n]);
    }
  return "";
}

/// A matrix of 3 rows by `columns`, from which the box of 2 rows by 16 bytes at the last row and the
/// column before the last one sticks out.
std::string checkReduction(Program &program, unsigned op, Element element) {
  const unsigned size = sizeOf(element), columns = 16, rows = 3, boxColumns = 16 / size;
  alignas(64) uint8_t map[128] = {};
  auto put = [&map](unsigned at, uint32_t word) { std::memcpy(map + at, &word, 4); };
  std::vector<uint8_t> memory(rows * columns * size), before, box(128);
  const int64_t bias = element == U32 || element == U64 || op >= 3 ? 0 : 9;
  auto olds = [&](unsigned n) { return static_cast<int64_t>(5 * n % 23) - bias; };
  auto operands = [&](unsigned n) { return static_cast<int64_t>(7 * n % 19) - bias; };
  auto store = [&](std::vector<uint8_t> &bytes, unsigned n, int64_t value) {
    const uint64_t bits = encodeElement(element, value);
    std::memcpy(bytes.data() + size_t{n} * size, &bits, size);
  };
  for (unsigned n = 0; n < rows * columns; ++n)
    store(memory, n, olds(n));
  for (unsigned n = 0; n < 2 * boxColumns; ++n)
    store(box, n, operands(n));
  const uint8_t *address = memory.data();
  std::memcpy(map, &address, 8);
  put(8, 1u << 4 | unsigned{element} << 7);
  put(0x0c, columns * size >> 4);
  put(0x20, columns - 1), put(0x24, rows - 1);
  put(0x34, (boxColumns - 1) << 24), put(0x38, 1);
  before = memory;
  const unsigned column = columns - 2, row = rows - 1;
  for (unsigned n = 0; n < 2 * boxColumns; ++n) {
    const unsigned r = row + n / boxColumns, c = column + n % boxColumns, at = r * columns + c;
    if (r < rows && c < columns)
      store(before, at, reduced(op, olds(at), operands(n)));
  }
  program.clearRanges();
  program.addRange(map, sizeof map, "map");
  program.addRange(memory.data(), memory.size(), "memory");
  program.addRange(box.data(), box.size(), "box");
  LaunchConfig config;
  config.block = {32, 1, 1};
  const Report report = program.launch(std::string("reduce_") + kOps[op], config,
                                       {argument(static_cast<uint8_t *>(map)), argument(box.data()),
                                        argument(column), argument(row)});
  if (!report.ok())
    return report.message;
  return memory == before
             ? ""
             : llvm::formatv("{0} of element type {1}", kOps[op], unsigned{element}).str();
}

/// The first 112 of 128 bytes.
std::string checkBulkReduction(Program &program, unsigned op, Element element) {
  const unsigned size = sizeOf(element), count = 128 / size;
  const int64_t bias = element == U32 || element == U64 || op >= 3 ? 0 : 9;
  std::vector<uint8_t> memory(128), want, box(128);
  auto store = [&](std::vector<uint8_t> &bytes, unsigned n, int64_t value) {
    const uint64_t bits = encodeElement(element, value);
    std::memcpy(bytes.data() + size_t{n} * size, &bits, size);
  };
  for (unsigned n = 0; n < count; ++n)
    store(memory, n, int64_t{5 * n % 23} - bias), store(box, n, int64_t{7 * n % 19} - bias);
  want = memory;
  for (unsigned n = 0; n < 112 / size; ++n)
    store(want, n, reduced(op, int64_t{5 * n % 23} - bias, int64_t{7 * n % 19} - bias));
  program.clearRanges();
  program.addRange(memory.data(), memory.size(), "memory");
  program.addRange(box.data(), box.size(), "box");
  LaunchConfig config;
  config.block = {32, 1, 1};
  const std::string name = llvm::formatv("bulk_{0}_{1}", kOps[op], unsigned{element});
  const Report report =
      program.launch(name, config, {argument(memory.data()), argument(box.data())});
  return !report.ok() ? report.message : memory == want ? "" : name;
}

std::vector<std::string> checkReductions(Program &program) {
  std::vector<std::string> wrong;
  for (unsigned op = 0; op < std::size(kOps); ++op)
    for (Element element : kElements)
      if (isDefined(op, element))
        for (std::string why :
             {checkReduction(program, op, element), checkBulkReduction(program, op, element)})
          if (!why.empty())
            wrong.push_back(why);
  return wrong;
}

/// What is wrong in any of the kernels.
std::vector<std::string> checkAll(llvm::ArrayRef<uint8_t> cubin) {
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  std::vector<std::string> wrong = checkReductions(**program);
  for (std::string why :
       {checkArithmetic(**program), checkProducts(**program), checkNarrow(**program)})
    if (!why.empty())
      wrong.push_back(why);
  return wrong;
}

// ---- tests ----

TEST(SassRareFormsTest, DoWhatPtxSays) {
  checkAtBothLevels(text(), "sm_90a", kStored, [](llvm::ArrayRef<uint8_t> cubin) {
    EXPECT_THAT(checkAll(cubin), testing::IsEmpty());
  });
}

TEST(SassRareFormsTest, StoredCubinRunsWithoutCuda) {
  EXPECT_THAT(checkAll(readBytes(corpusFile(kStored))), testing::IsEmpty());
}

TEST(SassRareFormsTest, MinimaOfFloatsByATensorCopyAreRefused) {
  auto program = Program::create(readBytes(corpusFile(kStored)));
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  for (Element element : {F16, F32, BF16})
    EXPECT_THAT(checkReduction(**program, 1, element), testing::HasSubstr("unsupported"));
}

// Each row with a wrong function: the stored cubin must show it.
TEST(SassRareFormsTest, AWrongFunctionInARowShows) {
  static constexpr std::pair<const char *, Execute> kPlanted[] = {
      {"IDP.2A",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[0] ^= 1;
         executeIdp2(w, j);
       }},
      {"VIMNMX3",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[0] ^= 1;
         executeVimnmx3(w, j);
       }},
      {"DFMA",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.ops[2].absolute = false;
         executeDfma(w, j);
       }},
      {"HFMA2",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[3] = 0;
         executeHfma2(w, j);
       }},
      {"HMMA",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         if (i.mods[2] == 2) // the narrow one
           j.ops[2].negative = true;
         executeHmma(w, j);
       }},
      {"UTMAREDG", [](Warp &w, const Instruction &i) { executeUtmastg(w, i); }},
      {"UBLKRED", [](Warp &w, const Instruction &i) { executeBulkCopy(w, i); }},
  };
  const std::vector<uint8_t> cubin = readBytes(corpusFile(kStored));
  for (auto [name, wrong] : kPlanted) {
    PlantedRow planted(name, wrong);
    EXPECT_THAT(checkAll(cubin), testing::Not(testing::IsEmpty())) << name;
  }
}

} // namespace
