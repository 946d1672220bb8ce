// mma.sync on dense matrices, with the fragment layouts of the PTX ISA.
//
// Products of narrow floats are exact in double, and up to 32 of them are added to C in double
// before the one rounding to the result type. Data whose sums are exactly representable therefore
// match a real GPU bit for bit; elsewhere the GPU's own (undocumented) intermediate truncation
// differs within its documented accuracy.
#include "oracles/devices/emulator/Matrix.h"
#include "oracles/devices/emulator/Device.h"
#include "oracles/devices/emulator/Numeric.h"

#include "llvm/Support/FormatVariadic.h"

#include <immintrin.h>

namespace tilesmith::emulator {

using namespace matrix;

int matrix::widthOf(int element) {
  switch (element) {
  case F64:
    return 64;
  case TF32:
  case F32:
  case S32:
    return 32;
  case F16:
  case BF16:
    return 16;
  case S4:
  case U4:
  case E2M1Pair:
    return 4;
  case B1:
    return 1;
  default:
    return 8;
  }
}

bool matrix::isInteger(int element) {
  return element >= S8 && element <= U4;
}

void matrix::requireWholeWarp(const WarpCall &call) {
  if (call.lanes != ~0u)
    fatal(Report::Fault, llvm::formatv("matrix operation with lanes {0:x} only", call.lanes),
          call.siteId);
}

void matrix::startMultiplication(const WarpCall &call) {
  requireWholeWarp(call);
  ++Device::running()->report.counters.mmas;
}

double matrix::loadElement(const Frame &frame, int slot, int i, int type) {
  switch (type) {
  case F32:
    return frame.get<float>(slot + i);
  case S32:
    return frame.get<int32_t>(slot + i);
  case F64:
    return frame.get<double>(slot + i);
  default:
    return decode(frame.get<uint32_t>(slot + i / 2) >> (16 * (i & 1)) & 0xffff, kF16);
  }
}

void matrix::storeElement(Frame &frame, int i, int type, double value, bool saturate) {
  switch (type) {
  case F32:
    return frame.put(i, std::isnan(value) ? bitsTo<float>(0x7fffffffu) : static_cast<float>(value));
  case F64:
    return frame.put(i, value);
  case S32: {
    auto wide = static_cast<int64_t>(value);
    if (saturate)
      wide = std::clamp<int64_t>(wide, INT32_MIN, INT32_MAX);
    return frame.put(i, static_cast<int32_t>(wide));
  }
  default: {
    const auto half = static_cast<uint16_t>(encode(value, kF16));
    std::memcpy(reinterpret_cast<char *>(&frame) + 8 * (i / 2) + 2 * (i & 1), &half, 2);
  }
  }
}

namespace {

// variant of mma: M, N, K, A, B, C, D, saturate
struct Shape {
  int m, n, k, a, b, c, d;
  bool saturate;
  explicit Shape(const std::array<int, 8> &v)
      : m(v[0]), n(v[1]), k(v[2]), a(v[3]), b(v[4]), c(v[5]), d(v[6]), saturate(v[7]) {}
  static int perRegister(int element) { return element == F64 ? 1 : 32 / widthOf(element); }
  int aRegisters() const { return m * k / 32 / perRegister(a); }
  int bRegisters() const { return k * n / 32 / perRegister(b); }
};

// The registers of all lanes as raw matrices: A by rows, B by columns. Row groups of eight lanes
// share a row (A) or column (B); the four lanes of a group hold consecutive pieces along k, one
// register each, in element order, so every register is copied as it is. Registers alternate row
// halves first, then k halves.
struct RawOperands {
  alignas(32) uint8_t a[16][32], b[8][32];
};

template <typename Register> void gather(const WarpCall &call, const Shape &s, RawOperands &raw) {
  constexpr int kBytes = sizeof(Register);
  const int aRegs = s.aRegisters(), bRegs = s.bRegisters(), rowHalves = s.m / 8;
  for (int lane = 0; lane < 32; ++lane) {
    const Frame &frame = *call.frames[lane];
    const int group = lane >> 2, inGroup = lane & 3;
    for (int r = 0; r < aRegs; ++r) {
      const auto value = frame.get<Register>(r);
      const int row = group + (rowHalves == 2 ? 8 * (r & 1) : 0),
                piece = 4 * (rowHalves == 2 ? r >> 1 : r) + inGroup;
      std::memcpy(&raw.a[row][piece * kBytes], &value, kBytes);
    }
    for (int r = 0; r < bRegs; ++r) {
      const auto value = frame.get<Register>(aRegs + r);
      std::memcpy(&raw.b[group][(4 * r + inGroup) * kBytes], &value, kBytes);
    }
  }
}

template <const Format &F> const double *decoded() {
  static const std::vector<double> *table = [] {
    auto *values = new std::vector<double>(size_t{1} << F.width());
    for (size_t i = 0; i < values->size(); ++i)
      (*values)[i] = decode(static_cast<uint32_t>(i), F);
    return values;
  }();
  return table->data();
}

#if defined(__x86_64__)
#define TILESMITH_FAST __attribute__((target("avx2,fma,f16c")))
#else
#define TILESMITH_FAST
#endif

} // namespace

TILESMITH_FAST void matrix::convertRow(const uint8_t *raw, int type, int count, double *out) {
  switch (type) {
  case F16:
    for (int i = 0; i < count; i += 4) {
      const __m128i halves = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(raw + 2 * i));
      _mm256_storeu_pd(out + i, _mm256_cvtps_pd(_mm_cvtph_ps(halves)));
    }
    return;
  case BF16:
    for (int i = 0; i < count; ++i) {
      uint16_t bits;
      std::memcpy(&bits, raw + 2 * i, 2);
      out[i] = bitsTo<float>(static_cast<uint32_t>(bits) << 16);
    }
    return;
  case TF32:
    for (int i = 0; i < count; ++i) {
      uint32_t bits;
      std::memcpy(&bits, raw + 4 * i, 4);
      out[i] = bitsTo<float>(bits & 0xffffe000u);
    }
    return;
  case E4M3:
  case E5M2: {
    const double *table = type == E4M3 ? decoded<kE4M3>() : decoded<kE5M2>();
    for (int i = 0; i < count; ++i)
      out[i] = table[raw[i]];
    return;
  }
  case E2M1:
  case E3M2:
  case E2M3: {
    const double *table = type == E2M1   ? decoded<kE2M1>()
                          : type == E3M2 ? decoded<kE3M2>()
                                         : decoded<kE2M3>();
    for (int i = 0; i < count; ++i)
      out[i] = table[type == E2M1 ? raw[i] >> 2 & 15 : raw[i] & 63];
    return;
  }
  case E2M1Pair: {
    const double *table = decoded<kE2M1>();
    for (int i = 0; i < count; ++i)
      out[i] = table[raw[i / 2] >> (4 * (i & 1)) & 15];
    return;
  }
  case S8:
    for (int i = 0; i < count; ++i)
      out[i] = static_cast<int8_t>(raw[i]);
    return;
  case U8:
    for (int i = 0; i < count; ++i)
      out[i] = raw[i];
    return;
  case S4:
    for (int i = 0; i < count; ++i)
      out[i] = static_cast<int8_t>(static_cast<uint8_t>(raw[i / 2] >> (4 * (i & 1)) << 4)) >> 4;
    return;
  case U4:
    for (int i = 0; i < count; ++i)
      out[i] = raw[i / 2] >> (4 * (i & 1)) & 15;
    return;
  }
}

namespace {

// The same sums with twice the width.
#if defined(__x86_64__)
__attribute__((target("avx512f,avx512dq"))) void
multiplyTilesWide(double *acc, const double *a, const double *b, int tiles, int k) {
  for (int tile = 0; tile < tiles; ++tile, acc += 128, b += 8 * k)
    for (int group = 0; group < 8; group += 4) {
      __m512d sum[2][4];
      for (int i = 0; i < 2; ++i)
        for (int t = 0; t < 4; ++t) {
          const double *from = acc + 16 * (group + 2 * i) + 4 * t;
          sum[i][t] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(from)),
                                         _mm256_load_pd(from + 16), 1);
        }
      for (int p = 0; p < k; ++p) {
        const __m512d first = _mm512_loadu_pd(a + 32 * p + 4 * group),
                      second = _mm512_loadu_pd(a + 32 * p + 4 * group + 8);
        for (int t = 0; t < 4; ++t) {
          const __m512d columns = _mm512_broadcast_f64x2(_mm_load_pd(b + 8 * p + 2 * t));
          sum[0][t] = _mm512_fmadd_pd(first, columns, sum[0][t]);
          sum[1][t] = _mm512_fmadd_pd(second, columns, sum[1][t]);
        }
      }
      for (int i = 0; i < 2; ++i)
        for (int t = 0; t < 4; ++t) {
          double *to = acc + 16 * (group + 2 * i) + 4 * t;
          _mm256_store_pd(to, _mm512_castpd512_pd256(sum[i][t]));
          _mm256_store_pd(to + 16, _mm512_extractf64x4_pd(sum[i][t], 1));
        }
    }
}
__attribute__((target("avx512f,avx512dq,avx512vl"))) void
loadFloatsWide(const WarpCall &call, int slot, int tiles, double *acc) {
  for (int lane = 0; lane < 32; ++lane) {
    const char *from = reinterpret_cast<const char *>(call.frames[lane]) + 8 * slot;
    double *to = acc + 4 * lane;
    for (int tile = 0; tile < tiles; tile += 2) {
      const __m512d values = _mm512_cvtps_pd(
          _mm256_castsi256_ps(_mm512_cvtepi64_epi32(_mm512_loadu_si512(from + 32 * tile))));
      _mm256_store_pd(to + 128 * tile, _mm512_castpd512_pd256(values));
      _mm256_store_pd(to + 128 * tile + 128, _mm512_extractf64x4_pd(values, 1));
    }
  }
}
__attribute__((target("avx512f,avx512dq,avx512vl"))) void
storeFloatsWide(const WarpCall &call, int tiles, const double *acc) {
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
  for (int lane = 0; lane < 32; ++lane) {
    char *to = reinterpret_cast<char *>(call.frames[lane]);
    const double *from = acc + 4 * lane;
    for (int tile = 0; tile < tiles; tile += 2) {
      const __m256 narrow = _mm512_cvtpd_ps(
          _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(from + 128 * tile)),
                             _mm256_load_pd(from + 128 * tile + 128), 1));
      const __m256 clean =
          _mm256_blendv_ps(narrow, nan, _mm256_cmp_ps(narrow, narrow, _CMP_UNORD_Q));
      _mm512_storeu_si512(to + 32 * tile, _mm512_cvtepu32_epi64(_mm256_castps_si256(clean)));
    }
  }
}
const bool hasWide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512vl");
#endif

} // namespace

TILESMITH_FAST void matrix::multiplyTiles(double *acc, const double *a, const double *b, int tiles,
                                          int k) {
#if defined(__x86_64__)
  if (hasWide)
    return multiplyTilesWide(acc, a, b, tiles, k);
#endif
  for (int tile = 0; tile < tiles; ++tile, acc += 128, b += 8 * k)
    for (int group = 0; group < 8; group += 2) { // eight sums hide the latency
      __m256d sum[2][4];
      for (int i = 0; i < 2; ++i)
        for (int t = 0; t < 4; ++t)
          sum[i][t] = _mm256_load_pd(acc + 16 * (group + i) + 4 * t);
      for (int p = 0; p < k; ++p) {
        const __m256d first = _mm256_load_pd(a + 32 * p + 4 * group),
                      second = _mm256_load_pd(a + 32 * p + 4 * group + 4);
        for (int t = 0; t < 4; ++t) {
          const __m256d columns =
              _mm256_broadcast_pd(reinterpret_cast<const __m128d *>(b + 8 * p + 2 * t));
          sum[0][t] = _mm256_fmadd_pd(first, columns, sum[0][t]);
          sum[1][t] = _mm256_fmadd_pd(second, columns, sum[1][t]);
        }
      }
      for (int i = 0; i < 2; ++i)
        for (int t = 0; t < 4; ++t)
          _mm256_store_pd(acc + 16 * (group + i) + 4 * t, sum[i][t]);
    }
}

void matrix::dealA(double *a, int row, const double *values, int k) {
  double *to = a + 4 * (row % 8) + 2 * (row / 8);
  for (int p = 0; p < k; ++p)
    to[32 * p] = to[32 * p + 1] = values[p];
}

void matrix::dealB(double *b, int column, const double *values, int k) {
  for (int p = 0; p < k; ++p)
    b[8 * p + column] = values[p];
}

TILESMITH_FAST void matrix::loadFloats(const WarpCall &call, int slot, int tiles, double *acc) {
#if defined(__x86_64__)
  if (hasWide && tiles % 2 == 0)
    return loadFloatsWide(call, slot, tiles, acc);
#endif
  const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
  for (int lane = 0; lane < 32; ++lane) {
    const char *from = reinterpret_cast<const char *>(call.frames[lane]) + 8 * slot;
    for (int tile = 0; tile < tiles; ++tile) {
      const __m256 slots = _mm256_loadu_ps(reinterpret_cast<const float *>(from + 32 * tile));
      _mm256_store_pd(acc + 128 * tile + 4 * lane, _mm256_cvtps_pd(_mm256_castps256_ps128(
                                                       _mm256_permutevar8x32_ps(slots, even))));
    }
  }
}

TILESMITH_FAST void matrix::storeFloats(const WarpCall &call, int tiles, const double *acc) {
#if defined(__x86_64__)
  if (hasWide && tiles % 2 == 0)
    return storeFloatsWide(call, tiles, acc);
#endif
  const __m128 nan = _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff));
  for (int lane = 0; lane < 32; ++lane) {
    char *to = reinterpret_cast<char *>(call.frames[lane]);
    for (int tile = 0; tile < tiles; ++tile) {
      const __m128 narrow = _mm256_cvtpd_ps(_mm256_load_pd(acc + 128 * tile + 4 * lane));
      const __m128 clean = _mm_blendv_ps(narrow, nan, _mm_cmpunord_ps(narrow, narrow));
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + 32 * tile),
                          _mm256_cvtepu32_epi64(_mm_castps_si128(clean)));
    }
  }
}

namespace {

// The lanes' C or D values: value i of a lane is at row group + 8 * (i / 2), column 2 * inGroup + i
// % 2.
template <typename F> void forEachResult(const Shape &s, F &&f) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < s.m / 4; ++i)
      f(lane, i, (lane >> 2) + 8 * (i >> 1), 2 * (lane & 3) + (i & 1));
}

// The four halves of two registers.
TILESMITH_FAST inline __m128 halvesOf(int type, int32_t first, int32_t second) {
  const __m128i halves = _mm_unpacklo_epi32(_mm_cvtsi32_si128(first), _mm_cvtsi32_si128(second));
  return type == F16 ? _mm_cvtph_ps(halves)
                     : _mm_castsi128_ps(_mm_unpacklo_epi16(_mm_setzero_si128(), halves));
}

// The operands of m16 shapes with 16-bit floats, straight from the registers.
TILESMITH_FAST void dealHalves(const WarpCall &call, const Shape &s, double *a, double *b) {
  const bool deep = s.k == 16;
  for (int lane = 0; lane < 32; ++lane) {
    const Frame &frame = *call.frames[lane];
    const int group = lane >> 2, at = 2 * (lane & 3);
    // Two row halves, then (k of 16) the same eight columns on; then B.
    const int aRegs = deep ? 4 : 2;
    for (int part = 0; part < aRegs / 2; ++part) {
      const __m256d values = _mm256_cvtps_pd(
          halvesOf(s.a, frame.get<int32_t>(2 * part), frame.get<int32_t>(2 * part + 1)));
      double *to = a + ((at + 8 * part) * 8 + group) * 4;
      _mm256_store_pd(to, _mm256_movedup_pd(values));
      _mm256_store_pd(to + 32, _mm256_permute_pd(values, 15));
    }
    const __m256d values = _mm256_cvtps_pd(
        halvesOf(s.b, frame.get<int32_t>(aRegs), deep ? frame.get<int32_t>(aRegs + 1) : 0));
    const __m128d low = _mm256_castpd256_pd128(values), high = _mm256_extractf128_pd(values, 1);
    double *to = b + at * 8 + group;
    _mm_store_sd(to, low), _mm_storeh_pd(to + 8, low);
    if (deep)
      _mm_store_sd(to + 64, high), _mm_storeh_pd(to + 72, high);
  }
}

void mmaNumbers(const WarpCall &call) {
  startMultiplication(call);
  const Shape s(call.site.op->variant);
  alignas(32) double a[64 * 32], b[64 * 8], acc[32][4];
  if (s.m == 16 && (s.a == F16 || s.a == BF16)) {
    dealHalves(call, s, a, b);
  } else {
    RawOperands raw;
    double values[64];
    gather<uint32_t>(call, s, raw);
    if (s.m == 8)
      std::fill_n(a, 32 * s.k, 0.0);
    for (int row = 0; row < s.m; ++row) {
      convertRow(raw.a[row], s.a, s.k, values);
      dealA(a, row, values, s.k);
    }
    for (int column = 0; column < 8; ++column) {
      convertRow(raw.b[column], s.b, s.k, values);
      dealB(b, column, values, s.k);
    }
  }
  const int slot = s.aRegisters() + s.bRegisters(), count = s.m / 4;
  if (s.c == F32) {
    loadFloats(call, slot, 1, acc[0]);
  } else {
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 4; ++i)
        acc[lane][i] = i < count ? loadElement(*call.frames[lane], slot, i, s.c) : 0.0;
  }
  multiplyTiles(acc[0], a, b, 1, s.k);
  if (s.d == F32) {
    storeFloats(call, 1, acc[0]);
  } else {
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < count; ++i)
        storeElement(*call.frames[lane], i, s.d, acc[lane][i], s.saturate);
  }
}

// Each step along k is one fused multiply-add.
void mmaDouble(const WarpCall &call) {
  startMultiplication(call);
  const Shape s(call.site.op->variant);
  const int aRegs = s.aRegisters(), bRegs = s.bRegisters();
  double a[16][16], b[16][8], acc[16][8];
  for (int lane = 0; lane < 32; ++lane) {
    const Frame &frame = *call.frames[lane];
    for (int r = 0; r < aRegs; ++r)
      a[(lane >> 2) + (s.m == 16 ? 8 * (r & 1) : 0)][(lane & 3) + 4 * (s.m == 16 ? r >> 1 : r)] =
          frame.get<double>(r);
    for (int r = 0; r < bRegs; ++r)
      b[(lane & 3) + 4 * r][lane >> 2] = frame.get<double>(aRegs + r);
  }
  forEachResult(s, [&](int lane, int i, int row, int column) {
    acc[row][column] = call.frames[lane]->get<double>(aRegs + bRegs + i);
  });
  for (int row = 0; row < s.m; ++row)
    for (int p = 0; p < s.k; ++p)
      for (int column = 0; column < 8; ++column)
        acc[row][column] = std::fma(a[row][p], b[p][column], acc[row][column]);
  forEachResult(s, [&](int lane, int i, int row, int column) {
    call.frames[lane]->put(i, acc[row][column]);
  });
}

// One-bit elements: D = C + number of bits set in A and B, or in A xor B. variant: ..., is xor
void mmaBits(const WarpCall &call) {
  startMultiplication(call);
  const Shape s(call.site.op->variant);
  RawOperands raw;
  gather<uint32_t>(call, s, raw);
  const int slot = s.aRegisters() + s.bRegisters();
  int32_t result[32][4];
  forEachResult(s, [&](int lane, int i, int row, int column) {
    auto sum = call.frames[lane]->get<uint32_t>(slot + i); // wraps
    for (int byte = 0; byte < s.k / 8; ++byte) {
      const uint8_t a = raw.a[row][byte], b = raw.b[column][byte];
      sum += __builtin_popcount(s.saturate ? a ^ b : a & b);
    }
    result[lane][i] = static_cast<int32_t>(sum);
  });
  forEachResult(
      s, [&](int lane, int i, int, int) { call.frames[lane]->put<int32_t>(i, result[lane][i]); });
}

// ---- registration ----

struct MmaName {
  const char *suffix;
  Element a, b, c, d;
};

void addMma(IntrinsicTable &t, int m, int n, int k, const std::string &suffix, Element a, Element b,
            Element c, Element d, bool saturate = false) {
  const std::string name = llvm::formatv("llvm.nvvm.mma.m{0}n{1}k{2}.row.col.{3}", m, n, k, suffix);
  t.warp(name, a == F64 ? mmaDouble : mmaNumbers, Intrinsic::WholeWarp).variant = {
      m, n, k, a, b, c, d, saturate};
}

void registerFloatMma(IntrinsicTable &t) {
  for (int k : {8, 16}) {
    addMma(t, 16, 8, k, "f16.f16", F16, F16, F16, F16);
    addMma(t, 16, 8, k, "f32.f32", F16, F16, F32, F32);
    addMma(t, 16, 8, k, "bf16", BF16, BF16, F32, F32);
  }
  for (int k : {4, 8}) {
    addMma(t, 16, 8, k, "tf32", TF32, TF32, F32, F32);
    addMma(t, 16, 8, k, "f64", F64, F64, F64, F64);
  }
  addMma(t, 16, 8, 16, "f64", F64, F64, F64, F64);
  addMma(t, 8, 8, 4, "f64", F64, F64, F64, F64);
  const std::pair<const char *, Element> narrow[] = {{"e4m3", E4M3}, {"e5m2", E5M2}};
  for (auto [aName, a] : narrow)
    for (auto [bName, b] : narrow)
      for (const char *c : {"f16", "f32"}) {
        const Element acc = std::string(c) == "f16" ? F16 : F32;
        const std::string types = std::string(c) + "." + aName + "." + bName + "." + c;
        addMma(t, 16, 8, 16, types, a, b, acc, acc);
        addMma(t, 16, 8, 32, types, a, b, acc, acc);
      }
  const std::pair<const char *, Element> bytes[] = {
      {"e4m3", E4M3}, {"e5m2", E5M2}, {"e3m2", E3M2}, {"e2m3", E2M3}, {"e2m1", E2M1}};
  for (auto [aName, a] : bytes)
    for (auto [bName, b] : bytes)
      for (const char *c : {"f16", "f32"}) {
        const Element acc = std::string(c) == "f16" ? F16 : F32;
        addMma(t, 16, 8, 32, std::string("kind.f8f6f4.") + c + "." + aName + "." + bName + "." + c,
               a, b, acc, acc);
      }
}

void registerIntegerMma(IntrinsicTable &t) {
  const std::pair<const char *, Element> bytes[] = {{"s8", S8}, {"u8", U8}},
                                         nibbles[] = {{"s4", S4}, {"u4", U4}};
  auto add = [&](int m, int k, const auto &types) {
    for (auto [aName, a] : types)
      for (auto [bName, b] : types)
        for (bool saturate : {false, true})
          addMma(t, m, 8, k,
                 std::string(saturate ? "satfinite." : "") + aName +
                     (a == b ? "" : std::string(".") + bName),
                 a, b, S32, S32, saturate);
  };
  add(8, 16, bytes), add(16, 16, bytes), add(16, 32, bytes);
  add(8, 32, nibbles), add(16, 32, nibbles), add(16, 64, nibbles);
}

} // namespace

void registerMatrix(IntrinsicTable &t) {
  for (const char *op : {"and", "xor"})
    for (auto [m, k] : {std::pair{8, 128}, std::pair{16, 128}, std::pair{16, 256}}) {
      const std::string name =
          llvm::formatv("llvm.nvvm.mma.{0}.popc.m{1}n8k{2}.row.col.b1", op, m, k);
      t.warp(name, mmaBits, Intrinsic::WholeWarp).variant = {
          m, 8, k, B1, B1, S32, S32, std::string(op) == "xor"};
    }
  registerFloatMma(t);
  registerIntegerMma(t);
  registerSparseMatrix(t);
  registerWmma(t);
  registerMatrixMemory(t);
}

} // namespace tilesmith::emulator
